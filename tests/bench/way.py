"""One mail's way through the program: how many files it enters, how often it goes from
one to another, and how often it climbs back.

    python -P tests/bench/way.py MAIL

carries out a mail as pbm-inbox does, in a process whose PYTHONPATH names a checkout,
which need not be this one, and prints the counts as JSON.

Only what is new on the way counts: a function that has been called before leads nowhere
new, and what only runs while a module is imported, such as the body of a class, is no
call. So the way is the list of the package's functions in the order in which they are
first called, each by its file. A file is *entered* if any of its functions is called; a
*stop* is a function after one from another file; and it *climbs back* where it leaves a
room for one that stands above it. Rooms are the folders and files that lie directly in
the package, and one stands above all that it imports, straight or through others.
What rules and pictures do among themselves is no part of the way: `rules` and `draw`
do not count.

By this, 1.0 enters 35 files, stops 122 times and climbs back 55 times, and what came
before there was one ledger 71, 306 and 73. (Where the code was read instead, along what
a mail is handed on as, 1.0 had 30, 149 and 67, and the other 62, 252 and 89: the counts
differ, their ratios hardly.)
"""

import ast
import json
import os
import sys
import threading
from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from types import FrameType
from typing import NamedTuple

PACKAGE = "pbm_holomino"
_ENDS = ("rules", "draw")
_INBOXES = ("server.inbox", "inbox")  # today's, and that of 1.0

# A function by its file, relative to the package, and its name.
Function = tuple[str, str]


class Way(NamedTuple):
    """Of one mail: how many files it enters, how many stops it makes, how often it
    climbs back."""

    files: int
    stops: int
    climbs: int


def way(functions: Iterable[Function], floors: Mapping[str, int]) -> Way:
    """The way that leads through these functions, in the order of the calls, between
    rooms on these floors."""
    new = (file for file, _ in dict.fromkeys(functions) if room(file) not in _ENDS)
    files = [*_changes(new)]
    rooms = [floors[room(file)] for file in files]
    return Way(len({*files}), len(files), sum(b > a for a, b in pairwise(rooms)))


def _changes(files: Iterable[str]) -> Iterator[str]:
    before = ""
    for file in files:
        if file != before:
            yield file
        before = file


def room(file: str) -> str:
    return file.partition("/")[0].removesuffix(".py")


def floors(package: Path) -> dict[str, int]:
    """The floor of each room: one above the highest that it imports."""
    uses: dict[str, set[str]] = {}
    for path in package.rglob("*.py"):
        here = room(str(path.relative_to(package)))
        names = _imported(ast.parse(path.read_text(encoding="utf-8")))
        uses.setdefault(here, set()).update(n.split(".")[1] for n in names)
    for here, rooms in uses.items():
        rooms &= uses.keys() - {here}
    found: dict[str, int] = {}
    while uses.keys() - found.keys():
        ready = [r for r in uses.keys() - found.keys() if uses[r] <= found.keys()]
        if not ready:
            raise ValueError(f"{', '.join(uses.keys() - found.keys())}: a circle")
        level = {r: max((found[u] for u in uses[r]), default=0) + 1 for r in ready}
        found.update(level)
    return found


def _imported(tree: ast.Module) -> Iterator[str]:
    """The names below the package that are imported anywhere in a file."""
    for node in ast.walk(tree):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        yield from (name for name in names if name.startswith(f"{PACKAGE}."))


def functions_called(package: Path, mail: str) -> list[Function]:
    """The package's functions, in the order in which a mail calls them."""
    called: list[Function] = []
    within = f"{package}/"

    def note(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        is_ours = event == "call" and code.co_filename.startswith(within)
        if is_ours and not _is_import(frame, within):
            called.append((code.co_filename.removeprefix(within), code.co_qualname))

    os.dup2(os.open(mail, os.O_RDONLY), 0)
    main = import_module(f"{PACKAGE}.{_inbox(package)}").main
    threading.setprofile(note)
    sys.setprofile(note)
    try:
        status = main()
    finally:
        sys.setprofile(None)
    if status:
        raise RuntimeError(f"pbm-inbox ended with {status}")
    return called


def _is_import(frame: FrameType | None, within: str) -> bool:
    """Whether a module of the package is being imported for this."""
    while frame is not None:
        code = frame.f_code
        if code.co_name == "<module>" and code.co_filename.startswith(within):
            return True
        frame = frame.f_back
    return False


def _inbox(package: Path) -> str:
    return next(
        name for name in _INBOXES if (package / f"{name.replace('.', '/')}.py").exists()
    )


def main() -> None:
    (mail,) = sys.argv[1:]
    spec = find_spec(PACKAGE)
    assert spec is not None
    assert spec.origin is not None
    package = Path(spec.origin).parent
    print(json.dumps(way(functions_called(package, mail), floors(package))))


if __name__ == "__main__":
    main()
