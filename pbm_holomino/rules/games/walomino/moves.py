"""What players send in Walomino: wishes, pairs, and where a pair lies."""

import re
from collections.abc import Iterable

from pbm_holomino.errors import BadMove
from pbm_holomino.languages import of_number, sentence
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.rules.games.walomino.chain import (
    COLOURS,
    Placing,
    by_colour,
    format_place,
    pair_name,
)
from pbm_holomino.rules.refusals import not_a_move

TAKE, PAIR, PLAY = "take", "pair", "play"
MOST_WISHES = 50


class Take(NamedTuple):
    """Wishes for this take and the coming ones, in order, and whether chance takes for
    the player after them."""

    colours: str
    by_chance: bool


class Pairing(NamedTuple):
    """All pairs of a player, in the order R G Y P B; none if chance is to pair."""

    pairs: tuple[str, ...]


Move = Take | Pairing | Placing


def canonical(pairs: Iterable[str]) -> tuple[str, ...]:
    """The pairs as they are named in hand, in the order R G Y P B."""
    return tuple(by_colour(map(pair_name, pairs)))


ASKS = {
    TAKE: sentence(
        "Walongs are being taken now: send take: and the colours that you want, such "
        "as take:R, take:RRG or take:RRG,any, or send take:any."
    ),
    PAIR: sentence(
        "Pairs are being made now: send pairs: and all your pairs, such as "
        "pairs:RG,RR,BY, or send pairs:any."
    ),
    PLAY: sentence(
        "Pairs are being played now: send a pair and two positions, such as RG:7,8, "
        "with the half that touches an open end first."
    ),
}
_NO_PASS = sentence("You cannot pass in Walomino: a player who cannot play is skipped.")
_NO_COLOUR = sentence(
    '"{letter}" is not a colour: the colours are R (red), G (green), Y (yellow), P '
    "(purple) and B (black)."
)
_WISHES = sentence(
    "Write your wishes without blanks or commas, such as take:RRG. They may end with a "
    "comma and any, such as take:RRG,any."
)
_TOO_MANY_WISHES = of_number(
    "You sent {n} wish, and {most} at a time are allowed.",
    "You sent {n} wishes, and {most} at a time are allowed.",
)
_NO_PAIR = sentence(
    '"{pair}" is not a pair: a pair is two letters, and commas separate pairs, as in '
    "pairs:RG,RR,BY."
)
_PLACE = r"(?a)([A-Z]{2}):([0-9]{1,9}),([0-9]{1,9})"


def phase_of(move: Move) -> str:
    """The phase in which such a move is made."""
    if isinstance(move, Placing):
        return PLAY
    return TAKE if isinstance(move, Take) else PAIR


def parse(phase: str, text: str) -> Move:
    """The move that a word names in this phase. Raises BadMove."""
    word = text.upper()
    kind, colon, rest = word.partition(":")
    if colon and kind == "TAKE":
        return _parse_wishes(rest)
    if colon and kind == "PAIRS":
        return _parse_pairs(rest)
    match = re.fullmatch(_PLACE, word)
    if match:
        pair = _read_colours(match[1])
        return Placing(pair[0], pair[1], int(match[2]), int(match[3]))
    if kind == "PASS":
        raise BadMove(_NO_PASS)
    raise not_a_move(text, ASKS[phase])


def in_notation(text: str) -> bool:
    """Whether a word has the form of a move, in whatever phase."""
    try:
        parse(PLAY, text)
    except BadMove:
        return False
    return True


def _read_colours(word: str) -> str:
    for letter in word:
        if letter not in COLOURS:
            raise BadMove(_NO_COLOUR.of(letter=letter))
    return word


def _parse_wishes(rest: str) -> Take:
    if rest == "ANY":
        return Take("", True)
    colours, comma, tail = rest.partition(",")
    if not colours or comma and tail != "ANY":
        raise BadMove(_WISHES)
    if len(colours) > MOST_WISHES:
        raise BadMove(_TOO_MANY_WISHES.of(n=len(colours), most=MOST_WISHES))
    return Take(_read_colours(colours), bool(comma))


def _parse_pairs(rest: str) -> Pairing:
    if rest == "ANY":
        return Pairing(())
    pairs = rest.split(",")
    for pair in pairs:
        if len(pair) != 2:
            raise BadMove(_NO_PAIR.of(pair=pair))
        _read_colours(pair)
    return Pairing(canonical(pairs))


def format_move(move: Move) -> str:
    """The move in canonical notation."""
    if isinstance(move, Placing):
        return format_place(move)
    if isinstance(move, Pairing):
        return f"pairs:{','.join(move.pairs) or 'any'}"
    words = [move.colours] * bool(move.colours) + ["any"] * move.by_chance
    return f"take:{','.join(words)}"


def public_move(move: Move) -> str:
    """The move without what is secret: wishes, and pairs until all are opened."""
    if isinstance(move, Placing):
        return format_move(move)
    return "take" if isinstance(move, Take) else "pairs"
