"""How much of a board's file its players may fill with what they say and plan.

Chat, the texts that come with moves, queues, drafts, and offers with the answers to
them come out of a share that each player has. What one player uses is taken from no
other, and never from moves, resignations, answers and what the clock does: the rest
of the file is kept for these.
"""

from pbm_holomino.errors import NotAllowed
from pbm_holomino.match.board import Match
from pbm_holomino.match.record import Act, format_line, size
from pbm_holomino.match.replay import with_note

MOST_BYTES = 500_000  # of a board's file, for what all its players say and plan

# Lines that are refused once their player's share is used up. UNQUEUE is among them
# as it is the player's own: there is at most one for each queue.
_PAID = frozenset((Act.CHAT, Act.QUEUE, Act.UNQUEUE, Act.SUBMIT, Act.PROPOSE, Act.UNDO))


def share(match: Match) -> int:
    """The bytes of a board's file that each of its players may use."""
    return MOST_BYTES // len(match.record.players)


def used(match: Match, who: str) -> int:
    """The bytes of a board's file that a player has used: their texts and plans, the
    lines of these and of their offers, and the lines that answered their offers."""
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
    """Out of whose share a line comes, if it comes out of any."""
    line = match.record.log[index]
    if line.action in _PAID:
        return line.who
    offer = match.steps[index - 1].offer
    return offer.who if offer and line.action in (Act.ACCEPT, Act.REJECT) else None


def checked(match: Match) -> Match:
    """The same match. Raises NotAllowed where its last line, with its text, is one
    that the player's share has no room for."""
    line, record = match.record.log[-1], match.record
    if line.action in _PAID and used(match, line.who) > share(match):
        raise NotAllowed(
            f"You have used up your share of the file of {record.name}: there is no "
            "room for another chat, queue, submit, propose or undo of yours. You can "
            "still move, resign, and accept or reject what others offer."
        )
    return match


def with_text(match: Match, text: str) -> Match:
    """The match with the text that came with its last line. Where the player's share
    has no room for it, an empty note says so."""
    if not text:
        return match
    noted = with_note(match, text)
    fits = used(noted, match.record.log[-1].who) <= share(match)
    return noted if fits else with_note(match, "")
