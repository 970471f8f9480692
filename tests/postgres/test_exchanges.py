"""How often a command asks the database, and what is asked along with something else:
each exchange costs more than what is asked in it."""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import islice

import pytest

from pbm_holomino.store import yaml
from pbm_holomino.store.contract import PLAYERS
from pbm_holomino.store.postgres import statements as sql
from pbm_holomino.store.postgres.connection import Call, Connection, Row
from pbm_holomino.store.postgres.store import PostgresStore
from tests.house import fill_in, home, mail_of
from tests.postgres.cluster import POSTGRESQL, Cluster
from tests.postgres.conftest import Open
from tests.postgres.scene import all_moves, assert_played

pytestmark = POSTGRESQL

OLD, NEW = {"text": "old"}, {"text": "new"}


@contextmanager
def exchanges() -> Iterator[list[set[bytes]]]:
    """The statements of each exchange that takes place in this block."""
    found, run = list[set[bytes]](), Connection.run

    def counted(
        self: Connection,
        calls: Sequence[Call],
        within: float | None = None,
        then: Sequence[Call] = (),
    ) -> list[list[Row]]:
        found.append({call.sql for call in (*calls, *then)})
        return run(self, calls, within, then)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Connection, "run", counted)
        yield found


def save(store: PostgresStore, who: str, data: object) -> None:
    with store.lock(PLAYERS, who):
        store.save(PLAYERS, who, data)


@pytest.fixture
def store(database: str) -> Iterator[PostgresStore]:
    """A store that holds the accounts of alice and bob."""
    with closing(PostgresStore(database, 0.1)) as store:
        save(store, "alice", OLD)
        save(store, "bob", OLD)
        yield store


@pytest.fixture
def other(database: str) -> Iterator[PostgresStore]:
    with closing(PostgresStore(database, 0.1)) as other:
        yield other


@pytest.mark.parametrize("web", ["", "https://pbm.example.org/"])
def test_a_move_takes_three_exchanges(
    cluster: Cluster, games: str, opened: Open, web: str
) -> None:
    """Who is it, lock the board, save it. A guess is claimed with the first one, and
    given back with the last one, with which whoever listens is told, too. After it the
    mark of the letters is removed, which a server does for many marks, and a share of
    what others have left behind is looked for, which a server does once a minute."""
    settings = {"web": web} if web else {}
    machine = opened(cluster.url(games), **settings)
    made = list(islice(all_moves(), 5))
    machine.play(made[:4])
    with exchanges() as found:
        machine.play(made[4:])
    *move, removal, share = found
    assert [bool(each & {sql.CLAIM}) for each in move] == [True, False, False]
    assert [bool(each & {sql.GIVE_BACK}) for each in move] == [False, False, True]
    assert [bool(each & {sql.LOCK}) for each in move] == [False, True, False]
    assert [bool(each & {sql.COMMIT}) for each in move] == [False, False, True]
    assert [sql.FIND in each for each in move] == [True, False, True]
    assert (sql.TELL in move[-1]) == bool(web)
    assert (removal, share) == ({sql.UNMARK}, {sql.LEFT})
    assert_played(machine, made)


@pytest.mark.parametrize("password", ["{alice}", "wrong"])
def test_a_question_with_a_password_gives_its_guess_back_along_with_the_board(
    cluster: Cluster, games: str, opened: Open, password: str
) -> None:
    """A wrong one stays counted."""
    machine = opened(cluster.url(games))
    machine.type("holo show 1")
    with exchanges() as found:
        line = fill_in(f"holo showas alice {password} 1")
        assert machine.receive(mail_of(line, home("alice"))) == 250
    claims = [number for number, each in enumerate(found) if sql.CLAIM in each]
    returns = [number for number, each in enumerate(found) if sql.GIVE_BACK in each]
    reads = [number for number, each in enumerate(found) if sql.FIND in each]
    if password == "wrong":
        assert (reads, claims[0], returns) == ([0], 0, [])
    else:
        assert (reads[:2], claims, returns) == ([0, 1], [0], [1])


def text(store: PostgresStore, who: str) -> bytes | None:
    found = store.find(PLAYERS, who)
    return None if found is None else found.text


def test_what_is_expected_comes_with_the_commit(store: PostgresStore) -> None:
    """As it is after the commit."""
    with store.lock(PLAYERS, "alice"):
        store.save(PLAYERS, "alice", NEW)
        store.expect([(PLAYERS, "alice", None), (PLAYERS, "bob", None)])
    with exchanges() as found:
        assert text(store, "alice") == yaml.dump(NEW)
        assert text(store, "bob") == yaml.dump(OLD)
    assert found == []


def test_what_is_expected_is_told_once(
    store: PostgresStore, other: PostgresStore
) -> None:
    store.expect([(PLAYERS, "bob", None)])
    assert text(store, "alice") == yaml.dump(OLD)
    save(other, "bob", NEW)
    assert text(store, "bob") == yaml.dump(OLD)
    assert text(store, "bob") == yaml.dump(NEW)


@pytest.mark.parametrize("forgets", ["another question", "a lock", "the command's end"])
def test_what_was_expected_is_forgotten(
    store: PostgresStore, other: PostgresStore, forgets: str
) -> None:
    store.expect([(PLAYERS, "bob", None)])
    assert text(store, "alice") == yaml.dump(OLD)
    save(other, "bob", NEW)
    if forgets == "another question":
        assert store.exists(PLAYERS, "alice")
    elif forgets == "a lock":
        save(store, "alice", NEW)
    else:
        store.settle()
    assert text(store, "bob") == yaml.dump(NEW)


def test_another_revision_than_was_expected_is_asked_for(store: PostgresStore) -> None:
    found = store.find(PLAYERS, "bob")
    assert found is not None
    store.expect([(PLAYERS, "bob", found.revision)])
    assert text(store, "alice") == yaml.dump(OLD)
    assert text(store, "bob") == yaml.dump(OLD)


def test_a_commit_counts_whatever_comes_after_it(
    store: PostgresStore, other: PostgresStore
) -> None:
    """What was expected and cannot be answered is asked for again."""
    refused = Call(b"SELECT 1 / $1::integer", (0,))
    with store.lock(PLAYERS, "alice"):
        store.save(PLAYERS, "alice", NEW)
        store.expect([(PLAYERS, "alice", None), (PLAYERS, "bob", None)])
        first, second = store.pool.expected()
        store.pool.expect([first, refused, second])
    assert text(other, "alice") == yaml.dump(NEW)
    with exchanges() as found:
        assert text(store, "alice") == yaml.dump(NEW)
        assert text(store, "bob") == yaml.dump(OLD)
    assert len(found) == 1
