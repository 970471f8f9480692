"""Letters that come back do nothing but count. Three make an address a dead one: the
owner sees it, and who waits for its player reads that they may not be getting mail."""

import smtplib
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from pbm_holomino import owner
from pbm_holomino.errors import Busy
from pbm_holomino.letters.letter import Letter
from pbm_holomino.mail import undelivered
from pbm_holomino.mail.message import message
from pbm_holomino.mail.post import sender
from pbm_holomino.mail.undelivered import dead_addresses
from pbm_holomino.match import letter_ids
from pbm_holomino.match.account import Player
from pbm_holomino.owner import tick
from pbm_holomino.store.contract import PLAYERS
from pbm_holomino.store.home import Home
from tests.house import House, home, mail_of, own
from tests.mail.postboxes import Postbox, Sendmail, postbox
from tests.mail.reports import Lost, exim, postfix
from tests.prose import plain
from tests.resident.desk import lmtp_server
from tests.storage import KEY

ALICE, BOB, WORK = home("alice"), home("bob"), "bob@work.example"
SAID = "bob may not be getting mail from this server."


def day(number: int) -> str:
    """Noon on a day of November or December."""
    month, number = (11, number) if number <= 30 else (12, number - 30)
    return f"2026-{month}-{number:02}T12:00:00Z"


def words(house: House, number: int, again: int = 0) -> Letter:
    """The letter to bob with what alice says, or says again, on a day."""
    house.time = day(number)
    house.taken()
    line = "holo chat 1 alice {alice}"
    house.by_mail("alice", f"{number:08}{again:08}", line, f"Words {number}")
    (letter,) = [each for each in house.taken() if BOB in each.to]
    return letter


def lost(house: House, letter: Letter, to: str = BOB, **said: str) -> Lost:
    return Lost(to, message(letter, house.config), **said)


def come_back(house: House, *letters: Letter, to: str = BOB, **said: str) -> None:
    """These letters come back, which is answered by none."""
    for letter in letters:
        assert house.mail(postfix(lost(house, letter, to, **said))) == []


def bob(house: House) -> Player:
    found = house.library.player("bob")
    assert found is not None
    return found


def days(house: House) -> tuple[str, ...]:
    """The days that have been counted against bob's addresses."""
    return tuple(day[8:] for each in bob(house).bounces for day in each.days)


def die(house: House) -> None:
    """Bob's address is dead."""
    for number in (20, 21, 22):
        come_back(house, words(house, number))
    assert bob(house).dead_addresses == (BOB,)


# What counts


def test_after_letters_of_three_days_an_address_is_dead(house: House) -> None:
    for number in (20, 22):
        come_back(house, words(house, number))
    assert bob(house).dead_addresses == ()
    come_back(house, words(house, 24))
    assert bob(house).dead_addresses == (BOB,)


def test_a_bounce_does_nothing_else(house: House) -> None:
    letter = words(house, 20)
    before = house.files()
    come_back(house, letter)
    after = house.files()
    assert [name for name in after if after[name] != before.get(name)] == [
        "players/bob.yaml"
    ]
    data = house.data(PLAYERS, "bob")
    assert data.pop("bounces") == [f"{BOB} 2026-11-20"]
    house.put(PLAYERS, "bob", data)
    assert house.files() == before


def test_a_letter_counts_once(house: House) -> None:
    letter = words(house, 20)
    come_back(house, letter)
    for number in (21, 22, 23):
        house.time = day(number)
        come_back(house, letter)
        house.mail(exim(lost(house, letter)))
    assert days(house) == ("20",)


def test_letters_of_one_day_count_as_one(house: House) -> None:
    come_back(house, *(words(house, 20, again) for again in range(3)))
    assert days(house) == ("20",)


def test_a_letter_of_another_week_does_not_count(house: House) -> None:
    letter = words(house, 20)
    house.time = day(27)
    come_back(house, letter)
    assert days(house) == ()
    house.time = "2026-11-26T23:59:59Z"
    come_back(house, letter)
    assert days(house) == ("20",)


@pytest.mark.parametrize(
    "said",
    [
        {"status": "5.2.2", "said": "552 5.2.2 Mailbox full"},
        {"status": "4.4.7"},
        {"action": "delayed"},
    ],
    ids=["full", "for now", "delayed"],
)
def test_what_is_not_for_ever_does_not_count(
    house: House, said: dict[str, str]
) -> None:
    come_back(house, words(house, 20), **said)
    assert days(house) == ()


# What proves a letter


def test_nobody_can_forge_a_bounce(house: House) -> None:
    """Alice knows all but the token of the letter to bob; her own letter proves nothing
    about him, and his nothing about her."""
    letter = words(house, 20)
    own_id = house.letter_id(1, "alice")
    token, wrong = letter.id.rsplit(".", 1)[1], own_id.rsplit(".", 1)[1]
    assert letter.id.startswith("holo.1.1.bob.")
    before = house.records()
    forged = [
        letter.id.replace(token, wrong),
        letter.id.replace(token, "a" * 16),
        letter.id.replace("bob", "alice"),
        letter.id.replace("bob", "carol"),
        letter.id.replace("1.1.bob", "1.0.bob"),
        letter.id.replace("1.1.bob", "1.99.bob"),
        letter.id.replace("holo.1", "holo.2"),
        letter.id.replace("holo.1", "hextol.1"),
        letter.id.replace("holo.1", "holo.01x"),
        letter.id.replace("holo.1", "players.alice"),
        letter.id.replace("holo.1.1.bob", "players.bob.1"),
        letter.key,
        own_id,
    ]
    for each in forged:
        come_back(house, letter._replace(id=each))
        come_back(house, letter._replace(id=f"{each}.x"))
    come_back(house, letter, to=ALICE)
    come_back(house, letter, to="bob@elsewhere.example")
    assert house.records() == before


def test_after_many_forged_ones_no_bounce_is_looked_at_for_an_hour(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(undelivered, "MOST_FORGED", 2)
    letter = words(house, 20)
    forged = letter._replace(id=f"holo.1.1.bob.{'a' * 16}")
    come_back(house, forged, letter._replace(id="1234"), letter._replace(id="1234"))
    come_back(house, letter, to=ALICE)  # proved, though it is not about her
    come_back(house, forged)
    come_back(house, letter)
    assert days(house) == ()
    house.time = house.time.replace("T12", "T13")
    come_back(house, forged, letter)
    assert days(house) == ("20",)


def test_a_mark_proves_a_letter_whose_id_was_changed(house: House) -> None:
    house.config = house.config._replace(envelope="pbm+@localhost")
    letter = words(house, 20)
    mark = letter_ids.mark(KEY, letter.id)
    bounced_to = house.config.envelope_with(mark)
    assert bounced_to.startswith("pbm+b.holo.1.1.bob.")
    changed = letter._replace(id="1234")
    come_back(house, changed, bounced_to=bounced_to.replace("holo.1.1", "holo.1.0"))
    come_back(house, changed, to=ALICE, bounced_to=bounced_to)
    assert days(house) == ()
    come_back(house, changed, bounced_to=bounced_to)
    assert days(house) == ("20",)


def test_a_mark_that_proves_nothing_hides_no_id(house: House) -> None:
    wrong = f"pbm+b.holo.1.1.bob.{'a' * 16}@localhost"
    come_back(house, words(house, 20), bounced_to=wrong)
    assert days(house) == ("20",)


def test_a_mark_is_not_a_token(house: House) -> None:
    """The address of a bounce is seen by many: it must not be good for a reply."""
    letter = words(house, 20)
    marked = letter_ids.mark(KEY, letter.id).removeprefix("b.")
    word = f"~{marked.rsplit('.', 1)[1]}"
    raw = mail_of(f"holo resign 1 bob {word}", BOB, Message_ID="<m@x>")
    house.mail(raw)
    assert house.match().result is None


def test_a_long_mark_is_left_out(house: House) -> None:
    config = house.config._replace(envelope=f"{'x' * 60}+@localhost")
    assert config.envelope_with("b.holo.1.1.bob.x") == f"{'x' * 60}@localhost"
    assert config.envelope_with("b.h") == f"{'x' * 60}+b.h@localhost"
    assert config.envelope_with("") == f"{'x' * 60}@localhost"


def digest(house: House, number: int) -> Letter:
    house.time = day(number)
    list(tick.do_what_is_due(house.server))
    (letter,) = house.taken()
    return letter


def test_letters_about_an_account_count_too(house: House) -> None:
    house.time = day(20)
    house.by_mail("alice", "1" * 16, "message alice {alice} bob", "Hello")
    (letter,) = [each for each in house.taken() if each.to == (BOB,)]
    come_back(house, letter, to=ALICE)
    come_back(house, letter)
    assert days(house) == ("20",)


def test_a_reminder_counts_on_its_own_day(house: House) -> None:
    """It has the token of the board's last line, which is older."""
    house.type("holo move 1 alice {alice} 142:4")
    house.accept()
    house.taken()
    letter = digest(house, 27)
    assert letter.subject == "holo 1: still your turn"
    assert letter.id.startswith("holo.1.")
    come_back(house, letter)
    assert days(house) == ("27",)
    # the same, if the report is of a letter about that line
    come_back(house, letter._replace(id=letter.id.rpartition(".")[0]))
    assert days(house) == ("27",)


def test_what_cannot_be_read_is_not_counted(house: House) -> None:
    letter = words(house, 20)
    for folder, name in (("holo", "1"), (PLAYERS, "bob")):
        document = house.document(folder, name)
        whole = document.read_text()
        document.write_text("[")
        come_back(house, letter)
        document.write_text(whole)
        assert days(house) == ()
    come_back(house, letter)
    assert days(house) == ("20",)


def test_a_bounce_comes_again_where_the_account_is_busy(house: House) -> None:
    letter = words(house, 20)
    with house.busy(PLAYERS, "bob"), pytest.raises(Busy):
        house.mail(postfix(lost(house, letter)))
    come_back(house, letter)
    assert days(house) == ("20",)


# By LMTP, the sender of the envelope is in no header


@pytest.fixture
def lmtp(house: House, tmp_path: Path) -> Iterator[Callable[[bytes], None]]:
    def bring(raw: bytes) -> None:
        with smtplib.LMTP(str(tmp_path / "lmtp")) as client:
            assert client.sendmail("", ["pbm@localhost"], raw) == {}

    with lmtp_server(house.server, tmp_path / "lmtp"):
        yield bring


def test_a_bounce_by_lmtp(house: House, lmtp: Callable[[bytes], None]) -> None:
    letter = words(house, 20)
    lmtp(postfix(lost(house, letter)).replace(b"Return-Path: <>\n", b""))
    assert days(house) == ("20",)
    assert house.taken() == []


def test_any_other_mail_of_nobody_does_nothing(
    house: House, lmtp: Callable[[bytes], None]
) -> None:
    before = house.files()
    lmtp(mail_of("holo resign 1 alice xanadu"))
    lmtp(b"From x\n" + mail_of("holo resign 1 alice xanadu"))
    assert house.files() == before
    assert house.taken() == []


# Refused while we send


@pytest.fixture
def box() -> Iterator[Postbox]:
    with postbox() as box:
        yield box


def leave(house: House, way: Postbox | Sendmail, envelope: str = "") -> None:
    """From now on letters leave this way."""
    house.config = way.config()._replace(envelope=envelope)
    house.store.now = lambda: house.time  # type: ignore[method-assign]
    house.server.delivery.post = sender(
        Home(str(house.folder), house.config), house.store
    )


def say(house: House, number: int) -> None:
    house.time = day(number)
    line = "holo chat 1 alice {alice}"
    with suppress(IndexError):  # the house keeps no letters now
        house.by_mail("alice", f"{number:016}", line, f"Words {number}")


@pytest.mark.parametrize(
    ("answers", "counts"),
    [
        ({BOB: "550"}, True),
        ({BOB: "553"}, True),
        ({BOB: "552"}, False),
        ({BOB: "450"}, False),
        ({BOB: "530"}, False),
        ({".": "554"}, False),
        ({"MAIL": "550"}, False),
        ({}, False),
    ],
    ids=str,
)
def test_an_address_that_is_refused_counts(
    house: House, box: Postbox, answers: dict[str, str], counts: bool
) -> None:
    leave(house, box)
    box.answers.update(answers)
    say(house, 20)
    assert days(house) == (("20",) if counts else ())


def test_refusals_on_three_days(house: House, box: Postbox) -> None:
    leave(house, box)
    box.answers[BOB] = "550"
    for number in (20, 21, 22):
        assert bob(house).dead_addresses == ()
        say(house, number)
    assert bob(house).dead_addresses == (BOB,)


def test_a_program_that_knows_no_such_user(house: House, tmp_path: Path) -> None:
    way = Sendmail(tmp_path)
    leave(house, way)
    for number, status in [(20, 67), (21, 68), (22, 65), (23, 75)]:
        way.answer({BOB: status})
        say(house, number)
    assert days(house) == ("20", "21")


def test_a_letter_has_a_mark_where_the_settings_allow_it(
    house: House, box: Postbox, tmp_path: Path
) -> None:
    leave(house, box, envelope="games+@play.example")
    say(house, 20)
    mark = letter_ids.mark(KEY, house.letter_id(1, "bob"))
    senders = [brought.sender for brought in box.brought if brought.to == (BOB,)]
    assert senders == [f"games+{mark}@play.example"]
    # an answer that is not about a line has none
    house.mail(mail_of("help"))
    assert box.brought[-1].sender == "games@play.example"
    way = Sendmail(tmp_path)
    leave(house, way, envelope="games+@play.example")
    say(house, 21)
    mark = letter_ids.mark(KEY, house.letter_id(2, "bob"))
    assert f"'-f' 'games+{mark}@play.example' '--' '{BOB}'" in "\n".join(way.calls())


# What players are told


def told(house: House, number: int, who: str = "alice") -> str:
    """What a player reads on the board after alice has moved."""
    letters = after_move(house, number)
    return plain(letters[home(who)].text)


def after_move(house: House, number: int) -> dict[str, Letter]:
    """The letters about a move of alice, by their first reader's address."""
    house.time = day(number)
    house.taken()
    line = f"holo move 1 alice {{alice}} {house.legal()[0]}"
    house.by_mail("alice", f"{number:016}", line)
    return {letter.to[0]: letter for letter in house.taken()}


def test_who_waits_for_the_player_is_told(house: House) -> None:
    die(house)
    assert SAID in told(house, 23)


def test_nobody_is_told_before(house: House) -> None:
    come_back(house, *(words(house, number) for number in (20, 21)))
    assert SAID not in told(house, 23)


def test_the_player_is_not_told_nor_the_address_named(house: House) -> None:
    die(house)
    letters = after_move(house, 23)
    assert BOB not in letters[ALICE].text
    assert SAID not in plain(letters[BOB].text)


def test_nobody_is_told_while_it_is_another_turn(house: House) -> None:
    die(house)
    assert SAID in told(house, 23)
    house.type(f"holo move 1 bob {{bob}} {house.legal()[0]}")
    (letter,) = house.taken()
    assert letter.to == (ALICE,)
    assert SAID not in plain(letter.text)


def test_a_player_with_another_address_gets_mail(house: House) -> None:
    house.type(f"add bob {{bob}} {WORK}")
    die(house)
    assert bob(house).dead_addresses == (BOB,)
    assert SAID not in told(house, 23)


def test_letters_are_still_sent_and_the_clock_goes_on(house: House) -> None:
    die(house)
    house.accept()
    assert SAID in told(house, 23)
    house.time = day(45)
    said = list(tick.do_what_is_due(house.server))
    assert said == ["holo 1: bob ran out of time."]
    assert BOB in {to for letter in house.taken() for to in letter.to}


# What makes it alive


def by_mail(house: House, line: str, sender: str = BOB, **headers: str) -> None:
    house.mail(mail_of(line, sender, "Hello!", Message_ID="<alive@x>", **headers))


@pytest.mark.parametrize(
    "line",
    [
        "holo chat 1 bob better4",
        "all show bob",
        "holo showas bob better4 1",
        "change digest bob better4 on",
        "holo rematch 1 bob better4",
    ],
)
def test_a_command_from_it_makes_an_address_alive(house: House, line: str) -> None:
    die(house)
    by_mail(house, line)
    is_proved = "better4" in line
    assert days(house) == () if is_proved else bob(house).dead_addresses


def test_a_reply_from_it_makes_an_address_alive(house: House) -> None:
    die(house)
    letter = words(house, 23)
    house.reply(letter, "show")
    assert days(house) == ()


def test_what_is_not_from_there_does_not(house: House) -> None:
    house.type(f"add bob {{bob}} {WORK}")
    die(house)
    before = bob(house).bounces
    by_mail(house, "holo chat 1 bob wrong-word")
    by_mail(house, "holo chat 1 bob better4", WORK)
    by_mail(house, "holo chat 1 bob better4", "eve@example.net")
    by_mail(house, "holo challenge alice bob")
    house.type("holo chat 1 bob {bob} -m Hello")
    house.config = house.config._replace(trust="mx")
    fails = {"Authentication_Results": "mx; dmarc=fail"}
    by_mail(house, "holo showas bob better4 1", **fails)
    assert bob(house).bounces == before
    house.config = house.config._replace(trust="")
    by_mail(house, "holo showas bob better4 1", **fails)
    assert days(house) == ()


def test_it_counts_anew_from_there_on(house: House) -> None:
    die(house)
    by_mail(house, "holo chat 1 bob better4")
    come_back(house, words(house, 23))
    assert days(house) == ("23",)


def test_bounces_that_come_again_do_not_count_again(house: House) -> None:
    letters = [words(house, number) for number in (20, 21, 22)]
    come_back(house, *letters)
    by_mail(house, "holo chat 1 bob better4")
    come_back(house, *letters)
    assert days(house) == ()


def test_addresses_that_are_given_again_begin_anew(house: House) -> None:
    letters = [words(house, number) for number in (20, 21, 22)]
    come_back(house, *letters)
    house.type(f"change address bob {{bob}} {BOB}")
    come_back(house, *letters)
    assert days(house) == ()


def test_other_addresses_begin_anew(house: House) -> None:
    die(house)
    log = bob(house).log
    house.type(f"change address bob {{bob}} {WORK} {BOB}")
    assert days(house) == ()
    assert bob(house).log[:-1] == log


def test_who_signs_on_again_begins_anew(house: House) -> None:
    die(house)
    house.type("signoff bob {bob}")
    assert bob(house).dead_addresses == (BOB,)
    by_mail(house, "signup bob better4")
    assert bob(house).status == "on"
    assert days(house) == ()


# What the owner sees


def test_the_owner_sees_which_addresses_are_dead(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    own(house, monkeypatch)
    house.type(f"add bob {{bob}} {WORK}")
    die(house)
    assert dead_addresses(house.library) == [("bob", BOB)]
    assert owner.run(["players"]).text == (
        "alice                 on          2026-11-20  alice@example.org\n"
        "bob                   on          2026-11-20  bob@example.org (letters come "
        "back), bob@work.example\n"
    )
