"""The HTML of a letter, as a MIME entity, with its images."""

from pbm_holomino.errors import NotAllowed
from pbm_holomino.letters.content import Picture
from pbm_holomino.letters.html import Links, Shown, html
from pbm_holomino.letters.letter import Letter
from pbm_holomino.mail import entities
from pbm_holomino.store.config import Config


def page(letter: Letter, config: Config) -> bytes:
    """The letter as a page of HTML, with pictures if its reader wants them and the
    library that draws them is installed."""
    if letter.form == "picture":
        try:
            return _with_pictures(letter, config)
        except NotAllowed:
            pass
    return _page(letter, config)


def _page(letter: Letter, config: Config, *images: Shown) -> bytes:
    links = Links(config.address, letter.token)
    said = html(letter.content, links, images, letter.language)
    return entities.text(said, "text/html")


def _with_pictures(letter: Letter, config: Config) -> bytes:
    """The letter with a PNG of each board. Raises NotAllowed without the library."""
    blocks = [block for part in letter.content for block in part]
    pictures = [block for block in blocks if isinstance(block, Picture)]
    if not pictures:
        return _page(letter, config)
    from pbm_holomino.letters.images import Image  # not all letters have one

    boards = [Image(picture.drawn.drawing, "", "") for picture in pictures]
    names = [
        f"{number}.{letter.name}@{config.domain}"
        for number in range(1, len(boards) + 1)
    ]
    shown = [
        Shown(f"cid:{name}", *board.size)
        for name, board in zip(names, boards, strict=True)
    ]
    files = [
        entities.image(board.png(is_compact=True), "image/png", name)
        for name, board in zip(names, boards, strict=True)
    ]
    whole = [_page(letter, config, *shown), *files]
    return entities.multipart(_RELATED, whole, letter.name)


_RELATED = 'related; type="text/html"'  # RFC 2387
