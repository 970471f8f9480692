"""What holds of every game of Walomino."""

import random
from collections import Counter
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbm_holomino.errors import BadMove, IllegalMove
from pbm_holomino.rules.chance import Chance
from pbm_holomino.rules.games import walomino
from pbm_holomino.rules.games.walomino.chain import Placing, pair_name
from pbm_holomino.rules.games.walomino.moves import Move, Take
from pbm_holomino.rules.games.walomino.state import State
from pbm_holomino.rules.seats import replaced
from tests.rules import naive_walomino as naive
from tests.rules.walomino_table import WalominoTable
from tests.sizes import sized

WALOMINO = walomino.GAME

COLOURS = "RGYPB"
DRAFTS = ("pot", "die", "random")
PAIRS = [a + b for a in COLOURS for b in COLOURS]

tables = st.builds(
    lambda seats, draft, rounds, seed: WalominoTable(
        seats, Chance(seed), draft=draft, rounds=str(rounds)
    ),
    st.integers(2, 4),
    st.sampled_from(DRAFTS),
    st.integers(1, 3),
    st.binary(min_size=32, max_size=32),
)
quick = settings(max_examples=sized(8, 25))


def walongs(state: State) -> Counter[str]:
    """Every walong there is: in the pot, in hands, and on the board."""
    return (
        Counter(state.pot)
        + Counter("".join(map("".join, state.pools)))
        + Counter(state.chain.cells.values())
    )


def some_move(table: WalominoTable, seat: int, dice: random.Random) -> str:
    """A move that the seat may make, in any of its notations."""
    if table.state.phase == "take":
        wishes = "".join(dice.choices(COLOURS, k=dice.randint(0, 30)))
        return dice.choice([*table.view().legal, *legal_wishes(table, wishes)])
    if table.state.phase == "pair" and dice.random() < 0.7:
        letters = list(table.state.pools[seat])
        dice.shuffle(letters)
        pairs = map("".join, zip(letters[::2], letters[1::2], strict=True))
        return f"pairs:{','.join(pairs)}"
    return dice.choice(table.view().legal)


def legal_wishes(table: WalominoTable, wishes: str) -> list[str]:
    if not wishes or not table.state.pot[wishes[0]]:
        return []
    return [f"take:{wishes}", f"take:{wishes},any"]


def advance(table: WalominoTable, dice: random.Random, most: int) -> None:
    """Up to so many moves by chance."""
    for _ in range(most):
        if not table.turn():
            return
        seat = dice.choice(table.turn())
        table.send(seat, some_move(table, seat, dice))


@quick
@given(tables, st.integers(0, 10**6))
def test_walongs_are_conserved_and_states_are_sound(
    table: WalominoTable, seed: int
) -> None:
    dice = random.Random(seed)
    for _ in range(40):
        state = table.state
        assert walongs(state) == Counter(10 * COLOURS)
        assert WALOMINO.settle(state, table.chance) == (state, ())
        assert state.phase == "take" or len(state.chain.path) >= 2
        assert sorted(state.chain.path) == sorted(state.chain.cells)
        for one, other in state.chain.joints():
            assert naive.SPIRAL[other] in naive.around(naive.SPIRAL[one])
        advance(table, dice, 1)


@pytest.mark.parametrize("draft", DRAFTS)
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("rounds", [1, 2, 12])
def test_every_game_ends(seats: int, draft: str, rounds: int) -> None:
    for seed in range(sized(4, 40) if rounds < 12 else sized(1, 3)):
        dice = random.Random(seed)
        chance = Chance(bytes([seed]) * 32)
        table = WalominoTable(seats, chance, draft=draft, rounds=str(rounds))
        advance(table, dice, 100 * rounds)
        assert table.state.over
        assert table.state.round == rounds
        assert WALOMINO.outcome(table.state)
        assert sum(map(len, table.state.pools)) + table.played() == 24


@quick
@given(tables, st.integers(0, 10**6), st.lists(st.integers(0, 3), max_size=3))
def test_games_end_when_players_resign(
    table: WalominoTable, seed: int, leaving: list[int]
) -> None:
    dice = random.Random(seed)
    seats = len(table.state.pools)
    for seat in leaving:
        advance(table, dice, dice.randint(0, 20))
        if seat < seats and not table.state.over:
            table.drop(seat)
            assert seat not in table.turn()
    advance(table, dice, 400)
    assert table.state.over
    first = WALOMINO.outcome(table.state)
    assert first
    assert not table.state.dropped & {*first}


@settings(max_examples=sized(5, 10))
@given(tables, st.integers(0, 10**6))
def test_play_accepts_exactly_what_legal_holds(table: WalominoTable, seed: int) -> None:
    dice = random.Random(seed)
    while table.turn() and table.state.phase != "play":
        table.send(table.turn()[0], some_move(table, table.turn()[0], dice))
    advance(table, dice, dice.randint(0, 12))
    state = table.state
    if not table.turn() or state.phase != "play":
        return
    listed = WALOMINO.legal(state, state.turn)
    assert len(set(listed)) == len(listed)
    assert set(listed) == {m for m in candidates(state) if accepted(state, m)}


def candidates(state: State) -> list[Placing]:
    """Every pair in hand and one that is not, in both orders, on the chain and near
    it, on adjacent cells and on others."""
    taken = {naive.SPIRAL[n] for n in state.chain.path}
    cells = {near for cell in taken for near in naive.around(cell)}
    hand = set(state.pools[state.turn])
    stranger = next(pair for pair in PAIRS[::-1] if pair_name(pair) not in hand)
    faces = {face for pair in (*hand, stranger) for face in (pair, pair[::-1])}
    return [
        Placing(face[0], face[1], naive.NUMBER[p], naive.NUMBER[q])
        for face in faces
        for p in cells
        for q in {p, (0, 0), *naive.around(p)}
    ]


def accepted(state: State, move: Move) -> bool:
    try:
        WALOMINO.play(state, state.turn, move)
    except IllegalMove as error:
        # Every refusal is a sentence; else it counts as none.
        return not str(error).endswith(".")
    return True


@quick
@given(tables, st.integers(0, 10**6))
def test_legal_moves_are_played_and_written_the_same(
    table: WalominoTable, seed: int
) -> None:
    dice = random.Random(seed)
    for _ in range(20):
        advance(table, dice, 3)
        for seat in table.turn():
            for move in WALOMINO.legal(table.state, seat):
                WALOMINO.play(table.state, seat, move)
                text = WALOMINO.format_move(move)
                assert WALOMINO.parse_move(table.state, seat, text) == move
                assert WALOMINO.parse_move(table.state, seat, text.lower()) == move


colour_words = st.text(COLOURS, min_size=1, max_size=50)
positions = st.integers(0, 999_999_999)
written = st.one_of(
    st.builds(lambda c: f"take:{c}", colour_words),
    st.builds(lambda c: f"take:{c},any", colour_words),
    st.just("take:any"),
    st.just("pairs:any"),
    st.builds(
        lambda pairs: f"pairs:{','.join(pairs)}",
        st.lists(st.sampled_from(PAIRS), min_size=1, max_size=30),
    ),
    st.builds(
        lambda pair, p, q: f"{pair}:{p},{q}",
        st.sampled_from(PAIRS),
        positions,
        positions,
    ),
)


@given(written)
def test_dumping_loaded_data_loads_the_same(text: str) -> None:
    state = WalominoTable().state
    move = WALOMINO.parse_move(state, 0, text)
    again = WALOMINO.format_move(move)
    assert WALOMINO.parse_move(state, 0, again) == move
    assert again == text or text.startswith("pairs:")


@given(st.one_of(st.text(max_size=80), st.text("takepirsny:,RGYPB0123456789")))
def test_any_word_is_read_or_refused(text: str) -> None:
    state = WalominoTable().state
    with suppress(BadMove):
        WALOMINO.parse_move(state, 0, text)


@quick
@given(tables, st.integers(0, 10**6))
def test_no_reader_learns_what_another_keeps_secret(
    table: WalominoTable, seed: int
) -> None:
    """Two games that differ only in one seat's wishes or sealed pairs look the same
    to everybody else."""
    dice = random.Random(seed)
    advance(table, dice, dice.randint(1, 12))
    state = table.state
    for seat in state.seats():
        other = changed_secrets(state, seat)
        for reader in (None, *state.seats()):
            if reader != seat:
                view = WALOMINO.view(state, reader)
                assert WALOMINO.view(other, reader) == view


def changed_secrets(state: State, seat: int) -> State:
    wish = Take("RGYPB", True)
    sealed = state.sealed[seat] and ("RR",) * len(state.pools[seat])
    return state._replace(
        wishes=replaced(state.wishes, seat, wish),
        sealed=replaced(state.sealed, seat, sealed),
    )
