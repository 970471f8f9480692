"""What a reader of a Walomino board is told besides the picture."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from pbm_holomino.languages import Listed, Sentence, of_number, sentence, together
from pbm_holomino.rules.games.walomino.chain import (
    COLOURS,
    Placing,
    by_colour,
    format_place,
    open_ends,
)
from pbm_holomino.rules.games.walomino.moves import PAIR, PLAY, TAKE, Move, canonical
from pbm_holomino.rules.games.walomino.state import TO_TAKE, State

# Items of a list of walongs
_NAMED = {
    "R": of_number("{n} red (R)", "{n} red (R)"),
    "G": of_number("{n} green (G)", "{n} green (G)"),
    "Y": of_number("{n} yellow (Y)", "{n} yellow (Y)"),
    "P": of_number("{n} purple (P)", "{n} purple (P)"),
    "B": of_number("{n} black (B)", "{n} black (B)"),
}
_ROUND = sentence("This is round {round} of {rounds}.")
# `n` is the number of those that are named first.
_TAKING = of_number(
    "The players take walongs, the curled tiles of this game, of which each later "
    "joins theirs into pairs. There is {walongs} left; the last two will be the start "
    "pair.",
    "The players take walongs, the curled tiles of this game, of which each later "
    "joins theirs into pairs. There are {walongs} left; the last two will be the start "
    "pair.",
)
_PAIRING = sentence(
    "All walongs are taken, and the start pair, {walongs}, lies on the board. Now all "
    "players join their walongs into pairs, at the same time; the pairs stay secret "
    "until everybody has sent theirs."
)
_PLAYING = sentence("The open ends are {ends}.")
_HOLD_SOME = of_number(
    "You hold {walongs}: {held} of your {n} walong.",
    "You hold {walongs}: {held} of your {n} walongs.",
)
_HOLD_NONE = sentence("You hold no walongs yet; your share will be {share}.")
_WISHES = sentence("Your remaining wishes, which nobody else sees: {wishes}.")
_WISHES_THEN_CHANCE = sentence(
    "Your remaining wishes, which nobody else sees: {wishes}, then by chance."
)
_CHANCE = sentence("From here on chance takes for you, and nobody else knows that.")
_WHITE = sentence("You have rolled white: the colour is yours to choose.")
_LAST = sentence(
    "This is your last walong: send its colour, such as {move}, or take:any to leave "
    "it to chance."
)
# How to take all walongs with one line, when some have been taken already, or none.
_ON_TURNS = (
    sentence(
        "To take all your other walongs with one line, send {move}: you get one of "
        "each of these colours on your coming turns, in this order, and the others by "
        "chance."
    ),
    sentence(
        "To take all your walongs with one line, send {move}: you get one of each of "
        "these colours on your coming turns, in this order, and the others by chance."
    ),
)
_ON_WHITES = (
    sentence(
        "To take all your other walongs with one line, send {move}: you get one of "
        "each of these colours on your coming whites, in this order, and the others by "
        "chance."
    ),
    sentence(
        "To take all your walongs with one line, send {move}: you get one of each of "
        "these colours on your coming whites, in this order, and the others by chance."
    ),
)
_ONE = sentence(
    "To take one walong and choose again next time, send {move}. Wishes can be any "
    "colours, such as {wishes}, or {then_chance} to go on by chance after them. Send "
    "take:any to leave all to chance."
)
_SEALED = sentence("Your pairs are sealed, and nobody else sees them yet: {pairs}.")
_LEFT_TO_CHANCE = sentence(
    "Your pairs are sealed, and nobody else sees them yet: left to chance."
)
_HOLD_ALL = of_number(
    "You hold {walongs}: {n} walong, for {pairs} pairs.",
    "You hold {walongs}: {n} walongs, for {pairs} pairs.",
)
_LATER = sentence(
    "Later you play one pair at a time, and a pair fits only at an open end of one of "
    "its colours."
)
_JOIN = sentence(
    "Send pairs: and all your pairs, with commas between them. Join your walongs as "
    "you like: {move} is one way. Or send pairs:any to leave it to chance."
)
_PLAY = sentence(
    "To play, send a pair and two positions. A pair may be turned, and the half that "
    "is named first touches an open end: {move} puts {touching} at {first} beside the "
    "open end and {opening} at {second}, which becomes the open end."
)


def _named(walongs: Mapping[str, int]) -> Listed:
    """How many walongs of each colour there are: 3 red (R) and 1 black (B)."""
    return Listed(_NAMED[c].of(n=walongs[c]) for c in COLOURS if walongs[c])


def remarks(
    state: State, seat: int | None, moves: Sequence[Move]
) -> tuple[Sentence, ...]:
    """What everybody knows, and what this reader can do; `moves` are those that the
    reader may make now. A seat's secrets are told to that seat alone."""
    if state.over:
        return ()
    rounds = state.options["rounds"]
    told = [_ROUND.of(round=state.round, rounds=rounds)] if rounds > 1 else []
    told.append(_PUBLIC[state.phase](state))
    if seat is not None and seat not in state.dropped:
        told += _PRIVATE[state.phase](state, seat, moves)
    return tuple(told)


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


def _taking(state: State) -> Sentence:
    first = next(filter(None, state.pot.values()))
    return _TAKING.of(n=first, walongs=_named(state.pot))


def _pairing(state: State) -> Sentence:
    return _PAIRING.of(walongs=Listed(state.chain.cells.values()))


def _playing(state: State) -> Sentence:
    return _PLAYING.of(ends=open_ends(state.chain))


def _my_taking(state: State, seat: int, moves: Sequence[Move]) -> Iterable[Sentence]:
    pool, (colours, by_chance) = state.pools[seat], state.wishes[seat]
    share = TO_TAKE // len(state.pools)
    if len(pool) == share:
        return
    if pool:
        yield _HOLD_SOME.of(n=share, walongs=_named(Counter(pool)), held=len(pool))
    else:
        yield _HOLD_NONE.of(share=share)
    if colours:
        yield (_WISHES_THEN_CHANCE if by_chance else _WISHES).of(wishes=colours)
    elif by_chance:
        yield _CHANCE
    if moves:
        how = _how_to_take(state, seat, len(pool) == share - 1)
        yield together([_WHITE, *how]) if state.white else together(how)


def _how_to_take(state: State, seat: int, last: bool) -> Sequence[Sentence]:
    move = _mixed_hand(state, seat)
    if last:
        return [_LAST.of(move=move)]
    one, two = _two_of(state)
    ways = _ON_WHITES if state.white else _ON_TURNS
    return [
        ways[not state.pools[seat]].of(move=move),
        _ONE.of(
            move=f"take:{one}",
            wishes=f"take:{one}{one}{two}",
            then_chance=f"take:{one}{two},any",
        ),
    ]


def _two_of(state: State) -> tuple[str, str]:
    """Two colours of the pot for an example: the same one if there is no other."""
    left = [c for c in COLOURS if state.pot[c]]
    return left[0], left[-1]


def _my_pairing(state: State, seat: int, moves: Sequence[Move]) -> Iterable[Sentence]:
    sealed, pool = state.sealed[seat], by_colour(state.pools[seat])
    if sealed is not None:
        yield _SEALED.of(pairs=",".join(sealed)) if sealed else _LEFT_TO_CHANCE
        return
    held = _named(Counter(pool))
    yield _HOLD_ALL.of(n=len(pool), walongs=held, pairs=len(pool) // 2)
    yield _LATER
    yield _JOIN.of(move=example(state, seat))


def _some_pairs(pool: list[str]) -> tuple[str, ...]:
    """A whole sorted pool in pairs, of different colours as far as possible."""
    half = len(pool) // 2
    return canonical(map("".join, zip(pool[:half], pool[half:], strict=True)))


def _my_playing(state: State, seat: int, moves: Sequence[Move]) -> Iterable[Sentence]:
    move = next(iter(moves), None)
    if not isinstance(move, Placing):
        return
    yield _PLAY.of(
        move=format_place(move),
        touching=move.touching,
        first=move.p,
        opening=move.opening,
        second=move.q,
    )


_PUBLIC = {TAKE: _taking, PAIR: _pairing, PLAY: _playing}
_PRIVATE = {TAKE: _my_taking, PAIR: _my_pairing, PLAY: _my_playing}
