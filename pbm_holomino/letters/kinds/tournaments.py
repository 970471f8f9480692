"""The letters about tournaments."""

from pbm_holomino.letters import tournament_letters
from pbm_holomino.letters.content import Content
from pbm_holomino.letters.writing import Notice, Sources, Words
from pbm_holomino.match import tournament
from pbm_holomino.match.account import Player
from pbm_holomino.match.tournament import Tournament
from pbm_holomino.store.people import People


class _Tournaments(Words[Tournament]):
    def readers(
        self, ledger: Tournament, line: int, sources: Sources
    ) -> tuple[str, ...]:
        return tournament.readers(ledger, line)

    def answers_author(self, ledger: Tournament, line: int) -> bool:
        return False

    def notice(
        self,
        ledger: Tournament,
        line: int,
        reader: str,
        player: Player,
        sources: Sources,
    ) -> Notice:
        subject = tournament_letters.subject(ledger, line)
        return Notice(subject, tournament_letters.told(ledger, line, reader))

    def said(self, ledger: Tournament, line: int, people: People) -> Content:
        return tournament_letters.told(ledger, line)


WORDS = _Tournaments()
