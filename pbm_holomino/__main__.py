"""`python -m pbm_holomino` is `pbm`."""

import sys

from pbm_holomino.cli import main

if __name__ == "__main__":
    sys.exit(main(["pbm", *sys.argv[1:]]))
