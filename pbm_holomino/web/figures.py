"""Pictures as parts of a page: SVG whose names do not clash with those of others."""

from functools import lru_cache

from markupsafe import Markup

from pbm_holomino.draw import svg
from pbm_holomino.languages import Language, sentence
from pbm_holomino.rules.contract import Drawing


def inline(picture: str, prefix: str) -> Markup:
    """An SVG picture of ours, with this prefix before all names within it."""
    named = picture.replace(' id="', f' id="{prefix}')
    linked = named.replace(' href="#', f' href="#{prefix}')
    labelled = linked.replace(
        'aria-labelledby="title description"',
        f'aria-labelledby="{prefix}title {prefix}description"',
    )
    return Markup(labelled)


class Tiles:
    """The tiles of a page, which are drawn where it names them."""

    def __init__(self, notation: str) -> None:
        self._notation = notation
        self._drawn = dict[Markup, None]()

    def __call__(self, name: str, owner: int = 0) -> Markup:
        """A tile, whose name is read aloud; the name alone, if it cannot be drawn."""
        drawn = _tile(self._notation, name, owner)
        self._drawn[drawn] = None
        return drawn

    def shapes(self) -> Markup:
        """What they are drawn from, to be put behind the last of them."""
        return _shapes(self._notation, tuple(self._drawn))


@lru_cache(maxsize=10_000)
def _tile(notation: str, name: str, owner: int) -> Markup:
    drawn = svg.tile(notation, name, owner)
    if not drawn:
        return Markup('<span class="tile name">{}</span>').format(name)
    return Markup(
        '<span class="tile" title="{name}" data-tile="{name}">{drawn}'
        '<span class="aside">{name}</span></span>'
    ).format(name=name, drawn=inline(drawn, "t-"))


@lru_cache(maxsize=1_000)
def _shapes(notation: str, drawn: tuple[Markup, ...]) -> Markup:
    used = "".join(drawn).replace('"#t-', '"#')
    return inline(svg.shapes(notation, used), "t-")


_TITLE = sentence("Figure {number}")
_TEXT = sentence("A board, as the text beside it describes it.")


def figure(drawing: Drawing, number: int, language: Language) -> Markup:
    """The figure with this number on a help page."""
    title, text = language.say(_TITLE.of(number=number)), language.say(_TEXT)
    drawn = inline(svg.draw(drawing, title, text), f"f{number}-")
    return Markup('<figure class="figure">{}</figure>').format(drawn)
