"""`pbm play`: does what robots have to do on all boards. Mails start it."""

from collections.abc import Iterator

from pbm_holomino.commands import boards
from pbm_holomino.commands.request import Answer, Origin, Request
from pbm_holomino.errors import BadCommand
from pbm_holomino.letters.letter import Due
from pbm_holomino.match.open_challenge import SOME_ROBOT
from pbm_holomino.match.record import typed_source
from pbm_holomino.owner.tournament import set_options
from pbm_holomino.resident.robots import play
from pbm_holomino.resident.thinking import lower_priority
from pbm_holomino.sentences import fill, listed, quoted
from pbm_holomino.server import open as opener
from pbm_holomino.server.transaction import Server
from pbm_holomino.server.waking import waiting
from pbm_holomino.store.home import Home


def run(request: Request) -> Answer:
    """Play for the robots until no board waits for one. If the request names a game and
    robots, a board is opened for them first."""
    server, home = opener.open_existing()
    sentences = [_opened(server, request)] if request.words else []
    sentences += play_all(server, home)
    if request.words and waiting(server.library):
        server.robots.wake()  # another process plays for the robots of this machine
    return Answer("".join(map(fill, sentences)) or "No board waits for a robot.\n")


def _opened(server: Server, request: Request) -> str:
    """Open a board for robots alone, which is the owner's privilege; a sentence about
    it."""
    game, *given = request.words
    names = tuple(word.lower() for word in given if "=" not in word)
    _check_are_robots(server, game, names)
    asked = Request(
        "challenge",
        game,
        words=names,
        options=set_options(word for word in given if "=" in word),
        origin=Origin(typed_source()),
    )
    context = server.context()._replace(by_owner=True)
    with server.store.lock(game, "new"):
        opened = boards.challenge(asked, context)
        server.library.save(opened, unsent=0)
    server.delivery.deliver([Due.of(opened)])
    record = opened.record
    return f"{record.name} is open: {listed(record.players)} play each other."


def _check_are_robots(server: Server, game: str, names: tuple[str, ...]) -> None:
    """Raises BadCommand unless all these are names of robots."""
    robots = server.library.robots
    for name in names:
        if name != SOME_ROBOT and name not in robots:
            raise BadCommand(
                f"{quoted(name)} is not a robot: please name {listed([*robots], 'or')}."
                f' For a game with people, type "{game} challenge" with their userids.',
                "play",
            )


def play_all(server: Server, home: Home) -> Iterator[str]:
    """Play for the robots, at low priority; a sentence about it if they have done
    anything."""
    lower_priority()
    done = play(server, home)
    if done:
        yield f"Robots have acted {'once' if done == 1 else f'{done} times'}."
