"""The letters about an account, and players' messages to each other."""

from collections.abc import Sequence
from hashlib import sha256
from typing import NamedTuple

from pbm_holomino import rules
from pbm_holomino.languages import Sentence, sentence
from pbm_holomino.letters import absences
from pbm_holomino.letters.content import (
    Command,
    Content,
    Page,
    Paragraph,
    Words,
    content,
    said,
)
from pbm_holomino.letters.letter import Letter
from pbm_holomino.match.account import (
    ALL,
    DAILY,
    LISTS,
    PLACEHOLDER,
    TURNS,
    WORDS,
    AccountLine,
    Declined,
    Kind,
    Player,
    declined_by,
    is_broadcast,
)
from pbm_holomino.match.record import NOBODY
from pbm_holomino.sentences import fill, listed, moment


def former_addresses(player: Player, line: AccountLine) -> tuple[str, ...]:
    """The addresses that a line of the log has removed, and that are told so."""
    answered = () if line.by_shell else player.addresses_after(line)
    kind, words = line.action
    had = words if kind is Kind.ADDRESSES else ()
    return tuple(address for address in had if address not in answered)


def farewell(player: Player, line: AccountLine) -> Content:
    """What addresses are told that a line of the log has removed."""
    now = player.addresses_after(line)
    return said(
        fill(
            f"From now on, the letters for {player.userid} go to "
            f"{listed(now) or 'no address'}. If that was not "
            "you, please write to the owner of this server."
        )
    )


def account_subject(player: Player, line: AccountLine) -> Sentence:
    """The subject of a letter about an account."""
    kind, words = line.action
    if kind not in LISTS:
        return _ACCOUNT_SUBJECTS[kind].of(userid=player.userid)
    why = words[2] if len(words) > 2 else words[0] if words else TURN
    return _WAITS[kind, why].of(userid=player.userid)


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
    (Kind.WAITING, TURN): sentence("{userid}: it is your turn"),
    (Kind.WAITING, ASKED): sentence("{userid}: challenges wait for your answer"),
    (Kind.REMINDER, TURN): sentence("{userid}: still your turn"),
    (Kind.REMINDER, ASKED): sentence("{userid}: still to be accepted or declined"),
}


def message(player: Player, line: AccountLine) -> Content:
    """A player's message to another."""
    note = player.notes.get(line.no or 0, "")
    everybody = " to everybody" if is_broadcast(line) else ""
    how = f"To answer, reply to this letter: it goes to {player.userid} alone."
    return content(
        (Paragraph(f"{player.userid} writes{everybody}:"), Words(note)),
        (Paragraph(how),) if player.addresses else (),
    )


def forgotten_password(player: Player, word: str) -> Letter:
    """The letter with the word that takes the place of a forgotten password."""
    userid = player.userid
    asked = (
        f"Somebody, probably you, has asked for a new password for {userid}. To choose "
        "one, send this line, with your new password in place of NEW:"
    )
    rest = (
        "The word that begins with ~ takes the place of the password that you no "
        "longer know. It works once, and for an hour. If you have not asked for it, "
        "you need not do anything: your password has not changed, and this letter has "
        "gone to nobody else."
    )
    command = Command(f"change password {userid} {word} NEW")
    return Letter(
        key=f"players.{userid}.{sha256(word.encode()).hexdigest()[:16]}",
        to=player.addresses,
        subject=f"{userid}: a new password",
        content=content((Paragraph(asked), command), (Paragraph(rest),)),
        form=player.format,
        replied=False,
        once=True,
    )


def confirmation(userid: str, address: str, link: str) -> Letter:
    """The letter with the link by which somebody who wants to sign up in a browser
    shows that they read mail at this address."""
    asked = (
        f"Somebody, probably you, wants to play here as {userid}, with letters to this "
        "address. If it was you, open this page, and choose a password there:"
    )
    rest = (
        "The page is there for a day. If it was not you, you need not do anything: "
        "there is no account before a password has been chosen."
    )
    return Letter(
        key=f"players.{userid}.{sha256(link.encode()).hexdigest()[:16]}",
        to=(address,),
        subject=f"{userid}: please confirm your address",
        content=content((Paragraph(asked), Page(link)), (Paragraph(rest),)),
        form="html",
        replied=False,
        once=True,
        stranger=True,
    )


_ACCOUNT_SUBJECTS = {
    Kind.SIGNUP: sentence("{userid}: welcome"),
    Kind.PASSWORD: sentence("{userid}: new password"),
    Kind.ADDRESSES: sentence("{userid}: new address"),
    Kind.SIGNOFF: sentence("{userid}: signed off"),
    Kind.DELETE: sentence("{userid}: good-bye"),
    Kind.MESSAGE: sentence("{userid}: your message"),
    Kind.BROADCAST: sentence("{userid}: your message"),
    Kind.DIGEST: sentence("{userid}: your digest"),
    Kind.LETTERS: sentence("{userid}: your letters"),
    Kind.FORMAT: sentence("{userid}: your letters"),
    Kind.THREADS: sentence("{userid}: your letters"),
    Kind.BROADCASTS: sentence("{userid}: your letters"),
    Kind.LANGUAGE: sentence("{userid}: your language"),
    Kind.UNSUBSCRIBE: sentence("{userid}: your letters"),
    Kind.VACATION: sentence("{userid}: your vacation"),
    Kind.BLOCK: sentence("{userid}: a player blocked"),
    Kind.UNBLOCK: sentence("{userid}: a player unblocked"),
    Kind.DECLINED: sentence("{userid}: challenges declined"),
    Kind.UNTAKEN: sentence("{userid}: your open challenge"),
}


def account_text(
    player: Player, line: AccountLine, readers: Sequence[Player] = ()
) -> str:
    """The text for a player after a line of their account's log; `readers` are those to
    whom they have written with it."""
    where = ", ".join(player.addresses_after(line))
    kind, words = line.action
    if kind is Kind.SIGNUP:
        letters = f"Your letters go to {where}. " if where else _NO_ADDRESS
        other = "alice" if player.userid == "bob" else "bob"
        games = "".join(f"  {game} help\n" for game in rules.names())
        steps = _FIRST_STEPS.format(userid=player.userid, other=other, games=games)
        return fill(f"Welcome, {player.userid}! {letters}") + steps
    if kind in WORDS:
        return fill(_sent(line, readers))
    if kind in LISTS:
        note = player.notes.get(line.no or 0, "")
        return note + (_no_digest(player) if kind is Kind.WAITING else "")
    if kind is Kind.DECLINED:
        return _declined(declined_by(line))
    if kind is Kind.UNTAKEN:
        return _untaken(player.userid, *words)
    if kind is Kind.VACATION:
        return _vacation(player.userid, *words)
    if kind is Kind.ADDRESSES:
        return fill(f"Your letters go to {where}." if where else _NO_ADDRESS)
    if kind is Kind.DIGEST and words == ("off",) and player.letters == DAILY:
        return fill(_STILL_DAILY.format(userid=player.userid)) + _no_digest(player)
    if kind is Kind.UNSUBSCRIBE:
        return _unsubscribed(player.userid, *words)
    text = _CHOSEN[kind][words[0]] if kind in _CHOSEN else _SAID[kind]
    return fill(text.format(userid=player.userid, words=words))


def _sent(line: AccountLine, readers: Sequence[Player]) -> str:
    """To whom a player's words have gone."""
    if not is_broadcast(line):
        return absences.sent_to(line.action.words, readers)
    # who is signed on may have changed when the same mail comes again
    everybody = "Sent to all other players who are signed on."
    return f"{everybody} {absences.lost_on(readers)}".strip()


_SAID = {
    Kind.SIGNOFF: "You have signed off, {userid}: no new games and no broadcasts reach "
    'you until you sign up again, with the same password. "all show {userid}" '
    "lists your games that go on.",
    Kind.DELETE: "Your account is removed, {userid}. Good-bye, and thank you.",
    Kind.PASSWORD: "Your password is changed, {userid}.",
    Kind.LANGUAGE: "Your letters will be in English from now on, {userid}.",
    Kind.BLOCK: "{words[0]} is blocked, {userid}: no challenge, message or chat of "
    "theirs reaches you any more. The games that you are playing together go on. "
    '"unblock {userid} PASSWORD {words[0]}" ends this.',
    Kind.UNBLOCK: "{words[0]} is no longer blocked, {userid}: they can challenge and "
    "write to you again.",
}
_LIST = (
    "a list of the boards where it is your turn and of the challenges that you have "
    "not answered; on days without any there is no letter. The list replaces reminders."
)
_ALWAYS = (
    "the answers to your own commands, the ends of your games, and what other players "
    "write to you"
)
# What a player has chosen, by the word.
_CHOSEN = {
    Kind.DIGEST: {
        "on": f"Once a day, {{userid}}, you will get {_LIST}",
        "off": "You will get no more digests, {userid}.",
    },
    Kind.LETTERS: {
        ALL: "You will get every letter about your boards, {userid}.",
        TURNS: "You will get a letter about a board only if it asks something of you, "
        "{userid}: to move, or to answer an offer or a challenge. In any case you get "
        f"{_ALWAYS}.",
        DAILY: f"Once a day, {{userid}}, you will get {_LIST} Apart from it you get "
        f"only {_ALWAYS}.",
    },
    Kind.FORMAT: {
        "text": "Your letters will be plain text, {userid}.",
        "small": "Your letters will be plain text, {userid}, with the small board.",
        "html": "Your letters will be plain text and HTML, {userid}: your mail program "
        "shows the one that it prefers.",
        "picture": "Your letters will have a picture of the board, {userid}.",
    },
    Kind.BROADCASTS: {
        "on": "You will get what other players write to everybody, {userid}.",
        "off": "You will get no more broadcasts, {userid}.",
    },
    Kind.THREADS: {
        "on": "All letters about a board will have the same Subject, {userid}, so that "
        "your mail program keeps them together.",
        "off": "The Subject of a letter about a board will say what it wants, "
        "{userid}.",
    },
}


_STILL_DAILY = (
    "The daily list goes on, {userid}, as you have chosen it in place of other letters "
    "about your boards."
)


def _no_digest(player: Player) -> str:
    """How to stop the daily lists."""
    choice = ("letters", ALL) if player.letters == DAILY else ("digest", "off")
    (what, word), userid = choice, player.userid
    return (
        "\nTo stop these daily lists, send this line with your password:\n"
        + Command(f"change {what} {userid} {PLACEHOLDER} {word}").plain()
    )


def _unsubscribed(userid: str, letters: str = "") -> str:
    """What a player is told who gets no more digests and broadcasts; `letters` are
    those that come in place of the digest, if that took the place of others."""
    instead = "Other letters come as before"
    if letters:
        instead = "In their place, a letter comes when a board asks something of you"
    return (
        fill(
            f"You will get no more digests and no more broadcasts, {userid}. "
            f"{instead}. To get them again, send these lines with your password:"
        )
        + Command(f"change digest {userid} {PLACEHOLDER} on").plain()
        + Command(f"change broadcasts {userid} {PLACEHOLDER} on").plain()
    )


def _vacation(userid: str, until: str) -> str:
    """What a player is told whose vacation begins, or ends."""
    if until == NOBODY:
        return fill(
            f"Your vacation is over, {userid}: your time runs again on all your boards."
        )
    return (
        fill(
            f"Your vacation lasts until {moment(until)}, {userid}. Until then your "
            "time does not run on any board, and you get no reminders and no daily "
            "lists. Letters to players who wait for you say until when you are away. "
            "You can move all the same. To end it earlier, send this line with your "
            "password:"
        )
        + Command(f"change vacation {userid} {PLACEHOLDER} 0").plain()
    )


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


def _untaken(userid: str, challenge: str) -> str:
    """What a player is told whose open challenge nobody has taken up for a day."""
    game, _, number = challenge.partition(".")
    return (
        fill(
            f"Your open challenge {game} {number} still waits for players, {userid}. "
            "It stays open, and you need not do anything. To play right away, "
            "challenge the robot, which answers at any hour:"
        )
        + offered_robot(game, userid).plain()
    )


def offered_robot(game: str, userid: str) -> Command:
    """The command by which a player without an opponent plays against the robot."""
    return Command(f"{game} challenge {userid} robot")


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
