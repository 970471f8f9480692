"""A play-by-mail command server for hexagonal tile games."""
