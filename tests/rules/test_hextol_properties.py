"""What holds in every game of Hextol, whatever is played."""

import random
from copy import deepcopy
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from pbm_holomino.errors import BadMove
from pbm_holomino.rules import hextiles
from pbm_holomino.rules.chance import Chance
from pbm_holomino.rules.games import hextol
from pbm_holomino.rules.hextiles import Move, State
from tests.rules.any_hextiles import is_accepted
from tests.rules.hextol_scene import options
from tests.rules.naive_hextol import NUMBER, SPIRAL, NaiveHextol, touching
from tests.sizes import sized

HEXTOL = hextol.GAME

SETTINGS = settings(max_examples=sized(6, 25))


@st.composite
def games(draw: st.DrawFn) -> tuple[dict[str, Any], Chance, random.Random]:
    """Options, chance, and whims."""
    least = draw(st.integers(0, 8))
    most = draw(st.integers(least + 1, 9))
    words = {"min_pips": str(least), "max_pips": str(most)}
    size = (most - least + 1) * (most - least + 2) // 2
    words["pool_size"] = str(draw(st.integers(1, (size - 1) // 2)))
    board_size = draw(st.none() | st.integers(3, 12))
    if board_size is not None:
        words["board_size"] = str(board_size)
    seed = draw(st.binary(min_size=32, max_size=32))
    return options(**words), Chance(seed), random.Random(draw(st.integers(0, 999)))


def opened(given_options: dict[str, Any], chance: Chance) -> State:
    return HEXTOL.settle(HEXTOL.start(2, given_options), chance)[0]


def positions_near(state: State) -> set[int]:
    """The board's cells and all within three steps of it."""
    near = {SPIRAL[position] for position in state.cells}
    for _ in range(3):
        near |= {cell for other in near for cell in touching(other)}
    return {NUMBER[cell] for cell in near}


@SETTINGS
@given(games())
def test_games(game: tuple[dict[str, Any], Chance, random.Random]) -> None:
    """Every game ends; tiles are neither made nor lost; each move is written and
    read back; what was a state stays as it was."""
    given_options, chance, dice = game
    state = opened(given_options, chance)
    whole = hextiles.tile_set(given_options)
    while HEXTOL.outcome(state) is None:
        faces = [tuple(sorted(state.cells[at] for at in pair)) for pair in state.joints]
        laid = ["".join(pair) for pair in faces]
        assert tuple(sorted((*laid, *sum(state.pools, ()), *state.sacks[0]))) == whole
        (seat,) = HEXTOL.to_move(state)
        moves = HEXTOL.legal(state, seat)
        assert moves
        for move in moves:
            text = HEXTOL.format_move(move)
            assert HEXTOL.parse_move(state, seat, text) == move
            turned = f"{text[1]}{text[0]}:{move.second},{move.first}"
            assert HEXTOL.parse_move(state, seat, turned) == move
        before = deepcopy(state)
        after, _ = HEXTOL.play(state, seat, dice.choice(moves))
        assert state == before
        assert after.scores[1 - seat] == state.scores[1 - seat]
        assert after.scores[seat] >= state.scores[seat]
        state, _ = HEXTOL.settle(after, chance)
    assert state.sacks[0] == ()


@settings(max_examples=sized(3, 12))
@given(games(), st.integers(0, 8))
def test_play_accepts_exactly_what_legal_holds(
    game: tuple[dict[str, Any], Chance, random.Random], plies: int
) -> None:
    given_options, chance, dice = game
    state = opened(given_options, chance)
    for _ in range(plies):
        if state.over:
            return
        move = dice.choice(HEXTOL.legal(state, state.turn))
        state, _ = HEXTOL.settle(HEXTOL.play(state, state.turn, move)[0], chance)
    if state.over:
        return
    pool = state.pools[state.turn]
    near = positions_near(state)
    tried = {
        HEXTOL.parse_move(state, state.turn, f"{tile}:{first},{second}")
        for tile in (*dice.sample(pool, min(3, len(pool))), state.cells[0] * 2)
        for first in near
        for second in [NUMBER[cell] for cell in touching(SPIRAL[first])]
    }
    found = {move for move in tried if is_accepted(HEXTOL, state, move)}
    tiles = {move.tile for move in tried}
    listed = HEXTOL.legal(state, state.turn)
    assert found == {move for move in listed if move.tile in tiles}
    assert len(listed) == len(set(listed))


@SETTINGS
@given(st.sets(st.integers(0, 36)), st.sampled_from(range(37)), st.integers(0, 5))
def test_regions_as_counted_slowly(gaps: set[int], first: int, way: int) -> None:
    """A disc of tiles with gaps, which no game need reach."""
    second = NUMBER[touching(SPIRAL[first])[way]]
    filled = set(range(61)) - gaps | {first, second}
    cells = {position: str(position % 10) for position in filled}
    cols, rows = zip(*(SPIRAL[position] for position in filled), strict=True)
    box = min(cols), max(cols), min(rows), max(rows)
    halves = {SPIRAL[position]: int(face) for position, face in cells.items()}
    slow = NaiveHextol(b"", {}, halves=halves).values([SPIRAL[first], SPIRAL[second]])
    found = hextol.region_values(cells, box, Move("00", first, second))
    assert sorted(found) == sorted(slow)


@SETTINGS
@given(st.text(alphabet="0123456789:,pas#-x ", max_size=12))
def test_any_word_is_a_move_or_refused(text: str) -> None:
    state = HEXTOL.start(2, options())
    state, _ = HEXTOL.settle(state, Chance(bytes(32)))
    sentence = "."
    try:
        move = HEXTOL.parse_move(state, state.turn, text)
        assert move.tile[0] <= move.tile[1]
        HEXTOL.play(state, state.turn, move)
    except BadMove as refused:
        sentence = str(refused)
    assert sentence.endswith(".")
