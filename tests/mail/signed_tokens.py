"""Tokens with which a Dovecot of the tests' own lets users log in (XOAUTH2)."""

import hmac
import json
import time
from base64 import b64encode, urlsafe_b64encode
from pathlib import Path

_SETTINGS = """\
introspection_mode = local
local_validation_key_dict = fs:posix:prefix={folder}/keys/
username_attribute = sub
"""
_KEY = bytes(range(32))  # under which they are signed


def token(user: str, seconds: float = 600) -> str:
    """A token with which a user may log in for so long (RFC 7519)."""
    claims = {"sub": user, "exp": int(time.time() + seconds)}
    parts = ({"alg": "HS256", "typ": "JWT"}, claims)
    text = ".".join(_base64url(json.dumps(part).encode()) for part in parts)
    return f"{text}.{_base64url(hmac.digest(_KEY, text.encode(), 'sha256'))}"


def _base64url(content: bytes) -> str:
    return urlsafe_b64encode(content).decode().rstrip("=")


def write_settings(folder: Path) -> None:
    """The file oauth2.conf for a Dovecot, and the key by which it knows tokens."""
    (folder / "oauth2.conf").write_text(_SETTINGS.format(folder=folder))
    (folder / "keys/default/HS256").mkdir(parents=True)
    (folder / "keys/default/HS256/default").write_bytes(b64encode(_KEY))
