"""`pbm serve`: the server that stays, if the library that it needs is installed."""

from pbm_holomino.commands.request import Answer, Request
from pbm_holomino.errors import NotAllowed


def run(request: Request) -> Answer:
    """Take mail in by LMTP, until a signal stops it."""
    try:
        from pbm_holomino.resident.serve import serve
    except ModuleNotFoundError:
        from pbm_holomino.extras import line_for

        raise NotAllowed(
            '"pbm serve" needs aiosmtpd. Please install it.', line_for("serve")
        ) from None
    return serve(request.words, int(request.options.get("workers", 1)))
