"""Boards of any game as values, without a server: options within their limits, players
with the longest names, boards played by chance, and what may be read of them."""

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from types import SimpleNamespace
from typing import Any, NamedTuple, cast

from pbm_holomino.commands import parse, table
from pbm_holomino.commands.context import Context
from pbm_holomino.commands.request import Answer
from pbm_holomino.draw.text import draw
from pbm_holomino.errors import PbmError
from pbm_holomino.letters import board_letters
from pbm_holomino.letters.letter import Letter
from pbm_holomino.letters.writing import Sources, Writer, words_of
from pbm_holomino.match import queue as ahead
from pbm_holomino.match import replay
from pbm_holomino.match.account import Player
from pbm_holomino.match.board import Match
from pbm_holomino.match.record import NOBODY, Act, Line, Record, parse_action
from pbm_holomino.match.verdicts import ended
from pbm_holomino.rules import load, names
from pbm_holomino.rules.chance import Chance
from pbm_holomino.rules.contract import AnyGame, State
from pbm_holomino.rules.grid import position_to_cell
from pbm_holomino.rules.options import Option, configure
from pbm_holomino.store.library import Library
from pbm_holomino.store.people import People
from tests.sizes import some

TIME = "2026-11-20T04:12:33Z"
MAIL = "3f9c0011aabbccdd"
KEY = bytes(32)  # of a server
# No userid is longer.
LONGEST = tuple(f"{name:x<20}" for name in ("alice_", "bob_", "carol_", "dave_"))
# What leaves a turn to chance, in the phases that have no places
ANY = {"take": "take:any", "pair": "pairs:any"}
MOST_MOVES = 2000  # no game is longer
WIDTH = 72  # of a letter
WIDEST = 79  # of a picture that needs no note

Words = dict[str, str]


def action(what: Act | str) -> Act | str:
    """A line's action: `!undo` is an act, and what does not begin with `!` a move."""
    return what if isinstance(what, Act) else parse_action(what)


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


# Values with which games have few tiles.
FEW = {"max_pips": "2", "num_digits": "4", "pool_size": "2"}


def short(name: str) -> Words:
    """The words of a challenge that make a game short: those of few tiles, where it has
    such options."""
    return {o.name: FEW[o.name] for o in load(name).OPTIONS if o.name in FEW}


def typed(words: Words) -> str:
    """The words of a challenge as they are typed."""
    return " ".join(f"-{name}={word}" for name, word in words.items())


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

    def __hash__(self) -> int:
        return hash(str(self))

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


@cache
def states(case: Case, seed: int) -> tuple[State, ...]:
    """A whole game played by chance, once: every state in which somebody moves, and
    the last."""
    return (*_played(case, seed),)


def _played(case: Case, seed: int) -> Iterator[State]:
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


class Laid:
    """Draws that are laid out: the things with these indices, then the first that there
    is. `sizes` is among how many things each was made."""

    def __init__(self, chosen: Sequence[int] = ()) -> None:
        self._chosen, self.sizes = [*chosen], list[int]()

    def pick(self, drawn: int, things: Sequence[str]) -> tuple[int, int]:
        """See rules.chance.Draws."""
        at = len(self.sizes)
        self.sizes.append(len(things))
        return self._chosen[at] if at < len(self._chosen) else 0, drawn + 1


def outcomes(game: AnyGame, state: State, draws: int = 1) -> list[State]:
    """Every state that can come of this one by so many draws, the first ones; those
    after them are as they may be."""
    found, ahead = list[State](), [list[int]()]
    while ahead:
        chosen = ahead.pop()
        laid = Laid(chosen)
        settled, _ = game.settle(state, laid)
        if len(chosen) < min(draws, len(laid.sizes)):
            ahead += [[*chosen, one] for one in range(laid.sizes[len(chosen)])]
        else:
            found.append(settled)
    return found


def moments(case: Case, seed: int) -> list[State]:
    """Some states of a whole game, its first and its last among them."""
    return some(states(case, seed), 9)


# Boards


def opened(case: Case, seed: int = 1, lot: bool = False) -> Match:
    """A new board, opened by mail."""
    options, players = case.options, LONGEST[: case.seats]
    version, secret = case.game.VERSION, bytes([seed]) * 32
    record = Record(case.name, 1, version, (), lot, options, secret, ())
    return replay.begin(record, players, Line(0, TIME, players[0], MAIL, Act.CHALLENGE))


def sent(board: Match, who: str, what: Act | str) -> Match:
    """The board after a player's move, which came by mail."""
    return replay.after(board, Line(None, TIME, who, MAIL, action(what)))


def resigned(board: Match, who: str) -> Match:
    """The board after a player has given up."""
    return replay.after(board, Line(None, TIME, who, MAIL, Act.RESIGN))


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


def letter_about(board: Match, index: int, reader: str) -> Letter:
    """The letter to a player about a line of a board's log."""
    return Writer(board, SOURCES).letter(index, reader, account(reader))


# There are no accounts but those that are given.
_NOWHERE = cast(Library, SimpleNamespace(account=lambda userid: None, signed_on=dict))
SOURCES = Sources(KEY, People(_NOWHERE), lambda game, board: NotImplemented)


def letter_id(board: Match, index: int, reader: str, key: bytes = KEY) -> str:
    """The id of the letter to a player about a line of a board's log."""
    return str(words_of(board).proofs(board, key)(index, reader).id)


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
        letter = letter_about(board, line, str(reader))
        texts += (letter.subject, letter.text)
    return "\n".join(texts)


def answer(board: Match, line: str) -> str:
    """What a question is answered where this is the only board, and nothing else."""
    store = SimpleNamespace(find=lambda folder, name: None, noun="file")
    shown = SimpleNamespace(shown=lambda game, number: board, store=store)
    shown.account = lambda userid: None
    shown.find = lambda folder, name: None
    library = cast(Library, shown)
    request = parse.parse([board.record.game, *line.split()])
    context = Context(library, People(library), TIME, lambda: b"")
    found: Answer = table.find(request).decision()(request, context)
    return found.text


def check_letters(board: Match) -> None:
    """What every reader gets to read about the last line of the log."""
    view = board.view(None)
    shown = [d for d in (view.ended, view.drawing) if d and d.faces]
    for reader in board.record.players:
        letter = letter_about(board, len(board.steps) - 1, reader)
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
        result = board.steps[-1].result
        if result is not None and result.reason != "score":
            assert str(ended(board)) in said  # which tells it
            continue
        for event in board.steps[-1].events:
            who = board.record.players[event.seat]
            assert str(event.said.to(reader, who)) in said
        how = "Reply to this letter with a move in its first line, such as "
        assert (how in said) == (reader in board.turn)
        if reader in board.turn:
            (named,) = re.findall(rf"{how}(\S+)\.(?!\S)", said)
            assert named in best_moves(board, reader)
        assert board.record.seal in text
        assert (board.record.seed.hex() in text) == (board.result is not None)


def best_moves(board: Match, reader: str) -> set[str]:
    """The moves of which a letter names one: the first in a game's own order, or those
    that add most to a score."""
    view = board.view(reader)
    proposed = view.proposal.moves
    if view.proposal.ranked or not view.proposal.heading:
        return {*proposed[:1]}
    gains = board.rules.gains(board.state, view.moves)
    gained = dict(zip(view.legal, gains, strict=True))
    most = max(gained[move] for move in proposed)
    return {move for move in proposed if gained[move] == most}


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
    game, seat = board.rules, board.record.players.index(who)
    for move in notations(board, who):
        if game.public_move(game.parse_move(board.state, seat, move)) == move:
            continue  # to play it takes longer
        after = sent(board, who, move)
        step = after.steps[-1]
        is_secret = step.told != after.record.log[-1].action
        if is_secret and not any(event.reveals for event in step.events):
            twin = seen.setdefault(step.events, after)
            if twin.state != after.state:
                yield twin, after


def reader_of(letter: Letter) -> str:
    """Whom a letter is for, by its key: `holo.1.0.alice`, `players.alice.2`."""
    words = letter.key.split(".")
    return words[1] if words[0] == "players" and len(words) == 3 else words[-1]


# Commands on a board


def line_of(who: str, what: Act | str = "", mail: str = MAIL) -> Line:
    """A line of a log, as a command makes it."""
    return Line(None, TIME, who, mail, action(what))


def queue(board: Match, who: str, *moves: Act | str) -> Match:
    """The board after a player has queued these moves, and all that follows."""
    words = tuple(map(str, moves))
    return ahead.advanced(ahead.queue(board, line_of(who), words), TIME)


def move(board: Match, who: str, what: Act | str) -> Match:
    """The board after a move, and the queued ones that follow."""
    return ahead.advanced(replay.after(board, line_of(who, what)), TIME)


def act(board: Match, who: str, what: Act | str) -> Match:
    """The board after an act, and the queued moves that follow."""
    return ahead.advanced(replay.after(board, line_of(who, what)), TIME)


def asked(board: Match, reader: str | None) -> str:
    """All that a player, or anybody, is answered about a board."""
    lines = [f"show 1 -format={form}" for form in ("text", "json", "bbcode")]
    lines += ["show 1#0"]
    lines += [f"history 1 -format={form}" for form in ("text", "json", "yaml")]
    if reader is not None:
        lines.append(f"showas {reader} secret 1")
    return "\n".join(answer(board, line) for line in lines)


def written_to(board: Match, reader: str, since: int = 0) -> list[Letter]:
    """The letters to a player about a board, from a line of its log on."""
    log = board.record.log
    told = [i for i in range(len(log)) if log[i].source != "queue" and i >= since]
    return [
        letter_about(board, i, reader)
        for i in told
        if reader in board_letters.readers(board, i)
    ]


# Boards on which anything is tried

ACTS = ["!propose", "!undo", "!undo"] + ["!accept"] * 6 + ["!reject", "!chat"]
ENDS = ["!resign", "!decline", "!void"]
CASES = [Case("holo", 2, {}), Case("hextol", 2, {}), Case("walomino", 3, {})]
CASES += [Case("walomino", seats, {"draft": "random"}) for seats in (2, 3, 4)]


def undone(board: Match, who: str) -> Match:
    """The board when all have agreed to take back a player's last move."""
    board = replay.after(board, Line(None, TIME, who, MAIL, Act.UNDO))
    for other in board.record.players:
        if other != who:
            board = replay.after(board, Line(None, TIME, other, MAIL, Act.ACCEPT))
    return board


# Boards with all that can happen on them

NAMES = ("zoe", "alice", "mallory", "bob2")
MOST_ROUNDS = 3  # twelve are legal, and take long


def chronicle(seed: int, game: str = "") -> Iterator[Match]:
    """A board of a game, any unless told: as it stands after each line of its log."""
    dice = random.Random(seed)
    board = _opened(game or dice.choice(names()), dice)
    calm = dice.choice([0.0, 0.05, 0.3])  # how often there is no move
    yield board
    for _ in range(MOST_MOVES):
        if board.result is not None:
            return
        disturbed = dice.random() < (calm if board.offer is None else 0.7)
        board = _disturbed(board, dice) if disturbed else _moved(board, dice)
        yield board


@cache
def finished(seed: int, game: str = "") -> Match:
    """Such a board at its end."""
    *_, last = chronicle(seed, game)
    assert last.result is not None
    return last


def _opened(name: str, dice: random.Random) -> Match:
    game = load(name)
    words = some_options(game, dice)
    if "rounds" in words:
        words["rounds"] = str(dice.randint(1, MOST_ROUNDS))
    players = dice.sample(NAMES, dice.choice(seats_of(name)))
    lot, secret = dice.random() < 0.5, dice.randbytes(32)
    options = configure(game, words)
    record = Record(name, 1, game.VERSION, (), lot, options, secret, ())
    return replay.begin(
        record, tuple(players), Line(0, TIME, NOBODY, MAIL, Act.CHALLENGE)
    )


def _moved(board: Match, dice: random.Random) -> Match:
    who = dice.choice(board.turn)
    word = dice.choice(notations(board, who))
    return replay.after(board, Line(None, TIME, who, MAIL, word))


def _disturbed(board: Match, dice: random.Random) -> Match:
    """The board after something else than a move, or as it was where that may not be.
    An undo is mostly accepted, a game seldom given up."""
    acts = ["!undo"] * 8 + ["!chat", "!propose"] * 2 + ["!resign", "!forfeit"]
    if board.offer is not None:
        acts = ["!accept"] * 12 + ["!reject", "!chat", "!resign"]
        if board.offer.kind == "draw":
            acts = ["!reject", "!accept"] * 2 + ["!chat"]
    elif dice.random() < 0.01:
        acts = ["!decline", "!void"]
    what = dice.choice(acts)
    who = NOBODY if what == "!void" else dice.choice(board.record.players)
    try:
        return replay.after(board, line_of(who, what))
    except PbmError:
        return board
