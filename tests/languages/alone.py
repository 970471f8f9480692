"""English alone, where a text is compared in which languages are listed."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from unittest.mock import patch

from pbm_holomino.languages import ENGLISH_CODE, known


@contextmanager
def english_alone() -> Iterator[None]:
    """There is no other language, whichever are here."""
    with patch.object(known, "codes", cache(lambda: (ENGLISH_CODE,))):
        yield
