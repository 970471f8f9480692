"""Damaged files: what their readers raise, and the error that names one."""

import os

from pbm_holomino.errors import BadCommand, BadMove, CorruptFile, NotYourTurn

# What the readers of a damaged file's data raise.
_REFUSED = (BadCommand, BadMove, NotYourTurn)
_MISSHAPEN = (LookupError, TypeError, AttributeError, ArithmeticError)
DAMAGE = (*_REFUSED, *_MISSHAPEN, ValueError)


def corrupt(folder: str, name: str, reason: object) -> CorruptFile:
    """The error that names a file that cannot be used; `reason` is a sentence, or one
    of DAMAGE."""
    return damaged_file(os.path.join(folder, f"{name}.yaml"), _in_words(reason))


def damaged_file(file: str, reason: str) -> CorruptFile:
    """The error that names a file of the store by its whole name."""
    return CorruptFile(
        f"The file {file} of this server is damaged. It is left as it is; the server's "
        "owner can mend it.",
        reason,
    )


def _in_words(reason: object) -> str:
    if isinstance(reason, KeyError):
        return f"it lacks {reason}"
    return "it is not as it was made" if isinstance(reason, _MISSHAPEN) else str(reason)
