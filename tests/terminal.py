"""Somebody at a terminal of a given size, who reads what a command prints and types
what they like."""

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from time import monotonic

from tests.paths import ROOT
from tests.processes import PATIENCE, surroundings

_CODE = (
    "import sys; from pbm_holomino.cli import main; {}; sys.exit(main(sys.argv[1:]))"
)
# what a terminal does with colours and with lines that are edited shows nothing
CODES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]|\x1b\(B|\x07|\x0f")


class Visitor:
    """A command's reader: `raw` is all that was printed, with its codes."""

    def __init__(self, window: int, process: "subprocess.Popen[bytes]") -> None:
        self._window = window
        self.process = process
        self.raw = ""
        self._read = 0

    def until(self, ends: Sequence[str]) -> str:
        """What is printed next, without codes, as soon as it ends with one of these or
        the command ends."""
        late = monotonic() + PATIENCE
        while not (shown := self._shown()).endswith(tuple(ends)):
            assert monotonic() < late, f"waits for {ends}: {shown}"
            if not select.select([self._window], [], [], 1)[0]:
                continue
            try:
                more = os.read(self._window, 65536)
            except OSError:  # it has ended
                break
            self.raw += more.decode("utf-8", "replace")
            if not more:
                break
        self._read = len(self.raw)
        return shown

    def _shown(self) -> str:
        return CODES.sub("", self.raw[self._read :]).replace("\r", "")

    def type(self, line: str) -> None:
        """Type a line, and Enter."""
        os.write(self._window, f"{line}\n".encode())


@contextmanager
def visiting(
    words: Sequence[str],
    rows: int = 24,
    columns: int = 80,
    before: str = "pass",
    echo: bool = False,
    **environment: str,
) -> Iterator[Visitor]:
    """A command on a terminal of this size, which may show what is typed. `before` is
    done in its process first."""
    window, terminal = pty.openpty()
    size = struct.pack("HHHH", rows, columns, 0, 0)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, size)
    settings = termios.tcgetattr(terminal)
    if not echo:  # it shows what the command prints, and only that
        settings[3] &= ~termios.ECHO
    termios.tcsetattr(terminal, termios.TCSANOW, settings)
    inherited = surroundings(PYTHONPATH=str(ROOT), TERM="xterm")
    inherited.pop("NO_COLOR", None)
    process = subprocess.Popen(
        [sys.executable, "-c", _CODE.format(before), *words],
        env=inherited | environment,
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        start_new_session=True,
    )
    os.close(terminal)
    try:
        yield Visitor(window, process)
    finally:
        process.kill()
        process.wait()
        os.close(window)
