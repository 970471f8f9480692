"""Hextup, by Cameron Browne: hextiles of two players, which may be put on others.

Source: the inventor's public help page ("Hextiles with upward stacking", 2008). Each
player has a whole set in their colour, and a boneyard of their own; the first player's
is light, the second's dark. Whoever connects a half with every number of pips wins.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from pbm_holomino.languages import (
    Either,
    OfPlayer,
    Sentence,
    counted_of_player,
    of_number,
    of_player,
    sentence,
)
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.rules.contract import (
    Drawing,
    Game,
    Heading,
    Label,
    Left,
    Proposal,
    View,
    move_labels,
)
from pbm_holomino.rules.grid import neighbours
from pbm_holomino.rules.hextiles import (
    BEST,
    DIGITS,
    FACES,
    PIPS,
    Hextiles,
    Move,
    State,
    faces,
    format_move,
    move_of,
    put,
    read,
    tile_set,
    tiles_on,
)
from pbm_holomino.rules.options import BOARD_SIZE, Limits, Option, Options
from pbm_holomino.rules.refusals import Refusal, off_grid
from pbm_holomino.rules.scoring import GAINS, Scoring
from pbm_holomino.rules.seats import replaced
from pbm_holomino.rules.tiles import (
    POOL_SIZE,
    Cells,
    Pool,
    check_set,
    tiles_left,
    within_size,
)

SIDES: tuple[Sentence, ...] = (sentence("Light"), sentence("Dark"))
_BEYOND_SET = of_number(
    "-{option}={value} is outside its limits: {least} to {greatest} (each set has {n} "
    "tile, and one double is put down).",
    "-{option}={value} is outside its limits: {least} to {greatest} (each set has {n} "
    "tiles, and one double is put down).",
)


def _pool_limits(options: Options) -> Limits:
    size = len(tile_set(options))
    return Limits(1, size - 1, _BEYOND_SET.of(n=size))


# On top of other tiles


def _on_top(state: State, pool: Pool) -> Iterator[Move]:
    """Each legal move on top of tiles, once: on two halves that can be seen, beside
    each other and equally high, which belong to two tiles."""
    cells, heights, held = state.cells, state.heights, {*pool}
    joined = {*state.joints, *(joint[::-1] for joint in state.joints)}
    for first, face in cells.items():
        for second in neighbours(first):
            if second > first and second in cells:
                is_held = "".join(sorted(face + cells[second])) in held
                is_level = heights.get(first, 1) == heights.get(second, 1)
                if is_held and is_level and (first, second) not in joined:
                    yield move_of(face, first, cells[second], second)


_ONE_TILE = sentence(
    "{first} and {second} are the two halves of one tile: a tile on top must lie on "
    "two."
)
_NOT_LEVEL = sentence(
    "A tile on top must lie level: {first} is {height} high, and {second} is "
    "{other_height} high."
)
_COVERS_ANOTHER = sentence(
    "{move} does not fit: its half at {position} has {face}, and would cover {other}. "
    "On top, both halves must equal what they cover."
)


def _covering_objection(state: State, move: Move) -> Sentence | None:
    """Why a tile cannot lie on top of these two halves, which are beside each other."""
    _, first, second = move
    if (first, second) in state.joints or (second, first) in state.joints:
        return _ONE_TILE.of(first=first, second=second)
    one, other = (state.heights.get(at, 1) for at in (first, second))
    if one != other:
        return _NOT_LEVEL.of(first=first, height=one, second=second, other_height=other)
    for position, face in move.halves:
        if (other_face := state.cells[position]) != face:
            return _COVERS_ANOTHER.of(
                move=format_move(move), position=position, face=face, other=other_face
            )
    return None


# Groups


def _group(left: set[int], *ahead: int) -> set[int]:
    """These positions, and all of those `left` that are connected with them, which are
    taken out of these."""
    group, reached = {*ahead}, [*ahead]
    while reached:
        beside = left.intersection(neighbours(reached.pop()))
        left -= beside
        group |= beside
        reached += beside
    return group


def _own(state: State, seat: int) -> set[int]:
    """The positions of the halves of a seat that can be seen."""
    return {at for at, owner in state.owners.items() if owner == seat}


def groups(state: State, seat: int) -> Iterator[set[int]]:
    """The positions of each connected set of halves of a seat that can be seen."""
    left = _own(state, seat)
    while left:
        yield _group(left, left.pop())


def connected(state: State, seat: int) -> int:
    """How many different numbers of pips the best group of a seat holds."""
    every = ({state.cells[at] for at in group} for group in groups(state, seat))
    return max(map(len, every), default=0)


def _connected_by(state: State, seat: int, move: Move) -> int:
    """The same after a move of that seat, by which it loses none of its halves: it has
    what it had, or what the tile connects."""
    cells = {*move[1:]}
    group = _group(_own(state, seat) - cells, *cells) - cells
    numbers = {*move.tile, *(state.cells[at] for at in group)}
    return max(state.scores[seat], len(numbers))


# The numbers of pips on each tile, as the bits of a number
_NUMBERS = {a + b: 1 << int(a) | 1 << int(b) for a in DIGITS for b in DIGITS}


def _connected_beside(state: State, seat: int) -> dict[int, int]:
    """The numbers, as bits, that the groups of a seat hold beside each position."""
    beside = dict[int, int]()
    for group in groups(state, seat):
        numbers = 0
        for at in group:
            numbers |= 1 << int(state.cells[at])
        for position in {n for at in group for n in neighbours(at)}:
            beside[position] = beside.get(position, 0) | numbers
    return beside


def _stacked(state: State, move: Move) -> State:
    """The board with a tile on top of others, whose faces it shows again."""
    covered = {move.first, move.second}
    joints = tuple(joint for joint in state.joints if covered.isdisjoint(joint))
    heights = {at: state.heights.get(at, 1) + 1 for at in covered}
    return state._replace(
        joints=(*joints, (move.first, move.second)),
        heights={**state.heights, **heights},
        last=(move.first, move.second),
    )


def _owned(state: State, seat: int, move: Move) -> State:
    """The board with the tile of this move as a seat's, and what both have connected
    then: the other has less only if it covers something."""
    other, is_top = 1 - seat, move.first in state.owners
    owners = {**state.owners, move.first: seat, move.second: seat}
    scores = replaced(state.scores, seat, _connected_by(state, seat, move))
    after = state._replace(owners=owners, scores=scores)
    if not is_top:
        return after
    return after._replace(scores=replaced(scores, other, connected(after, other)))


def _tiles_of(drawing: Drawing, seat: int) -> dict[int, str]:
    """The tiles of a seat that can be seen whole, by the first position of each."""
    own = (j for j in drawing.joints if drawing.owners.get(j[0], 0) == seat)
    return tiles_on(drawing.faces, own)


# Figures


def _drawing(state: State) -> Drawing:
    return Drawing(
        "hextile",
        state.cells,
        state.joints,
        last=state.last,
        owners=state.owners,
        sides=SIDES,
        heights=state.heights,
    )


def _figure(moves: str, labels: Mapping[int, Label] = {}) -> Drawing:
    """A picture for the help text: the tiles of these moves, of Light and of Dark in
    turn, and these labels; a dash stands for a turn that is passed over."""
    state = State({}, (), ())
    for number, word in enumerate(moves.split()):
        if move := read(word):
            is_top = move.first in state.cells
            state = _stacked(state, move) if is_top else put(state, move)
            state = _owned(state, number % len(SIDES), move)
    return _drawing(state)._replace(labels=labels, last=())


WON = (
    "- 00:0,1 - 02:8,9 02:2,10 24:3,12 00:1,8 23:4,14 12:25,11 16:26,47 04:6,16 "
    "35:13,28"
)
_FIGURES: Mapping[str, Drawing] = {
    "faces": FACES,
    "start": _figure("22:0,1", move_labels((*range(2, 9), 18))),
    "beside": _figure("22:0,1 24:7,19 02:17,18"),
    "top": _figure("22:0,1 24:7,19 02:17,18 22:7,18"),
    "won": _figure(WON),
}


class _Played(NamedTuple):
    """What is said of a move: by itself, or with what it has connected."""

    alone: OfPlayer
    more: OfPlayer
    won: OfPlayer


_BESIDE = _Played(
    of_player("You played {move}.", "{player} played {move}."),
    of_player(
        "You played {move} and connected {now} of {every} numbers.",
        "{player} played {move} and connected {now} of {every} numbers.",
    ),
    of_player(
        "You played {move} and connected all {every} numbers.",
        "{player} played {move} and connected all {every} numbers.",
    ),
)
_ON_TOP = _Played(
    of_player("You played {move} on top.", "{player} played {move} on top."),
    of_player(
        "You played {move} on top and connected {now} of {every} numbers.",
        "{player} played {move} on top and connected {now} of {every} numbers.",
    ),
    of_player(
        "You played {move} on top and connected all {every} numbers.",
        "{player} played {move} on top and connected all {every} numbers.",
    ),
)
_GAINS = {
    **GAINS,
    "fits_best": of_number(
        "{tile} fits at one place, and adds {score} to the connected numbers at most.",
        "{tile} fits at {n} places, and adds {score} to the connected numbers at most.",
    ),
    "at_best": of_number(
        "position {at}, adds {score} to the connected numbers",
        "position {at}, adds {score} to the connected numbers",
    ),
    "on_best": of_number(
        "position {at}, on top of {below}, adds {score} to the connected numbers",
        "position {at}, on top of {below}, adds {score} to the connected numbers",
    ),
    "gain": of_number(
        "{move} adds {score} to the connected numbers.",
        "{move} adds {score} to the connected numbers.",
    ),
    "nothing": sentence("{move} adds nothing to the connected numbers."),
}
_CONNECTS_ALL = sentence("{move} connects all {every} numbers and wins.")
_LIES_ON_TOP = sentence("{effect} It lies on top of other tiles.")
_BEST_AND_ON_TOP = Heading(
    of_number(
        "Of {n} possible move, the best with each tile and all on top of others are:",
        "Of {n} possible moves, the best with each tile and all on top of others are:",
    ),
    of_number(
        "Of {n} possible move, the best with each tile and all on top of others would "
        "be:",
        "Of {n} possible moves, the best with each tile and all on top of others would "
        "be:",
    ),
)
_SCORING = Scoring(
    sentence("connected numbers"),
    standing=sentence("Connected numbers: {scores}."),
    waits=(
        of_number(
            "{player} has {n} connected number and holds {tiles}.",
            "{player} has {n} connected numbers and holds {tiles}.",
        ),
        of_number(
            "{player} has {n} connected number and holds no tiles.",
            "{player} has {n} connected numbers and holds no tiles.",
        ),
    ),
    is_to_move=(
        of_number(
            "{player}, to move, has {n} connected number and holds {tiles}.",
            "{player}, to move, has {n} connected numbers and holds {tiles}.",
        ),
        of_number(
            "{player}, to move, has {n} connected number and holds no tiles.",
            "{player}, to move, has {n} connected numbers and holds no tiles.",
        ),
    ),
    on_one=(
        of_number(
            "It gains {n} connected number on your opponent at once.",
            "It gains {n} connected numbers on your opponent at once.",
        ),
        of_number(
            "It loses {n} connected number to your opponent at once.",
            "It loses {n} connected numbers to your opponent at once.",
        ),
    ),
    decides=False,
    gains=_GAINS,
)
_LEFT = Left(
    counted_of_player(
        of_number(
            "{n} tile is left in your boneyard.", "{n} tiles are left in your boneyard."
        ),
        of_number(
            "{n} tile is left in {player}'s boneyard.",
            "{n} tiles are left in {player}'s boneyard.",
        ),
    ),
    of_player("Your boneyard is empty.", "{player}'s boneyard is empty."),
)


class Hextup(Hextiles):
    """Hextiles, with the hooks that are Hextup's own."""

    TITLE = "Hextup"
    SIDES = SIDES
    SCORING = _SCORING
    LEFT = _LEFT
    DRAWN = sentence(
        "They are the tiles left in the boneyard of the player who draws; for a seat, "
        'the players who have none yet: "help verify" has the details.'
    )
    FIGURES = _FIGURES
    OPTIONS = (
        *PIPS,
        Option("pool_size", POOL_SIZE, 7, _pool_limits),
        BOARD_SIZE,
    )

    def start(self, seats: int, options: Options) -> State:
        return State(options, ((),) * seats, (tile_set(options),) * seats)

    def allowed(self, options: Options, cells: Cells, position: int) -> str:
        """The faces of all halves beside a cell: one of them must be equal."""
        beside = {cells[at] for at in neighbours(position) if at in cells}
        return "".join(sorted(beside))

    def mismatch(self, state: State, move: Move) -> Sentence:
        position, face = next(
            half
            for half in move.halves
            if half[1] not in state.frontier.get(half[0], half[1])
        )
        return sentence(
            "{move} does not fit: its half at {position} has {face}, and beside it "
            "there must be another {face}; it can be {others}.",
            move=format_move(move),
            position=position,
            face=face,
            others=Either(state.frontier[position]),
        )

    def lay(self, state: State, seat: int, move: Move) -> State:
        is_top = move.first in state.cells
        state = _stacked(state, move) if is_top else super().lay(state, seat, move)
        return _owned(state, seat, move)

    def check_tiles(self, options: Options, drawing: Drawing) -> None:
        """Each player has a whole set."""
        for seat in range(len(SIDES)):
            check_set(_tiles_of(drawing, seat), tile_set(options))

    def check_fits(self, state: State) -> None:
        """A half needs one equal neighbour when it is laid, which others need not be
        that come later."""

    def with_every_tile(self, state: State) -> State:
        """What lies under tiles may be held, too: it is not seen."""
        pools = (
            tuple(t for t in tile_set(state.options) if t not in {*lying.values()})
            for seat in range(len(SIDES))
            for lying in [_tiles_of(self.drawing(state), seat)]
        )
        connects = tuple(connected(state, seat) for seat in range(len(SIDES)))
        state = super().with_every_tile(state)
        return state._replace(pools=(*pools,), scores=connects)

    def placings(self, state: State, pool: Pool) -> Iterator[Move]:
        yield from super().placings(state, pool)
        yield from _on_top(state, pool)

    def objection(self, state: State, pool: Pool, move: Move) -> Refusal | None:
        if move.tile not in pool or move.first == move.second:
            return super().objection(state, pool, move)
        taken = [at in state.cells for at in (move.first, move.second)]
        if not any(taken):
            return super().objection(state, pool, move)
        if objection := off_grid((move.first, move.second)):
            return objection
        if not all(taken):
            full, empty = move[1:] if taken[0] else move[:0:-1]
            return sentence(
                "Position {full} is taken, and {empty} is empty: a tile lies either on "
                "two empty cells or on top of two tiles.",
                full=full,
                empty=empty,
            )
        if move.second not in neighbours(move.first):
            return sentence(
                "Positions {first} and {second} are not beside each other.",
                first=move.first,
                second=move.second,
            )
        return _covering_objection(state, move)

    def score(
        self, before: State, after: State, seat: int, move: Move
    ) -> tuple[State, OfPlayer]:
        """A mover who has connected all numbers has won. What the mover has connected
        is said where it is more than before."""
        played = _ON_TOP if move.first in before.cells else _BESIDE
        now, every = after.scores[seat], len(faces(after.options))
        if now == every:
            after, said = after._replace(over=True, winners=(seat,)), played.won
        else:
            said = played.more if now > before.scores[seat] else played.alone
        return after, said.of(move=format_move(move), now=now, every=every)

    def gains(self, state: State, moves: Sequence[Move]) -> list[int]:
        """How many more numbers the mover has connected after each of these moves."""
        now, beside = state.scores[state.turn], _connected_beside(state, state.turn)
        gained = []
        for tile, first, second in moves:
            connects = beside.get(first, 0) | beside.get(second, 0) | _NUMBERS[tile]
            gained.append(max(0, connects.bit_count() - now))
        return gained

    def effect(self, state: State, seat: int, move: Move) -> Sentence:
        every = len(faces(state.options))
        now = _connected_by(state, seat, move)
        gain = now - state.scores[seat]
        said = _GAINS["gain" if gain > 0 else "nothing"]
        effect = (_CONNECTS_ALL if now == every else said).of(
            move=format_move(move), every=every, score=gain, n=gain
        )
        is_top = move.first in state.cells
        return _LIES_ON_TOP.of(effect=effect) if is_top else effect

    def drop(self, state: State, seat: int) -> State:
        return state._replace(over=True, winners=(1 - seat,))

    def outcome(self, state: State) -> tuple[int, ...] | None:
        """Whoever has connected all numbers; both, when nobody can move any more."""
        if not state.over:
            return None
        return state.winners or tuple(range(len(state.pools)))

    def drawing(self, state: State) -> Drawing:
        return _drawing(state)

    def proposed(
        self, state: State, moves: Sequence[Move]
    ) -> tuple[Proposal, Iterable[int], Sequence[int]]:
        """Of the moves beside tiles the best with each tile, and all on top of tiles,
        as their cells bear no numbers."""
        gained = self.gains(state, moves)
        scored = zip(moves, gained, strict=True)
        beside = [(move, gain) for move, gain in scored if move[1] not in state.cells]
        above = [move for move in moves if move[1] in state.cells]
        best = _best(beside)
        shown = [*best, *above]
        numbered = {at for at in state.frontier if within_size(state, at)}
        proposal = Proposal(tuple(map(format_move, shown)))
        if len(shown) < len(moves):
            heading = _BEST_AND_ON_TOP if above else BEST
            proposal = proposal._replace(heading=heading.of(len(moves)))
        return proposal, numbered.union(*(move[1:] for move in best)), gained

    def view(self, state: State, seat: int | None) -> View:
        sacks = tuple(tiles_left(state, each) for each in range(len(SIDES)))
        return super().view(state, seat)._replace(sacks=sacks)


def _best(moves: Iterable[tuple[Move, int]]) -> list[Move]:
    """The move of each tile that connects most; of equal ones the nearest to the first
    tile."""
    best = dict[str, tuple[int, int, Move]]()
    for move, gain in moves:
        tile, first, second = move
        rated = -gain, max(first, second), move
        if tile not in best or rated < best[tile]:
            best[tile] = rated
    return [move for _, _, move in best.values()]


GAME: Game[State, Move] = Hextup()
