"""The text of a mail that is only HTML, in lines.

The HTML is read as a stream of tags (by justhtml) and never made a tree: that of 100 kB
can have millions of nodes, as browsers open again whatever formatting was not closed.
Programs mark what they quote, and their signatures, by names that are the same in every
language: what is quoted gets the `>` that plain text has.
"""

import re
from collections import Counter
from collections.abc import Mapping
from itertools import islice
from typing import Literal

from justhtml import stream

from pbm_holomino.commands.texts import CUT_OFF
from pbm_holomino.named_tuples import NamedTuple

_Attributes = Mapping[str, str | None]
_Effect = Literal["", "quote", "as it is", "drop"]

_VOID = frozenset(("br", "hr", "img", "input", "link", "meta", "wbr", "col", "area"))
_DROPPED = frozenset(
    ("script", "style", "title", "template", "textarea", "select", "object", "svg")
)
_PARAGRAPHS = frozenset(
    (
        *("p", "blockquote", "pre", "ul", "ol", "dl", "table"),
        *("h1", "h2", "h3", "h4", "h5", "h6"),
    )
)
_LINES = _PARAGRAPHS | frozenset(
    (
        *("body", "div", "center", "address", "article", "section", "header"),
        *("footer", "form", "fieldset", "li", "dt", "dd", "tr", "hr"),
    )
)

MOST_EVENTS = 10_000  # tags and texts that are read

_SPACES = re.compile(r"[ \t\n\r\f]+")
# The id, class or name of what programs add: what is quoted up to its own end, or up to
# the end of the mail, and signatures.
_QUOTED = re.compile(
    r"yahoo_quoted|(^| )(moz-cite-prefix|moz-forward-container|quote)( |$)"
)
_REST_QUOTED = re.compile(
    r"(^| )(divRplyFwdMsg|OLK_SRC_BODY_SECTION|zwchr"
    r"|ms-outlook-mobile-(reference-message|body-separator-line)"
    r"|mail-editor-reference-message-container)"
)
_SIGNATURE = re.compile(
    r"(^| )(gmail_signature|gmail_signature_prefix|moz-signature|Signature"
    r"|ms-outlook-mobile-signature|protonmail_signature_block)( |$)"
)
_HIDDEN = re.compile(
    r"(^|;)(display:none|visibility:hidden|mso-hide:all"
    r"|(font-size|max-height):0(px|pt|em)?(;|$))"
)
_DENSE = re.compile(r"(^|;)margin(-top)?:0")


def text_of(html: str) -> str:
    """The text of this HTML as a person would see it, with `> ` before lines that are
    quoted."""
    writer = _Writer()
    events = stream(html)
    for event in islice(events, MOST_EVENTS):
        match event:
            case ("start", (tag, attributes)):
                writer.start(_tag(tag, attributes))
            case ("end", tag):
                writer.end(tag)
            case ("text", text):
                writer.write(text)
    text = writer.text()
    return text if next(events, None) is None else f"{text}\n{CUT_OFF}"


class _Tag(NamedTuple):
    """The start of an element, with what tells how it looks: its style without spaces,
    and its names."""

    tag: str
    style: str
    names: str
    is_hidden: bool

    @property
    def effect(self) -> _Effect:
        if (
            self.is_hidden
            or self.tag in _DROPPED
            or _HIDDEN.search(self.style)
            or _SIGNATURE.search(self.names)
        ):
            return "drop"
        # programs indent by quotations without a line at their left
        is_indented = "border:none" in self.style and "border-left" not in self.style
        if self.tag == "blockquote" and not is_indented:
            return "quote"
        if _QUOTED.search(self.names):
            return "quote"
        return "as it is" if self.tag == "pre" else ""

    @property
    def has_margins(self) -> bool:
        """Whether there are blank lines before and after it. Outlook has a paragraph
        without any for each line."""
        return (
            self.tag in _PARAGRAPHS
            and not _DENSE.search(self.style)
            and "MsoNormal" not in self.names
        )

    @property
    def begins_quote(self) -> bool:
        """Whether all that follows is quoted, from here on; Outlook has a rule above
        the headers of a letter."""
        has_rule = "border-top:solid" in self.style and "padding:3" in self.style
        return has_rule or _REST_QUOTED.search(self.names) is not None


def _tag(tag: str, attributes: _Attributes) -> _Tag:
    if not attributes:
        return _Tag(tag, "", "", False)
    style = "".join((attributes.get("style") or "").lower().split())
    names = " ".join(attributes.get(key) or "" for key in ("id", "class", "name"))
    return _Tag(tag, style, names, "hidden" in attributes)


class _Element(NamedTuple):
    tag: str
    effect: _Effect
    has_margins: bool  # blank lines before and after it


class _Writer:
    """Writes lines while tags open and close, in whatever order they come."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._line: list[str] = []
        self._has_gap = False  # before the next line, unless it is the first
        self._open: list[_Element] = []
        self._tags = Counter[str]()  # that are open
        self._effects = Counter[_Effect]()  # of what is open

    def text(self) -> str:
        self._break()
        return "\n".join(self._lines)

    def start(self, tag: _Tag) -> None:
        if tag.tag in _LINES:
            self._start_line()
        if tag.begins_quote:
            self._break()
            self._effects["quote"] += 1
        if tag.tag == "br":
            self._break(forced=True)
        elif tag.tag in ("td", "th"):
            self.write(" ")
        if tag.tag not in _VOID:
            self._enter(_Element(tag.tag, tag.effect, tag.has_margins))

    def end(self, tag: str) -> None:
        if not self._tags[tag]:
            return
        if tag in _LINES:
            self._break()
        while self._leave() != tag:
            pass

    def write(self, text: str) -> None:
        if self._effects["drop"]:
            return
        first, *others = text.split("\n") if self._effects["as it is"] else [text]
        self._line.append(first)
        for line in others:
            self._break(forced=True)
            self._line.append(line)

    def _start_line(self) -> None:
        if self._open and self._open[-1].tag == "p":  # its end need not be written
            self.end("p")
        self._break()

    def _enter(self, element: _Element) -> None:
        if element.effect in ("quote", "as it is"):
            self._break()
        self._has_gap |= element.has_margins
        self._open.append(element)
        self._tags[element.tag] += 1
        self._effects[element.effect] += 1

    def _leave(self) -> str:
        """Close the innermost element; its tag."""
        tag, effect, has_margins = self._open.pop()
        if effect in ("quote", "as it is"):
            self._break()
        self._has_gap |= has_margins
        self._tags[tag] -= 1
        self._effects[effect] -= 1
        return tag

    def _break(self, forced: bool = False) -> None:
        """End the line, if there is anything in it or it is `forced`."""
        line = "".join(self._line)
        self._line.clear()
        if not self._effects["as it is"]:
            line = _SPACES.sub(" ", line).strip(" ")
        if not line and (not forced or self._effects["drop"]):
            return
        mark = "> " if self._effects["quote"] else ""
        if self._has_gap and self._lines and self._lines[-1]:
            self._lines.append("")
        self._has_gap = False
        self._lines.append(f"{mark}{line}")
