"""Which addresses count as one network."""

import pytest

from pbm_holomino.web.networks import UNKNOWN, network_of


@pytest.mark.parametrize(
    ("address", "network"),
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
    ],
)
def test_a_network_is_what_one_customer_may_have(address: str, network: str) -> None:
    assert network_of(address) == network
