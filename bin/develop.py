"""What developers run: every test, or every benchmark."""

import os
import subprocess
import sys
from pathlib import Path

STAGES = [
    ["ruff", "check", "."],
    ["ruff", "format", "--check", "."],
    ["mypy"],
    # a process for each core; tests that share a Postfix stay in one process
    ["pytest", "--numprocesses=auto", "--dist=loadgroup"],
]
# Where nobody has chosen tests, those of servers are run over databases, too: every
# third one, or all of them with --full.
OVER_DATABASES = [
    "--store=postgresql",
    "tests/commands",
    "tests/faults/test_limits.py",
    "tests/faults/test_strangers.py",
    "tests/letters",
    "tests/mail/test_authentication.py",
    "tests/mail/test_limit.py",
    "tests/mail/test_transcripts.py",
    "tests/mail/test_valid_letters.py",
    "tests/match",
    "tests/owner",
    "tests/server",
    "tests/store/test_damaged_boards_in_lists.py",
    "tests/store/test_edited_by_hand.py",
    "tests/store/test_library.py",
    "tests/store/test_stored_ratings.py",
]
NO_TESTS = 5  # pytest's exit status: on this machine there is no PostgreSQL


def main() -> int:
    """Run every stage up to the first that fails; return its exit status.

    The command line's arguments go to pytest, or to the benchmarks. With --example and
    the name of a game, its example match and the pictures of its pages are made.
    """
    os.chdir(Path(__file__).resolve().parents[1])
    arguments = sys.argv[1:]
    if Path(sys.argv[0]).name == "bench":
        return run("tests.bench", *arguments)
    if arguments[:1] == ["--example"]:
        return run("tests.example", *arguments[1:])
    for stage in STAGES:
        print(f"== {' '.join(stage)} ==", flush=True)
        status = run(*stage, *(arguments if stage[0] == "pytest" else []))
        if status:
            print(f"== {stage[0]} failed ==", file=sys.stderr)
            return status
    if all(argument.startswith("-") for argument in arguments):
        return over_databases(arguments)
    return 0


def over_databases(options: list[str]) -> int:
    """Run the tests of servers over databases; the exit status."""
    share = [] if "--full" in options else ["--every=3"]
    stage = [*STAGES[-1], *OVER_DATABASES, *share]
    print(f"== {' '.join(stage)} ==", flush=True)
    status = run(*stage, *options)
    return 0 if status == NO_TESTS else status


def run(module: str, *arguments: str) -> int:
    return subprocess.call([sys.executable, "-m", module, *arguments])
