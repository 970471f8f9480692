"""What the tests of `multiple` share: mails with several lines, and their answers."""

from collections.abc import Sequence
from pathlib import Path

from pbm_holomino.letters.letter import Letter
from tests.house import House, mail_of

ALICE, BOB, EVE = "alice@example.org", "bob@example.org", "eve@example.net"
RULE = "\n" + 72 * "-" + "\n\n"

MIXED = (
    "holo move 1 alice xanadu 142:4",
    "holo move 2 alice xanadu 999:4",
    "holo move 2 alice xanadu 142:4",
    "holo chat 1 alice xanadu -m=Well   played",
    "holo games bob",
    "help multiple",
    "hextol challenge alice bob",
    "change password alice xanadu other-1",
    "holo showas alice other-1 2",
)


def open_two_boards(folder: Path) -> House:
    """Two boards, on both of which it is alice's turn."""
    server = House(folder).sign_up()
    server.challenge()
    server.challenge()
    return server


def several(
    server: House, *lines: str, sender: str = ALICE, mail: str = "<1@x>"
) -> list[Letter]:
    """The letters that leave because a mail with these lines has come."""
    body = "\n".join(lines)
    return server.mail(mail_of("multiple", sender, body, Message_ID=mail))


def answer_of(letters: Sequence[Letter]) -> Letter:
    """The one letter that answers the mail."""
    (answer,) = answers_in(letters)
    return answer


def parts_of(letter: Letter) -> list[tuple[str, str]]:
    """The headings of an answer, each with its text."""
    pieces = [part.partition("\n\n") for part in letter.text.split(RULE)]
    return [(heading, text) for heading, _, text in pieces]


def headings(letters: Sequence[Letter]) -> list[str]:
    return [heading for heading, _ in parts_of(answer_of(letters))]


def to(letters: Sequence[Letter]) -> list[str]:
    return [" ".join(letter.to) for letter in letters]


def log(server: House, folder: str = "holo", name: str = "1") -> list[str]:
    """The log in a document, with the mails: `- !challenge`."""
    return [line.split(" ", 3)[3] for line in server.data(folder, name)["log"]]


def answers_in(letters: Sequence[Letter]) -> list[Letter]:
    return [letter for letter in letters if letter.key.startswith("answer.")]
