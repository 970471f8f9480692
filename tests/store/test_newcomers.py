"""Which accounts are new: young ones, and those without a game finished by score."""

import pytest

from pbm_holomino.match.times import later
from pbm_holomino.store import library as shelf
from pbm_holomino.store.newcomers import newcomers
from tests.faults.socks import A_WHILE, regulars, socks
from tests.house import House


def new(house: House, *names: str) -> set[str]:
    return newcomers(house.library, names, house.time)


def played(house: House, names: str) -> None:
    """Two players finish a game by score."""
    house.play(house.challenge("-num_digits=4", names))


def test_an_account_is_new_until_a_game_is_finished_and_a_week_has_passed(
    server: House,
) -> None:
    assert new(server, "alice", "bob") == {"alice", "bob"}
    played(server, "alice bob")
    assert new(server, "alice", "bob") == {"alice", "bob"}
    signed_up = server.time
    server.time = later(signed_up, days=7, seconds=-1)
    assert new(server, "alice", "bob") == {"alice", "bob"}
    server.time = later(signed_up, days=7)
    assert new(server, "alice", "bob") == set()


def test_an_old_account_counts_from_its_first_game(server: House) -> None:
    server.time = later(server.time, days=A_WHILE)
    server.sign_up("carol")
    assert new(server, "alice", "carol") == {"alice", "carol"}
    played(server, "alice carol")
    assert new(server, "alice", "carol") == {"carol"}


def test_a_resignation_finishes_no_game_by_score(server: House) -> None:
    board = server.challenge()
    server.accept(board)
    server.play(board, moves=2)
    assert server.type(f"holo resign {board} bob {{bob}}").status == 0
    server.time = later(server.time, days=A_WHILE)
    assert new(server, "alice", "bob") == {"alice", "bob"}


def test_a_player_without_an_account_is_new(server: House) -> None:
    regulars(server)
    assert new(server, "alice", "nobody") == {"nobody"}
    assert new(server) == set()


def test_an_account_that_cannot_be_read_is_new_until_its_game_is_a_week_old(
    server: House,
) -> None:
    server.time = later(server.time, days=A_WHILE)
    played(server, "alice bob")
    server.damage("players", "alice")
    assert new(server, "alice", "bob") == {"alice"}
    server.time = later(server.time, days=A_WHILE)
    assert new(server, "alice", "bob") == set()


def test_a_game_against_a_robot_counts(server: House) -> None:
    """As it takes as long as any other."""
    board = server.challenge("-num_digits=4", "alice robot1")
    match = server.match(board)
    while match.result is None:
        (who,) = match.turn
        if who == "alice":
            line = f"holo move {board} alice {{alice}} {match.view(None).legal[0]}"
            assert server.type(line).status == 0
        else:
            _robot_moves(server, board)
        match = server.match(board)
    server.time = later(server.time, days=A_WHILE)
    assert new(server, "alice") == set()


def _robot_moves(house: House, board: int) -> None:
    from pbm_holomino.resident.work import Work

    for _ in Work(house.server, 0.0).do_all():
        pass


def test_no_account_of_many_new_ones_is_read(
    server: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As strangers could make us read thousands."""
    regulars(server)
    names = socks(server, 30)
    read = list[str]()
    found = shelf.Library.account

    def noted(library: shelf.Library, userid: str) -> object:
        read.append(userid)
        return found(library, userid)

    monkeypatch.setattr(shelf.Library, "account", noted)
    assert new(server, *names, "alice") == {*names}
    assert read == []
