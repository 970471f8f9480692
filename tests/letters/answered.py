"""A server, and how its answers by mail look to a player who wants HTML."""

from collections.abc import Iterator
from email import message_from_bytes
from email.policy import default

import pytest

from pbm_holomino import owner
from pbm_holomino.letters import help as pages
from pbm_holomino.letters.letter import Letter
from pbm_holomino.mail.message import message
from pbm_holomino.rules import names
from tests.house import House, fill_in, home, mail_of, own

WIDEST = "m" * 20  # the userid that takes most room
HELP = [f"help {subject}" for subject in pages.subjects()]
ASKED = [
    "help",
    "list",
    "list holo walomino",
    "list open",
    "list nothing",
    "all show alice",
    "all show alice next",
    "all showas alice {alice} next",
    "tournament",
    "tournament 1",
    "tournament 9",
    "holo standings",
    "hextol standings",
    "holo ratings",
    "holo games",
    "holo games alice inactive",
    "holo history",
    "holo history 1",
    "holo show 1",
    "holo show 1 3",
    "holo show 3 -format=list",
    "holo show 99",
    "holo showas alice {alice} 3",
    "holo showas alice {alice} next",
    "holo preview 3 123:4",
    "holo previewas 3 alice {alice} 123:4",
    "holo verify 1",
    "holo verify 3",
    "holo hint 3 alice {alice}",
    "holo review 3 alice {alice}",
    "holo move 3 alice {alice} 999:99",
    "holo move 3 alice wrong 123:4",
    "holo move 3 alice PASSWORD 123:4",
    "holo move 3 alice {alice}",
    "holo mvoe 3 alice {alice} 123:4",
    "holo resign 3 bob {bob}",
    "holo chat 4 alice {alice}",
    "holo rematch 1 alice {alice}",
    "change letters alice {alice} turns",
    "change vacation alice {alice} 3",
    "unsubscribe alice {alice}",
    "forgot alice",
    "block alice {alice} carol",
    "decline all alice {alice}",
    "message alice {alice} bob",
    "tournament join 2 alice {alice}",
    "tournament leave 2 alice {alice}",
    "multiple",
    "gibberish",
    "signup erin geheim",
    "signoff erin geheim",
    "delete erin geheim",
]
RECORDS = [
    "holo show 3 -format=json",
    "holo history 1 -format=yaml",
    "holo history 1 -format=bbcode",
    "tournament -format=json",
]


class Answered:
    """A server, and what it answers by mail."""

    def __init__(self, server: House) -> None:
        self.server = server
        self._number = 0

    def letters(self, line: str, sender: str = home("alice")) -> list[Letter]:
        """The letters that a command by mail brings."""
        self._number += 1
        self.server.time = (
            f"2026-11-21T{self._number // 50:02}:{self._number % 50:02}:00Z"
        )
        body = "holo show 3\nholo games\nhelp nothing\n" if line == "multiple" else "Hi"
        number = f"<{self._number}@x>"
        return self.server.mail(mail_of(fill_in(line), sender, body, Message_ID=number))

    def pages(self, line: str) -> Iterator[tuple[Letter, str]]:
        """The same, each with its HTML, for those that have any."""
        for letter in self.letters(line):
            mail = message_from_bytes(
                message(letter, self.server.config), policy=default
            )
            part = mail.get_body(("html",))
            if part is not None:
                yield letter, str(part.get_content())


@pytest.fixture(scope="module")
def answered(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Answered]:
    """Alice has boards of each game, has won and lost, plays in a tournament, and may
    enter another."""
    with pytest.MonkeyPatch.context() as patched:
        server = House(tmp_path_factory.mktemp("answers") / "store")
        server.sign_up("alice", "bob", "carol", WIDEST)
        for options in ("", "-num_digits=4", "", ""):
            server.accept(server.challenge(options))
        server.play(1)
        server.challenge(names=f"alice {WIDEST}")
        for who, password in (("alice", "xanadu"), (WIDEST, "secret")):
            server.type(f"holo move 5 {who} {password} {server.legal(5)[0]}")
        server.type("holo resign 5 alice {alice}")
        server.play(3, moves=4)
        for name in names():
            server.accept(server.challenge(game=name), name)
        server.type("holo challenge carol anyone")
        own(server, patched)
        owner.run(["tournament", "open", "holo", "swiss", "--days", "1"])
        owner.run(["tournament", "open", "holo", "robin"])
        for who, password in (("alice", "xanadu"), ("bob", "better4")):
            server.type(f"tournament join 1 {who} {password}")
        server.type(f"tournament join 1 {WIDEST} secret")
        server.time = "2026-11-21T23:00:00Z"
        owner.run(["tick"])
        yield Answered(server)
