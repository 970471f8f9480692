"""A later program with tables of its own: it takes them from this program, whose server
is running, and nothing is lost."""

import shutil
from pathlib import Path
from threading import Thread

import pytest

from pbm_holomino.errors import TRY_LATER
from pbm_holomino.store.postgres import schema
from tests.house import home
from tests.paths import ROOT
from tests.postgres.cluster import POSTGRESQL, Cluster
from tests.postgres.conftest import Open
from tests.postgres.scene import Move, all_moves, assert_played
from tests.processes import Resident, resident, run, wait_until

pytestmark = POSTGRESQL

# What a later version might want, and all writers notice.
STEP = (
    b"ALTER TABLE pbm.documents ADD COLUMN note text NOT NULL DEFAULT '-'",
    b"CREATE INDEX noted ON pbm.documents (note) WHERE note <> '-'",
    b"SELECT pg_sleep(0.5)",
)


@pytest.fixture
def after(tmp_path: Path) -> dict[str, str]:
    """The environment in which a command is a program that knows one step more."""
    package = tmp_path / "after" / "pbm_holomino"
    left_out = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "pbm_holomino", package, ignore=left_out)
    module = package / "store" / "postgres" / "schema.py"
    known = module.read_text()
    more = known.replace("STEPS = (_FIRST,)", f"STEPS = (_FIRST, {STEP})")
    assert more != known
    module.write_text(more)
    return {"PYTHONPATH": str(package.parent), "PYTHONSAFEPATH": "1"}


def bring(server: Resident, move: Move) -> int:
    """Bring a move to a server: what it answers."""
    return server.send(move.mail, home(move.who))[0]


def said(folder: Path, *words: str, **program: str) -> str:
    """What a command says that is to be tried again later."""
    done = run(folder, *words, **program)
    assert done.status == TRY_LATER, done
    return " ".join(done.err.split())


def test_the_tables_are_changed_while_the_server_of_before_is_playing(
    games: str,
    cluster: Cluster,
    opened: Open,
    after: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A mail that comes to the wrong program comes again. A move that was answered
    counts, and every move counts once."""
    old, new = (opened(cluster.url(games)) for _ in range(2))
    coming, answers = all_moves(), dict[Move, int]()

    def play(server: Resident) -> None:
        """Play until the server does not play any more."""
        while 451 not in answers.values():
            move = next(coming)
            answers[move] = bring(server, move)

    with resident(old) as server:
        needs = "of version 1, and this program needs version 2"
        assert needs in said(new.folder, "pbm", "check", **after)
        player = Thread(target=play, args=(server,))
        player.start()
        wait_until(lambda: 250 in answers.values(), "a move")
        repaired = run(new.folder, "pbm", "check", "--repair", **after)
        assert repaired.status == 0, repaired
        player.join()
        *played, refused = answers
        assert {answers[move] for move in played} == {250}
        assert bring(server, refused) == answers[refused] == 451
        assert "knows only version 1" in said(old.folder, "holo", "show", "1")
    with resident(new, **after) as server:
        for move in answers:  # also those that have been played
            assert bring(server, move) == 250
    monkeypatch.setattr(schema, "STEPS", (*schema.STEPS, STEP))
    monkeypatch.setattr(schema, "CURRENT", 2)
    for machine in (old, new):
        machine.begin_anew()
    assert_played(new, answers, old)
