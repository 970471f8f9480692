"""`multiple`: the commands in a text, one a line, carried out in order."""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from pbm_holomino.commands import parse
from pbm_holomino.commands.refusals import refusal
from pbm_holomino.commands.request import Answer, Request
from pbm_holomino.commands.texts import (
    CUT_OFF,
    MOST_COMMAND,
    MOST_NOTE,
    own_lines,
    words,
)
from pbm_holomino.errors import BadCommand, PbmError
from pbm_holomino.sentences import DASHES, RULE

MOST_COMMANDS = 50

_OPTION = re.compile(rf"\s*[{DASHES}]{{1,2}}[a-z]", re.IGNORECASE)


class Part(NamedTuple):
    """What a command is answered, under its heading; `userid` is the player who has
    shown who they are, if one has."""

    userid: str
    answer: Answer


def run(
    request: Request,
    carry_out: Callable[[Request], Answer],
    ask: Callable[[str], str] | None = None,
) -> list[Part]:
    """The answers to the commands in the body of this request, in order, each with a
    heading. `carry_out` judges one; what it raises ends all, and the same mail may
    come again: each command is known by the mail's id and its place.

    Raises BadCommand, before anything is done, where there are none or too many.
    """
    return [
        _headed(number, line, request, carry_out, ask)
        for number, line in enumerate(_commands(request.body), 1)
    ]


def _commands(text: str) -> list[str]:
    groups: list[list[str]] = []
    for line in filter(str.strip, own_lines(text)):
        if groups and _OPTION.match(line):  # a mail program has broken the line there
            groups[-1].append(line)
        else:
            groups.append([line])
    lines = [" ".join(group) for group in groups]
    if lines[-1:] == [CUT_OFF]:
        raise BadCommand(
            "That text is too long for several commands: nothing has been done.",
            "multiple",
        )
    if not lines:
        raise BadCommand(
            "There is no command in that text: please write one a line, and plainly, "
            "not in HTML.",
            "multiple",
        )
    if len(lines) > MOST_COMMANDS:
        raise BadCommand(
            f"There are {len(lines)} lines in that text, and {MOST_COMMANDS} commands "
            "are the most in one: nothing has been done.",
            "multiple",
        )
    return lines


def _headed(
    number: int,
    line: str,
    several: Request,
    carry_out: Callable[[Request], Answer],
    ask: Callable[[str], str] | None,
) -> Part:
    name = userid = ""
    try:
        request = _parsed(line, ask)
    except PbmError as error:
        answer = refusal(error)
    else:
        name, userid = request.name, request.userid
        mail = f"{several.mail}/{number}" if several.by_mail else several.mail
        answer = carry_out(
            request._replace(
                sender=several.sender, mail=mail, allowance=several.allowance
            )
        )
    refused = ": refused" if answer.status else ""
    heading = f"{number}. {name or 'your command'}{refused}"
    headed = answer._replace(text=f"{heading}\n\n{answer.text}")
    return Part(userid if answer.to else "", headed)


def _parsed(line: str, ask: Callable[[str], str] | None) -> Request:
    command = words(line)
    # the last of them may be a text
    if len(line) > MOST_NOTE or sum(map(len, command[:-1])) > MOST_COMMAND:
        raise BadCommand("That line is too long for a command.", "multiple")
    request = parse.parse(command, ask)
    if request.command == "multiple":
        raise BadCommand('"multiple" is no command within "multiple".', "multiple")
    return request


def joined(parts: Sequence[Part]) -> Answer:
    """One answer of many, with the greatest of their statuses. It says no more than
    that there were too many if none of them does."""
    answers = [part.answer for part in parts]
    text = RULE.join(answer.text for answer in answers)
    over = answers[0].over if all(answer.over for answer in answers) else ""
    return Answer(text, max(answer.status for answer in answers), over=over)


def by_reader(parts: Sequence[Part], sender: str) -> list[Answer]:
    """The answers joined for each of those whom they go to, in order: a player at the
    addresses that they have by now. What is no player's goes with what the sender
    gets as one, or else to the sender."""
    now = {part.userid: part.answer.to for part in parts if part.userid}
    known = (*now.values(), *(part.answer.to for part in parts))
    own = (to for to in known if sender.lower() in map(str.lower, to))
    home = next(own, ())
    groups: dict[tuple[str, ...], list[Part]] = {}
    for part in parts:
        to = now.get(part.userid) or home or part.answer.to
        groups.setdefault(to, []).append(part)
    return [joined(group)._replace(to=to) for to, group in groups.items()]
