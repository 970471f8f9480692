"""Pages in other languages than English: what templates and scripts say, and readers
who choose one."""

import json
import re
import sys
from collections.abc import Iterator
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from babel.messages.extract import extract_from_dir

from pbm_holomino.languages import (
    ENGLISH,
    InARow,
    Language,
    Moment,
    Sentence,
    of_number,
    sentence,
)
from pbm_holomino.web import scripts, site, speech
from tests.house import House, home
from tests.languages.folder import Texts, in_place_of, made
from tests.languages.pseudo import PSEUDO
from tests.web.browser import Browser, Page, signed_in

# Sentences of templates


class Wicked(Language):
    """A language whose texts would end attributes, and begin scripts."""

    def wording(self, said: Sentence) -> str:
        return f'"><script>{super().wording(said)}'


def test_a_translation_is_text_alone() -> None:
    said = sentence("{link}to &amp; by {player}{end}", player="<i>")
    text = said.of(link=speech.link('/"'))
    assert speech.written(ENGLISH, text) == '<a href="/&#34;">to &amp; by &lt;i&gt;</a>'
    assert "<script>" not in speech.written(Wicked(), text)
    assert '"' not in speech.written(Wicked(), sentence("on"))


def test_what_is_put_in_is_said_in_the_language() -> None:
    robots = InARow([sentence("{player} (robot)", player="r"), "<"])
    time = Moment("2026-11-20T08:00:00Z")
    said = speech.written(
        PSEUDO, sentence("{time}: {robots}", time=time, robots=robots)
    )
    assert said == "2026-11-20, 08:00 UTC: [r (robot) mno mno], &lt;"


# Scripts


def test_what_scripts_say_is_what_is_collected() -> None:
    files = site._files("static")
    texts = [text.decode() for name, text in files.items() if name.endswith(".js")]
    folder = str(Path(sys.modules[site.__name__].__file__ or "").parent / "static")
    where = [("**.js", "javascript")]
    words: Any = {"say": (1,), "sayNumber": (1, 2)}
    found = {
        said for _, _, said, _, _ in extract_from_dir(folder, where, keywords=words)
    }
    said = {said if len(said) > 1 else said[0] for said in scripts.sentences(texts)}
    assert said == found
    assert len(said) > 30


def test_a_script_knows_the_form_for_each_number() -> None:
    class Polish(Language):
        def wording(self, said: Sentence) -> str:
            n = dict(said.values)["n"]
            assert isinstance(n, int)
            few = n % 10 in (2, 3, 4) and n % 100 not in (12, 13, 14)
            return "one" if n == 1 else "few" if few else "many"

    form = scripts.form(Polish(), of_number("{n}", "{n}").forms)
    assert not isinstance(form, str)
    forms, which = form
    assert [forms[int(which[n])] for n in (0, 1, 2, 5, 12, 22, 100, 104, 112)] == (
        ["many", "one", "few", "many", "many", "few", "many", "few", "many"]
    )
    assert scripts.form(ENGLISH, ("Cancel",)) == "Cancel"
    assert scripts.form(ENGLISH, ("one", "{n}")) == (("{n}", "one"), "010")


# Readers who choose


GERMAN: Texts = {
    "English": "Deutsch",
    "Your boards": "Deine Spiele",
    "{player}'s boards": "Spiele von {player}",
    "It is your turn.": "Du bist am Zug.",
    "Cancel": "Zurück",
    "There is no such page here.": "Diese Seite gibt es nicht.",
}
BOARD = "/holo/1"
WEB = "https://games.example.org"


@pytest.fixture
def german(tmp_path: Path) -> Iterator[None]:
    """There is German."""
    made(tmp_path, "de", GERMAN)
    with in_place_of(tmp_path):
        yield


@pytest.fixture
def chooser(german: None, house: House) -> Browser:
    """Alice, who reads English until now."""
    house.accept()
    return signed_in(house, "alice")


def choose(browser: Browser, code: str) -> Page:
    return browser.press("/settings", "/settings/choices", language=code)


def test_a_player_chooses_a_language_in_the_settings(chooser: Browser) -> None:
    page = chooser.get("/settings")
    assert page.form("/settings/choices").fields["language"] == "en"
    assert '<option value="de">Deutsch</option>' in page.html
    assert "Your boards" in chooser.get("/").text
    page = choose(chooser, "de")
    assert page.form("/settings/choices").fields["language"] == "de"
    assert "Deine Spiele" in chooser.get("/").text
    assert "Spiele von alice" in chooser.get("/players").text
    assert "Diese Seite gibt es nicht." in chooser.get("/nothing").text
    choose(chooser, "en")
    assert "Your boards" in chooser.get("/").text


def test_a_page_that_is_remembered_is_so_in_its_language(chooser: Browser) -> None:
    assert "It is your turn." in chooser.get(BOARD).text
    choose(chooser, "de")
    assert "Du bist am Zug." in chooser.get(BOARD).text
    choose(chooser, "en")
    assert "It is your turn." in chooser.get(BOARD).text


def test_players_of_one_board_read_two_languages(
    chooser: Browser, house: House
) -> None:
    choose(chooser, "de")
    assert '<html lang="de">' in chooser.get(BOARD).html
    for other in (signed_in(house, "bob"), Browser(house)):
        assert '<html lang="en">' in other.get(BOARD).html


def test_a_german_and_a_dutch_reader_play_by_mail_page_and_shell(house: House) -> None:
    for who, code in (("alice", "de"), ("bob", "nl")):
        house.type(f"change language {who} {{{who}}} {code}")
    house.challenge("-num_digits=4 -board_size=3")
    house.accept()
    letters = {letter.to[0]: letter for letter in house.sent}
    browsers = {who: signed_in(house, who) for who in ("alice", "bob")}

    def by_mail(who: str, move: str) -> str:
        tile, cell = move.split(":")
        said = {"alice": f"Ich setze {tile} auf {cell}", "bob": f"zet {tile} op {cell}"}
        house.reply(letters[home(who)], move if tile == "pass" else said[who])
        return letters[home(who)].text

    def on_a_page(who: str, move: str) -> str:
        return browsers[who].move(BOARD, move).text

    def in_a_shell(who: str, move: str) -> str:
        return house.type(f"holo move 1 {who} {{{who}}} {move}").text

    for ply, way in enumerate(cycle((by_mail, on_a_page, in_a_shell))):
        if not (turn := house.json()["turn"]):
            break
        house.sent.clear()
        told = {(home(turn[0]), way(turn[0], house.legal()[0]))}
        assert house.json()["ply"] > ply
        told |= {(letter.to[0], letter.text) for letter in house.sent}
        letters |= {letter.to[0]: letter for letter in house.sent}
        for to, text in told:
            assert {home("alice"): "Partie 1, ", home("bob"): "bord 1, "}[to] in text
    assert ply >= 6  # each of them has played in each way
    assert "Die Partie ist zu Ende: " in browsers["alice"].get(BOARD).text
    assert "De partij is afgelopen: " in browsers["bob"].get(BOARD).text


def test_where_there_is_english_alone_nobody_is_asked(
    alice: Browser, tmp_path: Path
) -> None:
    with in_place_of(tmp_path):
        assert "language" not in alice.get("/settings").form("/choices").fields


# Guests


def test_a_guest_reads_what_the_browser_asks_for(german: None, house: House) -> None:
    browser = Browser(house)
    came = browser.ask("GET", "/signin", Accept_Language="de-AT,en;q=0.5")
    assert '<html lang="de">' in came.text
    assert "Accept-Language" in came.headers["Vary"]
    assert '<html lang="en">' in browser.get("/signin").html


def test_whoever_signs_up_reads_what_the_browser_asks_for(
    german: None, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.config = house.config._replace(web=WEB)
    browser = Browser(house, WEB)
    asks = partial(browser.ask, Accept_Language="de")
    monkeypatch.setattr(browser, "ask", asks)
    browser.press("/signup", "/signup", userid="carol", address=home("carol"))
    (letter,) = house.taken()
    assert letter.language == "de"
    (path,) = re.findall(rf"{WEB}(/\S+)", letter.text)
    browser.press(path, path, password="better4")
    carol = house.library.player("carol")
    assert carol is not None
    assert carol.language_at(house.time) == "de"


def test_a_page_that_is_known_in_one_language_is_not_in_another(
    german: None, house: House
) -> None:
    browser = Browser(house)
    tag = browser.ask("GET", "/", Accept_Language="de").headers["ETag"]
    again = browser.ask("GET", "/", Accept_Language="de", If_None_Match=tag)
    assert (again.status, again.headers["Vary"]) == (304, "Accept-Language")
    assert browser.ask("GET", "/", If_None_Match=tag).status == 200


def test_a_script_finds_the_words_of_a_language(chooser: Browser) -> None:
    came = chooser.ask("GET", f"/static/{chooser.site.stamp}/de.json")
    assert came.headers["Content-Type"] == "application/json"
    assert json.loads(came.text)["Cancel"] == "Zurück"
    assert json.loads(came.text)["Larger"] == "Larger"  # not translated yet
    assert chooser.ask("GET", f"/static/{chooser.site.stamp}/nl.json").status == 404
