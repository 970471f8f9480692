"""What the Containerfile says; test_containers.py builds it."""

import re
from collections.abc import Iterator
from typing import Any

import yaml

from pbm_holomino.commands import table
from pbm_holomino.owner import help as pages
from tests.packaging.shipped import shipped
from tests.paths import ROOT

TEXT = (ROOT / "Containerfile").read_text().replace("\\\n", " ")
LINES = [line for line in TEXT.splitlines() if line and not line.startswith("#")]
INSTRUCTIONS = [(line.split()[0], line.split(maxsplit=1)[1]) for line in LINES]


def stage(name: str) -> list[tuple[str, str]]:
    """The instructions of a target, with those of the stages that it is made from."""
    found: list[tuple[str, str]] = []
    current = ""
    for instruction in INSTRUCTIONS:
        if instruction[0] == "FROM":
            base, _, current = instruction[1].split()
            if current == name:
                found = stage(base)
        elif current == name:
            found.append(instruction)
    return found


def test_any_base_will_do() -> None:
    assert re.match(r"ARG BASE=\S+\n", "\n".join(LINES))
    bases = [i[1].split()[0] for i in INSTRUCTIONS if i[0] == "FROM"]
    assert {*bases} == {"${BASE}", "debian", "pbm"}


def test_each_target_runs_a_command_of_the_owner() -> None:
    for name in ("serve", "run", "web"):
        instructions = dict(stage(name))
        assert instructions["ENTRYPOINT"] == '["pbm"]'
        assert instructions["CMD"].startswith(f'["{name}"')
        assert instructions["USER"] == "pbm"
        assert instructions["VOLUME"] == "/games"
        assert "PBM_GAMES=/games" in instructions["ENV"]
        assert name in table.owners()


def test_a_store_never_gets_into_an_image() -> None:
    """Nothing goes in but what is named, and this is what setup.cfg needs."""
    first, *rest = [
        line
        for line in (ROOT / ".containerignore").read_text().splitlines()
        if not line.startswith("#")
    ]
    assert first == "*"
    named = {line[1:] for line in rest if line.startswith("!")}
    ours = {path.parts[0] for path in shipped()} | {*map(str, shipped())}
    assert named <= ours
    assert "games" not in named
    assert {"pbm_holomino", "setup.cfg", "setup.py", "pyproject.toml"} <= named


def composed() -> Iterator[tuple[str, dict[str, Any]]]:
    """Each service of the files in containers/, by its name."""
    for path in sorted((ROOT / "containers").glob("*/compose.yaml")):
        yield from yaml.safe_load(path.read_text())["services"].items()


def test_each_target_is_in_a_compose_file() -> None:
    built = {s["build"]["target"] for _, s in composed() if "build" in s}
    assert built == {"run", "serve", "web", "database", "proxy"}


def test_every_container_is_closed_and_looked_after() -> None:
    """Its root cannot be written, it has no rights, and those that stay say whether
    they are well. What one reads from its surroundings is written `$$` in such a file.
    """
    for name, service in composed():
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
        assert service["security_opt"] == ["no-new-privileges"]
        assert ("healthcheck" in service) == (name != "tables")
        assert not re.search(r"(?<!\$)\$\w", str(service))


def test_the_proxy_has_the_settings_that_the_help_tells() -> None:
    """But for its ports, and for what containers differ in."""
    told = pages.page("pages").partition("For Caddy")[2]
    settings = told[told.index("servers") : told.index("games.example.org")].split()
    used = (ROOT / "containers/postgresql/Caddyfile").read_text().splitlines()
    kept = [line.split() for line in used if "protocols" not in line]
    assert " ".join(settings) in " ".join(word for line in kept for word in line)
