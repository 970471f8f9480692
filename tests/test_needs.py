"""Which tests are run, and what is said of the others."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests import needs
from tests.paths import ROOT

# The conftest of this folder, on a machine that lacks one thing.
CONFTEST = """\
from tests import needs
from tests.conftest import *
needs.NEEDS = {"feathers": lambda: True, "wings": lambda: False}
needs.remedy = lambda: "grow some"
"""
FILE = """\
import pytest

@pytest.mark.needs("feathers")
def test_preening(): pass

@pytest.mark.needs("feathers", "wings")
@pytest.mark.parametrize("where", ["high", "low"])
def test_flying(where): raise AssertionError
"""
EGGS = """\
from pathlib import Path

def test_lays():
    with open("laid", "a") as laid: laid.write("o")

def test_hatches():
    with open("warmed", "a+") as warmed: warmed.write("x")
    assert Path("warmed").stat().st_size > {patience}
"""
CHICKS = """\
from pathlib import Path
import pytest

pytestmark = pytest.mark.xdist_group("chicks")

@pytest.mark.parametrize("who", "a@")
def test_grows(who):
    with open(f"fed {{who}}", "a+") as fed: fed.write("x")
    assert Path(f"fed {{who}}").stat().st_size > {patience}
"""
SKIPS = ["pytest.skip('no')", "pytest.xfail('no')", "pytest.importorskip('nothing')"]


def run(folder: Path, *files: str, **environment: str) -> tuple[int, str]:
    """How pytest ends on files of tests, and what it prints."""
    (folder / "conftest.py").write_text(CONFTEST)
    for number, text in enumerate(files):
        (folder / f"test_birds{number}.py").write_text(text)
    given = {name: value for name, value in os.environ.items() if name != "CI"}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-c", os.devnull, "--strict-markers"]
        + ["-p", "no:cacheprovider", "--continue-on-collection-errors"]
        + [f"--rootdir={folder}", str(folder)],
        env={**given, "PYTHONPATH": str(ROOT), **environment},
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout


def test_tests_that_lack_something_are_not_run_and_the_last_words_say_so(
    tmp_path: Path,
) -> None:
    status, printed = run(tmp_path, FILE)
    assert status == 0
    assert "1 passed, 2 deselected" in printed
    assert printed.endswith(
        "\n2 tests were not run, for want of wings:\n"
        "     2  test_birds0.py\n"
        '"grow some" installs what is missing and runs every test.\n'
    )


def test_with_ci_missing_programs_are_failures(tmp_path: Path) -> None:
    status, printed = run(tmp_path, FILE, CI="true")
    assert status == 1
    assert "1 passed, 2 errors" in printed
    assert 'This needs wings: please type "grow some".' in printed
    assert "not run" not in printed


def test_nothing_else_is_skipped(tmp_path: Path) -> None:
    inside = [f"import pytest\n\ndef test_it():\n    {how}\n" for how in SKIPS]
    outside = [f"import pytest\n{how}\n" for how in SKIPS]
    status, printed = run(tmp_path, *inside, *outside, "def test_it(): pass\n")
    assert status != 0
    failed = [line for line in printed.splitlines() if line.startswith("FAILED ")]
    broken = [line for line in printed.splitlines() if line.startswith("ERROR ")]
    assert (len(failed), len(broken)) == (3, 3)
    assert "not run" not in printed


def test_an_unknown_need_is_an_error(tmp_path: Path) -> None:
    text = FILE.replace('"wings"', '"wnigs"')
    status, printed = run(tmp_path, text)
    assert status not in (0, 1)
    assert "wnigs" in printed


@pytest.mark.parametrize(
    ("value", "all_of_them"), [("true", True), ("1", True), ("", False), ("0", False)]
)
def test_when_nothing_may_be_left_out(value: str, all_of_them: bool) -> None:
    assert needs.must_run_all({"CI": value}) == all_of_them
    assert not needs.must_run_all({})


def test_programs_that_only_root_has_in_the_path_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert needs.find("no-such-program") is None
    assert needs.find("sh")
    (tmp_path / "no-such-program").write_text("#!/bin/sh\n")
    assert needs.find("no-such-program") is None  # it cannot be run
    (tmp_path / "no-such-program").chmod(0o755)
    assert needs.find("no-such-program") == str(tmp_path / "no-such-program")


def test_missing_programs_can_be_installed() -> None:
    text = (ROOT / ".ci" / "run").read_text()
    listed = re.findall(r"(?ms)^(?:packages|downloaded)=\(\n(.*?)\n\)", text)
    packages = {line.strip() for line in "\n".join(listed).splitlines()}
    assert {*needs.NEEDS} - {"root", "history"} <= packages
    assert "git fetch --quiet --unshallow" in text
    assert "env CI=true bin/check" in text


@pytest.mark.parametrize(("warm", "fed", "status"), [(1, 1, 0), (2, 1, 2), (1, 2, 2)])
def test_what_fails_among_others_is_run_again_alone(
    warm: int, fed: int, status: int, tmp_path: Path
) -> None:
    """It has failed when it fails twice, be it in a group or not."""
    (tmp_path / "test_1_eggs.py").write_text(EGGS.format(patience=warm))
    (tmp_path / "test_2_chicks.py").write_text(CHICKS.format(patience=fed))
    program = (
        "import os, sys; from pathlib import Path;"
        "os.sched_setaffinity(0, [min(os.sched_getaffinity(0))]);"  # two are enough
        "from develop import Check; sys.exit(Check(Path()).tests([]))"
    )
    (tmp_path / "t").mkdir()
    paths = os.pathsep.join(map(str, (ROOT / "bin", ROOT)))
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": paths},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == status, done.stdout + done.stderr
    assert "3 failed, 1 passed" in done.stdout
    assert ("passes alone" in done.stdout) == (status == 0)
    assert (tmp_path / "laid").read_text() == "o"  # which passed is not run again
