"""Sealed draws, worked out again with the standard library alone."""

import hashlib
import hmac

from hypothesis import given
from hypothesis import strategies as st

from pbm_holomino.rules.chance import SEED_BYTES, Chance, Witness, seal, shuffled

SEED = bytes(range(32))
HALF = 1 << 255

seeds = st.binary(min_size=32, max_size=32)


def value(seed: bytes, number: int) -> int:
    digest = hmac.new(seed, str(number).encode(), hashlib.sha256).hexdigest()
    return int(digest, 16)


def test_a_seed_has_32_bytes() -> None:
    assert SEED_BYTES == 32


def test_seal() -> None:
    # FIPS 180-4's example, "abc"
    assert seal(b"abc") == (
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    )
    assert seal(SEED) == hashlib.sha256(SEED).digest().hex()


@given(seeds, st.integers(0, 500), st.integers(1, 300))
def test_a_draw(seed: bytes, drawn: int, size: int) -> None:
    expected = value(seed, drawn + 1) % size
    assert Chance(seed).draw(drawn, size) == (expected, drawn + 1)


def test_the_first_draws_have_the_numbers_1_2_3() -> None:
    drawn, indices = 0, []
    for size in (40, 39, 38):
        index, drawn = Chance(SEED).draw(drawn, size)
        indices.append(index)
    assert drawn == 3
    assert indices == [
        value(SEED, 1) % 40,
        value(SEED, 2) % 39,
        value(SEED, 3) % 38,
    ]


def test_the_same_number_brings_the_same_draw_again() -> None:
    chance = Chance(SEED)
    before = chance.draw(7, 30)
    chance.draw(8, 29)
    assert chance.draw(7, 30) == before


@given(seeds, st.integers(1, 4), st.integers(0, 99), st.integers(1, 99))
def test_the_game_draws_after_the_seats(
    seed: bytes, seated: int, drawn: int, size: int
) -> None:
    expected = value(seed, seated + drawn + 1) % size
    assert Chance(seed, seated).draw(drawn, size) == (expected, drawn + 1)


@given(seeds)
def test_unfair_values_are_passed_over(seed: bytes) -> None:
    # among 2**255 + 1 things the upper half of all values but one is unfair
    size = HALF + 1
    number = 1
    while value(seed, number) >= size:
        number += 1
    assert Chance(seed).draw(0, size) == (value(seed, number), number)


def test_some_seed_is_passed_over_more_than_once() -> None:
    seed = next(
        seed
        for seed in (bytes([first]) * 32 for first in range(256))
        if value(seed, 1) > HALF and value(seed, 2) > HALF and value(seed, 3) < HALF
    )
    assert Chance(seed).draw(0, HALF + 1) == (value(seed, 3), 3)
    assert Chance(seed, 2).draw(0, HALF + 1) == (value(seed, 3), 1)


def test_the_bound_itself_is_unfair() -> None:
    # with just as many things as the value, the value is the first that is too great
    seed = max((bytes([byte]) * 32 for byte in range(9)), key=lambda s: value(s, 1))
    first = value(seed, 1)
    assert first > HALF
    assert Chance(seed).draw(0, first)[1] > 1
    assert Chance(seed).draw(0, first + 1) == (first, 1)


def test_among_a_power_of_two_every_value_is_fair() -> None:
    assert Chance(SEED).draw(0, 1 << 256) == (value(SEED, 1), 1)


def shuffled_by_hand(seed: bytes, names: list[str]) -> tuple[str, ...]:
    left = sorted(names)
    numbers = range(1, len(names))
    order = [left.pop(value(seed, number) % len(left)) for number in numbers]
    return (*order, *left)


@given(seeds, st.lists(st.text("abc", min_size=1), unique=True, min_size=1, max_size=6))
def test_shuffled(seed: bytes, names: list[str]) -> None:
    order, draws = shuffled(names, Chance(seed))
    assert order == shuffled_by_hand(seed, names)
    assert sorted(order) == sorted(names)
    assert draws == len(names) - 1


def test_two_players_take_one_draw_for_either_order() -> None:
    orders = {
        shuffled(["bob", "alice"], Chance(bytes([first]) * 32)) for first in range(20)
    }
    assert orders == {(("alice", "bob"), 1), (("bob", "alice"), 1)}


@given(seeds, st.integers(0, 3), st.lists(st.integers(1, 99), max_size=9))
def test_a_witness_records_every_draw(
    seed: bytes, seated: int, sizes: list[int]
) -> None:
    chance = Chance(seed, seated)
    witness = Witness(chance)
    assert witness.draws == []
    for drawn, size in enumerate(sizes):
        assert witness.draw(drawn, size) == chance.draw(drawn, size)
    assert witness.draws == [
        (number, value(seed, number) % size, size)
        for number, size in enumerate(sizes, seated + 1)
    ]


def test_a_witness_gives_the_number_of_a_draw_that_was_not_passed_over() -> None:
    seed = next(s for s in (bytes([b]) * 32 for b in range(256)) if value(s, 1) > HALF)
    witness = Witness(Chance(seed))
    index, drawn = witness.draw(0, HALF + 1)
    assert drawn > 1
    assert witness.draws == [(drawn, index, HALF + 1)]
