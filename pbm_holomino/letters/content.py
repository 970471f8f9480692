"""What a letter or an answer says: blocks, from which its text and its HTML are made.

A content is a sequence of parts with a blank line between them; a part is a sequence of
blocks without one.
"""

from collections.abc import Callable, Iterable
from typing import Any, Literal, NamedTuple

from pbm_holomino.draw.text import Drawn
from pbm_holomino.languages import ENGLISH_CODE, Language, Sentence, Text
from pbm_holomino.sentences import fill

WIDEST_PICTURE = 79  # columns that most windows have


class Heading(NamedTuple):
    """What the rest of a part, or of a letter, is about."""

    text: str

    def plain(self) -> str:
        return fill(self.text)


def indented(words: str, indent: str = "  ") -> str:
    """A player's words, as letters quote them."""
    return "".join(fill(line, indent) or "\n" for line in words.splitlines())


class Paragraph(NamedTuple):
    """Sentences. Their first line begins with `indent`, the others with `hanging`.
    Those of their words that are `commands` can be links."""

    text: Text
    indent: str = ""
    hanging: str | None = None
    commands: tuple["Command", ...] = ()

    def plain(self) -> str:
        return fill(str(self.text), self.indent, self.hanging)


class Prose(NamedTuple):
    """Sentences, or an entry of a list, in lines that HTML has as `Lines`: it groups
    those that follow each other. The first begins with `indent`, the others with
    `hanging`."""

    text: Text
    indent: str = ""
    hanging: str | None = None

    def plain(self) -> str:
        return fill(str(self.text), self.indent, self.hanging)


class Lines(NamedTuple):
    """Lines that stay as they are, each ended by a newline; `fine` print is for those
    who look for it."""

    text: str
    fine: bool = False

    def plain(self) -> str:
        return self.text


class Printed(NamedTuple):
    """A content that is printed in lines, which stay as they are; `frame` may put
    something around its text."""

    parts: "Content"
    frame: Callable[[str], str] = str

    def plain(self) -> str:
        return self.frame(plain(self.parts))


class First(NamedTuple):
    """The first lines of a block for which there is no more room."""

    block: "Block"
    lines: int

    def plain(self) -> str:
        lines = self.block.plain().splitlines(keepends=True)
        return "".join(lines[: self.lines])


BLANK = Lines("\n")  # between the paragraphs of one part


class Words(NamedTuple):
    """A player's own words."""

    text: str

    def plain(self) -> str:
        return indented(self.text)


class Picture(NamedTuple):
    """A board, drawn as text: `large` or `small` where its reader has asked for that
    size, otherwise large, or small on a narrow screen; there, `enlarge` is the command
    that shows it large."""

    drawn: Drawn
    enlarge: "Command | None" = None
    size: Literal["", "large", "small"] = ""

    @property
    def text(self) -> str:
        return self.drawn.small if self.size == "small" else self.drawn.large

    @property
    def width(self) -> int:
        """How many columns it has."""
        drawn = self.drawn
        return drawn.small_width if self.size == "small" else drawn.width

    def plain(self) -> str:
        if self.width <= WIDEST_PICTURE:
            return self.text
        wide = f"(The board is {self.width} columns wide: it needs a wide window.)"
        return fill(wide) + self.text


class Command(NamedTuple):
    """A line to send, ready to copy: `shown` is what a reader types, and `whole` the
    command that it makes, with PASSWORD in the password's place, if it is another."""

    shown: str
    whole: str = ""

    def plain(self) -> str:
        return f"  {self.shown}\n"


class Linked(NamedTuple):
    """Lines that stay as they are, with a link that sends a command."""

    text: str
    whole: str

    def plain(self) -> str:
        return self.text


class Page(NamedTuple):
    """The address of a page of ours, to be opened in a browser."""

    address: str

    def plain(self) -> str:
        return f"  {self.address}\n"


class Moves(NamedTuple):
    """The moves with one tile, `123: 8 17 22`: each with what is shown of it, and with
    the command that plays it."""

    tile: str
    ways: tuple[Command, ...]

    def plain(self) -> str:
        shown = " ".join(way.shown for way in self.ways)
        return fill(shown, f"  {self.tile}: ", " " * (len(self.tile) + 4))


class Seat(NamedTuple):
    """A line of the table of players."""

    is_to_move: bool
    name: str
    score: int
    tiles: tuple[str, ...]


class Seats(NamedTuple):
    """The table of players, with the word for what they score."""

    points: str
    seats: tuple[Seat, ...]

    def plain(self) -> str:
        name = max(len(seat.name) for seat in self.seats)
        rows = [f"    {'':{name}}  {self.points}  tiles\n"]
        for seat in self.seats:
            mark = ">" if seat.is_to_move else " "
            score = f"{seat.score:{len(self.points)}}"
            head = f"  {mark} {seat.name:{name}}  {score}  "
            rows.append(fill(" ".join(seat.tiles) or "-", head, " " * len(head)))
        return "".join(rows)


Block = (
    Heading
    | Paragraph
    | Prose
    | Lines
    | Printed
    | First
    | Words
    | Picture
    | Command
    | Linked
    | Page
    | Moves
    | Seats
)
Part = tuple[Block, ...]
Content = tuple[Part, ...]


def said(text: str) -> Content:
    """The content that is this text."""
    return ((Lines(text),),)


def content(*parts: Iterable[Block]) -> Content:
    """The content of these parts, without those that are empty."""
    return tuple(part for part in map(tuple, parts) if part)


def spoken(parts: Content, code: str) -> Content:
    """A content whose sentences have been said in the language with this code. English
    needs none of this: a sentence that has not been said is read in English."""
    if code == ENGLISH_CODE:
        return parts
    language = _language(code)
    return tuple(tuple(_spoken(block, language) for block in part) for part in parts)


def in_words(said: Text, code: str) -> str:
    """A sentence in the language with this code."""
    return str(said) if code == ENGLISH_CODE else _language(code).say(said)


def _language(code: str) -> Language:
    from pbm_holomino.languages import known  # for those who read another

    return known.language(code)


def _spoken(block: Block, language: Language) -> Block:
    fields = block._asdict().items()
    said: dict[str, Any] = {
        at: language.say(it) for at, it in fields if isinstance(it, Sentence)
    }
    return block._replace(**said) if said else block


def read_as(how: str) -> Part:
    """How a command was read that was not typed quite as it is."""
    return (Paragraph(f"read as {how}"),)


def plain(parts: Content) -> str:
    """A content as text, each of its lines ended by a newline."""
    texts = ("".join([block.plain() for block in part]) for part in parts)
    return "\n".join(filter(None, texts))
