"""The statements of a move, as a script for pgbench: what a move costs a database that
has nothing else to do, as when many machines share it.

One move is made through a real store, and what it asked of the database is asked again
of any of its boards, in the same exchanges.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import NamedTuple
from unittest import mock

from pbm_holomino.store.library import Library
from pbm_holomino.store.postgres import statements as sql
from pbm_holomino.store.postgres.connection import Call, Connection, Row, Value, encoded
from pbm_holomino.store.postgres.documents import revision_of
from tests.bench import positions, serve
from tests.bench.commands import cheap_hash
from tests.postgres.scene import Machine

_BOARDS = 1000
_BOARD = "board"  # the variable that holds the number of the board


class Script(NamedTuple):
    """A script for pgbench, and the values of its variables."""

    text: str
    values: dict[str, str]

    def options(self, path: Path) -> list[str]:
        """The options for pgbench; the script is written to this file."""
        path.write_text(self.text, encoding="ascii")
        words = ["-f", str(path)]
        for name, value in self.values.items():
            words += ["-D", f"{name}={value}"]
        return words


@contextmanager
def recorded() -> Iterator[list[list[Call]]]:
    """What is asked of databases meanwhile, exchange by exchange."""
    exchanges: list[list[Call]] = []
    run = Connection.run

    def noted(
        self: Connection,
        calls: Sequence[Call],
        within: float | None = None,
        then: Sequence[Call] = (),
    ) -> list[list[Row]]:
        exchanges.append([*calls, *then])
        return run(self, calls, within, then)

    with mock.patch.object(Connection, "run", noted):
        yield exchanges


def of_move(folder: Path, url: str) -> Script:
    """What a move asks of this new database, through a home in this folder: of the
    first of many boards, and then of any."""
    machine = Machine(folder, url)
    library = Library(machine.store)
    positions.save_players(library, cheap_hash())
    first, second, *_ = serve.lay_boards(library, range(1, _BOARDS + 1))
    assert machine.receive(second.encode("ascii")) == 250  # the players are known then
    with recorded() as exchanges:
        assert machine.receive(first.encode("ascii")) == 250
    machine.close()
    return script(exchanges, 1, _BOARDS)


def script(exchanges: Sequence[Sequence[Call]], board: int, boards: int) -> Script:
    """What was asked about a board, asked about one of so many. Each finds the
    revision that this leaves behind, as a worker does that remembers its boards."""
    calls = [call for exchange in exchanges for call in exchange]
    (text,) = (call.values[2] for call in calls if _saves(call, board))
    assert isinstance(text, bytes)
    known = revision_of(text)
    values: dict[str, str] = {}
    names = (f"value{number}" for number in count())
    lines = [f"\\set {_BOARD} random(1, {boards})"]
    for exchange in exchanges:
        lines.append("\\startpipeline")
        lines += (_line(call, board, known, names, values) for call in exchange)
        lines.append("\\endpipeline")
    return Script("".join(f"{line}\n" for line in lines), values)


def _saves(call: Call, board: int) -> bool:
    return call.sql == sql.SAVE and call.values[1] == str(board)


def _line(
    call: Call, board: int, known: bytes, names: Iterator[str], values: dict[str, str]
) -> str:
    """A statement with variables of pgbench for its parameters; each gets its value."""
    given = list(call.values)
    if call.sql == sql.LOCK:
        given[2] = known
    words = dict[str, str]()
    for number, value in enumerate(given, 1):
        if value is None or value == "":  # which no variable can be
            words[f"${number}"] = "NULL" if value is None else "''"
        elif value == str(board):
            words[f"${number}"] = f":{_BOARD}"
        else:
            name = next(names)
            words[f"${number}"], values[name] = f":{name}", _as_text(value)
    text = re.sub(r"\$\d+", lambda found: words[found[0]], call.sql.decode("ascii"))
    return f"{text.strip()};"


def _as_text(value: Value) -> str:
    if isinstance(value, bytes):
        return f"\\x{value.hex()}"
    return (encoded(value) or b"").decode()
