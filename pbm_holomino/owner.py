"""What only the server's owner does, on the server: check, flush, demo."""

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import NamedTuple, TypeVar

from pbm_holomino import library as shelf
from pbm_holomino import ratings, rules
from pbm_holomino.acts import VOID
from pbm_holomino.errors import (
    DONE,
    REFUSED,
    BadCommand,
    CannotSend,
    CorruptFile,
    NotAllowed,
    PbmError,
)
from pbm_holomino.library import PLAYERS, Library, no_board
from pbm_holomino.match import act
from pbm_holomino.place import open_server
from pbm_holomino.players import DELETED
from pbm_holomino.post import OUTBOX
from pbm_holomino.ratings import RATINGS
from pbm_holomino.record import Line
from pbm_holomino.request import Answer
from pbm_holomino.server import Server
from pbm_holomino.store import QUARANTINE
from pbm_holomino.summary import is_number
from pbm_holomino.tick import tick
from pbm_holomino.words import fill, quoted

_File = TypeVar("_File")


def is_meant(words: Sequence[str]) -> bool:
    """Whether these words are one of COMMANDS, or ask for help on them."""
    first, *rest = [word.lower() for word in words] or [""]
    if first == "help":
        return bool(rest) and {*COMMANDS, "owner"} >= {*rest}
    return first in COMMANDS


def run(words: Sequence[str]) -> Answer:
    """Carry out one of COMMANDS, or tell what they do."""
    name, *rest = (word.lower() for word in words)
    return Answer(page()) if name == "help" else COMMANDS[name].run(rest)


class Command(NamedTuple):
    """What the owner may type: how it is carried out, written, and explained."""

    run: Callable[[Sequence[str]], Answer]
    usage: str
    help: str


def page() -> str:
    """The help page of these commands, which no player is promised."""
    intro = "The owner's commands, which are typed on the server and do not come by "
    paragraphs = (f"  {c.usage}\n{fill(c.help, ' ' * 6)}" for c in COMMANDS.values())
    return "\n".join((fill(f"{intro}mail."), *paragraphs))


def _misused(name: str) -> BadCommand:
    return BadCommand(f"Please write: {COMMANDS[name].usage}", "owner")


def check(words: Sequence[str]) -> Answer:
    """Read and replay every file of the store, and compare what is derived with what
    it is derived from. With --repair the derived parts are written anew."""
    repair = [word.lstrip("-") for word in words] == ["repair"]
    if words and not repair:
        raise _misused("check")
    library = open_server()[0].library
    library.scan(repair, partial(_progress, label="Indexing"))
    files = list(_files(library))
    with _progress(files) as shown:
        faults = [fault for file in shown if (fault := _fault(library, *file, repair))]
    faults += _missing(library)
    left = len([fault for fault in faults if not fault.mended])
    summary = "all is well" if not faults else f"faults {len(faults)}, left {left}"
    text = "".join(fill(fault.sentence) for fault in faults)
    return Answer(
        f"{text}{len(files)} files read: {summary}.\n", REFUSED if left else DONE
    )


@contextmanager
def _progress(
    files: Sequence[_File], label: str = "Checking"
) -> Iterator[Iterable[_File]]:
    """The files as they are gone through, with a bar for who waits at a terminal."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield files
        return
    import click

    with click.progressbar(files, label=label, file=sys.stderr) as bar:
        yield bar


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
    for folder in (*rules.names(), PLAYERS, RATINGS):
        for name in sorted(library.store.names(folder), key=lambda n: (len(n), n)):
            yield folder, name


def _fault(library: Library, folder: str, name: str, repair: bool) -> _Fault | None:
    """What is wrong with a file, if anything is."""
    try:
        if folder == PLAYERS:
            if library.account(name) is None:
                return _Fault(f"The file {folder}/{name}.yaml has no userid's name.")
            return None
        if folder == RATINGS:
            return _outdated(library, name, repair)
        if not is_number(name):
            return _Fault(f"The file {folder}/{name}.yaml has no board's number.")
        with library.store.lock(folder, name):
            return _stale(library, folder, int(name), repair)
    except CorruptFile as damage:
        return _Fault(damage.for_the_owner)
    except PbmError as error:
        return _Fault(str(error))


def _stale(library: Library, game: str, board: int, repair: bool) -> _Fault | None:
    """Whether the derived part of a board's file is another than it should be."""
    match, data = library.match_and_data(game, board)
    if data == shelf.to_data(match):
        return None
    where = f"The derived part of {game}/{board}.yaml is not up to date"
    return _mended(where, repair, lambda: library.save_match(match))


def _outdated(library: Library, game: str, repair: bool) -> _Fault | None:
    """Whether the ratings that are kept are others than the results come to."""
    if game not in rules.names():
        return _Fault(f"The file {RATINGS}/{game}.yaml has no game's name.")
    boards = library.boards_of((), "inactive", [game]).boards
    results, kept = ratings.results_of(boards), ratings.read(library.store, game)
    if kept and kept == ratings.fold(results[: kept.results]):
        return None
    where = f"The file {RATINGS}/{game}.yaml is not up to date"
    anew = ratings.fold(results)
    return _mended(where, repair, lambda: ratings.save(library.store, game, anew))


def _mended(where: str, repair: bool, mend: Callable[[], None]) -> _Fault:
    """A fault in what is derived: mended, or that it can be."""
    if not repair:
        return _Fault(f'{where}: "pbm check --repair" mends it.')
    mend()
    return _Fault(f"{where}: mended.", mended=True)


def flush(words: Sequence[str]) -> Answer:
    """Send every letter that is marked as unsent."""
    if words:
        raise _misused("flush")
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
    for folder in (OUTBOX, QUARANTINE):
        library.store.sweep(folder)
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
        known = [line.no or 0 for line in player.log] if player else []
        for line in lines:
            if line not in known and line < max(known, default=0):
                # the log is shorter now: nobody can write that letter any more
                with robot.store.sending(folder, name, line):
                    pass
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
        raise _misused("demo")
    from pbm_holomino.demo import show

    return show()


def void(words: Sequence[str]) -> Answer:
    """Strike a board off: it counts for nobody, and its players hear of it."""
    if (
        len(words) != 2
        or words[0] not in rules.names()
        or not re.fullmatch("[0-9]{1,9}", words[1])
    ):
        raise _misused("void")
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


def players(words: Sequence[str]) -> Answer:
    """A table of all who have ever signed up: when they were last seen is the time of
    the last line of their account's log."""
    if words:
        raise _misused("players")
    library = open_server()[0].library
    lines = [_player(library, name) for name in sorted(library.store.names(PLAYERS))]
    return Answer("".join(lines) or "Nobody has signed up yet.\n")


def _player(library: Library, name: str) -> str:
    status, seen, addresses = "damaged", "", ""
    with suppress(CorruptFile):
        player = library.account(name)
        if player is not None:  # else the file has no userid's name
            status = _STATUS[player.status]
            seen = player.log[-1].time[:10] if player.log else ""
            addresses = ", ".join(player.addresses)
    row = f"{quoted(name)[1:-1]:20}  {status:10}  {seen:10}  {addresses}"
    return f"{row.rstrip()}\n"


_STATUS = {"on": "on", "off": "signed off", DELETED: "deleted"}


def completion(words: Sequence[str]) -> Answer:
    """The script that teaches a shell to complete the commands' words."""
    from pbm_holomino.completion import SHELLS, script

    if len(words) != 1 or words[0] not in SHELLS:
        raise _misused("completion")
    return Answer(script(words[0]))


COMMANDS = {
    "check": Command(
        check,
        "pbm check [--repair]",
        "Reads and replays every file of the store, and says what is wrong. With "
        "--repair, what is derived from a log is written anew; a log never is.",
    ),
    "flush": Command(
        flush,
        "pbm flush",
        "Sends every letter that has not left. Cron runs it, as in bin/pbm.cron.",
    ),
    "tick": Command(
        tick,
        "pbm tick",
        "Reminds who has let others wait, ends boards that are over time, and sends "
        "the daily digests. It may run at any moment. Cron runs it.",
    ),
    "players": Command(
        players,
        "pbm players",
        "Lists all accounts: on, signed off, deleted or damaged; the day when "
        "something last changed there; and the addresses.",
    ),
    "void": Command(
        void,
        "pbm void game board",
        "Strikes a board off, as in: pbm void holo 12. It counts for nobody, and its "
        "players are told.",
    ),
    "completion": Command(
        completion,
        "pbm completion bash|zsh|fish",
        "Prints a script with which that shell completes the words of pbm, holo, "
        'hextol and walomino. In bash: eval "$(pbm completion bash)"',
    ),
    "serve": Command(
        serve,
        "pbm serve [[host:]port]",
        "Takes mail in until it is stopped: by LMTP, on the socket lmtp in the store "
        "and on a port where one is named. While it runs it gets what pbm-inbox gets.",
    ),
    "demo": Command(
        demo,
        "pbm demo",
        "Opens games by mail before your eyes, and leaves them to you.",
    ),
}
