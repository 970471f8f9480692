"""Somebody makes many accounts and asks for everything with each of them: nobody who
plays here waits longer for it, or is crowded out."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from pbm_holomino import owner, rules
from pbm_holomino.commands import allowance
from pbm_holomino.commands import hints_and_reviews as asking
from pbm_holomino.commands.seeks import MOST_LISTED
from pbm_holomino.errors import NotAllowed
from pbm_holomino.languages import sentence
from pbm_holomino.letters.letter import Letter
from pbm_holomino.match import tournament
from pbm_holomino.match.record import LogLine
from pbm_holomino.match.tournament import Change, Kind, Setup, begun
from pbm_holomino.match.turns import NEW_DAYS
from pbm_holomino.resident import advising, thinking
from pbm_holomino.resident.work import Work
from pbm_holomino.store import robot_jobs
from pbm_holomino.store.contract import TOURNAMENTS
from pbm_holomino.store.files import spool
from pbm_holomino.store.postgres import mails
from pbm_holomino.store.robot_jobs import HINT, REVIEW, Advice, Job
from tests.faults.socks import all_at_once, password, regulars, socks
from tests.house import House, own
from tests.instructions import is_linear
from tests.paths import ROOT
from tests.prose import plain


@pytest.fixture
def place(server: House, monkeypatch: pytest.MonkeyPatch) -> House:
    """A server where alice and bob have played for a while, and robots need no time."""
    monkeypatch.setattr(thinking, "thought", lambda think, *_: think())
    monkeypatch.setattr(
        advising, "advice_on", lambda *_: Advice("-", sentence("It is so."))
    )
    own(server, monkeypatch)
    regulars(server)
    return server


def say(house: House, line: str) -> str:
    """The answer to a command, which is carried out."""
    answer = house.type(line)
    assert answer.status == 0, answer.text
    return answer.text


def refused(house: House, line: str) -> str:
    """Why a command is refused."""
    answer = house.type(line)
    assert answer.status == 1, answer.text
    return plain(answer.text)


def done(house: House) -> list[Any]:
    """What the robots do, in that order."""
    return [each for each in Work(house.server, 0.0).do_all() if each]


# The robots


def against_robots(house: House, who: str, count: int = 1) -> list[int]:
    """So many boards of a player against robots, where it is the player's turn."""
    return [house.challenge(names=f"{who} robot1") for _ in range(count)]


def ask_hint(house: House, who: str, board: int) -> str:
    return say(house, f"holo hint {board} {who} {password(who)}")


def move(house: House, who: str, board: int) -> None:
    legal = house.match(board).view(None).legal
    say(house, f"holo move {board} {who} {password(who)} {legal[0]}")


def test_a_player_waits_for_one_hint_of_all_new_accounts(place: House) -> None:
    for who in socks(place, 6):
        for board in against_robots(place, who, 3):
            ask_hint(place, who, board)
    (mine,) = against_robots(place, "alice")
    ask_hint(place, "alice", mine)
    order = [job.who for job in done(place)]
    assert len(order) == 19
    assert order.index("alice") <= 1
    # and they have their first hints before anybody's second
    assert len({*order[:7]}) == 7


def test_a_player_waits_for_one_move_against_all_new_accounts(place: House) -> None:
    names = socks(place, 6)
    boards = {who: against_robots(place, who, 3) for who in (*names, "alice")}
    for who, theirs in boards.items():
        for board in theirs:
            move(place, who, board)
    order = [board for _, board in done(place)]
    assert sorted(order) == sorted(sum(boards.values(), []))
    mine = [order.index(board) for board in boards["alice"]]
    assert mine[0] <= 1
    assert mine[-1] <= 2 * len(mine)


def test_new_accounts_moves_do_not_keep_a_hint_waiting(place: House) -> None:
    """Moves come before hints, but no two of new accounts before a player's."""
    names = socks(place, 6)
    boards = {who: against_robots(place, who, 3) for who in names}
    (mine,) = against_robots(place, "alice")
    ask_hint(place, "alice", mine)
    for who, theirs in boards.items():
        for board in theirs:
            move(place, who, board)
    order = done(place)
    hint = Job(HINT, "holo", mine, "alice", 0)
    assert len(order) == 19
    assert order.index(hint) <= 1


def test_all_new_accounts_together_have_as_many_waiting_as_one_player(
    place: House,
) -> None:
    (sock,) = socks(place, 1)
    for kind, most in asking.MOST.items():
        for number in range(most):
            job = Job(kind, "holo", number + 1, f"sock{number + 1}")
            robot_jobs.ask(place.store, job, "")
    boards = {who: against_robots(place, who)[0] for who in (sock, "alice")}
    said = refused(place, f"holo hint {boards[sock]} {sock} secret")
    assert said.startswith(
        "All new accounts together can have 50 hints waiting for the robots, and that "
        "many wait: please ask again in a few minutes. An account is new for 7 days, "
        "and until its player has finished a game by score."
    )
    assert "comes by mail in a minute" in ask_hint(place, "alice", boards["alice"])
    assert "going through holo 1" in say(place, "holo review 1 alice {alice}")
    # what was refused did not count
    for job in robot_jobs.waiting(place.store):
        robot_jobs.forget(place.store, job)
    ask_hint(place, sock, boards[sock])
    assert place.store.counters.count_of("hint.asked", place.time[:10], sock) == 1


def test_a_request_is_kept_or_refused(place: House) -> None:
    """The store would drop the oldest if there were more than it keeps."""
    assert min(spool.MOST_KEPT, mails.MOST_KEPT) >= 2 * asking.MOST_WAITING
    for number in range(asking.MOST_WAITING):
        job = Job(HINT, "holo", number + 1, "carol")
        robot_jobs.ask(place.store, job, "")
    before = robot_jobs.waiting(place.store)
    (board,) = against_robots(place, "alice")
    said = refused(place, f"holo hint {board} alice {{alice}}")
    assert "500 hints and reviews wait for the robots already" in said
    assert robot_jobs.waiting(place.store) == before


# Open challenges


def open_ten(house: House, who: str) -> None:
    """As many open challenges as one player may have: three in a game."""
    for number in range(10):
        game = rules.names()[number // 3]
        say(house, f"{game} challenge {who} anyone")


def listed(text: str) -> list[str]:
    """The boards in a list of open challenges."""
    return re.findall(r"^  ([a-z]+ \d+)  ", text, re.MULTILINE)


def test_the_challenges_of_new_accounts_hide_nobodys(place: House) -> None:
    for game in ("holo", "walomino"):
        say(place, f"{game} challenge alice anyone")
    mine = listed(say(place, "list open"))
    for who in socks(place, 12):
        open_ten(place, who)
    first, second = (say(place, f"list open {page}") for page in (1, 2))
    assert first == say(place, "list open")
    assert 'And 22 more: "list open 2".' in first
    assert len(listed(first)) == MOST_LISTED
    assert {*mine} <= {*listed(first)[:4]}
    assert len({*listed(first), *listed(second)}) == 122
    assert "more" not in second
    said = refused(place, "list open 3")
    assert said == "There is no page 3 of open challenges: they take up 2 pages."


def test_the_newest_come_first_and_everybodys_first_before_a_second(
    server: House,
) -> None:
    """On a young server all accounts are new."""
    days = ["2026-11-20", "2026-11-21", "2026-11-22"]
    for day, who in zip(days, ("alice", "alice", "bob"), strict=True):
        server.time = f"{day}T08:00:00Z"
        say(server, f"holo challenge {who} anyone")
    assert listed(say(server, "list open")) == ["holo 3", "holo 2", "holo 1"]
    server.time = "2026-11-23T08:00:00Z"
    say(server, "hextol challenge bob anyone")
    said = listed(say(server, "list open"))
    assert said == ["hextol 1", "holo 2", "holo 3", "holo 1"]
    assert listed(say(server, "list open holo")) == ["holo 3", "holo 2", "holo 1"]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("list 2", 'Only the list of open challenges has pages: please write "list op'),
        ("list open 2 3", "Please name one page, not 2 and 3."),
        ("list open holo 2", "There is no page 2 of open challenges: they take up 1 p"),
    ],
)
def test_pages_that_there_are_not(server: House, line: str, why: str) -> None:
    answer = server.type(line)
    assert answer.status in (1, 2)
    assert plain(answer.text).startswith(why)


# Tournaments


def fields(house: House) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(say(house, "tournament 1 -format=json"))
    return found


def players(house: House) -> set[str]:
    return {row["player"] for row in fields(house)["players"]}


def join(house: House, who: str) -> str:
    return say(house, f"tournament join 1 {who} {password(who)}")


def test_a_player_takes_the_place_of_the_last_new_account(place: House) -> None:
    owner.run(["tournament", "open", "holo", "robin"])
    names = socks(place, 21)
    for who in names[:20]:
        join(place, who)
    line = f"tournament join 1 {names[20]} secret"
    assert "it has room for no more" in refused(place, line)
    assert "You have entered tournament 1" in plain(join(place, "alice"))
    (letter,) = place.taken()
    assert (letter.subject, letter.to) == (
        "tournament 1: no place",
        (f"{names[19]}@example.org",),
    )
    assert plain(letter.text).startswith(
        "You have lost your place in tournament 1 (Holomino, round robin). It is full, "
        "and new accounts give way to others, beginning with the one that entered "
        "last. An account is new for 7 days, and until its player has finished a game "
        "by score. If somebody leaves, you can enter it again with this line and your "
        f"password: tournament join 1 {names[19]} PASSWORD"
    )
    assert players(place) == {"alice", *names[:19]}
    assert "it has room for no more" in refused(
        place, f"tournament join 1 {names[19]} secret"
    )
    join(place, "bob")
    assert players(place) == {"alice", "bob", *names[:18]}
    assert owner.run(["check"]).status == 0
    assert owner.run(["flush"]).status == 0
    place.time = fields(place)["starts"]
    owner.run(["tick"])
    assert fields(place)["status"] == "running"


def test_a_letter_about_a_lost_place_is_not_lost(place: House) -> None:
    owner.run(["tournament", "open", "holo", "robin"])
    names = socks(place, 20)
    for who in names:
        join(place, who)
    place.cannot_send()
    join(place, "alice")
    assert place.taken() == []
    place.trouble = None
    owner.run(["flush"])
    (letter,) = place.taken()
    assert letter.to == (f"{names[-1]}@example.org",)


def test_where_nobody_gives_way_it_is_full(place: House) -> None:
    """New accounts share one place, and so one of them stays."""
    owner.run(["tournament", "open", "holo", "robin"])
    found = tournament.MOST_PLAYERS
    assert found == {"robin": 20, "swiss": 100}
    setup = Setup(1, "holo", "robin", 0, False, place.time, {})
    line = LogLine(None, place.time, "-", "-", Change(Kind.OPEN))
    old = [f"old{number}" for number in range(19)]
    log = [line, *(_line(who, Kind.JOIN) for who in (*old, "sock1"))]
    full = begun(setup, log)
    for new in ({"sock1"}, {"sock1", "sock2"}):
        with pytest.raises(NotAllowed):
            tournament.gives_way(full, "alice", new)
    assert tournament.gives_way(full, "alice", {"sock1", old[3]}) == "sock1"
    assert tournament.gives_way(full, "alice", {"sock1", old[3], old[0]}) == "sock1"


def _line(who: str, kind: Kind) -> LogLine[Change]:
    return LogLine(None, "2026-11-20T08:00:00Z", who, "<1@x>", Change(kind))


def test_a_tournament_takes_twenty_lines_of_a_player(place: House) -> None:
    """However often a mail with 25 pairs of commands comes."""
    owner.run(["tournament", "open", "holo", "swiss"])
    pair = [f"tournament {verb} 1 alice xanadu" for verb in ("join", "leave")]
    told = list[Letter]()
    for number in range(3):
        told += place.mail(all_at_once("alice", 25 * pair, str(number)))
    log = place.data(TOURNAMENTS, "1")["log"]
    assert len(log) == 1 + tournament.MOST_LINES == 21
    assert "You have entered tournament 1 and left it 10 times, and cannot" in plain(
        told[0].text
    )
    join(place, "bob")
    said = refused(place, "tournament join 1 bob {bob}")
    assert said == "You have already entered tournament 1."


def test_new_accounts_together_bring_so_many_lines(
    place: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As many as if all places were theirs; a player enters all the same."""
    monkeypatch.setitem(tournament.MOST_PLAYERS, "robin", 2)
    owner.run(["tournament", "open", "holo", "robin"])
    for who in socks(place, 4):
        for _ in range(tournament.MOST_LINES):
            if place.type(f"tournament join 1 {who} secret").status == 0:
                say(place, f"tournament leave 1 {who} secret")
    log = place.data(TOURNAMENTS, "1")["log"]
    assert len(log) == 2 * tournament.MOST_LINES + 1
    said = refused(place, "tournament join 1 sock4 secret")
    assert said == (
        "Tournament 1 has been entered and left so often that new accounts cannot "
        "enter it any more."
    )
    join(place, "alice")
    join(place, "bob")
    assert players(place) == {"alice", "bob"}


# A log of before


def long_log(pairs: int) -> list[str]:
    """Lines as they were written when there was no limit."""
    joins = [
        f"- 2026-11-20T08:00:00Z {who} <{number}@example.net>/{k} !{verb}"
        for number in range(pairs)
        for who in ("alice", "eve")
        for k, verb in enumerate(("join", "leave"), 1)
    ]
    return [*joins, "- 2026-11-20T08:00:00Z alice <last@example.net> !join"]


def test_a_long_log_of_before_still_opens(place: House) -> None:
    owner.run(["tournament", "open", "holo", "swiss"])
    data = place.data(TOURNAMENTS, "1")
    data["log"] += long_log(500)
    place.put(TOURNAMENTS, "1", data)
    assert players(place) == {"alice"}
    say(place, "tournament leave 1 alice {alice}")
    assert "left it 10 times" in refused(place, "tournament join 1 alice {alice}")
    join(place, "bob")
    assert owner.run(["check"]).status == 0


@pytest.mark.parametrize(
    "line",
    ["tournament 1", "tournament join 1 bob better4", "tournament leave 1 bob better4"],
)
def test_a_mail_has_a_long_log_read_so_often(
    place: House, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    owner.run(["tournament", "open", "holo", "swiss"])
    data = place.data(TOURNAMENTS, "1")
    data["log"] += long_log(100)
    place.put(TOURNAMENTS, "1", data)
    monkeypatch.setattr(allowance, "MOST_LINES", 10 * len(data["log"]))
    (letter,) = place.mail(all_at_once("bob", [line] * 20, "often"))
    told = plain(letter.text)
    assert told.count("This mail has asked for as much as a mail may") in (10, 11)


def test_a_log_is_read_in_one_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    """No line takes longer because others come before it; nor is what they have come
    to copied for each."""
    folds, fold = [], tournament._Fold

    def counted(before: tournament.Tournament) -> Any:
        folds.append(before)
        return fold(before)

    monkeypatch.setattr(tournament, "_Fold", counted)
    setup = Setup(1, "holo", "swiss", 0, False, "2026-11-20T08:00:00Z", {})
    data = tournament.to_data(begun(setup, [_line("-", Kind.OPEN)]))
    folds.clear()

    def reading(pairs: int) -> Callable[[], object]:
        log = [*data["log"], *long_log(pairs)]
        return lambda: tournament.from_data({**data, "log": log})

    assert is_linear(reading, 25)
    assert len(folds) == 4  # readings


def test_results_are_counted_in_one_pass() -> None:
    """Of many games, where each result was looked for among all of them."""
    setup = Setup(1, "holo", "swiss", 0, False, "2026-11-20T08:00:00Z", {})

    def counting(tables: int) -> Callable[[], None]:
        names = [f"p{number}" for number in range(2 * tables)]
        pairs = [f"{a}:{b}" for a, b in zip(names[::2], names[1::2], strict=True)]
        log = [_line("-", Kind.OPEN), *(_line(who, Kind.JOIN) for who in names)]
        log.append(_change(Kind.START, *names))
        for number in range(5):
            first = 1 + number * len(pairs)
            boards = [str(first + table) for table in range(len(pairs))]
            log += [_change(Kind.ROUND, *pairs), _change(Kind.BOARDS, *boards)]
            log += [_change(Kind.RESULT, board, "1-0") for board in boards]

        def count() -> None:
            found = begun(setup, log)
            assert len(found.games) == 5 * tables
            assert all(game.points == tournament.WON for game in found.games)

        return count

    assert is_linear(counting, 20)


def _change(kind: Kind, *words: str) -> LogLine[Change]:
    return LogLine(None, "2026-11-20T08:00:00Z", "-", "tick", Change(kind, words))


# What is written down


def test_the_figures_of_what_is_scarce_are_those_of_the_code() -> None:
    text = " ".join((ROOT / "SECURITY.md").read_text("ascii").split())
    assert f"At most {asking.MOST_WAITING} hints and reviews wait" in text
    of_new = asking.MOST[HINT], asking.MOST[REVIEW]
    assert "at most {} hints and {} reviews. A request".format(*of_new) in text
    assert f"An account is new for {NEW_DAYS} days" in text
    assert f'"list open" has {MOST_LISTED} challenges on a page' in text
    assert f"more than {tournament.MOST_LINES} lines to a tournament's log" in text
    places = tournament.MOST_PLAYERS.values()
    assert "its places ({}, or {} in a Swiss tournament)".format(*places) in text
