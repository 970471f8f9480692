"""Notes on the pages of a board: a player's own, and those that were published."""

from collections.abc import Iterable, Iterator
from urllib.parse import urlencode

from pbm_holomino.commands.notes import to_show
from pbm_holomino.languages import Sentence
from pbm_holomino.letters.notes import depths, heading
from pbm_holomino.match.board import Match
from pbm_holomino.match.notebook import Notebook, fits, walk
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.store.library import Library


class Kept(NamedTuple):
    """Positions that were kept, one after the other, up to one with a note or from
    which several lines go on: their words, the note, how far they are indented, and the
    query of the page of the last one; empty where the game has gone another way."""

    since: int
    words: str
    is_first: bool  # whether the line begins with them
    note: str
    depth: int
    query: str


class Noted(NamedTuple):
    """The notes of a player, under their heading; whether only the reader can see them,
    and whether they can publish them."""

    heading: Sentence
    kept: tuple[Kept, ...]
    is_private: bool = False
    can_publish: bool = False


def noted(library: Library, match: Match, reader: str | None) -> tuple[Noted, ...]:
    """The notes on a board that a reader may see."""
    # as it was played: its names may not be those that are shown
    played = library.match(match.record.game, match.record.board)
    is_over = played.result is not None
    return tuple(
        Noted(
            heading(each, reader),
            (*kept(each, played),),
            is_private=not each.is_public,
            can_publish=is_over and not each.is_public,
        )
        for each in to_show(library, played, reader)
    )


def kept(notebook: Notebook, match: Match) -> Iterator[Kept]:
    """All positions of a notebook, line by line."""
    deep = depths(notebook)
    for run in walk(notebook):
        root, last = notebook.root_of(run[0]), run[-1]
        own = [notebook.nodes[number] for number in run]
        where = query(root.ply, notebook.words_to(last))
        yield Kept(
            since=root.ply,
            words=" ".join(node.word for node in own if node.above),
            is_first=not own[0].above,
            note=notebook.notes.get(last, ""),
            depth=min(_DEEPEST, deep[last]),
            query=where if fits(root, match) else "",
        )


_DEEPEST = 4  # lines within lines that are indented further


def query(since: int, words: Iterable[str]) -> str:
    """What is behind the question mark in the address of the page after a line."""
    return urlencode({"since": since, "line": " ".join(words)})
