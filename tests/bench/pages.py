"""What pages cost: their size, the processor's time, how many come in a second, and the
memory of streams."""

import gzip
import http.client
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Thread
from time import perf_counter
from typing import NamedTuple

from pbm_holomino.rules import names
from pbm_holomino.store.people import People
from pbm_holomino.web import sessions
from tests.bench.harness import Contender, race
from tests.house import House
from tests.processes import free_port, surroundings

_PAGES = 300  # of each kind
_CLIENTS = 8
_STREAMS = 1000
_TICK = os.sysconf("SC_CLK_TCK")


def report(root: str) -> str:
    """The boards of all games in the middle of a game, as a stranger sees them for the
    first time and again, and as the player to move sees them; in a new store in this
    folder, by `pbm web` in one process."""
    house = House(Path(root) / "store")
    house.sign_up()
    players = {game: _begun(house, game) for game in names()}
    alice = People(house.library).player("alice")
    assert alice is not None
    cookie = sessions.begin(house.library, alice, house.store.now())
    least = _least_cpu()
    lines = [
        "Board pages, compressed; by the processor, in times of python -c pass",
        "",
        "                                  bytes     CPU   pages/s",
    ]
    with _served(house.folder) as server:
        for game, number in players.items():
            path = f"/{game}/{number}"
            for who, headers in (
                ("a stranger", {}),
                ("the player to move", {"Cookie": f"pbm={cookie}"}),
            ):
                cost = server.cost(path, headers)
                lines.append(
                    f"{game:<9} {who:<19} {cost.size:>9,} {cost.cpu / least:>7.2f}"
                    f" {cost.rate:>9.0f}"
                )
        before = server.memory()
        with server.streams("holo/1"):
            grown = server.memory() - before
        lines += ["", f"{_STREAMS} streams take {grown / 1e6:.0f} MB more than none"]
    return "".join(f"{line}\n" for line in lines)


def _begun(house: House, game: str) -> int:
    """The number of a board where it is alice's turn, after many moves."""
    number = house.challenge(game=game)
    house.accept(number, game)
    while True:
        match = house.library.match(game, number)
        view = match.view(None)
        if match.ply >= 14 and match.turn[0] == "alice":
            return number
        who = match.turn[0]
        usual = {"take": "take:any", "pair": "pairs:any"}.get(view.phase)
        move = usual or view.legal[len(view.legal) // 2]
        done = house.type(f"{game} move {number} {who} {{{who}}} {move}")
        assert done.status == 0, done.text


def _least_cpu() -> float:
    """The processor's time of an empty program, in seconds."""
    command = [sys.executable, "-c", "pass"]
    empty = Contender("", lambda: subprocess.run(command, check=True))
    before = os.times()
    (row,) = race(20, empty)
    after = os.times()
    spent = after.children_user + after.children_system
    spent -= before.children_user + before.children_system
    return spent / (row.rounds + 1)


class Cost(NamedTuple):
    """A page's size in bytes, the processor's time in seconds, and pages a second."""

    size: int
    cpu: float
    rate: float


class Served(NamedTuple):
    """A `pbm web` in a process of its own."""

    process: int
    port: int

    def cost(self, path: str, headers: dict[str, str]) -> Cost:
        """What a page costs, asked for by several clients."""
        size = len(self._get(1, path, headers))
        cpu, clock = self._cpu(), perf_counter()
        share = _PAGES // _CLIENTS
        clients = [
            Thread(target=self._get, args=(share, path, headers))
            for _ in range(_CLIENTS)
        ]
        for client in clients:
            client.start()
        for client in clients:
            client.join()
        done = share * _CLIENTS
        rate = done / (perf_counter() - clock)
        return Cost(size, (self._cpu() - cpu) / done, rate)

    def _get(self, times: int, path: str, headers: dict[str, str]) -> bytes:
        """The page as it comes, after so many requests over one connection."""
        client = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        body = b""
        for _ in range(times):
            client.request("GET", path, headers={"Accept-Encoding": "gzip", **headers})
            answer = client.getresponse()
            body = answer.read()
            assert answer.status == 200
        client.close()
        assert b"</html>" in gzip.decompress(body)
        return body

    def _cpu(self) -> float:
        fields = Path(f"/proc/{self.process}/stat").read_text().rpartition(")")[2]
        user, system = fields.split()[11:13]
        return (int(user) + int(system)) / _TICK

    def memory(self) -> int:
        """The memory of the process, in bytes."""
        pages = int(Path(f"/proc/{self.process}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")

    @contextmanager
    def streams(self, board: str) -> Iterator[None]:
        """Many open streams, each of which has told something."""
        with ExitStack() as stack:
            for _ in range(_STREAMS):
                where = ("127.0.0.1", self.port)
                one = stack.enter_context(socket.create_connection(where, 60))
                one.sendall(
                    f"GET /news?board={board} HTTP/1.1\r\nHost: x\r\n\r\n".encode()
                )
                said = b""
                while b"data: " not in said:
                    said += one.recv(4096)
            yield


@contextmanager
def _served(folder: Path) -> Iterator[Served]:
    port = free_port()
    with subprocess.Popen(
        [sys.executable, "-m", "pbm_holomino", "web", f"127.0.0.1:{port}"],
        env=surroundings(PBM_GAMES=str(folder)),
        stdout=subprocess.PIPE,
    ) as running:
        assert running.stdout is not None
        running.stdout.readline()
        try:
            yield Served(running.pid, port)
        finally:
            running.terminate()
