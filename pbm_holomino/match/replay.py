"""Replays a board's log, the truth from which everything else is derived."""

from collections.abc import Iterable
from itertools import pairwise

from pbm_holomino.errors import BadMove, IllegalMove, NotYourTurn
from pbm_holomino.languages import Listed, of_player, sentence
from pbm_holomino.match.actions import ACTS
from pbm_holomino.match.board import Match, Public, Step, outcome, settled
from pbm_holomino.match.record import OPENINGS, SHELL, Act, Line, Record, format_line
from pbm_holomino.match.verdicts import verdict
from pbm_holomino.rules.chance import Chance, Drawn, Draws, Witness, shuffled
from pbm_holomino.rules.contract import Event

_TOOK_UP = of_player(
    "You took up the open challenge.", "{player} took up the open challenge."
)
_NO_LONGER = {
    Act.RESIGN: sentence("You are no longer in this game (resigned)."),
    Act.FORFEIT: sentence("You are no longer in this game (out of time)."),
}


def begin(record: Record, named: tuple[str, ...], line: Line) -> Match:
    """A new match from a record without players: `named` are seated in this order, or
    by lot, and with the line it begins. Only the log of an open challenge has lines
    before that."""
    players = shuffled(named, Chance(record.seed))[0] if record.random else named
    return replay(record._replace(players=players, log=(*record.log, line)))


def replay(
    record: Record, chance: Draws | None = None, earlier: Match | None = None
) -> Match:
    """The match that a record describes; its draws come from its seed unless `chance`
    is given. If its log goes on from that of an `earlier` match, only the new lines are
    replayed. Raises PbmError, ValueError or KeyError for an impossible record."""
    players = record.players
    least, most = record.rules.SEATS
    if len(set(players)) < len(players) or not least <= len(players) <= most:
        raise ValueError(f"the game is not for these {len(players)} players")
    chance = chance or _chance(record)
    if not record.log or record.log[0].no != 0 or record.log[0].action not in OPENINGS:
        raise ValueError("its log does not begin with its opening")
    before = None
    if earlier is not None and _goes_on(record, earlier.record):
        lines, steps = list(earlier.record.log), list(earlier.steps)
        before = earlier.public
    else:
        lines, steps = list(record.log[: record.began + 1]), _opening(record, chance)
    # It grows with these lists; with tuples, each line would copy all earlier ones.
    growing = record._replace(log=lines)
    match = Match(growing, steps, Public(growing, steps))
    for line in record.log[len(lines) :]:
        if match.result is not None and line.action is not Act.CHAT:
            raise ValueError("its log goes on after the end")
        made, step = _made(match, line, chance)
        if made != line:
            raise ValueError(f"its log is wrong at {format_line(line)}")
        lines.append(made)
        steps.append(step)
    done = tuple(steps)
    return Match(record, done, Public(record, done, before))


def _goes_on(record: Record, earlier: Record) -> bool:
    """Whether a record is an earlier one with more lines; notes change no step."""
    before = record.log[: len(earlier.log)]
    return earlier == record._replace(log=before, notes=earlier.notes)


def _opening(record: Record, chance: Draws) -> list[Step]:
    """The steps of a log up to the line with which the board began, when all that is
    due at the start was drawn. Raises ValueError."""
    players, began = record.players, record.began
    start = Step(record.rules.start(len(players), record.options), 0)
    takers = [players.index(line.who) for line in record.log[1 : began + 1]]
    seats = [*takers, *map(players.index, [record.challenger] * bool(takers))]
    if takers and sorted(seats) != [*range(len(players))]:
        raise ValueError("its open challenge was not taken up by each other player")
    took = [start._replace(events=(Event(seat, _TOOK_UP),)) for seat in takers]
    *before, last = [start, *took]
    step = settled(record, last, chance)
    if record.clock is not None:
        from pbm_holomino.match import clocks  # few boards have them

        step = step._replace(clocks=clocks.begun(record.until(began + 1), step))
    return [*before, step]


def after(match: Match, line: Line) -> Match:
    """The match after one more line: a player's move, or an act such as `!resign`.

    Raises NotYourTurn, BadMove or IllegalMove for a move, NotAllowed or NotYourTurn
    for an act.
    """
    if line.action in (Act.VOID, Act.LAPSE):  # acts of the owner and the clock
        check_running(match)
    else:
        check(match, line)
    return _added(match, *_made(match, line, _chance(match.record)))


def check_player(match: Match, who: str) -> None:
    """Raises NotYourTurn for somebody who does not play on the board."""
    record = match.record
    if who not in record.players:
        raise NotYourTurn(
            sentence(
                "You do not play on {board}: {players} do.",
                board=record.name,
                players=Listed(record.players),
            )
        )


def check_running(match: Match) -> None:
    """Raises NotYourTurn if the game is over."""
    if match.result is not None:
        raise NotYourTurn(
            sentence(
                "{board} is over: {verdict}.",
                board=match.record.name,
                verdict=verdict(match),
            )
        )


def check(match: Match, line: Line) -> None:
    """Raises NotYourTurn for an author who may not act: not seated, game over, or
    dropped out."""
    check_player(match, line.who)
    if line.action is Act.CHAT:
        return  # at any time
    check_running(match)
    if line.who in match.gone:
        raise NotYourTurn(_NO_LONGER[match.gone[line.who]])


def check_number(match: Match, move: str, no: int | None) -> None:
    """Raises BadMove for a move with a `#moveno` other than the next one's."""
    if no is not None and no not in match.move_numbers():
        raise BadMove(
            sentence(
                '"{move}#{no}" counts only as move {no}, and the next move on {board} '
                "is {next}.",
                move=move,
                no=no,
                board=match.record.name,
                next=match.ply + 1,
            )
        )


def with_note(match: Match, note: str) -> Match:
    """The match with a note, which came with the last line of its log."""
    record = match.record
    notes = {**record.notes, len(record.log) - 1: note}
    return match._replace(record=record._replace(notes=notes))


def preview(match: Match, text: str, asker: str = "") -> Match | None:
    """The match after a move, if it were played now and nothing were drawn; None if a
    draw must come first. A refusal says `your` to the asker, and names any other
    player."""
    if match.due:
        return None
    refusals: list[BadMove] = []
    for who in _previewers(match, asker):
        try:
            line, step = judged(match, Line(None, "", who, SHELL, text), text)
        except IllegalMove as error:
            refusals.append(error if who == asker else error.about(who))
        except BadMove as error:
            refusals.append(error)
        else:
            return grown(match, line, step)._replace(previewed=True)
    if refusals:
        raise refusals[0]
    return None


def laid(match: Match, who: str, moves: Iterable[str]) -> Match:
    """The match after moves of one player, as if it were their turn each time, nobody
    else moved, and nothing were drawn. Raises BadMove or NotAllowed."""
    for text in moves:
        check_running(match)
        line, step = judged(match, Line(None, "", who, SHELL, text), text)
        match = grown(match, line, step)
    return match._replace(previewed=True)


def _previewers(match: Match, asker: str) -> tuple[str, ...]:
    """The players who may make a previewed move, the likeliest first: the asker, as if
    it were their turn, then those whose turn it is. After the first move, only the
    latter."""
    turn = match.turn
    if asker in turn:
        return (asker,)
    is_first = turn and asker and not match.previewed and asker not in match.gone
    return (asker, *turn) if is_first else turn


def _made(match: Match, line: Line, chance: Draws) -> tuple[Line, Step]:
    """A line in its final form, and its step."""
    if isinstance(line.action, Act):
        return line, _following(match, line, ACTS[line.action](match, line, chance))
    line, step = judge(match, line, line.action)
    return line, _following(match, line, settled(match.record, step, chance))


def _following(match: Match, line: Line, step: Step) -> Step:
    step = step.following(match.steps[-1], line, len(match.steps))
    if match.record.clock is None:
        return step
    from pbm_holomino.match import clocks  # few boards have them

    return step._replace(clocks=clocks.after(match, line, step))


def grown(match: Match, line: Line, step: Step) -> Match:
    """The match with one more line that is judged already, and its step."""
    return _added(match, line, _following(match, line, step))


def _added(match: Match, line: Line, step: Step) -> Match:
    log = (*match.record.log, line)
    record, steps = match.record._replace(log=log), (*match.steps, step)
    public = Public(record, steps, match.public)
    return match._replace(record=record, steps=steps, public=public)


def judge(match: Match, line: Line, move: str) -> tuple[Line, Step]:
    """The line with a move in its final form, and its step before anything is drawn.
    Raises NotYourTurn, BadMove or IllegalMove."""
    record, game = match.record, match.rules
    if record.players.index(line.who) not in game.to_move(match.state):
        raise NotYourTurn(
            sentence(
                "It is not your turn on {board}: {players} must move first.",
                board=record.name,
                players=Listed(match.turn),
            )
        )
    return judged(match, line, move)


def judged(match: Match, line: Line, text: str) -> tuple[Line, Step]:
    """The same, even if it is not their turn."""
    record, game = match.record, match.rules
    seat = record.players.index(line.who)
    try:
        move = game.parse_move(match.state, seat, text)
        state, events = game.play(match.state, seat, move)
    except IllegalMove as error:
        raise error.of(text) from None
    told, result = game.public_move(move), outcome(record, state)
    step = Step(state, match.ply + 1, events, told, result)
    return line._replace(no=step.ply, action=game.format_move(move)), step


def _chance(record: Record) -> Chance:
    """The source of the game's draws, after those that seated the players."""
    chance = Chance(record.seed)
    if not record.random:
        return chance
    return chance._replace(seated=shuffled(record.players, chance)[1])


def draws(record: Record) -> list[tuple[int | None, list[Drawn]]]:
    """Every draw of a match, repeated; in groups, each with the index of the line of
    the log that caused it, None for the seats."""
    seating, playing = Witness(Chance(record.seed)), Witness(_chance(record))
    if record.random:
        shuffled(record.players, seating)
    steps = replay(record, playing).steps
    counts = [0, *(step.state.draws for step in steps)]  # smaller after an undo
    rest, first = iter(playing.draws), playing.chance.seated
    by_line: list[tuple[int | None, list[Drawn]]] = [(None, seating.draws)]
    for index, (before, count) in enumerate(pairwise(counts)):
        drawn: list[Drawn] = []
        while before < count and (not drawn or drawn[-1].number < first + count):
            drawn.append(next(rest))
        by_line.append((index, drawn))
    return [(line, drawn) for line, drawn in by_line if drawn]
