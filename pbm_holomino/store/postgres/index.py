"""The index of all boards: columns and tables that each save brings up to date."""

from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from itertools import islice

from pbm_holomino import rules
from pbm_holomino.match.ledgers import is_number
from pbm_holomino.store.columns import BY_SCORE, EDITION, entry_of, states
from pbm_holomino.store.contract import Progress
from pbm_holomino.store.endings import History, Totals
from pbm_holomino.store.postgres import statements as sql
from pbm_holomino.store.postgres.connection import Value
from pbm_holomino.store.postgres.documents import Documents
from pbm_holomino.store.postgres.schema import LISTS
from pbm_holomino.store.search import Entry, Found, Wanted
from pbm_holomino.store.summary import endings_of

_AT_ONCE = 50  # boards that are listed anew in one transaction


class Index:
    """The index of a store (see `contract.Index`). `read` gives the entry of a board as
    its document has it."""

    def __init__(
        self, documents: Documents, read: Callable[[str, int], Entry | None]
    ) -> None:
        self._documents = documents
        self._read = read

    def select(self, wanted: Wanted) -> list[Entry]:
        """The entries of the boards that are wanted, and of all damaged ones."""
        statement, values = _choice(wanted)
        rows = self._documents.ask(statement, list(wanted.games), *values)
        places = {game: place for place, game in enumerate(wanted.games)}
        rows.sort(key=lambda row: (places[row[0]], int(row[1])))
        return [entry_of(told, state) for _, _, told, state in rows]

    def history(self, game: str, after: tuple[str, int]) -> History:
        """The endings of a game, and which of them came after that time and board."""
        rows = self._documents.ask(sql.ENDINGS, game, after[0])
        entries = [entry_of(told, state) for _, _, told, state in rows if told]
        totals = Totals(*rows[0][:2]) if rows else Totals()
        endings = endings_of(Found.of(entries).boards)
        return History(totals, [one for one in endings if one[:2] > after])

    def tallies(self, game: str) -> dict[str, Counter[int]]:
        """For each player, in how many games how many players shared the first
        place."""
        found: dict[str, Counter[int]] = {}
        for player, first, games in self._documents.ask(sql.TALLIES, game):
            found.setdefault(player, Counter())[first] = games
        return found

    def seen(self, players: Iterable[str]) -> dict[str, str]:
        """When each of these players was last heard of on a board; empty for never."""
        rows = self._documents.ask(sql.SEEN, list(players))
        return {player: seen or "" for player, seen in rows}

    def finished(self, players: Iterable[str], by: str) -> set[str]:
        """Those of these players who have finished a game by score by this time."""
        rows = self._documents.ask(sql.FINISHED, list(players), by, BY_SCORE)
        return {player for (player,) in rows}

    def scan(self, anew: bool = False, progress: Progress = nullcontext) -> None:
        """List those boards anew that were changed by hand, or all, as where another
        version has listed them."""
        anew = anew or bool(self._documents.outdated())
        statement = sql.ALL_LISTED if anew else sql.UNLISTED
        rows = self._documents.ask(statement, list(rules.names()))
        boards = sorted((game, int(name)) for game, name in rows if is_number(name))
        with progress(boards) as shown:
            each = iter(shown)
            while batch := list(islice(each, _AT_ONCE)):
                self._documents.list_anew(batch, self._read)
        if anew:
            for game in rules.names():
                self._documents.tally_anew(game)
            self._documents.remember(LISTS, EDITION)


def _choice(wanted: Wanted) -> tuple[bytes, tuple[Value, ...]]:
    """The statement that selects what is wanted, and its values after the games."""
    players = list(wanted.players)
    if wanted.only_damaged:
        return sql.DAMAGED, ()
    if wanted.matters:
        return sql.LIMITING, (players, wanted.matters)
    if wanted.players:
        return sql.OF_PLAYERS, (players, states(wanted))
    if wanted.mail:
        return sql.OPENED_BY, (wanted.mail,)
    if wanted.due:
        return sql.DUE, (wanted.due,)
    if wanted.remind:
        return sql.TO_REMIND, (wanted.remind,)
    if wanted.last:
        return sql.LAST_ENDED, (wanted.last, wanted.until)
    return sql.IN_STATES, (states(wanted),)
