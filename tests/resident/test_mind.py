"""What a robot is given to think about."""

from random import Random

import pytest

from pbm_holomino import robots
from pbm_holomino.match.analysis import Analysis, analysed
from pbm_holomino.resident.mind import Mind
from pbm_holomino.robots.contract import Budget
from pbm_holomino.rules import names
from pbm_holomino.rules.contract import View
from tests.house import House

KEY = bytes(32)


@pytest.fixture
def random(monkeypatch: pytest.MonkeyPatch) -> None:
    """Robots whose move is the first number that chance gives them."""

    def choose(view: View, budget: Budget, rng: Random) -> str:
        return str(rng.random())

    monkeypatch.setattr(robots, "load", lambda name, level: choose)


@pytest.mark.usefixtures("random")
def test_chance_repeats_itself_for_the_same_position_alone(server: House) -> None:
    server.challenge()
    server.challenge()
    first, match = server.match(), server.match(2)
    server.play(moves=1)
    minds = [
        Mind(first, "alice", KEY),
        Mind(first, "bob", KEY),
        Mind(first, "alice", bytes(31) + b"1"),
        Mind(first, "alice", KEY, "lesson"),
        Mind(match, "alice", KEY),
        Mind(server.match(), "alice", KEY),
    ]
    found = [mind.move(Budget()) for mind in minds]
    assert len({*found}) == len(found)
    assert Mind(first, "alice", KEY).move(Budget()) == found[0]


@pytest.mark.parametrize("game", names())
def test_it_thinks_about_positions_that_a_player_tries(
    server: House, game: str
) -> None:
    """They are as that player knows them, and chance of its own has drawn."""
    server.challenge(game=game)
    server.accept(game=game)
    chance = Random(7)
    match, found = server.library.match(game, 1), list[Analysis]()
    words: tuple[str, ...] = ()
    for _ in range(12):
        at = analysed(match, "alice", words, chance.randrange)
        mover = at.mover("alice")
        if not mover:
            break
        view = at.match.view(mover)
        free = {"take": "take:any", "pair": "pairs:any"}.get(view.phase)
        move = free or chance.choice(view.legal)
        found += [at] * (mover == "alice" or not match.rules.SECRETS)
        words = (*at.words, move)
    assert len(found) >= 3
    for at in found:
        mover = at.mover("alice")
        advised = Mind(at.match, mover, KEY, "lesson").analyse(Budget(steps=20))
        analysed(match, "alice", (*at.words, advised.move))
