"""An account's file stays small, whatever is written, and no letter that was accepted
loses its text or its line before it has left."""

from pathlib import Path

import pytest

from pbm_holomino import owner
from pbm_holomino.letters import reminders
from pbm_holomino.match.account import (
    LOG_LENGTH,
    MOST_LOG,
    MOST_NOTES,
    MOST_READERS,
    AccountLine,
    parse_change,
)
from pbm_holomino.owner import tick
from pbm_holomino.store import yaml as strict
from tests.house import NOW, PASSWORDS, House, mail_of, own
from tests.sizes import sized

ALICE, BOB = "alice@example.org", "bob@example.org"
SAY = "message alice xanadu bob"
EVERYBODY = "Sent to all other players who are signed on."
WAITING = "Some of your letters could not be sent yet"
SMILES = "\U0001f600" * 10_000  # ten bytes each, as the file has them


class Correspondence(House):
    """A server where alice writes to bob, whom no letter reaches while he is shut."""

    mails = 0

    def say(self, subject: str, body: str = "Hello!") -> str:
        """What alice is answered to a mail."""
        self.mails += 1
        name = f"<{self.mails}@example.org>"
        letters = self.mail(mail_of(subject, body=body, Message_ID=name))
        (answer,) = [letter for letter in letters if ALICE in letter.to]
        return " ".join(answer.text.split())

    def open(self) -> list[str]:
        """The texts that reach bob once his mail is open again."""
        self.shut.clear()
        self.sent.clear()
        assert owner.run(["flush"]).status == 0
        return [letter.text for letter in self.sent if BOB in letter.to]

    def file(self, userid: str = "alice") -> bytes:
        return self.document("players", userid).read_bytes()


@pytest.fixture
def post(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Correspondence:
    post = Correspondence(tmp_path)
    post.sign_up()
    own(post, monkeypatch)
    return post


def sign_up_many(post: Correspondence, count: int) -> None:
    """So many more players, by their files alone: the hash is bob's."""
    data = strict.load(post.file("bob"))
    for number in range(count):
        userid = f"player_{number}"
        log = [data["log"][0].replace(" bob ", f" {userid} ")]
        mine = {"userid": userid, "addresses": [f"{userid}@example.org"], "log": log}
        post.put("players", userid, {**data, **mine})


# To everybody


def test_a_broadcast_to_many_players(post: Correspondence) -> None:
    many = sized(1_000, 10_000)
    sign_up_many(post, many)
    before = len(post.file())
    answer = post.say("broadcast alice xanadu")
    assert answer == EVERYBODY
    told = {letter.to for letter in post.sent if "Hello!" in letter.text}
    assert len(told) == len(post.sent) - 1 == many + 1
    assert (ALICE,) not in told
    assert len(post.file()) < before + 200
    assert b"player_7" not in post.file()
    assert post.store.marks.unsent("players") == {}


def test_a_broadcast_goes_to_players_signed_on_when_it_leaves(
    post: Correspondence,
) -> None:
    post.shut.add(BOB)
    assert post.say("broadcast alice xanadu") == EVERYBODY
    assert post.store.marks.unsent("players")
    post.type("signup carol third-5 carol@example.net")
    assert len(post.open()) == 1
    assert [x.to[0] for x in post.sent if BOB not in x.to] == ["carol@example.net"]


def test_a_broadcast_of_1_0_goes_to_the_players_it_names(post: Correspondence) -> None:
    post.shut.add(BOB)
    post.say("broadcast alice xanadu")
    post.type("signup carol third-5 carol@example.net")
    data = strict.load(post.file())
    data["log"][-1] += " bob"  # as 1.0 wrote it
    post.put("players", "alice", data)
    assert len(post.open()) == 1
    assert len(post.sent) == 1


def test_a_message_names_at_most_fifty_players(post: Correspondence) -> None:
    sign_up_many(post, MOST_READERS + 1)
    names = [f"player_{number}" for number in range(MOST_READERS + 1)]
    was = post.file()
    answer = post.say(f"message alice xanadu {' '.join(names)}")
    assert answer.startswith(
        "A message can go to at most 50 players, and you named 51."
    )
    assert post.file() == was
    fifty = " ".join(names[:-1] * 2)  # who is named twice counts once
    assert post.say(f"message alice xanadu {fifty}").endswith("player_49.")
    assert len(post.sent) == 51


# The file


def test_the_lines_of_an_account_of_1_0_go_when_they_are_too_long(
    post: Correspondence,
) -> None:
    data = strict.load(post.file())
    names = " ".join(f"player_{number:05}" for number in range(10_000))
    for no in range(2, 29):
        data["log"].append(f"{no} {NOW} alice - !broadcast {names}")
    post.put("players", "alice", data)
    assert len(post.file()) > 3_500_000
    assert "Sent to bob" in post.say(SAY)
    assert len(post.file()) < MOST_LOG + MOST_NOTES
    numbers = [line.split()[0] for line in strict.load(post.file())["log"]]
    assert numbers == ["28", "29"]  # each takes 130,000 bytes


def test_no_account_is_ever_too_large(post: Correspondence) -> None:
    """With the longest of everything that an account can hold."""
    bob = post.library.player("bob")
    assert bob
    addresses = [f"{'x' * 63}{number}@{'y' * 185}.org" for number in range(5)]
    longest = [f"player_{number:013}" for number in range(MOST_READERS)]
    for number in range(2 * LOG_LENGTH):
        words = ["!addresses", *addresses] if number % 2 else ["!message", *longest]
        line = AccountLine(
            None, NOW, "bob", f"{number:016}/50", parse_change(" ".join(words))
        )
        bob = bob.after(line, SMILES if words[0] == "!message" else "")
    assert len(bob.log) == LOG_LENGTH  # none had to make room for its length
    post.library.save(bob._replace(addresses=tuple(addresses)), bob.log[-1].no)
    assert len(post.file("bob")) < MOST_LOG + MOST_NOTES + 10_000
    assert post.library.player("bob")


# What has not left


def test_no_message_is_lost_while_letters_cannot_leave(post: Correspondence) -> None:
    post.shut.add(BOB)
    said = 0
    while WAITING not in post.say(SAY, f"Word {said}."):
        said += 1
        assert said < 200
    # the first line is that of the signup, which makes room
    assert said == LOG_LENGTH
    was = post.file()
    for line in (SAY, "broadcast alice xanadu", "change password alice xanadu other-5"):
        assert WAITING in post.say(line)
    assert post.file() == was
    told = post.open()
    assert len(told) == said
    for number, text in enumerate(told):
        assert f"\n  Word {number}.\n" in text
    assert "Sent to bob" in post.say(SAY)


def test_no_text_makes_room_for_another_before_it_has_left(
    post: Correspondence,
) -> None:
    post.shut.add(BOB)
    said = 0
    while WAITING not in post.say(SAY, SMILES):
        said += 1
        assert said < 20
    assert said == MOST_NOTES // 100_020 == 4
    assert [text.count("\U0001f600") for text in post.open()] == [10_000] * said
    assert "Sent to bob" in post.say(SAY, SMILES)


def test_a_message_that_was_accepted_is_refused_by_no_repetition(
    post: Correspondence,
) -> None:
    post.shut.add(BOB)
    while WAITING not in post.say(SAY, SMILES):
        last = post.mails
    name = f"<{last}@example.org>"
    letters = post.mail(mail_of(SAY, body=SMILES, Message_ID=name))
    assert [letter.text for letter in letters] == ["Sent to bob.\n"]


def test_a_digest_waits_too(post: Correspondence) -> None:
    post.challenge()
    post.type("change digest alice xanadu on")
    post.shut.add(BOB)
    while WAITING not in post.say(SAY, "Hello!"):
        pass
    was = post.file()
    assert WAITING in " ".join(tick.do_what_is_due(post.server))
    assert post.file() == was
    assert len(post.open()) == LOG_LENGTH
    assert "alice gets a digest." in list(tick.do_what_is_due(post.server))


def test_a_digest_has_a_bound(
    post: Correspondence, monkeypatch: pytest.MonkeyPatch
) -> None:
    # each takes at most 150 bytes of the account's texts
    assert reminders.MOST_LISTED == 2_000
    monkeypatch.setattr(reminders, "MOST_LISTED", 100)
    for _ in range(102):
        post.accept(post.challenge())
    post.type("change digest alice xanadu on")
    list(tick.do_what_is_due(post.server))
    text = post.sent[-1].text
    assert "holo 1 " in text
    assert "holo 102" not in text
    assert "\nAnd 2 more.\n" in text


def test_a_broadcast_that_comes_again_is_answered_alike_whoever_has_left_meanwhile(
    post: Correspondence,
) -> None:
    post.say("broadcast alice xanadu")
    post.type(f"signoff bob {PASSWORDS['bob']}")
    name = f"<{post.mails}@example.org>"
    letters = post.mail(mail_of("broadcast alice xanadu", Message_ID=name))
    assert [letter.text for letter in letters] == [f"{EVERYBODY}\n"]
