"""Ids, links and letters to others are the same whatever a player plans, wishes or
seals, and robots answer the same moves."""

import random
from collections.abc import Callable, Iterator
from typing import NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from pbm_holomino.errors import PbmError
from pbm_holomino.letters import board_letters
from pbm_holomino.letters.letter import Letter
from pbm_holomino.match import queue as ahead
from pbm_holomino.match import replay
from pbm_holomino.match.board import Match
from pbm_holomino.match.record import ROBOT, Act, Line, Record
from pbm_holomino.match.tokens import Tokens
from pbm_holomino.rules import load, names
from pbm_holomino.rules.options import configure
from tests.boards import (
    CASES,
    KEY,
    MAIL,
    TIME,
    Case,
    letter_about,
    letter_id,
    line_of,
    notations,
    opened,
    seats_of,
    sent,
    twins,
    written,
)
from tests.instructions import is_linear
from tests.sizes import sized

PLANNER = "bob"
SEED = bytes(range(32))
TABLES = [(game, seats) for game in names() for seats in seats_of(game)]


class Pair(NamedTuple):
    """A board, the same one with what bob plans besides, and for each line of the first
    its index in the second."""

    bare: Match
    planned: Match
    places: tuple[int, ...]

    def both(self, line: Line) -> "Pair":
        """Both after a line that everybody may know of, and the queues that follow."""
        bare, planned = replay.after(self.bare, line), replay.after(self.planned, line)
        at = len(planned.record.log) - 1
        return Pair(bare, ahead.advanced(planned, TIME), (*self.places, at))

    def plan(self, dice: random.Random) -> "Pair":
        """The second after bob has planned something that is never played."""
        line, board = line_of(PLANNER), self.planned
        if PLANNER in board.turn:
            move = dice.choice(written(board, PLANNER))
            return self._replace(planned=ahead.submit(board, line, move))
        if ahead.queued(board, PLANNER) and dice.random() < 0.5:
            return self._replace(planned=ahead.empty(board, line))
        return self._replace(planned=ahead.queue(board, line, (never(board),)))


def never(board: Match) -> str:
    """A move that can be queued and is never played, as its number is too high."""
    return f"{written(board, board.turn[0])[0]}#901"


def begun(game: str, seats: int) -> Pair:
    """A new board on which the last player is a robot, where there are more than
    two."""
    players = ("alice", PLANNER, "robot2", "robot1")[:seats]
    version, options = load(game).VERSION, configure(load(game), {})
    record = Record(game, 1, version, (), False, options, SEED, (), challenger="alice")
    record = record._replace(robots=players[2:])
    opening = Line(0, TIME, "alice", MAIL, Act.CHALLENGE)
    board = replay.begin(record, players, opening)
    return Pair(board, board, (0,))


def played(pair: Pair, dice: random.Random) -> Pair:
    """Both after somebody has moved, said or offered something, if they could."""
    board = pair.bare
    who = dice.choice(board.turn)
    what: Act | str = dice.choice(written(board, who))
    if dice.random() < 0.3:
        who = dice.choice([*board.record.people])
        what = dice.choice([Act.CHAT, Act.PROPOSE, Act.UNDO, Act.ACCEPT, Act.REJECT])
    source = ROBOT if who in board.record.robots else MAIL
    try:
        return pair.both(Line(None, TIME, who, source, what))
    except PbmError:
        return pair


def steps_of(table: tuple[str, int], seed: int, steps: int) -> Iterator[Pair]:
    """Boards that are played by chance, from the new ones on."""
    dice, pair = random.Random(seed), begun(*table)
    yield pair
    for _ in range(steps):
        if not pair.bare.turn:
            break
        pair = played(pair.plan(dice) if dice.random() < 0.6 else pair, dice)
        yield pair


PLAYED = given(st.sampled_from(TABLES), st.integers(0, 10**6), st.integers(1, 14))


def told(letter: Letter) -> tuple[object, ...]:
    return letter[1:]  # all but its key, which names the line to the server alone


@settings(max_examples=sized(40, 600))
@PLAYED
def test_what_one_player_plans_changes_no_letter_to_another(
    table: tuple[str, int], seed: int, steps: int
) -> None:
    bare, planned, place = [*steps_of(table, seed, steps)][-1]
    for line, there in enumerate(place):
        who = set(board_letters.readers(bare, line))
        assert set(board_letters.readers(planned, there)) - who <= {PLANNER}
        assert place[bare.first_told(line)] == planned.first_told(there)
        assert place[bare.last_answer(line)] == planned.last_answer(there)
        for reader in who - {PLANNER}:
            letters = [letter_about(bare, line, reader)]
            letters += [letter_about(planned, there, reader)]
            assert told(letters[0]) == told(letters[1])
    for reader in {*bare.record.players} - {PLANNER}:
        last = [len(board.record.log) - 1 for board in (bare, planned)]
        ids = [letter_id(bare, last[0], reader), letter_id(planned, last[1], reader)]
        assert ids[0] == ids[1]
        one, other = Tokens(KEY, bare), Tokens(KEY, planned)
        assert one.page(last[0], reader) == other.page(last[1], reader)


@settings(max_examples=sized(15, 200))
@given(st.sampled_from(CASES), st.integers(0, 10**6), st.integers(0, 12))
def test_wishes_and_sealed_pairs_change_no_id(
    case: Case, seed: int, moves: int
) -> None:
    dice, board = random.Random(seed), opened(case, seed % 250)
    for _ in range(moves):
        if board.turn:
            who = dice.choice(board.turn)
            board = sent(board, who, dice.choice(notations(board, who)))
    for who in board.turn:
        for one, other in twins(board, who):
            last = len(one.record.log) - 1
            for reader in board.record.players:
                ids = [letter_id(twin, last, reader) for twin in (one, other)]
                pages = [Tokens(KEY, twin).page(last, reader) for twin in (one, other)]
                assert len({*ids}) == len({*pages}) == 1


@settings(max_examples=sized(20, 300))
@PLAYED
def test_each_id_and_each_link_leads_back_to_its_line(
    table: tuple[str, int], seed: int, steps: int
) -> None:
    """And no two letters to a player have the same id."""
    board = [*steps_of(table, seed, steps)][-1].planned
    tokens, log = Tokens(KEY, board), board.record.log
    for reader in board.record.players:
        found = dict[str, int]()
        for line in range(len(log)):
            if board.is_told_before(line) or reader not in board_letters.readers(
                board, line
            ):
                continue
            name, page = letter_id(board, line, reader), tokens.page(line, reader)
            assert name not in found
            found[name] = line
            *_, number, _, token = name.split(".")
            assert (line, token) in tokens.lines(int(number), reader)
            assert tokens.line(token, reader) == line
            *_, again, _, linked = page.split("/")
            assert again == number
            assert tokens.linked(int(number), reader, linked) == line
            assert tokens.line(linked, reader) is None
            assert tokens.linked(int(number), reader, token) is None
            others = [who for who in board.record.players if who != reader]
            assert all(tokens.line(token, who) is None for who in others)


@settings(max_examples=sized(20, 300))
@PLAYED
def test_hashes_that_go_on_with_the_log_are_those_of_the_whole_log(
    table: tuple[str, int], seed: int, steps: int
) -> None:
    """Also where two boards go on from the same one."""
    dice = random.Random(steps)
    for pair in steps_of(table, seed, steps):
        if dice.random() < 0.5:
            assert pair.planned.public.log
    for board in (pair.bare, pair.planned, pair.planned.at(0)):
        assert board.public.log.places == replay.replay(board.record).public.log.places


def test_a_token_is_held_against_many_plans_in_one_pass() -> None:
    """No line looks back at those before it."""
    board = begun("holo", 2).plan(random.Random(1)).planned
    record = board.record

    def searching(plans: int) -> Callable[[], None]:
        log = (*record.log, *[record.log[-1]] * plans)
        match = replay.replay(record._replace(log=log))

        def search() -> None:
            tokens = Tokens(KEY, match)
            assert tokens.line("a" * 16, "alice") is None
            assert not any(token == "a" * 16 for _, token in tokens.lines(0, "alice"))

        return search

    assert is_linear(searching, 100)
