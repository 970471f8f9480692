"""A Postfix of the test's own: its configuration and its queue in a folder, on a
port of the loopback interface. It needs root, as Postfix does."""

import os
import pwd
import shutil
import smtplib
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.processes import free_port, wait_until

_MAIN = """\
compatibility_level = 3.6
queue_directory = {root}/queue
data_directory = {root}/data
daemon_directory = /usr/lib/postfix/sbin
command_directory = /usr/sbin
mail_owner = postfix
setgid_group = postdrop
maillog_file = {root}/log
maillog_file_prefixes = {root}
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
myhostname = mx.example.org
mydestination = example.org
local_recipient_maps =
alias_maps =
smtpd_relay_restrictions = permit_mynetworks, reject
queue_run_delay = 1s
minimal_backoff_time = 1s
maximal_backoff_time = 1s
transport_maps = texthash:{root}/transport
"""
_SERVICES = """\
127.0.0.1:{port} inet n - n - - smtpd
cleanup unix n - n - 0 cleanup
qmgr unix n - n 1 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
error unix - - n - - error
retry unix - - n - - error
smtp unix - - n - - smtp
lmtp unix - - n - - lmtp
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
"""


class Postfix:
    """One that is running. `transport` holds a line for where an address goes."""

    def __init__(self, root: Path, transport: str) -> None:
        self.root = root
        self.port = free_port()
        self._taken = 0
        (root / "main.cf").write_text(_MAIN.format(root=root))
        (root / "master.cf").write_text(_SERVICES.format(port=self.port))
        (root / "transport").write_text(transport)
        root.chmod(0o755)
        for folder in ("queue", "data"):
            (root / folder).mkdir()
        os.chown(root / "data", pwd.getpwnam("postfix").pw_uid, -1)

    def run(self, word: str) -> None:
        command = ["/usr/sbin/postfix", "-c", str(self.root), word]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr + self.log()

    def take(self, sender: str, recipient: str, raw: bytes) -> None:
        """Bring it a mail, as another machine would."""
        with smtplib.SMTP("127.0.0.1", self.port) as client:
            text = raw.replace(b"\n", b"\r\n")
            assert client.sendmail(sender, [recipient], text) == {}
        self._taken += 1

    def is_done(self) -> bool:
        """Whether it has dealt with all mails that it has taken. (Its queue may look
        empty while a mail is moved in it.)"""
        return self.log().count(": removed\n") == self._taken

    def finish(self) -> None:
        wait_until(self.is_done)

    def log(self) -> str:
        path = self.root / "log"
        return path.read_text() if path.exists() else ""


@contextmanager
def postfix(transport: str) -> Iterator[Postfix]:
    """A Postfix while the block runs."""
    root = Path(tempfile.mkdtemp(prefix="pbm-postfix-", dir="/tmp"))
    try:
        made = Postfix(root, transport)
        made.run("start")
        try:
            yield made
        finally:
            made.run("stop")
    finally:
        shutil.rmtree(root)
