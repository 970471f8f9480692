"""Mails of which the receiving server says that they are forged."""

from pathlib import Path

import pytest

from pbm_holomino.mail.authentication import is_forged
from tests.house import House, home, mail_of, open_house
from tests.server.test_replies import first_letters, id_of, moves_of, token_of

OURS = "mx.example.org"
FAILED = f"{OURS}; spf=pass smtp.mailfrom=x; dmarc=fail (p=none) header.from=y"


@pytest.mark.parametrize(
    ("field", "forged"),
    [
        (FAILED, True),
        (FAILED.upper(), True),
        (f"{OURS} 1; dmarc=fail", True),
        (f"(c) {OURS}; dkim=pass; dmarc = fail", True),
        (f"{OURS}; dmarc=pass", False),
        (f"{OURS}; dmarc=none (dmarc=fail)", False),
        (f"{OURS}; spf=fail; dkim=fail", False),
        (f"{OURS}; none", False),
        ("mx.example.net; dmarc=fail", False),
        (f"mx.example.net; x={OURS}; dmarc=fail", False),
        ("", False),
        (";;;" * 10_000, False),
        ("(" * 10_000, False),
    ],
)
def test_only_the_trusted_server_is_believed(field: str, forged: bool) -> None:
    assert is_forged([field], OURS) is forged
    assert is_forged(["x; dmarc=pass", field], OURS) is forged


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    return open_house(tmp_path, monkeypatch)


@pytest.mark.parametrize("trust", ["", OURS])
def test_a_forged_reply_counts_as_a_strangers(house: House, trust: str) -> None:
    house.config = house.config._replace(trust=trust)
    letter = first_letters(house)["alice"]
    (move, *_) = house.legal(2)
    for subject, more in (
        (f"Re: {letter.subject}", {"In_Reply_To": id_of(letter)}),
        (f"holo move 2 alice ~{token_of(letter)} {move}", {}),
    ):
        house.mail(
            mail_of(subject, home("alice"), move, Authentication_Results=FAILED, **more)
        )
    assert moves_of(house) == ([] if trust else [move])


def test_a_forged_challenge_is_refused(house: House) -> None:
    house.config = house.config._replace(trust=OURS)
    raw = mail_of(
        "holo challenge alice bob", home("alice"), Authentication_Results=FAILED
    )
    (letter,) = house.mail(raw)
    assert "must come from the address" in letter.text
    assert set(house.library.lists.boards("holo")) == {1}


def test_a_password_counts_whatever_the_address(house: House) -> None:
    house.config = house.config._replace(trust=OURS)
    (move, *_) = house.legal(1)
    line = f"holo move 1 alice xanadu {move}"
    house.mail(mail_of(line, home("alice"), Authentication_Results=FAILED))
    assert moves_of(house, 1) == [move]
