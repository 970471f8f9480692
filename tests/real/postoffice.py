"""A Postfix of the tests' own, on a free port of this machine's loopback: the robot's
mail goes to procmail, and that of the players, who are at home in example.org, into
their mailboxes."""

import os
import shutil
import smtplib
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.processes import PATIENCE, free_port, wait_until
from tests.real.parts import ROBOT, Account

ADDRESS = "pbm@games.example.net"
DOMAIN = "example.org"
PLAYERS = (
    *("alice", "bob", "carol", "dave", "erin", "frank", "grace", "heidi"),
    *("ivan", "judy", "kevin", "laura", "mike", "nina"),
)

_MAIN = """\
compatibility_level = 3.6
queue_directory = {folder}/spool
data_directory = {folder}/data
command_directory = {folder}/bin
maillog_file = {folder}/log/maillog
maillog_file_prefixes = {folder}

inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks = 127.0.0.1/32
myhostname = games.example.net
myorigin = $myhostname
mydestination = $myhostname
recipient_delimiter = +
in_flow_delay = 0

alias_maps = inline:{{ pbm={robot} }}
local_recipient_maps = $alias_maps
mailbox_command = /usr/bin/procmail HOME={folder}/home DEFAULT={folder}/home/lost
    {folder}/home/.procmailrc
forward_path =

virtual_mailbox_domains = {domain}
virtual_mailbox_base = {folder}/mail
virtual_mailbox_maps = inline:{{ {boxes} }}
virtual_minimum_uid = 1
virtual_uid_maps = static:{uid}
virtual_gid_maps = static:{gid}

# Nothing leaves this machine.
default_transport = error:no mail leaves the tests
relay_transport = $default_transport
"""
MASTER = """\
127.0.0.1:{port} inet n - n - - smtpd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
showq unix n - n - - showq
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
local unix - n n - - local
virtual unix - n n - - virtual
anvil unix - - n - 1 anvil
postlog unix-dgram n - n - 1 postlogd
"""
# A test that makes one of these files closes the way of letters, or holds them up.
_SENDMAIL = """\
#!/bin/sh
[ -e {folder}/closed ] && exit 75
while [ -e {folder}/slow ]; do sleep 0.05; done
MAIL_CONFIG={folder}/etc exec /usr/sbin/sendmail "$@"
"""


class PostOffice:
    """Postfix, procmail, the robot's account and the players' mailboxes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.account = Account(folder)
        self.port = free_port()
        self._write_settings()
        self._make_commands()
        self._make_queue()

    def _write_settings(self) -> None:
        for name in ("etc", "log", "bin", "mail", "spool", "data"):
            (self.folder / name).mkdir()
        user = self.account.user
        boxes = ", ".join(f"{{ {name}@{DOMAIN} = {name}/ }}" for name in PLAYERS)
        settings = {
            "folder": self.folder,
            "robot": ROBOT,
            "domain": DOMAIN,
            "boxes": boxes,
            "uid": user.pw_uid,
            "gid": user.pw_gid,
            "port": self.port,
        }
        (self.folder / "etc/main.cf").write_text(_MAIN.format(**settings))
        (self.folder / "etc/master.cf").write_text(MASTER.format(**settings))
        (self.folder / "bin/sendmail").write_text(_SENDMAIL.format(**settings))
        (self.folder / "bin/sendmail").chmod(0o755)
        os.chown(self.folder / "mail", user.pw_uid, user.pw_gid)
        shutil.chown(self.folder / "data", "postfix")

    def _make_commands(self) -> None:
        """Postfix's commands. postdrop has special rights, and so serves only the
        machine's own queue; without them it serves one that is open to all."""
        for path in Path("/usr/sbin").glob("post*"):
            if path.name == "postdrop":
                shutil.copy(path, self.folder / "bin")
                (self.folder / "bin/postdrop").chmod(0o755)
            else:
                (self.folder / "bin" / path.name).symlink_to(path)

    def _make_queue(self) -> None:
        self.postfix("check")
        (self.folder / "spool/maildrop").chmod(0o1733)
        (self.folder / "spool/public").chmod(0o755)

    def postfix(self, *words: str) -> None:
        """One of the commands that start and stop Postfix."""
        subprocess.run(
            ["/usr/sbin/postfix", "-c", self.folder / "etc", *words],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=True,
            timeout=PATIENCE,
        )

    def start(self) -> None:
        self.postfix("start")

    def stop(self) -> None:
        self.postfix("stop")

    def open_anew(self, **settings: object) -> None:
        """Begin with an empty store, empty mailboxes and empty logs. The settings
        are those of config.yaml that a test wants otherwise than usual."""
        for hindrance in ("closed", "slow"):
            (self.folder / hindrance).unlink(missing_ok=True)
        self.settle()
        self.postfix_queue("-d", "ALL", command="postsuper")
        for path in (self.folder / "mail").iterdir():
            shutil.rmtree(path)
        for log in self.logs():
            os.truncate(log, 0)
        self.account.begin_anew()
        self.account.configure(**self.settings(**settings))

    def settings(self, **more: object) -> dict[str, object]:
        """Those of config.yaml: the usual ones, and those that a test wants."""
        sendmail = self.folder / "bin/sendmail"
        usual = {"address": ADDRESS, "send": "sendmail", "sendmail": sendmail}
        return {**usual, **more}

    def logs(self) -> list[Path]:
        """What Postfix and procmail have written about the mail."""
        found = [self.folder / "log/maillog", self.account.home / "procmail.log"]
        return [path for path in found if path.exists()]

    @contextmanager
    def forwarding(self, path: Path) -> Iterator[None]:
        """Let Postfix read this .forward file, too."""
        main = self.folder / "etc/main.cf"
        before = main.read_text()
        main.write_text(before.replace("forward_path =", f"forward_path = {path}"))
        self.postfix("reload")
        try:
            yield
        finally:
            main.write_text(before)
            self.postfix("reload")

    # Mail

    def post(self, *mails: bytes, sender: str = f"somebody@{DOMAIN}") -> None:
        """Hand mails for the robot to Postfix, which accepts each one. The sender is
        that of the envelope."""
        with smtplib.SMTP("127.0.0.1", self.port, timeout=PATIENCE) as smtp:
            for mail in mails:
                assert smtp.sendmail(sender, [ADDRESS], mail) == {}

    def waiting(self) -> list[Path]:
        """The mails that are to come again."""
        deferred = (self.folder / "spool/deferred").rglob("*")
        return [path for path in deferred if path.is_file()]

    def settle(self) -> None:
        """Return when Postfix has nothing to do but wait for mails to come again."""
        # twice: a letter may enter where was looked just before its cause is done
        wait_until(lambda: self._is_idle() and self._is_idle(), "an empty queue")

    def _is_idle(self) -> bool:
        # in the order in which a mail passes them
        steps = (self.folder / "spool" / n for n in ("maildrop", "incoming", "active"))
        return not any(any(step.iterdir()) for step in steps)

    def flush(self) -> None:
        """What is to come again comes now."""
        self.postfix_queue("-f")
        wait_until(lambda: not self.waiting(), "all mail")
        self.settle()

    def deliveries(self) -> int:
        """How many mails procmail has been handed."""
        log = (self.folder / "log/maillog").read_text()
        return log.count("delivered to command: /usr/bin/procmail")

    def has_delivered(self, number: int) -> bool:
        """Whether procmail has been handed so many mails and no more. Postfix writes
        its log a moment after what it is about."""
        wait_until(lambda: self.deliveries() >= number, "deliveries in the log")
        return self.deliveries() == number

    def postfix_queue(self, *words: str, command: str = "postqueue") -> None:
        subprocess.run(
            [f"/usr/sbin/{command}", "-c", self.folder / "etc", *words],
            capture_output=True,
            check=True,
            timeout=PATIENCE,
        )
