"""What every store does (`store.contract`): the same tests over files and over
PostgreSQL."""

import random
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from time import gmtime, strftime, time

import pytest

from pbm_holomino.errors import Busy, StoreTrouble
from pbm_holomino.match.ledgers import is_number
from pbm_holomino.store import yaml
from pbm_holomino.store.contract import (
    PLAYERS,
    QUARANTINE,
    TOURNAMENTS,
    Claim,
    Document,
    Store,
)
from pbm_holomino.store.files import spool
from pbm_holomino.store.files.store import FileStore
from pbm_holomino.store.library import Library
from pbm_holomino.store.postgres import mails
from pbm_holomino.store.postgres.store import PostgresStore
from tests.postgres.cluster import POSTGRESQL
from tests.processes import at_once
from tests.sizes import some
from tests.store.shelves import boards, from_files, lists, numbered

OLD = {"userid": "alice", "text": "Grüße\n  und\nmehr", "log": ["1 -", "2 -"]}
NEW = {**OLD, "log": ["1 -", "2 -", "3 -"]}
ALICE = (PLAYERS, "alice")
HOUR = ("strangers", "2026-11-20T04")
PATIENCE = 0.1  # seconds

Open = Callable[[], Store]


@pytest.fixture(params=["files", pytest.param("postgresql", marks=POSTGRESQL)])
def another(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Open]:
    """Opens the same store once more, as another machine would."""
    url = ""
    if request.param == "postgresql":
        url = request.getfixturevalue("database")
    with ExitStack() as stack:

        def opened() -> Store:
            found: Store
            if url:
                found = PostgresStore(url, PATIENCE)
            else:
                found = FileStore(str(tmp_path / "games"), PATIENCE)
            stack.callback(found.close)
            return found

        yield opened


@pytest.fixture
def store(another: Open) -> Store:
    return another()


def save(store: Store, data: object = OLD, unsent: int | None = None) -> object:
    """Save Alice's account. Returns the new revision."""
    with store.lock(*ALICE):
        return store.save(*ALICE, data, unsent)


# Documents


def test_a_document_that_is_not_there(store: Store) -> None:
    assert store.find(*ALICE) is None
    assert store.find(*ALICE, "anything") is None
    assert not store.exists(*ALICE)
    assert store.names(PLAYERS) == []
    assert store.latest([PLAYERS], 9) == []


def test_a_document_is_the_text_of_its_file(store: Store, another: Open) -> None:
    save(store)
    found = another().find(*ALICE)
    assert found is not None
    assert found.text == yaml.dump(OLD)
    assert store.exists(*ALICE)
    assert store.names(PLAYERS) == ["alice"]
    assert store.names("ratings") == []


def test_a_reader_who_knows_the_revision_gets_no_text(
    store: Store, another: Open
) -> None:
    first = save(store)
    assert another().find(*ALICE, first) == Document(first, None)
    second = save(store, NEW)
    assert second != first
    found = another().find(*ALICE, first)
    assert found == Document(second, yaml.dump(NEW))


def test_under_the_lock_too(store: Store, another: Open) -> None:
    first = save(store)
    with store.lock(*ALICE):
        assert store.find(*ALICE, first) == Document(first, None)
        assert store.find(*ALICE) == Document(first, yaml.dump(OLD))
        second = store.save(*ALICE, NEW)
        assert store.find(*ALICE, first) == Document(second, yaml.dump(NEW))
        assert store.find(*ALICE, second) == Document(second, None)
    assert another().find(*ALICE) == Document(second, yaml.dump(NEW))


def test_the_latest_documents(store: Store) -> None:
    for name in ("alice", "bob", "carol", "alice"):
        with store.lock(PLAYERS, name):
            store.save(PLAYERS, name, OLD)
    with store.lock("ratings", "holo"):
        store.save("ratings", "holo", OLD)
    assert store.latest([PLAYERS], 2) == [(PLAYERS, "carol"), (PLAYERS, "alice")]
    assert store.latest([PLAYERS, "ratings"], 1) == [("ratings", "holo")]


def test_a_document_may_not_grow_for_ever(store: Store) -> None:
    save(store)
    full = rf"The {store.noun} players/alice(\.yaml)? is full"
    with pytest.raises(StoreTrouble, match=full):
        save(store, {"text": "x" * yaml.MOST_BYTES})
    found = store.find(*ALICE)
    assert found is not None
    assert found.text == yaml.dump(OLD)


def test_what_is_saved_lasts(store: Store) -> None:
    save(store)
    store.sync(*ALICE)
    store.sync(PLAYERS, "nobody")


# Locks


def test_a_lock_keeps_others_out(store: Store, another: Open) -> None:
    save(store)
    other = another()
    with store.lock(*ALICE):
        store.find(*ALICE)
        with pytest.raises(Busy, match="players alice is busy"), other.lock(*ALICE):
            other.find(*ALICE)
        assert other.find(*ALICE), "to look needs no lock"
        with other.lock(PLAYERS, "bob"):
            other.save(PLAYERS, "bob", OLD)
    with other.lock(*ALICE):
        assert other.find(*ALICE)


def test_a_document_can_be_locked_before_it_is_there(
    store: Store, another: Open
) -> None:
    other = another()
    with store.lock(*ALICE):
        assert store.find(*ALICE) is None
        with pytest.raises(Busy), other.lock(*ALICE):
            other.find(*ALICE)
    assert not other.exists(*ALICE)
    with other.lock(*ALICE):
        assert other.find(*ALICE) is None
        other.save(*ALICE, OLD)
    assert store.exists(*ALICE)


def test_whoever_waits_for_a_lock_reads_what_was_saved_under_it(another: Open) -> None:
    """Eight threads add to one document a hundred times; none waits in vain."""
    rounds = 13

    def add() -> None:
        store = another()
        store.patience = 60
        for _ in range(rounds):
            with store.lock(*ALICE):
                found = store.find(*ALICE)
                before = yaml.load(found.text or b"")["count"] if found else "0"
                store.save(*ALICE, {"count": str(int(before) + 1)})

    at_once(*[add] * 8)
    found = another().find(*ALICE)
    assert found is not None
    assert yaml.load(found.text or b"") == {"count": str(8 * rounds)}


def test_a_lock_goes_with_an_error(store: Store, another: Open) -> None:
    save(store)
    with suppress(ZeroDivisionError), store.lock(*ALICE):
        store.find(*ALICE)
        raise ZeroDivisionError
    other = another()
    with other.lock(*ALICE):
        assert other.find(*ALICE)


def test_locks_within_locks(store: Store, another: Open) -> None:
    with store.lock("", "challenges"), store.lock("holo", "new"):
        number = store.next_number("holo")
        assert number == 1
    with store.lock(PLAYERS, "alice"), store.lock(PLAYERS, "bob"):
        store.save(PLAYERS, "bob", OLD)
        store.save(PLAYERS, "alice", OLD)
    assert sorted(another().names(PLAYERS)) == ["alice", "bob"]


# Boards


def test_numbers_are_given_once(store: Store, another: Open) -> None:
    library = Library(store)
    for number in (1, 2, 3):
        with store.lock("holo", "new"):
            assert store.next_number("holo") == number
            library.save(numbered(boards()[0], number))
    assert another().next_number("holo") == 4
    assert another().next_number("hextol") == 1
    assert library.lists.boards("holo") == [1, 2, 3]
    assert not any(map(is_number, store.lost("holo")))
    assert not store.is_lost("holo", "3")
    assert not store.is_lost("holo", "4")


def test_the_number_of_a_tournament_that_is_gone_is_not_given_again(
    store: Store, another: Open
) -> None:
    for number in (1, 2):
        with store.lock(TOURNAMENTS, "new"):
            assert store.next_number(TOURNAMENTS) == number
            with store.lock(TOURNAMENTS, str(number)):
                store.save(TOURNAMENTS, str(number), {"number": str(number)})
    assert [*filter(is_number, store.lost(TOURNAMENTS))] == []
    store.remove(TOURNAMENTS, "2")
    assert [*filter(is_number, another().lost(TOURNAMENTS))] == ["2"]
    assert another().next_number(TOURNAMENTS) == 3


def test_a_document_is_removed(store: Store, another: Open) -> None:
    other, review = another(), ("reviews", "holo-1")
    for _ in range(2):
        with store.lock(*review):
            store.save(*review, OLD)
        with store.lock(*review):
            store.remove(*review)
        assert other.find(*review) is None
        assert other.names("reviews") == []
    with store.lock(*review):
        store.remove(*review)  # it need not be there
        store.save(*review, NEW)
    assert other.names("reviews") == ["holo-1"]


def test_two_who_open_a_board_at_once_get_two_numbers(another: Open) -> None:
    given = list[int]()

    def begin() -> None:
        store = another()
        for _ in range(10):
            while True:
                with suppress(Busy), store.lock("holo", "new"):
                    number = store.next_number("holo")
                    Library(store).save(numbered(boards()[0], number), 0)
                    break
            given.append(number)

    at_once(begin, begin, begin)
    assert sorted(given) == list(range(1, 31))


@pytest.mark.parametrize("seed", some(range(12), 3))
def test_lists_are_what_the_documents_come_to(
    store: Store, another: Open, seed: int
) -> None:
    """However boards turn into one another, which those of one game can."""
    chance, library = random.Random(seed), Library(store)
    for _ in range(40):
        board = numbered(chance.choice(boards()), chance.randint(1, 6))
        name = (board.record.game, str(board.record.board))
        with store.lock(*name):
            store.find(*name)
            library.save(board, chance.choice([None, 0]))
    other = Library(another())
    told = lists(other)
    assert told == lists(from_files(other.store))
    for anew in (False, True):
        other.lists.scan(anew)
        assert lists(other) == told


# Marks


def test_a_mark_is_saved_with_its_line(store: Store, another: Open) -> None:
    before = time()
    for line in (10, 9):
        save(store, unsent=line)
    save(store)
    marks = another().marks
    assert marks.unsent(PLAYERS) == {"alice": [9, 10]}
    assert marks.unsent("holo") == {}
    assert marks.is_unsent(*ALICE, 9)
    assert not marks.is_unsent(*ALICE, 1)
    first, second = marks.times(PLAYERS)
    assert before - 1 <= first <= second <= time() + 1


def test_a_mark_is_for_one_sender(store: Store, another: Open) -> None:
    save(store, unsent=1)
    other = another()
    with store.marks.sending(*ALICE, 1) as mark:
        assert mark is not None
        mark.add("to-bob")
        with other.marks.sending(*ALICE, 1) as second:
            assert second is None
        assert other.marks.is_unsent(*ALICE, 1)
    assert not other.marks.is_unsent(*ALICE, 1)
    with other.marks.sending(*ALICE, 1) as third:
        assert third is None


def test_a_mark_stays_while_letters_wait(store: Store, another: Open) -> None:
    save(store, unsent=1)
    for marks, done in ((store.marks, 1), (another().marks, 2)):
        with marks.sending(*ALICE, 1) as mark:
            assert mark is not None
            assert "to-bob" not in mark or done == 2
            mark.add(f"to-{done}")
            mark.add("to-bob")
            mark.kept = True
    with another().marks.sending(*ALICE, 1) as mark:
        assert mark is not None
        assert all(word in mark for word in ("to-1", "to-2", "to-bob"))
        assert "to-3" not in mark
    assert store.marks.unsent(PLAYERS) == {}


def test_a_mark_stays_when_sending_fails(store: Store, another: Open) -> None:
    save(store, unsent=1)
    with suppress(StoreTrouble), store.marks.sending(*ALICE, 1) as mark:
        assert mark is not None
        mark.add("to-bob")
        raise StoreTrouble
    with another().marks.sending(*ALICE, 1) as mark:
        assert mark is not None
        assert "to-bob" in mark


# What belongs to the documents


def test_what_is_remembered_is_about_this_store_alone(
    store: Store, another: Open
) -> None:
    """No copy has it: whatever an earlier version copies is what it was."""
    save(store)
    titles = store.titles()
    assert store.remembered("tick") == ""
    for text in ("2026-11-20T08:00:00Z", "2026-11-21T08:00:00Z"):
        store.remember("tick", text)
        assert another().remembered("tick") == text
    assert store.remembered("flush") == ""
    assert store.titles() == titles


def test_mails_are_kept_in_their_order(store: Store, another: Open) -> None:
    before = time()
    for name in ("b.eml", "a.eml", "c.eml"):
        store.kept.keep(QUARANTINE, name, name.encode() + b"\0\xff")
    other = another().kept
    assert other.mails(QUARANTINE) == ["b.eml", "a.eml", "c.eml"]
    assert other.read(QUARANTINE, "a.eml") == b"a.eml\0\xff"
    assert other.read("waiting", "a.eml") is None
    assert list(other.times(QUARANTINE)) == ["b.eml", "a.eml", "c.eml"]
    times = list(other.times(QUARANTINE).values())
    assert times == sorted(times)
    assert before - 1 <= times[0] <= times[2] <= time() + 1
    for _ in range(2):
        other.remove(QUARANTINE, "a.eml")
    other.sweep(QUARANTINE)
    assert store.kept.mails(QUARANTINE) == ["b.eml", "c.eml"]
    assert not store.kept.is_full(QUARANTINE)


def test_strangers_do_not_fill_the_store(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (spool, mails):
        monkeypatch.setattr(module, "MOST_KEPT", 3)
        monkeypatch.setattr(module, "MOST_KEPT_BYTES", 100)
    for number in range(5):
        store.kept.keep(QUARANTINE, f"{number}.eml", b"x")
    store.kept.keep("waiting", "other.eml", b"x")
    assert store.kept.mails(QUARANTINE) == ["2.eml", "3.eml", "4.eml"]
    assert store.kept.is_full(QUARANTINE)
    store.kept.keep(QUARANTINE, "5.eml", b"x" * 99)
    assert store.kept.mails(QUARANTINE) == ["4.eml", "5.eml"]
    store.kept.keep(QUARANTINE, "6.eml", b"x" * 101)
    assert store.kept.mails(QUARANTINE) == ["6.eml"]
    assert store.kept.mails("waiting") == ["other.eml"]


def test_the_mails_of_a_folder_are_sent_by_one(store: Store, another: Open) -> None:
    other = another()
    with store.flushing("waiting"):
        with pytest.raises(Busy, match="waiting flush"), other.flushing("waiting"):
            pass
        with other.flushing("undeliverable"):
            pass
    with other.flushing("waiting"):
        pass


def test_names_are_counted_by_the_hour(store: Store, another: Open) -> None:
    counters = store.counters
    assert [counters.count(*HOUR, "eve") for _ in range(3)] == [0, 1, 2]
    assert another().counters.count_of(*HOUR, "eve") == 3
    assert counters.count(*HOUR, "a\udcff") == 0, "whatever a mail names"
    later = ("strangers", "2026-11-20T05")
    assert counters.count_of(*later, "eve") == 0
    assert counters.count(*later, "eve") == 0
    assert counters.count_of(*HOUR, "eve") == 0, "the last hour is forgotten"
    assert counters.count_of("told", HOUR[1], "eve") == 0


def test_either_all_names_are_counted_or_none_is(store: Store) -> None:
    counters = store.counters
    assert counters.claim(*HOUR, {"alice": (1, 2), "bob": (1, 1)})
    assert not counters.claim(*HOUR, {"alice": (1, 2), "bob": (1, 1)})
    assert [counters.count_of(*HOUR, name) for name in ("alice", "bob")] == [1, 1]
    assert counters.claim(*HOUR, {"alice": (1, 2)})
    assert not counters.claim(*HOUR, {"carol": (2, 1)})
    assert counters.claim(*HOUR, {})


def test_what_is_held_is_counted_or_not(store: Store, another: Open) -> None:
    counters, other = store.counters, another().counters
    limits = {"alice": 2, "bob": 3}
    first, second = counters.hold(*HOUR, limits), other.hold(*HOUR, limits)
    assert first
    assert second
    assert other.hold(*HOUR, limits) is None
    assert not other.is_used_up(*HOUR, limits)
    first.release()
    store.settle()
    third = other.hold(*HOUR, limits)
    assert third
    second.count()
    third.count()
    assert counters.is_used_up(*HOUR, limits)
    assert counters.hold(*HOUR, {"alice": 2}) is None
    assert counters.hold(*HOUR, {"carol": 1, "alice": 2}) is None
    assert counters.hold(*HOUR, {"carol": 1, "bob": 3})


@pytest.mark.parametrize("asks", [True, False])
def test_what_was_expected_and_not_held_is_given_back(
    store: Store, another: Open, asks: bool
) -> None:
    counters, other = store.counters, another().counters
    for _ in range(3):
        store.expect(claim=Claim(*HOUR, "alice", 1))
        if asks:
            store.find(*ALICE)  # with which it may come
        store.settle()
    assert other.count_of(*HOUR, "alice") == 0
    store.expect(claim=Claim(*HOUR, "alice", 1))
    if asks:
        store.find(*ALICE)
    held = counters.hold(*HOUR, {"alice": 1})
    assert held
    held.count()
    store.settle()
    store.expect(claim=Claim(*HOUR, "alice", 1))  # which is too much now
    if asks:
        store.find(*ALICE)
    store.settle()
    assert other.hold(*HOUR, {"alice": 1}) is None


def test_what_is_counted_under_a_lock_is_counted_whatever_comes(store: Store) -> None:
    """Else whoever has a command refused could have it refused for ever."""
    with suppress(ZeroDivisionError), store.lock(*ALICE):
        store.find(*ALICE)
        assert store.counters.claim(*HOUR, {"eve": (1, 2)})
        raise ZeroDivisionError
    assert store.counters.count_of(*HOUR, "eve") == 1


def test_the_key_is_made_once(another: Open) -> None:
    found = list[bytes]()
    at_once(*[lambda: found.append(another().key())] * 4)
    assert len(found) == 4
    assert len(set(found)) == 1
    assert len(found[0]) == 32
    assert another().key() == found[0]


def test_a_note_for_the_owner(store: Store, another: Open) -> None:
    assert store.note("waiting.why") == ""
    store.put_note("waiting.why", "No route to höst.")
    assert another().note("waiting.why") == "No route to höst."
    store.put_note("waiting.why", "")
    store.put_note("waiting.why", "")
    assert another().note("waiting.why") == ""


def test_the_time_has_the_form_of_logs(store: Store) -> None:
    before, now = strftime("%Y-%m-%dT%H:%M:%SZ", gmtime(time() - 1)), store.now()
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", now)
    assert before <= now <= store.now()


def test_nothing_is_wrong_with_a_new_store(store: Store) -> None:
    store.upgrade()
    assert list(store.faults()) == []


def test_its_size_grows(store: Store) -> None:
    save(store)
    before = store.size()
    for number in range(20):
        noise = random.Random(number).randbytes(5_000).hex()
        store.kept.keep(QUARANTINE, f"{number}.eml", noise.encode())
    assert store.size() - before >= 20 * 5_000  # noise may be kept in half of it
