"""Which way imports run between the rooms, and how the code is kept."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from pbm_holomino.rules.contract import State
from tests.paths import ROOT

PACKAGE = ROOT / "pbm_holomino"
SOURCES = sorted(PACKAGE.rglob("*.py"))

# From top to bottom: a room imports only from rooms above it.
ROOMS = [
    "named_tuples",
    "sentences",
    "languages",
    "errors",
    "extras",
    "rules",
    "draw",
    "match",
    "robots",
    "store",
    "letters",
    "commands",
    "mail",
    "server",
    "resident",
    "fetch",
    "web",
    "owner",
    "cli",
    "handover",
    "__main__",
]

# Modules that are found by name in a folder, so that no import statement shows it.
FINDERS = {
    "rules",
    "letters.writing",
    "match.ledgers",
    "draw.reading",
    "draw.reading.words",
    "draw.svg",
    "draw.text",
    "draw.words",
    "commands.table",
}
FINDERS |= {"owner.clocks", "resident.preload", "robots"}


def module_of(path: Path) -> str:
    """`rules.grid`, `letters.help`; empty for the package itself."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


MODULES = {module_of(path): path for path in SOURCES}


def room_of(module: str) -> str:
    return module.partition(".")[0]


@cache
def imports_of(path: Path) -> tuple[str, ...]:
    """The modules of the package that a file imports, also inside functions."""
    return tuple(_imports_in(ast.parse(path.read_text())))


def _imports_in(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports hide which room is meant"
            assert node.module is not None
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                is_module = inner.removeprefix("pbm_holomino.") in MODULES
                names.append(inner if is_module else node.module)
        for name in names:
            if name.split(".")[0] == "pbm_holomino":
                yield name.removeprefix("pbm_holomino").removeprefix(".")


def test_imports_run_down() -> None:
    for module in MODULES.keys() - {""}:
        rooms = ROOMS[: ROOMS.index(room_of(module)) + 1]
        for imported in filter(None, imports_of(MODULES[module])):
            assert room_of(imported) in rooms, f"{module} imports {imported}"


def test_each_room_exists() -> None:
    assert {room_of(module) for module in MODULES} == {"", *ROOMS}


def test_no_modules_import_each_other() -> None:
    waiting = {
        module: set(imports_of(path)) - {"", module} for module, path in MODULES.items()
    }
    while free := {module for module, needs in waiting.items() if not needs}:
        waiting = {m: needs - free for m, needs in waiting.items() if m not in free}
    assert not waiting


def test_a_game_knows_no_other_game() -> None:
    of_games = {m for m in MODULES if m.startswith("rules.games.")}
    for module in of_games:
        imported = of_games & {*imports_of(MODULES[module])}
        games = {other.split(".")[2] for other in (module, *imported)}
        assert len(games) == 1, f"{module} imports {imported}"


def test_only_the_rooms_door_knows_the_games() -> None:
    """All others load a game by its name; only its robot knows a game."""
    for module, path in MODULES.items():
        if not module.startswith("rules.games"):
            games = {m for m in imports_of(path) if m.startswith("rules.games.")}
            own = module.replace("robots.games.", "rules.games.", 1)
            assert all(f"{game}.".startswith(f"{own}.") for game in games)


def test_the_package_itself_imports_nothing() -> None:
    assert imports_of(MODULES[""]) == ()


def test_the_test_sees_an_import_inside_a_function(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text(
        "import pbm_holomino.cli\n"
        "def f():\n    from pbm_holomino.rules.games import holo\n"
        "    from pbm_holomino.rules.contract import Move\n    import os\n"
    )
    assert set(imports_of(path)) == {"cli", "rules.games.holo", "rules.contract"}


def test_only_the_finders_import_by_name() -> None:
    found = {
        module
        for module, path in MODULES.items()
        if re.search(r"import_module|__import__|exec\(|eval\(", path.read_text())
    }
    assert found == FINDERS | {"named_tuples"}  # which compiles functions


# How the code is kept


def test_nothing_is_left_to_do() -> None:
    for path in SOURCES:
        left = re.search(r"\b(T[O]DO|F[I]XME|X[X]X|HACK|TBD)\b", path.read_text())
        assert left is None, path


def test_each_module_says_what_it_is() -> None:
    for path in SOURCES:
        tree = ast.parse(path.read_text())
        assert ast.get_docstring(tree), path
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                assert ast.get_docstring(node), f"{path}: {node.name}"


def test_named_tuples_are_those_that_are_made_quickly() -> None:
    for path in SOURCES:
        if module_of(path) != "named_tuples":
            assert not re.search(r"typing import .*\bNamedTuple\b", path.read_text())


# A state is the game's own


def _names_of_states(tree: ast.Module) -> Iterator[str]:
    """What a file calls states: `state`, and what comes of a move or its draws."""
    yield "state"
    for node in ast.walk(tree):
        match node:
            case ast.Assign(
                [ast.Tuple([ast.Name(name), *_])],
                ast.Call(ast.Attribute(_, "play" | "settle")),
            ):
                yield name
            case ast.Assign([ast.Name(name)], ast.Attribute(_, "state")):
                yield name


def fields_of_states(tree: ast.Module) -> Iterator[str]:
    """What a file reads of states, and is not what every state has."""
    states = {*_names_of_states(tree)}
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(ast.Name(name) | ast.Attribute(_, name), field):
                if name in states and field not in vars(State):
                    yield ast.unparse(node)


def test_only_a_games_own_tests_read_the_fields_of_its_states() -> None:
    """All others ask the game: `to_move`, `view`, `outcome`."""
    for path in sorted((ROOT / "tests").rglob("*.py")):
        text = path.read_text()
        if "state" in text and ROOT / "tests" / "rules" not in path.parents:
            assert not [*fields_of_states(ast.parse(text))], path


def test_the_test_sees_a_field_of_a_state() -> None:
    text = "after, _ = game.settle(table.state, chance)\nstart = table.state\n"
    text += "after.turn, after.scores, start.pools, table.state.over, turn.seat\n"
    found = {*fields_of_states(ast.parse(text))}
    assert found == {"after.turn", "start.pools", "table.state.over"}
