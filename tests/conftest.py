"""What most tests begin with."""

from pathlib import Path

import pytest

from tests.servers import House, open_house


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    """A server where alice and bob have signed up and play board 1."""
    return open_house(tmp_path / "games", monkeypatch)
