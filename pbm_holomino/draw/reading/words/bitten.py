"""Hexagons with three corners bitten off, heard by the digits at their corners."""

import re
from collections.abc import Sequence

from pbm_holomino.draw.reading.patterns import pattern
from pbm_holomino.draw.words.bitten import CELL, CORNERS
from pbm_holomino.languages import InARow, Language, Sentence
from pbm_holomino.rules.contract import Drawing


def tile(speaker: Language, sides: Sequence[Sentence], said: str) -> Drawing | None:
    """The tile that a sentence tells of: all its digits are told."""
    corners = (pattern(speaker, corner, digits="([1-9])") for corner in CORNERS)
    form = pattern(
        speaker, CELL, position="([0-9]{1,5})", corners=speaker.word(InARow(corners))
    )
    found = re.fullmatch(f"(?a){form}", said)
    if not found:
        return None
    return Drawing("bitten", {int(found[1]): "".join(found.groups()[1:])})
