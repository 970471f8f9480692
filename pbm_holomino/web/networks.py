"""The network from which somebody asks: whoever has one address has many beside it."""

import ipaddress
from collections.abc import Collection
from contextlib import suppress

from starlette.requests import HTTPConnection

UNKNOWN = "unknown"
_BITS = {4: 24, 6: 56}  # of an address that one customer has


def network(address: str) -> str:
    """The network of an address, such as `192.0.2.0/24` for `192.0.2.9`: the first 24
    bits of IPv4, also where it is written as IPv6, and the first 56 of IPv6; UNKNOWN
    for what is not an address."""
    with suppress(ValueError):
        ip = ipaddress.ip_address(address.strip().partition("%")[0])
        ip = getattr(ip, "ipv4_mapped", None) or ip
        return str(ipaddress.ip_network((ip, _BITS[ip.version]), strict=False))
    return UNKNOWN


def addresses(words: str) -> frozenset[str]:
    """The addresses in a text, with commas between them, in the form in which the
    system names those that connect: `::1` for `0:0::1`."""
    return frozenset(str(ipaddress.ip_address(w)) for w in words.split(",") if w)


def network_of(http: HTTPConnection, proxies: Collection[str]) -> str:
    """The network from which a request comes: that which a trusted proxy names last, or
    that of the connection. A socket of the file system is reached by a proxy alone."""
    peer = http.client.host if http.client else ""
    if not peer or peer in proxies:
        named = ",".join(http.headers.getlist("X-Forwarded-For")).split(",")
        peer = named[-1].strip() or peer
    return network(peer)
