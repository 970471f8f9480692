"""What the Containerfile says; test_containers.py builds it."""

import re

from pbm_holomino.commands import table
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
    assert bases == ["${BASE}", "${BASE}", "pbm", "pbm"]


def test_each_target_runs_a_command_of_the_owner() -> None:
    for name in ("serve", "run"):
        instructions = dict(stage(name))
        assert instructions["ENTRYPOINT"] == '["pbm"]'
        assert instructions["CMD"].startswith(f'["{name}"')
        assert instructions["USER"] == "pbm"
        assert instructions["VOLUME"] == "/games"
        assert "PBM_GAMES=/games" in instructions["ENV"]
    assert "serve" in table.owners()


def test_a_store_never_gets_into_an_image() -> None:
    """Nothing goes in but what is named, and this is what setup.cfg needs."""
    first, *rest = [
        line
        for line in (ROOT / ".containerignore").read_text().splitlines()
        if not line.startswith("#")
    ]
    assert first == "*"
    named = {line[1:] for line in rest if line.startswith("!")}
    assert named <= {path.parts[0] for path in shipped()}
    assert "games" not in named
    assert {"pbm_holomino", "setup.cfg", "setup.py", "pyproject.toml"} <= named
