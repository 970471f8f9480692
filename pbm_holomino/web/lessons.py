"""Lessons: a few steps on a real board, each with a move to make, which the engine
judges. They need no account, and nothing is kept: the path of a page says all.

A lesson is the `{part lesson}` in the help text of its game:

    {board 7 -num_digits=4}     a new board, by the number of its seed, with options
    {moves 123:4 134:2}         moves that are made without the learner
    {step best 124:9}           what the next move is to achieve, and a move that does
    Title

    What to do, in paragraphs.
    {why}
    What it was good for.

The next step goes on after the move of the one before.
"""

import re
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from typing import Any

from starlette.responses import JSONResponse, Response

from pbm_holomino import rules
from pbm_holomino.errors import Refused
from pbm_holomino.languages import Language, Text, sentence, together
from pbm_holomino.letters import help as pages
from pbm_holomino.letters import screen
from pbm_holomino.match import replay
from pbm_holomino.match.board import Match
from pbm_holomino.match.record import SHELL, Act, Line, Record
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.rules.chance import SEED_BYTES
from pbm_holomino.rules.contract import without_moves
from pbm_holomino.rules.options import configure
from pbm_holomino.web import articles, boards, moves
from pbm_holomino.web.visit import NoPage, Visit

_PLAYERS = ("alice", "bob")  # nobody reads their names
_TIME = "2026-01-01T00:00:00Z"
_LINE = r"(?m)^\{(board|moves|step|why) ?([^}\n]*)\}\n"


class Step(NamedTuple):
    """A step of a lesson: the board, what the learner's move is to achieve, and a move
    that does; and what they read before and after it."""

    match: Match
    goal: str
    answer: str
    title: str
    task: str
    why: str

    @property
    def learner(self) -> str:
        """The player whose place the learner takes."""
        return self.match.turn[0]


def has_lesson(game: str) -> bool:
    """Whether there is a lesson for a game."""
    return bool(pages.lesson(game))


@cache
def steps(game: str, code: str) -> tuple[Step, ...]:
    """The steps of a game's lesson, in the language with this code."""
    _, *pieces = re.split(_LINE, pages.lesson(game, code))
    found, match = list[Step](), None
    for what, words, text in zip(pieces[::3], pieces[1::3], pieces[2::3], strict=True):
        if what == "board":
            match = _begun(game, *words.split())
        elif what == "why":
            found[-1] = found[-1]._replace(why=text.strip("\n"))
        elif what == "moves":
            for move in words.split():
                match = _after(_known(match), move)
        else:
            goal, answer = words.split()
            title, _, task = text.strip("\n").partition("\n\n")
            found.append(Step(_known(match), goal, answer, title, task, ""))
            match = _after(_known(match), answer)
    return tuple(found)


def _known(match: Match | None) -> Match:
    if match is None:
        raise ValueError("a lesson begins with a board")
    return match


def _begun(game: str, seed: str, *options: str) -> Match:
    """A board of a lesson before its first move."""
    loaded = rules.load(game)
    given = dict(option.lstrip("-").split("=") for option in options)
    record = Record(
        game=game,
        board=0,
        version=loaded.VERSION,
        players=(),
        random=False,
        options=configure(loaded, given),
        seed=int(seed).to_bytes(SEED_BYTES, "big"),
        log=(),
        challenger=_PLAYERS[0],
        rated=False,
    )
    opening = Line(0, _TIME, _PLAYERS[0], SHELL, Act.CHALLENGE)
    return replay.begin(record, _PLAYERS, opening)


def _after(match: Match, move: str) -> Match:
    """The board after a move of the first player to move. Raises BadMove."""
    return replay.after(match, Line(None, _TIME, match.turn[0], SHELL, move))


# What a move is to achieve. Each is judged by the board before it and after it.

Goal = Callable[[Match, Match], bool]


def _last_move(before: Match, after: Match) -> Any:
    seat = before.record.players.index(before.turn[0])
    word = str(after.record.log[len(before.record.log)].action)
    return before.rules.parse_move(before.state, seat, word)


def _gains_most(before: Match, after: Match) -> bool:
    game, state = before.rules, before.state
    seat = before.record.players.index(before.turn[0])
    made = _last_move(before, after)
    (gain,) = game.gains(state, [made])
    return gain >= max(game.gains(state, game.legal(state, seat)))


def _blocks(before: Match, after: Match) -> bool:
    return len(after.view(None).blocked) > len(before.view(None).blocked)


def _lies_on_top(before: Match, after: Match) -> bool:
    at = before.rules.covers(_last_move(before, after))
    return not before.rules.drawing(before.state).faces.keys().isdisjoint(at)


def _moves_again(before: Match, after: Match) -> bool:
    return before.turn[0] in after.turn


def _wins(before: Match, after: Match) -> bool:
    return after.result is not None and after.result.winners == before.turn[:1]


_GOALS: Mapping[str, Goal] = {
    "any": lambda before, after: True,
    "best": _gains_most,
    "block": _blocks,
    "top": _lies_on_top,
    "again": _moves_again,
    "win": _wins,
}
_NOT_YET = {
    "best": sentence("There is a move that scores more: try again."),
    "block": sentence("That blocks no cell: try again."),
    "top": sentence("That does not lie on top of other tiles: try again."),
    "again": sentence("After that your opponent can still move: try again."),
    "win": sentence("That does not win the game yet: try again."),
}


# The pages


def first(visit: Visit) -> Response:
    """The first step of a lesson."""
    return visit.redirect("learn", _game(visit), 1)


def lesson(visit: Visit) -> Response:
    """A step of a lesson, or what a move in it does."""
    step, move = _step(visit), visit.query("move").strip()
    if not move:
        return _page(visit, step)
    try:
        after = _played(step, move)
    except Refused as error:
        return _page(visit, step, error.said, 422)
    if not _GOALS[step.goal](step.match, after):
        does = boards.effect(step.match, step.learner, _written(step, after))
        return _page(visit, step, together([does, _NOT_YET[step.goal]]), 422)
    return _page(visit, step, after=after)


def preview(visit: Visit) -> Response:
    """The board as it would be after a move."""
    step, move = _step(visit), visit.query("move").strip()
    try:
        after = replay.preview(step.match, move, step.learner)
        assert after is not None  # nothing is due on a board of a lesson
    except Refused as error:
        return _page(visit, step, error.said, 422)
    return _page(visit, step, looked_at=after)


def legal(visit: Visit) -> Response:
    """The moves of a step, for the script."""
    _step(visit)
    return JSONResponse(_moves(_game(visit), visit.number("step"), visit.language))


@lru_cache(maxsize=100)
def _moves(game: str, no: int, language: Language) -> dict[str, Any]:
    step = steps(game, language.code)[no - 1]
    return moves.data(step.match, step.learner, language)


def _played(step: Step, move: str) -> Match:
    """The board after a move of the learner. Raises Refused."""
    if not move.isprintable():
        raise NoPage
    return _after(step.match, move)


def _written(step: Step, after: Match) -> str:
    """The move that was made, in canonical notation."""
    return str(after.record.log[len(step.match.record.log)].action)


def _game(visit: Visit) -> str:
    """The game in the path. Raises NoPage."""
    game = visit.word("game")
    if game not in rules.names() or not has_lesson(game):
        raise NoPage
    return game


def _step(visit: Visit) -> Step:
    """The step that the path names. Raises NoPage."""
    all_steps, no = steps(_game(visit), visit.language.code), visit.number("step")
    if not 0 < no <= len(all_steps):
        raise NoPage
    return all_steps[no - 1]


def _page(
    visit: Visit,
    step: Step,
    alert: Text = "",
    status: int = 200,
    after: Match | None = None,
    looked_at: Match | None = None,
) -> Response:
    """The page of a step: before the learner's move, `after` it, or while the board is
    `looked_at` as it would be."""
    match, me = after or looked_at or step.match, step.learner
    view, is_to_move = match.view(me), not (after or looked_at)
    shown = view if is_to_move else without_moves(view)
    written = _written(step, match) if not is_to_move else ""
    return visit.page(
        "lesson.html",
        status,
        game=visit.word("game"),
        no=visit.number("step"),
        last=len(steps(visit.word("game"), visit.language.code)),
        step=step,
        task=articles.article(step.task, visit.site.root),
        why=articles.article(step.why, visit.site.root),
        alert=alert,
        is_done=after is not None,
        move=written,
        does=boards.effect(step.match, me, written) if written else "",
        pictures=boards.pictures(match, shown, visit.language, is_to_move),
        seats=screen.seats(match, view, ()),
        mine=step.match.record.players.index(me),
        tile=boards.tiles(match, me),
        choices=boards.choices(match, view, me) if is_to_move else [],
        example=boards.example(view),
        phase=view.phase,
        **boards.letters(match, view, me),
    )
