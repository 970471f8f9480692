"""Positions that were not played here: boards that somebody pastes, to think about."""

from pbm_holomino.draw.reading import read
from pbm_holomino.errors import NoPosition
from pbm_holomino.match.board import Match, Public
from pbm_holomino.match.record import SHELL, Act, Line, Record
from pbm_holomino.match.replay import begin
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.rules import load
from pbm_holomino.rules.contract import Drawing, State
from pbm_holomino.rules.options import configure

SOMEBODY = "?"  # who plays against whoever thinks about a position
NO_BOARD = 0  # the number of what is no board of the store
_NO_SEED = bytes(32)


class Position(NamedTuple):
    """A match that begins with a board that was pasted; whether its cells are numbered
    as they were there; and the words of the options with which alone it can be."""

    match: Match
    is_numbered: bool
    words: dict[str, str]


def pasted(name: str, text: str, who: str) -> Position:
    """The position on a board in a text, in the game of this name. The player who
    thinks about it is to move; both hold every tile that may be left. Raises BadBoard,
    which says where the text goes wrong."""
    game = load(name)
    plain = game.start(game.SEATS[0], configure(game, {}))
    found = read(text, game.drawing(plain).notation, game.SIDES)
    words = dict(game.suiting(found.drawing))
    try:
        match = positioned(name, found.drawing, words, who)
    except NoPosition as error:
        raise found.refusal(error.at, error.why) from None
    return Position(match, found.is_numbered, words)


def positioned(name: str, drawing: Drawing, words: dict[str, str], who: str) -> Match:
    """The match that begins with this board, in the game of this name and with these
    words of options. Raises BadOption, and NoPosition."""
    game = load(name)
    options = configure(game, words)
    state = game.position(options, drawing)
    record = Record(
        name, NO_BOARD, game.VERSION, (), False, options, _NO_SEED, (), rated=False
    )
    line = Line(0, "", who, SHELL, Act.CHALLENGE)
    match = begin(record, (who, SOMEBODY), line)
    first = match.steps[-1]._replace(events=())  # nothing has happened there
    return with_state(match._replace(steps=(*match.steps[:-1], first)), state)


def with_every_tile(match: Match) -> Match:
    """The match as if one knew nothing of what players hold."""
    return with_state(match, match.rules.with_every_tile(match.state))


def with_state(match: Match, state: State) -> Match:
    """The match with this state in place of its last one."""
    steps = (*match.steps[:-1], match.steps[-1]._replace(state=state))
    match = match._replace(steps=steps, previewed=True)
    return match._replace(public=Public(match.record, steps))
