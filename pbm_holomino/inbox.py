"""One mail on standard input, as procmail hands it over.

The exit status is 0 for a mail that has been dealt with (a refusal to a player is
dealt with), 75 for one that must come again.
"""

import hashlib
import sys
import time

from pbm_holomino import grammar, mail, server
from pbm_holomino.config import Config
from pbm_holomino.errors import DONE, TRY_LATER, BadCommand, PbmError
from pbm_holomino.letters import Answer, Letter
from pbm_holomino.library import Library
from pbm_holomino.mail import Mail, Unreadable
from pbm_holomino.place import open_library
from pbm_holomino.post import sender
from pbm_holomino.server import Server


def main() -> int:
    """What procmail runs."""
    try:
        raw = sys.stdin.buffer.read()
        library, config = open_library()
        receive(raw, library, config)
    except PbmError as error:
        print(f"pbm-inbox: {error}", file=sys.stderr)
        return TRY_LATER
    except Exception as error:  # no mail is lost by a fault of ours: it comes again
        print(f"pbm-inbox: {type(error).__name__}: {error}", file=sys.stderr)
        return TRY_LATER
    return DONE


def receive(
    raw: bytes, library: Library, config: Config, robot: Server | None = None
) -> None:
    """Carry out a mail and answer it. Raises PbmError with status TRY_LATER where it
    must come again."""
    try:
        received = mail.read(raw, config.address)
    except Unreadable:
        name = hashlib.sha256(raw).hexdigest()[:16]
        library.store.drop("quarantine", f"{name}.eml", raw)
        return
    if received is None:
        return
    robot = robot or Server(library, sender(config, library.store))
    subject, answer = _answer(received, robot)
    if not answer.posted:
        _reply(received, subject, answer, robot, config)


def _answer(received: Mail, robot: Server) -> tuple[str, Answer]:
    """What to say to the sender, and with which subject."""
    try:
        if received.problem:
            raise BadCommand(received.problem)
        request = grammar.parse(received.words())
    except PbmError as error:
        return "Re: your command", server.refusal(error)
    request = request._replace(
        sender=received.sender,
        mail=received.id,
        body=mail.passed_on(received.body, request.password),
    )
    return request.subject, robot.run(request)


def _reply(
    received: Mail, subject: str, answer: Answer, robot: Server, config: Config
) -> None:
    if not answer.to and not _may_answer(received.sender, robot, config):
        return
    letter = Letter(
        key=f"answer.{received.id}",
        to=answer.to or (received.sender,),
        subject=subject,
        text=answer.text,
        answers=received.message_id,
    )
    robot.post(letter)


def _may_answer(address: str, robot: Server, config: Config) -> bool:
    """Whether a stranger has not had too many answers in this hour."""
    name = hashlib.sha256(address.lower().encode()).hexdigest()[:16]
    hour = time.strftime("%Y%m%d%H", time.gmtime())
    return robot.store.tally("strangers", hour, name) < config.answers_per_hour
