"""What the page of a board shows."""

import hashlib
from collections.abc import Sequence
from typing import Any, NamedTuple

from markupsafe import Markup

from pbm_holomino.draw import svg
from pbm_holomino.draw.words import describe
from pbm_holomino.letters import screen
from pbm_holomino.letters.content import Content, content
from pbm_holomino.letters.images import Image, image
from pbm_holomino.match.board import Match
from pbm_holomino.match.deadlines import forfeit_time, lapse_time
from pbm_holomino.match.record import format_line
from pbm_holomino.rules.contract import Drawing, View, without_moves
from pbm_holomino.sentences import listed, moment
from pbm_holomino.web.figures import inline


def revision(match: Match) -> str:
    """A word that changes whenever something happens on a board, or its players begin
    or end a vacation."""
    told = [*map(format_line, match.record.log), repr(sorted(match.away.items()))]
    return hashlib.sha256("\n".join(told).encode("utf-8", "replace")).hexdigest()[:20]


class Picture(NamedTuple):
    """A board as a picture, its natural width in CSS pixels, and the board in words."""

    svg: Markup
    width: int
    words: Sequence[Sequence[str]]


def context(match: Match, reader: str | None, ply: int | None = None) -> dict[str, Any]:
    """All that the page of a board shows a reader: as it is, or after an earlier
    move."""
    then = match if ply is None else match.after_ply(ply)
    past = then.ply != match.ply
    view = then.view(reader)
    if past:
        view = without_moves(view)
    return {
        "match": match,
        "then": then,
        "past": past,
        "reader": reader,
        "caption": screen.caption(then),
        "pictures": pictures(then, reader, past),
        "told": told(then, view, reader, past),
        "whose": "" if past else whose_turn(match, reader),
        "deadline": "" if past else deadline(match),
        "said": [(match.record.log[i], text) for i, text in match.said.items()],
    }


def pictures(match: Match, reader: str | None, past: bool) -> list[Picture]:
    """The board, after that of the round that has ended."""
    shown = image(match, reader, past)
    if shown is None:
        return []
    view = match.view(reader)
    drawings = [each for each in (view.ended, shown.drawing) if each and each.faces]
    found = dict.fromkeys(map(id, drawings))  # the image may be that of the last round
    unique = [drawing for drawing in drawings if found.pop(id(drawing), 0) is None]
    return [_picture(shown, drawing, no) for no, drawing in enumerate(unique)]


def _picture(shown: Image, drawing: Drawing, number: int) -> Picture:
    named = shown._replace(drawing=drawing, description="The board in words is below.")
    width, _ = svg.size(drawing)
    return Picture(inline(named.svg(), f"b{number}-"), width, describe(drawing))


def told(match: Match, view: View, reader: str | None, past: bool) -> Content:
    """What has happened, the table of players, and how it has ended."""
    turn = () if past else match.turn
    parts = [
        screen.latest(match, view, reader, None),
        screen.table(match, view, turn, None),
    ]
    if match.result is not None:
        parts.append(screen.ending(match))
    return content(*parts)


def whose_turn(match: Match, reader: str | None) -> str:
    """Whose turn it is, as a sentence; empty when the game is over."""
    turn = match.turn
    if not turn:
        return ""
    if reader in turn:
        return "It is your turn."
    names = listed(turn)
    return f"It is {names}'s turn." if len(turn) == 1 else f"{names} are to move."


def deadline(match: Match) -> str:
    """Until when the board waits, as a sentence; empty if for ever, or if it is
    over."""
    if lapses := lapse_time(match):
        waits = listed(match.record.unanswered)
        return f"The challenge lapses on {moment(lapses)} unless {waits} accepts it."
    times = {who: forfeit_time(match, who) for who in match.turn}
    until = [f"{who} until {moment(time)}" for who, time in times.items() if time]
    return f"Time to move: {listed(until)}." if until else ""
