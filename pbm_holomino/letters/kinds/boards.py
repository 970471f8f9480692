"""The letters about boards, and about open challenges."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from pbm_holomino.languages import Opponents, Sentence, together
from pbm_holomino.letters import board_letters
from pbm_holomino.letters.board_ids import OnBoards
from pbm_holomino.letters.content import Content
from pbm_holomino.letters.writing import (
    Answerable,
    Notice,
    Sources,
    Words,
)
from pbm_holomino.match.account import ALL, TURNS, Player
from pbm_holomino.match.board import Match
from pbm_holomino.match.queue import ahead, draft
from pbm_holomino.match.record import NOBODY, PRIVATE, Act
from pbm_holomino.match.tokens import outdated
from pbm_holomino.match.trees import own_moves
from pbm_holomino.store.people import People


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
        return is_wanted(ledger, line, player)

    def called(self, ledger: Match, line: int) -> Sequence[str]:
        turn = ledger.turn
        if not turn:  # as it is before a board has begun
            return ()
        before = ledger.turn_at(line - 1) if line else ()
        then = ledger.turn_at(line)
        return [who for who in turn if who in then and who not in before]

    def notice(
        self, ledger: Match, line: int, reader: str, player: Player, sources: Sources
    ) -> Notice:
        is_asked = not ledger.log[line].by_server
        is_asked &= reader in ledger.authors(line)
        excluded = _excluded(ledger, line, sources.people)
        hearers = _hearers(ledger, line, reader, sources.people)
        said = board_letters.board_content(
            ledger, line, reader, True, player.blocked, excluded, hearers
        )
        subject = board_letters.board_subject(ledger, line, reader)
        return Notice(subject, said, is_asked)

    def said(self, ledger: Match, line: int, people: People) -> Content:
        who = ledger.log[line].who
        return board_letters.board_content(
            people.at_present(ledger),
            line,
            None if who == NOBODY else who,
            excluded=_excluded(ledger, line, people),
            hearers=_hearers(ledger, line, who, people),
        )

    def quotable(
        self, ledger: Match, reader: str, text: str
    ) -> Iterator[Callable[[], Content]]:
        """The last letter; earlier ones where the text names the board, as every letter
        with a secret does."""
        record = ledger.record
        if reader not in record.players:
            return
        last = ledger.last_known(len(record.log) - 1, reader)
        lines = [last]
        if _names(text, ledger):
            lines += board_letters.lines_told(ledger, last, reader)
        for line in lines:
            yield _as_got(ledger, line, reader)

    def secrets(self, ledger: Match, reader: str) -> Iterable[str]:
        """What they have sent ahead, and their view's secrets."""
        if reader not in ledger.record.players:
            return ()
        lines = ahead(ledger, reader).lines
        moves = (*own_moves(lines), draft(ledger, reader))
        hidden = ledger.view(reader).mine.values()
        return *(move.partition("#")[0] for move in moves), *hidden

    def thread(self, ledger: Match) -> Sentence:
        record, title = ledger.record, ledger.rules.TITLE
        return together([f"{record.name}: {title},", Opponents(record.players)])

    def follows(self, ledger: Match, line: int, reader: str) -> Iterable[int]:
        """The board's first letter to this reader, and the last eight."""
        if not line:
            return ()
        return (0, *board_letters.lines_told(ledger, line - 1, reader)[::-1])

    def covered_by(self, ledger: Match, line: int) -> int:
        """A robot has answered before the letter about the line has left."""
        return ledger.last_answer(line)

    def at_present(self, ledger: Match, sources: Sources) -> Match:
        return sources.people.at_present(ledger)

    def answerable(self, ledger: Match, line: int, reader: str) -> Answerable | None:
        if reader not in ledger.record.players:
            return None
        made = ledger.log[line]
        is_said = made.action is Act.CHAT and made.who != reader
        letter = _as_got(ledger, line, reader)
        return Answerable(letter, made.who if is_said else "")


WORDS = _Boards()


def _as_got(match: Match, line: int, reader: str) -> Callable[[], Content]:
    """What makes the letter to a player about a line, as one to be replied to."""
    return partial(board_letters.board_content, match, line, reader, by_reply=True)


def _hearers(match: Match, line: int, who: str, people: People) -> list[Player]:
    """The accounts of those to whom a player has chatted with a line of the log, if
    that is what the line is."""
    if match.log[line].action is not Act.CHAT or match.log[line].who != who:
        return []
    excluded = (who, *_excluded(match, line, people))
    others = [name for name in match.record.players if name not in excluded]
    return [*filter(None, map(people.readable, others))]


def _names(text: str, match: Match) -> bool:
    """Whether a text names a board: `holo 12`, or `board 12`; or in any language its
    number, and its game as letters name it."""
    record = match.record
    number = str(record.board)
    if number not in re.findall(r"\b\d+\b", text):
        return False
    if match.rules.TITLE.lower() in text.lower():
        return True
    named = rf"(?i)\b(?:board\s+|{record.game} )(\d+)\b"  # one pattern for a game
    return number in re.findall(named, text)


def _excluded(match: Match, line: int, people: People) -> frozenset[str]:
    """The players of a board who do not get the text that came with a line of its log,
    as they have blocked its writer."""
    written, record = match.record.log[line], match.record
    if written.action in PRIVATE or not record.notes.get(line):
        return frozenset()
    return frozenset(people.blockers(record.players, written.who))


# Which letters a player wants


def is_wanted(match: Match, index: int, player: Player) -> bool:
    """Whether a player wants the letter about a line of a board's log. Answers to their
    own commands, also those that robots give, the end of a game, and words for them
    come whatever they have chosen: nothing else would bring them. About a board that
    they have muted no words come, and otherwise what asks something of them."""
    is_muted = bool(player.muted) and ".".join(match.key) in player.muted
    all_come = player.letters == ALL and not is_muted
    if all_come or player.userid in match.authors(index):
        return True
    then = match.at(match.last_told(index))
    brings_words = not is_muted and _brings_words(match, index, player)
    if then.result is not None or brings_words:
        return True
    return player.letters in (ALL, TURNS) and _asks_anew(
        match, index, then, player.userid
    )


def _brings_words(match: Match, index: int, player: Player) -> bool:
    """Whether another player's words came with the line, for this player to read."""
    line = match.record.log[index]
    is_said = bool(match.record.notes.get(index)) and line.action not in PRIVATE
    return is_said and line.who not in player.blocked


def _asks_anew(match: Match, index: int, then: Match, who: str) -> bool:
    """Whether something is asked of a player after a line that was not asked before, or
    that no earlier letter can be answered with any more."""
    asked = _asked(then, who)
    before = _asked(match.at(index - 1), who) if index else set()
    return bool(asked - before or (asked and outdated(then, index - 1, who)))


def _asked(match: Match, who: str) -> set[str]:
    """What is asked of a player: to move, or to answer an offer or the challenge."""
    offer = match.offer
    asked = {
        "challenge": who in match.record.unanswered,
        "move": who in match.turn,
        "offer": offer is not None
        and who not in (offer.who, *offer.accepted, *match.gone),
    }
    return {what for what, is_asked in asked.items() if is_asked}
