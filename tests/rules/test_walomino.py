"""Walomino's taking and pairing: wishes, the three drafts, and what is secret."""

from collections import Counter

import pytest

from pbm_holomino.errors import BadOption
from pbm_holomino.rules import load
from pbm_holomino.rules.chance import Chance
from pbm_holomino.rules.games import walomino
from pbm_holomino.rules.games.walomino.state import NO_WISH
from pbm_holomino.rules.options import configure
from tests.rules.stacked import Stacked
from tests.rules.told import told
from tests.rules.walomino_table import ALL_OF_ALICE, ALL_OF_BOB, WalominoTable

WALOMINO = walomino.GAME

# Options


def test_options_as_they_are_without_a_word() -> None:
    assert configure(load("walomino"), {}) == {"draft": "pot", "rounds": 1}


@pytest.mark.parametrize(
    ("word", "sentence"),
    [
        ({"draft": "dice"}, '-draft takes pot, die or random, not "dice".'),
        ({"rounds": "0"}, "-rounds=0 is outside its limits: 1 to 12."),
        ({"rounds": "13"}, "-rounds=13 is outside its limits: 1 to 12."),
        ({"round": "2"}, 'There is no option "-round" here. Did you mean -rounds?'),
        ({"rules": "x"}, 'There is no option "-rules" here.'),
    ],
)
def test_options_that_are_refused(word: dict[str, str], sentence: str) -> None:
    with pytest.raises(BadOption) as error:
        configure(load("walomino"), word)
    assert str(error.value) == sentence


# Taking


@pytest.mark.parametrize(("seats", "each"), [(2, 24), (3, 16), (4, 12)])
def test_two_walongs_are_left_for_the_start_pair(seats: int, each: int) -> None:
    table = WalominoTable(seats).play(*["take:any"] * seats)
    state = table.state
    assert state.phase == "pair"
    assert [len(pool) for pool in state.pools] == [each] * seats
    walongs = Counter("".join(map("".join, state.pools)))
    assert walongs + Counter(state.chain.cells.values()) == Counter(10 * "RGYPB")
    assert state.chain.path == (0, 1)
    assert table.view().extra["pot"] == dict.fromkeys("RGYPB", 0)


def test_one_walong_each_in_turn() -> None:
    table = WalominoTable(3)
    assert table.turn() == (0,)
    assert table.legal() == {"take:any", *(f"take:{c}" for c in "RGYPB")}
    assert table.play("take:R").deeds() == [(0, "took R")]
    assert table.turn() == (1,)
    table.play("take:g", "take:Y")
    assert table.turn() == (0,)
    assert table.state.pools == (("R",), ("G",), ("Y",))
    assert table.view().extra["pot"] == {"R": 9, "G": 9, "Y": 9, "P": 10, "B": 10}
    assert table.view().sack == 47


def test_wishes_are_used_in_order_until_one_player_has_no_more() -> None:
    table = WalominoTable().play("take:RRG")
    assert table.turn() == (1,)
    assert table.play("take:YY").deeds() == [(1, "took YY"), (0, "took RG")]
    # Alice's three and Bob's two: it is Bob's third take.
    assert table.turn() == (1,)
    assert table.state.pools == (tuple("RRG"), tuple("YY"))
    table.play("take:B")
    assert table.turn() == (0,)


def test_a_colour_that_has_run_out_is_passed_over() -> None:
    table = WalominoTable().play("take:" + 6 * "R" + "G", "take:" + 6 * "R")
    # Of the ten red ones each has five: Alice's sixth wish goes over to green,
    # and Bob's runs out.
    assert table.state.pools == (tuple("RRRRRG"), tuple("RRRRR"))
    assert table.turn() == (1,)
    assert "take:R" not in table.legal()


def test_the_first_wish_must_be_there() -> None:
    table = WalominoTable().play("take:RRRRR", "take:RRRRR")
    assert table.turn() == (0,)
    sentence = "No R is left in the pot; it holds G 10, Y 10, P 10, B 10."
    assert table.refused("take:R") == sentence
    assert table.refused("take:RG,any") == sentence
    assert table.play("take:GR").state.pools[0] == tuple("RRRRRG")


def test_chance_draws_from_walongs_sorted_by_their_letters() -> None:
    # Red is taken; then of B 10, G 10, P 10, R 9, Y 10 the first, of the 48 that
    # are left the last, and of B 9, G 10, P 10, R 9, Y 9 the first green one.
    table = WalominoTable(4, chance=Stacked(bytes([0, 47, 9])))
    table.play("take:R", "take:any", "take:any", "take:any")
    assert table.state.pools == (("R",), ("B",), ("Y",), ("G",))
    assert table.state.draws == 3


def test_chance_follows_the_wishes() -> None:
    table = WalominoTable(2, Chance(b"x" * 32)).play("take:RRR,any", "take:Y")
    assert table.turn() == (1,)
    for _ in range(5):
        table.play("take:Y")
    assert table.turn() == (1,)
    assert table.state.pools[0][:3] == tuple("RRR")
    assert len(table.state.pools[0]) == 7
    assert table.state.draws == 4
    # Chance goes on to the end of the taking.
    table.play("take:any")
    assert table.state.phase == "pair"


def test_unused_wishes_are_secret() -> None:
    plain, any_, long = (
        WalominoTable(3).play(text) for text in ("take:R", "take:R,any", "take:RGGG")
    )
    for reader in (None, 1, 2):
        assert plain.view(reader) == any_.view(reader) == long.view(reader)
    assert plain.deeds() == any_.deeds() == long.deeds() == [(0, "took R")]
    assert "nobody else sees: GGG." in " ".join(map(str, long.view(0).remarks))
    assert "chance takes for you" in " ".join(map(str, any_.view(0).remarks))
    assert "nobody else sees" not in " ".join(map(str, plain.view(0).remarks))


def test_whether_chance_took_is_secret() -> None:
    by_chance = WalominoTable(3, Stacked(bytes(9))).play("take:any")
    wished = WalominoTable(3).play("take:B")
    assert by_chance.deeds() == wished.deeds() == [(0, "took B")]
    for reader in (None, 1, 2):
        assert by_chance.view(reader) == wished.view(reader)


def test_wishes_end_with_the_taking() -> None:
    table = WalominoTable().play("take:" + ALL_OF_ALICE + 5 * "B", "take:" + ALL_OF_BOB)
    assert table.state.phase == "pair"
    assert table.state.wishes == (NO_WISH,) * 2


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("take:", "Write your wishes without blanks or commas, such as take:RRG."),
        ("take:R,G", "Write your wishes without blanks or commas, such as take:RRG."),
        ("take:R,any,any", "Write your wishes without blanks or commas,"),
        ("take:,any", "Write your wishes without blanks or commas,"),
        ("take:RXG", '"X" is not a colour: the colours are R (red), G (green), Y (ye'),
        ("take:R1", '"1" is not a colour'),
        ("take:" + 51 * "R", "You sent 51 wishes, and 50 at a time are allowed."),
        ("red", '"red" is not a move. Walongs are being taken now: send take: and the'),
        ("take", '"take" is not a move. Walongs are being taken now'),
        ("pass", "You cannot pass in Walomino: a player who cannot play is skipped."),
        ("pairs:RG", "Walongs are being taken now: send take: and the"),
        ("pairs:any", "Walongs are being taken now: send take: and the"),
        ("RG:7,8", "Walongs are being taken now: send take: and the"),
    ],
)
def test_takes_that_are_refused(text: str, start: str) -> None:
    assert WalominoTable().refused(text).startswith(start)


def test_fifty_wishes_are_allowed() -> None:
    assert WalominoTable().play("take:" + 50 * "R").turn() == (1,)


# The colour die: its faces are counted B G P R W Y.


def test_only_white_lets_a_player_choose() -> None:
    table = WalominoTable(2, Stacked(bytes([0, 1, 2, 3, 5, 4, 0, 4, 4])), draft="die")
    assert table.state.pools == (tuple("BPY"), tuple("GR"))
    assert table.deeds() == [
        (0, "took BPY by the die"),
        (1, "took GR by the die"),
        (1, "rolled white and may choose"),
    ]
    assert table.turn() == (1,)
    assert "You have rolled white" in " ".join(map(str, table.view(1).remarks))
    table.play("take:PG")
    assert table.state.pools == (tuple("BPYB"), tuple("GRPG"))
    assert table.deeds() == [
        (1, "took PG on white"),
        (0, "took B by the die"),
        (0, "rolled white and may choose"),
    ]


def test_wishes_wait_for_white() -> None:
    # White for Alice at once; red for Bob; green by the die for Alice, white for
    # Bob; then white for Alice, whose second wish is used now.
    rolls = bytes([4, 3, 1, 4, 4, 4, 4])
    table = WalominoTable(2, Stacked(rolls), draft="die").play("take:PY")
    assert table.turn() == (1,)
    assert table.deeds()[-1] == (1, "rolled white and may choose")
    assert table.state.pools == (tuple("PG"), tuple("R"))
    table.play("take:B")
    assert table.deeds() == [
        (1, "took B on white"),
        (0, "took Y on white"),
        (1, "rolled white and may choose"),
    ]


def test_a_colour_that_has_run_out_is_rolled_again() -> None:
    # Red ten times, then red again, twice, before black.
    table = WalominoTable(2, Stacked(bytes([3] * 12 + [0, 4])), draft="die")
    assert table.state.pools == (tuple("RRRRRB"), tuple("RRRRR"))
    assert table.turn() == (1,)
    assert table.state.draws == 14


def test_random_draft_begins_with_the_pairing() -> None:
    table = WalominoTable(4, draft="random")
    assert table.turn() == (0, 1, 2, 3)
    assert table.state.phase == "pair"
    assert table.state.draws == 48
    taken = [deed for _, deed in table.deeds()]
    assert all(deed.startswith("took ") for deed in taken)
    assert all(deed.endswith(" by chance") for deed in taken)
    assert table.state.pools[2] == tuple(taken[2].split()[1])


# Pairing


def taken() -> WalominoTable:
    return WalominoTable().play("take:" + ALL_OF_ALICE, "take:" + ALL_OF_BOB)


FIVE = ",".join(5 * ["RR"] + 5 * ["GG"])


def test_all_pair_at_the_same_time() -> None:
    table = taken()
    assert table.turn() == (0, 1)
    assert table.legal() == {"pairs:any"}
    table.send(1, "pairs:any")
    assert table.turn() == (0,)
    assert table.view().seats["paired"] == (1,)


@pytest.mark.parametrize(("first", "second"), [(0, 1), (1, 0)])
def test_pairs_are_sealed_until_all_have_paired(first: int, second: int) -> None:
    table = taken().send(first, "pairs:any")
    other = taken().send(first, "pairs:any")
    assert table.events == other.events
    mine = table.state.sealed[first]
    assert mine is not None
    letters = "".join(sorted("".join(mine)))
    pairs = [letters[k : k + 2] for k in range(0, 24, 2)]
    again = taken().send(first, "pairs:" + ",".join(pairs))
    assert again.state.sealed[first] != mine
    for reader in (None, second):
        assert table.view(reader) == again.view(reader)
    assert ",".join(mine) in " ".join(map(str, table.view(first).remarks))
    assert all(len(walong) == 1 for walong in table.view(first).pools[first])
    assert not any(event.reveals for event in table.events)
    table.send(second, "pairs:any")
    revealing = [event for event in table.events if event.reveals]
    assert [event.seat for event in revealing] == [0, 1]
    assert told(revealing[first]) == f"made the pairs {','.join(mine)}"
    assert table.view().pools[first] == mine
    assert table.state.phase == "play"


def test_secret_moves_have_a_public_form() -> None:
    table = WalominoTable()
    for text, public in (
        ("take:RRG,any", "take"),
        ("take:R", "take"),
        ("pairs:RG,BB", "pairs"),
        ("pairs:any", "pairs"),
        ("RG:7,8", "RG:7,8"),
    ):
        move = WALOMINO.parse_move(table.state, 0, text)
        assert WALOMINO.public_move(move) == public


def test_pairs_in_any_order_are_named_in_theirs() -> None:
    table = taken().send(0, f"pairs:YR,{'RR,' * 4}yg,{'gg,' * 4}RY,GY")
    expected = ("RR",) * 4 + ("RY",) * 2 + ("GG",) * 4 + ("GY",) * 2
    assert table.state.sealed[0] == expected


def test_chance_pairs_walongs_as_they_are_drawn() -> None:
    # Bob holds B 10, P 10 and Y 4. The last is drawn three times, then always the
    # first: Y Y, Y B, then the black ones, the purple ones and the last yellow one.
    draws = bytes([23, 22, 21]) + bytes(21)
    table = WalominoTable(chance=Stacked(draws))
    table.play("take:" + ALL_OF_ALICE, "take:" + ALL_OF_BOB).send(1, "pairs:any")
    made = ("YY", "YP", "YB", *4 * ["PP"], "PB", *4 * ["BB"])
    assert table.state.sealed[1] == made


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            f"pairs:{FIVE},YY",
            "These pairs do not add up to what you hold, R 10, G 10, Y 4: you have "
            "left out 2 Y.",
        ),
        (
            f"pairs:{FIVE},YY,YB",
            "These pairs do not add up to what you hold, R 10, G 10, Y 4: you have "
            "left out 1 Y, and named 1 B too many.",
        ),
        (
            f"pairs:{FIVE},YY,YY,BB",
            "These pairs do not add up to what you hold, R 10, G 10, Y 4: you have "
            "named 2 B too many.",
        ),
        (
            "pairs:RG,RGB",
            '"RGB" is not a pair: a pair is two letters, and commas separate pairs, '
            "as in pairs:RG,RR,BY.",
        ),
        (
            "pairs:RG,",
            '"" is not a pair: a pair is two letters, and commas separate pairs, '
            "as in pairs:RG,RR,BY.",
        ),
        (
            "pairs:RG,RO",
            '"O" is not a colour: the colours are R (red), G (green), Y (yellow), '
            "P (purple) and B (black).",
        ),
        (
            "take:R",
            "Pairs are being made now: send pairs: "
            "and all your pairs, such as pairs:RG,RR,BY, or send pairs:any.",
        ),
        (
            "RG:7,8",
            "Pairs are being made now: send pairs: "
            "and all your pairs, such as pairs:RG,RR,BY, or send pairs:any.",
        ),
    ],
)
def test_pairs_that_are_refused(text: str, sentence: str) -> None:
    assert taken().refused(text) == sentence


def test_the_start_pair_lies_in_the_order_of_colours() -> None:
    # Everything but one black and one green walong is taken.
    alice, bob = 10 * "R" + 9 * "G" + 5 * "Y", 9 * "B" + 10 * "P" + 5 * "Y"
    table = WalominoTable().play("take:" + alice, "take:" + bob)
    assert table.view().drawing.faces == {0: "G", 1: "B"}
    assert list(table.view().drawing.joints) == [(0, 1)]
