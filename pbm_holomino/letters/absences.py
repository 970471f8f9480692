"""The sentence about players who are on vacation."""

from pbm_holomino.match.board import Match
from pbm_holomino.match.vacations import away_until
from pbm_holomino.sentences import fill


def away(match: Match, reader: str | None, now: str) -> str:
    """Until when those whom a match waits for are on vacation, apart from the reader;
    empty if nobody is. The match must have the vacations of its players."""
    if match.result is not None:
        return ""
    awaited = dict.fromkeys((*match.turn, *match.record.unanswered))
    until = {who: away_until(match.away.get(who, ()), now) for who in awaited}
    said = (
        f"{who} is on vacation until {time[:10]}."
        for who, time in until.items()
        if time and who != reader
    )
    return fill(" ".join(said))
