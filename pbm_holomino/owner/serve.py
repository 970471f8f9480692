"""`pbm serve`: the server that stays, if the library that it needs is installed."""

from pbm_holomino.commands.request import Answer, Request
from pbm_holomino.extras import needed


def run(request: Request) -> Answer:
    """Take mail in by LMTP, and with --clock do what cron does elsewhere, until a
    signal stops it."""
    with needed("serve", '"pbm serve" needs aiosmtpd. Please install it.'):
        from pbm_holomino.resident.serve import serve
    others = []
    if "clock" in request.options:
        from pbm_holomino.owner.whole_server import CLOCK  # slow to load

        others.append(CLOCK)
    return serve(request.words, int(request.options.get("workers", 1)), others)
