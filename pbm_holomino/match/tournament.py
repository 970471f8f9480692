"""A tournament: its setup and its log, from which everything else follows.

Players enter until the first round is paired. The rounds, the boards on which they are
played, and their results are lines of the log, so that a table never depends on a board
that is gone.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from enum import Enum
from typing import Any

from pbm_holomino import rules
from pbm_holomino.errors import NotAllowed
from pbm_holomino.languages import Sentence, sentence
from pbm_holomino.match.pairings import (
    Contender,
    Table,
    robin_round,
    rounds_of_robin,
    rounds_of_swiss,
    swiss_round,
)
from pbm_holomino.match.record import (
    TOURNAMENT,
    Key,
    LogLine,
    format_line,
    is_word,
    parse_log,
)
from pbm_holomino.match.turns import dealt
from pbm_holomino.named_tuples import NamedTuple

ROBIN, SWISS = "robin", "swiss"
SYSTEMS = (ROBIN, SWISS)
MOST_PLAYERS = {ROBIN: 20, SWISS: 100}
MOST_LINES = 20  # of a player in its log
FULL = "full"  # the word of a player who leaves because another takes the place
OPEN, RUNNING, OVER, CANCELLED = "open", "running", "over", "cancelled"
WON, TIED, LOST = (2, 0), (1, 1), (0, 2)  # the points of a game, in halves, by seat
SCORES = {"1-0": WON, "1/2-1/2": TIED, "0-1": LOST}  # as they are in the log
POINT = 2  # halves
_POINT_BYE = "+"  # after the name of a player whose bye counts as a point

_TITLES = {
    ROBIN: sentence("{game}, round robin"),
    SWISS: sentence("{game}, Swiss"),
}
_STATES = {
    OPEN: sentence("Tournament {number} can be entered."),
    RUNNING: sentence("Tournament {number} has begun."),
    OVER: sentence("Tournament {number} is over."),
    CANCELLED: sentence("Tournament {number} was cancelled."),
}
_CANNOT_BE_ENTERED = {
    RUNNING: sentence("Tournament {number} has begun: nobody can enter it any more."),
    OVER: sentence("Tournament {number} is over: nobody can enter it any more."),
    CANCELLED: sentence(
        "Tournament {number} was cancelled: nobody can enter it any more."
    ),
}
_ENTERED_ALREADY = sentence("You have already entered tournament {number}.")
_ENTERED_TOO_OFTEN = sentence(
    "You have entered tournament {number} and left it {times} times, and cannot enter "
    "it again.",
    times=MOST_LINES // 2,
)
_CLOSED_TO_NEW = sentence(
    "Tournament {number} has been entered and left so often that new accounts cannot "
    "enter it any more."
)
_FULL = sentence(
    "{most} players have entered tournament {number}, and it has room for no more."
)
_NOT_ENTERED = sentence("You have not entered tournament {number}.")
_LEFT_ALREADY = sentence("You have already left tournament {number}.")


class Kind(Enum):
    """What a line of a tournament's log does."""

    OPEN = "!open"
    JOIN = "!join"
    LEAVE = "!leave"  # words: FULL, or none
    START = "!start"  # words: the players, the strongest first
    # words: each pair as alice:bob, and each bye as carol or, for a point, carol+
    ROUND = "!round"
    BOARDS = "!boards"  # words: the numbers of the last round's boards, by table
    RESULT = "!result"  # words: a board, and one of SCORES
    END = "!end"
    CANCEL = "!cancel"


class Change(NamedTuple):
    """What a line of a tournament's log does, with its arguments as words."""

    kind: Kind
    words: tuple[str, ...] = ()

    def __str__(self) -> str:
        return " ".join((self.kind.value, *self.words))


TournamentLine = LogLine[Change]


class Setup(NamedTuple):
    """What a tournament is."""

    number: int
    game: str
    system: str
    rounds: int  # 0 where the number of players decides
    at_once: bool  # whether all rounds of a round robin begin together
    starts: str  # until then entries are taken
    options: Mapping[str, str]  # of its boards, as they are typed


class Game(NamedTuple):
    """A game of a round."""

    round: int
    table: int
    players: Table  # by seat
    board: int | None = None  # if that is open by now
    points: tuple[int, int] | None = None  # of both, in halves, if it has ended


class Bye(NamedTuple):
    """A round in which a player has no game, and the points for it, in halves."""

    round: int
    player: str
    points: int


class Tournament(NamedTuple):
    """A tournament: its setup, its log, and what follows from the log."""

    setup: Setup
    log: tuple[TournamentLine, ...] = ()
    entered: tuple[str, ...] = ()  # before it started, in that order
    seeds: tuple[str, ...] = ()  # the players since then, the strongest first
    left: tuple[str, ...] = ()  # the players who have left it since then
    games: tuple[Game, ...] = ()  # by round and table
    byes: tuple[Bye, ...] = ()
    paired: int = 0  # how many rounds have been paired
    status: str = OPEN

    @property
    def key(self) -> Key:
        """Where it is kept."""
        return Key("tournaments", str(self.setup.number))

    @property
    def name(self) -> str:
        """What players call it: `tournament 3`."""
        return f"tournament {self.setup.number}"

    @property
    def title(self) -> Sentence:
        """What it is: `Holomino, round robin`."""
        return _TITLES[self.setup.system].of(game=rules.load(self.setup.game).TITLE)

    def told(self, said: Sentence) -> Sentence:
        """What is said of it by its `{number}`."""
        return said.of(number=self.setup.number)

    @property
    def is_over(self) -> bool:
        """Whether it has ended, or was cancelled."""
        return self.status in (OVER, CANCELLED)

    @property
    def players(self) -> tuple[str, ...]:
        """Those who play in it, the strongest first; before it starts, those who have
        entered, in that order."""
        return self.seeds or self.entered

    @property
    def present(self) -> tuple[str, ...]:
        """Those who are to be paired."""
        return tuple(player for player in self.players if player not in self.left)

    @property
    def rounds(self) -> int:
        """How many rounds it has, as far as is known: with these players."""
        count = len(self.players)
        most = rounds_of_robin(count) if count > 1 else 0
        if self.setup.system == ROBIN:
            return most
        return min(self.setup.rounds or rounds_of_swiss(max(count, 1)), most)

    @property
    def unopened(self) -> tuple[Game, ...]:
        """The games whose boards are not known yet."""
        return tuple(game for game in self.games if game.board is None)

    @property
    def running(self) -> tuple[Game, ...]:
        """The games that have a board and no result."""
        return tuple(g for g in self.games if g.board is not None and g.points is None)

    def until(self, end: int) -> "Tournament":
        """The tournament as it was when its log had that many lines."""
        return begun(self.setup, self.log[:end])

    def after(self, *lines: TournamentLine) -> "Tournament":
        """The tournament after more lines, each of which takes the same time. Raises
        ValueError or LookupError for one that cannot come then."""
        fold = _Fold(self)
        for line in lines:
            fold.add(line)
        return fold.folded(self._replace(log=(*self.log, *lines)))

    def with_results(self, points: Mapping[int, tuple[int, int]]) -> "Tournament":
        """The tournament with the points of boards whose ends the log does not have
        yet."""
        games = tuple(
            game if game.points else game._replace(points=points.get(game.board or 0))
            for game in self.games
        )
        return self._replace(games=games)

    def next_round(self) -> tuple[str, ...] | None:
        """The words of the next round; None if there is none, or nobody can be
        paired in it."""
        if self.paired >= self.rounds or len(self.present) < 2:
            return None
        if self.setup.system == ROBIN:
            tables = robin_round(self.players, self.paired + 1)
            return tuple(filter(None, map(self._robin_words, tables)))
        pairing = swiss_round(self.contenders())
        return None if pairing is None else tuple(map(_table_words, pairing))

    def _robin_words(self, table: Table) -> str:
        """A table of a round robin. Who should meet a player who has left gets a
        point; the bye of an odd number gives none, as everybody has one."""
        here = [player for player in table if player in self.present]
        if len(here) == 2:
            return ":".join(here)
        return "".join((*here, _POINT_BYE * (len(table) == 2 and len(here) == 1)))

    def contenders(self) -> list[Contender]:
        """The players who are to be paired, by points and then by strength."""
        points = self.points()
        contenders = [
            self._contender(player, points[player]) for player in self.present
        ]
        return sorted(contenders, key=lambda one: -one.points)

    def _contender(self, player: str, points: int) -> Contender:
        seats = [g.players.index(player) for g in self.games if player in g.players]
        met = {p for g in self.games if player in g.players for p in g.players}
        turns = [1 - 2 * seat for seat in seats]
        return Contender(
            player,
            points,
            met - {player},
            any(bye.player == player for bye in self.byes),
            sum(turns),
            turns[-1] if turns else 0,
        )

    def points(self) -> dict[str, int]:
        """The points of each player so far, in halves."""
        sums = dict.fromkeys(self.players, 0)
        for game in self.games:
            for player, points in zip(game.players, game.points or (0, 0), strict=True):
                sums[player] += points
        for bye in self.byes:
            sums[bye.player] += bye.points
        return sums


def begun(setup: Setup, log: Iterable[TournamentLine]) -> Tournament:
    """The tournament with this log. Raises ValueError or LookupError where that makes
    no sense."""
    return Tournament(setup).after(*log)


def _table_words(table: Table) -> str:
    """A table of a Swiss round, where a bye is a point."""
    return ":".join(table) if len(table) == 2 else f"{table[0]}{_POINT_BYE}"


def result(board: int, points: tuple[int, int]) -> Change:
    """The change by which a board has ended with these points."""
    (word,) = (word for word, halves in SCORES.items() if halves == points)
    return Change(Kind.RESULT, (str(board), word))


# What a line does


class _Fold:
    """What follows from a log while lines are added to it: a line takes no longer
    because many have come before it."""

    def __init__(self, before: Tournament) -> None:
        self._entered = dict.fromkeys(before.entered)
        self._left = dict.fromkeys(before.left)
        self._seeds = dict.fromkeys(before.seeds)
        self._games = [*before.games]
        self._byes = [*before.byes]
        self._paired = before.paired
        self._status = before.status
        # the places of games: by their boards, and those that have none
        self._on = {g.board: i for i, g in enumerate(before.games) if g.board}
        self._unopened = [i for i, g in enumerate(before.games) if g.board is None]

    def folded(self, after: Tournament) -> Tournament:
        """The tournament with what follows from all lines so far."""
        return after._replace(
            entered=(*self._entered,),
            seeds=(*self._seeds,),
            left=(*self._left,),
            games=(*self._games,),
            byes=(*self._byes,),
            paired=self._paired,
            status=self._status,
        )

    def add(self, line: TournamentLine) -> None:
        """Add a line. Raises ValueError or LookupError for one that cannot come now."""
        kind, words = line.action
        if self._status in (OVER, CANCELLED):
            raise ValueError("its log goes on after the end")
        is_early = kind in _BEFORE
        if (self._status == OPEN) != is_early and kind not in _ALWAYS:
            raise ValueError(f"its log cannot go on with {line.action}")
        _ADDED[kind](self, line.who, words)

    def opened(self, who: str, words: tuple[str, ...]) -> None:
        """Its first line changes nothing."""

    def joined(self, who: str, words: tuple[str, ...]) -> None:
        if who in self._entered:
            raise ValueError(f"{who} enters twice")
        self._entered[who] = None

    def went(self, who: str, words: tuple[str, ...]) -> None:
        if who not in self._entered or who in self._left:
            raise ValueError(f"{who} leaves without being in it")
        if self._status == OPEN:
            del self._entered[who]
        else:
            self._left[who] = None

    def started(self, who: str, words: tuple[str, ...]) -> None:
        if sorted(words) != sorted(self._entered) or len(words) < 2:
            raise ValueError("it starts with others than those who have entered")
        self._seeds = dict.fromkeys(words)
        self._status = RUNNING

    def paired(self, who: str, words: tuple[str, ...]) -> None:
        number = self._paired + 1
        names = [name.rstrip(_POINT_BYE) for word in words for name in word.split(":")]
        if len({*names}) < len(names) or not self._seeds.keys() >= {*names}:
            raise ValueError(
                "a round has others than its players, or one of them twice"
            )
        pairs = [word.split(":") for word in words if ":" in word]
        if any(len(pair) != 2 for pair in pairs):
            raise ValueError("not two players at a table")
        for table, (first, second) in enumerate(pairs, 1):
            self._unopened.append(len(self._games))
            self._games.append(Game(number, table, (first, second)))
        self._byes += [
            Bye(number, word.rstrip(_POINT_BYE), POINT * word.endswith(_POINT_BYE))
            for word in words
            if ":" not in word
        ]
        self._paired = number

    def boards_opened(self, who: str, words: tuple[str, ...]) -> None:
        for index, word in zip(self._unopened, words, strict=True):
            board = int(word)
            if board in self._on:
                raise ValueError(f"two of its games are on board {board}")
            self._on[board] = index
            self._games[index] = self._games[index]._replace(board=board)
        self._unopened = []

    def ended(self, who: str, words: tuple[str, ...]) -> None:
        board, score = words
        index = self._on.get(int(board))
        if index is None or self._games[index].points is not None:
            raise ValueError(f"a result of board {board}, which is not running")
        self._games[index] = self._games[index]._replace(points=SCORES[score])

    def over(self, who: str, words: tuple[str, ...]) -> None:
        self._status = OVER

    def cancelled(self, who: str, words: tuple[str, ...]) -> None:
        self._status = CANCELLED


_BEFORE = frozenset((Kind.OPEN, Kind.JOIN, Kind.START))  # while it is open
_ALWAYS = frozenset((Kind.LEAVE, Kind.CANCEL))
_ADDED: Mapping[Kind, Callable[[_Fold, str, tuple[str, ...]], None]] = {
    Kind.OPEN: _Fold.opened,
    Kind.JOIN: _Fold.joined,
    Kind.LEAVE: _Fold.went,
    Kind.START: _Fold.started,
    Kind.ROUND: _Fold.paired,
    Kind.BOARDS: _Fold.boards_opened,
    Kind.RESULT: _Fold.ended,
    Kind.END: _Fold.over,
    Kind.CANCEL: _Fold.cancelled,
}


# The table


class Row(NamedTuple):
    """A player's line in the table. All is counted so that it is whole."""

    place: int  # shared by players whom nothing tells apart
    player: str
    points: int  # in halves
    direct: int  # in halves
    buchholz: int  # in halves
    sonneborn: int  # in quarters
    won: int  # games


def standings(tournament: Tournament) -> list[Row]:
    """The table, the best first: by points, and then as is usual in such a tournament.

    Swiss: Buchholz, the sum of the opponents' points, where a bye counts as an opponent
    with the player's own points; direct encounter; games won. Round robin: direct
    encounter; Sonneborn-Berger, the sum of the points of those who were beaten and half
    the points of those who were tied with; games won. Direct encounter counts where all
    players who are still tied have met (FIDE Handbook C.07).
    """
    points = tournament.points()
    sums = {p: _sums(tournament, p, points) for p in tournament.players}
    is_swiss = tournament.setup.system == SWISS
    first = {p: (points[p], sums[p][0] if is_swiss else 0) for p in tournament.players}
    direct = {
        p: _direct(
            tournament, p, [q for q in tournament.players if first[q] == first[p]]
        )
        for p in tournament.players
    }
    keys = {}
    for player in tournament.players:
        buchholz, sonneborn, won = sums[player]
        rest = (won,) if is_swiss else (sonneborn, won)
        keys[player] = (*first[player], direct[player], *rest)
    order = sorted(keys.values(), reverse=True)
    return sorted(
        (
            Row(order.index(keys[p]) + 1, p, points[p], direct[p], *sums[p])
            for p in tournament.players
        ),
        key=lambda row: (row.place, row.player),
    )


def _sums(
    tournament: Tournament, player: str, points: Mapping[str, int]
) -> tuple[int, int, int]:
    """Buchholz, Sonneborn-Berger and the number of games won."""
    buchholz = sonneborn = won = 0
    for mine, opponent in _results(tournament, player):
        buchholz += points[opponent]
        sonneborn += mine * points[opponent]
        won += mine == POINT
    byes = sum(bye.player == player and bye.points > 0 for bye in tournament.byes)
    return buchholz + byes * points[player], sonneborn, won


def _direct(tournament: Tournament, player: str, tied: Iterable[str]) -> int:
    """The points of a player in games against those who are tied with them; 0 unless
    all of these have met."""
    group = {*tied}
    games = [
        g for g in tournament.games if g.points is not None and group >= {*g.players}
    ]
    if len(games) < len(group) * (len(group) - 1) // 2:
        return 0
    return sum(mine for mine, other in _results(tournament, player) if other in group)


def _results(tournament: Tournament, player: str) -> Iterator[tuple[int, str]]:
    """The points of a player in each game that has ended, and the opponent."""
    for game in tournament.games:
        if game.points is not None and player in game.players:
            seat = game.players.index(player)
            yield game.points[seat], game.players[1 - seat]


# Entering and leaving


def check_may_join(tournament: Tournament, who: str) -> None:
    """Raises NotAllowed for a player who cannot enter now, whether there is room or
    not."""
    if tournament.status != OPEN:
        raise NotAllowed(tournament.told(_CANNOT_BE_ENTERED[tournament.status]))
    if who in tournament.players:
        raise NotAllowed(tournament.told(_ENTERED_ALREADY))
    if sum(line.who == who for line in tournament.log) + 2 > MOST_LINES:
        raise NotAllowed(tournament.told(_ENTERED_TOO_OFTEN))


def is_scarce(tournament: Tournament) -> bool:
    """Whether places, or lines of the log, must be dealt out."""
    is_full = len(tournament.players) >= MOST_PLAYERS[tournament.setup.system]
    return is_full or _has_long_log(tournament)


def _has_long_log(tournament: Tournament) -> bool:
    """Whether the log has as many lines as there are for all places."""
    return len(tournament.log) >= MOST_LINES * MOST_PLAYERS[tournament.setup.system]


def gives_way(tournament: Tournament, who: str, new: Collection[str]) -> str | None:
    """The player who loses the place when another enters; None if there is room. The
    places are dealt out in turns (see `match.turns`), to those who have entered first,
    and accounts that are `new` share one. Raises NotAllowed if there is no place for
    the one who enters, or no room in the log for one that is new."""
    most = MOST_PLAYERS[tournament.setup.system]
    if who in new and _has_long_log(tournament):
        raise NotAllowed(tournament.told(_CLOSED_TO_NEW))
    order = dealt((*tournament.players, who), str, new)
    if len(order) <= most:
        return None
    if order[-1] == who:
        raise NotAllowed(tournament.told(_FULL.of(most=most)))
    return order[-1]


def check_may_leave(tournament: Tournament, who: str) -> None:
    """Raises NotAllowed for a player who is not in it, or when it is over."""
    if who not in tournament.players:
        raise NotAllowed(tournament.told(_NOT_ENTERED))
    if who in tournament.left:
        raise NotAllowed(tournament.told(_LEFT_ALREADY))
    if tournament.is_over:
        raise NotAllowed(state(tournament))


def state(tournament: Tournament) -> Sentence:
    """Its state: `Tournament 3 is over.`"""
    return tournament.told(_STATES[tournament.status])


def has_given_way(line: TournamentLine) -> bool:
    """Whether a line says that a player has lost the place to another."""
    return line.action == Change(Kind.LEAVE, (FULL,))


# Its letters


def readers(tournament: Tournament, index: int) -> tuple[str, ...]:
    """The players who get a letter about a line of the log: whoever had to give way to
    another, those who have a bye, and of its end all who are in it. The games of a
    round have letters of their own."""
    line = tournament.log[index]
    kind = line.action.kind
    if has_given_way(line):
        return (line.who,)
    if kind is Kind.ROUND:
        then = tournament.until(index + 1)
        return tuple(bye.player for bye in then.byes if bye.round == then.paired)
    ends = (Kind.END, Kind.CANCEL)
    return tournament.until(index + 1).players if kind in ends else ()


# The ids of its boards


def source_of(number: int, game: Game) -> str:
    """The id by which the store knows who opened the board of a game: a round that is
    carried out again finds the boards that it has."""
    return f"{TOURNAMENT}.{number}.{game.round}.{game.table}"


# Its file


def to_data(tournament: Tournament) -> dict[str, Any]:
    """The data of its file."""
    setup = tournament.setup
    return {
        "tournament": str(setup.number),
        "format": "1",
        "game": setup.game,
        "system": setup.system,
        "rounds": str(setup.rounds),
        "at_once": "yes" if setup.at_once else "no",
        "starts": setup.starts,
        "options": dict(setup.options),
        "log": [format_line(line) for line in tournament.log],
    }


def from_data(data: Mapping[str, Any]) -> Tournament:
    """The tournament in a file's data. Raises LookupError, TypeError or ValueError, or
    a PbmError, where the data is not a tournament's."""
    if data["format"] != "1":
        raise ValueError("a newer version of the program has made it")
    if data["system"] not in SYSTEMS or data["game"] not in rules.names():
        raise ValueError("its system or its game is unknown")
    options = data["options"]
    if not all(is_word(name) and isinstance(w, str) for name, w in options.items()):
        raise ValueError("its options are not words")
    setup = Setup(
        number=int(data["tournament"]),
        game=data["game"],
        system=data["system"],
        rounds=int(data["rounds"]),
        at_once={"yes": True, "no": False}[data["at_once"]],
        starts=data["starts"],
        options=options,
    )
    log = tuple(map(_parse_line, data["log"]))
    if not log or log[0].action.kind is not Kind.OPEN:
        raise ValueError("its log does not begin with its opening")
    return begun(setup, log)


def _parse_line(text: str) -> TournamentLine:
    line = parse_log(text)
    kind, *words = line.action.split()
    return line._replace(action=Change(Kind(kind), tuple(words)))
