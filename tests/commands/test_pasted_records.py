"""A record that is pasted in JSON is a position to think about, for whoever asks alone;
what is no record is refused, and it is said what is wrong with it."""

import json
import textwrap
from collections.abc import Mapping
from typing import Any

import pytest

from pbm_holomino import rules
from tests.club import Club, Fields
from tests.prose import plain

every_game = pytest.mark.parametrize("game", rules.names())
Change = Mapping[str, Any]


def ended(club: Club, game: str, moves: int = 6, seats: int = 2) -> str:
    """The record of a game whose last players resign after these moves."""
    club.open(game, seats, "-draft=random" if game == "walomino" else "").play(3, moves)
    while turn := club.json()["turn"]:
        club.resign(turn[0])
    return club.say(f"{game} history 1 -format=json")


def typed(club: Club, text: str, words: str = "") -> str:
    """What a player is shown, or told, who types this with a text."""
    line = f"{club.game} analyse carol {{carol}} {words}"
    return club.server.type(line, f"-m={text}").text


def fields(club: Club, text: str, words: str = "") -> Fields:
    found: Fields = json.loads(typed(club, text, f"{words} -format=json"))
    return found


def refused(club: Club, text: str) -> str:
    """What is said of a text that is refused; nothing has changed."""
    before = club.server.records()
    answer = club.server.type(f"{club.game} analyse carol {{carol}}", f"-m={text}")
    assert answer.status in (1, 2), answer.text
    assert club.server.records() == before
    return plain(answer.text)


def changed(text: str, **fields: Any) -> str:
    return json.dumps({**json.loads(text), **fields})


@every_game
def test_a_record_with_its_seed_is_played_again(club: Club, game: str) -> None:
    text = ended(club, game)
    said = plain(typed(club, text))
    assert said.startswith("This is an analysis for your eyes only, of the record in")
    assert "Its seed fits its seal, its moves and its draws. That proves no " in said
    found, there = fields(club, text), json.loads(text)
    assert found["taken"] == {"verified": True}
    assert found["cells"] == there["cells"]
    assert (found["ply"], found["analysis"]["since"]) == (6, 6)
    assert found.keys().isdisjoint({"board", "seal", "seed", "match", "clocks"})


@every_game
def test_the_line_goes_on_from_its_moves(club: Club, game: str) -> None:
    """Moves that are taken out of a record are possible again."""
    text = ended(club, game)
    moves = json.loads(text)["moves"]
    before = changed(text, moves=moves[:-1])
    who, move = moves[-1].split(" ")
    found = fields(club, before, move)
    assert found["analysis"]["moves"] == [f"{who} {move}"]
    assert found["cells"] == fields(club, text)["cells"]


def test_draws_are_sampled_and_chosen(club: Club) -> None:
    text = ended(club, "hextol")
    move = fields(club, text)["legal"][0]
    assert fields(club, text, move)["analysis"]["open"]
    found = fields(club, text, f"{move} -sample")["analysis"]
    assert not found["open"]
    assert found["draws"][0]


def test_seats_that_were_drawn_by_lot_are_drawn_again(club: Club) -> None:
    club.open("holo", options="-random").play(3, 4)
    club.resign(club.json()["turn"][0])
    text = club.say("holo history 1 -format=json")
    assert fields(club, text)["taken"] == {"verified": True}
    players = json.loads(text)["players"]
    said = refused(club, changed(text, players=players[::-1]))
    assert 'does not fit its draws: "players" would be otherwise' in said


@every_game
def test_without_a_seed_only_the_board_is_taken(club: Club, game: str) -> None:
    club.open(game, 2, "-draft=random" if game == "walomino" else "").play(3, 7)
    text = club.say(f"{game} history 1 -format=json")
    there = json.loads(text)
    found = fields(club, text)
    assert found["taken"] == {"verified": False}
    assert found["cells"] == there["cells"]
    assert found["turn"] == ["carol"]
    assert f"in place of {there['turn'][0]}, and each of you" in plain(
        typed(club, text)
    )
    line = [found["legal"][0]]
    line.append(fields(club, text, line[0])["legal"][0])
    moves = fields(club, text, " ".join(line))["analysis"]["moves"]
    assert moves == [f"carol {line[0]}", f"? {line[1]}"]
    assert "has no meaning" in typed(club, text, f"{line[0]} -sample")


def test_where_somebody_dropped_out_only_the_board_is_taken(club: Club) -> None:
    text = ended(club, "walomino", 9, seats=3)
    assert fields(club, text)["taken"] == {"verified": False}


@pytest.mark.parametrize("width", [60, 76])
@pytest.mark.parametrize("mark", ["", "> ", ">> ", "    "])
def test_mail_programs_may_wrap_and_quote_it(club: Club, mark: str, width: int) -> None:
    text = ended(club, "holo")
    lines = textwrap.wrap(text, width, break_long_words=False)
    quoted = "\n".join(f"{mark}{line}" for line in lines)
    told = f"Look, bob:\n\n{quoted}\n\nAlice"
    assert fields(club, told) == fields(club, text)


# What is refused


WRONG: list[Change] = [
    {"moves": 7},
    {"moves": [7]},
    {"moves": None},
    {"players": "alice"},
    {"players": ["alice"]},
    {"players": ["alice", "alice"]},
    {"players": ["alice", ["bob"]]},
    {"seed": 12},
    {"seed": "12"},
    {"seal": []},
    {"options": []},
    {"options": {"pool_size": [3]}},
    {"match": 1},
    {"match": {"random": "yes"}},
]
WRONG_BOARDS: list[Change] = [
    {"cells": []},
    {"cells": {"-1": "123"}},
    {"cells": {"0": 123}},
    {"cells": {"0": ""}},
    {"cells": {"0": "\x1b"}},
    {"cells": {"9" * 9: "123"}},
    {"cells": {"\u0661": "123"}},
    {"turn": "alice"},
    {"turn": ["zoe"]},
    {"joints": {}},
    {"joints": [[0]]},
    {"joints": [[0, 0]]},
    {"joints": [[0, True]]},
    {"joints": [[0, 10_000]]},
]


@pytest.mark.parametrize("change", WRONG)
def test_a_field_of_another_kind_is_named(club: Club, change: Change) -> None:
    said = refused(club, changed(ended(club, "holo", 3), **change))
    (name,) = change if "random" not in str(change) else ("random",)
    assert f'In the record, "{name}" is not as "help json" describes it.' in said


@pytest.mark.parametrize("change", WRONG_BOARDS)
def test_so_it_is_in_a_record_without_a_seed(club: Club, change: Change) -> None:
    club.open("holo").play(3, 3)
    said = refused(club, changed(club.say("holo history 1 -format=json"), **change))
    (name,) = change
    assert f'In the record, "{name}" is not as "help json" describes it.' in said


@every_game
@pytest.mark.parametrize("face", ["X", "12", "999", "RG"])
def test_a_tile_that_no_game_has_is_refused(club: Club, game: str, face: str) -> None:
    club.open(game, 2, "-draft=random" if game == "walomino" else "").play(3, 5)
    there = json.loads(club.say(f"{game} history 1 -format=json"))
    cells = {**there["cells"], min(there["cells"]): face}
    said = refused(club, changed(json.dumps(there), cells=cells))
    assert " in the record: " in said


def test_a_record_of_another_game_is_refused(club: Club) -> None:
    text = ended(club, "holo", 3)
    club.game = "hextol"
    assert 'a record of "holo", and you asked for hextol' in refused(club, text)


def test_moves_that_are_impossible_are_named(club: Club) -> None:
    text = ended(club, "holo", 4)
    moves = json.loads(text)["moves"]
    for at, told in ((2, "alice 999:3"), (1, moves[0]), (3, "zoe 123:1"), (0, "")):
        made = [*moves[:at], told, *moves[at + 1 :]]
        said = refused(club, changed(text, moves=made))
        assert said.startswith(f'Move {at + 1} of the record, "{told}": '), told


def test_a_seed_that_does_not_fit_is_refused(club: Club) -> None:
    text = ended(club, "holo", 2)
    assert "does not fit its seal" in refused(club, changed(text, seed="0" * 64))
    pools = {"alice": ["123"], "bob": []}
    said = refused(club, changed(text, pools=pools))
    assert 'does not fit its draws: "pools" would be otherwise' in said


def test_the_place_is_named_where_it_is_cut(club: Club) -> None:
    text = ended(club, "holo", 2).strip()
    said = refused(club, f"Look!\n\n> {text[:-1]}")
    assert said.startswith(f"Line 3, column {len(text) + 2}: ")
    assert "it is not JSON" in said
    assert refused(club, f"{text}\n{text}").startswith("Line 2, column 1: Another")
    digits = '{"game": "holo",\n "ply": ' + "1" * 21 + "}"
    assert refused(club, digits) == (
        "Line 2, column 9: No number of a record has so many digits."
    )


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "{}",
        "{" * 100_000,
        '{"a":' * 100_000,
        '{"game": ' + "[" * 900_000,
        '{"game": ' + "9" * 900_000 + "}",
        '{"game": {}}',
        '{"game": "holo", "seed": "' + "0" * 900_000 + '"}',
        '{"game": "holo"}',
        "{" + " " * 10_000_000 + "}",
    ],
    ids=range(10),
)
def test_hostile_texts_are_refused(club: Club, text: str) -> None:
    club.game = "holo"
    assert "Traceback" not in refused(club, text)


def test_a_record_in_yaml_is_none(club: Club) -> None:
    """Players have such files, too: "export" brings them."""
    ended(club, "holo")
    said = refused(club, club.say("holo history 1 -format=yaml"))
    assert said == (
        "I see no board there. Please paste one as a letter or a page shows it, or the "
        "record of a game in JSON (not in YAML)."
    )
