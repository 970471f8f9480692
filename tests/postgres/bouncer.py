"""pgbouncer in front of a server: each transaction may get another connection."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from tests import needs
from tests.postgres.cluster import (
    PORT,
    ROLE,
    Cluster,
    address,
    give_away,
    ordinary_user,
    short_folder,
)
from tests.processes import PATIENCE, wait_until

BOUNCER = pytest.mark.needs("postgresql", "pgbouncer")

_SETTINGS = """\
[databases]
* = host={server} port={server_port}

[pgbouncer]
unix_socket_dir = {folder}
listen_port = {port}
auth_type = trust
auth_file = {folder}/users
pool_mode = transaction
default_pool_size = {connections}
admin_users = {role}
"""


@contextmanager
def open_bouncer(cluster: Cluster, connections: int = 2) -> Iterator[Path]:
    """The folder of a pgbouncer's socket. However many clients there are, they share
    so many connections to a database. It is as strict as Debian ships it: it refuses
    connections that bring settings of their own."""
    with short_folder() as folder:
        text = _SETTINGS.format(
            server=cluster.folder,
            server_port=cluster.port,
            folder=folder,
            port=PORT,
            connections=connections,
            role=ROLE,
        )
        for name, content in {"users": f'"{ROLE}" ""\n', "settings": text}.items():
            (folder / name).write_text(content)
            give_away(folder / name)
        with (folder / "log").open("wb") as log:
            process = subprocess.Popen(
                [str(needs.find("pgbouncer")), str(folder / "settings")],
                **ordinary_user(),
                cwd="/",
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        try:
            said = (folder / "log").read_text
            wait_until(lambda: _answers(folder), "a pgbouncer that answers", said)
            yield folder
        finally:
            process.terminate()
            process.wait(PATIENCE)


def _answers(folder: Path) -> bool:
    try:  # pgbouncer's own console; it knows no BEGIN
        psycopg.connect(address("pgbouncer", folder), autocommit=True).close()
    except psycopg.OperationalError:
        return False
    return True
