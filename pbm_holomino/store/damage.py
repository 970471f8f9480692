"""Damaged files: what their readers raise, and the error that names one."""

import os

from pbm_holomino.errors import BadCommand, BadMove, CorruptFile, NotYourTurn

# What the readers of a damaged file's data raise.
_REFUSED = (BadCommand, BadMove, NotYourTurn)
_MISSHAPEN = (LookupError, TypeError, AttributeError, ArithmeticError)
DAMAGE = (*_REFUSED, *_MISSHAPEN, ValueError)


def called(folder: str, name: str, noun: str = "file") -> str:
    """What a document is called where its store has such files, or something else."""
    return f"{noun} {os.path.join(folder, name)}{'.yaml' * (noun == 'file')}"


def corrupt(folder: str, name: str, reason: object, noun: str = "file") -> CorruptFile:
    """The error that names a document that cannot be used; `reason` is a sentence, or
    one of DAMAGE."""
    return _damaged(called(folder, name, noun), _in_words(reason))


def damaged_file(file: str, reason: str) -> CorruptFile:
    """The error that names a file of the store by its whole name."""
    return _damaged(f"file {file}", reason)


def _damaged(thing: str, reason: str) -> CorruptFile:
    return CorruptFile(
        f"The {thing} of this server is damaged. It is left as it is; the server's "
        "owner can mend it.",
        reason,
    )


def _in_words(reason: object) -> str:
    if isinstance(reason, KeyError):
        return f"it lacks {reason}"
    return "it is not as it was made" if isinstance(reason, _MISSHAPEN) else str(reason)
