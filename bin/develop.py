"""What developers run: every test, or every benchmark."""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import scratch
import set_up

# Tests wait more than they work, so there are two processes for each core; those that
# share what is slow to make, or is there once, stay in one process; and tests/conftest
# says which begin first.
PYTEST = [
    "pytest",
    "--dist=loadgroup",
    "--no-loadscope-reorder",
    f"--numprocesses={2 * len(os.sched_getaffinity(0))}",
    "--durations=20",
]
# What failed is run again, alone: beside three others a browser, a mail server or a
# database may be too slow for a test, which says nothing of this program. The first
# that fails twice ends it.
ALONE = [
    "pytest",
    "--numprocesses=1",
    "--last-failed",
    "--last-failed-no-failures=none",
    "--exitfirst",
]
FAILED = 1  # pytest's exit status: some tests did
STAGES = [["ruff", "check", "."], ["ruff", "format", "--check", "."], ["mypy"]]
CATALOGUES = [sys.executable, "bin/catalogues.py"]
LETTERS = ["tests.languages.golden", "tests/languages/golden"]
UNFINISHED = 1  # what is not translated yet stops nobody, and what is wrong does
# pytest's options that choose tests
CHOOSE = ("-k", "-m", "--lf", "--last-failed", "--deselect", "--ignore")
# The quick part: what uses each of the libraries, and most of the standard library. It
# shows whether the versions of an environment are good enough, in about a minute.
QUICK = [
    "tests/cli/test_completion.py",
    "tests/commands/test_table.py",
    "tests/draw/test_png.py",
    "tests/fetch/test_imap.py",
    "tests/mail/test_html_mails.py",
    "tests/mail/test_submission.py",
    "tests/mail/test_transcripts.py",
    "tests/owner/test_tournaments.py",
    "tests/packaging/test_extras.py",
    "tests/packaging/test_installed.py",
    "tests/postgres/test_transactions.py",
    "tests/resident/test_serve.py",
    "tests/server/test_journal.py",
    "tests/store/test_files.py",
    "tests/store/test_stored_ratings.py",
    "tests/store/test_yaml.py",
    "tests/web/test_hostile.py",
    "tests/web/test_reading.py",
    "tests/web/test_serve.py",
    "tests/web/test_signing.py",
]
# Where nobody has chosen tests, these are run over databases, too: what servers ask of
# a store, in every way in which they do; the store's own tests do that already.
OVER_DATABASES = [
    "--store=postgresql",
    "tests/mail/test_transcripts.py",
    "tests/server/test_every_command_once.py",
    "tests/server/test_letters_leave_once.py",
    "tests/server/test_random_commands.py",
    "tests/store/test_damaged_boards_in_lists.py",
    "tests/store/test_edited_by_hand.py",
    "tests/store/test_library.py",
]
# With --full, all tests of servers are.
MORE_OVER_DATABASES = [
    "tests/commands",
    "tests/faults/test_limits.py",
    "tests/faults/test_strangers.py",
    "tests/letters",
    "tests/mail",
    "tests/match",
    "tests/owner",
    "tests/server",
    "tests/store/test_stored_ratings.py",
]
NO_TESTS = 5  # pytest's exit status: on this machine there is no PostgreSQL
HELP = """Run ruff, mypy and every test; or the tests alone that pytest's words choose
(bin/check tests/rules, bin/check -k word): all words that are not listed here are for
pytest. Everything that tests make is removed in the end, but for up to 100 MB of those
that failed."""


def main() -> int:
    """Run what the command line asks for; return the exit status."""
    os.chdir(Path(__file__).resolve().parents[1])
    if Path(sys.argv[0]).name == "bench":
        return scratch.call(module("tests.bench", *sys.argv[1:]))
    given, words = parsed(sys.argv[1:])
    if given.example:
        return scratch.call(module("tests.example", given.example))
    kept = Path(tempfile.gettempdir(), f"pbm-failed-{os.getuid()}")
    with scratch.own_folder() as folder:
        check = Check(folder)
        if given.languages:
            status = scratch.call([*CATALOGUES, "--update"])
            if status in (0, UNFINISHED):
                status |= scratch.call(module(*LETTERS))
        elif given.lowest or given.python:
            status = check.in_another(
                given.python or sys.executable, given.lowest, words
            )
        elif given.quick:
            status = check.run([*PYTEST, *QUICK, *words])
        elif any(map(chooses, words)):
            status = check.run([*PYTEST, *words])
        else:
            status = check.everything(words)
        told = scratch.keep(check.made, kept) if status else ""
        print(told, end="\n" if told else "", file=sys.stderr)
        return status


def parsed(words: list[str]) -> tuple[argparse.Namespace, list[str]]:
    """Our options, and pytest's words."""
    parser = argparse.ArgumentParser("check", description=HELP, allow_abbrev=False)
    add = parser.add_argument
    add("--quick", action="store_true", help="run the quick part of the tests alone")
    add(
        "--lowest",
        action="store_true",
        help="run it with the lowest versions that setup.cfg allows, which are "
        "installed for this",
    )
    add("--python", help="run it in an environment made by this Python")
    add(
        "--languages",
        action="store_true",
        help="bring the catalogues of all languages up to date, make them, say what is "
        "missing or wrong, and write letters of each kind into tests/languages/golden",
    )
    add(
        "--example",
        metavar="GAME",
        help="make a game's example match and the pictures of its pages",
    )
    return parser.parse_known_args(words)


def chooses(word: str) -> bool:
    """Whether a word chooses tests: an option, or a path, perhaps with a test."""
    return word.startswith(CHOOSE) or os.path.exists(word.partition("::")[0])


def module(name: str, *words: str, python: str = sys.executable) -> list[str]:
    return [python, "-m", name, *words]


def forget_groups() -> None:
    """Name the tests that failed as they are collected. Under the names that they have
    in groups, pytest would pass over some of them when it runs them again."""
    path = Path(".pytest_cache/v/cache/lastfailed")
    if not path.exists():  # they are named elsewhere
        return
    names = [name.rpartition("]") for name in json.loads(path.read_bytes())]
    known = {f"{head}{end}{tail.partition('@')[0]}": True for head, end, tail in names}
    path.write_text(json.dumps(known))


def lowest(requirement: str) -> str:
    """A requirement that only the lowest of its versions meets."""
    return re.sub(r">=([\w.]+).*", r"==\1", requirement)


@contextmanager
def compiling() -> Iterator["subprocess.Popen[bytes]"]:
    """A program that has pytest compile all tests, or else each of its processes would;
    it is ended with the block."""
    environment = {**os.environ}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    with subprocess.Popen(
        module("pytest", "--collect-only", "--quiet"),
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as compiler:
        try:
            yield compiler
        finally:
            compiler.kill()


class Check:
    """Runs stages; tests leave what they make below `folder`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.made = folder / "t" / "p"  # the paths of sockets must be short

    def run(self, stage: list[str], python: str = sys.executable) -> int:
        """Run one stage; its exit status."""
        print(f"== {' '.join(stage)} ==", flush=True)
        name, *words = stage
        if name == "pytest":
            words = [f"--basetemp={self.made}", *words]
        status = scratch.call(module(name, *words, python=python))
        if status not in (0, NO_TESTS):
            print(f"== {name} failed ==", file=sys.stderr)
        return status

    def everything(self, words: list[str]) -> int:
        """Run every stage up to the first that fails. The words go to pytest."""
        with compiling() as compiler:
            for stage in STAGES:
                if status := self.run(stage):
                    return status
            compiler.wait()
        has_languages = any(Path("pbm_holomino/languages").glob("*/catalogue.po"))
        if has_languages and scratch.call(CATALOGUES) not in (0, UNFINISHED):
            return 1
        return self.tests(words) or self.over_databases(words)

    def tests(self, words: list[str]) -> int:
        """Run tests, and alone those that failed; the exit status."""
        status = self.run([*PYTEST, *words])
        if status == FAILED:
            forget_groups()
            status = self.run([*ALONE, *words])
            if status == 0:
                print("== What failed passes alone: is its test too impatient? ==")
        return status

    def over_databases(self, words: list[str]) -> int:
        """Run the tests of servers over databases; the exit status."""
        chosen = MORE_OVER_DATABASES if "--full" in words else []
        status = self.tests([*OVER_DATABASES, *chosen, *words])
        return 0 if status == NO_TESTS else status

    def in_another(self, python: str, is_lowest: bool, words: list[str]) -> int:
        """Run the quick part in an environment that is made for it."""
        ours = getattr(sys, "_base_executable", sys.executable)
        if not is_lowest and os.path.realpath(python) == os.path.realpath(ours):
            print(f"{python} is the Python that runs every test.")
            return 0
        required = set_up.requirements(os.getcwd())
        lines = [*required[""], *required["test"]]
        made = f"{self.folder}/venv"
        pip = ["pip", "install", "--quiet", "--disable-pip-version-check"]
        pip += map(lowest, lines) if is_lowest else lines
        return (
            self.run(["venv", made], python)
            or self.run(pip, f"{made}/bin/python")
            or self.run([*PYTEST, *QUICK, *words], f"{made}/bin/python")
        )
