"""What a resident server remembers, and until when."""

import gc
import os
import random
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from time import sleep
from typing import Any

import pytest

from pbm_holomino.errors import CorruptFile, NotFound
from pbm_holomino.match import replay
from pbm_holomino.match.account import fits_password, hash_password
from pbm_holomino.match.board import Match
from pbm_holomino.resident import cache
from pbm_holomino.resident.cache import Passwords, Recent, read_ahead, remembering
from pbm_holomino.resident.lmtp import Handler
from pbm_holomino.resident.turns import Turns
from pbm_holomino.server.transaction import Server
from pbm_holomino.store import yaml
from pbm_holomino.store.config import Config
from pbm_holomino.store.library import Library
from tests.faults.test_long_logs import ROUNDS, long_log
from tests.house import PASSWORDS, House, open_house
from tests.resident.desk import mail, move
from tests.store.shelves import moved, opened


@pytest.fixture
def house(tmp_path: Path) -> House:
    """A server that remembers; other processes use a `Library` of their own."""
    house = open_house(tmp_path)
    house.library = house.server.library = remembering(house.store)
    return house


def reads(monkeypatch: pytest.MonkeyPatch, house: House) -> list[str]:
    """The names of the files that are read from now on."""
    read: list[str] = []
    find = house.store.find

    def told(folder: str, name: str, known: Any = None) -> Any:
        found = find(folder, name, known)
        if found is None or found.text is not None:
            read.append(f"{folder}/{name}")
        return found

    monkeypatch.setattr(house.store, "find", told)
    return read


# Files


def test_files_that_were_read_or_saved_are_not_read_again(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = reads(monkeypatch, house)
    house.type(move(house, "alice"))
    assert sorted(read) == ["holo/1", "players/alice", "players/bob"]
    read.clear()
    house.type(move(house, "bob"))
    house.type(move(house, "alice"))
    assert read == []


def test_it_agrees_with_the_files(house: House) -> None:
    choose = random.Random(7).randrange
    while house.match().result is None:
        (who,) = house.match().turn
        legal = house.legal()
        assert house.type(move(house, who, choice=choose(len(legal)))).status == 0
        assert house.match() == Library(house.store).match("holo", 1)
    for name in ("alice", "bob", "nobody", "../alice", "\0"):
        assert house.library.account(name) == Library(house.store).account(name)


def test_it_agrees_with_them_after_every_kind_of_change(house: House) -> None:
    first, *_, last = house.legal()
    for line in (
        f"holo submit 1 alice {{alice}} {first}",
        "holo confirm 1 alice {alice}",
        f"holo queue 1 alice {{alice}} {last}",
        "holo move 1 bob {bob} propose",
        "holo move 1 alice {alice} reject",
        "holo move 1 alice {alice} undo",
        "holo move 1 bob {bob} accept",
        "holo chat 1 bob {bob} -m=Hello!",
        "holo resign 1 alice {alice}",
    ):
        answer = house.type(line)
        assert answer.status == 0, answer.text
        assert house.match() == Library(house.store).match("holo", 1)


def test_changes_by_other_processes_are_seen(house: House) -> None:
    other = Server(Library(house.store), house.server.delivery.post)
    other.now = lambda: house.time
    ours, house.server = house.server, other
    for server in (ours, other, ours, ours, other, other, ours):
        house.server = server
        (who,) = Library(house.store).match("holo", 1).turn
        assert house.type(move(house, who)).status == 0
        assert house.match() == Library(house.store).match("holo", 1)
    assert house.match().ply == 7
    house.server = other
    assert house.type("change password bob {bob} another-1").status == 0
    house.server = ours
    assert house.type("holo showas bob {bob} 1").status == 1
    assert house.type("holo showas bob another-1 1").status == 0


def test_a_move_by_another_process_is_all_that_is_replayed(house: House) -> None:
    before = house.match()
    other = Server(Library(house.store), house.server.delivery.post)
    other.now = lambda: house.time
    ours, house.server = house.server, other
    assert house.type(move(house, "alice")).status == 0
    after = ours.library.match("holo", 1)
    *kept, new = after.steps
    assert all(one is same for one, same in zip(kept, before.steps, strict=True))
    assert new not in before.steps


def test_changes_by_hand_are_noticed(house: House) -> None:
    before = house.match()
    path = house.document("holo", "1")
    text = path.read_text()
    path.write_text("\n")
    with pytest.raises(CorruptFile):
        house.match()
    path.unlink()
    with pytest.raises(NotFound):
        house.match()
    path.write_text(text)
    assert house.match() == before
    account = house.document("players", "alice")
    data = yaml.load(account.read_bytes())
    account.write_bytes(yaml.dump({**data, "addresses": ["new@example.org"]}))
    found = house.library.player("alice")
    assert found is not None
    assert found.addresses == ("new@example.org",)


def test_a_save_that_fails_is_not_remembered(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, rename = house.match(), os.rename

    def failing(*names: str) -> None:
        if names[1].endswith(".yaml"):
            raise OSError(28, "No space left on device")
        rename(*names)

    with monkeypatch.context() as patch:
        patch.setattr(os, "rename", failing)
        with pytest.raises(Exception, match="No space left"):
            house.type(move(house, "alice"))
    assert house.match() == before == Library(house.store).match("holo", 1)


def test_the_boards_that_were_changed_last_are_read_ahead(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.challenges(4)
    for board in (2, 4, 5, 3, 1):
        sleep(0.02)  # more than what the disk's clock may be coarse
        path = house.document("holo", str(board))
        path.write_text("damaged" if board == 3 else path.read_text())
    monkeypatch.setattr(cache, "MOST_BOARDS", 3)
    monkeypatch.setattr(cache, "board_size", lambda table: 10)
    few = remembering(house.store, 38)  # three boards, and eight for accounts
    read = reads(monkeypatch, house)
    read_ahead(few, lambda: False)
    assert read == ["holo/5", "holo/3", "holo/1"]
    read.clear()
    assert [few.match("holo", board).record.board for board in (5, 1, 4)] == [5, 1, 4]
    assert read == ["holo/4"]
    read_ahead(few, lambda: True)  # a server that closes at once
    assert read == ["holo/4"]


def test_the_last_things_used_stay() -> None:
    recent = Recent[str](3)
    for key in "abc":
        recent.put(key, key)
    assert recent.get("a") == "a"
    for key in "dbe":
        recent.put(key, key)
    assert [recent.get(key) for key in "abcde"] == [None, "b", None, "d", "e"]
    assert len(recent) == 3


def test_large_things_take_the_place_of_many() -> None:
    recent = Recent[str](10, len)
    for words in ("aaa", "bbb", "ccc"):
        recent.put(words[0], words)
    recent.put("d", "ddddd")
    assert [recent.get(key) for key in "abcd"] == [None, None, "ccc", "ddddd"]
    recent.put("c", "c")  # it has become smaller
    recent.put("e", "eeee")
    recent.put("f", "f" * 11)  # too much by itself
    assert [recent.get(key) for key in "cdef"] == ["c", "ddddd", "eeee", None]


def talked(lines: int) -> Match:
    """A board with so many lines, and words that come with half of them."""
    record = long_log(ROUNDS["chats"], lines)
    notes = {index: f"{index} words " * 30 for index in range(0, lines, 2)}
    return replay.replay(record._replace(notes=notes))


def played(moves: int) -> Match:
    """A board with so many moves."""
    match = opened("holo", ("alice", "bob"))
    for _ in range(moves):
        match = moved(match)
    return replay.replay(match.record)


@pytest.mark.parametrize(("make", "much"), [(talked, 2000), (played, 30)])
def test_the_size_of_a_board_is_about_what_it_takes(
    make: Callable[[int], Match], much: int
) -> None:
    make(much)  # what is computed only once
    (little, took_little), (large, took_large) = map(taken_by, (make, make), (1, much))
    grown = cache.board_size(large) - cache.board_size(little)
    assert 0.5 < grown / (took_large - took_little) < 2


def taken_by(make: Callable[[int], Match], size: int) -> tuple[Match, int]:
    """A board that a function makes, and how many bytes more are taken since."""
    gc.collect()
    tracemalloc.start()
    made = make(size)
    gc.collect()
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return made, taken


def test_accounts_that_are_full_of_texts_are_large(house: House) -> None:
    player = house.library.player("alice")
    assert player is not None
    texts = dict.fromkeys(range(100), "x" * 5000)
    small, large = map(cache.account_size, (player, player._replace(notes=texts)))
    assert large - small > 500_000
    assert small < 20_000
    assert cache.account_size(None) > 0


# Passwords


class Counted:
    """How often passwords are hashed, and a clock."""

    def __init__(self) -> None:
        self.hashed = 0
        self.now = 1000.0
        self.passwords = Passwords(self.fits, lambda: self.now)

    def fits(self, password: str, hashed: str) -> bool:
        self.hashed += 1
        return fits_password(password, hashed)

    def asks(self, password: str, hashed: str) -> bool | str:
        """The answer, and `!` where it took a hash."""
        before = self.hashed
        fits = self.passwords.fits(password, hashed)
        return fits if self.hashed == before else f"{fits}!"


@pytest.fixture
def counted() -> Counted:
    return Counted()


def test_a_password_that_fitted_is_hashed_once(counted: Counted) -> None:
    hashed = hash_password("secret")
    assert [counted.asks("secret", hashed) for _ in range(3)] == ["True!", True, True]


def test_one_that_does_not_fit_is_hashed_each_time(counted: Counted) -> None:
    hashed = hash_password("secret")
    assert counted.asks("secret", hashed) == "True!"
    for wrong in ("Secret", "secret ", "", "secre", "\ud800"):
        assert [counted.asks(wrong, hashed) for _ in range(2)] == ["False!"] * 2


def test_it_is_remembered_for_that_hash_only(counted: Counted) -> None:
    old, same, new = map(hash_password, ("secret", "secret", "another"))
    assert counted.asks("secret", old) == "True!"
    assert counted.asks("secret", same) == "True!"
    assert counted.asks("secret", new) == "False!"
    with pytest.raises(ValueError, match="md5"):
        counted.asks("secret", "md5:1:1:1:00:00")


def test_it_is_forgotten_after_ten_minutes(counted: Counted) -> None:
    hashed = hash_password("secret")
    assert counted.asks("secret", hashed) == "True!"
    counted.now += 599
    assert counted.asks("secret", hashed) is True
    counted.now += 1
    assert counted.asks("secret", hashed) == "True!"


def test_only_so_many_are_remembered(
    counted: Counted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "MOST_PASSWORDS", 2)
    few = Counted()
    hashes = [hash_password("secret") for _ in range(3)]
    for hashed in hashes:
        few.asks("secret", hashed)
    assert [few.asks("secret", hashed) for hashed in hashes[::-1]] == [
        True,
        True,
        "True!",
    ]


def test_no_password_is_kept(counted: Counted) -> None:
    counted.asks("secret-and-long", hash_password("secret-and-long"))
    assert "secret-and-long" not in repr(vars(counted.passwords))
    assert "secret-and-long" not in repr(vars(counted.passwords._ends))


def test_a_changed_password_ends_the_old_one_at_once(tmp_path: Path) -> None:
    house = open_house(tmp_path)
    house.server.fits = Passwords().fits
    assert house.type("holo showas bob {bob} 1").status == 0
    assert house.type("change password bob {bob} another-1").status == 0
    assert house.type("holo showas bob {bob} 1").status == 1
    assert house.type("holo showas bob another-1 1").status == 0


# That it does not grow


def mails(n: int) -> Iterator[bytes]:
    """A mail of every kind: moves, questions, refusals, and one that is unreadable."""
    password = PASSWORDS["alice"]
    subjects = [
        f"holo move 1 alice {password} resign{n}",
        f"holo showas alice {password} {1 + n % 5}",
        f"holo showas alice wrong{n} 1",
        f"holo show 1 {n}",
        f"holo move {n} player{n} pass{n} {n}:{n}",
        f"no-{n} such command",
        f"holo preview 1 123:{n}",
    ]
    for kind, subject in enumerate(subjects):
        yield mail(("alice", "bob", "carol")[n % 3], subject, f"{n}.{kind}")
    yield f"no mail {n}".encode()


def test_memory_does_not_grow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Counted in Python objects, while mails keep coming in."""
    house = open_house(tmp_path).sign_up("carol")
    monkeypatch.setattr(cache, "MOST_PASSWORDS", 2)
    house.challenges(4)
    library = remembering(house.store, 50_000)  # a few boards
    server = Server(library, lambda letter: {}, fits=Passwords().fits)
    handler = Handler(server, Config(), Turns(1))
    counts = []
    for n in range(400):
        assert {handler.verdict(raw)[:3] for raw in mails(n)} == {"250"}
        if n % 100 == 99:
            gc.collect()
            counts.append(len(gc.get_objects()))
    # 1,600 mails lie between these; before them, what is bounded fills up
    assert counts[-1] - counts[1] < 160, counts
