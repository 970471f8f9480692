"""What the store holds, as matches and players, and what of it is not trusted."""

import hashlib
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from pbm_holomino.draw.text import draw
from pbm_holomino.errors import CorruptFile, NotFound
from pbm_holomino.letters.letter import Letter
from pbm_holomino.match import replay
from pbm_holomino.match.account import AccountLine, Change, Kind
from pbm_holomino.match.deadlines import Wait
from pbm_holomino.store.summary import Summary
from tests.house import House, home
from tests.prose import plain, titles

Data = dict[str, Any]


def play(house: House, moves: int, board: int = 1) -> None:
    """Make so many moves, by shell."""
    for _ in range(moves):
        found = house.match(board)
        (who,) = found.turn
        move = found.view(None).legal[0]
        assert house.type(f"holo move {board} {who} {{{who}}} {move}").status == 0


# A board's file


def test_a_board_is_read_as_it_was_saved(house: House) -> None:
    play(house, 3)
    before = house.match()
    house.library.save(before)
    assert house.match() == before


def test_a_file_is_readable_for_people(house: House) -> None:
    play(house, 2)
    text = house.document("holo", "1").read_text()
    found = house.match()
    for line, who in ((1, "alice"), (2, "bob")):
        what = found.record.log[line].action
        assert f"\n- {line} {house.time} {who} - {what}\n" in text
    picture = draw(found.view(None).drawing)
    # last, so that `cat` ends with the board
    block = text.partition("\npicture: |")[2].partition("\n")[2]
    assert [line.removeprefix("  ") for line in block.splitlines()] == (
        picture.splitlines()
    )


def test_derived_values_are_in_the_file_for_lists(house: House) -> None:
    play(house, 1)
    data = house.data("holo", "1")
    assert (data["status"], data["turn"], data["ply"]) == ("active", ["bob"], "1")
    assert data["scores"] == {"alice": "0", "bob": "0"}
    house.type("holo resign 1 bob {bob}")
    data = house.data("holo", "1")
    assert (data["status"], data["turn"], data["ply"]) == ("over", [], "1")


def test_derived_values_are_never_trusted(house: House) -> None:
    play(house, 2)
    before = house.match()
    wrong = {"status": "over", "turn": ["alice", "bob"], "ply": "40", "picture": "x"}
    house.put("holo", "1", {**house.data("holo", "1"), **wrong, "scores": {}})
    assert house.match() == before
    house.document("holo", "1").write_text(
        house.document("holo", "1").read_text().partition("status:")[0]
    )
    assert house.match() == before


def test_a_board_that_is_not_there(house: House) -> None:
    with pytest.raises(NotFound, match="no board holo 2"):
        house.match(2)


def swap_log(data: Data) -> None:
    data["log"][1:3] = data["log"][2:0:-1]


def take_anothers_tile(data: Data) -> None:
    words = data["log"][1].split()
    other = data["log"][2].split()[-1].partition(":")[0]
    data["log"][1] = " ".join([*words[:-1], f"{other}:1"])


def change_seed(data: Data) -> None:
    data["seed"] = "00" * 32


def change_seed_and_seal(data: Data) -> None:
    data["seed"] = "00" * 32
    data["seal"] = hashlib.sha256(bytes(32)).hexdigest()


DAMAGES: dict[str, Callable[[Data], None]] = {
    "no log": lambda data: data.pop("log"),
    "an empty log": lambda data: data.update(log=[]),
    "no first line": lambda data: data["log"].pop(0),
    "no second line": lambda data: data["log"].pop(1),
    "a move twice": lambda data: data["log"].append(data["log"][-1]),
    "moves in another order": swap_log,
    "a tile that was not there": take_anothers_tile,
    "another seed": change_seed,
    "another seed with its seal": change_seed_and_seal,
    "no version": lambda data: data.update(version="one"),
    "another board": lambda data: data.update(board="2"),
    "another game": lambda data: data.update(game="hextol"),
    "another player": lambda data: data.update(players=["alice", "carol"]),
    "other seats": lambda data: data["players"].reverse(),
    "other options": lambda data: data["options"].update(pool_size="2"),
    "no options": lambda data: data.update(options={}),
    "an act that nobody knows": lambda data: data["log"].append(
        "- 2026-11-20T04:12:33Z alice - !abracadabra"
    ),
    "a move after the end": lambda data: data["log"].extend(
        ["- 2026-11-20T04:12:33Z alice - !resign", data["log"][1]]
    ),
    "not a mapping of all": lambda data: data.clear(),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_log_that_does_not_replay_is_named_and_left(
    house: House, damage: str
) -> None:
    play(house, 3)
    data = house.data("holo", "1")
    DAMAGES[damage](data)
    house.put("holo", "1", data)
    before = house.files()
    with pytest.raises(CorruptFile, match=house.called("holo", "1")):
        house.match()
    assert house.files() == before


@pytest.mark.parametrize("text", ["", "- a\n- b\n", "text", "a: b\n", "[[[["])
def test_a_file_that_is_not_a_board_is_named(house: House, text: str) -> None:
    house.document("holo", "1").write_text(text)
    with pytest.raises(CorruptFile, match=house.called("holo", "1")):
        house.match()


# Lists


def test_boards_are_listed_by_number(house: House) -> None:
    for _ in range(2):
        house.type("holo challenge alice bob")
    house.document("holo", "notes").write_text("a: b\n")
    assert house.library.lists.boards("holo") == [1, 2, 3]
    assert house.library.lists.boards("nothing") == []


def test_a_new_board_never_takes_the_number_of_another(house: House) -> None:
    house.type("holo challenge alice bob")
    house.document("holo", "1").unlink()
    two = house.match(2)
    house.type("holo challenge bob alice")
    assert house.library.lists.boards("holo") == [2, 3]
    assert house.match(2) == two


def with_four_boards(house: House) -> House:
    """1: alice to move; 2: bob to move; 3: over; 4: carol against bob."""
    house.sign_up("carol")
    for line in (
        "holo challenge alice bob",
        "holo challenge alice bob",
        "holo challenge carol bob",
    ):
        house.type(line)
    play(house, 1, board=2)
    house.type("holo resign 3 bob {bob}")
    return house


@pytest.mark.parametrize(
    ("who", "which", "boards"),
    [
        (["alice"], "active", [1, 2]),
        (["alice"], "inactive", [3]),
        (["alice"], "all", [1, 2, 3]),
        (["alice"], "next", [1]),
        (["bob"], "next", [2]),
        (["bob"], "active", [1, 2, 4]),
        (["alice", "carol"], "next", [1, 4]),
        ([], "active", [1, 2, 4]),
        ([], "next", [1, 2, 4]),
        ([], "inactive", [3]),
        (["nobody"], "all", []),
    ],
)
def test_lists_by_player_and_state(
    house: House, who: list[str], which: str, boards: list[int]
) -> None:
    with_four_boards(house)
    found = house.library.lists.boards_of(who, which)
    assert [summary.board for summary in found.boards] == boards


def test_the_summary_of_a_board(house: House) -> None:
    house.by_mail("alice", "aaaa000000000001", "holo challenge bob alice")
    (_, summary) = house.library.lists.summaries(["holo"])
    assert summary == Summary(
        game="holo",
        board=2,
        players=("bob", "alice"),
        status="active",
        turn=("bob",),
        ply=0,
        scores={"bob": 0, "alice": 0},
        result=None,
        places={},
        opening_mail="aaaa000000000001",
        due="2026-12-11T08:00:00Z",  # the challenge lapses after three weeks
        last_change=house.time,
        seen={"alice": house.time},
        challenger="alice",
        unanswered=("bob",),
        nag=7,
        waits={"bob": Wait(house.time, "2026-12-11T08:00:00Z")},
    )


def test_the_boards_of_players_whose_account_is_gone(house: House) -> None:
    with_four_boards(house)
    house.document("players", "alice").unlink()
    assert titles(house.type("holo show alice all").text) == ["1", "2", "3"]
    assert house.type("holo games alice").text.count("alice") >= 2
    house.document("players", "carol").unlink()
    assert house.type("holo show carol inactive").status == 0  # there is none
    assert house.type("holo show dave inactive").status == 1  # there is no dave


@pytest.mark.parametrize("text", ["", "a: b\n", "[[[[", "log: []\ngame: holo\n"])
def test_a_damaged_board_is_left_out_of_lists(house: House, text: str) -> None:
    with_four_boards(house)
    house.document("holo", "2").write_text(text)
    house.library.lists.scan()  # as a tick does, to notice changes by hand
    found = house.library.lists.boards_of((), "all")
    assert [summary.board for summary in found.boards] == [1, 3, 4]


# Players


def test_an_account_is_found_by_its_userid(house: House) -> None:
    alice = house.library.player("alice")
    assert alice is not None
    assert (alice.userid, alice.addresses) == ("alice", (home("alice"),))
    assert house.library.player("nobody") is None


def test_a_deleted_account_keeps_only_its_name(house: House) -> None:
    house.sign_up("carol")
    assert house.type("delete carol {carol}").status == 0
    assert house.library.player("carol") is None
    assert not house.library.knows("carol")
    assert house.library.account("carol") is not None


def test_broadcasts_reach_signed_on_players(house: House) -> None:
    house.sign_up("carol")
    assert [*house.library.signed_on()] == ["alice", "bob", "carol"]
    house.type("signoff alice {alice}")
    house.type("delete carol {carol}")
    house.document("players", "dave").write_text("[")
    assert [*house.library.signed_on()] == ["bob"]


@pytest.mark.parametrize(
    "word", ["../players/alice", "alice\0", "", "x" * 300, "holo/1"]
)
def test_a_name_never_leads_out_of_the_folder(house: House, word: str) -> None:
    assert house.library.player(word) is None


def test_a_saved_account_has_a_mark_for_its_last_line(house: House) -> None:
    alice = house.library.player("alice")
    assert alice is not None
    changed = alice.after(
        AccountLine(None, house.time, "alice", "-", Change(Kind.PASSWORD))
    )
    house.library.save(changed, changed.log[-1].no)
    assert house.library.player("alice") == changed
    assert house.store.marks.unsent("players") == {"alice": [2]}


@pytest.mark.parametrize(
    "damage",
    [
        {"password": "nonsense"},
        {"password": ["a"]},
        {"addresses": home("alice")},
        {"addresses": ["-oQ/tmp"]},
        {"log": ["nonsense"]},
        {"userid": "bob"},
        {"status": "asleep"},
        {"notes": ["text"]},
    ],
)
def test_a_damaged_account_is_named(house: House, damage: Data) -> None:
    house.put("players", "alice", {**house.data("players", "alice"), **damage})
    before = house.files()
    answer = house.type("holo showas alice {alice} 1")
    assert house.called("players", "alice") in plain(answer.text)
    assert answer.status == 1
    assert house.files() == before


# What one damaged file means for the others


def test_a_damaged_board_is_named_and_stops_nobody(house: House) -> None:
    house.type("holo challenge alice bob")
    house.document("holo", "2").write_text("[")
    for line in ("show 2", "history 2", "preview 2 123:1", "move 2 bob {bob} 123:1"):
        answer = house.type(f"holo {line}")
        assert house.called("holo", "2") in plain(answer.text)
        assert answer.status == 1
    shown = house.type("holo show 1 2").text
    assert titles(shown) == ["1"]
    assert house.called("holo", "2") in plain(shown)
    assert titles(house.type("all show alice").text) == ["1"]
    assert house.type(f"holo move 1 alice {{alice}} {house.legal()[0]}").status == 0
    assert house.type("holo challenge alice bob").status == 0
    assert house.match(3).record.board == 3
    assert house.document("holo", "2").read_text() == "["


def test_a_damaged_account_does_not_stop_the_opponent(house: House) -> None:
    whole = house.data("players", "bob")
    house.document("players", "bob").write_text("[")
    assert house.type(f"holo move 1 alice {{alice}} {house.legal()[0]}").status == 0
    assert house.match().ply == 1
    answer = house.type("holo showas bob {bob}")
    assert house.called("players", "bob") in plain(answer.text)
    # the letter is not lost: it goes when the account is mended
    house.put("players", "bob", whole)
    house.deliver(house.match())
    assert [letter.to for letter in house.sent] == [(home("bob"),)]


def test_a_player_who_may_be_on_a_damaged_board_is_not_deleted(house: House) -> None:
    house.damage("holo", "1")
    house.library.lists.scan()  # as a tick does, to notice changes by hand
    answer = house.type("delete bob {bob}")
    assert answer.status == 1
    assert house.called("holo", "1") in plain(answer.text)
    assert house.library.player("bob") is not None


def test_nothing_is_forgotten_while_somebody_is_sending_it(house: House) -> None:
    house.sign_up("carol")
    house.sent.clear()

    def leave_meanwhile(letter: Letter) -> Mapping[str, str]:
        assert House(house.folder).type("delete carol {carol}").status == 0
        return dict.fromkeys(letter.to, "The post office is closed.")

    house.server.delivery.post = leave_meanwhile
    house.type("message carol {carol} alice -m=Hello")
    carol = house.library.account("carol")
    house.server.delivery.post = house.keep
    assert carol is not None
    house.deliver(carol, *house.store.marks.unsent("players")["carol"])
    assert [letter.to for letter in house.sent] == [(home("alice"),)]
    assert "Hello" in house.sent[0].text


def test_one_damaged_result_does_not_hide_the_others(house: House) -> None:
    house.type("holo challenge alice bob")
    for board in (1, 2):
        house.type(f"holo resign {board} bob {{bob}}")
    house.put("holo", "1", {**house.data("holo", "1"), "seed": "00" * 32})
    for form in ("text", "json"):
        answer = house.type(f"holo history -format={form}")
        assert answer.status == 0
        assert "holo 2" in answer.text or '"board": 2' in answer.text


def test_a_whole_game_is_read_as_it_was_played(house: House) -> None:
    house.type("holo challenge alice bob -num-digits=4 -random")
    while house.match(2).turn:
        play(house, 1, board=2)
    found = house.match(2)
    assert found == replay.replay(found.record)
    assert found.result is not None
