"""How fast this checkout is to be, beside 1.0 and what came before there was one
ledger: `bin/bench goals [ROW]... [--beside NAME=CHECKOUT]...`.

Each checkout is measured with its own commands, on stores that it has made itself, in
its own environment; they take turns, and the least counts that each has taken. Without
--beside, the other checkouts are made from the history of this one, and set up (which
needs the network). F is the time of `python -c pass` in a checkout's environment. What
a command costs alone is time of the processor; where it waits for a server, the
clock's, which needs a machine that does nothing else.

The rows:
    show      a command that shows a board, alone
    mail      a move by pbm-inbox, alone
    serve     a move in "pbm serve", to the answer where one comes every 20 ms, and
              back to back until no letter is due any more; beside a bare LMTP server
              that only saves each mail
    hand      what pbm-inbox hands over to a server: a bounce, and a move
    crowd     moves a second in one worker with eight connections, to those with one,
              on boards that it remembers and on others
    workers   moves a second in two workers, to those in one, by eight connections
    way       what files a mail goes through (see way.py)
"""

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import repeat
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from time import perf_counter, sleep
from typing import NamedTuple

from tests.bench.commands import environment, mail_text, run
from tests.bench.crowd import deliver
from tests.bench.harness import FOLDER, Time, time_of
from tests.bench.serve import BARE, as_sent, running, seconds_used, served
from tests.needs import BEFORE_LEDGERS, git
from tests.paths import ROOT

WAY = ROOT / "tests" / "bench" / "way.py"
# The checkouts that are made where none are given, by their commits.
_HISTORY = {"1.0": "5dd3ffe", "before": BEFORE_LEDGERS}
_NOW = "now"
_GAME = "holo"  # whose boards serve.lay makes

_ROUNDS = 21  # of commands
_PAUSE = 0.02  # seconds from one mail to the next
_AT_EASE = 15  # mails in each turn of a server that has such pauses
_TURNS = 10
_BURST = 50  # mails back to back
_BURSTS = 7
_CONNECTIONS = 8
_PATIENCE = 30  # seconds for letters to leave


class Line(NamedTuple):
    """A line of the table: what is measured, in what unit, for each checkout; and what
    is to be reached. A checkout without a number cannot do it."""

    what: str
    values: Sequence[float | None]
    goal: str
    unit: str = ""


class Checkout(NamedTuple):
    """A checkout that is measured."""

    name: str
    root: Path

    @property
    def python(self) -> str:
        """That of its environment."""
        own = self.root / ".venv" / "bin" / "python"
        return str(own) if own.exists() else sys.executable

    def do_nothing(self) -> None:
        """What every command pays for: F."""
        run((self.python, "-c", "pass"))

    def command(self, name: str) -> str:
        return str(self.root / "bin" / name)

    def serve(self, *words: str) -> tuple[str, ...]:
        """The words that start its server."""
        return (self.python, str(self.root / "bin" / "run.py"), "pbm", "serve", *words)

    def asked(self, *words: str, store: str = "") -> str:
        """What a script of this checkout's prints."""
        return subprocess.run(
            [self.python, "-P", *words],
            env={**environment(store), "PYTHONPATH": str(self.root)},
            cwd=FOLDER,
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        ).stdout


class Games:
    """A store that a checkout has made, with boards on which one move each is due, and
    the mails that make them."""

    def __init__(
        self, checkout: Checkout, folder: str, boards: int, hashed: bool = False
    ) -> None:
        self.checkout, self.folder = checkout, f"{folder}/{checkout.name}"
        how = (self.folder, boards, hashed)
        checkout.asked("-c", f"from tests.bench import serve; serve.lay(*{how})")
        self._numbers = iter(range(1, boards + 1))
        self._used: list[int] = []
        self._laid = max(self._saved(number) for number in range(1, boards + 1))

    def _saved(self, number: int) -> int:
        """When a board was saved, in nanoseconds."""
        return Path(self.folder, _GAME, f"{number}.yaml").stat().st_mtime_ns

    def mail(self) -> str:
        """The path of a mail with a move on the next board."""
        number = next(self._numbers)
        self._used.append(number)
        return f"{self.folder}/{number}.eml"

    def mails(self, count: int) -> list[bytes]:
        """So many of them, as LMTP carries them."""
        return [as_sent(Path(self.mail()).read_bytes()) for _ in range(count)]

    def give(self, stdin: str) -> None:
        """Give a mail to pbm-inbox."""
        run((self.checkout.command("pbm-inbox"),), stdin, self.folder)

    def move(self) -> None:
        """Make a move by pbm-inbox."""
        self.give(self.mail())

    def bounce(self) -> None:
        """Give a mail to pbm-inbox with which nothing is done."""
        path = Path(self.folder, "bounce.eml")
        if not path.exists():
            text = mail_text("mailer-daemon", 1, "help")
            path.write_text(text, encoding="ascii")
        self.give(str(path))

    def show(self) -> None:
        """Show the first board."""
        run((self.checkout.command(_GAME), "show", "1"), store=self.folder)

    def has_marks(self) -> bool:
        """Whether letters are due still."""
        with os.scandir(f"{self.folder}/{_GAME}") as entries:
            return any(entry.name.endswith(".unsent") for entry in entries)

    def wait_for_letters(self) -> None:
        """Wait until all letters have left."""
        end = perf_counter() + _PATIENCE
        while self.has_marks() and perf_counter() < end:
            sleep(0.001)

    def check(self) -> None:
        """Make sure that every mail has made its move, and that its letters have
        left. Raises RuntimeError."""
        undone = [n for n in self._used if self._saved(n) <= self._laid]
        outbox = Path(self.folder, "outbox")
        letters = len(list(outbox.iterdir())) if self._used else 0
        if undone or letters < len(self._used) or self.has_marks():
            raise RuntimeError(f"{self.checkout.name}: {undone}, {letters} letters")


# Measuring

_Checkouts = Sequence[Checkout]


@contextmanager
def _games(
    checkouts: _Checkouts, boards: int, hashed: bool = False
) -> Iterator[list[Games]]:
    """A store of each checkout, on which everything is done in the end."""
    with TemporaryDirectory(prefix="pbm-goals-", dir=FOLDER) as folder:
        stores = [Games(each, folder, boards, hashed) for each in checkouts]
        yield stores
        for games in stores:
            games.check()


def _least(rounds: int, *acts: Callable[[], object]) -> list[Time]:
    """The least that each act takes, by the clock and by the processor, when they take
    turns, after one for warming up: what else the machine does only adds to it."""
    times: list[list[Time]] = [[] for _ in acts]
    for act in acts:
        act()
    for turn in range(rounds):
        for number in random.Random(turn).sample(range(len(acts)), len(acts)):
            times[number].append(time_of(acts[number]))
    return [Time(*map(min, zip(*taken, strict=True))) for taken in times]


_Act = Callable[[], object]


def _to_nothing(*racers: Sequence[_Act], is_alone: bool) -> list[list[float]]:
    """What each checkout's commands take beside a Python that does nothing, which comes
    first: the processor's time if they do all of it themselves, or the clock's."""
    times = iter(_least(_ROUNDS, *(act for acts in racers for act in acts)))
    taken = [[next(times) for _ in acts] for acts in racers]
    used = [[t.cpu if is_alone else t.clock for t in each] for each in taken]
    return [[time / nothing for time in rest] for nothing, *rest in used]


def _show(checkouts: _Checkouts) -> list[Line]:
    with _games(checkouts, 1) as stores:
        costs = _to_nothing(
            *((games.checkout.do_nothing, games.show) for games in stores),
            is_alone=True,
        )
    return [Line("holo show, alone", [cost for (cost,) in costs], "≤ 6.0", "F")]


def _mail(checkouts: _Checkouts) -> list[Line]:
    count = _ROUNDS + 1
    with _games(checkouts, count) as plain, _games(checkouts, count, True) as hashed:
        pairs = zip(plain, hashed, strict=True)
        costs = _to_nothing(
            *((one.checkout.do_nothing, one.move, other.move) for one, other in pairs),
            is_alone=True,
        )
    without, with_hash = zip(*costs, strict=True)
    return [
        Line("a mail by process, no hash", without, "≤ 8.0", "F"),
        Line("a mail by process, hash", with_hash, "≤ 12.4", "F"),
    ]


def _hand(checkouts: _Checkouts) -> list[Line]:
    with _games(checkouts, _ROUNDS + 1, True) as stores, ExitStack() as stack:
        for games in stores:
            stack.enter_context(running(games.folder, games.checkout.serve()))
        costs = _to_nothing(
            *(
                (games.checkout.do_nothing, games.bounce, games.move)
                for games in stores
            ),
            is_alone=False,
        )
        for games in stores:
            games.wait_for_letters()
    bounces, moves = zip(*costs, strict=True)
    return [
        Line("hand-over of a bounce", bounces, "≤ 1.2", "F"),
        Line("hand-over of a move", moves, "≤ 1.6", "F"),
    ]


def _serve(checkouts: _Checkouts) -> list[Line]:
    boards = _TURNS * _AT_EASE + (_BURSTS + 1) * _BURST
    nothing = as_sent(mail_text("alice", 1, "help").encode())
    with _games(checkouts, boards) as stores, ExitStack() as stack:
        enter = stack.enter_context
        folder = enter(TemporaryDirectory(prefix="pbm-goals-", dir=FOLDER))
        bare = enter(served(folder, (sys.executable, "-c", BARE))).deliver
        ways = [
            enter(served(games.folder, games.checkout.serve())).deliver
            for games in stores
        ]
        times: list[list[float]] = [[] for _ in (bare, *ways)]
        for turn in range(_TURNS):
            for number in random.Random(turn).sample(range(len(times)), len(times)):
                if number:
                    mails = stores[number - 1].mails(_AT_EASE)
                    times[number] += _at_ease(ways[number - 1], mails)
                    stores[number - 1].wait_for_letters()
                else:
                    times[0] += _at_ease(bare, [nothing] * _AT_EASE)
        one, *bursts = _least(
            _BURSTS,
            lambda: [bare(nothing) for _ in range(_BURST)],
            *map(partial, repeat(_burst), ways, stores),
        )
    least, *others = map(_early, times)
    # mostly what the disk takes for two fsyncs, and by that all ratios are to be read
    bares = [
        Line(f"a bare server, {how}", [1000 * time for _ in ways], "", "ms")
        for how, time in (
            ("a mail every 20 ms", least),
            ("back to back", one.clock / _BURST),
        )
    ]
    return [
        *bares,
        Line(
            "pbm serve, a mail every 20 ms",
            [time / least for time in others],
            "≤ 2.2",
            "bare",
        ),
        Line(
            "pbm serve, back to back, with letters",
            [burst.clock / one.clock for burst in bursts],
            "≤ 3.0",
            "bare",
        ),
    ]


def _at_ease(deliver: Callable[[bytes], None], mails: Sequence[bytes]) -> list[float]:
    """Seconds to each mail's answer, with a pause after each."""
    times = []
    for mail in mails:
        before = perf_counter()
        deliver(mail)
        times.append(perf_counter() - before)
        sleep(max(0.0, _PAUSE - times[-1]))
    return times


def _early(times: Sequence[float]) -> float:
    """The time within which a quarter was done: of single answers, the least would be
    luck."""
    return quantiles(times, n=4)[0]


def _burst(deliver: Callable[[bytes], None], games: Games) -> None:
    for mail in games.mails(_BURST):
        deliver(mail)
    games.wait_for_letters()


def _crowd(checkouts: _Checkouts) -> list[Line]:
    what = "one worker, eight connections ÷ one"
    lines = []
    for name, is_new, goal in ((what, False, "≥ 1.0"), ("… new boards", True, "≥ 0.8")):
        times = [_one_and_eight(each, is_new) for each in checkouts]
        clocks = [one.clock / eight.clock for one, eight in times]
        used = [one.cpu / eight.cpu for one, eight in times]
        lines += [
            Line(name, clocks, goal),
            Line("… by the worker's processor", used, ""),
        ]
    return lines


def _one_and_eight(checkout: Checkout, is_new: bool) -> list[Time]:
    """The least by the clock that some moves take in one worker, to the last letter,
    with one connection and with eight, and what all of them take of the processor. New
    are boards that come into the store when the server has started."""
    several = (1, _CONNECTIONS)
    boards = (_BURSTS + 1) * _BURST * len(several)
    with _games([checkout], boards) as (games,):
        folder = Path(games.folder, _GAME)
        away = Path(games.folder, "away")
        if is_new:
            folder.rename(away)
            shutil.copytree(away, folder, ignore=lambda *_: _documents(away))
        with running(games.folder, checkout.serve()) as process:
            for name in _documents(away) if is_new else ():
                (away / name).rename(folder / name)
            used = dict.fromkeys(several, 0.0)

            def flood(connections: int) -> None:
                before = seconds_used(process)
                _flood(games, connections)
                used[connections] += seconds_used(process) - before

            times = _least(_BURSTS, *(partial(flood, count) for count in several))
    return [
        Time(time.clock, used[count])
        for time, count in zip(times, several, strict=True)
    ]


def _documents(folder: Path) -> list[str]:
    return [path.name for path in folder.glob("*.yaml")]


def _flood(games: Games, connections: int) -> None:
    path, mails = f"{games.folder}/lmtp", games.mails(_BURST)
    deliver(path, mails, connections, _unasked, _unasked)
    games.wait_for_letters()


def _unasked() -> float:
    """What a crowd costs others is not asked here."""
    return 0.0


def _workers(checkouts: _Checkouts) -> list[Line]:
    values = [_two_workers(each) for each in checkouts]
    goal = "≥ 1.7 on four cores"
    return [Line("two workers ÷ one, eight connections", values, goal)]


def _two_workers(checkout: Checkout) -> float | None:
    boards = (_BURSTS + 1) * _BURST
    with ExitStack() as stack:
        stores = [stack.enter_context(_games([checkout], boards))[0] for _ in range(2)]
        for count, games in enumerate(stores, 1):
            command = checkout.serve("--workers", str(count))
            stack.enter_context(running(games.folder, command))
            if not os.path.exists(f"{games.folder}/lmtp"):
                return None
        floods = [partial(_flood, games, _CONNECTIONS) for games in stores]
        one, two = _least(_BURSTS, *floods)
        return one.clock / two.clock


def _way(checkouts: _Checkouts) -> list[Line]:
    counts = []
    for checkout in checkouts:
        with _games([checkout], 1) as (games,):
            words = (str(WAY), games.mail())
            counts.append(json.loads(checkout.asked(*words, store=games.folder)))
            games.wait_for_letters()
    files, stops, climbs = zip(*counts, strict=True)
    return [
        Line("one mail's way: files entered", files, "≤ 30"),
        Line("one mail's way: stops", stops, ""),
        Line("one mail's way: climbs back", climbs, "≤ 40"),
    ]


ROWS: Mapping[str, Callable[[_Checkouts], list[Line]]] = {
    "show": _show,
    "mail": _mail,
    "serve": _serve,
    "hand": _hand,
    "crowd": _crowd,
    "workers": _workers,
    "way": _way,
}


# The table


def main(words: Sequence[str]) -> int:
    """Print the table, or these rows of it."""
    given = _parser().parse_args(words)
    with ExitStack() as stack:
        others = given.beside or [*stack.enter_context(_from_history())]
        checkouts = [*others, Checkout(_NOW, ROOT)]
        print(_row("", [each.name for each in checkouts], "to reach"))
        for name in given.rows or ROWS:
            for line in ROWS[name](checkouts):
                shown = map(partial(_shown, line.unit), line.values)
                print(_row(line.what, [*shown], line.goal), flush=True)
    return os.EX_OK


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "bench goals",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("rows", nargs="*", choices=(*ROWS, []), metavar="ROW")
    parser.add_argument(
        "--beside", action="append", type=_named, metavar="NAME=CHECKOUT"
    )
    return parser


def _named(word: str) -> Checkout:
    name, _, root = word.rpartition("=")
    return Checkout(name or Path(root).name, Path(root).resolve())


@contextmanager
def _from_history() -> Iterator[list[Checkout]]:
    with TemporaryDirectory(prefix="pbm-goals-", dir=FOLDER) as folder:
        yield [
            made(name, commit, Path(folder, name)) for name, commit in _HISTORY.items()
        ]


def made(name: str, commit: str, root: Path) -> Checkout:
    """A checkout of an earlier commit in a new folder, with the environment of its
    server."""
    root.mkdir()
    archive = git("archive", commit)
    archive.check_returncode()
    subprocess.run(["tar", "-x", "-C", str(root)], input=archive.stdout, check=True)
    checkout = Checkout(name, root)
    # Whatever it makes of the word, it first sets up what the command needs.
    words = [checkout.command("pbm"), "serve", "nothing"]
    subprocess.run(words, env=environment(str(root / "games")), check=False)
    return checkout


def _shown(unit: str, value: float | None) -> str:
    if value is None:
        return "–"
    if isinstance(value, int):
        return str(value)
    return f"{value:.2f} {unit}".rstrip()


def _row(what: str, values: Sequence[str], goal: str) -> str:
    columns = "".join(f"  {value:>10}" for value in values)
    return f"{what:46}{columns}  {goal}".rstrip()
