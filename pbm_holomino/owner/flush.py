"""`pbm flush`: the letters that could not leave when they were written."""

import re
from collections.abc import Sequence

from pbm_holomino import place, rules
from pbm_holomino.errors import DONE, CannotSend, PbmError
from pbm_holomino.library import PLAYERS
from pbm_holomino.post import OUTBOX
from pbm_holomino.request import Answer
from pbm_holomino.server import Server
from pbm_holomino.store import QUARANTINE
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
