"""Who hears what of offers, declining, rematches, chats and the owner's void; and that
a mail that comes again does nothing new."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from pbm_holomino import owner
from pbm_holomino.errors import PbmError
from pbm_holomino.letters.letter import Letter
from tests.club import (
    Club,
    log_of,
    mailed,
    others_of,
    result_of,
    subjects,
    take_back,
    to_the_pairs,
)
from tests.house import open_house, own
from tests.prose import plain


@pytest.fixture
def club(club: Club, monkeypatch: pytest.MonkeyPatch) -> Club:
    """Nothing is played yet; the owner's commands run here too."""
    own(club.server, monkeypatch)
    return club


@pytest.fixture
def played(club: Club) -> Club:
    """A board of Holomino: alice and bob have moved, and it is alice's turn."""
    club.open("holo")
    club.move("alice", "142:4")
    club.move("bob", "234:3")
    club.server.sent.clear()
    return club


Send = Callable[..., dict[str, Letter]]


@pytest.fixture
def send(club: Club) -> Send:
    """Send a mail of `who` and tell the letters that leave, by reader."""

    def sending(who: str, words: str, body="", no="1") -> dict[str, Letter]:
        club.server.mail(mailed(club, who, words, body, no))
        return club.letters()

    return sending


# Offers


def test_the_letter_of_an_offer_says_how_to_answer(played: Club, send: Send) -> None:
    letters = send("alice", "move 1 alice PASSWORD propose", "What do you think?")
    assert subjects(letters) == {
        "alice": "holo 1: your turn",
        "bob": "holo 1: alice has offered a tie",
    }
    assert "To answer, reply to this letter with one" in plain(letters["bob"].text)
    for answer in ("accept", "reject"):
        assert f"  {answer}\n" in letters["bob"].text
        assert f"  holo move 1 bob PASSWORD {answer}\n" in played.seen("bob")
        assert answer not in letters["alice"].text + played.seen("alice")
    assert "alice writes:\n  What do you think?\n" in letters["bob"].text
    assert "You offered a tie." in plain(letters["alice"].text)


@pytest.mark.parametrize("answer", ["accept", "reject"])
def test_the_words_of_the_letter_can_be_sent(
    played: Club, send: Send, answer: str
) -> None:
    letter = send("bob", "move 1 bob PASSWORD undo")["alice"]
    (line,) = [line for line in letter.text.splitlines() if line.endswith(answer)]
    played.server.reply(letter, line)
    assert played.json()["ply"] == (1 if answer == "accept" else 2)


@pytest.mark.parametrize("answer", ["accept", "reject"])
def test_the_lines_that_the_server_shows_can_be_sent(
    played: Club, send: Send, answer: str
) -> None:
    send("bob", "move 1 bob PASSWORD undo")
    (line,) = [x for x in played.seen("alice").splitlines() if x.endswith(answer)]
    game, words = line.split(maxsplit=1)
    assert game == "holo"
    send("alice", words)
    assert played.json()["ply"] == (1 if answer == "accept" else 2)


def test_the_letters_of_an_undo(played: Club, send: Send) -> None:
    letters = send("bob", "move 1 bob PASSWORD undo", no="1")
    assert subjects(letters) == {
        "alice": "holo 1: bob has asked to take back a move",
        "bob": "holo 1: alice to move",
    }
    assert "bob asked to take back move 2." in plain(letters["alice"].text)
    letters = send("alice", "move 1 alice PASSWORD accept")
    assert subjects(letters) == {
        "alice": "holo 1: bob to move",
        "bob": "holo 1: your turn",
    }
    assert "You took back move 2" in plain(letters["bob"].text)
    assert "bob took back move 2" in plain(letters["alice"].text)
    assert "Holomino, board 1, after move 1" in letters["bob"].text


def test_the_letters_of_a_refusal(played: Club, send: Send) -> None:
    send("alice", "move 1 alice PASSWORD propose")
    letters = send("bob", "move 1 bob PASSWORD reject")
    assert subjects(letters) == {
        "alice": "holo 1: your turn",
        "bob": "holo 1: alice to move",
    }
    assert "bob rejected the tie." in plain(letters["alice"].text)
    assert "accept" not in letters["bob"].text


def test_the_letters_of_an_agreed_draw(played: Club, send: Send) -> None:
    send("alice", "move 1 alice PASSWORD propose")
    letters = send("bob", "move 1 bob PASSWORD accept")
    drawn = "holo 1: alice and bob tied, as agreed"
    assert subjects(letters) == {"alice": drawn, "bob": drawn}
    for letter in letters.values():
        assert "Seed: " in letter.text


def test_among_three_each_letter_says_what_its_reader_can_do(
    club: Club, send: Send
) -> None:
    club.open("walomino", 3)
    club.move("alice", "take:R")
    club.server.sent.clear()
    name = "walomino 1: "
    assert subjects(send("alice", "move 1 alice PASSWORD propose")) == {
        "alice": f"{name}bob to move",
        "bob": f"{name}alice has offered a tie",
        "carol": f"{name}alice has offered a tie",
    }
    letters = send("bob", "move 1 bob PASSWORD accept")
    assert subjects(letters) == {
        "alice": f"{name}bob to move",
        "bob": f"{name}your turn",
        "carol": f"{name}alice has offered a tie",
    }
    assert "  accept\n" in letters["carol"].text
    assert "  accept\n" not in letters["bob"].text
    assert "PASSWORD accept\n" in club.seen("carol")
    assert "PASSWORD accept\n" not in club.seen("bob")


def test_a_player_who_has_resigned_is_not_asked(club: Club, send: Send) -> None:
    club.open("walomino", 3)
    club.resign("carol")
    club.server.sent.clear()
    letters = send("alice", "move 1 alice PASSWORD propose")
    assert "  accept\n" not in letters["carol"].text
    assert "  accept\n" in letters["bob"].text
    assert "PASSWORD accept\n" not in club.seen("carol")
    assert letters["carol"].subject == "walomino 1: alice to move"


# The same mail again


@pytest.mark.parametrize(
    "words",
    ["move 1 bob PASSWORD propose", "move 1 bob PASSWORD undo"]
    + ["chat 1 bob PASSWORD", "rematch 2 bob PASSWORD", "decline 3 bob PASSWORD"],
)
def test_the_same_mail_again(played: Club, send: Send, words: str) -> None:
    for _ in range(2):
        played.say("holo challenge alice bob")
    played.say("holo resign 2 alice xanadu")
    played.server.sent.clear()
    first = send("bob", words, "Hello")
    assert first.keys() == {"alice", "bob"}
    files = played.server.records()
    assert send("bob", words, "Hello") == {"bob": first["bob"]}
    assert played.server.records() == files


def test_the_mail_of_a_move_that_was_taken_back(played: Club, send: Send) -> None:
    first = send("alice", "move 1 alice PASSWORD 123:1")["alice"]
    take_back(played, "alice", "bob")
    log = log_of(played)
    played.server.sent.clear()
    assert send("alice", "move 1 alice PASSWORD 123:1") == {"alice": first}
    assert (log_of(played), played.json()["ply"]) == (log, 2)
    send("alice", "move 1 alice PASSWORD 123:1", no="2")
    assert played.json()["ply"] == 3


def test_an_accept_that_comes_again_accepts_nothing_new(
    played: Club, send: Send
) -> None:
    send("bob", "move 1 bob PASSWORD undo")
    send("alice", "move 1 alice PASSWORD accept")
    played.move("bob", "254:12")
    played.move("bob", "undo")
    played.server.sent.clear()
    send("alice", "move 1 alice PASSWORD accept")
    assert played.json()["ply"] == 2


# Declining, and the owner's void


def test_all_hear_that_a_game_is_declined(club: Club, send: Send) -> None:
    club.open("walomino", 3)
    letters = send("carol", "decline 1 carol PASSWORD", "Sorry, (quokka9) no time")
    assert letters.keys() == {"alice", "bob", "carol"}
    for reader, letter in letters.items():
        off = "cancelled, as carol declined the challenge"
        assert letter.subject == f"walomino 1: {off}"
        assert f"The game is over: {off}." in plain(letter.text)
        assert plain(letter.text).count("declined") == 1
        assert ("no time" in letter.text) == (reader != "carol")
        assert "quokka9" not in letter.text


def test_the_owner_strikes_a_board_off(played: Club) -> None:
    answer = owner.run(["void", "holo", "1"])
    assert (answer.status, answer.text) == (0, "holo 1 is cancelled.\n")
    letters = played.letters()
    assert letters.keys() == {"alice", "bob"}
    for letter in letters.values():
        assert "cancelled by the owner" in letter.subject
    assert played.json()["status"] == "void"
    scores = {"alice": 0, "bob": 9}
    result = {"winners": [], "reason": "voided", "scores": scores}
    assert result_of(played) == result
    assert played.say("holo history 1 -format=yaml")


@pytest.mark.parametrize(
    "line",
    ["void", "void holo", "void holo 9", "void chess 1", "void holo x"]
    + ["void holo 1 2", "void holo \u00b2", "void players 1"],
)
def test_lines_that_void_nothing(played: Club, line: str) -> None:
    before = played.server.records()
    with pytest.raises(PbmError):
        owner.run(line.split())
    assert played.server.records() == before


def test_a_board_is_voided_once(played: Club) -> None:
    owner.run(["void", "holo", "1"])
    before = played.server.records()
    with pytest.raises(PbmError, match="over"):
        owner.run(["void", "holo", "1"])
    assert played.server.records() == before


def test_void_does_not_exist_by_mail(played: Club) -> None:
    before = played.server.records()
    for subject in ("pbm void holo 1", "void holo 1", "holo void 1 alice xanadu"):
        raw = mailed(played, "alice", "x").replace(b"holo x", subject.encode())
        (letter,) = played.server.mail(raw)
        assert "is not a command" in plain(letter.text)
    for move in ("void", "!void", "!decline", "!accept"):
        assert "is not a move" in played.refused("alice", move)
    assert played.server.records() == before


# Rematches


@pytest.mark.parametrize("who", ["alice", "bob", "carol"])
def test_a_rematch_turns_the_seats_and_keeps_the_options(
    club: Club, send: Send, who: str
) -> None:
    club.open("walomino", 3, "-draft=pot -rounds=3").accept()
    for name in ("alice", "carol"):
        club.resign(name)
    club.server.sent.clear()
    old = club.json()
    letters = send(who, f"rematch 1 {who} PASSWORD", "Again!")
    new = json.loads(club.say("walomino show 2 -format=json"))
    assert new["players"] == ["bob", "carol", "alice"]
    assert new["options"] == old["options"]
    assert (new["ply"], new["status"], new["turn"]) == (0, "active", ["bob"])
    assert letters.keys() == {"alice", "bob", "carol"}
    for reader, letter in letters.items():
        asked = "a rematch" if reader == who else f"{who} asks for a rematch"
        assert letter.subject.startswith(f"walomino 2: {asked}, ")
        others = ", ".join(name for name in new["players"] if name != reader)
        players = f"you, {' and '.join(others.rsplit(', ', 1))}"
        assert f"A rematch: a new game of Walomino for {players}." in letter.text
        assert ("Again!" in letter.text) == (reader != who)
    assert club.json() == old


def test_a_rematch_has_chance_of_its_own(tmp_path: Path) -> None:
    house = open_house(tmp_path)
    assert house.type("holo challenge alice bob -random -pool_size=4").status == 0
    house.type("holo resign 2 bob {bob}")
    assert house.type("holo rematch 2 bob {bob}").status == 0
    old, new = house.match(2).record, house.match(3).record
    assert new.seed != old.seed
    assert new.players == old.players[::-1]
    assert house.type("holo rematch 2 alice {alice}").status == 0
    assert house.match(4).record.players == new.players  # of the same board again


# Chats


def test_a_chat_goes_to_the_others_and_into_the_record(
    played: Club, send: Send
) -> None:
    before = played.json()
    letters = send("alice", "chat 1 alice PASSWORD", "Nice hole!\nxanadu: x")
    assert subjects(letters)["bob"] == "holo 1: a message from alice"
    text = letters["bob"].text
    assert text.startswith("alice writes on holo 1:\n  Nice hole!\n  ***: x\n\n")
    assert "To answer, reply to this letter: it goes to alice." in plain(text)
    assert 'To see the board, reply with "show" in the first line' in plain(text)
    assert "Holomino" not in text
    assert "@" not in text
    assert plain(letters["alice"].text) == "Sent to bob."
    assert played.json() == before
    for form in ("text", "yaml"):
        assert "Nice hole!" in played.say(f"holo history 1 -format={form}")
        assert "xanadu" not in played.say(f"holo history 1 -format={form}")
    assert "Nice" not in played.say("holo history 1 -format=json")
    assert "Nice" not in played.say("holo showas bob better4 1")
    assert "Nice hole!" in played.server.document("holo", "1").read_text()


def test_a_chat_among_four_in_the_shell(club: Club) -> None:
    club.open("walomino", 4)
    said = plain(club.say("walomino chat 1 dave zebra88 -m=Hello"))
    assert said == "Sent to alice, bob and carol."
    letters = club.letters()
    assert sorted(letters) == others_of("dave", 4)
    for letter in letters.values():
        assert "dave writes on walomino 1:\n  Hello\n" in letter.text


def test_a_chat_after_the_end(played: Club, send: Send) -> None:
    played.resign("bob")
    played.server.sent.clear()
    letters = send("bob", "chat 1 bob PASSWORD", "Thank you.")
    assert letters["alice"].subject == "holo 1: a message from bob"
    assert "bob writes on holo 1:\n  Thank you.\n" in letters["alice"].text
    assert result_of(played)["winners"] == ["alice"]
    assert owner.run(["check"]).status == 0


@pytest.mark.parametrize("body", ["", "\n \n", "> quoted\n", "-- \nAlice\n"])
def test_a_chat_without_a_text(played: Club, send: Send, body: str) -> None:
    before = played.server.records()
    (letter,) = send("alice", "chat 1 alice PASSWORD", body).values()
    assert (letter.to, letter.subject) == (("alice@example.org",), "holo 1: chat")
    assert letter.text.startswith("There is no text to pass on")
    assert played.server.records() == before


# As oneself before moving


def test_a_preview_with_a_password_shows_what_its_player_may_see(club: Club) -> None:
    club.open("walomino")
    shown = plain(club.say("walomino previewas 1 alice xanadu take:RRGG"))
    assert shown.startswith("This is a preview: nothing has been played.")
    assert "RGG" in shown or "R G G" in shown  # the wishes that are left
    assert club.json()["ply"] == 0
    assert "RGG" not in club.say("walomino preview 1 take:RRGG")


def test_a_preview_as_oneself_while_pairing_is_of_ones_own_pairs(club: Club) -> None:
    to_the_pairs(club, 2)
    held = club.json()["pools"]["bob"]
    pairs = "pairs:" + ",".join(map("".join, zip(held[::2], held[1::2], strict=True)))
    for move in ("pairs:any", pairs):
        text = club.say(f"walomino previewas 1 bob better4 {move} -format=json")
        assert json.loads(text)["paired"] == ["bob"]
    assert club.json()["ply"] == 0
