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


def main() -> int:
    """Run every stage up to the first that fails; return its exit status.

    The command line's arguments go to pytest, or to the benchmarks.
    """
    os.chdir(Path(__file__).resolve().parents[1])
    arguments = sys.argv[1:]
    if Path(sys.argv[0]).name == "bench":
        return run("tests.bench", *arguments)
    for stage in STAGES:
        print(f"== {' '.join(stage)} ==", flush=True)
        status = run(*stage, *(arguments if stage[0] == "pytest" else []))
        if status:
            print(f"== {stage[0]} failed ==", file=sys.stderr)
            return status
    return 0


def run(module: str, *arguments: str) -> int:
    return subprocess.call([sys.executable, "-m", module, *arguments])
