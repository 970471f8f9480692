"""What a player is shown who thinks a game over: the position after moves of both
sides, with draws that are left open, chosen, or made by chance of its own."""

import json
import random
from typing import Any

import pytest

from pbm_holomino import rules
from pbm_holomino.match.analysis import Analysis, analysed
from pbm_holomino.match.board import Match
from pbm_holomino.rules.chance import Chance
from tests.boards import WIDTH
from tests.club import Club, Fields, to_the_chain, to_the_pairs
from tests.house import PASSWORDS
from tests.prose import plain

every_game = pytest.mark.parametrize("game", rules.names())
of_tiles = pytest.mark.parametrize(
    "game", [name for name in rules.names() if not rules.load(name).SECRETS]
)


def thought(club: Club, who: str, *words: str, board: str = "1") -> str:
    """What a player is shown of a line."""
    line = f"{club.game} analyse {board} {who} {PASSWORDS[who]} {' '.join(words)}"
    return club.say(line)


def fields(club: Club, who: str, *words: str, board: str = "1") -> Fields:
    """The same for programs."""
    found: Fields = json.loads(thought(club, who, *words, "-format=json", board=board))
    return found


def refused(club: Club, who: str, *words: str, board: str = "1") -> str:
    line = f"{club.game} analyse {board} {who} {PASSWORDS[who]} {' '.join(words)}"
    return plain(club.refused_line(line)[0])


def replayed(club: Club, seed: int, moves: int) -> tuple[Match, list[str]]:
    """The board as it was at the start, and the moves that have been made since, each
    followed by what was then drawn."""
    club.play(seed, moves)
    match, words = club.board(), list[str]()
    for index in match.moves:
        before, after = (set_of(match, at) for at in (index - 1, index))
        drawn = [tile for seat in after for tile in seat]
        for seat in before:
            for tile in seat:
                drawn.remove(tile) if tile in drawn else None
        words += [str(match.log[index].action), *(f"draw:{tile}" for tile in drawn)]
    return match.after_ply(0), words


def set_of(match: Match, index: int) -> tuple[tuple[str, ...], ...]:
    return match.at(index).view(None).pools


# What is shown


@every_game
def test_without_moves_it_is_the_board_itself(club: Club, game: str) -> None:
    club.open(game)
    shown, there = fields(club, "bob"), club.json()
    assert shown.pop("analysis") == {
        "since": 0,
        "line": [],
        "moves": [],
        "draws": [],
        "open": False,
    }
    assert shown == there


@every_game
@pytest.mark.parametrize(
    "form",
    ["text", "small", "list", "words", "bbcode", "markdown", "html", "json", "svg"],
)
def test_it_has_every_format(club: Club, game: str, form: str) -> None:
    to_the_chain(club, 2) if rules.load(game).SECRETS else club.open(game)
    move = club.json()["legal"][0]
    shown = thought(club, "alice", move, f"-format={form}")
    assert move in shown or form == "svg"
    if form in ("text", "list", "words"):
        said = plain(shown)
        assert said.startswith("This is an analysis for your eyes only, of ")
        assert all(len(line) <= WIDTH for line in shown.splitlines() if "/" not in line)


@of_tiles
@pytest.mark.parametrize("seed", range(3))
def test_a_line_that_is_as_it_came_leads_to_the_same(
    club: Club, game: str, seed: int
) -> None:
    """What was drawn is named, so that the position is that of the game."""
    start, words = replayed(club.open(game), seed, 12)
    found = analysed(start, "alice", words)
    then, there = found.match.view(None), club.board().view(None)
    assert not found.is_open
    assert (then.pools, then.scores) == (there.pools, there.scores)
    assert then.drawing == there.drawing
    assert (then.legal, then.sack) == (there.legal, there.sack)
    assert list(found.words) == words
    assert analysed(start, "bob", found.words).words == found.words


@of_tiles
def test_a_draw_is_left_open(club: Club, game: str) -> None:
    club.open(game)
    move, before = club.json()["legal"][0], club.json()
    shown = fields(club, "alice", move)
    held = [tile for pool in shown["pools"].values() for tile in pool]
    assert held.count("?") == 1
    assert shown["sack"] == before["sack"] - 1
    assert shown["analysis"]["open"] is True
    assert not any("?" in legal for legal in shown["legal"])


@of_tiles
def test_draws_are_sampled_from_what_nobody_holds(club: Club, game: str) -> None:
    before = club.open(game).json()
    held = [tile for pool in before["pools"].values() for tile in pool]
    move, seen = before["legal"][0], set()
    for _ in range(30):
        shown = fields(club, "alice", move, "-sample")
        ((tile,),) = shown["analysis"]["draws"]
        assert shown["analysis"]["line"] == [move, f"draw:{tile}"]
        if game != "hextup":  # there each has tiles of their own
            assert tile not in held
        seen.add(tile)
    assert len(seen) > 1


def test_a_tile_may_be_named_as_it_is_turned(club: Club) -> None:
    club.open("holo")
    move = club.json()["legal"][0]
    held = [tile for pool in club.json()["pools"].values() for tile in pool]
    laid = "".join(sorted(club.json()["cells"]["0"]))
    free = next(t for t in ("123", "124", "456") if t not in held and t != laid)
    turned = free[1:] + free[0]
    shown = fields(club, "alice", move, f"draw:{turned}")
    assert shown["analysis"]["draws"] == [[free]]


def test_it_begins_in_the_past(club: Club) -> None:
    club.open("holo").play(1, 6)
    shown = fields(club, "alice", board="1#2")
    assert (shown["ply"], shown["analysis"]["since"]) == (2, 2)
    assert "after move 2" in plain(thought(club, "alice", board="1#2"))
    assert "no move 9 yet" in refused(club, "alice", board="1#9")


@every_game
def test_a_game_that_is_over_goes_on_from_its_past(club: Club, game: str) -> None:
    club.open(game)
    club.move(club.json()["turn"][0], club.json()["legal"][0])
    club.resign(club.json()["turn"][0])
    said = refused(club, "alice", "1:2")
    assert said == 'Move 1 of the line: the game is over before "1:2".'
    assert fields(club, "alice", board="1#0")["turn"]
    over = fields(club, "alice")
    assert (over["status"], over["turn"]) == ("over", [])
    assert "seed" not in over


def test_a_spectator_thinks_too(club: Club) -> None:
    club.open("holo")
    move = club.json()["legal"][0]
    assert fields(club, "carol", move)["last"] == f"alice {move}"


# What is refused


def test_the_move_that_is_wrong_is_named(club: Club) -> None:
    club.open("holo")
    move, held = club.json()["legal"][0], club.json()["pools"]["bob"]
    said = refused(club, "alice", move, "999:3")
    assert said == (
        'Move 2 of the line: "999:3" is refused. Tile 999 is not in bob\'s pool, which '
        f'holds {", ".join(held)}, ?. A tile that is shown as "?" was left open: '
        '"draw:" and its name, right after the move that brings the draw, chooses it.'
    )
    assert refused(club, "alice", "999:3").startswith("Move 1 of the line: ")
    assert "not in your pool" in refused(club, "alice", "999:3")


def test_draws_are_refused_where_nothing_is_drawn(club: Club) -> None:
    club.open("holo")
    move, held = club.json()["legal"][0], club.json()["pools"]["alice"][0]
    said = refused(club, "alice", "draw:123")
    assert said.startswith('"draw:123" is a draw, and a line begins with a move')
    said = refused(club, "alice", move, f"draw:{held}")
    assert f'"draw:{held}" cannot be drawn now.' in said
    said = refused(club, "alice", move, "?", "draw:123")
    assert f'after "{move}" nothing is drawn that "draw:123" could be' in said
    assert "is not a tile" in refused(club, "alice", move, "draw:1-2")


def test_a_line_has_an_end(club: Club) -> None:
    club.open("holo")
    said = refused(club, "alice", *["pass"] * 400)
    assert "A line can have 200 moves and draws at most, and this one has 400" in said


def test_nobody_passes_a_tile_that_is_not_known(club: Club) -> None:
    club.open("holo")
    move = club.json()["legal"][0]
    said = refused(club, "alice", move, "pass")
    assert "please name the one that goes back, as in pass:123" in said


def test_only_with_a_password(club: Club) -> None:
    club.open("holo")
    answer = club.server.type(f"holo analyse 1 alice {PASSWORDS['bob']}")
    assert answer.status == 1
    assert "not the password" in answer.text


# What nobody can learn


class Blind:
    """Draws that nobody may ask for."""

    def draw(self, *_: object) -> tuple[int, int]:
        raise AssertionError("the seed was asked")


@every_game
def test_the_seed_is_never_asked(
    club: Club, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    club.open(game).play(2, 4)
    match, who = club.board(), "alice"
    monkeypatch.setattr(Chance, "draw", Blind.draw)
    monkeypatch.setattr(Chance, "pick", Blind.draw)
    dice = random.Random(1)
    found = analysed(match, who, [])
    for _ in range(6):
        legal = found.match.view(None).legal
        if not legal or found.match.due:
            break
        words = (*found.words, dice.choice(legal))
        found = analysed(match, who, words, dice.randrange)
    assert found.turns or not match.turn


def twins(club: Club) -> tuple[Match, Match]:
    """A board of Walomino on which bob has sealed pairs, and the same with others."""
    to_the_pairs(club, 2)
    match = club.board()
    seat = match.record.players.index("bob")
    state: Any = match.state
    first = tuple(sorted(match.view(None).pools[seat]))
    pairs = ["".join(pair) for pair in zip(first[::2], first[1::2], strict=True)]
    mixed = first[:1] + first[2:] + first[1:2]
    others = ["".join(pair) for pair in zip(mixed[::2], mixed[1::2], strict=True)]

    def sealed(made: list[str]) -> Match:
        game = match.rules
        move = game.parse_move(state, seat, f"pairs:{','.join(made)}")
        after, events = game.play(state, seat, move)
        step = match.steps[-1]._replace(state=after)
        return match._replace(steps=(*match.steps[:-1], step))

    return sealed(pairs), sealed(others)


@pytest.mark.parametrize("words", [[], ["pairs:any"]])
def test_twins_that_differ_in_what_is_hidden_look_the_same(
    club: Club, words: list[str]
) -> None:
    one, other = twins(club)
    assert one.state != other.state

    def shown(match: Match) -> Analysis:
        dice = random.Random(7)
        return analysed(match, "alice", words, dice.randrange)

    assert shown(one).match.state == shown(other).match.state
    assert shown(one).words == shown(other).words
    assert analysed(one, "alice", words).match.state == (
        analysed(other, "alice", words).match.state
    )


def test_chance_is_chosen_or_sampled_in_walomino(club: Club) -> None:
    club.open("walomino")
    said = refused(club, "alice", "take:any", "take:R")
    assert "something comes by chance" in said
    shown = plain(thought(club, "alice", "take:any"))
    assert "Something comes by chance now" in shown
    chosen = fields(club, "alice", "take:any", "draw:R")
    assert chosen["pools"]["alice"] == ["R"]
    assert chosen["turn"] == ["bob"]
    assert fields(club, "alice", "take:any", "-sample")["turn"] == ["bob"]


def test_three_players_take_in_turn(club: Club) -> None:
    club.open("walomino", 3)
    shown = fields(club, "bob", "take:R", "take:G", "take:B")
    assert shown["analysis"]["moves"] == ["alice take:R", "bob take:G", "carol take:B"]


def test_wishes_of_others_are_not_known(club: Club) -> None:
    """bob has wished for all takes to come, and alice must say what he takes."""
    club.open("walomino")
    club.move("alice", "take:R")
    club.move("bob", "take:GGGGGGGG")
    shown = fields(club, "alice", "take:Y")
    assert shown["turn"] == ["bob"]
    assert fields(club, "bob", "take:Y")["pools"]["bob"] == ["G", "G"]


def test_a_stack_can_be_thought_of(club: Club) -> None:
    """On top of tiles, in Hextup, as in a game."""
    club.open("hextup").play(3, 20)
    legal, cells = club.json()["legal"], club.json()["cells"]
    on_top = [m for m in legal if m.partition(":")[2].split(",")[0] in cells]
    for move in on_top[:1]:
        first = move.partition(":")[2].split(",")[0]
        then = fields(club, "alice", move)
        assert then["heights"][first] >= 2
