"""Logging in to the owner's mailbox: the password, and whom it may be shown to."""

import os
import ssl
import stat
from contextlib import suppress

from pbm_holomino.errors import StoreTrouble
from pbm_holomino.mail import programs
from pbm_holomino.store.home import Home

_MOST_SECRET = 1 << 16  # bytes of a file with a password, or of a token
_PATIENCE = 60  # seconds that the command may take


def password(home: Home) -> str:
    """The password of the mailbox, or with `auth: xoauth2` its token: the first line of
    a file, or of what a command prints; or a token that is renewed here. Raises
    StoreTrouble, in which neither the secret nor the command is quoted."""
    config = home.config
    if config.token_file:
        from pbm_holomino.mail import oauth  # few providers want tokens

        return oauth.access(home.named(config.token_file), tls(home))
    if config.password_file:
        path = home.named(config.password_file)
        return _first_line(_content(path), "password_file")
    if config.password_command:
        return _first_line(_printed(config.password_command), "password_command")
    raise StoreTrouble(
        f"There is no password for {config.user} in config.yaml: please set "
        "password_file to a file that holds it."
    )


def stamp(home: Home) -> object:
    """Something that changes with the file of the password, if there is one: then a
    login that was refused is worth another try."""
    file = home.config.token_file or home.config.password_file
    if not file:
        return None
    try:
        found = os.stat(home.named(file))
    except (OSError, ValueError):
        return None
    return found.st_ino, found.st_mtime_ns, found.st_size


def refused(home: Home, secret: str) -> None:
    """Forget a token that a mail server has refused: it may have been taken back."""
    if home.config.token_file:
        from pbm_holomino.mail import oauth

        with suppress(StoreTrouble):
            oauth.distrust(home.named(home.config.token_file), secret)


def xoauth2(user: str, token: str) -> bytes:
    """What a mailbox is told to log in with a token, before base64 (SASL XOAUTH2)."""
    return f"user={user}\x01auth=Bearer {token}\x01\x01".encode()


def tls(home: Home) -> ssl.SSLContext:
    """TLS that checks a server's certificate and its name, against the certificates of
    `tls_ca_file` or the system's. Raises StoreTrouble."""
    file = home.config.tls_ca_file
    try:
        path = home.named(file) if file else None
        return ssl.create_default_context(cafile=path)
    except OSError as error:  # SSLError is one
        raise StoreTrouble(
            f"The certificates in tls_ca_file cannot be read: {error}."
        ) from None


def _content(path: str) -> bytes:
    """What is in a file that only its owner can read."""
    try:
        # without waiting: it may be no file
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        try:
            mode = os.fstat(fd).st_mode
            if not stat.S_ISREG(mode):
                raise StoreTrouble(f"The password_file {path} is not a file.")
            if mode & (stat.S_IRWXG | stat.S_IRWXO):
                raise StoreTrouble(
                    f"Others can read the password_file {path}: please type "
                    f'"chmod 600 {path}", and change the password if they may have.'
                )
            return os.read(fd, _MOST_SECRET)
        finally:
            os.close(fd)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise StoreTrouble(f"The password_file {path} cannot be read: {why}.") from None


def _printed(command: str) -> bytes:
    """What a command of the shell prints."""
    advice = "please run it by hand, as the account of this server"
    try:
        words = ["/bin/sh", "-c", command]
        status, said = programs.run(words, b"", _PATIENCE, hears="stdout")
    except OSError as error:
        raise StoreTrouble(
            f"The password_command does not work ({error}): {advice}."
        ) from None
    if status:
        raise StoreTrouble(f"The password_command failed with {status}: {advice}.")
    return said


def _first_line(content: bytes, key: str) -> str:
    line = content[:_MOST_SECRET].partition(b"\n")[0].removesuffix(b"\r")
    try:
        secret = line.decode()
    except UnicodeDecodeError:
        raise StoreTrouble(f"The first line of the {key} is not UTF-8.") from None
    if not secret or "\0" in secret:
        raise StoreTrouble(f"The first line of the {key} is not a password.")
    return secret
