"""A position that is changed in place is always what the rules come to."""

import random
from importlib import import_module
from typing import Any

import pytest

from pbm_holomino.robots import games
from pbm_holomino.rules.chance import Chance, Witness
from tests import boards
from tests.boards import Case
from tests.sizes import sized

DRAWING = ("hextad", "hextol", "holo")
CASES = [case for case in boards.cases(several=sized(4, 40)) if case.name in DRAWING]
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
    makes the same draws."""

    def __init__(self, case: Case) -> None:
        self.case, self.game, self.dice = case, case.game, random.Random(str(case))
        self.chance = Witness(Chance(self.dice.randbytes(32)))
        state = case.game.start(case.seats, case.options)
        self.state: Any = case.game.settle(state, self.chance)[0]
        self.position = opened(case, self.state, self._pick)

    def _pick(self, size: int) -> int:
        drawn = self.chance.draws.pop(0)
        assert drawn.size == size
        sack = self.position.sack
        found: int = sack.index(sorted(sack)[drawn.chosen])
        return found

    def play(self) -> None:
        """Make a move."""
        game, seat = self.game, self.state.turn
        move = self.dice.choice(game.legal(self.state, seat))
        self.chance.draws.clear()
        self.state, _ = game.play(self.state, seat, move)
        self.state, _ = game.settle(self.state, self.chance)
        self.position.make(self.named(game.format_move(move)))
        assert self.chance.draws == []

    def named(self, word: str) -> Any:
        """The position's move that is so written."""
        word_of = self.position.word
        (found,) = (move for _, move in self.position.moves() if word_of(move) == word)
        return found

    def gains(self) -> dict[str, int]:
        """The legal moves by the rules, with what each scores."""
        game, state = self.game, self.state
        gains = {}
        for move in () if state.over else game.legal(state, state.turn):
            after, _ = game.play(state, state.turn, move)
            gain = after.scores[state.turn] - state.scores[state.turn]
            gains[game.format_move(move)] = gain
        return gains


@every_case
def test_a_position_goes_through_a_game_and_back(case: Case) -> None:
    table, before = Played(case), []
    while not table.state.over:
        before.append(seen(table.position))
        table.play()
        assert seen(table.position) == seen(opened(case, table.state, table._pick))
        assert tuple(table.position.scores) == table.state.scores
    assert table.position.over
    assert table.position.moves() == []
    for expected in reversed(before):
        table.position.unmake()
        assert seen(table.position) == expected


@every_case
def test_the_moves_are_the_legal_ones_with_their_scores(case: Case) -> None:
    table = Played(case)
    for ply in range(boards.MOST_MOVES):
        if table.state.over:
            break
        if ply % sized(7, 2) == 0:
            check_moves(table)
        table.play()


def check_moves(table: Played) -> None:
    """The moves of a position, all and the best of them."""
    position, gains = table.position, table.gains()
    moves = position.moves()
    assert len(moves) == len(gains)
    assert {position.word(move): gain for gain, move in moves} == gains
    best = [gain for gain, _ in position.moves(5)]
    assert best == sorted(gains.values(), reverse=True)[:5]
    assert gains[position.word(position.reply())] == best[0]


@every_case
def test_the_prospect_is_the_best_score_to_be_expected(case: Case) -> None:
    """Over all tiles that may be drawn for the move, in a game in which one is."""
    table = Played(case)
    for _ in range(6):
        if not table.state.over:
            table.play()
    state = table.state
    prospect = opened(case, state).prospect()
    if state.over:
        assert prospect == 0
    elif case.name != "holo" or not state.sack:
        assert prospect == max(table.gains().values())
    else:
        seat, bests = state.turn, []
        for tile in state.sack:
            pools = list(state.pools)
            pools[seat] = (*pools[seat], tile)
            table.state = state._replace(pools=tuple(pools))
            bests.append(max(table.gains().values()))
        assert prospect == pytest.approx(sum(bests) / len(bests))
