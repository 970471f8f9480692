"""Offers, undos, declining and the end by agreement: what a board does with them."""

import io
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbm_holomino.cli import main
from tests.boards import (
    ACTS,
    CASES,
    ENDS,
    Case,
    notations,
    opened,
    played,
    readings,
    twins,
    undone,
)
from tests.club import (
    Club,
    history,
    log_of,
    others_of,
    play_some,
    result_of,
    take_back,
    to_the_chain,
    to_the_pairs,
)
from tests.match.models import UndoModel
from tests.prose import plain
from tests.sizes import sized, some

# Taking back


@pytest.mark.parametrize(
    ("game", "seats"), [("holo", 2), ("hextol", 2), ("walomino", 2), ("walomino", 4)]
)
def test_moves_taken_back_and_made_again_bring_the_same(
    club: Club, game: str, seats: int
) -> None:
    club.open(game, seats)
    made = play_some(club, 7)
    after = club.json()
    asker, others = made[-2][1], others_of(made[-2][1], seats)
    first = max(i for i, (_, who, _) in enumerate(made) if who == asker)
    take_back(club, asker, *others)
    assert club.json() == made[first][0]  # with the pools, the draws, the scores
    for before, who, move in made[first:]:
        assert club.json() == before
        club.move(who, move)
    assert club.json() == after


def test_another_move_brings_the_tile_of_the_same_draw(club: Club) -> None:
    club.open("holo")
    assert "bob drew 243." in plain(club.move("alice", "142:4"))
    take_back(club, "alice", "bob")
    (other,) = [m for m in club.json()["legal"] if m.startswith("132:")][:1]
    assert "bob drew 243." in plain(club.move("alice", other))


def test_all_that_came_after_is_taken_back_too(club: Club) -> None:
    club.open("holo")
    before = club.json()
    club.move("alice", "142:4")
    club.move("bob", "234:3")
    take_back(club, "alice", "bob")
    assert club.json() == before
    assert (before["ply"], before["turn"], before["scores"]["bob"]) == (0, ["alice"], 0)
    assert "last" not in club.json()


def test_the_log_keeps_what_is_taken_back(club: Club) -> None:
    club.open("holo")
    club.move("alice", "142:4")
    club.move("bob", "234:3")
    take_back(club, "bob", "alice")
    assert history(club)["moves"] == ["alice 142:4"]
    club.move("bob", "254:12")
    assert log_of(club)[1:] == ["1 alice - 142:4", "2 bob - 234:3"] + [
        "- bob - !undo",
        "- alice - !accept",
        "2 bob - 254:12",
    ]
    shown = club.say("holo history 1")
    assert "234:3" in shown
    assert "bob took back move 2" in plain(shown)
    assert history(club)["moves"] == ["alice 142:4", "bob 254:12"]
    assert history(club)["last"] == "bob 254:12"


def test_earlier_positions_are_those_of_the_moves_that_count(club: Club) -> None:
    club.open("holo")
    start = club.json()["cells"]
    club.move("alice", "142:4")
    one = club.json()["cells"]
    club.move("bob", "234:3")
    take_back(club, "bob", "alice")
    assert "yet" in club.refused_line("holo show 1#2")[0]
    assert club.json("show 1#1")["cells"] == one
    assert club.json("show 1#0")["cells"] == start
    club.move("bob", "254:12")
    assert club.json("show 1#2")["cells"].keys() == {*one, "12"}
    take_back(club, "alice", "bob")
    assert club.json("show 1#0")["cells"] == start
    assert "yet" in club.refused_line("holo show 1#1")[0]


def test_move_numbers_go_on_from_what_counts(club: Club) -> None:
    club.open("holo")
    club.move("alice", "142:4")
    club.move("bob", "234:3")
    take_back(club, "bob", "alice")
    assert "next move on holo 1 is 2" in club.refused("bob", "254:12#3")
    club.move("bob", "254:12#2")
    assert club.json()["ply"] == 2


def test_an_undo_of_a_move_made_again(club: Club) -> None:
    club.open("holo")
    club.move("alice", "142:4")
    for _ in range(3):
        after = club.json()
        take_back(club, "alice", "bob")
        assert club.json()["ply"] == 0
        club.move("alice", "142:4")
        assert club.json() == after


def test_verify_still_proves_the_draws(club: Club) -> None:
    club.open("holo")
    club.move("alice", "142:4")
    take_back(club, "alice", "bob")
    club.move("alice", "142:4")
    club.resign("bob")
    text = club.say("holo verify 1")
    rows = [line.split() for line in text.splitlines() if line[:4].strip().isdigit()]
    places = {(row[0], row[2]): row[1] for row in rows}
    assert all(places[no, among] == place for no, place, among in rows)


@pytest.mark.parametrize("who", ["alice", "bob"])
def test_a_player_who_has_not_moved_has_nothing_to_take_back(
    club: Club, who: str
) -> None:
    club.open("holo")
    assert "no move that can be taken back" in club.refused(who, "undo")


def test_no_undo_crosses_the_opening_of_the_pairs(club: Club) -> None:
    to_the_chain(club, 2)
    for who in ("alice", "bob"):
        assert "cannot be taken back" in club.refused(who, "undo")
    who = club.json()["turn"][0]
    before = club.json()
    club.move(who, before["legal"][0])
    take_back(club, who, *others_of(who, 2))
    assert club.json() == before
    assert "cannot be taken back" in club.refused(who, "undo")


@pytest.mark.parametrize("moves", some(range(5), 2))
@pytest.mark.parametrize("case", CASES[2:], ids=str)
def test_wishes_that_are_taken_back_stay_secret(case: Case, moves: int) -> None:
    board = played(opened(case), moves, moves, notations)
    for who in board.turn if board.view(None).phase != "play" else ():
        others = [player for player in board.record.players if player != who]
        for one, two in twins(board, who):
            for reader in (None, *others):
                shown = readings(undone(one, who), reader)
                assert shown == readings(undone(two, who), reader)


def test_any_number_of_the_phase_is_right_while_pairing(club: Club) -> None:
    first = to_the_pairs(club, 2).json()["ply"] + 1
    club.move("alice", "pairs:any")
    club.say("walomino chat 1 alice xanadu -m=Done")
    club.move("bob", f"pairs:any#{first}")


def test_no_undo_crosses_a_resignation(club: Club) -> None:
    to_the_chain(club, 3)
    who = club.json()["turn"][0]
    club.move(who, club.json()["legal"][0])
    gone, left = others_of(who, 3)
    club.resign(gone)
    assert "resigned" in club.refused(who, "undo")
    assert "answer" not in club.refused(left, "undo")


# Who must answer


def test_among_four_all_others_must_accept(club: Club) -> None:
    club.open("walomino", 4)
    club.move("alice", "take:R")
    before = club.json()
    club.move("alice", "undo")
    for who in ("dave", "bob"):
        club.move(who, "accept")
        fields = club.json()
        assert fields.pop("offer")["accepted"][-1] == who
        assert fields == before
        assert "carol" in club.refused(who, "accept")
        assert "carol" in club.refused(who, "reject")
    club.move("carol", "accept")
    assert (club.json()["ply"], club.json()["turn"]) == (0, ["alice"])


@pytest.mark.parametrize("offer", ["propose", "undo"])
def test_a_single_rejection_ends_the_offer(club: Club, offer: str) -> None:
    club.open("walomino", 3).accept()
    club.move("alice", "take:R")
    before = club.json()
    club.move("alice", offer)
    club.move("bob", "accept")
    club.move("carol", "reject")
    assert club.json() == before
    for who in ("alice", "bob", "carol"):
        assert "Nothing is on offer" in club.refused(who, "accept")
    club.move("alice", offer)  # and may ask again: then all begin anew
    club.move("carol", "accept")
    assert "bob" in club.refused("carol", "accept")


@pytest.mark.parametrize("answer", ["accept", "reject"])
def test_only_those_who_are_asked_may_answer(club: Club, answer: str) -> None:
    club.open("holo").accept()
    assert "Nothing is on offer" in club.refused("bob", answer)
    club.move("alice", "propose")
    assert "bob" in club.refused("alice", answer)
    club.move("bob", answer)
    assert club.json()["status"] == ("over" if answer == "accept" else "active")


def test_a_challenge_is_named_to_a_player_who_can_still_turn_it_down(
    club: Club,
) -> None:
    club.open("walomino", 3)
    down = "To turn down the challenge, send: walomino decline 1 bob PASSWORD"
    assert down in club.refused("bob", "reject")
    assert "challenge" not in club.refused("alice", "reject")
    club.move("bob", "accept")
    assert club.refused("bob", "reject") == "Nothing is on offer on walomino 1."


@pytest.mark.parametrize("offer", ["propose", "undo"])
@pytest.mark.parametrize("asker", ["alice", "bob"])
def test_an_offer_ends_with_the_next_move(club: Club, offer: str, asker: str) -> None:
    club.open("holo")
    club.move("alice", "142:4")
    club.move("bob", "234:3")
    club.move(asker, offer)
    club.move("alice", "123:1")
    for who in ("alice", "bob"):
        assert "Nothing is on offer" in club.refused(who, "accept")


@pytest.mark.parametrize("first", ["propose", "undo"])
@pytest.mark.parametrize("second", ["propose", "undo"])
def test_there_is_one_offer_at_a_time(club: Club, first: str, second: str) -> None:
    club.open("holo")
    club.move("alice", "142:4")
    club.move("bob", "234:3")
    club.move("alice", first)
    for who in ("alice", "bob"):
        assert "already" in club.refused(who, second)
    club.move("bob", "reject")
    club.move("bob", second)


def test_a_chat_leaves_an_offer_as_it_is(club: Club) -> None:
    club.open("holo")
    club.move("alice", "propose")
    club.say("holo chat 1 bob better4 -m=Hm")
    club.move("bob", "accept")
    assert club.json()["status"] == "over"


def test_an_answer_with_a_stale_number_counts_for_nothing(club: Club) -> None:
    club.open("holo")
    club.move("alice", "propose")
    club.refused("bob", "accept#7")


# Who has resigned


@pytest.mark.parametrize("act", ["propose", "undo", "accept", "reject"])
def test_a_player_who_has_resigned_neither_asks_nor_answers(
    club: Club, act: str
) -> None:
    club.open("walomino", 3)
    club.move("alice", "take:R")
    club.resign("carol")
    club.refused("carol", act)
    club.move("alice", "propose")
    club.refused("carol", act)


def test_a_player_who_has_resigned_does_not_decline(club: Club) -> None:
    club.open("walomino", 3)
    club.move("alice", "take:R")
    club.resign("carol")
    said, _ = club.refused_line("walomino decline 1 carol quokka9")
    assert "resigned" in said


def test_a_draw_among_the_remaining_players(club: Club) -> None:
    club.open("walomino", 3)
    club.resign("alice")
    club.move("bob", "propose")
    club.refused("alice", "accept")
    club.move("carol", "accept")
    result = result_of(club)
    assert (result["winners"], result["reason"]) == (["bob", "carol"], "agreed")


# The end


def test_a_draw_is_agreed(club: Club) -> None:
    club.open("holo")
    club.move("alice", "142:4")
    club.move("bob", "234:3")
    club.move("bob", "propose")
    said = plain(club.move("alice", "accept"))
    assert "alice and bob tied, as agreed" in said
    fields = club.json()
    assert (fields["status"], fields["turn"], fields["legal"]) == ("over", [], [])
    result = {"winners": ["alice", "bob"], "reason": "agreed"}
    assert fields["result"] == {**result, "scores": {"alice": 0, "bob": 9}}


@pytest.mark.parametrize("act", ["propose", "undo", "accept", "reject", "resign"])
def test_nothing_is_offered_after_the_end(club: Club, act: str) -> None:
    club.open("holo")
    club.move("alice", "142:4")
    club.move("alice", "undo")
    club.resign("alice")
    for who in ("alice", "bob"):
        assert "over: bob won" in club.refused(who, act)


@pytest.mark.parametrize("who", ["alice", "bob"])
def test_declining_before_ones_own_first_move(club: Club, who: str) -> None:
    club.open("holo")
    if who == "bob":
        club.move("alice", "142:4")
    club.say(f"holo decline 1 {who} {{{who}}}")
    fields = club.json()
    assert (fields["status"], fields["turn"], fields["legal"]) == ("void", [], [])
    none = {"alice": 0, "bob": 0}
    assert fields["result"] == {"winners": [], "reason": "declined", "scores": none}
    assert "counts for nobody" in plain(club.say("holo games alice all"))
    assert not club.json("show 1")["turn"]
    assert "Seed:" in club.say("holo show 1")


# Rematches with who is not there, and chats that are typed


@pytest.mark.parametrize("asker", ["alice xanadu", "bob better4"])
def test_a_player_who_has_signed_off_gets_no_new_game(club: Club, asker: str) -> None:
    club.open("holo")
    club.resign("bob")
    club.say("signoff bob better4")
    assert "signed off" in club.refused_line(f"holo rematch 1 {asker}")[0]
    club.say("signup bob better4")
    club.say(f"holo rematch 1 {asker}")


def test_a_chat_is_typed(club: Club, tmp_path: Path, monkeypatch) -> None:
    club.open("holo")
    monkeypatch.setenv("PBM_GAMES", str(tmp_path))
    for text, status in (("Well,\nxanadu!\n", 0), ("\n", 1), ("", 1)):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        before = log_of(club)
        assert main(["holo", "chat", "1", "alice", "xanadu"]) == status
        assert len(log_of(club)) - len(before) == 1 - status
    (note,) = club.server.library.match("holo", 1).record.notes.values()
    assert note == "Well,\n***!"


# Any log is its board


@settings(max_examples=sized(6, 100))
@given(st.sampled_from(CASES), st.integers(0, 200), st.integers(0, 40))
def test_a_log_with_acts_is_its_board(case: Case, seed: int, steps: int) -> None:
    model = UndoModel(case, seed)
    for _ in range(steps):
        if model.board.turn and model.dice.random() < 0.5:
            model.move()
        elif model.dice.random() < 0.04 and case.seats > 2:
            model.act(["!resign"])
        else:
            model.act(ACTS)
    model.check()
    model.act(ENDS)
    model.check()
