"""Words of other languages for commands: what they mean, and where they do not
count."""

import re

import pytest

from pbm_holomino import rules
from pbm_holomino.commands import table
from pbm_holomino.commands.parse import parse
from pbm_holomino.commands.reading.aliases import in_english
from pbm_holomino.commands.request import Request
from pbm_holomino.commands.texts import LEFT_OUT, without_commands
from pbm_holomino.errors import NoCommand, NotAllowed, PbmError
from pbm_holomino.languages import CODE, ENGLISH_CODE, aliases, known
from pbm_holomino.match.account import is_userid
from tests.commands.acquaintance import known as known_players
from tests.house import House, mail_of
from tests.paths import ROOT

FOLDER = ROOT / "pbm_holomino" / "languages"
TABLES = sorted(FOLDER.glob("*/aliases.txt"))

# What is typed, and the command that it means
MEANT = {
    "Hilfe": "help",
    "hulp!": "help",
    "Hilfe Zug": "help move",
    "holo Hilfe": "holo help",
    "Regels": "help rules",
    "lost my password alice": "forgot alice",
    "Einführung": "help tutorial",
    "holo Zug 12 alice secret 123:17": "holo move 12 alice secret 123:17",
    "holo zet 12 alice secret 123 17": "holo move 12 alice secret 123:17",
    "hextol remis 7 bob secret": "hextol move 7 bob secret propose",
    "holo move 12 alice secret remise": "holo move 12 alice secret propose",
    "holo annehmen 12 alice secret": "holo accept 12 alice secret",
    "holo laat zien 12": "holo show 12",
    "nächste alice": "all show alice next",
    "Passwort vergessen alice": "forgot alice",
    "wachtwoord wijzigen alice old4 new4": "change password alice old4 new4",
}


# Where two players have such words for names
PLAYERS_PLACES = {
    "holo zet next": "holo show zet next",
    "holo next zet": "holo show zet next",
    "holo show zeige": "holo show zeige",
}


def read(line: str) -> Request:
    return parse(line.split(), known=known_players())


@pytest.mark.parametrize("typed", MEANT)
def test_a_command_in_german_or_dutch_is_understood(typed: str) -> None:
    meant = read(typed)
    assert meant.read_as
    assert "secret" not in meant.read_as
    assert meant._replace(read_as="") == read(MEANT[typed])


def test_nobody_resigns_by_another_word() -> None:
    for line in ("holo aufgeben 12 alice secret", "holo move 12 alice secret opgeven"):
        with pytest.raises(NotAllowed) as caught:
            read(line)
        assert caught.value.example == "holo resign 12 alice PASSWORD"
    assert read("holo resign 12 alice opgeven").password == "opgeven"


@pytest.mark.parametrize("line", ["Zug nach Bern", "Liste meiner Freunde", "zet"])
def test_what_is_no_command_after_all_is_told_as_it_was_typed(line: str) -> None:
    with pytest.raises(NoCommand) as caught:
        read(line)
    assert "move" not in str(caught.value)


def test_a_lacking_password_is_named() -> None:
    with pytest.raises(PbmError, match="A word is missing: password"):
        read("holo aufgeben 12 alice")


def test_a_player_with_such_a_name_keeps_it(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as before:
        before.setattr(aliases, "meanings", dict)
        house.sign_up("zet", "zeige")
    assert house.type("holo challenge zet zeige").status == 0
    for line, meant in PLAYERS_PLACES.items():
        (answer,) = house.mail(mail_of(line, Message_ID=f"<{line.split()[1]}@x>"))
        assert house.type(meant).text in answer.text, line
    # and it is nobody else's
    refused = house.type("signup hilfe secret")
    assert refused.text.startswith('"hilfe" is a word of the commands')


def test_a_line_with_a_password_is_not_passed_on() -> None:
    for line in ("holo zug 12 alice secret 123:17", "zet 12 alice secret 123:17"):
        text = f"Hoi!\n{line}\nTot ziens"
        cut = without_commands(text, table.in_texts(), ("alice",))
        assert cut == f"Hoi!\n{LEFT_OUT}\nTot ziens"


# The tables


def test_each_word_means_one_command() -> None:
    found: dict[str, str] = {}
    for path in TABLES:
        for line in path.read_text(encoding="utf-8").splitlines():
            meant, colon, words = line.partition(":")
            if colon and not line.startswith("#"):
                for word in map(str.strip, words.split(",")):
                    assert re.fullmatch(r"\w+( \w+){0,3}", word), word
                    assert found.setdefault(word, meant) == meant, word
    assert found == aliases.meanings()


def test_each_means_what_can_be_typed_and_is_no_word_of_ours() -> None:
    ours = {*table.command_words(), *rules.names()}
    commands = {*table.at_top(), *table.in_game(), *ours, "help tutorial", "list open"}
    # nobody deletes an account, or makes one, by a word that may mean something else
    commands -= {"delete", "signoff", "signup", "newcomer", "never"}
    assert {*aliases.meanings().values()} <= commands
    assert ours.isdisjoint(aliases.meanings())
    names = " ".join(aliases.meanings()).split()
    assert {*filter(is_userid, names)} <= table.reserved_words()
    assert all(in_english(alias.split()) for alias in aliases.meanings())


def test_a_table_alone_makes_no_language() -> None:
    codes = {path.parent.name for path in TABLES} - {ENGLISH_CODE}
    assert codes >= {"de", "nl"}
    for code in codes:
        assert re.fullmatch(CODE, code)
        if not (FOLDER / code / "catalogue.po").exists():
            assert code not in known.codes()
            assert not known.meant(code)
