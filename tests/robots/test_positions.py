"""A position that is changed in place is always what the rules come to."""

import random
from importlib import import_module
from typing import Any

import pytest

from pbm_holomino import rules
from pbm_holomino.robots import games
from pbm_holomino.rules.chance import Chance, Witness
from pbm_holomino.rules.options import configure
from tests import boards
from tests.boards import Case
from tests.sizes import sized, some


def draws_from_one_sack(name: str) -> bool:
    """Whether the robots' positions of a game have a sack that all draw from."""
    game = rules.load(name)
    return not game.SECRETS and len(game.start(2, configure(game, {})).sacks) == 1


DRAWN = [
    case
    for case in boards.cases(several=sized(2, 40))
    if draws_from_one_sack(case.name)
]
CASES = some(DRAWN, sized(24, 400))
EACH = sized(6, 1)  # of the plies of a game that are looked at closely
every_case = pytest.mark.parametrize("case", CASES, ids=str)


def opened(case: Case, *arguments: Any) -> Any:
    """The robots' position of this state."""
    return import_module(f"{games.__name__}.{case.name}").Position(*arguments)


def seen(position: Any) -> dict[str, Any]:
    """All that a position says of itself."""
    said = {name: value for name, value in vars(position).items() if name[0] != "_"}
    said |= {"sack": sorted(position.sack), "pools": [*map(list, position.pools)]}
    said |= {"scores": [*position.scores], "cells": dict(position.cells)}
    said |= {"frontier": dict(position.frontier)}
    if position.over:
        del said["turn"]
    return said


class Played:
    """A game played at random by the rules, and along with it on a position, which
    makes the same draws. `before` is the state before the last of them."""

    def __init__(self, case: Case) -> None:
        self.case, self.game, self.dice = case, case.game, random.Random(str(case))
        self.chance = Witness(Chance(self.dice.randbytes(32)))
        self.before: Any = case.game.start(case.seats, case.options)
        self.state: Any = case.game.settle(self.before, self.chance)[0]
        self.position = opened(case, self.state, self.pick)

    def pick(self, size: int) -> int:
        """The index in the position's sack of what was drawn by the rules."""
        drawn = self.chance.draws.pop(0)
        assert drawn.size == size
        sack = self.position.sack
        found: int = sack.index(sorted(sack)[drawn.chosen])
        return found

    def play(self) -> None:
        """Make a move."""
        game, (seat,) = self.game, self.game.to_move(self.state)
        move = self.dice.choice(game.legal(self.state, seat))
        self.chance.draws.clear()
        self.before, _ = game.play(self.state, seat, move)
        self.state, _ = game.settle(self.before, self.chance)
        self.position.make(self.named(game.format_move(move)))
        assert self.chance.draws == []

    def named(self, word: str) -> Any:
        """The position's move that is so written."""
        word_of = self.position.word
        (found,) = (move for _, move in self.position.moves() if word_of(move) == word)
        return found

    @property
    def is_on(self) -> bool:
        """Whether somebody is to move."""
        return bool(self.game.to_move(self.state))

    def legal(self) -> list[str]:
        """The legal moves by the rules."""
        (seat,) = self.game.to_move(self.state)
        return [*map(self.game.format_move, self.game.legal(self.state, seat))]

    def gain(self, word: str) -> int:
        """What a move scores by the rules."""
        (seat,) = self.game.to_move(self.state)
        move = self.game.parse_move(self.state, seat, word)
        after, _ = self.game.play(self.state, seat, move)
        gained: int = after.scores[seat] - self.state.scores[seat]
        return gained

    def best(self, state: Any) -> int:
        """The most that the player to move in a state of this game can score."""
        moves = [m for s in self.game.to_move(state) for m in self.game.legal(state, s)]
        return max(self.game.gains(state, moves), default=0)


@every_case
def test_a_position_goes_through_a_game_and_back(case: Case) -> None:
    table, before = Played(case), []
    while table.is_on:
        before.append(seen(table.position))
        table.play()
        if len(before) % EACH == 0 or not table.is_on:
            anew = opened(case, table.state, table.pick)
            assert seen(table.position) == seen(anew)
    assert table.position.over
    assert table.position.moves() == []
    for expected in reversed(before):
        table.position.unmake()
        assert seen(table.position) == expected


@every_case
def test_the_moves_are_the_legal_ones_with_their_scores(case: Case) -> None:
    table, played = Played(case), 0
    while table.is_on:
        if played % EACH == 0:
            check_moves(table)
        table.play()
        played += 1


def check_moves(table: Played) -> None:
    """The moves of a position: all of them, the best, and one that is found quickly."""
    position, legal = table.position, table.legal()
    gains = {position.word(move): gain for gain, move in position.moves()}
    assert len(position.moves()) == len(legal)
    assert sorted(gains) == sorted(legal)
    for word in some(legal, 30):
        assert gains[word] == table.gain(word)
    best = [gain for gain, _ in position.moves(5)]
    assert best == sorted(gains.values(), reverse=True)[:5]
    assert gains[position.word(position.reply())] == best[0]


@every_case
def test_the_prospect_is_the_best_score_to_be_expected(case: Case) -> None:
    """Over all tiles that may be drawn for the move, in a game in which one is."""
    table = Played(case)
    for _ in range(8):
        if table.is_on:
            table.play()
    is_drawn = case.name == "holo"  # in others only who cannot move draws before it
    state = table.before if is_drawn else table.state
    ways = boards.outcomes(table.game, state) if is_drawn else [state]
    expected = sum(map(table.best, ways)) / len(ways)
    assert opened(case, state).prospect() == pytest.approx(expected)
