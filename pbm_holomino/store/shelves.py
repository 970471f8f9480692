"""How much each player has kept in notes: `shelves/<userid>.yaml` has the bytes of each
of their notebooks, so that no command has to read them all. It is derived from them,
and right again for each that is saved."""

from collections.abc import Iterator, Mapping
from contextlib import suppress

from pbm_holomino.errors import CorruptFile, NotAllowed
from pbm_holomino.languages import sentence
from pbm_holomino.match.account import DELETED, Player
from pbm_holomino.match.notebook import NOTES, Notebook
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


def unfitting(library: Library) -> Iterator[tuple[str, dict[str, int]]]:
    """Each player whose shelf does not say what their notebooks say, and what it should
    say. Nobody asks for that of a deleted account."""
    right, unread = _measured(library)
    for owner in sorted({*right, *library.store.names(SHELVES)}):
        there = sizes(library.store, owner)
        left = {name: size for name, size in there.items() if name in unread}
        should = {**right.get(owner, {}), **left}
        if there != should and not _is_deleted(library, owner):
            yield owner, should


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


def _is_deleted(library: Library, owner: str) -> bool:
    with suppress(CorruptFile):
        player: Player | None = library.find(PLAYERS, owner)
        return player is not None and player.status == DELETED
    return False


def mend(store: Store, owner: str, should: Mapping[str, int]) -> None:
    """Write a player's shelf as it should be."""
    with store.lock(SHELVES, owner):
        _save(store, owner, should)


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
