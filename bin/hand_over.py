"""A command of this checkout: a running server takes it over, or run.py runs it.

The script beside it starts this without the site's packages (-S), as handing over
needs none. Arguments: the command's name, then its own.
"""

import sys

ROOT = __file__.removesuffix("/bin/hand_over.py")
sys.path.insert(0, ROOT)

from pbm_holomino import cli  # noqa: E402

if sys.argv[1] == "pbm-inbox":
    from pbm_holomino.handover import mail

    program = None
    status = mail.handed_over()
else:
    from pbm_holomino.handover import shell

    command = cli.Command(sys.argv[1:])
    program = lambda: cli.run(command)  # noqa: E731
    status = shell.handed_over(command)
if status is None:
    # Now as if run.py had been started.
    sys.path.remove(ROOT)
    if sys.flags.safe_path:
        sys.path.insert(0, f"{ROOT}/bin")
    cli.load_site()
    import run

    if sys.flags.safe_path:
        del sys.path[0]
    run.main(program)
sys.exit(status)
