"""How much work something is, by a count that is the same on every machine."""

import gc
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any


def instructions(do: Callable[[], object]) -> int:
    """How many instructions of Python code it takes to do this."""
    done = 0

    def count(frame: FrameType, event: str, _: object) -> Callable[..., Any]:
        nonlocal done
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        done += event == "opcode"
        return count

    gc.disable()  # what others have it call would be counted, too
    sys.settrace(count)
    try:
        do()
    finally:
        sys.settrace(None)
        gc.enable()
    return done


def is_linear(do: Callable[[int], Callable[[], object]], size: int) -> bool:
    """Whether doing it for twice as much takes twice as many instructions, from a size
    at which it takes some: `do` prepares what is counted."""
    do(size)()  # what is remembered from the first time does not count
    short, middle, long = (instructions(do(n * size)) for n in (1, 2, 4))
    assert middle - short >= size  # it has been counted
    return abs(long - middle - 2 * (middle - short)) <= 0.02 * long
