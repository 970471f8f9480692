"""How a reader can answer: by a reply to a letter, or by a command with a password."""

from pbm_holomino.languages import Listed, Sentence, sentence, together
from pbm_holomino.letters.content import Command, Paragraph, Part
from pbm_holomino.match.account import PLACEHOLDER
from pbm_holomino.match.board import Match
from pbm_holomino.match.record import Record
from pbm_holomino.named_tuples import NamedTuple


def full_command(record: Record, verb: str, who: str, *words: str) -> str:
    """A player's command about a board, without their password."""
    given = (record.game, verb, str(record.board), who, PLACEHOLDER, *words)
    return " ".join(given)


class Ways(NamedTuple):
    """What says how to send a command, or one of several: by a reply to a letter, or
    with a password."""

    reply: Sentence
    line: Sentence

    def after(self, *said: Sentence) -> "Ways":
        """The same, after other sentences."""
        return Ways(*(together((*said, way)) for way in self))


TO_PLAY_IT = Ways(
    sentence("To play it, reply to this letter with this in its first line:"),
    sentence("To play it, send this line with your password:"),
)


def how_to_send(ways: Ways, by_reply: bool, *commands: Command) -> Part:
    """How to send a command, or one of several."""
    if by_reply:
        return (Paragraph(ways.reply), *commands)
    return Paragraph(ways.line), *(Command(command.whole) for command in commands)


def where_it_fits(match: Match, reader: str, move: str) -> Sentence | None:
    """Where the tile of a move fits that is not possible, if it fits anywhere and the
    player is to move."""
    tile, _, _ = move.partition(":")
    if reader not in match.turn or tile in match.rules.WORDS:
        return None
    legal = match.view(reader).legal
    places = [
        other.partition(":")[2] for other in legal if other.startswith(f"{tile}:")
    ]
    has_commas = any("," in place for place in places)
    if not 0 < len(places) <= (_MOST_PAIRS if has_commas else _MOST_PLACES):
        return None
    return _FITS.of(tile=tile, places=Listed(places))


_MOST_PLACES, _MOST_PAIRS = 12, 2  # in a sentence
_FITS = sentence("{tile} fits at {places}.")
