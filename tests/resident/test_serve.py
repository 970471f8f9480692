"""What a mail by LMTP does, and how it is answered."""

import os
import re
import smtplib
import stat
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from pbm_holomino.errors import BadCommand, NotAllowed
from pbm_holomino.resident import listeners, lmtp, serve
from pbm_holomino.resident.listeners import Listeners
from tests.house import PASSWORDS, House, home, open_house
from tests.processes import (
    PATIENCE,
    Resident,
    Talk,
    free_port,
    resident,
    run,
    send,
    until_sent,
    wait_until,
)
from tests.resident.desk import in_outbox, lmtp_server, mail, move, of_the_move

ALICE, BOB = home("alice"), home("bob")


@pytest.fixture
def house(house: House) -> House:
    house.settings("wait: 0\n")
    return house


class Shared(NamedTuple):
    """A server that runs, and the house that it is in."""

    house: House
    server: Resident

    def new_board(self) -> int:
        """A board of a test's own, where it is alice's turn."""
        self.house.challenges(1)
        return max(self.house.library.lists.boards("holo"))

    def move(self, board: int, who: str = "alice") -> bytes:
        """A mail with a move of the player whose turn it is."""
        return mail(who, move(self.house, who, board), f"{who}.{board}")


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shared]:
    """Tests that do not stop it share it. It has nothing to say on standard error."""
    house = open_house(tmp_path_factory.mktemp("shared") / "games")
    with resident(house) as server:
        yield Shared(house, server)
        assert server.stop() == (0, "")


def texts(house: House) -> list[str]:
    return [house.path("outbox", name).read_text() for name in in_outbox(house)]


def letters(house: House) -> str:
    return "".join(texts(house))


# Commands


def test_a_move_counts_and_both_players_hear_of_it(house: House) -> None:
    line = move(house, "alice")
    with resident(house) as server:
        assert server.send(mail("alice", line, "m1"))[0] == 250
        assert house.match().record.log[1].action == line.split()[-1]
        assert server.stop() == (0, "")
    assert in_outbox(house) == of_the_move(house)
    assert house.store.marks.unsent("holo") == {}


def test_a_refused_command_is_answered_with_250(shared: Shared) -> None:
    board = shared.new_board()
    line = f"holo move {board} bob {PASSWORDS['bob']} 123:1"
    assert shared.server.send(mail("bob", line, "refused"), BOB)[0] == 250
    why = f"It is not your turn on holo {board}"
    (told,) = [text for text in texts(shared.house) if why in text]
    assert f"To: {BOB}" in told
    assert shared.house.match(board).ply == 0


def test_many_commands_on_one_connection(house: House) -> None:
    house.type("holo challenge bob alice")
    with resident(house) as server, smtplib.LMTP(server.path) as client:
        for name, line in enumerate(
            ["help", "holo games", move(house, "alice"), move(house, "bob", 2)]
            + ["signup dave secret-1", "holo challenge alice bob"]
        ):
            raw = mail("alice", line, f"m{name}").decode()
            assert client.sendmail(ALICE, ["pbm@localhost"], raw) == {}
        until_sent(house)
    assert (house.match(1).ply, house.match(2).ply, house.match(3).ply) == (1, 1, 0)
    assert "The commands." in letters(house)
    assert "Welcome, dave!" in letters(house)


def test_a_mark_goes_soon_after_its_letters(shared: Shared) -> None:
    board = shared.new_board()
    for who in ("alice", "bob"):
        assert shared.server.send(shared.move(board, who), home(who))[0] == 250
        wait_until(lambda: shared.house.store.marks.unsent("holo") == {})


def test_the_same_mail_twice_counts_once(house: House) -> None:
    raw = mail("alice", move(house, "alice"), "m1")
    with resident(house) as server:
        assert server.send(raw)[0] == 250
        until_sent(house)
        record, sent = house.match().record, in_outbox(house)
        assert server.send(raw)[0] == 250
        assert server.stop() == (0, "")
    assert (house.match().record, in_outbox(house)) == (record, sent)
    assert sent == of_the_move(house)


def test_an_unreadable_mail_is_answered_with_250(shared: Shared) -> None:
    raws = [b"", b"\x00\xff\n\n" * 99, b"Subject: help\n\nHi"]
    for number, raw in enumerate(raws, 1):
        assert shared.server.send(raw)[0] == 250, raw
        assert len(os.listdir(shared.house.path("quarantine"))) == number, raw
    assert shared.server.send(shared.move(shared.new_board()))[0] == 250


def test_a_bounce_is_neither_carried_out_nor_answered(shared: Shared) -> None:
    board = shared.new_board()
    until_sent(shared.house)
    before = in_outbox(shared.house)
    assert shared.server.send(shared.move(board), "")[0] == 250
    assert shared.house.match(board).ply == 0
    assert in_outbox(shared.house) == before


def test_a_large_attachment_and_long_lines_do_no_harm(shared: Shared) -> None:
    board = shared.new_board()
    line = move(shared.house, "alice", board)
    body = "Hello!\n" + "--\n" + ("A" * 76 + "\n") * 120_000 + "x" * 200_000 + "\n"
    attached = (
        f"From: {ALICE}\nSubject: {line}\nMessage-ID: <large@x>\nMIME-Version: 1.0\n"
        'Content-Type: multipart/mixed; boundary="b"\n\n--b\n'
        "Content-Type: text/plain\n\nHello!\n--b\n"
        f"Content-Type: application/octet-stream\n\n{body}\n--b--\n"
    )
    assert len(attached) > 9_000_000
    assert shared.server.send(attached.encode())[0] == 250
    until_sent(shared.house)
    assert shared.house.match(board).ply == 1
    assert "alice writes:\n  Hello!\n" in letters(shared.house)


# Verdicts


def test_a_busy_board_is_answered_with_451(house: House) -> None:
    raw = mail("alice", move(house, "alice"), "m1")
    with resident(house) as server:
        with house.store.lock("holo", "1"):
            code, words = server.send(raw)
            assert (code, in_outbox(house)) == (451, [])
            assert b"again later" in words
        assert server.send(raw)[0] == 250
        assert house.match().ply == 1
        assert "holo 1 is busy" in server.stop()[1]


def test_letters_that_cannot_be_sent_stay_marked(house: House) -> None:
    """The mail is answered all the same, and need not come again."""
    house.settings("send: sendmail\nsendmail: /bin/false\n")
    raw = mail("alice", move(house, "alice"), "m1")
    with resident(house) as server:
        assert server.send(raw)[0] == 250
        assert server.send(raw)[0] == 250
        assert server.stop() == (0, "")
    assert house.store.marks.unsent("holo") == {"1": [1]}
    house.settings("")
    with resident(house) as server:
        assert server.send(raw)[0] == 250
        until_sent(house)
    assert len(house.match().record.log) == 2
    assert in_outbox(house) == of_the_move(house)


def test_each_recipient_gets_a_verdict(shared: Shared) -> None:
    board = shared.new_board()
    talk = Talk(shared.server.path).at_data("pbm@localhost", "games@localhost", "a@b.c")
    talk.say(*shared.move(board).decode().splitlines(), ".", "NOOP")
    *verdicts, noop = talk.hear(4)
    assert {verdict[:3] for verdict in verdicts} == {"250"}
    assert "2.0.0" in verdicts[0]
    assert "2.0.0" not in noop
    talk.close()
    # the challenge, that bob has accepted it, and the move
    assert len(shared.house.match(board).record.log) == 3


def test_a_mail_that_is_too_large_is_refused_and_the_connection_stays(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lmtp, "MOST_MAIL", 1000)
    monkeypatch.setattr(lmtp.Connection, "line_length_limit", 1000)
    with lmtp_server(house.server, house.path("lmtp")):
        talk = Talk(str(house.path("lmtp"))).at_data("a@b.c", "d@e.f")
        for lines in (["x" * 70] * 20, ["x" * 3000]):
            talk.say(*lines, ".")
            assert {answer[:1] for answer in talk.hear(2)} == {"5"}
            talk.say("MAIL FROM:<a@b.c>", "RCPT TO:<a@b.c>", "RCPT TO:<d@e.f>", "DATA")
            talk.hear(4)
        talk.say(".")
        talk.hear(2)
        talk.say(f"MAIL FROM:<{ALICE}> SIZE=1001")
        assert talk.hear() == [
            "552 Error: message size exceeds fixed maximum message size"
        ]
        talk.say(f"MAIL FROM:<{ALICE}> SIZE=999", "RCPT TO:<a@b.c>", "DATA")
        assert [answer[:3] for answer in talk.hear(3)] == ["250", "250", "354"]
        talk.say(*mail("alice", "help", "m1").decode().splitlines(), ".")
        assert talk.hear() == ["250 2.0.0 Done"]
        talk.close()


def test_an_address_is_judged_the_same_each_time(shared: Shared) -> None:
    judged = dict.fromkeys(["<a@b.c>", "<>", "a@b.c"], "250")
    judged |= dict.fromkeys(["@", "<", "a@", "<a@[1\\>", "<<a@b>", "<@>"], "553")
    for address, code in judged.items():
        talk = Talk(shared.server.path)
        talk.say("LHLO test", *[f"MAIL FROM:{address}", "RSET"] * 2)
        heard = [answer[:3] for answer in talk.hear(6)[2::2]]
        assert heard == [code] * 2, address
        talk.close()


def test_no_verdict_before_the_move_is_on_the_disk(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    line, fsync = move(house, "alice"), os.fsync
    asked, may = threading.Semaphore(0), threading.Semaphore(0)

    def held(fd: int) -> None:
        asked.release()
        assert may.acquire(timeout=PATIENCE)
        fsync(fd)

    monkeypatch.setattr(os, "fsync", held)
    with lmtp_server(house.server, house.path("lmtp")):
        talk = Talk(str(house.path("lmtp"))).at_data()
        talk.say(*mail("alice", line, "m1").decode().splitlines(), ".")
        for _ in range(2):  # the file, and its folder
            assert asked.acquire(timeout=PATIENCE)
            assert house.sent == []
            talk.socket.settimeout(0.1)
            with pytest.raises(TimeoutError):
                talk.socket.recv(1)
            may.release()
        talk.socket.settimeout(PATIENCE)
        assert talk.socket.recv(100) == b"250 2.0.0 Done\r\n"
        assert len(house.sent) == 2
        assert not asked.acquire(blocking=False)
        talk.close()


def test_a_bug_ends_nothing_and_reveals_nothing(
    house: House, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(raw: bytes, *rest: object) -> None:
        raise RuntimeError(raw.decode())

    path = house.path("lmtp")
    raw = mail("alice", move(house, "alice"), "m1")
    with lmtp_server(house.server, path):
        with monkeypatch.context() as patch:
            patch.setattr(lmtp, "receive", broken)
            assert send(str(path), raw)[0] == 451
        assert send(str(path), raw)[0] == 250
    told = capsys.readouterr().err
    assert re.fullmatch(
        r"pbm serve: RuntimeError in \S+test_serve.py, line \d+\n", told
    )


# Where it listens


def test_the_socket_is_for_the_owner_only(house: House) -> None:
    with resident(house) as server:
        assert server.said == f"Serving on {house.path('lmtp')}.\n"
        found = house.path("lmtp").stat()
        assert stat.S_ISSOCK(found.st_mode)
        assert stat.S_IMODE(found.st_mode) == 0o600
        server.stop()
        assert not house.path("lmtp").exists()


def test_a_port_for_other_programs(house: House) -> None:
    port = free_port()
    with resident(house, f"127.0.0.1:{port}") as server:
        with smtplib.LMTP("127.0.0.1", port) as client:
            raw = mail("alice", move(house, "alice"), "m1").decode()
            assert client.sendmail(ALICE, ["pbm@localhost"], raw) == {}
        assert server.send(mail("bob", move(house, "bob"), "m2"), BOB)[0] == 250
        assert house.match().ply == 2
        again = run(house.folder, "pbm", "serve", f"127.0.0.1:{port}")
        assert (again.status, again.err) == (
            1,
            "A server is already running on this store.\n",
        )
        assert server.send(mail("alice", "help", "m3"))[0] == 250


def test_a_port_that_is_in_use(house: House) -> None:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        done = run(house.folder, "pbm", "serve", address)
    assert done.status == 1
    told = f"Cannot listen on {address}: Address already in use."
    assert done.err.replace("\n", " ").strip() == told
    assert not house.path("lmtp").exists()


def test_a_machine_without_ipv6(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its resolver may name such an address all the same."""
    import errno
    import socket

    port, create = free_port(), socket.create_server
    told = [(socket.AF_INET6, 1, 6, "", ("::1", port, 0, 0))]
    told += [(socket.AF_INET, 1, 6, "", ("127.0.0.1", port))]  # type: ignore[list-item]

    def made(address: Any, *, family: int) -> socket.socket:
        if family == socket.AF_INET6:
            raise OSError(errno.EAFNOSUPPORT, "none")
        return create(address, family=family)

    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: told)
    monkeypatch.setattr(socket, "create_server", made)
    with listeners.at_port("localhost", port) as found:
        assert [one.getsockname()[0] for one in found] == ["127.0.0.1"]
    told.pop()
    with pytest.raises(NotAllowed, match="not supported"):
        listeners.at_port("localhost", port).__enter__()


@pytest.mark.parametrize("host", ["a..b", "x" * 64, "nowhere.invalid", "203.0.113.1"])
def test_a_host_that_is_not_here(tmp_path: Path, host: str) -> None:
    path = tmp_path / "lmtp"
    with pytest.raises(NotAllowed, match=rf"^Cannot listen on {host}:2400: "):
        Listeners(str(path), (host, 2400))
    assert not path.exists()


def a_link_to_a_socket(path: Path) -> None:
    import socket

    with socket.socket(socket.AF_UNIX) as other:
        other.bind(str(path.with_name("other")))
    path.symlink_to("other")


@pytest.mark.parametrize("make", [Path.mkdir, Path.touch, a_link_to_a_socket])
def test_a_file_in_place_of_the_socket_is_left_alone(
    house: House, make: Callable[[Path], None]
) -> None:
    make(house.path("lmtp"))
    done = run(house.folder, "pbm", "serve")
    assert done.status == 75
    told = done.err.replace("\n", "").replace(" ", "")  # a long path is cut anywhere
    assert told.startswith(f"{house.path('lmtp')}cannotbeasocket:")
    assert house.path("lmtp").exists()


@pytest.mark.parametrize(
    "words", ["localhost", "localhost:smtp", "0", "70000", "1 2", "a b:1", "/lmtp"]
)
def test_words_that_are_not_a_port(words: str) -> None:
    with pytest.raises(BadCommand, match="is not a port: please write one"):
        serve.serve(words.split())


def test_serve_is_not_a_command_by_mail(shared: Shared) -> None:
    assert shared.server.send(mail("alice", "serve", "serve"))[0] == 250
    assert 'There is no command "serve"' in letters(shared.house)
