"""Muted boards: turns and ends still come, and nothing else."""

import pytest

from pbm_holomino.match import account
from tests.club import Club

MUTE = "mute carol {carol} walomino 1"


@pytest.fixture
def muted(club: Club) -> Club:
    """Carol has muted a board of three."""
    club.open("walomino", 3, "-draft=random").accept()
    for who in "alice", "bob", "carol":
        club.move(who, "pairs:any")
    said = club.say(MUTE)
    assert '"unmute carol PASSWORD walomino 1" ends this' in " ".join(said.split())
    club.server.sent.clear()
    return club


def readers(club: Club, turns: int) -> list[list[str]]:
    """Who gets letters about so many turns."""
    told = []
    for _ in range(turns):
        fields = club.json()
        club.move(fields["turn"][0], fields["legal"][0])
        told.append(sorted(club.letters()))
    return told


def test_only_turns_bring_letters(muted: Club) -> None:
    first = muted.json()["turn"][0]
    assert first == "alice"
    assert readers(muted, 3) == [["bob"], ["alice", "carol"], ["alice", "bob"]]
    muted.say("unmute carol {carol} walomino 1")
    muted.letters()
    assert readers(muted, 1) == [["bob", "carol"]]


def test_words_do_not_come_but_offers_and_the_end_do(muted: Club) -> None:
    muted.say("walomino chat 1 alice {alice} -m=Hello")
    assert sorted(muted.letters()) == ["bob"]
    muted.say("walomino propose 1 alice {alice}")
    assert sorted(muted.letters()) == ["bob", "carol"]
    muted.resign("alice")
    muted.letters()
    muted.resign("bob")
    assert sorted(muted.letters()) == ["alice", "carol"]


def test_other_boards_are_heard(muted: Club) -> None:
    muted.say("holo challenge alice carol")
    assert "carol" in muted.letters()


def test_the_account_keeps_what_is_muted(muted: Club) -> None:
    player = muted.server.library.player("carol")
    assert player is not None
    data = account.to_data(player)
    assert data["muted"] == ["walomino.1"]
    assert account.from_data(data) == player
    spoilt: list[object] = ["walomino.1", ["walomino 1"], ["../x"], [{}]]
    for wrong in spoilt:
        with pytest.raises((TypeError, ValueError)):
            account.from_data(data | {"muted": wrong})


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (MUTE, "walomino 1 is muted already."),
        ("unmute alice {alice} walomino 1", "walomino 1 is not muted."),
        ("mute dave {dave} walomino 1", "You do not play on walomino 1"),
        ("mute carol {carol} walomino 9", "There is no board walomino 9."),
        ("mute carol {carol} walomino x", "is not a board number"),
        ("mute carol {carol} chess 1", '"chess" is not a game here'),
        ("mute carol {carol} 1", "is not a game here"),
        ("mute carol {bob} walomino 1", "password"),
    ],
)
def test_what_is_refused(muted: Club, line: str, said: str) -> None:
    told, _ = muted.refused_line(line)
    assert said in told


def test_a_board_that_is_over_cannot_be_muted(muted: Club) -> None:
    for who in "alice", "bob":
        muted.resign(who)
    assert muted.refused_line("mute alice {alice} walomino 1")[0] == (
        "walomino 1 is over."
    )
    muted.say("unmute carol {carol} walomino 1")
