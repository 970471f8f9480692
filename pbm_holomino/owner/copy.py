"""`pbm copy`: the same store in another place, as files or in PostgreSQL."""

import os
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from functools import partial
from hashlib import sha256
from typing import TypeVar

from pbm_holomino.commands.request import Answer, Request
from pbm_holomino.errors import NotAllowed, NotFound, StoreTrouble
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.owner.progress import progress
from pbm_holomino.sentences import fill
from pbm_holomino.store import config, examples, home
from pbm_holomino.store.closing import COPIED, INCOMPLETE, MOVED, refusal
from pbm_holomino.store.config import Config
from pbm_holomino.store.contract import DOCUMENT, Store, Title
from pbm_holomino.store.files.store import FileStore
from pbm_holomino.store.library import Library
from pbm_holomino.store.search import Unusable

_AT_ONCE = 50  # pieces that are read or written together

_Thing = TypeVar("_Thing")


class _Place(NamedTuple):
    """A folder or the address of a database, as it is typed."""

    word: str

    @property
    def is_database(self) -> bool:
        return config.is_database(self.word)

    @property
    def identity(self) -> str:
        """The same for the same place; it tells nobody an address."""
        word = self.word if self.is_database else os.path.realpath(self.word)
        return sha256(word.encode("utf-8", "surrogateescape")).hexdigest()[:16]

    @property
    def shown(self) -> str:
        """The place without a password."""
        return config.without_password(self.word) if self.is_database else self.word

    def open(self) -> Store:
        """The store there. Raises PbmError."""
        if self.is_database:
            return home.open_database(Config(store=self.word))
        home.check_owner(self.word)
        return FileStore(self.word, Config().wait)


def run(request: Request) -> Answer:
    """Copy the store at the first place to the second, and compare them. With --move
    the first stays closed to writers."""
    start, end = map(_Place, request.words)
    if start.identity == end.identity:
        raise NotAllowed(f"Both places are the same: {start.shown}.")
    if not start.is_database and not os.path.isdir(start.word):
        raise NotFound(f"There is no folder {start.word}.")
    moves = "move" in request.options
    with closing(start.open()) as source, closing(end.open()) as target:
        _make_ready(source, start)
        target.upgrade()
        _check_is_free(target, end, start.identity)
        titles = _copy(source, target, start.identity, moves)
    documents = len([title for title in titles if title.kind == DOCUMENT])
    said = [
        f"{documents} documents and {len(titles) - documents} other entries were "
        f"copied and compared. {_what_now(start, end, moves)}"
    ]
    if end.is_database:
        said += [f"    store: {end.shown}"]
    lines = [*fill(said[0], whole_words=True).splitlines(), *said[1:]]
    return Answer("\n".join(lines) + "\n")


def _what_now(start: _Place, end: _Place, moves: bool) -> str:
    """What the owner should know and do."""
    left = (
        f"{start.shown} stays closed to writers: every command and mail has to wait "
        "until the settings name the other place. "
        if moves
        else f"{start.shown} is open to writers again, and what is written there from "
        "now on is not in the copy. "
    )
    if end.is_database:
        return (
            f"{left}For the server to use the database, this line must be in the "
            'config.yaml of each machine, and "pbm serve" must be started again:'
        )
    return (
        f"{left}For the server to use these files, PBM_GAMES must name their folder, "
        'its config.yaml must have no line with "store:", and "pbm serve" must be '
        "started again."
    )


def _make_ready(source: Store, start: _Place) -> None:
    """Open a source that a copy has left closed when it was killed. Raises PbmError if
    it cannot be copied."""
    closed = source.closed()
    if closed is not None and closed.source:
        raise NotAllowed(
            f"{start.shown} is itself a copy that is not complete: please run the "
            'same "pbm copy" again that began it.'
        )
    if closed is not None and closed.why == COPIED:
        source.open_to_writers()
    if not source.titles():
        raise NotFound(f"There is nothing to copy in {start.shown}.")


def _check_is_free(target: Store, end: _Place, identity: str) -> None:
    """Raise PbmError unless a place is empty, but for examples, or has what was begun
    before as a copy of the same place."""
    closed = target.closed()
    begun = "" if closed is None else closed.source
    if begun == identity:
        return
    if begun or not all(examples.is_in(title.folder) for title in target.titles()):
        raise NotAllowed(
            f"{end.shown} is not empty: please name an empty database, or a folder "
            "without a store."
        )
    if closed is not None:
        raise refusal(closed)


def _copy(source: Store, target: Store, identity: str, moves: bool) -> list[Title]:
    """Copy all pieces and compare them; their titles. The source is closed meanwhile,
    and the target until it is complete."""
    closed = source.closed()
    stays_closed = closed is not None  # it was moved before
    source.close_to_writers(MOVED if stays_closed else COPIED)
    try:
        target.close_to_writers(INCOMPLETE, identity)
        target.clear()
        titles = source.titles()
        with progress(list(_batches(titles)), "Copying") as shown:
            for batch in shown:
                target.put_pieces(source.pieces(batch))
        with suppress(Unusable):  # files can do without an index
            index = Library(target).lists.index
            index.scan(True, partial(progress, label="Indexing"))
        _compare(source, target, titles)
        if moves:
            source.close_to_writers(MOVED)
            stays_closed = True
        target.open_to_writers()
    finally:
        if not stays_closed:
            source.open_to_writers()
    return titles


def _compare(source: Store, target: Store, titles: Sequence[Title]) -> None:
    """Raise StoreTrouble unless a copy has the same pieces as its source. It may have
    more examples."""
    here, there = {*titles}, {*target.titles()}
    wrong = here - there
    wrong |= {title for title in there - here if not examples.is_in(title.folder)}
    with progress(list(_batches(titles)), "Comparing") as shown:
        for batch in shown:
            original, copied = source.pieces(batch), target.pieces(batch)
            if original != copied:
                wrong |= {piece.title for piece in {*original} ^ {*copied}}
    if wrong:
        first = " ".join(filter(None, min(wrong)))
        raise StoreTrouble(
            f"Not everything is in the copy as it should be (the {first}): please run "
            'the same "pbm copy" again.'
        )


def _batches(things: Sequence[_Thing]) -> Iterator[Sequence[_Thing]]:
    for start in range(0, len(things), _AT_ONCE):
        yield things[start : start + _AT_ONCE]
