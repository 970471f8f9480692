"""Mails: from bytes to a sender and the words of a command, or to nothing at all."""

import random
import sys
from email.parser import BytesHeaderParser
from types import FrameType

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pbm_holomino.commands.subjects import subject_words
from pbm_holomino.commands.texts import CUT_OFF, MOST_NOTE, passed_on
from pbm_holomino.mail import mime
from pbm_holomino.mail.incoming import Mail, Unreadable, read
from pbm_holomino.mail.intake import MOST_MAIL
from tests.house import mail_of
from tests.sizes import sized

OWN = "pbm@localhost"
MULTIPART = (
    "MIME-Version: 1.0\nContent-Type: multipart/{kind}; boundary=XX\n\n"
    "a preamble\n--XX\n{parts}\n--XX--\nan epilogue\n"
)


def received(raw: bytes) -> Mail:
    mail = read(raw, OWN)
    assert mail is not None
    return mail


def words(subject: str) -> list[str]:
    return subject_words(received(mail_of(subject)).subject)


def parts(*texts: str, kind: str = "mixed") -> bytes:
    """A mail of several parts, each with its own header."""
    head = "From: alice@example.org\nSubject: holo show 12\n"
    return (head + MULTIPART.format(kind=kind, parts="\n--XX\n".join(texts))).encode()


# The Subject


@pytest.mark.parametrize(
    "subject",
    ["holo show 12", "  holo   show\t12  ", "holo show\n 12", "holo\r\n\tshow 12"]
    + ["=?utf-8?q?holo_show_12?=", "=?UTF-8?B?aG9sbyBzaG93IDEy?=", "holo\n show\n 12"]
    + ["=?utf-8?q?holo_sh?= =?utf-8?q?ow_12?=", "=?us-ascii?Q?holo?= show 12"]
    + [
        "=?utf-8?q?holo_sh?=\n =?iso-8859-15?q?ow=2012?=",
        "=?nobody-knows?q?holo?= show 12",
    ]
    + ["=?iso-8859-1?q?holo=A0show=A012?=", "=?utf-8?q?holo=E2=80=83show?= 12"]
    + ["Re: holo show 12", "RE:holo show 12", "AW: holo show 12", "Fwd: holo show 12"]
    + ["FW: Re: holo show 12", "Re[2]: holo show 12", "[pbm] holo show 12"]
    + ["Re: [a club] AW: [b] holo show 12", "=?utf-8?q?Re=3A_holo_show?= 12"]
    + ["[x][y]Re:Re:re: holo show 12", "Re: =?utf-8?q?=5Bpbm=5D?= holo show 12"],
)
def test_the_words_of_a_subject(subject: str) -> None:
    mail = received(mail_of(subject))
    assert (subject_words(mail.subject), mail.problem) == (["holo", "show", "12"], "")


def test_prefixes_are_peeled_off_in_front_only() -> None:
    assert words("help Re: [12] fwd:") == ["help", "Re:", "[12]", "fwd:"]
    assert words("=?iso-8859-1?q?help_J=F6rg?=") == ["help", "J\xf6rg"]


def test_quotes_mean_nothing() -> None:
    assert words("\"holo show\" '12'") == ['"holo', 'show"', "'12'"]


def test_no_subject_is_no_words() -> None:
    assert not received(b"From: alice@example.org\n\nholo show 12\n").subject
    assert words("") == []


@pytest.mark.parametrize(
    "subject",
    ["holo show 12\x07", "holo\x00 show 12", "\x1b[2Jholo show 12", "holo show\x7f 12"]
    + ["=?utf-8?q?holo_show=0A12?=", "=?utf-8?q?holo=00show_12?=", "=?utf-8?q?=C2=85?="]
    + [
        "=?utf-8?q?holo_show_12=0D=0ABcc=3A_eve=40example.org?=",
        "=?utf-8?q?=E2=80=A8?=",
    ]
    + ["=?utf-8?b?aG9sbyBzaG93AAo=?=", "=?utf-16be?b?AAo=?="],
)
def test_control_characters_are_refused_with_a_sentence(subject: str) -> None:
    problem = str(received(mail_of(subject)).problem)
    assert "control characters" in problem
    assert problem.isprintable()


def test_two_subjects_are_refused_with_a_sentence() -> None:
    raw = mail_of("holo show 12", SUBJECT="holo show 13")
    assert "more than one Subject" in str(received(raw).problem)


def test_more_than_a_megabyte_of_text_is_refused_with_a_sentence() -> None:
    line = "x" * 99 + "\n"
    assert "too long" in str(received(mail_of("help", body=line * 10_001)).problem)
    assert received(mail_of("help", body=line * 9_999)).problem == ""


def test_a_long_text_is_cut_and_its_reader_told_so() -> None:
    """The bounds are those that SECURITY.md names."""
    for kind in ("text/plain", "text/plain; format=flowed"):
        short = received(mail_of("help", body="x\n" * 4_999, Content_Type=kind))
        assert short.body.split() == ["x"] * 4_999
        many = received(mail_of("help", body="x\n" * 5_001, Content_Type=kind)).body
        assert many.split() == ["x"] * 5_000 + CUT_OFF.split()
        long = received(mail_of("help", body="x" * 100_001, Content_Type=kind)).body
        assert long.split() == ["x" * 100_000, *CUT_OFF.split()]


def test_a_mail_of_more_than_ten_mebibytes_is_refused_with_a_sentence() -> None:
    head = mail_of("help", body="Hello", Content_Type="multipart/mixed; boundary=b")
    assert "too large" in str(received(head + b"y" * MOST_MAIL).problem)
    assert received(head + b"y" * (MOST_MAIL - len(head))).problem == ""


def test_an_ordinary_mail_has_no_problem() -> None:
    assert received(mail_of("=?utf-8?q?h=C3=B6lo=09show?=")).problem == ""


# The sender and the text


@pytest.mark.parametrize(
    "sender",
    ["alice@example.org", "Alice <alice@example.org>", '"A, B" <alice@example.org>']
    + ["=?utf-8?q?=C3=84lice?= <alice@example.org>", "alice@example.org (Alice (A.))"]
    + ["Alice\n <alice@example.org>"],
)
def test_the_sender_is_an_address(sender: str) -> None:
    assert received(mail_of("help", sender)).sender == "alice@example.org"


@pytest.mark.parametrize(
    "sender",
    [
        "",
        "alice",
        "@",
        "<>",
        "a@b@c",
        "-oQ/tmp@example.org",
        "alice@example.org\nFrom: b@c.d",
    ]
    + ["alice@exa\x00mple.org", "a b@example.org", "alice@-x", "\xe4@example.org"],
)
def test_a_mail_without_an_address_to_answer_is_unreadable(sender: str) -> None:
    with pytest.raises(Unreadable):
        read(mail_of("help", sender), OWN)


# Each was sent by mallory, or by nobody who can be named.
@pytest.mark.parametrize(
    ("sender", "address"),
    [
        ("alice@example.org <mallory@evil.org>", "mallory@evil.org"),
        ("<mallory@evil.org> alice@example.org", "mallory@evil.org"),
        ('"alice@example.org" <mallory@evil.org>', "mallory@evil.org"),
        ("(alice@example.org) mallory@evil.org", "mallory@evil.org"),
        ("mallory@evil.org (<alice@example.org>)", "mallory@evil.org"),
        ('"<alice@example.org>" <mallory@evil.org>', "mallory@evil.org"),
        ('"\\"<alice@example.org>" <mallory@evil.org>', "mallory@evil.org"),
        ('(") <mallory@evil.org> (") alice@example.org', "mallory@evil.org"),
        ("(\\) <alice@example.org>) <mallory@evil.org>", "mallory@evil.org"),
        ("Doe, John <mallory@evil.org>", "mallory@evil.org"),
        (
            "=?utf-8?q?=22alice=40example.org=22?= <mallory@evil.org>",
            "mallory@evil.org",
        ),
        ('"alice@example.org" <alice@example.org>', "alice@example.org"),
        ("<alice@example.org>, <alice@example.org>", "alice@example.org"),
    ],
)
def test_the_address_is_the_one_in_angle_brackets(sender: str, address: str) -> None:
    assert received(mail_of("help", sender)).sender == address


@pytest.mark.parametrize(
    "sender",
    ["alice@example.org, mallory@evil.org", "<alice@example.org> <mallory@evil.org>"]
    + ["alice@example.org, <mallory@evil.org>", "Alice <alice@x.org>, m@evil.org"]
    + ["alice@example.org <mallory@evil.org", '"alice@example.org"', "(a@b.org)"]
    + ["alice@example.org <>", '"alice@example.org', "Alice: alice@x.org, b@x.org;"],
)
def test_a_mail_with_no_sender_or_two_is_unreadable(sender: str) -> None:
    with pytest.raises(Unreadable):
        read(mail_of("help", sender), OWN)


PLAIN = "Content-Type: text/plain; charset={}\nContent-Transfer-Encoding: {}\n\n{}"


@pytest.mark.parametrize(
    ("charset", "encoding", "text"),
    [("utf-8", "quoted-printable", "J=C3=B6rg"), ("utf-8", "base64", "SsO2cmc=")]
    + [("iso-8859-1", "quoted-printable", "J=F6rg"), ("utf-8", "8bit", "J\xf6rg")]
    + [("utf-16", "base64", "//5KAPYAcgBnAA=="), ("UTF-8", "BINARY", "J\xf6rg")],
)
def test_the_text_is_decoded(charset: str, encoding: str, text: str) -> None:
    raw = parts(PLAIN.format(charset, encoding, text))
    assert received(raw).body.strip() == "J\xf6rg"


@pytest.mark.parametrize(
    "charset", ["nobody-knows", "x-unknown", "rot13", '""', "hex", "a\0b"]
)
def test_an_unknown_charset_loses_no_command(charset: str) -> None:
    mail = received(parts(PLAIN.format(charset, "8bit", "Hello")))
    assert (mail.subject, mail.body.strip()) == ("holo show 12", "Hello")


@pytest.mark.parametrize("charset", ["undefined", "nobody-knows", "idna", "a\0b", ""])
@pytest.mark.parametrize("name", ["charset", "name"])
def test_nor_does_a_parameter_in_an_unknown_charset(charset: str, name: str) -> None:
    content = f"Content-Type: text/plain; {name}*={charset}''utf-8%ff\n\nHello"
    mail = received(parts(content))
    assert (mail.subject, mail.body.strip()) == ("holo show 12", "Hello")


@pytest.mark.parametrize(
    "charset", ["punycode", "idna", "unicode_escape", "raw_unicode_escape", "undefined"]
)
def test_codecs_of_python_that_are_not_charsets_are_taken_for_latin_1(
    charset: str,
) -> None:
    mail = received(parts(PLAIN.format(charset, "8bit", "a-b\\u0041")))
    assert mail.body.strip() == "a-b\\u0041"


@pytest.mark.parametrize(
    ("charset", "encoded"),
    [("windows-1252", "=80"), ("CP1252", "=80"), ("iso-8859-15", "=A4")]
    + [("ISO_8859-15", "=A4"), ("utf8", "=E2=82=AC"), ("Latin-9", "=A4")]
    + [("utf-16be", "=20=AC"), ("gb18030", "=A2=E3"), ("utf-7", "+IKw-")],
)
def test_the_names_that_mail_programs_give_charsets(charset: str, encoded: str) -> None:
    raw = parts(PLAIN.format(charset, "quoted-printable", encoded))
    assert received(raw).body.strip() == "\u20ac"


ATTACHED = "Content-Disposition: attachment; filename=a.txt\n"
HTML = "Content-Type: text/html\n\n<p>Hello</p>"
PART = "Content-Type: text/plain\n\nHello"


@pytest.mark.parametrize(
    ("texts", "body"),
    [((HTML, PART), "Hello"), ((PART, HTML), "Hello"), ((HTML,), "Hello")]
    + [((f"{ATTACHED}{PART} file", PART), "Hello"), ((f"{ATTACHED}{PART}",), "")]
    + [
        (
            (f"Content-Type: message/rfc822\n{ATTACHED}\nSubject: x\n\nOld", PART),
            "Hello",
        )
    ]
    + [((f"Content-Type: message/rfc822\n{ATTACHED}\nSubject: x\n\nOld",), "")]
    + [(("Content-Type: application/pdf\n\n%PDF",), "")],
)
def test_only_the_text_itself_counts(texts: tuple[str, ...], body: str) -> None:
    mail = received(parts(*texts))
    assert mail.body.strip() == body
    assert subject_words(mail.subject) == ["holo", "show", "12"]


def test_a_large_attachment_is_no_problem() -> None:
    mail = received(parts(PART, f"{ATTACHED}{PART}" + "y" * 2_000_000))
    assert (mail.problem, mail.body.strip()) == ("", "Hello")


def test_a_part_without_headers_or_without_a_blank_line() -> None:
    assert received(parts("\nHello")).body == "Hello"
    assert received(parts("Hello\nyou")).body == "Hello\nyou"
    assert received(parts(f"{PART}\n--XXX\n-- XX\n--XX x\nyou")).body.split() == [
        "Hello",
        "--XXX",
        "--",
        "XX",
        "--XX",
        "x",
        "you",
    ]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_parts_within_parts(end: str) -> None:
    inner = MULTIPART.replace("XX", "YY").format(kind="alternative", parts=PART)
    raw = parts(HTML, f"{inner.replace('MIME-Version: 1.0', 'X: y')}").decode()
    raw = raw.replace("--XX--", "--YY\nContent-Type: text/plain\n\nToo late\n--XX--")
    assert received(raw.replace("\n", end).encode()).body == "Hello"


def test_the_parts_of_a_digest_are_messages() -> None:
    assert received(parts("\nSubject: x\n\nHello", kind="digest")).body == ""


# Robots


@pytest.mark.parametrize(
    "header",
    [
        "Return-Path: <>",
        "Auto-Submitted: auto-replied",
        "Auto-Submitted: auto-generated",
    ]
    + ["Auto-Submitted: auto-notified; owner-email=x", "AUTO-SUBMITTED: Auto-Replied"]
    + ["Precedence: bulk", "Precedence: JUNK", "precedence: list", f"X-Loop: {OWN}"]
    + ["List-Id: <players.example.org>", "Auto-Submitted: no\nAuto-Submitted: yes"]
    + ["X-Loop: eve@example.org\nX-Loop: pbm@localhost"],
)
def test_automatic_mail_is_neither_executed_nor_answered(header: str) -> None:
    assert read(f"{header}\n".encode() + mail_of("help"), OWN) is None


@pytest.mark.parametrize(
    "sender",
    ["MAILER-DAEMON@example.org", "Mail System <mailer-daemon@x.org>", "daemon@x.org"]
    + ["root@example.org (Cron Daemon)", "Cron Daemon <cron@x.org>", "root <ROOT@x>"]
    + ["postmaster@example.org", OWN, "PBM <PBM@LocalHost>"],
)
def test_daemons_and_ourselves_are_not_answered(sender: str) -> None:
    assert read(mail_of("help", sender), OWN) is None


def test_the_envelope_line_of_a_bounce() -> None:
    envelope = b"From MAILER-DAEMON Fri Nov 20 08:00:00 2026\n"
    assert read(envelope + mail_of("help"), OWN) is None


@pytest.mark.parametrize(
    "header",
    ["Return-Path: <alice@example.org>", "Auto-Submitted: no", "Auto-Submitted: No"]
    + ["Precedence: first-class", "X-Loop: eve@x.org"]
    + ["List-Unsubscribe: <x>", "From alice@example.org Fri Nov 20 08:00:00 2026"],
)
def test_peoples_mail_is_read(header: str) -> None:
    assert received(f"{header}\n".encode() + mail_of("help")).subject == "help"


# The same mail


def test_the_envelope_line_and_the_way_do_not_count() -> None:
    for headers in ({}, {"Message_ID": "<1@example.org>"}, {"Date": "Fri, 20 Nov"}):
        raw = mail_of("help", body="Hello", **headers)
        first = received(b"From a@b Fri Nov 20 08:00:00 2026\n" + raw)
        again = received(b"From a@b Fri Nov 20 08:05:00 2026\nReceived: again\n" + raw)
        assert first.id == again.id


def test_a_message_id_alone_tells_mails_apart() -> None:
    first, same, other = (
        received(mail_of(subject, Message_ID=name)).id
        for subject, name in (("a", "<1@x>"), ("b", "<1@x>"), ("a", "<2@x>"))
    )
    assert first == same != other


def test_without_a_message_id_all_that_the_writer_wrote_counts() -> None:
    mails = [mail_of("a", Date="1"), mail_of("b", Date="1"), mail_of("a", Date="2")]
    mails += [mail_of("a", "bob@x.org", Date="1"), mail_of("a", body="b", Date="1")]
    ids = {received(raw).id for raw in mails}
    assert len(ids) == len(mails)
    assert all(len(one) == 16 and int(one, 16) for one in ids)


@pytest.mark.parametrize(
    ("name", "kept"),
    [("<1@example.org>", "<1@example.org>"), ("1@example.org", ""), ("<a b@c>", "")]
    + [("<1@x>\n Bcc: eve@x", ""), ("<1@x><2@x>", ""), (f"<{'1' * 999}@x>", "")]
    + [("<\xe4@x>", ""), ("", "")],
)
def test_only_a_decent_message_id_is_answered(name: str, kept: str) -> None:
    assert received(mail_of("help", Message_ID=name)).message_id == kept


# What a mail answers


@pytest.mark.parametrize(
    ("headers", "answered"),
    [
        ({}, ()),
        ({"In_Reply_To": "<2@x>"}, ("<2@x>",)),
        ({"References": "<1@x> <2@x>"}, ("<2@x>", "<1@x>")),
        (
            {"In_Reply_To": "<2@x>", "References": "<1@x>\n <2@x>\r\n\t<3@x>"},
            ("<2@x>", "<3@x>", "<1@x>"),
        ),
        ({"In_Reply_To": 'Your mail of "Friday" <2@x> (PBM)'}, ("<2@x>",)),
        ({"References": "<1@x><2@x>,<2@x>"}, ("<2@x>", "<1@x>")),
        ({"In_Reply_To": "<a b@x> 2@x <<3@x> <\xe4@x> <> <4@\n x> <5@x"}, ("<3@x>",)),
        (
            {"In_Reply_To": f"<{'1' * 249}> <{'2' * 248}> <{'3' * 50_000}>"},
            (f"<{'2' * 248}>",),
        ),
    ],
)
def test_the_message_ids_that_a_mail_answers(
    headers: dict[str, str], answered: tuple[str, ...]
) -> None:
    """In-Reply-To first, then References from the last to the first."""
    assert received(mail_of("help", **headers)).answered == answered


def test_at_most_fifty_message_ids_are_kept() -> None:
    ids = [f"<{n}@x>" for n in range(60)]
    mail = received(mail_of("help", In_Reply_To="<a@x>", References=" ".join(ids)))
    assert mail.answered == ("<a@x>", *reversed(ids[11:]))
    twice = mail_of("help", IN_REPLY_TO="<a@x>", In_Reply_To="<b@x>")
    assert received(twice).answered == ("<a@x>", "<b@x>")


# Hostile mails

VALID = [
    mail_of("=?utf-8?q?holo_move_12_alice_secret_123=3A17?=", body="Hello\n> Bob:\n"),
    mail_of("Re: help", "=?utf-8?b?w4Q=?= <a@b.org>", Message_ID="<1@x>", Date="x"),
    parts(PLAIN.format("utf-8", "base64", "SsO2cmc="), HTML),
    parts(f"Content-Type: message/rfc822\n\n{PART}", f"{ATTACHED}{PART}"),
]


def survives(raw: bytes) -> None:
    """Read a mail, which works, tells that it is nothing, or raises Unreadable."""
    try:
        mail = read(raw, OWN)
    except Unreadable:
        return
    if mail is not None:
        assert mail.problem or not any(ord(c) < 32 and c != "\t" for c in mail.subject)
        assert mail.sender.isascii()
        assert isinstance(subject_words(mail.subject), list)
        assert all(len(one) <= 250 for one in mail.answered)
        assert len(passed_on(mail.body, "secret")) <= MOST_NOTE + 100


@settings(max_examples=sized(150, 1000))
@given(st.randoms(use_true_random=False))
def test_damaged_mail_is_read_or_unreadable(chance: random.Random) -> None:
    lines = chance.choice(VALID).splitlines(keepends=True)
    for _ in range(chance.randint(0, 3)):  # headers and lines, doubled and moved
        lines.insert(chance.randrange(len(lines)), chance.choice(lines))
    raw = bytearray(b"".join(lines))
    for _ in range(chance.randint(0, 8)):
        raw[chance.randrange(len(raw))] = chance.randrange(256)
    survives(bytes(raw[: chance.randint(0, len(raw))]))


@given(st.binary(max_size=300))
def test_binary_junk(raw: bytes) -> None:
    survives(raw)
    survives(b"From: a@b.org\nSubject: " + raw)
    survives(b"Content-Type: " + raw + b"\n" + VALID[2])


def nested(depth: int) -> bytes:
    heads = "".join(
        f"Content-Type: multipart/mixed; boundary={i}\n\n--{i}\n" for i in range(depth)
    )
    return f"From: a@b.org\nSubject: help\n{heads}\ntext".encode()


@pytest.mark.parametrize(
    "raw",
    [b"", b"\n", b"\x00" * 1000, nested(2000), mail_of("[" * 50_000)]
    + [mail_of("help", "(" * 2000 + ")" * 2000 + "a@b.org")]
    + [mail_of("help", "(x)" * 2000 + "a@b.org"), mail_of("help", "a@b.org," * 20_000)]
    + [mail_of("=?a?q?" * 10_000), mail_of("=?utf-8?q?a?= " * 10_000)]
    + [mail_of("Re: " * 30_000 + "help"), mail_of("help\n " * 10_000)]
    + [mail_of("help", body="\n" * 20_000 + ">\n" * 20_000)]
    + [mail_of("help", body="a:\n" * 20_000 + ">\n" * 20_000)]
    + [
        mail_of("help", References="<a@x> " * 15_000),
        mail_of("", References="<" * 9**5),
    ],
    ids=lambda raw: f"{raw[:60]!r}",
)
def test_monstrous_mail_costs_little_work(raw: bytes) -> None:
    calls = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls
        calls += event == "call"  # a generator that goes on counts too

    sys.setprofile(count)
    try:
        survives(raw)
    finally:
        sys.setprofile(None)
    # the work grows with the mail, and not with its square
    assert calls < 20_000 + 20 * len(raw)


@pytest.mark.parametrize(
    "raw", [b"", b"\x89PNG\r\n\x1a\n\x00\x00", b"Subject: help\n\n"]
)
def test_text_that_is_not_a_mail_is_unreadable(raw: bytes) -> None:
    with pytest.raises(Unreadable):
        read(raw, OWN)


@pytest.mark.parametrize(
    ("parameters", "body"),
    [
        # RFC 2045: a parameter stands once; of two, mail readers take the first
        ("charset=iso-8859-1; charset=utf-8", "Gr\u00fc\u00dfe \nan dich\n"),
        ("charset*=us-ascii'en'iso-8859-1", "Gr\u00fc\u00dfe \nan dich\n"),
        ("Charset=ISO-8859-1; Format=Flowed", "Gr\u00fc\u00dfe an dich\n"),
        ("charset=iso-8859-1; format=flowed; delsp=yes", "Gr\u00fc\u00dfean dich\n"),
        (
            "charset=iso-8859-1; format=fixed; format=flowed",
            "Gr\u00fc\u00dfe \nan dich\n",
        ),
    ],
)
def test_the_parameters_of_a_text(parameters: str, body: str) -> None:
    head = "From: alice@example.org\nSubject: help\nContent-Type: text/plain; "
    text = "Gr\u00fc\u00dfe \nan dich\n".encode("iso-8859-1")
    assert received(f"{head}{parameters}\n\n".encode() + text).body == body


# What headers are made of, and may be broken by
_PIECES = [
    *(b"From ", b"Subject", b"Content-Type: ", b"X", b":", b"text/plain", b"a/b/c"),
    *(b"\n", b"\r", b"\r\n", b"\n\n", b"\n ", b"\r\n\t", b" ", b"\t", b"\x0b", b"\x85"),
    *(
        b";",
        b"=",
        b'"',
        b"\\",
        b'\\"',
        b"charset",
        b"Boundary",
        b"<",
        b">",
        b"\xc3\xa9",
    ),
]


@given(st.lists(st.sampled_from(_PIECES), max_size=30).map(b"".join))
@example(b"From \n a")
@example(b"From  a\nSubject: b\n")
def test_headers_are_read_as_the_library_reads_them(head: bytes) -> None:
    ours, theirs = mime.whole(head), BytesHeaderParser().parsebytes(head)
    headers: dict[str, list[str]] = {}
    for name, value in theirs.raw_items():
        headers.setdefault(name.lower(), []).append(value)
    if envelope := theirs.get_unixfrom():
        headers["from "] = [envelope.removeprefix("From ")]
    assert ours.headers == headers
    if "content-type" in headers:
        parameters: dict[str, str] = {}
        for name, value in theirs.get_params([]):
            parameters.setdefault(name.lower(), value)  # of two, the first counts
        assert ours.parameters == parameters
        assert ours.kind in (theirs.get_content_type(), "text/plain")
