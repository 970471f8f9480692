"""By what letters about a board are known, also before all its seats are taken."""

from collections.abc import Iterator
from functools import partial

from pbm_holomino.letters.writing import Proof, Proofs, Sent, Sources, Words
from pbm_holomino.match.account import Kind
from pbm_holomino.match.board import Match
from pbm_holomino.match.letter_ids import LetterId
from pbm_holomino.match.tokens import Tokens


class OnBoards(Words[Match]):
    """What is written about boards also before all their seats are taken."""

    def proofs(self, ledger: Match, key: bytes) -> Proofs:
        tokens, board = Tokens(key, ledger), ledger.key

        def proof(line: int, reader: str) -> Proof:
            number, token = tokens.numbered(line, reader)
            page = partial(tokens.page, line, reader) if ledger.has_begun else str
            return Proof(LetterId(*board, number, reader, token), True, page)

        return proof

    def sent(self, ledger: Match, letter: LetterId, sources: Sources) -> Iterator[Sent]:
        """Reminders of it have ids like its letters."""
        player, reminded = sources.people.player(letter.reader), ""
        if player is not None and letter.more[:1] == "r":
            lines = (one for one in player.log if str(one.no) == letter.more[1:])
            line = next(lines, None)
            if line is not None and line.action.kind is Kind.REMINDER:
                reminded = line.time
        lines_of = Tokens(sources.key, ledger).lines(letter.line, letter.reader)
        for index, token in lines_of:
            yield Sent(index, reminded or ledger.record.log[index].time, token)
