"""One bitten hexagon alone, which the text draws large: here all sizes sound alike."""

from pbm_holomino.draw.words.bitten import WHAT, cells, count, tiles

__all__ = ["WHAT", "cells", "count", "tiles"]
