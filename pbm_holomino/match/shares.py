"""Each player's share of a board's file, for what they say and plan.

Chat, the texts sent with moves, queues, drafts, and offers with their answers count
against the share of one player. No other player's share gets smaller, and there is
always room for moves, resignations, answers and the acts of the clock: the rest of
the file is reserved for these.
"""

from pbm_holomino.errors import NotAllowed
from pbm_holomino.languages import sentence
from pbm_holomino.match.board import Match
from pbm_holomino.match.record import Act, format_line, size
from pbm_holomino.match.replay import with_note

MOST_BYTES = 500_000  # of a board's file, for what all its players say and plan

# Acts that count against their player's share, and are refused once it is used up.
# UNQUEUE is among them because a queue ends at most once.
_OFFERS = (Act.PROPOSE, Act.PAUSE, Act.UNDO)
_PAID = frozenset((Act.CHAT, Act.QUEUE, Act.UNQUEUE, Act.SUBMIT, *_OFFERS))


def share(match: Match) -> int:
    """The bytes of a board's file that each of its players may use."""
    return MOST_BYTES // len(match.record.players)


def used(match: Match, who: str) -> int:
    """The bytes of a board's file that a player has used: their texts and plans with
    their lines, their offers, and the answers to these."""
    record = match.record
    lines = sum(
        size(format_line(line))
        for index, line in enumerate(record.log)
        if _payer(match, index) == who
    )
    notes = record.notes.items()
    texts = [note for i, note in notes if note and record.log[i].who == who]
    return lines + sum(map(size, texts))


def _payer(match: Match, index: int) -> str | None:
    """The player against whose share a line counts, if any."""
    line = match.record.log[index]
    if line.action in _PAID:
        return line.who
    offer = match.steps[index - 1].offer
    return offer.who if offer and line.action in (Act.ACCEPT, Act.REJECT) else None


def checked(match: Match) -> Match:
    """The same match. Raises NotAllowed if its last line with its text exceeds the
    player's share."""
    line, record = match.record.log[-1], match.record
    if line.action in _PAID and used(match, line.who) > share(match):
        raise NotAllowed(
            sentence(
                "You have used up your share of the space for {board}: there is no "
                "room for another chat, queue, submit, propose or undo of yours. You "
                "can still move, resign, and accept or reject what others offer.",
                board=record.name,
            )
        )
    return match


def with_text(match: Match, text: str) -> Match:
    """The match with the text that came with its last line; if the player's share has
    no room for it, an empty note says so."""
    if not text:
        return match
    noted = with_note(match, text)
    fits = used(noted, match.record.log[-1].who) <= share(match)
    return noted if fits else with_note(match, "")
