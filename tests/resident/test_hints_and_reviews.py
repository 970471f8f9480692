"""Hints and reviews: who can have them, what they say, and that they are made once and
whole, whatever happens meanwhile."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import pytest

from pbm_holomino import owner, robots
from pbm_holomino.commands import hints_and_reviews as asking
from pbm_holomino.errors import NotAllowed
from pbm_holomino.languages import sentence
from pbm_holomino.letters import reviews as letters
from pbm_holomino.letters.letter import Attachment, Letter
from pbm_holomino.match.board import Match
from pbm_holomino.match.record import Act
from pbm_holomino.match.reviews import Judged, Review, from_data, to_data
from pbm_holomino.match.times import later
from pbm_holomino.resident import advising, thinking
from pbm_holomino.resident.advising import LEASE_SECONDS
from pbm_holomino.resident.robots import play
from pbm_holomino.resident.thinking import CannotThink, Thinking
from pbm_holomino.resident.work import Work
from pbm_holomino.robots import Analysis
from pbm_holomino.robots.contract import Budget, Forecast
from pbm_holomino.rules.contract import View
from pbm_holomino.store import reviews, robot_jobs
from pbm_holomino.store.contract import KEY, REVIEWS, ROBOTS_FAILED
from pbm_holomino.store.home import Home
from pbm_holomino.store.robot_jobs import HINT, REVIEW, Job
from tests import storage
from tests.club import Club
from tests.house import Crash, House, dies, home, mail_of, own
from tests.prose import plain

CHANCE = 0.75  # of whoever is to move, as the robot of these tests thinks


class Robot:
    """A robot that would always play the first move of the list, by which any other
    gives `away` two points. It may `fail`, and does `meanwhile` before it thinks."""

    def __init__(self) -> None:
        self.away = 2.0
        self.seen: list[View] = []
        self.fail: Callable[[Budget], bool] = lambda budget: False
        self.meanwhile: Callable[[], object] = lambda: None

    def analyse(
        self, name: str, view: View, budget: Budget, rng: Random, played: str = ""
    ) -> Analysis:
        self.seen.append(view)
        self.meanwhile()
        if self.fail(budget):
            raise ArithmeticError
        best = min(view.legal)
        away = self.away * (played not in ("", best))
        return Analysis(best, sentence("It is the first."), away, Forecast(1.0, CHANCE))


def in_this_process(think: Callable[[], str], *_: object) -> str:
    """What is thought, as if in a process of its own."""
    try:
        return think()
    except ArithmeticError as error:
        raise CannotThink("it failed") from error


@pytest.fixture
def robot(monkeypatch: pytest.MonkeyPatch) -> Robot:
    found = Robot()
    monkeypatch.setattr(robots, "analyse", found.analyse)
    monkeypatch.setattr(thinking, "thought", in_this_process)
    monkeypatch.setattr(advising, "lower_priority", lambda: None)
    return found


@pytest.fixture
def running(server: House, robot: Robot) -> House:
    """It is alice's turn on a board that does not count."""
    server.challenge("-rated=no")
    server.taken()
    return server


@pytest.fixture
def over(server: House, robot: Robot) -> House:
    """Three moves were made on a board that counts, and then bob resigned."""
    server.challenge()
    server.play(moves=3, choose=max)
    assert server.type("holo resign 1 bob {bob}").status == 0
    server.taken()
    return server


def working(house: House) -> Work:
    """The robots of a server, which move at once."""
    return Work(house.server, 0.0)


def advise(house: House) -> list[Letter]:
    """The letters that leave when the robots do what players have asked for."""
    house.taken()
    for _ in working(house).do_all():
        pass
    return house.taken()


def hint(house: House, who: str = "alice", board: int = 1) -> str:
    return plain(house.type(f"holo hint {board} {who} {{{who}}}").text)


def review(house: House, who: str = "alice", more: str = "") -> str:
    return house.type(f"holo review 1 {who} {{{who}}} {more}").text


# Hints


def test_a_hint_comes_in_a_letter_that_can_be_answered_with_it(running: House) -> None:
    mail = mail_of("holo hint 1 alice xanadu", Message_ID="<1@example.org>")
    (answer,) = running.mail(mail)
    assert "comes by mail in a minute" in plain(answer.text)
    (letter,) = advise(running)
    best = min(running.legal())
    assert letter.subject == "holo 1: a hint"
    assert letter.to == ("alice@example.org",)
    told, because = letter.text.split("\n")[1:3]
    assert (told.strip(), because) == (best, "It is the first.")
    assert "Holomino, board 1, at the start: alice against bob" in letter.text
    running.reply(letter, best)
    assert running.match().record.log[-1].action == best
    assert advise(running) == []


def test_a_reply_can_ask_for_a_hint(server: House, robot: Robot) -> None:
    server.challenge("-rated=no")
    to_alice = next(x for x in server.taken() if x.to == ("alice@example.org",))
    server.reply(to_alice, "hint")
    assert robot_jobs.waiting(server.store) == [Job(HINT, "holo", 1, "alice", 0)]


def test_a_robot_sees_what_the_player_may_see(running: House, robot: Robot) -> None:
    hint(running)
    advise(running)
    match = running.match()
    assert robot.seen == [match.rules.view(match.state, 0)]


def test_the_same_hint_is_given_once_however_often_it_is_asked_for(
    running: House,
) -> None:
    hint(running)
    hint(running)
    assert len(advise(running)) == 1
    assert robot_jobs.waiting(running.store) == []


@pytest.mark.parametrize("moves", [0, 1, 2])
def test_a_mail_that_comes_again_is_answered_but_not_thought_about(
    running: House, robot: Robot, moves: int
) -> None:
    """Also if the player has moved meanwhile, so that another could have no hint."""
    mail = mail_of("holo hint 1 alice xanadu", Message_ID="<1@example.org>")
    (first,) = running.mail(mail)
    assert running.mail(mail) == [first]
    assert len(advise(running)) == 1
    running.play(moves=moves)
    thought = len(robot.seen)
    running.time = "2026-11-22T08:00:00Z"
    assert running.mail(mail) == [first]
    assert advise(running) == []
    assert len(robot.seen) == thought
    other = mail_of("holo hint 1 alice xanadu", Message_ID="<2@example.org>")
    running.mail(other)
    assert len(advise(running)) == (moves != 1)


def test_a_reply_that_comes_again_does_not_either(running: House) -> None:
    letter = hint_asked(running)
    (first,) = running.reply(letter, "hint")
    assert len(advise(running)) == 1
    running.play(moves=1)
    assert running.reply(letter, "hint") == [first]
    assert advise(running) == []


def hint_asked(house: House) -> Letter:
    """A letter to alice about a board, to which she can reply."""
    house.challenge("-rated=no")
    (letter,) = (x for x in house.taken() if x.to == ("alice@example.org",))
    return letter


def test_a_mail_that_asks_for_a_review_again_has_the_same_answer(over: House) -> None:
    mail = mail_of("holo review 1 alice xanadu", Message_ID="<1@example.org>")
    (first,) = over.mail(mail)
    assert len(advise(over)) == 1
    assert over.mail(mail) == [first]
    assert advise(over) == []
    (other,) = over.mail(mail_of("holo review 1 alice xanadu", Message_ID="<2@x>"))
    assert other.attachments  # which is the review


def test_what_an_older_release_was_asked_for_is_done(running: House) -> None:
    """Jobs and answers are found by the folders and names that they always had."""
    running.type("holo challenge alice robot1")
    kept, mail = running.store.kept, b"2fd4e1c67a2d28fc/1"
    kept.keep("lessons", "hint.holo.1.alice.0.eml", mail)
    kept.keep("lessons", "hint.holo.2.alice.0.eml", mail)
    assert [letter.subject for letter in advise(running)] == [
        "holo 1: a hint",
        "holo 2: a hint",
    ]
    assert kept.mails("lessons") == []
    hint = robot_jobs.hint(running.store, running.match(), "alice")
    assert hint
    told = (hint.move, str(hint.reason))
    assert told == (min(running.legal()), "It is the first.")
    (name, _) = kept.mails("hints")
    assert re.fullmatch(r"holo-1-alice-[0-9a-f]{16}\.eml", name)
    assert kept.read("hints", name) == "\n".join(told).encode()
    kept.keep("asked", "alice.2fd4e1c67a2d28fc-1.eml", b"A robot is thinking.")
    source = mail.decode()
    assert robot_jobs.answer(running.store, "alice", source) == "A robot is thinking."


@pytest.mark.parametrize("name", ["review.holo.1.alice.0", "hint.chess.1.alice.0"])
def test_what_cannot_be_asked_for_is_not_done(running: House, name: str) -> None:
    """There may be such files in a store that is older than its boards, or that another
    release has used."""
    running.play(moves=2)
    running.store.kept.keep("lessons", f"{name}.eml", b"m1")
    assert advise(running) == []
    assert robot_jobs.waiting(running.store) == []


def test_a_player_who_has_moved_gets_no_hint(running: House, robot: Robot) -> None:
    hint(running)
    running.play(moves=2)
    assert running.match().turn == ("alice",)
    assert advise(running) == []
    assert robot_jobs.waiting(running.store) == []
    assert robot.seen == []


def test_games_between_people_that_count_have_no_hints(
    server: House, robot: Robot
) -> None:
    server.challenge()
    assert "that counts in the ratings, so there are no hints" in hint(server)
    server.challenge(names="alice robot1")
    assert "comes by mail" in hint(server, board=2)
    server.challenge(names="alice bob robot1", game="walomino")
    said = server.type("walomino hint 1 alice {alice}")
    assert said.status == 0  # it does not count, as a robot plays
    server.server.robots = server.server.robots._replace(are_rated=True)
    server.challenge("-rated", "alice robot1")
    assert "comes by mail" in hint(server, board=3)
    server.challenge("-rated", "alice bob robot1", "walomino")
    said = server.type("walomino hint 2 alice {alice}")
    assert (said.status, "there are no hints" in plain(said.text)) == (1, True)


def test_games_of_a_tournament_have_no_hints(running: House) -> None:
    """Not even those against robots: others play in the tournament, too."""
    match = running.match()
    asking.check_hint(match, "alice")
    record = match.record._replace(robots=("bob",), tournament="1.2")
    with pytest.raises(NotAllowed, match="a game of a tournament, so there are no"):
        asking.check_hint(match._replace(record=record), "alice")


def test_a_hint_is_for_a_players_own_turn(running: House) -> None:
    said = hint(running, "bob")
    assert said.startswith("A hint is for your own move, and on holo 1 it is alice's")
    assert "Holomino, board 1" in said
    assert robot_jobs.waiting(running.store) == []


def test_there_are_so_many_hints_in_a_day(
    running: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(asking.MOST, HINT, 2)
    running.challenge("-rated=no")
    running.challenge("-rated=no")
    hint(running)
    hint(running)  # the same is not counted while it waits
    assert "comes by mail" in hint(running, board=2)
    said = hint(running, board=3)
    assert said.startswith("You have asked for 2 hints today, and no player can have")
    advise(running)
    running.time = "2026-11-21T00:00:00Z"
    assert "comes by mail" in hint(running, board=3)


def test_who_has_no_address_is_told_how_to_get_hints(
    server: House, robot: Robot
) -> None:
    assert server.type("signup carol {carol}").status == 0
    server.challenge("-rated=no", "carol bob")
    said = hint(server, "carol")
    assert "add carol PASSWORD name@example.org" in said
    assert robot_jobs.waiting(server.store) == []


@pytest.mark.parametrize("game", ["hextol", "walomino"])
def test_hints_of_real_robots_are_legal(server: House, game: str) -> None:
    server.challenge("-rated=no", game=game)
    match = server.library.match(game, 1)
    found = advising.advice_on(Thinking(server.server), match, match.turn[0])
    assert found is not None
    assert found.move in match.view(match.turn[0]).legal
    assert re.fullmatch(r"[A-Z].*\.", str(found.reason))
    assert server.store.note(ROBOTS_FAILED) == ""


# Robots that fail


def test_where_a_robot_fails_the_one_without_a_budget_answers(
    running: House, robot: Robot
) -> None:
    robot.fail = lambda budget: not budget.is_empty
    hint(running)
    (letter,) = advise(running)
    assert f"  {min(running.legal())}\n" in letter.text
    note = running.store.note(ROBOTS_FAILED)
    assert note == "2026-11-20T08:00:00Z a hint on holo 1: it failed"


def test_where_all_fail_the_player_is_told(running: House, robot: Robot) -> None:
    robot.fail = lambda budget: True
    hint(running)
    (letter,) = advise(running)
    said = "No robot has come to a result on holo 1: the owner has been told."
    assert plain(letter.text) == said
    assert robot_jobs.waiting(running.store) == []


def test_a_robot_fails_in_a_process_of_its_own(
    running: House, robot: Robot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    monkeypatch.setattr(robots, "analyse", robot.analyse)
    robot.fail = lambda budget: True
    match = running.match()
    assert advising.advice_on(Thinking(running.server), match, "alice") is None
    assert robot.seen == []  # that was in the other processes
    assert "it failed: ArithmeticError" in running.store.note(ROBOTS_FAILED)


# Reviews


def played(house: House) -> list[tuple[int, str, str, int]]:
    """Each move with its number, its player, and what it scored."""
    match, found = house.match(), list[tuple[int, str, str, int]]()
    for line in match.moves:
        made = match.record.log[line]
        seat = match.record.players.index(made.who)
        gain = match.steps[line].state.scores[seat]
        gain -= match.steps[line - 1].state.scores[seat]
        assert made.no
        found.append((made.no, made.who, str(made.action), gain))
    return found


def test_a_review_says_for_each_move_what_would_have_been_better(over: House) -> None:
    assert "comes by mail in a minute or two" in plain(review(over))
    (letter,) = advise(over)
    assert letter.subject == "holo 1: the game reviewed"
    assert letter.to == ("alice@example.org",)
    rows = re.findall(r"^ *(\d+)  (\w+) +(\S+) +(\d+)  (.*)$", letter.text, re.M)
    best = [min(over.match().at(i - 1).view(None).legal) for i in over.match().moves]
    assert [(int(no), who, move, int(gain)) for no, who, move, gain, _ in rows] == (
        played(over)
    )
    for (_, _, move, _), robots_move, row in zip(played(over), best, rows, strict=True):
        assert move != robots_move  # all took the last move of the list
        assert row[4].split() == [robots_move, "2"]
    ending = "The game is over: alice won, as bob resigned."  # a userid is lower case
    assert ending in plain(letter.text)
    assert (
        "alice played as the robot would have in 0 of 2 moves. By its estimate, move "
        "1 cost the most: 2 points." in plain(letter.text)
    )
    assert max(map(len, letter.text.splitlines())) <= 72


def test_the_best_move_gives_nothing_away(server: House, robot: Robot) -> None:
    server.challenge()
    server.play(moves=2, choose=min)
    server.type("holo resign 1 bob {bob}")
    review(server)
    (letter,) = advise(server)
    rows = re.findall(r"^ *\d+  \w+ +\S+ +\d+  (.*)$", letter.text, re.M)
    assert [row.split() for row in rows] == [["the", "same", "-"]] * 2
    history = server.type("holo history 1").text
    assert history.count("(A robot would have played the same.)") == 2


def test_moves_that_were_taken_back_are_not_reviewed(
    over: House, server: House
) -> None:
    server.challenge("-rated=no")
    server.play(2, moves=2)
    for words in ("move 2 bob {bob} undo", "move 2 alice {alice} accept"):
        assert server.type(f"holo {words}").status == 0
    assert server.type("holo resign 2 bob {bob}").status == 0
    assert server.type("holo review 2 alice {alice}").status == 0
    advise(server)
    found = reviews.find(server.store, server.match(2))
    assert found is not None
    assert [judged.line for judged in found.moves] == [*server.match(2).moves]
    assert len(found.moves) == 1


def test_the_graph_of_chances_comes_with_it(over: House) -> None:
    review(over)
    (letter,) = advise(over)
    (file,) = letter.attachments
    assert (file.name, file.kind) == ("holo-1-review.svg", "image/svg+xml")
    tree = ElementTree.fromstring(file.content.decode())
    groups = {g.get("data-name"): g for g in tree.iter() if g.get("data-name")}
    lines = {who: group.find(".//{*}polyline") for who, group in groups.items()}
    points = {
        who: line.get("points", "").split()
        for who, line in lines.items()
        if line is not None
    }
    # whoever moves has 75 %, alice, bob, alice; and in the end alice has won
    heights = [200 * (1 - chance) for chance in (0.75, 0.25, 0.75, 1)]
    assert [float(p.split(",")[1]) for p in points["alice"]] == heights
    heights = [200 * (1 - chance) for chance in (0.25, 0.75, 0.25, 0)]
    assert [float(p.split(",")[1]) for p in points["bob"]] == heights
    assert review(over, "alice", "-format=svg") != ""
    answer = over.type("holo review 1 alice {alice} -format=svg")
    assert [each.content for each in answer.attachments] == [file.content]


def test_a_game_that_was_cancelled_has_no_winner_in_its_review(
    server: House, robot: Robot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each has the chances that the robot saw before the moves, and none in the end."""
    own(server, monkeypatch)
    server.challenge()
    server.play(moves=3)
    assert owner.run(["void", "holo", "1"]).status == 0
    review(server)
    (letter,) = advise(server)
    assert len(letter.attachments) == 1
    found = json.loads(review(server, "bob", "-format=json"))
    assert len(found["moves"]) == 3
    assert found["end"] == {"alice": 0.0, "bob": 0.0}


def test_a_job_that_fails_in_an_unforeseen_way_keeps_nobody_waiting(
    over: House, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is tried again later, and the next one is done at once."""
    draw, reviewed = letters.picture, list[int]()

    def once_wrong(match: Match, found: Review, code: str) -> Attachment:
        reviewed.append(match.record.board)
        if match.record.board == 1:
            raise KeyError("what nobody has thought of")
        return draw(match, found, code)

    monkeypatch.setattr(letters, "picture", once_wrong)
    review(over)
    over.challenge()
    over.play(2, 3)
    assert over.type("holo resign 2 bob {bob}").status == 0
    over.type("holo review 2 bob {bob}")
    (letter,) = advise(over)
    assert letter.to == (home("bob"),)
    assert reviewed == [1, 2]
    (waits,) = robot_jobs.waiting(over.store)
    assert waits.board == 1
    assert "holo 1" in capsys.readouterr().err


def test_a_review_is_there_for_everybody_once_a_player_has_asked(
    over: House, robot: Robot
) -> None:
    over.sign_up("carol")
    refused = plain(review(over, "carol"))
    assert refused.startswith("There is no review of holo 1 yet, and only its players")
    review(over)
    (letter,) = advise(over)
    count = len(robot.seen)
    assert review(over, "carol") == letter.text
    assert review(over, "bob") == letter.text
    assert advise(over) == []
    assert len(robot.seen) == count == 3


def test_two_players_who_ask_get_a_letter_each_of_one_review(
    over: House, robot: Robot
) -> None:
    review(over, "alice")
    review(over, "bob")
    letters = advise(over)
    assert [letter.to[0] for letter in letters] == [
        "alice@example.org",
        "bob@example.org",
    ]
    assert letters[0].text.partition("\n\n")[0] == letters[1].text.partition("\n\n")[0]
    assert len(robot.seen) == 3


def test_one_point_is_one_point(server: House, robot: Robot) -> None:
    """Each of alice and bob made one move, which gave away a point."""
    robot.away = 1.0
    server.challenge()
    server.play(moves=2, choose=max)
    assert server.type("holo resign 1 bob {bob}").status == 0
    server.taken()
    review(server)
    (letter,) = advise(server)
    assert (
        "alice played as the robot would have in 0 of 1 move. By its estimate, move 1 "
        "cost the most: 1 point." in plain(letter.text)
    )
    assert ", 1 point better.)" in plain(server.type("holo history 1").text)


def test_minus_points_are_said_to_be_bad(server: House, robot: Robot) -> None:
    server.challenge(game="walomino")
    while server.library.match("walomino", 1).turn:
        match = server.library.match("walomino", 1)
        who, move = match.turn[0], match.view(match.turn[0]).proposal.moves[0]
        assert server.type(f"walomino move 1 {who} {{{who}}} {move}").status == 0
    server.taken()
    assert "mail" in server.type("walomino review 1 alice {alice}").text
    (letter,) = advise(server)
    said = plain(letter.text)
    assert "the minus points that it brought at once (the fewer the better)" in said
    (head,) = (line for line in letter.text.splitlines() if line.startswith("no. "))
    assert head.split() == ["no.", "player", "played", "minus", "robot", "gave", "away"]
    assert max(map(len, letter.text.splitlines())) <= 72


def test_its_comments_are_in_the_history_in_every_format(over: House) -> None:
    before = over.type("holo history 1").text
    review(over)
    advise(over)
    best = [min(over.match().at(i - 1).view(None).legal) for i in over.match().moves]
    after = over.type("holo history 1").text
    comments = [
        f"(A robot would have played {move}, 2 points better.)" for move in best
    ]
    told = plain(after)
    at = [told.index(comment) for comment in comments]
    assert at == sorted(at)
    indented = re.sub(r"^ {20,}\(A robot .*\n(?: {20,}\S.*\n)?", "", after, flags=re.M)
    assert indented == before
    for form in ("bbcode", "markdown", "html", "list"):
        shown = over.type(f"holo history 1 -format={form}").text
        assert all(comment in plain(shown) for comment in comments), form
    assert "robot" not in over.type("holo history 1 -format=yaml").text


def test_a_review_is_kept_to_the_thousandth() -> None:
    moves = (Judged(1, "123:4", 1234.567, (0.5, 0.5)), Judged(2, "9:1", 20, (0.25, 1)))
    found = Review("d", moves)
    data = to_data(found)
    assert data["moves"][0].split() == ["1", "123:4", "1234.567", "0.500", "0.500"]
    assert data["moves"][1].split()[2] == "20"
    assert from_data(data) == found


def test_programs_read_a_review(over: House) -> None:
    def history() -> dict[str, object]:
        found: dict[str, object]
        found = json.loads(over.type("holo history 1 -format=json").text)
        return found

    before = history()
    assert "review" not in before
    review(over)
    advise(over)
    after = history()
    assert {**after, "review": None} == {**before, "review": None}
    best = [min(over.match().at(i - 1).view(None).legal) for i in over.match().moves]
    moves = [
        {
            "no": no,
            "player": who,
            "played": move,
            "scored": gain,
            "robot": better,
            "gave_away": 2.0,
            "chances": {"alice": 0.25, "bob": 0.25} | {who: 0.75},
        }
        for (no, who, move, gain), better in zip(played(over), best, strict=True)
    ]
    assert after["review"] == {"moves": moves, "end": {"alice": 1.0, "bob": 0.0}}
    assert json.loads(review(over, "bob", "-format=json")) == {
        "game": "holo",
        "board": 1,
        "moves": moves,
        "end": {"alice": 1.0, "bob": 0.0},
    }


def test_what_cannot_be_reviewed(server: House, robot: Robot) -> None:
    server.challenge()
    assert "holo 1 is not over yet" in review(server)
    server.type("holo decline 1 bob {bob}")
    assert "Nobody has moved on holo 1" in review(server)
    assert robot_jobs.waiting(server.store) == []


def test_chances_of_three_players_add_up_to_one(
    club: Club, robot: Robot, monkeypatch: pytest.MonkeyPatch
) -> None:
    club.open("walomino", 3, "-rounds=1").accept()
    monkeypatch.setattr(
        robots, "forecast", lambda name, view, budget, rng: Forecast(0.0, 0.2)
    )
    first = club.board().turn[0]
    club.play(most=1)
    others = [who for who in ("alice", "bob", "carol") if who != first]
    club.resign(others[0])
    club.play(most=1)
    club.resign(others[1])
    club.say("walomino review 1 alice {alice}")
    for _ in working(club.server).do_all():
        pass
    found = reviews.find(club.server.store, club.board())
    assert found is not None
    third, half = pytest.approx(1 / 3, abs=0.001), pytest.approx(0.5, abs=0.001)
    gone = club.board().record.players.index(others[0])
    left = tuple(0.0 if seat == gone else half for seat in range(3))
    assert [judged.chances for judged in found.moves] == [(third,) * 3, left]


def test_a_review_names_nobody_who_wants_to_be_named_no_more(over: House) -> None:
    review(over)
    assert over.type("delete bob {bob} nameless").status == 0
    (letter,) = advise(over)
    assert "alice against a former player" in letter.text
    assert "bob" not in letter.text
    assert reviews.find(over.store, over.match()) is not None


def test_a_player_without_an_address_asks_again(over: House, robot: Robot) -> None:
    over.type("signup carol {carol}")
    over.challenge(names="carol bob")
    match = over.match(2)
    move = match.view(None).legal[0]
    assert over.type(f"holo move 2 carol {{carol}} {move}").status == 0
    over.type("holo resign 2 bob {bob}")
    asked = over.type("holo review 2 carol {carol}").text
    assert "Ask again in a minute or two" in plain(asked)
    assert advise(over) == []
    said = over.type("holo review 2 carol {carol}").text
    assert said.startswith("Holomino, board 2, reviewed by a robot: carol against bob")


# Made once and whole


def lease_passes(house: House) -> None:
    house.time = later(house.time, seconds=LEASE_SECONDS)


def test_a_review_that_was_interrupted_begins_again(over: House, robot: Robot) -> None:
    review(over)

    def die_at_the_third() -> None:
        if len(robot.seen) == 3:
            raise Crash

    robot.meanwhile = die_at_the_third
    with pytest.raises(Crash):
        advise(over)
    assert reviews.find(over.store, over.match()) is None
    assert "robot" not in over.type("holo history 1").text
    robot.meanwhile = lambda: None
    lease_passes(over)
    (letter,) = advise(over)
    assert len(robot.seen) == 3 + 3
    assert "reviewed by a robot" in letter.text


def test_whenever_the_process_dies_the_review_is_whole(
    over: House, robot: Robot, tmp_path: Path
) -> None:
    review(over)
    whole = over.copy(tmp_path / "whole")
    advise(whole)
    wanted = reviews.find(whole.store, whole.match())
    assert isinstance(wanted, Review)
    assert len(wanted.moves) == 3
    moment = 1
    while True:
        house = over.copy(tmp_path / f"{moment}")

        def work(house: House = house) -> None:
            for _ in working(house).do_all():
                pass

        has_died = dies(house, moment, work)
        assert reviews.find(house.store, house.match()) in (None, wanted)
        sent = len(house.taken())
        again = House(house.folder)
        lease_passes(again)
        sent += len(advise(again))
        assert sent >= 1
        assert reviews.find(again.store, again.match()) == wanted
        assert robot_jobs.waiting(again.store) == []
        if not has_died:
            break
        moment += 3
    assert moment > 6


def test_one_process_at_a_time_is_at_a_job(over: House, robot: Robot) -> None:
    review(over)
    first, second = working(over), working(House(over.folder))
    work = first.do_all()
    assert next(work) is None
    assert list(second.do_all()) == []
    assert second.until_free is not None
    assert 0 < second.until_free <= LEASE_SECONDS
    assert list(work)[-1] == Job(REVIEW, "holo", 1, "alice")
    assert len(robot.seen) == 3


def test_a_process_that_has_lost_its_lease_stops(over: House, robot: Robot) -> None:
    review(over)
    other = House(over.folder)
    work = working(over).do_all()
    next(work)
    lease_passes(over)
    lease_passes(other)
    theirs = working(other).do_all()
    next(theirs)
    assert list(work) == []
    assert len(list(theirs)) == 3  # two more moves, and the end
    assert len(robot.seen) == 1 + 3
    assert len(other.taken()) == 1
    assert over.taken() == []


def test_a_letter_that_cannot_leave_is_tried_again(over: House) -> None:
    review(over)
    over.cannot_send()
    assert advise(over) == []
    assert len(robot_jobs.waiting(over.store)) == 1
    over.trouble = None
    lease_passes(over)
    assert len(advise(over)) == 1


def test_a_review_that_does_not_fit_its_board_is_made_again(
    over: House, robot: Robot
) -> None:
    review(over)
    advise(over)
    for spoilt in (
        {"digest": "0" * 64},
        {"moves": ["1 2"]},
        {"moves": "-"},
    ):
        data = over.data(REVIEWS, "holo-1")
        over.put(REVIEWS, "holo-1", {**data, **spoilt})
        assert "robot" not in over.type("holo history 1").text
        lease_passes(over)
        review(over)
        assert len(advise(over)) == 1
        assert over.data(REVIEWS, "holo-1") == data


def test_a_board_that_is_gone_or_damaged_is_passed_over(over: House) -> None:
    review(over)
    over.damage("holo", "1")
    assert advise(over) == []
    assert robot_jobs.waiting(over.store) == []


def test_jobs_and_reviews_go_to_another_store(over: House, tmp_path: Path) -> None:
    review(over)
    advise(over)
    over.challenge("-rated=no")
    hint(over, board=2)
    other = storage.over.open(tmp_path / "other")
    titles = [t for t in over.store.titles() if t.kind != KEY]  # the tests' own
    other.put_pieces(over.store.pieces(titles))
    assert robot_jobs.waiting(other) == robot_jobs.waiting(over.store) != []
    found = reviews.find(over.store, over.match())
    assert found is not None
    assert reviews.find(other, over.match()) == found
    other.close()


def test_a_robots_turn_comes_before_the_rest_of_a_review(
    over: House, robot: Robot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody waits for the move."""
    over.challenge(names="alice robot1")
    review(over)
    order = list[str]()

    def meanwhile() -> None:
        order.append("judged")
        if len(order) == 1:
            over.type(f"holo move 2 alice {{alice}} {over.legal(2)[0]}")

    def choose(view: View, budget: Budget, rng: Random) -> str:
        order.append("moved")
        return view.legal[0]

    robot.meanwhile = meanwhile
    monkeypatch.setattr(robots, "load", lambda name, level: choose)
    assert play(over.server, Home(str(over.folder), over.config)) == 2
    assert order == ["judged", "moved", "judged", "judged"]


def test_a_hint_comes_before_the_rest_of_a_review(over: House, robot: Robot) -> None:
    """And the review goes on where it was, under the same lease."""
    over.challenge("-rated=no")
    review(over)
    order = list[str]()

    def meanwhile() -> None:
        order.append("judged" if len(order) != 1 else "advised")
        if len(order) == 1:
            hint(over, board=2)

    robot.meanwhile = meanwhile
    work = list(working(over).do_all())
    hinted = Job(HINT, "holo", 2, "alice", 0)
    assert work == [None, hinted, None, None, Job(REVIEW, "holo", 1, "alice")]
    assert order == ["judged", "advised", "judged", "judged"]


def test_one_game_is_reviewed_after_the_other(over: House, robot: Robot) -> None:
    """Otherwise all would be late."""
    over.challenge()
    over.play(2, moves=2, choose=max)
    assert over.type("holo resign 2 bob {bob}").status == 0
    review(over)
    assert over.type("holo review 2 bob {bob}").status == 0
    ended = [done.board for done in working(over).do_all() if isinstance(done, Job)]
    assert ended == [1, 2]
    assert len(robot.seen) == 3 + 2


def test_acts_are_not_moves(over: House) -> None:
    """The resignation with which this game ended is not judged."""
    review(over)
    advise(over)
    found = reviews.find(over.store, over.match())
    assert found is not None
    assert over.match().record.log[-1].action is Act.RESIGN
    assert len(found.moves) == 3
