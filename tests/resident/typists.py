"""Players at a shell: what they type is handed over to a server if one runs, and the
tests learn whether it was."""

import fcntl
import os
import shutil
import signal
import subprocess
import sys
import termios
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO, NamedTuple

from tests.house import House, fill_in
from tests.paths import ROOT
from tests.processes import PATIENCE, surroundings

# A game's command or `pbm`, as the script of a checkout starts it: without the site's
# packages. At the end it notes what it has imported.
_TYPE = """\
import sys
from pbm_holomino import cli, handover
from pbm_holomino.handover import shell
note, patience = sys.argv.pop(1), sys.argv.pop(1)
handover.PATIENCE = float(patience)
command = cli.Command(sys.argv[1:])
status = shell.handed_over(command)
if status is None:
    cli.load_site()
    status = cli.run(command)
with open(note, "w") as file:
    print(*sys.modules, file=file)
sys.exit(status)
"""
_SERVE = """\
import sys
from pbm_holomino import cli
sys.exit(cli.main(sys.argv[1:]))
"""

# The clock stands still, and chance is the same in every process.
_STEADY = """\
import os, time
gmtime = time.gmtime
time.gmtime = lambda at=None: gmtime(1795161600 if at is None else at)
os.urandom = lambda count: bytes(range(count))
"""


Ended = tuple[int, bytes]


class Printed(NamedTuple):
    """What a command has printed, and its exit status."""

    status: int
    out: bytes
    err: bytes


class Seen(NamedTuple):
    """How a command has ended, and which modules its process had imported then."""

    printed: Printed
    modules: frozenset[str]

    @property
    def did_it_itself(self) -> bool:
        return "pbm_holomino.server.transaction" in self.modules


def packages(*before: Path | str) -> str:
    """The search path of a Python that has no site."""
    paths = [*before, ROOT, *(path for path in sys.path if path)]
    return os.pathsep.join(map(str, paths))


def words_of(line: str, *more: str) -> list[str]:
    """The words of a line, which begins with the script's name: `{alice}` is the
    password of alice, and `more` may hold blanks."""
    return [*fill_in(line).split(), *more]


def type_in(
    house: House,
    line: str,
    *more: str,
    given: bytes | None = b"",
    patience: float = PATIENCE,
    package: Path = ROOT,
    how: Mapping[str, str] | None = None,
) -> Seen:
    """Type a command on the store of a house; `given` is on standard input, of which
    the end never comes if it is None, and `how` is in the environment."""
    with TemporaryDirectory() as folder, ExitStack() as stack:
        note = Path(folder, "note")
        stdin, theirs = map(stack.enter_context, _pipe())
        if given is not None:
            with theirs:
                theirs.write(given)
        done = subprocess.run(
            [sys.executable, "-S", "-c", _TYPE, str(note), str(patience)]
            + words_of(line, *more),
            stdin=stdin,
            capture_output=True,
            env=surroundings(
                **{
                    "PYTHONPATH": packages(package),
                    "PBM_GAMES": str(house.folder),
                    **(how or {}),
                },
            ),
            cwd=folder,
            check=False,
            timeout=PATIENCE,
        )
        assert b"Traceback" not in done.stderr, done.stderr
        modules = frozenset(note.read_text().split())
    return Seen(Printed(done.returncode, done.stdout, done.stderr), modules)


def _pipe() -> tuple[BinaryIO, BinaryIO]:
    read, write = os.pipe()
    return os.fdopen(read, "rb"), os.fdopen(write, "wb")


@contextmanager
def serving(
    house: House,
    *words: str,
    before: str = "",
    package: Path = ROOT,
    how: Mapping[str, str] | None = None,
) -> Iterator["subprocess.Popen[bytes]"]:
    """`pbm serve` with these words, while the block runs; its process runs the code
    `before` first."""
    program = f"{before}\n{_SERVE}"
    process = subprocess.Popen(
        [sys.executable, "-c", program, "pbm", "serve", *words],
        env=surroundings(
            **{
                "PYTHONPATH": packages(package),
                "PBM_GAMES": str(house.folder),
                **(how or {}),
            }
        ),
        cwd=package,  # where Python looks first
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline().startswith(b"Serving on ")
        yield process
    finally:
        process.kill()
        process.communicate()


def ended(process: "subprocess.Popen[bytes]", sign: int = signal.SIGTERM) -> Ended:
    """How a server ends that gets this signal, and what it has said to its owner."""
    process.send_signal(sign)
    _, said = process.communicate(timeout=PATIENCE)
    return process.returncode, said


def copy_of(house: House, folder: Path) -> House:
    """Another store that is the same."""
    without = shutil.ignore_patterns("lmtp", "shell")
    shutil.copytree(house.folder, folder, ignore=without)
    return House(folder)


def steady(folder: Path) -> str:
    """The search path by which the clock and chance are steady."""
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(_STEADY)
    return packages(folder)


def at_terminal(
    house: House,
    line: str,
    *answers: str,
    columns: int = 80,
    how: Mapping[str, str] | None = None,
) -> tuple[int, bytes]:
    """Type a command of the checkout at a terminal with so many columns, and then each
    answer at the next prompt: the exit status, and all that the terminal shows."""
    name, *words = words_of(line)
    ours, theirs = os.openpty()
    termios.tcsetwinsize(theirs, (24, columns))

    def take_terminal() -> None:
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    process = subprocess.Popen(
        [ROOT / "bin" / name, *words],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=surroundings(**{"PBM_GAMES": str(house.folder), **(how or {})}),
        start_new_session=True,
        preexec_fn=take_terminal,
    )
    os.close(theirs)
    shown, left = b"", [*answers]
    with suppress(OSError), os.fdopen(ours, "r+b", buffering=0) as terminal:
        while piece := terminal.read(1 << 16):
            shown += piece
            if left and shown.endswith(b": "):
                terminal.write(f"{left.pop(0)}\n".encode())
    return process.wait(PATIENCE), shown
