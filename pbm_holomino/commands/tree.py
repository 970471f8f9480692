"""The commands as one tree for click, by which they are parsed and completed.

Each command and each group is made when it is asked for, as most words need one.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from pbm_holomino import rules
from pbm_holomino.commands import table
from pbm_holomino.commands.params import Argument
from pbm_holomino.commands.request import Request
from pbm_holomino.commands.table import Command

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

GAME = "{game}"  # the first word of a command in the table, for each game


class Leaf(click.Command):
    """A command of the table, after a game's name or without one, that makes a
    request of its words."""

    def __init__(self, command: Command, game: str) -> None:
        self.words = command.params_in(game)
        super().__init__(command.name, params=[*self.words], callback=self._request)
        self.command = command
        self.game = game

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Its parameters, without the --help that click adds."""
        return self.params

    @property
    def usage(self) -> str:
        """How it is written."""
        return self.command.usage(self.game)

    @property
    def places(self) -> list[Argument]:
        """The places of its words, without the options."""
        return [param for param in self.words if isinstance(param, Argument)]

    @property
    def help_page(self) -> str:
        """The help page to read about it: that of the game for the game's help."""
        if self.game and self.command.name == "help":
            return self.game
        return self.command.help_page

    def _request(self, **values: Any) -> Request:
        request = Request(self.command.name, self.game)
        for param in self.words:
            if values[param.name] is not None:
                request = param.fill(request, values[param.name])
        return request

    def shell_complete(
        self, ctx: click.Context, incomplete: str
    ) -> "list[CompletionItem[str]]":
        """Its options, with as many dashes as were typed if they can have either."""
        items = super().shell_complete(ctx, incomplete)
        two = incomplete.startswith("--")
        alike = [item for item in items if item.value.startswith("--") == two]
        return alike or items


class Group(click.Group):
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
        nexts = (rules.names() if word == GAME else (word,) for word in firsts)
        return sorted(word for words in nexts for word in words)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """What comes after a word."""
        return self.after(cmd_name)

    def after(self, word: str) -> "Leaf | Group | None":
        """The command or the group that one more word leads to, if any."""
        is_game = word in rules.names() and not self.game
        first, game = (GAME, word) if is_game else (word, self.game)
        inner = {w[1:]: c for w, c in self.inner.items() if w[:1] == (first,)}
        if [*inner] == [()]:
            return Leaf(inner[()], game)
        return Group(word, inner, game) if inner else None

    @property
    def leaf(self) -> Leaf | None:
        """The command that these words are if none of those that may come next does."""
        return Leaf(self.inner[()], self.game) if () in self.inner else None


def root(in_shell: bool) -> Group:
    """All commands: those of the owner are known only in the shell."""
    return Group(
        "pbm",
        {
            tuple(words.split()): command
            for words, command in table.COMMANDS.items()
            if in_shell or not command.is_owners
        },
    )
