"""What a tournament's log comes to: who plays, and how the table breaks ties."""

import pytest

from pbm_holomino.match.record import LogLine
from pbm_holomino.match.tournament import (
    LOST,
    TIED,
    WON,
    Change,
    Kind,
    Setup,
    Tournament,
    begun,
    from_data,
    result,
    standings,
    to_data,
)
from pbm_holomino.store import yaml
from pbm_holomino.store.damage import DAMAGE

TIME = "2026-11-20T08:00:00Z"
SETUP = Setup(3, "holo", "swiss", 0, False, TIME, {"forfeit": "10"})


def line(kind: Kind, *words: str, who: str = "-") -> LogLine[Change]:
    return LogLine(None, TIME, who, "tick", Change(kind, words))


def opened(system: str, *players: str) -> Tournament:
    """A tournament that has begun with these players."""
    log = [line(Kind.OPEN), *(line(Kind.JOIN, who=player) for player in players)]
    return begun(SETUP._replace(system=system), [*log, line(Kind.START, *players)])


def played(found: Tournament, **tables: tuple[int, int] | None) -> Tournament:
    """The tournament after one more round: a table is `alice_bob`, with the points of
    both, and a bye `carol`."""
    words = [name.replace("_", ":") if "_" in name else f"{name}+" for name in tables]
    found = found.after(line(Kind.ROUND, *words))
    first = 1 + max((game.board or 0 for game in found.games), default=0)
    boards = range(first, first + len(found.unopened))
    found = found.after(line(Kind.BOARDS, *map(str, boards)))
    ends = [points for name, points in tables.items() if "_" in name]
    for board, points in zip(boards, ends, strict=True):
        if points is not None:
            change = result(board, points)
            found = found.after(line(change.kind, *change.words))
    return found


def table(found: Tournament) -> list[tuple[int, str]]:
    return [(row.place, row.player) for row in standings(found)]


# The table


def test_of_equal_points_buchholz_comes_first_in_a_swiss_tournament() -> None:
    found = opened("swiss", "a", "b", "c", "d", "e", "f")
    found = played(found, a_b=WON, c_d=WON, e_f=TIED)
    found = played(found, a_c=WON, b_e=WON, d_f=TIED)
    rows = {row.player: row for row in standings(found)}
    # halves of points: a 4, b 2, c 2, d 1, e 1, f 2
    points = {player: row.points for player, row in rows.items()}
    assert points == {"a": 4, "b": 2, "c": 2, "d": 1, "e": 1, "f": 2}
    assert rows["b"].buchholz == points["a"] + points["e"] == 5
    assert rows["c"].buchholz == points["d"] + points["a"] == 5
    assert rows["f"].buchholz == points["e"] + points["d"] == 2
    assert [row.won for row in standings(found)] == [2, 1, 1, 0, 0, 0]
    assert rows["d"].buchholz == points["c"] + points["f"] == 4
    assert rows["e"].buchholz == points["f"] + points["b"] == 4
    # neither b and c nor d and e have met, and they have won equally often
    order = [(1, "a"), (2, "b"), (2, "c"), (4, "f"), (5, "d"), (5, "e")]
    assert table(found) == order


def test_then_direct_encounter() -> None:
    """b and c have the same points and the same Buchholz, and b has beaten c."""
    found = opened("swiss", "c", "b", "d", "e")
    found = played(found, b_c=WON, d_e=TIED)
    found = played(found, c_d=WON, b_e=LOST)
    found = played(found, b_d=TIED, c_e=TIED)
    rows = {row.player: row for row in standings(found)}
    # halves: b 3, c 3, d 2, e 4; all have met all, so Buchholz is 12 less one's own
    assert {p: row.points for p, row in rows.items()} == {
        "b": 3,
        "c": 3,
        "d": 2,
        "e": 4,
    }
    assert rows["b"].buchholz == rows["c"].buchholz == 9
    assert (rows["b"].direct, rows["c"].direct) == (2, 0)
    assert table(found) == [(1, "e"), (2, "b"), (3, "c"), (4, "d")]


def test_a_bye_counts_as_an_opponent_with_ones_own_points() -> None:
    found = played(opened("swiss", "a", "b", "c"), a_b=WON, c=None)
    rows = {row.player: row for row in standings(found)}
    assert (rows["a"].points, rows["c"].points) == (2, 2)
    assert (rows["a"].buchholz, rows["c"].buchholz) == (0, 2)
    assert (rows["a"].won, rows["c"].won) == (1, 0)
    assert table(found) == [(1, "c"), (2, "a"), (3, "b")]


def test_ties_in_a_round_robin() -> None:
    """a, b and c have beaten each other in a circle, so that direct encounter tells
    none of them apart; a has beaten the better of the rest."""
    found = opened("robin", "a", "b", "c", "d", "e")
    found = played(found, a_b=WON, c_d=WON)
    found = played(found, b_c=WON, a_d=WON)
    found = played(found, e_b=LOST)
    found = played(found, c_a=WON, d_e=WON)
    found = played(found, e_a=TIED, d_b=TIED)
    found = played(found, c_e=TIED)
    rows = {row.player: row for row in standings(found)}
    # halves: a 2+2+0+1, b 0+2+2+1, c 2+0+2+1, d 0+0+2+1, e 0+0+1+1
    points = {player: row.points for player, row in rows.items()}
    assert points == {"a": 5, "b": 5, "c": 5, "d": 3, "e": 2}
    assert [rows[player].direct for player in "abc"] == [2, 2, 2]
    # halves of points times halves of points
    assert rows["a"].sonneborn == 2 * 5 + 2 * 3 + 1 * 2 == 18  # b, d, and e tied
    assert rows["b"].sonneborn == 2 * 5 + 2 * 2 + 1 * 3 == 17  # c, e, and d tied
    assert rows["c"].sonneborn == 2 * 5 + 2 * 3 + 1 * 2 == 18  # a, d, and e tied
    assert table(found) == [(1, "a"), (1, "c"), (3, "b"), (4, "d"), (5, "e")]


def test_direct_encounter_counts_only_if_all_have_met() -> None:
    """a has beaten b, but neither has met c, who has as many points, and so has d."""
    found = opened("robin", "a", "b", "c", "d")
    found = played(found, a_b=WON, c_d=WON)
    found = played(found, d_a=WON)
    found = played(found, b_d=WON)
    assert [row.points for row in standings(found)] == [2, 2, 2, 2]
    assert [row.direct for row in standings(found)] == [0, 0, 0, 0]


# Who is paired


def test_a_round_robin_without_those_who_have_left() -> None:
    found = opened("robin", "a", "b", "c", "d")
    first = found.next_round()
    assert first is not None
    assert {*":".join(first).split(":")} == {*"abcd"}
    left = found.after(line(Kind.LEAVE, who="c")).next_round()
    assert left is not None
    (pair,) = (word for word in first if "c" in word)
    other = pair.replace(":", "").replace("c", "")
    assert [word for word in left if ":" not in word] == [f"{other}+"]


def test_the_bye_of_a_round_robin_is_no_point() -> None:
    words = opened("robin", "a", "b", "c").next_round()
    assert words is not None
    (bye,) = (word for word in words if ":" not in word)
    assert not bye.endswith("+")


def test_nobody_is_paired_who_has_left_a_swiss_tournament() -> None:
    found = opened("swiss", "a", "b", "c", "d").after(line(Kind.LEAVE, who="a"))
    words = found.next_round()
    assert words is not None
    assert sorted(words) in (["b:c", "d+"], ["c:b", "d+"])


@pytest.mark.parametrize(
    ("count", "asked", "rounds"),
    [(2, 0, 1), (3, 9, 3), (5, 0, 3), (8, 5, 5), (4, 9, 3)],
)
def test_no_swiss_tournament_has_more_rounds_than_opponents(
    count: int, asked: int, rounds: int
) -> None:
    found = opened("swiss", *(f"p{number}" for number in range(count)))
    assert found._replace(setup=SETUP._replace(rounds=asked)).rounds == rounds


def test_a_swiss_tournament_ends_when_nobody_can_be_paired() -> None:
    found = opened("swiss", "a", "b", "c").after(line(Kind.LEAVE, who="c"))
    assert found.next_round() is not None
    assert played(found, a_b=WON).next_round() is None


# Its file


def test_it_is_read_as_it_was_written() -> None:
    found = played(opened("swiss", "a", "b", "c"), a_b=WON, c=None)
    found = found.after(line(Kind.LEAVE, who="b"))
    assert from_data(yaml.load(yaml.dump(to_data(found)))) == found


@pytest.mark.parametrize(
    "more",
    [
        line(Kind.JOIN, who="d"),
        line(Kind.START, "a", "b", "c"),
        line(Kind.LEAVE, who="d"),
        line(Kind.ROUND, "a:b", "b:c"),
        line(Kind.ROUND, "a:d"),
        line(Kind.ROUND, "a:b:c"),
        line(Kind.BOARDS, "7"),
        line(Kind.RESULT, "1", "1-0"),
        line(Kind.RESULT, "9", "1-0"),
        line(Kind.RESULT, "1"),
        line(Kind.OPEN),
    ],
)
def test_a_line_that_cannot_come_is_damage(more: LogLine[Change]) -> None:
    found = played(opened("swiss", "a", "b", "c"), a_b=WON, c=None)
    data = to_data(found)
    assert from_data(data) == found
    data["log"].append(f"- {TIME} {more.who} tick {more.action}")
    with pytest.raises(DAMAGE):
        from_data(data)


def test_nothing_comes_after_the_end() -> None:
    found = opened("swiss", "a", "b").after(line(Kind.CANCEL))
    with pytest.raises(ValueError, match="after the end"):
        found.after(line(Kind.END))


@pytest.mark.parametrize(
    ("key", "text"),
    [("system", "knockout"), ("game", "chess"), ("format", "2"), ("at_once", "1")]
    + [("rounds", "many"), ("tournament", ""), ("log", []), ("options", [])],
)
def test_another_setup_is_damage(key: str, text: object) -> None:
    data = to_data(opened("swiss", "a", "b"))
    with pytest.raises(DAMAGE):
        from_data({**data, key: text})
