"""Lines with words of other languages in the place of a command's own.

They are looked at only where a line cannot be read as it is: so whatever is the name of
a player, a password or a move stays that.
"""

from collections.abc import Sequence

from pbm_holomino.commands.params import ACTS
from pbm_holomino.commands.reading.spelling import game_named, plain, unwrapped
from pbm_holomino.languages import aliases

_LONGEST = 4  # words that mean one command
_IN_A_MOVES_PLACE = ("pass", *ACTS)


def in_english(words: Sequence[str]) -> list[str] | None:
    """A line with the command that its first words mean, before or after the name of a
    game, and with the act that the last word of a move means; None if they mean none.
    After `help`, each word may mean one."""
    line = [] if "" in words else unwrapped(words)
    game = line[:1] if line and game_named(line[0]) else []
    meant, rest = _begun(line[len(game) :])
    command = [word.lower() for word in meant]
    if command == ["help"]:
        rest = [aliases.meanings().get(_typed(word), word) for word in rest]
    elif command == ["move"] and rest:
        act = aliases.meanings().get(_typed(rest[-1]), "")
        rest = [*rest[:-1], act if act in _IN_A_MOVES_PLACE else rest[-1]]
    english = [*game, *meant, *rest]
    return None if english == line else english


def _begun(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """The command that words begin with, as it should be typed, and the words after
    it."""
    typed = [_typed(word) for word in words[:_LONGEST]]
    for count in range(len(typed), 0, -1):
        if meant := aliases.meanings().get(" ".join(typed[:count])):
            return meant.split(), [*words[count:]]
    return [*words[:1]], [*words[1:]]


def _typed(word: str) -> str:
    return plain(word).casefold()
