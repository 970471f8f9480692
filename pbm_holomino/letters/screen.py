"""A board as people and programs read it: the screen, and its formats."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import Any

from pbm_holomino.letters.letter import command_line
from pbm_holomino.match.actions import OFFERED
from pbm_holomino.match.board import Match, Step, verdict
from pbm_holomino.match.queue import draft, queued, why_ended
from pbm_holomino.rules.contract import Drawing, Event, View, without_moves
from pbm_holomino.rules.options import MATCH_OPTIONS, typed_option
from pbm_holomino.sentences import WIDTH, fill, listed

_WIDEST_PICTURE = 79


def screen(
    match: Match, reader: str | None, past: bool = False, since: int | None = None
) -> str:
    """Everything that a player needs to choose a move, on one screen.

    `reader` is the player it addresses, None for anybody. A `past` position is shown
    without its possible moves. Everything is reported that happened from line `since`
    of the log on.
    """
    view = match.view(reader)
    if past:
        view = without_moves(view)
    parts = [title(match), _board(match, view), _latest(match, view, reader, since)]
    parts.append(_table(match, view, () if past else match.turn))
    if match.result is not None:
        parts.append(_ending(match))
    elif not past:
        parts += [_offer(match, reader), _plans(match, reader)]
        parts.append(_turn(match, view, reader))
    parts.append(_proof(match))
    return "\n".join(part for part in parts if part)


def sentences(match: Match, events: Iterable[Event], reader: str | None) -> str:
    """Events in sentences for a reader: `bob played 123:17. You drew 145.`"""
    players = match.record.players
    who = ["You" if player == reader else player for player in players]
    return " ".join(f"{who[event.seat]} {event.text}." for event in events)


def title(match: Match) -> str:
    """Which board this is, after which move, and who plays it."""
    record = match.record
    against = " against ".join(record.players)
    players = against if len(record.players) == 2 else listed(record.players)
    when = f"after move {match.ply}" if match.ply else "at the start"
    named = fill(f"{match.rules.TITLE}, board {record.board}, {when}: {players}")
    return named + _chosen_options(match)


def _chosen_options(match: Match) -> str:
    """The options that differ from their defaults."""
    values = {**match.record.options, **match.record.match_options}
    chosen = [
        typed_option(option, values[option.name])
        for option in (*match.rules.OPTIONS, *MATCH_OPTIONS)
        if values[option.name] != option.default
    ]
    return fill(f"Options: {' '.join(chosen)}") if chosen else ""


def _board(match: Match, view: View) -> str:
    now = _picture(match, view.drawing)
    if view.ended is None:
        return now
    ended = f"The round that has ended:\n\n{_picture(match, view.ended)}"
    return f"{ended}\nThe new round:\n\n{now}" if now else ended


def _picture(match: Match, drawing: Drawing) -> str:
    drawn = match.picture(drawing)
    width = max(map(len, drawn.splitlines()), default=0)
    if width <= _WIDEST_PICTURE:
        return drawn
    return fill(f"(The board is {width} columns wide: it needs a wide window.)") + drawn


def _latest(match: Match, view: View, reader: str | None, since: int | None) -> str:
    """What has happened since the reader's own last move, and at least the last move
    that changed the board and all that came after it. Lines without an event do not
    count: what one player sends ahead must not show on the others' screens."""
    log, steps = match.record.log, match.steps
    eventful = [
        index
        for index, step in enumerate(steps)
        if step.events and not _is_told_by_the_verdict(step)
    ]
    late = eventful
    if since is not None:
        late = eventful[: bisect_left(eventful, since) + 1]
    first = last = len(late) - 1
    if match.state.cells and not view.acting:
        least = max(0, last - len(match.record.players))
        while first > least and _same_board(steps[late[first] - 1], steps[late[first]]):
            first -= 1
    here = reader if reader not in match.gone else None
    mine = [i for i in range(last) if log[late[i]].who == here]
    if view.acting:  # wishes and chance act for players, who hear of it each time
        mine += [i for i in range(last) if _happened_to(match, late[i], here)]
    first = min(first, max(mine, default=first - 1) + 1, last)
    shown = eventful[max(0, first) :]
    events = [event for index in shown for event in steps[index].events]
    return fill(sentences(match, events, reader))


def _is_told_by_the_verdict(step: Step) -> bool:
    """Whether a step ended the game by what somebody did, which the verdict says."""
    return step.result is not None and step.result.reason != "score"


def _happened_to(match: Match, index: int, player: str | None) -> bool:
    """Whether a line of the log brought an event about this player."""
    players = match.record.players
    return player in {players[event.seat] for event in match.steps[index].events}


def _same_board(one: Step, other: Step) -> bool:
    return one.state.cells == other.state.cells


def _table(match: Match, view: View, turn: Sequence[str]) -> str:
    players = match.record.players
    gone = match.gone if len(players) > 2 else {}  # of two, the verdict tells
    names = [f"{p} ({gone[p]})" if p in gone else p for p in players]
    name = max(map(len, names))
    points = match.rules.SCORING.points
    rows = [f"    {'':{name}}  {points}  tiles\n"]
    for seat, player in enumerate(names):
        mark = ">" if players[seat] in turn else " "
        head = f"  {mark} {player:{name}}  {view.scores[seat]:{len(points)}}  "
        rows.append(fill(" ".join(view.pools[seat]) or "-", head, " " * len(head)))
    sack = f"The {match.rules.SACK} is empty."
    if view.sack:
        tiles = "tile is" if view.sack == 1 else "tiles are"
        sack = f"{view.sack} {tiles} left in the {match.rules.SACK}."
    return "".join((*rows, *map(fill, (sack, *view.remarks))))


def _turn(match: Match, view: View, reader: str | None) -> str:
    if match.due == "server":
        return fill("The server acts next, once this has been played.")
    turn = match.turn
    names = listed(turn)
    whose = f"It is {names}'s turn." if len(turn) == 1 else f"{names} are to move."
    if reader is not None and reader not in turn:
        return fill(whose)
    text = f"It is your turn, {reader}." if reader else whose
    if match.due:
        return fill(f"{text} A draw comes first.")
    proposal = view.proposal
    line, dots = _move_line(match, reader, proposal.moves[0])
    if not proposal.heading:
        how = "Send a line like this with your password"
        if reader is None:
            sender = turn[0] if len(turn) == 1 else "each of them"
            how = f"To move, {sender} sends a line like this with their password"
        return fill(f"{text} {how}{dots}:") + line
    moves = _moves_by_tile(proposal.moves, proposal.scores)
    heading = proposal.heading.format(are="would be" if match.previewed else "are")
    moves = fill(f"{text} {heading}:") + moves
    if match.previewed:
        return moves
    return moves + "To play one of them, send this line with your password:\n" + line


def _move_line(match: Match, reader: str | None, move: str) -> tuple[str, str]:
    """The line that plays a move, and the words about its dots: a move that is too long
    for a line is shown as `pairs:...`."""
    words = (match.record.game, "move", match.record.board, reader or match.turn[0])
    line = command_line(*words, "PASSWORD", move)
    if len(line) <= WIDTH + 1:
        return line, ""
    kind = move.partition(":")[0]
    what = f"{kind} as in the example above" if reader else f"their {kind}"
    line = command_line(*words, "PASSWORD", f"{kind}:...")
    return line, f" and, for the dots, {what}"


def _offer(match: Match, reader: str | None) -> str:
    """The open offer, and how to answer it."""
    offer, record = match.offer, match.record
    if offer is None:
        return ""
    who = "You have" if reader == offer.who else f"{offer.who} has"
    text = fill(f"{who} {OFFERED[offer.kind]}; the offer ends with the next move.")
    if reader in (None, offer.who, *offer.accepted, *match.gone):
        return text
    words = (record.game, "move", record.board, reader, "PASSWORD")
    text += "To answer, send one of these lines with your password:\n"
    return text + command_line(*words, "accept") + command_line(*words, "reject")


def _plans(match: Match, reader: str | None) -> str:
    """What the reader has sent ahead; nobody else sees this."""
    if reader is None or match.previewed:
        return ""
    queue, submitted = queued(match, reader), draft(match, reader)
    why = why_ended(match, reader)
    text = fill(f"Your queue has ended. {why}") if why else ""
    text += fill(f"Your queue: {' '.join(queue)}") if queue else ""
    if submitted:
        game, board = match.record.game, match.record.board
        text += fill(
            f"You have submitted {submitted}. To play it, send this line with your "
            "password:"
        )
        text += command_line(game, "confirm", board, reader, "PASSWORD")
    return text


def _moves_by_tile(moves: tuple[str, ...], scores: tuple[int, ...]) -> str:
    """`123: 8 17 22`, a line a tile; or `24: 10,3 scores 12`."""
    spots: dict[str, list[str]] = {}
    for move, score in zip_longest(moves, scores):
        tile, _, spot = move.partition(":")
        said = spot if score is None else f"{spot} scores {score}"
        spots.setdefault(tile, []).append(said)
    return "".join(
        fill(" ".join(ways), f"  {tile}: ", " " * (len(tile) + 4))
        for tile, ways in spots.items()
    )


def _ending(match: Match) -> str:
    how = "would be" if match.previewed else "is"
    counts = "" if match.status == "over" else " It counts for nobody."
    return fill(f"The game {how} over: {verdict(match)}.{counts}")


def _proof(match: Match) -> str:
    """The seal, and once the game is really over the seed."""
    seal = f"Seal: {match.record.seal}\n"
    if not match.shows_seed:
        return seal
    words = f"{match.record.game} verify {match.record.board}"
    seed = f"Seed: {match.record.seed.hex()}\n"
    return seal + seed + fill(f"The seed proves every draw: {words}")


# Formats


def formatted(text: str, form: str) -> str:
    """A text in a format: unchanged, or for a forum, Markdown or a web page."""
    if form == "bbcode":
        # what players said must not end the block
        text = re.sub(r"\[(?=/?code)", "[ ", text, flags=re.IGNORECASE)
        return f"[code]\n{text}[/code]\n"
    if form == "markdown":
        return f"```\n{text}```\n"
    if form == "html":
        from html import escape

        return f"<pre>\n{escape(text, quote=False)}</pre>\n"
    return text


def to_json(match: Match, reader: str | None = None) -> dict[str, Any]:
    """One board in the public format that `help json` describes. It holds no secret but
    what the reader has sent ahead; a field that does not apply is absent."""
    record, view = match.record, match.view(None)
    players = record.players
    gone = list(match.gone) if len(players) > 2 else []
    fields: dict[str, Any] = {
        "game": record.game,
        "board": record.board,
        "ply": match.ply,
        "status": match.status,
        "phase": view.phase,
        "round": view.round,
        "players": list(players),
        "turn": list(match.turn),
        "gone": gone or None,
        "options": {k: v for k, v in record.options.items() if v is not None},
        "match": record.match_options,
        "scores": dict(zip(players, view.scores, strict=True)),
        "pools": dict(zip(players, map(list, view.pools), strict=True)),
        "drawn": view.drawn,
        "sack": view.sack,
        "cells": _cells(view.drawing),
        "joints": _joints(view.drawing) or None,
        "blocked": list(view.blocked),
        "last": _last_move(match),
        "offer": match.offer and match.offer._asdict(),
        "legal": list(view.legal),
        "proposed": list(view.proposal.moves) or None,
        "seal": record.seal,
        "seed": record.seed.hex() if match.shows_seed else None,
        **{key: _plain(value) for key, value in view.extra.items()},
        **{key: [players[seat] for seat in seats] for key, seats in view.seats.items()},
        "mine": _mine(match, reader) if reader in players else None,
    }
    fields = {name: value for name, value in fields.items() if value is not None}
    return {**fields, "result": _result(match)}


def json_line(fields: dict[str, Any]) -> str:
    """One board on one line."""
    import json

    return json.dumps(fields, separators=(", ", ": ")) + "\n"


def _cells(drawing: Drawing) -> dict[str, str]:
    return {str(at): face for at, face in sorted(drawing.faces.items())}


def _plain(value: Any) -> Any:
    """A game's own field, ready for JSON: a drawing becomes its cells and joints."""
    if isinstance(value, Drawing):
        return {"cells": _cells(value), "joints": _joints(value)}
    return value


def _joints(drawing: Drawing) -> list[list[int]]:
    return [list(joint) for joint in drawing.joints]


def _mine(match: Match, reader: str) -> dict[str, Any]:
    """What a player has sent ahead, and their view's secrets."""
    plans = {"queue": list(queued(match, reader)), "draft": draft(match, reader)}
    mine = {name: plan for name, plan in plans.items() if plan}
    return {**mine, **match.view(reader).mine}


def _last_move(match: Match) -> str | None:
    if not match.moves:
        return None
    line = match.public_line(match.moves[-1])
    return f"{line.who} {line.action}"


def _result(match: Match) -> dict[str, Any] | None:
    if match.result is None:
        return None
    return {
        "winners": list(match.result.winners),
        "reason": match.result.reason,
        "scores": match.scores,
    }
