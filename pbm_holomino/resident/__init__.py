"""A server that stays."""
