"""Whose request is worked on next. Each network has a line of its own, and the lines
take turns: however many requests one has sent, the next of another comes soon."""

import asyncio
from collections import Counter

from pbm_holomino.web.clients import Client

_Waits = asyncio.Future[None]  # done when the turn has come

MOST = 16  # requests that are worked on at once
EACH = 4  # of a network


class Turn:
    """The turn of a request, until it ends."""

    def __init__(self, turns: "Turns", network: str) -> None:
        self._turns: Turns | None = turns
        self._network = network

    def end(self) -> None:
        """Let the next request have it, when all connections have been looked at once
        more: otherwise those that are answered at once would have turn after turn.
        Ending it once is enough."""
        turns, self._turns = self._turns, None
        if turns is None:
            return
        try:
            asyncio.get_running_loop().call_soon(turns.leave, self._network)
        except RuntimeError:  # no loop is running, as in a test
            turns.leave(self._network)


class Turns:
    """Deals out turns: `most` at once, and `each` to a network."""

    def __init__(self, most: int = MOST, each: int = EACH) -> None:
        self._free = most
        self._each = each
        self._busy = Counter[str]()
        # Those who wait, by network: the network whose turn comes next is in front
        self._lines: dict[str, dict[_Waits, None]] = {}

    async def take(self, network: str, client: Client) -> Turn:
        """Wait for a turn. Raises Gone if the client leaves meanwhile."""
        if network in self._lines or not self._may(network):
            await self._in_line(network, client)
        else:
            self._give(network)
        return Turn(self, network)

    def leave(self, network: str) -> None:
        """Take note that a turn of a network has ended."""
        self._free += 1
        self._busy[network] -= 1
        if not self._busy[network]:
            del self._busy[network]
        while (following := self._next()) is not None:
            following.set_result(None)

    async def _in_line(self, network: str, client: Client) -> None:
        waits = asyncio.get_running_loop().create_future()
        self._lines.setdefault(network, {})[waits] = None
        try:
            await client.until(waits)
        except BaseException:
            if waits in self._lines.get(network, {}):
                self._drop(network, waits)
            elif _has_come(waits):  # nobody is there to take it
                self.leave(network)
            raise

    def _drop(self, network: str, waits: _Waits) -> None:
        """Take somebody out of the line of a network."""
        del self._lines[network][waits]
        if not self._lines[network]:
            del self._lines[network]

    def _may(self, network: str) -> bool:
        return self._free > 0 and self._busy[network] < self._each

    def _give(self, network: str) -> None:
        self._free -= 1
        self._busy[network] += 1

    def _next(self) -> _Waits | None:
        """Who has the next turn, which is theirs now; None if nobody can have it."""
        while (network := next(filter(self._may, self._lines), None)) is not None:
            line = self._lines[network]
            first = next(iter(line))
            self._drop(network, first)
            if first.done():  # its client has just left
                continue
            if line:  # behind all others
                self._lines[network] = self._lines.pop(network)
            self._give(network)
            return first
        return None


def _has_come(waits: _Waits) -> bool:
    return waits.done() and not waits.cancelled() and waits.exception() is None
