"""The kind of ledger that a tournament is."""

from collections.abc import Mapping
from typing import Any

from pbm_holomino.errors import NotFound
from pbm_holomino.languages import sentence
from pbm_holomino.match import tournament
from pbm_holomino.match.ledgers import Kind
from pbm_holomino.match.record import Key
from pbm_holomino.match.tournament import Tournament, TournamentLine


class _Tournaments(Kind[Tournament]):
    named_after = "a tournament's number"
    no_robots = sentence(
        "{userid} is a robot, and only people play in tournaments: please enter with "
        "your own userid."
    )

    def load(
        self, key: Key, data: Mapping[str, Any], earlier: Tournament | None
    ) -> Tournament:
        found = tournament.from_data(data)
        if found.key != key:
            raise ValueError(f"it says it is {found.name}")
        return found

    def dump(self, ledger: Tournament) -> dict[str, Any]:
        return tournament.to_data(ledger)

    def after(self, ledger: Tournament, line: TournamentLine) -> Tournament:
        return ledger.after(line)

    def marked(self, before: Tournament | None, after: Tournament) -> int | None:
        """Only the last line may have letters."""
        last = len(after.log) - 1
        return last if tournament.readers(after, last) else None

    def missing(self, key: Key) -> NotFound:
        return NotFound(
            sentence(
                "There is no tournament {number}: for a list of them, send "
                '"tournament".',
                number=key.name,
            )
        )


KIND = _Tournaments()
