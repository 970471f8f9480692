"""Where the owner has closed sign-ups, everything that offers one says so instead."""

import pytest

from pbm_holomino import owner
from pbm_holomino.match import account
from tests.house import House, home, mail_of, own
from tests.prose import plain
from tests.web.browser import Browser

NO_NEW_PLAYERS = str(account.NO_NEW_PLAYERS)
WEB = "https://games.example.org"
EVE = "eve@example.net"


@pytest.fixture
def closed(house: House) -> House:
    house.config = house.config._replace(signups="closed", web=WEB)
    return house


def told(house: House, subject: str, body: str = "") -> str:
    """What a stranger's mail is answered."""
    (letter,) = house.mail(mail_of(subject, EVE, body))
    assert letter.to == (EVE,)
    return plain(letter.text)


@pytest.mark.parametrize("subject", ["signup eve tomato", "signup help tomato"])
def test_nobody_signs_up_by_mail(closed: House, subject: str) -> None:
    before = closed.records()
    assert told(closed, subject) == NO_NEW_PLAYERS
    assert NO_NEW_PLAYERS in told(closed, "multiple", f"help move\n{subject}")
    assert closed.records() == before


@pytest.mark.parametrize("subject", ["help", "help signup", "help move tutorial"])
def test_help_that_says_how_to_sign_up_begins_so(closed: House, subject: str) -> None:
    assert told(closed, subject).startswith(NO_NEW_PLAYERS)
    assert NO_NEW_PLAYERS not in told(closed, "help move")
    assert NO_NEW_PLAYERS not in plain(closed.type(subject).text)
    closed.config = closed.config._replace(signups="open")
    assert NO_NEW_PLAYERS not in told(closed, subject)


def test_the_shell_is_open(closed: House) -> None:
    closed.sign_up("carol")
    assert closed.library.player("carol") is not None


def test_players_can_come_back(closed: House) -> None:
    assert closed.type("signoff alice {alice}").status == 0
    (letter,) = closed.mail(mail_of("signup alice xanadu", EVE))
    assert letter.to == (home("alice"),)
    account = closed.library.player("alice")
    assert account is not None
    assert account.status == "on"


def test_a_list_of_no_players_does_not_say_how_to_sign_up(closed: House) -> None:
    closed.type("holo decline 1 alice {alice}")
    for name in ("alice", "bob"):
        assert closed.type(f"delete {name} {{{name}}}").status == 0
    assert NO_NEW_PLAYERS in told(closed, "list")


@pytest.fixture
def pages(closed: House, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The pages that would offer it."""
    own(closed, monkeypatch)
    assert owner.run(["tournament", "open", "holo", "swiss"]).status == 0
    assert closed.type("holo challenge alice anyone").status == 0
    found = ["/", "/signin", "/signup", "/open", "/holo/2", "/tournaments/1"]
    return [*found, "/help/signup", "/help/tutorial", "/help/commands"]


def test_every_page_says_so_where_it_would_offer_it(
    closed: House, pages: list[str]
) -> None:
    browser = Browser(closed, WEB)
    for path in pages:
        page = browser.get(path)
        assert NO_NEW_PLAYERS in page.text, path
        assert "/signup" not in page.links, path
        assert not [form for form in page.forms if "address" in form.fields], path
    closed.config = closed.config._replace(signups="open")
    browser = Browser(closed, WEB)
    for path in pages:
        page = browser.get(path)
        assert NO_NEW_PLAYERS not in page.text, path
        has_form = [form for form in page.forms if "address" in form.fields]
        assert "help" in path or "/signup" in page.links or has_form, path


def test_nobody_signs_up_on_the_pages(house: House) -> None:
    """Not even by a form or a link from before."""
    house.config = house.config._replace(web=WEB)
    browser = Browser(house, WEB)
    form = browser.get("/signup").form("/signup")
    browser.send(form, userid="erin", address=home("erin"))
    (letter,) = house.taken()
    link = letter.text.split(WEB)[1].split()[0]
    confirm = next(f for f in browser.get(link).forms if "password" in f.fields)
    house.config = house.config._replace(signups="closed")
    after = Browser(house, WEB)
    after.cookies |= browser.cookies
    pages = [
        after.send(form, userid="eric", address=home("eric")),
        after.get(link),
        after.send(confirm, password="quokka77"),
    ]
    assert [page.status for page in pages] == [422] * 3
    assert all(NO_NEW_PLAYERS in page.text for page in pages)
    assert house.library.account("erin") is None
    assert house.taken() == []
