"""A letter of each kind in each language, to the character.

The texts in `golden/` are read whole, as somebody who plays in that language reads
them, whenever they change; `bin/check --languages` writes them.
"""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from pbm_holomino.commands import table
from pbm_holomino.match import account, tournament
from pbm_holomino.match.record import Act
from tests.languages.golden import CODES, FOLDER
from tests.languages.scenes import SCENES
from tests.paths import ROOT

# Nobody gets letters about these lines: robots and the clock have others about what
# they lead to, the rest is answered to whoever has asked, and version 1.0 wrote `NAG`.
WITHOUT = (
    *(Act.EXCUSED, Act.NAG, Act.UNQUEUE),
    *(tournament.Kind.OPEN, tournament.Kind.JOIN, tournament.Kind.LEAVE),
    *(tournament.Kind.START, tournament.Kind.BOARDS, tournament.Kind.RESULT),
)
ENGLISH = "signing-up"  # where a guest has a list in English
WRITE = """\
import sys
from tests.languages import golden

print(*golden.main(*sys.argv[1:]), file=sys.stderr)
"""
KINDS = {str(kind.value) for kind in (*Act, *account.Kind, *tournament.Kind)}


@pytest.mark.long
@pytest.mark.parametrize("code", CODES)
def test_letters_of_each_kind(code: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WRITE, str(tmp_path), code],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    for scene in SCENES:
        name = f"{code}/{scene}.txt"
        written, kept = (Path(made, name).read_text() for made in (tmp_path, FOLDER))
        assert written == kept, name
    assert KINDS - {kind.value for kind in WITHOUT} - {*done.stderr.split()} == set()


@pytest.mark.parametrize("code", CODES)
def test_there_are_no_others(code: str) -> None:
    assert {path.stem for path in (FOLDER / code).glob("*.txt")} == {*SCENES}


@pytest.mark.parametrize("code", ["de", "nl"])
def test_no_days_are_those_of_programs(code: str) -> None:
    paths = (FOLDER / code / f"{scene}.txt" for scene in SCENES)
    letters = "\n".join(path.read_text() for path in paths if path.stem != ENGLISH)
    assert re.findall(r"\b20\d\d-\d\d-\d\d\b", letters) == []


def test_each_command_of_players_is_answered() -> None:
    asked = "\n".join(SCENES.values())
    commands = (command for command in table.COMMANDS.values() if not command.is_owners)
    assert [command.words for command in commands if command.name not in asked] == []
