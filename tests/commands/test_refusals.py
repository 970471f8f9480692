"""Every command with every fault, by shell and by mail: it is answered with its
sentence, to whom it may concern, and changes no byte."""

import io
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from pbm_holomino import owner, rules
from pbm_holomino.cli import main
from pbm_holomino.commands import parse, table
from pbm_holomino.commands.subjects import subject_words
from pbm_holomino.errors import NoCommand, PbmError
from pbm_holomino.letters import help as pages
from pbm_holomino.letters import screen
from pbm_holomino.letters.content import plain
from pbm_holomino.letters.letter import Letter
from pbm_holomino.mail import incoming
from tests.commands.refusals import (
    BOARDLESS,
    FAULTS,
    GAME,
    GREETING,
    MORE,
    OTHERWISE,
    TOP,
    Cell,
    CommandRow,
    Never,
    Said,
)
from tests.house import (
    PASSWORDS,
    House,
    home,
    mail_of,
    passwords_in,
)
from tests.languages.walk import bare, in_the_pseudo_language
from tests.prose import count_sentences, sentence_of
from tests.sizes import some

STRANGER = "eve@example.net"


class Faulty(NamedTuple):
    """A command with a fault, and what is to come of it."""

    game: str
    row: CommandRow
    fault: str
    cell: Cell
    given: int = 0  # words, where some are missing

    def __str__(self) -> str:
        words = self.row.words.format_map(_Names())
        return f"{self.game} {self.row.command} {words} {self.fault} {self.given}"

    def filled(self, server: House) -> dict[str, str]:
        """What stands in the places of the row's words."""
        match = server.library.match(self.game or "holo", 1)
        move = match.view(None).legal[0]
        who = self.row.who or match.turn[0]
        right = {
            "who": who,
            "password": PASSWORDS.get(who, "Fourth-44"),
            "board": self.row.right,
            "move": move,
            "tile": move.partition(":")[0],
        }
        return {**right, **FAULTS.get(self.fault, {})}

    def line(self, server: House) -> list[str]:
        """The words of the command with its fault."""
        words = self.row.words.format(**self.filled(server)).split()
        if self.fault == "missing":
            words = words[: self.given]
        more = MORE.split() if self.fault == "more" else []
        return [*filter(None, [self.game]), *self.row.command.split(), *words, *more]


class _Names(dict[str, str]):
    def __missing__(self, name: str) -> str:
        return name


def cases(row: CommandRow, game: str = "") -> Iterator[Faulty]:
    for fault in (*FAULTS, "more"):
        cell = getattr(row, fault)
        cell = OTHERWISE.get((game, row.command, fault), cell)
        yield Faulty(game, row, fault, cell)
    for given, cell in enumerate(row.missing):
        yield Faulty(game, row, "missing", cell, given)


CASES = [case for row in TOP for case in cases(row)]
CASES += [case for game in rules.names() for row in GAME for case in cases(row, game)]
REFUSED = some([case for case in CASES if isinstance(case.cell, Said)], 220)
DONE = [c for c in CASES if isinstance(c.cell, Never) and c.cell != BOARDLESS]


def test_every_command_has_its_row() -> None:
    assert {row.command for row in TOP} == table.at_top().keys()
    assert {row.command for row in GAME} == table.in_game().keys()


@pytest.mark.parametrize("row", [*TOP, *GAME], ids=lambda row: row.command)
def test_a_command_that_names_a_board_can_name_a_wrong_one(row: CommandRow) -> None:
    cells = (row.board, row.number, row.player, row.over)
    assert {cell == BOARDLESS for cell in cells} == {"{board}" not in row.words}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> House:
    """A server where alice and bob play board 1 of each game, alice has won board 2,
    and carol plays nowhere. Alice is in tournaments 1 and 2, of which the second was
    cancelled."""
    folder = tmp_path_factory.mktemp("built") / "games"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PBM_GAMES", str(folder))
        server = House(folder).sign_up("alice", "bob", "carol")
        for number in (1, 2):
            owner.run(["tournament", "open", "holo", "robin"])
            words = f"tournament join {number} alice {PASSWORDS['alice']}"
            assert server.type(words).status == 0
        owner.run(["tournament", "cancel", "2"])
    for game in rules.names():
        server.challenge(game=game)
        server.challenge(game=game)
        for act in ("accept 1", "resign 2"):
            assert server.type(f"{game} {act} bob {PASSWORDS['bob']}").status == 0
    return server


@pytest.fixture
def server(built: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    """A copy of that server, whose store the programs use too."""
    server = built.copy(tmp_path / "games")
    monkeypatch.setenv("PBM_GAMES", str(server.folder))
    monkeypatch.setattr(sys, "stdin", None)  # what a command is sent with comes there
    return server


def kept(server: House) -> dict[str, bytes]:
    """Every byte of the machine and its store, but for the count of what strangers are
    answered. Files of locks hold none, and there is none of a name that nobody has."""
    files = server.files()
    for path in server.folder.rglob("*.lock"):
        lock = str(path.relative_to(server.folder).with_suffix(""))
        assert lock.endswith(("/new", "challenges")) or f"{lock}.yaml" in files
        assert path.read_bytes() == b""
    return {k: v for k, v in files.items() if not k.startswith("strangers/")}


def mailed(case: Faulty, words: list[str], server: House) -> list[Letter]:
    """The letters that leave when a stranger's mail brings these words."""
    headers = {"Message_ID": "<1@example.net>"}
    return server.mail(mail_of(" ".join(words), STRANGER, case.row.body, **headers))


def typed(
    case: Faulty, words: list[str], capsys: pytest.CaptureFixture[str]
) -> tuple[int, str]:
    """The exit status in the shell, and what is read there."""
    sys.stdin = io.TextIOWrapper(io.BytesIO(case.row.body.encode()))
    status = main(["pbm", *words])
    out, err = capsys.readouterr()
    assert not (out if status else err)
    return status, out or err


def check_text(text: str, case: Faulty, server: House) -> None:
    """A sentence, the help page where it is misused, the board where there is one."""
    assert isinstance(case.cell, Said)
    right, title = case.filled(server), rules.load(case.game or "holo").TITLE
    said = sentence_of(text)
    wanted = case.cell.words.format(game=case.game, title=title, **right)
    assert wanted in said
    assert 1 <= count_sentences(said) <= 2
    head, _, board = text.partition("\n\n")
    page = re.search(r' For more, send "help ([a-z]+)"\.$', " ".join(head.split()))
    assert bool(page) == (case.cell.status == 2)
    assert page is None or page[1] in pages.subjects()
    assert bool(board) == case.cell.shows
    assert not board or f"\n{title}, board {right['board']}, " in board
    assert max(map(len, text.splitlines())) <= 72


def check_boards(text: str, told: str, case: Faulty, server: House) -> None:
    """The shell and the letter say the same above the board; below, each says how to
    move from there: a letter to a player of the board, by a reply."""
    assert isinstance(case.cell, Said)
    said, _, board = text.partition("\n\n")
    assert told.partition("\n\n")[0] == said
    if not case.cell.shows:
        assert told == text
        return
    right = case.filled(server)
    match = server.library.match(case.game, int(right["board"]))
    is_over = case.row.command == "previewas" and case.fault == "over"
    reader = right["who"] if case.cell.proved and not is_over else None
    assert board == plain(screen.screen(match, reader))
    by_reply = plain(screen.screen(match, reader, by_reply=case.cell.proved))
    assert told == f"{said}\n\n{by_reply}"
    if reader in match.record.players:
        assert "PASSWORD" not in told


def subject_of(words: list[str]) -> str:
    """The subject of the answer to a command: its name, if it has one."""
    try:
        return str(parse.parse(words).subject)
    except PbmError:
        return "Re: your command"


def assert_no_command(subject: str) -> None:
    """The Subject of a reply to such a letter asks nothing."""
    reply = incoming.read(mail_of(f"Re: {subject}"), "games@play.example")
    assert reply is not None
    with pytest.raises(NoCommand):
        parse.parse(subject_words(reply.subject))


def check_nothing_told(text: str) -> None:
    """No password, nor what may be one in a wrong place, and no text passed on."""
    assert not list(passwords_in(text))
    for word in ("Wrong-12", "Fourth-44", "Newer-99", "dave", GREETING):
        assert word not in text


@pytest.mark.parametrize("case", REFUSED, ids=str)
def test_a_fault_changes_nothing(
    case: Faulty, server: House, capsys: pytest.CaptureFixture[str]
) -> None:
    assert isinstance(case.cell, Said)
    before, words = kept(server), case.line(server)
    status, text = typed(case, words, capsys)
    assert kept(server) == before
    assert status == case.cell.status
    check_text(text, case, server)
    (letter,) = mailed(case, words, server)
    assert kept(server) == before
    check_boards(text, letter.text, case, server)
    who = case.filled(server)["who"]
    to = home(who) if case.cell.proved else STRANGER
    assert letter.to == (to,)
    assert letter.answers == "<1@example.net>"
    assert letter.subject == subject_of(words)
    assert_no_command(letter.subject)
    check_nothing_told(letter.subject + letter.text)


@pytest.mark.parametrize("case", DONE, ids=str)
def test_faults_that_a_command_cannot_have(
    case: Faulty, server: House, capsys: pytest.CaptureFixture[str]
) -> None:
    status, text = typed(case, case.line(server), capsys)
    assert status == 0, text


def test_every_refusal_can_be_said_in_any_language(built: House) -> None:
    """To those who have proved who they are, as others are refused in English."""
    proved = [c for c in CASES if isinstance(c.cell, Said) and c.cell.proved]
    with in_the_pseudo_language():
        said = [built.type(" ".join(case.line(built))).text for case in proved]
    assert [*filter(bare, said)] == []
