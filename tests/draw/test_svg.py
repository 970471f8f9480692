"""SVG pictures: everything on a board is in them, where it belongs, and can be read."""

import random
import re
from itertools import combinations, pairwise
from math import dist
from operator import mul
from xml.etree import ElementTree

import pytest

from pbm_holomino.draw import svg
from pbm_holomino.draw.svg.glyphs import SHAPES
from pbm_holomino.draw.svg.hextile import COLOURS, SIDES
from pbm_holomino.rules import load, names
from pbm_holomino.rules.contract import Closed, Drawing, Label
from tests.boards import Case, plain_cases, some_options, states
from tests.draw.svg_reader import SVG, read
from tests.sizes import sized, some

CASES = plain_cases() + [
    Case("holo", 2, {"num_digits": "9", "non_unique": "yes", "pool_size": "9"}),
    Case("hextol", 2, {"max_pips": "9", "board_size": "9"}),
]
FIGURES = [(game, name) for game in names() for name in load(game).FIGURES]


def boards(case: Case, seed: int) -> list[Drawing]:
    """Drawings from a game played by chance: some of them, and the last."""
    views = (case.game.view(state, None) for state in states(case, seed))
    drawings = [view.drawing for view in views if view.drawing.faces]
    return [*drawings[::7], drawings[-1]]


def check_shows(drawing: Drawing) -> None:
    """A picture shows what its drawing says, and nothing else."""
    shown = read(svg.draw(drawing, "title", "description"))
    if drawing.notation == "hextile":
        assert shown.hextiles() == drawing.faces
        assert shown.joints() == {frozenset(joint) for joint in drawing.joints}
        assert shown.alone() == {*drawing.faces}.difference(*drawing.joints)
        assert shown.heights() == drawing.heights
        (_, (dark, _, _)) = SIDES
        seconds = {at for at, seat in drawing.owners.items() if seat}
        assert shown.shaded(dark) == seconds
    else:
        assert shown.bitten() == drawing.faces
    texts = {at: label.text.upper() for at, label in drawing.labels.items()}
    empty = {at: text for at, text in texts.items() if at not in drawing.faces}
    if all(label.kind != "note" for label in drawing.labels.values()):
        assert shown.labels(drawing.faces) == empty
    if drawing.notation == "hextile":
        assert {**empty, **shown.ends()} == texts


@pytest.mark.parametrize("case", CASES, ids=str)
@pytest.mark.parametrize("seed", range(sized(1, 2)))
def test_a_picture_is_read_back(case: Case, seed: int) -> None:
    for drawing in boards(case, seed):
        check_shows(drawing)


@pytest.mark.parametrize(("game", "name"), FIGURES)
def test_figures_of_the_help_files_are_read_back(game: str, name: str) -> None:
    check_shows(load(game).FIGURES[name])


def test_a_note_on_several_cells_is_written_once_in_their_midst() -> None:
    # 2 and 3, one above the other, to the north-east and south-east of 0
    labels = dict.fromkeys((2, 3), Label("36 pts"))
    shown = read(
        svg.draw(Drawing("hextile", {0: "1", 1: "2"}, [(0, 1)], labels), "", "")
    )
    (note,) = [text for text in shown.texts if text.text == "36PTS"]
    assert (note.x, note.y) == (45, 0)


def test_a_value_is_written_in_the_midst_of_what_is_closed() -> None:
    """Of cells of which some do not touch, between two that do."""
    of_three = Closed((0, 3, 4), 10, is_new=True)
    in_a_row = Closed((1, 0, 4), 126, is_new=False)  # one below the other
    drawing = Drawing("bitten", {0: "123"}, closed=(of_three, in_a_row))
    shown = svg.draw(drawing, "", "")
    found = re.findall(r'<g transform="translate(.*?)" data-value="(.*?)"(.*?)>', shown)
    assert found[0] == ("(15 26)", "10", ' class="new"')
    assert found[1] in (("(0 26)", "126", ""), ("(0 -26)", "126", ""))


# Data for programs


@pytest.mark.parametrize("case", plain_cases(), ids=str)
def test_groups_name_their_cells_and_what_is_on_them(case: Case) -> None:
    drawing = boards(case, 3)[0]
    root = ElementTree.fromstring(svg.draw(drawing, "", ""))
    faces: dict[int, str] = {}
    labels = {}
    for group in root.iter(f"{SVG}g"):
        at = [int(word) for word in group.get("data-at", "").split()]
        if "data-faces" in group.attrib:
            faces |= zip(at, group.attrib["data-faces"].split(), strict=True)
        elif at:
            text, kind = group.attrib["data-text"], group.attrib["data-kind"]
            labels[at[0]] = (text, kind)
    assert faces == drawing.faces
    assert labels == {
        at: label for at, label in drawing.labels.items() if at not in faces
    }


# The frame


@pytest.mark.parametrize("case", some(CASES, 4), ids=str)
def test_nothing_is_outside_the_frame_and_the_frame_is_tight(case: Case) -> None:
    for drawing in boards(case, 5):
        shown = read(svg.draw(drawing, "", ""))
        boxes = [mark.box for mark in shown.marks]
        left, top, right, bottom = (list(side) for side in zip(*boxes, strict=True))
        # the left corner of a bitten hexagon is missing
        assert min(left) - 13 <= shown.box[0] <= min(left)
        assert min(top) - 7 <= shown.box[1] <= min(top)
        assert max(right) <= shown.box[2] <= max(right) + 7
        assert max(bottom) <= shown.box[3] <= max(bottom) + 7


@pytest.mark.parametrize("far", [0, 9900])
def test_the_natural_size_is_that_of_the_frame(far: int) -> None:
    drawing = Drawing("bitten", {far: "123"})
    shown = read(svg.draw(drawing, "", ""))
    left, top, right, bottom = shown.box
    assert (right - left, bottom - top) == svg.size(drawing) == (70, 62)
    assert (shown.root.get("width"), shown.root.get("height")) == ("70", "62")
    (paper,) = shown.root.iter(f"{SVG}rect")
    frame = [paper.attrib[name] for name in ("x", "y", "width", "height")]
    assert " ".join(frame) == shown.root.attrib["viewBox"]


# The last tile


def outlines(drawing: Drawing) -> dict[int, list[str]]:
    """The thick lines round the tiles, by the tile's first cell."""
    found: dict[int, list[str]] = {}
    for mark in read(svg.draw(drawing, "", "")).marks:
        if float(mark.style.get("stroke-width", 0)) >= 4:
            found.setdefault(mark.cell, []).append(mark.name)
    return found


@pytest.mark.parametrize("last", [(3,), (3, 2)])
def test_the_last_tile_has_a_thick_outline_and_a_diamond(last: tuple[int, ...]) -> None:
    drawing = Drawing("bitten", {0: "123", 3: "132"}, last=(3,))
    middle = (45.0, 26.0)
    if len(last) > 1:
        faces, joints = {0: "0", 1: "1", 3: "2", 2: "5"}, [(0, 1), (3, 2)]
        drawing = Drawing("hextile", faces, joints, last=last)
        middle = (45.0, 0.0)  # between 3 and 2, which is above it
    assert outlines(drawing).keys() == {3}
    assert len(set(outlines(drawing)[3])) == 1
    marks = read(svg.draw(drawing, "", "")).marks
    assert [(m.x, m.y) for m in marks if m.name == "last"] == [middle]
    bare = drawing._replace(last=())
    assert outlines(bare) == {}
    assert "last" not in svg.draw(bare, "", "")


# Legibility: WCAG 2.2, https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio


def linear(colour: str) -> list[float]:
    """The red, green and blue of a colour, as amounts of light."""
    digits = colour.removeprefix("#")
    digits = "".join(d * 2 for d in digits) if len(digits) == 3 else digits
    parts = [int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    return [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]


def luminance(colour: str) -> float:
    red, green, blue = linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted(map(luminance, (one, other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_the_formula_of_contrast() -> None:
    assert contrast("#000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#fff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("case", some(CASES, 4), ids=str)
def test_every_text_has_contrast_to_what_is_beneath_it(case: Case) -> None:
    seen = set()
    for drawing in boards(case, 6):
        texts = read(svg.draw(drawing, "", "")).texts
        seen |= {(text.ink, text.ground) for text in texts}
    assert seen
    for ink, ground in seen:
        assert contrast(ink, ground) >= 4.5, (ink, ground)


def test_pips_have_contrast_to_their_tile() -> None:
    drawing = Drawing("hextile", {0: "1", 1: "9"}, [(0, 1)])
    marks = {mark.name: mark.style for mark in read(svg.draw(drawing, "", "")).marks}
    assert contrast(marks["pips9"]["fill"], marks["tile0"]["fill"]) >= 7


def test_the_tiles_of_players_are_told_apart() -> None:
    (light, light_ink, _), (dark, dark_ink, _) = SIDES
    assert min(contrast(light, light_ink), contrast(dark, dark_ink)) >= 7
    assert contrast(light, dark) >= 7


@pytest.mark.parametrize("notation", ["bitten", "hextile"])
def test_the_mark_of_the_last_tile_is_seen_on_paper(notation: str) -> None:
    faces = {0: "123"} if notation == "bitten" else {0: "1", 1: "2"}
    joints = [] if notation == "bitten" else [(0, 1)]
    shown = read(svg.draw(Drawing(notation, faces, joints, last=(0,)), "", ""))
    thick = [m for m in shown.marks if m.style.get("stroke-width") == "4"]
    assert [contrast(m.style["stroke"], shown.paper) >= 3 for m in thick] == [True]


# How colours look to people without one of the three kinds of cones, as amounts of
# light: Viénot, Brettel and Mollon 1999; the third kind is seldom missing.
BLINDNESS: dict[str, list[list[float]]] = {
    "none": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    "protan": [[0.1124, 0.8876, 0], [0.1124, 0.8876, 0], [0.004, -0.004, 1]],
    "deutan": [[0.2928, 0.7072, 0], [0.2928, 0.7072, 0], [-0.0223, 0.0223, 1]],
}


def lab(light: list[float]) -> list[float]:
    """CIE L*a*b*, in which 2.3 is a difference that is just seen."""
    to_xyz = [
        [0.4124, 0.3576, 0.1805],
        [0.2126, 0.7152, 0.0722],
        [0.0193, 0.1192, 0.9505],
    ]
    white = (0.9505, 1, 1.089)
    xyz = [sum(map(mul, row, light)) for row in to_xyz]
    scaled = [value / of for value, of in zip(xyz, white, strict=True)]
    f = [s ** (1 / 3) if s > 0.008856 else 7.787 * s + 16 / 116 for s in scaled]
    return [116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])]


def as_seen(colour: str, kind: str) -> list[float]:
    light = linear(colour)
    turned = [sum(map(mul, row, light)) for row in BLINDNESS[kind]]
    return lab(turned)


@pytest.mark.parametrize("kind", BLINDNESS)
def test_the_colours_are_told_apart(kind: str) -> None:
    for one, other in combinations((colour for colour, _ in COLOURS.values()), 2):
        assert dist(as_seen(one, kind), as_seen(other, kind)) > 30


def test_the_colours_differ_in_lightness() -> None:
    """So that they can also be told apart in black and white."""
    lightness = sorted(as_seen(colour, "none")[0] for colour, _ in COLOURS.values())
    assert all(more - less > 10 for less, more in pairwise(lightness))


def test_every_half_with_a_letter_has_the_colour_of_the_letter() -> None:
    seen = set()
    for seed in range(3):
        for drawing in boards(Case("walomino", 2, {}), seed):
            texts = read(svg.draw(drawing, "", "")).texts
            taken = [text for text in texts if text.cell in drawing.faces]
            seen |= {(text.text, text.ground) for text in taken if text.text != "END"}
    assert seen == {(letter, colour) for letter, (colour, _) in COLOURS.items()}


# The document


@pytest.mark.parametrize("game", names())
def test_screen_readers_find_a_title_and_a_description(game: str) -> None:
    name = next(iter(load(game).FIGURES))
    root = ElementTree.fromstring(
        svg.draw(load(game).FIGURES[name], "a <b> & 'c'", 'said "d" ]]> --')
    )
    assert root.get("role") == "img"
    labelled = root.attrib["aria-labelledby"].split()
    found = {element.get("id"): element for element in root}
    assert [found[name].tag for name in labelled] == [f"{SVG}title", f"{SVG}desc"]
    assert [found[name].text for name in labelled] == ["a <b> & 'c'", 'said "d" ]]> --']


@pytest.mark.parametrize("case", CASES, ids=str)
def test_nothing_runs_and_nothing_is_fetched(case: Case) -> None:
    document = svg.draw(boards(case, 7)[-1], "", "")
    assert not re.search(
        r"<script|<style|<text|<image|font|\bon\w+=|url\(|data:", document
    )
    links = re.findall(r'href="(.*?)"', document)
    assert links
    assert all(link.startswith("#") for link in links)
    assert re.findall(r"https?:[^\"]*", document) == ["http://www.w3.org/2000/svg"]


@pytest.mark.parametrize("case", some(CASES, 4), ids=str)
def test_a_document_is_small(case: Case) -> None:
    """40 KB for 36 tiles with numbers round them, and little for each further one."""
    for drawing in boards(case, 8):
        document = svg.draw(drawing, "", "")
        assert document.isascii()
        things = len(drawing.faces) + len(drawing.labels)
        assert len(document) < 4000 + 400 * things
        if len(drawing.faces) <= 36:
            assert len(document) < 40_000
        assert not re.search(r"\d\.\d{3}", document)


def test_without_a_tile_there_is_no_picture() -> None:
    assert svg.draw(Drawing("bitten", {}), "title", "description") == ""


def test_all_sizes_of_a_bitten_hexagon_look_alike() -> None:
    large, small = (
        svg.draw(Drawing(n, {0: "231"}), "", "") for n in ("large", "bitten")
    )
    assert large == small


# Glyphs


def test_no_two_characters_look_alike() -> None:
    assert len(set(SHAPES.values())) == len(SHAPES) == 10 + 26 + 2


@pytest.mark.parametrize("character", "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ")
def test_characters_are_of_one_height(character: str) -> None:
    drawing = Drawing("bitten", {0: "111"}, labels={1: Label(character)})
    (mark,) = [m for m in read(svg.draw(drawing, "", "")).marks if m.cell == 1]
    _, top, _, bottom = mark.box
    middle = mark.y
    assert top == pytest.approx(2 * middle - bottom, abs=2)
    assert 16 <= (bottom - top) / mark.scale <= 20


def test_a_character_without_a_glyph_is_a_box() -> None:
    drawing = Drawing("bitten", {0: "111"}, labels={1: Label("?")})
    assert [t.text for t in read(svg.draw(drawing, "", "")).texts if t.cell == 1] == [
        "_"
    ]


@pytest.mark.parametrize("seed", range(3))
def test_options_of_all_kinds_can_be_drawn(seed: int) -> None:
    dice = random.Random(seed)
    for name in names():
        case = Case(name, load(name).SEATS[0], some_options(load(name), dice))
        check_shows(boards(case, seed)[-1])
