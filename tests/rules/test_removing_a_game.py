"""A game is its own files: without them the others go on, and every test passes."""

import re
import shutil
import subprocess
import sysconfig
import venv
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbm_holomino.rules import names
from tests import sizes
from tests.paths import ROOT, TRANSCRIPTS
from tests.processes import surroundings

# What a game may have: a module or a folder of modules, a robot, a text, figures,
# tests, its rules as the verifier knows them, an example match, pictures of its pages
# and a link. Its line in setup.cfg is taken out too.
OWN = (
    "pbm_holomino/rules/games/{}.py",
    "pbm_holomino/rules/games/{}_*.py",
    "pbm_holomino/rules/games/{}",
    "pbm_holomino/robots/games/{}.py",
    "pbm_holomino/letters/help/{}.txt",
    "tests/figures/{}-*",
    "tests/rules/test_{}.py",
    "tests/rules/naive_{}.py",
    "tests/robots/test_{}.py",
    "tests/match/verified/{}.py",
    "tests/languages/questions/asked/{}.txt",
    "tests/web/screens/{}-*.webp",
    "games/examples/{}",
    "bin/{}",
)
# What compares the games with what there is of each.
ABOUT_ALL_GAMES = (
    "tests/test_rooms.py",
    "tests/rules/test_options.py",
    "tests/commands/test_table.py",
    "tests/store/test_shipped_matches.py",
)


def is_in_a_transcript(game: str) -> bool:
    return any(game in path.read_text() for path in TRANSCRIPTS.glob("*.txt"))


# The first games are played in transcripts, and have several files of tests.
LATER = [game for game in names() if not is_in_a_transcript(game)]


def own_files(root: Path, game: str) -> Iterator[Path]:
    for pattern in OWN:
        yield from root.glob(pattern.format(game))


def copy_without(games: list[str], root: Path) -> Path:
    """A checkout from which games have been deleted, with an environment of its own
    that has the packages of this one."""
    ignored = shutil.ignore_patterns(".*", "*.egg-info")
    shutil.copytree(ROOT, root, symlinks=True, ignore=ignored)
    shutil.copytree(ROOT / ".ci", root / ".ci")
    for path in [path for game in games for path in own_files(root, game)]:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()
    setup = root / "setup.cfg"
    line = rf"^ +({'|'.join(games)}) = pbm_holomino\.handover\.shell:main\n"
    text, found = re.subn(line, "", setup.read_text(), flags=re.MULTILINE)
    assert found == len(games)
    setup.write_text(text)
    venv.create(root / ".venv", symlinks=True)
    (packages,) = (root / ".venv").glob("lib/python*/site-packages")
    (packages / "these.pth").write_text(sysconfig.get_path("purelib"))
    return root


def run_tests(root: Path, *words: str) -> str:
    """What pytest says about a checkout, in which every test has to pass."""
    python = str(root / ".venv/bin/python")
    done = subprocess.run(
        # to compile every test once more takes longer than all else
        [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--assert=plain"]
        + [*words],
        cwd=root,
        env=surroundings(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-5000:]
    return done.stdout


@pytest.mark.long
def test_a_game_is_deleted_with_its_own_files(tmp_path: Path) -> None:
    """Each by itself with --full, and else all of them together."""
    if sizes.full:
        for game in LATER:
            run_tests(copy_without([game], tmp_path / game))
    root = copy_without(LATER, tmp_path / "others")
    collected = run_tests(root, "--collect-only")
    assert not [game for game in LATER if game in collected]
    assert "[NOTSET]" not in collected  # a test of no game, which is skipped
    run_tests(root, *ABOUT_ALL_GAMES)


def test_a_later_game_has_one_file_of_each_kind() -> None:
    for game in LATER:
        assert len([*own_files(ROOT, game)]) >= 4
