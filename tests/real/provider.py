"""A provider of the tests' own, on the loopback: Postfix takes letters over TLS from
those who log in, which Dovecot judges, and puts them into mailboxes."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes
from email.message import Message
from pathlib import Path

from tests.mail import signed_tokens
from tests.processes import PATIENCE, free_port, wait_until
from tests.real.parts import ROBOT

ADDRESS, USER, PASSWORD = "games@example.net", "games@example.net", "app p\xe4ssword"
DOMAIN = "example.org"
READERS = ("alice", "bob", "carol")

_MAIN = """\
compatibility_level = 3.6
queue_directory = {root}/queue
data_directory = {root}/data
maillog_file = {root}/log
maillog_file_prefixes = {root}
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks =
myhostname = mx.example.net
mydestination =
in_flow_delay = 0
smtpd_error_sleep_time = 0
smtpd_client_restrictions =
smtpd_tls_cert_file = {root}/server.pem
smtpd_tls_key_file = {root}/server.key
smtpd_tls_loglevel = 0
smtpd_sasl_auth_enable = yes
smtpd_sasl_type = dovecot
smtpd_sasl_path = {root}/auth
smtpd_tls_auth_only = yes
smtpd_sender_login_maps = inline:{{ {{ {address} = {user} }} }}
# Providers refuse the null sender, and addresses that are not the user's.
smtpd_sender_restrictions = check_sender_access texthash:{root}/senders,
    reject_sender_login_mismatch
smtpd_relay_restrictions = permit_sasl_authenticated, reject
virtual_mailbox_domains = {domain}
virtual_mailbox_base = {root}/mail
virtual_mailbox_maps = inline:{{ {boxes} }}
virtual_minimum_uid = 1
virtual_uid_maps = static:{uid}
virtual_gid_maps = static:{gid}
default_transport = error:no mail leaves the tests
relay_transport = $default_transport
"""
_MASTER = """\
127.0.0.1:{implicit} inet n - n - - smtpd -o smtpd_tls_wrappermode=yes
127.0.0.1:{starttls} inet n - n - - smtpd -o smtpd_tls_security_level=encrypt
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
proxymap unix - - n - - proxymap
error unix - - n - - error
retry unix - - n - - error
virtual unix - n n - - virtual
anvil unix - - n - 1 anvil
postlog unix-dgram n - n - 1 postlogd
"""
_DOVECOT = """\
protocols =
base_dir = {root}/dovecot
state_dir = {root}/dovecot
log_path = {root}/dovecot.log
ssl = no
auth_mechanisms = {mechanisms}
auth_failure_delay = 0
passdb {{
  driver = passwd-file
  args = scheme=PLAIN {root}/users
}}
passdb {{
  driver = oauth2
  mechanisms = xoauth2
  args = {root}/oauth2.conf
}}
userdb {{
  driver = static
  args = uid={uid} gid={gid} home=/nonexistent
}}
service auth {{
  unix_listener {root}/auth {{
    mode = 0666
  }}
}}
"""


class Provider:
    """One that is running."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.implicit, self.starttls = free_port(), free_port()
        self.authority = root / "authority.pem"
        self._make_certificates()
        self._write_settings()

    def _make_certificates(self) -> None:
        """An authority's, and the server's for the name localhost."""
        (self.root / "names").write_text("subjectAltName=DNS:localhost\n")
        for words in (
            "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=authority "
            "-keyout authority.key -out authority.pem",
            "req -newkey rsa:2048 -nodes -subj /CN=localhost "
            "-keyout server.key -out server.csr",
            "x509 -req -in server.csr -CA authority.pem -CAkey authority.key "
            "-CAcreateserial -days 2 -extfile names -out server.pem",
        ):
            _run("openssl", *words.split(), cwd=self.root)

    def _write_settings(self) -> None:
        user = pwd.getpwnam(ROBOT)
        boxes = ", ".join(f"{{ {name}@{DOMAIN} = {name}/ }}" for name in READERS)
        settings = {
            "root": self.root,
            "address": ADDRESS,
            "user": USER,
            "domain": DOMAIN,
            "boxes": boxes,
            "uid": user.pw_uid,
            "gid": user.pw_gid,
            "implicit": self.implicit,
            "starttls": self.starttls,
            "mechanisms": "plain login xoauth2",
        }
        for name in ("etc", "queue", "data", "mail", "dovecot"):
            (self.root / name).mkdir()
        shutil.chown(self.root / "data", "postfix")
        shutil.chown(self.root / "mail", user.pw_uid, user.pw_gid)
        (self.root / "etc/main.cf").write_text(_MAIN.format(**settings))
        (self.root / "etc/master.cf").write_text(_MASTER.format(**settings))
        (self.root / "dovecot.conf").write_text(_DOVECOT.format(**settings))
        signed_tokens.write_settings(self.root)
        (self.root / "senders").write_text("<> REJECT\n")
        (self.root / "users").write_text(f"{USER}:{PASSWORD}\n", "utf-8")

    def start(self) -> None:
        _run("/usr/sbin/dovecot", "-c", self.root / "dovecot.conf")
        _run("/usr/sbin/postfix", "-c", self.root / "etc", "start")

    def stop(self) -> None:
        _run("/usr/sbin/postfix", "-c", self.root / "etc", "stop")
        _run("doveadm", "-c", self.root / "dovecot.conf", "stop")

    def settings(self, tls: str, **more: object) -> dict[str, object]:
        """Those of config.yaml with which letters leave here."""
        password = self.root / "password"
        if not password.exists():
            password.write_text(f"{PASSWORD}\n", "utf-8")
            password.chmod(0o600)
        usual = {
            "address": ADDRESS,
            "envelope": ADDRESS,
            "user": USER,
            "send": "smtp",
            "smtp": f"localhost:{getattr(self, tls)}",
            "tls": tls,
            "tls_ca_file": str(self.authority),
            "password_file": str(password),
        }
        return {**usual, **more}

    def mails(self, name: str) -> list[Message]:
        """The mails in a reader's mailbox, when all that is on its way is there."""
        wait_until(self._is_idle, "an empty queue")
        files = sorted((self.root / "mail" / name / "new").glob("*"))
        return [message_from_bytes(file.read_bytes()) for file in files]

    def empty(self) -> None:
        """Begin with empty mailboxes and an empty log."""
        wait_until(self._is_idle, "an empty queue")
        wait_until(self._is_quiet, "the last line of the log")
        for name in READERS:
            shutil.rmtree(self.root / "mail" / name, ignore_errors=True)
        os.truncate(self.root / "log", 0)

    def log(self) -> str:
        """What is said of the connections of a test, which has made one at least."""
        wait_until(lambda: self._is_quiet(1), "the last line of the log")
        return (self.root / "log").read_text()

    def _is_quiet(self, least: int = 0) -> bool:
        """Whether all is logged: lines come a little later than what they are about."""
        text = (self.root / "log").read_text()
        ended = text.count(": disconnect from")
        return ended >= least and text.count(": connect from") == ended

    def _is_idle(self) -> bool:
        steps = [self.root / "queue" / name for name in ("incoming", "active")]
        return not any(any(step.iterdir()) for step in (*steps, *steps))


@contextmanager
def provider() -> Iterator[Provider]:
    """A provider while the block runs. Its folder is open to Postfix's accounts."""
    root = Path(tempfile.mkdtemp(prefix="pbm-"))
    root.chmod(0o755)
    try:
        found = Provider(root)
        found.start()
        try:
            yield found
        finally:
            found.stop()
    finally:
        shutil.rmtree(root)


def _run(*words: str | Path, cwd: Path | None = None) -> None:
    with tempfile.TemporaryFile() as output:  # a daemon would hold a pipe for ever
        done = subprocess.run(
            words,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            cwd=cwd,
            check=False,
            timeout=PATIENCE,
        )
        output.seek(0)
        assert done.returncode == 0, (words, output.read().decode())
