"""Screens with a small picture, and screens in words, of every game."""

import re
from collections import Counter
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbm_holomino.commands import parse
from pbm_holomino.draw.text import draw
from pbm_holomino.errors import BadCommand
from pbm_holomino.letters.proposals import proposals
from pbm_holomino.match.board import Match
from pbm_holomino.rules import names
from pbm_holomino.rules.contract import Drawing
from pbm_holomino.sentences import RULE
from tests.boards import Case, answer, chronicle, opened, played
from tests.rules.spiral import NUMBER, SPIRAL, STEPS
from tests.sizes import sized

COLOURS = {"R": "red", "G": "green", "Y": "yellow", "P": "purple", "B": "black"}
WAYS = {"N": "north", "NE": "north-east", "SE": "south-east"}
WAYS |= {"S": "south", "SW": "south-west", "NW": "north-west"}
# Of a bitten tile: the corner at each of its edges.
CORNERS = {"N": "upper left", "NW": "upper left", "NE": "right", "SE": "right"}
CORNERS |= {"S": "lower left", "SW": "lower left"}
DIGITS = ["upper left", "right", "lower left"]
OPPOSITE = {"N": "S", "NE": "SW", "SE": "NW", "S": "N", "SW": "NE", "NW": "SE"}
A_TILE = re.compile(r"^(\d+): upper left (.), right (.), lower left (.)\.")
A_HALF = r"((?:\w+'s )?\w+) at (\d+)((?: \(\d+ high\))?)((?:, an open end)?)"
A_LONE = re.compile(rf"^{A_HALF}, whose other half is covered\.")
A_PAIR = re.compile(rf"^{A_HALF}, and {A_HALF}, ([a-z-]+) of it\.")


def board_of(name: str, seed: int, plies: int) -> Match:
    words = {"draft": "random"} if name == "walomino" else {}
    return played(opened(Case(name, 2, words), seed + 1), seed, plies)


def unfolded(text: str) -> list[str]:
    """The lines of a text, without the breaks within a sentence."""
    return text.replace("\n  ", " ").splitlines()


def way_to(position: int, other: int) -> str:
    """The way from a cell to the one beside it."""
    (col, row), (to_col, to_row) = SPIRAL[position], SPIRAL[other]
    (way,) = (w for w, step in STEPS.items() if step == (to_col - col, to_row - row))
    return way


def beside(drawing: Drawing, position: int) -> dict[str, int]:
    """The taken cells beside a position, by the way to them, clockwise."""
    col, row = SPIRAL[position]
    near = {w: NUMBER[col + dc, row + dr] for w, (dc, dr) in STEPS.items()}
    return {way: at for way, at in near.items() if at in drawing.faces}


def named(drawing: Drawing, at: int) -> str:
    """A half's owner, where it has one, and its face or colour."""
    face = COLOURS.get(drawing.faces[at], drawing.faces[at])
    return f"{drawing.sides[drawing.owners[at]]!s}'s {face}" if drawing.owners else face


def spoken(drawing: Drawing, position: int, own: tuple[int, ...] = ()) -> str:
    """What is beside a cell, in words."""
    near = beside(drawing, position).items()
    if drawing.notation == "bitten":
        return ", ".join(f"{WAYS[way]} {at}" for way, at in near)
    told = [f"{WAYS[way]} {named(drawing, at)} at {at}" for way, at in near]
    return ", ".join(words for words in told if int(words.split()[-1]) not in own)


def read_tiles(drawing: Drawing, lines: list[str]) -> dict[int, str]:
    """The faces that the lines of tiles tell; each line must say what is beside."""
    faces: dict[int, str] = {}
    for line in lines:
        if found := A_TILE.match(line):
            at = int(found[1])
            faces[at] = found[2] + found[3] + found[4]
            rest = f" Beside it: {told}." if (told := spoken(drawing, at)) else ""
        else:
            found = A_PAIR.match(line) or A_LONE.match(line)
            assert found, line
            own = read_halves(drawing, found, faces)
            rest = "".join(
                f" Beside {at}: {told}."
                for at in own
                if (told := spoken(drawing, at, own))
            )
        assert line[found.end() :] == rest
    return faces


def read_halves(
    drawing: Drawing, found: re.Match[str], faces: dict[int, str]
) -> tuple[int, ...]:
    """Put the one or two halves that a line tells among the faces; their positions."""
    told = found.groups()
    halves = [told[0:4], told[4:8]] if len(told) > 4 else [told]
    own = tuple(int(at) for _, at, _, _ in halves)
    for at, (face, _, height, end) in zip(own, halves, strict=True):
        faces[at] = face
        high = drawing.heights.get(at)
        assert height == (f" ({high} high)" if high else "")
        assert end == (", an open end" if at in drawing.labels else "")
    whole = [set(joint) for joint in drawing.joints]
    assert ({*own} in whole) == (len(own) == 2)
    if len(own) == 2:
        assert told[8] == WAYS[way_to(*own)]
    return own


def check_words(drawing: Drawing, text: str) -> None:
    """The words of a board tell its faces, its last tile, and where tiles can go."""
    paragraphs = [unfolded(part) for part in text.strip().split("\n\n")]
    lie = r"\d+ (tile|pair)s? lies? on the board"
    (tiles,) = (p for p in paragraphs if re.match(lie, p[0]))
    last = [line for line in tiles if line.endswith(" was played last.")]
    letters = [line for line in tiles if line.startswith("R is red, ")]
    assert bool(letters) == (not COLOURS.keys().isdisjoint(drawing.faces.values()))
    faces = {at: named(drawing, at) for at in drawing.faces}
    told = drawing.faces if drawing.notation == "bitten" else faces
    assert read_tiles(drawing, tiles[1 + len(last + letters) :]) == told
    assert numbers(" ".join(last)) == set(drawing.last)
    halves = sum(map(drawing.tiles_at, drawing.faces))
    assert numbers(tiles[0]) == {halves // 2 if drawing.joints else halves}
    cells = beginning(paragraphs, "Empty cells where a tile can go, with ")
    assert cell_numbers(drawing, cells[1:]) == labelled(drawing, "move")
    closed = beginning(paragraphs, "No tile can ever lie at ")
    assert numbers(" ".join(closed)) == labelled(drawing, "blocked")
    others = beginning(paragraphs, "Other empty cells with two tiles or more ")
    others += beginning(paragraphs, "Empty cells with two tiles or more ")
    is_chain = labelled(drawing, "end")
    assert cell_numbers(drawing, others[1:]) == (
        set() if is_chain else between(drawing)
    )


def beginning(paragraphs: list[list[str]], words: str) -> list[str]:
    """The paragraph that begins with these words."""
    found = [lines for lines in paragraphs if lines[0].startswith(words)]
    assert len(found) < 2
    return found[0] if found else []


def numbers(text: str) -> set[int]:
    return set(map(int, re.findall("[0-9]+", text)))


def labelled(drawing: Drawing, kind: str) -> set[int]:
    return {at for at, label in drawing.labels.items() if label.kind == kind}


def between(drawing: Drawing) -> set[int]:
    """The empty cells beside two tiles or more, with nothing written on them."""
    alone = [(at,) for at in drawing.faces if at not in sum(drawing.joints, ())]
    near: Counter[int] = Counter()
    for tile in (*drawing.joints, *alone):
        cells = (SPIRAL[at] for at in tile)
        steps = STEPS.values()
        near.update({NUMBER[c + dc, r + dr] for c, r in cells for dc, dr in steps})
    several = {at for at, count in near.items() if count > 1}
    return several - drawing.faces.keys() - drawing.labels.keys()


def cell_numbers(drawing: Drawing, lines: list[str]) -> set[int]:
    """The empty cells that are told, each with what is beside it."""
    cells = set()
    for line in lines:
        if line.startswith("Nothing is beside "):
            alone = numbers(line)
            assert not any(beside(drawing, at) for at in alone)
            cells |= alone
            continue
        number, _, rest = line.partition(": ")
        at = int(number)
        near = spoken(drawing, at)
        if drawing.notation == "bitten":
            assert rest == f"{asked(drawing, at)}. Beside it: {near}."
        else:
            assert rest == f"{near}."
        cells.add(at)
    return cells


def asked(drawing: Drawing, position: int) -> str:
    """The numbers that a tile must have at a cell, by its corners."""
    wanted: dict[str, list[str]] = {}
    for way, at in beside(drawing, position).items():
        digit = drawing.faces[at][DIGITS.index(CORNERS[OPPOSITE[way]])]
        digits = wanted.setdefault(CORNERS[way], [])
        digits += [digit] if digit not in digits else []
    return ", ".join(f"{c} {' and '.join(wanted[c])}" for c in DIGITS if c in wanted)


@pytest.mark.parametrize("name", names())
@settings(max_examples=sized(4, 10))
@given(seed=st.integers(0, 10**6), lines=st.integers(1, 70))
def test_the_words_tell_what_the_picture_shows(
    name: str, seed: int, lines: int
) -> None:
    *_, board = islice(chronicle(seed, name), lines)
    view = board.view(None)
    text = answer(board, "show 1 -format=list")
    assert not re.search(r"[/\\]|__", text)
    assert max(map(len, text.splitlines())) <= 72
    shown = [drawing for drawing in (view.ended, view.drawing) if drawing]
    parts = text.split("The new round:\n") if len(shown) == 2 else [text]
    for drawing, part in zip(shown, parts, strict=False):
        if drawing.faces:
            check_words(drawing, part)


@pytest.mark.parametrize("name", names())
@settings(max_examples=sized(3, 8))
@given(seed=st.integers(0, 10**6), lines=st.integers(1, 70))
def test_a_small_screen_is_the_usual_one_with_small_pictures(
    name: str, seed: int, lines: int
) -> None:
    *_, board = islice(chronicle(seed, name), lines)
    view = board.view(None)
    usual = re.sub(r"(?m)^\(The board is .*\n", "", answer(board, "show 1"))
    small = re.sub(
        r"(?m)^\(The board is .*\n", "", answer(board, "show 1 -format=small")
    )
    for drawing in filter(None, (view.ended, view.drawing)):
        usual = usual.replace(draw(drawing), draw(drawing, small=True))
    assert small == usual


@pytest.mark.parametrize("name", names())
def test_a_note_says_so_where_even_the_small_picture_is_wide(name: str) -> None:
    for plies in (4, 200):
        board = board_of(name, 5, plies)
        drawing = board.view(None).drawing
        for form, small in (("text", False), ("small", True)):
            text = answer(board, f"show 1 -format={form}")
            width = max(map(len, draw(drawing, small).splitlines()))
            note = f"(The board is {width} columns wide: it needs a wide window.)\n"
            assert (note in text) == (width > 79)
            assert ("columns wide" in text) == (width > 79)


@pytest.mark.parametrize("name", names())
def test_the_players_and_the_moves_are_in_sentences(name: str) -> None:
    board = board_of(name, 2, 6)
    text = " ".join(answer(board, "show 1 -format=list").split())
    moves = text.partition("What has happened")[2].partition("The players")[0]
    shown, view = board.turn[0], board.view(None)
    for seat, player in enumerate(board.record.players):
        unit, sides = str(board.rules.SCORING.points), board.rules.SIDES
        who = f"{player} ({sides[seat]!s})" if sides else player
        who += ", to move," * (player == shown)
        held = ", ".join(
            f"{tile} {n} times" if n > 1 else tile
            for tile, n in Counter(view.pools[seat]).items()
        )
        assert f"{who} has {view.scores[seat]} {unit} and holds {held}." in text
    assert len(view.proposal.moves) > 2
    for move in proposals(board, view, 40).moves:
        said = re.search(rf" {move.tile}: ([^.]*)\.", moves)
        assert said
        ways = re.split(r"; |, ", said[1])
        assert move.spot in {way.partition("(")[0] for way in ways}


@pytest.mark.parametrize("form", ["small", "list"])
@pytest.mark.parametrize("name", names())
def test_a_preview_and_a_past_position_have_the_same_forms(
    name: str, form: str
) -> None:
    board = board_of(name, 3, 5)
    move = board.view(None).legal[0]
    last = ",".join(re.findall("[0-9]+", move.partition(":")[2]))
    preview = answer(board, f"preview 1 {move} -format={form}")
    assert preview.startswith("This is a preview: nothing has been played.\n")
    past = answer(board, f"show 1#4 -format={form}")
    drawing = board.after_ply(4).view(None).drawing
    kept = {at: label for at, label in drawing.labels.items() if label.kind != "move"}
    if form == "small":
        assert draw(drawing._replace(labels=kept), small=True) in past
        assert "#" in preview
    else:
        at = " and ".join(last.split(","))
        what = "pair" if name == "walomino" else "one"
        assert f"The {what} at {at} was played last." in " ".join(preview.split())
        check_words(drawing._replace(labels=kept), past)


@pytest.mark.parametrize("name", names())
def test_a_record_ends_with_the_board(name: str) -> None:
    board = board_of(name, 4, 200)
    assert board.result is not None
    record = answer(board, "history 1")
    drawing = board.view(None).drawing
    small = answer(board, "history 1 -format=small")
    assert small == f"{record}\n{plain_note(drawing)}{draw(drawing, small=True)}"
    told = answer(board, "history 1 -format=list")
    assert told.startswith(f"{record}\n")
    check_words(drawing, told.removeprefix(f"{record}\n"))


def plain_note(drawing: Drawing) -> str:
    width = max(map(len, draw(drawing, small=True).splitlines()))
    note = f"(The board is {width} columns wide: it needs a wide window.)\n"
    return note if width > 79 else ""


@pytest.mark.parametrize("name", names())
def test_several_boards_are_parted_by_a_rule_and_in_words_by_a_blank_line(
    name: str,
) -> None:
    board = board_of(name, 4, 5)
    for form, between_them in (("small", RULE), ("list", "\n")):
        one, other = (answer(board, f"show 1#{n} -format={form}") for n in (3, 4))
        both = answer(board, f"show 1#3 1#4 -format={form}")
        assert both == one + between_them + other


@pytest.mark.parametrize("form", ["small", "list", "yaml"])
def test_a_list_of_results_shows_no_board(form: str) -> None:
    with pytest.raises(
        BadCommand, match=f"-format={form} shows one board: please name"
    ):
        parse.parse(["holo", "history", f"-format={form}"])
