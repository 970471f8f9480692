"""A resident server."""
