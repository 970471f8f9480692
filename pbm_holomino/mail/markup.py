"""The text of a mail that is only HTML, in lines.

The HTML is read as a stream of tags (by justhtml) and never made a tree: trees of some
hundred thousand bytes can have millions of nodes, as a browser opens again whatever
formatting was not closed. Programs mark what they quote, and their signatures, by names
that are the same in every language: what is quoted gets the `>` that plain text has.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple

from justhtml import stream

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

# What follows is in id, class or name of what programs add. The whole element is
# quoted, or everything from there on, or it is a signature.
_QUOTED = r"yahoo_quoted|^(moz-cite-prefix|moz-forward-container|quote)$"
_REST_QUOTED = (
    r"^(divRplyFwdMsg|OLK_SRC_BODY_SECTION|zwchr|mail-editor-reference-message-container"
    r"|ms-outlook-mobile-reference-message.*|ms-outlook-mobile-body-separator-line)$"
)
_SIGNATURE = (
    r"^(gmail_signature|gmail_signature_prefix|moz-signature|Signature"
    r"|ms-outlook-mobile-signature|protonmail_signature_block)$"
)
_HIDDEN = (
    r"(^|;)(display:none|visibility:hidden|mso-hide:all"
    r"|(font-size|max-height):0(px|pt|em)?(;|$))"
)


def text_of(html: str) -> str:
    """The text of this HTML as a person would see it, with `> ` before lines that are
    quoted."""
    writer = _Writer()
    for event in stream(html):
        match event:
            case ("start", (tag, attributes)):
                writer.start(tag, attributes)
            case ("end", tag):
                writer.end(tag)
            case ("text", text):
                writer.write(text)
    return writer.text()


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

    def start(self, tag: str, attributes: _Attributes) -> None:
        if tag in _LINES:
            self._start_line(tag, attributes)
        if any(re.search(_REST_QUOTED, name) for name in _names(attributes)):
            self._quote_rest()
        if tag == "br":
            self._break(forced=True)
        elif tag in ("td", "th"):
            self.write(" ")
        if tag not in _VOID:
            margins = _has_margins(tag, attributes)
            self._enter(_Element(tag, _effect(tag, attributes), margins))

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

    def _start_line(self, tag: str, attributes: _Attributes) -> None:
        if self._open and self._open[-1].tag == "p":  # its end need not be written
            self.end("p")
        self._break()
        style = _style(attributes)
        if tag == "div" and "border-top:solid" in style and "padding:3" in style:
            self._quote_rest()  # Outlook's rule above the headers of a letter

    def _quote_rest(self) -> None:
        self._break()
        self._effects["quote"] += 1

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
            line = re.sub(r"[ \t\n\r\f]+", " ", line).strip(" ")
        if not line and (not forced or self._effects["drop"]):
            return
        mark = "> " if self._effects["quote"] else ""
        if self._has_gap and self._lines and self._lines[-1]:
            self._lines.append("")
        self._has_gap = False
        self._lines.append(f"{mark}{line}")


def _effect(tag: str, attributes: _Attributes) -> _Effect:
    style, names = _style(attributes), list(_names(attributes))
    if (
        tag in _DROPPED
        or "hidden" in attributes
        or re.search(_HIDDEN, style)
        or any(re.search(_SIGNATURE, name) for name in names)
    ):
        return "drop"
    # programs indent by quotations without a line at their left
    is_indented = "border:none" in style and "border-left" not in style
    if tag == "blockquote" and not is_indented:
        return "quote"
    if any(re.search(_QUOTED, name) for name in names):
        return "quote"
    return "as it is" if tag == "pre" else ""


def _has_margins(tag: str, attributes: _Attributes) -> bool:
    if tag not in _PARAGRAPHS or re.search(r"(^|;)margin(-top)?:0", _style(attributes)):
        return False
    return "MsoNormal" not in (attributes.get("class") or "")  # Outlook's for each line


def _names(attributes: _Attributes) -> Iterator[str]:
    """The names that an element has."""
    for key in ("id", "class", "name"):
        yield from (attributes.get(key) or "").split()


def _style(attributes: _Attributes) -> str:
    return "".join((attributes.get("style") or "").lower().split())
