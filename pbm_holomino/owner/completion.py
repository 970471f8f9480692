"""`pbm completion`, and what a shell may complete: the commands' words as a tree
that click can walk.

The shell's script runs the command with its words in the environment; see click's
shell_completion. Userids and passwords are not completed.
"""

import os
from collections.abc import Callable, Mapping, Sequence

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    add_completion_class,
    get_completion_class,
    shell_complete,
)

from pbm_holomino import rules
from pbm_holomino.commands import kinds, syntax
from pbm_holomino.commands.boards import ACT_WORDS
from pbm_holomino.commands.forms import Command, Flag
from pbm_holomino.commands.request import Answer
from pbm_holomino.letters import help as pages
from pbm_holomino.owner import COMMANDS, misused
from pbm_holomino.rules.options import Option

SHELLS = ("bash", "zsh", "fish")
Words = Callable[[click.Context], Sequence[str]]


def variable(name: str) -> str:
    """The environment variable in which a shell asks what goes on after `name`."""
    return f"_{name.upper()}_COMPLETE"


def answer(name: str) -> int:
    """Print what could come next, as the variable asks, the owner's commands too; the
    exit status."""
    asked = variable(name)
    return shell_complete(tree(name), {}, name, asked, os.environ[asked])


def run(words: Sequence[str]) -> Answer:
    """The script that teaches a shell to complete the commands' words."""
    if len(words) != 1 or words[0] not in SHELLS:
        raise misused("completion")
    return Answer(script(words[0]))


def script(shell: str) -> str:
    """What the shell reads to complete all the commands."""
    kind = get_completion_class(shell)
    assert kind is not None
    names = ("pbm", *rules.names())
    empty = click.Group()
    scripts = (kind(empty, {}, name, variable(name)).source() for name in names)
    return "\n".join(scripts)


@add_completion_class
class _Bash(BashComplete):
    """Bash breaks words at `=`, which need not be told from a space here."""

    def get_completion_args(self) -> tuple[list[str], str]:
        words, last = super().get_completion_args()
        return [word for word in words if word != "="], last


# The tree


class _Leaf(Command):
    """A command of which an option is offered with two dashes to who types two."""

    def shell_complete(
        self, ctx: click.Context, incomplete: str
    ) -> list[CompletionItem[str]]:
        items = super().shell_complete(ctx, incomplete)
        two = incomplete.startswith("--")
        return [item for item in items if item.value.startswith("--") == two]


def tree(name: str) -> click.Group:
    """All that may follow `pbm`, or the name of a game."""
    if name != "pbm":
        leaves = [_leaf(name, command) for command in syntax.GAME_COMMANDS]
        return _group(name, leaves)
    leaves = [_leaf("", command) for command in syntax.TOP_COMMANDS]
    games = [tree(game) for game in rules.names()]
    return _group(name, [*leaves, *games, *map(_owners, COMMANDS)])


def _group(name: str, commands: Sequence[click.Command]) -> click.Group:
    """A group; commands of two words, as `change password`, make one within."""
    group = click.Group(name, add_help_option=False)
    for command in commands:
        first, _, second = (command.name or "").partition(" ")
        if not second:
            group.add_command(command)
            continue
        within = group.commands.setdefault(
            first, click.Group(first, add_help_option=False)
        )
        assert isinstance(within, click.Group)
        within.add_command(command, second)
    return group


def _leaf(game: str, name: str) -> click.Command:
    command = syntax.command(game, name)
    params = [_option(game, name, p) for p in command.params if _is_option(p)]
    params += [_argument(name, p) for p in command.params if not _is_option(p)]
    return _Leaf(name, params=params)


def _is_option(param: click.Parameter) -> bool:
    return isinstance(param, click.Option)


def _option(game: str, command: str, param: click.Parameter) -> click.Parameter:
    name = param.opts[0].lstrip("-")
    return click.Option(
        [f"-{name.replace('-', '_')}", f"--{name}"],
        is_flag=isinstance(param, Flag),
        shell_complete=_completed(lambda _: _values(game, command, param.name or "")),
    )


def _values(game: str, command: str, name: str) -> Sequence[str]:
    """The values of an option that has but a few."""
    if name == "format":
        return kinds.HISTORY_FORMATS if command == "history" else kinds.FORMATS
    if name == "rules":
        return tuple(rules.load(game).PRESETS)
    known: Mapping[str, Option] = (
        {option.name: option for option in rules.load(game).OPTIONS} if game else {}
    )
    return known[name].choices if name in known else ()


def _argument(command: str, param: click.Parameter) -> click.Parameter:
    name = param.name or ""
    words = _ARGUMENTS.get((command, name), lambda _: ())
    return click.Argument(
        [name], nargs=param.nargs, required=False, shell_complete=_completed(words)
    )


def _lists(ctx: click.Context) -> Sequence[str]:
    return kinds.LISTS


def _lists_after_a_name(ctx: click.Context) -> Sequence[str]:
    return kinds.LISTS if any(ctx.params.values()) else ()


_ARGUMENTS: Mapping[tuple[str, str], Words] = {
    ("help", "subject"): lambda _: pages.subjects(),
    ("all show", "list"): _lists,
    ("show", "board"): _lists_after_a_name,
    ("showas", "board"): _lists,
    ("games", "userid"): _lists,
    ("move", "move"): lambda _: tuple(ACT_WORDS),
}


def _owners(name: str) -> click.Command:
    """One of the owner's commands."""
    after: Mapping[str, click.Parameter] = {
        "check": click.Option(["--repair"], is_flag=True),
        "flush": click.Option(["--undeliverable"], is_flag=True),
        "void": click.Argument(["game"], type=click.Choice(rules.names())),
        "completion": click.Argument(["shell"], type=click.Choice(SHELLS)),
    }
    params = [after[name]] if name in after else []
    return Command(name, params=params)


def _completed(
    words: Words,
) -> Callable[[click.Context, click.Parameter, str], list[str]]:
    """How click asks for the words that begin so."""

    def begin(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
        return [word for word in words(ctx) if word.startswith(incomplete.lower())]

    return begin
