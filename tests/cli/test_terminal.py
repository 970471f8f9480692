"""The commands on a terminal: what they say, where, and with which exit status."""

import os
import pty
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest

from pbm_holomino import cli
from tests.house import PASSWORDS, House, mail_of
from tests.paths import ROOT
from tests.processes import PATIENCE, run, start, surroundings
from tests.sizes import some
from tests.terminal import visiting


@pytest.fixture
def server(server: House) -> House:
    """Alice and bob play board 1, and it is alice's turn."""
    server.challenge()
    return server


def log(server: House) -> list[str]:
    return [str(line.action) for line in server.match().record.log]


# Done, refused, misused, try again later


CARRIED_OUT = (
    [("holo show 1", "Holomino, board 1, at the start: alice against bob")]
    + [("pbm holo show 1", "Holomino, board 1"), ("pbm all show alice", "board 1")]
    + [("holo", "Help for the game of Holomino"), ("pbm help", "commands")]
    + [("holo help", "Help for the game"), ("holo games", "alice to move")]
    + [("pbm check", "all is well"), ("pbm flush", "No letters are waiting")]
)


@pytest.mark.parametrize(("words", "shown"), some(CARRIED_OUT, 5))
def test_commands_that_are_carried_out(server: House, words: str, shown: str) -> None:
    done = run(server.folder, *words.split())
    assert (done.status, done.err) == (0, "")
    assert shown in done.out


REFUSED = (
    [("holo show 7", 1, "no board holo 7"), ("holo verify 1", 1, "not over")]
    + [("holo move 1 bob better4 1:1", 1, "not your turn")]
    + [("holo move 1 alice xanadu 132:9", 1, "not beside")]
    + [("holo move 1 alice Secret 132:1", 1, "password")]
    + [("pbm signup alice other1", 1, "taken"), ("pbm signup carol abc", 2, "4 to 64")]
    + [("pbm signup holo secret", 1, "command"), ("pbm help xyzzy", 1, "xyzzy")]
    + [("holo challenge alice bob -pool_size=99", 1, "1 to 19")]
    + [("hextol challenge alice bob -min_pips=x", 1, 'send "help hextol"')]
    + [("holo challenge alice", 1, "2 players"), ("holo shwo 1", 2, "holo show")]
    + [("holo move 1 alice", 2, "password"), ("pbm xyzzy", 2, "xyzzy")]
    + [("holo show 1 -frmat=json", 2, "-format"), ("pbm check now", 2, "pbm check")]
)


@pytest.mark.parametrize(("words", "status", "said"), some(REFUSED, 9))
def test_commands_that_are_refused(
    server: House, words: str, status: int, said: str
) -> None:
    before = (server.folder / "holo/1.yaml").read_bytes()
    done = run(server.folder, *words.split())
    assert (done.status, done.out) == (status, "")
    assert said in done.err
    assert (server.folder / "holo/1.yaml").read_bytes() == before
    assert not (server.folder / "holo/2.yaml").exists()


def test_a_refused_move_shows_the_board(server: House) -> None:
    done = run(server.folder, "holo", "move", "1", "alice", "xanadu", "132:9")
    assert done.err.endswith("\n" + server.type("holo showas alice xanadu 1").text)


COMMANDS = ["pbm signup carol secret", "holo challenge alice bob", "holo games"]


@pytest.mark.parametrize(
    ("path", "words"), some([*product(["holo", "players", "."], COMMANDS)], 5)
)
def test_a_folder_that_is_not_a_store(tmp_path: Path, path: str, words: str) -> None:
    """A file stands where there should be a folder."""
    store = tmp_path / "store"
    if path != ".":
        store.mkdir(mode=0o700)
    (store / path).write_text("") if path != "." else store.write_text("")
    done = run(store, *words.split())
    reads = {
        "holo": words != "pbm signup carol secret",
        "players": "games" not in words,
    }
    assert done.status == (75 if reads.get(path, True) else 0)
    assert "Error" not in done.err
    assert "something is wrong" not in done.err


def test_a_board_that_is_busy(server: House) -> None:
    server.settings("wait: 0\n")
    with server.library.store.lock("holo", "1"):
        done = run(server.folder, "holo", "move", "1", "alice", "xanadu", "142:4")
    assert (done.status, done.out) == (75, "")
    assert "busy" in done.err
    assert log(server) == ["!challenge"]


def test_letters_that_cannot_leave(server: House) -> None:
    (server.folder / "outbox").write_text("a file")
    done = run(server.folder, "holo", "move", "1", "alice", "xanadu", "142:4")
    assert (done.status, log(server)) == (0, ["!challenge", "142:4"])
    assert run(server.folder, "pbm", "flush").status == 75
    (server.folder / "outbox").unlink()
    assert run(server.folder, "pbm", "flush").status == 0
    sent = {file.name for file in (server.folder / "outbox").iterdir()}
    assert sent == {f"{server.letter_id(1, 'bob')}.eml"}


def test_no_store_at_all(tmp_path: Path) -> None:
    """Without PBM_GAMES, away from a checkout, and for an account without a home: one
    sentence says what to set."""
    (tmp_path / "pbm_holomino").symlink_to(ROOT / "pbm_holomino")
    code = (
        "from pbm_holomino.cli import main; raise SystemExit(main(['holo', 'games']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env=surroundings(HOME="", XDG_DATA_HOME="", PYTHONDONTWRITEBYTECODE="1"),
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    assert (done.returncode, done.stdout) == (75, "")
    assert "PBM_GAMES" in done.stderr


# Help


@pytest.mark.parametrize(
    ("words", "page"),
    [("pbm --help", "commands"), ("pbm -h", "commands"), ("pbm -help", "commands")]
    + [
        ("holo --help", "holo"),
        ("holo move --help", "move"),
        ("pbm signup -h", "signup"),
    ]
    + [("pbm change password --help", "change"), ("holo move 12 alice --help", "move")]
    + [("pbm all show --help", "show"), ("holo --help challenge", "challenge")],
)
def test_help_may_be_asked_for_anywhere(server: House, words: str, page: str) -> None:
    nowhere = server.folder / "nowhere"
    done = run(nowhere, *words.split())
    assert (done.status, done.err) == (0, "")
    assert done.out == server.type(f"help {page}").text
    assert done.out.splitlines()[0]
    assert not nowhere.exists()


# Passwords


def test_a_password_is_taken_from_the_environment(server: House) -> None:
    words = ["holo", "move", "1", "alice", "-", "142:4"]
    assert run(server.folder, *words, PBM_PASSWORD="wrong").status == 1
    assert run(server.folder, *words, PBM_PASSWORD="").status == 1
    assert log(server) == ["!challenge"]
    assert run(server.folder, *words, PBM_PASSWORD="xanadu").status == 0
    assert log(server) == ["!challenge", "142:4"]


def test_a_new_account_with_a_password_from_the_environment(tmp_path: Path) -> None:
    done = run(tmp_path, "pbm", "signup", "carol", "-", PBM_PASSWORD="hunter22")
    assert (done.status, "hunter22" in done.out) == (0, False)
    assert run(tmp_path, "holo", "showas", "carol", "hunter22").status == 0
    assert run(tmp_path, "pbm", "signup", "dave", "-", PBM_PASSWORD="no").status == 2


def test_nobody_is_there_to_be_asked(server: House) -> None:
    """Without a terminal the command ends, and does not wait."""
    done = run(server.folder, "holo", "move", "1", "alice", "-", "142:4")
    assert done.status in (1, 2)
    assert log(server) == ["!challenge"]


def test_a_password_is_asked_for_unseen(server: House) -> None:
    spawn = "import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)"
    command = f"{ROOT}/bin/holo move 1 alice - 142:4".split()
    with subprocess.Popen(
        [sys.executable, "-c", spawn, *command],
        env=surroundings(PBM_GAMES=str(server.folder)),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        prompt = b""
        while not prompt.endswith(b": "):  # what is typed before it is lost
            prompt += process.stdout.read(1) or b": "
        process.stdin.write(b"xanadu\n")
        process.stdin.flush()
        shown = prompt + process.stdout.read()
    assert process.returncode == 0
    assert b"assword" in prompt
    assert b"xanadu" not in shown
    assert log(server) == ["!challenge", "142:4"]


# Odd words and broken pipes


ODD = [
    b"",
    b"\xff\xfe",
    b"\x1b[2J",
    b"a" * 10_000,
    b"..",
    b"../../etc/passwd",
    b"\n",
    b"-",
]
ODD += [
    b"--",
    b"---",
    b"-=",
    b"\xe2\x80\x94",
    b"1" * 40,
    b"0",
    b"-1",
    b"$(id)",
    b"%s{}",
]


def test_at_a_terminal_a_text_is_asked_for(server: House) -> None:
    """Only there: what a program reads has the answer alone."""
    words = ["holo", "chat", "1", "alice", PASSWORDS["alice"]]
    with visiting(words, PBM_GAMES=str(server.folder)) as visitor:
        asked = visitor.until(["ends it.\n"])
        assert asked == "Please type the text. Ctrl-D on a line of its own ends it.\n"
        visitor.type("Hello!\n\x04")
        assert "Sent to bob." in visitor.until(["the end"])
    assert [*server.match().record.notes.values()] == ["Hello!"]
    piped = run(server.folder, *words)
    assert piped.out == ""
    assert piped.err.startswith("There is no text to pass on. Please write one.\n")


@pytest.mark.parametrize("odd", ODD, ids=lambda odd: repr(odd[:20]))
def test_odd_words_get_a_sentence(
    server: House, odd: bytes, monkeypatch, capsys
) -> None:
    monkeypatch.setenv("PBM_GAMES", str(server.folder))
    monkeypatch.setenv("PBM_PASSWORD", "wrong")
    patterns = ["@", "show @", "show 1 @", "move 1 alice xanadu @", "preview 1 @"]
    patterns += ["move 1 alice @ 142:4", "move @ alice xanadu 142:4", "history @"]
    patterns += ["challenge alice @", "challenge alice bob -rules=@", "games @"]
    for words in [["holo", *p.split()] for p in patterns] + [["pbm", "help", "@"]]:
        status = cli.main([os.fsdecode(w.encode().replace(b"@", odd)) for w in words])
        out, err = capsys.readouterr()
        assert status in (0, 1, 2), (words, err)
        assert (out == "") == (status != 0)
        assert "something is wrong" not in err
        assert len(err) < 2000
        assert all(line.isprintable() for line in err.split("\n"))
    assert log(server) == ["!challenge"]


@pytest.mark.parametrize("odd", [b"\xff\xfe", b"\x1b[2J", b"\xe2\x80\x94", b""])
def test_odd_words_in_a_process_of_their_own(server: House, odd: bytes) -> None:
    for words in ([b"holo", odd], [b"holo", b"move", b"1", b"alice", odd, b"142:4"]):
        done = run(server.folder, words[0].decode(), *words[1:])
        assert done.status in (1, 2)
        assert done.err.isascii()
        assert "something is wrong" not in done.err


def test_a_reader_who_has_seen_enough(server: House) -> None:
    process = start("holo", "help", PBM_GAMES=str(server.folder))
    assert process.stdout is not None
    process.stdout.close()
    _, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (0, b"")


def test_a_full_disk_under_the_answer(server: House) -> None:
    code = "from pbm_holomino.cli import main; raise SystemExit(main(['holo', 'help']))"
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-c", code],
            env=surroundings(PBM_GAMES=str(server.folder), PYTHONPATH=str(ROOT)),
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            timeout=PATIENCE,
        )
    assert done.returncode not in (0, -11)
    assert "Traceback" not in done.stderr


def test_what_is_said_to_a_terminal_that_was_closed(
    server: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when `pbm run` ends because its window is closed."""
    monkeypatch.setenv("PBM_GAMES", str(server.folder))
    window, terminal = pty.openpty()
    os.close(window)
    with open(terminal, "w") as stream:
        monkeypatch.setattr("sys.stdout", stream)
        assert cli.main(["pbm", "list"]) == cli.DONE
        assert cli.main(["pbm", "list"]) == cli.DONE


# The scripts of the checkout


def script(folder: Path, name: str, *words: str, stdin: bytes = b"") -> tuple[int, str]:
    done = subprocess.run(
        [ROOT / "bin" / name, *words],
        input=stdin,
        env=surroundings(PBM_GAMES=str(folder)),
        capture_output=True,
        check=False,
        timeout=PATIENCE,
    )
    assert done.stderr == b""
    return done.returncode, done.stdout.decode()


def test_the_scripts_of_the_checkout(server: House) -> None:
    status, shown = script(server.folder, "holo", "show", "1")
    assert (status, shown) == (0, server.type("holo show 1").text)
    assert script(server.folder, "pbm", "holo", "show", "1") == (0, shown)
    assert script(server.folder, "pbm-inbox", stdin=mail_of("holo show 1")) == (0, "")
    (letter,) = (server.folder / "outbox").iterdir()
    assert f"\n\n{shown}" in letter.read_text()
