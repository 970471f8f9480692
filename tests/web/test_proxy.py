"""The pages behind nginx, with the lines that `pbm help pages` has for it; and by
themselves with a certificate."""

import http.client
import os
import re
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode

import pytest

from pbm_holomino.owner import help as pages
from pbm_holomino.store.config import Config
from pbm_holomino.store.home import Home
from pbm_holomino.web.news import News
from pbm_holomino.web.serve import serving
from tests import needs
from tests.fetch.provider import certify
from tests.house import CHEAP, PASSWORDS, House
from tests.processes import free_port, wait_until

LIMIT = 3  # answers to a stranger in an hour
_MAIN = """
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


class Front(NamedTuple):
    """A server in front of the pages of a house, and what it trusts."""

    house: House
    port: int
    folder: Path

    def connect(self) -> http.client.HTTPSConnection:
        trust = ssl.create_default_context(cafile=str(self.folder / "own.pem"))
        return http.client.HTTPSConnection(
            "localhost", self.port, timeout=60, context=trust
        )

    def get(self, path: str, **headers: str) -> http.client.HTTPResponse:
        client = self.connect()
        client.request("GET", path, headers=headers)
        return client.getresponse()


def _lines_for_nginx() -> str:
    """The server block of the help page."""
    found = re.search(r"(?ms)^  server \{.*?^  \}", pages.page("pages"))
    assert found is not None
    return found[0]


@contextmanager
def nginx(folder: Path, port: int, behind: int) -> Iterator[None]:
    """nginx on a port, before a server behind it."""
    server = _lines_for_nginx()
    for usual, here in (
        ("listen 443 ssl", f"listen 127.0.0.1:{port} ssl"),
        ("games.example.org", "localhost"),
        ("/etc/ssl/games.pem", f"{folder}/own.pem"),
        ("/etc/ssl/games.key", f"{folder}/own.key"),
        ("127.0.0.1:2480", f"127.0.0.1:{behind}"),
    ):
        assert usual in server
        server = server.replace(usual, here)
    user = "user root;" if os.geteuid() == 0 else ""
    config = folder / "nginx.conf"
    config.write_text(_MAIN.format(folder=folder, user=user, server=server))
    program = needs.find("nginx")
    assert program is not None
    words = [program, "-c", str(config), "-e", f"{folder}/error.log"]
    with subprocess.Popen(words, stderr=subprocess.DEVNULL) as running:
        try:
            wait_until((folder / "nginx.pid").exists, "nginx")
            yield
        finally:
            running.terminate()


@pytest.fixture(scope="module")
def front(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Front]:
    folder, games = map(tmp_path_factory.mktemp, ("nginx", "games"))
    certify(folder, "own", 3)
    port, behind = free_port(), free_port()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pbm_holomino.match.account._SCRYPT", CHEAP)
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
            nginx(folder, port, behind),
        ):
            yield Front(house, port, folder)


@pytest.mark.needs("nginx", "openssl")
@pytest.mark.xdist_group("nginx")
class TestBehindNginx:
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
        log = front.folder / "access.log"
        wait_until(lambda: "robots.txt" in log.read_text(), "a line of the log")
        assert token not in log.read_text()

    def test_strangers_are_counted_by_their_own_address(self, front: Front) -> None:
        """A stranger who claims to come from somewhere else is not believed."""
        claims = [f"192.0.2.{number}" for number in range(LIMIT + 1)]
        statuses = [
            _send(front, "/forgot", {"userid": "bob"}, claim).status for claim in claims
        ]
        assert statuses == [200] * LIMIT + [429]


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
        answer = Front(house, port, tmp_path).get("/signin")
        assert answer.status == 200
        assert answer.headers["Set-Cookie"].startswith("__Host-")
