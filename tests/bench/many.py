"""Moves a second by one worker and by several, over files and over PostgreSQL, and what
a move costs whom.

Client, workers and database share the processor of this machine. So the ratio compares
moves for each second that the client leaves to the others, to those of one worker with
as many connections. First come bare saves: for files, by this process; for PostgreSQL,
by its own pgbench, which then asks all that moves ask, without workers: so much does a
move take of a database that has its machine for itself. Of several runs each line shows
the one during which other programs had the least of the processor, and how much that
was.
"""

import os
import shutil
from collections.abc import Iterator
from functools import partial
from itertools import accumulate, pairwise, product, starmap
from pathlib import Path
from time import process_time
from typing import NamedTuple

from pbm_holomino.match.account import fits_password, hash_password
from pbm_holomino.store.home import Home, open_store
from pbm_holomino.store.library import Library
from tests.bench import places, positions
from tests.bench.commands import PASSWORD, cheap_hash
from tests.bench.crowd import Cost, deliver
from tests.bench.places import Place
from tests.bench.serve import SERVE, as_sent, lay_boards, running, seconds_used

_BARE, _REPLAYED = -1, 0  # what is done without workers
_WORKERS = (1, 2, 4)
_CONNECTIONS = (1, 8, 32)
_FRESH = 8  # connections for boards that no worker remembers
_MOVES = 200  # in each measurement
# Moves of each connection before that, as the database plans its first statements anew.
_EARLIER = 8
_ROUNDS = 3
_CORES = os.cpu_count() or 1


class _Case(NamedTuple):
    """What is measured: a place, so many workers, or what is done without any, and so
    many connections; and whether the workers remember the boards."""

    place: str
    workers: int
    connections: int
    remembered: bool = True


def report(root: str) -> str:
    """The table, from stores in this folder."""
    costs: dict[_Case, list[Cost]] = {}
    taken = dict[str, int]()
    with places.opened(root) as found:
        for number, place in product(range(_ROUNDS), found):
            for case, cost in _measured(place, Path(root), number):
                costs.setdefault(case, []).append(cost)
            taken[place.name] = place.taken(_home(Path(root), place, number, 1))
    rows = {case: min(map(_row, several)) for case, several in costs.items()}
    boards = _boards()[-1].stop - 1
    sizes = (f"{taken[name] / boards / 1000:.1f} KB in {name}" for name in taken)
    lines = [_HEAD, *(_line(case, rows) for case in sorted(rows))]
    lines += [
        "",
        "* on boards that no worker remembers",
        f"A board with 20 tiles takes {', '.join(sizes)}.",
        f"To hash a password takes {_hashing() * 1e3:.0f} ms of the processor.",
    ]
    return "".join(f"{line}\n" for line in lines)


# Measuring


def _measured(place: Place, root: Path, number: int) -> Iterator[tuple[_Case, Cost]]:
    """All cases of a place, once."""
    for connections in _CONNECTIONS:
        yield _Case(place.name, _BARE, connections), place.save_bare(connections)
        if (cost := place.replay(connections)) is not None:
            yield _Case(place.name, _REPLAYED, connections), cost
    for workers in _WORKERS:
        yield from _moves(place, _home(root, place, number, workers), workers)


def _home(root: Path, place: Place, number: int, workers: int) -> Path:
    return root / f"{place.name}-{number}-{workers}"


def _moves(place: Place, home: Path, workers: int) -> Iterator[tuple[_Case, Cost]]:
    """Moves on a new store: on boards that were there when the server started, over
    each number of connections in turn, and on others."""
    home.mkdir()
    (home / "config.yaml").write_text(place.settings(home), encoding="ascii")
    library = Library(open_store(Home(str(home))))
    positions.save_players(library, cheap_hash())
    cases = [_Case(place.name, workers, count) for count in _CONNECTIONS]
    *known, fresh = _boards()
    mails = [_mails(library, boards) for boards in known]
    with running(str(home), (*SERVE, "--workers", str(workers))) as process:
        cases.append(_Case(place.name, workers, _FRESH, remembered=False))
        mails.append(_mails(library, fresh))
        for case, some in zip(cases, mails, strict=True):
            path, used = str(home / "lmtp"), partial(seconds_used, process)
            earlier, rest = some[:-_MOVES], some[-_MOVES:]
            deliver(path, earlier, case.connections, used, place.used)
            yield case, deliver(path, rest, case.connections, used, place.used)
    _check(library, sum(map(len, mails)))
    library.store.close()
    shutil.rmtree(home / "outbox")


def _boards() -> list[range]:
    """The boards of each measurement of a store. All but the last are together fewer
    than a worker remembers."""
    sizes = (_MOVES + _EARLIER * count for count in (*_CONNECTIONS, _FRESH))
    return list(starmap(range, pairwise(accumulate(sizes, initial=1))))


def _mails(library: Library, boards: range) -> list[bytes]:
    """These new boards, and mails with a move on each."""
    return [as_sent(text.encode("ascii")) for text in lay_boards(library, boards)]


def _check(library: Library, mails: int) -> None:
    """Make sure that every mail has made its move."""
    found = library.lists.boards_of((), "all", [positions.GAME]).boards
    made = sum(board.last_change != positions.TIME for board in found)
    if made != mails:
        raise RuntimeError(f"{made} moves were made by {mails} mails")


def _hashing() -> float:
    """Seconds of the processor to check a password."""
    hashed, times = hash_password(PASSWORD), []
    for _ in range(9):
        before = process_time()
        fits_password(PASSWORD, hashed)
        times.append(process_time() - before)
    return min(times)


# The table


class _Row(NamedTuple):
    """The share of the processor that other programs had meanwhile; saves a second; and
    the seconds of the processor for each."""

    disturbed: float
    rate: float
    client: float
    server: float
    database: float

    @property
    def for_each_second_left(self) -> float:
        """Saves for each second of the processor that the client leaves."""
        return self.rate / (_CORES - self.rate * self.client)


def _row(cost: Cost) -> _Row:
    spent = (cost.client, cost.server, cost.database)
    others = max(0.0, cost.machine - sum(spent))
    each = (used / cost.mails for used in spent)
    return _Row(others / cost.clock / _CORES, cost.mails / cost.clock, *each)


_HEAD = (
    "                                   for each, in ms of the processor\n"
    "            workers  connections   a second   client  workers  database   ratio"
    "   others"
)


def _line(case: _Case, rows: dict[_Case, _Row]) -> str:
    row = rows[case]
    spent = (f"{used * 1e3:.2f}" for used in (row.client, row.server, row.database))
    new = " " if case.remembered else "*"
    workers = {_BARE: "bare", _REPLAYED: "asked"}.get(case.workers, case.workers)
    words = f"{case.place:10}  {workers:>7}  {case.connections:11}{new}"
    words += "  {:>8.0f}   {:>6}  {:>7}  {:>8}".format(row.rate, *spent)
    ratio = ""
    if case.workers > 0:
        base = rows[case._replace(workers=1)].for_each_second_left
        ratio = f"{row.for_each_second_left / base:.2f}"
    return f"{words}   {ratio:5}   {row.disturbed:6.0%}"
