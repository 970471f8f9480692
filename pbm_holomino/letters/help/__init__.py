"""The texts that players read, one per game and per subject.

Some lines of a text are filled in when it is read: `{games}` becomes a list of the
games, `{pages}` a list of all pages; and in the text of a game `{options}` becomes its
options, `{figure NAME}` one of its figures, drawn by the renderer. What comes after
`{part PAGE}` in the text of a game is not on its own page, but on that page, where
`{parts PAGE}` collects these parts from all games.
"""

import os
import re
import textwrap
from collections.abc import Mapping
from functools import cache

from pbm_holomino import rules
from pbm_holomino.draw.text import draw
from pbm_holomino.errors import NotFound
from pbm_holomino.rules.contract import AnyGame, Drawing
from pbm_holomino.rules.options import CHALLENGE_OPTIONS, Option, Options, configure
from pbm_holomino.sentences import fill, nearest, quoted, table

_PLACEHOLDER = r"(?m)^\{(games|pages|parts|options|figure) ?([\w-]*)\}\n"
_PART = r"(?m)^\{part (\w+)\}\n"
_INDENT = " " * 4
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
        raise NotFound(
            f'There is no help on {quoted(subject)}.{hint} "help help" lists all pages.'
        )
    return _with_all(subject, _parts(subject)[subject])


def _with_all(subject: str, text: str) -> str:
    """A text on this page, with all that takes the place of its placeholders."""
    return re.sub(
        _PLACEHOLDER, lambda found: _filled(subject, found[1], found[2]), text
    )


@cache
def illustrated(subject: str) -> tuple[str | Drawing, ...]:
    """A page in pieces: its texts, and between them its figures, to be drawn in some
    other way than as text. Raises NotFound."""
    if subject not in rules.names():
        return (page(subject),)
    texts = re.split(r"(?m)^\{figure ([\w-]+)\}\n", _parts(subject)[subject])
    figures = rules.load(subject).FIGURES
    return tuple(
        figures[piece] if number % 2 else _with_all(subject, piece)
        for number, piece in enumerate(texts)
    )


@cache
def _parts(subject: str) -> Mapping[str, str]:
    """What the text on a subject says, by the page on which it is read."""
    with open(os.path.join(_HERE, f"{subject}.txt"), encoding="ascii") as file:
        own, *more = re.split(_PART, file.read())
    return {subject: own, **dict(zip(more[::2], more[1::2], strict=True))}


def _filled(subject: str, what: str, name: str) -> str:
    """The lines that take the place of `{what name}` on this page."""
    if what == "games":
        return _games()
    if what == "pages":
        return fill(", ".join(subjects()), _INDENT)
    if what == "parts":
        games = ((rules.load(game).TITLE, _parts(game)) for game in rules.names())
        return "\n".join(f"{title}\n\n{p[name]}" for title, p in games if name in p)
    game = rules.load(subject)
    if what == "figure":
        return textwrap.indent(draw(game.FIGURES[name]), _INDENT)
    usual = configure(game, {})
    options = (*game.OPTIONS, *CHALLENGE_OPTIONS)
    return "".join(_option(option, usual) for option in options)


def _games() -> str:
    """The games as they are typed, their titles, and how many can play."""
    games = [(name, rules.load(name)) for name in rules.names()]
    rows = [(name, f"{game.TITLE}, for {_seats(game)}") for name, game in games]
    return textwrap.indent(table("<<", rows), _INDENT)


def _seats(game: AnyGame) -> str:
    least, most = game.SEATS
    return f"{least} players" if least == most else f"{least} to {most} players"


def _option(option: Option, usual: Options) -> str:
    default = option.usual and f"Default: {option.usual}."
    told = " ".join(filter(None, (option.help, option.range(usual), default)))
    return f"  {option.metavar}\n{fill(told, ' ' * 6)}"
