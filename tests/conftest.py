"""What most tests begin with."""

from pathlib import Path

import pytest

from tests.robots import Robot
from tests.servers import House, make_cheap, open_house
from tests.tables import Club


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    """A server where alice and bob have signed up and play board 1."""
    return open_house(tmp_path / "games", monkeypatch)


@pytest.fixture
def cheap_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Passwords take no time to hash."""
    make_cheap(monkeypatch)


@pytest.fixture
def robot(tmp_path: Path, cheap_hashes: None) -> Robot:
    """A server that alice and bob have signed up on."""
    return Robot(tmp_path / "games").sign_up()


@pytest.fixture
def club(tmp_path: Path, cheap_hashes: None) -> Club:
    """Alice, bob, carol and dave, who have not played yet."""
    return Club(tmp_path)
