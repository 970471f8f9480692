"""Boards that are opened on the server itself, so that a test begins where it wants."""

from typing import Any

from pbm_holomino.mail.message import message
from pbm_holomino.match.times import time_at
from pbm_holomino.store.config import Config
from tests.house import House
from tests.real.players import PASSWORDS, Letter, Player, read
from tests.real.postoffice import ADDRESS, DOMAIN, PostOffice

COUPLE = ("alice", "bob")


class MailedBoards:
    """Alice and bob, who have signed up and know of their boards of Holomino."""

    def __init__(self, office: PostOffice, boards: int = 1) -> None:
        self.office = office
        self.openings: dict[str, list[Letter]] = {name: [] for name in COUPLE}
        self.alice, self.bob = (Player(name, office) for name in COUPLE)
        # the server in this process: what it does is no part of the test
        self.server = House(office.account.store)
        self.server.time = time_at()  # as for the programs beside it
        for name in COUPLE:
            self.sign_up(name, f"{name}@{DOMAIN}")
        for _ in range(boards):
            self.type("holo challenge alice bob")
            if boards > 1:  # else there would be more than may wait for an answer
                board = max(self.server.library.lists.boards("holo"))
                accept = f"holo accept {board} bob {PASSWORDS['bob']}"
                self._done(accept)

    def type(self, line: str) -> None:
        """Carry out a command that must succeed. Its letters are read at once."""
        for player, mail in self._done(line):
            self.openings[player.name].append(mail)

    def _done(self, line: str) -> list[tuple[Player, Letter]]:
        """The letters about a command that must succeed, which are read at once."""
        answer = self.server.type(line)
        assert answer.status == 0, answer.text
        self.office.account.own_store()
        mails = [read(message(letter, Config(ADDRESS))) for letter in self.server.sent]
        self.server.sent.clear()
        read_by = [
            (player, mail)
            for mail in mails
            for player in (self.alice, self.bob)
            if mail.message["To"] == f"{player.name}@{DOMAIN}"
        ]
        for player, mail in read_by:
            player.known.add(mail.id)
        return read_by

    def sign_up(self, name: str, address: str) -> None:
        self.type(f"signup {name} {PASSWORDS[name]} {address}")

    def settle(self) -> None:
        """All that can be delivered is delivered, and the players read it."""
        self.office.settle()
        for player in (self.alice, self.bob):
            player.read()
            player.check_threads()

    def move(self, board: int = 1) -> bytes:
        """A mail with the first move on a board, as alice has read of it."""
        return self.alice.mail(self.alice.command(self.openings["alice"][board - 1]))

    def board(self, number: int = 1) -> dict[str, Any]:
        return self.server.json(number)

    def check(self, boards: int = 1, answers: int = 1) -> None:
        """On each board one move of alice counts, of which bob has heard once; each
        of the mails has its answer."""
        assert self.office.waiting() == []
        told = sorted(letter.subject for letter in self.bob.letters)
        assert told == sorted(f"holo {n + 1}: your turn" for n in range(boards))
        said = [letter.subject for letter in self.alice.letters]
        expected = [f"holo {n + 1}: bob to move" for n in range(boards)]
        assert sorted(said) == sorted(answers * expected)
        assert [self.board(n + 1)["ply"] for n in range(boards)] == boards * [1]
