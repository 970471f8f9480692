"""Reading a board in words back, in any language in which it can be said.

The sentences are those of `draw.words`, as each language says them: a board is read by
them, told again, and compared with what was pasted, word by word. Where lines end does
not matter.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from itertools import takewhile
from typing import Protocol

from pbm_holomino.draw import words
from pbm_holomino.draw.reading.patterns import pattern
from pbm_holomino.draw.reading.sheets import Row
from pbm_holomino.errors import BadBoard
from pbm_holomino.languages import Language, Sentence, sentence
from pbm_holomino.languages.known import codes, language
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.rules.contract import BLOCKED, Drawing
from pbm_holomino.rules.grid import LAST_POSITION

_NO_TILE = sentence("I find no tile of this game in that list.")
_OFF_GRID = sentence("{position} is off the grid: positions go up to {last}.")
_TWICE = sentence("Another tile is at {position} already.")
_OTHERWISE = sentence(
    '"{there}" contradicts the rest of the list: it should be "{right}".'
)

_CHAINS = (words.PAIRS, words.PAIRS_AS_TILES)


class Hearing(Protocol):
    """How tiles of a notation are heard: the module of this package that has its
    name."""

    def tile(
        self, language: Language, sides: Sequence[Sentence], said: str
    ) -> Drawing | None:
        """The tile that a sentence tells of, alone; None if it tells of none."""


class _Word(NamedTuple):
    """A word, and where it is: its line and column, from 1 on."""

    text: str
    line: int
    column: int

    def refusal(self, why: Sentence) -> BadBoard:
        return BadBoard(self.line, self.column, why)


class _Said(NamedTuple):
    """A sentence, with its words."""

    words: tuple[_Word, ...]

    @property
    def text(self) -> str:
        return " ".join([word.text for word in self.words])


class Told(NamedTuple):
    """A board that was told, and the line and the column where each position is first
    told of."""

    drawing: Drawing
    places: dict[int, tuple[int, int]]


def read(
    rows: Iterable[Row], notation: str, sides: Sequence[Sentence] = ()
) -> Told | None:
    """The board of which a text tells; None if it tells of none. Its tiles are in this
    notation, and the seats are called so where tiles belong to players. Raises
    BadBoard."""
    text = [*_sentences(rows)]
    for code in codes():
        told = _told(text, language(code))
        if told:
            return _read(told, language(code), notation, sides)
    return None


def _sentences(rows: Iterable[Row]) -> Iterator[_Said]:
    """The words of a text, up to each full stop or colon at the end of one."""
    said: list[_Word] = []
    for row in rows:
        for found in re.finditer(r"\S+", row.text):
            column = row.indent + found.start() + 1
            said.append(_Word(found[0], row.number, column))
            if found[0].endswith("."):
                yield _Said(tuple(said))
                said = []
    yield _Said(tuple(said))


def _told(text: Sequence[_Said], speaker: Language) -> list[_Said]:
    """The sentences about a board's tiles, from the one on that counts them; nothing
    if none does."""
    counts = [
        re.compile(rf"(?<!\S)(?:{pattern(speaker, count.of(n=n), n='[0-9]+')})\Z")
        for count, _ in (words.TILES, *_CHAINS)
        for n in (1, 2)
    ]
    for index, said in enumerate(text):
        for count in counts:
            if found := count.search(said.text):
                number = len(said.text[: found.start()].split())
                return [_Said(said.words[number:]), *text[index + 1 :]]
    return []


def _read(
    told: Sequence[_Said],
    speaker: Language,
    notation: str,
    sides: Sequence[Sentence],
) -> Told:
    hearing: Hearing = import_module(f"{__name__}.{notation}")
    drawing = Drawing(notation, {}, sides=tuple(sides))
    places = dict[int, tuple[int, int]]()
    for said in _of_tiles(told[1:], speaker, notation):
        tile = hearing.tile(speaker, sides, said.text)
        if tile:
            _check(tile, drawing, said.words[0])
            drawing = _with(drawing, tile)
            here = said.words[0].line, said.words[0].column
            places |= dict.fromkeys(tile.faces, here)
    if not drawing.faces:
        raise told[0].words[0].refusal(_NO_TILE)
    drawing = _with_the_rest(drawing, speaker, told)
    _compare(told, drawing, speaker)
    return Told(drawing, places)


def _of_tiles(
    told: Sequence[_Said], speaker: Language, notation: str
) -> Iterator[_Said]:
    """The sentences before those about empty cells."""
    spoken = import_module(f"pbm_holomino.draw.words.{notation}")
    headings = (words.CELLS, words.OTHER_CELLS, spoken.CAN_GO)
    begins = tuple(map(speaker.say, headings))
    return takewhile(lambda said: not said.text.startswith(begins), told)


def _check(tile: Drawing, drawing: Drawing, word: _Word) -> None:
    for position in tile.faces:
        if position > LAST_POSITION:
            raise word.refusal(_OFF_GRID.of(position=position, last=LAST_POSITION))
        if position in drawing.faces:
            raise word.refusal(_TWICE.of(position=position))


def _with(drawing: Drawing, tile: Drawing) -> Drawing:
    return drawing._replace(
        faces={**drawing.faces, **tile.faces},
        joints=(*drawing.joints, *tile.joints),
        labels={**drawing.labels, **tile.labels},
        owners={**drawing.owners, **tile.owners},
        heights={**drawing.heights, **tile.heights},
    )


def _with_the_rest(
    drawing: Drawing, speaker: Language, told: Iterable[_Said]
) -> Drawing:
    """The board with what is said of some of its cells."""
    lasts = (words.TILES.last, words.PAIRS.last)
    last = _positions(told, *(pattern(speaker, s, positions="(.+)") for s in lasts))
    blocked = _positions(told, pattern(speaker, words.BLOCKED, positions="(.+)"))
    labels = {**drawing.labels, **dict.fromkeys(blocked, BLOCKED)}
    is_there = all(at in drawing.faces for at in last)
    return drawing._replace(last=last if is_there else (), labels=labels)


def _positions(told: Iterable[_Said], *forms: str) -> tuple[int, ...]:
    """The positions in the first sentence of one of these forms."""
    found = (re.fullmatch(form, said.text) for said in told for form in forms)
    text = next((match[1] for match in found if match), "")
    return tuple(int(at) for at in re.findall("(?a)[0-9]{1,5}", text))


def _compare(told: Iterable[_Said], drawing: Drawing, speaker: Language) -> None:
    """Raises BadBoard at the first word that a board would be told with otherwise."""
    there = [word for said in told for word in said.words]
    ways = [words.describe_tiles(drawing, chain)[0] for chain in _CHAINS]
    faults = [_fault(there, " ".join(map(speaker.say, way)).split()) for way in ways]
    if faults[0] and all(faults):
        raise faults[0]


def _fault(there: Sequence[_Word], wanted: Sequence[str]) -> BadBoard | None:
    """What is wrong with the first word that is not the wanted one."""
    for word, right in zip(there, wanted, strict=False):
        if word.text != right:
            return word.refusal(_OTHERWISE.of(there=word.text[:40], right=right))
    if len(there) < len(wanted):
        missing = _OTHERWISE.of(there=there[-1].text[:40], right=wanted[len(there)])
        return there[-1].refusal(missing)
    return None
