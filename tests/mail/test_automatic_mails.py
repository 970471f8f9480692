"""Mails that programs send by themselves: they do nothing and get no answer."""

import pytest

from pbm_holomino.mail.incoming import read
from tests.house import House, mail_of
from tests.mail.test_incoming import parts

OWN = "pbm@localhost"
ANSWERS = {"In_Reply_To": "<holo.1.0.alice@localhost>"}
SUPPRESSED = {"X_Auto_Response_Suppress": "DR, OOF, AutoReply"}


@pytest.mark.parametrize(
    "header",
    [
        "Precedence: auto_reply",
        "X-Autoreply: yes",
        "X-Autorespond: Away",
        "X-Auto-Reply:",
    ]
    + ["X-Autoresponder: 1", "X-AutoReply-From: a@b", "LIST-ID: <a.b>"]
    + ["Content-Type: multipart/report; report-type=delivery-status; boundary=b"],
)
def test_what_marks_an_automatic_mail(header: str) -> None:
    assert read(f"{header}\n".encode() + mail_of("help"), OWN) is None


@pytest.mark.parametrize("asked", ["All", "OOF, AutoReply", "DR"])
@pytest.mark.parametrize("answers", [ANSWERS, {"References": "<1@x>"}])
def test_an_answer_that_wants_no_automatic_answer(
    asked: str, answers: dict[str, str]
) -> None:
    raw = mail_of("pass", X_Auto_Response_Suppress=asked, **answers)
    assert read(raw, OWN) is None


@pytest.mark.parametrize(
    "headers",
    [SUPPRESSED, {**ANSWERS, "X_Auto_Response_Suppress": "None"}, ANSWERS]
    + [{**SUPPRESSED, "In_Reply_To": "", "References": " "}],
)
def test_people_at_companies_are_read(headers: dict[str, str]) -> None:
    mail = read(mail_of("help", **headers), OWN)
    assert mail is not None
    assert mail.subject == "help"


@pytest.mark.parametrize(
    "subject",
    [
        "Automatic reply: holo 12: your turn",
        "Out of Office AutoReply: holo 12: your turn",
    ]
    + ["Automatische Antwort: holo 12: your turn", "Abwesenheitsnotiz: holo 12"]
    + ["Automatisch antwoord: holo 12: your turn", "Afwezigheidsbericht"]
    + ["R\xe9ponse automatique : holo 12: your turn", "Message d\u2019absence"]
    + ["Respuesta autom\xe1tica: holo 12: your turn", "Fuera de la oficina: holo 12"]
    + ["Risposta automatica: holo 12: your turn", "Fuori sede: holo 12"]
    + ["Odpowied\u017a automatyczna: holo 12: your turn", "Poza biurem: holo 12"]
    + [
        "Automatiskt svar: holo 12: your turn",
        "Autosvar: holo 12",
        "AUTO REPLY: holo 12",
    ]
    + ["  [Auto-Reply] holo 12: your turn"],
)
def test_out_of_office_replies_in_eight_languages(subject: str) -> None:
    assert read(mail_of(subject, body="pass", **ANSWERS), OWN) is None


@pytest.mark.parametrize(
    "subject", ["help", "Re: holo 12: your turn", "auto", "holo 1"]
)
def test_other_subjects_are_read(subject: str) -> None:
    assert read(mail_of(subject, body="pass", **ANSWERS), OWN) is not None


PART = "Content-Type: text/plain\n\npass"


@pytest.mark.parametrize(
    "kind",
    ["text/calendar; method=REPLY", "text/vnd.google.email-reaction+json"]
    + ["message/disposition-notification", "message/delivery-status"],
)
def test_invitations_reactions_and_receipts(kind: str) -> None:
    raw = parts(PART, f"Content-Type: {kind}\n\n{{}}", kind="alternative")
    assert read(raw, OWN) is None
    attached = f"Content-Disposition: attachment\nContent-Type: {kind}\n\n{{}}"
    assert read(parts(PART, attached), OWN) is not None


def test_many_parts_after_the_text_do_no_harm() -> None:
    mail = read(parts(PART, *["Content-Type: image/png\n\nx"] * 200), OWN)
    assert mail is not None
    assert mail.body.strip() == "pass"


@pytest.mark.parametrize("name", ["noreply", "no-reply", "DoNotReply", "Do-Not-Reply"])
def test_addresses_that_nobody_reads(name: str) -> None:
    assert read(mail_of("help", f"{name}@example.org"), OWN) is None


def test_an_out_of_office_reply_to_a_letter_does_nothing(server: House) -> None:
    server.challenge()
    raw = mail_of("Automatic reply: holo 1: your turn", body="resign", **ANSWERS)
    assert server.mail(raw) == []
    assert len(server.match().record.log) == 1
