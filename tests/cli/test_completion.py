"""What the shells complete: by bash itself, and as zsh and fish ask for it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pbm_holomino import rules
from pbm_holomino.commands.table import at_top, in_game, owners
from pbm_holomino.letters import help as pages
from pbm_holomino.rules.options import CHALLENGE_OPTIONS
from tests.paths import ROOT
from tests.processes import PATIENCE, run, surroundings
from tests.sizes import sized, some

GAMES = rules.names()


def asked(shell: str, line: str) -> list[str]:
    """What a shell is told may take the place of the last word."""
    words = line.split(" ")
    told = {f"_{words[0].upper()}_COMPLETE": f"{shell}_complete"}
    if shell == "fish":
        told |= {"COMP_WORDS": line, "COMP_CWORD": words[-1]}
    else:
        told |= {"COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)}
    done = run(Path("/nonexistent"), words[0], **told)
    assert (done.status, done.err) == (0, "")
    lines = done.out.splitlines()
    if shell == "zsh":  # three lines each: the type, the word, and what it means
        return lines[1::3]
    return [found.partition(",")[2] for found in lines if found]


# The typed line, and the words that complete it

CASES = {
    "pbm ch": "change check",
    "pbm hol": "holo",
    "pbm change ": "address broadcasts digest format language letters notices password "
    "profile threads vacation zone",
    "pbm change language alice secret ": "en",
    "pbm change letters alice secret ": "all turns digest",
    "pbm change format alice secret ": "text small html picture words",
    "pbm all ": "show showas",
    "pbm all show alice ": "all active inactive next",
    "pbm help tu": "tutorial",
    "pbm help move sho": "show showas",
    "pbm check -": "--mail --repair",
    "pbm void ": " ".join(GAMES),
    "pbm completion ": "bash zsh fish",
    "pbm holo ver": "verify",
    "holo mo": "move",
    "holo show ": "",
    "holo show alice ": "all active inactive next",
    "holo show alice bob in": "inactive",
    "holo showas alice xanadu n": "next",
    "holo games ": "all active inactive next",
    "holo move 12 alice xanadu re": "resign reject",
    "holo history 12 -format ya": "yaml",
    "holo history 12 -format=ya": "yaml",
    "holo show 12 -format=": "text small words list bbcode markdown html json svg png",
    "holo challenge alice bob -non": "-non_unique",
    "holo challenge alice bob --non": "--non-unique",
    "holo challenge alice bob -random -lim": "-limit_scores",
    "holo challenge alice bob -pool_size=4 -rules=": "brettspielnetz",
    "hextol challenge alice bob -m": "-min_pips -max_pips",
    "walomino challenge alice bob -draft=": "pot die random",
    "walomino challenge alice bob -draft=r": "random",
    # userids and passwords are nobody else's business
    "pbm signup ": "",
    "pbm signup alice ": "",
    "pbm message alice xanadu ": "",
    "holo move ": "",
    "holo move 12 ": "",
    "holo move 12 alice ": "",
    "holo showas ": "",
    "holo showas alice ": "",
    "holo challenge ": "",
}


@pytest.mark.parametrize("line", some([*CASES], 16))
def test_lines_are_completed(line: str) -> None:
    wanted = sorted(CASES[line].split())
    first = list(CASES).index(line) % 2
    for shell in ["zsh", "fish", "zsh"][first : first + sized(1, 2)]:
        assert sorted(asked(shell, line)) == wanted


def test_every_command_is_offered() -> None:
    tops = {name.split()[0] for name in at_top(with_owners=True)}
    assert tops > {name.split()[0] for name in owners()}
    assert set(asked("zsh", "pbm ")) == {*tops, *GAMES}
    for game in GAMES:
        assert set(asked("zsh", f"{game} ")) == set(in_game())
        assert set(asked("zsh", f"pbm {game} ")) == set(in_game())
    assert set(asked("zsh", "pbm help ")) == set(pages.subjects())


@pytest.mark.parametrize("game", GAMES)
def test_every_option_is_offered(game: str) -> None:
    options = (*rules.load(game).OPTIONS, *CHALLENGE_OPTIONS)
    wanted = {f"-{name}" for option in options for name in option.names}
    wanted |= {"-rules"} if rules.load(game).PRESETS else set()
    assert set(asked("zsh", f"{game} challenge alice bob -")) == wanted
    assert all(o.startswith("--") for o in asked("zsh", f"{game} challenge a b --"))


# With bash itself

COMPLETE = """
eval "$(pbm completion bash)"
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
function=$(complete -p "$1" | sed 's/.*-F \\([^ ]*\\).*/\\1/')
"$function" "$1"
printf '%s\\n' "${COMPREPLY[@]}"
"""


def by_bash(*words: str) -> list[str]:
    """What bash offers for the last of these words, which it broke as it does."""
    path = f"{ROOT}/bin:{surroundings()['PATH']}"
    done = subprocess.run(
        ["bash", "--norc", "-c", COMPLETE, "bash", *words],
        env=surroundings(PATH=path),
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE,
    )
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.parametrize(
    ("words", "wanted"),
    [("pbm hol", "holo"), ("hextol re", "rematch resign review")]
    + [("pbm change ", "both")]
    + [("walomino challenge a b -draft = r", "random"), ("holo move 1 ", "")]
    + [("walomino challenge a b -draft =", "pot die random")]
    + [("holo challenge a b -pool_size = 4 -ru", "-rules")],
)
def test_bash_completes(words: str, wanted: str) -> None:
    wanted = CASES["pbm change "] if wanted == "both" else wanted
    assert by_bash(*words.split(" ")) == wanted.split()


# The scripts


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_script_names_all_commands(tmp_path: Path, shell: str) -> None:
    done = run(tmp_path, "pbm", "completion", shell)
    assert (done.status, done.err) == (0, "")
    for name in ("pbm", *GAMES):
        assert f"_{name.upper()}_COMPLETE={shell}_complete" in done.out
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "said"),
    [("", "pbm completion bash|zsh|fish"), ("bash zsh", "pbm completion bash|zsh|fish")]
    + [("tcsh", '"tcsh" is not a shell that can complete: please name bash, zsh or')],
)
def test_another_shell_is_refused(tmp_path: Path, words: str, said: str) -> None:
    done = run(tmp_path, "pbm", "completion", *words.split())
    assert (done.status, done.out) == (2, "")
    assert said in done.err


@pytest.mark.parametrize("asking", ["", "bash", "tcsh_complete", "bash_nonsense"])
def test_an_unreadable_question(tmp_path: Path, asking: str) -> None:
    done = run(tmp_path, "holo", "games", _HOLO_COMPLETE=asking, COMP_WORDS="holo")
    assert (done.status, done.out) == (1, "")


def test_it_costs_other_commands_nothing(tmp_path: Path) -> None:
    code = (
        "import sys; from pbm_holomino.cli import main; main(['pbm', 'help']);"
        "print(*sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PBM_GAMES": str(tmp_path), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    modules = done.stdout.split()
    assert "pbm_holomino.cli" in modules
    assert not {"pbm_holomino.owner.completion", "click.shell_completion"} & {*modules}
