"""Debian's Firefox, driven by its own Marionette: a socket on which each message is its
length, a colon, and JSON."""

import json
import socket
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from tests import needs
from tests.processes import PATIENCE, free_port, wait_until

_ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # as WebDriver names one
# Nothing is asked of anybody else's servers.
_PREFERENCES = """
user_pref("marionette.port", {port});
user_pref("app.normandy.enabled", false);
user_pref("app.update.enabled", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("browser.safebrowsing.downloads.enabled", false);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
user_pref("services.settings.server", "http://127.0.0.1:9/");
user_pref("browser.shell.checkDefaultBrowser", false);
"""


class Stale(Exception):
    """What was found has been replaced since."""


class Firefox:
    """A window of Firefox. What it is asked for is waited for."""

    def __init__(self, at: socket.socket) -> None:
        self._at = at
        self._file = at.makefile("rb")
        self._asked = 0
        self._heard()  # which program this is
        self._do("WebDriver:NewSession")
        self._do("WebDriver:SetTimeouts", implicit=1000 * int(PATIENCE))

    def _heard(self) -> Any:
        size = b""
        while not size.endswith(b":"):
            got = self._file.read(1)
            assert got, "Firefox has ended"
            size += got
        return json.loads(self._file.read(int(size[:-1])))

    def _do(self, command: str, **how: object) -> Any:
        """What a command of WebDriver returns; None where the page was left."""
        self._asked += 1
        message = json.dumps([0, self._asked, command, how]).encode()
        self._at.sendall(b"%d:%b" % (len(message), message))
        _, _, error, found = self._heard()
        if error and "unloaded" in error["message"]:
            return None
        if error and error["error"] == "stale element reference":
            raise Stale
        assert not error, error
        return found.get("value", found) if isinstance(found, dict) else found

    def go(self, url: str) -> None:
        """Show a page."""
        self._do("WebDriver:Navigate", url=url)

    def _find(self, selector: str) -> str:
        how = {"using": "css selector", "value": selector}
        return str(self._do("WebDriver:FindElement", **how)[_ELEMENT])

    def press(self, selector: str) -> None:
        """Click on the first such thing."""
        self._on(selector, "WebDriver:ElementClick")

    def write(self, selector: str, text: str) -> None:
        """Type into a field."""
        self._on(selector, "WebDriver:ElementSendKeys", text=text)

    def _on(self, selector: str, command: str, **how: object) -> None:
        """Do something to the first such thing; a script may replace it after it was
        found, and then nothing was done."""

        def is_done() -> bool:
            try:
                self._do(command, id=self._find(selector), **how)
            except Stale:
                return False
            return True

        wait_until(is_done, selector)

    def text(self) -> str:
        """What a person reads on the page, asked for at once: what was found first and
        then read might have been replaced in between."""
        return self.run("return document.querySelector('main')?.innerText") or ""

    def run(self, script: str) -> Any:
        """What a script returns; None where the page was left."""
        return self._do("WebDriver:ExecuteScript", script=script, args=[])


@contextmanager
def firefox(folder: Path) -> Iterator[Firefox]:
    """A Firefox with a profile of its own in a folder, while the block works."""
    port = free_port()
    folder.mkdir(exist_ok=True)
    (folder / "user.js").write_text(_PREFERENCES.format(port=port))
    program = [str(needs.find("firefox-esr")), "--headless", "--marionette"]
    with subprocess.Popen(
        [*program, "--no-remote", "--profile", str(folder)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={"PATH": "/usr/bin:/bin", "HOME": str(folder), "MOZ_HEADLESS": "1"},
    ) as running:
        try:
            with closing(_connected(port)) as at:
                yield Firefox(at)
        finally:
            running.kill()


def _connected(port: int) -> socket.socket:
    found: list[socket.socket] = []

    def is_there() -> bool:
        try:
            found.append(socket.create_connection(("127.0.0.1", port), PATIENCE))
        except OSError:
            return False
        return True

    wait_until(is_there, "Firefox")
    return found[0]
