"""Letters leave through a provider: over TLS, with a login, and each at least once."""

import os
import signal
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from time import sleep
from typing import Any

import pytest

from pbm_holomino.errors import CannotSend, LoginRefused
from pbm_holomino.letters.content import said
from pbm_holomino.letters.letter import Letter
from pbm_holomino.mail.message import message
from pbm_holomino.mail.outcomes import GONE, Outcome, Outcomes, Parcel
from pbm_holomino.mail.submission import Connections
from pbm_holomino.store.config import Config
from tests.house import House
from tests.mail.signed_tokens import token
from tests.processes import run, start
from tests.real.provider import DOMAIN, PASSWORD, USER, Provider, provider

pytestmark = pytest.mark.needs("root", "postfix", "dovecot-core", "openssl")
ALICE, BOB = f"alice@{DOMAIN}", f"bob@{DOMAIN}"


@pytest.fixture(scope="module")
def running() -> Iterator[Provider]:
    with provider() as found:
        yield found


@pytest.fixture
def at(running: Provider) -> Provider:
    running.empty()
    return running


def letters(
    at: Provider, *to: str, settings: Mapping[str, Any], number: int = 1
) -> Outcomes:
    """What becomes of letters in a row to these readers."""
    config = Config()._replace(**settings)
    way = Connections(str(at.root), config)
    found: dict[str, Outcome] = {}
    for count in range(number):
        letter = Letter(f"holo.12.{count}.x", to, "your turn", said("Yours.\n"))
        found |= way.send(Parcel(letter.key, message(letter, config), to))
    way.close()
    return found


@pytest.mark.parametrize("tls", ["implicit", "starttls"])
def test_letters_arrive_over_one_connection(at: Provider, tls: str) -> None:
    """With a password that is not ASCII."""
    settings = at.settings(tls)
    assert letters(at, ALICE, BOB, number=3, settings=settings) == {
        ALICE: GONE,
        BOB: GONE,
    }
    for name in ("alice", "bob"):
        ids = [mail["Message-ID"] for mail in at.mails(name)]
        assert sorted(ids) == [f"<holo.12.{n}.x@example.net>" for n in range(3)]
    assert at.log().count(": connect from") == 1
    assert at.log().count("sasl_method=PLAIN") == 3


@pytest.mark.parametrize("tls", ["implicit", "starttls"])
def test_a_wrong_password(at: Provider, tmp_path: Path, tls: str) -> None:
    (tmp_path / "pw").write_text("wr\xf6ng word\n", "utf-8")
    (tmp_path / "pw").chmod(0o600)
    settings = at.settings(tls, password_file=str(tmp_path / "pw"))
    found = letters(at, ALICE, number=3, settings=settings)
    assert not found[ALICE].for_good
    assert "535 to AUTH (5.7.8 Error: authentication failed" in found[ALICE].why
    assert "wr\xf6ng" not in found[ALICE].why
    assert at.log().count("authentication failed") == 1  # not three times
    assert at.mails("alice") == []


def test_only_logging_in(at: Provider, tmp_path: Path) -> None:
    (tmp_path / "pw").write_text("wrong\n")
    (tmp_path / "pw").chmod(0o600)
    right: dict[str, Any] = at.settings("implicit")
    wrong = {"password_file": str(tmp_path / "pw")}
    ways = [
        Connections(str(at.root), Config()._replace(**settings))
        for settings in (right, {**right, **wrong}, {**right, "tls_ca_file": ""})
    ]
    ways[0].begin()
    with pytest.raises(LoginRefused, match="does not accept the name or the password"):
        ways[1].begin()
    with pytest.raises(CannotSend, match=r"unable to get local issuer certificate\."):
        ways[2].begin()
    ways[0].close()
    assert at.log().count("sasl_method=") == 0  # no letter was begun


def test_a_token_that_a_command_prints(at: Provider) -> None:
    settings = at.settings("starttls", auth="xoauth2", password_file="")
    settings["password_command"] = f"echo {token(USER)}"
    assert letters(at, ALICE, number=2, settings=settings) == {ALICE: GONE}
    assert at.log().count("sasl_method=XOAUTH2") == 2
    assert len(at.mails("alice")) == 2


def test_a_token_that_is_too_old(at: Provider) -> None:
    old = token(USER, -60)
    settings = at.settings("starttls", auth="xoauth2", password_file="")
    settings["password_command"] = f"echo {old}"
    found = letters(at, ALICE, settings=settings)
    assert "535 to AUTH" in found[ALICE].why
    assert not any(part in found[ALICE].why for part in old.split("."))


@pytest.mark.parametrize(
    ("envelope", "said"),
    [("", "<>: Sender address rejected"), ("other@example.net", "not owned by user")],
)
def test_a_sender_that_the_provider_refuses(
    at: Provider, envelope: str, said: str
) -> None:
    """The letter waits for the owner to change the setting."""
    found = letters(at, ALICE, settings=at.settings("starttls", envelope=envelope))
    assert not found[ALICE].for_good
    assert said in found[ALICE].why
    found = letters(at, ALICE, settings=at.settings("starttls"))
    assert (found[ALICE], len(at.mails("alice"))) == (GONE, 1)


@pytest.mark.parametrize("tls", ["implicit", "starttls"])
@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"tls_ca_file": ""}, "unable to get local issuer certificate"),
        ({"host": "127.0.0.1"}, "certificate is not valid for '127.0.0.1'"),
    ],
    ids=["authority", "name"],
)
def test_a_certificate_that_cannot_be_trusted(
    at: Provider, tls: str, wrong: dict[str, str], why: str
) -> None:
    """Nobody is told the password."""
    settings = at.settings(tls)
    settings |= {key: value for key, value in wrong.items() if key != "host"}
    settings["smtp"] = f"{wrong.get('host', 'localhost')}:{getattr(at, tls)}"
    found = letters(at, ALICE, settings=settings)
    assert not found[ALICE].for_good
    assert "certificate verify failed" in found[ALICE].why
    assert why in found[ALICE].why
    assert "sasl" not in at.log()
    assert at.mails("alice") == []


@pytest.mark.parametrize(
    ("tls", "port"), [("implicit", "starttls"), ("starttls", "implicit")]
)
def test_the_wrong_tls_for_a_port(
    at: Provider, tls: str, port: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbm_holomino.mail.submission._PATIENCE", 1)
    settings = at.settings(tls, smtp=f"localhost:{getattr(at, port)}")
    assert letters(at, ALICE, settings=settings)[ALICE].why
    assert at.mails("alice") == []


def test_a_reader_that_does_not_exist_is_refused_for_good(at: Provider) -> None:
    nobody = f"nobody@{DOMAIN}"
    found = letters(at, nobody, ALICE, settings=at.settings("implicit"))
    assert found[nobody].for_good
    assert "550 to RCPT" in found[nobody].why
    assert found[ALICE] == GONE


DELAYS = (0.25, 0.35, 0.45, 0.6)  # seconds; a command needs about 0.5


def test_a_process_that_is_killed_at_any_moment(at: Provider, tmp_path: Path) -> None:
    """Every letter arrives; at most the one that was being sent arrives twice, with
    the same Message-ID."""
    house = House(tmp_path / "games").sign_up("alice", "bob")
    house.cannot_send()
    for _ in range(3):
        house.challenge()
    marks = len(house.store.marks.unsent("holo"))
    text = "".join(f"{k}: {v}\n" for k, v in at.settings("implicit").items())
    house.path("config.yaml").write_text(text)
    for delay in DELAYS:
        process = start("pbm", "flush", PBM_GAMES=str(house.folder))
        sleep(delay)
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
    done = run(house.folder, "pbm", "flush")
    assert done.status == 0, done.printed
    assert PASSWORD not in done.printed
    assert house.store.marks.unsent("holo") == {}
    for name in ("alice", "bob"):
        ids = Counter(mail["Message-ID"] for mail in at.mails(name))
        assert len(ids) == marks == 3
        assert ids.total() <= 3 + len(DELAYS)
