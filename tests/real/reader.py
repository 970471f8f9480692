"""A mail program as a player sees it: mutt, in a terminal of tmux's that nobody
else has."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

from tests.processes import PATIENCE, wait_until

COLUMNS, LINES = 80, 150


class MailReader:
    """Mutt with its settings as they come, on a mailbox that it may only read."""

    def __init__(self, folder: Path, mailbox: Path) -> None:
        self.socket = folder / "tmux"
        home = folder / "reader"
        (home / "Mail").mkdir(parents=True, exist_ok=True)  # else mutt asks for it
        mutt = f"exec mutt -n -F /dev/null -R -f {mailbox}"
        self._environment = {
            "HOME": str(home),
            "PATH": os.defpath,
            "TERM": "xterm",
            "LC_ALL": "C.UTF-8",
        }
        size = ["-x", str(COLUMNS), "-y", str(LINES)]
        self._tmux("-f", os.devnull, "new-session", "-d", *size, mutt)

    def __enter__(self) -> "MailReader":
        return self

    def __exit__(self, *error: object) -> None:
        self._tmux("kill-server")

    def _tmux(self, *words: str) -> str:
        done = subprocess.run(
            ["/usr/bin/tmux", "-u", "-S", self.socket, *words],
            env=self._environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=True,
            timeout=PATIENCE,
            encoding="utf-8",
        )
        return done.stdout

    def press(self, *keys: str) -> None:
        for key in keys:
            self._tmux("send-keys", key)

    def screen(self) -> list[str]:
        """The lines that stand on the screen."""
        return [line.rstrip() for line in self._tmux("capture-pane", "-p").split("\n")]

    def see(self, holds: Callable[[list[str]], object], what: str) -> list[str]:
        """The screen as soon as this holds of it."""
        seen: list[str] = []

        def look() -> object:
            seen[:] = self.screen()
            return holds(seen)

        wait_until(look, what, lambda: "\n".join(seen))
        return seen
