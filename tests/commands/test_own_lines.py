"""Which lines of a mail its writer wrote: edges that programs and people make."""

import sys
from types import FrameType

import pytest

from pbm_holomino.commands.texts import first_line, own_lines


def said(body: str) -> list[str]:
    return [line for line in own_lines(body) if line]


@pytest.mark.parametrize(
    "sentence",
    ["On Sunday I wrote:", "Am Sonntag schrieb ich:", "At 10:30 bob wrote:"]
    + ["In 2024 I wrote:", "My list:", "From: me", "Von: mir", "To: you", "A: yes"]
    + ["Original message", "Forwarded thoughts:", "Begin:", "- - -", "--- so far ---"]
    + ["-----", "That is confidential", "The intended recipient is bob", "Sent it!"]
    + ["I sent it from my iPhone", "Von mir gesendet"],
)
def test_a_players_own_sentence_stays_with_what_follows(sentence: str) -> None:
    assert said(f"Hi!\n{sentence}\nYou win.") == ["Hi!", sentence, "You win."]


@pytest.mark.parametrize("sentence", ["On Sunday I wrote:", "At 10:30 bob wrote:"])
def test_unless_a_quotation_follows(sentence: str) -> None:
    assert said(f"Hi!\n{sentence}\n> You win.\nNo.") == ["Hi!", "No."]
    assert said(f"Hi!\n{sentence}\n\n> You win.\nNo.") == ["Hi!", "No."]


@pytest.mark.parametrize(
    "attribution",
    ["On Nov 20, 2026, at 9:12, Bob <bob@x.org> wrote:", "bob@x.org wrote on Friday:"]
    + ["Bob wrote on 20.11.2026 09:12:", "Am 20.11.2026 um 9.12 schrieb Bob:"]
    + ["On Fri, Nov 20, 2026 at 9:12 Bob the\nBuilder <\nbob@x.org> wrote:"]
    + ["Bob <bob@x.org> schrieb am Fr., 20.\nNov. 2026, 09:12:", "Bob <\nb@x> wrote:"]
    + ["El vie, 20 nov 2026 a las 9:12, Bob (<bob@x.org>)\nescribi\xf3:"],
)
def test_a_letter_without_quotation_marks_ends_what_was_written(
    attribution: str,
) -> None:
    assert said(f"Hi Bob:\nYes.\n\n{attribution}\n\nShall we?\nBob") == [
        "Hi Bob:",
        "Yes.",
    ]
    assert said(f"Hi Bob:\nYes.\n\n{attribution}\n\n> Shall we?\n\nNow.") == [
        "Hi Bob:",
        "Yes.",
        "Now.",
    ]


# Each is followed by a letter, quoted with marks or without any.
OUTLOOK = "Gesendet: Dienstag, 3. März 2026 09:12\nAn: bob@x.org\nBetreff: holo 1"
GERMAN = [
    f"Von: pbm <pbm@x.org>\n{OUTLOOK}",
    f"________________________________\nVon: pbm <pbm@x.org>\n{OUTLOOK}",
    f"Holen Sie sich Outlook für iOS\n____________\nVon: pbm\n{OUTLOOK}",
    f"Gesendet von Mail für Windows\n\nVon: pbm\n{OUTLOOK}",
    "Am Mo., 3. März 2026 um 09:12 Uhr schrieb Ein Server\n<pbm@x.org>:",
    "pbm <pbm@x.org> schrieb am Mo., 3. März 2026, 09:12:",
    "Von meinem iPhone gesendet\n\nAm 03.03.2026 um 09:12 schrieb pbm@x.org:",
    "Am Dienstag, 3. März 2026 um 09:12 schrieb pbm:",
    "Am 03.03.26 um 09:12 schrieb pbm@x.org:",
    "-------- Weitergeleitete Nachricht --------\nBetreff: holo 1\nVon: pbm",
    "Gesendet: Dienstag, 03. März 2026 um 09:12 Uhr\nVon: pbm@x.org\nAn: bob@x.org",
    "Diese Nachricht wurde von meinem Android Mobiltelefon mit WEB.DE Mail gesendet."
    '\nAm 03.03.26, 09:12 schrieb "pbm@x.org" <pbm@x.org>:',
    "Gesendet mit der WEB.DE Mail App\n03.03.2026, 09:12 pbm@x.org schrieb:",
    "Von Samsung-Tablet gesendet\n\n-------- Ursprüngliche Nachricht --------\n"
    "Von: pbm@x.org\nDatum: 03.03.26  09:12  (GMT+01:00)\nAn: bob",
    "-----Original-Nachricht-----\nBetreff: holo 1\nVon: pbm <pbm@x.org>",
    "pbm@x.org hat am 03.03.2026 09:12 CET geschrieben:",
    "Am 3. März 2026 um 09:12:11 MEZ hat pbm <pbm@x.org> Folgendes geschrieben:",
    '-----"pbm" <pbm@x.org> schrieb: -----\nAn: bob\nBetreff: holo 1',
    "pbm ---03.03.2026 09:12:11---holo 1\n\nVon: pbm\nAn: bob\nDatum: 03.03.2026",
]


@pytest.mark.parametrize("above", GERMAN)
def test_what_german_mail_programs_quote_is_cut(above: str) -> None:
    for mark in ("", "> "):
        quoted = f"{mark}Du bist am Zug, bob.\n{mark}\n{mark}  123: 1 2 3"
        assert said(f"Zug 123:1\n\n{above}\n\n{quoted}") == ["Zug 123:1"]


def test_own_words_right_above_an_attribution_stay() -> None:
    for attribution in (
        "Bob <bob@x.org> wrote:",
        "On Nov 20, 2026, at 9:12, Bob <bob@x.org>\nwrote:",
        "On Nov 20, 2026, at 9:12, Bob <bob@x.org> wrote:",
        "On Friday, Bob wrote:",
        "Bob wrote:",
    ):
        for own in ("Now:", "123:17", "holo show 1", "queue 1:2 3:4", "On we go"):
            assert said(f"Yes.\n{own}\n{attribution}\n> Soon?") == ["Yes.", own]
            if "@" in attribution:
                assert said(f"Yes.\n{own}\n{attribution}\nSoon?") == ["Yes.", own]


@pytest.mark.parametrize(
    "block",
    ["From: Bob <bob@x.org>\nSent: Friday", "*Von:* Bob\n*Gesendet:* Freitag\n*An:* A"]
    + ["De : Bob\nEnvoy\xe9 : vendredi", "Od: Bob\nWys\u0142ane: pi\u0105tek"]
    + ["From: Bob\n <bob@x.org>\nSubject: holo 12", "To: Alice\nFrom: Bob"]
    + [f"{'_' * 32}\nFrom: Bob\nSent: Friday", "-----Original Message-----\nx"]
    + ["---- Forwarded message from Bob ----", "---------- Forwarded by Bob -------"]
    + ["-------- Originele bericht --------", "Verstuurd: maandag\nVan: Bob"]
    + [
        "--- Tre\u015b\u0107 przekazanej wiadomo\u015bci ---",
        "Begin forwarded message:",
    ]
    + ["-----Message d\u2019origine-----", "D\xe9but du message transf\xe9r\xe9 :"],
)
def test_a_forwarded_letter_ends_what_was_written(block: str) -> None:
    assert said(f"Yes.\n\n{block}\n\nShall we?\n> Or not?\nSo?") == ["Yes."]


@pytest.mark.parametrize("dashes", ["--", "-- ", "\u2014", "\u2013"])
def test_a_signature_ends_what_was_written(dashes: str) -> None:
    assert said(f"Yes.\n{dashes}\nAlice\n\nOn Friday Bob wrote:\n> So?") == ["Yes."]


@pytest.mark.parametrize(
    "line",
    ["Sent from my iPhone", "Von meinem iPhone gesendet.", "Von meinem iPad gesendet"]
    + ["Get Outlook for iOS<https://aka.ms/o0ukef>", "SENT FROM MY PHONE"]
    + ["*Envoy\xe9 de mon t\xe9l\xe9phone*", "Sent via the Samsung Galaxy S24"]
    + ["Verstuurd vanuit Yahoo Mail voor iPhone", "Verstuurd via mijn telefoon"]
    + ["Haal Outlook voor Android op", "Verkrijg Outlook voor iOS"]
    + ["Virusvrij.www.avast.com"],
)
def test_what_a_telephone_adds_goes(line: str) -> None:
    assert said(f"Yes.\n\n{line}\n\nOn Friday Bob wrote:\n> So?\n\nNow.") == [
        "Yes.",
        "Now.",
    ]


def test_a_disclaimer_goes_with_all_that_follows() -> None:
    text = "This mail is confidential and\nmeant for the intended recipient only."
    assert said(f"Yes.\nAlice\n\n{text}\n\nDiese E-Mail auch.") == ["Yes.", "Alice"]
    assert said(f"123:17\nYes.\n{text}") == ["123:17", "Yes."]
    assert said(f"{text}\n123:17") == []
    assert said("It is confidential!\n\nThe recipient is bob.") == [
        "It is confidential!",
        "The recipient is bob.",
    ]


def test_the_first_line_is_below_a_quotation_too() -> None:
    body = "On Friday Bob wrote:\n> Shall we?\n\n  pass \n> Or not?\n\nSoon.\n-- \nA"
    assert first_line(body) == ("pass", "Soon.")
    assert first_line("> only\n> this") == ("", "")
    assert first_line("Sent from my iPhone\n\nOn Friday Bob wrote:\n> x") == ("", "")


@pytest.mark.parametrize(
    "lines",
    ["a@b wrote 2026:\n> x\n", "From: a\n\nSent: b\n", "On 2026\n", ">\n", "\n"]
    + ["a@b wrote 2026:\n\n> x\n\n", f"{'_' * 20}\n", "a:\n", "a:\n>\n", "x <\n"],
)
def test_the_work_grows_with_the_text_and_not_with_its_square(lines: str) -> None:
    def work(count: int) -> int:
        calls = 0

        def note(frame: FrameType, event: str, argument: object) -> None:
            nonlocal calls
            calls += 1

        sys.setprofile(note)
        try:
            own_lines(lines * count)
        finally:
            sys.setprofile(None)
        return calls

    work(1)  # imports what it needs
    assert work(2_000) < 2.1 * work(1_000)
