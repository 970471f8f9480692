"""`pbm completion`: what teaches a shell to complete the commands' words.

The shell's script runs the command with its words in the environment: click finds what
may come next in the tree of commands. Userids and passwords are not completed.
"""

import os

from click.shell_completion import (
    BashComplete,
    add_completion_class,
    get_completion_class,
    shell_complete,
)

from pbm_holomino import rules
from pbm_holomino.commands import tree
from pbm_holomino.commands.request import Answer, Request


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


def _after(name: str) -> tree.Group:
    """The commands after a script's name: that of a game, or `pbm`."""
    root = tree.root(in_shell=True)
    found = root.after(name)
    return found if isinstance(found, tree.Group) else root


@add_completion_class
class _Bash(BashComplete):
    """Bash breaks words at `=`, which means the same as a space here."""

    def get_completion_args(self) -> tuple[list[str], str]:
        words, last = super().get_completion_args()
        return [word for word in words if word != "="], last
