"""Benchmarks: what a thing costs as a ratio to something that every machine has."""
