"""The lines of `pbm sample`, each in the program that they are for: a mail that cannot
be handled now (75) is kept, and is handled when it comes again."""

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pbm_holomino.owner import sample
from pbm_holomino.owner.sample import Installation
from tests.house import home, mail_of
from tests.processes import PATIENCE, free_port, wait_until
from tests.real.parts import MAIL, ROBOT, Account
from tests.real.postoffice import ADDRESS, PostOffice
from tests.real.roots import Root

RAW = mail_of("help", home("alice"), "From here.\n.\n", Message_ID="<1@example.org>")


class Desk(Account):
    """The server's account, whose letters become files."""

    def begin_anew(self) -> None:
        super().begin_anew()
        self.open()

    def open(self) -> None:
        self.configure(address=ADDRESS)

    def close(self) -> None:
        """From now on pbm-inbox ends with 75."""
        self.configure(address=ADDRESS, send="pigeons")

    def sample(self, name: str) -> str:
        """A sample as it is printed for this account."""
        here = f"{self.checkout}/bin/"
        place = Installation(here, "", str(self.home), str(self.home), ROBOT, ADDRESS)
        return sample.filled(sample.text(name), place)

    def write(self, name: str, text: str, mode: int = 0o600) -> Path:
        """A file in the home folder."""
        path = self.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(mode)
        self.own(path.parent, path)
        return path

    def start(self, *words: str | Path, given: bytes = b"") -> tuple[int, str]:
        """How a program ends that this account runs, and what it prints."""
        done = subprocess.run(
            words,
            user=self.user.pw_uid,
            group=self.user.pw_gid,
            extra_groups=[],
            cwd=self.home,
            env={"HOME": str(self.home), "USER": ROBOT, "PATH": os.defpath},
            input=given,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=PATIENCE,
            check=False,
        )
        return done.returncode, done.stdout.decode(errors="replace")

    def answers(self) -> int:
        """How many letters have left, each an answer to the mail."""
        letters = list((self.store / "outbox").glob("*.eml"))
        assert all("\nIn-Reply-To: <1@example.org>\n" in p.read_text() for p in letters)
        return len(letters)


@pytest.fixture(scope="module")
def account() -> Iterator[Desk]:
    # not pytest's folder, which is closed to other accounts
    folder = Path(tempfile.mkdtemp(prefix="pbm-"))
    folder.chmod(0o755)
    try:
        yield Desk(folder)
    finally:
        shutil.rmtree(folder)


@pytest.fixture
def desk(account: Desk) -> Iterator[Desk]:
    account.begin_anew()
    yield account
    for path in account.home.iterdir():
        if path != account.checkout:
            shutil.rmtree(path) if path.is_dir() else path.unlink()


# Programs that hand each mail over


@MAIL
def test_a_forward_file(office: PostOffice) -> None:
    """Postfix reads it before it looks for its mailbox_command, procmail."""
    account = office.account
    place = Installation(
        f"{account.checkout}/bin/", "", "", str(account.home), ROBOT, ADDRESS
    )
    forward = account.home / ".forward"
    forward.write_text(sample.filled(sample.text("forward"), place))
    shutil.chown(forward, ROBOT)
    with office.forwarding(forward):
        account.configure(**office.settings(send="pigeons"))
        office.post(RAW)
        wait_until(office.waiting, "a mail that waits")
        account.configure(**office.settings(send="outbox"))
        office.flush()
        assert office.deliveries() == 0  # none to procmail
        assert len(list((account.store / "outbox").glob("*.eml"))) == 1
    forward.unlink()


@pytest.mark.needs("root", "maildrop")
def test_maildrop(desk: Desk) -> None:
    """Its exit status is what the mail system sees."""
    rules = desk.write(".mailfilter", desk.sample("maildrop"))
    desk.close()
    assert desk.start("maildrop", rules, given=RAW)[0] == 75
    desk.open()
    assert desk.start("maildrop", rules, given=RAW) == (0, "")
    assert desk.answers() == 1


_EXIM = """\
primary_hostname = games.example.net
domainlist local_domains = games.example.net
never_users =
acl_smtp_rcpt = accept

{routers}

begin retry
* * F,5d,15m
"""
_USER_FORWARD = """\
begin routers

userforward:
  driver = redirect
  check_local_user
  local_parts = games
  file = $home/.forward
  allow_filter
  pipe_transport = address_pipe

begin transports

address_pipe:
  driver = pipe
"""


@pytest.mark.needs("root", "exim4-daemon-light", "iproute2")
@pytest.mark.parametrize("name", ["exim", "forward"])
def test_exim(desk: Desk, name: str, tmp_path: Path) -> None:
    root = Root(tmp_path / "root", "exim4-daemon-light")
    root.add_accounts("Debian-exim")
    to, routers = ADDRESS, desk.sample("exim")
    if name == "forward":
        desk.write(".forward", desk.sample("forward"), 0o644)
        to, routers = f"{ROBOT}@games.example.net", _USER_FORWARD
        root.move_home(ROBOT, desk.home)
    config = _EXIM.format(routers=routers)
    (root.layer / "etc/exim4/exim4.conf").write_text(config)
    with root:
        make = "install -d -o Debian-exim -g Debian-exim /var/spool/exim4"
        root.run("sh", "-c", f"{make} /var/log/exim4")
        desk.close()
        root.run("exim4", "-odf", "-i", "-f", home("alice"), to, given=RAW)
        assert root.run("exim4", "-bpc") == "1\n"
        desk.open()
        root.run("exim4", "-qff")
        assert root.run("exim4", "-bpc") == "0\n"
    assert desk.answers() == 1


_OPENSMTPD = """\
listen on lo
{lines}
action "local" mbox
match from any for rcpt-to "games@games.example.net" action "local"
"""


@pytest.mark.needs("root", "opensmtpd", "iproute2")
@pytest.mark.parametrize("name", ["opensmtpd", "forward"])
def test_opensmtpd(desk: Desk, name: str, tmp_path: Path) -> None:
    root = Root(tmp_path / "root", "opensmtpd")
    root.add_accounts("opensmtpd", "opensmtpq")
    to = ADDRESS
    if name == "forward":
        desk.write(".forward", desk.sample("forward"), 0o644)
        to = f"{ROBOT}@games.example.net"
        root.move_home(ROBOT, desk.home)
    conf = root.layer / "etc/smtpd.conf"
    conf.write_text(_OPENSMTPD.format(lines=desk.sample("opensmtpd")))
    conf.chmod(0o600)

    def waiting() -> list[str]:
        return root.run("smtpctl", "show", "queue").splitlines()

    with root:
        setgid = "chgrp opensmtpq /usr/sbin/smtpctl; chmod 2755 /usr/sbin/smtpctl"
        root.run("sh", "-ec", f"{setgid}; mkdir -m 711 /var/spool/smtpd")
        desk.close()
        root.start("smtpd", "-F")
        is_up = "test -d /var/spool/smtpd/offline && smtpctl show status"
        wait_until(lambda: root.succeeds("sh", "-c", is_up), "a server", root.console)
        root.run("sendmail", "-f", home("alice"), to, given=RAW)
        wait_until(lambda: "|75|" in "".join(waiting()) or waiting(), "a mail")
        print(waiting(), root.console())
        desk.open()
        root.run("smtpctl", "schedule", "all")
        wait_until(lambda: not waiting(), "an empty queue", root.console)
    assert desk.answers() == 1


# Dovecot's Sieve

_SIEVE = """\
log_path = {home}/log
ssl = no
mail_location = maildir:{home}/Maildir
{lines}
protocol lda {{
  mail_plugins = sieve
}}
plugin {{
  sieve = {home}/.dovecot.sieve
}}
"""


def shown(text: str, first: str) -> str:
    """The lines that a sample shows in its comments, from the one that begins so."""
    lines = text.partition(f"#   {first}")[2].partition("\n#\n")[0].split("\n\n")[0]
    return f"{first}{lines}\n".replace("\n#   ", "\n").replace("\n#", "\n")


def set_up_sieve(desk: Desk, program: str) -> list[str | Path]:
    """Let Dovecot deliver by the lines of the sample, to this program: the words that
    deliver a mail."""
    text, folder = desk.sample("sieve"), desk.home / "sieve-pipe"
    desk.write("sieve-pipe/pbm-sieve", program, 0o755)
    lines = shown(text, "plugin {")
    lines = lines.replace("/usr/local/lib/dovecot/sieve-pipe", str(folder))
    conf = desk.write("dovecot.conf", _SIEVE.format(home=desk.home, lines=lines))
    desk.write(".dovecot.sieve", shown(text, "require ["))
    return ["/usr/lib/dovecot/dovecot-lda", "-c", conf, "-f", home("alice")]


@pytest.mark.needs("root", "dovecot-sieve")
def test_sieve(desk: Desk) -> None:
    lda = set_up_sieve(desk, desk.sample("sieve"))
    program = desk.home / "sieve-pipe/pbm-sieve"

    def kept() -> tuple[int, int]:
        """The mails in the mailbox, and those that are to come again."""
        mailbox = desk.home.glob("Maildir/new/*")
        return len(list(mailbox)), len(list(desk.home.glob("pbm-again/*.eml")))

    desk.close()
    assert desk.start(*lda, given=RAW)[0] == 0
    assert kept() == (0, 1)
    desk.open()
    assert desk.start(program) == (0, "")  # as cron runs it
    assert (kept(), desk.answers()) == ((0, 0), 1)


@pytest.mark.needs("root", "dovecot-sieve")
def test_what_sieve_does_without_that_program(desk: Desk) -> None:
    """The mail is not lost, but nobody would hand it over again."""
    lda = set_up_sieve(desk, f"#!/bin/sh\nexec {desk.checkout}/bin/pbm-inbox\n")
    desk.close()
    assert desk.start(*lda, given=RAW)[0] == 0
    assert len(list(desk.home.glob("Maildir/new/*"))) == 1


# Programs that fetch mail

_DOVECOT = """\
base_dir = {folder}/run
state_dir = {folder}/state
log_path = {folder}/log
protocols = imap
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
mail_location = maildir:{mail}
first_valid_uid = 1
first_valid_gid = 1
service imap-login {{
  inet_listener imap {{
    port = {port}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
passdb {{
  driver = static
  args = password=PASSWORD
}}
userdb {{
  driver = static
  args = uid={uid} gid={gid} home={mail}
}}
"""


@contextmanager
def mailbox(desk: Desk, folder: Path) -> Iterator[tuple[int, Path]]:
    """A mailbox with one mail, at an IMAP server of the test's own: its port, and the
    folder."""
    mail, port = desk.home / "mailbox", free_port()
    for name in ("cur", "new", "tmp"):
        desk.write(f"mailbox/{name}/.none", "").unlink()
    desk.write("mailbox/new/1.1.here", RAW.decode())
    shutil.chown(mail, ROBOT, desk.user.pw_gid)
    user = desk.user
    ids = {"uid": user.pw_uid, "gid": user.pw_gid}
    conf = folder / "dovecot.conf"
    conf.write_text(_DOVECOT.format(folder=folder, mail=mail, port=port, **ids))
    dovecot = subprocess.Popen(["/usr/sbin/dovecot", "-F", "-c", conf])
    try:
        wait_until(lambda: is_open(port), "an IMAP server")
        yield port, mail
    finally:
        dovecot.terminate()
        dovecot.wait(timeout=PATIENCE)


def is_open(port: int) -> bool:
    with socket.socket() as door:
        return door.connect_ex(("127.0.0.1", port)) == 0


def mails(mail: Path) -> int:
    return sum(len(list((mail / name).iterdir())) for name in ("cur", "new"))


@pytest.mark.needs("root", "fetchmail", "dovecot-imapd")
def test_fetchmail(desk: Desk, tmp_path: Path) -> None:
    with mailbox(desk, tmp_path) as (port, mail):
        text = desk.sample("fetchmail")
        here = f"127.0.0.1 service {port}"
        text = text.replace("imap.example.net", here).replace(
            " ssl\n", " sslproto ''\n"
        )
        settings = desk.write(".fetchmailrc", text)
        fetch = ["fetchmail", "-f", str(settings), f"--pidfile={desk.home}/pid"]
        desk.close()
        for _ in range(2):
            assert "nonzero status 75" in desk.start(*fetch)[1]
            assert mails(mail) == 1
        desk.open()
        assert desk.start(*fetch)[0] == 0
        assert (mails(mail), desk.answers()) == (0, 1)


@pytest.mark.needs("root", "getmail6", "dovecot-imapd")
def test_getmail(desk: Desk, tmp_path: Path) -> None:
    with mailbox(desk, tmp_path) as (port, mail):
        text = desk.sample("getmail").replace("imap.example.net", "127.0.0.1")
        text = text.replace("IMAPSSL", "IMAP").replace(
            "username", f"port = {port}\nusername"
        )
        desk.write("getmail/getmailrc", text)
        fetch = ["getmail", f"--getmaildir={desk.home}/getmail"]
        desk.close()
        for _ in range(2):
            desk.start(*fetch)
            assert mails(mail) == 1
        desk.open()
        status, told = desk.start(*fetch)
        assert status == 0, told
        assert (mails(mail), desk.answers()) == (0, 1)
