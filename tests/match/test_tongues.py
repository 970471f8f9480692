"""Which language a player read at which time."""

import pytest

from pbm_holomino.match.tongues import (
    MOST_CHOICES,
    Choice,
    Choices,
    chosen,
    every,
    in_force,
    parse_choice,
)


def at(second: int) -> str:
    return f"2026-11-20T04:{second // 60:02}:{second % 60:02}Z"


def choices(*made: tuple[str, int]) -> Choices:
    found: Choices = ()
    for code, second in made:
        found = chosen(found, code, at(second))
    return found


@pytest.mark.parametrize(
    ("made", "second", "code"),
    [
        ([], 5, "en"),
        ([("de", 5)], 4, "en"),
        ([("de", 5)], 5, "de"),  # the same second counts
        ([("de", 5), ("nl", 5)], 5, "nl"),
        ([("de", 5), ("nl", 7)], 6, "de"),
        ([("de", 5), ("en", 7)], 9, "en"),
        ([("de", 5), ("en", 5)], 9, "en"),
    ],
)
def test_what_was_read_then(
    made: list[tuple[str, int]], second: int, code: str
) -> None:
    assert in_force(choices(*made), at(second)) == code


def test_what_changes_nothing_is_not_kept() -> None:
    assert choices(("en", 3)) == ()
    assert choices(("de", 3), ("de", 5)) == (Choice("de", at(3)),)
    assert choices(("de", 5), ("en", 5)) == ()


def test_all_that_a_player_has_read() -> None:
    assert every(()) == ("en",)
    assert every(choices(("de", 1), ("nl", 2), ("de", 3))) == ("de", "nl", "en")


def test_only_so_many_are_kept_and_the_oldest_then_holds_for_ever() -> None:
    made = [(("de", "nl")[n % 2], n) for n in range(MOST_CHOICES + 1)]
    kept = choices(*made)
    assert len(kept) == MOST_CHOICES
    assert kept[0] == Choice("nl")
    assert in_force(kept, at(0)) == "nl"
    assert in_force(kept, at(2)) == "de"


@pytest.mark.parametrize("choice", [Choice("de", at(5)), Choice("pt_br")])
def test_a_file_has_it(choice: Choice) -> None:
    assert parse_choice(str(choice)) == choice


@pytest.mark.parametrize(
    "text", ["", "../de", "de soon", f"de {at(5)} x", "DE", "d\u00e9"]
)
def test_a_file_may_not_have_it(text: str) -> None:
    with pytest.raises(ValueError, match="malformed"):
        parse_choice(text)
