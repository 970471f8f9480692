"""Moves a second by one worker and by several, over files and over PostgreSQL, and what
a move costs whom.

Client, workers and database share the processor of this machine. So the ratio compares
moves for each second that the client leaves to the others, to those of one worker with
as many connections. First come bare saves: for files, by this process; for PostgreSQL,
by its own pgbench.
"""

import os
import shutil
from collections.abc import Iterator
from functools import partial
from itertools import product
from pathlib import Path
from statistics import median
from typing import NamedTuple

from pbm_holomino.server.open import open_store
from pbm_holomino.store.home import Home
from pbm_holomino.store.library import Library
from tests.bench import places, positions
from tests.bench.crowd import Cost, deliver
from tests.bench.places import Place
from tests.bench.serve import SERVE, as_sent, lay_boards, running, seconds_used

_WORKERS = (1, 2, 4)
_CONNECTIONS = (1, 8, 32)
_MOVES = 300  # in each measurement: three times that are fewer than a worker remembers
_ROUNDS = 5


class _Case(NamedTuple):
    """What is measured: a place, so many workers, or none for bare saves, and so many
    connections."""

    place: str
    workers: int
    connections: int


def report(root: str) -> str:
    """The table, from stores in this folder."""
    costs: dict[_Case, list[Cost]] = {}
    taken = dict[str, int]()
    with places.opened(root) as found:
        for number, place in product(range(_ROUNDS), found):
            for case, cost in _measured(place, Path(root), number):
                costs.setdefault(case, []).append(cost)
            taken[place.name] = place.taken(_home(Path(root), place, number, 1))
    rows = {case: _row(several) for case, several in costs.items()}
    boards = _MOVES * len(_CONNECTIONS)
    sizes = (f"{taken[name] / boards / 1000:.1f} KB in {name}" for name in taken)
    lines = [_HEAD, *(_line(case, rows) for case in sorted(rows))]
    lines += ["", f"A board with 20 tiles takes {', '.join(sizes)}."]
    return "".join(f"{line}\n" for line in lines)


# Measuring


def _measured(place: Place, root: Path, number: int) -> Iterator[tuple[_Case, Cost]]:
    """All cases of a place, once."""
    for connections in _CONNECTIONS:
        yield _Case(place.name, 0, connections), place.save_bare(connections)
    for workers in _WORKERS:
        home = _home(root, place, number, workers)
        for connections, cost in zip(
            _CONNECTIONS, _moves(home, place, workers), strict=True
        ):
            yield _Case(place.name, workers, connections), cost


def _home(root: Path, place: Place, number: int, workers: int) -> Path:
    return root / f"{place.name}-{number}-{workers}"


def _moves(home: Path, place: Place, workers: int) -> Iterator[Cost]:
    """Moves on a new store, over each number of connections in turn."""
    home.mkdir()
    (home / "config.yaml").write_text(place.settings(home), encoding="ascii")
    library = Library(open_store(Home(str(home))))
    texts = lay_boards(library, _MOVES * len(_CONNECTIONS), hashed=False)
    mails = [as_sent(text.encode("ascii")) for text in texts]
    with running(str(home), (*SERVE, "--workers", str(workers))) as process:
        for number, connections in enumerate(_CONNECTIONS):
            some = mails[number * _MOVES : (number + 1) * _MOVES]
            used = (partial(seconds_used, process), place.used)
            yield deliver(str(home / "lmtp"), some, connections, *used)
    found = library.lists.boards_of((), "all", [positions.GAME]).boards
    made = sum(board.last_change != positions.TIME for board in found)
    library.store.close()
    if made != len(mails):
        raise RuntimeError(f"{made} moves were made by {len(mails)} mails")
    shutil.rmtree(home / "outbox")


# The table


class _Row(NamedTuple):
    """Saves a second, and the seconds of the processor for each."""

    rate: float
    client: float
    workers: float
    database: float

    @property
    def for_each_second_left(self) -> float:
        """Saves for each second of the processor that the client leaves."""
        return self.rate / ((os.cpu_count() or 1) - self.rate * self.client)


def _row(several: list[Cost]) -> _Row:
    """The medians of several runs."""
    each = [
        (c.mails / c.clock, *(used / c.mails for used in (c.client, *c.others)))
        for c in several
    ]
    return _Row(*map(median, zip(*each, strict=True)))


_HEAD = (
    "                                   for each, in ms of the processor\n"
    "            workers  connections   a second   client  workers  database   ratio"
)


def _line(case: _Case, rows: dict[_Case, _Row]) -> str:
    row = rows[case]
    spent = (f"{used * 1e3:.2f}" for used in (row.client, row.workers, row.database))
    words = f"{case.place:10}  {case.workers or 'bare':>7}  {case.connections:11}"
    words += "   {:>8.0f}   {:>6}  {:>7}  {:>8}".format(row.rate, *spent)
    if not case.workers:
        return words
    base = rows[case._replace(workers=1)].for_each_second_left
    return f"{words}   {row.for_each_second_left / base:5.2f}"
