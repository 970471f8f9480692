"""Digests and reminders: lists of the boards that wait for a player."""

import re
from collections.abc import Callable, Iterator, Sequence

from pbm_holomino import rules
from pbm_holomino.languages import Listed, Sentence, of_number, sentence, together
from pbm_holomino.languages.times import until_when
from pbm_holomino.letters.account_letters import ASKED, TURN
from pbm_holomino.letters.board_list import challenge_line, open_challenges
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
from pbm_holomino.match.letter_ids import MOST_NAMED
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


def list_pending(
    pending: Sequence[Pending], player: Player, now: str, move: str = ""
) -> Content:
    """The boards that wait for a player, and what to do. `move` is one that can be
    played on the first of those where it is the player's turn."""
    turns = [one for one in pending if not one.is_challenge]
    challenges = [one for one in pending if one.is_challenge]
    return content(
        _turns(turns, player, now, move), _challenges(challenges, player, now)
    )


def list_open(challenges: Sequence[Match], userid: str) -> Part:
    """The open challenges that a digest names, and how to take one up."""
    if not challenges:
        return ()
    entries = map(challenge_line, challenges)
    return open_challenges(entries, challenges[0].record, userid)


def _turns(
    pending: Sequence[Pending], player: Player, now: str, move: str
) -> Iterator[Block]:
    if not pending:
        return
    yield Paragraph(sentence("It is your turn on these boards:"))
    yield BLANK
    yield from _listed(pending, player, now)
    yield BLANK
    first = pending[0].summary.name
    yield Paragraph(_TO_MOVE.of(example=f'"{first} {move or "MOVE"}"'))
    yield BLANK
    yield Paragraph(sentence("To see them all, send"))
    yield Command(f"all show {player.userid} next")


_TO_MOVE = sentence(
    "To move, reply to this letter with a line for each board that you play, such as "
    "{example}."
)


def _challenges(
    pending: Sequence[Pending], player: Player, now: str
) -> Iterator[Block]:
    if not pending:
        return
    first = pending[0].summary.name
    yield Paragraph(sentence("These challenges wait for your answer:"))
    yield BLANK
    yield from _listed(pending, player, now)
    yield BLANK
    accept, decline = f'"{first} accept"', f'"{first} decline"'
    yield Paragraph(_TO_ANSWER.of(accept=accept, decline=decline))
    yield BLANK
    yield Paragraph(sentence("To decline them all, send this line with your password:"))
    yield Command(f"decline all {player.userid} {PLACEHOLDER}")


_TO_ANSWER = sentence(
    "To accept one or to decline one, reply to this letter with {accept} or {decline} "
    "in the first line."
)


def _listed(pending: Sequence[Pending], player: Player, now: str) -> Iterator[Block]:
    """A list of boards: against whom, and until when each waits."""
    for one in pending[:MOST_LISTED]:
        yield Paragraph(_row(one, player, now), _ENTRY, "  ")
    if len(pending) > MOST_LISTED:
        yield Paragraph(_AND_MORE.of(n=len(pending) - MOST_LISTED))


def _row(one: Pending, player: Player, now: str) -> Sentence:
    """Which board waits, against whom, and until when."""
    summary, until = one.summary, one.wait.until
    said = _WAITS[one.why, bool(until)].of(
        board=_named(summary),
        players=Listed(name for name in summary.players if name != player.userid),
    )
    if until:
        said = said.of(until=until_when(until, now, player.zone_at(now)))
    return said


def _named(summary: Summary) -> str:
    return f"{rules.load(summary.game).TITLE} {summary.board}"


def waiting_turn(summary: Summary, player: Player, now: str) -> Sentence:
    """That it is a player's turn on a board, in one line."""
    wait = summary.waits.get(player.userid, Wait("", ""))
    return _row(Pending(summary, wait, is_challenge=False), player, now)


def waiting_turns(summaries: Sequence[Summary]) -> Sentence:
    """That it is a player's turn on these boards, in one line."""
    names = [*map(_named, summaries[:MOST_TOLD])]
    said = _YOUR_TURN.of(boards=Listed(names))
    more = len(summaries) - len(names)
    return together([said, _AND_MORE.of(n=more)]) if more else said


MOST_TOLD = 20  # boards in one line
_YOUR_TURN = sentence("It is your turn on {boards}.")
_ENTRY = "- "  # before a board
# Which board waits, and until when, if there is an end.
_WAITS = {
    (TURN, False): sentence("{board} against {players}: your turn"),
    (TURN, True): sentence("{board} against {players}: your turn, {until}"),
    (ASKED, False): sentence("{board} against {players}"),
    (ASKED, True): sentence("{board} against {players}, {until}"),
}
_AND_MORE = of_number("And {n} more.", "And {n} more.")

MOST_LINKED = MOST_NAMED  # boards in one letter with a link


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
        for entry in re.findall(_ENTRIES, block.text):
            game, board = _board_in(entry)
            sent = command(game, board) if game and left else ""
            if not sent:
                rest += entry
                continue
            if rest:
                yield Lines(rest)
            yield Linked((Lines(entry),), sent)
            rest, left = "", left - 1
        if rest:
            yield Lines(rest)


# A line, with those that go on with it where it is an entry of a list
_ENTRIES = r"- .*\n(?:  [^ ].*\n)*|.*\n|.+$"


def _board_in(entry: str) -> tuple[str, int]:
    """The board that an entry of a list names, `- Hextol 2`, or as lists before had it,
    `hextol 2`; an empty name if there is none."""
    is_new = entry.startswith(_ENTRY)
    names = {rules.load(game).TITLE if is_new else game: game for game in rules.names()}
    found = re.search(rf"\b({'|'.join(names)}) ([1-9][0-9]{{0,8}})\b", entry)
    if not found or not (is_new or found.start() == 0):
        return "", 0
    return names[found[1]], int(found[2])
