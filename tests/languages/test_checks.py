"""What the check of catalogues says of a language."""

import sys
from pathlib import Path

import catalogues
import pytest
from babel.messages.catalog import Catalog

from pbm_holomino.languages import pages
from tests.languages.folder import Texts, write

DREW = "You drew {tile}."
LEFT = ("{n} tile is left.", "{n} tiles are left.")
WHOLE: Texts = {DREW: "Du hast {tile} gezogen.", LEFT: ("{n} Stein.", "{n} Steine.")}


@pytest.fixture
def wanted() -> Catalog:
    """The sentences of a small program."""
    found = Catalog()
    found.add(DREW)
    found.add(LEFT)
    return found


@pytest.fixture(autouse=True)
def no_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of its help pages, which are none."""
    there = tmp_path / "pages"
    there.mkdir()
    monkeypatch.setattr(catalogues, "PAGES", str(there))
    return there


def faults_of(folder: str, wanted: Catalog) -> list[str]:
    """What is wrong or missing."""
    wrong = list(catalogues.mistakes(folder))
    return [*wrong, *catalogues.unfinished(folder, wanted)]


def faults(home: Path, texts: Texts, wanted: Catalog) -> list[str]:
    folder = write(home, "de", texts)
    return [line.removeprefix(f"{folder}: ") for line in faults_of(str(folder), wanted)]


def test_a_whole_catalogue_has_no_fault(tmp_path: Path, wanted: Catalog) -> None:
    assert faults(tmp_path, WHOLE, wanted) == []


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        ({LEFT: WHOLE[LEFT]}, [f"missing: {DREW!r}"]),
        ({**WHOLE, DREW: ""}, [f"missing: {DREW!r}"]),
        ({**WHOLE, LEFT: ("{n} Stein.", "")}, [f"missing: {LEFT[0]!r}"]),
        ({**WHOLE, "You won.": "Gewonnen."}, ["no longer said: 'You won.'"]),
        (
            {**WHOLE, DREW: "Du hast {stein} gezogen."},
            [f"other places than {DREW!r}: 'Du hast {{stein}} gezogen.'"],
        ),
        (
            {**WHOLE, LEFT: ("{n} Stein.", "{m} Steine.")},
            [f"other places than {LEFT[0]!r}: '{{m}} Steine.'"],
        ),
    ],
)
def test_each_fault_is_named(
    texts: Texts, said: list[str], tmp_path: Path, wanted: Catalog
) -> None:
    assert faults(tmp_path, texts, wanted) == said


@pytest.mark.parametrize("formula", ["n > 4 ? 2 : n != 1", "n !=", "1 / (n - n)"])
def test_a_broken_plural_is_named(
    formula: str, tmp_path: Path, wanted: Catalog
) -> None:
    folder = write(tmp_path, "de", WHOLE)
    file = folder / "catalogue.po"
    text = file.read_text(encoding="utf-8")
    assert "plural=(n != 1);" in text
    file.write_text(text.replace("(n != 1)", formula), encoding="utf-8")
    said = faults_of(str(folder), wanted)
    assert said
    assert any("plural" in line for line in said)


def test_a_file_that_is_no_catalogue_is_named(tmp_path: Path, wanted: Catalog) -> None:
    folder = write(tmp_path, "de", WHOLE)
    (folder / "catalogue.po").write_bytes(b"\xff\xfe")
    (line,) = catalogues.mistakes(str(folder))
    assert "cannot be read" in line


@pytest.mark.parametrize("charset", ["klingon", "utf-8"])
def test_a_broken_file_stays_as_it_is_and_stops_no_other_language(
    charset: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    broken, whole = write(tmp_path, "de", {}), write(tmp_path, "nl", WHOLE)
    text = f'msgid ""\nmsgstr "Content-Type: text/plain; charset={charset}\\n"\n'
    content = text.encode() + b"\xff" * (charset == "utf-8")
    (broken / "catalogue.po").write_bytes(content)
    monkeypatch.setattr(catalogues, "languages", lambda: [str(broken), str(whole)])
    monkeypatch.setattr(catalogues, "template", Catalog)
    monkeypatch.setattr(sys, "argv", ["catalogues.py", "--update"])
    assert catalogues.main() == 2
    assert f"{broken}: catalogue.po is broken: " in capsys.readouterr().out
    assert (broken / "catalogue.po").read_bytes() == content
    assert [path.name for path in broken.glob("*.*")] == ["catalogue.po"]
    assert (whole / "catalogue.mo").exists()


def test_both_sentences_about_a_player_are_collected(tmp_path: Path) -> None:
    (tmp_path / "game.py").write_text(
        "from x import of_number, of_player, sentence\n"
        'A = of_player("You won.", "{player} won.")\n'
        'B = pair(of_number("{n} point.", "{n} points."), sentence("Hello."))\n'
        'C = say("not for people")\n'
    )
    found = {message.id for message in catalogues.template(str(tmp_path)) if message.id}
    assert found == {
        "You won.",
        "{player} won.",
        ("{n} point.", "{n} points."),
        "Hello.",
    }


def test_what_pages_and_scripts_say_is_collected(tmp_path: Path) -> None:
    for folder in ("templates", "static"):
        (tmp_path / "web" / folder).mkdir(parents=True)
    (tmp_path / "web/templates/page.html").write_text(
        '<p title="{{ say("Pages") }}">{{ say("By {player}", player=who) }}</p>'
        '{{ say_number("{n} game", "{n} games", n=3) }}{{ other("Not this") }}'
    )
    (tmp_path / "web/static/page.js").write_text(
        'button(say("Turn ({number} of {count})", { number, count }), turn);\n'
        'sayNumber("one place", "{n} places", { n });\n'
    )
    found = {message.id for message in catalogues.template(str(tmp_path)) if message.id}
    assert found == {
        "Pages",
        "By {player}",
        ("{n} game", "{n} games"),
        "Turn ({number} of {count})",
        ("one place", "{n} places"),
    }


def test_every_sentence_of_the_program_has_places_that_can_be_read() -> None:
    from pbm_holomino.languages.catalogues import places

    found = [message.id for message in catalogues.template() if message.id]
    assert len(found) > 90
    for texts in found:
        for text in [texts] if isinstance(texts, str) else texts:
            assert places(text) is not None, text


# Pages

PAGE = """move: plays a move

Usage: game move board
{part json}
  holo move 12

{figure x}

The end.
"""


def test_a_page_is_read_part_by_part(
    no_pages: Path, tmp_path: Path, wanted: Catalog
) -> None:
    first, usage, last = pages.wanted(PAGE)
    said = f"@ {last}\nDas Ende.\n\n@ {first}\nmove: macht einen Zug\n"
    assert pages.translated(PAGE, said) == (
        "move: macht einen Zug\n\nUsage: game move board\n{part json}\n"
        "  holo move 12\n\n"
        "{figure x}\n\nDas Ende.\n"
    )
    assert pages.missing(PAGE, said) == {usage: "Usage: game move board"}
    assert pages.stale(PAGE, said) == {}


def test_a_part_whose_english_has_changed_is_stale_and_read_in_english() -> None:
    *_, last = pages.wanted(PAGE)
    said, changed = (
        f"@ {last}\nDas Ende.\n",
        PAGE.replace("The end.", "This is the end."),
    )
    assert pages.translated(changed, said) == changed
    assert pages.stale(changed, said) == {last: "Das Ende."}


def test_the_check_names_parts_of_pages(
    no_pages: Path, tmp_path: Path, wanted: Catalog
) -> None:
    (no_pages / "move.txt").write_text("Play.\n\nWait.\n")
    play, wait = pages.wanted("Play.\n\nWait.\n")
    there = {"move": f"@ {play}\nSpiele.\n\n@ 00000000\nWeg.\n"}
    folder = write(tmp_path, "de", WHOLE, there)
    path = f"{folder}/help/move.txt"
    assert faults_of(str(folder), wanted) == [
        f"{path}: missing: @ {wait} Wait.",
        f"{path}: stale: @ 00000000 Weg.",
    ]


# Terms

TERMS = "# Steine\ntile = Stein\n\nboneyard (a pot): Vorrat, Vorräte\nnot Kachel, Sie"


def test_terms_are_read() -> None:
    terms = catalogues.terms_in(TERMS)
    assert terms.words == {
        "tile": ("Stein",),
        "boneyard (a pot)": ("Vorrat", "Vorräte"),
    }
    assert terms.always == {"tile"}
    assert terms.never == ("Kachel", "Sie")


@pytest.mark.parametrize(
    ("said", "fault"),
    [
        ("Zieh einen Stein.", "'Vorrat', for 'pot', is never said"),
        ("Zieh einen Dominostein aus dem Vorrat.", ""),
        ("Zieh etwas aus dem Vorrat.", "'Stein', for 'tile', is never said"),
        ("Zieh etwas aus dem Vorrat.", "without a word for 'tile': 'Draw a tile.'"),
        ("Zieh einen Stein aus Vorrat oder Pool.", "'Pool' is not to be said: "),
        ("Zieh einen Stein vom Poolrand im Vorrat.", ""),
    ],
)
def test_what_is_not_said_as_the_terms_are(
    said: str, fault: str, tmp_path: Path
) -> None:
    folder = write(tmp_path, "de", {"Draw a tile.": said, "{tile} fits.": "{tile}!"})
    (folder / "terms.txt").write_text("tile = Stein\npot: Vorrat\nnot Pool\n")
    found = [*catalogues.unlike_terms(str(folder), catalogues.read(str(folder)))]
    assert found == [] if not fault else any(fault in line for line in found)


def test_a_line_that_is_no_term_is_named(tmp_path: Path) -> None:
    folder = write(tmp_path, "de", WHOLE)
    (folder / "terms.txt").write_text("a tile is called Stein\n")
    (line,) = catalogues.unlike_terms(str(folder), catalogues.read(str(folder)))
    assert "neither a term nor a remark: 'a tile is called Stein'" in line
