"""holo, pbm and the others: hand a command that is typed over to the server that runs
on the store, or carry it out here.

The server prints nothing: its answer is what this would have printed. A command without
an answer is carried out here under the same source id, so that it counts only once if
the server has carried it out, too.
"""

import _socket
import posix
import sys

from pbm_holomino import cli, handover
from pbm_holomino.cli import Command
from pbm_holomino.server import wire
from pbm_holomino.store import location

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pbm_holomino.cli import Printed


def main() -> int:
    """What each game's command and `pbm` run. Returns the exit status."""
    command = Command(sys.argv)
    status = handed_over(command)
    return cli.run(command) if status is None else status


def handed_over(command: Command) -> int | None:
    """Hand a command over to the server that runs on the store, and print its answer.
    The exit status; None if there is no server, or it has not answered."""
    # A process to which systemd has handed the sockets would wait for its own answer.
    is_server = b"LISTEN_FDS" in posix.environ
    if command.is_completion or is_server:
        return None
    return cli.finished(command, _answer)


def _answer(command: Command) -> "Printed | None":
    store = handover.find_store()
    server = handover.connected(f"{store}/{location.SHELL}") if store else None
    if store is None or server is None:
        return None
    try:
        return _talked(server, command, store) if wire.is_ours(server) else None
    except wire.Cut:
        return None
    finally:
        server.close()


def _talked(server: _socket.socket, command: Command, store: str) -> "Printed | None":
    head = (
        wire.identity(wire.PACKAGE),
        wire.identity(store),
        command.source.encode(),
        b"%d" % command.is_terminal,
        b"%d" % command.width,
        *map(wire.encode, command.words),
    )
    wire.send(server, "run", *head)
    while True:
        kind, rest = wire.receive(server)
        if kind == "ask":
            given = command.ask(wire.decode(rest))
            if given is None:
                wire.send(server, "nobody")
            else:
                wire.send(server, "given", wire.encode(given))
        elif kind == "text":
            wire.send(server, "given", wire.encode(command.text()))
        elif kind in ("out", "err", "file"):
            status, _, content = rest.partition(b"\0")
            return wire.decode_number(status), kind, content, _nothing
        else:
            return None


def _nothing() -> None:
    """The server sends the letters."""
