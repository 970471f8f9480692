"""What people write is told from what they quote, whatever their program and their
language: in these replies, a third of which was only looked at to measure."""

from collections import Counter
from collections.abc import Iterator

import pytest

from pbm_holomino.commands.texts import before_quote, first_of, own_lines
from tests.mail.quoted.programs import LETTER, ORDINARY, Reply, replies

REPLIES = dict(replies())
MOST_FIRST, MOST_LEAKING, MOST_LOST = 0.01, 0.02, 0.01  # of all


def letter() -> Iterator[str]:
    yield LETTER


def faults(reply: Reply) -> Iterator[str]:
    """What is wrong with what is read in a reply."""
    first, rest = first_of(own_lines(reply.text, letter))
    words = before_quote(rest, letter).split("\n")
    found = [line.strip() for line in (first, *words) if line.strip()]
    if first != reply.own[0]:
        yield "first"
    if not {*found} <= {*reply.own}:
        yield "leaking"
    if not {*reply.own} <= {*found}:
        yield "lost"


@pytest.mark.parametrize("is_apart", [False, True])
def test_what_is_theirs_and_what_is_ours(is_apart: bool) -> None:
    of = {name: r for name, r in REPLIES.items() if r.is_apart == is_apart}
    found = Counter(fault for reply in of.values() for fault in faults(reply))
    assert len(of) > 300
    assert found["first"] <= MOST_FIRST * len(of)
    assert found["leaking"] <= MOST_LEAKING * len(of)
    assert found["lost"] <= MOST_LOST * len(of)


@pytest.mark.parametrize("text", ORDINARY)
def test_people_s_own_lines_stay(text: str) -> None:
    assert own_lines(text) == [line for line in text.split("\n") if line[:1] != ">"]
