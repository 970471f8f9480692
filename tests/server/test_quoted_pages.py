"""A letter that was read as HTML, and is quoted back as text without any mark, tells
the opponent nothing secret."""

import re
import textwrap
from html import unescape
from itertools import product

import pytest

from pbm_holomino.letters.letter import Letter
from pbm_holomino.mail.markup import text_of
from pbm_holomino.match.account import TOKEN
from tests.house import House, home, mail_of
from tests.letters.pages import page_of
from tests.server.test_quoted_letters import KINDS, letter_of_kind
from tests.server.test_replies import letter_to


def as_text(letter: Letter, width: int, shows_links: bool) -> str:
    """A page as mail programs turn it into text: a line for each paragraph, cell or
    item, or broken at a width; some write where the links lead."""
    page = page_of(letter)
    page = re.sub("(?s)<head>.*</head>", "", page)
    pre = iter(re.findall("(?s)<pre[^>]*>(.*?)</pre>", page))
    page = re.sub("(?s)<pre[^>]*>.*?</pre>", "\0", page).replace("\n", " ")
    if shows_links:
        page = re.sub('<a [^>]*href="([^"]*)"[^>]*>(.*?)</a>', r"\2 <\1>", page)
        page = page.replace("<mailto:", "&lt;mailto:")
    page = re.sub("</p>|</tr>|</div>|</h1>|<br>", "\n", page)
    text = unescape(re.sub("<[^>]*>", " ", page))
    lines = [" ".join(line.split()) for line in text.splitlines()]
    if width:
        lines = [part for line in lines for part in textwrap.wrap(line, width) or [""]]
    text = re.sub("\n\n+", "\n\n", "\n".join(lines))
    return re.sub("\0", lambda _: re.sub("<[^>]*>", "", f"\n{next(pre)}\n"), text)


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_that_is_quoted_back_is_not_passed_on(house: House, kind: str) -> None:
    letter, secret = letter_of_kind(house, kind)
    who = letter.to[0].partition("@")[0]
    other = "bob" if who == "alice" else "alice"
    for width, shows_links in product((0, 60, 76), (False, True)):
        quoted = as_text(letter, width, shows_links)
        assert not secret or secret in quoted
        raw = mail_of(
            "Re: x",
            home(who),
            f"chat\nHello there\n\n{quoted}",
            In_Reply_To=f"<{letter.id}@localhost>",
            Message_ID=f"<{width}.{shows_links}@phone>",
        )
        words = letter_to(house.mail(raw), other).text
        assert "Hello there" in words
        assert not re.search(rf"[~.]{TOKEN}", words)
        assert "mailto:" not in words
        assert not secret or secret not in words
        assert words.count("\n") < 12


def test_words_between_the_lines_of_a_page_and_below_it_are_passed_on(
    house: House,
) -> None:
    """Outlook shows a page that is answered as it was, with nothing before its lines;
    older mails may follow."""
    letter, _ = letter_of_kind(house, "opening")
    _, _, page = page_of(letter).partition("<body")
    _, _, page = page.partition(">")
    half = page.index("</p>", len(page) // 2) + len("</p>")
    headers = "<p>From: %s<br>Sent: Friday<br>To: %s<br>Subject: %s</p>"
    html = (
        "<html><body><p>Hello there</p>"
        + headers % ("Holomino", "alice", letter.subject)
        + f"{page[:half]}<p>I would never put it there</p>{page[half:]}<p>See you</p>"
        + headers % ("alice", "Holomino", "Re: holo 1")
        + "<p>124:3 was mine</p></body></html>"
    )
    raw = mail_of(
        "Re: x",
        home("alice"),
        "chat\n" + text_of(html),
        In_Reply_To=f"<{letter.id}@localhost>",
    )
    words = letter_to(house.mail(raw), "bob").text
    said = [line.strip() for line in words.split("\n") if line.strip()]
    assert said[1:4] == ["Hello there", "I would never put it there", "See you"]
    assert said[4].startswith("To answer,")
