"""What a game is: the protocol that `GAME` in each module of `rules/games/` fulfils.

A game is data and pure functions. Its states and its moves are frozen values of its
own kinds; seats count from 0. `play` judges a move and draws nothing; `settle` then
makes every draw and skip that is due; secrets leave only through `view`.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, Protocol, TypeVar

from pbm_holomino.languages import OfPlayer, Sentence, sentence
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.rules.chance import Draws
from pbm_holomino.rules.options import Option, Options
from pbm_holomino.rules.scoring import Scoring


class State(Protocol):
    """What every state has: the score of each seat, and the number of draws made so
    far. The rest is the game's own, and leaves it by `view`."""

    @property
    def scores(self) -> tuple[int, ...]: ...

    @property
    def draws(self) -> int: ...


# What must happen before the next move: nothing, a draw for the player to move, or
# something else that the server does.
Due = Literal["", "draw", "server"]


class Event(NamedTuple):
    """What happened to a seat, as a sentence about its player: `bob drew 145.`

    After an event that makes something sealed public no undo may take back what came
    before, which `reveals` says, and all moves up to here may be read in full.
    """

    seat: int
    said: OfPlayer
    reveals: Sentence | None = None


class Label(NamedTuple):
    """What is written on a cell of a drawing, and what it means: the number of a cell
    where a tile may be put (`move`), that no tile can ever lie there (`blocked`), an
    open end of a chain (`end`), or a note on a figure."""

    text: str
    kind: Literal["move", "blocked", "end", "note"] = "note"


BLOCKED = Label("x", "blocked")
END = Label("end", "end")


def move_labels(positions: Iterable[int]) -> dict[int, Label]:
    """The numbers of cells where a tile may be put."""
    return {position: Label(str(position), "move") for position in positions}


class Closed(NamedTuple):
    """A hole, a region or a point that tiles have closed, and what it is worth: it lies
    in the midst of these cells. It `is_new` if the last tile has closed it."""

    cells: tuple[int, ...]
    value: int
    is_new: bool


class Drawing(NamedTuple):
    """A board as data, from which `draw/` makes a picture. Without faces there is
    none."""

    notation: str  # the kind of tile
    faces: Mapping[int, str]  # what one sees at each position
    joints: Sequence[tuple[int, int]] = ()  # pairs that are one tile, if all is seen
    labels: Mapping[int, Label] = {}  # on empty cells and, beside the face, on others
    last: Sequence[int] = ()  # the positions of the tile that was played last
    owners: Mapping[int, int] = {}  # the seat of each face, where tiles have owners
    sides: tuple[Sentence, ...] = ()  # what the seats are called then
    heights: Mapping[int, int] = {}  # how many tiles lie where there are two and more
    closed: Sequence[Closed] = ()  # what bears its value, where a picture shows that

    def owner(self, position: int) -> Sentence | None:
        """What the owner of a face is called; None where tiles belong to nobody."""
        return self.sides[self.owners[position]] if self.owners else None

    def tiles_at(self, position: int) -> int:
        """How many tiles lie at a position that is taken."""
        return self.heights.get(position, 1)


class Heading(NamedTuple):
    """What introduces a list of moves, and what does in a preview."""

    now: Sentence
    then: Sentence

    def of(self, number: int) -> "Heading":
        """The heading for so many moves, `{n}`."""
        return Heading(self.now.of(n=number), self.then.of(n=number))


POSSIBLE = Heading(
    sentence("These moves are possible:"), sentence("These moves would be possible:")
)


class Proposal(NamedTuple):
    """The moves that a letter proposes to the first player to move, in canonical
    notation. The letter shows how to send the first of them.

    `heading` introduces the list of them. Without a heading there is no list: the moves
    are examples of what can be sent. The best are those that gain most at once, but if
    they are `ranked`, those that come first.
    """

    moves: tuple[str, ...] = ()
    heading: Heading | None = POSSIBLE
    ranked: bool = False


class Left(NamedTuple):
    """How many tiles, `{n}`, nobody has drawn yet, or that none is left. Where each
    seat has a sack of its own, this is said of each `{player}`."""

    some: Sentence | OfPlayer
    none: Sentence | OfPlayer

    def of(self, number: int, player: str) -> Sentence:
        """So many tiles; somebody who plays in the terminal is called `you`."""
        said = self.some if number else self.none
        said = said.to("you", player) if isinstance(said, OfPlayer) else said
        return said.of(n=number)


class View(NamedTuple):
    """What one reader may see of a state."""

    scores: tuple[int, ...]
    pools: tuple[
        tuple[str, ...], ...
    ]  # the tiles of each seat, in the order of drawing
    drawing: Drawing
    legal: tuple[str, ...]  # the moves of the first player to move; none if one is due
    proposal: Proposal  # those of them that a letter proposes
    sack: int  # the number of undrawn tiles
    drawn: str | None = None  # the tile drawn for this turn
    phase: str = "play"
    round: int = 1
    # The server acts for players now, as when it carries out wishes: letters then tell
    # each player all that has happened since something last happened to them.
    acting: bool = False
    # The public fields that this game alone has, by their names in JSON, where a
    # drawing becomes its cells and joints.
    extra: Mapping[str, Any] = {}
    seats: Mapping[str, tuple[int, ...]] = {}  # others, whose values are seats
    remarks: tuple[Sentence, ...] = ()  # what a person should know
    mine: Mapping[str, str] = {}  # what only this reader may know
    sacks: tuple[int, ...] = ()  # if each seat has a sack of its own
    ended: Drawing | None = None  # the board of the round before, while letters show it
    # Where people read pools more easily in another order: the order of drawing.
    by_drawing: tuple[tuple[str, ...], ...] = ()
    gone: tuple[int, ...] = ()  # the seats that have dropped out while others play on
    seat: int | None = None  # the reader's
    # The state as far as the reader knows it, for programs that think ahead: what is
    # hidden is blank, and so is the number of draws, which could tell what came by
    # chance.
    known: Any = None
    moves: tuple[Any, ...] = ()  # the legal moves as values of the game's own
    gains: Sequence[int] = ()  # what they score, if the game has it for its proposal

    @property
    def blocked(self) -> tuple[int, ...]:
        """The empty cells where no tile can ever lie, in ascending order."""
        labels = self.drawing.labels.items()
        return tuple(sorted(at for at, label in labels if label.kind == "blocked"))


def without_moves(view: View) -> View:
    """The view of a position where nobody is to move."""
    labels = view.drawing.labels.items()
    labels_left = {at: label for at, label in labels if label.kind != "move"}
    drawing = view.drawing._replace(labels=labels_left)
    return view._replace(
        drawing=drawing, legal=(), proposal=Proposal(), remarks=(), moves=(), gains=()
    )


StateT = TypeVar("StateT", bound=State)
MoveT = TypeVar("MoveT")


class Game(Protocol[StateT, MoveT]):
    """What `GAME` of a module in `rules/games/` is, with states and moves of its own
    types. Games share the parts of which they are made (`rules/tiles.py`,
    `rules/hextiles.py`), and replace what is their own."""

    TITLE: str  # as players write it: Holomino
    VERSION: int  # of the rules: a change that alters any replay is a new one, and
    # the old rules stay beside it (see rules.load)
    SEATS: tuple[int, int]  # the least and the greatest number of players
    SECRETS: bool  # whether players may see what others do not
    LEFT: Left
    SIDES: tuple[Sentence, ...]  # what seats are called whose tiles look different
    SCORING: Scoring
    OPTIONS: tuple[Option, ...]
    PRESETS: Mapping[str, Options]  # for -rules=NAME
    WORDS: tuple[str, ...]  # the words that moves begin with, which no userid may be
    DRAWN: Sentence  # what is drawn during a game, for those who verify it
    FIGURES: Mapping[str, Drawing]  # for the help file

    def start(self, seats: int, options: Options) -> StateT:
        """The state before anything is drawn."""

    def settle(self, state: StateT, chance: Draws) -> tuple[StateT, tuple[Event, ...]]:
        """The state after every draw and skip that is due, and what they were."""

    def to_move(self, state: StateT) -> tuple[int, ...]:
        """The seats whose turn it is; none when the game is over. They may move once
        nothing is due."""

    def due(self, state: StateT) -> Due:
        """What `settle` must do before anybody may move."""

    def legal(self, state: StateT, seat: int) -> tuple[MoveT, ...]:
        """The moves of a seat that may move, each once: all of them, or where wishes
        or pairs are free, examples."""

    def in_notation(self, text: str) -> bool:
        """Whether a word has the form of a move, in whatever position."""

    def parse_move(self, state: StateT, seat: int, text: str) -> MoveT:
        """The move that this word names. Raises BadMove."""

    def format_move(self, move: MoveT) -> str:
        """The move in canonical notation."""

    def public_move(self, move: MoveT) -> str:
        """The same, without what is secret until an event reveals it."""

    def play(
        self, state: StateT, seat: int, move: MoveT
    ) -> tuple[StateT, tuple[Event, ...]]:
        """The state after a move of a seat that may move, and after each skip that no
        draw and no secret can change. Raises IllegalMove."""

    def covers(self, move: MoveT) -> tuple[int, ...]:
        """The positions where a move puts a tile, on empty cells or on top of others;
        none for one that puts nothing down."""

    def gains(self, state: StateT, moves: Sequence[MoveT]) -> Sequence[int]:
        """The points that each of these legal moves scores at once; they need not
        decide who wins. This costs less than to play them."""

    def effect(self, state: StateT, seat: int, move: MoveT) -> Sentence:
        """What a legal move of a seat will do, for people who have it read to them:
        what it scores, and what it completes or leaves open."""

    def drop(self, state: StateT, seat: int) -> StateT:
        """The state without a player who has resigned; `settle` comes next. When one
        player is left, nobody is to move any more."""

    def drawing(self, state: StateT) -> Drawing:
        """The board alone, as `view` has it without what players can do there."""

    def suiting(self, drawing: Drawing) -> Mapping[str, str]:
        """The words of options with which a board like this comes about, for those
        whose defaults do not allow it."""

    def position(self, options: Options, drawing: Drawing) -> StateT:
        """A state in which this board lies there, for thinking about it: the first of
        two seats is to move. Raises NoPosition for one that cannot come about."""

    def with_every_tile(self, state: StateT) -> StateT:
        """The same state of two seats who both hold each tile that may be left, and
        nothing is to be drawn: as if one knew nothing of pools."""

    def closed(self, state: StateT) -> Sequence[Closed]:
        """All that tiles have closed, if players score by closing something."""

    def view(self, state: StateT, seat: int | None) -> View:
        """What this seat may see, or everybody."""

    def outcome(self, state: StateT) -> tuple[int, ...] | None:
        """The seats that share first place, once the game is over by its rules."""


# A game that was looked up by its name. Its states and moves have types that only the
# game itself knows: whoever has a state of it, has it from its functions.
AnyGame = Game[Any, Any]
