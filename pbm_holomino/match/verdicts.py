"""Who has won and why, in sentences without a full stop: they stand after a colon."""

from collections.abc import Iterable, Mapping

from pbm_holomino.languages import InARow, Listed, Sentence, sentence
from pbm_holomino.match.actions import CANCELLED
from pbm_holomino.match.board import SCORE, Match, Result
from pbm_holomino.match.record import Act
from pbm_holomino.rules.scoring import Scoring

# How a player has dropped out, beside their name.
GONE = {Act.RESIGN: sentence("resigned"), Act.FORFEIT: sentence("out of time")}

_UNDECIDED = sentence("nobody has won yet")
_VOIDED = sentence("cancelled by the owner of this server")
_STRUCK = {  # where only the result is known
    "declined": sentence("cancelled, and counts for nobody"),
    "voided": sentence("cancelled by the owner of this server, and counts for nobody"),
}
_AGREED = sentence("{winners} tied, as agreed")
# For one who won, and for several who share the first place:
_WON = sentence("{winners} won"), sentence("{winners} tied")
_OF_TWO = (
    sentence("{winners} won, {first} to {second}"),
    sentence("{winners} tied, {first} to {second}"),
)
_OF_ALL = (  # what is counted is a label, as above the table of players
    sentence("{winners} won ({points}: {scores})"),
    sentence("{winners} tied ({points}: {scores})"),
)
_LEFT = {  # the last player, by how all others have dropped out
    (Act.RESIGN,): sentence("{winners} won, as {resigned} resigned"),
    (Act.FORFEIT,): sentence("{winners} won, as {late} ran out of time"),
    (Act.RESIGN, Act.FORFEIT): sentence(
        "{winners} won, as {resigned} resigned and {late} ran out of time"
    ),
    (Act.FORFEIT, Act.RESIGN): sentence(
        "{winners} won, as {late} ran out of time and {resigned} resigned"
    ),
}
_LEFT_OF_SEVERAL = sentence("{winners} won, as {others} dropped out")
_REASONS = {"resigned": Act.RESIGN, "forfeit": Act.FORFEIT}  # that leave one player


def verdict(match: Match) -> Sentence:
    """Who won, in a few words, or why the game was cancelled."""
    result = match.result
    if result is None:
        return _UNDECIDED
    if not result.winners:
        return _cancelled(match)
    if result.reason in _REASONS:
        return _left(result, match.gone)
    return verdict_of(result, match.scores, match.rules.SCORING)


def ended(match: Match) -> Sentence:
    """How a match has ended, or would in a preview, as a sentence."""
    how = _WOULD_BE_OVER if match.previewed else _IS_OVER
    return how.of(verdict=verdict(match))


_IS_OVER = sentence("The game is over: {verdict}.")
_WOULD_BE_OVER = sentence("The game would be over: {verdict}.")


def headline(match: Match) -> Sentence:
    """The verdict for a subject line: without the points of three or more players."""
    result = match.result
    if result and result.reason == SCORE and len(match.record.players) > 2:
        return _of_winners(_WON, result)
    return verdict(match)


def verdict_of(
    result: Result | None, scores: Mapping[str, int], scoring: Scoring
) -> Sentence:
    """The same where only the result and the scores are known."""
    if result is None:
        return _UNDECIDED
    if not result.winners:
        return _STRUCK[result.reason]
    others = [player for player in scores if player not in result.winners]
    if result.reason == "agreed":
        return _AGREED.of(winners=Listed(result.winners))
    if result.reason in _REASONS:
        if len(others) == 1:
            return _left(result, {others[0]: _REASONS[result.reason]})
        # some may have resigned, and others run out of time
        return _LEFT_OF_SEVERAL.of(
            winners=Listed(result.winners), others=Listed(others)
        )
    order = (*result.winners, *others)
    if not scoring.decides:
        return _of_winners(_WON, result)
    if len(order) == 2 and not scoring.low_wins:
        first, second = (scores[player] for player in order)
        return _of_winners(_OF_TWO, result).of(first=first, second=second)
    each = in_a_row((player, scores[player]) for player in order)
    return _of_winners(_OF_ALL, result).of(points=scoring.points, scores=each)


_OF_ONE = sentence("{player} {score}")


def in_a_row(scores: Iterable[tuple[str, int]]) -> InARow:
    """The points of players: `alice 7, bob 0`."""
    return InARow(_OF_ONE.of(player=player, score=score) for player, score in scores)


def _of_winners(said: tuple[Sentence, Sentence], result: Result) -> Sentence:
    """What is said of one who has won, or of several."""
    return said[len(result.winners) > 1].of(winners=Listed(result.winners))


def _left(result: Result, gone: Mapping[str, Act]) -> Sentence:
    """What is said of the last player, after those who have dropped out."""
    ways = tuple(dict.fromkeys(gone.values()))
    resigned, late = (
        Listed(who for who in gone if gone[who] is way)
        for way in (Act.RESIGN, Act.FORFEIT)
    )
    winners = Listed(result.winners)
    return _LEFT[ways].of(winners=winners, resigned=resigned, late=late)


def _cancelled(match: Match) -> Sentence:
    """Why a game was cancelled, and by whom."""
    events = next(step.events for step in match.steps if step.result is not None)
    if not events:
        return _VOIDED
    players = Listed(match.record.players[event.seat] for event in events)
    return CANCELLED[events[0].said].of(n=len(players), players=players)
