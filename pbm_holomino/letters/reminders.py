"""Digests and reminders: lists of the boards that wait for a player."""

import re
from collections.abc import Callable, Iterator, Sequence

from pbm_holomino import rules
from pbm_holomino.languages import Day, Moment, of_number, sentence
from pbm_holomino.letters.account_letters import ASKED, TURN
from pbm_holomino.letters.board_list import board_line, challenge_line, open_challenges
from pbm_holomino.letters.content import (
    BLANK,
    Block,
    Command,
    Content,
    Lines,
    Linked,
    Paragraph,
    Part,
    content,
)
from pbm_holomino.match.account import PLACEHOLDER, Player
from pbm_holomino.match.board import Match
from pbm_holomino.match.deadlines import Wait
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.store.summary import Summary

MOST_LISTED = 2_000  # boards in one letter


class Pending(NamedTuple):
    """A board that waits for a player's move, or for their answer to a challenge."""

    summary: Summary
    wait: Wait
    is_challenge: bool

    @property
    def why(self) -> str:
        """What it waits for, as a word in the account's log."""
        return ASKED if self.is_challenge else TURN

    def remind(self, player: Player) -> str:
        """When to remind the player of it; empty if never."""
        return self.wait.remind(self.summary.nag, player.last_list, player.vacations)


def list_pending(pending: Sequence[Pending], userid: str) -> Content:
    """The boards that wait for a player, and the commands to send."""
    turns = [one for one in pending if not one.is_challenge]
    challenges = [one for one in pending if one.is_challenge]
    return content(_turns(turns, userid), _challenges(challenges, userid))


def list_open(challenges: Sequence[Match], userid: str) -> Part:
    """The open challenges that a digest names, and how to take one up."""
    if not challenges:
        return ()
    entries = map(challenge_line, challenges)
    return open_challenges(entries, challenges[0].record, userid)


def _turns(pending: Sequence[Pending], userid: str) -> Iterator[Block]:
    if not pending:
        return
    yield Paragraph(sentence("It is your turn on these boards:"))
    yield BLANK
    yield from _listed(pending)
    yield BLANK
    yield Paragraph(sentence("To see them all, send"))
    yield Command(f"all show {userid} next")


def _challenges(pending: Sequence[Pending], userid: str) -> Iterator[Block]:
    if not pending:
        return
    game, board = pending[0].summary.game, pending[0].summary.board
    yield Paragraph(sentence("These challenges wait for your answer:"))
    yield BLANK
    yield from _listed(pending)
    yield BLANK
    yield Paragraph(
        sentence("To accept one, to decline one, or to decline them all, send")
    )
    yield Command(f"{game} accept {board} {userid} {PLACEHOLDER}")
    yield Command(f"{game} decline {board} {userid} {PLACEHOLDER}")
    yield Command(f"decline all {userid} {PLACEHOLDER}")


def _listed(pending: Sequence[Pending]) -> Iterator[Block]:
    """A list of boards: since when each has waited, and until when."""
    for one in pending[:MOST_LISTED]:
        yield board_line(one.summary)
        since, until = one.wait.since, one.wait.until
        said = _WAITS[one.why, bool(until)]
        yield Paragraph(said.of(day=Day(since), when=Moment(until)), " " * 13)
    if len(pending) > MOST_LISTED:
        yield Paragraph(_AND_MORE.of(n=len(pending) - MOST_LISTED))


# Since when a board has waited for a player, and until when, if there is an end.
_WAITS = {
    (TURN, False): sentence("your turn since {day}"),
    (TURN, True): sentence("your turn since {day}, until {when}"),
    (ASKED, False): sentence("challenged on {day}"),
    (ASKED, True): sentence("challenged on {day}; lapses on {when}"),
}
_AND_MORE = of_number("And {n} more.", "And {n} more.")

MOST_LINKED = 20  # boards with a link in one letter


def linked(told: Content, command: Callable[[str, int], str]) -> Content:
    """Lists of boards with links: `command` gives what a board's link sends, empty for
    none."""
    return tuple(tuple(_linked(part, command)) for part in told)


def _linked(part: Part, command: Callable[[str, int], str]) -> Iterator[Block]:
    left = MOST_LINKED
    for block in part:
        if not isinstance(block, Lines):
            yield block
            continue
        rest = ""
        for line in block.text.splitlines(keepends=True):
            board = re.match(_BOARD, line)
            sent = command(board[1], int(board[2])) if board and left else ""
            if not sent:
                rest += line
                continue
            if rest:
                yield Lines(rest)
            yield Linked((Lines(line),), sent)
            rest, left = "", left - 1
        if rest:
            yield Lines(rest)


_BOARD = rf"({'|'.join(rules.names())}) ([1-9][0-9]{{0,8}}) "  # so board_line begins
