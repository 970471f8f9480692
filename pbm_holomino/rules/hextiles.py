"""What the games with hextiles, Cameron Browne's hexagonal dominoes, share.

Source: 004 (the inventor's help file). A tile is two joined hexagons, its halves,
each with a number of pips, its face; a tile's name is its two faces, the smaller
first. In every one of these games a move may put a tile on two adjacent empty cells,
at least one of them beside a tile; the games differ in which faces may lie where, in
what a move scores, and in what else they allow.
"""

import re
from abc import abstractmethod
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations_with_replacement

from pbm_holomino.errors import IllegalMove, NoPosition
from pbm_holomino.languages import (
    InARow,
    OfPlayer,
    Sentence,
    of_number,
    of_player,
    sentence,
    together,
)
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.rules.chance import Draws
from pbm_holomino.rules.contract import (
    Drawing,
    Due,
    Event,
    Heading,
    Label,
    Left,
    Proposal,
    View,
    move_labels,
)
from pbm_holomino.rules.grid import LAST_POSITION, Box, neighbours, spread
from pbm_holomino.rules.options import BOARD_SIZE, Limits, Option, Options
from pbm_holomino.rules.refusals import (
    BEYOND_SIZE,
    WOULD_FIT,
    Refusal,
    not_a_move,
    not_empty,
    not_in_pool,
)
from pbm_holomino.rules.seats import replaced
from pbm_holomino.rules.tiles import (
    DREW,
    UNKNOWN,
    Cells,
    Duel,
    Pool,
    box_of,
    check_set,
    check_touching,
    deal,
    draw,
    draw_to_pool,
    known,
    lay,
    pool_size,
    put_back,
    tiles_left,
    told,
    within_size,
    without_tile,
)

DIGITS = "0123456789"
EVERY_TILE = frozenset(map("".join, combinations_with_replacement(DIGITS, 2)))


_BEYOND_PIPS = sentence(
    "-{option}={value} is outside its limits: {least} to {greatest} with "
    "-min_pips={fewest}."
)


def _max_limits(options: Options) -> Limits:
    least = options["min_pips"]
    return Limits(least + 1, 9, _BEYOND_PIPS.of(fewest=least))


def faces(options: Options) -> str:
    """All faces of a game, in ascending order."""
    return DIGITS[options["min_pips"] : options["max_pips"] + 1]


def tile_set(options: Options) -> Pool:
    """All tiles of a game, in ascending order: 28 for 0 to 6 pips (004)."""
    return tuple(map("".join, combinations_with_replacement(faces(options), 2)))


PIPS: tuple[Option, ...] = (
    Option(
        "min_pips",
        sentence("No half has fewer than N pips."),
        0,
        lambda given: Limits(0, 8),
    ),
    Option("max_pips", sentence("No half has more than N pips."), 6, _max_limits),
)


class Move(NamedTuple):
    """A tile put on two cells: its smaller face at `first`, the other at `second`;
    a double's halves in the order of their positions."""

    tile: str
    first: int
    second: int

    @property
    def halves(self) -> tuple[tuple[int, str], tuple[int, str]]:
        """Where the two halves lie, with their faces."""
        return (self.first, self.tile[0]), (self.second, self.tile[1])


class State(NamedTuple):
    """A position, as `tiles` has it."""

    options: Options
    pools: tuple[Pool, ...]
    sacks: tuple[Pool, ...]
    cells: Cells = {}
    joints: tuple[tuple[int, int], ...] = ()  # the cells of each tile
    frontier: Mapping[int, str] = {}  # the faces that may lie on empty cells at tiles
    box: Box = (0, 0, 0, 0)
    scores: tuple[int, ...] = (0, 0)
    turn: int = 0
    due: tuple[int, ...] = ()  # seats that have yet to draw for a tile they played
    drawn: str | None = None  # the last tile that the player to move was forced to draw
    draws: int = 0
    over: bool = False
    last: tuple[int, ...] = ()
    owners: Mapping[int, int] = {}  # the seat of each half, where tiles have owners
    heights: Mapping[int, int] = {}  # of the cells that have two halves and more
    winners: tuple[int, ...] = ()  # if it is not the scores that decide


Played = tuple[State, tuple[Event, ...]]


def move_of(face: str, position: int, other_face: str, other_position: int) -> Move:
    """The move that puts these two halves there."""
    if (face, position) > (other_face, other_position):
        return Move(other_face + face, other_position, position)
    return Move(face + other_face, position, other_position)


def turned(move: Move) -> Move:
    """The same tile on the same cells, the other way round."""
    return move_of(move.tile[0], move.second, move.tile[1], move.first)


def format_move(move: Move) -> str:
    """The move in canonical notation."""
    return f"{move.tile}:{move.first},{move.second}"


def figure(moves: str, labels: Mapping[int, Label] = {}) -> Drawing:
    """A picture for the help text: the tiles of these moves, and these labels."""
    state = State({}, (), ())
    for word in moves.split():
        if move := read(word):
            state = put(state, move)
    return Drawing("hextile", state.cells, state.joints, labels)


_MOVE = r"(?a)([0-9])([0-9]):([0-9]{1,9}),([0-9]{1,9})"


def read(word: str) -> Move | None:
    """The move that a word names, if it has the form of one."""
    if match := re.fullmatch(_MOVE, word):
        face, other, position, other_position = match.groups()
        return move_of(face, int(position), other, int(other_position))
    return None


def _nothing(cells: Cells, position: int) -> str:
    return ""


def put(
    state: State, move: Move, allowed: Callable[[Cells, int], str] = _nothing
) -> State:
    """The board with one more tile on empty cells, and its frontier: `allowed` says
    which faces may lie on a cell of it."""
    state = lay(state, dict(move.halves), allowed)
    return state._replace(joints=(*state.joints, (move.first, move.second)))


FACES = figure("01:0,4 23:10,11 45:43,44 67:100,101 89:181,182")


# What is said of draws and skips


class _Stuck(NamedTuple):
    """What is said of a player who cannot move: that the turn is lost, or that this is
    the end."""

    skipped: OfPlayer
    at_the_end: OfPlayer


_WENT_BACK = of_player(
    "You drew {tile}, which went back.", "{player} drew {tile}, which went back."
)
_BEGAN = of_player(
    "You drew the double {tile}, which lies at 0 and 1, and got the first move.",
    "{player} drew the double {tile}, which lies at 0 and 1, and got the first move.",
)
_HAD_TO_DRAW = of_player(
    "You could not move and drew {tiles}.", "{player} could not move and drew {tiles}."
)
_STUCK = _Stuck(
    of_player(
        "You could not move and lost the turn.",
        "{player} could not move and lost the turn.",
    ),
    of_player("You could not move.", "{player} could not move."),
)
_STILL_STUCK = _Stuck(
    of_player(
        "You still could not move and lost the turn.",
        "{player} still could not move and lost the turn.",
    ),
    of_player("You still could not move.", "{player} still could not move."),
)
_NO_TILE = _Stuck(
    of_player(
        "You had no tile left and lost the turn.",
        "{player} had no tile left and lost the turn.",
    ),
    of_player("You had no tile left.", "{player} had no tile left."),
)
_NOR_DID_THE_OTHER = of_player(
    "You could not move either.", "{player} could not move either."
)

# What is said of moves

_MOVE_IS = sentence("A {game} move is tile:position,position, such as 24:7,19.")
_ONE_CELL = sentence("A tile takes two cells, and you named {position} twice.")
_ALONE = sentence("Neither {first} nor {second} is beside a tile.")
_APART = sentence(
    "Positions {first} and {second} are not beside each other: the empty ones beside "
    "{first} are {empty}."
)
_APART_AND_NONE_EMPTY = sentence(
    "Positions {first} and {second} are not beside each other: no cell beside {first} "
    "is empty."
)
BEST = Heading(
    of_number(
        "Of {n} possible move, the best with each tile are:",
        "Of {n} possible moves, the best with each tile are:",
    ),
    of_number(
        "Of {n} possible move, the best with each tile would be:",
        "Of {n} possible moves, the best with each tile would be:",
    ),
)


class Hextiles(Duel[State, Move]):
    """A game with hextiles. Each has a title, and the hooks of its own: `allowed`,
    `mismatch` and `values`, and where it needs them others."""

    TITLE: str
    VERSION = 1
    LEFT = Left(
        of_number(
            "{n} tile is left in the boneyard.", "{n} tiles are left in the boneyard."
        ),
        sentence("The boneyard is empty."),
    )
    DRAWN = sentence(
        "They are the tiles left in the boneyard; for a seat, the players who have "
        'none yet: "help verify" has the details.'
    )
    OPTIONS: tuple[Option, ...] = (*PIPS, pool_size(7, tile_set), BOARD_SIZE)
    FIGURES: Mapping[str, Drawing] = {}
    SEVERAL: OfPlayer  # what is said of a move with several `{parts}` of its score
    EFFECT: Sentence  # what is said of one that will score with `n` of them

    # Hooks

    @abstractmethod
    def allowed(self, options: Options, cells: Cells, position: int) -> str:
        """The faces that may lie on an empty cell, from the board round it."""

    def joining(self, state: State, first: int, second: int) -> Container[str]:
        """The tiles that may lie on two cells beside tiles if each of their halves is
        allowed there, from the board without them."""
        return EVERY_TILE

    @abstractmethod
    def mismatch(self, state: State, move: Move) -> Sentence:
        """Why a move that does not fit is refused."""

    def values(self, cells: Cells, box: Box, move: Move) -> Sequence[int]:
        """What a move scores, part by part, from the board after it and its box."""
        return ()

    def proposed(
        self, state: State, moves: Sequence[Move]
    ) -> tuple[Proposal, Iterable[int], Sequence[int]]:
        """Which of the legal moves a letter proposes, the empty cells that a picture
        numbers, and what the moves score, if that had to be found for it."""
        cells = {at for move in moves for at in move[1:]}
        return Proposal(tuple(map(format_move, moves))), cells, ()

    # Draws and skips

    def lay(self, state: State, seat: int, move: Move) -> State:
        """The board with one more tile, which a seat has put there, and its
        frontier."""

        def allowed(cells: Cells, position: int) -> str:
            return self.allowed(state.options, cells, position)

        return put(state, move, allowed)

    def start(self, seats: int, options: Options) -> State:
        return State(options, ((),) * seats, (tile_set(options),))

    def _open(self, state: State, chance: Draws) -> Played:
        """Draw in turn until a double comes, which is the first tile (004); the others
        go back, and the player who drew the double moves first. Then the pools are
        dealt."""
        seats, events, singles = len(state.pools), list[Event](), list[str]()
        while True:
            seat = len(singles) % seats
            tile, state = draw(state, chance, seat)
            if tile[0] == tile[1]:
                break
            events.append(Event(seat, _WENT_BACK.of(tile=tile)))
            singles.append(tile)
        events.append(Event(seat, _BEGAN.of(tile=tile)))
        for number, went_back in enumerate(singles):
            state = put_back(state, number % seats, went_back)
        state = self.lay(state, seat, Move(tile, 0, 1))._replace(turn=seat, last=())
        return deal(state, chance), tuple(events)

    def settle(self, state: State, chance: Draws) -> Played:
        state, events = (state, ()) if state.cells else self._open(state, chance)
        for seat in state.due:
            if tiles_left(state, seat):
                tile, state = draw_to_pool(state, chance, seat)
                events += (Event(seat, DREW.of(tile=tile)),)
        state, is_stuck = state._replace(due=()), True
        while is_stuck:
            state, drawn = self._forced(state, chance)
            state, skips = self._skip(state)
            events, is_stuck = (*events, *drawn, *skips), bool(skips)
        return state, events

    def _forced(self, state: State, chance: Draws) -> Played:
        """The state after the draws that are due: a player who cannot move must draw
        until they can (004)."""
        seat, drawn = state.turn, list[str]()
        while self._must_draw(state):
            tile, state = draw_to_pool(state, chance, seat)
            drawn.append(tile)
        if not drawn:
            return state, ()
        event = Event(seat, _HAD_TO_DRAW.of(tiles=", ".join(drawn)))
        return state._replace(drawn=drawn[-1]), (event,)

    def _must_draw(self, state: State) -> bool:
        has_tiles = not state.over and bool(tiles_left(state, state.turn))
        return has_tiles and not self._can_move(state, state.turn)

    def _skip(self, state: State) -> Played:
        """The state after the skip or the end that is due: the turn passes on from a
        player who can neither move nor draw, and the game is over when nobody can."""
        seat, other = state.turn, 1 - state.turn
        if state.over or tiles_left(state, seat) or self._can_move(state, seat):
            return state, ()
        stuck = _STILL_STUCK if state.drawn else _STUCK
        stuck = stuck if state.pools[seat] else _NO_TILE
        state = state._replace(drawn=None)
        if tiles_left(state, other) or self._can_move(state, other):
            return state._replace(turn=other), (Event(seat, stuck.skipped),)
        ends = (Event(seat, stuck.at_the_end), Event(other, _NOR_DID_THE_OTHER))
        return state._replace(over=True), ends

    # Moves

    def due(self, state: State) -> Due:
        """A player who cannot move must draw. Nobody waits for a draw that a player is
        owed for the tile that they played."""
        return "" if state.over or self._can_move(state, state.turn) else "draw"

    def _can_move(self, state: State, seat: int) -> bool:
        """Whether a seat can move, or may be able to: nobody knows of a tile that is
        UNKNOWN."""
        pool = state.pools[seat]
        return UNKNOWN in pool or next(self.placings(state, pool), None) is not None

    def placings(self, state: State, pool: Pool) -> Iterator[Move]:
        """Each legal move on empty cells once: on two cells of the frontier it comes up
        at the smaller position, otherwise at the one that is beside a tile."""
        halves = _halves(pool)
        for position, allowed in state.frontier.items():
            held = [half for face in allowed for half in halves.get(face, ())]
            for beside, there in _partners(state, position) if held else ():
                is_smaller = position < beside
                joining = self.joining(state, position, beside) if there else ()
                for tile, other, is_first in held:
                    if there is None or other in there and tile in joining:
                        if is_smaller if is_first is None else is_first:
                            yield Move(tile, position, beside)
                        else:
                            yield Move(tile, beside, position)

    def legal(self, state: State, seat: int) -> tuple[Move, ...]:
        return tuple(sorted(self.placings(state, state.pools[seat])))

    def parse_move(self, state: State, seat: int, text: str) -> Move:
        move = read(text)
        if move is None:
            raise not_a_move(text, _MOVE_IS.of(game=self.TITLE))
        return move

    def play(self, state: State, seat: int, move: Move) -> Played:
        if objection := self.objection(state, state.pools[seat], move):
            raise IllegalMove(objection)
        after = self.lay(without_tile(state, seat, move.tile), seat, move)
        after = after._replace(turn=1 - seat, drawn=None)
        state, said = self.score(state, after, seat, move)
        event = Event(seat, said)
        if tiles_left(state, seat) and not state.over:
            return state._replace(due=(*state.due, seat)), (event,)
        # The player draws no more, so that a preview, too, may go on past a skip.
        state, skips = self._skip(state)
        return state, (event, *skips)

    def score(
        self, before: State, after: State, seat: int, move: Move
    ) -> tuple[State, OfPlayer]:
        """The state after a move with what the move scores, and what is said of it."""
        values = self.values(after.cells, after.box, move)
        points = sum(values)
        scores = replaced(before.scores, seat, before.scores[seat] + points)
        said = told(format_move(move), points, values, self.SEVERAL)
        return after._replace(scores=scores), said

    def gains(self, state: State, moves: Sequence[Move]) -> list[int]:
        return [sum(self._values(state, move)) for move in moves]

    def _values(self, state: State, move: Move) -> Sequence[int]:
        """What a move will score, part by part."""
        box = spread(spread(state.box, move.first), move.second)
        return self.values({**state.cells, **dict(move.halves)}, box, move)

    def effect(self, state: State, seat: int, move: Move) -> Sentence:
        values = self._values(state, move)
        said = self.EFFECT if values else self.SCORING.gains["nothing"]
        return said.of(move=format_move(move), score=sum(values), n=len(values))

    def in_notation(self, text: str) -> bool:
        return read(text) is not None

    def format_move(self, move: Move) -> str:
        return format_move(move)

    def covers(self, move: Move) -> tuple[int, ...]:
        return move[1:]

    def drawing(self, state: State) -> Drawing:
        return Drawing("hextile", state.cells, state.joints, last=state.last)

    def suiting(self, drawing: Drawing) -> Mapping[str, str]:
        pips = [face for face in drawing.faces.values() if face in DIGITS]
        most = max(pips, default="")
        return {"max_pips": most} if most > "6" else {}

    def position(self, options: Options, drawing: Drawing) -> State:
        _check_halves(drawing)
        self.check_tiles(options, drawing)
        state = lay(
            self.start(2, options), drawing.faces, partial(self.allowed, options)
        )
        check_touching(state.cells)
        state = state._replace(
            joints=tuple(drawing.joints),
            box=box_of(drawing.faces),
            last=tuple(drawing.last),
            owners=drawing.owners,
            heights=drawing.heights,
        )
        self.check_fits(state)
        return self.with_every_tile(state)

    def check_tiles(self, options: Options, drawing: Drawing) -> None:
        """Raises NoPosition unless these tiles can all be on the board."""
        check_set(tiles_on(drawing.faces, drawing.joints), tile_set(options))

    def check_fits(self, state: State) -> None:
        """Raises NoPosition unless each tile fits between the others: what may lie
        beside what does not depend on which came first."""
        for joint in state.joints:
            self._check_between(state, joint)

    def _check_between(self, state: State, joint: tuple[int, int]) -> None:
        """Raises NoPosition unless a tile fits where it lies between the others."""
        first, second = joint
        cells = {at: face for at, face in state.cells.items() if at not in joint}
        if not cells:
            return
        frontier = {
            at: self.allowed(state.options, cells, at)
            for at in joint
            if not cells.keys().isdisjoint(neighbours(at))
        }
        move = move_of(state.cells[first], first, state.cells[second], second)
        before = state._replace(cells=cells, frontier=frontier)
        if not self.fits(before, move):
            raise NoPosition(first, self.mismatch(before, move))

    def with_every_tile(self, state: State) -> State:
        lying = {*tiles_on(state.cells, state.joints).values()}
        left = tuple(tile for tile in tile_set(state.options) if tile not in lying)
        sacks: tuple[Pool, ...] = ((),) * len(state.sacks)
        return state._replace(pools=(left, left), sacks=sacks, due=(), drawn=None)

    def view(self, state: State, seat: int | None) -> View:
        """What everybody sees, as nothing is secret in these games."""
        moves = () if state.over else self.legal(state, state.turn)
        proposal, numbered, gained = self.proposed(state, moves)
        return View(
            scores=state.scores,
            pools=state.pools,
            drawing=self.drawing(state)._replace(labels=move_labels(numbered)),
            legal=tuple(map(format_move, moves)),
            proposal=proposal,
            sack=sum(map(partial(tiles_left, state), range(len(state.sacks)))),
            drawn=state.drawn,
            seat=seat,
            known=state._replace(draws=0),
            moves=moves,
            gains=gained,
        )

    def fits(self, state: State, move: Move) -> bool:
        """Whether a tile may lie on these empty cells, as far as its faces go."""
        allowed = state.frontier
        are_allowed = all(face in allowed.get(at, face) for at, face in move.halves)
        tile, *cells = move
        return are_allowed and tile in self.joining(state, *cells)

    def objection(self, state: State, pool: Pool, move: Move) -> Refusal | None:
        """Why a move is against the rules, if it is."""
        _, first, second = move
        positions = (first, second)
        if move.tile not in pool:
            return not_in_pool(move.tile, pool)
        if first == second:
            return _ONE_CELL.of(position=first)
        if objection := not_empty(state.cells, positions):
            return objection
        if second not in neighbours(first):
            return _apart(state, first, second)
        if not any(position in state.frontier for position in positions):
            return _ALONE.of(first=first, second=second)
        if not within_size(state, *positions):
            size = state.options["board_size"]
            return BEYOND_SIZE.of(move=format_move(move), size=size)
        if self.fits(state, move):
            return None
        why, hint = self.mismatch(state, move), turned(move)
        if not self.fits(state, hint):
            return why
        return together([why, WOULD_FIT.of(move=format_move(hint))])


def tiles_on(
    cells: Mapping[int, str], joints: Iterable[tuple[int, int]]
) -> dict[int, str]:
    """The names of tiles, by the first position of each."""
    return {joint[0]: "".join(sorted(cells[at] for at in joint)) for joint in joints}


def _check_halves(drawing: Drawing) -> None:
    """Raises NoPosition for a half that is none of this game, or has no other half."""
    joined = {at for joint in drawing.joints for at in joint}
    for at, face in drawing.faces.items():
        if face not in {*DIGITS}:
            raise NoPosition(at, _NO_PIPS.of(face=face))
        if at not in joined and not drawing.heights:
            raise NoPosition(at, _NO_OTHER_HALF)


_NO_PIPS = sentence("{face} is not a number of pips.")
_NO_OTHER_HALF = sentence("The other half of this tile is missing.")
_Half = tuple[str, str, bool | None]


def _halves(pool: Pool) -> dict[str, list[_Half]]:
    """The halves of a pool's tiles, by their faces: the tile, the face of its other
    half, and whether this one is its first; None for a double, whose halves are in the
    order of their positions."""
    halves: dict[str, list[_Half]] = {}
    for tile in dict.fromkeys(known(pool)):
        face, other = tile[0], tile[1]
        is_double = face == other
        halves.setdefault(face, []).append((tile, other, None if is_double else True))
        if not is_double:
            halves.setdefault(other, []).append((tile, face, False))
    return halves


def _partners(state: State, position: int) -> Iterator[tuple[int, str | None]]:
    """The cells that a tile with one half on this cell of the frontier may also take,
    each with the faces allowed there, None beyond the frontier; of two cells of the
    frontier only the greater is the other's partner."""
    cells, frontier = state.cells, state.frontier
    is_bounded = state.options["board_size"] is not None
    for beside in neighbours(position):
        if beside in cells or beside > LAST_POSITION:
            continue
        there = frontier.get(beside)
        if there is not None and beside < position:
            continue
        if not is_bounded or within_size(state, position, beside):
            yield beside, there


def _apart(state: State, first: int, second: int) -> Sentence:
    beside = sorted(set(neighbours(first)) - state.cells.keys())
    free = InARow(str(empty) for empty in beside if empty <= LAST_POSITION)
    why = _APART if free else _APART_AND_NONE_EMPTY
    return why.of(first=first, second=second, empty=free)
