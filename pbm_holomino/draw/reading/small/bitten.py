"""Hexagons with three corners bitten off, which are small already."""

from pbm_holomino.draw.reading.bitten import read

__all__ = ["read"]
