"""What the members of a league read."""

from pbm_holomino.languages import sentence
from pbm_holomino.letters.content import Content, Paragraph, content
from pbm_holomino.letters.writing import Notice, Sources, Words
from pbm_holomino.match.account import Player
from pbm_holomino.store.people import People
from tests.server.further.ledgers.leagues import CLOSE, League


class _Leagues(Words[League]):
    def readers(self, ledger: League, line: int, sources: Sources) -> list[str]:
        made = ledger.log[line]
        members = ledger.members[: line + 1]
        return [who for who in members if who != made.who or not made.answered_apart]

    def notice(
        self, ledger: League, line: int, reader: str, player: Player, sources: Sources
    ) -> Notice:
        who = ledger.log[line].who
        is_closed = ledger.log[line].action == CLOSE
        what = "Nobody can join" if is_closed else f"{who} has joined"
        told = Paragraph(f"{what} league {ledger.number}.")
        is_own = who == reader
        subject = sentence("league {number}: {who}", number=ledger.number, who=who)
        return Notice(subject, content((told,)), is_own)

    def said(self, ledger: League, line: int, people: People) -> Content:
        return content((Paragraph(f"You are in league {ledger.number}."),))


WORDS = _Leagues()
