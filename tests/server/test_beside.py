"""Two checkouts that are asked the same: nothing differs, or what does is found."""

import re
import shutil
from pathlib import Path

import pytest

from tests.bench import beside
from tests.bench.beside import Done, differences
from tests.paths import ROOT


def compared(other: Path, *words: str) -> tuple[int, list[str]]:
    """The exit status, and what is shown."""
    shown = list[str]()
    return beside.main([str(other), *words], shown.append), shown


@pytest.mark.long
def test_this_checkout_does_what_it_does() -> None:
    """Over two servers, of which each ends with all its files."""
    status, shown = compared(ROOT, "30", "--length", "15")
    (summary,) = shown
    assert status == 0, summary
    assert summary.startswith("30 commands (")
    assert summary.endswith("): nothing differs.")
    for kind in ("letter", "mail", "typed", "pages", "forms", "document", "file"):
        assert f" {kind}," in summary or f" {kind})" in summary


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """A checkout with one other word in one sentence."""
    (tmp_path / "tests").symlink_to(ROOT / "tests")
    shutil.copytree(ROOT / "pbm_holomino", tmp_path / "pbm_holomino")
    module = tmp_path / "pbm_holomino/commands/refusals.py"
    text = module.read_text()
    assert text.count("For more, send ") == 1
    module.write_text(text.replace("For more, send ", "For less, send "))
    return tmp_path


@pytest.mark.long
def test_a_planted_difference_is_found(other: Path) -> None:
    words = ("15", "--length", "15", "--show", "1")
    status, (difference, summary) = compared(other, *words)
    assert status == 1
    assert "\n  -For less, send" in difference
    assert "\n  +For more, send" in difference
    assert summary.endswith(" commands differ.")


def test_what_is_wanted_can_be_ignored() -> None:
    here = Done("1 0 7", [("answer", "For more, send")])
    there = Done("1 0 7", [("answer", "For less, send")])
    assert [*differences(here, there, [])]
    assert not [*differences(here, there, [re.compile("more|less")])]


def test_what_only_one_of_both_does_is_told_apart_from_what_differs() -> None:
    letters = [("letter to bob", "Hello!"), ("letter to carol", "Hello!")]
    here = Done("1 0 7", [*letters, ("answer", "one\ntwo\nthree")])
    there = Done("1 0 7", [letters[1], ("answer", "one\n2\nthree")])
    missing, changed = differences(here, there, [])
    assert missing.what == "what came of it"
    assert "+letter to bob" in missing.lines
    assert changed.what == "answer"
    assert [line for line in changed.lines if line[0] in "+-"] == ["-2", "+two"]


def test_a_checkout_that_breaks_off_is_not_taken_for_equal(tmp_path: Path) -> None:
    """There is no program in this one."""
    with pytest.raises(RuntimeError, match="broke off"):
        compared(tmp_path, "1")
