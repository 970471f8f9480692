"""The pieces of a store in PostgreSQL (see `contract.Piece`)."""

from collections.abc import Sequence

from pbm_holomino.store.contract import (
    DOCUMENT,
    GREATEST,
    KEY,
    MAIL,
    MARK,
    NOTE,
    OPENED,
    Piece,
    Title,
)
from pbm_holomino.store.postgres import statements as sql
from pbm_holomino.store.postgres.connection import Call, Value
from pbm_holomino.store.postgres.pool import Pool

_PUT_SECONDS = 1.0  # that a piece may take longer than usual
_ASKED = {
    DOCUMENT: sql.DOCUMENT_PIECE,
    GREATEST: sql.GREATEST_PIECE,
    OPENED: sql.OPENED_PIECE,
    MARK: sql.MARK_PIECE,
    MAIL: sql.MAIL_PIECE,
    NOTE: sql.NOTE_PIECE,
    KEY: sql.KEY_PIECE,
}


def titles(pool: Pool) -> list[Title]:
    """What there is, documents first."""
    (rows,) = pool.run([Call(sql.TITLES)])
    return [Title(*row) for row in rows]


def read(pool: Pool, wanted: Sequence[Title]) -> list[Piece]:
    """The pieces with these titles, as far as they are there."""
    calls = [Call(_ASKED[title.kind], _key(title)) for title in wanted]
    answers = pool.run(calls)
    return [
        Piece(title, content, time)
        for title, rows in zip(wanted, answers, strict=True)
        for content, time in rows
    ]


def put(pool: Pool, pieces: Sequence[Piece]) -> None:
    """Put pieces there, in one transaction."""
    pool.run([_put(piece)._replace(seconds=_PUT_SECONDS) for piece in pieces])


def clear(pool: Pool) -> None:
    """Remove all pieces but the examples, with what is derived from them."""
    pool.run([Call(statement) for statement in sql.CLEAR])


def _key(title: Title) -> tuple[Value, ...]:
    """The values of its key in the table of its kind."""
    if title.kind in (DOCUMENT, OPENED, MAIL):
        return title.folder, title.name
    if title.kind == MARK:
        name, _, line = title.name.rpartition(".")
        return title.folder, name, int(line)
    return (title.folder,) if title.kind == GREATEST else (title.name,)


def _put(piece: Piece) -> Call:
    title, content = piece.title, piece.content
    key = _key(title)
    if title.kind == GREATEST:
        return Call(sql.NUMBER, (*key, int(content)))
    if title.kind == OPENED:
        return Call(sql.PUT_OPENED, key)
    if title.kind == MARK:
        return Call(sql.PUT_MARK, (*key, content.decode("ascii"), piece.time))
    if title.kind == MAIL:
        return Call(sql.PUT_OLD_MAIL, (*key, content, piece.time))
    if title.kind == NOTE:
        return Call(sql.PUT_NOTE, (*key, content.decode("utf-8", "replace")))
    return Call(sql.PUT_KEY if title.kind == KEY else sql.PUT_DOCUMENT, (*key, content))
