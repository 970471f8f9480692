"""The letters about a board.

They are derived from its log: the letter to a player about line k is a function of
the record and k, so that it can be written again at any time.
"""

from collections.abc import Collection

from pbm_holomino.letters import screen
from pbm_holomino.letters.letter import Letter, address_of, command_line, indented
from pbm_holomino.match.account import Player
from pbm_holomino.match.actions import OFFERED, is_for_the_challenge
from pbm_holomino.match.board import Match, headline
from pbm_holomino.match.deadlines import forfeit_time, lapse_time, waits
from pbm_holomino.match.queue import queued
from pbm_holomino.match.record import (
    DROPPED,
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


def readers(match: Match, index: int) -> tuple[str, ...]:
    """The players who get a letter about a line of the log: everybody it concerns,
    except its author if they are answered apart."""
    line, *more = match.record.log[index : match.last_told(index) + 1]
    is_private = all(covered.action in PRIVATE for covered in (line, *more))
    # an open challenge had one reader of each line before the last seat was taken
    is_early = index < match.record.began
    players = (line.who,) if is_private or is_early else match.record.players
    return tuple(p for p in players if p != line.who or not line.answered_apart)


def about_board(
    match: Match,
    index: int,
    player: Player,
    writer: Player | None = None,
    excluded: Collection[str] = (),
) -> Letter:
    """The letter to a player about a line of a board's log. Replies to a chat go to its
    `writer`, and the `excluded` players do not get its text."""
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


def board_key(record: Record, index: int, reader: str) -> str:
    """The key of the letter to a player about a line of a board's log."""
    return f"{record.game}.{record.board}.{index}.{reader}"


def board_subject(match: Match, index: int, reader: str) -> str:
    """The subject, which says what the letter wants: `holo 12: your turn`."""
    line, last = match.record.log[index], match.last_told(index)
    accepts = _accepts_challenge(match, index)
    match = match.at(last)
    name, offer = match.record.name, match.offer
    if line.action is Act.CHAT and line.who != reader:
        return f"{name}: a message from {line.who}"
    if line.action in _SUBJECTS and line.who == reader and last == index:
        return f"{name}: {_SUBJECTS[line.action]}"
    if match.result is not None:
        return f"{name}: {headline(match)}"
    if offer is not None and reader not in (offer.who, *offer.accepted, *match.gone):
        return f"{name}: {offer.who} has {OFFERED[offer.kind]}"
    turn = "your turn" if reader in match.turn else f"{listed(match.turn)} to move"
    return f"{name}: {_news(match.record, line, reader, accepts)}{turn}"


def _news(record: Record, line: Line, reader: str, accepts: bool) -> str:
    """The words in a subject before whose turn it is."""
    if accepts:
        return f"{line.who} has accepted, " if line.who != reader else "accepted, "
    if line.action in DROPPED:
        how = "resigned" if line.action is Act.RESIGN else "ran out of time"
        return f"{'you' if line.who == reader else line.who} {how}, "
    if line.action is Act.JOIN and reader == record.challenger:
        return f"{line.who} has taken up your challenge, "
    if line.action not in (*OPENINGS, Act.JOIN):
        return ""
    if reader in record.unanswered:
        return f"{record.challenger} {_called(record)}, "
    return "a rematch, " if line.action is Act.REMATCH else "a new game, "


def _accepts_challenge(match: Match, index: int) -> bool:
    """Whether a line of the log accepts the challenge rather than an offer."""
    line = match.record.log[index]
    return line.action is Act.ACCEPT and is_for_the_challenge(
        match.at(index - 1), line.who
    )


_SUBJECTS = {
    Act.CHAT: "your message",
    Act.QUEUE: "your queue",
    Act.UNQUEUE: "your queue",
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
    """The text for a reader after a line of the log, and the queued moves that were
    played with it. Replies to a chat go to `reply_to`, if it is not empty. Texts of
    players whom the reader has `blocked` are left out; `excluded` are the players who
    did not get the text."""
    record, line = match.record, match.record.log[index]
    then = match.at(match.last_told(index))
    note = record.notes.get(index, "")
    if line.action is Act.CHAT and line.who == reader:
        others = [p for p in record.players if p not in (reader, *excluded)]
        return fill(f"Sent to {listed(others)}.")
    if line.action is Act.SUBMIT:
        return _submitted(then, line.who, note)
    parts = [
        _text_dropped(record, line, record.notes.get(index), reader or NOBODY),
        _not_heard(excluded) if note and line.who == reader and excluded else "",
        *_heard(match, index, reader, reply_to, blocked),
        _first_words(then, line, reader),
        _queue_ended(match, index, reader),
        screen.screen(then, reader, since=0 if index <= record.began else index),
    ]
    return "\n".join(part for part in parts if part)


def _heard(
    match: Match,
    index: int,
    reader: str | None,
    reply_to: str,
    blocked: Collection[str],
) -> list[str]:
    """What others said with a line of the log; with that with which an open challenge
    began, also what they said before."""
    record, said = match.record, match.said
    first = 0 if index == record.began else index
    heard = [(record.log[i], said[i]) for i in range(first, index + 1) if i in said]
    return [
        _said(record, line, note, reader, reply_to)
        for line, note in heard
        if line.who not in (reader, *blocked)
    ]


def _said(
    record: Record, line: Line, note: str, reader: str | None, reply_to: str
) -> str:
    text = f"{line.who} writes:\n{indented(note)}"
    if line.action is Act.CHAT and reader:
        text += (
            "\nTo answer, send this line with your password, and your words in the\n"
            "text of the mail:\n"
        )
        text += command_line(record.game, "chat", record.board, reader, "PASSWORD")
        if reply_to:
            text += fill(f"A reply to this letter goes to {line.who} alone.")
    return text


def _not_heard(excluded: Collection[str]) -> str:
    """The sentence for a writer whose text did not reach everybody."""
    has = "has" if len(excluded) == 1 else "have"
    names = listed(sorted(excluded))
    return fill(f"Your text did not reach {names}, who {has} blocked you.")


def _text_dropped(record: Record, line: Line, note: str | None, reader: str) -> str:
    """The sentence for a writer whose text was not kept; otherwise empty."""
    if note != "" or line.who != reader:
        return ""
    return fill(
        "The text that you sent with this was not passed on: you have used up your "
        f"share of the file of {record.name}."
    )


def _submitted(match: Match, who: str, move: str) -> str:
    move = move.partition("#")[0]
    shown, record = preview(match, move, who) or match, match.record
    text = fill(
        f"This is how {record.name} would look after {move}. Nothing has been played "
        "yet. To play it, send this line with your password:"
    )
    text += command_line(record.game, "confirm", record.board, who, "PASSWORD")
    return f"{text}\n{screen.screen(shown, who)}"


def _first_words(match: Match, line: Line, reader: str | None) -> str:
    if line.action in OPENINGS or line.action is Act.JOIN:
        return _opening(match, reader)
    if line.action is Act.QUEUE and line.who == reader:
        return _queue_sent(match, line.who)
    if line.action is Act.UNQUEUE and line.who == reader:
        return fill(f"Your queue on {match.record.name} is empty now.")
    return _still_your_turn(match, line.who) if line.action is Act.NAG else ""


def _queue_sent(match: Match, who: str) -> str:
    left = queued(match, who)
    if not left:
        return ""
    return fill(
        f"Your queue on {match.record.name} is {listed(left)}. Each move is played "
        "when your turn comes; the first that is not possible then ends the queue."
    )


def _queue_ended(match: Match, index: int, reader: str | None) -> str:
    """The sentence for a reader whose queue ended because moves were taken back."""
    if match.took_back(index) and queued(match.at(index - 1), reader or ""):
        return fill("Your queue has ended because a move was taken back.")
    return ""


def reminder(match: Match, who: str) -> str:
    """The text that reminds a player of one board."""
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
    rematch = "A rematch: a" if record.log[0].action is Act.REMATCH else "A"
    text = fill(
        f"{rematch} new game of {match.rules.TITLE} for {listed(players)}. For the "
        f'rules, send "{record.game} help".'
    )
    return "\n".join(filter(None, (text, _challenge(match, reader))))


def _challenge(match: Match, reader: str | None) -> str:
    """What happens to a new challenge, and how its reader can answer it."""
    record, lapses = match.record, lapse_time(match)
    if not lapses:
        return ""
    if reader in record.unanswered:
        called = f"{record.challenger} {_called(record)}. "
        return _how_to_answer(match, reader, called)
    asked, one = listed(record.unanswered), len(record.unanswered) == 1
    text = (
        f"{asked} {'has' if one else 'have'} until {moment(lapses)} to move or accept; "
        "otherwise the challenge lapses and the game counts for nobody."
    )
    if reader != record.challenger:
        return fill(text)
    text += (
        f" Until {asked if one else 'one of them'} answers or you move, you can "
        "withdraw it. Send this line with your password:"
    )
    withdraw = (record.game, "decline", record.board, reader, "PASSWORD")
    return fill(text) + command_line(*withdraw)


def _called(record: Record) -> str:
    """What a challenger does, as a predicate."""
    is_rematch = record.log[0].action is Act.REMATCH
    return "asks for a rematch" if is_rematch else "challenges you"


def _how_to_answer(match: Match, who: str, first: str = "") -> str:
    """How a challenged player can accept or decline."""
    record = match.record
    game, board, challenger = record.game, record.board, record.challenger
    return (
        fill(
            f"{first}To accept, make your first move when it is your turn, or send "
            "this line with your password:"
        )
        + command_line(game, "accept", board, who, "PASSWORD")
        + fill(
            "To decline this challenge, to decline all challenges you have not "
            f"answered, or to hear no more from {challenger}:"
        )
        + command_line(game, "decline", board, who, "PASSWORD")
        + command_line("decline all", who, "PASSWORD")
        + command_line("block", who, "PASSWORD", challenger)
        + fill(
            f"If you do nothing, the challenge lapses on {moment(lapse_time(match))} "
            "and the game counts for nobody."
        )
    )
