"""Paths, headers and code in place of every word of every command."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbm_holomino import owner, rules
from pbm_holomino.commands import multiple, table
from pbm_holomino.commands.parse import parse
from pbm_holomino.commands.refusals import refusal
from pbm_holomino.commands.request import Answer, Request
from pbm_holomino.errors import PbmError
from pbm_holomino.mail.message import message
from tests.faults.mutate import assert_decent
from tests.faults.scene import secrets_of
from tests.house import House, mail_of, own
from tests.sizes import sized
from tests.storage import is_of_index

# What stands where a word of this name does, if all is as it should be.
PLAIN = {
    "URL": "off",
    "userid": "alice",
    "password": "xanadu",
    "current": "xanadu",
    "new": "secret-2",
    "address": "alice@example.org",
    "switch": "on",
    "setting": "small",
    "language": "en",
    "days": "3",
    "how": "nameless",
    "Area/City": "Europe/Berlin",
    "game": "holo",
    "board": "1",
    "tournament": "1",
    "move": "142:4",
    "position": "4",
    "tile": "142",
    "to": "bob",
    "player": "bob",
    "list": "all",
    "subject": "move",
    "format": "text",
    "word": "~aaaaaaaaaaaaaaaa",
    "m": "Hello!",
}
HOSTILE = [
    "../players/alice",
    "..",
    "/etc/passwd",
    "alice.yaml",
    "1.yaml",
    "1/../2",
    "~root",
    "new",
    "1.1.unsent",
    "con",
    "%0d%0aBcc:eve@example.net",
    "eve@example.net%0aBcc:x@y.org",
    "-oQ/tmp@example.net",
    "-OQueueDirectory=/tmp",
    "|/bin/sh@example.net",
    "eve@example.net,bob@example.org",
    "<eve@example.net>",
    "@",
    "$(id)",
    "`id`",
    ";id",
    "--",
    "-",
    "-=",
    "{0.__class__}",
    "%s%n",
    "!void",
    "!challenge",
    "#",
    "#1#1",
    "1#99999999",
    "9" * 400,
    "\u0661",
    "\uff11\uff12",
    "\u212aalice",
    "alice\u202e",
    "x" * 3000,
    "&anchor",
    "*alias",
    "!!python/object:os.system",
    "[",
    "null",
    "~",
    "0x1",
    "1e3",
]
# What only the shell lets through: a mail's Subject is split at white space.
WITH_BLANKS = [
    "alice\nBcc: eve@example.net",
    "eve@example.net\nBcc: x@y.org",
    "eve@example.net\r\n\r\nbody",
    "1\n",
    "alice\x00",
    "142:4\n- 2 2026-11-20T08:00:00Z bob - !resign",
    " ",
    "",
    "\udcff",
    "\x1b[2J",
]
GAMES = "|".join(rules.names())
FILE = re.compile(
    rf"key|config\.yaml|challenges\.lock|index\.sqlite|changed/({GAMES})\.\d+\.\d+\.\d+"
    rf"|ratings/({GAMES})\.(yaml|lock)"
    rf"|({GAMES})/(\d+\.(yaml|lock)|new\.lock|\d+\.\d+\.unsent)"
    r"|players/[a-z][a-z0-9_]{1,19}(\.yaml|\.lock|\.\d+\.unsent)"
    rf"|shelves/[a-z][a-z0-9_]{{1,19}}\.(yaml|lock)"
    rf"|notes/[a-z][a-z0-9_]{{1,19}}-({GAMES})-\d+\.(yaml|lock)"
    r"|strangers/[0-9T-]+|(forgotten|invitations)/[0-9-]+"
    r"|welcomes/[a-z2-7]{16}\.(yaml|lock)|(hint|review)\.asked/[0-9-]+"
    r"|lessons/(hint|review)\.[a-z]+\.\d+\.[a-z][a-z0-9_]{1,19}\.\d+\.eml"
)


ALL_COMMANDS = [
    *(("", name) for name in table.at_top()),
    *(("holo", name) for name in table.in_game()),
    *((game, "challenge") for game in rules.names() if game != "holo"),
]


def lines(game: str, name: str, bad: str) -> Iterator[list[str]]:
    """The command with this in place of each of its words, of each of its options,
    of its own name, and after all."""
    command = table.in_game()[name] if game else table.at_top()[name]
    command = command._replace(game=game)
    words = [PLAIN[place.name] for place in command.places]
    if name == "challenge":
        words = ["alice", "bob"]
    head = [*([game] if game else []), *name.split()]
    yield [bad, *words]
    yield [*head, *words, bad]
    for place in range(len(words)):
        yield [*head, *words[:place], bad, *words[place + 1 :]]
    for option in command.options:
        yield [*head, *words, f"-{option.name}={bad}"]
        yield [*head, *words, f"-{option.name}", bad]
    yield [*head, *words, f"-{bad}=1"]


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    server = House(tmp_path / "outer" / "games").sign_up()
    own(server, monkeypatch)
    server.challenge()
    (tmp_path / "outer" / "secret").write_text("None of yours.")
    return server


def files(folder: Path) -> set[str]:
    """All but the index, which is derived."""
    found = (p for p in folder.rglob("*") if p.is_file() and not is_of_index(p))
    return {str(path.relative_to(folder)) for path in found}


def assert_unharmed(server: House) -> None:
    """Nothing is where nothing should be; and all that is, is well."""
    outer = server.folder.parent
    inside = files(server.folder)
    assert files(outer) == {"secret", *(f"games/{name}" for name in inside)}
    found = (*inside, *server.records())
    assert [name for name in found if not FILE.fullmatch(name)] == []
    checked = owner.run(["check"])
    assert checked.status == 0, checked.text
    log = server.data("holo", "1")["log"]
    assert not any("!resign" in line for line in log)


def share(words: list[str], game: str, name: str) -> list[str]:
    """The words to try on a command: a twentieth of them, each command another, or
    all."""
    parts = sized(20, 1)
    return words[ALL_COMMANDS.index((game, name)) % parts :: parts]


@pytest.mark.parametrize(("game", "name"), ALL_COMMANDS)
def test_every_word_by_mail(server: House, game: str, name: str) -> None:
    server.config = server.config._replace(answers_per_hour=10**9)
    secrets = list(secrets_of(server.folder))
    for bad in share(HOSTILE, game, name):
        for words in lines(game, name, bad):
            for letter in server.mail(mail_of(" ".join(words), body="Hi!")):
                assert_decent(message(letter, server.config), secrets)
                assert "None of yours" not in letter.text
    assert_unharmed(server)


def carried_out(request: Request, server: House) -> Answer:
    """What the terminal answers to a command."""
    if request.command == "multiple":
        return multiple.joined(multiple.run(request, server.server.carry_out))
    return server.server.carry_out(request)


@pytest.mark.parametrize(("game", "name"), ALL_COMMANDS)
def test_every_word_in_the_shell(server: House, game: str, name: str) -> None:
    for bad in share([*HOSTILE, *WITH_BLANKS], game, name):
        for words in lines(game, name, bad):
            try:
                answer = carried_out(parse(words, ask=lambda what: "wrong"), server)
            except PbmError as error:
                answer = refusal(error)
            assert "None of yours" not in answer.text
            assert "\x1b" not in answer.text
            assert "Traceback" not in answer.text
            for letter in server.sent:
                assert_decent(message(letter, server.config), ())
            server.sent.clear()
    assert_unharmed(server)
