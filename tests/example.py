"""What `bin/check --example GAME` makes: the example match of a game that comes with a
checkout, and the pictures of the game's pages that its tests compare.

A match that is there is replayed from its log, and its file written anew. A new one is
played by two robots; its seed comes from the game's name, so that it is always the
same. The pictures need Chromium.
"""

import hashlib
import os
import random
import shutil
import subprocess
import sys
import tempfile
from datetime import datetime, timedelta
from pathlib import Path

from pbm_holomino import robots, rules
from pbm_holomino.match import record, replay
from pbm_holomino.match.board import Match
from pbm_holomino.match.kinds.boards import to_data
from pbm_holomino.match.record import NOBODY, SHELL, Act, Line, Record
from pbm_holomino.robots.contract import Budget
from pbm_holomino.rules.options import configure
from pbm_holomino.store import yaml as strict
from tests.paths import ROOT

PLAYERS = ("ada", "emil")
LEVEL, BUDGET = 2, Budget(steps=200)  # of the robots
SCREENS = ROOT / "tests" / "web" / "screens"
BEGUN = datetime(2026, 11, 23, 8)


def file_of(game: str) -> Path:
    """Where the example match of a game is."""
    return ROOT / "games" / "examples" / game / "1.yaml"


def text_of(match: Match) -> bytes:
    """The match as a file."""
    return strict.dump(to_data(match))


def replayed(game: str) -> Match:
    """The match that is there, from its setup and its log."""
    data = strict.load(file_of(game).read_bytes())
    return replay.replay(record.from_data(data))


def played(game: str) -> Match:
    """A match between two robots."""
    setup = Record(
        game,
        board=1,
        version=rules.load(game).VERSION,
        players=(),
        random=False,
        options=configure(rules.load(game), {}),
        seed=hashlib.sha256(game.encode("ascii")).digest(),
        log=(),
        challenger=PLAYERS[0],
    )
    opening = Line(0, _time(0), NOBODY, SHELL, Act.CHALLENGE)
    match, dice = replay.begin(setup, PLAYERS, opening), random.Random(game)
    choose = robots.load(game, LEVEL)
    while match.result is None:
        who = match.turn[0]
        view = match.rules.view(match.state, PLAYERS.index(who))
        move = choose(view, BUDGET, dice)
        ply = match.ply + 1
        match = replay.after(match, Line(None, _time(ply), who, SHELL, move))
    return match


def _time(ply: int) -> str:
    return f"{BEGUN + timedelta(minutes=ply):%Y-%m-%dT%H:%M:%SZ}"


def main(game: str) -> int:
    """Write the match, and have its pages drawn; the exit status."""
    if game not in rules.names():
        print(f"There is no game {game}: {', '.join(rules.names())}.", file=sys.stderr)
        return 2
    match = replayed(game) if file_of(game).exists() else played(game)
    file_of(game).parent.mkdir(exist_ok=True)
    file_of(game).write_bytes(text_of(match))
    return draw_pages(game)


def draw_pages(game: str) -> int:
    """Make and keep the pictures of a game's pages, and of those that show all games;
    the exit status."""
    scenes = f"looks and ({game}- or front or welcome or player or eyes)"
    words = ["tests/web/test_screenshots.py", "--full", "-k", scenes]
    with tempfile.TemporaryDirectory() as folder:
        status = subprocess.call(
            [sys.executable, "-m", "pytest", "-q", "--numprocesses=0", *words],
            cwd=ROOT,
            env={**os.environ, "PBM_SCREENS": folder},
        )
        for picture in Path(folder).glob("*.webp"):
            shutil.copy(picture, SCREENS)
    return status


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
