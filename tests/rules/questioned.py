"""The positions that questions are about, and what the engine answers."""

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

from pbm_holomino.errors import BadMove
from pbm_holomino.rules import load
from pbm_holomino.rules.chance import Chance
from tests.languages.questions import Question
from tests.rules import any_hextiles
from tests.rules.holo_table import lay, name_of
from tests.rules.walomino_table import laid

CHANCE = Chance(bytes(32))
# What the other player holds where it does not matter; in Walomino both do, as who
# cannot play there is not asked for a move.
_SPARE = {"walomino": ["RG", "YP", "BB"]}
Hands = Sequence[Sequence[str]]


def answer(game: str, asked: Question) -> str:
    """What the engine answers."""
    rules, state = load(game), position(game, asked)
    (seat,) = rules.to_move(state)
    try:
        move = rules.parse_move(state, seat, asked.move)
        after, _ = rules.play(state, seat, move)
    except BadMove:
        return "no"
    if asked.asks == "next":
        after, _ = rules.settle(after, CHANCE)
        return {(seat,): "same", (): "over"}.get(rules.to_move(after), "other")
    before, then = (rules.view(each, None).scores for each in (state, after))
    return {
        "how": "wins" if rules.outcome(after) == (seat,) else "plays",
        "joined": str(then[seat]),
        "left": str(then[1 - seat]),
        "score": str(then[seat] - before[seat]),
    }[asked.asks]


def position(game: str, asked: Question) -> Any:
    """The position before the move."""
    first, *rest = asked.lie.split()
    options = dict(word.split("=", 1) for word in asked.options.split())
    tile = asked.move.rpartition("pass:")[2].partition(":")[0]
    mine, other = (hand.split() for hand in asked.hands.split("/"))
    hands, sack = (
        [mine or [tile], other or _SPARE.get(game, ["66"])],
        asked.sack.split(),
    )
    if asked.asks == "next":
        hands = [mine, other]
    if game == "walomino":
        return _chain(first, rest, hands)
    if game == "hextup":
        return _stacks(first, rest, hands, options)
    if game == "holo":
        table = lay(first, *rest, **options)
        turned = hands if table.seat == 0 else hands[::-1]
        held = [[name_of(face) for face in hand] for hand in turned]
        return table.hold(*held, sack=sack).state
    named = [[_tile(word) for word in hand] for hand in hands]
    board = _scene(game).board(first, *rest, **options)
    return any_hextiles.hold(board, *named, sack=sack)


def _scene(game: str) -> Any:
    """How a game's tests lay its boards."""
    module = "hextol_scene" if game == "hextol" else f"test_{game}"
    return import_module(f"tests.rules.{module}")


def _tile(word: str) -> str:
    """A domino as it is named, with the smaller number first."""
    return "".join(sorted(word)) if word.isdigit() else word


def _stacks(
    first: str, rest: Sequence[str], hands: Hands, words: Mapping[str, str]
) -> Any:
    """A position of Hextup, where the players have laid a tile in turn."""
    turn = len(rest) % 2
    scene = _scene("hextup")
    board = scene.board(first, *rest, **words)._replace(turn=turn)
    named = [[_tile(word) for word in hand] for hand in hands]
    return scene.hold(board, *(named[::-1] if turn else named))


def _chain(start: str, rest: Sequence[str], hands: Hands) -> Any:
    """A position of Walomino; one player has laid all that lies there."""
    pairs = [move.partition(":")[0] for move in rest]
    held = [*pairs, *hands[0], *_SPARE["walomino"] * (hands[1] == _SPARE["walomino"])]
    mine = ["".join(sorted(pair, key="RGYPB".index)) for pair in held if pair.isupper()]
    table = laid(start, ",".join(mine), ",".join(hands[1]))
    for move in rest:
        rules = load("walomino")
        state, _ = rules.play(table.state, 0, rules.parse_move(table.state, 0, move))
        table.state = state._replace(turn=0, due=False)
    return table.state
