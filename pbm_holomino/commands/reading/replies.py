"""What people write in answer to a letter about a board: pure functions of the text.

A line plays if it is a move and filler, or begins with a move. Which words are a tile
and which are cells follows from notation and the last position alone, never from what
is legal, so that a typo does not become another move. What is doubtful is offered.
"""

import re
from collections.abc import (
    Callable,
    Collection,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from itertools import dropwhile

from pbm_holomino import rules
from pbm_holomino.commands.reading.spelling import (
    MARKS,
    half_width,
    meanings,
    named,
    unmarked,
)
from pbm_holomino.commands.texts import CALLED_PASSWORD
from pbm_holomino.languages import small_talk
from pbm_holomino.match.account import may_be_password
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.rules.grid import LAST_POSITION

MOST_LINES, MOST_WORDS = 20, 200
_MOST_TOGETHER = 8  # words of a move
_LONGEST = 200  # characters of these
_MOST_NAMES = 3
_MASK = "\0"  # in the place of a line
_ARROW = "[=-]*>|[\u2190-\u21ff\u2794-\u27bf=@]"
_CONTACT = (
    r"(?i)\S@\S|www\.|\s\|\s|\+\d|\b\d{5}\b|^[\d\s/().-]+$"
    r"|\b(?:t|m|tel|mobile?|mobiel|phone|fon|telefoon|telefon|handy|fax)\b[.:]*\s*\d"
)
_TOLD_PASSWORD = (
    rf"(?i)(?:{CALLED_PASSWORD}|\b(?:login|pin|kw|ww|mdp)\b)"
    r"(?:\s*[:=]|\s+(?:is|ist|lautet|est|es)\b)"
)

# Whole answers that ask for nothing but an answer, and those that change something
QUESTIONS = ("help", "show", "hint", "rules")
_QUESTIONS = tuple((question,) for question in QUESTIONS)
CHANGES = (
    *("resign", "propose", "undo", "accept", "reject", "decline", "rematch"),
    *("queue", "preview", "submit"),
)


class About(NamedTuple):
    """The board that a reply is about, as its reader sees it."""

    game: str
    board: int
    players: frozenset[str]
    phase: str
    aliases: Mapping[str, str] = {}  # words for commands in other languages

    def in_english(self, words: str) -> str:
        """The command that is written with these words, or the words."""
        return self.aliases.get(words) or small_talk.ASKING.get(words, words)

    @property
    def words(self) -> tuple[str, ...]:
        """The words that moves of the game begin with."""
        return rules.load(self.game).WORDS

    def possible(self, text: str) -> bool:
        """Whether a text has the form of a move, with positions that are there."""
        head, _, rest = text.partition(":")
        cells = re.findall("[0-9]+", rest) if head[:1].isdigit() else ()
        return rules.load(self.game).in_notation(text) and all(map(_is_cell, cells))


class Read(NamedTuple):
    """What a mail says: the move or question that it `does`, with the words that are
    passed on, and whether one that may be a password `keeps_back`; or what it `offers`.
    A word that is `strange` means nothing, and can be no password."""

    does: str = ""
    words: str = ""
    keeps_back: bool = False
    offers: tuple[str, ...] = ()
    strange: str = ""


class Line(NamedTuple):
    """A line: what it may mean, and whether that is for sure. It `says` the words that
    are no filler, and what is `left` of it without its move."""

    text: str
    means: tuple[str, ...] = ()
    is_sure: bool = False
    is_elsewhere: bool = False  # a move on another board
    is_talk: bool = False  # a sentence with a command's word, or a move's parts
    says: tuple[str, ...] = ()
    left: str = ""

    @property
    def is_alone(self) -> bool:
        """Whether it says nothing, or just a word, besides what it means."""
        return bool(self.means) and not self.is_talk and len(self.says) < 2

    @property
    def may_correct(self) -> bool:
        """Whether it may be meant in place of a move above it."""
        words = map(unmarked, self.text.split())
        return self.is_alone or not small_talk.CORRECTING.isdisjoint(words)


def meaning(
    lines: Sequence[str],
    about: About,
    unquoted: Callable[[str], str],
    exact: str = "",
) -> Read:
    """What these lines mean, which their writer wrote above a quotation, as far as one
    can tell: `unquoted` is a text up to where it quotes a letter without any mark. The
    first line may be an `exact` command already."""
    lines = [*dropwhile(lambda line: not line.strip(), lines)]
    found = list(_lines(lines, about))
    if exact:
        found[0] = Line(found[0].text, (exact,), is_sure=True)
    # what is a move alone may be in the letter, too
    masked = "\n".join(_MASK if line.is_alone else line.text for line in found)
    own = unquoted(masked)
    more = lines[len(found) :] if own.rstrip() == masked.rstrip() else ()
    found = found[: own.count("\n") + 1]
    told = [line for line in found if line.means]
    told = [line for line in told if not line.is_talk] or told
    if not told:
        return Read(strange=_strange(found))
    others = filter(lambda line: line.may_correct, told[1:])
    all_means = (word for line in (told[0], *others) for word in line.means)
    means = (*dict.fromkeys(all_means),)
    is_elsewhere = any(line.is_elsewhere for line in found)
    if not told[0].is_sure or len(means) > 1 or is_elsewhere:
        return Read(offers=means)
    words, keeps_back = _words(found, found.index(told[0]))
    return Read(means[0], "\n".join((words, *more)).strip("\n"), keeps_back)


def _words(lines: Sequence[Line], at: int) -> tuple[str, bool]:
    """What these lines say besides what is done by the one at this index, and whether a
    word was kept back: the only one, or one alone in that line or right beside it."""
    saying = [number for number, line in enumerate(lines) if line.says]
    order = sorted({*saying, at})
    place = order.index(at)
    near = order[max(0, place - 1) : place + 2] if saying[1:] else saying
    secret = {n for n in saying if n in near and _may_be_secret(lines[n].says)}
    secret |= {n for n in saying if _tells_password(lines[n], n == at)}
    if not {*saying} - secret:
        return "", bool(secret)
    told = {n: line.text for n, line in enumerate(lines) if n not in secret}
    told |= {at: lines[at].left} if at in told else {}
    return "\n".join(told.values()), bool(secret)


def _tells_password(line: Line, has_move: bool) -> bool:
    """Whether a line may hold a password after the word for it: beside a move any word
    may be one."""
    if has_move:
        return re.search(CALLED_PASSWORD, line.left.lower()) is not None
    return re.search(_TOLD_PASSWORD, line.text) is not None


def _may_be_secret(words: Sequence[str]) -> bool:
    """Whether these words are one that may be a password, or has one after a colon."""
    if len(words) != 1:
        return False
    parts = (words[0], *words[0].split(":"))
    return any(may_be_password(form) for it in parts for form in (it, it.strip(MARKS)))


def _strange(lines: Sequence[Line]) -> str:
    words = [word for line in lines for word in line.says]
    return words[0] if len(words) == 1 and not _may_be_secret(words) else ""


# A line


def _lines(lines: Sequence[str], about: About) -> Iterator[Line]:
    """The first lines, with the first words of all."""
    room, is_signed = MOST_WORDS, False
    for text in lines[:MOST_LINES]:
        *words, more = [*text.split(None, room), ""][: room + 1]
        room -= len(words)
        line = _line(text, words, about)
        if more:
            line = line._replace(left=f"{line.left} {more}".strip())
        # names, and where to reach them, come after "Best regards,"
        is_signature = _is_name(words) or re.search(_CONTACT, text) is not None
        is_signed = is_signed and not line.means and (not words or is_signature)
        line = line._replace(says=()) if is_signed else line
        is_signed = is_signed or _phrase(words) in small_talk.ENDINGS
        yield line
        if room <= 0:
            return


def _line(text: str, typed: Sequence[str], about: About) -> Line:
    found = named(typed, rules.load(about.game).TITLE)
    words = found.words if found else [*typed]
    says = _says(words, about.players, small_talk.HAILS)
    if found and (found.game, found.board or about.board) != about[:2]:
        there = about._replace(game=found.game)
        return Line(text, is_elsewhere=bool(_ways(words, there)), says=says)
    if ways := _ways(words, about):
        return _with_move(text, words, ways, about)
    if loose := _ways([*map(_without_words, words)], about):
        return Line(text, loose[0].moves, is_talk=True, says=says)
    bare = [*filter(None, map(unmarked, words))]
    if letters := _letters(bare, about):
        return Line(text, (letters,), is_sure=True)
    for line in (bare, [*filter(None, map(unmarked, says))]):
        if meant := _letters(line, about) or _command(line, about):
            return Line(text, (meant,), is_sure=meant in QUESTIONS)
    asked = (*dict.fromkeys(_commands(bare, about, "?" in text)),)
    if "?" in text and len(bare) <= _MOST_TOGETHER and asked in _QUESTIONS:
        return Line(text, asked, is_sure=True)  # an answer changes nothing
    changes = tuple(command for command in asked if command in CHANGES)
    return Line(text, changes, is_talk=True, says=says)


def _with_move(
    text: str, words: Sequence[str], ways: Sequence["Way"], about: About
) -> Line:
    """A line in which moves are: it plays if it is one with filler, or begins with
    one."""
    begin, end, _ = ways[0]
    before, after = words[:begin], words[end:]
    said = _says(before, about.players, small_talk.GREETINGS)
    says = _says(after, about.players)
    means = {way.begin: way.moves for way in ways}
    means |= {
        at: (it,) for at, w in enumerate(words) if (it := _change(unmarked(w), about))
    }
    all_means = dict.fromkeys(it for _, found in sorted(means.items()) for it in found)
    opening = _phrase(word for word in before if unmarked(word) not in about.players)
    is_greeted = opening in small_talk.GREETINGS
    is_begun = is_greeted or not opening or before[-1].endswith(":")
    is_ended = words[end - 1][-1] in ".,;!" or not (says and after[0][:1].isalnum())
    is_asked = "?" in words[end - 1] or (not says and "?" in text)
    is_talk = bool(says) and unmarked(after[0]) in small_talk.TALK
    has_number = any(map(_begins_with_number, (before[::-1], after)))
    return Line(
        text,
        tuple(all_means),
        is_sure=len(all_means) == 1
        and (is_begun or is_ended)
        and not (said or is_asked or is_talk or has_number),
        says=(*said, *says),
        left=" ".join((*(before if said or is_greeted else ()), *after)),
    )


def _begins_with_number(words: Sequence[str]) -> bool:
    """Whether a number is the first of these words, but for signs and `and`."""
    bare = dropwhile(
        lambda word: not word or word in small_talk.AND, map(unmarked, words)
    )
    return next(bare, "").isdigit()


def _command(words: Sequence[str], about: About) -> str:
    """The command that a whole line means; empty if it means none."""
    line = " ".join(words)
    meant = about.in_english(line)
    if words[:1] == ["help"] and len(words) < _MOST_TOGETHER:
        meant = "help"
    is_pass = meant == "pass" and meant in about.words
    return meant if is_pass or meant in (*QUESTIONS, *CHANGES) else ""


def _commands(line: Sequence[str], about: About, is_question: bool) -> Iterator[str]:
    """The commands that phrases in a sentence may mean; of those that are one word, in
    a question any."""
    for begin, word in enumerate(line):
        for end in range(begin + 1, begin + small_talk.LONGEST):
            meant = about.in_english(" ".join(line[begin:end]))
            if meant in (*QUESTIONS, *CHANGES) and (is_question or end > begin + 1):
                yield meant
        if found := _change(word, about):
            yield found


def _change(word: str, about: About) -> str:
    """The command that a word in a line may mean; empty if it means none."""
    meant = about.in_english(word)
    return meant if word in CHANGES or meant == "resign" else ""


# Moves


class Way(NamedTuple):
    """Words, from one up to another, with the moves that they may mean."""

    begin: int
    end: int
    moves: tuple[str, ...]

    def is_in(self, other: "Way") -> bool:
        """Whether it is a part of another."""
        return other != self and other.begin <= self.begin and self.end <= other.end


def _ways(words: Sequence[str], about: About) -> list[Way]:
    """The ways to read moves in a line, in order, without those that are a part of
    another."""
    signs = [(_sign(word, False), _sign(word, True)) for word in words]
    ways = [
        Way(begin, end, moves)
        for begin in range(len(signs))
        for end in _ends(signs, begin, about)
        if (moves := _moves(signs[begin:end], about, end - begin == len(signs)))
    ]
    return [way for way in ways if not any(map(way.is_in, ways))]


Signs = tuple[str, str]  # of a word, before a colon and after one


def _ends(signs: Sequence[Signs], begin: int, about: About) -> range:
    """Where a move may end that begins here: it has a number, or begins with a word of
    the game."""
    most = min(begin + _MOST_TOGETHER, len(signs))
    if _begins_named(signs[begin][0], about):
        return range(begin + 1, most + 1)
    numbers = (at for at in range(begin, most) if re.search("[0-9]", signs[at][0]))
    return range(next(numbers, most) + 1, most + 1)


def _begins_named(text: str, about: About) -> bool:
    return re.split("[: ]", text.lower(), maxsplit=1)[0] in about.words


def _moves(words: Sequence[Signs], about: About, is_line: bool) -> tuple[str, ...]:
    """What these words may mean, if they begin and end with a part of a move."""
    signs = list[str]()
    for before, after in words:
        signs.append(after if ":" in signs else before)
    if {signs[0], signs[-1]} & {"", ","}:
        return ()
    if signs[0] == ":":  # on 9 the 126
        signs = [signs[-1], *signs[:-1]]
    text = re.sub("([:,] ?)#", r"\1", " ".join(filter(None, signs)))  # 126 on #9
    if text[-1] in ":," or len(text) > _LONGEST:
        return ()
    is_named = _begins_named(text, about)
    found = tuple(meanings(text, about.possible))
    if is_named or ":" in text:
        return found
    # bare numbers: what may be a date, and what begins with a cell, is not for sure
    parts = re.findall("[0-9A-Za-z]+", text)
    if any(re.fullmatch("(?:19|20)[0-9]{2}", part) for part in parts):
        return ()
    is_tile_first = any(move.startswith(f"{parts[0]}:") for move in found)
    return found if is_line or is_tile_first else ()


def _sign(word: str, is_after: bool) -> str:
    """A word as notation has it: `:` between a tile and its cells, `,` between cells,
    nothing for what these are called. `is_after` a colon, some words mean a comma."""
    bare = unmarked(word)
    if bare in small_talk.AND and (is_after or bare not in small_talk.AT):
        return ","
    if bare in small_talk.AT or re.fullmatch(_ARROW, word):
        return ":"
    if bare in small_talk.NOUNS:
        return ""
    typed = re.sub(
        rf"(?<=[0-9A-Za-z])(?:{_ARROW})(?=[0-9A-Za-z])", ":", half_width(word)
    )
    return re.sub(r"[()\[\]]", " ", typed.strip(MARKS))


def _without_words(word: str) -> str:
    """A word with a digit; one without it as a sign that says nothing."""
    return word if any(map(str.isdigit, word)) else "-"


def _letters(line: Sequence[str], about: About) -> str:
    """The move that letters alone mean in this phase, such as `any` or `RGYPB`."""
    kinds = [word for word in about.words if word.startswith(about.phase)]
    bare = ",".join(filter(None, line))
    for kind in kinds if re.fullmatch("[a-z,]+", bare) else ():
        if about.possible(f"{kind}:{bare}"):
            return f"{kind}:{bare.upper().replace('ANY', 'any')}"
    return ""


def _is_cell(digits: str) -> bool:
    return re.fullmatch("0|[1-9][0-9]{0,3}", digits) is not None and (
        int(digits) <= LAST_POSITION
    )


# Filler


def _says(
    words: Sequence[str],
    players: Collection[str],
    hails: Collection[tuple[str, ...]] = (),
) -> tuple[str, ...]:
    """The words that are no filler, and no name after one of these."""
    line, says, at = [*map(unmarked, words)], list[str](), 0
    while at < len(line):
        count = _filler(line[at : at + small_talk.LONGEST], players)
        says += words[at : at + (not count)]
        at += count or 1
    first = words[: len(words) - len(says)]
    is_hail = [*first, *says] == [*words] and _is_name(says)
    return () if is_hail and _phrase(first) in hails else tuple(says)


def says_nothing(words: Sequence[str]) -> bool:
    """Whether these words are only filler, parts of a move, or a greeting."""
    plain = [word for word in words if not _is_of_move(word)]
    return not _says(plain, (), small_talk.GREETINGS)


def _is_of_move(word: str) -> bool:
    return unmarked(word) in small_talk.AT or any(map(str.isdigit, word))


def _filler(line: Sequence[str], players: Collection[str]) -> int:
    """How many words are filler with which this line begins."""
    first, counts = line[0], range(len(line), 0, -1)
    if found := next((n for n in counts if tuple(line[:n]) in small_talk.ALL), 0):
        return found
    is_name = first in players or first in small_talk.NOUNS
    is_sign = not re.search(r"\w", first) or re.fullmatch(CALLED_PASSWORD, first)
    return int(bool(is_name or is_sign))


def _phrase(words: Iterable[str]) -> tuple[str, ...]:
    """Words as phrases have them, without signs."""
    return tuple(filter(None, map(unmarked, words)))


def _is_name(words: Sequence[str]) -> bool:
    is_word = re.compile(r"[^\W\d_][\w'.-]*\W?").fullmatch
    return 0 < len(words) <= _MOST_NAMES and all(map(is_word, words))
