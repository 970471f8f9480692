"""The text of a digest or a reminder: the boards that wait for a player."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from pbm_holomino.letters.account_letters import ASKED, TURN
from pbm_holomino.letters.board_list import board_line, challenge_line, how_to_take
from pbm_holomino.letters.content import Block, Content, Lines, Linked, Part
from pbm_holomino.match.account import PLACEHOLDER, Player
from pbm_holomino.match.board import Match
from pbm_holomino.match.deadlines import Wait
from pbm_holomino.sentences import fill, moment
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


def list_pending(pending: Sequence[Pending], userid: str) -> str:
    """The boards that wait for a player, and the commands to send."""
    turns = [one for one in pending if not one.is_challenge]
    challenges = [one for one in pending if one.is_challenge]
    parts = (_turns(turns, userid), _challenges(challenges, userid))
    return "\n".join(filter(None, parts))


def list_open(challenges: Sequence[Match], userid: str) -> str:
    """The open challenges that a digest names, and how to take one up."""
    if not challenges:
        return ""
    lines = "".join(map(challenge_line, challenges))
    how = how_to_take(challenges[0].record, userid)
    return f"\nOpen challenges that anybody may take up:\n\n{lines}\n{how}"


def _turns(pending: Sequence[Pending], userid: str) -> str:
    if not pending:
        return ""
    boards = _listed(pending, "your turn since {since}", ", until {until}")
    seen = f"To see them all, send\n  all show {userid} next\n"
    return f"It is your turn on these boards:\n\n{boards}\n{seen}"


def _challenges(pending: Sequence[Pending], userid: str) -> str:
    if not pending:
        return ""
    boards = _listed(pending, "challenged on {since}", "; lapses on {until}")
    game, board = pending[0].summary.game, pending[0].summary.board
    answer = (
        "To accept one, to decline one, or to decline them all, send\n"
        f"  {game} accept {board} {userid} {PLACEHOLDER}\n"
        f"  {game} decline {board} {userid} {PLACEHOLDER}\n"
        f"  decline all {userid} {PLACEHOLDER}\n"
    )
    return f"These challenges wait for your answer:\n\n{boards}\n{answer}"


def _listed(pending: Sequence[Pending], since: str, until: str) -> str:
    """A list of boards: since when each has waited, and until when."""
    lines = []
    for one in pending[:MOST_LISTED]:
        said = since.format(since=one.wait.since[:10])
        if one.wait.until:
            said += until.format(until=moment(one.wait.until))
        lines.append(board_line(one.summary) + fill(said, " " * 13))
    if len(pending) > MOST_LISTED:
        lines.append(fill(f"And {len(pending) - MOST_LISTED} more."))
    return "".join(lines)


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


_BOARD = r"([a-z]+) ([1-9][0-9]{0,8}) +move"  # how board_line begins
