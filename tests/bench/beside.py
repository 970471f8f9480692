"""This checkout beside another one: `bin/bench beside OTHER [COUNT]`.

Both are asked the same random commands by mail, shell and pages, with the same seeds,
clocks and keys (see anything.py), each with its own code in a process of its own. All
that comes of them must be the same to the byte: answers, letters, pages, and what the
stores hold after each command and in the end. The first differences are shown; the exit
status is 1 if there are any.

A change that is wanted can be left out by what it looks like: text that matches a
regular expression given by --ignore counts as equal.
"""

import argparse
import difflib
import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import islice, zip_longest
from pathlib import Path
from tempfile import gettempdir
from typing import NamedTuple

from tests.paths import ROOT

SCRIPT = ROOT / "tests" / "bench" / "anything.py"
COUNT = 3_000
LENGTH = 150  # commands to a server, before a new one begins
_MOST_LINES = 30  # of one difference
# What no command decides: a file's own time, the size of a store, where a database and
# a checkout are, and the word for the version of the pages' files, with which the
# length of a packed page changes.
_OF_THE_SYSTEM = (
    r"(?<=/static/)[0-9a-f]{12}(?=/)",
    r'(?<=-)[0-9a-f]{12}(?="$)',
    r"^content-length: [0-9]+$",
    r"the last since [-0-9]+,\s[0-9:]+ UTC",
    r"[0-9.]+\sMB",
    r"host=%2F\S+",
    r"^.*pip install.*$",
)


class Done(NamedTuple):
    """A command, by its name, and what came of it: pairs of what it is, and its text.
    Nothing comes of a command that has not been reached."""

    name: str = "the end"
    told: Sequence[tuple[str, str]] = ()


class Difference(NamedTuple):
    """What is not the same: after which command, of what, and how it differs."""

    command: str
    what: str
    lines: Sequence[str]

    def __str__(self) -> str:
        shown = "\n".join(f"  {line}"[:200] for line in self.lines[:_MOST_LINES])
        return f"Command {self.command}: {self.what}\n{shown}\n"


def main(words: Sequence[str], show: Callable[[str], None] = print) -> int:
    """Compare; 1 if anything differs."""
    given = _parser().parse_args(words)
    patterns = (*_OF_THE_SYSTEM, *given.ignore)
    ignored = [re.compile(pattern, re.MULTILINE) for pattern in patterns]
    counted, found = Counter[str](), 0
    for one, other in _both(given):
        counted.update(_kinds(one))
        difference = next(differences(one, other, ignored), None)
        found += difference is not None
        if difference is not None and found <= given.show:
            show(str(difference))
    all_of = ", ".join(f"{count} {kind}" for kind, count in sorted(counted.items()))
    told = f"{found} commands differ" if found else "nothing differs"
    show(f"{given.count} commands ({all_of}): {told}.")
    return 1 if found else 0


def _parser() -> argparse.ArgumentParser:
    about = "Ask this checkout and another one the same random commands."
    parser = argparse.ArgumentParser("bench beside", description=about)
    parser.add_argument("other", type=Path, help="the folder of the other checkout")
    parser.add_argument("count", type=int, nargs="?", default=COUNT)
    parser.add_argument("--store", choices=("files", "postgresql"), default="files")
    parser.add_argument("--seed", default="1", help="other commands for each")
    parser.add_argument("--length", type=int, default=LENGTH, help="for each server")
    parser.add_argument("--ignore", action="append", default=[], metavar="REGEX")
    parser.add_argument("--show", type=int, default=5, help="so many differences")
    return parser


def _both(given: argparse.Namespace) -> Iterator[tuple[Done, Done]]:
    """What came of each command, here and in the other checkout."""
    words = (given.store, given.seed, str(given.count), str(given.length))
    with ExitStack() as stack:
        ours, theirs = (
            stack.enter_context(_running(root, words)) for root in (ROOT, given.other)
        )
        yield from zip_longest(ours, theirs, fillvalue=Done())


@contextmanager
def _running(root: Path, words: Sequence[str]) -> Iterator[Iterator[Done]]:
    """What comes of the commands in a checkout, as they are done, in its own
    environment if it has one."""
    own = root.resolve() / ".venv" / "bin" / "python"
    python = own if own.exists() else sys.executable
    with subprocess.Popen(
        [python, "-P", str(SCRIPT), *words],
        env={**os.environ, "PYTHONPATH": str(root.resolve())},
        cwd=gettempdir(),
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        try:
            yield _told_by(process, process.stdout)
        finally:
            process.kill()


def _told_by(process: subprocess.Popen[str], lines: Iterable[str]) -> Iterator[Done]:
    yield from (Done(*json.loads(line)) for line in lines)
    if process.wait():
        raise RuntimeError(f"The commands broke off with status {process.returncode}.")


def _kinds(done: Done) -> Iterator[str]:
    """What is counted of a command."""
    for what, _ in done.told:
        kind = what.split()[0]
        yield {"GET": "pages", "HEAD": "pages", "POST": "forms"}.get(kind, kind)


def differences(
    one: Done, other: Done, ignored: Sequence[re.Pattern[str]]
) -> Iterator[Difference]:
    """How what came of a command here differs from what came of it elsewhere: first
    whether it is as much, and then each thing that both have."""
    ours, theirs = (_by_place(done, ignored) for done in (one, other))
    if [*ours] != [*theirs]:
        kinds = [[what for what, _ in found] for found in (theirs, ours)]
        yield Difference(one.name, "what came of it", _compared(*kinds))
    for place in ours:
        if place in theirs and ours[place] != theirs[place]:
            lines = theirs[place].splitlines(), ours[place].splitlines()
            yield Difference(one.name, place[0], _compared(*lines))


def _by_place(
    done: Done, ignored: Sequence[re.Pattern[str]]
) -> dict[tuple[str, int], str]:
    """What came of a command, without what is ignored, by what it is; things of which
    there are several are counted."""
    found, counted = dict[tuple[str, int], str](), Counter[str]()
    for pair in done.told:
        what, text = (_without(ignored, words) for words in pair)
        counted[what] += 1
        found[what, counted[what]] = text
    return found


def _without(ignored: Sequence[re.Pattern[str]], text: str) -> str:
    for pattern in ignored:
        text = pattern.sub("", text)
    return text


def _compared(there: list[str], here: list[str]) -> list[str]:
    """The lines that only one of both has, with others near them."""
    lines = difflib.unified_diff(there, here, "there", "here", lineterm="", n=1)
    return [*islice(lines, 2, 2 + _MOST_LINES)]
