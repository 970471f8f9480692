"""Tables that are made, or made those of a newer version, while the connection is
lost."""

from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple

import pytest

from pbm_holomino.errors import StoreTrouble
from pbm_holomino.store.postgres import schema
from tests.postgres.cluster import POSTGRESQL, Cluster, address
from tests.postgres.proxy import Proxy, Rule, Verdict, at, passing
from tests.postgres.scene import Machine
from tests.processes import wait_until
from tests.sizes import some

pytestmark = POSTGRESQL

# What the tables of the next version have, as if there were one.
STEP = (b"CREATE TABLE pbm.more (no int)", b"INSERT INTO pbm.more VALUES (1)")


class Trial(NamedTuple):
    """What is left of a migration that began in an empty database: the version of the
    tables, and how many rows the last step has made; and the messages it took."""

    version: int
    rows: int
    messages: int


def trial(cluster: Cluster, proxy: Proxy, folder: Path, rule: Rule) -> Trial:
    """Migrate while messages are treated so, and once more without trouble."""
    proxy.recount(passing)
    with (
        cluster.database() as name,
        closing(Machine(folder, address(name, proxy.folder))) as machine,
    ):
        proxy.recount(rule)
        with suppress(StoreTrouble):
            machine.store.upgrade()
        wait_until(lambda: not cluster.backends(name), "the end of the migration")
        left = Trial(*state(cluster, name), len(proxy.seen))
        proxy.recount(passing)
        machine.store.upgrade()
        assert state(cluster, name) == (schema.CURRENT, 1)
        machine.type("signup alice xanadu alice@example.org")
    return left


def state(cluster: Cluster, database: str) -> tuple[int, int]:
    """The version of the tables, 0 if there are none, and the rows of the last step."""

    def found(column: str, table: str) -> int:
        there = f"SELECT to_regclass('{table}') IS NOT NULL"
        if cluster.ask(there, database=database) == [(False,)]:
            return 0
        ((value,),) = cluster.ask(f"SELECT {column} FROM {table}", database=database)
        return int(value)

    return found("version", "pbm.store"), found("count(*)", "pbm.more")


@pytest.mark.parametrize("verdict", [Verdict.CUT_BEFORE, Verdict.CUT_AFTER])
def test_a_migration_that_is_killed(
    cluster: Cluster,
    proxy: Proxy,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    verdict: Verdict,
) -> None:
    """Of the two steps that there are to go, one is done as a whole, or both or none;
    and the next try goes on."""
    newest = schema.CURRENT + 1
    monkeypatch.setattr(schema, "STEPS", (*schema.STEPS, STEP))
    monkeypatch.setattr(schema, "CURRENT", newest)
    whole = trial(cluster, proxy, tmp_path / "whole", passing)
    assert whole[:2] == (newest, 1)
    left = set()
    for number in some(range(1, whole.messages + 1), 5):
        found = trial(cluster, proxy, tmp_path / str(number), at(number, verdict))
        assert found.rows == (found.version == newest)
        left.add(found.version)
    assert left == set(range(newest + 1))
