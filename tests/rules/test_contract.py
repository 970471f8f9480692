"""What holds of every game that there is: those in `rules/`, whatever they are."""

import random
import re
from copy import deepcopy
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from pbm_holomino.draw.text import draw
from pbm_holomino.errors import BadMove, BadOption
from pbm_holomino.letters import help as pages
from pbm_holomino.match import record, replay
from pbm_holomino.match.board import Match
from pbm_holomino.rules import games, load, names
from pbm_holomino.rules.chance import Chance
from pbm_holomino.rules.contract import (
    AnyGame,
    Drawing,
    Game,
    State,
    View,
    without_moves,
)
from pbm_holomino.rules.options import RANDOM, Option, configure
from pbm_holomino.store import yaml as strict
from tests import boards
from tests.boards import Case
from tests.paths import ROOT
from tests.sizes import sized, some

HELP = Path(pages.__file__).parent
EVERY = boards.cases(several=sized(1, 6))
PLAIN = boards.plain_cases()
NO_MOVES = ["", "x", ":", "1", "1:", "1:1", "12:1,2,3", "rg:1", "any", "take:", "0"]
NO_MOVES += ["pairs:", "pairs:r", "take:rx", "pass:", "swap", "9" * 100, "11:1,1"]
NO_MOVES += ["111:99999", "pass:999", "rr:1,99999", "take:any,any", "\u0663:\u0661"]

every_case = pytest.mark.parametrize("case", some(EVERY, 22), ids=str)
plain_case = pytest.mark.parametrize("case", PLAIN, ids=str)
DRAFTS = [case for case in EVERY if {*case.words} <= {"draft"}]
draft_case = pytest.mark.parametrize("case", some(DRAFTS, 7), ids=str)
every_game = pytest.mark.parametrize("name", names())


# The module


@every_game
def test_a_game_has_all_that_the_protocol_names(name: str) -> None:
    game = load(name)
    asked = {*Game.__annotations__, *vars(Game)} - {*vars(type)}
    public = {word for word in asked if not word.startswith("_")}
    assert len(public) > 15
    assert [word for word in sorted(public) if not hasattr(game, word)] == []
    least, most = game.SEATS
    assert 2 <= least <= most


@every_game
def test_mypy_checks_each_game_against_the_contract(name: str) -> None:
    """By a line in its module, which an incompatible method makes an error."""
    module = import_module(f"{games.__name__}.{name}")
    source = Path(str(module.__file__)).read_text("utf-8")
    assert re.search(r"^GAME: Game\[.+\] = \w+\(\)$", source, re.MULTILINE)


@every_game
def test_a_game_has_its_command_its_link_and_its_line(name: str) -> None:
    script = f"    {name} = pbm_holomino.handover.shell:main\n"
    assert script in (ROOT / "setup.cfg").read_text()
    link = ROOT / "bin" / name
    assert link.is_symlink()
    assert link.resolve() == ROOT / "bin" / "pbm"
    assert name in pages.page("commands")


# Options


def test_the_cases_try_every_option_and_every_number_of_players() -> None:
    for name in names():
        mine = [case for case in EVERY if case.name == name]
        assert {case.seats for case in mine} == {c.seats for c in PLAIN if c[0] == name}
        tried = {word for case in mine for word in case.words} - {"rules"}
        assert tried == {option.name for option in load(name).OPTIONS}


@every_case
def test_options_have_the_values_that_were_typed(case: Case) -> None:
    options, words = case.options, {**case.words}
    assert list(options) == [option.name for option in case.game.OPTIONS]
    preset = case.game.PRESETS[words.pop("rules")] if "rules" in words else {}
    assert {name: options[name] for name in preset} == preset
    assert {name: boards.word_of(options[name]) for name in words} == words


@every_game
def test_a_preset_is_weaker_than_a_word(name: str) -> None:
    game = load(name)
    for preset, values in game.PRESETS.items():
        for option in (o for o in game.OPTIONS if o.name in values):
            usual = configure(game, {})
            other = next(
                v for v in boards.values_of(option, usual) if v != values[option.name]
            )
            given = {"rules": preset, option.name: boards.word_of(other)}
            assert configure(game, given)[option.name] == other


@every_game
def test_numbers_beyond_their_limits_are_refused_with_the_limits(name: str) -> None:
    game, chosen = load(name), dict[str, Any]()
    for option in game.OPTIONS:
        if option.limits:
            least, greatest, _ = option.limits(chosen)
            for number in {max(least - 1, 0), greatest + 1} - {least}:
                refused = refusal(game, option, str(number))
                assert f"-{option.name}={number}" in refused
                assert f"{least} to {greatest}" in refused
        assert f"-{option.name}" in refusal(game, option, "?")
        chosen[option.name] = boards.within(option, chosen)


def refusal(game: AnyGame, option: Option, word: str) -> str:
    with pytest.raises(BadOption) as caught:
        configure(game, {option.name: word})
    return str(caught.value)


# The engine


@every_case
def test_games_end_and_their_states_are_sound(case: Case) -> None:
    game = case.game
    for seed in range(sized(1, 3)):
        for state in boards.moments(case, seed):
            assert game.settle(state, Chance(bytes(32))) == (state, ())
            assert bool(game.to_move(state)) == (game.outcome(state) is None)
            check_view(case, state)
        if not game.SCORING.decides:
            assert {*(game.outcome(state) or ())} <= {*range(case.seats)}
            continue
        ranks = [game.SCORING.rank(score) for score in state.scores]
        best = tuple(seat for seat in range(case.seats) if ranks[seat] == min(ranks))
        assert game.outcome(state) == best


def check_view(case: Case, state: State) -> None:
    game, view = case.game, case.game.view(state, None)
    assert len(view.scores) == len(view.pools) == case.seats
    turn = game.to_move(state)
    first = game.legal(state, turn[0]) if turn else ()
    assert view.legal == tuple(map(game.format_move, first))
    assert bool(view.legal) == bool(turn)
    assert view.sack >= 0
    assert game.due(state) == ""
    assert game.SECRETS or all(
        game.view(state, seat) == view._replace(seat=seat) for seat in range(case.seats)
    )
    check_drawing(view)
    check_proposal(case, state)


def check_drawing(view: View) -> None:
    drawing, bare = view.drawing, without_moves(view)
    assert {at for pair in drawing.joints for at in pair} <= {*drawing.faces}
    numbered = {at for at, label in drawing.labels.items() if label.kind == "move"}
    assert not numbered & {*drawing.faces, *view.blocked}
    assert all(drawing.labels[at].text == str(at) for at in numbered)
    found = (_MOVE.fullmatch(move) for move in view.proposal.moves)
    named = {int(at) for move in found if move for at in move[1].split(",")}
    assert named - {*drawing.faces} <= numbered
    assert {*bare.drawing.labels} == {*drawing.labels} - numbered
    assert (bare.legal, bare.proposal.moves, bare.blocked) == ((), (), view.blocked)


# A move that puts a tile somewhere: 123:17, 24:7,8, RG:7,8.
_MOVE = re.compile(r"(?:\d+|[A-Z]+):(\d+(?:,\d+)*)")


def check_proposal(case: Case, state: State) -> None:
    """What is proposed to each seat that may move can be played; where a letter lists
    it, it is all of the listed moves that there are or some of them."""
    game = case.game
    for seat in game.to_move(state):
        proposal = game.view(state, seat).proposal
        assert proposal.moves
        for text in proposal.moves:
            move = game.parse_move(state, seat, text)
            assert game.format_move(move) == text
            game.play(state, seat, move)
        written = set(map(game.format_move, game.legal(state, seat)))
        assert not proposal.heading or {*proposal.moves} <= written
    view = game.view(state, None)
    assert tuple(map(game.format_move, view.moves)) == view.legal
    assert bool(game.view(state, None).proposal.moves) == bool(game.to_move(state))


def height(drawing: Drawing, at: int) -> int:
    return drawing.tiles_at(at) if at in drawing.faces else 0


@plain_case
def test_what_moves_fill_and_gain_is_what_playing_them_does(case: Case) -> None:
    """Points that come only with the end of a round do not count as gained."""
    game, gained, closed = case.game, 0, list[tuple[bool, bool]]()
    for state in some(list(boards.moments(case, 5)), 9):
        for seat in game.to_move(state):
            legal = game.legal(state, seat)
            moves = legal[:: 1 + len(legal) // sized(20, 200)]
            for move, gain in zip(moves, game.gains(state, moves), strict=True):
                after, _ = game.play(state, seat, move)
                before, then = game.drawing(state), game.drawing(after)
                grown = {
                    at for at in then.faces if height(then, at) > height(before, at)
                }
                assert {*game.covers(move)} == {*then.last} == grown
                scored = after.scores[seat] - state.scores[seat]
                assert gain == (0 if game.SCORING.low_wins else scored)
                gained += gain
                worth = sum(one.value for one in game.closed(after) if one.is_new)
                closed.append((worth > 0, gain > 0))
    is_by_closing = any(has_closed for has_closed, _ in closed)
    assert not is_by_closing or all(one == other for one, other in closed)
    assert gained or game.SCORING.low_wins


@plain_case
def test_due_draws_come_before_any_move(case: Case) -> None:
    game, chance = case.game, Chance(bytes([4]) * 32)
    assert game.due(game.start(case.seats, case.options))
    for state in boards.moments(case, 4):
        for seat in game.to_move(state):
            after, _ = game.play(state, seat, game.legal(state, seat)[0])
            assert not game.due(after) or game.view(after, None).legal == ()
            assert game.due(game.settle(after, chance)[0]) == ""


@every_game
def test_the_words_of_moves_are_those_that_no_userid_may_be(name: str) -> None:
    found = set()
    for case in (case for case in EVERY if case.name == name):
        for state in boards.states(case, 3):
            for seat in case.game.to_move(state):
                texts = map(case.game.format_move, case.game.legal(state, seat))
                found |= {text.partition(":")[0] for text in texts}
    words = {word for word in found if word.isalpha() and word.islower()}
    assert words == {*load(name).WORDS}


@plain_case
def test_a_player_who_drops_out_moves_no_more(case: Case) -> None:
    game, chance = case.game, Chance(bytes([2]) * 32)
    for state in list(boards.states(case, 2))[:-1:7]:
        for seat in range(case.seats - 1):
            state, _ = game.settle(game.drop(state, seat), chance)
            assert not {*game.to_move(state)} & {*range(seat + 1)}
        assert game.to_move(state) == ()


@every_case
def test_moves_are_read_as_they_are_written(case: Case) -> None:
    game = case.game
    for state in boards.moments(case, 5):
        for seat in game.to_move(state):
            moves = game.legal(state, seat)
            assert len({*moves}) == len(moves) > 0
            texts = list(map(game.format_move, moves))
            assert len({*texts}) == len(texts)
            for move, text in zip(moves, texts, strict=True):
                # as the grammar hands it over: in small letters
                assert game.parse_move(state, seat, text.lower()) == move
                assert game.parse_move(state, seat, text) == move


@every_case
def test_legal_moves_are_played_and_nothing_else_is_changed(case: Case) -> None:
    game, dice = case.game, random.Random(str(case))
    chance = Chance(bytes([6]) * 32)
    for state in boards.moments(case, 6):
        before = deepcopy(state)
        for seat in game.to_move(state):
            moves = game.legal(state, seat)
            assert game.legal(state, seat) == moves
            for move in dice.sample(moves, min(3, len(moves))):
                after = game.play(state, seat, move)
                assert game.play(state, seat, move) == after
                then = deepcopy(after)
                assert game.settle(after[0], chance) == game.settle(after[0], chance)
                assert after == then
                assert after[1] or game.public_move(move) != game.format_move(move)
        for reader in (None, *range(case.seats)):
            assert game.view(state, reader) == game.view(state, reader)
        assert state == before


@every_game
def test_a_word_that_is_not_a_move_is_refused_in_a_sentence(name: str) -> None:
    for case in (case for case in PLAIN if case.name == name):
        game, state = case.game, boards.begun(case, Chance(bytes(32)))
        seat = game.to_move(state)[0]
        for word in NO_MOVES:
            with pytest.raises(BadMove, match=r"^\S.*[.!]$"):
                game.play(state, seat, game.parse_move(state, seat, word))


# Boards


@every_case
def test_a_board_comes_back_from_its_file(case: Case) -> None:
    board = boards.played(boards.opened(case, 7, lot=True), 7)
    assert board.result is not None
    noted = replay.with_note(board, "Well played: 1, \u2026 #no\n\n- yes")
    data = strict.load(strict.dump(record.to_data(noted.record)))
    again = replay.replay(record.from_data(data))
    assert again == noted
    for index in {0, len(board.steps) // 2, len(board.steps) - 1}:
        then = board.at(index)
        assert replay.replay(then.record) == then


@plain_case
def test_a_player_who_resigns_leaves_the_others_to_play(case: Case) -> None:
    ends = set()
    for seed in range(sized(4, 8)):
        dice = random.Random(seed)
        board = boards.played(boards.opened(case, seed), seed, most=seed * 5)
        left = list(board.record.players)
        while board.result is None:
            gone = left.pop(dice.randrange(len(left)))
            board = boards.resigned(board, gone)
            boards.check_letters(board)
            assert {*board.turn} <= {*left}
            board = boards.played(board, seed, most=4)
            assert board.result or board.turn
        assert {*board.result.winners} <= {*left}
        if board.result.reason == "resigned":
            assert board.result.winners == (*left,)
        assert replay.replay(board.record) == board
        ends.add(board.result.reason)
    assert "resigned" in ends


# Letters


@every_case
def test_letters_are_narrow_and_their_boards_whole(case: Case) -> None:
    board = boards.played(boards.opened(case, 10), 10, most=150)
    for line in some(range(len(board.steps)), 7):
        boards.check_letters(board.at(line))


@plain_case
def test_letters_about_the_widest_boards(case: Case) -> None:
    board = boards.played_east(boards.opened(case, 11))
    assert max(map(len, draw(board.view(None).drawing).splitlines())) > boards.WIDEST
    for line in some(range(len(board.steps)), 15):
        boards.check_letters(board.at(line))


# Help


@every_game
def test_the_help_shows_every_figure_and_every_option(name: str) -> None:
    game, raw = load(name), (HELP / f"{name}.txt").read_text("ascii")
    page = pages.page(name)
    assert raw.count("{options}\n") == 1
    assert "{" not in page
    for option in (*game.OPTIONS, RANDOM):
        assert f"\n  {option.metavar!s}\n" in page
    for preset in game.PRESETS:
        assert f"-rules={preset}" in page
    named = re.findall(r"^\{figure (.*)\}$", raw, re.MULTILINE)
    assert named
    for figure in named:
        lines = draw(game.FIGURES[figure]).splitlines()
        shown = "".join(f"    {line}".rstrip() + "\n" for line in lines)
        assert shown in page
    assert game.TITLE in page
    assert re.search(r"^\W*history\W*$", page, re.IGNORECASE | re.MULTILINE)


# Secrets


@draft_case
def test_nobody_reads_what_another_keeps_secret(case: Case) -> None:
    """Boards that differ only in a secret of one player look alike to the others,
    until it comes out."""
    board, dice = boards.opened(case, 13), random.Random(13)
    for _ in range(15):
        if not board.turn:
            break
        who = dice.choice(board.turn)
        for one, other in islice(boards.twins(board, who), sized(1, 2)):
            check_twins(one, other, who)
        board = boards.sent(board, who, dice.choice(boards.notations(board, who)))


def check_twins(one: Match, other: Match, who: str) -> None:
    players = one.record.players
    assert boards.readings(one, who) != boards.readings(other, who)
    for reader in (None, *players):
        if reader != who:
            assert boards.readings(one, reader) == boards.readings(other, reader)
    for later in (player for player in players if player != who):
        if later in one.turn and later in other.turn:
            move = boards.notations(one, later)[-1]
            one, other = boards.sent(one, later, move), boards.sent(other, later, move)
            if one.steps[-1].events != other.steps[-1].events:
                return  # the secret has come out, as it must
            assert boards.readings(one, None) == boards.readings(other, None)


@every_game
def test_the_games_with_secrets_have_twins(name: str) -> None:
    phases = set()
    for case in (case for case in PLAIN if case.name == name):
        board = boards.opened(case, 14)
        while board.turn:
            who = board.turn[0]
            if any(boards.twins(board, who)):
                phases.add(board.view(None).phase)
            board = boards.sent(board, who, boards.written(board, who)[-1])
    assert phases == boards.SECRET_PHASES.get(name, set())
    assert bool(phases) == load(name).SECRETS


@draft_case
def test_the_seed_and_sealed_moves_come_out_in_time(case: Case) -> None:
    board, dice = boards.opened(case, 15), random.Random(15)
    seed, hidden = board.record.seed.hex(), list[tuple[str, str]]()
    for number in range(25):
        is_read = board.turn and number % (2 if case.game.SECRETS else 6) == 0
        for reader in board.record.players if is_read else ():
            text = boards.readings(board, reader)
            assert seed not in text
            assert boards.MAIL not in text
            assert [m for who, m in hidden if m in text and who != reader] == []
        phase = board.view(None).phase
        board = boards.played(board, dice.random(), 1, boards.notations)
        last = board.record.log[-1]
        if phase in ("take", "pair") and len(str(last.action)) > len("take:R,any"):
            hidden.append((last.who, str(last.action)))
        if any(event.reveals for event in board.steps[-1].events):
            public = boards.readings(board, None)
            made = [m.removeprefix("pairs:") for _, m in hidden if "pairs" in m]
            assert [pairs for pairs in made if pairs not in public] == []
    public = boards.readings(boards.played(board, 15), None)
    assert [move for _, move in hidden if move not in public] == []
    assert (seed in public, boards.MAIL in public) == (True, False)
