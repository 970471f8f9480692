"""Who comes in which place when a match is over."""

from collections.abc import Sequence
from itertools import groupby
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbm_holomino.match.board import Match, Result, places
from pbm_holomino.match.kinds.boards import to_data
from pbm_holomino.match.record import Act, Line
from tests.boards import MAIL, TIME, Case, opened, played, resigned
from tests.house import House

NAMES = ("ann", "ben", "cat", "dan")


def ended(
    game: str,
    scores: Sequence[int],
    winners: Sequence[str],
    gone: Sequence[str] = (),
    reason: str = "score",
) -> Match:
    """A board of `ann`, `ben`, ... as it is at its end: with these points, and after
    these have dropped out in this order."""
    board = opened(Case(game, len(scores), {}))
    log = (*board.record.log, *(Line(None, TIME, p, MAIL, Act.RESIGN) for p in gone))
    record = board.record._replace(players=NAMES[: len(scores)], log=log)
    last = board.steps[-1]._replace(
        state=SimpleNamespace(scores=tuple(scores), draws=0),  # nothing else is asked
        result=Result(tuple(winners), reason),
        gone=dict.fromkeys(gone, Act.RESIGN),
    )
    return board._replace(record=record, steps=(last,))


def in_order(match: Match) -> list[int]:
    """The places in the order of the seats."""
    found = places(match)
    return [found[player] for player in match.record.players]


# Two players


@pytest.mark.parametrize(
    ("game", "scores", "winners", "expected"),
    [
        ("holo", [36, 12], ["ann"], [1, 2]),
        ("holo", [12, 36], ["ben"], [2, 1]),
        ("hextol", [0, 1], ["ben"], [2, 1]),
        ("holo", [36, 36], ["ann", "ben"], [1, 1]),
        ("walomino", [3, 0], ["ben"], [2, 1]),
        ("walomino", [2, 2], ["ann", "ben"], [1, 1]),
    ],
)
def test_two_by_their_points(game, scores, winners, expected) -> None:
    assert in_order(ended(game, scores, winners)) == expected


@pytest.mark.parametrize("game", ["holo", "hextol", "walomino"])
def test_a_player_who_resigns_among_two_is_second_whatever_the_points(
    game: str,
) -> None:
    for scores in ([50, 0], [0, 50], [7, 7]):
        match = ended(game, scores, ["ben"], ["ann"], "resigned")
        assert in_order(match) == [2, 1]


def test_an_agreed_draw_is_a_draw_whatever_the_points() -> None:
    assert in_order(ended("holo", [50, 0], ["ann", "ben"], (), "agreed")) == [1, 1]


# Three and four: Walomino, where the fewest points are best


@pytest.mark.parametrize(
    ("scores", "winners", "expected"),
    [
        ([0, 2, 5], ["ann"], [1, 2, 3]),
        ([5, 2, 0], ["cat"], [3, 2, 1]),
        ([4, 4, 1], ["cat"], [2, 2, 1]),
        ([1, 1, 4], ["ann", "ben"], [1, 1, 3]),
        ([4, 1, 1], ["ben", "cat"], [3, 1, 1]),
        ([2, 2, 2], ["ann", "ben", "cat"], [1, 1, 1]),
        ([3, 0, 2, 1], ["ben"], [4, 1, 3, 2]),
        ([2, 0, 2, 2], ["ben"], [2, 1, 2, 2]),
        ([0, 3, 0, 3], ["ann", "cat"], [1, 3, 1, 3]),
        ([0, 0, 0, 3], ["ann", "ben", "cat"], [1, 1, 1, 4]),
        ([1, 3, 1, 10], ["ann", "cat"], [1, 3, 1, 4]),
        ([5, 5, 5, 5], ["ann", "ben", "cat", "dan"], [1, 1, 1, 1]),
    ],
)
def test_several_by_their_points(scores, winners, expected) -> None:
    assert in_order(ended("walomino", scores, winners)) == expected


@pytest.mark.parametrize(
    ("scores", "winners", "gone", "expected"),
    [
        # the best points are no help to who has dropped out
        ([0, 5, 9], ["ben"], ["ann"], [3, 1, 2]),
        ([0, 5, 5], ["ben", "cat"], ["ann"], [3, 1, 1]),
        ([9, 5, 0], ["ben"], ["cat"], [2, 1, 3]),
        # the sooner, the lower
        ([0, 1, 7, 7], ["dan"], ["ann", "ben"], [4, 3, 2, 1]),
        ([0, 1, 7, 7], ["dan"], ["ben", "ann"], [3, 4, 2, 1]),
        ([4, 4, 7, 4], ["ann"], ["cat", "dan"], [1, 2, 4, 3]),
        ([4, 4, 7, 4], ["ann", "ben"], ["dan", "cat"], [1, 1, 3, 4]),
    ],
)
def test_players_who_drop_out_rank_behind_those_who_stay(
    scores, winners, gone, expected
) -> None:
    assert in_order(ended("walomino", scores, winners, gone)) == expected


@pytest.mark.parametrize(
    ("gone", "winner", "expected"),
    [
        (["ann", "ben"], "cat", [3, 2, 1]),
        (["cat", "ann"], "ben", [2, 1, 3]),
        (["cat", "ann", "dan"], "ben", [3, 1, 4, 2]),
        (["dan", "cat", "ben"], "ann", [1, 2, 3, 4]),
    ],
)
def test_the_last_remaining_player_has_won(gone, winner, expected) -> None:
    match = ended("walomino", [1] * len(expected), [winner], gone, "resigned")
    assert in_order(match) == expected


def test_the_remaining_players_agree_on_a_draw() -> None:
    match = ended("walomino", [0, 9, 2], ["ben", "cat"], ["ann"], "agreed")
    assert in_order(match) == [3, 1, 1]


def test_a_match_that_does_not_count_has_no_places() -> None:
    for reason in ("declined", "voided"):
        assert places(ended("walomino", [1, 2, 3], [], (), reason)) == {}
    assert places(opened(Case("holo", 2, {}))) == {}


def naive_places(match: Match) -> dict[str, int]:
    """The players set in rows, one behind the other, and the heads before each."""
    assert match.result is not None
    winners, gone = match.result.winners, list(match.gone)
    points = match.scores
    sign = {"points": -1, "minus points": 1}[str(match.rules.SCORING.points)]
    rest = [p for p in match.record.players if p not in (*winners, *gone)]
    rest.sort(key=lambda player: sign * points[player])
    rows = [list(winners)]
    rows += [list(row) for _, row in groupby(rest, key=lambda p: points[p])]
    rows += [[player] for player in reversed(gone)]
    found: dict[str, int] = {}
    for row in rows:
        found |= dict.fromkeys(row, len(found) + 1)
    return found


@st.composite
def endings(draw: st.DrawFn) -> Match:
    """Any end of a game of two to four."""
    game = draw(st.sampled_from(["holo", "hextol", "walomino"]))
    seats = draw(st.integers(2, 4)) if game == "walomino" else 2
    scores = draw(st.lists(st.integers(0, 3), min_size=seats, max_size=seats))
    order = draw(st.permutations(NAMES[:seats]))
    gone = order[: draw(st.integers(0, seats - 1))]
    stayed = order[len(gone) :]
    winners = stayed[: draw(st.integers(1, len(stayed)))]
    return ended(game, scores, winners, gone)


@given(endings())
def test_places_are_counted_by_heads(match: Match) -> None:
    assert places(match) == naive_places(match)


# Real games


@pytest.mark.parametrize(
    ("seats", "moves"), [(3, 0), (3, 9), (4, 0), (4, 7), (4, 20), (4, 33)]
)
def test_a_game_with_a_player_who_drops_out_reaches_its_end(
    seats: int, moves: int
) -> None:
    board = played(opened(Case("walomino", seats, {}), 5), 1, moves)
    quitter = board.record.players[seats - 2]
    over = played(resigned(board, quitter), 2)
    found = places(over)
    assert over.result is not None
    assert {p for p, place in found.items() if place == 1} == set(over.result.winners)
    assert found[quitter] == seats
    stayed = [player for player in found if player != quitter]
    by_points = sorted(over.scores[player] for player in stayed)
    assert [found[p] for p in stayed] == [
        1 + by_points.index(over.scores[p]) for p in stayed
    ]


def test_all_but_one_drop_out() -> None:
    board = opened(Case("walomino", 4, {}))
    one, two, three, four = board.record.players
    for quitter in (three, one, four):
        board = resigned(board, quitter)
    assert places(board) == {two: 1, four: 2, one: 3, three: 4}


# The file, and what lists read of it


def test_places_stand_in_the_file_of_a_board_that_is_over(house: House) -> None:
    assert "places" not in house.data("holo", "1")
    house.type("holo resign 1 alice {alice}")
    assert house.data("holo", "1")["places"] == {"alice": "2", "bob": "1"}
    (summary,) = house.library.lists.summaries(["holo"])
    assert summary.places == {"alice": 2, "bob": 1}  # type: ignore[union-attr]


def test_a_board_that_is_struck_off_has_no_places(house: House) -> None:
    house.type("holo decline 1 alice {alice}")
    assert house.data("holo", "1")["places"] == {}
    (summary,) = house.library.lists.summaries(["holo"])
    assert summary.places == {}  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "wrong",
    [{}, {"alice": "1"}, {"alice": "0", "bob": "1"}, {"alice": "1", "bob": "3"}]
    + [{"alice": "1", "bob": "two"}, ["alice", "bob"], {"alice": "-1", "bob": "1"}],
)
def test_places_that_cannot_be_are_damage(house: House, wrong: object) -> None:
    house.type("holo resign 1 alice {alice}")
    house.put("holo", "1", {**house.data("holo", "1"), "places": wrong})
    house.library.lists.scan()  # as a tick does, to notice changes by hand
    found = house.library.lists.boards_of((), "all")
    assert not found.boards
    assert house.called("holo", "1") in str(found.damaged[0])
    assert house.match().status == "over"  # the log is the truth


def test_nobody_is_ranked_against_themselves(house: House) -> None:
    house.type("holo resign 1 alice {alice}")
    changed = {"players": ["alice", "alice"], "places": {"alice": "1"}}
    house.put("holo", "1", {**house.data("holo", "1"), **changed})
    house.library.lists.scan()  # as a tick does, to notice changes by hand
    assert not house.library.lists.boards_of((), "all").boards
    assert house.type("holo ratings").status == 0


def test_when_a_board_has_ended_and_who_was_seen_there(house: House) -> None:
    house.time = "2026-11-21T01:00:00Z"
    house.type(f"holo move 1 alice {{alice}} {house.legal()[0]}")
    house.time = "2026-11-22T02:00:00Z"
    house.type("holo resign 1 bob {bob}")
    house.time = "2026-11-23T03:00:00Z"
    house.type("holo chat 1 alice {alice} -m=Thanks")
    (summary,) = house.library.lists.boards_of((), "all").boards
    assert summary.last_change == "2026-11-22T02:00:00Z"
    assert summary.seen == {
        "alice": "2026-11-23T03:00:00Z",
        "bob": "2026-11-22T02:00:00Z",
    }
    assert house.type("holo history").text.startswith("2026-11-22 ")


def test_a_written_line_is_read_back(house: House) -> None:
    house.type("holo resign 1 bob {bob}")
    match = house.match()
    (summary,) = house.library.lists.boards_of((), "all").boards
    assert to_data(match) == house.data("holo", "1")
    assert summary.places == places(match)
