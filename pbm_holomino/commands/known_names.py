"""What the store knows about the words of a line that cannot be read as it is."""

from collections.abc import Callable
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from pbm_holomino.commands.allowance import UNBOUNDED, Allowance
from pbm_holomino.errors import CorruptFile
from pbm_holomino.match.open_challenge import SOME_ROBOT
from pbm_holomino.named_tuples import NamedTuple

if TYPE_CHECKING:
    from pbm_holomino.store.library import Library


class Known(NamedTuple):
    """Answers about words; as they are here, nothing is known.

    `is_player` says whether a userid is a player's, `senders` who may have sent the
    line: the players who have the address from which it comes. `has_board` says whether
    a game has a board of this number, and `plays` whether a player plays on it and it
    is not over.
    """

    is_player: Callable[[str], bool] = lambda userid: False
    senders: Callable[[], tuple[str, ...]] = lambda: ()
    has_board: Callable[[str, int], bool] = lambda game, board: False
    plays: Callable[[str, str, int], bool] = lambda userid, game, board: False

    def sender(self) -> str:
        """Who sent the line; empty if it is not certain."""
        names = self.senders()
        return names[0] if len(names) == 1 else ""


NOTHING = Known()


def known_to(
    open_library: "Callable[[], Library | None]",
    sender: str = "",
    allowance: Allowance = UNBOUNDED,
) -> Known:
    """What a store knows, which is opened only if something is asked; None if there is
    no store. All accounts are read for those that have the address of a mail's
    `sender`, which counts as a question of that mail.

    The answers may raise TooMany or StoreTrouble.
    """
    library = cache(open_library)

    @cache
    def asked(answer: Callable[..., Any], unknown: Any, *words: object) -> Any:
        """The answer of the library, asked once; `unknown` without a library."""
        found = library()
        return unknown if found is None else answer(found, *words)

    def owners(found: "Library") -> tuple[str, ...]:
        return _owners(found, sender, allowance)

    return Known(
        partial(asked, _is_player, False),
        partial(asked, owners, ()) if sender else NOTHING.senders,
        partial(asked, _has_board, False),
        partial(asked, _plays, False),
    )


def _is_player(library: "Library", userid: str) -> bool:
    try:
        return library.player(userid) is not None or _is_robot(library, userid)
    except CorruptFile:
        return True  # it is theirs all the same


def _is_robot(library: "Library", userid: str) -> bool:
    return userid == SOME_ROBOT or library.is_robot(userid)


def _owners(library: "Library", address: str, allowance: Allowance) -> tuple[str, ...]:
    """The players with this address."""
    allowance.answers.read_on()
    return tuple(player.userid for player in library.accounts_at(address))


def _has_board(library: "Library", game: str, board: int) -> bool:
    return library.store.exists(game, str(board))


def _plays(library: "Library", userid: str, game: str, board: int) -> bool:
    if not _has_board(library, game, board):
        return False
    entry = library.lists.entry(game, board)
    if entry is None or isinstance(entry, CorruptFile):
        return False
    return userid in entry.players and entry.status == "active"
