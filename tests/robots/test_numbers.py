"""What robots say is so: every sentence is held to the rules, number by number, for
every game, with all options, and as well in a process that has long played.

A sentence is known by its form, whatever the game. One of no known form fails, so that
a game's own sentences must have a form here.
"""

import random
import re
import sys
from collections.abc import Callable, Iterator
from statistics import fmean
from typing import Any, NamedTuple

import pytest

from pbm_holomino import robots
from pbm_holomino.robots import games
from pbm_holomino.robots.contract import Budget, Forecast
from pbm_holomino.rules.chance import Chance
from tests import boards
from tests.boards import Case, outcomes
from tests.sizes import sized, some

LITTLE, NOTHING = Budget(steps=12), Budget(steps=0)
TURNS = sized(3, 12)  # of a game
CASES = some(boards.cases(several=sized(3, 30)), sized(28, 400))
every_case = pytest.mark.parametrize("case", CASES, ids=str)


class Turn(NamedTuple):
    """A turn of a seat, and the seats that have dropped out."""

    case: Case
    state: Any
    seat: int
    gone: tuple[int, ...]

    @property
    def others(self) -> list[int]:
        """The seats that play on with this one."""
        out = {self.seat, *self.gone}
        return [seat for seat in range(self.case.seats) if seat not in out]

    @property
    def scored(self) -> str:
        """What is scored, one of it: a point, unless it decides nothing."""
        scoring = self.case.game.SCORING
        return "point" if scoring.decides else str(scoring.points).removesuffix("s")

    def after(self, word: str) -> Any:
        """The state after a move, before anything is drawn."""
        game, state, seat = self.case.game, self.state, self.seat
        return game.play(state, seat, game.parse_move(state, seat, word))[0]

    def pools(self, state: Any) -> tuple[tuple[str, ...], ...]:
        """The tiles of each seat in a state of this game."""
        return self.case.game.view(state, None).pools

    def gain(self, word: str) -> int:
        """What a move scores."""
        scored: int = self.after(word).scores[self.seat] - self.state.scores[self.seat]
        return scored

    def lead(self, state: Any) -> int:
        """By how much this seat is better than the best of the others."""
        rank = self.case.game.SCORING.rank
        best = min(rank(state.scores[seat]) for seat in self.others)
        return best - rank(state.scores[self.seat])


def turns(case: Case, seed: int = 1) -> Iterator[Turn]:
    """A few turns of a game played at random from its start to its end. Where others
    can play on, somebody drops out in the middle."""
    found = [*_turns(case, seed, random.Random(f"{case} {seed}"))]
    yield from some(found, TURNS)


def _turns(case: Case, seed: int, dice: random.Random) -> Iterator[Turn]:
    game, chance, gone = case.game, Chance(bytes([seed]) * 32), tuple[int, ...]()
    state: Any = boards.begun(case, chance)
    leaves = dice.randrange(60) if case.seats > 2 else -1
    while seats := game.to_move(state):
        if not leaves:
            gone = (dice.choice(range(case.seats)),)
            state, _ = game.settle(game.drop(state, *gone), chance)
            seats = game.to_move(state)
        leaves -= 1
        for seat in seats[:1]:
            yield Turn(case, state, seat, gone)
            move = dice.choice(game.legal(state, seat))
            state, _ = game.settle(game.play(state, seat, move)[0], chance)


# What can come


def replies(turn: Turn, word: str, draws: int = 1) -> list[int]:
    """The most that the other can score at once after a move, for each way in which
    draws can fall; of those where it is the other's turn."""
    (other,), game, found = turn.others, turn.case.game, list[int]()
    for state in outcomes(game, turn.after(word), draws):
        if other in game.to_move(state):
            moves = game.legal(state, other)
            found.append(max(game.gains(state, moves)))
    return found


# What is said

_N = r"(-?[0-9.e+]+|nothing|none|hardly anything)"
_POINTS = rf"({_N} [a-z ]+?|nothing)"
Check = Callable[..., None]
FORMS: dict[str, Check] = {}


def said(form: str) -> Callable[[Check], Check]:
    """A sentence of this form is checked by this function."""

    def known(check: Check) -> Check:
        FORMS[form] = check
        return check

    return known


def check(text: str, *about: Any) -> None:
    """Check a sentence."""
    for form, checked in FORMS.items():
        if found := re.fullmatch(form, text):
            checked(*about, **found.groupdict())
            return
    raise AssertionError(f"nobody knows whether this is so: {text}")


def number(text: str) -> float:
    """A number as people write it."""
    if text in ("nothing", "none"):
        return 0
    assert re.fullmatch(r"(0|[1-9][0-9]*)(\.[1-9])?", text), text
    return float(text)


def amount(text: str, noun: str) -> float:
    """So many of something: the noun is of one only for one."""
    if text == "nothing":
        return 0
    word, _, counted = text.partition(" ")
    assert counted == (noun if word == "1" else f"{noun}s"), text
    return number(word)


SCORES = rf"It scores (?P<gain>{_POINTS}), "


@said(rf"{SCORES}and the game is over\.")
def _is_over(turn: Turn, word: str, gain: str) -> None:
    _scores(turn, word, gain)
    for state in outcomes(turn.case.game, turn.after(word)):
        assert turn.case.game.to_move(state) == ()


@said(rf"{SCORES}and your opponent cannot move\.")
def _cannot_move(turn: Turn, word: str, gain: str) -> None:
    _scores(turn, word, gain)
    for state in outcomes(turn.case.game, turn.after(word)):
        assert turn.case.game.to_move(state) == (turn.seat,)


@said(
    rf"{SCORES}(and|but) your opponent must draw first and can then score "
    r"(at most )?(?P<most>\S+)\."
)
def _must_draw(turn: Turn, word: str, gain: str, most: str) -> None:
    _scores(turn, word, gain)
    (other,), after = turn.others, turn.after(word)
    for state in outcomes(turn.case.game, after):
        if other in turn.case.game.to_move(state):
            assert len(turn.pools(state)[other]) > len(turn.pools(after)[other])
    assert max(replies(turn, word, 2)) == number(most)


@said(rf"{SCORES}(and|but) your opponent can score (?P<how>.+) in return\.")
def _in_return(turn: Turn, word: str, gain: str, how: str) -> None:
    _scores(turn, word, gain)
    (other,), after, found = turn.others, turn.after(word), replies(turn, word)
    ways, before = outcomes(turn.case.game, after), turn.pools(after)
    assert len(found) == len(ways)
    is_open = any(turn.pools(state)[other] != before[other] for state in ways)
    if how == "hardly anything":
        assert 0 < fmean(found) < 0.05
    elif how.startswith("about "):
        assert is_open
        assert number(how.removeprefix("about ")) == pytest.approx(
            fmean(found), abs=0.05001
        )
    else:
        assert number(how.removeprefix("at most ")) == max(found)


def _scores(turn: Turn, word: str, gain: str) -> None:
    assert amount(gain, "point") == turn.gain(word)


@said(rf"It gains (?P<gain>{_POINTS}) (on (?P<whom>.+) )?at once\.")
def _gains(turn: Turn, word: str, gain: str, whom: str | None) -> None:
    assert whom in (None, _them(turn, "the best of the others"))
    gained = turn.lead(turn.after(word)) - turn.lead(turn.state)
    assert amount(gain, turn.scored) == gained


@said(rf"It loses (?P<loss>{_POINTS}) to (?P<whom>.+) at once\.")
def _loses(turn: Turn, word: str, loss: str, whom: str) -> None:
    assert whom == _them(turn, "the best of the others")
    gained = turn.lead(turn.after(word)) - turn.lead(turn.state)
    assert amount(loss, turn.scored) == -gained


def _them(turn: Turn, several: str) -> str:
    return "your opponent" if len(turn.others) == 1 else several


@said(r"It wins the game\.")
def _wins(turn: Turn, word: str) -> None:
    assert turn.case.game.outcome(turn.after(word)) == (turn.seat,)


@said(
    r"It connects (?P<more>\S+) more (?P<noun>numbers?), (?P<then>but|and) your "
    r"opponent holds (?P<holds>a|no) tile that wins in return\."
)
def _connects(
    turn: Turn, word: str, more: str, noun: str, then: str, holds: str
) -> None:
    (other,), game, after = turn.others, turn.case.game, turn.after(word)
    assert turn.gain(word) == (0 if more == "no" else number(more))
    assert (noun == "number") == (more == "1")
    replies = [game.play(after, other, move)[0] for move in game.legal(after, other)]
    can_win = any(game.outcome(state) == (other,) for state in replies)
    assert (then, holds) == (("but", "a") if can_win else ("and", "no"))


@said(r"Nobody can play after it\.")
def _nobody_plays(turn: Turn, word: str) -> None:
    assert not sum(_fits(turn, word).values())


@said(
    rf"After it (?P<mine>{_N}) of your pairs fits? at an open end, and (?P<theirs>{_N})"
    r" of (?P<whom>.+)\."
)
def _fit(turn: Turn, word: str, mine: str, theirs: str, whom: str) -> None:
    assert whom == ("your opponent's" if len(turn.others) == 1 else "the others'")
    fits = _fits(turn, word)
    assert number(mine) == fits.get(turn.seat, 0)
    assert number(theirs) == sum(fits.get(seat, 0) for seat in turn.others)


def _fits(turn: Turn, word: str) -> dict[int, int]:
    """How many pairs of each seat that plays on could be played next, if it were
    theirs to play; nothing once the round has ended."""
    game, after = turn.case.game, turn.after(word)
    now, view = game.view(turn.state, None), game.view(after, None)
    if not game.to_move(after) or view.round != now.round:
        return {}
    fits = {}
    for seat in (turn.seat, *turn.others):
        moves = [game.format_move(move) for move in game.legal(after, seat)]
        pairs = {"".join(sorted(move.partition(":")[0])) for move in moves}
        fits[seat] = sum("".join(sorted(pair)) in pairs for pair in view.pools[seat])
    return fits


@said(
    r"In simulated rounds it ends ((?P<lead>\S+ \S+) (ahead|behind)|level) on average\."
)
def _simulated(turn: Turn, word: str, lead: str | None) -> None:
    """Nobody can be ahead by more pairs than there are."""
    view = turn.case.game.view(turn.state, None)
    there = sum(map(len, view.pools)) + view.sack
    if lead:
        assert 0 < amount(lead, "pair") <= there / 2 / turn.case.seats


# Hints


def sentences(turn: Turn) -> Iterator[tuple[str, str]]:
    """Moves, and what robots say of them."""
    view = turn.case.game.view(turn.state, turn.seat)
    for budget in (LITTLE, NOTHING):
        found = robots.analyse(turn.case.name, view, budget, random.Random(1))
        yield found.move, str(found.reason)
    if not turn.case.game.SECRETS or view.phase == "play":
        # and what would be said of other moves
        made = robots._made(turn.case.name, LITTLE)
        for word in some(view.legal, 4):
            (worth,) = made.worths(view, [word], LITTLE, random.Random(1))
            yield word, str(worth.reason)


@every_case
def test_a_hint_says_what_is_so(case: Case) -> None:
    for turn in turns(case):
        for word, text in sentences(turn):
            check(text, turn, word)


SMALL = {"pool_size": "1"}
DRAWING = [
    Case(case.name, 2, {**SMALL, **words})
    for case in boards.plain_cases()
    if {"pool_size"} <= {option.name for option in case.game.OPTIONS}
    for words in ({}, {"board_size": "8"})
]


@pytest.mark.parametrize("case", DRAWING, ids=str)
def test_a_player_who_must_draw_is_not_taken_for_beaten(case: Case) -> None:
    """With small pools and a small board few can move without a draw."""
    for seed in range(1, sized(3, 4)):
        for turn in turns(case, seed):
            for word, text in sentences(turn):
                check(text, turn, word)


# Talk

NUMERALS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
JUDGED = r"(?P<judged>(?:and|but) )?(?P<what>I .+)\."


@every_case
def test_a_remark_says_what_is_so(case: Case) -> None:
    for turn in turns(case):
        view = case.game.view(turn.state, turn.seat)
        for chance in (0.01, 0.12, 0.3, 0.5, 0.64, 0.97):
            said = robots.remark(case.name, view, Forecast(0, chance))
            check_remark(turn, str(said), chance)


def check_remark(turn: Turn, text: str, chance: float) -> None:
    """What is said of the lead, and of the chance."""
    lead = turn.lead(turn.state) if turn.case.game.SCORING.decides else 0
    head, comma, judged = text.removesuffix(".").rpartition(", ")
    if comma:
        ahead = re.fullmatch(r"(I am|You are) (\S+ points?) (ahead|behind)", head)
        assert ahead
        who, much, where = ahead.groups()
        assert amount(much, "point") == abs(lead) > 0
        assert ((who, where) == ("I am", "ahead")) == (lead > 0)
        assert who == "I am" or turn.case.seats == 2
        joined, _, judged = judged.partition(" ")
        fair = 1 / (len(turn.others) + 1)
        if abs(chance - fair) > 0.1:
            assert joined == ("and" if (chance > fair) == (lead > 0) else "but")
    else:
        assert lead == 0
    if found := re.search(r"about (\w+) games? in ten", judged):
        tenths = NUMERALS.index(found[1]) + 1
        assert ("games" in judged) == (tenths > 1)
        mine = 10 - tenths if "you win" in judged else tenths
        assert abs(10 * chance - mine) <= 0.5
    else:
        assert judged in {
            "I expect to win": chance >= 0.95,
            "I expect to lose": chance <= 0.05,
            "I think the game is open": 0.4 < chance < 0.6,
        }


# Cold and warm


def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have robots that have seen nothing yet."""
    for name in [*sys.modules]:
        package, _, game = name.rpartition(".")
        if package == games.__name__:
            monkeypatch.delitem(sys.modules, name)
            monkeypatch.setattr(games, game, None)  # which is undone with the test


@pytest.mark.parametrize("case", boards.plain_cases(), ids=str)
def test_a_robot_that_has_seen_much_judges_as_one_that_has_seen_nothing(
    case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = [turn for seed in range(1, sized(4, 12)) for turn in turns(case, seed)]
    for turn in seen:
        judged(turn)
    warm = [judged(turn) for turn in seen]
    for turn, expected in zip(seen, warm, strict=True):
        fresh(monkeypatch)
        assert judged(turn) == expected


def judged(turn: Turn) -> list[Any]:
    """What all levels play, and what is said of it."""
    view = turn.case.game.view(turn.state, turn.seat)
    found: list[Any] = [
        robots.load(turn.case.name, level)(view, LITTLE, random.Random(1))
        for level in robots.LEVELS
    ]
    found.append(robots.analyse(turn.case.name, view, LITTLE, random.Random(1)))
    return found
