"""Opens a server on the store."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from pbm_holomino.commands.context import Robots
from pbm_holomino.errors import NotAllowed
from pbm_holomino.match.account import fits_password
from pbm_holomino.server.transaction import Server
from pbm_holomino.store.home import Home, missing_folder, open_home, open_store
from pbm_holomino.store.library import Library

if TYPE_CHECKING:
    from pbm_holomino.letters.letter import Letter, Post


def open_server() -> tuple[Server, Home]:
    """A server on the store, and what this machine has. Raises StoreTrouble."""
    home = open_home()
    return server_of(home), home


def open_existing() -> tuple[Server, Home]:
    """The same for what the owner does with a store that is there. Raises NotAllowed if
    it is not, and StoreTrouble."""
    server, home = open_server()
    if missing := missing_folder(home):
        raise NotAllowed(missing)
    return server, home


def server_of(home: Home) -> Server:
    """A server on the store of a home. Raises StoreTrouble."""
    store = open_store(home)

    def post(letter: "Letter") -> Mapping[str, str]:
        from pbm_holomino.mail.post import sender  # a question in the shell sends none

        return sender(home, store)(letter)

    return server_on(Library(store), post, home)


def server_on(
    library: Library,
    post: "Post",
    home: Home,
    fits: Callable[[str, str], bool] = fits_password,
) -> Server:
    """A server as the settings of a home want it (see Server)."""

    def wake() -> bool:
        from pbm_holomino.server import waking  # few boards have robots

        return waking.wake(home)

    robots = Robots(home.config.rated_robots == "yes", wake)
    server = Server(library, post, robots, home.config.web, fits)
    server.notice_hosts = home.config.notice_hosts
    return server
