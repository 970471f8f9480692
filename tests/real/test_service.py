"""bin/pbm.service under a real systemd: letters leave under its very restrictions."""

import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house import mail_of
from tests.paths import ROOT
from tests.processes import send, wait_until
from tests.real.parts import UNIT_RUNS
from tests.real.system import Machine

pytestmark = UNIT_RUNS
UNIT, DROP_IN = ROOT / "bin/pbm.service", ROOT / "bin/pbm-smtp.conf"
ALICE = "alice@example.org"


@pytest.fixture(scope="module")
def machine() -> Iterator[Machine]:
    # not under /tmp, of which the unit has one of its own
    folder = Path(tempfile.mkdtemp(prefix="pbm-", dir="/var/lib"))
    folder.chmod(0o755)
    try:
        made = Machine(folder)
        try:
            made.run("postfix", "start")
            yield made
        finally:
            made.stop()
    finally:
        shutil.rmtree(folder)


def ask(machine: Machine) -> int:
    """Alice asks for help: the code that her mail is answered with."""
    raw = mail_of("help", ALICE, Message_ID="<1@example.org>")
    return send(str(machine.store / "lmtp"), raw, ALICE)[0]


def arrived(machine: Machine) -> str:
    wait_until(machine.letters, "a letter", machine.console)
    (letter,) = machine.letters()
    return letter.read_text()


def test_a_letter_by_sendmail_under_the_unit_alone(machine: Machine) -> None:
    machine.begin(drop_in=False, send="sendmail")
    assert ask(machine) == 250
    assert "\nIn-Reply-To: <1@example.org>\n" in arrived(machine)
    status = machine.status()
    assert int(status["CapBnd"], 16) == 0
    assert status["NoNewPrivs"] == status["Seccomp"] == "0"


@pytest.mark.parametrize("drop_in", [False, True])
def test_a_letter_by_smtp(machine: Machine, drop_in: bool) -> None:
    machine.begin(drop_in, send="smtp")
    assert ask(machine) == 250
    assert "\nIn-Reply-To: <1@example.org>\n" in arrived(machine)
    assert machine.status()["NoNewPrivs"] == str(int(drop_in))


@pytest.mark.parametrize("drop_in", [False, True])
def test_a_letter_in_the_outbox(machine: Machine, drop_in: bool) -> None:
    machine.begin(drop_in, send="outbox")
    assert ask(machine) == 250
    assert len(list((machine.store / "outbox").iterdir())) == 1


def test_stricter_settings_of_the_unit_would_stop_sendmail(machine: Machine) -> None:
    """Which is why it is a file of its own; the answer is kept, and waits."""
    machine.begin(drop_in=True, send="sendmail")
    assert ask(machine) == 250
    assert len(list((machine.store / "waiting").glob("*.eml"))) == 1
    assert machine.status()["NoNewPrivs"] == "1"
    why = (machine.store / "waiting.why").read_text()
    assert "sendmail" in why


@pytest.mark.parametrize(
    ("drop_in", "read_only"), [(False, {"/usr", "/etc"}), (True, {"/"})]
)
def test_files_that_the_server_may_see(
    machine: Machine, drop_in: bool, read_only: set[str]
) -> None:
    """Its own home and no other, and a system that it cannot write."""
    machine.begin(drop_in, send="outbox")
    process = f"/proc/{machine.state()['MainPID']}"
    assert machine.run("ls", f"{process}/root/home").split() == ["pbm"]
    assert machine.run("ls", f"{process}/root/tmp").split() == []
    lines = machine.run("cat", f"{process}/mountinfo").splitlines()
    mounts = {line.split()[4]: line.split()[5].split(",") for line in lines}
    assert {path for path in read_only if "ro" in mounts[path]} == read_only
    assert "rw" in mounts["/home/pbm"]


def test_systemd_finds_no_fault_with_the_unit(machine: Machine) -> None:
    machine.begin(drop_in=True, send="outbox")
    words = f"systemd-analyze verify {machine.folder}/units/pbm.service 2>&1"
    assert machine.run("sh", "-c", words) == ""


def exposure(*paths: Path) -> float:
    """What systemd-analyze thinks of a unit: from 0, closed, to 10."""
    with tempfile.TemporaryDirectory() as folder:
        unit = Path(folder, "pbm.service")
        unit.write_text("".join(path.read_text() for path in paths))
        words = ["systemd-analyze", "security", "--offline=true", str(unit)]
        said = subprocess.run(words, capture_output=True, text=True, check=False).stdout
    (found,) = re.findall(r"Overall exposure level for pbm.service: ([\d.]+)", said)
    return float(found)


def test_how_exposed_the_service_is() -> None:
    """As systemd names these levels: medium up to 7, and ok up to 2. Another version
    may count otherwise, but not by much: this one says 5.7 and 1.3."""
    assert exposure(UNIT) < 7
    assert exposure(UNIT, DROP_IN) < 2
