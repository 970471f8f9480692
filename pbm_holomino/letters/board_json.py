"""A board for programs: in JSON, and its record."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from pbm_holomino.match.board import Match, Offer
from pbm_holomino.match.deadlines import forfeit_time
from pbm_holomino.match.queue import draft, queued, tree
from pbm_holomino.match.record import SHELL, format_line, public_data
from pbm_holomino.rules.contract import Drawing
from pbm_holomino.rules.options import Clock

T = TypeVar("T")


def to_json(match: Match, reader: str | None = None) -> dict[str, Any]:
    """One board in the public format that `help json` describes. It holds no secret but
    what the reader has sent ahead; a field that does not apply is absent."""
    record, view = match.record, match.view(None)
    players, pools = record.players, view.by_drawing or view.pools
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
        "robots": list(record.robots) or None,
        "rated": record.rated,
        "match": {n: _plain_option(v) for n, v in record.match_options.items()},
        "scores": dict(zip(players, view.scores, strict=True)),
        "pools": dict(zip(players, map(list, pools), strict=True)),
        "drawn": view.drawn,
        "sack": view.sack,
        "sacks": dict(zip(players, view.sacks, strict=False)) or None,
        "cells": _cells(view.drawing),
        "owners": _owners(view.drawing, players) or None,
        "heights": _by_position(view.drawing.heights) or None,
        "joints": _joints(view.drawing) or None,
        "blocked": list(view.blocked),
        "last": _last_move(match),
        "offer": _offer(match.offer),
        "clocks": _clocks(match),
        "legal": list(view.legal),
        "proposed": list(view.proposal.moves) or None,
        "tournament": _pairing(record.pairing),
        "seal": record.seal,
        "seed": record.seed.hex() if match.shows_seed else None,
        **{key: _plain(value) for key, value in view.extra.items()},
        **{key: [players[seat] for seat in seats] for key, seats in view.seats.items()},
        "mine": mine(match, reader) if reader in players else None,
    }
    fields = {name: value for name, value in fields.items() if value is not None}
    return {**fields, "result": _result(match)}


def _plain_option(value: Any) -> Any:
    return str(value) if isinstance(value, Clock) else value


def _offer(offer: Offer | None) -> dict[str, Any] | None:
    """What waits for an answer; days are those of a pause."""
    return offer and {name: v for name, v in offer._asdict().items() if v != 0}


def _clocks(match: Match) -> dict[str, dict[str, Any]] | None:
    """The players' clocks: the seconds left when the last turn began or ended; since
    when a clock runs, and until when."""
    clocks = match.steps[-1].clocks
    if clocks is None or match.result is not None:
        return None
    return {
        who: {"left": bank}
        | (
            {"since": clocks.running[who], "until": forfeit_time(match, who)}
            if who in clocks.running
            else {}
        )
        for who, bank in clocks.banks.items()
    }


def public_record(match: Match) -> dict[str, object]:
    """A copy of the record for anybody, with the seed only after the game is over."""
    seed = {"seed": match.record.seed.hex()} if match.shows_seed else {}
    log = match.public_log()
    lines = [format_line(line._replace(source=SHELL)) for line in log.values()]
    texts = match.said
    said = {str(no): texts[i] for no, i in enumerate(log) if i in texts}
    return {
        **public_data(match.record),
        **seed,
        "log": lines,
        **({"said": said} if said else {}),
    }


def json_line(fields: dict[str, Any]) -> str:
    """One board on one line."""
    import json

    return json.dumps(fields, separators=(", ", ": ")) + "\n"


def _cells(drawing: Drawing) -> dict[str, str]:
    return _by_position(drawing.faces)


def _owners(drawing: Drawing, players: Sequence[str]) -> dict[str, str]:
    """The player to whom each face belongs."""
    return _by_position({at: players[seat] for at, seat in drawing.owners.items()})


def _by_position(values: Mapping[int, T]) -> dict[str, T]:
    return {str(at): value for at, value in sorted(values.items())}


def _plain(value: Any) -> Any:
    """A game's own field, ready for JSON: a drawing becomes its cells and joints."""
    if isinstance(value, Drawing):
        return {"cells": _cells(value), "joints": _joints(value)}
    return value


def _joints(drawing: Drawing) -> list[list[int]]:
    return [list(joint) for joint in drawing.joints]


def mine(match: Match, reader: str) -> dict[str, Any]:
    """What a player has sent ahead, and their view's secrets."""
    plans = {
        "queue": list(queued(match, reader)),
        "if": [list(line) for line in tree(match, reader)],
        "draft": draft(match, reader),
    }
    made = {name: plan for name, plan in plans.items() if plan}
    return {**made, **match.view(reader).mine}


def _last_move(match: Match) -> str | None:
    if not match.moves:
        return None
    line = match.public_line(match.moves[-1])
    return f"{line.who} {line.action}"


def _pairing(pairing: tuple[int, int] | None) -> dict[str, int] | None:
    """The tournament of a board, and the round."""
    return pairing and dict(zip(("number", "round"), pairing, strict=True))


def _result(match: Match) -> dict[str, Any] | None:
    if match.result is None:
        return None
    return {
        "winners": list(match.result.winners),
        "reason": match.result.reason,
        "scores": match.scores,
    }
