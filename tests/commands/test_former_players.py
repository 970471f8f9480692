"""Players who have removed their account and want to be named no more: where games that
are over are shown, others read "a former player". Records stay as they are."""

import pytest

from pbm_holomino.match.reviews import Judged, Review, digest
from pbm_holomino.store import reviews
from tests.house import House

SAID = "Kind regards"
SHOWN = [
    "holo show 1",
    "holo show 1#1",
    "holo show alice all",
    "holo show 1 -format=bbcode",
    "holo show 1 -format=list",
    "holo showas alice {alice} 1",
    "holo history 1",
    "holo history",
    "holo games inactive",
    "holo verify 1",
    "holo look 1 1",
    "holo review 1 alice {alice}",
]


def left(house: House, *names: str) -> None:
    """These players remove their accounts, and with them their names."""
    for name in names:
        answer = house.type(f"delete {name} {{{name}}} nameless")
        assert answer.status == 0, answer.text
        assert 'they name "a former player"' in " ".join(answer.text.split())


@pytest.fixture
def over(house: House) -> House:
    """Bob has played with alice on board 1, written to her, resigned and gone; robots
    have reviewed the game."""
    house.play(1, 2)
    house.type("holo chat 1 bob {bob} -m", SAID)
    house.type("holo resign 1 bob {bob}")
    match = house.match()
    log = match.record.log
    moves = (Judged(n, str(log[n].action), 0.0, (0.5, 0.5)) for n in match.moves)
    reviews.save(house.store, match, Review(digest(match), tuple(moves)))
    record = house.document("holo", "1").read_bytes()
    left(house, "bob")
    assert house.document("holo", "1").read_bytes() == record
    house.taken()
    return house


def test_nobody_is_told_a_name_that_has_gone(over: House) -> None:
    for line in SHOWN:
        answer = over.type(line)
        assert answer.status == 0, answer.text
        assert "bob" not in answer.text, line
        assert "former player" in answer.text, line
    history = over.type("holo history 1").text
    assert SAID in history
    assert "A robot would have played the same." in history


@pytest.mark.parametrize(
    "line",
    ["holo show 1 -format=json", "holo history 1 -format=yaml", "holo history 1"],
)
def test_what_programs_read_is_as_it_was(house: House, line: str) -> None:
    house.type("holo resign 1 bob {bob}")
    before = house.type(line).text
    if "-format" not in line:
        house.type("delete bob {bob}")  # and nobody has asked for more
    else:
        left(house, "bob")
    assert house.type(line).text == before


def test_letters_do_not_tell_it_either(over: House) -> None:
    assert (
        "Sent to a former player." in over.type("holo chat 1 alice {alice} -m Hm").text
    )
    assert over.taken() == []  # as the other one has gone
    over.by_mail("alice", "m1", "holo chat 1 alice {alice}", "Good-bye!")
    (letter,) = over.taken()
    assert "bob" not in letter.subject + letter.text


@pytest.mark.parametrize(
    "line",
    [
        "holo move 1 alice {alice} 1:1",
        "holo queue 1 alice {alice} 1:1",
        "holo resign 1 alice {alice}",
        "holo decline 1 alice {alice}",
        "holo preview 1 alice {alice} 1:1",
        "holo previewas 1 alice {alice} 1:1",
        "holo fits 1 123",
        "holo hint 1 alice {alice}",
        "holo hint 1 carol {carol}",
        "holo chat 1 carol {carol} -m=Hi",
    ],
)
def test_no_refusal_tells_it(over: House, line: str) -> None:
    over.sign_up("carol")
    answer = over.type(line)
    assert answer.status == 1
    assert "bob" not in answer.text
    assert "former player" in answer.text


def test_no_subject_of_a_thread_tells_it(over: House) -> None:
    over.type("change threads alice {alice} on")
    over.taken()
    over.by_mail("alice", "m1", "holo chat 1 alice {alice}", "Good-bye!")
    (letter,) = over.taken()
    assert letter.subject == "holo 1: Holomino, alice against a former player"


def test_two_on_a_board_have_names_of_their_own(house: House) -> None:
    house.sign_up("carol")
    house.challenge(names="alice bob carol", game="walomino")
    house.accept(1, "walomino")
    for name in ("bob", "carol"):
        house.type(f"walomino resign 1 {name} {{{name}}}")
    house.type("holo resign 1 bob {bob}")
    left(house, "bob", "carol")
    shown = " ".join(house.type("walomino show 1").text.split())
    assert "as former player 1 and former player 2 resigned" in shown
    assert "former player 2 (resigned) 0 -" in shown


def test_it_can_be_said_in_other_languages(over: House) -> None:
    match = over.server.context().people.named(over.match())
    (name,) = (name for name in match.record.players if name != "alice")
    assert str(name.again()) == name == "a former player"  # type: ignore[attr-defined]
