"""`pbm restore-test`: a copy is replayed, and what it lacks is counted."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbm_holomino import owner
from pbm_holomino.errors import NotAllowed, NotFound, StoreTrouble
from pbm_holomino.owner import pg_restore
from tests import storage
from tests.house import House, open_house, own
from tests.postgres.cluster import ADMIN, POSTGRESQL, Cluster, run_program
from tests.storage import InFiles


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    """Three boards of alice and bob, and a copy of the store as it is then."""
    monkeypatch.setattr(storage, "over", InFiles())
    house = open_house(tmp_path / "games")
    house.challenge()
    house.challenge()
    own(house, monkeypatch)
    shutil.copytree(house.folder, tmp_path / "copy")
    return house


@pytest.fixture
def copy(house: House, tmp_path: Path) -> Path:
    return tmp_path / "copy"


def said_of(copy: Path | str, status: int = 0) -> str:
    """What is said of a copy, in one line."""
    answer = owner.run(["restore-test", str(copy)])
    assert answer.status == status, answer.text
    return " ".join(answer.text.split())


def test_a_copy_of_the_store_as_it_is_lacks_nothing(copy: Path) -> None:
    said = said_of(copy)
    assert "5 files restored and replayed: all is well." in said
    assert said.endswith("It lacks nothing that this server has.")


def test_what_was_written_since_is_counted(house: House, copy: Path) -> None:
    """A move and what is drawn after it are one line, a resignation is another."""
    house.play(1, 2)
    house.type("holo resign 2 bob {bob}")
    house.sign_up("carol")
    house.challenge()
    said = said_of(copy)
    assert "It lacks 2 whole documents: holo 4 and players carol." in said
    assert "It lacks 3 lines of holo 1 and holo 2." in said
    assert "replayed: all is well." in said


def test_what_it_ends_with(house: House, copy: Path) -> None:
    when = house.library.match("holo", 2).record.log[-1].time
    assert f"The copy ends on {when[:10]}, {when[11:16]} UTC." in said_of(copy)


def test_neither_the_copy_nor_the_store_is_touched(house: House, copy: Path) -> None:
    def tree(folder: Path) -> dict[Path, bytes | None]:
        return {
            path: path.read_bytes() if path.is_file() else None
            for path in folder.rglob("*")
        }

    before = tree(copy), tree(house.folder)
    said_of(copy)
    assert (tree(copy), tree(house.folder)) == before


def test_a_damaged_copy(house: House, copy: Path) -> None:
    (copy / "holo" / "1.yaml").write_bytes(b"game: holo\n[")
    (copy / "players" / "bob.yaml").unlink()
    said = said_of(copy, 1)
    assert "The file holo/1.yaml of this server is damaged." in said
    assert "files restored and replayed: 1 fault." in said
    assert "It lacks 1 whole document: players bob." in said
    assert "It lacks 1 line of holo 1." in said


def test_another_servers_store_is_no_copy(house: House, copy: Path) -> None:
    house.document("holo", "2").write_bytes(
        (copy / "holo" / "2.yaml").read_bytes().replace(b"08:00:00Z", b"07:00:00Z")
    )
    said = said_of(copy)
    assert "lines that this server does not have, of holo 2: is it a copy of" in said


def test_the_key_and_the_settings(house: House, copy: Path) -> None:
    (copy / "key").write_bytes(bytes(32))
    (house.folder / "config.yaml").write_text("answers_per_hour: 7\n")
    said = said_of(copy)
    assert "It has not the server's key: replies to letters" in said
    assert f"config.yaml in {house.folder} has to be copied as well." in said


def test_letters_that_have_left_since(house: House, copy: Path) -> None:
    (copy / "holo" / "1.0.unsent").touch()
    assert "Letters about 1 line have left since, and would be sent again." in (
        said_of(copy)
    )


def test_without_a_store_it_only_replays(
    house: House, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = House(copy.parent / "none")
    shutil.rmtree(elsewhere.folder)
    own(elsewhere, monkeypatch)
    said = said_of(copy)
    assert said.endswith("There is no store here to compare it with.")
    assert "It lacks" not in said


def test_what_is_no_copy(house: House, copy: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "text").write_text("not a dump\n")
    for path, error, words in (
        (tmp_path / "none", NotFound, "There is no "),
        (tmp_path / "empty", NotFound, "There is nothing to restore in "),
        (tmp_path / "text", NotAllowed, "is neither a folder nor a dump"),
        (house.folder, NotAllowed, "is the store itself"),
    ):
        with pytest.raises(error, match=words):
            said_of(path)


@pytest.fixture
def dump(cluster: Cluster, house: House) -> Iterator[Path]:
    """A dump of a database with the house's store."""
    folder = Path(tempfile.mkdtemp(prefix="pbm-dump-"))
    os.chmod(folder, 0o777)
    with cluster.database() as name:
        owner.run(["copy", str(house.folder), cluster.url(name)])
        words = ("-h", str(cluster.folder), "-U", ADMIN, "-d", name)
        run_program("pg_dump", *words, "-Fc", "-f", folder / "dump")
    yield folder / "dump"
    shutil.rmtree(folder)


@POSTGRESQL
def test_a_dump_is_restored_on_a_server_of_its_own(house: House, dump: Path) -> None:
    house.type("holo resign 2 bob {bob}")
    said = said_of(dump)
    assert "5 documents restored and replayed: all is well." in said
    assert "It lacks 1 line of holo 2." in said
    dump.write_bytes(dump.read_bytes()[:-200])
    with pytest.raises(StoreTrouble, match="pg_restore has failed: "):
        said_of(dump)


def test_a_dump_needs_postgresqls_programs(
    copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "dump").write_bytes(b"PGDMP")
    monkeypatch.setattr(pg_restore, "_INSTALLED", tmp_path)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(NotAllowed, match="please install its server"):
        said_of(tmp_path / "dump")
