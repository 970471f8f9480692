"""What the owner of a server may set, in `config.yaml` in the store."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from pbm_holomino.errors import StoreTrouble
from pbm_holomino.store import yaml as strict


class Config(NamedTuple):
    """The keys of the file, and what holds where one is missing.

    `owner` is who hears of letters that could not be delivered, if anybody. `send` is
    `outbox` (letters become files in the store's `outbox`), `sendmail` or `smtp`;
    `wait` is how many seconds a command waits for a board that is busy; an address
    gets so many `answers_per_hour` of each kind without a password, and
    `signups_per_hour` is how many players can sign up by mail.
    """

    address: str = "pbm@localhost"
    owner: str = ""
    send: str = "outbox"
    sendmail: str = "/usr/sbin/sendmail"
    smtp: str = "localhost:25"
    wait: int = 10
    answers_per_hour: int = 60
    signups_per_hour: int = 60

    @property
    def domain(self) -> str:
        return self.address.rpartition("@")[2]

    @property
    def smtp_server(self) -> tuple[str, int]:
        """The host, without brackets, and the port."""
        found = _SMTP.fullmatch(self.smtp)
        host, port = found.groups() if found else (self.smtp, None)
        return host.strip("[]"), int(port or 25)


_SENDING = ("outbox", "sendmail", "smtp")
_SMTP = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^:\s\[\]]+)(?::([0-9]{1,5}))?")
# To YAML, `[` begins a list.
_BRACKETED = re.compile(rb"^(smtp:[ \t]+)(\[[^\]\s\"']*\][^\s\"']*)", re.MULTILINE)
_LIMITS = {
    "wait": (0, 86_400),
    "answers_per_hour": (0, 1_000_000),
    "signups_per_hour": (0, 1_000_000),
}


def from_text(text: bytes) -> Config:
    """The settings in a file. Raises StoreTrouble, which names the key that is wrong,
    or ValueError for a text that is not YAML."""
    return from_data(strict.load(_BRACKETED.sub(rb'\1"\2"', text)))


def from_data(data: Any) -> Config:
    """The settings in a file's data, None where there is no file. Raises
    StoreTrouble, which names the key that is wrong."""
    if data in (None, ""):
        return Config()
    if not isinstance(data, Mapping):
        raise _wrong('it must hold keys and values, a line each, such as "wait: 10"')
    values: dict[str, Any] = {}
    for key, word in data.items():
        if key not in Config._fields:
            raise _wrong(f'there is no key "{key}"; the keys are {_keys()}')
        values[key] = _read(key, word)
    found = Config(**values)
    if found.owner.lower() == found.address.lower():
        raise _wrong(
            f'owner is the address "{found.owner}" of the server itself, which would '
            "write to itself: please put in your own"
        )
    return found


def _read(key: str, word: Any) -> Any:
    if word == "" == Config._field_defaults[key]:
        return word
    if not isinstance(word, str) or not word or not word.isprintable():
        raise _wrong(f"{key} takes one word")
    if key in _LIMITS:
        return _number(key, word)
    if key == "send" and word not in _SENDING:
        raise _wrong(f'send is {", ".join(_SENDING)}, and not "{word}"')
    if key == "smtp" and not _is_server(word):
        raise _wrong(
            "smtp is a host, host:port, or [::1]:port for an address of IPv6, with a "
            f'port from 1 to 65535, and not "{word}"'
        )
    if key in ("address", "owner") and (word.count("@") != 1 or " " in word):
        raise _wrong(f'{key} is a mail address, such as pbm@example.org, not "{word}"')
    return word


def _number(key: str, word: str) -> int:
    least, most = _LIMITS[key]
    is_number = word.isascii() and word.isdigit() and len(word) <= len(str(most))
    if not (is_number and least <= int(word) <= most):
        raise _wrong(f'{key} is a number from {least} to {most}, and not "{word}"')
    return int(word)


def _is_server(word: str) -> bool:
    found = _SMTP.fullmatch(word)
    return found is not None and 0 < int(found[2] or 25) < 1 << 16


def _keys() -> str:
    return ", ".join(Config._fields)


def _wrong(what: str) -> StoreTrouble:
    return StoreTrouble(f"The server's config.yaml is wrong: {what}.")
