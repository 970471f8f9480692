"""A mailbox whose provider takes no passwords: the owner signs in once, and tokens are
renewed from then on. The server for tokens is the tests' own, the mailbox a Dovecot."""

import json
import ssl
import stat
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import pytest

from pbm_holomino import owner
from pbm_holomino.errors import StoreTrouble
from pbm_holomino.fetch.opening import open_imap
from pbm_holomino.mail import login, oauth
from pbm_holomino.mail.oauth import Grant, SignIn
from pbm_holomino.owner import trial
from pbm_holomino.store.files import disk
from pbm_holomino.store.home import Home
from tests.fetch.provider import USER, Provider
from tests.fetch.submission import Submission, submission
from tests.fetch.test_setup import Owner, config, known, set_up
from tests.house import House, own
from tests.mail.signed_tokens import token
from tests.prose import plain

pytestmark = [
    pytest.mark.needs("dovecot-imapd", "openssl"),
    pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS"),
]

CLIENT = "00000000-1111-2222-3333-444444444444"
STEP = "Register the server at the provider."


class Tokens:
    """A server for codes and tokens: whose mailbox somebody has signed in for, if
    anybody has; whether each renewal brings another refresh token; what it was asked;
    and what it answers if not as it should."""

    def __init__(self) -> None:
        self.user, self.rotates, self.seconds = USER, True, 3600.0
        self.pending = 1
        self.good: set[str] = set()
        self.asked: list[dict[str, str]] = []
        self.odd: Callable[[BaseHTTPRequestHandler], None] | None = None
        self.port = 0
        self._numbers = count(1)

    @property
    def sign_in(self) -> SignIn:
        here = f"https://localhost:{self.port}"
        return SignIn(f"{here}/device", f"{here}/token", "mail offline_access", (STEP,))

    def said(self, path: str, fields: dict[str, str]) -> tuple[int, dict[str, Any]]:
        """The answer to a form, as RFC 8628 and RFC 6749 have it."""
        if fields.get("client_id") != CLIENT:
            why = "AADSTS700016: there is no such application.\r\nTrace: 1"
            return 400, {"error": "unauthorized_client", "error_description": why}
        if path == "/device":
            code = {"user_code": "AB-CD", "device_code": "d", "interval": 0}
            page = "https://provider.example/device"
            return 200, {**code, "verification_uri": page, "expires_in": 900}
        if fields["grant_type"] == "refresh_token":
            if fields["refresh_token"] not in self.good:
                return 400, {"error": "invalid_grant", "error_description": "Revoked."}
            return 200, self._granted(fields["refresh_token"])
        if self.pending:
            self.pending -= 1
            return 400, {"error": "authorization_pending"}
        if not self.user:
            return 400, {"error": "access_denied"}
        return 200, self._granted("")

    def _granted(self, before: str) -> dict[str, Any]:
        refresh = before
        if self.rotates or not before:
            refresh = f"refresh-{next(self._numbers)}"
            self.good = {refresh}  # the one before is used up
        access = token(self.user, self.seconds)
        return {
            "access_token": access,
            "refresh_token": refresh,
            "expires_in": self.seconds,
        }


@pytest.fixture(scope="module")
def listening(running: Provider) -> Iterator[Tokens]:
    made = Tokens()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            fields = dict(parse_qsl(body))
            made.asked.append(fields)
            if made.odd:
                return made.odd(self)
            status, said = made.said(self.path, fields)
            self.send_response(status)
            self.end_headers()
            self.wfile.write(json.dumps(said).encode())
            return None

        def log_message(self, *words: object) -> None:
            """Nothing is said."""

    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(
        running.certificate, running.certificate.with_suffix(".key")
    )
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.socket = context.wrap_socket(server.socket, server_side=True)
        made.port = server.server_port
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield made
        server.shutdown()
        thread.join()


@pytest.fixture
def tokens(
    listening: Tokens, dovecot: Provider, monkeypatch: pytest.MonkeyPatch
) -> Tokens:
    monkeypatch.setenv("SSL_CERT_FILE", str(dovecot.certificate))
    monkeypatch.setattr(trial, "_PATIENCE", 0.5)
    port = listening.port
    listening.__init__()  # type: ignore[misc]
    listening.port = port
    return listening


@pytest.fixture(scope="module")
def sending(running: Provider) -> Iterator[Submission]:
    with submission(running) as found:
        yield found


@pytest.fixture
def path(tokens: Tokens, tmp_path: Path) -> str:
    """A file with tokens, which were renewed just now."""
    file = str(tmp_path / "tokens")
    said = tokens._granted("")
    grant = Grant(CLIENT, tokens.sign_in.token, tokens.sign_in.scope, "")
    oauth.save(file, oauth.granted(grant, said, time.time()))
    return file


def _access(path: str) -> str:
    return oauth.access(path, ssl.create_default_context())


def _later(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    now = time.time() + seconds
    monkeypatch.setattr(time, "time", lambda: now)


# Signing in


def _owner(
    monkeypatch: pytest.MonkeyPatch, sending: Submission, tokens: Tokens
) -> Owner:
    sending.changes_ids, sending.knows_plus, sending.loses = False, True, False
    sending.folder, sending.refuses = "", False
    owner = known(monkeypatch, sending, auth="xoauth2", sign_in=tokens.sign_in)
    owner.answers["The client id of your registration"] = [CLIENT] * 9
    return owner


def test_a_mailbox_is_set_up_by_signing_in(
    sending: Submission,
    tokens: Tokens,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    owner = _owner(monkeypatch, sending, tokens)
    answer = set_up(tmp_path, owner)
    assert answer.status == 0, answer.text
    heard = plain(owner.heard)
    assert f"1. {STEP}" in heard
    assert "open https://provider.example/device in any browser" in heard
    assert f"the code AB-CD there, and sign in as {USER}" in heard
    assert "for 15 minutes at most" in heard
    assert "the tokens are in tokens beside it, for you alone" in plain(answer.text)
    kept = tmp_path / "tokens"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    found = config(tmp_path)
    assert (found.auth, found.token_file) == ("xoauth2", "tokens")
    assert (found.password_file, found.password_command) == ("", "")
    grant = oauth.read(str(kept))
    text = f"{owner.heard}{answer.text}{(tmp_path / 'config.yaml').read_text()}"
    assert grant.refresh not in text
    assert grant.access not in text
    with closing(open_imap(Home(str(tmp_path)))) as box:
        assert box.mails() == []


def test_somebody_else_has_signed_in(
    sending: Submission,
    tokens: Tokens,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It is said, and asked again; nothing is left."""
    tokens.user = "somebody@games.example.net"
    owner = _owner(monkeypatch, sending, tokens)
    owner.last = 5
    with pytest.raises(KeyboardInterrupt):
        set_up(tmp_path, owner)
    assert f"Perhaps another account than {USER} has signed in" in plain(owner.heard)
    assert [path.name for path in tmp_path.iterdir() if "tokens" in path.name] == []


@pytest.mark.parametrize(
    ("client", "user", "said"),
    [
        ("another", USER, "does not take this client id: AADSTS700016: there is no"),
        (CLIENT, "", "Nobody has signed in: access_denied."),
    ],
)
def test_a_provider_refuses(
    sending: Submission,
    tokens: Tokens,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    client: str,
    user: str,
    said: str,
) -> None:
    tokens.user = user
    owner = _owner(monkeypatch, sending, tokens)
    owner.answers["The client id of your registration"] = [client]
    answer = set_up(tmp_path, owner)
    assert answer.status == 1
    assert said in plain(answer.text)


# Renewing


def test_an_access_token_serves_until_shortly_before_its_end(
    tokens: Tokens, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = _access(path)
    _later(monkeypatch, 3200)
    assert _access(path) == first
    assert tokens.asked == []
    _later(monkeypatch, 3400)
    assert _access(path) != first
    (asked,) = tokens.asked
    assert asked["refresh_token"] == "refresh-1"
    assert oauth.read(path).refresh == "refresh-2"


@pytest.mark.parametrize("seconds", [-7200, 90_000, 10**9])
def test_a_clock_that_jumps_has_it_renewed(
    tokens: Tokens, path: str, monkeypatch: pytest.MonkeyPatch, seconds: int
) -> None:
    _later(monkeypatch, seconds)
    _access(path)
    assert len(tokens.asked) == 1
    _access(path)
    assert len(tokens.asked) == 1


def test_a_token_without_an_end_is_renewed_daily(
    tokens: Tokens, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the clock, too, where nobody logs in."""
    tokens.seconds = 10**7
    oauth.save(path, oauth.read(path)._replace(expires=time.time() + 10**7))
    for seconds, asked in ((80_000, 0), (90_000, 1), (100_000, 1)):
        with pytest.MonkeyPatch.context() as patched:
            _later(patched, seconds)
            _access(path)
        assert len(tokens.asked) == asked


def test_many_at_once_renew_it_once(
    tokens: Tokens, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    _later(monkeypatch, 4000)
    with ThreadPoolExecutor(8) as threads:
        found = {*threads.map(_access, [path] * 8)}
    assert len(found) == len(tokens.asked) == 1


def test_a_token_is_durable_before_it_is_used(
    tokens: Tokens, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    _later(monkeypatch, 4000)

    def full(*words: object, **more: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(disk, "write", full)
        with pytest.raises(StoreTrouble, match="No space"):
            _access(path)
    assert tokens.asked == []  # so that nothing is used up
    assert _access(path)
    assert oauth.read(path).refresh == "refresh-2"


def test_where_the_new_one_is_void_the_one_before_serves(
    tokens: Tokens, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    _later(monkeypatch, 4000)
    _access(path)
    tokens.good = {"refresh-1"}
    _later(monkeypatch, 8000)
    _access(path)
    used = [asked["refresh_token"] for asked in tokens.asked]
    assert used == ["refresh-1", "refresh-2", "refresh-1"]


def test_a_provider_that_gives_no_new_one_each_time(
    tokens: Tokens, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tokens.rotates = False
    for seconds in (4000, 8000, 12_000):
        _later(monkeypatch, seconds)
        _access(path)
    assert {asked["refresh_token"] for asked in tokens.asked} == {"refresh-1"}


def test_a_mailbox_that_refuses_a_token_gets_another(
    tokens: Tokens, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """But not one that was refused as soon as it was there."""
    first = _access(path)
    oauth.distrust(path, first)
    assert _access(path) == first
    _later(monkeypatch, 700)
    oauth.distrust(path, "another")
    assert _access(path) == first
    oauth.distrust(path, first)
    assert _access(path) != first


# What fails


def _grant(**odd: Any) -> str:
    return json.dumps({**Grant("c", "https://x", "s", "r")._asdict(), **odd})


def test_a_refusal_is_told_and_nobody_asks_again_at_once(
    house: House, tokens: Tokens, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = {"auth": "xoauth2", "token_file": path, "user": USER}
    house.config = house.config._replace(**words)  # type: ignore[arg-type]
    own(house, monkeypatch)
    assert "token was renewed" in owner.run(["status"]).text
    tokens.good.clear()
    _later(monkeypatch, 4000)
    for _ in range(3):
        with pytest.raises(StoreTrouble, match="has refused to renew its token"):
            login.password(Home(str(house.folder), house.config))
    assert len(tokens.asked) == 1
    report = owner.run(["status"])
    assert report.status == 2
    assert '(Revoked): please type "pbm setup" and sign in there again' in plain(
        report.text
    )
    ticked = owner.run(["tick"])
    assert ticked.status == 75
    assert "has refused to renew its token" in plain(ticked.text)
    tokens.good.add("refresh-1")
    _later(monkeypatch, 700)
    assert owner.run(["tick"]).status == 0
    assert owner.run(["status", "--json"]).text.count('"refused": null') == 1


def test_whatever_a_provider_refuses_by_is_a_refusal(
    tokens: Tokens, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that status says it: providers have errors of their own."""
    tokens.odd = _said('{"error": "interaction_required"}')
    _later(monkeypatch, 4000)
    with pytest.raises(StoreTrouble, match="has refused to renew its token"):
        _access(path)
    assert oauth.read(path).refused == "interaction_required"


@pytest.mark.parametrize("seconds", ['"²"', "NaN", "-5", "null", "[]", "1e400"])
def test_a_token_with_an_odd_end_is_good_for_an_hour(
    tokens: Tokens, path: str, monkeypatch: pytest.MonkeyPatch, seconds: str
) -> None:
    tokens.odd = _said(f'{{"access_token": "a", "expires_in": {seconds}}}')
    _later(monkeypatch, 4000)
    now = time.time()
    assert _access(path) == "a"
    assert oauth.read(path).expires == now + 3600


@pytest.mark.parametrize(
    "odd", ['"interval": null', '"interval": -1', '"expires_in": 1e400']
)
def test_a_code_with_odd_times(tokens: Tokens, odd: str) -> None:
    code = '"user_code": "A", "device_code": "d", "verification_uri": "https://x"'
    tokens.odd = _said(f"{{{code}, {odd}}}")
    found = oauth.begun(tokens.sign_in, CLIENT, ssl.create_default_context())
    assert (found.interval, found.seconds) == (5, 900)


def _waiting(
    monkeypatch: pytest.MonkeyPatch, tokens: Tokens, failures: int
) -> tuple[Callable[[], Grant], list[float]]:
    """Waiting for a minute for a sign-in, with a server that fails so often at first;
    and the pauses that were made meanwhile."""
    tls, pauses = ssl.create_default_context(), list[float]()
    code = oauth.begun(tokens.sign_in, CLIENT, tls)._replace(interval=5, seconds=60)

    def sleep(seconds: float) -> None:
        pauses.append(seconds)
        tokens.odd = _html if len(pauses) <= failures else None

    monkeypatch.setattr(time, "sleep", sleep)
    monkeypatch.setattr(time, "monotonic", lambda: sum(pauses))
    return lambda: oauth.waited_for(tokens.sign_in, CLIENT, code, tls), pauses


def test_a_server_that_fails_for_a_moment_does_not_end_the_sign_in(
    tokens: Tokens, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is asked more slowly: after two failures, once too early, and then in time."""
    waited_for, pauses = _waiting(monkeypatch, tokens, 2)
    assert waited_for().refresh == "refresh-1"
    assert pauses == [5, 10, 15, 15]


def test_a_server_that_fails_until_the_code_is_void(
    tokens: Tokens, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited_for, pauses = _waiting(monkeypatch, tokens, 99)
    with pytest.raises(StoreTrouble, match="The server for tokens"):
        waited_for()
    assert pauses == [5, 10, 15, 20, 25]


def test_a_certificate_that_is_wrong_is_named(
    tokens: Tokens, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SSL_CERT_FILE")
    _later(monkeypatch, 4000)
    with pytest.raises(StoreTrouble, match="certificate verify failed"):
        _access(path)


def _said(text: str) -> Callable[[BaseHTTPRequestHandler], None]:
    def odd(to: BaseHTTPRequestHandler) -> None:
        to.send_response(200)
        to.end_headers()
        to.wfile.write(text.encode())

    return odd


def _redirected(to: BaseHTTPRequestHandler) -> None:
    to.send_response(302)
    to.send_header("Location", f"https://localhost:{to.server.server_port}/token")  # type: ignore[attr-defined]
    to.end_headers()


def _html(to: BaseHTTPRequestHandler) -> None:
    to.send_response(502)
    to.end_headers()
    to.wfile.write(b"<html>Bad gateway")


@pytest.mark.parametrize(
    "odd",
    [
        *(_redirected, _html, lambda to: None),
        *map(_said, ("[1]", "{}", "[" * 90_000, '{"error": "server_error"}')),
    ],
)
def test_a_server_for_tokens_that_fails(
    tokens: Tokens,
    path: str,
    monkeypatch: pytest.MonkeyPatch,
    odd: Callable[[BaseHTTPRequestHandler], None],
) -> None:
    """It is no refusal: the next login asks again."""
    tokens.odd = odd
    _later(monkeypatch, 4000)
    with pytest.raises(StoreTrouble, match="The server for tokens"):
        _access(path)
    assert len(tokens.asked) == 1
    tokens.odd = None
    assert _access(path)


@pytest.mark.parametrize(
    ("text", "mode", "said"),
    [
        ("{", 0o600, "cannot be read: it is damaged"),
        ("[]", 0o600, "cannot be read: it is damaged"),
        ('{"client": "x"}', 0o600, "cannot be read: it is damaged"),
        (_grant(expires="5"), 0o600, "cannot be read: it is damaged"),
        (_grant(previous=5), 0o600, "cannot be read: it is damaged"),
        ("{}", 0o644, "Others can read the token_file"),
    ],
)
def test_a_file_that_cannot_be_used(
    tmp_path: Path, text: str, mode: int, said: str
) -> None:
    file = tmp_path / "tokens"
    file.write_text(text)
    file.chmod(mode)
    with pytest.raises(StoreTrouble, match=said):
        oauth.read(str(file))


def test_no_token_goes_where_others_could_read_it(path: str) -> None:
    grant = oauth.read(path)._replace(token="http://localhost/token", access="")
    oauth.save(path, grant)
    with pytest.raises(StoreTrouble, match="by https alone"):
        _access(path)
