"""The order of the rooms, what each command brings in, and how the code is kept."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "pbm_holomino"
SOURCES = sorted(PACKAGE.rglob("*.py"))
OURS = [*SOURCES, *sorted((ROOT / "tests").rglob("*.py"))]
OURS += sorted((ROOT / "bin").glob("*.py"))

# From top to bottom: a module imports only modules that stand above it.
ORDER = [
    "words",
    "texts",
    "seats",
    "errors",
    "where",
    "intake",
    "allowance",
    "request",
    "hexes",
    "chance",
    "game",
    "memo",
    "rules",
    "rules.walomino.chain",
    "rules.walomino.moves",
    "rules.walomino.state",
    "rules.walomino.remarks",
    "rules.*",
    "draw",
    "draw.canvas",
    "draw.bitten",
    "draw.large",
    "draw.hextile",
    "draw.ascii",
    "help",
    "strict",
    "record",
    "board",
    "acts",
    "match",
    "shares",
    "ahead",
    "clock",
    "config",
    "disk",
    "tally",
    "store",
    "screens",
    "players",
    "examples",
    "summary",
    "changes",
    "rows",
    "index",
    "lists",
    "library",
    "ratings",
    "letters",
    "commands",
    "commands.accounts",
    "commands.boards",
    "commands.queries",
    "commands.results",
    "postman",
    "server",
    "kinds",
    "forms",
    "syntax",
    "grammar",
    "several",
    "charsets",
    "mime",
    "mail",
    "ways",
    "kept",
    "post",
    "place",
    "report",
    "memory",
    "batch",
    "inbox",
    "desk",
    "preload",
    "serve",
    "handover",
    "owner",
    "owner.check",
    "owner.completion",
    "owner.demo",
    "owner.flush",
    "owner.players",
    "owner.serve",
    "owner.tick",
    "owner.void",
    "cli",
]

# Modules that are found by name in a folder, so that no import statement shows it.
FINDERS = {"rules", "draw.ascii", "owner", "preload"}


def module_of(path: Path) -> str:
    """`rules.holo`, `help`; empty for the package itself."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


MODULES = {module_of(path): path for path in SOURCES}


def place_of(module: str) -> int:
    """Where a module stands; those of one `*` stand side by side."""
    wild = f"{module.partition('.')[0]}.*"
    return ORDER.index(module if module in ORDER else wild)


def imports_of(path: Path) -> Iterator[str]:
    """The modules of the package that a file imports, also inside functions."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports hide where a module stands"
            assert node.module is not None
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                is_module = inner.removeprefix("pbm_holomino.") in MODULES
                yield inner if is_module else node.module


def ours(names: Iterator[str]) -> set[str]:
    return {
        name.removeprefix("pbm_holomino").removeprefix(".")
        for name in names
        if name.split(".")[0] == "pbm_holomino"
    }


def test_each_module_has_its_place() -> None:
    games = {module for module in MODULES if module.startswith("rules.")}
    assert MODULES.keys() - {"", *games} == set(ORDER) - {"rules.*", *games}
    assert len(ORDER) == len(set(ORDER))


@pytest.mark.parametrize("module", sorted(MODULES.keys() - {""}))
def test_a_module_imports_only_modules_above_it(module: str) -> None:
    for imported in ours(imports_of(MODULES[module])):
        assert place_of(imported) < place_of(module), f"{module} imports {imported}"


@pytest.mark.parametrize("module", [m for m in MODULES if m.startswith("rules.")])
def test_a_game_knows_no_other_game(module: str) -> None:
    game = module.split(".")[1]
    others = {m for m in ours(imports_of(MODULES[module])) if m.startswith("rules.")}
    assert all(other.split(".")[1] == game for other in others)


def test_the_package_itself_imports_nothing() -> None:
    assert list(imports_of(MODULES[""])) == []


def test_the_test_sees_an_import_inside_a_function(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text(
        "import pbm_holomino.cli\n"
        "def f():\n    from pbm_holomino.rules import holo\n"
        "    from pbm_holomino.game import Move\n    import os\n"
    )
    assert ours(imports_of(path)) == {"cli", "rules.holo", "game"}
    assert place_of("cli") > place_of("rules.holo") == place_of("rules.hextol")


def test_only_the_finders_import_by_name() -> None:
    found = {
        module
        for module, path in MODULES.items()
        if re.search(r"import_module|__import__|exec\(|eval\(", path.read_text())
    }
    assert found == FINDERS


# How the code is kept


@pytest.mark.parametrize("path", OURS, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_bare_except(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ExceptHandler):
            assert node.type is not None, f"line {node.lineno}"


@pytest.mark.parametrize("path", SOURCES, ids=module_of)
def test_nothing_is_left_to_do(path: Path) -> None:
    assert not re.search(r"\b(T[O]DO|F[I]XME|X[X]X|HACK|TBD)\b", path.read_text())


@pytest.mark.parametrize("path", SOURCES, ids=module_of)
def test_each_module_says_what_it_is(path: Path) -> None:
    tree = ast.parse(path.read_text())
    assert ast.get_docstring(tree)
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            assert ast.get_docstring(node), node.name
