"""Questions to the owner, at the terminal."""

import sys
from collections.abc import Callable
from typing import TypeVar

import click

from pbm_holomino.errors import NotAllowed, PbmError
from pbm_holomino.sentences import fill

_Value = TypeVar("_Value")


class Dialogue:
    """Questions and answers at the terminal of this process. Ctrl-C in place of an
    answer ends the process as by a signal (KeyboardInterrupt)."""

    def say(self, text: str) -> None:
        """Print sentences."""
        click.echo(fill(text, whole_words=True), nl=False)

    def ask(
        self, question: str, read: Callable[[str], _Value], default: str = ""
    ) -> _Value:
        """An answer as `read` understands it: what that raises as a PbmError is told,
        and the question asked again."""
        while True:
            word = self._typed(question, default)
            try:
                return read(word)
            except PbmError as error:
                self.say(str(error))

    def secret(self, question: str) -> str:
        """An answer that is not shown as it is typed; it may be empty."""
        return self._typed(question, "", is_hidden=True)

    def is_yes(self, question: str, default: bool) -> bool:
        """Whether the answer is yes."""
        try:
            return click.confirm(question, default)
        except click.Abort:
            raise KeyboardInterrupt from None

    def _typed(self, question: str, default: str, is_hidden: bool = False) -> str:
        try:
            typed: str = click.prompt(
                question, default, is_hidden, show_default=bool(default)
            )
        except click.Abort:
            raise KeyboardInterrupt from None
        return typed if is_hidden else typed.strip()


def dialogue() -> Dialogue:
    """The dialogue with the owner. Raises NotAllowed if there is no terminal."""
    streams = (sys.stdin, sys.stdout)
    if all(stream is not None and stream.isatty() for stream in streams):
        return Dialogue()
    raise NotAllowed(
        "This command asks questions, and there is no terminal to ask them at. Please "
        'type it in a terminal, or write config.yaml yourself: "pbm sample config" '
        'lists the settings, and "pbm help mailbox" says which you need.'
    )
