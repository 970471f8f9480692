"""Turns and shares, which networks have in equal parts."""

import asyncio
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbm_holomino.web.clients import Client, Gone
from pbm_holomino.web.shares import Shares
from pbm_holomino.web.turns import Turns


async def breath() -> None:
    """Let everybody go on who can."""
    for _ in range(5):
        await asyncio.sleep(0)


class Work:
    """Requests that are worked on: the order in which they came to their turns, and
    how many of each network had one at once."""

    def __init__(self, turns: Turns) -> None:
        self.order: list[str] = []
        self.most = Counter[str]()
        self.clients: list[Client] = []
        self._turns = turns
        self._now = Counter[str]()

    def begin(self, network: str, takes: int = 3) -> "asyncio.Task[None]":
        """A request of a network, which takes a while."""
        self.clients.append(Client())
        return asyncio.create_task(self._work(network, self.clients[-1], takes))

    async def _work(self, network: str, client: Client, takes: int) -> None:
        turn = await self._turns.take(network, client)
        self.order.append(network)
        self._now[network] += 1
        self.most[network] = max(self.most[network], self._now[network])
        for _ in range(takes):
            await asyncio.sleep(0)
        self._now[network] -= 1
        turn.end()
        turn.end()  # once is enough


def test_a_client_from_elsewhere_does_not_wait_for_a_crowd() -> None:
    async def run() -> Work:
        work = Work(Turns(most=4, each=2))
        crowd = [work.begin("crowd") for _ in range(50)]
        await breath()
        begun = len(work.order)
        await work.begin("elsewhere")
        assert len(work.order) - begun <= 4
        await asyncio.gather(*crowd)
        return work

    work = asyncio.run(run())
    assert work.most == {"crowd": 2, "elsewhere": 1}
    assert len(work.order) == 51


def test_networks_take_turns() -> None:
    async def run() -> list[str]:
        work = Work(Turns(most=1, each=1))
        names = ["a"] * 9 + ["b"] * 3 + ["c"] * 3
        await asyncio.gather(*map(work.begin, names))
        return work.order

    assert "".join(asyncio.run(run())) == "aabcabcabcaaaaa"


def test_clients_that_are_answered_at_once_do_not_have_turn_after_turn() -> None:
    """However quick the answers to a crowd are, the loop comes to others between."""

    async def run() -> int:
        work = Work(Turns(most=4, each=2))
        crowd = [work.begin("crowd", takes=0) for _ in range(50)]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        done = len(work.order)
        await asyncio.gather(*crowd)
        return done

    assert 0 < asyncio.run(run()) <= 6


def test_a_client_who_leaves_gives_up_their_place() -> None:
    async def run() -> tuple[Work, int]:
        work = Work(Turns(most=2, each=1))
        tasks = [work.begin("a") for _ in range(6)]
        await asyncio.sleep(0)
        for client in work.clients[1:4]:
            client.leave()
        ended = await asyncio.gather(*tasks, return_exceptions=True)
        assert [isinstance(one, Gone) for one in ended] == [0, 1, 1, 1, 0, 0]
        more = [work.begin(name) for name in "aabb"]  # no turn was lost
        await asyncio.gather(*more)
        return work, len(work.order)

    work, done = asyncio.run(run())
    assert done == 3 + 4
    assert work.most == {"a": 1, "b": 1}


def test_a_turn_that_came_too_late_goes_to_the_next() -> None:
    """Whoever waits is cancelled in the very moment when the turn comes."""

    async def run() -> None:
        turns = Turns(most=1, each=1)
        first = await turns.take("a", Client())
        second = asyncio.create_task(turns.take("a", Client()))
        third = asyncio.create_task(turns.take("a", Client()))
        await breath()
        first.end()
        await asyncio.sleep(0)  # the turn has come, and nobody has heard of it
        second.cancel()
        with pytest.raises(asyncio.CancelledError):
            await second
        (await asyncio.wait_for(third, 20)).end()

    asyncio.run(run())


def test_a_client_who_has_left_waits_for_nothing() -> None:
    async def run() -> None:
        turns, client = Turns(most=1, each=1), Client()
        turn = await turns.take("a", Client())
        client.leave()
        with pytest.raises(Gone):
            await turns.take("a", client)
        turn.end()
        await breath()
        (await turns.take("a", Client())).end()

    asyncio.run(run())


# Shares


def test_the_network_that_has_most_gives_up_what_came_last() -> None:
    shares = Shares[str](4)
    for thing in ("a1", "a2", "b1", "a3"):
        assert shares.take(thing[0], thing) == []
    assert shares.take("c", "c1") == ["a3"]
    assert shares.take("a", "a4") == ["a4"]
    shares.leave("b1")
    shares.leave("b1")
    assert shares.take("d", "d1") == []
    assert shares.take("d", "d1", size=3) == ["d1"]
    assert shares.total == 3


def test_or_what_came_first() -> None:
    shares = Shares[str](3, oldest=True)
    for thing in ("a1", "a2", "b1"):
        shares.take(thing[0], thing)
    shares.take("a", "a1")  # it has asked again
    assert shares.take("c", "c1") == ["a2"]
    assert shares.take("a", "a3") == ["a1"]


def test_a_thing_can_belong_to_another_network() -> None:
    shares = Shares[str](3)
    for thing in ("p1", "p2", "p3"):
        shares.take("proxy", thing)
    shares.take("a", "p1")
    shares.take("b", "p2")
    assert shares.take("a", "p4") == ["p4"]


_TAKEN = st.tuples(
    st.sampled_from("abc"), st.integers(0, 20), st.integers(1, 5), st.booleans()
)


@given(st.integers(5, 40), st.lists(_TAKEN, max_size=80))
def test_a_network_with_no_more_than_an_equal_part_loses_nothing(
    most: int, taken: list[tuple[str, int, int, bool]]
) -> None:
    shares, held = Shares[int](most), dict[int, tuple[str, int]]()
    for network, thing, size, leaves in taken:
        if leaves:
            shares.leave(thing)
            held.pop(thing, None)
            continue
        held.pop(thing, None)
        held[thing] = network, size
        for lost in shares.take(network, thing, size):
            whose, _ = held[lost]
            sums = Counter[str]()
            for name, share in held.values():
                sums[name] += share
            assert sums[whose] == max(sums.values())
            del held[lost]
        assert shares.total == sum(share for _, share in held.values()) <= most
