"""`pbm serve`: the server that stays, if the library that it needs is installed."""

from pbm_holomino.commands.request import Answer, Request
from pbm_holomino.extras import needed


def run(request: Request) -> Answer:
    """Take mail in by LMTP, until a signal stops it."""
    with needed("serve", '"pbm serve" needs aiosmtpd. Please install it.'):
        from pbm_holomino.resident.serve import serve
    return serve(request.words, int(request.options.get("workers", 1)))
