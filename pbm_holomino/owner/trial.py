"""Trying a mailbox: logging in both ways, and a letter that it sends to itself."""

import re
import secrets
import ssl
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing, suppress
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar

from pbm_holomino.errors import CannotFetch, CannotSend, LoginRefused
from pbm_holomino.fetch.contract import OneMailRefused
from pbm_holomino.fetch.opening import open_imap
from pbm_holomino.letters.content import said
from pbm_holomino.letters.letter import Letter
from pbm_holomino.mail.post import packed
from pbm_holomino.mail.submission import Connections
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.owner.asking import Dialogue
from pbm_holomino.sentences import fill
from pbm_holomino.store.config import (
    IN_MESSAGE_ID,
    IN_REPLY_TO,
    IN_TEXT,
    Config,
    tagged,
)
from pbm_holomino.store.home import Home

if TYPE_CHECKING:
    from pbm_holomino.fetch.imap import ImapMailbox

_PATIENCE = 60.0  # seconds in which a letter should come back
_LOOK = 5.0  # seconds from one look for it to the next
_LAST = 20  # mails in the folder for junk that are looked at
_SUBJECT = "pbm setup"
_Thing = TypeVar("_Thing")
_Way = Mapping[str, Any]  # settings by which a server may be reached


class Trial(NamedTuple):
    """A mailbox that works both ways: its settings, and what is open."""

    home: Home
    box: "ImapMailbox"
    post: Connections

    def close(self) -> None:
        """Close the connections."""
        self.box.close()
        self.post.close()


# Logging in


def reading(
    root: str, config: Config, server: str, done: str
) -> tuple[Config, "ImapMailbox"]:
    """Open the mailbox at this server: the settings that work. Mails that are done go
    to the folder with this use, if there is one. Raises CannotFetch."""

    def opened(config: Config) -> tuple[Config, "ImapMailbox"]:
        box = open_imap(Home(root, config))
        folder = box.special_folder(done) if done else ""
        if not folder:
            return config, box
        box.close()
        config = config._replace(done=folder)
        return config, open_imap(Home(root, config))

    return _first(config, ways_in(server), opened)


def sending(root: str, config: Config, server: str) -> tuple[Config, Connections]:
    """Log in to this server for letters: the settings that work. Raises LoginRefused or
    CannotSend."""

    def begun(config: Config) -> tuple[Config, Connections]:
        post = Connections(root, config)
        post.begin()
        return config, post

    return _first(config, ways_out(server), begun)


def _first(
    config: Config, ways: Sequence[_Way], use: Callable[[Config], _Thing]
) -> _Thing:
    """What the first of these ways that works leads to. Raises the error of the first.
    Where a name, a password or a certificate is wrong, no other way is tried."""
    failed: CannotFetch | CannotSend | None = None
    for way in ways:
        try:
            return use(config._replace(**way))
        except LoginRefused:
            raise
        except (CannotFetch, CannotSend) as error:
            failed = failed or error
            if is_about_certificate(error):
                break
    assert failed is not None
    raise failed


def is_about_certificate(error: Exception) -> bool:
    """Whether a server could not prove that it is the right one."""
    return isinstance(error.__context__, ssl.SSLCertVerificationError)


def ways_in(server: str) -> Sequence[_Way]:
    """TLS from the start, or by STARTTLS: the usual port says which."""
    host, port = _split(server)
    if port in ("", "993"):
        implicit = [{"fetch": f"imaps://{host}"}]
        return implicit if port else [*implicit, {"fetch": f"imap://{host}"}]
    if port == "143":
        return [{"fetch": f"imap://{host}"}]
    return [{"fetch": f"{kind}://{host}:{port}"} for kind in ("imaps", "imap")]


def ways_out(server: str) -> Sequence[_Way]:
    """As for mail that comes in."""
    host, port = _split(server)
    if port in ("465", "587", ""):
        ports = [port] if port else ["465", "587"]
        return [{"smtp": f"{host}:{each}", "tls": ""} for each in ports]
    return [{"smtp": server, "tls": kind} for kind in ("implicit", "starttls")]


def _split(server: str) -> tuple[str, str]:
    match = re.fullmatch(r"(\[.*\]|[^:]*)(?::(\d+))?", server)
    assert match is not None
    return match[1], match[2] or ""


# A letter to itself


def place_of_tokens(trial: Trial, dialogue: Dialogue) -> str:
    """Where letters need their reply tokens (`reply_token`), as a letter shows that the
    mailbox sends to itself; empty if that does not come back. Raises CannotSend and
    CannotFetch."""
    dialogue.say("It writes a letter to itself now, which may take a minute.")
    address = trial.home.config.address
    letter = _letter(address, address)
    back = _returned(trial, letter) or _in_junk(trial, letter, dialogue)
    if not back:
        dialogue.say(
            "The letter has not come back, so I do not know whether your provider "
            "changes the ids of letters. If replies to letters are not understood, "
            'please type "pbm setup" again.'
        )
        return ""
    if back == f"<{letter.name}@{trial.home.config.domain}>":
        dialogue.say("It came back as it was: players can reply to letters.")
        return IN_MESSAGE_ID
    dialogue.say(
        "It came back with another id, by which replies could not be understood. I try "
        "an address with a plus instead."
    )
    other = tagged(address, secrets.token_hex(8))
    with suppress(CannotSend):
        if other and _returned(trial, _letter(address, other)):
            dialogue.say("That works: replies will go to such addresses.")
            return IN_REPLY_TO
    dialogue.say(
        "That does not work. So each letter will end with a line that players must "
        "leave in their replies."
    )
    return IN_TEXT


def _letter(address: str, to: str) -> Letter:
    word = secrets.token_hex(8)
    text = f"This letter from {address} to itself shows whether its mailbox works."
    return Letter(
        key=f"setup.{word}",
        to=(to,),
        subject=f"{_SUBJECT} {word}",
        content=said(fill(text)),
        replied=False,
    )


def _returned(trial: Trial, letter: Letter) -> str:
    """Send a letter, and wait for it: its Message-ID then; empty if it does not come
    back. Raises CannotSend."""
    before = trial.box.mails()
    parcel = packed(letter, trial.home.config)
    for outcome in trial.post.send(parcel).values():
        if outcome.why:
            raise CannotSend(outcome.why)
    looked_at, end = {*before}, monotonic() + _PATIENCE
    while True:
        new = [name for name in trial.box.mails() if name not in looked_at]
        looked_at.update(new)
        message_id = _taken(trial.box, letter, new)
        left = end - monotonic()
        if message_id or left <= 0:
            return message_id
        trial.box.wait(min(left, _LOOK))


def _in_junk(trial: Trial, letter: Letter, dialogue: Dialogue) -> str:
    """Look for a letter in the folder for junk: its Message-ID there; empty if it is
    not there."""
    folder = trial.box.special_folder("Junk")
    if not folder:
        return ""
    config = trial.home.config._replace(folder=folder, done="")
    with closing(open_imap(Home(trial.home.root, config))) as box:
        message_id = _taken(box, letter, box.mails()[-_LAST:])
    if message_id:
        dialogue.say(
            f"It came into the folder {folder}, where the server does not look. Tell "
            "your provider that it is not spam, and better switch the filter off: "
            "mails of players may go there, too."
        )
    return message_id


def _taken(box: "ImapMailbox", letter: Letter, names: Iterable[str]) -> str:
    """Remove the letter if it is one of these mails: its Message-ID; else empty."""
    for name in names:
        head = (box.read(name) or b"").partition(b"\n\n")[0].decode("latin-1")
        if re.search(rf"(?im)^subject:\s*{re.escape(letter.subject)}\s*$", head):
            with suppress(OneMailRefused):  # a server takes no notice of it
                box.remove(name)
            match = re.search(r"(?im)^message-id:\s*(<\S+>)", head)
            return match[1] if match else "<>"
    return ""
