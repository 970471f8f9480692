"""The letters about an account, and players' messages to each other."""

from collections.abc import Sequence
from typing import NamedTuple

from pbm_holomino import rules
from pbm_holomino.letters.content import Paragraph, Words, content, said
from pbm_holomino.letters.letter import Letter
from pbm_holomino.match.account import (
    LISTS,
    MOST_READERS,
    AccountLine,
    Declined,
    Kind,
    Player,
    declined_by,
    is_broadcast,
)
from pbm_holomino.match.record import TICKED
from pbm_holomino.match.tokens import account_token
from pbm_holomino.sentences import fill, listed


def about_account(
    player: Player, line: AccountLine, key: bytes, readers: Sequence[str] = ()
) -> list[Letter]:
    """The letters about a line of an account's log: to the player, unless they are
    answered apart, and to addresses that the line has removed. `key` is the server's;
    `readers` are the players who get the line as a message."""
    name = account_key(player, line)
    letters = []
    if not line.answered_apart:
        text = account_text(player, line, readers)
        subject = _account_subject(player, line)
        asked = line.source != TICKED
        letters.append(
            Letter(
                name,
                player.addresses,
                subject,
                said(text),
                account_id(key, line, name, player.userid),
                player.format,
                replied=asked,
            )
        )
    now = player.addresses_after(line)
    answered = () if line.by_shell else now
    kind, words = line.action
    had = words if kind is Kind.ADDRESSES else ()
    old = tuple(address for address in had if address not in answered)
    if old:
        text = fill(
            f"From now on, the letters for {player.userid} go to "
            f"{listed(now) or 'no address'}. If that was not "
            "you, please write to the owner of this server."
        )
        subject = f"{player.userid}: new address"
        former = f"{name}.old"
        letter_id = account_id(key, line, former, "")
        letters.append(
            Letter(former, old, subject, said(text), letter_id, replied=False)
        )
    return letters


def _account_subject(player: Player, line: AccountLine) -> str:
    """The subject of a letter about an account."""
    kind, words = line.action
    if kind not in LISTS:
        return f"{player.userid}: {_ACCOUNT_SUBJECTS[kind]}"
    why = words[2] if len(words) > 2 else words[0] if words else TURN
    return f"{player.userid}: {_WAITS[kind, why]}"


class Reminded(NamedTuple):
    """The only board that a reminder is about, and the last line of its log then."""

    game: str
    board: int
    line: int


def board_of(line: AccountLine) -> Reminded | None:
    """The board that a reminder is about, `!reminder holo 12 turn 34`; None for other
    lines, and for reminders whose text is kept."""
    kind, words = line.action
    if kind is not Kind.REMINDER or len(words) != 4:
        return None
    game, board, _, last = words
    return Reminded(game, int(board), int(last))


TURN, ASKED = "turn", "asked"  # what a player has to do: move, or answer a challenge
_WAITS = {
    (Kind.WAITING, TURN): "it is your turn",
    (Kind.WAITING, ASKED): "challenges wait for your answer",
    (Kind.REMINDER, TURN): "still your turn",
    (Kind.REMINDER, ASKED): "still to be accepted or declined",
}


def message(player: Player, line: AccountLine, reader: Player, key: bytes) -> Letter:
    """The letter with a player's message to another. `key` is the server's."""
    note = player.notes.get(line.no or 0, "")
    everybody = " to everybody" if is_broadcast(line) else ""
    how = f"To answer, reply to this letter: it goes to {player.userid} alone."
    name = message_key(player, line, reader.userid)
    return Letter(
        key=name,
        to=reader.addresses,
        subject=f"a message from {player.userid}{everybody}",
        content=content(
            (Paragraph(f"{player.userid} writes{everybody}:"), Words(note)),
            (Paragraph(how),) if player.addresses else (),
        ),
        id=account_id(key, line, name, reader.userid),
        form=reader.format,
        replied=False,
    )


def account_id(key: bytes, line: AccountLine, name: str, reader: str) -> str:
    """The id of a letter of this name about a line of an account's log."""
    return f"{name}.{account_token(key, line, reader)}"


def account_key(player: Player, line: AccountLine) -> str:
    """The key of the letter to a player about a line of their account's log."""
    return f"players.{player.userid}.{line.no}"


def message_key(player: Player, line: AccountLine, reader: str) -> str:
    """The key of the letter with a player's message to another."""
    return f"{account_key(player, line)}.{reader}"


_ACCOUNT_SUBJECTS = {
    Kind.SIGNUP: "welcome",
    Kind.PASSWORD: "new password",
    Kind.ADDRESSES: "new address",
    Kind.SIGNOFF: "signed off",
    Kind.DELETE: "good-bye",
    Kind.MESSAGE: "your message",
    Kind.BROADCAST: "your message",
    Kind.DIGEST: "your digest",
    Kind.BLOCK: "a player blocked",
    Kind.UNBLOCK: "a player unblocked",
    Kind.DECLINED: "challenges declined",
}


def account_text(player: Player, line: AccountLine, readers: Sequence[str] = ()) -> str:
    """The text for a player after a line of their account's log; if the line is a
    message, it goes to these `readers`."""
    where = ", ".join(player.addresses_after(line))
    kind, words = line.action
    if kind is Kind.SIGNUP:
        letters = f"Your letters go to {where}. " if where else _NO_ADDRESS
        other = "alice" if player.userid == "bob" else "bob"
        games = "".join(f"  {game} help\n" for game in rules.names())
        steps = _FIRST_STEPS.format(userid=player.userid, other=other, games=games)
        return fill(f"Welcome, {player.userid}! {letters}") + steps
    if kind in (Kind.MESSAGE, Kind.BROADCAST):
        names = listed(readers) or "nobody"
        if len(readers) > MOST_READERS:
            names = f"{len(readers):,} other players"
        return fill(f"Sent to {names}.")
    if kind in LISTS:
        note = player.notes.get(line.no or 0, "")
        is_digest = kind is Kind.WAITING
        return note + _NO_DIGEST.format(userid=player.userid) * is_digest
    if kind is Kind.DECLINED:
        return _declined(declined_by(line))
    if kind is Kind.ADDRESSES:
        return fill(f"Your letters go to {where}." if where else _NO_ADDRESS)
    text = _DIGEST[words[0]] if kind is Kind.DIGEST else _SAID[kind]
    return fill(text.format(userid=player.userid, words=words))


_SAID = {
    Kind.SIGNOFF: "You have signed off, {userid}: no new games and no broadcasts reach "
    'you until you sign up again, with the same password. "all show {userid}" '
    "lists your games that go on.",
    Kind.DELETE: "Your account is removed, {userid}. Good-bye, and thank you.",
    Kind.PASSWORD: "Your password is changed, {userid}.",
    Kind.BLOCK: "{words[0]} is blocked, {userid}: no challenge, message or chat of "
    "theirs reaches you any more. The games that you are playing together go on. "
    '"unblock {userid} PASSWORD {words[0]}" ends this.',
    Kind.UNBLOCK: "{words[0]} is no longer blocked, {userid}: they can challenge and "
    "write to you again.",
}
_DIGEST = {
    "on": "Once a day, {userid}, you will get a list of the boards where it is your "
    "turn and of the challenges that you have not answered; on days without any "
    "there is no letter. The list replaces reminders.",
    "off": "You will get no more digests, {userid}.",
}
_NO_DIGEST = """
To stop these daily lists, send this line with your password:
  change digest {userid} PASSWORD off
"""


def _declined(declined: Declined) -> str:
    boards, left = declined
    word = "challenge" if len(boards) == 1 else "challenges"
    text = f"You have declined {len(boards)} {word}: {listed(boards)}. "
    if left:
        text += (
            f"That is the most at once, and {left} more wait for your answer: please "
            "send the command again."
        )
    return fill(text)


_NO_ADDRESS = (
    "You get no letters, as you have no mail address here. To give one, see "
    '"help change"; until then look at your boards with "all show". '
)
_FIRST_STEPS = """
To play against somebody who has signed up, such as {other}, send
  holo challenge {userid} {other}
To see the boards where it is your turn, send
  all show {userid} next
To be shown a first game, step by step, send
  help tutorial
For the rules of the games, send
{games}For everything else, send
  help
"""
