"""What people are written, as data.

The letters about a board are derived from its log: letter k to a player is a
function of the record and k, so that it can be written again at any time.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple

from pbm_holomino import rules
from pbm_holomino.letters import screen
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
from pbm_holomino.match.actions import OFFERED, is_for_the_challenge
from pbm_holomino.match.board import Match, headline
from pbm_holomino.match.deadlines import forfeit_time, lapse_time, waits
from pbm_holomino.match.queue import queued
from pbm_holomino.match.record import (
    NOBODY,
    OPENINGS,
    PRIVATE,
    TICKED,
    Act,
    Line,
    Record,
)
from pbm_holomino.match.replay import preview
from pbm_holomino.sentences import fill, listed, moment


class Letter(NamedTuple):
    """A letter to a player or a stranger. `key` names it for ever, `thread` is the
    key of the first letter that it belongs with; `answers` is the Message-ID of the
    mail that it answers; it is `replied` where its reader has asked for it; a reply to
    it goes to `reply_to`, if anybody is there; `trouble` says why it cannot be written
    yet. It is sent `once` if no log keeps what it could be written again from; a
    `stranger` is somebody who has given no password."""

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
    stranger: bool = False


# Sends a letter. It returns the addresses whose copies wait, and why they do: all
# others are dealt with.
Post = Callable[[Letter], Mapping[str, str]]


# About boards


def readers(match: Match, index: int) -> tuple[str, ...]:
    """The players who get a letter about a line of the log: all whom it concerns but
    one who is answered apart."""
    line, *more = match.record.log[index : match.last_told(index) + 1]
    is_private = all(told.action in PRIVATE for told in (line, *more))
    players = (line.who,) if is_private else match.record.players
    return tuple(p for p in players if p != line.who or not line.answered_apart)


def about_board(
    match: Match,
    index: int,
    player: Player,
    writer: Player | None = None,
    excluded: Collection[str] = (),
) -> Letter:
    """The letter to a player about a line of a board's log. Where the line is what
    somebody says, `writer` gets the reply to it, and the `excluded` do not get it.
    """
    record, reader = match.record, player.userid
    line = record.log[index]
    reply_to = "" if line.who == reader else address_of(writer)
    return Letter(
        key=board_key(record, index, reader),
        to=player.addresses,
        subject=board_subject(match, index, reader),
        text=board_text(match, index, reader, reply_to, player.blocked, excluded),
        thread=board_key(record, 0, reader),
        replied=line.who == reader and line.source != TICKED,
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
    takes_up = _takes_up(match, index)
    match = match.at(last)
    name, offer = match.record.name, match.offer
    if line.action == Act.CHAT and line.who != reader:
        return f"{name}: a word from {line.who}"
    if line.action in _SUBJECTS and line.who == reader and last == index:
        return f"{name}: {_SUBJECTS[line.action]}"
    if match.result is not None:
        return f"{name}: {headline(match)}"
    if offer is not None and reader not in (offer.who, *offer.accepted, *match.gone):
        return f"{name}: {offer.who} has {OFFERED[offer.kind]}"
    new = _NEW.get(line.action, "") if isinstance(line.action, Act) else ""
    if takes_up:
        new = f"{line.who} has accepted, " if line.who != reader else "accepted, "
    if reader in match.turn:
        return f"{name}: {new}your turn"
    return f"{name}: {new}{listed(match.turn)} to move"


def _takes_up(match: Match, index: int) -> bool:
    """Whether a line of the log accepts the challenge, and answers no offer."""
    line = match.record.log[index]
    return line.action == Act.ACCEPT and is_for_the_challenge(
        match.at(index - 1), line.who
    )


_NEW = {Act.CHALLENGE: "a new game, ", Act.REMATCH: "a rematch, "}
_SUBJECTS = {
    Act.CHAT: "your words",
    Act.QUEUE: "your queue",
    Act.SUBMIT: "to be confirmed",
    Act.NAG: "still your turn",
}


def board_text(
    match: Match,
    index: int,
    reader: str | None,
    reply_to: str = "",
    blocked: Collection[str] = (),
    excluded: Collection[str] = (),
) -> str:
    """What a player reads after a line of the log, and the queued moves that were
    played with it. A reply to what somebody says goes to `reply_to`, if anywhere. The
    words of players whom the reader has `blocked` are left out; `excluded` are those to
    whom what somebody says did not go."""
    record, line = match.record, match.record.log[index]
    then = match.at(match.last_told(index))
    note = record.notes.get(index, "")
    is_said = note and line.who != reader and line.action not in PRIVATE
    is_said = is_said and line.who not in blocked
    if line.action == Act.CHAT and line.who == reader:
        others = [p for p in record.players if p not in (reader, *excluded)]
        return fill(f"Your words have gone to {listed(others)}.")
    if line.action == Act.SUBMIT:
        return _submitted(then, line.who, note)
    parts = [
        _text_dropped(record, line, record.notes.get(index), reader or NOBODY),
        _not_heard(excluded) if note and line.who == reader and excluded else "",
        _said(record, line, note, reader, reply_to) if is_said else "",
        _first_words(then, line, reader),
        _queue_ended(match, index, reader),
        screen.screen(then, reader, since=index),
    ]
    return "\n".join(part for part in parts if part)


def _said(
    record: Record, line: Line, note: str, reader: str | None, reply_to: str
) -> str:
    text = f"{line.who} writes:\n{_indented(note)}"
    if line.action == Act.CHAT and reader:
        answer = f"{record.game} chat {record.board} {reader} PASSWORD"
        text += (
            "\nTo answer, send this line, with your password in it, and your words\n"
            f"in the mail:\n  {answer}\n"
        )
        if reply_to:
            text += fill(f"A reply to this letter goes to {line.who} alone.")
    return text


def _not_heard(excluded: Collection[str]) -> str:
    """What a player reads whose words do not reach all others."""
    has = "has" if len(excluded) == 1 else "have"
    names = listed(sorted(excluded))
    return fill(f"Your text has not reached {names}, who {has} blocked you.")


def _text_dropped(record: Record, line: Line, note: str | None, reader: str) -> str:
    """What a player reads first whose text was not kept with what they did."""
    if note != "" or line.who != reader:
        return ""
    return fill(
        "The text that you sent with this has not been passed on: you have used up "
        f"your share of the file of {record.name}."
    )


def _submitted(match: Match, who: str, move: str) -> str:
    move = move.partition("#")[0]
    shown = preview(match, move, who) or match
    words = f"{match.record.game} confirm {match.record.board} {who} PASSWORD"
    return (
        fill(
            f"This is how {match.record.name} would stand after {move}. Nothing has "
            "been played yet. To play it, send this line, with your password in it:"
        )
        + f"  {words}\n\n{screen.screen(shown, who)}"
    )


def _first_words(match: Match, line: Line, reader: str | None) -> str:
    if line.action in OPENINGS:
        return _opening(match, reader)
    if line.action == Act.QUEUE and line.who == reader:
        return _queue_sent(match, line.who)
    return _still_your_turn(match, line.who) if line.action == Act.NAG else ""


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


def reminder(match: Match, who: str) -> str:
    """What a player is written for whom one board waits."""
    record = match.record
    if who not in record.unanswered:
        return f"{_still_your_turn(match, who)}\n{screen.screen(match, who)}"
    asked = fill(
        f"{record.challenger} challenged you to a game of {match.rules.TITLE} on "
        f"{waits(match)[who].since[:10]}, and you have not answered yet."
    )
    return f"{asked}\n{_how_to_answer(match, who)}\n{screen.screen(match, who)}"


def _still_your_turn(match: Match, who: str) -> str:
    text = f"It has been your turn since {waits(match)[who].since[:10]}. "
    end = forfeit_time(match, who)
    if end:
        text += f"Please move before {moment(end)}, when your time runs out."
    return fill(text)


def _opening(match: Match, reader: str | None) -> str:
    record = match.record
    others = [player for player in record.players if player != reader]
    players = ["you", *others] if reader in record.players else others
    rematch = "A rematch: a" if record.log[0].action == Act.REMATCH else "A"
    text = fill(
        f"{rematch} new game of {match.rules.TITLE} for {listed(players)}. Its rules "
        f'are in "{record.game} help".'
    )
    return "\n".join(filter(None, (text, _challenge(match, reader))))


def _challenge(match: Match, reader: str | None) -> str:
    """What becomes of a new challenge, and what its reader can do about it."""
    record, lapses = match.record, lapse_time(match)
    if not lapses:
        return ""
    if reader in record.unanswered:
        called = "asks for a rematch" if _is_rematch(record) else "has challenged you"
        return _how_to_answer(match, reader, f"{record.challenger} {called}. ")
    asked, one = listed(record.unanswered), len(record.unanswered) == 1
    text = (
        f"{asked} {'has' if one else 'have'} until {moment(lapses)}, to move or "
        "accept; otherwise the challenge lapses, and the game counts for nobody."
    )
    if reader != record.challenger:
        return fill(text)
    text += (
        f" Until {asked if one else 'one of them'} answers or you move, you can "
        "withdraw it by sending this line, with your password in it:"
    )
    return f"{fill(text)}  {record.game} decline {record.board} {reader} PASSWORD\n"


def _is_rematch(record: Record) -> bool:
    return record.log[0].action == Act.REMATCH


def _how_to_answer(match: Match, who: str, first: str = "") -> str:
    """How a player who is asked takes up a challenge, or turns it down."""
    record = match.record
    game, board, challenger = record.game, record.board, record.challenger
    return (
        fill(
            f"{first}To accept, make your first move when it is your turn, or send "
            "this line, with your password in it:"
        )
        + f"  {game} accept {board} {who} PASSWORD\n"
        + fill(
            "To decline this challenge, to decline all that you have not answered, or "
            f"to hear no more from {challenger}:"
        )
        + f"  {game} decline {board} {who} PASSWORD\n"
        + f"  decline all {who} PASSWORD\n"
        + f"  block {who} PASSWORD {challenger}\n"
        + fill(
            f"If you do nothing, the challenge lapses on {moment(lapse_time(match))}, "
            "and the game counts for nobody."
        )
    )


def _indented(note: str) -> str:
    return "".join(fill(line, "  ") or "\n" for line in note.splitlines())


# About accounts


def about_account(
    player: Player, line: AccountLine, readers: Sequence[str] = ()
) -> list[Letter]:
    """The letters about a line of an account's log: to the player, unless they are
    answered apart, and to the addresses that their mail no longer goes to. `readers`
    are the players to whom the line is a letter."""
    key = account_key(player, line)
    letters = []
    if not line.answered_apart:
        text = account_text(player, line, readers)
        subject, thread = _account_subject(player, line)
        asked = line.source != TICKED
        letters.append(
            Letter(key, player.addresses, subject, text, thread, replied=asked)
        )
    now = player.addresses_after(line)
    answered = () if line.by_shell else now
    kind, words = line.action
    had = words if kind is Kind.ADDRESSES else ()
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


def _account_subject(player: Player, line: AccountLine) -> tuple[str, str]:
    """The subject of a letter about an account, and the thread that it belongs to: a
    reminder of one board, `!reminder holo 12 turn`, to that board's."""
    kind, words = line.action
    if kind not in LISTS:
        return f"{player.userid}: {_ACCOUNT_SUBJECTS[kind]}", ""
    *board, why = words or [TURN]
    about, thread = player.userid, ""
    if board:
        about, thread = " ".join(board), f"{'.'.join(board)}.0.{player.userid}"
    return f"{about}: {_WAITS[kind, why]}", thread


TURN, ASKED = "turn", "asked"  # what waits: their turn, or a challenge for an answer
_WAITS = {
    (Kind.WAITING, TURN): "it is your turn",
    (Kind.WAITING, ASKED): "challenges wait for your answer",
    (Kind.REMINDER, TURN): "still your turn",
    (Kind.REMINDER, ASKED): "still to be accepted or declined",
}


def message(player: Player, line: AccountLine, reader: Player) -> Letter:
    """The letter with what a player writes to another."""
    note = player.notes.get(line.no or 0, "")
    answer = f"  message {reader.userid} PASSWORD {player.userid}\n"
    everybody = " to everybody" if is_broadcast(line) else ""
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


def account_key(player: Player, line: AccountLine) -> str:
    """What names the letter to a player about a line of their account's log."""
    return f"players.{player.userid}.{line.no}"


def message_key(player: Player, line: AccountLine, reader: str) -> str:
    """What names the letter with what a player writes to another."""
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
    """What a player reads after a line of their account's log, which is a letter to
    these readers, if it is one."""
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
        return fill(f"Your message has gone to {names}.")
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
    'you until you sign up again, with the same password. "all show {userid}" tells '
    "which of your games go on.",
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
    "turn, and of the challenges that you have not answered; on days without any, "
    "there is no letter. The list takes the place of reminders.",
    "off": "There are no more digests for you, {userid}.",
}
_NO_DIGEST = """
For no more letters such as this one, send
  change digest {userid} PASSWORD off
"""


def _declined(declined: Declined) -> str:
    boards, left = declined
    word = "challenge" if len(boards) == 1 else "challenges"
    text = f"You have declined {len(boards)} {word}: {listed(boards)}. "
    if left:
        text += (
            f"That is the most at once; {left} more wait for your answer: please send "
            "the command again."
        )
    return fill(text)


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
