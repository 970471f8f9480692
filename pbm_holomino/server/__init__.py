"""Carries out commands: the one transaction, and the delivery of its letters."""
