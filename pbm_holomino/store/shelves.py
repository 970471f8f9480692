"""How much each player has kept in notes: `shelves/<userid>.yaml` has the bytes of each
of their notebooks, so that no command has to read them all. It is derived from them,
and right again for each that is saved."""

from collections.abc import Iterator
from contextlib import suppress

from pbm_holomino.errors import CorruptFile, NotAllowed
from pbm_holomino.languages import sentence
from pbm_holomino.match.notebook import NOTES, Notebook
from pbm_holomino.store import documents
from pbm_holomino.store.contract import SHELVES, Store
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
            store.save(SHELVES, owner, {each: str(n) for each, n in after.items()})


_TOO_MUCH = sentence(
    "Your notes on all boards can have {most} bytes together, and with this they would "
    "have {number}: please take others out."
)


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
