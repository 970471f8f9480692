"""A mail on standard input, and how large it may be. Each mail waits for what is
imported here, so it is next to nothing.
"""

import posix

MOST_MAIL = 10 << 20  # bytes


def read_stdin() -> bytes:
    """The mail on standard input. Of one that is too large only enough is kept to
    show it; but all is read, so that the program that writes it sees no error."""
    pieces = []
    left = MOST_MAIL + 1
    while piece := posix.read(0, 1 << 20):
        pieces.append(piece[:left])
        left -= len(pieces[-1])
    return b"".join(pieces)
