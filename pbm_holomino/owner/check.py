"""`pbm check`: find what is wrong in a store, and mend what can be mended."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial

from pbm_holomino import rules
from pbm_holomino.commands.request import Answer, Request
from pbm_holomino.errors import (
    DONE,
    REFUSED,
    CorruptFile,
    NotAllowed,
    PbmError,
    Refused,
    StoreTrouble,
)
from pbm_holomino.languages import UTC
from pbm_holomino.match import ledgers
from pbm_holomino.match.ledgers import is_number
from pbm_holomino.match.open_challenge import SOME_ROBOT
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.owner.progress import progress
from pbm_holomino.owner.status import (
    Inspection,
    undeliverable_letters,
    waiting_letters,
)
from pbm_holomino.sentences import fill, listed
from pbm_holomino.server import open as opener
from pbm_holomino.store import location, ratings, reviews, shelves
from pbm_holomino.store.agreement import agree
from pbm_holomino.store.closing import in_words
from pbm_holomino.store.contract import (
    OLD_BOARDS,
    RATINGS,
    REVIEWS,
    Store,
)
from pbm_holomino.store.damage import called
from pbm_holomino.store.home import Home
from pbm_holomino.store.library import Library
from pbm_holomino.store.people import People


def run(request: Request) -> Answer:
    """Read and replay everything in the store, and compare what is derived with what
    it is derived from. With --repair the derived parts are written anew. With --mail,
    say instead what others think of a letter."""
    repair = "repair" in request.options
    if letter := request.options.get("mail"):
        from pbm_holomino.owner import arrival  # seldom wanted

        if repair:
            raise NotAllowed("Please type --repair or --mail, not both.")
        return arrival.explain(letter)
    server, home = opener.open_existing()
    library = server.library
    if repair:
        library.store.upgrade()
    faults = list(_closed(library.store, repair))
    if any(not fault.mended for fault in faults):
        sentences = (fill(fault.sentence, whole_words=True) for fault in faults)
        return Answer("".join(sentences), REFUSED)
    outdated = library.store.outdated()
    files, found = examine(library, repair=repair, anew=repair)
    faults, old = _apart([*faults, *found])
    left = len([fault for fault in faults if not fault.mended])
    summary = "all is well" if not faults else f"faults {len(faults)}, left {left}"
    said = [fault.sentence for fault in faults]
    said += [fault.sentence for fault in old]
    said += [*_migrations(library.store, files, outdated), *_robots(library)]
    said += [*_proxy(home), *_zones(library), *_letters(library, home)]
    text = "".join(map(fill, said))
    return Answer(
        f"{text}{len(files)} {library.store.noun}s read: {summary}.\n",
        REFUSED if left else DONE,
    )


def examine(
    library: Library, *, repair: bool, anew: bool
) -> tuple[Sequence[tuple[str, str]], Sequence["Fault"]]:
    """Read and replay everything in a store: its documents, each a folder and a name,
    and what is wrong with it. What is derived is mended if that is wanted, and the
    index is made `anew`."""
    library.lists.scan(anew, partial(progress, label="Indexing"))
    files = list(_files(library))
    with progress(files, "Checking") as shown:
        faults = [fault for file in shown if (fault := _fault(library, *file, repair))]
    faults += [*_missing(library), *_disagreeing(library)]
    faults += _shelves(library, repair)
    for found in library.store.faults():
        mend = found.mend
        faults.append(_mended(found.what, repair, mend) if mend else Fault(found.what))
    return files, faults


def _migrations(
    store: Store, files: Iterable[tuple[str, str]], outdated: str
) -> Iterator[str]:
    """What of the store is as an earlier version wrote it: what was `outdated` is made
    anew; boards in its format need not be changed, and are named only once."""
    if outdated:
        yield f"{outdated} was made by another version, and has been made anew."
    boards = (store.find(*file) for file in files if file[0] in rules.names())
    texts = [one.text for one in boards if one and one.text]
    old = [text for text in texts if _LOG in text and _MARK not in text]
    named_before = store.remembered(OLD_BOARDS)
    if len(old) > (int(named_before) if named_before.isdecimal() else 0):
        boards_are = "1 board is" if len(old) == 1 else f"{len(old)} boards are"
        yield (
            f"{boards_are} in the format of version 1.0, which this version reads and "
            "keeps: nothing needs to be migrated."
        )
        with suppress(StoreTrouble):  # then it is said once more
            store.remember(OLD_BOARDS, str(len(old)))


def _robots(library: Library) -> Iterator[str]:
    """Which robots have other names than usual, as people have these."""
    for robot, level in library.robots.items():
        name = f"{SOME_ROBOT}{level}"
        if robot != name:
            yield f"{name} is a player here, so the robot of level {level} is {robot}."


_LOG = b"\nlog:"  # a line of every board's file
_MARK = b"\nformat: "  # and of those since version 1.1


def _proxy(home: Home) -> Iterator[str]:
    """That a proxy in front of the pages is not named, as far as the settings say: it
    needs no name where it uses the socket."""
    config = home.config
    has_proxy = config.web.startswith("https://") and not config.web_certificate
    if has_proxy and not (
        config.web_proxies or os.path.exists(home.path(location.PAGES))
    ):
        yield (
            "Pages are behind a proxy, as the setting web says, and web_proxies does "
            "not name it. If it reaches them at a port, all browsers count as one, and "
            "what one of them does wrong is counted for all. Please add a line such as "
            '"web_proxies: 127.0.0.1" to config.yaml (pbm help pages).'
        )


def _zones(library: Library) -> Iterator[str]:
    """Which zones that players have chosen this machine does not know."""
    now, players = library.store.now(), People(library).signed_on().values()
    chosen = {player.zone_at(now) for player in players}
    if chosen == {UTC}:
        return
    from pbm_holomino.languages import zones  # for those who have chosen one

    unknown = sorted(zones.unknown(chosen))
    if unknown:
        yield (
            f"This machine has no data about the zone {listed(unknown)}: players who "
            "have chosen it are told times in UTC. Please install what it has on zones "
            '(the package "tzdata" of most systems, or of PyPI).'
        )


def _letters(library: Library, home: Home) -> Iterator[str]:
    """What the owner should know about letters that wait or could not be delivered.
    These are no faults of the store."""
    inspection = Inspection(library, home, library.store.now())
    for part in (waiting_letters, undeliverable_letters):
        yield part(inspection).sentence


class Fault(NamedTuple):
    """What is wrong, and whether it is mended now; or what is only `old`: as version
    1.0 left it."""

    sentence: str
    mended: bool = False
    is_old: bool = False


def _apart(faults: Iterable[Fault]) -> tuple[list[Fault], list[Fault]]:
    """The faults, and what is only old."""
    both = [*faults]
    return [f for f in both if not f.is_old], [f for f in both if f.is_old]


def _closed(store: Store, repair: bool) -> Iterator[Fault]:
    """A fault if the store is closed to writers. Where a copy that has ended closed it,
    it is opened with --repair; one that is itself half a copy stays closed."""
    closed = store.closed()
    if closed is None:
        return
    what = in_words(closed)
    if closed.source:
        yield Fault(f'{what}: please run the same "pbm copy" again.')
    elif not repair:
        yield Fault(f'{what}: "pbm check --repair" opens it.')
    else:
        store.open_to_writers()
        yield Fault(f"{what}: opened.", mended=True)


def _missing(library: Library) -> Iterator[Fault]:
    """The boards and the tournaments that are gone."""
    for folder in ledgers.numbered():
        for name in sorted(filter(is_number, library.store.lost(folder))):
            yield Fault(f"{_called(library, folder, name)} is missing.")


def _disagreeing(library: Library) -> Iterator[Fault]:
    """The games of which lists would not say what the boards say. (With --repair, the
    index was made anew before.)"""
    for game in rules.names():
        if not agree(library.lists, game):
            yield Fault(
                f"What lists know of {game} is not what its boards say: "
                '"pbm check --repair" mends it.'
            )


def _called(library: Library, folder: str, name: str) -> str:
    """How a sentence about a document begins."""
    return f"The {called(folder, name, library.store.noun)}"


def _files(library: Library) -> Iterator[tuple[str, str]]:
    for folder in (*ledgers.folders(), RATINGS, REVIEWS):
        for name in sorted(library.store.names(folder), key=lambda n: (len(n), n)):
            yield folder, name


def _fault(library: Library, folder: str, name: str, repair: bool) -> Fault | None:
    """What is wrong with a file, if anything is."""
    try:
        if folder == RATINGS:
            return _outdated(library, name, repair)
        if folder == REVIEWS:
            return _unfitting(library, name, repair)
        kind = ledgers.load(folder)
        if not kind.is_name(name):
            where = _called(library, folder, name)
            return Fault(f"{where} is not named after {kind.named_after}.")
        if not kind.has_derived:
            library.ledger(folder, name)
            return None
        with library.store.lock(folder, name):
            return _stale(library, folder, name, repair)
    except CorruptFile as damage:
        return Fault(damage.for_the_owner)
    except PbmError as error:
        return Fault(str(error))


def _stale(library: Library, folder: str, name: str, repair: bool) -> Fault | None:
    """A fault if the derived part of a document differs from its log."""
    ledger, data = library.ledger_and_data(folder, name)
    if data == ledgers.load(folder).dump(ledger):
        return None
    called_so = called(folder, name, library.store.noun)
    where = f"The derived part of the {called_so} is not up to date"
    return _mended(where, repair, lambda: library.save(ledger))


def _outdated(library: Library, game: str, repair: bool) -> Fault | None:
    """A fault if stored ratings differ from recomputed ones."""
    if game not in rules.names():
        return Fault(f"{_called(library, RATINGS, game)} is not named after a game.")
    results = library.lists.history(game).latest
    stored = ratings.read(library.store, game)
    if stored and stored == ratings.fold(results[: stored.results]):
        return None
    anew = ratings.fold(results)
    shown = [e for board in library.shipped(game) if (e := board.ending)]
    if stored and stored == ratings.fold(sorted({*results, *shown})[: stored.results]):
        counted = f"The ratings of {game} count the example that version 1.0 shipped"
        return _mended(
            counted, repair, lambda: ratings.save(library.store, game, anew)
        )._replace(is_old=True)
    where = f"{_called(library, RATINGS, game)} is not up to date"
    return _mended(where, repair, lambda: ratings.save(library.store, game, anew))


def _unfitting(library: Library, name: str, repair: bool) -> Fault | None:
    """A fault if a document is not a review of its board. With --repair it goes, and a
    player who asks for the review has a new one made."""
    where, board = _called(library, REVIEWS, name), reviews.board_of(name)
    if board is None:
        return Fault(f"{where} is not named after a board.")
    try:
        match = library.match(*board)
    except CorruptFile:
        return None  # the board is reported, and the review may fit it
    except Refused:
        match = None
    if match is not None and reviews.find(library.store, match) is not None:
        return None
    return _mended(
        f"{where} is not a review of {board[0]} {board[1]} as it is",
        repair,
        lambda: reviews.remove(library.store, name),
    )


def _shelves(library: Library, repair: bool) -> Iterator[Fault]:
    """The players of whose notes the store does not know how large they are."""
    try:
        for owner, names in shelves.unfitting(library):
            where = f"What the store knows of the notes of {owner} is not what they are"
            yield _mended(where, repair, partial(shelves.mend, library, owner, names))
    except PbmError as error:  # somebody writes for very long
        yield Fault(str(error))


def _mended(where: str, repair: bool, mend: Callable[[], object]) -> Fault:
    """A fault in a derived part, which is mended with --repair."""
    if not repair:
        return Fault(f'{where}: "pbm check --repair" mends it.')
    mend()
    return Fault(f"{where}: mended.", mended=True)
