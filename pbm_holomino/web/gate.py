"""What every request passes: it is read to its end, waits for its network's turn, and
its answer leaves in pieces, as it is read."""

from collections.abc import Callable, Container

from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pbm_holomino.web.clients import Client, Gone, client_of
from pbm_holomino.web.networks import network_of
from pbm_holomino.web.shares import Shares
from pbm_holomino.web.turns import Turn, Turns

MOST_BODY = 64 << 10  # bytes of a form
MOST_UNSENT = 24 << 20  # bytes of answers that wait until they are read
_PIECE = 32 << 10
_TURN = "pbm.turn"  # in the state of a request


class Gate:
    """Lets requests through to an application, which the networks share."""

    def __init__(self, app: ASGIApp, proxies: Container[str]) -> None:
        self._app = app
        self._proxies = proxies
        self._turns = Turns()
        self._unsent = Shares[Client](MOST_UNSENT, oldest=True)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        client = client_of(scope)
        network = network_of(HTTPConnection(scope), self._proxies)
        client.belongs_to(network)
        sending = self._in_pieces(network, client, send)
        try:
            body = await _body(scope, receive)
            if body is None:
                said = "That is too much for a form.\n"
                await PlainTextResponse(said, 413)(scope, receive, sending)
                return
            turn = await self._turns.take(network, client)
            try:
                scope.setdefault("state", {})[_TURN] = turn
                heard = _once(body, receive)
                await self._app(scope, heard, _after(turn.end, sending))
            finally:
                turn.end()
        except Gone:  # nobody hears an answer
            return

    def _in_pieces(self, network: str, client: Client, send: Send) -> Send:
        """Sends what comes in pieces. While it waits, no more of all answers is kept
        than there is room for."""

        async def sending(message: Message) -> None:
            body = message.get("body", b"")
            if len(body) <= _PIECE:
                await send(message)
                return
            for other in self._unsent.take(network, client, len(body)):
                other.hang_up()
            try:
                for at in range(0, len(body), _PIECE):
                    is_last = at + _PIECE >= len(body)
                    more = message.get("more_body", False) or not is_last
                    piece = bytes(body[at : at + _PIECE])
                    await send({**message, "body": piece, "more_body": more})
            finally:
                self._unsent.leave(client)

        return sending


def end_turn(scope: Scope) -> None:
    """Let the next request have its turn, before this one is answered."""
    turn: Turn | None = scope.get("state", {}).get(_TURN)
    if turn is not None:
        turn.end()


async def _body(scope: Scope, receive: Receive) -> bytes | None:
    """What a request holds; None if it is too long. Raises Gone."""
    if scope["method"] in ("GET", "HEAD"):
        return b""
    body, goes_on = bytearray(), True
    while goes_on:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Gone
        body += message.get("body", b"")
        if len(body) > MOST_BODY:
            return None
        goes_on = message.get("more_body", False)
    return bytes(body)


def _once(body: bytes, receive: Receive) -> Receive:
    """Tells the application what has been read already, and then what comes."""
    messages = [{"type": "http.request", "body": body, "more_body": False}]

    async def heard() -> Message:
        return messages.pop() if messages else await receive()

    return heard


def _after(first: Callable[[], object], send: Send) -> Send:
    """Does something first, whenever anything is sent."""

    async def sending(message: Message) -> None:
        first()
        await send(message)

    return sending
