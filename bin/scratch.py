"""What tests leave behind is left in a folder that is removed when bin/check ends."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

ENDINGS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
MOST_KEPT = 100 << 20  # bytes of what tests that failed have left


@contextmanager
def own_folder() -> Iterator[Path]:
    """A folder for the home and the temporary files of all programs that are started in
    this block. It is removed however the block ends, unless by SIGKILL."""
    folder = Path(tempfile.mkdtemp(prefix="pbm-"))
    folder.chmod(0o755)  # tests have other accounts run programs there
    for name, mode in (("home", 0o700), ("t", 0o1777)):
        (folder / name).mkdir()
        (folder / name).chmod(mode)
    for name in [name for name in os.environ if name.startswith("XDG_")]:
        del os.environ[name]
    os.environ.update(HOME=str(folder / "home"), TMPDIR=str(folder / "t"))
    before = {number: signal.signal(number, _end) for number in ENDINGS}
    try:
        yield folder
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        remove(folder)


def _end(number: int, frame: FrameType | None) -> None:
    sys.exit(128 + number)


def call(words: Sequence[str]) -> int:
    """Run a program; its exit status. A signal that would end us interrupts it, so that
    it can clean up, and the second kills it. Then this raises SystemExit."""
    told: list[int] = []
    process: subprocess.Popen[bytes] | None = None

    def pass_on(number: int, frame: FrameType | None) -> None:
        told.append(number)
        # What is typed at a terminal goes to all of its programs.
        is_typed = number == signal.SIGINT and os.isatty(0)
        if process and len(told) > 1:
            process.kill()
        elif process and not is_typed:
            process.send_signal(signal.SIGINT)

    before = {number: signal.signal(number, pass_on) for number in ENDINGS}
    try:
        process = subprocess.Popen(words)
        status = process.wait()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if told:
        sys.exit(128 + told[0])
    return status


def keep(made: Path, kept: Path) -> str:
    """Keep the folders of tests that failed, the smallest first, in the place of those
    of the last time; a sentence that says so, empty if there are none."""
    remove(kept)
    made_by_tests = (*made.glob("popen-*/*"), *made.glob("*"))
    folders = [path for path in made_by_tests if not path.name.startswith("popen-")]
    sizes = {path: size(path) for path in folders if is_folder(path)}
    if not sizes:
        return ""
    kept.mkdir(mode=0o700)
    room = MOST_KEPT
    for folder in sorted(sizes, key=sizes.__getitem__):
        room -= sizes[folder]
        if room >= 0:
            folder.rename(kept / f"{folder.parent.name}-{folder.name}")
    return f"What tests that failed have left is in {kept}."


def is_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


def size(folder: Path) -> int:
    """How many bytes the files in a folder have."""
    return sum(path.lstat().st_size for path in folder.rglob("*"))


def remove(folder: Path) -> None:
    """Remove a folder, also what is in folders that cannot be written."""
    if not is_folder(folder):
        return
    for where, names, _ in os.walk(folder):
        for path in (Path(where, name) for name in names):
            if is_folder(path):
                path.chmod(0o700)
    shutil.rmtree(folder, ignore_errors=True)
