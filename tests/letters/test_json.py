"""What a program is told of a board: the fields that not every board has, and what only
the player who asks may know."""

import json
import re
from itertools import islice
from typing import Any

import pytest

from pbm_holomino.commands import queries
from pbm_holomino.match import queue as ahead
from pbm_holomino.rules import names
from tests.boards import act, answer, chronicle, line_of, queue, twins
from tests.club import Club, to_the_pairs
from tests.house import PASSWORDS, SEED

games = pytest.mark.parametrize("game", names())
seeds = pytest.mark.parametrize("seed", range(4))


def as_player(club: Club, who: str, board: str = "1") -> dict[str, Any]:
    """The board as a player sees it who asks with their password."""
    return club.json(f"showas {who} {PASSWORDS[who]} {board}")


# For everybody


def test_a_player_who_has_dropped_out_is_named_in_order(club: Club) -> None:
    assert "gone" not in club.open("walomino", 4).json()
    club.resign("dave")
    assert club.json()["gone"] == ["dave"]
    club.resign("bob")
    assert club.json()["gone"] == ["dave", "bob"]


def test_the_result_of_two_players_says_who_resigned(club: Club) -> None:
    club.open("holo").resign("bob")
    assert "gone" not in club.json()
    assert club.json()["result"]["winners"] == ["alice"]


def test_an_offer_is_shown_until_it_is_answered(club: Club) -> None:
    assert "offer" not in club.open("walomino", 3).json()
    club.move("bob", "propose")
    offer = {"kind": "draw", "who": "bob", "accepted": []}
    assert club.json()["offer"] == offer
    club.move("carol", "accept")
    assert club.json()["offer"] == offer | {"accepted": ["carol"]}
    club.move("alice", "reject")
    assert "offer" not in club.json()


def test_an_offer_ends_with_the_next_move(club: Club) -> None:
    club.open("holo").move("alice", "142:4")
    club.move("alice", "undo")
    assert club.json()["offer"]["kind"] == "undo"
    club.move("bob", club.json()["legal"][0])
    assert "offer" not in club.json()


@games
def test_the_options_that_every_game_has(club: Club, game: str) -> None:
    usual = {"random": False, "nag": 7, "forfeit": 21}
    assert club.open(game).json()["match"] == usual
    club.say(f"{game} challenge alice bob -random -nag=3 -forfeit=0")
    wanted = {"random": True, "nag": 3, "forfeit": 0}
    assert club.json("show 2")["match"] == wanted


@games
def test_the_seed_is_shown_once_the_game_is_over(club: Club, game: str) -> None:
    assert "seed" not in club.open(game).json()
    club.move(club.json()["turn"][0], club.json()["legal"][-1])
    club.resign("alice")
    assert club.json()["seed"] == SEED.hex()
    assert "seed" not in club.json("show 1#0")  # the game was going on then


def test_the_chain_of_the_round_before(club: Club) -> None:
    club.open("walomino", 2, "-draft=random -rounds=2")
    before = fields = club.json()
    while fields["round"] == 1:
        assert "chain" not in fields
        before = fields
        club.move(fields["turn"][0], fields["legal"][0])
        fields = club.json()
    tile, where = fields["last"].split()[1].split(":")
    halves = where.split(",")
    laid = before["cells"] | dict(zip(halves, tile, strict=True))
    assert fields["chain"]["cells"] == laid
    joints = fields["chain"]["joints"]
    assert sorted(map(int, laid)) == sorted(at for joint in joints for at in joint)
    assert sorted(map(int, halves)) in ([*map(sorted, joints)][0], sorted(joints[-1]))
    chain = fields["chain"]
    assert club.play(most=4)["chain"] == chain  # as long as this round goes on


def test_what_a_letter_proposes(club: Club) -> None:
    fields = club.open("walomino").json()
    (proposed,) = fields["proposed"]
    assert f" PASSWORD {proposed}\n" in club.say("walomino showas alice xanadu 1")
    club.move("alice", proposed)
    to_pair = to_the_pairs(Club(club.server.folder / "more"), 2)
    (proposed,) = to_pair.json()["proposed"]
    assert proposed.startswith("pairs:")
    to_pair.move(to_pair.json()["turn"][0], proposed)


@pytest.mark.parametrize("game", ["holo", "hextol"])
def test_a_letter_lists_all_moves_of_these_games(club: Club, game: str) -> None:
    fields = club.open(game).json()
    assert fields["proposed"] == fields["legal"]
    club.resign("alice")
    assert "proposed" not in club.json()


# Previews


def preview(club: Club, moves: str) -> dict[str, Any]:
    told: dict[str, Any] = club.json(f"preview 1 {moves}")["preview"]
    return told


def test_a_preview_says_how_its_moves_were_read(club: Club) -> None:
    assert preview(club.open("holo"), "421:4") == {"moves": ["alice 142:4"]}


def test_a_preview_says_what_it_left_out_and_why(club: Club) -> None:
    club.open("holo")
    ended = {"moves": ["alice 142:4"], "ended": "draw", "unread": ["234:3", "pass"]}
    assert preview(club, "142:4 234:3 pass") == ended
    club.open("walomino")
    ended = {"moves": ["alice take:R"], "ended": "server", "unread": ["take:G"]}
    assert preview(club, "take:R take:G") == ended


def test_a_preview_goes_on_to_the_end_of_the_game(club: Club) -> None:
    club.open("hextol", 2, "-min_pips=8 -max_pips=9 -pool_size=1")
    while (fields := club.json())["status"] == "active":
        move = fields["legal"][0]
        shown = club.json(f"preview 1 {move}")
        if shown["status"] == "over":
            shown = club.json(f"preview 1 {move} 99:1,2")
        club.move(fields["turn"][0], move)
    end = {"moves": [fields["last"]], "ended": "over", "unread": ["99:1,2"]}
    assert shown["preview"] == end
    assert shown["result"] == fields["result"]
    assert "seed" not in shown


# For the player who asks


def test_a_queue_is_for_its_player(club: Club) -> None:
    club.open("holo")
    club.say("holo queue 1 bob better4 254:12 pass#4")
    assert as_player(club, "bob")["mine"] == {"queue": ["254:12", "pass#4"]}
    assert as_player(club, "alice")["mine"] == {}
    assert "mine" not in as_player(club, "carol")
    assert "mine" not in club.json()
    assert "mine" not in as_player(club, "bob", "1#0") or club.json()["ply"] == 0


def test_a_draft_is_for_its_player(club: Club) -> None:
    club.open("holo")
    club.say("holo submit 1 alice xanadu 142:4")
    assert as_player(club, "alice")["mine"] == {"draft": "142:4#1"}
    assert as_player(club, "bob")["mine"] == {}


@pytest.mark.parametrize(
    ("sent", "left"), [("RRG", "RG"), ("RRG,any", "RG,any"), ("GG,any", "G,any")]
)
def test_wishes_are_for_their_player(club: Club, sent: str, left: str) -> None:
    club.open("walomino").move("alice", f"take:{sent}")
    assert as_player(club, "alice")["mine"] == {"wishes": left}
    assert as_player(club, "bob")["mine"] == {}
    assert "mine" not in as_player(club, "alice", "1#0")


@pytest.mark.parametrize("chance", [False, True])
def test_pairs_are_for_their_player(club: Club, chance: bool) -> None:
    to_the_pairs(club, 2)
    fields = club.json()
    who = fields["turn"][0]
    pairs = "any" if chance else fields["proposed"][0].removeprefix("pairs:")
    club.move(who, f"pairs:{pairs}")
    made = as_player(club, who)["mine"]["pairs"]
    held = sorted(fields["pools"][who])
    assert sorted(made.replace(",", "")) == held  # chance has paired at once
    assert made == pairs or chance
    (other,) = set(fields["turn"]) - {who}
    assert as_player(club, other)["mine"] == {}
    club.move(other, "pairs:any")
    assert as_player(club, who)["mine"] == {}


def test_a_preview_of_ones_own_has_nothing_private(club: Club) -> None:
    club.open("holo").say("holo submit 1 alice xanadu 142:4")
    shown = club.json("previewas 1 alice xanadu 132:1")
    assert "mine" not in shown


# No secrets

ASKED = ("show 1", "show 1#0", "history 1")


def json_for(board: Any, reader: str | None) -> list[str]:
    """All lines of JSON that somebody can get about a board."""
    asked = list(ASKED)
    if legal := board.view(None).legal:
        asked.append(f"preview 1 {legal[0]}")
    if reader is not None:
        asked.append(f"showas {reader} secret 1")
    return [answer(board, f"{line} -format=json") for line in asked]


@games
@seeds
def test_the_seed_is_not_shown_while_a_game_goes_on(game: str, seed: int) -> None:
    boards = [*chronicle(seed, game)]
    for board in (*boards[:: 1 + len(boards) // 4], boards[-1]):
        for reader in (None, *board.record.players):
            texts = json_for(board, reader)
            told = [board.record.seed.hex() in text for text in texts]
            if board.result is None:
                assert not any(told)
            else:  # but not of a past position
                is_past = board.ply > 0
                assert told[:3] == [True, not is_past, True]
                assert told[3:] == [True] * (reader is not None)


@seeds
def test_nobody_else_hears_of_wishes_or_pairs(seed: int) -> None:
    """Of two boards that differ in one player's secret only, others read the same."""
    boards = [b for b in chronicle(seed, "walomino") if b.view(None).phase != "play"]
    waiting = [board for board in boards if board.turn]
    if not waiting:
        return
    board = waiting[seed % len(waiting)]
    who = board.turn[-1]
    for one, other in islice(twins(board, who), 3):
        for reader in (None, "eve", *board.record.players):
            same = json_for(one, reader) == json_for(other, reader)
            assert same == (reader != who)


@games
@seeds
def test_nobody_else_hears_what_is_queued(game: str, seed: int) -> None:
    boards = [board for board in chronicle(seed, game) if board.turn]
    board = boards[seed % len(boards)]
    planner = board.record.players[0]
    if planner in board.turn or planner in board.gone:
        return
    word = board.view(None).legal[0]
    planned = queue(board, planner, f"{word}#900")
    assert planned.record.log != board.record.log
    for reader in (None, "eve", *board.record.players):
        same = json_for(planned, reader) == json_for(board, reader)
        assert same == (reader != planner)


def test_a_draft_of_anybody_changes_nothing_for_others() -> None:
    """As above, for the move that waits for its player to confirm it."""
    for seed in range(6):
        boards = [board for board in chronicle(seed) if board.turn]
        board = boards[len(boards) // 2]
        who = board.turn[0]
        drafted = ahead.submit(board, line_of(who), board.view(None).legal[0])
        talked = act(board, who, "!chat")
        for reader in (None, "eve", *board.record.players):
            same = json_for(drafted, reader) == json_for(talked, reader)
            assert same == (reader != who)


# Boards that an answer has no room for


def test_a_program_sees_which_boards_were_left_out(club: Club) -> None:
    for board in range(1, 23):
        club.say("holo challenge alice bob")
        club.server.accept(board)
    club.say("walomino challenge alice carol")
    text = club.say("all show alice -format=json")
    *lines, last = map(json.loads, text.splitlines())
    assert [line["board"] for line in (*lines, last)] == [*range(1, 21)]
    assert last["left_out"] == {"holo": [21, 22], "walomino": [1]}
    assert not any("left_out" in line for line in lines)
    asked = club.say("holo show 21 22 -format=json").splitlines()
    assert [json.loads(line)["board"] for line in asked] == [21, 22]
    assert not re.search("left_out", "".join(asked))


def test_a_program_sees_which_ended_boards_were_left_out(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    for board in range(1, 5):
        club.open("holo").accept(board)
        club.say(f"holo resign {board} alice {PASSWORDS['alice']}")
    monkeypatch.setattr(queries, "MOST_BOARDS", 3)
    text = club.say("holo history -format=json")
    *lines, last = map(json.loads, text.splitlines())
    assert [line["board"] for line in (*lines, last)] == [1, 2, 3]
    assert last["left_out"] == {"holo": [4]}


def test_a_damaged_board_has_no_line_among_the_ended_ones(club: Club) -> None:
    for board in (1, 2):
        club.open("holo").accept(board)
        club.say(f"holo resign {board} alice {PASSWORDS['alice']}")
    _spoil(club, 1)
    (line,) = club.say("holo history -format=json").splitlines()
    assert json.loads(line)["board"] == 2
    _spoil(club, 2)
    assert club.say("holo history -format=json") == ""


def _spoil(club: Club, board: int) -> None:
    """A board that lists can read, and that cannot be replayed."""
    seal = club.server.match(board).record.seal
    club.server.replace("holo", str(board), seal, seal[::-1])
