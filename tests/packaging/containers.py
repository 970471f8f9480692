"""A machine for containers, in namespaces of the tests' own: with a network of its own,
control groups of the second version alone, and what podman keeps in one folder.
Nothing of the machine's own is touched, and all ends with the namespaces.
"""

import os
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

from tests.processes import PATIENCE, wait_until

# Where a container may not have more files open than it may here, podman asks for more
# than that; and groups of processes can only be made by whoever owns the machine.
_SETTINGS = """\
[containers]
cgroups = "disabled"
default_ulimits = ["nofile=1024:1024", "nproc=4096:4096"]
[engine]
cgroup_manager = "cgroupfs"
events_logger = "none"
network_cmd_path = ""
"""
_STORAGE = """\
[storage]
driver = "overlay"
graphroot = "{0}/images"
runroot = "{0}/run"
"""
_POLICY = '{"default": [{"type": "insecureAcceptAnything"}]}\n'
_BOOT = """\
set -e
mount --make-rprivate /
umount -R /sys/fs/cgroup || true
mount -t cgroup2 cgroup2 /sys/fs/cgroup
mount -t tmpfs tmpfs /run
mkdir -p /etc/containers
mount -t tmpfs tmpfs /etc/containers
cp {0}/policy.json /etc/containers
ip link set lo up
touch {0}/is-up
exec sleep infinity
"""
_KINDS = ("mount", "pid", "cgroup", "ipc", "uts", "net")


class Host:
    """That machine."""

    def __init__(self) -> None:
        self.folder = _new_folder()
        (self.folder / "containers.conf").write_text(_SETTINGS)
        (self.folder / "storage.conf").write_text(_STORAGE.format(self.folder))
        (self.folder / "policy.json").write_text(_POLICY)
        (self.folder / "boot").write_text(_BOOT.format(self.folder))
        kinds = [f"--{kind}" for kind in _KINDS]
        words = ["unshare", *kinds, "--mount-proc", "--fork", "--kill-child"]
        self._process = subprocess.Popen(
            [*words, "sh", str(self.folder / "boot")],
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
        wait_until((self.folder / "is-up").exists, "namespaces")
        path = f"/proc/{self._process.pid}/task/{self._process.pid}/children"
        self._first = Path(path).read_text().split()[0]

    def words(self, *words: str | Path) -> list[str]:
        """What to type so that root runs a program in there."""
        enter = ["nsenter", "--target", self._first, "--all", f"--wd={self.folder}"]
        return [*enter, *map(str, words)]

    def environment(self) -> dict[str, str]:
        """For such a program."""
        return {
            "HOME": str(self.folder),
            "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
            "CONTAINERS_CONF": str(self.folder / "containers.conf"),
            "CONTAINERS_STORAGE_CONF": str(self.folder / "storage.conf"),
            "TMPDIR": str(self.folder),
            "LC_ALL": "C.UTF-8",
        }

    def run(self, *words: str | Path) -> str:
        """What a program in there says, which must succeed."""
        status, said = self.ended(*words)
        assert status == 0, said
        return said

    def ended(self, *words: str | Path) -> tuple[int, str]:
        """The exit status of a program in there, and what it says."""
        done = subprocess.run(
            self.words(*words),
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=5 * PATIENCE,
            check=False,
        )
        return done.returncode, done.stdout

    def close(self) -> None:
        """End it, and remove its folder."""
        os.killpg(self._process.pid, signal.SIGKILL)  # unshare kills its child
        self._process.wait()
        shutil.rmtree(self.folder)


def _new_folder() -> Path:
    """A folder in memory if that is where the tests' files are. Layers need attributes
    that a tmpfs has only since Linux 6.6."""
    folder = tempfile.mkdtemp(prefix="pbm-images-")
    try:
        os.setxattr(folder, "user.pbm", b"")
    except OSError:
        os.rmdir(folder)
        folder = tempfile.mkdtemp(prefix="pbm-images-", dir="/var/tmp")
    os.chmod(folder, 0o755)
    return Path(folder)
