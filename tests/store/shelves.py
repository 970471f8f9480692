"""What the tests of the index share: boards in many states, and what all lists tell."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pbm_holomino import rules
from pbm_holomino.match import replay
from pbm_holomino.match.board import Match
from pbm_holomino.match.record import TICKED, Act, Line, Record
from pbm_holomino.rules.options import configure
from pbm_holomino.store.contract import Store
from pbm_holomino.store.files import index
from pbm_holomino.store.library import Library
from pbm_holomino.store.search import Unusable
from tests.boards import action
from tests.house import House, open_house

NAMES = ("alice", "bob", "carol")


class NoIndex:
    """An index that can never be used: lists are read from the documents."""

    def __getattr__(self, question: str) -> Any:
        raise Unusable


def from_files(store: Store) -> Library:
    """A library that knows what it tells from the files."""
    library = Library(store)
    library.lists.index = NoIndex()
    # each file once, as nothing changes meanwhile
    library.lists.entry = cache(library.lists.entry)  # type: ignore[method-assign]
    return library


def lists(library: Library) -> dict[str, object]:
    """All that lists tell of a store: the same from its index as from its files."""
    found: dict[str, object] = {}
    for players in ((), ("alice",), ("bob", "carol"), ("nobody",)):
        for which in ("active", "inactive", "next", "all"):
            for games in (None, ["walomino"]):
                told = library.lists.boards_of(players, which, games)
                found[f"{players} {which} {games}"] = told.boards, damage(told.damaged)
    for day in ("01", "05", "25"):
        told = library.lists.due(f"2026-11-{day}T12:00:00Z")
        found[f"due {day}"] = told.boards, damage(told.damaged)
    for game in rules.names():
        told = library.lists.last_ended(game, 3)
        found[f"last {game}"] = told.boards, damage(told.damaged)
        found[f"damaged {game}"] = damage(library.lists.damaged([game]))
        found[f"tallies {game}"] = library.lists.tallies(game)
        for after in (("", 0), ("2026-11-03T12:00:00Z", 2)):
            found[f"history {game} {after}"] = library.lists.history(game, after)
        for mail in ("aa01", "aa02", "aa03", "bb"):
            found[f"mail {mail} {game}"] = library.lists.number_opened_by(game, mail)
    found["seen"] = library.lists.last_seen([*NAMES, "nobody"])
    return found


def damage(damaged: list[Any]) -> list[str]:
    return list(map(str, damaged))


# Boards


@cache
def boards() -> tuple[Match, ...]:
    """Boards of two games in all states, of different players and times."""
    return tuple(_boards())


def _boards() -> Iterator[Match]:
    for number, names in enumerate([NAMES[:2], NAMES[1:], NAMES[:1] + NAMES[2:]]):
        board = opened("holo", names, f"aa0{number + 1}", day=number + 1)
        yield board
        board = moved(board)
        yield board
        yield chatted(board, names[0])
        yield acted(board, names[1], Act.RESIGN, day=number + 4)
        yield acted(board, board.turn[0], Act.FORFEIT, "tick", day=number + 5)
        yield chatted(acted(moved(board), names[0], Act.RESIGN), names[1])
    board = opened("walomino", NAMES, "-", day=3)
    yield board
    yield acted(board, "bob", Act.RESIGN)
    yield acted(board, "alice", Act.DECLINE)
    for who in NAMES:
        what = Act.PROPOSE if who == "alice" else Act.ACCEPT
        board = acted(board, who, what, day=5)
    yield board


def opened(game: str, names: tuple[str, ...], mail: str = "-", day: int = 1) -> Match:
    """A new board, which a mail has opened on that day of November."""
    record = Record(
        game=game,
        board=1,
        version=rules.load(game).VERSION,
        players=names,
        random=False,
        options=configure(rules.load(game), {}),
        seed=bytes([day]) * 32,
        log=(),
    )
    line = Line(0, time(day), names[0], mail, Act.CHALLENGE)
    return replay.begin(record, names, line)


def time(day: int) -> str:
    return f"2026-11-{day:02}T12:00:00Z"


def moved(board: Match) -> Match:
    (who, *_) = board.turn
    move = board.view(who).legal[0]
    return replay.after(board, Line(None, time(4), who, "-", move))


def acted(board: Match, who: str, what: Act, mail: str = "-", day: int = 4) -> Match:
    line = Line(None, time(day), who, TICKED if mail == "tick" else mail, action(what))
    return replay.after(board, line)


def chatted(board: Match, who: str) -> Match:
    return replay.with_note(acted(board, who, Act.CHAT, day=9), "Hello!")


def numbered(board: Match, number: int) -> Match:
    """The same board with another number."""
    return board._replace(record=board.record._replace(board=number))


# A server with an index


def asked_house(folder: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    """Boards 1 and 2 of alice and bob: each is to move on one of them. Nobody waits
    long for the index."""
    monkeypatch.setattr(index, "PATIENCE", 0.05)
    monkeypatch.setenv("PBM_GAMES", str(folder / "games"))
    house = open_house(folder / "games")
    house.type("holo challenge bob alice")
    games(house, "")
    return house


def games(house: House, words: str) -> str:
    """What `holo games` answers."""
    answer = house.type(f"holo games {words}")
    assert answer.status == 0
    return answer.text


def same(house: House) -> bool:
    """Whether all lists are as the files have it."""
    return lists(house.library) == lists(from_files(house.store))
