"""Open challenges: games that wait for players, before anything is drawn or sealed."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from pbm_holomino.errors import NotAllowed, NotBegun
from pbm_holomino.match import replay
from pbm_holomino.match.account import PLACEHOLDER
from pbm_holomino.match.board import Match
from pbm_holomino.match.deadlines import CHALLENGE_DAYS
from pbm_holomino.match.record import (
    Act,
    Key,
    Line,
    Record,
    format_line,
    setup_data,
    unsealed,
)
from pbm_holomino.match.times import later
from pbm_holomino.sentences import moment, opponents

# Typed in place of a userid:
ANYONE = "anyone"  # a seat for whoever takes it
SOME_ROBOT = "robot"  # the robot that suits the challenger; all their names begin so
KIND = "open challenge"  # what its file says it is
OPEN, CLOSED = "open", "closed"  # its status
ENDS = frozenset((Act.DECLINE, Act.LAPSE, Act.VOID))  # acts that end it


class OpenChallenge(NamedTuple):
    """A challenge that anybody may take up, under the number that its board will have.

    The players of its `record` are its seats, as they were named: one player, who
    opened it, and otherwise ANYONE. The record has no seed. Its log is the beginning of
    the board's: the challenge, and a line for each player who takes a seat.
    """

    record: Record

    @property
    def key(self) -> Key:
        """Where it is kept."""
        return self.record.key

    @property
    def log(self) -> Sequence[Line]:
        return self.record.log

    @property
    def takers(self) -> tuple[str, ...]:
        """The players who have taken a seat, in that order."""
        return tuple(line.who for line in self.record.log if line.action is Act.JOIN)

    @property
    def seated(self) -> tuple[str, ...]:
        """The player who opened it, and the takers."""
        return (self.record.challenger, *self.takers)

    @property
    def seats(self) -> tuple[str, ...]:
        """The players by seat; ANYONE where one is free. Takers fill them in order."""
        takers = iter(self.takers)
        challenger = self.record.challenger
        return tuple(
            player if player == challenger else next(takers, ANYONE)
            for player in self.record.players
        )

    @property
    def missing(self) -> int:
        """How many players it waits for."""
        return len(self.record.players) - len(self.seated)

    @property
    def ended(self) -> Act | None:
        """The act that ended it before it became a board, if one has."""
        last = self.record.log[-1].action
        return last if isinstance(last, Act) and last in ENDS else None

    @property
    def status(self) -> str:
        return CLOSED if self.ended else OPEN

    @property
    def lapses(self) -> str:
        """When it lapses."""
        return later(self.record.log[0].time, CHALLENGE_DAYS)

    def until(self, end: int) -> "OpenChallenge":
        """The challenge as it was when its log had that many lines."""
        return OpenChallenge(self.record.until(end))


Table = Match | OpenChallenge  # what a number of a game names


def seats_in_words(challenge: OpenChallenge) -> str:
    """The seats, in their order: `alice against anyone`."""
    return opponents(challenge.seats)


def more_needed(challenge: OpenChallenge) -> str:
    """What must come before it begins: `1 more player has` taken a seat."""
    count = challenge.missing
    return "1 more player has" if count == 1 else f"{count} more players have"


def described(challenge: OpenChallenge) -> str:
    """A sentence for somebody who has taken its number for that of a board."""
    record, ended = challenge.record, challenge.ended
    what = f"{record.name} is an open challenge by {record.challenger}"
    if ended is None:
        options = f" ({record.chosen_options})" if record.chosen_options else ""
        return (
            f"{what}{options}: {seats_in_words(challenge)}. It becomes a board once it "
            f"is taken up, and lapses on {moment(challenge.lapses)}."
        )
    was = f"{record.name} was an open challenge by {record.challenger}"
    return f"{was}, and never became a board: {_ENDED[ended]}."


_ENDED = {
    Act.DECLINE: "it was withdrawn",
    Act.LAPSE: "it was not taken up in time",
    Act.VOID: "the owner of this server cancelled it",
}


def not_begun(challenge: OpenChallenge, userid: str = "userid") -> NotBegun:
    """The error for a command that needs a board, with the one by which this player can
    take a seat."""
    record = challenge.record
    take = f"{record.game} accept {record.board} {userid} {PLACEHOLDER}"
    return NotBegun(described(challenge), "" if challenge.ended else take)


def after(challenge: OpenChallenge, line: Line, note: str = "") -> OpenChallenge:
    """The challenge after one more line, with the text that came with it."""
    record = challenge.record
    notes = {**record.notes, len(record.log): note} if note else record.notes
    log = (*record.log, line)
    return OpenChallenge(record._replace(log=log, notes=notes))


def joined(
    challenge: OpenChallenge, line: Line, note: str, seed: bytes
) -> OpenChallenge | Match:
    """The challenge after a line by which a player takes a seat; the board that it
    becomes with this seed, if that was the last seat."""
    taken = after(challenge, line, note)
    if taken.missing:
        return taken
    named = taken.seats
    *log, last = taken.record.log
    record = taken.record._replace(seed=seed, log=tuple(log))
    return replay.begin(record, named, last)


def check_open(challenge: OpenChallenge) -> None:
    """Raises NotAllowed if it is not open any more."""
    if challenge.ended:
        raise NotAllowed(described(challenge))


def to_data(challenge: OpenChallenge) -> dict[str, Any]:
    """The data of its file. Everything from `status` on is derived, for lists."""
    record, is_open = challenge.record, challenge.status == OPEN
    return {
        "kind": KIND,
        **setup_data(record),
        "log": [format_line(line) for line in record.log],
        "notes": {str(index): note for index, note in record.notes.items()},
        "status": challenge.status,
        "seated": list(challenge.seated),
        "turn": [],
        "ply": "0",
        **({"due": challenge.lapses} if is_open else {}),
        "scores": {},
    }


def is_one(data: object) -> bool:
    """Whether this is the data of an open challenge rather than of a board."""
    return isinstance(data, Mapping) and data.get("kind") == KIND


def from_data(data: Mapping[str, Any]) -> OpenChallenge:
    """The open challenge in a file's data. Raises what `record.from_data` raises."""
    record = unsealed(data)
    challenge = OpenChallenge(record)
    opening, *lines = record.log
    if opening.no != 0 or opening.action is not Act.CHALLENGE:
        raise ValueError("its log does not begin with its opening")
    acts = [line.action for line in lines]
    if acts[: len(challenge.takers)] != [Act.JOIN] * len(challenge.takers):
        raise ValueError("its log is not in order")
    if len(acts) - len(challenge.takers) > bool(challenge.ended):
        raise ValueError("its log has lines that belong to no open challenge")
    free, (least, most) = record.players.count(ANYONE), record.rules.SEATS
    is_whole = least <= len(record.players) <= most
    if not is_whole or free != len(record.players) - 1 or challenge.missing < 1:
        raise ValueError("its seats are not those of an open challenge")
    if len({*challenge.seated}) < len(challenge.seated):
        raise ValueError("a player has two of its seats")
    return challenge
