"""Several connections at once, and clients that say nothing or do not read."""

import asyncio
import os
import resource
import smtplib
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from time import sleep
from unittest import mock

import pytest

from pbm_holomino.resident import lmtp
from pbm_holomino.resident.lmtp import Connection, Handler
from pbm_holomino.store.config import Config
from tests.house import House, home
from tests.processes import PATIENCE, Talk, free_port, resident
from tests.resident.desk import lmtp_server, mail, move


@contextmanager
def crowded(house: House, most: int) -> Iterator[Path]:
    """A server with room for so many connections; the path of its socket."""
    path = house.path("lmtp")
    room = mock.patch.object(lmtp, "MOST_CONNECTIONS", most)
    with room, lmtp_server(house.server, path):
        yield path


def greeted(path: Path) -> Talk:
    talk = Talk(str(path))
    assert talk.hear()[0].startswith("220")
    return talk


def test_silent_clients_delay_nobody(house: House) -> None:
    with resident(house) as server:
        idle = [Talk(server.path) for _ in range(20)]
        half = Talk(server.path).at_data()
        half.say("Subject: he")
        assert server.send(mail("alice", move(house, "alice"), "m1"))[0] == 250
        for talk in (*idle, half):
            talk.close()
        assert server.send(mail("bob", move(house, "bob"), "m2"), home("bob"))[0] == 250
        assert server.stop() == (0, "")
    assert house.match().ply == 2


def test_a_client_waits_for_a_free_place(house: House) -> None:
    with crowded(house, 2) as path:
        first, second, third = greeted(path), greeted(path), Talk(str(path))
        third.socket.settimeout(0.2)
        with pytest.raises(TimeoutError):
            third.socket.recv(1)
        third.socket.settimeout(PATIENCE)
        first.close()
        assert third.socket.recv(3) == b"220"
        second.close()
        third.close()


def test_a_client_that_still_waits_when_it_ends_is_disconnected(house: House) -> None:
    with crowded(house, 1) as path:
        first, second = greeted(path), Talk(str(path))
    assert first.end() == b"421 4.3.2 This server is closing\r\n"
    with suppress(ConnectionResetError):
        assert second.end() == b""
    first.close()
    second.close()


def test_a_crowd_at_the_port_delays_nobody_at_the_socket(house: House) -> None:
    port = free_port()
    with resident(house, f"127.0.0.1:{port}") as server, ExitStack() as crowd:
        for _ in range(lmtp.MOST_CONNECTIONS + 5):
            crowd.enter_context(socket.create_connection(("127.0.0.1", port)))
        assert server.send(mail("alice", move(house, "alice"), "m1"))[0] == 250
        crowd.close()
        with smtplib.LMTP("127.0.0.1", port, timeout=PATIENCE) as client:
            assert client.noop()[0] == 250
        assert server.stop() == (0, "")


def test_a_client_that_does_not_read_does_not_delay_the_end(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lmtp, "_GRACE", 0.1)
    path = house.path("lmtp")
    with lmtp_server(house.server, path):
        talk = greeted(path)
        talk.socket.settimeout(0.5)
        with suppress(TimeoutError):  # until it cannot answer any more
            while True:
                talk.say(*["NOOP"] * 10_000)
    talk.close()


def test_commands_that_come_together_are_answered_in_their_order(house: House) -> None:
    """Senders may do so, as the server offers PIPELINING (RFC 2920)."""
    with resident(house) as server:
        talk = Talk(server.path)
        talk.say("LHLO here")
        greeting, extensions = talk.hear(2)
        assert greeting.startswith("220")
        assert extensions.startswith("250")
        talk.say("MAIL FROM:<alice@example.org>", "RCPT TO:<pbm@localhost>", "DATA")
        assert [line[:3] for line in talk.hear(3)] == ["250", "250", "354"]
        talk.say("Subject: help", "", ".", "NOOP", "QUIT")
        codes = [line[:4] for line in talk.end().splitlines()]
        assert codes == [b"250 ", b"250 ", b"221 "]
        talk.close()


def test_a_client_that_has_closed_its_side_is_answered(house: House) -> None:
    raw = mail("alice", move(house, "alice"), "m1")
    with resident(house) as server:
        talk = Talk(server.path).at_data()
        talk.say(*raw.decode().splitlines(), ".")
        talk.socket.shutdown(socket.SHUT_WR)
        assert talk.end() == b"250 2.0.0 Done\r\n"
        talk.close()
    assert house.match().ply == 1


@pytest.mark.parametrize("is_done", [False, True], ids=["is read", "is done"])
def test_a_client_is_answered_that_closes_its_side_as_its_mail(is_done: bool) -> None:
    """In the same turn of the loop."""

    async def answers() -> bytes:
        loop = asyncio.get_running_loop()
        verdict = loop.create_future()
        handler = Handler(mock.Mock(), Config(), mock.Mock(do=lambda work: verdict))
        ours, theirs = socket.socketpair()
        theirs.setblocking(False)
        _, connection = await loop.connect_accepted_socket(
            lambda: Connection(handler, lambda: False), ours
        )
        connection.data_received(b"LHLO x\r\nMAIL FROM:<a@b.c>\r\nRCPT TO:<d@e.f>\r\n")
        connection.data_received(b"DATA\r\n\r\nhello\r\n.\r\n")
        if not is_done:
            connection.eof_received()
        for _ in range(9):
            await asyncio.sleep(0)
        verdict.set_result("250 2.0.0 Done")
        if is_done:
            connection.eof_received()
        reader, writer = await asyncio.open_connection(sock=theirs)
        said = await asyncio.wait_for(reader.read(), PATIENCE)
        writer.close()
        return said

    assert asyncio.run(answers()).endswith(b"\r\n250 2.0.0 Done\r\n")


def test_it_survives_too_many_open_files(house: House) -> None:
    raw = mail("alice", move(house, "alice"), "m1")
    with resident(house) as server, ExitStack() as crowd:
        assert server.send(mail("bob", "help", "m0"))[0] == 250
        pid, limit = server.process.pid, resource.RLIMIT_NOFILE
        usual = resource.prlimit(pid, limit)
        for room in (1, 2, 4, 6):  # a connection needs four
            used = len(os.listdir(f"/proc/{pid}/fd"))
            resource.prlimit(pid, limit, (used + room, usual[1]))
            for _ in range(4):
                crowd.enter_context(socket.socket(socket.AF_UNIX)).connect(server.path)
            sleep(0.1)
            crowd.close()
            resource.prlimit(pid, limit, usual)
        assert server.send(raw)[0] == 250
        status, told = server.stop()
    assert status == 0
    assert house.match().ply == 1
    assert {line[:11] for line in told.splitlines()} == {"pbm serve: "}


def test_a_folder_that_cannot_be_read_ahead_is_reported(house: House) -> None:
    house.path("walomino").write_text("not a folder")
    with resident(house) as server:
        assert server.send(mail("alice", move(house, "alice"), "m1"))[0] == 250
        status, told = server.stop()
    assert status == 0
    assert "walomino cannot be read (Not a directory)" in told
    assert house.match().ply == 1


def test_it_survives_a_closed_standard_error(house: House) -> None:
    house.settings("wait: 0\n")
    raw = mail("alice", move(house, "alice"), "m1")
    with resident(house) as server:
        assert server.process.stderr is not None
        server.process.stderr.close()
        with house.store.lock("holo", "1"):
            assert server.send(raw)[0] == 451
        assert server.send(raw)[0] == 250
        server.process.terminate()
        # by itself; where its stderr cannot be written, Python may make it 120
        assert server.process.wait(PATIENCE) in (0, 120)
    assert house.match().ply == 1
