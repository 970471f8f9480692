"""What players have asked the robots for, until it is done: hints and reviews.

Each job is kept like a mail, under a name that says all of it. How a mail was answered
that asked for one is kept for longer, as it may come again; and so is a hint, for the
page of its board. (For reviews, see `store.reviews`.)
"""

import re
from collections.abc import Sequence
from functools import partial

from pbm_holomino import rules
from pbm_holomino.languages import Sentence, as_it_is, sentence, together
from pbm_holomino.languages.recognised import Recognised
from pbm_holomino.match.board import Match
from pbm_holomino.match.reviews import digest
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.store.contract import ASKED, HINTS, JOBS, Store

HINT, REVIEW = "hint", "review"
_NAME = r"(hint|review)\.([a-z]+)\.([0-9]{1,9})\.([a-z][a-z0-9_]{1,19})\.([0-9]{1,9})"


class Job(NamedTuple):
    """What a player has asked the robots for: a HINT on a board, after so many moves of
    their own, or a REVIEW of it."""

    kind: str
    game: str
    board: int
    who: str
    moves: int = 0

    @classmethod
    def on(cls, match: Match, kind: str, who: str) -> "Job":
        """A job on a board as it is."""
        record = match.record
        moves = _own_moves(match, who) if kind == HINT else 0
        return cls(kind, record.game, record.board, who, moves)

    def is_current(self, match: Match) -> bool:
        """Whether it still is of use: a hint is for one move."""
        if self.kind == REVIEW:
            return match.result is not None
        return self.who in match.turn and _own_moves(match, self.who) == self.moves

    @property
    def filename(self) -> str:
        return f"{'.'.join(map(str, self))}.eml"


def _own_moves(match: Match, who: str) -> int:
    """How many moves of a player count."""
    return sum(match.record.log[index].who == who for index in match.moves)


def ask(store: Store, job: Job, source: str) -> None:
    """Keep what the command with this source asks for, until it is done."""
    store.kept.keep(JOBS, job.filename, source.encode())


def source(store: Store, job: Job) -> str:
    """The source of the command that has asked for it."""
    return (store.kept.read(JOBS, job.filename) or b"").decode()


def waiting(store: Store) -> list[Job]:
    """What players have asked for, the oldest first."""
    names = (re.fullmatch(rf"{_NAME}\.eml", n) for n in store.kept.mails(JOBS))
    return [
        Job(kind, game, int(board), who, int(moves))
        for kind, game, board, who, moves in (name.groups() for name in names if name)
        if game in rules.names()
    ]


def forget(store: Store, job: Job) -> None:
    """Forget a job, which is done or of no use any more."""
    store.kept.remove(JOBS, job.filename)


# How mails were answered that have asked for something


def note_answer(store: Store, who: str, source: str, text: str) -> None:
    """Keep how the command with this source was answered. After very many others it is
    forgotten."""
    store.kept.keep(ASKED, _answer_to(who, source), text.encode())


def answer(store: Store, who: str, source: str) -> str:
    """How the command with this source was answered before; empty if it was not."""
    return (store.kept.read(ASKED, _answer_to(who, source)) or b"").decode()


def _answer_to(who: str, source: str) -> str:
    return f"{who}.{re.sub('[^a-z0-9]', '-', source)}.eml"


# Hints


class Advice(NamedTuple):
    """A move that a robot would play, and why; and the best of the others, if one was
    looked for and found."""

    move: str
    reason: Sentence
    second: str = ""
    second_reason: Sentence | None = None

    @property
    def compared(self) -> Sentence:
        """Why it would play that move, and what the second best one would do."""
        if self.second_reason is None:
            return self.reason
        second = _SECOND.of(move=self.second)
        return together([self.reason, second, self.second_reason])


_SECOND = sentence("The second best move is {move}.")


def hint(store: Store, match: Match, who: str) -> Advice | None:
    """What a robot has advised a player in this position; None if it has not."""
    content = store.kept.read(HINTS, _hint_of(match, who)) or b""
    lines = content.decode().split("\n")
    return advice(match, *lines) if len(lines) in (2, 4) else None


def advice(
    match: Match, move: str, reason: str, second: str = "", second_reason: str = ""
) -> Advice:
    """A robot's advice on a board, of which the reasons have been said in English."""
    game = rules.edition(match.record.game, match.record.version)

    def said(words: str) -> Sentence:
        return as_it_is(Recognised(words, partial(_reasons, game)))

    if not second:
        return Advice(move, said(reason))
    return Advice(move, said(reason), second, said(second_reason))


def _reasons(game: str) -> Sequence[Sentence]:
    """All reasons that robots give in an edition of a game."""
    from pbm_holomino import robots  # for readers of other languages than English

    return robots.reasons_of(game)


def keep_hint(store: Store, match: Match, who: str, advice: Advice) -> None:
    """Keep what a robot advises a player. After very many others it is forgotten."""
    second = [advice.second, str(advice.second_reason)] if advice.second else []
    text = "\n".join([advice.move, str(advice.reason), *second])
    store.kept.keep(HINTS, _hint_of(match, who), text.encode())


def _hint_of(match: Match, who: str) -> str:
    record = match.record
    return f"{record.game}-{record.board}-{who}-{digest(match)[:16]}.eml"
