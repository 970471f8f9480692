"""Commands that are typed in a shell while a resident server runs on the store.

Their own processes hand them over at a socket in the store, and print the answers. A
process that gets no answer does the work itself: so does one whose program or store is
not what the server began with, one whose command is the owner's, which may need the
terminal, and one that has a robot think.
"""

import os
import re
import socket
from collections.abc import Sequence
from contextlib import suppress
from copy import copy
from typing import NoReturn

from pbm_holomino.match.board import Match
from pbm_holomino.server import typed, wire
from pbm_holomino.server.transaction import Server
from pbm_holomino.store.home import Home

SILENCE = 60.0  # seconds that a client may take to say something


class ShellServer:
    """All clients of a process that hand over a command."""

    def __init__(self, server: Server, origin: "Origin") -> None:
        self._server = copy(server)
        self._server.robots = server.robots._replace(advise=_elsewhere)
        self._origin = origin
        self._clients: set[socket.socket] = set()
        self._is_closing = False

    def speak(self, client: socket.socket) -> None:
        """Carry out the command that a client brings, and answer it."""
        self._clients.add(client)
        try:
            client.settimeout(SILENCE)
            if self._is_closing:
                _listen_no_more(client)
            self._answer(client)
        except (wire.Cut, _NotHere):
            pass  # it does the work itself
        finally:
            self._clients.discard(client)

    def _answer(self, client: socket.socket) -> None:
        """Answer a client, if it would find the same answer by itself. Raises Cut, and
        _NotHere for a command that it has to carry out."""
        if not wire.is_ours(client):
            return
        command = _HandedOver(client)
        if not self._origin.is_that_of(command):
            return
        said = typed.printed(command, lambda: self._server, _owners_only)
        said.then()
        wire.send(client, said.stream, b"%d" % said.status, said.content)

    def close(self) -> None:
        """Finish the commands that have come whole, and wait for nothing more."""
        self._is_closing = True
        for client in list(self._clients):
            _listen_no_more(client)


def _listen_no_more(client: socket.socket) -> None:
    with suppress(OSError):  # it has left meanwhile
        client.shutdown(socket.SHUT_RD)


class _HandedOver:
    """A command that a client has handed over (see server.typed.Typed)."""

    def __init__(self, client: socket.socket) -> None:
        """Read it. Raises Cut if what comes is not a command."""
        kind, told = wire.receive(client)
        self.program, self.store, source, is_terminal, width, *words = _fields(told)
        if kind != "run" or not re.fullmatch(b"-[0-9a-f]{16}", source):
            raise wire.Cut
        self.source = source.decode()
        self.is_terminal = is_terminal == b"1"
        self.width = wire.decode_number(width)
        self.words = [*map(wire.decode, words)]
        self._client = client

    def ask(self, question: str) -> str | None:
        """The password for a `-`; None if nobody can be asked there."""
        return self._told("ask", wire.encode(question))

    def text(self) -> str:
        """What is typed there after the command."""
        return self._told("text") or ""

    def _told(self, kind: str, *rest: bytes) -> str | None:
        wire.send(self._client, kind, *rest)
        told, given = wire.receive(self._client)
        return wire.decode(given) if told == "given" else None


def _fields(told: bytes) -> list[bytes]:
    """The parts of a command: five about its process, and then one word or more. Raises
    Cut."""
    fields = told.split(b"\0")
    if len(fields) < 6:
        raise wire.Cut
    return fields


class _NotHere(Exception):
    """A command that its own process carries out."""


def _owners_only(words: Sequence[str]) -> NoReturn:
    raise _NotHere


def _elsewhere(match: Match, who: str) -> NoReturn:
    raise _NotHere  # robots do not think in a server


class Origin:
    """The files that a server began with: its program, and the owner's settings. They
    may be changed while it runs, and the next process would begin with others."""

    def __init__(self, home: Home) -> None:
        self._home = home.root
        self._config = home.path("config.yaml")
        self._folders, self._files = _program()
        self._times = [*map(_stamp, self._folders)]
        self._stamps = self._present()

    def is_that_of(self, command: _HandedOver) -> bool:
        """Whether the process of a command began with the same."""
        return (
            command.program == wire.identity(wire.PACKAGE)
            and command.store == wire.identity(self._home)
            and self._present() == self._stamps
            and self._has_same_names()
        )

    def with_present_settings(self) -> "Origin":
        """The same program, with the settings as they are now."""
        anew = copy(self)
        anew._stamps = [_stamp(self._config), *self._stamps[1:]]
        return anew

    def _present(self) -> list["_Stamp | None"]:
        return [_stamp(path) for path in (self._config, *self._files)]

    def _has_same_names(self) -> bool:
        """Whether the program has the same files. A folder may also have changed
        because Python has compiled what is in it."""
        times = [*map(_stamp, self._folders)]
        if times != self._times:
            if _program() != (self._folders, self._files):
                return False
            self._times = times
        return True


def _program() -> tuple[list[str], list[str]]:
    """The folders of this program, and the files in them that Python did not make."""
    folders, files = [], []
    for folder, inner, names in os.walk(wire.PACKAGE):
        inner[:] = sorted(name for name in inner if name != "__pycache__")
        folders.append(folder)
        files += [f"{folder}/{name}" for name in sorted(names) if name[0] != "."]
    return folders, files


_Stamp = tuple[int, int, int]


def _stamp(path: str) -> _Stamp | None:
    """Which file is at a path, and how it was last changed; None if there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns, found.st_size
