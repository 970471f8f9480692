"""Notes: the lines that a player has kept of a board, as a tree, and what they wrote.

A node is a position: `#20` that after a move of the game, and below it one for each
word of a line (see `match.analysis`). The first one of a line also has a digest of the
moves of the game up to it, so that it shows when the game has gone another way since.

The log has the last lines alone, so that the same command counts once: what a player
takes out is not to stay in it. Once a game is over, a player may publish what they
have: then there is a copy for everybody, under a name of its own.
"""

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pbm_holomino import rules
from pbm_holomino.errors import NotAllowed
from pbm_holomino.languages import sentence
from pbm_holomino.match.account import is_userid
from pbm_holomino.match.board import Match
from pbm_holomino.match.ledgers import is_number
from pbm_holomino.match.record import Key, LogLine, format_line, parse_log
from pbm_holomino.named_tuples import NamedTuple

NOTES = "notes"  # the folder
MOST_NODES = 200  # of a board
MOST_BYTES = 100_000  # of the texts of a board
LOG_LENGTH = 20
KEEP, NOTE, TAKE_OUT, PUBLISH = "!keep", "!note", "!takeout", "!publish"
_WORD = r"[!-~]{1,110}"
_ROOT = r"#(0|[1-9][0-9]{0,5}) ([0-9a-f]{16})"
ERASED = "!erase"  # all is taken out, as the account is deleted


class Node(NamedTuple):
    """A position: the node above it, 0 for none, and the word that leads there; for the
    beginning of lines, `#20` and a digest."""

    above: int
    word: str

    @property
    def ply(self) -> int:
        """After which move of the game lines begin here."""
        return int(self.word.partition(" ")[0].removeprefix("#"))


class Place(NamedTuple):
    """A position of a board: after this move of the game, of which `digest` tells the
    moves so far, and then after these words of a line."""

    ply: int
    digest: str
    words: tuple[str, ...] = ()

    @property
    def path(self) -> tuple[str, ...]:
        """The words of the nodes that lead to it."""
        return (f"#{self.ply} {self.digest}", *self.words)


class Notebook(NamedTuple):
    """What a player has kept of a board, nodes and texts by numbers that are never used
    again; or the copy of it that is `public`."""

    owner: str
    game: str
    board: int
    is_public: bool = False
    nodes: Mapping[int, Node] = {}
    notes: Mapping[int, str] = {}
    log: tuple[LogLine[str], ...] = ()
    last: int = 0  # the greatest number that a node has had

    @property
    def key(self) -> Key:
        """Where it is kept."""
        return key_of(self.owner, self.game, self.board, self.is_public)

    @property
    def size(self) -> int:
        """The bytes of its texts."""
        return sum(len(text.encode("utf-8", "replace")) for text in self.notes.values())

    def below(self, number: int) -> list[int]:
        """The nodes right below one, or those at which lines begin for 0, the oldest
        first."""
        return [at for at, node in sorted(self.nodes.items()) if node.above == number]

    def words_to(self, number: int) -> tuple[str, ...]:
        """The words of a line that lead to a node, without where it begins."""
        words = list[str]()
        while (node := self.nodes[number]).above:
            words.append(node.word)
            number = node.above
        return tuple(words[::-1])

    def root_of(self, number: int) -> Node:
        """Where the lines begin that lead to a node."""
        while (node := self.nodes[number]).above:
            number = node.above
        return node

    def find(self, place: Place) -> int:
        """The number of the node of a place; 0 if there is none."""
        at = 0
        for word in place.path:
            at = next((no for no in self.below(at) if self.nodes[no].word == word), -1)
            if at < 0:
                return 0
        return at


def key_of(owner: str, game: str, board: int, is_public: bool = False) -> Key:
    """Where a player's notes on a board are kept, or the copy that is for everybody. No
    userid is the name of a game, so no name is both."""
    words = (game, board, owner) if is_public else (owner, game, board)
    return Key(NOTES, "-".join(map(str, words)))


def parse_name(name: str) -> Notebook | None:
    """An empty notebook with this name; None if it is the name of none."""
    first, *others = name.split("-")
    if len(others) != 2:
        return None
    is_public = first in rules.names()
    owner, game, board = (
        (others[1], first, others[0]) if is_public else (first, *others)
    )
    if not is_userid(owner) or game not in rules.names() or not is_number(board):
        return None
    return Notebook(owner, game, int(board), is_public)


def digest(match: Match) -> str:
    """What tells the moves of a board, as everybody was told of them, from others."""
    lines = (match.told_line(index) for index in match.moves)
    told = "\n".join(f"{line.who} {line.action}" for line in lines)
    return hashlib.sha256(told.encode("utf-8", "replace")).hexdigest()[:16]


def fits(root: Node, match: Match) -> bool:
    """Whether the game still goes through the position at which lines begin."""
    if root.ply > match.ply:
        return False
    return root.word == Place(root.ply, digest(match.after_ply(root.ply))).path[0]


# What is changed


def kept(notebook: Notebook, place: Place) -> tuple[Notebook, int]:
    """The notebook with a place in it, and the number of its node. Raises
    NotAllowed."""
    at, nodes, last = 0, {**notebook.nodes}, notebook.last
    known = {(node.above, node.word): no for no, node in nodes.items()}
    for word in place.path:
        if (at, word) not in known:
            last += 1
            nodes[last] = Node(at, word)
            known[at, word] = last
        at = known[at, word]
    if len(nodes) > MOST_NODES:
        more = len(nodes) - len(notebook.nodes)
        raise NotAllowed(
            _TOO_MANY.of(most=MOST_NODES, number=len(notebook.nodes), more=more)
        )
    return notebook._replace(nodes=nodes, last=last), at


_TOO_MANY = sentence(
    "Your notes on a board can have {most} positions, of which you have kept {number} "
    'here, and this line would add {more}. To take the end of a line out, send "note" '
    "with its moves and without a text."
)


def noted(notebook: Notebook, place: Place, text: str) -> tuple[Notebook, int]:
    """The notebook with a text about a place, in place of any before, and the number of
    its node. Raises NotAllowed."""
    notebook, at = kept(notebook, place)
    notebook = notebook._replace(notes={**notebook.notes, at: text})
    if notebook.size > MOST_BYTES:
        raise NotAllowed(_TOO_LONG.of(most=MOST_BYTES, number=notebook.size))
    return notebook, at


_TOO_LONG = sentence(
    "Your notes on a board can have {most} bytes in all, and with this one they would "
    "have {number}: please write less, or take another note out."
)


def taken_out(notebook: Notebook, place: Place) -> Notebook:
    """The notebook without the text about a place; at the end of a line, also without
    that end, as far as it has no texts and no other lines leave it. Raises
    NotAllowed."""
    at = notebook.find(place)
    if not at or (at not in notebook.notes and notebook.below(at)):
        raise NotAllowed(_NOTHING_THERE)
    notes = {no: text for no, text in notebook.notes.items() if no != at}
    notebook, nodes = notebook._replace(notes=notes), {**notebook.nodes}
    used = {node.above for node in nodes.values()}
    while at and at not in notes and at not in used:
        above = nodes.pop(at).above
        used = {node.above for node in nodes.values()}
        at = above
    return notebook._replace(nodes=nodes)


_NOTHING_THERE = sentence(
    "You have no note there, and a note without a text takes the one out that is there."
)


def with_line(notebook: Notebook, line: LogLine[str]) -> Notebook:
    """The notebook with one more line, which gets the next number."""
    no = (notebook.log[-1].no or 0) + 1 if notebook.log else 1
    log = (*notebook.log, line._replace(no=no))[-LOG_LENGTH:]
    return notebook._replace(log=log)


def erased(notebook: Notebook, line: LogLine[str]) -> Notebook:
    """The notebook with nothing in it but that line."""
    bare = notebook._replace(nodes={}, notes={}, log=notebook.log[-1:])
    bare = with_line(bare, line)
    return bare._replace(log=bare.log[-1:])


def published(notebook: Notebook, copy: Notebook | None) -> Notebook:
    """The copy of a notebook for everybody, in place of one before."""
    log = copy.log if copy else ()
    return notebook._replace(is_public=True, log=log)


def about(line: LogLine[str]) -> tuple[str, int]:
    """What a line did, and the number of the node that it was about; 0 for none."""
    act, _, number = line.action.partition(" ")
    return act, int(number or "0")


# To and from data


def to_data(notebook: Notebook) -> dict[str, Any]:
    """The data in a notebook's document."""
    return {
        "userid": notebook.owner,
        "game": notebook.game,
        "board": str(notebook.board),
        "public": "yes" if notebook.is_public else "no",
        "last": str(notebook.last),
        "nodes": [
            f"{number} {node.above} {node.word}"
            for number, node in sorted(notebook.nodes.items())
        ],
        "notes": {str(number): text for number, text in notebook.notes.items()},
        "log": [format_line(line) for line in notebook.log],
    }


def from_data(data: Mapping[str, Any]) -> Notebook:
    """The notebook in a document's data. Raises LookupError, TypeError or
    ValueError."""
    nodes = dict(map(_parse_node, data["nodes"]))
    notes = {int(number): text for number, text in data["notes"].items()}
    if not all(isinstance(text, str) for text in notes.values()):
        raise TypeError("its notes are not texts")
    if not nodes.keys() >= notes.keys():
        raise ValueError("it has a note on no position")
    for number, node in nodes.items():
        is_root = re.fullmatch(_ROOT, node.word, re.ASCII) is not None
        if is_root != (node.above == 0) or not (is_root or node.above in nodes):
            raise ValueError(f"position {number} is not below another")
        if node.above >= number:
            raise ValueError(f"position {number} comes before the one above it")
    if data["public"] not in ("yes", "no"):
        raise ValueError("it is neither public nor not")
    last = int(data["last"])
    if last < max(nodes, default=0):
        raise ValueError("its last number is too small")
    return Notebook(
        owner=data["userid"],
        game=data["game"],
        board=int(data["board"]),
        is_public=data["public"] == "yes",
        nodes=nodes,
        notes=notes,
        log=tuple(map(parse_log, data["log"])),
        last=last,
    )


def _parse_node(text: str) -> tuple[int, Node]:
    number, above, word = text.split(" ", 2)
    if not (re.fullmatch(_WORD, word) or re.fullmatch(_ROOT, word, re.ASCII)):
        raise ValueError(f"not a position: {text[:80]!r}")
    return int(number), Node(int(above), word)


def walk(notebook: Notebook, number: int = 0) -> Iterator[Sequence[int]]:
    """The nodes below one, line by line: each run of nodes that has a text, or other
    lines, at its end alone."""
    ahead = notebook.below(number)[::-1]
    while ahead:
        run = [ahead.pop()]
        while run[-1] not in notebook.notes and len(notebook.below(run[-1])) == 1:
            run += notebook.below(run[-1])
        yield tuple(run)
        ahead += notebook.below(run[-1])[::-1]
