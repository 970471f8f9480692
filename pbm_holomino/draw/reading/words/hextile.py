"""Hextiles, heard by the face of each half, its owner's and how high it lies."""

import re
from collections.abc import Sequence

from pbm_holomino.draw.reading.patterns import pattern
from pbm_holomino.draw.words.hextile import (
    COLOURS,
    HALF,
    HALF_COVERED,
    HIGH,
    OPEN_END,
    OWNED,
    TILES,
)
from pbm_holomino.languages import Language, Sentence
from pbm_holomino.rules.contract import END, Drawing

_HALF = "(.{1,99})"
_AT = {"face": "([0-9])", "position": "([0-9]{1,5})"}


def tile(speaker: Language, sides: Sequence[Sentence], said: str) -> Drawing | None:
    """The tile that a sentence tells of, or the half of it that can be seen."""
    for way in TILES:
        if found := _found(speaker, way, said, first=_HALF, second=_HALF):
            halves = [_half(speaker, sides, half) for half in found]
            return _tile([half for half in halves if half])
    found = _found(speaker, HALF_COVERED, said, half=_HALF)
    return _half(speaker, sides, found[0]) if found else None


def _found(
    speaker: Language, form: Sentence, said: str, **places: str
) -> tuple[str, ...]:
    """What is in the places of a sentence, if it has this form."""
    found = re.fullmatch(f"(?a){pattern(speaker, form, **places)}", said)
    return found.groups() if found else ()


def _tile(halves: Sequence[Drawing]) -> Drawing | None:
    if len(halves) < 2:
        return None
    one, other = halves
    (first,), (second,) = one.faces, other.faces
    return one._replace(
        faces={**one.faces, **other.faces},
        joints=((first, second),),
        labels={**one.labels, **other.labels},
        owners={**one.owners, **other.owners},
        heights={**one.heights, **other.heights},
    )


def _half(speaker: Language, sides: Sequence[Sentence], said: str) -> Drawing | None:
    """The half of which these words tell."""
    inner = _found(speaker, OPEN_END, said, half=_HALF)
    high = _found(speaker, HIGH, inner[0] if inner else said, half=_HALF, height="(.)")
    half = _bare(speaker, sides, [*high, *inner, said][0])
    if half is None:
        return None
    (at,) = half.faces
    heights = {at: int(high[1])} if high and high[1].isdecimal() else {}
    return half._replace(labels={at: END} if inner else {}, heights=heights)


def _bare(speaker: Language, sides: Sequence[Sentence], said: str) -> Drawing | None:
    """The same without what is added to it."""
    for seat, side in enumerate(sides):
        owner = re.escape(speaker.say(side))
        if found := _found(speaker, OWNED, said, owner=owner, **_AT):
            return Drawing(
                "hextile", {int(found[1]): found[0]}, owners={int(found[1]): seat}
            )
    for face, colour in COLOURS.items():
        if found := _found(speaker, colour, said, position=_AT["position"]):
            return Drawing("hextile", {int(found[0]): face})
    if found := _found(speaker, HALF, said, **_AT):
        return Drawing("hextile", {int(found[1]): found[0]})
    return None
