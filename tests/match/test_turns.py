"""Turns: whoever asks for most gets no more than the others."""

from collections.abc import Iterator
from itertools import islice

from pbm_holomino.match.turns import dealt, in_turns


def who(thing: str) -> str:
    return thing[0]


def test_each_gets_one_before_anybody_gets_a_second() -> None:
    assert in_turns(["a1", "a2", "a3", "b1", "c1", "b2"], who) == [
        *("a1", "b1", "c1"),
        *("a2", "b2"),
        "a3",
    ]
    assert in_turns([], who) == []


def test_the_player_whose_last_turn_is_longest_ago_comes_first() -> None:
    wanted = ["a1", "a2", "b1", "c1", "d1"]
    assert in_turns(wanted, who, "abac") == ["d1", "b1", "a1", "c1", "a2"]


def test_new_accounts_share_one_place_and_take_turns_there() -> None:
    """x, y and z are new: x has two before y, and gets one before y all the same."""
    wanted = ["x1", "x2", "y1", "a1", "z1", "b1", "a2"]
    assert dealt(wanted, who, "xyz") == ["x1", "a1", "b1", "y1", "a2", "z1", "x2"]


def test_a_turn_of_one_new_account_was_a_turn_of_all() -> None:
    wanted = ["x1", "y1", "a1"]
    assert dealt(wanted, who, "xy", "x") == ["a1", "y1", "x1"]
    assert dealt(wanted, who, "xy", "ax") == ["a1", "y1", "x1"]
    assert dealt(wanted, who, "xy", "xa") == ["y1", "a1", "x1"]


def test_where_all_are_new_each_has_a_turn() -> None:
    wanted = ["x1", "x2", "x3", "y1", "z1"]
    assert dealt(wanted, who, "xyz") == ["x1", "y1", "z1", "x2", "x3"]


def served(wanted: list[str], new: str) -> Iterator[str]:
    """What is dealt out, one at a time."""
    had = ""
    while wanted:
        first = dealt(wanted, who, new, had)[0]
        wanted = [one for one in wanted if one != first]
        had += who(first)
        yield first


def test_sixty_accounts_with_fifty_each_are_one_before_a_player() -> None:
    """Also for a player who comes again and again while theirs wait."""
    new = "".join(map(chr, range(0x100, 0x100 + 60)))
    theirs = [f"{one}{number}" for number in range(50) for one in new]
    order = list(islice(served([*theirs, "a1", "b1", "a2"], new), 3 + 60))
    assert [order.index(one) for one in ("a1", "b1", "a2")] == [1, 2, 4]
    # and each of them has its first turn before any has its second
    turns = [one for one in order if one not in ("a1", "b1", "a2")]
    assert [one[0] for one in turns] == [*new]
