"""What a game is: the protocol that each module in `rules/` fulfils.

A game is data and pure functions. Its state is a frozen value of its own kind;
seats count from 0. `play` judges a move and draws nothing; `settle` then makes
every draw and skip that is due; secrets leave only through `view`.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from pbm_holomino.errors import BadOption
from pbm_holomino.rules.chance import Draws
from pbm_holomino.sentences import DASHES, listed, nearest, quoted

Options = Mapping[str, Any]  # numbers, flags, words, or None where nothing is set
Move = Any


class State(Protocol):
    """What every game's state can tell: the points by seat, the face of each
    position that is taken, and how many draws have been made. All else is the game's
    own."""

    @property
    def scores(self) -> tuple[int, ...]: ...

    @property
    def draws(self) -> int: ...

    @property
    def cells(self) -> Mapping[int, str]: ...


class Option(NamedTuple):
    """One option of `challenge`: a number if it has limits, a word if it has
    choices, else a flag.

    `limits` tells the least and the greatest number, from the options that stand
    above this one in the table, and says in words what they come from; with `never`
    the number may also be 0, which means that.
    """

    name: str
    help: str
    default: Any = False
    limits: Callable[[Options], tuple[int, int, str]] | None = None
    choices: tuple[str, ...] = ()
    never: bool = False

    @property
    def metavar(self) -> str:
        """The option as the help files write it."""
        if self.limits:
            return f"-{self.name}=N"
        return (
            f"-{self.name}={'|'.join(self.choices)}"
            if self.choices
            else f"-{self.name}"
        )


BOARD_SIZE = Option(
    "board_size",
    "The tiles may spread over N columns and over N cells from top to bottom, and no "
    "further. Without this option the board has no edge.",
    None,
    lambda options: (3, 99, ""),
)


# The options that each game has besides its own.
RANDOM = Option("random", "The seats are drawn by lot.")
NAG = Option(
    "nag",
    "A player who has not moved is reminded every N days.",
    7,
    lambda options: (1, 365, "(or 0 for never)"),
    never=True,
)
FORFEIT = Option(
    "forfeit",
    "A player who has not moved for N days loses. The clock starts when everybody has "
    "accepted the challenge or moved; a player who runs out of time before their first "
    "move cancels the game, and it does not count.",
    21,
    lambda options: (3, 365, "(or 0 for never)"),
    never=True,
)
MATCH_OPTIONS = (RANDOM, NAG, FORFEIT)


class Event(NamedTuple):
    """What happened to a seat, as a sentence without its subject: `drew 145`.

    `reveals` says that something sealed became public with it: no undo may take
    back what came before, and all moves up to here may be read in full.
    """

    seat: int
    text: str
    reveals: bool = False


class Drawing(NamedTuple):
    """A board as data, from which `draw/` makes a picture.

    `notation` names the kind of tile, `faces` what lies at each position,
    `joints` the pairs of positions that are one tile, `labels` what is written
    on empty cells and, beside the face, on taken ones. Without faces there is no
    picture.
    """

    notation: str
    faces: Mapping[int, str]
    joints: Sequence[tuple[int, int]] = ()
    labels: Mapping[int, str] = {}


class View(NamedTuple):
    """What one reader may see of a state.

    `turn` holds the seats whose turn it is, even while a draw is due; `legal` the
    moves of the first of them in canonical notation; `drawn` the tile drawn for this
    turn; `sack` the number of undrawn tiles. `extra` holds the public fields that
    this game alone has, `seats` such as name players; `remarks` are what a person
    should read about them, and `example` a move to begin with where `legal` holds no
    good one. `mine` holds what only this reader may know. `chain`, if any, is how the
    round before this one ended, and `picture` the same as long as letters show it.
    """

    turn: tuple[int, ...]
    scores: tuple[int, ...]
    pools: tuple[tuple[str, ...], ...]
    drawing: Drawing
    legal: tuple[str, ...]
    sack: int
    blocked: tuple[int, ...] = ()
    drawn: str | None = None
    phase: str = "play"
    round: int = 1
    extra: Mapping[str, Any] = {}
    seats: Mapping[str, tuple[int, ...]] = {}
    remarks: tuple[str, ...] = ()
    example: str = ""
    mine: Mapping[str, str] = {}
    chain: Drawing | None = None
    picture: Drawing | None = None

    @property
    def proposed(self) -> tuple[str, ...]:
        """The moves that a letter proposes."""
        return (self.example,) if self.example and self.legal else self.legal


def without_moves(view: View) -> View:
    """The view of a position where nobody is to move."""
    drawing = view.drawing
    labels = {at: label for at, label in drawing.labels.items() if not label.isdigit()}
    drawing = drawing._replace(labels=labels)
    return view._replace(turn=(), legal=(), drawing=drawing, remarks=(), example="")


class Game(Protocol):
    """A module in `rules/`."""

    TITLE: str  # as players write it: Holomino
    VERSION: int  # of the rules: a change that alters any replay is a new one
    SEATS: tuple[int, int]  # the least and the greatest number of players
    SACK: str  # what the undrawn tiles lie in
    POINTS: str  # what is scored: "points", or "minus points"
    OPTIONS: tuple[Option, ...]
    PRESETS: Mapping[str, Options]  # for -rules=NAME
    SYNTAX: str  # what a move looks like, in a few words
    FIGURES: Mapping[str, Drawing]  # for the help file

    @staticmethod
    def start(seats: int, options: Options) -> State:
        """The state before anything is drawn."""

    @staticmethod
    def settle(state: State, chance: Draws) -> tuple[State, tuple[Event, ...]]:
        """The state after every draw and skip that is due, and what they were."""

    @staticmethod
    def to_move(state: State) -> tuple[int, ...]:
        """The seats that may move now: none when it is over or a draw is due."""

    @staticmethod
    def legal(state: State, seat: int) -> tuple[Move, ...]:
        """The moves of a seat that may move, each once: all of them, or where wishes
        or pairs are free, examples."""

    @staticmethod
    def parse_move(state: State, seat: int, text: str) -> Move:
        """The move that this word names. Raises BadMove."""

    @staticmethod
    def format_move(move: Move) -> str:
        """The move in canonical notation."""

    @staticmethod
    def public_move(move: Move) -> str:
        """The same, without what is secret until an event reveals it."""

    @staticmethod
    def play(state: State, seat: int, move: Move) -> tuple[State, tuple[Event, ...]]:
        """The state after a move of a seat that may move, and after each skip that no
        draw and no secret can change. Raises IllegalMove."""

    @staticmethod
    def view(state: State, seat: int | None) -> View:
        """What this seat may see, or everybody."""

    @staticmethod
    def outcome(state: State) -> tuple[int, ...] | None:
        """The seats that share first place, once the game is over."""


def configure(game: Game, given: Mapping[str, str]) -> dict[str, Any]:
    """All options of a new board, from the words that were given for some.

    Raises BadOption for a word that is unknown or outside its limits.
    """
    given = dict(given)
    rules = given.pop("rules", None) if game.PRESETS else None
    if rules is not None and rules.lower() not in game.PRESETS:
        presets = listed([*game.PRESETS], "or")
        raise BadOption(
            f"There are no rules {quoted(rules)} here: -rules= takes {presets}."
        )
    preset = game.PRESETS[rules.lower()] if rules is not None else {}
    known = {option.name for option in game.OPTIONS}
    for name in given.keys() - known:
        raise BadOption(
            unknown_option(f"-{name}", known | ({"rules"} if game.PRESETS else set()))
        )
    return read_options(game.OPTIONS, given, preset)


def read_options(
    table: Sequence[Option], given: Mapping[str, str], preset: Options
) -> dict[str, Any]:
    """All options of a table, from the words that were given for some, or else from
    a preset, or their defaults. Raises BadOption."""
    options: dict[str, Any] = {}
    for option in table:
        word = given.get(option.name)
        default = preset.get(option.name, option.default)
        options[option.name] = default if word is None else read_option(option, word)
        _check_limits(option, options)
    return options


def unknown_option(typed: str, names: set[str]) -> str:
    """The sentence about an option that nobody knows, with its nearest neighbour."""
    plain = typed.lstrip(DASHES).split("=")[0].lower().replace("-", "_")
    near = nearest(plain, sorted(names))
    hint = f" Did you mean -{near}?" if near else ""
    if " " in typed:  # a text, which may hold what nobody else should read
        typed = typed.partition("=")[0]
    return f"There is no option {quoted(typed)} here.{hint}"


_FLAGS = {
    "yes": True,
    "on": True,
    "true": True,
    "no": False,
    "off": False,
    "false": False,
}


def read_option(option: Option, word: str) -> Any:
    """The value that a word gives an option, before its limits. Raises BadOption."""
    if option.limits:
        # isdigit alone would let other scripts' digits through
        if not (word.isascii() and word.isdigit()):
            raise BadOption(f"-{option.name} takes a number, not {quoted(word)}.")
        if len(word) > 9:
            raise BadOption(f"{quoted(word)} is too large a number for -{option.name}.")
        return int(word)
    choices = option.choices or tuple(_FLAGS)
    if word.lower() not in choices:
        raise BadOption(
            f"-{option.name} takes {listed(option.choices or ('yes', 'no'), 'or')}, "
            f"not {quoted(word)}."
        )
    return word.lower() if option.choices else _FLAGS[word.lower()]


def format_option(option: Option, value: Any) -> str:
    """The word of which read_option makes this value."""
    if option.limits or option.choices:
        return str(value)
    return "yes" if value else "no"


def _check_limits(option: Option, options: Options) -> None:
    value = options[option.name]
    if option.limits is None or value is None or (option.never and value == 0):
        return
    least, greatest, why = option.limits(options)
    if not least <= value <= greatest:
        raise BadOption(
            f"-{option.name}={value} is outside its limits: "
            f"{least} to {greatest}{why and ' ' + why}."
        )


class GameOfMany(Game, Protocol):
    """A game that goes on among the others when one of three or four resigns."""

    @staticmethod
    def drop(state: State, seat: int) -> State:
        """The state without the player who has resigned; `settle` comes next."""
