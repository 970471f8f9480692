"""The terminal: the words after the prompt in, the answer out."""

import os
import sys
from collections.abc import Sequence

from pbm_holomino import owner, rules
from pbm_holomino.commands import parse, queries
from pbm_holomino.commands.refusals import refusal
from pbm_holomino.commands.request import Answer, Request
from pbm_holomino.errors import DONE, TRY_LATER, BadCommand, PbmError
from pbm_holomino.server.open import open_server
from pbm_holomino.server.transaction import Server

TEXT_COMMANDS = (
    "chat",
    "message",
    "broadcast",
    "multiple",
)  # what they pass on or carry out is typed, or given with -m
_HELP = ("--help", "-help", "-h")


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
        # whoever read has seen enough; without this the exit would complain
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except KeyboardInterrupt:
        return 130
    except Exception as error:  # a fault of ours must not frighten a player
        print(
            f"Sorry, something is wrong here ({type(error).__name__}: {error}).",
            file=sys.stderr,
        )
        return TRY_LATER


def _answer(words: list[str]) -> Answer:
    try:
        asked = [word for word in words if word not in _HELP]
        if owner.is_meant(asked):
            return owner.run(asked if asked == words else ["help", *asked])
        if asked != words:
            words = ["help", parse.page_for(asked, owner.COMMANDS)]
        request = parse.parse(words or ["help"], _ask, owner.COMMANDS)
        if request.command == "help":  # it needs no store
            return queries.help_page(request)
        if request.command in TEXT_COMMANDS and not request.body:
            request = request._replace(body=_typed())
        server, _ = open_server()
        if request.command == "multiple":
            return _several(request, server)
        return server.run(request)
    except PbmError as error:
        return refusal(error)


def _several(request: Request, server: Server) -> Answer:
    """Say what becomes of each command that is typed, in one text."""
    from pbm_holomino.server import multiple  # it is seldom used

    def carry_out(one: Request) -> Answer:
        try:
            return server.run(one)
        except PbmError as error:  # on a terminal that one can be tried again
            return refusal(error)

    said = multiple.joined(multiple.run(request, carry_out, _ask))
    _say(said._replace(status=DONE))
    return said._replace(text="")


def _say(answer: Answer) -> int:
    stream = sys.stdout if answer.status == DONE else sys.stderr
    if stream is not None:  # somebody may have closed it
        stream.write(answer.text)
        stream.flush()
    return answer.status


def _typed() -> str:
    """What is typed after a command, in whatever encoding."""
    if sys.stdin is None:
        return ""
    return sys.stdin.buffer.read().decode("utf-8", "replace")


def _ask(what: str) -> str:
    """The password that stands as `-`: PBM_PASSWORD, or what is typed unseen."""
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
