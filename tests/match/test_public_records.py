"""Records of all games, proved by a program that knows only what the help pages say."""

import ast
import json
import re
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from pbm_holomino.match import replay
from pbm_holomino.match.board import Match
from pbm_holomino.match.record import NOBODY, Act, Line, Record
from pbm_holomino.rules import load, names
from pbm_holomino.rules.options import configure
from tests.boards import MAIL, TIME, answer, chronicle, finished, line_of
from tests.club import Club
from tests.match import verified
from tests.match.verified.base import Wrong
from tests.match.verifier import Proof, verify
from tests.paths import ROOT
from tests.prose import plain
from tests.sizes import sized

games = pytest.mark.parametrize("game", names())
VERIFIER = [ROOT / "tests/match/verifier.py", *Path(verified.__path__[0]).glob("*.py")]
seeds = st.integers(0, 2**32)


def told(board: Match) -> Proof:
    """What the server says of a finished board."""
    fields = json.loads(answer(board, "history 1 -format=json"))
    table = answer(board, "verify 1")
    rows = re.findall(r"^ *(\d+) +(\d+) +(\d+)$", table, re.MULTILINE)
    draws = [(int(number), int(place), int(among)) for number, place, among in rows]
    result = fields["result"]
    assert fields["scores"] == result["scores"]
    return Proof(
        draws, fields["moves"], result["scores"], result["winners"], result["reason"]
    )


def record(board: Match) -> str:
    return answer(board, "history 1 -format=yaml")


@games
@settings(max_examples=sized(3, 8))
@given(seeds)
def test_the_verifier_and_the_server_agree(game: str, seed: int) -> None:
    board = finished(seed, game)
    assert verify(record(board)) == told(board)


def test_boards_of_every_kind_are_verified() -> None:
    """Boards like those of the test above have all that the pages speak of."""
    boards = [finished(seed, "walomino") for seed in range(60)]
    records = [board.record for board in boards]
    acts = {str(line.action) for record in records for line in record.log}
    seen = {board.result.reason for board in boards if board.result}
    assert seen == {"score", "resigned", "forfeit", "agreed", "declined", "voided"}
    assert {"!undo", "!accept", "!reject", "!propose", "!chat", "!forfeit"} <= acts
    assert {"take:any", "pairs:any"} <= acts
    assert {(len(record.players), record.random) for record in records} == {
        (seats, lot) for seats in (2, 3, 4) for lot in (False, True)
    }
    assert any(board.took_back(i) for board in boards for i in range(len(board.steps)))
    drafts = {record.options["draft"] for record in records}
    assert drafts == {"pot", "die", "random"}
    assert any(len(board.gone) == 2 and len(board.turn) == 0 for board in boards)
    passing = (
        str(line.action)
        for seed in range(40)
        for line in finished(seed, "holo").record.log
    )
    assert any(what.startswith("pass:") for what in passing)


def test_a_record_of_format_2_is_proved_alike() -> None:
    """Who was asked, and that a challenge was accepted, changes no draw."""
    board = finished(11, "holo")
    fields = yaml.load(record(board), yaml.BaseLoader)
    opening, *rest = fields["log"]
    asked, challenger = board.record.players
    newer = fields | {"format": "2", "challenger": challenger}
    accepted = f"- {TIME} {asked} - !accept"
    taken_up = yaml.dump(newer | {"log": [opening, accepted, *rest]})
    assert verify(taken_up) == verify(record(board)) == told(board)
    lapsed = yaml.dump(newer | {"log": [opening, f"- {TIME} - - !lapse"]})
    assert (verify(lapsed).winners, verify(lapsed).reason) == ([], "declined")


@games
@pytest.mark.parametrize("moves", [0, 1])
def test_a_player_who_never_moves_loses_in_a_tournament(game: str, moves: int) -> None:
    """Elsewhere the game would end without a winner."""
    board = paired(game)
    for _ in range(moves):
        (who,) = board.turn
        board = after(board, who, board.view(who).legal[0])
    (late,) = board.turn
    (winner,) = {*board.record.players} - {late}
    board = after(board, late, "!forfeit")
    proof = verify(record(board))
    assert proof == told(board)
    assert (proof.winners, proof.reason) == ([winner], "forfeit")
    elsewhere = record(board).replace("tournament: '3.2'\n", "")
    elsewhere = elsewhere.replace("tournament: 3.2\n", "").replace("!pair", "!rematch")
    assert (verify(elsewhere).winners, verify(elsewhere).reason) == ([], "declined")


def paired(game: str) -> Match:
    """A game of a tournament that has just begun, between players who move in turn."""
    rules = load(game)
    setup = Record(
        game, 1, rules.VERSION, (), False, configure(rules, {}), bytes(32), ()
    )
    setup = setup._replace(challenger="alice", tournament="3.2")
    opening = Line(0, TIME, NOBODY, MAIL, Act.PAIR)
    return replay.begin(setup, ("alice", "bob"), opening)


def after(board: Match, who: str, what: str) -> Match:
    return replay.after(board, line_of(who, what))


@pytest.mark.parametrize("what", ["alice - !accept", "bob - !decline", "- - !lapse"])
def test_a_game_of_a_tournament_need_not_be_accepted(what: str) -> None:
    text = record(after(paired("holo"), "alice", "!resign"))
    falsified = re.sub(r"alice \S+ !resign", what, text)
    assert falsified != text
    with pytest.raises(Wrong, match="nobody had to accept"):
        verify(falsified)


# That it can fail


def falsified(board: Match) -> dict[str, str]:
    """Records that say something else than what was played."""
    text = record(board)
    fields = board.record
    moves = [line for line in text.splitlines() if re.match(r"- [1-9]", line)]
    seal, seed = fields.seal, fields.seed.hex()
    other = ("0" if seed[0] != "0" else "1") + seed[1:]
    return {
        "another seed": text.replace(seed, other),
        "another seal": text.replace(seal, seal[1:] + seal[:1]),
        "a move less": text.replace(moves[0] + "\n", ""),
        "a move twice": text.replace(moves[-1], f"{moves[-1]}\n{moves[-1]}"),
        "not the end": text.replace(moves[-1] + "\n", ""),
        "a move more": f"{text.rstrip()}\n{moves[-1]}\n",
    }


@games
@pytest.mark.parametrize("seed", range(sized(1, 2)))
def test_a_record_that_was_falsified_is_not_proved(game: str, seed: int) -> None:
    boards = (finished(number, game) for number in range(1000 * seed, 9999))
    board = next(b for b in boards if b.result and b.result.reason == "score")
    for what, text in falsified(board).items():
        with pytest.raises((Wrong, ValueError, KeyError, IndexError)):
            raise AssertionError(f"{what}: {verify(text)}")


def test_seats_that_were_not_drawn_so_are_not_proved() -> None:
    boards = (finished(seed, "walomino") for seed in range(99))
    board = next(b for b in boards if b.record.random and len(b.record.players) == 2)
    players = board.record.players
    named = "".join(f"- {player}\n" for player in players)
    turned = "".join(f"- {player}\n" for player in players[::-1])
    text = record(board)
    assert named in text
    with pytest.raises(Wrong, match="seats"):
        verify(text.replace(named, turned))


# A client


def moves_for(fields: dict[str, Any]) -> set[str]:
    """The moves that a client finds by itself, from a line of JSON."""
    cells = {int(position): face for position, face in fields["cells"].items()}
    pool = fields["pools"][fields["turn"][0]]
    rules = import_module(f"{verified.__name__}.{fields['game']}")
    found: set[str] = rules.moves(fields, cells, pool)
    return found


@games
@settings(max_examples=sized(3, 8))
@given(seeds)
def test_a_client_finds_the_legal_moves_by_itself(game: str, seed: int) -> None:
    for number, board in enumerate(chronicle(seed, game)):
        if board.result is None and number % 7 == seed % 7:
            fields = json.loads(answer(board, "show 1 -format=json"))
            assert sorted(moves_for(fields)) == sorted(fields["legal"])
            assert fields["turn"] == [*board.turn]


@pytest.mark.parametrize("path", VERIFIER, ids=lambda path: path.stem)
def test_the_verifier_imports_nothing_of_the_package(path: Path) -> None:
    tree = ast.parse(path.read_text())
    modules = {
        node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)
    }
    plain = [node for node in ast.walk(tree) if isinstance(node, ast.Import)]
    modules |= {alias.name for node in plain for alias in node.names}
    ours = {str(module) for module in modules if str(module).split(".")[0] == "tests"}
    assert all(
        f"{module}.".startswith("tests.match.verified.")
        for module in ours - {"tests.match"}
    )
    assert not [module for module in modules if "pbm_holomino" in str(module)]


# The table of "verify"


def headings(text: str) -> list[tuple[str, int]]:
    """What the table says of some draws, and how many these are."""
    body = text.partition("draw  place  among\n")[2]
    parts = re.split(r"((?:^ *\d+ +\d+ +\d+\n)+)", body, flags=re.MULTILINE)
    counts = [part.count("\n") for part in parts[1::2]]
    return list(zip(map(plain, parts[:-1:2]), counts, strict=True))


def test_the_table_says_what_brought_each_draw(club: Club) -> None:
    club.open("holo", 2, "-random")
    fields = club.json()
    first, second = fields["players"]
    club.move(first, fields["legal"][0])
    drawn = club.json()["drawn"]
    club.resign(second)
    (seats, one), (start, dealt), (move, after) = headings(club.say("holo verify 1"))
    assert (seats, one) == ("The seats:", 1)
    assert start == f"The start: {first} drew {fields['drawn']}."
    assert dealt == 3 + 3 + 1 + 1
    assert move.startswith(f"Move 1: {first} played {fields['legal'][0]}")
    assert move.endswith(f"{second} drew {drawn}.")
    assert after == 1


def test_the_table_names_a_resignation_that_brings_draws(club: Club) -> None:
    club.open("walomino", 3, "-draft=random")  # 48 walongs taken by chance
    for who in ("carol", "bob"):
        club.resign(who)
    table = headings(club.say("walomino verify 1"))
    assert [count for _, count in table] == [48, 16]  # and those of carol paired
    assert [what for what, _ in table][1] == "carol resigned."
    assert [what for what, _ in table][0].startswith("The start: alice took ")


def test_the_sentence_of_the_table_is_true_of_dice_seats_and_pairs(club: Club) -> None:
    club.open("walomino", 2, "-draft=die -random").resign("bob")
    said = plain(club.say("walomino verify 1"))
    assert "modulo the number of things to draw from" in said
    for thing in ("walongs left in the pot", "faces of the die", "pairs are left to"):
        assert thing in said
    assert "for a seat, the players who have none yet" in said
    assert "tiles" not in said
    club.open("holo").resign("bob")
    said = plain(club.say("holo verify 1"))
    assert "They are the tiles left in the sack;" in said
    assert "walongs" not in said
