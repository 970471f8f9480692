"""The kind of ledger that a player's notes on a board are, and the copy of them that
everybody can read."""

from collections.abc import Mapping
from typing import Any

from pbm_holomino.errors import NotFound
from pbm_holomino.languages import sentence
from pbm_holomino.match import notebook
from pbm_holomino.match.ledgers import Kind
from pbm_holomino.match.notebook import Notebook
from pbm_holomino.match.record import Key, LogLine


class _Notes(Kind[Notebook]):
    named_after = "a player and a board"
    has_numbers = False

    def is_name(self, name: str) -> bool:
        return notebook.parse_name(name) is not None

    def load(
        self, key: Key, data: Mapping[str, Any], earlier: Notebook | None
    ) -> Notebook:
        found = notebook.from_data(data)
        if found.key != key:
            raise ValueError(f"it says it is {found.key.name}")
        return found

    def dump(self, ledger: Notebook) -> dict[str, Any]:
        return notebook.to_data(ledger)

    def numbers(self, ledger: Notebook) -> list[int]:
        return [line.no for line in ledger.log if line.no is not None]

    def line(self, ledger: Notebook, number: int) -> LogLine[str]:
        return ledger.log[self.numbers(ledger).index(number)]

    def after(self, ledger: Notebook, line: LogLine[str]) -> Notebook:
        """The only line that comes from elsewhere is that the account is deleted."""
        return notebook.erased(ledger, line)

    def marked(self, before: Notebook | None, after: Notebook) -> None:
        """Nobody gets a letter about notes."""

    def lines_for(self, ledger: Notebook, reader: str) -> int:
        return len(ledger.nodes)

    def missing(self, key: Key) -> NotFound:
        return NotFound(sentence("There are no notes of yours on that board."))


KIND = _Notes()
