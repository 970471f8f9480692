"""The sentence about players who are on vacation."""

from pbm_holomino.letters.content import Paragraph, Part
from pbm_holomino.match.board import Match
from pbm_holomino.match.vacations import away_until


def away(match: Match, reader: str | None, now: str) -> Part:
    """Until when those whom a match waits for are on vacation, apart from the reader;
    empty if nobody is. The match must have the vacations of its players."""
    if match.result is not None:
        return ()
    awaited = dict.fromkeys((*match.turn, *match.record.unanswered))
    until = {who: away_until(match.away.get(who, ()), now) for who in awaited}
    said = " ".join(
        f"{who} is on vacation until {time[:10]}."
        for who, time in until.items()
        if time and who != reader
    )
    return (Paragraph(said),) if said else ()
