"""Connections over a network: TLS, and passwords from libpq's own files."""

import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import urlencode

import pytest

from pbm_holomino.errors import StoreTrouble
from pbm_holomino.store.postgres.store import PostgresStore
from tests.postgres.cluster import (
    ADMIN,
    POSTGRESQL,
    ROLE,
    Cluster,
    give_away,
    open_cluster,
    short_folder,
)
from tests.processes import wait_until

pytestmark = [POSTGRESQL, pytest.mark.needs("openssl")]

PASSWORD = "xanadu: 1"
RULES = f"""\
local all {ADMIN} trust
hostssl all {ROLE} 127.0.0.1/32 scram-sha-256
"""
ASKED = b"SELECT ssl, current_user::text FROM pg_stat_ssl WHERE pid = pg_backend_pid()"


def certify(folder: Path, name: str) -> Path:
    """A certificate for this host, signed by itself; its key is beside it."""
    words = "req -x509 -nodes -days 2 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1"
    words += f" -subj /CN={name} -addext subjectAltName=DNS:{name}"
    given = ["-out", f"{folder}/{name}.crt", "-keyout", f"{folder}/{name}.key"]
    subprocess.run(["openssl", *words.split(), *given], check=True, capture_output=True)
    for ending in ("crt", "key"):
        give_away(folder / f"{name}.{ending}")
    os.chmod(folder / f"{name}.key", 0o600)
    return folder / f"{name}.crt"


@pytest.fixture(scope="module")
def certificates() -> Iterator[dict[str, Path]]:
    """That of our server, and another one."""
    with short_folder() as folder:
        folder.chmod(0o755)
        yield {name: certify(folder, name) for name in ("localhost", "other")}


@pytest.fixture(scope="module")
def server(certificates: dict[str, Path]) -> Iterator[Cluster]:
    """A server that lets our role in by TLS and with its password only."""
    ours = certificates["localhost"]
    with open_cluster(
        fsync=False,
        tcp=True,
        ssl="on",
        ssl_cert_file=str(ours),
        ssl_key_file=str(ours.with_suffix(".key")),
    ) as server:
        server.ask(f"ALTER ROLE {ROLE} PASSWORD '{PASSWORD}'")
        server.ask(f"CREATE DATABASE club OWNER {ROLE}")
        (server.data / "pg_hba.conf").write_text(RULES)
        server.ask("SELECT pg_reload_conf()")
        loaded = "SELECT count(*) FROM pg_hba_file_rules"
        wait_until(lambda: server.ask(loaded) == [(2,)], "the rules", server.log)
        yield server


@pytest.fixture
def given(
    server: Cluster, certificates: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> dict[str, str]:
    """The settings that a connection needs, but for the password."""
    for name in ("PGPASSFILE", "PGSERVICEFILE"):
        monkeypatch.setenv(name, os.devnull)
    return {
        "host": "localhost",
        "hostaddr": "127.0.0.1",
        "port": str(server.port),
        "user": ROLE,
        "dbname": "club",
        "sslmode": "verify-full",
        "sslrootcert": str(certificates["localhost"]),
    }


@pytest.fixture
def passwords(server: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A .pgpass with the password, in which a colon is escaped."""
    path, escaped = tmp_path / "pgpass", PASSWORD.replace(":", r"\:")
    path.write_text(f"localhost:{server.port}:club:{ROLE}:{escaped}\n")
    path.chmod(0o600)
    monkeypatch.setenv("PGPASSFILE", str(path))
    return path


def connected(address: str) -> list[tuple[object, ...]]:
    """Whether a connection to the store at this address uses TLS, and its role."""
    with closing(PostgresStore(address)) as store:
        return store.ask(ASKED)


def refusal(given: dict[str, str]) -> str:
    """Why a connection cannot be made, in a sentence without the password."""
    with pytest.raises(StoreTrouble) as error:
        connected(url(given))
    said = str(error.value)
    assert re.fullmatch(r"The database cannot be reached: .*[^.]\.", said)
    assert PASSWORD not in said
    return said


def url(given: dict[str, str]) -> str:
    return f"postgresql://?{urlencode(given)}"


def test_a_password_from_pgpass_over_tls(
    given: dict[str, str], passwords: Path
) -> None:
    assert connected(url(given)) == [(True, ROLE)]


def test_a_pgpass_that_others_can_read_is_not_used(
    given: dict[str, str], passwords: Path
) -> None:
    passwords.chmod(0o644)
    assert "no password supplied" in refusal(given)


def test_a_password_from_a_service_file(
    given: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has all other settings, too."""
    services = tmp_path / "services"
    lines = [f"{key}={value}\n" for key, value in given.items()]
    services.write_text("".join(["[club]\n", *lines, f"password={PASSWORD}\n"]))
    monkeypatch.setenv("PGSERVICEFILE", str(services))
    assert connected("postgresql://?service=club") == [(True, ROLE)]
    monkeypatch.setenv("PGSERVICEFILE", os.devnull)
    with pytest.raises(StoreTrouble) as error:
        connected("postgresql://?service=club")
    assert 'definition of service "club" not found' in str(error.value)


def test_a_wrong_password(given: dict[str, str], passwords: Path) -> None:
    passwords.write_text("*:*:*:*:wrong\n")
    assert "password authentication failed" in refusal(given)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"sslrootcert": "other"}, "certificate verify failed"),
        ({"host": "127.0.0.1"}, "does not match host name"),
        ({"sslrootcert": "none"}, "root certificate file .* does not exist"),
        ({"sslmode": "disable"}, "no pg_hba.conf entry .* no encryption"),
    ],
    ids=["another", "another name", "no root", "no TLS"],
)
def test_a_server_that_cannot_be_trusted_is_not_used(
    given: dict[str, str],
    certificates: dict[str, Path],
    passwords: Path,
    changed: dict[str, str],
    said: str,
) -> None:
    if "sslrootcert" in changed:
        path = certificates.get(changed["sslrootcert"], Path("/nowhere.crt"))
        changed = {"sslrootcert": str(path)}
    assert re.search(said, refusal({**given, **changed}))
