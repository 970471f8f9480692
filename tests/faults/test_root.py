"""Root on the store of another account: refused before anything is written, as what
root writes there would lock that account out."""

import os
import pwd
import subprocess
import sys
from pathlib import Path

import pytest

from pbm_holomino.store import location
from tests.faults.scene import copy_of, lay
from tests.house import mail_of
from tests.paths import ROOT
from tests.processes import PATIENCE, deliver, run, surroundings
from tests.sizes import some

pytestmark = pytest.mark.needs("root")

NOBODY = pwd.getpwnam("nobody")
_HAND_OVER = "import sys; from pbm_holomino.handover.mail import main; sys.exit(main())"


@pytest.fixture(scope="module")
def laid(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return lay(tmp_path_factory.mktemp("laid") / "games")


@pytest.fixture
def folder(laid: Path, tmp_path: Path) -> Path:
    """The store of nobody, on which two players have signed up."""
    folder = copy_of(laid, tmp_path / "games")
    give(folder, NOBODY.pw_uid)
    return folder


def give(folder: Path, account: int) -> None:
    for path in (folder, *folder.rglob("*")):
        os.chown(path, account, -1)


def state(folder: Path) -> dict[str, tuple[int, int, int]]:
    """All files: who owns them, and when they and their names were last changed."""
    found = {str(path): path.stat() for path in (folder, *folder.rglob("*"))}
    return {
        path: (stat.st_uid, stat.st_mtime_ns, stat.st_ctime_ns)
        for path, stat in found.items()
    }


COMMANDS = ["pbm signup carol secret carol@example.org", "pbm list", "pbm players"]
COMMANDS += ["holo challenge alice bob", "holo games alice", "pbm check"]
COMMANDS += ["pbm flush", "pbm flush --undeliverable", "pbm void holo 1"]
COMMANDS += ["pbm check --repair", "pbm tick", "pbm demo --keep {}", "pbm serve"]


@pytest.mark.parametrize("line", some(COMMANDS, 7))
def test_a_command_is_refused(folder: Path, line: str) -> None:
    before = state(folder)
    done = run(folder, *line.format(folder).split())
    assert (done.status, done.out) == (1, "")
    said = "".join(done.err.split())  # a long path is broken where the line ends
    assert f"Thestore{folder}belongstotheaccountnobody," in said
    assert f"\n  sudo -u nobody env PBM_GAMES={folder} ...\n" in done.err
    assert state(folder) == before


@pytest.mark.parametrize("line", ["pbm help", "pbm help owner", "holo help"])
def test_help_needs_no_store(folder: Path, line: str) -> None:
    assert run(folder, *line.split()).status == 0


def test_a_mail_comes_again(folder: Path) -> None:
    before = state(folder)
    done = deliver(folder, mail_of("help"))
    assert (done.status, done.out) == (75, "")
    assert "belongs to the account nobody" in " ".join(done.err.split())
    assert state(folder) == before


@pytest.mark.parametrize(
    "words", [["-c", _HAND_OVER], [str(ROOT / "bin/hand_over.py"), "pbm-inbox"]]
)
def test_a_mail_that_is_to_be_handed_over_comes_again(
    folder: Path, words: list[str]
) -> None:
    before = state(folder)
    done = subprocess.run(
        [sys.executable, *words],
        input=mail_of("help"),
        capture_output=True,
        env=surroundings(PYTHONPATH=str(ROOT), PBM_GAMES=str(folder)),
        check=False,
        timeout=PATIENCE,
    )
    assert done.returncode == 75
    assert b"belongs to the account nobody" in b" ".join(done.stderr.split())
    assert state(folder) == before


def test_an_account_without_a_name(folder: Path) -> None:
    nameless = 12345
    assert nameless not in {account.pw_uid for account in pwd.getpwall()}
    give(folder, nameless)
    said = " ".join(run(folder, "pbm", "check").err.split())
    assert "belongs to the account #12345" in said
    assert "sudo -u '#12345' env" in said


def test_the_checkouts_own_store_needs_no_more_words(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is found without PBM_GAMES."""
    monkeypatch.chdir(folder.parent)
    script = "import sys; from pbm_holomino.cli import main; sys.exit(main())"
    copied = folder.parent / "package"  # which lies in no checkout
    copied.mkdir()
    (copied / "pbm_holomino").symlink_to(ROOT / "pbm_holomino")
    done = subprocess.run(
        [sys.executable, "-c", script, "list"],
        capture_output=True,
        text=True,
        env=surroundings(PYTHONPATH=str(copied)),
        check=False,
        timeout=PATIENCE,
    )
    said = " ".join(done.stderr.split())
    assert done.returncode == 1
    assert said.endswith("Please run the command as nobody. sudo -u nobody ...")


def test_roots_own_store_works(folder: Path) -> None:
    give(folder, 0)
    assert run(folder, "holo", "challenge", "alice", "bob").status == 0
    assert deliver(folder, mail_of("help")).status == 0


def test_the_account_itself_works(folder: Path) -> None:
    """Whatever root may do: nobody is asked who is not root."""
    assert location.foreign_owner(str(folder)) == NOBODY.pw_uid
    assert location.foreign_owner(str(folder / "nothing")) is None
    child = os.fork()
    if not child:
        os.setuid(NOBODY.pw_uid)
        os._exit(location.foreign_owner(str(folder)) is not None)
    assert os.waitpid(child, 0)[1] == 0
