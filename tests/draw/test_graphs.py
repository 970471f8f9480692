"""The graph of the players' chances, as programs and people read it."""

from xml.etree import ElementTree

import pytest

from pbm_holomino.draw.graph import Series, draw

SVG = "{http://www.w3.org/2000/svg}"
# The plane is 280 wide and 200 high, and begins 44 from the left.
LEFT, RIGHT, TOP, BOTTOM = 0, 280, 0, 200


def tree_of(*series: Series) -> ElementTree.Element:
    return ElementTree.fromstring(draw(series, "A & B", "Who <wins>?"))


def points(group: ElementTree.Element) -> list[tuple[float, float]]:
    line = group.find(f".//{SVG}polyline")
    assert line is not None
    pairs = (pair.split(",") for pair in line.get("points", "").split())
    return [(float(x), float(y)) for x, y in pairs]


def lines(tree: ElementTree.Element) -> dict[str, ElementTree.Element]:
    groups = tree.iter(f"{SVG}g")
    return {name: g for g in groups if (name := g.get("data-name"))}


def test_chances_go_from_the_first_move_to_the_end() -> None:
    tree = tree_of(Series("alice", (0.5, 0.25, 1)), Series("bob", (0.5, 0.75, 0)))
    found = {name: points(group) for name, group in lines(tree).items()}
    middle = (LEFT + RIGHT) / 2
    assert found == {
        "alice": [(LEFT, 100), (middle, 150), (RIGHT, TOP)],
        "bob": [(LEFT, 100), (middle, 50), (RIGHT, BOTTOM)],
    }


def test_its_title_and_description_are_read_aloud() -> None:
    tree = tree_of(Series("alice", (0.5, 1)))
    assert tree.get("role") == "img"
    labels = tree.get("aria-labelledby", "").split()
    texts = {each.get("id"): each.text for each in tree}
    assert [texts[label] for label in labels] == ["A & B", "Who <wins>?"]


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_players_differ_in_colour_and_in_dashes(count: int) -> None:
    names = ("alice", "bob", "carol", "dave")[:count]
    found = lines(tree_of(*(Series(name, (0, 1)) for name in names)))
    assert [*found] == [*names]
    for way in ("stroke", "stroke-dasharray"):
        assert len({group.get(way) for group in found.values()}) == count


@pytest.mark.parametrize("moves", [1, 7, 12, 13, 60, 500, 5000, 99_999])
def test_some_moves_are_numbered(moves: int) -> None:
    chances = [0.5] * (moves + 1)
    texts = [text.text or "" for text in tree_of(Series("alice", chances)).iter()]
    numbers = [int(text) for text in texts if text.isdecimal()]
    assert numbers[0] == 0
    assert 2 <= len(numbers) <= 13
    steps = {b - a for a, b in zip(numbers, numbers[1:], strict=False)}
    assert len(steps) == 1
    assert numbers[-1] <= moves < numbers[-1] + steps.pop()


def test_names_fit_into_the_picture() -> None:
    name = "w" * 20
    tree = tree_of(Series(name, (0, 1)))
    (label,) = [text for text in tree.iter(f"{SVG}text") if text.text == name]
    # a letter of a sans-serif font of 12 pixels is about 7 wide; w is the widest but m
    width, end = float(tree.get("width", 0)), 44 + float(label.get("x", 0)) + 20 * 7.3
    assert end <= width
