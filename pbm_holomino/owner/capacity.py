"""How many machines a club needs: what follows from what was measured."""

from math import ceil

from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.sentences import fill, table

_CORES = 2  # of each machine
_SMALL, _LARGE, _HUGE = 10_000, 1_000_000, 100_000_000  # boards
_MACHINES = (1, 2, 4, 8, 16)
_MOVED = 0.1  # of the boards, each day
_PEAK = 3  # times the mean
_DAY = 86_400  # seconds
_HASH = 75  # milliseconds to hash a password


class Cost(NamedTuple):
    """What "bin/bench many" has measured: what a move takes of the processor of a
    worker and of the database, in milliseconds, and what a board takes on the disk, in
    kilobytes."""

    worker: float
    database: float
    board: float

    def carried(self, machines: int) -> float:
        """Moves a second of so many machines and one for the database."""
        most = machines * _CORES * 1000 / self.worker
        return min(most, self.most) if self.database else most

    @property
    def most(self) -> float:
        """Moves a second that the database bears."""
        return _CORES * 1000 / self.database


FILES = Cost(worker=12.85, database=0.0, board=4.8)
POSTGRESQL = Cost(worker=14.70, database=0.63, board=4.5)
_BESIDE = 1.3  # milliseconds of the database, where workers share its processor


def peak(boards: int) -> float:
    """Moves a second at the busiest time."""
    return boards * _MOVED / _DAY * _PEAK


def page() -> str:
    """How many machines it takes, and what gives out first."""
    return "\n".join(
        (
            "capacity: how many machines\n",
            *map(fill, _MEASURED),
            _carried(),
            fill(_IF),
            _needed(),
        )
        + (*map(fill, _first()), _RELATED)
    )


_RELATED = "Related: pbm help machines, pbm help spreading, pbm help owner\n"
_MEASURED = (
    f"A move takes {FILES.worker:.1f} ms of a worker's processor over files; over "
    f"PostgreSQL, {POSTGRESQL.worker:.1f} ms of a worker's and "
    f"{POSTGRESQL.database:.1f} ms of the database's, if that has its machine for "
    f"itself ({_BESIDE:.1f} ms beside workers). A board with 20 tiles takes "
    f"{FILES.board:.1f} KB in files and {POSTGRESQL.board:.1f} KB in PostgreSQL. "
    f'"bin/bench many" has measured this with {_CORES} workers on {_CORES} cores, and '
    "8 connections, on boards that no worker remembered; the machine was a slow one. "
    "Run it on yours: what follows is worked out from these figures. It does not count "
    "your mail system, nor "
    f"passwords: one that was not used within ten minutes takes {_HASH} ms more. A "
    "reply to a letter needs none.",
    f"So many moves a second can be made by machines with {_CORES} cores, over "
    "PostgreSQL with one more such machine for the database. Plan for half of it:",
)
_IF = (
    f"If each day a move is made on one of {1 / _MOVED:.0f} boards, and the busiest "
    f"time has {_PEAK} times the mean, then at that time so many moves come in a "
    "second. They take so many machines over PostgreSQL, and so much of the "
    "database's time and disk:"
)


def _carried() -> str:
    rows = [
        ("  machines", *_MACHINES),
        ("  files", round(FILES.carried(1)), *["-"] * (len(_MACHINES) - 1)),
        ("  PostgreSQL", *(round(POSTGRESQL.carried(n)) for n in _MACHINES)),
    ]
    return table("<" + ">" * len(_MACHINES), rows)


def _needed() -> str:
    head = ("  boards", "moves a day", "a second", "machines", "time", "disk")
    return table("<>>>>>", [head, *map(_row, (_SMALL, _LARGE, _HUGE))])


def _row(boards: int) -> tuple[str, ...]:
    return (
        f"  {boards:,}",
        f"{boards * _MOVED:,.0f}",
        f"{peak(boards):.2f}",
        str(ceil(peak(boards) / POSTGRESQL.carried(1))),
        f"{peak(boards) / POSTGRESQL.most:.1%}",
        f"{boards * POSTGRESQL.board / 1e6:,.2f} GB",
    )


def _first() -> tuple[str, ...]:
    """What gives out first, for each number of boards."""
    seconds = _SMALL * _MOVED * FILES.worker / 1000
    full = ceil(POSTGRESQL.most / POSTGRESQL.carried(1))
    return (
        f"With {_SMALL:,} boards nothing gives out: one worker over files makes the "
        f"moves of a day in {seconds:.0f} seconds.",
        f"With {_LARGE:,}, one machine is still enough, over files, too. What reads "
        "every board becomes slow first: pbm check, and copying "
        f"{_LARGE * FILES.board / 1e6:.1f} GB.",
        f"With {_HUGE:,}, over files the processor of the one machine gives out first: "
        f"{peak(_HUGE):.0f} moves come in a second, and it makes "
        f"{FILES.carried(1):.0f}. Over PostgreSQL it is the disk of the database, with "
        f"its {_HUGE * POSTGRESQL.board / 1e6:.0f} GB and their backups. The processor "
        f"of the database gives out at {POSTGRESQL.most:.0f} moves a second, with "
        f"{full} machines: then it needs more cores, or the boards have to be spread "
        "over several databases.",
    )
