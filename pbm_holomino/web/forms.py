"""Parts of forms, as templates put them in: pages have many of them, and a function is
quicker than a macro."""

import secrets
from collections.abc import Iterable, Mapping

from markupsafe import Markup, escape

from pbm_holomino.named_tuples import NamedTuple

# Where the hidden fields of a form go, which differ each time that a page is asked for:
# nobody else can write it.
HIDDEN = Markup(f"<!--{secrets.token_hex(16)}-->")


class Choice(NamedTuple):
    """Moves with one tile, as options of a form."""

    tile: str
    options: Markup


def button(action: str, text: str, about: str = "") -> Markup:
    """A form that is a button, which does something; `about` is read aloud after its
    text."""
    aside = f'<span class="aside"> {escape(about)}</span>' if about else ""
    return Markup(
        f'<form class="one" method="post" action="{escape(action)}">{HIDDEN}'
        f"<button>{escape(text)}{aside}</button></form>\n"
    )


def carried(fields: Mapping[str, str]) -> Markup:
    """Fields that go along with a form."""
    field = Markup('<input type="hidden" name="{}" value="{}">\n')
    return Markup("").join(field.format(*each) for each in fields.items())


def select(choices: Iterable[Choice]) -> Markup:
    """Moves to choose from, by their tiles."""
    group = '<optgroup label="{}">\n{}\n</optgroup>\n'
    groups = (group.format(escape(tile), options) for tile, options in choices)
    return Markup(f'<select id="choice" name="move">\n{"".join(groups)}</select>\n')
