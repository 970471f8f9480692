"""What the clock brings to boards and open challenges: players run out of time, and
challenges lapse."""

from collections.abc import Iterator

from pbm_holomino.commands.context import Context
from pbm_holomino.letters.writing import Sources, words_of
from pbm_holomino.match.board import Match
from pbm_holomino.match.ledgers import kind_of
from pbm_holomino.match.record import Act, Key
from pbm_holomino.owner.clocks import Step
from pbm_holomino.server.transaction import Server
from pbm_holomino.store.search import Found

_SAID = {Act.FORFEIT: "{who} ran out of time", Act.LAPSE: "the challenge has lapsed"}


class Clock:
    """See `clocks.Clock`."""

    def __init__(self, server: Server, due: Found) -> None:
        self._due = due

    def candidates(self) -> Iterator[Key]:
        """A board whose time has to wait for the end of a vacation is among them."""
        for board in self._due.boards:
            yield Key(board.game, str(board.board))

    def step(self, ledger: Match, context: Context) -> Step | None:
        """All acts that are due: each may change what is due next. One letter tells all
        of it."""
        kind, sources = kind_of(ledger), Sources.of(context.library, context.people)
        at_present = words_of(ledger).at_present
        after, said = ledger, list[str]()
        while lines := kind.due(at_present(after, sources), context.now):
            after = kind.settled(kind.after(after, lines[0]), context.now)
            what = _SAID[lines[0].action].format(who=lines[0].who)
            said.append(f"{ledger.record.name}: {what}.")
        return Step(after, said) if said else None
