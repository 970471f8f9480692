"""Letters by SMTP on connections that are used again: nothing is lost, and nothing
leaves twice but what was cut off between the final dot and its answer."""

import os
import signal
import smtplib
import socket
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from email import message_from_bytes
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pbm_holomino.letters.content import said
from pbm_holomino.letters.letter import Letter
from pbm_holomino.mail import submission
from pbm_holomino.mail.message import message
from pbm_holomino.mail.outcomes import GONE, Outcome, Parcel
from pbm_holomino.mail.submission import Connections
from pbm_holomino.store.config import Config
from tests import storage
from tests.house import House
from tests.mail.postboxes import HANG_UP, Postbox, postbox
from tests.processes import PATIENCE, run, start, wait_until
from tests.sizes import some

ALICE, BOB = "alice@example.org", "bob@example.net"
CONFIG = Config(address="games@play.example")


def parcel(number: int, *to: str) -> Parcel:
    """A letter of its own Message-ID."""
    to = to or (ALICE,)
    letter = Letter(f"holo.12.{number}.alice", to, "your turn", said("Yours.\n"))
    return Parcel(letter.key, message(letter, CONFIG), to)


def sending(box: Postbox, **settings: object) -> Connections:
    config = box.config()._replace(**settings)  # type: ignore[arg-type]
    return Connections("/nowhere", config)


def ids(box: Postbox) -> list[str]:
    """The Message-IDs of what has come."""
    return [message_from_bytes(mail.text)["Message-ID"] for mail in box.brought]


def message_id(number: int) -> str:
    return f"<holo.12.{number}.alice@play.example>"


def verbs(box: Postbox) -> list[str]:
    return [line.partition(" ")[0].upper() for line in box.heard]


# One connection


def test_letters_in_a_row_share_a_connection() -> None:
    with postbox() as box:
        way = sending(box)
        for number in range(3):
            assert way.send(parcel(number, ALICE, BOB)) == {ALICE: GONE, BOB: GONE}
        assert box.connections == 1
        assert "QUIT" not in verbs(box)
        way.close()
    one = ["MAIL", "RCPT", "RCPT", "DATA"]
    assert verbs(box) == ["EHLO", *one, *one, *one, "QUIT"]
    assert ids(box) == [message_id(number) for number in range(3)]


@pytest.mark.parametrize(
    ("answers", "kinds"),
    [
        ({ALICE: "550"}, "ng"),
        ({ALICE: "450", BOB: "450"}, "ll"),
        ({"DATA": "451"}, "ll"),
        ({"DATA": "554"}, "nn"),
        ({".": "552"}, "nn"),
    ],
)
def test_a_letter_that_was_refused_leaves_the_connection_clean(
    answers: dict[str, str], kinds: str
) -> None:
    """The next letter goes to its own readers only."""
    with postbox(answers) as box:
        way = sending(box)
        found = way.send(parcel(1, ALICE, BOB))
        assert [_kind(found[to]) for to in (ALICE, BOB)] == list(kinds)
        box.answers.clear()
        box.brought.clear()
        assert way.send(parcel(2, "carol@example.com")) == {"carol@example.com": GONE}
        assert box.connections == 1
        way.close()
    assert box.got() == [("carol@example.com",)]


def _kind(outcome: Outcome) -> str:
    return "gln"[bool(outcome.why) + outcome.for_good]


@pytest.mark.parametrize("code", ["421", "451", "503", HANG_UP])
def test_a_used_connection_that_takes_no_more_is_replaced(code: str) -> None:
    """Servers end connections that have brought enough; a new one takes the letter."""
    with postbox() as box, once(box, "MAIL", code, after=1):
        way = sending(box)
        for number in range(3):
            assert way.send(parcel(number)) == {ALICE: GONE}
        way.close()
    assert box.connections == 2
    assert ids(box) == [message_id(number) for number in range(3)]


@contextmanager
def once(box: Postbox, verb: str, code: str, after: int) -> Iterator[None]:
    """Answer the command with a code when it has come so often, once."""
    usual = box.answers

    class Answers(dict[str, str]):
        count = 0

        def get(self, what: str, default: str = "") -> str:  # type: ignore[override]
            self.count += what == verb
            if what == verb and self.count == after + 1:
                return code
            return default

    box.answers = Answers()
    yield
    box.answers = usual


def test_a_new_connection_that_is_refused_is_not_tried_again() -> None:
    with postbox({"MAIL": "451"}) as box:
        assert _kind(sending(box).send(parcel(1))[ALICE]) == "l"
    assert (box.connections, verbs(box).count("MAIL")) == (1, 1)


def test_an_idle_connection_is_closed(monkeypatch) -> None:
    monkeypatch.setattr(submission, "_IDLE", 0.1)
    with postbox() as box:
        way = sending(box)
        way.send(parcel(1))
        wait_until(lambda: "QUIT" in verbs(box), "the goodbye")
        assert way.send(parcel(2)) == {ALICE: GONE}
        assert box.connections == 2
        wait_until(lambda: verbs(box).count("QUIT") == 2, "the second goodbye")


def test_threads_share_connections_but_never_at_once() -> None:
    """Each letter arrives whole, at its own reader, and once."""
    readers = [f"reader{number}@example.org" for number in range(60)]
    with postbox() as box:
        way = sending(box, user="me", tls="no")
        parcels = [parcel(number, to) for number, to in enumerate(readers)]
        with ThreadPoolExecutor(6) as pool:
            found = list(pool.map(way.send, parcels))
        way.close()
    assert found == [{to: GONE} for to in readers]
    came = {mail.to: message_from_bytes(mail.text)["To"] for mail in box.brought}
    assert came == {(to,): to for to in readers}
    assert len(box.brought) == len(readers)
    assert box.connections <= 6


def test_a_provider_gets_few_connections_at_once(monkeypatch) -> None:
    """The others wait for their turn."""
    monkeypatch.setattr(submission, "_MOST", 2)
    most = 0
    with postbox() as box:
        way = sending(box)
        now, lock = 0, threading.Lock()
        begun = way._begun  # what each letter passes while it holds its turn

        def counted(sender):
            nonlocal now, most
            with lock:
                now += 1
                most = max(most, now)
            wait_until(lambda: most == 2)
            smtp = begun(sender)
            with lock:
                now -= 1
            return smtp

        monkeypatch.setattr(way, "_begun", counted)
        with ThreadPoolExecutor(8) as pool:
            found = list(pool.map(way.send, map(parcel, range(16))))
        way.close()
    assert found == [{ALICE: GONE}] * 16
    assert most == 2


def test_a_letter_does_not_wait_for_ever_for_its_turn(monkeypatch) -> None:
    monkeypatch.setattr(submission, "_MOST", 1)
    monkeypatch.setattr(submission, "_PATIENCE", 0.2)
    with postbox() as box:
        way = sending(box)
        assert way._turns.acquire()
        why = way.send(parcel(1))[ALICE].why
        way._turns.release()
        assert why.endswith("does not take letters: other letters take too long.")
        assert way.send(parcel(1)) == {ALICE: GONE}
        way.close()


# Whose fault it is


@pytest.mark.parametrize(
    ("code", "words", "kind"),
    [
        ("530", "5.7.0 Authentication required", "l"),
        ("535", "5.7.8 no", "l"),
        ("550", "5.1.8 Bad sender's system address", "l"),
        ("553", "5.7.1 <>: Sender address rejected: not owned by user me", "l"),
        ("550", "5.1.1 No such user", "n"),
        ("550", "5.7.1 We do not want this", "n"),
    ],
)
def test_a_refusal_of_the_sender_is_not_about_a_reader(
    code: str, words: str, kind: str
) -> None:
    """It would make every letter undeliverable, where the owner has a setting to
    mend."""
    with refusing(f"{code} {words}") as name:
        config = CONFIG._replace(send="smtp", smtp=name)
        way = Connections("/nowhere", config)
        found = way.send(parcel(1))
        way.close()
    assert _kind(found[ALICE]) == kind
    assert words.split()[0] in found[ALICE].why


@contextmanager
def refusing(answer: str) -> Iterator[str]:
    """A server that says this to RCPT, while the block runs."""
    with socket.create_server(("127.0.0.1", 0)) as door:

        def serve() -> None:
            with suppress(OSError), door.accept()[0] as peer:
                lines = peer.makefile("rb")
                peer.sendall(b"220 here\r\n")
                for line in lines:
                    said = answer.encode() if line.startswith(b"rcpt") else b"250 ok"
                    peer.sendall(said + b"\r\n")

        server = threading.Thread(target=serve)
        server.start()
        yield f"127.0.0.1:{door.getsockname()[1]}"
        server.join(PATIENCE)


# A connection that is cut


class Cutter:
    """A proxy that cuts a connection: before it passes on the line of the client with
    this number, counted over all connections, or before it passes on the answer."""

    def __init__(self, to: Postbox, line: int, before_answer: bool) -> None:
        self._to, self._line, self._before_answer = to, line, before_answer
        self._lock, self._lines = threading.Lock(), 0
        self.cut = ""  # the line at which it was
        self._door = socket.create_server(("127.0.0.1", 0))
        self.name = f"127.0.0.1:{self._door.getsockname()[1]}"
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._door.accept()
                threading.Thread(target=self._pass, args=(client,), daemon=True).start()

    def _pass(self, client: socket.socket) -> None:
        port = self._to.server_address[1]
        server = socket.create_connection(("127.0.0.1", port))
        with client, server, suppress(OSError):
            heard, answers = client.makefile("rb"), server.makefile("rb")
            is_text = False
            client.sendall(self._answer(answers))
            for line in heard:
                is_last = is_text and line == b".\r\n"
                if not is_text or is_last:
                    self._lines += 1
                is_here = self._lines == self._line and not self.cut
                if is_here and (is_last or not is_text):
                    self.cut = line.decode().strip()
                    if not self._before_answer:
                        return
                server.sendall(line)
                if is_text and not is_last:
                    continue
                answer = self._answer(answers)
                if is_here:
                    return
                client.sendall(answer)
                is_text = line == b"data\r\n" and answer.startswith(b"354")

    def _answer(self, answers) -> bytes:
        text = b""
        while not text or text.splitlines()[-1][3:4] == b"-":
            line = answers.readline()
            if not line:
                raise ConnectionError
            text += line
        return text

    def close(self) -> None:
        self._door.close()


LINES = 9  # EHLO, and for each of two letters MAIL, RCPT, DATA and the dot


@pytest.mark.parametrize("before_answer", [False, True], ids=["unsaid", "unheard"])
@pytest.mark.parametrize("line", range(1, LINES + 1))
def test_a_connection_that_is_cut_at_any_line(line: int, before_answer: bool) -> None:
    """What has not gone is tried again until it has. Only a letter of which the dot was
    said, and its answer not heard, arrives twice."""
    with postbox() as box:
        cutter = Cutter(box, line, before_answer)
        way = Connections("/nowhere", CONFIG._replace(send="smtp", smtp=cutter.name))
        tries = Counter[int]()
        for number in (1, 2):
            done: dict[str, Outcome] = {}
            while done != {ALICE: GONE}:
                tries[number] += 1
                assert tries[number] < 4
                done = dict(way.send(parcel(number)))
        way.close()
        cutter.close()
    assert cutter.cut
    came = Counter(ids(box))
    twice = cutter.cut == "." and before_answer
    which = 1 if line <= 5 else 2
    want = {message_id(number): 1 + (twice and number == which) for number in (1, 2)}
    assert came == want
    # where the second letter's first line is lost, a new connection takes it at once
    assert tries.total() == (2 if line == 6 else 3)


def test_what_a_lost_connection_left_open_is_closed() -> None:
    with postbox({"DATA": HANG_UP}) as box:
        way = sending(box)
        assert _kind(way.send(parcel(1))[ALICE]) == "l"
        box.answers.clear()
        assert way.send(parcel(1)) == {ALICE: GONE}
        assert box.connections == 2
        way.close()


# Logging in


class Provider:
    """A server that wants a login; what it says to each line of one is given."""

    def __init__(self, offered: str, *answers: str) -> None:
        self._offered, self._answers = offered, list(answers)
        self.heard: list[str] = []
        self._ours, self.theirs = socket.socketpair()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        with self._ours as peer:
            for line in peer.makefile("rb"):
                text = line.decode().strip()
                self.heard.append(text)
                said = "250 ok"
                if text.startswith("ehlo"):
                    said = f"250-here\r\n250 AUTH {self._offered}"
                elif text.upper() != "QUIT":
                    said = self._answers.pop(0)
                peer.sendall(f"{said}\r\n".encode())


def logged_in(provider: Provider, folder: Path, secret: str, **settings: Any):
    """Log in to a provider, without the TLS around it."""
    (folder / "pw").write_text(f"{secret}\n", "utf-8")
    (folder / "pw").chmod(0o600)
    config = CONFIG._replace(
        user="me@example.org", password_file="pw", tls="implicit", **settings
    )
    way = Connections(str(folder), config)
    smtp = smtplib.SMTP()
    smtp.sock = provider.theirs
    smtp.ehlo("there")
    return partial(way._log_in, smtp)


# base64 by hand, with "printf ... | base64"
PLAIN = "AG1lQGV4YW1wbGUub3JnAHMzY3LDqXQ="  # \0me@example.org\0s3crét
USER, WORD = "bWVAZXhhbXBsZS5vcmc=", "czNjcsOpdA=="
XOAUTH2 = "dXNlcj1tZUBleGFtcGxlLm9yZwFhdXRoPUJlYXJlciB0b2tlbgEB"


def test_plain(tmp_path: Path) -> None:
    provider = Provider("LOGIN PLAIN CRAM-MD5", "235 yes")
    logged_in(provider, tmp_path, "s3cr\xe9t")()
    assert provider.heard[1:] == [f"AUTH PLAIN {PLAIN}"]


def test_login(tmp_path: Path) -> None:
    provider = Provider("LOGIN", "334 VXNlcm5hbWU6", "334 UGFzc3dvcmQ6", "235 yes")
    logged_in(provider, tmp_path, "s3cr\xe9t")()
    assert provider.heard[1:] == ["AUTH LOGIN", USER, WORD]


def test_xoauth2(tmp_path: Path) -> None:
    provider = Provider("PLAIN XOAUTH2", "235 yes")
    logged_in(provider, tmp_path, "token", auth="xoauth2")()
    assert provider.heard[1:] == [f"AUTH XOAUTH2 {XOAUTH2}"]


def test_xoauth2_answers_the_reasons_of_a_refusal(tmp_path: Path) -> None:
    """Or the server would wait for more."""
    provider = Provider("XOAUTH2", "334 eyJzdGF0dXMiOiI0MDAifQ==", "535 5.7.8 no")
    with pytest.raises(OSError, match=r"535 to AUTH \(5\.7\.8 no\)"):
        logged_in(provider, tmp_path, "token", auth="xoauth2")()
    assert provider.heard[1:] == [f"AUTH XOAUTH2 {XOAUTH2}", ""]


@pytest.mark.parametrize("offered", ["", "CRAM-MD5 GSSAPI", "XOAUTH2"])
def test_a_server_that_offers_no_way_to_log_in(tmp_path: Path, offered: str) -> None:
    provider = Provider(offered)
    with pytest.raises(OSError, match=f"offers {offered.replace(' ', ', ')}"):
        logged_in(provider, tmp_path, "s3cret")()
    assert len(provider.heard) == 1


@pytest.mark.parametrize(
    "said", [f"500 what is AUTH PLAIN {PLAIN}", "535 s3cr\xe9t is wrong"]
)
def test_a_server_that_quotes_the_secret(tmp_path: Path, said: str) -> None:
    provider = Provider("PLAIN", said)
    with pytest.raises(OSError, match="to AUTH$") as error:
        logged_in(provider, tmp_path, "s3cr\xe9t")()
    assert not {"s3cr", PLAIN} & set(str(error.value).split())
    assert "s3cr" not in str(error.value)


def test_a_login_that_was_refused_is_not_tried_again_soon(
    tmp_path: Path, monkeypatch
) -> None:
    """A provider may lock an account after a few wrong passwords."""
    provider = Provider("PLAIN", "535 no")
    try_it = logged_in(provider, tmp_path, "wrong")
    way = try_it.func.__self__
    with pytest.raises(OSError, match="535 to AUTH"):
        try_it()
    for _ in range(3):
        why = way.send(parcel(1))[ALICE].why
        assert why == "localhost:25 does not take letters: 535 to AUTH (no)."
    tried = []

    def opening(*_: object, **__: object) -> None:
        tried.append(1)
        raise OSError("another try")

    monkeypatch.setattr(smtplib, "SMTP_SSL", opening)
    monkeypatch.setattr(submission, "monotonic", lambda: time.monotonic() + 61)
    assert "another try" in way.send(parcel(1))[ALICE].why
    assert tried


def test_a_password_that_was_changed_is_tried_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    try_it = logged_in(Provider("PLAIN", "535 no"), tmp_path, "wrong")
    way = try_it.func.__self__
    with pytest.raises(OSError, match="535 to AUTH"):
        try_it()

    def opening(*_: object, **__: object) -> None:
        raise OSError("another try")

    monkeypatch.setattr(smtplib, "SMTP_SSL", opening)
    assert "535 to AUTH" in way.send(parcel(1))[ALICE].why
    (tmp_path / "pw").write_text("the right one\n")
    assert "another try" in way.send(parcel(1))[ALICE].why


def test_a_password_never_goes_where_it_could_be_read() -> None:
    """A mailbox whose letters leave by a server of one's own."""
    with postbox() as box:
        way = sending(box, user="me@example.org", password_file="/missing")
        assert way.send(parcel(1)) == {ALICE: GONE}
        way.close()
    assert "AUTH" not in verbs(box)


def test_a_server_that_offers_no_starttls_gets_no_letter() -> None:
    with postbox() as box:
        way = sending(box, tls="starttls", user="me", password_file="/missing")
        why = way.send(parcel(1))[ALICE].why
    assert "STARTTLS" in why
    assert (box.brought, {"AUTH", "MAIL"} & {*verbs(box)}) == ([], set())


# The sender


@pytest.mark.parametrize(
    ("envelope", "senders"),
    [
        ("", ["", ""]),
        ("games@play.example", ["games@play.example"] * 2),
        ("games+@play.example", ["games+b.x@play.example", "games@play.example"]),
    ],
)
def test_the_envelope_has_the_sender_of_the_settings(
    envelope: str, senders: list[str]
) -> None:
    """On one connection, each letter has the mark that is its own."""
    with postbox() as box:
        way = sending(box, envelope=envelope)
        assert way.send(parcel(1)._replace(mark="b.x")) == {ALICE: GONE}
        assert way.send(parcel(2)) == {ALICE: GONE}
        way.close()
    assert [mail.sender for mail in box.brought] == senders
    assert box.connections == 1


# A process that is killed


class Killer(dict[str, str]):
    """Answers that are all as usual, but before one of them the process is killed."""

    def __init__(self, last: int) -> None:
        super().__init__()
        self._last, self.said = last, list[str]()
        self.process: subprocess.Popen[bytes] | None = None

    def get(self, what: str, default: str = "") -> str:  # type: ignore[override]
        self.said.append(what)
        if len(self.said) < self._last:
            return default
        if len(self.said) == self._last and self.process is not None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        return HANG_UP


# what a flush of two letters is answered; a letter is taken before its last answer
STEPS = ["CONNECT", "EHLO", *["MAIL", "RCPT", "DATA", "taken", "."] * 2, "QUIT"]


@pytest.mark.parametrize("last", some(range(1, len(STEPS) + 1), 7))
def test_a_process_that_is_killed_before_an_answer(tmp_path: Path, last: int) -> None:
    """Both letters arrive. Only one of which the answer to the dot was not heard
    arrives twice."""
    house = House(tmp_path / "games").sign_up("alice", "bob")
    house.cannot_send()
    house.challenge()
    with postbox() as box:
        house.settings(box.settings)
        box.answers = killer = Killer(last)
        killer.process = start("pbm", "flush", PBM_GAMES=str(house.folder))
        wait_until(lambda: len(killer.said) >= last, "the last answer")
        killer.process.wait()
        storage.over.pass_leases(house.folder)
        box.answers = {}
        assert run(house.folder, "pbm", "flush").status == 0
        came = Counter(ids(box))
    twice = STEPS[last - 1] == "."
    assert sorted(came.values()) == [1, 1 + twice]
    assert house.store.marks.unsent("holo") == {}
