"""Hextol, by Cameron Browne: hexagonal dominoes that close in empty cells.

Source: 004 (the inventor's help file). A tile is two joined hexagons, its
halves, each with a number of pips, its face; a tile's name is its two faces, the
smaller first. A half must equal every half beside it in pips, so each empty cell
wants one face, or, between two different ones, none.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, NamedTuple

from pbm_holomino.errors import IllegalMove
from pbm_holomino.rules.chance import Draws
from pbm_holomino.rules.contract import (
    Drawing,
    Due,
    Event,
    Game,
    Label,
    Proposal,
    Scoring,
    View,
    move_labels,
)
from pbm_holomino.rules.grid import LAST_POSITION, Box, fits_board, neighbours, spread
from pbm_holomino.rules.options import BOARD_SIZE, Option, Options
from pbm_holomino.rules.refusals import not_a_move
from pbm_holomino.rules.seats import leaders, not_in_pool, pool_limits, replaced

if TYPE_CHECKING:
    from pbm_holomino.rules.games import hextol

    _THIS: Game["State", "Move"] = hextol  # checked against the contract

TITLE = "Hextol"
VERSION = 1
SEATS = (2, 2)
SECRETS = False
SACK = "boneyard"
SCORING = Scoring()
SYNTAX = "tile:position,position, as 24:7,19"
WORDS: tuple[str, ...] = ()
DRAWN = "the tiles left in the boneyard"

CLASH = "x"  # what a cell wants where its neighbours differ: no half fits


def _max_limits(options: Options) -> tuple[int, int, str]:
    least = options["min_pips"]
    return least + 1, 9, f"with -min_pips={least}"


def _pool_limits(options: Options) -> tuple[int, int, str]:
    return pool_limits(len(tile_set(options)))


OPTIONS: tuple[Option, ...] = (
    Option("min_pips", "No half has fewer than N pips.", 0, lambda given: (0, 8, "")),
    Option("max_pips", "No half has more than N pips.", 6, _max_limits),
    Option("pool_size", "Each player holds N tiles.", 7, _pool_limits),
    BOARD_SIZE,
)
PRESETS: Mapping[str, Options] = {}


class Move(NamedTuple):
    """A tile put on two cells: its smaller face at `first`, the other at `second`;
    a double's halves in the order of their positions."""

    tile: str
    first: int
    second: int


Played = tuple["State", tuple[Event, ...]]


class State(NamedTuple):
    """`pools` keep the order of drawing, the boneyard is sorted; `frontier` holds
    the face that each empty cell beside a tile wants; `box` bounds the tiles; `due`
    holds the seats that have yet to draw for the tile that they played."""

    options: Options
    pools: tuple[tuple[str, ...], ...]
    boneyard: tuple[str, ...]
    cells: Mapping[int, str] = {}
    joints: tuple[tuple[int, int], ...] = ()
    frontier: Mapping[int, str] = {}
    box: Box = (0, 0, 0, 0)
    scores: tuple[int, ...] = (0, 0)
    turn: int = 0
    due: tuple[int, ...] = ()
    drawn: str | None = None
    draws: int = 0
    over: bool = False


def tile_set(options: Options) -> tuple[str, ...]:
    """All tiles of a game, in ascending order: 28 for 0 to 6 pips (004)."""
    faces = "0123456789"[options["min_pips"] : options["max_pips"] + 1]
    return tuple(map("".join, combinations_with_replacement(faces, 2)))


def _laid(face: str, position: int, other_face: str, other_position: int) -> Move:
    """The move that puts these two halves there."""
    if (face, position) > (other_face, other_position):
        return Move(other_face + face, other_position, position)
    return Move(face + other_face, position, other_position)


def _lay(state: State, move: Move) -> State:
    """The board with one more tile, and its frontier."""
    halves = (move.first, move.second)
    cells = {**state.cells, **dict(zip(halves, move.tile, strict=True))}
    frontier, box = dict(state.frontier), state.box
    for face, half in zip(move.tile, halves, strict=True):
        frontier.pop(half, None)
        box = spread(box, half)
        for beside in neighbours(half):
            if beside in cells or beside > LAST_POSITION:
                continue
            if frontier.setdefault(beside, face) != face:
                frontier[beside] = CLASH
    joints = (*state.joints, halves)
    return state._replace(cells=cells, joints=joints, frontier=frontier, box=box)


def region_values(cells: Mapping[int, str], box: Box, move: Move) -> list[int]:
    """What each region is worth that the tile just laid borders (004): the sum of
    the pips of all halves round it."""
    values, seen = [], set[int]()
    for begin in (*neighbours(move.first), *neighbours(move.second)):
        if begin in cells or begin in seen:
            continue
        region = _region(cells, box, begin)
        seen |= region
        border = {half for cell in region for half in neighbours(cell)} & cells.keys()
        if border:
            values.append(sum(int(cells[half]) for half in border))
    return values


def _region(cells: Mapping[int, str], box: Box, begin: int) -> set[int]:
    """The empty cells connected with this one if they are closed in, else none.
    Only tiles close in: neither the grid's edge nor that of -board_size does."""
    region, ahead = {begin}, [begin]
    while ahead:
        position = ahead.pop()
        if spread(box, position) != box:
            return set()
        for beside in neighbours(position):
            if beside not in cells and beside not in region:
                region.add(beside)
                ahead.append(beside)
    return region


def _in_bounds(state: State, move: Move) -> bool:
    size = state.options["board_size"]
    if size is None:
        return True
    return fits_board(spread(spread(state.box, move.first), move.second), size)


# Draws and skips


def start(seats: int, options: Options) -> State:
    return State(options, ((),) * seats, tile_set(options))


def _draw(state: State, chance: Draws, seat: int | None = None) -> tuple[str, State]:
    """A tile from the boneyard, into the pool of this seat, if any."""
    index, draws = chance.draw(state.draws, len(state.boneyard))
    tile = state.boneyard[index]
    boneyard = state.boneyard[:index] + state.boneyard[index + 1 :]
    state = state._replace(boneyard=boneyard, draws=draws)
    if seat is not None:
        state = _hold(state, seat, (*state.pools[seat], tile))
    return tile, state


def _hold(state: State, seat: int, pool: tuple[str, ...]) -> State:
    return state._replace(pools=replaced(state.pools, seat, pool))


def _open(state: State, chance: Draws) -> tuple[State, list[Event]]:
    """Draw in turn until a double comes, which is the first tile (004); the others
    go back, and who drew the double moves first. Then the pools are dealt."""
    seats, events, aside = len(state.pools), list[Event](), list[str]()
    while True:
        seat = len(aside) % seats
        tile, state = _draw(state, chance)
        if tile[0] == tile[1]:
            break
        events.append(Event(seat, f"drew {tile}, which went back"))
        aside.append(tile)
    text = f"drew the double {tile}, which lies at 0 and 1, and got the first move"
    events.append(Event(seat, text))
    boneyard = tuple(sorted((*state.boneyard, *aside)))
    state = _lay(state._replace(boneyard=boneyard, turn=seat), Move(tile, 0, 1))
    for seat in range(seats):
        for _ in range(state.options["pool_size"]):
            _, state = _draw(state, chance, seat)
    return state, events


def settle(state: State, chance: Draws) -> Played:
    state, events = (state, []) if state.cells else _open(state, chance)
    for seat in state.due[: len(state.boneyard)]:
        tile, state = _draw(state, chance, seat)
        events.append(Event(seat, f"drew {tile}"))
    state, drawn = state._replace(due=()), list[str]()
    # Who cannot move must draw until they can (004).
    while state.boneyard and not _can_move(state, state.turn):
        tile, state = _draw(state, chance, state.turn)
        drawn.append(tile)
    if drawn:
        events.append(Event(state.turn, f"could not move and drew {', '.join(drawn)}"))
        state = state._replace(drawn=drawn[-1])
    state, skips = _skip(state)
    return state, (*events, *skips)


def _skip(state: State) -> Played:
    """The turn passes on from who cannot move, or the game ends where neither
    player can. The boneyard is empty then."""
    seat, other = state.turn, 1 - state.turn
    if state.over or _can_move(state, seat):
        return state, ()
    why = "still could not move" if state.drawn else "could not move"
    why = why if state.pools[seat] else "had no tile left"
    state = state._replace(drawn=None)
    if _can_move(state, other):
        return state._replace(turn=other), (Event(seat, f"{why} and lost the turn"),)
    ends = (Event(seat, why), Event(other, "could not move either"))
    return state._replace(over=True), ends


# Moves


def to_move(state: State) -> tuple[int, ...]:
    return () if state.over else (state.turn,)


def due(state: State) -> Due:
    """A player who must draw in order to move; nobody waits for a draw that a player is
    owed for the tile that they played."""
    return "" if state.over or _can_move(state, state.turn) else "draw"


def _can_move(state: State, seat: int) -> bool:
    return next(_placings(state, state.pools[seat]), None) is not None


def _placings(state: State, pool: tuple[str, ...]) -> Iterator[Move]:
    """Each legal move once: a pair of cells that both want a face comes up at its
    smaller position, a pair of which one does at that one."""
    partners: dict[str, set[str]] = {}
    for tile in pool:
        for face, other in zip(tile, tile[::-1], strict=True):
            partners.setdefault(face, set()).add(other)
    for position, face in state.frontier.items():
        others = partners.get(face, set())
        for beside in neighbours(position) if others else ():
            wanted = state.frontier.get(beside)
            if beside in state.cells or beside > LAST_POSITION:
                continue
            if wanted is not None:
                fitting = others & {wanted} if position < beside else set()
            for other in others if wanted is None else fitting:
                move = _laid(face, position, other, beside)
                if _in_bounds(state, move):
                    yield move


def legal(state: State, seat: int) -> tuple[Move, ...]:
    return tuple(sorted(_placings(state, state.pools[seat])))


_MOVE = re.compile(r"([0-9])([0-9]):([0-9]{1,9}),([0-9]{1,9})", re.ASCII)


def parse_move(state: State, seat: int, text: str) -> Move:
    match = _MOVE.fullmatch(text)
    if not match:
        raise not_a_move(text, f"A {TITLE} move is {SYNTAX}.")
    face, other, position, other_position = match.groups()
    return _laid(face, int(position), other, int(other_position))


def format_move(move: Move) -> str:
    return f"{move.tile}:{move.first},{move.second}"


public_move = format_move  # there are no secrets


def play(state: State, seat: int, move: Move) -> Played:
    pool = state.pools[seat]
    if move.tile not in pool:
        raise IllegalMove(not_in_pool("tile", move.tile, pool))
    _judge(state, move)
    kept = tuple(held for held in pool if held != move.tile)
    state = _lay(_hold(state, seat, kept), move)
    values = region_values(state.cells, state.box, move)
    scores = replaced(state.scores, seat, state.scores[seat] + sum(values))
    state = state._replace(scores=scores, turn=1 - seat, drawn=None)
    event = Event(seat, f"played {format_move(move)}{_scored(values)}")
    if state.boneyard:
        return state._replace(due=(*state.due, seat)), (event,)
    # No draw can come any more, so that a preview, too, may go on past a skip.
    state, skips = _skip(state)
    return state, (event, *skips)


def drop(state: State, seat: int) -> State:
    """Of two players the other one is left."""
    return state._replace(over=True)


def _scored(values: list[int]) -> str:
    several = f" with regions of {' and '.join(map(str, values))}"
    return f" and scored {sum(values)}{several * (len(values) > 1)}" if values else ""


def _judge(state: State, move: Move) -> None:
    """Raise IllegalMove, with its reason, unless the tile may lie there."""
    halves = (move.first, move.second)
    if move.first == move.second:
        raise IllegalMove(f"A tile takes two cells, and you named {move.first} twice.")
    for position in halves:
        if position > LAST_POSITION:
            raise IllegalMove(
                f"There is no position {position}: the last one is {LAST_POSITION}."
            )
        if face := state.cells.get(position):
            raise IllegalMove(f"Position {position} is taken, by a {face}.")
    if move.second not in neighbours(move.first):
        raise IllegalMove(_apart(state, move))
    if not any(position in state.frontier for position in halves):
        raise IllegalMove(f"Neither {move.first} nor {move.second} is beside a tile.")
    if not _in_bounds(state, move):
        size = state.options["board_size"]
        raise IllegalMove(
            f"{format_move(move)} would spread the board over more than {size} "
            f"columns or {size} cells from top to bottom (-board_size)."
        )
    if not _fits(state, move):
        raise IllegalMove(_mismatch(state, move))


def _fits(state: State, move: Move) -> bool:
    """Whether each cell wants the face that it would get, or takes any."""
    wanted = map(state.frontier.get, (move.first, move.second), move.tile)
    return tuple(wanted) == tuple(move.tile)


def _apart(state: State, move: Move) -> str:
    beside = sorted(set(neighbours(move.first)) - state.cells.keys())
    free = ", ".join(str(empty) for empty in beside if empty <= LAST_POSITION)
    return (
        f"Positions {move.first} and {move.second} are not beside each other: the "
        f"empty ones beside {move.first} are {free or 'none'}."
    )


def _mismatch(state: State, move: Move) -> str:
    """Why a tile does not fit: a half, a neighbour, and both their numbers."""
    position, face, beside = next(
        (position, face, beside)
        for position, face in zip(move[1:], move.tile, strict=True)
        for beside in neighbours(position)
        if state.cells.get(beside, face) != face
    )
    turned = Move(move.tile, move.second, move.first)
    hint = f" {format_move(turned)} would fit." if _fits(state, turned) else ""
    return (
        f"{format_move(move)} does not fit: its half at {position} has {face}, and "
        f"the neighbour at {beside} has {state.cells[beside]}.{hint}"
    )


def view(state: State, seat: int | None) -> View:
    """Nothing is secret in Hextol: every reader sees the same."""
    moves = legal(state, state.turn) if to_move(state) else ()
    labels = move_labels({at for move in moves for at in (move.first, move.second)})
    written = tuple(map(format_move, moves))
    return View(
        scores=state.scores,
        pools=state.pools,
        drawing=Drawing("hextile", state.cells, state.joints, labels),
        legal=written,
        proposal=Proposal(written),
        sack=len(state.boneyard),
        drawn=state.drawn,
    )


def outcome(state: State) -> tuple[int, ...] | None:
    return leaders(state.scores) if state.over else None


def _figure(moves: str, labels: Mapping[int, Label] = {}) -> Drawing:
    """A figure of the help text's."""
    state = start(2, {"min_pips": 0, "max_pips": 9})
    for word in moves.split():
        state = _lay(state, parse_move(state, 0, word))
    return Drawing("hextile", state.cells, state.joints, labels)


_PTS = Label("36 pts")
_BEFORE = "33:0,1 36:4,12 46:24,11 23:21,8"
FIGURES: Mapping[str, Drawing] = {
    "faces": _figure("01:0,4 23:10,11 45:43,44 67:100,101 89:181,182"),
    "start": _figure("22:0,1", move_labels((*range(2, 22), 35, 36))),
    "move": _figure("22:0,1 24:7,19"),
    "before-36": _figure(_BEFORE),
    "after-36": _figure(
        f"{_BEFORE} 24:22,23", dict.fromkeys((2, 3, 9, 10), Label("36 pts"))
    ),
    "inside": _figure(
        "33:0,1 36:2,9 46:24,23 03:13,4 44:25,46 05:27,48 45:73,74 34:3,11",
        {10: Label("26"), 26: Label("32")},
    ),
}
