"""The letters about open challenges, and the lines of lists that name them."""

from pbm_holomino.letters.content import Command, Content, Paragraph, Part, content
from pbm_holomino.letters.how_to_answer import full_command
from pbm_holomino.match.board import Match
from pbm_holomino.match.open_challenge import (
    ANYONE,
    lapses,
    more_needed,
    seats_in_words,
)
from pbm_holomino.match.record import ENDS, Act, Record
from pbm_holomino.sentences import fill, moment


def challenge_line(challenge: Match) -> str:
    """Its number, its seats and its options, in a list."""
    head = f"  {challenge.record.name:12}  "
    text = f"{seats_in_words(challenge)}, until {lapses(challenge)[:10]}"
    chosen = challenge.record.chosen_options
    options = f"  {chosen}" if chosen else ""
    return fill(f"{text}{options}", head, " " * len(head))


def how_to_take(first: Record, userid: str) -> str:
    """How a player takes up a challenge in a list, such as the `first` one."""
    how = fill(
        "To take one up, send a line like this, with its game and number, and your "
        "password:"
    )
    return how + Command(full_command(first, "accept", userid)).plain()


def readers(challenge: Match, index: int) -> tuple[str, ...]:
    """The players who get a letter about a line of its log: its author, unless they are
    answered apart, and of its end all who have a seat."""
    line = challenge.record.log[index]
    players = challenge.seated if line.action in ENDS else (line.who,)
    return tuple(p for p in players if p != line.who or not line.answered_apart)


def subject(challenge: Match, index: int) -> str:
    """The subject of the letters about a line of its log."""
    record = challenge.record
    return f"{record.name}: {_SUBJECTS[record.log[index].action]}"


_SUBJECTS: dict[object, str] = {
    Act.CHALLENGE: "an open challenge",
    Act.JOIN: "a seat in an open challenge",
    Act.DECLINE: "the open challenge was withdrawn",
    Act.LAPSE: "the open challenge has lapsed",
    Act.VOID: "the open challenge was cancelled",
}


def challenge_content(challenge: Match, index: int, reader: str | None) -> Content:
    """What a reader is told after a line of its log."""
    then = challenge.at(index)
    action = then.record.log[-1].action
    if action is Act.CHALLENGE:
        return content(_opened(then, reader))
    if action is Act.LAPSE:
        return content(_lapsed(then, reader))
    return content((Paragraph(_said(then, reader)),))


def _whose(challenge: Match, reader: str | None) -> str:
    challenger = challenge.record.challenger
    return "your" if reader == challenger else f"{challenger}'s"


def _said(challenge: Match, reader: str | None) -> str:
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


def _lapsed(challenge: Match, reader: str | None) -> Part:
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


def _opened(challenge: Match, reader: str | None) -> Part:
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
