"""Which folder is a store, and what an installed program does in other projects."""

import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from pbm_holomino import rules
from pbm_holomino.owner import sample
from pbm_holomino.store import location
from pbm_holomino.store.config import Config
from pbm_holomino.store.files.store import FileStore
from pbm_holomino.store.home import open_home
from tests.paths import ROOT


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def set_all(games: Path) -> None:
    """Write the sample of the settings, with each of them set."""
    lines = sample.text("config").splitlines()
    set_lines = [line.removeprefix("# ") if ": " in line else line for line in lines]
    keys = tuple(f"{key}:" for key in Config._fields)
    kept = [line for line in set_lines if line.startswith(keys)]
    write(games / "config.yaml", "\n".join(kept))


# Stores, as somebody may have set them up or used them.
STORES: dict[str, Callable[[Path], object]] = {
    "settings": lambda games: write(games / "config.yaml", "# Ours\n\nsend: smtp\n"),
    "all settings": set_all,
    "a key": lambda games: (games / "key").write_bytes(bytes(32)),
    "an account": lambda games: write(games / "players/alice.yaml", "userid: alice\n"),
    "a board": lambda games: write(
        games / "holo/1.yaml", (ROOT / "games/examples/holo/1.yaml").read_text()
    ),
}

# What others call `games`.
OTHERS: dict[str, Callable[[Path], object]] = {
    "nothing": lambda games: None,
    "code": lambda games: write(games / "chess/main.py", "print()\n"),
    "code for players": lambda games: write(games / "players/human.py", "print()\n"),
    "a key of theirs": lambda games: write(games / "key", "ssh-ed25519 AAAA\n"),
    "settings of theirs": lambda games: write(
        games / "config.yaml", "name: chess\nboards: 12\nplayers:\n- address: x\n"
    ),
    "settings that are comments": lambda games: write(
        games / "config.yaml", "# address: a@example.org\n"
    ),
    "settings in a folder": lambda games: (games / "config.yaml").mkdir(),
    "boards of theirs": lambda games: write(games / "holo/1.yaml", "name: holo\n"),
    "a board of another game": lambda games: write(
        games / "chess/1.yaml", "game: chess\nboard: 1\n"
    ),
}


@pytest.fixture
def games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of that name, where an installed program is started."""
    for name in ("PBM_GAMES", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setattr(location, "__file__", "/usr/lib/pbm_holomino/store/location.py")
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "games"
    folder.mkdir(mode=0o755)
    return folder


@pytest.mark.parametrize("kind", STORES)
def test_a_store_is_used_where_the_program_is_started(games: Path, kind: str) -> None:
    STORES[kind](games)
    assert open_home().root == str(games)


@pytest.mark.parametrize("kind", OTHERS)
def test_a_folder_of_another_project_is_left_alone(games: Path, kind: str) -> None:
    OTHERS[kind](games)
    before = {path: path.stat().st_ctime_ns for path in [games, *games.rglob("*")]}
    store = open_home().root
    assert store == str(games.parent / "home/.local/share/pbm_holomino")
    with FileStore(store).lock("players", "alice"):
        pass
    after = {path: path.stat().st_ctime_ns for path in [games, *games.rglob("*")]}
    assert after == before
    assert stat.S_IMODE(games.stat().st_mode) == 0o755


def test_the_boards_of_every_game_are_known(tmp_path: Path) -> None:
    for game in rules.names():
        write(tmp_path / game / game / "12.yaml", f"game: {game}\nboard: 12\n")
        assert location.is_store(str(tmp_path / game))


def test_a_project_that_has_the_package_in_it_is_no_checkout(
    games: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after `pip install --target .`, which makes bin/pbm, too."""
    here = games.parent / "pbm_holomino/store/location.py"
    for path in ("setup.cfg", "bin/pbm", "games/chess.py"):
        write(games.parent / path, "")
    monkeypatch.setattr(location, "__file__", str(here))
    assert location.checkout_store() is None
    assert open_home().root != str(games)


def test_all_settings_are_known_as_such() -> None:
    assert location.SETTINGS.decode().split() == [*Config._fields]
