"""What the store knows about the words of a line that cannot be read as it is."""

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from pbm_holomino.commands.allowance import UNBOUNDED, Allowance
from pbm_holomino.errors import CorruptFile

if TYPE_CHECKING:
    from pbm_holomino.store.library import Library


class Known(NamedTuple):
    """Answers about words; as they are here, nothing is known.

    `is_player` says whether a userid is a player's, `sender` who sent the line (empty
    if it is not certain), `has_board` whether a game has a board of this number, and
    `plays` whether a player plays on it and it is not over.
    """

    is_player: Callable[[str], bool] = lambda userid: False
    sender: Callable[[], str] = lambda: ""
    has_board: Callable[[str, int], bool] = lambda game, board: False
    plays: Callable[[str, str, int], bool] = lambda userid, game, board: False


NOTHING = Known()


def known_to(
    open_library: "Callable[[], Library | None]",
    sender: str = "",
    allowance: Allowance = UNBOUNDED,
) -> Known:
    """What a store knows, which is opened only if something is asked; None if there is
    no store. A mail's `sender` is known if one account alone has that address: all
    accounts are read for it, which counts as a question of that mail.

    The answers may raise TooMany or StoreTrouble.
    """
    library = cache(open_library)

    @cache
    def is_player(userid: str) -> bool:
        if (found := library()) is None:
            return False
        try:
            return found.player(userid) is not None
        except CorruptFile:
            return True  # it is theirs all the same

    @cache
    def the_sender() -> str:
        if not sender or (found := library()) is None:
            return ""
        allowance.ask()
        accounts, _ = found.accounts()
        names = [player.userid for player in accounts if player.owns(sender)]
        return names[0] if len(names) == 1 else ""

    @cache
    def has_board(game: str, board: int) -> bool:
        found = library()
        return found is not None and found.store.exists(game, str(board))

    @cache
    def plays(userid: str, game: str, board: int) -> bool:
        if not has_board(game, board) or (found := library()) is None:
            return False
        entry = found.lists.entry(game, board)
        if entry is None or isinstance(entry, CorruptFile):
            return False
        return userid in entry.players and entry.status == "active"

    return Known(is_player, the_sender, has_board, plays)
