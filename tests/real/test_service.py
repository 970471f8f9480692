"""The units of bin/ under a real systemd: letters leave under their very
restrictions, in each way that they allow."""

import re
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from pbm_holomino.fetch.maildir import make_maildir
from pbm_holomino.store.contract import TICKED_AT
from tests.fetch.test_maildir import deliver
from tests.house import mail_of
from tests.paths import ROOT
from tests.processes import send, wait_until
from tests.real.parts import UNIT_RUNS
from tests.real.provider import ADDRESS, Provider
from tests.real.system import Machine

pytestmark = UNIT_RUNS
UNIT, DROP_IN = "pbm.service", "pbm-smtp.conf"
SOCKET, RUN, WEB = "pbm.socket", "pbm-run.service", "pbm-web.service"
TICK, TIMER = "pbm-tick.service", "pbm-tick.timer"
ALICE = "alice@example.org"
_ASK = """\
import sys, urllib.request
print(end=urllib.request.urlopen(sys.argv[1]).read().decode())
"""


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    # not under /tmp, of which the units have one of their own
    folder = Path(tempfile.mkdtemp(prefix="pbm-", dir="/var/lib"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def machine(folder: Path) -> Iterator[Machine]:
    made = Machine(folder)
    try:
        made.run("postfix", "start")
        yield made
    finally:
        made.stop()


@pytest.fixture(scope="module")
def provider(folder: Path, machine: Machine) -> Provider:
    """One in there, whose certificate and password the account can read."""
    root = folder / "provider"
    root.mkdir()
    found = Provider(root)
    for words in (
        f"/usr/sbin/dovecot -c {root}/dovecot.conf",
        f"/usr/sbin/postfix -c {root}/etc start",
    ):
        machine.run("sh", "-c", f"{words} >{root}/output 2>&1")
    return found


def submission(machine: Machine, provider: Provider) -> dict[str, object]:
    """The settings by which letters leave there: those files are in the home."""
    settings = provider.settings("starttls")
    for key in ("tls_ca_file", "password_file"):
        path = machine.account.home / Path(str(settings[key])).name
        shutil.copy(str(settings[key]), path)
        machine.account.own(path)
        settings[key] = f"/home/pbm/{path.name}"
    return settings


def ask(machine: Machine, number: int = 1, subject: str = "help") -> int:
    """Alice asks for help, or something else: the code that answers her mail."""
    raw = mail_of(subject, ALICE, Message_ID=f"<{number}@example.org>")
    return send(str(machine.store / "lmtp"), raw, ALICE)[0]


def kept(machine: Machine, folder: str) -> None:
    """Wait until a letter, and no other, is in this folder of the store."""
    found = machine.store / folder
    wait_until(lambda: [*found.glob("*.eml")], f"a letter in {folder}", machine.console)
    assert len([*found.glob("*.eml")]) == 1


def submitted(machine: Machine, provider: Provider, number: int) -> bool:
    """Whether the answer is what the provider has for alice, and nothing else."""
    wait_until(lambda: provider.mails("alice"), "a letter", machine.console)
    (letter,) = provider.mails("alice")
    found = letter["From"], letter["In-Reply-To"]
    return found == (ADDRESS, f"<{number}@example.org>")


def arrived(machine: Machine, number: int = 1) -> bool:
    """Whether the answer is in alice's mailbox, and nothing else."""
    wait_until(machine.letters, "a letter", machine.console)
    (letter,) = machine.letters()
    return f"\nIn-Reply-To: <{number}@example.org>\n" in letter.read_text()


def test_letters_under_the_unit_alone(machine: Machine) -> None:
    """It works with every way of sending, also with Postfix's sendmail."""
    machine.begin(UNIT, send="sendmail")
    assert ask(machine) == 250
    assert arrived(machine)
    status = machine.status()
    assert int(status["CapBnd"], 16) == 0
    assert status["NoNewPrivs"] == status["Seccomp"] == "0"
    check_mounts(machine, {"/usr", "/etc"})
    machine.reload(send="smtp")
    assert ask(machine, 2) == 250
    assert arrived(machine, 2)
    machine.reload(send="outbox")
    assert ask(machine, 3) == 250
    kept(machine, "outbox")


@pytest.mark.needs("dovecot-core", "openssl")
def test_letters_under_the_stricter_settings(
    machine: Machine, provider: Provider
) -> None:
    machine.begin(UNIT, DROP_IN, send="smtp")
    assert ask(machine) == 250
    assert arrived(machine)
    assert machine.status()["NoNewPrivs"] == "1"
    check_mounts(machine, {"/"})
    machine.reload(send="outbox")
    assert ask(machine, 2) == 250
    kept(machine, "outbox")
    machine.reload(**submission(machine, provider))
    assert ask(machine, 3) == 250
    assert submitted(machine, provider, 3)
    words = f"systemd-analyze verify {machine.folder}/units/pbm.service 2>&1"
    assert machine.run("sh", "-c", words) == ""
    # sendmail is why they are a file of their own; the answer is kept, and waits
    machine.reload(send="sendmail")
    assert ask(machine, 4) == 250
    kept(machine, "waiting")
    why = machine.store / "waiting.why"
    wait_until(why.exists, "why it waits", machine.console)
    assert "sendmail" in why.read_text()


def check_mounts(machine: Machine, read_only: set[str]) -> None:
    """It sees its own home and no other, and a system that it cannot write."""
    process = f"/proc/{machine.state()['MainPID']}"
    assert machine.run("ls", f"{process}/root/home").split() == ["pbm"]
    assert machine.run("ls", f"{process}/root/tmp").split() == []
    lines = machine.run("cat", f"{process}/mountinfo").splitlines()
    mounts = {line.split()[4]: line.split()[5].split(",") for line in lines}
    assert {path for path in read_only if "ro" in mounts[path]} == read_only
    assert "rw" in mounts["/home/pbm"]


@pytest.mark.needs("dovecot-core", "openssl")
def test_letters_of_a_server_that_fetches(machine: Machine, provider: Provider) -> None:
    """To a provider, with the socket of no server."""
    provider.empty()
    box = machine.account.home / "Maildir"
    make_maildir(str(box))
    deliver(box, mail_of("help", ALICE, Message_ID="<1@example.org>"))
    machine.account.own(box, *box.rglob("*"))
    settings = submission(machine, provider)
    machine.begin(RUN, fetch="maildir:/home/pbm/Maildir", **settings)
    wait_until(lambda: not [*box.glob("new/*")], "an empty mailbox", machine.console)
    assert submitted(machine, provider, 1)
    assert machine.status()["NoNewPrivs"] == "1"
    check_mounts(machine, {"/"})
    machine.reload(fetch="maildir:/home/pbm/Maildir", send="outbox")
    deliver(box, mail_of("help", ALICE, Message_ID="<2@example.org>"))
    machine.account.own(*box.rglob("*"))
    kept(machine, "outbox")
    words = f"systemd-analyze verify {machine.folder}/units/{RUN} 2>&1"
    assert machine.run("sh", "-c", words) == ""


def test_a_timer_has_letters_leave_and_clocks_go(machine: Machine) -> None:
    """With nobody else there, and as strict as the server's own unit can be."""
    for files in [(TICK, TIMER), (TICK, TIMER, DROP_IN)]:
        machine.begin(UNIT, send="smtp", smtp="127.0.0.1:1")
        assert ask(machine, subject="signup alice secret") == 250  # and nothing leaves
        machine.go_on(*files, send="smtp")
        wait_until(machine.letters, "a letter", machine.console)
        ticked = machine.store / "memory" / TICKED_AT
        wait_until(ticked.exists, "a tick", machine.console)
        assert machine.run("systemctl", "is-active", TIMER) == "active\n"


@pytest.mark.parametrize("more", [(), (DROP_IN,)])
def test_pages_under_their_unit(machine: Machine, more: tuple[str, ...]) -> None:
    machine.begin(WEB, *more, send="smtp")
    asked = [sys.executable, "-c", _ASK, "http://127.0.0.1:2480/healthz"]

    def is_heard() -> bool:
        with suppress(subprocess.CalledProcessError):
            return machine.run(*asked) == "ok\n"
        return False

    wait_until(is_heard, "pages", machine.console)
    assert int(machine.status()["CapBnd"], 16) == 0


def test_a_restart_defers_no_mail(machine: Machine) -> None:
    """Clients wait at the sockets that systemd keeps."""
    machine.begin(UNIT, DROP_IN, SOCKET, send="outbox")
    first, codes = machine.state()["MainPID"], list[int]()
    is_ended = threading.Event()

    def mail() -> None:
        while not is_ended.is_set():
            codes.append(ask(machine, len(codes)))

    sending = threading.Thread(target=mail)
    sending.start()
    try:
        machine.run("systemctl", "restart", UNIT)
        before = len(codes)
        wait_until(lambda: len(codes) > before, "an answer", machine.console)
    finally:
        is_ended.set()
        sending.join()
    assert machine.state()["MainPID"] != first
    assert {*codes} == {250}
    machine.run("systemctl", "stop", SOCKET, UNIT)
    assert not (machine.store / "lmtp").exists()


def exposure(*names: str) -> float:
    """What systemd-analyze thinks of a unit: from 0, closed, to 10."""
    with tempfile.TemporaryDirectory() as folder:
        unit = Path(folder, "pbm.service")
        unit.write_text("".join((ROOT / "bin" / name).read_text() for name in names))
        words = ["systemd-analyze", "security", "--offline=true", str(unit)]
        said = subprocess.run(words, capture_output=True, text=True, check=False).stdout
    (found,) = re.findall(r"Overall exposure level for pbm.service: ([\d.]+)", said)
    return float(found)


def test_how_exposed_the_services_are() -> None:
    """As systemd names these levels: medium up to 7, and ok up to 2. Another version
    may count otherwise, but not by much: this one says 5.7, and 1.3 twice."""
    assert exposure(UNIT) < 7
    assert exposure(UNIT, DROP_IN) < 2
    assert exposure(RUN) < 2
    for unit in (WEB, TICK):
        assert exposure(unit) < 7
        assert exposure(unit, DROP_IN) < 2
