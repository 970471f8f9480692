"""Hextad: which intersections are valid, what they score, and what letters propose."""

import json
import random
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from pbm_holomino.commands.reading.spelling import move_in
from pbm_holomino.errors import BadMove, BadOption, IllegalMove
from pbm_holomino.rules import load
from pbm_holomino.rules.chance import Chance
from pbm_holomino.rules.contract import Drawing, move_labels
from pbm_holomino.rules.games import hextad
from pbm_holomino.rules.hextiles import Move, State
from pbm_holomino.rules.options import configure
from tests.club import Club
from tests.draw.test_golden_boards import in_every_form
from tests.paths import FIGURES
from tests.prose import plain
from tests.rules import any_hextiles
from tests.rules.any_hextiles import hold, is_accepted, lines
from tests.rules.naive_hextol import (
    NUMBER,
    SPIRAL,
    Cell,
    Half,
    NaiveHextol,
    count,
    tiles,
    touching,
    written,
)
from tests.rules.naive_holo import BITES, DIGITS, points
from tests.rules.stacked import Stacked
from tests.rules.told import told
from tests.sizes import sized, some

HEXTAD = hextad.GAME
play, legal = partial(any_hextiles.play, HEXTAD), partial(any_hextiles.legal, HEXTAD)

LENIENT = {"lenient": "yes"}
RING = (7, 8, 2, 3, 4, 5, 6, 18)  # the cells round positions 0 and 1, clockwise


def options(**words: str) -> dict[str, Any]:
    """Hextad's options, from the words of a challenge."""
    return configure(load("hextad"), words)


def board(first: str, *moves: str, **words: str) -> State:
    """A board on which these tiles lie. Nobody has tiles or points, the boneyard is
    empty, and the first player is to move."""
    left = tiles(options(**words))
    state = HEXTAD.start(2, options(**words))
    chance = Stacked(bytes([left.index(first)]) + bytes(len(left)))
    state, _ = HEXTAD.settle(state, chance)
    for text in moves:
        move = HEXTAD.parse_move(state, state.turn, text)
        state = hold(state, [move.tile], [move.tile], sack=["00"])
        state, _ = HEXTAD.play(state, state.turn, move)
    return hold(state._replace(scores=(0, 0), turn=0), (), ())


def said_of(first: str, *moves: str, **words: str) -> str:
    """What is said about the score of the last of these moves."""
    state = board(first, *moves[:-1], **words)
    state = hold(state, [moves[-1][:2]], ["00"], sack=["01"])
    state, told = play(state, moves[-1])
    score = re.search(r"scored (\d+)", told[0])
    assert state.scores == (int(score[1]) if score else 0, 0)
    return told[0].removeprefix(f"0 played {moves[-1]}")


# Options


def test_strict_is_the_default() -> None:
    assert options()["strict"] is options(strict="yes")["strict"] is True
    assert options(lenient="yes")["strict"] is options(strict="no")["strict"] is False
    assert "lenient" not in options(lenient="yes")


def test_strict_and_lenient_exclude_each_other() -> None:
    with pytest.raises(BadOption, match="-strict and -lenient exclude each other"):
        options(strict="yes", lenient="yes")


# Intersections


@pytest.mark.parametrize(
    ("numbers", "value"),
    [
        ("336", 6),
        ("246", 6),
        ("224", 4),
        ("000", 0),
        ("055", 5),
        ("459", 9),
        ("124", None),
        ("001", None),
        ("111", None),
        ("666", None),
    ],
)
def test_an_intersection_is_valid_where_two_numbers_add_up_to_the_third(
    numbers: str, value: int | None
) -> None:
    for order in permutations(numbers):
        assert hextad.sum_of("".join(order)) == value


def test_a_move_scores_the_sum_of_each_intersection() -> None:
    # 4 at 2 beside the double two: 2, 2 and 4; with 6 at 8 beside the 2 at 1: 2, 4, 6
    assert said_of("22", "46:2,8") == " and scored 10 with sums of 4 and 6"


def test_three_three_and_six_score_six() -> None:
    assert said_of("33", "16:9,2") == " and scored 6"


def test_three_zeros_score_nothing_but_are_valid() -> None:
    assert said_of("00", "05:2,9") == " and scored 0"


def test_in_the_open_nothing_is_scored_and_nothing_said() -> None:
    assert said_of("22", "15:7,19") == ""


def test_lenient_intersections_that_are_not_valid_score_nothing() -> None:
    # 5, 2 and 2 do not add up; 5 at 2, 3 at 8 and the 2 at 1 do
    assert said_of("22", "35:8,2", **LENIENT) == " and scored 5"
    assert said_of("22", "56:8,2", **LENIENT) == ""


def test_the_most_is_ten_times_the_greatest_number() -> None:
    """66 in a gap of two cells, round which 0 and 6 take turns."""
    state, _ = play(one_gap(["66"], ["00"], sack=["01"]), "66:0,1")
    assert state.scores == (60, 0)


# Legal moves


def test_opening_moves() -> None:
    # Six of the eight cells round a double touch one half of it, and 18 sides lead
    # outwards from them; 2 and 6 touch both, with 2 sides outwards each. Strictly 2
    # and 6 take a 4 (beside 2 and 2), but no 2. Two cells of the ring side by side
    # meet one half: 2, 2 and 4 are valid there.
    outwards, in_a_row = 18 * 2 + 4, 4 * 2 + 4
    strict = legal(hold(board("22"), ["24"]))
    assert len(strict) == outwards + in_a_row
    assert {"24:7,19", "24:19,7", "24:7,8", "24:8,2"} <= strict
    assert not {"24:2,8", "24:2,9"} & strict
    lenient = legal(hold(board("22", **LENIENT), ["24"]))
    assert len(lenient) == 22 * 2 + 8 * 2
    assert strict < lenient


def test_a_double_is_listed_once_smaller_position_first() -> None:
    moves = legal(hold(board("22"), ["44"]))
    # no 4, 4 and 2 in the ring; all 22 sides that lead outwards
    assert len(moves) == 22
    for move in moves:
        first, second = map(int, move[3:].split(","))
        assert first < second


def test_nothing_has_to_match() -> None:
    assert "35:7,19" in legal(hold(board("22"), ["35"]))


REFUSALS = [
    ("33:4,13", "Tile 33 is not in {your} pool, which holds 02, 24, 44."),
    ("24:4,4", "A tile takes two cells, and you named 4 twice."),
    ("24:0,4", "Position 0 is taken, by 2."),
    ("24:11,26", "Neither 11 nor 26 is beside a tile."),
    (
        "24:2,9",
        "24:2,9 does not fit: where positions 2, 0 and 1 meet there would be 2, 2 and "
        "2, and no two of these add up to the third. Beside 2 and 2, the half at 2 "
        "must be 0 or 4. 24:9,2 would fit.",
    ),
    (
        "44:8,7",
        "44:7,8 does not fit: where positions 7, 8 and 1 meet there would be 4, 4 and "
        "2, and no two of these add up to the third. The halves of a tile beside this "
        "2 must add up to 2 or differ by 2.",
    ),
]


@pytest.mark.parametrize(("text", "sentence"), REFUSALS)
def test_refusal(text: str, sentence: str) -> None:
    state = hold(board("22"), ["02", "24", "44"], ["11"])
    move = HEXTAD.parse_move(state, 0, text)
    with pytest.raises(IllegalMove) as told:
        HEXTAD.play(state, 0, move)
    assert str(told.value) == sentence.replace("{your}", "your")


def test_beside_a_zero_both_halves_are_equal() -> None:
    state = hold(board("00"), ["12", "11"], ["66"])
    with pytest.raises(IllegalMove, match=r"beside this 0 must be equal\.$"):
        play(state, "12:7,8")
    assert play(state, "11:7,8")[1] == ["0 played 11:7,8 and scored 1"]


def test_a_cell_where_no_number_of_the_set_is_right() -> None:
    # 4 and 4 ask for 0 or 8
    state = hold(board("44", min_pips="3", pool_size="1"), ["35"], ["33"])
    with pytest.raises(IllegalMove, match=r"the half at 2 can be none of this set\."):
        play(state, "35:2,9")


def test_lenient_no_intersection_is_refused() -> None:
    for move in ("24:2,9", "44:8,7"):
        play(hold(board("22", **LENIENT), [move[:2]], ["11"]), move)


# Played twice: by the engine, and slowly


def meetings(halves: dict[Cell, int], cells: Iterable[Cell]) -> list[list[int]]:
    """The numbers at each point of the plane where corners of these cells and of two
    others meet."""
    corners: dict[Any, list[int]] = {}
    for cell, face in halves.items():
        for point in points(cell, DIGITS + BITES):
            corners.setdefault(point, []).append(face)
    asked = {point for cell in cells for point in points(cell, DIGITS + BITES)}
    return [corners[point] for point in sorted(asked) if len(corners[point]) == 3]


def is_valid(numbers: Sequence[int]) -> bool:
    return any(one + two == three for one, two, three in permutations(numbers))


class Slow(NaiveHextol):
    """A position of Hextad."""

    def agrees(self, one: Half, two: Half, met: list[tuple[int, int]]) -> bool:
        halves = {**self.halves, **dict((one, two))}
        formed = meetings(halves, (one[0], two[0]))
        return not self.options["strict"] or all(map(is_valid, formed))

    def values(self, cells: list[Cell]) -> list[int]:
        formed = meetings(self.halves, cells)
        return [max(numbers) for numbers in formed if is_valid(numbers)]


# Lines of legal moves to the depths 1, 2 and 3, from these seeds. All were counted by
# `Slow`, the longest once (61,304 lines take it a minute).
PERFT: list[tuple[dict[str, str], int, tuple[int, ...]]] = [
    ({}, 0, (244, 61304)),
    (LENIENT, 0, (360, 159456)),
    ({"pool_size": "1"}, 1, (18, 784, 23776)),
    ({"pool_size": "1", **LENIENT}, 1, (30, 2416, 119472)),
    ({"max_pips": "9", "pool_size": "2", "board_size": "4"}, 5, (80, 4800)),
    ({"max_pips": "2", "pool_size": "1", "board_size": "3"}, 5, (20, 116, 56)),
]


def begun(words: dict[str, str], seed: int) -> tuple[State, Slow, Chance]:
    """The same new game for both."""
    chance = Chance(bytes([seed]) * 32)
    state, _ = HEXTAD.settle(HEXTAD.start(2, options(**words)), chance)
    slow = Slow(chance.seed, options(**words)).opened()
    assert isinstance(slow, Slow)
    return state, slow, chance


@pytest.mark.parametrize(("words", "seed", "counts"), PERFT)
def test_perft(words: dict[str, str], seed: int, counts: tuple[int, ...]) -> None:
    state, slow, chance = begun(words, seed)
    for depth, expected in enumerate(counts, 1):
        if expected <= sized(30_000, 200_000):
            assert lines(HEXTAD, state, chance, depth) == expected
        if expected <= sized(1_000, 5_000):
            assert count(slow, depth) == expected


GAMES = [
    {"pool_size": "3", "max_pips": "4"},
    {"board_size": "6"},
    {"board_size": "5", **LENIENT},
    {"board_size": "4", "max_pips": "3", "pool_size": "4"},
    {"board_size": "6", "min_pips": "2", "max_pips": "9", "pool_size": "12"},
]


@pytest.mark.parametrize("words", some(GAMES, 3))
def test_whole_games_played_twice(words: dict[str, str]) -> None:
    made = 0
    for seed in range(sized(1, 4)):
        state, slow, chance = begun(words, seed)
        dice = random.Random(seed)
        while not slow.over:
            assert HEXTAD.to_move(state) == (slow.turn,)
            moves = HEXTAD.legal(state, slow.turn)
            slowly = {written(*move) for move in slow.moves(slow.turn)}
            assert list(moves) == sorted({*moves})
            assert set(map(HEXTAD.format_move, moves)) == slowly
            best = [move for _, move in best_moves(state, moves)]
            move = dice.choice(best)
            state, _ = HEXTAD.settle(HEXTAD.play(state, slow.turn, move)[0], chance)
            after = slow.after(HEXTAD.format_move(move))
            assert isinstance(after, Slow)
            slow = after
            assert (state.pools, state.scores) == (slow.pools, slow.scores)
            assert (state.draws, state.sacks[0]) == (slow.draws, slow.left)
        best_score = max(slow.scores)
        winners = tuple(s for s in (0, 1) if slow.scores[s] == best_score)
        assert HEXTAD.outcome(state) == winners
        made += sum(slow.scores)
    assert made


def best_moves(state: State, moves: Sequence[Move]) -> list[tuple[int, Move]]:
    """What the best move with each tile scores, and the move."""
    scores = dict(zip(moves, HEXTAD.gains(state, moves), strict=True))
    best = hextad.best_moves(moves, [*scores.values()])
    return [(scores[move], move) for move in best]


def test_the_best_moves_score_what_the_letter_says_and_no_other_more() -> None:
    for words in ({}, LENIENT):
        for state in positions(words):
            moves = HEXTAD.legal(state, state.turn)
            best = best_moves(state, moves)
            pool = {move.tile for move in moves}
            assert sorted(move.tile for _, move in best) == sorted(pool)
            assert [score for score, _ in best] == sorted(
                (score for score, _ in best), reverse=True
            )
            for score, chosen in best:
                rivals = [move for move in moves if move.tile == chosen.tile]
                assert max(gained(state, move) for move in rivals) == score
                assert gained(state, chosen) == score


def test_of_a_tiles_equal_moves_the_nearest_to_the_first_tile_is_proposed() -> None:
    """Numbers of cells grow with the distance from the first tile, which has 0 and 1;
    of a move the half that is farther away counts."""
    ties = 0
    for state in positions({}):
        moves = HEXTAD.legal(state, state.turn)
        for score, chosen in best_moves(state, moves):
            equal = [
                max(move.first, move.second)
                for move in moves
                if move.tile == chosen.tile and gained(state, move) == score
            ]
            assert max(chosen.first, chosen.second) == min(equal)
            ties += max(equal) > min(equal)
    assert ties


@pytest.mark.parametrize("words", [{}, LENIENT, {"board_size": "4"}])
def test_play_accepts_exactly_what_legal_holds(words: dict[str, str]) -> None:
    for state in positions(words):
        near = [SPIRAL[at] for at in state.cells]
        near += [cell for other in near for cell in touching(other)]
        near += [cell for other in near for cell in touching(other)]
        tried = {
            HEXTAD.parse_move(state, state.turn, f"{tile}:{NUMBER[one]},{NUMBER[two]}")
            for tile in (*state.pools[state.turn], "99")
            for one in set(near)
            for two in touching(one)
        }
        accepted = {move for move in tried if is_accepted(HEXTAD, state, move)}
        assert accepted == {*HEXTAD.legal(state, state.turn)}


def positions(words: dict[str, str]) -> Iterator[State]:
    """Some positions of a game in which the best moves are made."""
    state, _, chance = begun(words, 3)
    for ply in range(12):
        if state.over:
            return
        moves = HEXTAD.legal(state, state.turn)
        if ply % 5 == 1:
            yield state
        _, move = best_moves(state, moves)[0]
        state, _ = HEXTAD.settle(HEXTAD.play(state, state.turn, move)[0], chance)


def gained(state: State, move: Move) -> int:
    """What a move really scores."""
    after, _ = HEXTAD.play(state, state.turn, move)
    return after.scores[state.turn] - state.scores[state.turn]


# Draws, skips and the end


def one_gap(*pools: list[str], sack: Sequence[str] = ()) -> State:
    """A board where nothing but 66 fits: two cells are left, round which 0 and 6 take
    turns."""
    faces = {at: "06"[way % 2] for way, at in enumerate(RING)}
    state = hold(board("22"), *pools, sack=sack)
    box = (-1, 1, -4, 2)
    return state._replace(cells=faces, frontier={0: "6", 1: "6"}, box=box)


def settled(state: State) -> tuple[State, list[str]]:
    """The smallest tile of the boneyard is always drawn."""
    state, events = HEXTAD.settle(state, Stacked(bytes(99)))
    return state, [f"{event.seat} {told(event)}" for event in events]


def test_forced_draws_stop_at_the_first_tile_that_fits() -> None:
    state = one_gap(["05"], ["12"], sack=["01", "13", "66"])
    assert HEXTAD.due(state) == "draw"
    state, told = settled(state)
    assert told == ["0 could not move and drew 01, 13, 66"]
    assert (HEXTAD.to_move(state), HEXTAD.due(state)) == ((0,), "")
    assert legal(state) == {"66:0,1"}
    assert HEXTAD.view(state, None).drawn == "66"


def test_a_skip_with_an_empty_boneyard() -> None:
    state, told = settled(one_gap(["05"], ["66"]))
    assert told == ["0 could not move and lost the turn"]
    assert HEXTAD.to_move(state) == (1,)


def test_the_end_when_neither_can_move() -> None:
    state = one_gap(["05"], ["12"])._replace(scores=(7, 9))
    assert HEXTAD.outcome(state) is None
    state, told = settled(state)
    assert told == ["0 could not move", "1 could not move either"]
    # the pips that are left, 5 and 3, do not count
    assert (state.scores, HEXTAD.outcome(state)) == ((7, 9), (1,))
    assert HEXTAD.to_move(state) == ()


def test_equal_scores_are_a_draw() -> None:
    state, _ = settled(one_gap(["05"], ["12"]))
    assert HEXTAD.outcome(state) == (0, 1)


def test_without_a_size_all_tiles_are_played() -> None:
    state, _, chance = begun({}, 4)
    while not state.over:
        _, move = best_moves(state, HEXTAD.legal(state, state.turn))[-1]
        state, _ = HEXTAD.settle(HEXTAD.play(state, state.turn, move)[0], chance)
    assert (state.pools, state.sacks[0], len(state.joints)) == (((), ()), (), 28)


# What letters say


def test_the_cells_that_are_numbered() -> None:
    view = HEXTAD.view(hold(board("22"), ["24", "35"], ["00"]), None)
    again = HEXTAD.view(hold(board("22"), ["24", "35"], ["00"]), 1)
    assert again == view._replace(seat=1)
    # 24 scores 4 with its 4 at 2 between both halves of the double, and 4 where its 2
    # is beside it; 3, 5 and one half of the double make 5
    assert view.proposal.moves == ("24:3,2", "35:3,4")
    assert set(view.drawing.labels) == {*RING}


def test_a_letter_proposes_a_move_of_each_tile(club: Club) -> None:
    fields = club.open("hextad").json()
    for _ in range(9):
        club.move(fields["turn"][0], fields["proposed"][0])
        fields = club.json()
        who = fields["turn"][0]
        text = club.letters()[who].text
        said = f"Of {len(fields['legal'])} possible moves, the best with each tile are:"
        assert said in plain(text)
        named = re.findall(r"^  (\d\d): (\d+,\d+)(\(\+\d+\))?$", text, re.MULTILINE)
        assert [f"{tile}:{at}" for tile, at, _ in named] == fields["proposed"]
        assert {tile for tile, _, _ in named} == set(fields["pools"][who])
        assert {*fields["proposed"]} <= {*fields["legal"]}
        assert f"such as {fields['proposed'][0]}." in " ".join(text.split())
        assert len(text.splitlines()) < 100
        numbers = set(re.findall(r"\d+", text.partition("\n\n")[2]))
        assert {at for _, pair, _ in named for at in pair.split(",")} <= numbers


def test_records_and_json_say_strict_or_not(club: Club) -> None:
    for options_given, board_no, strict in (("", 1, True), ("-lenient", 2, False)):
        club.say(f"hextad challenge alice bob {options_given}")
        fields = json.loads(club.say(f"hextad show {board_no} -format=json"))
        assert fields["options"]["strict"] is strict
        record = club.say(f"hextad history {board_no} -format=yaml")
        assert f"  strict: {'yes' if strict else 'no'}\n" in record
        shown = club.say(f"hextad show {board_no}")
        assert ("Options: -lenient\n" in shown) == (not strict)


# The help text

HELP = Path(hextad.__file__).parents[2] / "letters/help/hextad.txt"


def test_the_sums_of_the_help_text() -> None:
    text = " ".join(HELP.read_text().split())
    sums = re.findall(r"(\d) \+ (\d) = (\d+)", text)
    assert sums
    assert all(int(one) + int(two) == int(three) for one, two, three in sums)
    assert "for 4 + 6 = 10 points" in text
    assert said_of("22", "46:2,8").startswith(" and scored 10 ")
    assert "for 6 + 6 = 12 points" in text
    assert said_of("22", "46:2,8", "26:10,3").startswith(" and scored 12 ")
    assert said_of("33", "16:9,2") == " and scored 6"


def test_the_figures_are_boards_that_the_rules_allow() -> None:
    for name, moves in {
        "start": (),
        "ten": ("46:2,8",),
        "twelve": ("46:2,8", "26:10,3"),
    }.items():
        figure, state = HEXTAD.FIGURES[name], board("22", *moves)
        assert (state.cells, set(state.joints)) == (figure.faces, set(figure.joints))
    assert set(HEXTAD.FIGURES["start"].labels) == set(board("22").frontier)


def test_the_examples_of_the_help_text_can_be_played() -> None:
    state = hold(board("22"), ["24"], ["00"])
    moves = re.findall(r"^  hextad .*?(\d\d:\S+)$", HELP.read_text(), re.MULTILINE)
    with pytest.raises(BadMove) as told:
        HEXTAD.parse_move(state, 0, "x")
    moves += re.findall(r"\d\d:[\d,]+", str(told.value))
    assert len(moves) == 3
    for text in moves:
        play(state, text)
    same = HEXTAD.parse_move(state, 0, "42:19,7")
    assert HEXTAD.format_move(same) == "24:7,19"


def test_no_cell_beyond_the_board_size_is_numbered() -> None:
    """The tiles at 0 and 1 and at 2 and 9 take three columns, so that none of the cells
    5, 6 and 18, in a fourth one, can be taken."""
    state = hold(board("22", "46:2,9", board_size="3", **LENIENT), ["15"], [])
    labels = HEXTAD.view(state, None).drawing.labels.keys()
    assert not {5, 6, 18} & labels
    assert labels >= {3, 4, 7, 8}


def test_a_board_in_every_form() -> None:
    figure = HEXTAD.FIGURES["ten"]
    board = figure._replace(labels=move_labels((7, 9, 21)), last=figure.joints[-1])
    golden = (FIGURES / "hextad-in-every-form.txt").read_text()
    assert in_every_form(board) == golden


def test_what_a_move_that_is_not_quite_one_means() -> None:
    assert move_in("24@7,19", HEXTAD.in_notation) == "24:7,19"
    assert move_in("24:7, 19", HEXTAD.in_notation) == "24:7,19"
    for typed in ("24 7 19", "24:7", "7:24"):
        assert move_in(typed, HEXTAD.in_notation) == ""


# Boards that are pasted


def test_a_board_with_an_intersection_that_is_not_valid_is_lenient() -> None:
    """Positions 0, 1 and 2 meet."""
    faces, joints = {0: "2", 1: "2", 2: "4", 9: "6"}, ((0, 1), (2, 9))
    assert hextad.GAME.suiting(Drawing("hextile", faces, joints)) == {}
    lenient = {"lenient": "yes"}
    assert hextad.GAME.suiting(Drawing("hextile", {**faces, 2: "3"}, joints)) == lenient
