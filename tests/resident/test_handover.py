"""pbm-inbox with a server that runs, with none, and with one that fails."""

import os
import posix
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pbm_holomino import handover
from pbm_holomino.errors import StoreTrouble
from pbm_holomino.handover.mail import handed_over
from pbm_holomino.server import inbox
from pbm_holomino.store import location
from pbm_holomino.store.config import Config
from pbm_holomino.store.home import open_home
from tests.house import House, home
from tests.mail.postboxes import SlowPost
from tests.paths import ROOT
from tests.processes import PATIENCE, Done, deliver, resident, surroundings
from tests.resident.desk import in_outbox, mail, move, of_the_move

ALICE = home("alice")

_START = """\
import sys
from pbm_holomino import handover
from pbm_holomino.handover import mail
handover.PATIENCE = float(sys.argv[1])
status = mail.main()
print(*sys.modules, file=sys.stdout)
sys.exit(status)
"""


def pbm_inbox(house: House, raw: bytes, patience: float = PATIENCE) -> Done:
    """Run pbm-inbox as procmail does, on the house's store. It prints its modules."""
    program = (sys.executable, "-S", "-c", _START, str(patience))
    return deliver(
        house.folder, raw, program=program, environment={"PYTHONPATH": packages()}
    )


def packages() -> str:
    return os.pathsep.join([str(ROOT), *(path for path in sys.path if path)])


def did_it_itself(done: Done) -> bool:
    return "pbm_holomino.server.inbox" in done.out.split()


def test_a_server_that_runs_gets_the_mail(house: House) -> None:
    raw = mail("alice", move(house, "alice"), "m1", "Hello!\n.hidden\n..\n.")
    with resident(house) as server:
        done = pbm_inbox(house, raw)
        assert (done.status, done.err, did_it_itself(done)) == (0, "", False)
        assert server.stop() == (0, "")
    assert house.match().record.notes == {1: "Hello!\n.hidden\n..\n."}
    assert in_outbox(house) == of_the_move(house)


def test_handing_over_imports_next_to_nothing(house: House) -> None:
    with resident(house):
        done = pbm_inbox(house, mail("alice", "help", "m1"))
    assert set(done.out.split()) - without_site() == {
        "_socket",
        "pbm_holomino",
        "pbm_holomino.handover",
        "pbm_holomino.handover.mail",
        "pbm_holomino.mail",
        "pbm_holomino.mail.intake",
        "pbm_holomino.store",
        "pbm_holomino.store.location",
    }


def without_site() -> set[str]:
    """The modules of a Python that was started without site-packages."""
    tell = [sys.executable, "-S", "-c", "import sys; print(*sys.modules)"]
    return set(subprocess.check_output(tell, text=True).split())


def test_the_checkouts_own_command(house: House, tmp_path: Path) -> None:
    """It loads the site's packages only to process the mail itself."""
    told = "import sys; print('the site', sys.argv[1:], file=sys.stderr)"
    (tmp_path / "sitecustomize.py").write_text(told)

    def hand_over(who: str, name: str) -> tuple[int, str]:
        path = f"{tmp_path}{os.pathsep}{packages()}"
        done = subprocess.run(
            [sys.executable, "-S", ROOT / "bin/hand_over.py", "pbm-inbox"],
            input=mail(who, move(house, who), name),
            capture_output=True,
            env=surroundings(PYTHONPATH=path, PBM_GAMES=str(house.folder)),
            check=False,
            timeout=PATIENCE,
        )
        return done.returncode, done.stderr.decode()

    with resident(house):
        assert hand_over("alice", "m1") == (0, "")
    assert hand_over("bob", "m2") == (0, "the site ['pbm-inbox']\n")
    assert house.match().ply == 2


def test_without_a_server_it_does_the_work(house: House) -> None:
    done = pbm_inbox(house, mail("alice", move(house, "alice"), "m1"))
    assert (done.status, done.err, did_it_itself(done)) == (0, "", True)
    assert in_outbox(house) == of_the_move(house)


def test_a_socket_without_a_listener(house: House) -> None:
    with resident(house) as server:
        server.stop(signal.SIGKILL)
    assert house.path("lmtp").exists()
    done = pbm_inbox(house, mail("alice", move(house, "alice"), "m1"))
    assert (done.status, done.err, did_it_itself(done)) == (0, "", True)
    assert in_outbox(house) == of_the_move(house)
    with resident(house) as server:  # and the next one takes its place
        assert server.send(mail("bob", move(house, "bob"), "m2"))[0] == 250


def test_a_mail_that_the_server_cannot_do_now_comes_again(house: House) -> None:
    house.settings("wait: 0\n")
    raw = mail("alice", move(house, "alice"), "m1")
    with resident(house):
        with house.store.lock("holo", "1"):
            done = pbm_inbox(house, raw)
            assert (done.status, did_it_itself(done)) == (75, False)
        assert pbm_inbox(house, raw).status == 0
    assert len(house.match().record.log) == 2


# Servers that do not answer

Deed = Callable[[socket.socket, House], None]


def hang(client: socket.socket, house: House) -> None:
    client.recv(1)
    while client.recv(1 << 16):  # until the other one has had enough
        pass


def hang_up(client: socket.socket, house: House) -> None:
    client.recv(1)


def close_down(client: socket.socket, house: House) -> None:
    client.sendall(b"421 4.3.2 This server is closing\r\n")


def refuse(client: socket.socket, house: House) -> None:
    client.sendall(b"220 x\r\n250 x\r\n250 x\r\n250 x\r\n354 x\r\n")
    read_mail(client)
    client.sendall(b"552 Error: Too much mail data\r\n")
    client.recv(1)


def die_with_the_mail(client: socket.socket, house: House) -> None:
    client.sendall(b"220 x\r\n250-x\r\n250 x\r\n250 x\r\n250 x\r\n354 x\r\n")
    read_mail(client)


def die_with_half_of_an_answer(client: socket.socket, house: House) -> None:
    die_with_the_mail(client, house)
    client.sendall(b"250 2.0.0 Do")


def do_it_and_die(client: socket.socket, house: House) -> None:
    client.sendall(b"220 x\r\n250-x\r\n250 x\r\n250 x\r\n250 x\r\n354 x\r\n")
    inbox.receive(read_mail(client), house.server, Config())


def do_it_and_hang(client: socket.socket, house: House) -> None:
    do_it_and_die(client, house)
    client.recv(1)


def read_mail(client: socket.socket) -> bytes:
    read = b""
    while not read.endswith(b"\r\n.\r\n"):
        read += client.recv(1 << 16)
    text = read.partition(b"DATA")[2][:-3].replace(b"\r\n", b"\n")
    return text.replace(b"\n.", b"\n").removeprefix(b"\n")


BROKEN: list[Deed] = [hang, hang_up, close_down, refuse, die_with_the_mail]
BROKEN += [die_with_half_of_an_answer, do_it_and_die, do_it_and_hang]


@pytest.fixture
def listener(house: House) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(house.path(location.SOCKET)))
        listening.listen()
        yield listening


@pytest.mark.parametrize("deed", BROKEN)
def test_a_mail_that_is_not_answered_is_done_once(
    house: House, listener: socket.socket, deed: Deed
) -> None:
    def behave() -> None:
        client, _ = listener.accept()
        with client:
            deed(client, house)

    raw = mail("alice", move(house, "alice"), "m1", "Hello!\n.\nGood-bye!")
    server = threading.Thread(target=behave)
    server.start()
    done = pbm_inbox(house, raw, 0.5)
    server.join(PATIENCE)
    assert (done.status, done.err, did_it_itself(done)) == (0, "", True)
    assert len(house.match().record.log) == 2
    assert house.match().record.notes == {1: "Hello!\n.\nGood-bye!"}
    assert house.store.marks.unsent("holo") == {}
    assert list(house.folder.glob(".mail.*")) == []
    if deed in (do_it_and_die, do_it_and_hang):
        assert len(house.sent) == 2  # of the server; alice is told again
        assert in_outbox(house) == of_the_move(house)[:1]
    else:
        assert in_outbox(house) == of_the_move(house)


def test_a_server_that_is_killed_at_its_work(house: House, tmp_path: Path) -> None:
    slow = SlowPost(house, tmp_path / "post")
    raw = mail("alice", move(house, "alice"), "m1")
    with resident(house) as server:
        results: list[Done] = []
        handing = threading.Thread(target=lambda: results.append(pbm_inbox(house, raw)))
        handing.start()
        slow.wait()
        server.stop(signal.SIGKILL)
        slow.go()
        handing.join()
    (done,) = results  # the server has answered before
    assert (done.status, done.err, did_it_itself(done)) == (0, "", False)
    assert len(house.match().record.log) == 2
    assert house.store.marks.unsent("holo") == {"1": [1]}


def test_a_server_that_is_stopped(house: House) -> None:
    raw = mail("alice", move(house, "alice"), "m1")
    with resident(house) as server:
        server.process.send_signal(signal.SIGSTOP)
        done = pbm_inbox(house, raw, 0.5)
        assert (done.status, did_it_itself(done)) == (0, True)
        server.process.send_signal(signal.SIGCONT)
        # what it got is a mail like any other
        assert server.send(mail("bob", move(house, "bob"), "m2"))[0] == 250
        assert server.stop() == (0, "")
    assert [line.who for line in house.match().record.log[1:]] == ["alice", "bob"]


def test_a_mail_has_the_same_id_by_either_way(house: House) -> None:
    """Also one without a Message-ID, whose id comes from its text."""
    subject = move(house, "alice")
    raw = f"From: {ALICE}\nSubject: {subject}\n\nA line\r\nand half a line".encode()
    with resident(house):
        assert pbm_inbox(house, raw).status == 0
    files = house.match()
    done = pbm_inbox(house, raw)
    assert (done.status, did_it_itself(done)) == (0, True)
    assert house.match() == files
    assert in_outbox(house) == of_the_move(house)  # it was not refused, as another is


def test_a_full_disk_keeps_the_mail_for_later(
    house: House, listener: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    listener.settimeout(PATIENCE)
    read = posix.read
    incoming, write = os.pipe()
    os.write(write, mail("alice", move(house, "alice"), "m1"))
    os.close(write)

    def full(*args: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(posix, "environ", {b"PBM_GAMES": os.fsencode(house.folder)})
    monkeypatch.setattr(posix, "read", lambda fd, most: read(incoming, most))
    monkeypatch.setattr(posix, "open", full)
    threading.Thread(target=lambda: listener.accept()[0].close()).start()
    assert handed_over() == 75
    os.close(incoming)


# Where the store is


def tried(monkeypatch: pytest.MonkeyPatch) -> str:
    """The path of the socket that the quick way tries, if it tries one."""
    environment = {os.fsencode(k): os.fsencode(v) for k, v in os.environ.items()}
    found: list[str] = []
    with monkeypatch.context() as patch:
        patch.setattr(posix, "environ", environment)
        patch.setattr(handover, "connected", found.append)
        assert handed_over() is None
    return "".join(found)


def test_the_quick_way_and_the_other_find_the_same_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    here = tmp_path / "a/pbm_holomino/store/location.py"
    monkeypatch.setattr(location, "__file__", str(here))
    for name in ("PBM_GAMES", "XDG_DATA_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    assert tried(monkeypatch) == ""
    with pytest.raises(StoreTrouble, match="PBM_GAMES"):
        open_home()
    for name, folder, wanted in [
        ("HOME", "home/alice", ""),  # no whole path
        ("HOME", "/home/alice", "/home/alice/.local/share/pbm_holomino"),
        ("XDG_DATA_HOME", "data", "/home/alice/.local/share/pbm_holomino"),
        ("XDG_DATA_HOME", "/data", "/data/pbm_holomino"),
    ]:
        monkeypatch.setenv(name, folder)
        assert tried(monkeypatch) == (wanted and f"{wanted}/lmtp")
        if wanted:
            assert open_home().root == wanted
    (tmp_path / "games").mkdir()
    assert open_home().root == "/data/pbm_holomino"
    (tmp_path / "games/key").write_bytes(bytes(32))
    assert open_home().root == str(tmp_path / "games")
    assert tried(monkeypatch) == f"{open_home().root}/lmtp"
    (tmp_path / "a/games").mkdir(parents=True)
    (tmp_path / "a/setup.cfg").touch()  # another project's, where this is installed
    assert open_home().root == str(tmp_path / "games")
    (tmp_path / "a/bin").mkdir()
    (tmp_path / "a/bin/hand_over.py").touch()
    assert open_home().root == str(tmp_path / "a/games")
    assert tried(monkeypatch) == f"{open_home().root}/lmtp"
    for named in ("elsewhere", "/a b/\udce4", "\u00e4"):
        monkeypatch.setenv("PBM_GAMES", named)
        assert open_home().root == named
        assert tried(monkeypatch) == f"{open_home().root}/lmtp"
