"""Pictures as parts of a page: SVG whose names do not clash with those of others."""

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


_TITLE = sentence("Figure {number}")
_TEXT = sentence("A board, as the text beside it describes it.")


def figure(drawing: Drawing, number: int, language: Language) -> Markup:
    """The figure with this number on a help page."""
    title, text = language.say(_TITLE.of(number=number)), language.say(_TEXT)
    drawn = inline(svg.draw(drawing, title, text), f"f{number}-")
    return Markup('<figure class="figure">{}</figure>').format(drawn)
