"""Holomino's help: its numbers are counted here, and its figures are what the rules
make of the moves."""

import re
from collections.abc import Iterable
from itertools import combinations, permutations, product
from math import prod

from pbm_holomino.letters.help import page
from pbm_holomino.rules.games import holo
from tests.rules.holo_table import deal

HOLO = holo.GAME

HELP = page("holo")
DIGITS = range(1, 7)
Face = tuple[int, ...]
FACES = list(permutations(DIGITS, 3))
TEXT = " ".join(HELP.split())


def rotations(face: Face) -> list[Face]:
    return [face[turn:] + face[:turn] for turn in range(3)]


def tiles(faces: Iterable[Face]) -> set[Face]:
    """Each tile by the smallest of its faces."""
    return {min(rotations(face)) for face in faces}


def test_the_twenty_triplets_are_listed() -> None:
    listed = re.findall(r"(?<!\S)(\d{3})(?=\s)", HELP[: HELP.index("clockwise")])
    assert listed == ["".join(map(str, three)) for three in combinations(DIGITS, 3)]
    assert f"There are {len(listed)} ways" in TEXT


def test_how_many_tiles_there_are() -> None:
    assert f"{len(tiles(FACES))} different holominoes" in TEXT
    repeated = tiles(product(DIGITS, repeat=3))
    assert f"there are {len(repeated)} tiles" in TEXT


def test_how_many_tiles_match_corners() -> None:
    one = tiles([face for face in FACES if face[0] == 2])
    two = tiles([face for face in FACES if face[:2] == (2, 5)])
    three = tiles([face for face in FACES if face == (2, 5, 4)])
    counted = f"{len(one)} match one given corner, {len(two)} match two given corners"
    assert counted in TEXT
    assert f"and {len(three)} matches three" in TEXT
    assert f"there are {len(one)}, or {len(one) - 1} others" in TEXT


def values(face: Face) -> list[list[int]]:
    """What the holes at a tile can be worth: each has two of its numbers, and a third
    one of a neighbour, which has no number twice."""
    pairs = combinations(face, 2)
    return [[sum(two) + n for n in DIGITS if n not in two] for two in pairs]


def range_of(holes: int, limited: bool = False) -> tuple[int, int]:
    """The least and the most points of a move that completes so many holes."""
    found = {
        sum(worth) * holes if limited else prod(worth)
        for face in FACES
        for some in combinations(values(face), holes)
        for worth in product(*some)
    }
    return min(found), max(found)


def test_what_holes_can_be_worth() -> None:
    assert range_of(1) == (6, 15)
    assert "1 + 2 + 3 = 6, and the greatest 4 + 5 + 6 = 15" in TEXT
    least, most = range_of(2)
    assert f"two with one tile bring {least} to {most}" in TEXT
    least, most = range_of(3)
    assert f"and three {least} to {most}." in TEXT
    assert f"15 x 15 x 15 = {most} points" in TEXT
    assert f"(15 + 15 + 15) x 3 = {range_of(3, limited=True)[1]}" in TEXT


def test_sums_are_right() -> None:
    sums = re.findall(r"((?:\d \+ )+\d) = (\d+)", TEXT)
    assert len(sums) == 3
    assert all(sum(map(int, s.split(" + "))) == int(total) for s, total in sums)


def test_the_move_of_the_example_leads_from_one_figure_to_the_next() -> None:
    table = deal("134", [["143", "234", "125"], ["136", "145", "146"]], ["126"])
    before = HOLO.view(table.state, None).drawing
    assert before == HOLO.FIGURES["numbers"]
    (move, *_) = re.findall(r"^  holo move 12 alice secret (\S+)$", HELP, re.MULTILINE)
    assert table.play(move).state.cells == HOLO.FIGURES["played"].faces


def test_a_tile_may_be_called_by_each_of_its_faces() -> None:
    names = {"".join(map(str, face)) for face in rotations((2, 3, 4))}
    assert names == {"234", "342", "423"}
    assert "you may call it 342 or 423" in TEXT
