"""Clients, who are at the other end of a connection and share it with others."""

import asyncio
from weakref import ref

from starlette.types import Scope

_NAME = "pbm.client"  # in the state of a request


class Gone(Exception):
    """The client has left: nobody waits for the answer any more."""


class Client:
    """A client without a connection, as in a test (see `connections.Connection`)."""

    def __init__(self) -> None:
        self._waits: asyncio.Future[None] | None = None
        self.has_left = False

    async def until(self, waits: asyncio.Future[None]) -> None:
        """Wait for something on behalf of the client. Raises Gone when they leave."""
        if self.has_left:
            waits.cancel()
            raise Gone
        self._waits = waits
        await waits

    def leave(self) -> None:
        """Take note that the client has left."""
        self.has_left = True
        if self._waits is not None and not self._waits.done():
            self._waits.set_exception(Gone())

    def belongs_to(self, network: str) -> None:
        """Take note of the network from which its request comes."""

    def streams(self) -> None:
        """Take note that this connection is a stream now, which has its own room."""

    def hang_up(self) -> None:
        """End the connection at once."""


def state_of(client: Client) -> dict[str, ref[Client]]:
    """What the state of each request of a client holds."""
    return {_NAME: ref(client)}


def client_of(scope: Scope) -> Client:
    """The client who has sent a request."""
    client: ref[Client] | None = scope.get("state", {}).get(_NAME)
    return (client and client()) or Client()
