"""English that is left in what readers of another language read."""

import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from unittest.mock import patch

from pbm_holomino.languages import ENGLISH_CODE, known
from pbm_holomino.match.account import Player
from tests.languages import catalogues

_FEWEST = 3  # words in a row by which English is known


@contextmanager
def everybody_reads(code: str) -> Iterator[None]:
    """There are English and the language with this code, which every player reads."""
    with ExitStack() as stack:
        for owner, name, value in (
            (known, "codes", cache(lambda: (ENGLISH_CODE, code))),
            (Player, "language_at", lambda player, time: code),
        ):
            stack.enter_context(patch.object(owner, name, value))
        yield


def left_in(text: str) -> str:
    """The first words of a sentence of ours that a text has in English; empty if it has
    none."""
    words = f" {' '.join(re.findall(_WORD, text))} "
    return next((said for said in _said() if said in words), "")


_WORD = r"[^\W\d_]+(?:'[a-z]+)?"


@cache
def _said() -> tuple[str, ...]:
    """What our sentences say in English between their places."""
    found = {text for folder in catalogues.languages() for text in _texts(folder)}
    pieces = (p for text in found for p in re.split(r"\{\w+\}|\"[^\"]*\"", text))
    rows = (re.findall(_WORD, piece) for piece in pieces)
    return tuple({f" {' '.join(row)} " for row in rows if len(row) >= _FEWEST})


def _texts(folder: str) -> Iterator[str]:
    """The English texts of all that a language has a sentence for."""
    for message in catalogues.read(folder):
        if message.id:
            yield from catalogues.texts(message.id)
