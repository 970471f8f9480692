"""What a reader of a Walomino board is told beside the picture."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from pbm_holomino.rules.walomino.chain import (
    COLOURS,
    Place,
    by_colour,
    format_place,
    open_ends,
)
from pbm_holomino.rules.walomino.moves import PAIR, PLAY, TAKE, Move, canonical
from pbm_holomino.rules.walomino.state import TO_TAKE, State


def counted(numbers: Mapping[str, int]) -> str:
    """How many walongs of each colour there are: R 3, B 1."""
    there = [f"{c} {numbers[c]}" for c in COLOURS if numbers.get(c)]
    return ", ".join(there) or "nothing"


def remarks(state: State, seat: int | None, moves: Sequence[Move]) -> tuple[str, ...]:
    """What is known, and what this reader is to do; `moves` are those of the seat to
    move. A seat's secrets are told to that seat alone."""
    if state.over:
        return ()
    lines = [_rounds(state), _PUBLIC[state.phase](state)]
    if seat is not None and seat not in state.dropped:
        lines += _PRIVATE[state.phase](state, seat, moves)
    return tuple(filter(None, lines))


def example(state: State, seat: int) -> str:
    """A move that this seat could make while taking or pairing."""
    if state.phase == TAKE:
        return f"take:{_two_of(state)[0]}"
    if state.phase == PAIR:
        return f"pairs:{','.join(_some_pairs(by_colour(state.pools[seat])))}"
    return ""


def _rounds(state: State) -> str:
    rounds = state.options["rounds"]
    return f"This is round {state.round} of {rounds}." if rounds > 1 else ""


def _taking(state: State) -> str:
    pot = counted(state.pot)
    return (
        f"Walongs are being taken. The pot holds {pot}; "
        f"its last two will be the start pair."
    )


def _pairing(state: State) -> str:
    start = " and ".join(state.chain.cells.values())
    return (
        f"All walongs are taken, and the start pair, {start}, lies on the board. Now "
        f"each player makes pairs of the walongs that they hold, all at the same time; "
        f"they stay secret until all have sent theirs."
    )


def _playing(state: State) -> str:
    return f"The open ends are {open_ends(state.chain)}."


def _my_taking(state: State, seat: int, moves: Sequence[Move]) -> Iterable[str]:
    pool, (colours, by_chance) = state.pools[seat], state.wishes[seat]
    held, share = counted(Counter(pool)), TO_TAKE // len(state.pools)
    yield f"You hold {held}: {len(pool)} of the {share} walongs that are your share."
    if colours or by_chance:
        wishes = [colours] * bool(colours) + ["by chance"] * by_chance
        yield f"Your wishes to come, which nobody else sees: {', then '.join(wishes)}."
    if seat not in state.turns():
        return
    if state.white:
        yield "You have rolled white: the colour is yours to choose."
    one, two = _two_of(state)
    yield (
        f"To take, send take:{one} for one walong, or wishes for this "
        f"and your coming turns as take:{one}{one}{two}, or take:{one}{two},any to go "
        f"on by chance after them, or take:any to leave all to chance."
    )


def _two_of(state: State) -> tuple[str, str]:
    """Two colours of the pot for an example: the same one where there is no other."""
    left = [c for c in COLOURS if state.pot[c]]
    return left[0], left[-1]


def _my_pairing(state: State, seat: int, moves: Sequence[Move]) -> Iterable[str]:
    sealed, pool = state.sealed[seat], by_colour(state.pools[seat])
    if sealed is not None:
        pairs = ",".join(sealed) or "left to chance"
        yield f"Your pairs are sealed, and nobody else sees them yet: {pairs}."
        return
    example = ",".join(_some_pairs(pool))
    held = counted(Counter(pool))
    yield f"You hold {held}: {len(pool)} walongs, for {len(pool) // 2} pairs."
    yield (
        f"Send pairs: and all your pairs with commas between, as you like them; for "
        f"example pairs:{example} is possible. Or send pairs:any to leave it to chance."
    )


def _some_pairs(pool: list[str]) -> tuple[str, ...]:
    """All of a sorted pool in pairs of mixed colours, as far as it has them."""
    half = len(pool) // 2
    return canonical(map("".join, zip(pool[:half], pool[half:], strict=True)))


def _my_playing(state: State, seat: int, moves: Sequence[Move]) -> Iterable[str]:
    if seat not in state.turns() or not moves or not isinstance(moves[0], Place):
        return
    move = moves[0]
    yield (
        f"To play, send a pair and two positions, the half that "
        f"touches an open end first: {format_place(move)} puts {move.touching} at "
        f"{move.p} beside the open end and {move.opening} at {move.q}, which is open "
        f"then."
    )


_PUBLIC = {TAKE: _taking, PAIR: _pairing, PLAY: _playing}
_PRIVATE = {TAKE: _my_taking, PAIR: _my_pairing, PLAY: _my_playing}
