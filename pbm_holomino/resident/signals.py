"""What signals mean to a process that stays: SIGTERM and SIGINT stop it, and at SIGHUP
it reads its settings again, as long as that does not come from a terminal that was
closed."""

import os
import signal

STOPPING = (signal.SIGTERM, signal.SIGINT)
RELOADING = signal.SIGHUP


class Signals:
    """The signals that a process listens to. To be made at its start."""

    def __init__(self) -> None:
        self._had_terminal = _has_terminal()
        is_ignored = signal.getsignal(RELOADING) is signal.SIG_IGN  # nohup does that
        self.numbers = STOPPING if is_ignored else (*STOPPING, RELOADING)

    def is_stop(self, number: int) -> bool:
        """Whether a signal that has come means to stop."""
        return number in STOPPING or (self._had_terminal and not _has_terminal())


def _has_terminal() -> bool:
    try:
        os.close(os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY))
    except OSError:
        return False
    return True
