"""What a move by mail imports, and how long that takes."""

import os
import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from statistics import median

from tests.bench.commands import BenchTable, by_python, environment, lay_table
from tests.bench.harness import Contender, duration, race
from tests.bench.positions import files_of
from tests.bench.processes import NOTHING

_ROUNDS = 9
_PACKAGES = ("pbm_holomino", "click", "yaml", "email")
_PYTHON = "python"  # whatever it imports before a command does
_LINE = re.compile(r"import time: +(\d+) \| +\d+ \| ( *)(\S+)")
_MOST_LISTED = 6

# microseconds by the package that asked and the module's own
Costs = Counter[tuple[str, str]]


def report(root: str) -> str:
    """What each package costs at import, in a new store in this folder: its own
    modules, and those that nobody imported before it.

    What is loaded by importlib.import_module, as the rules are, does not show.
    """
    table = lay_table(os.path.join(root, "imports"), _ROUNDS + 1)
    logs: list[str] = []
    collect = Contender("", lambda: logs.append(_import_log(table)))
    nothing, _ = race(_ROUNDS, NOTHING, collect)
    costs = _medians([_costs(log) for log in logs[1:]])
    shares = sorted(_PACKAGES, key=lambda package: -_share(costs, package))
    lines = [
        "Imports of pbm-inbox with a move (-X importtime), by the package that asks",
        "",
        f"{'':12}   {'median':>10}  {'ratio':>7}  of which",
        *(_line(costs, package, nothing.seconds) for package in shares),
        _row("all", sum(_share(costs, p) for p in shares), nothing.seconds, ""),
    ]
    return "".join(f"{line}\n" for line in lines)


def _import_log(table: BenchTable) -> str:
    interpreter, *words = by_python("pbm-inbox")
    with open(table.mail(next(table.unused)), encoding="ascii") as mail:
        return subprocess.run(
            [interpreter, "-X", "importtime", *words],
            stdin=mail,
            stderr=subprocess.PIPE,
            env=environment(files_of(table.library).root),
            check=True,
            text=True,
        ).stderr


def _costs(log: str) -> Costs:
    costs: Costs = Counter()
    for microseconds, askers in _modules(log):
        package = next((p for p in map(_root, askers) if p in _PACKAGES), _PYTHON)
        costs[package, _root(askers[0])] += microseconds
    return costs


def _modules(log: str) -> Iterator[tuple[int, list[str]]]:
    """The microseconds of each module, without those of its own imports, and its name,
    followed by the module that imported it, and so on up."""
    askers: list[str] = []
    # a module's line comes after those of the modules that it imported
    for line in reversed(log.splitlines()):
        if found := _LINE.fullmatch(line):
            microseconds, indent, module = found.groups()
            askers[len(indent) // 2 :] = [module]
            yield int(microseconds), askers[::-1]


def _root(module: str) -> str:
    return module.partition(".")[0]


def _medians(runs: list[Costs]) -> Costs:
    keys = {key for run in runs for key in run}
    return Counter({key: round(median(run[key] for run in runs)) for key in keys})


def _share(costs: Costs, package: str) -> float:
    """Seconds in all modules that the package was the first to ask for."""
    return sum(cost for (asker, _), cost in costs.items() if asker == package) / 1e6


def _line(costs: Costs, package: str, nothing: float) -> str:
    modules = Counter(
        {module: cost for (asker, module), cost in costs.items() if asker == package}
    )
    listed = ", ".join(
        f"{module} {cost / 1e6 / nothing:.2f}"
        for module, cost in modules.most_common(_MOST_LISTED)
    )
    return _row(package, _share(costs, package), nothing, listed)


def _row(what: str, seconds: float, nothing: float, remark: str) -> str:
    row = f"{what:12}   {duration(seconds):>10}  {seconds / nothing:7.2f}  {remark}"
    return row.rstrip()
