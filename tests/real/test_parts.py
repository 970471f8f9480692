"""What never comes is told, and what is there instead."""

import pytest

from tests import processes


def test_what_never_comes_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "PATIENCE", 0)
    with pytest.raises(AssertionError, match="never came: spring\nsnow"):
        processes.wait_until(lambda: False, "spring", lambda: "snow")
