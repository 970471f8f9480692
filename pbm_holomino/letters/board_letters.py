"""The letters about a board.

They are derived from its log: the letter to a player about line k is a function of
the record and k, so that it can be written again at any time.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice

from pbm_holomino.languages import (
    Day,
    InARow,
    Listed,
    Moment,
    Sentence,
    of_number,
    of_player,
    sentence,
    together,
)
from pbm_holomino.letters import absences, screen
from pbm_holomino.letters.absences import away
from pbm_holomino.letters.content import (
    WRITES,
    Command,
    Content,
    Paragraph,
    Part,
    Subheading,
    Words,
    content,
    heard,
)
from pbm_holomino.letters.how_to_answer import (
    TO_PLAY_IT,
    Ways,
    full_command,
    how_to_send,
)
from pbm_holomino.match.account import PLACEHOLDER, Player
from pbm_holomino.match.actions import HAS_OFFERED, is_for_the_challenge
from pbm_holomino.match.board import Match
from pbm_holomino.match.deadlines import forfeit_time, lapse_time, waits
from pbm_holomino.match.queue import ahead, queued, ran_out, tree
from pbm_holomino.match.record import (
    DROPPED,
    NOBODY,
    OPENINGS,
    Act,
    Line,
    Record,
)
from pbm_holomino.match.replay import preview
from pbm_holomino.match.trees import Path, contradictions, paths
from pbm_holomino.match.verdicts import headline

# What the Subject of a letter says of its board.
_SUBJECT = sentence("{board}: {news}")
_YOUR_TURN = sentence("your turn")
_TO_MOVE = sentence("{players} to move")
_STILL = sentence("still your turn")
_STILL_ASKED = sentence("still to be accepted or declined")
_A_MESSAGE = sentence("a message from {player}")
_SUBJECTS = {
    Act.CHAT: sentence("your message"),
    Act.QUEUE: sentence("your queue"),
    Act.UNQUEUE: sentence("your queue"),
    Act.SUBMIT: sentence("to be confirmed"),
    Act.NAG: _STILL,
}
_HAS_ACCEPTED = of_player("accepted", "{player} has accepted")
_DROPPED = {
    Act.RESIGN: of_player("you resigned", "{player} resigned"),
    Act.FORFEIT: of_player("you ran out of time", "{player} ran out of time"),
}
_TAKEN_UP = sentence("{player} has taken up your challenge")
_CALLED = sentence("{player} challenges you")
_CALLED_AGAIN = sentence("{player} asks for a rematch")
_NEW_ROUND = sentence("round {round} of tournament {tournament}")
_A_REMATCH = sentence("a rematch")
_A_NEW_GAME = sentence("a new game")

# What a new board is.
_NEW = sentence("A new game of {game} for {players}.")
_NEW_WITH_YOU = of_number(
    "A new game of {game} for you and {players}.",
    "A new game of {game} for you, {players}.",
)
_NEW_REMATCH = sentence("A rematch: a new game of {game} for {players}.")
_NEW_REMATCH_WITH_YOU = of_number(
    "A rematch: a new game of {game} for you and {players}.",
    "A rematch: a new game of {game} for you, {players}.",
)
_NEW_IN_ROUND = sentence(
    "Round {round} of tournament {tournament}: a new game of {game} for {players}."
)
_NEW_IN_ROUND_WITH_YOU = of_number(
    "Round {round} of tournament {tournament}: a new game of {game} for you and "
    "{players}.",
    "Round {round} of tournament {tournament}: a new game of {game} for you, "
    "{players}.",
)
_RULES = sentence("For the rules, send {command}.")
_LEVEL = sentence("{robot} is a robot, level {level} of {levels}.")
_COUNTS = sentence("The game counts in standings and ratings.")
_NEVER_COUNTS = sentence("The game does not count in standings and ratings.")

# What happens to a challenge, and how to answer it.
_CHALLENGES = sentence("{player} challenges you.")
_ASKS_AGAIN = sentence("{player} asks for a rematch.")
_TO_ACCEPT = Ways(
    sentence(
        "To accept, make your first move when it is your turn, or reply to this letter "
        "with this in its first line:"
    ),
    sentence(
        "To accept, make your first move when it is your turn, or send this line with "
        "your password:"
    ),
)
_TO_DECLINE = Ways(
    sentence("To decline it, reply to this letter with this in its first line:"),
    sentence("To decline it, send this line with your password:"),
)
_TO_DECLINE_MORE = sentence(
    "To decline all challenges you have not answered, or to hear no more from "
    "{player}, send one of these lines with your password:"
)
_LAPSES = sentence(
    "If you do nothing, the challenge lapses on {when}, and there is no game."
)
_ASKED_UNTIL = of_number(
    "{players} has until {when} to move or accept; otherwise the challenge lapses, "
    "and there is no game.",
    "{players} have until {when} to move or accept; otherwise the challenge lapses, "
    "and there is no game.",
)
_CAN_WITHDRAW = of_number(
    "Until {players} answers or you move, you can withdraw it.",
    "Until one of them answers or you move, you can withdraw it.",
)
_TO_WITHDRAW = Ways(
    sentence("To do so, reply to this letter with this in its first line:"),
    sentence("To do so, send this line with your password:"),
)


def readers(match: Match, index: int) -> tuple[str, ...]:
    """The players who get a letter about a line of the log: everybody it concerns,
    except its author if they are answered apart."""
    line = match.record.log[index]
    if line.action is Act.EXCUSED:
        return ()
    # an open challenge had one reader of each line before the last seat was taken
    is_early = index < match.record.began
    is_for_one = is_early or match.is_secret(index)
    players = (line.who,) if is_for_one else match.record.players
    if line.answered_apart:
        players = tuple(player for player in players if player != line.who)
    return players


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


def board_subject(match: Match, index: int, reader: str) -> Sentence:
    """The subject, which says what the letter wants: `holo 12: your turn`."""
    line, last = match.record.log[index], match.last_told(index)
    accepts = _accepts_challenge(match, index)
    match = match.at(last)
    if line.action is Act.CHAT and line.who != reader:
        return subject(match, _A_MESSAGE.of(player=line.who))
    if line.action in _SUBJECTS and line.who == reader and last == index:
        return subject(match, _SUBJECTS[line.action])
    if match.result is not None:
        return subject(match, headline(match))
    offer = match.offer
    if offer is not None and reader not in (offer.who, *offer.accepted, *match.gone):
        return subject(match, HAS_OFFERED[offer.kind].of(player=offer.who))
    is_theirs = reader in match.turn
    turn = _YOUR_TURN if is_theirs else _TO_MOVE.of(players=Listed(match.turn))
    return subject(match, *_news(match.record, line, reader, accepts), turn)


def subject(match: Match, *news: Sentence) -> Sentence:
    """The subject of a letter with these news of a board, or an open challenge."""
    return _SUBJECT.of(board=match.record.name, news=InARow(news))


def _news(record: Record, line: Line, reader: str, accepts: bool) -> Iterator[Sentence]:
    """What a subject says before whose turn it is, if anything."""
    if accepts:
        yield _HAS_ACCEPTED.to(reader, line.who)
    elif line.action in DROPPED:
        yield _DROPPED[line.action].to(reader, line.who)
    elif line.action is Act.JOIN and reader == record.challenger:
        yield _TAKEN_UP.of(player=line.who)
    elif line.action not in (*OPENINGS, Act.JOIN):
        return
    elif reader in record.unanswered:
        called = _CALLED_AGAIN if _is_rematch(record) else _CALLED
        yield called.of(player=record.challenger)
    elif record.pairing is not None:
        tournament, number = record.pairing
        yield _NEW_ROUND.of(round=number, tournament=tournament)
    else:
        yield _A_REMATCH if line.action is Act.REMATCH else _A_NEW_GAME


def _is_rematch(record: Record) -> bool:
    return record.log[0].action is Act.REMATCH


def _accepts_challenge(match: Match, index: int) -> bool:
    """Whether a line of the log accepts the challenge rather than an offer."""
    line = match.record.log[index]
    return line.action is Act.ACCEPT and is_for_the_challenge(
        match.at(index - 1), line.who
    )


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
    note = record.notes.get(index)
    if line.action is Act.CHAT:
        if line.who == reader or reader is None:
            return _chatted(record, reader, excluded, hearers)
        return _chat(match, index, reader, by_reply, blocked)
    if line.action is Act.SUBMIT:
        return _submitted(then, line.who, note or "", by_reply)
    return content(
        _text_dropped(record, line, note, reader or NOBODY),
        _not_heard(excluded) if note and line.who == reader and excluded else (),
        *_first_words(then, index, reader),
        _queue_ended(match, index, reader),
        *_board(match, then, index, reader, by_reply, blocked),
    )


def _board(
    match: Match,
    then: Match,
    index: int,
    reader: str | None,
    by_reply: bool,
    blocked: Collection[str],
) -> Content:
    """The board as it was `then`, after a line of the log, and what came with it."""
    line, first = match.record.log[index], match.first_told(index)
    asked: Content = ()
    if line.action in OPENINGS or line.action is Act.JOIN:
        asked = _opening(then, reader, by_reply)
    elif line.action is Act.NAG:
        asked = content(_still_your_turn(then, line.who))
    robots_words = _robots_words(match, range(first, index + 1))
    return screen.screen(
        then,
        reader,
        since=0 if index <= match.record.began else first,
        by_reply=by_reply,
        asked=asked,
        told=away(then, reader, line.time),
        said=(*_heard(match, index, reader, blocked), *robots_words),
    )


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
    """What robots say of the position."""
    log, said = match.record.log, match.said
    words = [(log[i].who, said[i]) for i in lines if i in said]
    robots = match.record.robots
    return tuple(
        (Subheading(WRITES.of(player=who)), Paragraph(heard(text)))
        for who, text in words
        if who in robots
    )


def _said(line: Line, note: str) -> Part:
    return Subheading(WRITES.of(player=line.who)), Words(note)


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
    writes = sentence("{player} writes on {board}:", player=line.who, board=record.name)
    how = sentence(
        'To see the board, reply with "show" in the first line, or send {command}.',
        command=f'"{record.game} show {record.board}"',
    )
    return content(
        (Paragraph(writes), Words(note)) if note else (),
        _how_to_chat(record, reader, by_reply),
        (Paragraph(how),),
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
    told += [_DOES_NOT_READ.of(robot=name) for name in record.robots]
    return content((Paragraph(together(told)),))


_DOES_NOT_READ = sentence("{robot} is a robot, and does not read.")


def _how_to_chat(record: Record, reader: str, by_reply: bool) -> Part:
    if by_reply:
        others = Listed(player for player in record.players if player != reader)
        how = sentence(
            "To answer, reply to this letter: it goes to {players}.", players=others
        )
        return (Paragraph(how),)
    how = sentence(
        "To answer, send this line with your password, and your words in the text of "
        "the mail:"
    )
    return Paragraph(how), Command(full_command(record, "chat", reader))


def _not_heard(excluded: Collection[str]) -> Part:
    """The sentence for a writer whose text did not reach everybody."""
    said = of_number(
        "Your text did not reach {players}, who has blocked you.",
        "Your text did not reach {players}, who have blocked you.",
        n=len(excluded),
        players=Listed(sorted(excluded)),
    )
    return (Paragraph(said),)


def _text_dropped(record: Record, line: Line, note: str | None, reader: str) -> Part:
    """The sentence for a writer whose text was not kept."""
    if note != "" or line.who != reader:
        return ()
    dropped = sentence(
        "The text that you sent with this was not passed on: you have used up your "
        "share of the space for {board}.",
        board=record.name,
    )
    return (Paragraph(dropped),)


def _submitted(match: Match, who: str, move: str, by_reply: bool) -> Content:
    move = move.partition("#")[0]
    shown, record = preview(match, move, who) or match, match.record
    looks = sentence(
        "This is how {board} would look after {move}. Nothing has been played yet.",
        board=record.name,
        move=move,
    )
    confirm = Command("confirm", full_command(record, "confirm", who))
    return content(
        (Paragraph(looks), *how_to_send(TO_PLAY_IT, by_reply, confirm)),
        *screen.screen(shown, who),
    )


def _first_words(match: Match, index: int, reader: str | None) -> Content:
    line = match.log[index]
    if line.action is Act.QUEUE and line.who == reader:
        return content(_queue_sent(match, index, line.who))
    if line.action is Act.UNQUEUE and line.who == reader:
        name = match.record.name
        empty = sentence("Your queue on {board} is empty now.", board=name)
        return content((Paragraph(empty),))
    return ()


def _queue_sent(match: Match, index: int, who: str) -> Part:
    left, board = queued(match, who), match.record.name
    if left:
        sent = _QUEUE_SENT.of(board=board, moves=Listed(left))
        return (Paragraph(sent),)
    if not tree(match, who):
        return ()
    lines = paths(match.record.notes[index].split())
    return (Paragraph(together([_TREE_SENT.of(board=board), *_contradicting(lines)])),)


_QUEUE_SENT = sentence(
    "Your queue on {board} is {moves}. Each move is played when your turn comes; "
    "the first that is not possible then ends the queue."
)
_TREE_SENT = sentence(
    "Your answers ahead on {board} are kept. When your turn comes, the first line that "
    "fits what has been played is played on; if none fits, or its move is not possible "
    "then, they end."
)


def _contradicting(lines: Sequence[Path]) -> Iterator[Sentence]:
    """Which lines never come to their turn, as an earlier one answers the same."""
    for first, later in contradictions(lines)[:_MOST_TOLD]:
        yield _CONTRADICT.of(first=first, later=later)


_MOST_TOLD = 5
_CONTRADICT = sentence(
    "Lines {first} and {later} answer the same with different moves: line {first} "
    "counts."
)


def _queue_ended(match: Match, index: int, reader: str | None) -> Part:
    """The sentence for a reader whose queue ended with a line of the log, or with the
    queued moves that were played with it, but for one that could not be played."""
    if reader is None:
        return ()
    before = match.at(index - 1) if match.took_back(index) else match
    if before is not match and (sent := ahead(before, reader)).lines:
        return (Paragraph(_TREE_TAKEN_BACK if sent.is_tree else _QUEUE_TAKEN_BACK),)
    told = range(index, match.last_told(index) + 1)
    ran = next(filter(None, (ran_out(match, each, reader) for each in told)), ())
    return (Paragraph(_RAN_OUT.of(moves=Listed(ran))),) if ran else ()


_QUEUE_TAKEN_BACK = sentence("Your queue has ended because a move was taken back.")
_TREE_TAKEN_BACK = sentence(
    "Your answers ahead have ended because a move was taken back."
)
_RAN_OUT = sentence(
    "Your answers ahead came true up to the end of a line, and have ended: {moves}."
)


def reminder(match: Match, who: str) -> tuple[Sentence, Content]:
    """The subject of the letter that reminds a player of a board, and what it says."""
    news = _STILL_ASKED if who in match.record.unanswered else _STILL
    return subject(match, news), _reminding(match, who)


def _reminding(match: Match, who: str) -> Content:
    asked = content(_still_your_turn(match, who))
    if who in match.record.unanswered:
        called = _CALLED_ON.of(
            player=match.record.challenger,
            game=match.rules.TITLE,
            day=Day(waits(match)[who].since),
        )
        asked = content(_how_to_answer(match, who, True, called))
    return screen.screen(match, who, by_reply=True, asked=asked)


_CALLED_ON = sentence(
    "{player} challenged you to a game of {game} on {day}, and you have not answered "
    "yet."
)
_MOVE_BEFORE = sentence("Please move before {when}, when your time runs out.")


def _still_your_turn(match: Match, who: str) -> Part:
    since, end = Day(waits(match)[who].since), forfeit_time(match, who)
    said = [sentence("It has been your turn since {day}.", day=since)]
    if end:
        said.append(_MOVE_BEFORE.of(when=Moment(end)))
    return (Paragraph(together(said)),)


def _opening(match: Match, reader: str | None, by_reply: bool) -> Content:
    record = match.record
    others = [player for player in record.players if player != reader]
    to_them, to_others = _NEW_WITH_YOU, _NEW
    if _is_rematch(record):
        to_them, to_others = _NEW_REMATCH_WITH_YOU, _NEW_REMATCH
    if record.pairing is not None:
        to_them, to_others = _NEW_IN_ROUND_WITH_YOU, _NEW_IN_ROUND
    tournament, number = record.pairing or (0, 0)
    new = (to_them if reader in record.players else to_others).of(
        n=len(others),
        game=match.rules.TITLE,
        players=Listed(others),
        round=number,
        tournament=tournament,
    )
    told = Paragraph(together([new, _RULES.of(command=f'"{record.game} help"')]))
    robots = (Paragraph(_about_robots(record)),) if record.robots else ()
    return content((told,), robots, _challenge(match, reader, by_reply))


def _about_robots(record: Record) -> Sentence:
    """Which players are robots, how strong they are, and what the game is worth."""
    from pbm_holomino.match.robots import LEVELS, level_of  # few boards have them

    levels = [
        _LEVEL.of(robot=who, level=level_of(who), levels=len(LEVELS))
        for who in record.robots
    ]
    return together([*levels, _COUNTS if record.rated else _NEVER_COUNTS])


def _challenge(match: Match, reader: str | None, by_reply: bool) -> Part:
    """What happens to a new challenge, and how its reader can answer it."""
    record, lapses = match.record, lapse_time(match)
    if not lapses:
        return ()
    if reader in record.unanswered:
        called = _ASKS_AGAIN if _is_rematch(record) else _CHALLENGES
        calls = called.of(player=record.challenger)
        return _how_to_answer(match, reader, by_reply, calls)
    count, asked = len(record.unanswered), Listed(record.unanswered)
    said = _ASKED_UNTIL.of(n=count, players=asked, when=Moment(lapses))
    until = Paragraph(said)
    if reader != record.challenger:
        return (until,)
    ways = _TO_WITHDRAW.after(_CAN_WITHDRAW.of(n=count, players=asked))
    withdraw = Command("decline", full_command(record, "decline", reader))
    return (until, *how_to_send(ways, by_reply, withdraw))


def _how_to_answer(match: Match, who: str, by_reply: bool, *said: Sentence) -> Part:
    """How a challenged player can accept or decline, after what is said first."""
    record = match.record
    accept = Command("accept", full_command(record, "accept", who))
    decline = Command("decline", full_command(record, "decline", who))
    return (
        *how_to_send(_TO_ACCEPT.after(*said), by_reply, accept),
        *how_to_send(_TO_DECLINE, by_reply, decline),
        Paragraph(_TO_DECLINE_MORE.of(player=record.challenger)),
        Command(f"decline all {who} {PLACEHOLDER}"),
        Command(f"block {who} {PLACEHOLDER} {record.challenger}"),
        Paragraph(_LAPSES.of(when=Moment(lapse_time(match)))),
    )
