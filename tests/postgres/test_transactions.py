"""What is one transaction: all of it counts, or none; who waits for whom; and leases of
marks, which outlast transactions."""

import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from functools import partial
from typing import Any

import pytest

from pbm_holomino.errors import Again, Busy, StoreTrouble
from pbm_holomino.store import yaml
from pbm_holomino.store.contract import PLAYERS
from pbm_holomino.store.library import Library
from pbm_holomino.store.postgres import marks
from pbm_holomino.store.postgres import statements as sql
from pbm_holomino.store.postgres.connection import Call, Row
from pbm_holomino.store.postgres.leases import LEASE_SECONDS
from pbm_holomino.store.postgres.statements import FIND
from pbm_holomino.store.postgres.store import PostgresStore
from pbm_holomino.store.postgres.transactions import order
from tests.postgres.bouncer import BOUNCER, open_bouncer
from tests.postgres.cluster import POSTGRESQL, Cluster, address
from tests.processes import PATIENCE, at_once, wait_until
from tests.store.shelves import boards, from_files, lists, numbered

pytestmark = POSTGRESQL

ALICE, BOB = (PLAYERS, "alice"), (PLAYERS, "bob")
OLD, NEW = {"text": "old"}, {"text": "new"}


@pytest.fixture
def store(database: str) -> Iterator[PostgresStore]:
    """A store that holds Alice's account."""
    with closing(PostgresStore(database, 0.1)) as store:
        save(store, ALICE, OLD)
        yield store


@pytest.fixture
def other(database: str) -> Iterator[PostgresStore]:
    with closing(PostgresStore(database, 0.1)) as other:
        yield other


def save(store: PostgresStore, name: tuple[str, str], data: object) -> None:
    with store.lock(*name):
        store.save(*name, data)


def text(store: PostgresStore, name: tuple[str, str] = ALICE) -> bytes | None:
    found = store.find(*name)
    return None if found is None else found.text


# All or nothing


def test_nothing_is_saved_where_an_error_passes(
    store: PostgresStore, other: PostgresStore
) -> None:
    """Not the document, nor its mark, nor another one, nor what lists know."""
    played = numbered(boards()[0], 1)
    with suppress(ZeroDivisionError), store.lock(*ALICE):
        store.save(*ALICE, NEW, unsent=3)
        assert text(store) == yaml.dump(NEW)
        assert store.marks.is_unsent(*ALICE, 3)
        with store.lock("holo", "1"):
            Library(store).save(played, 0)
        assert Library(store).lists.boards("holo") == [1]
        raise ZeroDivisionError
    for each in (store, other):
        assert text(each) == yaml.dump(OLD)
        assert each.marks.unsent(PLAYERS) == {}
        assert each.names("holo") == []
        assert each.next_number("holo") == 1
        assert lists(Library(each)) == lists(from_files(each))


def test_the_inner_block_counts_with_the_outer_one(
    store: PostgresStore, other: PostgresStore
) -> None:
    with store.lock(*ALICE):
        store.save(*ALICE, NEW)
        with store.lock(*BOB):
            store.save(*BOB, NEW)
        assert text(other) == yaml.dump(OLD)
        assert text(other, BOB) is None
    assert text(other) == text(other, BOB) == yaml.dump(NEW)


def test_whoever_goes_on_after_a_failure_saves_nothing(
    store: PostgresStore, other: PostgresStore
) -> None:
    """A transaction that has failed cannot be saved by catching the error."""

    def go_on() -> None:
        with store.lock(*ALICE):
            store.save(*ALICE, NEW)
            with suppress(StoreTrouble):
                store.ask(b"SELECT 1 FROM pbm.nothing")

    with pytest.raises(StoreTrouble, match="does not exist"):
        go_on()
    assert text(other) == yaml.dump(OLD)
    assert text(store) == yaml.dump(OLD)


def test_a_lock_without_a_document_leaves_nothing(store: PostgresStore) -> None:
    with store.lock(PLAYERS, "nobody"):
        assert text(store, (PLAYERS, "nobody")) is None
    rows = store.ask(b"SELECT name FROM pbm.documents WHERE folder = 'players'")
    assert rows == [("alice",)]


# Waiting


def test_two_who_lock_crosswise_do_not_both_fail(
    database: str, store: PostgresStore
) -> None:
    """The database ends one of two that wait for each other, which is tried again."""
    both = threading.Barrier(2)
    ends = list[str]()

    def lock(first: str, second: str) -> None:
        with closing(PostgresStore(database, 30)) as mine:
            try:
                with mine.lock(PLAYERS, first):
                    mine.find(PLAYERS, first)
                    both.wait()
                    mine.ask(
                        b"SELECT 1 FROM pbm.documents WHERE name = $1 FOR UPDATE",
                        second,
                    )
                ends.append("well")
            except Again:
                ends.append("again")

    save(store, BOB, OLD)
    at_once(partial(lock, "alice", "bob"), partial(lock, "bob", "alice"))
    assert sorted(ends) == ["again", "well"]


def test_locks_are_taken_in_one_order(store: PostgresStore) -> None:
    names = [
        *(("", "challenges"), (PLAYERS, "alice"), (PLAYERS, "bob"), ("hextol", "1")),
        *(("holo", "new"), ("holo", "2"), ("holo", "10"), ("ratings", "holo")),
    ]
    assert sorted({*names}, key=order) == names
    with store.lock(*BOB):
        store.find(*BOB)
        with pytest.raises(AssertionError), store.lock(*ALICE):
            pass
    with store.lock(*BOB), store.lock(*ALICE):  # both at once: in their order
        assert text(store) == yaml.dump(OLD)


def test_a_connection_that_was_ended_is_replaced(
    store: PostgresStore, cluster: Cluster
) -> None:
    """Nobody notices between two transactions; within one, all of it is to be done
    again, and nothing was saved."""
    end(cluster, store)
    assert text(store) == yaml.dump(OLD)
    end(cluster, store)
    with store.lock(*ALICE):
        store.save(*ALICE, NEW)
    assert text(store) == yaml.dump(NEW)

    def lose() -> None:
        with store.lock(*ALICE):
            store.save(*ALICE, OLD)
            end(cluster, store)

    with pytest.raises(Again):
        lose()
    assert text(store) == yaml.dump(NEW)


def test_only_what_was_read_is_made_sure_of(
    store: PostgresStore, other: PostgresStore
) -> None:
    """A database that takes over may lack what was read from the one that failed."""
    store.find(*ALICE)
    store.sync(*ALICE)
    save(other, ALICE, NEW)
    with pytest.raises(Again, match="players alice has been changed"):
        store.sync(*ALICE)
    store.find(*ALICE)
    store.sync(*ALICE)


def end(cluster: Cluster, store: PostgresStore) -> None:
    """End the connection that a store uses, as an administrator does."""
    ((pid,),) = store.ask(b"SELECT pg_backend_pid()")
    cluster.ask("SELECT pg_terminate_backend(%s, 5000)", pid)


def test_a_process_that_hangs_gives_its_locks_back(store: PostgresStore) -> None:
    with store.lock(*ALICE):
        shown = store.ask(
            b"SELECT current_setting('idle_in_transaction_session_timeout'), "
            b"current_setting('lock_timeout')"
        )
        assert shown == [("1min", "100ms")]
    assert store.ask(b"SELECT current_setting('lock_timeout')") == [("0",)]


def test_somebody_may_wait_for_no_time_at_all(
    store: PostgresStore, other: PostgresStore
) -> None:
    """To the database a limit of 0 is none."""
    other.patience = 0
    with store.lock(*ALICE):
        store.find(*ALICE)
        with pytest.raises(Busy), other.lock(*ALICE):
            other.find(*ALICE)


# Leases


END_LEASES = b"UPDATE pbm.marks SET until = clock_timestamp() - '1 s'::interval"


@pytest.fixture
def asked(store: PostgresStore, monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """The statements that the store puts to the database one by one."""
    asked, run = list[bytes](), store.pool.run

    def noted(calls: Sequence[Call], within: float | None = None) -> list[list[Row]]:
        asked.extend(call.sql for call in calls)
        return run(calls, within)

    monkeypatch.setattr(store.pool, "run", noted)
    return asked


def test_a_mark_is_leased_to_the_thread_that_saves(
    store: PostgresStore, other: PostgresStore, asked: list[bytes]
) -> None:
    """It sends the letters next, and asks nothing before."""
    store.save(*ALICE, NEW, unsent=2)
    with other.marks.sending(*ALICE, 2) as mark:
        assert mark is None
    assert store.marks.at_end(*ALICE, [1, 2]) == [2]
    with store.marks.sending(*ALICE, 2) as mark:
        assert mark is not None
        assert asked == []
        with store.marks.sending(*ALICE, 2) as second:
            assert second is None
    assert not store.marks.is_unsent(*ALICE, 2)


def test_who_ends_leaves_marks_that_it_has_not_begun_with(
    database: str, other: PostgresStore
) -> None:
    """Nobody has to wait until its leases end."""
    with closing(PostgresStore(database, 0.1, late=60)) as server:
        for line in (1, 2):
            with server.lock(*ALICE):
                server.save(*ALICE, {"text": str(line)}, unsent=line)
        with server.marks.sending(*ALICE, 1):
            pass
        assert other.marks.left([PLAYERS], 9) == []
    assert other.marks.unsent(PLAYERS) == {"alice": [2]}
    assert other.marks.left([PLAYERS], 9) == [ALICE]
    with other.marks.sending(*ALICE, 2) as mark:
        assert mark is not None


def test_a_line_that_is_marked_again_is_leased_again(
    store: PostgresStore, other: PostgresStore
) -> None:
    store.save(*ALICE, OLD, unsent=1)
    store.ask(END_LEASES)
    store.save(*ALICE, NEW, unsent=1)
    with other.marks.sending(*ALICE, 1) as mark:
        assert mark is None


def test_a_line_that_another_sends_is_not_leased(
    store: PostgresStore, other: PostgresStore
) -> None:
    other.save(*ALICE, OLD, unsent=1)
    store.save(*ALICE, NEW, unsent=1)
    assert store.marks.at_end(*ALICE, [1]) == [1]
    with store.marks.sending(*ALICE, 1) as mark:
        assert mark is None


def test_whoever_saves_finds_what_was_marked_before(
    store: PostgresStore, other: PostgresStore
) -> None:
    other.save(*ALICE, OLD, unsent=1)
    store.save(*ALICE, NEW, unsent=2)
    assert store.marks.at_end(*ALICE, [1, 2]) == [1, 2]


def test_only_the_last_commit_is_known(store: PostgresStore) -> None:
    """Another document, or a line that came later, is looked up."""
    store.save(*ALICE, OLD, unsent=1)
    assert store.marks.at_end(*BOB, [1]) == []
    assert store.marks.at_end(*ALICE, [1]) == [1]
    store.save(*ALICE, NEW, unsent=2)
    save(store, BOB, NEW)
    assert store.marks.at_end(*ALICE, [1, 2]) == [1, 2]
    assert store.marks.at_end(*ALICE, []) == []


def test_a_mark_whose_commit_may_have_failed_is_leased_anew(
    store: PostgresStore, other: PostgresStore
) -> None:
    """It is there, but the answer was lost: the same thread may still send."""
    start = store.pool.start

    def lose(calls: Sequence[Call], within: float | None = None) -> object:
        connection, answers = start(calls, within)

        def run(*batches: Any) -> None:
            patch.undo()
            connection.run(*batches)
            raise Again("The database has not answered in time.")

        patch.setattr(connection, "run", run)
        return connection, answers

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store.pool, "start", lose)
        with pytest.raises(Again):
            store.save(*ALICE, NEW, unsent=2)
    assert text(other) == yaml.dump(NEW)
    with other.marks.sending(*ALICE, 2) as mark:
        assert mark is None
    with store.marks.sending(*ALICE, 2) as mark:
        assert mark is not None
    assert not store.marks.is_unsent(*ALICE, 2)


def test_a_server_removes_many_marks_together(
    database: str, store: PostgresStore
) -> None:
    with closing(PostgresStore(database, 0.1, late=60)) as server:
        for line in (1, 2):
            server.save(*ALICE, NEW, unsent=line)
            with server.marks.sending(*ALICE, line) as mark:
                assert mark is not None
        assert store.marks.unsent(PLAYERS) == {"alice": [1, 2]}
        with store.marks.sending(*ALICE, 1) as mark:
            assert mark is None
    assert store.marks.unsent(PLAYERS) == {}


def test_marks_are_removed_after_a_while(database: str, store: PostgresStore) -> None:
    with closing(PostgresStore(database, 0.1, late=0.01)) as server:
        server.save(*ALICE, NEW, unsent=1)
        with server.marks.sending(*ALICE, 1):
            pass
        wait_until(lambda: not store.marks.is_unsent(*ALICE, 1))


def test_the_end_waits_for_marks_that_are_being_removed(
    database: str, store: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, goes_on = threading.Event(), threading.Event()
    server = PostgresStore(database, 0.1, late=0.01)
    run = server.pool.run

    def slow(calls: Sequence[Call], within: float | None = None) -> list[list[Row]]:
        begun.set()
        assert goes_on.wait(PATIENCE)
        return run(calls, within)

    server.save(*ALICE, NEW, unsent=1)
    monkeypatch.setattr(server.pool, "run", slow)
    with server.marks.sending(*ALICE, 1):
        pass
    assert begun.wait(PATIENCE)
    ending = threading.Thread(target=server.close)
    ending.start()
    ending.join(0.05)
    assert ending.is_alive()
    goes_on.set()
    ending.join()
    assert not store.marks.is_unsent(*ALICE, 1)


def test_marks_that_cannot_be_removed_wait_for_the_next_ones(
    database: str, store: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(PostgresStore(database, 0.1, late=60)) as server:
        server.save(*ALICE, NEW, unsent=1)
        with server.marks.sending(*ALICE, 1):
            pass
        with monkeypatch.context() as patch:
            patch.setattr(server.pool, "run", refuse)
            with pytest.raises(Again):
                server.marks.finish()
    assert not store.marks.is_unsent(*ALICE, 1)


def refuse(calls: Sequence[Call], within: float | None = None) -> None:
    raise Again("The connection to the database was lost.")


def test_a_lease_outlasts_the_longest_sending_of_a_letter() -> None:
    """To five addresses, by sendmail a minute for each; by SMTP one for each of at most
    twelve steps: to connect, its greeting, EHLO, HELO, MAIL, five times RCPT, DATA, and
    the text."""
    assert LEASE_SECONDS > 60 * 12


def test_a_lease_that_has_run_out_is_anothers(
    store: PostgresStore, other: PostgresStore
) -> None:
    """Somebody has died while they sent letters."""
    store.save(*ALICE, NEW, unsent=1)
    with store.marks.sending(*ALICE, 1) as first:
        assert first is not None
        store.ask(END_LEASES)
        with other.marks.sending(*ALICE, 1) as second:
            assert second is not None
        assert not other.marks.is_unsent(*ALICE, 1)
    assert not store.marks.is_unsent(*ALICE, 1)


def test_a_lease_is_made_longer_while_letters_are_sent(
    store: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(marks, "RENEWED_AFTER", 0)
    store.save(*ALICE, NEW, unsent=1)
    left = b"SELECT done, until > clock_timestamp() + '1100 s'::interval FROM pbm.marks"
    with store.marks.sending(*ALICE, 1) as mark:
        assert mark is not None
        store.ask(b"UPDATE pbm.marks SET until = clock_timestamp()")
        mark.add("to-bob")
        assert store.ask(left) == [("to-bob", True)]


def test_no_transaction_is_open_while_letters_are_sent(
    store: PostgresStore, cluster: Cluster
) -> None:
    store.save(*ALICE, NEW, unsent=1)
    states = (
        "SELECT state FROM pg_stat_activity "
        "WHERE application_name = 'pbm' AND state <> 'idle'"
    )
    with store.marks.sending(*ALICE, 1) as mark:
        assert mark is not None
        assert cluster.ask(states) == []


def test_whoever_is_about_to_lease_a_mark_is_not_waited_for(
    store: PostgresStore, other: PostgresStore
) -> None:
    store.save(*ALICE, NEW, unsent=1)
    store.ask(END_LEASES)
    with store.lock(*ALICE):
        store.ask(b"SELECT 1 FROM pbm.marks FOR UPDATE")
        with other.marks.sending(*ALICE, 1) as mark:
            assert mark is None
    with other.marks.sending(*ALICE, 1) as mark:
        assert mark is not None


# Statements

PREPARED = b"SELECT statement FROM pg_prepared_statements WHERE name LIKE 'pbm%'"


def test_statements_that_are_used_again_are_prepared(store: PostgresStore) -> None:
    for _ in range(5):
        assert text(store) == yaml.dump(OLD)
    prepared = {statement for (statement,) in store.ask(PREPARED)}
    assert FIND.decode() in prepared
    assert PREPARED.decode() not in prepared


@BOUNCER
def test_nothing_is_prepared_behind_a_pooler(
    cluster: Cluster, store: PostgresStore
) -> None:
    """There a statement may have been prepared on another connection."""
    ((name,),) = store.ask(b"SELECT current_database()::text")
    with (
        open_bouncer(cluster, connections=2) as folder,
        closing(PostgresStore(address(name, folder))) as pooled,
    ):
        for _ in range(5):
            assert text(pooled) == yaml.dump(OLD)
        assert pooled.ask(PREPARED) == []


# Revisions


def test_a_revision_is_a_digest_of_the_text(store: PostgresStore) -> None:
    """However the text comes to be there: by hand, or out of a dump."""
    first = store.find(*ALICE)
    assert first is not None
    save(store, ALICE, NEW)
    second = store.find(*ALICE)
    assert second is not None
    assert second.revision != first.revision
    store.ask(b"UPDATE pbm.documents SET text = $1", yaml.dump(OLD))
    assert store.find(*ALICE, second.revision) == first
    with store.lock(*ALICE):
        assert store.find(*ALICE, second.revision) == first


def test_a_text_that_no_loader_takes_is_kept_byte_for_byte(
    store: PostgresStore,
) -> None:
    store.ask(b"UPDATE pbm.documents SET text = $1", b"\0\xff\r\n")
    assert text(store) == b"\0\xff\r\n"


def test_with_one_connection_the_others_are_given_up(database: str) -> None:
    """A server that hangs or fails has them all, and each would be waited for."""
    ask = [Call(sql.NOW)]
    with closing(PostgresStore(database)) as store:
        (first, _), (second, _) = store.pool.start(ask), store.pool.start(ask)
        store.pool.give_back(first)
        second.close()
        store.pool.give_back(second)
        third, _ = store.pool.start(ask)
        store.pool.give_back(third)
        assert third not in (first, second)
