"""The store where others are at the same files, and where the system refuses."""

import errno
import fcntl
import os
from pathlib import Path

import pytest

from pbm_holomino.errors import StoreTrouble
from pbm_holomino.store.files.store import FileStore


def test_a_file_that_gets_its_own_name_is_not_swept_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = FileStore(str(tmp_path))
    left = [tmp_path / "outbox" / name for name in (".a.eml.7", ".b.eml.8")]
    store.kept.put("outbox", "c.eml", b"Hello!\n")
    for path in left:
        path.write_text("Hello!\n")
        os.utime(path, (0, 0))
    listdir = os.listdir

    def list_and_rename(folder: str) -> list[str]:
        found = listdir(folder)
        left[0].rename(tmp_path / "outbox" / "a.eml")
        return found

    monkeypatch.setattr(os, "listdir", list_and_rename)
    store.kept.sweep("outbox")
    assert sorted(listdir(tmp_path / "outbox")) == ["a.eml", "c.eml"]


def test_a_mark_that_the_system_will_not_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = FileStore(str(tmp_path))
    with store.lock("holo", "1"):
        store.save("holo", "1", {"game": "holo"}, unsent=0)

    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(fcntl, "flock", refuse)
    with pytest.raises(StoreTrouble, match="No locks available"):
        store.marks.sending("holo", "1", 0).__enter__()
    assert store.marks.is_unsent("holo", "1", 0)
