"""One mail on standard input, as procmail hands it over.

The exit status is 0 for a mail that has been dealt with (a refusal to a player is
dealt with), 75 for one that must come again.
"""

import hashlib
import sys

from pbm_holomino import grammar, mail, server
from pbm_holomino.config import Config
from pbm_holomino.errors import DONE, TRY_LATER, BadCommand, PbmError
from pbm_holomino.letters import Letter
from pbm_holomino.mail import Mail, Unreadable
from pbm_holomino.place import open_server
from pbm_holomino.request import Answer
from pbm_holomino.server import Server
from pbm_holomino.store import QUARANTINE
from pbm_holomino.texts import passed_on

MOST_KEPT = 1_000  # mails in quarantine: strangers must not fill the disk
MOST_KEPT_BYTES = 100_000_000


def main() -> int:
    """What procmail runs."""
    try:
        raw = sys.stdin.buffer.read()
        robot, config = open_server()
        receive(raw, robot, config)
    except Exception as error:  # no mail is lost by a fault of ours: it comes again
        kind = "" if isinstance(error, PbmError) else f"{type(error).__name__}: "
        print(f"pbm-inbox: {kind}{error}", file=sys.stderr)
        return TRY_LATER
    return DONE


def receive(raw: bytes, robot: Server, config: Config) -> None:
    """Carry out a mail and answer it. Raises PbmError with status TRY_LATER where it
    must come again."""
    try:
        received = mail.read(raw, config.address)
    except Unreadable:
        name = hashlib.sha256(raw).hexdigest()[:16]
        robot.store.drop(QUARANTINE, f"{name}.eml", raw)
        robot.store.prune(QUARANTINE, MOST_KEPT, MOST_KEPT_BYTES)
        return
    if received is None:
        return
    answered = _answer(received, robot, config)
    if answered is not None and not answered[1].posted:
        _reply(received, *answered, robot, config)


def _answer(received: Mail, robot: Server, config: Config) -> tuple[str, Answer] | None:
    """With which subject, and what, to answer the sender; None where strangers have
    had their answers for this hour."""
    try:
        if received.problem:
            raise BadCommand(received.problem)
        request = grammar.parse(received.words())
    except PbmError as error:
        return "Re: your command", server.refusal(error)
    request = request._replace(
        sender=received.sender,
        mail=received.id,
        body=passed_on(received.body or request.body, request.password),
    )
    # these need no password, and bring letters to whom they name
    strangers = {"signup": request.words or (received.sender,)}
    strangers["challenge"] = (received.sender,)
    for address in strangers.get(request.command, ()):
        if not _may_answer(address, robot, config):
            return None
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
    hour = robot.now()[:13]
    return robot.store.tally("strangers", hour, name) < config.answers_per_hour
