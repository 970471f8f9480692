"""The system calls that the store makes, watched one by one."""

import os
import stat
from collections.abc import Callable
from typing import Any

import pytest

CALLS = ("open", "write", "fsync", "rename", "close")


class Watch:
    """Counts what is asked of the system, and calls `at` before and after each."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.calls: list[str] = []
        self.at: Callable[[int], None] = lambda moment: None
        self.moment = 0
        for name in CALLS:
            monkeypatch.setattr(os, name, self._watched(name, getattr(os, name)))

    def _watched(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def watched(*args: Any, **named: Any) -> Any:
            self.calls.append(_with_kind(name, args))
            self._pass()
            result = call(*args, **named)
            self._pass()
            return result

        return watched

    def _pass(self) -> None:
        self.moment += 1
        self.at(self.moment)


def _with_kind(name: str, args: tuple[Any, ...]) -> str:
    if name != "fsync":
        return name
    is_folder = stat.S_ISDIR(os.fstat(args[0]).st_mode)
    return "fsync folder" if is_folder else "fsync file"
