"""A play-by-mail command server for hexagonal tile games."""

__version__ = "1.1.0"
