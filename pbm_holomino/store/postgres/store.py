"""The store as tables of a PostgreSQL database (see `contract.Store`)."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from functools import cached_property
from typing import TYPE_CHECKING

from pbm_holomino.store import closing
from pbm_holomino.store.contract import Closed, Fault, Piece, Title
from pbm_holomino.store.postgres import pieces
from pbm_holomino.store.postgres import statements as sql
from pbm_holomino.store.postgres.connection import Call
from pbm_holomino.store.postgres.documents import Documents
from pbm_holomino.store.postgres.mails import Mails
from pbm_holomino.store.postgres.marks import Marks
from pbm_holomino.store.search import Entry

if TYPE_CHECKING:
    from pbm_holomino.store.postgres.counters import Counters
    from pbm_holomino.store.postgres.index import Index

_KEY, _KEY_BYTES = "key", 32


class PostgresStore(Documents):
    """A database, with all that belongs to its documents (see `contract.Store`, and
    `Documents`). Marks that are done are removed with all others of `late` seconds."""

    def __init__(
        self,
        address: str,
        patience: float = 0,
        commit_wait: float = 30,
        late: float = 0,
        *,
        tells: bool = False,
    ) -> None:
        super().__init__(address, patience, commit_wait, tells=tells)
        self._late = late

    def close(self) -> None:
        """Close the connections, when all is done."""
        try:
            self.marks.finish()
        finally:
            super().close()

    @cached_property
    def marks(self) -> Marks:
        """The marks of letters that have not been sent."""
        return Marks(self.pool, self.ask, self.leases, self._late)

    @cached_property
    def kept(self) -> Mails:
        """The mails that wait, cannot be delivered or cannot be read."""
        return Mails(self.pool)

    @cached_property
    def counters(self) -> "Counters":
        """What is counted by the hour."""
        from pbm_holomino.store.postgres.counters import Counters  # for mails only

        return Counters(self.pool)

    def index(self, read: Callable[[str, int], Entry | None]) -> "Index":
        """The index of all boards (see `contract.Store`)."""
        from pbm_holomino.store.postgres.index import Index  # most ask no list

        return Index(self, read)

    def flushing(self, folder: str) -> AbstractContextManager[None]:
        """Keep others from sending the mails of a folder (see `contract.Store`)."""
        return self.marks.flushing(folder)

    def key(self) -> bytes:
        """The server's key, made when it is first needed."""
        rows = self.ask(sql.SECRET, _KEY)
        if not rows:
            made = Call(sql.ADD_SECRET, (_KEY, os.urandom(_KEY_BYTES)))
            self.pool.run([made])
            rows = self.ask(sql.SECRET, _KEY)  # perhaps of another process
        ((found,),) = rows
        return bytes(found)

    def note(self, name: str) -> str:
        """A line that was noted for the owner under this name."""
        rows = self.ask(sql.NOTE, name)
        return str(rows[0][0]) if rows else ""

    def put_note(self, name: str, text: str) -> None:
        """Note a line for the owner, or forget it (an empty one)."""
        if text:
            said = text.encode("utf-8", "replace").decode().replace("\0", "")
            self.pool.run([Call(sql.PUT_NOTE, (name, said))])
        else:
            self.pool.run([Call(sql.REMOVE_NOTE, (name,))])

    def faults(self) -> Iterator[Fault]:
        """What is wrong with what is kept beside the documents: nothing can be, as far
        as anybody knows."""
        return iter(())

    def size(self) -> int:
        """How many bytes its tables take up, with their indexes."""
        ((found,),) = self.ask(sql.SIZE)
        return int(found)

    # Copying

    def closed(self) -> Closed | None:
        """Whether writers are refused, and why (see `contract.Store`)."""
        return self.closing.closed()

    def check_open(self) -> None:
        """Raise StoreTrouble if writers are refused."""
        found = self.closed()
        if found is not None and not self.closing.is_ours:
            raise closing.refusal(found)

    def close_to_writers(self, why: str, source: str = "") -> None:
        """Refuse all writers but this process (see `contract.Store`)."""
        self.closing.close(Closed(self.now(), why, source))

    def open_to_writers(self) -> None:
        """Let others write again."""
        self.closing.open()

    def titles(self) -> list[Title]:
        """What there is, documents first."""
        return pieces.titles(self.pool)

    def pieces(self, titles: Sequence[Title]) -> list[Piece]:
        """The pieces with these titles, without those that are gone."""
        return pieces.read(self.pool, titles)

    def put_pieces(self, given: Sequence[Piece]) -> None:
        """Put pieces of another store here."""
        pieces.put(self.pool, given)

    def clear(self) -> None:
        """Remove all pieces but the examples."""
        pieces.clear(self.pool)
