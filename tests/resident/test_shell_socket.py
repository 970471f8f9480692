"""The socket at which typed commands are handed over: who may use it, and what becomes
of clients that send anything else, or nothing."""

import os
import posix
import socket
import stat
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress

import pytest

from pbm_holomino.resident import shell
from pbm_holomino.resident.shell import Origin, ShellServer
from pbm_holomino.server import typed, wire
from pbm_holomino.store import location
from pbm_holomino.store.home import Home
from tests.house import PASSWORDS, House
from tests.processes import PATIENCE, free_port, resident, run
from tests.resident.desk import mail
from tests.resident.typists import ended, serving, type_in

SOURCE = b"-0123456789abcdef"


def a_command(house: House, *words: str, source: bytes = SOURCE) -> list[bytes]:
    """What a client says of a command, all of it true."""
    program, store = wire.identity(wire.PACKAGE), wire.identity(str(house.folder))
    return [program, store, source, b"0", b"0", *map(wire.encode, words)]


@contextmanager
def speaking(house: House) -> Iterator[socket.socket]:
    """The other end of a connection with a server in a thread of this process."""
    ours, theirs = socket.socketpair()
    server = ShellServer(house.server, Origin(Home(str(house.folder))))

    def speak() -> None:
        with theirs:
            server.speak(theirs)

    thread = threading.Thread(target=speak)
    thread.start()
    ours.settimeout(PATIENCE)
    with ours:
        yield ours
    thread.join(PATIENCE)
    assert not thread.is_alive()


def answer(client: socket.socket) -> tuple[str, bytes]:
    """The last word of the server; nothing if it hangs up."""
    try:
        return wire.receive(client)
    except wire.Cut:
        return "", b""


# What it answers


def test_a_command_is_answered(house: House) -> None:
    with speaking(house) as client:
        wire.send(client, "run", *a_command(house, "holo", "show", "1"))
        shown = house.type("holo show 1").text
        assert answer(client) == ("out", b"0\0" + shown.encode())
        assert answer(client) == ("", b"")


def test_the_log_has_the_commands_id(house: House) -> None:
    words = ["holo", "move", "1", "alice", PASSWORDS["alice"], house.legal()[0]]
    with speaking(house) as client:
        wire.send(client, "run", *a_command(house, *words))
        assert answer(client)[0] == "out"
    assert house.match().record.log[1].source == SOURCE.decode()


def test_it_asks_for_a_password_and_for_a_text(house: House) -> None:
    with speaking(house) as client:
        wire.send(client, "run", *a_command(house, "holo", "chat", "1", "alice", "-"))
        assert wire.receive(client) == ("ask", b"Password")
        wire.send(client, "given", PASSWORDS["alice"].encode())
        assert wire.receive(client) == ("text", b"")
        wire.send(client, "given", b"Gr\xc3\xbc\xc3\x9fe\0!")
        assert answer(client)[0] == "out"
    assert "Gr\u00fc\u00dfe" in str(house.match().record)


def test_nobody_can_be_asked(house: House) -> None:
    with speaking(house) as client:
        wire.send(client, "run", *a_command(house, "holo", "showas", "alice", "-"))
        assert wire.receive(client)[0] == "ask"
        wire.send(client, "nobody")
        kind, said = answer(client)
    assert (kind, said[:2]) == ("err", b"2\0")
    assert b"There is nobody to ask for the password." in said
    assert b"PBM_PASSWORD" in said


def test_a_terminal_is_shown_no_png(house: House) -> None:
    words = a_command(house, "holo", "show", "1", "-format=png")
    for is_terminal, kind in ((b"0", "file"), (b"1", "err")):
        words[3] = is_terminal
        with speaking(house) as client:
            wire.send(client, "run", *words)
            assert answer(client)[0] == kind


# What it does not answer


def test_it_hangs_up_on_what_is_not_a_command(house: House) -> None:
    whole = a_command(house, "holo", "show", "1")
    heads = [b"LHLO localhost\r\n", b"-0000001", b" 0000001", b"99999999", b"\xff" * 8]
    for head in [*heads, b"00000000", b"00000004\xff\0\0\0"]:
        with speaking(house) as client:
            client.sendall(head)
            client.shutdown(socket.SHUT_WR)
            assert answer(client) == ("", b"")
    messages: list[list[bytes]] = [[], [b"x"], whole[:5], [*whole[:4], b"x", b"holo"]]
    messages += [[*whole[:5], b"holo", b"\xff\xff"], [b"", *whole]]
    for source in (b"-", b"", b"mail1", b"-0123456789ABCDEF", SOURCE + b" 123:17"):
        messages.append(a_command(house, "holo", "show", "1", source=source))
    for message in messages:
        with speaking(house) as client:
            wire.send(client, "run", *message)
            assert answer(client) == ("", b""), message
    with speaking(house) as client:
        wire.send(client, "walk", *whole)
        assert answer(client) == ("", b"")


@pytest.mark.parametrize("place", [0, 1])
def test_it_hangs_up_on_another_program_or_store(house: House, place: int) -> None:
    words = a_command(house, "holo", "show", "1")
    words[place] = b"1:1"
    with speaking(house) as client:
        wire.send(client, "run", *words)
        assert answer(client) == ("", b"")


def test_it_hangs_up_on_another_account(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As far as the system knows who is at the other end."""
    stranger = os.geteuid() + 1
    monkeypatch.setattr(posix, "geteuid", lambda: stranger)
    with speaking(house) as client:
        with suppress(wire.Cut):  # it does not even listen
            wire.send(client, "run", *a_command(house, "holo", "show", "1"))
        assert answer(client) == ("", b"")


def test_it_hangs_up_on_a_client_that_says_nothing(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert shell.SILENCE == 60
    monkeypatch.setattr(shell, "SILENCE", 0.2)
    with speaking(house) as client:
        client.sendall(b"00000100run\0")
        assert answer(client) == ("", b"")


def test_robots_do_not_think_in_a_server(house: House) -> None:
    """The client does the work itself, and nothing has been counted."""
    assert house.type("holo challenge alice bob -rated=no").status == 0
    before = house.files()
    words = ["holo", "hint", "2", "alice", PASSWORDS["alice"]]
    with speaking(house) as client:
        wire.send(client, "run", *a_command(house, *words))
        assert answer(client) == ("", b"")
    assert house.files() == before
    assert house.server.robots.advise is None


def test_a_bug_ends_nothing_and_reveals_nothing(house: House) -> None:
    broken = (
        "from pbm_holomino.commands import queries\n"
        "def show(*args):\n    raise RuntimeError(args)\nqueries.show = show"
    )
    with serving(house, before=broken) as server:
        seen = type_in(house, "holo showas alice {alice} 1")
        assert (seen.printed.status, seen.did_it_itself) == (0, True)
        assert not type_in(house, "holo games").did_it_itself
        status, said = ended(server)
    assert status == 0
    assert said.startswith(b"pbm serve: RuntimeError in <string>, line 3\n")
    assert PASSWORDS["alice"].encode() not in said


def test_an_answer_that_is_too_long_is_not_sent(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    with speaking(house) as client:
        wire.send(client, "run", *a_command(house, "holo", "show", "1"))
        assert answer(client)[0] == "out"
    long = b"x" * (wire.MOST - 3)
    monkeypatch.setattr(
        typed, "printed", lambda *_: typed.Printed(0, "file", long + b"x")
    )
    with speaking(house) as client:
        wire.send(client, "run", *a_command(house, "holo", "show", "1"))
        assert answer(client) == ("", b"")


# The socket


@pytest.mark.parametrize("workers", [[], ["--workers", "2"]])
def test_the_socket_is_for_the_owner_only(house: House, workers: list[str]) -> None:
    path = house.path(location.SHELL)
    with serving(house, *workers) as server:
        found = path.stat()
        assert stat.S_ISSOCK(found.st_mode)
        assert stat.S_IMODE(found.st_mode) == 0o600
        for _ in range(4):
            assert not type_in(house, "holo show 1").did_it_itself
        assert ended(server) == (0, b"")
        assert not path.exists()


def test_a_file_in_place_of_the_socket_is_left_alone(house: House) -> None:
    house.path(location.SHELL).touch()
    done = run(house.folder, "pbm", "serve")
    assert done.status == 75
    said = done.err.replace("\n", "").replace(" ", "")
    assert said.startswith(f"{house.path(location.SHELL)}cannotbeasocket:")
    assert house.path(location.SHELL).exists()
    assert type_in(house, "holo show 1").printed.status == 0


def test_typed_commands_never_come_by_the_way_of_mails(house: House) -> None:
    """Nor mails by theirs: a mail is from whoever it says, a command from the owner."""
    port = free_port()
    with serving(house, f"127.0.0.1:{port}"):
        for family, where in (
            (socket.AF_UNIX, str(house.path(location.SOCKET))),
            (socket.AF_INET, ("127.0.0.1", port)),
        ):
            with socket.socket(family) as client:
                client.settimeout(PATIENCE)
                client.connect(where)
                wire.send(client, "run", *a_command(house, "pbm", "signup", "carol"))
                assert client.recv(3) == b"220"


# Many clients


def test_many_commands_at_once(house: House) -> None:
    with serving(house), ThreadPoolExecutor(8) as crowd:
        lines = [f"holo chat 1 alice {{alice}} -m=Line_{n}" for n in range(16)]
        seen = list(crowd.map(lambda line: type_in(house, line), lines))
    assert all(each.printed.status == 0 for each in seen)
    assert not any(each.did_it_itself for each in seen)
    assert len(house.match().record.log) == 17


def test_clients_that_hang_keep_nobody_waiting(house: House) -> None:
    with serving(house) as server, ExitStack() as stack:
        for number in range(20):
            client = stack.enter_context(socket.socket(socket.AF_UNIX))
            client.connect(str(house.path(location.SHELL)))
            client.sendall(b"00000100run\0"[:number])
        assert not type_in(house, "holo show 1").did_it_itself
        # and when it ends it waits for none of them
        assert ended(server) == (0, b"")


def test_questions_keep_nobody_waiting(house: House) -> None:
    with serving(house) as server, ExitStack() as stack:
        asked = []
        for number in range(3):
            client = stack.enter_context(socket.socket(socket.AF_UNIX))
            client.settimeout(PATIENCE)
            client.connect(str(house.path(location.SHELL)))
            source = f"-{number:016x}".encode()
            line = ("holo", "chat", "1", "alice", "-")
            wire.send(client, "run", *a_command(house, *line, source=source))
            assert wire.receive(client)[0] == "ask"
            asked.append(client)
        assert not type_in(house, "holo chat 1 bob {bob} -m=Hi").did_it_itself
        assert ended(server) == (0, b"")
        assert all(answer(client) == ("", b"") for client in asked)
    assert len(house.match().record.log) == 2


def test_a_crowd_at_the_shell_delays_no_mail(house: House) -> None:
    with resident(house) as server, ExitStack() as stack:
        for _ in range(60):
            client = stack.enter_context(socket.socket(socket.AF_UNIX))
            client.connect(str(house.path(location.SHELL)))
        raw = mail("alice", "holo chat 1 alice xanadu", "m1", "Hello!")
        assert server.send(raw)[0] == 250
    assert len(house.match().record.log) == 2
