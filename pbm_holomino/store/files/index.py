"""An index of all boards, so that a list reads only what it shows.

It is derived from the boards' files, and never trusted over them: a file is known by
its stamp, and one with another stamp than the index knows is read again before it is
shown. Whoever saves a board gives notice (`changes`), and whoever asks next reads it. A
change by hand is found when that board is shown, and anywhere when all stamps are
compared: by `scan`, after a restart of the machine, and when the index is a copy.

Whatever goes wrong with it is raised as Unusable, and the files are read instead.
"""

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import (
    closing,
    contextmanager,
    nullcontext,
)
from typing import TYPE_CHECKING, TypeVar

from pbm_holomino import rules
from pbm_holomino.match.ledgers import is_number
from pbm_holomino.store.columns import entry_of
from pbm_holomino.store.contract import Key, Progress
from pbm_holomino.store.endings import History, Totals
from pbm_holomino.store.files import changes, rows
from pbm_holomino.store.files.changes import Changes
from pbm_holomino.store.files.documents import Files
from pbm_holomino.store.files.rows import VERSION, Row
from pbm_holomino.store.search import Entry, Found, Unusable, Wanted
from pbm_holomino.store.summary import endings_of

if TYPE_CHECKING:
    from sqlite3 import Connection, Error

PATIENCE = 2.0  # seconds to wait for another process that writes the index
_Answer = TypeVar("_Answer")
_TRIES = 5


class Index:
    """The index of a store. `read` gives the entry of a board that has a file, None for
    one that is in no list."""

    def __init__(self, store: Files, read: Callable[[str, int], Entry | None]) -> None:
        self._store = store
        self._read = read
        self._path = store.path(changes.INDEX)
        self._changes = Changes(store.root)

    # Questions

    def select(self, wanted: Wanted) -> list[Entry]:
        """The entries of the boards that are wanted, and of all damaged ones of these
        games, in the order of the games and of the numbers. Raises Unusable."""
        return self._ask(lambda db: self._current(db, wanted)[0])

    def history(self, game: str, after: tuple[str, int]) -> History:
        """The endings of a game, and which of them came after that time and board.
        Raises Unusable."""
        wanted = Wanted([game], after=after)
        entries, totals = self._ask(lambda db: self._current(db, wanted))
        return History(totals, endings_of(Found.of(entries).boards))

    def tallies(self, game: str) -> dict[str, Counter[int]]:
        """For each player, in how many games how many players shared the first place
        with them, themselves included; 0 counts the games they lost. Raises
        Unusable."""
        sql = "SELECT player, first, games FROM tallies WHERE game = ? AND games > 0"
        found: dict[str, Counter[int]] = {}
        for player, first, games in self._ask(
            lambda db: db.execute(sql, (game,)).fetchall()
        ):
            found.setdefault(player, Counter())[first] = games
        return found

    def seen(self, players: Iterable[str]) -> dict[str, str]:
        """When each of these players was last heard of on a board; empty for never.
        Raises Unusable."""
        sql = "SELECT ifnull(max(seen), '') FROM seats WHERE player = ?"
        return self._ask(
            lambda db: {
                player: db.execute(sql, (player,)).fetchone()[0] for player in players
            }
        )

    def finished(self, players: Iterable[str], by: str) -> set[str]:
        """Those of these players who have finished a game by score by this time. Raises
        Unusable."""
        return self._ask(
            lambda db: {each for each in players if rows.has_finished(db, each, by)}
        )

    def greatest(self, game: str) -> int:
        """The greatest number that a board of the game is known to have had. Reads no
        file. Raises Unusable."""
        if not os.path.exists(self._path):
            raise Unusable

        def ask(db: "Connection") -> int:
            sql = "SELECT ifnull(max(greatest), 0) FROM games WHERE game = ?"
            (known,) = db.execute(sql, (game,)).fetchone()
            named = [no for name, no in self._changes.boards() if name == game]
            new = sorted((no for no in named if no > known), reverse=True)
            # a process may die between its notice and the file
            made = (no for no in new if self._store.exists(game, str(no)))
            return int(next(made, known))

        return self._ask(ask, self._check)

    # Keeping it up to date

    def scan(self, anew: bool = False, progress: Progress = nullcontext) -> None:
        """Compare the stamps of all files, and read those that have changed; `anew`
        reads all. Raises Unusable."""
        self._store.kept.sweep(changes.FOLDER)
        self._ask(lambda db: self._scan(db, anew, progress), lambda db: None)

    def _ask(
        self,
        ask: Callable[["Connection"], _Answer],
        prepare: Callable[["Connection"], None] | None = None,
    ) -> _Answer:
        """The answer to a question, once the index is up to date. One that is damaged
        is made anew."""
        try:
            import sqlite3  # slow to load
        except ImportError as error:
            raise Unusable(str(error)) from None
        if not self._has_games():
            raise Unusable("the store has no boards")
        for _ in range(2):
            try:
                with closing(self._open()) as db:
                    (prepare or self._bring_up_to_date)(db)
                    return ask(db)
            except sqlite3.Error as error:
                if not _is_damage(error):
                    raise Unusable(str(error)) from None
            except OSError as error:
                raise Unusable(str(error)) from None
            except ValueError:  # a row makes no sense
                pass
            changes.drop_index(self._store.root)
        raise Unusable("it is damaged again and again")

    def _has_games(self) -> bool:
        """Whether there may be boards; otherwise the folder stays as empty as it is."""
        return any(os.path.isdir(self._store.path(game)) for game in rules.names())

    def _open(self) -> "Connection":
        import sqlite3

        db = sqlite3.connect(self._path, timeout=PATIENCE, isolation_level=None)
        db.execute("PRAGMA cache_size = -64000")  # so that a scan need not write early
        return db

    def _is_sound(self, db: "Connection") -> bool:
        """Whether the index is of this version, and has missed no change of which there
        is no notice: it may have while the machine was off, or if it is a copy."""
        (version,) = db.execute("PRAGMA user_version").fetchone()
        if version != VERSION:
            return False
        (identity,) = db.execute("SELECT max(identity) FROM origin").fetchone()
        return bool(identity == self._identity())

    def _identity(self) -> str:
        """Which file this is, and since which start of the machine."""
        return f"{boot()} {os.stat(self._path).st_ino}"

    def _check(self, db: "Connection") -> None:
        if not self._is_sound(db):
            raise Unusable

    def _bring_up_to_date(self, db: "Connection") -> None:
        if not self._is_sound(db):
            self._scan(db)
        notices = self._changes.notices()
        named = {key for notice in notices for key in notice.boards}
        # a notice that is still in use names boards that were read before, too
        changed = {key for key in named if self._stamp(*key) != rows.stamp(db, *key)}
        if changed:
            self._reread(db, changed)
        changes.remove(notices)

    @contextmanager
    def _writing(self, db: "Connection") -> Iterator[None]:
        """Commit all that is written in this block, or nothing. Raises Unusable if the
        index has been replaced meanwhile."""
        identity = self._identity()
        db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            if db.in_transaction:
                db.execute("ROLLBACK")
            raise
        db.execute("COMMIT")
        if self._identity() != identity:
            raise Unusable

    def _scan(
        self, db: "Connection", anew: bool = False, progress: Progress = nullcontext
    ) -> None:
        with self._writing(db):
            (version,) = db.execute("PRAGMA user_version").fetchone()
            if version != VERSION or anew:
                numbers = rows.numbers(db)
                rows.make(db)
                os.chmod(self._path, 0o600)
                rows.keep_numbers(db, numbers)
            known = {
                (game, board): stamp
                for game, board, stamp in db.execute(
                    "SELECT game, board, stamp FROM boards"
                )
            }
            there = dict(self._stamps())
            changed = {key for key, _ in known.items() ^ there.items()}
            with progress(sorted(changed)) as shown:
                for key in shown:
                    self._put(db, *key)
            rows.keep_numbers(db, self._locked())
            db.execute("DELETE FROM origin")
            db.execute("INSERT INTO origin VALUES (?)", (self._identity(),))

    def _stamps(self) -> Iterator[tuple[Key, str]]:
        for game in rules.names():
            for name, stamp in self._store.stamps(game).items():
                if is_number(name):
                    yield (game, int(name)), _text(stamp)

    def _locked(self) -> dict[str, int]:
        """The greatest number of each game that has had a lock, and so a file."""
        locked = {game: self._store.locked_once(game) for game in rules.names()}
        return {
            game: max(map(int, filter(is_number, names)), default=0)
            for game, names in locked.items()
        }

    def _current(self, db: "Connection", wanted: Wanted) -> tuple[list[Entry], Totals]:
        """What is wanted, from rows whose files have not changed since."""
        for _ in range(_TRIES):
            found, totals = rows.snapshot(db, wanted)
            stale = {row.key for row in found if row.stamp != self._stamp(*row.key)}
            if not stale:
                return [entry_of(row.told, row.active) for row in found], totals
            self._reread(db, stale)
        raise Unusable("boards change faster than they are read")

    def _stamp(self, game: str, board: int) -> str:
        """The stamp of a board's file; empty where there is none."""
        stamp = self._store.stamp(game, str(board))
        return "" if stamp is None else _text(stamp)

    def _reread(self, db: "Connection", keys: set[Key]) -> None:
        with self._writing(db):
            for key in sorted(keys):
                self._put(db, *key)

    def _put(self, db: "Connection", game: str, board: int) -> None:
        """Read a board's file into the index. Its stamp is taken before, so that a
        change between the two is found."""
        stamp = self._stamp(game, board)
        entry = self._read(game, board) if stamp else None
        rows.put(db, Row(game, board, stamp), entry)


def _text(stamp: Iterable[int]) -> str:
    return " ".join(map(str, stamp))


def boot() -> str:
    """The id of the machine's last start; empty where the system has none."""
    try:
        with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
            return file.read().strip()
    except OSError:
        return ""


def _is_damage(error: "Error") -> bool:
    """Whether an index that raises this must be made anew; otherwise it is in use, or
    the disk refuses."""
    import sqlite3

    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    return code in (
        sqlite3.SQLITE_ERROR,  # no such table
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_NOTADB,
        sqlite3.SQLITE_CONSTRAINT,
        sqlite3.SQLITE_MISMATCH,
    )
