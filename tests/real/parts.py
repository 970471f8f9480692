"""The programs that these tests are played through, and what they need of the machine.

Nothing of the machine's own mail is touched: everything is in one folder, which goes
when the tests are done.
"""

import os
import pwd
import shutil
import subprocess
import sys
import sysconfig
from binascii import crc32
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.paths import ROOT
from tests.processes import PATIENCE

ROBOT = "games"  # an account that every Debian has, and that owns the store here
NEEDED = ("click", "yaml", "_yaml", "justhtml")
# what the tests need of the machine
MAIL = pytest.mark.needs("root", "postfix", "procmail")
READER = pytest.mark.needs("mutt", "tmux")
UNIT_RUNS = pytest.mark.needs("root", "postfix", "systemd", "iproute2")
_UNUSED = ("site-packages", "dist-packages", "test", "tests", "idlelib")


class Account:
    """The account that owns the store: its home, and a checkout in it."""

    def __init__(self, folder: Path) -> None:
        self.user = pwd.getpwnam(ROBOT)
        self.home = folder / "home"
        self.checkout = self.home / "pbm_holomino"
        self.store = self.checkout / "games"
        self.python = folder / "python"
        self._make()

    def _make(self) -> None:
        for name in ("bin", "pbm_holomino"):
            shutil.copytree(ROOT / name, self.checkout / name, symlinks=True)
        shutil.copy(ROOT / "setup.cfg", self.checkout)
        self.own(self.home, *self.home.rglob("*"))
        self._set_up()

    def own(self, *paths: Path) -> None:
        """Let these be the account's."""
        for path in paths:
            os.chown(path, self.user.pw_uid, self.user.pw_gid, follow_symlinks=False)

    def own_store(self) -> None:
        """What somebody else has written into the store belongs to this account."""
        self.own(self.store, *self.store.rglob("*"))

    def begin_anew(self) -> None:
        """An empty store, and procmail's settings as they are shipped."""
        shutil.rmtree(self.store, ignore_errors=True)
        self.store.mkdir()
        settings = self.home / ".procmailrc"
        shutil.copy(ROOT / "bin/procmailrc", settings)
        settings.chmod(0o644)
        self.own(self.store, settings)

    def _set_up(self) -> None:
        """The environment that bin/pbm makes with the network, made without it."""
        venv = self.checkout / ".venv"
        self.run(self._python(), "-I", "-m", "venv", "--without-pip", venv)
        self.add_packages(NEEDED)

    def add_packages(self, names: Iterable[str], extra: str = "") -> None:
        """Put packages of this Python into the environment, which has then what the
        commands need, and what an `extra` brings."""
        venv = self.checkout / ".venv"
        (packages,) = venv.glob("lib/*/site-packages")
        for name in names:
            spec = find_spec(name)
            assert spec is not None
            assert spec.origin is not None
            path = Path(spec.origin)
            if path.name == "__init__.py":
                shutil.copytree(path.parent, packages / name)
            else:
                shutil.copy(path, packages)
        crc = crc32((ROOT / "setup.cfg").read_bytes())
        version = f"{sys.version_info[0]}.{sys.version_info[1]}"
        stamp = f"{version} {crc:08x} {extra}".rstrip()
        (venv / "pbm-stamp").write_text(f"{stamp}\n")

    def _python(self) -> Path:
        """This Python, or where the account may not read it a copy."""
        python = Path(getattr(sys, "_base_executable", sys.executable)).resolve()
        try:
            self.run(python, "-c", "")
        except (PermissionError, subprocess.CalledProcessError):
            return self._copied(python)
        return python

    def _copied(self, python: Path) -> Path:
        """A copy, begun by a script: the copy would look for its shared library where
        the original has it, and then take the system's, of another version. It has the
        library as compiled: the account could not write that beside it."""
        library = Path(sysconfig.get_path("stdlib"))
        ignored = shutil.ignore_patterns(*_UNUSED, "config-*")
        shutil.copytree(library, self.python / "lib" / library.name, ignore=ignored)
        for shared in library.parent.glob("libpython*.so*"):
            shutil.copy(shared, self.python / "lib")
        (self.python / "bin").mkdir()
        copy = shutil.copy(python, self.python / "bin" / f"{python.name}-copy")
        script = self.python / "bin" / python.name
        script.write_text(
            f'#!/bin/bash\nLD_LIBRARY_PATH={self.python}/lib exec -a "$0" {copy} "$@"\n'
        )
        script.chmod(0o755)
        return script

    def run(self, *words: str | Path) -> str:
        """What a program prints that this account runs and that must succeed."""
        done = subprocess.run(
            words,
            user=self.user.pw_uid,
            group=self.user.pw_gid,
            extra_groups=[],
            cwd=self.home,
            env={"HOME": str(self.home), "PATH": os.defpath},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=True,
            timeout=PATIENCE,
        )
        return done.stdout

    def type(self, line: str) -> str:
        """What the terminal answers to a command that must succeed."""
        program, *words = line.split()
        return self.run(self.checkout / "bin" / program, *words)

    def configure(self, **settings: object) -> None:
        """Write the store's config.yaml."""
        text = "".join(f"{key}: {value}\n" for key, value in settings.items())
        (self.store / "config.yaml").write_text(text)
        self.own(self.store / "config.yaml")
