"""Words that are not ASCII on their way out: no letter of them is lost."""

from email import message_from_string
from email.policy import default

import pytest

from pbm_holomino.mail.keeping import copies, keep
from pbm_holomino.mail.message import subject
from pbm_holomino.mail.outcomes import Parcel
from pbm_holomino.store.contract import UNDELIVERABLE
from tests.club import Club


@pytest.mark.parametrize(
    "words", ["holo 12: Grüße", "ä" * 200, "a =?b?= c", "\u65e5\u672c " * 40]
)
def test_a_subject_is_short_lines_of_ascii_that_come_back_as_they_were(
    words: str,
) -> None:
    lines = f"Subject: {subject(words)}\n"
    assert lines.isascii()
    assert max(map(len, lines.splitlines())) <= 76
    assert message_from_string(f"{lines}\n", policy=default)["Subject"] == words


def test_a_subject_in_ascii_stays_as_it_is() -> None:
    assert subject("holo 12: your turn") == "holo 12: your turn"


def test_why_a_copy_is_kept_is_read_as_it_was_said(club: Club) -> None:
    why, store = "Das Postfach ist überfüllt", club.server.store
    keep(store, UNDELIVERABLE, Parcel("a", b"mail", ("b@c",)), "b@c", why)
    (copy,) = copies(store, UNDELIVERABLE)
    assert (copy.to, copy.why, copy.mail) == ("b@c", why, b"mail")
