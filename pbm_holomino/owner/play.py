"""`pbm demo --play`: a game against a robot in the terminal, kept nowhere."""

import os
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from random import Random

from pbm_holomino import robots, rules
from pbm_holomino.commands.params import ACTS
from pbm_holomino.commands.reading import spelling
from pbm_holomino.commands.request import Answer
from pbm_holomino.errors import Refused
from pbm_holomino.languages import together
from pbm_holomino.letters import help as pages
from pbm_holomino.letters import screen
from pbm_holomino.match import replay
from pbm_holomino.match.board import Match
from pbm_holomino.match.record import ROBOT, SHELL, Act, Line, Record
from pbm_holomino.match.times import time_at
from pbm_holomino.match.verdicts import ended
from pbm_holomino.owner import showing
from pbm_holomino.owner.showing import Choice, Picture
from pbm_holomino.owner.terminal import Size, Terminal
from pbm_holomino.robots.contract import Budget
from pbm_holomino.rules.chance import SEED_BYTES
from pbm_holomino.rules.options import configure
from pbm_holomino.sentences import WIDTH, fill, quoted

_YOU, _ROBOT = "you", "robot1"
_BUDGET = Budget(seconds=0.2)
_FOR_A_HINT = Budget(seconds=1.0)
_STOP = ("quit", "exit", "q", "resign")
PROMPT = "Your move (or hint, show, moves, undo, history, help, quit): "
_NARROWEST = 28  # columns of a text beside a picture
_LEAST, _MOST = 3, 12  # lines of moves
# How many moves are named, and where there is little room; all by "moves".
_NAMED, _BEST = 40, 12


def play(game: str, terminal: Terminal | None = None) -> Answer:
    """Play a game against the robot of level 1, until it is over or the visitor has
    enough."""
    terminal = terminal or Terminal()
    with suppress(ImportError):
        import readline  # noqa: F401  # so that a line can be edited
    table = _Table(game, terminal)
    try:
        word = terminal.page(table.shown(table.welcome()))
        while table.match.result is None:
            word = word or terminal.ask(PROMPT).strip()
            if word.lower() in _STOP:
                break
            word = terminal.page(table.answer(word))
        if table.match.result is not None:
            return Answer("")  # the last screen has said it
    except EOFError:
        print()
    return Answer("\n" + _farewell(game))


class _Table:
    """A visitor and a robot at a board, and the positions that the visitor can go back
    to."""

    def __init__(self, game: str, terminal: Terminal) -> None:
        self._terminal = terminal
        self._rng = Random()
        self._earlier = list[Match]()
        self._since = 0  # the line of the log from which on news are told
        self.match = self._after_robot(_begun(game))

    def welcome(self) -> list[str]:
        """What a visitor is told first."""
        title = self.match.rules.TITLE
        text = (
            f'You play {title} against a robot. You need not know the game: "hint" '
            'tells you what to play, "help" shows the rules, and "quit" ends it.'
        )
        return ["", *self._told(text), ""]

    def answer(self, word: str) -> list[str]:
        """What the visitor is told after what they have typed."""
        does = self._words.get(word.lower())
        return does() if does else self._played(word)

    @property
    def _words(self) -> Mapping[str, Callable[[], list[str]]]:
        return {
            "": lambda: self._told(f"{self._how()} For advice, type hint."),
            "hint": self._hint,
            "show": self._large,
            "moves": self._all_moves,
            "undo": self._taken_back,
            "history": self._history,
            "help": self._rules,
            "rules": self._rules,
            "?": self._rules,
        }

    def _told(self, text: str, head: str = "") -> list[str]:
        """Sentences in lines that the terminal has room for."""
        width = min(WIDTH, self._terminal.size.columns - 1)
        return textwrap.wrap(
            text,
            width,
            initial_indent=head,
            subsequent_indent=" " * len(head),
            break_on_hyphens=False,
        )

    # Moves

    def _played(self, word: str) -> list[str]:
        """The board after a move and the robot's answer; or why it is not a move."""
        before = self.match
        move = spelling.move_in(word, before.rules.in_notation) or word
        if move.lower() in ACTS:
            return self._told(f"There is no {quoted(move)} against this robot.")
        try:
            after = replay.after(before, Line(None, time_at(), _YOU, SHELL, move))
        except Refused as error:
            return self._told(str(error))
        self._earlier.append(before)
        self._since = len(before.record.log)
        self.match = self._after_robot(after)
        return self.shown([""])

    def _after_robot(self, match: Match) -> Match:
        record = match.record
        while match.result is None and _ROBOT in match.turn:
            view = match.rules.view(match.state, record.players.index(_ROBOT))
            move = robots.load(record.game, 1)(view, _BUDGET, self._rng)
            match = replay.after(match, Line(None, time_at(), _ROBOT, ROBOT, move))
        return match

    def _taken_back(self) -> list[str]:
        if not self._earlier:
            return ["You have not moved yet: there is nothing to take back."]
        self.match = self._earlier.pop()
        self._since = len(self.match.record.log) - 1
        return self.shown(["", "Your last move is taken back.", ""])

    def _rules(self) -> list[str]:
        return pages.page(self.match.record.game).splitlines()

    def _hint(self) -> list[str]:
        match = self.match
        view = match.rules.view(match.state, match.record.players.index(_YOU))
        advice = robots.analyse(match.record.game, view, _FOR_A_HINT, self._rng)
        return self._told(f"A robot would play {advice.move}. {advice.reason!s}")

    def _history(self) -> list[str]:
        """What has happened so far, a line a move."""
        match, lines = self.match, list[str]()
        for line, step in zip(match.record.log, match.steps, strict=True):
            said = str(together(screen.sentences(match, step.events, _YOU)))
            lines += self._told(said or "The game begins.", f"{line.no or 0:>4}  ")
        return lines

    # What is shown

    def shown(self, above: Sequence[str]) -> list[str]:
        """The board with all that is needed to choose a move, below some lines. If all
        is to be seen at once, the picture may be small, and name only the places of the
        best moves."""
        size = self._terminal.size
        is_over = self.match.result is not None
        below = ["", *_farewell(self.match.record.game).splitlines()] if is_over else []
        if size.rows is not None:
            size = size._replace(rows=max(size.rows - len(above) - len(below), 1))
        layouts = [
            lines
            for small, most in ((False, _NAMED), (True, _NAMED), (True, _BEST))
            for lines in self._layouts(size, small, most)
        ]
        fits = (each for each in layouts if size.rows is None or len(each) < size.rows)
        return [*above, *next(fits, min(reversed(layouts), key=len)), *below]

    def _large(self) -> list[str]:
        """The same with the large picture and all places."""
        size = self._terminal.size._replace(rows=None)
        return ["", *next(self._layouts(size, small=False))]

    def _layouts(
        self, size: Size, small: bool, most: int | None = None
    ) -> Iterator[list[str]]:
        """The words beside the picture, if there is room, and below it; at most so many
        moves, all of whose places are numbered."""
        choices = showing.choices(self.match, _YOU)[:most]
        drawn = self._picture(small, choices, are_all=most != _BEST)
        end = self._told(self._ending())
        width = min(WIDTH, size.columns - drawn.width - showing.GAP)
        if drawn.lines and width >= _NARROWEST:
            tall = len(drawn.lines)
            room = tall + 1 if size.rows is None else size.rows - len(end)
            text = self._words_beside(choices, width, room)
            if tall >= room:  # the words are on its last page, above the prompt
                text = [*[""] * (tall - len(text)), *text]
            yield [*drawn.beside(text), *end]
        wide = f"(The board is {drawn.width} columns wide: it needs a wide window.)"
        note = self._told(wide) if drawn.width > size.columns else []
        above = [*note, *drawn.lines, *[""] * bool(drawn.lines)]
        room = (size.rows or 0) - len(above) - len(end)
        width = min(WIDTH, size.columns - 1)
        yield [*above, *self._words_beside(choices, width, room), *end]

    def _picture(
        self, small: bool, choices: Sequence[Choice], are_all: bool
    ) -> Picture:
        """The picture, with the places of these moves and, where `are_all`, all that
        letters show."""
        match = self.match
        view = match.view(_YOU)
        drawing = view.drawing if view.drawing.faces else view.ended or view.drawing
        drawing = showing.with_places(drawing, choices, are_all)
        return showing.picture(drawing, small, self._terminal.paint)

    def _words_beside(
        self, choices: Sequence[Choice], width: int, room: int
    ) -> list[str]:
        """What is told with the picture, in about so many lines: the more room there
        is, the more moves are named."""
        match, view = self.match, self.match.view(_YOU)
        when = f"after move {match.ply}" if match.ply else "at the start"
        news = str(together(screen.latest(match, view, _YOU, self._since)))
        texts = [
            f"{match.rules.TITLE}, {when}",
            *([news] if news else []),
            "",
            *showing.seats(match, view, width),
            str(screen.tiles_left(match, view)),
            *map(str, view.remarks),
            "",
        ]
        lines = [line for text in texts for line in _wrapped(text, width)]
        of = len(showing.choices(match, _YOU))
        return [*lines, *_moves(choices, of, width, room - 1 - len(lines))]

    def _all_moves(self) -> list[str]:
        choices = showing.choices(self.match, _YOU)
        if not choices:
            return self._told(f"What you send here is free. {self._how()}")
        heading, cells = showing.named(choices)
        return [heading, *showing.columns(cells, self._terminal.size.columns - 1)]

    def _ending(self) -> str:
        """What is told below a board: how it ended, or how to go on."""
        if self.match.result is None:
            return self._how()
        return str(ended(self.match))

    def _how(self) -> str:
        move = showing.first_move(self.match, _YOU)
        return f"To play, type a move, such as {move}."


def _begun(game: str) -> Match:
    loaded = rules.load(game)
    record = Record(
        game=game,
        board=1,
        version=loaded.VERSION,
        players=(),
        random=False,
        options=configure(loaded, {}),
        seed=os.urandom(SEED_BYTES),
        log=(),
        challenger=_YOU,
        robots=(_ROBOT,),
        rated=False,
    )
    line = Line(0, time_at(), _YOU, SHELL, Act.CHALLENGE)
    return replay.begin(record, (_YOU, _ROBOT), line)


def _moves(choices: Sequence[Choice], of: int, width: int, room: int) -> list[str]:
    """So many moves with what they score, the best first, as far as there is room."""
    if not choices:
        return []
    heading, cells = showing.named(choices)
    top, lines = _wrapped(heading, width), showing.columns(cells, width)
    most = min(max(room - len(top) - 1, _LEAST), _MOST)
    if of > len(choices) or len(lines) > most + 1:
        lines = [*lines[:most], f'"moves" names all {of}.']
    return [*top, *lines]


def _wrapped(text: str, width: int) -> list[str]:
    """Sentences in lines of so many columns; a line that fits is as it is."""
    if len(text) <= width:
        return [text]
    return textwrap.wrap(text, width, break_on_hyphens=False)


def _farewell(game: str) -> str:
    return fill(
        f'That was a game of {rules.load(game).TITLE}. "pbm demo" shows how it is '
        f'played by mail, and "{game} help" has the rules.'
    )
