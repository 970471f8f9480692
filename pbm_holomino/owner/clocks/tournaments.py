"""What the clock brings to tournaments: see `owner.rounds`."""

from collections.abc import Iterator
from typing import Any

from pbm_holomino.commands.context import Context
from pbm_holomino.match.ledgers import is_number
from pbm_holomino.match.record import Key
from pbm_holomino.owner.clocks import Step
from pbm_holomino.server.transaction import Server
from pbm_holomino.store.contract import TOURNAMENTS
from pbm_holomino.store.search import Found


class Clock:
    """See `clocks.Clock`."""

    def __init__(self, server: Server, due: Found) -> None:
        self._server = server

    def candidates(self) -> Iterator[Key]:
        """All tournaments."""
        names = filter(is_number, self._server.store.names(TOURNAMENTS))
        for name in sorted(names, key=int):
            yield Key(TOURNAMENTS, name)

    def step(self, ledger: Any, context: Context) -> Step | None:
        """The next lines of its log. A process that dies before they are saved leaves
        nothing to be done twice."""
        from pbm_holomino.owner import rounds  # few servers have any

        return rounds.step(self._server, ledger)
