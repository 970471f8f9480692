"""What the store holds, as matches and players."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from pbm_holomino import config, match, players, record, rules
from pbm_holomino.board import CHAT, Match, Result, places, verdict_of
from pbm_holomino.clock import next_due
from pbm_holomino.config import Config
from pbm_holomino.draw.ascii import draw
from pbm_holomino.errors import (
    BadCommand,
    BadMove,
    BadOption,
    CorruptFile,
    NotFound,
    NotYourTurn,
    StoreTrouble,
)
from pbm_holomino.players import Player
from pbm_holomino.record import QUEUED, TICKED, Line
from pbm_holomino.store import Store, corrupt

PLAYERS = "players"

# What the readers of a damaged file's data raise.
_REFUSED = (BadOption, BadCommand, BadMove, NotYourTurn)
_MISSHAPEN = (LookupError, TypeError, AttributeError, ArithmeticError)
_DAMAGE = (*_REFUSED, *_MISSHAPEN, ValueError)


class Summary(NamedTuple):
    """What lists tell of a board: the derived part of its file."""

    game: str
    board: int
    players: tuple[str, ...]
    status: str
    turn: tuple[str, ...]
    ply: int
    scores: Mapping[str, int]
    result: Result | None
    places: Mapping[str, int]  # of each player, if it is over and counts
    opening_mail: str  # the mail that opened the board
    last_time: str  # of the last line of its log that is no chat: when it ended
    seen: Mapping[str, str]  # when each player was last heard of in its log
    due: str  # when the clock will have something to do; empty for never

    @property
    def verdict(self) -> str:
        """Who won, in words; the status where nobody has."""
        if self.result is None:
            return self.status
        return verdict_of(self.result, self.scores, rules.load(self.game).POINTS)


class Found(NamedTuple):
    """Boards that were looked for, and the damaged files that were met."""

    boards: list[Summary]
    damaged: list[CorruptFile]


class Library:
    """Reads and saves what the store holds; nothing here decides anything."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def config(self) -> Config:
        """The owner's settings. Raises StoreTrouble where they are wrong."""
        try:
            return config.from_data(self.store.read("", "config"))
        except CorruptFile as error:
            raise StoreTrouble(str(error)) from None

    # Matches

    def match(self, game: str, board: int) -> Match:
        """A board, replayed. Raises NotFound or CorruptFile."""
        return self.match_and_data(game, board)[0]

    def match_and_data(self, game: str, board: int) -> tuple[Match, Any]:
        """A board, and what its file holds, the derived part too."""
        name = str(board)
        data = self.store.read(game, name)
        if data is None:
            raise no_board(game, board)
        try:
            found = record.from_data(data)
            if (found.game, found.board) != (game, board):
                raise ValueError(f"it says that it is {found.name}")
            return match.replay(found), data
        except _DAMAGE as error:
            raise corrupt(game, name, _reason(error)) from None

    def save_match(self, changed: Match, unsent: int | None = None) -> None:
        """Save a board, and mark the letters about a line of its log as unsent."""
        name = str(changed.record.board)
        self.store.save(changed.record.game, name, to_data(changed), unsent)

    def boards(self, game: str) -> list[int]:
        """The numbers of a game's boards, ascending."""
        names = self.store.names(game)
        return sorted(int(name) for name in names if name.isascii() and name.isdigit())

    def next_number(self, game: str) -> int:
        """The number of the next board: one that none has had, not even one whose
        file is gone."""
        once = [
            int(n) for n in self.store.locked_once(game) if re.fullmatch("[0-9]+", n)
        ]
        return max((*self.boards(game), *once), default=0) + 1

    def summaries(self, games: Iterable[str]) -> Iterator[Summary | CorruptFile]:
        """What is to tell of each board of these games, or why nothing can be told."""
        for game in games:
            for board in self.boards(game):
                try:
                    yield _summary(self.store.read(game, str(board)))
                except CorruptFile as damage:
                    yield damage
                except _DAMAGE as error:
                    yield corrupt(game, str(board), _reason(error))

    def opened_by(self, game: str, mail: str) -> Match | None:
        """The board that a mail has opened."""
        for summary in self.summaries([game]):
            if isinstance(summary, Summary) and summary.opening_mail == mail:
                return self.match(game, summary.board)
        return None

    def knows(self, userid: str) -> bool:
        """Whether somebody of that name has an account, or once played."""
        if self.player(userid) is not None:
            return True
        return bool(self.boards_of([userid], "all").boards)

    def boards_of(
        self, userids: Iterable[str], which: str, games: Iterable[str] | None = None
    ) -> Found:
        """The boards of any of these players (of all where none is named) that are
        `active`, `inactive`, `next` (where it is their turn), or `all`; and what is
        damaged among the boards of these games."""
        wanted = set(userids)
        found = list(self.summaries(rules.names() if games is None else games))
        boards = [s for s in found if isinstance(s, Summary)]
        damaged = [damage for damage in found if isinstance(damage, CorruptFile)]
        return Found([s for s in boards if _is_wanted(s, wanted, which)], damaged)

    # Players

    def player(self, userid: str) -> Player | None:
        """The account of a player, if there is one. Raises CorruptFile."""
        found = self.account(userid)
        return None if found is None or found.status == players.DELETED else found

    def accounts(self) -> tuple[list[Player], list[CorruptFile]]:
        """All accounts by name, deleted ones too; and those that are damaged."""
        found: list[Player] = []
        damaged = []
        for name in sorted(self.store.names(PLAYERS)):
            try:
                found += filter(None, [self.account(name)])
            except CorruptFile as damage:
                damaged.append(damage)
        return found, damaged

    def signed_on(self) -> list[str]:
        """The players who get broadcasts, by name."""
        return [player.userid for player in self.accounts()[0] if player.status == "on"]

    def account(self, userid: str) -> Player | None:
        """An account, even one that was deleted. Raises CorruptFile."""
        if not players.is_userid(userid):
            return None
        data = self.store.read(PLAYERS, userid)
        try:
            found = None if data is None else players.from_data(data)
            if found is not None and found.userid != userid:
                raise ValueError(f"it says that it is {found.userid}'s")
            return found
        except _DAMAGE as error:
            raise corrupt(PLAYERS, userid, _reason(error)) from None

    def forget(self, player: Player) -> None:
        """Keep nothing of a deleted account but its name."""
        kept = players.forgotten(player)
        if kept != player:
            self.store.save(PLAYERS, player.userid, players.to_data(kept))

    def save_player(self, player: Player) -> None:
        """Save an account, and mark the letters about its last line as unsent."""
        line = player.log[-1].no
        self.store.save(PLAYERS, player.userid, players.to_data(player), line)


def _reason(error: Exception) -> str:
    """What is wrong with a file, for people."""
    if isinstance(error, KeyError):
        return f"it lacks {error}"
    return "it is not as it was made" if isinstance(error, _MISSHAPEN) else str(error)


def no_board(game: str, board: int) -> NotFound:
    """The error about a board that is not there."""
    return NotFound(f"There is no board {game} {board}.")


def to_data(changed: Match) -> dict[str, Any]:
    """What a board's file holds. All from `status` on is derived from what stands
    above it, for lists and for people who read the file."""
    due = next_due(changed)
    return {
        **record.to_data(changed.record),
        "status": changed.status,
        "turn": list(changed.turn),
        "ply": str(changed.ply),
        **({"due": due} if due else {}),
        "scores": {player: str(score) for player, score in changed.scores.items()},
        **_ended(changed),
        "picture": draw(changed.view(None).drawing),
    }


def _ended(changed: Match) -> dict[str, Any]:
    """How it ended, if it has."""
    if changed.result is None:
        return {}
    return {
        "winners": list(changed.result.winners),
        "reason": changed.result.reason,
        "places": {player: str(place) for player, place in places(changed).items()},
    }


def _summary(data: Any) -> Summary:
    log = [record.parse_line(text) for text in data["log"]]
    names = tuple(data["players"])
    result = None
    if "reason" in data:
        result = Result(tuple(data["winners"]), data["reason"])
    return Summary(
        game=data["game"],
        board=int(data["board"]),
        players=names,
        status=data["status"],
        turn=tuple(data["turn"]),
        ply=int(data["ply"]),
        scores={player: int(score) for player, score in data["scores"].items()},
        result=result,
        places=_places(data, names) if result and result.winners else {},
        opening_mail=log[0].id,
        last_time=[line.time for line in log if line.what != CHAT][-1],
        seen={line.who: line.time for line in log if _is_from(line, names)},
        due=_due(data.get("due", "")),
    )


def _places(data: Any, names: tuple[str, ...]) -> dict[str, int]:
    found = {name: int(data["places"][name]) for name in names}
    if len(found) < 2 or not all(0 < place <= len(names) for place in found.values()):
        raise ValueError("its places are none")
    return found


def _is_from(line: Line, names: Iterable[str]) -> bool:
    """Whether one of these players was there themselves."""
    return line.who in names and line.id not in (QUEUED, TICKED)


def _due(due: object) -> str:
    if not isinstance(due, str):
        raise TypeError("its due time is no text")
    return due


def _is_wanted(summary: Summary, wanted: set[str], which: str) -> bool:
    if wanted and not wanted & set(summary.players):
        return False
    if which == "next":
        return bool(wanted & set(summary.turn) if wanted else summary.turn)
    return which == "all" or (which == "active") == (summary.status == "active")
