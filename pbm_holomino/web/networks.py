"""The network from which somebody asks: whoever has one address has many beside it."""

import ipaddress
from collections.abc import Container
from contextlib import suppress
from functools import lru_cache

from starlette.requests import HTTPConnection

UNKNOWN = "unknown"
_BITS = {4: 24, 6: 56}  # of an address that one customer has
_LONGEST = 60  # characters, more than an address has


def network(address: str) -> str:
    """The network of an address, such as `192.0.2.0/24` for `192.0.2.9`: the first 24
    bits of IPv4, also where it is written as IPv6, and the first 56 of IPv6; UNKNOWN
    for what is not an address."""
    return _network(address.strip().partition("%")[0][:_LONGEST])


@lru_cache(1000)
def _network(address: str) -> str:
    with suppress(ValueError):
        ip = ipaddress.ip_address(address)
        ip = getattr(ip, "ipv4_mapped", None) or ip
        return str(ipaddress.ip_network((ip, _BITS[ip.version]), strict=False))
    return UNKNOWN


class Proxies:
    """The addresses and networks in a text, with commas between them, such as
    `127.0.0.1,172.18.0.0/16`: those of proxies that say where a request comes from."""

    def __init__(self, words: str) -> None:
        self._in = [ipaddress.ip_network(word) for word in words.split(",") if word]
        self._has = lru_cache(1000)(self._found)

    def __contains__(self, address: object) -> bool:
        return self._has(str(address))

    def _found(self, address: str) -> bool:
        with suppress(ValueError):
            ip = ipaddress.ip_address(address)
            ip = getattr(ip, "ipv4_mapped", None) or ip
            return any(ip in each for each in self._in)
        return False


@lru_cache(1000)
def is_loopback(address: str) -> bool:
    """Whether an address is this machine's alone."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return address == "localhost"
    return (getattr(ip, "ipv4_mapped", None) or ip).is_loopback


def network_of(http: HTTPConnection, proxies: Container[str]) -> str:
    """The network from which a request comes: that which a trusted proxy names last, or
    that of the connection. A socket of the file system is reached by a proxy alone."""
    peer = http.client.host if http.client else ""
    if not peer or peer in proxies:
        named = ",".join(http.headers.getlist("X-Forwarded-For")).split(",")
        peer = named[-1].strip() or peer
    return network(peer)
