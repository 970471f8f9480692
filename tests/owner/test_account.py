"""`pbm account`: what the owner sees of an account, and does about it."""

import pytest

from pbm_holomino import owner
from pbm_holomino.errors import NotAllowed, NotFound
from pbm_holomino.letters.content import plain
from pbm_holomino.match.board import Result
from tests import prose
from tests.house import House, home, own


@pytest.fixture
def house(server: House, monkeypatch: pytest.MonkeyPatch) -> House:
    """Alice plays bob on board 1."""
    own(server, monkeypatch)
    server.sign_up("carol")
    if not server.library.lists.boards("holo"):
        server.challenge()
    server.play(1, 2)
    server.taken()
    return server


def said(*words: str) -> str:
    """What the owner is told, in one line."""
    answer = owner.run(["account", *words])
    assert answer.status == 0, answer.text
    assert max(map(len, answer.text.splitlines())) <= 72
    return " ".join(answer.text.split())


def test_an_account_is_shown_without_secrets(house: House) -> None:
    shown = said("bob")
    assert shown.startswith(f"status on addresses {home('bob')} ")
    assert "playing holo 1" in shown
    assert shown == said("bob", "show")
    player = house.library.player("bob")
    assert player is not None
    assert player.password not in shown


def letters(house: House, who: str) -> str:
    """What has been written to a player, in one line."""
    mine = [letter for letter in house.taken() if home(who) in letter.to]
    return prose.plain("".join(plain(letter.content) for letter in mine))


@pytest.mark.parametrize("deed", ["show", "reset", "ban", "delete"])
def test_nobody_of_that_name(house: House, deed: str) -> None:
    with pytest.raises(NotFound, match='There is no player "nobody"'):
        said("nobody", deed)


def test_a_reset_ends_the_password_and_all_sessions(house: House) -> None:
    assert '"forgot bob" brings a new one' in said("bob", "reset")
    refused = house.type("holo resign 1 bob {bob}")
    assert refused.status != 0
    assert "has taken back the password of bob" in letters(house, "bob")


def test_without_an_address_the_owner_gets_the_word(house: House) -> None:
    house.type("signup dave secret4")
    word = said("dave", "reset").split()[-2]
    changed = house.type(f"change password dave {word} another-secret")
    assert changed.status == 0, changed.text


def test_who_is_banned_leaves_all_boards_and_cannot_come_back(house: House) -> None:
    text = said("bob", "ban")
    assert "The account bob is removed. It has left holo 1" in text
    assert f"No account can be made from {home('bob')} again" in text
    match = house.library.match("holo", 1)
    assert match.result is not None
    assert match.result.winners == ("alice",)
    told = letters(house, "alice")
    assert "has closed bob's account. That counts as resigning." in told
    assert house.library.player("bob") is None
    for address in (home("bob"), home("bob").upper()):
        refused = house.type(f"signup bobby secret5 {address}")
        assert "takes no new player from" in refused.text
    assert house.library.player("bobby") is None


def test_challenges_end_with_the_account(house: House) -> None:
    house.challenge()
    house.type("holo challenge bob anyone")
    house.taken()
    assert "It has left holo 1, holo 2 and holo 3" in said("bob", "ban")
    told = letters(house, "alice")
    assert "has closed bob's account. That ends this challenge." in told
    assert "cancelled, as the owner has closed the account of bob" in told
    assert house.match(2).result == Result((), "declined")
    assert house.library.lists.open_challenges().boards == []


def test_a_game_that_goes_on_without_the_banned_player_goes_on(house: House) -> None:
    house.challenge(names="alice bob carol", game="walomino")
    house.accept(1, "walomino")
    house.type("walomino resign 1 bob {bob}")
    assert "walomino" not in said("bob", "ban")
    assert house.library.match("walomino", 1).status == "active"


def test_who_is_admitted_again_can_sign_up(house: House) -> None:
    said("bob", "ban")
    assert said(home("bob"), "admit") == f"{home('bob')} can sign up again."
    assert house.type(f"signup bobby secret5 {home('bob')}").status == 0
    with pytest.raises(NotFound, match="is not banned"):
        said(home("bob"), "admit")


def test_only_who_plays_nowhere_is_deleted(house: House) -> None:
    with pytest.raises(NotAllowed, match="bob has a seat on holo 1"):
        said("bob", "delete")
    assert said("carol", "delete") == "The account carol is removed."
    assert "has removed your account, carol" in letters(house, "carol")
    assert house.type("signup carol secret6").status != 0


def test_a_ban_that_comes_again_is_refused_and_harmless(house: House) -> None:
    said("bob", "ban")
    with pytest.raises(NotFound):
        said("bob", "ban")
    assert "all is well" in owner.run(["check"]).text
