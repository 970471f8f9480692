"""Which letters that come back make an address a dead one."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbm_holomino.match.account import Player
from pbm_holomino.match.bounces import Bounces, parse_bounces
from tests.sizes import sized

HOME, WORK = "bob@example.org", "bob@work.example"
NOVEMBER = "2026-11-{:02}"


def after(*days: int, address: str = HOME, had: Player | None = None) -> Player:
    """Bob, after letters that were written on these days of November."""
    bob = had or Player("bob", "-", (HOME, WORK), ())
    for day in days:
        bob = bob.bounced(address, NOVEMBER.format(day))
    return bob


@pytest.mark.parametrize(
    ("days", "is_dead"),
    [
        ((), False),
        ((20,), False),
        ((20, 21), False),
        ((20, 21, 22), True),
        ((20, 21, 21, 20), False),
        ((20, 20, 20), False),
        ((20, 23, 26), True),
        ((20, 23, 27), False),
        ((20, 23, 27, 28), True),
        ((26, 20, 23), True),
        ((27, 20, 23), False),
        ((1, 8, 15, 22, 29), False),
        ((20, 21, 22, 30), True),
    ],
)
def test_three_days_within_a_week(days: tuple[int, ...], is_dead: bool) -> None:
    assert after(*days).dead_addresses == ((HOME,) if is_dead else ())


@given(st.lists(st.integers(1, 28), max_size=9))
@settings(max_examples=sized(60, 1_000))
def test_days_in_order_make_it_dead_when_three_are_within_a_week(
    days: list[int],
) -> None:
    days.sort()
    found = any(
        len({day for day in days if first <= day < first + 7}) >= 3 for first in days
    )
    assert bool(after(*days).dead_addresses) == found


def test_each_address_has_days_of_its_own() -> None:
    bob = after(20, 21, 22, address=WORK, had=after(20, 21))
    assert bob.dead_addresses == (WORK,)
    assert not bob.is_unreached
    bob = after(22, had=bob)
    assert bob.dead_addresses == (HOME, WORK)
    assert bob.is_unreached


def test_the_case_of_an_address_does_not_matter() -> None:
    bob = after(22, address=HOME.upper(), had=after(20, 21))
    assert bob.dead_addresses == (HOME,)
    assert bob.heard_from(HOME.title(), "2026-11-22").dead_addresses == ()


def test_an_address_that_is_not_theirs() -> None:
    assert after(20, 21, 22, address="alice@example.org").bounces == ()


def test_a_player_without_an_address_is_not_unreached() -> None:
    assert not Player("bob", "-", (), ()).is_unreached


def test_an_address_that_they_have_no_more_is_not_dead() -> None:
    assert after(20, 21, 22)._replace(addresses=(WORK,)).dead_addresses == ()


def test_a_word_from_an_address_makes_it_alive_and_no_other() -> None:
    bob = after(20, 21, 22, address=WORK, had=after(20, 21, 22))
    bob = bob.heard_from(HOME, "2026-11-22")
    assert bob.dead_addresses == (WORK,)
    assert after(23, 24, had=bob).dead_addresses == (WORK,)


def test_letters_that_were_written_before_that_word_do_not_count() -> None:
    """However late they come back."""
    bob = after(20, 21, 22).heard_from(HOME, "2026-11-22")
    assert after(20, 21, 22, had=bob) == bob
    assert after(21, 23, 24, had=bob).dead_addresses == ()
    assert after(23, 24, 25, had=bob).dead_addresses == (HOME,)


def test_that_word_is_forgotten_after_a_week() -> None:
    bob = after(20, 21).heard_from(HOME, "2026-11-22")
    assert bob.heard_from(HOME, "2026-11-28") == bob
    assert bob.heard_from(HOME, "2026-11-29").bounces == ()


def test_an_address_that_is_given_again_is_alive() -> None:
    bob = after(20, 21, 22, address=WORK, had=after(20, 21, 22))
    bob = bob.at((HOME,), "2026-11-22")
    assert bob.addresses == (HOME,)
    assert [each.address for each in bob.bounces] == [HOME]
    assert after(20, 21, 22, had=bob).dead_addresses == ()


def test_a_text_and_back() -> None:
    (found,) = after(20, 21).bounces
    assert str(found) == "bob@example.org 2026-11-20 2026-11-21"
    assert parse_bounces(str(found)) == found
    (found,) = after(23, had=after(20).heard_from(HOME, "2026-11-22")).bounces
    assert str(found) == "bob@example.org heard:2026-11-22 2026-11-23"
    assert parse_bounces(str(found)) == found


@pytest.mark.parametrize(
    "text",
    [
        *("", HOME, f"{HOME} ", f"{HOME} soon", f"{HOME}  2026-11-20"),
        *(f"{HOME} 2026-11-21 2026-11-20", f"{HOME} 2026-11-20 2026-11-20"),
        f"{HOME} 2026-11-20T08:00:00Z",
        *(f"{HOME} heard:", f"{HOME} heard:2026-11-22 2026-11-22"),
        f"{HOME} 2026-11-20 heard:2026-11-22",
        f"{HOME} 2026-11-20 2026-11-21 2026-11-22 2026-11-23",
    ],
)
def test_a_text_that_is_wrong(text: str) -> None:
    with pytest.raises(ValueError, match="days|isoformat"):
        parse_bounces(text)


def test_nothing_is_added_to_a_dead_address() -> None:
    dead = Bounces(HOME, ("2026-11-20", "2026-11-21", "2026-11-22"))
    assert after(20, 21, 22, 23, 24).bounces == (dead,)
