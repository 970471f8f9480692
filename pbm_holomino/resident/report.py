"""What a resident server reports to its owner, on standard error."""

import sys
import traceback
from contextlib import suppress

from pbm_holomino.errors import PbmError


def report(error: BaseException | None) -> None:
    """Report a fault. Only our own errors are quoted: others might quote the mail."""
    told = str(error)
    if error is not None and not isinstance(error, PbmError):
        told = type(error).__name__
        for last in traceback.extract_tb(error.__traceback__)[-1:]:
            told += f" in {last.filename}, line {last.lineno}"
    say(told)


def say(words: str) -> None:
    """Write a line for the owner."""
    with suppress(OSError):  # it may have been closed
        print(f"pbm serve: {words}\n", end="", file=sys.stderr, flush=True)
