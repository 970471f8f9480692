"""Files of the store that are cut off, or of which a byte is another."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pbm_holomino.errors import CorruptFile, StoreTrouble
from pbm_holomino.match.kinds.boards import to_data
from pbm_holomino.store import config
from pbm_holomino.store.contract import PLAYERS
from pbm_holomino.store.files.store import FileStore
from pbm_holomino.store.home import Home
from pbm_holomino.store.library import Library
from tests.faults.scene import ERRANDS, lay, letters_in, receive, secrets_of, type_owner
from tests.house import House, mail_of
from tests.sizes import sized

FRAGMENT = 10  # characters of a secret: so many in a row are no accident


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A store with a board on which somebody has moved, with a text."""
    folder = lay(tmp_path / "games")
    receive(folder, ERRANDS["move"].mail)
    return folder


def cuts(text: bytes) -> Iterator[bytes]:
    """The text, cut off at every byte."""
    for end in range(len(text)):
        yield text[:end]


def flips(text: bytes) -> Iterator[bytes]:
    """The text with each byte changed: in one bit, another for each, and to those
    that mean something to YAML or to a line."""
    for place, byte in enumerate(text):
        for new in (byte ^ (1 << place % 8), b"\n: -#'\x00\xff"[place % 8]):
            yield text[:place] + bytes([new]) + text[place + 1 :]


def fragments(folder: Path) -> set[str]:
    """Every bit of a secret that is long enough to be of use. The parameters of a
    hash, with which it begins, are none."""
    found = set()
    for secret in secrets_of(folder):
        for word in secret.decode().split(":")[-2:]:
            found |= {word[n : n + FRAGMENT] for n in range(len(word) - FRAGMENT)}
    return found


def told(read: Callable[[], object]) -> str:
    """Why a file cannot be used; empty where it can. Nothing else may happen."""
    try:
        read()
    except (CorruptFile, StoreTrouble) as error:
        return str(error)
    return ""


def assert_tells_nothing(text: str, secrets: set[str]) -> None:
    pieces = {text[n : n + FRAGMENT] for n in range(len(text))}
    assert not pieces & secrets


@pytest.mark.parametrize("damage", [cuts, flips])
def test_a_board(folder: Path, damage: Callable[[bytes], Iterator[bytes]]) -> None:
    path, secrets = folder / "holo" / "1.yaml", fragments(folder)
    shelf = Library(FileStore(str(folder)))
    whole = path.read_bytes()
    found = []

    def read() -> None:
        match, data = shelf.ledger_and_data("holo", "1")
        found.append(data == to_data(match))

    for bitten in damage(whole):
        path.write_bytes(bitten)
        why = told(read)
        assert_tells_nothing(why, secrets)
        assert path.read_bytes() == bitten
        assert len(list(shelf.lists.summaries(["holo"]))) == 1
        if damage is cuts and not why:  # only what is derived is gone
            assert found[-1] is False


WALOMINO = """\
walomino challenge alice bob
walomino move 1 alice xanadu take:any
walomino move 1 bob better4 take:any
"""


def test_pairs_that_nobody_has_seen_yet(server: House) -> None:
    """Who asks for a damaged board is told which file it is, and not what stands
    there; its owner may look."""
    for line in WALOMINO.splitlines():
        assert server.type(line).status == 0, line
    shown = server.type("walomino showas alice xanadu 1 -format=json")
    pool = json.loads(shown.text)["pools"]["alice"]
    pairs = ",".join(a + b for a, b in zip(pool[::2], pool[1::2], strict=True))
    assert server.type(f"walomino move 1 alice xanadu pairs:{pairs}").status == 0
    path = server.folder / "walomino" / "1.yaml"
    whole = path.read_bytes()
    (sent,) = (text for text in whole.splitlines() if b"pairs:" in text)
    secret = sent.rpartition(b"pairs:")[2].decode()
    assert len(secret) > FRAGMENT
    before, _, after = whole.partition(sent)
    for bitten in [*flips(sent)][:: sized(3, 1)]:
        path.write_bytes(before + bitten + after)
        shown = server.type("walomino show 1")
        assert_tells_nothing(shown.text, {secret[n:][:FRAGMENT] for n in range(20)})
        if shown.status:
            assert "walomino/1.yaml" in shown.text
            checked = " ".join(type_owner(server.folder, "check").text.split())
            assert "What is wrong: " in checked


@pytest.mark.parametrize("damage", [cuts, flips])
def test_an_account(folder: Path, damage: Callable[[bytes], Iterator[bytes]]) -> None:
    path, secrets = folder / PLAYERS / "alice.yaml", fragments(folder)
    shelf = Library(FileStore(str(folder)))
    whole = path.read_bytes()
    for bitten in damage(whole):
        path.write_bytes(bitten)
        why = told(lambda: shelf.account("alice"))
        assert_tells_nothing(why, secrets)
        assert path.read_bytes() == bitten
        if damage is cuts:
            assert why or bitten.rstrip(b"\n") == whole.rstrip(b"\n")


@pytest.mark.parametrize("damage", [cuts, flips])
def test_the_settings(
    tmp_path: Path, damage: Callable[[bytes], Iterator[bytes]]
) -> None:
    given = {"address": "games@example.org", "send": "smtp", "smtp": "localhost:25"}
    text = "".join(f"{key}: {value}\n" for key, value in given.items())
    outcomes = set()
    for bitten in damage(text.encode()):
        (tmp_path / "config.yaml").write_bytes(bitten)
        outcomes.add(bool(told(lambda: Home(str(tmp_path)).config)))
    assert outcomes == {True, False}
    assert config.from_data(given).smtp == "localhost:25"


def test_a_bitten_file_stops_only_its_own_game(server: House) -> None:
    """By mail, through all that a mail goes through: the one whose board is damaged
    is told which file it is, and the other board goes on."""
    for _ in range(2):
        server.challenge()
    path = server.folder / "holo" / "1.yaml"
    whole, secrets = path.read_bytes(), fragments(server.folder)
    record = whole[: whole.index(b"status:")]
    for number, bitten in enumerate([*cuts(record)][::30]):
        path.write_bytes(bitten)
        for letter in server.mail(mail_of("holo move 1 alice xanadu 142:4")):
            assert "holo/1.yaml" in letter.text
            assert_tells_nothing(letter.text, secrets)
        assert path.read_bytes() == bitten
        raw = mail_of("holo chat 2 bob better4", "bob@example.org", f"{number}")
        assert len(server.mail(raw)) == 2
    path.write_bytes(whole)
    assert len(server.mail(mail_of("holo move 1 alice xanadu 142:4"))) == 2
    assert type_owner(server.folder, "check").status == 0


@pytest.mark.parametrize("damage", [cuts, flips])
def test_a_letter_in_the_outbox(
    folder: Path, damage: Callable[[bytes], Iterator[bytes]]
) -> None:
    """Nothing of ours reads it again; the mail that comes again writes it anew."""
    errand, right = ERRANDS["move"], letters_in(folder)
    (path,) = (folder / "outbox").glob(f"{errand.answer}.*.eml")
    text = path.read_bytes()
    for number, bitten in enumerate([*damage(text)][:: sized(17, 5)]):
        path.write_bytes(bitten)
        assert type_owner(folder, "flush").status == 0
        if number % 60:
            assert path.read_bytes() == bitten
        else:
            assert type_owner(folder, "check").status == 0
            receive(folder, errand.mail)
            assert letters_in(folder) == right


@pytest.mark.parametrize("mark", [b"", b"\xff\x00", b"x" * 99_999, b"holo.1.1.bob"])
def test_a_mark(folder: Path, mark: bytes) -> None:
    """At worst a letter leaves twice, under its one name."""
    right = letters_in(folder)
    (folder / "holo" / "1.1.unsent").write_bytes(mark)
    assert type_owner(folder, "flush").status == 0
    assert letters_in(folder) == right
    assert not list(folder.rglob("*.unsent"))
