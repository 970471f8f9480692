"""A mail that cannot be dealt with stays with Postfix, comes again, counts once and
is answered."""

import fcntl
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path

import pytest

from tests.processes import wait_until
from tests.real.parts import MAIL
from tests.real.postoffice import PostOffice
from tests.real.table import MailedBoards

pytestmark = MAIL

SCRIPT = "pbm_holomino/bin/pbm"  # which pbm-inbox is a link to


@pytest.fixture
def table(office: PostOffice) -> MailedBoards:
    return MailedBoards(office)


@contextmanager
def locked(office: PostOffice) -> Iterator[None]:
    """Somebody is at the board and does not leave."""
    user = office.account.user
    lock = os.open(office.account.store / "holo/1.lock", os.O_RDWR | os.O_CREAT, 0o600)
    os.fchown(lock, user.pw_uid, user.pw_gid)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)


@contextmanager
def misspelt(office: PostOffice) -> Iterator[None]:
    """config.yaml has a mistake."""
    path = office.account.store / "config.yaml"
    good = path.read_text()
    path.write_text(good.replace("send: sendmail", "send: pigeon"))
    yield
    path.write_text(good)


@contextmanager
def closed(office: PostOffice) -> Iterator[None]:
    """No letter can leave."""
    (office.folder / "closed").touch()
    yield
    (office.folder / "closed").unlink()


@contextmanager
def moved(path: Path) -> Iterator[None]:
    path.rename(f"{path}.away")
    yield
    path.with_name(f"{path.name}.away").rename(path)


@contextmanager
def forbidden(path: Path) -> Iterator[None]:
    mode = path.stat().st_mode
    path.chmod(0o500 if path.is_dir() else 0o600)
    yield
    path.chmod(mode)


TROUBLES: dict[str, Callable[[PostOffice], AbstractContextManager[None]]] = {
    "a busy board": locked,
    "a mistake in config.yaml": misspelt,
    "no robot": lambda office: moved(office.account.home / SCRIPT),
    "a robot that may not run": lambda office: forbidden(office.account.home / SCRIPT),
    "no program": lambda office: moved(office.account.checkout / "pbm_holomino"),
    "no packages": lambda office: moved(packages(office) / "yaml"),
    "a store that is read only": lambda office: forbidden(
        office.account.store / "holo"
    ),
}


def packages(office: PostOffice) -> Path:
    (found,) = office.account.checkout.glob(".venv/lib/*/site-packages")
    return found


@pytest.mark.parametrize("trouble", TROUBLES)
def test_a_mail_comes_again_when_the_trouble_is_over(
    table: MailedBoards, trouble: str
) -> None:
    table.office.account.configure(**table.office.settings(wait=1))
    with TROUBLES[trouble](table.office):
        table.office.post(table.move())
        table.settle()
        assert len(table.office.waiting()) == 1
        assert table.alice.letters == []
    table.office.flush()
    table.settle()
    table.check()


def test_letters_wait_while_there_is_no_way_out(table: MailedBoards) -> None:
    """The mail has been dealt with, and need not come again."""
    with closed(table.office):
        table.office.post(table.move())
        table.settle()
        assert table.server.has_marks()
        with pytest.raises(AssertionError):
            table.check()
    table.office.account.type("pbm flush")
    table.settle()
    table.check()


# What is killed in the middle


def processes(office: PostOffice, words: str) -> list[int]:
    """The processes of the robot's account that have these words in their command
    lines, and that belong to these tests by them or by their environment."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has ended
            line = (folder / "cmdline").read_text(errors="replace").replace("\0", " ")
            known = line + (folder / "environ").read_text(errors="replace")
            mine = folder.stat().st_uid == office.account.user.pw_uid
            if mine and words in line and str(office.folder) in known:
                found.append(int(folder.name))
    return found


def kill(office: PostOffice, *deaths: str) -> None:
    for words in deaths:
        for process in processes(office, words):
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)


# What stands in the command lines of those who die; all have the empty word.
ROBOT, SENDMAIL, SHELL = "bin/hand_over.py pbm-inbox", "bin/sendmail", "|| exit 75"
DEATHS_BEFORE = {"the robot": [ROBOT], "its shell": [SHELL, ROBOT], "all": [""]}
DEATHS_AFTER = {"the robot": [ROBOT, SENDMAIL], "all": [""]}


@pytest.mark.parametrize("killed", DEATHS_BEFORE)
def test_a_robot_is_killed_before_it_saves(table: MailedBoards, killed: str) -> None:
    with locked(table.office):
        table.office.post(table.move())
        wait_until(lambda: processes(table.office, ROBOT), "a robot that waits")
        assert processes(table.office, SHELL)
        kill(table.office, *DEATHS_BEFORE[killed])
        table.settle()
        assert len(table.office.waiting()) == 1
        assert table.board()["ply"] == 0
    table.office.flush()
    table.settle()
    table.check()


@pytest.mark.parametrize("killed", DEATHS_AFTER)
def test_a_robot_is_killed_when_it_has_saved(table: MailedBoards, killed: str) -> None:
    slow = table.office.folder / "slow"
    slow.touch()
    table.office.post(table.move())
    wait_until(lambda: processes(table.office, SENDMAIL), "a letter that is to leave")
    kill(table.office, *DEATHS_AFTER[killed])
    table.settle()
    assert len(table.office.waiting()) == 1
    assert table.board()["ply"] == 1
    slow.unlink()
    table.office.flush()
    table.settle()
    table.check()
