"""`pbm setup`: ask for a mailbox, try it both ways, and write config.yaml."""

import os
import re
import ssl
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from typing import Any

from pbm_holomino.commands.request import Answer, Request
from pbm_holomino.errors import CannotFetch, CannotSend, LoginRefused, NotAllowed
from pbm_holomino.fetch.contract import Mailbox
from pbm_holomino.fetch.progress import Lease, fetching
from pbm_holomino.fetch.stopping import Stopping
from pbm_holomino.mail import login, oauth
from pbm_holomino.mail.oauth import Grant, SignIn
from pbm_holomino.match.account import is_address
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.owner import asking, providers, trial
from pbm_holomino.owner.asking import Dialogue
from pbm_holomino.owner.providers import Provider
from pbm_holomino.owner.trial import Trial
from pbm_holomino.sentences import fill
from pbm_holomino.store import config as settings
from pbm_holomino.store.config import Config
from pbm_holomino.store.files import disk
from pbm_holomino.store.files.folders import READING, WRITING
from pbm_holomino.store.home import Home, open_home, open_store

_CONFIG = "config.yaml"  # a file in the home, as those are with secrets:
_SECRETS = {"password_file": "password", "token_file": "tokens"}
_STAGED = ".new"  # the end of the names of files that are not valid yet
_HEAD = b'# Written by "pbm setup"; "pbm sample config" lists all settings.\n'
_OF_MAILBOX = {
    key: Config._field_defaults[key]
    for key in ("user", "letters_per_day", "folder", "done")
}
_UNTOUCHED = "Nothing has been changed.\n"
_ALONE = (
    "The server needs a mailbox of its own: every mail that comes there is taken as a "
    "command, and is deleted when it has been carried out. Ctrl-C ends this at any "
    "time; nothing is changed before the end."
)
_UNKNOWN = (
    "I do not know the provider of this address. Its help pages say which servers mail "
    "programs use."
)
_USUAL_ADVICE = (
    "Please check the address and the password. Many providers want an app password in "
    "place of your usual one, and some have IMAP switched off until you allow it in "
    "the settings of the mailbox. If you log in by another name than the address, put "
    "both into config.yaml first, as user and address."
)
_OTHER_MAILBOX = (
    "Perhaps another account than {address} has signed in, or IMAP or SMTP is switched "
    "off for the mailbox."
)
_NOT_FROM_HERE = (
    "Please check at your provider whether programs may send letters from this address."
)
_UNREACHABLE = "Please check the name of the server and your connection."
_CERTIFICATE = (
    "So this may not be the right server. If it is, and has a certificate of its own, "
    "name the file with that in config.yaml, as tls_ca_file."
)


class _Asked(NamedTuple):
    """What the owner has answered, but for the password."""

    address: str
    owner: str
    name: str
    imap: str
    smtp: str
    provider: Provider | None


def run(request: Request) -> Answer:
    """Ask, try, and write. Raises PbmError if the mailbox cannot be used."""
    return set_up(open_home(), asking.dialogue())


def set_up(home: Home, dialogue: Dialogue) -> Answer:
    """Ask the owner, try the mailbox, and write the settings of the home."""
    path = os.path.realpath(home.path(_CONFIG))
    change = f"There is {path} already. Shall I change the mailbox in it?"
    is_there = os.path.exists(path)
    if is_there and not dialogue.is_yes(change, default=False):
        return Answer(_UNTOUCHED)
    # an owner who ends this at a question has not even made a folder
    asked = None if is_there else _ask(dialogue, home.config)
    with (
        closing(open_store(home)) as store,
        fetching(home, store) as lease,
        ExitStack() as files,
    ):
        staged = {
            key: files.enter_context(_staged(os.path.abspath(home.path(name))))
            for key, name in _SECRETS.items()
        }
        if is_there:
            lease.keep()  # an owner who gives up before has made no document
        asked = asked or _ask(dialogue, home.config)
        with closing(_tried(dialogue, home, asked, staged)) as trial:
            earlier = _left_alone(trial.box, dialogue)
            place = _place_of_tokens(trial, dialogue)
        config = trial.home.config
        config = config._replace(
            reply_token=place or home.config.reply_token,
            password_file=_SECRETS["password_file"] if config.password_file else "",
            token_file=_SECRETS["token_file"] if config.token_file else "",
        )
        text = settings.edited(_text(path), _changes(home.config, config))
        settings.from_text(text)
        written = [staged[key] for key in _SECRETS if getattr(config, key)]
        stopping = Stopping("pbm setup")
        with stopping.listening(), stopping.held():  # Ctrl-C comes too late
            _write(path, text, written, lease, earlier)
    return Answer(_farewell(path, config))


# The questions


def _ask(dialogue: Dialogue, before: Config) -> _Asked:
    dialogue.say(_ALONE)
    address = dialogue.ask(
        "The server's mail address", _address, before.address if before.user else ""
    )
    provider = providers.of_address(address)
    if provider is None:
        imap, smtp, provider = _ask_for_servers(dialogue, address, before)
    elif provider.unfit:
        raise NotAllowed(f"{provider.unfit} Please use a mailbox somewhere else.")
    else:
        imap, smtp = provider.imap, provider.smtp
    owner = dialogue.ask(
        "Your own address, for news of the server (Enter for none)",
        lambda word: _owner(word, address),
        before.owner,
    )
    name = dialogue.ask(
        "The server's name in letters", _name, before.name or "Games by mail"
    )
    if provider is not None:
        dialogue.say(provider.advice)
    return _Asked(address, owner, name, imap, smtp, provider)


def _ask_for_servers(
    dialogue: Dialogue, address: str, before: Config
) -> tuple[str, str, Provider | None]:
    """The servers of an address, and the provider that has them, if it is known."""
    dialogue.say(_UNKNOWN)
    domain = address.rpartition("@")[2]
    imap, smtp = f"imap.{domain}", ""
    if address == before.address:  # but not what is no server, or not in use
        imap = before.fetch.partition("://")[2] or imap
        smtp = before.smtp if before.send == "smtp" else ""
    imap = dialogue.ask("Its server for incoming mail (IMAP)", _server, imap)
    provider = providers.of_server(imap)
    if provider is not None:
        return imap, provider.smtp, provider
    smtp = smtp or re.sub(r"^imap\.", "smtp.", imap.partition(":")[0])
    smtp = dialogue.ask("Its server for outgoing mail (SMTP)", _server, smtp)
    return imap, smtp, None


def _address(word: str) -> str:
    if not is_address(word):
        raise NotAllowed("A mail address looks like games@example.org.")
    return word


def _owner(word: str, address: str) -> str:
    if word.lower() == address.lower():
        raise NotAllowed("That is the server's own address: it would write to itself.")
    return _address(word) if word else ""


def _name(word: str) -> str:
    if len(word) > settings.MOST_NAME or not word.isprintable():
        raise NotAllowed(f"A name has at most {settings.MOST_NAME} letters.")
    return word


def _server(word: str) -> str:
    if not settings.is_server(word):
        raise NotAllowed(
            "A server looks like imap.example.org, or imap.example.org:993 with a port."
        )
    return word


def _secret(
    dialogue: Dialogue, asked: _Asked, home: Home, staged: Mapping[str, str]
) -> dict[str, Any]:
    """Ask for the password, or how to get it: the settings for it. A password or a
    token is in its staged file then."""
    auth = asked.provider.auth if asked.provider else "password"
    settings = {"auth": auth, "password_command": "", **dict.fromkeys(_SECRETS, "")}
    secret = ""
    if sign_in := asked.provider and asked.provider.sign_in:
        if client := _client(dialogue, sign_in):
            oauth.save(
                staged["token_file"],
                _signed_in(dialogue, asked.address, sign_in, client, login.tls(home)),
            )
            return {**settings, "token_file": staged["token_file"]}
    elif auth == "password":
        secret = dialogue.secret(
            "Its password (hidden; press Enter to name a command instead)"
        )
    if not secret:
        what = "the password" if auth == "password" else "a token"
        command = dialogue.ask(f"A command that prints {what}", _command)
        return {**settings, "password_command": command}
    if asked.provider is not None and asked.provider.blanks:
        secret = secret.replace(" ", "")
    with WRITING:
        disk.write(staged["password_file"], f"{secret}\n".encode(), durably=True)
    return {**settings, "password_file": staged["password_file"]}


def _client(dialogue: Dialogue, sign_in: SignIn) -> str:
    """The id of the owner's own registration at the provider; empty if a command is to
    be named in its place."""
    for number, step in enumerate(sign_in.steps, 1):
        dialogue.say(f"{number}. {step}")
    return dialogue.ask(
        "The client id of your registration (Enter to name a command instead)", _id
    )


def _id(word: str) -> str:
    if not word.isprintable() or " " in word:
        raise NotAllowed(
            "A client id is one word, such as 00000000-0000-0000-0000-000000000000."
        )
    return word


def _signed_in(
    dialogue: Dialogue,
    address: str,
    sign_in: SignIn,
    client: str,
    tls: ssl.SSLContext,
) -> Grant:
    """What the owner grants in a browser. Raises PbmError."""
    code = oauth.begun(sign_in, client, tls)
    dialogue.say(
        f"Now open {code.page} in any browser, type the code {code.user} there, and "
        f"sign in as {address}: as nobody else, even if the browser knows somebody "
        f"else. I wait for it, for {round(code.seconds / 60)} minutes at most."
    )
    grant = oauth.waited_for(sign_in, client, code, tls)
    dialogue.say("Signed in.")
    return grant


def _command(word: str) -> str:
    if not word or not word.isprintable():
        raise NotAllowed("Please type a command, such as: pass show games")
    return word


# Whether it works


def _tried(
    dialogue: Dialogue, home: Home, asked: _Asked, staged: Mapping[str, str]
) -> Trial:
    """Log in both ways, with another password if one is refused. Raises NotAllowed,
    which says what to do."""
    provider = asked.provider
    while True:
        secret = _secret(dialogue, asked, home, staged)
        config = _begun(asked, home.config)._replace(**secret)
        try:
            done = provider.done if provider else ""
            reading, box = trial.reading(home.root, config, asked.imap, done)
            dialogue.say(f"Reading mail at {asked.imap} works.")
            try:
                sending, post = trial.sending(home.root, reading, asked.smtp)
            except BaseException:
                box.close()
                raise
            dialogue.say(f"Sending mail at {asked.smtp} works.")
            return Trial(Home(home.root, sending), box, post)
        except LoginRefused as refusal:
            advice = provider.advice if provider else _USUAL_ADVICE
            if secret["token_file"]:
                advice = _OTHER_MAILBOX.format(address=asked.address)
            dialogue.say(f"{refusal.complaint}. {advice}")
        except (CannotFetch, CannotSend) as error:
            is_doubtful = trial.is_about_certificate(error)
            advice = _CERTIFICATE if is_doubtful else _UNREACHABLE
            raise NotAllowed(f"{error} {advice} {_UNTOUCHED.strip()}") from None


def _begun(asked: _Asked, before: Config) -> Config:
    """The settings that are known before the mailbox is tried. What was set for another
    mailbox is forgotten."""
    if before.user and before.address != asked.address:
        before = before._replace(**_OF_MAILBOX)
    most = asked.provider.letters_per_day if asked.provider else 0
    return before._replace(
        address=asked.address,
        name=asked.name,
        owner=asked.owner,
        send="smtp",
        user=before.user or asked.address,
        envelope=_envelope(asked.address, before),
        letters_per_day=before.letters_per_day or most,
    )


def _envelope(address: str, before: Config) -> str:
    """The envelope sender: one that was set for this address stays."""
    is_kept = before.envelope and before.address == address
    return before.envelope if is_kept else address


def _left_alone(box: Mailbox, dialogue: Dialogue) -> str:
    """The last of the mails that are there and are to be left alone, if any."""
    mails = box.mails()
    if not mails:
        dialogue.say("The mailbox is empty, as it should be.")
        return ""
    count = "is 1 mail" if len(mails) == 1 else f"are {len(mails)} mails"
    dialogue.say(
        f"There {count} in the mailbox already. Taken as commands, they would be "
        "answered and deleted."
    )
    is_kept = dialogue.is_yes("Leave alone what is there?", default=True)
    return mails[-1] if is_kept else ""


def _place_of_tokens(tried: Trial, dialogue: Dialogue) -> str:
    """Where letters need their reply tokens; empty if that is not known. Raises
    NotAllowed if no letter can leave."""
    try:
        return trial.place_of_tokens(tried, dialogue)
    except CannotSend as error:
        raise NotAllowed(f"{error} {_NOT_FROM_HERE} {_UNTOUCHED.strip()}") from None


# What is written


@contextmanager
def _staged(path: str) -> Iterator[str]:
    """The path of a file in this block that may take the place of another."""
    try:
        yield path + _STAGED
    finally:
        with suppress(FileNotFoundError):
            os.unlink(path + _STAGED)


def _text(path: str) -> bytes:
    """The text of config.yaml."""
    with READING:
        try:
            with open(path, "rb") as file:
                return file.read()
        except FileNotFoundError:
            return _HEAD


def _changes(before: Config, after: Config) -> dict[str, str]:
    """The settings that are others now."""
    pairs = zip(Config._fields, before, after, strict=True)
    return {key: str(word) for key, old, word in pairs if word != old}


def _write(
    path: str, text: bytes, secrets: Sequence[str], lease: Lease, earlier: str
) -> None:
    """Write it all. The settings come last: without them, the rest means nothing.
    What was known of mails may be of those of another mailbox, with the same names."""
    lease.keep()
    lease.progress = lease.progress.of_new_mailbox(earlier)
    lease.save()
    with WRITING, _staged(path) as staged:
        disk.write(staged, text, durably=True)
        for secret in secrets:
            os.rename(secret, secret.removesuffix(_STAGED))
        os.rename(staged, path)
        disk.sync(os.path.dirname(path))


def _farewell(path: str, config: Config) -> str:
    files = f"{path} is written"
    for key, what in (("password_file", "password is"), ("token_file", "tokens are")):
        if getattr(config, key):
            files += f", and the {what} in {_SECRETS[key]} beside it, for you alone"
    return fill(
        f'{files}. Now type "pbm run": it is the whole server, until you stop it. To '
        f"see it work, send a mail with the Subject help to {config.address}. "
        '"pbm help mailbox" says more.',
        whole_words=True,
    )
