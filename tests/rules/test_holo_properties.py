"""What holds in every Holomino game, whatever its options, seed and moves."""

import copy
import random
from typing import Any, NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from pbm_holomino.draw.reading.marks import Seen
from pbm_holomino.draw.text import draw
from pbm_holomino.errors import BadMove
from pbm_holomino.rules.chance import Chance
from pbm_holomino.rules.games import holo
from tests.draw.readers import read_bitten as read
from tests.rules import naive_holo as naive
from tests.rules.holo_table import options
from tests.rules.spiral import GRID, NUMBER, SPIRAL, Cell
from tests.sizes import sized

HOLO = holo.GAME


class HoloGame(NamedTuple):
    """A game played at random: the states that players saw, and their moves."""

    options: dict[str, Any]
    seed: bytes
    states: tuple[holo.State, ...]
    moves: tuple[holo.Move, ...]


@st.composite
def option_words(draw: st.DrawFn) -> dict[str, str]:
    """The options of some challenge, as they are typed."""
    non_unique = draw(st.booleans())
    n = draw(st.integers(3 if non_unique else 4, 9))
    tiles = (n**3 + 2 * n) // 3 if non_unique else n * (n - 1) * (n - 2) // 3
    words = {
        "non_unique": "yes" if non_unique else "no",
        "num_digits": str(n),
        "pool_size": str(draw(st.integers(1, min(6, (tiles - 1) // 2)))),
        "limit_scores": draw(st.sampled_from(["yes", "no"])),
    }
    size = draw(st.none() | st.integers(3, 12))
    return words if size is None else words | {"board_size": str(size)}


PRESET = {"rules": "brettspielnetz"}
option_sets = st.just(dict[str, str]()) | st.just(PRESET) | option_words()


@st.composite
def games(draw: st.DrawFn, most: int = 45) -> HoloGame:
    """Games of up to so many moves."""
    config = options(**draw(option_sets))
    seed = draw(st.binary(min_size=32, max_size=32))
    plies = draw(st.integers(0, most))
    choose = random.Random(draw(st.integers(0, 999_999)))
    state, _ = HOLO.settle(HOLO.start(2, config), Chance(seed))
    states, moves = [state], list[holo.Move]()
    while len(moves) < plies and HOLO.to_move(state):
        move = choose.choice(HOLO.legal(state, state.turn))
        state, _ = HOLO.play(state, state.turn, move)
        state, _ = HOLO.settle(state, Chance(seed))
        states.append(state)
        moves.append(move)
    return HoloGame(config, seed, tuple(states), tuple(moves))


def cells_of(state: holo.State) -> dict[Cell, str]:
    return {SPIRAL[position]: face for position, face in state.cells.items()}


def as_naive(game: HoloGame, state: holo.State) -> naive.NaiveHolo:
    """The same position, for the slow second reckoning."""
    pools = state.pools
    cells, over = cells_of(state), state.over
    return naive.NaiveHolo(
        game.options,
        game.seed,
        pools,
        state.sacks[0],
        cells,
        turn=state.turn,
        over=over,
    )


def written(state: holo.State) -> list[str]:
    """The legal moves as they are written."""
    turn = HOLO.to_move(state)
    return [HOLO.format_move(m) for seat in turn for m in HOLO.legal(state, seat)]


check = settings(max_examples=sized(20, 100))
check_slowly = settings(max_examples=sized(10, 60))


@check
@given(games())
def test_legal_holds_what_the_slow_reckoning_finds(game: HoloGame) -> None:
    for state in game.states[::4] + game.states[-1:]:
        moves = written(state)
        assert len(moves) == len(set(moves))
        assert set(moves) == set(as_naive(game, state).moves())


def accepted(state: holo.State, text: str) -> str | None:
    """The move in canonical notation, if it may be played."""
    try:
        move = HOLO.parse_move(state, state.turn, text)
        HOLO.play(state, state.turn, move)
    except BadMove:
        return None
    return HOLO.format_move(move)


@check_slowly
@given(games(25), st.randoms())
def test_play_accepts_exactly_what_legal_holds(
    game: HoloGame, rng: random.Random
) -> None:
    state = game.states[-1]
    if state.over:
        return
    pool = state.pools[state.turn]
    others = [t for t in holo.tile_set(game.options) if t not in pool]
    near = [NUMBER[cell] for cell in naive.window(cells_of(state), 2)]
    # every turn of the tiles in the pool, and every other tile in one of its turns
    faces = [face for tile in pool for face in holo.turns(tile)]
    faces += [rng.choice(holo.turns(tile)) for tile in others]
    words = [f"{face}:{position}" for face in faces for position in near]
    words += [f"pass:{face}" for face in faces]
    found = {accepted(state, word) for word in [*words, "pass"]}
    assert found - {None} == set(written(state))


@check
@given(games(), st.randoms())
def test_every_legal_move_is_accepted_and_others_nowhere_else(
    game: HoloGame, rng: random.Random
) -> None:
    for state in game.states[:-1]:
        moves = written(state)
        assert [accepted(state, move) for move in moves] == moves
        text = f"{rng.choice(state.pools[state.turn])}:{rng.randrange(GRID + 99)}"
        assert accepted(state, text) in {None, *moves}


@check
@given(games())
def test_parse_and_format_are_inverses(game: HoloGame) -> None:
    for state in game.states:
        for seat in HOLO.to_move(state):
            for move in HOLO.legal(state, seat):
                text = HOLO.format_move(move)
                assert HOLO.parse_move(state, seat, text) == move
                assert HOLO.parse_move(state, seat, text.upper()) == move


@check
@given(games())
def test_a_game_written_down_can_be_played_again(game: HoloGame) -> None:
    state, _ = HOLO.settle(HOLO.start(2, game.options), Chance(game.seed))
    for move, expected in zip(game.moves, game.states[1:], strict=True):
        parsed = HOLO.parse_move(state, state.turn, HOLO.format_move(move))
        state, _ = HOLO.play(state, state.turn, parsed)
        state, _ = HOLO.settle(state, Chance(game.seed))
        assert state == expected


@check
@given(games())
def test_every_tile_is_in_one_place(game: HoloGame) -> None:
    full = naive.tiles(game.options["num_digits"], game.options["non_unique"])
    for state in game.states:
        on_board = [min(naive.rotations(face)) for face in state.cells.values()]
        in_pools = [tile for pool in state.pools for tile in pool]
        assert sorted([*on_board, *in_pools, *state.sacks[0]]) == sorted(full)
        assert list(state.sacks[0]) == sorted(state.sacks[0])


@check
@given(games(20))
def test_nothing_changes_the_state_that_it_is_given(game: HoloGame) -> None:
    for state in game.states:
        before = copy.deepcopy(state)
        for seat in HOLO.to_move(state):
            for move in HOLO.legal(state, seat):
                after, _ = HOLO.play(state, seat, move)
                between = copy.deepcopy(after)
                HOLO.settle(after, Chance(game.seed))
                assert after == between
        HOLO.view(state, None)
        assert state == before


@check
@given(games())
def test_frontier(game: HoloGame) -> None:
    for state in game.states:
        cells = cells_of(state)
        expected = {NUMBER[c]: naive.pattern(cells, c) for c in naive.beside(cells)}
        assert dict(state.frontier) == expected


@check
@given(games())
def test_blocked_cells(game: HoloGame) -> None:
    for state in game.states[::4] + game.states[-1:]:
        blocked = HOLO.view(state, None).blocked
        assert list(blocked) == sorted(set(blocked))
        assert {SPIRAL[p] for p in blocked} == as_naive(game, state).blocked()


@check
@given(games())
def test_scores(game: HoloGame) -> None:
    scores, limited = [0, 0], game.options["limit_scores"]
    for before, after, move in zip(
        game.states, game.states[1:], game.moves, strict=False
    ):
        if isinstance(move, holo.Placing):
            cell = SPIRAL[move.position]
            scores[before.turn] += naive.score(cells_of(after), cell, limited)
        assert list(after.scores) == scores


@check
@given(games())
def test_the_end(game: HoloGame) -> None:
    passes = 0
    for before, after, move in zip(
        game.states, game.states[1:], game.moves, strict=False
    ):
        passes = passes + 1 if isinstance(move, holo.Pass) else 0
        ended = not after.pools[before.turn] or passes == 2
        assert (HOLO.outcome(after) is not None) == ended
        assert HOLO.to_move(after) == (() if ended else (1 - before.turn,))
        if ended:
            first, second = after.scores
            winners = ((1,), (0, 1), (0,))[(first >= second) + (first > second)]
            assert HOLO.outcome(after) == winners


def from_first_tile(
    tiles: dict[Cell, str], labels: dict[Cell, str], last: dict[Cell, str]
) -> Seen:
    """Cells and labels counted from the leftmost tile, the upper one of two."""
    col, row = min(tiles)
    tiles, labels, last = (
        {(c - col, r - row): mark for (c, r), mark in marks.items()}
        for marks in (tiles, labels, last)
    )
    return Seen(tiles, labels=labels, last=frozenset(last))


@check
@given(games())
def test_the_picture_read_back_gives_the_board(game: HoloGame) -> None:
    for state in game.states[::4] + game.states[-1:]:
        slow = as_naive(game, state)
        labels = dict.fromkeys(slow.blocked(), "x")
        for _, cell in slow.moves().values():
            if cell is not None:
                labels[cell] = str(NUMBER[cell])
        drawing = HOLO.view(state, None).drawing
        picture = draw(drawing)
        last = {SPIRAL[at]: "last" for at in drawing.last}
        assert read(picture) == from_first_tile(cells_of(state), labels, last)
        assert [line for line in picture.split("\n") if line != line.rstrip()] == []


@check
@given(games(), st.text("123456789:pas ", max_size=9) | st.text(max_size=9))
def test_whatever_is_typed_is_played_or_refused(game: HoloGame, text: str) -> None:
    state = game.states[-1]
    if state.over:
        return
    try:
        move = HOLO.parse_move(state, state.turn, text)
    except BadMove as error:
        sentence = str(error)
    else:
        assert accepted(state, text) in {None, HOLO.format_move(move)}
        return
    assert "is not a move" in sentence
