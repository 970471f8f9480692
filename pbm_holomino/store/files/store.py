"""The store as a folder of YAML files: the files, and what is made of all of them."""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from pbm_holomino.match.ledgers import is_number
from pbm_holomino.store.contract import Closed, Fault, Piece, Title
from pbm_holomino.store.files.documents import Files

if TYPE_CHECKING:
    from pbm_holomino.store.files.index import Index
    from pbm_holomino.store.search import Entry


class FileStore(Files):
    """A folder of strict YAML files that people can read (see `contract.Store`)."""

    def index(self, read: "Callable[[str, int], Entry | None]") -> "Index":
        """The index of all boards (see `contract.Store`)."""
        from pbm_holomino.store.files.index import Index  # most commands ask no list

        return Index(self, read)

    def next_number(self, folder: str) -> int:
        """A number for the next board (see `contract.Store`)."""
        from pbm_holomino.store.search import Unusable  # most commands open no board

        try:
            number = self.index(lambda game, board: None).greatest(folder) + 1
        except Unusable:
            known = (*self.names(folder), *self.locked_once(folder))
            return max(map(int, filter(is_number, known)), default=0) + 1
        while self.exists(folder, str(number)) or self.was_locked(folder, str(number)):
            number += 1
        return number

    def key(self) -> bytes:
        """The server's key, made when it is first needed. Raises CorruptFile."""
        from pbm_holomino.store.files import key  # only passwords and tokens need it

        return key.key(self)

    def upgrade(self) -> None:
        """Nothing is to be done: old files are read as they are."""

    def outdated(self) -> str:
        """The index, if another version made it."""
        from pbm_holomino.store.files import changes, rows

        version = rows.version_of(self.path(changes.INDEX))
        return "" if version in (None, rows.VERSION) else "The index of all boards"

    def faults(self) -> Iterator[Fault]:
        """What is wrong with the key's file. There is none before it is needed."""
        from pbm_holomino.store.files import key

        return key.faults(self)

    def size(self) -> int:
        """How many bytes of the disk its folder takes up."""
        return self.folders.size()

    # Copying

    def closed(self) -> Closed | None:
        """Whether writers are refused, and why (see `contract.Store`)."""
        from pbm_holomino.store.files.closed import closed

        return closed(self.folders)

    def close_to_writers(self, why: str, source: str = "") -> None:
        """Refuse all writers but this process (see `contract.Store`)."""
        self.closing.close(Closed(self.now(), why, source))

    def open_to_writers(self) -> None:
        """Let others write again."""
        self.closing.open()

    def titles(self) -> list[Title]:
        """What there is, documents first."""
        from pbm_holomino.store.files import pieces

        return pieces.titles(self)

    def pieces(self, titles: Sequence[Title]) -> list[Piece]:
        """The pieces with these titles, without those that are gone."""
        from pbm_holomino.store.files import pieces

        return pieces.read(self, titles)

    def put_pieces(self, pieces: Sequence[Piece]) -> None:
        """Put pieces of another store here, durably."""
        from pbm_holomino.store.files.pieces import put

        put(self, pieces)

    def clear(self) -> None:
        """Remove all pieces but the examples."""
        from pbm_holomino.store.files import pieces

        pieces.clear(self)
