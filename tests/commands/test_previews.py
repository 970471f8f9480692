"""By whose tiles a preview is judged, and whom its refusals speak of."""

import pytest

from pbm_holomino.rules import names
from tests.club import Club, to_the_chain, to_the_pairs
from tests.house import PASSWORDS
from tests.prose import plain

games = pytest.mark.parametrize("game", ["holo", "hextol"])


def previewed(club: Club, who: str, *moves: str) -> str:
    """What a player is shown who asks with their password."""
    words = " ".join(moves)
    return club.say(f"{club.game} previewas 1 {who} {PASSWORDS[who]} {words}")


def refused(club: Club, who: str, *moves: str) -> str:
    """The sentence that refuses a preview; anybody asks where nobody is named."""
    words = " ".join(moves)
    line = f"previewas 1 {who} {PASSWORDS[who]}" if who else "preview 1"
    return club.refused_line(f"{club.game} {line} {words}")[0]


def seats(club: Club) -> tuple[str, str]:
    """Who is to move, and the other one."""
    (who,) = club.json()["turn"]
    return who, {"alice": "bob", "bob": "alice"}[who]


@games
def test_a_player_who_waits_is_judged_by_their_own_tiles(club: Club, game: str) -> None:
    who, waiting = seats(club.open(game))
    pools = club.json()["pools"]
    tile = "88" if game == "hextol" else "999"
    place = "2,3" if game == "hextol" else "2"
    for asker in (who, waiting):
        said = refused(club, asker, f"{tile}:{place}")
        held = ", ".join(pools[asker])
        assert said.endswith(f"Tile {tile} is not in your pool, which holds {held}.")


@games
def test_without_a_password_the_player_to_move_is_named(club: Club, game: str) -> None:
    who, _ = seats(club.open(game))
    held = ", ".join(club.json()["pools"][who])
    tile = "88:2,3" if game == "hextol" else "999:2"
    said = refused(club, "", tile)
    assert f"is not in {who}'s pool, which holds {held}." in said
    assert "your" not in said


def test_a_move_of_the_waiting_player_is_shown_as_theirs(club: Club) -> None:
    club.open("holo")
    before = club.json()["pools"]
    tile = before["bob"][0]
    move = f"{tile}:4"  # 254, turned so that its 4 is under the 4 of 134
    shown = plain(previewed(club, "bob", move))
    assert "as if it were your turn" in shown
    assert f"You played {move}." in shown
    assert club.json()["pools"] == before


@games
def test_the_reply_to_ones_own_move_is_the_others(club: Club, game: str) -> None:
    """Nothing is drawn before it: in Holomino the first player has drawn the last tile,
    in Hextol only who cannot move would draw."""
    club.open(game, 2, "-pool_size=19" if game == "holo" else "")
    who, other = seats(club)
    mine, pools = club.json()["legal"][0], club.json()["pools"]
    said = refused(club, who, mine, "888:1" if game == "holo" else "99:1,2")
    assert f"{other}'s pool, which holds {', '.join(pools[other])}." in said
    reply = club.json(f"preview 1 {mine}")["legal"][0]
    words = f"1 {who} {PASSWORDS[who]} {mine} {reply}"
    moves = club.json(f"previewas {words}")["preview"]["moves"]
    assert moves == [f"{who} {mine}", f"{other} {reply}"]


def test_a_player_who_may_not_pass_is_named_too(club: Club) -> None:
    club.open("holo")
    assert refused(club, "", "pass").endswith(
        f'alice may not pass while "{club.json()["legal"][0]}" is possible.'
    )
    assert "You may not pass while" in refused(club, "alice", "pass")
    assert "You may not pass while" in refused(club, "bob", "pass")


def test_pairs_are_counted_by_what_the_asker_holds(club: Club) -> None:
    to_the_pairs(club, 3)
    first, second, _ = club.json()["turn"]
    assert f"do not add up to what {first} holds" in refused(club, "", "pairs:RG")
    assert f": {first} has left out" in refused(club, "", "pairs:RG")
    club.move(second, "pairs:any")
    for who in (first, second):
        said = refused(club, who, "pairs:RG")
        assert "do not add up to what you hold" in said
        assert ": you have left out" in said


def test_a_pair_of_the_waiting_player_is_judged_by_their_pairs(club: Club) -> None:
    to_the_chain(club, 3)
    fields = club.json()
    (who,) = fields["turn"]
    waiting = next(player for player in fields["players"] if player != who)
    missing = next(
        pair
        for pair in ("RR", "GG", "YY", "PP", "BB")
        if pair not in fields["pools"][waiting]
    )
    said = refused(club, waiting, f"{missing}:7,8")
    held = ", ".join(fields["pools"][waiting])
    assert f"Pair {missing} is not in your pool, which holds {held}." in said


def test_a_player_who_has_dropped_out_looks_on(club: Club) -> None:
    to_the_chain(club, 3)
    (who,) = club.json()["turn"]
    gone = next(player for player in club.json()["players"] if player != who)
    club.resign(gone)
    move = club.json()["legal"][0]
    assert f"{who} played {move}." in plain(previewed(club, gone, move))


@pytest.mark.parametrize("game", names())
def test_a_refused_move_speaks_to_its_player(club: Club, game: str) -> None:
    who = club.open(game).json()["turn"][0]
    for move in ("999:2", "99:2,3", "pass", "take:W", "pairs:RG", "RG:7,8"):
        said = club.refused(who, move)
        assert "{" not in said
        assert f"{who}'s" not in said
