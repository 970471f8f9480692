"""When a process that has ended is started again: later each time, until one lasts."""

_FIRST, _LONGEST = 0.1, 60.0  # seconds
_A_WHILE = 60.0


def next_pause(before: float, lasted: float = 0.0) -> float:
    """Seconds from a process's end to the start of the next one: twice as long as
    before, unless it has worked for a while."""
    return min(max(_FIRST, 2 * before * (lasted <= _A_WHILE)), _LONGEST)
