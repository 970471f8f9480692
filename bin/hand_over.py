"""A command of this checkout: a running server takes it over, or run.py runs it.

The script beside it starts this without the site's packages (-S), as handing over
needs none. Arguments: the command's name, then its own.
"""

import posix
import sys

TYPE_CHECKING = False  # the module that has it is slow to import
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn

ROOT = __file__.removesuffix("/bin/hand_over.py")


def hand_over(name: str) -> "NoReturn":
    """Hand a command over, or run it here, and exit."""
    program = None
    if name == "pbm-inbox":
        from pbm_holomino.handover import mail

        status = mail.handed_over()
    else:
        from pbm_holomino import cli
        from pbm_holomino.handover import shell

        command = cli.Command(sys.argv[1:])
        status = shell.handed_over(command)
        program = lambda: cli.run(command)  # noqa: E731
    if status is None:
        run_here(program)
    # All has been printed; the system takes a process apart faster than Python does.
    posix._exit(status)


def run_here(program: "Callable[[], int] | None") -> "NoReturn":
    """Go on as if run.py had been started."""
    from pbm_holomino.cli import load_site

    sys.path.remove(ROOT)
    if sys.flags.safe_path:
        sys.path.insert(0, f"{ROOT}/bin")
    load_site()
    import run

    if sys.flags.safe_path:
        del sys.path[0]
    run.main(program)


sys.path.insert(0, ROOT)
try:
    hand_over(sys.argv[1])
except Exception as fault:  # the disk or the memory may refuse a module
    posix.write(2, f"{sys.argv[1]}: {type(fault).__name__}: {fault}\n".encode())
    sys.exit(75)
