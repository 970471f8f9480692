"""How long a connection may take, how much is kept for it, and what it cannot hold."""

import re
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from time import sleep
from typing import Any

import h11
import pytest

from pbm_holomino.match.board import Match
from pbm_holomino.store import robot_jobs
from pbm_holomino.store.home import Home
from pbm_holomino.web import boards, connections, gate, robot_help, serve
from pbm_holomino.web.connections import Connection
from pbm_holomino.web.serve import Room, serving
from tests.faults.attackers import is_over, post, request
from tests.fetch.provider import certify
from tests.house import House
from tests.processes import PATIENCE, free_port, wait_until
from tests.web.browser import signed_in

LARGE = 3 << 20  # bytes that no system keeps for a reader who does not read
CHUNKS = "Transfer-Encoding: chunked"
CHUNKED = request("/signin", "POST", f"{CHUNKS}\r\n")
ROBOTS = request("/robots.txt")
Connect = Callable[[], socket.socket]


@contextmanager
def served(house: House) -> Iterator[Connect]:
    """The pages of a house; what connects to them."""
    port = free_port()
    home, opened = Home(str(house.folder), house.config), ExitStack()

    def connect() -> socket.socket:
        client = socket.create_connection(("127.0.0.1", port), PATIENCE)
        return opened.enter_context(client)

    with serving(home, ("127.0.0.1", port)), opened:
        yield connect


def drips(client: socket.socket) -> None:
    """Send a request for ever, until nobody hears it any more."""
    with client:
        try:
            client.sendall(b"GET / HTTP/1.1\r\n")
            while True:
                client.sendall(b"X-A: b\r\n")
                sleep(0.01)
        except OSError:
            return


def test_a_request_must_be_complete_in_time(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However busily it is sent: as nothing, as headers, or as a form."""
    monkeypatch.setattr(connections, "REQUEST_SECONDS", 0.5)
    with served(house) as connect:
        silent, half, slow = connect(), connect(), connect()
        half.sendall(post("/signin", b"userid=", 1000))
        dripping = threading.Thread(target=drips, args=(slow,), daemon=True)
        dripping.start()
        assert _until_it_ends(silent) == b""
        assert _until_it_ends(half) == b""
        dripping.join(PATIENCE)
        assert not dripping.is_alive()


def test_a_connection_that_is_used_goes_on(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The time is that of each request, and streams take as long as they like."""
    made = list[connections.Limit]()  # of each connection: its requests', its answers'

    class Limit(connections.Limit):
        def __init__(self, *words: Any) -> None:
            super().__init__(*words)
            made.append(self)

    monkeypatch.setattr(connections, "Limit", Limit)
    with served(house) as connect:
        stream = connect()
        stream.sendall(request("/news?board=holo/1"))
        assert stream.recv(1) == b"H"
        wait_until(lambda: made[0].until is None)
        client, ends = connect(), [0.0]
        for _ in range(3):
            client.sendall(request("/robots.txt"))
            assert _hear(client, b"standings\n").startswith(b"HTTP/1.1 200 ")
            wait_until(lambda: (made[2].until or 0) > ends[-1])
            ends.append(made[2].until or 0)
        assert not is_over(stream)


def test_an_answer_must_be_read_in_time(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "ANSWER_SECONDS", 0.5)
    monkeypatch.setattr(boards, "deadline", large)
    hang_up, is_given_up = Connection.hang_up, threading.Event()

    def watched(connection: Connection) -> None:
        hang_up(connection)
        is_given_up.set()

    monkeypatch.setattr(Connection, "hang_up", watched)
    with served(house) as connect:
        client = connect()
        client.sendall(request("/holo/1") * 5)
        assert is_given_up.wait(PATIENCE)
        assert len(_until_it_ends(client)) < 5 * LARGE


def test_no_more_is_kept_for_those_who_do_not_read_than_there_is_room_for(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whose answer has waited longest loses it; who reads has all of theirs."""
    monkeypatch.setattr(gate, "MOST_UNSENT", 3 * LARGE)
    monkeypatch.setattr(boards, "deadline", large)
    with served(house) as connect:
        crowd = [connect() for _ in range(6)]
        for client in crowd:
            client.sendall(request("/holo/1") * 3)
        wait_until(lambda: all(_has_begun(client) for client in crowd))
        reader = connect()
        reader.sendall(request("/holo/1", headers="Connection: close\r\n"))
        assert len(_until_it_ends(reader)) > LARGE
        came = [len(_until_it_ends(client)) < 3 * LARGE for client in crowd[:3]]
        assert came == [True] * 3


def large(match: Match) -> str:
    """A sentence that nobody wants to read."""
    return "x" * LARGE


def _has_begun(client: socket.socket) -> bool:
    client.setblocking(False)
    try:
        return bool(client.recv(1, socket.MSG_PEEK))
    except BlockingIOError:
        return False
    finally:
        client.settimeout(PATIENCE)


def test_too_long_a_form_is_not_read(house: House) -> None:
    with served(house) as connect:
        client = connect()
        client.sendall(post("/signin", b"x" * (gate.MOST_BODY + 1), 1 << 30))
        assert client.recv(4096).startswith(b"HTTP/1.1 413 ")


@pytest.mark.parametrize(
    ("begun", "goes_on"),
    [
        (b"", b"\r\n"),
        (b"GET /", b"x"),
        (b"GET / HTTP/1.1\r\n", b"X-A: b\r\n"),
        (b"GET / HTTP/1.1\r\nCookie: ", b"x"),
        (post("/signin", b"a=b", 3), b"\r\n"),
        (CHUNKED + b"0\r\n", b"X-A: b\r\n"),
        (CHUNKED + b"1;", b"x"),
    ],
)
def test_what_comes_before_and_after_a_form_is_limited(
    house: House, begun: bytes, goes_on: bytes
) -> None:
    """Neither lines that never end nor ever more of them are kept."""
    with served(house) as connect:
        client = connect()
        client.sendall(begun)
        sent = 0
        with suppress(ConnectionError):
            while sent < LARGE and not is_over(client):
                client.sendall(goes_on * 100)
                sent += len(goes_on * 100)
        assert sent < LARGE


def test_a_form_is_as_long_as_may_be(house: House) -> None:
    """In pieces that are shorter than a head may be, and of any length in all."""
    with served(house) as connect:
        client = connect()
        client.sendall(post("/signin", b"", gate.MOST_BODY))
        for _ in range(64):
            client.sendall(b"x" * (gate.MOST_BODY >> 6))
        assert client.recv(4096).startswith(b"HTTP/1.1 403 ")


def test_requests_may_come_ahead_of_answers(house: House) -> None:
    """What is wrong among them is answered in its turn."""
    good, wrong = request("/robots.txt"), b"WRONG\r\n\r\n"
    with served(house) as connect:
        client = connect()
        client.sendall(good * 30 + wrong)
        assert _statuses(_until_it_ends(client)) == [200] * 30 + [400]


@pytest.mark.parametrize("length", [f"Content-Length: {len(ROBOTS)}", CHUNKS])
def test_a_body_is_no_request(house: House, length: str) -> None:
    """Whatever its headers say of another protocol, as those of curl --http2 do."""
    asks = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n"
    pieces = b"%x\r\n%b\r\n0\r\n\r\n" % (len(ROBOTS), ROBOTS)
    body = pieces if length == CHUNKS else ROBOTS
    with served(house) as connect:
        client = connect()
        client.sendall(request("/signin", "POST", f"{asks}{length}\r\n") + body)
        client.sendall(request("/nothing", headers="Connection: close\r\n"))
        assert _statuses(_until_it_ends(client)) == [403, 404]


def test_what_follows_a_body_is_no_header(house: House) -> None:
    said = request("/signin", "POST", f"{CHUNKS}\r\nConnection: close\r\n")
    with served(house) as connect:
        client = connect()
        client.sendall(said + b"0\r\nAccept-Encoding: gzip\r\n\r\n")
        answer = _until_it_ends(client)
    assert _statuses(answer) == [403]
    assert b"content-encoding" not in answer


def test_a_stream_for_an_older_client_comes_as_it_is(house: House) -> None:
    """HTTP/1.0, as nginx speaks it unless it is told otherwise, knows no chunks."""
    with served(house) as connect:
        client = connect()
        client.sendall(b"GET /news?board=holo/1 HTTP/1.0\r\n\r\n")
        head, _, body = _hear(client, b"\n\n").partition(b"\r\n\r\n")
    assert b"transfer-encoding" not in head
    assert body.startswith(b"id: ")


def test_a_client_that_talks_no_tls_is_given_up(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As silent ones are, who never begin: both leave their room to others."""
    certify(tmp_path, "own", 3)
    both = tmp_path / "both.pem"
    parts = [(tmp_path / f"own.{kind}").read_text() for kind in ("key", "pem")]
    both.write_text("".join(parts))
    house.config = house.config._replace(web_certificate=str(both))
    monkeypatch.setattr(serve, "room", lambda files: Room(3, 2))
    monkeypatch.setattr(connections, "REQUEST_SECONDS", 60.0)
    trust = ssl.create_default_context(cafile=str(tmp_path / "own.pem"))
    with served(house) as connect:
        clients = [connect() for _ in range(8)]
        clients[-1].sendall(b"GET / HTTP/1.1\r\n\r\n")
        with trust.wrap_socket(connect(), server_hostname="localhost") as safe:
            safe.sendall(request("/robots.txt"))
            assert _hear(safe, b"standings\n").startswith(b"HTTP/1.1 200 ")
        for client in clients[:5]:
            assert _until_it_ends(client) == b""


def test_hints_that_are_awaited_hold_no_turn(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many pages wait for robots, another is made at once."""
    monkeypatch.setattr(robot_help, "PATIENCE", PATIENCE)
    house.challenge("-rated=no")
    house.accept(2)
    alice = signed_in(house, "alice")
    form = alice.get("/holo/2").form("/hint")
    body = "&".join(f"{name}={value}" for name, value in form.fields.items()).encode()
    cookie = f"Cookie: pbm={alice.cookies['pbm']}\r\n"
    head, _, _ = post("/holo/2/hint", b"", len(body)).partition(b"\r\n\r\n")
    said = head + f"\r\n{cookie}\r\n".encode() + body
    with served(house) as connect:
        clients = [connect() for _ in range(60)]
        for client in clients:
            client.sendall(said)
        reader = connect()
        reader.sendall(request("/holo/2", headers=cookie))
        assert reader.recv(4096).startswith(b"HTTP/1.1 200 ")
        wait_until(lambda: sum(map(_has_begun, clients)) == len(clients) - 1)
        for job in robot_jobs.waiting(house.store):
            robot_jobs.forget(house.store, job)
        wait_until(lambda: all(map(_has_begun, clients)))
        assert clients[0].recv(4096).startswith(b"HTTP/1.1 303 ")


def _statuses(said: bytes) -> list[int]:
    """The statuses of answers that came one after another."""
    return [int(status) for status in re.findall(rb"HTTP/1.1 (\d+) ", said)]


def _hear(client: socket.socket, end: bytes) -> bytes:
    """All that comes until an answer ends so."""
    said = b""
    while not said.endswith(end):
        more = client.recv(4096)
        assert more, said
        said += more
    return said


def _until_it_ends(client: socket.socket) -> bytes:
    """All that comes until the server ends the connection."""
    said = bytearray()
    try:
        while more := client.recv(1 << 16):
            said += more
    except ConnectionError:
        pass
    return bytes(said)


def test_an_answer_begins_in_the_packet_of_its_head() -> None:
    talk = connections.Talk(h11.SERVER)
    talk.receive_data(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    assert isinstance(talk.next_event(), h11.Request)
    head = h11.Response(status_code=200, headers=[("Content-Length", "2")])
    sent = [talk.send(head), talk.send(h11.Data(data=b"a")), talk.send(h11.Data(b"b"))]
    assert sent == [b"", b"HTTP/1.1 200 \r\nContent-Length: 2\r\n\r\na", b"b"]
