"""What one mail may cost, whoever sends it: half a second and 100 MB, on a machine
that starts Python in 10 ms.
"""

from pathlib import Path

import pytest

from tests.faults.costly import Cost, cost_of, empty_process, lay
from tests.house import mail_of

EVE = "eve@example.net"
MOST_STARTS = 50  # of Python, in processor time
MOST_MEMORY = 100 << 20  # bytes
NEST = b"".join(
    b'Content-Type: multipart/mixed; boundary="b%d"\n\n--b%d\n' % (n, n)
    for n in range(900)
)
HEAD = b"From: eve@example.net\nSubject: %b\n"
MANY = "Content-Type: text/plain" + ";a" * 24_750 + "\n"


def typed(kind: str, text: bytes, subject: bytes = b"holo chat 1 alice x") -> bytes:
    return HEAD % subject + f"Content-Type: {kind}\n\n".encode() + text


FLOWED = "text/plain; format=flowed"
# Each of them took seconds or minutes, or more than half a gigabyte.
COSTLY = {
    "deep parts, empty lines": HEAD % b"help" + NEST + b"\n" * 1_000_000,
    "a flowed text": typed(FLOWED, b"a \n" * 1_000_000),
    "a flowed text that is not refused": typed(FLOWED, b"a \n" * 333_000),
    "punycode": typed("text/plain; charset=punycode", b"a" * 1_000_000),
    "punycode in the Subject": HEAD % (b"=?punycode?q?" + b"a" * 90_000 + b"?="),
    "parameters": mail_of("help", EVE, Content_Type="text/plain" + ";a" * 24_750),
    "parameters of many headers": MANY.encode() * 200 + mail_of("help", EVE),
    "parameters of many parts": typed(
        "multipart/mixed; boundary=b", (b"--b\n" + MANY.encode() + b"\n") * 200
    ),
    "continuation lines": typed("text/plain", b"help\n" + b" -a\n" * 249_000),
    "continuation lines of several commands": typed(
        "text/plain", b"help\n" + b" -a\n" * 249_000, b"multiple"
    ),
    "boards, fifty times twenty": typed(
        "text/plain", b"holo show alice all\n" * 50, b"multiple"
    ),
    "boards of a player": typed(
        "text/plain", b"walomino showas alice xanadu all\n" * 50, b"multiple"
    ),
    "moves that are refused": typed(
        "text/plain", b"holo move 1 alice xanadu 999:1\n" * 50, b"multiple"
    ),
    "attributions": typed("text/plain", b"a@b wrote 2026:\n> a\n" * 40_000),
    "attributions without a verb": typed(
        "text/plain", b"2026 9:12 a\n<a@b>:\n" * 50_000, b"Re: holo 1: your turn"
    ),
    "blocks of headers": typed("text/plain", b"a: 2026\n" * 100_000, b"Re: holo 1"),
    "a bounce in words": typed(
        "text/plain",
        b"could not be delivered 550 a.b@c.d\n" * 25_000,
        b"failure notice",
    ),
    "disclaimers": typed("text/plain", b"confidential " * 70_000),
    "html, deep": typed("text/html", b"<div>" * 190_000),
    "html, formatting opened again": typed(
        "text/html", b"<p>" + b"<b id=1><i id=2>" * 900 + b"<p>x" * 200_000
    ),
    "html, quotes that are not closed": typed("text/html", b'<a b="' * 160_000),
    "html, tables": typed("text/html", b"<table><tr><td>" * 60_000),
    "html, many parts of it": typed(
        "multipart/mixed; boundary=b",
        (b"--b\nContent-Type: text/html\n\n" + b"<p> " * 20_000 + b"\n") * 99,
    ),
    "passwords": typed(
        "text/plain", b"change password alice xanadu secret\n" * 50, b"multiple"
    ),
    "header lines": b"a:b\n" * 7_500_000 + mail_of("help", EVE),
    "folded header lines": HEAD % b"help" + b"a:\n" + b" b\n" * 7_500_000,
    "body lines": HEAD % b"help" + b"\n" * 8_000_000,
    "body lines of parts": typed("multipart/mixed; boundary=b", b"\n" * 8_000_000),
    "boundaries": typed("multipart/mixed; boundary=b", b"--b\n" * 2_000_000),
    "almost boundaries": typed("multipart/mixed; boundary=b", b"--bb\n" * 2_000_000),
    "one boundary without an end": typed(
        "multipart/mixed; boundary=b", b"--b" + b" " * 9_000_000
    ),
    "a Subject of encoded words": mail_of("=?utf-8?q?" * 7_000, EVE),
    "brackets in the From": mail_of("help", "(<" * 900 + EVE),
    "a large mail": mail_of("help", EVE, "x" * 60_000_000),
}


@pytest.fixture(scope="module")
def empty() -> Cost:
    return empty_process()


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return lay(tmp_path_factory.mktemp("cost") / "games")


@pytest.fixture(scope="module")
def ordinary(store: Path) -> Cost:
    """What an ordinary mail costs."""
    return cost_of(mail_of("holo show 1", EVE), store)


@pytest.mark.parametrize("what", COSTLY)
def test_the_cost_of_a_mail(
    what: str, store: Path, empty: Cost, ordinary: Cost
) -> None:
    cost = cost_of(COSTLY[what], store)
    assert cost.seconds - ordinary.seconds < MOST_STARTS * empty.seconds
    assert cost.memory - ordinary.memory < MOST_MEMORY


def test_the_bound_can_be_missed(empty: Cost, store: Path, ordinary: Cost) -> None:
    """Otherwise the test above would prove nothing: of what it measures, a mail has
    its share."""
    large = cost_of(mail_of("help", EVE, "x" * 9_000_000), store)
    assert large.memory - ordinary.memory > 9_000_000
    assert ordinary.seconds > 2 * empty.seconds
