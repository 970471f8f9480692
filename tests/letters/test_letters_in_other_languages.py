"""Letters about boards in the pseudo-language: all that they say is in sentences that
can be said in any other."""

from collections.abc import Iterator
from unittest.mock import patch

import pytest

from pbm_holomino.languages import known
from pbm_holomino.letters import screen
from pbm_holomino.letters.board_forms import in_form
from pbm_holomino.letters.board_letters import board_content, board_subject, reminder
from pbm_holomino.letters.content import (
    Block,
    Content,
    Heading,
    Moves,
    Paragraph,
    Picture,
    Seats,
    spoken,
)
from pbm_holomino.match.board import Match
from pbm_holomino.match.record import QUEUED
from pbm_holomino.rules import names
from pbm_holomino.sentences import WIDTH
from tests.boards import CASES, Case, finished, opened, sent
from tests.languages.pseudo import PSEUDO, unbracketed
from tests.letters.pages import words_of
from tests.sizes import sized

GAMES = [(name, seed) for name in names() for seed in range(sized(2, 12))]


@pytest.fixture(autouse=True)
def pseudo() -> Iterator[None]:
    """Everybody reads the pseudo-language."""
    with patch.object(known, "language", lambda code: PSEUDO):
        yield


def check(told: Content, board: Match) -> None:
    """All that is said is bracketed, and fits a letter."""
    content, view = spoken(told, PSEUDO.code), board.view(None)
    tiles = {move.partition(":")[0] for move in view.legal}
    for part in content:
        for text in (text for block in part for text in texts(block)):
            moves = text.replace("(+", "(")
            assert unbracketed(moves, *board.record.players, *tiles) == "", text
    for line in words_of(content).splitlines():
        assert len(line) <= WIDTH, line


def texts(block: Block) -> Iterator[str]:
    """What a block says, but for commands and players' own words."""
    if isinstance(block, Heading | Paragraph):
        yield str(block.text)
    elif isinstance(block, Seats):
        yield from (str(block.points), str(block.tiles))
        yield from (str(seat.name) for seat in block.seats)
    elif isinstance(block, Moves):
        yield from (str(way.shown) for way in block.ways if "," not in str(way.shown))
    elif isinstance(block, Picture) and block.enlarge:
        yield str(block.enlarge.shown)


@pytest.mark.parametrize(("game", "seed"), GAMES)
def test_every_letter_about_a_game_is_in_its_readers_language(
    game: str, seed: int
) -> None:
    board = finished(seed, game)
    players = board.record.players
    for index, line in enumerate(board.record.log):
        if line.source == QUEUED:
            continue
        for reader in (None, *players):
            check(board_content(board, index, reader, reader is not None), board)
        for reader in players:
            subject = PSEUDO.say(board_subject(board, index, reader))
            assert unbracketed(subject, game, *players) == ""
        then = board.at(index)
        check(screen.snapshot(then), then)
        if then.result is None:
            for reader in then.turn:
                news, told = reminder(then, reader)
                assert unbracketed(PSEUDO.say(news), game, *players) == ""
                check(told, then)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_board_in_words_is_in_its_readers_language(case: Case) -> None:
    board = opened(case)
    for _ in range(4):
        check(in_form(screen.screen(board, board.turn[0]), "list"), board)
        board = sent(board, board.turn[0], board.view(board.turn[0]).legal[0])
