"""Which addresses the owner wants no more accounts from.

Of an address nothing is kept but an HMAC under the server's key, and the day: its
document is named after the HMAC.
"""

from collections.abc import Iterable

from pbm_holomino.errors import NotAllowed
from pbm_holomino.languages import sentence
from pbm_holomino.match.record import Key
from pbm_holomino.match.tokens import token
from pbm_holomino.store.contract import WELCOMES
from pbm_holomino.store.library import Library

_NOT_FROM_THERE = sentence(
    "This server takes no new player from {address}. Its owner can tell why."
)


def _place(library: Library, address: str) -> Key:
    return Key(WELCOMES, token(library.key, ("banned", address.lower())))


def ban(library: Library, address: str, now: str) -> None:
    """Let nobody sign up from an address any more."""
    place = _place(library, address)
    with library.store.lock(*place):
        library.store.save(*place, {"banned": now[:10]})


def admit(library: Library, address: str) -> bool:
    """Let an address sign up again; whether it could not."""
    place = _place(library, address)
    if not library.store.exists(*place):
        return False
    with library.store.lock(*place):
        library.store.remove(*place)
    return True


def is_banned(library: Library, address: str) -> bool:
    """Whether nobody can sign up from an address."""
    return library.store.exists(*_place(library, address))


def check(library: Library, addresses: Iterable[str]) -> None:
    """Raises NotAllowed for an address that is banned."""
    for address in filter(None, addresses):
        if is_banned(library, address):
            raise NotAllowed(_NOT_FROM_THERE.of(address=address))
