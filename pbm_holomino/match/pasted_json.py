"""An object in JSON in a text that somebody pastes: quoted, and wrapped at blanks."""

import json
from collections.abc import Sequence
from typing import Any

from pbm_holomino.draw.reading.sheets import Row, rows
from pbm_holomino.errors import BadBoard
from pbm_holomino.languages import Sentence, sentence

_MOST_DIGITS = 20  # of a number: no field has so many
_NOT_JSON = sentence("The record goes wrong there: it is not JSON.")
_TOO_LONG = sentence("No number of a record has so many digits.")
_TOO_DEEP = sentence("The record has too many brackets one inside the other.")
_SEVERAL = sentence("Another record begins there: please paste one alone.")


def pasted_object(text: str) -> dict[str, Any] | None:
    """The object that begins with the first line that begins with a brace; None if no
    line does. Lines are wrapped only at blanks. Raises BadBoard."""
    lines = [row for row in rows(text) if row.text.strip()]
    at = (i for i, row in enumerate(lines) if row.text.lstrip().startswith("{"))
    first = next(at, None)
    return None if first is None else _object(lines[first:])


def _object(lines: Sequence[Row]) -> dict[str, Any]:
    text = " ".join(row.text.strip() for row in lines)
    reader = json.JSONDecoder(parse_int=_number, strict=False)
    try:
        found, end = reader.raw_decode(text)
    except json.JSONDecodeError as error:
        raise _refusal(lines, error.pos, _NOT_JSON) from None
    except ValueError as error:  # these are the digits
        raise _refusal(lines, text.index(str(error)), _TOO_LONG) from None
    except RecursionError:
        raise BadBoard(0, 0, _TOO_DEEP) from None
    if text[end:].lstrip().startswith("{"):
        raise _refusal(lines, text.index("{", end), _SEVERAL)
    assert isinstance(found, dict)
    return found


def _number(digits: str) -> int:
    if len(digits) > _MOST_DIGITS:
        raise ValueError(digits)
    return int(digits)


def _refusal(lines: Sequence[Row], at: int, why: Sentence) -> BadBoard:
    """The error for a place among the lines as they were put together."""
    for row in lines:
        width = len(row.text.strip()) + 1
        if at < width:
            break
        at -= width
    before = len(row.text) - len(row.text.lstrip())
    return BadBoard(row.number, row.indent + before + min(at, width) + 1, why)
