"""What the page of a board shows."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache, partial
from typing import Any

from markupsafe import Markup, escape

from pbm_holomino.draw import svg
from pbm_holomino.draw.words import describe
from pbm_holomino.draw.words.places import LINES
from pbm_holomino.errors import BadMove
from pbm_holomino.languages import (
    Language,
    Listed,
    Moment,
    Sentence,
    Text,
    sentence,
    together,
)
from pbm_holomino.letters import screen
from pbm_holomino.letters.aloud import to_play
from pbm_holomino.letters.content import heard, words_to
from pbm_holomino.match.board import Match
from pbm_holomino.match.deadlines import forfeit_time, lapse_time
from pbm_holomino.match.queue import can_answer, draft
from pbm_holomino.match.record import Line, format_line
from pbm_holomino.match.verdicts import ended
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.rules.contract import Drawing, View, without_moves
from pbm_holomino.web.figures import Tiles, inline
from pbm_holomino.web.forms import Choice


def revision(match: Match) -> str:
    """A word that changes whenever something happens on a board that everybody may
    know, and not with the names of players."""
    public = match.public
    if not public.revision:
        public.revision = digest(
            f"{line.no} {line.time} {line.source} {line.action} {line.argument}"
            for line in match.public_log().values()
        )
    return public.revision


def tag(match: Match) -> str:
    """A word that changes with what a stranger sees on a board's page: with its
    revision, and when its players begin or end a vacation, letters do not reach them,
    or they are not named any more."""
    absences = repr(sorted(match.away.items())), repr(match.unreached)
    return digest([revision(match), *absences, *match.record.players])


def own_tag(match: Match) -> str:
    """A word that changes with what a player of a board sees on its page, plans and
    all."""
    record = match.record
    lines = [*map(format_line, record.log), repr(sorted(record.notes.items()))]
    return digest([tag(match), *lines])


def digest(words: Iterable[str]) -> str:
    """A word that is another for other words."""
    return hashlib.sha256("\n".join(words).encode("utf-8", "replace")).hexdigest()[:20]


class Actions(NamedTuple):
    """What a reader can probably do on a board; the server judges what they do."""

    moves: bool = False
    answers_offer: bool = False
    accepts: bool = False
    declines: bool = False
    proposes: bool = False
    pauses: bool = False
    undoes: bool = False
    queues: bool = False
    answers: bool = False  # ahead, to what the other may play now
    resigns: bool = False
    chats: bool = False
    rematches: bool = False


def actions(match: Match, reader: str | None, is_player: bool = True) -> Actions:
    """What a reader can do: one who has come by a letter's link (not `is_player`) can
    only move."""
    record, offer = match.record, match.offer
    if reader not in record.players:
        return Actions()
    moves = reader in match.turn and not match.due
    if not is_player:
        return Actions(moves=moves)
    chats = any(who not in (reader, *record.robots) for who in record.players)
    if match.result is not None:
        return Actions(chats=chats, rematches=match.status == "over")
    if reader in match.gone:
        return Actions(chats=chats)
    began = any(line.who == reader and line.no for line in record.log)
    waits = offer is not None and reader not in (offer.who, *offer.accepted)
    return Actions(
        moves=moves,
        answers_offer=waits,
        accepts=reader in record.unanswered,
        declines=reader in record.unanswered
        or (reader == record.challenger and bool(record.unanswered)),
        proposes=offer is None,
        pauses=offer is None and record.clock is not None and record.pairing is None,
        undoes=offer is None and began,
        queues=True,
        answers=can_answer(match) and reader not in match.turn,
        resigns=True,
        chats=chats,
    )


def choices(match: Match, view: View, reader: str) -> list[Choice]:
    """The moves to choose from, by their tiles; none where a game leaves the player
    free, and its moves are examples."""
    if match.turn[:1] != (reader,) or not view.proposal.heading:
        return []
    by_tile: dict[str, list[str]] = {}
    for move in view.legal:
        by_tile.setdefault(move.partition(":")[0], []).append(move)
    return [Choice(tile, _options(moves)) for tile, moves in by_tile.items()]


def _options(moves: Sequence[str]) -> Markup:
    """Moves as options; there may be hundreds."""
    option = "<option>"
    return Markup(option) + Markup(str(escape(" ".join(moves))).replace(" ", option))


def letters(match: Match, view: View, reader: str) -> dict[str, Any]:
    """What a player may put a move together from: their tiles that are in no pair, and
    how many tiles of each colour nobody has taken."""
    pool = view.pools[match.record.players.index(reader)]
    return {"pool": list(pool), "pot": dict(view.extra.get("pot", {}))}


class Picture(NamedTuple):
    """A board as a picture, and in words."""

    svg: Markup
    words: Sequence[Markup]  # paragraphs


def context(
    match: Match,
    reader: str | None,
    language: Language,
    ply: int | None = None,
    is_player: bool = True,
    advised: str = "",
) -> dict[str, Any]:
    """All that the page of a board shows a reader of a language: as it is, or after an
    earlier move. A move that a robot has `advised` them is drawn on it."""
    then = match if ply is None else match.after_ply(ply)
    past = then.ply != match.ply
    view = then.view(reader)
    if past:
        view = without_moves(view)
    can = Actions() if past else actions(match, reader, is_player)
    happened = screen.latest(then, view, reader, None)
    moving, player = reader if can.moves else None, reader if is_player else None
    chat = list(said(match, language, player))
    better = proposed(match, moving, advised) if moving and advised else None
    return {
        "match": match,
        "at": f"{match.record.game}/{match.record.board}",
        "name": match.record.name,
        "revision": revision(match),
        "then": then,
        "past": past,
        "reader": reader,
        "caption": screen.caption(then),
        "pictures": pictures(then, view, language, bool(moving), better),
        "happened": together(happened) if happened else "",
        "seats": screen.seats(then, view, () if past else then.turn),
        "notes": notes(then, view),
        "tile": tiles(match, reader),
        "over": ended(then) if then.result is not None else "",
        "whose": "" if past else whose_turn(match, reader),
        "deadline": "" if past else deadline(match),
        "can": can,
        "choices": choices(match, view, moving) if moving else [],
        "example": example(view) if moving else "",
        "phase": view.phase,
        **(letters(match, view, moving) if moving else {}),
        "plans": screen.plans(match, player) if player and not past else [],
        "draft": draft(match, player) if player else "",
        "offer": None if past else screen.offered(match, reader),
        "said": chat,
        "unread": sum(is_new for _, _, is_new in chat),
    }


def tiles(match: Match, reader: str | None) -> Tiles:
    """The tiles of the page of a board for a reader."""
    owners = match.record.players if match.rules.SIDES else ()
    return Tiles(match.rules.drawing(match.state).notation, owners, reader)


def said(
    match: Match, language: Language, player: str | None
) -> Iterator[tuple[Line, Sequence[Text], bool]]:
    """The lines of the log with which something was said, the lines of that, and
    whether it is new to this player, who has done nothing on the board since."""
    log = match.record.log
    own = max((at for at, line in enumerate(log) if line.who == player), default=-1)
    for index, text in match.said.items():
        line = match.record.log[index]
        is_robot = line.who in match.record.robots
        words = [] if is_robot else words_to(language, text).splitlines()
        is_new = player in match.record.players and index > own
        yield line, [heard(text)] if is_robot else words, is_new


LEAST = 420, 330  # units: a single tile is not as large as the screen
_BELOW = sentence("The board in words is below.")


def pictures(
    match: Match,
    view: View,
    language: Language,
    moves: bool = False,
    proposed: Drawing | None = None,
) -> list[Picture]:
    """The board, after that of the round that has ended; to a reader who `moves`, its
    words also tell the best moves. The last tile of a `proposed` board is shown on
    it."""
    now = view.drawing._replace(closed=match.rules.closed(match.state))
    drawings = [each for each in (view.ended, now) if each and each.faces]
    title = language.say(screen.caption(match))
    drawn = [
        _picture(drawing, title, language, no, proposed if drawing is now else None)
        for no, drawing in enumerate(drawings)
    ]
    if drawn and moves and view.proposal.heading:
        best = Markup("".join(_line(language, line) for line in to_play(match)))
        drawn[-1] = drawn[-1]._replace(words=[best, *drawn[-1].words])
    return drawn


def _picture(
    drawing: Drawing,
    title: str,
    language: Language,
    number: int,
    proposed: Drawing | None,
) -> Picture:
    description = language.say(_BELOW)
    drawn = svg.draw(drawing, title, description, LEAST, proposed)
    said = (map(partial(_known_line, language), lines) for lines in describe(drawing))
    return Picture(inline(drawn, f"b{number}-"), [Markup("".join(it)) for it in said])


def _line(language: Language, line: Sentence) -> str:
    """A line of a paragraph, as HTML."""
    return f"{escape(language.say(line))}<br>\n"


_known_line = lru_cache(maxsize=LINES)(_line)  # of a board, of which a move changes few


def proposed(match: Match, who: str, move: str) -> Drawing | None:
    """The board after a move that a robot proposes to a player; None if it puts nothing
    down."""
    game, seat = match.rules, match.record.players.index(who)
    try:
        meant = game.parse_move(match.state, seat, move)
        if not game.covers(meant):
            return None
        return game.drawing(game.play(match.state, seat, meant)[0])
    except BadMove:  # it was proposed by another edition of the rules
        return None


def effect(match: Match, who: str, move: str) -> Text:
    """What a move of a player does, in a sentence; empty if it cannot be played."""
    game, seat = match.rules, match.record.players.index(who)
    try:
        meant = game.parse_move(match.state, seat, move)
    except BadMove:
        return ""
    return game.effect(match.state, seat, meant)


def its_effect(match: Match, who: str, move: str) -> Text:
    """The same of a move that has just been named."""
    said = effect(match, who, move)
    return _of_it(said) if isinstance(said, Sentence) else said


_IT = sentence("It")  # the move, where a sentence begins


def _of_it(said: Sentence) -> Sentence:
    parts = {at: _of_it(it) for at, it in said.values if isinstance(it, Sentence)}
    return said.of(**parts, move=_IT)


def notes(match: Match, view: View) -> list[Text]:
    """What a person should know, and whether a game that is over counts, in
    sentences."""
    end = screen.uncounted(match) if match.result is not None else []
    return [screen.tiles_left(match, view), *view.remarks, *end]


_YOURS = sentence("It is your turn.")


def whose_turn(match: Match, reader: str | None) -> Text:
    """Whose turn it is, as a sentence; empty when the game is over."""
    turn = match.turn
    if not turn:
        return ""
    if reader in turn:
        return _YOURS
    return screen.WHOSE_TURN.of(n=len(turn), players=Listed(turn))


def example(view: View) -> str:
    """A move that can be typed now."""
    moves = view.proposal.moves
    return moves[0] if moves else ""


_LAPSES = sentence("The challenge lapses on {time}; it waits for {players}.")
_TIMES = sentence("Time to move: {times}.")
_TIME = sentence("{player} until {time}")


def deadline(match: Match) -> Text:
    """Until when the board waits, as a sentence; empty if for ever, or if it is
    over."""
    if match.previewed:
        return ""
    if lapses := lapse_time(match):
        waits = Listed(match.record.unanswered)
        return _LAPSES.of(time=Moment(lapses), players=waits)
    if match.record.clock is not None:
        return screen.times_left(match)
    times = {who: forfeit_time(match, who) for who in match.turn}
    until = [_TIME.of(player=p, time=Moment(t)) for p, t in times.items() if t]
    return _TIMES.of(times=Listed(until)) if until else ""
