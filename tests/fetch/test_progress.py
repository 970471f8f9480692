"""The lease and what is known of mails, over both stores."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbm_holomino.errors import Busy
from pbm_holomino.fetch.progress import Lease, Progress, read
from pbm_holomino.store.contract import Store
from pbm_holomino.store.files.store import FileStore
from pbm_holomino.store.postgres.store import PostgresStore
from tests.postgres.cluster import POSTGRESQL


@pytest.fixture(params=["files", pytest.param("postgresql", marks=POSTGRESQL)])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    found: Store
    if request.param == "postgresql":
        found = PostgresStore(request.getfixturevalue("database"), 1)
    else:
        found = FileStore(str(tmp_path), 1)
    yield found
    found.close()


def test_what_is_known_comes_back(store: Store) -> None:
    lease = Lease(store, "here")
    lease.keep()
    now = store.now()
    known = lease.progress.with_delayed("7.12", "No room:\n  try again.", now)
    known = known.with_done("7.13").with_trouble("Nobody answers.", now)
    lease.progress = known
    lease.save()
    found = read(store)
    assert found == known._replace(until=found.until)
    assert found.delayed["7.12"].why == "No room: try again."


def test_one_machine_at_a_time(store: Store) -> None:
    one, other = Lease(store, "here"), Lease(store, "there")
    one.keep()
    with pytest.raises(Busy, match="on another machine"):
        other.keep()
    one.end()
    other.keep()
    with pytest.raises(Busy):
        Lease(store, "here").keep()


def test_nothing_is_known_at_first(store: Store) -> None:
    assert read(store) == Progress()
