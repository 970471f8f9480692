"""Mails as seven programs write them, in eight languages and four ways.

Each is built from what the program is known to do: its headers, the parts, how it
encodes and wraps them, where it puts the quoted letter and how it marks it.
"""

import base64
import html
import quopri
import textwrap
from collections.abc import Iterator
from typing import NamedTuple

from tests.mail.programs.languages import LANGUAGES, NAMED, SERVER, Language

PROGRAMS = ("gmail", "apple", "thunderbird", "k9", "mutt", "yahoo", "outlook")
WAYS = ("reply", "inline", "forward", "corrected")
PLAYER = "alice@example.net"
SUBJECT = "holo 12: your turn"
TOKEN = "abcdefghij234567"
LETTER_ID = f"<holo.12.3.alice.{TOKEN}@pbm.example.org>"
FIRST_ID = "<holo.12.0.alice.zyxwvutsrq765432@pbm.example.org>"

LETTER = f"""\
Holomino, board 12, after move 3: alice against bob

    __
   /1 \\__   2
   \\    3\\
   /   __/
   \\4_/

bob played 142:4. You drew 243.
Your queue: 124:18

It is your turn, alice. Reply to this letter with a move in its first
line, such as 123:17, or send this line:
  holo move 12 alice ~{TOKEN} 123:17
"""
LINES = LETTER.splitlines()
DATE = "Fri, 20 Nov 2026 09:12:33 +0100"
SHOWN = "20.11.2026 09:12"  # the same, as a header of a quoted letter


class Sample(NamedTuple):
    """A mail as it arrives, and what its writer wrote: the first line, and the words
    after it."""

    raw: bytes
    subject: str
    first: str
    rest: str


class Text(NamedTuple):
    """What one mail says: the player's own lines as their program sends them, and the
    same as they should be found."""

    first: str
    found: str
    rest: str


def _corrected(program: str, language: str) -> Text:
    """A first line that the program or a telephone's keyboard has changed."""
    words = LANGUAGES[language].words
    if program == "outlook":  # Word's rules; in French a space before the colon
        if language == "fr":
            return Text("123\u00a0:17", "123 :17", words)
        return Text("Pass\u2026", "Pass\u2026", words)
    if program == "apple":
        return Text(
            "\u201c123:17\u201d \u2014 ok?", "\u201c123:17\u201d \u2014 ok?", words
        )
    if program == "yahoo":
        return Text(
            "Queue 123:17 124:18 \U0001f600", "Queue 123:17 124:18 \U0001f600", words
        )
    if program == "mutt":  # nothing is changed, but tabs and spaces stay
        return Text("  123:17\t", "123:17", words)
    if program == "thunderbird":
        return Text("123:17.", "123:17.", words)
    return Text("Pass. ", "Pass.", words)  # a keyboard's full stop, and its space


def sample(program: str, language: str, way: str) -> Sample:
    """The mail of a program in this language, written in this way."""
    words = LANGUAGES[language]
    text = Text("123:17", "123:17", words.words)
    if way == "corrected":
        text = _corrected(program, language)
    make = _MAKERS[program]
    subject, raw = make(text, words, way)
    return Sample(raw, subject, text.found, text.rest)


def samples() -> Iterator[tuple[str, Sample]]:
    """All of them, with their names."""
    for program in PROGRAMS:
        for language in LANGUAGES:
            for way in WAYS:
                yield f"{program}-{language}-{way}", sample(program, language, way)


# What all mails are made of


def _encoded(text: str, charset: str, how: str) -> bytes:
    raw = text.encode(charset)
    if how == "base64":
        return base64.encodebytes(raw)
    if how == "quoted-printable":
        return quopri.encodestring(raw)
    return raw


def _part(text: str, kind: str, charset: str, how: str, more: str = "") -> bytes:
    """A part with its headers, from its Content-Type on."""
    head = f"Content-Type: {kind}; charset={charset}{more}\n"
    head += f"Content-Transfer-Encoding: {how}\n\n"
    return head.encode() + _encoded(text, charset.strip('"'), how)


def _alternative(plain: bytes, marked: bytes, boundary: str) -> bytes:
    head = f'Content-Type: multipart/alternative; boundary="{boundary}"\n\n'
    return b"".join(
        (
            f"{head}--{boundary}\n".encode(),
            plain,
            f"\n--{boundary}\n".encode(),
            marked,
            f"\n--{boundary}--\n".encode(),
        )
    )


def _mail(subject: str, headers: str, content: bytes, way: str = "reply") -> bytes:
    """A mail with its thread, as replies have it. Most programs write the same headers
    into what they forward."""
    coded = subject
    if not subject.isascii():
        coded = f"=?utf-8?B?{base64.b64encode(subject.encode()).decode()}?="
    head = (
        f"From: Alice <{PLAYER}>\nTo: {NAMED}\nSubject: {coded}\n"
        "Date: Sat, 21 Nov 2026 10:00:00 +0100\nMessage-ID: <1@example.net>\n"
        f"In-Reply-To: {LETTER_ID}\nReferences: {FIRST_ID}\n {LETTER_ID}\n"
        f"MIME-Version: 1.0\n{headers}"
    )
    return (head.encode() + content).replace(b"\n", b"\r\n")


def _quoted(lines: list[str] = LINES) -> str:
    return "".join(f"> {line}".rstrip() + "\n" for line in lines)


def _headers(names: tuple[str, str, str, str], bold: str = "") -> str:
    values = (NAMED, SHOWN, PLAYER, SUBJECT)
    return "".join(
        f"{bold}{name}{bold} {value}\n"
        for name, value in zip(names, values, strict=True)
    )


def _escaped(text: str) -> str:
    return html.escape(text).replace("\u00a0", "&nbsp;").replace("\n", "<br>\n")


# The letter as HTML, with a link that writes a mail.
LINK = f"mailto:{SERVER}?subject=holo%20move%2012%20alice%20~{TOKEN}%20123%3A17"
MARKED = (
    f"<pre style='line-height:1.15'>{html.escape(LETTER)}</pre>"
    f'<p><a href="{LINK}">123:17</a></p>'
)


# Gmail in a browser. Plain text is wrapped at about 76 columns, in an attribution also
# before an address.


def _gmail(text: Text, words: Language, way: str) -> tuple[str, bytes]:
    wrote = words.wrote[0]
    if way == "corrected":
        wrote = wrote.replace("Holomino", "Holomino and other games by mail")
    shown = wrote.replace(f"<{SERVER}>", f"<\n{SERVER}>") if len(wrote) > 76 else wrote
    rest = textwrap.fill(text.rest, 76)
    own = f"<div>{_escaped(text.first)}</div><div><br></div>"
    own += f"<div>{_escaped(text.rest)}</div>"
    quote = (
        '<blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left'
    )
    quote += f':1px solid rgb(204,204,204);padding-left:1ex">{MARKED}</blockquote>'
    attribution = f'<div dir="ltr" class="gmail_attr">{_escaped(wrote)}<br></div>'
    if way == "forward":
        head = "---------- Forwarded message ---------\n" + _headers(words.headers)
        plain = f"{text.first}\n\n{rest}\n\n{head}\n\n{LETTER}"
        marked = f'<div dir="ltr">{own}<br><div class="gmail_quote"><div dir="ltr" '
        marked += (
            f'class="gmail_attr">{_escaped(head)}</div><br><br>{MARKED}</div></div>'
        )
    elif way == "inline":
        plain = f"{shown}\n\n{_quoted(LINES[:9])}\n{text.first}\n\n{rest}\n\n"
        plain += _quoted(LINES[9:])
        half = quote.replace(MARKED, "<pre>{}</pre>")
        marked = '<div dir="ltr"><div class="gmail_quote gmail_quote_container">'
        marked += attribution + half.format(html.escape("\n".join(LINES[:9])))
        marked += own + half.format(html.escape("\n".join(LINES[9:]))) + "</div></div>"
    else:
        plain = f"{text.first}\n\n{rest}\n\n{shown}\n\n{_quoted()}"
        marked = f'<div dir="ltr">{own}</div><br><div class="gmail_quote '
        marked += f'gmail_quote_container">{attribution}{quote}</div>'
    subject = f"{'Fwd' if way == 'forward' else 'Re'}: {SUBJECT}"
    how = "quoted-printable" if way != "corrected" else "base64"
    content = _alternative(
        _part(plain, "text/plain", '"UTF-8"', how),
        _part(marked, "text/html", '"UTF-8"', how),
        "0000000000005f2c1b0647d1e9aa",
    )
    return subject, _mail(subject, "", content)


# Apple Mail: on a Mac (inline, forward) with plain text and HTML, on a telephone mostly
# plain text, or HTML alone after something was pasted.


def _apple(text: Text, words: Language, way: str) -> tuple[str, bytes]:
    wrote, own = words.wrote[1], f"{text.first}\n\n{text.rest}\n\n{words.apple}\n"
    marked = f"<div>{_escaped(text.first)}</div><div><br></div>"
    marked += f"<div>{_escaped(text.rest)}</div>"
    cited = f'<div><br><blockquote type="cite"><div>{_escaped(wrote)}</div><br '
    cited += f'class="Apple-interchange-newline"><div>{MARKED}</div></blockquote></div>'
    subject = f"Re: {SUBJECT}"
    phone = "X-Mailer: iPhone Mail (22B91)\n"
    mac = "X-Mailer: Apple Mail (2.3826.200.121)\n"
    if way == "reply":
        signed = '<div><br id="lineBreakAtBeginningOfSignature"><div dir="ltr">'
        signed += f"{words.apple}</div></div>"
        body = '<html><head><meta http-equiv="content-type" content="text/html"></head>'
        body += f'<body dir="auto">{marked}{signed}{cited}</body></html>'
        content = _alternative(
            _part(f"{own}\n> {wrote}\n> \n{_quoted()}", "text/plain", "utf-8", _QP),
            _part(body, "text/html", "utf-8", _QP),
            "Apple-Mail-F1B6C5A0",
        )
        return subject, _mail(subject, phone, content)
    if way == "inline":
        plain = (
            f"\n\n> {wrote}\n> \n{_quoted(LINES[:9])}\n{text.first}\n\n{text.rest}\n\n"
        )
        plain += _quoted(LINES[9:])
        more = "; format=flowed; delsp=yes"
        return subject, _mail(
            subject, mac, _part(plain, "text/plain", "utf-8", _QP, more)
        )
    if way == "forward":
        head = _headers(words.headers)
        plain = f"{text.first}\n\n{text.rest}\n\n{words.begin}\n\n"
        plain += _quoted([*head.splitlines(), "", *LINES])
        subject = f"Fwd: {SUBJECT}"
        return subject, _mail(subject, mac, _part(plain, "text/plain", "utf-8", _QP))
    body = f'<html><body dir="auto">{marked}{cited}</body></html>'
    return subject, _mail(subject, phone, _part(body, "text/html", "utf-8", _QP))


_QP = "quoted-printable"


# Thunderbird: plain text, format=flowed; a long paragraph goes on after a space.


def _thunderbird(text: Text, words: Language, way: str) -> tuple[str, bytes]:
    wrote, flowed = words.wrote[2], " \n".join(textwrap.wrap(text.rest, 71))
    own = f"{text.first}\n\n{flowed}\n"
    subject = f"Re: {SUBJECT}"
    if way == "forward":
        subject = f"Fwd: {SUBJECT}"
        dashes = "---" if words.charset == "iso-8859-2" else "--------"
        plain = f"{own}\n\n{dashes} {words.forwarded[0]} {dashes}\n"
        plain += "".join(reversed(_headers(words.headers).splitlines(True)))
        plain += f"\n\n\n{LETTER}"
    elif way == "inline":
        plain = f"{wrote}\n{_quoted(LINES[:9])}\n{own}\n{_quoted(LINES[9:])}"
    elif way == "corrected":  # an answer below the letter, and a signature
        plain = f"{wrote}\n{_quoted()}\n{own}\n-- \nAlice\nhttps://example.net/~alice\n"
    else:
        plain = f"{own}\n\n{wrote}\n{_quoted()}\n-- \nAlice\n"
    agent = "User-Agent: Mozilla Thunderbird\nContent-Language: de-DE\n"
    content = _part(plain, "text/plain", "UTF-8", "8bit", "; format=flowed")
    return subject, _mail(subject, agent, content)


# K-9 Mail: plain text and HTML; the quoted letter is wrapped at 72 columns.


def _k9(text: Text, words: Language, way: str) -> tuple[str, bytes]:
    wrote = words.wrote[3]
    own = f"{text.first}\n\n{text.rest}\n"
    signed = f"-- \n{words.k9}"
    subject = f"Re: {SUBJECT}"
    if way == "forward":
        subject = f"Fwd: {SUBJECT}"
        separator = f"-------- {words.forwarded[1]} --------\n"
        quote = f"\n\n{separator}{_headers(words.headers)}\n{LETTER}"
        marked = f"<br><br>{_escaped(separator + _headers(words.headers))}<br>{MARKED}"
    else:
        quote = f"\n\n{wrote}\n{_quoted()}"
        marked = f'<br><br><div class="gmail_quote">{_escaped(wrote)}<blockquote class='
        marked += '"gmail_quote" style="margin: 0pt 0pt 0pt 0.8ex; border-left: 1px '
        marked += f'solid rgb(204, 204, 204); padding-left: 1ex;">{MARKED}'
        marked += "</blockquote></div>"
    plain = f"{own}{signed}{quote}"
    if way == "inline":
        plain = f"{quote.strip()}\n\n{own}{signed}"
    agent = "User-Agent: K-9 Mail for Android\n"
    if way in ("inline", "forward"):
        return subject, _mail(subject, agent, _part(plain, "text/plain", "utf-8", _QP))
    body = f'<!DOCTYPE html><html><body><div dir="auto">{_escaped(own)}</div>'
    body += (
        f'<div class="k9mail-signature">{_escaped(signed)}</div>{marked}</body></html>'
    )
    content = _alternative(
        _part(plain, "text/plain", "utf-8", _QP),
        _part(body, "text/html", "utf-8", _QP),
        "----8AYX4Q1NXQ0KSVZ0JD3YH0E9UT2Z5J",
    )
    return subject, _mail(subject, agent, content)


# mutt: the text as its editor leaves it, in the oldest charset that will do.


def _mutt(text: Text, words: Language, way: str) -> tuple[str, bytes]:
    wrote = words.wrote[4]
    own = f"{text.first}\n\n{textwrap.fill(text.rest, 72)}\n"
    subject = f"Re: {SUBJECT}"
    if way == "reply":
        body = f"{own}\n{wrote}\n{_quoted()}"
    elif way == "inline":
        body = f"{wrote}\n{_quoted(LINES[:9])}\n{own}\n{_quoted(LINES[9:])}"
        body += "\n-- \nAlice\n"
    elif way == "forward":
        subject = f"Fwd: {SUBJECT}"
        body = f"{own}\n----- Forwarded message from {NAMED} -----\n\nDate: {DATE}\n"
        body += f"From: {NAMED}\nTo: {PLAYER}\nSubject: {SUBJECT}\n\n{LETTER}\n"
        body += "----- End forwarded message -----\n"
    else:
        body = f"{wrote}\n{_quoted()}\n{own}"
    how = "7bit" if words.charset == "us-ascii" else "8bit"
    content = _part(body, "text/plain", words.charset, how)
    agent = "User-Agent: Mutt/2.2.9 (2022-11-12)\nContent-Disposition: inline\n"
    return subject, _mail(subject, agent, content)


# Yahoo: its plain text has no quotation marks at all, and its apps send only HTML.


def _yahoo(text: Text, words: Language, way: str) -> tuple[str, bytes]:
    wrote = words.wrote[5]
    own = f" {text.first}\n\n{text.rest}\n"
    subject = f"Re: {SUBJECT}"
    marked = '<html><head></head><body><div class="ydp3a9c1f2eyahoo-style-wrap" style='
    marked += '"font-family:Helvetica Neue, Helvetica, Arial, sans-serif;">'
    marked += f'<div dir="ltr" data-setdir="false">{_escaped(text.first)}</div>'
    marked += (
        f'<div><br></div><div dir="ltr">{_escaped(text.rest)}</div><div><br></div>'
    )
    signed = '<div class="ydp3a9c1f2esignature">{}</div></div>'.format(
        f'<a href="https://mail.onelink.me/107872968">{words.yahoo}</a>'
    )
    old = '<div id="ydp51d9yahoo_quoted_3361" class="ydp51d9yahoo_quoted"><div style='
    old += f"\"font-family:'Helvetica Neue';\"><div>{_escaped(wrote)}</div><div><br>"
    old += f"</div><div><br></div><div>{MARKED}</div></div></div></body></html>"
    web = "X-Mailer: WebService/1.1.22876 YMailNorrin\n"
    if way == "forward":
        subject = f"Fw: {SUBJECT}"
        head = f"   ----- {words.forwarded[2]} ----- "
        head += _headers(words.headers).replace("\n", "")
        plain = f"{own}\n{head}\n {LETTER}"
        return subject, _mail(subject, web, _part(plain, "text/plain", "UTF-8", _QP))
    if way == "reply":
        plain = f"{own}\n    {wrote}  \n \n {LETTER}  "
        content = _alternative(
            _part(plain, "text/plain", "UTF-8", _QP),
            _part(f"{marked}</div>{old}", "text/html", "UTF-8", _QP),
            "----=_Part_1187_9028.1795251600000",
        )
        return subject, _mail(subject, web, content)
    if way == "corrected":
        plain = f"{own}\n\n{words.yahoo}\n\n\n{wrote}\n\n{LETTER}"
        content = _part(plain, "text/plain", "UTF-8", "base64")
        return subject, _mail(
            subject, "X-Mailer: WebService/1.1 YMailIosMobile\n", content
        )
    content = _part(f"{marked}{signed}{old}", "text/html", "UTF-8", "base64")
    return subject, _mail(subject, web, content)


# Outlook: a block of headers above the letter, which has no quotation marks. Companies
# add a disclaimer, and many of their servers send only HTML.


def _outlook(text: Text, words: Language, way: str) -> tuple[str, bytes]:
    answers, forwards = words.prefixes
    subject = f"{forwards if way == 'forward' else answers}{SUBJECT}"
    charset = words.charset if way == "reply" else "utf-8"
    own = f"{text.first}\n\n{text.rest}\n"
    client = "X-Mailer: Microsoft Outlook 16.0\nThread-Index: AdpE0XlMt0pKvQ==\n"
    if way == "reply":  # Outlook for Windows, as plain text
        title = {"RE: ": "Original Message", "AW: ": "Ursprüngliche Nachricht"}
        separator = f"-----{title.get(answers, words.forwarded[1])}-----"
        plain = f"{own}\n{separator}\n{_headers(words.headers)}\n{LETTER}"
        content = _part(plain, "text/plain", charset, _QP)
        return subject, _mail(subject, client, content)
    if way == "forward":  # the telephone's, with the rule of 32 underscores
        plain = f"{own}\n{words.outlook}<https://aka.ms/o0ukef>\n{'_' * 32}\n"
        plain += f"{_headers(words.headers)}\n{LETTER}"
        content = _part(plain, "text/plain", charset, "base64")
        return subject, _mail(subject, client, content)
    if way == "corrected":  # Exchange, with the company's disclaimer
        plain = f"{own}\n{textwrap.fill(words.disclaimer, 76)}\n\n"
        plain += f"{_headers(words.headers, bold='*')}\n{LETTER}"
        content = _alternative(
            _part(plain, "text/plain", charset, _QP),
            _part(_word(text, words), "text/html", charset, _QP),
            "_000_DB9PR04MB8461",
        )
        return subject, _mail(subject, client, content)
    # Outlook in a browser, where the server sends only HTML
    marked = (
        '<html><head><style type="text/css" style="display:none;"> P {margin-top:0;'
    )
    marked += 'margin-bottom:0;} </style></head><body dir="ltr">'
    marked += f'<div class="elementToProof">{_escaped(text.first)}</div>'
    marked += '<div class="elementToProof"><br></div><div class="elementToProof">'
    marked += f'{_escaped(text.rest)}</div><div id="appendonsend"></div>'
    marked += '<hr style="display:inline-block;width:98%" tabindex="-1">'
    marked += '<div id="divRplyFwdMsg" dir="ltr"><font face="Calibri, sans-serif">'
    marked += f"{_bold(words)}</font><div>&nbsp;</div></div>{MARKED}</body></html>"
    content = _part(marked, "text/html", charset, "base64")
    return subject, _mail(subject, client, content)


def _bold(words: Language) -> str:
    lines = _headers(words.headers).splitlines()
    return "<br>".join(
        f"<b>{_escaped(name)}:</b>{_escaped(value)}"
        for name, _, value in (line.partition(":") for line in lines)
    )


def _word(text: Text, words: Language) -> str:
    """HTML as Outlook for Windows writes it, with Word."""

    def paragraph(line: str) -> str:
        return f"<p class=MsoNormal>{_escaped(line)}<o:p></o:p></p>\r\n"

    return (
        '<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><!--[if !mso]>'
        "<style>v\\:* {behavior:url(#default#VML);}</style><![endif]--><style><!--\n"
        "p.MsoNormal {margin:0cm;font-size:11.0pt;}\n--></style></head><body lang=DE>"
        f"<div class=WordSection1>{paragraph(text.first)}"
        f"<p class=MsoNormal><o:p>&nbsp;</o:p></p>{paragraph(text.rest)}"
        f"<p>{_escaped(words.disclaimer)}</p>"
        "<div><div style='border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm "
        f"0cm 0cm'><p class=MsoNormal>{_bold(words)}<o:p></o:p></p></div></div>"
        f"{MARKED}</div></body></html>"
    )


_MAKERS = {
    "gmail": _gmail,
    "apple": _apple,
    "thunderbird": _thunderbird,
    "k9": _k9,
    "mutt": _mutt,
    "yahoo": _yahoo,
    "outlook": _outlook,
}
