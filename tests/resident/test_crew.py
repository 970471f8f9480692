"""Threads that do what they are given, and the turns in which a server has it done."""

import asyncio
from contextlib import closing
from threading import Event, Thread, current_thread

import pytest

from pbm_holomino.resident.crew import Crew
from pbm_holomino.resident.turns import Turns
from tests.processes import PATIENCE


def test_all_is_done_by_no_more_threads_than_there_may_be() -> None:
    gate, seen = Event(), list[Thread]()

    def work() -> None:
        gate.wait(PATIENCE)
        seen.append(current_thread())

    with closing(Crew(2, "some")) as crew:
        for _ in range(5):
            crew.do(work)
        gate.set()
    assert len(seen) == 5
    assert len({*seen}) <= 2


def test_a_thread_goes_on_after_what_goes_wrong(
    capsys: pytest.CaptureFixture[str],
) -> None:
    seen = list[str]()

    def fail() -> None:
        raise ValueError("as it should")

    with closing(Crew(1, "one")) as crew:
        crew.do(fail)
        crew.do(lambda: seen.append("goes on"))
    assert seen == ["goes on"]
    assert "ValueError in" in capsys.readouterr().err


def test_who_has_ended_takes_nothing_more() -> None:
    crew = Crew(1, "none")
    crew.close()
    with pytest.raises(RuntimeError):
        crew.do(list)


def test_what_nobody_awaits_any_more_is_not_begun() -> None:
    gate, seen = Event(), list[str]()

    async def ask() -> None:
        with closing(Turns(1)) as turns:
            first = turns.do(lambda: gate.wait(PATIENCE))
            turns.do(lambda: seen.append("given up")).cancel()
            last = turns.do(lambda: seen.append("awaited"))
            gate.set()
            await asyncio.gather(first, last)

    asyncio.run(ask())
    assert seen == ["awaited"]


def test_what_goes_wrong_is_raised_where_it_is_awaited() -> None:
    def fail() -> None:
        raise ValueError("as it should")

    async def ask() -> str:
        with closing(Turns(1)) as turns:
            with pytest.raises(ValueError, match="as it should"):
                await turns.do(fail)
            return await turns.do(lambda: "goes on")

    assert asyncio.run(ask()) == "goes on"
