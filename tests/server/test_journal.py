"""The owner's log has one line for each mail, and no secret."""

import fcntl
import re
from pathlib import Path

import pytest

from pbm_holomino.errors import Busy
from pbm_holomino.server import journal
from pbm_holomino.store.config import Config
from tests.house import House, mail_of
from tests.mail.reports import Lost, postfix
from tests.processes import at_once

LINE = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ ([0-9a-f]{16}|-) (.*): ([a-z ]+), \d+ ms"


@pytest.fixture
def house(tmp_path: Path) -> House:
    house = House(tmp_path / "games").sign_up()
    house.challenge()
    house.config = Config(log=str(tmp_path / "pbm.log"))
    return house


def lines(house: House) -> list[str]:
    return Path(house.config.log).read_text("ascii").splitlines()


def said(house: House) -> tuple[str, str]:
    """What the last line says was asked, and what came of it."""
    found = re.fullmatch(LINE, lines(house)[-1])
    assert found, lines(house)[-1]
    return found[2], found[3]


@pytest.mark.parametrize(
    ("subject", "asked", "verdict"),
    [
        ("holo show 1", "holo show 1", "done"),
        ("holo chat 1 alice xanadu", "holo chat 1", "done"),
        ("holo chat 1 alice wrong-word", "holo chat 1", "refused"),
        ("holo show 7", "holo show 7", "refused"),
        ("holo chat 1 alice", "Re: your command", "not understood"),
        ("change password alice xanadu wombat7", "change password", "done"),
        ("Out of office", "-", "ignored"),
    ],
)
def test_a_line_says_what_was_asked_and_what_came_of_it(
    house: House, subject: str, asked: str, verdict: str
) -> None:
    house.mail(mail_of(subject, body="Hello!"))
    assert said(house) == (asked, verdict)
    assert len(lines(house)) == 1


@pytest.mark.parametrize("form", ["text", "json"])
def test_each_line_is_read_again(house: House, form: str) -> None:
    house.config = house.config._replace(log_form=form)
    house.mail(mail_of("holo show 1"))
    house.mail(b"From: nobody\n\n")
    first, second = map(journal.read, lines(house))
    assert first
    assert (first.asked, first.verdict) == ("holo show 1", "done")
    assert (first.as_json() if form == "json" else first.as_text()) == lines(house)[0]
    assert second
    assert (second.asked, second.verdict) == ("-", "quarantine")


def test_a_bounce_has_a_line_that_names_nobody(house: House) -> None:
    house.mail(postfix(Lost("bob@example.org", mail_of("x"))))
    assert said(house) == ("-", "bounce")
    assert "@" not in lines(house)[0]


def test_a_mail_that_must_come_again_has_a_line_each_time(house: House) -> None:
    raw = mail_of("holo chat 1 alice xanadu", body="Hello!")
    for _ in range(2):
        with house.busy("holo", "1"), pytest.raises(Busy):
            house.mail(raw)
        assert said(house)[1] == "later"
    house.mail(raw)
    assert said(house) == ("holo chat 1", "done")
    ids = {re.fullmatch(LINE, line)[1] for line in lines(house)}  # type: ignore[index]
    assert len(lines(house)) == 3
    assert len(ids) == 1


def test_a_mail_that_nobody_can_read_is_found_by_its_line(house: House) -> None:
    house.mail(b"From: nobody\n\n")
    (kept,) = house.store.kept.mails("quarantine")
    assert lines(house)[0].split()[1:] == [
        kept.removesuffix(".eml"),
        "-:",
        "quarantine,",
        *lines(house)[0].split()[-2:],
    ]


def test_several_commands_are_one_line_with_the_worst_end(house: House) -> None:
    body = "holo show 1\nholo chat 1 alice no-password\n"
    house.mail(mail_of("multiple", body=body))
    assert said(house) == ("multiple", "refused")


def test_no_line_holds_a_password_or_an_address(house: House) -> None:
    for subject in (
        "holo chat 1 alice xanadu",
        "holo chat xanadu alice 1",
        "xanadu",
        "signup erin tomato5",
        "change address alice xanadu alice@example.net",
        "add alice xanadu alice@example.com",
    ):
        house.mail(mail_of(subject, body="Hello!"))
    text = Path(house.config.log).read_text("ascii")
    assert len(text.splitlines()) == 6
    assert not re.search(r"xanadu|tomato5|@", text)


def test_a_long_file_is_renamed_and_the_oldest_go(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal, "_MOST_BYTES", 1)
    for number in range(8):
        house.mail(mail_of("help", Message_ID=f"<{number}@example.org>"))
    log = Path(house.config.log)
    names = [log.name, *(f"{log.name}.{number}" for number in range(1, 5))]
    assert sorted(path.name for path in log.parent.glob("pbm.log*")) == sorted(names)
    assert all(
        len(Path(log.parent, name).read_text().splitlines()) == 1 for name in names
    )
    assert log.stat().st_mode & 0o777 == 0o600


def test_no_line_is_lost_where_many_rename_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal, "_MOST_BYTES", 3000)
    config = Config(log=str(tmp_path / "pbm.log"))

    def write() -> None:
        for _ in range(50):
            with journal.entry(config):
                pass

    at_once(*[write] * 4)
    found = [line for path in tmp_path.iterdir() for line in path.open()]
    assert len(found) == 200
    assert all(re.fullmatch(LINE, line.strip()) for line in found)


def test_no_line_is_lost_where_another_process_has_just_renamed_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal, "_MOST_BYTES", 1)
    log = tmp_path / "pbm.log"
    log.write_text("full\n")
    waits = fcntl.flock

    def renamed_meanwhile(fd: int, operation: int) -> None:
        if log.exists():
            log.rename(tmp_path / "pbm.log.1")
        waits(fd, operation)

    monkeypatch.setattr(fcntl, "flock", renamed_meanwhile)
    with journal.entry(Config(log=str(log))):
        pass
    assert re.fullmatch(LINE, log.read_text().strip())
    assert (tmp_path / "pbm.log.1").read_text() == "full\n"


@pytest.mark.parametrize("log", ["/proc/none/pbm.log", "/"])
def test_a_log_that_cannot_be_written_stops_no_mail(house: House, log: str) -> None:
    house.config = Config(log=log)
    assert len(house.mail(mail_of("holo show 1"))) == 1
