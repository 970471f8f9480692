"""The processes that stay: what they do while they run, and how they end."""

import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

import pytest

from tests import sizes
from tests.fetch.club import FetchingHouse, chat, chats
from tests.fetch.provider import Provider
from tests.house import House
from tests.processes import PATIENCE, run, start, wait_until

pytestmark = pytest.mark.needs("dovecot-imapd", "openssl")


class Staying:
    """`pbm fetch --stay` or `pbm run`, as a process."""

    def __init__(self, fetching: FetchingHouse, *words: str) -> None:
        self.process = start("pbm", *words, PBM_GAMES=str(fetching.folder))

    def stop(self, sign: int = signal.SIGTERM) -> tuple[int, str, str]:
        """The exit status, and what was said on standard output and error."""
        self.process.send_signal(sign)
        out, err = self.process.communicate(timeout=PATIENCE)
        begun, end = out.decode().splitlines(keepends=True)
        assert begun.startswith("Fetching mail from imap")
        return self.process.returncode, end, err.decode()


@contextmanager
def staying(fetching: FetchingHouse, *words: str) -> Iterator[Staying]:
    """Such a process while the block runs."""
    running = Staying(fetching, *words)
    try:
        yield running
    finally:
        running.process.kill()
        running.process.communicate()


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT])
def test_mails_are_fetched_as_they_come(
    fetching: FetchingHouse, dovecot: Provider, sign: int
) -> None:
    fetching.from_imap(dovecot)
    dovecot.put(chat(1))
    with staying(fetching, "fetch", "--stay") as process:
        wait_until(lambda: fetching.heard() == [1], "the first mail", dovecot.log)
        dovecot.put(chat(2))
        wait_until(lambda: fetching.heard() == [1, 2], "the second mail")
        wait_until(lambda: not dovecot.mails(), "an empty mailbox")
        assert process.stop(sign) == (0, "Stopped.\n", "")


def test_another_one_is_refused(fetching: FetchingHouse, dovecot: Provider) -> None:
    fetching.from_imap(dovecot)
    dovecot.put(chat(1))
    with staying(fetching, "fetch", "--stay") as process:
        wait_until(lambda: fetching.heard() == [1], "the first mail")
        done = run(fetching.folder, "pbm", "fetch")
        assert done.status == 75
        assert done.err == "Mail is being fetched already, by pbm fetch or pbm run.\n"
        process.process.kill()
        process.process.wait()
        dovecot.put(chat(2))
        assert fetching.fetch() == "Mails fetched: 1.\n"


def test_it_comes_back_to_a_server_that_comes_back(
    fetching: FetchingHouse, dovecot: Provider
) -> None:
    fetching.from_imap(dovecot)
    dovecot.put(chat(1))
    with staying(fetching, "fetch", "--stay") as process:
        wait_until(lambda: fetching.heard() == [1], "the first mail")
        dovecot.stop()
        wait_until(lambda: fetching.problems(), "a problem")
        dovecot.start()
        dovecot.put(chat(2))
        wait_until(lambda: fetching.heard() == [1, 2], "the second mail")
        wait_until(lambda: not fetching.problems(), "an end of the problem")
        dovecot.put(chat(3))
        wait_until(lambda: fetching.heard() == [1, 2, 3], "the third mail")
        status, _, err = process.stop()
    assert status == 0
    first, last = err.splitlines()
    assert first.startswith("pbm fetch: localhost:")
    assert last == "pbm fetch: Mail is fetched again."


def test_killed_at_any_moment(fetching: FetchingHouse, dovecot: Provider) -> None:
    count = 200 if sizes.full else 20
    dice = Random("moments")
    fetching.from_imap(dovecot)
    dovecot.put(*chats(count))
    longest = 1.5
    while dovecot.mails():
        longest *= 1.05  # where a machine is slow, it may take long to begin
        with staying(fetching, "fetch") as process:
            try:
                process.process.wait(dice.uniform(0.3, longest))
            except subprocess.TimeoutExpired:
                process.process.kill()
    assert fetching.heard() == [*range(1, count + 1)]


def test_run_also_sends_what_waits_and_does_what_is_due(
    fetching: FetchingHouse, house: House, dovecot: Provider
) -> None:
    fetching.from_imap(dovecot)
    house.time = "2020-01-01T00:00:00Z"
    house.challenge()  # it lapses after 21 days
    house.cannot_send()
    house.type("holo chat 2 bob better4 -m=Hello")
    assert [*house.path("holo").glob("*.unsent")]
    dovecot.put(chat(1))
    with staying(fetching, "run") as process:
        wait_until(lambda: fetching.heard() == [1], "the mail")
        wait_until(lambda: not [*house.path("holo").glob("*.unsent")], "the letters")
        wait_until(lambda: house.json(2)["status"] != "active", "the end of board 2")
        assert process.stop() == (0, "Stopped.\n", "")


def test_without_a_mailbox(house: House) -> None:
    for words in (("fetch",), ("fetch", "--stay"), ("run",)):
        done = run(house.folder, "pbm", *words)
        assert (done.status, done.out) == (1, "")
        assert "does not say from where to fetch mail" in " ".join(done.err.split())
        assert "fetch: imaps://imap.example.org" in done.err
