"""A mail's lines are read many at once, as they come, and none is changed by it."""

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbm_holomino.resident import lmtp as desk_room
from tests.house import House
from tests.processes import Talk
from tests.resident.desk import desk

_END = b".\r\n"
_WORDS = st.sampled_from([b"\r\n", b".", b"\n", b"\r", b"a"])
_PIECES = st.lists(st.lists(_WORDS, min_size=1).map(b"".join))


async def _read(pieces: list[bytes]) -> tuple[list[bytes], bytes]:
    """What is read of a mail that comes in these pieces, and what is left."""
    source = asyncio.StreamReader()
    reader = desk_room._Reader(source)

    async def read() -> list[bytes]:
        found = [await reader.readuntil(b"\r\n")]
        while found[-1] != _END:
            found.append(await reader.readuntil(b"\r\n"))
        return found

    reading = asyncio.create_task(read())
    for piece in pieces:
        await asyncio.sleep(0)
        source.feed_data(piece)
    source.feed_eof()
    return await reading, await source.read()


def _lines(mail: bytes) -> list[bytes]:
    return [line + b"\r\n" for line in mail.split(b"\r\n")[:-1]]


@settings(deadline=None)
@given(_PIECES)
def test_only_whole_lines_are_joined_and_none_that_begins_with_a_dot(
    pieces: list[bytes],
) -> None:
    pieces = [*pieces, b"\r\n" + _END + b"NOOP\r\n"]
    found, left = asyncio.run(_read(pieces))
    lines = _lines(b"".join(pieces))
    last = lines.index(_END) + 1
    assert b"".join(found) == b"".join(lines[:last])
    assert left == b"".join(lines[last:])
    for read in found:
        assert read.endswith(b"\r\n")
        assert b"\r\n." not in read


def test_what_has_come_is_read_at_once() -> None:
    mail = b"Subject: help\r\nX: 1\r\n\r\n..dot\r\nmore\r\n" + _END
    found, _ = asyncio.run(_read([mail]))
    assert found == [b"Subject: help\r\nX: 1\r\n\r\n", b"..dot\r\nmore\r\n", _END]


def test_a_command_is_one_line() -> None:
    async def first(said: bytes) -> bytes:
        source = asyncio.StreamReader()
        source.feed_data(said)
        return await desk_room._Reader(source).readuntil()

    assert asyncio.run(first(b"MAIL\r\nRCPT\r\n")) == b"MAIL\r\n"


def test_dots_that_the_sender_has_doubled_are_single(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """RFC 5321, 4.5.2."""
    came: list[bytes] = []
    monkeypatch.setattr(desk_room, "receive", lambda raw, *_: came.append(raw))
    with desk(house.server, house.path("lmtp")):
        talk = Talk(str(house.path("lmtp"))).at_data()
        for packet in (["..one", "two"], ["..."], ["", "..", "a\n.", ".."], ["."]):
            talk.say(*packet)
        assert talk.hear() == ["250 2.0.0 Done"]
        talk.close()
    assert came == [b".one\ntwo\n..\n\n.\na\n.\n.\n"]


def test_a_mail_that_comes_in_one_go_is_asked_for_twice(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[bytes] = []
    usual = asyncio.StreamReader.readuntil

    async def readuntil(reader: asyncio.StreamReader, end: bytes = b"\n") -> bytes:
        asked.append(end)
        return await usual(reader, end)

    monkeypatch.setattr(asyncio.StreamReader, "readuntil", readuntil)
    with desk(house.server, house.path("lmtp")):
        talk = Talk(str(house.path("lmtp"))).at_data()
        talk.say("Subject: help", "", *["line"] * 100, ".")
        assert talk.hear() == ["250 2.0.0 Done"]
        talk.close()
    assert asked.count(b"\r\n") == 2  # for its lines, and for its end
