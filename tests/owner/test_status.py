"""What the owner's status says: what waits, what has failed, since when, and the
store's size; and when somebody should look."""

import json
import os
import re
from datetime import UTC, datetime
from pathlib import Path
from time import time
from types import SimpleNamespace
from typing import Any

import pytest

from pbm_holomino import __version__, owner
from pbm_holomino.errors import NotAllowed
from pbm_holomino.fetch import progress
from pbm_holomino.fetch.progress import Delayed, Progress
from pbm_holomino.mail import keeping
from pbm_holomino.mail.outcomes import Parcel
from pbm_holomino.match.times import format_time, later
from pbm_holomino.owner import help as pages
from pbm_holomino.owner import status
from pbm_holomino.store.contract import (
    FLUSHED_AT,
    LIMITED_SINCE,
    QUARANTINE,
    TICKED_AT,
    UNDELIVERABLE,
)
from pbm_holomino.store.home import Home
from tests.house import House, home
from tests.postgres.cluster import POSTGRESQL
from tests.processes import run

DAY = 86_400
BOB = home("bob")


def asked() -> dict[str, Any]:
    """What a program is told; the text says of each problem the same."""
    answer, text = owner.run(["status", "--json"]), owner.run(["status"])
    line, end = answer.text[:-1], answer.text[-1]
    assert (end, "\n" in line) == ("\n", False)
    told: dict[str, Any] = json.loads(line)
    assert answer.status == text.status == told["status"]
    assert (told["status"] == 0) is told["ok"]
    assert told["ok"] is (told["problems"] == [])
    said = " ".join(text.text.split())
    assert all(" ".join(problem.split()) in said for problem in told["problems"])
    first = ("All is well.", "Please look at this:", "Please look at this: mail or ")
    assert said.startswith(first[told["status"]])
    return told


def said() -> str:
    """The text, in one line."""
    return " ".join(owner.run(["status"]).text.split())


def ago(seconds: float) -> str:
    return format_time(datetime.fromtimestamp(time() - seconds, UTC))


def make_older(house: House, folder: str, pattern: str, seconds: float) -> None:
    """Let files be so much older."""
    for path in house.path(folder).glob(pattern):
        changed = path.stat().st_mtime - seconds
        os.utime(path, (changed, changed))


def test_all_is_well(house: House) -> None:
    told = asked()
    assert told["problems"] == []
    assert told["version"] == __version__
    assert told["letters"] == {"waiting": 0}
    assert told["undeliverable"] == told["quarantine"] == told["damage"] == {"count": 0}
    assert told["mails"] == {"waiting": 0}
    assert {"limit", "mailbox", "closed"}.isdisjoint(told)
    where = {key: told["store"][key] for key in ("kind", "place", "boards", "accounts")}
    address = Home(str(house.folder)).config.store
    assert where == {
        "kind": "postgresql" if address else "files",
        "place": address or str(house.folder),
        "boards": 1,
        "accounts": 2,
    }
    assert ": 1 board, 2 accounts, " in said()


def test_an_empty_store_is_not_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBM_GAMES", str(tmp_path / "games"))
    told = asked()
    (problem,) = told["problems"]
    assert problem.startswith(f"There is no folder {tmp_path}/games")
    assert {*told["store"]} == {"time", "kind", "place"}
    assert not (tmp_path / "games").exists()


def test_the_size_is_that_of_all_files(house: House) -> None:
    before = asked()["store"]["bytes"]
    house.path("more").mkdir()
    house.path("more", "large").write_bytes(os.urandom(1_000_000))
    os.sync()
    more = asked()["store"]["bytes"] - before
    assert 1_000_000 <= more <= 1_100_000


# Its exit status


def test_what_stands_still_is_worse_than_what_waits_for_a_look(house: House) -> None:
    """And is said first."""
    house.store.kept.keep(QUARANTINE, "a.eml", b"\x00")
    told = asked()
    assert told["status"] == 1
    house.store.close_to_writers("it is being copied")
    told = asked()
    assert told["status"] == 2
    assert ["closed" in problem for problem in told["problems"]] == [True, False]


def test_letters_stand_still_after_half_an_hour(house: House) -> None:
    house.mark("holo", "1", 0)
    keeping.put_reason(house.store, "/bin/false failed with 1.")
    assert asked()["status"] == 1
    make_older(house, "holo", "1.0.unsent", 31 * 60)
    assert asked()["status"] == 2


@pytest.mark.parametrize(("minutes", "expected"), [(59, 1), (61, 2)])
def test_a_mailbox_that_fails_for_an_hour(
    house: House, minutes: int, expected: int
) -> None:
    known = Progress(looked=ago(60), failing=ago(minutes * 60), why="Nobody answers.")
    know(house, known)
    assert asked()["status"] == expected


# Letters


def test_letters_that_wait_for_cron_are_no_problem_yet(house: House) -> None:
    house.mark("holo", "1", 0)
    make_older(house, "holo", "1.0.unsent", 20 * 60)
    told = asked()
    assert told["ok"]
    assert told["letters"]["waiting"] == 1
    assert told["letters"]["since"] in (ago(20 * 60), ago(20 * 60 + 1))
    assert "Letters about 1 event wait, since " in said()
    make_older(house, "holo", "1.0.unsent", 11 * 60)
    assert [problem[:26] for problem in asked()["problems"]] == [
        "Letters about 1 event wait"
    ]


def test_letters_that_could_not_leave(house: House) -> None:
    house.mark("holo", "1", 0)
    keeping.put_reason(house.store, "/bin/false failed with 1.")
    told = asked()
    (problem,) = told["problems"]
    assert problem.endswith(" /bin/false failed with 1.")
    assert told["letters"]["why"] == "/bin/false failed with 1."


def test_letters_that_were_refused_for_good(house: House) -> None:
    """They are a problem for a week, and are mentioned as long as they are there."""
    for name in ("a", "b"):
        parcel = Parcel(name, b"Subject: x\n\nHello\n", (BOB,))
        keeping.keep(house.store, UNDELIVERABLE, parcel, BOB, "No such user.")
    told = asked()
    (problem,) = told["problems"]
    assert problem.startswith(
        f"Letters that could not be delivered: 2, the last to {BOB}: No such user. "
    )
    assert told["undeliverable"]["count"] == 2
    make_older(house, UNDELIVERABLE, "*.eml", 7 * DAY + 60)
    told = asked()
    assert (told["ok"], told["undeliverable"]["count"]) == (True, 2)
    assert told["undeliverable"]["last"] in (ago(7 * DAY + 60), ago(7 * DAY + 61))
    assert "could not be delivered: 2" in said()


def test_a_limit_that_keeps_letters_back(house: House) -> None:
    house.settings("letters_per_day: 200\n")
    assert asked()["limit"] == {"letters_per_day": 200}
    house.store.put_note(LIMITED_SINCE, "2026-11-20T08:00:00Z")
    told = asked()
    (problem,) = told["problems"]
    assert "200 letters in a day" in problem
    assert problem.endswith("since 2026-11-20, 08:00 UTC.")
    since = {"letters_per_day": 200, "since": "2026-11-20T08:00:00Z"}
    assert told["limit"] == since


# Mails


def know(house: House, known: Progress) -> None:
    """Let a fetcher have noted this."""
    house.settings("fetch: maildir:/nowhere\n")
    lease = progress.Lease(house.store, "here")
    lease.keep()
    lease.progress = known
    lease.save()
    lease.end()


def test_a_mailbox_that_is_looked_at(house: House) -> None:
    know(house, Progress(looked=ago(59 * 60)))
    assert asked()["ok"]
    assert "The mailbox was last looked at " in said()


def test_a_mailbox_that_nobody_looks_at(house: House) -> None:
    house.settings("fetch: maildir:/nowhere\n")
    told = asked()
    assert told["mailbox"] == {"looked": None}
    assert told["problems"] == ['No mail has been fetched yet: "pbm run" does it.']
    looked = ago(61 * 60)
    know(house, Progress(looked=looked))
    told = asked()
    assert told["mailbox"] == {"looked": looked}
    assert len(told["problems"]) == 1


def test_a_mailbox_that_fails(house: House) -> None:
    since, looked = "2026-11-20T08:00:00Z", ago(60)
    known = Progress(looked=looked, failing=since, why="Nobody answers.")
    know(house, known)
    told = asked()
    assert told["problems"] == [
        "Mail cannot be fetched, since 2026-11-20, 08:00 UTC. Nobody answers."
    ]
    fields = {"looked": looked, "failing": since, "why": "Nobody answers."}
    assert told["mailbox"] == fields


def test_a_mail_that_must_be_fetched_again(house: House) -> None:
    late = Delayed("2026-11-20T09:00:00Z", 1, "2026-11-20T09:01:00Z", "Too late.")
    early = Delayed("2026-11-20T08:00:00Z", 5, "2026-11-20T09:30:00Z", "No room.")
    know(house, Progress(looked=ago(60), delayed={"1": late, "2": early}))
    told = asked()
    assert told["problems"] == [
        "2 mails must be fetched again, the first since 2026-11-20, 08:00 UTC. No room."
    ]
    fields = {"waiting": 2, "since": "2026-11-20T08:00:00Z", "why": "No room."}
    assert told["mails"] == fields


def test_mails_in_quarantine(house: House) -> None:
    house.store.kept.keep(QUARANTINE, "a.eml", b"\x00")
    told = asked()
    assert told["quarantine"]["count"] == 1
    (problem,) = told["problems"]
    assert problem.startswith("Mails in quarantine: 1, the last since ")
    make_older(house, QUARANTINE, "*.eml", 7 * DAY + 60)
    told = asked()
    assert (told["ok"], told["quarantine"]["count"]) == (True, 1)


# What cron runs


@pytest.mark.parametrize(
    ("name", "memory"), [("tick", TICKED_AT), ("flush", FLUSHED_AT)]
)
def test_when_cron_last_ran(house: House, name: str, memory: str) -> None:
    """Once it has run, somebody should look where it does not run any more."""
    assert asked()[name] == {"ran": None}
    assert f'"pbm {name}" has not run here yet.' in said()
    assert owner.run([name]).status == 0
    told = asked()
    assert told["ok"]
    assert ago(60) < told[name]["ran"] <= ago(0)
    for ran, is_well in ((ago(24 * 3600), True), (ago(60 * DAY), False)):
        house.store.remember(memory, ran)
        told = asked()
        assert (told["ok"], told[name]) == (is_well, {"ran": ran})
        assert f'"pbm {name}" last ran {ran[:10]}, ' in said()
    (problem,) = told["problems"]
    assert '"pbm run" does it, and "pbm serve --clock"; or cron' in problem
    assert owner.run([name]).status == 0
    assert asked()["ok"]


def test_a_memory_that_a_power_cut_has_spoilt(house: House) -> None:
    house.store.remember(TICKED_AT, "\0\0")
    assert asked()["tick"] == {"ran": None}


def test_nothing_is_remembered_where_there_is_no_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBM_GAMES", str(tmp_path / "games"))
    for name in ("tick", "flush"):
        with pytest.raises(NotAllowed, match="There is no folder"):
            owner.run([name])
    assert not (tmp_path / "games").exists()


def test_boards_that_are_out_of_time(house: House) -> None:
    """One was opened 60 days ago, and nobody has ended it when its time ran out, 39
    days ago; another has no end."""
    house.time = ago(60 * DAY)
    for options in ("", "-forfeit=0"):
        house.accept(house.challenge(options))
    told = asked()
    assert told["overdue"] == {"count": 1, "since": later(house.time, 21)}
    (problem,) = told["problems"]
    assert problem.startswith("holo 2 has been out of time since ")
    house.accept(house.challenge())
    (problem,) = asked()["problems"]
    assert ", and 1 more after it: " in problem
    assert owner.run(["tick"]).status == 0
    told = asked()
    assert (told["ok"], told["overdue"]) == (True, {"count": 0})


def test_an_open_challenge_that_should_have_lapsed(house: House) -> None:
    house.time = ago(60 * DAY)
    house.type("holo challenge alice anyone")
    (problem,) = asked()["problems"]
    assert problem.startswith("holo 2 has been out of time since ")


def test_cron_has_three_hours_to_end_a_board(house: House) -> None:
    for hours, is_well in ((2, True), (4, False)):
        house.time = ago(21 * DAY + hours * 3600)
        house.accept(house.challenge())
        assert asked()["ok"] is is_well


def test_a_player_on_vacation_is_not_out_of_time(house: House) -> None:
    house.time = ago(45 * DAY)
    house.accept(house.challenge())
    house.time = ago(40 * DAY)
    assert house.type("change vacation alice {alice} 30").status == 0
    assert asked()["overdue"] == {"count": 0}


# The store


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ({"f_bavail": 19_999}, "is full, or nearly so: there is room for 20.0 MB."),
        ({"f_favail": 0}, "is full, or nearly so: there is room for no more files."),
        ({"f_flag": os.ST_RDONLY}, "is read-only: nothing can be saved there."),
    ],
)
def test_a_disk_that_is_full(
    house: House, monkeypatch: pytest.MonkeyPatch, what: dict[str, int], words: str
) -> None:
    room = {"f_bavail": 20_000, "f_frsize": 1000, "f_files": 9, "f_favail": 9}
    disk = SimpleNamespace(**room, f_flag=0)
    monkeypatch.setattr(os, "statvfs", lambda path: disk)
    told = asked()
    assert (told["ok"], told["disk"]) == (True, {"free": 20_000_000})
    vars(disk).update(what)
    (problem,) = asked()["problems"]
    assert problem == f"The disk of {house.folder} {words}"
    disk.f_files = 0  # a file system that counts none
    assert asked()["ok"] is ("f_favail" in what)


def test_a_damaged_board(house: House) -> None:
    house.damage("holo", "1")
    house.library.lists.scan()
    told = asked()
    assert told["damage"] == {"count": 1}
    (problem,) = told["problems"]
    assert house.called("holo", "1") in problem


def test_a_store_that_is_closed(house: House) -> None:
    house.store.close_to_writers("it is being copied")
    told = asked()
    assert told["closed"]["why"] == "it is being copied"
    (problem,) = told["problems"]
    assert "closed to writers since" in problem


@pytest.mark.parametrize("text", ["address: [", "adress: pbm@example.org\n"])
def test_settings_that_are_wrong(house: House, text: str) -> None:
    house.settings(text)
    told = asked()
    assert {*told} == {"ok", "problems", "version", "status"}
    (problem,) = told["problems"]
    assert "config" in problem


def test_a_part_that_cannot_be_read_hides_no_other(house: House) -> None:
    know(house, Progress(looked=ago(60)))
    house.damage(progress.FOLDER, progress.NAME)
    house.mark("holo", "1", 0)
    told = asked()
    assert told["letters"]["waiting"] == 1
    assert told["store"]["boards"] == 1
    assert told["problems"] != []
    damaged = house.called(progress.FOLDER, progress.NAME)
    others = [each for each in told["problems"] if damaged not in each]
    assert len(others) < len(told["problems"])
    assert [each for each in others if "Letters about 1 event" not in each] == []


@POSTGRESQL
def test_a_store_in_a_database(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBM_GAMES", str(tmp_path))
    (tmp_path / "config.yaml").write_text(f"store: {database}\n")
    assert run(tmp_path, "pbm", "signup", "alice", "xanadu").status == 0
    told = asked()
    assert told["store"]["accounts"] == 1
    assert told["store"]["kind"] == "postgresql"
    assert 100_000 < told["store"]["bytes"] < 10_000_000
    (tmp_path / "config.yaml").write_text(
        "store: postgresql://x:geheim@localhost:1/x\n"
    )
    told = asked()
    (problem,) = told["problems"]
    assert "The database cannot be reached" in problem
    assert "geheim" not in problem


# The page


def test_the_page_has_every_field() -> None:
    """And no other."""
    _, _, text = pages.page("status").partition("\nFor programs\n")
    documented = re.findall(r"^  ([a-z]+) ", text, re.MULTILINE)
    assert documented == ["ok", "problems", "version", "status", *status.PARTS]
