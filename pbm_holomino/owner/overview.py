"""What the owner sees on a page of the server: the same as by commands in the shell,
all of it to be read, and nothing to be done."""

from collections.abc import Iterator

from pbm_holomino.commands import parse
from pbm_holomino.owner import kept, players, status
from pbm_holomino.server.transaction import Server
from pbm_holomino.store.home import Home


def sections(server: Server, home: Home) -> Iterator[tuple[str, str]]:
    """The parts of the page, each as a heading and a text."""
    yield "What waits, and what has failed", status.text_of(server, home)
    yield "Mails that are kept", kept.text_of(server.store)
    yield "Tournaments", server.run(parse.parse(["tournament"])).text
    yield "Players", players.text_of(server.library)
