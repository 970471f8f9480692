"""What never comes is told, and what is there instead."""

import pytest

from tests import processes


def test_waiting_in_vain_says_what_there_is_instead(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(processes, "PATIENCE", 0)
    with pytest.raises(AssertionError, match="never came: spring\nsnow"):
        processes.wait_until(lambda: False, "spring", lambda: "snow")
