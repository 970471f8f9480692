"""What most tests begin with, and which of them are run."""

import gc
import os
import signal
from collections import Counter
from collections.abc import Generator, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, settings

from pbm_holomino.draw import png
from pbm_holomino.resident import advising
from tests import needs, sizes, storage
from tests.club import Club
from tests.house import House, make_cheap, open_house, own
from tests.mail.valid import only_valid
from tests.postgres.about_files import is_about_files
from tests.postgres.cluster import Cluster, open_cluster
from tests.postgres.databases import databases

# fixtures that a file makes once
SLOW = {"built", "chromium", "first_runs", "installed", "place", "prepared", "seen"}
SLOW |= {"certificates", "sending", "shared", "table", "template"}
_LEFT_OUT = pytest.StashKey[Mapping[str, tuple[str, ...]]]()
_Report = TypeVar("_Report", pytest.TestReport, pytest.CollectReport)


def _make_catalogues() -> None:
    """Have the catalogues of languages as translators have left them."""
    from tests.languages import catalogues

    for path in catalogues.languages():
        catalogues.make(path)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--full", action="store_true", help="let the larger tests try all that they can"
    )
    parser.addoption(
        "--store",
        choices=("files", "postgresql"),
        default="files",
        help="where servers keep what they know: those of tests/house.py",
    )


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "needs(*names): those of tests.needs.NEEDS")
    config.addinivalue_line("markers", "xdist_group(name): tests for one process")
    config.addinivalue_line("markers", "long: begun first, for others to run beside")
    config.stash[_LEFT_OUT] = {}
    sizes.full = config.getoption("full")
    # examples take as long as they like, however slow a machine is, and share fixtures
    settings.register_profile(
        "patient",
        settings(),
        deadline=None,
        suppress_health_check=[
            HealthCheck.too_slow,
            HealthCheck.function_scoped_fixture,
        ],
    )
    settings.load_profile("patient")
    if not hasattr(config, "workerinput"):
        _make_catalogues()
    # else each of the many processes would compile all modules again
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    gc.set_threshold(50_000, 10, 10)  # thousands of tests are no garbage
    # servers that ignore what whoever runs the tests ignores could not be tested
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)


def lacking(item: pytest.Item) -> tuple[str, ...]:
    """What a test needs that is missing here."""
    names = [name for mark in item.iter_markers("needs") for name in mark.args]
    return needs.missing(dict.fromkeys(names))


@pytest.hookimpl(tryfirst=True)
def pytest_itemcollected(item: pytest.Item) -> None:
    """Tests that start a Postfix share its ports and mailboxes: they are run in one
    process, one after the other, and so are those of a file that are about something
    which is slow to make."""
    if item.config.getoption("store") == "postgresql":
        item.add_marker(pytest.mark.needs("postgresql"))
    if any("postfix" in mark.args for mark in item.iter_markers("needs")):
        item.add_marker(pytest.mark.xdist_group("postfix"))
    elif {*getattr(item, "fixturenames", ())} & SLOW:
        item.add_marker(pytest.mark.xdist_group("/".join(item.path.parts[-2:])))


def is_over_databases(item: pytest.Item) -> bool:
    """Whether a test is about more than files, and may have a store at all: without a
    folder it has none. One that has a database anyhow is not run again."""
    given = {*getattr(item, "fixturenames", ())}
    has_store = given & {"tmp_path", "tmp_path_factory"}
    has_database = given & {"cluster", "database"}
    return bool(has_store) and not has_database and not is_about_files(item.nodeid)


def begin_with_the_longest(items: list[pytest.Item]) -> None:
    """What takes long has others run beside it, and is not waited for in the end: what
    is marked so, and then groups, the largest first."""
    members = Counter(map(group_of, items))

    def place(item: pytest.Item) -> tuple[bool, int]:
        group = group_of(item)
        return item.get_closest_marker("long") is None, -members[group] if group else 0

    items.sort(key=place)


def group_of(item: pytest.Item) -> str:
    """The name of the tests that are run in one process with this one, if any."""
    marker = item.get_closest_marker("xdist_group")
    return marker.args[0] if marker else ""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> None:
    if config.getoption("loadgroup", False):  # in one of several processes
        begin_with_the_longest(items)
    if config.getoption("store") == "postgresql":
        without = [item for item in items if not is_over_databases(item)]
        items[:] = [item for item in items if is_over_databases(item)]
        config.hook.pytest_deselected(items=without)
    if needs.must_run_all():
        return
    left_out = {item: lacks for item in items if (lacks := lacking(item))}
    items[:] = [item for item in items if item not in left_out]
    config.stash[_LEFT_OUT] = {item.nodeid: lacks for item, lacks in left_out.items()}
    if left_out:
        config.hook.pytest_deselected(items=list(left_out))


def pytest_collection_finish(session: pytest.Session) -> None:
    """Groups are kept apart by the tests' ids; a pytest whose ids cannot be changed
    would mix them without a word. What has been collected stays to the end: nobody
    need look for garbage in it."""
    gc.collect()
    gc.freeze()
    if session.config.getoption("loadgroup", False):  # in one of several processes
        for item in session.items:
            is_grouped = item.get_closest_marker("xdist_group") is not None
            assert is_grouped == ("@" in item.nodeid.rpartition("]")[2]), item.nodeid


def pytest_runtest_setup(item: pytest.Item) -> None:
    lacks = lacking(item)  # nothing, unless every test must be run
    if lacks:
        words = f'This needs {", ".join(lacks)}: please type "{needs.remedy()}".'
        pytest.fail(words, pytrace=False)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport() -> Generator[
    None, pytest.TestReport, pytest.TestReport
]:
    return _never_skipped((yield))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_make_collect_report() -> Generator[
    None, pytest.CollectReport, pytest.CollectReport
]:
    return _never_skipped((yield))


def _never_skipped(report: _Report) -> _Report:
    """A test that is skipped, or expected to fail, has failed."""
    if report.outcome == "skipped":
        report.outcome = "failed"
        report.longrepr = f"{report.nodeid}: a test is never skipped, it `needs`"
    return report


def pytest_sessionfinish(session: pytest.Session) -> None:
    """One of several processes tells the first what it has left out."""
    output = getattr(session.config, "workeroutput", {})
    output["left_out"] = {
        test: list(lacks) for test, lacks in session.config.stash[_LEFT_OUT].items()
    }


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    output = getattr(node, "workeroutput", {})
    found = {name: tuple(lacks) for name, lacks in output.get("left_out", {}).items()}
    node.config.stash[_LEFT_OUT] = {**node.config.stash[_LEFT_OUT], **found}


def pytest_unconfigure(config: pytest.Config) -> None:
    """The last words, after pytest's own."""
    if hasattr(config, "workerinput"):
        return
    told = needs.report(config.stash[_LEFT_OUT])
    if told:
        print(f"\n{told}", end="", flush=True)


@pytest.fixture(scope="session", autouse=True)
def without_pictures() -> Iterator[None]:
    """New players of servers in this process get letters without pictures, which take
    time to draw: few tests look at them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(png, "is_possible", lambda: False)
        yield


@pytest.fixture(scope="session", autouse=True)
def cheap_hashes() -> Iterator[None]:
    """Passwords take no time to hash in this process."""
    with pytest.MonkeyPatch.context() as patch:
        make_cheap(patch)
        yield


@pytest.fixture(scope="session", autouse=True)
def quick_advice() -> Iterator[None]:
    """Robots that advise in this process do not think for long: few tests look at what
    they find."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(advising, "HINT_SECONDS", 0.05)
        patch.setattr(advising, "MOVE_SECONDS", 0.02)
        yield


@pytest.fixture(scope="session")
def first_house(stores: None, tmp_path_factory: pytest.TempPathFactory) -> House:
    """A server where alice and bob have signed up and play board 1, to be copied."""
    return open_house(tmp_path_factory.mktemp("first") / "games")


@pytest.fixture
def house(first_house: House, tmp_path: Path) -> House:
    """Another such server."""
    return first_house.copy(tmp_path / "games")


@pytest.fixture
def server(tmp_path: Path) -> House:
    """A server that alice and bob have signed up on."""
    return House(tmp_path / "games").sign_up()


@pytest.fixture
def club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Club:
    """Alice, bob, carol and dave, who have not played yet; the owner's commands run on
    their server."""
    club = Club(tmp_path)
    own(club.server, monkeypatch)
    return club


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """A PostgreSQL that many tests share, and that none of them may break. It writes
    without fsync: nothing cuts its power."""
    with open_cluster(fsync=False) as shared:
        yield shared


@pytest.fixture(scope="session", autouse=True)
def stores(request: pytest.FixtureRequest) -> Iterator[None]:
    """The tests' servers are over databases, if they are to be."""
    if request.config.getoption("store") == "files":
        yield
        return
    with databases(request.getfixturevalue("cluster")):
        yield


@pytest.fixture(autouse=True)
def cleared(stores: None) -> Iterator[None]:
    """Nothing is left in a database of a test that has ended."""
    with storage.over.clearing():
        yield


@pytest.fixture(autouse=True)
def only_valid_mails() -> Iterator[None]:
    """Every mail that leaves in this process is valid."""
    with only_valid():
        yield


@pytest.fixture
def database(cluster: Cluster) -> Iterator[str]:
    """The URL of an empty database."""
    with cluster.database() as name:
        yield cluster.url(name)
