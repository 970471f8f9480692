"""The letters about open challenges."""

from collections.abc import Iterable

from pbm_holomino.letters.content import Command, Content, Paragraph, Part, content
from pbm_holomino.letters.how_to_answer import full_command
from pbm_holomino.letters.kinds.boards import OnBoards
from pbm_holomino.letters.writing import Notice, Sources
from pbm_holomino.match.account import Player
from pbm_holomino.match.board import Match
from pbm_holomino.match.open_challenge import (
    ANYONE,
    lapses,
    more_needed,
    seats_in_words,
)
from pbm_holomino.match.record import ENDS, TICKED, Act
from pbm_holomino.sentences import moment
from pbm_holomino.store.people import People


class _OpenChallenges(OnBoards):
    def readers(self, ledger: Match, line: int, sources: Sources) -> list[str]:
        """The line's author, unless they are answered apart, and of its end all who
        have a seat."""
        made = ledger.log[line]
        players = ledger.seated if made.action in ENDS else (made.who,)
        return [p for p in players if p != made.who or not made.answered_apart]

    def notice(
        self, ledger: Match, line: int, reader: str, player: Player, sources: Sources
    ) -> Notice:
        made = ledger.log[line]
        subject = f"{ledger.record.name}: {_SUBJECTS[made.action]}"
        is_asked = made.source != TICKED and reader == made.who
        return Notice(subject, _content(ledger.at(line), reader), is_asked)

    def said(self, ledger: Match, line: int, people: People) -> Content:
        return _content(ledger.at(line), ledger.log[line].who)

    def follows(self, ledger: Match, line: int, reader: str) -> Iterable[int]:
        return (0,) if line else ()


WORDS = _OpenChallenges()

_SUBJECTS: dict[object, str] = {
    Act.CHALLENGE: "an open challenge",
    Act.JOIN: "a seat in an open challenge",
    Act.DECLINE: "the open challenge was withdrawn",
    Act.LAPSE: "the open challenge has lapsed",
    Act.VOID: "the open challenge was cancelled",
}


def _content(then: Match, reader: str) -> Content:
    """What a reader is told after the last line of its log."""
    action = then.log[-1].action
    if action is Act.CHALLENGE:
        return content(_opened(then, reader))
    if action is Act.LAPSE:
        return content(_lapsed(then, reader))
    return content((Paragraph(_said(then, reader)),))


def _whose(challenge: Match, reader: str) -> str:
    challenger = challenge.record.challenger
    return "your" if reader == challenger else f"{challenger}'s"


def _said(challenge: Match, reader: str) -> str:
    """What a seat taken, or an end, is told by."""
    record, line = challenge.record, challenge.record.log[-1]
    if line.action is Act.DECLINE:
        who = "You have" if reader == line.who else f"{line.who} has"
        return f"{who} withdrawn the open challenge {record.name}."
    if line.action is Act.VOID:
        return (
            "The owner of this server has cancelled the open challenge "
            f"{record.name} by {record.challenger}."
        )
    return (
        f"You have a seat in {record.name}, {_whose(challenge, reader)} open challenge "
        f"to a game of {record.rules.TITLE}: {seats_in_words(challenge)}. It begins "
        f"when {more_needed(challenge)} taken a seat, and otherwise lapses on "
        f"{moment(lapses(challenge))}."
    )


def _lapsed(challenge: Match, reader: str) -> Part:
    record = challenge.record
    who = "Not enough players" if challenge.record.takers else "Nobody"
    lapsed = Paragraph(
        f"{who} took up {_whose(challenge, reader)} open challenge {record.name} by "
        f"{moment(lapses(challenge))}, so it has lapsed."
    )
    if reader != record.challenger:
        return (lapsed,)
    again = (record.game, "challenge", *record.players, record.chosen_options)
    command = Command(" ".join(filter(None, again)))
    return lapsed, Paragraph("To open it again, send:"), command


def _opened(challenge: Match, reader: str) -> Part:
    record = challenge.record
    whose = _whose(challenge, reader)
    options = f" with {record.chosen_options}" if record.chosen_options else ""
    is_one = record.players.count(ANYONE) == 1
    whom = "the other seat is" if is_one else "all seats are"
    listed = (
        f"{whose[0].upper()}{whose[1:]} open challenge to a game of "
        f"{record.rules.TITLE}{options} is listed "
        f'by "list open" as {record.name}: {seats_in_words(challenge)}. The '
        f"game begins, and its players get letters, as soon as {whom} taken. If that "
        f"has not happened by {moment(lapses(challenge))}, it lapses."
    )
    withdraw = "To withdraw it before, send this line with your password:"
    return (
        Paragraph(listed),
        Paragraph(withdraw),
        Command(full_command(record, "decline", record.challenger)),
    )
