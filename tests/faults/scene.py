"""A store to break, the mail that is on its way while it breaks, and what must hold
whatever happens: the invariants, each once."""

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple
from unittest import mock

from pbm_holomino import owner
from pbm_holomino.commands.request import Answer
from pbm_holomino.errors import PbmError
from pbm_holomino.mail.post import sender
from pbm_holomino.match import account
from pbm_holomino.match.account import TOKEN
from pbm_holomino.server import inbox
from pbm_holomino.server import open as place
from pbm_holomino.server.transaction import Server
from pbm_holomino.store import yaml as strict
from pbm_holomino.store.files.store import FileStore
from pbm_holomino.store.home import Home
from pbm_holomino.store.library import Library
from tests import storage
from tests.house import CHEAP, PASSWORDS, House, mail_of
from tests.processes import Done

ALICE, BOB, CAROL = "alice@example.org", "bob@example.org", "carol@example.net"
NEXT = mail_of("holo move 1 bob better4 234:3", BOB, Message_ID="<next@example.com>")


class Errand(NamedTuple):
    """A mail that is carried out while something breaks, and the names of its letters
    in the outbox: first that to who sent it."""

    mail: bytes
    letters: tuple[str, ...]

    @property
    def answer(self) -> str:
        return self.letters[0]


def errand_of(subject: str, sender: str, *letters: str) -> Errand:
    """The errand of this mail, after which letters with these names leave."""
    raw = mail_of(subject, sender, "Hello!", Message_ID="<errand@example.org>")
    return Errand(raw, letters)


# One command of each way to write: a board's line, a new board, a new account.
ERRANDS = {
    "move": errand_of(
        "holo move 1 alice xanadu 142:4", ALICE, "holo.1.1.alice", "holo.1.1.bob"
    ),
    "challenge": errand_of(
        "holo challenge bob alice", BOB, "holo.2.0.bob", "holo.2.0.alice"
    ),
    "signup": errand_of("signup carol better5", CAROL, "players.carol.1"),
}


Letters = dict[str, bytes]  # by their keys


def lay(folder: Path) -> Path:
    """A store in which alice and bob play board 1, and it is alice's turn."""
    with mock.patch.object(account, "_SCRYPT", CHEAP):
        House(folder).sign_up().challenge()
    for mark in folder.rglob("*.unsent"):
        mark.unlink()
    return folder


def copy_of(store: Path, folder: Path) -> Path:
    """The same store somewhere else."""
    return Path(shutil.copytree(store, folder, symlinks=True))


def receive(folder: Path, raw: bytes) -> None:
    """Hand a mail over to the same code in this process."""
    server, home = opened(folder)
    inbox.receive(raw, server, home.config)


def opened(folder: Path) -> tuple[Server, Home]:
    """A server on the store in a folder, as `place.open_server` makes it."""
    home = Home(str(folder))
    store = FileStore(str(folder), 0.1)
    return Server(Library(store), sender(home, store)), home


def type_owner(folder: Path, *words: str) -> Answer:
    """What the terminal answers to one of the owner's commands."""
    with mock.patch.object(place, "open_server", return_value=opened(folder)):
        return owner.run(words)


# What must hold


def assert_whole(folder: Path, was: Path) -> None:
    """Every file is old or new, and parses; and what is derived agrees."""
    checked = type_owner(folder, "check")
    assert checked.status == 0, checked.text
    for old in was.rglob("*.yaml"):
        now = folder / old.relative_to(was)
        assert now.exists(), f"{now.name} is gone"
        before, after = (strict.load(path.read_bytes()) for path in (old, now))
        assert after["log"][: len(before["log"])] == before["log"]
        assert len(after["log"]) - len(before["log"]) in (0, 1)


def lines_made(folder: Path, errand: Errand) -> int:
    """How many lines the errand's mail has made in the store."""
    found = 0
    for path in folder.rglob("*.yaml"):
        log = strict.load(path.read_bytes()).get("log", [])
        found += sum(line.split()[3] == _id(errand) for line in log)
    return found


def _id(errand: Errand) -> str:
    from pbm_holomino.mail.incoming import read

    found = read(errand.mail, "pbm@localhost")
    assert found is not None
    return found.id


_ANSWERED = (
    rb"^(In-Reply-To|References): <errand@example\.org>\n|\n <errand@example\.org>"
)


_BOUNDARY = rb"(?<==_alternative_)[0-9a-f]{24}"  # it follows from the token


def letters_in(folder: Path) -> Letters:
    """The letters in the outbox, by key, without their Date, and without which mail of
    these tests they answer: that is known only while the mail is handled. Their names
    end in their tokens, and no letter is there with two of them. The tokens themselves
    are left out too, as they follow from the second in which a line was made."""
    found = {}
    for path in (folder / "outbox").glob("*.eml"):
        text = re.sub(_ANSWERED, b"", path.read_bytes(), flags=re.MULTILINE)
        key = re.sub(rf"\.{TOKEN}$", "", path.stem)
        assert key not in found, path
        text = re.sub(rb"^Date: .*\n", b"", text, flags=re.MULTILINE)
        text = re.sub(_BOUNDARY, b"", text)
        token = path.stem.removeprefix(key).lstrip(".").encode("ascii")
        found[key] = text.replace(token, b"") if token else text
    return found


def assert_answered(folder: Path, errand: Errand, right: Letters) -> None:
    """The mail has made one line, and each letter about it has left, or is marked as
    one that must; an answer that is no letter about a line has left."""
    assert lines_made(folder, errand) == 1
    found = letters_in(folder)
    marked = bool(list(folder.rglob("*.unsent")))
    for name in errand.letters:
        assert name in found or marked, f"no {name}"
        if name in found and name in right:
            assert found[name] == right[name], f"another {name}"


def assert_goes_on(folder: Path, errand: Errand, right: Letters) -> None:
    """With no cleaning up: the mail that comes again is one move with the same answer,
    what is marked leaves, and the next command works."""
    before = letters_in(folder)
    receive(folder, errand.mail)
    assert_flushed(folder, errand, {**right, **before})
    if errand is ERRANDS["move"]:
        receive(folder, NEXT)
        assert "holo.1.2.alice" in letters_in(folder)
    assert type_owner(folder, "check").status == 0


def assert_flushed(folder: Path, errand: Errand, right: Letters) -> None:
    """What is marked leaves, and then all letters are there."""
    flushed = type_owner(folder, "flush")
    assert flushed.status == 0, flushed.text
    assert not list(folder.rglob("*.unsent"))
    assert_answered(folder, errand, right)


def assert_silent(folder: Path, done: Done, was: Path) -> None:
    """Nothing secret is in what was printed, in a letter, or in quarantine; and no
    traceback is anywhere."""
    told = done.printed.encode() + b"".join(
        path.read_bytes()
        for kind in ("outbox", "quarantine")
        for path in (folder / kind).glob("*.eml")
    )
    assert b"Traceback" not in told
    for secret in (*secrets_of(was), *map(str.encode, PASSWORDS.values())):
        assert secret not in told


def secrets_of(folder: Path) -> Iterator[bytes]:
    """What must never leave a store: seeds and hashes."""
    for name, text in storage.over.records(folder).items():
        if re.fullmatch(r"(?!ratings)\w+/\w+\.yaml", name):
            data = strict.load(text)
            # an open challenge has no seed yet
            yield from (data[k].encode() for k in ("seed", "password") if k in data)


def assert_sound(
    folder: Path, was: Path, errand: Errand, done: Done, right: Letters
) -> None:
    """All of it: after a process has ended so, in a store that was such."""
    assert done.status <= 0 or done.status == 75, done
    assert_whole(folder, was)
    assert_silent(folder, done, was)
    if done.status == 0:
        assert_answered(folder, errand, right)
    assert_goes_on(folder, errand, right)


@contextmanager
def said(place: object) -> Iterator[None]:
    """A failure in this block names the place."""
    try:
        yield
    except (AssertionError, PbmError, OSError) as error:
        raise AssertionError(f"{place}: {error}") from error
