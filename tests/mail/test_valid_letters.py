"""Every kind of letter that leaves is a valid mail."""

import re
from collections.abc import Iterator

import pytest

from pbm_holomino.letters import to_owner
from pbm_holomino.letters.content import said
from pbm_holomino.letters.letter import Attachment, Letter
from pbm_holomino.mail.message import message
from pbm_holomino.mail.post import sender
from pbm_holomino.match.account import FORMATS
from pbm_holomino.rules import names
from pbm_holomino.store.config import Config
from pbm_holomino.store.home import Home
from tests.house import House, home, mail_of
from tests.mail.valid import faults, only_valid

CONFIG = Config(address="games@play.example", name="The Hex Club")
WORDS = "Sch\xf6ne Gr\xfc\xdfe, = \u20ac!\n\n.\nFrom me.\n" + "x" * 1200 + "\n"


@pytest.fixture
def house(tmp_path) -> House:
    return House(tmp_path / "games").sign_up("alice", "bob", "carol")


def assert_valid(letters: list[Letter], config: Config = CONFIG) -> None:
    assert letters
    for letter in letters:
        assert faults(message(letter, config)) == [], letter.subject


def letters_of_games(house: House) -> Iterator[Letter]:
    """What a game is made of, by mail."""
    number = 0
    for game in names():
        for line in ("help", "challenge alice bob", "accept 1 bob {bob}", "show 1"):
            number += 1
            sender = home("bob" if "{bob}" in line else "alice")
            line = line.replace("{bob}", "better4")
            ids = {"Message_ID": f"<{number}@x>"}
            yield from house.mail(mail_of(f"{game} {line}", sender, WORDS, **ids))


@pytest.mark.parametrize("form", FORMATS)
def test_the_letters_of_each_game_in_each_format(house: House, form: str) -> None:
    for who in ("alice", "bob"):
        house.type(f"change format {who} {{{who}}} {form}")
    assert_valid(list(letters_of_games(house)))


LINES = [
    "signup dave zebra88",
    "forgot alice",
    "list",
    "add alice xanadu alice@example.net",
    "change vacation alice xanadu 3",
    "message alice xanadu bob",
    "broadcast alice xanadu",
    "block alice xanadu bob",
    "unsubscribe alice xanadu",
    "holo show nobody",
    "holo standings",
    "holo ratings",
    "no such command",
    "signoff alice xanadu",
    "delete alice xanadu",
    "multiple",
    "holo move 1 alice wrong 1:1",
]


@pytest.mark.parametrize("line", LINES)
def test_other_letters(house: House, line: str) -> None:
    text = "list\nhelp\n" if line == "multiple" else WORDS
    assert_valid(house.mail(mail_of(line, body=text, Message_ID="<1@x>")))


def test_boards_as_files(house: House) -> None:
    house.challenge()
    for form in ("json", "svg", "html", "markdown", "list"):
        assert_valid(house.mail(mail_of(f"holo show 1 -format={form}")))
    assert_valid(house.mail(mail_of("holo history 1 -format=yaml")))


def test_the_letter_to_the_owner() -> None:
    config = CONFIG._replace(owner="owner@example.org")
    refused = {home("alice"): "mail.example.org said 550 to RCPT (" + "x" * 200 + ")."}
    assert_valid([to_owner.undelivered(refused, config, "2026-11-20T08")], config)


ALICE = (home("alice"),)
HARD: dict[str, Letter] = {
    "many addresses": Letter(
        "a.1", tuple(f"{'a' * 60}{n}@x.example" for n in range(5))
    ),
    "a long address": Letter("a.1", ("a" * 64 + "@" + "b" * 63 + ".example",)),
    "strange atoms": Letter("a.1", ("!#$%&*+-/=?^_{|}~@x.example",)),
    "a long list of references": Letter(
        "a.1", ALICE, references=tuple(f"holo.1.{n}" for n in range(99))
    ),
    "an answer to a strange mail": Letter(
        "a.1", ALICE, answers='<"a..b"(x)@[127.0.0.1]>'
    ),
    "a file": Letter(
        "a.1",
        ALICE,
        attachments=(Attachment("a.svg", "image/svg+xml", b"<"),),
    ),
    "nothing to say": Letter("a.1", ALICE),
    "an unsubscription": Letter(
        "a.1", ALICE, unsubscribe="unsubscribe alice ~abcdefghij234567"
    ),
}


@pytest.mark.parametrize("what", HARD)
@pytest.mark.parametrize(
    ("name", "address"),
    [
        ("", "games@play.example"),
        ('J\xf6rg "the hex" (x) ' + "\u20ac" * 40, "g+a%m{e}s&x=1?@play.example"),
        ("a.b, c; =?x?=", "a" * 64 + "@play.example"),
    ],
)
def test_letters_that_are_hard_to_write(what: str, name: str, address: str) -> None:
    letter = HARD[what]._replace(subject="x", content=said(WORDS))
    assert_valid([letter], Config(address=address, name=name))


def test_no_letter_leaves_in_a_test_that_is_not_valid(house: House) -> None:
    letter = PLAIN._replace(subject="x\n\ny")
    with pytest.raises(AssertionError), only_valid():
        house.keep(letter)
    config = Config(send="outbox", address="pbm@x.example")
    post = sender(Home(str(house.folder), config), house.store)
    with pytest.raises(AssertionError), only_valid():
        assert post(letter) == {}


# The validator itself


PLAIN = Letter("a.1", ("a@x.example",), "x", said("Yours.\n"), references=("a.0",))
BOTH = PLAIN._replace(form="html", content=said(WORDS), unsubscribe="unsubscribe a ~b")
CHANGES = {
    "no last newline": (rb"\n\Z", b""),
    "a byte": (rb"Yours", b"Y\xf6urs"),
    "a CR": (rb"Yours\.", b"Yours.\r"),
    "a long line": (rb"Yours", b"Yours" * 250),
    "no date": (rb"Date: .*\n", b""),
    "a bad date": (rb"Date: .*", b"Date: Fri, 20 Nov 26 08:00:00 GMT"),
    "a wrong day": (rb"Date: .*", b"Date: Mon, 20 Nov 2026 08:00:00 +0000"),
    "no such day": (rb"Date: .*", b"Date: Mon, 31 Nov 2026 08:00:00 +0000"),
    "two dates": (rb"(Date: .*\n)", rb"\1\1"),
    "two recipients' fields": (rb"(To: .*\n)", rb"\1\1"),
    "no address": (rb"To: .*", b"To: nobody"),
    "a bad address": (rb"To: .*", b"To: a..b@x.example"),
    "two senders": (rb"From: .*", b"From: a@x.example, b@x.example"),
    "a bad id": (rb"Message-ID: .*", b"Message-ID: <a.1@>"),
    "an id without brackets": (rb"Message-ID: .*", b"Message-ID: a.1@play.example"),
    "an id with blanks": (rb"Message-ID: .*", b"Message-ID: <a 1@play.example>"),
    "an empty field": (rb"Subject: x", b"Subject: "),
    "no field": (rb"Subject: x", b"Subject x"),
    "a blank fold": (rb"Subject: x", b"Subject: x\n  \n y"),
    "no blank line": (rb"\n\nYours", b"\nYours"),
    "another version": (rb"MIME-Version: 1.0", b"MIME-Version: 2.0"),
    "an unknown reason": (rb"auto-replied", b"because"),
    "an unknown encoding": (rb"7bit", b"8bits"),
    "an unknown charset": (rb"us-ascii", b"klingon"),
    "no charset": (rb"; charset=us-ascii", b""),
}
MORE_CHANGES = {
    "a bad link": (rb"<mailto:.*>", b"mailto:games@play.example"),
    "a blank in a link": (rb"unsubscribe%20a", b"unsubscribe a"),
    "no boundary": (rb'; boundary="[^"]*"', b""),
    "another boundary": (rb'boundary="', b'boundary="x'),
    "an end that is missing": (rb"\n--[^\n]*--\n\Z", b"\n"),
    "an unknown kind": (rb"multipart/alternative", b"multipart/surprise"),
    "the HTML first": (rb"text/plain", b"text/html"),
    "text before the parts": (rb"\n\n--", b"\n\nHello\n--"),
    "a long encoded line": (rb"=\n", b""),
    "a bare equals sign": (rb"=3D", b"=x"),
}


@pytest.mark.parametrize("what", [*CHANGES, *MORE_CHANGES])
def test_the_validator_finds_a_fault(what: str) -> None:
    is_plain = what in CHANGES
    raw = message(PLAIN if is_plain else BOTH, Config(address="games@play.example"))
    assert faults(raw) == []
    pattern, instead = {**CHANGES, **MORE_CHANGES}[what]
    changed = re.sub(pattern, instead, raw)
    assert changed != raw
    assert faults(changed) != []
