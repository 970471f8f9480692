"""Run a command of this checkout in a Python that has what the command needs.

Every command pays for the code here, so what is seldom needed is in set_up.py.
Arguments: the command's name, then its own. An older Python must be able to read
this file, if only to say that it is too old.
"""

import binascii  # yaml imports it anyway
import gc
import os
import sys

TYPE_CHECKING = False  # the module that has it is slow to import
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn

BIN = os.path.dirname(os.path.realpath(__file__))
ROOT = os.path.dirname(BIN)
FOR_DEVELOPERS = ["check", "bench"]
NEEDED = ["click", "yaml", "openskill", "justhtml"]
# the modules in the extras of setup.cfg
EXTRAS = {
    "serve": ["aiosmtpd"],
    "postgresql": ["psycopg"],
    "mailbox": ["imapclient"],
    "tournament": ["networkx"],
    "web": ["starlette", "uvicorn", "jinja2"],
    "pictures": ["resvg_py"],
    "push": ["cryptography"],
}
FOR_TESTS = ["pytest", "xdist", "hypothesis", "ruff", "mypy", "yaml-stubs"]
FOR_TESTS += ["playwright", "axe_playwright_python", "setuptools", "pip"]
EXTRAS["test"] = sum(EXTRAS.values(), FOR_TESTS)


def is_here(module: str) -> bool:
    # Like importlib.util.find_spec, whose module is slow to import.
    return any(finder.find_spec(module, None) for finder in sys.meta_path)


def extras_of(words: list[str]) -> list[str]:
    """The extras that a command needs. An environment with more serves it, too."""
    if words[0] in FOR_DEVELOPERS:
        return ["test"]
    told = settings()
    has_database = b"://" in told.get(b"store", b"")
    extras = extras_of_owner(words[1:], told) if words[0] == "pbm" else []
    return extras + ["postgresql"] if has_database else extras


def extras_of_owner(words: list[str], told: dict[bytes, bytes]) -> list[str]:
    """The extras that one of the owner's commands needs, with these settings."""
    name, *rest = [word.lower() for word in words] or [""]
    options = [word.lstrip("-") for word in rest if word.startswith("-")]
    if "help" in options:
        return []
    extras = {
        "help": ["web"] if any(o.startswith("html") for o in options) else [],
        "serve": ["serve"],
        "setup": ["mailbox"],
        "web": ["web"],
        "demo": ["web"] if "web" in options else [],
        "copy": ["postgresql"] if "://" in " ".join(rest) else [],
        "tournament": ["tournament"] if "swiss" in rest else [],
        "fetch": ["mailbox"] if b"imap" in told.get(b"fetch", b"") else [],
    }
    extras["run"] = extras["fetch"] + (["web"] if rest else [])
    return extras.get(name, [])


def settings() -> dict[bytes, bytes]:
    """The lines of the settings that begin with a key, by their keys."""
    sys.path.insert(0, ROOT)
    from pbm_holomino.store import location  # handing over has loaded it

    sys.path.remove(ROOT)
    store = location.find_store(dict(os.environb))
    try:
        with open(f"{store}/config.yaml", "rb") as file:
            parts = [line.partition(b":") for line in file]
    except OSError:
        return {}
    return {key: value for key, _, value in parts}


def find_environment(words: list[str]) -> None:
    """Return if this Python has what the command needs, or is the best that there is;
    otherwise run in one that has it."""
    with open(f"{ROOT}/setup.cfg", "rb") as file:
        crc = binascii.crc32(file.read())
    wanted = f"{sys.version_info[0]}.{sys.version_info[1]} {crc:08x}"
    needed = NEEDED
    for extra in extras_of(words):
        wanted += f" {extra}"
        needed = needed + EXTRAS[extra]
    try:
        with open(f"{sys.prefix}/pbm-stamp") as file:
            stamp = file.readline()
    except OSError:
        stamp = ""
    is_ready = {*wanted.split()} <= {*stamp.split()}
    if is_ready or (not stamp and all(map(is_here, needed))):
        return
    sys.path.insert(0, BIN)
    import set_up

    sys.path.remove(BIN)
    set_up.enter(ROOT, words[0], wanted, needed)


def leave_old_python(name: str) -> None:
    """Run in a Python that is new enough, or end."""
    import subprocess

    for minor in range(20, 10, -1):
        python = f"python3.{minor}"
        try:  # it may be a version manager's name for nothing
            subprocess.check_call([python, "-c", ""], stderr=subprocess.DEVNULL)
        except (OSError, subprocess.CalledProcessError):
            continue
        os.execvp(python, [python, *sys.argv])
    print(f"{name}: needs Python 3.11 or newer: install it.", file=sys.stderr)
    sys.exit(75)


def run(name: str, program: "Callable[[], int] | None" = None) -> "NoReturn":
    # As in a console script, the program learns its name from argv[0].
    sys.argv[:2] = [f"{BIN}/{name}"]
    if not sys.flags.safe_path:
        del sys.path[0]
    sys.path.insert(0, ROOT)
    # A command ends before garbage matters; collecting costs more than it saves.
    gc.disable()
    end((program or program_of(name))())


def end(status: int) -> "NoReturn":
    """Exit: at once where nothing is left to do, as the system takes a process apart
    faster than Python does."""
    threading = sys.modules.get("threading")
    is_alone = threading is None or threading.active_count() == 1
    if is_alone and "atexit" not in sys.modules:
        for stream in filter(None, (sys.stdout, sys.stderr)):
            stream.flush()
        os._exit(status or 0)  # as sys.exit does without one
    gc.freeze()
    sys.exit(status)


def program_of(name: str) -> "Callable[[], int]":
    if name in FOR_DEVELOPERS:
        sys.path.insert(0, BIN)
        module = "develop"
    elif name == "pbm-inbox":
        module = "pbm_holomino.server.inbox"
    else:
        module = "pbm_holomino.handover.shell"
    main: Callable[[], int] = __import__(module, fromlist=["main"]).main
    return main


def main(program: "Callable[[], int] | None" = None) -> "NoReturn":
    """Run a command, by its own program or by one that has begun already."""
    name = sys.argv[1]
    try:
        find_environment(sys.argv[1:])
        run(name, program)
    except Exception as fault:  # the disk or the memory may refuse a module
        if name in FOR_DEVELOPERS:
            raise
        try:
            os.write(2, f"{name}: {type(fault).__name__}: {fault}\n".encode())
        finally:
            os._exit(75)


if __name__ == "__main__":
    if sys.version_info < (3, 11):  # noqa: UP036
        leave_old_python(sys.argv[1])
    main()
