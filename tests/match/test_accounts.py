"""Accounts: what a password, an address and an account's log may be."""

import hashlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbm_holomino.errors import BadCommand
from pbm_holomino.match import account
from pbm_holomino.match.account import (
    DELETED,
    AccountLine,
    Change,
    Kind,
    Player,
    check_address,
    check_password,
    fits_password,
    forgotten,
    from_data,
    hash_password,
    is_address,
    is_userid,
    to_data,
)
from pbm_holomino.match.bounces import Bounces
from pbm_holomino.match.vacations import Vacation
from pbm_holomino.store import yaml as strict
from tests.house import COSTS
from tests.paths import ROOT

TIME = "2026-11-20T04:12:33Z"
PRINTABLE = "".join(map(chr, range(33, 127)))
ALLOWED = "".join(letter for letter in PRINTABLE if letter not in "'\":")

# Words


@pytest.mark.parametrize(
    "word", ["abcd", "x" * 64, "A-b-", "1234", "!~@#", "(){}[]\\|"]
)
def test_a_password(word: str) -> None:
    assert check_password(word) == word


@given(
    st.text(ALLOWED, min_size=4, max_size=64).filter(lambda word: word[0] not in "-~")
)
def test_any_printable_ascii_makes_a_password(word: str) -> None:
    assert check_password(word) == word


@pytest.mark.parametrize(
    "word",
    [
        "",
        "abc",
        "x" * 65,
        "-abcd",
        "~abcd",
        "-",
        "ab cd",
        "ab'cd",
        'ab"cd',
        "ab:cd",
        "abcd\n",
        "ab\tcd",
        "ab\x00cd",
        "ab\x7fcd",
        "pässwort",
        "ab\u00a0cd",
    ],
)
def test_words_that_cannot_be_passwords(word: str) -> None:
    with pytest.raises(BadCommand) as refused:
        check_password(word)
    assert "4 to 64 printable ASCII characters" in str(refused.value)
    assert not word.strip("-") or word not in str(refused.value)
    assert refused.value.status == 2


@pytest.mark.parametrize("word", ["al", "alice", "a1", "a_", "x" * 20])
def test_a_userid(word: str) -> None:
    assert is_userid(word)


@pytest.mark.parametrize(
    "word",
    [
        "",
        "a",
        "x" * 21,
        "1a",
        "_a",
        "a-b",
        "a b",
        "a.b",
        "alice\n",
        "älice",
        "../alice",
    ],
)
def test_words_that_cannot_be_userids(word: str) -> None:
    assert not is_userid(word)


@pytest.mark.parametrize(
    "word",
    [
        "alice@example.org",
        "alice.b+tag@mail.example.co.uk",
        "a@b",
        "alice_b%x@example-2.org",
        "1@example.org",
        "a" * 64 + "@" + "b" * 189,
    ],
)
def test_an_address(word: str) -> None:
    assert is_address(word)
    assert check_address(word) == word


@pytest.mark.parametrize(
    "word",
    [
        "",
        "alice",
        "@example.org",
        "alice@",
        "alice@bob@example.org",
        "alice@example..org",
        "al..ice@example.org",
        "alice@-example.org",
        "alice@example.org.",
        "-froot@example.org",
        "alice b@example.org",
        "alice@example.org\n",
        "alice@example.org\nBcc: x@y",
        "<alice@example.org>",
        "alice@example.org,bob@example.org",
        "alic\u00e9@example.org",
        "alice\x00@example.org",
        "a@" + "b" * 253,
        "a" * 64 + "@" + "b" * 190,
        "a" * 65 + "@example.org",
        "|sh@example.org`",
    ],
)
def test_words_that_are_not_addresses(word: str) -> None:
    assert not is_address(word)
    with pytest.raises(BadCommand, match="address"):
        check_address(word)


def test_a_word_that_is_not_an_address_may_be_a_password() -> None:
    with pytest.raises(BadCommand) as refused:
        check_address("Xanadu77")
    assert "Xanadu77" not in str(refused.value)


# Hashes


def test_the_hash_is_scrypt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(account, "_SCRYPT", COSTS)
    kind, n, r, p, salt, digest = hash_password("Xanadu77").split(":")
    assert (kind, int(n)) == ("scrypt", 2**14)
    assert len(bytes.fromhex(salt)) >= 16
    assert digest == (
        hashlib.scrypt(
            b"Xanadu77",
            salt=bytes.fromhex(salt),
            n=int(n),
            r=int(r),
            p=int(p),
            dklen=32,
        ).hex()
    )


@given(st.text(ALLOWED, min_size=4, max_size=64))
@settings(max_examples=20)
def test_only_the_password_fits(word: str) -> None:
    hashed = hash_password(word)
    assert fits_password(word, hashed)
    for other in (word[:-1], word + "x", word.swapcase() + ".", ""):
        assert not fits_password(other, hashed)


def test_case_counts() -> None:
    hashed = "scrypt:2:1:1:00:" + (
        hashlib.scrypt(b"Xanadu77", salt=b"\0", n=2, r=1, p=1, dklen=32).hex()
    )
    assert fits_password("Xanadu77", hashed)
    assert not fits_password("xanadu77", hashed)


def test_each_hash_has_a_salt_of_its_own() -> None:
    assert hash_password("Xanadu77") != hash_password("Xanadu77")


def test_an_old_hash_fits_when_the_parameters_are_raised(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(account, "_SCRYPT", (2, 1, 1))
    old = hash_password("Xanadu77")
    monkeypatch.setattr(account, "_SCRYPT", (4, 2, 1))
    new = hash_password("Xanadu77")
    assert old.startswith("scrypt:2:1:1:")
    assert new.startswith("scrypt:4:2:1:")
    assert fits_password("Xanadu77", old)
    assert fits_password("Xanadu77", new)


@pytest.mark.parametrize(
    "hashed", ["", "Xanadu77", "md5:2:1:1:00:00", "scrypt:2:1:1:xy:00", "scrypt:2:1"]
)
def test_a_damaged_hash_fits_no_password(hashed: str) -> None:
    with pytest.raises(ValueError, match="."):
        fits_password("Xanadu77", hashed)


# The account's log


def line(mail: str) -> AccountLine:
    return AccountLine(None, TIME, "alice", mail, Change(Kind.PASSWORD))


def with_lines(count: int) -> Player:
    player = Player("alice", "scrypt:2:1:1:00:00", ("alice@example.org",), ())
    for number in range(1, count + 1):
        player = player.after(line(f"mail{number}"))
    return player


@pytest.mark.parametrize(
    ("count", "first", "last"),
    [(1, 1, 1), (100, 1, 100), (101, 2, 101), (250, 151, 250)],
)
def test_the_log_keeps_a_hundred_lines_numbered_for_ever(
    count: int, first: int, last: int
) -> None:
    player = with_lines(count)
    assert [entry.no for entry in player.log] == list(range(first, last + 1))
    assert player.line_of(f"mail{first}") == line(f"mail{first}")._replace(no=first)
    assert player.line_of(f"mail{last}") == player.log[-1]
    assert player.line_of(f"mail{first - 1}") is None


@pytest.mark.parametrize("later", [0, 1, 99, 100, 150])
def test_a_text_is_kept_as_long_as_its_line(later: int) -> None:
    player = with_lines(3).after(line("mail4"), "Hello\nyou")
    assert player.log[-1].no == 4
    for number in range(later):
        player = player.after(line(f"later{number}"))
    assert dict(player.notes) == ({4: "Hello\nyou"} if later < 100 else {})


def test_commands_from_the_shell_are_never_repetitions() -> None:
    player = with_lines(1).after(line("-"))
    assert player.line_of("-") is None


# The file


def test_the_contents_of_a_file() -> None:
    player = with_lines(2)._replace(password="scrypt:2:1:1:00:00")
    assert to_data(player) == {
        "userid": "alice",
        "password": "scrypt:2:1:1:00:00",
        "status": "on",
        "digest": "off",
        "addresses": ["alice@example.org"],
        "log": [
            f"1 {TIME} alice mail1 !password",
            f"2 {TIME} alice mail2 !password",
        ],
        "notes": {},
    }


def test_an_account_is_read_as_it_was_written() -> None:
    player = with_lines(120)
    saved = player._replace(pushed=())  # what matters only until it is saved
    assert from_data(strict.load(strict.dump(to_data(player)))) == saved


CHOICES = [
    {"letters": "turns"},
    {"letters": "digest", "threads": True},
    {"format": "text"},
    {"format": "small"},
    {"format": "picture"},
    {"threads": True},
    {"vacations": (Vacation(TIME, "2026-12-01T00:00:00Z"),)},
    {"bounces": (Bounces("alice@example.org", ("2026-11-20",)),)},
]


@pytest.mark.parametrize("chosen", CHOICES, ids=str)
def test_a_file_has_what_a_player_chose_and_no_defaults(
    chosen: dict[str, object],
) -> None:
    usual = with_lines(2)
    player = usual._replace(**chosen)  # type: ignore[arg-type]
    data = to_data(player)
    assert from_data(strict.load(strict.dump(data))) == player
    assert data.keys() - to_data(usual).keys() == chosen.keys()


@pytest.mark.parametrize("name", ["alice", "bob", "carol", "dave"])
def test_an_account_of_version_1_0_gets_all_letters_as_html(name: str) -> None:
    data = strict.load((ROOT / f"tests/stores/1.0/players/{name}.yaml").read_bytes())
    player = from_data(data)
    chosen = (player.letters, player.format, player.threads)
    assert chosen == ("all", "html", False)
    assert to_data(player) == data


@pytest.mark.parametrize("status", ["on", "off"])
def test_status_and_texts_are_read_as_they_were_written(status: str) -> None:
    player = with_lines(2).after(line("mail3"), "Gr\u00fc\u00dfe: 1\n\n- no\n# yes")
    player = player.after(line("mail4"), "123")._replace(status=status)
    saved = player._replace(pushed=())  # what matters only until it is saved
    assert from_data(strict.load(strict.dump(to_data(player)))) == saved


def test_a_deleted_account_that_is_forgotten_keeps_its_name() -> None:
    player = with_lines(2).after(line("mail3"), "Hello")
    left = forgotten(player._replace(status=DELETED))
    assert from_data(strict.load(strict.dump(to_data(left)))) == left
    text = strict.dump(to_data(left)).decode()
    assert "userid: alice" in text
    for gone in ("@", "scrypt", "Hello", "mail2"):
        assert gone not in text


@pytest.mark.parametrize("key", to_data(with_lines(1)))
def test_an_account_that_lacks_something_is_refused(key: str) -> None:
    data = to_data(with_lines(1))
    del data[key]
    with pytest.raises(LookupError):
        from_data(data)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("status", "asleep"),
        ("status", ["on"]),
        ("notes", ["text"]),
        ("notes", {"first": "text"}),
        ("notes", {"1": ["text"]}),
        ("addresses", "alice@example.org"),
        ("log", "1 2026-11-20T04:12:33Z alice - !signup"),
        ("log", ["nonsense"]),
        ("letters", "some"),
        ("format", "fancy"),
        ("threads", "off"),
        ("threads", ["on"]),
        ("vacations", TIME),
        ("vacations", [[TIME]]),
        ("vacations", [f"{TIME} {TIME}"]),
        ("vacations", [f"{TIME} soon"]),
        ("bounces", "alice@example.org 2026-11-20"),
        ("bounces", [["alice@example.org", "2026-11-20"]]),
        ("bounces", ["alice@example.org"]),
        ("bounces", ["alice@example.org soon"]),
    ],
)
def test_an_account_with_something_wrong_is_refused(key: str, value: object) -> None:
    with pytest.raises((LookupError, TypeError, ValueError, AttributeError)):
        from_data({**to_data(with_lines(1)), key: value})
