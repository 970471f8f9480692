"""pbm-inbox of this checkout: a running server takes the mail, or run.py does.

The script beside it starts this without the site's packages (-S), as handing over
needs none.
"""

import sys

ROOT = __file__.removesuffix("/bin/hand_over.py")
sys.path.insert(0, ROOT)

from pbm_holomino.handover import handed_over  # noqa: E402

status = handed_over()
if status is None:
    import site

    # Now as if run.py had been started with the command's name.
    sys.path.remove(ROOT)
    if sys.flags.safe_path:
        sys.path.insert(0, f"{ROOT}/bin")
    sys.argv.insert(1, "pbm-inbox")
    site.main()
    import run  # noqa: F401
sys.exit(status)
