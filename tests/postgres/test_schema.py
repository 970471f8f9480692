"""The tables of a database: who makes them, and how they come to another version."""

import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from pbm_holomino.errors import Again, StoreTrouble
from pbm_holomino.store.postgres import schema
from pbm_holomino.store.postgres.store import PostgresStore
from tests.postgres.cluster import POSTGRESQL, Cluster
from tests.processes import at_once, run, wait_until

pytestmark = POSTGRESQL

ALICE = ("players", "alice")
DATA = {"userid": "alice"}


@pytest.fixture
def name(cluster: Cluster) -> Iterator[str]:
    """An empty database."""
    with cluster.database() as name:
        yield name


def save(store: PostgresStore) -> None:
    with store.lock(*ALICE):
        store.save(*ALICE, DATA)


def version(cluster: Cluster, name: str) -> int:
    ((found,),) = cluster.ask("SELECT version FROM pbm.store", database=name)
    return int(found)


def tables(cluster: Cluster, name: str) -> list[str]:
    asked = "SELECT tablename FROM pg_tables WHERE schemaname = 'pbm' ORDER BY 1"
    return [table for (table,) in cluster.ask(asked, database=name)]


@pytest.fixture
def to_have(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Let the program know more steps from now on."""

    def more(*steps: tuple[bytes, ...]) -> None:
        known = (*schema.STEPS, *steps)
        monkeypatch.setattr(schema, "STEPS", known)
        monkeypatch.setattr(schema, "CURRENT", len(known))

    return more


NOTE = (b"ALTER TABLE pbm.notes ADD COLUMN put timestamptz",)
TWO = (b"CREATE TABLE pbm.sessions (id text)", b"DROP TABLE pbm.notes")


def test_an_empty_database_is_filled_when_it_is_first_used(
    cluster: Cluster, name: str
) -> None:
    stores = [PostgresStore(cluster.url(name), 10) for _ in range(4)]
    at_once(*(partial(save, store) for store in stores))
    assert stores[0].names("players") == ["alice"]
    assert version(cluster, name) == schema.CURRENT == 1
    for store in stores:
        store.close()


def test_a_database_of_another_role_is_not_filled(cluster: Cluster, name: str) -> None:
    """One role makes the tables, and another serves."""
    cluster.ask("DROP ROLE IF EXISTS guest")
    cluster.ask("CREATE ROLE guest LOGIN")
    with closing(PostgresStore(cluster.url(name, "guest"))) as guest:
        with pytest.raises(StoreTrouble, match="no tables yet.*check --repair"):
            guest.names("players")
        with closing(PostgresStore(cluster.url(name))) as owner:
            save(owner)
        with pytest.raises(StoreTrouble, match="permission denied"):
            guest.names("players")
        for statement in (
            "GRANT USAGE ON SCHEMA pbm TO guest",
            "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA pbm TO guest",
        ):
            cluster.ask(statement, database=name)
        save(guest)
        assert guest.counters.claim("told", "2026-11-20T04", {"eve": (1, 1)})
        with pytest.raises(StoreTrouble):
            guest.ask(b"DROP TABLE pbm.notes")
    cluster.ask("DROP OWNED BY guest", database=name)
    cluster.ask("DROP ROLE guest")


def test_a_database_with_another_encoding_is_refused(cluster: Cluster) -> None:
    words = "OWNER pbm TEMPLATE template0 ENCODING LATIN1 LOCALE 'C'"
    cluster.ask(f"CREATE DATABASE latin {words}")
    try:
        with pytest.raises(StoreTrouble, match="encoding LATIN1.*UTF8"):
            PostgresStore(cluster.url("latin")).names("players")
    finally:
        cluster.ask("DROP DATABASE latin")


def test_tables_of_an_older_version_are_changed_when_the_owner_says_so(
    cluster: Cluster, name: str, to_have: Callable[..., None]
) -> None:
    with closing(PostgresStore(cluster.url(name))) as old:
        save(old)
        to_have(NOTE, TWO)
        with closing(PostgresStore(cluster.url(name))) as new:
            said = "of version 1, and this program needs version 3.*check --repair"
            with pytest.raises(StoreTrouble, match=said):
                new.names("players")
            new.upgrade()
            assert new.names("players") == ["alice"]
            new.upgrade()
        assert version(cluster, name) == 3
        assert "sessions" in tables(cluster, name)


def test_tables_of_a_newer_version_are_left_alone(
    cluster: Cluster, name: str, tmp_path: Path
) -> None:
    with closing(PostgresStore(cluster.url(name))) as store:
        save(store)
    cluster.ask("UPDATE pbm.store SET version = 99", database=name)
    said = "of version 99, and this program knows only version 1"
    with closing(PostgresStore(cluster.url(name))) as store:
        with pytest.raises(StoreTrouble, match=said):
            save(store)
        with pytest.raises(StoreTrouble, match=said):
            store.upgrade()
    (tmp_path / "config.yaml").write_text(f"store: {cluster.url(name)}\n")
    done = run(tmp_path, "pbm", "check", "--repair")
    assert done.status == 75
    assert "please install the newer program" in " ".join(done.err.split())


def test_a_step_that_is_cut_off_is_not_done(
    cluster: Cluster, name: str, to_have: Callable[..., None]
) -> None:
    """The backend is killed in the middle of the second of two steps: the first is
    done; and the next who tries does the second."""
    with closing(PostgresStore(cluster.url(name))) as store:
        save(store)
    to_have(NOTE, (TWO[0], b"SELECT pg_sleep(600)", TWO[1]))
    failed = list[BaseException]()

    def migrate() -> None:
        try:
            PostgresStore(cluster.url(name)).upgrade()
        except Again as error:
            failed.append(error)

    thread = threading.Thread(target=migrate)
    thread.start()
    asleep = "SELECT pid FROM pg_stat_activity WHERE wait_event = 'PgSleep'"
    wait_until(lambda: bool(cluster.ask(asleep)), "a migration")
    cluster.ask(f"SELECT pg_terminate_backend(pid) FROM ({asleep}) AS found")
    thread.join()
    assert failed
    assert version(cluster, name) == 2
    assert "sessions" not in tables(cluster, name)
    assert "notes" in tables(cluster, name)
    schema_now = (*schema.STEPS[:-1], TWO)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(schema, "STEPS", schema_now)
        PostgresStore(cluster.url(name)).upgrade()
    assert version(cluster, name) == 3
    assert "notes" not in tables(cluster, name)


def test_check_repairs_what_was_changed_by_hand(
    cluster: Cluster, name: str, tmp_path: Path
) -> None:
    (tmp_path / "config.yaml").write_text(f"store: {cluster.url(name)}\n")
    for line in ("signup alice xanadu a@x.org", "signup bob better4 b@x.org"):
        assert run(tmp_path, "pbm", *line.split()).status == 0
    assert run(tmp_path, "holo", "challenge", "alice", "bob").status == 0
    told = run(tmp_path, "holo", "show", "alice", "next").out
    assert "bob" in told
    for statement in (
        "UPDATE pbm.seats SET state = 0",
        "INSERT INTO pbm.tallies VALUES ('holo', 'alice', 1, 7)",
        "UPDATE pbm.boards SET state = NULL, told = NULL",
    ):
        cluster.ask(statement, database=name)
    assert run(tmp_path, "holo", "show", "alice", "next").out != told
    assert run(tmp_path, "pbm", "check", "--repair").status == 0
    assert run(tmp_path, "holo", "show", "alice", "next").out == told
    assert cluster.ask("SELECT * FROM pbm.tallies", database=name) == []


def test_an_address_that_cannot_be_read_is_not_repeated() -> None:
    """It may hold a password."""
    with pytest.raises(StoreTrouble, match="cannot be read") as error:
        PostgresStore("postgresql://pbm:xanadu@[::1/pbm").names("players")
    assert "xanadu" not in str(error.value)


def test_a_database_that_is_not_there(tmp_path: Path) -> None:
    address = f"postgresql://pbm:xanadu@/pbm?host={tmp_path}"
    with pytest.raises(StoreTrouble, match="cannot be reached") as error:
        PostgresStore(address, 10).names("players")
    assert "xanadu" not in str(error.value)
