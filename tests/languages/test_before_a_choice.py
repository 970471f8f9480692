"""What is read by somebody who has chosen no language: what their programs say they
read, or what they write in."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbm_holomino.languages import guessed, known
from pbm_holomino.letters.letter import Letter
from tests.house import House, home, mail_of
from tests.languages.folder import Texts, in_place_of, made

ANNA = "anna@example.com"
TABLES = Path(known.HOME)
GERMAN: Texts = {
    "English": "Deutsch",
    "Welcome, {userid}!": "Willkommen, {userid}!",
    "Welcome to a game by mail": "Willkommen zu einem Spiel per Mail",
    "For all letters in English, send": "Für alle Briefe auf Deutsch sende",
    "To play a first game in English, send": "Für ein Spiel auf Deutsch sende",
    "There is no board {board}.": "Es gibt kein Brett {board}.",
}
DUTCH: Texts = {"English": "Nederlands", "Welcome, {userid}!": "Welkom, {userid}!"}
ENGLISH_TEXT = "Hello, I have read about your games and would like to play with you."
GERMAN_TEXT = "Hallo, ich habe von euren Spielen gelesen und würde gern mitspielen."
DUTCH_TEXT = "Hoi, ik heb over jullie spellen gelezen en wil graag een keer meedoen."


@pytest.fixture(autouse=True)
def languages(tmp_path: Path) -> Iterator[None]:
    """German and Dutch, with their frequent words."""
    here = tmp_path / "languages"
    for code, texts in (("de", GERMAN), ("nl", DUTCH)):
        made(here, code, texts)
    (here / "en").mkdir()
    for code in ("en", "de", "nl"):
        table = (TABLES / code / "words.txt").read_text(encoding="utf-8")
        (here / code / "words.txt").write_text(table, encoding="utf-8")
    with in_place_of(here):
        yield


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path / "games").sign_up()


# What programs say


@pytest.mark.parametrize(
    ("tags", "code"),
    [
        ("", ""),
        ("nl", "nl"),
        ("nl-BE", "nl"),
        ("DE-at", "de"),
        ("fr, nl;q=0.8, en;q=0.5", "nl"),
        ("en;q=0.5, de; q=0.9", "de"),
        ("fr", ""),
        ("*", ""),
        ("nl;q=0, en", "en"),
        ("nl;q=1.1.1", ""),
        ("../de, \x00, ;;q=, de\u00e9", ""),
        ("," * 100_000 + "nl", ""),
    ],
)
def test_the_most_wanted_language_that_is_here(tags: str, code: str) -> None:
    assert guessed.asked_for(tags) == code


# Words


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (ENGLISH_TEXT, "en"),
        (GERMAN_TEXT, "de"),
        (DUTCH_TEXT, "nl"),
        (DUTCH_TEXT.upper(), "nl"),
        ("Ik wil graag met jullie spelen", ""),  # seven words or fewer tell nothing
        ("holo challenge alice bob robot pool size seven random nag", ""),
        ("J'ai lu un article sur vos jeux et je voudrais jouer avec vous.", ""),
        ("Jeg har læst om jeres spil og vil gerne være med en dag.", ""),
        ("Jag har läst om era spel och vill gärna vara med någon gång.", ""),
        ("Ho letto dei vostri giochi e mi piacerebbe giocare con voi.", ""),
        ("", ""),
    ],
)
def test_words_tell_a_language(text: str, code: str) -> None:
    assert guessed.written_in(text) == code


@pytest.mark.parametrize("code", ["en", "de", "nl"])
def test_no_frequent_word_is_there_twice(code: str) -> None:
    words = (TABLES / code / "words.txt").read_text(encoding="utf-8").split()
    assert sorted({*words}) == sorted(words)
    assert all(word == word.lower() and word.isalpha() for word in words)


# Signing up by mail


def read_by(house: House, who: str) -> str:
    player = house.library.player(who)
    assert player is not None
    return player.language_at(house.time)


@pytest.mark.parametrize(
    ("header", "body", "code"),
    [
        ("", "", "en"),
        ("de-DE", "", "de"),
        ("nl", GERMAN_TEXT, "nl"),
        ("fr", GERMAN_TEXT, "de"),
        ("", DUTCH_TEXT, "nl"),
        ("", ENGLISH_TEXT, "en"),
        ("", f"{ENGLISH_TEXT}\n\n> {GERMAN_TEXT}\n> {GERMAN_TEXT}\n", "en"),
        ("", f"> {GERMAN_TEXT}\n", "en"),
        ("", f"{GERMAN_TEXT}\n-- \n{3 * ENGLISH_TEXT}", "de"),
    ],
)
def test_the_mail_that_signs_up_tells(
    house: House, header: str, body: str, code: str
) -> None:
    headers = {"Content_Language": header} if header else {}
    (letter,) = house.mail(mail_of("signup anna better4", ANNA, body, **headers))
    assert read_by(house, "anna") == letter.language == code
    greeting = {"en": "Welcome", "de": "Willkommen", "nl": "Welkom"}[code]
    assert letter.text.startswith(f"{greeting}, anna!")


def test_nobody_who_is_here_reads_another_language_by_writing_it(house: House) -> None:
    for body in (GERMAN_TEXT, DUTCH_TEXT):
        house.mail(mail_of("list", home("alice"), body, Content_Language="de"))
    assert read_by(house, "alice") == "en"


# The switch


def lines(letter: Letter, word: str) -> list[str]:
    """The lines of a letter that begin with this word of a command, to be copied."""
    return re.findall(rf"(?m)^  ({word} .*)$", letter.text)


def test_the_welcome_has_a_line_for_each_other_language(house: House) -> None:
    (letter,) = house.mail(mail_of("signup anna better4", ANNA, DUTCH_TEXT))
    german, english = lines(letter, "change language")[::-1]
    assert "Für alle Briefe auf Deutsch sende\n" in letter.text
    house.time = "2026-11-21T08:00:00Z"
    (told,) = house.mail(mail_of(german, ANNA))
    assert (told.to, read_by(house, "anna")) == ((ANNA,), "de")
    house.time = "2026-11-22T08:00:00Z"
    house.mail(mail_of(english, ANNA, Message_ID="<2@x>"))
    assert read_by(house, "anna") == "en"


def test_the_line_changes_nothing_else_and_serves_nobody_else(house: House) -> None:
    (letter,) = house.mail(mail_of("signup anna better4", ANNA))
    line = lines(letter, "change language")[0]
    house.mail(mail_of(line, "eve@example.com"))
    assert house.type(line).status == 1
    house.mail(mail_of(line.replace("anna", "alice"), home("alice")))
    assert read_by(house, "anna") == read_by(house, "alice") == "en"
    word = line.split()[3]
    before = house.records()
    for stolen in (f"change format anna {word} text", f"signoff anna {word}"):
        house.mail(
            mail_of(stolen, ANNA, Message_ID=f"<{stolen[:9]}@x>".replace(" ", ""))
        )
        assert house.records() == before


# Strangers


def test_a_stranger_is_welcomed_in_the_language_of_their_mail(house: House) -> None:
    (letter,) = house.mail(mail_of("Hallo", ANNA, GERMAN_TEXT))
    assert letter.subject == "Willkommen zu einem Spiel per Mail"
    own, dutch, english = lines(letter, "newcomer")
    house.mail(mail_of(own, ANNA))
    assert read_by(house, "anna") == "de"


@pytest.mark.parametrize(("index", "code"), [(0, "de"), (1, "en"), (2, "nl")])
def test_the_line_that_a_stranger_sends_chooses(
    house: House, index: int, code: str
) -> None:
    (letter,) = house.mail(mail_of("Hallo", ANNA, GERMAN_TEXT))
    line = lines(letter, "newcomer")[index]
    house.mail(mail_of(line, ANNA, Content_Language="de"))
    assert read_by(house, "anna") == code


def test_whoever_is_not_known_is_answered_in_the_language_of_their_mail(
    house: House,
) -> None:
    (answer,) = house.mail(mail_of("holo show 99", ANNA, Content_Language="de"))
    assert (answer.language, answer.text) == ("de", "Es gibt kein Brett holo 99.\n")


def test_an_invitation_is_in_the_language_of_the_player(house: House) -> None:
    house.type("change language alice {alice} nl")
    house.time = "2026-11-21T08:00:00Z"
    house.type(f"invite alice {{alice}} {ANNA}")
    letter = house.sent[-1]
    assert (letter.to, letter.language) == ((ANNA,), "nl")
    (line,) = lines(letter, "newcomer")
    house.mail(mail_of(line, ANNA))
    assert read_by(house, "anna") == "nl"
