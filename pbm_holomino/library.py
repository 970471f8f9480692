"""What the store holds, as matches and players."""

from typing import Any

from pbm_holomino import config, match, players, record
from pbm_holomino.board import Match, places
from pbm_holomino.clock import next_due
from pbm_holomino.config import Config
from pbm_holomino.draw.ascii import draw
from pbm_holomino.errors import CorruptFile, NotFound, StoreTrouble
from pbm_holomino.lists import Lists
from pbm_holomino.players import Player
from pbm_holomino.store import DAMAGE, corrupt

PLAYERS = "players"


class Library(Lists):
    """Reads and saves what the store holds; nothing here decides anything."""

    def config(self) -> Config:
        """The owner's settings. Raises StoreTrouble where they are wrong."""
        try:
            text = self.store.text("", "config")
            return Config() if text is None else config.from_text(text)
        except ValueError as error:
            damage = corrupt("", "config", error)
            raise StoreTrouble(damage.for_the_owner) from None
        except CorruptFile as error:
            raise StoreTrouble(error.for_the_owner) from None

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
        except DAMAGE as error:
            raise corrupt(game, name, error) from None

    def save_match(self, changed: Match, unsent: int | None = None) -> None:
        """Save a board, and mark the letters about a line of its log as unsent."""
        game, board, data = changed.record.game, changed.record.board, to_data(changed)
        with self.changing(game, board):
            self.store.save(game, str(board), data, unsent)

    def opened_by(self, game: str, mail: str) -> Match | None:
        """The board that a mail has opened."""
        number = self.number_opened_by(game, mail)
        return None if number is None else self.match(game, number)

    def knows(self, userid: str) -> bool:
        """Whether somebody of that name has an account, or once played."""
        if self.player(userid) is not None:
            return True
        return bool(self.boards_of([userid], "all").boards)

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
        except DAMAGE as error:
            raise corrupt(PLAYERS, userid, error) from None

    def forget(self, player: Player) -> None:
        """Keep nothing of a deleted account but its name."""
        kept = players.forgotten(player)
        if kept != player:
            self.store.save(PLAYERS, player.userid, players.to_data(kept))

    def save_player(self, player: Player) -> None:
        """Save an account, and mark the letters about its last line as unsent."""
        line = player.log[-1].no
        self.store.save(PLAYERS, player.userid, players.to_data(player), line)


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
