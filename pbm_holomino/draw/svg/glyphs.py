"""Digits and letters as strokes, so that a picture looks the same without any font."""

from pbm_holomino.draw.svg.shapes import Shapes, shift, short, use

_HEIGHT = 16  # of each glyph, whose middle is the origin
_ADVANCE = 13.5  # from one glyph to the next
_STROKES = {
    "0": "M0-8C-3.5-8-5-5-5 0S-3.5 8 0 8 5 5 5 0 3.5-8 0-8Z",
    "1": "M-3.5-4.8L.8-8V8",
    "2": "M-4.7-4C-4.7-6.5-2.6-8 0-8S4.8-6.4 4.8-3.8C4.8-.8 1.5 1.2-4.8 8H5.2",
    "3": "M-4.6-5.2C-4-7-2.2-8 0-8 2.7-8 4.6-6.5 4.6-4.2S2.7-.5-.8-.5"
    "C2.8-.5 5 1 5 3.7S2.8 8 0 8C-2.6 8-4.5 6.8-5 4.6",
    "4": "M2.6 8V-8L-5.2 3.6H5.4",
    "5": "M4.2-8H-3.4L-4.2-1C-3.2-2-1.8-2.5 0-2.5 3-2.5 5-.4 5 2.7S2.9 8-.1 8"
    "C-2.5 8-4.2 7-5 4.9",
    "6": "M4-6.3C3-7.4 1.8-8 .5-8-3.3-8-5-4-5 2.4"
    "M-5 2.9A5 5.1 0 1 0 5 2.9 5 5.1 0 1 0-5 2.9",
    "7": "M-5-8H5.2C1.5-4-1 1.5-1.6 8",
    "8": "M0-.4A4.3 3.8 0 1 0 0-8 4.3 3.8 0 1 0 0-.4Z"
    "M0-.4A5 4.2 0 1 0 0 8 5 4.2 0 1 0 0-.4Z",
    "9": "M-4 6.3C-3 7.4-1.8 8-.5 8 3.3 8 5 4 5-2.4"
    "M5-2.9A5 5.1 0 1 0-5-2.9 5 5.1 0 1 0 5-2.9",
    "A": "M-5.7 8L0-8 5.7 8M-3.7 2.6H3.7",
    "B": "M.6-.5H-4.5V-8H.6C3-8 4.4-6.5 4.4-4.3S3-.5.6-.5C3.6-.5 5 1.2 5 3.7"
    "S3.6 8 .6 8H-4.5V-.5",
    "C": "M5-4.8C4-7 2.3-8 .3-8-3.2-8-5.2-5-5.2 0S-3.2 8 .3 8C2.3 8 4 7 5 4.8",
    "D": "M-4.8-8V8H-1C3 8 5.3 5 5.3 0S3-8-1-8Z",
    "E": "M4.5-8H-4.5V8H4.5M-4.5-.3H3.3",
    "F": "M4.5-8H-4.5V8M-4.5-.3H3.3",
    "G": "M5-4.8C4-7 2.3-8 .3-8-3.2-8-5.2-5-5.2 0S-3.2 8 .3 8C3 8 5 6.2 5.2 3V.8H1",
    "H": "M-5-8V8M5-8V8M-5-.2H5",
    "I": "M0-8V8",
    "J": "M4-8V3C4 6.4 2.4 8-.3 8S-4.6 6.4-4.8 3.5",
    "K": "M-4.8-8V8M5-8L-4.8 1.4M-1.2-1.8L5.2 8",
    "L": "M-4.3-8V8H4.8",
    "M": "M-6 8V-8L0 3 6-8V8",
    "N": "M-5 8V-8L5 8V-8",
    "O": "M0-8C-3.6-8-5.7-5-5.7 0S-3.6 8 0 8 5.7 5 5.7 0 3.6-8 0-8Z",
    "P": "M-4.5 8V-8H.6C3.3-8 5-6.2 5-3.6S3.3.8.6.8H-4.5",
    "Q": "M0-8C-3.6-8-5.7-5-5.7 0S-3.6 8 0 8 5.7 5 5.7 0 3.6-8 0-8ZM1.5 4L5.7 8",
    "R": "M-4.5 8V-8H.6C3.3-8 5-6.2 5-3.6S3.3.8.6.8H-4.5M1 .8L5.2 8",
    "S": "M4.6-5C3.8-7 2.2-8 0-8-2.8-8-4.6-6.4-4.6-4.2-4.6.8 5-.8 5 3.8"
    "C5 6.3 3 8 0 8-2.6 8-4.4 6.8-5 4.6",
    "T": "M-5.5-8H5.5M0-8V8",
    "U": "M-5-8V2.5C-5 6-3 8 0 8S5 6 5 2.5V-8",
    "V": "M-5.5-8L0 8 5.5-8",
    "W": "M-7-8L-3.6 8 0-5 3.6 8 7-8",
    "X": "M-5-8L5 8M5-8L-5 8",
    "Y": "M-5.4-8L0 0 5.4-8M0 0V8",
    "Z": "M-5-8H5L-5 8H5",
    ".": "M-.1 0H.1",
}
_UNKNOWN = "M-4-8H4V8H-4Z"
_STYLE = 'fill="none" stroke-width="2.2"'
SHAPES: Shapes = {
    f"c{character}": f'd="{strokes}" {_STYLE}'
    for character, strokes in {**_STROKES, "_": _UNKNOWN}.items()
}


def written(text: str, point: complex, height: float, ink: str = "") -> str:
    """A text of this height with its middle at a point, in an ink other than that of
    what is round it. Small letters look like large ones."""
    left = -_ADVANCE * (len(text) - 1) / 2
    glyphs = (
        use(_name(character), complex(left + _ADVANCE * number))
        for number, character in enumerate(text)
        if character != " "
    )
    moved = f"{shift(point)}scale({short(height / _HEIGHT)})"
    stroke = f' stroke="{ink}"' if ink else ""
    return f'<g transform="{moved}"{stroke}>{"".join(glyphs)}</g>'


def _name(character: str) -> str:
    return f"c{character.upper()}" if character.upper() in _STROKES else "c_"
