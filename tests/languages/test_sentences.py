"""Sentences as values: English as it stands, any other language by its catalogue."""

import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from pbm_holomino.languages import (
    ENGLISH,
    Day,
    Either,
    InARow,
    Listed,
    Moment,
    Opponents,
    Sentence,
    catalogues,
    known,
    of_number,
    of_player,
    sentence,
    together,
)
from pbm_holomino.languages.recognised import Recognised
from tests.languages.folder import Texts, in_place_of, made

DREW = of_player("You drew {tile}.", "{player} drew {tile}.")
LEFT = of_number("{n} tile is left.", "{n} tiles are left.")
SPLIT = sentence("{who} won, on {when}.")
TIME = "2026-11-20T08:05:33Z"


@pytest.mark.parametrize(
    ("said", "text"),
    [
        (DREW.of(tile="145").to("bob", "bob"), "You drew 145."),
        (DREW.of(tile="145").to("alice", "bob"), "bob drew 145."),
        (DREW.of(tile="145").to(None, "bob"), "bob drew 145."),
        (LEFT.of(n=0), "0 tiles are left."),
        (LEFT.of(n=1), "1 tile is left."),
        (LEFT.of(n=1.0), "1 tile is left."),
        (LEFT.of(n=2.5), "2.5 tiles are left."),
        (
            SPLIT.of(who=Listed(("a", "b", "c")), when=Day(TIME)),
            "a, b and c won, on 2026-11-20.",
        ),
        (
            SPLIT.of(who=Either(("a", "b")), when=Moment(TIME)),
            "a or b won, on 2026-11-20, 08:05 UTC.",
        ),
        (
            SPLIT.of(who=Listed(("a",)), when=InARow(("x", "y", "z"))),
            "a won, on x, y, z.",
        ),
        (
            SPLIT.of(who=Opponents(("a", "b")), when=Opponents(("x", "y", "z"))),
            "a against b won, on x, y and z.",
        ),
        (SPLIT.of(who="{when}", when="{who}"), "{when} won, on {who}."),
        (together([LEFT.of(n=1), LEFT.of(n=3)]), "1 tile is left. 3 tiles are left."),
        (together([]), ""),
    ],
)
def test_in_english(said: Sentence, text: str) -> None:
    assert str(said) == ENGLISH.say(said) == text


def test_a_sentence_is_a_value() -> None:
    said = SPLIT.of(who=Listed(("a", "b")), when=Day(TIME))
    assert said == SPLIT.of(who=Listed(("a", "b")), when=Day(TIME))
    assert said != SPLIT.of(who="a", when="b")
    assert len({said, said, SPLIT}) == 2
    assert pickle.loads(pickle.dumps(said)) == said


def test_a_sentence_is_no_piece_of_a_text() -> None:
    with pytest.raises(TypeError, match="before it is said"):
        f"{LEFT.of(n=1)} And more."


def test_english_opens_no_catalogue() -> None:
    code = (
        "import sys\n"
        "from pbm_holomino.languages import sentence\n"
        "from pbm_holomino.languages.known import language\n"
        "assert language('en').say(sentence('{a}', a='b')) == 'b'\n"
        "print(*{'gettext', 'locale', 'pathlib'} & {*sys.modules})\n"
    )
    python = [sys.executable, "-S", "-c", code]
    home = str(Path(__file__).parents[2])
    assert subprocess.check_output(python, text=True, cwd=home).strip() == ""


YOU = Recognised("you", lambda: (sentence("you"),))

TINY: Texts = {
    "you": "du",
    "You drew {tile}.": "Du hast {tile} gezogen.",
    "{player} drew {tile}.": "{player} hat {tile} gezogen.",
    ("{n} tile is left.", "{n} tiles are left."): (
        "ein Stein ist da.",
        "{n} Steine sind da.",
    ),
    "{first} and {second}": "{first} und {second}",
    "{whole}.{tenth}": "{whole},{tenth}",
    "{year}-{month}-{day}": "{day}.{month}.{year}",
    "{who} won, on {when}.": "{when}: {who} hat gewonnen.",
}


@pytest.mark.parametrize(
    ("said", "text"),
    [
        (DREW.of(tile="145").to("bob", "bob"), "Du hast 145 gezogen."),
        (DREW.of(tile="145").to(None, "bob"), "bob hat 145 gezogen."),
        (LEFT.of(n=1), "ein Stein ist da."),
        (LEFT.of(n=0), "0 Steine sind da."),
        (LEFT.of(n=0.5), "0,5 Steine sind da."),
        (
            SPLIT.of(who=Listed(("a", "b", "c")), when=Day(TIME)),
            "20.11.2026: a, b und c hat gewonnen.",
        ),
        (SPLIT.of(who=Listed((YOU, "b")), when="x"), "x: du und b hat gewonnen."),
        (SPLIT.of(who=Listed((YOU,)), when="x"), "x: du hat gewonnen."),
        (sentence("Not yet {this}.", this="x"), "Not yet x."),
        (together([]), ""),
    ],
)
def test_in_another_language(said: Sentence, text: str, tmp_path: Path) -> None:
    made(tmp_path, "de", TINY)
    with in_place_of(tmp_path):
        assert known.codes() == ("en", "de")
        assert known.language("de").say(said) == text


@pytest.mark.parametrize(
    "wrong",
    [
        "Du hast {stein} gezogen.",
        "Du hast gezogen.",
        "Du hast {tile} und {n} gezogen.",
        "Du hast {tile!r} gezogen.",
        "Du hast {tile.upper} gezogen.",
        "Du hast {tile gezogen.",
        "Du hast {} gezogen.",
        "Du hast {tile.__class__} gezogen.",
        "Du hast {0} gezogen.",
        "Du hast {{tile}} gezogen.",
        "Gezogen: {tile}\r\nBcc: eve@example.com",
        "Gezogen:\u2028{tile}",
    ],
)
def test_what_is_translated_wrongly_is_said_in_english(
    wrong: str, tmp_path: Path
) -> None:
    made(tmp_path, "de", {**TINY, "You drew {tile}.": wrong})
    with in_place_of(tmp_path):
        said = DREW.of(tile="145").to("bob", "bob")
        assert known.language("de").say(said) == "You drew 145."


@pytest.mark.parametrize(
    ("text", "is_right"),
    [
        ("{signup}Neu{end} oder {signin}schon da{end}?", True),
        ("{end}Neu{signup} oder {signin}schon da{end}?", False),
        ("{signup}Neu oder {signin}schon da{end}?", False),
        ("{signup}Neu{end} oder {signin}schon da?{end}{end}", False),
    ],
)
def test_links_end_after_they_have_begun(text: str, is_right: bool) -> None:
    english = "Please {signin}sign in{end} or {signup}sign up{end}."
    assert catalogues.is_translation(text, english) == is_right


def test_an_end_that_is_no_links_may_be_anywhere() -> None:
    english = "{tile} does not match the open end at {end}, which is {other}."
    assert catalogues.is_translation("Bei {end} ist {other}, nicht {tile}.", english)


def test_a_broken_catalogue_is_english(tmp_path: Path) -> None:
    folder = made(tmp_path, "de", TINY)
    (folder / "catalogue.mo").write_bytes(b"no catalogue")
    with in_place_of(tmp_path):
        assert known.language("de") is ENGLISH


def test_a_language_that_is_gone_is_english(tmp_path: Path) -> None:
    with in_place_of(tmp_path):
        assert known.codes() == ("en",)
        assert known.language("de") is known.language("../de") is ENGLISH
