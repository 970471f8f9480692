"""What people are written, as data.

The letters about a board are derived from its log: letter k to a player is a
function of the record and k, so that it can be written again at any time.
"""

from typing import NamedTuple

from pbm_holomino import rules, screens
from pbm_holomino.acts import WORDS
from pbm_holomino.board import CHAT, OPENING, Match, verdict
from pbm_holomino.players import Player
from pbm_holomino.record import Line, Record
from pbm_holomino.words import fill, listed


class Letter(NamedTuple):
    """A letter to a player or a stranger. `key` names it for ever, `thread` is the
    key of the first letter that it belongs with; `answers` is the Message-ID of the
    mail that it answers; a reply to it goes to `reply_to`, if anybody is there;
    `trouble` says why it cannot be written yet."""

    key: str
    to: tuple[str, ...] = ()
    subject: str = ""
    text: str = ""
    thread: str = ""
    answers: str = ""
    replied: bool = True
    reply_to: str = ""
    trouble: str = ""


# About boards


def readers(match: Match, index: int) -> tuple[str, ...]:
    """The players who get a letter about a line of the log: all but one who is
    answered apart."""
    line = match.record.log[index]
    apart = line.who if line.answered_apart else ""
    return tuple(player for player in match.record.players if player != apart)


def about_board(
    match: Match, index: int, player: Player, writer: Player | None = None
) -> Letter:
    """The letter to a player about a line of a board's log. Where the line is what
    somebody says, `writer` gets the reply to it."""
    then = match.at(index)
    record, reader = then.record, player.userid
    return Letter(
        key=board_key(record, index, reader),
        to=player.addresses,
        subject=board_subject(then, reader),
        text=board_text(then, reader),
        thread=board_key(record, 0, reader),
        replied=record.log[-1].who == reader,
        reply_to="" if record.log[-1].who == reader else address_of(writer),
    )


def address_of(player: Player | None) -> str:
    """The first address of a player, if they have one."""
    return player.addresses[0] if player and player.addresses else ""


def board_key(record: Record, index: int, reader: str) -> str:
    """What names the letter to a player about a line of a board's log."""
    return f"{record.game}.{record.board}.{index}.{reader}"


def board_subject(match: Match, reader: str) -> str:
    """It says what the letter wants: `holo 12: your turn`."""
    name, last, offer = match.record.name, match.record.log[-1], match.offer
    if last.what == CHAT and last.who != reader:
        return f"{name}: a word from {last.who}"
    if match.result is not None:
        return f"{name}: {verdict(match)}"
    if offer is not None and reader not in (offer.who, *offer.accepted, *match.gone):
        return f"{name}: {offer.who} has {WORDS[offer.kind]}"
    new = "a new game, " if last.what == OPENING else ""
    if reader in match.turn:
        return f"{name}: {new}your turn"
    return f"{name}: {new}{listed(match.turn)} to move"


def board_text(match: Match, reader: str | None) -> str:
    """What a player reads after the last line of the log."""
    record = match.record
    line = record.log[-1]
    if line.what == CHAT and line.who == reader:
        others = [player for player in record.players if player != reader]
        return fill(f"Your words have gone to {listed(others)}.")
    text = screens.screen(match, reader)
    if line.what == OPENING:
        text = _opening(match, reader) + "\n" + text
    note = record.notes.get(len(record.log) - 1)
    if note and line.who != reader:
        text = f"{line.who} writes:\n{_indented(note)}\n{text}"
    return text


def _opening(match: Match, reader: str | None) -> str:
    record = match.record
    others = [player for player in record.players if player != reader]
    you = "you and " if reader in record.players else ""
    return fill(
        f"A new game of {match.rules.TITLE} for {you}{listed(others)}. Its rules are "
        f'in "{record.game} help".'
    )


def _indented(note: str) -> str:
    return "".join(fill(line, "  ") or "\n" for line in note.splitlines())


# About accounts


def about_account(player: Player, line: Line) -> list[Letter]:
    """The letters about a line of an account's log: to the player, unless they are
    answered apart, and to the addresses that their mail no longer goes to."""
    key = account_key(player, line)
    letters = []
    if not line.answered_apart:
        text = account_text(player, line)
        subject = f"{player.userid}: {_ACCOUNT_SUBJECTS[line.what.split()[0]]}"
        letters.append(Letter(key, player.addresses, subject, text))
    answered = () if line.id == "-" else player.addresses
    had = line.what.split()[1:] if line.what.startswith("!addresses") else ()
    old = tuple(address for address in had if address not in answered)
    if old:
        text = fill(
            f"The letters for {player.userid} go to "
            f"{listed(player.addresses) or 'no address'} from now on. If that was not "
            "you, please write to the owner of this server."
        )
        subject = f"{player.userid}: new address"
        letters.append(Letter(f"{key}.old", old, subject, text, replied=False))
    return letters


def message(player: Player, line: Line, reader: Player) -> Letter:
    """The letter with what a player writes to another."""
    note = player.notes.get(line.no or 0, "")
    answer = f"  message {reader.userid} PASSWORD {player.userid}\n"
    return Letter(
        key=f"{account_key(player, line)}.{reader.userid}",
        to=reader.addresses,
        subject=f"a message from {player.userid}",
        text=f"{player.userid} writes:\n{_indented(note)}\n"
        + ("To answer, reply, or send" if player.addresses else "To answer, send")
        + f" this line, with your password in it:\n{answer}",
        replied=False,
        reply_to=address_of(player),
    )


def account_key(player: Player, line: Line) -> str:
    """What names the letter to a player about a line of their account's log."""
    return f"players.{player.userid}.{line.no}"


_ACCOUNT_SUBJECTS = {
    "!signup": "welcome",
    "!password": "new password",
    "!addresses": "new address",
    "!signoff": "signed off",
    "!delete": "good-bye",
    "!message": "your message",
}


def account_text(player: Player, line: Line) -> str:
    """What a player reads after a line of their account's log."""
    where = ", ".join(player.addresses)
    if line.what == "!signup":
        letters = f"Your letters go to {where}. " if where else _NO_ADDRESS
        other = "alice" if player.userid == "bob" else "bob"
        games = "".join(f"  {game} help\n" for game in rules.names())
        steps = _FIRST_STEPS.format(userid=player.userid, other=other, games=games)
        return fill(f"Welcome, {player.userid}! {letters}") + steps
    if line.what.startswith("!message"):
        names = listed(line.what.split()[1:]) or "nobody"
        return fill(f"Your message has gone to {names}.")
    if line.what in _SAID:
        return fill(_SAID[line.what].format(userid=player.userid))
    if line.what == "!password":
        return fill(f"Your password is changed, {player.userid}.")
    return fill(f"Your letters go to {where}." if where else _NO_ADDRESS)


_SAID = {
    "!signoff": "You have signed off, {userid}: no new games and no broadcasts reach "
    'you until you sign up again, with the same password. "all show {userid}" tells '
    "which of your games go on.",
    "!delete": "Your account is removed, {userid}. Good-bye, and thank you.",
}
_NO_ADDRESS = (
    "No letters go to you, as you have no mail address here: see "
    '"help change", and look at your boards with "all show" meanwhile. '
)
_FIRST_STEPS = """
To play against somebody who has signed up, say {other}, send
  holo challenge {userid} {other}
and to see the boards where it is your turn
  all show {userid} next
The rules of the games are in
{games}and everything else in
  help
"""
