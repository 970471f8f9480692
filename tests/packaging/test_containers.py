"""The Containerfile, built by buildah as an ordinary user on a base that mmdebstrap
has made. Root only enters a mount namespace, where an account that every Debian has
also has subordinate ids. Nothing of the machine's own is touched."""

import os
import pwd
import re
import shutil
import signal
import smtplib
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house import home, mail_of
from tests.packaging.declared import SETTINGS, required
from tests.packaging.shipped import copy_shipped
from tests.paths import ROOT
from tests.processes import PATIENCE, free_port

pytestmark = [
    pytest.mark.needs("root", "buildah", "mmdebstrap", "uidmap"),
    pytest.mark.xdist_group("containers"),  # which builds once
]
BUILDAH = ("buildah", "--storage-driver=overlay")  # vfs copies every layer
USER = pwd.getpwnam("games")
_PIP = """\
[global]
no-index = true
find-links = /wheels
no-compile = true
"""
# Nothing is configured, as that would take longer than all else, but for the accounts.
_ACCOUNTS = 'for name in passwd group; do cp {0}/$name.master "$1/etc/$name"; done'
_MMDEBSTRAP = (
    *("mmdebstrap", "--quiet", "--mode=unshare", "--variant=extract"),
    "--include=python3-venv,dash,coreutils,passwd,login,base-passwd",
    f"--customize-hook={_ACCOUNTS.format('$1/usr/share/base-passwd')}",
)
_ENTER = """\
mount --make-rprivate /
mount --bind {0}/subids /etc/subuid
mount --bind {0}/subids /etc/subgid
exec setpriv --reuid {1.pw_uid} --regid {1.pw_gid} --clear-groups "$@"
"""


def _requirements() -> list[str]:
    """What pip needs to install what the Containerfile names."""
    extras = re.search(r"/src\[(.*?)\]", (ROOT / "Containerfile").read_text())
    assert extras
    always = SETTINGS["options"]["install_requires"].split()
    more = [line for name in extras[1].split(",") for line in required(name)]
    build = tomllib.loads((ROOT / "pyproject.toml").read_text())["build-system"]
    return [*build["requires"], *always, *more]


class Builder:
    """An ordinary user who builds images, in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "subids").write_text(f"{USER.pw_name}:200000:65536\n")
        self.home = folder / "home"
        for path in (self.home, self.home / "run"):
            path.mkdir(mode=0o700)
            os.chown(path, USER.pw_uid, USER.pw_gid)

    def words(self, *words: str | Path) -> list[str]:
        """What to type so that the user runs a program."""
        enter = _ENTER.format(self.folder, USER)
        return ["unshare", "--mount", "sh", "-ec", enter, "sh", *map(str, words)]

    def run(self, *words: str | Path) -> str:
        done = subprocess.run(
            self.words(*words),
            cwd=self.home,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=900,
            check=False,
        )
        assert done.returncode == 0, done.stdout
        return done.stdout

    def environment(self) -> dict[str, str]:
        path = "/usr/sbin:/usr/bin:/sbin:/bin"
        run = f"{self.home}/run"
        return {"HOME": str(self.home), "PATH": path, "XDG_RUNTIME_DIR": run}

    def make_base(self) -> None:
        """An image of Debian with Python, whose pip takes its wheels from /wheels."""
        wheels = self.folder / "wheels"
        to = str(wheels)
        get = [sys.executable, "-m", "pip", "download", "--quiet", "--dest", to]
        get += ["--only-binary=:all:", "--python-version=3.11"]
        subprocess.run([*get, *_requirements()], check=True)
        (self.folder / "pip.conf").write_text(_PIP)
        base = self.home / "base.tar"
        self.run(*_MMDEBSTRAP, "bookworm", base)
        container = self.run(*BUILDAH, "from", "scratch").strip()
        self.run(*BUILDAH, "add", "--quiet", container, base, "/")
        for name, target in [("wheels", "/wheels"), ("pip.conf", "/etc/pip.conf")]:
            path = self.folder / name
            self.run(*BUILDAH, "add", "--quiet", container, path, target)
        self.run(*BUILDAH, "commit", "--quiet", "--rm", container, "pbm-base")
        base.unlink()

    def build(self, target: str) -> None:
        words = ["--isolation=chroot", "--layers", "--build-arg=BASE=pbm-base"]
        source = self.folder / "source"
        self.run(*BUILDAH, "bud", *words, f"--target={target}", "-t", target, source)

    def close(self) -> None:
        """Let the user remove what belongs to its subordinate ids."""
        self.run("buildah", "unshare", "rm", "-rf", f"{self.home}/.local")


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


@pytest.fixture(scope="module")
def builder() -> Iterator[Builder]:
    folder = _new_folder()
    try:
        made = Builder(folder)
        copy_shipped(folder / "source")
        subprocess.run(["chmod", "-R", "a+rX", folder / "source"], check=True)
        made.make_base()
        made.build("serve")
        made.build("run")
        yield made
        made.close()
    finally:
        shutil.rmtree(folder)


def test_an_image_for_each_way(builder: Builder) -> None:
    form = "{{.OCIv1.Config.User}} {{.OCIv1.Config.Entrypoint}} {{.OCIv1.Config.Cmd}}"
    form += " {{.OCIv1.Config.Volumes}}"
    for target, command in [("serve", "serve 0.0.0.0:2400"), ("run", "run")]:
        inspect = [*BUILDAH, "inspect", "--type=image", "-f", form]
        inspected = builder.run(*inspect, target).strip()
        assert inspected == f"pbm [pbm] [{command}] map[/games:{{}}]"


def test_a_server_in_its_container(builder: Builder) -> None:
    """It is no root, owns its store, and takes mail in."""
    container = builder.run(*BUILDAH, "from", "serve").strip()
    inside = [*BUILDAH, "run", "--isolation=chroot", container, "--"]
    assert builder.run(*inside, "id", "-un") == "pbm\n"
    assert builder.run(*inside, "pbm", "--version").startswith("pbm_holomino ")
    assert builder.run(*inside, "stat", "-c", "%U %a", "/games") == "pbm 700\n"
    assert "Permission denied" in builder.run(*inside, "sh", "-c", "touch /x || true")
    port = free_port()  # in chroot, the network is that of the machine
    serve = subprocess.Popen(
        builder.words(*inside, "pbm", "serve", f"127.0.0.1:{port}"),
        cwd=builder.home,
        env=builder.environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        assert serve.stdout is not None
        assert str(port) in serve.stdout.readline().decode()
        with smtplib.LMTP("127.0.0.1", port, timeout=PATIENCE) as client:
            raw = mail_of("signup alice secret", Message_ID="<1@example.org>")
            assert client.sendmail(home("alice"), ["pbm@localhost"], raw) == {}
    finally:
        os.killpg(serve.pid, signal.SIGTERM)
        serve.communicate(timeout=PATIENCE)
    assert "alice" in builder.run(*inside, "pbm", "list")
