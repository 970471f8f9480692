"""What never comes is told, and what is there instead."""

import pytest

from tests.real import parts


def test_what_never_comes_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "PATIENCE", 0)
    with pytest.raises(AssertionError, match="never came: spring\nsnow"):
        parts.wait_until(lambda: False, "spring", lambda: "snow")
