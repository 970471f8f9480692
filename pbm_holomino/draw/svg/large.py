"""One bitten hexagon alone, which the text draws large: here all sizes look alike."""

from pbm_holomino.draw.svg.bitten import SHAPES, alone, pieces

__all__ = ["SHAPES", "alone", "pieces"]
