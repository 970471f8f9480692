"""Boards that people paste: as mail programs mangle them, they are the same boards; and
what is no board is refused where it goes wrong."""

import random
import textwrap
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbm_holomino.draw.reading import Read, read
from pbm_holomino.draw.text import draw
from pbm_holomino.draw.words import PAIRS_AS_TILES, describe, describe_tiles
from pbm_holomino.errors import BadBoard
from pbm_holomino.languages import Sentence, sentence
from pbm_holomino.languages.known import codes, language
from pbm_holomino.mail.markup import text_of
from pbm_holomino.match.board import Match
from pbm_holomino.rules import names
from pbm_holomino.rules.contract import Drawing, Label
from tests.boards import Case, answer, chronicle, opened, played
from tests.sizes import sized

Mangle = Callable[[list[str]], str]
NBSP = "\N{NO-BREAK SPACE}"


# What mail programs do to lines


def as_it_is(lines: list[str]) -> str:
    return "\n".join(lines)


def with_crlf_and_blanks(lines: list[str]) -> str:
    """With blanks up to the right edge."""
    return "\r\n".join(line.ljust(90) for line in lines)


def indented(lines: list[str]) -> str:
    return "Look at this:\n\n" + textwrap.indent(as_it_is(lines), "      ") + "\n\nBob"


def quoted(lines: list[str]) -> str:
    """As most do it; some quote empty lines without a blank."""
    said = ["On Monday Alice wrote:", *(f"> {line}".rstrip() for line in lines)]
    return "\n".join(said)


def quoted_twice(lines: list[str]) -> str:
    return "\n".join(f"> > {line}".rstrip() for line in lines)


def quoted_often(lines: list[str]) -> str:
    return "\n".join(f">>> {line}".rstrip() for line in lines)


def with_no_break_spaces(lines: list[str]) -> str:
    return as_it_is(lines).replace(" ", NBSP)


def as_browsers_copy(lines: list[str]) -> str:
    """Every second blank of several does not break."""
    return as_it_is(lines).replace("  ", f"{NBSP} ") + "\N{ZERO WIDTH SPACE}"


def with_tabs(lines: list[str]) -> str:
    """As editors that save room do it, before somebody quotes it."""
    return "\n".join(f"> {_tabbed(line)}" for line in lines)


def quoted_with_tabs(lines: list[str]) -> str:
    """As editors do it that find it quoted."""
    return "\n".join(_tabbed(f">{line}") for line in lines)


def _tabbed(line: str) -> str:
    """The line with tabs for its blanks, wherever they end at every eighth column."""
    cut = [line[at : at + 8] for at in range(0, len(line), 8)]
    full = [part if len(part) < 8 else _ended(part) for part in cut]
    return "".join(full)


def _ended(part: str) -> str:
    return part.rstrip(" ") + "\t" if part.endswith("  ") else part


def flowed(lines: list[str]) -> str:
    """RFC 3676: a blank is put before lines that begin with one, and programs that do
    not know it show it."""
    return "\n".join(f" {line}" if line.startswith(" ") else line for line in lines)


def flowed_and_quoted(lines: list[str]) -> str:
    return "\n".join(f">{line}" for line in flowed(lines).split("\n"))


def in_paragraphs(lines: list[str]) -> str:
    """HTML whose lines are paragraphs has an empty line after each."""
    return "\n\n".join(lines)


def from_html(lines: list[str]) -> str:
    """What this program makes of a mail that is only HTML."""
    pre = as_it_is(lines).replace("<", "&lt;")
    return text_of(f"<html><body><p>See:</p><pre>{pre}</pre></body></html>")


def from_html_in_lines(lines: list[str]) -> str:
    """The same, where each line is a block of its own."""
    divs = "".join(f"<div>{_blanks(line)}<br></div>" for line in lines)
    return text_of(f"<html><body>{divs}</body></html>")


def _blanks(line: str) -> str:
    return line.replace(" ", "&nbsp;")


def below_a_line(lines: list[str]) -> str:
    """As some programs put a mail under the answer to it."""
    heads = "From: Bob\nSent: Monday\nSubject: holo 12"
    return f"Look!\n\n{'_' * 32}\n{heads}\n\n{as_it_is(lines)}\n\nBob\n{'_' * 32}"


MANGLED: list[Mangle] = [
    as_it_is,
    with_crlf_and_blanks,
    indented,
    quoted,
    quoted_twice,
    quoted_often,
    below_a_line,
    with_no_break_spaces,
    as_browsers_copy,
    with_tabs,
    quoted_with_tabs,
    flowed,
    flowed_and_quoted,
    in_paragraphs,
    from_html,
    from_html_in_lines,
]


# Boards


def shown(drawing: Drawing) -> Drawing:
    """A board with everything that is to be read, in one order."""
    return drawing._replace(
        joints=tuple(sorted((min(pair), max(pair)) for pair in drawing.joints)),
        last=tuple(sorted(drawing.last)),
        sides=(),
    )


def without_numbers(drawing: Drawing) -> Drawing:
    """A board without the numbers of its cells, which follow from it."""
    labels = drawing.labels.items()
    left = {at: label for at, label in labels if label.kind != "move"}
    return shown(drawing._replace(labels=left))


def read_back(text: str, board: Match) -> Drawing:
    found = read(text, board.view(None).drawing.notation, board.rules.SIDES)
    assert found.is_numbered
    return shown(found.drawing)


def wrap(line: str) -> list[str]:
    return textwrap.wrap(line, 60, break_on_hyphens=False)


def some_board(seed: int, name: str, lines: int) -> Match:
    *_, board = islice(chronicle(seed, name), lines)
    return board


def numbered(boards: Iterator[Match]) -> Iterator[Match]:
    for board in boards:
        labels = board.view(None).drawing.labels.values()
        if any(label.kind == "move" for label in labels):
            yield board


@pytest.mark.parametrize("name", names())
@settings(max_examples=sized(4, 20))
@given(seed=st.integers(0, 10**6), lines=st.integers(1, 60))
def test_a_picture_comes_back_from_any_mail_program(
    name: str, seed: int, lines: int
) -> None:
    board = next(numbered(islice(chronicle(seed, name), lines, None)), None)
    if board is None:
        return  # the game ended before
    drawing = board.view(None).drawing
    for small in (False, True):
        for mangle in MANGLED:
            text = mangle(draw(drawing, small).splitlines())
            assert read_back(text, board) == shown(drawing), mangle


@pytest.mark.parametrize("code", codes())
@pytest.mark.parametrize("name", names())
@settings(max_examples=sized(3, 12))
@given(seed=st.integers(0, 10**6), lines=st.integers(1, 60))
def test_a_board_in_words_comes_back_in_every_language(
    name: str, code: str, seed: int, lines: int
) -> None:
    board, say = some_board(seed, name, lines), language(code).say
    drawing = board.view(None).drawing
    if not drawing.faces:
        return
    told = [say(line) for part in describe(drawing) for line in part]
    wrapped = [part for line in told for part in wrap(line)]
    for mangle in MANGLED:
        is_read = max(map(len, told)) < 380  # with the marks of quotations
        if is_read and mangle is not in_paragraphs:
            assert read_back(mangle(told), board) == without_numbers(drawing)
    for lines_told in (wrapped, [f"  {line}" for line in wrapped]):
        assert read_back(quoted(lines_told), board) == without_numbers(drawing)


@pytest.mark.parametrize("form", ["text", "small", "list"])
@pytest.mark.parametrize("name", names())
def test_what_show_prints_is_read(name: str, form: str) -> None:
    words = {"draft": "random"} if name == "walomino" else {}
    board = played(opened(Case(name, 2, words)), 4, 5)
    drawing = board.view(None).drawing
    text = answer(board, f"show 1 -format={form}")
    wanted = without_numbers(drawing) if form == "list" else shown(drawing)
    assert read_back(text, board) == wanted


def told_of(drawing: Drawing) -> str:
    return "\n".join(str(line) for part in describe(drawing) for line in part)


def test_what_is_written_around_a_board_may_be_longer_than_any() -> None:
    prose = f"{'I have thought about this for a long time, and/or not. ' * 9}\n" * 800
    for lines in (draw(TWO), draw(TWO, True), told_of(TWO)):
        text = f"{prose}\n{lines}\n\n{prose}"
        assert read(text, "hextile").drawing.faces == TWO.faces


# Where no cell is numbered


SIDES = sentence("Light"), sentence("Dark")
LONE = Drawing("hextile", {7: "2", 1: "4"}, [(1, 7)])


@pytest.mark.parametrize("small", [False, True])
def test_a_board_without_numbers_is_numbered_from_its_middle_on(small: bool) -> None:
    found = read(draw(LONE, small), "hextile")
    assert not found.is_numbered
    assert sorted(found.drawing.faces.values()) == ["2", "4"]
    assert found.drawing.faces.keys() in ({0, 1}, {0, 4})


# What is no board


TWO = Drawing("hextile", {0: "2", 1: "4", 2: "4", 9: "6"}, [(0, 1), (2, 9)], last=())
TWO = TWO._replace(labels={at: Label(str(at), "move") for at in (3, 4, 8)})

CHAIN = Drawing("hextile", {0: "R", 1: "G", 3: "R", 11: "B"}, [(1, 0), (3, 11)])
CHAIN = CHAIN._replace(labels={at: Label("*", "end") for at in (1, 11)})


def place_of(text: str, notation: str = "hextile") -> tuple[int, int]:
    with pytest.raises(BadBoard) as refused:
        read(text, notation)
    error = refused.value
    assert str(error).startswith(f"Line {error.line}, column {error.column}: ")
    return error.line, error.column


def test_a_wrong_number_is_refused_where_it_is() -> None:
    """Position 3 has been read before, from above; 4 is below it."""
    for small, word in ((False, " 4\n"), (True, "04\n")):
        lines = draw(TWO, small).replace(word, word.replace("4", "5")).split("\n")
        (wanted,) = [i for i, line in enumerate(lines, 1) if line.endswith("5")]
        line, column = place_of("\n".join(lines))
        assert line == wanted
        assert abs(column - len(lines[line - 1])) <= 1


@pytest.mark.parametrize("small", [False, True])
@pytest.mark.parametrize("quote", ["", "> ", ">>   "])
def test_a_stroke_too_many_is_refused_where_it_is(small: bool, quote: str) -> None:
    lines = draw(TWO, small).split("\n")
    at = next(
        i for i, line in enumerate(lines) if line.endswith("03" if small else "3")
    )
    width = len(lines[at])
    lines[at] += "  /"
    text = "\n".join(f"{quote}{line}" for line in lines)
    assert place_of(text) == (at + 1, len(quote) + width + 3)


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("small", [False, True])
def test_one_character_less_is_another_board_or_refused_near_by(
    name: str, small: bool
) -> None:
    """Whatever is taken out of a picture: it is never read as the same board."""
    words = {"draft": "random"} if name == "walomino" else {}
    board = played(opened(Case(name, 2, words)), 4, 5)
    drawing = board.view(None).drawing
    picture, dice = draw(drawing, small), random.Random(name)
    inked = [at for at, ink in enumerate(picture) if ink not in " \n"]
    for at in dice.sample(inked, sized(12, 60)):
        less = f"{picture[:at]} {picture[at + 1 :]}"
        line = picture[:at].count("\n") + 1
        found = found_or_refused(less, drawing.notation, board.rules.SIDES)
        if isinstance(found, BadBoard):
            assert abs(found.line - line) <= 12
        else:
            assert shown(found.drawing) != shown(drawing)


def found_or_refused(
    text: str, notation: str, sides: Sequence[Sentence] = ()
) -> Read | BadBoard:
    try:
        return read(text, notation, sides)
    except BadBoard as error:
        return error


@pytest.mark.parametrize("name", names())
def test_wrapped_lines_are_refused_and_it_is_said_where(name: str) -> None:
    words = {"draft": "random"} if name == "walomino" else {}
    board = played(opened(Case(name, 2, words)), 4, 5)
    drawing = board.view(None).drawing
    lines = draw(drawing).splitlines()
    widest = max(map(len, lines))
    cut = [(line[: widest - 9], line[widest - 9 :]) for line in lines]
    wrapped = [part for line in cut for part in line if part]
    with pytest.raises(BadBoard) as refused:
        read("\n".join(wrapped), drawing.notation, board.rules.SIDES)
    assert 0 < refused.value.line <= len(wrapped)


def test_words_that_do_not_go_together_are_refused_where_they_are() -> None:
    told = told_of(TWO)
    assert "4 at 2, and 6 at 9, north-east of it." in told
    line, column = place_of(told.replace("and 6 at 9, north-east", "and 6 at 9, south"))
    assert told.split("\n")[line - 1].startswith("4 at 2")
    assert column == len("4 at 2, and 6 at 9, ") + 1
    line, column = place_of(told.replace("and 6 at 9,", "and 6 at 1,"))
    assert told.split("\n")[line - 1].startswith("4 at 2")
    assert place_of(told.replace("2 tiles lie", "3 tiles lie")) == (1, 1)


@pytest.mark.parametrize("code", codes())
def test_a_chain_that_is_told_as_in_earlier_letters_is_read(code: str) -> None:
    """Letters have called its pairs tiles."""
    say = language(code).say
    for last in ((), (3, 11)):
        chain = CHAIN._replace(last=last)
        (told,) = describe_tiles(chain, chain=PAIRS_AS_TILES)
        earlier = " ".join(map(say, told))
        assert earlier != " ".join(map(say, describe_tiles(chain)[0]))
        found = read(earlier, "hextile").drawing
        assert describe_tiles(found) == describe_tiles(chain)
    place_of(earlier.replace("11", "12"))


@pytest.mark.parametrize("text", ["", "Hello", "12", "\n\n", "9" * 100_000])
def test_a_text_without_a_board_is_refused(text: str) -> None:
    for notation in ("hextile", "bitten"):
        with pytest.raises(BadBoard, match=r"I see no board there|too large"):
            read(text, notation)


def test_a_board_of_another_game_is_refused() -> None:
    place_of(draw(TWO), "bitten")
    place_of(draw(Drawing("bitten", {0: "123", 1: "231"})))
    dark = TWO._replace(owners={0: 0, 1: 0, 2: 1, 9: 1}, sides=SIDES)
    for small in (False, True):
        with pytest.raises(BadBoard, match="No tile is dark"):
            read(draw(dark, small), "hextile")
    with pytest.raises(BadBoard, match="I find no tile of this game"):
        read(told_of(TWO), "bitten")


@pytest.mark.parametrize("wide", [(401, 5), (5, 401), (999, 999)])
def test_what_is_larger_than_any_board_is_not_read(wide: tuple[int, int]) -> None:
    columns, lines = wide
    with pytest.raises(BadBoard, match="too large"):
        read("\n".join([("\\_/" * columns)[:columns]] * lines), "hextile")


@settings(max_examples=sized(200, 2000))
@given(st.text(" \n/\\_#.ox0123RG>\t", max_size=300) | st.text(max_size=200))
def test_no_text_does_anything_else(text: str) -> None:
    for notation, sides in (("hextile", ()), ("bitten", ()), ("hextile", SIDES)):
        found = found_or_refused(text, notation, sides)
        assert str(found) if isinstance(found, BadBoard) else found.drawing.faces
