"""The record of a board, its setup and its log, to and from plain data.

A line of the log is `<no> <UTC> <who> <source|-> <action>`. `no` counts moves from 1;
it is 0 in the line that opens the board, and `-` in a line that is not a move. An
action is a move in canonical notation, or an act, which begins with `!`.
"""

import os
import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import Enum
from typing import Any, Generic, TypeVar

from pbm_holomino import rules
from pbm_holomino.errors import UnknownVersion
from pbm_holomino.languages import sentence
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.rules import chance
from pbm_holomino.rules.contract import AnyGame
from pbm_holomino.rules.options import (
    CLOCK,
    FORFEIT,
    MATCH_OPTIONS,
    NAG,
    RATED,
    Clock,
    Options,
    configure,
    format_option,
    read_options,
    typed_option,
)

SHELL = "-"  # begins the source of a line that was typed on the server
NOBODY = "-"  # the author of a line that no player wrote
QUEUED = "queue"  # the source of a queued move
ROBOT = "robot"  # the source of a line that a robot made
TOURNAMENT = "tournament"  # begins the source of a line that opens a game of one
TICKED = "tick"  # the source of a line that the clock made
OWNER = "owner"  # that of a line which the server's owner made in a player's place
FORMATS = (1, 2, 3)  # known formats of a board's file; version 1.0 wrote 1


class Act(Enum):
    """What a line of a board's log does, if it is not a move."""

    CHALLENGE = "!challenge"  # opens a board
    REMATCH = "!rematch"  # opens a board
    PAIR = "!pair"  # opens a board of a tournament
    JOIN = "!join"  # takes a seat of an open challenge
    ACCEPT = "!accept"  # accepts an offer or a challenge
    DECLINE = "!decline"  # turns down a challenge, or withdraws it
    LAPSE = "!lapse"  # ends a challenge that was not answered in time
    PROPOSE = "!propose"  # offers a draw
    PAUSE = "!pause"  # offers a pause of so many days
    UNDO = "!undo"  # asks to take back a move
    REJECT = "!reject"  # turns down an offer
    RESIGN = "!resign"
    FORFEIT = "!forfeit"  # a player has run out of time
    VOID = "!void"  # the owner cancels the game
    CHAT = "!chat"
    QUEUE = "!queue"  # sends moves for coming turns
    UNQUEUE = "!unqueue"  # ends a queue
    SUBMIT = "!submit"  # sends a move that waits to be confirmed
    NAG = "!nag"  # a reminder, as version 1.0 logged it
    # A player's clock does not run from one time to another: `vacation` or `outage`,
    # and these times. Of a vacation, what an earlier line says from its beginning on
    # does not count any more.
    EXCUSED = "!excused"

    def __str__(self) -> str:
        return self.value


OPEN, CLOSED = "open", "closed"  # the status of an open challenge
ENDS = frozenset((Act.DECLINE, Act.LAPSE, Act.VOID))  # acts that end one
OPENINGS = frozenset((Act.CHALLENGE, Act.REMATCH, Act.PAIR))  # the first act of a log
DROPPED = frozenset((Act.RESIGN, Act.FORFEIT))  # the player drops out
_ANSWERS = DROPPED | {Act.ACCEPT, Act.JOIN}  # acts that answer a challenge
# Acts that only their own player is told about:
PRIVATE = frozenset((Act.QUEUE, Act.UNQUEUE, Act.SUBMIT, Act.NAG))

_Action = TypeVar("_Action", covariant=True)


def is_typed(source: str) -> bool:
    """Whether the source of a command or line is one that was typed on the server."""
    return source.startswith(SHELL)


def typed_source() -> str:
    """A new source, for a command that is typed."""
    return SHELL + os.urandom(8).hex()


class Key(NamedTuple):
    """Where a board, an account or another ledger is kept: its folder, and its name
    there."""

    folder: str
    name: str


class LogLine(NamedTuple, Generic[_Action]):
    """A line of a log: who did what, and when."""

    no: int | None  # the line's number, if it has one
    time: str  # in UTC, such as `2026-11-20T08:00:00Z`
    who: str
    # The id of the mail that brought the line, with `/k` after it for the k-th command
    # of several in one mail, or QUEUED, TICKED or OWNER; that of a command that was
    # typed on the server is SHELL, with random digits after it except in older files.
    source: str
    action: _Action
    argument: str = ""  # what an act of a board's log is about, in words

    @property
    def by_shell(self) -> bool:
        """Whether it was typed on the server."""
        return is_typed(self.source)

    @property
    def by_server(self) -> bool:
        """Whether no command brought it that a player has sent."""
        return self.source in (TICKED, OWNER)

    def came_by(self, source: str) -> bool:
        """Whether the command with this source brought it."""
        return self.source == source != SHELL

    @property
    def answered_apart(self) -> bool:
        """Whether its author is not answered by a letter about it, but on their
        terminal or in the one answer to several commands."""
        return self.by_shell or "/" in self.source


# A line of a board's log: an act, or a move in canonical notation.
Line = LogLine[Act | str]


class Record(NamedTuple):
    """What a board's file holds, without anything that can be derived.

    A board with a `challenger` begins as a challenge by that player, which the others
    may accept or decline. A game of a tournament has nothing to be accepted.
    """

    game: str
    board: int
    version: int  # of the game's rules
    players: tuple[str, ...]  # in the order of their seats
    random: bool  # whether that was drawn by lot
    options: Options  # those that the game has of its own
    seed: bytes
    log: Sequence[Line]
    notes: Mapping[int, str] = {}  # the texts of lines, by index; empty without room
    nag: int = NAG.default  # days after which a player is reminded; 0 for never
    forfeit: int = FORFEIT.default  # days after which one who does not move loses
    challenger: str = ""  # empty on boards of version 1.0
    robots: tuple[str, ...] = ()  # the players that are programs
    rated: bool = True  # whether it counts in lists of results
    tournament: str = ""  # with the round, such as `1.2`
    clock: Clock | None = None  # of each player, in place of `forfeit`

    @property
    def format(self) -> int:
        """The format of its file: 1 is that of version 1.0, and 3 has a clock."""
        if self.clock is not None:
            return 3
        return 2 if self.challenger else 1

    @property
    def key(self) -> Key:
        return Key(self.game, str(self.board))

    @property
    def name(self) -> str:
        """What players call the board: `holo 12`."""
        return f"{self.game} {self.board}"

    @property
    def rules(self) -> AnyGame:
        """The rules of its version."""
        return rules.load(self.game, self.version)

    @property
    def match_options(self) -> dict[str, Any]:
        """The options that all games have, but for a clock where there is none."""
        values = {option.name: getattr(self, option.name) for option in MATCH_OPTIONS}
        return {name: value for name, value in values.items() if value is not None}

    @property
    def chosen_options(self) -> str:
        """The options that differ from their defaults, as they are typed."""
        values = {**self.options, **self.match_options}
        chosen = [
            typed_option(option, values[option.name])
            for option in (*self.rules.OPTIONS, *MATCH_OPTIONS)
            if values.get(option.name) != option.default
            and not (self.clock and option == FORFEIT)
        ]
        if self.rated == bool(self.robots):  # which is unusual
            chosen.append(typed_option(RATED, self.rated))
        return " ".join(chosen)

    @property
    def pairing(self) -> tuple[int, int] | None:
        """The tournament and the round in which it is played; None if in none."""
        if not self.tournament:
            return None
        number, _, round_ = self.tournament.partition(".")
        return int(number), int(round_)

    @property
    def unanswered(self) -> tuple[str, ...]:
        """The players who have not answered the challenge; none in format 1. Robots
        accept every challenge."""
        if self.format == 1:
            return ()
        return unanswered(self.people, self.challenger, self.log)

    @property
    def people(self) -> tuple[str, ...]:
        """The players that are no robots."""
        if not self.robots:
            return self.players
        return tuple(player for player in self.players if player not in self.robots)

    @property
    def takers(self) -> tuple[str, ...]:
        """The players who have taken a seat of an open challenge, in that order."""
        return tuple(line.who for line in self.log if line.action is Act.JOIN)

    @property
    def ended(self) -> Act | None:
        """The act that ended an open challenge before it became a board, if one has."""
        last = self.log[-1].action
        return last if isinstance(last, Act) and last in ENDS else None

    @property
    def began(self) -> int:
        """The index of the line with which the board began: that of the player who took
        the last seat of an open challenge; otherwise its first line."""
        index, last = 0, len(self.log) - 1
        while index < last and self.log[index + 1].action is Act.JOIN:
            index += 1
        return index

    def lines_for(self, reader: str | None) -> int:
        """How many lines of the log a reader may know of: all but others' plans."""
        plans = (line for line in self.log if line.action in PRIVATE)
        return len(self.log) - sum(line.who != reader for line in plans)

    @property
    def taken_up(self) -> str:
        """When the last player answered the challenge; only if all have."""
        asked = [player for player in self.people if player != self.challenger]
        times = {line.who: line.time for line in reversed(self.log) if answers(line)}
        began = self.log[0].time
        return max([began, *(times.get(player, began) for player in asked)])

    def until(self, end: int) -> "Record":
        """The record as it was when its log had that many lines."""
        notes = {index: note for index, note in self.notes.items() if index < end}
        return self._replace(log=self.log[:end], notes=notes)

    @property
    def seal(self) -> str:
        """The SHA-256 of the seed, which everybody may know while the game runs."""
        return chance.seal(self.seed)


def unanswered(
    players: Sequence[str], challenger: str, log: Sequence[Line]
) -> tuple[str, ...]:
    """The challenged players who have not yet moved, accepted or dropped out. A move
    counts even if it is taken back later. Games of a tournament are no challenges."""
    if log and log[0].action is Act.PAIR:
        return ()
    left = [player for player in players if player != challenger]
    for line in log:
        if not left:  # as a rule, soon
            break
        if line.who in left and answers(line):
            left.remove(line.who)
    return tuple(left)


def answers(line: Line) -> bool:
    """Whether a line answers the challenge for its author."""
    return bool(line.no) or line.action in _ANSWERS


def to_data(record: Record) -> dict[str, Any]:
    """The whole record as text, lists and mappings."""
    return {
        **public_data(record),
        "seed": record.seed.hex(),
        "log": [format_line(line) for line in record.log],
        "notes": {str(index): note for index, note in record.notes.items()},
    }


def public_data(record: Record) -> dict[str, Any]:
    """The setup without the seed, for everybody."""
    return {**setup_data(record), "seal": record.seal}


def setup_data(record: Record) -> dict[str, Any]:
    """The game, its players and its options."""
    values = record.match_options
    return {
        "game": record.game,
        "board": str(record.board),
        "version": str(record.version),
        **_format(record),
        "players": list(record.players),
        **_robots(record),
        **{
            o.name: format_option(o, values[o.name])
            for o in MATCH_OPTIONS
            if o.name in values
        },
        "options": option_words(record),
    }


def option_words(record: Record) -> dict[str, str]:
    """The game's own options as they are typed, but for those that are not set."""
    return {
        option.name: format_option(option, record.options[option.name])
        for option in record.rules.OPTIONS
        if record.options[option.name] is not None
    }


def _format(record: Record) -> dict[str, Any]:
    if record.format == 1:
        return {}  # as version 1.0 wrote it
    played_in = {"tournament": record.tournament} if record.tournament else {}
    return {"format": str(record.format), "challenger": record.challenger, **played_in}


def _robots(record: Record) -> dict[str, Any]:
    """Which players are robots, and whether the game counts, if that is unusual."""
    return {
        **({"robots": list(record.robots)} if record.robots else {}),
        **({} if record.rated else {"rated": "no"}),
    }


def from_data(data: Mapping[str, Any]) -> Record:
    """The record in a file's data. Raises UnknownVersion, or another PbmError,
    LookupError, TypeError or ValueError where the data is not a board's."""
    record = unsealed(data)._replace(seed=bytes.fromhex(data["seed"]))
    if record.seal != data["seal"]:
        raise ValueError("the seal does not fit the seed")
    return record


def unsealed(data: Mapping[str, Any]) -> Record:
    """The record in a file's data, without its seed. Raises the same errors."""
    _check_versions(data)
    version = int(data["version"])
    game = rules.load(data["game"], version)
    file_format = int(data.get("format", "1"))
    players, robots = _people(data)
    challenger = "" if file_format == 1 else data["challenger"]
    if file_format > 1 and challenger not in players:
        raise ValueError("its challenger is not one of its players")
    record = Record(
        game=data["game"],
        board=int(data["board"]),
        version=version,
        players=players,
        **_match_options(data),
        options=configure(game, data["options"]),
        seed=b"",
        log=tuple(parse_line(text) for text in data["log"]),
        notes={int(index): note for index, note in data["notes"].items()},
        challenger=challenger,
        robots=robots,
        rated=is_rated(data),
        tournament=_tournament(data),
    )
    if record.format != file_format and 3 in (record.format, file_format):
        raise ValueError("its clock is not that of its format")
    if option_words(record) != data["options"]:
        raise ValueError("its options are not complete")
    return record


def _people(data: Mapping[str, Any]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The players in a file's data, and those of them that are programs. Raises
    ValueError."""
    players, robots = data["players"], data.get("robots", [])
    if not isinstance(players, list) or not all(map(is_word, players)):
        raise ValueError("its players are not a list of names")
    if not isinstance(robots, list) or not set(players).issuperset(robots):
        raise ValueError("its robots are not among its players")
    return tuple(players), tuple(robots)


def _match_options(data: Mapping[str, Any]) -> dict[str, Any]:
    """The options of every game, of which files without a clock do not have that."""
    there = [o.name for o in MATCH_OPTIONS if o.name in data or o != CLOCK]
    return read_options(MATCH_OPTIONS, {name: data[name] for name in there}, {})


def is_rated(data: Mapping[str, Any]) -> bool:
    """Whether the game in a file's data counts in lists of results. Raises
    ValueError."""
    word = data.get("rated", "yes")
    if word not in ("yes", "no"):
        raise ValueError("it neither counts nor not")
    return bool(word == "yes")


def _tournament(data: Mapping[str, Any]) -> str:
    """The tournament and the round in a board's data; empty if it is of none."""
    named: str = data.get("tournament", "")
    is_paired = parse_line(data["log"][0]).action is Act.PAIR
    if is_paired != bool(re.fullmatch(r"[1-9]\d*\.[1-9]\d*", named, re.ASCII)):
        raise ValueError("its tournament is not that of its opening")
    return named


def _check_versions(data: Mapping[str, Any]) -> None:
    """Raises UnknownVersion if a newer program has made the file."""
    game, version = data["game"], int(data["version"])
    file_format = int(data.get("format", "1"))
    board = f"{game} {int(data['board'])}"
    if file_format not in FORMATS:
        raise UnknownVersion(_UNKNOWN_FORMAT.of(board=board, format=file_format))
    if version not in rules.versions(game):
        title = rules.load(game).TITLE
        said = _UNKNOWN_RULES.of(board=board, version=version, game=title)
        raise UnknownVersion(said)


# Of boards that a newer program has made.
_UNKNOWN_FORMAT = sentence(
    "{board} was made with format {format} of the files of boards, which this program "
    "does not know. Please install a newer version of the program. The board has not "
    "been changed."
)
_UNKNOWN_RULES = sentence(
    "{board} was made with version {version} of the rules of {game}, which this "
    "program does not know. Please install a newer version of the program. The board "
    "has not been changed."
)


def format_line(line: LogLine[object]) -> str:
    """The line as it is in a file: `<no> <UTC> <who> <source|-> <action>`."""
    no = "-" if line.no is None else line.no
    about = f" {line.argument}" if line.argument else ""
    return f"{no} {line.time} {line.who} {line.source} {line.action}{about}"


def size(text: str) -> int:
    """An upper limit for the bytes that a line or a text takes in a file."""
    # As in ascii(), unprintable characters are escaped. A quotation mark may take two
    # bytes; each line of a text is indented; 20 are for a text's key and its quotes.
    quotes, lines = text.count('"') + text.count("'"), text.count("\n")
    return len(ascii(text)) + quotes + 4 * lines + 20


TIME = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"
_LINE = re.compile(rf"(-|\d{{1,6}}) ({TIME}) (\S+) (\S+) (\S.*)", re.ASCII)


def parse_line(text: str) -> Line:
    """A line of a board's log. Raises ValueError."""
    line = parse_log(text)
    if not line.action.startswith("!"):
        return line
    act, _, argument = line.action.partition(" ")
    if (act in _WITH_ARGUMENT) != bool(argument):
        raise ValueError(f"not a line of a board's log: {text[:80]!r}")
    return line._replace(action=Act(act), argument=argument)


_WITH_ARGUMENT = (Act.PAUSE.value, Act.EXCUSED.value)


def parse_action(words: str) -> Act | str:
    """The act or the move in these words. Raises ValueError for an unknown act."""
    return Act(words) if words.startswith("!") else words


def parse_log(text: str) -> LogLine[Any]:
    """A line of any log, with its action still as text. Raises ValueError."""
    match = _LINE.fullmatch(text)
    if not match:
        raise ValueError(f"not a line of a log: {text[:80]!r}")
    no, time, who, source, action = match.groups()
    datetime.fromisoformat(time)  # raises ValueError too
    return LogLine(None if no == "-" else int(no), time, who, source, action)


def is_word(text: object) -> bool:
    """Whether this is a single word, such as a userid."""
    return isinstance(text, str) and text.isidentifier()
