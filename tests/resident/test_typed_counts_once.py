"""If no server answers a command, its own process carries it out. It counts once,
whatever the server did before it died or hung."""

import os
import shutil
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NoReturn

import pytest

from pbm_holomino import cli
from pbm_holomino.handover import shell
from pbm_holomino.resident.shell import _HandedOver
from pbm_holomino.server import typed, wire
from pbm_holomino.store import location
from tests.house import PASSWORDS, House
from tests.mail.postboxes import SlowPost
from tests.paths import ROOT
from tests.processes import PATIENCE, wait_until
from tests.resident.typists import Printed, Seen, copy_of, ended, serving, type_in

# A line, and what it leaves in the store if it counts once.
Count = Callable[[House], int]
ONCE: dict[str, Count] = {
    "holo move 1 alice {alice} {move}": lambda house: house.match().ply,
    "holo chat 1 bob {bob} -m=Hi": lambda house: len(house.match().record.log) - 1,
    "holo queue 1 bob {bob} pass": lambda house: len(house.match().record.log) - 1,
    "holo challenge alice bob": lambda house: boards(house) - 1,
    "holo challenge alice anyone": lambda house: boards(house) - 1,
    "pbm signup carol {carol}": lambda house: lines(house, "carol"),
    "pbm change password bob {bob} Another1": lambda house: lines(house, "bob") - 1,
    "pbm message bob {bob} alice -m=Hi": lambda house: lines(house, "bob") - 1,
    "pbm signoff bob {bob}": lambda house: lines(house, "bob") - 1,
    "pbm delete dave {dave}": lambda house: lines(house, "dave") == 0,
}
MOVE = "holo move 1 alice {alice} {move}"


def boards(house: House) -> int:
    return len(list(house.folder.glob("holo/*.yaml")))


def lines(house: House, name: str) -> int:
    """How many lines the log of a player's account has; 0 if it is deleted."""
    account = house.library.player(name)
    return len(account.log) if account else 0


def move(house: House) -> str:
    return MOVE.replace("{move}", house.legal()[0])


def next_move(house: House) -> str:
    """The line with a move of the player whose turn it is."""
    (who,) = house.match().turn
    return move(house).replace("alice", who)


def printed_by(house: House, line: str) -> Printed:
    """What a command prints that is carried out in the test's own process."""
    answer = house.type(line)
    return Printed(answer.status, answer.text.encode(), b"")


# Servers that are killed

KILLED = {
    "before it reads": "wire.receive = die",
    "when it has read": "Server.run = die",
    "when it has saved": "Server.deliver = die",
    "when it is done": "wire.send = die",
    "in its answer": "wire.send = half",
}
DYING = """\
import os, signal
from pbm_holomino.server import wire
from pbm_holomino.server.transaction import Server
def die(*args, **more):
    os.kill(os.getpid(), signal.SIGKILL)
def half(peer, *rest):
    peer.sendall(b"00000200out")
    die()
"""


def test_servers_that_are_killed(house: House, tmp_path: Path) -> None:
    """Each takes the place of what the one before it has left behind."""
    twin = copy_of(house, tmp_path / "twin")
    for made, (when, deed) in enumerate(KILLED.items(), 1):
        line = next_move(house)
        with serving(house, before=DYING + deed) as server:
            seen = type_in(house, line)
            assert server.wait(PATIENCE) == -signal.SIGKILL, when
        assert seen.did_it_itself, when
        assert seen.printed == printed_by(twin, line), when
        assert len(house.match().record.log) == made + 1, when
        assert house.store.marks.unsent("holo") == {}, when
        assert house.path(location.SHELL).exists(), when
    with serving(house):
        seen = type_in(house, next_move(house))
        assert (seen.printed.status, seen.did_it_itself) == (0, False)


# Servers that do not answer, in a thread of the test

Deed = Callable[[socket.socket, House], object]


def hang(client: socket.socket, house: House) -> None:
    while client.recv(1 << 16):  # until the other one has had enough
        pass


def hang_up(client: socket.socket, house: House) -> None:
    client.recv(1)


def talk_rubbish(client: socket.socket, house: House) -> None:
    wire.receive(client)
    client.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")


def promise_too_much(client: socket.socket, house: House) -> None:
    wire.receive(client)
    client.sendall(b"99999999out\0")


def say_what_nobody_knows(client: socket.socket, house: House) -> None:
    wire.receive(client)
    wire.send(client, "later", b"0")


def answer_without_a_status(client: socket.socket, house: House) -> None:
    wire.receive(client)
    wire.send(client, "out", b"", b"Done.")


def ask_and_die(client: socket.socket, house: House) -> None:
    wire.receive(client)
    wire.send(client, "ask", b"Password")
    wire.receive(client)


def do_it_and_die(client: socket.socket, house: House) -> None:
    typed.printed(_HandedOver(client), lambda: house.server, owner)
    house.store.close()  # what waits is left to others


def do_it_and_hang(client: socket.socket, house: House) -> None:
    do_it_and_die(client, house)
    hang(client, house)


def owner(words: object) -> NoReturn:
    raise AssertionError(words)


BROKEN: list[Deed] = [hang, hang_up, talk_rubbish, promise_too_much]
BROKEN += [say_what_nobody_knows, answer_without_a_status, ask_and_die]
BROKEN += [do_it_and_die, do_it_and_hang]


@pytest.fixture
def listener(house: House) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(house.path(location.SHELL)))
        listening.listen()
        yield listening


def behave(listener: socket.socket, house: House, deed: Deed) -> threading.Thread:
    """Do this to the first client, in a thread."""

    def run() -> None:
        client, _ = listener.accept()
        with client:
            deed(client, house)

    thread = threading.Thread(target=run)
    thread.start()
    return thread


@pytest.mark.parametrize("deed", BROKEN)
def test_a_command_that_is_not_answered_is_done_once(
    house: House, listener: socket.socket, deed: Deed
) -> None:
    line = "holo move 1 alice - " + house.legal()[0]
    server = behave(listener, house, deed)
    seen = type_in(house, line, patience=0.5, how={"PBM_PASSWORD": PASSWORDS["alice"]})
    server.join(PATIENCE)
    assert (seen.printed.status, seen.printed.err) == (0, b"")
    assert seen.did_it_itself
    assert len(house.match().record.log) == 2
    assert house.store.marks.unsent("holo") == {}


@pytest.mark.parametrize("line", ONCE)
def test_each_command_counts_once(
    house: House, listener: socket.socket, line: str, tmp_path: Path
) -> None:
    """And says what it would have said the first time."""
    house.sign_up("dave")
    twin = copy_of(house, tmp_path / "twin")
    words = line.replace("{move}", house.legal()[0])
    server = behave(listener, house, do_it_and_die)
    seen = type_in(house, words)
    server.join(PATIENCE)
    assert seen.did_it_itself
    assert ONCE[line](house) == ONCE[line](twin) + 1
    expected = printed_by(twin, words)
    if "challenge" not in line:  # whose tiles are drawn at random
        assert seen.printed == expected
    assert (seen.printed.status, seen.printed.err) == (0, b"")


def test_each_of_several_commands_counts_once(
    house: House, listener: socket.socket
) -> None:
    text = "holo chat 1 alice xanadu -m=One\nholo chat 1 alice xanadu -m=Two\n"
    server = behave(listener, house, do_it_and_die)
    seen = type_in(house, "pbm multiple", given=text.encode())
    server.join(PATIENCE)
    assert (seen.printed.status, seen.did_it_itself) == (0, True)
    assert len(house.match().record.log) == 3


def test_the_same_words_twice_are_two_commands(house: House) -> None:
    with serving(house):
        for _ in range(2):
            assert type_in(house, "holo chat 1 bob {bob} -m=Hi").printed.status == 0
    assert len(house.match().record.log) == 3


def test_nobody_is_asked_a_second_time(
    house: House, listener: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For a password, or for the text after the command."""
    asked: list[str] = []

    def ask(question: str) -> str:
        asked.append(question)
        return PASSWORDS["alice"]

    read, write = os.pipe()
    os.write(write, b"Hello!")
    os.close(write)
    monkeypatch.setattr(cli, "_password", ask)
    monkeypatch.setenv("PBM_GAMES", str(house.folder))
    with os.fdopen(read) as text:
        monkeypatch.setattr("sys.stdin", text)
        server = behave(listener, house, do_it_and_die)
        command = cli.Command(["holo", "chat", "1", "alice", "-"])
        assert shell.handed_over(command) is None
        server.join(PATIENCE)
        assert cli.run(command) == 0
    assert asked == ["Password"]
    assert [str(line.action) for line in house.match().record.log[1:]] == ["!chat"]
    assert "Hello!" in str(house.match().record)


# Servers that cannot answer now


def test_a_socket_without_a_listener(house: House) -> None:
    with serving(house) as server:
        ended(server, signal.SIGKILL)
    assert house.path(location.SHELL).exists()
    seen = type_in(house, move(house))
    assert (seen.printed.status, seen.did_it_itself) == (0, True)


def test_a_server_that_is_stopped(house: House) -> None:
    """What it has got is a command that has been done when it goes on."""
    with serving(house) as server:
        server.send_signal(signal.SIGSTOP)
        seen = type_in(house, move(house), patience=0.5)
        assert (seen.printed.status, seen.did_it_itself) == (0, True)
        server.send_signal(signal.SIGCONT)
        seen = type_in(house, "holo show 1")
        assert (seen.printed.status, seen.did_it_itself) == (0, False)
        assert ended(server) == (0, b"")
    assert len(house.match().record.log) == 2


def test_work_that_was_begun_is_answered_before_the_end(
    house: House, tmp_path: Path
) -> None:
    slow = SlowPost(house, tmp_path / "post")
    results: list[Seen] = []
    with serving(house) as server:
        line = move(house)
        typing = threading.Thread(target=lambda: results.append(type_in(house, line)))
        typing.start()
        slow.wait()
        server.send_signal(signal.SIGTERM)
        wait_until(lambda: not house.path(location.SHELL).exists())
        assert server.poll() is None
        slow.go()
        typing.join(PATIENCE)
        assert server.wait(PATIENCE) == 0
    (seen,) = results
    assert (seen.printed.status, seen.did_it_itself) == (0, False)
    assert house.match().ply == 1


# Servers of another program or store


def own_program(tmp_path: Path) -> Path:
    """A copy of the program, in which a test may change what it likes."""
    shutil.copytree(ROOT / "pbm_holomino", tmp_path / "own/pbm_holomino")
    return tmp_path / "own"


def test_a_server_of_another_program_is_not_asked(house: House, tmp_path: Path) -> None:
    own = own_program(tmp_path)
    with serving(house, package=own):
        assert type_in(house, "holo show 1").did_it_itself
        assert not type_in(house, "holo show 1", package=own).did_it_itself


def replace(file: Path) -> None:
    new = file.with_suffix(".new")
    shutil.copy2(file, new)
    new.rename(file)


CHANGES: dict[str, Callable[[Path], object]] = {
    "a changed file": lambda own: (own / "letters/screen.py").open("a").write("\n"),
    "a replaced file": lambda own: replace(own / "cli.py"),
    "a new file": lambda own: (own / "rules/games/new.txt").touch(),
    "a lost file": lambda own: (own / "letters/help/tutorial.txt").unlink(),
}


def test_a_server_of_an_older_version_is_not_asked(
    house: House, tmp_path: Path
) -> None:
    own = own_program(tmp_path)
    for change, make in CHANGES.items():
        with serving(house, package=own):
            assert not type_in(house, "holo show 1", package=own).did_it_itself, change
            make(own / "pbm_holomino")
            seen = type_in(house, "holo show 1", package=own)
            assert (seen.printed.status, seen.did_it_itself) == (0, True), change
    with serving(house, package=own):
        assert not type_in(house, "holo show 1", package=own).did_it_itself


def test_a_worker_that_follows_another_is_of_its_version(
    house: House, tmp_path: Path
) -> None:
    """So it answers no more than the other did, if the program has changed since."""
    own = own_program(tmp_path)
    with serving(house, "--workers", "2", package=own) as server:
        assert not type_in(house, "holo show 1", package=own).did_it_itself
        (own / "pbm_holomino/rules/games/new.txt").touch()
        before = workers_of(server.pid)
        for worker in before:
            os.kill(worker, signal.SIGKILL)
        wait_until(lambda: len(workers_of(server.pid) - before) == 2)
        for _ in range(4):
            assert type_in(house, "holo show 1", package=own).did_it_itself


def workers_of(server: int) -> set[int]:
    """The processes that a server has begun."""
    return {*map(int, children(server).read_text().split())}


def children(process: int) -> Path:
    return Path(f"/proc/{process}/task/{process}/children")


def test_what_python_compiles_makes_no_other_version(
    house: House, tmp_path: Path
) -> None:
    own = own_program(tmp_path)
    for compiled in [*own.rglob("__pycache__")]:
        shutil.rmtree(compiled)
    with serving(house, package=own, how={"PYTHONDONTWRITEBYTECODE": "1"}):
        assert not list(own.rglob("__pycache__"))
        for _ in range(2):
            assert not type_in(house, "holo show 1", package=own).did_it_itself
        assert list(own.rglob("__pycache__"))


def test_a_server_with_older_settings_is_not_asked(house: House) -> None:
    with serving(house):
        assert not type_in(house, "holo show 1").did_it_itself
        house.settings("wait: 1\n")
        assert type_in(house, "holo show 1").did_it_itself


def test_a_server_of_another_store_is_not_asked(house: House, tmp_path: Path) -> None:
    twin = copy_of(house, tmp_path / "twin")
    with serving(house):
        os.link(house.path(location.SHELL), twin.path(location.SHELL))
        seen = type_in(twin, move(twin))
        assert (seen.printed.status, seen.did_it_itself) == (0, True)
    assert (house.match().ply, twin.match().ply) == (0, 1)


def test_a_store_may_have_several_names(house: House, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(house.folder)
    with serving(house):
        seen = type_in(house, "holo show 1", how={"PBM_GAMES": str(tmp_path / "link")})
        assert not seen.did_it_itself
