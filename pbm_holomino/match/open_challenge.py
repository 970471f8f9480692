"""Open challenges: games that wait for players, before anything is drawn or sealed."""

from collections.abc import Mapping
from typing import Any

from pbm_holomino.errors import NotAllowed, NotBegun
from pbm_holomino.languages import Moment, Opponents, Sentence, sentence, together
from pbm_holomino.match import replay
from pbm_holomino.match.account import PLACEHOLDER
from pbm_holomino.match.board import Match, Public, Step
from pbm_holomino.match.deadlines import CHALLENGE_DAYS
from pbm_holomino.match.record import (
    OPEN,
    Act,
    Line,
    Record,
    format_line,
    setup_data,
    unsealed,
)
from pbm_holomino.match.times import later

# Typed in place of a userid:
ANYONE = "anyone"  # a seat for whoever takes it
SOME_ROBOT = "robot"  # the robot that suits the challenger; all their names begin so
KIND = "open challenge"  # what its file says it is


def waiting(record: Record) -> Match:
    """The open challenge with this record, whose players are its seats, as they were
    named: one player, who opened it, and otherwise ANYONE. The record has no seed. Its
    log is the beginning of the board's: the challenge, and a line for each player who
    takes a seat."""
    steps = tuple(Step(_NO_STATE, 0) for _ in record.log)
    return Match(record, steps, Public(record, steps))


_NO_STATE: Any = None  # nothing has been drawn or sealed


def seats(challenge: Match) -> tuple[str, ...]:
    """The players by seat; ANYONE where one is free. Takers fill them in order."""
    takers, challenger = iter(challenge.record.takers), challenge.record.challenger
    return tuple(
        player if player == challenger else next(takers, ANYONE)
        for player in challenge.record.players
    )


def missing(challenge: Match) -> int:
    """How many players it waits for."""
    return len(challenge.record.players) - len(challenge.seated)


def lapses(challenge: Match) -> str:
    """When it lapses."""
    return later(challenge.log[0].time, CHALLENGE_DAYS)


def seats_in_words(challenge: Match) -> Sentence:
    """The seats, in their order: `alice against anyone`."""
    named = (_FREE if seat == ANYONE else seat for seat in seats(challenge))
    return together([Opponents(named)])


_FREE = sentence("anyone")


def described(challenge: Match) -> Sentence:
    """A sentence for somebody who has taken its number for that of a board."""
    record = challenge.record
    said = _WITH_OPTIONS if record.chosen_options else _OPEN
    if record.ended is not None:
        said = _ENDED[record.ended]
    return said.of(
        challenge=record.name,
        player=record.challenger,
        options=record.chosen_options,
        seats=seats_in_words(challenge),
        when=Moment(lapses(challenge)),
    )


_OPEN = sentence(
    "{challenge} is an open challenge by {player}: {seats}. It becomes a board once it "
    "is taken up, and lapses on {when}."
)
_WITH_OPTIONS = sentence(
    "{challenge} is an open challenge by {player} ({options}): {seats}. It becomes a "
    "board once it is taken up, and lapses on {when}."
)
_ENDED = {
    Act.DECLINE: sentence(
        "{challenge} was an open challenge by {player}, and never became a board: it "
        "was withdrawn."
    ),
    Act.LAPSE: sentence(
        "{challenge} was an open challenge by {player}, and never became a board: it "
        "was not taken up in time."
    ),
    Act.VOID: sentence(
        "{challenge} was an open challenge by {player}, and never became a board: the "
        "owner of this server cancelled it."
    ),
}


def not_begun(challenge: Match, userid: str = "userid") -> NotBegun:
    """The error for a command that needs a board, with the one by which this player can
    take a seat."""
    record = challenge.record
    take = f"{record.game} accept {record.board} {userid} {PLACEHOLDER}"
    return NotBegun(described(challenge), "" if record.ended else take)


def after(challenge: Match, line: Line, note: str = "") -> Match:
    """The challenge after one more line, with the text that came with it."""
    record = challenge.record
    notes = {**record.notes, len(record.log): note} if note else record.notes
    log = (*record.log, line)
    return waiting(record._replace(log=log, notes=notes))


def joined(challenge: Match, line: Line, note: str, seed: bytes) -> Match:
    """The challenge after a line by which a player takes a seat; the board that it
    becomes with this seed, if that was the last seat."""
    taken = after(challenge, line, note)
    if missing(taken):
        return taken
    named = seats(taken)
    *log, last = taken.record.log
    record = taken.record._replace(seed=seed, log=tuple(log))
    return replay.begin(record, named, last)


def check_open(challenge: Match) -> None:
    """Raises NotAllowed if it is not open any more."""
    if challenge.record.ended:
        raise NotAllowed(described(challenge))


def to_data(challenge: Match) -> dict[str, Any]:
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
        **({"due": lapses(challenge)} if is_open else {}),
        "scores": {},
    }


def is_one(data: object) -> bool:
    """Whether this is the data of an open challenge rather than of a board."""
    return isinstance(data, Mapping) and data.get("kind") == KIND


def from_data(data: Mapping[str, Any]) -> Match:
    """The open challenge in a file's data. Raises what `record.from_data` raises."""
    record = unsealed(data)
    challenge, takers = waiting(record), record.takers
    opening, *lines = record.log
    if opening.no != 0 or opening.action is not Act.CHALLENGE:
        raise ValueError("its log does not begin with its opening")
    acts = [line.action for line in lines]
    if acts[: len(takers)] != [Act.JOIN] * len(takers):
        raise ValueError("its log is not in order")
    if len(acts) - len(takers) > bool(record.ended):
        raise ValueError("its log has lines that belong to no open challenge")
    free, (least, most) = record.players.count(ANYONE), record.rules.SEATS
    is_whole = least <= len(record.players) <= most
    if not is_whole or free != len(record.players) - 1 or missing(challenge) < 1:
        raise ValueError("its seats are not those of an open challenge")
    if len({*challenge.seated}) < len(challenge.seated):
        raise ValueError("a player has two of its seats")
    return challenge
