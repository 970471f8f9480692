"""What pages cost: their size, the processor's time, how many come in a second, the
memory of streams, and how long a player waits while a crowd asks for pages."""

import http.client
import os
import resource
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from threading import Thread
from time import clock_gettime, perf_counter
from typing import NamedTuple

from pbm_holomino.match.board import Match
from pbm_holomino.rules import names
from pbm_holomino.store.people import People
from pbm_holomino.web import sessions
from tests.boards import ANY
from tests.faults import attackers
from tests.house import House
from tests.processes import free_port, surroundings

_BEGUN = 8  # moves before the first page that is measured
_MOVES = 15  # after each of which a first page is measured
_PAGES = 200  # of a kind, once they are remembered
_CLIENTS = 8
_STREAMS = 1000
_ME = "alice"
_HEAD = """\
Board pages from the middle of a game on: the bytes of the largest, compressed; and by
the processor, in times of python -c pass, the first page after a move of another
process and pages that are remembered, for a stranger (s), the player who waits (w) and
the one to move (m); the moves as data; and remembered pages in a second.

                   after a move        remembered
            bytes     s     w     m     s     w     m moves  pages/s
"""


def report(root: str) -> str:
    """The boards of all games, in a new store in this folder, served by `pbm web` in
    one process."""
    house = House(Path(root) / "store")
    house.sign_up()
    alice = People(house.library).player(_ME)
    assert alice is not None
    cookie = f"pbm={sessions.begin(house.library, alice, house.store.now())}"
    with _served(house.folder) as server:
        rows = [_row(server, Table(house, game), cookie) for game in names()]
        before = server.memory()
        with server.streams("holo/1"):
            grown = server.memory() - before
    streams = f"\n{_STREAMS} streams take {grown / 1e6:.0f} MB more than none\n"
    return "".join([_HEAD, *rows, streams, *_attacks(house)])


_ASKED = (
    *("/holo/1", "/holo/1/3", "/holo/1/record", "/holo", "/holo/standings"),
    *("/players", "/", "/help/holo", "/signin", "/robots.txt", "/nothing"),
)
_CROWDED = """
A player's page in milliseconds (median, longest), from another network, while fifty
connections ask for a page, and the memory of the server:

"""


def _attacks(house: House) -> Iterator[str]:
    """How long a player waits while a crowd asks for each of these pages."""
    with attackers.pages(house.folder) as target:
        me = attackers.signed_in(house, _ME)

        def row(what: str) -> str:
            waits = [1000 * target.seconds("/holo/1", me) for _ in range(20)]
            memory = target.memory / 1e6
            return f"{what:18}{median(waits):6.0f}{max(waits):6.0f}{memory:6.0f} MB\n"

        row("the first pages")
        yield _CROWDED
        yield row("nobody asks")
        for path in _ASKED:
            with attackers.asking(target, attackers.request(path)):
                yield row(path)


class Table:
    """Where a game is played on, and another one begins when it has ended."""

    def __init__(self, house: House, game: str) -> None:
        self._house = house
        self._game = game
        self._begin()

    @property
    def path(self) -> str:
        """The path of the board's page."""
        return f"/{self._game}/{self._number}"

    def _match(self) -> Match:
        return self._house.library.match(self._game, self._number)

    def _begin(self) -> None:
        self._number = self._house.challenge(game=self._game)
        self._house.accept(self._number, self._game)
        for _ in range(_BEGUN):
            self._move()

    def _move(self) -> None:
        match = self._match()
        who, view = match.turn[0], match.view(None)
        usual = ANY.get(view.phase)
        move = usual or view.proposal.moves[0]  # boards of real games are compact
        line = f"{self._game} move {self._number} {who} {{{who}}} {move}"
        done = self._house.type(line)
        assert done.status == 0, done.text

    def play_until(self, is_mine: bool) -> None:
        """Play a move, or more until it is our turn, or is not."""
        self._move()
        while (_ME in self._match().turn) != is_mine or not self._match().turn:
            if self._match().turn:
                self._move()
            else:
                self._begin()


def _row(server: "Served", table: Table, cookie: str) -> str:
    """What the pages of a game cost, in times of what an empty program costs that runs
    between them, as no machine is equally fast for long."""
    own, least = {"Cookie": cookie}, [_least_cpu()]
    server.cost(table.path, own, 1)  # what only the very first page costs
    first, known = list[Cost](), list[Cost]()
    for headers, is_mine in (({}, True), (own, False), (own, True)):
        costs = list[Cost]()
        for _ in range(_MOVES):
            table.play_until(is_mine)
            costs.append(server.cost(table.path, headers, 1))
            least.append(_least_cpu())
        first.append(_median(costs))
        known.append(server.cost(table.path, headers, _PAGES))
    moves = server.cost(f"{table.path}/moves", own, _PAGES)
    pages = (*first, *known)
    shares = [cost.cpu / median(least) for cost in (*pages, moves)]
    size, rate = max(page.size for page in pages), min(page.rate for page in known)
    game = table.path.split("/")[1]
    words = "".join(f"{share:6.2f}" for share in shares)
    return f"{game:9}{size:>8,}{words}{rate:9.0f}\n"


def _median(costs: Sequence["Cost"]) -> "Cost":
    """The largest size, and the medians of all else."""
    sizes, cpus, rates = zip(*costs, strict=True)
    return Cost(max(sizes), median(cpus), median(rates))


def _least_cpu() -> float:
    """The processor's time of an empty program, in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", "pass"], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


class Cost(NamedTuple):
    """A page's size in bytes, the processor's time in seconds, and pages a second."""

    size: int
    cpu: float
    rate: float


class Served(NamedTuple):
    """A `pbm web` in a process of its own."""

    process: int
    port: int

    def cost(self, path: str, headers: dict[str, str], pages: int) -> Cost:
        """What each of so many pages costs; of many, each of several clients asks for
        its share."""
        clients = min(_CLIENTS, pages)
        share = pages // clients
        sizes, cpu, clock = list[int](), self._cpu(), perf_counter()
        threads = [
            Thread(target=lambda: sizes.append(self._get(share, path, headers)))
            for _ in range(clients)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        done, seconds = share * clients, perf_counter() - clock
        return Cost(max(sizes), (self._cpu() - cpu) / done, done / seconds)

    def _get(self, times: int, path: str, headers: dict[str, str]) -> int:
        """The size of a page as it comes, after so many requests over one
        connection."""
        client = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        body = b""
        for _ in range(times):
            client.request("GET", path, headers={"Accept-Encoding": "gzip", **headers})
            answer = client.getresponse()
            body = answer.read()
            assert answer.status == 200
        client.close()
        return len(body)

    def _cpu(self) -> float:
        """Seconds of the processor that went into the process, to the nanosecond: what
        clock_getcpuclockid(3) makes of its number is a clock."""
        return clock_gettime(~self.process << 3 | 2)

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
