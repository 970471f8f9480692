"""The texts that players read, one per game and per subject.

Some lines of a text are filled in when it is read: `{games}` becomes a list of the
games, `{pages}` a list of all pages; and in the text of a game `{options}` becomes its
options, `{figure NAME}` one of its figures, drawn by the renderer. What comes after
`{part PAGE}` in the text of a game is not on its own page, but on that page, where
`{parts PAGE}` collects these parts from all games; its `{part lesson}` is for the pages
of a browser (web/lessons.py).
"""

import os
import re
import textwrap
from collections.abc import Mapping
from functools import cache

from pbm_holomino import rules
from pbm_holomino.draw.text import Drawn, draw
from pbm_holomino.errors import NotFound
from pbm_holomino.languages import (
    ENGLISH_CODE,
    Sentence,
    of_number,
    sentence,
    together,
)
from pbm_holomino.letters.content import Content, Picture, in_words
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
def page(subject: str, code: str = ENGLISH_CODE) -> str:
    """A page as players read it in the language with this code, made once. Raises
    NotFound."""
    _check_is_one(subject)
    return _with_all(subject, _parts(subject, code)[subject], code)


def _check_is_one(subject: str) -> None:
    """Raises NotFound for a subject on which there is no page."""
    if subject in subjects():
        return
    said = [_NO_PAGE.of(subject=quoted(subject))]
    if near := _changed_by(subject) or nearest(subject, subjects()):
        said.append(_DID_YOU_MEAN.of(command=f"help {near}"))
    raise NotFound(together([*said, _ALL_PAGES]))


def _changed_by(setting: str) -> str:
    """The page of the command that changes this setting of an account; empty for
    others."""
    usage = f" change {setting} userid "
    return "change" if usage in page("change") else ""


_NO_PAGE = sentence("There is no help on {subject}.")
_DID_YOU_MEAN = sentence('Did you mean "{command}"?')
_ALL_PAGES = sentence('"help help" lists all pages.')


def _with_all(subject: str, text: str, code: str) -> str:
    """A text on this page, with all that takes the place of its placeholders."""
    return re.sub(
        _PLACEHOLDER, lambda found: _filled(subject, found[1], found[2], code), text
    )


@cache
def illustrated(subject: str, code: str = ENGLISH_CODE) -> tuple[str | Drawing, ...]:
    """A page in pieces: its texts, and between them its figures, to be drawn in some
    other way than as text. Raises NotFound."""
    if subject not in rules.names():
        return (page(subject, code),)
    texts = re.split(r"(?m)^\{figure ([\w-]+)\}\n", _parts(subject, code)[subject])
    figures = rules.load(subject).FIGURES
    return tuple(
        figures[piece] if number % 2 else _with_all(subject, piece, code)
        for number, piece in enumerate(texts)
    )


@cache
def lesson(game: str, code: str = ENGLISH_CODE) -> str:
    """The lesson of a game, as `web.lessons` reads it; empty if it has none."""
    return _parts(game, code).get("lesson", "")


@cache
def told(subject: str, code: str = ENGLISH_CODE) -> Content:
    """A page as blocks: what it says, with its figures as pictures. Raises NotFound."""
    from pbm_holomino.letters.articles import article  # pages are mostly read as text

    return tuple(
        part
        for piece in illustrated(subject, code)
        for part in (
            article(piece, subjects())
            if isinstance(piece, str)
            else ((Picture(Drawn(piece)),),)
        )
    )


@cache
def _parts(subject: str, code: str) -> Mapping[str, str]:
    """What the text on a subject says, by the page on which it is read."""
    with open(os.path.join(_HERE, f"{subject}.txt"), encoding="ascii") as file:
        text = file.read()
    if code != ENGLISH_CODE:
        from pbm_holomino.languages import known, pages  # for those who read another

        text = pages.translated(text, known.page(code, subject))
    own, *more = re.split(_PART, text)
    return {subject: own, **dict(zip(more[::2], more[1::2], strict=True))}


def _filled(subject: str, what: str, name: str, code: str) -> str:
    """The lines that take the place of `{what name}` on this page."""
    if what == "games":
        return _games(code)
    if what == "pages":
        return fill(", ".join(subjects()), _INDENT)
    if what == "parts":
        games = ((rules.load(game).TITLE, _parts(game, code)) for game in rules.names())
        return "\n".join(f"{title}\n\n{p[name]}" for title, p in games if name in p)
    game = rules.load(subject)
    if what == "figure":
        return textwrap.indent(draw(game.FIGURES[name]), _INDENT)
    usual = configure(game, {})
    options = (*game.OPTIONS, *CHALLENGE_OPTIONS)
    return "".join(_option(option, usual, code) for option in options)


def _games(code: str) -> str:
    """The games as they are typed, their titles, and how many can play."""
    rows = [(name, in_words(_for(rules.load(name)), code)) for name in rules.names()]
    return textwrap.indent(table("<<", rows), _INDENT)


def _for(game: AnyGame) -> Sentence:
    least, most = game.SEATS
    said = _FOR_ONE_NUMBER if least == most else _FOR_SEVERAL
    return said.of(game=game.TITLE, n=most, least=least)


_FOR_ONE_NUMBER = of_number("{game}, for {n} player", "{game}, for {n} players")
_FOR_SEVERAL = of_number(
    "{game}, for {least} to {n} player", "{game}, for {least} to {n} players"
)


def _option(option: Option, usual: Options, code: str) -> str:
    default = _DEFAULT.of(value=option.usual) if option.usual else None
    said = filter(None, (option.help, option.range(usual), default))
    told = in_words(together(said), code)
    return f"  {in_words(option.metavar, code)}\n{fill(told, ' ' * 6)}"


_DEFAULT = sentence("Default: {value}.")
