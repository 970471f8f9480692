"""The letters about open challenges."""

from collections.abc import Iterable
from functools import partial

from pbm_holomino.languages import (
    Moment,
    Sentence,
    of_number,
    of_player,
    sentence,
    together,
)
from pbm_holomino.letters import board_letters
from pbm_holomino.letters.board_ids import OnBoards
from pbm_holomino.letters.content import Command, Content, Paragraph, Part, content
from pbm_holomino.letters.how_to_answer import full_command
from pbm_holomino.letters.writing import Answerable, Notice, Sources
from pbm_holomino.match.account import Player
from pbm_holomino.match.board import Match
from pbm_holomino.match.open_challenge import (
    ANYONE,
    lapses,
    missing,
    seats_in_words,
)
from pbm_holomino.match.record import ENDS, Act, Record
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
        subject = board_letters.subject(ledger, _SUBJECTS[made.action])
        is_asked = not made.by_server and reader == made.who
        content = _content(ledger.at(line), reader, by_reply=True)
        return Notice(subject, content, is_asked)

    def said(self, ledger: Match, line: int, people: People) -> Content:
        return _content(ledger.at(line), ledger.log[line].who)

    def follows(self, ledger: Match, line: int, reader: str) -> Iterable[int]:
        return (0,) if line else ()

    def answerable(self, ledger: Match, line: int, reader: str) -> Answerable | None:
        if reader not in ledger.seated:
            return None
        return Answerable(partial(_content, ledger.at(line), reader, by_reply=True))


WORDS = _OpenChallenges()

_SUBJECTS: dict[object, Sentence] = {
    Act.CHALLENGE: sentence("an open challenge"),
    Act.JOIN: sentence("a seat in an open challenge"),
    Act.DECLINE: sentence("the open challenge was withdrawn"),
    Act.LAPSE: sentence("the open challenge has lapsed"),
    Act.VOID: sentence("the open challenge was cancelled"),
}


def _content(then: Match, reader: str, by_reply: bool = False) -> Content:
    """What a reader is told after the last line of its log, perhaps as one who can
    reply to it."""
    action = then.log[-1].action
    if action is Act.CHALLENGE:
        how = _to_withdraw(then.record, by_reply)
        return content((*_opened(then, reader), *how))
    if action is Act.LAPSE:
        return content(_lapsed(then, reader))
    return content((Paragraph(_said(then, reader)),))


_HAS_WITHDRAWN = of_player(
    "You have withdrawn the open challenge {challenge}.",
    "{player} has withdrawn the open challenge {challenge}.",
)
_CANCELLED = sentence(
    "The owner of this server has cancelled the open challenge {challenge} by {player}."
)
_JOINED = of_number(
    "You have a seat in {challenge}, {player}'s open challenge to a game of {game}: "
    "{seats}. It begins when {n} more player has taken a seat, and otherwise lapses on "
    "{when}.",
    "You have a seat in {challenge}, {player}'s open challenge to a game of {game}: "
    "{seats}. It begins when {n} more players have taken a seat, and otherwise lapses "
    "on {when}.",
)
_NOBODY_CAME = sentence(
    "Nobody took up your open challenge {challenge} by {when}, so it has lapsed."
)
_TOO_FEW_CAME = of_player(
    "Not enough players took up your open challenge {challenge} by {when}, so it has "
    "lapsed.",
    "Not enough players took up {player}'s open challenge {challenge} by {when}, so it "
    "has lapsed.",
)
_TO_OPEN_AGAIN = sentence("To open it again, send:")
_LISTED = of_player(
    "Your open challenge to a game of {game} is listed by {command} as {challenge}: "
    "{seats}.",
    "{player}'s open challenge to a game of {game} is listed by {command} as "
    "{challenge}: {seats}.",
)
_LISTED_WITH_OPTIONS = of_player(
    "Your open challenge to a game of {game} with {options} is listed by {command} as "
    "{challenge}: {seats}.",
    "{player}'s open challenge to a game of {game} with {options} is listed by "
    "{command} as {challenge}: {seats}.",
)
_BEGINS = of_number(
    "The game begins, and its players get letters, as soon as the other seat is taken.",
    "The game begins, and its players get letters, as soon as all seats are taken.",
)
_OR_LAPSES = sentence("If that has not happened by {when}, it lapses.")
_TO_WITHDRAW = sentence("To withdraw it before, send this line with your password:")
_REPLY_TO_WITHDRAW = sentence(
    "To withdraw it before, reply to this letter with {command} in the first line."
)


def _said(challenge: Match, reader: str) -> Sentence:
    """What a seat taken, or an end, is told by."""
    record, line = challenge.record, challenge.record.log[-1]
    if line.action is Act.DECLINE:
        return _HAS_WITHDRAWN.of(challenge=record.name).to(reader, line.who)
    if line.action is Act.VOID:
        return _CANCELLED.of(challenge=record.name, player=record.challenger)
    return _JOINED.of(
        n=missing(challenge),
        challenge=record.name,
        player=record.challenger,
        game=record.rules.TITLE,
        seats=seats_in_words(challenge),
        when=Moment(lapses(challenge)),
    )


def _lapsed(challenge: Match, reader: str) -> Part:
    record = challenge.record
    said = _NOBODY_CAME
    if record.takers:
        said = _TOO_FEW_CAME.to(reader, record.challenger)
    when = Moment(lapses(challenge))
    lapsed = Paragraph(said.of(challenge=record.name, when=when))
    if reader != record.challenger:
        return (lapsed,)
    again = (record.game, "challenge", *record.players, record.chosen_options)
    command = Command(" ".join(filter(None, again)))
    return lapsed, Paragraph(_TO_OPEN_AGAIN), command


def _opened(challenge: Match, reader: str) -> Part:
    """What somebody is told who has opened it, perhaps without a password."""
    record = challenge.record
    is_listed = _LISTED_WITH_OPTIONS if record.chosen_options else _LISTED
    opener = record.challenger
    said = (
        is_listed.to_them if reader == opener else is_listed.about(opener.capitalize())
    )
    listed = said.of(
        game=record.rules.TITLE,
        options=record.chosen_options,
        command='"list open"',
        challenge=record.name,
        seats=seats_in_words(challenge),
    )
    begins = _BEGINS.of(n=record.players.count(ANYONE))
    lapsing = _OR_LAPSES.of(when=Moment(lapses(challenge)))
    return (Paragraph(together([listed, begins, lapsing])),)


def _to_withdraw(record: Record, by_reply: bool) -> Part:
    """How the player who has opened it withdraws it."""
    whole = full_command(record, "decline", record.challenger)
    if not by_reply:
        return Paragraph(_TO_WITHDRAW), Command(whole)
    said = _REPLY_TO_WITHDRAW.of(command='"decline"')
    return (Paragraph(said, commands=(Command("decline", whole),)),)
