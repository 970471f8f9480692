"""What a reader of a Walomino board is told besides the picture."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from pbm_holomino.rules.games.walomino.chain import (
    COLOURS,
    NAMES,
    Placing,
    by_colour,
    format_place,
    open_ends,
)
from pbm_holomino.rules.games.walomino.moves import PAIR, PLAY, TAKE, Move, canonical
from pbm_holomino.rules.games.walomino.state import TO_TAKE, State
from pbm_holomino.sentences import listed


def counted(numbers: Mapping[str, int]) -> str:
    """How many walongs of each colour there are: R 3, B 1."""
    there = [f"{c} {numbers[c]}" for c in COLOURS if numbers.get(c)]
    return ", ".join(there) or "nothing"


def _named(numbers: Mapping[str, int]) -> str:
    """The same, with the names of the colours: 3 red (R) and 1 black (B)."""
    return listed([f"{numbers[c]} {NAMES[c]} ({c})" for c in COLOURS if numbers[c]])


def amounts(numbers: Mapping[str, int]) -> str:
    """The same, in the middle of a sentence: 3 R and 1 B."""
    return listed([f"{numbers[c]} {c}" for c in COLOURS if numbers[c]])


def remarks(state: State, seat: int | None, moves: Sequence[Move]) -> tuple[str, ...]:
    """What everybody knows, and what this reader can do; `moves` are those that the
    reader may make now. A seat's secrets are told to that seat alone."""
    if state.over:
        return ()
    lines = [_rounds(state), _PUBLIC[state.phase](state)]
    if seat is not None and seat not in state.dropped:
        lines += _PRIVATE[state.phase](state, seat, moves)
    return tuple(filter(None, lines))


def example(state: State, seat: int) -> str:
    """A move that this seat could make while taking or pairing."""
    if state.phase == TAKE:
        return _mixed_hand(state, seat)
    if state.phase == PAIR:
        return f"pairs:{','.join(_some_pairs(by_colour(state.pools[seat])))}"
    return ""


def _mixed_hand(state: State, seat: int) -> str:
    """The line that takes all that this seat has still to take: one of each colour in
    the pot, what it holds least of first, and the rest by chance."""
    pool = state.pools[seat]
    held, left = Counter(pool), TO_TAKE // len(state.pools) - len(pool)
    colours = sorted((c for c in COLOURS if state.pot[c]), key=lambda c: held[c])
    return f"take:{''.join(colours[:left])}" + ",any" * (left > 1)


def _rounds(state: State) -> str:
    rounds = state.options["rounds"]
    return f"This is round {state.round} of {rounds}." if rounds > 1 else ""


def _taking(state: State) -> str:
    there = "is" if next(filter(None, state.pot.values())) == 1 else "are"
    return (
        f"Walongs are being taken. There {there} {_named(state.pot)} left; the last "
        f"two will be the start pair."
    )


def _pairing(state: State) -> str:
    start = " and ".join(state.chain.cells.values())
    return (
        f"All walongs are taken, and the start pair, {start}, lies on the board. Now "
        f"all players join their walongs into pairs, at the same time; the pairs stay "
        f"secret until everybody has sent theirs."
    )


def _playing(state: State) -> str:
    return f"The open ends are {open_ends(state.chain)}."


def _my_taking(state: State, seat: int, moves: Sequence[Move]) -> Iterable[str]:
    pool, (colours, by_chance) = state.pools[seat], state.wishes[seat]
    share = TO_TAKE // len(state.pools)
    if len(pool) == share:
        return
    if pool:
        held = _named(Counter(pool))
        yield f"You hold {held}: {len(pool)} of your {share} walongs."
    else:
        yield f"You hold no walongs yet; your share will be {share}."
    if colours:
        wishes = f"{colours}, then by chance" if by_chance else colours
        yield f"Your remaining wishes, which nobody else sees: {wishes}."
    elif by_chance:
        yield "From here on chance takes for you, and nobody else knows that."
    if moves:
        yield _how_to_take(state, seat, len(pool) == share - 1)


def _how_to_take(state: State, seat: int, last: bool) -> str:
    one, two = _two_of(state)
    white = "You have rolled white: the colour is yours to choose. " * state.white
    line = _mixed_hand(state, seat)
    if last:
        return (
            f"{white}This is your last walong: send its colour, such as {line}, or "
            f"take:any to leave it to chance."
        )
    times = "whites" if state.white else "turns"
    rest = "all your other" if state.pools[seat] else "all your"
    return (
        f"{white}To take {rest} walongs with one line, send {line}: you get one of "
        f"each of these colours on your coming {times}, in this order, and the others "
        f"by chance. To take one walong and choose again next time, send take:{one}. "
        f"Wishes can be any colours, such as take:{one}{one}{two}, or "
        f"take:{one}{two},any to go on by chance after them. Send take:any to leave "
        "all to chance."
    )


def _two_of(state: State) -> tuple[str, str]:
    """Two colours of the pot for an example: the same one if there is no other."""
    left = [c for c in COLOURS if state.pot[c]]
    return left[0], left[-1]


def _my_pairing(state: State, seat: int, moves: Sequence[Move]) -> Iterable[str]:
    sealed, pool = state.sealed[seat], by_colour(state.pools[seat])
    if sealed is not None:
        pairs = ",".join(sealed) or "left to chance"
        yield f"Your pairs are sealed, and nobody else sees them yet: {pairs}."
        return
    example = ",".join(_some_pairs(pool))
    held = _named(Counter(pool))
    yield f"You hold {held}: {len(pool)} walongs, for {len(pool) // 2} pairs."
    yield (
        "Later you play one pair at a time, and a pair fits only at an open end of one "
        "of its colours."
    )
    yield (
        f"Send pairs: and all your pairs, with commas between them. Join your walongs "
        f"as you like: pairs:{example} is one way. Or send pairs:any to leave it to "
        "chance."
    )


def _some_pairs(pool: list[str]) -> tuple[str, ...]:
    """A whole sorted pool in pairs, of different colours as far as possible."""
    half = len(pool) // 2
    return canonical(map("".join, zip(pool[:half], pool[half:], strict=True)))


def _my_playing(state: State, seat: int, moves: Sequence[Move]) -> Iterable[str]:
    move = next(iter(moves), None)
    if not isinstance(move, Placing):
        return
    yield (
        f"To play, send a pair and two positions. A pair may be turned, and the half "
        f"that is named first touches an open end: {format_place(move)} puts "
        f"{move.touching} at {move.p} beside the open end and {move.opening} at "
        f"{move.q}, which becomes the open end."
    )


_PUBLIC = {TAKE: _taking, PAIR: _pairing, PLAY: _playing}
_PRIVATE = {TAKE: _my_taking, PAIR: _my_pairing, PLAY: _my_playing}
