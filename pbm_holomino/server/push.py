"""Tells browsers that it is somebody's turn, by the push services of their makers.

A message is the name of a board, encrypted so that only the browser can read it (RFC
8291), and signed by a key that follows from the server's own (VAPID, RFC 8292).
"""

import hashlib
import hmac
import json
import os
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator
from contextlib import suppress
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from pbm_holomino.match.push import Subscription, Subscriptions
from pbm_holomino.server import calling

_CURVE = ec.SECP256R1()
_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
_SECONDS = 5.0  # that all browsers of a player may take
_HOURS = 12  # for which a signature is good, and a message is kept for a browser
_RECORD = 4096  # bytes, at most
_GONE = (404, 410)  # the statuses of a subscription that has ended


def encoded(data: bytes) -> str:
    """Bytes in base64url, without padding."""
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    """The bytes of a text in base64url."""
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def public_key(key: bytes) -> str:
    """What a browser knows the server by whose key this is."""
    return encoded(_point(_own(key)))


def tell(
    subscriptions: Subscriptions, board: str, key: bytes, web: str
) -> Iterator[Subscription]:
    """Tell these browsers of a board such as `holo/12`, the latest first, as long as
    there is time; those that are not there any more. `web` is the address of the front
    page, by which a service knows whom to ask."""
    end = time.monotonic() + _SECONDS
    for one in reversed(subscriptions):
        left = end - time.monotonic()
        if left <= 0:
            return
        with suppress(OSError, ValueError):
            if _status(one, board, key, web, left) in _GONE:
                yield one


def _status(to: Subscription, board: str, key: bytes, web: str, seconds: float) -> int:
    """The status with which a service answers. It may be at any address, as it proves
    who it is by its certificate."""
    url = urlsplit(to.endpoint)
    body = encrypted(
        board.encode(),
        decoded(to.key),
        decoded(to.auth),
        ec.generate_private_key(_CURVE),
        os.urandom(16),
    )
    headers = {
        "Authorization": _signed(_own(key), f"https://{url.netloc}", web),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(_HOURS * 3600),
        "Urgency": "normal",
    }
    return calling.status(to.endpoint, headers, body, seconds, may_be_private=True)


def encrypted(
    text: bytes,
    theirs: bytes,
    secret: bytes,
    ours: ec.EllipticCurvePrivateKey,
    salt: bytes,
) -> bytes:
    """A message for the browser with this public key and secret, by a private key and a
    salt that are used once. Raises ValueError if theirs is no key."""
    shared = ours.exchange(
        ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(_CURVE, theirs)
    )
    point = _point(ours)
    material = _derived(shared, secret, b"WebPush: info\0" + theirs + point, 32)
    content_key = _derived(material, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derived(material, salt, b"Content-Encoding: nonce\0", 12)
    head = salt + _RECORD.to_bytes(4) + bytes([len(point)]) + point
    sealed: bytes = AESGCM(content_key).encrypt(nonce, text + b"\2", None)
    return head + sealed


def _derived(material: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    made: bytes = HKDF(SHA256(), length, salt, info).derive(material)
    return made


def _own(key: bytes) -> ec.EllipticCurvePrivateKey:
    """The key that signs, which follows from the server's: it need not be kept."""
    number = int.from_bytes(hmac.digest(key, b"web push", hashlib.sha512))
    return ec.derive_private_key(number % (_ORDER - 1) + 1, _CURVE)


def _point(key: ec.EllipticCurvePrivateKey) -> bytes:
    known, form = key.public_key(), PublicFormat.UncompressedPoint
    point: bytes = known.public_bytes(Encoding.X962, form)
    return point


def _signed(key: ec.EllipticCurvePrivateKey, service: str, web: str) -> str:
    """What proves to a service that a message is from this server."""
    head = {"typ": "JWT", "alg": "ES256"}
    claims = {"aud": service, "exp": int(time.time()) + _HOURS * 3600, "sub": web}
    words = ".".join(encoded(json.dumps(each).encode()) for each in (head, claims))
    r, s = decode_dss_signature(key.sign(words.encode(), ec.ECDSA(SHA256())))
    signature = encoded(r.to_bytes(32) + s.to_bytes(32))
    return f"vapid t={words}.{signature}, k={encoded(_point(key))}"
