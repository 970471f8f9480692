"""Commands typed in a shell print the same whether or not a server runs, and cost next
to nothing if one does."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from pbm_holomino.commands import table
from pbm_holomino.rules import names
from tests.house import House, fill_in
from tests.paths import ROOT
from tests.processes import PATIENCE, surroundings
from tests.resident.typists import (
    at_terminal,
    copy_of,
    ended,
    packages,
    serving,
    steady,
    type_in,
    words_of,
)
from tests.sizes import some

FIRST = ("holo", "hextol", "walomino")
# Every command that can be handed over, in an order in which most are carried out, and
# lines that are refused or read as another. After a bar comes what is typed after the
# command; {move} is one that is possible at the start of board 1.
LINES = [
    "pbm",
    "pbm help",
    "pbm --help",
    "holo",
    "holo help",
    "holo move --help",
    "hextol help",
    "pbm help reply multiple",
    "pbm help xyzzy",
    "pbm xyzzy",
    "holo shwo 1",
    "show 1",
    "pbm show 1",
    "pbm holo show 1",
    "holo show 1",
    "holo show 1#0",
    "holo show 7",
    "holo show 1x",
    "holo show alice next",
    "holo show 1 -format=small",
    "holo show 1 -format=list",
    "holo show 1 -format=json",
    "holo show 1 -format=html",
    "holo show 1 -format=svg",
    "holo show 1 -format=png",
    "holo show 1 -format=xyz",
    "holo showas alice {alice} 1",
    "holo showas alice Wrong-12 1",
    "holo showas alice - 1",
    "holo preview 1 {move}",
    "holo previewas 1 alice {alice} {move}",
    "holo analyse 1 alice {alice} {move}",
    "holo analyse alice {alice} {move} -m=board",
    "holo keep 1 alice {alice} {move}",
    "holo note 1 alice {alice} {move} -m=Well!",
    "holo notes 1 alice {alice}",
    "holo history 1 alice {alice}",
    "holo hint 1 alice {alice}",
    "holo review 1 alice {alice}",
    "holo move 1 alice {alice} 1:1",
    "holo move 1 bob {bob} {move}",
    "holo move alice 1 {alice} {move}",
    "holo queue 1 bob {bob} pass",
    "holo queue 1 bob {bob} none",
    "holo move 1 alice {alice}",
    "holo undo 1 alice {alice}",
    "holo chat 1 alice {alice} | Hello!\nHow are you?\n-- \nAlice",
    "holo chat 1 alice {alice} |",
    "holo chat 1 bob {bob} -m=Hi",
    "holo submit 1 bob {bob} pass",
    "holo confirm 1 bob {bob}",
    "pbm signup carol {carol}",
    "pbm signup carol Other-12",
    "pbm signup dave -",
    "pbm add carol {carol} carol@example.net",
    "pbm change password bob {bob} Another1",
    "pbm change password bob Another1 {bob}",
    "pbm change address carol {carol} carol@example.org",
    "pbm change digest alice {alice} on",
    "pbm change letters alice {alice} turns",
    "pbm change format alice {alice} small",
    "pbm change profile alice {alice} off",
    "pbm change notices alice {alice} https://ntfy.sh/x ntfy",
    "pbm change broadcasts alice {alice} off",
    "pbm change language alice {alice} en",
    "pbm unsubscribe alice {alice}",
    "pbm change threads alice {alice} on",
    "pbm change zone alice {alice} Europe/Berlin",
    "pbm change vacation alice {alice} 3",
    "pbm forgot alice",
    "pbm list",
    "pbm list open",
    "pbm tournament",
    "pbm tournament join 1 alice {alice}",
    "pbm tournament leave 1 alice {alice}",
    "pbm message alice {alice} bob -m=Hello",
    "pbm message alice {alice} nobody -m=Hello",
    "pbm broadcast alice {alice} | Hello, everybody!",
    "pbm all show alice",
    "pbm all showas alice {alice}",
    "pbm newcomer dora ~aaaaaaaaaaaaaaaa",
    "holo challenge alice bob",
    "holo challenge alice bob -pool_size=99",
    "hextol challenge alice carol -nag=3",
    "walomino challenge alice bob carol",
    *(f"{game} challenge alice bob" for game in names() if game not in FIRST),
    "holo challenge alice anyone",
    "holo accept 2 bob {bob}",
    "holo decline 3 alice {alice}",
    "pbm decline all carol {carol}",
    "pbm block alice {alice} carol",
    "pbm unblock alice {alice} carol",
    "pbm mute alice {alice} holo 2",
    "pbm unmute alice {alice} holo 2",
    "holo games",
    "holo games alice next",
    "holo resign 1 alice {alice}",
    "holo publish 1 alice {alice}",
    "holo rematch 1 alice {alice}",
    "holo look 1 5",
    "holo fits 1 124",
    "holo verify 1",
    "holo verify 2",
    "holo history",
    "holo history 1",
    "holo history 1 -format=yaml",
    "holo history -format=json",
    "holo standings",
    "holo ratings",
    "pbm multiple | holo show 1\nholo chat 2 alice {alice} -m=Hello\nholo shwo 2\n",
    "pbm multiple | holo showas alice - 2\nholo showas bob - 2\n",
    "pbm multiple | nonsense",
    "pbm multiple |",
    "pbm export alice {alice}",
    "pbm invite alice {alice} zoe@example.net",
    "pbm never ~aaaaaaaaaaaaaaaa",
    "holo invite alice {alice} zoe@example.net -pool_size=99",
    "pbm signoff carol {carol}",
    "pbm delete carol {carol}",
    "holo show 1 \x1b[2J",
    "holo move 1 alice \udcff {move}",
    "holo show \N{EM DASH}",
    f"holo chat 2 alice {{alice}} -m={'x' * 5000}",
]


def given_by(line: str) -> tuple[str, bytes]:
    words, bar, text = line.partition("|")
    return words, fill_in(text.lstrip(" ")).encode() if bar else b""


def test_these_are_all_commands() -> None:
    said = {" ".join(words_of(line)[:3]) for line in LINES}
    for name in table.at_top():
        assert any(words.startswith(f"pbm {name}") for words in said), name
    for name in table.in_game():
        assert any(words.startswith(f"holo {name}") for words in said), name


@pytest.fixture
def twin(house: House, tmp_path: Path) -> House:
    return copy_of(house, tmp_path / "twin")


def records(house: House) -> dict[str, bytes]:
    """All boards and accounts, but for the ids of the commands."""
    return {
        name: re.sub(b" -[0-9a-f]{16}", b" -", content)
        for name, content in house.records().items()
        if name.endswith(".yaml")
    }


def letters(house: House) -> list[str]:
    """Which letters have left: the names of their files, without the tokens, which
    depend on the commands' ids."""
    names = (path.stem for path in house.folder.glob("outbox/*"))
    return sorted(name.rpartition(".")[0] for name in names)


def test_every_command_prints_and_does_the_same(
    house: House, twin: House, tmp_path: Path
) -> None:
    how = {"PYTHONPATH": steady(tmp_path / "steady"), "PBM_PASSWORD": "xanadu"}
    move, before = house.legal()[0], records(house)
    with serving(house, how=how) as server:
        for line in some(LINES, 22):
            words, given = given_by(line.replace("{move}", move))
            there = type_in(house, words, given=given, how=how)
            here = type_in(twin, words, given=given, how=how)
            assert not there.did_it_itself, line
            assert there.printed == here.printed, line
        assert ended(server) == (0, b"")
    assert records(house) == records(twin)
    assert letters(house) == letters(twin)
    assert records(house) != before


# At a terminal

# A server says so when it answers.
COUNT = """\
import os
from pbm_holomino.server import wire
send = wire.send
def count(peer, kind, *rest):
    if kind in ("out", "err", "file"):
        os.write(2, b"answered\\n")
    send(peer, kind, *rest)
wire.send = count
"""
AT_TERMINAL = {
    "holo show 1": [],
    "holo show 1 -format=png": [],
    "holo shwo 1": [],
    "holo move 1 alice - {move}": ["{alice}"],
    "holo move 1 bob - 1:1": ["Wrong-12"],
    "pbm signup carol -": ["{carol}"],
    "pbm change password carol - -": ["{carol}", "Another1", "Other", "Other", "Other"],
    "pbm change password bob - -": ["{bob}", "Another1", "Another1"],
}


def test_at_a_terminal_all_looks_the_same(
    house: House, twin: House, tmp_path: Path
) -> None:
    """Questions for passwords, too, and at any width."""
    how = {"PYTHONPATH": steady(tmp_path / "steady")}
    move = house.legal()[0]
    with serving(house, before=COUNT, how=how) as server:
        for number, (line, questions) in enumerate(AT_TERMINAL.items()):
            typed = [line.replace("{move}", move), *map(fill_in, questions)]
            columns = 40 + 40 * (number % 3)
            there = at_terminal(house, *typed, columns=columns, how=how)
            here = at_terminal(twin, *typed, columns=columns, how=how)
            assert there == here, line
            assert all(answer.encode() not in there[1] for answer in typed[1:])
        assert ended(server) == (0, b"answered\n" * len(AT_TERMINAL))
    assert records(house) == records(twin)
    assert len(house.match().record.log) == 2


def test_the_encoding_is_that_of_the_terminal(house: House) -> None:
    house.type("holo chat 1 alice {alice} -m=Gr\u00fc\u00dfe")
    printed = {}
    with serving(house):
        for code in ("utf-8", "latin-1", "ascii"):
            seen = type_in(house, "holo history 1", how={"PYTHONIOENCODING": code})
            assert not seen.did_it_itself
            printed[code] = seen.printed.out
    assert "Gr\u00fc\u00dfe".encode() in printed["utf-8"]
    assert "Gr\u00fc\u00dfe".encode("latin-1") in printed["latin-1"]
    assert b"Gr??e" in printed["ascii"]


def test_the_installed_command_does_the_same(house: House) -> None:
    def installed() -> tuple[int, bytes]:
        program = (
            "from pbm_holomino.handover.shell import main; raise SystemExit(main())"
        )
        done = subprocess.run(
            [sys.executable, "-c", program, "show", "1"],
            capture_output=True,
            env=surroundings(PYTHONPATH=packages(), PBM_GAMES=str(house.folder)),
            check=False,
            timeout=PATIENCE,
        )
        return done.returncode, done.stdout

    shown = house.type("holo show 1").text.encode()
    assert installed() == (0, b"Read as holo show 1.\n\n" + shown)
    with serving(house, before=COUNT) as server:
        assert installed() == (0, b"Read as holo show 1.\n\n" + shown)
        assert ended(server) == (0, b"answered\n")


# What is read, and when


def test_a_text_that_is_not_needed_is_not_read(house: House) -> None:
    with serving(house):
        for line in ("holo show 1", "holo chat 1 alice {alice} -m=Hello", "pbm xyzzy"):
            assert not type_in(house, line, given=None).did_it_itself, line


def test_a_reader_who_has_seen_enough(house: House) -> None:
    read, write = os.pipe()
    os.close(read)
    with serving(house), os.fdopen(write, "wb") as closed:
        done = subprocess.run(
            [ROOT / "bin/holo", "show", "1"],
            stdout=closed,
            stderr=subprocess.PIPE,
            env=surroundings(PBM_GAMES=str(house.folder)),
            check=False,
            timeout=PATIENCE,
        )
    assert (done.returncode, done.stderr) == (0, b"")


def test_closed_standard_streams(house: House) -> None:
    """The connection takes the number of the stream that is closed; nothing that is
    meant for the stream may go there."""
    streams = ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"]
    with serving(house, before=COUNT) as server:
        for closed in streams:
            done = subprocess.run(
                ["sh", "-c", f"exec {ROOT}/bin/holo chat 1 alice xanadu {closed}"],
                input=f"Hello {closed}".encode(),
                capture_output=True,
                env=surroundings(PBM_GAMES=str(house.folder)),
                check=False,
                timeout=PATIENCE,
            )
            without_text = closed.startswith("<")
            assert done.returncode == (1 if without_text else 0), closed
            noted = [*house.match().record.notes.values()]
            assert (f"Hello {closed}" in noted) == (not without_text)
        assert ended(server)[1] == b"answered\n" * len(streams)


def test_what_completes_a_word_is_not_asked_of_a_server(house: House) -> None:
    asked = {"_HOLO_COMPLETE": "bash_complete", "COMP_WORDS": "holo sh"}
    asked |= {"COMP_CWORD": "1"}
    with serving(house):
        seen = type_in(house, "holo", how=asked)
    assert seen.did_it_itself or b"plain,show" in seen.printed.out
    assert b"plain,show" in seen.printed.out


def test_the_owners_commands_are_left_to_the_owner(house: House) -> None:
    """Some need the terminal, and speed matters for none of them."""
    lines = [
        line
        for name in table.owners()
        for line in (f"pbm {name} --help", f"pbm help {name}", f"pbm {name} x y z")
    ]
    with serving(house, before=COUNT) as server:
        for line in some(lines, 11):
            seen = type_in(house, line)
            assert seen.printed.status == (2 if "x y z" in line else 0), line
        assert ended(server) == (0, b"")


# What is imported


def test_handing_over_imports_next_to_nothing(house: House) -> None:
    bare = [sys.executable, "-S", "-c", "import sys; print(*sys.modules)"]
    usual = set(subprocess.check_output(bare, text=True).split())
    with serving(house):
        seen = type_in(house, "holo show 1")
    # those of an encoding depend on the terminal
    assert {name for name in seen.modules - usual if "encodings" not in name} == {
        "_socket",
        "pbm_holomino",
        "pbm_holomino.cli",
        "pbm_holomino.handover",
        "pbm_holomino.handover.shell",
        "pbm_holomino.server",
        "pbm_holomino.server.wire",
        "pbm_holomino.store",
        "pbm_holomino.store.location",
    }
