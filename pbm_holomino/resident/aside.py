"""What a process that takes in mail does aside, so that the next mail need not wait."""

from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread

from pbm_holomino.errors import PbmError
from pbm_holomino.resident.report import in_words, say


class Aside:
    """A thread that does one thing after another, such as sending letters that wait for
    a robot. To be closed in the end."""

    def __init__(self, program: str) -> None:
        self._program = program
        self._queue: SimpleQueue[Callable[[], object] | None] = SimpleQueue()
        self._thread = Thread(target=self._do_all, name="aside")
        self._thread.start()

    def __call__(self, do: Callable[[], object]) -> None:
        """Have something done soon."""
        self._queue.put(do)

    def close(self) -> None:
        """End, when everything is done."""
        self._queue.put(None)
        self._thread.join()

    def _do_all(self) -> None:
        while (do := self._queue.get()) is not None:
            try:
                do()
            except PbmError:
                pass  # the marks of the letters stay, for whoever sends next
            except Exception as error:  # it must not be lost with the thread
                say(in_words(error), self._program)
