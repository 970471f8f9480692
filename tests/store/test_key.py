"""The server's key: made once, durably, for nobody else to read."""

import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pbm_holomino import owner
from pbm_holomino.errors import CorruptFile
from pbm_holomino.store.files import key
from pbm_holomino.store.files.store import FileStore
from pbm_holomino.store.library import Library


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FileStore:
    monkeypatch.setenv("PBM_GAMES", str(tmp_path))
    return FileStore(str(tmp_path))


def said(line: str) -> tuple[str, int]:
    answer = owner.run(line.split())
    return " ".join(answer.text.split()), answer.status


def test_a_key_is_made_when_it_is_first_needed_and_stays(store: FileStore) -> None:
    assert not os.path.exists(store.path("key"))
    made = Library(store).key
    assert len(made) == 32
    assert Library(store).key == made
    assert Path(store.path("key")).read_bytes() == made


def test_each_store_has_a_key_of_its_own(store: FileStore, tmp_path: Path) -> None:
    assert key.key(store) != key.key(FileStore(str(tmp_path / "other")))


def test_only_the_account_of_the_store_can_read_it(store: FileStore) -> None:
    old = os.umask(0)
    try:
        key.key(store)
    finally:
        os.umask(old)
    assert stat.S_IMODE(os.stat(store.path("key")).st_mode) == 0o600


def test_all_who_make_it_at_once_get_the_same(tmp_path: Path) -> None:
    def made(number: int) -> bytes:
        return key.key(FileStore(str(tmp_path), 10))

    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(made, range(32)))) == 1


def test_it_is_durable_before_it_is_used(
    store: FileStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[str] = []

    def note(name: str) -> None:
        call = getattr(os, name)

        def noted(*args: object) -> object:
            calls.append(name)
            return call(*args)

        monkeypatch.setattr(os, name, noted)

    note("fsync")
    note("rename")
    key.key(store)
    assert calls[-3:] == ["fsync", "rename", "fsync"]


@pytest.mark.parametrize("content", [b"", b"x" * 31, b"x" * 33])
def test_a_key_of_the_wrong_size_is_named_and_left_alone(
    store: FileStore, content: bytes
) -> None:
    Path(store.path("key")).write_bytes(content)
    with pytest.raises(CorruptFile, match="The file key of this server is damaged"):
        key.key(store)
    assert Path(store.path("key")).read_bytes() == content
    text, status = said("check --repair")
    assert status == 1
    assert "it does not have 32 bytes. If you remove it, a new one is made" in text
    assert Path(store.path("key")).read_bytes() == content


def test_a_folder_in_its_place_is_damage(store: FileStore) -> None:
    os.mkdir(store.path("key"))
    with pytest.raises(CorruptFile, match="The file key "):
        key.key(store)


def test_check_says_nothing_of_a_key_that_is_well(store: FileStore) -> None:
    assert said("check") == ("0 files read: all is well.", 0)
    key.key(store)
    assert said("check") == ("0 files read: all is well.", 0)


def test_check_finds_and_replaces_a_lost_key(store: FileStore) -> None:
    old = key.key(store)
    os.unlink(store.path("key"))
    text, status = said("check")
    assert status == 1
    assert text.startswith("The file key is missing, and links in letters that were")
    assert not os.path.exists(store.path("key"))
    text, status = said("check --repair")
    assert ("mended" in text, status) == (True, 0)
    assert key.key(store) != old
    assert said("check")[1] == 0


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o666])
def test_check_finds_and_closes_a_key_that_others_can_read(
    store: FileStore, mode: int
) -> None:
    made = key.key(store)
    os.chmod(store.path("key"), mode)
    text, status = said("check")
    assert status == 1
    assert text.startswith("Other accounts of this machine can read the file key: ")
    assert said("check --repair")[1] == 0
    assert stat.S_IMODE(os.stat(store.path("key")).st_mode) == 0o600
    assert key.key(store) == made
