"""Benchmarks: costs as ratios to something that every machine has."""
