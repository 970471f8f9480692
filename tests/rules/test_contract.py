"""What holds of every game that there is: those in `rules/`, whatever they are."""

import random
import re
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from pbm_holomino import help as pages
from pbm_holomino import letters, match, record, screens, strict
from pbm_holomino.chance import Chance
from pbm_holomino.draw.ascii import draw
from pbm_holomino.errors import BadMove, BadOption
from pbm_holomino.game import RANDOM, Game, Option, State, configure
from pbm_holomino.match import Match
from pbm_holomino.rules import load, names
from tests.tables import (
    MAIL,
    SECRET_PHASES,
    Case,
    account,
    begun,
    cases,
    check_json,
    notations,
    one_by_one,
    opened,
    plain_cases,
    played,
    played_east,
    readings,
    resigned,
    sent,
    states,
    twins,
    values_of,
    within,
    word_of,
    written,
)

ROOT = Path(__file__).resolve().parents[2]
HELP = Path(pages.__file__).parent
EVERY = cases(several=6)
PLAIN = plain_cases()
WIDEST = 79  # of a picture that needs no note

every_case = pytest.mark.parametrize("case", EVERY, ids=str)
plain_case = pytest.mark.parametrize("case", PLAIN, ids=str)
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
    assert most == 2 or hasattr(game, "drop")


@every_game
def test_a_game_has_its_command_its_link_and_its_line(name: str) -> None:
    script = f"    {name} = pbm_holomino.cli:main\n"
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
def test_options_are_what_their_words_say(case: Case) -> None:
    options = case.options
    assert list(options) == [option.name for option in case.game.OPTIONS]
    for name, word in case.words.items():
        if name == "rules":
            preset = case.game.PRESETS[word]
            assert {key: options[key] for key in preset} == preset
        else:
            assert word_of(options[name]) == word
    assert configure(case.game, case.words) == options


@every_game
def test_a_preset_is_weaker_than_a_word(name: str) -> None:
    game = load(name)
    for preset, values in game.PRESETS.items():
        for option in (o for o in game.OPTIONS if o.name in values):
            usual = configure(game, {})
            other = next(
                v for v in values_of(option, usual) if v != values[option.name]
            )
            given = {"rules": preset, option.name: word_of(other)}
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
        chosen[option.name] = within(option, chosen)


def refusal(game: Game, option: Option, word: str) -> str:
    with pytest.raises(BadOption) as caught:
        configure(game, {option.name: word})
    return str(caught.value)


# The engine


@every_case
def test_games_end_and_their_states_are_sound(case: Case) -> None:
    game = case.game
    for seed in range(3):
        for state in states(case, seed):
            assert game.settle(state, Chance(bytes(32))) == (state, ())
            assert bool(game.to_move(state)) == (game.outcome(state) is None)
            check_view(case, state)
        winners = game.outcome(state)
        assert winners
        assert {*winners} <= {*range(case.seats)}


def check_view(case: Case, state: State) -> None:
    game, view = case.game, case.game.view(state, None)
    assert view.turn == game.to_move(state)
    assert len(view.scores) == len(view.pools) == case.seats
    first = game.legal(state, view.turn[0]) if view.turn else ()
    assert view.legal == tuple(map(game.format_move, first))
    assert bool(view.legal) == bool(view.turn)
    assert view.sack >= 0
    assert {at for pair in view.drawing.joints for at in pair} <= {*view.drawing.faces}


@every_case
def test_moves_are_read_as_they_are_written(case: Case) -> None:
    game = case.game
    for state in states(case, 5):
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
    for state in states(case, 6):
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
def test_what_is_no_move_is_refused_in_a_sentence(name: str) -> None:
    words = ("", "x", ":", "1", "1:", "1:1", "12:1,2,3", "rg:1", "any", "take:", "0")
    words += ("pairs:", "pairs:r", "take:rx", "pass:", "swap", "9" * 100, "11:1,1")
    words += ("111:99999", "pass:999", "rr:1,99999", "take:any,any", "\u0663:\u0661")
    for case in (case for case in PLAIN if case.name == name):
        game, state = case.game, begun(case, Chance(bytes(32)))
        for word in words:
            with pytest.raises(BadMove) as caught:
                seat = game.to_move(state)[0]
                game.play(state, seat, game.parse_move(state, seat, word))
            assert re.fullmatch(r"\S.*[.!]", str(caught.value))


# Boards


@every_case
def test_a_board_comes_back_from_its_file(case: Case) -> None:
    board = played(opened(case, 7, lot=True), 7)
    assert board.result is not None
    noted = match.with_note(board, "Well played: 1, \u2026 #no\n\n- yes")
    data = strict.load(strict.dump(record.to_data(noted.record)))
    again = match.replay(record.from_data(data))
    assert again == noted
    for index in random.Random(7).sample(range(len(board.steps)), 3):
        then = board.at(index)
        assert match.replay(then.record) == then


@plain_case
def test_the_same_moves_bring_the_same_draws(case: Case) -> None:
    board = played(opened(case, 8), 8)
    again = opened(case, 8)
    for line in board.record.log[1:]:
        again = sent(again, line.who, line.what)
    assert again == board
    assert played(opened(case, 9), 8) != board


@plain_case
def test_who_resigns_leaves_the_others_to_play(case: Case) -> None:
    ends = set()
    for seed in range(8):
        dice = random.Random(seed)
        board = played(opened(case, seed), seed, most=seed * 5)
        left = list(board.record.players)
        while board.result is None:
            gone = left.pop(dice.randrange(len(left)))
            board = resigned(board, gone)
            assert {*board.turn} <= {*left}
            board = played(board, seed, most=4)
            assert board.result or board.turn
        assert {*board.result.winners} <= {*left}
        if board.result.reason == "resigned":
            assert board.result.winners == (*left,)
        assert match.replay(board.record) == board
        ends.add(board.result.reason)
    assert "resigned" in ends


# Letters


@every_case
def test_letters_are_narrow_and_their_boards_whole(case: Case) -> None:
    board = played(opened(case, 10), 10, most=150)
    index = random.Random(10).sample(range(len(board.steps)), min(30, len(board.steps)))
    for line in {0, *index, len(board.steps) - 1}:
        check_letters(board.at(line))


@plain_case
def test_letters_about_the_widest_boards(case: Case) -> None:
    board = played_east(opened(case, 11))
    assert max(map(len, picture_of(board).splitlines())) > WIDEST
    for line in range(len(board.steps)):
        check_letters(board.at(line))


@plain_case
def test_letters_about_players_who_resign(case: Case) -> None:
    for seed in range(6):
        board = played(opened(case, seed), seed, most=seed * 6)
        for gone in board.record.players[:0:-1]:
            if board.result is None:
                board = played(resigned(board, gone), seed, most=2)
                check_letters(board)
                check_letters(board.at(-2))


def picture_of(board: Match) -> str:
    return screens.picture(board.view(None))


def check_letters(board: Match) -> None:
    """What every reader gets to read about the last line of the log."""
    picture = picture_of(board)
    width = max(map(len, picture.splitlines()), default=0)
    for reader in board.record.players:
        letter = letters.about_board(board, len(board.steps) - 1, account(reader))
        text = letter.text
        assert text.isascii()
        assert text.replace("\n", "").isprintable()
        assert picture in text
        rest = text.replace(picture, "(the board)\n", 1) if picture else text
        assert not re.search(r" $|\n\n\n|\n\n\Z", rest, re.MULTILINE)
        assert max(map(len, rest.splitlines())) <= screens.WIDTH
        note = f"(The board is {width} columns wide: it needs a wide window.)\n"
        assert (note + picture in text) == (width > WIDEST)
        said = " ".join(rest.split())
        for event in board.steps[-1].events:
            who = board.record.players[event.seat]
            assert f"{'You' if who == reader else who} {event.deed}." in said
        assert ("PASSWORD" in text) == (reader in board.turn)
        assert board.record.seal in text
        assert (board.record.seed.hex() in text) == (board.result is not None)


# Help


@every_game
def test_the_help_shows_every_figure_and_every_option(name: str) -> None:
    game, raw = load(name), (HELP / f"{name}.txt").read_text("ascii")
    page = pages.page(name)
    assert raw.count("{options}\n") == 1
    assert "{" not in page
    for option in (*game.OPTIONS, RANDOM):
        assert f"\n  {option.metavar}\n" in page
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


# The public interface


@every_case
def test_json(case: Case) -> None:
    board = played(opened(case, 12), 12, most=200)
    for line in range(len(board.steps)):
        check_json(board.at(line), case)


# Secrets


@plain_case
def test_nobody_reads_what_another_keeps_secret(case: Case) -> None:
    """Boards that differ only in a secret of one player look alike to the others,
    until an event reveals it."""
    for words in one_by_one(case.game):
        board, dice = opened(case._replace(words=words), 13), random.Random(13)
        while board.turn and board.ply < 12 * case.seats:
            who = dice.choice(board.turn)
            for one, other in twins(board, who):
                check_twins(one, other, who)
            board = sent(board, who, dice.choice(notations(board, who)))


def check_twins(one: Match, other: Match, who: str) -> None:
    players = one.record.players
    assert readings(one, who) != readings(other, who)
    for reader in (None, *players):
        if reader != who:
            assert readings(one, reader) == readings(other, reader)
    for later in (player for player in players if player != who):
        if later in one.turn and later in other.turn:
            move = written(one, later)[-1]
            one, other = sent(one, later, move), sent(other, later, move)
            if one.steps[-1].events != other.steps[-1].events:
                return  # the secret has come out, as it must
            assert readings(one, later) == readings(other, later)
            assert readings(one, None) == readings(other, None)


@every_game
def test_the_games_with_secrets_have_twins(name: str) -> None:
    phases = set()
    for case in (case for case in PLAIN if case.name == name):
        board = opened(case, 14)
        while board.turn:
            who = board.turn[0]
            if any(twins(board, who)):
                phases.add(board.phase[1])
            board = sent(board, who, written(board, who)[-1])
    assert phases == SECRET_PHASES.get(name, set())


@every_case
def test_the_seed_and_sealed_moves_come_out_in_time(case: Case) -> None:
    game, board, dice = case.game, opened(case, 15), random.Random(15)
    hidden: list[tuple[str, str]] = []
    for _ in range(60):
        texts = {reader: readings(board, reader) for reader in board.record.players}
        over = board.result is not None
        for text in texts.values():
            assert (board.record.seed.hex() in text) == over
            assert MAIL not in text
        for who, move in hidden:
            assert [r for r in texts if move in texts[r] and r != who] == []
        if over:
            break
        who = dice.choice(board.turn)
        board = sent(board, who, dice.choice(notations(board, who)))
        last, events = board.record.log[-1].what, board.steps[-1].events
        if any(event.reveals for event in events) or board.result:
            assert all(move in readings(board, None) for _, move in hidden)
            hidden.clear()
        elif board.steps[-1].told != last:
            hidden.append((who, last))
    assert game.SEATS == (2, 2) or board.ply > 1
