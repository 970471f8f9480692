"""Enter the environment of this checkout's commands, or make it.

An environment is built beside the one that is in use and takes its place when it is
whole, so that a command always finds one that works. Where a new one cannot be built,
commands go on with the old one. What only a build needs is imported there: while the
network is away, every command comes here.
"""

import fcntl
import os
import sys

TYPE_CHECKING = False  # the module that has it is slow to import
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import IO

# Seconds from a try that failed to the next, where commands can go on with an old
# environment, and where mails, which then have none, come again.
PAUSE, PAUSE_OF_MAILS = 3600, 300
MOST_SECONDS = 300  # for a try that is not needed: there is an old environment
# Extras that are installed where they can be: with which other one, or always, and what
# is missing without them.
WELCOME = {
    "pictures": ("", "Letters have no pictures"),
    "push": ("web", "Browsers are not told of turns"),
}
AT_FDCWD, RENAME_EXCHANGE = -100, 2  # of Linux


class CannotSetUp(Exception):
    """Why no environment can be made, in a sentence."""


class NotTried(CannotSetUp):
    """Why the last try failed, which was not long ago; or another process is trying."""


def enter(root: str, name: str, wanted: str, modules: "list[str]") -> None:
    """Run `name` in an environment whose stamp has all of `wanted`, or return if this
    Python's is the best that there is.

    `wanted` has the Python's version, setup.cfg's hash, and the extras of setup.cfg
    that the command needs; `modules` are those that it imports. An environment made
    for another setup.cfg will do if no other can be made. If there is none either, this
    ends with a sentence and status 75, so that a mail can be tried again.
    """
    try:
        venv = find(root, name, wanted, modules)
        if not is_this(venv) or fits(venv, wanted):
            python = f"{venv}/bin/python"
            os.execv(python, [python, f"{root}/bin/run.py", *sys.argv[1:]])
    except KeyboardInterrupt:
        give_up(name, "interrupted")
    except Exception as error:  # any other end of this could lose a mail
        give_up(name, str(error) or repr(error))


def give_up(name: str, reason: str) -> None:
    print(f"{name}: not set up: {reason}", file=sys.stderr)
    sys.exit(os.EX_TEMPFAIL)


def find(root: str, name: str, wanted: str, modules: "list[str]") -> str:
    """The environment for a command, made if need be, or an old one that will do.
    Raises CannotSetUp."""
    candidates = candidates_of(root)
    ready = [venv for venv in candidates if fits(venv, wanted) or is_foreign(venv)]
    if ready:
        return ready[0]
    old = next((venv for venv in candidates if would_do(venv, wanted)), "")
    if old and not is_this(old):
        return old  # there, this is asked again
    pause = PAUSE if old else PAUSE_OF_MAILS if name == "pbm-inbox" else 0
    try:
        venv, lock = open_lock(candidates)
        with lock:
            take(lock, is_needed=not old)
            bring_back(venv)
            if not fits(venv, wanted):  # nobody made it while we waited
                build = Build(root, venv, wanted, modules, lock, is_needed=not old)
                build.run(pause)
        return venv
    except Exception as error:
        if not old:
            raise
        # A log is told of each try, and somebody at a terminal every time.
        if not isinstance(error, NotTried) or (str(error) and os.isatty(2)):
            print(f"{name}: {going_on(old, error)}", file=sys.stderr)
        return old


def going_on(old: str, error: Exception) -> str:
    return (
        "going on with the old libraries, because those that setup.cfg now asks for "
        f"cannot be installed: {error}. This is tried again after an hour, or at "
        f'once after "rm {note_beside(old)}".'
    )


def candidates_of(root: str) -> "list[str]":
    """The checkout's own environment, and the one in the user's cache folder."""
    cache = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(cache):
        cache = os.path.expanduser("~/.cache")
    candidates = [f"{root}/.venv"]
    if os.path.isabs(cache):  # otherwise this user has no home
        candidates.append(f"{cache}/pbm_holomino{root}/.venv")
    return candidates


# What an environment has: its stamp is a line of words, as in `wanted`; then come the
# requirements that were installed, one a line.


def fits(venv: str, wanted: str) -> bool:
    words = stamp_of(venv).partition("\n")[0].split()
    return {*wanted.split()} <= {*words} and os.access(f"{venv}/bin/python", os.X_OK)


def would_do(venv: str, wanted: str) -> bool:
    """Whether it fits but for what has changed in setup.cfg."""
    version, _, *extras = wanted.split()
    return fits(venv, " ".join([version, *extras]))


def is_this(venv: str) -> bool:
    return os.path.exists(venv) and os.path.samefile(venv, sys.prefix)


def is_foreign(venv: str) -> bool:
    """Whether somebody made `venv` by hand: it may have the packages."""
    return is_hand_made(venv) and not is_this(venv)  # we run in it, and it lacks them


def is_hand_made(venv: str) -> bool:
    is_of_this_python = os.path.isdir(packages_of(venv))
    has_python = os.access(f"{venv}/bin/python", os.X_OK)
    return is_of_this_python and has_python and not stamp_of(venv)


def packages_of(venv: str) -> str:
    version = f"{sys.version_info[0]}.{sys.version_info[1]}"
    return f"{venv}/lib/python{version}/site-packages"


def stamp_of(venv: str) -> str:
    return read(f"{venv}/pbm-stamp")


def read(path: str) -> str:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except OSError:
        return ""


def write(path: str, text: str) -> None:
    with open(f"{path}.new", "w", encoding="utf-8") as file:
        file.write(text)
    os.rename(f"{path}.new", path)


# Making one


def take(lock: "IO[str]", is_needed: bool) -> None:
    """Take the lock; where that is not needed, only if nobody has it. Raises NotTried
    if somebody has."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | (0 if is_needed else fcntl.LOCK_NB))
    except BlockingIOError:
        raise NotTried from None


def open_lock(candidates: "list[str]") -> "tuple[str, IO[str]]":
    refusals = []
    for venv in candidates:
        try:
            os.makedirs(os.path.dirname(venv), exist_ok=True)
            return venv, open(f"{venv}.lock", "a")
        except OSError as error:
            refusals.append(str(error))
    raise CannotSetUp("; ".join(refusals))


def note_beside(venv: str) -> str:
    """The file that says what was tried last, and why it failed."""
    return f"{venv}.tried"


class Build:
    """Puts in the place of `venv` an environment with all that is wanted and all that
    is there; holds the lock."""

    def __init__(
        self,
        root: str,
        venv: str,
        wanted: str,
        modules: "list[str]",
        lock: "IO[str]",
        is_needed: bool,
    ) -> None:
        self.root, self.venv, self.new = root, venv, f"{venv}.new"
        self.version, self.crc, *self.asked = wanted.split()
        self.known = requirements(root)
        self.modules = modules
        self.lock = lock
        self.is_needed = is_needed
        self.is_whole = fits(venv, self.version)

    def run(self, pause: int) -> None:
        """Build it, or leave a note of why that failed; where there is an old one, also
        if we are killed. Raises NotTried in the seconds of the pause after a try."""
        import time

        note = note_beside(self.venv)
        tried, _, reason = read(note).partition("\n")
        attempt = f"{self.version} {self.crc}"
        if tried == attempt and 0 <= time.time() - os.stat(note).st_mtime < pause:
            raise NotTried(reason.strip())
        if not self.is_needed:
            write(note, f"{attempt}\nthe last try was interrupted\n")
        try:
            self.build()
        except Exception as error:
            write(note, f"{attempt}\n{error}\n")
            raise
        if os.path.exists(note):
            os.remove(note)
        if has_new_translations(self.root):
            self.make_catalogues()

    def build(self) -> None:
        """Build it; or stamp it anew, if it has all that setup.cfg requires now."""
        known, asked = self.known, self.asked
        has = installed(self.venv, self.crc, known) if self.is_whole else set()
        extras = [e for e in known if e in asked or (e and {*known[e]} <= has)]
        lines = dict.fromkeys(line for name in ["", *extras] for line in known[name])
        if {*lines} <= has:
            write(f"{self.venv}/pbm-stamp", self.stamp(extras, lines))
            return
        has_packages = self.is_whole or is_hand_made(self.venv)
        if not has_packages:
            require_venv()
        print(f"{self.announcement()} ...", file=sys.stderr)
        remove(self.new)
        try:
            self.fill([*lines], has_packages)
            for extra, (other, lack) in WELCOME.items():
                left = [line for line in known.get(extra, []) if line not in lines]
                if left and other in ("", *extras) and self.can_have(left, lack):
                    extras.append(extra)
                    lines |= dict.fromkeys(left)
            write(f"{self.new}/pbm-stamp", self.stamp(extras, lines))
            switch(self.new, self.venv)
        finally:
            remove(self.new)

    def stamp(self, extras: "Iterable[str]", lines: "Iterable[str]") -> str:
        words = " ".join([self.version, self.crc, *extras])
        return "\n".join([words, *lines, ""])

    def can_have(self, packages: "list[str]", lack: str) -> bool:
        """Install what is there for this machine; where it is not, all else is as it
        should be, and this says what is missing."""
        import subprocess

        try:
            self.install(["--only-binary=:all:", *packages])
        except (CannotSetUp, OSError, subprocess.SubprocessError):
            print(
                f"{lack}: {', '.join(packages)} cannot be installed.", file=sys.stderr
            )
            return False
        return True

    def announcement(self) -> str:
        before = stamp_of(self.venv).split() if self.is_whole else []
        extras = [f'"{extra}"' for extra in self.asked if extra not in before]
        named = f"the extra{'s' * (len(extras) > 1)} {' and '.join(extras)}"
        if not self.is_whole:
            more = f" with {named}" if extras else ""
            return f"Setting up {self.venv}{more} (once; needs the network)"
        if extras:
            return f"Setting up {named} in {self.venv} (once; needs the network)"
        why = "because setup.cfg has changed"
        return f"Updating {self.venv}, {why} (needs the network)"

    def fill(self, packages: "list[str]", has_packages: bool) -> None:
        """Make the new one: from the old one, which may have more than was asked for,
        or from nothing."""
        if has_packages:
            copy(self.venv, self.new)
        if not os.path.isdir(f"{packages_of(self.new)}/pip"):
            create(self.new)
        self.install(packages)
        if self.can_import():
            rename_inside(self.new, self.venv)
        elif has_packages:  # somebody has removed parts of the old one
            remove(self.new)
            self.fill(packages, has_packages=False)
        else:
            raise CannotSetUp(f"not all of {', '.join(self.modules)} can be imported")

    def can_import(self) -> bool:
        import subprocess

        names = filter(str.isidentifier, self.modules)  # others have no code
        words = [f"{self.new}/bin/python", "-I", "-c", f"import {', '.join(names)}"]
        return not subprocess.run(words, capture_output=True).returncode

    def make_catalogues(self) -> None:
        """Make the catalogues of other languages, by a library that nothing else needs;
        where that cannot be, English is read."""
        import subprocess

        print("Making the catalogues of other languages ...", file=sys.stderr)
        python, folder = f"{self.venv}/bin/python", f"{self.venv}.babel"
        wanted = [line for line in self.known.get("test", []) if "babel" in line]
        try:
            self.install(["--target", folder, *wanted], python)
            subprocess.run(
                [python, f"{self.root}/bin/catalogues.py", "--make"],
                env={**os.environ, "PYTHONPATH": folder},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                check=True,
            )
        except (CannotSetUp, OSError, subprocess.SubprocessError) as error:
            print(
                f"Players read English until that has been done: {error}.",
                file=sys.stderr,
            )
        finally:
            remove(folder)

    def install(self, packages: "list[str]", python: str = "") -> None:
        import subprocess

        python = python or f"{self.new}/bin/python"
        # A command that can go on without it does not wait for a network that is away.
        patience = [] if self.is_needed else ["--retries=1", "--timeout=10"]
        done = subprocess.run(
            # Isolated: packages on PYTHONPATH would count as installed.
            [python, "-I", "-m", "pip", "install", "--quiet", "--no-input"]
            + ["--disable-pip-version-check", *patience, *packages],
            stdin=subprocess.DEVNULL,  # ours may be a mail
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
            pass_fds=[self.lock.fileno()],  # if this process dies, pip holds the lock
            timeout=None if self.is_needed else MOST_SECONDS,
        )
        if done.returncode:
            errors = [line for line in done.stderr.splitlines() if "ERROR" in line]
            raise CannotSetUp(
                f"pip did not install {', '.join(packages)}; {suspicion()}"
                f" ({errors[-1] if errors else done.returncode})"
            )


def has_new_translations(root: str) -> bool:
    """Whether a language has been translated further since its catalogue was made, and
    a new one can be written."""
    from glob import glob

    return any(
        changed(f"{folder}/catalogue.po") > changed(f"{folder}/catalogue.mo")
        and os.access(folder, os.W_OK)
        for folder in glob(f"{root}/pbm_holomino/languages/*/")
    )


def changed(path: str) -> float:
    """When a file was changed last; 0 if it is not there."""
    try:
        return os.stat(path).st_mtime
    except OSError:
        return 0.0


def suspicion() -> str:
    """Why pip probably found nothing."""
    word = os.environ.get("PIP_NO_INDEX", "").lower()
    if word in ("", "0", "n", "no", "f", "false", "off"):
        return "is the network there?"
    return "PIP_NO_INDEX is set, which keeps it from the network"


def requirements(root: str) -> "dict[str, list[str]]":
    """What setup.cfg requires, by its extras; under an empty name, what is required
    always. An extra that consists of others is given with their requirements."""
    import configparser
    import re

    config = configparser.ConfigParser()
    config.read(f"{root}/setup.cfg", encoding="utf-8")
    own = f"{config['metadata']['name']}["
    texts = {"": config["options"]["install_requires"]}
    texts.update(config["options.extras_require"])

    def lines(text: str) -> "Iterable[str]":
        for line in filter(None, text.splitlines()):
            if line.startswith(own):
                for extra in re.findall(r"\w+", line.removeprefix(own)):
                    yield from lines(texts[extra])
            else:
                yield line

    return {extra: [*dict.fromkeys(lines(text))] for extra, text in texts.items()}


def installed(venv: str, crc: str, known: "Mapping[str, list[str]]") -> "set[str]":
    """The requirements that an environment was made for, by its stamp. Stamps of 1.0
    name none; these are known if setup.cfg is the same."""
    words, _, lines = stamp_of(venv).partition("\n")
    if not lines and crc in words.split():
        return {line for name in ["", *words.split()[2:]] for line in known[name]}
    return {*lines.splitlines()}


def copy(venv: str, new: str) -> None:
    """Copy an environment. The files are links: pip replaces files, and never writes
    into one."""
    import shutil

    def link(file: str, copy: str) -> None:
        try:
            os.link(file, copy)
        except OSError:  # not every disk has links
            shutil.copy2(file, copy)

    shutil.copytree(venv, new, symlinks=True, copy_function=link)
    if os.path.exists(f"{new}/pbm-stamp"):
        os.remove(f"{new}/pbm-stamp")


def require_venv() -> None:
    try:
        import ensurepip  # noqa: F401
        import venv  # noqa: F401
    except ImportError:
        raise CannotSetUp(
            f"{sys.executable} has no venv; install python3-venv,"
            " or else click, PyYAML, openskill and justhtml"
        ) from None


def create(folder: str) -> None:
    require_venv()
    import venv

    venv.create(folder, symlinks=True, with_pip=True, prompt=".venv")


def rename_inside(new: str, venv: str) -> None:
    """Have the scripts of an environment name the folder where it will be."""
    before, after = (os.path.basename(folder).encode() for folder in (new, venv))
    scripts = [f"{new}/bin/{name}" for name in os.listdir(f"{new}/bin")]
    for path in [f"{new}/pyvenv.cfg", *scripts]:
        if os.path.islink(path) or not os.path.isfile(path):
            continue
        with open(path, "rb") as file:
            content = file.read()
        if before in content:  # a file of our own: no link of the old one has it
            with open(path, "wb") as file:
                file.write(content.replace(before, after))


def switch(new: str, venv: str) -> None:
    """Put a new environment in the place of an old one, which is removed."""
    old = old_beside(venv)
    remove(old)
    if not exchanged(new, venv):
        if os.path.lexists(venv):
            os.rename(venv, old)
        os.rename(new, venv)
        remove(old)


def exchanged(one: str, other: str) -> bool:
    """Whether two folders have exchanged their names, at once: whoever looks meanwhile
    finds one of them. Python has no call for this, nor has every system."""
    import ctypes

    try:
        call = ctypes.CDLL(None).renameat2
    except (AttributeError, OSError):
        return False
    paths = (os.fsencode(one), os.fsencode(other))
    return not call(AT_FDCWD, paths[0], AT_FDCWD, paths[1], RENAME_EXCHANGE)


def bring_back(venv: str) -> None:
    """Put an old environment back if a process was killed while it switched."""
    if os.path.lexists(old_beside(venv)) and not os.path.lexists(venv):
        os.rename(old_beside(venv), venv)


def old_beside(venv: str) -> str:
    return f"{venv}.old"


def remove(path: str) -> None:
    import shutil

    if os.path.islink(path):
        os.remove(path)
    else:
        shutil.rmtree(path, ignore_errors=True)
