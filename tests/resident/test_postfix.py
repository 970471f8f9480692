"""Postfix hands mail over by LMTP, as the page on delivery says."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbm_holomino.owner.help import page
from tests.house import House, home, open_house
from tests.processes import Resident, free_port, resident, until_sent, wait_until
from tests.resident.desk import in_outbox, mail, move, of_the_move
from tests.resident.postfix import Postfix, postfix

pytestmark = pytest.mark.needs("root", "postfix")

ALICE, ROBOT = home("alice"), "pbm@games.example.net"


@pytest.fixture
def house(tmp_path: Path) -> House:
    house = open_house(tmp_path / "games")
    house.settings("wait: 0\naddress: pbm@example.org\n")
    return house


@pytest.fixture
def server(house: House) -> Iterator[Resident]:
    with resident(house, f"127.0.0.1:{free_port()}") as running:
        yield running


@pytest.fixture
def exchange(server: Resident) -> Iterator[Postfix]:
    """A Postfix with the page's line, but for the port."""
    port = server.said.strip(".\n").rpartition(":")[2]
    found = re.findall(
        r"^  (pbm@games.example.net +lmtp:inet:127.0.0.1:)(\d+)$",
        page("delivery"),
        re.M,
    )
    ((line, told),) = found
    assert f"pbm serve 127.0.0.1:{told}" in page("delivery")
    with postfix(f"{line}{port}\n") as running:
        yield running


def test_a_mail_is_carried_out(house: House, exchange: Postfix) -> None:
    raw = mail("alice", move(house, "alice"), "m1", "Hello!\n.\nfrom Postfix")
    exchange.take(ALICE, ROBOT, raw)
    exchange.take(ALICE, ROBOT, raw)
    exchange.finish()
    until_sent(house)
    assert in_outbox(house) == of_the_move(house)
    assert house.match().record.notes == {1: "Hello!\n.\nfrom Postfix"}
    assert exchange.log().count("status=sent (250 2.0.0 Done)") == 2


def test_a_busy_board_is_tried_again(house: House, exchange: Postfix) -> None:
    with house.store.lock("holo", "1"):
        exchange.take(ALICE, ROBOT, mail("alice", move(house, "alice"), "m1"))
        wait_until(lambda: "status=deferred" in exchange.log())
        assert house.match().ply == 0
    exchange.finish()
    assert "said: 451 4.3.0 Not now" in exchange.log()
    assert house.match().ply == 1
    until_sent(house)
    assert in_outbox(house) == of_the_move(house)


def test_mail_waits_while_no_server_runs(
    house: House, server: Resident, exchange: Postfix
) -> None:
    address = server.said.strip(".\n").rpartition(" ")[2]
    assert server.stop() == (0, "")
    exchange.take(ALICE, ROBOT, mail("alice", move(house, "alice"), "m1"))
    wait_until(lambda: "Connection refused" in exchange.log())
    with resident(house, address):
        exchange.finish()
        until_sent(house)
    assert in_outbox(house) == of_the_move(house)


def test_a_bounce_is_not_answered(house: House, exchange: Postfix) -> None:
    exchange.take("", ROBOT, mail("alice", move(house, "alice"), "m1"))
    exchange.finish()
    assert (in_outbox(house), house.match().ply) == ([], 0)


def test_a_mail_may_have_nine_megabytes(house: House, exchange: Postfix) -> None:
    head, _, body = mail("alice", move(house, "alice"), "m1").partition(b"\n\n")
    kind = b'\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="b"\n\n'
    text = b"--b\nContent-Type: text/plain\n\n" + body
    attached = b"--b\nContent-Type: image/png\nContent-Disposition: attachment\n\n"
    picture = (b"A" * 76 + b"\n") * 120_000
    exchange.take(ALICE, ROBOT, head + kind + text + attached + picture + b"--b--\n")
    exchange.finish()
    until_sent(house)
    assert in_outbox(house) == of_the_move(house)
