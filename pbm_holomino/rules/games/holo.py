"""Holomino, by Cameron Browne: hexagons with bites taken out of their corners.

Sources: 000 (Brettspielnetz's rules in English), 001 (the same in German) and 002
(the inventor's help page). A face is three digits: those at a tile's upper left,
right and lower left corner, clockwise. A tile's name is the smallest of its three
faces. A pattern is what a cell demands of a face: a digit, or `.` for any.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from math import prod

from pbm_holomino.errors import IllegalMove, NoPosition
from pbm_holomino.languages import (
    Either,
    Sentence,
    of_number,
    of_player,
    sentence,
)
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.rules import grid as to
from pbm_holomino.rules.chance import Draws
from pbm_holomino.rules.contract import (
    BLOCKED,
    Closed,
    Drawing,
    Due,
    Event,
    Game,
    Label,
    Left,
    Proposal,
    View,
    move_labels,
)
from pbm_holomino.rules.grid import Box, neighbours
from pbm_holomino.rules.options import BOARD_SIZE, Limits, Option, Options
from pbm_holomino.rules.refusals import (
    A_TILE_BEYOND_SIZE,
    Refusal,
    not_a_move,
    not_empty,
    not_in_pool,
)
from pbm_holomino.rules.scoring import GAINS
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

# Where each corner meets the corners of neighbours: (direction, their corner).
MEETS = (
    ((to.N, 2), (to.NW, 1)),
    ((to.SE, 0), (to.NE, 2)),
    ((to.S, 0), (to.SW, 1)),
)
# Each hole at a tile: the two neighbours round it, the tile's two corners on it,
# and the first neighbour's corner where those two meet.
HOLES = (
    (to.N, to.NE, 0, 1, 1),
    (to.SE, to.S, 1, 2, 2),
    (to.SW, to.NW, 2, 0, 0),
)


_BEYOND_DIGITS = sentence(
    "-{option}={value} is outside its limits: {least} to {greatest} (3 to 9 with "
    "-non_unique)."
)


def _digit_limits(options: Options) -> Limits:
    return Limits(3 if options["non_unique"] else 4, 9, _BEYOND_DIGITS)


def turns(face: str) -> tuple[str, str, str]:
    """The three ways a tile can lie, beginning with this one."""
    return face, face[1:] + face[0], face[2:] + face[:2]


@cache
def tile_of(face: str) -> str:
    """The name of the tile that shows this face."""
    return min(turns(face))


def tile_set(options: Options) -> Pool:
    """All tiles of a game, in ascending order: 40, with -non_unique 76 (000)."""
    return _tile_set(options["num_digits"], options["non_unique"])


@cache
def _tile_set(num_digits: int, non_unique: bool) -> Pool:
    faces = map("".join, product("123456789"[:num_digits], repeat=3))
    tiles = [face for face in faces if face == tile_of(face)]
    return tuple(tile for tile in tiles if non_unique or len({*tile}) == 3)


_OPTIONS: tuple[Option, ...] = (
    Option(
        "non_unique",
        sentence("The set also has tiles that show a digit two or three times."),
    ),
    Option(
        "num_digits",
        sentence("The tiles carry the digits from 1 to N."),
        6,
        _digit_limits,
    ),
    pool_size(3, tile_set),
    Option(
        "limit_scores",
        sentence(
            "Two or three holes made by one move are added up and multiplied by their "
            "number, instead of being multiplied with each other."
        ),
    ),
    BOARD_SIZE,
)
_TRIPLE = {1: ".64", 2: "6.5", 3: "5.4", 4: "64.", 5: "56.", 6: ".45"}
_FIGURES: Mapping[str, Drawing] = {
    "large": Drawing("large", {0: "231"}),
    "clockwise": Drawing("bitten", {0: "231"}),
    "anticlockwise": Drawing("bitten", {0: "321"}),
    "numbers": Drawing("bitten", {0: "134"}, labels=move_labels(range(1, 7))),
    "played": Drawing("bitten", {0: "134", 3: "342"}),
    "hole": Drawing("bitten", {0: "123", 3: "265", 4: "354"}),
    "least": Drawing("bitten", {0: ".21", 3: "2.3", 4: "13."}),
    "greatest": Drawing("bitten", {0: ".54", 3: "5.6", 4: "46."}),
    "before": Drawing("bitten", _TRIPLE, labels={0: Label("17")}),
    "after": Drawing("bitten", {**_TRIPLE, 0: "456"}),
    "blocked": Drawing("bitten", {0: "351", 2: "325"}, labels={1: BLOCKED}),
}
_PASSED = of_player(
    "You passed and put {tile} back into the sack.",
    "{player} passed and put {tile} back into the sack.",
)
_SEVERAL = of_player(
    "You played {move} and scored {points} with holes of {parts}.",
    "{player} played {move} and scored {points} with holes of {parts}.",
)
_COMPLETES = of_number(
    "{move} scores {score} and completes {n} hole.",
    "{move} scores {score} and completes {n} holes.",
)
_GOES_BACK = sentence("{move} puts {tile} back into the sack.")
_NO_MOVE = sentence(
    "No tile of the pool fits anywhere, so one must go back into the sack."
)
_MOVE_IS = sentence("A {game} move is tile:position, such as 123:17, or pass:tile.")
_MAY_NOT_PASS = of_player(
    'You may not pass while "{move}" is possible.',
    '{player} may not pass while "{move}" is possible.',
)
_NAME_IT = sentence(
    "The tile that was drawn last is not known here: please name the one that goes "
    "back, as in pass:123."
)
_ALONE = sentence("Position {position} is not beside a tile.")
_NOT_AS_IT_LIES = sentence(
    "{face} does not fit at {position} as it lies; {moves} would."
)
# A corner of a tile that does not fit, and the neighbour's corner that it meets.
_MISMATCHES = {
    (0, 2): sentence(
        "{tile} does not fit at {position}, however you rotate it: lying as {face} it "
        "has {digit} at its upper left corner, and its neighbour at {beside} has "
        "{other} there, at its lower left corner."
    ),
    (0, 1): sentence(
        "{tile} does not fit at {position}, however you rotate it: lying as {face} it "
        "has {digit} at its upper left corner, and its neighbour at {beside} has "
        "{other} there, at its right corner."
    ),
    (1, 0): sentence(
        "{tile} does not fit at {position}, however you rotate it: lying as {face} it "
        "has {digit} at its right corner, and its neighbour at {beside} has {other} "
        "there, at its upper left corner."
    ),
    (1, 2): sentence(
        "{tile} does not fit at {position}, however you rotate it: lying as {face} it "
        "has {digit} at its right corner, and its neighbour at {beside} has {other} "
        "there, at its lower left corner."
    ),
    (2, 0): sentence(
        "{tile} does not fit at {position}, however you rotate it: lying as {face} it "
        "has {digit} at its lower left corner, and its neighbour at {beside} has "
        "{other} there, at its upper left corner."
    ),
    (2, 1): sentence(
        "{tile} does not fit at {position}, however you rotate it: lying as {face} it "
        "has {digit} at its lower left corner, and its neighbour at {beside} has "
        "{other} there, at its right corner."
    ),
}


class Placing(NamedTuple):
    """A tile put on a cell: the face as it will lie, and how the move is written."""

    written: str
    position: int
    face: str


class Pass(NamedTuple):
    """A tile given back to the sack."""

    tile: str


Move = Placing | Pass
Played = tuple["State", tuple[Event, ...]]


class State(NamedTuple):
    """A position, as `tiles` has it."""

    options: Options
    pools: tuple[Pool, ...]
    sacks: tuple[Pool, ...]
    cells: Cells = {}
    frontier: Mapping[int, str] = {}  # the patterns of empty cells beside tiles
    box: Box = (0, 0, 0, 0)
    scores: tuple[int, ...] = (0, 0)
    turn: int = 0
    due: bool = True  # the turn begins with a draw
    drawn: str | None = None  # the tile drawn for it
    draws: int = 0
    passes: int = 0  # in succession
    over: bool = False
    last: tuple[int, ...] = ()


@cache
def fitting_turns(tile: str, pattern: str) -> tuple[str, ...]:
    """The different faces of a tile that a pattern takes, in ascending order."""
    return tuple(face for face in sorted(set(turns(tile))) if _fits(face, pattern))


def _fits(face: str, pattern: str) -> bool:
    return all(want in (".", digit) for digit, want in zip(face, pattern, strict=True))


def pattern_at(cells: Cells, position: int) -> str:
    """What the tiles round a cell demand of a face there."""
    around = neighbours(position)
    pattern = ""
    for (way, corner), (other_way, other_corner) in MEETS:
        if face := cells.get(around[way]):
            pattern += face[corner]
        else:
            pattern += cells.get(around[other_way], "...")[other_corner]
    return pattern


def hole_values(cells: Cells, position: int) -> list[int]:
    """The value of each hole that the tile at a position completes (000): the sum of
    the numbers on the three edges round it."""
    closed = _holes_at(cells, position, cells[position], HOLES)
    return [value for _, value in closed]


def _holes_at(
    cells: Cells,
    position: int,
    face: str,
    holes: Iterable[tuple[int, int, int, int, int]],
) -> Iterator[tuple[tuple[int, int, int], int]]:
    """Those of these holes at a tile that are closed: the tiles round each, and its
    value. The tile shows this face, and need not lie there yet."""
    around = neighbours(position)
    for way, other_way, mine, also_mine, far in holes:
        one, other = around[way], around[other_way]
        if one in cells and other in cells:
            value = int(face[mine]) + int(face[also_mine]) + int(cells[one][far])
            yield (position, one, other), value


def move_score(values: list[int], limit_scores: bool) -> int:
    """The score of a move that completes holes of these values: added and
    multiplied by their number (000, 001), or multiplied with each other (002)."""
    if not values:
        return 0
    return sum(values) * len(values) if limit_scores else prod(values)


# Moves


def _placings(state: State, pool: Pool) -> Iterator[Placing]:
    tiles = known(pool)
    for position, pattern in state.frontier.items():
        if not within_size(state, position):
            continue
        for tile in tiles:
            faces = fitting_turns(tile, pattern)
            for face in faces:
                yield Placing(tile if len(faces) == 1 else face, position, face)


_MOVE = r"(?a)(?:([1-9]{3}):([0-9]{1,9})|pass(?::([1-9]{3}))?)"


def format_move(move: Move) -> str:
    if isinstance(move, Pass):
        return f"pass:{move.tile}"
    return f"{move.written}:{move.position}"


def _holes(state: State, move: Placing) -> list[int]:
    """The value of each hole that a move will complete."""
    closed = _holes_at(state.cells, move.position, move.face, HOLES)
    return [value for _, value in closed]


def _score(state: State, move: Move) -> int:
    if isinstance(move, Pass):
        return 0
    return move_score(_holes(state, move), state.options["limit_scores"])


def _end_turn(state: State, seat: int, passes: int) -> State:
    over = not state.pools[seat] or passes == len(state.pools)
    return state._replace(
        turn=1 - seat,
        due=tiles_left(state, 1 - seat) > 0,
        drawn=None,
        passes=passes,
        over=over,
    )


def _objection(state: State, pool: Pool, tile: str, move: Move) -> Refusal | None:
    """Why a move is against the rules, if it is."""
    if tile not in pool:
        return not_in_pool(tile, pool)
    if tile == UNKNOWN:
        return _NAME_IT
    if isinstance(move, Pass):
        better = next(map(format_move, _placings(state, pool)), None)
        return _MAY_NOT_PASS.of(move=better) if better else None
    position = move.position
    if objection := not_empty(state.cells, [position]):
        return objection
    if position not in state.frontier:
        return _ALONE.of(position=position)
    if not within_size(state, position):
        size = state.options["board_size"]
        return A_TILE_BEYOND_SIZE.of(position=position, size=size)
    if not _fits(move.face, state.frontier[position]):
        return _mismatch(state, position, move.face)
    return None


def _mismatch(state: State, position: int, face: str) -> Sentence:
    """Why a face does not fit: a corner, a neighbour, and both their numbers."""
    pattern = state.frontier[position]
    others = fitting_turns(tile_of(face), pattern)
    if others:
        moves = Either(f"{other}:{position}" for other in others)
        return _NOT_AS_IT_LIES.of(face=face, position=position, moves=moves)
    nearest = max(turns(face), key=lambda turn: sum(map(_fits, turn, pattern)))
    corner = next(c for c in range(3) if not _fits(nearest[c], pattern[c]))
    way, theirs = next(
        (way, theirs)
        for way, theirs in MEETS[corner]
        if neighbours(position)[way] in state.cells
    )
    return _MISMATCHES[corner, theirs].of(
        tile=tile_of(face),
        position=position,
        face=nearest,
        digit=nearest[corner],
        beside=neighbours(position)[way],
        other=pattern[corner],
    )


def blocked_cells(state: State) -> tuple[int, ...]:
    """The cells where no tile of the full set can ever lie: two corners demand the
    same digit, and no tile has it twice (000, "Blocking")."""
    if state.options["non_unique"]:
        return ()
    demands = {cell: p.replace(".", "") for cell, p in state.frontier.items()}
    twice = [cell for cell, digits in demands.items() if len({*digits}) < len(digits)]
    return tuple(cell for cell in sorted(twice) if within_size(state, cell))


class Holomino(Duel[State, Move]):
    """The game."""

    TITLE = "Holomino"
    VERSION = 1
    LEFT = Left(
        of_number("{n} tile is left in the sack.", "{n} tiles are left in the sack."),
        sentence("The sack is empty."),
    )
    OPTIONS = _OPTIONS
    PRESETS: Mapping[str, Options] = {
        "brettspielnetz": {"limit_scores": True, "board_size": 12}
    }
    WORDS: tuple[str, ...] = ("pass",)
    DRAWN = sentence(
        "They are the tiles left in the sack; for a seat, the players who have none "
        'yet: "help verify" has the details.'
    )
    FIGURES = _FIGURES

    def start(self, seats: int, options: Options) -> State:
        return State(options, ((),) * seats, (tile_set(options),))

    def settle(self, state: State, chance: Draws) -> Played:
        if not state.cells:
            first, state = draw(deal(state, chance), chance, state.turn)
            state = lay(state, {0: first}, pattern_at)._replace(last=())
        if not state.due or not tiles_left(state, state.turn) or state.over:
            return state._replace(due=False), ()
        tile, state = draw_to_pool(state, chance, state.turn)
        return state._replace(drawn=tile, due=False), (
            Event(state.turn, DREW.of(tile=tile)),
        )

    def due(self, state: State) -> Due:
        return "draw" if state.due and not state.over else ""

    def suiting(self, drawing: Drawing) -> Mapping[str, str]:
        faces = drawing.faces.values()
        most = max((digit for face in faces for digit in face), default="")
        words = {"num_digits": most} if "6" < most <= "9" else {}
        has_pairs = any(len({*face}) < len(face) for face in faces)
        return {**words, "non_unique": "yes"} if has_pairs else words

    def position(self, options: Options, drawing: Drawing) -> State:
        tiles = {at: tile_of(face) for at, face in drawing.faces.items()}
        check_set(tiles, tile_set(options))
        state = lay(self.start(2, options), drawing.faces, pattern_at)
        check_touching(state.cells)
        box, last = box_of(drawing.faces), tuple(drawing.last)
        state = state._replace(box=box, last=last)
        for at, face in state.cells.items():
            pattern = pattern_at(state.cells, at)
            if not _fits(face, pattern):
                before = state._replace(frontier={at: pattern})
                raise NoPosition(at, _mismatch(before, at, face))
        return self.with_every_tile(state)

    def with_every_tile(self, state: State) -> State:
        lying = {*map(tile_of, state.cells.values())}
        left = tuple(tile for tile in tile_set(state.options) if tile not in lying)
        return state._replace(pools=(left, left), sacks=((),), due=False, drawn=None)

    def legal(self, state: State, seat: int) -> tuple[Move, ...]:
        placings = tuple(sorted(_placings(state, state.pools[seat])))
        held = known(state.pools[seat])
        return placings or tuple(map(Pass, sorted(held)))

    def in_notation(self, text: str) -> bool:
        return re.fullmatch(_MOVE, text.lower()) is not None

    def parse_move(self, state: State, seat: int, text: str) -> Move:
        match = re.fullmatch(_MOVE, text.lower())
        if not match:
            raise not_a_move(text, _MOVE_IS.of(game=self.TITLE))
        face, position, returned = match.groups()
        if face is None:
            return Pass(tile_of(returned) if returned else state.pools[seat][-1])
        pattern = state.frontier.get(int(position), "...")
        faces = fitting_turns(tile_of(face), pattern)
        if len(faces) == 1:
            return Placing(tile_of(face), int(position), faces[0])
        return Placing(face, int(position), face)

    def format_move(self, move: Move) -> str:
        return format_move(move)

    def play(self, state: State, seat: int, move: Move) -> Played:
        tile = move.tile if isinstance(move, Pass) else tile_of(move.face)
        if objection := _objection(state, state.pools[seat], tile, move):
            raise IllegalMove(objection)
        state = without_tile(state, seat, tile)._replace(last=())
        if isinstance(move, Pass):
            state = _end_turn(put_back(state, seat, tile), seat, state.passes + 1)
            return state, (Event(seat, _PASSED.of(tile=tile)),)
        state = lay(state, {move.position: move.face}, pattern_at)
        values = hole_values(state.cells, move.position)
        score = move_score(values, state.options["limit_scores"])
        scores = replaced(state.scores, seat, state.scores[seat] + score)
        event = Event(seat, told(format_move(move), score, values, _SEVERAL))
        return _end_turn(state._replace(scores=scores), seat, 0), (event,)

    def covers(self, move: Move) -> tuple[int, ...]:
        return () if isinstance(move, Pass) else (move.position,)

    def gains(self, state: State, moves: Sequence[Move]) -> list[int]:
        return [_score(state, move) for move in moves]

    def effect(self, state: State, seat: int, move: Move) -> Sentence:
        written = format_move(move)
        if isinstance(move, Pass):
            return _GOES_BACK.of(move=written, tile=move.tile)
        holes, score = len(_holes(state, move)), _score(state, move)
        said = _COMPLETES if holes else GAINS["nothing"]
        return said.of(move=written, score=score, n=holes)

    def drawing(self, state: State) -> Drawing:
        return Drawing("bitten", state.cells, last=state.last)

    def closed(self, state: State) -> list[Closed]:
        """Each hole once: at the tile of which it is the first."""
        return [
            Closed(hole, value, not {*hole}.isdisjoint(state.last))
            for at, face in state.cells.items()
            for hole, value in _holes_at(state.cells, at, face, HOLES[:1])
        ]

    def view(self, state: State, seat: int | None) -> View:
        """Nothing is secret in Holomino: every reader sees the same."""
        is_known = not state.over and not state.due
        moves = self.legal(state, state.turn) if is_known else ()
        open_cells = {move.position for move in moves if isinstance(move, Placing)}
        labels = move_labels(open_cells) | dict.fromkeys(blocked_cells(state), BLOCKED)
        written = tuple(map(format_move, moves))
        return View(
            scores=state.scores,
            pools=state.pools,
            drawing=self.drawing(state)._replace(labels=labels),
            legal=written,
            proposal=Proposal(written),
            sack=tiles_left(state, 0),
            drawn=state.drawn,
            remarks=(_NO_MOVE,) if moves and not open_cells else (),
            seat=seat,
            known=state._replace(draws=0),
            moves=moves,
        )


GAME: Game[State, Move] = Holomino()
