"""The owner's commands find the server of a test by themselves."""

import pytest

from tests.house import House


@pytest.fixture
def house(house: House, monkeypatch: pytest.MonkeyPatch) -> House:
    """A server with one board and two players, whose store has the time of files."""
    monkeypatch.setenv("PBM_GAMES", str(house.folder))
    return house
