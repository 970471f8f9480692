"""`pbm restore-test`: what a copy of the store is worth.

It is restored where nobody plays, replayed there, and compared with the store that this
server has now: what came after the copy was made would be lost.
"""

import os
import shutil
import signal
import stat
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from tempfile import TemporaryDirectory
from typing import Any

from pbm_holomino.commands.request import Answer, Request
from pbm_holomino.errors import (
    DONE,
    REFUSED,
    NotAllowed,
    NotFound,
    PbmError,
    StoreTrouble,
)
from pbm_holomino.match import ledgers
from pbm_holomino.match.record import LogLine
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.owner import check, pg_restore
from pbm_holomino.owner.progress import progress
from pbm_holomino.sentences import fill, listed, moment, number_of
from pbm_holomino.server import open as opener
from pbm_holomino.store.closing import in_words
from pbm_holomino.store.config import Config
from pbm_holomino.store.contract import DOCUMENT, KEY, MAIL, MARK, Store, Title
from pbm_holomino.store.files.store import FileStore
from pbm_holomino.store.home import Home, missing_folder, open_database
from pbm_holomino.store.library import Library

_AT_ONCE = 50  # documents that are compared together
_MOST_NAMED = 5  # documents that a sentence names
_SETTINGS = "config.yaml"


def run(request: Request) -> Answer:
    """Restore the copy that the request names, replay it, and say what is wrong with
    it, and what it lacks of the store that this server has."""
    (copy,) = request.words
    # whatever ends this command, nothing of what it has restored may stay
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with ExitStack() as stack:
        live = _live(copy)
        if live is not None:
            stack.enter_context(closing(live.library.store))
        library = Library(stack.enter_context(_restored(copy)))
        said, is_sound = _examined(library)
        if live is None:
            said.append("There is no store here to compare it with.")
        else:
            said += _lost(live, library, copy)
    return Answer(
        "".join(fill(line, whole_words=True) for line in said),
        DONE if is_sound else REFUSED,
    )


class _Live(NamedTuple):
    """The store that this server has now, and its home."""

    library: Library
    home: Home


def _live(copy: str) -> _Live | None:
    """The server's own store; None where there is none, such as on a machine that only
    keeps copies. Raises NotAllowed if it is no copy that was named, but this store."""
    try:
        server, home = opener.open_server()
    except StoreTrouble:
        return None
    if missing_folder(home):
        return None
    if os.path.realpath(copy) == os.path.realpath(home.root):
        raise NotAllowed(f"{copy} is the store itself: please name a copy of it.")
    return _Live(server.library, home)


# Restoring


@contextmanager
def _restored(copy: str) -> Iterator[Store]:
    """What a copy holds, restored while the block runs. Raises PbmError."""
    if not os.path.exists(copy):
        raise NotFound(f"There is no {copy}.")
    with TemporaryDirectory(prefix="pbm-restore-") as folder, ExitStack() as stack:
        store: Store
        if pg_restore.is_dump(copy):
            dump = os.path.abspath(copy)
            address = stack.enter_context(pg_restore.restored(dump, folder))
            store = open_database(Config(store=address))
        elif os.path.isdir(copy):
            store = _of_files(copy, os.path.join(folder, "games"))
        else:
            raise NotAllowed(
                f"{copy} is neither a folder nor a dump that can be restored: pg_dump "
                "writes one with --format=custom."
            )
        stack.enter_context(closing(store))
        store.upgrade()
        if not any(title.kind == DOCUMENT for title in store.titles()):
            raise NotFound(f"There is nothing to restore in {copy}.")
        yield store


def _of_files(copy: str, folder: str) -> Store:
    """A store with what is in a folder."""
    try:
        shutil.copytree(copy, folder, ignore=_sockets)
    except shutil.Error as error:
        file, _, why = error.args[0][0]
        raise StoreTrouble(f"{file} cannot be copied: {why}.") from None
    except OSError as error:
        raise StoreTrouble(
            f"{error.filename or copy} cannot be copied: {error.strerror}."
        ) from None
    return FileStore(folder, Config().wait)


def _sockets(folder: str, names: list[str]) -> list[str]:
    """What is no file and no folder, such as the sockets of a server that runs."""
    paths = {name: os.path.join(folder, name) for name in names}
    modes = {name: os.lstat(path).st_mode for name, path in paths.items()}
    kinds = (stat.S_ISREG, stat.S_ISDIR)
    return [n for n, mode in modes.items() if not any(is_a(mode) for is_a in kinds)]


# Replaying


def _examined(library: Library) -> tuple[list[str], bool]:
    """What is to be said about a restored store, and whether it is sound."""
    closed = library.store.closed()
    files, found = check.examine(library, repair=False, anew=True)
    faults = [f"{in_words(closed)}."] if closed else []
    faults += [fault.sentence for fault in found if not fault.is_old]
    read = f"{number_of(len(files), library.store.noun)} restored and replayed"
    summary = number_of(len(faults), "fault") if faults else "all is well"
    return [*faults, f"{read}: {summary}.", *_until(library)], not faults


def _until(library: Library) -> Iterator[str]:
    """When the last line was written that a store has."""
    with suppress(PbmError, IndexError):
        ((folder, name),) = library.store.latest(ledgers.folders(), 1)
        time = library.ledger(folder, name).log[-1].time
        yield f"The copy ends on {moment(time)}."


# Comparing


def _lost(live: _Live, copy: Library, word: str) -> list[str]:
    """What the server's store has that a copy lacks, and what would happen twice."""
    mine, theirs = live.library.store, copy.store
    here, there = mine.titles(), {*theirs.titles()}
    lost = [
        *_lost_documents(here, there),
        *_lost_lines(live.library, copy, [t for t in here if t in there]),
        *_lost_mails(here, there),
        *_lost_key(mine, theirs, [t for t in here if t.kind == KEY]),
        *_lost_settings(live.home, word),
    ]
    sent = [t for t in there - {*here} if t.kind == MARK]
    twice = number_of(len(sent), "line")
    return [
        *(lost or ["It lacks nothing that this server has."]),
        *(
            [f"Letters about {twice} have left since, and would be sent again."]
            if sent
            else ()
        ),
    ]


def _lost_documents(here: Sequence[Title], there: Container[Title]) -> Iterator[str]:
    lost = [t for t in here if _is_ledger(t) and t not in there]
    if lost:
        yield f"It lacks {number_of(len(lost), 'whole document')}: {_named(lost)}."


def _lost_lines(mine: Library, theirs: Library, both: Sequence[Title]) -> Iterator[str]:
    """That logs have become longer, and that some are not those of the copy."""
    lost: Counter[Title] = Counter()
    unlike = []
    with progress(list(_unlike(mine.store, theirs.store, both)), "Comparing") as shown:
        for title in shown:
            now, then = (_lines(library, title) for library in (mine, theirs))
            lost[title] = len(now - then)
            unlike += [title] if then - now else []
    lost += Counter()  # without those that lack nothing
    if lost:
        lines = number_of(lost.total(), "line")
        yield f"It lacks {lines} of {_named([*lost])}."
    if unlike:
        yield (
            f"It has lines that this server does not have, of {_named(unlike)}: is it "
            "a copy of this server's store?"
        )


def _unlike(mine: Store, theirs: Store, both: Sequence[Title]) -> Iterator[Title]:
    """The ledgers that are not the same, byte for byte."""
    ledgers_of_both = [title for title in both if _is_ledger(title)]
    for start in range(0, len(ledgers_of_both), _AT_ONCE):
        batch = ledgers_of_both[start : start + _AT_ONCE]
        same = {*mine.pieces(batch)} & {*theirs.pieces(batch)}
        yield from sorted({*batch} - {piece.title for piece in same})


def _lines(library: Library, title: Title) -> set[LogLine[Any]]:
    """The lines of a ledger; none if it is damaged, which is said elsewhere."""
    try:
        return {*library.ledger(title.folder, title.name).log}
    except PbmError:
        return set()


def _lost_mails(here: Sequence[Title], there: Container[Title]) -> Iterator[str]:
    lost = [t for t in here if t.kind == MAIL and t not in there]
    if lost:
        yield f"It lacks {number_of(len(lost), 'mail')} that the server keeps."


def _lost_key(mine: Store, theirs: Store, key: Sequence[Title]) -> Iterator[str]:
    if mine.pieces(key) != theirs.pieces(key):
        yield (
            "It has not the server's key: replies to letters that were sent before "
            "would need a password."
        )


def _lost_settings(home: Home, word: str) -> Iterator[str]:
    """That the settings are not in a copy: in a database there are none."""
    if _settings_in(home.root) != _settings_in(word):
        yield (
            f"It has not the settings that this server has: {_SETTINGS} in "
            f"{home.root} has to be copied as well."
        )


def _settings_in(folder: str) -> bytes:
    with suppress(OSError), open(os.path.join(folder, _SETTINGS), "rb") as file:
        return file.read()
    return b""


def _is_ledger(title: Title) -> bool:
    return title.kind == DOCUMENT and title.folder in ledgers.folders()


def _named(titles: Sequence[Title]) -> str:
    """Some documents by their names, and how many more there are."""
    names = [f"{title.folder} {title.name}" for title in titles[:_MOST_NAMED]]
    more = len(titles) - _MOST_NAMED
    return listed([*names, *([f"{more} more"] if more > 0 else ())])
