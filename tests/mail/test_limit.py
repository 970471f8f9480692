"""A provider's limit on letters in a day: what is needed to play goes first."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pbm_holomino import owner
from pbm_holomino.errors import StoreTrouble
from pbm_holomino.letters.content import said
from pbm_holomino.letters.letter import Letter
from pbm_holomino.mail import limit
from pbm_holomino.mail.message import message
from pbm_holomino.mail.outcomes import GONE, Outcome, Parcel
from pbm_holomino.mail.post import leave, sender
from pbm_holomino.store.files.counters import Counters
from pbm_holomino.store.files.store import FileStore
from pbm_holomino.store.home import Home
from tests.house import PASSWORDS, House, home, mail_of
from tests.mail.postboxes import Postbox, postbox

ALICE, BOB = "alice@example.org", "bob@example.net"
NOON, LATE, NEXT = (
    "2026-11-20T12:00:00Z",
    "2026-11-20T23:59:59Z",
    "2026-11-21T00:00:00Z",
)


class Post:
    """Letters to a mail server, at a time that the test sets."""

    def __init__(self, folder: Path, box: Postbox, most: int) -> None:
        self.config = box.config()._replace(letters_per_day=most)
        self.home, self.time = Home(str(folder), self.config), NOON
        self.store = FileStore(str(folder))
        self.store.now = lambda: self.time  # type: ignore[method-assign]
        self._number = 0

    def send(self, *to: str, unsubscribe: str = "") -> str:
        """What becomes of the copies of a new letter: `g`one, or tried again `l`ater,
        or `n`ever."""
        self._number += 1
        letter = Letter(f"{self._number}", to or (ALICE,), "x", said("x\n"))
        letter = letter._replace(unsubscribe=unsubscribe)
        parcel = Parcel(letter.key, message(letter, self.config), letter.to)
        found = leave(parcel, self.home, self.store)
        assert set(found) == set(letter.to)
        return "".join(_kind(found[each]) for each in letter.to)

    def send_bulk(self) -> str:
        return self.send(unsubscribe="unsubscribe alice ~token")


def _kind(outcome: Outcome) -> str:
    return "gln"[bool(outcome.why) + outcome.for_good]


@pytest.fixture
def box() -> Iterator[Postbox]:
    with postbox() as box:
        yield box


def test_so_many_letters_leave_in_a_day(tmp_path: Path, box: Postbox) -> None:
    post = Post(tmp_path, box, 3)
    assert [post.send() for _ in range(5)] == ["g", "g", "g", "l", "l"]
    post.time = LATE
    assert post.send() == "l"
    post.time = NEXT
    assert [post.send() for _ in range(4)] == ["g", "g", "g", "l"]
    assert len(box.brought) == 6


def test_each_address_counts(tmp_path: Path, box: Postbox) -> None:
    """A letter to two addresses of which one has room goes to one."""
    post = Post(tmp_path, box, 3)
    assert [post.send(ALICE, BOB) for _ in range(3)] == ["gg", "gl", "ll"]
    assert box.got() == [(ALICE, BOB), (ALICE,)]


def test_without_a_limit_nothing_is_counted(tmp_path: Path, box: Postbox) -> None:
    post = Post(tmp_path, box, 0)
    assert {post.send() for _ in range(9)} == {"g"}
    assert list(tmp_path.iterdir()) == []


def test_what_does_not_leave_does_not_count(tmp_path: Path, box: Postbox) -> None:
    """A server that is down for hours uses up none of the day's letters; what it
    refuses for good, it has had."""
    post = Post(tmp_path, box, 3)
    box.answers[ALICE] = "451"
    assert {post.send() for _ in range(9)} == {"l"}
    box.answers[ALICE] = "550"
    assert post.send() == "n"
    box.answers.clear()
    assert [post.send() for _ in range(3)] == ["g", "g", "l"]


def test_threads_together_never_send_too_many(tmp_path: Path, box: Postbox) -> None:
    post = Post(tmp_path, box, 20)
    box.answers[BOB] = "451"
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(post.send, [ALICE, BOB] * 30))
    assert found.count("g") == len(box.brought) <= 20
    assert [post.send() for _ in range(20)].count("g") == 20 - found.count("g")


def test_digests_and_broadcasts_leave_a_quarter_to_others(
    tmp_path: Path, box: Postbox
) -> None:
    post = Post(tmp_path, box, 8)
    assert [post.send_bulk() for _ in range(7)] == ["g"] * 6 + ["l"]
    assert [post.send() for _ in range(3)] == ["g", "g", "l"]


def test_digests_and_broadcasts_wait_as_long_as_others_do(
    tmp_path: Path, box: Postbox
) -> None:
    """Also on the next day, until flush has sent what was waiting."""
    post = Post(tmp_path, box, 4)
    assert [post.send() for _ in range(5)] == ["g"] * 4 + ["l"]
    post.time = NEXT
    assert post.send_bulk() == "l"
    assert post.send() == "g"
    with limit.looking_anew(post.store):
        assert post.send() == "g"
    assert post.send_bulk() == "g"
    assert post.send_bulk() == "l"  # it would be the fourth of four


def test_since_when_letters_wait(tmp_path: Path, box: Postbox) -> None:
    post = Post(tmp_path, box, 1)
    assert (post.send(), limit.waiting_since(post.store)) == ("g", "")
    assert (post.send(), limit.waiting_since(post.store)) == ("l", NOON)
    post.time = LATE
    with limit.looking_anew(post.store):
        assert post.send() == "l"
    assert limit.waiting_since(post.store) == NOON
    post.time = NEXT
    with limit.looking_anew(post.store):
        assert post.send() == "g"
    assert limit.waiting_since(post.store) == ""


def test_a_store_that_cannot_count(tmp_path: Path, box: Postbox) -> None:
    post = Post(tmp_path, box, 1)
    (tmp_path / "leaving").write_text("a file in place of a folder")
    assert post.send() == "l"
    assert box.brought == []


def test_what_has_left_has_left_if_nothing_can_be_counted_any_more(
    tmp_path: Path, box: Postbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    post = Post(tmp_path, box, 5)
    box.answers[BOB] = "451"

    def fail(*_: object) -> int:
        raise StoreTrouble("The disk is full.")

    monkeypatch.setattr(Counters, "count", fail)
    assert post.send(ALICE, BOB) == "gl"
    assert box.got() == [(ALICE,)]


def test_the_reason_names_the_setting(tmp_path: Path, box: Postbox) -> None:
    post = Post(tmp_path, box, 1)
    mail = message(Letter("x", (ALICE, BOB), "x", said("x\n")), post.config)
    found = leave(Parcel("x", mail, (ALICE, BOB)), post.home, post.store)
    assert found[ALICE] == GONE
    assert found[BOB] == Outcome(
        "There are at most 1 letters in a day (letters_per_day): it leaves on another "
        "day."
    )


def test_what_waits_leaves_on_the_next_day(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A broadcast and a move at the limit: flush sends the letter about the move first,
    each once."""
    house = House(tmp_path / "games").sign_up("alice", "bob")
    house.accept(house.challenge())
    monkeypatch.setenv("PBM_GAMES", str(house.folder))
    with postbox() as box:
        house.settings(f"{box.settings}letters_per_day: 4\n")
        now = [NOON]
        monkeypatch.setattr(type(house.store), "now", lambda self: now[0])
        house.server.delivery.post = sender(Home(str(house.folder)), house.store)
        alice, bob = home("alice"), home("bob")
        line = f"move 1 alice {PASSWORDS['alice']} 142:4"
        house.mail(mail_of(f"holo {line}", Message_ID="<1@x>"))
        line = f"broadcast alice {PASSWORDS['alice']}"
        house.mail(mail_of(line, body="Hello, everybody!", Message_ID="<2@x>"))
        line = f"move 1 bob {PASSWORDS['bob']} 234:3"
        house.mail(mail_of(f"holo {line}", bob, Message_ID="<3@x>"))
        # about the first move, the answer to the broadcast, about the second move
        assert box.got() == [(alice,), (bob,), (alice,), (alice,)]
        assert owner.run(["flush"]).status == 75
        assert len(box.brought) == 4
        now[0] = NEXT
        assert owner.run(["flush"]).status == 0
        assert box.got()[4:] == [(bob,), (bob,)]
        texts = [b"Hello, everybody!" in mail.text for mail in box.brought[4:]]
        assert texts == [False, True]
        assert owner.run(["flush"]).text == "No letters are waiting.\n"
    assert limit.waiting_since(house.store) == ""
