"""What the owner types: the players' table, help, misspelt words, and a bar for who
waits."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from pbm_holomino import cli, owner, rules
from pbm_holomino.commands import table
from pbm_holomino.commands.request import Answer
from pbm_holomino.extras import line_for
from pbm_holomino.owner import help as pages
from tests.house import House, mail_of
from tests.paths import ROOT
from tests.processes import PATIENCE, run, surroundings
from tests.sizes import some


@pytest.fixture
def server(server: House, monkeypatch: pytest.MonkeyPatch) -> House:
    """Alice and bob play board 1, and commands are about this server."""
    server.challenge()
    monkeypatch.setenv("PBM_GAMES", str(server.folder))
    return server


def typed(line: str) -> Answer:
    return owner.run(line.split())


# players


def test_the_table_of_players(server: House) -> None:
    server.type("signup a_name_of_20_letters secret a@b.org c@d.org")
    server.type("signup carol secret")
    server.time = "2026-12-01T00:00:00Z"
    server.type("signoff bob better4")
    server.type("signup dave secret dave@example.org")
    server.type("delete dave secret")
    server.damage("players", "eve")
    assert typed("players").text == (
        "a_name_of_20_letters  on          2026-11-20  a@b.org, c@d.org\n"
        "alice                 on          2026-11-20  alice@example.org\n"
        "bob                   signed off  2026-12-01  bob@example.org\n"
        "carol                 on          2026-11-20\n"
        "dave                  deleted     2026-12-01\n"
        "eve                   damaged\n"
    )


def test_a_table_of_nobody(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("PBM_GAMES", str(tmp_path))
    answer = typed("players")
    assert (answer.status, answer.text) == (0, "Nobody has signed up yet.\n")


def test_each_player_is_one_line(server: House) -> None:
    many = [f"{'carol':x<30}{number}@example.org" for number in range(5)]
    server.type(f"signup carol secret {' '.join(many)}")
    lines = typed("players").text.splitlines()
    assert lines[2][46:].split(", ") == many
    assert len(lines) == 3


def test_a_strange_name_is_in_the_table(server: House) -> None:
    server.damage("players", "A\x1b[2J")
    text = typed("players").text
    assert text.isascii()
    assert text.replace("\n", "").isprintable()
    assert text.startswith("A?[2J                 damaged\n")


def test_no_secret_is_in_the_table(server: House) -> None:
    data = server.document("players", "alice").read_text()
    salt = re.findall("[0-9a-f]{32}", data)
    assert salt
    assert not any(word in typed("players").text for word in [*salt, "scrypt"])


# Help


@pytest.mark.parametrize("name", table.owners())
def test_the_help_of_the_owner_names_each_command(name: str) -> None:
    usage = table.owners()[name].usage()
    unfolded = pages.overview().replace("\n      ", " ")
    assert f"\n  {usage} " in unfolded
    assert usage.startswith(f"pbm {name}")


@pytest.mark.parametrize("name", table.owners())
def test_the_help_of_a_command_is_about_that_command(name: str) -> None:
    told = pages.on(name.split())
    if name in table.OWNERS_TEXTS:
        assert told == pages.page(name)
        return
    command, abouts = table.owners()[name], pages.commands()
    flat = " ".join(told.split())
    assert flat.startswith(f"Usage: {command.usage()} {abouts[name].text} ")
    assert flat.endswith('"pbm help owner"')
    for other, about in abouts.items():
        assert other == name or about.text not in flat
    assert set(re.findall(r'"pbm help (\w+)"', flat)) <= {"owner", *table.OWNERS_TEXTS}
    assert max(map(len, told.splitlines())) <= 72


WAYS = ("{} --help", "-h {}", "{} now -help", "help {}")
ASKED = [(way.format(name), name) for name in table.owners() for way in WAYS]


@pytest.mark.parametrize(("line", "name"), some(ASKED, 6))
def test_each_command_leads_to_its_help(tmp_path: Path, line: str, name: str) -> None:
    done = run(tmp_path, "pbm", *line.split())
    told = pages.on(name.split())
    assert (done.status, done.out, done.err) == (0, told, "")
    assert list(tmp_path.iterdir()) == []


def test_the_help_of_the_owner_is_the_page_of_all_commands(tmp_path: Path) -> None:
    done = run(tmp_path, "pbm", "help", "owner")
    told = pages.overview(line_for("pictures"))
    assert (done.status, done.out, done.err) == (0, told, "")


def test_several_commands_and_pages_are_explained_at_once() -> None:
    told = pages.on(["serve", "store", "web"])
    parts = [pages.on([name]) for name in ("serve", "store", "web")]
    assert told == "\n".join(parts)


def test_the_page_is_as_others_are() -> None:
    text = pages.overview()
    assert text.isascii()
    assert max(map(len, text.splitlines())) <= 72
    assert not re.search(r" $|\n\n\n", text, re.MULTILINE)


USAGES = {
    "check --repair": "pbm check [--repair] [--mail FILE]",
    "status --json": "pbm status [--json]",
    "copy --move here there": "pbm copy [--move] FROM TO",
    "restore-test here": "pbm restore-test COPY",
    "flush --undeliverable": "pbm flush [--undeliverable]",
    "tick": "pbm tick",
    "players": "pbm players",
    "account alice show": "pbm account userid [show|reset|ban|admit|delete]",
    "void holo 1": "pbm void game board",
    "tournament cancel 3": "pbm tournament cancel number",
    "completion bash": "pbm completion bash|zsh|fish",
    "sample cron": "pbm sample [name]",
    "serve 2400": "pbm serve [--clock] [--workers N] [[host:]port]",
    "setup": "pbm setup",
    "web 2480": "pbm web [[host:]port]",
    "fetch --stay": "pbm fetch [--stay]",
    "run 2480": "pbm run [[host:]port]",
    "demo --play holo": "pbm demo [--source | --web | --play] [--keep FOLDER]"
    " [--language CODE] [game]",
}


def named(line: str) -> str:
    """The command that a line begins with."""
    (name,) = re.findall("^tournament [a-z]+|^[a-z-]+", line)
    return str(name)


def test_these_are_all_of_the_owners_commands() -> None:
    names = [*map(named, USAGES)]
    # four take as many words as there are
    many = ("kept", "log", "play", "tournament open")
    assert names == [name for name in table.owners() if name not in many]


@pytest.mark.parametrize("line", some([*USAGES], 5))
def test_a_word_too_many_leads_to_the_help(tmp_path: Path, line: str) -> None:
    done = run(tmp_path, "pbm", *line.split(), "now")
    assert (done.status, done.out) == (2, "")
    assert " ".join(done.err.split()) == (
        f"There are too many words. Please write: {USAGES[line]} "
        f'For more, type "pbm help {named(line)}".'
    )
    assert list(tmp_path.iterdir()) == []


WRONG = {
    "void holo": "A word is missing: board. Please write: pbm void game board ",
    "void chess 1": '"chess" is not a game here: "help" lists the games. ',
    "void holo 1x": '"1x" is not a board number (boards look like 12). ',
    "check --repair=no": 'takes no value: please leave out "no". ',
    "check --fix": 'There is no option "--fix" here. ',
    "serve --workers=x": '--workers takes a number from 1 to 64, not "x". ',
    "serve --workers 0": '--workers takes a number from 1 to 64, not "0". ',
    "serve --workers=65": '--workers takes a number from 1 to 64, not "65". ',
    "kept burn": 'please write list, show, drop or retry, not "burn". ',
    "kept drop": 'Which mails? Please name them as "pbm kept" does, ',
    "flush -undeliverble": "Did you mean -undeliverable? ",
    "flush --undeliverble": "Did you mean --undeliverable? ",
}


@pytest.mark.parametrize("line", some([*WRONG], 5))
def test_a_wrong_word_of_the_owners_leads_there_too(tmp_path: Path, line: str) -> None:
    done = run(tmp_path, "pbm", *line.split())
    assert (done.status, done.out) == (2, "")
    assert WRONG[line] in " ".join(done.err.split())
    assert done.err.endswith(f'For more, type "pbm help {named(line)}".\n')


@pytest.mark.parametrize("name", [*table.owners(), "owner", *table.OWNERS_TEXTS])
def test_by_mail_nobody_hears_of_it(server: House, name: str) -> None:
    for subject in (f"help {name}", f"help xyzzy {name}"):
        (letter,) = server.mail(mail_of(subject))
        assert "There is no help on" in letter.text
        said = letter.text.replace(f'"{name}"', "")
        assert not re.search("pbm|owner", said)


# Words that are misspelt, or missing


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("chekc", "pbm check"), ("flsh", "pbm flush"), ("playres", "pbm players")]
    + [("completoin", "pbm completion"), ("VIOD", "pbm void")]
    + [("singup", "signup"), ("shwo", f"{rules.names()[0]} show"), ("hollo", "holo")],
)
def test_the_nearest_command_is_named(
    server: House, capsys, typed: str, meant: str
) -> None:
    assert cli.main(["pbm", typed]) == 2
    assert f'Did you mean "{meant}"?' in " ".join(capsys.readouterr().err.split())
    (letter,) = server.mail(mail_of(typed))
    assert "pbm" not in letter.text


@pytest.mark.parametrize("typed", ["holo chekc", "holo flsh", "holo playres"])
def test_commands_about_accounts_do_not_follow_a_game(
    server: House, capsys, typed
) -> None:
    assert cli.main(["pbm", *typed.split()]) == 2
    assert "pbm" not in capsys.readouterr().err


def test_pbm_alone_lists_the_commands(tmp_path: Path) -> None:
    done = run(tmp_path, "pbm")
    assert (done.status, done.err) == (0, "")
    assert done.out == run(tmp_path, "pbm", "help").out
    assert list(tmp_path.iterdir()) == []


def test_an_empty_mail_is_answered_with_a_pointer_to_the_help(server: House) -> None:
    (letter,) = server.mail(mail_of(""))
    assert "I cannot find a command here" in letter.text


# A bar

SPAWN = "import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)"


def at_a_terminal(server: House, words: str) -> bytes:
    """What a terminal shows of a command in bin/."""
    done = subprocess.run(
        [sys.executable, "-c", SPAWN, "sh", "-c", f"exec {ROOT}/bin/{words}"],
        env=surroundings(PBM_GAMES=str(server.folder), TERM="xterm"),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        check=True,
        timeout=PATIENCE,
    )
    return done.stdout


def test_a_bar_at_a_terminal(server: House) -> None:
    """Standard error is a terminal here, and standard output a file."""
    out = server.folder.parent / "out"
    shown = at_a_terminal(server, f"pbm check > {out}")
    assert out.read_text() == f"3 {server.store.noun}s read: all is well.\n"
    assert b"Checking" in shown
    assert b"100%" in shown


def test_a_bar_for_each_part_of_a_copy(server: House) -> None:
    place = server.folder.parent / "to"
    shown = at_a_terminal(server, f"pbm copy {server.folder} {place}")
    for part in (b"Copying", b"Indexing", b"Comparing"):
        assert part in shown


def test_no_bar_elsewhere(server: House) -> None:
    done = run(server.folder, "pbm", "check")
    well = f"3 {server.store.noun}s read: all is well.\n"
    assert (done.status, done.out) == (0, well)
    assert done.err == ""


def test_a_check_without_standard_error(server: House) -> None:
    code = "import sys; from pbm_holomino import cli; sys.exit(cli.main(['', 'check']))"
    words = f'exec "{sys.executable}" -c "{code}" 2>&-'
    done = subprocess.run(
        ["sh", "-c", words],
        env={**os.environ, "PBM_GAMES": str(server.folder), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == f"3 {server.store.noun}s read: all is well.\n"
