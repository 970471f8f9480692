"""The man pages say what the help says."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from pbm_holomino import rules
from pbm_holomino.commands import table
from pbm_holomino.letters import help as pages
from pbm_holomino.owner import help as owners_pages
from pbm_holomino.owner import man_pages, manual
from pbm_holomino.store import config
from pbm_holomino.store.config import Config
from tests.needs import find
from tests.paths import ROOT


def words(text: str) -> list[str]:
    return text.split()


def read(name: str, folder: Path) -> str:
    """A man page as man shows it."""
    page = folder / f"{name}.{man_pages.pages()[name].chapter}"
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


HEADINGS = ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "ENVIRONMENT"]
HEADINGS += ["FILES", "SEE ALSO"]


def parts(name: str, folder: Path) -> dict[str, list[str]]:
    """The words below each heading of a man page."""
    pieces = re.split(r"(?m)^([A-Z][A-Z ]{3,})$", read(name, folder))
    return {
        head: words(text) for head, text in zip(pieces[1::2], pieces[2::2], strict=True)
    }


@pytest.mark.needs("man-db")
@pytest.mark.parametrize("name", man_pages.pages())
def test_what_people_look_for_is_under_its_heading(name: str, tmp_path: Path) -> None:
    found = parts(name, tmp_path)
    wanted = HEADINGS
    if name == man_pages.INBOX:
        wanted = [head for head in HEADINGS if head != "OPTIONS"]
    if name == man_pages.CONFIG:
        wanted = [*HEADINGS[:3], "SETTINGS", *HEADINGS[5:]]
    assert [*found] == wanted
    pages = man_pages.pages().items()
    others = {f"{n}({page.chapter})" for n, page in pages if n != name}
    assert {word.strip(",") for word in found["SEE ALSO"]} >= others
    assert "PBM_GAMES" in found["ENVIRONMENT"]
    if name in rules.names():
        usages = [
            " ".join(c._replace(game=name).usage().split())
            for c in table.in_game().values()
        ]
        assert " ".join(found["SYNOPSIS"]) == " ".join(usages)


@pytest.mark.needs("man-db")
def test_the_page_of_the_settings_has_all_of_them(tmp_path: Path) -> None:
    """In order, with their defaults."""
    shown = " ".join(parts(man_pages.CONFIG, tmp_path)["SETTINGS"])
    at = 0
    for key, usual in Config()._asdict().items():
        at = shown.index(f"{key}: {usual}".strip(), at) + 1
    assert config.from_text("\n".join(man_pages.settings()).encode()) == Config()


_BARE = """\
import sys
sys.modules.update(dict.fromkeys(("yaml", "openskill", "justhtml", "markupsafe")))
from pbm_holomino.owner import manual
print(*manual.shared_files())
"""


def test_whoever_builds_the_package_needs_no_more_than_is_said() -> None:
    """Which is click, and babel if there is a language, beside setuptools."""
    requires = tomllib.loads((ROOT / "pyproject.toml").read_text())["build-system"]
    assert [re.split("[<>=]", line)[0] for line in requires["requires"]] == [
        *("setuptools", "click", "babel")
    ]
    done = subprocess.run(
        [sys.executable, "-c", _BARE],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == [*manual.shared_files()]


def test_no_line_is_taken_for_a_request() -> None:
    """Whatever a help text may hold one day."""
    text = ".forward\n'it' is -1\n    a\\b ~ ^ `\n"
    for line in manual._body(text).split("\n"):
        assert not line.startswith("'")
        assert not line.startswith(".f") or line in (".nf", ".fi")
