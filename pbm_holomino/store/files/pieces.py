"""The pieces of a store of files (see `contract.Piece`)."""

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from shutil import rmtree

from pbm_holomino import rules
from pbm_holomino.match import ledgers
from pbm_holomino.match.ledgers import is_number
from pbm_holomino.store import examples
from pbm_holomino.store.contract import (
    DOCUMENT,
    GREATEST,
    KEPT,
    KEY,
    MAIL,
    MARK,
    NOTE,
    NOTES,
    OPENED,
    OTHER_FOLDERS,
    Piece,
    Title,
)
from pbm_holomino.store.files import changes, disk, documents
from pbm_holomino.store.files.documents import Files
from pbm_holomino.store.files.folders import READING, WRITING
from pbm_holomino.store.files.index import Index
from pbm_holomino.store.files.key import FILE as KEY_FILE
from pbm_holomino.store.search import Unusable

_MICROSECOND = 1000  # nanoseconds
_NAMES = {  # of files
    DOCUMENT: "{}.yaml",
    OPENED: f"{{}}.{documents.OPENED}",
    MARK: "{}.unsent",
}
_TIMED = (MARK, MAIL)


def titles(store: Files) -> list[Title]:
    """What there is, documents first."""
    return [*_documents(store), *_numbers(store), *_others(store)]


def _documents(store: Files) -> Iterator[Title]:
    games = rules.names()
    others = sorted({*ledgers.folders(), *OTHER_FOLDERS} - {*games})
    for folder in (*games, *map(examples.folder, games), *others):
        for name in sorted(store.names(folder)):
            yield Title(DOCUMENT, folder, name)


def _numbers(store: Files) -> Iterator[Title]:
    for game in rules.names():
        for name in sorted(store.folders.filenames(game)):
            if name.endswith(f".{documents.OPENED}"):
                yield Title(OPENED, game, name.removesuffix(f".{documents.OPENED}"))
    for folder in ledgers.numbered():
        if _greatest(store, folder):
            yield Title(GREATEST, folder, "")


def _others(store: Files) -> Iterator[Title]:
    for folder in ledgers.folders():
        for name, lines in store.marks.unsent(folder).items():
            for line in lines:
                yield Title(MARK, folder, f"{name}.{line}")
    for folder in KEPT:
        for filename in store.kept.mails(folder):
            yield Title(MAIL, folder, filename)
    for kind, filename in (*((NOTE, name) for name in NOTES), (KEY, KEY_FILE)):
        if store.folders.has("", filename):
            yield Title(kind, "", filename)


def _greatest(store: Files, folder: str) -> int:
    """The greatest number that a board has had, as far as anything shows it."""
    named = (*store.names(folder), *store.locked_once(folder))
    greatest = max(map(int, filter(is_number, named)), default=0)
    try:
        return max(greatest, Index(store, lambda game, board: None).greatest(folder))
    except Unusable:
        return greatest


def read(store: Files, wanted: Iterable[Title]) -> list[Piece]:
    """The pieces with these titles, as far as they are there."""
    return [piece for title in wanted if (piece := _read(store, title))]


def _read(store: Files, title: Title) -> Piece | None:
    if title.kind == GREATEST:
        return Piece(title, str(_greatest(store, title.folder)).encode())
    with READING, suppress(FileNotFoundError), open(_path(store, title), "rb") as file:
        content = file.read()
        time = os.fstat(file.fileno()).st_mtime_ns // _MICROSECOND
        if title.kind == MARK:  # a power cut may have taken the end of the last line
            content = b"".join(line + b"\n" for line in content.splitlines())
        return Piece(title, content, time if title.kind in _TIMED else 0)
    return None


def put(store: Files, pieces: Sequence[Piece]) -> None:
    """Put pieces there, durably."""
    folders = {piece.title.folder for piece in pieces}
    with WRITING:
        for folder in sorted({*map(os.path.dirname, folders), *folders}):
            store.folders.make(folder)
        for piece in pieces:
            if piece.title.kind == GREATEST:
                _lock_once(store, piece)
            else:
                _put(_path(store, piece.title), piece)
        for folder in folders:
            store.folders.sync(folder)


def _put(path: str, piece: Piece) -> None:
    disk.write(f"{path}.new", piece.content, durably=True)
    if piece.time:
        time = piece.time * _MICROSECOND
        os.utime(f"{path}.new", ns=(time, time))
    os.rename(f"{path}.new", path)


def _lock_once(store: Files, piece: Piece) -> None:
    """Leave locks of the boards that are gone, so that their numbers are not given
    again."""
    game = piece.title.folder
    there = set(store.names(game))
    for number in range(1, int(piece.content) + 1):
        if str(number) not in there:
            disk.write(store.path(game, f"{number}.lock"), b"")


def clear(store: Files) -> None:
    """Remove all pieces but the examples, with what is derived from them."""
    with WRITING:
        for title in titles(store):
            if title.kind != GREATEST and not examples.is_in(title.folder):
                os.unlink(_path(store, title))
        for folder in (*ledgers.folders(), *OTHER_FOLDERS, ""):
            for filename in store.folders.filenames(folder):
                if filename.endswith(".new") or (folder and filename.endswith(".lock")):
                    os.unlink(store.path(folder, filename))
        changes.drop_index(store.root)
        rmtree(store.path(changes.FOLDER), ignore_errors=True)


def _path(store: Files, title: Title) -> str:
    filename = _NAMES.get(title.kind, "{}").format(title.name)
    return store.path(title.folder, filename)
