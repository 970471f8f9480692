"""Walomino: walongs are taken and made into pairs, and the pairs joined to a chain.

Source: 003 (the rules in German). A walong is the letter of its colour, a pair
is two of them in the order R G Y P B.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import combinations_with_replacement, groupby
from typing import Any

from pbm_holomino.errors import IllegalMove
from pbm_holomino.languages import (
    InARow,
    Listed,
    OfPlayer,
    Sentence,
    counted_of_player,
    of_number,
    of_player,
    sentence,
)
from pbm_holomino.rules.chance import Draws, LeftOpen
from pbm_holomino.rules.contract import (
    Closed,
    Drawing,
    Due,
    Event,
    Game,
    Left,
    Proposal,
    View,
    move_labels,
)
from pbm_holomino.rules.games.walomino import chain as _chain
from pbm_holomino.rules.games.walomino import moves as _moves
from pbm_holomino.rules.games.walomino.chain import COLOURS, Placing, pair_name
from pbm_holomino.rules.games.walomino.moves import (
    PAIR,
    PLAY,
    TAKE,
    Move,
    Pairing,
    Take,
    format_move,
)
from pbm_holomino.rules.games.walomino.remarks import example, remarks
from pbm_holomino.rules.games.walomino.state import NO_WISH, START_PAIR, Pool, State
from pbm_holomino.rules.options import Limits, Option, Options
from pbm_holomino.rules.refusals import not_in_pool
from pbm_holomino.rules.scoring import Scoring
from pbm_holomino.rules.seats import replaced

# The colour die has five colours and white, the choice of any (003). A roll counts
# its faces by their letters in ascending order: B G P R W Y.
WHITE = "W"
DIE = "".join(sorted((*COLOURS, WHITE)))

_OPTIONS: tuple[Option, ...] = (
    Option(
        "draft",
        sentence(
            "How the walongs are taken: with pot each player chooses a colour; with "
            "die the colour is rolled, and chosen only if the die shows white; with "
            "random all are taken by chance."
        ),
        "pot",
        choices=("pot", "die", "random"),
    ),
    Option(
        "rounds",
        sentence(
            "The game has N rounds, and minus points add up. It is fair to play as "
            "many rounds as there are players."
        ),
        1,
        lambda options: Limits(1, 12),
    ),
)
Played = tuple[State, tuple[Event, ...]]

# What is said of what happens
_TOOK = of_player("You took {walongs}.", "{player} took {walongs}.")
_AS_WISHED = sentence("{walongs}")
_BY_CHANCE = sentence("{walongs} by chance")
_BY_THE_DIE = sentence("{walongs} by the die")
_ON_WHITE = sentence("{walongs} on white")
_MAY_CHOOSE = of_player(
    "You rolled white and may choose.", "{player} rolled white and may choose."
)
_SEALED = of_player("You sent sealed pairs.", "{player} sent sealed pairs.")
_PAIRED = of_player("You made the pairs {pairs}.", "{player} made the pairs {pairs}.")
_PLAYED = of_player("You played {move}.", "{player} played {move}.")
_STUCK = of_player(
    "You could not play and lost a turn.", "{player} could not play and lost a turn."
)
_NO_PAIR = of_player(
    "You had no pair left and lost a turn.",
    "{player} had no pair left and lost a turn.",
)
_NO_POINT = of_player(
    "You ended the round with 0 minus points.",
    "{player} ended the round with 0 minus points.",
)
_NO_POINT_IN_ROUND = of_player(
    "You ended round {round} with 0 minus points.",
    "{player} ended round {round} with 0 minus points.",
)
_POINTS = counted_of_player(
    of_number(
        "You ended the round with {n} minus point ({pairs} left).",
        "You ended the round with {n} minus points ({pairs} left).",
    ),
    of_number(
        "{player} ended the round with {n} minus point ({pairs} left).",
        "{player} ended the round with {n} minus points ({pairs} left).",
    ),
)
_POINTS_IN_ROUND = counted_of_player(
    of_number(
        "You ended round {round} with {n} minus point ({pairs} left).",
        "You ended round {round} with {n} minus points ({pairs} left).",
    ),
    of_number(
        "{player} ended round {round} with {n} minus point ({pairs} left).",
        "{player} ended round {round} with {n} minus points ({pairs} left).",
    ),
)
_TAKES = sentence("{move} takes {walongs} when they are left.")
_BY_CHANCE_ALONE = sentence("{move} leaves it to chance.")
_MAKES = sentence("{move} makes the pairs {pairs}.")
_LEAVES = sentence("{move} leaves the open ends {ends}.")
_OPENED = sentence("A move from before the pairs were opened cannot be taken back.")

# What is said of moves that are refused
_NONE_LEFT = sentence("No {walong} is left in the pot; it holds {walongs}.")
_LEFT_OUT = of_player(
    "These pairs do not add up to what you hold, {walongs}: you have left out {left}.",
    "These pairs do not add up to what {player} holds, {walongs}: {player} has left "
    "out {left}.",
)
_TOO_MANY = of_player(
    "These pairs do not add up to what you hold, {walongs}: you have named {more} too "
    "many.",
    "These pairs do not add up to what {player} holds, {walongs}: {player} has named "
    "{more} too many.",
)
_LEFT_OUT_AND_TOO_MANY = of_player(
    "These pairs do not add up to what you hold, {walongs}: you have left out {left}, "
    "and named {more} too many.",
    "These pairs do not add up to what {player} holds, {walongs}: {player} has left "
    "out {left}, and named {more} too many.",
)
_NO_SUCH_PAIR = (
    of_player(
        "Pair {tile} is not in your pool, which holds {pool}.",
        "Pair {tile} is not in {player}'s pool, which holds {pool}.",
    ),
    of_player(
        "Pair {tile} is not in your pool, which holds nothing.",
        "Pair {tile} is not in {player}'s pool, which holds nothing.",
    ),
)


def _begin(seats: int, options: Options) -> State:
    zeros, nobody = (0,) * seats, (None,) * seats
    return State(options, ((),) * seats, zeros, (NO_WISH,) * seats, nobody)


def _to_move(state: State) -> tuple[int, ...]:
    if state.over:
        return ()
    if state.phase != PAIR:
        return (state.turn,)
    missing = (seat for seat in state.seats() if state.sealed[seat] is None)
    return tuple(seat for seat in missing if seat not in state.dropped)


def _next(state: State) -> int:
    return (state.turn + 1) % len(state.pools)


# Taking


def _draw(state: State, chance: Draws) -> tuple[str, State]:
    """A walong from the pot, where they are sorted by their letters."""
    walongs = "".join(sorted(c * state.pot[c] for c in COLOURS))
    index, draws = chance.pick(state.draws, walongs)
    return walongs[index], state._replace(draws=draws)


def _roll(state: State, chance: Draws) -> tuple[str, State]:
    """The die, rolled again while it shows a colour that has run out (003)."""
    while True:
        index, draws = chance.pick(state.draws, DIE)
        state = state._replace(draws=draws)
        if DIE[index] == WHITE or state.pot[DIE[index]]:
            return DIE[index], state


def _wished(state: State, chance: Draws) -> tuple[str, State]:
    """The next colour that the wishes of the seat to take bring; empty if it must
    choose."""
    colours, by_chance = state.wishes[state.turn]
    colours = colours.lstrip("".join(c for c in COLOURS if not state.pot[c]))
    wishes = replaced(state.wishes, state.turn, Take(colours[1:], by_chance))
    state = state._replace(wishes=wishes)
    if colours or not by_chance:
        return colours[:1], state
    return _draw(state, chance)


def _choose(state: State, chance: Draws) -> tuple[str, Sentence, State]:
    """The next colour taken, empty when a player must choose, and how it came.

    A wish and chance after wishes look alike, as nobody else may know which it was.
    """
    if state.options["draft"] == "random" or state.turn in state.dropped:
        colour, state = _draw(state, chance)
        return colour, _BY_CHANCE, state
    if state.options["draft"] == "pot":
        colour, state = _wished(state, chance)
        return colour, _AS_WISHED, state
    if not state.white:
        face, state = _roll(state, chance)
        if face != WHITE:
            return face, _BY_THE_DIE, state
    colour, state = _wished(state._replace(white=True), chance)
    return colour, _ON_WHITE, state


def _settle_takes(state: State, chance: Draws) -> Played:
    taken: dict[int, list[tuple[Sentence, str]]] = {}
    waiting = state.white
    while sum(state.pot.values()) > START_PAIR:
        colour, how, state = _choose(state, chance)
        if not colour:
            break
        seat, waiting = state.turn, False
        taken.setdefault(seat, []).append((how, colour))
        pools = replaced(state.pools, seat, (*state.pools[seat], colour))
        pot = {**state.pot, colour: state.pot[colour] - 1}
        state = state._replace(pools=pools, pot=pot, turn=_next(state), white=False)
    else:
        return _lay_start_pair(state), _told(taken)
    events = _told(taken)
    if state.white and not waiting:
        events = (*events, Event(state.turn, _MAY_CHOOSE))
    return state._replace(due=False), events


def _told(taken: Mapping[int, list[tuple[Sentence, str]]]) -> tuple[Event, ...]:
    return tuple(
        Event(seat, _TOOK.of(walongs=InARow(_runs(takes))))
        for seat, takes in taken.items()
    )


def _runs(takes: list[tuple[Sentence, str]]) -> Iterable[Sentence]:
    for how, run in groupby(takes, key=lambda take: take[0]):
        yield how.of(walongs="".join(colour for _, colour in run))


def _lay_start_pair(state: State) -> State:
    """The last two walongs are the start pair; now all players make pairs (003)."""
    return state._replace(
        chain=_chain.start_chain("".join(c * n for c, n in state.pot.items())),
        pot=dict.fromkeys(COLOURS, 0),
        wishes=(NO_WISH,) * len(state.pools),
        phase=PAIR,
    )


# Pairing and playing


def _settle_pairs(state: State, chance: Draws) -> Played:
    for seat in state.seats():
        if state.sealed[seat] == () or (
            state.sealed[seat] is None and seat in state.dropped
        ):
            state = _pair_by_chance(state, seat, chance)
    pairs = tuple(sealed for sealed in state.sealed if sealed is not None)
    if len(pairs) < len(state.pools):
        return state._replace(due=False), ()
    events = tuple(
        Event(seat, _PAIRED.of(pairs=",".join(made)), _OPENED)
        for seat, made in enumerate(pairs)
    )
    turn = _opener(state)
    return state._replace(pools=pairs, phase=PLAY, turn=turn), events


def _pair_by_chance(state: State, seat: int, chance: Draws) -> State:
    """The walongs are drawn one by one, sorted by their letters; the first two are a
    pair, and so on."""
    left, drawn, draws = sorted(state.pools[seat]), "", state.draws
    while left:
        index, draws = chance.pick(draws, left)
        drawn += left.pop(index)
    made = map("".join, zip(drawn[::2], drawn[1::2], strict=True))
    sealed = replaced(state.sealed, seat, _moves.canonical(made))
    return state._replace(sealed=sealed, draws=draws)


def _opener(state: State) -> int:
    """The seat that takes and plays first: one further each round."""
    return (state.round - 1) % len(state.pools)


def _settle_turn(state: State, chance: Draws | None = None) -> Played:
    skips: tuple[Event, ...] = ()
    for _ in state.seats():
        if state.turn not in state.dropped:
            pool = state.pools[state.turn]
            if next(_chain.placings(state.chain, pool), None):
                return state._replace(due=False), skips
            skips = (*skips, Event(state.turn, _STUCK if pool else _NO_PAIR))
        state = state._replace(turn=_next(state))
    return _end_round(state)


def _end_round(state: State) -> Played:
    """The state when nobody can play: each pair left is a minus point (003)."""
    points = tuple(map(len, state.pools))
    scores = tuple(map(sum, zip(state.scores, points, strict=True)))
    events = tuple(
        Event(seat, _ended(state, pool))
        for seat, pool in enumerate(state.pools)
        if seat not in state.dropped
    )
    if state.round == state.options["rounds"]:
        return state._replace(scores=scores, over=True, due=False), events
    fresh = _begin(len(state.pools), state.options)
    fresh = fresh._replace(scores=scores, round=state.round + 1, draws=state.draws)
    fresh = fresh._replace(turn=_opener(fresh), dropped=state.dropped)
    return fresh._replace(ended=state.chain), events


def _ended(state: State, pool: Pool) -> OfPlayer:
    if state.options["rounds"] == 1:
        said = _POINTS if pool else _NO_POINT
    else:
        said = _POINTS_IN_ROUND if pool else _NO_POINT_IN_ROUND
    return said.of(n=len(pool), round=state.round, pairs=",".join(pool))


_SETTLE = {TAKE: _settle_takes, PAIR: _settle_pairs, PLAY: _settle_turn}


def _wish(state: State, seat: int, move: Take) -> State:
    first = move.colours[:1]
    if first and not state.pot[first]:
        walongs = InARow(f"{c} {state.pot[c]}" for c in COLOURS if state.pot[c])
        raise IllegalMove(_NONE_LEFT.of(walong=first, walongs=walongs))
    return state._replace(wishes=replaced(state.wishes, seat, move))


def _seal(state: State, seat: int, move: Pairing) -> State:
    held, named = Counter(state.pools[seat]), Counter("".join(move.pairs))
    if move.pairs and held != named:
        left, more = held - named, named - held
        both = _LEFT_OUT_AND_TOO_MANY if left else _TOO_MANY
        raise IllegalMove(
            (both if more else _LEFT_OUT).of(
                walongs=InARow(f"{c} {held[c]}" for c in COLOURS if held[c]),
                left=Listed(f"{left[c]} {c}" for c in COLOURS if left[c]),
                more=Listed(f"{more[c]} {c}" for c in COLOURS if more[c]),
            )
        )
    return state._replace(sealed=replaced(state.sealed, seat, move.pairs))


def _lay(state: State, seat: int, move: Placing) -> State:
    pair, pool = pair_name(move[:2]), list(state.pools[seat])
    if pair not in pool:
        raise IllegalMove(not_in_pool(pair, pool, _NO_SUCH_PAIR))
    _chain.judge(state.chain, move)
    pool.remove(pair)
    pools = replaced(state.pools, seat, tuple(pool))
    return state._replace(
        pools=pools,
        chain=_chain.lay(state.chain, move),
        turn=(seat + 1) % len(pools),
    )


def _known(state: State, seat: int | None) -> State:
    """The state as this seat knows it: others' wishes are unknown, and of their sealed
    pairs only whether they were sent."""
    blank = tuple(sealed and () for sealed in state.sealed)
    known = state._replace(wishes=(NO_WISH,) * len(blank), sealed=blank, draws=0)
    if seat is None:
        return known
    return known._replace(
        wishes=replaced(known.wishes, seat, state.wishes[seat]),
        sealed=replaced(known.sealed, seat, state.sealed[seat]),
    )


def _proposal(state: State, seat: int | None, legal: tuple[str, ...]) -> Proposal:
    """All moves while playing; before that an example, for the seat that reads it."""
    if not legal or state.phase == PLAY:
        return Proposal(legal, ranked=True)  # no move gains anything at once
    reader = _to_move(state)[0] if seat is None else seat
    return Proposal((example(state, reader),), heading=None)


def _extra(state: State) -> dict[str, Any]:
    """The pot until play begins; an empty list of joints on an empty board; and how the
    round before ended."""
    fields: dict[str, Any] = {} if state.phase == PLAY else {"pot": state.pot}
    if not state.chain.path:
        fields["joints"] = []
    if state.ended.path:
        fields["chain"] = _chain.drawing(state.ended)
    return fields


def _sent_ahead(state: State, seat: int) -> dict[str, str]:
    """A seat's unused wishes and sealed pairs, as they would be typed in a move."""
    sealed = state.sealed[seat] if state.phase == PAIR else None
    words = (
        {"wishes": format_move(state.wishes[seat])} if any(state.wishes[seat]) else {}
    )
    if sealed is not None:
        words["pairs"] = format_move(Pairing(sealed))
    return {name: word.partition(":")[2] for name, word in words.items()}


def _round_before(state: State) -> Drawing | None:
    """The chain of the round that has ended, until a tile is laid that the server has
    not laid at once."""
    unasked = PAIR if state.options["draft"] == "random" else TAKE
    if state.phase not in (TAKE, unasked) or not state.ended.path:
        return None
    return _chain.drawing(state.ended)


_SCORING = Scoring(
    sentence("minus points"),
    column=sentence("minus"),  # there is no room for more than the first word
    standing=sentence("Minus points: {scores}."),
    waits=(
        of_number(
            "{player} has {n} minus point and holds {tiles}.",
            "{player} has {n} minus points and holds {tiles}.",
        ),
        of_number(
            "{player} has {n} minus point and holds no tiles.",
            "{player} has {n} minus points and holds no tiles.",
        ),
    ),
    is_to_move=(
        of_number(
            "{player}, to move, has {n} minus point and holds {tiles}.",
            "{player}, to move, has {n} minus points and holds {tiles}.",
        ),
        of_number(
            "{player}, to move, has {n} minus point and holds no tiles.",
            "{player}, to move, has {n} minus points and holds no tiles.",
        ),
    ),
    reviewed=sentence(
        "For each move: the minus points that it brought at once (the fewer the "
        "better), what the robot would have played, and how many points the move gave "
        "away against that."
    ),
    low_wins=True,
)


class Walomino:
    """The game."""

    TITLE = "Walomino"
    VERSION = 1
    SEATS = (2, 4)
    SECRETS = True
    LEFT = Left(
        of_number("{n} tile is left in the pot.", "{n} tiles are left in the pot."),
        sentence("The pot is empty."),
    )
    SIDES: tuple[Sentence, ...] = ()
    SCORING = _SCORING
    WORDS: tuple[str, ...] = ("take", "pairs")
    DRAWN = sentence(
        "They are the walongs left in the pot, the faces of the die, or the walongs of "
        "a player whose pairs are left to chance; for a seat, the players who have "
        'none yet: "help verify" has the details.'
    )
    OPTIONS = _OPTIONS
    PRESETS: Mapping[str, Options] = {}
    FIGURES: Mapping[str, Drawing] = _chain.FIGURES

    start = staticmethod(_begin)
    to_move = staticmethod(_to_move)
    in_notation = staticmethod(_moves.in_notation)
    format_move = staticmethod(format_move)
    public_move = staticmethod(_moves.public_move)

    def settle(self, state: State, chance: Draws) -> Played:
        """Where a draw is left open, this ends with what is due before it."""
        events: tuple[Event, ...] = ()
        with suppress(LeftOpen):
            while state.due:
                state, more = _SETTLE[state.phase](state, chance)
                events += more
        return state, events

    def due(self, state: State) -> Due:
        return "server" if state.due else ""

    def legal(self, state: State, seat: int) -> tuple[Move, ...]:
        if state.phase == TAKE:
            colours = (c for c in COLOURS if state.pot[c])
            return (Take("", True), *(Take(colour, False) for colour in colours))
        if state.phase == PAIR:
            return (Pairing(()),)
        return tuple(sorted(_chain.placings(state.chain, state.pools[seat])))

    def parse_move(self, state: State, seat: int, text: str) -> Move:
        return _moves.parse(state.phase, text)

    def play(self, state: State, seat: int, move: Move) -> Played:
        if _moves.phase_of(move) != state.phase:
            raise IllegalMove(_moves.ASKS[state.phase])
        state = state._replace(due=True, ended=state.ended._replace(last=()))
        if isinstance(move, Take):
            return _wish(state, seat, move), ()
        if isinstance(move, Pairing):
            state = _seal(state, seat, move)
            waits = move.pairs and None in state.sealed
            # The last player's pairs open all of them, and that is told instead.
            told = (Event(seat, _SEALED),) if _to_move(state) else ()
            return state._replace(due=not waits), told
        event = Event(seat, _PLAYED.of(move=format_move(move)))
        state, skips = _settle_turn(_lay(state, seat, move))
        return state, (event, *skips)

    def covers(self, move: Move) -> tuple[int, ...]:
        return (move.p, move.q) if isinstance(move, Placing) else ()

    def gains(self, state: State, moves: Sequence[Move]) -> list[int]:
        """Nothing: minus points come at the end of a round."""
        return [0] * len(moves)

    def effect(self, state: State, seat: int, move: Move) -> Sentence:
        written = format_move(move)
        if isinstance(move, Placing):
            ends = _chain.open_ends(_chain.lay(state.chain, move))
            return _LEAVES.of(move=written, ends=ends)
        if isinstance(move, Take) and move.colours:
            return _TAKES.of(move=written, walongs=InARow(move.colours))
        if isinstance(move, Pairing) and move.pairs:
            return _MAKES.of(move=written, pairs=InARow(move.pairs))
        return _BY_CHANCE_ALONE.of(move=written)

    def drop(self, state: State, seat: int) -> State:
        """Chance takes and pairs for a player who has resigned, and their turns are
        skipped. When one player is left the game is over."""
        dropped = state.dropped | {seat}
        over = state.over or len(dropped) >= len(state.pools) - 1
        wishes = replaced(state.wishes, seat, NO_WISH)
        return state._replace(dropped=dropped, wishes=wishes, over=over, due=not over)

    def drawing(self, state: State) -> Drawing:
        return _chain.drawing(state.chain)

    def suiting(self, drawing: Drawing) -> Mapping[str, str]:
        return {}

    def position(self, options: Options, drawing: Drawing) -> State:
        """Both players hold every pair, once the start pair is laid."""
        state = self.start(2, options)
        state = state._replace(
            chain=_chain.found(drawing),
            pot=dict.fromkeys(COLOURS, 0),
            wishes=(NO_WISH, NO_WISH),
            phase=PLAY,
        )
        return self.with_every_tile(state)

    def with_every_tile(self, state: State) -> State:
        every = tuple(map("".join, combinations_with_replacement(COLOURS, 2)))
        return state._replace(pools=(every, every), due=False)

    def closed(self, state: State) -> Sequence[Closed]:
        return ()

    def view(self, state: State, seat: int | None) -> View:
        """The remarks tell a player their own unused wishes and sealed pairs."""
        turns = _to_move(state)
        moves = self.legal(state, turns[0]) if turns and not state.due else ()
        placings = [move for move in moves if isinstance(move, Placing)]
        open_cells = {position for move in placings for position in move[2:]}
        paired = tuple(s for s in state.seats() if state.sealed[s] is not None)
        written = tuple(map(format_move, moves))
        return View(
            scores=state.scores,
            pools=tuple(tuple(_chain.by_colour(pool)) for pool in state.pools),
            drawing=_chain.drawing(state.chain, move_labels(open_cells)),
            legal=written,
            proposal=_proposal(state, seat, written),
            sack=sum(state.pot.values()),
            phase=state.phase,
            round=state.round,
            acting=state.phase != PLAY,
            extra=_extra(state),
            seats={} if state.phase == PLAY else {"paired": paired},
            remarks=remarks(state, seat, moves if seat in turns else ()),
            mine={} if seat is None else _sent_ahead(state, seat),
            ended=_round_before(state),
            by_drawing=() if state.phase == PLAY else state.pools,
            gone=tuple(sorted(state.dropped)),
            seat=seat,
            known=_known(state, seat),
            moves=moves,
        )

    def outcome(self, state: State) -> tuple[int, ...] | None:
        """The fewest minus points win (003), among those who have not dropped out."""
        if not state.over:
            return None
        contenders = [
            s for s in state.seats() if s not in state.dropped
        ] or state.seats()
        best = min(state.scores[seat] for seat in contenders)
        return tuple(seat for seat in contenders if state.scores[seat] == best)


GAME: Game[State, Move] = Walomino()
