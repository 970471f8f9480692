"""Letters as HTML, and what a test reads in them."""

from collections.abc import Iterator
from html.parser import HTMLParser
from typing import NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit

from pbm_holomino.letters import board_letters
from pbm_holomino.letters.content import Content, Picture, plain
from pbm_holomino.letters.html import Links, html
from pbm_holomino.letters.letter import Letter
from pbm_holomino.match.board import Match
from pbm_holomino.match.record import QUEUED
from tests.boards import letter_about

SERVER = "games+holo@play.example"
KEY = b"a key of a server"
EMPTY = ("br", "hr", "img", "meta", "wbr")  # elements that have no end


class Link(NamedTuple):
    """A link: what a reader taps, and the mail that it writes."""

    shown: str
    scheme: str
    to: str
    subject: str


class Page(HTMLParser):
    """A page as a reader has it: its words, without pictures and hints; those of its
    hints; its pictures; its links to mails; and all of its elements."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.words = self.hints = ""
        self.pictures: list[str] = []
        self.links: list[Link] = []
        self.elements: list[tuple[str, dict[str, str]]] = []
        self._open: list[tuple[str, dict[str, str]]] = []
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        assert len(attributes) == len(attrs)
        self.elements.append((tag, attributes))
        if tag in EMPTY:
            return
        self._open.append((tag, attributes))
        if tag == "a" and not attributes["href"].startswith("http"):
            scheme, _, path, query, _ = urlsplit(attributes["href"])
            ((name, (subject,)),) = parse_qs(query, strict_parsing=True).items()
            assert name == "subject"
            self.links.append(Link("", scheme, unquote(path), subject))
        if attributes.get("role") == "img":
            self.pictures.append("")

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop()[0] == tag

    def handle_data(self, data: str) -> None:
        tags = [tag for tag, _ in self._open]
        if "style" in tags or not tags:
            return
        if any(a.get("href", "").startswith("mailto:") for _, a in self._open):
            last = self.links.pop()
            self.links.append(last._replace(shown=last.shown + data))
        if any(attributes.get("role") == "img" for _, attributes in self._open):
            self.pictures[-1] += data
        elif any("hint" in a.get("class", "").split() for _, a in self._open):
            self.hints += data
        else:
            self.words += data


def page_of(letter: Letter) -> str:
    """A letter as HTML."""
    return html(letter.content, Links(SERVER, letter.token))


def letters_of(board: Match) -> Iterator[Letter]:
    """All letters about a board."""
    for index, line in enumerate(board.record.log):
        if line.source != QUEUED:
            yield from letters_at(board, index)


def letters_at(board: Match, index: int) -> Iterator[Letter]:
    """The letters about a line of a board's log."""
    for reader in board_letters.readers(board, index):
        yield letter_about(board, index, reader)


def words_of(content: Content) -> str:
    """What a content says as text, without its pictures."""
    return plain(
        tuple(
            tuple(block for block in part if not isinstance(block, Picture))
            for part in content
        )
    )
