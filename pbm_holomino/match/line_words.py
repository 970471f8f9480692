"""The words of a line that is thought over, beside its moves: what is drawn."""

DRAW, OPEN_DRAW = "draw:", "?"


def is_draw(word: str) -> bool:
    """Whether a word of a line is a draw, and no move."""
    return word == OPEN_DRAW or word.startswith(DRAW)
