"""The owner's settings, in `config.yaml` in the store."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pbm_holomino.errors import StoreTrouble
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.store import yaml

IN_MESSAGE_ID, IN_REPLY_TO, IN_TEXT = "message-id", "reply-to", "text"

OPEN, INVITED, CLOSED = "open", "invited", "closed"
JSON = "json"


class Config(NamedTuple):
    """The keys of the file, with their defaults."""

    address: str = "pbm@localhost"  # the server's own
    name: str = ""  # what mail programs show in its place
    owner: str = ""  # the address that hears of letters that could not be delivered
    send: str = "outbox"  # letters become files there; or `sendmail`, or `smtp`
    sendmail: str = "/usr/sbin/sendmail"
    smtp: str = "localhost:25"
    tls: str = ""  # `implicit`, `starttls` or `no`; empty if the port decides
    tls_ca_file: str = ""  # the certificates against which others are checked
    user: str = ""  # logs in to the servers of the mailbox
    auth: str = "password"  # or `xoauth2`, with a token
    password_file: str = ""  # has the password or the token
    password_command: str = ""  # or this prints it
    token_file: str = ""  # or tokens are renewed that "pbm setup" has put there
    # The sender that mail servers see, empty for the null sender. Where it ends in `+`
    # before its `@`, each letter has a mark of its own there.
    envelope: str = ""
    # Where letters have their reply tokens: in the Message-ID alone, or where providers
    # change that, also in Reply-To or in a line of the text.
    reply_token: str = IN_MESSAGE_ID
    letters_per_day: int = 0  # copies that may leave in a day; any number if it is 0
    # Where mail is fetched: `imaps://host` or `imap://host` (which begins TLS by
    # STARTTLS), with a port if it is not the usual one; `maildir:path`; or `mbox:path`.
    fetch: str = ""
    folder: str = "INBOX"  # of that server
    done: str = ""  # the folder of mail that is dealt with; empty if it is deleted
    wait: int = 10  # seconds for which a command waits for a board that is busy
    answers_per_hour: int = 60  # of each kind, to an address without a password
    # INVITED if only players can bring others; where it is CLOSED, only the shell makes
    # accounts
    signups: str = OPEN
    signups_per_hour: int = 60  # of strangers, by mail and on the pages
    robot_seconds: float = 0.2  # of processor time that a robot has for a move
    rated_robots: str = "no"  # whether robots may play rated games
    trust: str = ""  # by which the receiving mail server signs Authentication-Results
    log: str = ""  # the file for the log of mails; empty for the system's log
    log_form: str = "text"  # of its lines; or JSON
    store: str = ""  # the address of a PostgreSQL database; empty for files
    commit_wait: int = 30  # seconds that it may take to make a change durable
    web: str = ""  # the front page; empty for pages that only this machine sees
    web_public: str = "yes"  # whether somebody without an account sees boards
    title: str = ""  # what the pages are called
    # The hosts that players may have called, with commas between them: `*` is any
    # public one, and none if it is empty.
    notices: str = "*"
    web_proxies: str = ""  # the proxies that say from where a request came: a,b
    web_certificate: str = ""  # with its key, for pages without a proxy

    @property
    def notice_hosts(self) -> Sequence[str]:
        """The hosts that players may have called."""
        return tuple(filter(None, self.notices.split(",")))

    @property
    def domain(self) -> str:
        return self.address.rpartition("@")[2]

    def envelope_with(self, mark: str) -> str:
        """The sender that mail servers see of a letter with this mark."""
        name, plus, host = self.envelope.rpartition("+@")
        if not plus:
            return self.envelope
        plain = f"{name}@{host}"
        return (mark and tagged(plain, mark)) or plain

    @property
    def has_marks(self) -> bool:
        """Whether the sender that mail servers see can have a mark."""
        return "+@" in self.envelope

    @property
    def smtp_server(self) -> tuple[str, int]:
        """The host, without brackets, and the port."""
        match = re.fullmatch(_SMTP, self.smtp)
        host, port = match.groups() if match else (self.smtp, None)
        return host.strip("[]"), int(port or 25)

    @property
    def imap_server(self) -> tuple[str, int]:
        """The host, without brackets, and the port."""
        match = re.fullmatch(_FETCH, self.fetch)
        scheme, host, port = match.groups() if match else (None, None, None)
        return (host or "").strip("[]"), int(port or IMAP_PORTS[scheme or "imaps"])

    @property
    def smtp_tls(self) -> str:
        """`implicit`, `starttls` or `no`. Without a `tls`, the port decides for those
        who log in (RFC 8314), and others go on as before there was any."""
        _, port = self.smtp_server
        return self.tls or (_TLS_OF_PORTS.get(port, "no") if self.user else "no")

    @property
    def logs_in(self) -> bool:
        """Whether letters by SMTP log in: a password goes only where TLS hides it."""
        return bool(self.user) and self.smtp_tls != "no"


_WORDS = {
    "send": ("outbox", "sendmail", "smtp"),
    "tls": ("implicit", "starttls", "no"),
    "auth": ("password", "xoauth2"),
    "signups": (OPEN, INVITED, CLOSED),
    "web_public": ("yes", "no"),
    "reply_token": (IN_MESSAGE_ID, IN_REPLY_TO, IN_TEXT),
    "rated_robots": ("yes", "no"),
    "log_form": ("text", JSON),
}
_TLS_OF_PORTS = {465: "implicit", 587: "starttls"}
_SMTP = r"(\[[0-9A-Fa-f:.]+\]|[^:\s\[\]]+)(?::([0-9]{1,5}))?"
IMAP_PORTS = {"imaps": 993, "imap": 143}
_FETCH = (
    r"(imaps?)://(\[[0-9A-Fa-f:.]+\]|[^:@/\s\[\]]+)(?::([0-9]{1,5}))?/?"
    r"|(?:maildir|mbox):.+"
)
_WEB = (
    r"(?a)https://[a-z0-9.-]+(:[0-9]{1,5})?(/[\w.-]+)*/?"
    r"|http://(localhost|127\.0\.0\.1)(:[0-9]{1,5})?(/[\w.-]+)*/?"
)
_HOSTS = r"(?:\*|[a-z0-9.:-]+)(?:,(?:\*|[a-z0-9.:-]+))*"
# To YAML, `[` begins a list.
_BRACKETED = rb"(?m)^(smtp:[ \t]+)(\[[^\]\s\"']*\][^\s\"']*)"
_LIMITS = {
    "wait": (0, 86_400),
    "commit_wait": (1, 86_400),
    "answers_per_hour": (0, 1_000_000),
    "signups_per_hour": (0, 1_000_000),
    "letters_per_day": (0, 1_000_000),
}
_MOST_SECONDS = 60  # of a robot for a move
_DATABASES = ("postgresql://", "postgres://")
_ADDRESSES = ("address", "owner", "envelope")
MOST_NAME = 60  # characters
_MOST_LOCAL = 64  # characters before the @ of an address (RFC 5321, 4.5.3.1.1)
MOST_BYTES = yaml.MOST_BYTES  # of the file


def tagged(address: str, tag: str) -> str:
    """An address with a tag after a `+`; empty if there is no room for it."""
    local, _, domain = address.rpartition("@")
    longer = f"{local}+{tag}"
    return f"{longer}@{domain}" if len(longer) <= _MOST_LOCAL else ""


def is_database(word: str) -> bool:
    """Whether a word begins like the address of a database."""
    return word.startswith(_DATABASES)


def without_password(address: str) -> str:
    """The address of a database without a password."""
    word = re.sub(r"(?<=//)([^/@:]*):[^/@]*@", r"\1@", address)
    return re.sub(r"(?<=[?&])password=[^&]*&?", "", word).rstrip("?&")


def from_text(text: bytes) -> Config:
    """The settings in a file's text. Raises StoreTrouble, which names the wrong key, or
    ValueError for a text that is not strict YAML."""
    return from_data(yaml.load(re.sub(_BRACKETED, rb'\1"\2"', text)))


def edited(text: bytes, changes: Mapping[str, str]) -> bytes:
    """A file's text with other values of these keys; all else in it stays, comments
    too. Raises ValueError for a text that is not strict YAML."""
    settings = {**_loaded(text), **changes}
    new = text if text.endswith(b"\n") or not text else text + b"\n"
    for key, word in changes.items():
        line = yaml.dump({key: word}).rstrip(b"\n")
        match = re.search(_LINE % key.encode(), new)
        if match is None:
            new += line + b"\n"
        else:
            line += match["comment"] or b""
            new = new[: match.start()] + line + new[match.end() :]
    try:
        is_right = _loaded(new) == settings
    except ValueError:
        is_right = False
    # values may be written in many ways
    return new if is_right else yaml.dump(settings)


_LINE = rb"""(?m)^%s:(?:[ \t]+(?:'.*'|".*"|[^#'"\n]*?))?(?P<comment>[ \t]+#.*)?$"""


def _loaded(text: bytes) -> dict[str, Any]:
    data = yaml.load(re.sub(_BRACKETED, rb'\1"\2"', text))
    return dict(data) if isinstance(data, Mapping) else {}


def from_data(data: Any) -> Config:
    """The settings in a file's data, None if there is no file. Raises StoreTrouble,
    which names the wrong key."""
    if data in (None, ""):
        return Config()
    if not isinstance(data, Mapping):
        raise _wrong("it must have one key and value on each line, such as wait: 10")
    values: dict[str, Any] = {}
    for key, word in data.items():
        if key not in Config._fields:
            raise _wrong(
                f"there is no key '{key}'; the keys are {', '.join(Config._fields)}"
            )
        values[key] = _read(key, word)
    config = Config(**values)
    if config.owner.lower() == config.address.lower():
        raise _wrong(
            f"owner is '{config.owner}', the server's own address, so it would write "
            "to itself: put in your own address"
        )
    if config.fetch and not _is_mailbox(config.fetch):
        raise _wrong(
            "fetch must be imaps://host, imaps://host:port, imap://host (STARTTLS), "
            "maildir:path or mbox:path (the user and the folder have keys of their "
            f"own), not '{config.fetch}'"
        )
    if config.done == config.folder:
        raise _wrong(f"folder and done are the same, '{config.done}'")
    ways = ("password_file", "password_command", "token_file")
    if len(named := [way for way in ways if getattr(config, way)]) > 1:
        raise _wrong(
            f"it has a {named[0]} and a {named[1]}: take out the one that is not to be "
            "used"
        )
    if config.token_file and config.auth != "xoauth2":
        raise _wrong("it has a token_file, which needs auth: xoauth2")
    return config


def _read(key: str, word: Any) -> Any:
    if word == "" and (key == "notices" or Config._field_defaults[key] == ""):
        return word
    if not isinstance(word, str) or not word or not word.isprintable():
        raise _wrong(f"{key} must be one {'line' if key == 'name' else 'word'}")
    if key in _NUMBERS:
        return _NUMBERS[key](key, word)
    if key == "name" and len(word) > MOST_NAME:
        raise _wrong(f"name must be at most {MOST_NAME} characters long")
    if key in _WORDS and word not in _WORDS[key]:
        *words, last = _WORDS[key]
        raise _wrong(f"{key} must be {', '.join(words)} or {last}, not '{word}'")
    if key in ("log", "web_certificate") and not word.startswith("/"):
        raise _wrong(f"{key} must be the whole path of a file, not '{word}'")
    if key == "store" and not is_database(word):
        raise _wrong(  # the word may hold a password
            "store must be the address of a PostgreSQL database, such as "
            "postgresql://pbm@db.example.org/pbm; leave it out for files in this folder"
        )
    _check_network(key, word)
    if key == "smtp" and not is_server(word):
        raise _wrong(
            "smtp must be a host, host:port, or [::1]:port for an IPv6 address, with a "
            f"port from 1 to 65535, not '{word}'"
        )
    if key in _ADDRESSES and (word.count("@") != 1 or " " in word):
        raise _wrong(
            f"{key} must be a mail address such as pbm@example.org, not '{word}'"
        )
    return word


def _check_network(key: str, word: str) -> None:
    """Raise StoreTrouble if this setting is about pages, or hosts that are called, and
    wrong."""
    if key == "web" and not re.fullmatch(_WEB, word):
        raise _wrong(
            "web must be the address of the front page, such as "
            f"https://games.example.net or https://example.net/pbm, not '{word}'"
        )
    if key == "notices" and not re.fullmatch(_HOSTS, word):
        raise _wrong(
            "notices must be hosts with commas between them, such as "
            f"ntfy.sh,ntfy.example.org, or * for any public one, not '{word}'"
        )
    if key == "web_proxies" and not all(map(_are_ips, word.split(","))):
        raise _wrong(
            "web_proxies must be IP addresses or networks with commas between them, "
            f"such as 127.0.0.1,::1 or 172.18.0.0/16, not '{word}'"
        )


def _number(key: str, word: str) -> int:
    least, most = _LIMITS[key]
    is_number = word.isascii() and word.isdigit() and len(word) <= len(str(most))
    if not (is_number and least <= int(word) <= most):
        raise _wrong(f"{key} must be a number from {least} to {most}, not '{word}'")
    return int(word)


def _seconds(key: str, word: str) -> float:
    is_number = re.fullmatch(r"(?a)\d{1,2}(\.\d{1,3})?", word)
    if not (is_number and float(word) <= _MOST_SECONDS):
        raise _wrong(
            f"{key} must be a number from 0 to {_MOST_SECONDS}, such as 0.2, not "
            f"'{word}'"
        )
    return float(word)


_NUMBERS: Mapping[str, Callable[[str, str], float]]
_NUMBERS = {**dict.fromkeys(_LIMITS, _number), "robot_seconds": _seconds}


def is_server(word: str) -> bool:
    """Whether a word is a server as `smtp` names it, with a port or without."""
    match = re.fullmatch(_SMTP, word)
    return match is not None and 0 < int(match[2] or 25) < 1 << 16


def _are_ips(word: str) -> bool:
    """Whether a word is an IP address, or a network such as `172.18.0.0/16`."""
    from ipaddress import ip_network  # few servers have a proxy

    try:
        ip_network(word)
    except ValueError:
        return False
    return True


def _is_mailbox(word: str) -> bool:
    match = re.fullmatch(_FETCH, word)
    return match is not None and 0 < int(match[3] or 1) < 1 << 16


def _wrong(what: str) -> StoreTrouble:
    return StoreTrouble(f"The server's config.yaml is wrong: {what}.")
