"""What whole commands cost, beside a Python that does nothing."""

import os
import sys
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.bench.commands import (
    BenchTable,
    by_launcher,
    by_python,
    lay_table,
    mail_text,
    run,
)
from tests.bench.harness import Contender, Row, race
from tests.bench.positions import files_of
from tests.bench.serve import served

_ROUNDS = 31
_CALLS = _ROUNDS + 1  # and one for warming up
_MEMORY = "/dev/shm"

NOTHING = Contender("python -c pass", partial(run, (sys.executable, "-c", "pass")))


def commands(root: str) -> list[Row]:
    """Showing and moving on Holomino's boards of 20 tiles, and on the other games'
    (20 hextiles, 12 pairs of walongs), in new stores in this folder."""
    hashed = lay_table(os.path.join(root, "hashed"), 3 * _CALLS)
    plain = lay_table(os.path.join(root, "plain"), 3 * _CALLS, hashed=False)
    tables, contenders = [hashed, plain], _contenders(hashed, plain)
    for game in ("hextol", "walomino"):
        table = lay_table(os.path.join(root, game), _CALLS, game=game)
        tables.append(table)
        for what, act in (("show", table.show), ("move", table.make_move)):
            contenders.append(
                Contender(f"bin/{game} {what}", partial(act, by_launcher))
            )
    handed = lay_table(os.path.join(root, "handed"), 2 * _CALLS)
    tables.append(handed)
    with ExitStack() as stack:
        stack.enter_context(served(files_of(handed.library).root))
        contenders += _handed_over(handed)
        if os.access(_MEMORY, os.W_OK):
            memory = stack.enter_context(TemporaryDirectory(dir=_MEMORY))
            tables.append(lay_table(f"{memory}/plain", _CALLS, hashed=False))
            move = partial(tables[-1].mail_move, by_python)
            contenders.append(
                Contender("run.py pbm-inbox, no hash, store in memory", move)
            )
        rows = race(_ROUNDS, NOTHING, *contenders)
        for table in tables:
            _check_moves(table)
    return rows


def _contenders(hashed: BenchTable, plain: BenchTable) -> list[Contender]:
    return [
        Contender(what, partial(act, how))
        for what, act, how in (
            ("bin/holo show", hashed.show, by_launcher),
            ("run.py holo show", hashed.show, by_python),
            ("bin/holo move", hashed.make_move, by_launcher),
            ("run.py holo move", hashed.make_move, by_python),
            ("run.py holo move, no hash", plain.make_move, by_python),
            ("bin/pbm-inbox, a move", hashed.mail_move, by_launcher),
            ("bin/pbm-inbox, a move, no hash", plain.mail_move, by_launcher),
            ("run.py pbm-inbox, a move, no hash", plain.mail_move, by_python),
        )
    ]


def _handed_over(table: BenchTable) -> list[Contender]:
    """Mails and typed commands for a server that runs on this store; with a bounce it
    does nothing."""
    store = files_of(table.library)
    bounce = store.path("bounce.eml")
    Path(bounce).write_text(mail_text("mailer-daemon", 1, "help"), encoding="ascii")
    give = partial(run, by_launcher("pbm-inbox"), bounce, store.root)
    return [
        Contender("bin/pbm-inbox, a bounce, to a server", give),
        Contender(
            "bin/pbm-inbox, a move, to a server", partial(table.mail_move, by_launcher)
        ),
        Contender("bin/holo show, to a server", partial(table.show, by_launcher)),
        Contender("bin/holo move, to a server", partial(table.make_move, by_launcher)),
    ]


def _check_moves(table: BenchTable) -> None:
    used = len(table.library.lists.boards(table.game)) - len(list(table.unused))
    made = table.moves_made()
    if made != used:
        raise RuntimeError(f"{made} moves were made on {used} boards")
