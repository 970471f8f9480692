"""The commands of a fresh checkout, and the set-up behind them.

Each test has a copy of the launcher; its program says only how it was called.
"""

import fcntl
import json
import os
import pty
import re
import shutil
import signal
import socket
import subprocess
import sys
import zipfile
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.paths import ROOT
from tests.processes import PATIENCE

PYTHON = os.path.realpath(getattr(sys, "_base_executable", sys.executable))
PROGRAM = """\
import json, os, sys

def main():
    print(called())

def called():
    found = dict(argv=sys.argv, cwd=os.getcwd(), prefix=sys.prefix, path=sys.path)
    return json.dumps(dict(found, read=sys.stdin.read()))

def printed(typed, open_server, owner):
    found = dict(json.loads(called()), typed=typed.words)
    return 0, "out", json.dumps(found).encode(), called
"""
TOOL = """\
import os, sys
print(*sys.argv[1:], flush=True)
exec(os.environ.get("DO", ""))
sys.exit(os.environ.get("FAIL") == "{}")
"""
# A venv in a tenth of the time: its pip is linked from another one.
QUICK_VENV = """\
import os, shutil, subprocess, sys
from pathlib import Path

def create(place, symlinks=True, with_pip=True, prompt=None):
    make = ["{python}", "-I", "-m", "venv", "--symlinks", "--without-pip", place]
    subprocess.run(make, check=True)
    (packages,) = Path(place).glob("lib/*/site-packages")
    for pip in Path("{packages}").glob("pip*"):
        shutil.copytree(pip, packages / pip.name, copy_function=os.link)

if __name__ == "__main__":
    create(sys.argv[1])
"""
RUNTIME = {"PyYAML": "yaml"}
RUNTIME |= {n: n for n in ["click", "openskill", "justhtml"]}
FOR_TESTS = {name: name for name in ["pytest", "hypothesis", "ruff", "mypy"]}
FOR_TESTS |= {"babel": "babel"}
FOR_TESTS |= {"types-PyYAML": "yaml-stubs", "aiosmtpd": "aiosmtpd"}
FOR_TESTS |= {"IMAPClient": "imapclient", "networkx": "networkx"}
FOR_TESTS |= {"pytest-xdist": "xdist", "resvg-py": "resvg_py", "psycopg": "psycopg"}
FOR_TESTS |= {"pytest-timeout": "pytest_timeout"}
FOR_TESTS |= {"setuptools": "setuptools", "Jinja2": "jinja2"}
FOR_TESTS |= {"cryptography": "cryptography"}
FOR_TESTS |= {name: name for name in ["h11", "starlette", "uvicorn", "playwright"]}
FOR_TESTS |= {"axe-playwright-python": "axe_playwright_python"}
# versions that setup.cfg allows
PINNED = {"openskill": "6.2.0", "aiosmtpd": "1.4.99", "justhtml": "3.99"}
PINNED |= {"psycopg": "3.99", "IMAPClient": "4.99", "Jinja2": "3.99"}
PINNED |= {"h11": "0.99", "starlette": "1.99", "uvicorn": "0.99"}
PINNED |= {"playwright": "1.99", "pytest": "9.1.99"}
PINNED |= {"axe-playwright-python": "0.99", "networkx": "3.99"}


def write_program(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)


def write_wheel(folder: Path, name: str, module: str, version: str = "") -> None:
    version = version or PINNED.get(name, "99")
    stem = f"{name.replace('-', '_')}-{version}"
    info = f"{stem}.dist-info"
    tag = "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    wheel = folder / f"{stem}-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr(f"{module}/__init__.py", "")
        archive.writestr(f"{module}/__main__.py", TOOL.format(module))
        told = f"Name: {name}\nVersion: {version}\nProvides-Extra: binary\n"
        archive.writestr(f"{info}/METADATA", told)
        archive.writestr(f"{info}/WHEEL", tag)
        archive.writestr(f"{info}/RECORD", "")


def write_modules(folder: Path) -> Path:
    for module in RUNTIME.values():
        (folder / module).mkdir(parents=True)
        (folder / module / "__init__.py").touch()
    return folder


def write_python(path: Path, **environment: str | Path) -> None:
    """Make a Python at `path` that has no packages but those of `environment`."""
    words = " ".join(f"{name}='{value}'" for name, value in environment.items())
    option = "" if environment.get("WITH_SITE") else "-S"
    write_program(path, f"#!/bin/sh\n{words} exec '{PYTHON}' {option} \"$@\"\n")


class Checkout:
    """A copy of the launcher at `root`, and the surroundings that it runs in."""

    def __init__(self, root, world, environment=None):
        self.root = root
        self.venv = root / ".venv"
        self.world = world
        self.environment = {
            "HOME": str(world / "home"),
            "PATH": f"{world}/bin:/usr/bin:/bin",
            "PIP_CONFIG_FILE": os.devnull,
            "PIP_FIND_LINKS": str(world / "wheels"),
            "PIP_NO_INDEX": "1",
            "PYTHONDONTWRITEBYTECODE": "1",
            **(environment or {}),
        }

    def start(self, *words, cwd=None, **environment):
        return subprocess.Popen(
            words,
            cwd=cwd or self.world,
            env=self.environment | environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def run(self, name, *words, cwd=None, **environment):
        process = self.start(self.root / "bin" / name, *words, cwd=cwd, **environment)
        out, err = process.communicate("a mail", timeout=PATIENCE)
        return process.returncode, out, err

    def call(self, name, *words, **environment):
        """Run what must succeed without a set-up; return how it was called."""
        status, out, err = self.run(name, *words, **environment)
        assert (status, err) == (0, "")
        return json.loads(out)


def copy_launcher(root: Path) -> None:
    without = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "bin", root / "bin", symlinks=True, ignore=without)
    write_program(root / "pbm_holomino/__init__.py", "")
    for name in ["server/inbox", "server/typed"]:
        write_program(root / f"pbm_holomino/{name}.py", PROGRAM)
    for name in ["server/open", "owner/__init__"]:
        write_program(root / f"pbm_holomino/{name}.py", "run = None")
    quick = ["cli", *(f"handover/{name}" for name in ("__init__", "mail", "shell"))]
    quick += ["mail/__init__", "mail/intake", "server/__init__", "server/wire"]
    quick += ["store/__init__", "store/location"]
    for name in ["setup.cfg", *(f"pbm_holomino/{name}.py" for name in quick)]:
        (root / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, root / name)


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    """A Python without packages, and an index of empty ones."""
    world = tmp_path_factory.mktemp("world")
    (world / "home").mkdir()
    (world / "wheels").mkdir()
    write_python(world / "bin/python3")
    for name, module in (RUNTIME | FOR_TESTS | {"novelty": "novelty"}).items():
        write_wheel(world / "wheels", name, module)
    return world


@pytest.fixture(scope="module")
def first_runs(world, tmp_path_factory):
    """A checkout, and what the first two runs in it said, which came at once."""
    root = tmp_path_factory.mktemp("first") / "a checkout"
    copy_launcher(root)
    checkout = Checkout(root, world)
    both = [checkout.start(root / "bin" / name, "a b") for name in ["holo", "pbm"]]
    yield checkout, [(p.communicate("", timeout=PATIENCE), p.returncode) for p in both]
    shutil.rmtree(root)


@pytest.fixture
def ready(first_runs):
    return first_runs[0]


@pytest.fixture
def quick(ready, tmp_path):
    (packages,) = ready.venv.glob("lib/*/site-packages")
    text = QUICK_VENV.format(python=PYTHON, packages=packages)
    write_program(tmp_path / "quick/venv.py", text)
    return {"PYTHONPATH": str(tmp_path / "quick")}


@pytest.fixture
def checkout(world, quick, tmp_path):
    """A fresh checkout."""
    copy_launcher(tmp_path / "a checkout")
    return Checkout(tmp_path / "a checkout", world, quick)


@pytest.fixture
def copied(ready, quick, tmp_path):
    """A checkout with an environment, of which a test may replace the files."""
    return copy_of(ready, tmp_path, quick)


@pytest.fixture(scope="module")
def first_paged(first_runs, tmp_path_factory):
    """A checkout to whose environment somebody has added a library, and then `pbm web`
    its extra."""
    made = copy_of(first_runs[0], tmp_path_factory.mktemp("paged"), {})
    assert "cryptography" not in installed(made)
    (packages,) = made.venv.glob("lib/*/site-packages")
    (packages / "mine.py").touch()
    status, _, err = made.run("pbm", "web")
    assert (status, err.count("\n")) == (0, 1)
    return made


@pytest.fixture
def paged(first_paged, tmp_path):
    """A copy of that."""
    return copy_of(first_paged, tmp_path, {})


def copy_of(ready, folder, environment):
    root = folder / "a checkout"
    shutil.copytree(ready.root, root, symlinks=True, copy_function=os.link)
    return Checkout(root, ready.world, environment)


def test_two_first_runs_at_once_set_up_once(first_runs):
    checkout, results = first_runs
    errors = "".join(err for (_, err), _ in results)
    assert errors == f"Setting up {checkout.venv} (once; needs the network) ...\n"
    assert [status for _, status in results] == [0, 0]
    assert "resvg_py" in installed(checkout)
    for (out, _), _ in results:
        called = json.loads(out)
        assert called["argv"][1:] == ["a b"]
        assert called["prefix"] == str(checkout.venv)


def test_without_a_library_for_pictures_all_else_is_set_up(checkout, tmp_path):
    wheels = tmp_path / "wheels"
    without = shutil.ignore_patterns("resvg*")
    shutil.copytree(checkout.world / "wheels", wheels, ignore=without)
    status, _, err = checkout.run("holo", PIP_FIND_LINKS=str(wheels))
    missing = "Letters have no pictures: resvg-py>=0.5 cannot be installed."
    assert (status, err.splitlines()[1:]) == (0, [missing])
    assert checkout.call("holo")["prefix"] == str(checkout.venv)


def test_with_the_pages_comes_what_tells_browsers_of_turns(first_paged):
    assert "cryptography" in installed(first_paged)


def test_each_command_gets_its_name_words_and_input(ready):
    called = ready.call("holo", "#12", "", "a  b")
    assert called["argv"] == [f"{ready.root}/bin/holo", "#12", "", "a  b"]
    assert called["typed"] == ["holo", "#12", "", "a  b"]
    assert called["read"] == "a mail"
    assert called["cwd"] == str(ready.world)
    assert ready.call("pbm-inbox")["argv"] == [f"{ready.root}/bin/pbm-inbox"]


def test_the_usual_way_needs_no_other_program(ready):
    called = ready.call("holo", PATH="/nowhere")
    assert called["prefix"] == str(ready.venv)
    process = ready.start("bin/holo", cwd=ready.root, PATH="/nowhere")
    out, err = process.communicate("a mail")
    assert err == ""
    assert json.loads(out) == called | {"cwd": str(ready.root)}


def test_only_the_checkout_goes_before_the_callers_pythonpath(ready, tmp_path):
    path = ready.call("holo", PYTHONPATH=str(tmp_path))["path"]
    assert path[:2] == [str(ready.root), str(tmp_path)]
    assert (
        path == ready.call("holo", PYTHONPATH=str(tmp_path), PYTHONSAFEPATH="1")["path"]
    )
    assert not {f"{ready.root}/bin", "", str(ready.world)} & set(path)


@pytest.mark.parametrize(
    ("folder", "word"),
    [
        ("a checkout", "bin/holo"),
        ("a checkout/bin", "./holo"),
        ("a checkout/more", "../bin/holo"),
        ("elsewhere", "holo"),
        ("elsewhere", "./holo"),
        ("elsewhere", "bin/holo"),
    ],
)
def test_it_is_called_from_anywhere(ready, folder, word):
    cwd = ready.root.parent / folder
    cwd.mkdir(exist_ok=True)
    for link, target in [("holo", "bin/holo"), ("bin", "bin")]:
        if folder == "elsewhere" and not (cwd / link).exists():
            (cwd / link).symlink_to(ready.root / target)
    path = f"{cwd}:{os.environ['PATH']}"
    process = ready.start("/bin/sh", "-c", f"exec '{word}'", cwd=cwd, PATH=path)
    out, err = process.communicate("")
    assert err == ""
    called = json.loads(out)
    assert called["argv"] == [f"{ready.root}/bin/holo"]
    assert called["cwd"] == str(cwd)
    assert os.path.realpath(called["prefix"]) == str(ready.venv)


@contextmanager
def setting_up_for_ever(checkout, name):
    """A command whose pip has begun, and waits; it is killed at the end."""
    with socket.create_server(("127.0.0.1", 0)) as index:
        index.settimeout(PATIENCE)
        url = f"http://127.0.0.1:{index.getsockname()[1]}/"
        words = {"PIP_NO_INDEX": "0", "PIP_INDEX_URL": url}
        process = checkout.start(checkout.root / "bin" / name, **words)
        with index.accept()[0]:
            yield process
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()


def test_an_interrupted_set_up_starts_again(checkout):
    with setting_up_for_ever(checkout, "holo") as process:
        process.kill()
        process.wait()
        assert_locked(Path(f"{checkout.venv}.lock"))
    assert not checkout.venv.exists()
    assert Path(f"{checkout.venv}.new").exists()
    status, out, err = checkout.run("pbm-inbox")
    assert (status, err.count("\n")) == (0, 1)
    assert json.loads(out)["read"] == "a mail"
    assert files_beside(checkout) == {".venv", ".venv.lock"}
    assert checkout.call("holo")["prefix"] == str(checkout.venv)


def files_beside(checkout):
    return {path.name for path in checkout.root.glob(".venv*")}


def assert_locked(path):
    with path.open() as file, pytest.raises(BlockingIOError):
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_a_changed_setup_cfg_installs_missing_packages(copied):
    (copied.venv / "rest").touch()
    require(copied, "novelty")
    # Older than the stamp, as a file out of an archive may be.
    os.utime(copied.root / "setup.cfg", (0, 0))
    status, _, err = copied.run("pbm", "serve")
    assert (status, err.count("\n")) == (0, 1)
    assert {"novelty", "aiosmtpd"} <= installed(copied)
    assert (copied.venv / "rest").exists()
    copied.call("holo")


# Other languages

MAKING = """\
import pathlib, sys
import babel
assert sys.argv[1:] == ["--make"]
languages = pathlib.Path(__file__).parents[1] / "pbm_holomino/languages"
for file in languages.glob("*/catalogue.po"):
    file.with_suffix(".mo").write_text(file.read_text())
"""


@pytest.fixture
def translated(copied):
    """A checkout of a version with a translation that no servers can read yet."""
    write_program(copied.root / "pbm_holomino/languages/de/catalogue.po", "Zug")
    program = copied.root / "bin/catalogues.py"
    program.unlink()
    program.write_text(MAKING)
    require(copied, "novelty")
    return copied


def catalogue(checkout):
    return checkout.root / "pbm_holomino/languages/de/catalogue.mo"


def test_catalogues_are_made_with_an_environment(translated):
    status, _, err = translated.run("holo")
    assert (status, err.count("\n")) == (0, 2)
    assert catalogue(translated).read_text() == "Zug"
    assert "babel" not in {path.name for path in translated.venv.rglob("*")}
    assert files_beside(translated) == {".venv", ".venv.lock"}
    translated.call("holo")
    require(translated, "novelty")  # what has been made is not made again
    catalogue(translated).write_text("made")
    translated.run("holo")
    assert catalogue(translated).read_text() == "made"


def test_a_catalogue_that_cannot_be_made_stops_no_command(translated, tmp_path):
    write_wheel(tmp_path, "novelty", "novelty")
    status, _, err = translated.run("holo", PIP_FIND_LINKS=str(tmp_path))
    assert (status, err.count("\n")) == (0, 3)
    assert "Players read English until that has been done: pip did not" in err
    assert not catalogue(translated).exists()
    assert files_beside(translated) == {".venv", ".venv.lock"}
    translated.call("holo")


# A build that fails takes nothing away


ALL_COMMANDS = ["holo", "pbm-inbox", "pbm"]


@pytest.fixture
def outdated(copied, tmp_path):
    """A checkout whose setup.cfg asks for a library that cannot be had now."""
    require(copied, "elsewhere")
    copied.environment["PIP_FIND_LINKS"] = str(tmp_path)
    return copied


def require(checkout, library):
    """Let setup.cfg ask for one more library."""
    rewrite_setup(checkout, "click>=8.1", f"click>=8.1\n    {library}")


def rewrite_setup(checkout, old, new):
    """Have other words in setup.cfg, which other checkouts share."""
    setup = checkout.root / "setup.cfg"
    text = setup.read_text()
    setup.unlink()
    setup.write_text(text.replace(old, new))


def end_pauses(checkout):
    """Let the last try have been long ago."""
    os.utime(f"{checkout.venv}.tried", (0, 0))


def write_counted_pip(checkout, tmp_path):
    """Have each run of pip leave a line in the file that this returns."""
    write_pip(checkout, f"print('pip', file=open({str(tmp_path / 'runs')!r}, 'a'))")
    (tmp_path / "runs").touch()
    return tmp_path / "runs"


def write_pip(checkout, begin):
    """Have each run of pip begin with this."""
    (pip,) = checkout.venv.glob("lib/*/site-packages/pip/__main__.py")
    text = pip.read_text().replace("from __future__", "# from __future__")
    pip.unlink()
    pip.write_text(f"{begin}\n{text}")


def fingerprint(folder):
    """What is in a folder: each file's inode, and when it was last changed."""
    files = [path for path in folder.rglob("*") if "__pycache__" not in path.parts]
    return {(path, path.lstat().st_ino, path.lstat().st_mtime_ns) for path in files}


def test_an_extra_that_cannot_be_installed_takes_nothing_away(copied, tmp_path):
    before = fingerprint(copied.venv)
    for _ in range(2):  # who types does not wait for a pause to end
        status, out, err = copied.run("pbm", "web", PIP_FIND_LINKS=str(tmp_path))
        told, sentence, rest = err.split("\n")
        assert (status, out, rest) == (75, "", "")
        assert told.startswith('Setting up the extra "web" in ')
        assert sentence.startswith("pbm: not set up: pip did not install ")
    assert fingerprint(copied.venv) == before
    assert files_beside(copied) == {".venv", ".venv.lock", ".venv.tried"}
    for name in ALL_COMMANDS:
        copied.call(name)
    assert copied.run("pbm", "web")[0] == 0
    assert files_beside(copied) == {".venv", ".venv.lock"}


def test_commands_go_on_with_the_old_environment_and_say_so_once(outdated, tmp_path):
    before = fingerprint(outdated.venv)
    runs = write_counted_pip(outdated, tmp_path)
    first = outdated.run("pbm-inbox")
    updating, sentence, rest = first[2].split("\n")
    assert (first[0], json.loads(first[1])["read"], rest) == (0, "a mail", "")
    assert updating.startswith(f"Updating {outdated.venv}, because setup.cfg has ")
    assert sentence.startswith("pbm-inbox: going on with the old libraries, ")
    assert "; PIP_NO_INDEX is set, which keeps it from the network (" in sentence
    assert "No matching distribution found for elsewhere" in sentence
    assert sentence.endswith(f'"rm {outdated.venv}.tried".')
    for name in ALL_COMMANDS * 2:
        outdated.call(name)
    assert runs.read_text() == "pip\n"
    changed = fingerprint(outdated.venv) ^ before
    assert {path.name for path, *_ in changed} <= {"pip", "__main__.py"}


def test_after_the_pause_it_is_tried_again(outdated, tmp_path):
    runs = write_counted_pip(outdated, tmp_path)
    outdated.run("holo")
    end_pauses(outdated)
    status, _, err = outdated.run("pbm-inbox")
    assert (status, err.count("\n"), runs.read_text()) == (0, 2, "pip\n" * 2)
    write_wheel(tmp_path, "elsewhere", "elsewhere")
    outdated.call("holo")
    end_pauses(outdated)
    status, _, err = outdated.run("pbm-inbox")
    assert (status, err.count("\n"), runs.read_text()) == (0, 1, "pip\n" * 3)
    assert "elsewhere" in installed(outdated)
    for name in ALL_COMMANDS:
        outdated.call(name)


def test_a_terminal_hears_of_it_each_time(outdated):
    outdated.run("holo")
    ours, theirs = pty.openpty()
    process = subprocess.run(
        [outdated.root / "bin/holo"],
        env=outdated.environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=theirs,
        timeout=PATIENCE,
        check=False,
    )
    os.close(theirs)
    assert process.returncode == 0
    assert b"holo: going on with the old libraries" in os.read(ours, 1 << 16)
    os.close(ours)


def test_a_try_that_is_killed_counts_as_one(outdated):
    with setting_up_for_ever(outdated, "pbm-inbox"):
        for name in ALL_COMMANDS:
            outdated.call(name)
    for name in ALL_COMMANDS:
        outdated.call(name)


def test_an_extra_that_is_there_is_used_whatever_setup_cfg_asks_for(paged, tmp_path):
    require(paged, "elsewhere")
    status, out, err = paged.run("pbm", "web", PIP_FIND_LINKS=str(tmp_path))
    assert (status, json.loads(out)["typed"]) == (0, ["pbm", "web"])
    assert "going on with the old libraries" in err
    status, out, err = paged.run("pbm", "serve", PIP_FIND_LINKS=str(tmp_path))
    assert (status, out) == (75, "")  # which is not


def test_a_setup_cfg_that_requires_the_same_needs_no_build(paged, tmp_path):
    runs = write_counted_pip(paged, tmp_path)
    rewrite_setup(paged, "strict = True", "strict = False")
    for words in (["holo"], ["pbm-inbox"], ["pbm", "web"]):
        paged.call(*words)
    assert runs.read_text() == ""


def test_extras_whose_requirements_are_the_same_are_kept(paged):
    assert paged.run("pbm", "serve")[0] == 0
    rewrite_setup(paged, "aiosmtpd>=1.4.6", "aiosmtpd>=1.4.7")
    for words in (["holo"], ["pbm-inbox"], ["pbm", "web"]):
        paged.call(*words)
    status, _, err = paged.run("pbm", "serve")
    assert (status, err.count("\n")) == (0, 1)
    assert err.startswith('Setting up the extra "serve" in ')


def test_scripts_of_an_environment_name_the_place_where_it_is(first_paged):
    assert b".venv.new" not in (first_paged.venv / "pyvenv.cfg").read_bytes()
    for script in (first_paged.venv / "bin").iterdir():
        if not script.is_symlink():
            assert b".venv.new" not in script.read_bytes()


def test_a_library_that_somebody_added_is_still_there(first_paged):
    assert "mine.py" in installed(first_paged)


def test_an_environment_is_put_back_if_switching_was_interrupted(copied):
    copied.venv.rename(f"{copied.venv}.old")
    status, out, err = copied.run("pbm-inbox")
    assert (status, err) == (0, "")
    assert json.loads(out)["prefix"] == str(copied.venv)
    assert files_beside(copied) == {".venv", ".venv.lock"}


@pytest.mark.parametrize("is_there", [True, False])
def test_environments_change_places_where_the_system_has_no_call_for_it(
    tmp_path, monkeypatch, is_there
):
    monkeypatch.syspath_prepend(ROOT / "bin")
    import set_up

    monkeypatch.setattr(set_up, "exchanged", lambda one, other: False)
    new, venv = tmp_path / ".venv.new", tmp_path / ".venv"
    for folder in [new, venv][: 1 + is_there]:
        folder.mkdir()
        (folder / "name").write_text(folder.name)
    set_up.switch(str(new), str(venv))
    assert (venv / "name").read_text() == ".venv.new"
    assert [*tmp_path.iterdir()] == [venv]


@pytest.mark.parametrize(
    "words",
    ["pbm web --help", "pbm serve -help", "pbm tournament", "pbm tournament 3"]
    + ["pbm tournament open holo robin", "pbm run", "pbm fetch", "pbm demo"]
    + ["pbm demo --play", "pbm tick", "pbm status", "pbm help web", "holo web"],
)
def test_a_command_that_needs_no_extra_waits_for_none(ready, words, tmp_path):
    settings = "address: pbm@example.org\nfetch: maildir:~/Maildir\n"
    (tmp_path / "config.yaml").write_text(settings)
    ready.call(*words.split(), PBM_GAMES=str(tmp_path), PIP_FIND_LINKS=str(tmp_path))


@pytest.mark.parametrize(
    ("words", "extra"),
    [("pbm tournament open holo SWISS", "tournament"), ("pbm demo --web", "web")]
    + [("pbm demo holo -web", "web"), ("pbm run", "mailbox"), ("pbm fetch", "mailbox")],
)
def test_a_command_that_needs_an_extra_says_which(copied, words, extra, tmp_path):
    (tmp_path / "config.yaml").write_text("fetch: imaps://imap.example.org\n")
    write_pip(copied, "raise SystemExit(1)")
    status, _, err = copied.run(*words.split(), PBM_GAMES=str(tmp_path))
    assert status == 75
    assert err.startswith(f'Setting up the extra "{extra}" in ')


def test_a_first_run_names_its_extras(checkout, tmp_path):
    (tmp_path / "config.yaml").write_text("fetch: imaps://imap.example.org\n")
    given = {"PBM_GAMES": str(tmp_path)}
    status, _, err = checkout.run("pbm", "run", "2480", **given)
    extras = 'the extras "mailbox" and "web"'
    told = f"Setting up {checkout.venv} with {extras} (once; needs the network) ...\n"
    assert (status, err) == (0, told)


def test_an_environment_keeps_the_extras_that_it_has(copied):
    extras = {"serve": "serve", "setup": "mailbox"}
    modules = {"serve": "aiosmtpd", "setup": "imapclient"}
    for word, extra in extras.items():
        status, _, err = copied.run("pbm", word)
        told = f'Setting up the extra "{extra}" in {copied.venv} (once; '
        assert (status, err) == (0, f"{told}needs the network) ...\n")
        assert modules[word] in installed(copied)
    for word in extras:
        copied.call("pbm", word)


@pytest.mark.parametrize("where", ["PBM_GAMES", "checkout", "here"])
def test_a_store_in_a_database_needs_its_driver(copied, tmp_path, where):
    """Any command installs it, once."""
    homes = {"checkout": copied.root / "games", "here": tmp_path / "games"}
    home = homes.get(where, tmp_path / "home")
    home.mkdir(exist_ok=True)
    store = "store: postgresql://pbm@db.example.org/pbm\n"
    (home / "config.yaml").write_text(f"address: pbm@example.org\n{store}")
    given = {"PBM_GAMES": str(home)} if where == "PBM_GAMES" else {}
    status, _, err = copied.run("holo", "a b", cwd=tmp_path, **given)
    assert (status, err.count("\n")) == (0, 1)
    assert installed(copied) >= {"psycopg"}
    assert "aiosmtpd" not in installed(copied)
    assert copied.call("pbm-inbox", cwd=tmp_path, **given)["read"] == "a mail"


@pytest.mark.parametrize(
    "settings",
    ["", "domain: postgresql://x\n", "# store: postgresql://x\n", "store: games\n"],
)
def test_other_stores_need_none(ready, tmp_path, settings):
    (tmp_path / "config.yaml").write_text(settings)
    ready.call("holo", PBM_GAMES=str(tmp_path))
    assert "psycopg" not in installed(ready)


def test_a_copy_to_a_database_needs_its_driver(copied):
    copied.call("pbm", "copy", "games", "games2")
    status, _, err = copied.run("pbm", "copy", "games", "postgresql://pbm@db/pbm")
    assert (status, err.count("\n")) == (0, 1)
    assert installed(copied) >= {"psycopg"}


def installed(checkout):
    return {path.name.lower() for path in checkout.venv.glob("lib/*/*/*")}


def test_an_environment_of_another_python_is_rebuilt(copied):
    stamp = copied.venv / "pbm-stamp"
    right = stamp.read_text()
    stamp.unlink()
    stamp.write_text(f"3.1 {right.split()[1]}\n")
    (copied.venv / "rest").touch()
    status, _, err = copied.run("holo")
    assert (status, err.count("\n")) == (0, 1)
    assert stamp.read_text() == right
    assert not (copied.venv / "rest").exists()
    assert files_beside(copied) == {".venv", ".venv.lock"}


def test_a_hand_made_environment_is_used_if_it_has_the_packages(copied):
    (copied.venv / "pbm-stamp").unlink()
    assert copied.call("holo")["prefix"] == str(copied.venv)
    assert not (copied.venv / "pbm-stamp").exists()
    (click,) = copied.venv.glob("lib/*/site-packages/click")
    shutil.rmtree(click)
    status, out, err = copied.run("holo")
    assert (status, err.count("\n")) == (0, 1)
    assert json.loads(out)["prefix"] == str(copied.venv)
    assert click.exists()


def test_a_read_only_checkout_is_set_up_in_the_cache(checkout, tmp_path):
    prefix = []
    if os.geteuid() == 0:  # whom permissions bind only without capabilities
        setpriv = shutil.which("setpriv")
        assert setpriv, "root needs setpriv for this"
        prefix = [setpriv, "--bounding-set=-all", "--inh-caps=-all"]
    cache = tmp_path / "a cache"
    command = [*prefix, checkout.root / "bin/holo"]
    checkout.root.chmod(0o555)
    try:
        first = checkout.start(*command, XDG_CACHE_HOME=str(cache))
        out, err = first.communicate("", timeout=PATIENCE)
        again = checkout.start(*command, XDG_CACHE_HOME=str(cache), PATH="/nowhere")
        assert again.communicate("") == (out, "")
    finally:
        checkout.root.chmod(0o755)
    assert err.startswith("Setting up")
    assert json.loads(out)["prefix"] == f"{cache}/pbm_holomino{checkout.root}/.venv"
    assert not list(checkout.root.glob(".venv*"))


def test_the_present_python_runs_it_if_it_has_the_packages(checkout, tmp_path):
    modules = write_modules(tmp_path / "modules")
    write_python(tmp_path / "bin/python3", PYTHONPATH=modules)
    called = checkout.call("holo", PATH=f"{tmp_path}/bin")
    assert called["path"][:2] == [str(checkout.root), str(modules)]
    assert not list(checkout.root.glob(".venv*"))


def test_without_venv_it_says_what_to_install(checkout, tmp_path):
    write_program(tmp_path / "modules/ensurepip.py", "raise ImportError")
    write_python(tmp_path / "bin/python3", PYTHONPATH=tmp_path / "modules")
    status, out, err = checkout.run("pbm-inbox", PATH=f"{tmp_path}/bin")
    assert (status, out, err.count("\n")) == (75, "", 1)
    assert "install python3-venv" in err
    assert not checkout.venv.exists()


def test_without_the_packages_to_be_had_it_says_so(checkout, tmp_path):
    status, out, err = checkout.run("pbm-inbox", PIP_FIND_LINKS=str(tmp_path))
    _, sentence, rest = err.split("\n")
    assert (status, out, rest) == (75, "", "")
    assert "No matching distribution found for click>=8.1" in sentence
    assert files_beside(checkout) == {".venv.lock", ".venv.tried"}
    again = checkout.run("pbm-inbox", PYTHONPATH="")  # it would take long
    assert again == (75, "", f"{sentence}\n")
    assert checkout.run("holo")[0] == 0  # who types does not wait


@pytest.mark.parametrize("name", ["holo", "pbm-inbox", "check"])
def test_without_python_it_says_what_to_install(checkout, name):
    status, out, err = checkout.run(name, PATH="/nowhere")
    assert (status, out, err.count("\n")) == (75, "", 1)
    assert "install python3" in err


@pytest.mark.parametrize("has_newer", [True, False])
def test_an_old_python3_gives_way_to_a_newer(checkout, tmp_path, has_newer):
    old = "import sys; sys.version_info = (3, 9, 2)"
    write_program(tmp_path / "old/sitecustomize.py", old)
    python3 = tmp_path / "bin/python3"
    write_python(python3, PYTHONPATH=tmp_path / "old", WITH_SITE="1")
    # As a version manager has it whose newest version is not the chosen one.
    write_program(tmp_path / "bin/python3.13", "#!/bin/sh\necho no such >&2; exit 127")
    if has_newer:
        modules = write_modules(tmp_path / "modules")
        write_python(tmp_path / "bin/python3.12", PYTHONPATH=modules)
        called = checkout.call("holo", "a b", PATH=f"{tmp_path}/bin")
        assert called["argv"][1:] == ["a b"]
        python3.unlink()
        (tmp_path / "bin/python3.13").unlink()
        assert checkout.call("holo", "a b", PATH=f"{tmp_path}/bin") == called
    else:
        status, out, err = checkout.run("holo", PATH=f"{tmp_path}/bin")
        assert (status, out, err.count("\n")) == (75, "", 1)
        assert "Python 3.11 or newer" in err


def test_check_adds_the_tests_packages_and_runs_every_stage(copied):
    status, out, err = copied.run("check", "--full")
    assert (status, err.count("\n")) == (0, 1)
    stages = [line.split()[1] for line in out.splitlines() if line.startswith("==")]
    assert stages == ["ruff", "ruff", "mypy", "pytest", "pytest"]
    assert out.count(" --full\n") == 2
    copied.call("pbm", "serve")
    status, out, err = copied.run("check", FAIL="mypy")
    assert (status, err) == (1, "== mypy failed ==\n")
    assert "pytest" not in out
    write_program(copied.root / "tests/bench/__main__.py", TOOL.format("bench"))
    assert copied.run("bench", "move") == (0, "move\n", "")


# What bin/check leaves: each of its tools does this, and pytest also makes folders.

LITTER = """
import tempfile
tempfile.mkdtemp()
open(os.path.expanduser("~/litter"), "w").close()
made = [w.partition("=")[2] for w in sys.argv if w.startswith("--basetemp=")]
is_new = made and not os.path.exists(made[0])
for folder, size in (("small", 1), ("large", 101 << 20)) if is_new else ():
    os.makedirs(f"{made[0]}/popen-gw0/{folder}/locked")
    with open(f"{made[0]}/popen-gw0/{folder}/locked/file", "w") as file:
        file.truncate(size)
    os.chmod(f"{made[0]}/popen-gw0/{folder}/locked", 0o500)
"""


@pytest.fixture(scope="module")
def checked(first_runs, tmp_path_factory):
    """A checkout where bin/check has been run once."""
    made = copy_of(first_runs[0], tmp_path_factory.mktemp("checked"), {})
    assert made.run("check")[0] == 0
    return made


@pytest.mark.parametrize("words", [["-k", "a b"], ["bin"], ["bin::test", "-x"]])
def test_check_runs_the_tests_alone_that_are_chosen(checked, words):
    status, out, err = checked.run("check", *words)
    assert (status, err) == (0, "")
    stage, said = out.splitlines()
    assert stage.startswith("== pytest ")
    assert said.endswith(f" {' '.join(words)}")


@pytest.fixture
def littered(checked, tmp_path):
    """A copy of that, with a home and a TMPDIR of its own."""
    for name in ("home", "tmp"):
        (tmp_path / name).mkdir()
    environment = {
        "HOME": str(tmp_path / "home"),
        "TMPDIR": str(tmp_path / "tmp"),
        "XDG_CACHE_HOME": str(tmp_path / "home/cache"),
    }
    return copy_of(checked, tmp_path, environment)


def left(tmp_path):
    return [*(tmp_path / "home").iterdir(), *(tmp_path / "tmp").iterdir()]


@pytest.mark.parametrize("tool", ["", "ruff", "mypy"])
def test_check_leaves_nothing(littered, tmp_path, tool):
    status, _, _ = littered.run("check", DO=LITTER, FAIL=tool)
    assert status == bool(tool)
    assert left(tmp_path) == []


def test_check_keeps_a_little_of_the_tests_that_failed_last(littered, tmp_path):
    kept = tmp_path / f"tmp/pbm-failed-{os.getuid()}"
    for number in "12":
        litter = LITTER.replace("small", f"small{number}")
        status, _, err = littered.run("check", DO=litter, FAIL="pytest")
        assert status == 1
        assert err.endswith(f"What tests that failed have left is in {kept}.\n")
        assert left(tmp_path) == [kept]
        assert [path.name for path in kept.iterdir()] == [f"popen-gw0-small{number}"]
    assert littered.run("check", DO=LITTER)[0] == 0
    assert left(tmp_path) == [kept]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_check_leaves_nothing_when_it_is_interrupted(littered, tmp_path, number):
    wait = f"{LITTER}\nimport time"
    wait += "\ntry:\n print('waiting', flush=True); time.sleep(60)"
    wait += "\nfinally: print('cleaned up', flush=True)"
    check = littered.start(littered.root / "bin/check", DO=wait)
    assert check.stdout.readline().startswith("==")
    while check.stdout.readline() != "waiting\n":
        pass
    check.send_signal(number)
    out, _ = check.communicate(timeout=PATIENCE)
    assert check.returncode == 128 + number
    assert out == "cleaned up\n"  # no other stage was begun
    assert left(tmp_path) == []


def test_the_quick_part_is_run_with_the_lowest_versions_by_any_python(
    littered, quick, tmp_path
):
    config = (littered.root / "setup.cfg").read_text()
    bounds = re.findall(r"^    ([\w-]+)(?:\[\w+\])?>=([\w.]+)", config, re.MULTILINE)
    (tmp_path / "lowest").mkdir()
    for name, version in bounds:
        write_wheel(tmp_path / "lowest", name, FOR_TESTS.get(name, name), version)
    show = "from importlib.metadata import version as v"
    show += "\nprint('in', sys.prefix, 'with', v('click'), v('starlette'))"
    links = f"{tmp_path}/lowest {littered.environment['PIP_FIND_LINKS']}"
    write_program(tmp_path / "python", f"#!/bin/sh\nexec '{PYTHON}' \"$@\"\n")
    words = ["--lowest", f"--python={tmp_path}/python", "-k", "a b"]
    given = quick | {"DO": show, "PIP_FIND_LINKS": links}
    status, out, err = littered.run("check", *words, **given)
    assert (status, err) == (0, "")
    (told,) = [line for line in out.splitlines() if line.startswith("in ")]
    assert re.fullmatch(rf"in {tmp_path}/tmp/pbm-\w+/venv with 8\.1 1\.0\.1", told)
    assert " -k a b\n" in out
    assert "== ruff" not in out
    assert left(tmp_path) == []
    status, out, err = littered.run("check", "--lowest", DO=show, **quick)
    assert status == 1  # pip finds none of them
    assert "== pip failed ==" in err


def test_the_python_that_runs_every_test_is_not_another_one(checked):
    same = checked.run("check", f"--python={PYTHON}")
    assert same == (0, f"{PYTHON} is the Python that runs every test.\n", "")


def test_the_quick_part_is_part_of_the_tests(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "bin")
    from develop import QUICK

    assert all((ROOT / path.partition("::")[0]).exists() for path in QUICK)
    assert len({*QUICK}) == len(QUICK)


@pytest.mark.parametrize("name", ["holo", "pbm-inbox"])
def test_a_module_that_cannot_be_read_ends_in_a_sentence(copied, name):
    for module in ("cli", "handover/mail"):
        (copied.root / f"pbm_holomino/{module}.py").unlink()
    status, out, err = copied.run(name)
    assert (status, out, err.count("\n")) == (75, "", 1)
    assert err.startswith(f"{name}: ")
