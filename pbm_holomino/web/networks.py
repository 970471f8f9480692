"""Networks: whoever has one address of a network has them all, so it counts as one."""

import ipaddress

_PREFIXES = {4: 24, 6: 56}  # bits of an address that its network has, by version
UNKNOWN = "unknown"


def network_of(address: str) -> str:
    """The network of an address, such as `192.0.2.0/24` for `192.0.2.9`: the first 24
    bits of IPv4, also where it is written as IPv6, and the first 56 of IPv6; UNKNOWN
    for what is not an address."""
    try:
        found = ipaddress.ip_address(address.strip().partition("%")[0])
    except ValueError:
        return UNKNOWN
    found = getattr(found, "ipv4_mapped", None) or found
    bits = _PREFIXES[found.version]
    return str(ipaddress.ip_network(f"{found}/{bits}", strict=False))
