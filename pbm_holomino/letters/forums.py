"""Texts as forums, Markdown and web pages show them, and links to boards' pages."""

import re

from pbm_holomino.match.board import Match

FORUM_FORMATS = ("bbcode", "markdown", "html")


def formatted(text: str, form: str, link: str = "") -> str:
    """A text in a format: unchanged, or for a forum, Markdown or a web page, and then
    with a link to a page of ours if there is one."""
    return _framed(text, form) + (_LINKS[form].format(link) if link else "")


def page_of(web: str, match: Match, past: bool = False) -> str:
    """The address of the page about a board, on pages whose front page is `web`; none
    without pages."""
    record = match.record
    parts = (record.game, record.board, *([match.ply] if past else []))
    return "/".join((web.rstrip("/"), *map(str, parts))) if web else ""


# A link in a format. Addresses of ours have no character that needs quoting there.
_LINKS = {
    "bbcode": "[url]{}[/url]\n",
    "markdown": "\n<{}>\n",
    "html": '<p><a href="{0}">{0}</a></p>\n',
}


def _framed(text: str, form: str) -> str:
    """A text as it is, or so that a forum, Markdown or HTML shows it as it is."""
    if form == "bbcode":
        # what players said must not end the block
        text = re.sub(r"\[(?=/?code)", "[ ", text, flags=re.IGNORECASE)
        return f"[code]\n{text}[/code]\n"
    if form == "markdown":
        return f"```\n{text}```\n"
    if form == "html":
        from html import escape

        return f"<pre>\n{escape(text, quote=False)}</pre>\n"
    return text
