"""What pictures show, from their characters alone."""

from pbm_holomino.draw.reading import bitten, hextile
from pbm_holomino.draw.reading.marks import Seen
from pbm_holomino.draw.reading.small import hextile as small


def read_bitten(picture: str) -> Seen:
    """What a picture of bitten hexagons shows."""
    return bitten.read(picture.split("\n")).seen


def read_hextiles(picture: str) -> Seen:
    """What a picture of hextiles shows."""
    return hextile.read(picture.split("\n")).seen


def read_small_hextiles(picture: str) -> Seen:
    """What a small picture of hextiles shows."""
    return small.read(picture.split("\n")).seen
