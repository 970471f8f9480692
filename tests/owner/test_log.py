"""`pbm log`: what happened on a board or to a mail, from the log of mails in either
form, also as the system has it; and whatever else may be in such a file."""

import io
import json
import resource
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from pbm_holomino import owner
from pbm_holomino.commands.request import Answer
from pbm_holomino.errors import BadCommand, NotAllowed, NotFound, StoreTrouble
from pbm_holomino.owner import log
from pbm_holomino.server import journal
from tests.house import House, mail_of
from tests.processes import run
from tests.sizes import sized

ID = "3f9c0011aabbccdd"
OTHER = "0123456789abcdef"
LINES = f"""\
2026-11-20T04:12:33Z {ID} holo move 12: later, 10000 ms
2026-11-20T04:13:00Z {OTHER} holo show 123: done, 9 ms
2026-11-20T04:13:05Z {OTHER} hextol show 12: done, 9 ms
2026-11-20T04:22:33Z {ID} holo move 12: done, 14 ms
2026-11-20T04:23:00Z - -: ignored, 1 ms
"""
OF_12 = [LINES.splitlines()[n] for n in (0, 3)]


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The log of a server."""
    monkeypatch.setenv("PBM_GAMES", str(tmp_path))
    found = tmp_path / "pbm.log"
    (tmp_path / "config.yaml").write_text(f"log: {found}\n")
    found.write_text(LINES)
    return found


def asked(line: str = "") -> Answer:
    answer = owner.run(["log", *line.split()])
    assert answer.status == 0
    return answer


def shown(line: str = "") -> list[str]:
    """The lines of the log in an answer."""
    lines, _, _ = asked(line).text.partition("\n\n")
    return lines.splitlines()


@pytest.mark.parametrize("words", ["holo 12", "HOLO #12", ID, f"{ID}/2"])
def test_the_lines_about_a_board_or_a_mail(path: Path, words: str) -> None:
    assert shown(words) == OF_12
    told = " ".join(asked(words).text.split())
    assert "2 lines: 1 later and 1 done. The longest took 10000 ms." in told
    assert ('"holo history 12"' in told) is ("/" not in words and ID not in words)


def test_all_lines(path: Path) -> None:
    assert shown() == LINES.splitlines()


def test_a_mail_by_its_message_id(house: House, tmp_path: Path) -> None:
    house.settings(f"log: {tmp_path}/pbm.log\n")
    house.config = house.config._replace(log=f"{tmp_path}/pbm.log")
    house.mail(mail_of("holo show 1", Message_ID="<one@example.org>"))
    house.mail(mail_of("holo show 1", Message_ID="<two@example.org>"))
    for name in ("<one@example.org>", "one@example.org"):
        (line,) = shown(name)
        assert line == Path(house.config.log).read_text().splitlines()[0]


@pytest.mark.parametrize("words", ["12", "holo", "holo x", "holo 12 13", "chess 12"])
def test_what_is_neither(path: Path, words: str) -> None:
    with pytest.raises(BadCommand, match="name a board, such as holo 12, or a mail"):
        asked(words)


def test_nothing_is_said_of_it(path: Path) -> None:
    with pytest.raises(NotFound, match="no line about holo 13"):
        asked("holo 13")
    path.unlink()
    with pytest.raises(NotFound, match="the next mail makes it"):
        asked()
    path.mkdir()
    with pytest.raises(StoreTrouble, match="cannot be read: Is a directory"):
        asked()


def test_older_files_come_first_and_each_once(path: Path) -> None:
    first, *others = LINES.splitlines(keepends=True)
    Path(f"{path}.2").write_text(first)
    path.write_text("".join(others))
    Path(f"{path}.1").hardlink_to(path)  # renamed between two looks
    assert shown("holo 12") == OF_12


def test_the_systems_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBM_GAMES", str(tmp_path))
    with pytest.raises(NotAllowed) as refused:
        asked("holo 12")
    assert refused.value.example == (
        "journalctl -t pbm -o short-iso | pbm log --stdin holo 12"
    )
    said = f"{ID} holo move 12: done, 14 ms\n"
    as_object = journal.Line("2026-11-20T08:00:00Z", ID, "holo move 12", "done", 14)
    piped = (
        f"2026-11-20T06:12:33+02:00 games pbm[123]: {said}"
        "2026-11-20T06:12:33+02:00 games sshd[1]: holo 12 was here\n"
        f"Nov 20 04:12:33 games pbm[123]: {said}"
        f"2026-11-20T08:00:00+0000 games pbm[9]: {as_object.as_json()}\n"
    ).encode()
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(piped)))
    assert shown("--stdin holo 12") == [
        f"{time} {said.strip()}"
        for time in ("2026-11-20T04:12:33Z", "Nov 20 04:12:33", "2026-11-20T08:00:00Z")
    ]


def test_lines_for_programs(path: Path) -> None:
    """What is written as JSON is read again, and printed so."""
    lines = [json.loads(line) for line in asked("--json holo 12").text.splitlines()]
    first = {"time": "2026-11-20T04:12:33Z", "id": ID, "asked": "holo move 12"}
    assert lines[0] == {**first, "verdict": "later", "ms": 10000}
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    assert shown("holo 12") == OF_12


HOSTILE = [
    b"",
    b"\x1b[2J 2026-11-20T04:12:33Z %s holo move 12: done, 1 ms",
    b"2026-11-20T04:12:33Z %s holo move 12: done, 1 ms\x1b[2J",
    b"2026-11-20T04:12:33Z %s holo move 12: stolen, 1 ms",
    b"2026-11-20T04:12:33Z %s holo move 12: done, 99999999999 ms",
    b'{"time": "\\u001b[2J", "id": "%s", "asked": "holo 12", "verdict": "done"}',
    b'{"time": 1, "id": "%s", "asked": "holo 12", "verdict": "done", "ms": 1}',
    b'{"time": "", "id": "%s", "asked": "a\\nb 12", "verdict": "done", "ms": 1}',
    b'["%s holo 12"]',
    b"{" * 1000 + b"%s",
    b'{"a":' * 300 + b'"%s"',
    b"%s " + b"x" * 100_000 + b" holo move 12: done, 1 ms",
    "%s holo móve 12: done, 1 ms".encode(),
]


def test_hostile_lines_are_passed_over(path: Path) -> None:
    lines = [line.replace(b"%s", ID.encode()) for line in HOSTILE]
    path.write_bytes(b"\n".join([*lines, LINES.encode(), *lines]))
    assert shown(ID) == OF_12
    assert all(line.isprintable() for line in asked().text.splitlines())


def test_a_log_of_any_length_takes_no_more_memory(tmp_path: Path, path: Path) -> None:
    """Only the last lines are shown, and all are counted."""
    number = sized(100_000, 10_000_000)
    path.write_text(LINES.splitlines(keepends=True)[3] * number)
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    done = run(tmp_path, "pbm", "log", "holo", "12")
    assert done.status == 0, done.err
    lines, _, summary = done.out.partition("\n\n")
    assert lines.count("\n") + 1 == log.MOST_SHOWN
    assert f"{number} lines: {number} done." in summary.replace(",", "")
    used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    assert max(0, used - before) < 100_000  # kB
