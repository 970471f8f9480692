"""A player's notes on a board, as their owner reads them; and others, once they are
published."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pbm_holomino.languages import Sentence, sentence
from pbm_holomino.letters.content import Block, Paragraph, Part, Subheading, Words
from pbm_holomino.match.board import Match
from pbm_holomino.match.notebook import Node, Notebook, fits, walk

_YOURS = sentence("Your notes, which only you can see")
_YOURS_FOR_ALL = sentence("Your notes, as you have published them")
_PUBLISHED = sentence("Notes by {player}")
_AT_START = sentence("At the start:")
_AFTER = sentence("After move {ply}:")
_AFTER_MOVE = sentence("After move {ply}, {player} {move}:")
_NO_LONGER = sentence("(The game has gone another way since then.)")
_DEEPEST = 8  # lines within lines that are indented further


def heading(notebook: Notebook, reader: str | None) -> Sentence:
    """Whose notes they are, and who can see them."""
    if notebook.owner != reader:
        return _PUBLISHED.of(player=notebook.owner)
    return _YOURS_FOR_ALL if notebook.is_public else _YOURS


def told(notebook: Notebook, match: Match, reader: str | None = None) -> Part:
    """All notes, line by line, below a heading."""
    title = Subheading(heading(notebook, reader))
    return (title, *_lines(notebook, match))


def _lines(notebook: Notebook, match: Match) -> Iterator[Block]:
    deep = depths(notebook)
    for run in walk(notebook):
        first, *rest = run
        node = notebook.nodes[first]
        indent = "  " * min(_DEEPEST, deep[run[-1]])
        if not node.above:
            yield from _beginning(node, match)
            run = rest
        if run:
            words = " ".join(notebook.nodes[number].word for number in run)
            yield Paragraph(words, indent, f"{indent}  ")
        if text := notebook.notes.get((run or [first])[-1], ""):
            yield Words(text, f"{indent}    ")


def _beginning(root: Node, match: Match) -> Iterator[Block]:
    is_there = fits(root, match)
    said = _AFTER if root.ply else _AT_START
    if root.ply and is_there:
        moved = match.public_line(match.moves[root.ply - 1])
        said = _AFTER_MOVE.of(player=moved.who, move=str(moved.action))
    yield Paragraph(said.of(ply=root.ply))
    if not is_there:
        yield Paragraph(_NO_LONGER)


def depths(notebook: Notebook) -> Mapping[int, int]:
    """How far each node is indented: one step below where lines begin, and below each
    node from which several go on."""
    found, lines = dict[int, int](), Counter[int]()
    lines.update(node.above for node in notebook.nodes.values())
    for number, (above, _) in sorted(notebook.nodes.items()):
        is_deeper = above and (not notebook.nodes[above].above or lines[above] > 1)
        found[number] = found.get(above, 0) + bool(is_deeper)
    return found


def to_json(notebook: Notebook, match: Match) -> dict[str, Any]:
    """The same for programs."""
    return {
        "game": notebook.game,
        "board": notebook.board,
        "player": notebook.owner,
        "public": notebook.is_public,
        "bytes": notebook.size,
        "nodes": [_node(notebook, no, match) for no in sorted(notebook.nodes)],
    }


def in_fields(found: Sequence[Notebook], match: Match) -> dict[str, Any]:
    """Notes beside the other fields of a board; nothing where there are none."""
    return {"notes": [to_json(each, match) for each in found]} if found else {}


def _node(notebook: Notebook, number: int, match: Match) -> dict[str, Any]:
    node, text = notebook.nodes[number], notebook.notes.get(number, "")
    if not node.above:
        place: dict[str, Any] = {"since": node.ply, "fits": fits(node, match)}
    else:
        place = {"after": node.above, "word": node.word}
    return {"node": number, **place, **({"note": text} if text else {})}
