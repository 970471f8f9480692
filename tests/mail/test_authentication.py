"""Mails of which the receiving server says that they are forged, or spam."""

from pathlib import Path

import pytest

from pbm_holomino.mail.authentication import is_forged, is_spam
from pbm_holomino.store.config import Config
from tests.house import House, home, mail_of
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
    assert is_forged(lambda name: [field], OURS) is forged
    assert is_forged(lambda name: ["x; dmarc=pass", field], OURS) is forged


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
    assert house.mail(raw) == []
    assert set(house.library.lists.boards("holo")) == {1}


def test_a_password_counts_whatever_the_address(house: House) -> None:
    house.config = house.config._replace(trust=OURS)
    (move, *_) = house.legal(1)
    line = f"holo move 1 alice xanadu {move}"
    house.mail(mail_of(line, home("alice"), Authentication_Results=FAILED))
    assert moves_of(house, 1) == [move]


@pytest.mark.parametrize(
    ("server", "name", "said", "spam"),
    [
        (OURS, "x-spam-flag", "YES", True),
        (OURS, "x-spam-status", " Yes, score=9.1 required=5.0", True),
        (OURS, "x-spam", "yes", True),
        (OURS, "x-spam-flag", "NO", False),
        (OURS, "x-spam-status", "No, score=0.1, yes", False),
        (OURS, "x-spam-flag", "yesterday", False),
        (OURS, "x-spam-report", "YES", False),
        (OURS, "subject", "YES", False),
        ("mx.example.net", "x-spam-flag", "YES", False),
        ("", "x-spam-flag", "YES", False),
    ],
)
def test_the_filter_of_the_trusted_server_is_believed(
    server: str, name: str, said: str, spam: bool
) -> None:
    results = [f"{server}; dmarc=pass"] if server else []
    fields = {"authentication-results": results, name: ["", said]}
    assert is_spam(lambda name: fields.get(name, []), OURS) is spam


MARKED = {
    "forged": {"Authentication_Results": FAILED},
    "spam": {"Authentication_Results": f"{OURS}; dmarc=pass", "X_Spam_Flag": "YES"},
}
EVE = "eve@example.net"


@pytest.mark.parametrize("mark", MARKED)
@pytest.mark.parametrize(
    "subject",
    [
        "help",
        "holo show 1",
        "holo standings",
        "signup eve tomato",
        "signup eve tomato victim@example.org",
        "forgot alice",
        "holo challenge alice bob",
        "holo move 1 alice wrong 142:4",
        "no command",
        "Re: holo 1: your turn",
    ],
)
def test_a_strangers_mail_that_is_marked_is_not_answered(
    house: House, mark: str, subject: str
) -> None:
    before = house.records()
    for trust in (OURS, ""):  # as it would be without the setting
        house.config = Config(trust=trust)
        mail = mail_of(subject, EVE, Message_ID=f"<1{trust}@x>", **MARKED[mark])
        letters = house.mail(mail)
        assert bool(letters) == (not trust)
        if trust:
            assert house.records() == before


@pytest.mark.parametrize("mark", MARKED)
def test_a_password_is_answered_whatever_the_mark(house: House, mark: str) -> None:
    """Be it from an address that nobody knows, and in answer to a letter."""
    house.config = Config(trust=OURS)
    letter = first_letters(house)["alice"]
    for number, sender in enumerate((home("alice"), EVE)):
        more = {"In_Reply_To": id_of(letter), "Message_ID": f"<{number}@x>"}
        raw = mail_of("holo showas alice xanadu 1", sender, **more, **MARKED[mark])
        (answer,) = house.mail(raw)
        assert answer.to == (home("alice"),)
    lines = "holo showas alice xanadu 1\nholo show 1\nhelp"
    (answer,) = house.mail(mail_of("multiple", EVE, lines, **MARKED[mark]))
    assert answer.to == (home("alice"),)


def test_a_player_whose_mail_is_taken_for_spam_is_answered(house: House) -> None:
    """As the server there found that it comes from their address."""
    house.config = Config(trust=OURS)
    letter = first_letters(house)["alice"]
    (move, *_) = house.legal(2)
    for number, (subject, body) in enumerate(
        [
            (f"Re: {letter.subject}", move),
            ("holo move 1 alice wrong 142:4", ""),
            ("holo next alice", ""),
            ("holo challenge alice bob", ""),
            ("forgot alice", ""),
        ]
    ):
        more = {"In_Reply_To": id_of(letter)} if body else {}
        more |= {"Message_ID": f"<{number}@x>", **MARKED["spam"]}
        letters = house.mail(mail_of(subject, home("alice"), body, **more))
        assert any(letter.to == (home("alice"),) for letter in letters), subject
    assert moves_of(house) == [move]
    assert set(house.library.lists.boards("holo")) == {1, 2, 3}


def test_the_log_says_what_was_unwanted(house: House, tmp_path: Path) -> None:
    log = tmp_path / "log"
    house.config = Config(trust=OURS, log=str(log))
    house.mail(mail_of("help", EVE, **MARKED["spam"]))
    house.mail(mail_of("holo showas alice xanadu 1", EVE, **MARKED["spam"]))
    verdicts = [
        line.split(": ")[1].split(",")[0] for line in log.read_text().splitlines()
    ]
    assert verdicts == ["unwanted", "done"]
