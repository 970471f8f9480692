"""Tokens for a mailbox whose provider takes no passwords (OAuth 2).

The owner signs in once, in a browser, with a code that `pbm setup` shows (RFC 8628).
What comes of it is a refresh token, in a file that only the owner can read (mode 0600).
It brings access tokens, each of them good for about an hour, which log in by XOAUTH2.
A provider may give another refresh token with each of them: that is durable before the
access token is used, and the one before is kept until it has served, should it be void.
"""

import json
import os
import ssl
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any
from urllib.parse import urlencode, urlsplit

from pbm_holomino.errors import NotAllowed, StoreTrouble
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.store.files import disk

DAY = 86_400
_EARLY = 300  # seconds before its end in which an access token is not used any more
_PAUSE = 600  # seconds after a refusal in which nobody asks again
_PATIENCE = 30.0  # seconds for each request
_MOST = 100_000  # bytes of an answer, or of the file
_SLOWER = 5  # seconds more between two questions, where a server wants it (RFC 8628)
_MOST_INTERVAL = 60  # seconds between two of them
_DEVICE = "urn:ietf:params:oauth:grant-type:device_code"
# The errors by which a server for tokens says that it fails, for now. All others refuse
# what was asked, and providers have many of their own.
_FAILURES = ("server_error", "temporarily_unavailable", "slow_down")
_ASKED = {"access_token", "device_code"}


class SignIn(NamedTuple):
    """Where a provider has owners sign in: its servers for codes and for tokens, what
    is asked of it, and what an owner does there before."""

    device: str
    token: str
    scope: str
    steps: tuple[str, ...] = ()


class Grant(NamedTuple):
    """What an owner has granted by signing in: for which client, by which server for
    tokens; the refresh token, and the one before; the access token, until when it is
    good, and when it came; and why the last renewal was refused, and when. Times are in
    seconds of the epoch."""

    client: str
    token: str
    scope: str
    refresh: str
    previous: str = ""
    access: str = ""
    expires: float = 0
    renewed: float = 0
    refused: str = ""
    refused_at: float = 0

    def is_fresh(self, now: float) -> bool:
        """Whether the access token serves: not after a day, and not if the clock has
        been set back meanwhile, as nobody knows by how much."""
        age = now - self.renewed
        return bool(self.access) and 0 <= age < DAY and now < self.expires - _EARLY

    def is_refused(self, now: float) -> bool:
        """Whether it was refused so lately that nobody should ask again."""
        return bool(self.refused) and 0 <= now - self.refused_at < _PAUSE


# The file


def read(path: str) -> Grant:
    """The grant in a file. Raises StoreTrouble, in which no token is quoted."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        try:
            if os.fstat(fd).st_mode & 0o077:
                raise StoreTrouble(
                    f"Others can read the token_file {path}: please type "
                    f'"chmod 600 {path}", and "pbm setup" again if they may have.'
                )
            data = json.loads(os.read(fd, _MOST))
        finally:
            os.close(fd)
        grant = Grant(**{name: data[name] for name in Grant._fields if name in data})
        for name, value in grant._asdict().items():
            is_time = name in ("expires", "renewed", "refused_at")
            if not isinstance(value, int | float if is_time else str):
                raise ValueError
    except (OSError, RecursionError, TypeError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is damaged"
        raise StoreTrouble(
            f'The token_file {path} cannot be read: {why}. "pbm setup" makes it anew.'
        ) from None
    return grant


def save(path: str, grant: Grant) -> None:
    """Keep a grant, durably: the file is the one before or this one, whole. Raises
    StoreTrouble."""
    with _staged(path, grant) as staged:
        os.rename(staged, path)
        disk.sync(os.path.dirname(path) or ".")


def _check_room(path: str, grant: Grant) -> None:
    """Raise StoreTrouble if a grant like this one could not be saved. A server may take
    a refresh token back as soon as it is used: what comes in its place must not be lost
    for want of room. The file itself stays as it is, as others see when it changes."""
    with _staged(path, grant) as staged:
        os.unlink(staged)


@contextmanager
def _staged(path: str, grant: Grant) -> Iterator[str]:
    """A durable file with a grant, beside the one at a path. Raises StoreTrouble."""
    text = json.dumps(grant._asdict(), indent=1).encode()
    staged = f"{path}.tmp"
    try:
        disk.write(staged, text, durably=True)
        yield staged
    except OSError as error:
        raise StoreTrouble(
            f"The token_file {path} cannot be written: {error.strerror}."
        ) from None


@contextmanager
def _alone(path: str) -> Iterator[None]:
    """Keep others from renewing the tokens in a file."""
    release = disk.lock_file(f"{path}.lock", 3 * _PATIENCE)
    if release is None:
        raise StoreTrouble(
            "Another process has been renewing the tokens of the mailbox for long: "
            "please try again later."
        )
    try:
        yield
    finally:
        release()


# Access tokens


def access(path: str, tls: ssl.SSLContext) -> str:
    """An access token that serves now, by the grant in this file, which is renewed for
    it if need be. Raises StoreTrouble."""
    grant = read(path)
    if not grant.is_fresh(time.time()):
        grant = renewed(path, tls)
    return grant.access


def renewed(path: str, tls: ssl.SSLContext) -> Grant:
    """The grant in this file, renewed unless somebody else has just done that. Raises
    StoreTrouble."""
    with _alone(path):
        grant, now = read(path), time.time()
        if grant.is_fresh(now):
            return grant
        if grant.is_refused(now):
            raise refusal(grant)
        _check_room(path, grant)
        said: Mapping[str, Any] = {}
        for refresh in filter(None, (grant.refresh, grant.previous)):
            said = _asked_to_renew(grant, refresh, tls)
            if "access_token" in said:
                fresh = granted(grant._replace(refresh=refresh), said, now)
                save(path, fresh)
                return fresh
        grant = grant._replace(access="", refused=_why(said), refused_at=now)
        save(path, grant)
        raise refusal(grant)


def distrust(path: str, token: str) -> None:
    """Forget an access token that a mail server has refused, though it has been used
    for a while: the next login asks for another one. Raises StoreTrouble."""
    if time.time() - read(path).renewed > _PAUSE:
        with _alone(path):
            grant = read(path)
            if grant.access == token:
                save(path, grant._replace(access=""))


def granted(grant: Grant, said: Mapping[str, Any], now: float) -> Grant:
    """The grant after a server for tokens has said this."""
    refresh = str(said.get("refresh_token") or grant.refresh)
    return grant._replace(
        refresh=refresh,
        previous=grant.refresh if refresh != grant.refresh else grant.previous,
        access=str(said["access_token"]),
        expires=now + _seconds(said, "expires_in", 3600),
        renewed=now,
        refused="",
        refused_at=0,
    )


def _asked_to_renew(
    grant: Grant, refresh: str, tls: ssl.SSLContext
) -> Mapping[str, Any]:
    fields = {
        "grant_type": "refresh_token",
        "client_id": grant.client,
        "refresh_token": refresh,
        "scope": grant.scope,
    }
    return _post(grant.token, fields, tls)


def refusal(grant: Grant) -> StoreTrouble:
    """The error about a grant that was refused."""
    return StoreTrouble(
        f"The mailbox's provider has refused to renew its token ({grant.refused}): "
        'please type "pbm setup" and sign in there again.'
    )


# Signing in


class Code(NamedTuple):
    """What an owner types in a browser, and where; what tells the server which code it
    was, how many seconds there are between two questions, and until when it is good."""

    user: str
    page: str
    device: str
    interval: float
    seconds: float


def begun(sign_in: SignIn, client: str, tls: ssl.SSLContext) -> Code:
    """A code by which an owner signs in for this client. Raises NotAllowed if the
    server refuses the client, or StoreTrouble."""
    fields = {"client_id": client, "scope": sign_in.scope}
    said = _post(sign_in.device, fields, tls)
    try:
        return Code(
            str(said["user_code"]),
            str(said.get("verification_uri") or said["verification_url"]),
            str(said["device_code"]),
            _seconds(said, "interval", 5, _MOST_INTERVAL),
            _seconds(said, "expires_in", 900),
        )
    except KeyError:
        raise NotAllowed(
            f"The provider does not take this client id: {_why(said)}. Please look at "
            "the steps of the registration again."
        ) from None


def waited_for(sign_in: SignIn, client: str, code: Code, tls: ssl.SSLContext) -> Grant:
    """The grant, when the owner has signed in with a code. Raises NotAllowed if they
    refuse, or take too long, or StoreTrouble if the server fails to the end."""
    fields = {"grant_type": _DEVICE, "client_id": client, "device_code": code.device}
    end, interval = time.monotonic() + code.seconds, code.interval
    trouble = None
    while time.monotonic() < end:
        time.sleep(interval)
        try:
            said = _post(sign_in.token, fields, tls)
        except StoreTrouble as error:  # the owner is typing the code meanwhile
            trouble = error
            interval = min(interval + _SLOWER, _MOST_INTERVAL)
            continue
        trouble = None
        if "access_token" in said and "refresh_token" in said:
            grant = Grant(client, sign_in.token, sign_in.scope, "")
            return granted(grant, said, time.time())._replace(previous="")
        if "access_token" in said:
            raise NotAllowed(
                "The provider gives no refresh token: the registration lacks the "
                "permission offline_access."
            )
        if said.get("error") != "authorization_pending":
            raise NotAllowed(f"Nobody has signed in: {_why(said)}.")
    raise trouble or NotAllowed(
        "Nobody has signed in: the code was good for too short a time."
    )


# Requests


def _seconds(
    said: Mapping[str, Any], name: str, usual: float, most: float = 10 * 365 * DAY
) -> float:
    """The seconds that a server says, if they can be some; the usual ones otherwise."""
    try:
        seconds = float(said[name])
    except (KeyError, TypeError, ValueError, OverflowError):
        return usual
    return seconds if 0 <= seconds <= most else usual


def _why(said: Mapping[str, Any]) -> str:
    """Why a server refuses, in one line without a full stop."""
    text = str(said.get("error_description") or said.get("error") or "no reason given")
    line = " ".join(text.split())[:200]
    return "".join(c if c.isprintable() else "?" for c in line).rstrip(".")


def _post(url: str, fields: Mapping[str, str], tls: ssl.SSLContext) -> dict[str, Any]:
    """What a server says to a form, as JSON: what was asked for, or why it refuses. No
    redirect is followed. Raises StoreTrouble if it fails."""
    parts = urlsplit(url)
    connection: HTTPConnection
    if parts.scheme == "https":
        connection = HTTPSConnection(parts.netloc, timeout=_PATIENCE, context=tls)
    else:
        raise StoreTrouble(f"Tokens are asked for by https alone, not at {url}.")
    try:
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        headers["Accept"] = "application/json"
        connection.request("POST", parts.path or "/", urlencode(fields), headers)
        response = connection.getresponse()
        said = json.loads(response.read(_MOST))
        if not isinstance(said, dict):
            raise ValueError
    except (OSError, HTTPException) as error:  # one about a certificate is a ValueError
        raise _unusable(parts.hostname, str(error) or "no answer") from None
    except (ValueError, RecursionError):
        raise _unusable(parts.hostname, "its answer cannot be read") from None
    finally:
        connection.close()
    refused = said.get("error")
    if refused in _FAILURES or not (refused or _ASKED & said.keys()):
        raise _unusable(parts.hostname, _why(said))
    return said


def _unusable(host: str | None, why: str) -> StoreTrouble:
    return StoreTrouble(f"The server for tokens at {host} cannot be used: {why}.")
