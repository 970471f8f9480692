"""What the clock brings, by kind of ledger. What is due follows from the ledger alone,
unless its kind has a clock of its own: a module by its name."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from typing import Any

from pbm_holomino import rules
from pbm_holomino.commands.context import Context
from pbm_holomino.letters.writing import Sources, words_of
from pbm_holomino.match import ledgers
from pbm_holomino.match.record import Key, LogLine
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.server.transaction import Server
from pbm_holomino.store.search import Found


class Step(NamedTuple):
    """A ledger `after` what was due has been done, and the sentences about it."""

    after: Any
    said: Sequence[str]


class Clock:
    """What is due on the ledgers in some folders, which are of one kind; these boards
    are `due` by the index of all boards."""

    def __init__(self, server: Server, folders: Sequence[str], due: Found) -> None:
        self.server = server
        self.folders = folders

    def candidates(self) -> Iterable[Key]:
        """The ledgers on which something may be due: all of them."""
        for folder in self.folders:
            kind = ledgers.load(folder)
            names = filter(kind.is_name, self.server.store.names(folder))
            for name in sorted(names, key=int if kind.has_numbers else str):
                yield Key(folder, name)

    def step(self, ledger: Any, context: Context) -> Step | None:
        """What is due on a ledger now, None if nothing is. It may be asked again, if
        somebody has changed the ledger meanwhile.

        These are all lines that the kind demands: each may change what is due next. One
        letter tells all of it.
        """
        kind = ledgers.kind_of(ledger)
        sources = Sources.of(context.library, context.people)
        at_present = words_of(ledger).at_present
        after, said = ledger, list[str]()
        while lines := kind.due(at_present(after, sources), context.now):
            line = self.instead(after, lines[0])
            after = kind.settled(kind.after(after, line), context.now)
            said.append(f"{' '.join(ledger.key)}: {self.said(line)}.")
        return Step(after, said) if said else None

    def instead(self, ledger: Any, line: LogLine[Any]) -> LogLine[Any]:
        """What comes in place of a line that is due on a ledger: usually that line."""
        return line

    def said(self, line: LogLine[Any]) -> str:
        """What a line that was due does."""
        return "what was due is done"


def clocks(server: Server, due: Found) -> Iterator[Clock]:
    """The clocks of all kinds. Accounts come last: digests tell what the clock has
    brought to all others."""
    kinds = dict[str, list[str]]()
    folders = ledgers.folders()
    for folder in sorted(folders, key=lambda name: ledgers.load(name).is_account):
        kinds.setdefault(ledgers.name_of_kind(folder), []).append(folder)
    own = rules.modules_of(sys.modules[__name__])
    for kind, its in kinds.items():
        made = import_module(f"{__name__}.{kind}").Clock if kind in own else Clock
        clock: Clock = made(server, its, due)
        yield clock
