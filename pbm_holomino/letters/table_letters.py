"""The letters about a board or an open challenge, whichever has the number."""

from collections.abc import Collection

from pbm_holomino.letters import board_letters, wanted
from pbm_holomino.letters.content import Content
from pbm_holomino.letters.letter import Letter
from pbm_holomino.match.account import Player
from pbm_holomino.match.open_challenge import OpenChallenge, Table
from pbm_holomino.match.tokens import Tokens


def readers(found: Table, index: int) -> tuple[str, ...]:
    """The players who get a letter about a line of the log."""
    if isinstance(found, OpenChallenge):
        from pbm_holomino.letters import open_letters  # most letters are of boards

        return open_letters.readers(found, index)
    return board_letters.readers(found, index)


def is_wanted(found: Table, index: int, player: Player) -> bool:
    """Whether a player wants the letter about a line of the log."""
    if isinstance(found, OpenChallenge):
        return True
    return wanted.is_wanted(found, index, player)


def about_table(
    found: Table,
    index: int,
    player: Player,
    tokens: Tokens,
    excluded: Collection[str] = (),
) -> Letter:
    """The letter to a player about a line of the log (see `about_board`)."""
    if isinstance(found, OpenChallenge):
        from pbm_holomino.letters import open_letters

        return open_letters.about_challenge(found, index, player, tokens)
    return board_letters.about_board(found, index, player, tokens, excluded)


def table_content(
    found: Table, index: int, reader: str | None, excluded: Collection[str] = ()
) -> Content:
    """What a reader is told after a line of the log."""
    if isinstance(found, OpenChallenge):
        from pbm_holomino.letters import open_letters

        return open_letters.challenge_content(found, index, reader)
    return board_letters.board_content(found, index, reader, excluded=excluded)
