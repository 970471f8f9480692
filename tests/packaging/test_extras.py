"""What setup.cfg requires: that it is enough, and how an owner hears of it."""

import ast
import json
import re
import subprocess
import sys
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from pbm_holomino import extras
from tests.packaging.declared import EXTRAS, SETTINGS, required
from tests.paths import ROOT
from tests.processes import PATIENCE

LIKE_A_LIBRARY = {"markupsafe": "jinja2"}  # which is made of it


def distribution(requirement: str) -> str:
    return plain(re.split(r"[\[<>=]", requirement)[0])


def plain(name: str) -> str:
    return name.lower().replace("_", "-")


def imported(folder: str) -> set[str]:
    """The libraries that the files in a folder import."""
    found = set()
    for path in (ROOT / folder).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                found |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                found.add(str(node.module).partition(".")[0])
    return found - {*sys.stdlib_module_names}


@pytest.mark.parametrize(
    ("folder", "extra"), [("pbm_holomino", "all"), ("tests", "test"), ("bin", "test")]
)
def test_what_is_imported_is_required(folder: str, extra: str) -> None:
    lines = [*SETTINGS["options"]["install_requires"].split(), *required(extra)]
    has = {distribution(line) for line in lines}
    by_module = packages_distributions()
    for module in imported(folder) & by_module.keys():
        names = {plain(LIKE_A_LIBRARY.get(n.lower(), n)) for n in by_module[module]}
        assert names & has, module


def test_all_is_every_extra_but_that_of_the_tests() -> None:
    others = EXTRAS.keys() - {"all", "test"}
    lines = [line for name in others for line in required(name)]
    assert sorted(required("all")) == sorted(lines)
    assert {*required("all")} <= {*required("test")}


# The line that installs an extra


@pytest.fixture
def prefix(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The environment of a package that was installed."""
    folder = tmp_path / "venvs/pbm-holomino"
    here = folder / "lib/python3/site-packages/pbm_holomino/extras.py"
    here.parent.mkdir(parents=True)
    monkeypatch.setattr(extras, "__file__", str(here))
    monkeypatch.setattr(sys, "prefix", str(folder))
    needed = ["click>=8.1", 'uvicorn<1,>=0.40; extra == "web"']
    needed += ["Jinja2<4,>=3.1 ; extra == 'web'", 'pytest; extra == "test"']
    monkeypatch.setattr("importlib.metadata.requires", lambda name: needed)
    return folder


def test_by_pip(prefix: Path) -> None:
    assert extras.line_for("web") == "pip install 'pbm_holomino[web]'"
    (prefix / "bin").mkdir()
    (prefix / "bin/pip").touch()
    expected = f"{prefix}/bin/pip install 'pbm_holomino[web]'"
    assert extras.line_for("web") == expected


def test_by_pipx(prefix: Path) -> None:
    (prefix / "pipx_metadata.json").write_text(json.dumps({}))
    expected = "pipx inject pbm-holomino 'uvicorn<1,>=0.40' 'Jinja2<4,>=3.1'"
    assert extras.line_for("web") == expected


@pytest.mark.parametrize(
    ("receipt", "expected"),
    [
        ('name = "pbm-holomino"', "'pbm-holomino[web]'"),
        (
            'name = "pbm-holomino", extras = ["mailbox"], directory = "/a b/c"',
            "'/a b/c[mailbox,web]'",
        ),
        (
            'name = "pbm-holomino", extras = ["web"], editable = "/home/pbm/c"',
            "'/home/pbm/c[web]'",
        ),
        (
            'name = "pbm-holomino", git = "https://example.org/pbm?rev=1"',
            "'pbm-holomino[web] @ git+https://example.org/pbm?rev=1'",
        ),
        ('name = "pbm-holomino" }, { name = "ruff"', "'pbm-holomino[web]' --with ruff"),
    ],
)
def test_by_uv(prefix: Path, receipt: str, expected: str) -> None:
    text = f"[tool]\nrequirements = [{{ {receipt} }}]\n"
    (prefix / "uv-receipt.toml").write_text(text)
    assert extras.line_for("web") == f"uv tool install {expected}"


def test_in_a_checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extras, "__file__", str(tmp_path / "pbm_holomino/extras.py"))
    for name in ("bin", ".venv/bin"):
        (tmp_path / name).mkdir(parents=True)
    for name in ("bin/hand_over.py", ".venv/bin/pip"):
        (tmp_path / name).touch()
    (tmp_path / "setup.cfg").write_bytes((ROOT / "setup.cfg").read_bytes())
    monkeypatch.setattr(sys, "prefix", str(tmp_path / ".venv"))
    expected = ".venv/bin/pip install 'resvg-py>=0.5'"
    assert extras.line_for("pictures") == expected


@pytest.mark.parametrize(
    ("words", "module", "extra"),
    [("web 0", "starlette", "web"), ("serve", "aiosmtpd", "serve")]
    + [("fetch", "imapclient", "mailbox"), ("list", "psycopg", "postgresql")]
    + [("tournament open holo swiss", "networkx", "tournament")],
)
def test_a_command_without_its_library_ends_with_that_line(
    tmp_path: Path, words: str, module: str, extra: str
) -> None:
    settings = "fetch: imaps://imap.example.org\nuser: pbm\n"
    if extra == "postgresql":
        settings += "store: postgresql://pbm@db.example.org/pbm\n"
    (tmp_path / "config.yaml").write_text(settings)
    lacking = (
        f"import sys; sys.modules[{module!r}] = None; from pbm_holomino import cli"
    )
    done = subprocess.run(
        [sys.executable, "-c", f"{lacking}; sys.exit(cli.main())", *words.split()],
        cwd=ROOT,
        env={"PBM_GAMES": str(tmp_path), "HOME": str(tmp_path)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode in (1, 75)
    assert done.stderr.splitlines()[-1].strip() == extras.line_for(extra)


def test_the_owners_page_has_the_line_for_pictures() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pbm_holomino", "help", "owner"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert f"\n  {extras.line_for('pictures')}\n" in done.stdout
