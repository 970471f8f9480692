"""Replies as people write them: no other move is played than the one that they hold,
and no word that may be a password is passed on, tried or quoted."""

import re
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbm_holomino.commands.reading.replies import MOST_LINES, About, Read, meaning
from pbm_holomino.languages import aliases
from pbm_holomino.match.account import may_be_password
from pbm_holomino.rules import load, names
from tests.sizes import sized

PHASES = {"walomino": ("take", "pair", "play")}
MOVES = {
    "holo": ("123:17", "345 at 6", "126 -> 9", "pass"),
    "walomino": ("RG:7,8", "take RRG", "pairs: RG, RR", "any"),
}
HEXTILES = ("24:7,19", "05 21 20", "24 auf 7 und 19")
PASSWORDS = ("zq9xmark", "7zq9x", "Zq9x!mark", "ZQ9X", "~zq9xmark234567a", "zq9x,mark")
AROUND = ("Hi,", "Hi", "my move:", "please", "danke", "bob", "Cheers", ":-)", "->")
WORDS = (*AROUND, *PASSWORDS, "resign", "12:30", "2026 11 20", "good luck!", "?")


def about(game: str, phase: str = "play") -> About:
    players = frozenset(("alice", "bob"))
    return About(game, 12, players, phase, aliases.meanings())


def reading(game: str, text: str, phase: str = "play", exact: str = "") -> Read:
    return meaning(text.split("\n"), about(game, phase), lambda words: words, exact)


@st.composite
def texts(draw: st.DrawFn, game: str) -> str:
    """A few lines of words, among which moves are."""
    moves = MOVES.get(game, HEXTILES)
    words = st.lists(st.sampled_from((*WORDS, *moves)), max_size=4)
    lines = draw(st.lists(words.map(" ".join), max_size=5))
    return "\n".join(lines)


@given(st.data(), st.sampled_from(names()))
@settings(max_examples=sized(150, 10_000))
def test_what_is_played_is_what_was_typed(data: st.DataObject, game: str) -> None:
    text = data.draw(texts(game))
    for phase in PHASES.get(game, ("play",)):
        done = reading(game, text, phase).does
        for offer in (done, *reading(game, text, phase).offers):
            parts = re.findall("[a-z0-9]+", offer.lower())
            typed = re.findall("[a-z0-9]+", text.lower())
            kinds = ("take", "pairs", "propose", "resign")  # by letters or an alias
            assert all(part in typed for part in parts if part not in kinds)


@given(st.data(), st.sampled_from(names()))
@settings(max_examples=sized(150, 10_000))
def test_nothing_irrevocable_is_read_into_a_text(
    data: st.DataObject, game: str
) -> None:
    assert reading(game, data.draw(texts(game))).does != "resign"


BESIDE = (
    *("{move} {word}", "{move}\n{word}", "{move}\n\n{word}", "{word}\n{move}"),
    *("Hi,\n\n{move} {word}\n\nCheers", "{move}, {word}.", "{move} alice {word}"),
    *("{move}\n{word}\n\nGood luck, see you", "{move} password {word}"),
    *("{move} ({word})", "{move} {word}\n\nHow are you these days?"),
    *("{move} alice:{word}", "{move} {word}:", "{move} my password is {word} now"),
)


@pytest.mark.parametrize("game", names())
def test_a_word_alone_beside_a_move_is_kept_back(game: str) -> None:
    move = {"holo": "123:17", "walomino": "RG:7,8"}.get(game, "24:7,19")
    for text, password in product(BESIDE, PASSWORDS):
        mail = text.format(move=move, word=password)
        first, _, _ = mail.partition("\n")
        found = reading(game, mail, exact=move if first == move else "")
        assert found.does in (move, ""), mail
        assert password not in found.words, mail
        assert found.keeps_back or not found.does, mail
        assert not found.strange, mail


@given(st.text(st.characters(codec="utf-8"), max_size=300), st.sampled_from(names()))
@settings(max_examples=sized(150, 10_000))
def test_no_text_does_harm(text: str, game: str) -> None:
    found = reading(game, text)
    assert not may_be_password(found.strange)


def test_the_first_lines_count_and_all_is_passed_on() -> None:
    late = "\n".join([*["Well met."] * MOST_LINES, "123:17"])
    assert reading("holo", late) == Read()
    words = "nobody has ever written so much " * 2000
    found = reading("holo", f"123:17 {words}\n{words}")
    assert found.does == "123:17"
    assert found.words.split() == words.split() * 2
    assert reading("holo", f"{words} 123:17") == Read()


@pytest.mark.parametrize("game", names())
def test_a_tile_is_told_from_cells_by_notation_alone(game: str) -> None:
    typed = {
        "holo": ("123 117", "123:117", "117:123"),
        "walomino": ("RG 7 8", "RG:7,8"),
    }
    text, *meant = typed.get(game, ("24 7 19", "24:7,19", "19:24,7"))
    found = reading(game, text)
    assert (found.offers or (found.does,)) == tuple(meant)
    assert load(game).in_notation(meant[0])
