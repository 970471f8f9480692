"""A board of older rules is judged by them: moves, hints, reviews, forecasts, talk."""

import random
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from pbm_holomino import robots, rules
from pbm_holomino.languages import sentence
from pbm_holomino.match.board import Match
from pbm_holomino.resident import advising
from pbm_holomino.resident.mind import Mind
from pbm_holomino.resident.thinking import Thinking
from pbm_holomino.resident.work import Work
from pbm_holomino.robots.contract import Budget, Forecast, Worth
from pbm_holomino.rules import games
from pbm_holomino.store import reviews
from tests.house import House
from tests.rules import newer

LITTLE = Budget(steps=12)
REMEMBERED = (rules.modules_of, rules.names, rules.load, rules.versions, robots.load)


@pytest.fixture
def coins(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Coins is one of the games: by its first rules a coin is one point, by those of
    today ten."""
    forget()
    monkeypatch.setattr(games, "__path__", [*games.__path__, *newer.__path__])
    yield
    forget()


def forget() -> None:
    for known in REMEMBERED:
        known.cache_clear()


def analysis(version: int, played: str) -> robots.Analysis:
    game = rules.load("coins", version)
    view, dice = game.view(game.start(2, {}), 0), random.Random(1)
    edition = rules.edition("coins", version)
    return robots.analyse(edition, view, LITTLE, dice, played)


@pytest.mark.parametrize(("version", "worth"), [(1, 1), (2, 10)])
def test_an_analysis_counts_as_the_rules_of_the_board_do(
    coins: None, version: int, worth: int
) -> None:
    """Three coins could be taken, and one was."""
    found = analysis(version, "1")
    assert str(found.reason) == f"It gains {3 * worth} points on your opponent at once."
    assert found.given_away == 2 * worth


def test_the_newest_rules_go_by_the_games_name(coins: None) -> None:
    assert rules.edition("coins", 2) == "coins"
    assert rules.edition("coins", 1) == "coins_1"
    with pytest.raises(LookupError):
        robots.load("coins_3", 1)


class Made:
    """A robot of somebody who always takes this."""

    def __init__(self, move: str) -> None:
        self.LEVELS = (lambda view, budget, rng: move,) * 3

    def forecast(self, *about: Any) -> Forecast:
        return Forecast(0, 0.5)

    def worths(self, view: Any, words: Any, *about: Any) -> list[Worth]:
        return [Worth(0, sentence("I like it.")) for _ in words]


def has_robot(monkeypatch: pytest.MonkeyPatch, edition: str, move: str) -> None:
    """Somebody has made a robot for this edition."""
    known = rules.modules_of
    monkeypatch.setattr(rules, "modules_of", lambda kept: (*known(kept), edition))
    name = f"{robots.games.__name__}.{edition}"
    monkeypatch.setitem(sys.modules, name, Made(move))


def test_what_is_made_for_the_newest_rules_judges_no_others(
    coins: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    has_robot(monkeypatch, "coins", "2")
    assert analysis(2, "").move == "2"
    assert analysis(1, "").move == "3"
    has_robot(monkeypatch, "coins_1", "1")
    assert analysis(1, "").move == "1"


@pytest.fixture
def old(server: House, coins: None) -> Match:
    """A board of the first rules, on which alice took a coin and bob three."""
    assert server.type("coins challenge alice bob -rated=no").status == 0
    server.put("coins", "1", {**server.data("coins", "1"), "version": "1"})
    for who, number in (("alice", 1), ("bob", 3)):
        assert server.type(f"coins move 1 {who} {{{who}}} {number}").status == 0
    return server.library.match("coins", 1)


def test_hints_and_talk_on_a_board_of_older_rules_are_by_these(
    server: House, old: Match
) -> None:
    found = advising.advice_on(Thinking(server.server), old, "alice")
    assert found
    assert (found.move, str(found.reason)) == (
        "3",
        "It gains 3 points on your opponent at once.",
    )
    mind = Mind(old, "alice", bytes(32))
    assert mind.remark(LITTLE).startswith("You are 2 points ahead, ")


def test_a_review_of_a_board_of_older_rules_is_by_these(
    server: House, old: Match
) -> None:
    for who, number in (("alice", 2), ("bob", 1)):
        assert server.type(f"coins move 1 {who} {{{who}}} {number}").status == 0
    server.type("coins review 1 alice {alice}")
    for _ in Work(server.server, 0.0).do_all():
        pass
    found = reviews.find(server.store, server.library.match("coins", 1))
    assert found is not None
    assert [judged.given_away for judged in found.moves] == [2, 0, 1, 2]
