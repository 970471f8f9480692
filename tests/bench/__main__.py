"""Run every benchmark and print one table, under a description of the machine.

`python -m tests.bench [serve|answers|commands|engine|saves|growth|match|imports|
pages]...` runs only those. These are run only when they are named: `huge`, which is
`growth` to 100,000 boards; `memory`, which is a server's after 100,000 mails; and
`many`, which is moves by many connections to one worker or several, over files and over
PostgreSQL.

`python -m tests.bench robots [row]...` plays robots against each other, and `python -m
tests.bench losses` says what the strongest gives away far ahead, behind and between.
`python -m tests.bench beside OTHER [COUNT]` compares what comes of random commands here
and in another checkout, and `python -m tests.bench mutants [COUNT]` says how many small
mistakes the tests notice. `python -m tests.bench goals [ROW]...` says how fast this is,
beside 1.0 and what came before there was one ledger, and how fast it is to be.
"""

import gc
import os
import platform
import re
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp

from tests.bench import (
    answers,
    beside,
    engine,
    goals,
    growth,
    imports,
    losses,
    many,
    memory,
    mutants,
    pages,
    processes,
    robots,
    saves,
    serve,
)
from tests.bench.harness import FOLDER, Row, table

# What is measured on a disk gets a folder on it.
_RACES: dict[str, tuple[Callable[[str], list[Row]], ...]] = {
    "serve": (serve.rates,),  # first: where much has been deleted, disks are slow
    "commands": (processes.commands,),
    "engine": (engine.replays, engine.legal_moves, engine.plies, engine.regions),
    "saves": (saves.saves,),
    "growth": (growth.growth,),
    "huge": (growth.huge,),
}
_REPORTS: dict[str, Callable[[str], str]] = {
    "answers": answers.report,
    "saves": saves.syncs,
    "match": growth.match_report,
    "imports": imports.report,
    "pages": pages.report,
    "memory": memory.report,
    "many": many.report,
}
_ONLY_WHEN_ASKED = {"huge", "memory", "many"}
_PACKAGES = ("click", "PyYAML", "aiosmtpd")


def main() -> int:
    alone: dict[str, Callable[[list[str]], int]] = {
        "robots": robots.main,
        "losses": losses.main,
        "beside": beside.main,
        "mutants": mutants.main,
        "goals": goals.main,
    }
    if measure := alone.get("".join(sys.argv[1:2])):
        return measure(sys.argv[2:])
    names = dict.fromkeys((*_RACES, *_REPORTS))
    chosen = sys.argv[1:] or [name for name in names if name not in _ONLY_WHEN_ASKED]
    unknown = set(chosen) - names.keys()
    if unknown:
        print(f"bench: {' '.join(unknown)}? {__doc__}", file=sys.stderr)
        return os.EX_USAGE
    gc.freeze()  # what the benchmarks themselves hold is nobody's cost
    with TemporaryDirectory(prefix="pbm-bench-", dir=FOLDER) as folder:
        print(machine(folder), flush=True)
        runs = [run for name in chosen for run in _RACES.get(name, ())]
        races = [run(mkdtemp(dir=folder)) for run in runs]
        told = [_REPORTS[name] for name in chosen if name in _REPORTS]
        reports = [report(mkdtemp(dir=folder)) for report in told]
    print("\n".join([table(races), *reports] if races else reports), end="")
    return os.EX_OK


def machine(folder: str) -> str:
    """What the numbers depend on, in two lines."""
    libraries = ", ".join(f"{name} {version(name)}" for name in _PACKAGES)
    python = f"{platform.python_implementation()} {platform.python_version()}"
    system = f"{platform.system()} {platform.release()}"
    cores = f"{os.cpu_count()} cores with load {os.getloadavg()[0]:.1f}"
    return (
        f"{python}, {libraries}\n"
        f"{_processor()}, {cores}, {system}, stores on {_file_system(folder)}\n"
    )


def _processor() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        text = ""
    found = re.search(r"^model name\s*: (.+)$", text, re.MULTILINE)
    return found[1] if found else platform.machine()


def _file_system(folder: str) -> str:
    """The kind of file system that holds a folder."""
    try:
        lines = Path("/proc/mounts").read_text(encoding="utf-8").splitlines()
    except OSError:
        return "an unknown file system"
    kinds = {line.split()[1]: line.split()[2] for line in lines}
    parents = (str(parent) for parent in Path(folder).resolve().parents)
    return next(kinds[parent] for parent in parents if parent in kinds)


if __name__ == "__main__":
    sys.exit(main())
