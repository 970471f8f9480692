"""The tables of the index: how they are made, asked and filled.

Everything follows from the rows of `boards`: triggers keep the other tables in step, or
they are filled together.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.store.columns import BY_SCORE, EDITION, columns, seats, states
from pbm_holomino.store.contract import Key
from pbm_holomino.store.endings import SIGN_BITS, Totals
from pbm_holomino.store.search import Entry, Wanted

if TYPE_CHECKING:
    from sqlite3 import Connection

_LAYOUT = 4  # of what follows, and of the notices (changes) by which it is kept
VERSION = _LAYOUT + int(EDITION)
_SCHEMA = f"""
CREATE TABLE origin (identity TEXT);
CREATE TABLE boards (
    game TEXT, board INTEGER, stamp TEXT, told TEXT,
    active INTEGER,  -- 1 if it is; NULL for a damaged file; else see columns.py
    due TEXT, time TEXT, mail TEXT,
    sign INTEGER,    -- NULL unless it has ended and counts
    remind TEXT,     -- when somebody may have to be reminded
    PRIMARY KEY (game, board)
) WITHOUT ROWID;
CREATE INDEX damaged ON boards (game) WHERE active IS NULL;
CREATE INDEX states ON boards (game, active, time, board);
CREATE INDEX dues ON boards (due) WHERE due > '';
CREATE INDEX reminders ON boards (remind) WHERE remind > '';
CREATE INDEX mails ON boards (game, mail) WHERE mail > '-';
CREATE INDEX endings ON boards (game, time, board) WHERE sign IS NOT NULL;
CREATE TABLE seats (
    player TEXT, active INTEGER, game TEXT, board INTEGER, seen TEXT,
    first INTEGER,   -- NULL unless it has ended and counts
    matters TEXT,    -- until when the board limits new challenges
    PRIMARY KEY (player, active, game, board)
) WITHOUT ROWID;
CREATE INDEX seatings ON seats (game, board);
CREATE INDEX sightings ON seats (player, seen);
CREATE INDEX challenges ON seats (player, matters) WHERE matters > '';
CREATE TABLE tallies (
    game TEXT, player TEXT, first INTEGER, games INTEGER,
    PRIMARY KEY (game, player, first)
) WITHOUT ROWID;
CREATE TABLE games (
    game TEXT PRIMARY KEY, greatest INTEGER, endings INTEGER, total INTEGER
);
CREATE TRIGGER entered AFTER INSERT ON boards BEGIN
    INSERT INTO games VALUES
        (NEW.game, NEW.board, NEW.sign IS NOT NULL, ifnull(NEW.sign, 0))
    ON CONFLICT DO UPDATE SET
        greatest = max(greatest, excluded.greatest),
        endings = endings + excluded.endings,
        total = (total + excluded.total) & {(1 << SIGN_BITS) - 1};
END;
CREATE TRIGGER struck AFTER DELETE ON boards BEGIN
    DELETE FROM seats WHERE game = OLD.game AND board = OLD.board;
    UPDATE games SET
        endings = endings - (OLD.sign IS NOT NULL),
        total = (total - ifnull(OLD.sign, 0)) & {(1 << SIGN_BITS) - 1}
    WHERE game = OLD.game;
END;
CREATE TRIGGER seated AFTER INSERT ON seats WHEN NEW.first IS NOT NULL BEGIN
    INSERT INTO tallies VALUES (NEW.game, NEW.player, NEW.first, 1)
    ON CONFLICT DO UPDATE SET games = games + 1;
END;
CREATE TRIGGER unseated AFTER DELETE ON seats WHEN OLD.first IS NOT NULL BEGIN
    UPDATE tallies SET games = games - 1
    WHERE (game, player, first) = (OLD.game, OLD.player, OLD.first);
END;
"""


class Row(NamedTuple):
    """A board, the stamp of its file, and its entry as text."""

    game: str
    board: int
    stamp: str
    told: str = ""
    active: int | None = None  # None for a damaged file

    @property
    def key(self) -> Key:
        return self.game, self.board


def version_of(path: str) -> int | None:
    """The version of the tables in a file; None if there is no such file. (SQLite's
    file format has the user version in bytes 60 to 63.)"""
    with suppress(OSError), open(path, "rb") as file:
        return int.from_bytes(file.read(64)[60:], "big")
    return None


def make(db: "Connection") -> None:
    """Make empty tables, in place of any that there are."""
    there = db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    for (name,) in there.fetchall():
        db.execute(f'DROP TABLE "{name}"')
    for statement in _statements():
        db.execute(statement)
    db.execute(f"PRAGMA user_version = {VERSION}")


def _statements() -> Iterator[str]:
    """The statements of the schema; executescript would commit between them."""
    import sqlite3

    statement = ""
    for line in _SCHEMA.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


def snapshot(db: "Connection", wanted: Wanted) -> tuple[list[Row], Totals]:
    """The rows that are wanted and the totals of the first game, at one moment."""
    sql, values = _query(wanted)
    db.execute("BEGIN")
    try:
        rows = list(map(Row._make, db.execute(sql, values)))
        sql = "SELECT endings, total FROM games WHERE game = ?"
        found = db.execute(sql, (wanted.games[0],)).fetchone()
    finally:
        if db.in_transaction:
            db.execute("COMMIT")
    order = {game: index for index, game in enumerate(wanted.games)}
    rows.sort(key=lambda row: (order[row.game], row.board))
    return rows, Totals(*found) if found else Totals()


def _query(wanted: Wanted) -> tuple[str, list[Any]]:
    games = f"game IN ({_placeholders(wanted.games)})"
    values: list[Any] = [*wanted.games]
    chosen, more = _choice(wanted)
    sql = (
        "SELECT game, board, stamp, told, active FROM ("
        f"SELECT * FROM (SELECT game, board FROM {chosen.format(games=games)}) UNION "
        f"SELECT game, board FROM boards WHERE active IS NULL AND {games}"
        ") CROSS JOIN boards USING (game, board)"
    )
    return sql, [*values, *more, *values]


def _choice(wanted: Wanted) -> tuple[str, list[Any]]:
    """The tables and conditions that select the boards, with `{games}` for the games,
    and the values for its other placeholders."""
    in_states = states(wanted)
    if wanted.only_damaged:
        return "boards WHERE {games} AND FALSE", []
    if wanted.matters:
        return (
            "seats INDEXED BY challenges WHERE {games} AND matters > '' "
            f"AND player IN ({_placeholders(wanted.players)}) AND matters > ?",
            [*wanted.players, wanted.matters],
        )
    if wanted.players:
        return (
            f"seats WHERE {{games}} AND player IN ({_placeholders(wanted.players)}) "
            f"AND active IN ({_placeholders(in_states)})",
            [*wanted.players, *in_states],
        )
    if wanted.mail:
        return "boards WHERE {games} AND mail = ? AND mail > '-'", [wanted.mail]
    if wanted.due:
        chosen = "boards INDEXED BY dues WHERE {games} AND due > '' AND due <= ?"
        return chosen, [wanted.due]
    if wanted.remind:
        chosen = "boards INDEXED BY reminders WHERE {games} AND remind > '' "
        return f"{chosen} AND remind <= ?", [wanted.remind]
    if wanted.last:
        return (
            "boards WHERE {games} AND active = 0 AND time <= ? "
            "ORDER BY time DESC, board DESC LIMIT ?",
            [wanted.until, wanted.last],
        )
    if wanted.after:
        return (
            "boards WHERE {games} AND sign IS NOT NULL AND (time, board) > (?, ?)",
            [*wanted.after],
        )
    return (
        f"boards WHERE {{games}} AND active IN ({_placeholders(in_states)})",
        in_states,
    )


def _placeholders(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))


def numbers(db: "Connection") -> dict[str, int]:
    """The greatest number that a board of each game is known to have had, even if
    another version made the index."""
    asked = "SELECT count(*) FROM pragma_table_info('games') WHERE name = 'greatest'"
    (known,) = db.execute(asked).fetchone()
    if not known:
        return {}
    return dict(db.execute("SELECT game, greatest FROM games").fetchall())


def keep_numbers(db: "Connection", greatest: Mapping[str, int]) -> None:
    """Remember that each game has had a board with this number."""
    db.executemany(
        "INSERT INTO games VALUES (?, ?, 0, 0) ON CONFLICT DO UPDATE "
        "SET greatest = max(greatest, excluded.greatest)",
        greatest.items(),
    )


def stamp(db: "Connection", game: str, board: int) -> str:
    """The stamp of a board's file when it was read; empty if it is not known."""
    sql = "SELECT stamp FROM boards WHERE game = ? AND board = ?"
    (found,) = db.execute(sql, (game, board)).fetchone() or ("",)
    return str(found)


def has_finished(db: "Connection", player: str, by: str) -> bool:
    """Whether a player has finished a game by score by this time."""
    sql = (
        "SELECT 1 FROM seats CROSS JOIN boards USING (game, board) "
        "WHERE player = ? AND seats.active = 0 AND time <= ? AND substr(told, ?) = ? "
        "LIMIT 1"
    )
    values = (player, by, -len(BY_SCORE), BY_SCORE)
    return db.execute(sql, values).fetchone() is not None


def put(db: "Connection", row: Row, entry: Entry | None) -> None:
    """Replace a board's row, or remove it if there is no entry."""
    db.execute("DELETE FROM boards WHERE game = ? AND board = ?", row.key)
    if entry is not None:
        db.execute(
            "INSERT INTO boards VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (*row.key, row.stamp, *columns(entry)),
        )
    db.executemany(
        "INSERT INTO seats VALUES (?, ?, ?, ?, ?, ?, ?)",
        [
            (seat.player, seat.state, *row.key, seat.seen, seat.first, seat.matters)
            for seat in seats(entry)
        ],
    )
