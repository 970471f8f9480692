"""What players have asked the robots for, until it is done: hints and reviews.

A hint is for a player's move, or for the position after a line that they try. Each job
is kept like a mail, under a name that says of what it is; for a position its content
has the line. How a mail was answered that asked for one is kept for longer, as it may
come again; and so is a hint, for the page of its board. (For reviews, see
`store.reviews`.)
"""

import hashlib
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
_NAME = (
    r"(hint|review)\.([a-z]+)\.([0-9]{1,9})\.([a-z][a-z0-9_]{1,19})\.([0-9]{1,9})"
    r"(?:\.([0-9a-f]{16}))?"
)


class Job(NamedTuple):
    """What a player has asked the robots for: a HINT on a board, after so many moves of
    their own, or for a position that they try (see `position`), or a REVIEW of it."""

    kind: str
    game: str
    board: int
    who: str
    moves: int = 0
    position: str = ""

    @classmethod
    def on(cls, match: Match, kind: str, who: str) -> "Job":
        """A job on a board as it is."""
        record = match.record
        moves = _own_moves(match, who) if kind == HINT else 0
        return cls(kind, record.game, record.board, who, moves)

    @classmethod
    def at(cls, match: Match, who: str, line: Sequence[str]) -> "Job":
        """A hint for the position after a line from that of a board."""
        record = match.record
        return cls(HINT, record.game, record.board, who, 0, position(match, line))

    def is_current(self, match: Match) -> bool:
        """Whether it still is of use: a hint is for one move."""
        if self.position:
            return self.who in match.record.players
        if self.kind == REVIEW:
            return match.result is not None
        return self.who in match.turn and _own_moves(match, self.who) == self.moves

    @property
    def filename(self) -> str:
        words = self if self.position else self[:-1]
        return f"{'.'.join(map(str, words))}.eml"


def _own_moves(match: Match, who: str) -> int:
    """How many moves of a player count."""
    return sum(match.record.log[index].who == who for index in match.moves)


def position(match: Match, line: Sequence[str]) -> str:
    """A word for the position of a board, or for that after a line from there."""
    words = " ".join([digest(match), *line])
    return (hashlib.sha256(words.encode()).hexdigest() if line else words)[:16]


def ask(
    store: Store, job: Job, source: str, ply: int = 0, line: Sequence[str] = ()
) -> None:
    """Keep what the command with this source asks for, until it is done; for a position
    that is tried, with the `line`, and after which move of the game it begins."""
    words = f"\n{' '.join([str(ply), *line])}" if job.position else ""
    store.kept.keep(JOBS, job.filename, f"{source}{words}".encode())


def source(store: Store, job: Job) -> str:
    """The source of the command that has asked for it."""
    return _kept(store, job).partition("\n")[0]


def line(store: Store, job: Job) -> tuple[int, Sequence[str]]:
    """After which move of the game the line begins of which a job is the end, and its
    words."""
    ply, *words = _kept(store, job).partition("\n")[2].split() or ["0"]
    return int(ply), words


def _kept(store: Store, job: Job) -> str:
    return (store.kept.read(JOBS, job.filename) or b"").decode()


def waiting(store: Store) -> list[Job]:
    """What players have asked for, the oldest first."""
    names = (re.fullmatch(rf"{_NAME}\.eml", n) for n in store.kept.mails(JOBS))
    return [
        Job(kind, game, int(board), who, int(moves), position)
        for kind, game, board, who, moves, position in (
            name.groups("") for name in names if name
        )
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


def hint(
    store: Store, match: Match, who: str, line: Sequence[str] = ()
) -> Advice | None:
    """What a robot has advised a player in this position, or in that after a line from
    there; None if it has not."""
    content = store.kept.read(HINTS, _hint_of(match, who, line)) or b""
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


def keep_hint(
    store: Store, match: Match, who: str, advice: Advice, line: Sequence[str] = ()
) -> None:
    """Keep what a robot advises a player in this position, or after a line from there.
    After very many others it is forgotten."""
    second = [advice.second, str(advice.second_reason)] if advice.second else []
    text = "\n".join([advice.move, str(advice.reason), *second])
    store.kept.keep(HINTS, _hint_of(match, who, line), text.encode())


def _hint_of(match: Match, who: str, line: Sequence[str]) -> str:
    record = match.record
    return f"{record.game}-{record.board}-{who}-{position(match, line)}.eml"
