"""Once a server runs it needs none of its program's files: they may be newer."""

import shutil
import subprocess
import sys
from functools import reduce
from pathlib import Path

import pytest

from pbm_holomino import rules
from pbm_holomino.commands import table
from pbm_holomino.letters import help as pages
from tests.house import House, fill_in
from tests.paths import ROOT
from tests.processes import PATIENCE, send, surroundings, wait_until
from tests.resident.desk import in_outbox, mail

# A line of every command that comes by mail, in an order in which all are carried out.
LINES = [
    "help",
    *(f"help {subject}" for subject in pages.subjects()),
    "hlep",  # what is meant?
    "signup carol {carol}",
    "add carol {carol} carol@example.net",
    "change password bob {bob} Another1",
    "change password bob Another1 {bob}",
    "change address carol {carol} carol@example.net",
    "change digest alice {alice} on",
    "change letters alice {alice} turns",
    "change format alice {alice} small",
    "change profile alice {alice} off",
    "change notices alice {alice} https://ntfy.sh/x ntfy",
    "change threads alice {alice} on",
    "change broadcasts alice {alice} off",
    "change language alice {alice} en",
    "unsubscribe alice {alice}",
    "change zone alice {alice} Europe/Berlin",
    "change vacation alice {alice} 3",
    "forgot alice",
    "newcomer dora ~abcdefghijklmnop",
    "list",
    "list holo",
    "tournament",
    "tournament join 1 alice {alice}",
    "tournament leave 1 alice {alice}",
    "message alice {alice} bob",
    "broadcast alice {alice}",
    "multiple",
    "all show alice",
    "all showas alice {alice}",
    *(f"{game} help" for game in rules.names()),
    *(f"{game} challenge alice bob" for game in rules.names()),
    "holo show 1",
    *(f"holo show 1 -format={form}" for form in ("bbcode", "markdown", "html", "json")),
    *(f"hextol show 1 -format={form}" for form in ("small", "list", "svg", "png")),
    "holo showas alice {alice}",
    "holo games",
    "holo move 2 alice {alice} {move}",
    "holo queue 1 alice {alice} {move}",
    "holo submit 1 bob {bob} {next}",
    "holo confirm 1 bob {bob}",
    "holo chat 1 alice {alice}",
    "holo history 1 -format=yaml",
    "holo look 1 5",
    "holo fits 1 124",
    "holo preview 1 pass",
    "holo previewas 1 alice {alice} pass",
    "holo analyse 1 alice {alice} -keep",
    "holo analyse alice {alice} -m=board",
    "holo keep 1 alice {alice}",
    "holo note 1 alice {alice}",
    "holo notes 1 alice {alice}",
    "holo decline 3 alice {alice}",
    "holo accept 1 bob {bob}",
    "decline all alice {alice}",
    "block alice {alice} carol",
    "unblock alice {alice} carol",
    "mute alice {alice} holo 2",
    "unmute alice {alice} holo 2",
    "holo hint 2 alice {alice}",
    "holo review 1 alice {alice}",
    "holo resign 1 alice {alice}",
    "holo publish 1 alice {alice}",
    "holo verify 1",
    "holo rematch 1 alice {alice}",
    "holo history",
    "holo standings",
    "holo ratings",
    "export carol {carol}",
    "invite alice {alice} zoe@example.net",
    "never ~abcdefghijklmnop",
    "holo invite alice {alice} yan@example.net",
    "signoff carol {carol}",
    "delete carol {carol}",
]


def test_these_are_all_commands() -> None:
    said = {" ".join(line.split()[:2]) for line in LINES}
    for name in table.at_top():
        assert any(words.startswith(name) for words in said), name
    for name in table.in_game():
        assert f"holo {name}" in said, name


@pytest.fixture
def lines(house: House) -> list[str]:
    """The lines, with legal moves: bob's on board 1, and alice's on board 2."""
    house.settings("answers_per_hour: 1000\n")
    assert house.type("holo challenge alice bob").status == 0
    assert house.type(f"holo move 1 alice {{alice}} {house.legal(1)[0]}").status == 0
    house.taken()
    moves = {"{next}": house.legal(1)[0], "{move}": house.legal(2)[0]}
    return [fill_in(reduce(put, moves.items(), line)) for line in LINES]


def put(line: str, pair: tuple[str, str]) -> str:
    return line.replace(*pair)


WATCH = """\
import os, sys
from pbm_holomino.resident import robots, serve
serve.load_everything()
from pbm_holomino.server import inbox, open
server, home = open.open_server()
program = os.path.dirname(serve.__file__).removesuffix("resident")
known = {*sys.modules}
def watch(event, words):
    if event in ("open", "os.listdir", "os.scandir"):
        if isinstance(words[0], str) and words[0].startswith(program):
            print(*words, file=sys.stderr)
sys.addaudithook(watch)
for raw in sys.stdin.buffer.read().split(b"\\0"):
    inbox.receive(raw, server, home.config)
robots.play(server, home)
later = {*sys.modules} - known
print(*(name for name in later if not name.startswith("encodings.")), file=sys.stderr)
"""


def test_nothing_of_the_program_is_read_while_it_serves(
    house: House, lines: list[str]
) -> None:
    """By it or by the robots; nor any module but Python's own for a charset."""
    raws = [mail("alice", line, f"{n}", "help\n") for n, line in enumerate(lines)]
    for charset in (b"latin-1", b"koi8-r", b"utf-7", b"no-such-charset"):
        head = b"Content-Type: text/plain; charset=%s\nSubject: help\n" % charset
        raws.append(b"From: alice@example.org\n" + head + b"\nH\xe9\n")
    done = subprocess.run(
        [sys.executable, "-c", WATCH],
        input=b"\0".join(raws),
        env=surroundings(PYTHONPATH=str(ROOT), PBM_GAMES=str(house.folder)),
        capture_output=True,
        check=True,
    )
    assert done.stderr.decode().split() == []


def ended(server: "subprocess.Popen[bytes]") -> bytes:
    """What a server has said on standard error, when it has ended."""
    server.terminate()
    return server.communicate(timeout=PATIENCE)[1]


def test_a_server_goes_on_without_its_files(
    house: House, lines: list[str], tmp_path: Path
) -> None:
    program = tmp_path / "checkout"
    shutil.copytree(ROOT / "pbm_holomino", program / "pbm_holomino")
    script = "import sys; from pbm_holomino import cli; sys.exit(cli.main())"
    server = subprocess.Popen(
        [sys.executable, "-c", script, "serve"],
        env=surroundings(PYTHONPATH=str(program), PBM_GAMES=str(house.folder)),
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        assert server.stdout is not None
        assert server.stdout.readline().startswith(b"Serving")
        shutil.rmtree(program)
        for number, line in enumerate(lines):
            before = in_outbox(house)
            raw = mail("alice", line, f"{number}", "help\n")
            code, words = send(str(house.path("lmtp")), raw)
            assert code == 250, (line, words, ended(server))
            wait_until(lambda before=before: in_outbox(house) != before, line)  # type: ignore[misc]
        assert (ended(server), server.returncode) == (b"", 0)
    finally:
        server.kill()
        server.communicate()
