"""Several commands whose mail comes again, or that are typed."""

import io
import re
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import pytest

from pbm_holomino import cli
from pbm_holomino.errors import Busy, CannotSend
from pbm_holomino.letters.letter import Letter
from tests.house import PASSWORDS, Crash, House
from tests.paths import ROOT
from tests.processes import PATIENCE
from tests.server.multiple_mails import (
    ALICE,
    BOB,
    MIXED,
    RULE,
    answer_of,
    answers_in,
    log,
    open_two_boards,
    several,
    to,
)


@pytest.fixture
def server(tmp_path):
    """Two boards, on both of which it is alice's turn."""
    return open_two_boards(tmp_path / "store")


# One mail, one effect


def test_each_line_has_an_id_of_its_own(server: House) -> None:
    letters = several(server, "holo games", *MIXED)
    mail = answer_of(letters).key.removeprefix("answer.")
    made = log(server)[1:] + log(server, name="2")[1:] + log(server, "hextol")
    assert made == [
        f"{mail}/2 142:4",
        f"{mail}/5 !chat",
        f"{mail}/4 142:4",
        f"{mail}/8 !challenge",
    ]
    assert log(server, "players", "alice")[1:] == [f"{mail}/9 !password"]


CHANGES = (
    "signup carol tomato carol@example.net",
    "holo move 1 alice xanadu 142:4",
    "holo challenge bob alice",
    "message alice xanadu bob carol -m=Hello",
    "holo move 2 alice xanadu resign",
    "holo rematch 2 alice xanadu",
    "add alice xanadu alice@example.net",
    "signoff carol tomato",
    "change password alice xanadu other-1",
    "nonsense",
)


def test_the_same_mail_again_changes_nothing(server: House) -> None:
    server.accept(2)
    first = several(server, *CHANGES)
    answer = answers_in(first)[-1]
    refused = re.findall(r"^(\d+)\. .*: refused$", answer.text, re.MULTILINE)
    assert refused == ["10"]
    assert answer.to == (ALICE, "alice@example.net")
    before = server.records()
    again = several(server, *CHANGES)
    assert server.records() == before
    # nobody else hears of it, but for carol, who is told at once what she was told
    assert answers_in(again) == again == answers_in(first)


def test_the_same_lines_in_a_new_mail_are_new_commands(server: House) -> None:
    server.accept(1)
    several(server, "holo challenge alice bob")
    several(server, "holo challenge alice bob", mail="<2@x>")
    assert server.library.lists.boards("holo") == [1, 2, 3, 4]


LETTERS = 8  # that leave because of CHANGES: five to bob, two to carol, one to alice


@pytest.mark.parametrize("last", range(LETTERS))
@pytest.mark.parametrize("trouble", [Crash(), CannotSend("The post is closed.")])
def test_an_interrupted_mail_is_completed_when_it_comes_again(
    server: House, tmp_path: Path, monkeypatch, last: int, trouble: BaseException
) -> None:
    """The process dies at some letter, or no more leave from then on."""
    server.accept(2)
    smooth = server.copy(tmp_path / "other")
    wanted = several(smooth, *CHANGES)
    assert len(wanted) == LETTERS

    def post(letter: Letter) -> Mapping[str, str]:
        if len(server.sent) < last:
            server.sent.append(letter)
            return {}
        if isinstance(trouble, Crash):
            raise trouble
        return dict.fromkeys(letter.to, str(trouble))

    with monkeypatch.context() as patched:
        patched.setattr(server.server.delivery, "post", post)
        with suppress(Crash, CannotSend):
            several(server, *CHANGES)
    gone = list(server.sent)
    letters = several(server, *CHANGES)
    assert answers_in(letters) == answers_in(wanted)
    ends = [
        {name: log(end, *name[:-5].split("/")) for name in end.records()}
        for end in (server, smooth)
    ]
    assert ends[0] == ends[1]
    keys = {letter.key for letter in gone} | {letter.key for letter in server.sent}
    assert keys == {letter.key for letter in wanted}


def test_a_busy_board_brings_the_mail_again(server: House) -> None:
    with server.busy("holo", "2"), pytest.raises(Busy):
        several(server, MIXED[0], MIXED[2], "holo resign 1 alice xanadu")
    assert to(server.sent) == [BOB]  # of the first board, and that is all
    assert [len(log(server, name=board)) for board in "12"] == [2, 1]
    letters = several(server, MIXED[0], MIXED[2], "holo resign 1 alice xanadu")
    assert to(letters) == [ALICE, BOB, BOB]
    assert [len(log(server, name=board)) for board in "12"] == [3, 2]


def test_an_answer_that_nobody_takes_holds_up_no_letters(
    server: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The mail comes again for it; what it has done is done."""

    def post(letter: Letter) -> Mapping[str, str]:
        if letter.key.startswith("answer."):
            return dict.fromkeys(letter.to, "The post is closed.")
        return server.keep(letter)

    with monkeypatch.context() as patched:
        patched.setattr(server.server.delivery, "post", post)
        with pytest.raises(CannotSend):
            several(server, MIXED[0], "holo games")
    assert to(server.sent) == [BOB]
    assert not server.has_marks()


# In the shell


def typed(server: House, text: str, **environment: str) -> tuple[int, str, str]:
    """The status, and what is printed, of `pbm multiple` with this text."""
    code = "import sys; from pbm_holomino.cli import main; sys.exit(main())"
    done = subprocess.run(
        [sys.executable, "-c", code, "multiple"],
        input=text.encode(),
        env={"PBM_GAMES": str(server.folder), **environment},
        cwd=ROOT,
        capture_output=True,
        check=False,
        timeout=PATIENCE,
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def test_in_the_shell_all_is_printed(server: House) -> None:
    status, out, err = typed(server, "holo move 1 alice xanadu 142:4\n\nholo games\n")
    assert (status, err) == (0, "")
    assert out.startswith(
        "1. holo move 1\n\nIt is bob's turn.\nHolomino, board 1, after move 1"
    )
    assert out.endswith(f"{RULE}2. holo games\n\n{server.type('holo games').text}")
    assert re.fullmatch("-[0-9a-f]{16}/1 142:4", log(server)[-1])
    outbox = server.folder / "outbox"
    name = f"{server.letter_id(1, 'bob')}.eml"
    assert [path.name for path in outbox.iterdir()] == [name]


@pytest.mark.parametrize(
    ("lines", "status"),
    [(["holo show 9", "holo games"], 1), (["holo games", "xyzzy", "holo show 9"], 2)]
    + [(["holo games", "xyzzy", MIXED[2], MIXED[0]], 75)],
)
def test_the_greatest_status_counts(
    server: House, lines: list[str], status: int
) -> None:
    server.settings("wait: 0\n")
    with server.busy("holo", "2"):
        got, out, err = typed(server, "\n".join(lines))
    assert (got, err) == (status, "")
    assert out.count(RULE) == len(lines) - 1
    assert len(log(server)) == (2 if status == 75 else 1)  # the others are done


@pytest.mark.parametrize("text", ["", "help\n" * 51])
def test_in_the_shell_too_there_are_limits(server: House, text: str) -> None:
    status, out, err = typed(server, text)
    assert (status, out) == (2, "")
    assert 'help multiple"' in err


def test_a_password_may_come_from_the_environment(server: House) -> None:
    line = "holo move 1 alice - 142:4"
    status, out, _ = typed(server, line, PBM_PASSWORD=PASSWORDS["alice"])
    assert (status, out.partition("\n")[0]) == (0, "1. holo move 1")
    status, out, _ = typed(server, line)
    assert status == 2
    assert "nobody to ask" in out


def test_a_reader_who_has_closed_the_terminal(server: House, monkeypatch) -> None:
    monkeypatch.setenv("PBM_GAMES", str(server.folder))
    text = io.BytesIO(b"holo move 1 alice xanadu 142:4")
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=text))
    monkeypatch.setattr(sys, "stdout", None)
    assert cli.main(["pbm", "multiple"]) == 0
    assert re.fullmatch("-[0-9a-f]{16}/1 142:4", log(server)[-1])
