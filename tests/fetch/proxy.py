"""A proxy before an IMAP server, which counts what a client says, and cuts the
connection at one of these lines. TLS ends here, with the server's certificate."""

import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from tests.fetch.provider import Provider

Cut = tuple[int, bool]  # at which line, and whether the server has carried it out


class Proxy:
    """Listens at a port, and forwards to the provider's IMAPS port. `said` has the
    lines of all clients. `cut`, if any, happens once. `before` is called with each
    line, and `after` with each answer."""

    def __init__(self, provider: Provider) -> None:
        self.said: list[str] = []
        self.cut: Cut | None = None
        self.before: Callable[[str], object] = lambda line: None
        self.after: Callable[[bytes], object] = lambda said: None
        self._provider = provider
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._inside = ssl.create_default_context(cafile=str(provider.certificate))
        self._outside = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        key = provider.certificate.with_suffix(".key")
        self._outside.load_cert_chain(provider.certificate, key)
        threading.Thread(target=self._listen, daemon=True).start()

    def close(self) -> None:
        self._listener.close()

    def _listen(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                threading.Thread(target=self._serve, args=[client], daemon=True).start()

    def _serve(self, plain: socket.socket) -> None:
        with suppress(OSError):
            client = self._outside.wrap_socket(plain, server_side=True)
            where = ("127.0.0.1", self._provider.tls_port)
            server = self._inside.wrap_socket(
                socket.create_connection(where), server_hostname="localhost"
            )
            _Pair(self, client, server).run()


class _Pair:
    """A client, and the connection to the server that is its own."""

    def __init__(self, proxy: Proxy, client: ssl.SSLSocket, server: ssl.SSLSocket):
        self._proxy, self._client, self._server = proxy, client, server
        self._is_last = False

    def run(self) -> None:
        answering = threading.Thread(target=self._answer, daemon=True)
        answering.start()
        with suppress(OSError):
            for line in self._client.makefile("rb"):
                self._ask(line)
        self._end()
        # not before: who still reads or writes would do so in the file that is opened
        # next, which has the same number
        answering.join()
        self._client.close()
        self._server.close()

    def _ask(self, line: bytes) -> None:
        words = line.decode().split()
        self._proxy.said.append(" ".join(words if len(words) == 1 else words[1:]))
        self._proxy.before(self._proxy.said[-1])
        number, is_done = self._proxy.cut or (0, False)
        if len(self._proxy.said) == number:
            self._proxy.cut = None
            if not is_done:
                raise ConnectionError
            self._is_last = True
        self._server.sendall(line)

    def _answer(self) -> None:
        """Hand on what the server says, but no answer to the last line."""
        with suppress(OSError):
            while (said := self._server.recv(1 << 16)) and not self._is_last:
                self._client.sendall(said)
                self._proxy.after(said)
        self._end()

    def _end(self) -> None:
        for each in (self._client, self._server):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)


@contextmanager
def proxy(provider: Provider) -> Iterator[Proxy]:
    """A proxy while the block runs."""
    made = Proxy(provider)
    try:
        yield made
    finally:
        made.close()
