"""Which language, and which zone, a player read at which time."""

import pytest

from pbm_holomino.languages import CODE, ZONE
from pbm_holomino.match.choices import (
    MOST_CHOICES,
    Choice,
    Choices,
    chosen,
    in_force,
    parse_choices,
    tag_at,
    tags_had,
)


def at(second: int) -> str:
    return f"2026-11-20T04:{second // 60:02}:{second % 60:02}Z"


def choices(*made: tuple[str, int], usual: str = "en") -> Choices:
    found: Choices = ()
    for word, second in made:
        found = chosen(found, word, at(second), usual)
    return found


def zones(*made: tuple[str, int]) -> Choices:
    return choices(*made, usual="UTC")


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
    assert in_force(choices(*made), at(second), "en") == code


def test_what_changes_nothing_is_not_kept() -> None:
    assert choices(("en", 3)) == ()
    assert choices(("de", 3), ("de", 5)) == (Choice("de", at(3)),)
    assert choices(("de", 5), ("en", 5)) == ()


def test_a_zone_is_read_besides() -> None:
    languages, there = choices(("de", 3)), zones(("Asia/Tokyo", 1), ("UTC", 5))
    tags = [tag_at(languages, there, at(second)) for second in (0, 1, 3, 5)]
    assert tags == ["en", "en@Asia/Tokyo", "de@Asia/Tokyo", "de"]


def test_all_that_a_player_has_read() -> None:
    assert tags_had((), ()) == ("en",)
    assert tags_had(choices(("de", 1), ("nl", 2), ("de", 3)), ()) == ("de", "nl", "en")
    there = zones(("Asia/Tokyo", 2))
    had = tags_had(choices(("de", 1), ("en", 3)), there)
    assert had == ("en@Asia/Tokyo", "de@Asia/Tokyo", "de", "en")


def test_only_so_many_are_kept_and_the_oldest_then_holds_for_ever() -> None:
    made = [(("de", "nl")[n % 2], n) for n in range(MOST_CHOICES + 1)]
    kept = choices(*made)
    assert len(kept) == MOST_CHOICES
    assert kept[0] == Choice("nl")
    assert in_force(kept, at(0), "en") == "nl"
    assert in_force(kept, at(2), "en") == "de"


@pytest.mark.parametrize(
    ("choice", "form"),
    [
        (Choice("de", at(5)), CODE),
        (Choice("pt_br"), CODE),
        (Choice("Europe/Berlin", at(5)), ZONE),
        (Choice("America/Argentina/Buenos_Aires"), ZONE),
        (Choice("Etc/GMT+5"), ZONE),
    ],
)
def test_a_file_has_it(choice: Choice, form: str) -> None:
    assert parse_choices([str(choice)], form) == (choice,)


@pytest.mark.parametrize(
    ("text", "form"),
    [
        *((text, CODE) for text in ("", "../de", "de soon", "DE", "d\u00e9")),
        (f"de {at(5)} x", CODE),
        *(
            (text, ZONE)
            for text in ("", "../etc/passwd", "/etc", "a//b", "Z\u00fcrich")
        ),
        ("Europe/..", ZONE),
    ],
)
def test_a_file_may_not_have_it(text: str, form: str) -> None:
    with pytest.raises(ValueError, match="malformed"):
        parse_choices([text], form)
