"""Who is told what of moves sent ahead, in any game: each player all that has happened,
and nobody else what is left of a queue or a draft."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbm_holomino.errors import PbmError
from pbm_holomino.letters import board_letters
from pbm_holomino.match import queue as ahead
from pbm_holomino.match.board import Match, Step
from pbm_holomino.match.verdicts import ended
from tests.boards import (
    CASES,
    Case,
    act,
    asked,
    letter_about,
    line_of,
    move,
    notations,
    opened,
    queue,
    written_to,
)
from tests.prose import plain
from tests.sizes import sized

ALL = [*CASES, Case("walomino", 4, {}), Case("holo", 2, {"pool_size": "1"})]
ACTS = ["!propose", "!undo", "!undo", "!accept", "!accept", "!reject", "!chat"]

# Moves that can be queued and will never be played, as their numbers are too high.
NEVER = {
    "holo": ("123:17#901", "pass#902"),
    "hextol": ("24:7,8#901", "66:7,19#902"),
    "walomino": ("take:any#901", "pairs:any#902"),
}


def some_words(board: Match, dice: random.Random) -> list[str]:
    """Moves some of which may be legal one after the other."""
    words = []
    for _ in range(dice.randrange(1, 4)):
        who = dice.choice(board.turn)
        words.append(dice.choice(notations(board, who)))
    return words


def planned(case: Case, seed: int, steps: int, more: tuple[str, ...] = ()) -> Match:
    """A board on which one player, the first, plans; each of their queues ends with
    what is given besides, and is else the same."""
    dice, board = random.Random(seed), opened(case, seed % 250)
    planner = board.record.players[0]
    for _ in range(steps):
        if not board.turn:
            break
        what, who = dice.random(), dice.choice(board.turn)
        word, words = dice.choice(notations(board, who)), some_words(board, dice)
        anybody, did = dice.choice(board.record.players), dice.choice(ACTS)
        try:
            if what < 0.35:
                board = queue(board, planner, *words, *more)
            elif what < 0.4 and planner in board.turn:
                board = ahead.submit(board, line_of(planner), words[0])
            elif what < 0.42:
                board = act(board, anybody, "!resign")
            elif what < 0.8:
                board = move(board, who, word)
            else:
                board = act(board, anybody, did)
        except PbmError:
            continue
    return board


@settings(max_examples=sized(6, 120))
@given(st.sampled_from(ALL), st.integers(0, 10**6), st.integers(1, 30))
def test_the_rest_of_a_queue_changes_nothing_for_others(
    case: Case, seed: int, steps: int
) -> None:
    """Not even that there was something left, or that it has ended."""
    bare = planned(case, seed, steps)
    more = planned(case, seed, steps, NEVER[case.name])
    assert bare.state == more.state
    for reader in (None, *bare.record.players[1:]):
        assert asked(bare, reader) == asked(more, reader)
    for reader in bare.record.players[1:]:
        told = [
            [(letter.subject, letter.text) for letter in written_to(board, reader)]
            for board in (bare, more)
        ]
        assert told[0] == told[1]


def text_to(board: Match, index: int, reader: str) -> str:
    return letter_about(board, index, reader).text


@settings(max_examples=sized(5, 80))
@given(st.sampled_from(ALL), st.integers(0, 10**6), st.integers(1, 30))
def test_everybody_hears_of_everything_that_has_happened(
    case: Case, seed: int, steps: int
) -> None:
    """In the letter about its line, or about the line that queued moves follow; of what
    ends the game, in the verdict."""
    board = planned(case, seed, steps)
    log = board.record.log
    for index in range(len(log)):
        if log[index].source == "queue":
            continue
        last = board.last_told(index)
        told = [s for s in board.steps[index : last + 1] if not ends_by_an_act(s)]
        happened = [event for step in told for event in step.events]
        for reader in board.record.players:
            if reader not in board_letters.readers(board, index):
                assert not happened
                continue
            said, place = plain(text_to(board, index, reader)), 0
            for event in happened:
                who = board.record.players[event.seat]
                place = said.index(str(event.said.to(reader, who)), place) + 1
            if len(told) <= last - index:
                assert str(ended(board.at(last))) in said[place:]


def ends_by_an_act(step: Step) -> bool:
    """Whether the game ended here, and not by its rules."""
    return bool(step.events and step.result and step.result.reason != "score")


def test_sealed_pairs_are_submitted_to_oneself() -> None:
    board = opened(Case("walomino", 3, {"draft": "random"}))
    alice, bob, carol = board.record.players
    pairs = notations(board, alice)[-1]
    before = {who: asked(board, who) for who in (bob, carol)}
    board = ahead.submit(board, line_of(alice), pairs)
    assert board_letters.readers(board, 1) == (alice,)
    (letter,) = written_to(board, alice, 1)
    assert pairs in plain(letter.text)
    assert {who: asked(board, who) for who in (bob, carol)} == before
    board = move(board, bob, "pairs:any")  # its number is one of this phase still
    board = ahead.confirm(board, line_of(alice))
    assert board.turn == (carol,)
    for who in (bob, carol):
        assert pairs not in asked(board, who)
        assert pairs not in "".join(x.text for x in written_to(board, who))


@pytest.mark.parametrize("case", ALL, ids=str)
def test_a_submitted_move_draws_nothing(case: Case) -> None:
    board = opened(case)
    who = board.turn[0]
    sack = board.view(None).sack
    word = notations(board, who)[0]
    board = ahead.submit(board, line_of(who), word)
    (letter,) = written_to(board, who, 1)
    assert board.ply == 0
    said = plain(letter.text)
    assert f"would look after {word}. Nothing has been played yet." in said
    deeds = said.partition("Nothing has been played yet.")[2]
    assert f"{who} drew" not in deeds
    assert not any(f"{other} drew" in deeds for other in board.record.players)
    assert sack == 0 or f"{sack} tiles are left" in deeds
