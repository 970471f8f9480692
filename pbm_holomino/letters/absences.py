"""The sentences about players who are on vacation, or whom letters may not reach."""

from collections.abc import Sequence

from pbm_holomino.letters.content import Paragraph, Part
from pbm_holomino.match.account import Player
from pbm_holomino.match.board import Match
from pbm_holomino.match.vacations import away_until
from pbm_holomino.sentences import listed

_UNREACHED = "may not be getting mail from this server."
_MOST_NAMED = 5  # players who do not get what was written to everybody


def away(match: Match, reader: str | None, now: str) -> Part:
    """Until when those whom a match waits for are on vacation, and who of them may not
    be getting mail, apart from the reader; empty if nobody is. The match must have the
    absences of its players."""
    if match.result is not None:
        return ()
    awaited = dict.fromkeys((*match.turn, *match.record.unanswered))
    said = [_why(match, who, now) for who in awaited if who != reader]
    return (Paragraph(" ".join(filter(None, said))),) if any(said) else ()


def _why(match: Match, who: str, now: str) -> str:
    """Why a player may be late; empty if nothing is known."""
    until = away_until(match.away.get(who, ()), now)
    if until:
        return f"{who} is on vacation until {until[:10]}."
    return f"{who} {_UNREACHED}" if who in match.unreached else ""


def sent_to(names: Sequence[str], readers: Sequence[Player] = ()) -> str:
    """To which players words have gone, and which of these readers will not get
    them."""
    without = {player.userid for player in readers if not player.addresses}
    reached = listed([name for name in names if name not in without])
    return " ".join(filter(None, [reached and f"Sent to {reached}.", lost_on(readers)]))


def lost_on(readers: Sequence[Player]) -> str:
    """Which of these readers will not get a player's words, or perhaps not; empty if
    all will."""
    without = [player.userid for player in readers if not player.addresses]
    unreached = [player.userid for player in readers if player.is_unreached]
    told = []
    if without:
        has = "has" if len(without) == 1 else "have"
        names = _named(without)
        told.append(f"No letter goes to {names}, who {has} no mail address here.")
    if unreached:
        told.append(f"{_named(unreached)} {_UNREACHED}")
    return " ".join(told)


def _named(names: Sequence[str]) -> str:
    is_short = len(names) <= _MOST_NAMED
    return listed(names) if is_short else f"{len(names)} players"
