"""A database whose disk is full: the mail comes again when its owner has made room."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.faults.disks import memory
from tests.postgres.cluster import (
    POSTGRESQL,
    Cluster,
    give_away,
    open_cluster,
    short_folder,
)
from tests.postgres.conftest import Open
from tests.postgres.scene import all_moves, assert_played

pytestmark = [POSTGRESQL, pytest.mark.needs("root")]  # who may mount

ROOM = 70_000  # kilobytes for a database; at first it takes 35,000


@contextmanager
def small_disk() -> Iterator[Path]:
    """A file system in memory, which belongs to the database."""
    with short_folder() as folder, memory(folder / "disk", ROOM) as place:
        give_away(place)
        place.parent.chmod(0o711)
        yield place


def fill(place: Path) -> Path:
    """Leave no room; the file that takes it."""
    found = os.statvfs(place)
    filler = place / "filler"
    with filler.open("wb") as file:
        os.posix_fallocate(file.fileno(), 0, found.f_bavail * found.f_frsize)
    return filler


def use_up_log(own: Cluster) -> None:
    """Leave a tenth of the last segment of the write-ahead log that was made before."""
    ((present,),) = own.ask("SELECT pg_walfile_name(pg_current_wal_lsn())")
    for segment in (own.data / "pg_wal").glob("0*"):
        if segment.name > present:
            own.ask("SELECT pg_switch_wal() FROM pg_current_xact_id()")
    own.ask("SELECT pg_logical_emit_message(false, '', repeat('x', 900000))")


@pytest.mark.parametrize("what", ["data", "log"])
def test_a_full_disk(begun: Path, opened: Open, what: str) -> None:
    """Without room for the tables only the command fails; without room for the
    write-ahead log, which is on a disk of its own here, PostgreSQL ends."""
    moves = all_moves()
    made = [next(moves)]
    with small_disk() as disk:
        data, log = (disk, None) if what == "data" else (None, disk)
        with open_cluster(
            data, log, copied=begun, fsync=False, wal_recycle="off"
        ) as own:
            machine = opened(own.url("games"))
            machine.play(made)  # a database begins with files of its own
            filler = fill(disk)
            if what == "log":
                use_up_log(own)
            for move in moves:
                made.append(move)
                code = machine.receive(move.mail)
                if code != 250:
                    break
            assert code == 451
            assert "No space left on device" in own.log()
            filler.unlink()
            own.restart()
            machine.play(made[-1:])
            assert_played(machine, made)
