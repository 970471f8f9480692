"""All that commands answer can be said in any language: refusals, lists, records."""

import re

import pytest

from pbm_holomino.commands import table
from pbm_holomino.commands.request import Answer
from pbm_holomino.commands.table import Effect
from tests.club import Club
from tests.commands.refusals import Never
from tests.commands.test_refusals import CASES, built
from tests.house import House
from tests.languages.pseudo import PSEUDO
from tests.languages.walk import bare, in_the_pseudo_language
from tests.sizes import some

__all__ = ["built"]


def left_in(answer: Answer) -> str:
    """What is bare in an answer to a reader of the pseudo-language."""
    with in_the_pseudo_language():
        text = answer.in_language(PSEUDO.code).text
    text = re.sub(r"(?m)\[[^\s[\]]+\]|^ +x$", "", text)  # in usages; a closed cell
    text = re.sub(r"(?<=\S)\n(?=\S)", " ", text)  # no line begins with a usage
    return bare(text)


def of_line(house: House, words: list[str]) -> Answer:
    return house.type(" ".join(words))


@pytest.mark.parametrize("effect", Effect)
def test_no_refusal_and_no_answer_is_bare(built: House, effect: Effect) -> None:
    """Every command with every fault; those that ask, also as they are right."""
    asks = {Effect.ASKS}
    found = {}
    for case in some(CASES, 400):
        words = "{game} " * bool(case.game) + case.row.command
        if table.COMMANDS[words].effect is not effect or case.row.command == "help":
            continue
        if isinstance(case.cell, Never) and effect not in asks:
            continue  # it would be carried out, and might change the language
        found[str(case)] = left_in(of_line(built, case.line(built)))
    assert {name: left for name, left in found.items() if left} == {}


QUESTIONS = [
    *("list", "list holo", "list open 2", "list 3", "list hollo"),
    *("holo standings", "holo ratings", "hextol standings"),
    *("holo games", "holo games all", "holo games next", "holo games inactive"),
    *("holo games alice all", "hextol games alice next", "hextol games"),
    *("holo history", "holo history 1", "holo history 1 -format=small"),
    *("hextol history", "holo verify 1", "holo show alice", "hextol show bob next"),
    *("holo show 1", "holo show 1#3", "all show alice", "all show bob next"),
    *("holo preview 2 99:99", "holo show 1 alice", "holo review 1 alice {alice}"),
    *("holo hint 2 alice {alice}", "tournament", "tournament 1", "help nothing"),
    *("forgot alice", "what now", "holo what now", "hollo", "change", "holo 12: show"),
    *("move", "123:17", "next", "holo next", "holo move 1 -x alice y", "pbm"),
    *("holo challenge alice alice", "holo challenge alice eve", "holo challenge alice"),
    *(
        "holo challenge alice anyone anyone",
        "holo move 2 alice {alice} 12x",
    ),
    *("holo show 1 -format=gif", "holo show 1 2 -format=png", "holo show 1 -html"),
    *("change language alice {alice} tlh", "change language alice {alice}"),
    *("change vacation alice {alice} many", "block alice {alice} alice"),
]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Club:
    """Alice and bob have played one board to its end, and another not; there is an
    open challenge, and somebody has chatted."""
    club = Club(tmp_path_factory.mktemp("played"))
    club.open("holo").accept()
    club.play(1)
    club.open("holo").accept(2)
    club.say("holo challenge alice anyone")
    club.server.type("holo chat 2 alice {alice}", "-m=[Good luck!]")
    return club


@pytest.mark.parametrize("line", QUESTIONS)
def test_no_answer_to_a_question_is_bare(played: Club, line: str) -> None:
    assert left_in(played.server.type(line)) == ""
