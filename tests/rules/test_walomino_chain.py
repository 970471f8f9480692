"""Walomino's chain: what a pair may touch, the example of the rules, and a chain
that walls itself in."""

import pytest

from pbm_holomino.errors import IllegalMove
from pbm_holomino.rules.games import walomino
from pbm_holomino.rules.games.walomino.chain import Chain, Placing, judge, placings
from pbm_holomino.rules.grid import LAST_POSITION
from tests.rules.naive_walomino import beside
from tests.rules.walomino_table import WalominoTable, laid

WALOMINO = walomino.GAME

# Round 0 lie 1 to 6 clockwise from the north, round those 7 (two to the north) to 18.
# The start pair: red at 0, green at 1.


def moves(pair: str, p: int, *qs: int) -> set[str]:
    return {f"{pair}:{p},{q}" for q in qs}


def test_positions_are_where_these_tests_think() -> None:
    assert [beside(0, way) for way in ("N", "NE", "SE", "S", "SW", "NW")] == [
        *range(1, 7)
    ]
    ring = ["N N", "N NE", "NE NE", "NE SE", "SE SE", "SE S", "S S", "S SW", "SW SW"]
    assert [beside(0, *ways.split()) for ways in ring] == [*range(7, 16)]


def test_first_moves_of_a_pair_that_fits_both_ends() -> None:
    """While the start pair lies alone, only the half that is joined may be touched:
    2 and 6 lie beside both."""
    table = laid("RG", "RG", "RG")
    assert table.legal() == (
        moves("RG", 3, 10, 11, 12)
        | moves("RG", 4, 12, 13, 14)
        | moves("RG", 5, 14, 15, 16)
        | moves("GR", 7, 19, 20, 36)
        | moves("GR", 8, 9, 20, 21)
        | moves("GR", 18, 17, 35, 36)
    )


def test_a_pair_of_one_colour_may_touch_with_both_halves() -> None:
    """The order of the positions tells which half stays open."""
    table = laid("RG", "RR", "RG")
    assert table.legal() == (
        moves("RR", 3, 4, 10, 11, 12)
        | moves("RR", 4, 3, 5, 12, 13, 14)
        | moves("RR", 5, 4, 14, 15, 16)
    )
    assert laid("RG", "RR", "RG").play("RR:3,4").state.chain.path == (4, 3, 0, 1)
    assert laid("RG", "RR", "RG").play("RR:4,3").state.chain.path == (3, 4, 0, 1)


def test_a_start_pair_of_one_colour_must_not_be_touched_at_both_halves() -> None:
    table = laid("RR", "RR", "RR")
    assert not any(m.startswith(("RR:2,", "RR:6,")) for m in table.legal())
    assert table.refused("RR:2,9") == (
        "R at 2 would touch R at 1, the other open end: a pair may join only one."
    )
    assert "RR:8,7" in table.legal()


def test_the_partner_may_be_touched_by_its_own_colour() -> None:
    """After GG:7,8 the end is 8 and its partner 7: position 20 lies beside both."""
    table = laid("RG", "GG,GG", "GB,BB").play("GG:7,8")
    at_20 = {move for move in table.legal() if move.startswith("GB:20,")}
    assert at_20 == moves("GB", 20, 38, 39)
    table.play("GB:20,38")
    assert table.state.chain.path == (0, 1, 7, 8, 20, 38)


def test_the_partner_must_not_be_touched_by_another_colour() -> None:
    table = laid("RG", "GB", "YB,GY").play("GB:7,19")
    assert table.refused("BY:20,39") == (
        "B at 20 would touch G at 7: walongs that touch must have the same colour."
    )


def test_three_sides_are_too_many() -> None:
    table = laid("RG", "GG,GG", "GG,GG").play("GG:7,8")
    assert table.refused("GG:20,21") == (
        "The pair would touch the chain on 3 sides: no more than 2 are allowed."
    )
    # One half alone may touch two.
    table.play("GG:20,38")


def test_a_different_walong_must_not_be_touched() -> None:
    """After GG:8,7 the end is 7, its partner 8; position 18 lies beside 1, too."""
    table = laid("RG", "GG,GG", "GG,GG").play("GG:8,7")
    assert table.refused("GG:18,36") == (
        "G at 18 would touch G at 1, another walong of the chain: beside the open "
        "end at 7 the pair may touch only that end's partner, at 8."
    )


def test_the_other_half_touches_as_carefully() -> None:
    table = laid("RG", "GB,BB", "GB")
    assert table.refused("GB:8,7") == (
        "B at 7 would touch G at 1: walongs that touch must have the same colour."
    )
    assert table.refused("GB:8,2").startswith(
        "B at 2 would touch R at 0, the other open end"
    )


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("GB:7,9919", "There is no position 9919: the last one is 9918."),
        ("GB:123456789,7", "There is no position 123456789: the last one is 9918."),
        (
            "GB:7,7",
            "Position 7 is named twice: a pair lies on two adjacent positions.",
        ),
        ("GB:1,7", "Position 1 is taken, by G."),
        ("GB:7,1", "Position 1 is taken, by G."),
        (
            "GB:7,9",
            "Positions 7 and 9 are not adjacent: beside 7 are 1, 8, 18, 19, 20, 36.",
        ),
        (
            "GB:10,11",
            "G at 10 touches no open end: those are R at 0 and G at 1, and the half "
            "that is named first must touch one.",
        ),
        (
            "BG:9,8",
            "B at 9 touches no open end: those are R at 0 and G at 1, and the half "
            "that is named first must touch one. GB:8,9 would fit.",
        ),
        (
            "BG:8,9",
            "B at 8 does not match the open end at 1, which is G. GB:8,9 would fit.",
        ),
        ("PP:8,9", "Pair PP is not in your pool, which holds GB, BB."),
        ("BR:8,9", "Pair RB is not in your pool, which holds GB, BB."),
        (
            "BB:8,9",
            "B at 8 does not match the open end at 1, which is G.",
        ),
        (
            "GB:2,9",
            "G at 2 would touch R at 0, the other open end: a pair may join only one.",
        ),
        ("XG:7,8", '"X" is not a colour: the colours are R (red), G (green), Y (ye'),
        (
            "GB:7",
            '"GB:7" is not a move. Pairs are being played now: send a pair and two',
        ),
        ("GB:7;8", '"GB:7;8" is not a move. Pairs are being played now'),
        ("G:7,8", '"G:7,8" is not a move. Pairs are being played now'),
        ("GB:-7,8", '"GB:-7,8" is not a move. Pairs are being played now'),
        ("GB:\u0667,8", '"GB:\u0667,8" is not a move. Pairs are being played now'),
        ("take:R", "Pairs are being played now: send a pair and two"),
        ("pairs:any", "Pairs are being played now: send a pair and two"),
        ("pass", "You cannot pass in Walomino: a player who cannot play is skipped."),
        (
            "pass:GB",
            "You cannot pass in Walomino: a player who cannot play is skipped.",
        ),
    ],
)
def test_placings_that_are_refused(text: str, sentence: str) -> None:
    told = laid("RG", "GB,BB", "GB").refused(text)
    assert told == sentence if sentence.endswith(".") else told.startswith(sentence)


def test_positions_beyond_the_grid_are_not_played() -> None:
    """A chain at the rim of the last ring: 9917 and 9918 lie there."""
    chain = Chain((9917, 9918), {9917: "R", 9918: "G"})
    found = {n for move in placings(chain, ("RR", "GG", "RG")) for n in move[2:]}
    assert found
    assert max(found) <= LAST_POSITION
    outside = max(n for way in ("N", "NW", "SW") for n in [beside(9917, way)])
    assert outside > LAST_POSITION
    with pytest.raises(IllegalMove, match=f"There is no position {outside}"):
        judge(chain, Placing("R", "R", outside, outside + 1))


# The example of the rules (003)


def example() -> WalominoTable:
    """Red and green to start with; Alice is player 1, Bob player 2."""
    table = laid("RG", "GB,GG,GB", "RG,RR,RY").play("GB:18,17")
    assert [table.state.chain.cells[n] for n in (17, 0)] == ["B", "R"]
    return table


def test_the_second_player_must_hold_red_or_black() -> None:
    assert example().turn() == (1,)
    table = laid("RG", "GB,GB", "GG,GY,YP", "YB").play("GB:18,17")
    assert table.deeds() == [
        (0, "played GB:18,17"),
        (1, "could not play and lost a turn"),
    ]
    assert table.turn() == (2,)
    assert all(move.startswith("BY:") for move in table.legal())


def test_the_example_to_its_end() -> None:
    """Bob, with neither black nor green, is skipped; Alice plays her last pair; with
    black at both ends Bob has two minus points for his two pairs."""
    table = example().play("RG:3,11")
    assert table.turn() == (0,)
    table.play("GG:25,24")
    assert table.deeds()[1:] == [(1, "could not play and lost a turn")]
    assert table.turn() == (0,)
    table.play("GB:23,22")
    assert table.deeds()[1:] == [
        (0, "ended the round with 0 minus points"),
        (1, "ended the round with 2 minus points (RR,RY left)"),
    ]
    cells, path = table.state.chain.cells, table.state.chain.path
    assert (cells[path[0]], cells[path[-1]]) == ("B", "B")
    assert table.turn() == ()
    assert table.view().scores == (0, 2)
    assert WALOMINO.outcome(table.state) == (0,)


def test_red_yellow_keeps_the_other_from_playing_red() -> None:
    """Player 1 closes the last red end, and player 2 keeps red/red (003)."""
    table = laid("RG", "GB,RY,BB", "BB,RR").play("GB:18,17")
    assert any(move.startswith("RR:") for move in table.legal())
    table.play("BB:34,33", "RY:4,13")
    assert not any("R" in move for move in table.legal())


def test_the_helps_figures_are_this_example() -> None:
    table = laid("RG", "GB,GG,GB", "RG,RR,RY")
    figures = WALOMINO.FIGURES
    for text, name in (
        ("GB:18,17", "first"),
        ("RG:3,11", "second"),
        ("GG:25,24", "third"),
        ("GB:23,22", "last"),
    ):
        drawing = table.play(text).view().drawing
        assert figures[name].faces == drawing.faces
        assert figures[name].joints == drawing.joints
        ends = [n for n, label in drawing.labels.items() if label.kind == "end"]
        assert [*figures[name].labels] == ends
    start = laid("RG", "GB", "GB").view().drawing
    assert figures["start"] == start
    sides = laid("RG", "GG", "GG").play("GG:7,8").view().drawing
    assert figures["two_sides"].faces == sides.faces


# Drawings


def test_a_drawing_runs_along_the_chain() -> None:
    table = laid("RG", "GB,BB", "RY,BB").play("GB:18,17", "RY:4,13")
    drawing = table.view().drawing
    assert drawing.notation == "hextile"
    assert list(drawing.joints) == [(13, 4), (0, 1), (18, 17)]
    assert dict(drawing.faces) == {13: "Y", 4: "R", 0: "R", 1: "G", 18: "G", 17: "B"}
    ends = {n for n, label in drawing.labels.items() if label.kind == "end"}
    assert ends == {13, 17}
    numbered = {n: label for n, label in drawing.labels.items() if n not in ends}
    halves = {int(n) for m in table.legal() for n in m.partition(":")[2].split(",")}
    assert numbered == {n: (str(n), "move") for n in halves}


def test_no_picture_before_the_start_pair_lies() -> None:
    drawing = WalominoTable().view().drawing
    assert not drawing.faces
    assert not drawing.labels


# Walled in

WINDING = ("RR:5,15", "RR:30,31", "RR:54,83", "RR:84,56", "RR:34,33")


def test_a_chain_that_winds_in_on_itself() -> None:
    table = laid("RG", "RR,RR,RR,RR,RR,RR", "YP,YP").play(*WINDING)
    assert table.state.chain.path == (33, 34, 56, 84, 83, 54, 31, 30, 15, 5, 0, 1)
    # Red is open at 33, and Alice has red; but she has no room there.
    assert table.state.over
    assert table.deeds() == [
        (0, "played RR:34,33"),
        (0, "ended the round with 1 minus point (RR left)"),
        (1, "ended the round with 2 minus points (YP,YP left)"),
    ]
    assert WALOMINO.outcome(table.state) == (0,)


def test_every_place_at_a_walled_in_end_is_refused() -> None:
    table = laid("RG", "RR,RR,RR,RR,RR,RR", "YP,YP").play(*WINDING)
    chain = table.state.chain
    ways = ("N", "NE", "SE", "S", "SW", "NW")
    tried = 0
    for p in (beside(33, way) for way in ways):
        for q in (beside(p, way) for way in ways):
            with pytest.raises(IllegalMove):
                judge(chain, Placing("R", "R", p, q))
            tried += 1
    assert tried == 36


def test_the_other_end_of_a_walled_in_chain_stays_open() -> None:
    table = laid("RG", "RR,RR,RR,RR,RR,RR", "YP").play(*WINDING[:4])
    alice, _ = table.state.pools
    table.state = table.state._replace(pools=(alice, ("GP",)))
    table.play(WINDING[4])
    assert table.turn() == (1,)
    assert table.legal()
    assert all(move.startswith("GP:") for move in table.legal())
