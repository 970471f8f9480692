"""The owner's settings."""

from pathlib import Path
from typing import Any

import pytest

from pbm_holomino.errors import StoreTrouble
from pbm_holomino.server.open import open_server
from pbm_holomino.store import yaml
from pbm_holomino.store.config import Config, edited, from_data
from pbm_holomino.store.home import Home


def test_without_a_file_letters_go_to_the_outbox() -> None:
    config = from_data(None)
    assert config == Config()
    assert (config.send, config.answers_per_hour) == ("outbox", 60)


@pytest.mark.parametrize(
    ("key", "word", "value"),
    [
        ("address", "games@example.org", "games@example.org"),
        ("name", "The Hex Club", "The Hex Club"),
        ("name", "", ""),
        ("send", "sendmail", "sendmail"),
        ("send", "smtp", "smtp"),
        ("sendmail", "/opt/bin/sendmail", "/opt/bin/sendmail"),
        ("smtp", "mail.example.org:587", "mail.example.org:587"),
        ("smtp", "[::1]:25", "[::1]:25"),
        ("owner", "root@example.org", "root@example.org"),
        ("owner", "", ""),
        ("wait", "0", 0),
        ("wait", "30", 30),
        ("wait", "86400", 86_400),
        ("answers_per_hour", "5", 5),
        ("answers_per_hour", "100000", 100_000),
        ("robot_seconds", "0", 0.0),
        ("robot_seconds", "0.125", 0.125),
        ("robot_seconds", "60", 60.0),
        ("rated_robots", "yes", "yes"),
        ("answers_per_hour", "1000000", 1_000_000),
        ("signups_per_hour", "0", 0),
        ("signups", "open", "open"),
        ("signups", "closed", "closed"),
        ("user", "me@example.org", "me@example.org"),
        ("auth", "xoauth2", "xoauth2"),
        ("password_file", "~/.pbm-password", "~/.pbm-password"),
        ("password_command", "pass show pbm", "pass show pbm"),
        ("tls", "starttls", "starttls"),
        ("tls", "implicit", "implicit"),
        ("tls", "no", "no"),
        ("tls_ca_file", "/etc/ssl/ours.pem", "/etc/ssl/ours.pem"),
        ("envelope", "games@example.org", "games@example.org"),
        ("envelope", "games+@example.org", "games+@example.org"),
        ("letters_per_day", "500", 500),
    ],
)
def test_one_key_changes_one_setting(key: str, word: str, value: Any) -> None:
    assert from_data({key: word}) == Config()._replace(**{key: value})


@pytest.mark.parametrize(
    ("smtp", "host", "port"),
    [
        ("localhost:25", "localhost", 25),
        ("mail.example.org", "mail.example.org", 25),
        ("mail.example.org:587", "mail.example.org", 587),
        ("127.0.0.1:1025", "127.0.0.1", 1025),
        ("[::1]", "::1", 25),
        ("[2001:db8::7]:2525", "2001:db8::7", 2525),
    ],
)
@pytest.mark.parametrize("line", ["smtp: {}", "smtp:  {}   # ours", 'smtp: "{}"'])
def test_the_host_and_the_port_of_smtp(
    tmp_path: Path, line: str, smtp: str, host: str, port: int
) -> None:
    """Also in brackets, which begin a list in YAML."""
    config = config_of(tmp_path, f"send: smtp\n{line.format(smtp)}\nwait: 3\n")
    assert (config.smtp, config.wait) == (smtp, 3)
    assert config.smtp_server == (host, port)


@pytest.mark.parametrize(
    ("settings", "tls", "logs_in"),
    [
        # without a user it is as in 1.0
        ({}, "no", False),
        ({"smtp": "mail.example.org:587"}, "no", False),
        ({"smtp": "mail.example.org:465"}, "no", False),
        ({"user": "me", "smtp": "mail.example.org:587"}, "starttls", True),
        ({"user": "me", "smtp": "mail.example.org:465"}, "implicit", True),
        # mail comes from a provider, and leaves by a server of one's own
        ({"user": "me"}, "no", False),
        ({"user": "me", "smtp": "mail.example.org:2525"}, "no", False),
        ({"user": "me", "smtp": "[::1]:2525", "tls": "starttls"}, "starttls", True),
        ({"user": "me", "smtp": "a.example:587", "tls": "implicit"}, "implicit", True),
        ({"user": "me", "smtp": "a.example:587", "tls": "no"}, "no", False),
        ({"tls": "starttls"}, "starttls", False),
    ],
)
def test_who_logs_in_and_over_which_tls(
    settings: dict[str, str], tls: str, logs_in: bool
) -> None:
    config = from_data(settings)
    assert (config.smtp_tls, config.logs_in) == (tls, logs_in)


def test_the_domain_is_that_of_the_address() -> None:
    assert from_data({"address": "games@example.org"}).domain == "example.org"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ("outbox", "one key"),
        (["send"], "one key"),
        ({"adress": "games@example.org"}, "'adress'.*address, name, owner, send"),
        ({"Send": "outbox"}, "'Send'"),
        ({"send": "carrier pigeon"}, "carrier pigeon"),
        ({"send": ""}, "send"),
        ({"send": ["outbox"]}, "send"),
        ({"wait": "soon"}, "wait.*'soon'"),
        ({"wait": "-1"}, "wait"),
        ({"wait": "1.5"}, "wait"),
        ({"wait": "\u0661"}, "wait"),
        ({"wait": "9" * 400}, "wait"),
        ({"answers_per_hour": {"max": "5"}}, "answers_per_hour"),
        ({"wait": "86401"}, "wait must be a number from 0 to 86400, not '86401'"),
        ({"answers_per_hour": "1000001"}, "from 0 to 1000000,"),
        ({"robot_seconds": "60.1"}, "a number from 0 to 60, such as 0.2, not '60.1'"),
        ({"robot_seconds": "-1"}, "a number from 0 to 60"),
        ({"robot_seconds": "1e3"}, "a number from 0 to 60"),
        ({"rated_robots": "maybe"}, "rated_robots must be yes or no"),
        ({"signups_per_hour": "many"}, "from 0 to 1000000, not 'many'"),
        ({"smtp": "::1"}, r"\[::1\]:port for .* not '::1'"),
        ({"smtp": "[::1"}, "smtp"),
        ({"smtp": "[::1]25"}, "smtp"),
        ({"smtp": "localhost:"}, "smtp"),
        ({"smtp": "localhost:0"}, "from 1 to 65535"),
        ({"smtp": "localhost:65536"}, "from 1 to 65535"),
        ({"tls": "ssl"}, "tls must be implicit, starttls or no, not 'ssl'"),
        ({"tls": "yes"}, "tls must be .*'yes'"),
        ({"auth": "plain"}, "auth must be password or xoauth2, not 'plain'"),
        ({"send": "lmtp"}, "send must be outbox, sendmail or smtp, not 'lmtp'"),
        ({"envelope": "<>"}, "envelope must be a mail address .*'<>'"),
        ({"letters_per_day": "none"}, "letters_per_day must be a number from 0"),
        ({"password": "s3cret"}, "no key 'password'.*password_file"),
        ({"password_file": "x", "password_command": "y"}, "take out the one"),
        ({"owner": "root"}, "owner must be a mail address .*'root'"),
        ({"name": "x" * 61}, "name must be at most 60 characters long"),
        ({"name": "Games\nBcc: c@d"}, "name must be one line"),
        ({"name": "Games\u2028"}, "name must be one line"),
        ({"name": ["Games"]}, "name must be one line"),
        ({"address": ""}, "address must be one word"),
        ({"address": "games"}, "address"),
        ({"address": "a@b@c"}, "address"),
        ({"address": "a@b\nBcc: c@d"}, "address"),
    ],
)
def test_an_error_names_the_key_and_the_word(data: Any, said: str) -> None:
    with pytest.raises(StoreTrouble, match=said) as refused:
        from_data(data)
    assert "config.yaml" in str(refused.value)
    assert refused.value.status == 75


def config_of(folder: Path, text: str) -> Config:
    (folder / "config.yaml").write_text(text)
    return Home(str(folder)).config


def test_the_file_is_read(tmp_path: Path) -> None:
    assert Home(str(tmp_path)).config == Config()
    text = "# ours\naddress: games@example.org   # the sender of all letters\nwait: 3\n"
    wanted = Config(address="games@example.org", wait=3)
    assert config_of(tmp_path, text) == wanted


@pytest.mark.parametrize("text", ["", "# send: sendmail\n", "\n\n"])
def test_a_file_without_keys_means_the_defaults(tmp_path: Path, text: str) -> None:
    assert config_of(tmp_path, text) == Config()


@pytest.mark.parametrize(
    "text", ["send: outbox\nsend: smtp\n", "send: [", "send:outbox"]
)
def test_a_damaged_file_is_named(tmp_path: Path, text: str) -> None:
    with pytest.raises(StoreTrouble, match=r"\bconfig\.yaml"):
        config_of(tmp_path, text)


def test_how_long_a_command_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBM_GAMES", str(tmp_path))
    assert open_server()[0].store.patience == 10
    (tmp_path / "config.yaml").write_text("wait: 3\n")
    assert open_server()[0].store.patience == 3


def test_the_owner_is_not_the_server() -> None:
    with pytest.raises(StoreTrouble, match="would write to itself"):
        from_data({"address": "pbm@x.org", "owner": "PBM@x.org"})
    assert from_data({"address": "pbm@x.org", "owner": "a@x.org"}).owner


# Settings that are changed


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"", b"name: Hexes\nwait: 5\n"),
        (b"wait: 10\n", b"wait: 5\nname: Hexes\n"),
        (
            b"# A\n\nname: x  # y\nlog: /l",
            b"# A\n\nname: Hexes  # y\nlog: /l\nwait: 5\n",
        ),
        (b"name:\nwait: 10 # s", b"name: Hexes\nwait: 5 # s\n"),
        (b"name:           # a\n", b"name: Hexes # a\nwait: 5\n"),
        (b"name: 'a # b' # c\n", b"name: Hexes # c\nwait: 5\n"),
        (b"smtp: [::1]:25\n", b"smtp: [::1]:25\nname: Hexes\nwait: 5\n"),
        (b"unknown: 1\n", b"unknown: 1\nname: Hexes\nwait: 5\n"),
        (b"wait: 1#0\n", b"wait: 5\nname: Hexes\n"),
    ],
)
def test_settings_are_changed_and_the_rest_stays(before: bytes, after: bytes) -> None:
    assert edited(before, {"name": "Hexes", "wait": "5"}) == after


@pytest.mark.parametrize(
    "before", [b"{name: x, log: /l}\n", b"name: >\n  a\n  b\nlog: /l\n"]
)
def test_settings_in_an_unusual_form_are_written_anew(before: bytes) -> None:
    """With the same values."""
    new = edited(before, {"name": "Hexes"})
    assert yaml.load(new) == {"name": "Hexes", "log": "/l"}


def test_a_text_that_cannot_be_read_is_not_changed() -> None:
    with pytest.raises(ValueError, match="line 2"):
        edited(b"a: 1\na: 2\n", {"name": "Hexes"})
