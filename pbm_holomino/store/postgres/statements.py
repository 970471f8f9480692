"""Every statement that is put to the database.

Those of the first part are each about one document, by its folder and name, or about
one row of another table, by its whole key. Lists are at the end. None joins one board
with another.
"""

from pbm_holomino.store.endings import SIGN_BITS

# Transactions

BEGIN = b"BEGIN"
COMMIT = b"COMMIT"
ROLLBACK = b"ROLLBACK"
# How long a lock is waited for. A process that hangs in a transaction does not keep its
# locks for ever.
LIMIT = b"""
SELECT set_config('lock_timeout', $1, true),
    set_config('idle_in_transaction_session_timeout', '60s', true)
"""
NOW = b"SELECT extract(epoch FROM clock_timestamp())::float8"
VERSION = b"SELECT version FROM pbm.store"

# Documents

FIND = b"""
SELECT revision, CASE WHEN revision = $3 THEN NULL ELSE text END
FROM pbm.documents WHERE folder = $1 AND name = $2 AND text IS NOT NULL
"""
EXISTS = b"""
SELECT 1 FROM pbm.documents WHERE folder = $1 AND name = $2 AND text IS NOT NULL
"""
# Pages hear of it, after the commit. It does no harm if nobody does, so it waits for no
# disk.
TELL = b"""
SELECT set_config('synchronous_commit', 'off', true), pg_notify('pbm', '')
"""
# The row is locked before anything in it is read, and before the time is taken; and
# before that it is known how long to wait, as LIMIT says it. The last columns say why
# the store is closed to writers, if it is, and of which version its tables are.
LOCK = b"""
SELECT revision, CASE WHEN revision = $3 THEN NULL ELSE text END, sign, seated,
    extract(epoch FROM clock_timestamp())::float8,
    (SELECT text FROM pbm.notes WHERE name = 'closed'),
    (SELECT version FROM pbm.store)
FROM (
    SELECT set_config('lock_timeout', $4, true) AS lock_timeout,
        set_config('idle_in_transaction_session_timeout', '60s', true)
    OFFSET 0
) AS limits, LATERAL (
    SELECT revision, text, sign, seated FROM pbm.documents
    WHERE folder = $1 AND name = $2 AND lock_timeout > '' FOR UPDATE
) AS locked
"""
# A row for a document that is still to be made, so that it can be locked.
ADD = b"""
INSERT INTO pbm.documents (folder, name) VALUES ($1, $2) ON CONFLICT DO NOTHING
"""
SAVE = b"""
UPDATE pbm.documents SET text = $3, sign = $4, seated = $5, saved = now()
WHERE folder = $1 AND name = $2
"""
# Its row is locked, and may be saved again.
REMOVE = b"UPDATE pbm.documents SET text = NULL WHERE folder = $1 AND name = $2"
# Locking a row is a change that a commit waits for, and its replica as well.
TOUCH = b"""
SELECT revision FROM pbm.documents WHERE folder = $1 AND name = $2 FOR UPDATE
"""

# What follows from a board

# `listed` is the revision of the document from which the columns follow.
LIST = b"""
INSERT INTO pbm.boards
    (folder, name, listed, told, state, due, time, mail, sign, remind)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
ON CONFLICT (folder, name) DO UPDATE SET listed = excluded.listed,
    told = excluded.told, state = excluded.state, due = excluded.due,
    time = excluded.time, mail = excluded.mail, sign = excluded.sign,
    remind = excluded.remind
"""
# The same where the board is listed already, at less cost.
LIST_AGAIN = b"""
UPDATE pbm.boards SET listed = $3, told = $4, state = $5, due = $6, time = $7,
    mail = $8, sign = $9, remind = $10
WHERE folder = $1 AND name = $2
"""
RESEAT = b"""
UPDATE pbm.documents SET sign = $3, seated = $4 WHERE folder = $1 AND name = $2
"""
SEAT = b"""
INSERT INTO pbm.seats (folder, name, player, state, seen, first, matters)
VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (folder, name, player) DO UPDATE SET state = excluded.state,
    seen = excluded.seen, first = excluded.first, matters = excluded.matters
"""
SEAT_AGAIN = b"""
UPDATE pbm.seats SET state = $4, seen = $5, first = $6, matters = $7
WHERE folder = $1 AND name = $2 AND player = $3
"""
UNSEAT = b"DELETE FROM pbm.seats WHERE folder = $1 AND name = $2 AND player = $3"
UNSEAT_ALL = b"DELETE FROM pbm.seats WHERE folder = $1 AND name = $2"
TALLY = b"""
INSERT INTO pbm.tallies AS old (game, player, first, games) VALUES ($1, $2, $3, $4)
ON CONFLICT (game, player, first) DO UPDATE SET games = old.games + excluded.games
"""
TOTAL = b"""
INSERT INTO pbm.totals AS old (game, endings, total) VALUES ($1, $2, $3)
ON CONFLICT (game) DO UPDATE SET endings = old.endings + excluded.endings,
    total = (old.total + excluded.total) & %d
""" % ((1 << SIGN_BITS) - 1)
NUMBER = b"""
INSERT INTO pbm.numbers AS old (game, greatest) VALUES ($1, $2)
ON CONFLICT (game) DO UPDATE SET greatest = greatest(old.greatest, excluded.greatest)
"""
GREATEST = b"SELECT greatest FROM pbm.numbers WHERE game = $1 FOR UPDATE"
HAD = b"""
SELECT 1 FROM pbm.numbers WHERE game = $1 AND greatest >= $2 AND (NOT EXISTS (
    SELECT 1 FROM pbm.documents
    WHERE folder = 'examples/' || $1 AND name = $2::integer::text
) OR EXISTS (
    SELECT 1 FROM pbm.documents
    WHERE folder = 'opened/' || $1 AND name = $2::integer::text
))
"""
# A board of ours hides the example with its number from now on.
OPEN = b"""
INSERT INTO pbm.documents (folder, name, text)
SELECT 'opened/' || $1, $2, ''::bytea FROM pbm.documents
WHERE folder = 'examples/' || $1 AND name = $2 ON CONFLICT DO NOTHING
"""

# Marks of letters that have not been sent

# It is leased at once. The answer: whether it is, and whether it is the only one.
MARK = b"""
INSERT INTO pbm.marks AS old (folder, name, line, holder, until)
VALUES ($1, $2, $3, $4, clock_timestamp() + $5::interval)
ON CONFLICT (folder, name, line) DO UPDATE SET done = '',
    until = CASE WHEN old.holder = $4 THEN excluded.until ELSE old.until END
RETURNING coalesce(holder = $4, false), NOT EXISTS (
    SELECT 1 FROM pbm.marks WHERE folder = $1 AND name = $2 AND line <> $3
)
"""
MARKED = b"SELECT line FROM pbm.marks WHERE folder = $1 AND name = $2"
IS_MARKED = b"SELECT 1 FROM pbm.marks WHERE folder = $1 AND name = $2 AND line = $3"
# What does no harm if it is done again need not wait for the disk.
_ASYNCHRONOUS = b"set_config('synchronous_commit', 'off', true)"
LEASE = (
    b"""
UPDATE pbm.marks SET holder = $4, until = clock_timestamp() + $5::interval
WHERE folder = $1 AND name = $2 AND line = $3 AND EXISTS (
    SELECT 1 FROM pbm.marks WHERE folder = $1 AND name = $2 AND line = $3
        AND (holder IS NULL OR holder = $4 OR until < clock_timestamp())
    FOR UPDATE SKIP LOCKED
) AND NOT EXISTS (SELECT 1 FROM pbm.notes WHERE name = 'closed')
RETURNING done, %s
"""
    % _ASYNCHRONOUS
)
RENEW = (
    b"""
UPDATE pbm.marks SET done = $5, until = clock_timestamp() + $6::interval
WHERE folder = $1 AND name = $2 AND line = $3 AND holder = $4
RETURNING %s
"""
    % _ASYNCHRONOUS
)
RELEASE = (
    b"""
UPDATE pbm.marks SET done = $5, holder = NULL, until = NULL
WHERE folder = $1 AND name = $2 AND line = $3 AND holder = $4
RETURNING %s
"""
    % _ASYNCHRONOUS
)
UNMARK = (
    b"""
DELETE FROM pbm.marks WHERE folder = $1 AND name = $2 AND line = $3 AND holder = $4
RETURNING %s
"""
    % _ASYNCHRONOUS
)
# A mark for all mails of a folder, which is there only while they are sent.
HOLD = b"""
INSERT INTO pbm.marks AS old (folder, name, line, holder, until)
VALUES ($1, $2, $3, $4, clock_timestamp() + $5::interval)
ON CONFLICT (folder, name, line) DO UPDATE
SET holder = excluded.holder, until = excluded.until
WHERE old.until < clock_timestamp()
RETURNING 1
"""

# Mails that are kept, the key, and what is noted for the owner

PUT_MAIL = b"""
INSERT INTO pbm.mails (folder, filename, content)
SELECT $1::text, $2::text, $3::bytea
WHERE NOT EXISTS (SELECT 1 FROM pbm.notes WHERE name = 'closed')
ON CONFLICT (folder, filename) DO UPDATE
SET content = excluded.content, put = clock_timestamp()
RETURNING 1
"""
READ_MAIL = b"SELECT content FROM pbm.mails WHERE folder = $1 AND filename = $2"
REMOVE_MAIL = b"DELETE FROM pbm.mails WHERE folder = $1 AND filename = $2"
SECRET = b"SELECT value FROM pbm.secrets WHERE name = $1"
ADD_SECRET = b"""
INSERT INTO pbm.secrets (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING
"""
REMEMBER = b"""
INSERT INTO pbm.secrets (name, value) VALUES ($1, $2)
ON CONFLICT (name) DO UPDATE SET value = excluded.value
"""
NOTE = b"SELECT text FROM pbm.notes WHERE name = $1"
PUT_NOTE = b"""
INSERT INTO pbm.notes (name, text) VALUES ($1, $2)
ON CONFLICT (name) DO UPDATE SET text = excluded.text
"""
REMOVE_NOTE = b"DELETE FROM pbm.notes WHERE name = $1"

# What is counted by the hour

COUNT = b"""
INSERT INTO pbm.counts AS old (folder, hour, digest, count) VALUES ($1, $2, $3, $4)
ON CONFLICT (folder, hour, digest) DO UPDATE SET count = old.count + excluded.count
RETURNING count
"""
CLAIM = b"""
INSERT INTO pbm.counts AS old (folder, hour, digest, count) VALUES ($1, $2, $3, $4)
ON CONFLICT (folder, hour, digest) DO UPDATE SET count = old.count + excluded.count
    WHERE old.count + excluded.count <= $5
RETURNING count
"""
GIVE_BACK = b"""
UPDATE pbm.counts SET count = count - 1
WHERE folder = $1 AND hour = $2 AND digest = $3 AND count > 0
"""
COUNT_OF = b"""
SELECT count FROM pbm.counts WHERE folder = $1 AND hour = $2 AND digest = $3
"""
FORGET_HOURS = b"DELETE FROM pbm.counts WHERE folder = $1 AND hour < $2"

# Lists. Each of those of boards has the damaged ones of its games, too.

NAMES = b"SELECT name FROM pbm.documents WHERE folder = $1 AND text IS NOT NULL"
LATEST = b"""
SELECT folder, name FROM pbm.documents WHERE folder = ANY($1) AND text IS NOT NULL
ORDER BY saved DESC LIMIT $2
"""
REVISIONS = b"""
SELECT folder, name, revision FROM pbm.documents
WHERE (folder, name) IN (SELECT * FROM unnest($1::text[], $2::text[]))
    AND text IS NOT NULL
"""
# A number of an example was perhaps never that of a board.
LOST = b"""
SELECT number::text FROM pbm.numbers, generate_series(1, greatest) AS number
WHERE game = $1 AND NOT EXISTS (
    SELECT 1 FROM pbm.documents
    WHERE folder = $1 AND name = number::text AND text IS NOT NULL
) AND (NOT EXISTS (
    SELECT 1 FROM pbm.documents WHERE folder = 'examples/' || $1 AND name = number::text
) OR EXISTS (
    SELECT 1 FROM pbm.documents WHERE folder = 'opened/' || $1 AND name = number::text
))
"""
_DAMAGED = b"""
SELECT folder, name, told, state FROM pbm.boards
WHERE folder = ANY($1) AND state IS NULL AND told IS NOT NULL
"""


def _boards(condition: bytes) -> bytes:
    """The boards under a condition, and the damaged ones."""
    return b"""
(
    SELECT folder, name, told, state FROM pbm.boards
    WHERE folder = ANY($1) AND %s
) UNION ALL %s
""" % (condition, _DAMAGED)


DAMAGED = _DAMAGED
IN_STATES = _boards(b"state = ANY($2)")
OF_PLAYERS = _boards(b"""state IS NOT NULL AND (folder, name) IN (
        SELECT folder, name FROM pbm.seats
        WHERE folder = ANY($1) AND player = ANY($2) AND state = ANY($3)
    )""")
LIMITING = _boards(b"""state IS NOT NULL AND (folder, name) IN (
        SELECT folder, name FROM pbm.seats
        WHERE folder = ANY($1) AND player = ANY($2) AND matters > '' AND matters > $3
    )""")
OPENED_BY = _boards(b"state IS NOT NULL AND mail > '-' AND mail = $2")
DUE = _boards(b"state IS NOT NULL AND due > '' AND due <= $2")
TO_REMIND = _boards(b"state IS NOT NULL AND remind > '' AND remind <= $2")
LAST_ENDED = _boards(b"""state = 0 AND folder = ($1::text[])[1] AND time <= $3
    ORDER BY time DESC, length(name) DESC, name DESC LIMIT $2""")
ENDINGS = b"""
SELECT totals.endings, totals.total, board.told, board.state
FROM pbm.totals LEFT JOIN pbm.boards AS board
    ON board.folder = totals.game AND board.sign IS NOT NULL AND board.time >= $2
WHERE totals.game = $1
"""
TALLIES = b"SELECT player, first, games FROM pbm.tallies WHERE game = $1 AND games > 0"
SEEN = b"""
SELECT player, (SELECT max(seen) FROM pbm.seats WHERE seats.player = asked.player)
FROM unnest($1::text[]) AS asked (player)
"""
# The last value is how the entry of such a board ends.
FINISHED = b"""
SELECT player FROM unnest($1::text[]) AS asked (player) WHERE EXISTS (
    SELECT 1 FROM pbm.seats JOIN pbm.boards AS board USING (folder, name)
    WHERE seats.player = asked.player AND seats.state = 0 AND board.time <= $2
        AND right(board.told, length($3)) = $3
)
"""
MARKS = b"SELECT name, line FROM pbm.marks WHERE folder = $1 ORDER BY name, line"
LEFT = b"""
SELECT folder, name FROM pbm.marks
WHERE folder = ANY($1::text[]) AND (until IS NULL OR until < clock_timestamp())
GROUP BY folder, name ORDER BY random() LIMIT $2::integer
"""
MARKED_AT = b"""
SELECT extract(epoch FROM made)::float8 FROM pbm.marks WHERE folder = $1 ORDER BY made
"""
MAILS = b"SELECT filename FROM pbm.mails WHERE folder = $1 ORDER BY put, filename"
MAILS_AT = b"""
SELECT filename, extract(epoch FROM put)::float8
FROM pbm.mails WHERE folder = $1 ORDER BY put, filename
"""
# Beyond a number and a size, the oldest go.
LIMIT_MAILS = b"""
DELETE FROM pbm.mails WHERE folder = $1 AND filename IN (
    SELECT filename FROM (
        SELECT filename, row_number() OVER latest AS place,
            sum(octet_length(content)) OVER latest AS size
        FROM pbm.mails WHERE folder = $1
        WINDOW latest AS (ORDER BY put DESC, filename DESC)
    ) AS mail
    WHERE place > 1 AND (place > $2 OR size > $3)
)
"""

# The index, when it is compared with the boards

UNLISTED = b"""
SELECT document.folder, document.name
FROM pbm.documents AS document LEFT JOIN pbm.boards AS board
    ON board.folder = document.folder AND board.name = document.name
WHERE document.folder = ANY($1) AND document.text IS NOT NULL
    AND board.listed IS DISTINCT FROM document.revision
"""
ALL_LISTED = b"""
SELECT folder, name FROM pbm.documents WHERE folder = ANY($1) AND text IS NOT NULL
"""
FORGET_TALLIES = b"DELETE FROM pbm.tallies WHERE game = $1"
TALLY_ANEW = b"""
INSERT INTO pbm.tallies (game, player, first, games)
SELECT folder, player, first, count(*) FROM pbm.seats
WHERE folder = $1 AND first IS NOT NULL GROUP BY folder, player, first
"""
TOTAL_ANEW = b"""
UPDATE pbm.totals SET endings = counted.endings, total = counted.total
FROM (
    SELECT count(*) AS endings, (coalesce(sum(sign), 0) %% %d)::bigint AS total
    FROM pbm.boards WHERE folder = $1 AND sign IS NOT NULL
) AS counted
WHERE game = $1
""" % (1 << SIGN_BITS)

# Copies of a whole store

CLOSED = "closed"  # the note that closes it
STOP_WRITERS = b"""
LOCK TABLE pbm.documents, pbm.marks, pbm.mails IN EXCLUSIVE MODE
"""
LEASES = b"SELECT 1 FROM pbm.marks WHERE until > clock_timestamp() LIMIT 1"
BE_ALONE = b"SELECT pg_try_advisory_xact_lock(hashtext('pbm.copy'))"
IDLE_FOR_EVER = b"SET LOCAL idle_in_transaction_session_timeout = 0"
TITLES = b"""
SELECT 'document', folder, name FROM pbm.documents
WHERE text IS NOT NULL AND NOT starts_with(folder, 'opened/')
UNION ALL SELECT 'opened', substr(folder, 8), name FROM pbm.documents
WHERE starts_with(folder, 'opened/')
UNION ALL SELECT 'greatest', game, '' FROM pbm.numbers
UNION ALL SELECT 'mark', folder, name || '.' || line FROM pbm.marks
UNION ALL (SELECT 'mail', folder, filename FROM pbm.mails ORDER BY put, filename)
UNION ALL SELECT 'note', '', name FROM pbm.notes WHERE name <> 'closed'
UNION ALL SELECT 'key', '', name FROM pbm.secrets WHERE name = 'key'
"""
DOCUMENT_PIECE = b"""
SELECT text, 0 FROM pbm.documents
WHERE folder = $1 AND name = $2 AND text IS NOT NULL
"""
GREATEST_PIECE = b"""
SELECT convert_to(greatest::text, 'UTF8'), 0 FROM pbm.numbers WHERE game = $1
"""
OPENED_PIECE = b"""
SELECT ''::bytea, 0 FROM pbm.documents WHERE folder = 'opened/' || $1 AND name = $2
"""
MARK_PIECE = b"""
SELECT convert_to(CASE WHEN done = '' THEN '' ELSE done || chr(10) END, 'UTF8'),
    (extract(epoch FROM made) * 1000000)::bigint
FROM pbm.marks WHERE folder = $1 AND name = $2 AND line = $3
"""
MAIL_PIECE = b"""
SELECT content, (extract(epoch FROM put) * 1000000)::bigint
FROM pbm.mails WHERE folder = $1 AND filename = $2
"""
NOTE_PIECE = b"SELECT convert_to(text, 'UTF8'), 0 FROM pbm.notes WHERE name = $1"
KEY_PIECE = b"SELECT value, 0 FROM pbm.secrets WHERE name = $1"
PUT_DOCUMENT = b"""
INSERT INTO pbm.documents (folder, name, text, saved) VALUES ($1, $2, $3, now())
ON CONFLICT (folder, name) DO UPDATE SET text = excluded.text
"""
PUT_OPENED = b"""
INSERT INTO pbm.documents (folder, name, text) VALUES ('opened/' || $1, $2, '')
"""
PUT_MARK = b"""
INSERT INTO pbm.marks (folder, name, line, done, made)
VALUES ($1, $2, $3, rtrim($4, chr(10)), 'epoch'::timestamptz + $5 * interval '1 us')
"""
PUT_OLD_MAIL = b"""
INSERT INTO pbm.mails (folder, filename, content, put)
VALUES ($1, $2, $3, 'epoch'::timestamptz + $4 * interval '1 us')
"""
PUT_KEY = b"INSERT INTO pbm.secrets (name, value) VALUES ($1, $2)"
CLEAR = (
    b"DELETE FROM pbm.documents WHERE NOT starts_with(folder, 'examples/')",
    b"DELETE FROM pbm.boards",
    b"DELETE FROM pbm.seats",
    b"DELETE FROM pbm.tallies",
    b"DELETE FROM pbm.totals",
    b"DELETE FROM pbm.numbers",
    b"DELETE FROM pbm.marks",
    b"DELETE FROM pbm.mails",
    b"DELETE FROM pbm.notes WHERE name <> 'closed'",
    b"DELETE FROM pbm.secrets",
)

# The tables as they are kept

SIZE = b"""
SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::bigint FROM pg_class
WHERE relnamespace = 'pbm'::regnamespace AND relkind = 'r'
"""

# Those that read or change everything, and may take long. No player's command asks for
# one.
LONG = frozenset(
    {
        *(TITLES, SIZE, UNLISTED, ALL_LISTED, FORGET_TALLIES, TALLY_ANEW, TOTAL_ANEW),
        *CLEAR,
    }
)

# Those that are about more than one document, or row: where a database is spread over
# machines, each of these is put to all of them.
LISTS = frozenset(
    {
        *(NAMES, LATEST, LOST, DAMAGED, IN_STATES, OF_PLAYERS, LIMITING, OPENED_BY),
        *(DUE, TO_REMIND, LAST_ENDED, ENDINGS, SEEN, MARKS, LEFT, MARKED_AT, MAILS),
        *(
            MAILS_AT,
            LIMIT_MAILS,
            FORGET_HOURS,
            UNLISTED,
            ALL_LISTED,
            TALLY_ANEW,
            TOTAL_ANEW,
        ),
        *(STOP_WRITERS, LEASES, TITLES, REVISIONS, FINISHED, *CLEAR[:-2]),
    }
)
