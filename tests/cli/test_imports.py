"""What each command imports that not all commands need: players wait for it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import pbm_holomino
from pbm_holomino.server import waking
from pbm_holomino.store.home import Home
from tests.house import House, fill_in, home
from tests.sizes import some

PACKAGE = Path(pbm_holomino.__file__).parent
# What costs time, beside our own rooms: libraries, and the slow of Python's own.
COSTLY = frozenset(
    [
        "aiosmtpd",
        "asyncio",
        "atexit",  # without it a process ends at once
        "click",
        "ctypes",
        "difflib",
        "email",
        "html",
        "http",
        "imapclient",
        "imaplib",
        "json",
        "justhtml",
        "logging",
        "multiprocessing",
        "openskill",
        "pickle",
        "random",
        "resvg_py",
        "sqlite3",
        "smtplib",
        "socket",
        "ssl",
        "subprocess",
        "tempfile",
        "urllib",
        "xml",
        "yaml",
    ]
)
ALWAYS = {"yaml"}
LETTERS = {"letters.writing", "server.delivery"}
MAIL = {"server.inbox", "store.files.counters"}
MAIL |= {f"mail.{name}" for name in ("automatic", "charsets", "incoming", "mime")}
MAIL |= {"mail.intake"} | LETTERS
SHARED = {"rules.grid", "rules.refusals", "rules.seats", "rules.tiles"}
HOLO = SHARED | {"rules.games.holo"}
FILES = (PACKAGE / "rules" / "games").rglob("*.py")
GAMES = {".".join(path.relative_to(PACKAGE).with_suffix("").parts) for path in FILES}
# the words of moves are no userids
EVERY = {*SHARED, "rules.hextiles", *(n.removesuffix(".__init__") for n in GAMES)} - {
    "rules.games"
}
DRAWN = HOLO | {"draw.bitten"}
AS_SVG = {f"draw.svg.{name}" for name in ("bitten", "glyphs", "shapes")}
AS_SVG |= {"draw.png", "draw.svg", "html", "letters.images"}
QUERIES = {"commands.queries", "letters.board_forms"}
RECORDS = QUERIES | {"commands.records", "letters.board_list"}
PREVIEWS = QUERIES | {"commands.previews"}
ANALYSES = {"commands.analyses", "letters.analyses", "match.analysis"}
NOTES = {"commands.notes", "match.notebook", "match.kinds.notes", "letters.notes"}
NOTES |= {"letters.kinds.notes", "store.shelves"}
NOTED = NOTES | {"letters.writing", "server.delivery"}
RESULTS = QUERIES | {"commands.results", "letters.board_list", "store.ratings"}
INDEX = {"store.files.index", "store.files.rows", "store.lists"}
ASKED = INDEX | {"sqlite3"}
NAMES = {"match.robots"}
CHALLENGED = {"commands.robots", "store.ratings"}
WOKEN = {"server.waking"}
WRITES = {"store.files.key"} | LETTERS  # as letters have reply tokens

TYPED = {
    "help": EVERY | QUERIES,  # which has their titles
    "holo help": DRAWN | {"draw.large"} | QUERIES,
    "holo show 1": DRAWN | QUERIES,
    "holo show 1 -format=small": DRAWN | QUERIES,
    "holo show 1 -format=list": HOLO | {"draw.words"} | QUERIES,
    "holo show 1 -format=svg": DRAWN | QUERIES | AS_SVG,
    "holo show 1 -format=png": DRAWN | QUERIES | AS_SVG | {"resvg_py"},
    "holo show alice next": DRAWN | ASKED | QUERIES,
    "all show alice": DRAWN | ASKED | QUERIES,
    "holo showas alice {alice} 1": DRAWN | QUERIES,
    "all showas alice {alice}": DRAWN | ASKED | QUERIES,
    "holo games": ASKED | RECORDS,
    "holo history": HOLO | ASKED | RECORDS,
    "holo history 1": HOLO | RECORDS,
    "holo preview 1 {move}": DRAWN | PREVIEWS,
    "holo previewas 1 alice {alice} {move}": DRAWN | PREVIEWS,
    "holo analyse 1 alice {alice} {move}": DRAWN | PREVIEWS | ANALYSES,
    "holo analyse 1 alice {alice} {move} -keep": DRAWN | PREVIEWS | ANALYSES | NOTED,
    "holo note 1 alice {alice} {move} -m=Hm": HOLO | PREVIEWS | ANALYSES | NOTED,
    "holo notes 1 alice {alice}": HOLO | PREVIEWS | ANALYSES | NOTES,
    "holo standings": HOLO | ASKED | RESULTS,
    "holo ratings": HOLO | ASKED | RESULTS,
    "list": ASKED | RESULTS | NAMES,
    "list holo": HOLO | ASKED | RESULTS | NAMES,
    "holo challenge alice bob": DRAWN | ASKED | WRITES,
    "holo challenge alice robot": DRAWN | ASKED | WRITES | NAMES | CHALLENGED,
    "holo move 1 alice {alice} {move}": DRAWN | WRITES,
    "holo resign 1 alice {alice}": DRAWN | WRITES,
    "holo decline 1 alice {alice}": DRAWN | WRITES,
    "holo accept 1 bob {bob}": DRAWN | WRITES,
    "block alice {alice} bob": WRITES,
    "holo queue 1 bob {bob} {move}": DRAWN | WRITES,
    "holo submit 1 alice {alice} {move}": DRAWN | WRITES,
    "holo chat 1 alice {alice} -m=Hello": DRAWN | WRITES,
    "signup carol {carol}": EVERY | WRITES | {"draw.png"},
    "add alice {alice} alice@example.net": WRITES,
    "signoff alice {alice}": WRITES,
    "change digest alice {alice} on": WRITES,
    "change password alice {alice} Another1": WRITES,
    "change letters alice {alice} turns": WRITES,
    "change vacation alice {alice} 14": HOLO | ASKED | WRITES,
    "forgot alice": WRITES | {"store.files.counters"},
    "message alice {alice} bob -m=Hello": WRITES,
    "broadcast alice {alice} -m=Hello": WRITES,
    "multiple": EVERY | {"commands.multiple"} | QUERIES,
    "check": DRAWN
    | ASKED
    | NAMES
    | WOKEN
    | {"store.files.key", "owner.check", "store.ratings"},
    "flush": {"owner.flush"},
    "players": {"owner.players"},
    "tick": ASKED
    | NAMES
    | WOKEN
    | {"letters.board_list", "letters.reminders", "owner.tick"},
    "void holo 1": DRAWN | WRITES | {"owner.void"},
}
MAILED = {
    "help": EVERY | QUERIES,  # which has their titles
    "holo show 1": DRAWN | QUERIES,
    "all show alice next": DRAWN | ASKED | QUERIES,
    "holo move 1 alice {alice} {move}": DRAWN | WRITES,
    "holo challenge alice bob": DRAWN | ASKED | WRITES,
    "signup carol {carol}": EVERY | WRITES | {"draw.png"},
    "list": ASKED | RESULTS | NAMES,
    "multiple": EVERY | {"commands.multiple"} | QUERIES,
}
LOADED = """; sys.stdout.flush(); print(*sys.modules, file=open({told!r}, "w"))"""
RUN = {
    "shell": "import sys; from pbm_holomino import cli; assert not cli.main()",
    "mail": "import sys; from pbm_holomino.server.inbox import main; assert not main()",
}


def loaded(house: House, way: str, *words: str, given: str = "") -> set[str]:
    """All modules that a process has when its command is done."""
    told = str(house.folder.parent / "modules")
    subprocess.run(
        [sys.executable, "-c", RUN[way] + LOADED.format(told=told), *words],
        input=given.encode(),
        env={**os.environ, "PBM_GAMES": str(house.folder)},
        check=True,
        capture_output=True,
    )
    return set(Path(told).read_text().split())


# Our own modules that only some commands need.
SELDOM = frozenset().union(MAIL, *TYPED.values(), *MAILED.values()) - {"rules.games"}
# What repairs a line is not for lines that are right.
SELDOM |= {f"commands.{name}" for name in ("readings", "repair", "spelling")}


def noted(modules: set[str]) -> set[str]:
    """Our own that are seldom needed, and the costly ones."""
    ours = {m.removeprefix("pbm_holomino.") for m in modules if m.startswith("pbm_")}
    return ours & SELDOM | COSTLY & {m.partition(".")[0] for m in modules}


@pytest.mark.parametrize("line", some([*TYPED], 22))
def test_a_command_in_the_shell_imports_only_these_modules(
    house: House, line: str
) -> None:
    words = fill_in(line.replace("{move}", house.legal()[0])).split()
    found = noted(loaded(house, "shell", *words, given="help\n"))
    assert found <= ALWAYS | TYPED[line]
    assert found >= ALWAYS | TYPED[line]  # the list holds nothing in vain


@pytest.mark.parametrize("line", MAILED)
def test_a_command_by_mail_imports_only_these_modules(house: House, line: str) -> None:
    subject = fill_in(line.replace("{move}", house.legal()[0]))
    mail = f"From: {home('alice')}\nSubject: {subject}\nMessage-ID: <1@x>\n\nhelp\n"
    found = noted(loaded(house, "mail", given=mail))
    assert found <= ALWAYS | MAIL | MAILED[line]
    assert found >= ALWAYS | MAILED[line]


def test_a_mail_that_has_a_robot_move_imports_none(house: House) -> None:
    """They are slow to load, and think in a process of their own."""
    house.challenge(names="robot1 alice")
    subject = fill_in("holo challenge robot3 alice")
    mail = f"From: {home('alice')}\nSubject: {subject}\nMessage-ID: <1@x>\n\n"
    with waking.holding(Home(str(house.folder))):  # nobody is started
        found = loaded(house, "mail", given=mail)
    assert "pbm_holomino.server.waking" in found
    assert not [name for name in found if name.startswith("pbm_holomino.robots")]
    assert house.match(3).turn == ("robot3",)


def test_a_mail_that_is_only_html_imports_its_parser(house: House) -> None:
    """And a mail without a text imports nothing to find whose words are in it."""
    head = f"From: {home('alice')}\nSubject: multiple\nMessage-ID: <1@x>\n"
    html = f"{head}Content-Type: text/html\n\n<p>help</p>\n"
    assert {"justhtml", "pbm_holomino.commands.reading.quotations"} <= loaded(
        house, "mail", given=html
    )
    bare = loaded(house, "mail", given=head.replace("multiple", "help"))
    assert bare.isdisjoint({"justhtml", "pbm_holomino.commands.reading.quotations"})
