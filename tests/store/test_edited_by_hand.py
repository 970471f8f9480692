"""What a store that somebody has touched by hand does to lists and numbers."""

import pytest

from pbm_holomino import rules
from pbm_holomino.errors import CannotSend, StoreTrouble
from pbm_holomino.match.kinds.boards import to_data
from pbm_holomino.store import config
from pbm_holomino.store.documents import read
from pbm_holomino.store.examples import folder
from pbm_holomino.store.files.store import FileStore
from pbm_holomino.store.library import Library
from tests.house import House, home
from tests.paths import ROOT
from tests.prose import plain


def test_a_list_names_the_boards_that_are_damaged(house: House) -> None:
    house.type("holo challenge alice bob")
    house.document("holo", "2").write_text("game: holo\n")
    house.library.lists.scan()  # as a tick does, to notice changes by hand
    for words in ("holo games", "holo games alice", "holo show alice", "holo history"):
        answer = house.type(words)
        assert answer.status == 0
        assert house.called("holo", "2") in plain(answer.text)
    assert "holo 1" in house.type("holo games").text


def test_a_folder_in_place_of_a_board_is_damage(house: House) -> None:
    house.path("holo", "7.yaml").mkdir()
    house.library.lists.scan()  # as a tick does, to notice changes by hand
    answer = house.type("holo games")
    assert answer.status == 0
    assert "holo 1" in answer.text
    assert house.called("holo", "7") in plain(answer.text)


def test_a_player_is_not_deleted_whatever_a_list_says(house: House) -> None:
    house.put("holo", "1", {**house.data("holo", "1"), "status": "over", "turn": []})
    assert house.type("delete alice {alice}").status == 1
    assert house.type("holo showas alice {alice} 1").status == 0


def test_a_number_is_never_given_twice(house: House) -> None:
    house.type("holo challenge alice bob")
    house.type("holo resign 2 alice {alice}")
    house.document("holo", "2").unlink()
    house.type("holo challenge alice bob")
    assert house.library.lists.boards("holo") == [1, 3]


def test_a_preview_that_is_refused_shows_the_board_as_it_is(house: House) -> None:
    # eight tiles: two pools, the first tile and one draw leave the sack empty, so that
    # moves may be previewed one after another
    house.type("holo challenge alice bob -num-digits=4 -pool-size=3")
    assert house.match(2).view(None).sack == 0
    move = house.legal(2)[0]
    answer = house.type(f"holo preview 2 {move} {move}")
    assert answer.status == 1
    assert "Holomino, board 2, at the start" in answer.text


@pytest.mark.parametrize("word", ["x:y", ":25", "a b:25", "host:999999"])
def test_where_the_mail_server_is(word: str) -> None:
    assert config.from_data({"smtp": "mail.example.org:25"}).smtp
    with pytest.raises(StoreTrouble, match="smtp"):
        config.from_data({"smtp": word})


def test_the_boards_that_come_with_the_checkout_are_sound() -> None:
    games = ROOT / "games"
    library = Library(FileStore(str(games)))
    for game in rules.names():
        match, data = library.shown(game, 1), read(library.store, folder(game), "1")
        assert match.status == "over"
        assert data == to_data(match)
        assert not any(map(library.player, match.record.players))


def test_a_damaged_account_of_a_writer_holds_up_no_letter(house: House) -> None:
    house.trouble = CannotSend("The post office is closed.")
    house.type("holo chat 1 bob {bob} -m=Hello")
    house.trouble = None
    house.document("players", "bob").write_text("[")
    answer = house.type(f"holo move 1 alice {{alice}} {house.legal()[0]}")
    assert answer.status == 0
    (letter,) = (sent for sent in house.sent if "Hello" in sent.text)
    assert letter.to == (home("alice"),)
    assert "bob writes on holo 1:\n  Hello\n" in letter.text
