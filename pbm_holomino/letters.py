"""What people are written, as data.

The letters about a board are derived from its log: letter k to a player is a
function of the record and k, so that it can be written again at any time.
"""

from typing import NamedTuple

from pbm_holomino import rules, screens
from pbm_holomino.acts import OFFERED
from pbm_holomino.ahead import queued
from pbm_holomino.board import (
    CHAT,
    NAG,
    OPENING,
    OPENINGS,
    PRIVATE,
    QUEUE,
    REMATCH,
    SUBMIT,
    Match,
    headline,
)
from pbm_holomino.clock import forfeit_time, waiting_since
from pbm_holomino.match import preview
from pbm_holomino.players import BROADCAST, MESSAGE, WAITING, Player, written_to
from pbm_holomino.record import TICKED, Line, Record
from pbm_holomino.words import fill, listed


class Letter(NamedTuple):
    """A letter to a player or a stranger. `key` names it for ever, `thread` is the
    key of the first letter that it belongs with; `answers` is the Message-ID of the
    mail that it answers; it is `replied` where its reader has asked for it; a reply to
    it goes to `reply_to`, if anybody is there; `trouble` says why it cannot be written
    yet. It is sent `once` if no log keeps what it could be written again from."""

    key: str
    to: tuple[str, ...] = ()
    subject: str = ""
    text: str = ""
    thread: str = ""
    answers: str = ""
    replied: bool = True
    reply_to: str = ""
    trouble: str = ""
    once: bool = False


# About boards


def readers(match: Match, index: int) -> tuple[str, ...]:
    """The players who get a letter about a line of the log: all whom it concerns but
    one who is answered apart."""
    line, *more = match.record.log[index : match.last_told(index) + 1]
    is_private = all(told.what in PRIVATE for told in (line, *more))
    players = (line.who,) if is_private else match.record.players
    return tuple(p for p in players if p != line.who or not line.answered_apart)


def about_board(
    match: Match, index: int, player: Player, writer: Player | None = None
) -> Letter:
    """The letter to a player about a line of a board's log. Where the line is what
    somebody says, `writer` gets the reply to it."""
    record, reader = match.record, player.userid
    line = record.log[index]
    reply_to = "" if line.who == reader else address_of(writer)
    return Letter(
        key=board_key(record, index, reader),
        to=player.addresses,
        subject=board_subject(match, index, reader),
        text=board_text(match, index, reader, reply_to),
        thread=board_key(record, 0, reader),
        replied=line.who == reader and line.id != TICKED,
        reply_to=reply_to,
    )


def address_of(player: Player | None) -> str:
    """The first address of a player, if they have one."""
    return player.addresses[0] if player and player.addresses else ""


def board_key(record: Record, index: int, reader: str) -> str:
    """What names the letter to a player about a line of a board's log."""
    return f"{record.game}.{record.board}.{index}.{reader}"


def board_subject(match: Match, index: int, reader: str) -> str:
    """It says what the letter about a line wants: `holo 12: your turn`."""
    line, last = match.record.log[index], match.last_told(index)
    match = match.at(last)
    name, offer = match.record.name, match.offer
    if line.what == CHAT and line.who != reader:
        return f"{name}: a word from {line.who}"
    if line.what in _SUBJECTS and line.who == reader and last == index:
        return f"{name}: {_SUBJECTS[line.what]}"
    if match.result is not None:
        return f"{name}: {headline(match)}"
    if offer is not None and reader not in (offer.who, *offer.accepted, *match.gone):
        return f"{name}: {offer.who} has {OFFERED[offer.kind]}"
    new = _NEW.get(line.what, "")
    if reader in match.turn:
        return f"{name}: {new}your turn"
    return f"{name}: {new}{listed(match.turn)} to move"


_NEW = {OPENING: "a new game, ", REMATCH: "a rematch, "}
_SUBJECTS = {
    CHAT: "your words",
    QUEUE: "your queue",
    SUBMIT: "to be confirmed",
    NAG: "still your turn",
}


def board_text(match: Match, index: int, reader: str | None, reply_to: str = "") -> str:
    """What a player reads after a line of the log, and the queued moves that were
    played with it. A reply to what somebody says goes to `reply_to`, if anywhere."""
    record, line = match.record, match.record.log[index]
    then = match.at(match.last_told(index))
    note = record.notes.get(index, "")
    is_said = note and line.who != reader and line.what not in PRIVATE
    if line.what == CHAT and line.who == reader:
        others = [player for player in record.players if player != reader]
        return fill(f"Your words have gone to {listed(others)}.")
    if line.what == SUBMIT:
        return _submitted(then, line.who, note)
    parts = [
        _said(record, line, note, reader, reply_to) if is_said else "",
        _first_words(then, line, reader),
        _queue_ended(match, index, reader),
        screens.screen(then, reader, since=index),
    ]
    return "\n".join(part for part in parts if part)


def _said(
    record: Record, line: Line, note: str, reader: str | None, reply_to: str
) -> str:
    text = f"{line.who} writes:\n{_indented(note)}"
    if line.what == CHAT and reader:
        answer = f"{record.game} chat {record.board} {reader} PASSWORD"
        text += (
            "\nTo answer, send this line, with your password in it, and your words\n"
            f"in the mail:\n  {answer}\n"
        )
        if reply_to:
            text += fill(f"A reply to this letter goes to {line.who} alone.")
    return text


def _submitted(match: Match, who: str, move: str) -> str:
    move = move.partition("#")[0]
    shown = preview(match, move, who) or match
    words = f"{match.record.game} confirm {match.record.board} {who} PASSWORD"
    return (
        fill(
            f"This is how {match.record.name} would stand after {move}. Nothing has "
            "been played yet. To play it, send this line, with your password in it:"
        )
        + f"  {words}\n\n{screens.screen(shown, who)}"
    )


def _first_words(match: Match, line: Line, reader: str | None) -> str:
    if line.what in OPENINGS:
        return _opening(match, reader)
    if line.what == QUEUE and line.who == reader:
        return _queue_sent(match, line.who)
    return _reminder(match, line.who) if line.what == NAG else ""


def _queue_sent(match: Match, who: str) -> str:
    left = queued(match, who)
    if not left:
        return ""
    return fill(
        f"Your queue on {match.record.name} is {listed(left)}. Each move is played "
        "when your turn comes; the first that cannot be played then ends the queue."
    )


def _queue_ended(match: Match, index: int, reader: str | None) -> str:
    """What a reader is told whose queue has ended as moves were taken back."""
    if match.took_back(index) and queued(match.at(index - 1), reader or ""):
        return fill("Your queue has ended, as a move was taken back.")
    return ""


def _reminder(match: Match, who: str) -> str:
    text = f"It has been your turn since {waiting_since(match, who)[:10]}. "
    end = forfeit_time(match, who)
    if end:
        when = f"{end[:10]}, {end[11:16]} UTC"
        text += f"Please move before {when}, when your time runs out."
    return fill(text)


def _opening(match: Match, reader: str | None) -> str:
    record = match.record
    others = [player for player in record.players if player != reader]
    players = ["you", *others] if reader in record.players else others
    rematch = "A rematch: a" if record.log[0].what == REMATCH else "A"
    return fill(
        f"{rematch} new game of {match.rules.TITLE} for {listed(players)}. Its rules "
        f'are in "{record.game} help".'
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
        asked = line.id != TICKED
        letters.append(Letter(key, player.addresses, subject, text, replied=asked))
    now = player.addresses_after(line)
    answered = () if line.by_shell else now
    had = line.what.split()[1:] if line.what.startswith("!addresses") else ()
    old = tuple(address for address in had if address not in answered)
    if old:
        text = fill(
            f"The letters for {player.userid} go to "
            f"{listed(now) or 'no address'} from now on. If that was not "
            "you, please write to the owner of this server."
        )
        subject = f"{player.userid}: new address"
        letters.append(Letter(f"{key}.old", old, subject, text, replied=False))
    return letters


def message(player: Player, line: Line, reader: Player) -> Letter:
    """The letter with what a player writes to another."""
    note = player.notes.get(line.no or 0, "")
    answer = f"  message {reader.userid} PASSWORD {player.userid}\n"
    everybody = " to everybody" if line.what.split()[0] == BROADCAST else ""
    return Letter(
        key=message_key(player, line, reader.userid),
        to=reader.addresses,
        subject=f"a message from {player.userid}{everybody}",
        text=f"{player.userid} writes{everybody}:\n{_indented(note)}\n"
        + ("To answer, reply, or send" if player.addresses else "To answer, send")
        + f" this line, with your password in it:\n{answer}",
        replied=False,
        reply_to=address_of(player),
    )


def account_key(player: Player, line: Line) -> str:
    """What names the letter to a player about a line of their account's log."""
    return f"players.{player.userid}.{line.no}"


def message_key(player: Player, line: Line, reader: str) -> str:
    """What names the letter with what a player writes to another."""
    return f"{account_key(player, line)}.{reader}"


_ACCOUNT_SUBJECTS = {
    "!signup": "welcome",
    "!password": "new password",
    "!addresses": "new address",
    "!signoff": "signed off",
    "!delete": "good-bye",
    MESSAGE: "your message",
    BROADCAST: "your message",
    "!digest": "your digest",
    WAITING: "it is your turn",
}


def account_text(player: Player, line: Line) -> str:
    """What a player reads after a line of their account's log."""
    where = ", ".join(player.addresses_after(line))
    if line.what == "!signup":
        letters = f"Your letters go to {where}. " if where else _NO_ADDRESS
        other = "alice" if player.userid == "bob" else "bob"
        games = "".join(f"  {game} help\n" for game in rules.names())
        steps = _FIRST_STEPS.format(userid=player.userid, other=other, games=games)
        return fill(f"Welcome, {player.userid}! {letters}") + steps
    if line.what.split()[0] in (MESSAGE, BROADCAST):
        names = listed(written_to(line)) or "nobody"
        return fill(f"Your message has gone to {names}.")
    if line.what == WAITING:
        return _WAITING.format(
            boards=player.notes.get(line.no or 0, ""), userid=player.userid
        )
    if line.what in _SAID:
        return fill(_SAID[line.what].format(userid=player.userid))
    if line.what == "!password":
        return fill(f"Your password is changed, {player.userid}.")
    return fill(f"Your letters go to {where}." if where else _NO_ADDRESS)


_SAID = {
    "!signoff": "You have signed off, {userid}: no new games and no broadcasts reach "
    'you until you sign up again, with the same password. "all show {userid}" tells '
    "which of your games go on.",
    "!digest on": "Once a day, {userid}, you will get a list of the boards where it is "
    "your turn; on days without any, there is no letter.",
    "!digest off": "There are no more digests for you, {userid}.",
    "!delete": "Your account is removed, {userid}. Good-bye, and thank you.",
}
_WAITING = """\
It is your turn on these boards:

{boards}
To see them all, send
  all show {userid} next
and for no more letters such as this one
  change digest {userid} PASSWORD off
"""
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
