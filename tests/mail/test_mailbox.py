"""The name before the server's address."""

from email import message_from_string
from email.header import decode_header, make_header
from email.utils import parseaddr

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pbm_holomino.mail.message import mailbox


def test_letters_come_from_the_address_alone_unless_there_is_a_name() -> None:
    assert mailbox("", "games@example.org") == "games@example.org"


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("Holomino", "Holomino"),
        ("The Hex Club", "The Hex Club"),
        ("J. R. Hex", '"J. R. Hex"'),
        ('Ann "Hex" Roe', r'"Ann \"Hex\" Roe"'),
        ("a\\b", r'"a\\b"'),
        ("Hex <x@y.z>, you", '"Hex <x@y.z>, you"'),
        ("Größe", "=?utf-8?b?R3LDtsOfZQ==?="),
    ],
)
def test_the_name_is_quoted_or_encoded_as_a_header_needs_it(
    name: str, written: str
) -> None:
    assert mailbox(name, "games@example.org") == f"{written} <games@example.org>"


NAMES = st.text(st.characters(codec="utf-8"), min_size=1, max_size=60).filter(
    lambda name: name.isprintable() and name == " ".join(name.split())
)


@given(NAMES)
@example("=?utf-8?q?Eve?=")
@example("\U0001f3b2" * 60)
@example("(a comment)")
def test_a_mail_program_reads_the_name_as_it_was_set(name: str) -> None:
    head = f"From: {mailbox(name, 'pbm@localhost')}\n\n"
    assert max(map(len, head.splitlines())) <= 160
    assert all(line[:1] == " " for line in head.splitlines()[1:-1])
    shown, address = parseaddr(message_from_string(head)["From"])
    assert str(make_header(decode_header(shown))) == name
    assert address == "pbm@localhost"
