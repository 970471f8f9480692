"""Hextol and Walomino through the whole server: the same commands for all games."""

import random
import re
from itertools import product
from typing import Any

import pytest

from pbm_holomino.rules import load, names
from tests.boards import seats_of
from tests.club import Club
from tests.house import FRIENDS, mail_of
from tests.prose import plain
from tests.sizes import some

TABLES = [(name, seats) for name in names() for seats in seats_of(name)]
tables = pytest.mark.parametrize(("game", "seats"), some(TABLES, 5))


# The same commands for all


@tables
def test_a_game_from_the_challenge_to_the_proof(
    club: Club, game: str, seats: int
) -> None:
    fields = club.open(game, seats).json()
    assert fields["players"] == [*FRIENDS[:seats]]
    assert (fields["ply"], fields["status"]) == (0, "active")
    assert "not over yet" in club.refused_line(f"{game} verify 1")[0]
    start = club.say(f"{game} show 1")
    who, move = fields["turn"][0], fields["legal"][-1]
    assert "after move 1: alice" in club.move(who, f"{move}#1")
    assert club.json()["last"].startswith(f"{who} ")
    past = club.say(f"{game} show 1#0")
    assert past.partition("\n")[0] in start.splitlines()
    assert "PASSWORD" in start
    assert "PASSWORD" not in past
    fields = club.play()
    assert fields["status"] == "over"
    assert fields["result"]["reason"] == "score"
    assert club.refused(who, move).startswith(f"{game} 1 is over: ")
    said, _ = club.refused_line(f"{game} preview 1 {move}")
    assert said.startswith(f"{game} 1 is over")


@tables
def test_the_history_and_the_proof_of_a_game(club: Club, game: str, seats: int) -> None:
    fields = club.open(game, seats).play(seed=1)
    history = club.say(f"{game} history 1")
    moves = re.findall(r"^ +[1-9][0-9]*  2026-11-20", history, re.MULTILINE)
    assert len(moves) == len(club.json("history 1")["moves"]) == fields["ply"]
    winner = fields["result"]["winners"][0]
    for text in (history, club.say(f"{game} history"), club.say(f"{game} games all")):
        assert re.search(rf"{winner} won|tied|a draw between", plain(text))
    proof = club.say(f"{game} verify 1")
    assert fields["seal"] in proof
    assert "02" * 32 in proof
    assert f"seed: {'02' * 32}\n" in club.say(f"{game} history 1 -format=yaml")
    draws = re.findall(r"^ *([0-9]+) +([0-9]+) +([0-9]+)$", proof, re.MULTILINE)
    assert all(int(place) < int(among) for _, place, among in draws)
    numbers = [int(number) for number, _, _ in draws]
    assert numbers == sorted({*numbers})


@tables
def test_a_preview_keeps_and_draws_nothing(club: Club, game: str, seats: int) -> None:
    club.open(game, seats, "-draft=random" if game == "walomino" else "")
    fields = club.play(seed=2, most=seats + 3)
    before = club.server.records()
    shown = club.say(f"{game} preview 1 {fields['legal'][0]}")
    assert shown.startswith("This is a preview: nothing has been played.")
    assert re.search(r"It is [a-z]+'s turn", shown)
    after = club.json(f"preview 1 {fields['legal'][0]}")
    assert after["ply"] == fields["ply"] + 1
    assert after["sack"] == fields["sack"]
    assert len(after["cells"]) > len(fields["cells"])
    assert after["legal"] or game == "holo"  # where a turn begins with a draw
    if after["legal"]:
        moves = f"{fields['legal'][0]} {after['legal'][-1]}"
        assert club.json(f"preview 1 {moves}")["ply"] == fields["ply"] + 2
    assert club.server.records() == before


@tables
def test_players_who_do_not_fit_the_game(club: Club, game: str, seats: int) -> None:
    friends = " ".join(FRIENDS[:seats])
    most = str(load(game).SEATS[1])
    some = {"alice": "2", f"{friends} zoe eve joe": most}
    some |= {f"{friends} alice": "twice", f"{friends} -xyzzy": '"-xyzzy"'}
    for words, told in some.items():
        assert told in club.refused_line(f"{game} challenge {words}")[0]
    assert club.refused_line(f"{game} show 1")[0] == f"There is no board {game} 1."


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ("holo -pool_size=20", ["-pool_size=20", "19", "40"]),
        ("hextol -pool_size=14", ["-pool_size=14", "13", "28"]),
        ("hextol -min_pips=5", ["-pool_size=7", "1", "3 tiles"]),
        ("hextol -min_pips=7", ["-max_pips", "8 to 9"]),
        ("hextol -max_pips=10", ["-max_pips=10", "1 to 9"]),
        ("hextol -board_size=100", ["-board_size=100", "3 to 99"]),
        ("hextol -draft=die", ["-draft=die", "no option"]),
        ("walomino -draft=dye", ['"dye"', "pot, die or random"]),
        ("walomino -rounds=13", ["-rounds=13", "1 to 12"]),
        ("walomino -rounds=many", ['"many"', "number"]),
    ],
)
def test_options_out_of_range(club: Club, options: str, told: list[str]) -> None:
    game, option = options.split()
    said, _ = club.refused_line(f"{game} challenge alice bob {option}")
    assert [word for word in told if word not in said] == []


# Hextol: with this seed alice draws 16, bob 36, alice 24, bob 55.


def test_the_draw_for_the_first_double(club: Club) -> None:
    fields = club.open("hextol").json()
    assert fields["turn"] == ["bob"]
    assert fields["cells"] == {"0": "5", "1": "5"}
    assert fields["joints"] == [[0, 1]]
    pools = [*fields["pools"]["alice"], *fields["pools"]["bob"]]
    assert [*map(len, fields["pools"].values())] == [7, 7]
    assert len({*pools, "55"}) == 15
    assert fields["sack"] == 28 - 15
    text = plain(club.say("hextol show 1"))
    for told in ("alice drew 16, which went back.", "bob drew 36, ", "the double 55, "):
        assert told in text
    assert club.refused("alice", "36:9,2").startswith("It is not your turn on hextol 1")


HEXTOL_MISTAKES = {
    "25:9,11": "Positions 9 and 11 are not beside each other",
    "25:9,9": "you named 9 twice",
    "25:9,9919": "There is no position 9919: the last one is 9918",
    "25:0,2": "Position 0 is taken, by 5",
    "24:9,2": "Tile 24 is not in your pool, which holds 26, 45, 00, 15, 25, 66, 46",
    "25:2,9": "its half at 2 has 2, and the neighbour at 0 has 5",
    "25:30,31": "Neither 30 nor 31 is beside a tile",
    "25:9": '"25:9" is not a move',
    "pass": '"pass" is not a move',
    "swap": "There is no swap in this game",
    "take:any": "is not a move. A Hextol move is tile:position,position",
    "25:9,2#2": '"25:9,2#2" counts only as move 2, and the next move on hextol 1 is 1',
}


@pytest.mark.parametrize("move", HEXTOL_MISTAKES)
def test_mistakes_in_hextol(club: Club, move: str) -> None:
    assert HEXTOL_MISTAKES[move] in club.open("hextol").refused("bob", move)


def told_by_mail(club: Club, deed: str) -> tuple[dict[str, Any], dict[str, str]]:
    """Play by mail until somebody does this; how the board stands then, and what both
    are written."""
    dice = random.Random(1)
    for number in range(99):
        fields = club.json()
        who = fields["turn"][0]
        subject = club.line(who, dice.choice(fields["legal"]))
        name = f"<{number}@example.org>"
        club.server.mail(mail_of(subject, f"{who}@example.org", Message_ID=name))
        texts = {who: plain(letter.text) for who, letter in club.letters().items()}
        if any(deed in text for text in texts.values()):
            return club.json(), texts
    raise AssertionError(f"nobody {deed}")


def test_both_players_hear_of_forced_draws(club: Club) -> None:
    club.open("hextol", options="-pool_size=1")
    fields, texts = told_by_mail(club, "could not move and drew")
    (who,) = fields["turn"]
    (other,) = {"alice", "bob"} - {who}
    found = re.search(r"You could not move and drew ([0-9, ]+)\.", texts[who])
    assert found
    assert f"{who} could not move and drew {found[1]}." in texts[other]
    drawn = found[1].split(", ")
    assert fields["drawn"] == drawn[-1]
    assert fields["pools"][who][-len(drawn) :] == drawn
    assert {move[:2] for move in fields["legal"]} == {drawn[-1]}


@pytest.mark.parametrize(
    ("game", "deed"),
    [("hextol", "had no tile left and lost"), ("walomino", "could not play and lost")],
)
def test_both_players_hear_of_skips(club: Club, game: str, deed: str) -> None:
    club.open(game, options="-pool_size=1" if game == "hextol" else "-draft=random")
    fields, texts = told_by_mail(club, deed)
    (who,) = fields["turn"]
    (skipped,) = {"alice", "bob"} - {who}
    assert fields["sack"] == 0
    assert f"You {deed}" in texts[skipped]
    assert f"{skipped} {deed}" in texts[who]
    assert "It is your turn" in texts[who]


# Walomino


def take(club: Club) -> dict[str, Any]:
    """Everybody takes by chance."""
    while (fields := club.json())["phase"] == "take":
        club.move(fields["turn"][0], "take:any")
    club.server.sent.clear()
    return fields


@pytest.mark.parametrize(("seats", "share"), [(2, 24), (3, 16), (4, 12)])
def test_taking(club: Club, seats: int, share: int) -> None:
    fields = club.open("walomino", seats).json()
    assert (fields["phase"], fields["turn"]) == ("take", ["alice"])
    assert fields["pot"] == dict.fromkeys("RGYPB", 10)
    assert fields["legal"] == ["take:any", *(f"take:{colour}" for colour in "RGYPB")]
    assert "The server acts next" in club.say("walomino preview 1 take:R")
    club.move("alice", "take:RRG")
    fields = club.json()
    assert (fields["turn"], fields["last"]) == (["bob"], "alice take")
    assert fields["pools"]["alice"] == ["R"]
    for who in FRIENDS[1:seats]:
        club.move(who, "take:B")
    fields = club.json()
    assert fields["turn"] == ["bob"]  # alice's next wish was used at once
    assert fields["pools"]["alice"] == ["R", "R"]
    assert (fields["pot"]["R"], fields["pot"]["B"]) == (8, 11 - seats)
    fields = take(club)
    assert fields["phase"] == "pair"
    assert [*map(len, fields["pools"].values())] == [share] * seats
    assert fields["turn"] == [*FRIENDS[:seats]]
    assert fields["cells"].keys() == {"0", "1"}
    start = [*fields["cells"].values()]
    assert start == sorted(start, key="RGYPB".index)
    assert sorted("".join(sum(fields["pools"].values(), start))) == sorted(10 * "RGYPB")


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_pairs_are_sent_by_all_in_any_order(club: Club, seats: int) -> None:
    fields = take(club.open("walomino", seats))
    first, players = fields["ply"] + 1, [*FRIENDS[:seats]]
    beyond = f"pairs:any#{first + seats}"
    assert "counts only as" in club.refused("alice", beyond)
    assert "counts only as" in club.refused("alice", f"pairs:any#{first - 1}")
    for sent, who in enumerate(reversed(players), 1):
        fields = club.json()
        assert fields["turn"] == players[: seats + 1 - sent]
        assert set("".join(sum(fields["pools"].values(), []))) <= set("RGYPB")
        # every number of the phase will do, whoever was faster
        held = fields["pools"][who]
        mine = ",".join(map("".join, zip(held[::2], held[1::2], strict=True)))
        club.move(who, f"pairs:{mine}#{first + seats - sent}")
        letters = club.letters()
        assert {*letters} == {*players} - {who}
        told = plain(letters["alice"].text) if sent < seats else ""
        assert (f"{who} sent sealed pairs." in told) == (sent < seats)
        if sent < seats:
            assert club.json()["paired"] == players[seats - sent :]
            assert "your turn" in letters["alice"].subject
            assert club.refused(who, "pairs:any")
    fields = club.json()
    assert (fields["phase"], fields["ply"]) == ("play", first + seats - 1)
    assert not {"pot", "paired"} & {*fields}
    assert all(len(pair) == 2 for pool in fields["pools"].values() for pair in pool)
    told = f"alice made the pairs {','.join(fields['pools']['alice'])}."
    assert told in plain(letters["bob"].text)


def test_a_line_too_long_for_a_letter_has_dots(club: Club) -> None:
    take(club.open("walomino"))
    shown = club.say("walomino showas alice xanadu 1")
    assert "for the dots, pairs as in the example above:" in plain(shown)
    assert "\n  walomino move 1 alice PASSWORD pairs:...\n" in shown


TAKE = {
    "take:RXG": '"X" is not a colour',
    "take:RRW": '"W" is not a colour',
    "take:R,G": "Write your wishes without blanks or commas",
    "take:": "Write your wishes",
    "take:" + 51 * "R": "You sent 51 wishes, and 50 at a time are allowed",
    "pairs:RG": "Walongs are being taken now: send take:",
    "RG:3,4": "Walongs are being taken now: send take:",
    "pass": "You cannot pass in Walomino",
    "swap": "There is no swap in this game",
    "take:R#2": "counts only as move 2, and the next move on walomino 1 is 1",
}
PAIR = {
    "pairs:RG": "R 10, G 10, Y 4: you have left out 9 R, 9 G and 4 Y.",
    "pairs:" + ",".join(12 * ["RG"]): "left out 4 Y, and named 2 R and 2 G too many.",
    "pairs:RRR,GG": '"RRR" is not a pair',
    "pairs:RW": '"W" is not a colour',
    "take:R": "Pairs are being made now: send pairs:",
    "YY:3,4": "Pairs are being made now: send pairs:",
}
PLAY = {
    "YY:7,9": "Positions 7 and 9 are not adjacent",
    "YY:7,7": "Position 7 is named twice",
    "YY:7,9919": "There is no position 9919: the last one is 9918",
    "YY:1,7": "Position 1 is taken, by Y",
    "RR:7,8": "Pair RR is not in your pool",
    "RG:7,8": "R at 7 does not match the open end at 1, which is Y",
    "YY:2,9": "the other open end: a pair may join only one",
    "YY:20,21": "touches no open end: those are Y at 0 and Y at 1",
    "WY:7,8": '"W" is not a colour',
    "take:any": "Pairs are being played now: send a pair and two positions",
    "pairs:any": "Pairs are being played now: send a pair and two positions",
}
PHASES = (TAKE, PAIR, PLAY)
MISTAKES = [(phase, *said) for phase in range(3) for said in PHASES[phase].items()]


@pytest.mark.parametrize(("phase", "move", "told"), MISTAKES)
def test_mistakes_in_walomino(club: Club, phase: int, move: str, told: str) -> None:
    """Two take what they want, and pair it; the start pair is yellow."""
    club.open("walomino")
    if phase > 0:
        club.move("alice", "take:" + 10 * "R" + 10 * "G" + 4 * "Y")
        club.move("bob", "take:" + 10 * "B" + 10 * "P" + 4 * "Y")
    if phase > 1:
        club.move("alice", "pairs:" + ",".join(10 * ["RG"] + 2 * ["YY"]))
        club.move("bob", "pairs:any")
    assert told in club.refused("alice", move)


def test_a_player_who_rolls_white_chooses(club: Club) -> None:
    fields = club.open("walomino", 3, "-draft=die").json()
    (who,) = fields["turn"]
    shown = club.say("walomino show 1")
    assert f"{who} rolled white and may choose." in plain(shown)
    club.move(who, "take:P")
    pool, held = club.json()["pools"][who], fields["pools"][who]
    assert pool.count("P") > held.count("P")
    history = plain(club.say("walomino history 1"))
    assert f"{who} took P on white" in history


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_all_walongs_are_taken_with_one_mail_each(club: Club, seats: int) -> None:
    """Everybody sends what their letter proposes: a player's letters in this phase are
    as many as its mails."""
    club.open("walomino", seats).accept()
    mails = letters = 0
    while (fields := club.json())["phase"] == "take":
        (who,) = fields["turn"]
        (line,) = fields["proposed"]
        mails += 1
        letters += len(club.send(who, f"move 1 {who} PASSWORD {line}"))
    assert (mails, letters) == (seats, seats * seats)
    assert fields["turn"] == [*FRIENDS[:seats]]


def test_minus_points_add_up_and_the_start_passes_on(club: Club) -> None:
    fields = club.open("walomino", 3, "-draft=random -rounds=3").json()
    sums = dict.fromkeys(fields["players"], 0)
    for number, first in enumerate(fields["players"], 1):
        while (fields := club.json())["phase"] == "pair":
            assert fields["scores"] == sums
            club.move(fields["turn"][0], "pairs:any")
        assert (fields["round"], len(fields["cells"])) == (number, 2)
        assert fields["turn"] == [first]
        while (fields := club.json())["round"] == number and fields["turn"]:
            club.move(fields["turn"][0], fields["legal"][0])
        history = plain(club.say("walomino history 1"))
        ended = rf"(\w+) ended round {number} with ([0-9]+) minus point"
        for who, points in re.findall(ended, history):
            sums[who] += int(points)
    assert fields["scores"] == fields["result"]["scores"] == sums
    best = min(sums.values())
    assert fields["result"]["winners"] == [who for who in sums if sums[who] == best]


@pytest.mark.parametrize(("seats", "moves"), some([*product([3, 4], [0, 5, 30])], 3))
def test_a_player_who_resigns_among_several_ranks_last(
    club: Club, seats: int, moves: int
) -> None:
    fields = club.open("walomino", seats).play(seed=3, most=moves)
    assert fields["status"] == "active"
    gone, *left = FRIENDS[:seats][::-1]
    club.resign(gone)
    letters = club.letters()
    assert {*letters} == {*left}
    assert all(f"{gone} resigned." in plain(letters[who].text) for who in left)
    assert "no longer in this game" in club.refused(gone, "resign")
    assert "resigned" in club.refused(gone, "take:any")
    fields = club.json()
    assert fields["status"] == "active"
    assert gone not in fields["turn"]
    club.play(seed=3, most=3)
    while len(left) > 2:
        club.resign(left.pop(0))
    fields = club.play(seed=3)
    assert fields["result"]["reason"] == "score"
    assert {*fields["result"]["winners"]} <= {*left}


def test_the_last_one_left_wins(club: Club) -> None:
    club.open("walomino", 4)
    for who in ("dave", "carol", "bob"):
        assert club.json()["status"] == "active"
        club.resign(who)
    result = club.json()["result"]
    assert (result["winners"], result["reason"]) == (["alice"], "resigned")
    shown = plain(club.say("walomino showas alice xanadu 1"))
    assert "The game is over: alice won" in shown
    assert "To take, send" not in shown
    assert "Walongs are being taken" not in shown
    assert club.refused("alice", "take:R").startswith("walomino 1 is over")
