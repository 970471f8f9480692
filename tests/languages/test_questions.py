"""What the rules answer, in each language, is what the engine does."""

import pytest

from pbm_holomino.letters import help as help_pages
from pbm_holomino.rules import names
from tests.languages.questions import CODES, Question, questions, quotations
from tests.rules.questioned import answer

FEWEST = 20  # questions about each game
ASKED = {game: [*questions(game)] for game in names()}


@pytest.mark.parametrize("game", names())
def test_there_are_enough_questions_about_each_game(game: str) -> None:
    assert len({asked.name for asked in ASKED[game]}) == len(ASKED[game]) >= FEWEST


@pytest.mark.parametrize(
    ("game", "asked"),
    [
        pytest.param(game, asked, id=f"{game} {asked.name}")
        for game, them in ASKED.items()
        for asked in them
    ],
)
def test_the_engine_agrees(game: str, asked: Question) -> None:
    assert answer(game, asked) == asked.answer


@pytest.mark.parametrize("game", names())
@pytest.mark.parametrize("code", CODES)
def test_the_rules_say_what_decides_each(code: str, game: str) -> None:
    text = " ".join(help_pages.page(game, code).split())
    quoted = quotations(code, game)
    assert set(quoted) == {asked.name for asked in ASKED[game]}
    assert [said for said in quoted.values() if said not in text] == []
