"""The images of the Containerfile, on a base that mmdebstrap has made, and the files in
containers/, as podman-compose runs them: in namespaces of the tests' own."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.house import home, mail_of
from tests.packaging.containers import Host
from tests.packaging.shipped import copy_shipped
from tests.paths import ROOT
from tests.processes import wait_until

pytestmark = [
    pytest.mark.needs("root", "buildah", "mmdebstrap", "iproute2", "iptables"),
    pytest.mark.needs("podman", "podman-compose", "netavark", "aardvark-dns", "crun"),
    pytest.mark.xdist_group("containers"),  # which builds once
    pytest.mark.long,
]
BUILDAH = ("buildah", "bud", "--isolation=chroot", "--layers", "--quiet")
TEXT = (ROOT / "Containerfile").read_text()
PACKAGES = re.findall(r"install -y --no-install-recommends ([\w. -]+?) *\\\n", TEXT)
TARGETS = ("run", "serve", "web", "database", "proxy")
_PIP = """\
[global]
no-index = true
find-links = /wheels
no-compile = true
"""
_CONTAINERFILE = """\
FROM scratch
ADD base.tar /
COPY wheels /wheels
COPY pip.conf /etc
COPY apt-get /usr/bin
"""
# Nothing is configured, as that would take longer than all else, but for the accounts;
# and what apt would bring is there already.
_ACCOUNTS = 'for name in passwd group; do cp {0}/$name.master "$1/etc/$name"; done'
# Nobody reads in them, and PostgreSQL works without what compiles its queries.
_LEFT_OUT = (
    'cd "$1/usr" && rm -rf share/doc share/man share/locale share/i18n'
    " lib/*/libLLVM-* lib/*/libz3* lib/postgresql/*/lib/bitcode"
    " lib/postgresql/*/lib/llvmjit*"
)
_BASE = "dash,coreutils,passwd,login,base-passwd,grep,sed,libc-bin,debianutils"
CONFIG = """\
address: pbm@localhost
send: outbox
store: postgresql://pbm@/pbm?host=/run/postgresql
web_proxies: 10.88.0.0/15
"""


def make_base(host: Host, wheels: Path) -> None:
    """An image of Debian with those packages, whose pip takes its wheels from
    /wheels."""
    base = host.folder / "base"
    base.mkdir()
    shutil.copytree(wheels, base / "wheels")
    (base / "pip.conf").write_text(_PIP)
    names = ",".join([_BASE, *(",".join(found.split()) for found in PACKAGES)])
    subprocess.run(
        [
            *("unshare", "--mount", "mmdebstrap", "--quiet", "--mode=root"),
            *("--variant=extract", f"--include={names}"),
            f"--extract-hook={_ACCOUNTS.format('$1/usr/share/base-passwd')}",
            f"--extract-hook={_LEFT_OUT}",
            *("bookworm", str(base / "base.tar")),
        ],
        check=True,
    )
    (base / "apt-get").write_text("#!/bin/sh\n")
    (base / "apt-get").chmod(0o755)
    (base / "Containerfile").write_text(_CONTAINERFILE)
    host.run(*BUILDAH, "-t", "pbm-base", base)
    shutil.rmtree(base)


@pytest.fixture(scope="module")
def host(wheels: Path) -> Iterator[Host]:
    made = Host()
    try:
        copy_shipped(made.folder / "source")
        make_base(made, wheels)
        for target in TARGETS:
            words = ["--build-arg=BASE=localhost/pbm-base", f"--target={target}"]
            name = f"localhost/pbm-{target}"
            made.run(*BUILDAH, *words, "-t", name, made.folder / "source")
        yield made
    finally:
        made.close()


def test_an_image_for_each_way(host: Host) -> None:
    form = "{{.OCIv1.Config.User}} {{.OCIv1.Config.Entrypoint}} {{.OCIv1.Config.Cmd}}"
    form += " {{.OCIv1.Config.Volumes}}"
    commands = {
        "run": "run",
        "serve": "serve --clock 0.0.0.0:2400",
        "web": "web 0.0.0.0:2480",
    }
    for target, command in commands.items():
        inspect = ["buildah", "inspect", "--type=image", "-f", form]
        inspected = host.run(*inspect, f"localhost/pbm-{target}").strip()
        assert inspected == f"pbm [pbm] [{command}] map[/games:{{}}]"


@contextmanager
def composed(host: Host, name: str) -> Iterator[Path]:
    """What the file in that folder of containers/ describes, while the block runs; the
    folder of the copy."""
    folder = host.folder / "source/containers" / name
    compose = ("podman-compose", "-f", folder / "compose.yaml")
    host.run(*compose, "up", "-d", "--no-build")
    try:
        yield folder
    finally:
        print(host.ended(*compose, "logs")[1])
        host.run(*compose, "down", "-v")


def is_healthy(host: Host, container: str) -> bool:
    """Whether a container is, as the file declares it."""
    return host.ended("podman", "healthcheck", "run", container)[0] == 0


def test_a_server_from_a_mailbox(host: Host) -> None:
    """It is no root, can write nothing but its store, and fetches mail."""
    host.run("podman", "volume", "create", "mailbox_games")
    games = Path(
        host.run(
            *("podman", "volume", "inspect", "-f", "{{.Mountpoint}}", "mailbox_games")
        ).strip()
    )
    for part in ("new", "cur", "tmp"):
        (games / "Maildir" / part).mkdir(parents=True)
    (games / "config.yaml").write_text("fetch: maildir:/games/Maildir\n")
    raw = mail_of("signup alice secret", home("alice"), Message_ID="<1@example.org>")
    (games / "Maildir/new/1").write_bytes(raw)
    subprocess.run(["chown", "-R", "1000:1000", games], check=True)
    file = host.folder / "source/containers/mailbox/compose.yaml"
    once = ("podman-compose", "-f", file, "run", "--rm", "-T", "run", "--version")
    assert "pbm_holomino " in host.run(*once)  # as setup is typed
    with composed(host, "mailbox"):
        name = "mailbox_run_1"
        inside = ["podman", "exec", name]
        wait_until(lambda: "alice" in host.ended(*inside, "pbm", "list")[1], "alice")
        assert host.run(*inside, "id", "-un") == "pbm\n"
        for place in ("/x", "/home/pbm/x", "/opt/pbm/x"):
            said = host.ended(*inside, "touch", place)[1]
            assert "Read-only file system" in said or "Permission denied" in said
        wait_until(lambda: is_healthy(host, name), "health")


def test_a_server_over_a_database_with_pages(host: Host) -> None:
    """A mail by LMTP signs somebody up, whose page Caddy then shows by TLS."""
    source = host.folder / "source/containers/postgresql"
    (source / "config.yaml").write_text(CONFIG)
    names = [f"postgresql_{n}_1" for n in ("database", "serve", "web", "proxy")]
    with composed(host, "postgresql"):
        for name in names:
            wait_until(lambda name=name: is_healthy(host, name), name)  # type: ignore[misc]
        raw = mail_of("signup alice secret", Message_ID="<1@example.org>")
        (host.folder / "mail").write_bytes(raw)
        host.run(sys.executable, "-c", _BRING, host.folder / "mail", home("alice"))
        assert "alice" in host.run("podman", "exec", names[1], "pbm", "list")
        curl = ["podman", "exec", names[3], "curl", "-sSk"]
        assert host.run(*curl, "https://localhost:8443/healthz") == "ok\n"
        assert "alice" in host.run(*curl, "https://localhost:8443/players/alice")
        in_database = ["psql", "-h", "/run/postgresql", "-d", "pbm", "-Atc"]
        as_database = ["podman", "exec", names[0], *in_database]
        owner = "SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = 'pbm'"
        assert host.run(*as_database, owner) == "pbm\n"
        dump = ("pg_dump", "-h", "/run/postgresql", "-Fc", "-f", "/tmp/dump", "pbm")
        host.run("podman", "exec", names[0], *dump)  # as for a backup


_BRING = """\
import smtplib, sys
with smtplib.LMTP("127.0.0.1", 2400) as client, open(sys.argv[1], "rb") as file:
    assert client.sendmail(sys.argv[2], ["pbm@localhost"], file.read()) == {}
"""
