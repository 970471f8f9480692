"""What the system does to a process: takes away descriptors, room in files, the post
office, and the process itself; and lets the clock jump."""

import importlib.util
import os
import re
import resource
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pbm_holomino.mail import transports
from pbm_holomino.owner.help import page
from pbm_holomino.server import inbox
from pbm_holomino.store.config import Config
from pbm_holomino.store.contract import WHY_WAITING
from tests.faults.scene import (
    ERRANDS,
    Letters,
    assert_answered,
    assert_flushed,
    assert_goes_on,
    assert_sound,
    assert_whole,
    copy_of,
    lay,
    letters_in,
    lines_made,
    opened,
    receive,
    said,
    type_owner,
)
from tests.faults.syscalls import TRACE, broken, traced
from tests.house import House, mail_of
from tests.paths import ROOT
from tests.processes import INBOX, deliver
from tests.sizes import sized, some

ERRAND = ERRANDS["move"]
HOLDER = "import sys; from pbm_holomino.store.files.store import FileStore\n"
HOLDER += (
    "with FileStore(sys.argv[1]).lock('holo', '1'): print('held', flush=True); input()"
)


@pytest.fixture
def was(tmp_path: Path) -> Path:
    return lay(tmp_path / "was")


@pytest.fixture
def folder(was: Path, tmp_path: Path) -> Path:
    return copy_of(was, tmp_path / "games")


@pytest.fixture
def right(was: Path, tmp_path: Path) -> Letters:
    whole = copy_of(was, tmp_path / "whole")
    receive(whole, ERRAND.mail)
    return letters_in(whole)


# What the system grants


def test_a_file_that_may_not_grow(was: Path, tmp_path: Path, right: Letters) -> None:
    """An honest short write: the system takes what there is room for, and says so;
    then it refuses the rest."""
    longest = max(map(len, right.values())) + 100
    seen = set[int]()
    for most in range(0, longest, longest // sized(6, 12)):
        folder = copy_of(was, tmp_path / str(most))
        done = deliver(folder, ERRAND.mail, limits=[(resource.RLIMIT_FSIZE, most)])
        seen.add(done.status)
        with said(f"{most} bytes"):
            assert_sound(folder, was, ERRAND, done, right)
    assert seen == {0, 75}


def test_too_few_descriptors(was: Path, tmp_path: Path, right: Letters) -> None:
    """With the fewest not even Python begins, and then the status is whatever the
    system says; but never is it 0 for nothing."""
    seen = set[int]()
    for most in some(range(3, 12), 5):
        folder = copy_of(was, tmp_path / str(most))
        done = deliver(folder, ERRAND.mail, limits=[(resource.RLIMIT_NOFILE, most)])
        seen.add(done.status)
        assert_whole(folder, was)
        if done.status == 0:
            assert_answered(folder, ERRAND, right)
        assert_goes_on(folder, ERRAND, right)
    assert 0 in seen
    assert len(seen) > 1


def test_too_few_descriptors_for_a_shell_to_read_its_script(
    folder: Path, right: Letters
) -> None:
    """A shell that cannot ends with 2; run as the page says, with 75. With fewer not
    even that one begins."""
    (words,) = re.findall(r"sh -c '(.*?)'", page("delivery"))
    line = words.replace("/home/pbm/pbm_holomino", str(ROOT))
    limits = [(resource.RLIMIT_NOFILE, most) for most in (4, 6, 8, 10)]
    alone, said = [str(ROOT / "bin/pbm-inbox")], ["sh", "-c", line]
    for limit in limits:
        found = [
            deliver(folder, ERRAND.mail, program=program, limits=[limit]).status
            for program in (alone, said)
        ]
        assert found == [2, 75]
    assert deliver(folder, ERRAND.mail, program=said).status == 0
    assert_answered(folder, ERRAND, right)


@TRACE
@pytest.mark.parametrize(
    "module",
    ["server/inbox", "store/files/documents", "mail/incoming", "commands/queries"],
)
def test_a_disk_that_fails_while_the_program_is_read(
    folder: Path, tmp_path: Path, module: str
) -> None:
    """The real command, from its first line on: what Python cannot read on its way to
    the mail is no traceback, and the mail comes again."""
    path = ROOT / "pbm_holomino" / f"{module}.py"
    compiled = importlib.util.cache_from_source(str(path))
    words = ["strace", "-f", "-o", str(tmp_path / "log"), "-P", str(path)]
    words += ["-P", compiled, "-e", "inject=openat:error=EIO"]
    command = [str(ROOT / "bin" / "pbm-inbox")]
    raw = mail_of("help", "eve@example.net")
    done = deliver(folder, raw, *words, program=command)
    assert "(INJECTED)" in (tmp_path / "log").read_text()
    assert done.status == 75
    assert "pbm-inbox: " in done.printed
    assert deliver(folder, raw, program=command).status == 0


def test_a_mail_whose_command_died_comes_again(folder: Path, tmp_path: Path) -> None:
    """Whatever Python dies of, what procmail or an alias runs ends with 75."""
    library = tmp_path / "broken"
    library.mkdir()
    (library / "sitecustomize.py").write_text("import os\nos.kill(os.getpid(), 9)\n")
    done = subprocess.run(
        [str(ROOT / "bin" / "pbm-inbox")],
        input=ERRAND.mail,
        env={**os.environ, "PYTHONPATH": str(library), "PBM_GAMES": str(folder)},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 75
    assert lines_made(folder, ERRAND) == 0


# Signals


@TRACE
@pytest.mark.parametrize("call", ["fsync", "rename", "unlink"])
def test_a_server_that_is_asked_to_end(
    was: Path, folder: Path, tmp_path: Path, right: Letters, call: str
) -> None:
    """procmail sends SIGTERM to what takes too long."""
    log = tmp_path / "log"
    _, calls = traced(copy_of(was, tmp_path / "traced"), ERRAND.mail, log)
    for found in some([c for c in calls if c.name == call], 2):
        place = copy_of(was, tmp_path / f"{found.name}{found.nth}")
        done, _ = broken(place, ERRAND.mail, log, found, "signal=TERM")
        assert done.status == -signal.SIGTERM
        assert_sound(place, was, ERRAND, done, right)


def test_a_lock_ends_with_its_process(folder: Path, was: Path, right: Letters) -> None:
    """While it lives, the mail comes again; it need not let go, only die."""
    (folder / "config.yaml").write_text("wait: 0\n")
    with subprocess.Popen(
        [INBOX[0], "-c", HOLDER, str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        os.kill(holder.pid, signal.SIGSTOP)
        done = deliver(folder, ERRAND.mail)
        assert (done.status, lines_made(folder, ERRAND)) == (75, 0)
        assert "busy" in done.printed
        holder.kill()
    assert_sound(folder, was, ERRAND, done, right)


# A sendmail that fails

FAILURES = {
    "says no": "exit 1",
    "says later": "cat >/dev/null; exit 75",
    "reads nothing": "exit 0",
    "dies at once": "kill -9 $$",
    "dies halfway": "head -c 100 >/dev/null; kill -9 $$",
    "talks": "echo It rains >&2; cat >/dev/null; exit 1",
    "hangs": "exec sleep 1000",
    "hangs with a child": "sleep 1000 & cat >/dev/null; wait",
}


@contextmanager
def sending_by(folder: Path, script: str) -> Iterator[Path]:
    """The store's letters go to this shell script, which may use $HERE."""
    program = folder.parent / "sendmail"
    program.write_text(f"#!/bin/sh\nHERE={folder.parent}\n{script}\n")
    program.chmod(0o700)
    config = folder / "config.yaml"
    config.write_text(f"send: sendmail\nsendmail: {program}\n")
    yield program
    config.unlink()


@pytest.mark.parametrize("how", FAILURES)
def test_a_sendmail_that_fails(
    folder: Path,
    was: Path,
    right: Letters,
    how: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The move is kept, its letters are marked, and leave when there is another
    way."""
    monkeypatch.setattr(transports, "_PATIENCE", 0.3)
    with sending_by(folder, FAILURES[how]):
        server, home = opened(folder)
        if how == "reads nothing":  # it has said that all is well
            inbox.receive(ERRAND.mail, server, home.config)
            return
        inbox.receive(ERRAND.mail, server, home.config)
    assert server.store.note(WHY_WAITING)
    assert lines_made(folder, ERRAND) == 1
    assert_whole(folder, was)
    assert_goes_on(folder, ERRAND, right)


def test_a_sendmail_that_fails_for_one(folder: Path, right: Letters) -> None:
    """Who is answered is answered; the other letter leaves later, and only it."""
    script = 'cat >> $HERE/sent; case "$*" in *bob*) exit 75; esac'
    with sending_by(folder, script):
        assert deliver(folder, ERRAND.mail) == (0, "", "")
        assert type_owner(folder, "flush").status == 75
    sent = (folder.parent / "sent").read_bytes()
    assert sent.count(b"To: alice@example.org") == 1
    assert_flushed(folder, ERRAND._replace(letters=("holo.1.1.bob",)), right)


# A clock that jumps


def test_a_clock_that_jumps(server: House) -> None:
    """Back ten years, on a hundred, and back again: every command works, the limits
    hold in each hour, and all is well."""
    server.config = Config(answers_per_hour=3)
    server.challenge()
    for year in (2016, 2126, 1970, 2026):
        server.time = f"{year}-11-20T08:00:00Z"
        server.play(moves=1)
        letters = [server.mail(mail_of("help", "eve@example.net")) for _ in range(5)]
        assert sum(map(len, letters)) == 3 + 1  # which says that it is over
    assert len(list((server.folder / "strangers").iterdir())) == 1
    assert len(server.match().record.log) == 5
    assert type_owner(server.folder, "check").status == 0


def test_a_clock_that_is_wrong_sweeps_away_nothing_that_counts(folder: Path) -> None:
    receive(folder, ERRAND.mail)
    before = letters_in(folder)
    beside = folder / "outbox" / ".holo.1.9.bob.eml.1"
    beside.write_bytes(b"half a let")
    for path in folder.rglob("*"):
        os.utime(path, (0, 0))
    assert type_owner(folder, "flush").status == 0
    assert letters_in(folder) == before
    assert not beside.exists()
    beside.write_bytes(b"half a let")
    os.utime(beside, (time.time() + 1e6, time.time() + 1e6))
    assert type_owner(folder, "flush").status == 0
    assert_answered(folder, ERRAND, before)
