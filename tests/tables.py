"""Games of any kind: options within their limits, players with the longest names,
whole boards played by chance, what may be read of them; and a server for four."""

import json
import random
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple, cast

from pbm_holomino.commands import parse, table
from pbm_holomino.draw.text import draw
from pbm_holomino.errors import PbmError
from pbm_holomino.letters import letters
from pbm_holomino.letters.letters import Letter
from pbm_holomino.match import replay
from pbm_holomino.match.account import Player
from pbm_holomino.match.board import OPENING, Match
from pbm_holomino.match.record import Line, Record
from pbm_holomino.rules import load, names
from pbm_holomino.rules.chance import Chance
from pbm_holomino.rules.contract import AnyGame, State
from pbm_holomino.rules.grid import position_to_cell
from pbm_holomino.rules.options import Option, configure
from pbm_holomino.server.transaction import refusal
from pbm_holomino.store.library import Library
from tests.robots import Robot

TIME = "2026-11-20T04:12:33Z"
MAIL = "3f9c0011aabbccdd"
# No userid is longer.
LONGEST = tuple(f"{name:x<20}" for name in ("alice_", "bob_", "carol_", "dave_"))
MOST_MOVES = 2000  # no game is longer
WIDTH = 72  # of a letter
WIDEST = 79  # of a picture that needs no note

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


def words_for(game: AnyGame, wanted: Mapping[str, Any]) -> Words:
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


def one_by_one(game: AnyGame) -> Iterator[Words]:
    """No options; each preset; each option at its extremes, and each of its
    choices, while the others keep their defaults."""
    yield {}
    yield from ({"rules": preset} for preset in game.PRESETS)
    chosen: dict[str, Any] = {}
    for option in game.OPTIONS:
        for value in values_of(option, chosen):
            yield words_for(game, {option.name: value})
        chosen[option.name] = within(option, chosen)


def some_options(game: AnyGame, dice: random.Random) -> Words:
    """Any options together."""
    chosen: dict[str, Any] = {}
    for option in game.OPTIONS:
        values = values_of(option, chosen) + 2 * [within(option, chosen)]
        chosen[option.name] = dice.choice(values)
    return words_for(game, {k: v for k, v in chosen.items() if v is not None})


def seats_of(name: str) -> range:
    """The numbers of players that a game is for."""
    least, most = load(name).SEATS
    return range(least, most + 1)


class Case(NamedTuple):
    """A game, its players, and the words of its challenge."""

    name: str
    seats: int
    words: Words

    @property
    def game(self) -> AnyGame:
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
        for seats in seats_of(name):
            found += [Case(name, seats, words) for words in one_by_one(game)]
        for _ in range(several):
            seats = dice.choice(seats_of(name))
            found.append(Case(name, seats, some_options(game, dice)))
    return found


def plain_cases() -> list[Case]:
    """Every game with every number of players and no options."""
    return [Case(name, n, {}) for name in names() for n in seats_of(name)]


# Games


def begun(case: Case, chance: Chance) -> State:
    """The state in which the first move can be made."""
    state: State
    state, _ = case.game.settle(case.game.start(case.seats, case.options), chance)
    return state


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
    options, players = case.options, LONGEST[: case.seats]
    version, secret = case.game.VERSION, bytes([seed]) * 32
    record = Record(case.name, 1, version, (), lot, options, secret, ())
    return replay.begin(record, players, Line(0, TIME, players[0], MAIL, OPENING))


def sent(board: Match, who: str, what: str) -> Match:
    """The board after a player's move, which came by mail."""
    return replay.play(board, Line(None, TIME, who, MAIL, what))


def resigned(board: Match, who: str) -> Match:
    """The board after a player has given up."""
    return replay.act(board, Line(None, TIME, who, MAIL, "!resign"))


def written(board: Match, who: str) -> list[str]:
    """The legal moves of a player, in canonical notation."""
    game, seat = board.rules, board.record.players.index(who)
    return list(map(game.format_move, game.legal(board.state, seat)))


def played(
    board: Match,
    seed: float,
    most: int = MOST_MOVES,
    moves: Callable[[Match, str], list[str]] = written,
) -> Match:
    """The board after so many moves by chance, or at its end."""
    dice = random.Random(seed)
    while board.turn and most:
        who = dice.choice(board.turn)
        board, most = sent(board, who, dice.choice(moves(board, who))), most - 1
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
    """What a player, or anybody, can get to read about a board now, and the last
    letters that they got."""
    asked = [f"show 1 -format={form}" for form in ("text", "json")]
    asked += [f"history 1 -format={form}" for form in ("text", "json", "yaml")]
    if reader is not None:
        asked.append(f"showas {reader} secret 1")
    texts = [answer(board, line) for line in asked]
    for line in range(len(board.steps))[-3:] if reader else ():
        letter = letters.about_board(board, line, account(str(reader)))
        texts += (letter.subject, letter.text)
    return "\n".join(texts)


def answer(board: Match, line: str) -> str:
    """What a question is answered where this is the only board."""
    library = cast(Library, SimpleNamespace(shown=lambda game, number: board))
    request = parse.parse([board.record.game, *line.split()])
    text: str = table.find(request).decision()(request, library)
    return text


def check_letters(board: Match) -> None:
    """What every reader gets to read about the last line of the log."""
    view = board.view(None)
    shown = [d for d in (view.ended, view.drawing) if d and d.faces]
    for reader in board.record.players:
        letter = letters.about_board(board, len(board.steps) - 1, account(reader))
        text = letter.text
        assert text.isascii()
        assert text.replace("\n", "").isprintable()
        rest = text
        for picture in map(draw, shown):
            width = max(map(len, picture.splitlines()))
            note = f"(The board is {width} columns wide: it needs a wide window.)\n"
            assert (note + picture in text) == (width > WIDEST)
            assert picture in rest
            rest = rest.replace(picture, "(the board)\n", 1)
        assert ("The round that has ended:\n" in rest) == (view.ended is not None)
        assert not re.search(r" $|\n\n\n|\n\n\Z", rest, re.MULTILINE)
        assert max(map(len, rest.splitlines())) <= WIDTH
        said = " ".join(rest.split())
        for event in board.steps[-1].events:
            who = board.record.players[event.seat]
            assert f"{'You' if who == reader else who} {event.text}." in said
        assert ("PASSWORD" in text) == (reader in board.turn)
        assert board.record.seal in text
        assert (board.record.seed.hex() in text) == (board.result is not None)


# The phases of a game whose moves are secret for a while.
SECRET_PHASES = {"walomino": {"take", "pair"}}


def notations(board: Match, who: str) -> list[str]:
    """The legal moves of a player, and more of those that may be secret."""
    legal = written(board, who)
    if board.view(None).phase == "take":
        longer = [f"{move}{end}" for move in legal[1:] for end in ("RGYPB", "BPYGR")]
        return [*legal, *longer, *(f"{move},any" for move in longer)]
    if board.view(None).phase == "pair":
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
        is_secret = step.told != after.record.log[-1].action
        if is_secret and not any(event.reveals for event in step.events):
            twin = seen.setdefault(step.events, after)
            if twin.state != after.state:
                yield twin, after


# A server


PASSWORDS = {"alice": "secret", "bob": "better4", "carol": "quokka9", "dave": "zebra88"}
FRIENDS = tuple(PASSWORDS)


class Club:
    """Four friends with a server of their own, and the board on which they play:
    the first of its game."""

    def __init__(self, folder: Path) -> None:
        self.server = Robot(folder)
        self.game = ""
        for name, password in PASSWORDS.items():
            self.say(f"signup {name} {password} {name}@example.org")

    def say(self, line: str) -> str:
        """The answer to a command, which is carried out."""
        answer = self.server.type(line)
        assert answer.status == 0, answer.text
        return answer.text

    def open(self, game: str, seats: int = 2, options: str = "") -> "Club":
        """A new board; its letters are thrown away."""
        self.game = game
        self.say(f"{game} challenge {' '.join(FRIENDS[:seats])} {options}")
        self.server.sent.clear()
        return self

    def accept(self, board: int = 1) -> "Club":
        """All who have not answered this challenge accept it; the letters are thrown
        away."""
        for who in self.server.library.match(self.game, board).record.unanswered:
            self.say(f"{self.game} accept {board} {who} {PASSWORDS[who]}")
        self.server.sent.clear()
        return self

    def json(self, command: str = "show 1") -> dict[str, Any]:
        fields: dict[str, Any] = json.loads(
            self.say(f"{self.game} {command} -format=json")
        )
        return fields

    def line(self, who: str, move: str) -> str:
        return f"{self.game} move 1 {who} {PASSWORDS[who]} {move}"

    def move(self, who: str, move: str) -> str:
        return self.say(self.line(who, move))

    def refused(self, who: str, move: str) -> str:
        """What a player is told whose move is refused, before the board."""
        said, board = self.refused_line(self.line(who, move))
        assert board.startswith(f"{load(self.game).TITLE}, board 1, ")
        return said

    def refused_line(self, line: str) -> tuple[str, str]:
        """What is said first about a command that is refused, and the rest; nothing
        has changed."""
        found = self.server.folder.rglob("*.yaml")
        before = {path: path.read_bytes() for path in found}
        self.server.sent.clear()
        try:
            answer = self.server.type(line)
        except PbmError as error:
            answer = refusal(error)
        assert answer.status in (1, 2), answer.text
        found = self.server.folder.rglob("*.yaml")
        assert {path: path.read_bytes() for path in found} == before
        assert not self.server.sent
        said, _, rest = answer.text.partition("\n\n")
        return plain(said), rest

    def resign(self, who: str) -> str:
        return self.say(f"{self.game} resign 1 {who} {PASSWORDS[who]}")

    def letters(self) -> dict[str, Letter]:
        """The letters since this was last asked, by reader."""
        letters = {reader_of(letter): letter for letter in self.server.sent}
        assert len(letters) == len(self.server.sent)
        self.server.sent.clear()
        return letters

    def play(self, seed: int = 0, most: int = 999) -> dict[str, Any]:
        """Play on by chance, at most so many moves; how the board stands then."""
        dice = random.Random(seed)
        while (fields := self.json())["turn"] and most:
            self.move(fields["turn"][0], dice.choice(fields["legal"]))
            most -= 1
        self.server.sent.clear()
        return fields


def reader_of(letter: Letter) -> str:
    """Whom a letter is for, by its key: `holo.1.0.alice`, `players.alice.2`."""
    words = letter.key.split(".")
    return words[1] if words[0] == "players" and len(words) == 3 else words[-1]


def plain(text: str) -> str:
    """A text without line breaks."""
    return " ".join(text.split())
