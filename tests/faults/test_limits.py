"""What strangers can have done within an hour, and what one mail may cost."""

import hashlib
import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pbm_holomino.commands import allowance, queries
from pbm_holomino.letters.content import Lines, plain
from pbm_holomino.letters.letter import Letter
from pbm_holomino.match.account import fits_password
from pbm_holomino.resident.cache import Passwords
from pbm_holomino.store.config import Config
from pbm_holomino.store.files import counters
from pbm_holomino.store.files.store import FileStore
from tests.house import House, mail_of

ALICE, BOB, EVE = "alice@example.org", "bob@example.org", "eve@example.net"
MOVE = "holo move 1 alice xanadu 142:4"


class Site:
    """A server with a board, on which it is alice's turn; each mail is a new one."""

    def __init__(self, server: House) -> None:
        server.challenge()
        self.server = server
        self.set_hour(8)
        self.sent = 0

    def set_hour(self, hour: int) -> None:
        """Set the clock to half past an hour."""
        self.hour = hour
        self.server.time = f"2026-11-20T{hour:02}:30:00Z"

    def limit(self, **limits: int) -> None:
        self.server.config = Config()._replace(**limits)  # type: ignore[arg-type]

    def mail(self, subject: str, sender: str = EVE, body: str = "") -> list[Letter]:
        self.sent += 1
        name = f"<{self.sent}@example.net>"
        return self.server.mail(mail_of(subject, sender, body, Message_ID=name))

    def texts(self, subject: str, sender: str = EVE, body: str = "") -> list[str]:
        """What the letters say, each in one line."""
        letters = self.mail(subject, sender, body)
        return [" ".join(letter.text.split()) for letter in letters]

    def several(self, *lines: str, sender: str = EVE) -> str:
        """The one letter that answers these commands."""
        (letter,) = self.mail("multiple", sender, "\n".join(lines))
        return letter.text


@pytest.fixture
def site(server: House) -> Site:
    return Site(server)


def reach(letters: list[Letter], address: str) -> int:
    return sum(address in letter.to for letter in letters)


# Counting


def test_counting_does_not_grow_with_the_strangers(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    # a key under which none of these names shares its slot with another
    monkeypatch.setattr(os, "urandom", bytes)
    counted = site.server.store.counters
    hour = ("strangers", "2026112004")
    counted.count(*hour, "the first")
    calls: list[str] = []
    for name in ("listdir", "scandir", "pread", "pwrite", "fsync"):
        monkeypatch.setattr(os, name, counting(calls, name, getattr(os, name)))
    costs = []
    for number in range(1000):
        calls.clear()
        assert counted.count(*hour, f"somebody {number}") == 0
        costs.append(sorted(calls))
    assert costs[-1] == costs[0]
    assert {*costs[0]} == {"pread", "pwrite"}
    (path,) = (site.server.folder / "strangers").iterdir()
    assert path.stat().st_size == counters.SIZE


def counting(calls: list[str], name: str, call: Callable[..., Any]) -> Any:
    def counted(*words: Any, **named: Any) -> Any:
        calls.append(name)
        return call(*words, **named)

    return counted


def test_many_strangers_do_not_use_up_somebody_elses_answers(tmp_path: Path) -> None:
    """10,000 counted names leave those that have not come where they were: each shares
    both of its slots with others with a probability of 1 in 700."""
    counted = FileStore(str(tmp_path)).counters
    hour = ("strangers", "2026112004")
    for number in range(10_000):
        counted.count(*hour, f"somebody {number}")
    others = [counted.count_of(*hour, f"another {number}") for number in range(1000)]
    everybody = (f"somebody {number}" for number in range(10_000))
    assert all(counted.count_of(*hour, name) for name in everybody)
    assert max(others) <= 2
    assert sum(map(bool, others)) <= 20


def test_nobody_can_tell_who_shares_their_counter(tmp_path: Path) -> None:
    """The slots of names differ from hour to hour."""
    counted = FileStore(str(tmp_path)).counters
    files = []
    for hour in "12":
        counted.count("strangers", hour, "somebody")
        files.append((tmp_path / "strangers" / hour).read_bytes()[32:])
    assert files[0] != files[1]
    assert [text.count(b"\x01") for text in files] == [2, 2]


# By kind


@pytest.mark.parametrize(
    ("garbage", "kind"),
    [
        ("xyzzy", "refusals"),
        ("holo move 1 alice wrong 142:4", "refusals"),
        ("holo show 1", "questions"),
        ("help", "questions"),
    ],
)
def test_forged_mails_do_not_silence_the_players_they_name(
    site: Site, garbage: str, kind: str
) -> None:
    site.limit(answers_per_hour=5)
    answers = [len(site.mail(garbage, ALICE)) for _ in range(10)]
    assert answers == [1] * 6 + [0] * 4  # the sixth says when it goes on
    assert len(site.mail("holo games" if kind == "refusals" else "plugh", ALICE)) == 1
    assert reach(site.mail(MOVE, ALICE), ALICE) == 1


def test_that_there_were_too_many_is_said_once_an_hour(site: Site) -> None:
    site.limit(answers_per_hour=2)
    for subject in ("help", "xyzzy"):
        for hour, until in ((8, "09:00 UTC"), (23, "00:00 UTC")):
            site.set_hour(hour)
            texts = [site.texts(subject) for _ in range(5)]
            assert [len(each) for each in texts] == [1, 1, 1, 0, 0]
            assert until in texts[2][0]
            assert until not in texts[0][0] + texts[1][0]


def test_tags_of_an_address_count_together(site: Site) -> None:
    site.limit(answers_per_hour=3)
    names = ["eve", "eve+a", "EVE+b", "eve+", "eve+a+b"]
    answers = [len(site.mail("help", f"{name}@Example.Net")) for name in names]
    assert answers == [1, 1, 1, 1, 0]
    assert len(site.mail("help", "evelyn@example.net")) == 1


def test_a_question_that_is_not_answered_reads_no_board(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.limit(answers_per_hour=1)
    read: list[str] = []
    store = site.server.store
    monkeypatch.setattr(store, "find", counting(read, "find", store.find))
    for subject in ("holo show 1", "holo show alice", "list", "holo preview 1 142:4"):
        site.mail(subject)
        read.clear()
        site.mail(subject)
        assert read == []


# Challenges and signups


def test_challenges_from_many_addresses_do_not_fill_a_mailbox(site: Site) -> None:
    """Five players challenge one, each with as many mails as an address gets answered,
    and by turns from another of their own five addresses."""
    site.limit(answers_per_hour=4)
    others = [f"eve{n}" for n in "abcde"]
    for name in others:
        addresses = " ".join(f"{name}{k}@example.net" for k in range(5))
        assert site.server.type(f"signup {name} tomato {addresses}").status == 0
    told = opened = 0
    for number in range(12):
        for name in others:
            sender = f"{name}{number % 5}@example.net"
            letters = site.mail(f"holo challenge {name} alice", sender)
            told += reach(letters, ALICE)
            opened += len(letters) > 1
    assert (told, opened) == (4, 4)
    # bob is told so, once, and alice can move
    texts = [site.texts("holo challenge bob alice", BOB) for _ in range(3)]
    assert [len(each) for each in texts] == [1, 0, 0]
    assert "letters about new games" in texts[0][0]
    assert reach(site.mail(MOVE, ALICE), ALICE) == 1
    site.set_hour(site.hour + 1)
    assert len(site.mail("holo challenge bob alice", BOB)) == 2


def test_repeated_challenges_do_not_fill_a_mailbox(site: Site) -> None:
    """Whoever knows the Message-ID can send it again, with the player's address."""
    site.limit(answers_per_hour=4)
    raw = mail_of("holo challenge alice bob", ALICE, Message_ID="<1@example.org>")
    assert len(site.server.mail(raw)) == 2
    told = [reach(site.server.mail(raw), ALICE) for _ in range(10)]
    assert told == [1] * 5 + [0] * 5
    assert site.server.library.lists.boards("holo") == [1, 2]


@pytest.mark.parametrize("password", ["xanadu", "wrong"])
def test_repeated_moves_do_not_fill_a_mailbox(site: Site, password: str) -> None:
    site.limit(answers_per_hour=4)
    raw = mail_of(MOVE, ALICE, Message_ID="<1@example.org>")
    assert len(site.server.mail(raw)) == 2
    raw = raw.replace(b"xanadu", password.encode())
    told = [reach(site.server.mail(raw), ALICE) for _ in range(10)]
    assert told == [1] * 5 + [0] * 5
    assert len(site.server.match().record.log) == 2


def test_sign_ups_per_hour_are_limited(site: Site) -> None:
    """From whatever addresses; and those who cannot leave nothing behind."""
    assert Config().signups_per_hour == 60
    site.limit(signups_per_hour=7)
    for number in range(20):
        site.mail(f"signup user{number} tomato", f"eve{number}@example.net")
    assert len(site.server.library.signed_on()) == 2 + 7
    assert len(site.server.store.names("players")) == 2 + 7
    locked = [path.stem for path in site.server.path("players").glob("*.lock")]
    assert {*locked} <= {*site.server.library.signed_on()}
    (text,) = site.texts("signup carol tomato", "carol@example.net")
    assert "after 09:00 UTC" in text
    assert site.texts("signup carol tomato", "carol@example.net") == []
    assert site.server.type("signup carol tomato").status == 0  # in the shell one can
    site.set_hour(site.hour + 1)
    assert "Welcome" in site.texts("signup dave tomato", "dave@example.net")[0]


def test_one_sender_gets_half_of_an_hours_sign_ups(site: Site) -> None:
    """Whatever addresses the accounts have; so others can sign up, too."""
    site.limit(signups_per_hour=7)
    for number in range(6):
        site.mail(
            f"signup user{number} tomato u{number}@example.org", f"eve+{number}@x.org"
        )
    assert len(site.server.library.signed_on()) == 2 + 4
    assert "Welcome" in site.texts("signup carol tomato", "carol@example.net")[0]


def test_a_player_who_signs_on_again_is_no_new_player(site: Site) -> None:
    site.limit(signups_per_hour=0)
    assert site.server.type("signoff alice xanadu").status == 0
    (letter,) = site.mail("signup alice xanadu", ALICE)
    assert letter.to == (ALICE,)
    assert "alice" in site.server.library.signed_on()


# Passwords


@pytest.fixture
def hashes(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """The passwords that are hashed from now on."""
    made: list[bytes] = []
    scrypt = hashlib.scrypt

    def counted(password: bytes, **named: Any) -> bytes:
        made.append(password)
        return scrypt(password, **named)

    monkeypatch.setattr(hashlib, "scrypt", counted)
    return made


def guess(site: Site, sender: str, number: int = 0) -> list[str]:
    return site.texts(f"holo showas alice wrong{number}", sender)


def test_from_one_sender_twenty_wrong_passwords_are_looked_at(
    site: Site, hashes: list[bytes]
) -> None:
    told = [guess(site, f"eve+{n}@example.net", n) for n in range(30)]
    assert len(hashes) == 20
    assert "not the password" in told[19][0]
    assert "checked again after 09:00 UTC" in told[20][0]
    # for no other account either, and not even the right one
    assert "checked again" in site.texts("holo showas bob better4", EVE)[0]
    assert len(hashes) == 20
    # others, and the shell, are as free as ever
    assert reach(site.mail("holo showas alice xanadu", "carol@example.net"), ALICE) == 1
    assert site.server.type("holo showas alice wrong").status == 1
    assert site.server.type("holo showas alice xanadu").status == 0
    site.set_hour(site.hour + 1)
    assert reach(site.mail("holo showas alice xanadu", EVE), ALICE) == 1


def test_of_all_other_senders_two_hundred_are_looked_at(
    site: Site, hashes: list[bytes]
) -> None:
    for number in range(210):
        guess(site, f"eve{number}@example.net", number)
    assert len(hashes) == 200
    assert "checked again" in guess(site, "carol@example.net")[0]
    # but alice's own mails are judged, and so are those about another account
    assert reach(site.mail("holo showas alice xanadu", ALICE), ALICE) == 1
    assert reach(site.mail("holo showas bob better4", "carol@example.net"), BOB) == 1
    assert site.server.type("holo showas alice xanadu").status == 0


def test_from_a_player_s_own_addresses_twenty_are_looked_at(
    site: Site, hashes: list[bytes]
) -> None:
    assert site.server.type("add alice xanadu a2@example.org").status == 0
    hashes.clear()
    for number in range(25):
        guess(site, (ALICE, "a2@example.org", "ALICE@Example.Org")[number % 3], number)
    assert len(hashes) == 20
    assert "checked again" in site.texts("holo showas alice xanadu", ALICE)[0]
    # what SECURITY.md says that remains; elsewhere alice's password is as good as ever
    assert reach(site.mail("holo showas alice xanadu", EVE), ALICE) == 1
    assert site.server.type("holo showas alice xanadu").status == 0


def test_signing_on_again_cannot_be_used_to_guess(
    site: Site, hashes: list[bytes]
) -> None:
    assert site.server.type("signoff alice xanadu").status == 0
    hashes.clear()
    for number in range(30):
        site.mail(f"signup alice wrong{number}", EVE)
    assert len(hashes) == 20


def test_a_repeated_mail_is_answered_whoever_guesses(site: Site) -> None:
    raw = mail_of(MOVE, ALICE, Message_ID="<1@example.org>")
    before = site.server.mail(raw)
    for number in range(25):
        guess(site, ALICE, number)
    (again,) = site.server.mail(raw)
    assert again in before
    assert len(site.server.match().record.log) == 2


def test_a_password_that_is_remembered_is_not_asked_either(site: Site) -> None:
    """Else a server that stays would tell right from wrong for nothing."""
    asked: list[str] = []

    def fits(password: str, hashed: str) -> bool:
        asked.append(password)
        return fits_password(password, hashed)

    site.server.server.fits = Passwords(fits).fits
    assert reach(site.mail("holo showas alice xanadu", EVE), ALICE) == 1
    for number in range(25):
        guess(site, EVE, number)
    assert "checked again" in site.texts("holo showas alice xanadu", EVE)[0]
    assert len(asked) == 21


def test_the_same_password_is_looked_at_once_in_a_mail(
    site: Site, hashes: list[bytes]
) -> None:
    site.several(*["holo showas alice xanadu"] * 25, sender=ALICE)
    assert hashes == [b"xanadu"]
    site.several(*["holo showas alice wrong"] * 25, sender=EVE)
    assert hashes == [b"xanadu", b"wrong"]


LINES = [
    "signup carol tomato",
    "signup dave tomato",
    "holo showas alice xanadu",
    "change password bob better4 better5",  # two
    "holo showas bob better4",  # looked at before
    "holo showas alice xanadu 1",
    "holo showas alice wrong",
    "signup erin tomato",
]


def test_five_passwords_are_looked_at_in_a_mail(
    site: Site, hashes: list[bytes]
) -> None:
    raw = mail_of("multiple", BOB, "\n".join(LINES), Message_ID="<1@example.net>")
    for _ in range(2):  # and the same ones when it comes again
        texts = {letter.to: letter.text for letter in site.server.mail(raw)}
        refused = re.findall(r"^\d. .*: refused$", "\n".join(texts.values()), re.M)
        assert sorted(text.split(":")[0] for text in refused) == [
            "5. holo showas",
            "7. holo showas",
            "8. signup",
        ]
        assert "One mail can use at most 5 passwords" in "".join(texts.values())
    assert "erin" not in site.server.library.signed_on()
    made = [b"tomato"] * 2 + [b"xanadu", b"better4", b"better5"]
    assert hashes[:5] == made


# What one mail may cost


@pytest.fixture
def crowded(site: Site) -> Site:
    """25 boards."""
    for _ in range(24):
        site.server.accept(site.server.challenge())
    return site


ALL = "holo show " + " ".join(map(str, range(1, 26)))


def boards_in(text: str) -> int:
    return len(re.findall(r"^Holomino, board \d+", text, re.M))


def test_a_mail_shows_twenty_boards_in_all(crowded: Site) -> None:
    text = crowded.several(*[ALL] * 50)
    assert boards_in(text) == 20
    assert "These are 20 of 25 boards: name others by number." in text
    assert text.count("All 25 boards are left out") == 49
    assert len(text) < allowance.MOST_CHARACTERS


@pytest.mark.parametrize("line", [ALL, "holo show alice", "all show bob all"])
def test_json_is_left_out_by_whole_lines(crowded: Site, line: str) -> None:
    text = crowded.several(*[f"{line} -format=json"] * 3)
    lines = [line for line in text.splitlines() if line.startswith("{")]
    assert len([json.loads(line) for line in lines if '"board"' in line]) >= 20
    assert boards_in(crowded.several(line, f"{line} -format=json")) == 20


@pytest.mark.parametrize(
    "line", ["holo preview 1 142:4", "holo history 1", "holo history 1 -format=yaml"]
)
def test_questions_about_a_board_count_like_others(site: Site, line: str) -> None:
    text = site.several(*[line] * 50)
    refused = re.findall(r"^\d+\. .*: refused$", text, re.M)
    assert len(refused) == 30
    assert text.count("This mail has asked for as many boards as a mail may") == 30


def test_with_a_password_a_mail_shows_forty_boards(crowded: Site) -> None:
    lines = ["holo showas alice xanadu", ALL, "holo showas bob better4"]
    letters = crowded.mail("multiple", ALICE, "\n".join(lines))
    assert sum(boards_in(letter.text) for letter in letters) == 40
    # and nobody gets more without one because another has one
    letters = crowded.mail("multiple", ALICE, "\n".join(lines[1::-1]))
    assert [boards_in(letter.text) for letter in letters] == [40]


def test_refused_moves_show_no_more_boards_than_others(site: Site) -> None:
    text = site.several(*["holo move 1 alice xanadu 999:1"] * 50, sender=ALICE)
    assert boards_in(text) == 40


def test_in_the_shell_nothing_but_the_boards_without_a_password_is_bounded(
    crowded: Site,
) -> None:
    for _ in range(3):
        assert boards_in(crowded.server.type(ALL).text) == 20
        assert boards_in(crowded.server.type("holo showas alice xanadu").text) == 25


def test_pages_of_help_are_whole(site: Site) -> None:
    lines = [f"help {word}" for word in ("holo", "hextol", "walomino", "tutorial")]
    text = site.several(*(lines * 13)[:50])
    assert len(text) < allowance.MOST_CHARACTERS + 50 * 200
    assert "would be too long with that" in text
    for page in lines:
        alone = site.server.type(page).text
        assert text.count(alone[:60]) == text.count(alone) > 1


def test_lists_are_left_out_by_whole_lines(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(30):
        assert site.server.type(f"signup player_{number:02} tomato").status == 0
        site.server.accept(site.server.challenge())
    lines = ["list", "list holo", "holo games"]
    whole = [site.server.type(line).text.splitlines() for line in lines]
    monkeypatch.setattr(allowance, "MOST_CHARACTERS", 700)
    for line, listed in zip(lines, whole, strict=True):
        (letter,) = site.mail(line)
        told = letter.text.splitlines()
        shown = [text for text in told if text in listed and text]
        assert shown == [text for text in listed if text][: len(shown)]
        assert 5 < len(shown) < len(listed)
        assert len(letter.text) < 1000
        assert "lines are left out: the answer to one mail" in letter.text


@pytest.mark.parametrize(
    ("room", "said"), [(0, "2 lines are left out"), (2, "1 line is left out")]
)
def test_boards_that_are_left_out_are_counted(
    site: Site, monkeypatch: pytest.MonkeyPatch, room: int, said: str
) -> None:
    monkeypatch.setattr(allowance, "MOST_CHARACTERS", room)
    lines = [Lines("a\n"), Lines("b\n")]
    assert said in plain((queries.within(lines, allowance.Work()),))


def test_a_mail_gets_ten_lists(site: Site) -> None:
    lines = ["list", "holo standings", "holo games", "all show alice", "holo ratings"]
    text = site.several(*lines * 10)
    assert len(re.findall(r"^\d+\. .*: refused$", text, re.M)) == 40
    assert text.count("One mail may ask for at most 10 lists") == 40


# What a breaker has tried


def test_a_changed_password_is_hashed_again(site: Site) -> None:
    """Each change costs two hashes: five are the most, and two changes fit in."""
    text = site.several(*["change password alice xanadu xanadu"] * 50, sender=ALICE)
    assert text.count("Your password is changed") == 2
    assert text.count("One mail can use at most 5 passwords") == 48


def test_every_copy_for_a_mailbox_counts(site: Site) -> None:
    """A signup that names five tags of one address brings five letters there."""
    site.limit(answers_per_hour=10)
    reached = 0
    for number in range(6):
        tags = " ".join(f"victim+{tag}@example.net" for tag in range(5))
        letters = site.mail(f"signup eve{number} tomato {tags}", f"e{number}@x.org")
        reached += sum(to.startswith("victim") for n in letters for to in n.to)
    assert reached == 10


def test_boards_that_are_long_to_replay_have_a_bound(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = site.server.match()
    monkeypatch.setattr(allowance, "MOST_LINES", 10 * len(board.record.log))
    text = site.several(*["holo show 1"] * 20)
    assert boards_in(text) == 10
    text = site.several(*["holo history 1"] * 20)
    assert text.count("This mail has asked for as much as a mail may") == 10
    text = site.several(*["holo move 1 alice xanadu 999:1"] * 20, sender=ALICE)
    assert text.count("This mail has asked for as much as a mail may") == 10


def test_a_board_of_any_length_can_be_shown_and_played_on(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first board of a mail has no bound; a second one finds nothing left."""
    site.server.challenge()
    for board in (1, 2):
        assert site.server.type(f"holo chat {board} bob {{bob}} -m=Hi").status == 0
    assert len(site.server.match().record.log) == 2
    monkeypatch.setattr(allowance, "MOST_LINES", 1)
    for words in ("show", "history"):
        said = site.several(f"holo {words} 1", f"holo {words} 2")
        first, second = said.split("\n2. ")
        assert "board 1" in first
        assert "refused" not in first
        assert "refused" in second.splitlines()[0]
    site.mail(MOVE, ALICE)
    assert str(site.server.match().record.log[-1].action) == "142:4"
