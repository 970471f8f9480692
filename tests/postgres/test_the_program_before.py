"""The last program before there were ledgers, and this one: they play together on one
database, and each copies what the other has written."""

import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.house import PASSWORDS, home
from tests.needs import BEFORE_LEDGERS, git
from tests.paths import ROOT
from tests.postgres.cluster import POSTGRESQL, Cluster
from tests.postgres.conftest import Open
from tests.postgres.scene import Machine, Move, assert_played, moves, named
from tests.processes import Resident, resident, run
from tests.prose import assert_still_told, without_zone
from tests.storage import InFiles

pytestmark = [POSTGRESQL, pytest.mark.needs("history")]

STORE = ROOT / "tests" / "stores" / "before-ledgers"

# What a machine has counted in an hour or a day, and when it last did something.
NOT_COPIED = ("forgotten", "hint.asked", "review.asked", "strangers", "memory")
# The environment in which a command is this program, or that one.
Program = Mapping[str, str]
NOW: Program = {}


@pytest.fixture(scope="session")
def before(tmp_path_factory: pytest.TempPathFactory) -> Program:
    """The program as it was then, with the libraries of now."""
    folder = tmp_path_factory.mktemp("before")
    archive = git("archive", BEFORE_LEDGERS, "pbm_holomino").stdout
    subprocess.run(["tar", "-x", "-C", folder], input=archive, check=True)
    program = {"PYTHONPATH": str(folder), "PYTHONSAFEPATH": "1"}
    assert (folder / "pbm_holomino" / "match" / "open_challenge.py").exists()
    return program


class Both:
    """Two machines with the same database: one runs this program, and the other the one
    before."""

    def __init__(self, machines: list[Machine], before: Program) -> None:
        self.machines = machines
        self.programs = (NOW, before)
        self.servers: list[Resident] = []
        self.asked = 0

    def say(self, number: int, line: str) -> str:
        """What the command that is typed on one of them answers."""
        machine, program = self.machines[number], self.programs[number]
        done = run(machine.folder, "pbm", *line.split(), **program)
        assert done.status == 0, done
        return done.out

    def play(self, number: int, move: Move) -> None:
        self.send(number, move.who, move.mail)

    def send(self, number: int, who: str, mail: bytes) -> None:
        """Bring a mail to the server of one of them."""
        code, words = self.servers[number].send(mail, home(who))
        assert code == 250, words

    def ask(self, number: int, who: str, line: str, text: str = "") -> None:
        """Have a player send a command to one of them."""
        line = line.format(PASSWORDS[who])
        self.asked += 1
        self.send(number, who, named(line, who, f"asked.{self.asked}", text))


@pytest.fixture
def both(games: str, cluster: Cluster, opened: Open, before: Program) -> Iterator[Both]:
    """On a database in which eight games have begun; each of them has a server."""
    machines = [opened(cluster.url(games)) for _ in range(2)]
    found = Both(machines, before)
    with ExitStack() as stack:
        for machine, program in zip(machines, found.programs, strict=True):
            server = stack.enter_context(resident(machine, **program))
            found.servers.append(server)
        yield found


def test_they_play_a_game(both: Both) -> None:
    """In turns, and each does not do what the other has done."""
    made = moves(1)
    for number, move in enumerate(made):
        both.play(number % 2, move)
        both.play(1 - number % 2, move)
    assert_played(both.machines[0], made, both.machines[1])
    assert "all is well" in both.say(1, "check")
    shown = [both.say(number, "holo show 1 -format=json") for number in range(2)]
    assert shown[0] == shown[1]
    records = [both.say(number, "holo history 1 -format=yaml") for number in range(2)]
    assert records[0] == records[1]


@pytest.mark.parametrize("first", [0, 1])
def test_what_one_begins_the_other_ends(both: Both, first: int) -> None:
    """Open challenges, challenges, tournaments, messages and accounts."""
    other = 1 - first
    both.ask(first, "alice", "holo challenge alice anyone")
    assert "alice against anyone" in both.say(other, "list open")
    both.ask(other, "bob", "holo accept 9 bob {}")
    both.ask(first, "bob", "holo challenge bob anyone")
    both.ask(other, "bob", "holo decline 10 bob {}")
    both.say(first, "tournament open holo robin --days 9")
    both.ask(other, "alice", "tournament join 1 alice {}")
    both.ask(first, "alice", "tournament leave 1 alice {}")
    both.ask(other, "carol", "signup carol {} carol@example.org")
    both.ask(first, "carol", "change format carol {} small")
    both.ask(first, "carol", "message carol {} bob", "Hello!")
    both.ask(other, "bob", "block bob {} carol")
    both.ask(first, "alice", "hextol challenge alice carol")
    both.ask(other, "carol", "hextol decline 1 carol {}")
    line = f"holo chat 9 alice {PASSWORDS['alice']}"
    mail = named(line, "alice", "chat", "Hello, bob!")
    assert [both.servers[n].send(mail)[0] for n in (first, other)] == [250, 250]
    for number in (first, other):
        both.machines[number].end_leases()
        both.say(number, "flush")
        assert "all is well" in both.say(number, "check")
    lists = (
        "list open",
        "tournament 1",
        "list",
        "holo games bob",
    )
    for line in (*lists, "holo history 9 -format=yaml", "hextol history 1"):
        answers = {without_zone(both.say(number, line)) for number in (first, other)}
        assert len(answers) == 1, line
    today, told = (both.say(number, "all show alice all") for number in range(2))
    assert_still_told(told, today)
    letters = both.machines[0].letters() | both.machines[1].letters()
    assert {"holo.9.2.bob", "players.carol.0.bob"} <= letters


Copy = Callable[[Program, str, str], None]


def copied(program: Program, here: Path, source: str, target: str) -> None:
    here.mkdir(exist_ok=True)
    done = run(here, "pbm", "copy", source, target, **program)
    assert done.status == 0, done


@pytest.mark.parametrize("there", ["before", "now"])
def test_what_one_has_copied_the_other_copies_back(
    before: Program, cluster: Cluster, tmp_path: Path, there: str
) -> None:
    """Into a database, and from it into files: the same bytes."""
    programs = [before, NOW] if there == "before" else [NOW, before]
    shutil.copytree(STORE, tmp_path / "games")
    files = InFiles().files(tmp_path / "games")
    wanted = {n: files[n] for n in files if n.partition("/")[0] not in NOT_COPIED}
    assert len(files) - len(wanted) == 6
    with cluster.database() as name:
        url, here = cluster.url(name), tmp_path / "here"
        copied(programs[0], here, str(tmp_path / "games"), url)
        copied(programs[1], here, url, str(tmp_path / "back"))
    assert InFiles().files(tmp_path / "back") == wanted
