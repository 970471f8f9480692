"""The store's files, by folder and name: read whole, locked, replaced durably.

A file is named by its folder and its name: `("holo", "12")` is `holo/12.yaml`.
Beside it stand `12.lock`, which is never deleted (deleting it would split those
who wait for it), and a mark `12.7.unsent` as long as the letters about line 7 of
its log have not all been sent.
"""

import os
from _thread import get_native_id  # each has it loaded, threading costs
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from time import time
from typing import Any, NamedTuple

from pbm_holomino.errors import (
    BadCommand,
    BadMove,
    Busy,
    CorruptFile,
    NotYourTurn,
    StoreTrouble,
)
from pbm_holomino.store import yaml as strict
from pbm_holomino.store.disk import begin_to_write_out, sync, take, write, written
from pbm_holomino.store.tally import Counts, count_in, opened

POLL_SECONDS = 0.01  # from one look at a lock that is held to the next
QUARANTINE = "quarantine"  # mails that nobody can read, for the owner to look at
MOST_KEPT = 1_000  # files in a folder of copies: strangers must not fill the disk
MOST_KEPT_BYTES = 100_000_000


class Stamp(NamedTuple):
    """Which file this is: each save makes a new one."""

    inode: int
    time: int  # of its last change of any kind, in nanoseconds
    size: int


class Store:
    """A folder of strict YAML files that people can read.

    `patience` is how many seconds a command waits for a lock. What the disk
    refuses is raised as StoreTrouble.
    """

    def __init__(self, root: str, patience: float = 0) -> None:
        self.root = root
        self.patience = patience

    def path(self, *parts: str) -> str:
        """Where a file is. A folder of no name is the store itself."""
        return "/".join((self.root, *parts))  # os.path.join takes six times as long

    # Reading: needs no lock, and always sees a whole file

    def names(self, folder: str) -> list[str]:
        """The names of the files in a folder, in no order."""
        return self._named(folder, ".yaml")

    def locked_once(self, folder: str) -> list[str]:
        """The names of the files in a folder that have had a lock, which stays."""
        return self._named(folder, ".lock")

    def was_locked(self, folder: str, name: str) -> bool:
        """Whether a file of that name has had a lock."""
        return _exists(self.path(folder, f"{name}.lock"))

    def _named(self, folder: str, kind: str) -> list[str]:
        entries = self._entries(folder)
        return [entry.removesuffix(kind) for entry in entries if entry.endswith(kind)]

    def _entries(self, folder: str) -> list[str]:
        with _READING:
            try:
                return os.listdir(self.path(folder))
            except FileNotFoundError:
                return []

    def exists(self, folder: str, name: str) -> bool:
        """Whether there is such a file, which may be damaged."""
        return _exists(self.path(folder, f"{name}.yaml"))

    def has(self, folder: str, filename: str) -> bool:
        """Whether there is a file of this whole name, of any kind."""
        return _exists(self.path(folder, filename))

    def stamp(self, folder: str, name: str) -> Stamp | None:
        """What tells a file from all that stood in its place before it; None where
        there is no such file."""
        with _READING:
            try:
                found = os.stat(self.path(folder, f"{name}.yaml"))
            except FileNotFoundError:
                return None
            return Stamp(found.st_ino, found.st_ctime_ns, found.st_size)

    def stamps(self, folder: str) -> dict[str, Stamp]:
        """The stamps of all files in a folder, by their names."""
        found = {}
        for name in self.names(folder):
            stamp = self.stamp(folder, name)
            if stamp is not None:
                found[name] = stamp
        return found

    def read(self, folder: str, name: str) -> Any:
        """The data in a file; None where there is no such file. Raises CorruptFile."""
        text = self.text(folder, name)
        try:
            return None if text is None else strict.load(text)
        except ValueError as error:
            raise corrupt(folder, name, error) from None

    def text(self, folder: str, name: str) -> bytes | None:
        """The bytes of a file, no more than `strict` loads and one; None where there
        is no such file. Raises CorruptFile for a folder in its place."""
        with _READING:
            try:
                with open(self.path(folder, f"{name}.yaml"), "rb") as file:
                    return file.read(strict.MOST_BYTES + 1)
            except FileNotFoundError:
                return None
            except IsADirectoryError:
                raise corrupt(folder, name, "it is a folder") from None

    # Writing: under the file's lock

    @contextmanager
    def lock(self, folder: str, name: str) -> Iterator[None]:
        """Hold a file's lock. Raises Busy after waiting in vain."""
        with _WRITING:
            self._make_folder(folder)
            release = self._acquire(self.path(folder, f"{name}.lock"))
        if release is None:
            raise Busy(f"{folder} {name} is busy: please try again later.")
        try:
            yield
        finally:
            release()

    def _acquire(self, path: str) -> Callable[[], object] | None:
        """Lock a file; what lets go of it, or None after waiting in vain."""
        # it is slow to load, and most commands only read
        from filelock import FileLock, Timeout

        held = FileLock(path, timeout=self.patience, mode=0o600)
        try:
            held.acquire(poll_interval=POLL_SECONDS)
        except Timeout:
            return None
        return held.release

    def save(
        self, folder: str, name: str, data: Any, unsent: int | None = None
    ) -> None:
        """Replace a file, durably, and mark a line's letters as unsent before: a mark
        whose line was never saved means nothing. It costs two fsyncs."""
        text = strict.dump(data)
        if len(text) > strict.MOST_BYTES:
            raise StoreTrouble(f"{folder}/{name}.yaml is full.")
        with _WRITING:
            beside = self.path(folder, f"{name}.new")
            with written(beside, text) as fd:
                begin_to_write_out(fd)
                if unsent is not None:  # made while the disk is at work
                    write(self._mark(folder, name, unsent), b"")
                os.fsync(fd)
            os.rename(beside, self.path(folder, f"{name}.yaml"))
            sync(self.path(folder))

    def drop(self, folder: str, filename: str, content: bytes) -> None:
        """Put a whole file, durably, into a folder where others collect it. It costs
        two fsyncs, which are not those of a save: a letter must last before its mark
        goes, and a mail in quarantine before it is taken for dealt with."""
        self._put(folder, filename, content, durably=True)
        self.settle(folder)

    def keep(self, folder: str, filename: str, content: bytes) -> None:
        """Drop a copy of a mail that strangers can have made. Beyond MOST_KEPT and
        MOST_KEPT_BYTES the oldest go; the newest stays."""
        self.drop(folder, filename, content)
        with _WRITING:
            size = 0
            for kept, (found, path) in enumerate(reversed(self._by_age(folder))):
                size += found.st_size
                if kept and (kept >= MOST_KEPT or size > MOST_KEPT_BYTES):
                    with suppress(FileNotFoundError):
                        os.unlink(path)

    def is_full(self, folder: str) -> bool:
        """Whether the oldest copy in a folder would go if one more were kept."""
        return len(self.dropped(folder)) >= MOST_KEPT

    def _put(self, folder: str, filename: str, content: bytes, durably: bool) -> None:
        with _WRITING:
            self._make_folder(folder)
            # of two threads or processes that write the same, each writes its own
            beside = self.path(folder, f".{filename}.{get_native_id()}")
            try:
                write(beside, content, durably)
            except OSError:  # a disk that is full shall not fill with these
                with suppress(OSError):
                    os.unlink(beside)
                raise
            os.rename(beside, self.path(folder, filename))

    def settle(self, folder: str) -> None:
        """Make the names in a folder durable, also those that another process gave
        before it died."""
        with _WRITING:
            sync(self.path(folder))

    def dropped(self, folder: str) -> list[str]:
        """The names of the mails in a folder, the oldest first."""
        with _READING:
            return [os.path.basename(path) for _, path in self._by_age(folder)]

    def taken_out(self, folder: str, filename: str) -> bytes | None:
        """What a dropped file holds; None where somebody has collected it."""
        with _READING:
            try:
                with open(self.path(folder, filename), "rb") as file:
                    return file.read()
            except FileNotFoundError:
                return None

    def discard(self, folder: str, filename: str) -> None:
        """Remove a dropped file, if it is still there."""
        with _WRITING, suppress(FileNotFoundError):
            os.unlink(self.path(folder, filename))

    def ages(self, folder: str, kind: str) -> list[float]:
        """When the files of a kind were written, in seconds of the epoch, ascending."""
        with _READING:
            return [found.st_mtime for found, _ in self._by_age(folder, kind)]

    def _by_age(
        self, folder: str, kind: str = ".eml"
    ) -> list[tuple[os.stat_result, str]]:
        files = []
        for entry in self._entries(folder):
            if entry.endswith(kind) and not entry.startswith("."):
                with suppress(FileNotFoundError):  # another may be at it too
                    path = self.path(folder, entry)
                    files.append((os.stat(path), path))
        return sorted(files, key=lambda file: file[0].st_mtime_ns)

    def jot(self, filename: str, text: str) -> None:
        """Note something beside the folders that a power cut may take away; an empty
        text removes it."""
        if text:
            self._put("", filename, text.encode("utf-8", "replace"), durably=False)
        else:
            self.discard("", filename)

    def jotted(self, filename: str) -> str:
        """What was noted last; empty where nothing was."""
        return (self.taken_out("", filename) or b"").decode("utf-8", "replace")

    def sweep(self, folder: str) -> None:
        """Remove what `drop` left beside when a process died, a day ago or more."""
        with _WRITING:
            for entry in self._entries(folder):
                if entry.startswith("."):
                    path = self.path(folder, entry)
                    with suppress(FileNotFoundError):  # it has its own name now
                        if os.stat(path).st_mtime < time() - 86400:
                            os.unlink(path)

    # Counting, by the hour: in a file of its own for each hour, of a fixed size

    def tally(self, folder: str, hour: str, name: str) -> int:
        """Count one more of something in an hour, and tell how many there were."""
        with self._counts(folder, hour) as counts:
            before = counts.of(name)
            counts.add(name)
            return before

    def tallied(self, folder: str, hour: str, name: str) -> int:
        """How many of something there were in an hour."""
        with _READING:
            return count_in(self.path(folder, hour), name)

    def claim(
        self, folder: str, hour: str, claims: Mapping[str, tuple[int, int]]
    ) -> bool:
        """Count so many more of each of these in an hour, the first number, unless
        there would be more of one of them than its limit, the second; whether they were
        counted."""
        with self._counts(folder, hour) as counts:
            return counts.claim(claims)

    @contextmanager
    def _counts(self, folder: str, hour: str) -> Iterator[Counts]:
        """The counts of an hour; with the first, those of all other hours go."""

        def begun() -> None:
            for entry in self._entries(folder):
                if entry != hour:
                    with suppress(FileNotFoundError):
                        os.unlink(self.path(folder, entry))

        with _WRITING:
            self._make_folder(folder)
            with opened(self.path(folder, hour), begun) as counts:
                yield counts

    def _make_folder(self, folder: str) -> None:
        path = self.path(folder)
        if not os.path.isdir(path):
            is_new = not os.path.isdir(self.root)
            os.makedirs(path, 0o700, exist_ok=True)
            # a store that came with a checkout is open to all until it is used
            os.chmod(self.root, 0o700)
            sync(self.root)
            if is_new:
                sync(os.path.dirname(os.path.abspath(self.root)))

    # Letters that have not been sent

    def _mark(self, folder: str, name: str, line: int) -> str:
        return self.path(folder, f"{name}.{line}.unsent")

    def is_unsent(self, folder: str, name: str, line: int) -> bool:
        """Whether letters about a line of its log are marked as unsent."""
        return _exists(self._mark(folder, name, line))

    def unsent(self, folder: str) -> dict[str, list[int]]:
        """All marks of a folder: the lines, ascending, by the names of the files."""
        marks: dict[str, list[int]] = {}
        for entry in self._entries(folder):
            name, _, rest = entry.partition(".")
            line, _, kind = rest.partition(".")
            if kind == "unsent" and line.isdigit():
                marks.setdefault(name, []).append(int(line))
        return {name: sorted(lines) for name, lines in sorted(marks.items())}

    def _open_mark(self, path: str) -> int | None:
        with _READING:
            try:
                return os.open(path, os.O_RDWR | os.O_APPEND)
            except FileNotFoundError:
                return None

    @contextmanager
    def sending(self, folder: str, name: str, line: int) -> Iterator["Mark | None"]:
        """The mark of a line whose letters are ours to send; None where there is no
        mark, or somebody else is at it. The mark goes when the block ends well, unless
        it is to be kept; it stays when the block fails or the process dies, when the
        system lets go of it."""
        path = self._mark(folder, name, line)
        fd = self._open_mark(path)
        if fd is None:
            yield None
            return
        try:
            with _READING:
                mark = Mark(fd) if take(fd) else None
            yield mark
            if mark is not None and not mark.kept:
                with _WRITING, suppress(FileNotFoundError):
                    os.unlink(path)
        finally:
            os.close(fd)


class Mark:
    """An open mark. It holds a line for each letter, or copy of one, that has been
    dealt with; it is `kept` where others wait."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self.kept = False
        self._done = set(_read_all(fd).decode("ascii", "replace").splitlines())

    def __contains__(self, line: str) -> bool:
        return line in self._done

    def add(self, line: str) -> None:
        """Note that a letter, or a copy, has been dealt with."""
        with _WRITING:
            os.write(self._fd, f"{line}\n".encode("ascii"))


def _read_all(fd: int) -> bytes:
    pieces = []
    while piece := os.read(fd, 1 << 16):
        pieces.append(piece)
    return b"".join(pieces)


def _exists(path: str) -> bool:
    """os.path.exists would take a folder that cannot be read for one without it."""
    with _READING:
        try:
            os.stat(path)
        except FileNotFoundError:
            return False
        return True


# What the readers of a damaged file's data raise.
_REFUSED = (BadCommand, BadMove, NotYourTurn)
_MISSHAPEN = (LookupError, TypeError, AttributeError, ArithmeticError)
DAMAGE = (*_REFUSED, *_MISSHAPEN, ValueError)


def corrupt(folder: str, name: str, reason: object) -> CorruptFile:
    """The error that names a file that cannot be used; `reason` is a sentence, or one
    of DAMAGE."""
    file = os.path.join(folder, f"{name}.yaml")
    return CorruptFile(
        f"The file {file} of this server is damaged. It is left as it is; the server's "
        "owner can mend it.",
        _in_words(reason),
    )


def _in_words(reason: object) -> str:
    if isinstance(reason, KeyError):
        return f"it lacks {reason}"
    return "it is not as it was made" if isinstance(reason, _MISSHAPEN) else str(reason)


class _Trouble:
    """What the disk refuses in this block is StoreTrouble."""

    def __init__(self, what: str) -> None:
        self._what = what

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if isinstance(error, OSError):
            file = error.filename or "The store"
            file = file.replace("//", "/")  # in a folder without a name
            raise StoreTrouble(
                f"{file} cannot be {self._what} "
                f"({error.strerror}): please try again later, or set PBM_GAMES to a "
                "folder of your own."
            ) from None


_READING, _WRITING = _Trouble("read"), _Trouble("written")
