"""Readers ask what lies at a place of a board, and where a tile fits."""

import pytest

from tests.house import House
from tests.web.browser import Browser, signed_in, without_threads

__all__ = ["without_threads"]

HERE = "/holo/1/ask"


def test_a_question_is_answered_in_the_words_of_the_command(house: House) -> None:
    """In which it says nothing that a stranger may not know."""
    house.play(1, moves=3)
    browser = Browser(house)
    assert HERE in browser.get("/holo/1").links
    tile = house.library.match("holo", 1).view(None).pools[0][0]
    for name, word in (("look", "1"), ("fits", tile)):
        page = browser.get(f"{HERE}?{name}={word}")
        assert page.status == 200
        told = house.type(f"holo {name} 1 {word}").text
        for paragraph in told.split("\n\n")[1:]:
            assert " ".join(paragraph.split()).lstrip("- ") in page.text
    assert "You" not in browser.get(f"{HERE}?look=1").text
    to_move = house.match(1).turn[0]
    assert "You" in signed_in(house, to_move).get(f"{HERE}?look=1").text


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("look=x", "is not a position"),
        ("look=99999999", "is not a position"),
        ("look=1+2", "is not a position"),
        ("look=-m%3dx", "option"),
        ("fits=zz", "Nobody holds"),
        ("fits=%00", "is not a tile"),
        ("fits=" + "1" * 3000, "is not a tile"),
    ],
)
def test_what_cannot_be_answered(house: House, asked: str, said: str) -> None:
    page = Browser(house).get(f"{HERE}?{asked}")
    assert page.status == 422
    assert said in page.text
    assert page.form(HERE)


def test_where_there_is_no_board(house: House) -> None:
    browser = Browser(house)
    assert browser.get("/holo/99/ask").status == 404
    assert browser.get("/holo/99/ask?look=1").status == 404
