"""`pbm demo`: two players sign up, challenge and move, by mail, before your eyes."""

import os
import re
import secrets
import shlex
import subprocess
from collections.abc import Iterator

from pbm_holomino import rules
from pbm_holomino.commands.request import Answer, Request
from pbm_holomino.errors import BadCommand, NotAllowed, StoreTrouble
from pbm_holomino.match.board import Match
from pbm_holomino.owner import web
from pbm_holomino.owner.sample import folder_of_programs
from pbm_holomino.sentences import WIDTH
from pbm_holomino.server import open as opener
from pbm_holomino.store.home import OUTBOX, Home
from pbm_holomino.store.library import Library

_MOVES = 5  # of each game


class _Cast:
    """Two new players, and the program that their mails are handed to."""

    def __init__(self, library: Library, home: Home, inbox: str) -> None:
        self.library = library
        self.home = home
        self.inbox = inbox
        number = 1
        while library.player(f"ann{number}") or library.player(f"ben{number}"):
            number += 1
        self.names = (f"ann{number}", f"ben{number}")
        self.passwords = {name: secrets.token_hex(4) for name in self.names}

    def send(self, name: str, subject: str, body: str = "") -> None:
        """Mail a command, and print it and each letter that leaves."""
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
            env={**os.environ, "PBM_GAMES": self.home.root},
            check=False,
        )
        if done.returncode:
            raise StoreTrouble(
                f"{self.inbox} failed with exit status {done.returncode}."
            )
        for letter in self._letters():
            if letter not in before:
                _title("the server sends a letter")
                with open(letter, encoding="utf-8") as file:
                    print(file.read().rstrip())

    def _letters(self) -> Iterator[str]:
        folder = self.home.path(OUTBOX)
        if os.path.isdir(folder):
            for entry in sorted(os.listdir(folder)):
                yield os.path.join(folder, entry)


def run(request: Request) -> Answer:
    """Play the opening of a board of each game, and say how to go on. Raises
    NotAllowed on a server that sends real mail. With --play, play against a robot."""
    if "play" in request.options:
        from pbm_holomino.owner.play import play  # slow to load

        return play(request.words[0] if request.words else "holo")
    if request.words:
        raise BadCommand("A game is named with --play: pbm demo --play holo", "owner")
    server, home = opener.open_server()
    if home.config.send != "outbox":
        raise NotAllowed(
            "The demo's players have no mailboxes, and this server sends real mail. "
            'Please run "PBM_GAMES=/tmp/games pbm demo" instead.'
        )
    inbox = os.path.join(folder_of_programs(), "pbm-inbox")
    cast = _Cast(server.library, home, inbox)
    for name in cast.names:
        cast.send(name, f"signup {name} {cast.passwords[name]}")
    boards = [_open_board(cast, game) for game in rules.names()]
    told = "\n" + _farewell(boards, cast)
    if "web" not in request.options:
        return Answer(told)
    print(told)
    first = boards[0]
    name = first.turn[0]
    print(f"On the pages, sign in as {name} with the password {cast.passwords[name]}.")
    return web.show(f"{first.record.game}/{first.record.board}")


def _open_board(cast: _Cast, game: str) -> Match:
    first, second = cast.names
    cast.send(first, f"{game} challenge {first} {second}", "Shall we play?")
    match = cast.library.match(game, max(cast.library.lists.boards(game)))
    for _ in range(_MOVES):
        name = match.turn[0]
        words = f"{game} move {match.record.board} {name} {cast.passwords[name]}"
        cast.send(name, f"{words} {_best(match)}")
        match = cast.library.match(game, match.record.board)
    return match


def _best(match: Match) -> str:
    """The legal move that scores most; of several, the nearest to the first tile."""
    game, name = match.rules, match.turn[0]
    seat = match.record.players.index(name)

    def worth(move: str) -> tuple[int, int]:
        parsed = game.parse_move(match.state, seat, move)
        after, _ = game.play(match.state, seat, parsed)
        far = sum(map(int, re.findall("[0-9]+", move.partition(":")[2])))
        return after.scores[seat], -far

    return max(match.view(None).legal, key=worth)


def _farewell(boards: list[Match], cast: _Cast) -> str:
    folder = shlex.quote(folder_of_programs())
    if os.environ.get("PBM_GAMES"):
        root = os.path.abspath(cast.home.root)
        folder = f"PBM_GAMES={shlex.quote(root)} {folder}"
    place = "the database" if cast.home.config.store else cast.home.root
    passwords = ", ".join(f"{n} has {p}" for n, p in cast.passwords.items())
    lines = [
        "=" * WIDTH,
        f"These boards are yours now. The passwords: {passwords}.",
        f"The {cast.library.store.noun}s are in {place}.",
        *(line for match in boards for line in _next_words(match, folder, cast)),
        "Next, read the tutorial:",
        f"  {folder}/pbm help tutorial",
    ]
    return "\n".join(lines) + "\n"


def _next_words(match: Match, folder: str, cast: _Cast) -> list[str]:
    """How to look at a board, try a move and make it."""
    name, board, best = match.turn[0], match.record.board, _best(match)
    words = f"  {folder}/{match.record.game}"
    return [
        f"{match.rules.TITLE}, where it is {name}'s turn:",
        f"{words} show {board}",
        f"{words} preview {board} {best}",
        f"{words} move {board} {name} {cast.passwords[name]} {best}",
    ]


def _title(text: str) -> None:
    print(f"\n{f'---- {text} ':-<{WIDTH}}\n", flush=True)
