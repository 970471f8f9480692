"""Players invite people who have no account: who gets a letter, how often, and what
comes of it."""

from pathlib import Path

import pytest

from pbm_holomino.errors import StoreTrouble
from pbm_holomino.letters.letter import Letter
from pbm_holomino.mail.message import message
from pbm_holomino.match.times import later
from pbm_holomino.store.config import Config
from pbm_holomino.store.contract import PLAYERS, WELCOMES
from tests.house import PASSWORDS, House, home, mail_of

ZOE = "Zoe.Smith@example.net"
SUBJECT = "An invitation from alice, to play a game by mail"


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path / "games").sign_up("alice", "bob", "carol")


_sent = iter(range(1_000_000))


def mails(
    house: House, subject: str, sender: str = ZOE, body: str = "", **headers: str
) -> list[Letter]:
    """The letters that leave because of a new mail."""
    headers.setdefault("Message_ID", f"<{next(_sent)}@x>")
    return house.mail(mail_of(subject, sender, body, **headers))


def invite(
    house: House,
    address: str = ZOE,
    who: str = "alice",
    line: str = "invite",
    options: str = "",
) -> list[Letter]:
    """The letters that leave to others because a player invites somebody."""
    subject = f"{line} {who} {PASSWORDS.get(who, 'secret')} {address} {options}"
    sent = mails(house, subject, home(who))
    (own,) = (letter for letter in sent if letter.to == (home(who),))
    assert own.subject == f"{who}: your invitation", own.text
    return [letter for letter in sent if letter != own]


def refused(house: House, address: str, who: str = "alice") -> str:
    """What a player is told who may not invite somebody."""
    subject = f"invite {who} {PASSWORDS.get(who, 'secret')} {address}"
    (answer,) = mails(house, subject, home(who))
    assert answer.subject == "Re: your command: invite"
    return " ".join(answer.text.split())


def reply(
    house: House, letter: Letter, line: str, sender: str = ZOE, subject: str = ""
) -> list[Letter]:
    """The letters that leave because of a reply to a letter."""
    answered = f"<{letter.id}@localhost>"
    subject = subject or f"Re: {letter.subject}"
    return mails(house, subject, sender, line, In_Reply_To=answered)


def lines(letter: Letter) -> list[str]:
    """The lines that the buttons of an invitation send."""
    own = [x.strip() for x in letter.text.splitlines() if x.startswith("  ")]
    return [line for line in own if "~" in line]


def test_an_invitation_has_no_words_but_the_servers(house: House) -> None:
    text = f"invite alice {PASSWORDS['alice']} {ZOE}"
    sent = mails(house, text, home("alice"), "Buy my things at https://evil.example")
    (letter,) = (one for one in sent if one.to == (ZOE,))
    assert (letter.subject, letter.form, letter.replied) == (SUBJECT, "picture", False)
    assert "evil" not in letter.text
    assert home("alice") not in letter.text
    accept, never = lines(letter)
    assert accept.startswith("newcomer zoe ~")
    assert never.startswith("never ~")
    raw = message(letter, house.config).decode()
    assert "List-Unsubscribe: <mailto:pbm@localhost?subject=never%20~" in raw
    assert max(map(len, letter.text.splitlines())) <= 72


def test_nothing_is_kept_of_an_address_when_the_letter_has_left(house: House) -> None:
    invite(house)
    kept = b"".join(house.files().values()).lower()
    assert b"zoe" not in kept
    assert b"example.net" not in kept
    (name,) = house.store.names(WELCOMES)
    assert house.data(WELCOMES, name)["by"] == "alice"


def test_a_letter_that_could_not_leave_is_sent_later(house: House) -> None:
    house.cannot_send()
    house.mail(mail_of(f"invite alice {PASSWORDS['alice']} {ZOE}", Message_ID="<m@x>"))
    assert house.data(PLAYERS, "alice")["notes"]
    house.trouble = None
    again = mail_of(f"invite alice {PASSWORDS['alice']} {ZOE}", Message_ID="<m@x>")
    assert (ZOE,) in [letter.to for letter in house.mail(again)]
    assert house.data(PLAYERS, "alice")["notes"] == {}
    assert (ZOE,) not in [letter.to for letter in house.mail(again)]


@pytest.mark.parametrize("line", ["accept zoe", "Accept as Zoe.", "button"])
def test_who_accepts_has_an_account_and_a_board(house: House, line: str) -> None:
    letter, *_ = invite(house, line="hextol challenge", options="-pool_size=5")
    assert not house.store.exists(PLAYERS, "zoe")
    assert not house.store.names("hextol")
    button, _ = lines(letter)
    if line == "button":
        welcome, *boards = mails(house, button)
    else:
        welcome, *boards = reply(house, letter, line)
    assert (welcome.to, welcome.subject) == ((ZOE,), "zoe: welcome")
    assert {letter.to for letter in boards} == {(home("alice"),), (ZOE,)}
    board = house.data("hextol", "1")
    assert board["players"] == ["alice", "zoe"]
    assert board["options"]["pool_size"] == "5"


def test_a_name_is_found_for_who_gives_none(house: House) -> None:
    (letter,) = invite(house, "bob@example.net")
    welcome, *_ = reply(house, letter, "accept", "bob@example.net")
    assert welcome.subject == "bob2: welcome"


def test_who_has_been_invited_by_nobody_who_can_play_meets_a_robot(
    house: House,
) -> None:
    (letter,) = invite(house)
    assert house.type("signoff alice {alice}").status == 0
    welcome, board = reply(house, letter, "accept zoe")
    assert (welcome.subject, board.to) == ("zoe: welcome", (ZOE,))
    assert "alice" not in house.data("holo", "1")["players"]


def test_the_same_mail_accepts_once(house: House) -> None:
    (letter,) = invite(house)
    raw = mail_of(lines(letter)[0], ZOE, Message_ID="<same@x>")
    house.mail(raw)
    house.mail(raw)
    assert house.store.names("holo") == ["1"]


def test_nobody_else_can_accept_or_refuse(house: House) -> None:
    (letter,) = invite(house)
    for line in lines(letter):
        (answer,) = mails(house, line, "eve@example.org")
        assert "That works only in a mail of its own" in answer.text
    for line in ("accept zoe", "never"):
        (answer,) = reply(house, letter, line, "eve@example.org")
        assert "That works only in a mail of its own" in answer.text
    house.config = Config(trust="mx.example.org")
    forged = {"Authentication_Results": "mx.example.org; dmarc=fail"}
    assert mails(house, lines(letter)[0], **forged) == []
    assert not house.store.exists(PLAYERS, "zoe")


def test_another_reply_is_told_what_to_write(house: House) -> None:
    (letter,) = invite(house)
    (answer,) = reply(house, letter, "Who are you?")
    assert "  accept zoe\n" in answer.text
    assert "unsubscribe" not in answer.text


@pytest.mark.parametrize("line", ["never", "Never again!", "unsubscribe", "STOP"])
def test_who_wants_no_letters_gets_none(house: House, line: str) -> None:
    (letter,) = invite(house)
    (answer,) = reply(house, letter, line)
    assert answer.to == (ZOE,)
    assert "will not write" in answer.text
    assert [x.subject for x in mails(house, "hello")] == ["Re: your command"]
    for typed in (
        f"signup eve secret {ZOE}",
        f"add bob {{bob}} {ZOE.lower()}",
        f"change address bob {{bob}} {ZOE}",
    ):
        told = house.type(typed)
        assert told.status, typed
        assert "wants no letters" in told.text
    assert house.mail(mail_of(f"signup zoe secret {ZOE}", ZOE))[0].to == (ZOE,)


def test_an_address_gets_one_letter_ever_and_nobody_is_told(house: House) -> None:
    (letter,) = invite(house)
    now = later(house.server.now(), 400)
    house.server.now = lambda: now
    for who in ("alice", "bob"):
        assert invite(house, "zoesmith+x@example.net", who) == []
    assert invite(house, home("carol"), "bob") == []  # she plays here
    assert invite(house, "carol@elsewhere.example", "bob") != []


def test_a_player_invites_three_people_a_day_and_all_thirty(house: House) -> None:
    for name in "xyz":
        assert invite(house, f"{name}@example.net")
    assert "You have asked for 3" in refused(house, "more@example.net")
    now = later(house.server.now(), 1)
    house.server.now = lambda: now
    assert invite(house, "more@example.net")


def test_who_wants_many_accounts_has_no_more(house: House) -> None:
    """What all have together is shared with those who have been here for a while."""
    names = [f"new{no}" for no in range(6)]
    house.sign_up(*names)
    for name in names[:5]:
        for number in range(3):
            assert invite(house, f"{name}{number}@example.net", name)
    assert "as it sends in a day" in refused(house, "last@example.net", names[5])


@pytest.mark.parametrize(
    ("signups", "can_invite", "can_sign_up"),
    [("open", True, True), ("invited", True, False), ("closed", False, False)],
)
def test_the_owner_says_who_may_come(
    house: House, signups: str, can_invite: bool, can_sign_up: bool
) -> None:
    house.config = Config(signups=signups)
    if can_invite:
        (letter,) = invite(house)
        assert reply(house, letter, "accept zoe")[0].subject == "zoe: welcome"
    else:
        assert "takes no new players" in refused(house, ZOE)
    dora = "dora@example.com"
    (letter,) = mails(house, "hello", dora)
    assert letter.subject.startswith("Welcome") == can_sign_up
    (letter, *_) = mails(house, "signup dora secret", dora)
    assert (letter.subject == "dora: welcome") == can_sign_up
    assert ("by invitation" in letter.text) == (signups == "invited")


def test_a_welcome_is_no_invitation(house: House) -> None:
    (welcome,) = mails(house, "hello")
    line = next(x.strip() for x in welcome.text.splitlines() if "newcomer" in x)
    house.config = Config(signups="invited")
    (answer,) = mails(house, line)
    assert "by invitation" in answer.text


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("invite alice wrong-one zoe@example.net", "not the password"),
        ("invite alice {alice} zoe", "should be a mail address"),
        ("invite nobody {alice} zoe@example.net", "no player of that name"),
        ("holo invite alice {alice} z@example.net -pool_size=99", "pool_size"),
        ("holo challenge alice bob zoe@example.net", "not the password"),
        ("holo challenge alice zoe@example.net", "A word is missing: address"),
    ],
)
def test_a_wrong_invitation_sends_nothing(house: House, line: str, why: str) -> None:
    answer = house.type(line)
    assert answer.status
    assert why in answer.text
    assert house.sent == []
    assert house.store.names(WELCOMES) == []


def test_a_mail_that_comes_again_after_a_fault_sends_its_letter(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = mail_of(f"invite alice {PASSWORDS['alice']} {ZOE}", Message_ID="<m@x>")

    def full(*words: object) -> None:
        raise StoreTrouble("The disk is full.")

    with monkeypatch.context() as patched:
        patched.setattr(house.server, "saved", full)
        with pytest.raises(StoreTrouble):
            house.mail(raw)
    other = mail_of(f"invite bob {PASSWORDS['bob']} {ZOE}", home("bob"))
    # over files the first one counts, and over a database neither has
    letters = [*house.mail(other), *house.mail(raw)]
    assert [letter.to for letter in letters].count((ZOE,)) == 1


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("resign", "is a word of the commands"),
        ("bob", "is taken"),
        ("x", "That is not a userid"),
        ("robot3", "is the name of a robot"),
        ("zoe' or 1=1", "This letter is an invitation"),
        ("by_invitation", "is a word of the commands"),
    ],
)
def test_not_every_name_can_be_chosen(house: House, name: str, why: str) -> None:
    (letter,) = invite(house)
    (answer,) = reply(house, letter, f"accept {name}")
    assert why in " ".join(answer.text.split())
    assert answer.to == (ZOE,)
    assert not house.store.names("holo")


def test_a_player_who_was_invited_cannot_say_never(house: House) -> None:
    (letter,) = invite(house)
    reply(house, letter, "accept zoe")
    (answer,) = reply(house, letter, "never")
    assert "You play here, as zoe" in answer.text


def test_several_commands_may_hold_invitations_but_accept_none(house: House) -> None:
    (letter,) = invite(house)
    (answer,) = mails(house, "multiple", body="\n".join(lines(letter)))
    assert answer.text.count("That works only in a mail of its own") == 2


def as_quoted(letter: Letter) -> str:
    return "\n".join(f"> {line}" for line in letter.text.splitlines())


@pytest.mark.parametrize("line", ["accept zoe", "Accept as Zoe."])
def test_a_reply_that_names_no_letter_accepts_by_the_word_that_it_quotes(
    house: House, line: str
) -> None:
    (letter,) = invite(house)
    body = f"{line}\n\nalice wrote:\n{as_quoted(letter)}\n"
    subject = f"Re: {letter.subject}"
    (answer,) = mails(house, subject, "eve@example.org", body)
    assert "That works only in a mail of its own" in answer.text
    welcome, *_ = mails(house, subject, ZOE, body)
    assert (welcome.to, welcome.subject) == ((ZOE,), "zoe: welcome")
    assert house.data("holo", "1")["players"] == ["alice", "zoe"]


def test_a_reply_that_names_no_letter_refuses_by_it_too(house: House) -> None:
    (letter,) = invite(house)
    (answer,) = mails(house, "Re: hi", ZOE, f"never\n{as_quoted(letter)}")
    assert "will not write" in answer.text


def test_without_the_word_nothing_is_accepted(house: House) -> None:
    (letter,) = invite(house)
    (answer,) = mails(house, f"Re: {letter.subject}", ZOE, "accept zoe")
    assert not house.store.exists(PLAYERS, "zoe")
    assert answer.subject.startswith("Welcome")


def test_what_quotes_the_word_and_asks_nothing_gets_a_welcome(house: House) -> None:
    (letter,) = invite(house)
    body = f"Who are you?\n\n{as_quoted(letter)}\n"
    (answer,) = mails(house, f"Re: {letter.subject}", ZOE, body)
    assert answer.subject.startswith("Welcome")
