"""Browsers are told of turns, by a push service of the tests' own."""

import json
import socket
import ssl
import threading
import time
from base64 import urlsafe_b64decode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)
from cryptography.x509.oid import NameOID

from pbm_holomino.errors import DONE
from pbm_holomino.match.push import is_right
from pbm_holomino.server import notices, push
from pbm_holomino.server.push import decoded, encoded
from pbm_holomino.server.transaction import Server
from pbm_holomino.store import notices as waiting
from tests.house import PASSWORDS, House, home, mail_of
from tests.processes import wait_until
from tests.web.browser import Browser, Page, signed_in, without_threads

__all__ = ["without_threads"]

WEB = "https://games.example.org"
HOST = "updates.push.services.mozilla.com"
SERVICE = f"https://{HOST}"
_P256 = ec.SECP256R1()


class Message(NamedTuple):
    """What came to the service: for which browser, and what it says to it."""

    path: str
    text: str


class Device:
    """A browser's side: the key and the secret by which only it can read."""

    def __init__(self) -> None:
        self.private = ec.generate_private_key(_P256)
        self.public = self.private.public_key().public_bytes(
            Encoding.X962, PublicFormat.UncompressedPoint
        )
        self.secret = b"sixteen bytes..."

    def read(self, body: bytes) -> str:
        """What a message says, as RFC 8188 and RFC 8291 have it."""
        salt, size, point = body[:16], int.from_bytes(body[16:20]), body[21:86]
        assert (size, body[20]) == (4096, 65)
        theirs = ec.EllipticCurvePublicKey.from_encoded_point(_P256, point)
        shared = self.private.exchange(ec.ECDH(), theirs)

        def derived(material: bytes, salt: bytes, info: bytes, length: int) -> bytes:
            made: bytes = HKDF(SHA256(), length, salt, info).derive(material)
            return made

        info = b"WebPush: info\0" + self.public + point
        material = derived(shared, self.secret, info, 32)
        key = derived(material, salt, b"Content-Encoding: aes128gcm\0", 16)
        nonce = derived(material, salt, b"Content-Encoding: nonce\0", 12)
        text: bytes = AESGCM(key).decrypt(nonce, body[86:], None)
        assert text.endswith(b"\2")
        return text[:-1].decode()


class Service:
    """A push service: what has come to it, and how it answers."""

    def __init__(self) -> None:
        self.device = Device()
        self.came: list[Message] = []
        self.signed: list[str] = []
        self.answer: Callable[[BaseHTTPRequestHandler], None] = lambda to: _ok(to, 201)


def _ok(to: BaseHTTPRequestHandler, status: int) -> None:
    to.send_response(status)
    to.send_header("Location", f"{SERVICE}/elsewhere")
    to.send_header("Content-Length", "0")
    to.end_headers()


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate for the host of the service, signed by itself, and its key."""
    key, now = ec.generate_private_key(_P256), datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, HOST)])
    made = (
        x509.CertificateBuilder(name, name, key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(HOST)]), False)
        .sign(key, SHA256())
    )
    path = tmp_path_factory.mktemp("service") / "both.pem"
    form = (Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    path.write_bytes(made.public_bytes(Encoding.PEM) + key.private_bytes(*form))
    return path


@pytest.fixture
def service(certificate: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    """The one that all known hosts lead to, by TLS."""
    made = Service()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            assert self.headers["Host"] == HOST
            assert self.headers["Content-Encoding"] == "aes128gcm"
            assert int(self.headers["TTL"]) > 0
            made.came.append(Message(self.path, made.device.read(body)))
            made.signed.append(self.headers["Authorization"])
            made.answer(self)

        def log_message(self, *words: object) -> None:
            """Nothing is said."""

    with _running(Handler, certificate) as port:

        def resolve(host: str, asked: int, **words: object) -> list[Any]:
            assert (host, asked) == (HOST, 443)
            return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]

        monkeypatch.setattr(socket, "getaddrinfo", resolve)
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        yield made


@contextmanager
def _running(handler: type[BaseHTTPRequestHandler], certificate: Path) -> Iterator[int]:
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        server.socket = context.wrap_socket(
            server.socket, server_side=True, do_handshake_on_connect=False
        )
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


@pytest.fixture
def bob(house: House, service: Service) -> Browser:
    """His browser, which is told of his turns; it is alice's on board 1."""
    house.config = house.config._replace(web=WEB)
    house.server = Server(house.library, house.post, web=WEB)
    house.server.now = lambda: house.time
    browser = signed_in(house, "bob")
    assert "tells you" in _switched(browser, service).text
    return browser


def _switched(browser: Browser, service: Service, endpoint: str = "/push/1") -> Page:
    """The page after this browser has given its form what it knows."""
    return browser.press(
        "/settings",
        "/push",
        endpoint=f"{SERVICE}{endpoint}",
        key=encoded(service.device.public),
        auth=encoded(service.device.secret),
    )


def _moved(house: House, who: str) -> None:
    move = house.library.match("holo", 1).view(None).legal[0]
    house.mail(mail_of(f"holo move 1 {who} {PASSWORDS[who]} {move}", home(who)))
    notices.tell(house.server)


def test_a_message_is_encrypted_as_in_the_standards_example() -> None:
    """RFC 8291, section 5 and appendix A."""
    ours = int.from_bytes(decoded("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"))
    made = push.encrypted(
        b"When I grow up, I want to be a watermelon",
        decoded(
            "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6"
            "SRpkNtoIAiw4"
        ),
        decoded("BTBZMqHH6r4Tts7J_aSIgg"),
        ec.derive_private_key(ours, _P256),
        decoded("DGv6ra1nlYgDCS1FRnbzlw"),
    )
    assert encoded(made) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3v"
        "CYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPX"
        "LWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )


def test_a_browser_is_told_once_of_each_turn(
    house: House, service: Service, bob: Browser
) -> None:
    """Of the game and the board alone; what somebody says is not a turn."""
    _moved(house, "alice")
    assert service.came == [Message("/push/1", "holo/1")]
    words = f"holo chat 1 alice {PASSWORDS['alice']}"
    house.mail(mail_of(words, home("alice"), body="Your turn!"))
    _moved(house, "bob")
    assert len(service.came) == 1
    _moved(house, "alice")
    assert len(service.came) == 2


def test_a_message_is_signed_by_the_servers_key(
    house: House, service: Service, bob: Browser
) -> None:
    _moved(house, "alice")
    (signed,) = service.signed
    token, _, known = signed.removeprefix("vapid t=").partition(", k=")
    assert f'data-push="{known}"' not in bob.get("/").html
    assert f'data-push="{known}"' in bob.get("/settings").html
    words, _, signature = token.rpartition(".")
    r, s = (int.from_bytes(decoded(signature)[at : at + 32]) for at in (0, 32))
    ec.EllipticCurvePublicKey.from_encoded_point(_P256, decoded(known)).verify(
        encode_dss_signature(r, s), words.encode(), ec.ECDSA(SHA256())
    )
    claims = json.loads(urlsafe_b64decode(words.partition(".")[2] + "=="))
    assert (claims["aud"], claims["sub"]) == (SERVICE, WEB)


def test_whoever_switches_it_off_or_signs_out_is_told_no_more(
    house: House, service: Service, bob: Browser
) -> None:
    assert "tells you" not in bob.press("/settings", "/push").text
    other = signed_in(house, "bob")
    _switched(other, service)
    other.press("/settings", "/signout")
    _moved(house, "alice")
    assert service.came == []


@pytest.mark.parametrize("how", ["/push", "/signout", "/delete"])
def test_what_waits_is_dropped_when_nobody_is_to_be_told(
    house: House, service: Service, bob: Browser, how: str
) -> None:
    house.play(1, moves=1)
    assert [*waiting.waiting(house.store)]
    if how == "/delete":
        for line in ("holo resign 1 bob {bob}", "delete bob {bob}"):
            assert house.type(line).status == DONE
    else:
        bob.press("/settings", how)
    notices.tell(house.server)
    assert service.came == []
    assert [*waiting.waiting(house.store)] == []


@pytest.mark.parametrize(("status", "left"), [(410, 0), (404, 0), (301, 1), (500, 1)])
def test_a_service_may_refuse(
    house: House, service: Service, bob: Browser, status: int, left: int
) -> None:
    """The letter comes all the same. A browser that is not there any more is
    forgotten, and nothing is sent to where a service leads."""
    service.answer = lambda to: _ok(to, status)
    house.taken()
    _moved(house, "alice")
    assert "bob@example.org" in {to for letter in house.taken() for to in letter.to}
    assert [message.path for message in service.came] == ["/push/1"]
    player = house.library.player("bob")
    assert player is not None
    assert len(player.pushes) == left


def test_a_service_that_is_silent_holds_nothing_up(
    house: House, service: Service, bob: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(push, "_SECONDS", 0.0)
    _moved(house, "alice")
    assert service.came == []
    assert not house.has_marks()


def test_a_service_that_answers_byte_by_byte_is_left(
    house: House, service: Service, bob: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a player's browsers may take is counted from the first byte to the last."""
    left = threading.Event()

    def dribble(to: BaseHTTPRequestHandler) -> None:
        try:
            for _ in range(600):
                to.wfile.write(b"H")
                time.sleep(0.05)
        except OSError:
            left.set()

    service.answer = dribble
    monkeypatch.setattr(push, "_SECONDS", 0.5)
    _moved(house, "alice")
    assert [message.path for message in service.came] == ["/push/1"]
    wait_until(left.is_set)


KEYS = "B" * 87, "a" * 22


@pytest.mark.parametrize(
    "endpoint",
    [
        "https://fcm.googleapis.com/fcm/send/a:b",
        "https://updates.push.services.mozilla.com/wpush/v2/x",
        "https://web.push.apple.com/x",
        "https://wns2-by3p.notify.windows.com/w/?token=x%3d",
    ],
)
def test_the_services_of_browsers_are_known(endpoint: str) -> None:
    assert is_right(endpoint, *KEYS)


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://fcm.googleapis.com/x",
        "https://fcm.googleapis.com:8443/x",
        "https://a@fcm.googleapis.com/x",
        "https://fcm.googleapis.com.example.org/x",
        "https://examplenotify.windows.com.evil.org/x",
        "https://127.0.0.1/x",
        "https://[::1",
        "https://fcm.googleapis.com/x y",
        "https://fcm.googleapis.com/x\r\nHost: y",
        "https://fcm.googleapis.com/x#y",
        "https://fcm.googleapis.com/" + "x" * 1000,
        "file:///etc/passwd",
    ],
)
def test_nothing_else_is_asked(house: House, bob: Browser, endpoint: str) -> None:
    assert not is_right(endpoint, *KEYS)
    key, auth = KEYS
    given = bob.press("/settings", "/push")  # off, so that the form has its fields
    page = bob.send(given.form("/push"), endpoint=endpoint, key=key, auth=auth)
    assert page.status == 422
    assert "push service" in page.text


def test_keys_that_are_none_are_refused() -> None:
    endpoint = "https://fcm.googleapis.com/x"
    for key, auth in (("", ""), ("B" * 86, "a" * 22), ("B" * 87, "a" * 23)):
        assert not is_right(endpoint, key, auth)
