"""Players who send their moves by LMTP while the database fails, and send what was not
answered again."""

import smtplib
from collections.abc import Iterable
from threading import Event, Thread

from tests.house import home
from tests.postgres.scene import Move
from tests.processes import PATIENCE, send, wait_until


class Player:
    """One client, who sends these moves one after the other; each mail comes again
    until it is answered with 250. `answered` are the moves that were."""

    def __init__(self, path: str, moves: Iterable[Move]) -> None:
        self.answered: list[Move] = []
        self._path = path
        self._moves = list(moves)
        self._ended = Event()
        self._thread = Thread(target=self._play)
        self._thread.start()

    def _play(self) -> None:
        for move in self._moves:
            while not self._is_answered(move):
                if self._ended.wait(0.05):
                    return
            self.answered.append(move)

    def _is_answered(self, move: Move) -> bool:
        try:
            return send(self._path, move.mail, home(move.who))[0] == 250
        except (OSError, smtplib.SMTPException):
            return False

    def end(self) -> None:
        """Send nothing again."""
        self._ended.set()
        self._thread.join(PATIENCE)

    def has_ended(self) -> bool:
        return not self._thread.is_alive()


def wait_for_answers(players: Iterable[Player], more: int) -> None:
    """Return when so many more moves have been answered than now."""
    players = list(players)
    goal = count_answers(players) + more
    wait_until(lambda: count_answers(players) >= goal, f"{goal} answers")


def count_answers(players: Iterable[Player]) -> int:
    return sum(len(player.answered) for player in players)
