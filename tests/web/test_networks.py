"""From which network a request comes."""

import pytest
from starlette.requests import HTTPConnection

from pbm_holomino.web.networks import UNKNOWN, Proxies, network, network_of


@pytest.mark.parametrize(
    ("address", "found"),
    [
        ("192.0.2.9", "192.0.2.0/24"),
        ("192.0.2.255", "192.0.2.0/24"),
        ("192.0.3.0", "192.0.3.0/24"),
        (" 127.0.0.1 ", "127.0.0.0/24"),
        ("127.0.1.1", "127.0.1.0/24"),
        ("::ffff:192.0.2.9", "192.0.2.0/24"),  # a socket for both hears IPv4 so
        ("2001:db8:1:2::1", "2001:db8:1::/56"),
        ("2001:db8:1:ff:ffff::", "2001:db8:1::/56"),
        ("2001:db8:1:100::", "2001:db8:1:100::/56"),
        ("fe80::1%eth0", "fe80::/56"),
        ("::1", "::/56"),
        ("", UNKNOWN),
        ("unknown", UNKNOWN),
        ("192.0.2.0/24", UNKNOWN),
        ("1.2.3", UNKNOWN),
        ("192.0.2.1", "192.0.2.0/24"),
        ("2001:db8:1:2ff::1", "2001:db8:1:200::/56"),
        ("2001:db8:1:200:ffff::", "2001:db8:1:200::/56"),
        ("2001:db8:1:300::1", "2001:db8:1:300::/56"),
        ("192.0.2.1, 192.0.2.2", UNKNOWN),
        ("alice", UNKNOWN),
    ],
)
def test_a_network_is_what_one_customer_has(address: str, found: str) -> None:
    assert network(address) == found


@pytest.mark.parametrize(
    ("peer", "named", "found"),
    [
        ("198.51.100.1", ["192.0.2.1"], "198.51.100.0/24"),  # no proxy of ours
        ("203.0.113.1", ["192.0.2.1"], "192.0.2.0/24"),
        ("203.0.113.1", ["9.9.9.9, 192.0.2.1"], "192.0.2.0/24"),
        ("203.0.113.1", ["9.9.9.9", "192.0.2.1"], "192.0.2.0/24"),  # on two lines
        ("203.0.113.1", [], "203.0.113.0/24"),
        ("203.0.113.1", ["192.0.2.1,"], "203.0.113.0/24"),
        ("", ["192.0.2.1"], "192.0.2.0/24"),  # through the socket
        ("", [], UNKNOWN),
    ],
)
def test_only_proxies_are_believed_and_only_their_last_word(
    peer: str, named: list[str], found: str
) -> None:
    headers = [(b"x-forwarded-for", name.encode()) for name in named]
    client = (peer, 1) if peer else None
    scope = {"type": "http", "headers": headers, "client": client}
    assert network_of(HTTPConnection(scope), ["203.0.113.1"]) == found


def test_a_proxy_may_be_written_in_any_form() -> None:
    found = Proxies("127.0.0.1,0:0::1,2001:DB8::0A,172.18.0.0/16")
    here = "127.0.0.1", "::1", "2001:db8::a", "172.18.0.0", "172.18.255.9"
    assert all(address in found for address in (*here, "::ffff:172.18.0.3"))
    others = "127.0.0.2", "2001:db8::b", "172.19.0.1", "172.17.255.255", "alice", ""
    assert not any(address in found for address in others)
    assert "127.0.0.1" not in Proxies("")
