"""Other programs that are run, within a time limit."""

import os
import subprocess
from collections.abc import Sequence
from contextlib import suppress


def run(
    words: Sequence[str], given: bytes, patience: float, hears: str = "stderr"
) -> tuple[int, bytes]:
    """The exit status of a program, and what it wrote to the stream that this `hears`:
    stdout or stderr; the other one is thrown away. `given` is its standard input. After
    `patience` seconds it is killed with its children. Raises OSError if it does not
    work."""
    pipe, null = subprocess.PIPE, subprocess.DEVNULL
    process = subprocess.Popen(
        words,
        stdin=pipe,
        stdout=pipe if hears == "stdout" else null,
        stderr=pipe if hears == "stderr" else null,
        start_new_session=True,  # so that its children can be killed with it
    )
    try:
        said = process.communicate(given, timeout=patience)
        return process.returncode, said[hears == "stderr"]
    except subprocess.TimeoutExpired as error:
        if process.poll() is None:
            raise TimeoutError(f"no answer in {patience} seconds") from None
        return process.returncode, error.output or b""  # only its children go on
    finally:
        if process.poll() is None:
            with suppress(PermissionError):  # it runs as another user
                from signal import SIGKILL  # its import takes a while

                os.killpg(process.pid, SIGKILL)
            with suppress(subprocess.TimeoutExpired):
                process.wait(1)
        for end in filter(None, (process.stdin, process.stdout, process.stderr)):
            with suppress(BrokenPipeError):
                end.close()
