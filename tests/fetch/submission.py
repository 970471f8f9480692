"""A provider's server for letters that leave, on the loopback: those who log in over
TLS can send to its mailboxes, which are those of a Dovecot. It may give every letter
another Message-ID, know no addresses with a plus, or take letters for junk."""

import json
import re
import ssl
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, LoginPassword

from tests.fetch.provider import PASSWORD, USER, Provider
from tests.processes import free_port


class Submission:
    """How it treats letters, and those that it has taken."""

    def __init__(self, dovecot: Provider) -> None:
        self.dovecot = dovecot
        self.changes_ids = False
        self.knows_plus = True
        self.folder = ""  # where letters go
        self.loses = False
        self.refuses = False  # our sender
        self.taken: list[bytes] = []
        self.port = free_port()

    async def handle_MAIL(
        self, server: Any, session: Any, envelope: Any, address: str, options: Any
    ) -> str:
        if self.refuses:
            return "553 5.7.1 Sender address rejected: not owned by user"
        envelope.mail_from = address
        return "250 OK"

    async def handle_RCPT(
        self, server: Any, session: Any, envelope: Any, address: str, options: Any
    ) -> str:
        if "+" in address and not self.knows_plus:
            return "550 5.1.1 There is no such mailbox"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        letter = envelope.content.replace(b"\r\n", b"\n")
        if self.changes_ids:
            new = f"<{len(self.taken)}.changed@provider.example>".encode()
            letter = re.sub(rb"(?m)^(Message-ID:) <.*>$", rb"\1 " + new, letter)
        self.taken.append(letter)
        for address in () if self.loses else envelope.rcpt_tos:
            user = re.sub(r"\+.*@", "@", address)
            self.dovecot.put(letter, user=user, folder=self.folder)
        return "250 OK"

    def authenticate(
        self, server: Any, session: Any, envelope: Any, mechanism: str, data: Any
    ) -> AuthResult:
        right = LoginPassword(USER.encode(), PASSWORD.encode())
        return AuthResult(success=data == right, handled=data == right)

    async def auth_XOAUTH2(self, server: Any, args: list[str]) -> AuthResult:
        """By a token that is for our mailbox."""
        said = b64decode(args[1]).decode()
        user, given = re.fullmatch(
            "user=(.*)\x01auth=Bearer (.*)\x01\x01", said
        ).groups()  # type: ignore[union-attr]
        claims = b64decode(given.split(".")[1] + "==")
        is_right = user == USER and json.loads(claims)["sub"] == USER
        return AuthResult(success=is_right, handled=is_right)


@contextmanager
def submission(dovecot: Provider) -> Iterator[Submission]:
    """Such a server while the block runs, with the certificate of the Dovecot."""
    found = Submission(dovecot)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(
        dovecot.certificate, dovecot.certificate.with_suffix(".key")
    )
    controller = Controller(
        found,
        hostname="127.0.0.1",
        port=found.port,
        ssl_context=context,
        authenticator=found.authenticate,
        auth_required=True,
        auth_require_tls=False,  # it is TLS from the start
    )
    controller.start()
    try:
        yield found
    finally:
        controller.stop()
