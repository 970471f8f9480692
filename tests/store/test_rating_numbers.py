"""The ratings: the numbers, and how results are folded."""

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbm_holomino.store import ratings
from pbm_holomino.store.endings import Ending as Result
from pbm_holomino.store.ratings import Fold, Rating, fold
from pbm_holomino.store.summary import Summary, endings_of
from tests.paths import ROOT

MU, SIGMA, BETA, TAU = 25.0, 25 / 3, 25 / 6, 25 / 300
DIGITS = 5e-6  # six decimals are kept

Skill = tuple[float, float]  # mu and sigma


def weng_lin(skills: list[Skill], places: list[int], tau: float = TAU) -> list[Skill]:
    """Algorithm 1 of Weng and Lin (2011) for players without teams: each pair is
    compared, a tie is half a win; sigma grows by tau before it."""
    before = [(mu, math.hypot(sigma, tau)) for mu, sigma in skills]
    after = []
    for i, (mu, sigma) in enumerate(before):
        omega = delta = 0.0
        for q, (other_mu, other_sigma) in enumerate(before):
            if q == i:
                continue
            c = math.sqrt(sigma**2 + other_sigma**2 + 2 * BETA**2)
            p = math.exp(mu / c) / (math.exp(mu / c) + math.exp(other_mu / c))
            won = {True: 1.0, False: 0.0}[places[i] < places[q]]
            won = 0.5 if places[i] == places[q] else won
            omega += sigma**2 / c * (won - p)
            delta += sigma / c * (sigma / c) ** 2 * p * (1 - p)
        after.append((mu + omega, sigma * math.sqrt(max(1 - delta, 0.0001))))
    return after


def result(no: int, **places: int) -> Result:
    """The result of a board which ended on that day."""
    return Result(f"2026-11-{no:02}T08:00:00Z", no, tuple(places.items()))


def skill(rating: Rating) -> Skill:
    return rating.mu, rating.sigma


# The numbers


def test_the_formula_gives_what_openskill_has_published() -> None:
    """Without tau: the numbers that its tests hold for two, three and four players."""
    two = weng_lin([(MU, SIGMA)] * 2, [1, 2], tau=0)
    assert two[0] == pytest.approx((27.63523138347365, 8.065506316323548))
    assert two[1] == pytest.approx((22.36476861652635, 8.065506316323548))
    three = weng_lin([(MU, SIGMA)] * 3, [1, 2, 3], tau=0)
    assert [mu for mu, _ in three] == pytest.approx(
        [30.2704627669473, 25.0, 19.7295372330527]
    )
    assert three[0][1] == pytest.approx(7.788474807872566)
    four = weng_lin([(MU, SIGMA)] * 4, [1, 2, 3, 4], tau=0)
    assert four[0] == pytest.approx((32.90569415042095, 7.5012190693964005))


def test_a_newcomer_is_rated_as_openskill_does() -> None:
    from openskill.models import BradleyTerryFull

    newcomer = BradleyTerryFull().rating()
    assert skill(Rating()) == (newcomer.mu, newcomer.sigma) == (MU, SIGMA)
    assert newcomer.ordinal(z=3, alpha=24, target=1500) == Rating().points == 1500


def test_the_model_is_named_as_it_is_pinned() -> None:
    name, version, model = ratings.MODEL.split()
    setup = (ROOT / "setup.cfg").read_text()
    assert re.search(rf"^    {name}=={re.escape(version)}$", setup, re.MULTILINE)
    import openskill

    assert openskill.__version__ == version
    assert hasattr(openskill.models, model)


@pytest.mark.parametrize(
    ("mu", "sigma", "points"),
    [
        (25.0, 25 / 3, 1500),
        # 24 (30 - 3 * 5) = 360, 24 (20 - 3 * 8) = -96, 24 (25.1 - 24.9) = 4.8
        (30.0, 5.0, 1860),
        (20.0, 8.0, 1404),
        (25.1, 8.3, 1505),
        (0.0, 8.0, 924),
    ],
)
def test_the_number_that_players_read(mu: float, sigma: float, points: int) -> None:
    assert Rating(mu, sigma).points == points


def test_the_first_gains_and_the_last_loses() -> None:
    found = fold([result(1, ann=2, ben=1)]).ratings
    assert found["ben"].mu > MU > found["ann"].mu
    assert (found["ann"].games, found["ben"].games) == (1, 1)
    assert skill(found["ben"]) == pytest.approx(
        weng_lin([(MU, SIGMA)] * 2, [1, 2])[0], abs=DIGITS
    )


def test_two_of_three_share_first_place() -> None:
    found = fold([result(1, ann=1, ben=3, cat=1)]).ratings
    assert skill(found["ann"]) == skill(found["cat"])
    assert found["ann"].mu > MU > found["ben"].mu
    # against ben each wins, against each other they draw: as much as one win brings
    (first, _) = weng_lin([(MU, SIGMA)] * 2, [1, 2])
    assert found["ann"].mu == pytest.approx(first[0], abs=DIGITS)
    assert found["ben"].mu == pytest.approx(MU - 2 * (first[0] - MU), abs=DIGITS)


def test_a_draw_of_newcomers_changes_no_mean() -> None:
    found = fold([result(1, ann=1, ben=1, cat=1, dan=1)]).ratings
    assert {rating.mu for rating in found.values()} == {MU}
    assert all(rating.sigma < SIGMA for rating in found.values())


def test_a_surprise_counts_for_more() -> None:
    before = [result(no, ann=1, ben=2) for no in range(1, 9)]
    strong, weak = fold(before).ratings["ann"], fold(before).ratings["ben"]
    expected = fold([*before, result(9, ann=1, ben=2)]).ratings["ann"]
    surprise = fold([*before, result(9, ann=2, ben=1)]).ratings["ben"]
    assert surprise.mu - weak.mu > expected.mu - strong.mu > 0


# Any results


@st.composite
def places(draw: st.DrawFn) -> dict[str, int]:
    """Two to four players and their places, counted as in competitions."""
    players = draw(st.permutations(["ann", "ben", "cat", "dan", "eve"]))
    strengths = draw(st.lists(st.integers(0, 3), min_size=2, max_size=4))
    return {
        player: 1 + sum(other > own for other in strengths)
        for player, own in zip(players, strengths, strict=False)
    }


histories = st.lists(places(), max_size=12).map(
    lambda found: [result(no, **one) for no, one in enumerate(found, 1)]
)


@given(histories)
def test_the_fold_is_the_formula_game_by_game(history: list[Result]) -> None:
    skills: dict[str, Skill] = {}
    games: dict[str, int] = {}
    for one in history:
        players = [player for player, _ in one.places]
        before = [skills.get(player, (MU, SIGMA)) for player in players]
        after = weng_lin(before, [place for _, place in one.places])
        skills |= dict(zip(players, after, strict=True))
        games |= {player: games.get(player, 0) + 1 for player in players}
    found = fold(history).ratings
    assert found.keys() == skills.keys()
    for player, rating in found.items():
        assert skill(rating) == pytest.approx(skills[player], abs=1e-4)
        assert rating.games == games[player]


@given(places())
def test_newcomers_keep_the_sum_of_their_means(one: dict[str, int]) -> None:
    found = fold([result(1, **one)]).ratings
    total = sum(rating.mu for rating in found.values())
    assert total == pytest.approx(MU * len(one), abs=1e-4)


@given(places())
def test_the_better_the_place_the_higher_the_rating(one: dict[str, int]) -> None:
    found = fold([result(1, **one)]).ratings
    for player, place in one.items():
        for other, behind in one.items():
            if place < behind:
                assert found[player].points > found[other].points
            if place == behind:
                assert skill(found[player]) == skill(found[other])


@given(histories, st.data())
def test_stored_ratings_save_nothing_but_time(
    history: list[Result], data: st.DataObject
) -> None:
    cut = data.draw(st.integers(0, len(history)))
    assert fold(history, fold(history[:cut])) == fold(history)


@given(histories, histories)
def test_whatever_was_folded_before_nothing_is_wrong(
    history: list[Result], other: list[Result]
) -> None:
    assert fold(history, fold(other)) == fold(history)


def summary_of(one: Result) -> Summary:
    """What a list knows of the board."""
    found = dict(one.places)
    return Summary(
        game="holo",
        board=one.board,
        players=tuple(found),
        status="over",
        turn=(),
        ply=9,
        scores={},
        result=None,
        places=found,
        opening_mail="-",
        last_change=one.time,
        due="",
        seen={},
    )


@given(histories, st.randoms())
def test_the_order_of_reading_does_not_matter(
    history: list[Result], dice: st.DataObject
) -> None:
    boards = [summary_of(one) for one in history]
    dice.shuffle(boards)  # type: ignore[attr-defined]
    assert endings_of(boards) == history


def test_results_of_the_same_second_count_in_the_order_of_boards() -> None:
    time = "2026-11-20T08:00:00Z"
    places = (("ann", 1), ("ben", 2))
    boards = [summary_of(Result(time, no, places)) for no in (10, 9, 2)]
    assert [one.board for one in endings_of(boards)] == [2, 9, 10]


def test_a_board_that_does_not_count_has_no_result() -> None:
    void = summary_of(result(1, ann=1, ben=2))._replace(places={}, status="void")
    assert endings_of([void]) == []


def test_folding_never_takes_a_number_by_hand() -> None:
    """A rating that is not what the results came to is not built upon."""
    history = [result(1, ann=1, ben=2), result(2, ann=1, ben=2)]
    kept = fold(history[:1])
    changed = {**kept.ratings, "ann": Rating(50.0, 1.0, 1)}
    assert fold(history, kept._replace(ratings=changed)) == fold(history)
    assert fold(history, Fold(-1, 0, ("", 0), "", {})) == fold(history)
