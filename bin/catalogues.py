"""The catalogues of sentences: collected, made, and checked. Needs Babel, which only
those who build or develop have; servers read what is made here.
"""

import gettext
import glob
import io
import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import redirect_stderr
from functools import cache
from typing import IO, Any, NamedTuple

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir, extract_python
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, ROOT)

from pbm_holomino.languages import pages  # noqa: E402
from pbm_holomino.languages.catalogues import is_translation  # noqa: E402

HOME = os.path.join(ROOT, "pbm_holomino", "languages")
PAGES = os.path.join(ROOT, "pbm_holomino", "letters", "help")
# What makes sentences (see `languages`), and which of its arguments are texts; in
# templates and scripts what they say is made at once.
_IN_MODULES = {"sentence": (1,), "of_number": (1, 2), "of_player": (1, 2)}
_IN_PAGES = {"say": (1,), "say_number": (1, 2), "sayNumber": (1, 2)}
KEYWORDS = {**_IN_MODULES, **_IN_PAGES}
WHERE = [
    ("languages/*/**", "ignore"),
    ("owner/**", "ignore"),  # the owner reads English
    ("**.py", f"{__name__}:sentences_in"),
    ("web/templates/**.html", "jinja2"),
    ("web/static/**.js", "javascript"),
]


def sentences_in(
    file: IO[bytes], keywords: Any, tags: Any, options: Any
) -> Iterator[tuple[int, str, Any, Any]]:
    """What Babel finds in a module: but the two texts of `of_player` are two messages,
    not one and its plural. It would warn of f-strings, which are values of places."""
    with redirect_stderr(io.StringIO()):
        found: Any = [*extract_python(file, {**_IN_MODULES}, tags, options)]
    for line, name, texts, comments in found:
        if name == "of_player":
            yield from ((line, "sentence", text, comments) for text in texts[:2])
        else:
            yield line, name, texts, comments


@cache
def template(package: str = os.path.dirname(HOME)) -> Catalog:
    """All sentences that the program can say, looked for once."""
    found = Catalog(project="pbm_holomino")
    for path, line, text, comments, _ in extract_from_dir(
        package, WHERE, keywords=KEYWORDS, comment_tags=("translators:",)
    ):
        found.add(text, None, [(path, line)], auto_comments=comments)
    return found


def languages(home: str = HOME) -> list[str]:
    """The folders of languages that have something to translate."""
    return sorted(
        entry.path
        for entry in os.scandir(home)
        if os.path.exists(os.path.join(entry.path, "catalogue.po"))
    )


def make(folder: str) -> None:
    """Write the catalogue that servers read, from the one that translators fill."""
    made = io.BytesIO()
    write_mo(made, read(folder))
    _save(os.path.join(folder, "catalogue.mo"), made)


def update(folder: str) -> None:
    """Bring a translators' catalogue up to what the program says now. What it does not
    say any more stays in it as obsolete; nothing is guessed."""
    catalogue, made = read(folder), io.BytesIO()
    said = template()
    # The time of the last update would be the one line that all branches change.
    catalogue.update(said, no_fuzzy_matching=True, update_creation_date=False)
    write_po(made, catalogue, 88, sort_by_file=True, include_lineno=False)
    _save(os.path.join(folder, "catalogue.po"), made)


def _save(path: str, made: io.BytesIO) -> None:
    """Write a whole file, or leave the one that is there as it is."""
    with open(f"{path}.new", "wb") as file:
        file.write(made.getvalue())
    os.replace(f"{path}.new", path)


def read(folder: str) -> Catalog:
    """A translators' catalogue. Raises whatever a broken file leads to."""
    with open(os.path.join(folder, "catalogue.po"), "rb") as file:
        return read_po(file, locale=os.path.basename(folder), abort_invalid=True)


# What is wrong


def mistakes(folder: str) -> Iterator[str]:
    """What a language has wrongly, a line each; that is said in English."""
    try:
        catalogue = read(folder)
    except Exception as error:  # Babel raises whatever a broken file leads to
        yield f"{folder}: catalogue.po cannot be read: {error}"
        return
    for message in catalogue:
        if message.id and message.string:
            yield from (f"{folder}: {why}" for why in _other_places(message))
    yield from (f"{folder}: {why}" for why in _broken_plurals(catalogue))


def unfinished(folder: str, wanted: Catalog) -> Iterator[str]:
    """What a language, whose catalogue can be read, still lacks, a line each."""
    catalogue = read(folder)
    yield from _missing(folder, catalogue, wanted)
    for message in catalogue:
        if message.id and message.string and message.fuzzy:
            yield f"{folder}: to be looked at again: {_shown(message)}"
    yield from _pages(folder)
    yield from unlike_terms(folder, catalogue)


def _missing(folder: str, there: Catalog, wanted: Catalog) -> Iterator[str]:
    for message in wanted:
        found = there.get(message.id, message.context)
        if message.id and (found is None or not all(texts(found.string))):
            yield f"{folder}: missing: {_shown(message)}"
    for message in there:
        if message.id and wanted.get(message.id, message.context) is None:
            yield f"{folder}: no longer said: {_shown(message)}"


def texts(text: Any) -> tuple[str, ...]:
    """The forms of a message: one, or one for each kind of number."""
    return (text,) if isinstance(text, str) else tuple(text)


def _shown(message: Message) -> str:
    return repr(texts(message.id)[0])


def _other_places(message: Message) -> Iterator[str]:
    english = texts(message.id)
    for text in filter(None, texts(message.string)):
        if not any(is_translation(text, form) for form in english):
            yield f"other places than {_shown(message)}: {text!r}"


def _broken_plurals(catalogue: Catalog) -> Iterator[str]:
    """Whether the formula for plurals can be worked out, and gives each number a form
    that every plural has."""
    made = io.BytesIO()
    try:
        write_mo(made, catalogue)
        made.seek(0)
        read = gettext.GNUTranslations(made)
        for message in catalogue:
            if message.pluralizable and all(texts(message.string)):
                one, more = texts(message.id)
                for n in range(201):
                    if read.ngettext(one, more, n) not in texts(message.string):
                        yield f"no plural for {n}: {_shown(message)}"
                        break
    except Exception as error:  # as broken formulas raise anything
        yield f"its plurals are broken: {error}"


def _pages(folder: str) -> Iterator[str]:
    """The parts of pages that are still to be translated, or to be looked at again."""
    for name in sorted(os.listdir(PAGES)):
        if name.endswith(".txt"):
            english = _text(os.path.join(PAGES, name))
            path = os.path.join(folder, "help", name)
            said = _text(path) if os.path.exists(path) else ""
            for mark, part in pages.missing(english, said).items():
                yield f"{path}: missing: @ {mark} {part.splitlines()[0]}"
            for mark, part in pages.stale(english, said).items():
                yield f"{path}: stale: @ {mark} {part.splitlines()[0]}"


# Terms: how the players of a language speak


class Terms(NamedTuple):
    """What terms.txt says: the words for each English term, any of which a sentence
    may have; the terms of which every sentence has one; and words that are not said."""

    words: dict[str, tuple[str, ...]]
    always: frozenset[str]
    never: tuple[str, ...]


def terms_in(text: str) -> Terms:
    """The terms of a language, from the text of its terms.txt: lines such as
    `tile: Stein`, `pass = passen, passt`, `not Kachel` and `# a remark`. Raises
    ValueError for any other."""
    words, always, never = dict[str, tuple[str, ...]](), set[str](), list[str]()
    for line in filter(None, map(str.strip, text.splitlines())):
        if line.startswith("#"):
            continue
        found = re.fullmatch(r"not (.+)|(.+?)(:| =) (.+)", line)
        if found is None:
            raise ValueError(f"neither a term nor a remark: {line!r}")
        unsaid, term, how, said = found.groups()
        if unsaid:
            never += unsaid.split(", ")
        else:
            words[term] = tuple(said.split(", "))
            always |= {term} if how == " =" else set()
    return Terms(words, frozenset(always), tuple(never))


def unlike_terms(folder: str, catalogue: Catalog) -> Iterator[str]:
    """What is not said as the language's terms are, a line each."""
    path = os.path.join(folder, "terms.txt")
    try:
        terms = terms_in(_text(path) if os.path.exists(path) else "")
    except ValueError as error:
        yield f"{path}: {error}"
        return
    messages = [message for message in catalogue if message.id]
    for message in messages:
        for term in _terms_of(texts(message.id), terms):
            if not all(_has(text, terms.words[term]) for text in texts(message.string)):
                yield f"{folder}: without a word for {term!r}: {_shown(message)}"
    said = [text for message in messages for text in texts(message.string)]
    said += map(_text, glob.glob(os.path.join(folder, "help", "*.txt")))
    yield from (f"{path}: {why}" for why in _wrongly_used(terms, said))


def _wrongly_used(terms: Terms, said: Sequence[str]) -> Iterator[str]:
    """The words that none of these texts has, and those that none should have."""
    for term, words in terms.words.items():
        for word in words:
            if not any(_has(text, (word,)) for text in filter(None, said)):
                yield f"{word!r}, for {term!r}, is never said"
    for word in terms.never:
        for found in (re.search(rf".{{,20}}\b{word}\b.{{,20}}", text) for text in said):
            if found:
                yield f"{word!r} is not to be said: {found[0]!r}"


def _terms_of(english: Iterable[str], terms: Terms) -> Iterator[str]:
    """The terms in a sentence of which its translation must have a word: the longest,
    as a round robin is no round. Neither places nor PASSWORD are words."""
    left = re.sub(r"\{\w+\}", "", " ".join(english))
    for term in sorted(terms.words, key=len, reverse=True):
        word = rf"\b[{term[0].upper()}{term[0]}]{term[1:]}\b"
        if re.search(word, left) and term in terms.always:
            yield term
        left = re.sub(word, "", left)


def _has(text: str, words: Iterable[str]) -> bool:
    """Whether one of these words, or what is made of it, is in a text."""
    plain = " ".join(text.casefold().split())
    return not text or any(word.casefold() in plain for word in words)


def _text(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()


def main() -> int:
    """Make all catalogues, brought up to date if `--update` says so, and say what is
    wrong or missing, unless `--make` is all that is wanted. The exit status: 2 if
    something is wrong, 1 if something is missing."""
    wrong, missing = list[str](), list[str]()
    for folder in languages():
        try:
            if "--update" in sys.argv[1:]:
                update(folder)
            make(folder)
        except Exception as error:  # Babel raises whatever a broken file leads to
            wrong.append(f"{folder}: catalogue.po is broken: {error}")
        else:
            if "--make" not in sys.argv[1:]:
                wrong += mistakes(folder)
                missing += unfinished(folder, template())
    for line in [*wrong, *missing]:
        print(line)
    return 2 if wrong else bool(missing)


if __name__ == "__main__":
    sys.exit(main())
