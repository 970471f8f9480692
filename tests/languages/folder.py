"""A tiny language, made where a test wants it."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import catalogues
from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po

from pbm_holomino.commands import table
from pbm_holomino.languages import aliases, guessed, known
from pbm_holomino.letters import help as help_pages

Texts = Mapping[str | tuple[str, str], str | tuple[str, ...]]


def write(home: Path, code: str, texts: Texts, pages: Mapping[str, str] = {}) -> Path:
    """A language's folder as a translator leaves it, not made yet."""
    folder = home / code
    (folder / "help").mkdir(parents=True)
    catalogue = Catalog(locale=code, fuzzy=False)
    for english, said in texts.items():
        catalogue.add(english, said)
    with open(folder / "catalogue.po", "wb") as file:
        write_po(file, catalogue)
    for name, text in pages.items():
        (folder / "help" / f"{name}.txt").write_text(text, encoding="utf-8")
    return folder


def made(home: Path, code: str, texts: Texts, pages: Mapping[str, str] = {}) -> Path:
    """The same, with the catalogue that servers read."""
    folder = write(home, code, texts, pages)
    catalogues.make(str(folder))
    return folder


@contextmanager
def in_place_of(home: Path) -> Iterator[None]:
    """There are the languages of this folder, and English."""
    forget()
    with patch.object(known, "HOME", str(home)):
        yield
    forget()


def forget() -> None:
    """Read all again that is remembered of languages and their pages."""
    for remembered in (
        known.codes,
        known.language,
        aliases.meanings,
        table.in_texts,
        guessed.asked_for,
        guessed.frequent,
        help_pages.page,
        help_pages.illustrated,
        help_pages._parts,
    ):
        remembered.cache_clear()
