"""What the owner of a server may set, in `config.yaml` in the store."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from pbm_holomino.errors import StoreTrouble


class Config(NamedTuple):
    """The keys of the file, and what holds where one is missing.

    `send` is `outbox` (letters become files in the store's `outbox`), `sendmail`
    or `smtp`; `wait` is how many seconds a command waits for a board that is busy;
    an address gets so many `answers_per_hour` of each kind without a password, and
    `signups_per_hour` is how many players can sign up by mail.
    """

    address: str = "pbm@localhost"
    send: str = "outbox"
    sendmail: str = "/usr/sbin/sendmail"
    smtp: str = "localhost:25"
    wait: int = 10
    answers_per_hour: int = 60
    signups_per_hour: int = 60

    @property
    def domain(self) -> str:
        return self.address.rpartition("@")[2]


_SENDING = ("outbox", "sendmail", "smtp")


def from_data(data: Any) -> Config:
    """The settings in a file's data, None where there is no file. Raises
    StoreTrouble, which names the key that is wrong."""
    if data in (None, ""):
        return Config()
    if not isinstance(data, Mapping):
        raise _wrong("it is a list of keys and values")
    values: dict[str, Any] = {}
    for key, word in data.items():
        if key not in Config._fields:
            raise _wrong(f'there is no key "{key}"; the keys are {_keys()}')
        values[key] = _read(key, word)
    return Config(**values)


def _read(key: str, word: Any) -> Any:
    if not isinstance(word, str) or not word or not word.isprintable():
        raise _wrong(f"{key} takes one word")
    if isinstance(Config._field_defaults[key], int):
        if not (word.isascii() and word.isdigit() and len(word) < 6):
            raise _wrong(f'{key} takes a number, and "{word}" is none')
        return int(word)
    if key == "send" and word not in _SENDING:
        raise _wrong(f'send is {", ".join(_SENDING)}, and not "{word}"')
    if key == "smtp" and not re.fullmatch(r"[^:\s]+(:[0-9]{1,5})?", word):
        raise _wrong(f'smtp is a host, or host:port, and not "{word}"')
    if key == "address" and (word.count("@") != 1 or " " in word):
        raise _wrong(f'address is a mail address, and "{word}" is none')
    return word


def _keys() -> str:
    return ", ".join(Config._fields)


def _wrong(what: str) -> StoreTrouble:
    return StoreTrouble(f"The server's config.yaml is wrong: {what}.")
