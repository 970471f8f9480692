"""`pbm flush`: the letters that could not leave when they were written."""

from collections.abc import Collection, Sequence

from pbm_holomino import place, rules
from pbm_holomino.errors import DONE, CannotSend, PbmError
from pbm_holomino.library import PLAYERS
from pbm_holomino.post import OUTBOX
from pbm_holomino.request import Answer
from pbm_holomino.server import Server
from pbm_holomino.store import QUARANTINE
from pbm_holomino.summary import is_number
from pbm_holomino.words import fill


def run(words: Sequence[str]) -> Answer:
    """Send every letter that is marked as unsent."""
    robot, _ = place.open_server()
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
    in the log means nothing: that line was never saved, or is no longer kept."""
    log = _log(robot, folder, name)
    if any(line not in log for line in lines):
        _remove_empty_marks(robot, folder, name, lines)
    marked = [line for line in lines if line in log]
    if not marked:
        return {}
    if folder != PLAYERS:
        return robot.send_about_board(robot.library.match(folder, int(name)), marked)
    player = robot.library.account(name)
    return robot.send_about_account(player, marked) if player else {}


def _log(robot: Server, folder: str, name: str) -> Collection[int | None]:
    """The lines of a file's log, as marks name them."""
    if folder == PLAYERS:
        player = robot.library.account(name)
        return [line.no for line in player.log] if player else ()
    if not robot.store.exists(folder, name) or not is_number(name):
        return ()
    return range(len(robot.library.match(folder, int(name)).record.log))


def _remove_empty_marks(
    robot: Server, folder: str, name: str, lines: list[int]
) -> None:
    """Remove the marks that mean nothing, while nobody can be about to save their
    lines: a board that has no file is made under another lock."""
    is_new = folder != PLAYERS and not robot.store.exists(folder, name)
    with robot.store.lock(folder, "new" if is_new else name):
        log = _log(robot, folder, name)
        for line in lines:
            if line not in log:
                with robot.store.sending(folder, name, line):
                    pass
