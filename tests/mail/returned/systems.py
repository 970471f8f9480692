"""Bounces as 50 mail systems write them that do not follow RFC 3464, each for three
reasons; and what else comes from programs. Written after such mails."""

from collections.abc import Iterator
from typing import NamedTuple

BOB, SERVER, TOKEN = "bob@example.org", "pbm@localhost", "abcdefghijklmnop"
LETTER = f"""\
Return-Path: <{SERVER}>
Received: from play.example (play.example [192.0.2.1]) by mx.example.org;
\tFri, 20 Nov 2026 08:00:00 +0000
From: {SERVER}
To: {BOB}
Subject: holo 1: your turn
Message-ID: <holo.1.4.bob.{TOKEN}@localhost>
Date: Fri, 20 Nov 2026 08:00:00 +0000

It is your turn, bob.
"""
HEAD = LETTER.partition("\n\n")[0] + "\n"


class System(NamedTuple):
    """How a mail system says that a mail has not been delivered: the From and the
    Subject of its mail, further headers, its text before the letter, and how the letter
    comes back: `text` below it, `part` beside it, or `none`. `{to}` is whom it does not
    reach, `{why}` what the other system has said."""

    sender: str
    subject: str
    text: str
    more: str = "Return-Path: <>"
    letter: str = "text"
    kind: str = "text/plain; charset=utf-8"


_AUTOMATIC = "This message was created automatically by mail delivery software."
_EXIM = f"""{_AUTOMATIC}

A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  {{to}}
    {{why}}

------ This is a copy of the message, including all the headers. ------
"""
_QMAIL = """Hi. This is the qmail-send program at mx.example.net.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<{to}>:
{why}

--- Below this line is a copy of the message.
"""
_GROUP = """Hello pbm@localhost,

We're writing to let you know that the group you tried to contact
(hexagons) may not exist, or you may not have permission to post messages
to the group. {why}

  {to}
"""
_GOOGLE = """Delivery to the following recipient failed permanently:

     {to}

Technical details of permanent failure:
{why}

----- Original message -----
"""
_REPORT = """The original message was received at Fri, 20 Nov 2026 08:00:00 GMT
from play.example [192.0.2.1]

   ----- The following addresses had permanent fatal errors -----
<{to}>
    (reason: {why})

   ----- Original message follows -----
"""
DAEMON = "Mail Delivery System <MAILER-DAEMON@mx.example.net>"
NONE = ""

SYSTEMS = {
    "exim": System(
        "Mail Delivery System <Mailer-Daemon@mx.example.net>",
        "Mail delivery failed: returning message to sender",
        _EXIM,
        f"Return-path: <>\nX-Failed-Recipients: {BOB}\nAuto-Submitted: auto-replied",
    ),
    "exim without marks": System(
        "mailer@mx.example.net",
        "Mail delivery failed: returning message to sender",
        _EXIM,
        NONE,
    ),
    "qmail": System("MAILER-DAEMON@mx.example.net", "failure notice", _QMAIL),
    "qmail, forwarded": System("mx@example.net", "failure notice", _QMAIL, NONE),
    "gmail": System(
        "Mail Delivery Subsystem <mailer-daemon@googlemail.com>",
        "Delivery Status Notification (Failure)",
        _GOOGLE,
        f"Return-Path: <>\nX-Failed-Recipients: {BOB}\nAuto-Submitted: auto-replied",
    ),
    "google groups": System(
        "Mail Delivery Subsystem <mailer-daemon@googlemail.com>",
        "Delivery Status Notification (Failure)",
        _GROUP,
        f"X-Failed-Recipients: {BOB}\nIn-Reply-To: <holo.1.4.bob.{TOKEN}@localhost>",
        "none",
    ),
    "opensmtpd": System(
        "Mailer Daemon <MAILER-DAEMON@mx.example.net>",
        "Delivery status notification: error",
        "    Hi!\n\n    This is the MAILER-DAEMON, please DO NOT REPLY to this "
        "email.\n\n"
        "    An error has occurred while attempting to deliver a message for\n"
        "    the following list of recipients:\n\n{to}: {why}\n\n"
        "    Below is a copy of the original message:\n",
    ),
    "dragonfly": System(
        "MAILER-DAEMON <>",
        "Mail delivery failed",
        "This is the DragonFly Mail Agent v0.13 at mx.example.net.\n\n"
        "There was an error delivering your mail to <{to}>.\n\n{why}\n\n"
        "Message headers follow.\n",
        NONE,
    ),
    "yahoo": System(
        "MAILER-DAEMON@yahoo.example",
        "Failure Notice",
        "Sorry, we were unable to deliver your message to the following address.\n\n"
        "<{to}>:\n{why}\n\n--- Below this line is a copy of the message.\n",
    ),
    "mail.ru": System(
        "mailer-daemon@corp.mail.example",
        "Mail failure.",
        f"{_AUTOMATIC}\n\nA message that you sent could not be delivered to one or\n"
        "more of its recipients. The following address failed:\n\n  {to}\n    {why}\n",
        f"X-Failed-Recipients: {BOB}",
        "part",
    ),
    "sendmail": System(
        "Mail Delivery Subsystem <MAILER-DAEMON@mx.example.net>",
        "Returned mail: see transcript for details",
        _REPORT,
    ),
    "sendmail, renamed": System(
        "mail@mx.example.net", "Returned mail: User unknown", _REPORT, NONE
    ),
    "post_master": System(
        "post_master@example.net",
        "Undeliverable mail",
        "Your mail could not be delivered to {to}: {why}\n",
        NONE,
        "part",
    ),
    "james": System(
        "postmaster@mx.example.net",
        "[BOUNCE]holo 1: your turn",
        "Hi. This is the James mail server at mx.example.net.\nI'm afraid I wasn't "
        "able "
        "to deliver your message to the following addresses.\nThis is a permanent "
        "error; "
        "I've given up.\n\nFailed recipient(s):\n{to}\n\nError message:\n{why}\n",
        letter="part",
    ),
    "gmx": System(
        '"GMX Mailer Daemon" <mailer-daemon@gmx.example>',
        "Mail delivery failed: returning message to sender",
        f"{_AUTOMATIC}\n\nA message that you sent could not be delivered to\none or "
        f"more "
        "of its recipients. This is a permanent error.\nThe following address "
        "failed:\n\n"
        "{to}:\n{why}\n\n--- The header of the original message is following. ---\n",
    ),
    "zoho": System(
        "mailer-daemon@mail.zoho.example",
        "Undelivered Mail Returned to Sender",
        f"{_AUTOMATIC}\n A message that you sent could not be delivered to one or "
        f"more of "
        "its recipients. This is a permanent error.\n\n{to}, ERROR_CODE :{why}\n",
        NONE,
        "part",
    ),
    "domino": System(
        "Postmaster@company.example",
        "DELIVERY FAILURE: User bob (bob@example.org) not listed in Domino Directory",
        "Your message\n\n  Subject: holo 1: your turn\n\nwas not delivered to:\n\n  "
        "{to}\n\n"
        "because:\n\n  {why}\n",
        NONE,
        "part",
    ),
    "exchange 2003": System(
        "System Administrator <postmaster@company.example>",
        "Undeliverable: holo 1: your turn",
        "Your message\n\n  To:      {to}\n  Subject: holo 1: your turn\n\ndid not "
        "reach the "
        "following recipient(s):\n\n{to} on Fri, 20 Nov 2026 08:00:01 +0000\n    "
        "{why}\n",
        f"In-Reply-To: <holo.1.4.bob.{TOKEN}@localhost>",
        "none",
    ),
    "exchange, german": System(
        "Systemadministrator <admin@firma.example>",
        "Unzustellbar: holo 1: your turn",
        "Fehler bei der Nachrichtenzustellung an folgende Empfänger oder Gruppen:\n\n"
        "{to}\n{why}\n",
        f"In-Reply-To: <holo.1.4.bob.{TOKEN}@localhost>",
        "none",
    ),
    "exchange, french": System(
        "Microsoft Outlook "
        "<MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@ent.example>",
        "Non remis : holo 1: your turn",
        "Échec de la remise pour ces destinataires ou groupes :\n\n{to}\n{why}\n",
        f"References: <holo.1.4.bob.{TOKEN}@localhost>",
        "none",
    ),
    "exchange, spanish": System(
        "Microsoft Outlook <outlook@empresa.example>",
        "No se puede entregar: holo 1: your turn",
        "No se pudo entregar el mensaje a:\n\n{to}\n{why}\n",
        f"In-Reply-To: <holo.1.4.bob.{TOKEN}@localhost>",
        "none",
    ),
    "exchange, dutch": System(
        "Microsoft Outlook <mail@bedrijf.example>",
        "Onbestelbaar: holo 1: your turn",
        "Bezorging mislukt bij deze geadresseerden of groepen:\n\n{to}\n{why}\n",
        f"In-Reply-To: <holo.1.4.bob.{TOKEN}@localhost>",
        "none",
    ),
    "imail": System(
        "Postmaster <postmaster@isp.example>",
        "Undeliverable Mail",
        "Unknown user: {to}\n{why}\n\nOriginal message follows.\n",
        "X-Mailer: <SMTP32 v8.22>",
    ),
    "mdaemon": System(
        "MDaemon@company.example",
        "MDaemon Notification -- Delivery Status",
        "The attached message had PERMANENT fatal delivery errors!\n\n"
        "Failed address: {to}\n{why}\n",
        "X-MDaemon-Deliver-Report: yes",
        "part",
    ),
    "courier": System(
        '"Courier mail server at mx.example.net" <@mx.example.net>',
        "NOTICE: mail delivery status.",
        "This is a delivery status notification from mx.example.net,\nrunning the "
        "Courier "
        "mail server.\n\nThe original message was received on Fri, 20 Nov 2026\n\n"
        "UNDELIVERABLE MAIL\n\nYour message to the following recipients cannot be "
        "delivered:\n\n<{to}>:\n{why}\n",
        letter="part",
    ),
    "qq": System(
        "PostMaster@qq.example",
        "=?utf-8?B?5p2l6IeqcXEuY29t55qE6YCA5L+h?=",
        "<html><body><p>很抱歉，您的邮件被退回</p><p>收件人：{to}</p><p>{why}</p></body></html>",
        letter="part",
        kind="text/html; charset=utf-8",
    ),
    "lotus notes": System(
        "postmaster@company.example",
        "Delivery Failure Report",
        "Your document:\nholo 1: your turn\nwas not delivered "
        "to:\n{to}\nbecause:\n{why}\n",
        NONE,
        "part",
    ),
    "aol": System(
        "Mail Delivery Subsystem <MAILER-DAEMON@aol.example>",
        "Mail Delivery Problem",
        "Your mail to the following recipients could not be delivered because they "
        "are\n"
        "not accepting mail from pbm@localhost:\n\n\t{to}\n{why}\n",
        letter="part",
    ),
    "a machine without a name": System(
        "system@mx.example.net",
        "Message not delivered",
        "Sorry, your message could not be delivered.\n\nRecipient: {to}\nReason: "
        "{why}\n\n"
        "Returned message:\n",
        NONE,
    ),
    "mailman": System(
        "hexagons-bounces@lists.example",
        "Delivery failure",
        "Your message to the following address could not be delivered:\n\n  "
        "{to}\n{why}\n",
        "Return-Path: <>",
        "part",
    ),
    # kept apart
    "smtpd of a router": System(
        "postmaster@router.example",
        "Undelivered Mail Returned to Sender",
        "Message delivery to '{to}' failed\nSMTP module(domain example.org) reports:\n"
        "  {why}\n\nReporting follows\n",
    ),
    "biglobe": System(
        "postmaster@isp.example",
        "Returned mail: User unknown",
        "   ----- The following addresses had delivery problems -----\n\n{to}    "
        "{why}\n\n"
        "   ----- Original message follows -----\n",
        NONE,
    ),
    "ezweb": System(
        "Postmaster@phone.example",
        "Mail System Error - Returned Mail",
        "The user(s) account is disabled:\n\n<{to}>\n{why}\n",
        letter="part",
    ),
    "verizon": System(
        "Post_Master@mobile.example",
        "Undeliverable Message",
        "Error: The message that you sent was undeliverable to the following:\n\n  "
        "{to}\n\n"
        "{why}\n",
        NONE,
        "part",
    ),
    "mailmarshal": System(
        "MailMarshal@company.example",
        "Undeliverable Mail: holo 1: your turn",
        "Your message:\n   From:    pbm@localhost\n   Subject: holo 1: your "
        "turn\n\nCould not "
        "be delivered because of\n\n{why}\n\nThe following recipients were affected:\n"
        "    {to}\n",
        NONE,
        "part",
    ),
    "bigfoot": System(
        "Mail Delivery Subsystem <MAILER-DAEMON@mail.example>",
        "Returned mail: No such user",
        "   ----- Transcript of session follows -----\n... while talking to "
        "mx.example.org:\n"
        ">>> RCPT TO:<{to}>\n<<< {why}\n\n   ----- Message headers follow -----\n",
    ),
    "interscan": System(
        '"InterScan MSS" <ism@company.example>',
        "Mail could not be delivered",
        "****** Message from InterScan Messaging Security Suite ******\n\n"
        "Sent <<< RCPT TO:<{to}>\nReceived >>> {why}\n\nUnable to deliver message "
        "to <{to}>.\n",
        NONE,
        "part",
    ),
    "trend": System(
        "mailadmin@company.example",
        "Mail Delivery Failure",
        "The message could not be delivered.\n\nRecipient: <{to}>\nReason: {why}\n",
        NONE,
        "part",
    ),
    "exchange, italian": System(
        "Microsoft Outlook <posta@azienda.example>",
        "Non recapitabile: holo 1: your turn",
        "Recapito non riuscito per questi destinatari o gruppi:\n\n{to}\n{why}\n",
        f"In-Reply-To: <holo.1.4.bob.{TOKEN}@localhost>",
        "none",
    ),
    "exchange, polish": System(
        "Microsoft Outlook <poczta@firma.example>",
        "Niedostarczalne: holo 1: your turn",
        "Nie można dostarczyć wiadomości do następujących adresatów:\n\n{to}\n{why}\n",
        f"In-Reply-To: <holo.1.4.bob.{TOKEN}@localhost>",
        "none",
    ),
    "exchange, swedish": System(
        "Microsoft Outlook <post@foretag.example>",
        "Kan inte levereras: holo 1: your turn",
        "Det gick inte att leverera meddelandet till följande "
        "mottagare:\n\n{to}\n{why}\n",
        f"In-Reply-To: <holo.1.4.bob.{TOKEN}@localhost>",
        "none",
    ),
    "163": System(
        "Postmaster@163.example",
        "=?utf-8?B?57O757uf6YCA5L+h?=",
        "<html><body><div>您的邮件无法送达：{to}</div><div>{why}</div></body></html>",
        letter="part",
        kind="text/html; charset=utf-8",
    ),
    "t-online": System(
        "mailer-daemon@isp.example",
        "Nachricht konnte nicht zugestellt werden",
        "|------------------------- Message log follows: -------------------------|\n"
        " no valid recipients were found for this message\n"
        "|------------------------- Failed addresses follow: ---------------------|\n"
        " <{to}> ... {why}\n|------------------------- Message text follows: "
        "---------|\n",
    ),
    "russian host": System(
        "robot@pochta.example",
        "Недоставленное сообщение",
        "Ваше письмо не было доставлено:\n\n{to}\n{why}\n",
        NONE,
        "part",
    ),
}
APART = tuple(SYSTEMS)[[*SYSTEMS].index("smtpd of a router") :]

UNKNOWN = (
    "550 5.1.1 <bob@example.org>: Recipient address rejected: User unknown",
    "192.0.2.25 does not like recipient.\nRemote host said: 554 delivery error: no "
    "such user",
    "SMTP error from remote mail server after RCPT TO: 550 No such user here",
)


class Bounce(NamedTuple):
    """A bounce, by the name of its system."""

    raw: bytes
    is_apart: bool


def bounce(system: System, why: str, to: str = BOB) -> bytes:
    """The bounce of a mail system."""
    text = system.text.replace("{to}", to).replace("{why}", why)
    head = f"From: {system.sender}\nTo: {SERVER}\nSubject: {system.subject}\n"
    head += "Date: Fri, 20 Nov 2026 08:00:01 +0000\nMessage-ID: <1@mx.example.net>\n"
    head += f"{system.more}\n" if system.more else ""
    if system.letter == "part":
        head += "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=XX\n"
        text = f"--XX\nContent-Type: {system.kind}\n\n{text}\n"
        text += f"--XX\nContent-Type: message/rfc822\n\n{LETTER}\n--XX--\n"
    else:
        head += f"Content-Type: {system.kind}\n"
        text += f"\n{LETTER}" if system.letter == "text" else ""
    return f"{head}\n{text}".encode()


def bounces() -> Iterator[tuple[str, Bounce]]:
    """All of them, with their names."""
    for name, system in SYSTEMS.items():
        for number, why in enumerate(UNKNOWN):
            yield f"{name} {number}", Bounce(bounce(system, why), name in APART)


def _mail(sender: str, subject: str, text: str, more: str = "") -> bytes:
    head = f"From: {sender}\nTo: {SERVER}\nSubject: {subject}\nMessage-ID: <2@x>\n"
    return f"{head}{more}{chr(10) * bool(more)}\n{text}".encode()


def _parts(sender: str, subject: str, *parts: str, more: str = "") -> bytes:
    kind = more or "Content-Type: multipart/mixed; boundary=XX"
    text = "".join(f"--XX\n{part}\n" for part in parts) + "--XX--\n"
    return _mail(sender, subject, text, f"MIME-Version: 1.0\n{kind}")


ANSWER = f"In-Reply-To: <holo.1.4.bob.{TOKEN}@localhost>"
_COPY = f"Content-Type: message/rfc822\nContent-Disposition: inline\n\n{LETTER}"
_FEEDBACK = (
    "Feedback-Type: abuse\nUser-Agent: SomeGenerator/1.0\nVersion: 0.1\n"
    "Source-IP: 192.0.2.1\n"
)
_REACTED = {
    "en": "Bob reacted to your message:",
    "en of gmail": "Bob reacted via Gmail",
    "de": "Bob hat auf Ihre Nachricht reagiert:",
    "fr": "Bob a réagi à votre message :",
    "es": "Bob ha reaccionado a tu mensaje:",
}
_ABSENT = {
    "en": "Automatic reply: holo 1: your turn",
    "de": "Automatische Antwort: holo 1: your turn",
    "nl": "Automatisch antwoord: holo 1: your turn",
    "fr": "Réponse automatique : holo 1: your turn",
    "es": "Respuesta automática: holo 1: your turn",
    "it": "Risposta automatica: holo 1: your turn",
    "pt": "Resposta automática: holo 1: your turn",
    "pl": "Odpowiedź automatyczna: holo 1: your turn",
    "cs": "Automatická odpověď: holo 1: your turn",
    "sv": "Autosvar: holo 1: your turn",
    "da": "Automatisk svar: holo 1: your turn",
    "fi": "Automaattinen vastaus: holo 1: your turn",
    "ru": "Автоматический ответ: holo 1: your turn",
    "uk": "Автоматична відповідь: holo 1: your turn",
    "tr": "Otomatik Yanıt: holo 1: your turn",
    "el": "Αυτόματη απάντηση: holo 1: your turn",
    "ja": "自動応答: holo 1: your turn",
    "zh": "自动答复: holo 1: your turn",
    "ko": "자동 회신: holo 1: your turn",
    "at the end": "Re: holo 1: your turn (out of office)",
    "in brackets": "[Auto-Reply] holo 1: your turn",
}


def automatic() -> Iterator[tuple[str, bytes]]:
    """What programs send beside bounces: none may be carried out or answered."""
    for code, subject in _ABSENT.items():
        yield f"absent, {code}", _mail(BOB, subject, "pass\n\nI am away.\n", ANSWER)
    for code, line in _REACTED.items():
        text = f"\U0001f44d {line}\n\nFrom: {SERVER}\nSubject: holo 1\n\nYour turn.\n"
        yield f"reacted, {code}", _mail(BOB, "Re: holo 1: your turn", text, ANSWER)
        text = f"{line} \u2764\ufe0f\n\n> It is your turn.\n"
        yield f"reacted after, {code}", _mail(BOB, "Re: holo 1", text, ANSWER)
    staff = "staff@hotmail.example"
    yield "hotmail", _parts(staff, "complaint about message from 192.0.2.1", _COPY)
    for number, (sender, subject) in enumerate(
        (
            ("feedback@isp.example", "Abuse report"),
            ("abuse@isp.example", "FW: holo 1: your turn"),
            ("fbl@isp.example", "Email Feedback Report for IP 192.0.2.1"),
        )
    ):
        said = (
            "Content-Type: text/plain\n\nThis is an email abuse report for a message."
        )
        fields = f"Content-Type: message/feedback-report\n\n{_FEEDBACK}"
        yield f"arf {number}", _parts(sender, subject, said, fields, _COPY)
        fields = f"Content-Type: text/plain\n\n{_FEEDBACK}"
        yield f"arf, plain {number}", _parts(sender, subject, said, fields, _COPY)
        one = f"Content-Type: text/plain\n\nThis is an abuse report.\n\n{_FEEDBACK}"
        yield f"arf, one text {number}", _parts(sender, subject, one, _COPY)
    for name in ("noreply", "no-reply", "no_reply", "post_master", "mailer-daemon"):
        yield name, _mail(f"{name}@example.org", "help", "help")
    for header in ("X-Autoreply: yes", "X-ARF: yes"):
        yield header, _mail(BOB, "help", "help", header)
    late = "Warning: message 1tD-1 delayed 24 hours"
    for sender in (DAEMON, "Postmaster <postmaster@x.example>"):
        yield (
            late + sender,
            _mail(sender, late, f"Not yet delivered: {BOB}\n\n{LETTER}"),
        )


_QUOTED = (
    "\n\nOn Fri, 20 Nov 2026 at 9:12 Holomino <pbm@localhost> wrote:\n> Your turn.\n"
)
# What people write that looks a bit like it, each with its Subject.
PEOPLE = (
    ("Undeliverable?", "Did my last mail not reach you? Bob"),
    ("Returned mail", "I have not got one. Is it my turn?"),
    ("Mail delivery failed", "My letter to alice came back to me, why?"),
    ("Fwd: Undeliverable: holo 1: your turn", f"Look what I got.\n\n{_EXIM}\n{LETTER}"),
    ("Re: Mail delivery failed", f"pass{_QUOTED}"),
    ("failure notice", "Will you please notice my failure?"),
    ("Re: holo 1: your turn", f"123:17\n\nI was out of office.{_QUOTED}"),
    ("Re: holo 1: your turn", f"123:17\n\n550 points, User unknown!{_QUOTED}"),
    ("Re: holo 1: your turn", f"\U0001f44d 123:17{_QUOTED}"),
    ("Re: holo 1: your turn", f"123:17\n\nMy mail could not be delivered.{_QUOTED}"),
    ("Re: holo 1: your turn", f"chat\nBob reacted to your message badly.{_QUOTED}"),
    ("Automatic", "help"),
    ("Absent friends", "help"),
    ("help", "The following addresses failed: bob@example.org"),
    ("AW: holo 1: your turn", f"pass{_QUOTED}"),
    ("complaint about message from alice", "She was rude."),
    ("holo move 1 alice xanadu 123:17", "Sorry for the delay, delivery failed."),
    ("Re: Delivery Status Notification (Failure)", "help\n\nThat came to me."),
    ("My mailbox is full", "list"),
    ("Message from bob", "I could not be delivered from evil."),
)
WRITERS = (
    BOB,
    "staff@school.example",
    "master@post.example",
    "Post Mastersen <post.mastersen@example.org>",
    "bounce.back@example.org",
    "Daemon Hill <daemon.hill@example.org>",
)


def people() -> Iterator[tuple[str, bytes]]:
    """Mails of people, which are all to be read."""
    for number, (subject, text) in enumerate(PEOPLE):
        for writer in WRITERS:
            more = ANSWER if "Re:" in subject else ""
            yield f"{number} {writer}", _mail(writer, subject, text, more)
