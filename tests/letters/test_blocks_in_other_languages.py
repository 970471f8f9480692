"""What a letter is made of, in another language: blocks are said whole, and what HTML
says beside them too."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbm_holomino.draw.text import Drawn
from pbm_holomino.languages import ENGLISH_CODE, Day, sentence
from pbm_holomino.letters.board_forms import in_form
from pbm_holomino.letters.content import (
    LINKED,
    Best,
    Block,
    Command,
    Content,
    Heading,
    Moves,
    Paragraph,
    Picture,
    Seat,
    Seats,
    Table,
    plain,
    spoken,
)
from pbm_holomino.letters.html import Links, html
from pbm_holomino.rules.contract import Drawing
from tests.languages.folder import Texts, in_place_of, made
from tests.letters.pages import SERVER, Page

GERMAN: Texts = {
    "points": "Punktestand",
    "your turn since {day}": "übrigens du, seit {day}",
    "tiles": "Steine",
    "player": "Spielerin oder Spieler",
    "{player} ({more})": "{player} [{more}]",
    "out of time": "Zeit abgelaufen",
    "{spot} scores {score}": "{spot} bringt {score}",
    "The board": "Das Brett",
    "Tap a move, then send the mail that opens.": "Tippe auf einen Zug.",
    "Show me the large board": "Größeres Brett",
    (
        "(The board is {n} column wide: it needs a wide window.)",
        "(The board is {n} columns wide: it needs a wide window.)",
    ): ("(Das Brett hat {n} Spalte.)", "(Das Brett hat {n} Spalten.)"),
    'Reply with {link}"chat"{end} to write.': 'Zum Schreiben {link}"chat" senden{end}.',
}
LINKS = Links(SERVER)
SCORES = sentence("{spot} scores {score}")
WIDE = Drawing("hextile", dict.fromkeys(range(1000), "3"))


@pytest.fixture(autouse=True)
def german(tmp_path: Path) -> Iterator[None]:
    """There is German."""
    made(tmp_path, "de", GERMAN)
    with in_place_of(tmp_path):
        yield


def in_german(*blocks: Block) -> Content:
    return spoken((blocks,), "de")


def page(*blocks: Block) -> Page:
    """A page with one part, in German."""
    written = html(in_german(*blocks), LINKS, language="de")
    assert written.isascii()
    assert '<html lang="de">' in written
    return Page(written)


@pytest.mark.parametrize("code", ["en", "nl"])
def test_a_page_in_a_language_that_is_gone_is_english(code: str) -> None:
    assert '<html lang="en">' in html(spoken((), code), LINKS, language=code)


def test_columns_are_as_wide_as_their_heads_are_in_the_readers_language() -> None:
    block = Table("<>", (sentence("player"), sentence("points")), (("alice", 12),))
    assert block.plain() == "player  points\nalice       12\n"
    assert plain(in_german(block)) == (
        "Spielerin oder Spieler  Punktestand\nalice                            12\n"
    )


def test_a_table_needs_no_head() -> None:
    assert Table("<>", (), (("alice", 1), ("bob", 12))).plain() == (
        "alice   1\nbob    12\n"
    )


def test_the_table_of_players_is_said() -> None:
    name = sentence("{player} ({more})", player="bob", more=sentence("out of time"))
    seats = (Seat(True, "alice", 12, ("123",), ""), Seat(False, name, 7, (), ""))
    block = Seats(sentence("points"), seats)
    assert block.plain() == (
        "                       points  tiles\n"
        "  > alice                  12  123\n"
        "    bob (out of time)       7  -\n"
    )
    assert plain(in_german(block)) == (
        "                           Punktestand  Steine\n"
        "  > alice                           12  123\n"
        "    bob [Zeit abgelaufen]            7  -\n"
    )
    words = page(block).words
    assert "PunktestandSteine" in words
    assert "bob [Zeit abgelaufen]" in words


def test_moves_with_their_scores_are_said() -> None:
    plays = "hextol move 1 bob PASSWORD 24:10,3"
    ways = (Command(SCORES.of(spot="10,3", score=12), plays),)
    block = Moves("24", ways)
    assert block.plain() == "  24: 10,3 scores 12\n"
    assert plain(in_german(block)) == "  24: 10,3 bringt 12\n"
    read = page(block)
    assert [(link.shown, link.subject) for link in read.links] == [
        ("10,3 bringt 12", plays)
    ]


def test_what_to_do_with_the_best_moves_is_said() -> None:
    read = page(
        Best("The best:", (Command("24:10,3", "hextol move 1 bob PASSWORD 24:10,3"),))
    )
    assert read.hints.strip() == "Tippe auf einen Zug."


def test_a_board_is_named_in_the_readers_language() -> None:
    large = Command(sentence("Show me the large board"), "holo showas bob PASSWORD 1")
    picture = Picture(Drawn(WIDE), large)
    wide = f"(The board is {picture.width} columns wide: it needs a wide window.)\n"
    assert picture.plain().startswith(wide)
    assert plain(in_german(picture)) == (
        f"(Das Brett hat {picture.width} Spalten.)\n{picture.text}"
    )
    written = html(in_german(picture), LINKS, language="de")
    assert 'aria-label="Das Brett"' in written
    assert ">Gr&#246;&#223;eres Brett</a>" in written


def test_a_board_that_is_made_small_later_is_said_as_it_is_then() -> None:
    small = Picture(Drawn(WIDE), size="small")
    assert plain(in_form(in_german(Picture(Drawn(WIDE))), "small")) == (
        f"(Das Brett hat {small.width} Spalten.)\n{small.text}"
    )


def test_what_is_between_link_and_end_is_a_link() -> None:
    said = sentence('Reply with {link}"chat"{end} to write.', **LINKED)
    block = Paragraph(said, commands=(Command("", "holo chat 1 bob PASSWORD"),))
    assert block.plain() == 'Reply with "chat" to write.\n'
    assert plain(in_german(block)) == 'Zum Schreiben "chat" senden.\n'
    read = page(block)
    (link,) = read.links
    assert (link.shown, link.subject) == ('"chat" senden', "holo chat 1 bob PASSWORD")
    assert " ".join(read.words.split()) == 'Zum Schreiben "chat" senden.'


def test_a_link_that_a_translation_gets_wrong_is_english(tmp_path: Path) -> None:
    said = sentence('Reply with {link}"chat"{end} to write.', **LINKED)
    wrong: Texts = {said.forms[0]: 'Zum Schreiben {end}"chat"{link}.'}
    made(tmp_path / "more", "de", wrong)
    with in_place_of(tmp_path / "more"):
        read = page(Paragraph(said, commands=(Command("", "holo chat 1 bob x"),)))
    assert [link.shown for link in read.links] == ['"chat"']
    assert " ".join(read.words.split()) == 'Reply with "chat" to write.'


def test_words_under_a_line_of_a_list_are_known_in_any_alphabet() -> None:
    waits = sentence("your turn since {day}", day=Day("2026-11-20T08:00:00Z"))
    read = html(in_german(Paragraph(waits, " " * 13)), LINKS, language="de")
    assert "&#252;brigens du, seit 2026-11-20</p>" in read


def test_english_is_said_last_of_all() -> None:
    told: Content = ((Heading(sentence("points")),),)
    assert spoken(told, ENGLISH_CODE) is told
    assert spoken(told, "de") == ((Heading("Punktestand"),),)
