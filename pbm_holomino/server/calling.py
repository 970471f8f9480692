"""Requests to services that tell players something. Each takes little time in all,
however slowly it is answered, and no redirect is followed.

Addresses that players have named learn nothing of this machine or of what is near it:
the host is resolved once, and the connection goes to the first of the addresses found
that takes one. They are public ones, unless the owner has named the host.
"""

import socket
import ssl
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import closing
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from threading import BoundedSemaphore, Thread
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

from pbm_holomino.match.notices import host_of, is_listed, may_call

SECONDS = 10.0  # that a request may take, with the time to find its host
_MOST_READ = 1024  # bytes of an answer, of which the first line is wanted
_TRANSLATED = ip_network("64:ff9b::/96")  # an IPv4 address is in it (RFC 6052)


def post(
    url: str, headers: Mapping[str, str], body: bytes, hosts: Sequence[str]
) -> bool:
    """POST this to an address, if its host is one of those that may be called (see
    `notices.may_call`). Whether it was taken. Raises OSError or ValueError if nobody is
    there, or the answer is none."""
    if not may_call(url, hosts):
        return False
    may_be_private = is_listed(host_of(url), hosts)
    return status(url, headers, body, SECONDS, may_be_private) // 100 == 2


def status(
    url: str,
    headers: Mapping[str, str],
    body: bytes,
    seconds: float,
    may_be_private: bool,
) -> int:
    """The status that answers a POST, within so many seconds. A host that
    `may_be_private` may have an address that is not public. Raises OSError or
    ValueError as `post`."""
    end = monotonic() + seconds
    with closing(_connected(url, may_be_private, end)) as connection:
        connection.settimeout(_left(end))
        connection.sendall(_request(url, headers, body))
        return _status(connection, end)


def _left(end: float) -> float:
    """The seconds that are left. Raises TimeoutError if there are none."""
    if (left := end - monotonic()) <= 0:
        raise TimeoutError
    return left


_Place = tuple[int, tuple[str, int]]  # a family of addresses, and one with its port


def _connected(url: str, may_be_private: bool, end: float) -> socket.socket:
    """A connection to where an address leads, by TLS if it says so."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    port = parts.port or {"https": 443, "http": 80}[parts.scheme]
    connection = _first(_places(_resolved(host, port, end), may_be_private), end)
    try:
        if parts.scheme == "https":
            context = ssl.create_default_context()
            connection.settimeout(_left(end))
            connection = context.wrap_socket(connection, server_hostname=host)
    except BaseException:
        connection.close()
        raise
    return connection


def _first(places: Iterable[_Place], end: float) -> socket.socket:
    """A connection to the first of these places that takes one."""
    refused: OSError = ConnectionRefusedError()
    for family, at in places:
        try:
            return _at(family, at, end)
        except OSError as error:
            refused = error
    raise refused


def _at(family: int, at: tuple[str, int], end: float) -> socket.socket:
    connection = socket.socket(family, socket.SOCK_STREAM)
    try:
        connection.settimeout(_left(end))
        connection.connect(at)
    except BaseException:
        connection.close()
        raise
    return connection


_Found = Sequence[tuple[Any, ...]]  # as getaddrinfo has it

# Name servers that keep silent hold no more threads than these.
_RESOLVING = BoundedSemaphore(16)


def _resolved(host: str, port: int, end: float) -> _Found:
    """What getaddrinfo finds. It has no limit of its own: a thread waits for it, and
    nobody for the thread. Raises OSError, as TimeoutError after the end."""
    if not _RESOLVING.acquire(timeout=_left(end)):
        raise TimeoutError
    found: Future[_Found] = Future()
    Thread(target=_resolve, args=(host, port, found), daemon=True).start()
    return found.result(timeout=_left(end))


def _resolve(host: str, port: int, found: "Future[_Found]") -> None:
    try:
        found.set_result(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
    except BaseException as error:
        found.set_exception(error)
    finally:
        _RESOLVING.release()


def _places(found: _Found, may_be_private: bool) -> Iterator[_Place]:
    """Where a host is: any of its addresses, or the public ones; with the port."""
    for family, _, _, _, (address, port, *_) in found:
        if may_be_private or is_public(str(address)):
            yield family, (address, port)


def is_public(address: str) -> bool:
    """Whether an IP address is one of the internet, and leads to no other one."""
    try:
        ip = ip_address(address)
    except ValueError:  # with a zone, as fe80::1%eth0 has
        return False
    if isinstance(ip, IPv4Address):
        return _is_public(ip)
    if ip.ipv4_mapped is not None:
        return _is_public(ip.ipv4_mapped)
    leads_on = ip.sixtofour is not None or ip.teredo is not None or ip in _TRANSLATED
    return _is_public(ip) and not leads_on


def _is_public(ip: IPv4Address | IPv6Address) -> bool:
    return ip.is_global and not ip.is_multicast


def _request(url: str, headers: Mapping[str, str], body: bytes) -> bytes:
    parts = urlsplit(url)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    head = {
        "Host": parts.netloc,
        "User-Agent": "pbm",
        "Content-Length": str(len(body)),
        "Connection": "close",
        **headers,
    }
    lines = [f"POST {path} HTTP/1.1", *(f"{name}: {head[name]}" for name in head)]
    return "\r\n".join([*lines, "", ""]).encode("ascii") + body


def _status(connection: socket.socket, end: float) -> int:
    """The status of an answer, whose first line is read. Raises ValueError."""
    read = b""
    while b"\n" not in read and len(read) < _MOST_READ:
        connection.settimeout(_left(end))
        more = connection.recv(_MOST_READ - len(read))
        if not more:
            break
        read += more
    _, status, *_ = read.split(b" ", 2)
    return int(status[:3])
