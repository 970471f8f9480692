"""The letters about what has a number of a game: a board, or an open challenge."""

from collections.abc import Collection

from pbm_holomino.letters import board_letters, open_letters
from pbm_holomino.letters.letter import Letter
from pbm_holomino.match.account import Player
from pbm_holomino.match.open_challenge import OpenChallenge, Table


def readers(found: Table, index: int) -> tuple[str, ...]:
    """The players who get a letter about a line of the log."""
    if isinstance(found, OpenChallenge):
        return open_letters.readers(found, index)
    return board_letters.readers(found, index)


def about_table(
    found: Table,
    index: int,
    player: Player,
    writer: Player | None = None,
    excluded: Collection[str] = (),
) -> Letter:
    """The letter to a player about a line of the log (see `about_board`)."""
    if isinstance(found, OpenChallenge):
        return open_letters.about_challenge(found, index, player)
    return board_letters.about_board(found, index, player, writer, excluded)


def table_text(
    found: Table, index: int, reader: str | None, excluded: Collection[str] = ()
) -> str:
    """The text for a reader after a line of the log."""
    if isinstance(found, OpenChallenge):
        return open_letters.challenge_text(found, index, reader)
    return board_letters.board_text(found, index, reader, excluded=excluded)
