"""A Maildir: a file for each mail, in `new` before anybody has seen it, and then in
`cur`, where its name ends with its flags (https://cr.yp.to/proto/maildir.html)."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from time import monotonic, sleep
from urllib.parse import quote

from pbm_holomino.errors import CannotFetch
from pbm_holomino.fetch.contract import (
    MOST_IDLE,
    READ_OF_LARGE,
    OneMailRefused,
    as_received,
)
from pbm_holomino.mail.intake import MOST_MAIL

_POLL_SECONDS = 1.0  # from one look at the folders to the next
_READ = ("new", "cur")  # the folders with mails


class MaildirMailbox:
    """The Maildir at a path (see `contract.Mailbox`). What is `done` goes to the
    Maildir of that name within it (Maildir++), if it is not empty."""

    def __init__(self, path: str, done: str) -> None:
        self.path = path
        self._done = os.path.join(path, f".{done}") if done else ""
        self._paths: dict[str, str] = {}  # of the mails when they were last listed
        self._seen = self.times()

    def mails(self) -> list[str]:
        """The names of all mails (see `contract.Mailbox`)."""
        self._seen = self.times()
        with trouble(self.path):
            files = sorted(self._files())
        self._paths = {_name(filename): path for _, filename, path in files}
        return list(self._paths)

    def _files(self) -> Iterator[tuple[int, str, str]]:
        """The mails: the time of arrival, the filename, and the path."""
        for folder in _READ:
            for file in os.scandir(os.path.join(self.path, folder)):
                if not file.name.startswith(".") and file.is_file():
                    with suppress(FileNotFoundError):  # somebody has moved it
                        yield file.stat().st_mtime_ns, file.name, file.path

    def read(self, name: str) -> bytes | None:
        """A mail (see `contract.Mailbox`)."""
        with trouble(self.path, OneMailRefused), suppress(FileNotFoundError):
            with open(self._path_of(name), "rb") as file:
                size = os.fstat(file.fileno()).st_size
                raw = file.read(READ_OF_LARGE if size > MOST_MAIL else MOST_MAIL)
            return as_received(raw, size)
        return None

    def remove(self, name: str) -> None:
        """Move or delete a mail (see `contract.Mailbox`)."""
        with trouble(self.path, OneMailRefused), suppress(FileNotFoundError):
            path = self._path_of(name)
            if not self._done:
                os.unlink(path)
                return
            make_maildir(self._done)
            base = os.path.basename(path).partition(":")[0]
            os.rename(path, os.path.join(self._done, "cur", f"{base}:2,S"))

    def wait(self, seconds: float) -> bool:
        """Wait until something changes (see `contract.Mailbox`)."""
        end = monotonic() + min(seconds, MOST_IDLE)
        while (left := end - monotonic()) > 0:
            if self.times() != self._seen:
                return True
            sleep(min(left, _POLL_SECONDS))
        return False

    def close(self) -> None:
        """There is nothing to let go of."""

    def times(self) -> list[int]:
        """When the folders were last changed."""
        with trouble(self.path):
            return [os.stat(os.path.join(self.path, f)).st_mtime_ns for f in _READ]

    def _path_of(self, name: str) -> str:
        """Where a mail is now: a mail program may have moved it to `cur`, and changed
        its flags. Raises FileNotFoundError."""
        if not os.path.exists(self._paths.get(name, "")):
            self._paths = {_name(file): path for _, file, path in self._files()}
        try:
            return self._paths[name]
        except KeyError:
            raise FileNotFoundError from None


def _name(filename: str) -> str:
    """A mail's name, which does not change with its flags."""
    return quote(filename.partition(":")[0], safe=",=", errors="surrogateescape")


def make_maildir(path: str) -> None:
    """Make a Maildir, unless it exists. What the disk refuses is raised as OSError."""
    for folder in ("tmp", *_READ):
        os.makedirs(os.path.join(path, folder), 0o700, exist_ok=True)


@contextmanager
def trouble(path: str, kind: type[CannotFetch] = CannotFetch) -> Iterator[None]:
    """In this block, what the disk refuses is such an error, which names the path."""
    try:
        yield
    except OSError as error:
        where = error.filename or path
        raise kind(f"{where} cannot be used: {error.strerror}.") from None
