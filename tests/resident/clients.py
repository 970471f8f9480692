"""Clients that play on a server at once, and send a mail again until it is answered."""

import smtplib
import threading
from contextlib import suppress
from time import monotonic

from pbm_holomino.match.board import Match
from pbm_holomino.store.library import Library
from tests.boards import letter_id
from tests.house import House, home
from tests.processes import PATIENCE
from tests.resident.desk import mail, move
from tests.storage import KEY


class Playing(threading.Thread):
    """A client who plays both sides of a board, and takes part in another one whenever
    a move there is due.

    `made` has the moves that it has made on its own board, `answered` how many mails
    were answered with 250, and `again` how many tries were not.
    """

    def __init__(self, house: House, path: str, own: int, common: int, moves: int):
        super().__init__()
        self._house, self._path = house, path
        self._boards, self._moves = (own, common), moves
        self._client: smtplib.LMTP | None = None
        self.made: list[str] = []
        self.answered = self.again = 0

    def run(self) -> None:
        own, common = self._boards
        for number in range(self._moves):
            line = self._play(own, f"{own}.{number}")
            self.made.append(line.split()[-1])
            self._play(common, f"{own}.{number}.common")
        if self._client is not None:
            self._client.close()

    def _play(self, board: int, name: str) -> str:
        """Send a move that is due, until it is answered; the line."""
        (who,) = Library(self._house.store).match("holo", board).turn
        line = move(self._house, who, board)
        raw, end = mail(who, line, name).decode(), monotonic() + PATIENCE
        while not self._is_done(who, raw):
            self.again += 1
            assert monotonic() < end
        self.answered += 1
        return line

    def _is_done(self, who: str, raw: str) -> bool:
        with suppress(OSError):  # smtplib's errors are such
            if self._client is None:
                self._client = smtplib.LMTP(self._path, timeout=PATIENCE)
            self._client.sendmail(home(who), ["pbm@localhost"], raw)
            return True
        self._client = None
        return False


def letters_of(match: Match) -> set[str]:
    """The names of the files with all letters about the moves on a board."""
    record = match.record
    return {
        f"{letter_id(match, line, reader, KEY)}.eml"
        for line in (number for number, each in enumerate(record.log) if each.no)
        for reader in record.players
    }
