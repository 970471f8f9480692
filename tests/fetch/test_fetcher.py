"""What becomes of each mail, whatever the mailbox: mails that must come again, mails
that a mailbox does not let go of, and who fetches."""

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from pbm_holomino.errors import Busy, CannotFetch, CannotSend, StoreTrouble
from pbm_holomino.fetch.contract import OneMailRefused
from pbm_holomino.fetch.fetcher import Fetched, Fetcher
from pbm_holomino.fetch.progress import Lease, fetching, pause, read
from pbm_holomino.fetch.stopping import Stopping
from pbm_holomino.match.times import later
from pbm_holomino.store.contract import QUARANTINE
from pbm_holomino.store.files.store import FileStore
from pbm_holomino.store.home import Home
from tests.fetch.club import problems

NOW = "2026-11-20T08:00:00Z"


class Box:
    """A mailbox in memory; `stuck` are mails that it gives and does not let go of."""

    def __init__(self, *names: str) -> None:
        self.there = {name: name.encode() for name in names}
        self.stuck: set[str] = set()
        self.withheld: dict[str, CannotFetch] = {}
        self.reads: list[str] = []

    def mails(self) -> list[str]:
        return list(self.there)

    def read(self, name: str) -> bytes | None:
        self.reads.append(name)
        if name in self.withheld:
            raise self.withheld[name]
        return self.there.get(name)

    def remove(self, name: str) -> None:
        if name in self.stuck:
            raise OneMailRefused("The mailbox is full.")
        del self.there[name]

    def wait(self, seconds: float) -> bool:
        raise AssertionError

    def close(self) -> None:
        pass


class Store(FileStore):
    """A store whose clock a test sets."""

    time = NOW

    def now(self) -> str:
        return self.time


class Desk:
    """A fetcher, what it has been given, and what goes wrong with some mails."""

    def __init__(self, folder: Path, home: str = "here") -> None:
        self.store = Store(str(folder))
        self.lease = Lease(self.store, home)
        self.process = Stopping("pbm fetch")
        self.wrong: dict[bytes, Exception] = {}
        self.received: list[bytes] = []
        self.fetcher = Fetcher(self.receive, self.store, self.lease, self.process)

    def receive(self, raw: bytes) -> None:
        self.received.append(raw)
        if raw in self.wrong:
            raise self.wrong[raw]

    def fetch(self, box: Box) -> Fetched:
        self.lease.keep()
        return self.fetcher.fetch_all(box)

    def taken(self) -> list[bytes]:
        taken, self.received = self.received, []
        return taken

    def wait(self, seconds: int) -> None:
        self.store.time = later(self.store.time, seconds=seconds)

    def problems(self) -> list[str]:
        return problems(self.store)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path / "store")


def test_a_mail_that_must_come_again_holds_up_no_other(desk: Desk) -> None:
    box = Box("a", "b", "c")
    desk.wrong[b"b"] = CannotSend("No room.")
    assert desk.fetch(box) == (2, 1)
    assert desk.taken() == [b"a", b"b", b"c"]
    assert box.mails() == ["b"]
    assert desk.problems() == [
        "1 mail must be fetched again, the first since 2026-11-20, 08:00 UTC. No room."
    ]


def test_it_waits_longer_each_time(desk: Desk) -> None:
    box = Box("a")
    desk.wrong[b"a"] = CannotSend("No room.")
    desk.fetch(box)
    for minutes in (1, 2, 4, 8, 16, 32, 60, 60):
        desk.taken()
        desk.wait(60 * minutes - 1)
        assert desk.fetch(box) == (0, 1)
        assert desk.taken() == []
        desk.wait(1)
        assert desk.fetch(box) == (0, 1)
        assert desk.taken() == [b"a"]
    desk.wrong.clear()
    desk.wait(3600)
    assert desk.fetch(box) == (1, 0)
    assert desk.problems() == []


def test_pauses() -> None:
    assert [pause(tries, 5, 300) for tries in (0, 1, 5, 6, 1000)] == [
        *(5, 10, 160, 300, 300)
    ]


def test_after_three_days_it_is_in_quarantine(desk: Desk) -> None:
    box = Box("a", "b")
    desk.wrong[b"a"] = ValueError("a secret of the mail")
    tries = 0
    while "a" in box.there:
        desk.fetch(box)
        desk.wait(3600)
        tries += 1
    assert 72 <= tries <= 74
    (name,) = desk.store.kept.mails(QUARANTINE)
    assert desk.store.kept.read(QUARANTINE, name) == b"a"
    assert desk.problems() == []
    assert "secret" not in str(desk.store.find("fetch", "progress"))


def test_another_process_knows_of_it(desk: Desk, tmp_path: Path) -> None:
    box = Box("a")
    desk.wrong[b"a"] = CannotSend("No room.")
    desk.fetch(box)
    desk.lease.end()
    other = Desk(tmp_path / "store", "there")
    assert other.fetch(box) == (0, 1)
    assert other.taken() == []
    other.wait(60)
    assert other.fetch(box) == (1, 0)


def test_a_mail_that_is_gone_is_forgotten(desk: Desk) -> None:
    box = Box("a")
    desk.wrong[b"a"] = CannotSend("No room.")
    desk.fetch(box)
    box.there.clear()
    assert desk.fetch(box) == (0, 0)
    assert desk.problems() == []


def test_a_mail_that_stays_in_the_mailbox_is_carried_out_once(desk: Desk) -> None:
    box = Box("a", "b", "c")
    box.stuck = {"a"}
    assert desk.fetch(box) == (3, 0)
    assert desk.problems() == [
        "Mail cannot be fetched, since 2026-11-20, 08:00 UTC. The mailbox is full."
    ]
    desk.wait(60)
    box.there["d"] = b"d"
    desk.fetch(box)
    assert desk.taken() == [b"a", b"b", b"c", b"d"]
    assert "08:00" in desk.problems()[0]
    box.stuck.clear()
    desk.fetch(box)
    assert desk.taken() == []
    assert box.mails() == []
    assert desk.problems() == []


def test_a_mail_that_the_mailbox_does_not_give_holds_up_no_other(desk: Desk) -> None:
    box = Box("a", "b", "c")
    box.withheld = {
        "a": OneMailRefused("Not this one."),
        "b": CannotFetch("The connection was lost."),
    }
    with pytest.raises(CannotFetch, match="was lost"):
        desk.fetch(box)
    assert desk.fetch(box) == (1, 2)
    assert desk.taken() == [b"c"]
    assert box.reads == ["a", "b", "c"]


def test_a_store_that_notes_nothing_ends_the_round(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hundred mails are not all tried, and none is thought to have failed."""
    box = Box(*map(str, range(100)))
    desk.lease.keep()

    def full(*args: object) -> None:
        raise StoreTrouble("The disk is full.")

    with monkeypatch.context() as broken:
        broken.setattr(desk.store, "save", full)
        desk.wrong = dict.fromkeys(box.there.values(), StoreTrouble("full"))
        with pytest.raises(StoreTrouble, match="disk is full"):
            desk.fetch(box)
    assert len(desk.taken()) == 1


def test_mails_that_come_meanwhile_are_fetched_too(desk: Desk) -> None:
    box = Box("a")
    carried: Callable[[bytes], None] = desk.receive

    def receive(raw: bytes) -> None:
        carried(raw)
        if raw == b"a":
            box.there["b"] = b"b"

    desk.fetcher = Fetcher(receive, desk.store, desk.lease, desk.process)
    assert desk.fetch(box) == (2, 0)


# Who fetches


def test_one_home_at_a_time(desk: Desk, tmp_path: Path) -> None:
    other = Desk(tmp_path / "store", "there")
    desk.lease.keep()
    with pytest.raises(Busy, match="on another machine"):
        other.lease.keep()
    other.wait(299)
    with pytest.raises(Busy):
        other.lease.keep()
    other.wait(1)
    other.lease.keep()  # the first one has died
    desk.wait(300)
    desk.lease.progress = desk.lease.progress.with_done("x")
    with pytest.raises(Busy):
        desk.lease.save()
    other.lease.end()
    desk.lease.keep()
    assert read(desk.store).home == "here"
    assert read(desk.store).done == frozenset()  # what the other one knew counts


def test_a_home_that_dies_comes_back_at_once(desk: Desk, tmp_path: Path) -> None:
    desk.lease.keep()
    Desk(tmp_path / "store", "here").lease.keep()


def test_one_process_of_a_home(tmp_path: Path) -> None:
    home, store = Home(str(tmp_path)), Store(str(tmp_path))
    with fetching(home, store) as lease:
        lease.keep()
        with (
            pytest.raises(Busy, match=r"by pbm fetch or pbm run\."),
            fetching(home, store),
        ):
            pass
        first = read(store).home
    assert read(store).until == ""
    with fetching(home, store) as lease:
        lease.keep()
        assert read(store).home == first


def test_a_damaged_document_is_named(desk: Desk) -> None:
    desk.lease.keep()
    path = Path(desk.store.path("fetch", "progress.yaml"))
    path.write_text("home: [")
    with pytest.raises(Exception, match=r"fetch/progress\.yaml"):
        desk.problems()


# Stopping


def test_a_mail_that_is_begun_is_finished(desk: Desk) -> None:
    box = Box("a", "b")

    def receive(raw: bytes) -> None:
        os.kill(os.getpid(), signal.SIGTERM)
        desk.receive(raw)

    desk.fetcher = Fetcher(receive, desk.store, desk.lease, desk.process)
    with desk.process.listening():
        desk.fetch(box)
        raise AssertionError("it went on")
    assert desk.taken() == [b"a"]
    assert box.mails() == ["b"]


def test_the_second_signal_waits_for_nothing() -> None:
    process = Stopping("pbm run")
    passed = []
    with process.listening(), process.held():
        os.kill(os.getpid(), signal.SIGINT)
        passed.append(1)
        os.kill(os.getpid(), signal.SIGINT)
        passed.append(2)
    assert passed == [1]
