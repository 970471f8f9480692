"""Hexagons with three corners bitten off, which are small already."""

from pbm_holomino.draw.bitten import put

__all__ = ["put"]
