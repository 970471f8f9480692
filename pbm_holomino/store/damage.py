"""Damaged files: what their readers raise, and the errors that name one."""

import os

from pbm_holomino.errors import (
    BadCommand,
    BadMove,
    CorruptFile,
    NotYourTurn,
    StoreTrouble,
)
from pbm_holomino.languages import as_it_is, sentence

# What the readers of a damaged file's data raise.
_REFUSED = (BadCommand, BadMove, NotYourTurn)
_MISSHAPEN = (LookupError, TypeError, AttributeError, ArithmeticError)
DAMAGE = (*_REFUSED, *_MISSHAPEN, ValueError)

_DAMAGED = {  # by what a document is called
    "file": sentence(
        "The file {name} of this server is damaged. It is left as it is; the server's "
        "owner can mend it."
    ),
    "document": sentence(
        "The document {name} of this server is damaged. It is left as it is; the "
        "server's owner can mend it."
    ),
}
_FULL = {
    "file": sentence("The file {name} is full."),
    "document": sentence("The document {name} is full."),
}


def called(folder: str, name: str, noun: str) -> str:
    """What a document is called where its store has such files, or something else."""
    return f"{noun} {_path(folder, name, noun)}"


def _path(folder: str, name: str, noun: str) -> str:
    return f"{os.path.join(folder, name)}{'.yaml' * (noun == 'file')}"


def corrupt(folder: str, name: str, reason: object, noun: str = "file") -> CorruptFile:
    """The error that names a document that cannot be used; `reason` is a sentence, or
    one of DAMAGE."""
    path = _path(folder, name, noun)
    return CorruptFile(_DAMAGED[noun].of(name=path), _in_words(reason))


def damaged_file(file: str, reason: str) -> CorruptFile:
    """The error that names a file of the store by its whole name."""
    return CorruptFile(_DAMAGED["file"].of(name=file), reason)


def kept_damage(text: str, reason: str) -> CorruptFile:
    """The error that an index has kept in English."""
    for said in _DAMAGED.values():
        before, after = str(said.of(name="\0")).split("\0")
        name = text.removeprefix(before).removesuffix(after)
        if text == f"{before}{name}{after}":
            return CorruptFile(said.of(name=name), reason)
    return CorruptFile(as_it_is(text), reason)


def full(folder: str, name: str, noun: str) -> StoreTrouble:
    """The error for a document that would be larger than any may be."""
    return StoreTrouble(_FULL[noun].of(name=_path(folder, name, noun)))


def _in_words(reason: object) -> str:
    if isinstance(reason, KeyError):
        return f"it lacks {reason}"
    return "it is not as it was made" if isinstance(reason, _MISSHAPEN) else str(reason)
