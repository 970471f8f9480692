"""An mbox file, to which other programs append mails (RFC 4155).

Its mails are moved into a Maildir of our own as soon as they are looked for: each is
made durable there before the file is emptied, and both happen while it is locked, by
fcntl and by a file beside it, as mail programs do. The file itself stays, as a program
that waits for the lock may have opened it. A mail that is moved twice, because we were
killed in between, has the same name, and is there once.
"""

import fcntl
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from time import time
from typing import BinaryIO

from pbm_holomino.errors import CannotFetch
from pbm_holomino.fetch.maildir import MaildirMailbox, make_maildir, trouble
from pbm_holomino.store.files.disk import sync, write

_STALE_SECONDS = 300.0  # after which a lock's file counts as left behind (liblockfile)


class MboxMailbox(MaildirMailbox):
    """The mbox file at a path, whose mails are moved to the Maildir `into` (see
    `contract.Mailbox`)."""

    def __init__(self, path: str, into: str, done: str) -> None:
        self._file = path
        with trouble(into):
            make_maildir(into)
        super().__init__(into, done)

    def mails(self) -> list[str]:
        """The names of all mails, those in the file included."""
        with trouble(self._file):
            if _size(self._file):
                self._empty()
        return super().mails()

    def times(self) -> list[int]:
        """When the folders were last changed, and how large the file is."""
        return [*super().times(), _size(self._file)]

    def _empty(self) -> None:
        """Move all mails out of the file."""
        with _locked(self._file) as file:
            for raw in split(file):
                self._move(raw)
            sync(os.path.join(self.path, "new"))
            file.truncate(0)

    def _move(self, raw: bytes) -> None:
        name = sha256(raw).hexdigest()[:32]
        beside = os.path.join(self.path, "tmp", name)
        write(beside, raw, durably=True)
        os.rename(beside, os.path.join(self.path, "new", name))


def split(lines: Iterable[bytes]) -> Iterator[bytes]:
    """The mails in an mbox file, each with its `From ` line. Raises CannotFetch if it
    is none."""
    mail: list[bytes] = []
    for line in lines:
        if line.startswith(b"From ") and (not mail or mail[-1].strip() == b""):
            if mail:
                yield b"".join(mail[:-1])
            mail = []
        elif not mail:
            raise CannotFetch(
                'What "fetch:" names is not an mbox: it does not begin with From.'
            )
        mail.append(line)
    if mail:
        yield b"".join(mail[:-1] if mail[-1].strip() == b"" else mail)


@contextmanager
def _locked(path: str) -> Iterator[BinaryIO]:
    """The file, open and locked in this block. Raises CannotFetch while another program
    has it."""
    with open(path, "rb+") as file, _dot_lock(path):
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise _is_locked(path) from None
        if not os.path.samestat(os.fstat(file.fileno()), os.stat(path)):
            raise _is_locked(path)  # it has just been replaced
        yield file


@contextmanager
def _dot_lock(path: str) -> Iterator[None]:
    """The lock that is a file beside another one, where we may make files."""
    lock = f"{path}.lock"
    with suppress(FileNotFoundError):
        if os.stat(lock).st_mtime < time() - _STALE_SECONDS:
            os.unlink(lock)
    try:
        os.close(os.open(lock, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except PermissionError:  # as in /var/mail: fcntl's lock must do
        yield
        return
    except FileExistsError:
        raise _is_locked(path) from None
    try:
        yield
    finally:
        with suppress(FileNotFoundError):
            os.unlink(lock)


def _is_locked(path: str) -> CannotFetch:
    return CannotFetch(f"Another program has locked {path}.")


def _size(path: str) -> int:
    """How large the file is; 0 while there is none, as no mail has come yet."""
    try:
        return os.path.getsize(path)
    except FileNotFoundError:
        return 0
