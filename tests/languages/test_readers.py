"""Who reads which language: two players of one board, and one player at two times."""

from collections.abc import Iterator
from email import message_from_bytes
from email.policy import default
from pathlib import Path

import pytest

from pbm_holomino.commands.queries import help_page
from pbm_holomino.commands.request import Request
from pbm_holomino.commands.subjects import is_our_subject
from pbm_holomino.languages import Language, known
from pbm_holomino.languages.pages import wanted
from pbm_holomino.letters import help as pages
from pbm_holomino.letters.screen import sentences
from pbm_holomino.letters.writing import Sources, Writer
from pbm_holomino.mail.message import message
from pbm_holomino.store.people import People
from tests.boards import Case, opened, plain_cases, played
from tests.club import Club
from tests.house import home, mail_of
from tests.languages.folder import Texts, in_place_of, made
from tests.languages.pseudo import PSEUDO, unbracketed
from tests.prose import plain

GERMAN: Texts = {
    "You drew {tile}.": "Du hast {tile} gezogen \u2013 f\u00fcr dich.",
    "{player} drew {tile}.": "{player} hat {tile} gezogen.",
    "You played {move}.": "Du hast {move} gespielt.",
    "{player} played {move}.": "{player} hat {move} gespielt.",
    "{first} against {second}": "{first} gegen {second}",
}


@pytest.fixture
def club(club: Club, tmp_path: Path) -> Iterator[Club]:
    """Bob reads German."""
    made(tmp_path / "languages", "de", GERMAN)
    with in_place_of(tmp_path / "languages"):
        club.say("change language bob {bob} de")
        yield club.open("holo").accept()


def first_move(club: Club) -> str:
    move: str = club.json()["legal"][0]
    return move


def test_two_players_of_one_board_read_two_languages(club: Club) -> None:
    move = first_move(club)
    letters = club.send("alice", f"move 1 alice PASSWORD {move}")
    hers, his = (plain(letters[who].text) for who in ("alice", "bob"))
    drawn = club.board().view(None).drawn
    assert f"You played {move}. bob drew {drawn}." in hers
    assert (
        f"alice hat {move} gespielt. Du hast {drawn} gezogen \u2013 f\u00fcr dich."
        in his
    )
    assert letters["alice"].text.isascii()


def test_the_one_subject_of_a_board_is_in_its_readers_language(club: Club) -> None:
    for who in ("alice", "bob"):
        club.say(f"change threads {who} {{{who}}} on")
    letters = club.send("alice", f"move 1 alice PASSWORD {first_move(club)}")
    assert letters["alice"].subject == "holo 1: Holomino, alice against bob"
    assert letters["bob"].subject == "holo 1: Holomino, alice gegen bob"
    assert is_our_subject(f"Re: {letters['bob'].subject}")
    club.server.reply(letters["bob"], first_move(club))
    after = club.letters()["bob"]
    assert after.subject == letters["bob"].subject
    assert letters["bob"].id in after.references


def test_what_is_not_ascii_is_quoted_printable(club: Club) -> None:
    letters = club.send("alice", f"move 1 alice PASSWORD {first_move(club)}")
    mail = message(letters["bob"], club.server.config)
    assert mail.isascii()
    assert b"f=C3=BCr dich" in mail


def test_a_subject_that_is_not_ascii_can_be_read_by_every_program(
    club: Club, tmp_path: Path
) -> None:
    made(tmp_path / "more", "de", {"{userid}: new password": "{userid}: schönes Wort"})
    with in_place_of(tmp_path / "more"):
        club.server.mail(mail_of("change password bob better4 better5", home("bob")))
    his = club.letters()["bob"]
    mail = message(his, club.server.config)
    assert mail.isascii()
    assert message_from_bytes(mail, policy=default)["Subject"] == "bob: schönes Wort"


def test_the_terminal_answers_in_the_players_language(club: Club) -> None:
    move = first_move(club)
    assert f"You played {move}." in plain(club.move("alice", move))
    move = first_move(club)
    assert f"Du hast {move} gespielt." in plain(club.move("bob", move))


def test_what_was_written_before_is_written_again_as_it_was(club: Club) -> None:
    server = club.server
    club.send("alice", f"move 1 alice PASSWORD {first_move(club)}")
    server.time = "2026-11-21T08:00:00Z"
    last = len(club.board().log) - 1

    def written() -> dict[str, tuple[str, str]]:
        people = People(server.library)
        sources = Sources.of(server.library, people)
        letters = Writer(club.board(), sources).about(last)
        return {letter.to[0]: (letter.id, letter.text) for letter in letters}

    before = written()
    for line in (
        "change language bob {bob} en",
        "change language alice {alice} de",
        "change password bob {bob} better5",
    ):
        club.say(line)
    assert written() == before


def test_a_language_that_there_is_not_is_refused(club: Club) -> None:
    said, _ = club.refused_line("change language alice {alice} tlh")
    assert said.startswith(
        '"tlh" is not a language here: please write en (English) or de.'
    )


def test_records_and_json_stay_english(club: Club) -> None:
    club.send("alice", f"move 1 alice PASSWORD {first_move(club)}")
    assert "alice played" in club.say("holo history 1")


# The pseudo-language


BOARDS = plain_cases()


@pytest.mark.parametrize("case", BOARDS, ids=str)
def test_all_that_happens_in_a_game_is_said_in_whole_sentences(case: Case) -> None:
    board = played(opened(case), 1, 60)
    players = board.record.players
    for step in board.steps:
        for reader in (None, *players):
            for said in sentences(board, step.events, reader):
                assert unbracketed(PSEUDO.say(said), *players) == ""


@pytest.mark.parametrize("case", BOARDS, ids=str)
def test_a_player_and_others_are_told_the_same(case: Case) -> None:
    """English has one form for both, as all of this is past."""
    for step in played(opened(case), 1, 60).steps:
        for event in step.events:
            assert str(event.said.to_them) == str(event.said.about("You"))


def test_the_pseudo_language_finds_what_is_not_translated() -> None:
    language: Language = PSEUDO
    assert known.language("xx") is not language
    assert unbracketed("[bob [drew] 145. mno] More", "bob") == "More"


# Refusals


def test_a_refusal_is_in_the_language_of_whoever_proved_who_they_are(
    club: Club, tmp_path: Path
) -> None:
    refused: Texts = {"You cannot block yourself.": "Das geht nicht."}
    made(tmp_path / "more", "de", refused)
    with in_place_of(tmp_path / "more"):
        his, _ = club.refused_line("block bob {bob} bob")
        hers, _ = club.refused_line("block alice {alice} alice")
        nobodys, _ = club.refused_line("block bob wrong_one bob")
    assert his == "Das geht nicht."
    assert hers == "You cannot block yourself."
    assert nobodys.startswith("That is not the password of that player.")


# Help pages


def test_help_is_read_part_by_part_in_the_readers_language(tmp_path: Path) -> None:
    text = Path(pages.__file__).with_name("holo.txt").read_text()
    parts = {part.splitlines()[0]: mark for mark, part in wanted(text).items()}
    title, *_ = parts
    (of_verify,) = (parts[first] for first in parts if first.startswith("The set:"))
    said = f"@ {parts[title]}\nSpiel – groß\n\n@ {of_verify}\nDer Satz.\n"
    options: Texts = {"Default: {value}.": "Vorgabe: {value}."}  # as long
    made(tmp_path / "more", "de", options, {"holo": said})
    with in_place_of(tmp_path / "more"):
        holo, verify = (pages.page(name, "de") for name in ("holo", "verify"))
    english = pages.page("holo")
    german = english.replace(title, "Spiel – groß").replace("Default:", "Vorgabe:")
    assert holo == german
    assert holo != english
    assert "\n\nHolomino\n\nDer Satz.\n" in verify


def test_an_answer_with_help_can_be_said_in_any_language(tmp_path: Path) -> None:
    text = Path(pages.__file__).with_name("accept.txt").read_text()
    (mark, title), *_ = wanted(text).items()
    made(tmp_path / "more", "de", {}, {"accept": f"@ {mark}\nannehmen: ja\n"})
    answer = help_page(Request("help", words=("accept", "add")))
    assert answer.text == f"{pages.page('accept')}\n{pages.page('add')}"
    with in_place_of(tmp_path / "more"):
        german = answer.in_language("de")
        assert german.text == answer.text.replace(title, "annehmen: ja")
        assert german.text != answer.text


def test_pages_that_cannot_be_read_are_english(tmp_path: Path) -> None:
    folder = made(tmp_path / "more", "de", {}, {"accept": ""})
    (folder / "help" / "accept.txt").write_bytes(b"@ 12345678\n\xff\n")
    with in_place_of(tmp_path / "more"):
        for name in ("accept", "add"):
            assert pages.page(name, "de") == pages.page(name)
