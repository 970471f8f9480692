"""The table of providers: whose an address is, and that the settings are right."""

import pytest

from pbm_holomino.owner import providers, trial
from pbm_holomino.owner.providers import PROVIDERS, Provider
from pbm_holomino.store.config import from_data

USED = [each for each in PROVIDERS if not each.unfit]


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("games@gmail.com", "Gmail"),
        ("Games@GoogleMail.com", "Gmail"),
        ("games@outlook.com.au", "Microsoft"),
        ("games@hotmail.co.uk", "Microsoft"),
        ("games@club.onmicrosoft.com", "Microsoft"),
        ("games@yahoo.fr", "Yahoo"),
        ("games@me.com", "iCloud"),
        ("games@gmx.de", "GMX"),
        ("games@posteo.net", "Posteo"),
        ("games@pm.me", "Proton"),
        ("games@t-online.de", "T-Online"),
        ("games@tutanota.com", "Tuta"),
    ],
)
def test_the_provider_of_an_address(address: str, name: str) -> None:
    found = providers.of_address(address)
    assert found is not None
    assert found.name == name


@pytest.mark.parametrize(
    "address", ["games@example.org", "games@mygmail.com", "gmail.com@example.org"]
)
def test_an_address_of_nobody_that_is_known(address: str) -> None:
    assert providers.of_address(address) is None


@pytest.mark.parametrize(
    ("server", "name"),
    [
        ("imap.gmail.com", "Gmail"),
        ("IMAP.gmail.com:993", "Gmail"),
        ("outlook.office365.com", "Microsoft"),
    ],
)
def test_the_provider_of_a_server(server: str, name: str) -> None:
    found = providers.of_server(server)
    assert found is not None
    assert found.name == name


@pytest.mark.parametrize("server", ["imap.example.org", "imap.gmail.com:143"])
def test_a_server_of_nobody_that_is_known(server: str) -> None:
    assert providers.of_server(server) is None


@pytest.mark.parametrize("each", USED, ids=lambda each: each.imap)
def test_its_settings_are_right(each: Provider) -> None:
    for ways in (trial.ways_in(each.imap), trial.ways_out(each.smtp)):
        assert ways
        for way in ways:
            from_data({**way, "auth": each.auth})
    assert each.advice


def test_no_two_have_a_domain_or_a_server() -> None:
    domains = [domain for each in PROVIDERS for domain in each.domains]
    assert len({*domains}) == len(domains)
    assert len({each.imap for each in USED}) == len(USED)


@pytest.mark.parametrize(
    ("server", "ways"),
    [
        ("x.org", ["imaps://x.org", "imap://x.org"]),
        ("x.org:993", ["imaps://x.org"]),
        ("x.org:143", ["imap://x.org"]),
        ("x.org:1143", ["imaps://x.org:1143", "imap://x.org:1143"]),
        ("[::1]:1143", ["imaps://[::1]:1143", "imap://[::1]:1143"]),
    ],
)
def test_ways_to_read_mail(server: str, ways: list[str]) -> None:
    assert [way["fetch"] for way in trial.ways_in(server)] == ways


@pytest.mark.parametrize(
    ("server", "ways"),
    [
        ("x.org", [("x.org:465", ""), ("x.org:587", "")]),
        ("x.org:465", [("x.org:465", "")]),
        ("x.org:587", [("x.org:587", "")]),
        ("x.org:25", [("x.org:25", "implicit"), ("x.org:25", "starttls")]),
    ],
)
def test_ways_to_send_mail(server: str, ways: list[tuple[str, str]]) -> None:
    assert [(way["smtp"], way["tls"]) for way in trial.ways_out(server)] == ways
