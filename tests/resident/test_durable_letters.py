"""Letters of a resident server become durable beside its work, and then their marks
go."""

import errno
import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbm_holomino.errors import Busy
from pbm_holomino.letters.letter import Due
from pbm_holomino.mail.post import sender
from pbm_holomino.resident.batch import Batches
from pbm_holomino.server.inbox import receive
from pbm_holomino.server.transaction import Server
from pbm_holomino.store.config import Config
from pbm_holomino.store.files.store import FileStore
from pbm_holomino.store.home import Home
from pbm_holomino.store.library import Library
from tests.house import House, home
from tests.processes import PATIENCE, at_once, wait_until
from tests.resident.desk import in_outbox, mail, move, of_the_move


class HeldDisk:
    """Records what is made durable; a test can hold or refuse it for the outbox."""

    def __init__(self) -> None:
        self.may_go_on = threading.Event()
        self.may_go_on.set()
        self.refuses = False
        self.synced: list[str] = []
        self._fsync = os.fsync

    def fsync(self, fd: int) -> None:
        path = Path(os.readlink(f"/proc/self/fd/{fd}"))
        if "outbox" in path.parts:
            assert self.may_go_on.wait(PATIENCE)
            if self.refuses:
                raise OSError(errno.EIO, "Input/output error")
        self.synced.append("/".join(path.parts[-2:]))
        self._fsync(fd)


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> HeldDisk:
    disk = HeldDisk()
    monkeypatch.setattr(os, "fsync", disk.fsync)
    return disk


@pytest.fixture
def store(house: House, disk: HeldDisk) -> Iterator[FileStore]:
    """The house's server has its letters in an outbox, in batches."""
    batches = Batches(Home(str(house.folder), Config(wait=0)))
    store = batches.store
    house.server = Server(Library(store), sender(batches.home, store))
    yield store
    disk.may_go_on.set()
    batches.close()


def play(house: House, who: str, name: str = "m1") -> None:
    """A move by mail."""
    receive(mail(who, move(house, who), name), house.server, Config())


def test_a_mark_stays_until_its_letters_will_last(
    house: House, store: FileStore, disk: HeldDisk
) -> None:
    disk.may_go_on.clear()
    play(house, "alice")
    assert disk.synced[-3:-1] == ["holo/1.new", "games/holo"]  # then the new outbox
    assert in_outbox(house) == of_the_move(house)
    assert house.store.marks.unsent("holo") == {"1": [1]}
    disk.may_go_on.set()
    wait_until(lambda: house.store.marks.unsent("holo") == {})
    files = {f"outbox/{name}" for name in of_the_move(house)}
    assert {*disk.synced[-3:-1]} == files  # at once
    assert disk.synced[-1] == "games/outbox"


def test_while_the_mark_stays_nobody_else_sends(
    house: House, store: FileStore, disk: HeldDisk
) -> None:
    disk.may_go_on.clear()
    play(house, "alice")
    other = Server(Library(FileStore(str(house.folder))), house.keep)
    assert other.delivery.deliver([Due.of(house.match())]) == {}
    play(house, "bob", "m2")
    assert house.sent == []
    assert house.store.marks.unsent("holo") == {"1": [1, 2]}
    assert len(in_outbox(house)) == 4
    disk.may_go_on.set()
    wait_until(lambda: house.store.marks.unsent("holo") == {})


def test_if_the_disk_refuses_the_mark_stays_and_is_empty(
    house: House,
    store: FileStore,
    disk: HeldDisk,
    capsys: pytest.CaptureFixture[str],
) -> None:
    disk.refuses = True
    play(house, "alice")
    wait_until(lambda: "cannot be made durable" in capsys.readouterr().err)
    assert house.store.marks.unsent("holo") == {"1": [1]}
    assert house.path("holo", "1.1.unsent").read_bytes() == b""
    disk.refuses = False
    for name in of_the_move(house):
        house.path("outbox", name).unlink()
    play(house, "bob", "m2")
    wait_until(lambda: house.store.marks.unsent("holo") == {})
    assert set(in_outbox(house)) > set(of_the_move(house))


def test_a_mark_that_cannot_be_closed_does_not_end_the_thread(
    house: House,
    store: FileStore,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    close = os.close

    def refuse(fd: int) -> None:
        name = os.readlink(f"/proc/self/fd/{fd}")
        close(fd)
        if ".unsent" in name and threading.current_thread().name == "batches":
            raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr(os, "close", refuse)
        play(house, "alice")
        wait_until(lambda: "pbm serve: OSError in" in capsys.readouterr().err)
    play(house, "bob", "m2")
    wait_until(lambda: house.store.marks.unsent("holo") == {})


def test_a_letter_may_be_collected_before_it_is_durable(
    house: House, store: FileStore, disk: HeldDisk
) -> None:
    disk.may_go_on.clear()
    play(house, "alice")
    house.path("outbox", of_the_move(house)[0]).unlink()
    disk.may_go_on.set()
    wait_until(lambda: house.store.marks.unsent("holo") == {})
    assert in_outbox(house) == of_the_move(house)[1:]


def test_a_letter_that_could_not_be_sent_keeps_its_mark(
    house: House, store: FileStore, disk: HeldDisk
) -> None:
    account = house.document("players", "bob")
    text = account.read_text()
    account.write_text("damaged")
    play(house, "alice")
    gone = house.path("holo", "1.1.unsent")
    wait_until(lambda: gone.read_text() == "holo.1.1.alice\n")
    assert in_outbox(house) == of_the_move(house)[:1]
    account.write_text(text)
    house.deliver(house.match())
    wait_until(lambda: house.store.marks.unsent("holo") == {})
    assert in_outbox(house) == of_the_move(house)


def test_an_answer_without_a_mark_is_durable_at_once(
    house: House, store: FileStore, disk: HeldDisk
) -> None:
    receive(mail("alice", "help", "m1"), house.server, Config())
    (answer,) = in_outbox(house)
    assert answer.startswith("answer.")


def test_threads_can_write_the_same_file_at_once(store: FileStore) -> None:
    faults: list[Exception] = []

    def drop() -> None:
        try:
            for _ in range(100):
                store.kept.put("outbox", "answer.eml", b"the same answer\n")
        except Exception as error:
            faults.append(error)

    at_once(*[drop] * 8)
    assert faults == []
    assert os.listdir(store.path("outbox")) == ["answer.eml"]


def test_letters_that_do_not_become_files_need_no_batch(
    house: House, store: FileStore
) -> None:
    house.server.delivery.post = house.keep
    play(house, "alice")
    assert house.store.marks.unsent("holo") == {}
    assert {letter.to for letter in house.sent} == {(home("alice"),), (home("bob"),)}


def test_an_outbox_that_cannot_be_written(house: House, store: FileStore) -> None:
    house.path("outbox").write_text("no folder")
    play(house, "alice")
    assert house.match().ply == 1
    assert house.store.marks.unsent("holo") == {"1": [1]}


def test_in_the_end_every_letter_is_durable(house: House, disk: HeldDisk) -> None:
    house.challenges(9)
    batches = Batches(Home(str(house.folder), Config(wait=0)))
    store = batches.store
    house.server = Server(Library(store), sender(batches.home, store))
    for board in range(1, 11):
        line = move(house, "alice", board)
        receive(mail("alice", line, f"m{board}"), house.server, Config())
    batches.close()
    assert house.store.marks.unsent("holo") == {}
    assert len(in_outbox(house)) == 20
    assert {f"outbox/{name}" for name in in_outbox(house)} <= set(disk.synced)


# Locks


def test_servers_and_commands_exclude_each_other(
    house: House, store: FileStore
) -> None:
    commands = FileStore(str(house.folder))
    for holder, other in ((store, commands), (commands, store), (store, store)):
        busy = pytest.raises(Busy, match="holo 1 is busy")
        with holder.lock("holo", "1"), busy:
            other.lock("holo", "1").__enter__()
        with other.lock("holo", "1"):
            pass


def test_a_lock_that_comes_free_is_taken(house: House, store: FileStore) -> None:
    held, taken = store.lock("holo", "1"), threading.Event()
    held.__enter__()
    patient = FileStore(str(house.folder), PATIENCE)

    def take() -> None:
        with patient.lock("holo", "1"):
            taken.set()

    thread = threading.Thread(target=take)
    thread.start()
    assert not taken.wait(0.1)
    held.__exit__(None, None, None)
    thread.join()
    assert taken.is_set()
