"""The costs of lists, saves and new boards as a store grows, and of a match as it goes
on."""

import os
import sys
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from typing import NamedTuple

from pbm_holomino import rules
from pbm_holomino.match import record, replay
from pbm_holomino.match.kinds.boards import to_data
from pbm_holomino.rules.options import Clock
from pbm_holomino.store import yaml as strict
from pbm_holomino.store.contract import PLAYERS
from pbm_holomino.store.library import Library
from tests.bench import positions
from tests.bench.commands import BenchTable, cheap_hash, lay_table, run
from tests.bench.harness import Contender, Row, duration, race
from tests.bench.positions import files_of
from tests.paths import ROOT

_SIZES = (100, 10_000)
_HUGE = (100, 100_000)
_PLAYERS = 100  # of the boards that only fill a store
_ROUNDS = 25
_CALLS = _ROUNDS + 1  # and one for warming up
_NEW_PLAYERS = tuple(f"new{number:03}" for number in range(2 * _CALLS))
_NINE = 9
_PLIES = (0, 8, 16, 24, 30)

# In each ten boards: so many tiles lie on them, None where they are over.
_MIX = (1, 8, 20, None, None, None, None, None, None, None)


_START = f"""import sys; sys.path.insert(0, {str(ROOT)!r})
from pbm_holomino import cli; sys.exit(cli.main(sys.argv[1:]))"""


def _straight(name: str) -> tuple[str, ...]:
    """How a command is started without looking for its environment."""
    return (sys.executable, "-c", _START, name)


class _Size(NamedTuple):
    """A store of so many boards, and moves that can be made in it."""

    boards: int
    table: BenchTable

    @property
    def root(self) -> str:
        return files_of(self.table.library).root

    def ask(self, *words: str) -> None:
        run((*_straight(words[0]), *words[1:]), store=self.root)


def growth(root: str) -> list[Row]:
    """A store with 100 boards, and one with 10,000."""
    return _races(root, _SIZES)


def huge(root: str) -> list[Row]:
    """The same with 100,000 boards, which take 700 MB and some minutes to write."""
    return _races(root, _HUGE)


def _races(root: str, sizes: tuple[int, ...]) -> list[Row]:
    stores = [lay_store(os.path.join(root, f"boards-{size}"), size) for size in sizes]
    rows: list[Row] = []
    for what, act in _ACTS.items():
        racers = [Contender(f"{what}, {s.boards} boards", act(s)) for s in stores]
        rows += race(_ROUNDS, *racers)
    return [*rows, *_ticks(root, sizes[-1])]


_TIMED = {"days to move": None, "clocks": Clock(bank=240, adds=24, most=480)}


def _ticks(root: str, boards: int) -> list[Row]:
    """A tick when nothing is due, where all boards wait for somebody."""
    racers = list[Contender]()
    for what, clock in _TIMED.items():
        store = os.path.join(root, what)
        _lay_waiting(store, boards, clock)
        tick = partial(run, (*_straight("pbm"), "tick"), store=store)
        racers.append(Contender(f"tick, {boards} boards with {what}", tick))
    return race(_ROUNDS, *racers)


def _saving(size: _Size) -> Callable[[], None]:
    shelf = size.table.library
    board, lines = shelf.match(positions.GAME, 1), count(1000)
    return lambda: shelf.save(board, unsent=next(lines))


_ACTS: dict[str, Callable[[_Size], Callable[[], None]]] = {
    "next of nine boards": lambda size: partial(
        size.ask, "holo", "games", "nina", "next"
    ),
    "show of nine boards": lambda size: partial(
        size.ask, "holo", "show", "nina", "next"
    ),
    "save of a board": _saving,
    "move": lambda size: partial(size.table.make_move, _straight),
    "next after a move": lambda size: partial(_move_and_ask, size),
    "challenge": lambda size: partial(_challenge, size, count()),
    "history": lambda size: partial(size.ask, "holo", "history"),
    "standings": lambda size: partial(size.ask, "holo", "standings"),
    "ratings": lambda size: partial(size.ask, "holo", "ratings"),
}


def _challenge(size: _Size, numbers: Iterator[int]) -> None:
    """A challenge between two players without one: few may wait between a pair."""
    first = 2 * next(numbers)
    size.ask("holo", "challenge", *_NEW_PLAYERS[first : first + 2])


def _move_and_ask(size: _Size) -> None:
    size.table.make_move(_straight)
    size.ask("holo", "games", "nina", "next")


# Stores


def lay_store(root: str, boards: int) -> _Size:
    """A store with so many boards: moves are due on the first, then nine are nina's to
    move on, and the rest are of all games, most of them over."""
    table = lay_table(root, 2 * _CALLS, hashed=False)
    shelf, names = table.library, [f"p{number:03}" for number in range(_PLAYERS)]
    texts = {
        (game, tiles): _template(game, tiles)
        for game in rules.names()
        for tiles in set(_MIX)
    }
    for game in rules.names():
        os.makedirs(files_of(shelf).path(game), exist_ok=True)
    first = len(shelf.lists.boards(positions.GAME)) + 1
    waiting = positions.at_tiles(20)
    seats = (
        ("nina", "olaf")
        if waiting.turn == waiting.record.players[:1]
        else ("olaf", "nina")
    )
    for number in range(first, first + _NINE):
        _write(shelf, positions.GAME, number, texts["holo", 20], seats)
    for number in range(first + _NINE, boards + 1):
        game = rules.names()[number % 3]
        pair = names[number % _PLAYERS], names[(number // 7 + 1) % _PLAYERS]
        if pair[0] != pair[1]:
            text = texts[game, _MIX[number // 3 % len(_MIX)]]
            _write(shelf, game, number, text, pair)
    for name in ("nina", "olaf", *names, *_NEW_PLAYERS):
        _write_account(shelf, name)
    shelf.lists.scan()
    if len(shelf.lists.boards_of(["nina"], "next").boards) != _NINE:
        raise RuntimeError("nina is not to move on nine boards")
    return _Size(boards, table)


def _lay_waiting(root: str, boards: int, clock: Clock | None) -> None:
    """A store with so many boards that wait since now, with this clock or with the
    usual days to move."""
    shelf = positions.new_library(root)
    now, texts = shelf.store.now(), dict[str, bytes]()
    for game in rules.names():
        os.makedirs(files_of(shelf).path(game), exist_ok=True)
        texts[game] = _template(game, _MIX[1], now, clock)
    names = [f"p{number:03}" for number in range(_PLAYERS)]
    positions.save_players(shelf, cheap_hash())
    for name in names:
        _write_account(shelf, name)
    for number in range(1, boards + 1):
        game = rules.names()[number % len(texts)]
        first, second = number % _PLAYERS, (number // 7 + 1) % _PLAYERS
        pair = names[first], names[second - (first == second)]
        _write(shelf, game, number, texts[game], pair)
    shelf.lists.scan()


def _template(
    game: str, tiles: int | None, now: str = "", clock: Clock | None = None
) -> bytes:
    """A board's file, in which the players and the number can be replaced. Its moves
    were made `now`, if that is said."""
    if tiles is None:
        board = positions.finished(game)
    else:
        tiles = min(tiles, 12) if game == "walomino" else tiles
        board = positions.at_tiles(tiles, game)
    old = board.record
    who = dict(zip(old.players, (_FIRST, _SECOND), strict=True))
    log = tuple(
        line._replace(who=who[line.who], time=now or line.time) for line in old.log
    )
    new = old._replace(players=tuple(who.values()), log=log, board=_NUMBER, clock=clock)
    return strict.dump(to_data(replay.replay(new)))


_FIRST, _SECOND, _NUMBER = "first_player", "second_player", 987_654_321


def _write(
    shelf: Library, game: str, number: int, text: bytes, pair: tuple[str, str]
) -> None:
    for old, new in zip(
        (_FIRST, _SECOND, str(_NUMBER)), (*pair, str(number)), strict=True
    ):
        text = text.replace(old.encode(), new.encode())
    for entry, content in ((f"{number}.yaml", text), (f"{number}.lock", b"")):
        with open(files_of(shelf).path(game, entry), "wb") as file:
            file.write(content)


def _write_account(shelf: Library, name: str) -> None:
    with open(files_of(shelf).path(PLAYERS, "alice.yaml"), "rb") as file:
        text = file.read().replace(b"alice", name.encode())
    with open(files_of(shelf).path(PLAYERS, f"{name}.yaml"), "wb") as file:
        file.write(text)


# A match


def match_report(root: str) -> str:
    """What a match of Holomino costs after so many moves: its file, reading it with
    all its moves, and each of these for one move."""
    final = positions.finished()
    lines = ["A match of Holomino as it goes on", "", _HEAD]
    start = len(strict.dump(to_data(final.after_ply(0))))
    for ply in _PLIES:
        board = final.after_ply(ply)
        text = strict.dump(to_data(board))

        def read(text: bytes = text) -> None:
            replay.replay(record.from_data(strict.load(text)))

        (row,) = race(_ROUNDS, Contender("", read))
        each = f"{(len(text) - start) / ply:11.0f}" if ply else ""
        lines.append(f"{ply:5}  {len(text):6}  {duration(row.seconds):>10}  {each}")
    return "".join(f"{line}\n" for line in lines)


_HEAD = f"{'moves':>5}  {'bytes':>6}  {'reading':>10}  {'bytes a move':>12}"
