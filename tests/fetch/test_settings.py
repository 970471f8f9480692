"""What config.yaml says of the mailbox."""

import pytest

from pbm_holomino.errors import StoreTrouble
from pbm_holomino.store.config import Config, from_data
from tests.fetch.club import FetchingHouse


@pytest.mark.parametrize(
    ("word", "server"),
    [
        ("imaps://imap.example.org", ("imap.example.org", 993)),
        ("imaps://imap.example.org/", ("imap.example.org", 993)),
        ("imap://imap.example.org", ("imap.example.org", 143)),
        ("imaps://imap.example.org:1993", ("imap.example.org", 1993)),
        ("imaps://[2001:db8::1]:993", ("2001:db8::1", 993)),
    ],
)
def test_a_server(word: str, server: tuple[str, int]) -> None:
    config = from_data({"fetch": word})
    assert config == Config(fetch=word)
    assert config.imap_server == server


@pytest.mark.parametrize("word", ["maildir:~/Maildir", "mbox:/var/mail/the robot", ""])
def test_a_file(word: str) -> None:
    assert from_data({"fetch": word}) == Config(fetch=word)


@pytest.mark.parametrize(
    "word",
    [
        "imap.example.org",
        "imaps://me@imap.example.org",
        "imaps://imap.example.org/INBOX",
        "imaps://imap.example.org:0",
        "imaps://imap.example.org:65536",
        "imaps://",
        "pop3s://pop.example.org",
        "maildir:",
    ],
)
def test_what_is_no_mailbox(word: str) -> None:
    with pytest.raises(StoreTrouble, match=f"fetch must be .*, not '{word}'"):
        from_data({"fetch": word})


def test_done_is_another_folder() -> None:
    with pytest.raises(StoreTrouble, match="folder and done are the same, 'Games'"):
        from_data({"folder": "Games", "done": "Games"})


def test_without_a_password(fetching: FetchingHouse) -> None:
    fetching.configure(fetch="imaps://localhost:1", user="me@example.org")
    answer = fetching.type("fetch")
    assert answer.status == 75
    words = " ".join(answer.text.split())
    assert "There is no password for me@example.org" in words
