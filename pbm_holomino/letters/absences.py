"""The sentences about players who are on vacation, or whom letters may not reach."""

from collections.abc import Sequence

from pbm_holomino.languages import Day, Listed, Sentence, of_number, sentence, together
from pbm_holomino.letters.content import Paragraph, Part
from pbm_holomino.match.account import Player
from pbm_holomino.match.board import Match
from pbm_holomino.match.vacations import away_until

_ON_VACATION = sentence("{player} is on vacation until {day}.")
# What is said of several players, and of too many to name them all.
_UNREACHED = (
    of_number(
        "{players} may not be getting mail from this server.",
        "{players} may not be getting mail from this server.",
    ),
    of_number(
        "{n} player may not be getting mail from this server.",
        "{n} players may not be getting mail from this server.",
    ),
)
_WITHOUT_ADDRESS = (
    of_number(
        "No letter goes to {players}, who has no mail address here.",
        "No letter goes to {players}, who have no mail address here.",
    ),
    of_number(
        "No letter goes to {n} player, who has no mail address here.",
        "No letter goes to {n} players, who have no mail address here.",
    ),
)
_MOST_NAMED = 5  # players who do not get what was written to everybody


def away(match: Match, reader: str | None, now: str) -> Part:
    """Until when those whom a match waits for are on vacation, and who of them may not
    be getting mail, apart from the reader; empty if nobody is. The match must have the
    absences of its players."""
    if match.result is not None:
        return ()
    awaited = dict.fromkeys((*match.turn, *match.record.unanswered))
    said = [why for who in awaited if who != reader for why in _why(match, who, now)]
    return (Paragraph(together(said)),) if said else ()


def _why(match: Match, who: str, now: str) -> Sequence[Sentence]:
    """Why a player may be late; empty if nothing is known."""
    until = away_until(match.away.get(who, ()), now)
    if until:
        return [_ON_VACATION.of(player=who, day=Day(until))]
    return _said(_UNREACHED, [who] if who in match.unreached else [])


def sent_to(names: Sequence[str], readers: Sequence[Player] = ()) -> Sequence[Sentence]:
    """To which players words have gone, and which of these readers will not get
    them."""
    without = {player.userid for player in readers if not player.addresses}
    reached = Listed(name for name in names if name not in without)
    sent = [sentence("Sent to {players}.", players=reached)] if reached else []
    return [*sent, *lost_on(readers)]


def lost_on(readers: Sequence[Player]) -> Sequence[Sentence]:
    """Which of these readers will not get a player's words, or perhaps not; empty if
    all will."""
    without = [player.userid for player in readers if not player.addresses]
    unreached = [player.userid for player in readers if player.is_unreached]
    return [*_said(_WITHOUT_ADDRESS, without), *_said(_UNREACHED, unreached)]


def _said(forms: Sequence[Sentence], names: Sequence[str]) -> Sequence[Sentence]:
    """What is said of these players; empty for nobody."""
    said = forms[len(names) > _MOST_NAMED]
    return [said.of(n=len(names), players=Listed(names))] if names else []
