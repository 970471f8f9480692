"""The pages behind nginx and behind Caddy, with the lines that `pbm help pages` has for
them; and by themselves with a certificate."""

import http.client
import os
import re
import socket
import ssl
import subprocess
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import IO, NamedTuple
from urllib.parse import urlencode

import pytest

from pbm_holomino.owner import help as pages
from pbm_holomino.store.config import Config
from pbm_holomino.store.home import Home
from pbm_holomino.web import connections, gate, news
from pbm_holomino.web.news import News
from pbm_holomino.web.serve import serving
from tests import needs
from tests.fetch.provider import certify
from tests.house import PASSWORDS, House
from tests.processes import PATIENCE, free_port, wait_until

LIMIT = 3  # answers to a stranger in an hour
_NGINX = """
daemon off;
{user}
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ }}
http {{
    access_log {folder}/access.log;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    {server}
}}
"""
_OPTION = "log {"  # the first of Caddy's, before which these come
_CADDY = f"""
    admin off
    auto_https disable_redirects
    default_bind 127.0.0.1
    skip_install_trust
    {_OPTION}"""


class Proxy(NamedTuple):
    """What a browser trusts that comes to a proxy, and where the proxy says what it
    does: of each request, if it has an access log. Some limit how much each client may
    ask for."""

    certificate: Path
    log: Path
    has_access_log: bool = False
    limits_clients: bool = False


class Front(NamedTuple):
    """A server in front of the pages of a house."""

    house: House
    port: int
    proxy: Proxy

    @property
    def trust(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=str(self.proxy.certificate))

    def connect(self) -> http.client.HTTPSConnection:
        return _connect(self.port, self.proxy)

    def get(self, path: str, **headers: str) -> http.client.HTTPResponse:
        client = self.connect()
        client.request("GET", path, headers=headers)
        return client.getresponse()


def _connect(port: int, proxy: Proxy) -> http.client.HTTPSConnection:
    trust = ssl.create_default_context(cafile=str(proxy.certificate))
    return http.client.HTTPSConnection(
        "localhost", port, timeout=PATIENCE, context=trust
    )


# A way to start a proxy: in this folder, on this port, before a server on that port; a
# request's lines must be there within so many seconds.
Start = Callable[[Path, int, int, float], AbstractContextManager[Proxy]]


def _lines(first: str, changes: Mapping[str, str]) -> str:
    """The block of the help page that begins so, with these changes for the test."""
    found = re.search(rf"(?ms)^  {first}\{{.*?^  \}}", pages.page("pages"))
    assert found is not None
    block = found[0]
    for usual, here in changes.items():
        assert usual in block
        block = block.replace(usual, here)
    return block


@contextmanager
def nginx(folder: Path, port: int, behind: int, seconds: float) -> Iterator[Proxy]:
    """nginx on a port, before a server behind it."""
    certify(folder, "own", 3)
    changes = {
        "listen 443 ssl": f"listen 127.0.0.1:{port} ssl",
        "games.example.org": "localhost",
        "/etc/ssl/games.pem": f"{folder}/own.pem",
        "/etc/ssl/games.key": f"{folder}/own.key",
        "127.0.0.1:2480": f"127.0.0.1:{behind}",
        "client_header_timeout 20s": f"client_header_timeout {seconds:.0f}s",
    }
    user = "user root;" if os.geteuid() == 0 else ""
    zones = re.findall(r"(?m)^  limit_\w+_zone .*;$", pages.page("pages"))
    server = "\n".join([*zones, _lines("server ", changes)])
    config = folder / "nginx.conf"
    config.write_text(_NGINX.format(folder=folder, user=user, server=server))
    with _running("nginx", "-c", config, "-e", folder / "error.log"):
        wait_until((folder / "nginx.pid").exists, "nginx")
        yield Proxy(folder / "own.pem", folder / "access.log", True, True)


@contextmanager
def caddy(folder: Path, port: int, behind: int, seconds: float) -> Iterator[Proxy]:
    """Caddy on a port, before a server behind it. For a local name it makes a
    certificate itself, signed by one that it has made before."""
    changes = {
        "games.example.org": f"localhost:{port}",
        "127.0.0.1:2480": f"127.0.0.1:{behind}",
    }
    config = folder / "Caddyfile"
    settings = {_OPTION: _CADDY, "read_header 20s": f"read_header {seconds:.0f}s"}
    options, site = _lines("", settings), _lines("games.example.org ", changes)
    config.write_text(f"{options}\n{site}\n")
    log = folder / "said"
    made = Proxy(folder / "caddy/pki/authorities/local/root.crt", log)
    words = ("caddy", "run", "--config", config, "--adapter", "caddyfile")
    with log.open("w") as said, _running(*words, stderr=said, home=folder):
        wait_until(lambda: _has_certificate(port, made), "caddy", log.read_text)
        yield made


@contextmanager
def _running(
    program: str,
    *words: str | Path,
    stderr: IO[str] | int = subprocess.DEVNULL,
    home: Path | None = None,
) -> Iterator[None]:
    """A program that runs until the block ends, perhaps with a home of its own."""
    path = needs.find(program)
    assert path is not None
    at_home = {"HOME": str(home), "XDG_DATA_HOME": str(home)} if home else {}
    environment = {**os.environ, **at_home}
    with subprocess.Popen([path, *words], stderr=stderr, env=environment) as running:
        try:
            yield
        finally:
            running.terminate()


def _has_certificate(port: int, proxy: Proxy) -> bool:
    with suppress(OSError), closing(_connect(port, proxy)) as client:
        client.connect()
        return True
    return False


_PROXIES = [
    pytest.param(proxy, id=proxy.__name__, marks=pytest.mark.needs(proxy.__name__))
    for proxy in (nginx, caddy)
]


@pytest.fixture(scope="module", params=_PROXIES)
def front(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Front]:
    folder, games = map(tmp_path_factory.mktemp, ("proxy", "games"))
    port, behind = free_port(), free_port()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pbm_holomino.web.serve.News", partial(News, seconds=0.1))
        house = House(games).sign_up()
        house.accept(house.challenge())
        config = Config(
            web=f"https://localhost:{port}",
            web_proxies="127.0.0.1",
            answers_per_hour=LIMIT,
        )
        with (
            serving(Home(str(games), config), ("127.0.0.1", behind)),
            request.param(folder, port, behind, PATIENCE) as proxy,
        ):
            yield Front(house, port, proxy)


@pytest.mark.needs("openssl")
@pytest.mark.xdist_group("proxy")
class TestBehindAProxy:
    def test_a_page_comes_with_a_cookie_of_this_host_alone(self, front: Front) -> None:
        answer = front.get("/signin")
        assert answer.status == 200
        cookie = answer.headers["Set-Cookie"]
        assert cookie.startswith("__Host-pbm-visitor=")
        assert "Secure" in cookie
        assert "Strict-Transport-Security" in answer.headers

    def test_a_player_signs_in(self, front: Front) -> None:
        words = {"userid": "alice", "password": PASSWORDS["alice"]}
        answer = _send(front, "/signin", words)
        assert answer.status == 303
        assert "__Host-pbm=alice." in answer.headers["Set-Cookie"]

    def test_news_are_not_held_back(self, front: Front) -> None:
        """A stream's words come one by one."""
        stream = front.get("/news?board=holo/1", **{"Accept-Encoding": "gzip"})
        first = _event(stream)
        front.house.play(moves=1)
        second = _event(stream)
        assert first[1].split()[1] == "holo/1"
        assert first != second
        stream.close()

    def test_a_packed_page_is_passed_on(self, front: Front) -> None:
        answer = front.get("/holo/1", **{"Accept-Encoding": "gzip"})
        assert answer.headers["Content-Encoding"] == "gzip"
        tag = answer.headers["ETag"]
        again = front.get("/holo/1", **{"If-None-Match": tag})
        assert again.status == 304

    def test_no_token_is_in_its_log(self, front: Front) -> None:
        token = "aaaabbbbccccdddd"
        for path in (
            f"/link/holo/1/0/alice/{token}",
            f"/signup/carol/carol@example.org/{token}",
            f"/calendar/alice/{token}.ics",
        ):
            assert front.get(path).status in (404, 422)
        assert front.get("/robots.txt").status == 200
        said = front.proxy.log.read_text
        if front.proxy.has_access_log:
            wait_until(lambda: "robots.txt" in said(), "a line of the log")
        assert said()
        assert token not in said()

    def test_strangers_are_counted_by_their_own_address(self, front: Front) -> None:
        """A stranger who claims to come from somewhere else is not believed."""
        claims = [f"192.0.2.{number}" for number in range(LIMIT + 1)]
        statuses = [
            _send(front, "/forgot", {"userid": "bob"}, claim).status for claim in claims
        ]
        assert statuses == [200] * LIMIT + [429]

    def test_a_form_that_is_too_long_goes_no_further(self, front: Front) -> None:
        client = front.connect()
        with suppress(OSError):  # it need not be read to its end
            client.request("POST", "/signin", b"x" * 200_000)
        assert client.getresponse().status in (413, 502)

    def test_a_crowd_of_one_address_keeps_no_player_waiting(self, front: Front) -> None:
        """nginx answers some of its requests itself; behind Caddy the pages share."""
        with ThreadPoolExecutor(50) as crowd:
            asked = [crowd.submit(_status, front, "127.0.0.1") for _ in range(400)]
            assert _status(front, "127.0.1.1") == 200
            statuses = {one.result() for one in asked}
        assert statuses == {200, *[429] * front.proxy.limits_clients}

    def test_a_player_may_ask_for_one_page_after_another(self, front: Front) -> None:
        """However fast they come."""
        assert {_status(front, "127.0.2.1") for _ in range(30)} == {200}


def test_the_limits_of_proxies_are_those_of_the_pages() -> None:
    text, seconds = pages.page("pages"), f"{connections.REQUEST_SECONDS:.0f}"
    assert f"within {seconds} seconds" in " ".join(text.split())
    for name in ("client_header_timeout ", "client_body_timeout ", "read_header "):
        assert f"{name}{seconds}s" in text
    assert f"client_max_body_size {gate.MOST_BODY >> 10}k;" in text
    assert f"max_size {gate.MOST_BODY >> 10}KiB" in text
    assert f"max_header_size {connections.MOST_HEADERS >> 10}KiB" in text
    assert f"{news.MOST_STREAMS:,} streams of news and {connections.MOST} other" in (
        " ".join(text.split())
    )


@pytest.mark.needs("openssl")
@pytest.mark.parametrize("proxy", _PROXIES)
def test_a_request_must_be_complete_in_time(proxy: Start, tmp_path: Path) -> None:
    port = free_port()
    with (
        proxy(tmp_path, port, free_port(), 5) as started,
        closing(_connect(port, started)) as client,
    ):
        client.connect()
        client.sock.sendall(b"GET /holo/1 HTTP/1.1\r\nHost: localhost\r\nX-A: ")
        answer = client.sock.recv(4096)
    assert answer == b"" or b" 408 " in answer


@pytest.mark.needs("openssl")
@pytest.mark.parametrize("proxy", _PROXIES)
def test_no_token_is_in_a_log_when_nothing_answers_the_proxy(
    proxy: Start, tmp_path: Path
) -> None:
    port, token = free_port(), "aaaabbbbccccdddd"
    with proxy(tmp_path, port, free_port(), PATIENCE) as started:
        client = _connect(port, started)
        client.request("GET", f"/link/holo/1/0/alice/{token}")
        assert client.getresponse().status == 502
        client.close()
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert started.certificate in files
    assert [path for path in files if token.encode() in path.read_bytes()] == []


def _send(
    front: Front, path: str, words: dict[str, str], claim: str = ""
) -> http.client.HTTPResponse:
    """The answer to the form of a page, from a browser that claims to be elsewhere."""
    client = front.connect()
    client.request("GET", path)
    answer = client.getresponse()
    fields = re.findall(r'name="(\w+)" value="([^"]*)"', _text(answer))
    cookie = answer.headers["Set-Cookie"].split(";")[0]
    headers = {"Cookie": cookie, "X-Forwarded-For": claim}
    client.request("POST", path, urlencode({**dict(fields), **words}), headers)
    return client.getresponse()


def _status(front: Front, source: str) -> int:
    """The status of a page, for a client at an address."""
    with socket.create_connection(
        ("127.0.0.1", front.port), 60, source_address=(source, 0)
    ) as plain:
        client = _connect(front.port, front.proxy)
        client.sock = front.trust.wrap_socket(plain, server_hostname="localhost")
        client.request("GET", "/holo/1")
        answer = client.getresponse()
        answer.read()
        client.close()
    return answer.status


def _text(answer: http.client.HTTPResponse) -> str:
    return answer.read().decode()


def _event(stream: http.client.HTTPResponse) -> list[str]:
    """The lines of the next event of a stream."""
    lines = []
    while line := stream.readline().decode().rstrip():
        lines.append(line)
    return lines


@pytest.mark.needs("openssl")
def test_with_a_certificate_no_proxy_is_needed(house: House, tmp_path: Path) -> None:
    certify(tmp_path, "own", 3)
    both = tmp_path / "both.pem"
    parts = [(tmp_path / f"own.{kind}").read_text() for kind in ("key", "pem")]
    both.write_text("".join(parts))
    port = free_port()
    config = Config(web=f"https://localhost:{port}", web_certificate=str(both))
    with serving(Home(str(house.folder), config), ("localhost", port)):
        proxy = Proxy(tmp_path / "own.pem", tmp_path / "none")
        answer = Front(house, port, proxy).get("/signin")
        assert answer.status == 200
        assert answer.read()  # to its end, so that nothing is left open
        assert answer.headers["Set-Cookie"].startswith("__Host-")
