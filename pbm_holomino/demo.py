"""`pbm demo`: two players sign up, challenge and move, by mail, before your eyes."""

import os
import secrets
import subprocess
import sys
from collections.abc import Iterator

from pbm_holomino.errors import NotAllowed, StoreTrouble
from pbm_holomino.letters import Answer
from pbm_holomino.library import Library
from pbm_holomino.match import Match
from pbm_holomino.place import open_library
from pbm_holomino.post import OUTBOX
from pbm_holomino.screens import WIDTH

_MOVES = 4


class _Cast:
    """Two players who are new here, and the robot that their mails go to."""

    def __init__(self, library: Library, inbox: str) -> None:
        self.library = library
        self.inbox = inbox
        number = 1
        while library.player(f"ann{number}") or library.player(f"ben{number}"):
            number += 1
        self.names = (f"ann{number}", f"ben{number}")
        self.passwords = {name: secrets.token_hex(4) for name in self.names}
        self.sent = 0

    def send(self, name: str, subject: str, body: str = "") -> None:
        """Mail a command, and print it and each letter that leaves."""
        self.sent += 1
        mail = (
            f"From: {name.capitalize()} <{name}@example.org>\n"
            f"To: pbm@localhost\nSubject: {subject}\n"
            f"Message-ID: <{secrets.token_hex(8)}@example.org>\n\n{body}\n"
        )
        _title(f"{name} mails to the server")
        print(mail.rstrip())
        before = set(self._letters())
        # as procmail runs it, with the store that this process uses
        done = subprocess.run(
            [self.inbox],
            input=mail.encode("ascii"),
            env={**os.environ, "PBM_GAMES": self.library.store.root},
            check=False,
        )
        if done.returncode:
            raise StoreTrouble(f"{self.inbox} has failed with {done.returncode}.")
        for letter in self._letters():
            if letter not in before:
                _title("the server sends a letter")
                with open(letter, encoding="utf-8") as file:
                    print(file.read().rstrip())

    def _letters(self) -> Iterator[str]:
        folder = self.library.store.path(OUTBOX)
        if os.path.isdir(folder):
            for entry in sorted(os.listdir(folder)):
                yield os.path.join(folder, entry)


def show() -> Answer:
    """Play the opening of a new board, and say how to go on with it. Raises
    NotAllowed on a server that sends real mail."""
    library, config = open_library()
    if config.send != "outbox":
        raise NotAllowed(
            "The demo's players have no mailboxes, and this server sends real mail. "
            'Please run it with "PBM_GAMES=/tmp/games" before the command.'
        )
    inbox = os.path.join(os.path.dirname(os.path.abspath(sys.argv[0])), "pbm-inbox")
    cast = _Cast(library, inbox)
    ann, ben = cast.names
    for name in cast.names:
        cast.send(name, f"signup {name} {cast.passwords[name]}")
    cast.send(ann, f"holo challenge {ann} {ben}", "Hello Ben, shall we play?")
    match = library.match("holo", max(library.boards("holo")))
    for _ in range(_MOVES):
        (name,) = match.turn
        move = _best(match)
        cast.send(
            name, f"holo move {match.record.board} {name} {cast.passwords[name]} {move}"
        )
        match = library.match("holo", match.record.board)
    return Answer("\n" + _farewell(match, cast))


def _best(match: Match) -> str:
    """The legal move that scores most; of those, the nearest to the first tile."""
    game, (name,) = match.rules, match.turn
    seat = match.record.players.index(name)

    def worth(move: str) -> tuple[int, int]:
        parsed = game.parse_move(match.state, seat, move)
        after, _ = game.play(match.state, seat, parsed)
        near = -int(move.partition(":")[2])
        return game.view(after, None).scores[seat], near

    return max(match.view(None).legal, key=worth)


def _farewell(match: Match, cast: _Cast) -> str:
    board, (name,) = match.record.board, match.turn
    folder = os.path.dirname(sys.argv[0])
    holo, pbm = (os.path.join(folder, script) for script in ("holo", "pbm"))
    passwords = ", ".join(f"{n} has {p}" for n, p in cast.passwords.items())
    return (
        f"{'=' * WIDTH}\n"
        f"Board {board} is yours now. The passwords: {passwords}.\n"
        f"The files are in {cast.library.store.root}. Look at the board:\n"
        f"  {holo} show {board}\n"
        f"make the next move, which is {name}'s:\n"
        f"  {holo} move {board} {name} {cast.passwords[name]} {_best(match)}\n"
        f"try a move without playing it:\n"
        f"  {holo} preview {board} {match.view(None).legal[0]}\n"
        f"and read on:\n"
        f"  {pbm} help tutorial\n"
    )


def _title(text: str) -> None:
    print(f"\n{f'---- {text} ':-<{WIDTH}}\n", flush=True)
