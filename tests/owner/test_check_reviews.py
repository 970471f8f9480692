"""`pbm check` looks at the reviews of games, and at tournaments that are gone."""

from collections.abc import Callable
from typing import Any

import pytest

from pbm_holomino import owner
from pbm_holomino.match.reviews import Judged, Review, digest
from pbm_holomino.store import reviews
from pbm_holomino.store.contract import REVIEWS, TOURNAMENTS
from tests.house import House, own
from tests.prose import plain

NAME = "holo-1"


@pytest.fixture
def server(server: House, monkeypatch: pytest.MonkeyPatch) -> House:
    """Board 1 is over after a move, and has a review."""
    own(server, monkeypatch)
    server.challenge()
    server.play(moves=1)
    server.type("holo resign 1 bob {bob}")
    match = server.match()
    found = Judged(match.moves[0], "123:1", 0.5, (0.25, 0.75))
    reviews.save(server.store, match, Review(digest(match), (found,)))
    server.taken()
    return server


def check(words: str = "") -> tuple[int, str]:
    answer = owner.run(["check", *words.split()])
    return answer.status, plain(answer.text)


def test_a_review_of_a_board_is_no_fault(server: House) -> None:
    # the board, two accounts, the ratings perhaps, and the review
    status, told = check()
    assert status == 0
    assert "all is well" in told
    assert reviews.find(server.store, server.match()) is not None


def other_moves(data: dict[str, Any]) -> dict[str, Any]:
    return {**data, "digest": "0" * 64}


def other_lines(data: dict[str, Any]) -> dict[str, Any]:
    return {**data, "moves": ["7 123:1 0.5 0.250 0.750"]}


def other_seats(data: dict[str, Any]) -> dict[str, Any]:
    return {**data, "moves": [f"{data['moves'][0]} 0.000"]}


@pytest.mark.parametrize("spoil", [other_moves, other_lines, other_seats, None])
def test_a_review_that_does_not_fit_its_board_goes(
    server: House, spoil: Callable[[Any], Any] | None
) -> None:
    if spoil is None:
        server.damage(REVIEWS, NAME)
    else:
        server.put(REVIEWS, NAME, spoil(server.data(REVIEWS, NAME)))
    what = f"The {server.called(REVIEWS, NAME)} is not a review of holo 1 as it is"
    status, told = check()
    assert status == 1
    assert f'{what}: "pbm check --repair" mends it.' in told
    status, told = check("--repair")
    assert status == 0
    assert f"{what}: mended." in told
    assert server.store.names(REVIEWS) == []
    assert "all is well" in check()[1]


def test_a_review_without_its_board_goes(server: House) -> None:
    match = server.match()._replace(record=server.match().record._replace(board=7))
    reviews.save(server.store, match, Review("0" * 64, ()))
    assert check()[0] == 1
    assert check("--repair")[0] == 0
    assert server.store.names(REVIEWS) == [NAME]


def test_a_review_stays_where_its_board_is_damaged(server: House) -> None:
    server.damage("holo", "1")
    status, told = check("--repair")
    assert status == 1
    assert server.called("holo", "1") in told
    assert server.called(REVIEWS, NAME) not in told
    assert server.store.names(REVIEWS) == [NAME]


def test_a_document_with_a_strange_name_is_left_alone(server: House) -> None:
    server.put(REVIEWS, "chess-1", server.data(REVIEWS, NAME))
    status, told = check("--repair")
    assert status == 1
    called = server.called(REVIEWS, "chess-1")
    assert f"The {called} is not named after a board." in told


def test_a_tournament_that_is_gone_is_reported(server: House) -> None:
    for _ in range(2):
        owner.run(["tournament", "open", "holo", "swiss"])
    assert check()[0] == 0
    server.document(TOURNAMENTS, "2").unlink()
    status, told = check("--repair")
    assert status == 1
    assert f"The {server.called(TOURNAMENTS, '2')} is missing." in told
    opened = owner.run(["tournament", "open", "holo", "swiss"])
    assert opened.text.startswith("Tournament 3 is open")
