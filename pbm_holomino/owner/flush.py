"""`pbm flush`: send the letters that could not leave when they were written."""

from collections.abc import Collection

from pbm_holomino.commands.request import Answer, Request
from pbm_holomino.errors import DONE, CannotSend, PbmError
from pbm_holomino.letters.letter import Due
from pbm_holomino.mail import keeping, limit
from pbm_holomino.mail.post import send_again
from pbm_holomino.match import ledgers
from pbm_holomino.match.ledgers import Ledger
from pbm_holomino.sentences import fill
from pbm_holomino.server import open as opener
from pbm_holomino.server.transaction import Server
from pbm_holomino.store.contract import (
    FLUSHED_AT,
    NOTICES,
    QUARANTINE,
    UNDELIVERABLE,
    WAITING,
    Store,
)
from pbm_holomino.store.home import OUTBOX, Home


def run(request: Request) -> Answer:
    """Send every letter that is marked as unsent or waits in a folder; with
    --undeliverable, those that were refused for good."""
    again = UNDELIVERABLE in request.options
    server, home = opener.open_existing()
    server.store.check_open()
    if again:
        sent, failed = _send_kept(server.store, home, UNDELIVERABLE)
        return _answer(f"Undeliverable letters: {sent + len(failed)}", failed)
    return send_waiting(server, home)


def send_waiting(server: Server, home: Home) -> Answer:
    """Send every letter that is marked as unsent or waits in a folder."""
    before = len(server.store.kept.mails(UNDELIVERABLE))
    with limit.looking_anew(server.store):
        waiting, failed = _send_marked(server)
        sent, more = _send_kept(server.store, home, WAITING)
    waiting, failed = waiting + sent + len(more), failed + more
    if server.store.kept.mails(NOTICES):
        from pbm_holomino.server import notices  # few players want to be told

        notices.tell(server)
    home.outbox.sweep(OUTBOX)
    for folder in (QUARANTINE, WAITING, UNDELIVERABLE):
        server.store.kept.sweep(folder)
    if not failed:
        keeping.remove_reason(server.store)
    server.store.remember(FLUSHED_AT, server.now())
    if not waiting:
        return Answer("No letters are waiting.\n")
    noun = server.store.noun.capitalize()
    answer = _answer(f"{noun}s with unsent letters: {waiting}", failed)
    refused = len(server.store.kept.mails(UNDELIVERABLE)) - before
    if refused > 0:
        kept_there = f"Refused for good, and kept in {UNDELIVERABLE}/: {refused}.\n"
        return answer._replace(text=f"{answer.text}{kept_there}")
    return answer


def _answer(what: str, failed: Collection[str]) -> Answer:
    left = f"{len(failed)} could not be sent" if failed else "none is left"
    text = "".join(map(fill, sorted(set(failed))))
    return Answer(f"{text}{what}; {left}.\n", CannotSend.status if failed else DONE)


def _send_marked(server: Server) -> tuple[int, list[str]]:
    """Send the letters that are marked as unsent. Returns how many files have such
    marks, and why letters are still waiting."""
    files, failed = 0, list[str]()
    for folder in ledgers.folders():
        for name, lines in server.store.marks.unsent(folder).items():
            files += 1
            try:
                failed += _flush_one(server, folder, name, lines)
            except PbmError as error:
                failed.append(str(error))
    return files, failed


def _send_kept(store: Store, home: Home, folder: str) -> tuple[int, list[str]]:
    """Send the copies that are kept in a folder. Returns how many have left it, and
    why the others have not."""
    if not store.kept.mails(folder):
        return 0, []
    try:
        with store.flushing(folder):
            said = [
                send_again(copy, folder, home, store)
                for copy in keeping.copies(store, folder)
            ]
    except PbmError as error:
        return 0, [str(error)]
    return said.count(""), [why for why in said if why]


def _flush_one(server: Server, folder: str, name: str, lines: list[int]) -> list[str]:
    """Send what is marked. Returns why the rest cannot leave. A mark whose line is not
    in the log means nothing: that line was never saved, or is no longer kept."""
    ledger = server.library.find(folder, name)
    log = _numbers(ledger)
    if any(line not in log for line in lines):
        _remove_empty_marks(server, folder, name, lines)
    marked = [line for line in lines if line in log]
    if not marked:
        return []
    return [*server.delivery.deliver([Due.of(ledger, marked)]).values()]


def _numbers(ledger: Ledger | None) -> Collection[int]:
    """The lines of a log, as marks name them."""
    return () if ledger is None else ledgers.kind_of(ledger).numbers(ledger)


def _remove_empty_marks(
    server: Server, folder: str, name: str, lines: list[int]
) -> None:
    """Remove the marks that mean nothing, under the lock that keeps everybody from
    saving their lines: one that the store gives a number is made under another."""
    has_number = ledgers.load(folder).has_numbers
    is_new = has_number and not server.store.exists(folder, name)
    with server.store.lock(folder, "new" if is_new else name):
        log = _numbers(server.library.find(folder, name))
        for line in lines:
            if line not in log:
                with server.store.marks.sending(folder, name, line):
                    pass
