"""How a word is refused that is not a move."""

from pbm_holomino.errors import BadMove


def not_a_move(text: str, right: str) -> BadMove:
    """The error about a word in no notation of a game; `right` is a sentence that says
    what would be a move. Players who know other games try `swap`."""
    if text.lower() == "swap":
        return BadMove("There is no swap in this game: the first move is harmless.")
    return BadMove(f'"{text}" is not a move. {right}')
