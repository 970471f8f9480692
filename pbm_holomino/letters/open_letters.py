"""The letters about open challenges, and the lines of lists that name them."""

from pbm_holomino.letters.letter import Letter, command_line
from pbm_holomino.match.account import Player
from pbm_holomino.match.open_challenge import (
    ANYONE,
    ENDS,
    OpenChallenge,
    seats_in_words,
)
from pbm_holomino.match.record import TICKED, Act, Record
from pbm_holomino.sentences import fill, moment


def challenge_line(challenge: OpenChallenge) -> str:
    """Its number, its seats and its options, in a list."""
    head = f"  {challenge.record.name:12}  "
    text = f"{seats_in_words(challenge)}, until {challenge.lapses[:10]}"
    options = f"  {challenge.options}" if challenge.options else ""
    return fill(f"{text}{options}", head, " " * len(head))


def how_to_take(first: Record, userid: str) -> str:
    """How a player takes up a challenge in a list, such as the `first` one."""
    return fill(
        "To take one up, send a line like this, with its game and number, and your "
        "password:"
    ) + command_line(first.game, "accept", first.board, userid, "PASSWORD")


def readers(challenge: OpenChallenge, index: int) -> tuple[str, ...]:
    """The players who get a letter about a line of its log: its author, unless they are
    answered apart, and of its end all who have a seat."""
    line = challenge.record.log[index]
    players = challenge.seated if line.action in ENDS else (line.who,)
    return tuple(p for p in players if p != line.who or not line.answered_apart)


def about_challenge(challenge: OpenChallenge, index: int, player: Player) -> Letter:
    """The letter to a player about a line of its log."""
    record, reader = challenge.record, player.userid
    line = record.log[index]
    key = f"{record.game}.{record.board}"
    return Letter(
        key=f"{key}.{index}.{reader}",
        to=player.addresses,
        subject=f"{record.name}: {_SUBJECTS[line.action]}",
        text=challenge_text(challenge, index, reader),
        thread=f"{key}.0.{reader}",
        replied=line.who == reader and line.source != TICKED,
    )


_SUBJECTS: dict[object, str] = {
    Act.CHALLENGE: "an open challenge",
    Act.JOIN: "a seat in an open challenge",
    Act.DECLINE: "the open challenge was withdrawn",
    Act.LAPSE: "the open challenge has lapsed",
    Act.VOID: "the open challenge was cancelled",
}


def challenge_text(challenge: OpenChallenge, index: int, reader: str | None) -> str:
    """The text for a reader after a line of its log."""
    then = challenge.until(index + 1)
    record, line = then.record, then.record.log[-1]
    whose = "your" if reader == record.challenger else f"{record.challenger}'s"
    if line.action is Act.CHALLENGE:
        return _opened(then, reader)
    if line.action is Act.JOIN:
        more = "1 more player has"
        if then.missing > 1:
            more = f"{then.missing} more players have"
        return fill(
            f"You have a seat in {record.name}, {whose} open challenge to a game of "
            f"{record.rules.TITLE}: {seats_in_words(then)}. It begins when {more} "
            f"taken a seat, and otherwise lapses on {moment(then.lapses)}."
        )
    if line.action is Act.DECLINE:
        who = "You have" if reader == line.who else f"{line.who} has"
        return fill(f"{who} withdrawn the open challenge {record.name}.")
    if line.action is Act.VOID:
        return fill(
            "The owner of this server has cancelled the open challenge "
            f"{record.name} by {record.challenger}."
        )
    who = "Not enough players" if then.takers else "Nobody"
    text = fill(
        f"{who} took up {whose} open challenge {record.name} by "
        f"{moment(then.lapses)}, so it has lapsed."
    )
    if reader != record.challenger:
        return text
    again = (record.game, "challenge", *record.players, then.options)
    return f"{text}To open it again, send:\n" + command_line(*filter(None, again))


def _opened(challenge: OpenChallenge, reader: str | None) -> str:
    record = challenge.record
    whose = "Your" if reader == record.challenger else f"{record.challenger}'s"
    options = f" with {challenge.options}" if challenge.options else ""
    whom = "somebody" if record.players.count(ANYONE) == 1 else "everybody needed"
    return fill(
        f"{whose} open challenge to a game of {record.rules.TITLE}{options} is listed "
        f'by "list open" as {record.name}: {seats_in_words(challenge)}. It becomes a '
        f"board, of which its players get letters, as soon as {whom} has taken it up. "
        f"If that has not happened by {moment(challenge.lapses)}, it lapses."
    ) + (
        "To withdraw it before, send this line with your password:\n"
        + command_line(
            record.game, "decline", record.board, record.challenger, "PASSWORD"
        )
    )
