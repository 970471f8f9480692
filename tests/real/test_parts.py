"""What these tests say where they cannot run: they fail, and are not passed over."""

import os

import pytest

from tests.real import parts


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(parts.PROGRAMS, "/nowhere/sendmail-robot", "robot-tools")
    assert parts.missing() == "These tests need robot-tools: please run .ci/run."


def test_only_root_may_start_postfix(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert "please run them as root" in parts.missing()


def test_here_nothing_is_missing() -> None:
    assert parts.missing() == ""


def test_what_never_comes_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "PATIENCE", 0)
    with pytest.raises(AssertionError, match="never came: spring\nsnow"):
        parts.wait_until(lambda: False, "spring", lambda: "snow")
