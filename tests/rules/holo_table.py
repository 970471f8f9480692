"""Games of Holomino on which a test plays, with the draws that it wants."""

from collections.abc import Iterable, Sequence
from typing import Any

from pbm_holomino.rules import load
from pbm_holomino.rules.contract import Event
from pbm_holomino.rules.games import holo
from pbm_holomino.rules.options import configure
from pbm_holomino.rules.seats import replaced
from tests.rules.stacked import Stacked

HOLO = holo.GAME


def name_of(face: str) -> str:
    """A tile's name: its digits clockwise, in the rotation that is smallest."""
    return min(face, face[1:] + face[:1], face[2:] + face[:2])


def options(**words: str) -> dict[str, Any]:
    """Holomino's options, from the words of a challenge."""
    return configure(load("holo"), words)


def stack(tiles: Iterable[str], order: Sequence[str]) -> Stacked:
    """Draws that bring these tiles first and in this order."""
    left, indices = sorted(tiles), []
    for tile in order:
        indices.append(left.index(tile))
        left.remove(tile)
    return Stacked(bytes(indices) + bytes(len(left)))


def led_by(state: holo.State, points: int) -> holo.State:
    """The same, but the player to move has so many more points."""
    scores = replaced(state.scores, state.turn, state.scores[state.turn] + points)
    return state._replace(scores=scores)


class HoloTable:
    """A game on which a test plays: the state, with the draws that are due made."""

    def __init__(self, chance: Stacked, **words: str) -> None:
        self.chance = chance
        self.events: tuple[Event, ...]
        start = HOLO.start(2, options(**words))
        self.state, self.events = HOLO.settle(start, chance)

    @property
    def seat(self) -> int:
        """Whose turn it is."""
        (seat,) = HOLO.to_move(self.state)
        return seat

    def play(self, *texts: str) -> "HoloTable":
        """Make these moves, in turn."""
        for text in texts:
            seat = self.seat
            move = HOLO.parse_move(self.state, seat, text)
            state, played = HOLO.play(self.state, seat, move)
            self.state, drawn = HOLO.settle(state, self.chance)
            self.events = (*played, *drawn)
        return self

    def legal(self) -> set[str]:
        """The moves that the engine lists, as they are written."""
        return set(map(HOLO.format_move, HOLO.legal(self.state, self.seat)))

    def hold(self, *pools: Sequence[str], sack: Sequence[str] = ()) -> "HoloTable":
        """Put these tiles into the pools and the sack instead; from now on the
        smallest tile of the sack is drawn."""
        held = tuple(map(tuple, pools))
        self.state = self.state._replace(pools=held, sacks=(tuple(sorted(sack)),))
        self.chance = Stacked(bytes(999))
        return self


def deal(
    first: str, pools: Sequence[Sequence[str]], draws: Sequence[str] = (), **words: str
) -> HoloTable:
    """A new game with these pools, this first tile, and these draws to come."""
    tiles = holo.tile_set(options(**words))
    words.setdefault("pool_size", str(len(pools[0])))
    return HoloTable(stack(tiles, [*pools[0], *pools[1], first, *draws]), **words)


def lay(first: str, *moves: str, **words: str) -> HoloTable:
    """A game in which these faces have been played in turn: `231:1` and so on.

    Each player is given, by deal and draws, the tiles that they lay.
    """
    faces = [move.split(":") for move in moves]
    tiles = [name_of(face) for face, _ in faces]
    size = int(words.setdefault("pool_size", "3"))
    spare = [t for t in holo.tile_set(options(**words)) if t not in (*tiles, first)]
    mine = [[*tiles[seat::2], *(spare.pop() for _ in range(size))] for seat in (0, 1)]
    turns = zip(mine[0][size:], mine[1][size:], strict=False)
    draws = [tile for turn in turns for tile in turn]
    table = deal(first, [own[:size] for own in mine], draws, **words).play(*moves)
    for face, position in faces:
        assert table.state.cells[int(position)] == face
    return table
