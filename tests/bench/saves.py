"""What a save costs, beside the least that a durable one can."""

import os
from collections.abc import Callable
from itertools import count
from unittest.mock import patch

from pbm_holomino.match.kinds.boards import to_data
from pbm_holomino.store import yaml as strict
from tests.bench import positions
from tests.bench.harness import Contender, Row, race
from tests.bench.positions import files_of

_ROUNDS = 100


def saves(root: str) -> list[Row]:
    """Saving a board of 20 tiles, in a new store in this folder."""
    shelf = positions.new_library(os.path.join(root, "saves"))
    board = positions.at_tiles(20)
    data = to_data(board)
    text = strict.dump(data)
    lines = count()
    return race(
        _ROUNDS,
        Contender(
            f"bare write-fsync-rename-fsync ({len(text)} bytes)",
            lambda: save_bare(files_of(shelf).path(positions.GAME), text),
        ),
        Contender(
            "save of a board's data",
            lambda: shelf.store.save(positions.GAME, "1", data),
        ),
        Contender("  making its text", lambda: strict.dump(to_data(board))),
        Contender(
            "save of a board, its letters marked",
            lambda: shelf.save(board, unsent=next(lines)),
        ),
    )


def syncs(root: str) -> str:
    """How often a save and a whole move by mail ask the disk to be done."""
    shelf = positions.new_library(os.path.join(root, "syncs"))
    board = positions.at_tiles(20)
    save = _syncs(lambda: shelf.save(board, unsent=0))
    letter = _syncs(lambda: files_of(shelf).kept.put("outbox", "1.eml", b"Hello"))
    return (
        f"fsyncs: {save} for a save with its marks, which commits a move; {letter} for "
        "each letter\nin the outbox, before its mark goes\n"
    )


def _syncs(act: Callable[[], None]) -> int:
    """How many fsyncs an act makes when it is done again."""
    act()
    with patch("os.fsync", wraps=os.fsync) as seen:
        act()
    return seen.call_count


def save_bare(folder: str, text: bytes, name: str = "bare") -> None:
    """Replace a file in the least way that lasts."""
    beside = os.path.join(folder, f"{name}.new")
    fd = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    os.write(fd, text)
    os.fsync(fd)
    os.close(fd)
    os.rename(beside, os.path.join(folder, name))
    fd = os.open(folder, os.O_RDONLY)
    os.fsync(fd)
    os.close(fd)
