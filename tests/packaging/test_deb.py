"""The package for Debian: built without a network, and installed and tried on a copy of
this machine that only the tests see."""

import configparser
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbm_holomino import __version__, rules
from tests.packaging.declared import required
from tests.packaging.shipped import copy_shipped
from tests.paths import ROOT

pytestmark = [pytest.mark.xdist_group("deb"), pytest.mark.long]  # it is built once
NEEDS = pytest.mark.needs("root", "debhelper", "systemd", "iproute2")
PATH = "/usr/sbin:/usr/bin:/sbin:/bin"
# quick, as nobody keeps the result
QUICK = {"DPKG_DEB_COMPRESSOR_TYPE": "gzip", "DPKG_DEB_COMPRESSOR_LEVEL": "1"}
_COPY = """\
set -e
mount --make-rprivate /
mount -t tmpfs tmpfs {0}
cd {0}
mkdir upper work copy
mount -t overlay overlay -o lowerdir=/,upperdir=upper,workdir=work copy
mount -t proc proc copy/proc
mount --rbind /dev copy/dev
mount -t tmpfs tmpfs copy/tmp
mount -t tmpfs tmpfs copy/run
cp -r {1}/. copy/tmp
ip link set lo up
exec chroot copy sh -ec "$1"
"""
_KINDS = ("mount", "net", "pid", "ipc", "uts")


@pytest.fixture(scope="module")
def built(wheels: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with the package, and the tests that it has for itself."""
    folder = tmp_path_factory.mktemp("deb")
    source = copy_shipped(folder / "source")
    shutil.copytree(wheels, source / "debian/wheels")
    # -d: what builds in general need, we do not
    words = ["unshare", "--net", "dpkg-buildpackage", "-b", "-us", "-uc", "-d"]
    done = subprocess.run(
        words,
        cwd=source,
        env={"PATH": PATH, "HOME": str(folder), "LC_ALL": "C.UTF-8", **QUICK},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (package,) = folder.glob("*.deb")
    made = folder / "made"
    shutil.copytree(source / "debian/tests", made / "tests")
    shutil.move(package, made)
    yield made
    shutil.rmtree(folder)


def tried(folder: Path, script: str) -> str:
    """What root hears who runs this in such a copy, with that folder in /tmp."""
    place = folder.parent / "place"
    place.mkdir(exist_ok=True)
    kinds = [f"--{kind}" for kind in _KINDS]
    enter = _COPY.format(place, folder)
    done = subprocess.run(
        ["unshare", *kinds, "--fork", "--kill-child", "sh", "-ec", enter, "sh", script],
        env={"PATH": PATH, "HOME": "/root", "LC_ALL": "C.UTF-8"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


@NEEDS
def test_a_game_on_a_machine_that_has_the_package(built: Path) -> None:
    """Its own test passes; the units are there, and none is begun. When it is removed,
    what has been played stays."""
    said = tried(
        built,
        "dpkg --no-triggers -i /tmp/*.deb; /tmp/tests/game; cd /etc/systemd/system\n"
        "test -z \"$(find . -name 'pbm*')\"\n"
        "getent passwd pbm-holomino; stat -c %U:%a /var/lib/pbm-holomino\n"
        "dpkg --no-triggers --purge pbm-holomino\n"
        "test -e /var/lib/pbm-holomino/games/holo/2.yaml; ! which pbm\n",
    )
    assert "robot2" in said
    assert ":/var/lib/pbm-holomino:/bin/sh\npbm-holomino:700\n" in said
    assert "4 files read: all is well." in said


@NEEDS
def test_what_is_inside(built: Path) -> None:
    """An environment that says nothing of where it was made, and has no installer."""
    (package,) = built.glob("*.deb")
    whole = built.parent / "whole"
    subprocess.run(["dpkg-deb", "-x", package, whole], check=True)
    names = {path.name for path in (whole / "usr/bin").iterdir()}
    assert names >= {"pbm", "pbm-inbox", *rules.names()}
    for path in (whole / "usr/bin").iterdir():
        assert os.readlink(path).startswith("../lib/pbm-holomino/bin/")
    place = whole / "usr/lib/pbm-holomino"
    assert not [*place.glob("lib/*/site-packages/pip*")]
    made = str(built.parent).encode()
    for path in place.rglob("*"):
        if path.is_file() and not path.is_symlink():
            assert made not in path.read_bytes(), path
    assert (whole / "usr/share/man/man1/pbm.1.gz").exists()
    for path in (whole / "lib/systemd/system").iterdir():
        assert "/home/pbm" not in path.read_text()
    assert (whole / "etc/pbm-holomino/config.yaml").stat().st_mode & 0o777 == 0o644


def test_the_wheels_are_what_setup_cfg_requires() -> None:
    """For each library there is a version, and a hash for each kind of machine."""
    text = (ROOT / "debian/wheels.txt").read_text()
    pinned = {name.replace("_", "-") for name in re.findall(r"(?m)^(\w+)==", text)}
    wanted = {re.split(r"[\[<>=]", line)[0].lower() for line in required("all")}
    assert wanted <= pinned
    assert len(re.findall(r"==", text)) == len(pinned)
    assert all(
        re.fullmatch(r"[0-9a-f]{64}", h) for h in re.findall(r"sha256:(\w+)", text)
    )


def test_it_has_the_version_of_the_program() -> None:
    first = (ROOT / "debian/changelog").read_text().partition("\n")[0]
    version = __version__.partition(".dev")[0]
    assert first == f"pbm-holomino ({version}) unstable; urgency=medium"


def test_its_test_is_one_that_autopkgtest_finds() -> None:
    control = configparser.ConfigParser()
    control.read_string("[test]\n" + (ROOT / "debian/tests/control").read_text())
    assert control["test"]["tests"] == "game"
    assert control["test"]["depends"] == "@"
    assert os.access(ROOT / "debian/tests/game", os.X_OK)
