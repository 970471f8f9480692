"""`pbm kept`: the mails that are kept whole: those that nobody could read or carry out,
and letters that wait or were refused for good. The owner lists them, looks at one, has
them tried again, or removes them."""

import re
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from hashlib import sha256

from pbm_holomino.commands.request import Answer, Request
from pbm_holomino.errors import DONE, TRY_LATER, BadCommand, NotFound, PbmError
from pbm_holomino.mail import keeping
from pbm_holomino.mail.post import send_again
from pbm_holomino.match.times import time_at
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.resident.report import in_words
from pbm_holomino.sentences import fill, listed, moment, quoted
from pbm_holomino.server import open as opener
from pbm_holomino.server.inbox import receive
from pbm_holomino.server.transaction import Server
from pbm_holomino.store.contract import QUARANTINE, UNDELIVERABLE, WAITING, Store
from pbm_holomino.store.home import Home

_WHAT = {  # is in each of the folders
    QUARANTINE: "mails that nobody could read or carry out",
    WAITING: "answers that could not leave yet",
    UNDELIVERABLE: "letters that were refused for good",
}
_ID_LENGTH = 10
_HEAD = 1 << 16  # bytes of a mail in which its headers are looked for
_MOST_SHOWN = 60  # characters of a header


class Entry(NamedTuple):
    """A mail in one of the folders, and when it was put there."""

    folder: str
    filename: str
    time: str

    @property
    def id(self) -> str:
        """What the owner calls it. (A filename may hold a reply token.)"""
        name = f"{self.folder}/{self.filename}"
        return sha256(name.encode("utf-8", "surrogateescape")).hexdigest()[:_ID_LENGTH]


def run(request: Request) -> Answer:
    """Do with the mails that are named what the first word says: list them."""
    what, *names = request.words or ("list",)
    server, home = opener.open_existing()
    if what == "list":
        return Answer(_list(server.store, names or [*_WHAT]))
    if not names:
        raise BadCommand(
            f'Which mails? Please name them as "pbm kept" does, or all of a folder: '
            f"{listed([*_WHAT], 'or')}.",
            "kept",
        )
    entries = _named(server.store, names)
    if what == "show":
        return Answer(
            "\n".join(filter(None, (_show(server.store, e) for e in entries)))
        )
    server.store.check_open()
    if what == "drop":
        return _drop(server.store, entries)
    return _retry(server, home, entries)


def _entries(store: Store, folder: str) -> list[Entry]:
    """All that is in a folder, the oldest first."""
    times = store.kept.times(folder)
    return [Entry(folder, name, time_at(time)) for name, time in times.items()]


def _named(store: Store, names: Sequence[str]) -> list[Entry]:
    """The mails with these ids, or in these folders, each once. Raises NotFound."""
    inside = {folder: _entries(store, folder) for folder in _WHAT}
    chosen = dict[Entry, None]()
    for name in map(str.lower, names):
        entries = inside.get(name)
        if entries is None:
            entries = [e for each in inside.values() for e in each if e.id == name]
            if not entries:
                raise NotFound(
                    f'No mail that is kept is called {quoted(name)}: "pbm kept" '
                    "lists them."
                )
        chosen.update(dict.fromkeys(entries))
    return [*chosen]


# Looking


def text_of(store: Store) -> str:
    """What is kept in all folders."""
    return _list(store, [*_WHAT])


def _list(store: Store, names: Sequence[str]) -> str:
    """What is kept, by folder: for each mail its id, since when it has been there, and
    what it is."""
    parts = []
    for folder, entries in _by_folder(_named(store, names)).items():
        lines = [fill(f"{folder} ({len(entries)}): {_WHAT[folder]}")]
        for entry in entries:
            raw = store.kept.read(entry.folder, entry.filename)
            if raw is not None:
                what = f"{entry.id}  {moment(entry.time)}  {_described(entry, raw)}"
                lines.append(fill(what, "  ", " " * (_ID_LENGTH + 4)))
        parts.append("".join(lines))
    return "\n".join(parts) or "No mails are kept.\n"


def _described(entry: Entry, raw: bytes) -> str:
    """What a mail is, in one line: for a letter, to whom it goes, and why it is still
    here."""
    if entry.folder == QUARANTINE:
        sender = _header(raw, b"From")
        return f"from {sender or 'nobody'}: {_subject(raw)}, {len(raw)} bytes"
    copy = keeping.as_kept(entry.filename, raw)
    return f"to {copy.to or 'nobody'}: {_subject(copy.mail)}. {copy.why}"


def _subject(raw: bytes) -> str:
    return _header(raw, b"Subject") or "no subject"


def _header(raw: bytes, name: bytes) -> str:
    """The first line of a header, with only printable ASCII; empty without one. The
    mail may be anything: nobody could parse it."""
    head = re.split(rb"\r?\n\r?\n", raw[:_HEAD], maxsplit=1)[0]
    match = re.search(rb"(?im)^%s:[ \t]*([^\r\n]*)" % name, head)
    word = match[1].decode("latin-1").strip() if match else ""
    plain = "".join(c if " " <= c <= "~" else "?" for c in word)
    return f"{plain[:_MOST_SHOWN]}..." if len(plain) > _MOST_SHOWN else plain


def _show(store: Store, entry: Entry) -> str:
    """A mail as it is kept, with control characters written as their codes, so that it
    is safe to look at on a terminal."""
    raw = store.kept.read(entry.folder, entry.filename)
    if raw is None:
        return ""
    text = raw.decode("utf-8", "backslashreplace").replace("\r\n", "\n")
    plain = "".join(c if c in "\n\t" or c.isprintable() else _code(c) for c in text)
    head = f"{entry.folder} {entry.id}, since {moment(entry.time)}\n\n"
    return head + plain + ("" if plain.endswith("\n") else "\n")


def _code(character: str) -> str:
    return ascii(character)[1:-1]


# Doing


def _drop(store: Store, entries: Sequence[Entry]) -> Answer:
    """Remove mails, for ever."""
    numbers = dict[str, int]()
    for folder, some in _by_folder(entries).items():
        with _alone(store, folder):
            for entry in some:
                store.kept.remove(folder, entry.filename)
        numbers[folder] = len(some)
    return Answer(_counted("Removed", numbers) or "There is nothing to remove.\n")


def _retry(server: Server, home: Home, entries: Sequence[Entry]) -> Answer:
    """Carry out mails once more, and send letters once more. What succeeds is kept no
    longer."""
    done, failed = dict[str, int](), list[str]()
    for folder, some in _by_folder(entries).items():
        again = _carry_out if folder == QUARANTINE else _send
        with _alone(server.store, folder):
            whys = [again(server, home, entry) for entry in some]
        failed += [why for why in whys if why]
        if gone := whys.count(""):
            done[folder] = gone
    if not entries:
        return Answer("There is nothing to try again.\n")
    text = "".join(map(fill, dict.fromkeys(failed)))
    text += _counted("Done", done)
    if failed:
        text += f"Still kept: {len(failed)}.\n"
    return Answer(text, TRY_LATER if failed else DONE)


def _carry_out(server: Server, home: Home, entry: Entry) -> str:
    """Carry out a mail from quarantine. Returns why it stays there; empty if it is
    gone. If this process is killed in between, it can be carried out again, and
    counts once."""
    raw = server.store.kept.read(entry.folder, entry.filename)
    try:
        if raw is not None and not receive(raw, server, home.config):
            return f"{entry.id}: nobody can read it."
        server.store.kept.remove(entry.folder, entry.filename)
    except Exception as error:  # it may be why the mail is here
        return f"{entry.id}: {in_words(error)}"
    return ""


def _send(server: Server, home: Home, entry: Entry) -> str:
    """Send a letter. Returns why it is still kept; empty if it is not."""
    store = server.store
    raw = store.kept.read(entry.folder, entry.filename)
    if raw is None:
        return ""
    copy = keeping.as_kept(entry.filename, raw)
    try:
        why = send_again(copy, entry.folder, home, store)
    except PbmError as error:
        why = str(error)
    if not why and entry.folder == WAITING:
        refused = store.kept.read(UNDELIVERABLE, entry.filename)
        if refused is not None:
            why = keeping.as_kept(entry.filename, refused).why
            return f"{Entry(UNDELIVERABLE, entry.filename, '').id}: {why}"
    return f"{entry.id}: {why}" if why else ""


def _alone(store: Store, folder: str) -> AbstractContextManager[None]:
    """In this block nobody else sends the letters of a folder."""
    return nullcontext() if folder == QUARANTINE else store.flushing(folder)


def _by_folder(entries: Sequence[Entry]) -> Mapping[str, list[Entry]]:
    inside: dict[str, list[Entry]] = {}
    for entry in entries:
        inside.setdefault(entry.folder, []).append(entry)
    return inside


def _counted(verb: str, numbers: Mapping[str, int]) -> str:
    if not numbers:
        return ""
    return (
        f"{verb}: {listed([f'{no} in {folder}' for folder, no in numbers.items()])}.\n"
    )
