"""Each letter leaves once, to everybody: what one address's server says is about that
copy alone, and what nobody takes is kept."""

import random
import re
import time
from collections import Counter
from contextlib import closing
from email import message_from_bytes
from pathlib import Path

import pytest

from pbm_holomino import owner
from pbm_holomino.commands.request import Answer
from pbm_holomino.errors import CannotSend, StoreTrouble
from pbm_holomino.mail import keeping
from pbm_holomino.mail.post import sender
from pbm_holomino.match.account import TOKEN
from pbm_holomino.resident.batch import Batches
from pbm_holomino.server.inbox import receive
from pbm_holomino.server.open import open_server
from pbm_holomino.server.transaction import Server
from pbm_holomino.store.config import Config
from pbm_holomino.store.contract import (
    MAIL,
    UNDELIVERABLE,
    WAITING,
    WHY_WAITING,
    Title,
)
from pbm_holomino.store.files import spool
from pbm_holomino.store.files.store import FileStore
from pbm_holomino.store.home import OUTBOX, Home
from pbm_holomino.store.library import Library
from pbm_holomino.store.postgres import mails
from tests.house import PASSWORDS, House, home
from tests.mail.postboxes import Postbox, Sendmail, postbox
from tests.resident.desk import mail, move

HOME, WORK = home("alice"), "alice@example.com"
BOB, OWNER = home("bob"), "root@example.org"


@pytest.fixture
def house(house: House, monkeypatch: pytest.MonkeyPatch) -> House:
    """Alice has two addresses, and it is her turn on board 1."""
    monkeypatch.setenv("PBM_GAMES", str(house.folder))
    house.type(f"change address alice {{alice}} {HOME} {WORK}")
    house.taken()
    return house


def by(house: House, way: Postbox | Sendmail, owned: bool = False) -> House:
    """From now on letters leave this way."""
    hears = f"owner: {OWNER}\n" if owned else ""
    house.settings(f"{hears}{way.settings}")
    house.server.delivery.post = sender(Home(str(house.folder)), house.store)
    return house


def play(house: House, name: str = "m1") -> None:
    """The player whose turn it is moves, by mail."""
    (who,) = house.match().turn
    receive(mail(who, move(house, who), name), house.server, Config())


def say(house: House, number: int = 0) -> None:
    """Alice writes to bob, by mail."""
    words = f"message alice {PASSWORDS['alice']} bob"
    raw = mail("alice", words, f"say{number}", f"Hello{number}")
    receive(raw, house.server, Config())


def flush(line: str = "flush") -> Answer:
    return owner.run(line.split())


def check() -> str:
    answer = owner.run(["check"])
    assert answer.status == 0, answer.text
    return " ".join(answer.text.split())


def copies(box: Postbox) -> Counter[tuple[str, str]]:
    """How often each letter, by its key, has come to each address."""
    found = Counter[tuple[str, str]]()
    for brought in box.brought:
        name = str(message_from_bytes(brought.text)["Message-ID"])
        key = re.sub(rf"\.{TOKEN}$", "", name.partition("@")[0][1:])
        found.update((key, to) for to in brought.to)
    return found


def once(*found: tuple[str, str]) -> Counter[tuple[str, str]]:
    return Counter(found)


MINE, MY_WORK = ("holo.1.1.alice", HOME), ("holo.1.1.alice", WORK)
HERS = ("holo.1.1.bob", BOB)


def test_a_copy_that_waits_leaves_later_and_the_others_not_again(house: House) -> None:
    with postbox({WORK: "451"}) as box:
        by(house, box)
        play(house)  # she is answered: the mail need not come again
        assert copies(box) == once(MINE, HERS)
        assert house.store.marks.unsent("holo") == {"1": [1]}
        assert flush().status == 75
        box.answers.clear()
        assert flush().status == 0
        assert flush().text == "No letters are waiting.\n"
    assert copies(box) == once(MINE, MY_WORK, HERS)
    assert house.store.marks.unsent("holo") == {}


def test_the_same_by_sendmail(house: House, tmp_path: Path) -> None:
    program = Sendmail(tmp_path).answer({WORK: 75})
    by(house, program)
    play(house)
    assert program.sent() == [HOME, BOB]
    program.answer({})
    assert flush().status == 0
    assert program.sent() == [HOME, BOB, WORK]


def test_the_same_in_a_server_that_stays(house: House) -> None:
    with closing(Batches(Home(str(house.folder), Config(wait=0)))) as batches:
        store = batches.store
        with postbox({WORK: "451"}) as box:
            by(house, box)
            server = Server(
                Library(store), sender(Home(store.root, box.config()), store)
            )
            receive(mail("alice", move(house, "alice"), "m1"), server, Config())
            assert flush().status == 75  # it holds no mark
            box.answers.clear()
            assert flush().status == 0
    assert copies(box) == once(MINE, MY_WORK, HERS)


def test_a_mark_says_at_once_what_has_left(house: House) -> None:
    """Also in a resident server, but for letters that are not durable yet."""
    path = house.path("holo", "1.0.unsent")
    path.touch()
    with closing(Batches(Home(str(house.folder), Config(wait=0)))) as batches:
        store = batches.store
        with store.marks.sending("holo", "1", 0) as mark:
            assert mark is not None
            mark.add("by smtp")
            assert path.read_text() == "by smtp\n"
            store.kept.put("outbox", "a.eml", b"a letter")
            mark.add("by the outbox")
            assert path.read_text() == "by smtp\n"
            mark.kept = True
    assert path.read_text() == "by smtp\nby the outbox\n"


def test_no_copy_has_left_and_the_mail_need_not_come_again(house: House) -> None:
    with postbox({HOME: "451", WORK: "451"}) as box:
        by(house, box)
        raw = mail("alice", move(house, "alice"), "m1")
        receive(raw, house.server, Config())
        assert house.store.marks.unsent("holo") == {"1": [1]}
        box.answers.clear()
        assert flush().status == 0
        assert flush().text == "No letters are waiting.\n"
    assert copies(box) == once(MINE, MY_WORK, HERS)
    assert len(house.match().record.log) == 2


def test_marks_of_1_0_count(house: House) -> None:
    """They hold the names of whole letters."""
    house.cannot_send()
    play(house)
    with house.store.marks.sending("holo", "1", 1) as mark:
        assert mark is not None
        mark.add("holo.1.1.alice")
        mark.kept = True
    with postbox() as box:
        by(house, box)
        assert flush().status == 0
    assert copies(box) == once(HERS)


def test_letters_that_wait_go_to_the_new_address(house: House) -> None:
    with postbox({WORK: "451"}) as box:
        by(house, box)
        play(house)
        box.answers.clear()
        house.type(f"change address alice {{alice}} {HOME} new@example.org")
        flush()
    found = copies(box)
    assert found[MINE] == found["holo.1.1.alice", "new@example.org"] == 1
    assert found[MY_WORK] == 0


# An answer that no log keeps


def keep_at_most(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    """Every store keeps so many mails in a folder."""
    for module in (spool, mails):
        monkeypatch.setattr(module, "MOST_KEPT", most)


def test_an_answer_is_kept_for_the_address_that_waits(house: House) -> None:
    raw = mail("alice", f"holo showas alice {PASSWORDS['alice']} 1", "m1")
    with postbox({WORK: "451"}) as box:
        by(house, box)
        receive(raw, house.server, Config())
        (copy,) = keeping.copies(house.store, WAITING)
        assert (copy.to, "451" in copy.why) == (WORK, True)
        assert "Letters about 1 event wait" in check()
        assert flush().status == 75
        assert house.store.kept.mails(WAITING) == [copy.filename]
        box.answers[WORK] = "550"  # then it is undeliverable
        assert flush().status == 0
        assert house.store.kept.mails(WAITING) == []
        assert house.store.kept.mails(UNDELIVERABLE) == [copy.filename]
        box.answers.clear()
        assert flush("flush --undeliverable").status == 0
    assert sorted(to for _, to in copies(box).elements()) == [WORK, HOME]
    first, last = (brought.text for brought in box.brought)
    assert first == last


def test_an_answer_that_cannot_be_kept_comes_again(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep_at_most(monkeypatch, 1)
    words = f"holo showas alice {PASSWORDS['alice']} 1"
    with postbox({WORK: "451"}) as box:
        by(house, box)
        receive(mail("alice", words, "m1"), house.server, Config())
        (first,) = house.store.kept.mails(WAITING)
        with pytest.raises(CannotSend, match="451"):
            receive(mail("alice", words, "m2"), house.server, Config())
    assert house.store.kept.mails(WAITING) == [first]


# What was refused for good


@pytest.mark.parametrize("refused", [{WORK: "550"}, {WORK: "553", HOME: "451"}])
def test_a_letter_that_an_address_refuses_is_kept_and_not_retried(
    house: House, refused: dict[str, str]
) -> None:
    with postbox(refused) as box:
        by(house, box)
        play(house)
        box.answers.pop(HOME, "")
        assert flush().status == 0
        assert copies(box) == once(MINE, HERS)
        (copy,) = keeping.copies(house.store, UNDELIVERABLE)
        assert (copy.to, copy.parcel.to) == (WORK, (WORK,))
        said = f"the last to {WORK}: {box.name} said {refused[WORK]} to RCPT"
        assert f"Letters that could not be delivered: 1, {said}" in check()
        box.answers[WORK] = "550"
        answer = flush("flush --undeliverable")
        assert (answer.status, "could not be sent" in answer.text) == (75, True)
        assert "550" in answer.text
        assert list(keeping.copies(house.store, UNDELIVERABLE)) == [copy]
        box.answers.clear()
        assert flush("flush --undeliverable").status == 0
        assert flush("flush --undeliverable").text == (
            "Undeliverable letters: 0; none is left.\n"
        )
    assert copies(box) == once(MINE, HERS, MY_WORK)
    assert "could not be delivered" not in check()


def test_a_letter_that_is_refused_is_refused_for_all(house: House) -> None:
    with postbox({".": "552"}) as box:
        by(house, box)
        play(house)
        assert flush().text == "No letters are waiting.\n"
        found = [copy.to for copy in keeping.copies(house.store, UNDELIVERABLE)]
        assert sorted(found) == sorted([HOME, WORK, BOB])
        box.answers.clear()
        flush("flush --undeliverable")
    assert copies(box) == once(MINE, HERS, MY_WORK)


def test_an_address_may_be_mended_by_hand(house: House) -> None:
    with postbox({WORK: "550"}) as box:
        by(house, box)
        play(house)
        (name,) = house.store.kept.mails(UNDELIVERABLE)
        text = house.store.kept.read(UNDELIVERABLE, name)
        assert text is not None
        house.store.kept.remove(UNDELIVERABLE, name)
        mended = text.replace(WORK.encode(), b"alice@example.net", 1)
        house.put_piece(Title(MAIL, UNDELIVERABLE, name), mended)
        assert flush("flush --undeliverable").status == 0
    assert copies(box)["holo.1.1.alice", "alice@example.net"] == 1


@pytest.mark.parametrize("text", ["", "no such lines\n", "X-Undelivered-To: a@b.org\n"])
def test_one_that_is_damaged_is_named(house: House, text: str) -> None:
    house.put_piece(Title(MAIL, UNDELIVERABLE, "x.eml"), text.encode())
    with postbox() as box:
        by(house, box)
        answer = flush("flush --undeliverable")
        assert (answer.status, "undeliverable/x.eml" in answer.text) == (75, True)
        assert "Letters that could not be delivered: 1" in check()
    assert box.brought == []


def test_remembered_values_are_limited(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep_at_most(monkeypatch, 3)
    with postbox({BOB: "550"}) as box:
        by(house, box)
        for number in range(6):
            say(house, number)
    texts = [copy.mail for copy in keeping.copies(house.store, UNDELIVERABLE)]
    assert [b"Hello%d" % n in text for n, text in enumerate(texts, 3)] == [True] * 3


def test_letters_that_cannot_be_kept_wait(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*given: object) -> None:
        raise StoreTrouble("There is no room left.")

    with postbox({WORK: "550"}) as box:
        by(house, box)
        with monkeypatch.context() as patch:
            patch.setattr(house.store.kept, "keep", full)
            play(house)
        assert house.store.marks.unsent("holo") == {"1": [1]}
        assert flush().status == 0
    assert [c.to for c in keeping.copies(house.store, UNDELIVERABLE)] == [WORK]
    assert copies(box) == once(MINE, HERS)


def test_two_do_not_send_the_same_again(house: House) -> None:
    with postbox({WORK: "550"}) as box:
        by(house, box)
        house.settings(f"wait: 0\n{box.settings}")
        play(house)
        box.answers.clear()
        with house.store.flushing(UNDELIVERABLE):
            answer = flush("flush --undeliverable")
            assert (answer.status, "busy" in answer.text) == (75, True)
    assert copies(box)[MY_WORK] == 0


# What the owner hears


def test_the_owner_hears_at_most_once_an_hour(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    with postbox({BOB: "550"}) as box:
        by(house, box, owned=True)
        heard = []
        for hour in range(3):
            now = f"2026-11-20T{hour:02}:00:00Z"
            monkeypatch.setattr(type(house.store), "now", lambda store, now=now: now)
            for number in range(4):
                say(house, 4 * hour + number)
            heard.append(sum(OWNER in to for to in box.got()))
    assert heard == [1, 2, 3]
    told = [brought for brought in box.brought if OWNER in brought.to]
    read = message_from_bytes(told[0].text)
    assert (read["To"], told[0].to) == (OWNER, (OWNER,))
    assert read["Subject"] == "A letter could not be delivered"
    text = " ".join(str(read.get_payload()).split())
    assert BOB in text
    assert "said 550 to RCPT" in text
    assert "pbm flush --undeliverable" in text
    assert "Hello" not in text  # what players write is none of this


def test_without_an_owner_no_letter_is_sent(house: House) -> None:
    with postbox({BOB: "550"}) as box:
        by(house, box)
        say(house)
    assert {to for mail in box.got() for to in mail} == {HOME, WORK}


@pytest.mark.parametrize(("code", "reached"), [("451", 1), ("550", 0)])
def test_an_owner_who_cannot_be_reached(house: House, code: str, reached: int) -> None:
    """One for whom there is hope hears later; about the other nobody is written."""
    with postbox({BOB: "550", OWNER: code}) as box:
        by(house, box, owned=True)
        say(house)
        box.answers.clear()
        assert flush().status == 0
    assert sum(OWNER in to for to in box.got()) == reached
    assert [copy.to for copy in keeping.copies(house.store, UNDELIVERABLE)] == [BOB]


# What the owner can ask


def test_why_letters_wait(house: House) -> None:
    assert check().endswith(f"{house.store.noun}s read: all is well.")
    with postbox({"MAIL": "530"}) as box:
        by(house, box)
        play(house)
        say(house)
        said = check()
        minute = time.strftime("%Y-%m-%d, %H:", time.gmtime())
        assert f"Letters about 2 events wait, since {minute}" in said
        assert f"{box.name} does not take letters: 530 (to MAIL)." in said
        assert house.store.note(WHY_WAITING)
        box.answers.clear()
        assert flush().status == 0
    assert "wait" not in check()
    assert not house.store.note(WHY_WAITING)


def test_the_reason_is_in_no_other_accounts_hands(house: House) -> None:
    with postbox({"MAIL": "530"}) as box:
        by(house, box)
        play(house)
    assert house.path("waiting.why").stat().st_mode & 0o777 == 0o600


# Whatever the servers say


@pytest.mark.parametrize("seed", range(6))
def test_whatever_servers_say_each_copy_leaves_once(house: House, seed: int) -> None:
    """Mails, and flush now and then; in the end every copy has
    come once, but for those that were refused for good: these once they are sent
    again."""
    chance = random.Random(seed)
    codes = ["250"] * 3 + ["450", "550"]

    def weather(box: Postbox) -> None:
        box.answers = {to: chance.choice(codes) for to in (HOME, WORK, BOB)}
        for verb in ("MAIL", "DATA", "."):
            if chance.random() < 0.2:
                box.answers[verb] = chance.choice(["451", "554"])

    with postbox() as box:
        by(house, box)
        for number in range(1, 13):
            weather(box)
            (who,) = house.match().turn
            raw = mail(who, move(house, who), f"m{number}")
            receive(raw, house.server, Config())
            if chance.random() < 0.5:
                weather(box)
                flush()
        box.answers.clear()
        assert flush().status == 0
        assert flush("flush --undeliverable").status == 0
    expected = Counter[tuple[str, str]]()
    for n in range(1, 13):
        for name, to in (("alice", HOME), ("alice", WORK), ("bob", BOB)):
            expected[f"holo.1.{n}.{name}", to] = 1
    assert copies(box) == expected
    assert house.store.marks.unsent("holo") == {}
    assert len(house.match().record.log) == 13


def test_a_mark_is_read_to_its_end(tmp_path: Path) -> None:
    """A message to all has a letter for everybody."""
    store = FileStore(str(tmp_path))
    with store.lock("players", "alice"):
        store.save("players", "alice", {"a": "b"}, unsent=1)
    lines = [f"players.alice.1.player{n} player{n}@example.org" for n in range(5000)]
    with store.marks.sending("players", "alice", 1) as mark:
        assert mark is not None
        for line in lines:
            mark.add(line)
        mark.kept = True
    with store.marks.sending("players", "alice", 1) as mark:
        assert mark is not None
        assert all(line in mark for line in lines)
        assert "players.alice.1.player9 somebody@example.org" not in mark


def test_undeliverable_letters_leave_by_another_way(house: House) -> None:
    with postbox({WORK: "550"}) as box:
        by(house, box)
        play(house)
    house.settings("send: outbox\n")
    assert flush("flush --undeliverable").status == 0
    name = house.letter_id(1, "alice")
    read = message_from_bytes(house.path("outbox", f"{name}.eml").read_bytes())
    assert read["Message-ID"] == f"<{name}@localhost>"
    assert house.store.kept.mails(UNDELIVERABLE) == []


def test_open_server_sends_as_it_is_set(house: House) -> None:
    with postbox() as box:
        by(house, box)
        server, _ = open_server()
        receive(mail("bob", "help", "m1"), server, Config())
    assert box.got() == [(BOB,)]
    assert OUTBOX not in {path.name for path in house.folder.iterdir()}
