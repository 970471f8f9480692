"""One-click unsubscribe (RFC 8058): by the link in a digest's or a broadcast's head."""

import re
from email import message_from_bytes
from email.policy import default
from urllib.parse import urlsplit

import pytest

from pbm_holomino.letters.letter import Letter
from pbm_holomino.mail.message import message
from pbm_holomino.match.account import Player
from tests.house import House, home, mail_of
from tests.web.browser import Browser

WEB = "https://games.example.org"
ONE_CLICK = b"List-Unsubscribe=One-Click"


@pytest.fixture
def program(house: House) -> Browser:
    """A mail program, which has no cookies."""
    house.config = house.config._replace(web=WEB)
    house.type("change digest bob {bob} on")
    return Browser(house, WEB)


def broadcast(house: House) -> Letter:
    house.mail(mail_of("broadcast alice xanadu", body="Hello!"))
    return next(each for each in house.sent if each.to == (home("bob"),))


def path(house: House) -> str:
    """Where the program sends its request."""
    mail = message_from_bytes(message(broadcast(house), house.config), policy=default)
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    web, by_mail = re.findall("<([^>]+)>", mail["List-Unsubscribe"])
    assert web.startswith(f"{WEB}/")
    assert by_mail.startswith("mailto:")
    return str(urlsplit(web).path)


def bob(house: House) -> Player:
    player = house.library.player("bob")
    assert player is not None
    return player


@pytest.mark.parametrize(
    "body", [ONE_CLICK, b"", b"--x\r\nContent-Disposition: form-data; name=a\r\n\xff"]
)
def test_one_request_ends_digests_and_broadcasts(
    house: House, program: Browser, body: bytes
) -> None:
    here = path(house)
    house.sent.clear()
    came = program.ask("POST", here, body)
    assert came.status == 200
    assert "bob gets no more digests" in came.text
    assert (bob(house).digest, bob(house).broadcasts) == (False, False)
    assert "Location" not in came.headers
    assert "Set-Cookie" not in came.headers
    assert not house.sent
    before = house.records()
    assert program.ask("POST", here, body).status == 200  # again
    assert house.records() == before


def test_looking_at_it_changes_nothing_and_shows_a_button(
    house: House, program: Browser
) -> None:
    here, before = path(house), house.records()
    for _ in range(3):
        page = program.get(here)
    assert house.records() == before
    (form,) = [each for each in page.forms if "unsubscribe" in each.action]
    program.send(form)
    assert not bob(house).broadcasts


def test_its_token_does_nothing_else(house: House, program: Browser) -> None:
    token = path(house).rpartition("/")[2]
    before = house.records()
    for who in ("alice", "bob2", "BOB", "..", "bob%0a"):
        assert program.ask("POST", f"/unsubscribe/{who}/{token}").status in (404, 422)
    for line in (
        "unsubscribe bob ~{}",
        "change password bob ~{} better5",
        "holo resign 1 bob ~{}",
        "signoff bob ~{}",
    ):
        typed, number = line.format(token), f"<{line[:5]}@x>"
        house.mail(mail_of(typed, home("bob"), Message_ID=number))
        assert house.type(typed).status != 0
    assert program.ask("GET", f"/link/holo/1/0/bob/{token}").status == 422
    assert house.records() == before


def test_the_word_of_the_command_is_no_link(house: House, program: Browser) -> None:
    letter = broadcast(house)
    word = letter.unsubscribe.rpartition("~")[2]
    before = house.records()
    assert program.ask("POST", f"/unsubscribe/bob/{word}").status == 422
    assert house.records() == before


def test_wrong_links_are_counted(house: House, program: Browser) -> None:
    statuses = {program.ask("POST", "/unsubscribe/bob/x").status for _ in range(70)}
    assert statuses == {422, 429}
    assert program.ask("POST", path(house)).status == 200  # the right one works


@pytest.mark.parametrize("web", ["", "http://localhost:2480"])
def test_without_https_there_is_only_the_mail(house: House, web: str) -> None:
    house.config = house.config._replace(web=web)
    head = message(broadcast(house), house.config).partition(b"\n\n")[0]
    assert b"List-Unsubscribe-Post" not in head
    assert b"List-Unsubscribe: <mailto:" in head


def test_other_letters_have_neither(house: House, program: Browser) -> None:
    house.mail(mail_of("holo chat 1 alice xanadu", body="Hello!", Message_ID="<1@x>"))
    sent = house.taken()
    sent += house.mail(mail_of("message alice xanadu bob", body="Hello!"))
    assert len(sent) >= 4
    for letter in sent:
        assert b"List-Unsubscribe" not in message(letter, house.config)
