"""The letter to a stranger whose mail asked nothing."""

from collections.abc import Mapping
from functools import cache

from pbm_holomino import rules
from pbm_holomino.draw.text import Drawn
from pbm_holomino.languages import sentence
from pbm_holomino.letters.account_letters import FIRST_GAME
from pbm_holomino.letters.content import (
    Command,
    Content,
    Paragraph,
    Part,
    Picture,
    content,
    in_words,
)
from pbm_holomino.rules.chance import Chance
from pbm_holomino.rules.contract import Drawing
from pbm_holomino.rules.options import configure

SUBJECT = sentence("Welcome to a game by mail")

WHAT = sentence(
    "This is a server for board games by mail: it sends you the board, and you answer "
    "with a move, whenever you like."
)
_HOW = sentence(
    "A first game, against a robot, begins when you send this as the Subject of a mail "
    "from this address:"
)
_PLAY = sentence("Play a first game")
_WHO = sentence(
    "It makes you a player without a password, and others will see you as {userid}; "
    "write another name in its place if you like."
)
_OR = sentence(
    "If you would rather see first how a game goes, send what is below, and if you do "
    "not want to play, you need not do anything."
)
_TUTORIAL = sentence("Show me how")
_IN_THIS_LANGUAGE = sentence("To play a first game in English, send")

_SEED, _MOVES = bytes([2]) * 32, 6  # of the game in the picture


def welcome(line: str, others: Mapping[str, str]) -> Content:
    """What a stranger is told, with the line that makes them a player; and with the
    same line in `others` for those who read other languages, by their codes."""
    _, userid, _ = line.split()
    return content(
        (Paragraph(WHAT),),
        (picture(),),
        (Paragraph(_HOW), Command(line, label=_PLAY)),
        (Paragraph(_WHO.of(userid=userid)),),
        (Paragraph(_OR), Command("help tutorial", label=_TUTORIAL)),
        *(_in_language(code, line) for code, line in others.items()),
    )


def _in_language(code: str, line: str) -> Part:
    """The first game of somebody who reads another language, said in that language."""
    said = Paragraph(in_words(_IN_THIS_LANGUAGE, code))
    return said, Command(line, label=in_words(_PLAY, code))


def picture() -> Picture:
    """What a board of the first game looks like."""
    return Picture(Drawn(_drawing()))


@cache
def _drawing() -> Drawing:
    """A board in the middle of a game, in which each move was the one that scored
    most."""
    game, chance = rules.load(FIRST_GAME), Chance(_SEED)
    state, _ = game.settle(game.start(2, configure(game, {})), chance)
    for _ in range(_MOVES):
        (seat,) = game.to_move(state)
        moves = game.legal(state, seat)
        gains = game.gains(state, moves)
        best = max(range(len(moves)), key=gains.__getitem__)
        state, _ = game.play(state, seat, moves[best])
        state, _ = game.settle(state, chance)
    return game.drawing(state)._replace(labels={}, last=())
