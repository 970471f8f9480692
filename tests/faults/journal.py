"""What a power cut may leave of a run, by enumeration.

A small model of a disk with a journal, fed with the calls that strace recorded. A
power cut at any moment loses what was not synced yet, in every way that such a file
system may:

- The entries of a folder change in the order in which they were changed, and what
  was not synced is lost from some moment on; each folder on its own. An fsync of the
  folder makes all its changes last.
- What was written to a file, and not synced, is there in part: nothing of it, the
  first half, all of it, or as many NULs. An fsync of the file makes it last, but not
  its name.

This is what journals promise at the least (ext4, XFS, Btrfs); they keep more.
"""

import os
from collections.abc import Iterator
from itertools import count, product
from pathlib import Path
from typing import NamedTuple

from tests.faults.syscalls import Call

Tree = dict[str, bytes | None]  # a file's bytes, or None for a folder, by its path


class _Change(NamedTuple):
    """A change to a folder's entries: what leaves, and what comes under a name."""

    gone: str
    name: str
    node: int


class Disk:
    """A folder as it is, and as it may be after a power cut. Its paths are relative
    to `root`."""

    def __init__(self, root: Path) -> None:
        self.root = str(root)
        self._numbers = count()
        self._content: dict[int, bytes] = {}  # of files, as processes see it
        self._durable: dict[int, bytes] = {}  # of files, as it lasts
        self._names: dict[str, dict[str, int]] = {}  # of folders, by path
        self._lasting: dict[str, dict[str, int]] = {}
        self._pending: dict[str, list[_Change]] = {}
        self._open: dict[int, int] = {}
        self._folders: dict[int, str] = {}  # which path a folder's node has
        self._adopt(root)

    def _adopt(self, folder: Path) -> None:
        """What is there at the beginning is durable."""
        names: dict[str, int] = {}
        path = self._path(str(folder))
        for entry in sorted(folder.iterdir()):
            node = names[entry.name] = next(self._numbers)
            if entry.is_dir():
                self._folders[node] = self._path(str(entry))
                self._adopt(entry)
            else:
                self._content[node] = self._durable[node] = entry.read_bytes()
        self._names[path], self._lasting[path] = dict(names), names
        self._pending[path] = []

    def _path(self, path: str) -> str:
        return os.path.relpath(path, self.root)

    def follow(self, call: Call) -> None:
        """Do what a call did."""
        act = getattr(self, f"_{call.name}", None)
        if act is not None and call.answer >= 0:
            act(call)

    # The calls that count. One that this model does not know must not be used.

    def _openat(self, call: Call) -> None:
        folder, name = os.path.split(self._path(call.paths[-1]))
        names = self._names.get(folder or ".", {})
        node = names.get(name, -1)
        if node < 0 and "O_CREAT" in call.arguments:
            node = next(self._numbers)
            self._content[node] = self._durable[node] = b""
            self._change(folder, _Change("", name, node))
        if "O_TRUNC" in call.arguments:
            self._content[node] = b""
        self._open[call.answer] = node

    def _write(self, call: Call) -> None:
        # ours are all made from a file's beginning, or at its end
        self._content[self._open[call.fd]] += call.data[: call.answer]

    def _pwrite64(self, call: Call) -> None:
        node, offset = self._open[call.fd], int(call.arguments.rpartition(",")[2])
        content = self._content[node].ljust(offset, b"\0")
        end = offset + call.answer
        self._content[node] = (
            content[:offset] + call.data[: call.answer] + content[end:]
        )

    def _ftruncate(self, call: Call) -> None:
        node, size = self._open[call.fd], int(call.arguments.rpartition(",")[2])
        self._content[node] = self._content[node][:size].ljust(size, b"\0")

    def _fsync(self, call: Call) -> None:
        path = self._path(call.paths[0])
        if path in self._names:
            self._lasting[path] = dict(self._names[path])
            self._pending[path].clear()
        else:
            node = self._open[call.fd]
            self._durable[node] = self._content[node]

    def _rename(self, call: Call) -> None:
        (folder, old), (other, new) = (
            os.path.split(self._path(path)) for path in call.paths
        )
        assert folder == other, "the model knows no renames between folders"
        node = self._names[folder or "."][old]
        self._change(folder, _Change(old, new, node))

    def _unlink(self, call: Call) -> None:
        folder, name = os.path.split(self._path(call.paths[0]))
        self._change(folder, _Change(name, "", -1))

    def _mkdir(self, call: Call) -> None:
        path = self._path(call.paths[0])
        folder, name = os.path.split(path)
        node = next(self._numbers)
        self._folders[node] = path
        self._names[path], self._lasting[path], self._pending[path] = {}, {}, []
        self._change(folder, _Change("", name, node))

    def _unknown(self, call: Call) -> None:
        raise AssertionError(f"the model knows nothing of {call.name}")

    _fdatasync = _fsync  # of a folder, by who keeps the index
    _writev = _renameat = _renameat2 = _unknown
    _unlinkat = _mkdirat = _rmdir = _link = _linkat = _unknown

    def _change(self, folder: str, change: _Change) -> None:
        self._pending[folder or "."].append(change)
        _apply(self._names[folder or "."], change)

    # What may be left

    def left(self) -> Iterator[Tree]:
        """Every state that a power cut may leave now."""
        folders = list(self._pending)
        lengths = [range(len(self._pending[path]) + 1) for path in folders]
        for kept in product(*lengths):
            names = {
                path: self._entries(path, length)
                for path, length in zip(folders, kept, strict=True)
            }
            yield from self._filled(dict(_walk(names, self._folders, ".")))

    def _entries(self, path: str, kept: int) -> dict[str, int]:
        entries = dict(self._lasting[path])
        for change in self._pending[path][:kept]:
            _apply(entries, change)
        return entries

    def _filled(self, nodes: dict[str, int]) -> Iterator[Tree]:
        """The trees in which these files hold what may be left of them."""
        paths = [path for path, node in nodes.items() if node in self._content]
        folders: Tree = dict.fromkeys(nodes.keys() - set(paths))
        for contents in product(*(self._contents(nodes[path]) for path in paths)):
            yield {**folders, **dict(zip(paths, contents, strict=True))}

    def _contents(self, node: int) -> list[bytes]:
        old, new = self._durable[node], self._content[node]
        if old == new:
            return [old]
        return list(
            dict.fromkeys((old, b"", new[: len(new) // 2], new, bytes(len(new))))
        )


def _apply(entries: dict[str, int], change: _Change) -> None:
    entries.pop(change.gone, None)
    if change.name:
        entries[change.name] = change.node


def _walk(
    names: dict[str, dict[str, int]], folders: dict[int, str], path: str
) -> Iterator[tuple[str, int]]:
    """What can be reached from a folder, by its path."""
    for name, node in names[path].items():
        inner = os.path.normpath(f"{path}/{name}")
        yield inner, node
        if node in folders:
            yield from _walk(names, folders, folders[node])


def lay_out(tree: Tree, folder: Path) -> Path:
    """A folder that holds this."""
    folder.mkdir()
    for path, content in sorted(tree.items()):
        if content is None:
            (folder / path).mkdir(mode=0o700)
        else:
            (folder / path).write_bytes(content)
            (folder / path).chmod(0o600)  # as a store's files are
    return folder
