"""A server that fetches, with a board where each mail leaves one trace: a chat."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from pbm_holomino import owner
from pbm_holomino.commands.refusals import refusal
from pbm_holomino.commands.request import Answer
from pbm_holomino.errors import PbmError
from pbm_holomino.fetch import progress
from pbm_holomino.store import yaml
from pbm_holomino.store.contract import Store
from tests.fetch.provider import PASSWORD, USER, Provider
from tests.house import House, home, mail_of


class FetchingHouse:
    """A house whose owner types commands about a mailbox."""

    def __init__(self, house: House, monkeypatch: pytest.MonkeyPatch) -> None:
        self.house = house
        self.folder = house.folder
        secret = self.folder / "password"
        secret.write_text(f"{PASSWORD}\n")
        secret.chmod(0o600)
        monkeypatch.setenv("PBM_GAMES", str(self.folder))

    def configure(self, **settings: Any) -> None:
        text = yaml.dump({key: str(word) for key, word in settings.items()})
        self.house.settings(text.decode())

    def from_imap(self, dovecot: Provider, port: int = 0, **settings: Any) -> None:
        """Fetch from the mailbox at the provider."""
        self.configure(
            **{
                "fetch": f"imaps://localhost:{port or dovecot.tls_port}",
                "user": USER,
                "password_file": "password",
                "tls_ca_file": dovecot.certificate,
                **settings,
            }
        )

    def type(self, *words: str) -> Answer:
        """What the owner is told."""
        try:
            return owner.run(words)
        except PbmError as error:
            return refusal(error)

    def fetch(self) -> str:
        """Fetch all mail; what the owner is told."""
        answer = self.type("fetch")
        assert answer.status == 0, answer.text
        return answer.text

    def problems(self) -> Sequence[str]:
        """What the owner should know."""
        return problems(self.house.store)

    def heard(self) -> list[int]:
        """The numbers of the chats on board 1, in their order."""
        text = self.house.document("holo", "1").read_text()
        return list(map(int, re.findall(r"Word number (\d+)\.", text)))

    def quarantine(self) -> list[Path]:
        return sorted(self.house.path("quarantine").glob("*.eml"))


def problems(store: Store) -> list[str]:
    """What the owner should know about mail that is fetched."""
    known = progress.read(store)
    return [*filter(None, (known.cannot_fetch, known.must_come_again))]


def chat(number: int, name: str = "") -> bytes:
    """A mail of alice's that leaves a trace on board 1."""
    words = "holo chat 1 alice xanadu"
    body = f"Word number {number}."
    name = name or f"<chat.{number}@example.org>"
    return mail_of(words, home("alice"), body, Message_ID=name)


def chats(count: int) -> list[bytes]:
    return [chat(number) for number in range(1, count + 1)]
