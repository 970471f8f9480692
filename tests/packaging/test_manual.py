"""The man pages say what the help says."""

import os
import subprocess
from pathlib import Path

import pytest

from pbm_holomino import rules
from pbm_holomino.letters import help as pages
from pbm_holomino.owner import help as owners_pages
from pbm_holomino.owner import manual
from tests.needs import find


def words(text: str) -> list[str]:
    return text.split()


def read(name: str, folder: Path) -> str:
    """A man page as man shows it."""
    page = folder / f"{name}.1"
    page.write_text(manual.man_page(name))
    man = find("man")
    assert man
    done = subprocess.run(
        [man, "--warnings", "--encoding=ascii", "--local-file", page],
        env={"PATH": os.defpath, "MANWIDTH": "100", "MANOPT": "", "LANG": "C"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    return done.stdout


@pytest.mark.needs("man-db")
@pytest.mark.parametrize("name", rules.names())
def test_a_games_page(name: str, tmp_path: Path) -> None:
    """Every line of the help, and every figure as it is drawn."""
    shown = read(name, tmp_path)
    assert f" {name} - play {rules.load(name).TITLE} by mail\n" in shown
    _, *lines = filter(None, pages.page(name).split("\n"))
    found = [line.strip() for line in shown.split("\n") if line]
    left = iter(found)
    for line in lines:
        assert line.strip() in left, line
    for line in lines:
        if line.startswith(" "):
            assert f"       {line}\n" in shown


@pytest.mark.needs("man-db")
def test_the_page_of_all_commands(tmp_path: Path) -> None:
    shown = words(read("pbm", tmp_path))
    for text in (pages.page("commands"), owners_pages.overview()):
        inside = words(text)
        assert any(
            shown[at : at + len(inside)] == inside for at in range(len(shown))
        ), text


@pytest.mark.needs("man-db")
def test_the_page_of_what_takes_mail_in(tmp_path: Path) -> None:
    shown = " ".join(words(read("pbm-inbox", tmp_path)))
    assert "ends with 0 when the mail has been handled, and with 75" in shown


def test_no_line_is_taken_for_a_request() -> None:
    """Whatever a help text may hold one day."""
    text = ".forward\n'it' is -1\n    a\\b ~ ^ `\n"
    for line in manual._body(text).split("\n"):
        assert not line.startswith("'")
        assert not line.startswith(".f") or line in (".nf", ".fi")
