"""What the tests' servers are over: files, or databases (see postgres/databases)."""

from pathlib import Path
from typing import Protocol

from pbm_holomino.store.contract import Store
from pbm_holomino.store.files import changes
from pbm_holomino.store.files.store import FileStore

PATIENCE = 0.2  # seconds to wait for a lock
KEY = bytes([3]) * 32


class Storage(Protocol):
    """Opens stores for the servers of tests, each with the key that tests know."""

    def open(self, folder: Path) -> Store:
        """The store of the machine with this folder."""

    def records(self, folder: Path) -> dict[str, bytes]:
        """Its boards, accounts and ratings, and the marks of letters that have not
        left, by the names of their files."""

    def files(self, folder: Path) -> dict[str, bytes]:
        """The same, with all else that the machine and its store hold. Locks hold
        nothing, and the index is derived."""

    def path(self, folder: Path, *parts: str) -> Path:
        """A file of the machine. That of a document can be read and written, wherever
        the document is."""


class InFiles:
    """A store is the folder itself."""

    def open(self, folder: Path) -> Store:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "key").write_bytes(KEY)
        (folder / "key").chmod(0o600)
        return FileStore(str(folder), patience=PATIENCE)

    def records(self, folder: Path) -> dict[str, bytes]:
        return {
            name: content
            for name, content in self.files(folder).items()
            if name.endswith((".yaml", ".unsent"))
        }

    def files(self, folder: Path) -> dict[str, bytes]:
        return {
            str(path.relative_to(folder)): path.read_bytes()
            for path in sorted(folder.rglob("*"))
            if path.is_file() and path.suffix != ".lock" and not is_of_index(path)
        }

    def path(self, folder: Path, *parts: str) -> Path:
        return folder.joinpath(*parts)


def is_of_index(path: Path) -> bool:
    """Whether a file is derived for lists, which any question may write."""
    return path.parent.name == changes.FOLDER or path.name.startswith(changes.INDEX)


over: Storage = InFiles()  # what the tests' servers are over
