"""One board, replayed: the log is the truth, everything else follows from it."""

from collections.abc import Mapping
from typing import NamedTuple, cast

from pbm_holomino import rules
from pbm_holomino.chance import Chance, Draws, Witness, shuffled
from pbm_holomino.errors import BadMove, IllegalMove, NotFound, NotYourTurn
from pbm_holomino.game import Event, Game, GameOfMany, State, View, without_moves
from pbm_holomino.record import Line, Record, format_line
from pbm_holomino.words import listed

MOST_NOTES = 500_000  # characters of all texts of a board, as a file escapes them

OPENING = "!challenge"  # the act in the first line of a log
RESIGN = "!resign"


class Result(NamedTuple):
    """How a match ended: all who share first place, and why."""

    winners: tuple[str, ...]
    reason: str


class Step(NamedTuple):
    """What a line of the log did: the state after it, the moves made by then, and
    the events that it brought. `told` is its move as everybody may read it before
    an event reveals what was sealed."""

    state: State
    ply: int
    events: tuple[Event, ...] = ()
    told: str = ""
    result: Result | None = None


class Match(NamedTuple):
    """A record and its replay, a step for each line of the log. What is `previewed`
    has not been played."""

    record: Record
    steps: tuple[Step, ...]
    previewed: bool = False

    @property
    def rules(self) -> Game:
        return rules.load(self.record.game)

    @property
    def state(self) -> State:
        return self.steps[-1].state

    @property
    def ply(self) -> int:
        return self.steps[-1].ply

    @property
    def result(self) -> Result | None:
        return self.steps[-1].result

    @property
    def status(self) -> str:
        """`active`, `over` or `void`."""
        if self.result is None:
            return "active"
        return "over" if self.result.winners else "void"

    @property
    def turn(self) -> tuple[str, ...]:
        """The players who may send a move now."""
        if self.result is not None:
            return ()
        return tuple(self.record.players[s] for s in self.rules.to_move(self.state))

    @property
    def scores(self) -> dict[str, int]:
        """The points of each player."""
        return dict(zip(self.record.players, self.state.scores, strict=True))

    def view(self, reader: str | None) -> View:
        """What a player, or anybody, may see."""
        players = self.record.players
        seat = players.index(reader) if reader in players else None
        view = self.rules.view(self.state, seat)
        # who has resigned leaves a position where somebody could have moved
        return view if self.result is None else without_moves(view)

    def at(self, index: int) -> "Match":
        """The match as it was after the log's line with this index."""
        end = index + 1
        return self._replace(record=self.record.until(end), steps=self.steps[:end])

    def after_ply(self, ply: int) -> "Match":
        """The match as it stood after this move. Raises NotFound."""
        for index in range(len(self.steps) - 1, -1, -1):
            if self.steps[index].ply == ply:
                return self.at(index)
        raise NotFound(
            f"{self.record.name} has no move {ply} yet: it is at {self.ply}."
        )

    def public_log(self) -> tuple[Line, ...]:
        """The log as everybody may read it: what is sealed still is not told."""
        if self.result is not None:
            return self.record.log
        return tuple(
            line._replace(what=step.told or line.what)
            for line, step in zip(self.record.log, self.steps, strict=True)
        )

    @property
    def gone(self) -> frozenset[str]:
        """The players who have resigned."""
        return frozenset(line.who for line in self.record.log if line.what == RESIGN)

    def move_numbers(self) -> range:
        """The numbers that the next move may have: one, or as many as players move
        at the same time in this phase."""
        first, to_move = len(self.steps) - 1, self.rules.to_move
        while first and len(to_move(self.steps[first - 1].state)) > 1:
            first -= 1
        begun = self.steps[first]
        return range(begun.ply + 1, begun.ply + 1 + max(1, len(to_move(begun.state))))

    def line_from(self, mail: str, who: str) -> int | None:
        """The index of the line that a player's mail made."""
        for index, line in enumerate(self.record.log):
            if line.id == mail != "-" and line.who == who:
                return index
        return None


# Making and changing matches


def begin(record: Record, named: tuple[str, ...], line: Line) -> Match:
    """A new match of a record without a log; the players are seated as named, or by
    lot, and the line opens it."""
    players = shuffled(named, Chance(record.seed))[0] if record.random else named
    return replay(record._replace(players=players, log=(line,)))


def replay(record: Record, chance: Draws | None = None) -> Match:
    """The match that a record tells, drawn by its own chance unless another is given.
    Raises PbmError, ValueError or KeyError where it cannot have come about."""
    game, players = rules.load(record.game), record.players
    least, most = game.SEATS
    if len(set(players)) < len(players) or not least <= len(players) <= most:
        raise ValueError(f"it is not for these {len(players)} players")
    chance = chance or _chance(record)
    state = game.start(len(record.players), record.options)
    first = _settled(record, Step(state, 0), chance)
    match = Match(record._replace(log=record.log[:1]), (first,))
    if not record.log or (record.log[0].no, record.log[0].what) != (0, OPENING):
        raise ValueError("its log does not begin with its opening")
    for line in record.log[1:]:
        if match.result is not None:
            raise ValueError("its log goes on after the end")
        add = _acted if line.what.startswith("!") else _moved
        match = add(match, line, chance)
        if match.record.log[-1] != line:
            raise ValueError(f"its log goes wrong at {format_line(line)}")
    return match


def play(match: Match, line: Line) -> Match:
    """The match after a player's move, which is judged.

    Raises NotYourTurn, BadMove or IllegalMove.
    """
    _check_player(match, line)
    return _moved(match, line, _chance(match.record))


def act(match: Match, line: Line) -> Match:
    """The match after a player's act, as `!resign`. Raises NotYourTurn."""
    _check_player(match, line)
    return _acted(match, line, _chance(match.record))


def _check_player(match: Match, line: Line) -> None:
    record = match.record
    if line.who not in record.players:
        raise NotYourTurn(
            f"You are not a player of {record.name}: {listed(record.players)} are."
        )
    if match.result is not None:
        raise NotYourTurn(f"{record.name} is over: {verdict(match)}.")


def with_note(match: Match, note: str) -> Match:
    """The match with a text that came with the last line of its log."""
    record = match.record
    if not note:
        return match
    room = MOST_NOTES - sum(len(ascii(old)) for old in record.notes.values())
    if len(ascii(note)) > room:  # the file would grow too large for the moves
        note = "[A text came with this; there is no more room for it.]"
    notes = {**record.notes, len(record.log) - 1: note}
    return match._replace(record=record._replace(notes=notes))


def preview(match: Match, text: str) -> Match | None:
    """The match after a move, if it were played now and nothing were drawn; None
    where a draw is due first."""
    refusals = []
    for who in match.turn:  # where several may move, it is of whom it fits
        try:
            line, step = _judged(match, Line(None, "", who, "-", text))
        except BadMove as error:
            refusals.append(error)
        else:
            return _added(match, line, step)._replace(previewed=True)
    if refusals:
        raise refusals[0]
    return None


def verdict(match: Match) -> str:
    """Who won, in a few words."""
    result = match.result
    if result is None:
        return "nobody has won yet"
    return verdict_of(result, match.scores, match.rules.POINTS)


def verdict_of(result: Result, scores: Mapping[str, int], points: str) -> str:
    """The same, of a result and the scores."""
    if not result.winners:
        return f"it was {result.reason} and does not count"
    others = [player for player in scores if player not in result.winners]
    names = listed(result.winners)
    won = f"{names} won" if len(result.winners) == 1 else f"a draw between {names}"
    if result.reason != "score":
        return won + _WHY[result.reason].format(others=listed(others))
    order = (*result.winners, *others)
    if len(order) == 2 and points == "points":
        return f"{won}, {' to '.join(str(scores[player]) for player in order)}"
    each = ", ".join(f"{player} {scores[player]}" for player in order)
    return f"{won} ({points}: {each})"


_WHY = {"resigned": ", as {others} resigned"}


def _moved(match: Match, line: Line, chance: Draws) -> Match:
    line, step = _judged(match, line)
    return _added(match, line, _settled(match.record, step, chance))


def _acted(match: Match, line: Line, chance: Draws) -> Match:
    return _added(match, line, _ACTS[line.what](match, line, chance))


def _added(match: Match, line: Line, step: Step) -> Match:
    log = (*match.record.log, line)
    record = match.record._replace(log=log)
    return match._replace(record=record, steps=(*match.steps, step))


def _judged(match: Match, line: Line) -> tuple[Line, Step]:
    """A move's line as it will stand in the log, and its step, before anything is
    drawn."""
    record, game = match.record, match.rules
    seat = record.players.index(line.who)
    if seat not in game.to_move(match.state):
        raise NotYourTurn(
            f"It is not your turn on {record.name}: {listed(match.turn)} "
            "must move first."
        )
    try:
        move = game.parse_move(match.state, seat, line.what)
        state, events = game.play(match.state, seat, move)
    except IllegalMove as error:
        raise IllegalMove(f'"{line.what}" is refused. {error}') from None
    told, result = game.public_move(move), _result(record, state)
    step = Step(state, match.ply + 1, events, told, result)
    return line._replace(no=step.ply, what=game.format_move(move)), step


def _settled(record: Record, step: Step, chance: Draws) -> Step:
    """The step with every draw and skip that is due after it."""
    state, events = rules.load(record.game).settle(step.state, chance)
    result = _result(record, state)
    return step._replace(state=state, events=step.events + events, result=result)


def _chance(record: Record) -> Chance:
    """The draws of the game, after those that gave the players their seats."""
    chance = Chance(record.seed)
    if not record.random:
        return chance
    return chance._replace(seated=shuffled(record.players, chance)[1])


def draws(record: Record) -> list[tuple[int, int, int]]:
    """Every draw of a match, made again: its number, the index drawn, among how many
    things."""
    seating = Witness(Chance(record.seed))
    if record.random:
        shuffled(record.players, seating)
    playing = Witness(_chance(record))
    replay(record, playing)
    return seating.draws + playing.draws


def _result(record: Record, state: State) -> Result | None:
    winners = rules.load(record.game).outcome(state)
    if winners is None:
        return None
    return Result(tuple(record.players[seat] for seat in winners), "score")


def _resign(match: Match, line: Line, chance: Draws) -> Step:
    """Of two players the other has won; among more they play on, until one is left."""
    record = match.record
    if line.who in match.gone:
        raise NotYourTurn(f"You have resigned on {record.name} already.")
    gone = match.gone | {line.who}
    left = tuple(player for player in record.players if player not in gone)
    seat = record.players.index(line.who)
    step = Step(match.state, match.ply, (Event(seat, "resigned"),))
    if len(left) == 1:
        return step._replace(result=Result(left, "resigned"))
    game = cast(GameOfMany, match.rules)
    return _settled(record, step._replace(state=game.drop(step.state, seat)), chance)


_ACTS = {RESIGN: _resign}
