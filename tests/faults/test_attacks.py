"""What attackers can do to pages: whoever comes from elsewhere goes on reading, nothing
grows without end, and the owner's log stays short."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import pytest

from pbm_holomino.resident import cache, report
from pbm_holomino.web import connections, gate, news, serve, site, turns
from tests.faults import attackers
from tests.faults.attackers import FIFTY, Pages, request
from tests.house import House, mail_of
from tests.paths import ROOT
from tests.processes import wait_until

FEW_FILES = 256  # that a process may have open, where a test cannot open thousands
SILENT = 300  # connections, which are more than there is room for then
BOARD, FRONT = "/holo/1", "/"
# Pages that a crowd asks for: whatever is dear, and whatever is cheap.
ASKED = (
    ["/holo/1", "/holo/1/3", "/holo/1/record", "/holo/2/verify", "/holo/2/review"]
    + ["/holo/1/preview?move=111:1", "/holo", "/holo/standings", "/holo/ratings"]
    + ["/players", "/players/alice", "/open", "/tournaments", "/help/holo", "/signin"]
    + ["/", "/holo/99", "/nothing/at/all"]
)


@pytest.fixture
def house(tmp_path: Path) -> House:
    """Alice and bob play board 1, and board 2 is over."""
    house = House(tmp_path / "games").sign_up()
    house.challenges(2)
    house.play(1, moves=8)
    house.play(2, moves=6)
    assert house.type("holo resign 2 bob {bob}").status == 0
    return house


@pytest.fixture
def target(house: House) -> Iterator[Pages]:
    with attackers.pages(house.folder) as target:
        yield target


def test_a_player_does_not_wait_for_fifty_connections(
    house: House, target: Pages
) -> None:
    """While a page of the player's is made, the crowd does not get an answer each."""
    me = attackers.signed_in(house, "alice")

    def is_served_between(crowd: attackers.Crowd, page: str) -> bool:
        before = crowd.answers
        assert target.ask(page, headers=me).status == 200
        return crowd.answers - before < FIFTY / 2

    for path in ASKED:
        with attackers.asking(target, request(path)) as crowd:
            wait_until(partial(crowd.has_answers, FIFTY), "a crowd at its work")
            for page in (BOARD, FRONT):
                # at times others keep the machine busy
                wait_until(partial(is_served_between, crowd, page), f"{page}, {path}")
    assert target.log == ""


@pytest.mark.parametrize("said", [b"", b"GET / HTTP/1.1\r\nHost: x\r\n"])
def test_silent_connections_keep_nobody_out(house: House, said: bytes) -> None:
    with (
        attackers.pages(house.folder, files=FEW_FILES) as target,
        attackers.waiting(target, SILENT, said) as clients,
    ):
        for source in (attackers.PLAYER, attackers.ATTACKER):
            assert target.ask(BOARD, source).status == 200
        assert target.files < FEW_FILES
        # the connections that came last were ended: the room is full
        wait_until(lambda: sum(map(attackers.is_over, clients)) > FEW_FILES / 2)
        assert target.log == ""


def test_mail_does_not_wait_for_silent_connections(house: House) -> None:
    box = house.path("in")
    for name in ("new", "cur", "tmp"):
        (box / name).mkdir(parents=True)
    house.settings("fetch: maildir:in\n")
    with (
        attackers.pages(house.folder, "run", files=FEW_FILES) as target,
        attackers.waiting(target, SILENT),
    ):
        (box / "new" / "1").write_bytes(mail_of("holo move 1"))
        wait_until(lambda: not [*(box / "new").iterdir()], "a look into the mailbox")
        assert target.ask(BOARD).status == 200
        assert "too many" not in target.log.lower()


def test_one_network_does_not_have_all_streams(house: House) -> None:
    """It is refused more when there is no room, and others have theirs."""
    news = "/news?board=holo/1"
    with (
        attackers.pages(house.folder, files=FEW_FILES) as target,
        ExitStack() as opened,
    ):
        clients = list[socket.socket]()
        said = b" 200 "
        while b" 200 " in said:
            assert len(clients) < SILENT
            clients.append(opened.enter_context(target.connect()))
            clients[-1].sendall(request(news))
            said = clients[-1].recv(4096)
        assert b" 503 " in said
        assert b"\r\nretry-after: 30\r\n" in said
        with attackers.stream(target, news) as told:
            assert told.readline().startswith(b"id: ")
            house.play(1, moves=1)
            while not (line := told.readline()).startswith(b"id: "):
                assert b"still here" not in line
            assert target.ask(BOARD).status == 200
        assert sum(map(attackers.is_over, clients[:-1])) == 1
        assert target.log == ""


def test_what_clients_do_wrong_is_in_no_log(target: Pages) -> None:
    broken = (
        attackers.post("/signin", b"userid=a", 5000),
        request("/holo/1/record"),
        request("/news?board=holo/1"),
        b"GET / HTTP/1.1\r\nHo",
        b"no request at all\r\n\r\n",
        request("/", headers="Upgrade: websocket\r\nConnection: upgrade\r\n"),
        request("/" + "x" * 100_000),
        b"POST /signin HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n",
        b"POST /signin HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nxyz",
    )
    for _ in range(10):
        for said in broken:
            attackers.break_off(target, said)
            with attackers.waiting(target, 1, said):
                pass
    assert target.ask(BOARD).status == 200
    assert target.log == ""
    wait_until(lambda: target.files < 40, "the end of all connections")


def test_those_who_leave_before_their_turn_leave_nothing_behind(
    house: House, target: Pages
) -> None:
    """Nobody works for them, so the next is answered at once."""
    target.ask(BOARD)
    before = target.memory
    for _ in range(1000):
        attackers.break_off(target, request("/holo/1/record"))
    assert target.ask(BOARD, attackers.ATTACKER).status == 200
    assert target.memory - before < 20_000_000
    assert target.log == ""


def test_pages_of_a_chatty_board_do_not_fill_the_memory(house: House) -> None:
    """Neither those that were asked for under many names, nor those that nobody
    reads."""
    house.play(1, moves=18)
    words = "<\N{SNOWMAN}\n" * 3300
    for who in ("alice", "bob"):
        while house.type(f"holo chat 1 {who} {{{who}}}", f"-m={words}").status == 0:
            pass
    plies = range(house.match().ply)
    paths = [f"/holo/1/{'0' * zeros}{ply}" for zeros in range(8) for ply in plies]
    with attackers.pages(house.folder) as target:
        for path in paths:
            assert target.ask(path).status == 200
        said = b"".join(map(request, paths))
        with attackers.waiting(target, FIFTY, said):
            assert target.ask(BOARD).status == 200
            assert target.memory < 150_000_000
        assert target.log == ""


def test_security_md_names_the_limits() -> None:
    text = " ".join((ROOT / "SECURITY.md").read_text().split())
    for words in (
        f"At most {turns.MOST} requests are worked on at once, and at most "
        f"{turns.EACH} of a network",
        f"complete within {connections.REQUEST_SECONDS:.0f} seconds, with at most "
        f"{connections.MOST_HEADERS >> 10} KiB of headers and "
        f"{gate.MOST_BODY >> 10} KiB of a form",
        f"answer within {connections.ANSWER_SECONDS:.0f} seconds",
        f"room for {connections.MOST} connections and beside them for "
        f"{news.MOST_STREAMS:,} streams",
        f"take at most {gate.MOST_UNSENT >> 20} MiB, remembered pages "
        f"{site.MOST_REMEMBERED >> 20} MiB, remembered boards and accounts about "
        f"{serve.MOST_REMEMBERED >> 20} MiB ({cache.MOST_REMEMBERED >> 20} MiB in each",
        f"at most {report.MOST_AN_HOUR} lines",
    ):
        assert words in text
