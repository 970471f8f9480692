"""Replies to letters whose Message-ID was changed on the way: a relay changes them all,
and players answer as mail programs do."""

from collections.abc import Iterator
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from email.utils import parseaddr

import pytest

from pbm_holomino.letters.letter import Letter
from pbm_holomino.mail import incoming, reply_tokens
from pbm_holomino.mail.message import message
from pbm_holomino.mail.post import sender
from pbm_holomino.store.config import Config
from pbm_holomino.store.home import Home
from tests.house import House, home, mail_of
from tests.mail.postboxes import Postbox, postbox
from tests.prose import text_of

ADDRESS = "games@play.example"


class Relay:
    """A mail server that gives every mail a Message-ID of its own."""

    def __init__(self, box: Postbox) -> None:
        self.box = box

    def mails(self, reader: str) -> list[EmailMessage]:
        """What has come for a player, the oldest first."""
        found = []
        for number, brought in enumerate(self.box.brought):
            if home(reader) in brought.to:
                mail = message_from_bytes(brought.text, policy=default)
                assert isinstance(mail, EmailMessage)
                mail.replace_header("Message-ID", f"<{number}.changed@relay.example>")
                found.append(mail)
        return found


def reply(mail: EmailMessage, text: str, quotes: str = "text") -> bytes:
    """What a mail program sends when a player answers a letter: it quotes the letter's
    text, or its HTML in HTML alone, or nothing."""
    made = EmailMessage()
    made["From"] = mail["To"]
    made["To"] = mail["Reply-To"] or mail["From"]
    made["Subject"] = f"Re: {mail['Subject']}"
    made["Message-ID"] = f"<{text.replace(' ', '.')}.{mail['Message-ID'][1:]}"
    made["In-Reply-To"] = mail["Message-ID"]
    thread = " ".join(filter(None, [mail["References"], mail["Message-ID"]]))
    made["References"] = " ".join(thread.split())
    wrote = f"On Fri, 20 Nov 2026 at 09:12, <{ADDRESS}> wrote:"
    if quotes == "html":
        page = mail.get_body(("html",))
        assert page is not None
        quoted = f"<blockquote>{page.get_content()}</blockquote>"
        made.set_content(f"<p>{text}</p><p>{wrote}</p>{quoted}", subtype="html")
        return made.as_bytes()
    lines = text_of(mail).splitlines()
    quoted = "".join(f"> {line}\n" for line in lines) if quotes == "text" else ""
    made.set_content(f"{text}\n\n{wrote}\n{quoted}" if quoted else f"{text}\n")
    return made.as_bytes()


@pytest.fixture
def relay() -> Iterator[Relay]:
    with postbox() as box:
        yield Relay(box)


def behind(relay: Relay, house: House, reply_token: str) -> House:
    """The house's letters leave through the relay; bob, who wants HTML, is to move on
    board 2, of which each player has had a letter."""
    smtp = relay.box.name
    house.config = Config(ADDRESS, send="smtp", smtp=smtp, reply_token=reply_token)
    house.type("change letters bob better4 html")
    house.server.delivery.post = sender(
        Home(str(house.folder), house.config), house.store
    )
    house.accept(house.challenge())
    played = house.type(f"holo move 2 alice xanadu {house.legal(2)[0]}")
    assert played.status == 0
    return house


def receive(house: House, raw: bytes) -> None:
    house.mail(raw.replace(b"\r\n", b"\n"))


def count(house: House) -> int:
    """How many moves have been made on board 2."""
    actions = [str(line.action) for line in house.match(2).record.log]
    return sum(not action.startswith("!") for action in actions)


def last(relay: Relay, reader: str) -> EmailMessage:
    return relay.mails(reader)[-1]


@pytest.mark.parametrize(
    ("reply_token", "quotes"),
    [("reply-to", "nothing"), ("reply-to", "text"), ("reply-to", "html")]
    + [("text", "text"), ("text", "html")],
)
def test_the_move_is_played(
    relay: Relay, house: House, reply_token: str, quotes: str
) -> None:
    house = behind(relay, house, reply_token)
    move = house.legal(2)[0]
    receive(house, reply(last(relay, "bob"), move, quotes))
    assert count(house) == 2
    assert house.match(2).turn == ("alice",)
    # and on from there: alice answers the letter about that move
    receive(house, reply(last(relay, "alice"), house.legal(2)[0], "text"))
    assert count(house) == 3


@pytest.mark.parametrize(
    ("reply_token", "quotes", "why"),
    [("message-id", "text", "Your reply is to an earlier letter")]  # by References
    + [("text", "nothing", "I cannot tell which letter to you this reply answers")],
)
def test_a_reply_without_a_token(
    relay: Relay, house: House, reply_token: str, quotes: str, why: str
) -> None:
    """Its writer gets the board once more."""
    house = behind(relay, house, reply_token)
    receive(house, reply(last(relay, "bob"), house.legal(2)[0], quotes))
    assert count(house) == 1
    told = " ".join(last(relay, "bob").as_string().split())
    assert why in told
    assert "eply to this letter" in told


def test_a_reply_from_another_address(relay: Relay, house: House) -> None:
    house = behind(relay, house, "reply-to")
    answer = reply(last(relay, "bob"), house.legal(2)[0], "nothing")
    receive(house, answer.replace(b"From: bob@", b"From: eve@"))
    assert count(house) == 1


def test_an_old_letter(relay: Relay, house: House) -> None:
    house = behind(relay, house, "reply-to")
    old = last(relay, "bob")
    for name in ("bob", "alice"):
        receive(house, reply(last(relay, name), house.legal(2)[0], "nothing"))
    assert count(house) == 3
    receive(house, reply(old, house.legal(2)[-1], "nothing"))
    assert count(house) == 3
    told = " ".join(last(relay, "bob").as_string().split())
    assert "Your reply is to an earlier letter" in told


@pytest.mark.parametrize("reply_token", ["reply-to", "text"])
def test_no_token_is_passed_on(relay: Relay, house: House, reply_token: str) -> None:
    """Not even one that a program has quoted without a mark."""
    house = behind(relay, house, reply_token)
    mail = last(relay, "bob")
    line = text_of(mail).splitlines()[-1]
    receive(house, reply(mail, f"chat Look: {line} {mail['Reply-To']}", "text"))
    token = house.letter_id(2, "bob", board=2).rpartition(".")[2]
    assert f"{line}{mail['Reply-To']}".count(token) == 1
    told = last(relay, "alice").as_string()
    assert "Look:" in told
    assert token not in told


# What is in a letter

LETTER = Letter(
    "holo.12.3.alice",
    ("alice@example.org",),
    "holo 12: your turn",
    id="holo.12.3.alice.qcrakxwifecgekoe",
    references=("holo.12.0.alice.qkchdnkh3lneetrm",),
)


def parsed(letter: Letter, config: Config) -> EmailMessage:
    mail = message_from_bytes(message(letter, config), policy=default)
    assert isinstance(mail, EmailMessage)
    return mail


def test_usually_a_token_is_in_the_message_id_alone() -> None:
    mail = parsed(LETTER, Config(ADDRESS))
    assert mail["Reply-To"] is None
    assert mail["Message-ID"] == f"<{LETTER.id}@play.example>"
    assert mail["References"] == f"<{LETTER.references[0]}@play.example>"
    assert mail.get_content().strip() == ""


def test_in_reply_to() -> None:
    mail = parsed(LETTER, Config(ADDRESS, name="Böard", reply_token="reply-to"))
    tagged = "games+holo.12.3.alice.qcrakxwifecgekoe@play.example"
    assert parseaddr(str(mail["Reply-To"])) == ("Böard", tagged)
    assert mail["From"].addresses[0].addr_spec == ADDRESS
    assert mail.get_content().strip() == ""
    # a reply copies these: a token there would be that of another letter
    assert mail["References"] == "<holo.12.0.alice@play.example>"


def test_an_answer_has_the_id_of_the_board_s_last_letter() -> None:
    config = Config(ADDRESS, reply_token="reply-to")
    marked = LETTER._replace(id=f"{LETTER.id}.0123456789abcdef1")
    assert parsed(marked, config)["Reply-To"] == parsed(LETTER, config)["Reply-To"]


def test_in_a_line_at_the_end() -> None:
    mail = parsed(LETTER, Config(ADDRESS, reply_token="text"))
    line = "Please quote: [holo.12.3.alice.qcrakxwifecgekoe]"
    assert mail.get_content().splitlines()[-1] == line
    assert mail["Reply-To"] is None


def test_where_an_address_would_be_too_long_there_is_a_line() -> None:
    """At most 64 characters come before the @ (RFC 5321)."""
    fits = "g" * (64 - len(f"+{LETTER.id}"))
    for address, has_line in ((f"{fits}@x.org", False), (f"g{fits}@x.org", True)):
        mail = parsed(LETTER, Config(address, reply_token="reply-to"))
        assert (mail["Reply-To"] is None) == has_line
        assert ("Please quote" in mail.get_content()) == has_line


@pytest.mark.parametrize("reply_token", ["reply-to", "text"])
def test_a_letter_that_proves_nothing_has_neither(reply_token: str) -> None:
    mail = parsed(LETTER._replace(id=""), Config(ADDRESS, reply_token=reply_token))
    assert mail["Reply-To"] is None
    assert mail.get_content().strip() == ""


@pytest.mark.parametrize(
    "to",
    [
        "games+{}@play.example",
        "Games <GAMES+{}@Play.Example>",
        "bob@example.org, <games+{}@play.example>",
    ],
)
def test_where_an_id_is_found(to: str) -> None:
    found = reply_tokens.brought_back([to.format(LETTER.id)], "", ADDRESS)
    assert [*found] == [f"<{LETTER.id}@play.example>"]


@pytest.mark.parametrize(
    "to",
    [
        "{}@play.example",
        "othergames+{}@play.example",
        "other.games+{}@play.example",
        "games+{}@play.example.org",
        "games+{}@other.example",
        "games-{}@play.example",
    ],
)
def test_where_no_id_is_found(to: str) -> None:
    assert not [*reply_tokens.brought_back([to.format(LETTER.id)], "", ADDRESS)]


def test_what_a_reply_answers_first() -> None:
    """In-Reply-To, then what the letter says of itself, then the rest of the thread."""
    thread = "<holo.12.0.alice.qkchdnkh3lneetrm@play.example> <2@relay.example>"
    raw = mail_of(
        "Re: holo 12: your turn",
        body=f"123:17\n\n> Please quote: [{LETTER.id}]\n",
        In_Reply_To="<2@relay.example>",
        References=thread,
        Cc="games+holo.12.2.alice.abcdefghij234567@play.example",
    )
    mail = incoming.read(raw, ADDRESS)
    assert mail is not None
    first, _ = thread.split()
    assert mail.answered == (
        "<2@relay.example>",
        "<holo.12.2.alice.abcdefghij234567@play.example>",
        f"<{LETTER.id}@play.example>",
        first,
    )
