"""Letters in the format that their reader wants, as messages."""

import re
import subprocess
import sys
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from functools import cache
from struct import unpack

import pytest

from pbm_holomino.letters.board_forms import in_form
from pbm_holomino.letters.content import Words, content, plain, said
from pbm_holomino.letters.letter import Attachment, Letter
from pbm_holomino.mail.message import message
from pbm_holomino.match.account import FORMATS
from pbm_holomino.rules import names
from pbm_holomino.store.config import Config
from tests.boards import finished
from tests.letters.pages import Page, letters_of, words_of

CONFIG = Config(address="games@play.example")
LETTER = Letter("holo.12.3.alice", ("alice@example.org",), "holo 12: your turn")
PNG = b"\x89PNG\r\n\x1a\n"


def read(letter: Letter, form: str) -> EmailMessage:
    raw = message(letter._replace(form=form), CONFIG)
    assert raw.isascii()
    assert max(map(len, raw.split(b"\n"))) <= 998
    mail = message_from_bytes(raw, policy=default)
    assert isinstance(mail, EmailMessage)
    assert not any(part.defects for part in mail.walk())
    return mail


def kinds(mail: EmailMessage) -> list[str]:
    return [part.get_content_type() for part in mail.walk()]


def texts(mail: EmailMessage) -> dict[str, str]:
    """What its parts say, by their types."""
    return {
        part.get_content_type(): str(part.get_content())
        for part in mail.walk()
        if part.get_content_maintype() == "text"
    }


@cache
def some_letters() -> tuple[Letter, ...]:
    """The first letters and the last of a game of each kind."""
    games = [[*letters_of(finished(1, name))] for name in names()]
    return tuple(letter for game in games for letter in game[:2] + game[-3:])


@pytest.mark.parametrize("form", FORMATS)
def test_all_parts_say_the_same(form: str) -> None:
    for letter in some_letters():
        found = texts(read(letter, form))
        small = in_form(letter.content, form, bool(letter.token))
        assert found.pop("text/plain") == plain(small)
        for page in found.values():
            words = Page(page).words
            assert "".join(words.split()) == "".join(words_of(small).split())


@pytest.mark.parametrize("form", ["text", "small"])
def test_a_player_who_wants_text_gets_nothing_else(form: str) -> None:
    for letter in some_letters():
        assert kinds(read(letter, form)) == ["text/plain"]


def test_the_text_comes_first_and_the_page_is_ascii() -> None:
    for letter in some_letters():
        mail = read(letter, "html")
        assert kinds(mail) == ["multipart/alternative", "text/plain", "text/html"]
        page = list(mail.walk())[2]
        assert page["Content-Type"] == 'text/html; charset="us-ascii"'
        assert page["Content-Transfer-Encoding"] == "7bit"


def test_pictures_are_in_the_letter_and_belong_to_its_page() -> None:
    several = 0
    for letter in some_letters():
        mail = read(letter, "picture")
        page = texts(mail)["text/html"]
        sources = re.findall(r'src="([^"]*)"', page)
        images = [
            part for part in mail.walk() if part.get_content_maintype() == "image"
        ]
        assert sources == [f"cid:{part['Content-ID'][1:-1]}" for part in images]
        assert Page(page).pictures == []
        related = ["multipart/related", "text/html", *["image/png"] * len(images)]
        start = ["multipart/alternative", "text/plain"]
        assert kinds(mail) == start + (related if images else ["text/html"])
        for part in images:
            image = part.get_content()
            assert image[:8] == PNG
            assert part["Content-Disposition"] == "inline"
            (width,) = unpack(">I", image[16:20])
            assert width <= 1080  # what a telephone shows
        several += len(images)
    assert several > 12


def test_without_the_library_pictures_are_drawn_as_text(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    for letter in some_letters():
        assert texts(read(letter, "picture")) == texts(read(letter, "html"))


def test_files_come_after_both() -> None:
    attached = Attachment("holo-12.svg", "image/svg+xml", b"<svg/>")
    mail = read(
        LETTER._replace(content=said("Here.\n"), attachments=(attached,)), "html"
    )
    assert kinds(mail) == [
        "multipart/mixed",
        "multipart/alternative",
        "text/plain",
        "text/html",
        "image/svg+xml",
    ]


def test_long_words_of_players_fit_into_a_mail() -> None:
    words = "ä" * 3000 + " " + "x" * 3000
    letter = LETTER._replace(content=content((Words(words),)))
    found = texts(read(letter, "html"))
    assert "".join(Page(found["text/html"]).words.split()) == words.replace(" ", "")


def test_a_player_who_wants_text_does_not_wait_for_html() -> None:
    code = (
        "import sys\n"
        "from pbm_holomino.draw.text import Drawn\n"
        "from pbm_holomino.letters.content import Picture\n"
        "from pbm_holomino.letters.letter import Letter\n"
        "from pbm_holomino.mail.message import message\n"
        "from pbm_holomino.rules.contract import Drawing\n"
        "from pbm_holomino.store.config import Config\n"
        "board = ((Picture(Drawn(Drawing('bitten', {0: '123'}))),),)\n"
        "letter = Letter('x', ('a@b',), 's', board, form=sys.argv[1])\n"
        "message(letter, Config())\n"
        "print(*sys.modules)\n"
    )
    slow = ("letters.html", "letters.images", "draw.svg", "draw.png")
    for form in FORMATS:
        run = [sys.executable, "-c", code, form]
        loaded = subprocess.run(run, check=True, capture_output=True, text=True).stdout
        found = [name for name in slow if f"pbm_holomino.{name}" in loaded.split()]
        expected = {"html": slow[:1], "picture": slow}
        assert tuple(found) == expected.get(form, ())
        assert not {"html", "urllib"} & set(loaded.split()) or form == "picture"
