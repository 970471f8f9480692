"""One bitten hexagon alone, which the text draws large: here all sizes sound alike."""

from pbm_holomino.draw.words.bitten import CAN_GO, beside, cells, count, names, tiles

__all__ = ["CAN_GO", "beside", "cells", "count", "names", "tiles"]
