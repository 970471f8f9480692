"""`bin/bench mutants [COUNT] [--seed N] [--rooms ROOM...]`: how many small mistakes the
tests notice. Each is made in a copy of this checkout: a comparison, an operator, a
number, a condition or a statement of one module is another one, or is gone. The tests
that concern the module are run until one fails: those of files that name the module,
and then those of its room, but none that needs a program. A mistake that none of them
notices is shown; `--all` has every test look for it."""

import argparse
import ast
import os
import random
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from tests.packaging.shipped import copy_shipped
from tests.paths import ROOT
from tests.test_rooms import imports_of, module_of

ROOMS = ("rules", "match", "server", "store", "letters", "web", "robots")
PATIENCE = 900  # seconds: tests that take longer have noticed
_OTHER: dict[type[ast.AST], str] = {
    ast.Lt: "<=",
    ast.LtE: "<",
    ast.Gt: ">=",
    ast.GtE: ">",
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.In: "not in",
    ast.NotIn: "in",
    ast.Is: "is not",
    ast.IsNot: "is",
    ast.Add: "-",
    ast.Sub: "+",
    ast.Mult: "//",
    ast.FloorDiv: "*",
    ast.And: "or",
    ast.Or: "and",
}


class Mutant(NamedTuple):
    """A module, by its path in the checkout, and what stands at a place of its text
    instead: positions are those of `ast`."""

    module: Path
    line: int
    column: int
    end_line: int
    end_column: int
    instead: str

    @property
    def title(self) -> str:
        return f"{self.module}:{self.line}: {' '.join(self.instead.split())}"

    def applied(self, text: str) -> str:
        lines = text.encode().splitlines(keepends=True)
        before = [*lines[: self.line - 1], lines[self.line - 1][: self.column]]
        after = [lines[self.end_line - 1][self.end_column :], *lines[self.end_line :]]
        return b"".join([*before, self.instead.encode(), *after]).decode()


@cache
def mutants_of(module: Path) -> list[Mutant]:
    """All mutants of a module, in the order of its text."""
    text = (ROOT / module).read_text("utf-8")
    found = {
        Mutant(
            module,
            node.lineno,
            node.col_offset,
            node.end_lineno or node.lineno,
            node.end_col_offset or 0,
            instead,
        )
        for node in _code(ast.parse(text))
        for instead in _instead(node, text)
    }
    return sorted(found)


def _code(node: ast.AST) -> Iterator[ast.expr | ast.stmt]:
    """What is carried out: no annotation, and nothing that only mypy reads."""
    if isinstance(node, ast.JoinedStr):  # whose parts older Pythons misplace
        return
    if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
        return
    if isinstance(node, ast.expr | ast.stmt):
        yield node
    for name, value in ast.iter_fields(node):
        if name not in ("annotation", "returns", "decorator_list"):
            for inner in value if isinstance(value, list) else [value]:
                if isinstance(inner, ast.AST):
                    yield from _code(inner)


def _instead(node: ast.expr | ast.stmt, text: str) -> Iterator[str]:
    """What may stand in a node's place."""

    def said(part: ast.AST) -> str:
        return ast.get_source_segment(text, part) or ""

    match node:
        case ast.Compare(left, [operator], [right]) | ast.BinOp(
            left, operator, right
        ) if type(operator) in _OTHER:
            yield f"({said(left)}) {_OTHER[type(operator)]} ({said(right)})"
        case ast.BoolOp(operator, values):
            yield f" {_OTHER[type(operator)]} ".join(f"({said(v)})" for v in values)
        case ast.UnaryOp(ast.Not(), operand):
            yield f"({said(operand)})"
        case ast.IfExp(test, body, other):
            yield f"({said(other)} if {said(test)} else {said(body)})"
        case ast.Constant(int(value)):
            yield str(not value if isinstance(value, bool) else value + 1)
        case ast.Expr(ast.Call()) | ast.AugAssign() | ast.Raise() | ast.Delete():
            yield "pass"
        case ast.Continue():
            yield "break"


def chosen(count: int, seed: int, rooms: Sequence[str]) -> list[Mutant]:
    """So many mutants by this seed, as many of each room; in a room each mutant is as
    likely as another."""
    chance = random.Random(seed)
    found = []
    for number in range(count):
        room = Path("pbm_holomino", rooms[number % len(rooms)])
        modules = sorted(path.relative_to(ROOT) for path in (ROOT / room).rglob("*.py"))
        found.append(chance.choice([m for each in modules for m in mutants_of(each)]))
    return found


def concerned(module: Path) -> list[str]:
    """The files of tests that concern a module: those that are named after it, those
    that import it, and then those of its room. Files of one folder stand together, as
    pytest forgets the fixtures of a folder that it has left."""
    files = sorted((ROOT / "tests").rglob("test_*.py"))
    of_room = [path for path in files if path.parent.name == module.parts[1]]
    named = [path for path in of_room if module.stem in path.stem]
    name = module_of(ROOT / module)
    importing = [path for path in files if name in imports_of(path)]
    found = [*dict.fromkeys([*named, *importing, *of_room])]
    folders = [path.parent for path in found]
    found.sort(key=lambda path: folders.index(path.parent))
    return [str(path.relative_to(ROOT)) for path in found]


def survives(mutant: Mutant, copy: Path, tests: Sequence[str]) -> bool:
    """Whether no test notices a mutant in a copy of the checkout."""
    path = copy / mutant.module
    text = path.read_text("utf-8")
    path.write_text(mutant.applied(text), "utf-8")
    words = ["-x", "-q", "-p", "no:cacheprovider", f"--basetemp={copy.parent / 'made'}"]
    words += [] if "tests" in tests else ["-m", "not needs"]
    try:
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *words, *tests],
            cwd=copy,
            env={**os.environ, "PYTHONPATH": str(copy)},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return False
    finally:
        path.write_text(text, "utf-8")
    return done.returncode == 0


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser("bench mutants", description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rooms", nargs="+", default=ROOMS, choices=ROOMS)
    parser.add_argument("--all", action="store_true", help="run every test, if needed")
    given = parser.parse_args(words)
    alive = 0
    with TemporaryDirectory(prefix="pbm-mutants-") as folder:
        copy = copy_shipped(Path(folder, "checkout"))
        for mutant in chosen(given.count, given.seed, given.rooms):
            lives = survives(mutant, copy, concerned(mutant.module))
            if lives and given.all:
                lives = survives(mutant, copy, ["tests"])
            alive += lives
            print("lives" if lives else "dies ", mutant.title, flush=True)
    print(f"{given.count - alive} of {given.count} were noticed")
    return 0
