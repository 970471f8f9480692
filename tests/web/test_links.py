"""The links in letters that lead to a board's page."""

from pathlib import Path

import pytest

from pbm_holomino.commands.texts import LINK_REMOVED
from pbm_holomino.letters.letter import Letter
from pbm_holomino.mail.message import message
from tests.house import House, home, mail_of
from tests.server.test_letters_already_out import ABOUT_BOARDS, Sent, by_id, old_house
from tests.web.browser import Browser, Form, Page

WEB = "https://games.example.org"
BOARD = "/holo/1"


@pytest.fixture
def reader(house: House) -> Browser:
    """The browser of whoever reads alice's mail; it is her turn."""
    house.config = house.config._replace(web=WEB)
    return Browser(house, WEB)


def letter_to(house: House, name: str) -> Letter:
    """The last letter to a player, which is about board 1."""
    house.type("holo chat 1 bob {bob} -m=hello")
    house.type("holo chat 1 alice {alice} -m=hello")
    letters = [one for one in house.taken() if one.to == (home(name),)]
    return letters[-1]


def link_to(house: House, name: str = "alice") -> str:
    return f"/{letter_to(house, name).page}"


def button(page: Page) -> Form:
    return next(f for f in page.forms if f.action.startswith("/link/"))


def test_a_letter_has_the_link_in_both_its_parts(house: House, reader: Browser) -> None:
    letter = letter_to(house, "alice")
    told = message(letter, house.config).decode("ascii")
    head, _, body = told.partition("\n\n")
    address = f"{WEB}/{letter.page}"
    assert body.count(address) == 2  # as text, and as what the button leads to
    token = letter.page.rpartition("/")[2]
    assert token not in head
    assert token != letter.token
    without = message(letter, house.config._replace(web=""))
    assert b"/link/" not in without


def test_looking_at_a_link_changes_nothing(house: House, reader: Browser) -> None:
    link, before = link_to(house), house.records()
    for _ in range(20):
        page = reader.get(link)
        assert page.status == 200
        assert "Go on as alice" in page.text
        assert page.headers["Cache-Control"] == "no-store"
    assert house.records() == before
    assert "__Host-pbm" not in reader.cookies
    assert not reader.get(BOARD).choices


def test_the_button_signs_in_for_one_turn_on_one_board(
    house: House, reader: Browser
) -> None:
    house.challenge()  # holo 2, where it is alice's turn, too
    page = reader.send(button(reader.get(link_to(house))))
    assert page.url.endswith(BOARD)
    assert page.choices == [*house.legal()]
    assert not reader.get("/holo/2").choices
    assert reader.move(BOARD, page.choices[0]).status == 200
    assert house.match().ply == 1
    house.play(moves=1)  # bob's; it is alice's turn again
    assert not reader.get(BOARD).choices


def test_where_boards_are_closed_a_link_opens_one(house: House) -> None:
    house.config = house.config._replace(web=WEB, web_public="no")
    house.challenge()
    reader = Browser(house, WEB)
    page = reader.send(button(reader.get(link_to(house))))
    assert reader.move(BOARD, page.choices[0]).url.endswith(BOARD)
    for path in ("/holo/2", "/holo", "/players", "/players/alice", "/holo/standings"):
        assert reader.get(path).url.endswith("/signin"), path


@pytest.mark.parametrize(
    "verb", ["resign", "chat", "queue", "propose", "undo", "hint", "review"]
)
def test_a_forwarded_link_can_only_move(
    house: House, reader: Browser, verb: str
) -> None:
    page = reader.send(button(reader.get(link_to(house))))
    actions = {form.action for form in page.forms} - {"/signin"}
    assert actions == {f"{BOARD}/preview"}
    shown = reader.send(page.form("/preview"))
    form = shown.form("/move")
    before = house.records()
    for fields in ({}, {"move": verb}):
        target = form if fields else form._replace(action=f"{BOARD}/{verb}")
        done = reader.send(target, text="hello", moves="123:4", **fields)
        assert done.url.endswith("/signin") or done.status == 422
    assert reader.get("/settings").url.endswith("/signin")
    assert house.records() == before


def test_a_link_to_an_earlier_turn_signs_nobody_in(
    house: House, reader: Browser
) -> None:
    link = link_to(house)
    form = button(reader.get(link))
    house.play(moves=1)
    assert "an earlier letter" in reader.get(link).text
    assert "an earlier letter" in reader.send(form).text
    assert "__Host-pbm" not in reader.cookies


def test_a_link_is_for_one_reader_and_one_line(house: House, reader: Browser) -> None:
    link = link_to(house)
    game, board, line, who, token = link.split("/")[2:]
    reply = letter_to(house, "alice").token
    for other in (
        f"/link/{game}/{board}/{line}/bob/{token}",
        f"/link/{game}/{board}/0/{who}/{token}",
        f"/link/{game}/{board}/{line}/{who}/{reply}",
        f"/link/{game}/{board}/999/{who}/{token}",
        f"/link/{game}/{board}/{line}/carol/{token}",
        f"/link/{game}/{board}/{line}/{who}/{'a' * 16}",
    ):
        page = reader.get(other)
        assert page.status == 422
        assert "not valid" in page.text


def test_a_players_own_session_is_not_narrowed(house: House, reader: Browser) -> None:
    reader.sign_in("alice")
    page = reader.send(button(reader.get(link_to(house))))
    assert "Resign" in page.text


def test_a_link_cannot_sign_its_reader_out(house: House, reader: Browser) -> None:
    """Nor end what began by the link of another letter. The reader has browsers of
    their own, and the button may be pressed in three more."""
    house.challenge()
    own, other = Browser(house, WEB), Browser(house, WEB)
    own.sign_in("alice")
    (letter,) = [one for one in house.taken() if "holo.2." in one.key][:1]
    assert letter.to == (home("alice"),)
    other.send(button(other.get(f"/{letter.page}")))
    link = link_to(house)
    browsers = [Browser(house, WEB) for _ in range(25)]
    for browser in browsers:
        browser.send(button(browser.get(link)))
    assert "Resign" in own.get(BOARD).text
    assert other.get("/holo/2").choices
    assert [bool(one.get(BOARD).choices) for one in browsers] == [False] * 22 + [
        True
    ] * 3


def test_a_button_that_is_pressed_again_begins_nothing(
    house: House, reader: Browser
) -> None:
    form = button(reader.get(link_to(house)))
    reader.send(form)
    form = button(reader.get(form.action))
    before = house.records()
    assert reader.send(form).url.endswith(BOARD)
    assert house.records() == before


def test_a_new_password_ends_it(house: House, reader: Browser) -> None:
    reader.send(button(reader.get(link_to(house))))
    assert reader.get(BOARD).choices
    house.type("change password alice {alice} newer44")
    assert not reader.get(BOARD).choices


@pytest.mark.parametrize(
    "written",
    [
        "{whole}",
        "<{whole}>",
        "see {whole}, please",
        "{start}\n{end}",
        "https://safe.example/?u={quoted}&d=1",
    ],
)
def test_a_link_is_not_passed_on(house: House, reader: Browser, written: str) -> None:
    whole = WEB + link_to(house)
    words = written.format(
        whole=whole,
        start=whole[:-9],
        end=whole[-9:],
        quoted=whole.replace(":", "%3A").replace("/", "%2F"),
    )
    house.mail(mail_of("holo chat 1 alice xanadu", body=f"Look here.\n{words}\nBye"))
    (letter,) = (one for one in house.taken() if one.to == (home("bob"),))
    assert "Look here." in letter.text
    assert whole[-9:] not in letter.text
    assert LINK_REMOVED in letter.text


@pytest.mark.parametrize(
    "sent", [sent for sent in ABOUT_BOARDS if not sent.parts.more], ids=by_id
)
def test_links_of_letters_that_were_sent_before_still_lead_there(
    tmp_path: Path, sent: Sent
) -> None:
    """When links counted all lines of the log, the plans of others among them."""
    reader = Browser(old_house(tmp_path), WEB)
    page = reader.get(f"/{sent.page}")
    assert page.status == 200
    is_latest = sent.parts.line == {"holo": 5, "walomino": 3}[sent.parts.folder]
    goes_on = f"Go on as {sent.parts.reader}" in page.text
    assert goes_on or not is_latest
    if goes_on:
        assert reader.send(button(page)).url.endswith(f"/{sent.parts.folder}/1")
    assert reader.get(f"/{sent.page[:-16]}{'a' * 16}").status == 422
