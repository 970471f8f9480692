"""What a process asks of the system, as strace sees it; and what strace makes the
system answer."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from pbm_holomino.store.files.changes import INDEX
from tests.processes import INBOX, Done, deliver
from tests.storage import is_of_index

TRACE = pytest.mark.needs("strace")
# What may write, or fail on the way to writing. Where the machine has no such call,
# the question mark says so to strace.
TRACED = (
    "?open,openat,?creat,write,pwrite64,writev,read,fsync,fdatasync,?rename,"
    "renameat,renameat2,?unlink,unlinkat,?mkdir,mkdirat,?rmdir,ftruncate,?link,"
    "linkat,close,?chmod,fchmod,fchmodat,flock,getdents64"
)
_LINE = re.compile(r"(\d+) +(\w+)\((.*)\) += (-?\d+|\?)(.*)")
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
_FD = re.compile(r"(\d+)<([^>]*)>")


class Call(NamedTuple):
    """A call: its name, how many of that name there had been, its arguments as strace
    writes them, the paths among them, the bytes that it wrote, and the answer."""

    name: str
    nth: int
    arguments: str
    paths: tuple[str, ...]
    data: bytes
    answer: int
    injected: bool

    def __str__(self) -> str:
        return f"{self.name} {self.nth} of {', '.join(self.paths)}"

    @property
    def creates(self) -> bool:
        """Whether it may make a file, or shorten one."""
        return "O_CREAT" in self.arguments

    @property
    def fd(self) -> int:
        """The descriptor that it is about."""
        return int(self.arguments.partition("<")[0])


def traced(
    folder: Path, raw: bytes, log: Path, *options: str, program: Sequence[str] = INBOX
) -> tuple[Done, list[Call]]:
    """Hand a mail over under strace: how it ended, and all that it asked."""
    words = ["strace", "-f", "-y", "-s", "9999999", "-o", str(log), *options]
    if not options:
        words += ["-e", f"trace={TRACED}"]
    done = deliver(folder, raw, *words, program=program)
    return done, list(_read(log.read_text("latin-1")))


def broken(
    folder: Path,
    raw: bytes,
    log: Path,
    call: Call,
    fault: str,
    program: Sequence[str] = INBOX,
) -> tuple[Done, list[Call]]:
    """The same, while a call has a fault: `error=EIO`, `signal=KILL`."""
    words = ["-e", f"trace={call.name}"]
    words += ["-e", f"inject={call.name}:{fault}:when={call.nth}"]
    if not fault.startswith("signal"):  # which would then not arrive
        words.append("--seccomp-bpf")
    return traced(folder, raw, log, *words, program=program)


def _read(log: str) -> Iterator[Call]:
    seen = Counter[str]()
    for line in log.splitlines():
        found = _LINE.fullmatch(line)
        if not found:
            continue
        _, name, arguments, answer, rest = found.groups()
        seen[name] += 1
        strings = [_bytes(text) for text in _STRING.findall(arguments)]
        writes = name in ("write", "pwrite64")
        of_fd = [path for _, path in _FD.findall(arguments.partition('"')[0])]
        named = [] if writes or name in ("read", "getdents64") else strings
        paths = [text.decode() for text in named] or of_fd
        yield Call(
            name=name,
            nth=seen[name],
            arguments=arguments,
            paths=tuple(path.removesuffix("(deleted)") for path in paths),
            data=strings[0] if writes and strings else b"",
            answer=-1 if answer == "?" else int(answer),
            injected="(INJECTED)" in rest,
        )


def _bytes(text: str) -> bytes:
    """The bytes of a string, whose escapes are those of C. (ast.literal_eval fails now
    and then where several threads use it.)"""
    return text.encode("latin-1").decode("unicode_escape").encode("latin-1")


def within(calls: list[Call], folder: Path) -> list[Call]:
    """Those that are about a store, and came to an end; but for its index, which is
    compared with the files when the machine has been off."""
    ours = (c for c in calls if not any(INDEX in path for path in c.paths))
    root = str(folder)
    return [c for c in ours if any(path.startswith(root) for path in c.paths)]


def lasting(calls: list[Call], folder: Path) -> list[Call]:
    """Those `within` that count after a power cut, when a list looks at all files and
    needs no note."""
    ours = within(calls, folder)
    return [c for c in ours if not any(is_of_index(Path(path)) for path in c.paths)]
