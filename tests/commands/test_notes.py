"""What players keep of a board and write about it: for their own eyes, in a tree, until
they publish it once the game is over."""

import json
import re
from pathlib import Path

import pytest

from pbm_holomino.match import notebook
from pbm_holomino.match.notebook import MOST_BYTES, MOST_NODES, Notebook, Place
from pbm_holomino.store import shelves
from tests.boards import WIDTH
from tests.club import Club, Fields, mailed, take_back
from tests.house import PASSWORDS, home
from tests.prose import plain

HOSTILE = "<script>alert(1)</script> {0} %s \x1b[2J \u202e &amp; 'quoted' \"too\" ]]>"


def note(club: Club, who: str, text: str, *words: str, board: str = "1") -> str:
    """A player's note on a position, typed."""
    line = f"{club.game} note {board} {who} {PASSWORDS[who]} {' '.join(words)}"
    answer = club.server.type(line, f"-m={text}")
    assert answer.status == 0, answer.text
    return plain(answer.text)


def refused(club: Club, line: str, *more: str) -> str:
    answer = club.server.type(line, *more)
    assert answer.status == 1, answer.text
    return plain(answer.text)


def notes(club: Club, who: str, form: str = "text") -> str:
    line = f"{club.game} notes 1 {who} {PASSWORDS[who]} -format={form}"
    return club.say(line)


def nodes(club: Club, who: str) -> list[Fields]:
    found: list[Fields] = json.loads(notes(club, who, "json"))["nodes"]
    return found


def keep(club: Club, who: str, *words: str, board: str = "1") -> str:
    line = f"{club.game} analyse {board} {who} {PASSWORDS[who]} {' '.join(words)} -keep"
    return plain(club.say(line))


def publish(club: Club, who: str) -> str:
    return plain(club.say(f"{club.game} publish 1 {who} {PASSWORDS[who]}"))


def history(club: Club, reader: str = "") -> str:
    proof = f" {reader} {PASSWORDS[reader]}" if reader else ""
    return club.say(f"{club.game} history 1{proof}")


# What is kept


def test_a_line_is_kept_and_shown(club: Club) -> None:
    club.open("holo")
    move = club.json()["legal"][0]
    shown = keep(club, "alice", move, "-sample")
    assert shown.startswith("Kept among your notes on holo 1, which only you can see.")
    assert f"1. alice: {move} (drawn: " in shown
    first, second, third = nodes(club, "alice")
    assert (first["since"], first["fits"]) == (0, True)
    assert (second["after"], second["word"]) == (first["node"], move)
    assert third["word"].startswith("draw:")
    keep(club, "alice", move, third["word"])
    assert len(nodes(club, "alice")) == 3


def test_lines_that_begin_alike_share_their_beginning(club: Club) -> None:
    club.open("holo")
    one, other = club.json()["legal"][:2]
    keep(club, "alice", one)
    note(club, "alice", "Better?", other)
    note(club, "alice", "Where it all begins.")
    shown = notes(club, "alice")
    assert shown == (
        "Your notes, which only you can see\n"
        "At the start:\n"
        "    Where it all begins.\n"
        f"  {one}\n"
        f"  {other}\n"
        "      Better?\n"
    )


def test_a_note_takes_the_place_of_another_and_goes_without_a_text(club: Club) -> None:
    club.open("holo")
    move = club.json()["legal"][0]
    note(club, "alice", "first", move)
    note(club, "alice", "second", move)
    assert "first" not in notes(club, "alice")
    assert note(club, "alice", "", move) == "Your note on holo 1 is taken out."
    said = refused(club, "holo notes 1 alice {alice}")
    assert said.startswith("You have no notes on holo 1.")
    gone = refused(club, f"holo note 1 alice {{alice}} {move}", "-m=")
    assert gone.startswith("You have no note there")
    stored = (club.server.folder / "notes" / "alice-holo-1.yaml").read_text()
    assert "first" not in stored
    assert "second" not in stored


def test_only_the_end_of_a_line_goes(club: Club) -> None:
    club.open("holo")
    one, other = club.json()["legal"][:2]
    note(club, "alice", "here", one)
    keep(club, "alice", one, "-sample")
    keep(club, "alice", other)
    *_, last = nodes(club, "alice")
    assert last["word"] == other
    note(club, "alice", "", other)
    assert [node.get("word") for node in nodes(club, "alice")][1] == one
    (drawn,) = [n["word"] for n in nodes(club, "alice") if "draw" in n.get("word", "")]
    note(club, "alice", "", one, drawn)
    assert [n.get("note") for n in nodes(club, "alice")] == [None, "here"]


def test_only_legal_lines_of_ones_own_boards(club: Club) -> None:
    club.open("holo")
    said = refused(club, "holo note 1 alice {alice} 999:3", "-m=Hm")
    assert said.startswith("Move 1 of the line: ")
    said = refused(club, "holo note 1 carol {carol}", "-m=Hm")
    assert said == "You do not play on holo 1: alice and bob do."
    assert "no move 7 yet" in refused(club, "holo note 1#7 alice {alice}", "-m=Hm")
    assert not (club.server.folder / "notes").exists()


def test_the_tree_stays_when_the_game_goes_another_way(club: Club) -> None:
    club.open("holo").accept()
    one, other = club.json()["legal"][:2]
    club.move("alice", one)
    note(club, "alice", "Well played.", board="1#1")
    note(club, "alice", "It began.", board="1#0")
    assert f"After move 1, alice {one}:" in notes(club, "alice")
    take_back(club, "alice", "bob")
    assert "(The game has gone another way since then.)" in notes(club, "alice")
    assert [n["fits"] for n in nodes(club, "alice")] == [False, True]
    club.move("alice", other)
    assert [n["fits"] for n in nodes(club, "alice")] == [False, True]
    take_back(club, "alice", "bob")
    club.move("alice", one)
    assert [n["fits"] for n in nodes(club, "alice")] == [True, True]


def test_the_same_mail_counts_once(club: Club) -> None:
    club.open("holo")
    move = club.json()["legal"][0]
    words = f"analyse 1 alice PASSWORD {move} -keep -sample"
    (one,) = club.server.mail(mailed(club, "alice", words))
    (again,) = club.server.mail(mailed(club, "alice", words))
    assert one.to == again.to == (home("alice"),)
    assert plain(one.text) == plain(again.text)
    assert len(nodes(club, "alice")) == 3


def test_a_note_comes_by_mail_and_nobody_else_hears_of_it(club: Club) -> None:
    club.open("holo")
    (answer,) = club.server.mail(
        mailed(club, "alice", "note 1 alice PASSWORD", "It looks good.\n\nVery good.\n")
    )
    assert answer.to == (home("alice"),)
    assert nodes(club, "alice")[0]["note"] == "It looks good.\n\nVery good."
    (wrong,) = club.server.mail(mailed(club, "bob", "notes 1 alice PASSWORD", no="2"))
    assert "not the password" in plain(wrong.text)
    assert "looks good" not in wrong.text


# Where they are shown


def test_they_are_beside_the_history_for_their_owner_alone(club: Club) -> None:
    club.open("holo")
    note(club, "alice", "A secret thought.")
    assert "A secret thought." in history(club, "alice")
    for shown in (history(club), history(club, "bob"), history(club, "carol")):
        assert "thought" not in shown
        assert "notes" not in shown.lower()
    fields = json.loads(club.say("holo history 1 alice {alice} -format=json"))
    assert fields["notes"][0]["nodes"][0]["note"] == "A secret thought."
    assert "notes" not in club.json("history 1")


def test_a_name_alone_proves_nothing(club: Club) -> None:
    club.open("holo")
    note(club, "alice", "A secret thought.")
    answer = club.server.type("holo history 1 alice")
    assert answer.status == 2
    assert "A word is missing: password." in plain(answer.text)
    assert "not the password" in refused(club, "holo history 1 alice {bob}")


def test_they_are_published_once_the_game_is_over(club: Club) -> None:
    club.open("holo").accept()
    note(club, "alice", "I was lucky.")
    said = refused(club, "holo publish 1 alice {alice}")
    assert said.startswith("holo 1 is not over yet: you can publish your notes when")
    club.resign("bob")
    assert "lucky" not in history(club)
    said = publish(club, "alice")
    assert "That cannot be undone" in said
    shown = history(club)
    assert shown.endswith("Notes by alice\nAt the start:\n    I was lucky.\n")
    (found,) = club.json("history 1")["notes"]
    assert (found["player"], found["public"]) == ("alice", True)
    assert (
        club.server.type("holo publish 1 alice {alice}").text == "It was so before.\n"
    )
    assert "no notes" in refused(club, "holo publish 1 bob {bob}")


def test_the_heading_says_who_can_see_them(club: Club) -> None:
    club.open("holo").accept()
    note(club, "alice", "first")
    club.resign("bob")
    for text in ("second", "third"):
        private = "Your notes, which only you can see\n"
        assert notes(club, "alice").startswith(private)
        assert not json.loads(notes(club, "alice", "json"))["public"]
        publish(club, "alice")
        for shown in (notes(club, "alice"), history(club, "alice")):
            assert "Your notes, as you have published them\n" in shown
            assert "only you can see" not in shown
        assert json.loads(notes(club, "alice", "json"))["public"]
        note(club, "alice", text)


def test_what_comes_later_is_not_public_until_it_is_published_again(
    club: Club,
) -> None:
    club.open("holo").accept()
    note(club, "alice", "first")
    club.resign("bob")
    publish(club, "alice")
    note(club, "alice", "second")
    assert "first" in history(club)
    assert "second" not in history(club, "bob")
    assert "second" in history(club, "alice")
    publish(club, "alice")
    assert "second" in history(club)
    assert "first" not in history(club)


def test_hostile_words_are_words(club: Club) -> None:
    club.open("holo").accept()
    note(club, "alice", HOSTILE)
    club.resign("bob")
    publish(club, "alice")
    shown = history(club)
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    html = club.say("holo history 1 -format=html")
    assert "<script>" not in html
    assert "&lt;script&gt;" in html
    for form in ("bbcode", "markdown", "json", "words"):
        club.say(f"holo history 1 -format={form}")
    assert all(len(line) <= WIDTH for line in shown.splitlines()[-6:])


# How much


def test_a_note_has_a_size(club: Club, tmp_path: Path) -> None:
    club.open("holo")
    text = "x" * (MOST_BYTES - 3) + "\u20ac"  # which has three bytes
    note(club, "alice", text)
    assert json.loads(notes(club, "alice", "json"))["bytes"] == MOST_BYTES
    said = refused(club, "holo note 1 alice {alice}", f"-m={text}y")
    assert "can have 100000 bytes in all, and with this one they would have" in said
    move = club.json()["legal"][0]
    assert "bytes in all" in refused(
        club, f"holo note 1 alice {{alice}} {move}", "-m=y"
    )
    keep(club, "alice", move)  # a line has no text


def test_a_tree_has_so_many_positions() -> None:
    found, place = Notebook("alice", "holo", 1), Place(0, "0" * 16)
    for number in range(MOST_NODES - 1):
        words = (f"123:{number // 7}", f"draw:{number}")[: 1 + (number % 7 > 0)]
        found, _ = notebook.kept(found, place._replace(words=words))
        if len(found.nodes) >= MOST_NODES:
            break
    while len(found.nodes) < MOST_NODES:
        words = (f"456:{len(found.nodes)}",)
        found, _ = notebook.kept(found, place._replace(words=words))
    with pytest.raises(Exception, match="200 positions, of which you have kept 200"):
        notebook.kept(found, place._replace(words=("999:1",)))
    assert notebook.from_data(notebook.to_data(found)) == found


def test_all_boards_together_have_a_size(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shelves, "MOST_BYTES", 10)
    club.open("holo").open("holo")
    note(club, "alice", "12345")
    note(club, "alice", "12345", board="2")
    said = refused(club, "holo note 2 alice {alice}", "-m=123456")
    assert "can have 10 bytes together, and with this they would have 11" in said
    note(club, "alice", "", board="1")
    note(club, "alice", "1234567890", board="2")
    note(club, "bob", "1234567890")


def test_no_command_reads_all_notebooks(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even to know how much there is."""
    club.open("holo").open("holo")
    note(club, "alice", "12345", board="2")
    found, store = list[tuple[str, str]](), club.server.store
    find = store.find

    def finding(folder: str, name: str, *known: object) -> object:
        found.append((folder, name))
        return find(folder, name)

    monkeypatch.setattr(store, "find", finding)
    note(club, "alice", "abc")
    assert {name for folder, name in found if folder == "notes"} == {"alice-holo-1"}


# Nobody else's command knows of them


def test_no_command_of_others_opens_them(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    club.open("holo").accept()
    note(club, "alice", "A secret thought.")
    store = club.server.store
    find, exists = store.find, store.exists

    def finding(folder: str, name: str, *known: object) -> object:
        assert folder not in ("notes", "shelves")
        return find(folder, name, *known)

    def existing(folder: str, name: str) -> bool:
        assert folder not in ("notes", "shelves")
        return exists(folder, name)

    monkeypatch.setattr(store, "find", finding)
    monkeypatch.setattr(store, "exists", existing)
    club.move("alice", club.json()["legal"][0])
    club.move("bob", club.json()["legal"][0])
    for line in (
        *("holo show 1", "holo showas alice {alice} 1", "holo games", "list"),
        *("holo history 1", "holo verify 1", "all show alice", "holo standings"),
        *("holo chat 1 bob {bob} -m=Hi", "holo show alice", "holo preview 1 pass"),
    ):
        club.server.type(line)
    club.server.mail(mailed(club, "bob", "show 1"))


def asked(club: Club, *questions: str) -> dict[str, str]:
    """What anybody may ask about board 1, and these questions."""
    lines = [f"holo {line}" for line in ("show 1", "games", "verify 1", "standings")]
    lines += ["holo showas bob {bob} 1", "holo show 1 -format=json", "list"]
    lines += ["all show alice", "holo history 1 -format=yaml", *questions]
    return {line: club.server.type(line).text for line in lines}


HISTORIES = [f"holo history 1 -format={form}" for form in ("text", "json", "html")]
HISTORIES.append("holo history 1 carol {carol}")


def files(club: Club) -> dict[str, str]:
    """The files of boards and of accounts, without the passwords, whose salt is
    chance."""
    return {
        f"{folder}/{path.name}": re.sub("password: .*", "", path.read_text())
        for folder in ("holo", "players")
        for path in (club.server.folder / folder).iterdir()
    }


def test_twins_look_the_same_to_everybody_else(tmp_path: Path) -> None:
    """Two servers of which one has notes and analyses: their letters, lists, pages'
    JSON, and the files of the board and of the accounts."""
    seen = []
    for name in ("bare", "noted"):
        club = Club(tmp_path / name)
        club.open("holo").accept()
        if name == "noted":
            note(club, "alice", "A secret thought.")
            keep(club, "bob", club.json()["legal"][0], "-sample")
            club.say("holo analyse 1 alice {alice}")
        club.move("alice", club.json()["legal"][0])
        letters = club.letters()
        if name == "noted":
            note(club, "alice", "Another.", board="1#1")
        told = [asked(club, *HISTORIES)]
        club.resign("bob")
        told.append(asked(club, *HISTORIES))
        sent = {reader: (one.id, one.text) for reader, one in letters.items()}
        seen.append((sent, told, files(club)))
    assert seen[0] == seen[1]


def test_of_what_is_published_only_the_history_tells(tmp_path: Path) -> None:
    """Three servers: on one alice has published nothing, on one her notes, and on the
    last she has also thought on since."""
    seen = {}
    for name in ("kept", "published", "thought on"):
        club = Club(tmp_path / name)
        club.open("holo").accept()
        move = club.json()["legal"][0]
        note(club, "alice", "It looked good.", move)
        club.move("alice", move)
        club.resign("bob")
        club.letters()
        if name != "kept":
            publish(club, "alice")
        if name == "thought on":
            note(club, "alice", "I know better now.", move, board="1#0")
            keep(club, "alice", move, "-sample", board="1#0")
            note(club, "bob", "So do I.", board="1#0")
        assert club.letters() == {}
        seen[name] = asked(club), asked(club, *HISTORIES), files(club)
    kept, published, thought_on = seen.values()
    assert published == thought_on
    assert (kept[0], kept[2]) == (published[0], published[2])
    for line in HISTORIES:
        assert "looked good" in published[1][line]
        assert "looked good" not in kept[1][line]


# With an account


def test_they_go_with_the_account(club: Club) -> None:
    club.open("holo").accept()
    note(club, "alice", "A secret thought.")
    note(club, "bob", "Mine.")
    club.resign("bob")
    note(club, "alice", "For all.", board="1#0")
    publish(club, "alice")
    note(club, "alice", "A later thought.")
    club.say("delete alice {alice}")
    stored = (club.server.folder / "notes" / "alice-holo-1.yaml").read_text()
    assert "thought" not in stored
    assert "For all." in history(club)
    assert "Mine." in notes(club, "bob")
