"""Moves sent ahead: queues, and drafts that wait to be confirmed.

Both are private lines of the log with their moves as notes. So the same mail counts
only once, and what is left of a queue follows from the log. A queue may answer what
others play (see `match.trees`).
"""

from collections.abc import Sequence
from contextlib import suppress
from functools import cache, lru_cache, partial
from itertools import takewhile

from pbm_holomino.errors import BadMove, IllegalMove, NotAllowed, PbmError
from pbm_holomino.languages import Listed, Sentence, as_it_is, sentence
from pbm_holomino.match.board import Match
from pbm_holomino.match.record import DROPPED, QUEUED, Act, Line
from pbm_holomino.match.replay import after, check, check_number, judge, with_note
from pbm_holomino.match.shares import checked
from pbm_holomino.match.trees import (
    IF,
    Path,
    contradictions,
    fits,
    is_queue,
    is_tree,
    own_moves,
    paths,
    words_of,
)
from pbm_holomino.match.trees import after as after_turn
from pbm_holomino.match.trees import check as check_tree
from pbm_holomino.named_tuples import NamedTuple


class Ahead(NamedTuple):
    """What a player has sent ahead: the lines that are left, each from their next turn
    on. Of a tree, also the moves that have come since it was sent, up to their last
    one that it has played."""

    lines: tuple[Path, ...] = ()
    is_tree: bool = False
    came: tuple[str, ...] = ()
    # What others have played since then, by indices of the log's lines. The first turn
    # may be an answer to what they had played before.
    played: tuple[int, ...] = ()
    before: tuple[int, ...] = ()


_NOTHING = Ahead()


def ahead(match: Match, who: str) -> Ahead:
    """What a player has sent ahead. Taking moves back ends all queues; dropping out
    ends the player's."""
    record, log = match.record, match.record.log
    sent = _last(match, who, Act.QUEUE)
    if sent is None:
        return _NOTHING
    lines, has_answers = _lines_in(record.notes.get(sent, ""))
    found = Ahead(lines, has_answers, before=_played_before(match, who, sent))
    for index in range(sent + 1, len(log)):
        line = log[index]
        is_theirs = line.who == who
        if match.took_back(index) or (is_theirs and line.action in _ENDS):
            return _NOTHING
        if is_theirs and line.source == QUEUED:
            found = _gone_on(match, found, index)
        elif line.no and not is_theirs:
            found = found._replace(played=(*found.played, index))
    return found


@lru_cache(maxsize=64)  # of those who play now: a command asks several times
def _lines_in(noted: str) -> tuple[tuple[Path, ...], bool]:
    """The lines that a record keeps, and whether they are a tree."""
    words = noted.split()
    return paths(words), is_tree(words)


def _last(match: Match, who: str, act: Act) -> int | None:
    """The index of a player's last line with this act."""
    log = match.record.log
    for index in range(len(log) - 1, -1, -1):
        line = log[index]
        if line.action is act and line.who == who:
            return index
    return None


def _played_before(match: Match, who: str, sent: int) -> tuple[int, ...]:
    """The moves of others since the last one of this player, up to a line of the
    log."""
    moves = (index for index in match.steps[sent].moves[::-1])
    others = takewhile(lambda index: match.log[index].who != who, moves)
    return tuple(others)[::-1]


def _gone_on(match: Match, found: Ahead, index: int) -> Ahead:
    """What is left when a move of a queue has been played, by the line with this
    index."""
    left = after_turn(_fitting(match, found))
    if not found.is_tree:
        return Ahead(left)
    came = (str(match.log[each].action) for each in (*found.played, index))
    return Ahead(left, True, (*found.came, *came))


def _fitting(match: Match, found: Ahead) -> list[Path]:
    """The lines of a queue that fit what the others have played, for the player's
    present turn."""
    played = dict.fromkeys((found.played, (*found.before, *found.played)))
    is_same = cache(partial(_is_same, match))
    return [
        line
        for line in found.lines
        if any(fits(line[0], moves, is_same) for moves in played)
    ]


def _is_same(match: Match, index: int, word: str) -> bool:
    """Whether the move of a line of the log is what a word says, in any notation."""
    move, _, no = word.partition("#")
    line, before = match.log[index], match.steps[index - 1].state
    if no and int(no) != line.no:
        return False
    if move == line.action:
        return True
    game, seat = match.rules, match.record.players.index(line.who)
    try:
        meant = game.format_move(game.parse_move(before, seat, move))
    except BadMove:
        return False
    return bool(meant == line.action)


def queued(match: Match, who: str) -> tuple[str, ...]:
    """The moves left in a player's queue, the next one first, as they were sent:
    `123:17#8`; none if it is a tree, and may answer otherwise."""
    lines = ahead(match, who).lines
    return own_moves(lines) if _is_queue(lines) else ()


def tree(match: Match, who: str) -> tuple[tuple[str, ...], ...]:
    """The lines left of a player's answers ahead, as words; none if what they have sent
    is moves of their own alone."""
    lines = ahead(match, who).lines
    return () if _is_queue(lines) else tuple(map(words_of, lines))


def with_lines_left(match: Match, who: str, words: tuple[str, ...]) -> tuple[str, ...]:
    """A line of answers, before those that are left of what a player has sent ahead,
    as words; without any that the new one contradicts."""
    (new,) = paths(words)
    left = [line for line in ahead(match, who).lines if line != new]
    kept = [line for line in left if not contradictions((new, line))]
    return (*words, *(word for line in kept for word in (IF, *words_of(line))))


def _is_queue(lines: Sequence[Path]) -> bool:
    return len(lines) == 1 and is_queue(lines[0])


_ENDS = DROPPED | {Act.UNQUEUE}  # acts that end the queue of their player


def queue(match: Match, line: Line, words: tuple[str, ...]) -> Match:
    """The match with these moves as the player's queue, or lines of a tree, in place of
    any before. Raises BadMove for one that is not in the game's notation, and on the
    player's turn whatever the first one would raise as a move; NotAllowed where nobody
    can answer ahead."""
    check(match, line)
    if is_tree(words):
        _check_answers(match)
        check_tree(words, match.rules.in_notation)
        kept = " ".join(words).replace(f" {IF} ", f"\n{IF} ")
    else:
        _check_moves(match, line.who, words)
        kept = " ".join(words)
    planned = _planned(match, line._replace(action=Act.QUEUE), kept)
    if line.who in match.turn:
        _check_fits(planned, line.who)
        _judge_numbered(match, line, _next(planned, line.who))
    return planned


def _check_fits(match: Match, who: str) -> None:
    """Raises NotAllowed on a player's turn if no line of what they send fits."""
    found = ahead(match, who)
    if not _fitting(match, found):
        first = found.lines[0][0].mine
        raise NotAllowed(_NONE_FITS_NOW.of(move=first))


_NONE_FITS_NOW = sentence(
    "It is your turn, and none of your lines begins with what was played last. To play "
    'a move now, put "-" in the place of their move, such as: if - {move}'
)


def _check_moves(match: Match, who: str, words: Sequence[str]) -> None:
    seat = match.record.players.index(who)
    for word in words:
        with suppress(IllegalMove):  # it may be legal when its turn comes
            match.rules.parse_move(match.state, seat, word.partition("#")[0])


def can_answer(match: Match) -> bool:
    """Whether a queue can answer what others play."""
    return len(match.record.players) == 2 and not match.rules.SECRETS


def _check_answers(match: Match) -> None:
    """Raises NotAllowed where a queue cannot answer what others play."""
    if not can_answer(match):
        raise NotAllowed(
            sentence(
                "Answers ahead are for games of two players who see all that is "
                "played. In {game}, please queue moves of your own alone.",
                game=match.rules.TITLE,
            )
        )


def _next(match: Match, who: str) -> str:
    """The move with which a player's queue answers what has been played, on their turn.
    Raises NotAllowed if it does not."""
    found = ahead(match, who)
    if lines := _fitting(match, found):
        return lines[0][0].mine
    log, moves = match.log, found.played or found.before
    played = Listed(str(log[index].action) for index in moves)
    if not moves:
        raise NotAllowed(_NOBODY_MOVED)
    raise NotAllowed(_NONE_FITS.of(player=log[moves[0]].who, moves=played))


_NONE_FITS = sentence("{player} played {moves}, and none of your lines fits that.")
_NOBODY_MOVED = sentence(
    'Nobody moved before your turn, and none of your lines fits that: "-" in the '
    "place of their move would."
)


def empty(match: Match, line: Line) -> Match:
    """The match without the player's queue. Raises NotAllowed if it is empty."""
    check(match, line)
    if not ahead(match, line.who).lines:
        raise NotAllowed(
            sentence("Your queue on {board} is empty.", board=match.record.name)
        )
    # Never refused for want of room: there was room for the queue.
    return after(match, line._replace(action=Act.UNQUEUE))


def advanced(match: Match, time: str) -> Match:
    """The match after all queued moves whose turn has come; the first one that is not
    legal exactly as sent ends its queue."""
    while ready := _ready(match, time):
        match = _next_played(match, ready[0])
    return match


def _ready(match: Match, time: str) -> list[Line]:
    """A new line for each player whose turn it is and who has a queue."""
    ready = (who for who in match.turn if ahead(match, who).lines)
    return [Line(None, time, who, QUEUED, "") for who in ready]


def _next_played(match: Match, line: Line) -> Match:
    try:
        return after(match, _judge_numbered(match, line, _next(match, line.who)))
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


class Ended(NamedTuple):
    """Why what a player had sent ahead ended, and as `Ahead` has it, whether it was a
    tree, and which moves had come."""

    why: Sentence
    is_tree: bool
    came: tuple[str, ...]


def how_ended(match: Match, who: str) -> Ended | None:
    """How a player's queue ended when their present turn began; None if it did not.

    The record has the reason in English. It can be said in any language as long as what
    ended the queue, judged once more, is refused for the same reason."""
    index = _this_turn(match, who, Act.UNQUEUE)
    if index is None or not (noted := match.record.notes.get(index, "")):
        return None
    before, line = match.at(index - 1), match.log[index]
    found, why = ahead(before, who), as_it_is(noted)
    try:
        _judge_numbered(before, line, _next(before, who))
    except PbmError as refusal:
        if isinstance(refusal.said, Sentence) and str(refusal) == noted:
            why = refusal.said
    return Ended(why, found.is_tree, found.came)


def ran_out(match: Match, index: int, who: str) -> tuple[str, ...]:
    """The moves that have come since a player sent a tree, if the line of the log with
    this index has played the last one of a line of it; else none."""
    line = match.log[index]
    if line.who != who or line.source != QUEUED:
        return ()
    found = ahead(match.at(index), who)
    return () if found.lines else found.came


def _this_turn(match: Match, who: str, act: Act) -> int | None:
    """The index of the player's last line with this act during their present turn."""
    last = _last(match, who, act)
    if last is None or who not in match.turn or last <= match.turn_began(who):
        return None
    return last


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
