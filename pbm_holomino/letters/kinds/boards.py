"""The letters about boards, and about open challenges."""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from pbm_holomino.letters import board_letters, wanted_letters
from pbm_holomino.letters.content import Content
from pbm_holomino.letters.writing import (
    Answerable,
    Notice,
    Proof,
    Proofs,
    Sent,
    Sources,
    Words,
)
from pbm_holomino.match.account import Kind, Player
from pbm_holomino.match.board import Match
from pbm_holomino.match.letter_ids import LetterId
from pbm_holomino.match.record import NOBODY, PRIVATE, TICKED, Act
from pbm_holomino.match.tokens import Tokens
from pbm_holomino.sentences import opponents
from pbm_holomino.store.people import People


class OnBoards(Words[Match]):
    """What is written about boards also before all their seats are taken."""

    def proofs(self, ledger: Match, key: bytes) -> Proofs:
        tokens, serves = Tokens(key, ledger), ledger.has_begun

        def proof(line: int, reader: str) -> Proof:
            number, token = tokens.number(line, reader), tokens.token(line, reader)
            page = partial(tokens.page, line, reader) if serves else str
            return Proof(LetterId(*ledger.key, number, reader, token), serves, page)

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


class _Boards(OnBoards):
    def of(self, ledger: Match) -> Words[Match]:
        if ledger.has_begun:
            return self
        from pbm_holomino.letters import open_letters  # most letters are of boards

        return open_letters.WORDS

    def readers(self, ledger: Match, line: int, sources: Sources) -> Iterable[str]:
        readers = board_letters.readers(ledger, line)
        if ledger.log[line].action is not Act.CHAT:
            return readers
        excluded = _excluded(ledger, line, sources.people)
        return [name for name in readers if name not in excluded]

    def is_wanted(self, ledger: Match, line: int, player: Player) -> bool:
        return wanted_letters.is_wanted(ledger, line, player)

    def notice(
        self, ledger: Match, line: int, reader: str, player: Player, sources: Sources
    ) -> Notice:
        is_asked = ledger.log[line].source != TICKED
        is_asked &= reader in ledger.authors(line)
        excluded = _excluded(ledger, line, sources.people)
        said = board_letters.board_content(
            ledger, line, reader, True, player.blocked, excluded
        )
        subject = board_letters.board_subject(ledger, line, reader)
        return Notice(subject, said, is_asked)

    def said(self, ledger: Match, line: int, people: People) -> Content:
        who = ledger.log[line].who
        return board_letters.board_content(
            people.with_absences(ledger),
            line,
            None if who == NOBODY else who,
            excluded=_excluded(ledger, line, people),
        )

    def quotable(
        self, ledger: Match, reader: str, text: str
    ) -> Iterator[Callable[[], str]]:
        """The last letter; earlier ones where the text names the board, as every letter
        with a secret does."""
        record = ledger.record
        if reader not in record.players:
            return
        last = ledger.last_known(len(record.log) - 1, reader)
        lines = [last]
        if re.search(rf"(?i)\b(?:{record.name}|board\s+{record.board})\b", text):
            lines += board_letters.lines_told(ledger, last, reader)
        for line in lines:
            yield partial(board_letters.board_text, ledger, line, reader)

    def thread(self, ledger: Match) -> str:
        record, title = ledger.record, ledger.rules.TITLE
        return f"{record.name}: {title}, {opponents(record.players)}"

    def follows(self, ledger: Match, line: int, reader: str) -> Iterable[int]:
        """The board's first letter to this reader, and the last eight."""
        if not line:
            return ()
        return (0, *board_letters.lines_told(ledger, line - 1, reader)[::-1])

    def covered_by(self, ledger: Match, line: int) -> int:
        """A robot has answered before the letter about the line has left."""
        return ledger.last_answer(line)

    def at_present(self, ledger: Match, sources: Sources) -> Match:
        return sources.people.with_absences(ledger)

    def answerable(self, ledger: Match, line: int, reader: str) -> Answerable | None:
        if reader not in ledger.record.players:
            return None
        made = ledger.log[line]
        is_said = made.action is Act.CHAT and made.who != reader
        text = partial(board_letters.board_text, ledger, line, reader)
        return Answerable(text, made.who if is_said else "")


WORDS = _Boards()


def _excluded(match: Match, line: int, people: People) -> frozenset[str]:
    """The players of a board who do not get the text that came with a line of its log,
    as they have blocked its writer."""
    written, record = match.record.log[line], match.record
    if written.action in PRIVATE or not record.notes.get(line):
        return frozenset()
    return frozenset(people.blockers(record.players, written.who))
