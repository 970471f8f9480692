"""`pbm copy`: a store in another place has the same bytes, and nobody can write to the
one while it is copied, nor to the other before it is complete."""

import re
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path

import pytest

from pbm_holomino import owner
from pbm_holomino.errors import Busy, NotAllowed, NotFound, PbmError, StoreTrouble
from pbm_holomino.fetch import progress
from pbm_holomino.owner import copy
from pbm_holomino.store.config import Config
from pbm_holomino.store.contract import (
    PLAYERS,
    QUARANTINE,
    UNDELIVERABLE,
    WAITING,
    Store,
)
from pbm_holomino.store.files import changes, documents
from pbm_holomino.store.files.store import FileStore
from pbm_holomino.store.home import open_database
from pbm_holomino.store.library import Library
from tests import storage
from tests.house import Crash, House, home, mail_of, open_house
from tests.paths import ROOT
from tests.postgres.bouncer import BOUNCER, open_bouncer
from tests.postgres.cluster import POSTGRESQL, Cluster, address
from tests.processes import PATIENCE, run, start, wait_until
from tests.sizes import sized
from tests.storage import InFiles

OLD = ROOT / "tests" / "stores" / "1.0"
EXAMPLES = ROOT / "games" / "examples"

pytestmark = POSTGRESQL


@pytest.fixture
def url(cluster: Cluster) -> Iterator[str]:
    """The address of an empty database."""
    with cluster.database() as name:
        yield cluster.url(name)


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    """A store with a piece of every kind: board 1 has letters that have not left, board
    2 is lost, board 3 is over; carol's account is deleted; of the mailbox that is
    fetched from, some mails are left alone, and one only has to leave; and there are
    mails and a note."""
    monkeypatch.setattr(storage, "over", InFiles())
    house = open_house(tmp_path / "games")
    house.sign_up("carol")
    house.type("delete carol {carol}")
    house.challenge()
    house.challenge()
    for board in (2, 3):
        house.type(f"holo resign {board} bob {{bob}}")
    house.document("holo", "2").unlink()
    house.type("holo ratings")
    house.shut = {home("bob")}
    house.type(f"holo move 1 alice {{alice}} {house.legal()[0]}")
    house.shut = set()
    shutil.copytree(EXAMPLES, house.path("examples"))
    house.path("walomino").mkdir(exist_ok=True)
    for kind in ("opened", "lock"):  # a board 1 that is gone
        house.path("walomino", f"1.{kind}").touch(0o600)
    lease = progress.Lease(house.store, "here")
    lease.keep()
    lease.progress = lease.progress.of_new_mailbox("1.7").with_done("1.8")
    lease.save()
    lease.end()
    for folder in (WAITING, UNDELIVERABLE, QUARANTINE):
        for number in (2, 1):
            house.store.kept.keep(folder, f"{number}.eml", bytes(range(256)) * number)
    house.store.put_note("waiting.why", "The disk is full.")
    house.path("hextol").mkdir(exist_ok=True)
    house.document("hextol", "4").write_bytes(b"\xff[")  # damaged
    house.path("hextol", "4.lock").touch()
    house.document("holo", "old").write_bytes(b"not a board")
    house.library.lists.scan()
    assert house.store.marks.unsent("holo") == {"1": [1]}
    return house


def typed(*words: str) -> str:
    """What the owner's command says, in one line."""
    answer = owner.run(words)
    assert answer.status == 0, answer.text
    return " ".join(answer.text.split())


def tree(folder: Path) -> dict[str, bytes]:
    """Every byte of a store of files; locks have none, and the index is derived."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
        and path.suffix != ".lock"
        and path.parent.name != changes.FOLDER
        and not path.name.startswith(changes.INDEX)
        and path.name != "config.yaml"
    }


def opened(place: str) -> Store:
    if place.startswith("postgresql:"):
        return open_database(Config(store=place, wait=1))
    return FileStore(place, 1)


def checked(place: str, tmp_path: Path, *words: str) -> str:
    """What `pbm check` says of a store, in one line."""
    machine = tmp_path / "machine"
    if place.startswith("postgresql:"):
        machine.mkdir(exist_ok=True)
        (machine / "config.yaml").write_text(f"store: {place}\n")
    done = run(machine if machine.exists() else Path(place), "pbm", "check", *words)
    return " ".join(done.printed.split())


# There and back


def test_there_and_back_gives_the_same_bytes(
    house: House, url: str, tmp_path: Path
) -> None:
    before = tree(house.folder)
    typed("copy", str(house.folder), url)
    typed("copy", url, str(tmp_path / "back"))
    assert tree(house.folder) == tree(tmp_path / "back") == before
    for path in (tmp_path / "back").rglob("*"):
        assert path.stat().st_mode & 0o77 == 0


def test_mails_and_marks_keep_their_times_and_their_order(
    house: House, url: str, tmp_path: Path
) -> None:
    typed("copy", str(house.folder), url)
    typed("copy", url, str(tmp_path / "back"))
    first, *others = (opened(p) for p in (str(house.folder), url, f"{tmp_path}/back"))
    with ExitStack() as stack:
        for store in (first, *others):
            stack.callback(store.close)
        for other in others:
            for folder in (WAITING, UNDELIVERABLE, QUARANTINE):
                assert other.kept.mails(folder) == ["2.eml", "1.eml"]
                assert other.kept.times(folder) == pytest.approx(
                    first.kept.times(folder), abs=1e-5
                )
            assert other.marks.unsent("holo") == {"1": [1]}
            assert other.marks.times("holo") == pytest.approx(
                first.marks.times("holo"), abs=1e-5
            )


@BOUNCER
def test_a_copy_through_pgbouncer(
    house: House, cluster: Cluster, tmp_path: Path
) -> None:
    """It holds one connection, and works on the other."""
    before = tree(house.folder)
    with cluster.database() as name, open_bouncer(cluster, connections=2) as folder:
        typed("copy", str(house.folder), address(name, folder))
        typed("copy", address(name, folder), str(tmp_path / "back"))
    assert tree(tmp_path / "back") == before


@pytest.mark.parametrize("pulled", [True, False])
def test_a_store_of_1_0_goes_there_and_back(
    url: str, tmp_path: Path, pulled: bool
) -> None:
    """As 1.0 left it, and as `git pull` makes it."""
    games = tmp_path / "games"
    shutil.copytree(OLD, games)
    if pulled:
        for game in ("holo", "hextol", "walomino"):
            (games / game / "1.yaml").unlink()
        shutil.copytree(EXAMPLES, games / "examples")
    before = tree(games)
    typed("copy", str(games), url)
    typed("copy", url, str(tmp_path / "back"))
    assert tree(games) == tree(tmp_path / "back") == before
    assert opened(str(tmp_path / "back")).lost("holo") == []
    with closing(opened(url)) as store:
        library = Library(store)
        assert library.is_example("holo", 1) == pulled
        assert library.shown("holo", 1).result is not None
        assert store.lost("holo") == []


def test_both_answer_the_same(house: House, url: str, tmp_path: Path) -> None:
    typed("copy", str(house.folder), url)
    lines = ["holo show 1", "hextol show 4", "holo games all", "holo standings"]
    machine = tmp_path / "machine"
    machine.mkdir()
    (machine / "config.yaml").write_text(f"store: {url}\n")
    for line in lines:
        words = line.split()
        done = run(machine, "pbm", *words)
        same = done.printed.replace("document hextol/4", "file hextol/4.yaml")
        wanted = run(house.folder, "pbm", *words).printed
        assert same.split() == wanted.split(), line


# Numbers


@pytest.mark.parametrize("back", [False, True])
def test_no_number_and_no_userid_is_given_again(
    house: House, url: str, tmp_path: Path, back: bool
) -> None:
    """Board 5 was made and is gone, as board 2 is; hextol has lost its board 6."""
    house.challenge()
    house.challenge()
    house.library.lists.scan()
    house.document("holo", "5").unlink()
    house.path("hextol", "6.lock").touch()
    typed("copy", str(house.folder), url)
    place = url
    if back:
        place = str(tmp_path / "back")
        typed("copy", url, place)
    with closing(opened(place)) as store:
        lost = {"holo": ["2", "5"], "hextol": ["2", "3", "5", "6"], "walomino": ["1"]}
        for game, numbers in lost.items():
            assert [n for n in numbers if store.is_lost(game, n)] == numbers
            assert {*numbers} <= {*store.lost(game)}
        with store.lock("holo", "new"):
            assert store.next_number("holo") == 6
        with store.lock("hextol", "new"):
            assert store.next_number("hextol") == 7
        assert Library(store).is_example("hextol", 1)  # no board has hidden it
        assert not Library(store).is_example("walomino", 1)
        account = Library(store).account("carol")
        assert account is not None
        assert account.status == "deleted"


# Who is refused


class Interrupted:
    """A copy that does something when it has come to a piece."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, act: Callable[[], object]):
        self.acted = 0
        compare = copy._compare

        def acting(*args: object) -> None:
            self.acted += 1
            act()
            compare(*args)  # type: ignore[arg-type]

        monkeypatch.setattr(copy, "_compare", acting)


@pytest.mark.parametrize("to_database", [True, False])
def test_nobody_can_write_meanwhile(
    house: House,
    url: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    to_database: bool,
) -> None:
    start, end = str(house.folder), url
    if not to_database:
        typed("copy", start, end)
        start, end = url, str(tmp_path / "back")
    said: list[list[str]] = []

    def write() -> None:
        for place in (start, end):
            with closing(opened(place)) as store:
                said.append([refusal(act) for act in writing(store)])
                with store.marks.sending("holo", "1", 1) as mark:
                    assert mark is None
                assert Library(store).match("holo", 1).record.board == 1  # to read

    interrupted = Interrupted(monkeypatch, write)
    typed("copy", start, end)
    assert interrupted.acted == 1
    at_start, at_end = said
    for words in at_start[:4]:
        assert re.fullmatch(
            r"The server's store has been closed to writers since "
            r"\d{4}-\d\d-\d\d, \d\d:\d\d UTC, as it is being copied: "
            r"please try again later.",
            words,
        )
    assert "as it is a copy that is not complete:" in at_end[0]
    for words in (*at_start[4:], *at_end[4:]):
        assert words.startswith("The store is being copied just now")
    for place in (start, end):
        with closing(opened(place)) as store:
            _lock(store, "holo", "1")
            assert store.closed() is None


def writing(store: Store) -> list[Callable[[], object]]:
    """What a closed store refuses; the last two are for who would copy it, too."""
    return [
        lambda: _lock(store, "holo", "1"),
        lambda: _lock(store, PLAYERS, "new_one"),
        lambda: store.kept.keep(WAITING, "3.eml", b"x"),
        store.check_open,
        lambda: store.close_to_writers("it is mine"),
        store.open_to_writers,
    ]


def refusal(act: Callable[[], object]) -> str:
    """Why something is to be tried again later."""
    with pytest.raises(PbmError) as error:
        act()
    assert error.value.status == 75
    return str(error.value)


def _lock(store: Store, folder: str, name: str) -> None:
    with store.lock(folder, name):
        store.find(folder, name)


@pytest.mark.parametrize("is_database", [True, False])
def test_a_copy_waits_for_those_who_write(
    house: House, url: str, is_database: bool
) -> None:
    place = str(house.folder)
    if is_database:
        typed("copy", place, url)
        place = url
    with closing(opened(place)) as store, closing(opened(place)) as other:
        with store.lock("holo", "1"):
            store.find("holo", "1")
            with pytest.raises(Busy):
                other.close_to_writers("it is being copied")
        assert store.closed() is None
        with store.marks.sending("holo", "1", 1) as mark:
            assert mark is not None
            with pytest.raises(Busy):
                other.close_to_writers("it is being copied")
            mark.kept = True
        assert store.closed() is None
        other.close_to_writers("it is being copied")
        with pytest.raises(StoreTrouble):
            _lock(store, "holo", "1")
        other.open_to_writers()
        _lock(store, "holo", "1")


@pytest.mark.parametrize("is_database", [True, False])
def test_no_writer_slips_through(house: House, url: str, is_database: bool) -> None:
    """What others save while a store is being closed is there before it is closed."""
    place = str(house.folder)
    if is_database:
        typed("copy", place, url)
        place = url
    stop, saved = threading.Event(), list[int]()

    def write() -> None:
        with closing(opened(place)) as store:
            number = 0
            while not stop.is_set():
                number += 1
                with suppress(StoreTrouble), store.lock(PLAYERS, "carol"):
                    store.save(PLAYERS, "carol", {"number": str(number)})

    writers = [threading.Thread(target=write) for _ in range(3)]
    for writer in writers:
        writer.start()
    try:
        with closing(opened(place)) as store:
            for _ in range(10):
                store.close_to_writers("it is being copied")
                before = store.find(PLAYERS, "carol")
                stop.wait(0.02)
                assert store.find(PLAYERS, "carol") == before
                saved.append(hash(before))
                store.open_to_writers()
                stop.wait(0.05)
    finally:
        stop.set()
        for writer in writers:
            writer.join()
    assert len({*saved}) > 1  # they did write in between


def test_letters_are_not_flushed_meanwhile(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBM_GAMES", str(house.folder))
    with closing(opened(str(house.folder))) as store:
        store.close_to_writers("it is being copied")
        before = tree(house.folder)
        done = run(house.folder, "pbm", "flush")
        assert done.status == 75
        assert "as it is being copied" in " ".join(done.err.split())
        assert tree(house.folder) == before


def test_a_mail_comes_again_later(house: House) -> None:
    with closing(opened(str(house.folder))) as store:
        store.close_to_writers("it is being copied")
        with pytest.raises(StoreTrouble):
            house.mail(mail_of("holo chat 1 alice xanadu", body="Hello"))


# Which places


def test_a_place_that_is_not_empty_is_refused(
    house: House, url: str, tmp_path: Path
) -> None:
    other = House(tmp_path / "other").sign_up("dave")
    before = tree(other.folder)
    with pytest.raises(NotAllowed, match="is not empty"):
        owner.run(["copy", str(house.folder), str(other.folder)])
    assert tree(other.folder) == before
    typed("copy", str(house.folder), url)
    with pytest.raises(NotAllowed, match="is not empty") as error:
        owner.run(["copy", str(other.folder), url])
    assert "pbm@/" in str(error.value)
    for place in (str(house.folder), str(other.folder), url):
        with closing(opened(place)) as store:
            assert store.closed() is None


def test_a_checkout_with_nothing_but_examples_is_empty(
    house: House, url: str, tmp_path: Path
) -> None:
    shutil.copytree(EXAMPLES, tmp_path / "games2" / "examples")
    (tmp_path / "games2" / "config.yaml").write_text(f"store: {url}\n")
    shutil.rmtree(house.path("examples"))
    typed("copy", str(house.folder), url)
    typed("copy", url, str(tmp_path / "games2"))
    assert Library(opened(str(tmp_path / "games2"))).account("alice") is not None


def test_places_that_are_wrong(house: House, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for words, error, said in (
        (["nowhere", "x"], NotFound, "There is no folder nowhere."),
        ([f"{tmp_path}/empty", "x"], NotFound, "There is nothing to copy in "),
        ([str(house.folder), f"{house.folder}/"], NotAllowed, "Both places are the"),
    ):
        with pytest.raises(error, match=re.escape(said)):
            owner.run(["copy", *words])
    assert not Path("x").exists()


def test_a_password_in_an_address_is_not_printed(
    house: House, cluster: Cluster
) -> None:
    with cluster.database() as name:
        url = cluster.url(name).replace("pbm@", "pbm:s3cret@") + "&password=s4cret"
        told = typed("copy", str(house.folder), url)
        assert "pbm@/" in told
        assert "s3cret" not in told
        assert "s4cret" not in told
        closed = copy._Place(url)
        assert "cret" not in closed.identity


# What is said, and what happens to the source


def test_what_is_to_be_done_now(house: House, url: str, tmp_path: Path) -> None:
    folder = str(house.folder)
    told = typed("copy", folder, url)
    # a long path is broken over two lines
    assert f"{folder} is open to writers again".replace(" ", "") in told.replace(
        " ", ""
    )
    assert told.endswith(f"store: {url}")
    assert house.type("holo chat 1 alice {alice} -m=Hello").status == 0
    back = str(tmp_path / "back")
    told = typed("copy", "--move", url, back)
    assert "stays closed to writers" in told
    assert "PBM_GAMES" in told
    with closing(opened(url)) as store:
        closed = store.closed()
        assert closed is not None
        with pytest.raises(StoreTrouble, match="as it was moved to another place"):
            _lock(store, "holo", "1")
    typed("copy", url, str(tmp_path / "once more"))  # it can be copied
    with closing(opened(url)) as store:
        assert store.closed() is not None  # and stays closed
    told = checked(url, tmp_path, "--repair")
    assert "as it was moved to another place: opened." in told
    with closing(opened(url)) as store:
        _lock(store, "holo", "1")


# A copy that dies


@pytest.mark.parametrize("to_database", [True, False])
def test_a_copy_that_dies_begins_anew(
    house: House,
    url: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    to_database: bool,
) -> None:
    """It dies before each of its steps. The same words begin anew, or find that all was
    done, and open what the dead one has closed."""
    monkeypatch.setattr(copy, "_AT_ONCE", 4)
    before, start, moment = tree(house.folder), str(house.folder), 1
    if not to_database:
        typed("copy", start, url)
        start = url
    end = url if to_database else str(tmp_path / "back1")
    while dies(start, end, moment):
        if is_done(end):
            with pytest.raises(NotAllowed, match="is not empty"):
                owner.run(["copy", start, end])
        else:
            typed("copy", start, end)
        last = str(tmp_path / f"last{moment}") if to_database else end
        if to_database:
            typed("copy", url, last)
        assert tree(Path(last)) == before
        assert is_open(start)
        assert is_open(end)
        moment += sized(3, 1)
        end = url if to_database else str(tmp_path / f"back{moment}")
        if to_database:
            with closing(opened(url)) as store:
                store.clear()
    assert moment > 9


def is_done(place: str) -> bool:
    """Whether a copy is complete, as far as its store says so."""
    with closing(opened(place)) as store:
        has_boards = any(title.folder == "holo" for title in store.titles())
        return has_boards and store.closed() is None


def is_open(place: str) -> bool:
    with closing(opened(place)) as store:
        _lock(store, "holo", "1")
        return store.closed() is None


def dies(start: str, end: str, last: int) -> bool:
    """Copy, and die at this moment; whether it has died."""
    moments = 0

    def watched(call: Callable[..., object]) -> Callable[..., object]:
        def wrapped(*args: object) -> object:
            nonlocal moments
            if moments >= last:
                raise Crash  # the dead do nothing any more
            moments += 1
            if moments == last:
                raise Crash
            return call(*args)

        return wrapped

    stores: list[Store] = []
    with pytest.MonkeyPatch.context() as patch:
        open_place = copy._Place.open

        def open_one(place: copy._Place) -> Store:
            store = open_place(place)
            stores.append(store)
            for name in ("close_to_writers", "open_to_writers", "put_pieces", "clear"):
                patch.setattr(store, name, watched(getattr(store, name)))
            return store

        patch.setattr(copy._Place, "open", open_one)
        try:
            owner.run(["copy", start, end])
        except Crash:
            return True
    return False


def test_a_copy_that_is_killed_begins_anew(
    house: House, url: str, tmp_path: Path
) -> None:
    """It is killed while it waits for somebody who writes, and its source is closed."""
    before = tree(house.folder)
    with house.store.lock("holo", "1"):
        copying = start("pbm", "copy", str(house.folder), url)
        wait_until(lambda: house.path("closed").exists(), "a source that is closed")
        copying.kill()
        copying.communicate(timeout=PATIENCE)
    with pytest.raises(StoreTrouble, match="as it is being copied"):
        _lock(house.store, "holo", "1")
    typed("copy", str(house.folder), url)
    _lock(house.store, "holo", "1")
    typed("copy", url, str(tmp_path / "back"))
    assert tree(tmp_path / "back") == before


def test_a_half_copy_of_another_store_is_not_touched(
    house: House, url: str, tmp_path: Path
) -> None:
    other = House(tmp_path / "other").sign_up("dave")
    assert dies(str(house.folder), url, 4)  # when nothing but the first pieces is there
    with pytest.raises(NotAllowed, match="is not empty"):
        owner.run(["copy", str(other.folder), url])
    with pytest.raises(NotAllowed, match="a copy that is not complete"):
        owner.run(["copy", url, str(tmp_path / "back")])
    told = checked(url, tmp_path, "--repair")
    assert 'please run the same "pbm copy" again' in told
    with closing(opened(url)) as store, pytest.raises(StoreTrouble):
        _lock(store, "holo", "1")


@pytest.mark.parametrize("is_database", [True, False])
def test_check_opens_what_a_dead_copy_has_closed(
    house: House, url: str, tmp_path: Path, is_database: bool
) -> None:
    house.document("hextol", "4").unlink()
    house.path("hextol", "4.lock").unlink()
    house.document("holo", "old").unlink()
    start, end = str(house.folder), url
    if is_database:
        typed("copy", start, end)
        start, end = url, str(tmp_path / "back")
    assert dies(start, end, 3)
    told = checked(start, tmp_path)
    assert "closed to writers since" in told
    assert '"pbm check --repair" opens it' in told
    assert "as it is being copied: opened" in checked(start, tmp_path, "--repair")
    with closing(opened(start)) as store:
        _lock(store, "holo", "1")


def test_a_number_that_the_lock_alone_knows(tmp_path: Path, url: str) -> None:
    (tmp_path / "games" / "holo").mkdir(parents=True)
    (tmp_path / "games" / "holo" / "9.lock").touch()
    (tmp_path / "games" / "holo" / "old.lock").touch()
    typed("copy", str(tmp_path / "games"), url)
    typed("copy", url, str(tmp_path / "back"))
    store = opened(str(tmp_path / "back"))
    assert store.is_lost("holo", "9")
    assert documents.OPENED == "opened"
