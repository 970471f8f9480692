"""`multiple`: the commands in a text, one a line, carried out in order."""

from collections.abc import Callable, Iterator, Sequence

from pbm_holomino import grammar, server
from pbm_holomino.errors import BadCommand, PbmError
from pbm_holomino.request import Answer, Request
from pbm_holomino.texts import MOST_COMMAND, MOST_NOTE, own_lines, words
from pbm_holomino.words import RULE

MOST_COMMANDS = 50


def run(
    request: Request,
    carry_out: Callable[[Request], Answer],
    ask: Callable[[str], str] | None = None,
) -> list[Answer]:
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
    lines = [line for line in own_lines(text) if line.strip()]
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
) -> Answer:
    name = "your command"
    try:
        request = _parsed(line, ask)
    except PbmError as error:
        answer = server.refusal(error)
    else:
        name = request.name
        mail = f"{several.mail}/{number}" if several.by_mail else several.mail
        answer = carry_out(request._replace(sender=several.sender, mail=mail))
    refused = ": refused" if answer.status else ""
    return answer._replace(text=f"{number}. {name}{refused}\n\n{answer.text}")


def _parsed(line: str, ask: Callable[[str], str] | None) -> Request:
    command = words(line)
    # the last of them may be a text
    if len(line) > MOST_NOTE or sum(map(len, command[:-1])) > MOST_COMMAND:
        raise BadCommand("That line is too long for a command.", "multiple")
    request = grammar.parse(command, ask)
    if request.command == "multiple":
        raise BadCommand('"multiple" is no command within "multiple".', "multiple")
    return request


def joined(answers: Sequence[Answer]) -> Answer:
    """One answer of many, with the greatest of their statuses."""
    text = RULE.join(answer.text for answer in answers)
    return answers[0]._replace(text=text, status=max(a.status for a in answers))


def by_reader(answers: Sequence[Answer], sender: str) -> Iterator[Answer]:
    """The answers joined for each of those whom they go to, in order. What has no
    addressee goes with what the sender gets as a player, or else to the sender."""
    own = (a.to for a in answers if sender.lower() in map(str.lower, a.to))
    home = next(own, ())
    groups: dict[tuple[str, ...], list[Answer]] = {}
    for answer in answers:
        to = answer.to or home
        groups.setdefault(to, []).append(answer._replace(to=to))
    return map(joined, groups.values())
