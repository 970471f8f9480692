"""What a resident server reports to its owner, on standard error."""

import sys
import traceback
from contextlib import suppress

from pbm_holomino.errors import PbmError

# what the owner is told at SIGHUP
NEW_SETTINGS = "The new settings are in use."
OLD_SETTINGS = "The old settings stay in use."


def report(error: BaseException | None) -> None:
    """Report a fault."""
    say(in_words(error))


def in_words(error: BaseException | None) -> str:
    """A fault in the owner's words. Only our own errors are quoted: others might quote
    the mail."""
    if error is None or isinstance(error, PbmError):
        return str(error)
    told = type(error).__name__
    for last in traceback.extract_tb(error.__traceback__)[-1:]:
        told += f" in {last.filename}, line {last.lineno}"
    return told


def say(words: str, program: str = "pbm serve") -> None:
    """Write a line for the owner."""
    with suppress(OSError):  # it may have been closed
        print(f"{program}: {words}\n", end="", file=sys.stderr, flush=True)
