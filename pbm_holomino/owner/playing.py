"""`pbm play`: does what robots have to do on all boards. Mails start it."""

from collections.abc import Iterator

from pbm_holomino.commands.request import Answer, Request
from pbm_holomino.resident.robots import lower_priority, play
from pbm_holomino.sentences import fill
from pbm_holomino.server import open as opener
from pbm_holomino.server.transaction import Server
from pbm_holomino.store.home import Home


def run(request: Request) -> Answer:
    """Play for the robots until no board waits for one."""
    told = list(play_all(*opener.open_server()))
    return Answer("".join(map(fill, told)) or "No board waits for a robot.\n")


def play_all(server: Server, home: Home) -> Iterator[str]:
    """Play for the robots, at low priority; a sentence about it if they have done
    anything."""
    lower_priority()
    done = play(server, home)
    if done:
        yield f"Robots have acted {'once' if done == 1 else f'{done} times'}."
