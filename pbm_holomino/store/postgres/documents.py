"""The documents in a PostgreSQL database, by folder and name: found, locked, saved."""

import threading
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from typing import Any

from pbm_holomino import rules
from pbm_holomino.errors import Again, StoreTrouble
from pbm_holomino.languages import sentence
from pbm_holomino.match import ledgers
from pbm_holomino.match.times import time_at
from pbm_holomino.store import examples, summary, yaml
from pbm_holomino.store.columns import EDITION
from pbm_holomino.store.contract import Bell, Claim, Document, Key
from pbm_holomino.store.damage import full
from pbm_holomino.store.postgres import ring, schema
from pbm_holomino.store.postgres import statements as sql
from pbm_holomino.store.postgres.closing import Closing
from pbm_holomino.store.postgres.connection import Call, Connection, Host, Row, Value
from pbm_holomino.store.postgres.leases import Leases
from pbm_holomino.store.postgres.listing import Listing, counted, reseated
from pbm_holomino.store.postgres.pool import Pool
from pbm_holomino.store.postgres.transactions import (
    Held,
    Moment,
    Name,
    Transaction,
    Transactions,
)
from pbm_holomino.store.search import Entry

_MOST_READ = 100  # documents that a thread may have read before it makes sure of one
_CLOCK_SECONDS = 60.0  # for which the database's time is reckoned on by our own clock

_CHANGED = sentence("{name} has been changed meanwhile.")


class Documents:
    """The documents in the database at an address, as libpq reads it.

    `patience` is how many seconds a command waits for a lock, and `commit_wait` how
    many for the end of a commit. If it `tells`, those who listen hear of each change of
    a board. What the database refuses is raised as StoreTrouble.
    """

    noun = "document"

    def __init__(
        self,
        address: str,
        patience: float = 0,
        commit_wait: float = 30,
        *,
        tells: bool = False,
    ) -> None:
        self.patience = patience
        self._address = address
        self._host: Host | None = None  # that last let us in
        self._commit_wait = commit_wait
        self._tells = tells
        self.pool = Pool(self._connected, patience)
        self.closing = Closing(self.pool, patience)
        self._transactions = Transactions(self._begun)
        self._moment: Moment | None = None
        self._read = Revisions()
        self.leases = Leases()

    def _connected(self) -> Connection:
        connection = Connection(self._address, self._host)
        try:
            schema.check(connection)
        except StoreTrouble:
            connection.close()
            raise
        self._host = connection.host
        return connection

    def _begun(self) -> Transaction:
        return Transaction(
            self.pool,
            self.patience,
            self._commit_wait,
            self._learn,
            self.leases.committed,
            self.closing.is_ours,
        )

    def ask(self, statement: bytes, *values: Value) -> list[Row]:
        """The rows that answer a statement, as this thread's transaction sees them."""
        call = Call(statement, values)
        open_one = self._transactions.open
        return open_one.ask([call])[0] if open_one else self.pool.ask(call)

    def close(self) -> None:
        """Close the connections, also that which has closed the store."""
        self.closing.let_go()
        self.pool.close()

    def upgrade(self) -> None:
        """Make the tables those of this program, if the role may do so."""
        connection = Connection(self._address)
        try:
            schema.migrate(connection)
        finally:
            connection.close()

    # The time

    def _learn(self, moment: Moment) -> None:
        self._moment = moment

    def now(self) -> str:
        """The present time, by the clock of the database."""
        if self._transactions.open is not None:
            self._transactions.open.take_locks()  # a log is in the order of its lock
        moment = self._moment
        if moment is None or moment.age > _CLOCK_SECONDS:
            ((found,),) = self.ask(sql.NOW)
            moment = self._moment = Moment.of(found)
        return time_at(moment.now)

    # Reading: needs no lock, and always sees a whole document

    def find(
        self, folder: str, name: str, known: Hashable | None = None
    ) -> Document | None:
        """A document (see `contract.Store`). Under its lock it is locked as it is
        read."""
        found = self._found((folder, name), _revision(known))
        if found is not None:
            self._read.put((folder, name), found.revision)
        return found

    def _found(self, name: Name, known: bytes | None) -> Document | None:
        open_one = self._transactions.open
        held = open_one.held(name, known) if open_one else None
        if held is None:
            rows = self.ask(sql.FIND, *name, known)
            return Document(*rows[0]) if rows else None
        document = held.document
        is_known = document is not None and document.revision == known
        return Document(known, None) if is_known else document

    def expect(
        self,
        documents: Iterable[tuple[str, str, Hashable | None]] = (),
        claim: Claim | None = None,
    ) -> None:
        """Be told what is asked for next (see `contract.Store`)."""
        found = ((*name, _revision(known)) for *name, known in documents)
        self.pool.expect(Call(sql.FIND, values) for values in found)
        if claim is not None:
            from pbm_holomino.store.postgres.counters import made_early  # for mails

            self.pool.do_early(*made_early(claim))

    def settle(self) -> None:
        """The command of this thread is done (see `contract.Store`)."""
        self.pool.settle()

    def names(self, folder: str) -> list[str]:
        """The names of the documents in a folder, in no order."""
        return [name for (name,) in self.ask(sql.NAMES, folder)]

    def latest(self, folders: Iterable[str], most: int) -> list[tuple[str, str]]:
        """The documents of these folders that were saved last (see
        `contract.Store`)."""
        rows = self.ask(sql.LATEST, list(folders), most)
        return [(folder, name) for folder, name in reversed(rows)]

    def revisions(self, boards: Sequence[Key]) -> Mapping[Key, bytes]:
        """The revisions of boards (see `contract.Store`)."""
        games, numbers = [game for game, _ in boards], [str(no) for _, no in boards]
        rows = self.ask(sql.REVISIONS, games, numbers)
        return {(game, int(name)): revision for game, name, revision in rows}

    def bell(self) -> Bell | None:
        """What rings when boards have changed (see `contract.Store`)."""
        return ring.listening(self._address)

    def exists(self, folder: str, name: str) -> bool:
        """Whether there is such a document, which may be damaged."""
        return bool(self.ask(sql.EXISTS, folder, name))

    def lost(self, folder: str) -> list[str]:
        """The numbers of the boards, or tournaments, that are gone; no other documents
        are known."""
        return [name for (name,) in self.ask(sql.LOST, folder)]

    def is_lost(self, folder: str, name: str) -> bool:
        """Whether a game has lost that board."""
        if folder not in rules.names() or not ledgers.is_number(name):
            return False
        return bool(self.ask(sql.HAD, folder, name)) and not self.exists(folder, name)

    # Writing: under the document's lock

    def may_lock(self, folder: str, name: str) -> bool:
        """Nothing is left of a lock without a document."""
        return True

    @contextmanager
    def lock(self, folder: str, name: str) -> Iterator[None]:
        """Hold a document's lock, from the first thing that is asked in this block on.
        Raises Busy, there, after waiting in vain."""
        with self._transactions.joined() as transaction:
            transaction.lock((folder, name))
            yield

    def save(
        self, folder: str, name: str, data: Any, unsent: int | None = None
    ) -> bytes:
        """Have the commit replace a document with these data, mark a line's letters as
        unsent, and change the columns for lists."""
        text = yaml.dump(data)
        if len(text) > yaml.MOST_BYTES:
            raise full(folder, name, self.noun)
        if folder not in rules.names():
            return self._put(folder, name, text, unsent)
        entry = None if examples.is_shipped(data) else summary.from_data(data)
        return self._put_board(folder, name, text, Listing.of(entry), unsent)

    def _put(self, folder: str, name: str, text: bytes, unsent: int | None) -> bytes:
        """Have the commit write a document that is in no list."""
        revision = revision_of(text)
        with self._transactions.joined() as transaction:
            old = transaction.hold((folder, name))
            writes = [
                Call(sql.SAVE, (folder, name, text, None, "")),
                *self._marked(folder, name, unsent),
            ]
            if folder in ledgers.numbered() and old.document is None:
                writes.append(Call(sql.NUMBER, (folder, int(name))))
            transaction.put((folder, name), Held(Document(revision, text)), writes)
        return revision

    def remove(self, folder: str, name: str) -> None:
        """Have the commit remove a document (see `contract.Store`)."""
        with self._transactions.joined() as transaction:
            transaction.hold((folder, name))
            removed = Call(sql.REMOVE, (folder, name))
            transaction.put((folder, name), Held(None), [removed])

    def _put_board(
        self, game: str, name: str, text: bytes, listing: Listing, unsent: int | None
    ) -> bytes:
        """Have the commit write a board, with what lists know of it."""
        revision = revision_of(text)
        with self._transactions.joined() as transaction:
            old = transaction.hold((game, name))
            sign, seated = listing.sign, listing.seated
            # whatever has seats is listed: both were written together
            listed = sql.LIST_AGAIN if old.seated else sql.LIST
            held = Held(Document(revision, text), sign, seated)
            writes = [
                Call(sql.SAVE, (game, name, text, sign, seated)),
                Call(listed, (game, name, revision, *listing.row)),
                *self._marked(game, name, unsent),
                *reseated(game, name, listing, old.seated),
                *counted(game, listing, old.sign, old.seated),
            ]
            if old.document is None:
                writes.append(Call(sql.NUMBER, (game, int(name))))
                writes.append(Call(sql.OPEN, (game, name)))
            transaction.put((game, name), held, writes)
            self._tell_after(transaction)
        return revision

    def _tell_after(self, transaction: Transaction) -> None:
        """Have those who listen hear that a board has changed."""
        if self._tells:
            transaction.follow(Call(sql.TELL))

    def _marked(self, folder: str, name: str, line: int | None) -> list[Call]:
        return [] if line is None else [self.leases.mark((folder, name, line))]

    def remembered(self, name: str) -> str:
        """What one of the owner's commands has remembered."""
        rows = self.ask(sql.SECRET, f"{schema.MEMORY}{name}")
        return bytes(rows[0][0]).decode() if rows else ""

    def remember(self, name: str, text: str) -> None:
        """Remember a line, until there is another one."""
        self.pool.run([Call(sql.REMEMBER, (f"{schema.MEMORY}{name}", text.encode()))])

    def outdated(self) -> str:
        """The index, if another version has listed the boards. (Tables of an earlier
        version are refused until they are upgraded.)"""
        is_ours = self.remembered(schema.LISTS) == EDITION
        return "" if is_ours else "The index of all boards"

    def list_anew(
        self, boards: Iterable[Key], read: Callable[[str, int], Entry | None]
    ) -> None:
        """Derive what lists know of boards from their documents, as `read` reads them,
        in one transaction. The boards are in their order."""
        with self._transactions.joined():
            for game, board in boards:
                self._list_anew(game, board, read)

    def _list_anew(
        self, game: str, board: int, read: Callable[[str, int], Entry | None]
    ) -> None:
        name = str(board)
        with self._transactions.joined() as transaction:
            transaction.lock((game, name))
            found = self.find(game, name)
            if found is None or found.text is None:
                return
            revision, old = revision_of(found.text), transaction.hold((game, name))
            listing = Listing.of(read(game, board))
            held = Held(found, listing.sign, listing.seated)
            writes = [
                Call(sql.RESEAT, (game, name, listing.sign, listing.seated)),
                Call(sql.LIST, (game, name, revision, *listing.row)),
                Call(sql.UNSEAT_ALL, (game, name)),
                *reseated(game, name, listing, ""),
                *counted(game, listing, old.sign, old.seated),
                Call(sql.NUMBER, (game, board)),
            ]
            transaction.put((game, name), held, writes)
            self._tell_after(transaction)

    def tally_anew(self, game: str) -> None:
        """Count the endings of a game anew."""
        statements = (sql.FORGET_TALLIES, sql.TALLY_ANEW, sql.TOTAL_ANEW)
        with self._transactions.joined() as transaction:
            hold = Call(sql.TOTAL, (game, 0, 0))  # nobody counts meanwhile
            transaction.write([hold, *(Call(each, (game,)) for each in statements)])

    def next_number(self, folder: str) -> int:
        """A number for the next board (see `contract.Store`)."""
        rows = self.ask(sql.GREATEST, folder)
        number = rows[0][0] + 1 if rows else 1
        while self.exists(folder, str(number)):
            number += 1
        return int(number)

    def sync(self, folder: str, name: str) -> None:
        """Make sure that a document lasts as this thread has read it: commits are
        durable in their order, and this one is later than that of the document. Raises
        Again if it is another one by now: a database that has taken over may not have
        what we have read."""
        touch = Call(sql.TOUCH, (folder, name))
        calls = [Call(sql.BEGIN), touch, Call(sql.COMMIT)]
        (_, rows, _) = self.pool.run(calls, self._commit_wait)
        read = self._read.get((folder, name))
        if read is not None and rows != [(read,)]:
            raise Again(_CHANGED.of(name=f"{folder} {name}"))


class Revisions(threading.local):
    """The revisions of the documents that a thread read last, by their names."""

    def __init__(self) -> None:
        self._revisions: dict[Name, Hashable] = {}

    def get(self, name: Name) -> Hashable | None:
        return self._revisions.get(name)

    def put(self, name: Name, revision: Hashable) -> None:
        self._revisions.pop(name, None)
        self._revisions[name] = revision
        if len(self._revisions) > _MOST_READ:
            del self._revisions[next(iter(self._revisions))]


def _revision(known: Hashable | None) -> bytes | None:
    """A revision that was ours, or None."""
    return known if isinstance(known, bytes) else None


def revision_of(text: bytes) -> bytes:
    """The revision of a text, as the database reckons it."""
    return sha256(text).digest()[:16]
