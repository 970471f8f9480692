"""How much each player has kept in notes: `shelves/<userid>.yaml` has the bytes of each
of their notebooks, so that no command has to read them all. It is derived from them,
and right again for each that is saved."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress

from pbm_holomino.errors import CorruptFile, NotAllowed
from pbm_holomino.languages import sentence
from pbm_holomino.match.account import DELETED, Player
from pbm_holomino.match.notebook import NOTES, Notebook, parse_name
from pbm_holomino.store import documents
from pbm_holomino.store.contract import PLAYERS, SHELVES, Store
from pbm_holomino.store.damage import DAMAGE
from pbm_holomino.store.library import Library

MOST_BYTES = 5_000_000  # of all notes of a player


def claim(store: Store, notebook: Notebook) -> None:
    """Note the size of a notebook that is about to be saved. Raises NotAllowed if its
    player would have kept too much."""
    owner, name, size = notebook.owner, notebook.key.name, notebook.size
    with store.lock(SHELVES, owner):
        before = sizes(store, owner)
        others = sum(before.values()) - before.get(name, 0)
        if others + size > MOST_BYTES and size > before.get(name, 0):
            raise NotAllowed(_TOO_MUCH.of(most=MOST_BYTES, number=others + size))
        if before.get(name) != size:
            after = {**before, name: size}
            _save(store, owner, after)


_TOO_MUCH = sentence(
    "Your notes on all boards can have {most} bytes together, and with this they would "
    "have {number}: please take others out."
)


def unfitting(library: Library) -> Iterator[tuple[str, list[str]]]:
    """Each player whose shelf does not say what their notebooks say, and the names of
    these. Nobody asks for that of a deleted account. What is written meanwhile is no
    fault: where the two do not agree, they are read once more, with nobody writing."""
    right, unread = _measured(library)
    for owner in sorted({*right, *library.store.names(SHELVES)}):
        there, should = sizes(library.store, owner), right.get(owner, {})
        names = {name for name, _ in {*there.items()} ^ {*should.items()}} - unread
        wrong = [name for name in sorted(names) if _is_wrong(library, owner, name)]
        if wrong and not _is_deleted(library, owner):
            yield owner, wrong


def _measured(library: Library) -> tuple[dict[str, dict[str, int]], set[str]]:
    """The bytes of all notebooks, by players and names; and those that cannot be
    read."""
    found, unread = dict[str, dict[str, int]](), set[str]()
    for name in library.store.names(NOTES):
        try:
            notebook: Notebook | None = library.find(NOTES, name)
        except CorruptFile:
            unread.add(name)
            continue
        if notebook is not None:
            found.setdefault(notebook.owner, {})[name] = notebook.size
    return found, unread


def _is_wrong(library: Library, owner: str, name: str) -> bool:
    """Whether a shelf does not say what a notebook says, while nobody writes either."""
    with _held(library.store, owner, name):
        return sizes(library.store, owner).get(name) != _size(library, owner, name)


@contextmanager
def _held(store: Store, owner: str, name: str) -> Iterator[None]:
    """Hold a notebook and then its player's shelf, as those do who write. What is not
    the name of a notebook has no lock."""
    with ExitStack() as stack:
        if parse_name(name):
            stack.enter_context(store.lock(NOTES, name))
        stack.enter_context(store.lock(SHELVES, owner))
        yield


def _size(library: Library, owner: str, name: str) -> int | None:
    """The bytes of a player's notebook; None if it is none of theirs, or there is
    none. Raises CorruptFile."""
    notebook: Notebook | None = library.find(NOTES, name)
    return notebook.size if notebook and notebook.owner == owner else None


def _is_deleted(library: Library, owner: str) -> bool:
    with suppress(CorruptFile):
        player: Player | None = library.find(PLAYERS, owner)
        return player is not None and player.status == DELETED
    return False


def mend(library: Library, owner: str, names: Iterable[str]) -> None:
    """Write what a player's shelf should say of these notebooks."""
    for name in names:
        with _held(library.store, owner, name):
            after = {**sizes(library.store, owner), name: _size(library, owner, name)}
            known = {name: size for name, size in after.items() if size is not None}
            _save(library.store, owner, known)


def _save(store: Store, owner: str, found: Mapping[str, int]) -> None:
    store.save(SHELVES, owner, {name: str(size) for name, size in found.items()})


def private(store: Store, owner: str) -> list[str]:
    """The names of the notebooks that only their owner can read."""
    return [name for name in sizes(store, owner) if name.startswith(f"{owner}-")]


def notebooks(library: Library, owner: str) -> Iterator[Notebook]:
    """All notes that only their owner can read, but for those that are damaged."""
    for name in private(library.store, owner):
        with suppress(CorruptFile):
            found: Notebook | None = library.find(NOTES, name)
            if found and found.nodes:
                yield found


def sizes(store: Store, owner: str) -> dict[str, int]:
    """The bytes of each notebook of a player, by its name, also of those that are
    empty. What cannot be read counts for nothing."""
    try:
        data = documents.read(store, SHELVES, owner) or {}
        return {name: int(size) for name, size in data.items()}
    except (CorruptFile, *DAMAGE):
        return {}
