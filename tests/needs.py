"""What some tests need of the machine, in one place: being root, and programs.

A test says so with `@pytest.mark.needs("root", "strace")`. Where something is missing
the test is not run, and the last lines of bin/check say so. With CI set in the
environment, as .ci/run sets it, every test runs, and what is missing is a failure. No
test is left out in any other way.
"""

import glob
import os
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path

from pbm_holomino.languages import zones
from tests.paths import ROOT

# The last program before there were ledgers.
BEFORE_LEDGERS = "f8df02e"
# Folders of programs that only root has in the PATH.
_SYSTEM = "/usr/sbin:/sbin:/usr/bin:/bin"


def find(program: str) -> str | None:
    """Where a program is, if it is installed."""
    return shutil.which(program, path=f"{os.environ.get('PATH', '')}:{_SYSTEM}")


def find_postgresql() -> str | None:
    """Where PostgreSQL's server is. Debian keeps its programs out of the PATH, in a
    folder for each version: the newest is taken."""
    versions = Path("/usr/lib/postgresql").glob("*/bin")
    folders = sorted(versions, key=lambda path: int(path.parent.name), reverse=True)
    path = ":".join([*map(str, folders), os.environ.get("PATH", "")])
    return shutil.which("postgres", path=path)


def _is_root() -> bool:
    return os.geteuid() == 0


def _can_trace() -> bool:
    """strace is there, and the system lets it look at a process of this user."""
    strace = find("strace")
    if strace is None:
        return False
    done = subprocess.run([strace, "-f", "true"], capture_output=True, check=False)
    return done.returncode == 0


def _has(program: str) -> Callable[[], bool]:
    return lambda: find(program) is not None


def archives(package: str) -> list[str]:
    """The archives of a Debian package that was downloaded, and not installed."""
    return sorted(glob.glob(f"/var/cache/apt/archives/{package}_*.deb"))


def _is_downloaded(package: str) -> Callable[[], bool]:
    return lambda: bool(archives(package)) and _has("dpkg-deb")()


def git(*words: str) -> subprocess.CompletedProcess[bytes]:
    """What git says of this checkout, whoever owns it."""
    program = ("git", "-c", "safe.directory=*", "-C", str(ROOT))
    return subprocess.run([*program, *words], capture_output=True, check=False)


def _has_history() -> bool:
    """Earlier programs are there: an archive has none, nor has a shallow clone."""
    has_git = find("git") is not None
    return (
        has_git
        and git("cat-file", "-e", f"{BEFORE_LEDGERS}^{{commit}}").returncode == 0
    )


# Each need by its name, and whether it is met here.
NEEDS: Mapping[str, Callable[[], bool]] = {
    "root": _is_root,
    "strace": _can_trace,
    **{
        name: _has(name)
        for name in (
            *("postfix", "procmail", "mutt", "tmux", "openssl", "firefox-esr"),
            *("chromium", "chromium-headless-shell"),
        )
    },
    "e2fsprogs": _has("mkfs.ext4"),
    "systemd": lambda: os.access("/usr/lib/systemd/systemd", os.X_OK),
    "iproute2": _has("ip"),
    "dovecot-core": _has("dovecot"),
    "dovecot-imapd": lambda: os.access("/usr/lib/dovecot/imap", os.X_OK),
    "dovecot-sieve": _has("sievec"),
    **{name: _has(name) for name in ("maildrop", "fetchmail")},
    "getmail6": _has("getmail"),
    "man-db": _has("man"),
    **{
        name: _has(name)
        for name in (
            *("buildah", "mmdebstrap", "podman", "podman-compose", "crun"),
            "iptables",
        )
    },
    "debhelper": _has("dh"),
    "netavark": lambda: os.access("/usr/lib/podman/netavark", os.X_OK),
    "aardvark-dns": lambda: os.access("/usr/lib/podman/aardvark-dns", os.X_OK),
    "exim4-daemon-light": _is_downloaded("exim4-daemon-light"),
    "opensmtpd": _is_downloaded("opensmtpd"),
    **{name: _has(name) for name in ("nginx", "caddy")},
    "postgresql": lambda: find_postgresql() is not None,
    "pgbouncer": _has("pgbouncer"),
    "history": _has_history,
    "tzdata": zones.are_known,
}


@cache
def is_met(need: str) -> bool:
    """Whether this machine has it, asked once. Raises KeyError for no need of ours."""
    return NEEDS[need]()


def missing(needs: Iterable[str]) -> tuple[str, ...]:
    """Those of these needs that are not met here."""
    return tuple(need for need in needs if not is_met(need))


def must_run_all(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether nothing may be left out."""
    return environment.get("CI", "") not in ("", "0", "false")


def remedy() -> str:
    """What to type so that every test runs."""
    return ".ci/run" if _is_root() else "sudo .ci/run"


def report(left_out: Mapping[str, tuple[str, ...]]) -> str:
    """The last words of bin/check: which tests were not run, by their ids, for want
    of what. Empty where all were."""
    if not left_out:
        return ""
    files = Counter(test.partition("::")[0] for test in left_out)
    lines = [f"{number:6}  {file}" for file, number in sorted(files.items())]
    lacking = [need for need in NEEDS if any(need in m for m in left_out.values())]
    tests = "1 test was" if len(left_out) == 1 else f"{len(left_out)} tests were"
    return (
        f"{tests} not run, for want of {', '.join(lacking)}:\n"
        + "".join(f"{line}\n" for line in lines)
        + f'"{remedy()}" installs what is missing and runs every test.\n'
    )
