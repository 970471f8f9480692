"""The sentences about players who are on vacation, or whom letters may not reach."""

from pbm_holomino.letters.content import Paragraph, Part
from pbm_holomino.match.board import Match
from pbm_holomino.match.vacations import away_until


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
    if who in match.unreached:
        return f"{who} may not be getting mail from this server."
    return ""
