"""A board as the replay of its log."""

import hashlib
import hmac
import random
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbm_holomino.errors import BadMove, IllegalMove, NotFound, NotYourTurn, PbmError
from pbm_holomino.match import replay
from pbm_holomino.match.board import Match, Result
from pbm_holomino.match.kinds.boards import KIND
from pbm_holomino.match.record import Act, Line, Record, from_data, to_data
from pbm_holomino.match.verdicts import verdict
from pbm_holomino.rules.games import holo
from pbm_holomino.store import yaml as strict
from tests.boards import action
from tests.rules.holo_table import options
from tests.sizes import sized

SEED = bytes(range(32))
TIME = "2026-11-20T04:12:33Z"
Words = Mapping[str, str]  # the options of a challenge
USUAL: Words = {}
SMALL: Words = {"num_digits": "4"}  # 8 tiles: a game is over after a few moves


def opened(seed: bytes = SEED, lot: bool = False, words: Words = USUAL) -> Match:
    """A new match; bob is named first."""
    record = Record("holo", 1, 1, (), lot, options(**words), seed, ())
    return replay.begin(
        record, ("bob", "alice"), Line(0, TIME, "-", "-", Act.CHALLENGE)
    )


def line(who: str, what: Act | str, mail: str = "-") -> Line:
    return Line(None, TIME, who, mail, action(what))


def moved(board: Match, what: Act | str) -> Match:
    """After a move of whose turn it is."""
    return replay.after(board, line(board.turn[0], what))


def played(board: Match, choose: random.Random, most: int = 99) -> Iterator[Match]:
    """The match after each of so many random moves."""
    while board.turn and most:
        board = moved(board, choose.choice(board.view(None).legal))
        most -= 1
        yield board


def from_file(board: Match) -> Match:
    """The match as it comes back from its file."""
    data = strict.load(strict.dump(to_data(board.record)))
    return replay.replay(from_data(data))


class NaiveMatch(NamedTuple):
    """A match at its start, and after each of its moves."""

    boards: tuple[Match, ...]

    @property
    def last(self) -> Match:
        return self.boards[-1]


@st.composite
def games(draw: st.DrawFn) -> NaiveMatch:
    """Random games, whole or begun, some resigned."""
    words = draw(st.sampled_from([USUAL, SMALL, {"rules": "brettspielnetz"}]))
    seed, lot = draw(st.binary(min_size=32, max_size=32)), draw(st.booleans())
    start, resigned = opened(seed, lot, words), draw(st.booleans())
    choose = random.Random(draw(st.integers(0, 999_999)))
    boards = [start, *played(start, choose, draw(st.integers(0, 99)))]
    if resigned and boards[-1].turn:
        who = choose.choice(boards[-1].record.players)
        boards.append(replay.after(boards[-1], line(who, "!resign")))
    return NaiveMatch(tuple(boards))


@given(games())
@settings(max_examples=sized(10, 30))
def test_replay_gives_the_state(game: NaiveMatch) -> None:
    assert from_file(game.last) == game.last


@given(games(), st.integers(0, 99))
@settings(max_examples=sized(10, 30))
def test_each_moment_is_found_again(game: NaiveMatch, index: int) -> None:
    index %= len(game.boards)
    then = game.boards[index]
    assert game.last.at(index) == then
    found = game.last.after_ply(then.ply)
    # a resignation, which is no move, has left the state as it was
    assert (found.state, found.ply) == (then.state, then.ply)


def test_moves_are_counted_from_1_and_0_is_the_start() -> None:
    *_, board = played(opened(), random.Random(1), 5)
    assert board.ply == 5
    assert [entry.no for entry in board.record.log] == [0, 1, 2, 3, 4, 5]
    assert board.after_ply(0) == opened()
    with pytest.raises(NotFound, match="holo 1 has no move 6 yet: the last is move 5"):
        board.after_ply(6)


def test_the_log_holds_the_canonical_move() -> None:
    board = opened()
    move = board.view(None).legal[0]
    tile, _, position = move.partition(":")
    for face in (tile, tile[1:] + tile[0], tile[2] + tile[:2]):
        assert moved(board, f"{face}:{position}").record.log[-1].action == move


def test_the_first_named_moves_first() -> None:
    assert opened().turn == ("bob",)
    assert moved(opened(), opened().view(None).legal[0]).turn == ("alice",)


# Draws


def drawn(seed: bytes, number: int, among: int) -> int:
    """A draw by the published formula; no value comes near to being passed over."""
    digest = hmac.new(seed, str(number).encode(), hashlib.sha256).hexdigest()
    assert int(digest, 16) < (1 << 256) // among * among
    return int(digest, 16) % among


@given(st.binary(min_size=32, max_size=32))
@settings(max_examples=sized(8, 20))
def test_seating_by_lot_is_the_first_draw(seed: bytes) -> None:
    names = ["alice", "bob"]
    first = names.pop(drawn(seed, 1, 2))
    board = opened(seed, lot=True)
    assert board.record.players == (first, *names)
    tiles = list(holo.tile_set(board.record.options))
    dealt = [tiles.pop(drawn(seed, 2 + n, len(tiles))) for n in range(8)]
    view = board.view(None)
    assert view.pools == ((*dealt[:3], dealt[7]), tuple(dealt[3:6]))
    assert view.drawing.faces == {0: dealt[6]}


def test_without_lot_the_deal_begins_with_the_first_draw() -> None:
    board = opened()
    tiles = list(holo.tile_set(board.record.options))
    dealt = [tiles.pop(drawn(SEED, 1 + n, len(tiles))) for n in range(8)]
    assert board.view(None).pools == ((*dealt[:3], dealt[7]), tuple(dealt[3:6]))


def test_draws_do_not_depend_on_the_moves() -> None:
    tiles, logs = [], []
    for pick in (0, -1):
        board, drew = opened(), []
        for _ in range(10):
            drew.append(board.view(None).drawn)
            board = moved(board, board.view(None).legal[pick])
        tiles.append(drew)
        logs.append(board.record.log)
    assert logs[0] != logs[1]
    assert tiles[0] == tiles[1]


def test_the_same_moves_bring_the_same_tiles() -> None:
    one = list(played(opened(), random.Random(1), 20))
    other = list(played(opened(), random.Random(1), 20))
    assert one == other
    elsewhere = opened(bytes(32))
    assert elsewhere.view(None).pools != opened().view(None).pools


# The ends


def test_a_player_who_resigns_has_lost() -> None:
    board = next(played(opened(), random.Random(1)))
    assert board.turn == ("alice",)
    over = replay.after(board, line("bob", "!resign"))  # it needs no turn
    assert over.result == Result(("alice",), "resigned")
    assert (over.status, over.turn, over.ply) == ("over", (), 1)
    # nobody can move any more, and the picture offers nothing
    assert over.view(None).legal == ()
    labels = over.view(None).drawing.labels.values()
    assert {label.text for label in labels} <= {"x"}
    assert over.record.log[-1] == Line(None, TIME, "bob", "-", Act.RESIGN)
    assert str(verdict(over)) == "alice won, as bob resigned"
    for more in ("!resign", board.view(None).legal[0]):
        with pytest.raises(NotYourTurn, match="over"):
            replay.after(over, line("alice", more))


def ended(draw: bool) -> Match:
    """A game that was played to its end, and is a draw or not."""
    for seed in range(200):
        *_, board = played(
            opened(bytes(31) + bytes([seed]), words=SMALL), random.Random(3)
        )
        if (len(set(board.scores.values())) == 1) == draw:
            return board
    raise AssertionError("no such game among 200")


def test_the_highest_score_wins() -> None:
    board = ended(draw=False)
    winner = max(board.scores, key=lambda player: board.scores[player])
    assert board.result == Result((winner,), "score")
    assert (board.status, board.turn) == ("over", ())
    points = sorted(board.scores.values())
    assert str(verdict(board)) == f"{winner} won, {points[1]} to {points[0]}"


def test_equal_scores_are_a_draw() -> None:
    board = ended(draw=True)
    assert board.result == Result(("bob", "alice"), "score")
    assert board.status == "over"
    points = board.scores["bob"]
    said = str(verdict(board))
    assert said == f"bob and alice tied, {points} to {points}"


# Going on from an earlier match


def test_a_longer_log_goes_on_from_any_earlier_match() -> None:
    begun = opened()
    boards = [begun, *played(begun, random.Random(3), 6)]
    asks = line(boards[-1].record.log[-1].who, Act.UNDO)
    boards.append(replay.after(boards[-1], asks))
    boards.append(moved(boards[-1], Act.ACCEPT))
    assert boards[-1].ply < boards[-2].ply
    boards += played(boards[-1], random.Random(4), 2)
    boards.append(moved(boards[-1], Act.RESIGN))
    for number, earlier in enumerate(boards):
        for later in boards[number:]:
            found = replay.replay(later.record, earlier=earlier)
            assert found == later
            kept = zip(found.steps, earlier.steps, strict=False)
            assert all(one is other for one, other in kept)


def test_notes_may_have_changed_since_then() -> None:
    earlier = replay.with_note(next(played(opened(), random.Random(3))), "Hello!")
    later = moved(earlier, earlier.view(None).legal[0])
    without = later.record._replace(notes={})
    found = replay.replay(without, earlier=earlier)
    assert found.record == without
    assert found.steps[-2] is earlier.steps[-1]


def test_a_match_with_another_beginning_is_no_help() -> None:
    """Somebody has edited the file, or it is another board's."""
    first, second, *_ = played(opened(), random.Random(3))
    other = moved(opened(), opened().view(None).legal[-1])
    assert other.record.log != first.record.log
    for board in (other, opened(bytes(32)), opened(words=SMALL), opened()):
        for earlier in (first, second):
            assert replay.replay(board.record, earlier=earlier) == board


def test_the_new_lines_are_judged_like_all_others() -> None:
    board = next(played(opened(), random.Random(3)))
    with pytest.raises(PbmError):
        tampered(board, line(board.turn[0], "123:9000"), earlier=board)


# Refusals


def test_a_stranger_may_not_play() -> None:
    with pytest.raises(NotYourTurn, match=r"do not play on holo 1.*bob and alice"):
        replay.after(opened(), line("carol", opened().view(None).legal[0]))
    with pytest.raises(NotYourTurn, match="do not play"):
        replay.after(opened(), line("carol", "!resign"))


def test_a_move_out_of_turn_is_answered_with_whose_turn_it_is() -> None:
    with pytest.raises(NotYourTurn, match="bob"):
        replay.after(opened(), line("alice", opened().view(None).legal[0]))


def test_an_illegal_move_is_quoted() -> None:
    tile = opened().view(None).pools[0][0]
    with pytest.raises(IllegalMove, match=f'"{tile}:0".*taken'):
        replay.after(opened(), line("bob", f"{tile}:0"))


@pytest.mark.parametrize("what", ["nonsense", "123", "pass:"])
def test_a_word_that_is_not_a_move_is_refused(what: Act | str) -> None:
    with pytest.raises(BadMove):
        replay.after(opened(), line("bob", what))


def tampered(board: Match, *log: Line, earlier: Match | None = None) -> Match:
    record = board.record._replace(log=(*board.record.log, *log))
    return replay.replay(record, earlier=earlier)


def test_a_log_that_goes_on_after_the_end_is_refused() -> None:
    over = replay.after(opened(), line("alice", "!resign"))
    move = line("bob", opened().view(None).legal[0])
    for more in (move, line("bob", "!resign")):
        with pytest.raises((PbmError, ValueError)):
            tampered(over, more)


def test_a_log_with_an_illegal_move_is_refused() -> None:
    move = opened().view(None).legal[0]
    with pytest.raises(PbmError):
        tampered(opened(), line("bob", "123:9000"))
    with pytest.raises(PbmError):
        tampered(opened(), line("alice", move))


@pytest.mark.parametrize("what", ["!", "!foo"])
def test_an_unknown_act_is_refused(what: str) -> None:
    with pytest.raises(ValueError, match="is not a valid Act"):
        line("bob", what)


@pytest.mark.parametrize("what", [Act.CHALLENGE, Act.REMATCH, Act.PAIR])
def test_a_log_that_opens_its_board_twice_is_refused(what: Act) -> None:
    with pytest.raises(LookupError):
        tampered(opened(), line("bob", what))


def test_a_log_must_begin_with_the_line_that_opens_the_board() -> None:
    board = next(played(opened(), random.Random(1)))
    for log in ((), board.record.log[1:]):
        with pytest.raises((PbmError, LookupError, ValueError)):
            replay.replay(board.record._replace(log=log))


@pytest.mark.parametrize(
    "players", [("bob",), ("bob", "bob"), ("bob", "alice", "carol")]
)
def test_a_record_for_too_few_or_too_many_is_refused(players: tuple[str, ...]) -> None:
    with pytest.raises((PbmError, LookupError, ValueError)):
        replay.replay(opened().record._replace(players=players))


# Previews


def test_a_preview_plays_and_draws_nothing() -> None:
    board = opened()
    move = board.view(None).legal[0]
    after = replay.preview(board, move)
    assert after is not None
    assert after.ply == 1
    assert set(after.view(None).drawing.faces) == {0, int(move.partition(":")[2])}
    assert after.view(None).sack == board.view(None).sack
    assert after.view(None).drawn is None
    assert after.view(None).pools[1] == board.view(None).pools[1]
    assert board == opened()


def test_a_preview_ends_where_a_draw_is_due() -> None:
    board = opened()
    after = replay.preview(board, board.view(None).legal[0])
    assert after is not None
    assert replay.preview(after, "123:1") is None


def with_empty_sack() -> Match:
    """A match with an empty sack and some moves left."""
    for board in played(opened(words=SMALL), random.Random(1)):
        if board.turn and not board.view(None).sack:
            return board
    raise AssertionError("the sack has never been empty")


def test_a_preview_goes_on_where_no_draw_is_due() -> None:
    board = with_empty_sack()
    first = board.view(None).legal[0]
    real, after = moved(board, first), replay.preview(board, first)
    assert after is not None
    assert after.turn == real.turn != ()
    second = real.view(None).legal[0]
    after = replay.preview(after, second)
    assert after is not None
    assert after.ply == board.ply + 2
    assert after.scores == moved(real, second).scores


@pytest.mark.parametrize("what", ["nonsense", "123:9000", "!resign", "!foo"])
def test_a_preview_judges_the_move(what: str) -> None:
    with pytest.raises(BadMove):
        replay.preview(opened(), what)


# What came with a line


def test_a_note_belongs_to_its_line_and_is_kept() -> None:
    noted = replay.with_note(opened(), "Hello!")
    assert noted.record.notes == {0: "Hello!"}
    board = replay.with_note(moved(noted, noted.view(None).legal[0]), "Your turn.")
    assert board.record.notes == {0: "Hello!", 1: "Your turn."}
    assert from_file(board) == board


def test_a_mail_is_found_by_its_line() -> None:
    board = opened()
    move = line("bob", board.view(None).legal[0], "3f9c0011aabbccdd")
    board = replay.after(board, move)
    assert KIND.line_from(board, "3f9c0011aabbccdd", "bob") == 1
    assert KIND.line_from(board, "0000000000000000", "bob") is None
    assert KIND.line_from(board, "-", "bob") is None
