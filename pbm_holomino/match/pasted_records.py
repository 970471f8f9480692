"""Records that somebody pastes in JSON, as `history -format=json` prints them: they
are positions to think about, and no boards of the store.

With the seed, all draws are made again; without it only the board is taken.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from pbm_holomino.errors import (
    BadBoard,
    BadMove,
    IllegalMove,
    NoPosition,
)
from pbm_holomino.languages import Sentence, sentence
from pbm_holomino.match.board import Match, settled
from pbm_holomino.match.pasted_json import pasted_object
from pbm_holomino.match.positions import NO_BOARD, positioned
from pbm_holomino.match.record import SHELL, Act, Line, Record, is_word
from pbm_holomino.match.replay import grown, judged, replay
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.rules import load
from pbm_holomino.rules.chance import SEED_BYTES, Chance, shuffled
from pbm_holomino.rules.contract import END, AnyGame, Drawing, Label
from pbm_holomino.rules.grid import LAST_POSITION, neighbours
from pbm_holomino.rules.options import configure
from pbm_holomino.sentences import quoted

_Kind = TypeVar("_Kind")
_Fields = Mapping[str, Any]

_OTHER_GAME = sentence("That is a record of {there}, and you asked for {game}.")
_WRONG = sentence('In the record, "{field}" is not as "help json" describes it.')
_AT_MOVE = sentence("Move {number} of the record, {move}: {why}")
_NOT_THEIRS = sentence("it is not the turn of {player} there.")
_AT_CELL = sentence("At {at} in the record: {why}")
_NO_TILE = sentence("There is no tile on the board of this record.")
_NOT_THE_SEAL = sentence("The seed of the record does not fit its seal.")
_NOT_DRAWN = sentence(
    'The seed of the record does not fit its draws: "{field}" would be otherwise.'
)


class PastedRecord(NamedTuple):
    """A match that begins with what is in a record; whether the seed is there, and fits
    the draws; and in whose place the asker moves, if that is not so."""

    match: Match
    is_verified: bool
    place: str = ""


def pasted_record(name: str, text: str, who: str) -> PastedRecord | None:
    """The record in a text, for this game and a player who thinks about it; None if
    none is there. Raises BadBoard, BadMove and BadOption."""
    fields = pasted_object(text)
    if fields is None:
        return None
    there = _of(fields, "game", str)
    if there != name:
        raise _refusal(_OTHER_GAME.of(there=quoted(there), game=name))
    if "seed" in fields and not fields.get("gone"):
        return PastedRecord(_replayed(fields), True)
    return _board_alone(fields, who)


def _refusal(why: Sentence) -> BadBoard:
    return BadBoard(0, 0, why)


def _wrong(field: str) -> BadBoard:
    return _refusal(_WRONG.of(field=field))


def _of(fields: _Fields, name: str, kind: type[_Kind], default: Any = None) -> _Kind:
    """The field of this name, or the default. Raises BadBoard for one of another
    kind."""
    found = fields.get(name, default)
    if not isinstance(found, kind):
        raise _wrong(name)
    return found


def _texts(fields: _Fields, name: str) -> list[str]:
    found = _of(fields, name, list)
    if not all(isinstance(text, str) for text in found):
        raise _wrong(name)
    return found


def _words(fields: _Fields) -> dict[str, str]:
    """The game's options as they are typed."""
    found = _of(fields, "options", dict)
    if not all(isinstance(value, bool | int | str) for value in found.values()):
        raise _wrong("options")
    return {
        name: ("no", "yes")[value] if isinstance(value, bool) else str(value)
        for name, value in found.items()
    }


def _players(fields: _Fields, game: AnyGame) -> tuple[str, ...]:
    players = _texts(fields, "players")
    are_words = all(map(is_word, players)) and len({*players}) == len(players)
    least, most = game.SEATS[0], game.SEATS[-1]
    if not (are_words and least <= len(players) <= most):
        raise _wrong("players")
    return tuple(players)


# With the seed: what was played is played again


def _replayed(fields: _Fields) -> Match:
    game = load(_of(fields, "game", str))
    players, seed = _players(fields, game), _seed(fields)
    is_random = _of(_of(fields, "match", dict, {}), "random", bool, False)
    order, seated = shuffled(players, Chance(seed))
    if is_random and order != players:
        raise _refusal(_NOT_DRAWN.of(field="players"))
    line = Line(0, "", players[0], SHELL, Act.CHALLENGE)
    match = replay(_record(fields, game, players, is_random, seed, line))
    chance = Chance(seed, seated if is_random else 0)
    moves = _texts(fields, "moves")
    for number, move in enumerate(moves, 1):
        match = _moved(match, number, move, chance)
    if fields.get("ply") == len(moves):
        _check_drawn(fields, match)
    return match


def _seed(fields: _Fields) -> bytes:
    word = _of(fields, "seed", str)
    if not re.fullmatch(f"[0-9a-f]{{{2 * SEED_BYTES}}}", word):
        raise _wrong("seed")
    return bytes.fromhex(word)


def _record(
    fields: _Fields,
    game: AnyGame,
    players: tuple[str, ...],
    is_random: bool,
    seed: bytes,
    line: Line,
) -> Record:
    options = configure(game, _words(fields))
    record = Record(
        _of(fields, "game", str),
        NO_BOARD,
        game.VERSION,
        players,
        is_random,
        options,
        seed,
        (line,),
        rated=False,
    )
    if _of(fields, "seal", str, record.seal) != record.seal:
        raise _refusal(_NOT_THE_SEAL)
    return record


def _moved(match: Match, number: int, told: str, chance: Chance) -> Match:
    """The match after a move such as `alice 123:17`, and what is drawn then. Raises
    BadBoard."""
    who, _, move = told.partition(" ")
    try:
        if who not in match.turn:
            raise BadMove(_NOT_THEIRS.of(player=quoted(who)))
        line, step = judged(match, Line(None, "", who, SHELL, move), move)
    except BadMove as error:
        said = error.about(who).said if isinstance(error, IllegalMove) else error.said
        why = _AT_MOVE.of(number=number, move=quoted(told), why=said)
        raise _refusal(why) from None
    return grown(match, line, settled(match.record, step, chance))


def _check_drawn(fields: _Fields, match: Match) -> None:
    """Raises BadBoard if what players hold in the record is not what they have drawn,
    or its board is not what they have played."""
    view, players = match.view(None), match.record.players
    pools = dict(zip(players, map(list, view.by_drawing or view.pools), strict=True))
    cells = {str(at): face for at, face in view.drawing.faces.items()}
    for name, right in (("pools", pools), ("cells", cells)):
        if fields.get(name, right) != right:
            raise _refusal(_NOT_DRAWN.of(field=name))


# Without the seed: the board alone


def _board_alone(fields: _Fields, who: str) -> PastedRecord:
    game = load(_of(fields, "game", str))
    players, words = _players(fields, game), _words(fields)
    place = next(iter(_texts(fields, "turn")), players[0])
    if place not in players:
        raise _wrong("turn")
    drawing = _drawing(fields, game, place)
    try:
        return PastedRecord(
            positioned(fields["game"], drawing, words, who), False, place
        )
    except NoPosition as error:
        raise _refusal(_AT_CELL.of(at=error.at, why=error.said)) from None


def _drawing(fields: _Fields, game: AnyGame, place: str) -> Drawing:
    """The board in a record; where tiles belong to players, whoever is to move has the
    first seat."""
    cells = _by_cell(fields, "cells")
    if not cells:
        raise _refusal(_NO_TILE)
    joints = _joints(fields, cells)
    plain = game.drawing(game.start(game.SEATS[0], configure(game, {})))
    owners = _by_cell(fields, "owners") if game.SIDES else {}
    heights = _by_cell(fields, "heights", int) if game.SIDES else {}
    if game.SIDES and owners.keys() != cells.keys():
        raise _wrong("owners")
    if not heights.keys() <= cells.keys():
        raise _wrong("heights")
    return Drawing(
        plain.notation,
        cells,
        joints,
        labels=_ends(joints),
        owners={at: int(owner != place) for at, owner in owners.items()},
        sides=tuple(game.SIDES),
        heights=heights,
    )


def _ends(joints: Sequence[tuple[int, int]]) -> dict[int, Label]:
    """Marks for both ends of a chain, whose tiles are told from one to the other. In
    games without a chain they mean nothing."""
    return {joints[0][0]: END, joints[-1][1]: END} if joints else {}


def _by_cell(
    fields: _Fields, name: str, kind: type[_Kind] | type[str] = str
) -> dict[int, Any]:
    """What is told of cells, by their numbers."""
    found = _of(fields, name, dict, {})
    for at, value in found.items():
        is_cell = re.fullmatch("0|[1-9][0-9]{0,8}", at) and int(at) <= LAST_POSITION
        if not is_cell or type(value) is not kind or not _is_plain(value):
            raise _wrong(name)
    return {int(at): value for at, value in found.items()}


def _is_plain(value: object) -> bool:
    """Whether this may be what is told of a cell: a word or a number."""
    return re.fullmatch(r"\w{1,80}", str(value)) is not None


def _joints(fields: _Fields, cells: Mapping[int, str]) -> list[tuple[int, int]]:
    """The pairs of cells that are one tile."""
    return [_joint(joint, cells) for joint in _of(fields, "joints", list, [])]


def _joint(joint: Any, cells: Mapping[int, str]) -> tuple[int, int]:
    is_pair = isinstance(joint, list) and [*map(type, joint)] == [int, int]
    if not (is_pair and {*joint} <= cells.keys() and joint[0] in neighbours(joint[1])):
        raise _wrong("joints")
    first, second = joint
    return first, second
