"""A command that is typed in a shell: its words go in, and what it prints comes out.

The same is done in the shell's own process and in a server to which that hands its
words.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Literal, Protocol

from pbm_holomino import __version__, rules
from pbm_holomino.commands import parse, table
from pbm_holomino.commands.known_names import Known, known_to
from pbm_holomino.commands.refusals import NOBODY_TO_ASK, no_png, refusal
from pbm_holomino.commands.request import Answer, Request
from pbm_holomino.commands.table import Effect
from pbm_holomino.errors import DONE, BadCommand, PbmError
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.server import wire

if TYPE_CHECKING:
    from pbm_holomino.server.transaction import Server
    from pbm_holomino.store.library import Library

_HELP = ("--help", "-help", "-h")
_VERSION = "--version"


class Typed(Protocol):
    """A command as it was typed: the name of the script, and the words after it.

    `source` is the id by which the store knows the command. `is_terminal` says whether
    what it prints is shown on a terminal, which has `width` columns.
    """

    words: list[str]
    source: str
    is_terminal: bool
    width: int

    def ask(self, question: str) -> str | None:
        """The password for a `-`; None if nobody can be asked."""

    def text(self) -> str:
        """What is typed after the command."""


class Printed(NamedTuple):
    """What a command prints, and its exit status: a text on standard output or on
    standard error, or the content of a `file` on standard output. `then` is to be
    called when it has been printed: it has the letters sent that are due."""

    status: int
    stream: Literal["out", "err", "file"]
    content: bytes
    then: Callable[[], object] = lambda: None


def printed(
    typed: Typed,
    open_server: "Callable[[], Server]",
    owner: Callable[[Sequence[str]], Answer],
) -> Printed:
    """Carry out a command. The server is opened only if it is needed, and `owner`
    answers the owner's commands and those for help on them."""
    try:
        if typed.words[1:] == [_VERSION]:
            return _said(Answer(f"pbm_holomino {__version__}\n"))
        words = _words(typed.words)
        if table.is_owners(words):
            return _said(owner(words))
        known = known_to(lambda: _library(open_server))
        ask = _asker(typed)
        request = parse.parse(words, ask, in_shell=True, known=known)
        if request.command == "help":  # it needs no store
            if request.options:
                return _said(owner(words))
            if table.is_owners_help(request.words):
                return _said(owner(("help", *request.words)))
            found: Answer = table.find(request).decision()(request)
            return _said(found.after_reading(request))
        command = table.find(request)
        if command.lacks_text(request):
            request = request._replace(body=typed.text())
        request = request.coming(mail=typed.source)
        server = open_server()
        if command.effect is Effect.MULTIPLE:
            return _several(request, server, ask, known)
        answer = server.run(request)
        if answer.attachments:
            return _files(answer, typed.is_terminal)
        return _then(server, answer, _said(answer.after_reading(request)))
    except PbmError as error:
        return _said(refusal(error))


def _words(typed: Sequence[str]) -> list[str]:
    """The words of the command: those for a help page if help is asked for anywhere.
    Raises BadCommand."""
    script, *words = typed
    if script in rules.names():
        words = [script, *words]
    plain = [word for word in words if word not in _HELP]
    if plain != words:
        return ["help", *parse.page_for(plain).split()]
    return words or ["help"]


def _asker(typed: Typed) -> Callable[[str], str]:
    """A function that asks for a password. Where nobody can be asked it raises
    BadCommand, and does not try again."""
    is_somebody_there = True

    def ask(question: str) -> str:
        nonlocal is_somebody_there
        given = typed.ask(question) if is_somebody_there else None
        if given is None:
            is_somebody_there = False
            raise BadCommand(NOBODY_TO_ASK[question])
        return given

    return ask


def _library(open_server: "Callable[[], Server]") -> "Library | None":
    """The store's, if there is one that can be read now."""
    try:
        return open_server().library
    except PbmError:  # only a command needs it
        return None


def _several(
    request: Request, server: "Server", ask: Callable[[str], str], known: Known
) -> Printed:
    """Carry out the commands in a text, and print their answers in one."""
    from pbm_holomino.commands import multiple  # seldom used

    def carry_out(one: Request) -> Answer:
        try:
            return server.run(one)
        except PbmError as error:  # it can be typed again
            return refusal(error)

    said = multiple.joined(multiple.run(request, carry_out, ask, known))
    return _then(server, said, _said(said)._replace(stream="out"))


def _then(server: "Server", answer: Answer, printed: Printed) -> Printed:
    """What is printed, and then the letters that are due."""
    return printed._replace(then=partial(server.deliver, answer.due))


def _said(answer: Answer) -> Printed:
    stream: Literal["out", "err"] = "out" if answer.status == DONE else "err"
    return Printed(answer.status, stream, wire.encode(answer.text))


def _files(answer: Answer, is_terminal: bool) -> Printed:
    """The files that an answer brings, in place of its text. Raises NotAllowed for a
    file that a terminal cannot show."""
    for file in answer.attachments:
        if file.kind == "image/png" and is_terminal:
            raise no_png(file.name)
    content = b"".join(file.content for file in answer.attachments)
    return Printed(answer.status, "file", content)
