"""`pbm status`: what waits, what has failed, and since when, for the owner and for
programs that keep an eye on servers. It reads no board, so it may be asked often."""

import os
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import islice
from typing import Any

from pbm_holomino import __version__, rules
from pbm_holomino.commands.request import Answer, Request
from pbm_holomino.errors import DONE, REFUSED, CorruptFile, PbmError, StoreTrouble
from pbm_holomino.fetch import progress
from pbm_holomino.mail import keeping, limit
from pbm_holomino.match import deadlines, ledgers
from pbm_holomino.match.open_challenge import lapses
from pbm_holomino.match.times import is_time, later, time_at
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.sentences import fill, listed, moment, number_of
from pbm_holomino.server import open as opener
from pbm_holomino.server.transaction import Server
from pbm_holomino.server.waking import waiting
from pbm_holomino.store import closing, config, robot_jobs
from pbm_holomino.store.contract import (
    FLUSHED_AT,
    JOBS,
    PLAYERS,
    QUARANTINE,
    ROBOTS_FAILED,
    TICKED_AT,
    UNDELIVERABLE,
    WAITING,
    Store,
)
from pbm_holomino.store.home import Home, missing_folder
from pbm_holomino.store.library import Library
from pbm_holomino.store.people import People
from pbm_holomino.store.robot_jobs import HINT, REVIEW
from pbm_holomino.store.summary import Summary

STANDS_STILL = 2  # the exit status if mail or moves do
PATIENCE = 30 * 60  # seconds, in which cron tries thrice to send what waits
IDLE = 25 * 60 * 60  # seconds since what runs every day, or more often, last ran
OVERDUE = 3 * 60 * 60  # seconds, in which cron's tick ends a board thrice
MOST_OVERDUE = 100  # boards over time that are read: players may be away
LEAST_FREE = 20_000_000  # bytes of a disk that can still be written to
UNSEEN = 60 * 60  # seconds since a mailbox was looked at
RECENT = 7 * 86_400  # seconds, in which somebody should look at what was put aside


class Inspection(NamedTuple):
    """What the parts of a report are about: a library, what this machine has, and the
    present time."""

    library: Library
    home: Home
    now: str

    @property
    def store(self) -> Store:
        return self.library.store

    def is_over(self, since: str, seconds: int) -> bool:
        """Whether so much time has passed."""
        return later(since, seconds=seconds) <= self.now


class Part(NamedTuple):
    """A part of the report."""

    fields: Mapping[str, Any] = {}  # in JSON
    sentence: str = ""  # unless there is nothing to say
    is_problem: bool = False  # somebody should look
    is_urgent: bool = False  # mail or moves stand still


def run(request: Request) -> Answer:
    """The report, as text or, with --json, as one object on one line. Its exit status
    is 0, 1 if somebody should look soon, and 2 if mail or moves stand still."""
    parts = dict(_opened())
    forms = {"json": _as_json, "metrics": _as_metrics}
    as_text = next((forms[name] for name in request.options), _as_text)
    return Answer(as_text(parts), status_of(parts))


def status_of(parts: Mapping[str, Part]) -> int:
    """The exit status of a report, as monitors have it."""
    if any(part.is_urgent for part in parts.values()):
        return STANDS_STILL
    return REFUSED if any(part.is_problem for part in parts.values()) else DONE


def _as_json(parts: Mapping[str, Part]) -> str:
    import json  # people do not need it

    report = {
        "ok": not any(part.is_problem for part in parts.values()),
        "problems": _sentences(parts, is_problem=True),
        "version": __version__,
        "status": status_of(parts),
        **{name: part.fields for name, part in parts.items() if part.fields},
    }
    return json.dumps(report) + "\n"


def _as_metrics(parts: Mapping[str, Part]) -> str:
    from pbm_holomino.owner import metrics  # people do not need it

    now = sum(part.is_urgent for part in parts.values())
    soon = sum(part.is_problem for part in parts.values()) - now
    fields = {name: part.fields for name, part in parts.items()}
    return metrics.text(fields, status_of(parts), now, soon)


def _as_text(parts: Mapping[str, Part]) -> str:
    problems = _sentences(parts, is_problem=True)
    others = _sentences(parts, is_problem=False)
    first = "Please look at this:" if problems else "All is well."
    if status_of(parts) == STANDS_STILL:
        first = "Please look at this: mail or moves stand still."
    return fill(first) + "".join(
        [fill(each, "  ", whole_words=True) for each in problems]
        + [fill(each, whole_words=True) for each in others]
    )


def _sentences(parts: Mapping[str, Part], *, is_problem: bool) -> list[str]:
    """What there is to say of the problems, the urgent ones first, or of all else."""
    chosen = [part for part in parts.values() if part.is_problem is is_problem]
    chosen.sort(key=lambda part: not part.is_urgent)
    return [part.sentence for part in chosen]


def text_of(server: Server, home: Home) -> str:
    """The report on a server, as text."""
    return _as_text(dict(_parts(server, home)))


def _opened() -> Iterator[tuple[str, Part]]:
    """All parts, by name. A store that cannot be used has one problem, not many."""
    try:
        server, home = opener.open_server()
        server.now()
    except PbmError as error:
        yield "store", Part({}, str(error), is_problem=True, is_urgent=True)
        return
    yield from _parts(server, home)


def _parts(server: Server, home: Home) -> Iterator[tuple[str, Part]]:
    inspection = Inspection(server.library, home, server.now())
    for name, part in PARTS.items():
        try:
            yield name, part(inspection)
        except CorruptFile as error:
            yield name, Part({}, error.for_the_owner, is_problem=True)
        except PbmError as error:
            yield name, Part({}, str(error), is_problem=True, is_urgent=True)


# Letters


def waiting_letters(inspection: Inspection) -> Part:
    """The letters that have not left."""
    store = inspection.store
    times = [*store.kept.times(WAITING).values()]
    for folder in ledgers.folders():
        times += store.marks.times(folder)
    if not times:
        return Part({"waiting": 0})
    since, why = time_at(min(times)), keeping.reason(store)
    is_late = inspection.is_over(since, PATIENCE)
    events = "1 event wait" if len(times) == 1 else f"{len(times)} events wait"
    return Part(
        {"waiting": len(times), "since": since, **({"why": why} if why else {})},
        f"Letters about {events}, since {moment(since)}. {why}".strip(),
        bool(why) or is_late,
        is_late,
    )


def undeliverable_letters(inspection: Inspection) -> Part:
    """The letters that were refused for good."""
    store = inspection.store
    last = keeping.last(store, UNDELIVERABLE)
    if last is None:
        return Part({"count": 0})
    times = [*store.kept.times(UNDELIVERABLE).values()]
    time = time_at(times[-1])
    return Part(
        {"count": len(times), "last": time},
        f"Letters that could not be delivered: {len(times)}, the last to {last.to}: "
        f"{last.why} That was {moment(time)}. "
        '"pbm kept" lists them, and "pbm flush --undeliverable" sends them again.',
        not inspection.is_over(time, RECENT),
    )


def _limit(inspection: Inspection) -> Part:
    """The limit on letters in a day, and whether it keeps any back."""
    most = inspection.home.config.letters_per_day
    since = limit.waiting_since(inspection.store)
    if not since:
        return Part({"letters_per_day": most} if most else {})
    return Part(
        {"letters_per_day": most, "since": since},
        f"The limit of {most} letters in a day (letters_per_day) is reached: some wait "
        f"for the next day, since {moment(since)}.",
        is_problem=True,
    )


# Mails


def _mailbox(inspection: Inspection) -> Part:
    """The mailbox that is fetched from, and whether it can be looked at."""
    mailbox, is_used = (
        progress.read(inspection.store),
        bool(inspection.home.config.fetch),
    )
    if not is_used:
        return Part()
    if mailbox.why:
        return Part(
            {"looked": mailbox.looked, "failing": mailbox.failing, "why": mailbox.why},
            mailbox.cannot_fetch,
            is_problem=True,
            is_urgent=inspection.is_over(mailbox.failing, UNSEEN),
        )
    if not mailbox.looked:
        return Part(
            {"looked": None},
            'No mail has been fetched yet: "pbm run" does it.',
            is_problem=True,
            is_urgent=True,
        )
    is_unseen = inspection.is_over(mailbox.looked, UNSEEN)
    return Part(
        {"looked": mailbox.looked},
        f"The mailbox was last looked at {moment(mailbox.looked)}.",
        is_unseen,
        is_unseen,
    )


def _tokens(inspection: Inspection) -> Part:
    """Whether the provider of the mailbox renews its tokens, where it takes no
    passwords."""
    home = inspection.home
    if not home.config.token_file:
        return Part()
    from pbm_holomino.mail import oauth  # few mailboxes need tokens

    try:
        grant = oauth.read(home.named(home.config.token_file))
    except StoreTrouble as error:
        return Part({"refused": str(error)}, str(error), True, True)
    renewed = _time_of(grant.renewed)
    fields = {"renewed": renewed, "refused": grant.refused or None}
    if grant.refused:
        refusal = str(oauth.refusal(grant))
        return Part(fields, refusal, is_problem=True, is_urgent=True)
    return Part(fields, f"The mailbox's token was renewed {moment(renewed)}.")


def _time_of(seconds: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def _waiting_mails(inspection: Inspection) -> Part:
    """The mails that must be fetched again."""
    mailbox = progress.read(inspection.store)
    first = mailbox.first_delayed
    if first is None:
        return Part({"waiting": 0})
    return Part(
        {"waiting": len(mailbox.delayed), "since": first.since, "why": first.why},
        mailbox.must_come_again,
        is_problem=True,
    )


def _quarantine(inspection: Inspection) -> Part:
    """The mails that were put aside."""
    times = [*inspection.store.kept.times(QUARANTINE).values()]
    if not times:
        return Part({"count": 0})
    time = time_at(times[-1])
    return Part(
        {"count": len(times), "last": time},
        f"Mails in quarantine: {len(times)}, the last since {moment(time)}. A mail is "
        "put there if it cannot be read, or could not be carried out for "
        f'{progress.PATIENCE_DAYS} days. "pbm kept" lists them, and "pbm kept drop '
        'quarantine" removes them.',
        not inspection.is_over(time, RECENT),
    )


# What cron runs, or a timer, or a server that stays

_WHO = '"pbm run" does it, and "pbm serve --clock"; or cron (pbm sample cron).'


def _job(inspection: Inspection, name: str, memory: str) -> Part:
    """When one of the owner's commands last ran to its end. That it never has is no
    problem by itself: somebody else may do its work."""
    ran = inspection.store.remembered(memory)
    if not is_time(ran):
        return Part({"ran": None}, f'"pbm {name}" has not run here yet.')
    is_idle = inspection.is_over(ran, IDLE)
    how = f" {_WHO}" if is_idle else ""
    return Part(
        {"ran": ran}, f'"pbm {name}" last ran {moment(ran)}.{how}', is_problem=is_idle
    )


def _overdue(inspection: Inspection) -> Part:
    """The boards that the clock should have ended. Only those are read whose time has
    run out, as their players may be on vacation."""
    then = later(inspection.now, seconds=-OVERDUE)
    late = sorted(inspection.library.lists.due(then).boards, key=lambda one: one.due)
    people = People(inspection.library)
    ended = ((_ends(one, inspection.library, people), one) for one in late)
    overdue = sorted(
        (time, one.name)
        for time, one in islice(ended, MOST_OVERDUE)
        if "" < time <= then
    )
    if not overdue:
        return Part({"count": 0})
    (since, board), *others = overdue
    sentence = f"{board} has been out of time since {moment(since)}"
    if others:
        sentence += f", and {len(others)} more after it"
    return Part(
        {"count": len(overdue), "since": since},
        f'{sentence}: "pbm tick" ends what is out of time.',
        is_problem=True,
        is_urgent=True,
    )


def _ends(board: Summary, library: Library, people: People) -> str:
    """When time runs out on a board; empty for never. One that cannot be read is
    reported as damaged."""
    try:
        match = library.board(board.game, board.board)
    except PbmError:
        return ""
    if match.has_begun:
        return deadlines.runs_out(deadlines.waits(people.at_present(match)))
    return "" if match.record.ended else lapses(match)


# Robots


def _robots(inspection: Inspection) -> Part:
    """What waits for robots, and which robot last came to no move."""
    boards, asked = waiting(inspection.library), robot_jobs.waiting(inspection.store)
    kinds = Counter(job.kind for job in asked)
    jobs = {
        "board": len(boards),
        "hint": kinds[HINT],
        "review": kinds[REVIEW],
    }
    fields: dict[str, Any] = {
        "waiting": len(boards),
        "hints": kinds[HINT],
        "reviews": kinds[REVIEW],
    }
    sentences, is_problem, is_late = [], False, False
    if any(jobs.values()):
        times = inspection.store.kept.times(JOBS).values()
        since = min([*(time for time, _ in boards), *map(time_at, times)])
        fields["since"] = since
        sentences.append(f"{_waiting(jobs)} for a robot, since {moment(since)}.")
        is_problem = is_late = inspection.is_over(since, PATIENCE)
    failed = inspection.store.note(ROBOTS_FAILED)
    if failed:
        time, _, why = failed.partition(" ")
        fields["failed"] = {"time": time, "why": why}
        sentences.append(
            f"A robot came to no move, and another moved in its place: {why}. That was "
            f"{moment(time)}."
        )
        is_problem |= not inspection.is_over(time, RECENT)
    return Part(fields, " ".join(sentences), is_problem, is_late)


def _waiting(jobs: Mapping[str, int]) -> str:
    """How many of each of these things wait: `1 board and 2 hints wait`."""
    some = {what: number for what, number in jobs.items() if number}
    named = [f"{no} {what}{'s' * (no > 1)}" for what, no in some.items()]
    return f"{listed(named)} {'waits' if sum(some.values()) == 1 else 'wait'}"


# The store


def _damage(inspection: Inspection) -> Part:
    """The boards that cannot be read, as far as the index knows."""
    sentences = [damage.for_the_owner for damage in inspection.library.lists.damaged()]
    return Part(
        {"count": len(sentences)}, " ".join(sentences), bool(sentences), bool(sentences)
    )


def _closed(inspection: Inspection) -> Part:
    """Whether the store takes anything."""
    closed = inspection.store.closed()
    if closed is None:
        return Part()
    return Part(
        {"since": closed.since, "why": closed.why},
        f"{closing.in_words(closed)}.",
        is_problem=True,
        is_urgent=True,
    )


def _disk(inspection: Inspection) -> Part:
    """How much room this machine has where its settings, its letters and a store of
    files are kept."""
    root = inspection.home.root
    try:
        disk = os.statvfs(root)
    except OSError:  # there is no folder
        return Part()
    free = disk.f_bavail * disk.f_frsize
    has_no_file = bool(disk.f_files) and not disk.f_favail
    why = ""
    if disk.f_flag & os.ST_RDONLY:
        why = f"The disk of {root} is read-only: nothing can be saved there."
    elif has_no_file or free < LEAST_FREE:
        left = "no more files" if has_no_file else f"{free / 1e6:.1f} MB"
        why = f"The disk of {root} is full, or nearly so: there is room for {left}."
    return Part({"free": free}, why, bool(why), bool(why))


def _store(inspection: Inspection) -> Part:
    """Where the store is, and its size."""
    store, address = inspection.store, inspection.home.config.store
    where = config.without_password(address) or inspection.home.root
    boards = sum(len(store.names(game)) for game in rules.names())
    accounts, size = len(store.names(PLAYERS)), store.size()
    if missing := missing_folder(inspection.home):
        place = {"time": inspection.now, "kind": "files", "place": where}
        return Part(place, missing, is_problem=True, is_urgent=True)
    return Part(
        {
            "time": inspection.now,
            "kind": "postgresql" if address else "files",
            "place": where,
            "boards": boards,
            "accounts": accounts,
            "bytes": size,
        },
        f"The store is {where}: {number_of(boards, 'board')}, "
        f"{number_of(accounts, 'account')}, {size / 1e6:.1f} MB.",
    )


PARTS: Mapping[str, Callable[[Inspection], Part]] = {
    "letters": waiting_letters,
    "limit": _limit,
    "undeliverable": undeliverable_letters,
    "mailbox": _mailbox,
    "tokens": _tokens,
    "mails": _waiting_mails,
    "quarantine": _quarantine,
    "flush": partial(_job, name="flush", memory=FLUSHED_AT),
    "tick": partial(_job, name="tick", memory=TICKED_AT),
    "overdue": _overdue,
    "robots": _robots,
    "damage": _damage,
    "closed": _closed,
    "disk": _disk,
    "store": _store,
}
