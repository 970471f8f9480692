"""The tables, and how those of an older version become those of this one.

Each step is one transaction: it is done or not. A step that has been released is never
changed; another one is added.
"""

from pbm_holomino.errors import StoreTrouble
from pbm_holomino.store.columns import EDITION
from pbm_holomino.store.postgres import statements as sql
from pbm_holomino.store.postgres.connection import (
    LONG_SECONDS,
    Call,
    Connection,
    Forbidden,
    Outdated,
)

_FIRST = (
    b"CREATE SCHEMA IF NOT EXISTS pbm",
    b"CREATE TABLE pbm.store (version integer NOT NULL)",
    b"INSERT INTO pbm.store VALUES (0)",
    # A board, an account or the ratings of a game: the text that its file would have.
    # A row without a text is there to be locked. `sign` and `seated` say what other
    # tables have of a board.
    b"""
    CREATE TABLE pbm.documents (
        folder text COLLATE "C" NOT NULL,
        name text COLLATE "C" NOT NULL,
        text bytea,
        revision bytea GENERATED ALWAYS AS (substr(sha256(text), 1, 16)) STORED,
        saved timestamptz,
        sign bigint,
        seated text COLLATE "C",
        PRIMARY KEY (folder, name)
    )
    """,
    # half of what pglz takes, where the server was built with it
    b"""
    DO $$ BEGIN
        ALTER TABLE pbm.documents ALTER text SET COMPRESSION lz4;
    EXCEPTION WHEN feature_not_supported OR syntax_error THEN NULL;
    END $$
    """,
    b"CREATE INDEX latest ON pbm.documents (saved)",
    # What lists know of a board. It has few indexes on what changes with each move.
    b"""
    CREATE TABLE pbm.boards (
        folder text COLLATE "C" NOT NULL,
        name text COLLATE "C" NOT NULL,
        listed bytea NOT NULL,
        told text COLLATE "C",
        state integer,
        due text COLLATE "C",
        time text COLLATE "C",
        mail text COLLATE "C",
        sign bigint,
        remind text COLLATE "C",
        PRIMARY KEY (folder, name)
    )
    """,
    b"CREATE INDEX states ON pbm.boards (folder, state) WHERE state > 0",
    b"""
    CREATE INDEX ended ON pbm.boards (folder, time, length(name), name)
    WHERE state = 0
    """,
    b"CREATE INDEX endings ON pbm.boards (folder, time) WHERE sign IS NOT NULL",
    b"CREATE INDEX opening ON pbm.boards (folder, mail) WHERE mail > '-'",
    b"CREATE INDEX dues ON pbm.boards (due) WHERE due > ''",
    b"CREATE INDEX reminders ON pbm.boards (remind) WHERE remind > ''",
    b"""
    CREATE INDEX damaged ON pbm.boards (folder)
    WHERE state IS NULL AND told IS NOT NULL
    """,
    b"""
    CREATE TABLE pbm.seats (
        folder text COLLATE "C" NOT NULL,
        name text COLLATE "C" NOT NULL,
        player text COLLATE "C" NOT NULL,
        state integer NOT NULL,
        seen text COLLATE "C" NOT NULL,
        first integer,
        matters text COLLATE "C" NOT NULL,
        PRIMARY KEY (folder, name, player)
    )
    """,
    b"CREATE INDEX seatings ON pbm.seats (player, state, folder)",
    b"CREATE INDEX sightings ON pbm.seats (player, seen)",
    b"CREATE INDEX challenges ON pbm.seats (player, matters) WHERE matters > ''",
    b"""
    CREATE TABLE pbm.tallies (
        game text COLLATE "C" NOT NULL,
        player text COLLATE "C" NOT NULL,
        first integer NOT NULL,
        games bigint NOT NULL,
        PRIMARY KEY (game, player, first)
    )
    """,
    b"""
    CREATE TABLE pbm.totals (
        game text COLLATE "C" PRIMARY KEY,
        endings bigint NOT NULL,
        total bigint NOT NULL
    )
    """,
    b"""
    CREATE TABLE pbm.numbers (
        game text COLLATE "C" PRIMARY KEY,
        greatest integer NOT NULL
    )
    """,
    b"""
    CREATE TABLE pbm.marks (
        folder text COLLATE "C" NOT NULL,
        name text COLLATE "C" NOT NULL,
        line integer NOT NULL,
        made timestamptz NOT NULL DEFAULT now(),
        done text NOT NULL DEFAULT '',
        holder text,
        until timestamptz,
        PRIMARY KEY (folder, name, line)
    )
    """,
    b"""
    CREATE TABLE pbm.mails (
        folder text COLLATE "C" NOT NULL,
        filename text COLLATE "C" NOT NULL,
        content bytea NOT NULL,
        put timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (folder, filename)
    )
    """,
    # Unlogged: what is counted need not outlast a failure of the database.
    b"""
    CREATE UNLOGGED TABLE pbm.counts (
        folder text COLLATE "C" NOT NULL,
        hour text COLLATE "C" NOT NULL,
        digest bytea NOT NULL,
        count bigint NOT NULL,
        PRIMARY KEY (folder, hour, digest)
    )
    """,
    b"""
    CREATE TABLE pbm.secrets (
        name text COLLATE "C" PRIMARY KEY,
        value bytea NOT NULL
    )
    """,
    b"""
    CREATE TABLE pbm.notes (
        name text COLLATE "C" PRIMARY KEY,
        text text NOT NULL
    )
    """,
)

STEPS = (_FIRST,)  # the first makes version 1, the next version 2, and so on
CURRENT = len(STEPS)

# What is remembered is kept beside the key, where copies take nothing but the key: an
# earlier version, too, would copy a note, and files have none of this name.
MEMORY = "memory."
LISTS = "lists"  # remembers of which edition all entries are (see `store.columns`)

_STEP_SECONDS = 6 * LONG_SECONDS  # that a statement of a step may take
_HOLD = b"SELECT 1 FROM pg_advisory_xact_lock(hashtext('pbm.store'))"
_SET_VERSION = b"UPDATE pbm.store SET version = $1"


def version(connection: Connection) -> int:
    """The version of the tables; 0 where there are none."""
    try:
        ((found,),) = connection.run([Call(sql.VERSION)])[0]
    except Outdated:
        return 0
    return int(found)


def check(connection: Connection) -> None:
    """Raise StoreTrouble unless the tables are of the version of this program. In a
    database that has none they are made, if the role may do that."""
    found = version(connection)
    if found and found != CURRENT:
        raise unfit(found)
    if not found:
        try:
            migrate(connection)
        except Forbidden:
            raise StoreTrouble(f"The database has no tables yet: {_REMEDY}") from None


_REMEDY = 'please run "pbm check --repair" as a role that may change them.'


def migrate(connection: Connection) -> None:
    """Make the tables those of this program, one version after the other. Raises
    StoreTrouble."""
    while _one_step(connection):
        pass


def _one_step(connection: Connection) -> bool:
    """Do the next step, if there is one. Nobody else does any meanwhile, and nobody
    writes."""
    connection.run([Call(sql.BEGIN), Call(_HOLD, seconds=_STEP_SECONDS)])
    try:
        found = _version_within(connection)
        if found > CURRENT:
            raise unfit(found)
        if found == CURRENT:
            return False
        statements = ((sql.STOP_WRITERS,) if found else ()) + STEPS[found]
        step = [Call(statement, seconds=_STEP_SECONDS) for statement in statements]
        if not found:
            listed = (f"{MEMORY}{LISTS}", EDITION.encode())
            step.append(Call(sql.REMEMBER, listed))
        connection.run([*step, Call(_SET_VERSION, (found + 1,)), Call(sql.COMMIT)])
        return True
    finally:
        connection.ended()


_HAS_VERSION = b"SELECT to_regclass('pbm.store') IS NOT NULL"


def _version_within(connection: Connection) -> int:
    """The version, asked within a transaction, which an error would end."""
    ((is_there,),) = connection.run([Call(_HAS_VERSION)])[0]
    return version(connection) if is_there else 0


def unfit(found: int) -> StoreTrouble:
    """The error for a program that needs the tables of another version."""
    if found < CURRENT:
        return StoreTrouble(
            f"The tables of the database are of version {found}, and this program "
            f"needs version {CURRENT}: {_REMEDY}"
        )
    return StoreTrouble(
        f"The tables of the database are of version {found}, and this program knows "
        f"only version {CURRENT}: please install the newer program here, too."
    )
