"""A connection to PostgreSQL: batches of statements, each one exchange with the server.

It uses psycopg's interface to libpq, which can do what its cursors cannot: wait for an
answer only so long, and then close the connection without cancelling anything. A server
that hangs keeps its connections, and its system answers for it: only a clock tells.
Statements are prepared only where nothing is between us and the server: pgbouncer may
give each transaction another connection of its own.
"""

import select
import struct
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import takewhile
from time import monotonic
from typing import Any

import psycopg
from psycopg import pq
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.errors import Diagnostic
from psycopg.pq import ConnStatus, DiagnosticField, ExecStatus, TransactionStatus

from pbm_holomino.errors import Again, Busy, StoreTrouble
from pbm_holomino.languages import Sentence, sentence
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.store.postgres import statements as sql

Row = tuple[Any, ...]
Value = str | bytes | int | float | None | Sequence[str] | Sequence[int]

# What a connection has if its address does not say otherwise. A server that vanishes
# without a word is noticed after half a minute.
_DEFAULTS = {
    "application_name": "pbm",
    "connect_timeout": "10",
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "4",
    "tcp_user_timeout": "30000",
}

# How many seconds an exchange may take, beside what its statements wait for locks; and
# one with a statement that reads or changes everything.
ANSWER_SECONDS = 20.0
LONG_SECONDS = 600.0

# Classes of SQLSTATE, and whole ones.
_LOCK_TIMEOUT = "55P03"
_WORTH_ANOTHER_TRY = (
    "40001",  # a serialization failure
    "40P01",  # a deadlock
    "57014",  # somebody has cancelled the statement
    "25P03",  # it was idle in a transaction for too long
    "23505",  # another transaction has just made that row
)
_CONNECTION_ENDS = (
    "57P",  # the server stops, or somebody has ended the connection
    "08",  # the connection has failed
    "25006",  # the server is a replica now
)
_UNKNOWN_END = ("01000", "57P01")  # of a warning that comes with a COMMIT

# What players read, too, of what the database says.
_BUSY = sentence("The store is busy: please try again later.")
_CANNOT_BE_REACHED = sentence("The database cannot be reached: {why}.")
_LOST = sentence("The connection to the database was lost ({why}).")
_MAY_NOT_KEEP = sentence("The database may not keep what was saved: {why}.")
_REFUSES = sentence("The database refuses this ({why}): please try again later.")
_SILENT = sentence("The database has not answered in {seconds} seconds.")


class Call(NamedTuple):
    """A statement with the values of its parameters. It may have to wait for others so
    many `seconds`."""

    sql: bytes
    values: Sequence[Value] = ()
    seconds: float = 0.0

    @property
    def patience(self) -> float:
        """How many seconds longer than usual the answer may take."""
        return LONG_SECONDS if self.sql in sql.LONG else self.seconds


class Host(NamedTuple):
    """A host of a database, and its port, as libpq calls them."""

    name: str
    port: str


class Lost(Again):
    """The connection has gone: nobody knows what has become of what it was asked."""


class _Silence(Exception):
    """The database has not answered in time."""


class Outdated(StoreTrouble):
    """The database lacks a table or a column that a statement names."""


class Forbidden(StoreTrouble):
    """The role may not do that."""


class Connection:
    """A connection to the database at an address, as libpq reads it. Of several hosts
    the one that comes `first` is tried first. Raises StoreTrouble."""

    def __init__(self, address: str, first: Host | None = None) -> None:
        try:
            self._open = psycopg.connect(conninfo(address, first), autocommit=True)
        except psycopg.ProgrammingError:  # which may quote a password
            raise StoreTrouble(
                "The address of the store cannot be read: please write it as "
                "postgresql://role@host/database, with %40 for an @ in a word."
            ) from None
        except psycopg.OperationalError as error:
            why = _one_line(str(error))
            raise StoreTrouble(_CANNOT_BE_REACHED.of(why=why)) from None
        self._pg = self._open.pgconn
        encoding = self._pg.parameter_status(b"server_encoding") or b""
        if encoding != b"UTF8":
            self.close()
            raise StoreTrouble(
                f"The database has the encoding {encoding.decode()}: please make one "
                "with the encoding UTF8."
            )
        self._open.add_notice_handler(self._notice)
        self._pg.nonblocking = 1
        self._pg.enter_pipeline_mode()
        self._poll = select.poll()
        self._poll.register(self._pg.socket)
        self._warning = ""
        self._uses = Counter[bytes]()
        self._prepared: dict[bytes, bytes] = {}  # the names of statements
        self.is_direct = False
        # behind a pooler it is another process than we were told, and may change
        (((pid,),),) = self.run([Call(b"SELECT pg_backend_pid()")])
        self.is_direct = pid == self._pg.backend_pid

    @property
    def host(self) -> Host:
        """The host at the other end."""
        return Host(self._pg.host.decode(), self._pg.port.decode())

    def fileno(self) -> int:
        """The file that becomes readable when the server says something unasked."""
        return self._pg.socket

    def hear(self) -> None:
        """Take in what others have sent to those who listen. Raises Lost."""
        try:
            self._pg.consume_input()
        except psycopg.OperationalError as error:
            raise Lost(_lost(str(error))) from None
        if self._pg.status == ConnStatus.BAD:
            raise Lost(_lost(self._pg.get_error_message()))
        while self._pg.notifies():
            pass

    def ended(self) -> bool:
        """End what is left of a transaction, undone; whether the connection can be used
        again."""
        if self._pg.transaction_status in _OPEN:
            with suppress(StoreTrouble):
                self.run([Call(b"ROLLBACK")])
        return self._pg.transaction_status == TransactionStatus.IDLE

    def close(self) -> None:
        """Close the connection. What the server is at is not cancelled."""
        self._open.close()

    def run(
        self,
        calls: Sequence[Call],
        within: float | None = None,
        then: Sequence[Call] = (),
    ) -> list[list[Row]]:
        """The rows that each of these statements answers with. They are one transaction
        unless one is open, or they begin and end one.

        If they are not answered in time the connection is Lost (see ANSWER_SECONDS).
        With `within` they include a commit, and may take so many seconds; then Again
        is raised where nobody knows whether it has taken place, or whether it will
        last. What comes `then`, after the commit, costs no exchange of its own: its
        answers are the last ones, as far as it succeeds. Raises Busy, Again or another
        StoreTrouble.
        """
        seconds = within
        if seconds is None:
            seconds = ANSWER_SECONDS + sum(call.patience for call in calls)
        silence = (Lost if within is None else Again)(
            _SILENT.of(seconds=f"{seconds:g}")
        )
        self._warning = ""
        with self._closed_unless_complete(silence):
            named = self._sent((*calls, *then))
            results = self._results(monotonic() + seconds)
        end_of_calls = len(named) + len(calls)
        for result in results[:end_of_calls]:
            self._check(result)
        self._prepared |= named
        if within is not None and self._warning:
            raise Again(_MAY_NOT_KEEP.of(why=self._warning))
        more = takewhile(_is_answer, results[end_of_calls:])
        return list(map(_rows, (*results[len(named) : end_of_calls], *more)))

    @contextmanager
    def _closed_unless_complete(self, silence: StoreTrouble) -> Iterator[None]:
        """An exchange with the server. Without its end the connection is closed, as
        what else comes would be taken for other answers. Raises Lost, or `silence`
        where no answer comes in time."""
        try:
            yield
        except _Silence:
            self.close()
            raise silence from None
        except psycopg.OperationalError as error:
            self.close()
            raise Lost(_lost(str(error))) from None
        except BaseException:
            self.close()
            raise

    def _sent(self, calls: Sequence[Call]) -> dict[bytes, bytes]:
        """Send statements, and the names of those that are to be prepared."""
        named = dict(filter(None, map(self._to_prepare, calls)))
        for statement, name in named.items():
            self._pg.send_prepare(name, statement)
        for call in calls:
            self._send(call, self._prepared.get(call.sql) or named.get(call.sql))
        self._pg.pipeline_sync()
        return named

    def _to_prepare(self, call: Call) -> tuple[bytes, bytes] | None:
        """A statement with a name, if it is to be prepared: it is parsed and planned
        once."""
        self._uses[call.sql] += self.is_direct
        if call.sql in self._prepared or self._uses[call.sql] < _USES:
            return None
        return call.sql, b"pbm%d" % self._uses.total()

    def _send(self, call: Call, name: bytes | None) -> None:
        values = [encoded(value) for value in call.values]
        formats = [int(isinstance(value, bytes)) for value in call.values]
        if name is None:
            self._pg.send_query_params(call.sql, values, None, formats, 1)
        else:
            self._pg.send_query_prepared(name, values, formats, 1)

    def _results(self, end: float) -> list[pq.abc.PGresult]:
        """What the server answers, as far as the end of the exchange."""
        results = list[pq.abc.PGresult]()
        while True:
            self._wait(end)
            result = self._pg.get_result()
            if result is None:
                if self._pg.status == ConnStatus.BAD:
                    raise Lost(_lost(_said(results) or self._pg.get_error_message()))
            elif result.status == ExecStatus.PIPELINE_SYNC:
                return results
            else:
                results.append(result)

    def _wait(self, end: float) -> None:
        """Wait until there is a result. Raises _Silence if there is none in time."""
        while (is_full := self._pg.flush()) or self._pg.is_busy():
            wants = select.POLLIN | (select.POLLOUT if is_full else 0)
            self._poll.modify(self._pg.socket, wants)
            if not self._poll.poll(max(0, 1000 * (end - monotonic()))):
                raise _Silence
            self._pg.consume_input()

    def _check(self, result: pq.abc.PGresult) -> None:
        """Raise what the server says has gone wrong, if anything has."""
        if result.status not in (ExecStatus.FATAL_ERROR, ExecStatus.BAD_RESPONSE):
            return
        state = _field(result, DiagnosticField.SQLSTATE)
        said = _field(result, DiagnosticField.MESSAGE_PRIMARY)
        if state == _LOCK_TIMEOUT:
            raise Busy(_BUSY)
        if not state or state.startswith(_CONNECTION_ENDS):
            self.close()
            raise Lost(_lost(said or result.get_error_message()))
        why = _REFUSES.of(why=said)
        if state in _WORTH_ANOTHER_TRY:
            raise Again(why)
        if state in _OUTDATED:
            raise Outdated(why)
        raise (Forbidden if state == _FORBIDDEN else StoreTrouble)(why)

    def _notice(self, notice: Diagnostic) -> None:
        """Note that a COMMIT will perhaps not last: the wait for the synchronous
        replica was cancelled."""
        is_warning = notice.severity_nonlocalized == "WARNING"
        if is_warning and notice.sqlstate in _UNKNOWN_END:
            self._warning = notice.message_primary or ""


_USES = 3  # of a statement, before it is prepared
_OPEN = (TransactionStatus.INTRANS, TransactionStatus.INERROR)
_FORBIDDEN = "42501"
_OUTDATED = ("42P01", "42703", "3F000")  # no such table, column or schema


def conninfo(address: str, first: Host | None = None) -> str:
    """What libpq is given for an address. Of several hosts it takes the one that can
    be written to, and looks at this one `first`."""
    given = {
        key: str(value)
        for key, value in conninfo_to_dict(address).items()
        if value is not None
    }
    more: Mapping[str, str] = _DEFAULTS
    if "," in f"{given.get('host', '')}{given.get('hostaddr', '')}":
        more = {**more, "target_session_attrs": "read-write"}
    if first is not None:
        given |= _turned(given, first)
    return make_conninfo(**{**more, **given, "client_encoding": "UTF8"})


def _turned(given: Mapping[str, str], first: Host) -> Mapping[str, str]:
    """The lists of hosts and of what belongs to them, so that they begin with a host,
    if it is among them."""
    lists = {
        key: words.split(",")
        for key in ("host", "hostaddr", "port")
        if "," in (words := given.get(key, ""))
    }
    names = lists.get("host") or lists.get("hostaddr") or []
    ports = lists.get("port") or [given.get("port", first.port)] * len(names)
    hosts = list(map(Host, names, ports))
    start = hosts.index(first) if first in hosts else 0
    return {key: ",".join(each[start:] + each[:start]) for key, each in lists.items()}


def _lost(why: str) -> Sentence:
    return _LOST.of(why=_one_line(why))


def _one_line(text: str) -> str:
    return " ".join(text.split()).rstrip(".")


def _said(results: Sequence[pq.abc.PGresult]) -> str:
    """The server's last words."""
    return _field(results[-1], DiagnosticField.MESSAGE_PRIMARY) if results else ""


def _field(result: pq.abc.PGresult, field: DiagnosticField) -> str:
    return (result.error_field(field) or b"").decode("utf-8", "replace")


# Values to PostgreSQL and back


def encoded(value: Value) -> bytes | None:
    """A value as PostgreSQL reads it: bytes as they are, all else as text."""
    if value is None or isinstance(value, bytes):
        return value
    if isinstance(value, str | int | float):
        return str(value).encode()
    return f"{{{','.join(map(_element, value))}}}".encode()


def _element(value: str | int) -> str:
    """An element of an array as PostgreSQL reads it."""
    if isinstance(value, int):
        return str(value)
    escaped = value.replace("\\", r"\\").replace('"', r"\"")
    return f'"{escaped}"'


_DECODERS: dict[int, Callable[[bytes], Any]] = {
    16: lambda found: found == b"\1",  # bool
    17: bytes,  # bytea
    20: lambda found: int.from_bytes(found, "big", signed=True),  # bigint
    23: lambda found: int.from_bytes(found, "big", signed=True),  # integer
    25: bytes.decode,  # text
    701: lambda found: struct.unpack("!d", found)[0],  # double precision
}


def _is_answer(result: pq.abc.PGresult) -> bool:
    return result.status in (ExecStatus.COMMAND_OK, ExecStatus.TUPLES_OK)


def _rows(result: pq.abc.PGresult) -> list[Row]:
    columns = range(result.nfields)
    decoders = [_DECODERS.get(result.ftype(column), bytes) for column in columns]

    def value(row: int, column: int) -> Any:
        found = result.get_value(row, column)
        return None if found is None else decoders[column](found)

    return [
        tuple(value(row, column) for column in columns) for row in range(result.ntuples)
    ]
