"""The limits of every option of every game."""

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from pbm_holomino.errors import BadOption
from pbm_holomino.rules import load, names
from pbm_holomino.rules.contract import AnyGame
from pbm_holomino.rules.options import MATCH_OPTIONS, Option, configure, read_options
from tests.boards import some_options, words_for
from tests.house import House
from tests.prose import plain


class Limited(NamedTuple):
    """An option with limits, and the values of those above it in the table."""

    name: str
    option: Option
    chosen: dict[str, Any]

    @property
    def limits(self) -> tuple[int, int]:
        assert self.option.limits
        return self.option.limits(self.chosen)[:2]

    def words(self, value: int) -> dict[str, str]:
        """The words of a challenge; the options below keep within their limits."""
        game = load(self.name)
        above = {name: at for name, at in self.chosen.items() if at is not None}
        return words_for(game, {**above, self.option.name: value})

    def __str__(self) -> str:
        least, greatest = self.limits
        return f"{self.name}-{self.option.name}-{least}-{greatest}"


def limited(name: str, several: int = 20) -> Iterator[Limited]:
    """Each option of a game that has limits, with all kinds of others above it."""
    game, dice = load(name), random.Random(name)
    for _ in range(several):
        options = configure(game, some_options(game, dice))
        chosen: dict[str, Any] = {}
        for option in game.OPTIONS:
            if option.limits:
                yield Limited(name, option, dict(chosen))
            chosen[option.name] = options[option.name]


CASES = {str(case): case for name in names() for case in limited(name)}


def refusal(game: AnyGame, words: dict[str, str]) -> str:
    with pytest.raises(BadOption) as caught:
        configure(game, words)
    return str(caught.value)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_an_option_is_refused_by_its_limit_and_not_before(case: Limited) -> None:
    game, (least, greatest) = load(case.name), case.limits
    for value in (least, greatest):
        assert configure(game, case.words(value))[case.option.name] == value
    for value in (least - 1, greatest + 1):
        words = case.words(least) | {case.option.name: str(value)}
        said = refusal(game, words)
        assert f"-{case.option.name}" in said
        if value >= 0:
            limits = f"-{case.option.name}={value} is outside its limits: "
            assert said.startswith(f"{limits}{least} to {greatest}")
        else:
            assert f'takes a number, not "{value}".' in said


@pytest.mark.parametrize("word", ["9999999999", "9999999999999", "9" * 1000])
def test_a_number_that_is_too_large_is_a_number(word: str) -> None:
    with pytest.raises(BadOption, match='" is too large a number for -nag') as caught:
        read_options(MATCH_OPTIONS, {"nag": word}, {})
    assert len(str(caught.value)) < 100


@pytest.mark.parametrize("option", MATCH_OPTIONS, ids=lambda option: option.name)
def test_the_options_of_all_games_have_limits_too(option: Option) -> None:
    if not option.limits:
        return
    least, greatest, _ = option.limits({})
    allowed = [least, greatest] + [0] * option.never
    for value in allowed:
        words = {option.name: str(value)}
        assert read_options(MATCH_OPTIONS, words, {})[option.name] == value
    for value in (least - 1, greatest + 1):
        if value not in allowed:
            with pytest.raises(BadOption, match=f"{least} to {greatest}"):
                read_options(MATCH_OPTIONS, {option.name: str(value)}, {})


@pytest.mark.parametrize("game", ["holo", "hextol"])
def test_an_empty_pool_is_refused_by_its_limit(server: House, game: str) -> None:
    """The sentence names the limit, and counts no pools of 0."""
    answer = server.type(f"{game} challenge alice bob -pool_size=0")
    tiles, most = {"holo": (40, 19), "hextol": (28, 13)}[game]
    assert answer.status == 1
    assert plain(answer.text).startswith(
        f"-pool_size=0 is outside its limits: 1 to {most} (the set has {tiles} tiles, "
        "for two pools and the first)."
    )
