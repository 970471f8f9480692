"""The processes that fetch and stay read their settings again at SIGHUP."""

import signal
from pathlib import Path

import pytest

from pbm_holomino.fetch.maildir import make_maildir
from pbm_holomino.fetch.stopping import Reloading, Stopped, Stopping
from tests.fetch.club import FetchingHouse, chat
from tests.fetch.test_maildir import deliver
from tests.processes import PATIENCE, start, wait_until


def told(*boxes: str) -> str:
    """What is said of the mailboxes that are watched one after the other."""
    lines = (f"Fetching mail from {box}. Ctrl-C stops this.\n" for box in boxes)
    return "".join((*lines, "Stopped.\n"))


@pytest.mark.parametrize("words", [("run",), ("fetch", "--stay")])
def test_the_new_mailbox_is_watched(
    fetching: FetchingHouse, tmp_path: Path, words: tuple[str, ...]
) -> None:
    boxes = [tmp_path / "first", tmp_path / "second"]
    for box in boxes:
        make_maildir(str(box))
    first, second = (f"maildir:{box}" for box in boxes)
    fetching.configure(fetch=first)
    deliver(boxes[0], chat(1))
    process = start("pbm", *words, PBM_GAMES=str(fetching.folder))
    try:
        assert process.stderr is not None
        wait_until(lambda: fetching.heard() == [1], "the first mail")
        fetching.configure(fetch=second)
        process.send_signal(signal.SIGHUP)
        line = process.stderr.readline().decode()
        assert line == f"pbm {words[0]}: The new settings are in use.\n"
        deliver(boxes[1], chat(2))
        wait_until(lambda: fetching.heard() == [1, 2], "the second mail")
        for wrong in ({}, {"fetch": "pop3:host"}):  # it could not go on with these
            fetching.configure(**wrong)
            process.send_signal(signal.SIGHUP)
            line = process.stderr.readline().decode()
            assert line.startswith(f"pbm {words[0]}: The old settings stay in use. ")
            assert "fetch" in line
        deliver(boxes[1], chat(3))
        wait_until(lambda: fetching.heard() == [1, 2, 3], "the third mail")
        process.terminate()
        out, err = process.communicate(timeout=PATIENCE)
        said = told(first, second, second, second).encode()
        assert (process.returncode, out, err) == (0, said, b"")
    finally:
        process.kill()
        process.communicate()


def test_nothing_is_interrupted_by_it() -> None:
    """Only waiting is; what was asked for meanwhile is done then."""
    process = Stopping("pbm run")
    with process.listening():
        signal.raise_signal(signal.SIGHUP)
        with process.held():
            signal.raise_signal(signal.SIGHUP)
        with pytest.raises(Reloading), process.waiting():
            pytest.fail("it waits")
        with process.waiting(), pytest.raises(Reloading):
            signal.raise_signal(signal.SIGHUP)
        with pytest.raises(Stopped), process.waiting():
            signal.raise_signal(signal.SIGTERM)
