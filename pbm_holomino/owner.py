"""What only the server's owner does, on the server: check, flush, demo."""

from collections.abc import Callable, Iterator, Sequence

from pbm_holomino import library as shelf
from pbm_holomino import rules
from pbm_holomino.errors import (
    DONE,
    REFUSED,
    BadCommand,
    CannotSend,
    NotFound,
    PbmError,
)
from pbm_holomino.letters import Answer
from pbm_holomino.library import PLAYERS, Library
from pbm_holomino.place import open_library
from pbm_holomino.post import sender
from pbm_holomino.screens import fill
from pbm_holomino.server import Server


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
    library, _ = open_library()
    count, found = 0, []
    for folder, name in _files(library):
        count += 1
        found += _faults(library, folder, name, repair)
    text = "".join(map(fill, found))
    left = [fault for fault in found if not fault.endswith("mended.")]
    summary = "all is well" if not found else f"{len(found)} faults, {len(left)} left"
    return Answer(f"{text}{count} files read: {summary}.\n", REFUSED if left else DONE)


def _files(library: Library) -> Iterator[tuple[str, str]]:
    for folder in (*rules.names(), PLAYERS):
        for name in sorted(library.store.names(folder), key=lambda n: (len(n), n)):
            yield folder, name


def _faults(library: Library, folder: str, name: str, repair: bool) -> list[str]:
    """What is wrong with a file, as sentences."""
    try:
        if folder == PLAYERS:
            if library.player(name) is None:
                raise NotFound(f"The file {folder}/{name}.yaml has no userid's name.")
            return []
        if not name.isascii() or not name.isdigit():
            raise NotFound(f"The file {folder}/{name}.yaml has no board's number.")
        with library.store.lock(folder, name):
            match = library.match(folder, int(name))
            if library.store.read(folder, name) == shelf.to_data(match):
                return []
            where = f"The derived part of {folder}/{name}.yaml is not up to date"
            if not repair:
                return [f'{where}: "pbm check --repair" mends it.']
            library.save_match(match)
            return [f"{where}: mended."]
    except PbmError as error:
        return [str(error)]


def flush(words: Sequence[str]) -> Answer:
    """Send every letter that is marked as unsent."""
    if words:
        raise BadCommand("Please write: pbm flush")
    library, config = open_library()
    robot = Server(library, sender(config, library.store))
    waiting, failed = 0, []
    for folder in (*rules.names(), PLAYERS):
        for name, lines in library.store.unsent(folder).items():
            waiting += 1
            try:
                _flush_one(robot, folder, name, lines)
            except PbmError as error:
                failed.append(str(error))
    text = "".join(map(fill, sorted(set(failed))))
    left = f"{len(failed)} could not be sent" if failed else "all are sent"
    text += f"Files with unsent letters: {waiting}; {left}.\n" if waiting else ""
    return Answer(
        text or "No letters are waiting.\n", CannotSend.status if failed else DONE
    )


def _flush_one(robot: Server, folder: str, name: str, lines: list[int]) -> None:
    # a mark whose line is not in the log means nothing: that line was never saved
    if folder != PLAYERS:
        if not robot.store.exists(folder, name) or not name.isdigit():
            return
        match = robot.library.match(folder, int(name))
        lines = [line for line in lines if line < len(match.record.log)]
        robot.send_about_board(match, lines)
        return
    player = robot.library.player(name)
    if player is not None:
        known = {line.no for line in player.log}
        robot.send_about_account(player, [line for line in lines if line in known])


def demo(words: Sequence[str]) -> Answer:
    """The main job, on real input."""
    if words:
        raise BadCommand("Please write: pbm demo")
    from pbm_holomino.demo import show

    return show()


COMMANDS: dict[str, Callable[[Sequence[str]], Answer]] = {
    "check": check,
    "flush": flush,
    "demo": demo,
}
