"""`multiple`: commands in a text, one per line, carried out in order."""

import re
from collections.abc import Callable, Sequence
from itertools import chain

from pbm_holomino.commands import parse
from pbm_holomino.commands.known_names import NOTHING, Known
from pbm_holomino.commands.params import PICTURES
from pbm_holomino.commands.queries import ruled
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
from pbm_holomino.languages import ENGLISH_CODE, Sentence, sentence
from pbm_holomino.letters.content import Content, Heading, in_words, printed
from pbm_holomino.match.record import SHELL
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.sentences import DASHES, quoted

MOST_COMMANDS = 50

_OPTION = rf"(?i)\s*[{DASHES}]{{1,2}}[a-z]"


# What is above the answer to a line: whether it was typed as commands are, and done
_HEADINGS = {
    (True, True): sentence("{number}. {command}"),
    (True, False): sentence("{number}. {command}: refused"),
    (False, True): sentence("{number}. {command} (read as {line})"),
    (False, False): sentence("{number}. {command} (read as {line}): refused"),
}
_UNREAD = sentence("{number}. your command: refused")
_NOT_WITHIN = sentence('{word} cannot be used within "multiple".')


class Part(NamedTuple):
    """The answer to one command, under its heading; `userid` is the player whose
    password it had, if any."""

    userid: str
    heading: Sentence
    answer: Answer

    def told(self, code: str) -> Content:
        """What it says in the language with this code, unless it has been said
        already."""
        answer = self.answer.in_language(code)
        heading = Heading(in_words(self.heading, answer.language))
        return (heading,), *(answer.content or printed(answer.text))


def run(
    request: Request,
    carry_out: Callable[[Request], Answer],
    ask: Callable[[str], str] | None = None,
    known: Known = NOTHING,
) -> list[Part]:
    """The answers to the commands in the body of this request, in order, each with a
    heading. `carry_out` runs one command; an error that it raises ends the run, and the
    same mail may come again, as each command is known by the mail's id and its number.
    `ask` asks for a password typed as `-`, and `known` helps to read the commands.

    Raises BadCommand, before anything is done, for no commands or too many.
    """
    return [
        _headed(number, line, request, carry_out, ask, known)
        for number, line in enumerate(_commands(request), 1)
    ]


def _commands(request: Request) -> list[str]:
    """The lines with commands: in the mail, or else typed with the command."""
    own = (own_lines(text) for text in (request.origin.text, request.body))
    given = next((lines for lines in own if any(map(str.strip, lines))), [])
    groups: list[list[str]] = []
    for line in filter(str.strip, given):
        if groups and re.match(_OPTION, line):  # a mail program has wrapped the line
            groups[-1].append(line)
        else:
            groups.append([line])
    lines = [" ".join(group) for group in groups]
    if lines[-1:] == [CUT_OFF]:
        raise BadCommand(
            sentence(
                "That text is too long for several commands: nothing has been done."
            ),
            "multiple",
        )
    if not lines:
        raise BadCommand(
            sentence(
                "There is no command in that text: please write one command per line, "
                "above anything that you quote."
            ),
            "multiple",
        )
    if len(lines) > MOST_COMMANDS:
        raise BadCommand(
            sentence(
                "That text has {lines} lines, but one text can hold at most {most} "
                "commands: nothing has been done.",
                lines=len(lines),
                most=MOST_COMMANDS,
            ),
            "multiple",
        )
    return lines


def _headed(
    number: int,
    line: str,
    several: Request,
    carry_out: Callable[[Request], Answer],
    ask: Callable[[str], str] | None,
    known: Known,
) -> Part:
    userid, said = "", _UNREAD.of(number=number)
    try:
        request = _parsed(line, ask, known)
    except PbmError as error:
        answer = refusal(error)
    else:
        userid = request.userid
        mail, sender = several.origin.mail, several.origin.sender
        if mail != SHELL:
            mail = f"{mail}/{number}"
        answer = carry_out(
            request._replace(allowance=several.allowance).coming(
                mail=mail, sender=sender
            )
        )
        is_plain, is_done = not request.read_as, not answer.status
        said = _HEADINGS[is_plain, is_done].of(
            number=number, command=request.name, line=request.read_as
        )
    return Part(userid if answer.to else "", said, answer)


def _parsed(line: str, ask: Callable[[str], str] | None, known: Known) -> Request:
    command = words(line)
    # the last word may be a text
    if len(line) > MOST_NOTE or sum(map(len, command[:-1])) > MOST_COMMAND:
        raise BadCommand(sentence("That line is too long for a command."), "multiple")
    request = parse.parse(command, ask, known=known)
    if request.command == "multiple":
        raise BadCommand(_NOT_WITHIN.of(word=quoted("multiple")), "multiple")
    if request.format in PICTURES:
        form = quoted(f"-format={request.format}")
        raise BadCommand(_NOT_WITHIN.of(word=form), "multiple")
    return request


def joined(parts: Sequence[Part], code: str = ENGLISH_CODE) -> Answer:
    """Answers joined into one, with the highest of their statuses. It is `over` if all
    of them are. Those whose reader was not known are in the language with this code."""
    answers = [part.answer for part in parts]
    told = ruled(part.told(code) for part in parts)
    over = answers[0].over if all(answer.over for answer in answers) else ""
    due = tuple(chain.from_iterable(answer.due for answer in answers))
    status = max(answer.status for answer in answers)
    made = Answer.of(told, status, over=over)
    return made._replace(due=due, language=code, form=answers[0].form)


def by_reader(parts: Sequence[Part], sender: str) -> list[Answer]:
    """The answers joined for each reader, in order; a player gets theirs at the
    addresses that they have after the last command. Answers for nobody in particular
    join those of the player whose address the sender has, or go to the sender."""
    now = {part.userid: part.answer.to for part in parts if part.userid}
    names = {to: userid for userid, to in now.items()}
    known = (*now.values(), *(part.answer.to for part in parts))
    own = (to for to in known if sender.lower() in map(str.lower, to))
    home = next(own, ())
    groups: dict[tuple[str, ...], list[Part]] = {}
    for part in parts:
        to = now.get(part.userid) or home or part.answer.to
        groups.setdefault(to, []).append(part)
    return [
        joined(group, _language(group))._replace(to=to, reader=names.get(to, ""))
        for to, group in groups.items()
    ]


def _language(parts: Sequence[Part]) -> str:
    """The code of the language of the reader of these answers."""
    codes = (part.answer.language for part in parts)
    return next((code for code in codes if code != ENGLISH_CODE), ENGLISH_CODE)
