"""Players who send their moves by LMTP while something fails, and send again what was
not answered."""

import smtplib
from contextlib import ExitStack
from threading import Event, Thread

from tests.house import home
from tests.postgres.scene import BOARDS, Machine, Move, assert_played, moves
from tests.processes import PATIENCE, resident, send, wait_until
from tests.sizes import sized

# Moves of each game: so many that nobody has made all of them before something fails.
LENGTH = sized(12, 38)


class Player:
    """A client who plays a board, both sides, move by move. A mail comes again until it
    is answered with 250; `answered` is how many moves were."""

    def __init__(self, path: str, board: int) -> None:
        self.moves = moves(board)[:LENGTH]
        self.answered = 0
        self._path = path
        self._ended = Event()
        self._thread = Thread(target=self._play)
        self._thread.start()

    def _play(self) -> None:
        for move in self.moves:
            while not self._is_answered(move):
                if self._ended.wait(0.05):
                    return
            self.answered += 1

    def _is_answered(self, move: Move) -> bool:
        try:
            return send(self._path, move.mail, home(move.who))[0] == 250
        except (OSError, smtplib.SMTPException):
            return False  # the server was killed

    def end(self) -> None:
        """Send nothing again."""
        self._ended.set()
        self._thread.join(PATIENCE)


class Table:
    """Eight players, each on a board of their own, and the server they write to."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._stack = ExitStack()
        self.server = self._stack.enter_context(resident(machine))
        self._players = [Player(self.server.path, b) for b in BOARDS]

    def answered(self) -> int:
        """How many moves have been answered."""
        return sum(player.answered for player in self._players)

    def are_all_playing(self) -> bool:
        """Whether each player has moves left."""
        return all(player.answered < len(player.moves) for player in self._players)

    def wait_for(self, more: int) -> None:
        """Return when so many more moves have been answered than now."""
        goal = self.answered() + more
        wait_until(lambda: self.answered() >= goal, f"{goal} answers")

    def replace_server(self) -> None:
        """Kill the server, and start another one."""
        self.server.process.kill()
        self.server = self._stack.enter_context(resident(self._machine))

    def finish(self) -> None:
        """Let all moves be sent: each of them is made, and once."""
        every = [move for player in self._players for move in player.moves]
        wait_until(
            lambda: self.answered() == len(every),
            "the last answers",
            so_far=self.answered,
        )
        assert_played(self._machine, every)

    def close(self) -> None:
        for player in self._players:
            player.end()
        self._stack.close()
