"""`pbm sample`: the files for other programs, and the paths in them."""

import os
import pwd
import re
import subprocess
from pathlib import Path

import pytest

from pbm_holomino import owner
from pbm_holomino.commands.params import SAMPLES
from pbm_holomino.errors import BadCommand, NotAllowed
from pbm_holomino.owner import help as pages
from pbm_holomino.owner import sample
from pbm_holomino.owner.sample import Installation
from pbm_holomino.store import config
from pbm_holomino.store.config import Config
from tests.paths import ROOT
from tests.processes import run

FOLDER = ROOT / "pbm_holomino/owner/samples"
LINKS = {"procmailrc": "procmailrc", "pbm.cron": "cron"}
LINKS |= {"pbm.service": "service", "pbm-smtp.conf": "smtp.conf"}
LINKS |= {"pbm.socket": "socket", "pbm-run.service": "run"}
LINKS |= {"pbm-tick.service": "tick", "pbm-tick.timer": "timer"}
LINKS |= {"pbm-web.service": "web"}
SHIPPED = Installation(
    programs="/home/pbm/pbm_holomino/bin/",
    store="/home/pbm/pbm_holomino/games",
    paths="/home/pbm",
    home="/home/pbm",
    account="pbm",
    address="pbm@games.example.net",
)
OTHER = Installation("/opt/b/", "/srv/g", "/h /srv/g", "/h", "eve", "g@example.com")
OWN = f"{ROOT}/bin/pbm-inbox"


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store that PBM_GAMES names, for an account whose home is elsewhere."""
    monkeypatch.setenv("PBM_GAMES", str(tmp_path / "games"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return tmp_path / "games"


def printed(name: str) -> str:
    answer = owner.run(["sample", name])
    assert answer.status == 0
    return answer.text


def test_the_list_names_every_sample() -> None:
    lines = owner.run(["sample"]).text.splitlines()
    assert [line.split()[0] for line in lines] == [*SAMPLES]
    assert all(len(line.split()) > 2 for line in lines)
    assert {*SAMPLES} == {path.name for path in FOLDER.iterdir()}


def test_another_name_is_refused() -> None:
    with pytest.raises(BadCommand, match='There is no sample "procmail": .*procmailrc'):
        owner.run(["sample", "procmail"])


@pytest.mark.parametrize("name", SAMPLES)
def test_what_is_shipped_is_right_for_the_place_that_readme_makes(name: str) -> None:
    text = sample.text(name).replace("$HOME/pbm_holomino", "/home/pbm/pbm_holomino")
    assert sample.filled(text, SHIPPED) == text
    lines = text.splitlines()
    assert all(len(line) <= 88 for line in lines)
    said = ("# ", '  "description": "')
    assert any(line.startswith(said) and ": " in line for line in lines[:2])


def test_the_settings_fit_a_terminal() -> None:
    """They hold no paths of this place, which may be long."""
    assert max(map(len, printed("config").splitlines())) <= 80


@pytest.mark.parametrize("name", SAMPLES)
def test_nothing_is_left_of_that_place_elsewhere(name: str) -> None:
    text = sample.filled(sample.text(name), OTHER)
    for word in ("/home/pbm", "$HOME/pbm_holomino", "games.example.net"):
        assert word not in text
    assert not re.search(r"(?i)user ?= ?pbm\b|= pbm }", text)


def test_each_thing_that_differs() -> None:
    lines = {
        "forward": "\"|/bin/sh -c '/opt/b/pbm-inbox || exit 75'\"",
        "procmailrc": "| /opt/b/pbm-inbox || exit 75",
        "maildrop": 'to "|/opt/b/pbm-inbox || exit 75"',
        "cron": "7 * * * *     /opt/b/pbm tick >/dev/null",
        "service": "BindPaths=/h /srv/g",
        "smtp.conf": "ReadWritePaths=/h /srv/g",
        "socket": "ListenStream=/srv/g/lmtp",
        "run": "ExecStart=/opt/b/pbm run",
        "web": "ExecStart=/opt/b/pbm web 2480",
        "tick": "ExecStart=/opt/b/pbm tick",
        "exim": "  user = eve",
        "opensmtpd": '    virtual { "@" = eve }',
        "fetchmail": '    mda "/opt/b/pbm-inbox || exit 75"',
        "getmail": 'arguments = ("-c", "/opt/b/pbm-inbox || exit 75")',
    }
    for name, line in lines.items():
        assert line in sample.filled(sample.text(name), OTHER).splitlines()
    unit = sample.filled(sample.text("service"), OTHER).splitlines()
    assert "User=eve" in unit
    assert "ExecStart=/opt/b/pbm serve 127.0.0.1:2400" in unit
    assert "SocketUser=eve" in sample.filled(sample.text("socket"), OTHER)


def test_the_checkouts_own_store_needs_no_more_words(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PBM_GAMES")
    assert f"\n| {OWN} || exit 75\n" in printed("procmailrc")


def test_another_store_is_named(store: Path) -> None:
    named = f"/usr/bin/env PBM_GAMES={store} {OWN}"
    assert f"\n| {named} || exit 75\n" in printed("procmailrc")
    unit = printed("service").splitlines()
    assert f"BindPaths={store.parent}/home {store}" in unit
    assert f"User={pwd.getpwuid(os.geteuid()).pw_name}" in unit


def test_the_servers_own_address(store: Path) -> None:
    store.mkdir()
    (store / "config.yaml").write_text("address: play@club.example\n")
    assert '"play@club.example"' in printed("opensmtpd")


def test_a_path_that_would_need_quotes_is_refused(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBM_GAMES", f"{store}/our games")
    with pytest.raises(NotAllowed, match="our games.*make a link"):
        printed("cron")


def test_nothing_is_written(store: Path) -> None:
    done = run(store, "pbm", "sample", "forward")
    assert (done.status, done.err) == (0, "")
    assert done.out.splitlines()[-1].startswith('"|/bin/sh -c ')
    assert not store.exists()


def test_the_checkout_has_them_where_they_have_always_been() -> None:
    for link, name in LINKS.items():
        assert (ROOT / "bin" / link).read_text() == sample.text(name)


def test_the_settings_are_the_defaults() -> None:
    """Every setting is there, in order; a server with this file is one without it."""
    text = sample.text("config")
    assert re.findall(r"(?m)^(\w+):", text) == [*Config._fields]
    assert config.from_text(text.encode("ascii")) == Config()


def test_the_page_on_delivery_names_the_ways_in() -> None:
    told = " ".join(pages.page("delivery").split())
    named = set(re.findall(r"pbm sample ([a-z.]+)", told.replace('."', '"')))
    assert named <= {*SAMPLES}
    elsewhere = {"config", "sudoers", "alerts", "dashboard", "web"}
    assert named == {*SAMPLES} - elsewhere


def test_the_program_for_sieve_is_a_script() -> None:
    subprocess.run(["sh", "-n", FOLDER / "sieve"], check=True)
    assert sample.text("sieve").startswith("#!/bin/sh\n# ")
