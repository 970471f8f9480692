"""`pbm web`: where it listens, and how it ends."""

import http.client
import os
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import IO

import pytest

from pbm_holomino.errors import BadCommand, NotAllowed
from pbm_holomino.resident.report import NEW_SETTINGS
from pbm_holomino.store.config import Config
from pbm_holomino.store.home import Home
from pbm_holomino.web import serve
from tests.house import House, own
from tests.processes import PATIENCE, free_port, surroundings

FETCHING = "Fetching mail from maildir:in. Ctrl-C stops this.\n"


class Unix(http.client.HTTPConnection):
    """A connection to a socket of the file system."""

    def __init__(self, path: Path) -> None:
        super().__init__("localhost", timeout=PATIENCE)
        self._path = str(path)

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(PATIENCE)
        self.sock.connect(self._path)


def status(client: http.client.HTTPConnection, path: str = "/holo/1") -> int:
    client.request("GET", path)
    answer = client.getresponse()
    answer.read()
    return answer.status


def test_without_a_port_it_listens_on_a_socket_of_its_own(house: House) -> None:
    home, path = Home(str(house.folder), Config()), house.folder / "web"
    with serve.serving(home, None) as at:
        assert at == str(path)
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert status(Unix(path)) == 200
    assert not path.exists()


@contextmanager
def serving(
    house: House, command: str
) -> Iterator[tuple[int, "subprocess.Popen[str]", IO[str]]]:
    """A command that serves pages: at which port, its process, and what it says."""
    port = free_port()
    with subprocess.Popen(
        [sys.executable, "-m", "pbm_holomino", command, str(port)],
        env=surroundings(PBM_GAMES=str(house.folder)),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        assert running.stdout is not None
        yield port, running, running.stdout


def ended(running: "subprocess.Popen[str]") -> tuple[int, str, str]:
    """Its exit status, and what it has said since."""
    out, err = running.communicate(timeout=PATIENCE)
    return running.returncode, out, err


def test_the_command_serves_until_it_is_told_to_stop(house: House) -> None:
    with serving(house, "web") as (port, running, said):
        assert said.readline() == f"Serving pages on http://localhost:{port}\n"
        client = http.client.HTTPConnection("localhost", port, timeout=PATIENCE)
        assert status(client) == 200
        stream = http.client.HTTPConnection("localhost", port, timeout=PATIENCE)
        stream.request("GET", "/news?board=holo/1")
        news = stream.getresponse()
        assert news.headers["Content-Type"].startswith("text/event-stream")
        assert news.headers["X-Accel-Buffering"] == "no"
        assert news.readline().startswith(b"id: ")
        running.send_signal(signal.SIGTERM)
        assert ended(running) == (0, "Served, and stopped.\n", "")


def test_a_page_is_opened_in_the_browser_of_the_machine(house: House) -> None:
    port, seen = str(free_port()), house.folder / "seen"
    browser = house.folder / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {seen}\nkill $PPID\n')
    browser.chmod(0o700)
    program = (
        "import sys; from pbm_holomino.web.serve import serve;"
        "sys.stdout.write(serve(sys.argv[1:], 'holo/1').text)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, port],
        env=surroundings(PBM_GAMES=str(house.folder), BROWSER=f"{browser} %s"),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("Served, and stopped.\n")
    assert seen.read_text() == f"http://localhost:{port}/holo/1\n"


def test_pbm_run_serves_pages_too(house: House) -> None:
    for folder in ("new", "cur", "tmp"):
        (house.folder / "in" / folder).mkdir(parents=True)
    (house.folder / "config.yaml").write_text("fetch: maildir:in\n")
    with serving(house, "run") as (port, running, said):
        for number in (signal.SIGHUP, signal.SIGTERM):
            told = [said.readline() for _ in range(2)]
            assert told == [f"Serving pages on http://localhost:{port}\n", FETCHING]
            client = http.client.HTTPConnection("localhost", port, timeout=PATIENCE)
            assert status(client) == 200
            client.close()
            running.send_signal(number)
        assert ended(running) == (0, "Stopped.\n", f"pbm run: {NEW_SETTINGS}\n")


@pytest.mark.parametrize(("hard", "then"), [(4096, 2000), (600, 600), (256, 256)])
def test_there_is_room_for_a_thousand_streams(hard: int, then: int) -> None:
    program = (
        "import resource; from pbm_holomino.web.serve import allow_files;"
        f"resource.setrlimit(resource.RLIMIT_NOFILE, (256, {hard}));"
        f"assert allow_files() == {then};"
        "print(*resource.getrlimit(resource.RLIMIT_NOFILE))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == f"{then} {hard}\n"


def test_connections_never_take_the_files_of_the_store() -> None:
    assert serve.room(2000) == (500, 1000)
    for files in (64, 256, 1024, 2000, 9999):
        found = serve.room(files)
        assert 0 < sum(found) <= files - min(500, files // 4)
        assert 0 < found.connections <= found.streams


@pytest.mark.parametrize("where", ["0.0.0.0:8080", "192.0.2.1:80", "[::]:80"])
def test_passwords_are_not_taken_in_the_clear(
    house: House, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    own(house, monkeypatch)
    monkeypatch.setattr(serve, "open_home", lambda: Home(str(house.folder), Config()))
    with pytest.raises(NotAllowed, match="Without a certificate"):
        serve.serve([where])


def test_proxies_alone_reach_a_port_that_is_open_to_all(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As those in containers do, which come from other addresses than this machine's:
    the doors are closed to all others."""
    monkeypatch.setattr(serve, "is_loopback", lambda host: False)
    config = Config(web="https://example.org", web_proxies="127.0.0.8/30")
    home, port = Home(str(house.folder), config), free_port()
    with serve.announced(home, [f"0.0.0.0:{port}"]):
        for source in ("127.0.0.9", "127.0.0.11", "127.0.0.12", "127.0.0.1"):
            client = http.client.HTTPConnection(
                "127.0.0.1", port, PATIENCE, source_address=(source, 0)
            )
            with closing(client):
                if source in ("127.0.0.9", "127.0.0.11"):
                    assert status(client) == 200
                else:
                    with pytest.raises(ConnectionError):
                        status(client)


def test_what_is_no_port_is_told(house: House) -> None:
    with pytest.raises(BadCommand, match='"x:y:z" is not a port: .* 2480') as refused:
        serve.serve(["x:y:z"])
    assert refused.value.page == "web"


def test_a_request_leaves_no_trace_in_a_log(
    house: House, capfd: pytest.CaptureFixture[str]
) -> None:
    path = house.folder / "web"
    with serve.serving(Home(str(house.folder), Config()), None):
        assert status(Unix(path), "/link/holo/1/0/alice/aaaabbbbccccdddd") == 422
        assert status(Unix(path), "/nothing/here") == 404
    told = capfd.readouterr()
    assert (told.out, told.err) == ("", "")
    for folder, _, names in os.walk(house.folder):
        for name in names:
            assert b"aaaabbbbccccdddd" not in (Path(folder) / name).read_bytes()
