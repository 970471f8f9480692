"""How people type words and moves, and what they mean by it: pure functions of text.

None of them joins two numbers, leaves a digit or a letter out, or puts one in; of a
move only its tile and its positions may change places.
"""

import re
from collections.abc import Iterator, Sequence

from pbm_holomino import rules
from pbm_holomino.commands.params import InNotation, is_move
from pbm_holomino.named_tuples import NamedTuple

_FULL_WIDTH = {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
_FULL_WIDTH |= {0x3000: " ", 0x3001: ",", 0x3002: "."}
_PAIRS = {"''", '""', "``", "<>", "[]", "()", "{}", "**"}
_PAIRS |= {"\u201c\u201d", "\u201e\u201c", "\u201e\u201d", "\u2018\u2019"}
_PAIRS |= {"\u201a\u2018", "\xab\xbb", "\xbb\xab", "\u2039\u203a", "\u300c\u300d"}
_STOPS = ".,;!"
MARKS = "*_~`'\"\u2018\u2019\u201a\u201c\u201d\u201e\xab\xbb\u2039\u203a()[]{}<>"
MARKS += ".,;!?\xa1\xbf\u2026\u2022-\u2013\u2014|"
_FIRST_WORDS = 4  # of a line, which may name a board
# Before the name of a board in a sentence, and between the game and its number
_BEFORE_BOARD = ("in", "on", "at", "for", "auf", "bei", "für", "op", "bij", "voor")
_CALLED_BOARD = ("board", "game", "no", "brett", "partie", "spiel", "nr", "bord")
_MOST_WORDS = 60  # of moves in a line
_SHORTEST = 3  # letters of a game's name
_GAP = r"[\s,;/.\u2013\u2014-]+"  # between the parts of a move, but for its colon


def half_width(text: str) -> str:
    """The text with the full-width characters of East Asian keyboards made ASCII."""
    return text.translate(_FULL_WIDTH)


def plain(word: str) -> str:
    """A word, which is not a password, without quotes or brackets round it, without a
    comma or a full stop after it, and without the `#` before a number."""
    word = half_width(word)
    while (bare := _inside(word.rstrip(_STOPS))) != word:
        word = bare
    return word[1:] if re.match("#[0-9]", word) else word


def unmarked(word: str) -> str:
    """A word of a text without marks, in small letters."""
    return half_width(word).replace("\u2019", "'").strip(f"{MARKS}:#@").casefold()


def _inside(text: str) -> str:
    """The text without one pair of quotes or brackets round it."""
    is_pair = len(text) > 1 and text[0] + text[-1] in _PAIRS
    return text[1:-1] if is_pair else text


def unwrapped(words: Sequence[str]) -> list[str]:
    """The words without quotes or brackets round the whole line."""
    line = [*words]
    while line:
        first, last = line[0], line[-1]
        closed = last.rstrip(_STOPS) or last
        if len(first + closed) < 2 or half_width(first[0] + closed[-1]) not in _PAIRS:
            break
        if len(line) == 1:
            line = [closed[1:-1]]
        else:
            line = [first[1:], *line[1:-1], closed[:-1]]
        line = [word for word in line if word]
    return line


def game_named(word: str) -> str:
    """The game with this name or title, or the only one that begins so; empty if there
    is none."""
    typed = plain(word).lower()
    if typed in rules.names() or len(typed) < _SHORTEST:
        return typed if typed in rules.names() else ""
    # the games are loaded for their titles, which most lines do not need
    titles = {name: (name, rules.load(name).TITLE.lower()) for name in rules.names()}
    for fits in (str.__eq__, str.startswith):
        found = [n for n, both in titles.items() if any(fits(t, typed) for t in both)]
        if found:
            return found[0] if len(found) == 1 else ""
    return ""


class Named(NamedTuple):
    """The board of a game that a line names, or 0 for the game alone, and the words of
    the line without the name, which was `at` this index."""

    game: str
    board: int
    at: int
    words: list[str]


def named(words: Sequence[str], title: str = "") -> Named | None:
    """The board that is named among the first words of a line, or at its end; or the
    game, which may also have this title."""
    for at, word in enumerate(words):
        typed = unmarked(word)
        if not typed.isalpha():
            continue
        after = at + 1 + (unmarked((*words, "")[at + 1]) in _CALLED_BOARD)
        number = re.fullmatch("#?([0-9]{1,9})[:,.;!)]*", (*words, "", "")[after])
        is_near = at < _FIRST_WORDS or (number and after + 1 == len(words))
        is_whole = typed in (*rules.names(), title.lower())
        if is_near and (number or is_whole) and (game := game_named(typed)):
            end = after + 1 if number else at + 1
            begin = at - (at > 0 and unmarked(words[at - 1]) in _BEFORE_BOARD)
            rest = [*words[:begin], *words[end:]]
            return Named(game, int(number[1]) if number else 0, begin, rest)
    return None


# Moves


def move_in(text: str, in_notation: InNotation) -> str:
    """The move that a text means; empty if it means none, or perhaps another."""
    meant = meanings(text, in_notation)
    return meant[0] if len(meant) == 1 else ""


def meanings(text: str, in_notation: InNotation) -> list[str]:
    """The moves that a text may mean, each with its number if it has one."""
    found = re.fullmatch(r"\s*(.*?)\s*(#[0-9]{1,6})?", plain(text.strip()))
    if not found:
        return []
    move, number = plain(found[1]).strip(), found[2] or ""
    is_plain = is_move(move, in_notation)
    meant = [move] if is_plain else filter(str.isascii, _meanings(move, in_notation))
    return [f"{move}{number}" for move in dict.fromkeys(meant)]


def _meanings(text: str, in_notation: InNotation) -> Iterator[str]:
    """The moves that may be meant: a tile or a word, and what comes after its colon, in
    this order or the other. A colon that is there, or `@`, shows the two sides, and
    then the order that was typed counts if it can be a move. In the other, cells have
    commas between them, as a number before a move may be anything."""
    sides, parts = re.split("[:@]", text), _parts(text)
    is_told = len(sides) > 1
    if not is_told:  # a blank divides before a comma does
        sides = re.split(r"(?<![\s,])\s+(?![\s,])", text)
    typed, turned = _joined(parts[:1], parts[1:]), _joined(parts[-1:], parts[:-1])
    if len(sides) == 2:
        first, last = map(_parts, sides)
        typed, turned = _joined(first, last), _joined(last, first)
    elif is_told:
        return
    is_typed = in_notation(typed)
    if is_typed:
        yield typed
    has_commas = text.count(",") >= turned.count(",")
    if in_notation(turned) and (not is_told if is_typed else has_commas):
        yield turned


def _parts(text: str) -> list[str]:
    return [part for part in re.split(_GAP, text) if part]


def _joined(head: list[str], rest: list[str]) -> str:
    return f"{head[0]}:{','.join(rest)}" if len(head) == 1 and rest else ""


def moves_in(
    words: Sequence[str], in_notation: InNotation, glued: bool = False
) -> list[str]:
    """The moves that these words mean, one after the other; none if they mean none, or
    perhaps others. If `glued`, the words of a move must be joined by a colon or a comma
    at the end of a word or the beginning of the next."""
    if len(words) > _MOST_WORDS:
        return []
    # readings[i] are those of the first i words, of which two are as bad as many
    readings: list[list[list[str]]] = [[[]]]
    for end in range(1, len(words) + 1):
        found: list[list[str]] = []
        for begin in range(end) if any(readings) else ():
            run = words[begin:end]
            if not readings[begin] or (glued and not _is_glued(run)):
                continue
            if move := move_in(" ".join(run), in_notation):
                found += [[*before, move] for before in readings[begin]]
        readings.append(found[:2])
    (*only,) = readings[-1]
    return only[0] if len(only) == 1 else []


def _is_glued(words: Sequence[str]) -> bool:
    pairs = zip(map(half_width, words), map(half_width, words[1:]), strict=False)
    return all(a[-1] in ":,@" or b[0] in ":,@" for a, b in pairs)
