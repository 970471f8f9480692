"""The pieces of which the commands' forms are made, and the commands themselves."""

from collections.abc import Callable, Sequence
from typing import Any

import click

from pbm_holomino.commands import kinds
from pbm_holomino.commands.request import Request
from pbm_holomino.errors import BadCommand
from pbm_holomino.match.account import is_userid

Build = Callable[..., Request]
Kind = Callable[[str], Any]


class Flag(click.Option):
    """An option that needs no value."""


class Command(click.Command):
    """A command that has the parameters that it was given, and no others."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        # click's own adds --help, and looks for doubled names each time it is asked
        return self.params


def argument(name: str, kind: Kind | None = None, **how: Any) -> Any:
    """A word that has its place, read as its kind."""
    return click.Argument([name], type=kind, **how)


USERID = argument("userid", kinds.userid)
PASSWORD = argument("password", kinds.password)
BOARD_NO = argument("board", kinds.board)
TEXT = click.Option(["--m"], default="")
FORMAT = click.Option(["--format"], type=kinds.form, default="text")


def rest(name: str, least: int = 0, kind: Kind | None = None) -> Any:
    """The words that are left, at least so many."""
    return argument(name, kind, nargs=-1, required=least > 0)


def entered(
    commands: dict[str, click.Command], usage: str, *params: click.Parameter
) -> Callable[[Build], Build]:
    """Enter a command, which is named by the function and used as told."""

    def enter(build: Build) -> Build:
        name = build.__name__.strip("_").replace("_", " ")
        commands[name] = Command(name, callback=build, params=list(params), help=usage)
        return build

    return enter


def selected(words: Sequence[str]) -> dict[str, Any]:
    """Boards or userids, and a list word at the end, as fields of a request."""
    lower = [word.lower() for word in words]
    which = lower.pop() if lower and lower[-1] in kinds.LISTS else ""
    lower = list(dict.fromkeys(lower))
    boards = [kinds.BOARD.fullmatch(word) for word in lower if word[:1].isdigit()]
    names = [word for word in lower if not word[:1].isdigit()]
    if None in boards:
        raise BadCommand(
            "A board is a number, as 12, or 12#3 for after move 3.", "show"
        )
    if boards and (names or which):
        raise BadCommand("Boards and players do not mix in one command.", "show")
    if not all(map(is_userid, names)):
        raise BadCommand(
            "Where a userid or a board is expected stands neither.", "show"
        )
    return {
        "boards": tuple((int(b[1]), b[2] and int(b[2])) for b in boards if b),
        "words": tuple(names),
        "which": which,
    }
