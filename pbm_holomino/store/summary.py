"""The summary of a board: the derived part of its file, read and not replayed."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pbm_holomino import rules
from pbm_holomino.languages import Sentence
from pbm_holomino.match import open_challenge, record
from pbm_holomino.match.board import Result
from pbm_holomino.match.deadlines import Wait, format_wait
from pbm_holomino.match.record import NOBODY, PRIVATE, QUEUED, Act, Line
from pbm_holomino.match.times import later
from pbm_holomino.match.verdicts import verdict_of
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.store.endings import Ending

if TYPE_CHECKING:
    from pbm_holomino.match.former import Names

OPEN = "open"  # comes after every time
OPENED = (record.OPEN, record.CLOSED)  # the status of no board

# Days for which a challenger may not challenge the same players to that game again, so
# that nobody fishes for a good first hand
BARRED, BARRED_DECLINED = 1, 7

_ASIDE = PRIVATE | {
    Act.CHAT,
    Act.EXCUSED,
}  # acts that do not change a board for everybody


class Summary(NamedTuple):
    """What lists show of a board, or of an open challenge, whose players are those who
    have a seat by now."""

    game: str
    board: int
    players: tuple[str, ...]
    status: str
    turn: tuple[str, ...]
    ply: int
    scores: Mapping[str, int]
    result: Result | None
    places: Mapping[str, int]  # of each player, if it is over and counts
    opening_mail: str  # the mail that opened the board
    last_change: str  # of what everybody may know, except chat: its end, if it has one
    due: str  # when time runs out (or, in format 1, a reminder is due) or empty
    seen: Mapping[str, str]  # when each player was last heard of in its log
    challenger: str = ""
    unanswered: tuple[str, ...] = ()  # players who have not answered the challenge
    barred: str = ""  # until when its challenger may not challenge the same players
    nag: int = 0  # days from one reminder to the next; 0 for none
    waits: Mapping[str, Wait] = {}  # by the player; empty for files of format 1

    @property
    def name(self) -> str:
        """The board as players call it: `holo 12`."""
        return f"{self.game} {self.board}"

    @property
    def verdict(self) -> Sentence:
        """The result in words."""
        return verdict_of(self.result, self.scores, rules.load(self.game).SCORING)

    def named(self, shown: "Names") -> "Summary":
        """The same, to be looked at, with these names in place of others."""
        from pbm_holomino.match import former  # few players leave without their names

        def of(name: str) -> str:
            return shown.get(name, name)

        return self._replace(
            players=tuple(map(of, self.players)),
            scores={of(name): score for name, score in self.scores.items()},
            result=self.result and former.result_of(self.result, shown),
        )

    @property
    def ending(self) -> Ending | None:
        """Its ending, if it has ended and counts."""
        if not self.places:
            return None
        return Ending(self.last_change, self.board, tuple(self.places.items()))

    @property
    def firsts(self) -> dict[str, int]:
        """How many players share the first place, for each who does; 0 for a player who
        has lost. Empty if it does not count."""
        first = list(self.places.values()).count(1)
        return {
            player: first if place == 1 else 0 for player, place in self.places.items()
        }

    @property
    def matters(self) -> str:
        """Until when the board limits new challenges: OPEN while a player has not
        answered, then the time until which its challenger is barred. Empty if it does
        not."""
        return OPEN if self.unanswered else self.barred

    @property
    def was_declined(self) -> bool:
        """Whether a player declined the challenge, which bars the challenger for
        longer."""
        return self.barred == later(self.last_change, BARRED_DECLINED)

    @property
    def remind(self) -> str:
        """When a player may first have to be reminded; empty for never. In files of
        format 1 that is part of `due`."""
        times = (wait.remind(self.nag) for wait in self.waits.values())
        return min(filter(None, times), default="")

    def is_wanted(self, players: set[str], which: str) -> bool:
        """Whether it belongs in a list of the boards of any of these players (of
        everybody if none is named) that are `active`, `inactive`, `next` or `all`."""
        if self.status in OPENED or (players and not players & set(self.players)):
            return False
        if which == "next":
            return bool(players & set(self.turn) if players else self.turn)
        return which == "all" or (which == "active") == (self.status == "active")


def endings_of(boards: Iterable[Summary]) -> list[Ending]:
    """The endings of the boards of one game, in their order."""
    return sorted(filter(None, (board.ending for board in boards)))


def tallied(boards: Iterable[Summary]) -> dict[str, Counter[int]]:
    """For each player, in how many games how many players shared the first place with
    them, themselves included; 0 counts the games they lost."""
    tallies: dict[str, Counter[int]] = {}
    for board in boards:
        for player, first in board.firsts.items():
            tallies.setdefault(player, Counter())[first] += 1
    return tallies


def from_data(data: Any) -> Summary:
    """The summary in the data of a board's file. Raises one of damage.DAMAGE for other
    data."""
    log = [record.parse_line(text) for text in data["log"]]
    names = _words(data["seated" if open_challenge.is_one(data) else "players"])
    robots = _words(data.get("robots", []))
    people = tuple(name for name in names if name not in robots)
    result = None
    if "reason" in data:
        result = Result(_words(data["winners"]), *_words([data["reason"]]))
    challenger = _challenger(data, names, log)
    active = data["status"] == "active"
    return Summary(
        game=_word(data["game"]),
        board=int(data["board"]),
        players=names,
        status=_word(data["status"]),
        turn=_words(data["turn"]),
        ply=int(data["ply"]),
        scores={_word(name): int(score) for name, score in data["scores"].items()},
        result=result,
        places=_places(data, names) if result and _counts(data) else {},
        opening_mail=log[0].source,
        last_change=[line.time for line in log if line.action not in _ASIDE][-1],
        due=_word(data.get("due", "")),
        seen={
            line.who: line.time
            for line in log
            if line.who in names
            and line.source != QUEUED
            and not line.by_server
            and line.action not in PRIVATE
        },
        challenger=challenger,
        unanswered=record.unanswered(people, challenger, log) if active else (),
        barred="" if result is None else _barred(result, people, challenger, log),
        nag=int(data["nag"]),
        waits={_word(who): _wait(text) for who, text in data.get("waits", {}).items()},
    )


def _counts(data: Any) -> bool:
    """Whether an ended game counts in lists of results."""
    return bool(data["winners"]) and record.is_rated(data)


def _challenger(data: Any, names: tuple[str, ...], log: Sequence[Line]) -> str:
    """The player who opened a board. A file of format 1 says so only if it was done by
    mail; in the shell the first player challenges."""
    if "challenger" in data:
        return _word(data["challenger"])
    return names[0] if log[0].who == NOBODY else _word(log[0].who)


def _barred(
    result: Result, names: tuple[str, ...], challenger: str, log: Sequence[Line]
) -> str:
    """Until when the challenger is barred, if the challenge came to nothing: somebody
    declined it, or gave up before everybody had answered."""
    is_given_up = result.reason == "resigned" and record.unanswered(
        names, challenger, log
    )
    if result.reason != "declined" and not is_given_up:
        return ""
    last = [line for line in log if line.action not in _ASIDE][-1]
    declined = last.action == Act.DECLINE and last.who != challenger
    return later(last.time, BARRED_DECLINED if declined else BARRED)


def _wait(text: str) -> Wait:
    since, until = _word(text).split(" ")
    later(since, 0)  # raises ValueError if it is not a time
    return Wait(since, "" if until == NOBODY else until)


def _word(value: Any) -> str:
    if not isinstance(value, str) or not value.isprintable():
        raise TypeError
    return value


def _words(values: Any) -> tuple[str, ...]:
    if not isinstance(values, list) or "" in values:
        raise TypeError
    return tuple(map(_word, values))


def format_summary(summary: Summary) -> str:
    """A summary as text: a line for each field, with tabs between its words."""
    result = summary.result or Result((), "")
    waits = {who: format_wait(wait) for who, wait in summary.waits.items()}
    fields = {**summary._asdict(), "result": None, "waits": waits}.values()
    return "\n".join(map(_format_field, (*fields, result.winners, result.reason)))


def _format_field(field: Any) -> str:
    if isinstance(field, Mapping):
        field = [word for item in field.items() for word in item]
    return "\t".join(map(str, field)) if isinstance(field, list | tuple) else str(field)


def parse_summary(text: str) -> Summary:
    """The summary in such a text. Raises ValueError for any other."""
    *lines, winners, reason = text.split("\n")
    of = dict(zip(Summary._fields, lines, strict=True))
    return Summary(
        game=of["game"],
        board=int(of["board"]),
        players=tuple(_split(of["players"])),
        status=of["status"],
        turn=tuple(_split(of["turn"])),
        ply=int(of["ply"]),
        scores={player: int(score) for player, score in _pairs(of["scores"])},
        result=Result(tuple(_split(winners)), reason) if reason else None,
        places={player: int(place) for player, place in _pairs(of["places"])},
        opening_mail=of["opening_mail"],
        last_change=of["last_change"],
        due=of["due"],
        seen=dict(_pairs(of["seen"])),
        challenger=of["challenger"],
        unanswered=tuple(_split(of["unanswered"])),
        barred=of["barred"],
        nag=int(of["nag"]),
        waits={who: _wait(wait) for who, wait in _pairs(of["waits"])},
    )


def _split(field: str) -> list[str]:
    return field.split("\t") if field else []


def _pairs(field: str) -> Iterator[tuple[str, str]]:
    words = _split(field)
    return zip(words[::2], words[1::2], strict=True)


def _places(data: Any, names: tuple[str, ...]) -> dict[str, int]:
    places = {name: int(data["places"][name]) for name in names}
    if len(places) < 2 or not all(0 < place <= len(names) for place in places.values()):
        raise ValueError("its places make no sense")
    return places
