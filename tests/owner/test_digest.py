"""The list of the boards that wait, mailed once a day to those who asked for it."""

import re
from typing import Any

import pytest

from pbm_holomino import owner
from pbm_holomino.letters import reminders
from pbm_holomino.letters.content import Content
from pbm_holomino.match import account
from tests.club import Club, day
from tests.house import PASSWORDS
from tests.letters.pages import Page, page_of
from tests.prose import plain


def test_a_digest_once_a_day_if_boards_wait(club: Club) -> None:
    said = club.say("change digest bob better4 on")
    assert "Once a day, bob, you will get a list" in said
    club.game = "walomino"
    for number, names in enumerate(("bob alice -nag=0 -forfeit=0", "alice bob"), 1):
        club.say(f"walomino challenge {names}")
        club.accept(number)
    club.open("holo").accept()
    club.move("alice", "142:4")
    assert club.tick(day(1)) == ["bob gets a digest."]
    (letter,) = club.server.sent
    assert letter.to == ("bob@example.org",)
    assert not letter.replied
    said = plain(letter.text)
    assert said.startswith("It is your turn on these boards: ")
    until = "until 2026-12-11, 08:00 UTC"
    assert f"- Holomino 1 against alice: your turn, {until}" in said
    assert "- Walomino 1 against alice: your turn" in said
    assert "Walomino 2" not in said
    assert "all show bob next" in said
    assert "send unsubscribe bob ~" in said
    for time in (day(1), day(1, "23:59:59"), day(0)):
        assert club.tick(time) == []
    assert club.tick(day(2, "00:00:00")) == ["bob gets a digest."]
    club.say("change digest bob better4 off")
    assert club.tick(day(3)) == []


def test_a_board_of_a_digest_is_a_link_that_shows_it(club: Club) -> None:
    club.say("change digest bob better4 on")
    club.open("holo").accept()
    club.move("alice", "142:4")
    club.tick(day(1))
    (letter,) = club.server.sent
    links = Page(page_of(letter)).links
    (line,) = [link for link in links if "Holomino 1 against alice" in link.shown]
    assert re.fullmatch("holo showas bob ~[a-z2-7]{16} 1", line.subject)


def test_no_board_no_digest(club: Club) -> None:
    club.say("change digest bob better4 on")
    assert club.tick(day(1)) == []
    club.open("holo").accept()
    assert club.tick(day(2)) == []  # it is the turn of alice
    club.move("alice", "142:4")
    assert club.tick(day(2)) == ["bob gets a digest."]
    club.move("bob", "234:3")
    assert club.tick(day(3)) == []


def test_a_digest_does_not_mention_queues(club: Club) -> None:
    club.say("change digest alice xanadu on")
    club.open("holo")
    club.queue("bob", "234:3", "243:71")
    club.say("holo submit 1 alice xanadu 142:4")
    club.tick(day(1))
    (letter,) = club.server.sent
    assert not any(word in letter.text for word in ("queue", ":71", "142"))


def test_a_digest_that_could_not_leave(club: Club) -> None:
    """The next one is up to date, and takes its place."""
    club.say("change digest alice xanadu on")
    club.open("holo", 2, "-nag=0 -forfeit=0").accept()
    club.server.cannot_send()
    for number in (1, 2, 3):
        assert club.tick(day(number)) == ["alice gets a digest."]
    club.server.trouble = None
    owner.run(["flush"])
    (letter,) = club.server.sent
    assert letter.text.startswith("It is your turn on these boards:")
    assert owner.run(["flush"]).text == "No letters are waiting.\n"


def test_digests_push_nothing_out_of_the_log(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(account, "LOG_LENGTH", 20)
    club.open("holo", 2, "-nag=0 -forfeit=0").accept()
    club.game = ""
    first = club.send("alice", "change digest alice PASSWORD on")
    for number in range(1, 30):
        club.tick(f"2027-01-{number:02}T08:00:00Z")
        assert len(club.server.sent) == 1
    data = club.server.data("players", "alice")
    (line,) = (line for line in data["log"] if "!waiting" in line)
    assert line.endswith(" tick !waiting turn holo.1.1")
    assert len(data["notes"]) == 1
    club.server.sent.clear()
    before = club.server.records()
    again = club.send("alice", "change digest alice PASSWORD on")
    assert again == first
    assert club.server.records() == before


def test_whoever_switches_it_off_while_it_is_written_gets_none(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is due is worked out before the account is locked."""
    club.say("change digest alice xanadu on")
    club.open("holo").accept()

    listed = reminders.list_pending

    def meanwhile(*words: Any) -> Content:
        club.say("change digest alice xanadu off")
        return listed(*words)

    monkeypatch.setattr("pbm_holomino.owner.clocks.players.list_pending", meanwhile)
    assert club.tick(day(1)) == []
    player = club.server.library.player("alice")
    assert player is not None
    assert player.log[-1].action == account.Change(account.Kind.DIGEST, ("off",))


@pytest.mark.parametrize(
    ("word", "quoted"), [("maybe", "That"), ("0N", '"0N"'), ("1", '"1"')]
)
def test_a_digest_is_on_or_off(club: Club, word: str, quoted: str) -> None:
    """A word that may be a password is not quoted."""
    said, _ = club.refused_line(f"change digest alice xanadu {word}")
    assert said.startswith(f"{quoted} is not a setting: please write on or off.")
    for fits in ("on", "OFF", "On"):
        club.say(f"change digest alice {PASSWORDS['alice']} {fits}")


def test_the_words_of_the_digest_can_be_sent(club: Club) -> None:
    club.say("change digest alice xanadu on")
    club.open("holo")
    club.tick(day(1))
    (letter,) = club.server.sent
    lines = re.findall(r"^  (\S.*)$", letter.text, re.MULTILINE)
    assert len(lines) == 2
    for line in lines:
        club.say(line.replace("PASSWORD", PASSWORDS["alice"]))
    assert club.tick(day(2)) == []
