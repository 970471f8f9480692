"""The kind of ledger that a board is, or an open challenge, which may become one."""

from collections.abc import Mapping, Sequence
from typing import Any

from pbm_holomino.errors import NotFound
from pbm_holomino.languages import sentence
from pbm_holomino.match import open_challenge, queue, record, replay
from pbm_holomino.match.board import Match, places
from pbm_holomino.match.deadlines import (
    Wait,
    due,
    format_wait,
    next_due,
    unwritten,
    waits,
)
from pbm_holomino.match.ledgers import Kind
from pbm_holomino.match.record import NOBODY, TICKED, Act, Key, Line
from pbm_holomino.rules.contract import Drawing


class _Boards(Kind[Match]):
    named_after = "a board number"
    has_derived = True

    def load(self, key: Key, data: Mapping[str, Any], earlier: Match | None) -> Match:
        if open_challenge.is_one(data):
            match = open_challenge.from_data(data)
        else:
            match = replay.replay(record.from_data(data), earlier=earlier)
        if match.key != key:
            raise ValueError(f"it says it is {match.record.name}")
        return match

    def dump(self, ledger: Match) -> dict[str, Any]:
        return to_data(ledger)

    def missing(self, key: Key) -> NotFound:
        return NotFound(
            sentence("There is no board {board}.", board=f"{key.folder} {key.name}")
        )

    def with_letters(self, ledger: Match) -> Sequence[int]:
        lines = self.numbers(ledger)
        return [line for line in lines if _has_letters(ledger, line)]

    def lines_for(self, ledger: Match, reader: str) -> int:
        return ledger.record.lines_for(reader)

    def people(self, ledger: Match) -> Sequence[str]:
        return ledger.seated

    def after(self, ledger: Match, line: Line) -> Match:
        if ledger.has_begun:
            return replay.after(ledger, line)
        open_challenge.check_open(ledger)
        return open_challenge.after(ledger, line)

    def settled(self, ledger: Match, now: str) -> Match:
        return queue.advanced(ledger, now)

    def due(self, ledger: Match, now: str) -> list[Line]:
        if lines := unwritten(ledger, now):
            return lines
        if ledger.has_begun:
            acts = due(ledger, now)
        else:
            is_over = ledger.record.ended or open_challenge.lapses(ledger) > now
            acts = [] if is_over else [(NOBODY, Act.LAPSE)]
        return [Line(None, now, who, TICKED, act) for who, act in acts]

    def brought(self, before: Match | None, after: Match) -> int:
        """The first of the lines that has letters; the last line if none has."""
        first, last = super().brought(before, after), len(after.log) - 1
        told = (n for n in range(first, last) if _has_letters(after, n))
        return next(told, last)

    def marked(self, before: Match | None, after: Match) -> int | None:
        line = self.brought(before, after)
        return line if _has_letters(after, line) else None

    def board(self, ledger: Match) -> Match | None:
        return ledger if ledger.has_begun else None

    def as_saved(self, ledger: Match) -> Match:
        return ledger._replace(
            away={}, unreached=(), wanting_all=()
        )  # accounts say that


KIND = _Boards()


def _has_letters(match: Match, line: int) -> bool:
    """Whether there are letters about a line of the log."""
    is_told = match.log[line].action is Act.EXCUSED or match.is_told_before(line)
    return not is_told


def to_data(changed: Match) -> dict[str, Any]:
    """The data of a board's file. Everything from `status` on is derived from the rest,
    for lists and for people who read the file."""
    if not changed.has_begun:
        return open_challenge.to_data(changed)
    waiting = waits(changed)
    until = next_due(changed.record, waiting)
    return {
        **record.to_data(changed.record),
        "status": changed.status,
        "turn": list(changed.turn),
        "ply": str(changed.ply),
        **({"due": until} if until else {}),
        **_waits(changed, waiting),
        "scores": {player: str(score) for player, score in changed.scores.items()},
        **_ended(changed),
        "picture": changed.picture(_drawing(changed)).large,
    }


def _drawing(changed: Match) -> Drawing:
    """The board; files of format 1 do not mark the tile that was played last."""
    drawing = changed.view(None).drawing
    return drawing._replace(last=()) if changed.record.format == 1 else drawing


def _waits(changed: Match, waiting: Mapping[str, Wait]) -> dict[str, Any]:
    """The players it waits for, since when, and when their time runs out; files of
    format 1 stay as version 1.0 wrote them."""
    if changed.record.format == 1 or changed.result is not None:
        return {}
    return {"waits": {who: format_wait(wait) for who, wait in waiting.items()}}


def _ended(changed: Match) -> dict[str, Any]:
    """The result, if it has ended."""
    if changed.result is None:
        return {}
    return {
        "winners": list(changed.result.winners),
        "reason": changed.result.reason,
        "places": {player: str(place) for player, place in places(changed).items()},
    }
