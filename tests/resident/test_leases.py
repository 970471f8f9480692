"""What one process has in hand, another leaves alone."""

from collections.abc import Iterator
from itertools import count

import pytest

from pbm_holomino.resident import leases
from pbm_holomino.resident.leases import Leases
from tests.house import House

NOW = 10  # seconds after a period of fifteen has begun


@pytest.fixture
def clock(server: House, monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The monotonic clock, which goes with nothing."""
    server.time = f"2026-11-20T08:00:{NOW}Z"
    time = [100.0]
    monkeypatch.setattr(leases, "monotonic", lambda: time[0])
    return time


@pytest.fixture
def processes(server: House) -> Iterator[Leases[str]]:
    return (Leases[str](server.server, "robots", 15) for _ in count())


def words(period: int) -> str:
    return "holo 1"


def test_a_lease_lasts_to_the_end_of_its_period(
    server: House, clock: list[float], processes: Iterator[Leases[str]]
) -> None:
    one, other = next(processes), next(processes)
    assert one.take("board", words)
    assert one.take("board", words)
    assert not other.take("board", words)
    assert (one.until_free, other.until_free) == (None, 15 - NOW)
    assert (one.late(), other.late()) == (set(), {"board"})
    assert other.take("another", lambda period: "holo 2")
    clock[0] += 15 - NOW
    server.time = "2026-11-20T08:00:15Z"
    assert (other.late(), other.until_free) == (set(), None)
    assert other.take("board", words)
    assert not one.take("board", words)


def test_what_has_failed_is_left_alone_for_a_minute(
    clock: list[float], processes: Iterator[Leases[str]]
) -> None:
    one = next(processes)
    one.leave_alone("board")
    clock[0] += 59
    assert (one.late(), one.until_free) == ({"board"}, None)
    clock[0] += 1
    assert one.late() == set()
