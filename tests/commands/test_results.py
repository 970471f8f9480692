"""What `list`, `standings` and `ratings` answer."""

import re
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbm_holomino import rules
from pbm_holomino.commands import parse, results
from pbm_holomino.errors import BadCommand
from pbm_holomino.sentences import WIDTH, table
from pbm_holomino.store.endings import Ending
from pbm_holomino.store.summary import Summary, tallied
from tests.club import Club
from tests.house import PASSWORDS, House
from tests.prose import plain
from tests.store.test_rating_numbers import summary_of

DAY = "2026-11-20"
ROBOTS = ("robot1", "robot2", "robot3")


def game_lost(club: Club, loser: str, winner: str, game: str = "holo") -> None:
    """A game of two that the first of them resigns."""
    board = club.server.challenge("", f"{winner} {loser}", game)
    club.say(f"{game} resign {board} {loser} {PASSWORDS[loser]}")


def game_agreed(club: Club, *names: str, game: str = "walomino") -> None:
    """A game that all agree to call a draw."""
    board = club.server.challenge("", " ".join(names), game)
    for name, word in zip(names, ["propose", *["accept"] * 3], strict=False):
        club.say(f"{game} move {board} {name} {PASSWORDS[name]} {word}")


def rows_of(text: str) -> list[list[str]]:
    """The rows of a table, without its head."""
    _, _, below = text.partition("\n\n")
    return [line.split() for line in below.partition("\n\n")[0].splitlines()[1:]]


# list


def test_list_names_everybody(club: Club) -> None:
    club.say("signoff carol quokka9")
    assert club.say("list") == (
        "player  last seen (UTC)\n"
        "alice   2026-11-20\n"
        "bob     2026-11-20\n"
        "carol   2026-11-20       (signed off)\n"
        "dave    2026-11-20\n"
        "robot1  -                (robot)\n"
        "robot2  -                (robot)\n"
        "robot3  -                (robot)\n"
    )


def test_list_with_games_has_a_table_for_each(club: Club) -> None:
    game_lost(club, "alice", "bob")
    game_lost(club, "bob", "alice", "hextol")
    game_lost(club, "bob", "alice", "hextol")
    text = club.say("list hextol holo")
    hextol, holo = text.split("\n\nHolomino\n")
    assert hextol.startswith("Hextol\n\nplayer  played  won  rating  last seen (UTC)\n")
    played = [row[:3] for row in rows_of(hextol)]
    assert played == [["alice", "2", "2"], ["bob", "2", "0"]] + [
        [name, "0", "0"] for name in ("carol", "dave", *ROBOTS)
    ]
    assert [row[:4] for row in rows_of("\n" + holo)] == [
        ["alice", "1", "0", "1456"],
        ["bob", "1", "1", "1583"],
        ["carol", "0", "0", "1500"],
        ["dave", "0", "0", "1500"],
        *([robot, "0", "0", "1500"] for robot in ROBOTS),
    ]


def test_a_game_that_is_shared_is_not_won(club: Club) -> None:
    game_agreed(club, "alice", "bob", "dave")
    (alice, bob, carol, dave, *_) = rows_of(club.say("list walomino"))
    assert alice[:3] == ["alice", "1", "0"]
    assert dave[:3] == ["dave", "1", "0"]
    assert carol[:4] == ["carol", "0", "0", "1500"]
    assert alice[3] == bob[3] == dave[3]


def test_when_somebody_was_last_seen(club: Club) -> None:
    server = club.server.server

    def on(day: int, line: str) -> None:
        server.now = lambda: f"2026-12-{day:02}T08:00:00Z"
        club.say(line)

    on(1, "change password dave zebra88 zebra99")
    on(2, "holo challenge alice bob")  # by whom, nobody knows in the shell
    on(3, "holo move 1 alice xanadu resign")
    on(4, "change password carol quokka9 quokka8")
    on(5, "walomino challenge carol dave")
    on(6, "walomino move 1 carol quokka8 propose")
    on(7, "change password alice xanadu secret7")
    assert club.say("list").splitlines()[1:5] == [
        "alice   2026-12-07",
        f"bob     {DAY}",
        "carol   2026-12-06",
        "dave    2026-12-01",
    ]
    # on a board of any game: that is why it is asked
    assert rows_of(club.say("list holo"))[2][-1] == "2026-12-06"


@pytest.mark.parametrize("line", ["list chess", "list holo chess", "list alice"])
def test_list_knows_no_other_game(club: Club, line: str) -> None:
    word = line.split()[-1]
    with pytest.raises(BadCommand) as refused:
        parse.parse(line.split())
    assert str(refused.value) == (
        f'"{word}" is not a game here: "help" lists the games.'
    )
    assert refused.value.page == "list"


# standings


def test_standings_count_wins_losses_draws_and_points(club: Club) -> None:
    # alice: two wins, a draw of two; bob: a win, a loss, a draw of two; carol: two
    # losses; dave is still playing
    game_lost(club, "carol", "alice")
    game_lost(club, "bob", "alice")
    game_lost(club, "carol", "bob")
    game_agreed(club, "alice", "bob", game="holo")
    club.say("holo challenge alice dave")
    assert club.say("holo standings") == (
        "Holomino: standings\n\n"
        "player  played  won  lost  tied  points\n"
        "alice        3    2     0     1    2.5\n"
        "bob          3    1     1     1    1.5\n"
        "carol        2    0     2     0    0\n"
    )


def test_players_who_share_first_place_share_the_point(club: Club) -> None:
    game_agreed(club, "alice", "bob")
    game_agreed(club, "alice", "bob", "carol")
    game_agreed(club, "alice", "bob", "carol", "dave")
    # 1/2 + 1/3 + 1/4 = 13/12; 1/3 + 1/4 = 7/12
    assert club.say("walomino standings") == (
        "Walomino: standings\n\n"
        "player  played  won  lost  tied  points\n"
        "alice        3    0     0     3    1.08\n"
        "bob          3    0     0     3    1.08\n"
        "carol        2    0     0     2    0.58\n"
        "dave         1    0     0     1    0.25\n"
    )


def test_three_thirds_are_a_whole_point(club: Club) -> None:
    for _ in range(3):
        game_agreed(club, "alice", "bob", "carol")
    assert {row[-1] for row in rows_of(club.say("walomino standings"))} == {"1"}


def test_on_equal_points_the_player_with_fewer_losses_is_ahead(club: Club) -> None:
    game_lost(club, "carol", "alice")
    game_lost(club, "dave", "bob")
    game_lost(club, "alice", "carol")
    # one point each for alice, bob and carol; bob has lost nothing
    found = [row[0] for row in rows_of(club.say("holo standings"))]
    assert found == ["bob", "alice", "carol", "dave"]


def test_a_board_that_does_not_count(club: Club) -> None:
    club.say("holo challenge alice bob")
    club.say("holo decline 1 alice xanadu")
    for line in ("holo standings", "holo ratings"):
        assert club.say(line).startswith("Nobody here has finished a rated game")
    assert rows_of(club.say("list holo"))[0][:4] == ["alice", "0", "0", "1500"]


# ratings


def test_the_strongest_stand_first_and_equals_share_a_rank(club: Club) -> None:
    game_lost(club, "carol", "alice")
    game_lost(club, "dave", "bob")
    rows = rows_of(club.say("holo ratings"))
    assert [row[:2] for row in rows] == [
        ["1", "alice"],
        ["1", "bob"],
        ["3", "carol"],
        ["3", "dave"],
    ]
    assert [row[2:] for row in rows] == [["1583", "1"]] * 2 + [["1456", "1"]] * 2


def test_every_game_has_its_own_ratings(club: Club) -> None:
    game_lost(club, "alice", "bob")
    game_lost(club, "bob", "alice", "hextol")
    assert rows_of(club.say("holo ratings"))[0][1] == "bob"
    assert rows_of(club.say("hextol ratings"))[0][1] == "alice"


# What all three have in common


@pytest.mark.parametrize("game", rules.names())
def test_lists_without_results_say_so(club: Club, game: str) -> None:
    title = rules.load(game).TITLE
    for line in (f"{game} standings", f"{game} ratings"):
        text = " ".join(club.say(line).split())
        assert text.startswith(f"Nobody here has finished a rated game of {title} yet.")
        assert f'"{game} help"' in text


def test_an_empty_store(tmp_path: Path) -> None:
    server = House(tmp_path)
    before = server.files(), list(tmp_path.iterdir())
    for line in ("list", "list holo", "holo standings", "holo ratings"):
        answer = server.type(line)
        assert (answer.status, answer.text[:6]) == (0, "Nobody")
    assert (server.files(), list(tmp_path.iterdir())) == before


def test_deleted_players_are_in_no_list(club: Club) -> None:
    game_lost(club, "carol", "alice")
    rated = rows_of(club.say("holo ratings"))[0]
    club.say("delete carol quokka9")
    for line in ("list", "list holo", "holo standings", "holo ratings"):
        text = club.say(line)
        assert "carol" not in text
        assert "alice" in text
    # what alice has won against her stands
    assert rows_of(club.say("holo ratings")) == [rated]
    club.say("delete alice xanadu")
    assert club.say("holo ratings").startswith("Nobody here has finished")


def test_players_without_an_account_stay_in_the_results(club: Club) -> None:
    game_lost(club, "carol", "alice")
    club.server.document("players", "carol").unlink()
    for line in ("holo standings", "holo ratings"):
        assert {"alice", "carol"} <= set(club.say(line).split())
    assert "carol" not in club.say("list")


ALL = ["list", "list holo", "holo standings", "holo ratings"]


@pytest.mark.parametrize("line", ALL)
def test_a_damaged_board_is_named_and_stops_nobody(club: Club, line: str) -> None:
    game_lost(club, "carol", "alice")
    game_lost(club, "carol", "alice")
    club.server.damage("holo", "2")
    club.server.library.lists.scan()  # as a tick does, to notice changes by hand
    answer = club.server.type(line)
    assert answer.status == 0
    assert "alice" in answer.text
    damaged = club.server.called("holo", "2")
    table, _, below = answer.text.partition("\n\nThe ")
    assert "holo/2" not in table
    assert plain(below).startswith(f"{damaged} of this server is damaged")


@pytest.mark.parametrize("line", ALL)
def test_a_damaged_account_is_named_and_stops_nobody(club: Club, line: str) -> None:
    game_lost(club, "carol", "alice")
    club.server.damage("players", "bob")
    answer = club.server.type(line)
    assert answer.status == 0
    assert answer.text.count(club.server.called("players", "bob")) == 1
    assert {"alice", "carol"} <= set(answer.text.split())


def test_a_damaged_account_does_not_take_its_results_away(club: Club) -> None:
    game_lost(club, "bob", "alice")
    club.server.damage("players", "bob")
    assert rows_of(club.say("holo standings").partition("\n\nThe")[0])[1][0] == "bob"


def test_the_longest_names_fit_a_letter(club: Club) -> None:
    long = "x" * 20
    club.say(f"signup {long} secret")
    club.say(f"signoff {long} secret")
    club.say(f"signup {long} secret")
    board = club.server.challenge("", f"{long} alice", "holo")
    club.say(f"holo resign {board} alice xanadu")
    club.say(f"signoff {long} secret")
    for line in ALL:
        text = club.say(line)
        assert long in text
        assert max(map(len, text.splitlines())) <= WIDTH
        assert not re.search(r" $|\n\n\n", text, re.MULTILINE)


@pytest.mark.parametrize("line", ["holo standings now", "holo ratings alice"])
def test_a_word_too_many(club: Club, line: str) -> None:
    with pytest.raises(BadCommand, match="too many words"):
        parse.parse(line.split())


def test_all_are_as_many_games_as_there_are(club: Club) -> None:
    """A list and the standings tell the same of the same boards."""
    game_lost(club, "carol", "alice")
    game_lost(club, "alice", "dave")
    standing = {row[0]: row[1:3] for row in rows_of(club.say("holo standings"))}
    listed = {row[0]: row[1:3] for row in rows_of(club.say("list holo"))}
    rated = {row[1]: row[3] for row in rows_of(club.say("holo ratings"))}
    assert listed == {**standing, **dict.fromkeys(("bob", *ROBOTS), ["0", "0"])}
    assert rated == {player: played for player, (played, _) in standing.items()}


# The counting, for any results


@st.composite
def boards(draw: st.DrawFn) -> Summary:
    """A board that has ended, or been struck off."""
    seats = draw(st.integers(2, 4))
    names = draw(st.permutations(list(PASSWORDS)))[:seats]
    strengths = [draw(st.integers(0, 3)) for _ in names]
    places = {
        name: 1 + sum(other > own for other in strengths)
        for name, own in zip(names, strengths, strict=True)
    }
    places = draw(st.sampled_from([places, {}]))
    return summary_of(Ending(DAY, 1, tuple(places.items())))


@given(st.lists(boards(), max_size=8))
def test_each_game_that_counts_gives_one_point(found: list[Summary]) -> None:
    counting = [board for board in found if board.places]
    scores = results.scores(tallied(found))
    assert sum(score.points for score in scores.values()) == 60 * len(counting)
    for player, score in scores.items():
        mine = [board.places for board in counting if player in board.places]
        firsts = [list(p.values()).count(1) for p in mine if p[player] == 1]
        assert score.played == len(mine)
        assert score.won == firsts.count(1)
        assert score.drawn == len(firsts) - firsts.count(1)
        assert score.lost == len(mine) - len(firsts)
        assert Fraction(score.points, 60) == sum(Fraction(1, n) for n in firsts)


def test_a_table_has_aligned_columns() -> None:
    rows = [("name", "n", ""), ("a", 10, "x"), ("long name", 7, "")]
    assert table("<><", rows) == (
        "name        n\n"
        "a          10  x\n"
        "long name   7\n"
    )  # fmt: skip
