"""What a board's file holds, to and from plain data."""

import hashlib
from datetime import datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbm_holomino.errors import PbmError, UnknownVersion
from pbm_holomino.match.record import (
    Act,
    Line,
    Record,
    format_line,
    from_data,
    parse_line,
    public_data,
    to_data,
)
from pbm_holomino.store import yaml as strict
from tests.rules.holo_table import options

SEED = bytes(range(32))
# what library.py takes for a sign of damage
DAMAGE = (PbmError, LookupError, TypeError, ValueError, AttributeError)

words = st.text("abcdefghijklmnopqrstuvwxyz0123456789!:_/-", min_size=1)
moves = (
    st.lists(words, min_size=1, max_size=3)
    .map(" ".join)
    .filter(lambda move: not move.startswith("!"))
)
acts = st.sampled_from([act for act in Act if act not in (Act.PAUSE, Act.EXCUSED)])
lines = st.builds(
    Line,
    no=st.none() | st.integers(0, 999_999),
    time=st.datetimes(datetime(1000, 1, 1)).map(
        lambda time: time.strftime("%Y-%m-%dT%H:%M:%SZ")
    ),
    who=words,
    source=words,
    action=acts | moves,
)
option_words = st.fixed_dictionaries(
    {},
    optional={
        "pool_size": st.integers(1, 9).map(str),
        "num_digits": st.integers(5, 9).map(str),
        "non_unique": st.sampled_from(["yes", "no"]),
        "limit_scores": st.sampled_from(["yes", "no"]),
        "board_size": st.integers(3, 99).map(str),
    },
)
records = st.builds(
    Record,
    game=st.just("holo"),
    board=st.integers(1, 10**6),
    version=st.just(1),
    players=st.permutations(["alice", "bob"]).map(tuple),
    random=st.booleans(),
    options=option_words.map(lambda given: options(**given)),
    seed=st.binary(min_size=32, max_size=32),
    log=st.lists(lines, min_size=1, max_size=5)
    .map(tuple)
    .filter(lambda log: log[0].action is not Act.PAIR),
    notes=st.dictionaries(
        st.integers(0, 99), st.text(st.characters(exclude_categories=["Cs"]))
    ),
    nag=st.just(0) | st.integers(1, 365),
    forfeit=st.just(0) | st.integers(3, 365),
    challenger=st.just(""),
    robots=st.lists(st.sampled_from(["alice", "bob"]), unique=True).map(tuple),
    rated=st.booleans(),
    tournament=st.just(""),
    clock=st.none(),
)
RECORD = Record(
    game="holo",
    board=12,
    version=1,
    players=("alice", "bob"),
    random=False,
    options=options(board_size="12"),
    seed=SEED,
    log=(Line(0, "2026-11-20T04:12:33Z", "-", "-", Act.CHALLENGE),),
    notes={0: "Hello!"},
)

# The log


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            "7 2026-11-20T04:12:33Z bob 3f9c0011aabbccdd/1 123:17",
            Line(7, "2026-11-20T04:12:33Z", "bob", "3f9c0011aabbccdd/1", "123:17"),
        ),
        (
            "- 2026-11-20T04:12:33Z bob - !resign",
            Line(None, "2026-11-20T04:12:33Z", "bob", "-", Act.RESIGN),
        ),
        (
            "0 2026-11-20T04:12:33Z - - !challenge",
            Line(0, "2026-11-20T04:12:33Z", "-", "-", Act.CHALLENGE),
        ),
    ],
)
def test_a_line_of_the_log(text: str, line: Line) -> None:
    assert parse_line(text) == line
    assert format_line(line) == text


@given(lines)
def test_a_line_is_read_as_it_was_written(line: Line) -> None:
    text = format_line(line)
    assert "\n" not in text
    assert parse_line(text) == line


@pytest.mark.parametrize(
    "text",
    [
        "",
        "7",
        "7 2026-11-20T04:12:33Z bob -",
        "7 2026-11-20T04:12:33Z bob - ",
        "x 2026-11-20T04:12:33Z bob - 123:17",
        "-1 2026-11-20T04:12:33Z bob - 123:17",
        "7  2026-11-20T04:12:33Z bob - 123:17",
        " 7 2026-11-20T04:12:33Z bob - 123:17",
        "\u0667 2026-11-20T04:12:33Z bob - 123:17",
        "7 2026-11-20T04:12:33Z bob - 123:17\n",
        "7 2026-11-20T04:12:33 bob - 123:17",
        "7 2026-11-31T04:12:33Z bob - 123:17",
        "7 2026-11-20T04:12:33Z bob - 123:17\n8 2026-11-20T04:12:33Z bob - pass",
    ],
)
def test_a_malformed_line_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="line|day"):
        parse_line(text)


# The record


@given(records)
def test_a_record_is_read_as_it_was_written(record: Record) -> None:
    assert from_data(strict.load(strict.dump(to_data(record)))) == record


def test_the_contents_of_a_file() -> None:
    assert to_data(RECORD) == {
        "game": "holo",
        "board": "12",
        "version": "1",
        "players": ["alice", "bob"],
        "random": "no",
        "nag": "7",
        "forfeit": "21",
        "options": {
            "non_unique": "no",
            "num_digits": "6",
            "pool_size": "3",
            "limit_scores": "no",
            "board_size": "12",
        },
        "seal": hashlib.sha256(SEED).hexdigest(),
        "seed": SEED.hex(),
        "log": ["0 2026-11-20T04:12:33Z - - !challenge"],
        "notes": {"0": "Hello!"},
    }


def test_public_data_has_the_seal_and_no_secret() -> None:
    shown = str(public_data(RECORD))
    assert hashlib.sha256(SEED).hexdigest() in shown
    assert SEED.hex() not in shown
    assert "Hello" not in shown


def test_its_name_is_what_players_call_it() -> None:
    assert RECORD.name == "holo 12"


@pytest.mark.parametrize("key", to_data(RECORD))
def test_a_record_that_lacks_something_is_refused(key: str) -> None:
    data = to_data(RECORD)
    del data[key]
    with pytest.raises(DAMAGE):
        from_data(data)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("game", "chess"),
        ("game", "../holo"),
        ("game", "__init__"),
        ("game", ["holo"]),
        ("board", "x"),
        ("version", "0"),
        ("version", "2"),
        ("version", "one"),
        ("players", "alice"),
        ("players", {"alice": "bob"}),
        ("options", []),
        ("options", {"num_digits": "six"}),
        ("seal", "00" * 32),
        ("seed", "00" * 32),
        ("seed", "no hex"),
        ("log", "0 2026-11-20T04:12:33Z - - !challenge"),
        ("log", ["nonsense"]),
        ("log", [["0"]]),
        ("notes", []),
        ("notes", {"first": "Hello!"}),
    ],
)
def test_a_record_with_something_wrong_is_refused(key: str, value: Any) -> None:
    with pytest.raises(DAMAGE):
        from_data({**to_data(RECORD), key: value})


@pytest.mark.parametrize("data", ["text", ["list"], {}])
def test_a_malformed_record_is_refused(data: Any) -> None:
    with pytest.raises(DAMAGE):
        from_data(data)


def test_an_unknown_version_is_named() -> None:
    with pytest.raises(UnknownVersion, match="^holo 12 was made with version 7"):
        from_data({**to_data(RECORD), "version": "7"})
