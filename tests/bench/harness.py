"""Medians of contenders that take turns, and their ratios.

No machine is equally fast for long, so the contenders run interleaved: the base and
each contender once in every round, in an order that changes.

Besides the time on the clock there is that of the processor, for this process and those
it has waited for: it leaves out the disk, and whatever else the machine does.
"""

import os
import random
import resource
from collections.abc import Callable, Iterable, Sequence
from statistics import median
from time import perf_counter
from typing import NamedTuple

# /tmp is often in memory, where an fsync costs nothing.
FOLDER = os.environ.get("TMPDIR", "/var/tmp")

_LONGEST = 25.0  # seconds that a race may take
_FEWEST = 7  # rounds that it has nevertheless


class Contender(NamedTuple):
    """Something to time. `calls` calls are timed together where one is too short
    for the clock."""

    what: str
    run: Callable[[], object]
    calls: int = 1


class Row(NamedTuple):
    """A line of the table: the median of one call, in seconds, over so many rounds,
    and the ratios to the base's medians, by the clock and by the processor."""

    what: str
    seconds: float
    ratio: float
    cpu_ratio: float
    rounds: int


class Time(NamedTuple):
    """Seconds by the clock, and of the processor."""

    clock: float
    cpu: float


def race(rounds: int, base: Contender, *contenders: Contender) -> list[Row]:
    """The base and its contenders as rows. Each is called once for warming up, and
    then in `rounds` rounds, or in fewer where they take too long."""
    racers = (base, *contenders)
    times: list[list[Time]] = [[] for _ in racers]
    for racer in racers:
        racer.run()
    end = perf_counter() + _LONGEST
    for number in range(rounds):
        if perf_counter() > end and number >= _FEWEST:
            break
        for chosen in random.Random(number).sample(range(len(racers)), len(racers)):
            times[chosen].append(time_of(racers[chosen].run, racers[chosen].calls))
    medians = [Time(*map(median, zip(*taken, strict=True))) for taken in times]
    least = medians[0]
    return [
        Row(
            racer.what,
            time.clock,
            time.clock / least.clock,
            time.cpu / least.cpu,
            done,
        )
        for racer, time, done in zip(racers, medians, map(len, times), strict=True)
    ]


def time_of(act: Callable[[], object], calls: int = 1) -> Time:
    """What a call of an act takes, with the processes that it awaits."""
    repeated = range(calls)
    cpu, clock = _cpu(), perf_counter()
    for _ in repeated:
        act()
    clock, cpu = perf_counter() - clock, _cpu() - cpu
    return Time(clock / calls, cpu / calls)


def _cpu() -> float:
    """Seconds of the processor that went into this process and its children."""
    usages = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def table(races: Iterable[Sequence[Row]]) -> str:
    """All races as text, a block each, headed by its base."""
    blocks = list(races)
    width = max(len(row.what) for rows in blocks for row in rows)
    lines = [f"{'':{width}}   {'median':>10}  {'ratio':>7}  {'cpu':>7}  rounds"]
    for rows in blocks:
        lines += ["", *(_line(row, width) for row in rows)]
    return "".join(f"{line}\n" for line in lines)


def _line(row: Row, width: int) -> str:
    ratios = f"{row.ratio:7.2f}  {row.cpu_ratio:7.2f}"
    return f"{row.what:{width}}   {duration(row.seconds):>10}  {ratios}  {row.rounds:6}"


def duration(seconds: float) -> str:
    """A time with the unit that suits it: `1.25 ms`."""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.2f} {unit}"
    return f"{seconds / 1e-6:.2f} us"
