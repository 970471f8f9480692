"""Boards as pictures, asked for by a command: `-format=svg` and `-format=png`."""

import subprocess
import sys
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default

import pytest

from pbm_holomino.letters.letter import Attachment
from pbm_holomino.mail.message import message
from tests.draw.png_reader import size_of
from tests.draw.svg_reader import read
from tests.house import House, fill_in, home, mail_of
from tests.paths import ROOT
from tests.processes import surroundings


@pytest.fixture
def server(server: House) -> House:
    """Alice and bob play board 1, and it is alice's turn."""
    server.challenge()
    return server


def picture(server: House, line: str) -> Attachment:
    """The only file that comes with an answer."""
    answer = server.type(line)
    assert answer.status == 0, answer.text
    (file,) = answer.attachments
    return file


def faces(server: House, line: str) -> dict[int, str]:
    """The faces in the SVG that comes with an answer."""
    return read(picture(server, f"{line} -format=svg").content.decode()).bitten()


def played(server: House) -> str:
    """Alice's first move, which she has made."""
    move = server.legal()[0]
    assert server.type(f"holo move 1 alice {{alice}} {move}").status == 0
    return move


LINES = [
    "holo show 1",
    "holo show alice",
    "all show alice",
    "holo showas alice {alice}",
    "holo history 1",
]


@pytest.mark.parametrize("line", LINES)
def test_a_command_shows_the_board_as_it_is(server: House, line: str) -> None:
    played(server)
    assert faces(server, line) == server.match().view(None).drawing.faces
    assert size_of(picture(server, f"{line} -format=png").content)[0] > 140


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("form", ["svg", "png"])
def test_the_text_is_there_as_well(server: House, line: str, form: str) -> None:
    assert server.type(f"{line} -format={form}").text == server.type(line).text


def test_a_past_board_is_shown_as_it_was(server: House) -> None:
    start = server.match().view(None).drawing.faces
    played(server)
    assert faces(server, "holo show 1#0") == start
    assert len(faces(server, "holo show 1#1")) == 2


@pytest.mark.parametrize("line", ["preview 1", "previewas 1 alice {alice}"])
def test_a_preview_shows_what_has_not_been_played(server: House, line: str) -> None:
    move = server.legal()[0]
    position = int(move.partition(":")[2])
    before = server.match().view(None).drawing.faces
    shown = faces(server, f"holo {line} {move}")
    assert shown.keys() == {*before, position}
    assert server.match().ply == 0


@pytest.mark.parametrize("form", ["svg", "png"])
@pytest.mark.parametrize("line", ["show 1 2", "show alice", "showas bob {bob} active"])
def test_a_picture_is_of_one_board(server: House, line: str, form: str) -> None:
    server.challenge()
    answer = server.type(f"holo {line} -format={form}")
    assert answer.status == 1
    assert answer.attachments == ()
    words = " ".join(answer.text.split())
    assert f'"-format={form}" draws one board, and these are 2' in words


@pytest.mark.parametrize("form", ["svg", "png"])
def test_results_are_no_picture(server: House, form: str) -> None:
    answer = server.type(f"holo history -format={form}")
    assert answer.status == 2
    assert f"-format={form} shows one board: please name a board." in answer.text


def test_players_without_boards_have_no_picture(server: House) -> None:
    answer = server.type("hextol show alice -format=svg")
    assert (answer.status, answer.attachments) == (0, ())
    assert "no games in progress" in answer.text


def test_not_within_multiple(server: House) -> None:
    body = "holo show 1 -format=svg\nholo show 1 -format=png\n"
    (letter,) = server.mail(mail_of("multiple", body=body, Message_ID="<1@x>"))
    assert letter.attachments == ()
    for form in ("svg", "png"):
        assert f'"-format={form}" cannot be used within "multiple".' in letter.text


def test_without_the_library_the_text_says_what_to_install(
    server: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    answer = server.type("holo show 1 -format=png")
    assert (answer.status, answer.attachments) == (1, ())
    assert "the library resvg-py is missing" in " ".join(answer.text.split())
    assert picture(server, "holo show 1 -format=svg")


# By mail


@pytest.mark.parametrize("form", ["svg", "png"])
@pytest.mark.parametrize("line", ["holo show 1", "holo showas alice {alice} 1"])
def test_by_mail_the_picture_comes_with_the_text(
    server: House, form: str, line: str
) -> None:
    subject = fill_in(f"{line} -format={form}")
    (letter,) = server.mail(mail_of(subject, home("alice"), Message_ID="<1@x>"))
    assert letter.attachments == (picture(server, f"{line} -format={form}"),)
    assert "Holomino, board 1, at the start" in letter.text
    parsed = message_from_bytes(message(letter, server.config), policy=default)
    assert isinstance(parsed, EmailMessage)
    (file,) = parsed.iter_attachments()
    found = file.get_filename(), file.get_content_type(), file.get_payload(decode=True)
    assert found == letter.attachments[0]


# In the shell


def printed(server: House, line: str) -> bytes:
    code = "from pbm_holomino.cli import main; raise SystemExit(main())"
    done = subprocess.run(
        [sys.executable, "-c", code, *line.split()],
        env=surroundings(PBM_GAMES=str(server.folder), PYTHONPATH=str(ROOT)),
        capture_output=True,
        check=True,
    )
    assert done.stderr == b""
    return done.stdout


@pytest.mark.parametrize("form", ["svg", "png"])
def test_in_the_shell_the_picture_is_all_that_is_printed(
    server: House, form: str
) -> None:
    line = f"holo show 1 -format={form}"
    assert printed(server, line) == picture(server, line).content


def test_a_png_is_not_printed_on_a_terminal(server: House) -> None:
    spawn = "import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)"
    done = subprocess.run(
        [sys.executable, "-c", spawn, f"{ROOT}/bin/holo"]
        + ["show", "1", "-format=png"],
        env=surroundings(PBM_GAMES=str(server.folder)),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 1
    assert b"PNG\r\n" not in done.stdout
    assert b'">holo-1.png"' in done.stdout
