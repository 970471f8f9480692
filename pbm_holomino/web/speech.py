"""What pages say, in the language of their reader, which templates know as `language`.

A template says whole sentences, which are collected where they stand, as those of
modules are:

    {{ say("{player}'s boards", player=userid) }}
    {{ say_number("{n} player", "{n} players", n=3) }}

Their texts are HTML, but without tags and quotes: what is put in is escaped unless it
is Markup, such as a `link` up to `{end}`, or words between `{aside}` and `{end_aside}`,
which are only read aloud. Values that modules have made are said by themselves.
"""

from typing import Any

from jinja2 import pass_context
from jinja2.runtime import Context
from markupsafe import Markup

from pbm_holomino.languages import (
    Day,
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
_TO_BE_SAID = (Sentence, Listed, Day, Moment)


@pass_context
def say(context: Context, text: str, /, **values: Any) -> Markup:
    """A sentence of a template, with these values in its places."""
    return written(context["language"], sentence(text, **values))


@pass_context
def say_number(context: Context, one: str, more: str, /, **values: Any) -> Markup:
    """A sentence of a template about a number `n`."""
    return written(context["language"], of_number(one, more, **values))


@pass_context
def spoken(context: Context, value: object) -> object:
    """What a template shows, which is said if it can be."""
    return _spoken(context["language"], value)


def written(language: Language, said: Sentence) -> Markup:
    """A sentence whose text is HTML."""
    words = {place: _spoken(language, value) for place, value in said.values}
    text = language.wording(said).translate(_TEXT_ALONE)
    return Markup(text).format(**_ALWAYS, **words)


def link(path: str) -> Markup:
    """Where a link begins."""
    return Markup('<a href="{}">').format(path)


def _spoken(language: Language, value: Any) -> Any:
    return language.word(value) if isinstance(value, _TO_BE_SAID) else value
