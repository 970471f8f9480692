"""The review of a game that is over: its moves as a robot judges them."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from pbm_holomino.match.board import SCORE, Match
from pbm_holomino.match.record import format_line
from pbm_holomino.named_tuples import NamedTuple


class Judged(NamedTuple):
    """A move as a robot judges it."""

    line: int  # its index in the log
    robot: str  # what the robot would have played
    given_away: float  # points
    # Of coming first, before the move, for each seat; a shared first place is a part.
    chances: tuple[float, ...]


class Review(NamedTuple):
    """The moves of a game as a robot judges them, and a digest of these moves."""

    digest: str
    moves: tuple[Judged, ...]

    def fits(self, match: Match) -> bool:
        """Whether it is about the moves of this board."""
        seats = len(match.record.players)
        return self.digest == digest(match) and all(
            judged.line in match.moves and len(judged.chances) == seats
            for judged in self.moves
        )


def digest(match: Match) -> str:
    """What tells the moves of a board from others. What is said there later does not
    change it."""
    log = match.public.record.log
    lines = [f"{index} {format_line(log[index])}" for index in match.moves]
    text = "\n".join([match.record.seal, *lines])
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def scored(match: Match, line: int) -> int:
    """What the move in a line of the log scored for its player at once."""
    seat = match.record.players.index(match.record.log[line].who)
    before, after = match.steps[line - 1].state, match.steps[line].state
    return after.scores[seat] - before.scores[seat]


def final_chances(match: Match) -> tuple[float, ...]:
    """How a board that is over ended for each seat: 1 for a sole winner, a part for
    each who shared first place, and 0 for all if it was cancelled."""
    assert match.result is not None
    winners = match.result.winners
    part = 1 / max(len(winners), 1)
    return tuple(part * (who in winners) for who in match.record.players)


class Turn(NamedTuple):
    """A move, and the chance of its player of coming first: before it, and before the
    next one or at the end; None if the game ended in some other way than by it."""

    judged: Judged
    seat: int
    before: float
    after: float | None

    @property
    def change(self) -> float:
        """How much the chance has changed."""
        return 0.0 if self.after is None else abs(self.after - self.before)


def turns(match: Match, review: Review) -> list[Turn]:
    """The moves of a review, each with what it changed."""
    players, log = match.record.players, match.record.log
    seats = [players.index(log[judged.line].who) for judged in review.moves]
    later: list[tuple[float, ...] | None] = [j.chances for j in review.moves[1:]]
    is_by_move = match.result is not None and match.result.reason == SCORE
    later.append(final_chances(match) if is_by_move else None)
    return [
        Turn(judged, seat, judged.chances[seat], None if after is None else after[seat])
        for judged, seat, after in zip(review.moves, seats, later, strict=True)
    ]


def turning_points(turned: Sequence[Turn]) -> list[Turn]:
    """The moves that changed most, in the order in which they were played."""
    most = sorted(turned, key=lambda turn: -turn.change)[:_MOST_TURNING]
    turning = (turn for turn in most if turn.change >= _LEAST_CHANGE)
    return sorted(turning, key=lambda turn: turn.judged.line)


_MOST_TURNING = 5
_LEAST_CHANGE = 0.05


def to_data(review: Review) -> dict[str, Any]:
    """The review as text and lists."""
    return {"digest": review.digest, "moves": [_format(j) for j in review.moves]}


def from_data(data: Mapping[str, Any]) -> Review:
    """The review in these data. Raises one of store.damage.DAMAGE."""
    return Review(data["digest"], tuple(map(_parse, data["moves"])))


def _format(judged: Judged) -> str:
    chances = (f"{chance:.3f}" for chance in judged.chances)
    given_away = f"{judged.given_away:.3f}".rstrip("0").rstrip(".")
    words = (str(judged.line), judged.robot, given_away)
    return " ".join((*words, *chances))


def _parse(text: str) -> Judged:
    line, robot, given_away, *chances = text.split(" ")
    return Judged(int(line), robot, float(given_away), tuple(map(float, chances)))
