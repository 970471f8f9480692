"""In which language somebody asks who has chosen none."""

from pbm_holomino.commands.texts import own_lines
from pbm_holomino.languages import guessed


def language(tags: str, text: str) -> str:
    """The code of the language of a mail, by its Content-Language and the words of its
    writer; or that of a browser, which sends no text. Empty if it cannot be told."""
    return guessed.code(tags, "\n".join(own_lines(text)))
