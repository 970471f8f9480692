"""Which languages there are: English, and each that has a folder here.

A language's folder is named as its code is typed, `de`. It holds `catalogue.po`, which
translators fill, and beside it `catalogue.mo`, made of it, without which the language
is not there; and the folder `help` with pages (see `languages.pages`).
"""

import os
import re
from functools import cache

from pbm_holomino.languages import CODE, ENGLISH, ENGLISH_CODE, Language, sentence

HOME = os.path.dirname(__file__)
_CATALOGUE = "catalogue.mo"
# translators: your own language, as those call it who speak it
_NAME = sentence("English")


@cache
def codes() -> tuple[str, ...]:
    """The languages that players can choose, English first."""
    there = (name for name in os.listdir(HOME) if re.fullmatch(CODE, name))
    return (ENGLISH_CODE, *sorted(n for n in there if os.path.exists(_catalogue(n))))


@cache
def language(tag: str) -> Language:
    """The language of a reader, by its code or by a tag with their zone; English, where
    it is not there any more, or where its catalogue is broken."""
    code, _, zone = tag.partition("@")
    if zone:
        from pbm_holomino.languages.zones import in_zone  # for those who chose one

        return in_zone(language(code), zone)
    if code == ENGLISH_CODE or code not in codes():
        return ENGLISH
    from pbm_holomino.languages.catalogues import Translated  # for its readers alone

    try:
        with open(_catalogue(code), "rb") as catalogue:
            return Translated(code, catalogue)
    except (OSError, ValueError):
        return ENGLISH


def name(code: str) -> str:
    """What a language is called by those who speak it; its code, if its catalogue does
    not say."""
    said = language(code).say(_NAME)
    return said if code == ENGLISH_CODE or said != str(_NAME) else code


def names() -> dict[str, str]:
    """What the languages are called, by their codes."""
    return {code: name(code) for code in codes()}


def words() -> dict[str, str]:
    """The codes of the languages by what they are asked for: codes, and names."""
    called = {name.casefold(): code for code, name in names().items()}
    return {**called, **{code: code for code in codes()}}


def meant(word: str) -> str:
    """The code of the language that somebody means by a code or a name, also by `de-AT`
    where there is only `de`; empty if it is not here."""
    typed = word.casefold().replace("-", "_")
    known = words()
    return known.get(typed) or known.get(typed.partition("_")[0], "")


def page(code: str, name: str) -> str:
    """The translated parts of a page; empty where there are none, or where they cannot
    be read."""
    if code not in codes():
        return ""
    try:
        path = os.path.join(HOME, code, "help", f"{name}.txt")
        with open(path, encoding="utf-8") as file:
            return file.read()
    except (OSError, ValueError):
        return ""


def _catalogue(code: str) -> str:
    return os.path.join(HOME, code, _CATALOGUE)
