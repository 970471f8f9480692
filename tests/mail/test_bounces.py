"""Reports that a mail could not be delivered: what mail systems write, and what hostile
people do."""

from base64 import b64encode
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbm_holomino.mail import bounces
from pbm_holomino.mail.bounces import Bounce, read
from tests.house import mail_of
from tests.mail.reports import SYSTEMS, Lost, postfix
from tests.sizes import sized

BOB, WORK = "bob@example.org", "robert@work.example"
TOKEN = "abcdefghijklmnop"
LETTER = (
    "From: pbm@localhost\nTo: bob@example.org\nSubject: holo 1: your turn\n"
    f"Message-ID: <holo.1.4.bob.{TOKEN}@localhost>\n"
    "References: <holo.1.0.bob.ponmlkjihgfedcba@localhost>\n"
    'Content-Type: multipart/alternative; boundary="=in"\n\n'
    "--=in\n\nIt is your turn.\n\n--=in--\n"
)
LOST = Lost(BOB, LETTER.encode("ascii"))
SystemOf = Callable[[Lost], bytes]


def of(report: str, **parts: str) -> bytes:
    """A bounce with this report, and with parts of these kinds (without `message/`)."""
    head = (
        "From: MAILER-DAEMON@example.net\nTo: pbm@localhost\n"
        "Content-Type: multipart/report; report-type=delivery-status; boundary=XX\n\n"
    )
    found = {"delivery-status": report, **parts}
    texts = [
        f"--XX\nContent-Type: message/{kind.replace('_', '-')}\n{text}\n"
        for kind, text in found.items()
    ]
    return f"{head}{''.join(texts)}--XX--\n".encode()


def group(
    action: str = "failed", status: str = "5.1.1", to: str = f"rfc822; {BOB}"
) -> str:
    return f"\nFinal-Recipient: {to}\nAction: {action}\nStatus: {status}\n"


def addresses(report: str) -> tuple[str, ...]:
    found = read(of(report))
    assert found is not None
    return tuple(dict.fromkeys(found.addresses))


# What mail systems write


@pytest.mark.parametrize("system", SYSTEMS.values(), ids=SYSTEMS)
def test_the_bounces_of_mail_systems(system: SystemOf) -> None:
    found = read(system(LOST))
    assert found is not None
    assert {each.lower() for each in found.addresses} == {BOB}
    (letter,) = found.letters("localhost")
    assert str(letter) == f"holo.1.4.bob.{TOKEN}"
    assert list(found.letters("elsewhere.example")) == []


@pytest.mark.parametrize("system", SYSTEMS.values(), ids=SYSTEMS)
def test_the_mark_of_the_address_that_they_go_to(system: SystemOf) -> None:
    """Without the Message-ID that the letter had, as some providers change it."""
    mail = LETTER.replace(f"holo.1.4.bob.{TOKEN}@localhost", "1@provider.example")
    lost = LOST._replace(
        mail=mail.encode("ascii"), bounced_to=f"pbm+b.holo.1.4.bob.{TOKEN}@localhost"
    )
    found = read(system(lost))
    assert found is not None
    (letter,) = found.letters("localhost")
    assert str(letter) == f"holo.1.4.bob.{TOKEN}"


def test_a_report_may_be_in_parts_that_are_not_called_one() -> None:
    raw = postfix(LOST).replace(
        b"multipart/report; report-type=delivery-status", b"multipart/mixed"
    )
    assert read(raw) == read(postfix(LOST))


@pytest.mark.parametrize(
    "kind",
    ["multipart/report"]
    + ["multipart/report; report-type=disposition-notification"]
    + ["multipart/report; report-type=delivery-status-2; x=delivery-statuses"],
)
def test_what_is_not_a_report_of_delivery(kind: str) -> None:
    raw = postfix(LOST).replace(
        b"multipart/report; report-type=delivery-status", kind.encode()
    )
    assert read(raw) is None


# What counts


@pytest.mark.parametrize(
    ("action", "status", "counts"),
    [
        ("failed", "5.1.1", True),
        ("Failed", "5.0.0", True),
        ("failed", "5.7.1 (rejected)", True),
        ("failed (no such user)", "5.2.1", True),
        ("failed", "5.2.20", True),
        ("failed", "5.2.2", False),
        ("failed", "4.4.7", False),
        ("failed", "2.0.0", False),
        ("failed", "15.1.1", False),
        ("failed", "5.1", False),
        ("failed", "", False),
        ("delayed", "5.1.1", False),
        ("delivered", "5.1.1", False),
        ("relayed", "5.1.1", False),
        ("", "5.1.1", False),
    ],
)
def test_what_has_failed_for_ever(action: str, status: str, counts: bool) -> None:
    assert addresses(group(action, status)) == ((BOB,) if counts else ())


def test_a_full_mailbox_that_only_the_other_server_names() -> None:
    said = "Diagnostic-Code: smtp; 552-5.2.2 The mailbox is\n full\n"
    assert addresses(group(status="5.0.0") + said) == ()
    said = "Diagnostic-Code: smtp; 550 15.2.2.9 is nobody\n"
    assert addresses(group(status="5.0.0") + said) == (BOB,)


def test_each_recipient_has_a_group_of_its_own() -> None:
    report = "\nReporting-MTA: dns; mx.example\n"
    report += group("delayed", "4.2.1", "rfc822;carol@example.org")
    report += group(to=f"rfc822;{WORK}") + group()
    assert addresses(report) == (WORK, BOB)


def test_whom_it_was_meant_for_counts_like_where_it_was_sent_on() -> None:
    report = f"Original-Recipient: rfc822;{BOB}\n" + group(to=f"rfc822; {WORK}")[1:]
    assert addresses(f"\n{report}") == (BOB, WORK)


@pytest.mark.parametrize(
    ("to", "expected"),
    [
        (f"RFC822;<{BOB}>", (BOB,)),
        (f"utf-8; {BOB}", (BOB,)),
        (BOB, (BOB,)),
        (f"x400; {BOB}", ()),
        (f"rfc822;\n\t{BOB}", (BOB,)),
    ],
)
def test_how_an_address_is_written(to: str, expected: tuple[str, ...]) -> None:
    assert addresses(group(to=to)) == expected


def test_the_first_field_of_a_name_counts() -> None:
    assert addresses(f"{group('delayed')}Action: failed\n") == ()


def test_a_report_that_is_encoded() -> None:
    """Nobody may encode it, but some do; lines of other systems end in CR LF."""
    lines = f"Reporting-MTA: dns; x\n{group()}".replace("\n", "\r\n")
    code = b64encode(lines.encode()).decode()
    text = f"Content-Transfer-Encoding: base64\n\n{code}\n"
    assert addresses(text) == (BOB,)


def test_the_returned_letter_may_be_of_either_kind() -> None:
    assert list(read_letters(rfc822=f"\n{LETTER}")) == [f"holo.1.4.bob.{TOKEN}"]
    assert list(read_letters(rfc822="\nSubject: x\n\nText\n")) == []
    quoted = f"\nSubject: x\n\nMessage-ID: <holo.1.4.bob.{TOKEN}@localhost>\n"
    assert list(read_letters(rfc822=quoted)) == []
    assert list(read_letters()) == []


def read_letters(**parts: str) -> list[str]:
    found = read(of(group(), **parts))
    assert found is not None
    return [str(letter) for letter in found.letters("localhost")]


# What hostile people write

WORDS = (
    *(b"\n", b"\r\n", b"\n\n", b"--XX\n", b"--XX--\n", b"\nMessage-ID: <", b"\x00"),
    *(
        b"\nContent-Type: message/delivery-status\n",
        b"\nContent-Type: message/rfc822\n",
    ),
    *(
        b"\nContent-Transfer-Encoding: base64\n",
        b"\nStatus: 5.1.1",
        b"\nAction: failed",
    ),
    *(b"\nFinal-Recipient: rfc822;", b"; charset=utf-16", b"; charset*=x''%ff", b";"),
    *(b"; boundary=XX", b"; boundary*=x'y", b"=?x?q?=00?=", b"+b.holo.1.2.bob.", b"@"),
    *(b"Content-Disposition: attachment\n", b"\xff\xfe", b"\xe2\x80\xa8", b"("),
)


PIECES = st.one_of(st.sampled_from(WORDS), st.binary(max_size=9))
WHOLE = st.sampled_from([system(LOST) for system in SYSTEMS.values()])


@st.composite
def spoilt(draw: st.DrawFn) -> bytes:
    """A bounce in which pieces are something else."""
    raw = draw(WHOLE)
    for _ in range(draw(st.integers(1, 6))):
        start = draw(st.integers(0, len(raw)))
        end = start + draw(st.sampled_from([0, 1, 10, 300]))
        piece = draw(PIECES)
        raw = raw[:start] + piece + raw[end:]
    return raw


@given(spoilt())
@settings(max_examples=sized(100, 5_000))
def test_nothing_in_a_bounce_stops_us(raw: bytes) -> None:
    found = read(raw)
    for letter in found.letters("localhost") if found else ():
        assert letter.token.isalnum()


@pytest.mark.parametrize(
    "report",
    [
        group() * 100_000,
        "\n" * 1_000_000,
        "\n \n\t" * 300_000,
        "Final-Recipient: " + "x" * 1_000_000,
        "Diagnostic-Code: smtp;\n " + "5.2.2.\n " * 200_000,
    ],
    ids=["many groups", "blank lines", "blanks", "a long field", "a folded field"],
)
def test_a_report_of_any_size_is_read_in_no_time(report: str) -> None:
    found = read(of(f"\n{report}"))
    assert found is not None
    assert len(found.addresses) <= 2 * bounces.MOST_GROUPS


def test_more_parts_than_anybody_has_report_nothing() -> None:
    many = {f"x{number}": "\nx\n" for number in range(200)}
    assert read(of(group(), **many)) == Bounce()
    deep = group()
    for _ in range(50):
        deep = f"Content-Type: multipart/mixed; boundary=YY\n\n--YY\n{deep}\n--YY--"
    assert read(of(deep)) is not None


def test_headers_that_are_too_long_are_no_bounce() -> None:
    """The mail cannot be read, and goes where others do that cannot."""
    assert read(b"X: " + b"x" * 200_000 + b"\n" + postfix(LOST)) is None
    assert read(mail_of("help")) is None
    assert read(b"") is None


def test_marks_are_looked_for_in_few_addresses() -> None:
    mark = f"b.holo.1.2.bob.{TOKEN}"
    far = b"To: " + b"x@y.z, " * 1_000 + f"pbm+{mark}@localhost\n".encode()
    found = read(far + of(group()))
    assert found is not None
    assert (found.addresses, found.marks) == ((BOB,), ())
