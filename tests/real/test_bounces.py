"""What programs send is neither executed nor answered, and nothing goes in a loop."""

import subprocess

import pytest

from pbm_holomino.match import letter_ids
from tests.real.parts import MAIL
from tests.real.players import PASSWORDS
from tests.real.postoffice import ADDRESS, DOMAIN, PostOffice
from tests.real.table import MailedBoards
from tests.storage import KEY

pytestmark = MAIL

NOBODY = f"nobody.lives.here@{DOMAIN}"


def store_of(office: PostOffice) -> dict[str, bytes]:
    found = office.account.store.rglob("*")
    return {str(p): p.read_bytes() for p in found if p.is_file()}


def test_a_letter_to_nobody_is_lost_without_a_bounce(office: PostOffice) -> None:
    table = MailedBoards(office)
    table.sign_up("carol", NOBODY)
    table.type("holo challenge alice carol")
    office.post(table.alice.mail("holo resign 2 alice PASSWORD"))
    table.settle()
    # what goes to carol can go nowhere, and nobody is told; alice has an answer
    (letter,) = table.alice.letters
    assert letter.subject == "holo 2: carol won, as alice resigned"
    assert office.waiting() == []
    assert office.has_delivered(1)


def test_a_real_bounce(office: PostOffice) -> None:
    table = MailedBoards(office)
    before = store_of(office)
    letter = table.openings["alice"][0].raw.replace(b"alice@", b"nobody.lives.here@")
    sendmail = str(office.folder / "bin/sendmail")
    subprocess.run(
        [sendmail, "-i", "-f", ADDRESS, "--", NOBODY], input=letter, check=True
    )
    table.settle()
    assert office.has_delivered(1)  # of the bounce, to the robot
    assert (table.alice.letters, table.bob.letters) == ([], [])
    assert office.waiting() == []
    assert store_of(office) == before


@pytest.mark.parametrize("envelope", [ADDRESS, ADDRESS.replace("@", "+@")])
def test_a_letter_that_comes_back_counts(office: PostOffice, envelope: str) -> None:
    office.account.configure(**office.settings(envelope=envelope))
    table = MailedBoards(office)
    table.sign_up("carol", NOBODY)
    table.type("holo challenge alice carol")
    office.post(table.alice.mail("holo resign 2 alice PASSWORD"))
    office.settle()
    assert office.has_delivered(2)  # of alice's mail, and of the bounce
    assert office.waiting() == []
    carol = table.server.library.player("carol")
    assert carol is not None
    (bounces,) = carol.bounces
    today = table.server.match(2).record.log[-1].time[:10]
    assert (bounces.address, bounces.days) == (NOBODY, (today,))
    mark = letter_ids.mark(KEY, table.server.letter_id(1, "carol", board=2))
    to = envelope.replace("+@", f"+{mark}@")
    assert f"to=<{to}>" in (office.folder / "log/maillog").read_text()


PROGRAMS: dict[str, tuple[str, dict[str, str]]] = {
    "a bounce": ("", {"From": "Mail Delivery System <MAILER-DAEMON@example.org>"}),
    "an empty envelope": ("", {}),
    "a holiday notice": (f"alice@{DOMAIN}", {"Auto_Submitted": "auto-replied"}),
    "a mailing list": (f"list@{DOMAIN}", {"List_Id": "<friends.example.org>"}),
    "our own letter": (f"alice@{DOMAIN}", {"X_Loop": ADDRESS}),
    "our own address": (ADDRESS, {"From": ADDRESS}),
}


def test_commands_that_programs_send(office: PostOffice) -> None:
    table = MailedBoards(office)
    before = store_of(office)
    for program, (sender, headers) in PROGRAMS.items():
        mail = table.alice.mail("holo resign 1 alice PASSWORD", **headers)
        office.post(mail, sender=sender)
        table.settle()
        assert store_of(office) == before, program
        assert (table.alice.letters, table.bob.letters) == ([], []), program
    assert office.has_delivered(len(PROGRAMS))
    assert office.waiting() == []


def test_the_same_command_from_a_person(office: PostOffice) -> None:
    table = MailedBoards(office)
    office.post(table.alice.mail("holo resign 1 alice PASSWORD"))
    table.settle()
    assert len(table.alice.letters) == len(table.bob.letters) == 1


# Passwords


def test_a_password_stays_out_of_the_logs(office: PostOffice) -> None:
    """Also where a mail is refused, or cannot be dealt with; the fixture looks."""
    table = MailedBoards(office)
    office.account.configure(**office.settings(send="pigeon"))
    office.post(table.move(), table.alice.mail("holo moove 1 alice PASSWORD 123:1"))
    table.settle()
    assert len(office.waiting()) == 2
    office.account.configure(**office.settings())
    office.flush()
    assert all(log.read_text() for log in office.logs())


def test_procmail_would_log_the_passwords(office: PostOffice) -> None:
    """That the line in bin/procmailrc is needed, and that a password would be seen."""
    table = MailedBoards(office)
    settings = office.account.home / ".procmailrc"
    ours = settings.read_text()
    settings.write_text(ours.replace("LOGABSTRACT=no", "LOGABSTRACT=all"))
    office.post(table.move())
    table.settle()
    settings.write_text(ours)
    assert PASSWORDS["alice"] in (office.account.home / "procmail.log").read_text()
    office.open_anew()
