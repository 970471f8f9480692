"""The texts that players read, one per game and per subject.

A line `{options}` in a text stands for the game's option table, a line
`{figure NAME}` for one of its figures, drawn by the renderer.
"""

import os
import re
import textwrap
from functools import cache

from pbm_holomino import rules
from pbm_holomino.draw.text import draw
from pbm_holomino.errors import NotFound
from pbm_holomino.rules.contract import AnyGame
from pbm_holomino.rules.options import MATCH_OPTIONS, Option, Options, configure
from pbm_holomino.sentences import fill, nearest, quoted

_PLACEHOLDER = re.compile(r"^\{(options|figure ([\w-]+))\}\n", re.MULTILINE)
_HERE = os.path.dirname(__file__)


@cache
def subjects() -> tuple[str, ...]:
    """The names of all pages."""
    return tuple(sorted(f[:-4] for f in os.listdir(_HERE) if f.endswith(".txt")))


@cache
def page(subject: str) -> str:
    """A page as players read it, read once. Raises NotFound."""
    if subject not in subjects():
        near = nearest(subject, subjects())
        hint = f' Did you mean "help {near}"?' if near else ""
        all_of = ", ".join(subjects())
        raise NotFound(
            f"There is no help on {quoted(subject)}.{hint} There is: {all_of}."
        )
    with open(os.path.join(_HERE, f"{subject}.txt"), encoding="ascii") as file:
        text = file.read()
    if subject not in rules.names():
        return text
    game = rules.load(subject)
    return _PLACEHOLDER.sub(lambda found: _fill(game, found[2]), text)


def _fill(game: AnyGame, figure: str | None) -> str:
    if figure is not None:
        return textwrap.indent(draw(game.FIGURES[figure]), "    ")
    usual = configure(game, {})
    return "".join(_option(option, usual) for option in (*game.OPTIONS, *MATCH_OPTIONS))


def _option(option: Option, usual: Options) -> str:
    default = (
        ""
        if option.default is None or option.default is False
        else f" Default: {option.default}."
    )
    if option.limits:
        least, greatest, _ = option.limits(usual)
        never = ", or 0 for never" if option.never else ""
        default = f" From {least} to {greatest}{never}.{default}"
    return f"  {option.metavar}\n{fill(option.help + default, ' ' * 6)}"
