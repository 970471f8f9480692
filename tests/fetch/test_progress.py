"""The lease and what is known of mails, over both stores."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from pbm_holomino import owner
from pbm_holomino.errors import Busy
from pbm_holomino.fetch.maildir import make_maildir
from pbm_holomino.fetch.progress import Lease, Progress, read
from pbm_holomino.store import yaml
from pbm_holomino.store.contract import Store
from pbm_holomino.store.files.store import FileStore
from pbm_holomino.store.postgres.store import PostgresStore
from tests.house import home, mail_of
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
    known = known._replace(earlier="7.11")
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


def test_documents_that_name_no_earlier_mail_are_read(store: Store) -> None:
    lease = Lease(store, "here")
    lease.keep()
    lease.end()
    found = store.find("fetch", "progress")
    assert found is not None
    data = yaml.load(found.text or b"")
    del data["earlier"]
    with store.lock("fetch", "progress"):
        store.save("fetch", "progress", data)
    assert read(store).earlier == ""


def test_nothing_is_known_at_first(store: Store) -> None:
    assert read(store) == Progress()


@POSTGRESQL
def test_mail_is_fetched_into_a_database(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    box = tmp_path / "Maildir"
    make_maildir(str(box))
    settings = yaml.dump({"store": database, "fetch": f"maildir:{box}"})
    (tmp_path / "config.yaml").write_bytes(settings)
    monkeypatch.setenv("PBM_GAMES", str(tmp_path))
    (box / "new/1.host").write_bytes(mail_of("signup carol quokka9", home("carol")))
    assert owner.run(["fetch"]).text == "Mails fetched: 1.\n"
    with closing(PostgresStore(database, 1)) as store:
        assert store.names("players") == ["carol"]
        assert read(store).until == ""
    assert not [*box.glob("new/*")]
