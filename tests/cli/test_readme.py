"""What README and the owner's pages show: a session, run as it is shown there; the map
of the code; and what they list.

Commands are the lines that begin with `$ ` in indented blocks; what is indented below
one is what it prints. A line `...` stands for any lines, and
`...` within a line for anything. It is played in a copy of the store that comes with
the checkout.
"""

import re
import subprocess
from pathlib import Path

import pytest

from pbm_holomino.commands import table
from pbm_holomino.owner import help as pages
from tests.paths import ROOT
from tests.processes import PATIENCE, surroundings

README = ROOT / "README"
HEADING = r"^(\S.*)\n[-=]{3,}\n"


def section(text: str, title: str) -> str:
    """The text between this heading and the next."""
    pieces = re.split(HEADING, text, flags=re.MULTILINE)
    (found,) = [
        body
        for head, body in zip(pieces[1::2], pieces[2::2], strict=True)
        if head == title
    ]
    return found


def commands(text: str, indent: str = "    ") -> list[tuple[str, str]]:
    """The commands in a text, each with what it should print."""
    found: list[tuple[str, str]] = []
    inside = False
    for line in text.splitlines():
        if line.startswith(f"{indent}$ "):
            found.append((line.partition("$ ")[2], ""))
            inside = True
        elif inside and (line.startswith(indent) or not line):
            found[-1] = found[-1][0], f"{found[-1][1]}{line[len(indent) :]}\n"
        else:
            inside = False
    return [(command, _ended(output)) for command, output in found]


def _ended(output: str) -> str:
    """The text without blank lines at its end."""
    return output.rstrip("\n") + "\n" if output.strip("\n") else ""


def pattern(expected: str) -> str:
    """The regular expression of an output with dots for what may differ."""
    lines = []
    for line in expected.splitlines():
        anything = ".*".join(map(re.escape, line.split("...")))
        lines.append(r"(?:.*\n)*?" if line == "..." else f"{anything}\\n")
    return "".join(lines)


def matches(expected: str, got: str) -> bool:
    return bool(re.fullmatch(pattern(expected), _ended(got)))


def run(command: str, folder: Path) -> str:
    """What a shell prints, on both its streams."""
    path = f"{ROOT / 'bin'}:{surroundings()['PATH']}"
    done = subprocess.run(
        ["sh", "-c", command],
        cwd=folder,
        env=surroundings(PATH=path, PBM_GAMES=str(folder / "games")),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
        timeout=PATIENCE,
    )
    return done.stdout


def test_the_session_runs_as_the_page_shows_it(tmp_path: Path) -> None:
    (tmp_path / "bin").symlink_to(ROOT / "bin")
    session = commands(pages.page("shell"), "  ")
    assert len(session) >= 5
    for command, expected in session:
        got = run(command, tmp_path)
        assert matches(expected, got), f"$ {command}\n{got}"


@pytest.mark.parametrize("name", ["README", "ARCHITECTURE", "RELEASING", "TRANSLATING"])
def test_it_is_plain_text(name: str) -> None:
    text = (ROOT / name).read_text("ascii")
    assert max(map(len, text.splitlines())) <= 79
    assert not re.search(r"[ \t]$|\t", text, re.MULTILINE)


def test_the_readme_lists_the_owners_commands_and_pages() -> None:
    text = section(README.read_text("ascii"), "For owners")
    listed = re.findall(r"pbm help (\w+)", text)
    assert sorted(listed) == sorted({"owner", *table.OWNERS_TEXTS})
    (sentence,) = re.findall(r"The owner's commands are ([^.]*)\.", text)
    named = re.findall(r"[\w-]+", sentence.replace(" and ", " "))
    assert named == sorted({name.split()[0] for name in table.owners()})


def test_every_room_is_on_the_map() -> None:
    """The tree in ARCHITECTURE is that of the package, in eleven lines."""
    code = section((ROOT / "ARCHITECTURE").read_text("ascii"), "The rooms")
    lines = re.findall(r"^    (.{25}) \w", code, re.MULTILINE)
    rooms = re.findall(r"(\w+)(/?)", " ".join(lines))
    package = ROOT / "pbm_holomino"
    folders = {path.parent.name for path in package.glob("*/__init__.py")}
    files = {path.stem for path in package.glob("[!_]*.py")}
    assert {name for name, slash in rooms if slash} == folders
    assert {name for name, slash in rooms if not slash} == files
    assert len(lines) == 11


# That the test of the session can fail

TOLD = """\
Before
======

    $ not this

A session
---------

Text, and then

    $ first
    a

      b
    ...
    $ second
    x ... y

    $ third

More text.
    $ fourth
    z

Next
----

    $ nor this
"""


def test_the_commands_of_a_section() -> None:
    assert commands(section(TOLD, "A session")) == [
        ("first", "a\n\n  b\n...\n"),
        ("second", "x ... y\n"),
        ("third", ""),
        ("fourth", "z\n"),
    ]


@pytest.mark.parametrize(
    ("expected", "got"),
    [("a\n", "a\n"), ("a\n", "a\n\n\n"), ("...\n", ""), ("...\n", "a\nb\n"), ("", "")]
    + [("a\n...\nb\n", "a\nb\n"), ("a\n...\nb\n", "a\n1\n\n2\nb\n"), ("", "\n")]
    + [
        ("a ... c\n", "a b c\n"),
        ("a...\n", "a\n"),
        ("...z\n", "xyz\n"),
        (".*\n", ".*\n"),
    ],
)
def test_matching_tiles(expected: str, got: str) -> None:
    assert matches(expected, got)


@pytest.mark.parametrize(
    ("expected", "got"),
    [("a\n", "b\n"), ("a\n", "a\nb\n"), ("a\nb\n", "a\n"), ("", "a\n"), ("a\n", "")]
    + [("a\n...\nb\n", "a\n1\n"), ("a ... c\n", "a b\nx c\n"), ("  a\n", "a\n")]
    + [("a\n\nb\n", "a\nb\n"), (".*\n", "xy\n"), ("a\n...\n", "b\na\n")],
)
def test_tiles_that_do_not_match(expected: str, got: str) -> None:
    assert not matches(expected, got)
