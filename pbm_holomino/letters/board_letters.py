"""The letters about a board.

They are derived from its log: the letter to a player about line k is a function of
the record and k, so that it can be written again at any time.
"""

from collections.abc import Collection, Iterable, Sequence
from itertools import islice

from pbm_holomino.languages import sentence, together
from pbm_holomino.letters import absences, screen
from pbm_holomino.letters.absences import away
from pbm_holomino.letters.content import (
    Command,
    Content,
    Paragraph,
    Part,
    Words,
    content,
    plain,
)
from pbm_holomino.letters.how_to_answer import full_command, how_to_send
from pbm_holomino.match.account import PLACEHOLDER, Player
from pbm_holomino.match.actions import OFFERED, is_for_the_challenge
from pbm_holomino.match.board import Match, headline
from pbm_holomino.match.deadlines import forfeit_time, lapse_time, waits
from pbm_holomino.match.queue import queued
from pbm_holomino.match.record import (
    DROPPED,
    NOBODY,
    OPENINGS,
    Act,
    Line,
    Record,
)
from pbm_holomino.match.replay import preview
from pbm_holomino.sentences import listed, moment


def readers(match: Match, index: int) -> tuple[str, ...]:
    """The players who get a letter about a line of the log: everybody it concerns,
    except its author if they are answered apart."""
    line = match.record.log[index]
    # an open challenge had one reader of each line before the last seat was taken
    is_early = index < match.record.began
    is_for_one = is_early or match.is_secret(index)
    players = (line.who,) if is_for_one else match.record.players
    return tuple(p for p in players if p != line.who or not line.answered_apart)


MOST_REFERENCES = 8  # to the last letters, beside that to the first


def lines_told(match: Match, index: int, reader: str) -> list[int]:
    """The last eight lines up to this one, the newest first and without the board's
    first, of which a reader got letters."""
    lines = (
        line
        for line in range(index, 0, -1)
        if not match.is_told_before(line) and reader in readers(match, line)
    )
    return list(islice(lines, MOST_REFERENCES))


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
    if record.pairing is not None:
        return f"{_round(record.pairing)}, "
    return "a rematch, " if line.action is Act.REMATCH else "a new game, "


def _round(pairing: tuple[int, int]) -> str:
    number, round_ = pairing
    return f"round {round_} of tournament {number}"


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


def board_content(
    match: Match,
    index: int,
    reader: str | None,
    by_reply: bool = False,
    blocked: Collection[str] = (),
    excluded: Collection[str] = (),
    hearers: Sequence[Player] = (),
) -> Content:
    """What a reader is told after a line of the log, and the queued moves that were
    played with it; they can answer `by_reply` to a letter, or by a command. Texts of
    players whom the reader has `blocked` are left out; `excluded` are the players who
    did not get the text, and `hearers` those to whom the reader has chatted."""
    record, line = match.record, match.record.log[index]
    then = match.at(match.last_told(index))
    note = record.notes.get(index, "")
    if line.action is Act.CHAT:
        if line.who == reader or reader is None:
            return _chatted(record, reader, excluded, hearers)
        return _chat(match, index, reader, by_reply, blocked)
    if line.action is Act.SUBMIT:
        return _submitted(then, line.who, note, by_reply)
    first = match.first_told(index)
    since = 0 if index <= record.began else first
    shown = screen.screen(then, reader, since=since, by_reply=by_reply)
    return content(
        _text_dropped(record, line, record.notes.get(index), reader or NOBODY),
        _not_heard(excluded) if note and line.who == reader and excluded else (),
        *_heard(match, index, reader, blocked),
        *_first_words(then, line, reader, by_reply),
        _queue_ended(match, index, reader),
        away(then, reader, line.time),
        *shown,
        *_robots_words(match, range(first, index + 1)),
    )


def board_text(match: Match, index: int, reader: str) -> str:
    """The text of the letter to a player about a line of the log."""
    return plain(board_content(match, index, reader, by_reply=True))


def _heard(
    match: Match, index: int, reader: str | None, blocked: Collection[str]
) -> Content:
    """What others said with a line of the log; with that with which an open challenge
    began, also what they said before."""
    record, said = match.record, match.said
    first = 0 if index == record.began else index
    heard = [(record.log[i], said[i]) for i in range(first, index + 1) if i in said]
    silent = (reader, *blocked, *record.robots)
    return tuple(_said(line, note) for line, note in heard if line.who not in silent)


def _robots_words(match: Match, lines: Iterable[int]) -> Content:
    """What robots say of the position, with which the letter ends."""
    log, said = match.record.log, match.said
    words = [(log[i].who, said[i]) for i in lines if i in said]
    robots = match.record.robots
    return tuple((Paragraph(f"{who}: {text}"),) for who, text in words if who in robots)


def _said(line: Line, note: str, where: str = "") -> Part:
    return Paragraph(f"{line.who} writes{where}:"), Words(note)


def _chat(
    match: Match,
    index: int,
    reader: str,
    by_reply: bool,
    blocked: Collection[str],
) -> Content:
    """Nothing but a player's words, and how to answer them."""
    record, line = match.record, match.record.log[index]
    note = "" if line.who in blocked else match.said.get(index, "")
    board = (
        'To see the board, reply with "show" in the first line, or send '
        f'"{record.game} show {record.board}".'
    )
    return content(
        _said(line, note, f" on {record.name}") if note else (),
        _how_to_chat(record, reader, by_reply),
        (Paragraph(board),),
    )


def _chatted(
    record: Record,
    writer: str | None,
    excluded: Collection[str],
    hearers: Sequence[Player],
) -> Content:
    """To whom the words of a chat have gone."""
    others = [p for p in record.people if p not in (writer, *excluded)]
    told = [*absences.sent_to(others, hearers)]
    told += [_DOES_NOT_READ.of(player=name) for name in record.robots]
    return content((Paragraph(together(told)),))


_DOES_NOT_READ = sentence("{player} is a robot, and does not read.")


def _how_to_chat(record: Record, reader: str, by_reply: bool) -> Part:
    if by_reply:
        others = [player for player in record.players if player != reader]
        return (
            Paragraph(f"To answer, reply to this letter: it goes to {listed(others)}."),
        )
    how = (
        "To answer, send this line with your password, and your words in the text of "
        "the mail:"
    )
    return Paragraph(how), Command(full_command(record, "chat", reader))


def _not_heard(excluded: Collection[str]) -> Part:
    """The sentence for a writer whose text did not reach everybody."""
    has = "has" if len(excluded) == 1 else "have"
    names = listed(sorted(excluded))
    return (Paragraph(f"Your text did not reach {names}, who {has} blocked you."),)


def _text_dropped(record: Record, line: Line, note: str | None, reader: str) -> Part:
    """The sentence for a writer whose text was not kept."""
    if note != "" or line.who != reader:
        return ()
    dropped = (
        "The text that you sent with this was not passed on: you have used up your "
        f"share of the space for {record.name}."
    )
    return (Paragraph(dropped),)


def _submitted(match: Match, who: str, move: str, by_reply: bool) -> Content:
    move = move.partition("#")[0]
    shown, record = preview(match, move, who) or match, match.record
    looks = (
        f"This is how {record.name} would look after {move}. Nothing has been played "
        "yet."
    )
    confirm = Command("confirm", full_command(record, "confirm", who))
    return content(
        (Paragraph(looks), *how_to_send("To play it,", by_reply, confirm)),
        *screen.screen(shown, who),
    )


def _first_words(
    match: Match, line: Line, reader: str | None, by_reply: bool
) -> Content:
    if line.action in OPENINGS or line.action is Act.JOIN:
        return _opening(match, reader, by_reply)
    if line.action is Act.QUEUE and line.who == reader:
        return content(_queue_sent(match, line.who))
    if line.action is Act.UNQUEUE and line.who == reader:
        empty = f"Your queue on {match.record.name} is empty now."
        return content((Paragraph(empty),))
    if line.action is Act.NAG:
        return content(_still_your_turn(match, line.who))
    return ()


def _queue_sent(match: Match, who: str) -> Part:
    left = queued(match, who)
    if not left:
        return ()
    sent = (
        f"Your queue on {match.record.name} is {listed(left)}. Each move is played "
        "when your turn comes; the first that is not possible then ends the queue."
    )
    return (Paragraph(sent),)


def _queue_ended(match: Match, index: int, reader: str | None) -> Part:
    """The sentence for a reader whose queue ended because moves were taken back."""
    if match.took_back(index) and queued(match.at(index - 1), reader or ""):
        return (Paragraph("Your queue has ended because a move was taken back."),)
    return ()


def reminder(match: Match, who: str) -> tuple[str, Content]:
    """The subject of the letter that reminds a player of a board, and what it says."""
    is_asked = who in match.record.unanswered
    asked = "still to be accepted or declined" if is_asked else "still your turn"
    return f"{match.record.name}: {asked}", _reminding(match, who)


def _reminding(match: Match, who: str) -> Content:
    record = match.record
    shown = screen.screen(match, who, by_reply=True)
    if who not in record.unanswered:
        return content(_still_your_turn(match, who), *shown)
    asked = (
        f"{record.challenger} challenged you to a game of {match.rules.TITLE} on "
        f"{waits(match)[who].since[:10]}, and you have not answered yet."
    )
    return content(
        (Paragraph(asked),), _how_to_answer(match, who, by_reply=True), *shown
    )


def _still_your_turn(match: Match, who: str) -> Part:
    text = f"It has been your turn since {waits(match)[who].since[:10]}. "
    end = forfeit_time(match, who)
    if end:
        text += f"Please move before {moment(end)}, when your time runs out."
    return (Paragraph(text.strip()),)


def _opening(match: Match, reader: str | None, by_reply: bool) -> Content:
    record = match.record
    others = [player for player in record.players if player != reader]
    players = ["you", *others] if reader in record.players else others
    lead = "A rematch: a" if record.log[0].action is Act.REMATCH else "A"
    if record.pairing is not None:
        lead = f"{_round(record.pairing).capitalize()}: a"
    new = (
        f"{lead} new game of {match.rules.TITLE} for {listed(players)}. For the "
        f'rules, send "{record.game} help".'
    )
    robots = (Paragraph(_about_robots(record)),) if record.robots else ()
    return content((Paragraph(new),), robots, _challenge(match, reader, by_reply))


def _about_robots(record: Record) -> str:
    """Which players are robots, how strong they are, and what the game is worth."""
    from pbm_holomino.match.robots import LEVELS, level_of  # few boards have them

    levels = [
        f"{who} is a robot, level {level_of(who)} of {len(LEVELS)}."
        for who in record.robots
    ]
    worth = "counts" if record.rated else "does not count"
    return f"{' '.join(levels)} The game {worth} in standings and ratings."


def _challenge(match: Match, reader: str | None, by_reply: bool) -> Part:
    """What happens to a new challenge, and how its reader can answer it."""
    record, lapses = match.record, lapse_time(match)
    if not lapses:
        return ()
    if reader in record.unanswered:
        called = f"{record.challenger} {_called(record)}. "
        return _how_to_answer(match, reader, by_reply, called)
    asked, one = listed(record.unanswered), len(record.unanswered) == 1
    text = (
        f"{asked} {'has' if one else 'have'} until {moment(lapses)} to move or accept; "
        "otherwise the challenge lapses and the game counts for nobody."
    )
    if reader != record.challenger:
        return (Paragraph(text),)
    lead = (
        f"Until {asked if one else 'one of them'} answers or you move, you can "
        "withdraw it. To do so,"
    )
    withdraw = Command("decline", full_command(record, "decline", reader))
    return (Paragraph(text), *how_to_send(lead, by_reply, withdraw))


def _called(record: Record) -> str:
    """What a challenger does, as a predicate."""
    is_rematch = record.log[0].action is Act.REMATCH
    return "asks for a rematch" if is_rematch else "challenges you"


def _how_to_answer(match: Match, who: str, by_reply: bool, first: str = "") -> Part:
    """How a challenged player can accept or decline."""
    record = match.record
    accept = Command("accept", full_command(record, "accept", who))
    decline = Command("decline", full_command(record, "decline", who))
    lead = f"{first}To accept, make your first move when it is your turn, or"
    more = (
        "To decline all challenges you have not answered, or to hear no more from "
        f"{record.challenger}, send one of these lines with your password:"
    )
    lapses = (
        f"If you do nothing, the challenge lapses on {moment(lapse_time(match))} "
        "and the game counts for nobody."
    )
    return (
        *how_to_send(lead, by_reply, accept),
        *how_to_send("To decline it,", by_reply, decline),
        Paragraph(more),
        Command(f"decline all {who} {PLACEHOLDER}"),
        Command(f"block {who} {PLACEHOLDER} {record.challenger}"),
        Paragraph(lapses),
    )
