"""A mail on standard input, and how large it may be. Every mail waits for the imports
here, so there are next to none.
"""

import posix

MOST_MAIL = 10 << 20  # bytes


def read_stdin() -> bytes:
    """The mail on standard input. One that is too large is cut just beyond MOST_MAIL,
    but read to its end, so that the program that writes it sees no error."""
    pieces = []
    left = MOST_MAIL + 1
    while piece := posix.read(0, 1 << 20):
        pieces.append(piece[:left])
        left -= len(pieces[-1])
    return b"".join(pieces)
