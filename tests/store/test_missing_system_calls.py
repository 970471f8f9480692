"""Files by the system's own calls, where the system has not all of them."""

import errno
import os
from pathlib import Path

import pytest

from pbm_holomino.store.files.disk import begin_to_write_out, written


@pytest.mark.parametrize("is_known", [True, False])
def test_a_system_without_fadvise_writes_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_known: bool
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOSYS, "Function not implemented")

    if is_known:
        monkeypatch.setattr(os, "posix_fadvise", refuse)
    else:
        monkeypatch.delattr(os, "posix_fadvise")
    path = tmp_path / "12.yaml"
    with written(str(path), b"game: holo\n") as fd:
        begin_to_write_out(fd)
        os.fsync(fd)
    assert path.read_bytes() == b"game: holo\n"
