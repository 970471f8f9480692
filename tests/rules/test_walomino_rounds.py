"""Walomino's turns, skips, rounds, minus points, and players who resign."""

import re
from collections import Counter

import pytest

from pbm_holomino.rules.chance import Chance
from pbm_holomino.rules.games import walomino
from pbm_holomino.rules.games.walomino.state import NO_WISH
from tests.rules.walomino_table import (
    ALL_OF_ALICE,
    ALL_OF_BOB,
    WalominoTable,
    laid,
)

WALOMINO = walomino.GAME


def play_out(table: WalominoTable) -> list[tuple[int, str]]:
    """The first legal move each time, until the round or the game is over; what was
    told of the last move."""
    number = table.state.round
    while table.turn() and table.state.round == number:
        table.play(table.view().legal[0])
    return table.deeds()


# Turns and skips


def test_players_play_in_turn() -> None:
    table = laid("RG", "RY,RY", "GP,YY", "PP,PP")
    assert table.turn() == (0,)
    table.play("RY:4,13")
    assert table.turn() == (1,)
    table.play("GP:7,19")
    assert table.turn() == (2,)
    table.play("PP:37,61")
    # Alice's red is not open any more: yellow is, and she has it.
    assert table.turn() == (0,)


def test_a_player_who_cannot_play_is_skipped_by_name() -> None:
    table = laid("RG", "RY,RY", "PP,BB", "BB", "YB").play("RY:4,13")
    assert table.deeds() == [
        (0, "played RY:4,13"),
        (1, "could not play and lost a turn"),
        (2, "could not play and lost a turn"),
    ]
    assert table.turn() == (3,)


def test_a_player_who_has_no_pair_left_is_skipped() -> None:
    table = laid("RG", "RY", "GG,GG", "GY,GY").play("RY:4,13", "GG:7,19")
    table.play("GY:37,61")
    # Yellow is open at both ends.
    assert table.deeds()[1:] == [
        (0, "had no pair left and lost a turn"),
        (1, "could not play and lost a turn"),
    ]
    assert table.turn() == (2,)


def test_a_first_player_who_cannot_play_is_skipped() -> None:
    table = laid("RG", "YY", "RB")
    assert table.turn() == (1,)
    assert table.deeds() == [(0, "could not play and lost a turn")]


def test_nobody_can_play_at_all() -> None:
    table = laid("RG", "YY,YY,PB", "PP")
    assert table.state.over
    assert table.view().scores == (3, 1)
    assert table.deeds() == [
        (0, "ended the round with 3 minus points (YY,YY,PB left)"),
        (1, "ended the round with 1 minus point (PP left)"),
    ]


# Rounds


def test_minus_points_add_up_and_the_start_passes_on() -> None:
    table = WalominoTable(3, rounds="3")
    expected = [0, 0, 0]
    for number in (1, 2, 3):
        opener = number - 1
        assert table.turn() == (opener,)
        assert (table.state.phase, table.state.round) == ("take", number)
        assert table.view().scores == tuple(expected)
        for seat in (opener, (opener + 1) % 3, (opener + 2) % 3):
            table.send(seat, "take:any")
        assert table.turn() == (0, 1, 2)
        for seat in (2, 0, 1):
            table.send(seat, "pairs:any")
        assert table.turn() == (opener,)
        assert table.state.turn == opener
        for seat, deed in play_out(table)[-3:]:
            told = re.match(f"ended round {number} with ([0-9]+) minus point", deed)
            assert told
            expected[seat] += int(told[1])
    assert table.state.over
    assert table.view().scores == tuple(expected)
    best = min(expected)
    first = tuple(seat for seat in range(3) if expected[seat] == best)
    assert WALOMINO.outcome(table.state) == first


def test_a_new_round_begins_with_a_full_pot_and_an_empty_board() -> None:
    table = laid("RG", "YY,YY,PB", "PP", rounds="2")
    view = table.view()
    assert (view.phase, view.round, table.turn()) == ("take", 2, (1,))
    assert view.scores == (3, 1)
    assert view.pools == ((), ())
    chain = view.extra["chain"]
    assert chain.faces == {0: "R", 1: "G"}
    pot = dict.fromkeys("RGYPB", 10)
    assert view.extra == {"pot": pot, "joints": [], "chain": chain}
    assert view.seats == {"paired": ()}
    assert not view.drawing.faces
    assert str(view.remarks[0]) == "This is round 2 of 2."


def test_the_chain_of_a_round_is_shown_until_the_next_one_lies() -> None:
    table = laid("RG", "RY,PP", "YB", rounds="2").play("RY:4,13")
    path = table.state.chain.path
    assert table.view().ended is None
    table.play("YB:29,30")
    for _ in range(2):
        ended = table.view().ended
        assert ended
        assert len(ended.joints) == 3
        assert {*ended.faces} == {*path, 29, 30}
        assert [label.kind for label in ended.labels.values()] == ["end", "end"]
        assert table.view().extra["chain"] == ended
        assert table.view().extra["joints"] == []
        table.play("take:R")
    table.play("take:any", "take:any")
    assert table.view().phase == "pair"
    assert table.view().ended is None
    assert "joints" not in table.view().extra


def test_the_chain_of_a_round_is_shown_beside_a_start_pair_laid_at_once() -> None:
    table = WalominoTable(2, draft="random", rounds="2")
    assert table.view().ended is None
    play_out(table.play("pairs:any", "pairs:any"))
    view = table.view()
    assert (view.phase, len(view.drawing.faces)) == ("pair", 2)
    assert view.ended
    assert len(view.ended.faces) > 2
    table.play("pairs:any", "pairs:any")
    assert table.view().ended is None


def test_draws_go_on_counting_over_rounds() -> None:
    table = WalominoTable(2, draft="random", rounds="2").play("pairs:any", "pairs:any")
    assert table.state.draws == 48 + 24 + 24
    play_out(table)
    assert table.state.draws == 2 * 48 + 24 + 24
    assert table.state.round == 2


def test_equal_minus_points_share_first_place() -> None:
    table = laid("RG", "YY", "PP", "BB,BB")
    assert WALOMINO.outcome(table.state) == (0, 1)


def test_there_is_no_outcome_before_the_end() -> None:
    assert WALOMINO.outcome(WalominoTable().state) is None
    assert WALOMINO.outcome(laid("RG", "RR", "GG").state) is None


def test_scores_are_those_of_finished_rounds() -> None:
    table = laid("RG", "RR,BB", "GG")
    assert table.view().scores == (0, 0)


# What readers see


def test_hands_are_sorted_by_colour() -> None:
    table = WalominoTable(2).play("take:BGRPY", "take:PRPRB")
    hands = [("R", "G", "Y", "P", "B"), ("R", "R", "P", "P", "B")]
    assert [*table.view().pools] == hands
    assert [*table.view(0).pools] == hands
    table.play("take:any", "take:any", "pairs:any", "pairs:any")
    for pool in table.view().pools:
        assert [*pool] == sorted(
            pool, key=lambda pair: ["RGYPB".index(c) for c in pair]
        )


@pytest.mark.parametrize("draft", ["pot", "die"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_one_proposed_line_each_takes_all(seats: int, draft: str) -> None:
    table = WalominoTable(seats, draft=draft)
    sent = []
    while table.view().phase == "take":
        (seat,) = table.turn()
        (line,) = table.view(seat).proposal.moves
        assert table.view().proposal.moves == (line,)
        assert f"send {line}: you get one of each" in " ".join(
            map(str, table.view(seat).remarks)
        )
        table.play(line)
        sent.append(seat)
    assert sent == [*range(seats)] if draft == "pot" else len(sent) <= seats


def test_the_proposed_line_begins_with_what_is_missing() -> None:
    table = WalominoTable(4).play("take:RRRG", "take:YYPP", "take:B", "take:any")
    assert table.turn() == (2,)
    assert table.view(2).proposal.moves == ("take:RGYPB,any",)
    table.play("take:BBG")
    assert table.turn() == (0,)
    assert table.view(0).proposal.moves == ("take:YPBGR,any",)


def test_a_colour_that_has_run_out_is_not_proposed() -> None:
    table = WalominoTable(2).play(
        f"take:{ALL_OF_ALICE[:21]}", f"take:{ALL_OF_BOB[:20]}"
    )
    # alice has ten R, ten G and a Y, bob ten B and ten P; bob is to take
    assert table.turn() == (1,)
    assert table.view(1).proposal.moves == ("take:Y,any",)


def test_the_last_walong_is_proposed_alone() -> None:
    table = WalominoTable(2).play(f"take:{ALL_OF_ALICE[:23]}", f"take:{ALL_OF_BOB}")
    assert table.turn() == (0,)
    assert table.view(0).proposal.moves == ("take:Y",)
    assert "your last walong: send its colour, such as take:Y, or" in " ".join(
        map(str, table.view(0).remarks)
    )


def test_the_pool_is_letters_and_then_pairs() -> None:
    table = WalominoTable(4).play(*4 * ["take:any"])
    table.send(3, "pairs:any")
    assert all(len(walong) == 1 for pool in table.view(3).pools for walong in pool)
    table.play(*3 * ["pairs:any"])
    assert [len(pool) for pool in table.view().pools] == [6, 6, 6, 6]
    assert all(len(pair) == 2 for pool in table.view().pools for pair in pool)
    assert "pot" not in table.view().extra
    assert "paired" not in table.view().extra


def test_remarks_say_what_to_send() -> None:
    table = WalominoTable(2)
    told = " ".join(map(str, table.view(0).remarks))
    assert "There are 10 red (R), 10 green (G), 10 yellow (Y), 10 p" in told
    assert "To take all your walongs with one line, send take:RGYPB,any: " in told
    assert "To take one walong and choose again next time, send take:R. " in told
    assert "You hold no walongs yet; your share will be 24." in told
    assert "send take" not in " ".join(map(str, table.view(1).remarks))
    assert "send take" not in " ".join(map(str, table.view(None).remarks))
    table.play("take:any", "take:any")
    told = " ".join(map(str, table.view(1).remarks))
    held = Counter(table.state.pools[1])
    assert f" {held['P']} purple (P)" in told
    assert ": 24 walongs, for 12 pairs." in told
    example = next(w for w in told.split() if w.startswith("pairs:") and "," in w)
    table.send(1, example)
    told = " ".join(map(str, table.view(1).remarks))
    assert (
        f"Your pairs are sealed, and nobody else sees them yet: {example[6:]}" in told
    )
    table.play("pairs:any")
    seat = table.turn()[0]
    told = " ".join(map(str, table.view(seat).remarks))
    assert table.view().legal[0] in told
    assert "The open ends are " in told
    assert len(table.view(1 - seat).remarks) == 1


def test_remarks_on_the_last_walong() -> None:
    table = WalominoTable(4).play("take:R", *3 * ["take:any"])
    while len(table.state.pools[0]) < 11:
        assert table.turn() == (0,)
        table.play(table.view().legal[1])
    told = " ".join(map(str, table.view(0).remarks))
    assert "This is your last walong: send its colour, such as take:" in told
    assert "your coming turns" not in told
    assert "chance takes for you" in " ".join(map(str, table.view(1).remarks))


# Resigning among three and four


@pytest.mark.parametrize("seats", [3, 4])
def test_chance_takes_and_pairs_for_a_player_who_has_resigned(seats: int) -> None:
    table = WalominoTable(seats).play("take:R")
    table.drop(1)
    assert table.turn() == (2,)
    assert table.deeds()[0][1].endswith(" by chance")
    others = [seat for seat in range(seats) if seat != 1]
    while table.state.phase == "take":
        table.play("take:any")
    assert table.turn() == tuple(others)
    assert table.view().seats["paired"] == (1,)
    for seat in others:
        table.send(seat, "pairs:any")
    assert [e.seat for e in table.events if e.reveals] == [*range(seats)]
    while table.turn():
        assert 1 not in table.turn()
        table.play(table.view().legal[-1])
        assert (1, "could not play and lost a turn") not in table.deeds()
    first = WALOMINO.outcome(table.state)
    assert first
    assert 1 not in first


def test_the_last_missing_pairs_are_made_for_a_player_who_resigns() -> None:
    table = WalominoTable(3, draft="random").send(0, "pairs:any").send(2, "pairs:any")
    assert table.turn() == (1,)
    table.drop(1)
    assert table.state.phase == "play"
    assert any(event.reveals for event in table.events)
    assert table.turn() == (0,)


def test_pairs_that_were_sent_stay() -> None:
    table = WalominoTable(3, draft="random").send(1, "pairs:any")
    mine = table.state.sealed[1]
    table.drop(1)
    assert table.state.sealed[1] == mine
    assert table.turn() == (0, 2)


def test_a_player_who_resigned_is_not_asked_any_more() -> None:
    table = WalominoTable(3, draft="random")
    state = WALOMINO.drop(table.state, 1)
    assert (WALOMINO.to_move(state), WALOMINO.due(state)) == (
        (0, 2),
        "server",
    )
    table.drop(1)
    assert len(table.view(0).remarks) == 4
    assert table.view(1).remarks == table.view(None).remarks
    assert len(table.view(1).remarks) == 1


def test_nothing_is_asked_when_it_is_over() -> None:
    table = laid("RG", "YY", "PP")
    assert table.state.over
    assert table.view(0).remarks == ()
    assert table.turn() == ()
    assert table.view(0).legal == ()


def test_wishes_of_a_player_who_resigns_are_forgotten() -> None:
    table = WalominoTable(3).play("take:RRRR").drop(0)
    assert table.state.wishes[0] == NO_WISH
    assert table.turn() == (1,)


def test_the_turn_passes_on_when_a_player_resigns() -> None:
    table = laid("RG", "RR,RR", "RG,GG", "GG,GG")
    assert table.turn() == (0,)
    table.drop(0)
    assert table.turn() == (1,)
    assert table.deeds() == []
    table.play("RG:4,13")
    assert table.turn() == (2,)
    table.play("GG:7,19")
    assert table.turn() == (1,)


def test_resigning_out_of_turn_changes_no_turn() -> None:
    table = laid("RG", "RR,RR", "RG,GG", "GG,GG").drop(2)
    assert table.turn() == (0,)
    assert table.deeds() == []


def test_a_player_who_resigned_ranks_last() -> None:
    table = laid("RG", "PP,PP", "RR", "YY").drop(2)
    assert table.turn() == (1,)
    table.play("RR:4,13")
    assert table.view().scores == (2, 0, 1)
    assert WALOMINO.outcome(table.state) == (1,)
    alone = laid("RG", "PP,PP,PP", "RB,YY", "RR").drop(2).play("RB:4,13")
    assert WALOMINO.outcome(alone.state) == (1,)


@pytest.mark.parametrize("seats", [3, 4])
def test_it_is_over_when_one_is_left(seats: int) -> None:
    table = WalominoTable(seats)
    for seat in range(seats - 1):
        assert not table.state.over
        table.drop(seat)
    assert table.state.over
    assert table.turn() == ()
    assert WALOMINO.outcome(table.state) == (seats - 1,)


def test_after_a_resignation_the_next_player_starts_the_round() -> None:
    table = laid("RG", "RR", "YY", "YY", rounds="2")
    table.drop(1)
    table.play("RR:4,13")
    # The second round would begin with seat 1: chance takes, then seat 2 is next.
    assert table.state.round == 2
    assert table.turn() == (2,)
    assert len(table.state.pools[1]) == 1


def test_die_does_not_roll_again_when_another_resigns() -> None:
    table = WalominoTable(3, Chance(b"die" * 11), draft="die")
    assert table.state.white
    other = (table.turn()[0] + 1) % 3
    draws = table.state.draws
    table.drop(other)
    assert table.state.draws == draws
    assert table.deeds() == []
