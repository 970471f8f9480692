"""The HTML of a letter, as a MIME entity, with its images."""

from pbm_holomino.letters.html import Links, html
from pbm_holomino.letters.letter import Letter
from pbm_holomino.mail import entities
from pbm_holomino.store.config import Config


def page(letter: Letter, config: Config) -> bytes:
    """The letter as a page of HTML."""
    links = Links(config.address, letter.token)
    return entities.text(html(letter.content, links), "text/html")
