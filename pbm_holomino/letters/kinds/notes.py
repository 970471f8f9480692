"""Notes: nobody gets a letter about them. Who writes them is answered at once, by
`commands.notes`."""

from pbm_holomino.letters.content import Content
from pbm_holomino.letters.writing import Notice, Sources, Words
from pbm_holomino.match.account import Player
from pbm_holomino.match.notebook import Notebook
from pbm_holomino.store.people import People


class _Notes(Words[Notebook]):
    def readers(self, ledger: Notebook, line: int, sources: Sources) -> tuple[str, ...]:
        return ()

    def answers_author(self, ledger: Notebook, line: int) -> bool:
        return False

    def notice(
        self,
        ledger: Notebook,
        line: int,
        reader: str,
        player: Player,
        sources: Sources,
    ) -> Notice:
        raise LookupError(reader)

    def said(self, ledger: Notebook, line: int, people: People) -> Content:
        return ()


WORDS = _Notes()
