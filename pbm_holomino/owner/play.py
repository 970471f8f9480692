"""`pbm demo --play`: a game against a robot in the terminal, kept nowhere."""

import os
from collections.abc import Callable
from random import Random

from pbm_holomino import robots, rules
from pbm_holomino.commands.request import Answer
from pbm_holomino.errors import Refused
from pbm_holomino.letters import help as pages
from pbm_holomino.letters import screen
from pbm_holomino.letters.content import Content, Lines, content, plain
from pbm_holomino.match import replay
from pbm_holomino.match.board import Match
from pbm_holomino.match.record import ROBOT, SHELL, Act, Line, Record
from pbm_holomino.match.times import time_at
from pbm_holomino.robots.contract import Budget
from pbm_holomino.rules.chance import SEED_BYTES
from pbm_holomino.rules.contract import Proposal
from pbm_holomino.rules.options import configure
from pbm_holomino.sentences import fill

_YOU, _ROBOT = "you", "robot1"
_BUDGET = Budget(seconds=0.2)
_STOP = ("quit", "exit", "resign", "q")


def play(game: str, ask: Callable[[str], str] = input) -> Answer:
    """Play a game against the robot of level 1, until it is over or the visitor has
    enough. `ask` asks for a move."""
    match, rng = _begun(game), Random()
    try:
        while True:
            while match.result is None and _ROBOT in match.turn:
                match = _after_robot(match, rng)
            print("\n" + plain(_shown(match)))
            if match.result is not None:
                return Answer(_farewell(game))
            word = ask('Your move, "help" or "quit": ').strip()
            while (found := _after(match, word)) is None:
                word = ask('Your move, "help" or "quit": ').strip()
            if found is match:
                return Answer(_farewell(game))
            match = found
    except EOFError:
        return Answer("\n" + _farewell(game))


def _begun(game: str) -> Match:
    loaded = rules.load(game)
    record = Record(
        game=game,
        board=1,
        version=loaded.VERSION,
        players=(),
        random=False,
        options=configure(loaded, {}),
        seed=os.urandom(SEED_BYTES),
        log=(),
        challenger=_YOU,
        robots=(_ROBOT,),
        rated=False,
    )
    line = Line(0, time_at(), _YOU, SHELL, Act.CHALLENGE)
    return replay.begin(record, (_YOU, _ROBOT), line)


def _after_robot(match: Match, rng: Random) -> Match:
    record = match.record
    view = match.rules.view(match.state, record.players.index(_ROBOT))
    move = robots.load(record.game, 1)(view, _BUDGET, rng)
    return replay.after(match, Line(None, time_at(), _ROBOT, ROBOT, move))


def _after(match: Match, word: str) -> Match | None:
    """The match after what the visitor has typed: the same if they have enough; None if
    something else must be typed."""
    if word.lower() in _STOP:
        return match
    if word.lower() == "help":
        print(pages.page(match.record.game))
        return None
    try:
        return replay.after(match, Line(None, time_at(), _YOU, SHELL, word))
    except Refused as error:
        print(fill(str(error)), end="")
        return None


def _shown(match: Match) -> Content:
    """The board, what has happened, and the moves that are possible."""
    proposal = match.view(_YOU).proposal
    parts = (
        tuple(block for block in part if not (isinstance(block, Lines) and block.fine))
        for part in screen.screen(match, _YOU, past=match.result is None)
    )
    moves = () if match.result else (Lines(_moves(proposal)),)
    return content(*parts, moves)


def _moves(proposal: Proposal) -> str:
    """The moves that are proposed, a line for each tile."""
    spots: dict[str, list[str]] = {}
    for move in proposal.moves:
        tile, _, spot = move.partition(":")
        spots.setdefault(tile, []).append(spot)
    lines = [
        fill(" ".join(found), f"  {tile}: ", " " * (len(tile) + 4))
        for tile, found in spots.items()
    ]
    heading = proposal.heading.format(are="are") if proposal.heading else "For example"
    how = fill(f"To play, type a move, such as {proposal.moves[0]}.")
    return f"{heading}:\n{''.join(lines)}{how}"


def _farewell(game: str) -> str:
    return fill(
        f'That was a game of {rules.load(game).TITLE}. "pbm demo" shows how it is '
        f'played by mail, and "{game} help" has the rules.'
    )
