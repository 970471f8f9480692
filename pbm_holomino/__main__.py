"""`python -m pbm_holomino` is `pbm`."""

import sys

from pbm_holomino.handover import shell

if __name__ == "__main__":
    sys.argv[0] = "pbm"
    sys.exit(shell.main())
