"""`pbm completion`: what teaches a shell to complete the commands' words.

The shell's script runs the command with its words in the environment: click finds what
may come next in a tree that is made of the table of commands. Userids and passwords are
not completed.
"""

import os
from collections.abc import Mapping

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    add_completion_class,
    get_completion_class,
    shell_complete,
)

from pbm_holomino import rules
from pbm_holomino.commands import table
from pbm_holomino.commands.params import Kind, Option, Place
from pbm_holomino.commands.request import Answer, Request
from pbm_holomino.commands.table import Command

_GAME = "{game}"  # the first word of a command in the table, for each game


def variable(name: str) -> str:
    """The environment variable in which a shell asks what may come after `name`."""
    return f"_{name.upper()}_COMPLETE"


def answer(name: str) -> int:
    """Print what may come next, as the variable asks. Returns the exit status."""
    asked = variable(name)
    return shell_complete(_after(name), {}, name, asked, os.environ[asked])


def run(request: Request) -> Answer:
    """The script for a shell: it completes `pbm` and each game's command."""
    (shell,) = request.words
    return Answer("\n".join(script(shell, name) for name in ("pbm", *rules.names())))


def script(shell: str, name: str) -> str:
    """The script with which a shell completes what comes after one command."""
    kind = get_completion_class(shell)
    assert kind is not None
    return kind(_after(name), {}, name, variable(name)).source()


@add_completion_class
class _Bash(BashComplete):
    """Bash breaks words at `=`, which means the same as a space here."""

    def get_completion_args(self) -> tuple[list[str], str]:
        words, last = super().get_completion_args()
        return [word for word in words if word != "="], last


# The tree


class _Group(click.Group):
    """The commands that begin with the same words: `inner` has each with the words
    that are left of it."""

    def __init__(
        self, name: str, inner: Mapping[tuple[str, ...], Command], game: str = ""
    ) -> None:
        super().__init__(name, add_help_option=False)
        self.inner = inner
        self.game = game

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The words that may come next."""
        firsts = dict.fromkeys(words[0] for words in self.inner if words)
        nexts = (rules.names() if word == _GAME else (word,) for word in firsts)
        return sorted(word for words in nexts for word in words)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command or the group that one more word leads to, if any."""
        is_game = cmd_name in rules.names() and not self.game
        first, game = (_GAME, cmd_name) if is_game else (cmd_name, self.game)
        inner = {w[1:]: c for w, c in self.inner.items() if w[:1] == (first,)}
        if [*inner] == [()]:
            return _Leaf(inner[()]._replace(game=game))
        return _Group(cmd_name, inner, game) if inner else None


class _Leaf(click.Command):
    """A command of the table."""

    def __init__(self, command: Command) -> None:
        params = [*map(_argument, command.places), *map(_option, command.options)]
        super().__init__(command.name, params=params)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Its parameters, without the --help that click adds."""
        return self.params

    def shell_complete(
        self, ctx: click.Context, incomplete: str
    ) -> "list[CompletionItem[str]]":  # generic since click 8.5
        """Its options, with as many dashes as were typed if they can have either."""
        items = super().shell_complete(ctx, incomplete)
        two = incomplete.startswith("--")
        alike = [item for item in items if item.value.startswith("--") == two]
        return alike or items


class _Words(click.ParamType):  # type: ignore[type-arg]  # generic since click 8.4
    """The words of a kind."""

    name = "word"

    def __init__(self, kind: Kind) -> None:
        self.kind = kind

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> "list[CompletionItem[str]]":
        """Those that begin like this."""
        offered = self.kind.offers(ctx.params.get(param.name or "") or ())
        begun = incomplete.lower()
        return [CompletionItem(word) for word in offered if word.startswith(begun)]


def _argument(place: Place) -> click.Argument:
    nargs = -1 if place.is_several else 1
    kind, required = _Words(place.kind), place.is_required
    return click.Argument([place.name], type=kind, nargs=nargs, required=required)


def _option(option: Option) -> click.Option:
    return click.Option([*option.spellings, option.name], type=_Words(option.kind))


def root() -> _Group:
    """All commands, those of the owner, too."""
    commands = table.COMMANDS.items()
    return _Group("pbm", {tuple(words.split()): each for words, each in commands})


def _after(name: str) -> _Group:
    """The commands after a script's name: that of a game, or `pbm`."""
    whole = root()
    group = whole.get_command(click.Context(whole), name)
    return group if isinstance(group, _Group) else whole
