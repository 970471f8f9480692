"""Mails of people who are not here yet: who is welcomed, how often, and what comes of
it."""

import re
from collections.abc import Hashable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from threading import Event, Thread, current_thread
from typing import Any

import pytest

from pbm_holomino.letters.letter import Letter
from pbm_holomino.match.times import later
from pbm_holomino.store.config import Config
from pbm_holomino.store.contract import WELCOMES
from pbm_holomino.store.welcomes import MOST_EVER, WAIT_DAYS
from tests.house import House, home, mail_of
from tests.languages.alone import english_alone
from tests.prose import count_sentences

ANNA = "Anna.Smith1984@example.com"
SUBJECT = "Welcome to a game by mail"

# What strangers write: a Subject, and a text
WORDS = [
    ("hello", ""),
    ("I want to play", "Can you tell me how this works?"),
    ("", "hi there"),
    ("Hallo, ich möchte mitspielen", ""),
    ("Spiel", "Wie geht das?"),
    ("Hoi!", "Ik wil graag meedoen"),
    ("Bonjour", "je voudrais jouer"),
    ("Hola, quiero jugar", ""),
    ("Ciao", ""),
    ("Dzień dobry", "chcę zagrać"),
    ("Привет", "Хочу играть"),
    ("你好", ""),
    ("Re: your game server", "A friend has told me about this."),
    ("subscribe", ""),
]


@pytest.fixture(autouse=True)
def no_other_language() -> Iterator[None]:
    """A welcome has a line for each."""
    with english_alone():
        yield


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path / "games").sign_up()


_sent = iter(range(1_000_000))


def mails(
    house: House, subject: str, sender: str = ANNA, body: str = "", **headers: str
) -> list[Letter]:
    """The letters that leave because of a new mail."""
    headers.setdefault("Message_ID", f"<{next(_sent)}@x>")
    return house.mail(mail_of(subject, sender, body, **headers))


def is_welcomed(
    house: House, subject: str = "hello", sender: str = ANNA, **headers: str
) -> bool:
    found = [
        letter.subject == SUBJECT for letter in mails(house, subject, sender, **headers)
    ]
    assert len(found) < 2
    return any(found)


def line_in(letter: Letter) -> str:
    """The line that the button sends."""
    found = re.search(r"^  (newcomer \w+ ~[a-z2-7]{16})$", letter.text, re.MULTILINE)
    assert found
    return found[1]


@pytest.mark.parametrize(("subject", "body"), WORDS)
def test_a_stranger_is_welcomed_in_none_of_their_words(
    house: House, subject: str, body: str
) -> None:
    (letter,) = mails(house, subject, body=body)
    assert (letter.subject, letter.to) == (SUBJECT, (ANNA,))
    (other,) = mails(house, "Moin", "anna@example.net")
    assert line_in(letter) != line_in(other)
    same = letter.text.replace(line_in(letter), line_in(other))
    assert same == other.text


def test_the_welcome_is_short_and_shows_a_board(house: House) -> None:
    (letter,) = mails(house, "hello")
    lines = letter.text.splitlines()
    plain = [x for x in lines if not re.match(r"  \S|[ /\\]", x)]
    assert count_sentences(" ".join(plain).replace("address:", "address.")) == 4
    assert any("/   __/" in line for line in lines)
    assert line_in(letter).split()[1] == "anna"  # and no more of her address
    assert "  help tutorial" in lines
    assert letter.form == "picture"


NO_PEOPLE = [
    *("info@example.com", "sales@example.com", "webmaster@example.com"),
    *("knitting-request@example.com", "owner-knitting@example.com"),
    *("knitting-bounces@example.com", "no-reply-7@example.com"),
    *("do_not_reply@example.com", "No.Reply@example.com", "newsletter-1@example.com"),
]


@pytest.mark.parametrize("sender", [*NO_PEOPLE, home("alice")])
def test_no_list_office_or_player_is_welcomed(house: House, sender: str) -> None:
    assert not is_welcomed(house, sender=sender)


@pytest.mark.parametrize("header", ["List_Unsubscribe", "Feedback_ID"])
def test_what_goes_to_many_gets_no_welcome(house: House, header: str) -> None:
    assert not is_welcomed(house, **{header: "<mailto:leave@example.com>"})


def test_dots_and_tags_make_no_other_address(house: House) -> None:
    senders = ("anna.smith@example.com", "a.n.n.a.smith+x@example.com")
    assert [is_welcomed(house, sender=one) for one in senders] == [True, False]


@pytest.mark.parametrize(
    ("subject", "body"),
    [("unsubscribe", ""), ("Please unsubscribe me", ""), ("Spam", "STOP"), ("list", "")]
    + [("Abmelden", ""), ("holo show 1", ""), ("signup anna", ""), ("Hilfe", "")],
)
def test_who_asks_for_something_else_gets_no_welcome(
    house: House, subject: str, body: str
) -> None:
    assert SUBJECT not in [x.subject for x in mails(house, subject, body=body)]


def test_what_was_forged_or_is_spam_gets_no_welcome(house: House) -> None:
    house.config = Config(trust="mx.example.org")
    for marked in (
        {"Authentication_Results": "mx.example.org; dmarc=fail"},
        {"Authentication_Results": "mx.example.org; dmarc=pass", "X_Spam_Flag": "YES"},
    ):
        assert mails(house, "hello", **marked) == []
    assert is_welcomed(house)


def test_where_signups_are_closed_nobody_is_welcomed(house: House) -> None:
    (letter,) = mails(house, "hello")
    house.config = Config(signups="closed")
    assert not is_welcomed(house, sender="ben@example.com")
    (refused,) = mails(house, line_in(letter))
    assert "takes no new players" in refused.text


# How often


def test_an_address_is_welcomed_once_in_thirty_days_and_three_times_ever(
    house: House,
) -> None:
    begin = house.time
    times = [n for n in range(4 * WAIT_DAYS) if _on(house, later(begin, n))]
    assert times == [0, 30, 60]
    assert len(times) == MOST_EVER


def _on(house: House, time: str) -> bool:
    house.time = time
    tag = time[8:10]
    return is_welcomed(house, sender=f"anna.smith1984+{tag}@EXAMPLE.com")


def test_sixty_strangers_are_welcomed_in_an_hour(house: House) -> None:
    found = [is_welcomed(house, sender=f"x{n}@example.com") for n in range(63)]
    assert found == [True] * 60 + [False] * 3
    house.time = later(house.time, seconds=3_600)
    assert is_welcomed(house, sender="x61@example.com")
    # what is remembered is no address
    kept = b"".join(text for path, text in house.files().items() if WELCOMES in path)
    assert kept.count(b"2026-11-20 1") == 61
    assert b"example" not in kept


def test_what_is_remembered_is_bounded(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbm_holomino.store.welcomes._MOST_LINES", 1)
    assert [is_welcomed(house, sender=f"x{n}@example.com") for n in range(50)]
    kept = b"".join(text for path, text in house.files().items() if WELCOMES in path)
    assert 1 < kept.count(b" 1") <= 32


def test_a_record_that_is_damaged_stops_nobody(house: House) -> None:
    assert is_welcomed(house)
    (name,) = house.store.names(WELCOMES)
    house.damage(WELCOMES, name)
    assert is_welcomed(house)


# The button


def test_the_button_makes_an_account_and_begins_a_game(house: House) -> None:
    (letter,) = mails(house, "hello")
    line = line_in(letter)
    welcome, board = mails(house, line, Message_ID="<tap@x>")
    assert (welcome.subject, welcome.to) == ("anna: welcome", (ANNA,))
    assert "  forgot anna" in welcome.text.splitlines()
    assert "holo challenge anna robot" not in welcome.text
    assert board.subject == "holo 1: a new game, your turn"
    assert board.token
    # the same mail again is answered alike, and another tap changes nothing
    assert [x.text for x in mails(house, line, Message_ID="<tap@x>")] == [
        welcome.text,
        board.text,
    ]
    (again,) = mails(house, line)
    assert "  all show anna next" in again.text.splitlines()
    (other,) = mails(house, line.replace("anna", "anna2"))
    assert "You are anna here already." in other.text
    assert house.library.lists.boards("holo") == [1]
    # she plays by reply, and nobody has a password
    move = house.legal()[0]
    (moved,) = house.reply(board, move)
    assert f"You played {move}" in moved.text
    assert house.type("holo move 1 anna - 1:2").status
    asked = mails(house, "forgot password")
    word = re.search(r"change password anna (~\w{16})", asked[0].text)
    assert word
    changed = mails(house, f"change password anna {word[1]} sesame")
    assert [x.text for x in changed] == ["Your password is changed, anna.\n"]
    assert house.type("change digest anna sesame on").status == 0


def test_two_taps_at_once_make_one_account(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Under two names: the second waits for the first, and is judged after it."""
    line = line_in(mails(house, "hello")[0])
    second = Thread(target=mails, args=(house, line.replace("anna", "anna2")))
    waits, lock, save = Event(), house.store.lock, house.store.save

    def locked(folder: str, name: str) -> AbstractContextManager[None]:
        if folder == WELCOMES and current_thread() is second:
            waits.set()
        return lock(folder, name)

    def saved(folder: str, name: str, *data: Any) -> Hashable:
        if name == "anna" and not waits.is_set():
            second.start()
            assert waits.wait(60)
        return save(folder, name, *data)

    monkeypatch.setattr(house.store, "lock", locked)
    monkeypatch.setattr(house.store, "save", saved)
    mails(house, line)
    second.join(60)
    assert house.library.account("anna")
    assert house.library.account("anna2") is None
    assert house.library.lists.boards("holo") == [1]


def test_the_line_serves_its_address_alone(house: House) -> None:
    (letter,) = mails(house, "hello")
    line = line_in(letter)
    for sender in ("eve@example.com", home("alice")):
        (refused,) = mails(house, line, sender)
        assert refused.text.startswith("That works only in a mail of its own,")
    (several,) = mails(house, "multiple", body=line)
    assert "That works only in a mail of its own," in several.text
    assert house.type(line).status == 1
    house.config = Config(trust="mx.example.org")
    forged = {"Authentication_Results": "mx.example.org; dmarc=fail"}
    assert mails(house, line, **forged) == []
    assert house.library.account("anna") is None
    passed = {"Authentication_Results": "mx.example.org; dmarc=pass"}
    assert len(mails(house, line, **passed, X_Spam_Flag="YES")) == 2


NAMES = {
    "anna@x.org": "anna2",
    "Ben.Miller@x.org": "ben",
    "next@x.org": "next2",
    "zug@x.org": "zug2",
    "7up@x.org": "player",
    "b@x.org": "player",
    f"{'x' * 64}@x.org": "x" * 20,
}


@pytest.mark.parametrize("address", NAMES)
def test_the_name_is_free_and_like_the_address(house: House, address: str) -> None:
    house.sign_up("anna")
    (letter,) = mails(house, "hello", address)
    assert line_in(letter).split()[1] == NAMES[address]
    assert len(mails(house, line_in(letter), address)) == 2


def test_a_name_that_was_taken_meanwhile_gets_a_number(house: House) -> None:
    (letter,) = mails(house, "hello")
    house.sign_up("anna")
    (refused,) = mails(house, line_in(letter))
    assert refused.text.startswith('The userid "anna" is taken')
    assert line_in(refused) == line_in(letter).replace("anna", "anna2")
    assert len(mails(house, line_in(refused))) == 2
    # nor does an edited one have to be theirs
    (letter,) = mails(house, "hello", "ben@example.com")
    assert len(mails(house, line_in(letter).replace("ben", "benny"), "ben@example.com"))
    assert house.library.account("benny") is not None


# What players mean


def test_a_player_who_subscribes_is_told_what_there_is(house: House) -> None:
    (letter,) = mails(house, "subscribe alice xanadu", home("alice"))
    assert "  change digest alice PASSWORD on" in letter.text.splitlines()
    assert "xanadu" not in letter.text


def test_our_own_subject_in_a_new_mail_plays_nothing(house: House) -> None:
    house.accept(house.challenge())
    before = house.records()
    for subject in ("holo 1: your turn", "alice: it is your turn"):
        house.time = later(house.time, seconds=3_600)
        (letter,) = mails(house, subject, home("alice"), house.legal()[0])
        assert letter.to == (home("alice"),)
        assert house.records() == before
    house.time = later(house.time, seconds=3_600)
    (letter,) = mails(house, "holo 1: your turn", home("alice"))
    assert letter.token  # a reply to it plays, and another such mail brings no other
    assert not mails(house, "holo 1: your turn", home("alice"))[0].token
    assert house.reply(letter, house.legal()[0])
    assert house.records() != before


# Players


def test_a_players_word_that_needs_a_board_brings_one_to_reply_to(house: House) -> None:
    house.type("holo challenge alice robot1")
    house.taken()
    (letter,) = mails(house, "Hint", home("alice"))
    assert letter.to == (home("alice"),)
    assert "reply to this letter with the same word" in " ".join(letter.text.split())
    (answer,) = house.reply(letter, "hint")
    assert "A robot is thinking about your move." in " ".join(answer.text.split())
    (second,) = mails(house, "resign", home("alice"))
    assert second.text.startswith('There is no command "resign".')  # once an hour


def test_a_players_word_that_needs_one_of_several_boards_offers_them(
    house: House,
) -> None:
    for _ in range(2):
        house.type("holo challenge alice bob")
    house.taken()
    (letter,) = mails(house, "hint", home("alice"))
    assert "\n- Holomino 1 against bob\n- Holomino 2 against bob\n" in letter.text
    assert "hint" not in letter.text


def test_a_players_word_that_needs_a_game_offers_each(house: House) -> None:
    (letter,) = mails(house, "", home("alice"), "ratings")
    assert "\n  holo ratings\n" in letter.text
    assert "PASSWORD" not in letter.text


@pytest.mark.parametrize("words", ["I want to stop", "Abmelden!", "opt out please"])
def test_a_player_who_wants_to_stop_is_told_what_can_end(
    house: House, words: str
) -> None:
    (letter,) = mails(house, words, home("alice"))
    assert letter.to == (home("alice"),)
    (line,) = re.findall(r"^  (unsubscribe alice ~\w{16})$", letter.text, re.MULTILINE)
    for end in ("signoff alice PASSWORD", "delete alice PASSWORD", '"resign"'):
        assert end in letter.text
    (done,) = mails(house, line, home("alice"))
    assert "no more digests" in done.text
    assert mails(house, words, ANNA) != [letter]
