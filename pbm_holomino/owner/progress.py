"""Progress bars for somebody who waits at a terminal."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

_Thing = TypeVar("_Thing")


@contextmanager
def progress(things: Sequence[_Thing], label: str) -> Iterator[Iterable[_Thing]]:
    """The things, with a bar on standard error if that is a terminal."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield things
        return
    import click

    with click.progressbar(things, label=label, file=sys.stderr) as bar:
        yield bar
