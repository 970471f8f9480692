"""Whole files in folders where others collect them: letters, and copies of mails."""

import os
from _thread import get_native_id  # each has it loaded, threading costs
from contextlib import suppress
from time import time

from pbm_holomino.store.files.disk import begin_to_write_out, written
from pbm_holomino.store.files.folders import CLOSED, READING, WRITING, Folders

MOST_KEPT = 1_000  # files in a folder of copies: strangers must not fill the disk
MOST_KEPT_BYTES = 100_000_000
LEFTOVER_SECONDS = 86_400.0  # after which a file that nobody finished is swept away


class Spool:
    """The files in a store's folders that are put there once and never changed."""

    def __init__(self, folders: Folders) -> None:
        self._folders = folders

    def path(self, folder: str, filename: str) -> str:
        """Where a file is."""
        return self._folders.path(folder, filename)

    def put(self, folder: str, filename: str, content: bytes) -> None:
        """Put a whole file, durably, into a folder where others collect it. It costs
        two fsyncs, which are not those of a save: a letter must last before its mark
        goes, and a mail in quarantine before it is taken for dealt with."""
        self.write(folder, filename, content, durably=True)
        self._folders.sync(folder)

    def write(
        self, folder: str, filename: str, content: bytes, durably: bool = False
    ) -> None:
        """Put a whole file into a folder. A power cut may take away its name and,
        unless it is written durably, its content, which the disk only begins to
        write."""
        with WRITING:
            self._folders.make(folder)
            # of two threads or processes that write the same, each writes its own
            beside = self.path(folder, f".{filename}.{get_native_id()}")
            try:
                with written(beside, content) as fd:
                    (os.fsync if durably else begin_to_write_out)(fd)
            except OSError:  # a disk that is full shall not fill with these
                with suppress(OSError):
                    os.unlink(beside)
                raise
            os.rename(beside, self.path(folder, filename))

    def keep(self, folder: str, filename: str, content: bytes) -> None:
        """Put a copy of a mail that strangers can have made. Beyond MOST_KEPT and
        MOST_KEPT_BYTES the oldest go; the newest stays. Raises StoreTrouble if the
        store is closed."""
        if self._folders.has("", CLOSED):
            from pbm_holomino.store.files.closed import refusal  # it is seldom so

            raise refusal(self._folders)
        self.put(folder, filename, content)
        with WRITING:
            size = 0
            for kept, (found, path) in enumerate(reversed(self._by_age(folder))):
                size += found.st_size
                if kept and (kept >= MOST_KEPT or size > MOST_KEPT_BYTES):
                    with suppress(FileNotFoundError):
                        os.unlink(path)

    def is_full(self, folder: str) -> bool:
        """Whether the oldest copy in a folder would go if one more were kept."""
        return len(self.mails(folder)) >= MOST_KEPT

    def mails(self, folder: str) -> list[str]:
        """The filenames of the mails in a folder, the oldest first."""
        return [os.path.basename(path) for _, path in self._by_age(folder)]

    def read(self, folder: str, filename: str) -> bytes | None:
        """What a file holds; None where somebody has collected it."""
        with READING:
            try:
                with open(self.path(folder, filename), "rb") as file:
                    return file.read()
            except FileNotFoundError:
                return None

    def remove(self, folder: str, filename: str) -> None:
        """Remove a file, if it is still there."""
        with WRITING, suppress(FileNotFoundError):
            os.unlink(self.path(folder, filename))

    def times(self, folder: str) -> dict[str, float]:
        """When each of the mails in a folder was put there (see `contract.Mails`)."""
        return {
            os.path.basename(path): found.st_mtime
            for found, path in self._by_age(folder)
        }

    def sweep(self, folder: str) -> None:
        """Remove what was left half written when a process died, a day ago or more."""
        with WRITING:
            for filename in self._folders.filenames(folder):
                if filename.startswith("."):
                    path = self.path(folder, filename)
                    with suppress(FileNotFoundError):  # it has its own name now
                        if os.stat(path).st_mtime <= time() - LEFTOVER_SECONDS:
                            os.unlink(path)

    def _by_age(self, folder: str) -> list[tuple[os.stat_result, str]]:
        return self._folders.by_age(folder, ".eml")
