"""What a letter or an answer says: blocks, from which its text and its HTML are made.

A content is a sequence of parts with a blank line between them; a part is a sequence of
blocks without one.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import zip_longest
from typing import Any, Literal

from pbm_holomino.draw.text import Drawn
from pbm_holomino.languages import (
    ENGLISH_CODE,
    Language,
    Sentence,
    Text,
    as_it_is,
    of_number,
    sentence,
    together,
)
from pbm_holomino.match.account import PLACEHOLDER
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.sentences import WIDTH, fill, table

WIDEST_PICTURE = 79  # columns that most windows have
_WIDE = of_number(
    "(The board is {n} column wide: it needs a wide window.)",
    "(The board is {n} columns wide: it needs a wide window.)",
)
_TILES = sentence("tiles")
_READ_AS = sentence("Read as {command}.")
_KEPT_BACK = sentence(
    "A word beside it was not passed on, as it may be a password. (To send a single "
    'word, reply with "chat" and the word.)'
)

# In a sentence, `{link}` and `{end}` are around the words that are a link.
LINKED = {"link": "\2", "end": "\3"}
UNLINKED = dict.fromkeys(map(ord, LINKED.values()))


def indented(words: str, indent: str = "  ") -> str:
    """A player's words, as letters quote them."""
    return "".join(fill(line, indent) or "\n" for line in words.splitlines())


class Paragraph(NamedTuple):
    """Sentences. Their first line begins with `indent`, the others with `hanging`, or
    with as many blanks; in a list the words of the indent come first: a date, the
    number of a step, a dash.
    Those of their words that are `commands` can be links; one without words of its own
    is behind the next that are between `{link}` and `{end}`. `fine` print is for those
    who look for it."""

    text: Text
    indent: Text = ""
    hanging: str | None = None
    commands: tuple["Command", ...] = ()
    fine: bool = False

    def plain(self) -> str:
        text = str(self.text)
        if self.commands:
            text = text.translate(UNLINKED)
        indent, hanging = str(self.indent), self.hanging
        return fill(text, indent, " " * len(indent) if hanging is None else hanging)


class Heading(Paragraph):
    """What a letter, or the rest of a part, is about."""


class Subheading(Paragraph):
    """What the rest of a part of a letter is about."""


class Lines(NamedTuple):
    """Lines that stay as they are, each ended by a newline."""

    text: str

    def plain(self) -> str:
        return self.text


class Written(NamedTuple):
    """Lines that `write` makes in the language with a code, that of their reader; and
    the blocks with the same words that `tell` makes of them."""

    write: Callable[[str], str]
    tell: Callable[[str], "Content"]
    language: str = ENGLISH_CODE

    def plain(self) -> str:
        return self.write(self.language)

    def told(self) -> "Content":
        """What it says, as blocks."""
        return self.tell(self.language)


class Table(NamedTuple):
    """Rows of cells under a head, if it has one, in aligned columns; `sides` has `<`
    (left) or `>` (right) for each column. In a table that is too wide, the words of the
    head are below each other. Of its lines only so `many` are there, if that is not
    None."""

    sides: str
    head: tuple[Text, ...]
    rows: tuple[tuple[object, ...], ...]
    many: int | None = None

    def plain(self) -> str:
        return "".join(self._lines()[: self.many])

    def there(self) -> tuple[tuple[object, ...], ...]:
        """The rows for which there is room."""
        missing = 0 if self.many is None else len(self._lines()) - self.many
        return self.rows[: max(0, len(self.rows) - missing)]

    def _lines(self) -> list[str]:
        heads: list[Sequence[object]] = [self.head] if self.head else []
        whole = table(self.sides, [*heads, *self.rows])
        if heads and max(map(len, whole.splitlines())) > WIDTH:
            words = [str(title).split() for title in self.head]
            heads = [*zip_longest(*words, fillvalue="")]
            whole = table(self.sides, [*heads, *self.rows])
        return whole.splitlines(keepends=True)


class Printed(NamedTuple):
    """A content in lines that stay as they are, for programs and forums; `frame` may
    put something around its text."""

    parts: "Content"
    frame: Callable[[str], str] = str

    def plain(self) -> str:
        return self.frame(plain(self.parts))


BLANK = Lines("\n")  # between the paragraphs of one part


class Rule(NamedTuple):
    """A line between the things that a content shows one after the other."""

    def plain(self) -> str:
        return f"{'-' * WIDTH}\n"


WRITES = sentence("{player} writes:")


class Words(NamedTuple):
    """A player's own words."""

    text: str
    indent: str = "  "

    def plain(self) -> str:
        return indented(self.text, self.indent)


# What takes the place of a player's words that are not passed on. It is kept in English
# among those that are, and each reader reads it in their language.
LEFT_OUT = sentence("[a line that looks like a command was left out]")
PASSWORD_LEFT_OUT = sentence("[a line that looks like a password was left out]")
LINK_REMOVED = sentence("[link removed]")
CUT_OFF = sentence("[the rest is cut off]")
# What only a letter as HTML says, below the moves that it proposes
TAP = sentence("Tap a move, then send the mail that opens.")


def words_to(language: Language, words: str) -> str:
    """A player's words, to a reader of this language."""
    if "[" in words:
        for mark in (LEFT_OUT, PASSWORD_LEFT_OUT, LINK_REMOVED, CUT_OFF):
            words = words.replace(str(mark), language.say(mark))
    return words


def heard(text: str) -> Sentence:
    """What a robot has said of a position, from the record, which keeps it in
    English."""
    from pbm_holomino.languages.recognised import Recognised  # few boards need it

    return as_it_is(Recognised(text, _remarks))


def _remarks() -> Sequence[Sentence]:
    from pbm_holomino.robots.remarks import REMARKS  # for other languages than English

    return REMARKS


class Picture(NamedTuple):
    """A board, drawn as text: `large` or `small` where its reader has asked for that
    size, otherwise large, or small on a narrow screen; there, `enlarge` is the command
    that shows it large. `language` is the code of its reader's, and `page` the address
    of a page that shows it, if there is one."""

    drawn: Drawn
    enlarge: "Command | None" = None
    size: Literal["", "large", "small"] = ""
    language: str = ENGLISH_CODE
    page: str = ""

    @property
    def text(self) -> str:
        return self.drawn.small if self.size == "small" else self.drawn.large

    @property
    def width(self) -> int:
        """How many columns it has."""
        drawn = self.drawn
        return drawn.small_width if self.size == "small" else drawn.width

    @property
    def lines(self) -> int:
        """How many lines it has."""
        return self.text.count("\n")

    def plain(self) -> str:
        if self.width <= WIDEST_PICTURE:
            return self.text
        return fill(in_words(_WIDE.of(n=self.width), self.language)) + self.text


class Command(NamedTuple):
    """A line to send, ready to copy: `shown` is what a reader types, or the words of
    its link, and `whole` the command that it makes, with PASSWORD in the password's
    place, if it is another. Its button has a `label`, if not what is shown."""

    shown: Text
    whole: str = ""
    label: Text = ""

    def plain(self) -> str:
        return f"  {self.shown}\n"


class Linked(NamedTuple):
    """Lines with a link that sends a command."""

    lines: tuple[Lines | Paragraph, ...]
    whole: str

    def plain(self) -> str:
        return "".join([block.plain() for block in self.lines])


class Page(NamedTuple):
    """The address of a page of ours, to be opened in a browser."""

    address: str

    def plain(self) -> str:
        return f"  {self.address}\n"


class BoardPage(NamedTuple):
    """The address of the board's page, or the place for it; what comes before the
    address, and the words of a link to it."""

    address: str = ""
    lead: Text = sentence("The board's page:")
    shown: Text = sentence("The board's page")

    def plain(self) -> str:
        return f"{self.lead!s}\n  {self.address}\n" if self.address else ""


class Best(NamedTuple):
    """The best moves, after what introduces them: each with what is shown of it, and
    with the command that plays it."""

    lead: Text
    ways: tuple[Command, ...]

    def plain(self) -> str:
        return fill(str(self.lead)) + "".join([way.plain() for way in self.ways])


class Moves(NamedTuple):
    """The moves with one tile, `123: 8 17 22`: each with what is shown of it, and with
    the command that plays it. The first of several has what is `told` of all in place
    of a list, where it is read aloud."""

    tile: str
    ways: tuple[Command, ...]
    told: "Callable[[], Part]" = tuple

    def plain(self) -> str:
        shown = " ".join([str(way.shown) for way in self.ways])
        return fill(shown, f"  {self.tile}: ", " " * (len(self.tile) + 4))


class Seat(NamedTuple):
    """A line of the table of players, and the `told` sentence that says the same."""

    is_to_move: bool
    name: Text
    score: int
    tiles: tuple[str, ...]
    told: Text


class Seats(NamedTuple):
    """The table of players, with the words for what they score and hold."""

    points: Text
    seats: tuple[Seat, ...]
    tiles: Text = _TILES

    def plain(self) -> str:
        names = [str(seat.name) for seat in self.seats]
        wide, points = max(map(len, names)), str(self.points)
        blanks = " " * (wide + 6)
        rows = [fill(f"{points}  {str(self.tiles)}", blanks)]
        for name, seat in zip(names, self.seats, strict=True):
            mark = ">" if seat.is_to_move else " "
            score = f"{seat.score:{len(points)}}"
            head = f"  {mark} {name:{wide}}  {score}  "
            rows.append(fill(" ".join(seat.tiles) or "-", head, " " * len(head)))
        return "".join(rows)


Block = (
    Heading
    | Subheading
    | Paragraph
    | Lines
    | Printed
    | Written
    | Table
    | Rule
    | Words
    | Picture
    | Command
    | Linked
    | Page
    | BoardPage
    | Best
    | Moves
    | Seats
)
Part = tuple[Block, ...]
Content = tuple[Part, ...]


def said(text: str) -> Content:
    """The content that is this text."""
    return ((Lines(text),),)


def printed(text: str) -> Content:
    """The content that is this text, for programs."""
    return ((Printed(said(text)),),)


def content(*parts: Iterable[Block]) -> Content:
    """The content of these parts, without those that are empty."""
    return tuple(part for part in map(tuple, parts) if part)


def with_page(parts: Content, address: str, code: str) -> Content:
    """A content in the language with this code, with the address of the board's page:
    in its place or, if it has none, at the end; and with each picture of a board."""

    def placed(block: Block) -> Block:
        if isinstance(block, BoardPage):
            return block._replace(address=address)
        return block._replace(page=address) if isinstance(block, Picture) else block

    if not any(isinstance(block, BoardPage) for part in parts for block in part):
        parts = (*parts, *spoken(((BoardPage(),),), code))
    return tuple(tuple(map(placed, part)) for part in parts)


def spoken(parts: Content, code: str) -> Content:
    """A content whose sentences have been said in the language with this code. English
    needs none of this: a sentence that has not been said is read in English."""
    if code == ENGLISH_CODE:
        return parts
    said: Content = _spoken(parts, _language(code))
    return said


def in_words(said: Text, code: str) -> str:
    """A sentence in the language with this code."""
    return str(said) if code == ENGLISH_CODE else _language(code).say(said)


def there(code: str) -> str:
    """The code of the language in which a reader of this one is told something: that of
    English, where it is not there any more."""
    return code if code == ENGLISH_CODE else _language(code).code


def _language(code: str) -> Language:
    from pbm_holomino.languages import known  # for those who read another

    return known.language(code)


def _spoken(what: Any, language: Language) -> Any:
    """A sentence in words, and what is made of sentences with all of them said."""
    if isinstance(what, Sentence):
        return language.say(what)
    if not isinstance(what, tuple):
        return what
    said = [_spoken(each, language) for each in what]
    if isinstance(what, Words):
        return what._replace(text=words_to(language, what.text))
    if isinstance(what, Picture | Written):
        return type(what)(*said)._replace(language=language.code)
    return type(what)(*said) if hasattr(what, "_fields") else tuple(said)


def proved(parts: Content, token: str) -> Content:
    """A content whose links have this token in the password's place: for one reader,
    and for links about the token's board alone."""
    return tuple(tuple(_proved(block, f"~{token}") for block in part) for part in parts)


def _proved(what: Any, word: str) -> Any:
    if isinstance(what, Command):
        whole = what.whole or str(what.shown)
        return what._replace(whole=whole.replace(PLACEHOLDER, word))
    if not isinstance(what, tuple) or isinstance(what, Sentence):
        return what
    said = [_proved(each, word) for each in what]
    return type(what)(*said) if hasattr(what, "_fields") else type(what)(said)


def read_as(how: str, keeps_back: bool = False) -> Content:
    """How a command was read that was not typed quite as it is, if it was not, and
    whether a word beside it was kept back."""
    said = [_READ_AS.of(command=how)] if how else []
    said += [_KEPT_BACK] if keeps_back else []
    return ((Paragraph(together(said)),),) if said else ()


def plain(parts: Content) -> str:
    """A content as text, each of its lines ended by a newline."""
    texts = ("".join([block.plain() for block in part]) for part in parts)
    return "\n".join(filter(None, texts))


def without_columns(text: str) -> str:
    """A text without the blanks that align its words, for somebody who hears it."""
    return re.sub(r"(?<=\S) {2,}(?=\S)", " ", text)
