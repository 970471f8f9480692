"""Accounts as their owners change them: add, signoff, delete."""

import re
from pathlib import Path

import pytest

from pbm_holomino import owner
from pbm_holomino.draw import png
from pbm_holomino.match.account import to_data
from tests.house import House, home, passwords_in
from tests.prose import sentence_of, titles

ALICE, BOB = home("alice"), home("bob")
WORK = "alice@example.net"
ID = "aaaa00000000000{}"
GONE = ("no player of that name", "is not a player here", "are no longer here")


def done(house: House, line: str) -> str:
    """What the shell answers to a command that is carried out."""
    answer = house.type(line)
    assert answer.status == 0, answer.text
    return " ".join(answer.text.split())


def refused(house: House, line: str) -> str:
    """What the shell answers to a command that changes nothing."""
    before = house.files()
    answer = house.type(line)
    assert answer.status in (1, 2), answer.text
    assert house.files() == before
    assert not list(passwords_in(answer.text))
    return sentence_of(answer.text)


def addresses(house: House, name: str = "alice") -> tuple[str, ...]:
    player = house.library.player(name)
    assert player is not None
    return player.addresses


# Add


def test_letters_go_to_all_addresses(house: House) -> None:
    said = done(house, f"add alice {{alice}} {WORK}")
    assert ALICE in said
    assert WORK in said
    assert addresses(house) == (ALICE, WORK)
    house.taken()
    done(house, "holo challenge bob alice")
    assert [letter.to for letter in house.taken()] == [(BOB,), (ALICE, WORK)]


def test_the_old_addresses_hear_of_a_new_one(house: House) -> None:
    done(house, f"add alice {{alice}} {WORK}")
    (letter,) = house.taken()
    assert letter.to == (ALICE,)
    assert WORK in letter.text
    assert not letter.replied
    house.by_mail("alice", ID.format(1), "add alice {alice} third@example.com")
    to = {address for letter in house.taken() for address in letter.to}
    assert {ALICE, WORK} <= to


def test_by_mail_the_senders_address_is_added(house: House) -> None:
    answer = house.by_mail("home", ID.format(1), "add alice {alice}")
    assert answer.status == 0
    assert addresses(house) == (ALICE, home("home"))
    assert home("home") in answer.text


@pytest.mark.parametrize("word", [ALICE, ALICE.upper(), "Alice@Example.Org"])
def test_the_same_address_is_not_added_twice(house: House, word: str) -> None:
    done(house, f"add alice {{alice}} {word}")
    assert len(addresses(house)) == 1
    done(house, f"add alice {{alice}} {WORK} {WORK.upper()}")
    assert len(addresses(house)) == 2


def test_a_player_has_five_addresses_at_most(house: House) -> None:
    more = [f"a{number}@example.com" for number in range(5)]
    done(house, f"add alice {{alice}} {' '.join(more[:4])}")
    said = refused(house, f"add alice {{alice}} {more[4]}")
    assert "5" in said
    assert addresses(house) == (ALICE, *more[:4])
    done(house, f"add alice {{alice}} {more[3].upper()}")  # it is one of the five
    assert len(addresses(house)) == 5


def test_a_word_that_is_not_an_address_is_neither_added_nor_quoted(
    house: House,
) -> None:
    for word in ("Secret99", f"{WORK},{BOB}"):
        assert word not in refused(house, f"add alice {{alice}} {word}")


def test_in_the_shell_an_address_must_be_named(house: House) -> None:
    assert "address" in refused(house, "add alice {alice}")


def test_a_player_who_adds_an_address_gets_letters_from_then_on(house: House) -> None:
    house.type("signup carol {carol}")
    assert house.taken() == []
    done(house, f"add carol {{carol}} {home('carol')}")
    assert house.taken() == []  # nobody had them before
    done(house, "message alice {alice} carol -m=Hello")
    assert [letter.to for letter in house.taken()] == [(home("carol"),)]


# Signing off


def test_signed_off_players_are_not_challenged(house: House) -> None:
    assert "sign up again" in done(house, "signoff bob {bob}")
    house.taken()
    for line in ("holo challenge alice bob", "hextol challenge bob alice"):
        said = refused(house, line)
        assert '"bob"' in said
        assert "signed off" in said
    assert house.taken() == []


def test_no_rematch_with_a_signed_off_player(house: House) -> None:
    done(house, "holo resign 1 bob {bob}")
    done(house, "signoff bob {bob}")
    assert "signed off" in refused(house, "holo rematch 1 alice {alice}")
    assert house.library.lists.boards("holo") == [1]


def test_running_games_go_on(house: House) -> None:
    done(house, "signoff bob {bob}")
    house.taken()
    done(house, f"holo move 1 alice {{alice}} {house.legal()[0]}")
    (letter,) = house.taken()
    assert letter.to == (BOB,)
    assert "your turn" in letter.subject
    done(house, f"holo move 1 bob {{bob}} {house.legal()[0]}")
    done(house, f"change address bob {{bob}} {BOB}")
    assert titles(done_text(house, "holo showas bob {bob}")) == ["1"]


def done_text(house: House, line: str) -> str:
    answer = house.type(line)
    assert answer.status == 0
    return answer.text


def test_signed_off_players_get_messages_but_no_broadcasts(house: House) -> None:
    house.sign_up("carol")
    done(house, "signoff bob {bob}")
    house.taken()
    assert "bob" not in done(house, "broadcast alice {alice} -m=Hello")
    assert [letter.to for letter in house.taken()] == [(home("carol"),)]
    done(house, "message alice {alice} bob -m=Hello")
    assert [letter.to for letter in house.taken()] == [(BOB,)]


def test_signing_up_again_with_the_same_password(house: House) -> None:
    done(house, "signoff bob {bob}")
    assert "Welcome, bob" in done(house, "signup bob {bob}")
    assert addresses(house, "bob") == (BOB,)
    done(house, "holo challenge alice bob")
    house.taken()
    done(house, "broadcast alice {alice} -m=Hello")
    assert [letter.to for letter in house.taken()] == [(BOB,)]


def test_with_another_password_the_name_is_taken(house: House) -> None:
    assert "taken" in refused(house, "signup bob Another99")
    done(house, "signoff bob {bob}")
    for line in ("signup bob Another99", f"signup bob {{alice}} {home('eve')}"):
        assert "taken" in refused(house, line)
    assert "signed off" in refused(house, "holo challenge alice bob")


def test_with_the_same_password_a_player_hears_that_they_have_signed_up(
    house: House,
) -> None:
    said = refused(house, "signup bob {bob}")
    assert "already signed up, bob" in said
    assert "taken" not in said
    wrong = refused(house, "signup bob Another99")
    assert "already" not in wrong


def test_a_change_of_the_password_counts_when_they_come_back(house: House) -> None:
    done(house, "signoff bob {bob}")
    done(house, "change password bob {bob} Newer-99")
    assert "signed off" in refused(house, "holo challenge alice bob")
    assert "taken" in refused(house, "signup bob {bob}")
    done(house, "signup bob Newer-99")


def test_a_late_copy_of_the_first_signup_does_not_bring_them_back(
    house: House,
) -> None:
    line = f"signup carol {{carol}} {home('carol')}"
    house.by_mail("carol", ID.format(1), line)
    done(house, "signoff carol {carol}")
    before = house.files()
    assert house.by_mail("carol", ID.format(1), line).status == 0
    assert house.files() == before


# Deleting


def test_an_account_with_running_games_is_not_deleted(house: House) -> None:
    assert "holo 1" in refused(house, "delete alice {alice}")
    done(house, "hextol challenge bob alice")
    assert "hextol 1 and holo 1" in refused(house, "delete bob {bob}")
    assert house.by_mail("alice", ID.format(1), "delete alice {alice}").to == (ALICE,)


@pytest.fixture
def left(house: House) -> House:
    """Bob has lost holo 1, and deleted his account."""
    done(house, "holo resign 1 bob {bob}")
    done(house, "message bob {bob} alice -m=Farewell")
    assert "removed" in done(house, "delete bob {bob}")
    house.taken()
    return house


@pytest.mark.parametrize("line", ["signup bob Another99", "signup BOB {bob}"])
def test_the_name_is_never_given_again(left: House, line: str) -> None:
    assert "taken" in refused(left, line)


@pytest.mark.parametrize(
    "line",
    [
        "holo challenge alice bob",
        "holo rematch 1 alice {alice}",
        "message alice {alice} bob -m=Hello",
        "message bob {bob} alice -m=Hello",
        "broadcast bob {bob} -m=Hello",
        "holo showas bob {bob}",
        "holo chat 1 bob {bob} -m=Hello",
        "change password bob {bob} Newer-99",
        "signoff bob {bob}",
        "delete bob {bob}",
    ],
)
def test_nobody_deals_with_a_deleted_account(left: House, line: str) -> None:
    said = refused(left, line)
    assert any(gone in said for gone in GONE)
    assert left.taken() == []


def test_a_deleted_players_games_stay_to_be_seen(left: House) -> None:
    for line in ("holo show 1", "holo show bob all", "holo show alice all"):
        assert titles(done_text(left, line)) == ["1"]
    assert "bob" in done(left, "holo games bob all")
    assert "holo 1" in done(left, "holo history")
    for line in ("history 1", "history 1 -format=yaml", "verify 1"):
        done(left, f"holo {line}")


def test_no_letter_reaches_a_deleted_account(left: House) -> None:
    left.sign_up("carol")
    left.taken()
    assert "bob" not in done(left, "broadcast alice {alice} -m=Hello")
    left.type("holo chat 1 alice {alice} -m=Hello")
    assert BOB not in {to for letter in left.taken() for to in letter.to}


def test_a_check_passes_over_a_deleted_account(
    left: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBM_GAMES", str(left.folder))
    assert "all is well" in owner.run(["check"]).text


@pytest.mark.parametrize("what", ["scrypt", BOB, "Farewell"])
def test_a_deleted_account_keeps_only_its_name(left: House, what: str) -> None:
    assert what.encode() not in left.files()["players/bob.yaml"]


def test_good_bye(house: House) -> None:
    done(house, "holo resign 1 bob {bob}")
    house.taken()
    answer = house.by_mail("bob", ID.format(1), "delete bob {bob}")
    assert answer.status == 0
    (letter,) = house.taken()
    assert letter.to == (BOB,)
    assert "bob" in letter.text


def test_a_good_bye_that_cannot_leave_goes_later(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    done(house, "holo resign 1 bob {bob}")
    house.cannot_send()
    house.by_mail("bob", ID.format(1), "delete bob {bob}")
    monkeypatch.setenv("PBM_GAMES", str(house.folder))
    assert owner.run(["flush"]).status == 0
    (mail,) = house.path("outbox").glob("players.bob.*.eml")
    assert f"To: {BOB}" in mail.read_text()


# One mail, one effect


REPEATED = [
    f"add alice {{alice}} {WORK}",
    "add alice {alice}",
    "signoff alice {alice}",
    "delete alice {alice}",
]


@pytest.mark.parametrize("sender", ["alice", "office"])
@pytest.mark.parametrize("line", REPEATED)
def test_a_mail_that_comes_twice_is_answered_as_it_was(
    house: House, line: str, sender: str
) -> None:
    done(house, "holo resign 1 bob {bob}")
    house.taken()
    first = house.by_mail(sender, ID.format(1), line)
    first_letters = house.taken()
    before = house.files()
    again = house.by_mail(sender, ID.format(1), line)
    assert house.files() == before
    assert (again.text, again.status) == (first.text, 0)
    assert {letter.key for letter in house.taken()} <= {
        letter.key for letter in first_letters
    }


@pytest.mark.parametrize("sender", ["bob", "office"])
def test_a_mail_that_brings_them_back_may_come_twice(house: House, sender: str) -> None:
    done(house, "signoff bob {bob}")
    first = house.by_mail(sender, ID.format(1), "signup bob {bob}")
    before = house.files()
    again = house.by_mail(sender, ID.format(1), "signup bob {bob}")
    assert (again.text, again.status) == (first.text, 0)
    assert house.files() == before


@pytest.mark.parametrize("word", ["add", "change address", "signup"])
def test_a_repeated_mail_is_answered_as_it_was_after_a_later_change(
    house: House, word: str
) -> None:
    who = "carol" if word == "signup" else "alice"
    line = f"{word} {who} {{{who}}} {home(who)} {WORK}"
    first = house.by_mail(who, ID.format(1), line)
    assert WORK in first.text
    done(house, f"change address {who} {{{who}}} {home(who)}")
    assert house.by_mail(who, ID.format(1), line).text == first.text


@pytest.mark.parametrize(("is_possible", "form"), [(True, "picture"), (False, "html")])
def test_a_new_player_gets_pictures_where_they_can_be_drawn(
    house: House, monkeypatch: pytest.MonkeyPatch, is_possible: bool, form: str
) -> None:
    monkeypatch.setattr(png, "is_possible", lambda: is_possible)
    house.sign_up("carol")
    carol = house.library.account("carol")
    assert carol is not None
    assert carol.format == form
    assert to_data(carol).get("format") == ("picture" if is_possible else None)
    house.type("signoff carol {carol}")
    assert house.type("change format carol {carol} text").status == 0
    house.sign_up("carol")
    back = house.library.account("carol")
    assert back is not None
    assert back.format == "text"  # as she had it


def test_the_welcome_proposes_a_robot_and_nobody_who_is_not_here(
    tmp_path: Path,
) -> None:
    house = House(tmp_path / "games")
    opponents = ["robot", "anyone"]

    def proposed(who: str) -> list[str]:
        told = house.type(f"signup {who} secret {home(who)}").text
        return re.findall(rf"holo challenge {who} (\w+)", told)

    assert proposed("alice") == opponents
    house.time = "2026-11-20T09:00:00Z"
    assert proposed("bob") == ["robot", "alice", "anyone"]
    house.time = "2026-11-20T10:00:00Z"
    assert house.type("signup carol secret").status == 0  # no letter reaches her
    assert house.type("signup dave secret d@example.org").status == 0
    assert house.type("signoff dave secret").status == 0
    assert proposed("eve") == ["robot", "bob", "alice", "anyone"]
    house.type("change vacation bob secret 5")
    assert proposed("frank") == ["robot", "eve", "alice", "anyone"]
