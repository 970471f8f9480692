"""What only the server's owner does, on the server: check, flush, demo."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from pbm_holomino import library as shelf
from pbm_holomino import rules
from pbm_holomino.acts import VOID
from pbm_holomino.errors import (
    DONE,
    REFUSED,
    BadCommand,
    CannotSend,
    NotAllowed,
    PbmError,
)
from pbm_holomino.library import PLAYERS, Library, no_board
from pbm_holomino.match import act
from pbm_holomino.place import open_server
from pbm_holomino.post import OUTBOX
from pbm_holomino.record import Line
from pbm_holomino.request import Answer
from pbm_holomino.server import Server
from pbm_holomino.words import fill


def run(words: Sequence[str]) -> Answer:
    """Carry out one of COMMANDS."""
    name, *rest = (word.lower() for word in words)
    return COMMANDS[name](rest)


def check(words: Sequence[str]) -> Answer:
    """Read and replay every file of the store, and compare what is derived with what
    it is derived from. With --repair the derived parts are written anew."""
    repair = [word.lstrip("-") for word in words] == ["repair"]
    if words and not repair:
        raise BadCommand("Please write: pbm check [--repair]")
    library = open_server()[0].library
    files = list(_files(library))
    faults = [fault for file in files if (fault := _fault(library, *file, repair))]
    faults += _missing(library)
    left = len([fault for fault in faults if not fault.mended])
    summary = "all is well" if not faults else f"faults {len(faults)}, left {left}"
    text = "".join(fill(fault.sentence) for fault in faults)
    return Answer(
        f"{text}{len(files)} files read: {summary}.\n", REFUSED if left else DONE
    )


class _Fault(NamedTuple):
    sentence: str
    mended: bool = False


def _missing(library: Library) -> Iterator[_Fault]:
    """A board that has had a lock has had a file."""
    for game in rules.names():
        for name in sorted(library.store.locked_once(game)):
            if name.isdigit() and not library.store.exists(game, name):
                yield _Fault(f"The file {game}/{name}.yaml is missing.")


def _files(library: Library) -> Iterator[tuple[str, str]]:
    for folder in (*rules.names(), PLAYERS):
        for name in sorted(library.store.names(folder), key=lambda n: (len(n), n)):
            yield folder, name


def _fault(library: Library, folder: str, name: str, repair: bool) -> _Fault | None:
    """What is wrong with a file, if anything is."""
    try:
        if folder == PLAYERS:
            if library.account(name) is None:
                return _Fault(f"The file {folder}/{name}.yaml has no userid's name.")
            return None
        if not name.isascii() or not name.isdigit():
            return _Fault(f"The file {folder}/{name}.yaml has no board's number.")
        with library.store.lock(folder, name):
            return _stale(library, folder, int(name), repair)
    except PbmError as error:
        return _Fault(str(error))


def _stale(library: Library, game: str, board: int, repair: bool) -> _Fault | None:
    """Whether the derived part of a board's file is another than it should be."""
    match, data = library.match_and_data(game, board)
    if data == shelf.to_data(match):
        return None
    where = f"The derived part of {game}/{board}.yaml is not up to date"
    if not repair:
        return _Fault(f'{where}: "pbm check --repair" mends it.')
    library.save_match(match)
    return _Fault(f"{where}: mended.", mended=True)


def flush(words: Sequence[str]) -> Answer:
    """Send every letter that is marked as unsent."""
    if words:
        raise BadCommand("Please write: pbm flush")
    robot, _ = open_server()
    library = robot.library
    waiting = 0
    failed: list[str] = []
    for folder in (*rules.names(), PLAYERS):
        for name, lines in library.store.unsent(folder).items():
            waiting += 1
            try:
                failed += _flush_one(robot, folder, name, lines).values()
            except PbmError as error:
                failed.append(str(error))
    library.store.sweep(OUTBOX)
    text = "".join(map(fill, sorted(set(failed))))
    left = f"{len(failed)} could not be sent" if failed else "all are sent"
    text += f"Files with unsent letters: {waiting}; {left}.\n" if waiting else ""
    return Answer(
        text or "No letters are waiting.\n", CannotSend.status if failed else DONE
    )


def _flush_one(
    robot: Server, folder: str, name: str, lines: list[int]
) -> dict[str, str]:
    """Send what is marked, and tell why the rest cannot be. A mark whose line is not
    in the log means nothing: that line was never saved."""
    if folder == PLAYERS:
        player = robot.library.account(name)
        known = {line.no for line in player.log} if player else set()
        marked = [line for line in lines if line in known]
        return robot.send_about_account(player, marked) if player else {}
    if not robot.store.exists(folder, name) or not re.fullmatch("[0-9]+", name):
        return {}
    match = robot.library.match(folder, int(name))
    marked = [line for line in lines if line < len(match.record.log)]
    return robot.send_about_board(match, marked)


def demo(words: Sequence[str]) -> Answer:
    """The main job, on real input."""
    if words:
        raise BadCommand("Please write: pbm demo")
    from pbm_holomino.demo import show

    return show()


def void(words: Sequence[str]) -> Answer:
    """Strike a board off: it counts for nobody, and its players hear of it."""
    if (
        len(words) != 2
        or words[0] not in rules.names()
        or not re.fullmatch("[0-9]{1,9}", words[1])
    ):
        raise BadCommand("Please write: pbm void game board")
    robot, _ = open_server()
    game, name = words
    if not robot.store.exists(game, name):
        raise no_board(game, int(name))
    with robot.store.lock(game, name):
        line = Line(None, robot.now(), "-", "-", VOID)
        match = act(robot.library.match(game, int(name)), line)
        robot.library.save_match(match, unsent=len(match.record.log) - 1)
    robot.send_about_board(match)
    return Answer(f"{match.record.name} is struck off.\n")


def serve(words: Sequence[str]) -> Answer:
    """Take mail in by LMTP, until a signal stops it."""
    try:
        from pbm_holomino.serve import serve
    except ModuleNotFoundError:
        raise NotAllowed(
            "pbm serve needs aiosmtpd: please install it, as in "
            "\"pip install 'pbm_holomino[serve]'\"."
        ) from None
    return serve(words)


COMMANDS: dict[str, Callable[[Sequence[str]], Answer]] = {
    "check": check,
    "flush": flush,
    "demo": demo,
    "void": void,
    "serve": serve,
}
