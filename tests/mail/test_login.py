"""The password of the mailbox: where it comes from, and who may read it."""

import os
import ssl
import time
from pathlib import Path
from typing import Any

import pytest

from pbm_holomino.errors import StoreTrouble
from pbm_holomino.mail import login
from pbm_holomino.store.config import Config
from pbm_holomino.store.home import Home

SECRET = "s3cr\xe9t word"


def home(folder: Path, **settings: Any) -> Home:
    return Home(str(folder), Config(user="me@example.org", **settings))


def secret(path: Path, content: bytes, mode: int = 0o600) -> str:
    path.write_bytes(content)
    path.chmod(mode)
    return str(path)


@pytest.mark.parametrize("content", ["{}", "{}\n", "{}\r\n", "{}\nuser: me\n"])
def test_the_first_line_of_a_file_is_the_password(tmp_path: Path, content: str) -> None:
    path = secret(tmp_path / "pw", content.format(SECRET).encode())
    assert login.password(home(tmp_path, password_file=path)) == SECRET
    assert login.password(home(tmp_path, password_file="pw")) == SECRET


def test_a_home_folder_in_a_path(tmp_path: Path, monkeypatch) -> None:
    secret(tmp_path / "pw", b"abcd\n")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert login.password(home(tmp_path / "games", password_file="~/pw")) == "abcd"


@pytest.mark.parametrize("mode", [0o604, 0o640, 0o620, 0o666, 0o601])
def test_a_file_that_others_can_read_is_refused(tmp_path: Path, mode: int) -> None:
    path = secret(tmp_path / "pw", SECRET.encode(), mode)
    with pytest.raises(StoreTrouble, match=f'"chmod 600 {path}"') as error:
        login.password(home(tmp_path, password_file=path))
    assert SECRET not in str(error.value)


@pytest.mark.parametrize("mode", [0o600, 0o400, 0o700])
def test_a_file_that_only_its_owner_can_read(tmp_path: Path, mode: int) -> None:
    path = secret(tmp_path / "pw", b"abcd\n", mode)
    assert login.password(home(tmp_path, password_file=path)) == "abcd"


@pytest.mark.parametrize(
    "name", ["missing", "folder", "pipe", "empty", "latin", "a\0b"]
)
def test_a_file_without_a_password(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe", 0o600)
    secret(tmp_path / "empty", b"\nabcd\n")
    secret(tmp_path / "latin", b"s3cr\xe9t\n")
    with pytest.raises(StoreTrouble, match="password_file") as error:
        login.password(home(tmp_path, password_file=name))
    assert "s3cr" not in str(error.value)


@pytest.mark.parametrize(
    "command",
    ["echo 's3cret'", "printf 's3cret\\r\\nmore'", "echo s3cret; echo more >&2"],
)
def test_a_command_prints_the_password(tmp_path: Path, command: str) -> None:
    assert login.password(home(tmp_path, password_command=command)) == "s3cret"


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("echo s3cret; echo s3cret >&2; exit 3", "failed with 3"),
        ("exec /s3cret/missing", "failed with 127"),
        ("true s3cret", "is not a password"),
        ("printf 's3cr\\351t\\n'", "is not UTF-8"),
    ],
)
def test_an_error_of_a_command_does_not_hold_the_secret(
    tmp_path: Path, command: str, said: str
) -> None:
    with pytest.raises(StoreTrouble, match=f"password_command.*{said}") as error:
        login.password(home(tmp_path, password_command=command))
    assert "s3cr" not in str(error.value)


def test_a_command_that_hangs_is_ended(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(login, "_PATIENCE", 0.3)
    begun = time.monotonic()
    with pytest.raises(StoreTrouble, match=r"no answer in 0\.3 seconds"):
        login.password(home(tmp_path, password_command="echo s3cret; sleep 1000"))
    assert time.monotonic() - begun < 60


def test_without_a_password(tmp_path: Path) -> None:
    with pytest.raises(StoreTrouble, match="password_file"):
        login.password(home(tmp_path))


def test_a_token_has_the_form_of_xoauth2() -> None:
    """The example in the documentation of the mechanism."""
    assert login.xoauth2("someuser@example.com", "ya29.vF9dft4qmTc2Nvb3RlckBhdHR") == (
        b"user=someuser@example.com\x01"
        b"auth=Bearer ya29.vF9dft4qmTc2Nvb3RlckBhdHR\x01\x01"
    )


def test_certificates_are_checked(tmp_path: Path) -> None:
    context = login.tls(home(tmp_path))
    assert context.verify_mode == ssl.CERT_REQUIRED
    assert context.check_hostname
    for file in ("missing", "empty"):
        secret(tmp_path / "empty", b"")
        with pytest.raises(StoreTrouble, match="tls_ca_file"):
            login.tls(home(tmp_path, tls_ca_file=file))
