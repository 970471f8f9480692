"""What is kept as files: copies of letters, each with its address and the reason, that
were refused for good, or that wait and could not be made from a log again; and mails
that cannot be carried out."""

from collections.abc import Iterator
from hashlib import sha256

from pbm_holomino.mail.outcomes import Parcel
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.store.contract import QUARANTINE, WHY_WAITING, Store

_TO, _WHY = b"X-Undelivered-To: ", b"X-Undelivered-Why: "


class Kept(NamedTuple):
    """A copy in a file with this name."""

    filename: str
    to: str
    why: str
    mail: bytes

    @property
    def parcel(self) -> Parcel:
        return Parcel(self.filename.rsplit(".", 2)[0], self.mail, (self.to,))


def keep(store: Store, folder: str, parcel: Parcel, to: str, why: str) -> None:
    """Keep one copy of a mail, durably. Beyond the spool's limits the oldest go."""
    head = _TO + to.encode() + b"\n" + _WHY
    head += " ".join(why.split()).encode("utf-8", "replace")
    # the address may be long, and have characters that a filename cannot
    name = f"{parcel.name}.{sha256(to.encode()).hexdigest()[:8]}.eml"
    store.kept.keep(folder, name, head + b"\n" + parcel.mail)


def id_of(raw: bytes) -> str:
    """What a mail is called that is not carried out."""
    return sha256(raw).hexdigest()[:16]


def quarantine(raw: bytes, store: Store) -> str:
    """Keep a mail that cannot be carried out; what it is called."""
    name = id_of(raw)
    store.kept.keep(QUARANTINE, f"{name}.eml", raw)
    return name


def copies(store: Store, folder: str) -> Iterator[Kept]:
    """All copies in a folder, the oldest first."""
    for filename in store.kept.mails(folder):
        raw = store.kept.read(folder, filename)
        if raw is not None:
            yield as_kept(filename, raw)


def last(store: Store, folder: str) -> Kept | None:
    """The newest copy in a folder; None if there is none."""
    for filename in reversed(store.kept.mails(folder)):
        raw = store.kept.read(folder, filename)
        if raw is not None:
            return as_kept(filename, raw)
    return None


def put_reason(store: Store, why: str) -> None:
    """Note for the owner why letters could not leave."""
    store.put_note(WHY_WAITING, why)


def reason(store: Store) -> str:
    """The last reason why letters could not leave; empty when all have left."""
    return store.note(WHY_WAITING)


def remove_reason(store: Store) -> None:
    """Forget the reason, as all letters have left."""
    store.put_note(WHY_WAITING, "")


def as_kept(filename: str, raw: bytes) -> Kept:
    """The copy in a file: two lines and a mail. A file without the lines goes to
    nobody."""
    first, _, rest = raw.partition(b"\n")
    second, _, mail = rest.partition(b"\n")
    to, why = first.removeprefix(_TO), second.removeprefix(_WHY)
    if first == to or second == why:
        return Kept(filename, "", "It does not say to whom it goes.", raw)
    return Kept(filename, _text(to).strip(), _text(why), mail)


def _text(words: bytes) -> str:
    return words.decode("utf-8", "replace")
