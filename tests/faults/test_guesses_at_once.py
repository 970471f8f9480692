"""Guesses that run at once are no more than those that run one after the other: in
threads and in processes, over files and over PostgreSQL."""

import multiprocessing
import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from multiprocessing.connection import Connection
from pathlib import Path
from time import sleep

import pytest

from pbm_holomino.commands import allowance
from pbm_holomino.commands.allowance import GUESSES, Guess, Guesses, Hour
from pbm_holomino.errors import TooManyGuesses
from pbm_holomino.store.contract import Store
from pbm_holomino.store.files.store import FileStore
from pbm_holomino.store.postgres.store import PostgresStore
from tests.postgres.cluster import POSTGRESQL

NOW = "2026-11-20T08:00:00Z"
EVE = "eve@example.net"
MANY = 60
Judge = Callable[[str, str], bool]


def opened(where: str) -> Store:
    """The store in a folder, or in a database."""
    return PostgresStore(where, 1) if "://" in where else FileStore(where, 1)


@pytest.fixture(params=["files", pytest.param("postgresql", marks=POSTGRESQL)])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "postgresql":
        return str(request.getfixturevalue("database"))
    return str(tmp_path / "games")


@pytest.fixture
def store(where: str) -> Iterator[Store]:
    with closing(opened(where)) as store:
        yield store


def guess(store: Store, password: str, judge: Judge, is_home: bool = False) -> str:
    """What a mail of its own is told about a password."""
    mail = Guesses(EVE, Hour(store.counters, NOW))
    try:
        store.expect(claim=mail.likely("alice"))
        return f"{mail.fits(Guess(password, 'hash', 'alice', is_home), judge)}"
    except TooManyGuesses:
        return "too many"
    finally:
        store.settle()


def slowly(password: str, hashed: str) -> bool:
    """Long enough for all others to begin."""
    sleep(0.2)
    return False


def all_at_once(store: Store, many: int, judge: Judge) -> list[str]:
    """What so many mails are told that come at the same moment."""
    ready = threading.Barrier(many)

    def one(number: int) -> str:
        ready.wait()
        return guess(store, f"wrong{number}", judge)

    with ThreadPoolExecutor(many) as pool:
        return list(pool.map(one, range(many)))


def test_threads_look_at_no_more_than_the_limit(store: Store) -> None:
    judged: list[str] = []

    def judge(password: str, hashed: str) -> bool:
        judged.append(password)
        return slowly(password, hashed)

    told = all_at_once(store, MANY, judge)
    assert (len(judged), told.count("False")) == (GUESSES, GUESSES)
    assert told.count("too many") == MANY - GUESSES


def in_process(where: str) -> list[str]:
    with closing(opened(where)) as store:
        return all_at_once(store, MANY // 3, slowly)


def test_processes_look_at_no_more_than_the_limit(where: str, store: Store) -> None:
    with multiprocessing.get_context("spawn").Pool(3) as pool:
        told = sum(pool.map(in_process, [where] * 3), [])
    assert (told.count("False"), told.count("too many")) == (GUESSES, MANY - GUESSES)


def test_right_passwords_that_come_at_once_are_all_right(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those beyond the limit wait until it is known that the first ones were right."""
    monkeypatch.setattr(allowance, "_TRIES", 2_000)

    def judge(password: str, hashed: str) -> bool:
        sleep(0.01)
        return True

    assert all_at_once(store, 2 * GUESSES, judge) == ["True"] * (2 * GUESSES)


def test_once_too_many_were_wrong_nobody_waits(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(allowance, "sleep", pytest.fail)
    told = [guess(store, f"{number}", lambda *_: False) for number in range(GUESSES)]
    assert told == ["False"] * GUESSES
    assert guess(store, "right", lambda *_: True) == "too many"


def test_guesses_that_are_never_judged_are_not_waited_for_for_ever(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[float] = []
    monkeypatch.setattr(allowance, "sleep", waited.append)
    names = {f"guesses from {EVE}": GUESSES}
    held = [store.counters.hold("strangers", NOW[:13], names) for _ in range(GUESSES)]
    assert all(held)
    assert guess(store, "right", lambda *_: True) == "too many"
    assert 0 < sum(waited) <= 2


def hold_for_ever(folder: str, names: dict[str, int], says: Connection) -> None:
    with closing(FileStore(folder, 1)) as store:
        says.send(bool(store.counters.hold("strangers", NOW[:13], names)))
        sleep(600)


def test_what_a_dead_process_held_in_files_is_free(tmp_path: Path) -> None:
    names, folder = {"somebody": 1}, str(tmp_path / "games")
    processes = multiprocessing.get_context("spawn")
    here, there = processes.Pipe()
    process = processes.Process(target=hold_for_ever, args=(folder, names, there))
    process.start()
    with closing(FileStore(folder, 1)) as store:
        assert here.recv()
        assert store.counters.hold("strangers", NOW[:13], names) is None
        process.kill()
        process.join()
        assert store.counters.hold("strangers", NOW[:13], names)


def test_what_is_given_back_is_free_though_a_child_has_the_file_open(
    tmp_path: Path,
) -> None:
    """As while a robot thinks in a child that was begun meanwhile."""
    names = {"somebody": 1}
    with closing(FileStore(str(tmp_path / "games"), 1)) as store:
        held = store.counters.hold("strangers", NOW[:13], names)
        assert held
        ends, lasts = os.pipe()
        child = os.fork()
        if not child:
            os.close(lasts)
            os.read(ends, 1)
            os._exit(0)
        try:
            assert store.counters.hold("strangers", NOW[:13], names) is None
            held.release()
            assert store.counters.hold("strangers", NOW[:13], names)
        finally:
            os.close(lasts)
            os.close(ends)
            os.waitpid(child, 0)


@pytest.mark.parametrize("is_home", [True, False])
def test_right_passwords_use_nothing_up(store: Store, is_home: bool) -> None:
    """Nor does an account that cannot be read."""

    def damaged(password: str, hashed: str) -> bool:
        raise ValueError

    for number in range(2 * GUESSES):
        assert guess(store, f"{number}", lambda *_: True, is_home) == "True"
        with pytest.raises(ValueError, match="^$"):
            guess(store, f"{number}", damaged, is_home)
    told = [guess(store, f"{n}", lambda *_: False, is_home) for n in range(GUESSES)]
    assert told == ["False"] * GUESSES
    assert guess(store, "one more", lambda *_: False, is_home) == "too many"
    # what is counted elsewhere is as it was
    elsewhere = guess(store, "one more", lambda *_: True, not is_home)
    assert elsewhere == "True"
