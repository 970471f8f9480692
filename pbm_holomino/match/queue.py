"""Moves sent ahead: queues, and drafts that wait to be confirmed.

Both are private lines of the log with their moves as notes. So the same mail counts
only once, and what is left of a queue follows from the log.
"""

from contextlib import suppress

from pbm_holomino.errors import IllegalMove, NotAllowed, PbmError
from pbm_holomino.languages import Sentence, as_it_is, sentence
from pbm_holomino.match.board import Match
from pbm_holomino.match.record import DROPPED, QUEUED, Act, Line
from pbm_holomino.match.replay import after, check, check_number, judge, with_note
from pbm_holomino.match.shares import checked


def queued(match: Match, who: str) -> tuple[str, ...]:
    """The moves left in a player's queue, the next one first, as they were sent:
    `123:17#8`. Taking moves back ends all queues; dropping out ends the player's."""
    record, log = match.record, match.record.log
    sent = [i for i, line in enumerate(log) if _is(line, who, Act.QUEUE)]
    if not sent:
        return ()
    left = record.notes.get(sent[-1], "").split()
    for index in range(sent[-1] + 1, len(log)):
        line = log[index]
        is_theirs = line.who == who
        if match.took_back(index) or (is_theirs and line.action in _ENDS):
            return ()
        if is_theirs and line.source == QUEUED:
            left = left[1:]
    return tuple(left)


_ENDS = DROPPED | {Act.UNQUEUE}  # acts that end the queue of their player


def _is(line: Line, who: str, act: Act) -> bool:
    return line.action is act and line.who == who


def queue(match: Match, line: Line, moves: tuple[str, ...]) -> Match:
    """The match with these moves as the player's queue, in place of any before. Raises
    BadMove for one that is not in the game's notation, and on the player's turn
    whatever the first one would raise as a move."""
    check(match, line)
    seat = match.record.players.index(line.who)
    for word in moves:
        with suppress(IllegalMove):  # it may be legal when its turn comes
            match.rules.parse_move(match.state, seat, word.partition("#")[0])
    if line.who in match.turn:
        _judge_numbered(match, line, moves[0])
    return _planned(match, line._replace(action=Act.QUEUE), " ".join(moves))


def empty(match: Match, line: Line) -> Match:
    """The match without the player's queue. Raises NotAllowed if it is empty."""
    check(match, line)
    if not queued(match, line.who):
        raise NotAllowed(
            sentence("Your queue on {board} is empty.", board=match.record.name)
        )
    # Never refused for want of room: there was room for the queue.
    return after(match, line._replace(action=Act.UNQUEUE))


def advanced(match: Match, time: str) -> Match:
    """The match after all queued moves whose turn has come; the first one that is not
    legal exactly as sent ends its queue."""
    while ready := _ready(match, time):
        match = _next_played(match, *ready[0])
    return match


def _ready(match: Match, time: str) -> list[tuple[Line, str]]:
    """The queued moves of the players whose turn it is, each with its new line."""
    ready = ((who, queued(match, who)) for who in match.turn)
    return [(Line(None, time, who, QUEUED, ""), left[0]) for who, left in ready if left]


def _next_played(match: Match, line: Line, word: str) -> Match:
    try:
        return after(match, _judge_numbered(match, line, word))
    except PbmError as error:
        return with_note(after(match, line._replace(action=Act.UNQUEUE)), str(error))


def submit(match: Match, line: Line, move: str) -> Match:
    """The match with a draft: a move that is shown, and played once it is confirmed.
    Raises what the move would raise."""
    check(match, line)
    _judge_numbered(match, line, move)
    numbered = f"{move.partition('#')[0]}#{match.ply + 1}"
    return _planned(match, line._replace(action=Act.SUBMIT), numbered)


def draft(match: Match, who: str) -> str:
    """The move that a player has submitted this turn, such as `123:17#8`; empty if
    there is none."""
    index = _this_turn(match, who, Act.SUBMIT)
    return "" if index is None else match.record.notes.get(index, "")


def why_ended(match: Match, who: str) -> Sentence | None:
    """Why a player's queue ended when their present turn began; None if it did not.

    The record has it in English. It can be said in any language as long as the move
    that ended the queue, judged once more, is refused for the same reason."""
    index = _this_turn(match, who, Act.UNQUEUE)
    if index is None or not (noted := match.record.notes.get(index, "")):
        return None
    before, line = match.at(index - 1), match.log[index]
    move, *_ = queued(before, who) or ("",)
    try:
        _judge_numbered(before, line, move)
    except PbmError as refusal:
        if isinstance(refusal.said, Sentence) and str(refusal) == noted:
            return refusal.said
    return as_it_is(noted)


def _this_turn(match: Match, who: str, act: Act) -> int | None:
    """The index of the player's last line with this act during their present turn."""
    log = match.record.log
    theirs = [index for index, line in enumerate(log) if _is(line, who, act)]
    if not theirs or who not in match.turn or theirs[-1] <= match.turn_began(who):
        return None
    return theirs[-1]


def confirm(match: Match, line: Line) -> Match:
    """The match after the player's submitted move. Raises NotAllowed without one."""
    check(match, line)
    move = draft(match, line.who)
    if not move:
        raise NotAllowed(
            sentence(
                'You have no move to confirm on {board}: please "submit" one first.',
                board=match.record.name,
            )
        )
    return after(match, _judge_numbered(match, line, move))


def _judge_numbered(match: Match, line: Line, word: str) -> Line:
    """The line with the move in a word such as `123:17#8`. Raises BadMove, IllegalMove
    or NotYourTurn if it cannot be played."""
    move, _, no = word.partition("#")
    check_number(match, move, int(no) if no else None)
    judge(match, line, move)
    return line._replace(action=move)


def _planned(match: Match, line: Line, moves: str) -> Match:
    return checked(with_note(after(match, line), moves))
