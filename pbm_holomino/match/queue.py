"""What players send before its time: queues of moves, and drafts to be confirmed.

Both stand in the log, as private lines whose moves are their notes: so the same
mail counts once, and what is left of a queue follows from the log.
"""

from contextlib import suppress

from pbm_holomino.errors import IllegalMove, NotAllowed, PbmError
from pbm_holomino.match.board import DROPS, QUEUE, SUBMIT, UNQUEUE, Match
from pbm_holomino.match.record import QUEUED, Line
from pbm_holomino.match.replay import act, check, check_number, judge, play, with_note
from pbm_holomino.match.shares import checked


def queued(match: Match, who: str) -> tuple[str, ...]:
    """The moves that a player has queued and that are left, the next one first, as
    they were sent: `123:17#8`. Moves that are taken back end all queues, and who drops
    out has none."""
    record, log = match.record, match.record.log
    sent = [i for i, line in enumerate(log) if line.action == QUEUE and line.who == who]
    if not sent:
        return ()
    left = record.notes.get(sent[-1], "").split()
    for index in range(sent[-1] + 1, len(log)):
        line = log[index]
        is_theirs = line.who == who
        if match.took_back(index) or (is_theirs and line.action in (UNQUEUE, *DROPS)):
            return ()
        if is_theirs and line.source == QUEUED:
            left = left[1:]
    return tuple(left)


def queue(match: Match, line: Line, moves: tuple[str, ...]) -> Match:
    """The match after a player has sent these moves ahead, in place of what was left
    of their queue. Raises BadMove where one is in no notation of the game; and, where
    it is their turn, what the first one would raise as a move."""
    check(match, line)
    seat = match.record.players.index(line.who)
    for word in moves:
        with suppress(IllegalMove):  # it may be legal when its turn comes
            match.rules.parse_move(match.state, seat, word.partition("#")[0])
    if line.who in match.turn:
        _judge_numbered(match, line, moves[0])
    return _planned(match, line._replace(action=QUEUE), " ".join(moves))


def advanced(match: Match, time: str) -> Match:
    """The match after each queued move whose turn has come; the first one that is not
    legal as it stands ends its queue."""
    while lines := _ready(match, time):
        match = _next_played(match, lines[0])
    return match


def _ready(match: Match, time: str) -> list[Line]:
    """The queued moves whose turn it is."""
    ready = ((who, queued(match, who)) for who in match.turn)
    return [Line(None, time, who, QUEUED, left[0]) for who, left in ready if left]


def _next_played(match: Match, line: Line) -> Match:
    try:
        move = _judge_numbered(match, line, line.action)
        return play(match, move)
    except PbmError as error:
        return with_note(act(match, line._replace(action=UNQUEUE)), str(error))


def submit(match: Match, line: Line, move: str) -> Match:
    """The match after a player has sent a move that is to be shown, and to be played
    once it is confirmed. Raises what the move would raise."""
    check(match, line)
    _judge_numbered(match, line, move)
    numbered = f"{move.partition('#')[0]}#{match.ply + 1}"
    return _planned(match, line._replace(action=SUBMIT), numbered)


def draft(match: Match, who: str) -> str:
    """The move that a player has submitted in this turn of theirs, as `123:17#8`;
    empty where there is none."""
    return _noted(match, who, SUBMIT)


def why_ended(match: Match, who: str) -> str:
    """Why a player's queue has ended when this turn of theirs came; empty where it has
    not."""
    return _noted(match, who, UNQUEUE)


def _noted(match: Match, who: str, what: str) -> str:
    """The note of the last such line of a player's in this turn of theirs."""
    record = match.record
    log = enumerate(record.log)
    noted = [index for index, line in log if (line.who, line.action) == (who, what)]
    if not noted or who not in match.turn or noted[-1] <= match.turn_began(who):
        return ""
    return record.notes.get(noted[-1], "")


def confirm(match: Match, line: Line) -> Match:
    """The match after the move that its player has submitted. Raises NotAllowed."""
    check(match, line)
    move = draft(match, line.who)
    if not move:
        raise NotAllowed(
            f"There is no move of yours on {match.record.name} that waits to be "
            'confirmed: "submit" one first.'
        )
    return play(match, _judge_numbered(match, line, move))


def _judge_numbered(match: Match, line: Line, word: str) -> Line:
    """The line with the move that a word names, as `123:17#8`, if it can be played."""
    move, _, no = word.partition("#")
    check_number(match, move, int(no) if no else None)
    line = line._replace(action=move)
    judge(match, line)
    return line


def _planned(match: Match, line: Line, moves: str) -> Match:
    return checked(with_note(act(match, line), moves))
