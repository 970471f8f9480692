"""The terminal: the words after the prompt go in, the answer comes out."""

import os
import sys
from collections.abc import Sequence

from pbm_holomino import __version__, owner, rules
from pbm_holomino.commands import parse, table
from pbm_holomino.commands.known import Known, known_to
from pbm_holomino.commands.refusals import refusal
from pbm_holomino.commands.request import Answer, Request
from pbm_holomino.commands.table import Effect
from pbm_holomino.errors import DONE, TRY_LATER, BadCommand, NotAllowed, PbmError
from pbm_holomino.server.open import open_server
from pbm_holomino.server.transaction import Server
from pbm_holomino.store.library import Library

_HELP = ("--help", "-help", "-h")
_VERSION = "--version"


def main(argv: Sequence[str] | None = None) -> int:
    """What `pbm` and each game's command run: the script's own name comes first."""
    script, *words = sys.argv if argv is None else argv
    name = os.path.basename(script)
    if name in rules.names():
        words = [name, *words]
    for stream in filter(None, (sys.stdout, sys.stderr)):
        stream.reconfigure(errors="replace")
    if f"_{name.upper()}_COMPLETE" in os.environ:
        from pbm_holomino.owner import completion  # only a shell asks so

        return completion.answer(name)
    try:
        return _say(_answer(words))
    except BrokenPipeError:
        # the reader has seen enough; without this, Python would complain at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except KeyboardInterrupt:
        return 130
    except Exception as error:  # players need no traceback of our faults
        print(
            f"Sorry, something is wrong here ({type(error).__name__}: {error}).",
            file=sys.stderr,
        )
        return TRY_LATER


def _answer(words: list[str]) -> Answer:
    try:
        if words[-1:] == [_VERSION] and len(words) <= 2:  # a game may come before it
            return Answer(f"pbm_holomino {__version__}\n")
        plain = [word for word in words if word not in _HELP]
        if plain != words:
            words = ["help", parse.page_for(plain)]
        if owner.is_meant(words):
            return owner.run(words)
        known = known_to(_library)
        request = parse.parse(words or ["help"], _ask, in_shell=True, known=known)
        if request.command == "help":  # it needs no store
            return _help(request)
        command = table.find(request)
        if command.takes_text and not request.body:
            request = request._replace(body=_typed())
        server, _ = open_server()
        if command.effect is Effect.MULTIPLE:
            return _several(request, server, known)
        return _with_files_written(server.run(request)).after_reading(request)
    except PbmError as error:
        return refusal(error)


def _with_files_written(answer: Answer) -> Answer:
    """The answer, once the files that it brings are written in place of its text.
    Raises NotAllowed for a file that a terminal cannot show."""
    if not answer.attachments:
        return answer
    for file in answer.attachments:
        if sys.stdout is not None:  # it may be closed
            if file.kind == "image/png" and sys.stdout.isatty():
                raise NotAllowed(
                    "A terminal cannot show a PNG: please save it in a file, with "
                    f'">{file.name}" at the end of the line.'
                )
            sys.stdout.buffer.write(file.content)
    return answer._replace(text="")


def _help(request: Request) -> Answer:
    if owner.has_help(request.words):
        return Answer(owner.page())
    found: Answer = table.find(request).decision()(request)
    return found.after_reading(request)


def _library() -> Library | None:
    """The store's, if there is one that can be read now."""
    try:
        return open_server()[0].library
    except PbmError:  # only a command needs it
        return None


def _several(request: Request, server: Server, known: Known) -> Answer:
    """Carry out the commands that are typed, and print their answers in one text."""
    from pbm_holomino.server import multiple  # seldom used

    def carry_out(one: Request) -> Answer:
        try:
            return server.run(one)
        except PbmError as error:  # it can be typed again
            return refusal(error)

    said = multiple.joined(multiple.run(request, carry_out, _ask, known))
    _say(said._replace(status=DONE))
    return said._replace(text="")


def _say(answer: Answer) -> int:
    stream = sys.stdout if answer.status == DONE else sys.stderr
    if stream is not None:  # it may be closed
        stream.write(answer.text)
        stream.flush()
    return answer.status


def _typed() -> str:
    """What is typed after a command, in any encoding."""
    if sys.stdin is None:
        return ""
    return sys.stdin.buffer.read().decode("utf-8", "replace")


def _ask(what: str) -> str:
    """The password for a `-`: PBM_PASSWORD, or what is typed at a prompt without an
    echo."""
    is_new = what.startswith("New")
    given = os.environ.get("PBM_PASSWORD")
    if given is not None and not is_new:
        return given
    import click

    try:
        if sys.stdin is None or not sys.stdin.isatty():
            raise click.Abort
        typed: str = click.prompt(
            what, hide_input=True, err=True, confirmation_prompt=is_new
        )
    except click.Abort:
        raise BadCommand("There is nobody to ask for the password.") from None
    return typed
