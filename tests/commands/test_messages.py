"""What players write to each other: message and broadcast, by mail and by shell."""

import io
import sys
from collections.abc import Sequence
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbm_holomino import cli, owner
from pbm_holomino.commands.texts import passed_on
from pbm_holomino.letters.letter import Letter
from pbm_holomino.mail.message import message
from pbm_holomino.match.account import Change, Kind
from tests.house import PASSWORDS, House, home, mail_of, passwords_in
from tests.prose import plain, text_of
from tests.sizes import sized

ALICE, BOB, CAROL = home("alice"), home("bob"), home("carol")
ADDRESSES = (ALICE, BOB, CAROL)
SAY = f"message alice {PASSWORDS['alice']}"
TELL = f"broadcast alice {PASSWORDS['alice']}"
DELETE = f"delete bob {PASSWORDS['bob']}"


class Writing(House):
    """A server on which alice, bob and carol write to each other."""

    def say(self, subject: str, body: str = "Hello!", no: int = 1) -> list[Letter]:
        """The letters that leave because alice has sent the mail with this number."""
        return self.mail(mail_of(subject, body=body, Message_ID=f"<{no}@example.org>"))

    def written(self, subject: str, body: str, to: str = BOB) -> str:
        """What the player with this address is written."""
        (letter,) = [one for one in self.say(subject, body) if one.to == (to,)]
        return text_of(read(letter, self))

    def files(self) -> dict[str, bytes]:
        found = super().files().items()
        return {k: v for k, v in found if not k.startswith(("strangers", "outbox"))}


@pytest.fixture
def post(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Writing:
    monkeypatch.setenv("PBM_GAMES", str(tmp_path))
    return open_post(tmp_path)


def open_post(folder: Path) -> Writing:
    post = Writing(folder)
    post.sign_up("alice", "bob", "carol")
    return post


def read(letter: Letter, server: House) -> EmailMessage:
    """The letter as a mail program has it: 7-bit, without a secret, and narrow."""
    raw = message(letter, server.config)
    mail = message_from_bytes(raw, policy=default)
    assert isinstance(mail, EmailMessage)
    assert raw.isascii()
    assert mail.defects == []
    text = text_of(mail)
    assert all(len(line) <= 72 for line in text.splitlines())
    for secret in passwords_in(f"{text} {mail['Subject']}"):
        raise AssertionError(secret)
    return mail


def to(letters: Sequence[Letter]) -> list[str]:
    """To whom letters go, each to one address."""
    assert all(len(letter.to) == 1 for letter in letters)
    return sorted(letter.to[0] for letter in letters)


# To whom


@pytest.mark.parametrize(
    ("subject", "readers"),
    [
        (f"{SAY} bob", [BOB]),
        (f"{SAY} bob carol", [BOB, CAROL]),
        (f"{SAY} BOB Carol", [BOB, CAROL]),
        (f"{SAY} bob bob BOB", [BOB]),
        (f"{SAY} carol alice", [ALICE, CAROL]),
        (f"{SAY} alice", [ALICE]),
        (TELL, [BOB, CAROL]),
    ],
)
def test_each_reader_has_one_letter_and_the_writer_an_answer(
    post: Writing, subject: str, readers: list[str]
) -> None:
    letters = post.say(subject)
    assert to(letters) == sorted([*readers, ALICE])
    (answer,) = [letter for letter in letters if letter.replied]
    assert answer.to == (ALICE,)
    said = text_of(read(answer, post))
    if subject == TELL:
        assert "all other players who are signed on" in said
    else:
        assert all(reader.partition("@")[0] in said for reader in readers)
    for letter in letters:
        mail = read(letter, post)
        if letter is not answer:
            assert "Hello!" in text_of(mail)
            assert mail["Auto-Submitted"] == "auto-generated"


def test_a_letter_names_its_writer_but_no_address(post: Writing) -> None:
    (letter,) = [one for one in post.say(f"{SAY} bob") if one.to == (BOB,)]
    mail = read(letter, post)
    assert mail["Reply-To"] is None
    assert ALICE not in str(mail)
    assert "alice" in mail["Subject"]
    assert text_of(mail).startswith("alice writes:\n")


def test_a_reply_reaches_the_writer_whom_the_letter_names(post: Writing) -> None:
    (letter,) = [one for one in post.say(f"{SAY} bob") if one.to == (BOB,)]
    how = "To answer, reply to this letter: it goes to alice alone."
    assert plain(letter.text).endswith(how)
    letters = post.reply(letter, "Hi.")
    assert to(letters) == [ALICE, BOB]
    (told,) = [one for one in letters if one.to == (ALICE,)]
    assert told.text.startswith("bob writes:\n  Hi.\n")


def test_a_player_who_writes_without_an_address_has_no_reply_by_mail(
    post: Writing,
) -> None:
    post.type("signup dave Dave-1234")
    post.sent.clear()
    assert post.type("message dave Dave-1234 bob", "-m=Hello").status == 0
    (letter,) = post.sent
    mail = read(letter, post)
    assert mail["Reply-To"] is None
    # a reply would go to the server, which could do nothing with it
    assert "reply to this letter" not in text_of(mail)


def test_letters_go_to_all_addresses_of_a_reader(post: Writing) -> None:
    post.type(f"add bob {PASSWORDS['bob']} bob@example.net")
    letters = post.say(f"{SAY} bob")
    assert (BOB, "bob@example.net") in [letter.to for letter in letters]


@pytest.mark.parametrize("names", ["dave", "bob dave", "all", "bob 12", "-all"])
def test_nothing_is_sent_if_one_of_the_names_is_not_a_player(
    post: Writing, names: str
) -> None:
    before = post.files()
    (letter,) = post.say(f"{SAY} {names}")
    assert post.files() == before
    assert letter.to == (ALICE,)
    assert "Hello" not in text_of(read(letter, post))


def test_nothing_is_sent_to_deleted_accounts(post: Writing) -> None:
    assert post.type(DELETE).status == 0
    before = post.files()
    (letter,) = post.say(f"{SAY} carol bob")
    assert "Name 2 of 2 is not a player here." in letter.text
    assert post.files() == before
    assert to(post.say(TELL, no=2)) == [ALICE, CAROL]


# Who does not get it


def unreach(post: Writing, userid: str) -> None:
    """Have letters to a player come back until nobody believes in the address."""
    player = post.library.player(userid)
    assert player is not None
    for day in range(20, 23):
        player = player.bounced(player.addresses[0], f"2026-11-{day:02}")
    assert player.is_unreached
    post.library.save(player)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (f"{SAY} bob", "Sent to bob."),
        (f"{SAY} dave", "No letter goes to dave, who has no mail address here."),
        (
            f"{SAY} dave bob erin carol",
            "Sent to bob and carol. No letter goes to dave and erin, who have no mail "
            "address here. carol may not be getting mail from this server.",
        ),
        (
            TELL,
            "Sent to all other players who are signed on. No letter goes to dave and "
            "erin, who have no mail address here. carol may not be getting mail from "
            "this server.",
        ),
    ],
)
def test_a_writer_is_told_who_will_not_get_it(
    post: Writing, line: str, said: str
) -> None:
    """In the answer by mail and in the shell's; letters go to the others."""
    for name in ("dave", "erin"):
        assert post.type(f"signup {name} sesame77").status == 0
    unreach(post, "carol")
    letters = post.say(line)
    (own,) = [letter for letter in letters if letter.to == (ALICE,)]
    assert plain(own.text) == said
    assert plain(post.type(line, "-m=Hello!").text) == said


def test_of_many_who_will_not_get_it_the_number_is_told(post: Writing) -> None:
    for number in range(6):
        assert post.type(f"signup erin{number} sesame77").status == 0
    said = plain(post.type(TELL, "-m=Hello!").text)
    assert said.endswith("No letter goes to 6 players, who have no mail address here.")


def test_a_chat_says_who_will_not_get_it(post: Writing) -> None:
    assert post.type("signup dave sesame77").status == 0
    assert post.type("walomino challenge alice bob dave robot1").status == 0
    post.taken()
    chat = f"walomino chat 1 alice {PASSWORDS['alice']}"
    said = (
        "Sent to bob. No letter goes to dave, who has no mail address here. robot1 is "
        "a robot, and does not read."
    )
    assert plain(post.type(chat, "-m=Hello!").text) == said
    post.taken()
    own, bobs = sorted(post.say(chat), key=lambda letter: letter.to)
    assert plain(own.text) == said
    assert "Hello!" in bobs.text


# The text


@pytest.mark.parametrize("subject", [f"{SAY} bob", TELL])
@pytest.mark.parametrize(
    "body", ["", " \n\t\n", "> quoted\n", "-- \nAlice\n", "\u200b\n"]
)
def test_without_a_text_nothing_is_sent(post: Writing, subject: str, body: str) -> None:
    before = post.files()
    (letter,) = post.say(subject, body)
    assert letter.to == (ALICE,)
    assert "no text" in letter.text
    assert post.files() == before


@pytest.mark.parametrize("subject", [f"{SAY} bob", TELL])
def test_quotes_signature_and_password_stay_out(post: Writing, subject: str) -> None:
    secret = PASSWORDS["alice"]
    body = (
        f"Well.\n\nOn Monday bob wrote:\n> Eight?\n\n{secret} is it.\n-- \nA. Adams\n"
    )
    text = post.written(subject, body)
    assert "Well." in text
    assert "is it." in text
    for gone in ("Eight", "On Monday", "A. Adams", secret):
        assert gone not in text
        assert gone.encode() not in b"".join(post.files().values())


@pytest.mark.parametrize(
    "text",
    ["Grüße, 你好, żółw", "\U0001f600 and \U0001d538", "a\u00a0b", "word " * 60]
    + [
        "x" * 300,
        "-- no signature",
        "From here",
        ".",
        "a: b\n- c\n# d",
        "'\"\\",
        "%s{}",
    ],
)
def test_a_text_arrives_as_it_was_written(post: Writing, text: str) -> None:
    body = post.written(f"{SAY} bob", text)
    assert "".join(text.split()) in "".join(body.split())


@settings(max_examples=sized(30, 60))
@given(text=st.text(max_size=200), no=st.integers(1, 1 << 60))
def test_any_text_makes_a_letter(post: Writing, text: str, no: int) -> None:
    cleaned = passed_on(text)
    answer = post.type(f"{SAY} bob", f"-m={cleaned or 'x'}")
    assert answer.status == 0
    said = text_of(read(post.sent[-1], post))
    assert "".join(cleaned.split()) in "".join(said.split())
    (*_, kept) = post.data("players", "alice")["notes"].values()
    assert kept == (cleaned or "x")


def test_a_text_that_is_too_long_is_cut_off(post: Writing) -> None:
    text = post.written(f"{SAY} bob", "word " * 4000)
    assert "cut off" in text
    assert len(text) < 12_000


# One mail, one effect


@pytest.mark.parametrize("sender", [ALICE, "alice@work.example.net"])
@pytest.mark.parametrize("subject", [f"{SAY} bob", f"{SAY} alice", TELL])
def test_a_mail_that_comes_twice_is_passed_on_once(
    post: Writing, subject: str, sender: str
) -> None:
    raw = mail_of(subject, sender, "Hello!", Message_ID="<1@example.org>")
    first = post.mail(raw)
    before = post.files()
    again = post.mail(raw)
    (answer,) = [letter for letter in first if letter.replied]
    assert again == [answer]
    assert post.files() == before


# What cannot leave now


def flushed(post: Writing) -> list[str]:
    """To whom a flush sends letters."""
    status = owner.run(["flush"]).status
    mails = sorted(post.folder.glob("outbox/*.eml"))
    found = [message_from_bytes(mail.read_bytes(), policy=default) for mail in mails]
    for mail in mails:
        mail.unlink()
    assert status in (0, 75)
    return sorted(str(mail["To"]) for mail in found)


def test_a_letter_that_cannot_leave_now_goes_later(post: Writing) -> None:
    post.shut = {BOB}
    assert to(post.say(f"{SAY} bob carol")) == [ALICE, CAROL]
    assert flushed(post) == [BOB]
    assert flushed(post) == []


def test_what_is_typed_counts_though_letters_go_later(post: Writing) -> None:
    post.shut = {*ADDRESSES}
    assert post.type(f"{SAY} bob", "-m=Hello").status == 0
    assert flushed(post) == [BOB]


def test_an_answer_that_cannot_leave_leaves_with_the_same_mail(post: Writing) -> None:
    post.shut = {ALICE}
    assert to(post.say(f"{SAY} bob")) == [BOB]
    post.shut = set()
    assert {letter.to for letter in post.say(f"{SAY} bob")} == {(ALICE,)}
    assert flushed(post) == []


def test_a_message_outlives_the_account_of_its_writer(post: Writing) -> None:
    post.shut = {ALICE, CAROL}
    assert post.type(f"message bob {PASSWORDS['bob']} carol", "-m=Hello").status == 0
    assert post.type(DELETE).status == 0
    assert flushed(post) == [CAROL]
    assert b"Hello" not in b"".join(post.files().values())


def test_a_player_who_has_left_meanwhile_gets_no_letter(post: Writing) -> None:
    post.shut = {BOB}
    post.say(f"{SAY} bob")
    assert post.type(DELETE).status == 0
    assert flushed(post) == []


def test_a_damaged_reader_is_named_and_nothing_is_lost(post: Writing) -> None:
    file = post.document("players", "bob")
    whole = file.read_bytes()
    file.write_bytes(b"[")
    (letter,) = post.say(f"{SAY} carol bob")
    assert letter.to == (ALICE,)
    assert post.called("players", "bob") in plain(letter.text)
    assert to(post.say(TELL, no=2)) == [ALICE, CAROL]
    assert file.read_bytes() == b"["
    file.write_bytes(whole)
    assert to(post.say(f"{SAY} carol bob", no=3)) == [ALICE, BOB, CAROL]


def test_a_reader_whose_file_is_damaged_later_gets_the_letter_in_the_end(
    post: Writing,
) -> None:
    post.shut = {BOB}
    post.say(f"{SAY} bob carol")
    file = post.document("players", "bob")
    whole = file.read_bytes()
    file.write_bytes(b"[")
    assert flushed(post) == []
    file.write_bytes(whole)
    assert flushed(post) == [BOB]


# What is kept


def test_texts_go_when_their_line_leaves_the_log(post: Writing) -> None:
    for number in range(101):
        post.type(f"{SAY} bob", f"-m=text{number:03}.")
    data = post.data("players", "alice")
    assert len(data["log"]) == len(data["notes"]) == 100
    kept = post.document("players", "alice").read_text()
    assert "text000." not in kept
    assert "text001." in kept
    assert "text100." in kept


def test_a_message_that_would_overfill_an_account_is_answered(post: Writing) -> None:
    alice = post.library.player("alice")
    assert alice is not None
    smiles, line = (
        "\U0001f600" * 10_000,
        alice.log[0]._replace(action=Change(Kind.MESSAGE, ("bob",))),
    )
    for _ in range(41):  # in the file each of these characters takes ten bytes
        alice = alice.after(line, smiles)
    post.library.save(alice, alice.log[-1].no)
    assert post.say(f"{SAY} bob", smiles)


# The shell


def typed(monkeypatch: pytest.MonkeyPatch, given: bytes, *words: str) -> int:
    """The status of a command that is typed, with this on its standard input."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given), "utf-8"))
    for name in ("stdout", "stderr"):
        monkeypatch.setattr(sys, name, io.TextIOWrapper(io.BytesIO(), "utf-8"))
    return cli.main(["pbm", *words])


@pytest.mark.parametrize("subject", [f"{SAY} bob", f"{TELL}"])
@pytest.mark.parametrize("option", [["-m=Hello you"], ["--m", "Hello you"], []])
def test_the_text_is_given_with_m_or_typed(
    post: Writing, monkeypatch, subject: str, option: list[str]
) -> None:
    given = b"" if option else b"Hello you\n-- \nAlice Adams\n"
    assert typed(monkeypatch, given, *subject.split(), *option) == 0
    mails = [path.read_text() for path in post.folder.glob("outbox/*.eml")]
    (text,) = [mail for mail in mails if f"\nTo: {BOB}\n" in mail]
    assert "\n  Hello you\n" in text
    assert "Adams" not in text
    assert not any(f"\nTo: {ALICE}\n" in mail for mail in mails)


def test_the_password_stays_out_of_what_is_typed(post: Writing, monkeypatch) -> None:
    given = f"My word is {PASSWORDS['alice']}.\n".encode()
    assert typed(monkeypatch, given, *SAY.split(), "bob") == 0
    for content in post.files().values():
        assert not list(passwords_in(content.decode()))


def test_words_may_be_in_any_encoding(post: Writing, monkeypatch) -> None:
    assert typed(monkeypatch, b"Gr\xfc\xdfe\n", *SAY.split(), "bob") == 0


@pytest.mark.parametrize("given", [b"", b"\n\n", b"> only quoted\n"])
def test_nothing_is_typed(post: Writing, monkeypatch, given: bytes) -> None:
    before = post.files()
    assert typed(monkeypatch, given, *SAY.split(), "bob") == 1
    assert post.files() == before
