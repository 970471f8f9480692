"""Players are told of their turns at addresses of their own."""

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

import pytest

from pbm_holomino import owner
from pbm_holomino.errors import DONE
from pbm_holomino.match.notices import ANY_PUBLIC, may_call
from pbm_holomino.resident.senders import Senders
from pbm_holomino.server import calling, notices
from pbm_holomino.store import notices as waiting
from tests.house import PASSWORDS, House, own
from tests.processes import wait_until
from tests.web.browser import Browser, signed_in, without_threads

__all__ = ["without_threads"]

SECRET = "alices-and-nobody-elses"
WEEK = 7 * 86_400


class Came(NamedTuple):
    """A request: its path, headers and body."""

    path: str
    headers: dict[str, str]
    body: str

    @property
    def data(self) -> Any:
        return json.loads(self.body)


class Service:
    """What a player wants to be told at: what has come, and how it answers."""

    def __init__(self) -> None:
        self.came: list[Came] = []
        self.answer: Callable[[BaseHTTPRequestHandler], None] = lambda to: _ok(to, 200)
        self.port = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/{SECRET}?token=x"


def _ok(to: BaseHTTPRequestHandler, status: int) -> None:
    to.send_response(status)
    to.send_header("Location", "/elsewhere")
    to.end_headers()


@pytest.fixture(scope="module")
def listening() -> Iterator[Service]:
    made = Service()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            made.came.append(Came(self.path, dict(self.headers), body))
            made.answer(self)

        def log_message(self, *words: object) -> None:
            """Nothing is said."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        made.port = server.server_port
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield made
        server.shutdown()
        thread.join()


@pytest.fixture
def service(listening: Service, house: House) -> Service:
    """The one that the owner allows; it is alice's turn on board 1, and bob wants to
    be told of his."""
    listening.came.clear()
    listening.answer = lambda to: _ok(to, 200)
    house.server.notice_hosts = ("127.0.0.1",)
    return listening


def _wants(house: House, service: Service, form: str = "json") -> str:
    words = f"change notices bob {PASSWORDS['bob']} {service.url} {form}"
    answer = house.type(words)
    assert answer.status == DONE, answer.text
    return answer.text


def _told(house: House, service: Service, after: float = 0.0) -> list[Came]:
    """What has come when everything has been told that is due so many seconds from
    now."""
    with pytest.MonkeyPatch.context() as patched:
        now = time.time() + after
        patched.setattr(time, "time", lambda: now)
        notices.tell(house.server)
    return service.came


def _waits(house: House) -> list[str]:
    return [one.where for one in waiting.waiting(house.store)]


# Turns


def test_each_turn_is_told_once(house: House, service: Service) -> None:
    """Not what somebody says, and not a turn that has been used meanwhile."""
    house.server.web = "https://games.example.org/pbm/"
    _wants(house, service)
    house.play(1, moves=1)
    assert service.came == []  # nobody who plays waits for it
    (came,) = _told(house, service)
    assert came.path == f"/{SECRET}?token=x"
    assert came.data == {
        "text": "Holomino 1 against alice: your turn, until 2026-12-11, 08:00 UTC",
        "url": "https://games.example.org/pbm/holo/1",
        "game": "holo",
        "board": 1,
    }
    house.type(f"holo chat 1 alice {PASSWORDS['alice']} -m=Hello")
    house.play(1, moves=3)  # bob, alice, bob
    assert _waits(house) == ["address"]
    assert len(_told(house, service)) == 1
    assert _waits(house) == []


@pytest.mark.parametrize("form", ["ntfy", "gotify", "discord", "slack"])
def test_a_service_gets_what_it_understands(
    house: House, service: Service, form: str
) -> None:
    """By the documentation of each."""
    house.server.web = "https://games.example.org"
    _wants(house, service, form)
    house.play(1, moves=1)
    (came,) = _told(house, service)
    text = "Holomino 1 against alice: your turn, until 2026-12-11, 08:00 UTC"
    page = "https://games.example.org/holo/1"
    if form == "ntfy":
        assert (came.body, came.headers["Click"]) == (text, page)
        return
    assert came.headers["Content-Type"] == "application/json"
    click = {"client::notification": {"click": {"url": page}}}
    assert came.data == {
        "gotify": {"message": text, "priority": 5, "extras": click},
        "discord": {"content": f"{text}\n{page}", "allowed_mentions": {"parse": []}},
        "slack": {"text": f"{text}\n{page}", "mrkdwn": False},
    }.get(form)


def test_once_a_day_all_boards_that_wait_are_told(
    house: House, service: Service
) -> None:
    _wants(house, service, "json daily")
    for number in (2, 3):
        house.accept(house.challenge(game="holo"))
        house.play(number, moves=1)
    assert _told(house, service) == []
    house.play(2, moves=1)  # bob has moved there
    house.play(1, moves=1)
    (came,) = _told(house, service, after=86_400)
    text = "It is your turn on Holomino 1 and Holomino 3."
    assert came.data == {"text": text, "url": ""}
    assert _waits(house) == []


def test_off_is_off(house: House, service: Service) -> None:
    _wants(house, service)
    house.play(1, moves=1)
    said = house.type(f"change notices bob {PASSWORDS['bob']} off").text
    assert "by letters alone, bob" in " ".join(said.split())
    assert _told(house, service) == []
    assert _waits(house) == []


@pytest.mark.parametrize("status", [200, 500])
@pytest.mark.parametrize(
    "lines",
    [
        ["change notices bob {bob} off"],
        ["holo resign 1 bob {bob}", "delete bob {bob}"],
    ],
)
def test_what_waits_is_dropped_when_nobody_is_to_be_told(
    house: House, service: Service, lines: list[str], status: int
) -> None:
    """Before it was tried, and between two tries."""
    service.answer = lambda to: _ok(to, status)
    _wants(house, service)
    house.play(1, moves=1)
    tried = len(_told(house, service)) if status == 500 else 0
    assert _waits(house) == ["address"]
    for line in lines:
        assert house.type(line).status == DONE
    assert len(_told(house, service, after=61)) == tried
    assert _waits(house) == []


def test_flush_and_programs_that_stay_tell_it(
    house: House, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    _wants(house, service)
    house.play(1, moves=1)
    own(house, monkeypatch)
    (house.folder / "config.yaml").write_text("notices: 127.0.0.1\n")
    assert owner.run(["flush"]).status == DONE
    assert len(service.came) == 1
    senders = Senders(house.server)
    house.server.later = senders.take
    house.play(1, moves=2)
    wait_until(lambda: len(service.came) == 2, "the second notice")
    senders.close()


# A secret


def test_an_address_is_shown_to_nobody(
    house: House, service: Service, capfd: pytest.CaptureFixture[str]
) -> None:
    said = _wants(house, service)
    assert "127.0.0.1 will be told" in " ".join(said.split())
    words = f"change notices bob {PASSWORDS['bob']} {service.url}"
    shown = [said, house.type(f"{words} email").text, house.type(words).text]
    shown += [house.type(f"{words} json weekly").text]
    shown += [house.type("list -format=json").text, *map(str, house.taken())]
    shown += [signed_in(house, "bob").get("/settings").html, *capfd.readouterr()]
    assert not [text for text in shown if SECRET in text]
    player = house.library.player("bob")
    assert player is not None
    assert SECRET not in str(player.log)


# What is refused


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("ntfy.sh/x", "not an address that can be called"),
        ("ftp://ntfy.sh/x", "not an address that can be called"),
        ("https://bob:x@ntfy.sh/x", "not an address that can be called"),
        ("https://ntfy.sh:0/x", "not an address that can be called"),
        ("https://ntfy.sh:x/", "not an address that can be called"),
        ("https:///x", "not an address that can be called"),
        ("https://[::1", "not an address that can be called"),
        ("https://ntfy.sh/" + "x" * 500, "not an address that can be called"),
        ("http://ntfy.sh/x", "can only be called by https"),
    ],
)
def test_an_address_that_cannot_be_called(house: House, url: str, said: str) -> None:
    house.server.notice_hosts = (ANY_PUBLIC,)
    answer = house.type(f"change notices bob {PASSWORDS['bob']} {url} json")
    assert answer.status != DONE
    assert said in " ".join(answer.text.split())


def test_a_refused_address_is_answered_with_where_to_read_more(house: House) -> None:
    house.server.notice_hosts = (ANY_PUBLIC,)
    words = f"change notices bob {PASSWORDS['bob']} http://ntfy.sh/x ntfy"
    assert house.type(words).text.endswith("\n\n  help notices\n")


def test_the_owner_says_which_hosts_may_be_called(house: House) -> None:
    words = f"change notices bob {PASSWORDS['bob']} https://ntfy.sh/x ntfy"
    hosts: tuple[str, ...]
    for hosts in ((), ("gotify.example.org",)):
        house.server.notice_hosts = hosts
        assert "may not call ntfy.sh" in " ".join(house.type(words).text.split())
    for hosts in (("ntfy.sh",), (ANY_PUBLIC, "gotify.example.org")):
        house.server.notice_hosts = hosts
        assert house.type(words).status == DONE
    assert not may_call("https://ntfy.sh/x", ())  # from then on


@pytest.mark.parametrize(
    ("address", "is_one"),
    [("9.9.9.9", True), ("2620:fe::9", True), ("::ffff:9.9.9.9", True)]
    + [
        (address, False)
        for address in (
            *("127.0.0.1", "10.0.0.1", "192.168.1.1", "172.16.0.1", "169.254.1.1"),
            *("0.0.0.0", "100.64.0.1", "224.0.0.1", "255.255.255.255", "::", "::1"),
            *("fe80::1", "fe80::1%eth0", "fc00::1", "ff02::1", "::ffff:127.0.0.1"),
            *("64:ff9b::7f00:1", "2002:7f00:1::", "2001:0:7f00:1::", "x"),
        )
    ],
)
def test_what_is_public(address: str, is_one: bool) -> None:
    assert calling.is_public(address) is is_one


def test_a_name_that_leads_to_a_private_network_is_not_called(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even if it led elsewhere a moment ago: what was looked at is called."""
    asked = list[str]()

    def resolve(host: str, port: int, **words: object) -> list[Any]:
        asked.append(host)
        at = ("127.0.0.1", service.port)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", at)]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    with pytest.raises(ConnectionRefusedError):
        calling.post("https://public.example.org/", {}, b"", (ANY_PUBLIC,))
    assert asked == ["public.example.org"]
    assert service.came == []


@pytest.mark.parametrize("first", ["::1", "127.0.0.2"])
def test_another_address_of_a_host_is_called_where_the_first_takes_nothing(
    service: Service, monkeypatch: pytest.MonkeyPatch, first: str
) -> None:
    """Such as one of IPv6, which this machine may not know."""

    def resolve(host: str, port: int, **words: object) -> list[Any]:
        families = {first: socket.AF_INET6 if ":" in first else socket.AF_INET}
        families["127.0.0.1"] = socket.AF_INET
        return [
            (family, socket.SOCK_STREAM, 6, "", (address, service.port))
            for address, family in families.items()
        ]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    host = "both.example.org"
    assert calling.post(f"http://{host}/", {}, b"", (host,))
    assert len(service.came) == 1


def test_a_name_server_that_keeps_silent_takes_no_more_time_than_a_service(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """However long it keeps silent, and however often it is asked."""
    answers = threading.Event()

    def resolve(host: str, port: int, **how: Any) -> Any:
        answers.wait()
        raise socket.gaierror

    monkeypatch.setattr(calling, "SECONDS", 0.05)
    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    before = threading.active_count()
    try:
        for _ in range(40):
            with pytest.raises(TimeoutError):
                calling.post("https://public.example.org/", {}, b"", (ANY_PUBLIC,))
        assert threading.active_count() - before < 20
    finally:
        answers.set()
    monkeypatch.setattr(calling, "SECONDS", 10.0)
    with pytest.raises(socket.gaierror):  # a thread is free again
        calling.post("https://public.example.org/", {}, b"", (ANY_PUBLIC,))


# Services that fail


def _slow(to: BaseHTTPRequestHandler) -> None:
    with suppress(OSError):
        for _ in range(200):
            to.wfile.write(b"H")
            to.wfile.flush()
            time.sleep(0.05)


def _endless(to: BaseHTTPRequestHandler) -> None:
    with suppress(OSError):
        for _ in range(10_000):
            to.wfile.write(b"x" * 1_000_000)


@pytest.mark.parametrize(
    "answer",
    [
        lambda to: _ok(to, 302),
        lambda to: _ok(to, 500),
        lambda to: to.wfile.write(b"\r\n"),
        lambda to: None,
        _slow,
        _endless,
    ],
    ids=["elsewhere", "error", "nonsense", "silence", "slow", "endless"],
)
def test_a_service_that_does_not_take_it_is_tried_three_times(
    house: House,
    service: Service,
    monkeypatch: pytest.MonkeyPatch,
    answer: Callable[[BaseHTTPRequestHandler], None],
) -> None:
    monkeypatch.setattr(calling, "SECONDS", 0.3)
    service.answer = answer
    _wants(house, service)
    house.play(1, moves=1)
    for after, count in ((0, 1), (30, 1), (61, 2), (62, 2), (962, 3), (9999, 3)):
        assert len(_told(house, service, after)) == count, after
    assert {came.path for came in service.came} == {f"/{SECRET}?token=x"}
    assert _waits(house) == []


def test_after_a_week_of_failures_the_address_is_forgotten(
    house: House, service: Service
) -> None:
    service.answer = lambda to: _ok(to, 500)
    _wants(house, service)
    _fail(house, service)
    house.time = "2026-11-26T08:00:00Z"
    _fail(house, service)
    service.answer = lambda to: _ok(to, 204)
    house.play(1, moves=2)
    _told(house, service)  # one gets through: the week begins anew
    service.answer = lambda to: _ok(to, 500)
    for day in (28, 30):
        house.time = f"2026-11-{day}T08:00:00Z"
        _fail(house, service)
        player = house.library.player("bob")
        assert player is not None
        assert player.notices is not None, day
    assert "bob: your notices" not in {letter.subject for letter in house.taken()}
    house.time = "2026-12-05T08:00:00Z"
    _fail(house, service)
    player = house.library.player("bob")
    assert player is not None
    assert player.notices is None
    subject = "bob: your notices"
    (letter,) = [one for one in house.taken() if one.subject == subject]
    assert "For a week nothing has reached" in letter.text


def _fail(house: House, service: Service) -> None:
    """Have bob's turn begin, and all three tries to tell him fail."""
    house.play(1, moves=1 if house.match(1).turn == ("alice",) else 2)
    for after in (0, 61, 1000):
        _told(house, service, after)
    assert _waits(house) == []


def test_who_is_slow_holds_up_nobody_else(
    house: House, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And what follows for the same player is not tried at once."""
    monkeypatch.setattr(calling, "SECONDS", 1.0)
    _wants(house, service)
    house.taken()
    house.sign_up("carol")
    house.accept(house.challenge(names="carol bob"))
    house.accept(house.challenge(names="alice carol"))
    words = f"change notices carol {PASSWORDS['carol']}"
    assert house.type(f"{words} {service.url.replace(SECRET, 'c')} json").status == DONE
    service.answer = lambda to: _slow(to) if SECRET in to.path else _ok(to, 200)
    for number in (1, 2, 3):
        house.play(number, moves=1)
    begun = time.monotonic()
    paths = [came.path for came in _told(house, service)]
    assert sorted(paths) == [f"/{SECRET}?token=x", "/c?token=x"]
    assert time.monotonic() - begun < 60


# On the page of settings


def test_the_page_of_settings_has_a_form_for_it(house: House, service: Service) -> None:
    browser: Browser = signed_in(house, "bob")
    fields = {"url": service.url, "service": "json", "daily": ""}
    page = browser.press("/settings", "/settings/notices", **fields)
    assert "127.0.0.1 is told when it is your turn" in page.text
    player = house.library.player("bob")
    assert player is not None
    assert str(player.notices) == f"{service.url} json each"
    page = browser.press("/settings", "/settings/notices")
    assert "A program of yours can be told" in page.text
    page = browser.press("/settings", "/settings/notices", url="https://x", service="y")
    assert page.status == 422
