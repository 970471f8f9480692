"""What pip makes of a source archive of this checkout: the wheel, the commands, the
files beside them, and the store of a server that was installed."""

import configparser
import gettext
import json
import os
import re
import stat
import subprocess
import sys
import zipfile
from email.parser import HeaderParser
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

import click
import pytest

from pbm_holomino import __version__, rules
from pbm_holomino.owner import manual
from tests.packaging.shipped import copy_shipped, shipped
from tests.paths import ROOT
from tests.processes import PATIENCE, send
from tests.resident.desk import mail

EPOCH = "1700000000"
_BUILD = "import setuptools.build_meta as b; b.build_{}('..')"
# A small and telling part of the tests: sources, a figure, a transcript, the examples,
# and what is packaged. (The commands in bin/ would set up an environment of their own.)
TESTS = [
    "tests/test_rooms.py::test_each_room_exists",
    "tests/draw/test_small_figures.py",
]
TESTS += ["tests/store/test_shipped_matches.py::test_an_example_is_shown"]
TESTS += ["tests/mail/test_transcripts.py::test_transcript[03-move]"]
TESTS += ["tests/packaging/test_samples.py", "tests/packaging/test_containerfile.py"]


LANGUAGES = Path("pbm_holomino/languages")
CATALOGUE = """\
msgid ""
msgstr ""
"POT-Creation-Date: 2026-11-20 08:00+0000\\n"
"PO-Revision-Date: 2026-11-20 08:00+0000\\n"
"Content-Type: text/plain; charset=utf-8\\n"

msgid "Cancel"
msgstr "Nuligi"
"""


class Installed(NamedTuple):
    """The source archive, packed and unpacked; the wheel that was made there; and the
    prefix that the wheel was installed to."""

    archive: Path
    source: Path
    wheel: Path
    prefix: Path

    def run(
        self, home: Path, *words: str, **environment: str
    ) -> "subprocess.CompletedProcess[str]":
        """Run a command as it was installed, for an account with this home."""
        return subprocess.run(
            [self.prefix / "bin" / words[0], *words[1:]],
            cwd=home,
            env={"HOME": str(home), "PATH": os.defpath, **environment},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    folder = tmp_path_factory.mktemp("packaging")
    archive, source, wheel = _archives(folder)
    prefix = folder / "venv"
    _python("-m", "venv", "--without-pip", prefix, cwd=folder)
    install = [
        "-m",
        "pip",
        "--python",
        str(prefix),
        "install",
        "--no-deps",
        "--no-index",
    ]
    _python(*install, "--quiet", wheel, cwd=folder)
    # what the package requires is what runs these tests
    (packages,) = prefix.glob("lib/*/site-packages")
    needed = Path(click.__file__).parent.parent
    (packages / "needed.pth").write_text(f"{needed}\n")
    return Installed(archive, source, wheel, prefix)


def _archives(folder: Path) -> tuple[Path, Path, Path]:
    """The two archives of a copy of this checkout that has one more language, made in a
    folder as RELEASING says, and between them the first one unpacked."""
    checkout = copy_shipped(folder / "checkout")
    language = checkout / LANGUAGES / "eo"
    (language / "help").mkdir(parents=True)
    (language / "catalogue.po").write_text(CATALOGUE)
    (language / "help/move.txt").write_text("@ 00000000\nmovi\n")
    _python("-c", _BUILD.format("sdist"), cwd=checkout)
    (archive,) = folder.glob("*.tar.gz")
    # tarfile's own filters are younger than Debian 12's Python
    subprocess.run(["tar", "-xzf", archive], cwd=folder, check=True)
    (source,) = folder.glob("pbm_holomino-*/")
    _python("-c", _BUILD.format("wheel"), cwd=source)
    (wheel,) = folder.glob("*.whl")
    return archive, source, wheel


def _python(*words: str | Path, cwd: Path) -> str:
    done = subprocess.run(
        [sys.executable, *words],
        cwd=cwd,
        env={**os.environ, "SOURCE_DATE_EPOCH": EPOCH},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


# The archives


def test_the_source_archive_holds_the_whole_checkout(installed: Installed) -> None:
    for path in shipped():
        if path == Path("setup.cfg"):  # setuptools formats it
            continue
        copy = installed.source / path
        assert copy.read_bytes() == (ROOT / path).read_bytes(), path
        assert copy.stat().st_mode & 0o100 == (ROOT / path).stat().st_mode & 0o100


def test_the_source_archive_passes_its_own_tests(installed: Installed) -> None:
    words = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
    told = _python(*words, *TESTS, cwd=installed.source)
    assert " passed" in told
    assert str(ROOT) not in told


def test_the_wheel_holds_the_whole_package(installed: Installed) -> None:
    with zipfile.ZipFile(installed.wheel) as packed:
        names = {*packed.namelist()}
    ours = {str(path) for path in shipped() if path.parts[0] == "pbm_holomino"}
    ours |= {f"{LANGUAGES}/eo/{name}" for name in ("catalogue.po", "help/move.txt")}
    ours = {re.sub(r"\.po$", ".mo", path) for path in ours}
    assert ours == {name for name in names if name.startswith("pbm_holomino/")}
    with zipfile.ZipFile(installed.wheel) as packed:
        made = BytesIO(packed.read(f"{LANGUAGES}/eo/catalogue.mo"))
    assert gettext.GNUTranslations(made).gettext("Cancel") == "Nuligi"


def test_what_the_package_says_of_itself(installed: Installed) -> None:
    with zipfile.ZipFile(installed.wheel) as packed:
        (name,) = (n for n in packed.namelist() if n.endswith("/METADATA"))
        told = HeaderParser().parsestr(packed.read(name).decode())
    assert told["Version"] == __version__
    assert told["License-Expression"] == "MIT"
    assert told["Requires-Python"] == ">=3.11"
    settings = configparser.ConfigParser()
    settings.read(ROOT / "setup.cfg")
    extras = settings["options.extras_require"]
    assert told.get_all("Provides-Extra") == [*extras]
    required = [line.partition(";")[0] for line in told.get_all("Requires-Dist", [])]
    wanted = settings["options"]["install_requires"].split()
    wanted += [line for extra in extras.values() for line in extra.split()]
    assert [_parts(line) for line in required] == [_parts(line) for line in wanted]


def _parts(requirement: str) -> set[str]:
    """A library, its extras and the limits of its versions, which come in any order."""
    return {*re.findall(r"[<>=]+[\w.]+|[\w-]+", requirement)}


def test_whoever_makes_the_archives_makes_the_same(
    installed: Installed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In another folder, at another time, in another zone, by an account whose files
    nobody else may read."""
    monkeypatch.setenv("TZ", "Pacific/Auckland")
    monkeypatch.setenv("LANG", "C")
    before = os.umask(0o077)
    try:
        (tmp_path / "elsewhere").mkdir()
        archive, source, wheel = _archives(tmp_path / "elsewhere")
    finally:
        os.umask(before)
    assert archive.read_bytes() == installed.archive.read_bytes()
    assert wheel.read_bytes() == installed.wheel.read_bytes()
    with zipfile.ZipFile(wheel) as packed:
        times = {entry.date_time for entry in packed.infolist()}
    assert times == {(2023, 11, 14, 22, 13, 20)}
    assert (source / "README").stat().st_mtime == int(EPOCH)


def test_the_sbom_lists_what_the_wheel_declares(installed: Installed) -> None:
    with zipfile.ZipFile(installed.wheel) as packed:
        (name,) = (n for n in packed.namelist() if n.endswith(".cdx.json"))
        text = packed.read(name)
        metadata = packed.read(name.replace("sboms/pbm_holomino.cdx.json", "METADATA"))
    assert (installed.source / "pbm_holomino.cdx.json").read_bytes() == text
    told = json.loads(text)
    libraries = told["components"]
    listed = {(p["name"], p["value"]) for one in libraries for p in one["properties"]}
    declared = HeaderParser().parsestr(metadata.decode()).get_all("Requires-Dist", [])
    needs = (line.partition("; extra == ") for line in declared)
    assert listed == {
        (f"requires[{extra[1:-1]}]" if extra else "requires", need)
        for need, _, extra in needs
        if not need.startswith("pbm_holomino[")
    }
    scopes = {one["name"]: one["scope"] for one in libraries}
    assert {scopes[n] for n in ("click", "PyYAML", "openskill", "justhtml")} == {
        "required"
    }
    assert (scopes["networkx"], scopes["pytest"]) == ("optional", "excluded")


def test_the_sbom_is_one_of_cyclonedx(installed: Installed) -> None:
    """What its schema asks for; and each reference is to something that is there."""
    told = json.loads((installed.source / "pbm_holomino.cdx.json").read_text())
    assert (told["bomFormat"], told["specVersion"]) == ("CycloneDX", "1.6")
    serial = r"urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
    assert re.fullmatch(serial, told["serialNumber"])
    assert told["metadata"]["timestamp"] == "2023-11-14T22:13:20Z"
    us, libraries = told["metadata"]["component"], told["components"]
    assert (us["name"], us["version"]) == ("pbm_holomino", __version__)
    refs = [one["bom-ref"] for one in (us, *libraries)]
    assert len({*refs}) == len(refs)
    first, *others = told["dependencies"]
    assert [first["ref"], *(one["ref"] for one in others)] == refs
    run_time = [one["bom-ref"] for one in libraries if one["scope"] != "excluded"]
    assert first["dependsOn"] == run_time


# The commands


def test_every_command_is_installed(installed: Installed, tmp_path: Path) -> None:
    for name in ("pbm", *rules.names()):
        done = installed.run(tmp_path, name, "--version")
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout == f"pbm_holomino {__version__}\n"
    done = installed.run(tmp_path, "python", "-m", "pbm_holomino", "--version")
    assert done.stdout == f"pbm_holomino {__version__}\n"
    assert list(tmp_path.iterdir()) == []


def test_the_store_is_among_the_accounts_data(
    installed: Installed, tmp_path: Path
) -> None:
    """It is made by the first signup, and nobody else may look into it."""
    done = installed.run(tmp_path, "holo", "games")
    assert (done.returncode, list(tmp_path.iterdir())) == (0, []), done.stderr
    done = installed.run(tmp_path, "pbm", "signup", "alice", "secret", "a@example.org")
    assert done.returncode == 0, done.stderr
    store = tmp_path / ".local/share/pbm_holomino"
    assert (store / "players/alice.yaml").is_file()
    assert stat.S_IMODE(store.stat().st_mode) == 0o700
    assert installed.run(tmp_path, "pbm", "list").stdout.count("alice") == 1
    elsewhere = {"XDG_DATA_HOME": str(tmp_path / "data")}
    done = installed.run(tmp_path, "pbm", "list", **elsewhere)
    assert "alice" not in done.stdout


def test_a_mail_to_a_server_that_was_installed(
    installed: Installed, tmp_path: Path
) -> None:
    inbox = [installed.prefix / "bin/pbm-inbox"]
    done = subprocess.run(
        inbox,
        input=mail("alice", "signup alice secret", "m1"),
        env={"HOME": str(tmp_path), "PATH": os.defpath},
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    store = tmp_path / ".local/share/pbm_holomino"
    (letter,) = (store / "outbox").glob("*.eml")
    assert "Welcome, alice!" in letter.read_text()


def test_a_server_that_stays_makes_its_store(
    installed: Installed, tmp_path: Path
) -> None:
    serve = subprocess.Popen(
        [installed.prefix / "bin/pbm", "serve"],
        env={"HOME": str(tmp_path), "PATH": os.defpath},
        cwd=tmp_path,
        stdout=subprocess.PIPE,
    )
    try:
        assert serve.stdout is not None
        assert serve.stdout.readline().startswith(b"Serving")
        door = tmp_path / ".local/share/pbm_holomino/lmtp"
        assert send(str(door), mail("alice", "help", "m1"))[0] == 250
        assert stat.S_IMODE(door.parent.stat().st_mode) == 0o700
    finally:
        serve.terminate()
        serve.communicate(timeout=PATIENCE)
        assert serve.returncode == 0


def test_samples_name_the_commands_that_were_installed(
    installed: Installed, tmp_path: Path
) -> None:
    def sample(name: str, **environment: str) -> str:
        done = installed.run(tmp_path, "pbm", "sample", name, **environment)
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    commands = f"{installed.prefix}/bin"
    assert f"\n| {commands}/pbm-inbox || exit 75\n" in sample("procmailrc")
    named = sample("cron", PBM_GAMES="/srv/games")
    assert f"/usr/bin/env PBM_GAMES=/srv/games {commands}/pbm tick" in named


# The files beside them


def test_files_are_where_other_programs_look(installed: Installed) -> None:
    files = manual.shared_files()
    for path, text in files.items():
        assert (installed.prefix / path).read_text() == text
    for name in ("README", "CHANGELOG", "SECURITY.md"):
        copy = installed.prefix / "share/doc/pbm_holomino" / name
        assert copy.read_bytes() == (ROOT / name).read_bytes()


def test_bash_finds_how_to_complete(installed: Installed, tmp_path: Path) -> None:
    ask = (
        '. "$1"; COMP_WORDS=(holo mo) COMP_CWORD=1; _holo_completion holo;'
        ' echo "${COMPREPLY[@]}"'
    )
    script = installed.prefix / "share/bash-completion/completions/holo"
    done = subprocess.run(
        ["bash", "--norc", "-c", ask, "bash", script],
        env={"HOME": str(tmp_path), "PATH": f"{installed.prefix}/bin:{os.defpath}"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert (done.stdout, done.stderr) == ("move\n", "")
