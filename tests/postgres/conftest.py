"""Machines over a database in which games have begun."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from itertools import count
from pathlib import Path

import pytest

from tests.postgres.cluster import Cluster, open_cluster
from tests.postgres.proxy import Proxy, open_proxy
from tests.postgres.scene import Machine

Open = Callable[..., Machine]  # a machine on the database at this URL


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Open]:
    """Opens machines, which are closed in the end."""
    numbers = count(1)
    with ExitStack() as stack:

        def open_one(url: str, **settings: object) -> Machine:
            made = Machine(tmp_path / f"home{next(numbers)}", url, **settings)
            return stack.enter_context(closing(made))

        yield open_one


def lay(folder: Path, url: str) -> None:
    with closing(Machine(folder, url)) as machine:
        machine.lay()


@pytest.fixture(scope="session")
def template(
    cluster: Cluster, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """A database in which alice and bob have just begun eight games; it is copied."""
    with cluster.database() as name:
        lay(tmp_path_factory.mktemp("laid") / "home", cluster.url(name))
        yield name


@pytest.fixture
def games(cluster: Cluster, template: str) -> Iterator[str]:
    """The name of a database with these games, of the cluster that all tests share."""
    with cluster.database(template) as name:
        yield name


@pytest.fixture
def proxy(cluster: Cluster) -> Iterator[Proxy]:
    with open_proxy(cluster.folder) as proxy:
        yield proxy


@pytest.fixture(scope="session")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The data of a server with these games in the database `games`; they are
    copied."""
    with open_cluster(fsync=False) as cluster:
        cluster.ask("CREATE DATABASE games OWNER pbm")
        lay(tmp_path_factory.mktemp("begun") / "home", cluster.url("games"))
        cluster.stop()
        yield cluster.data


@pytest.fixture
def own(begun: Path) -> Iterator[Cluster]:
    """A cluster that the test may break, with these games."""
    with open_cluster(copied=begun, fsync=False) as cluster:
        yield cluster
