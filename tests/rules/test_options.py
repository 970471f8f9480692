"""Options: their limits, the presets, and what is said about a wrong one."""

from types import SimpleNamespace
from typing import cast

import pytest

from pbm_holomino.errors import BadOption
from pbm_holomino.languages import sentence
from pbm_holomino.rules import load, names
from pbm_holomino.rules.contract import AnyGame
from pbm_holomino.rules.options import Option, configure, unknown_option
from pbm_holomino.sentences import quoted

HOLO = load("holo")
DEFAULTS = {
    "non_unique": False,
    "num_digits": 6,
    "pool_size": 3,
    "limit_scores": False,
    "board_size": None,
}
# A game with an option that is a word, and without presets.
WORDY = cast(
    AnyGame,
    SimpleNamespace(
        OPTIONS=(
            Option("draft", sentence("How."), "pot", choices=("pot", "die", "random")),
        ),
        PRESETS={},
    ),
)


def refusal(words: dict[str, str], game: AnyGame = HOLO) -> str:
    with pytest.raises(BadOption) as caught:
        configure(game, words)
    return str(caught.value)


def test_holomino_is_found_by_its_name() -> None:
    assert "holo" in names()
    assert load("holo").TITLE == "Holomino"
    assert load("holo").SEATS == (2, 2)


@pytest.mark.parametrize("name", ["__init__", "", "os", "../game", "holo.py", "Holo"])
def test_no_other_module_is_found(name: str) -> None:
    assert name not in names()
    with pytest.raises(LookupError):
        load(name)


def test_defaults() -> None:
    assert configure(HOLO, {}) == DEFAULTS


@pytest.mark.parametrize(
    ("words", "size_of_set"),
    [
        ({}, 40),
        ({"num_digits": "4"}, 8),
        ({"num_digits": "9"}, 168),
        ({"non_unique": "yes"}, 76),
        ({"non_unique": "yes", "num_digits": "3"}, 11),
        ({"non_unique": "yes", "num_digits": "9"}, 249),
    ],
)
def test_pool_size_leaves_a_tile_for_the_start(
    words: dict[str, str], size_of_set: int
) -> None:
    most = (size_of_set - 1) // 2
    for size in (1, most):
        assert configure(HOLO, words | {"pool_size": str(size)})["pool_size"] == size
    for size in (0, most + 1):
        sentence = refusal(words | {"pool_size": str(size)})
        assert f"-pool_size={size}" in sentence
        assert f"1 to {most} " in sentence
        assert f"{size_of_set} tiles" in sentence


@pytest.mark.parametrize(
    ("least", "words"), [(4, {}), (4, {"non_unique": "no"}), (3, {"non_unique": "yes"})]
)
def test_num_digits(least: int, words: dict[str, str]) -> None:
    for digits in (least, 9):
        given = words | {"num_digits": str(digits)}
        assert configure(HOLO, given)["num_digits"] == digits
    for digits in (0, least - 1, 10):
        sentence = refusal(words | {"num_digits": str(digits)})
        assert f"-num_digits={digits}" in sentence
        assert f"{least} to 9" in sentence


def test_board_size() -> None:
    for size in (3, 99):
        assert configure(HOLO, {"board_size": str(size)})["board_size"] == size
    for size in (2, 100):
        sentence = refusal({"board_size": str(size)})
        assert f"-board_size={size}" in sentence
        assert "3 to 99" in sentence


def test_preset() -> None:
    expected = DEFAULTS | {"limit_scores": True, "board_size": 12}
    assert configure(HOLO, {"rules": "brettspielnetz"}) == expected
    assert configure(HOLO, {"rules": "BrettSpielNetz"}) == expected


def test_explicit_options_win_over_a_preset() -> None:
    words = {"rules": "brettspielnetz", "board_size": "20", "pool_size": "5"}
    expected = DEFAULTS | {"limit_scores": True, "board_size": 20, "pool_size": 5}
    assert configure(HOLO, words) == expected
    words = {"limit_scores": "no", "rules": "brettspielnetz"}
    assert configure(HOLO, words) == DEFAULTS | {"board_size": 12}


def test_an_unknown_preset_is_refused_with_those_there_are() -> None:
    sentence = refusal({"rules": "chess"})
    assert '"chess"' in sentence
    assert "brettspielnetz" in sentence


def test_a_game_without_presets_has_no_option_rules() -> None:
    assert '"-rules"' in refusal({"rules": "brettspielnetz"}, WORDY)
    assert "?" not in refusal({"rule": "brettspielnetz"}, WORDY)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("pool_siz", "-pool_size"),
        ("poolsize", "-pool_size"),
        ("nun_digits", "-num_digits"),
        ("limit_score", "-limit_scores"),
        ("unique", "-non_unique"),
        ("boardsize", "-board_size"),
        ("rule", "-rules"),
    ],
)
def test_an_unknown_option_is_refused_with_its_neighbour(
    typed: str, meant: str
) -> None:
    sentence = refusal({typed: "5"})
    assert f'"-{typed}"' in sentence
    assert f"{meant}?" in sentence


def test_an_option_like_no_other_is_refused_without_a_guess() -> None:
    sentence = refusal({"xyzzy": "5"})
    assert '"-xyzzy"' in sentence
    assert "?" not in sentence


def test_unknown_option_is_named_as_it_was_typed() -> None:
    sentence = str(unknown_option("--Pool-Sise=5", {"pool_size", "board_size"}))
    assert '"--Pool-Sise=5"' in sentence
    assert "-pool_size?" in sentence


@pytest.mark.parametrize("option", ["num_digits", "pool_size", "board_size"])
@pytest.mark.parametrize(
    "word",
    ["five", "", "3.5", "5x", "1e1", "x5", "0x9", "٥", "²", "５", "五", "Ⅴ"],
)
def test_a_word_that_is_not_a_number_is_refused(option: str, word: str) -> None:
    sentence = refusal({option: word})
    assert f"-{option}" in sentence
    assert quoted(word) in sentence
    assert "number" in sentence


@pytest.mark.parametrize("option", ["num_digits", "pool_size", "board_size"])
def test_numbers_far_outside_the_limits_are_refused(option: str) -> None:
    for word in ("-5", "100", "9" * 10_000):
        sentence = refusal({option: word})
        assert f"-{option}" in sentence
        assert len(sentence) < 200


@pytest.mark.parametrize("flag", ["non_unique", "limit_scores"])
def test_flags(flag: str) -> None:
    for word in ("yes", "on", "true", "YES"):
        assert configure(HOLO, {flag: word}) == DEFAULTS | {flag: True}
    for word in ("no", "off", "false", "No"):
        assert configure(HOLO, {flag: word}) == DEFAULTS
    for word in ("5", "", "maybe"):
        sentence = refusal({flag: word})
        assert f"-{flag}" in sentence
        assert quoted(word) in sentence
        assert "yes or no" in sentence


def test_choices() -> None:
    assert configure(WORDY, {}) == {"draft": "pot"}
    assert configure(WORDY, {"draft": "DIE"}) == {"draft": "die"}
    sentence = refusal({"draft": "cards"}, WORDY)
    assert '"cards"' in sentence
    assert "pot, die or random" in sentence


def test_metavar() -> None:
    written = [option.metavar for option in (*HOLO.OPTIONS, *WORDY.OPTIONS)]
    assert written == [
        "-non_unique",
        "-num_digits=N",
        "-pool_size=N",
        "-limit_scores",
        "-board_size=N",
        "-draft=pot|die|random",
    ]
