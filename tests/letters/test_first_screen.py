"""A letter's first screen: whose turn it is, the board and the best moves; and what
comes below it."""

import re
from collections.abc import Iterator

import pytest

from pbm_holomino.letters.content import (
    Best,
    Block,
    Heading,
    Moves,
    Picture,
    Subheading,
)
from pbm_holomino.letters.letter import Letter
from pbm_holomino.match.account import to_data
from pbm_holomino.match.board import Match
from pbm_holomino.rules import names
from tests.boards import Case, letter_about, opened, played, written
from tests.club import Club
from tests.letters.pages import Page, page_of

MOST = 40  # moves that a letter proposes
BEST = 5


def waiting(game: str) -> Iterator[tuple[Match, Letter]]:
    """Boards of a game on which somebody places tiles, and the letter to them."""
    for plies in (0, 3, 8, 14, 20, 30):
        board = played(opened(Case(game, 2, {}), 3), 7, plies)
        for _ in range(80):
            if not board.turn or board.view(board.turn[0]).proposal.heading:
                break
            board = played(board, 7, 1)
        if board.turn:
            yield board, letter_about(board, len(board.log) - 1, board.turn[0])


def blocks(letter: Letter) -> list[Block]:
    return [block for part in letter.content for block in part]


def shown_best(letter: Letter) -> list[str]:
    (best,) = (block for block in blocks(letter) if isinstance(block, Best))
    return [str(way.shown) for way in best.ways]


def listed(letter: Letter) -> list[str]:
    """The moves in the list of all, with what each adds."""
    rows = (block for block in blocks(letter) if isinstance(block, Moves))
    return [f"{row.tile}:{way.shown}" for row in rows for way in row.ways]


def gain_of(shown: str) -> tuple[str, int]:
    found = re.fullmatch(r"(.*?)(?: ?\(\+(\d+)\))?", shown)
    assert found
    return found[1], int(found[2] or 0)


@pytest.mark.parametrize("game", names())
def test_the_board_and_the_best_moves_come_before_all_else(game: str) -> None:
    for board, letter in waiting(game):
        first, *rest = [b for b in blocks(letter) if not isinstance(b, Picture)]
        assert isinstance(first, Heading)
        assert letter.text.startswith(f"It is your turn, {board.turn[0]}.\n")
        kinds = [type(block) for block in rest]
        assert kinds.index(Best) < kinds.index(Subheading) < kinds.index(Moves)
        pictures = [i for i, b in enumerate(blocks(letter)) if isinstance(b, Picture)]
        assert not pictures or pictures[-1] < blocks(letter).index(
            next(b for b in blocks(letter) if isinstance(b, Best))
        )
        headings = [str(b.text) for b in rest if isinstance(b, Subheading)]
        below = ["What has happened", "The players", "How to answer", "This board"]
        assert [heading for heading in headings if heading in below] == below


@pytest.mark.parametrize("game", names())
def test_no_letter_has_more_links_than_a_reader_can_look_through(game: str) -> None:
    for board, letter in waiting(game):
        moves, best = listed(letter), shown_best(letter)
        proposed = board.view(board.turn[0]).proposal.moves
        assert len(moves) == min(MOST, len(proposed))
        assert len(best) == min(BEST, len(proposed))
        assert len(Page(page_of(letter)).links) <= MOST + BEST + 15


@pytest.mark.parametrize("game", names())
def test_moves_say_what_they_add_by_the_rules(game: str) -> None:
    for board, letter in waiting(game):
        rules, seat = board.rules, board.record.players.index(board.turn[0])
        legal = rules.legal(board.state, seat)
        gains = dict(
            zip(
                map(rules.format_move, legal),
                rules.gains(board.state, legal),
                strict=True,
            )
        )
        for shown in (*shown_best(letter), *listed(letter)):
            move, gain = gain_of(shown)
            assert gains[move] == gain


@pytest.mark.parametrize("game", names())
def test_the_best_are_of_different_tiles_and_gain_most(game: str) -> None:
    for board, letter in waiting(game):
        proposal = board.view(board.turn[0]).proposal
        best = [gain_of(shown) for shown in shown_best(letter)]
        tiles = {move.partition(":")[0] for move in proposal.moves}
        assert len({move.partition(":")[0] for move, _ in best}) == min(
            len(best), len(tiles)
        )
        if proposal.ranked:
            assert best[0][0] == proposal.moves[0]
            places = [proposal.moves.index(move) for move, _ in best]
            assert places == sorted(places)
        else:
            gains = [gain for _, gain in best]
            assert gains == sorted(gains, reverse=True)
            assert gains[0] == max(gain_of(shown)[1] for shown in listed(letter))


def test_a_player_can_choose_to_have_all_moves_proposed(club: Club) -> None:
    club.open("hextol", 2)
    move = club.json()["legal"][0]
    club.move(club.json()["turn"][0], move)
    who = club.json()["turn"][0]
    club.say(f"change letters {who} {{{who}}} moves=all")
    account = club.server.library.account(who)
    assert account is not None
    assert to_data(account)["moves"] == "all"
    board = club.server.library.match("hextol", 1)
    assert len(board.view(None).legal) > MOST
    for choice, most in (("all", 999), ("best", MOST)):
        club.say(f"change letters {who} {{{who}}} moves={choice}")
        other = next(name for name in board.record.players if name != who)
        club.server.sent.clear()
        club.say(f"hextol chat 1 {other} {{{other}}} -m=Hello")
        letter = club.server.reply(club.letters()[who], "show")[0]
        assert len(listed(letter)) == min(most, len(written(board, who)))


def test_every_answer_proposes_as_many_moves_as_its_reader_has_chosen(
    club: Club,
) -> None:
    """A refusal and a list of boards, as well as a letter."""
    for _ in range(2):
        club.open("hextol", 2)
    first = club.json()
    who = first["turn"][0]
    for board in (1, 2):
        club.say(f"hextol move {board} {who} {{{who}}} {first['legal'][0]}")
    (other,) = club.json()["turn"]
    assert len(club.json()["legal"]) > MOST
    for choice in ("all", "best"):
        club.say(f"change letters {other} {{{other}}} moves={choice}")
        refusal = club.refused_line(f"hextol move 1 {other} {{{other}}} pass:99")[1]
        boards = club.say(f"hextol showas {other} {{{other}}} 1 2")
        for said in (refusal, boards):
            assert (f"{MOST} of " in said) is (choice == "best")
