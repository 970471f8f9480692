"""A root of the test's own for programs that cannot be installed beside Postfix: the
machine's files, with /usr and /etc of unpacked Debian packages laid over its own.

What runs there sees its own mounts, processes and network, and ends with the test.
Nothing of the machine's own is written.
"""

import os
import re
import signal
import subprocess
from pathlib import Path
from types import TracebackType

from tests.needs import archives
from tests.processes import PATIENCE, wait_until

_ENTER = """\
set -e
cd {0}
mount --make-rprivate /
mount -t proc proc /proc
for name in usr etc; do
    mount -t overlay overlay /$name \\
        -o lowerdir=layer/$name:/$name,upperdir=upper/$name,workdir=work/$name
done
for name in lib log mail spool; do
    mount -t tmpfs -o mode=755 tmpfs /var/$name
    [ ! -d layer/var/$name ] || cp -a layer/var/$name/. /var/$name
done
mount -t tmpfs -o mode=755 tmpfs /run
ip link set lo up
exec sleep infinity
"""


class Root:
    """While the block runs: such a root, with `package` and what it depends on."""

    def __init__(self, folder: Path, package: str) -> None:
        self.folder = folder
        self.layer = folder / "layer"
        for layer in ("layer", "upper", "work"):
            for name in ("usr", "etc"):
                (folder / layer / name).mkdir(parents=True)
        self._unpack(package)

    def _unpack(self, package: str) -> None:
        """Unpack what was downloaded of a package and of those that it needs."""
        for archive in archives(package)[-1:]:
            subprocess.run(["dpkg-deb", "-x", archive, self.layer], check=True)
            show = ["dpkg-deb", "-f", archive, "Depends"]
            depends = subprocess.check_output(show, text=True)
            for needed in re.findall(r"(?:^|[,|])\s*([\w.+-]+)", depends):
                self._unpack(needed)

    def add_accounts(self, *names: str) -> None:
        """Accounts of the kind that a package makes when it is installed."""
        for kind, line in [
            ("passwd", "{0}:x:{1}:{1}::/nonexistent:/usr/sbin/nologin\n"),
            ("group", "{0}:x:{1}:\n"),
        ]:
            text = Path("/etc", kind).read_text()
            more = (line.format(name, 61000 + n) for n, name in enumerate(names))
            (self.layer / "etc" / kind).write_text(text + "".join(more))

    def move_home(self, name: str, home: Path) -> None:
        """The account `name` has another home there, and a shell."""
        passwd = self.layer / "etc/passwd"
        text = re.sub(
            rf"(?m)^({name}:.*):[^:]*:[^:]*$", rf"\1:{home}:/bin/sh", passwd.read_text()
        )
        passwd.write_text(text)

    def __enter__(self) -> "Root":
        enter = _ENTER.format(self.folder)
        kinds = ("mount", "pid", "net", "ipc", "uts")
        words = ["unshare", *(f"--{kind}" for kind in kinds), "--fork", "--kill-child"]
        self._console = (self.folder / "console").open("wb")
        self._process = subprocess.Popen(
            [*words, "sh", "-c", enter],
            stdin=subprocess.DEVNULL,
            stdout=self._console,
            stderr=self._console,
            start_new_session=True,
        )
        wait_until(self._is_up, "a root of its own", self.console)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._console.close()

    def _first(self) -> str:
        """The number of the first process in there."""
        number = self._process.pid
        children = Path(f"/proc/{number}/task/{number}/children").read_text()
        return children.strip()

    def _is_up(self) -> bool:
        assert self._process.poll() is None, self.console()
        first = self._first()
        try:
            return bool(first) and os.readlink(f"/proc/{first}/exe").endswith("/sleep")
        except FileNotFoundError:
            return False

    def console(self) -> str:
        """What was said by programs that nobody listens to."""
        return (self.folder / "console").read_text(errors="replace")

    def words(self, *words: str | Path) -> list[str]:
        """What to type so that a program runs in there, as root."""
        enter = ["nsenter", f"--target={self._first()}", "--mount", "--pid", "--net"]
        return [*enter, "--ipc", "--uts", "--wd=/", *map(str, words)]

    def run(self, *words: str | Path, given: bytes = b"") -> str:
        """What a program prints in there that must succeed."""
        done = subprocess.run(
            self.words(*words),
            input=given,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=PATIENCE,
            check=False,
        )
        told = done.stdout.decode(errors="replace")
        assert done.returncode == 0, told + self.console()
        return told

    def succeeds(self, *words: str) -> bool:
        """Whether a program in there succeeds."""
        words = tuple(self.words(*words))
        return subprocess.run(words, capture_output=True, check=False).returncode == 0

    def start(self, *words: str | Path) -> None:
        """Start a program that runs until the block ends."""
        subprocess.Popen(
            self.words(*words),
            stdin=subprocess.DEVNULL,
            stdout=self._console,
            stderr=self._console,
        )
