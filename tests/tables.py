"""Games of any kind: options within their limits, players with the longest names,
whole boards played by chance, and what may be read of them."""

import json
import random
import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from types import SimpleNamespace
from typing import Any, NamedTuple, cast

from pbm_holomino import letters, match, screens
from pbm_holomino.chance import Chance
from pbm_holomino.commands import queries
from pbm_holomino.game import Game, Option, State, configure
from pbm_holomino.hexes import neighbours, position_to_cell
from pbm_holomino.letters import Request
from pbm_holomino.library import Library
from pbm_holomino.match import OPENING, Match
from pbm_holomino.players import Player
from pbm_holomino.record import Line, Record
from pbm_holomino.rules import load, names

TIME = "2026-11-20T04:12:33Z"
MAIL = "3f9c0011aabbccdd"
# No userid is longer.
LONGEST = ("a_player_of_20_signs", "bobs_userid_is_long_", "carol_1234567890_abc")
LONGEST += ("dave_of_the_long_one",)
MOST_MOVES = 2000  # no game is longer

Words = dict[str, str]


# Options


def word_of(value: Any) -> str:
    """A value of an option as it is typed."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def values_of(option: Option, chosen: Mapping[str, Any]) -> list[Any]:
    """Values to try of an option, its extremes among them, after those above it."""
    if option.limits:
        least, greatest, _ = option.limits(chosen)
        return sorted({least, (2 * least + greatest) // 3, greatest})
    return list(option.choices) or [False, True]


def within(option: Option, chosen: Mapping[str, Any]) -> Any:
    """The default, or the value nearest to it that those above allow."""
    if option.limits is None or option.default is None:
        return option.default
    least, greatest, _ = option.limits(chosen)
    return min(max(option.default, least), greatest)


def words_for(game: Game, wanted: Mapping[str, Any]) -> Words:
    """The words of a challenge with these values; others are given only where the
    default would be out of its limits."""
    words: Words = {}
    chosen: dict[str, Any] = {}
    for option in game.OPTIONS:
        value = wanted.get(option.name, within(option, chosen))
        chosen[option.name] = value
        if option.name in wanted or value != option.default:
            words[option.name] = word_of(value)
    return words


def one_by_one(game: Game) -> Iterator[Words]:
    """No options; each preset; each option at its extremes, and each of its
    choices, while the others keep their defaults."""
    yield {}
    yield from ({"rules": preset} for preset in game.PRESETS)
    chosen: dict[str, Any] = {}
    for option in game.OPTIONS:
        for value in values_of(option, chosen):
            yield words_for(game, {option.name: value})
        chosen[option.name] = within(option, chosen)


def some_options(game: Game, dice: random.Random) -> Words:
    """Any options together."""
    chosen: dict[str, Any] = {}
    for option in game.OPTIONS:
        if dice.random() < 0.6:
            chosen[option.name] = dice.choice(values_of(option, chosen))
        else:
            chosen[option.name] = within(option, chosen)
    return words_for(game, {k: v for k, v in chosen.items() if v is not None})


def seats_of(game: Game) -> range:
    """The numbers of players that a game is for."""
    return range(game.SEATS[0], game.SEATS[1] + 1)


class Case(NamedTuple):
    """A game, its players, and the words of its challenge."""

    name: str
    seats: int
    words: Words

    @property
    def game(self) -> Game:
        return load(self.name)

    @property
    def options(self) -> dict[str, Any]:
        return configure(self.game, self.words)

    def __str__(self) -> str:
        told = (f"{name}={word}" for name, word in self.words.items())
        return "-".join((self.name, str(self.seats), *told))


def cases(several: int) -> list[Case]:
    """Every game with every number of players and every option alone, and several
    games with options together."""
    found = []
    for name in names():
        game, dice = load(name), random.Random(name)
        for seats in seats_of(game):
            found += [Case(name, seats, words) for words in one_by_one(game)]
        for _ in range(several):
            seats = dice.choice(seats_of(game))
            found.append(Case(name, seats, some_options(game, dice)))
    return found


def plain_cases() -> list[Case]:
    """Every game with every number of players and no options."""
    return [Case(name, n, {}) for name in names() for n in seats_of(load(name))]


# Games


def begun(case: Case, chance: Chance) -> State:
    """The state in which the first move can be made."""
    return case.game.settle(case.game.start(case.seats, case.options), chance)[0]


def states(case: Case, seed: int) -> Iterator[State]:
    """A whole game played by chance: every state in which somebody moves, and the
    last."""
    game, dice = case.game, random.Random(seed)
    chance = Chance(bytes([seed]) * 32)
    state = begun(case, chance)
    for _ in range(MOST_MOVES):
        yield state
        seats = game.to_move(state)
        if not seats:
            return
        seat = dice.choice(seats)
        state, _ = game.play(state, seat, dice.choice(game.legal(state, seat)))
        state, _ = game.settle(state, chance)
    raise AssertionError("this game does not end")


# Boards


def opened(case: Case, seed: int = 1, lot: bool = False) -> Match:
    """A new board, opened by mail."""
    record = Record(
        game=case.name,
        board=1,
        version=case.game.VERSION,
        players=(),
        random=lot,
        options=case.options,
        seed=bytes([seed]) * 32,
        log=(),
    )
    players = LONGEST[: case.seats]
    return match.begin(record, players, Line(0, TIME, players[0], MAIL, OPENING))


def sent(board: Match, who: str, what: str) -> Match:
    """The board after a player's move, which came by mail."""
    return match.play(board, Line(None, TIME, who, MAIL, what))


def resigned(board: Match, who: str) -> Match:
    """The board after a player has given up."""
    return match.act(board, Line(None, TIME, who, MAIL, "!resign"))


def written(board: Match, who: str) -> list[str]:
    """The legal moves of a player, in canonical notation."""
    game, seat = board.rules, board.record.players.index(who)
    return list(map(game.format_move, game.legal(board.state, seat)))


def played(board: Match, seed: int, most: int = MOST_MOVES) -> Match:
    """The board after so many moves by chance, or at its end."""
    dice = random.Random(seed)
    for _ in range(most):
        if not board.turn:
            break
        who = dice.choice(board.turn)
        board = sent(board, who, dice.choice(written(board, who)))
    return board


def played_east(board: Match) -> Match:
    """The board after a game in which everybody plays as far to the east as they
    can."""
    while board.turn:
        who = board.turn[0]
        board = sent(board, who, max(written(board, who), key=_east))
    return board


def _east(move: str) -> int:
    positions = move.partition(":")[2].split(",")
    return sum(position_to_cell(int(p))[0] for p in positions if p.isdigit())


def account(userid: str) -> Player:
    """A player's account."""
    return Player(userid, "-", (f"{userid}@example.org",), ())


# What may be read of a board


def readings(board: Match, reader: str | None) -> str:
    """Everything that a player, or anybody, can get to read about a board."""
    library = cast(Library, SimpleNamespace(match=lambda game, number: board))
    asked = Request("show", board.record.game, boards=((1, None),))
    texts = [queries.show(asked._replace(format=f), library) for f in ("text", "json")]
    for form in ("text", "json", "yaml"):
        texts.append(queries.history(asked._replace(format=form), library))
    if reader is not None:
        texts.append(queries.showas(asked._replace(userid=reader), library))
        for index in range(len(board.steps)):
            texts.append(letters.about_board(board, index, account(reader)).text)
    return "\n".join(texts)


# The phases of a game whose moves are secret for a while.
SECRET_PHASES = {"walomino": {"take", "pair"}}


def notations(board: Match, who: str) -> list[str]:
    """The legal moves of a player, and more of those that may be secret."""
    legal = written(board, who)
    if board.phase[1] == "take":
        longer = [f"{move}{end}" for move in legal[1:] for end in ("RGYPB", "BPYGR")]
        return [*legal, *longer, *(f"{move},any" for move in longer)]
    if board.phase[1] == "pair":
        held = board.view(None).pools[board.record.players.index(who)]
        for walongs in (held, held[1:] + held[:1], sorted(held)):
            pairs = map("".join, zip(walongs[::2], walongs[1::2], strict=True))
            legal.append(f"pairs:{','.join(pairs)}")
    return legal


def twins(board: Match, who: str) -> Iterator[tuple[Match, Match]]:
    """The board after two moves of a player which nobody else can tell apart, as
    nothing that differs has happened yet."""
    seen: dict[Any, Match] = {}
    for move in notations(board, who):
        after = sent(board, who, move)
        step = after.steps[-1]
        happened = (step.told, step.events)
        twin = seen.setdefault(happened, after)
        if step.told != after.record.log[-1].what and twin.state != after.state:
            yield twin, after


FIELDS = ["game", "board", "ply", "status", "phase", "round", "players", "turn"]
FIELDS += ["options", "scores", "pools", "drawn", "sack", "cells", "joints", "blocked"]
FIELDS += ["last", "legal", "seal", "result"]
FACES = {"holo": "[1-9]{3}", "hextol": "[0-9]", "walomino": "[RGYPB]"}
TWO_CELLED = {"hextol", "walomino"}
ITS_OWN = {"walomino": {"pot", "paired"}}  # until play begins


def check_json(board: Match, case: Case) -> None:
    """The fields of the public interface: what there is, in order."""
    fields = screens.to_json(board)
    assert json.loads(screens.json_line(fields)) == fields
    own = ITS_OWN.get(case.name, set()) if fields["phase"] != "play" else set()
    assert [f for f in fields if f not in own] == [f for f in FIELDS if f in fields]
    absent = {*FIELDS, *own} - {*fields}
    assert absent <= {"last", "joints", "drawn"}
    assert ("last" in absent) == (board.ply == 0)
    assert ("joints" in absent) == (case.name not in TWO_CELLED or not fields["cells"])
    assert fields["options"] == {k: v for k, v in case.options.items() if v is not None}
    assert list(fields["scores"]) == list(fields["pools"]) == fields["players"]
    assert all(
        re.fullmatch(FACES[case.name], face) for face in fields["cells"].values()
    )
    assert list(fields["cells"]) == sorted(fields["cells"], key=int)
    if board.result is None:
        assert (fields["status"], fields["result"]) == ("active", None)
        assert fields["turn"]
        assert fields["legal"] == written(board, fields["turn"][0])
    else:
        assert (fields["status"], fields["turn"], fields["legal"]) == ("over", [], [])
        assert list(fields["result"]) == ["winners", "reason", "scores"]
    if "drawn" in fields:
        assert fields["drawn"] in fields["pools"][fields["turn"][0]]
    if "joints" in fields:
        check_joints(fields)


def check_joints(fields: dict[str, Any]) -> None:
    """Tiles of two cells: in Walomino they run along the chain, so that its open
    ends come first and last, and there all moves begin."""
    path = [at for pair in fields["joints"] for at in pair]
    assert sorted(path) == sorted(map(int, fields["cells"]))
    assert all(two in neighbours(one) for one, two in fields["joints"])
    if fields["game"] != "walomino":
        return
    assert all(two in neighbours(one) for one, two in pairwise(path))
    for move in fields["legal"] if fields["phase"] == "play" else ():
        place = re.fullmatch(r"([RGYPB])[RGYPB]:([0-9]+),[0-9]+", move)
        assert place
        ends = [at for at in (path[0], path[-1]) if at in neighbours(int(place[2]))]
        assert [fields["cells"][str(at)] for at in ends] == [place[1]]
