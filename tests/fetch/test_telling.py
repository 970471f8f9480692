"""The letter to the owner when no mail can be fetched."""

from email import message_from_bytes
from pathlib import Path

import pytest

from pbm_holomino.errors import StoreTrouble
from pbm_holomino.fetch.progress import Lease, Progress
from pbm_holomino.fetch.telling import tell_owner
from pbm_holomino.store.home import Home
from tests.fetch.club import FetchingHouse
from tests.house import NOW, House
from tests.prose import plain

OWNER = "owner@example.net"
WHY = "imap.example.org does not accept the name or the password."
FAILING = Progress(failing=NOW, why=WHY)
HOUR_LATER, NEXT_DAY = "2026-11-20T09:00:00Z", "2026-11-21T00:10:00Z"


@pytest.fixture
def house(house: House, monkeypatch: pytest.MonkeyPatch) -> House:
    house.settings(f"owner: {OWNER}\n")
    monkeypatch.setattr(house.store, "now", lambda: house.time)
    return house


def told(house: House, time: str, known: Progress = FAILING) -> bool:
    """Whether the owner is told at this time."""
    house.time = time
    return tell_owner(known, Home(str(house.folder)), house.store)


def letters(house: House) -> list[Path]:
    return sorted(house.path("outbox").glob("owner.mailbox.*.eml"))


def test_after_an_hour_and_then_once_a_day(house: House) -> None:
    assert not told(house, "2026-11-20T08:59:59Z")
    assert told(house, HOUR_LATER)
    assert not told(house, "2026-11-20T23:59:59Z")
    assert len(letters(house)) == 1
    assert told(house, NEXT_DAY)
    assert len(letters(house)) == 2


def test_where_nobody_has_signed_up_yet_it_is_once_a_day_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = House(tmp_path / "new")
    house.settings(f"owner: {OWNER}\n")
    monkeypatch.setattr(house.store, "now", lambda: house.time)
    Lease(house.store, "home").keep()
    assert told(house, HOUR_LATER)
    assert not told(house, "2026-11-20T09:05:00Z")
    assert told(house, NEXT_DAY)


def test_it_says_since_when_and_why(house: House) -> None:
    assert told(house, HOUR_LATER)
    (path,) = letters(house)
    letter = message_from_bytes(path.read_bytes())
    assert letter["To"] == OWNER
    assert letter["Subject"] == "No mail can be fetched"
    text = plain(str(letter.get_payload()))
    since = "2026-11-20, 08:00 UTC"
    assert text.startswith(f"Mail cannot be fetched, since {since}. {WHY}")


@pytest.mark.parametrize("known", [Progress(), Progress(looked=NOW)])
def test_while_mail_is_fetched_nothing_is_said(house: House, known: Progress) -> None:
    assert not told(house, HOUR_LATER, known)


def test_a_server_without_an_owner(house: House) -> None:
    house.settings("")
    assert not told(house, HOUR_LATER)


def test_if_letters_cannot_leave_either_the_machines_sendmail_takes_it(
    house: House,
) -> None:
    """As where the provider refuses the password everywhere. If there is no sendmail,
    the next failure tries again."""
    sendmail = house.path("sendmail")
    house.settings(
        f"owner: {OWNER}\nsend: smtp\nsmtp: localhost:1\nsendmail: {sendmail}\n"
    )
    assert not told(house, HOUR_LATER)
    sendmail.write_text(f'#!/bin/sh\ncat > {house.folder}/sent; echo "$@" >> $0.to\n')
    sendmail.chmod(0o700)
    assert told(house, HOUR_LATER)
    assert b"No mail can be fetched" in house.path("sent").read_bytes()
    assert house.path("sendmail.to").read_text().split()[-1] == OWNER
    assert not told(house, HOUR_LATER)


def test_trouble_in_the_store_is_not_made_worse(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*given: object) -> None:
        raise StoreTrouble

    monkeypatch.setattr(house.store, "remembered", fail)
    assert not told(house, HOUR_LATER)


def test_pbm_fetch_tells_it(
    house: House, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    fetching = FetchingHouse(house, monkeypatch)
    fetching.configure(fetch="maildir:/nowhere/at/all", owner=OWNER)
    assert fetching.type("fetch").status == 75
    assert letters(house) == []
    hour = 3600
    monkeypatch.setattr("pbm_holomino.fetch.telling.PATIENCE", -hour)
    assert fetching.type("fetch").status == 75
    assert len(letters(house)) == 1
