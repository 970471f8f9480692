"""The commands that ask about one place or one tile of a board; they answer in
sentences, for people who have the board read to them."""

from collections.abc import Iterator, Sequence

from pbm_holomino.commands.context import Context
from pbm_holomino.commands.queries import read_board
from pbm_holomino.commands.request import Answer, Request, Shown
from pbm_holomino.draw.words import around
from pbm_holomino.errors import NotFound
from pbm_holomino.languages import (
    Listed,
    Sentence,
    Text,
    of_number,
    of_player,
    sentence,
    together,
)
from pbm_holomino.letters import aloud, screen
from pbm_holomino.letters.aloud import MOST_TOLD, Told
from pbm_holomino.letters.content import Content, Heading, Paragraph, content
from pbm_holomino.match import replay
from pbm_holomino.match.board import Match
from pbm_holomino.rules.grid import LAST_POSITION
from pbm_holomino.sentences import quoted

MOST_PLACES = 30  # that are named in a row

_NO_POSITION = sentence(
    "{word} is not a position: positions are numbers from 0 to {last}, such as 17."
)
_NO_TILE_YET = sentence("No tile lies on the board yet.")
_CAN_PLAY = of_player("You can play there:", "{player} can play there:")
_CANNOT_PLAY = of_player(
    "You have no tile that fits there.", "{player} has no tile that fits there."
)
_NOBODY_HOLDS = sentence("Nobody holds {tile} now.")
_NO_TILES = sentence("Nobody holds a tile now.")
_NOT_THEIR_TURN = sentence("{player} holds {tile}, and it is not {player}'s turn.")
_FITS_NOWHERE = sentence("{tile} fits nowhere now.")
_ALSO_AT = sentence("{tile} also fits at {places}.")
_GAINS_NOTHING_AT = sentence("{tile} gains nothing at {places}.")
_AND_MORE = of_number("And at {n} more place.", "And at {n} more places.")
_TO_PLAY = sentence("To play one of these moves, reply with it in the first line.")


def look(request: Request, context: Context) -> Answer:
    """What lies at a position and beside it, and what the player to move can play
    there. Raises NotFound."""
    (word,), match = (
        request.words,
        context.people.named(read_board(request, context.library)),
    )
    at = int(word) if len(word) <= len(str(LAST_POSITION)) else LAST_POSITION + 1
    if at > LAST_POSITION:
        raise NotFound(_NO_POSITION.of(word=quoted(word), last=LAST_POSITION))
    drawing = match.view(None).drawing
    said = around(drawing, at) if drawing.faces else [_NO_TILE_YET]
    return _answer(request, match, said, _playable_at(match, at, request.userid))


def _playable_at(match: Match, at: int, reader: str) -> Sequence[Sentence]:
    """What the player to move can play at a position; nothing when nobody plays."""
    moves = list(_placing(match, _to_move(match)))
    if not moves:
        return ()
    player = match.turn[0]
    here = [told for told in moves if at in told.covers]
    if not here:
        return (_CANNOT_PLAY.to(reader, player),)
    seat = match.record.players.index(player)
    return (_CAN_PLAY.to(reader, player), *aloud.listed(match, seat, here))


def fits(request: Request, context: Context) -> Answer:
    """Where a tile that somebody holds fits, and what it does there. Raises NotFound
    and Refused."""
    match = context.people.named(read_board(request, context.library))
    replay.check_running(match)
    (word,), view = request.words, match.view(None)
    players = match.record.players
    asker = [seat for seat, name in enumerate(players) if name == request.userid]
    seats = (*asker, *_to_move(match), *range(len(players)))
    found = ((seat, aloud.named(view.pools[seat], word)) for seat in seats)
    seat, tile = next(((seat, tile) for seat, tile in found if tile), (0, ""))
    if not any(view.pools):
        raise NotFound(_NO_TILES)
    if not tile:
        held = [seat.told for seat in screen.seats(match, view, match.turn).seats]
        raise NotFound(together([_NOBODY_HOLDS.of(tile=quoted(word)), *held]))
    said: list[Sentence] = []
    if players[seat] not in match.turn:
        said.append(_NOT_THEIR_TURN.of(player=players[seat], tile=tile))
    moves = [told for told in _placing(match, [seat]) if told.tile == tile]
    if not moves:
        return _answer(request, match, [*said, _FITS_NOWHERE.of(tile=tile)], ())
    says, best = match.rules.SCORING.gains, max(told.score for told in moves)
    fit = says["fits_best" if best else "fits"]
    said.append(fit.of(tile=tile, n=len(moves), score=best))
    return _answer(request, match, said, list(_where(match, seat, tile, moves)))


def _to_move(match: Match) -> Sequence[int]:
    """The seat that moves next; none while nobody may move."""
    is_known = match.result is None and not match.due
    return match.rules.to_move(match.state)[:1] if is_known else ()


def _placing(match: Match, seats: Sequence[int]) -> Iterator[Told]:
    """What these seats can put down, the best at once first."""
    for seat in seats:
        yield from (told for told in aloud.playable(match, seat) if told.covers)


def _where(
    match: Match, seat: int, tile: str, moves: Sequence[Told]
) -> Iterator[Sentence]:
    """What moves with a tile will do: one by one, as far as they differ, and then the
    other places."""
    scores = not match.rules.SCORING.low_wins  # otherwise no move does at once
    told = [each for each in moves if each.score or not scores][:MOST_TOLD]
    yield from aloud.effects(match, seat, told)
    left = [each for each in moves if each not in told]
    places = [each.written.partition(":")[2] for each in left[:MOST_PLACES]]
    if places:
        gains = any(each.score for each in left) or not scores
        named = together(places, "; ") if "," in places[0] else Listed(places)
        also = _ALSO_AT if gains else _GAINS_NOTHING_AT
        yield also.of(tile=tile, places=named)
    if len(left) > len(places):
        yield _AND_MORE.of(n=len(left) - len(places))


def _answer(
    request: Request,
    match: Match,
    said: Sequence[Sentence],
    listed: Sequence[Text],
) -> Answer:
    """The answer to a question about a board, to which a player can reply."""
    reader = request.userid or None
    can_play = request.by_letter and reader in match.turn and not match.due
    shown: Content = content(
        (Heading(screen.caption(match)),),
        (Paragraph(together(said)),),
        (Paragraph(each, "", "  ") for each in listed),
        (Paragraph(_TO_PLAY),) if can_play and len(listed) else (),
    )
    return Answer.of(shown, board=Shown(match, reader, shown))
