"""Texts that mail programs break into lines of format=flowed (RFC 3676)."""

import pytest

from pbm_holomino.mail import incoming
from tests.house import House, mail_of
from tests.server.multiple_mails import ALICE, BOB, answer_of, parts_of

FLOWED = "text/plain; charset=utf-8; format=flowed"


def body_of(text: str, kind: str = FLOWED) -> str:
    read = incoming.read(mail_of("help", body=text, Content_Type=kind), "pbm@localhost")
    assert read is not None
    return read.body.rstrip("\n")


@pytest.mark.parametrize(
    ("sent", "written"),
    [("one \ntwo", "one two"), ("one\ntwo", "one\ntwo"), ("a \nb \nc\nd", "a b c\nd")]
    + [("one \n\ntwo", "one \ntwo"), (" one\n  two", "one\n two")]
    + [("one \n> two \n> three \nfour", "one \n> two \n> three \nfour")]
    + [("one \n-- \nAlice \nAdams", "one \n-- \nAlice Adams")]
    + [(" > no quote \nat all", "> no quote at all"), ("", ""), ("one ", "one ")],
)
def test_lines_that_go_on(sent: str, written: str) -> None:
    assert body_of(sent) == written


def test_the_space_may_be_no_part_of_the_text() -> None:
    assert body_of("on \ne \ntwo", f"{FLOWED}; DelSp=Yes") == "onetwo"
    assert body_of("on \ne", f"{FLOWED}; delsp=no") == "on e"


@pytest.mark.parametrize(
    "kind", ["text/plain", "text/plain; format=fixed", "text/plain; format"]
)
def test_other_texts_stay_as_they_are(kind: str) -> None:
    assert body_of("one \ntwo\n three", kind) == "one \ntwo\n three"


def test_a_long_command_arrives_whole(server: House) -> None:
    body = (
        "holo challenge alice bob -pool_size=4 -num_digits=7 \n-limit_scores\n"
        "message alice xanadu bob -m=Seven digits are more than enough \nfor me.\n"
    )
    letters = server.mail(mail_of("multiple", ALICE, body, Content_Type=FLOWED))
    assert [heading for heading, _ in parts_of(answer_of(letters))] == [
        "1. holo challenge",
        "2. message",
    ]
    assert server.match().record.options["limit_scores"] is True
    (told,) = (x for x in letters if x.to == (BOB,) and "message" in x.subject)
    assert "\n  Seven digits are more than enough for me.\n" in told.text
