"""Robots in challenges and lists: their names, what a game with one is worth, and what
is refused."""

import pytest

from pbm_holomino import owner
from pbm_holomino.commands.request import Answer
from pbm_holomino.match import robots
from pbm_holomino.store import ratings
from pbm_holomino.store.contract import PLAYERS
from pbm_holomino.store.ratings import Fold, Rating
from tests.house import House, home, own


def opened(house: House, words: str, game: str = "holo") -> tuple[str, ...]:
    """The players of a new board, by seat."""
    answer = house.type(f"{game} challenge {words}")
    assert answer.status == 0, answer.text
    board = max(house.library.lists.boards(game))
    return house.library.match(game, board).record.players


def refused(answer: Answer) -> str:
    assert answer.status == 1
    return " ".join(answer.text.split())


def rate(house: House, monkeypatch: pytest.MonkeyPatch, **points: float) -> None:
    """Give players ratings: of `mu` points above that of a newcomer, for certain."""
    found = {name: Rating(mu, 0.0, 9) for name, mu in points.items()}
    fold = Fold(0, 0, ("", 0), "", found)
    monkeypatch.setattr(ratings, "current_ratings", lambda library, game: fold.ratings)


# Names


def test_robots_are_called_by_their_levels() -> None:
    assert robots.names(set().__contains__) == {"robot1": 1, "robot2": 2, "robot3": 3}


def test_a_person_keeps_a_name_and_the_robot_gets_another() -> None:
    people = {"robot2", "robot3", "robot3_"}
    assert [*robots.names(people.__contains__)] == ["robot1", "robot2_", "robot3__"]
    assert [*map(robots.level_of, ("robot3__", "robot4", "robota", "bob"))] == [
        3,
        0,
        0,
        0,
    ]


@pytest.mark.parametrize("name", ["robot1", "robot3__", "robot"])
def test_nobody_signs_up_with_the_name_of_a_robot(server: House, name: str) -> None:
    assert "please choose another userid" in refused(
        server.type(f"signup {name} secret {home(name)}")
    )
    assert server.type(f"signup {name}x secret {home(name)}").status == 0


@pytest.fixture
def old(server: House) -> House:
    """A server where a player of version 1.0 is called robot1."""
    bob = server.data(PLAYERS, "bob")
    server.put(PLAYERS, "robot1", {**bob, "userid": "robot1"})
    return House(server.folder)


def test_a_person_of_1_0_is_no_robot(
    old: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert opened(old, "alice robot1") == ("alice", "robot1")
    assert old.match().record.unanswered == ("robot1",)
    assert old.type("holo accept 1 robot1 {bob}").status == 0
    assert opened(old, "alice robot1_") == ("alice", "robot1_")
    assert old.match(2).record.robots == ("robot1_",)
    own(old, monkeypatch)
    told = owner.run(["check"])
    assert told.status == 0
    assert "robot1 is a player here, so the robot of level 1 is robot1_." in told.text


def test_nobody_is_let_in_as_a_robot(server: House) -> None:
    opened(server, "robot1 alice")
    move = server.legal()[0]
    for word in ("secret", "robot1", "xanadu"):
        said = refused(server.type(f"holo move 1 robot1 {word} {move}"))
        assert said == "There is no player of that name here."


# Levels


def test_a_newcomer_gets_the_first_level(server: House) -> None:
    assert opened(server, "alice robot") == ("alice", "robot1")
    assert opened(server, "Robot alice") == ("robot1", "alice")


@pytest.mark.parametrize(
    ("mu", "name"),
    # a rating is 1500 + 24 mu; the levels are worth 1500, 1750 and 2000
    [
        (-9.0, "robot1"),
        (5.0, "robot1"),
        (5.5, "robot2"),
        (15.5, "robot2"),
        (16, "robot3"),
    ],
)
def test_others_get_the_level_nearest_to_their_rating(
    server: House, monkeypatch: pytest.MonkeyPatch, mu: float, name: str
) -> None:
    rate(server, monkeypatch, alice=mu)
    assert opened(server, "alice robot") == ("alice", name)


def test_a_robot_that_is_rated_counts_with_its_rating(
    server: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    rate(server, monkeypatch, alice=20.0, robot1=19.5)
    assert opened(server, "alice robot") == ("alice", "robot1")


def test_the_answer_says_which_robot_it_is_and_what_the_game_is_worth(
    server: House,
) -> None:
    told = " ".join(server.type("holo challenge alice robot").text.split())
    assert "A new game of Holomino for alice and robot1." in told
    assert "robot1 is a robot, level 1 of 3. The game does not count" in told
    assert server.taken()  # alice has a letter


# Challenges


def test_a_robot_accepts_at_once(server: House) -> None:
    opened(server, "alice robot2")
    record = server.match().record
    assert (record.unanswered, record.robots, record.rated) == ((), ("robot2",), False)
    said = refused(server.type("holo decline 1 alice {alice}"))
    assert "no longer withdraw it; you may resign" in said


def test_the_first_person_named_is_the_challenger(server: House) -> None:
    opened(server, "robot1 alice bob", "walomino")
    record = server.library.match("walomino", 1).record
    assert (record.challenger, record.unanswered) == ("alice", ("bob",))


def test_a_game_with_a_robot_counts_only_if_the_owner_allows_it(server: House) -> None:
    said = refused(server.type("holo challenge alice robot1 -rated"))
    assert "games against robots do not count: please leave out -rated" in said
    server.server.robots = server.server.robots._replace(are_rated=True)
    opened(server, "alice robot1 -rated")
    assert server.match().record.rated
    assert "Options: -rated=yes" in server.type("holo show 1").text
    opened(server, "alice robot1")
    assert not server.match(2).record.rated


def test_people_may_play_a_game_that_does_not_count(server: House) -> None:
    opened(server, "alice bob -rated=no")
    opened(server, "alice bob")
    assert [server.match(n).record.rated for n in (1, 2)] == [False, True]


@pytest.mark.parametrize("rated", ["-rated=no", "-rated"])
def test_only_games_that_count_are_in_lists_of_results(
    server: House, rated: str
) -> None:
    opened(server, f"alice bob {rated}")
    server.accept()
    server.type("holo resign 1 bob {bob}")
    assert ("alice" in server.type("holo standings").text) is (rated == "-rated")
    counted = "1    1" if rated == "-rated" else "0    0"
    assert f"alice        {counted}" in server.type("list holo").text
    assert "alice won" in server.type("holo history").text
    server.library.lists.scan(anew=True)
    assert ("alice" in server.type("holo standings").text) is (rated == "-rated")


def test_five_boards_with_robots_are_enough(server: House) -> None:
    for _ in range(4):
        opened(server, "alice robot1")
    opened(server, "alice robot2", "hextol")
    said = refused(server.type("holo challenge alice robot3"))
    assert said.startswith("alice already plays 5 boards with robots: ")
    assert opened(server, "bob robot3") == ("bob", "robot3")
    assert opened(server, "alice bob") == ("alice", "bob")
    server.type("hextol resign 1 alice {alice}")
    assert opened(server, "alice robot3") == ("alice", "robot3")


def test_no_rematch_makes_a_sixth_board_with_robots(server: House) -> None:
    opened(server, "alice robot1")
    server.type("holo resign 1 alice {alice}")
    for _ in range(5):
        opened(server, "alice robot1")
    said = refused(server.type("holo rematch 1 alice {alice}"))
    assert said.startswith("alice already plays 5 boards with robots: ")


def test_challenges_with_robots_never_wait_for_an_answer(server: House) -> None:
    """Three that wait would be enough between two people."""
    for _ in range(5):
        opened(server, "alice robot1")
    server.sign_up("carol", "dave")
    for name in ("bob", "carol", "dave"):
        for _ in range(4):
            opened(server, f"{name} robot1")
    assert server.library.lists.challenges(["robot1"], server.time) == []


def test_a_robot_more_makes_it_no_other_challenge(server: House) -> None:
    """Limits between people hold whoever plays with them."""
    opened(server, "alice bob robot1", "walomino")
    opened(server, "alice bob robot2", "walomino")
    opened(server, "alice bob", "walomino")
    said = refused(server.type("walomino challenge alice bob robot3"))
    assert said.startswith("3 challenges between alice and bob wait for an answer")
    server.type("walomino decline 1 bob {bob}")
    said = refused(server.type("walomino challenge alice bob robot3"))
    assert said.startswith("The challenge on walomino 1 was declined: alice may not")


@pytest.mark.parametrize("names", ["robot1 robot2", "robot robot", "robot1 robot1"])
def test_robots_do_not_play_among_themselves(server: House, names: str) -> None:
    said = refused(server.type(f"holo challenge {names}"))
    assert "name at least one player who is not a robot" in said or "twice" in said
    assert server.library.lists.boards("holo") == []


def test_no_robot_plays_twice_in_a_game(server: House) -> None:
    said = refused(server.type("walomino challenge alice robot robot"))
    assert said == "You named a player twice; each player has one seat."


def test_a_robot_takes_no_open_seat(server: House) -> None:
    for names in ("robot1 anyone", "alice robot anyone"):
        assert server.type(f"walomino challenge {names}").status == 1


def test_a_rematch_is_against_the_same_robot(server: House) -> None:
    opened(server, "alice robot2")
    server.type("holo resign 1 alice {alice}")
    assert server.type("holo rematch 1 alice {alice}").status == 0
    again = server.match(2).record
    assert again.players == ("robot2", "alice")
    assert (again.robots, again.rated, again.unanswered) == (("robot2",), False, ())


def test_a_rematch_counts_only_while_the_owner_allows_it(server: House) -> None:
    server.server.robots = server.server.robots._replace(are_rated=True)
    opened(server, "alice robot2 -rated")
    server.type("holo resign 1 alice {alice}")
    server.server.robots = server.server.robots._replace(are_rated=False)
    assert "do not count" in refused(server.type("holo rematch 1 alice {alice}"))


def test_by_mail_a_player_of_the_board_challenges(server: House) -> None:
    answer = server.by_mail("alice", "m1", "holo challenge alice robot")
    assert "for you and robot1" in answer.text
    said = refused(server.by_mail("alice", "m2", "holo challenge bob robot"))
    assert "must come from the address of one of its players" in said
    assert len(server.library.lists.boards("holo")) == 1


def test_a_robot_that_is_typed_out_of_place_is_known(server: House) -> None:
    assert server.type("holo challenge alice, robot1").status == 0
    assert server.match().record.players == ("alice", "robot1")


# What else knows their names


def test_lists_and_boards_know_robots(server: House) -> None:
    opened(server, "alice robot1")
    listed = server.type("list").text.splitlines()[-3:]
    assert listed == [f"robot{n}  -                (robot)" for n in (1, 2, 3)]
    assert "holo 1" in server.type("holo games robot1").text
    assert "robot2 has no games in progress" in server.type("holo show robot2").text
    fields = server.json(1)
    assert (fields["robots"], fields["rated"]) == (["robot1"], False)
    assert "robots" not in server.json(server.challenge())


def test_nobody_writes_to_robots(server: House) -> None:
    for line in ("message alice {alice} robot1 -m=Hello", "block alice {alice} robot1"):
        assert "no player of that name" in refused(server.type(line)).lower()


def test_a_record_says_which_players_are_robots(server: House) -> None:
    opened(server, "alice robot1")
    told = server.type("holo history 1 -format=yaml").text
    assert "robots:\n- robot1\nrated: no\n" in told
