"""What Holomino says of a move that it refuses, and that it then changes nothing."""

import re

import pytest

from pbm_holomino.errors import BadMove, IllegalMove
from pbm_holomino.rules.games import holo
from tests.rules.holo_table import HoloTable, deal, lay
from tests.rules.spiral import beside

HOLO = holo.GAME

N, SE, S = beside(0, "N"), beside(0, "SE"), beside(0, "S")


def refusal(table: HoloTable, typed: str) -> str:
    """The sentence with which a move is refused."""
    before = table.state
    with pytest.raises(IllegalMove) as caught:
        table.play(typed)
    assert table.state is before
    return str(caught.value)


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "123",
        "123:",
        ":17",
        "12:17",
        "1234:17",
        "120:17",
        "12a:17",
        "123:-1",
        "123:1.5",
        "123:x",
        "123:17:18",
        "123-17",
        "pass:",
        "pass:12",
        "pass:120",
        "pass:123:17",
        "passes",
    ],
)
def test_words_that_are_not_moves_at_all(typed: str) -> None:
    table = deal("145", [["123"], ["456"]])
    with pytest.raises(BadMove) as caught:
        HOLO.parse_move(table.state, 0, typed)
    assert f'"{typed}"' in str(caught.value)
    assert "123:17" in str(caught.value)
    assert not isinstance(caught.value, IllegalMove)


@pytest.mark.parametrize(
    "typed",
    [
        "123:17 ",
        " 123:17",
        "123:17\n",
        "123 17",
        "١٢٣:17",
        "123:١٧",
        "12\u0663:17",
        "123:17\u0000",
        "123:" + "1" * 10_000,
        "1" * 10_000,
    ],
)
def test_words_that_are_not_moves(typed: str) -> None:
    table = deal("145", [["123"], ["456"]])
    with pytest.raises(BadMove, match="is not a move") as caught:
        HOLO.parse_move(table.state, 0, typed)
    assert "as 123:17" in str(caught.value)
    assert not isinstance(caught.value, IllegalMove)


@pytest.mark.parametrize("typed", ["124:1", "241:1", "142:99", "777:1", "pass:124"])
def test_a_tile_that_is_not_in_the_pool(typed: str) -> None:
    table = deal("123", [["145", "146"], ["124", "142"]], ["156"])
    sentence = refusal(table, typed)
    assert "pool" in sentence
    for tile in ("145", "146", "156"):
        assert tile in sentence
    assert holo.tile_of(typed.removeprefix("pass:")[:3]) in sentence


def test_a_position_that_is_taken() -> None:
    table = lay("123", f"451:{N}").hold(["136"], ["146"])
    for position, face in ((0, "123"), (N, "451")):
        sentence = refusal(table, f"146:{position}")
        assert f"{position} is taken" in sentence
        assert face in sentence


@pytest.mark.parametrize("position", [7, 17, 99, 9918])
def test_a_position_that_is_not_beside_a_tile(position: int) -> None:
    table = deal("123", [["145"], ["456"]])
    sentence = refusal(table, f"145:{position}")
    assert f"{position} is not beside a tile" in sentence


@pytest.mark.parametrize("position", [9919, 10_267, 999_999_999])
def test_a_position_off_the_grid(position: int) -> None:
    table = deal("123", [["145"], ["456"]])
    sentence = refusal(table, f"145:{position}")
    assert str(position) in sentence
    assert "9918" in sentence


# Which corner of a tile beside 123 meets which of its corners, and what it has there.
MEETINGS = [
    ("N", "lower left", "upper left", "1"),
    ("NW", "right", "upper left", "1"),
    ("NE", "lower left", "right", "2"),
    ("SE", "upper left", "right", "2"),
    ("S", "upper left", "lower left", "3"),
    ("SW", "right", "lower left", "3"),
]


@pytest.mark.parametrize(("way", "mine", "theirs", "digit"), MEETINGS)
def test_a_number_that_does_not_match(
    way: str, mine: str, theirs: str, digit: str
) -> None:
    position = beside(0, way)
    sentence = refusal(deal("123", [["456"], ["145"]]), f"456:{position}")
    assert f"456 does not fit at {position}" in sentence
    found = re.search(
        r"has (\d) at its ([a-z ]+) corner.* neighbour at (\d+) has (\d) .*"
        r"at its ([a-z ]+) corner",
        sentence,
    )
    assert found
    assert found[1] in "456"
    assert found.groups()[1:] == (mine, "0", digit, theirs)


def test_the_neighbour_with_the_number_that_does_not_match_is_named() -> None:
    # south of 123 and south-west of 264 a tile must show 3, and clockwise next a 4
    table = lay("123", f"264:{SE}").hold(["456"], ["135"])
    assert table.state.frontier[S] == "34."
    sentence = refusal(table, f"135:{S}")
    # lying as 351 it has the 3, but 5 at its right corner
    assert "lying as 351" in sentence
    assert "5 at its right corner" in sentence
    assert f"neighbour at {SE} has 4" in sentence
    assert "its lower left corner" in sentence


def test_a_face_beside_two_numbers_lists_the_turns_that_fit() -> None:
    table = deal("123", [["112"], ["456"]], non_unique="yes")
    sentence = refusal(table, f"112:{N}")
    assert re.findall(r"\d{3}:\d+", sentence) == [f"121:{N}", f"211:{N}"]


def test_a_tile_that_fits_in_no_turn_with_non_unique() -> None:
    table = deal("123", [["445"], ["456"]], non_unique="yes")
    sentence = refusal(table, f"445:{N}")
    assert f"445 does not fit at {N}, however you rotate it" in sentence
    assert "lower left corner" in sentence
    assert "neighbour at 0 has 1" in sentence


def test_a_blocked_cell_takes_no_tile() -> None:
    table = lay("124", f"351:{N}", f"325:{beside(0, 'N', 'NE')}")
    blocked = beside(0, "N", "N")
    table.hold(["346"], ["456"])
    sentence = refusal(table, f"346:{blocked}")
    # one of the two corners where a 3 is demanded has another number
    assert re.search(r"has [46] at its (right|lower left) corner", sentence)
    assert re.search(r"neighbour at \d+ has 3", sentence)


def test_passing_with_a_move_shows_an_example() -> None:
    table = deal("123", [["145"], ["456"]])
    sentence = refusal(table, "pass:145")
    (example,) = re.findall(r"\d{3}:\d+", sentence)
    assert example in table.legal()
    table.play(example)
    assert len(table.state.cells) == 2


def test_every_refusal_is_a_sentence_on_one_line() -> None:
    table = lay("123", f"451:{N}").hold(["136"], ["146"])
    for typed in ("124:2", "136:0", "136:99", "136:9919", "136:2", "pass"):
        sentence = refusal(table, typed)
        assert sentence.endswith(".")
        assert "\n" not in sentence
        assert sentence[0].isupper() or sentence[0].isdigit()
