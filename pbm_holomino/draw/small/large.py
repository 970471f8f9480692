"""A large tile, which is large on any screen."""

from pbm_holomino.draw.large import put

__all__ = ["put"]
