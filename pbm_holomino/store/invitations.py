"""Who has been invited, so that an address gets one letter ever, and whose readers want
none.

Of an address nothing is kept but an HMAC under the server's key, after which its
document is named, with who has invited its reader to which game, and on which day.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from pbm_holomino.errors import CorruptFile, NotAllowed
from pbm_holomino.languages import sentence
from pbm_holomino.match.record import Key
from pbm_holomino.match.tokens import token
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.store import documents
from pbm_holomino.store.contract import WELCOMES
from pbm_holomino.store.library import Library

_WANTS_NONE = sentence(
    "The reader of {address} wants no letters from this server. Only a mail from there "
    "can sign up with that address, or add it."
)
_INVITED, _NEVER = "invited", "never"  # the days on which it was so


class Invitation(NamedTuple):
    """An invitation: by whom, and to which game with which options."""

    by: str
    game: str
    options: Mapping[str, str]
    mail: str  # the id of the mail that has brought it


def mailbox(address: str) -> str:
    """An address without what can differ in those of one mailbox: some providers leave
    out dots, too."""
    local, _, domain = address.lower().rpartition("@")
    return f"{local.partition('+')[0].replace('.', '')}@{domain}"


def place(library: Library, address: str) -> Key:
    """Where it is kept what is known of an address."""
    return Key(WELCOMES, token(library.key, (_INVITED, mailbox(address))))


def to(library: Library, address: str) -> Invitation | None:
    """The invitation that has gone to an address, if one has."""
    data = _data(library, address)
    if _INVITED not in data:
        return None
    return Invitation(*(data[name] for name in Invitation._fields))


def is_known(library: Library, address: str) -> bool:
    """Whether an invitation has gone to an address, or its reader wants none."""
    return library.store.exists(*place(library, address))


def keep(library: Library, address: str, invitation: Invitation, now: str) -> None:
    """Keep an invitation to an address. The caller has locked its place."""
    data = {**_data(library, address), _INVITED: now[:10], **invitation._asdict()}
    library.store.save(*place(library, address), data)


def refuse(library: Library, address: str, now: str) -> None:
    """Keep that the reader of an address wants no letters."""
    key = place(library, address)
    with library.store.lock(*key):
        library.store.save(*key, {**_data(library, address), _NEVER: now[:10]})


def is_refused(library: Library, address: str) -> bool:
    """Whether the reader of an address wants no letters."""
    return _NEVER in _data(library, address)


def check_wanted(library: Library, addresses: Iterable[str], sender: str = "") -> None:
    """Raises NotAllowed for an address whose reader wants no letters, unless it is the
    one from which a mail comes."""
    for address in addresses:
        if address.lower() != sender.lower() and is_refused(library, address):
            raise NotAllowed(_WANTS_NONE.of(address=address))


def _data(library: Library, address: str) -> dict[str, Any]:
    """What is known of an address; nothing if its document is damaged."""
    try:
        return dict(documents.read(library.store, *place(library, address)) or {})
    except CorruptFile:
        return {}
