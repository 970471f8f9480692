"""What SECURITY.md promises and no other test holds to."""

import hashlib
import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbm_holomino.commands import accounts, allowance, multiple
from pbm_holomino.commands.texts import MOST_NOTE
from pbm_holomino.mail import transports
from pbm_holomino.mail.intake import MOST_MAIL
from pbm_holomino.match import account
from pbm_holomino.match.account import fits_password, hash_password
from pbm_holomino.resident import cache, lmtp
from pbm_holomino.store.config import Config
from pbm_holomino.store.files import changes, counters, spool
from pbm_holomino.store.files.key import FILE, KEY_BYTES
from tests.faults.scene import ERRANDS
from tests.house import COSTS, House, mail_of
from tests.paths import ROOT
from tests.processes import deliver, run
from tests.storage import is_of_index

EVE = "eve@example.net"


@pytest.fixture
def server(server: House) -> House:
    """Alice and bob play board 1, and it is alice's turn."""
    server.challenge()
    return server


# Other accounts on the machine


@pytest.fixture
def no_umask() -> Iterator[None]:
    """The account's own settings keep nothing from others."""
    before = os.umask(0)
    yield
    os.umask(before)


def open_to_others(folder: Path) -> list[str]:
    """What in a store others may look at, where they can get to it."""
    others = stat.S_IRWXG | stat.S_IRWXO
    paths = [folder, *folder.rglob("*")]
    return [str(path) for path in paths if path.stat().st_mode & others]


@pytest.mark.usefixtures("no_umask")
def test_nobody_else_can_look_whatever_the_umask(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    for line in ("alice xanadu alice@example.org", "bob better4 bob@example.org"):
        assert run(folder, "pbm", "signup", *line.split()).status == 0
    assert run(folder, "holo", "challenge", "alice", "bob").status == 0
    chat = mail_of("holo chat 1 alice xanadu", body="Hello!")
    for raw in (chat, b"no mail", mail_of("help", EVE), ERRANDS["signup"].mail):
        assert deliver(folder, raw) == (0, "", "")
    assert run(folder, "pbm", "check").status == 0
    kinds = {path.name for path in folder.iterdir()}
    folders = {"holo", "players", "outbox", "quarantine", "strangers"}
    folders |= {changes.FOLDER, changes.INDEX}
    assert kinds == folders | {"key", "key.lock"}
    assert open_to_others(folder) == []


@pytest.mark.usefixtures("no_umask")
def test_a_store_that_was_open_is_closed_before_it_holds_a_secret(
    tmp_path: Path,
) -> None:
    """As the one that comes with a checkout."""
    folder = tmp_path / "games"
    (folder / "holo").mkdir(parents=True, mode=0o755)
    (folder / "holo" / "1.yaml").write_text("game: holo\nstatus: over\n")
    words = ("signup", "alice", "xanadu", "alice@example.org")
    assert run(folder, "pbm", *words).status == 0
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    held = [str(p) for p in folder.rglob("*.yaml") if "holo" not in p.parts]
    assert held
    assert not set(held) & set(open_to_others(folder))


# Passwords


def test_a_password_is_kept_as_a_slow_hash_with_a_salt_of_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(account, "_SCRYPT", COSTS)
    one, other = hash_password("secret"), hash_password("secret")
    assert one != other
    assert one.startswith("scrypt:16384:8:1:")
    assert fits_password("secret", one)
    assert fits_password("secret", other)
    assert not fits_password("secres", one)
    assert "secret" not in one


@pytest.mark.parametrize(
    ("command", "hashes"),
    [
        ("holo move 1 alice wrong 142:4", 1),
        ("holo move 1 nobody wrong 142:4", 0),
        ("holo move 99 alice xanadu 142:4", 1),
        ("holo showas alice xanadu", 1),
        ("holo show 1", 0),
        ("change password alice wrong better5", 1),
        ("change password alice xanadu better5", 2),
        ("message alice wrong bob", 1),
        ("signup alice xanadu", 1),  # she is told that she has an account
        ("signup carol better5", 1),
        ("signup carol x", 0),
    ],
)
def test_the_hashes_for_a_mail_are_limited(
    server: House, monkeypatch: pytest.MonkeyPatch, command: str, hashes: int
) -> None:
    """The one thing that is slow on purpose is done once for a password, and only if
    somebody has it to compare."""
    made = []
    scrypt = hashlib.scrypt

    def counted(*words: object, **named: object) -> bytes:
        made.append(named)
        return scrypt(*words, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(hashlib, "scrypt", counted)
    server.mail(mail_of(command, EVE))
    assert len(made) == hashes


# What strangers may leave behind


@pytest.mark.parametrize(
    "command",
    ["holo move 99 alice xanadu 142:4", "holo move 1 nobody wrong 142:4"]
    + ["holo resign 99 nobody wrong", "change address nobody wrong", "holo show 99"]
    + ["holo challenge nobody alice", "holo chat 99 alice xanadu", "help nothing"]
    + ["message nobody wrong alice", "holo verify 99", "add nobody wrong a@b.org"],
)
def test_looking_for_a_file_does_not_create_it(server: House, command: str) -> None:
    def files() -> set[str]:
        found = (p for p in server.folder.rglob("*") if p.is_file())
        kept = (path for path in found if not is_of_index(path))
        return {path.name for path in kept if path.parent.name != "strangers"}

    before = files()
    server.mail(mail_of(command, EVE, "Hello!"))
    assert files() - before <= {"new.lock"}


def test_nobody_floods_an_address_that_is_not_theirs(server: House) -> None:
    """With commands that need no password, from as many addresses as one likes."""
    server.config = Config(answers_per_hour=5)
    told = 0
    for number in range(30):
        command = f"signup user{number} better5 victim@example.net"
        letters = server.mail(mail_of(command, f"eve{number}@example.net"))
        told += sum("victim@example.net" in letter.to for letter in letters)
    assert told == 5


# What is written down


def test_the_figures_in_the_text_are_those_of_the_code() -> None:
    text = " ".join((ROOT / "SECURITY.md").read_text("ascii").split())
    n, r, p = COSTS
    assert f"n = {n}, r = {r}, p = {p}" in text
    assert f"{Config().answers_per_hour} answers an hour" in text
    assert f"{MOST_NOTE:,} characters" in text
    assert f"at most {Config().signups_per_hour} can in an hour" in text
    assert f"In an hour {allowance.GUESSES} wrong passwords are looked at" in text
    assert f"{allowance.GUESSES_AT_ONE} for one account" in text
    assert f"and {allowance.GUESSES} from its own addresses" in text
    assert f"{allowance.MOST_HASHES} passwords looked at or set" in text
    assert f"{allowance.MOST_BOARDS} boards ({allowance.MOST_OWN_BOARDS} with" in text
    assert f"{allowance.MOST_LISTS} lists and {allowance.MOST_CHARACTERS:,} ch" in text
    assert f"one file of {counters.SIZE >> 20} MB" in text
    assert f"at most {account.MOST_HASHING} passwords are hashed at once" in text
    assert (lmtp.SILENCE, "a minute without a command" in text) == (60, True)
    assert "1,000 mails" in text
    assert f"at most {multiple.MOST_COMMANDS} commands" in text
    assert f"at most {cache.MOST_PASSWORDS:,} of them" in text
    assert (cache.PASSWORD_SECONDS, "for ten minutes" in text) == (600, True)
    assert f"{MOST_MAIL >> 20} MiB" in text
    assert (accounts.MOST_FORGOTTEN, "most three letters a day" in text) == (3, True)
    assert f"key**, {KEY_BYTES} random bytes in the file `{FILE}`" in text
    most = (
        f"at most {spool.MOST_KEPT:,} of them and {spool.MOST_KEPT_BYTES // 10**6} MB"
    )
    assert f"`undeliverable`, which holds {most}" in text
    assert f"says nothing for {transports._PATIENCE} seconds" in text
    assert (lmtp.MOST_CONNECTIONS, "with fifty at once" in text) == (50, True)


def test_each_file_that_the_text_names_is_there() -> None:
    text = (ROOT / "SECURITY.md").read_text("ascii")
    named = re.findall(r"`((?:tests|pbm_holomino|bin)/[\w./-]+)`", text)
    assert named
    for path in named:
        assert (ROOT / path).exists(), path
