"""Enter the environment of this checkout's commands, or make it."""

import configparser
import fcntl
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import IO, NoReturn


class CannotSetUp(Exception):
    """Why no environment can be made, in a sentence."""


def enter(root: str, name: str, wanted: str) -> NoReturn:
    """Run `name` in an environment whose stamp has all of `wanted`.

    `wanted` has the Python's version, setup.cfg's hash, and the extras of setup.cfg
    that the command needs. If no such environment can be made, this ends with a
    sentence and status 75, so that a mail can be tried again.
    """
    candidates = candidates_of(root)
    try:
        ready = [venv for venv in candidates if fits(venv, wanted) or is_foreign(venv)]
        venv = ready[0] if ready else make(Path(root), candidates, wanted)
        python = f"{venv}/bin/python"
        os.execv(python, [python, f"{root}/bin/run.py", *sys.argv[1:]])
    except KeyboardInterrupt:
        give_up(name, "interrupted")
    except Exception as error:  # any other end of this could lose a mail
        give_up(name, str(error) or repr(error))


def give_up(name: str, reason: str) -> NoReturn:
    print(f"{name}: not set up: {reason}", file=sys.stderr)
    sys.exit(os.EX_TEMPFAIL)


def candidates_of(root: str) -> list[Path]:
    """The checkout's own environment, and the one in the user's cache folder."""
    cache = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(cache):
        cache = os.path.expanduser("~/.cache")
    candidates = [Path(root, ".venv")]
    if os.path.isabs(cache):  # otherwise this user has no home
        candidates.append(Path(f"{cache}/pbm_holomino{root}/.venv"))
    return candidates


def fits(venv: Path, wanted: str) -> bool:
    has_all = {*wanted.split()} <= {*stamp_of(venv).split()}
    return has_all and os.access(venv / "bin/python", os.X_OK)


def is_foreign(venv: Path) -> bool:
    """Whether somebody made `venv` by hand: it may have the packages."""
    version = f"{sys.version_info[0]}.{sys.version_info[1]}"
    return (
        (venv / "lib" / f"python{version}").is_dir()
        and os.access(venv / "bin/python", os.X_OK)
        and not (venv / "pbm-stamp").exists()
        and not venv.samefile(sys.prefix)  # we run in it, and it lacks them
    )


def stamp_of(venv: Path) -> str:
    try:
        return (venv / "pbm-stamp").read_text().strip()
    except OSError:
        return ""


def make(root: Path, candidates: list[Path], wanted: str) -> Path:
    """Make the environment in the first of `candidates` that is writable."""
    venv, lock = open_lock(candidates)
    with lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not fits(venv, wanted):  # nobody made it while we waited
            build(venv, wanted, requirements(root, wanted.split()[2:]), lock)
    return venv


def open_lock(candidates: list[Path]) -> tuple[Path, IO[str]]:
    refusals = []
    for venv in candidates:
        try:
            venv.parent.mkdir(parents=True, exist_ok=True)
            return venv, open(f"{venv}.lock", "a")
        except OSError as error:
            refusals.append(str(error))
    raise CannotSetUp("; ".join(refusals))


def requirements(root: Path, extras: list[str]) -> list[str]:
    config = configparser.ConfigParser()
    config.read(root / "setup.cfg", encoding="utf-8")
    text = config["options"]["install_requires"]
    for extra in extras:
        text += config["options.extras_require"][extra]
    return [line for line in text.splitlines() if line]


def build(venv: Path, wanted: str, packages: list[str], lock: IO[str]) -> None:
    """Make `venv`, or add what it lacks, and stamp it at the end."""
    # A complete environment for this Python may be in use: it is only added to.
    was_whole = fits(venv, wanted.split()[0])
    if not was_whole:
        require_venv()
    print(f"Setting up {venv} (once; needs the network) ...", file=sys.stderr)
    if not was_whole:
        create(venv)
    before = stamp_of(venv).split() if was_whole else []
    write_stamp(venv, "unfinished")
    install(venv, packages, lock)
    words = wanted.split()
    more = before[2:] if before[:2] == words[:2] else []  # they are still there
    write_stamp(venv, " ".join(dict.fromkeys([*words, *more])))


def write_stamp(venv: Path, text: str) -> None:
    new = venv / "pbm-stamp.new"
    new.write_text(f"{text}\n")
    new.rename(venv / "pbm-stamp")


def require_venv() -> None:
    try:
        import ensurepip  # noqa: F401
        import venv  # noqa: F401
    except ImportError:
        raise CannotSetUp(
            f"{sys.executable} has no venv; install python3-venv,"
            " or else click, PyYAML, openskill and justhtml"
        ) from None


def create(folder: Path) -> None:
    import venv

    old = folder.with_name(".venv.old")
    shutil.rmtree(old, ignore_errors=True)
    if folder.exists():
        folder.rename(old)  # at once: half of one would look hand-made
    venv.create(folder, symlinks=True, with_pip=True)
    shutil.rmtree(old, ignore_errors=True)


def install(venv: Path, packages: list[str], lock: IO[str]) -> None:
    done = subprocess.run(
        # Isolated: packages on PYTHONPATH would count as installed.
        [f"{venv}/bin/python", "-I", "-m", "pip", "install", "--quiet", "--no-input"]
        + ["--disable-pip-version-check", *packages],
        stdin=subprocess.DEVNULL,  # ours may be a mail
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
        pass_fds=[lock.fileno()],  # if this process dies, pip holds the lock
    )
    if done.returncode:
        errors = [line for line in done.stderr.splitlines() if "ERROR" in line]
        raise CannotSetUp(
            f"pip did not install {', '.join(packages)}; is the network there?"
            f" ({errors[-1] if errors else done.returncode})"
        )
