"""One mail on standard input, as procmail hands it over.

The exit status is 0 for a mail that has been dealt with (a refusal to a player is
dealt with), 75 for one that must come again.
"""

import hashlib
import sys

from pbm_holomino import grammar, mail, server
from pbm_holomino.config import Config
from pbm_holomino.errors import (
    DONE,
    TRY_LATER,
    BadCommand,
    CannotSend,
    NotAllowed,
    PbmError,
)
from pbm_holomino.letters import Letter
from pbm_holomino.mail import Mail, Unreadable
from pbm_holomino.place import open_server
from pbm_holomino.request import Answer, Request
from pbm_holomino.server import Server
from pbm_holomino.store import QUARANTINE
from pbm_holomino.texts import passed_on

MOST_KEPT = 1_000  # mails in quarantine: strangers must not fill the disk
MOST_KEPT_BYTES = 100_000_000


def main() -> int:
    """What procmail runs."""
    try:
        if sys.stdin is None:
            raise PbmError("There is no mail: standard input is closed.")
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
    end = b"" if raw.endswith(b"\n") else b"\n"  # which LMTP gives every mail
    try:
        received = mail.read(raw + end, config.address)
    except Unreadable:
        name = hashlib.sha256(raw).hexdigest()[:16]
        robot.store.drop(QUARANTINE, f"{name}.eml", raw)
        robot.store.prune(QUARANTINE, MOST_KEPT, MOST_KEPT_BYTES)
        return
    if received is None:
        return
    subject, answers = _answers(received, robot, config)
    for number, answer in enumerate(answers, 1):
        if not answer.posted and (
            answer.to or _may_answer(received.sender, robot, config)
        ):
            reply = _reply(received, subject, number, answer)
            for unsent in robot.post_all([reply]).values():
                raise CannotSend(unsent.why)


def _answers(received: Mail, robot: Server, config: Config) -> tuple[str, list[Answer]]:
    """With which subject, and what, to answer: several commands have an answer for
    each of their readers. There is none where strangers have had their answers for
    this hour."""
    try:
        if received.problem:
            raise BadCommand(received.problem)
        request = grammar.parse(received.words())
    except PbmError as error:
        return "Re: your command", [server.refusal(error)]
    body = received.body if passed_on(received.body) else request.body
    request = request._replace(sender=received.sender, mail=received.id, body=body)
    if request.command == "multiple":
        return request.subject, _several(request, robot, config)
    answer = _carried_out(request, robot, config)
    return request.subject, [answer] if answer else []


def _several(request: Request, robot: Server, config: Config) -> list[Answer]:
    from pbm_holomino import several  # most mails are one command

    def carry_out(one: Request) -> Answer:
        return _carried_out(one, robot, config) or server.refusal(
            NotAllowed("There have been too many of these: please wait an hour.")
        )

    try:
        parts = several.run(request, carry_out)
    except BadCommand as error:
        return [server.refusal(error)]
    return several.by_reader(parts, request.sender)


def _carried_out(request: Request, robot: Server, config: Config) -> Answer | None:
    """The answer to a command that has come by mail; None where strangers have had
    their answers for this hour."""
    # these need no password, and bring letters to whom they name
    strangers = {
        "signup": request.words or (request.sender,),
        "challenge": (request.sender,),
    }
    for address in strangers.get(request.command, ()):
        if not _may_answer(address, robot, config):
            return None
    return robot.run(request)


def _reply(received: Mail, subject: str, number: int, answer: Answer) -> Letter:
    key = f"answer.{received.id}"
    return Letter(
        key=key if number == 1 else f"{key}.{number}",
        to=answer.to or (received.sender,),
        subject=subject,
        text=answer.text,
        answers=received.message_id,
        once=True,
    )


def _may_answer(address: str, robot: Server, config: Config) -> bool:
    """Whether a stranger may have one more answer in this hour: each that is asked
    for counts."""
    name = hashlib.sha256(address.lower().encode()).hexdigest()[:16]
    hour = robot.now()[:13]
    return robot.store.tally("strangers", hour, name) < config.answers_per_hour
