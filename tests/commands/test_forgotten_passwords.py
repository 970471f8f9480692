"""`forgot`: a word by mail for a player who no longer knows their password, and nothing
for anybody else."""

import re
from collections.abc import Callable

import pytest

from pbm_holomino.commands.allowance import GUESSES
from pbm_holomino.errors import TryLater
from pbm_holomino.match import account, forgotten
from pbm_holomino.match.account import Player, hash_password, is_token
from pbm_holomino.store.config import Config
from pbm_holomino.store.contract import WAITING
from pbm_holomino.store.files import spool
from tests.house import House, home, mail_of
from tests.prose import plain

ALICE, WORK = home("alice"), "alice@example.net"
EVE = "eve@example.com"
NEW = "Brandnew7"


def asked(house: House, userid: str = "alice") -> str:
    """What the shell answers to `forgot`."""
    answer = house.type(f"forgot {userid}")
    assert answer.status == 0
    return answer.text


def word(house: House, userid: str = "alice") -> str:
    """The word in the letter that `forgot` sends."""
    house.taken()
    asked(house, userid)
    (letter,) = house.taken()
    (found,) = re.findall(r"^  change password \S+ (~\S+) NEW$", letter.text, re.M)
    return str(found)


def change(house: House, given: str, new: str = NEW, who: str = "alice") -> int:
    return house.type(f"change password {who} {given} {new}").status


def at(house: House, time: str) -> None:
    house.time = f"2026-11-20T{time}Z"


# The letter


def test_the_letter_goes_to_all_addresses_of_the_player_and_to_nobody_else(
    house: House,
) -> None:
    house.type(f"add alice {{alice}} {WORK}")
    house.taken()
    sent = house.mail(mail_of("forgot alice", EVE))
    letter, answer = sent
    assert (letter.to, answer.to) == ((ALICE, WORK), (EVE,))
    assert letter.subject == "alice: a new password"
    assert not letter.replied
    assert "~" not in answer.text
    said = plain(letter.text)
    assert "It works once, and for an hour." in said
    assert "If you have not asked for it, you need not do anything" in said


def test_the_word_opens_the_account_once(house: House) -> None:
    given = word(house)
    assert change(house, given) == 0
    assert house.type("change digest alice {alice} on").status == 1
    assert house.type(f"change digest alice {NEW} on").status == 0
    assert change(house, given, "Another88") == 1
    assert house.type(f"change digest alice {NEW} off").status == 0


def test_the_word_comes_back_by_mail(house: House) -> None:
    given = word(house)
    (letter,) = house.mail(mail_of(f"change password alice {given} {NEW}"))
    assert letter.subject == "alice: new password"
    assert house.type(f"change digest alice {NEW} on").status == 0


@pytest.mark.parametrize(
    ("sent", "used", "status"),
    [
        ("08:00:00", "08:59:59", 0),
        ("08:00:00", "09:00:00", 0),
        ("08:59:59", "09:59:59", 0),
        ("08:00:00", "10:00:00", 1),
        ("08:59:59", "10:00:00", 1),
        ("08:30:00", "07:59:59", 1),  # the clock was set back
    ],
)
def test_the_word_is_good_for_an_hour_and_never_for_two(
    house: House, sent: str, used: str, status: int
) -> None:
    at(house, sent)
    given = word(house)
    at(house, used)
    assert change(house, given) == status


def test_the_word_is_the_same_for_an_hour(house: House) -> None:
    at(house, "08:00:00")
    first = word(house)
    at(house, "08:59:59")
    assert word(house) == first
    at(house, "09:00:00")
    assert word(house) != first


def test_a_new_password_ends_the_word_and_the_next_one_is_another(house: House) -> None:
    first = word(house)
    assert house.type(f"change password alice {{alice}} {NEW}").status == 0
    assert change(house, first, "Another88") == 1
    assert word(house) != first


def test_nobody_else_can_use_it(house: House) -> None:
    given = word(house)
    assert word(house, "bob") != given
    assert change(house, given, who="bob") == 1


LINES = (
    "holo move 1 alice {word} {move}",
    "holo resign 1 alice {word}",
    "holo showas alice {word} 1",
    "change address alice {word} eve@example.com",
    "change digest alice {word} on",
    "delete alice {word}",
    "message alice {word} bob -m=Hello",
)


@pytest.mark.parametrize("line", LINES)
def test_it_is_good_for_nothing_but_a_new_password(house: House, line: str) -> None:
    line = line.format(word=word(house), move=house.legal()[0])
    before = house.records()
    assert house.type(line).status == 1
    # not even after it was seen to fit, in the same mail
    (given,) = re.findall(r"~\S+", line)
    refused = f"change password alice {given} abc\n{line}\n"
    letters = house.mail(mail_of("multiple", EVE, refused))
    assert [letter.to for letter in letters] == [(ALICE,), (EVE,)]
    assert "4 to 64 printable" in letters[0].text
    assert "That is not the password of that player." in letters[1].text or (
        "That reply or link is not valid" in letters[1].text  # it looks like one
    )
    assert house.records() == before


def test_a_password_that_looks_like_a_word_is_still_a_password(house: House) -> None:
    old = "~abcdefghijklmnop"
    data = {**house.data("players", "alice"), "password": hash_password(old)}
    house.put("players", "alice", data)
    assert change(house, old) == 0
    assert house.type(f"change digest alice {NEW} on").status == 0


def test_the_new_password_is_judged_as_ever(house: House) -> None:
    given = word(house)
    assert change(house, given, "NEW") == 2
    assert change(house, given) == 0


# Everybody is answered the same


def no_address(house: House) -> None:
    house.type("signup carol {carol}")


def deleted(house: House) -> None:
    house.sign_up("carol")
    house.type("delete carol {carol}")


def damaged(house: House) -> None:
    house.sign_up("carol")
    house.document("players", "carol").write_text("userid: carol\n")


SCENES: dict[str, Callable[[House], None]] = {
    "no such player": lambda house: None,
    "no address": no_address,
    "deleted": deleted,
    "damaged": damaged,
}


@pytest.mark.parametrize("scene", SCENES)
def test_who_gets_no_letter_is_answered_the_same(house: House, scene: str) -> None:
    SCENES[scene](house)
    house.taken()
    before = house.records()
    assert asked(house, "carol") == asked(house)
    by_mail = [house.mail(mail_of(f"forgot {who}", EVE)) for who in ("carol", "alice")]
    ((unknown,), (_, known)) = by_mail
    assert unknown.text == known.text == asked(house)
    assert unknown._replace(key="") == known._replace(key="")
    assert house.records() == before


def test_signed_off_players_can_come_back(house: House) -> None:
    house.type("signoff bob {bob}")
    assert change(house, word(house, "bob"), who="bob") == 0
    assert house.type(f"signup bob {NEW}").status == 0


def test_three_letters_a_day(house: House) -> None:
    house.taken()
    said = {asked(house) for _ in range(10)}
    assert len(said) == 1
    assert len(house.taken()) == 3
    word(house, "bob")  # of others there are as many
    at(house, "23:59:59")
    asked(house)
    assert house.taken() == []
    house.time = "2026-11-21T00:00:00Z"
    word(house)


def letters(house: House, sender: str, userid: str = "alice") -> int:
    """How many letters reach a player because a mail from there asks for one."""
    sent = house.mail(mail_of(f"forgot {userid}", sender))
    (answer,) = (letter for letter in sent if letter.to == (sender,))
    assert "one letter a day is kept for that" in plain(answer.text)
    return sum("a new password" in letter.subject for letter in sent)


def test_strangers_leave_one_letter_to_the_player(house: House) -> None:
    """One sender gets one, under whatever tag; all strangers together get two."""
    senders = [EVE, EVE, "eve+1@example.com", "mal@example.com", "ann@example.com"]
    assert [letters(house, sender) for sender in senders] == [1, 0, 0, 1, 0]
    assert letters(house, EVE, "bob") == 1
    sent = [house.mail(mail_of("forgot alice", ALICE)) for _ in range(2)]
    assert [[letter.subject for letter in each] for each in sent] == [
        ["alice: a new password", "Re: your command: forgot"],
        ["Re: your command: forgot"],
    ]


def test_the_player_may_have_all_three(house: House) -> None:
    sent = [house.mail(mail_of("forgot alice", ALICE)) for _ in range(4)]
    assert [len(each) for each in sent] == [2, 2, 2, 1]
    assert letters(house, EVE) == 0


def test_a_forged_mail_is_a_strangers(house: House) -> None:
    """As far as the mail server here can tell."""
    house.config = Config(trust="mx.example.org")
    forged = "mx.example.org; dmarc=fail"
    for number in range(3):
        headers = {"Authentication_Results": forged, "Message_ID": f"<{number}@x>"}
        assert house.mail(mail_of("forgot alice", ALICE, **headers)) == []
    assert len(house.mail(mail_of("forgot alice", ALICE))) == 2


def test_nothing_is_hashed_and_no_account_is_written(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(*given: object) -> bytes:
        raise AssertionError("a password is hashed")

    monkeypatch.setattr(account, "_scrypt", slow)
    before = house.records()
    for _ in range(5):
        house.mail(mail_of("forgot alice", EVE))
    assert house.records() == before


def test_an_answer_that_cannot_leave_is_no_reason_to_answer_otherwise(
    house: House,
) -> None:
    said = asked(house)
    house.cannot_send()
    assert asked(house) == said


def test_a_sender_gets_no_more_answers_than_any_stranger(house: House) -> None:
    house.config = Config(answers_per_hour=2)
    sent = [house.mail(mail_of("forgot bob", EVE)) for _ in range(4)]
    assert [len(letters) for letters in sent] == [2, 1, 1, 0]
    assert "Please ask again after" in plain(sent[2][0].text)


def test_a_word_that_is_wrong_counts_as_a_guess(house: House) -> None:
    given = word(house)
    wrong = f"~{'a' * 16}"
    for number in range(GUESSES):
        mail = mail_of(f"change password alice {wrong} {NEW}{number}", EVE)
        assert "not the password" in house.mail(mail)[0].text
    mail = mail_of(f"change password alice {given} {NEW}", EVE)
    assert "Too many wrong passwords" in plain(house.mail(mail)[0].text)
    assert house.type("change digest alice {alice} on").status == 0


def test_of_two_who_use_it_at_once_one_is_late(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = word(house)
    fits = house.server.fits
    right = forgotten.fits

    def slowly(text: str, key: bytes, player: Player, now: str) -> bool:
        monkeypatch.setattr(forgotten, "fits", right)
        is_right = right(text, key, player, now)
        assert change(house, given) == 0  # somebody else is faster
        return is_right

    monkeypatch.setattr(forgotten, "fits", slowly)
    late = house.type(f"change password alice {given} Another88")
    assert (late.status, plain(late.text)) == (
        1,
        "The password of that player has just been changed.",
    )
    assert fits(NEW, house.data("players", "alice")["password"])


# Where it cannot leave


def test_nobody_is_told_that_a_letter_is_on_its_way_that_would_be_lost(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever asks, and about whomever: they are to try again, which then counts as
    their first try."""
    monkeypatch.setattr(spool, "MOST_KEPT", 1)
    house.store.kept.keep(WAITING, "old.eml", b"a letter that could not leave")
    for userid in ("alice", "alice", "nobody"):
        with pytest.raises(TryLater, match="please try again later") as refused:
            house.type(f"forgot {userid}")
        assert refused.value.status == 75
        with pytest.raises(TryLater):
            house.mail(mail_of(f"forgot {userid}", EVE))
    assert not house.taken()
    house.store.kept.remove(WAITING, "old.eml")
    letter, answer = house.mail(mail_of("forgot alice", EVE))
    assert (letter.to, answer.to) == ((ALICE,), (EVE,))


# The word itself


def test_the_word_has_eighty_bits_of_everything_that_it_follows_from() -> None:
    alice = Player("alice", "scrypt:2:1:1:00:00", (), ())
    key, now = bytes(32), "2026-11-20T08:00:00Z"
    made = {
        forgotten.word(key, alice, now),
        forgotten.word(bytes([1]) + bytes(31), alice, now),
        forgotten.word(key, alice._replace(userid="alicf"), now),
        forgotten.word(key, alice._replace(password="scrypt:2:1:1:00:01"), now),
        forgotten.word(key, alice, "2026-11-20T09:00:00Z"),
        forgotten.word(key, alice, "2026-11-21T08:00:00Z"),
    }
    assert len(made) == 6
    assert all(map(is_token, made))
    # RFC 4648 has eight letters for each five bytes
    assert {len(each) for each in made} == {1 + 10 * 8 // 5}
