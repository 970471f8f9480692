"""Answers and verdicts in the language of their reader: for bob alone the
pseudo-language. What has no brackets there cannot be translated, and what has some
elsewhere was said to somebody else."""

from collections.abc import Iterator
from contextlib import suppress
from unittest.mock import patch

import pytest

from pbm_holomino.errors import CorruptFile, NotAllowed, NotYourTurn
from pbm_holomino.languages import ENGLISH, ENGLISH_CODE, known
from pbm_holomino.letters.letter import Letter
from pbm_holomino.match import replay
from pbm_holomino.match.account import Player
from pbm_holomino.match.board import Match, Result
from pbm_holomino.match.queue import how_ended
from pbm_holomino.match.record import Act, Line
from pbm_holomino.match.verdicts import ended, headline, verdict, verdict_of
from pbm_holomino.rules import load, names
from pbm_holomino.sentences import RULE
from pbm_holomino.store.columns import columns, entry_of
from pbm_holomino.store.damage import corrupt
from tests.boards import MAIL, TIME, Case, finished, opened, plain_cases
from tests.club import Club
from tests.house import FRIENDS, House, home, mail_of
from tests.languages import folder
from tests.languages.pseudo import PSEUDO, unbracketed
from tests.prose import plain

MARK = "mno"  # in each sentence of the pseudo-language, and nowhere else


@pytest.fixture(autouse=True)
def _bob_reads_it() -> Iterator[None]:
    def code(player: Player, time: str) -> str:
        return PSEUDO.code if player.userid == "bob" else ENGLISH_CODE

    with (
        patch.object(Player, "language_at", code),
        patch.object(known, "codes", lambda: (ENGLISH_CODE, PSEUDO.code)),
        patch.object(known, "language", {PSEUDO.code: PSEUDO, "en": ENGLISH}.get),
    ):
        yield
    folder.forget()  # pages in it


def said_to(house: House, who: str, subject: str, body: str = "") -> str:
    """The text of the only answer to a mail from a player's address."""
    (letter,) = house.mail(mail_of(subject, home(who), body))
    assert letter.to == (home(who),)
    return plain(letter.text)


# Who is answered in which language


@pytest.mark.parametrize(
    "subject",
    [
        "holo move 1 bob wrongword 123:17",  # the password is wrong
        "holo games bob",  # it needs none
        "holo challenge bob nobody5",
        "list",
        "help",
        "holo moove 1",  # it cannot be read
        "multiple",
    ],
)
def test_a_mail_from_an_address_of_theirs_is_answered_in_their_language(
    house: House, subject: str
) -> None:
    assert MARK in said_to(house, "bob", subject)
    assert MARK not in said_to(house, "alice", subject)


def test_a_name_alone_tells_nobody_which_language_it_is(house: House) -> None:
    for subject in ("holo games bob", "holo move 1 bob wrongword 123:17"):
        (letter,) = house.mail(mail_of(subject, "eve@example.net"))
        assert MARK not in letter.text
        assert MARK not in house.type(subject).text


def test_a_reply_that_asks_nothing_is_answered_in_its_readers_language(
    house: House,
) -> None:
    house.challenge(names="alice bob")
    letters = {letter.to[0]: letter for letter in house.taken()}
    for who, is_bob in (("alice", False), ("bob", True)):
        for words in ("What do you mean?", "help"):
            (answer,) = house.reply(letters[home(who)], words)
            assert (MARK in answer.text + answer.subject) == is_bob, words


def test_a_reply_to_an_earlier_letter_is_refused_in_their_language(club: Club) -> None:
    house = club.server
    club.open("holo").accept()
    first = club.send("alice", "move 1 alice PASSWORD 142:4")["bob"]
    club.send("alice", "propose 1 alice PASSWORD")
    (refused,) = house.reply(first, "accept")
    assert MARK in refused.text
    assert unbracketed(refused.text.split("\n\n")[0], "alice", "holo") == ""


def test_answers_to_several_commands_are_in_one_language(house: House) -> None:
    lines = "whatever\nholo queue 7 bob better4 123:4\nholo games bob\n"
    (answer,) = house.mail(mail_of("multiple", home("bob"), lines))
    assert all(MARK in each for each in answer.text.split(RULE))
    (strangers,) = house.mail(mail_of("multiple", "eve@example.net", "whatever\n"))
    assert MARK not in strangers.text


def test_why_a_queue_has_ended_is_found_again(club: Club) -> None:
    club.open("holo").accept()
    club.queue("bob", "234:4")
    letters = club.send("alice", "move 1 alice PASSWORD 142:4")
    (why,) = (part for part in parts(letters["bob"]) if "queue has ended" in part)
    assert unbracketed(why) == ""
    board = club.board()
    assert MARK not in "".join(board.record.notes.values())
    # what an earlier version has said otherwise stays as it was said
    notes = dict.fromkeys(board.record.notes, "It was refused.")
    earlier = board._replace(record=board.record._replace(notes=notes))
    end = how_ended(earlier, "bob")
    assert end is not None
    assert PSEUDO.say(end.why) == "It was refused."


def parts(letter: Letter) -> list[str]:
    return letter.text.split("\n\n")


def test_a_damaged_board_is_named_in_any_language_from_what_an_index_keeps() -> None:
    for noun in ("file", "document"):
        damage = corrupt("holo", "12", "it is a folder", noun)
        kept = columns(damage)
        found = entry_of(kept.told, kept.state)
        assert isinstance(found, CorruptFile)
        assert (str(found), found.reason) == (str(damage), damage.reason)
        assert unbracketed(PSEUDO.say(found.said)) == ""


# Who has won

WAYS = [  # to end a game, by the acts of its players in order
    [Act.VOID],
    [Act.DECLINE],
    [Act.LAPSE],
    [Act.FORFEIT],
    [Act.RESIGN],
    [Act.PROPOSE, Act.ACCEPT],
]


@pytest.mark.parametrize("ways", WAYS, ids=str)
@pytest.mark.parametrize("challenger", ["nobody", "the first", "the last"])
@pytest.mark.parametrize("case", plain_cases(), ids=str)
def test_every_end_is_said_in_whole_sentences(
    case: Case, challenger: str, ways: list[Act]
) -> None:
    record = opened(case).record
    first, *_, last = record.players
    who = {"nobody": "", "the first": first, "the last": last}[challenger]
    board = replay.replay(record._replace(challenger=who))
    assert left(board) == ""
    for way in ways:
        for player in board.record.players:
            if board.result is None:
                with suppress(NotAllowed, NotYourTurn):
                    board = replay.after(board, Line(None, TIME, player, MAIL, way))
    # version 1.0 knew no time for an answer
    assert board.result is not None or (not who and ways == [Act.LAPSE])
    assert left(board) == ""


@pytest.mark.parametrize("game", names())
def test_every_result_is_said_in_whole_sentences(game: str) -> None:
    assert left(finished(3, game)) == ""
    least, most = load(game).SEATS
    for players in (FRIENDS[:least], FRIENDS[:most]):
        one = players[:1]
        scores = dict(zip(players, (7, 5, 3, 1), strict=False))
        for winners, reason in (
            (one, "score"),
            (players, "score"),
            (players, "agreed"),
            (one, "resigned"),
            (one, "forfeit"),
            ((), "declined"),
            ((), "voided"),
        ):
            said = verdict_of(Result(winners, reason), scores, load(game).SCORING)
            assert unbracketed(PSEUDO.say(said), *players) == ""


def left(match: Match) -> str:
    """What is without brackets in what is said of the end of a game."""
    said = map(PSEUDO.say, (verdict(match), ended(match), headline(match)))
    return unbracketed("\n".join(said), *match.record.players)
