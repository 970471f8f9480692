"""Bounces as mail systems write them (RFC 3464, and one that does not follow it)."""

from typing import NamedTuple


class Lost(NamedTuple):
    """A mail that could not be delivered: to whom, the mail, the address that the
    bounce goes to, and what the report says."""

    to: str
    mail: bytes
    bounced_to: str = "pbm@localhost"
    action: str = "failed"
    status: str = "5.1.1"
    said: str = "550 5.1.1 User unknown"

    @property
    def head(self) -> str:
        """The headers of the mail."""
        return self.mail.partition(b"\n\n")[0].decode("ascii") + "\n"


def postfix(lost: Lost) -> bytes:
    return f"""\
Return-Path: <>
Received: by games.example.net (Postfix)
\tid 4F2B11C00A; Fri, 20 Nov 2026 08:00:01 +0000 (UTC)
Date: Fri, 20 Nov 2026 08:00:01 +0000 (UTC)
From: MAILER-DAEMON@games.example.net (Mail Delivery System)
Subject: Undelivered Mail Returned to Sender
To: {lost.bounced_to}
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status;
\tboundary="3A1111C009.1795161601/games.example.net"
Content-Transfer-Encoding: 8bit
Message-Id: <20261120080001.4F2B11C00A@games.example.net>

This is a MIME-encapsulated message.

--3A1111C009.1795161601/games.example.net
Content-Description: Notification
Content-Type: text/plain; charset=us-ascii

This is the mail system at host games.example.net.

I'm sorry to have to inform you that your message could not
be delivered to one or more recipients. It's attached below.

--3A1111C009.1795161601/games.example.net
Content-Description: Delivery report
Content-Type: message/delivery-status

Reporting-MTA: dns; games.example.net
X-Postfix-Queue-ID: 3A1111C009
X-Postfix-Sender: rfc822; {lost.bounced_to}
Arrival-Date: Fri, 20 Nov 2026 08:00:00 +0000 (UTC)

Final-Recipient: rfc822; {lost.to}
Original-Recipient: rfc822;{lost.to}
Action: {lost.action}
Status: {lost.status}
Remote-MTA: dns; mx.example.org
Diagnostic-Code: smtp; {lost.said}

--3A1111C009.1795161601/games.example.net
Content-Description: Undelivered Message
Content-Type: message/rfc822

Return-Path: <{lost.bounced_to}>
{lost.mail.decode("ascii")}
--3A1111C009.1795161601/games.example.net--
""".encode("ascii")


def exim(lost: Lost) -> bytes:
    """Exim's status is 5.0.0 whatever the other server has said, and it has no final
    recipient but the one that it was given."""
    return f"""\
Return-path: <>
Envelope-to: {lost.bounced_to}
Delivery-date: Fri, 20 Nov 2026 08:00:01 +0000
X-Failed-Recipients: {lost.to}
Auto-Submitted: auto-replied
From: Mail Delivery System <Mailer-Daemon@mail.example.net>
To: {lost.bounced_to}
References: <1@x>
Content-Type: multipart/report; report-type=delivery-status; boundary=1795161601-exim-1
MIME-Version: 1.0
Subject: Mail delivery failed: returning message to sender
Message-Id: <E1tDabc-0001Xy-2Z@mail.example.net>
Date: Fri, 20 Nov 2026 08:00:01 +0000

--1795161601-exim-1
Content-type: text/plain; charset=us-ascii

This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  {lost.to}
    host mx.example.org [192.0.2.25]
    SMTP error from remote mail server after RCPT TO:<{lost.to}>:
    {lost.said}

--1795161601-exim-1
Content-type: message/delivery-status

Reporting-MTA: dns; mail.example.net

Action: {lost.action}
Final-Recipient: rfc822;{lost.to}
Status: 5.0.0
Remote-MTA: dns; mx.example.org
Diagnostic-Code: smtp; {lost.said}

--1795161601-exim-1
Content-type: message/rfc822

Return-path: <{lost.bounced_to}>
{lost.mail.decode("ascii")}
--1795161601-exim-1--
""".encode("ascii")


def exchange(lost: Lost) -> bytes:
    """Exchange returns the headers alone, and writes lines with CR LF."""
    text = f"""\
From: <postmaster@example.org>
To: <{lost.bounced_to}>
Subject: Undeliverable: holo 1: your turn
Thread-Topic: holo 1: your turn
Date: Fri, 20 Nov 2026 08:00:01 +0000
Message-ID: <7c9a1f00-1b2c-4d3e@DB9PR01MB1234.eurprd01.prod.example.com>
Content-Type: multipart/report; report-type=delivery-status;
\tboundary="_000_7c9a1f001b2c4d3eDB9PR01MB1234_"
X-MS-Exchange-Message-Is-Ndr:
Auto-Submitted: auto-replied
MIME-Version: 1.0

--_000_7c9a1f001b2c4d3eDB9PR01MB1234_
Content-Type: multipart/alternative; differences=Content-Type;
\tboundary="_002_7c9a1f001b2c4d3eDB9PR01MB1234_"

--_002_7c9a1f001b2c4d3eDB9PR01MB1234_
Content-Type: text/plain; charset="us-ascii"
Content-Transfer-Encoding: quoted-printable

{lost.to} wasn't found at example.org.=20

--_002_7c9a1f001b2c4d3eDB9PR01MB1234_
Content-Type: text/html; charset="us-ascii"
Content-Transfer-Encoding: quoted-printable

<html><body><b>Your message couldn't be delivered.</b></body></html>

--_002_7c9a1f001b2c4d3eDB9PR01MB1234_--

--_000_7c9a1f001b2c4d3eDB9PR01MB1234_
Content-Type: message/delivery-status

Reporting-MTA: dns;DB9PR01MB1234.eurprd01.prod.example.com
Received-From-MTA: dns;games.example.net
Arrival-Date: Fri, 20 Nov 2026 08:00:00 +0000

Final-Recipient: rfc822;{lost.to.capitalize()}
Action: {lost.action}
Status: {lost.status}
Diagnostic-Code: smtp;{lost.said}
X-Display-Name: Bob

--_000_7c9a1f001b2c4d3eDB9PR01MB1234_
Content-Type: text/rfc822-headers

{lost.head}
--_000_7c9a1f001b2c4d3eDB9PR01MB1234_--
"""
    return text.replace("\n", "\r\n").encode("ascii")


def gmail(lost: Lost) -> bytes:
    return f"""\
Delivered-To: {lost.bounced_to}
Return-Path: <>
From: Mail Delivery Subsystem <mailer-daemon@googlemail.com>
To: {lost.bounced_to}
Auto-Submitted: auto-replied
Subject: Delivery Status Notification (Failure)
References: <1@x>
In-Reply-To: <1@x>
X-Failed-Recipients: {lost.to}
Message-ID: <674d9e01.050a0220.2ab1cd.0001.GMR@mx.google.com>
Date: Fri, 20 Nov 2026 00:00:01 -0800 (PST)
Content-Type: multipart/report; boundary="000000000000a1b2c3062761";
 report-type=delivery-status

--000000000000a1b2c3062761
Content-Type: multipart/related; boundary="000000000000a1b2d9062765"

--000000000000a1b2d9062765
Content-Type: multipart/alternative; boundary="000000000000a1b2e5062766"

--000000000000a1b2e5062766
Content-Type: text/plain; charset="UTF-8"

** Address not found **

Your message wasn't delivered to {lost.to} because the address couldn't be found.

--000000000000a1b2e5062766
Content-Type: text/html; charset="UTF-8"

<html><body>Address not found</body></html>

--000000000000a1b2e5062766--
--000000000000a1b2d9062765
Content-Type: image/png; name="icon.png"
Content-Disposition: attachment; filename="icon.png"
Content-Transfer-Encoding: base64
Content-ID: <icon.png>

iVBORw0KGgo=
--000000000000a1b2d9062765--
--000000000000a1b2c3062761
Content-Type: message/delivery-status

Reporting-MTA: dns; googlemail.com
Arrival-Date: Fri, 20 Nov 2026 00:00:00 -0800 (PST)
X-Original-Message-ID: <1@x>

Final-Recipient: rfc822; {lost.to}
Action: {lost.action}
Status: {lost.status}
Remote-MTA: dns; mx.example.org. (192.0.2.25, the server for the domain.)
Diagnostic-Code: smtp; {lost.said}
Last-Attempt-Date: Fri, 20 Nov 2026 00:00:01 -0800 (PST)

--000000000000a1b2c3062761
Content-Type: message/rfc822

Return-Path: <{lost.bounced_to}>
{lost.mail.decode("ascii")}
--000000000000a1b2c3062761--
""".encode("ascii")


def qmail(lost: Lost) -> bytes:
    """In qmail's own format (QSBMF), which is no report of RFC 3464."""
    return f"""\
Return-Path: <>
From: MAILER-DAEMON@mail.example.net
To: {lost.bounced_to}
Subject: failure notice
Date: 20 Nov 2026 08:00:01 -0000

Hi. This is the qmail-send program at mail.example.net.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<{lost.to}>:
192.0.2.25 does not like recipient.
Remote host said: {lost.said}
Giving up on 192.0.2.25.

--- Below this line is a copy of the message.

Return-Path: <{lost.bounced_to}>
{lost.mail.decode("ascii")}
""".encode("ascii")


SYSTEMS = {
    "postfix": postfix,
    "exim": exim,
    "exchange": exchange,
    "gmail": gmail,
    "qmail": qmail,
}
