"""What README and its pages tell the owner of a server, done as they say."""

import re
import shutil
from fnmatch import fnmatchcase
from pathlib import Path

from pbm_holomino import rules
from pbm_holomino.commands import table
from pbm_holomino.letters.help import page
from pbm_holomino.owner import help, sample
from tests.cli.test_readme import commands, section
from tests.paths import ROOT
from tests.real.parts import MAIL
from tests.real.players import Player
from tests.real.postoffice import PostOffice
from tests.real.table import MailedBoards

pytestmark = MAIL

TITLE = "On a mail server"
ELSEWHERE = ("git clone", "cd ", "crontab ")  # the tests have these in other ways


def told(*without: str) -> list[str]:
    """The commands of the account, which has its home in the tests' folder."""
    listed = commands(section((ROOT / "README").read_text("ascii"), TITLE))
    return [line for line, _ in listed if not line.startswith(without)]


def run(office: PostOffice, line: str) -> str:
    """What the account's shell says in the checkout."""
    checkout = office.account.checkout
    return office.account.run("/bin/sh", "-c", f'cd "{checkout}" && {line}')


def test_the_commands_of_the_account(office: PostOffice) -> None:
    home, store = office.account.home, office.account.store
    forward = home / ".forward"
    listed = told(*ELSEWHERE)
    assert len(listed) >= 6
    for line in listed:
        run(office, line)
    # the one thing that must be otherwise here: whose Postfix it is
    with (store / "config.yaml").open("a") as config:
        config.write(f"smtp: localhost:{office.port}\n")
    with office.forwarding(forward):
        answer = Player("alice", office).ask("help")
    assert answer.text.startswith("The commands.")
    assert office.deliveries() == 0  # none by procmail
    forward.unlink()


def test_a_copy_of_the_store_is_put_back(office: PostOffice) -> None:
    table = MailedBoards(office)
    (line,) = re.findall(r"^  \$ (cp -a games.*)$", help.page("backup"), re.MULTILINE)
    run(office, line)
    office.post(table.move())
    table.settle()
    assert table.board()["ply"] == 1
    shutil.rmtree(office.account.store)
    (office.account.home / "games-of-today").rename(office.account.store)
    assert table.board()["ply"] == 0
    assert "all is well" in office.account.type("pbm check")


def test_cron_sends_what_could_not_leave(office: PostOffice) -> None:
    table = MailedBoards(office)
    (office.folder / "closed").touch()
    office.account.type("holo challenge alice bob")
    table.settle()
    assert table.alice.letters == []
    (office.folder / "closed").unlink()
    for line in cron_lines(ROOT / "bin/pbm.cron"):
        run(office, line)
    table.settle()
    news = ("a new game, your turn", "alice challenges you, alice to move")
    for player, said in zip((table.alice, table.bob), news, strict=True):
        (letter,) = player.letters
        assert letter.subject == f"holo 2: {said}"


def cron_lines(path: Path) -> list[str]:
    """The commands of a crontab, without the times at which they run."""
    lines = path.read_text().splitlines()
    given = [line for line in lines if line and line[0] != "#"]
    found = [line.split(None, 5)[5] for line in given if "=" not in line.split()[0]]
    assert found
    return found


def test_cron_writes_to_the_owner_and_not_to_the_robot() -> None:
    text = (ROOT / "bin/pbm.cron").read_text("ascii")
    assert re.findall(r"^MAILTO=(.*)$", text, re.MULTILINE) == ["root"]


def test_players_may_run_their_commands_and_nothing_else() -> None:
    text = sample.text("sudoers")
    games = re.findall(r"/home/pbm/pbm_holomino/bin/(\w+), ", text)
    assert set(games) == set(rules.names())
    allowed = re.findall(r"/home/pbm/pbm_holomino/bin/pbm (\w+)", text)
    listed, _, _ = page("commands").partition("\nAnd with the name of a game")
    theirs = re.findall(r"^  (\w+)", listed, re.MULTILINE)
    assert set(allowed) == set(theirs)
    patterns = re.findall(r"bin/pbm ([^,\n]+)", text)
    for name in table.owners():
        for line in (name, f"{name} 1 -x"):
            assert not any(fnmatchcase(line, pattern) for pattern in patterns), line
