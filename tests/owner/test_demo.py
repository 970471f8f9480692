"""`pbm demo`: each game on a screen of its own, what is asked then, and the lines that
are left to type."""

import os
import re
import shlex
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from time import sleep

import pytest

from pbm_holomino import owner, rules
from pbm_holomino.commands import parse
from pbm_holomino.commands.request import Answer
from pbm_holomino.draw.text import draw
from pbm_holomino.errors import BadCommand, NotAllowed
from pbm_holomino.match import replay
from pbm_holomino.match.board import Match
from pbm_holomino.owner import demo, play, showing, web
from pbm_holomino.owner.cast import Cast
from pbm_holomino.owner.terminal import Terminal
from pbm_holomino.rules.contract import Drawing, Label, move_labels
from pbm_holomino.server import open as opener
from pbm_holomino.server import waking
from pbm_holomino.store.home import Home, open_home, open_store
from pbm_holomino.store.library import Library
from tests.paths import ROOT
from tests.processes import PATIENCE, run, surroundings
from tests.sizes import sized
from tests.terminal import Visitor, visiting

QUESTION = "or stop (q)? "


@pytest.fixture
def games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty store, in which the games of a demo are kept."""
    monkeypatch.setenv("PBM_GAMES", str(tmp_path / "games"))
    (tmp_path / "games").mkdir()
    return tmp_path / "games"


def kept_here(line: str) -> list[str]:
    """The words of a demo that keeps its games in that store."""
    return [*line.split(), f"--keep={os.environ['PBM_GAMES']}"]


def typed(line: str, capsys: pytest.CaptureFixture[str]) -> str:
    """What a demo prints that keeps its games, where nobody can be asked."""
    answer = owner.run(kept_here(line))
    assert answer.status == 0
    return capsys.readouterr().out + answer.text


def screens(shown: str) -> dict[str, list[str]]:
    """The screen of each game, by its title, without the line between two."""
    pieces = re.split(r"(?m)^-- (\w+) \(\d of \d\) -+(?: Enter goes on --)?$", shown)
    lines = [piece.rstrip("\n").split("\n") for piece in pieces[2::2]]
    lines[-1] = pieces[-1].partition("\nThese boards are yours")[0].rstrip().split("\n")
    return dict(zip(pieces[1::2], lines, strict=True))


def boards(games: Path) -> Iterator[Match]:
    server, _ = opener.open_server()
    for game in rules.names():
        for board in server.library.lists.boards(game):
            yield server.library.match(game, board)


# The screens


@pytest.mark.parametrize("attempt", range(sized(3, 30)))
def test_each_game_is_on_a_screen_of_24_lines_of_80_columns(
    games: Path, capsys: pytest.CaptureFixture[str], attempt: int
) -> None:
    """Whatever was drawn; the last line is that of the cursor."""
    shown = typed("demo", capsys)
    found = screens(shown)
    assert [*found] == [rules.load(game).TITLE for game in rules.names()]
    for lines in found.values():
        assert 12 <= len(lines) < 24
        assert max(map(len, lines)) <= 80
    assert not re.search("MIME|Content-Type|<div|X-Loop|[\x1b\r]", shown)


def test_a_screen_shows_what_was_sent_and_what_is_read(
    games: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = screens(typed("demo", capsys))
    letters = "".join(path.read_text() for path in (games / "outbox").iterdir())
    for board in boards(games):
        record = board.record
        text = "\n".join(found[board.rules.TITLE])
        sender, subject = re.findall(
            r"^(\w+) sends a mail\. Its Subject has .*:\n    (.*)\n", text, re.M
        )[0]
        request = parse.parse(subject.split())
        # what has no room is not shown, and then the move before it is
        (line,) = [line for line in record.log[-3:] if line.action in request.words]
        assert (request.command, request.board) == ("move", record.board)
        assert sender == request.userid == line.who
        match = board.after_ply(line.no or 0)
        (reader,) = {*record.players} - {sender}
        (about,) = re.findall(rf'and {reader} gets the letter "(.*)", here', text)
        letter = "\n".join(re.findall(r"(?m)^  \|(?: (.*))?$", text))
        assert f"\nSubject: {about}\n" in letters
        assert f"It is your turn, {reader}. " in letter
        # the board as it is now comes first, with the places of three moves at most
        view = match.view(reader)
        moves = re.findall(r"(?<!\S)\w+:[\d,]+(?=\s|$)", letter.partition("turn, ")[2])
        assert len(moves) == 3
        assert {*moves} <= {*view.legal}
        places = {int(n) for m in moves for n in re.findall(r"\d+", m.split(":")[1])}
        labels = move_labels(places) | kept(view.drawing)
        picture = draw(view.drawing._replace(labels=labels), small=True)
        plain = draw(view.drawing._replace(labels=kept(view.drawing)), small=True)
        assert letter.startswith((picture, plain))
        assert re.search(rf"such as {re.escape(moves[0])}\.$", letter)
        told = [line for line in letter.splitlines() if " played " in line]
        assert f"{sender} played {line.action}" in told[0]


def kept(drawing: Drawing) -> dict[int, Label]:
    """The labels of a drawing but for the places of moves."""
    return {at: x for at, x in drawing.labels.items() if x.kind != "move"}


def test_three_tiles_lie_beside_the_first(
    games: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    typed("demo", capsys)
    for match in boards(games):
        boards_then = [match.rules.drawing(step.state) for step in match.steps]
        tiles = {sum(map(each.tiles_at, each.faces)) for each in boards_then}
        assert len(tiles - {0}) == 4


def test_a_tile_leaves_room_for_the_places_of_the_next_moves(games: Path) -> None:
    """In Walomino nothing is drawn, so they are known; the last move is then shown."""
    home = open_home()
    with closing(open_store(home)) as store:
        played = [*Cast(home, Library(store), ["walomino"], False).played("walomino")]
    assert played
    for seen in played:
        before = seen.match.after_ply(seen.match.ply - 1)
        moves = before.view(seen.sender).legal
        if any(rows_with_places(before, move) <= 10 for move in moves):
            assert rows_with_places(before, seen.subject.split()[-1]) <= 10


def rows_with_places(match: Match, move: str) -> int:
    """The height of the small picture after a move, with the next three places."""
    after = replay.preview(match, move, match.turn[0])
    assert after is not None
    best = showing.choices(after, after.turn[0])[:3]
    drawing = after.view(None).drawing
    places = move_labels(at for each in best for at in each.cells)
    labels = kept(drawing) | places
    return len(draw(drawing._replace(labels=labels), small=True).splitlines())


@pytest.mark.parametrize("game", rules.names())
def test_a_game_that_is_named_is_the_only_one(
    games: Path, capsys: pytest.CaptureFixture[str], game: str
) -> None:
    shown = typed(f"demo {game}", capsys)
    assert [*screens(shown)] == [rules.load(game).TITLE]
    assert [match.record.game for match in boards(games)] == [game]


def test_the_source_of_the_mails_is_there_for_those_who_ask(
    games: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = typed("demo --source holo", capsys)
    (match,) = boards(games)
    moves = [str(line.action) for line in match.record.log if line.no]
    sent = re.findall(r"^Subject: holo move 1 \w+ \w+ (\S+)$", shown, re.M)
    assert sent == moves
    for path in (games / "outbox").iterdir():
        (name,) = re.findall(r"(?m)^Message-ID: (.*)$", path.read_text())
        assert f"Message-ID: {name}\n" in shown
    assert "Content-Type: text/html" in shown
    assert "(1 of 1)" not in shown


def test_each_demo_has_players_of_its_own(
    games: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in (1, 2):
        assert f"ann{number} has " in typed("demo holo", capsys)
    assert len([*boards(games)]) == 2


# The lines to type


def test_the_lines_that_it_leaves_can_be_typed(games: Path, tmp_path: Path) -> None:
    done = run(tmp_path, "pbm", *kept_here("demo"))
    left = done.out.partition("These boards are yours")[2]
    lines = [line.strip() for line in left.splitlines() if line.startswith("  ")]
    assert len(lines) == len(rules.names()) + 1 + 4
    tried = 0
    for line in lines:
        if line.endswith("pbm web 2480"):  # which goes on until it is stopped
            named = re.fullmatch(r"PBM_GAMES=(\S+) \S*pbm web 2480", line)
            assert named is not None
            assert Path(named[1]).resolve() == games.resolve()
            continue
        command = re.sub(rf"\S*/(?=({'|'.join(('pbm', *rules.names()))}) )", "", line)
        assert command.startswith(("PBM_GAMES=", "pbm "))
        found = subprocess.run(
            ["sh", "-c", command],
            env=surroundings(PATH=f"{ROOT}/bin:{os.environ['PATH']}"),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=PATIENCE,
        )
        assert found.returncode == 0, (command, found)
        tried += 1
    assert tried == len(lines) - 1


def test_a_command_is_typed_as_it_was_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PBM_GAMES", raising=False)
    monkeypatch.setattr(demo, "folder_of_programs", lambda: f"{ROOT}/bin")
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    monkeypatch.chdir(ROOT)
    assert demo._command("holo") == "bin/holo"
    monkeypatch.chdir(ROOT.parent)
    assert demo._command("holo") == f"{ROOT.name}/bin/holo"
    monkeypatch.chdir("/")
    assert demo._command("holo") in (f"{ROOT}/bin/holo", f"{ROOT}/bin/holo"[1:])
    monkeypatch.setenv("PATH", f"{ROOT}/bin:/usr/bin")
    assert demo._command("holo") == "holo"


# What is kept


@pytest.fixture
def passing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder for what does not stay."""
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    return tmp_path / "tmp"


@pytest.mark.parametrize(
    ("line", "setting"),
    [("demo", "send: smtp"), ("demo --source", "send: outbox")]
    + [("demo --web", "no: such setting"), ("demo hextol", "no: such setting")],
)
def test_a_demo_leaves_nothing(
    games: Path, passing: Path, played: list[str], line: str, setting: str
) -> None:
    """Neither in the store of the owner, whatever its settings, nor elsewhere."""
    (games / "config.yaml").write_text(f"{setting}\n")
    answer = owner.run(line.split())
    assert "yours" not in answer.text
    assert played == (["holo/1"] if "--web" in line else [])
    assert [path.name for path in games.iterdir()] == ["config.yaml"]
    assert [*passing.iterdir()] == []
    assert os.environ["PBM_GAMES"] == str(games)


def test_the_pages_are_of_its_own_boards(
    games: Path, passing: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also those that somebody asks for who has seen the screens."""
    found = list[str]()

    def show(path: str) -> Answer:
        server, home = opener.open_server()
        game, board = path.split("/")
        found.append(server.library.match(game, int(board)).record.name)
        assert passing in Path(home.root).parents
        return Answer("")

    monkeypatch.setattr(web, "show", show)
    owner.run(["demo", "--web", "hextol"])
    request = parse.parse(["demo", "holo"], in_shell=True)
    demo.run(request, Watched("w"))
    assert found == ["hextol 1", "holo 1"]


def cut_short(visitor: Visitor, end: signal.Signals) -> None:
    """End a command by a signal, again and again: it may not have begun to wait when
    the first one came."""
    while visitor.process.poll() is None:
        visitor.process.send_signal(end)
        with suppress(subprocess.TimeoutExpired):
            visitor.process.wait(10)


@pytest.mark.parametrize("end", [signal.SIGHUP, signal.SIGTERM, signal.SIGINT])
def test_nothing_is_left_of_a_demo_that_is_cut_short(
    tmp_path: Path, end: signal.Signals
) -> None:
    words = ["pbm", "demo", "holo"]
    with visiting(words, PBM_GAMES=f"{tmp_path}/none", TMPDIR=str(tmp_path)) as visitor:
        visitor.until([QUESTION])
        (own,) = tmp_path.iterdir()
        assert (own / "players").is_dir()
        cut_short(visitor, end)
    assert [*tmp_path.iterdir()] == []


def test_a_robot_that_is_at_work_ends_before_its_folder_goes(games: Path) -> None:
    """Otherwise it would make the folder once more, to save its move."""
    home, begun, ended = Home(str(games)), Event(), Event()

    def work() -> None:
        with waking.holding(home) as is_ours:
            assert is_ours
            begun.set()
            sleep(0.5)
            ended.set()

    robot = Thread(target=work)
    robot.start()
    assert begun.wait(60)
    demo._await_robots(home)
    assert ended.is_set()
    robot.join()


# On a terminal


class Watched(Terminal):
    """A terminal at which somebody answers the question; `read` counts the pauses."""

    def __init__(self, *answers: str, typed_between: str = "") -> None:
        super().__init__(self._next)
        self._answers = iter(answers)
        self._between = typed_between
        self.asked: list[str] = []
        self.pauses: list[float | None] = []

    is_answered = True

    def _next(self, question: str) -> str:
        self.asked.append(question)
        word = next(self._answers, None)
        if word is None:
            raise EOFError
        return word

    @contextmanager
    def unseen(self) -> Iterator[None]:
        yield

    def forget(self) -> None:
        assert not self.asked

    def pause(self, seconds: float | None = None) -> str:
        self.pauses.append(seconds)
        return self._between


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The games that are played, and the pages that are opened."""
    found = list[str]()

    def note(what: str) -> Answer:
        found.append(what)
        return Answer("")

    monkeypatch.setattr(play, "play", lambda game, terminal: note(game))
    monkeypatch.setattr(web, "show", note)
    return found


def shown(terminal: Terminal, line: str = "demo") -> str:
    return demo.run(parse.parse(kept_here(line), in_shell=True), terminal).text


@pytest.mark.parametrize(("named", "game"), [("", "holo"), ("hextol", "hextol")])
def test_enter_plays_the_robot(
    games: Path, played: list[str], named: str, game: str
) -> None:
    terminal = Watched("")
    text = shown(terminal, f"demo {named}")
    assert played == [game]
    assert text.strip().startswith("These boards are yours now.")
    (question,) = terminal.asked
    assert question.startswith(f"Play {rules.load(game).TITLE} against a robot (Enter)")
    assert len(question) < 80


def test_w_opens_the_pages(
    games: Path, played: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    shown(Watched("W"))
    assert played == ["holo/1"]
    match = next(m for m in boards(games) if m.record.game == "holo")
    said = " ".join(capsys.readouterr().out.split())
    assert f"sign in as {match.turn[0]} with the password " in said


@pytest.mark.parametrize("answers", [("q",), ("x", "no", "Quit"), ()])
def test_to_stop_leaves_the_lines_to_type(
    games: Path, played: list[str], answers: tuple[str, ...]
) -> None:
    text = shown(Watched(*answers))
    assert played == []
    assert "These boards are yours now." in text
    assert len(text.splitlines()) < 24


def test_there_is_time_to_read_but_for_the_question(
    games: Path, played: list[str]
) -> None:
    terminal = Watched("q")
    shown(terminal)
    assert len(terminal.pauses) == 2 * len(rules.names()) - 1


def test_a_screen_stays_until_enter(games: Path, played: list[str]) -> None:
    """However slowly somebody reads: each game but the last waits as long as it takes,
    and the last for the question."""
    terminal = Watched("q")
    shown(terminal)
    assert terminal.pauses.count(None) == len(rules.names()) - 1


def test_a_reader_who_has_enough_sees_no_more_games(
    games: Path, played: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    terminal = Watched(typed_between="q")
    assert "These boards are yours now." in shown(terminal)
    assert terminal.asked == []
    assert len(screens(capsys.readouterr().out)) == 1


def test_a_pipe_waits_for_nobody(games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def wait(*_: object) -> None:
        raise AssertionError("it waits")

    monkeypatch.setattr("select.select", wait)
    assert "These boards are yours now." in owner.run(kept_here("demo")).text


WAITS = "(it waits)\n"
# No screen goes on by itself, as its reader may be slow, and each says where it ends.
SAYS_THAT_IT_WAITS = (
    "from pbm_holomino.owner import demo, terminal; "
    "demo._BEGINNING, pause = None, terminal.Terminal.pause; "
    "terminal.Terminal.pause = lambda *words: print('(it waits)') or pause(*words)"
)


def test_on_a_terminal_each_game_fills_it_once(tmp_path: Path) -> None:
    """As README has it: Enter goes on, and once more begins a game. Nothing of what is
    typed moves the screens, on a terminal that shows it, too."""
    words, store = ["pbm", "demo"], str(tmp_path)
    with visiting(
        words, before=SAYS_THAT_IT_WAITS, echo=True, PBM_GAMES=store
    ) as visitor:
        text = ""
        while not text.endswith(QUESTION):
            text += visitor.until([WAITS, QUESTION])
            assert visitor.process.poll() is None, text
            if not text.endswith(QUESTION):
                visitor.type("")
        text = text.replace(WAITS, "")
        found = screens(text.replace("Play Holomino", "\nThese boards are yours"))
        assert len(found) == len(rules.names())
        for lines in found.values():
            assert len(lines) < 24
        visitor.type("")
        assert "You play Holomino against a robot." in visitor.until([play.PROMPT])
        visitor.type("quit")
        visitor.until(["the end"])
        assert visitor.process.wait(60) == 0


def test_after_ctrl_c_the_shell_begins_a_line(tmp_path: Path) -> None:
    with visiting(["pbm", "demo", "holo"], PBM_GAMES=str(tmp_path)) as visitor:
        visitor.until([QUESTION])
        cut_short(visitor, signal.SIGINT)
        assert visitor.until(["the end"]).startswith("\n")


def test_what_was_typed_before_the_question_is_no_answer(tmp_path: Path) -> None:
    with visiting(["pbm", "demo", "holo"], PBM_GAMES=str(tmp_path)) as visitor:
        visitor.type("")
        visitor.type("")
        visitor.type("")
        text = visitor.until([QUESTION])
        visitor.type("q")
        assert "Nothing of this is kept." in visitor.until(["the end"])
    assert "You play Holomino" not in text


# The pages at once


def test_web_goes_straight_to_the_pages(
    games: Path, played: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    said = typed("demo --web walomino", capsys)
    assert played == ["walomino/1"]
    assert "Subject" not in said
    name, password = re.findall(r"sign in as (\w+) with the\s+password (\w+)", said)[0]
    server, _ = opener.open_server()
    player = server.library.player(name)
    assert player is not None
    assert name in next(boards(games)).turn
    assert shlex.quote(password) == password


def test_without_the_libraries_nothing_is_opened(
    games: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing() -> None:
        raise NotAllowed("Pages need Starlette")

    monkeypatch.setattr(web, "_server", missing)
    monkeypatch.setattr("sys.argv", ["pbm", "demo", "--web", "holo"])
    with pytest.raises(NotAllowed, match="Pages need"):
        owner.run(kept_here("demo --web holo"))
    assert [*games.iterdir()] == []


@pytest.mark.parametrize("line", ["demo hextol", "demo hextol --web"])
def test_a_checkout_installs_the_libraries(
    games: Path, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    """The launcher does so for the words `pbm demo --web`."""

    class Gone(Exception):
        """This process goes on as another program."""

    def missing() -> None:
        raise NotAllowed("Pages need Starlette")

    began: list[list[str]] = []

    def execv(program: str, words: list[str]) -> None:
        began.append(words)
        raise Gone

    monkeypatch.setattr(web, "_server", missing)
    monkeypatch.setattr(os, "execv", execv)
    monkeypatch.setattr("sys.argv", ["pbm", *line.split()])
    with pytest.raises(Gone):
        shown(Watched("w"), line)
    ((program, *words),) = began
    assert os.path.basename(program) == "pbm"
    assert words == ["demo", "--web", f"--keep={games}", "hextol"]


def test_a_port_that_is_taken_is_left_to_whoever_has_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        monkeypatch.setattr(web, "_PORT", str(port))
        assert web._free_port() != str(port)
    assert web._free_port() == str(port)


# Where it cannot be


def test_two_ways_do_not_go_together(games: Path) -> None:
    with pytest.raises(BadCommand, match="--source and --play do not go together"):
        owner.run(["demo", "--play", "--source"])
    with pytest.raises(BadCommand, match="--play and --keep do not go together"):
        owner.run(["demo", "--play", "--keep", "somewhere"])
    with pytest.raises(BadCommand, match="chess"):
        owner.run(["demo", "chess"])


def test_a_server_that_sends_real_mail_opens_nothing(games: Path) -> None:
    (games / "config.yaml").write_text("send: smtp\n")
    for line in ("demo", "demo --web", "demo --source"):
        with pytest.raises(NotAllowed, match="sends real mail"):
            owner.run(kept_here(line))
    assert [path.name for path in games.iterdir()] == ["config.yaml"]


@pytest.mark.parametrize("setting", ["signups: closed", "signups_per_hour: 0"])
def test_a_server_that_takes_no_more_sign_ups_says_so(
    games: Path, setting: str
) -> None:
    (games / "config.yaml").write_text(f"{setting}\n")
    with pytest.raises(NotAllowed, match="players cannot sign up here") as refused:
        owner.run(kept_here("demo"))
    assert "name another folder after --keep" in str(refused.value)
