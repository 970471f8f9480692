"""A provider of mailboxes on the loopback: a Dovecot of the tests' own, as an ordinary
user, on ports of its own, with certificates of the tests' own."""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

from tests.mail import signed_tokens
from tests.needs import find
from tests.processes import free_port, wait_until

USER, PASSWORD = "pbm@games.example.net", "naïve pässword"  # beyond ASCII, with a blank

_SETTINGS = """\
base_dir = {folder}/run
state_dir = {folder}/state
log_path = {folder}/log
protocols = imap
listen = 127.0.0.1
default_internal_user = {user}
default_internal_group = {group}
default_login_user = {user}
first_valid_uid = 1
ssl = required
ssl_cert = <{folder}/{certificate}.pem
ssl_key = <{folder}/{certificate}.key
auth_mechanisms = plain xoauth2
auth_failure_delay = 0
passdb {{
  driver = passwd-file
  args = scheme=PLAIN username_format=%u {folder}/passwords
}}
passdb {{
  driver = oauth2
  mechanisms = xoauth2
  args = {folder}/oauth2.conf
}}
userdb {{
  driver = static
  args = uid={user} gid={group} home={folder}/mail/%u
}}
mail_location = maildir:{folder}/mail/%u
mailbox_idle_check_interval = 1 s
namespace inbox {{
  inbox = yes
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {port}
  }}
  inet_listener imaps {{
    port = {tls_port}
    ssl = yes
  }}
}}
service anvil {{
  chroot =
  # nobody waits after a wrong password
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
imap_capability = {capability}
"""


class Provider:
    """A Dovecot with the mailboxes of USER and of players."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port, self.tls_port = free_port(), free_port()
        self.certificate = folder / "good.pem"
        self._numbers = count(1)
        is_root = os.geteuid() == 0
        self._account = pwd.getpwnam("nobody") if is_root else pwd.getpwuid(os.getuid())
        certify(folder, "good", days=2)
        certify(folder, "expired", days=-1)
        (folder / "passwords").write_text(f"{USER}:{{PLAIN}}{PASSWORD}\n")
        (folder / "mail").mkdir()
        signed_tokens.write_settings(folder)
        self._own([folder, *folder.rglob("*")])
        self._process: subprocess.Popen[bytes] | None = None

    def _own(self, paths: Iterable[Path]) -> None:
        """Give files to the account of this Dovecot."""
        for path in paths:
            os.chown(path, self._account.pw_uid, self._account.pw_gid)

    def start(self, certificate: str = "good", capability: str = "") -> None:
        """Begin to serve."""
        settings = self.folder / "dovecot.conf"
        settings.write_text(
            _SETTINGS.format(
                folder=self.folder,
                user=self._account.pw_name,
                group=_group(self._account.pw_gid),
                port=self.port,
                tls_port=self.tls_port,
                certificate=certificate,
                capability=capability,
            )
        )
        self._process = subprocess.Popen(
            [find("dovecot") or "", "-F", "-c", str(settings)],
            user=self._account.pw_uid if os.geteuid() == 0 else None,
            group=self._account.pw_gid if os.geteuid() == 0 else None,
            extra_groups=[] if os.geteuid() == 0 else None,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        wait_until(self._answers, "an IMAP server", self.log)

    def stop(self) -> None:
        """End at once, with all connections."""
        assert self._process is not None
        with suppress(ProcessLookupError):  # it may have ended by itself
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._process = None
        # its children die a moment later, and another must not take them for itself
        wait_until(lambda: not self._is_reached(), "the end of an IMAP server")
        shutil.rmtree(self.folder / "run", ignore_errors=True)

    def _answers(self) -> bool:
        assert self._process is not None
        assert self._process.poll() is None, self.log()
        return self._is_reached()

    def _is_reached(self) -> bool:
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.port)):
            return True
        return False

    def log(self) -> str:
        path = self.folder / "log"
        return path.read_text() if path.exists() else ""

    # Mailboxes

    def clear(self, user: str = USER) -> None:
        """Begin with an empty mailbox, whose UIDVALIDITY is new."""
        box = self.folder / "mail" / user
        shutil.rmtree(box, ignore_errors=True)
        box.mkdir(parents=True)
        (box / "dovecot-uidlist").write_text(f"3 V{next(self._numbers)} N1\n")
        self._own([box, *box.iterdir()])

    def put(self, *mails: bytes, user: str = USER, folder: str = "") -> None:
        """Deliver mails, as any program delivers into a Maildir."""
        box = self.folder / "mail" / user / folder
        folders = [box, *(box / name for name in ("cur", "new", "tmp"))]
        for each in folders:
            each.mkdir(parents=True, exist_ok=True)
        self._own(folders)
        for mail in mails:
            name = f"{next(self._numbers):09}.test"
            path = box / "tmp" / name
            path.write_bytes(mail.replace(b"\n", b"\r\n"))
            self._own([path])
            path.rename(box / "new" / name)

    def mails(self, folder: str = "", user: str = USER) -> list[bytes]:
        """The mails in a folder, the oldest first."""
        return [path.read_bytes() for path in self.files(folder, user)]

    def files(self, folder: str = "", user: str = USER) -> list[Path]:
        box = self.folder / "mail" / user / folder
        return sorted([*box.glob("new/*"), *box.glob("cur/*")], key=lambda p: p.name)


def _group(number: int) -> str:
    import grp

    return grp.getgrgid(number).gr_name


def certify(folder: Path, name: str, days: int) -> None:
    """A certificate for localhost that signs itself, and its key."""
    key, request, made = (folder / f"{name}.{kind}" for kind in ("key", "csr", "pem"))
    _openssl(
        *("req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"),
        *("-noenc", "-subj", "/CN=localhost", "-keyout", key, "-out", request),
        *("-addext", "subjectAltName=DNS:localhost"),
    )
    _openssl(
        *("x509", "-req", "-in", request, "-signkey", key, "-days", str(days)),
        *("-copy_extensions", "copy", "-out", made),
    )


def _openssl(*words: str | Path) -> None:
    subprocess.run(["openssl", *words], check=True, capture_output=True)


@contextmanager
def provider() -> Iterator[Provider]:
    """A provider while the block runs."""
    with tempfile.TemporaryDirectory(prefix="pbm-dovecot-") as name:
        folder = Path(name)
        made = Provider(folder)
        made.start()
        try:
            yield made
        finally:
            made.stop()
