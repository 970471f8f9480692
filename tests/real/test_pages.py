"""Letters as HTML in a browser: on a telephone and in a wide window, light and dark."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from pbm_holomino.letters.content import Moves, Picture, said
from pbm_holomino.letters.help import told
from pbm_holomino.letters.html import WIDEST, Links, Shown, html
from pbm_holomino.letters.letter import Letter
from pbm_holomino.rules import names
from tests.boards import finished
from tests.letters.pages import SERVER, letters_of, page_of
from tests.real.browser import View, contrast, measure
from tests.sizes import some

pytestmark = pytest.mark.needs("chromium-headless-shell")

PHONES, WINDOW = (360, 412), 1280
SCHEMES = ("light", "dark")
SMALLEST_TARGET = 24  # CSS pixels (WCAG 2.2, 2.5.8)
SMALLEST_BUTTON = 32
SMALLEST_BOARD = 6  # CSS pixels of a glyph; a larger board is scrolled
LEAST_CONTRAST = 4.5  # WCAG 2.2 (1.4.3)
BARE = re.compile("<style>.*?</style>\n", re.S)  # what some mail programs drop
IMAGE = (
    "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='900' "
    "height='500'/>"
)


class Seen(NamedTuple):
    """A page on a screen, with the columns and lines of its boards, and what was
    measured."""

    view: View
    sizes: list[tuple[int, int]]
    measured: dict[str, Any]


def sizes_of(page: str) -> list[tuple[int, int]]:
    boards = re.findall('<pre class="c[^>]*role="img"[^>]*>\n(.*?)</pre>', page, re.S)
    shown = (re.sub("<[^>]*>", "", board).splitlines() for board in boards)
    return [(max(map(len, lines)), len(lines)) for lines in shown]


def some_letters(game: str) -> Iterator[Letter]:
    """The first letter, the last, that with most moves, and those with the widest and
    the narrowest board."""
    letters = list(letters_of(finished(1, game)))

    def moves(letter: Letter) -> int:
        blocks = [block for part in letter.content for block in part]
        return sum(len(block.ways) for block in blocks if isinstance(block, Moves))

    def width(letter: Letter) -> int:
        blocks = [block for part in letter.content for block in part]
        return max([b.width for b in blocks if isinstance(b, Picture)], default=0)

    yield from (letters[0], letters[-1], max(letters, key=moves))
    yield from (max(letters, key=width), min(letters, key=width))


def pages() -> Iterator[str]:
    for game in names():
        for letter in some_letters(game):
            yield page_of(letter)
    for subject in ("commands", "tutorial", "json"):
        yield html(told(subject), Links(SERVER))
    yield html(said(f"{'x' * 300}\n"), Links(SERVER))


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> list[Seen]:
    """Every page on every screen, and on a telephone also without its style sheet."""
    views = [
        View(text, width, scheme)
        for page in pages()
        for text, widths in (
            (page, (*PHONES, WINDOW)),
            (BARE.sub("", page), PHONES[1:]),
        )
        for width in widths
        for scheme in SCHEMES
    ]
    views = some(views, 130)
    measured = measure(views, tmp_path_factory.mktemp("browser"))
    sizes = [sizes_of(view.page) for view in views]
    return list(map(Seen, views, sizes, measured))


def test_nothing_overflows_its_screen(seen: list[Seen]) -> None:
    for view, _, measured in seen:
        assert measured["overflow"] <= 0, (view.width, view.page)


def test_the_glyphs_of_a_board_line_up(seen: list[Seen]) -> None:
    boards = 0
    for _, sizes, measured in seen:
        assert len(sizes) == len(measured["pictures"])
        for picture in measured["pictures"]:
            assert picture["glyphs"] > 20
            assert picture["worst"] < 0.2  # of 5 px or more
            assert picture["lines"] == pytest.approx(1.15)
            boards += 1
    assert boards > 100


def test_a_board_of_usual_width_fits_a_telephone(seen: list[Seen]) -> None:
    widest = 0
    for _, sizes, measured in seen:
        for (width, lines), picture in zip(sizes, measured["pictures"], strict=True):
            assert picture["size"] >= SMALLEST_BOARD
            if width <= WIDEST:
                assert picture["overflow"] <= 0
                assert picture["size"] >= 11 or lines > 23
                widest = max(widest, width)
    assert widest > 40


def test_a_wide_window_shows_boards_as_large_as_fits(seen: list[Seen]) -> None:
    for view, sizes, measured in seen:
        if view.width == WINDOW and "<style>" in view.page:
            for (width, _), picture in zip(sizes, measured["pictures"], strict=True):
                assert picture["overflow"] <= 0
                assert picture["size"] >= (14 if width <= 66 else 9)


def test_the_first_screen_has_the_board_and_the_best_moves(seen: list[Seen]) -> None:
    """Of a telephone that is 360 px wide and 640 px high, even with the longest
    names."""
    turns = 0
    for view, sizes, measured in seen:
        if view.width == PHONES[0]:
            assert all(height <= 300.5 for height in measured["boards"])
            top = view.page.partition("<h2")[0]
            best = len(re.findall('%20move%20[^"]*:', top))
            assert best <= 5
            if best and len(sizes) == 1:  # not between two rounds
                (first, _), *_ = moves = measured["moves"][:best]
                assert first < 520
                assert all(end < 640 for _, end in moves)
                turns += 1
    assert turns > 10


def test_an_image_is_as_high_as_a_board(tmp_path: Path) -> None:
    letter = next(some_letters("holo"))
    page = html(letter.content, Links(SERVER), [Shown(IMAGE, 900, 500)])
    (measured,) = measure([View(page, PHONES[0], "light")], tmp_path)
    assert measured["boards"] == [pytest.approx(187, abs=2)]  # it is 336 px wide
    page = html(letter.content, Links(SERVER), [Shown(IMAGE, 500, 900)])
    (measured,) = measure([View(page, PHONES[0], "light")], tmp_path)
    assert measured["images"] == [166]  # 900 high would be 300


def test_the_page_is_one_narrow_column(seen: list[Seen]) -> None:
    for view, _, measured in seen:
        assert measured["column"] == min(600, view.width)


def test_what_is_tapped_is_large_enough(seen: list[Seen]) -> None:
    buttons = [size for each in seen for size in each.measured["buttons"]]
    assert len(buttons) > 1000
    assert min(min(sizes) for sizes in buttons) >= SMALLEST_BUTTON
    links = [size for each in seen for size in each.measured["links"]]
    assert len(links) > len(buttons)
    assert min(min(sizes) for sizes in links) >= SMALLEST_TARGET


def test_words_can_be_read_in_light_and_dark(seen: list[Seen]) -> None:
    papers = set()
    for view, _, measured in seen:
        assert measured["text"] >= SMALLEST_BOARD
        for inks in measured["inks"]:
            assert contrast(inks) >= LEAST_CONTRAST, (view.scheme, inks, view.page)
        if "<style>" in view.page:
            papers |= {
                (view.scheme, inks.split(" on ")[1]) for inks in measured["inks"]
            }
    assert papers == {("light", "rgb(255, 255, 255)"), ("dark", "rgb(22, 24, 27)")}


def test_an_image_is_never_wider_than_the_screen(tmp_path: Path) -> None:
    letter = next(some_letters("holo"))
    page = html(letter.content, Links(SERVER), [Shown(IMAGE, 500, 100)])
    views = [View(page, width, "light") for width in (*PHONES, WINDOW)]
    views = some(views, 130)
    measured = measure(views, tmp_path)
    assert [each["images"] for each in measured] == [[336], [388], [500]]
    assert [each["overflow"] for each in measured] == [0, 0, 0]
