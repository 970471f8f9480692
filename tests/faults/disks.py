"""Real disks in files: an ext4 image, and a small file system in memory."""

import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

MEGABYTE = 1 << 20


def run(*words: str) -> None:
    """Run a program of the system, which must not fail."""
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(words)}: {done.stderr}"


@contextmanager
def memory(place: Path, kilobytes: int) -> Iterator[Path]:
    """A file system in memory with so much room."""
    with ExitStack() as stack:
        try:
            words = ("-t", "tmpfs", "-o", f"size={kilobytes}k", "none")
            stack.enter_context(_mounted(place, *words))
        except AssertionError as error:
            pytest.fail(f"Please run the tests as root, who may mount: {error}")
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
