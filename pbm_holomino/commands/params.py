"""The words in a command: kinds of words, and the places and options for them.

A kind reads one word and says how a shell may complete it. A place is for one word of a
kind or for several, and knows which fields of a request they fill. Which places and
options a command has follows from its usage.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

from pbm_holomino import rules
from pbm_holomino.commands.request import Request
from pbm_holomino.errors import BadCommand
from pbm_holomino.languages import Either, Listed, Sentence, Value, of_number, sentence
from pbm_holomino.match.account import is_userid
from pbm_holomino.match.trees import (
    DRAW,
    IF,
    NOBODY,
    OPEN_DRAW,
    WHATEVER,
    are_places,
    is_tree,
    place,
)
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.sentences import DASHES, nearest, quoted

LISTS = ("all", "active", "inactive", "next")
OPEN = "open"  # the list of open challenges
BOARD_FORMATS = (
    "small",
    "list",
    "words",
)  # screens whose board is not the usual picture
PICTURES = ("svg", "png")  # files that come with a screen
FORMATS = ("text", *BOARD_FORMATS, "bbcode", "markdown", "html", "json", *PICTURES)
SHELLS = ("bash", "zsh", "fish")
SAMPLES = (
    "config",
    *("forward", "procmailrc", "maildrop", "exim", "opensmtpd", "sieve"),
    *("fetchmail", "getmail"),
    *("cron", "service", "smtp.conf", "socket", "run"),
    *("web", "tick", "timer", "sudoers"),
    *("alerts", "dashboard"),
)
ACTS = ("resign", "propose", "undo", "accept", "reject")  # typed in a move's place
PAUSE = "pause:"  # with its days it is the one word that `propose pause 7` becomes
NONE = "none"  # typed in place of moves, it empties a queue
SWAP = "swap"  # what players of other games send; it is refused with a sentence

_MOST_WORKERS = 64
_MOVE = r"([!-\"$-~]{1,100})(?:#([0-9]{1,6}))?"

Ask = Callable[[str], str]  # the password that somebody types at this prompt
Offers = Callable[[Sequence[Any]], Iterable[str]]
Fill = Callable[[Request, Any], Request]
InNotation = Callable[[str], bool]  # whether a word is a move of some game


# Words that are wrong where they were typed


class Wrong:
    """What is said of a word that is wrong: with `{word}`, and the same without it, for
    one that may be a password out of place, if any may be. It is no tuple with names,
    for which every command would pay."""

    def __init__(self, quoting: Sentence, hiding: Sentence | None = None) -> None:
        self.quoting = quoting
        self.hiding = hiding

    def of(self, **values: Value) -> "Wrong":
        """The same with these values."""
        hiding = self.hiding and self.hiding.of(**values)
        return Wrong(self.quoting.of(**values), hiding)


def in_english(text: str) -> Wrong:
    """What is said to the owner, who reads English: no translator is asked for it."""
    return Wrong(Sentence((text,)))


class WrongWord(BadCommand):
    """A word that is wrong where it was typed."""

    def __init__(self, word: str, wrong: Wrong, page: str = "commands") -> None:
        super().__init__(wrong.quoting.of(word=quoted(word)), page)
        self.word = word
        self.hiding = wrong.hiding


_NO_BOARD = Wrong(
    sentence("{word} is not a board number (boards look like 12)."),
    sentence("That is not a board number (boards look like 12)."),
)
_NO_BOARD_THEN = Wrong(
    sentence(
        "{word} is not a board number (boards look like 12, or like 12#3 for board 12 "
        "after move 3)."
    ),
    sentence(
        "That is not a board number (boards look like 12, or like 12#3 for board 12 "
        "after move 3)."
    ),
)
_NEITHER = Wrong(
    sentence("{word} is neither a board number nor a player."),
    sentence("That is neither a board number nor a player."),
)
_NO_LANGUAGE = Wrong(
    sentence("{word} is not a language here: please write {choices}."),
    sentence("That is not a language here: please write {choices}."),
)
_NEAR_LANGUAGE = Wrong(
    sentence(
        '{word} is not a language here: please write {choices}. Did you mean "{near}"?'
    ),
    sentence(
        'That is not a language here: please write {choices}. Did you mean "{near}"?'
    ),
)
_NO_ZONE = Wrong(
    sentence(
        "{word} is not a zone that is known here: please write the name of a zone, "
        "such as Europe/Berlin, America/New_York or UTC."
    ),
    sentence(
        "That is not a zone that is known here: please write the name of a zone, such "
        "as Europe/Berlin, America/New_York or UTC."
    ),
)
_NEAR_ZONE = Wrong(
    sentence('{word} is not a zone that is known here. Did you mean "{near}"?'),
    sentence('That is not a zone that is known here. Did you mean "{near}"?'),
)
_NO_ZONES = sentence(
    "This server knows no zone but UTC, as the machine has no data about others: its "
    "owner would have to install them first."
)
_NO_MOVE = Wrong(
    sentence("{word} is not a move in any game."),
    sentence("That is not a move in any game."),
)
_NO_TILE_DRAWN = Wrong(
    sentence(
        '{word} is not a tile: please write "draw:" and its name, as in "draw:145".'
    ),
    sentence('That is not a tile: please write "draw:" and its name.'),
)
_NUMBERED = Wrong(
    sentence(
        "{word} has a move number, and a preview takes none: please write {move}."
    ),
    sentence("That has a move number, and a preview takes none: please write {move}."),
)
_NO_LIST = Wrong(sentence("{word} is not a list of boards: please write {choices}."))
_NO_GAME = Wrong(sentence('{word} is not a game here: "help" lists the games.'))
_NO_TOURNAMENT = Wrong(
    sentence("{word} is not a tournament's number (these look like 3)."),
    sentence("That is not a tournament's number (these look like 3)."),
)
_WORKERS = in_english("--workers takes a number from 1 to {most}, not {word}.")
_LIST = Wrong(
    sentence("{word} is a list of boards: please write a player's userid there.")
)
_LAST = Wrong(sentence("{word} comes last, after the players."))
_NO_VALUE = Wrong(sentence("That option takes no value: please leave out {word}."))


# Kinds


class Kind(NamedTuple):
    """A kind of word."""

    read: Callable[[str], Any]  # the value of a word; raises BadCommand
    # the words that a shell completes, from the values that are there before
    offers: Offers = lambda given: ()
    is_secret: bool = False  # whether no error quotes what was typed in its place
    question: str = ""  # of a password: the prompt where a dash is typed
    # says which words there are, if the usage does not
    known: Callable[[], Sentence] | None = None

    def value(self, word: str, ask: Ask | None) -> Any:
        """The value of a word, typed or asked for. Raises BadCommand."""
        if not self.question or word not in tuple(DASHES):
            return self.read(word)
        if ask is None:
            raise BadCommand(
                sentence(
                    'By mail a password cannot be "-": nobody can be asked for it.'
                )
            )
        return ask(self.question)


def one_of(choices: Sequence[str], wrong: Wrong) -> Kind:
    """One of a few words. `wrong` is said of another, and may name the `{choices}`."""

    def read(word: str) -> str:
        if word.lower() not in choices:
            raise WrongWord(word, wrong.of(choices=Either(choices)))
        return word.lower()

    return Kind(read, lambda given: choices)


def like(pattern: str, wrong: Wrong, value: Callable[[str], Any] = str) -> Kind:
    """Words like this. `wrong` is said of another."""

    def read(word: str) -> Any:
        if not re.fullmatch(pattern, word):
            raise WrongWord(word, wrong)
        return value(word)

    return Kind(read)


def userid(word: str) -> str:
    """A player's name, which no error quotes: it may be a password out of place."""
    if word.lower() in LISTS:
        raise WrongWord(word.lower(), _LIST)
    if not is_userid(word.lower()):
        raise BadCommand(
            sentence(
                "That is not a userid: a userid is a letter followed by 1 to 19 "
                "letters, digits or underscores."
            )
        )
    return word.lower()


def is_number(word: str, digits: int) -> bool:
    """Whether a word is a number with at most so many digits."""
    return word.isascii() and word.isdigit() and len(word) <= digits


def board(word: str) -> int:
    """A board's number."""
    if not is_number(word, 9):
        raise WrongWord(word, _NO_BOARD)
    return int(word)


def workers(word: str) -> str:
    """A number of worker processes."""
    if not (is_number(word, 2) and 0 < int(word) <= _MOST_WORKERS and word[0] != "0"):
        raise WrongWord(word, _WORKERS.of(most=_MOST_WORKERS))
    return word


def language(word: str) -> str:
    """The code of a language, of which the name will do."""
    from pbm_holomino.languages import known  # few commands name one

    if code := known.meant(word):
        return code
    words = known.words()
    near = nearest(word.casefold(), words)
    wrong = _NEAR_LANGUAGE.of(near=words[near]) if near else _NO_LANGUAGE
    raise WrongWord(word, wrong.of(choices=Either(_named_languages())))


def _named_languages() -> Iterator[str]:
    """The codes of all languages, each with what the language is called."""
    from pbm_holomino.languages import known

    for code, name in known.names().items():
        yield f"{code} ({name})" if name != code else code


def _known_languages() -> Sentence:
    languages = Listed(_named_languages())
    return of_number(
        "The only language here is {languages}.",
        "The languages here are {languages}.",
        n=len(languages),
        languages=languages,
    )


def _languages(given: Sequence[Any]) -> Sequence[str]:
    from pbm_holomino.languages import known  # only a shell asks

    return known.codes()


def zone(word: str) -> str:
    """The name of a zone of the clock, of which the city will do."""
    from pbm_holomino.languages import zones  # few commands name one

    if name := zones.meant(word):
        return name
    if not zones.are_known():
        raise BadCommand(_NO_ZONES)
    near = zones.near(word)
    raise WrongWord(word, _NEAR_ZONE.of(near=near) if near else _NO_ZONE)


def _zones(given: Sequence[Any]) -> Sequence[str]:
    from pbm_holomino.languages import zones  # only a shell asks

    return sorted(zones.names())


def move(word: str) -> tuple[str, int | None]:
    """A move, and the number that it must count as, if one is given: `123:17#8`."""
    match = re.fullmatch(_MOVE, word)
    if not match:
        raise WrongWord(word, _NO_MOVE)
    return match[1], None if match[2] is None else int(match[2])


def planned_move(word: str) -> str:
    """A move for later, as it is typed: with its number, if one is given; or a word of
    answers ahead."""
    if (meant := place(word)) in (IF, WHATEVER, NOBODY):
        return meant
    if "/" not in word:  # the moves of one place may be many
        move(word)
    return word


def previewed_move(word: str) -> str:
    """A move to be shown, which has no number."""
    plain, number = move(word)
    if number is not None:
        raise WrongWord(word, _NUMBERED.of(move=quoted(plain)))
    return plain


def line_word(word: str) -> str:
    """A move of a line that is thought over, or a draw after one: `draw:145`, or `?`
    where it is left open."""
    typed = word.lower()
    if typed in (OPEN_DRAW, f"{DRAW}{OPEN_DRAW}"):
        return OPEN_DRAW
    if typed.startswith(DRAW):
        return f"{DRAW}{_DRAWN.read(typed.removeprefix(DRAW))}"
    return previewed_move(word)


MOVES = (move, planned_move, previewed_move, line_word)


def are_moves(words: Sequence[str], in_notation: InNotation) -> bool:
    """Whether all these words are moves, each as `is_move` has it, or answers ahead."""
    return (is_tree(words) and are_places(words, in_notation)) or all(
        is_move(word, in_notation) for word in words
    )


def is_move(word: str, in_notation: InNotation) -> bool:
    """Whether a word, which may end with a move's number, is a move in this notation,
    or is typed in the place of one."""
    plain = word.partition("#")[0]
    typed = plain.lower()
    is_act = typed in (*ACTS, NONE, SWAP) or typed.startswith(PAUSE)
    return is_act or in_notation(plain)


def joined(words: Sequence[str]) -> Sequence[str]:
    """The same words, with `propose pause 7` as one."""
    typed = [word.lower().rstrip(".,!") for word in words]
    for at, pair in enumerate(pairwise(typed)):
        if pair == ("propose", "pause"):
            days, rest = "".join(typed[at + 2 : at + 3]), words[at + 3 :]
            if typed[at + 3 :] in (["day"], ["days"]):
                rest = ()
            return (*words[:at], f"{PAUSE}{days}", *rest)
    return words


def bare(word: str) -> str:
    """What a flag says that takes no value."""
    if word != "yes":
        raise WrongWord(word, _NO_VALUE)
    return word


def is_page(word: str) -> bool:
    """Whether a word is the number of a page."""
    return is_number(word, 4) and word[0] != "0"


def _game_or_page(word: str) -> str:
    """What is listed, or a page of it."""
    game: str = word if is_page(word) else _GAME_OR_OPEN.read(word)
    return game


_DRAWN = like("[0-9a-z]{1,9}", _NO_TILE_DRAWN)
_PASSWORD = Kind(str, is_secret=True, question="Password")

ANY = Kind(str)
PLAYER = Kind(userid, is_secret=True)
LANGUAGE = Kind(language, _languages, known=_known_languages)
ZONE = Kind(zone, _zones)
GAME = one_of(rules.names(), _NO_GAME)
_GAME_OR_OPEN = one_of((*rules.names(), OPEN), _NO_GAME)
GAME_OR_PAGE = Kind(_game_or_page, _GAME_OR_OPEN.offers)
LIST = one_of(LISTS, _NO_LIST)


# Which fields of a request they fill


def field(name: str) -> Fill:
    """Fill the field of this name."""
    return lambda request, value: request._replace(**{name: value})


def words(request: Request, value: Any) -> Request:
    """Add one word or several."""
    more = value if isinstance(value, tuple) else (value,)
    return request._replace(words=(*request.words, *more))


def listed_games(request: Request, value: tuple[str, ...]) -> Request:
    """Fill games, each of them once; whether the list is of open challenges, and which
    page of it is wanted."""
    pages = [word for word in value if word.isdigit()]
    if pages and OPEN not in value:
        raise BadCommand(
            sentence(
                "Only the list of open challenges has pages: please write "
                '"list open {page}".',
                page=pages[0],
            )
        )
    if len(pages) > 1:
        raise BadCommand(
            sentence("Please name one page, not {pages}.", pages=Listed(pages))
        )
    games = tuple(w for w in dict.fromkeys(value) if w not in (OPEN, *pages))
    page = int(pages[0]) if pages else 1
    which = OPEN if OPEN in value else ""
    return words(request, games)._replace(which=which, page=page)


def about(request: Request, value: int) -> Request:
    """Fill the board that a command is about."""
    return request._replace(boards=((value, None),))


def about_then(request: Request, value: tuple[int, int | None]) -> Request:
    """Fill the board that a command is about, and after which move it is wanted."""
    return request._replace(boards=(value,))


def numbered_move(request: Request, value: tuple[str, int | None]) -> Request:
    """Add a move, and fill its number."""
    return words(request, value[0])._replace(move_no=value[1])


def form(request: Request, value: str) -> Request:
    """Fill the format of the answer. A player who asks for text wants the large board,
    even on a narrow screen."""
    return request._replace(format=value, is_large=value == "text")


def record_form(request: Request, value: str) -> Request:
    """Fill the format of a record or of a list of results. Raises BadCommand."""
    if value in ("yaml", *BOARD_FORMATS, *PICTURES) and not request.boards:
        raise BadCommand(
            sentence("-format={form} shows one board: please name a board.", form=value)
        )
    return form(request, value)


def selection(request: Request, value: Sequence[str]) -> Request:
    """Fill boards or players, and the list word after them."""
    typed = [word.lower() for word in value]
    which = typed.pop() if typed and typed[-1] in LISTS else ""
    typed = list(dict.fromkeys(typed))
    numbers = [word for word in typed if word[:1].isdigit()]
    names = [word for word in typed if not word[:1].isdigit()]
    if numbers and (names or which):
        raise BadCommand(sentence("Boards and players do not mix in one command."))
    for word in names:
        if word in LISTS:
            raise WrongWord(word, _LAST)
    if not all(map(is_userid, names)):
        raise _neither(names)
    return request._replace(
        boards=tuple(map(board_then, numbers)), words=tuple(names), which=which
    )


def board_then(word: str) -> tuple[int, int | None]:
    """A board, and the move after which it is wanted, if one is given: `12#3`."""
    number, hash_, ply = word.partition("#")
    if not is_number(number, 9) or (hash_ and not is_number(ply, 6)):
        raise WrongWord(word, _NO_BOARD_THEN)
    return int(number), int(ply) if ply else None


def _neither(names: Iterable[str]) -> BadCommand:
    """The error about names of which one is no userid. It may be a password out of
    place, and is quoted only if it was meant as a board."""
    for name in names:
        if is_number(name[1:], len(name)) and name[0] == "#":
            return WrongWord(name, _NEITHER)
    return BadCommand(
        sentence("One of these words is neither a board number nor a userid.")
    )


def some_boards(request: Request, value: Sequence[str]) -> Request:
    """Fill boards, or the players whose boards they are."""
    filled = selection(request, value)
    if not filled.boards and not filled.words:
        raise BadCommand(sentence("Whose boards? Please name boards or players."))
    return filled


def own_boards(request: Request, value: Sequence[str]) -> Request:
    """Fill boards of the player who asks."""
    filled = selection(request, value)
    if filled.words:
        raise BadCommand(
            sentence(
                "After the password come boards, by their numbers (boards look like "
                "12)."
            )
        )
    return filled


def players_boards(request: Request, value: Sequence[str]) -> Request:
    """Fill the players whose boards are listed."""
    filled = selection(request, value)
    if filled.boards:
        raise BadCommand(
            sentence("This lists the boards of players: please name players.")
        )
    return filled


SELECTIONS = (some_boards, own_boards, players_boards)


# Places and options


class Place(NamedTuple):
    """The place of a word in a command, or of several."""

    name: str  # as the error says where it is missing
    kind: Kind
    fill: Fill = words
    is_required: bool = True
    is_several: bool = False  # all words that are left

    @property
    def is_of_moves(self) -> bool:
        """Whether moves are typed there."""
        return self.kind.read in MOVES


class Option(NamedTuple):
    """An option: with two dashes and dashes, or with one dash and underscores."""

    name: str
    kind: Kind
    fill: Fill
    is_flag: bool = False  # it needs no value; with one, it is `yes` or `no`
    is_owners: bool = False  # shown with two dashes only

    @property
    def spellings(self) -> tuple[str, ...]:
        """How it is completed."""
        long = f"--{self.name.replace('_', '-')}"
        return (long,) if self.is_owners else (f"-{self.name}", long)


def is_option(word: str) -> bool:
    """Whether a word is an option rather than the dash in place of a password."""
    return len(word) > 1 and word[0] in DASHES


def chosen(name: str) -> Fill:
    """Add to the options of a board that is opened, or of one of the owner's
    commands."""
    return lambda request, value: request._replace(
        options={**request.options, name: value}
    )


def game_options(game: str) -> Iterator[Option]:
    """The options with which a board of this game is opened."""
    from pbm_holomino.rules.options import CHALLENGE_OPTIONS  # few commands need them

    loaded = rules.load(game)
    for option in (*loaded.OPTIONS, *CHALLENGE_OPTIONS):
        for name in option.names:
            kind = _words_of(option.choices)
            yield Option(name, kind, chosen(name), option.is_flag)
    if loaded.PRESETS:
        yield Option("rules", _words_of(tuple(loaded.PRESETS)), chosen("rules"))


def _words_of(choices: Sequence[str]) -> Kind:
    return Kind(str, lambda given: choices)


# What the words of a usage mean

USERID = Place("userid", PLAYER, field("userid"))
PASSWORD = Place("password", _PASSWORD, field("password"))
BOARD = Place("board", Kind(board), about)
TOURNAMENT = Place(
    "tournament",
    like("[1-9][0-9]{0,8}", _NO_TOURNAMENT, int),
    about,
)
TEXT = Option("m", ANY, field("body"))
