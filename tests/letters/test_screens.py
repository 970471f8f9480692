"""Boards as people and programs read them, beside the same games counted slowly."""

import hashlib
import hmac
import html
import json
import random
import re
from typing import Any

import pytest
import yaml

from tests.draw.readers import read_bitten as read
from tests.house import NOW, PASSWORDS, SEED, House
from tests.rules import naive_holo as naive
from tests.rules.spiral import NUMBER

USUAL: dict[str, Any] = {"non_unique": False, "num_digits": 6, "pool_size": 3}
USUAL |= {"limit_scores": False, "board_size": None}
SMALL = USUAL | {"non_unique": True, "num_digits": 3, "limit_scores": True}
TINY = USUAL | {"num_digits": 4, "pool_size": 2, "board_size": 3}
# By these choices a board of the usual kind becomes 98 columns wide, and the game on
# a tiny one ends as both pass.
WIDE, PASSES = 6, 29
SEAL = hashlib.sha256(SEED).hexdigest()
PLIES = [0, 4, 19, 37, 38]  # 1, 5, 20, 38 tiles; and 39, when the game is over


class Played:
    """A board of a server, and the same game in the slow engine, played alike by
    chance."""

    def __init__(self, server: House, options: dict[str, Any], choice: int) -> None:
        words = " ".join(
            f"-{name}={'yes' if value is True else value}"
            for name, value in options.items()
            if value not in (None, False)
        )
        self.server, self.board = server, server.challenge(words)
        self.game = naive.begin(options, SEED)
        self.options = options
        self.chance = random.Random(choice)
        self.moves: list[str] = []

    def move(self) -> None:
        move = self.chance.choice(sorted(self.game.moves()))
        self.moves.append(f"{self.who} {move}")
        words = f"holo move {self.board} {self.who} {PASSWORDS[self.who]} {move}"
        assert self.server.type(words).status == 0
        self.game = self.game.after(self.game.moves()[move])

    @property
    def who(self) -> str:
        return ("alice", "bob")[self.game.turn]

    def play(self, plies: int) -> "Played":
        while len(self.moves) < plies and not self.game.over:
            self.move()
        return self


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """Boards 1 to 5, after so many moves as PLIES says; and how they stand."""
    folder = tmp_path_factory.mktemp("screens") / "store"
    server = House(folder).sign_up()
    return [Played(server, USUAL, WIDE).play(plies) for plies in PLIES]


@pytest.fixture
def copy(table, tmp_path):
    """The table's server, to be changed."""
    return table[0].server.copy(tmp_path / "games")


# The screen


def picture_of(screen: str) -> str:
    """The board, which stands between the title and what comes below it."""
    below = "(?:The best moves|You can send|What has happened)"
    found = re.search(rf"\n\n(.*?)\n\n{below}", screen, re.DOTALL)
    assert found
    return re.sub(r"\A\(.*\n", "", found[1] + "\n")


@pytest.mark.parametrize("reader", ["", "alice", "bob"])
@pytest.mark.parametrize("index", range(len(PLIES)))
def test_a_screen_keeps_its_columns(table, index: int, reader: str) -> None:
    played = table[index]
    as_them = f"showas {reader} {PASSWORDS[reader]}" if reader else "show"
    text = played.server.type(f"holo {as_them} {played.board}").text
    picture = picture_of(text)
    assert max(map(len, text.replace(picture, "").splitlines())) <= 72
    assert not re.search(r"[ \t]$", text, re.MULTILINE)
    width = max(map(len, picture.splitlines()))
    assert (f"{width} columns wide" in text) == (width > 79) == (index > 2)


@pytest.mark.parametrize("index", range(len(PLIES)))
def test_the_picture_shows_the_board(table, index: int) -> None:
    played = table[index]
    seen = read(picture_of(played.server.type(f"holo show {played.board}").text))
    left, top = min(played.game.cells)
    moved = {(col - left, row - top): f for (col, row), f in played.game.cells.items()}
    assert seen.faces == moved
    places = {cell for _, cell in played.game.moves().values() if cell}
    labels = {cell: str(NUMBER[cell]) for cell in places}
    labels |= dict.fromkeys(played.game.blocked(), "x")
    assert seen.labels == {(c - left, r - top): word for (c, r), word in labels.items()}


@pytest.mark.parametrize("index", range(len(PLIES)))
def test_all_that_a_choice_needs_is_there(table, index: int) -> None:
    played, game = table[index], table[index].game
    who, live = played.who, not played.game.over
    text = played.server.type(f"holo showas {who} {PASSWORDS[who]} {played.board}").text
    for seat, name in enumerate(("alice", "bob")):
        mark = ">" if live and name == who else " "
        tiles = " ".join(game.pools[seat]) or "-"
        row = rf"^  {mark} {name:5} +{game.scores[seat]}  {tiles}$"
        assert re.search(row, text, re.MULTILINE)
    left = len(game.sack)
    assert (f"{left} tiles are left" if left else "The sack is empty.") in text
    assert f"Seal: {SEAL}\n" in text
    assert ("It is your turn" in text) == live == ("PASSWORD" in text)
    assert ("Seed: " in text) == (not live)
    if played.moves:
        mover, move = played.moves[-1].split()
        assert f"{'You' if mover == who else mover} played {move}" in text
    tile = game.pools[game.turn][-1]
    assert (f"You drew {tile}." in text) == (live and len(played.moves) <= 32)


@pytest.mark.parametrize("index", range(len(PLIES) - 1))
def test_the_moves_are_listed_and_the_words_to_send_work(
    copy, table, index: int
) -> None:
    played = table[index]
    text = copy.type(f"holo show {played.board}").text
    listed = re.findall(r"^  (\d{3}): ((?:[\d ()+]|\n {5,})+)$", text, re.MULTILINE)
    moves = {
        f"{tile}:{place.partition('(')[0]}"
        for tile, places in listed
        for place in places.split()
    }
    every = set(played.game.moves())
    assert moves <= every
    assert len(moves) == min(len(every), 40)
    (words,) = re.findall(r"^  (holo move .*)$", text, re.MULTILINE)
    done = copy.type(words.replace("PASSWORD", PASSWORDS[played.who]))
    assert done.status == 0
    assert f"You played {words.split()[-1]}" in done.text


def test_a_past_position_offers_no_moves(table) -> None:
    played = table[2]
    then = played.server.type(f"holo show {played.board}#4").text
    assert then.startswith("Holomino, board 3, after move 4: alice against bob\n")
    assert (
        read(picture_of(then)).faces
        == read(
            picture_of(played.server.type(f"holo show {table[1].board}").text)
        ).faces
    )
    assert "PASSWORD" not in then
    assert "at the start" in played.server.type(f"holo show {played.board}#0").text
    answer = played.server.type(f"holo show {played.board}#20")
    assert (answer.status, "19" in answer.text) == (1, True)


def test_the_score_of_a_move_is_named(server: House) -> None:
    server.challenge()
    server.type("holo move 1 alice xanadu 142:4")
    text = server.type("holo move 1 bob better4 234:3").text
    assert "You played 234:3 and scored 9. alice drew 123." in text
    assert "bob played 234:3 and scored 9." in server.type("holo history 1").text


def test_a_player_who_must_pass_is_told_so(server: House) -> None:
    played = Played(server, TINY, PASSES).play(4)
    text = server.type(f"holo show {played.board}").text
    assert "by tile and position" not in text
    (words,) = re.findall(r"^  (holo move .*)$", text, re.MULTILINE)
    assert words.split()[-1] in played.game.moves()
    for move in played.game.moves():  # pass:123 and so on, a tile of the pool each
        assert move.removeprefix("pass:") in text.partition("turn")[2]


def test_the_longest_userids_keep_the_columns(server: House, monkeypatch) -> None:
    first, second = "a" * 20, "b" * 20
    monkeypatch.setitem(PASSWORDS, first, "secret")
    monkeypatch.setitem(PASSWORDS, second, "secret")
    server.sign_up(first, second)
    board = server.challenge("-pool_size=19", f"{first} {second}")
    commands = [f"show {board}", f"games {first}", f"history {board}"]
    server.play(board, moves=3)
    texts = [server.type(f"holo {command}").text for command in commands]
    assert server.type(f"holo resign {board} {first} secret").status == 0
    texts += [server.type(f"holo {command}").text for command in (*commands, "history")]
    for text in texts:
        assert max(map(len, text.splitlines())) <= 72


# The formats


COMMANDS = ["show 3", "show 3#7", "show 5", "preview 3 {}", "history 3"]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_format_for_forums_holds_the_same_text(table, command: str) -> None:
    move = min(table[2].game.moves())
    forms = {
        form: table[2].server.type(f"holo {command.format(move)} -format={form}").text
        for form in ("bbcode", "markdown", "html")
    }
    inside = re.fullmatch(r"<pre>\n([^<>]*)</pre>\n", forms["html"])
    assert inside
    text = html.unescape(inside[1])
    assert forms["bbcode"] == f"[code]\n{text}[/code]\n"
    assert forms["markdown"] == f"```\n{text}```\n"


@pytest.mark.parametrize("command", COMMANDS)
def test_text_is_the_usual_format(table, command: str) -> None:
    line = f"holo {command.format(min(table[2].game.moves()))}"
    text = table[2].server.type(f"{line} -format=text").text
    assert text == table[2].server.type(line).text


FIELDS = ["game", "board", "ply", "status", "phase", "round", "players", "turn"]
FIELDS += ["options", "robots", "rated", "match", "scores", "pools", "drawn", "sack"]
FIELDS += ["cells", "blocked"]
FIELDS += ["last", "legal", "proposed", "seal", "seed", "result"]


def expected(played: Played) -> dict[str, Any]:
    """What the public interface says of a board, but for its moves."""
    game, names = played.game, ("alice", "bob")
    scores = dict(zip(names, game.scores, strict=True))
    best = [name for name in names if scores[name] == max(scores.values())]
    cells = {str(NUMBER[cell]): face for cell, face in game.cells.items()}
    result = {"winners": best, "reason": "score", "scores": scores}
    fields: dict[str, Any] = {
        "game": "holo",
        "board": played.board,
        "ply": len(played.moves),
        "status": "over" if game.over else "active",
        "phase": "play",
        "round": 1,
        "players": ["alice", "bob"],
        "turn": [] if game.over else [played.who],
        "options": {k: v for k, v in played.options.items() if v is not None},
        "rated": True,
        "match": {"random": False, "nag": 7, "forfeit": 21},
        "scores": scores,
        "pools": dict(zip(names, map(list, game.pools), strict=True)),
        "sack": len(game.sack),
        "cells": cells,
        "blocked": sorted(NUMBER[cell] for cell in game.blocked()),
        "seal": SEAL,
        "result": result if game.over else None,
    }
    if played.moves:
        fields["last"] = played.moves[-1]
    if game.over:
        fields["seed"] = SEED.hex()
    return fields


@pytest.mark.parametrize(
    ("options", "choice"),
    [(USUAL, 3), (SMALL, 5), (TINY, PASSES)],
)
def test_json_is_the_public_interface(server: House, options: Any, choice: int) -> None:
    played = Played(server, options, choice)
    draws = 0
    while True:
        text = server.type(f"holo show {played.board} -format=json").text
        assert text.endswith("}\n")
        assert text.count("\n") == 1
        shown: dict[str, Any] = json.loads(text)
        assert list(shown) == [field for field in FIELDS if field in shown]
        assert [*map(int, shown["cells"])] == sorted(map(int, shown["cells"]))
        legal, drawn = shown.pop("legal"), shown.pop("drawn", None)
        assert shown.pop("proposed", []) == legal  # a letter lists them all
        assert sorted(legal) == sorted(played.game.moves())
        fresh, draws = played.game.draws > draws, played.game.draws
        assert drawn == (played.game.pools[played.game.turn][-1] if fresh else None)
        assert shown == expected(played)
        if played.game.over:
            break
        played.move()


def test_a_board_that_was_resigned_has_no_more_moves(copy: House) -> None:
    copy.type("holo resign 3 bob better4")
    shown = copy.json(3)
    assert (shown["status"], shown["turn"], shown["legal"]) == ("over", [], [])
    scores = shown["scores"]
    result = {"winners": ["alice"], "reason": "resigned", "scores": scores}
    assert shown["result"] == result
    text = copy.type("holo show 3").text
    assert set(read(picture_of(text)).labels.values()) <= {"x"}


# Previews


def test_a_preview_keeps_nothing_and_draws_nothing(table) -> None:
    played, server = table[2], table[2].server
    before, move = server.records(), min(played.game.moves())
    text = server.type(f"holo preview 3 {move}").text
    shown = json.loads(server.type(f"holo preview 3 {move} -format=json").text)
    face, cell = played.game.moves()[move]
    assert shown["cells"] == expected(played)["cells"] | {str(NUMBER[cell]): face}
    assert shown["sack"] == len(played.game.sack)
    assert "drawn" not in shown
    assert f"{played.who} played {move}" in text
    assert "preview" in text
    assert server.records() == before


def test_a_preview_says_whose_turn_it_would_be(table) -> None:
    played, move = table[2], min(table[2].game.moves())
    shown = json.loads(played.server.type(f"holo preview 3 {move} -format=json").text)
    assert shown["turn"] == [{"alice": "bob", "bob": "alice"}[played.who]]
    assert shown["last"] == f"{played.who} {move}"


def test_a_preview_ends_where_a_tile_is_drawn(table) -> None:
    played, server = table[2], table[2].server
    move = min(played.game.moves())
    both = server.type(f"holo preview 3 {move} pass").text
    alone = server.type(f"holo preview 3 {move}").text
    assert "drawn" in both
    assert picture_of(both) == picture_of(alone)


def test_a_preview_goes_on_where_the_sack_is_empty(server: House) -> None:
    played = Played(server, USUAL, 3).play(34)
    assert not played.game.sack
    first = min(played.game.moves())
    after = played.game.after(played.game.moves()[first])
    second = min(after.moves())
    text = server.type(f"holo preview 1 {first} {second} -format=json").text
    assert second.partition(":")[2] in json.loads(text)["cells"]


@pytest.mark.parametrize("form", ["text", "html", "json"])
def test_a_preview_of_the_end_keeps_the_seed_secret(server: House, form: str) -> None:
    played = Played(server, USUAL, 3).play(37)
    move = min(played.game.moves())
    answer = server.type(f"holo preview 1 {move} -format={form}")
    assert (answer.status, SEED.hex() in answer.text) == (0, False)
    assert server.json()["status"] == "active"


# Records and lists


@pytest.mark.parametrize("over", [False, True])
def test_the_public_record(table, over: bool) -> None:
    played = table[-1] if over else table[2]
    text = played.server.type(f"holo history {played.board} -format=yaml").text
    record = yaml.load(text, yaml.BaseLoader)
    lines = [f"0 {NOW} - - !challenge"]
    lines += [
        f"{no} {NOW} {m.split()[0]} - {m.split()[1]}"
        for no, m in enumerate(played.moves, 1)
    ]
    assert record["log"] == lines
    assert (record["game"], record["board"]) == ("holo", str(played.board))
    assert (record["players"], record["seal"]) == (["alice", "bob"], SEAL)
    assert record.get("seed") == (SEED.hex() if over else None)
    assert not {"notes", "picture", "password"} & set(record)


def test_the_record_as_a_text(table) -> None:
    text = table[2].server.type("holo history 3").text
    told = [m.replace(" ", " played ") for m in table[2].moves]
    assert [m for m in told if re.search(rf" {m}[. ]", text)] == told
    assert max(map(len, text.splitlines())) <= 72
    assert SEED.hex() not in text


def draws_in(text: str) -> list[tuple[int, ...]]:
    rows = re.findall(r"^ *(\d+) +(\d+) +(\d+)$", text, re.MULTILINE)
    return [tuple(map(int, row)) for row in rows]


def place(number: int, size: int) -> int:
    """A draw, as the help page describes it."""
    digest = hmac.new(SEED, str(number).encode(), "sha256").digest()
    return int.from_bytes(digest, "big") % size


def test_every_draw_of_a_finished_board_is_proved(table) -> None:
    text = table[-1].server.type("holo verify 5").text
    assert f"Seed: {SEED.hex()}\n" in text
    assert f"Seal: {SEAL}\n" in text
    assert draws_in(text) == [(n, place(n, 41 - n), 41 - n) for n in range(1, 41)]


def test_the_draw_of_the_seats_is_proved_too(server: House) -> None:
    server.challenge("-random")
    server.type("holo resign 1 bob better4")
    sizes = [2, *range(40, 32, -1)]  # the seats, two pools, the first tile, a draw
    draws = [(n, place(n, size), size) for n, size in enumerate(sizes, 1)]
    assert draws_in(server.type("holo verify 1").text) == draws


def test_the_lists_of_boards(table) -> None:
    server = table[0].server

    def boards(words: str) -> list[str]:
        return re.findall(
            r"^holo (\d+) ", server.type(f"holo games {words}").text, re.M
        )

    lists = {"": "1234", "alice": "1234", "alice bob active": "1234", "all": "12345"}
    lists |= {"bob all": "12345", "inactive": "5", "bob inactive": "5"}
    lists |= {"alice next": "12", "bob next": "34", "next": "1234"}
    assert {words: "".join(boards(words)) for words in lists} == lists
    results = server.type("holo history").text
    assert re.findall(r"holo (\d+)", results) == ["5"]
    assert "alice" in results
    for words in ("show alice next", "all show bob next"):
        game = words if words.startswith("all") else f"holo {words}"
        titles = re.findall(r"board (\d+)", server.type(game).text)
        assert titles == (["1", "2"] if "alice" in words else ["3", "4"])


def test_without_a_password_twenty_boards_are_shown(server: House) -> None:
    for _ in range(22):
        server.accept(server.challenge())
    numbers = " ".join(map(str, range(1, 23)))
    for words in ("alice", numbers, "alice -format=json"):
        text = server.type(f"holo show {words}").text
        assert len(set(re.findall(r'board(?: |": )(\d+)', text))) == 20
    text = server.type("holo showas alice xanadu").text
    assert len(set(re.findall(r"board (\d+)", text))) == 22
