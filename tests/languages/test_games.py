"""What games and robots say, in the pseudo-language: all of it in whole sentences."""

import pickle
import pkgutil
import random
from collections.abc import Iterator
from importlib import import_module

import pytest

from pbm_holomino import robots, rules
from pbm_holomino.draw import words
from pbm_holomino.draw.words import describe
from pbm_holomino.errors import BadMove, BadOption, IllegalMove
from pbm_holomino.languages import OfPlayer, Sentence, Text, catalogues
from pbm_holomino.letters.content import heard
from pbm_holomino.robots.contract import Budget
from pbm_holomino.robots.remarks import REMARKS, remark
from pbm_holomino.rules.contract import AnyGame, State, View
from pbm_holomino.rules.options import CHALLENGE_OPTIONS, configure, unknown_option
from pbm_holomino.rules.scoring import Scoring
from pbm_holomino.store.robot_jobs import advice
from tests.boards import Case, cases, opened, plain_cases, states
from tests.languages.pseudo import PSEUDO, unbracketed
from tests.sizes import sized, some

every_case = pytest.mark.parametrize("case", some(cases(1), 16), ids=str)
every_game = pytest.mark.parametrize("name", rules.names())
NUMBERS = (1, 2, 12, 1220, 0.5, 2.5)


def bare(said: Text) -> str:
    """What is not bracketed of what is said to alice of bob."""
    return unbracketed(PSEUDO.say(said), "alice", "bob", "bob's")


# What players see


def told(game: AnyGame, view: View) -> Iterator[Text]:
    """All that a view has in words."""
    yield from view.remarks
    if view.proposal.heading:
        yield from view.proposal.heading
    for number in (0, 1, 12):
        yield game.LEFT.of(number, "bob")
        yield game.LEFT.of(number, "you")
    for drawing in filter(None, (view.drawing, view.ended)):
        yield from (line for lines in describe(drawing) for line in lines)


@every_case
def test_what_is_seen_of_a_game_is_in_whole_sentences(case: Case) -> None:
    game, every = case.game, states(case, 1)
    for state in some(every, 12):
        for reader in (None, *range(case.seats)):
            for said in told(game, game.view(state, reader)):
                assert bare(said) == ""


@every_game
def test_figures_are_described_in_whole_sentences(name: str) -> None:
    for drawing in rules.load(name).FIGURES.values():
        assert not any(bare(line) for lines in describe(drawing) for line in lines)


@every_game
def test_scores_are_told_in_whole_sentences(name: str) -> None:
    game = rules.load(name)
    scoring, every = game.SCORING, [*game.SIDES, game.DRAWN]
    every += [scoring.points, scoring.column, scoring.reviewed]
    every.append(scoring.standing.of(scores="alice 3"))
    every += [
        scoring.has("alice", score, tiles, is_to_move)
        for score in (1, 2)
        for tiles in ((), ("123",), ("123", "145"))
        for is_to_move in (True, False)
    ]
    assert [said for said in every if bare(said)] == []


# Refusals


def tried(case: Case, legal: tuple[str, ...], dice: random.Random) -> Iterator[str]:
    """Moves, most of which are not possible: those that are, with a few of their
    numbers and letters changed."""
    for move in some(legal, 8):
        yield move
        for _ in range(sized(8, 60)):
            characters = [*move]
            for _ in range(dice.choice((1, 1, 2, 3))):
                at = dice.randrange(len(move))
                characters[at] = dice.choice("0123456789RGYPBX:,")
            yield "".join(characters)
        tile, _, place = move.partition(":")
        first = place.partition(",")[0]
        yield from (f"{tile}:{first},{first}", f"{tile}:99999999", f"{tile}:0,1")
    yield from ("swap", "nonsense", "pass", "take:", "pairs:any", "take:any", "pairs:R")
    yield from (
        "take:" + 60 * "R",
        "take:W",
        "RG:7,8",
        "pairs:RG,RR",
        "pairs:" + "RR," * 9,
    )


def refusal(game: AnyGame, state: State, seat: int, word: str) -> BadMove | None:
    try:
        game.play(state, seat, game.parse_move(state, seat, word))
    except IllegalMove as error:
        return error.of(word)
    except BadMove as error:
        return error
    return None


@pytest.mark.parametrize("case", plain_cases() + some(cases(1), 8), ids=str)
def test_moves_are_refused_in_whole_sentences(case: Case) -> None:
    game, dice, refused = case.game, random.Random(str(case)), set[str]()
    for state in some(states(case, 1)[:-1], 10):
        for seat in game.to_move(state):
            legal = tuple(map(game.format_move, game.legal(state, seat)))
            for word in tried(case, legal, dice):
                if error := refusal(game, state, seat, word):
                    refused.add(str(error))
                    assert bare(error.said) == ""
                    if isinstance(error, IllegalMove):
                        others = error.about("bob")
                        assert bare(others.said) == ""
                        is_of_player = isinstance(error.why, OfPlayer)
                        assert ("bob" in str(others)) == is_of_player
    assert len(refused) > 3


@every_game
def test_options_are_told_in_whole_sentences(name: str) -> None:
    game = rules.load(name)
    for option in (*game.OPTIONS, *CHALLENGE_OPTIONS):
        said = [option.help, option.range(configure(game, {}))]
        assert not any(bare(each) for each in said if each)
        assert bool(option.opposite) == isinstance(option.metavar, Sentence)
    wrong = [{"rules": "nonsense"}] if game.PRESETS else []
    for option in game.OPTIONS:
        wrong.append({option.name: "nonsense"})
        if option.limits:
            wrong += [{option.name: "1000"}, {option.name: "9999999999"}]
        if option.opposite:
            wrong.append(dict.fromkeys(option.names, "yes"))
    for given in wrong:
        with pytest.raises(BadOption) as caught:
            configure(game, given)
        assert bare(caught.value.said) == ""


def test_an_option_that_there_is_not_is_named_in_whole_sentences() -> None:
    assert bare(unknown_option("-sise=3", {"size"})) == ""
    assert bare(unknown_option("-zzz", {"size"})) == ""


# Robots


def remarks() -> Iterator[Sentence]:
    """All kinds of remarks, of two players and of several."""
    for scores in ((3, 3), (24, 12), (3, 4), (3, 2, 5), (9, 2, 5), (5, 5, 5, 5)):
        for scoring in (Scoring(), Scoring(low_wins=True), Scoring(decides=False)):
            for percent in range(101):
                yield remark(scores, 0, scoring, percent / 100)


def test_every_remark_that_was_kept_is_said_in_other_languages() -> None:
    every = {str(said): said for said in remarks()}
    assert len(every) > 100
    for text, said in every.items():
        again = heard(text)
        assert str(again) == text
        assert PSEUDO.say(again) == PSEUDO.say(said)
        assert bare(again) == ""


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I am {n} points ahead, and I expect to win.",
        "Well played!",
        "I am two points ahead, and I expect to win.",
        "I expect",
        "7",
    ],
)
def test_what_no_robot_says_now_stays_as_it_was(text: str) -> None:
    """It may be in the record of an older program."""
    assert PSEUDO.say(heard(text)) == str(heard(text)) == text


def test_what_was_kept_is_a_value_that_can_be_pickled() -> None:
    kept = heard("I expect to win.")
    again = pickle.loads(pickle.dumps(kept))
    assert again == kept
    assert PSEUDO.say(again) == PSEUDO.say(kept) == "[I expect to win. mno mno]"


def test_no_two_remarks_are_the_same() -> None:
    forms = [form for said in dict.fromkeys(REMARKS) for form in said.forms]
    assert len(forms) == len({*forms})


@pytest.mark.parametrize("case", plain_cases(), ids=str)
def test_every_reason_that_was_kept_is_said_in_other_languages(case: Case) -> None:
    board, name = opened(case), case.name
    for said in robots.reasons_of(name):
        for number in NUMBERS:
            filled = said.of(n=number, points=2.5, theirs=7)
            kept = advice(board, "-", str(filled)).reason
            assert str(kept) == str(filled)
            assert PSEUDO.say(kept) == PSEUDO.say(filled)
            assert bare(kept) == ""


@pytest.mark.parametrize("case", plain_cases(), ids=str)
def test_robots_have_no_other_reasons(case: Case) -> None:
    forms = {said.forms for said in robots.reasons_of(case.name)}
    for state in some(states(case, 1)[:-1], 6):
        seats = case.game.to_move(state)
        if seats and not case.game.due(state):
            view = case.game.view(state, seats[0])
            for budget in (Budget(steps=12), Budget(steps=0)):
                found = robots.analyse(case.name, view, budget, random.Random(1))
                assert found.reason.forms in forms


# All constants


def constants(value: object) -> Iterator[Sentence | OfPlayer]:
    """The sentences in a value of a module."""
    if isinstance(value, Sentence | OfPlayer):
        yield value
    elif isinstance(value, tuple | list):
        for each in value:
            yield from constants(each)
    elif isinstance(value, dict):
        yield from constants([*value.values()])


MODULES = [
    name
    for package in (rules, robots, words)
    for _, name, _ in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
]


@pytest.mark.parametrize("name", MODULES)
def test_all_forms_of_a_sentence_have_the_same_places(name: str) -> None:
    for said in constants([*vars(import_module(name)).values()]):
        if isinstance(said, OfPlayer):
            for mine, theirs in zip(said.them, said.others, strict=True):
                assert set(places(theirs)) - {"player"} == places(mine) - {"player"}
        else:
            assert len({frozenset(places(form)) | {"n"} for form in said.forms}) == 1


def places(form: str) -> set[str]:
    found = catalogues.places(form)
    assert found is not None
    return {*found}
