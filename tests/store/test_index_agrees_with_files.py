"""Whatever happens to a store, its index tells what its files do."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any
from unittest.mock import patch

from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from pbm_holomino.match.board import Match
from pbm_holomino.match.kinds.boards import to_data
from pbm_holomino.store import yaml as strict
from pbm_holomino.store.files import changes, rows
from pbm_holomino.store.files.store import FileStore
from pbm_holomino.store.library import Library
from tests.house import Crash, dying_at
from tests.sizes import sized
from tests.store.shelves import boards, from_files, lists, numbered

BOARDS = st.sampled_from(range(len(boards())))
NUMBERS = st.integers(1, 6)
STEPS = st.integers(1, 14)  # a save has no more, so that some are not killed at all


@contextmanager
def killed_at(last: int) -> Iterator[None]:
    """The process dies in this block, before or after one of what it does to the
    disk."""
    watched = dying_at(last)
    calls = [(os, name) for name in ("write", "fsync", "rename", "unlink", "mkdir")]
    calls += [(rows, "put"), (changes, "remove")]
    with suppress(Crash), ExitStack() as stack:
        for module, name in calls:
            call = watched(getattr(module, name))
            stack.enter_context(patch.object(module, name, call))
        yield


class Kept(RuleBasedStateMachine):
    """Boards are saved, changed by hand, and asked for; processes die at it."""

    def __init__(self) -> None:
        super().__init__()
        memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        self.root = Path(tempfile.mkdtemp(prefix="pbm-index-", dir=memory))
        for game in ("holo", "walomino"):
            (self.root / game).mkdir()
        self.store = FileStore(str(self.root))
        self.library = Library(self.store)
        self.by_hand = False

    def teardown(self) -> None:
        self.ask()
        self.library.lists.scan()
        self.by_hand = False
        self.ask()
        shutil.rmtree(self.root)

    def path(self, board: Match) -> Path:
        record = board.record
        return self.root / record.game / f"{record.board}.yaml"

    @rule(which=BOARDS, number=NUMBERS)
    def save(self, which: int, number: int) -> None:
        self.library.save(numbered(boards()[which], number))

    @rule(which=BOARDS, number=NUMBERS, last=STEPS)
    def die_saving(self, which: int, number: int, last: int) -> None:
        with killed_at(last):
            self.library.save(numbered(boards()[which], number))

    @rule(which=BOARDS, number=NUMBERS)
    def ask_while_one_is_saved(self, which: int, number: int) -> None:
        replace = os.rename

        def asked(*args: Any) -> None:
            Library(self.library.store).lists.boards_of((), "all")
            replace(*args)
            Library(self.library.store).lists.boards_of((), "next", ["walomino"])

        with patch.object(os, "rename", asked):
            self.library.save(numbered(boards()[which], number))

    @rule(last=STEPS)
    def die_asking(self, last: int) -> None:
        with killed_at(last):
            self.library.lists.boards_of((), "next")

    @rule(last=STEPS)
    def die_comparing(self, last: int) -> None:
        with killed_at(last):
            self.library.lists.scan()

    @rule(which=BOARDS, number=NUMBERS)
    def write_by_hand(self, which: int, number: int) -> None:
        board = numbered(boards()[which], number)
        self.path(board).write_bytes(strict.dump(to_data(board)))
        self.by_hand = True

    @rule(which=BOARDS, number=NUMBERS, text=st.sampled_from(["", "[", "a: b\n"]))
    def damage(self, which: int, number: int, text: str) -> None:
        self.path(numbered(boards()[which], number)).write_text(text)
        self.by_hand = True

    @rule(which=BOARDS, number=NUMBERS)
    def delete(self, which: int, number: int) -> None:
        self.path(numbered(boards()[which], number)).unlink(missing_ok=True)
        self.by_hand = True

    @rule()
    def lose_the_index(self) -> None:
        (self.root / changes.INDEX).unlink(missing_ok=True)
        self.by_hand = False

    @rule(at=st.integers(0, 60_000), with_=st.binary(min_size=1, max_size=600))
    def spoil_the_first_page(self, at: int, with_: bytes) -> None:
        path = self.root / changes.INDEX
        if path.exists():
            path.write_bytes(with_ + path.read_bytes()[len(with_) :])

    @rule()
    def compare(self) -> None:
        self.library.lists.scan()
        self.by_hand = False

    @rule()
    def make_anew(self) -> None:
        self.library.lists.scan(anew=True)
        self.by_hand = False

    @rule()
    def ask(self) -> None:
        truth = lists(from_files(self.store))
        told = lists(self.library)
        if not self.by_hand:
            assert told == truth
        # what is changed by hand is noticed where it is told
        for name, entries in told.items():
            if " next " in name or " active " in name or " all " in name:
                assert set_of(entries) <= set_of(truth[name])


def set_of(entries: Any) -> set[str]:
    boards, damaged = entries
    return {*map(repr, boards), *damaged}


Kept.TestCase.settings = settings(
    max_examples=sized(5, 25),
    stateful_step_count=20,
    phases=(Phase.reuse, Phase.generate),  # shrinking takes minutes
)
test_lists_are_the_same_from_the_index_and_from_the_files = Kept.TestCase
