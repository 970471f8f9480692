"""Real disks in files: an ext4 image, and a small file system in memory."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

MEGABYTE = 1 << 20
_SHARED = "/dev/shm"  # a file system in memory that each Linux has
_MOST_FILLED = 1024 * MEGABYTE


def run(*words: str) -> None:
    """Run a program of the system, which must not fail."""
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(words)}: {done.stderr}"


@contextmanager
def memory(place: Path, kilobytes: int) -> Iterator[Path]:
    """A file system in memory with so much room: one of its own, or where nobody may
    mount, as in a container, what is left of the container's when it is filled up."""
    with ExitStack() as stack:
        try:
            words = ("-t", "tmpfs", "-o", f"size={kilobytes}k", "none")
            stack.enter_context(_mounted(place, *words))
        except AssertionError as error:
            place = stack.enter_context(_rest_of_memory(kilobytes, str(error)))
        yield place


@contextmanager
def _rest_of_memory(kilobytes: int, why: str) -> Iterator[Path]:
    room = os.statvfs(_SHARED)
    rest = room.f_bavail * room.f_frsize - kilobytes * 1024
    if not 0 < rest < _MOST_FILLED:
        pytest.fail(f"Please run the tests as root, who may mount: {why}")
    with TemporaryDirectory(dir=_SHARED) as folder:
        with open(f"{folder}/filler", "wb") as file:
            os.posix_fallocate(file.fileno(), 0, rest)
        place = Path(folder) / "games"
        place.mkdir()
        yield place


def new_image(path: Path) -> Path:
    """An image with an empty ext4, which commits its journal only when asked to."""
    with path.open("wb") as file:
        file.truncate(16 * MEGABYTE)
    run("mkfs.ext4", "-q", "-F", str(path))
    return path


@contextmanager
def image(path: Path, place: Path) -> Iterator[Path]:
    """An ext4 image as a folder; for this the machine must have loop devices."""
    with _mounted(place, "-o", "loop,commit=300", str(path)):
        yield place


@contextmanager
def _mounted(place: Path, *words: str) -> Iterator[None]:
    place.mkdir(exist_ok=True)
    run("mount", *words, str(place))
    try:
        yield
    finally:
        run("umount", "--lazy", str(place))


def has_loop_devices(place: Path) -> bool:
    """Whether an image can be mounted here."""
    try:
        with image(new_image(place / "probe"), place / "probed"):
            return True
    except (AssertionError, OSError):
        return False


def snapshot(path: Path, copy: Path) -> Path:
    """The image as a power cut would leave it now: what has reached it, and nothing
    that waits in memory. It is read until nothing is written meanwhile."""
    before, now = b"", path.read_bytes()
    while before != now:
        before, now = now, path.read_bytes()
    copy.write_bytes(now)
    return copy
