"""`pbm serve`: the server that stays, if what it needs is there."""

from collections.abc import Sequence

from pbm_holomino.commands.request import Answer
from pbm_holomino.errors import NotAllowed


def run(words: Sequence[str]) -> Answer:
    """Take mail in by LMTP, until a signal stops it."""
    try:
        from pbm_holomino.resident.serve import serve
    except ModuleNotFoundError:
        raise NotAllowed(
            "pbm serve needs aiosmtpd: please install it, as in "
            "\"pip install 'pbm_holomino[serve]'\"."
        ) from None
    return serve(words)
