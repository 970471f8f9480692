"""Many mails at once, the same mail several times, and mails that weigh much."""

import random
from email.message import EmailMessage

from tests.processes import wait_until
from tests.real.parts import MAIL
from tests.real.postoffice import PostOffice
from tests.real.table import MailedBoards
from tests.sizes import sized

pytestmark = MAIL

BOARDS, COPIES = sized(5, 10), 4
MEGABYTE = 1 << 20


def test_a_crowd_of_mails_at_once(office: PostOffice) -> None:
    table = MailedBoards(office, BOARDS)
    mails = [table.move(number + 1) for number in range(BOARDS)] * COPIES
    random.Random(1).shuffle(mails)
    office.post(*mails)
    wait_until(lambda: office.deliveries() == len(mails), "every mail")
    table.settle()
    table.check(BOARDS, answers=COPIES)


def test_a_mail_with_a_big_attachment(office: PostOffice) -> None:
    table = MailedBoards(office)
    plain = table.move()
    head = dict(
        line.split(": ", 1) for line in plain.decode().split("\n\n")[0].split("\n")
    )
    mail = EmailMessage()
    for name, text in head.items():
        mail[name] = text
    mail.set_content("See how I look today!")
    photo = random.Random(1).randbytes(9 * MEGABYTE * 3 // 4)
    mail.add_attachment(photo, maintype="image", subtype="jpeg", filename="me.jpg")
    assert len(mail.as_bytes()) > 9 * MEGABYTE
    office.post(mail.as_bytes())
    table.settle()
    table.check()
    assert "alice writes:\n  See how I look today!\n" in table.bob.letters[0].text
