"""A mail server that answers each command, and each recipient, as a test wants; and a
sendmail that does."""

import re
import socket
import socketserver
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from pbm_holomino.store.config import Config
from tests.house import House
from tests.processes import wait_until

HANG_UP = "hang up"
_ADDRESS = "games@play.example"  # of the server whose letters come here


class Brought(NamedTuple):
    """A mail that the server has taken, and the recipients that it took it for."""

    sender: str
    to: tuple[str, ...]
    text: bytes


class _Conversation(socketserver.StreamRequestHandler):
    """One client. What it says is known by its verb, by the address in RCPT, and the
    mail itself by the dot at its end."""

    def handle(self) -> None:
        self._box: Postbox = self.server  # type: ignore[assignment]
        self._box.connections += 1
        self._sender, self._to, self._is_over = "", list[str](), False
        self._say("CONNECT", "220")
        while not self._is_over and (line := self.rfile.readline().strip().decode()):
            self._box.heard.append(line)
            verb = line.partition(" ")[0].upper()
            address = "".join(re.findall("<(.*)>", line))
            if verb == "RCPT":
                if self._say(address, "250").startswith("2"):
                    self._to.append(address)
            elif verb == "DATA":
                self._take()
            else:
                self._sender, self._to = (address, []) if verb == "MAIL" else ("", [])
                self._say(verb, "221" if verb == "QUIT" else "250")

    def _take(self) -> None:
        if self._say("DATA", "354") != "354":
            return
        text = b""
        for line in self.rfile:
            if line == b".\r\n":
                break
            text += line[1:] if line.startswith(b".") else line
        else:
            return  # the client has gone
        brought = Brought(self._sender, tuple(self._to), text)
        if self._box.answers.get(".", "250") == "250":
            self._box.brought.append(brought)
        self._say(".", "250")
        self._sender, self._to = "", []

    def _say(self, what: str, code: str) -> str:
        code = self._box.answers.get(what, code)
        if code == HANG_UP:
            self._is_over = True
        else:
            self.wfile.write(f"{code}-not yet\r\n{code} to {what}\r\n".encode())
        return code


class Postbox(socketserver.ThreadingTCPServer):
    """It says yes to all but what `answers` names: a verb, an address, or `.`, with
    the code that is answered instead."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, answers: Mapping[str, str], host: str) -> None:
        if ":" in host:
            self.address_family = socket.AF_INET6
        super().__init__((host, 0), _Conversation)
        self.answers = dict(answers)
        self.brought: list[Brought] = []
        self.heard: list[str] = []
        self.connections = 0  # that there have been
        bracketed = f"[{host}]" if ":" in host else host
        self.name = f"{bracketed}:{self.server_address[1]}"

    @property
    def settings(self) -> str:
        """The lines of config.yaml with which letters go there."""
        return f"send: smtp\nsmtp: {self.name}\n"

    def config(self, owner: str = "") -> Config:
        return Config(_ADDRESS, owner=owner, send="smtp", smtp=self.name)

    def got(self) -> list[tuple[str, ...]]:
        """The recipients of each mail that it has taken."""
        return [mail.to for mail in self.brought]


@contextmanager
def postbox(
    answers: Mapping[str, str] | None = None, host: str = "127.0.0.1"
) -> Iterator[Postbox]:
    """A mail server while the block runs, which may change its answers."""
    with Postbox(answers or {}, host) as box:
        threading.Thread(target=box.serve_forever, args=(0.01,), daemon=True).start()
        try:
            yield box
        finally:
            box.shutdown()


_SENDMAIL = """#!{python} -S
import os, sys
here = "{folder}/sendmail."
to, text = sys.argv[-1], sys.stdin.buffer.read()
with open(here + "calls", "a") as calls:
    print(*map(repr, sys.argv[1:]), file=calls)
if os.path.exists(here + to):
    with open(here + to) as file:
        sys.exit(int(file.read()))
with open(here + "sent", "a") as sent:
    print(to, file=sent)
with open(here + "mail", "wb") as mail:
    mail.write(text)
"""


class Sendmail:
    """A program in a folder that ends with a status of each address's own, and notes to
    whom mail has gone."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.path = folder / "sendmail"
        text = _SENDMAIL.format(python=sys.executable, folder=folder)
        self.path.write_text(text)
        self.path.chmod(0o755)

    def answer(self, statuses: Mapping[str, int]) -> "Sendmail":
        """From now on it ends with these statuses, and with 0 for other addresses."""
        for old in self._folder.glob("sendmail.*@*"):
            old.unlink()
        for address, status in statuses.items():
            (self._folder / f"sendmail.{address}").write_text(str(status))
        return self

    @property
    def settings(self) -> str:
        return f"send: sendmail\nsendmail: {self.path}\n"

    def config(self, owner: str = "") -> Config:
        path = str(self.path)
        return Config(_ADDRESS, owner=owner, send="sendmail", sendmail=path)

    def _lines(self, kind: str) -> list[str]:
        path = self._folder / f"sendmail.{kind}"
        return path.read_text().splitlines() if path.exists() else []

    def calls(self) -> list[str]:
        """The words of each call, quoted as Python does."""
        return self._lines("calls")

    def sent(self) -> list[str]:
        """The addresses that mail has gone to."""
        return self._lines("sent")

    def mail(self) -> bytes:
        """The last mail that has gone."""
        return (self._folder / "sendmail.mail").read_bytes()


class SlowPost:
    """Letters leave by a program that waits until a test lets it go on."""

    def __init__(self, house: House, folder: Path) -> None:
        folder.mkdir()
        self._folder = folder
        program = folder / "sendmail"
        program.write_text(
            f"#!/bin/sh\ncd '{folder}'\ntouch begun\n"
            "while [ -e begun ] && ! [ -e go ]; do sleep 0.02; done\ncat >>letters\n"
        )
        program.chmod(0o755)
        settings = f"send: sendmail\nsendmail: {program}\n"
        house.settings(settings)

    def wait(self) -> None:
        """Until the first letter is about to leave."""
        wait_until((self._folder / "begun").exists, "a letter about to leave")

    def go(self) -> None:
        (self._folder / "go").touch()

    def letters(self) -> str:
        path = self._folder / "letters"
        return path.read_text() if path.exists() else ""
