"""What the tests' servers are over: files, or databases (see postgres/databases)."""

import os
import shutil
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, Protocol

from pbm_holomino.store.contract import Store
from pbm_holomino.store.files import changes
from pbm_holomino.store.files.store import FileStore

PATIENCE = 60.0  # seconds to wait for a lock, however slow a machine is
KEY = bytes([3]) * 32


class Document(Protocol):
    """The text of a document, read and changed by hand: a file, for example."""

    def exists(self) -> bool: ...

    def read_bytes(self) -> bytes: ...

    def read_text(self) -> str: ...

    def write_bytes(self, data: bytes) -> int: ...

    def write_text(self, data: str) -> int: ...

    def unlink(self) -> None: ...


Call = tuple[object, str]  # a function, by what has it and its name


class Storage(Protocol):
    """Opens stores for the servers of tests, each with the key that tests know."""

    calls: Sequence[Call]  # by which stores write

    def saves(self, *given: Any) -> bool:
        """Whether what one of these calls is given makes a document count that was
        saved."""

    def pass_leases(self, folder: Path) -> None:
        """Let so much time pass that a process that has died holds nothing any
        more."""

    def clearing(self) -> AbstractContextManager[None]:
        """Nothing is left of the stores that are opened in this block."""

    def open(self, folder: Path) -> Store:
        """The store of the machine with this folder."""

    def copy(self, source: Path, folder: Path) -> Path:
        """Make a new machine that has all that another one has; its folder."""

    def settings(self, folder: Path, text: str) -> None:
        """Write the settings of a machine, but for where its store is."""

    def document(self, folder: Path, where: str, name: str) -> Document:
        """A document of the store, by its own folder and its name."""

    def records(self, folder: Path) -> dict[str, bytes]:
        """Its boards, accounts and ratings, and the marks of letters that have not
        left, by the names of their files."""

    def files(self, folder: Path) -> dict[str, bytes]:
        """The same, with all else that the machine and its store hold. Locks hold
        nothing, and the index is derived."""


class InFiles:
    """A store is the folder itself."""

    calls: Sequence[Call] = [
        (os, name) for name in ("write", "fsync", "rename", "unlink")
    ]

    def saves(self, *given: Any) -> bool:
        name = given[-1]  # the new one of a file, if it is renamed
        return isinstance(name, str) and name.endswith(".yaml")

    def pass_leases(self, folder: Path) -> None:
        for mark in folder.rglob("*.unsent"):
            os.utime(mark, (0, 0))

    def clearing(self) -> AbstractContextManager[None]:
        return nullcontext()

    def open(self, folder: Path) -> Store:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "key").write_bytes(KEY)
        (folder / "key").chmod(0o600)
        return FileStore(str(folder), patience=PATIENCE)

    def copy(self, source: Path, folder: Path) -> Path:
        return shutil.copytree(source, folder, symlinks=True)

    def settings(self, folder: Path, text: str) -> None:
        (folder / "config.yaml").write_text(text)

    def document(self, folder: Path, where: str, name: str) -> Document:
        return folder / where / f"{name}.yaml"

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


def is_of_index(path: Path) -> bool:
    """Whether a file is derived for lists, which any question may write."""
    return path.parent.name == changes.FOLDER or path.name.startswith(changes.INDEX)


over: Storage = InFiles()  # what the tests' servers are over
