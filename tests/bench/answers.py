"""How soon `pbm serve` answers a mail with a move, and what the move costs until its
last mark is gone; against a bare LMTP server that only saves the mail.

Each measurement is taken several times, in turns with the others, and each ratio is one
of medians.
"""

import shutil
import sys
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import median
from time import perf_counter, sleep
from typing import NamedTuple

from pbm_holomino.store.files.store import FileStore
from tests.bench import positions
from tests.bench.commands import cheap_hash, mail_text
from tests.bench.crowd import deliver
from tests.bench.serve import (
    BARE,
    Served,
    as_sent,
    lay_boards,
    seconds_used,
    served,
)

_ROUNDS = 5
_APART = 0.02  # seconds from one mail to the next, where they do not follow at once
_MAILS = 30  # that come apart, in each round
_LONG = 120  # that come at once
_CROWD = 80  # by one connection or by several
_CONNECTIONS = 8
_BARE = (sys.executable, "-c", BARE)
_ANY = as_sent(mail_text("alice", 1, "help").encode("ascii"))


class _Way(NamedTuple):
    """One way to deliver mails: what it is called, how many mails it takes, and what is
    measured, in seconds for each mail."""

    what: str
    mails: int
    measure: Callable[[list[bytes]], float]


def report(root: str) -> str:
    """The ratios, from stores in this folder."""
    known, fresh = Path(root, "known"), Path(root, "fresh")
    for home in (known, fresh):
        positions.save_players(positions.new_library(str(home)), cheap_hash())
    count = _ROUNDS * (_MAILS + _LONG + 2 * _CROWD)
    mails = _laid(known, count)
    with served(f"{root}/bare", _BARE) as bare, served(str(known)) as server:
        ways = [
            _Way("bare, apart", _MAILS, partial(_apart, bare)),
            _Way("apart", _MAILS, partial(_apart, server)),
            _Way("bare, at once", _LONG, partial(_at_once, bare, Path())),
            _Way("at once", _LONG, partial(_at_once, server, known)),
            *_crowds("", known, server),
        ]
        before = seconds_used(server.process)
        rows = _medians(ways, mails)
        used = (seconds_used(server.process) - before) / count
    with served(str(fresh)) as server:
        # of boards that come after the server has begun, it remembers none
        mails = _laid(fresh, _ROUNDS * 2 * _CROWD)
        rows |= _medians(_crowds(", new", fresh, server), mails)
    return _table(rows, used)


def _crowds(of: str, home: Path, server: Served) -> list[_Way]:
    return [
        _Way(f"by {count}{of}", _CROWD, partial(_by, count, home, server))
        for count in (1, _CONNECTIONS)
    ]


def _laid(home: Path, count: int) -> Iterator[bytes]:
    """New boards in a store, and a mail with a move on each."""
    library = positions.new_library(str(home))
    texts = [*lay_boards(library, range(1, count + 1))]
    return (as_sent(text.encode("ascii")) for text in texts)


def _medians(ways: list[_Way], mails: Iterator[bytes]) -> dict[str, float]:
    """The median of each way, by its name."""
    taken: dict[str, list[float]] = {way.what: [] for way in ways}
    for _ in range(_ROUNDS):
        for way in ways:
            is_bare = way.what.startswith("bare")
            some = [_ANY] * way.mails if is_bare else [*islice(mails, way.mails)]
            taken[way.what].append(way.measure(some) / way.mails)
    return {what: median(times) for what, times in taken.items()}


def _apart(server: Served, mails: list[bytes]) -> float:
    """Seconds until the answers to mails that do not come at once."""
    took = 0.0
    for mail in mails:
        sleep(_APART)
        begun = perf_counter()
        server.deliver(mail)
        took += perf_counter() - begun
    return took


def _at_once(server: Served, home: Path, mails: list[bytes]) -> float:
    """Seconds for mails that follow each other, until the last mark in a home is
    gone."""
    begun = perf_counter()
    for mail in mails:
        server.deliver(mail)
    return _until_unmarked(home, perf_counter()) - begun


def _by(connections: int, home: Path, server: Served, mails: list[bytes]) -> float:
    """Seconds for mails by so many connections, until the last answer; then all marks
    go."""
    cost = deliver(str(home / "lmtp"), mails, connections, lambda: 0, lambda: 0)
    _until_unmarked(home, 0.0)
    return cost.clock


def _until_unmarked(home: Path, ended: float) -> float:
    """When the last mark in a home has gone; then the outbox is emptied."""
    if not home.name:
        return ended
    marks = FileStore(str(home)).marks
    while marks.unsent(positions.GAME):
        ended = perf_counter()
        sleep(0.002)
    shutil.rmtree(home / "outbox", ignore_errors=True)
    return ended


def _table(rows: dict[str, float], used: float) -> str:
    lines = [f"{what:22} {seconds * 1e3:8.2f} ms\n" for what, seconds in rows.items()]
    bare = "bare, apart", "bare, at once"
    ratios = {
        "to the answer, apart": rows["apart"] / rows[bare[0]],
        "until the last mark, at once": rows["at once"] / rows[bare[1]],
        "eight connections to one, moves a second": rows["by 1"] / rows["by 8"],
        "the same, new boards": rows["by 1, new"] / rows["by 8, new"],
    }
    lines += [f"{what:42} {ratio:6.2f}\n" for what, ratio in ratios.items()]
    return "".join([*lines, f"processor for each move: {used * 1e3:.2f} ms\n"])
