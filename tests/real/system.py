"""A machine in a machine: a systemd of the tests' own, as the first process of its own
namespaces, with a Postfix at its usual places and the units of bin/ as they are.

Nothing of the machine's own is touched: what is mounted, started and sent is seen in
these namespaces alone, and ends with them.
"""

import os
import shutil
import signal
import socket
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from pbm_holomino.resident.report import NEW_SETTINGS
from tests.paths import ROOT
from tests.processes import PATIENCE, wait_until
from tests.real.parts import Account
from tests.real.postoffice import MASTER

# by the servers, beside the rest
NEEDED = (
    *("aiosmtpd", "public", "attr", "attrs", "imapclient"),
    *("starlette", "uvicorn", "jinja2", "markupsafe"),
    *("anyio", "h11", "idna", "typing_extensions"),
)
_MAIN = """\
compatibility_level = 3.6
data_directory = /run/postfix
maillog_file = {folder}/log/maillog
maillog_file_prefixes = {folder}

inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = games.example.net
mydestination = $myhostname
alias_maps =
local_recipient_maps =

virtual_mailbox_domains = example.org
virtual_mailbox_base = {folder}/mail
virtual_mailbox_maps = inline:{{ {{ alice@example.org = alice/ }} }}
virtual_minimum_uid = 1
virtual_uid_maps = static:{uid}
virtual_gid_maps = static:{gid}
default_transport = error:no mail leaves the tests
relay_transport = $default_transport
"""
# Only what our units name, and what every unit depends on: with the machine's own
# units, the machine's own disks would be looked after.
_UNITS = (
    *("sysinit", "basic", "shutdown", "network", "network-online"),
    *("sockets", "timers", "multi-user", "umount"),
)
_UNIT = "[Unit]\nDescription={name}\nDefaultDependencies=no\n"
# What the tests add: where to read what is said, and that a timer begins at once.
_SERVICE = """\
[Service]
StandardError=append:{folder}/said
"""
_TIMER = "[Timer]\nOnActiveSec=0\nRandomizedDelaySec=0\nAccuracySec=1ms\n"
_BOOT = """\
set -e
mount --make-rprivate /
mount -t proc proc /proc
mount --bind /proc/sys /proc/sys
mount -o remount,bind,ro /proc/sys
mount -t tmpfs tmpfs /run
mkdir -p /run/systemd/system /run/lock /run/postfix
chown postfix /run/postfix
umount -R /sys/fs/cgroup || true
mount -t cgroup2 cgroup2 /sys/fs/cgroup
mount -t tmpfs tmpfs /home
mkdir /home/pbm
mount --bind {folder}/home /home/pbm
mount --bind {folder}/passwd /etc/passwd
mount --bind {folder}/etc /etc/postfix
mount --bind {folder}/spool /var/spool/postfix
ip link set lo up
exec env -i container=pbm-tests PATH=/usr/sbin:/usr/bin:/sbin:/bin \\
    SYSTEMD_UNIT_PATH={folder}/units SYSTEMD_GENERATOR_PATH={folder}/none \\
    SYSTEMD_ENVIRONMENT_GENERATOR_PATH={folder}/none \\
    /usr/lib/systemd/systemd --unit=multi-user.target --show-status=no \\
    --log-target=console --log-level=notice
"""


class Machine:
    """The account pbm at /home/pbm, its checkout, Postfix, and systemd."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.account = Account(folder)
        self.store = self.account.store
        self.store.mkdir()
        self.account.add_packages(NEEDED, "serve mailbox web")
        for name in ("etc", "spool", "mail", "log", "units", "none"):
            (folder / name).mkdir()
        user = self.account.user
        os.chown(folder / "mail", user.pw_uid, user.pw_gid)
        named = f"pbm:x:{user.pw_uid}:{user.pw_gid}::/home/pbm:/bin/sh\n"
        (folder / "passwd").write_text(Path("/etc/passwd").read_text() + named)
        shutil.copytree("/etc/postfix", folder / "etc", dirs_exist_ok=True)
        ids = {"uid": user.pw_uid, "gid": user.pw_gid}
        (folder / "etc/main.cf").write_text(_MAIN.format(folder=folder, **ids))
        (folder / "etc/master.cf").write_text(MASTER.format(port=25))
        for name in _UNITS:
            path = folder / "units" / f"{name}.target"
            path.write_text(_UNIT.format(name=name))
        self._cgroup = _new_cgroup(folder.name)
        self._process = self._boot()

    def _boot(self) -> "subprocess.Popen[bytes]":
        kinds = ("mount", "pid", "cgroup", "ipc", "uts", "net")
        enter = f"echo $$ >{self._cgroup}/cgroup.procs\n"
        words = " ".join(f"--{kind}" for kind in kinds)
        (self.folder / "boot").write_text(_BOOT.format(folder=self.folder))
        start = f"{enter}exec unshare {words} --fork --kill-child sh {self.folder}/boot"
        with (self.folder / "console").open("wb") as console:
            process = subprocess.Popen(
                ["sh", "-ec", start],
                stdin=subprocess.DEVNULL,
                stdout=console,
                stderr=console,
                start_new_session=True,
            )
        wait_until(self._is_up, "a systemd that runs", self.console)
        return process

    def _is_up(self) -> bool:
        with suppress(OSError, subprocess.CalledProcessError, IndexError):
            self.run("systemctl", "is-active", "multi-user.target")
            return True
        return False

    def console(self) -> str:
        """What systemd, the server and Postfix have said."""
        files = [self.folder / name for name in ("console", "said", "log/maillog")]
        found = [path.read_text(errors="replace") for path in files if path.exists()]
        return "\n".join(found)

    def _first(self) -> str:
        """The number that the first process in there has out here."""
        for line in (self._cgroup / "cgroup.procs").read_text().split():
            children = Path(f"/proc/{line}/task/{line}/children").read_text().split()
            if children:
                return children[0]
        # systemd moves itself into a group below
        (found,) = (self._cgroup / "init.scope/cgroup.procs").read_text().split()
        return found

    def run(self, *words: str | Path) -> str:
        """What a program says that root runs in there, and that must succeed."""
        enter = ["nsenter", "--target", self._first(), "--all", "--wd=/"]
        done = subprocess.run(
            [*enter, *words],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=True,
            timeout=PATIENCE,
        )
        return done.stdout

    def stop(self) -> None:
        os.killpg(self._process.pid, signal.SIGKILL)  # unshare kills its child
        self._process.wait()
        below = sorted(self._cgroup.rglob("*/"), key=lambda path: -len(path.parts))
        wait_until(lambda: not self._populated(), "an end of all processes")
        for folder in (*below, self._cgroup):
            if folder.is_dir():
                folder.rmdir()

    def _populated(self) -> bool:
        return "populated 1" in (self._cgroup / "cgroup.events").read_text()

    # What the tests do with it

    def begin(self, *files: str, **settings: object) -> None:
        """Start the service of the first of these files of bin/ on an empty store."""
        self._install(files)
        for path in self.store.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        self._start(settings)

    def go_on(self, *files: str, **settings: object) -> None:
        """Start another one on the same store."""
        self._install(files)
        self._start(settings)

    def _start(self, settings: Mapping[str, object]) -> None:
        self._configure(settings)
        starting = self._units("timer") or [*self._units("socket"), self.service]
        self.run("systemctl", "restart", *starting)
        wait_until(self._serves, "a server", self.console)

    def _install(self, files: Sequence[str]) -> None:
        """Let these be the units, with what the tests add to each service."""
        for kind in ("socket", "timer", "service"):
            for unit in self._units(kind):
                self.run("systemctl", "stop", unit)
                (self.folder / "units" / unit).unlink()
                shutil.rmtree(self.folder / "units" / f"{unit}.d", ignore_errors=True)
        self.service = files[0]
        extra = self.folder / "units" / f"{self.service}.d"
        extra.mkdir()
        (extra / "tests.conf").write_text(_SERVICE.format(folder=self.folder))
        sooner = self.folder / "units" / "pbm-tick.timer.d"
        sooner.mkdir(exist_ok=True)
        (sooner / "tests.conf").write_text(_TIMER)
        for name in files:
            to = extra if name.endswith(".conf") else self.folder / "units"
            shutil.copy(ROOT / "bin" / name, to)
        self.run("systemctl", "daemon-reload")

    def _units(self, kind: str) -> list[str]:
        found = (self.folder / "units").glob(f"pbm*.{kind}")
        return [path.name for path in found if path.is_file()]

    def _configure(self, settings: Mapping[str, object]) -> None:
        for letter in self.letters():
            letter.unlink()
        self.account.configure(**{"address": "pbm@games.example.net", **settings})
        self.account.own_store()

    def _serves(self) -> bool:
        assert self.state()["ActiveState"] != "failed", self.console()
        return self.service != "pbm.service" or self._is_listening()

    def _is_listening(self) -> bool:
        """Whether the server answers: its socket is there a moment earlier."""
        with socket.socket(socket.AF_UNIX) as client:
            return client.connect_ex(str(self.store / "lmtp")) == 0

    def reload(self, **settings: object) -> None:
        """Have the service go on with other settings."""
        before = self._said().count(NEW_SETTINGS)
        self._configure(settings)
        self.run("systemctl", "reload", self.service)
        wait_until(
            lambda: self._said().count(NEW_SETTINGS) > before, "a word", self.console
        )

    def _said(self) -> str:
        path = self.folder / "said"
        return path.read_text() if path.exists() else ""

    def state(self) -> dict[str, str]:
        """What systemd says of the service."""
        lines = self.run("systemctl", "show", self.service).splitlines()
        return dict(line.split("=", 1) for line in lines if "=" in line)

    def status(self) -> dict[str, str]:
        """What the kernel says of the server's process."""
        number = self.state()["MainPID"]
        text = self.run("cat", f"/proc/{number}/status")
        return dict(line.split(":\t", 1) for line in text.splitlines() if ":\t" in line)

    def letters(self) -> list[Path]:
        """Those in alice's mailbox."""
        return list((self.folder / "mail").glob("alice/new/*"))


def _new_cgroup(name: str) -> Path:
    """A group for the processes in there, below the one that this process is in."""
    mounts = Path("/proc/mounts").read_text().splitlines()
    (root, *_) = [line.split()[1] for line in mounts if line.split()[2] == "cgroup2"]
    groups = Path("/proc/self/cgroup").read_text().splitlines()
    (own,) = [line[3:] for line in groups if line.startswith("0::")]
    made = Path(f"{root}{own}/{name}")
    made.mkdir()
    return made
