"""What the clock brings: for each kind of ledger a module by its name, with a `Clock`
that knows on which of them something may be due, and what comes next."""

from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from typing import Any, NamedTuple, Protocol

from pbm_holomino.commands.context import Context
from pbm_holomino.match import ledgers
from pbm_holomino.match.record import Key
from pbm_holomino.server.transaction import Server
from pbm_holomino.store.search import Found


class Step(NamedTuple):
    """A ledger `after` what was due has been done, and the sentences about it."""

    after: Any
    said: Sequence[str]


class Clock(Protocol):
    """What is due on the ledgers of a kind."""

    def candidates(self) -> Iterable[Key]:
        """The ledgers on which something may be due."""

    def step(self, ledger: Any, context: Context) -> Step | None:
        """What is due on a ledger now; None if nothing is. It may be asked again, if
        somebody has changed the ledger meanwhile."""


def clocks(server: Server, due: Found) -> Iterator[Clock]:
    """The clocks of all kinds; these boards are `due` now. Accounts come last: digests
    tell what the clock has brought to all others."""
    folders = sorted(ledgers.folders(), key=lambda name: ledgers.load(name).is_account)
    for kind in dict.fromkeys(map(ledgers.name_of_kind, folders)):
        clock: Clock = import_module(f"{__name__}.{kind}").Clock(server, due)
        yield clock
