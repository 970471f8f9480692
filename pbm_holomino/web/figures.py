"""Pictures as parts of a page: SVG whose names do not clash with those of others."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from markupsafe import Markup, escape

from pbm_holomino.draw import svg
from pbm_holomino.languages import Language, Listed, Sentence, Text, Value, sentence
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


# The places of sentences that name tiles, and what a name looks like there. Names of
# walongs may stand close together; a move begins with a tile, or lists some.
_NAME, _LETTER = re.compile(r"\b\w{1,3}\b"), re.compile("[A-Z]")
_OF_MOVE = re.compile(r"\b\w{1,3}(?=:\d)|(?<=[:,])[A-Z]{1,2}\b")
_TILES = ("tile", "tiles", "pair", "pairs", "touching", "opening")
_MOVES = ("move", "moves")
_DRAWN = {
    **dict.fromkeys(_TILES, _NAME),
    **dict.fromkeys(("walong", "walongs"), _LETTER),
    **dict.fromkeys(_MOVES, _OF_MOVE),
}
_MARK = "\ue000{}\ue001"  # in place of a tile, until its sentence is said
_MARKED = re.compile(_MARK.format(r"(\d+)"))


class Tiles:
    """The tiles of a page, which are drawn where it names them. Where tiles belong to
    `players`, those of sentences that name none of these are the reader's."""

    def __init__(
        self, notation: str, players: Sequence[str] = (), reader: str | None = None
    ) -> None:
        self._notation = notation
        self._players = players
        self._reader = reader
        self._drawn = dict[Markup, None]()
        self._named = list[Markup]()

    def __call__(self, name: str, owner: int = 0) -> Markup:
        """A tile, whose name is read aloud; the name alone, if it cannot be drawn."""
        drawn = _tile(self._notation, name, owner)
        self._drawn[drawn] = None
        return drawn

    def own(self, name: str) -> Markup:
        """A tile of the reader."""
        return self(name, self._seat(self._reader))

    def move(self, written: Text, player: str | None = None) -> Text:
        """A move of a player, or of the reader, as it is written, behind its tile; what
        is said in place of a move as it is."""
        if isinstance(written, Sentence):
            return written
        marked = self._with_marks("move", written, player or self._reader)
        return self.put(escape(marked))

    def row(self, names: Iterable[str], player: str) -> Markup:
        """Tiles that came to a player."""
        seat = self._seat(player)
        return Markup(" ").join(self(name, seat) for name in names)

    def marked(self, said: Text) -> Text:
        """A sentence with marks in place of its tiles, and before its moves."""
        if isinstance(said, Sentence):
            return self._marked(said, self._reader)
        return said

    def put(self, said: Markup) -> Markup:
        """The same, when it has been said, with its tiles in place of the marks."""
        return Markup(_MARKED.sub(lambda found: self._named[int(found[1])], said))

    def _marked(self, said: Sentence, player: str | None) -> Sentence:
        about = dict(said.values).get("player", player)
        player = about if isinstance(about, str) else player
        values = ((at, self._value(at, it, player)) for at, it in said.values)
        return Sentence(said.forms, (*values,))

    def _value(self, place: str, value: Value, player: str | None) -> Value:
        if isinstance(value, Sentence):
            return self._marked(value, player)
        if isinstance(value, Listed):
            each = (self._value(place, one, player) for one in value)
            return type(value)(one for one in each if isinstance(one, str | Sentence))
        if type(value) is str and place in _DRAWN:
            return self._with_marks(place, value, player)
        return value

    def _with_marks(self, place: str, text: str, player: str | None) -> str:
        """What takes a place in a sentence about a player, with its marks."""
        owner = self._seat(player)

        def mark(found: re.Match[str]) -> str:
            if not svg.tile(self._notation, found[0], owner):
                return found[0]
            drawn = self(found[0], owner)
            if place in _MOVES:  # its name is there in any case
                drawn = Markup(_ALOUD.sub("", drawn))
            self._named.append(drawn)
            after = found[0] if place in _MOVES else ""
            return _MARK.format(len(self._named) - 1) + after

        return _DRAWN[place].sub(mark, text)

    def _seat(self, player: str | None) -> int:
        """Whose the tiles of a player are, where they belong to players."""
        is_theirs = player is not None and player in self._players
        return self._players.index(player) if is_theirs and player else 0

    def shapes(self) -> Markup:
        """What they are drawn from, to be put behind the last of them."""
        return _shapes(self._notation, tuple(self._drawn))


@lru_cache(maxsize=10_000)
def _tile(notation: str, name: str, owner: int) -> Markup:
    drawn = svg.tile(notation, name, owner)
    if not drawn:
        return Markup('<span class="tile name">{}</span>').format(name)
    return Markup(
        '<span class="tile" title="{name}" data-tile="{name}">{drawn}'
        '<span class="aside">{name}</span></span>'
    ).format(name=name, drawn=inline(drawn, "t-"))


_ALOUD = re.compile('<span class="aside">.*?</span>')


@lru_cache(maxsize=1_000)
def _shapes(notation: str, drawn: tuple[Markup, ...]) -> Markup:
    used = "".join(drawn).replace('"#t-', '"#')
    return inline(svg.shapes(notation, used), "t-")


_TITLE = sentence("Figure {number}")
_TEXT = sentence("A board, as the text beside it describes it.")


def figure(drawing: Drawing, number: int, language: Language) -> Markup:
    """The figure with this number on a help page."""
    title, text = language.say(_TITLE.of(number=number)), language.say(_TEXT)
    drawn = inline(svg.draw(drawing, title, text), f"f{number}-")
    return Markup('<figure class="figure">{}</figure>').format(drawn)
