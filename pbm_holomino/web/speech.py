"""What pages say, in the language of their reader, which templates know as `language`.

A template says whole sentences, which are collected where they stand, as those of
modules are:

    {{ say("{player}'s boards", player=userid) }}
    {{ say_number("{n} player", "{n} players", n=3) }}

Their texts are HTML, but without tags and quotes: what is put in is escaped unless it
is Markup, such as a `link` up to `{end}`, or words between `{aside}` and `{end_aside}`,
which are only read aloud. Values that modules have made are said by themselves.
"""

from functools import lru_cache
from typing import Any

from jinja2 import pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape

from pbm_holomino.languages import (
    Day,
    Kept,
    Language,
    Listed,
    Moment,
    Sentence,
    of_number,
    sentence,
)

# No translation can begin a tag, or end an attribute.
_TEXT_ALONE = str.maketrans({"<": "&lt;", ">": "&gt;", '"': "&#34;"})
_ALWAYS = {
    "end": Markup("</a>"),
    "aside": Markup('<span class="aside">'),
    "end_aside": Markup("</span>"),
}
_TO_BE_SAID = (Sentence, Listed, Kept, Day, Moment)


@pass_context
def spoken(context: Context, value: object) -> object:
    """What a template shows, which is said if it can be."""
    if type(value) is not Markup and isinstance(value, _TO_BE_SAID):
        return context["language"].word(value)
    return value


def say(language: Language, text: str, /, **values: Any) -> Markup:
    """A sentence of a template, with these values in its places."""
    if not values:
        return _without_values(language, text)
    return written(language, sentence(text, **values))


def say_number(language: Language, one: str, more: str, /, **values: Any) -> Markup:
    """A sentence of a template about a number `n`."""
    return written(language, of_number(one, more, **values))


@lru_cache(maxsize=4_000)
def _without_values(language: Language, text: str) -> Markup:
    return written(language, sentence(text))


def written(language: Language, said: Sentence) -> Markup:
    """A sentence whose text is HTML."""
    words = {
        place: escape(language.word(it) if isinstance(it, _TO_BE_SAID) else it)
        for place, it in said.values
    }
    text = language.wording(said).translate(_TEXT_ALONE)
    return Markup(text.format_map(_ALWAYS | words))


def link(path: str) -> Markup:
    """Where a link begins."""
    return Markup(f'<a href="{escape(path)}">')
