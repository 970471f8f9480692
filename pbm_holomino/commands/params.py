"""The kinds of words in a command, and the parameters that are made of them.

A kind reads one word and says how a shell may complete it. A parameter is one word of
a kind or several, and knows which fields of a request they fill.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from pbm_holomino import rules
from pbm_holomino.commands.request import Request
from pbm_holomino.errors import BadCommand
from pbm_holomino.match.account import is_userid
from pbm_holomino.rules.options import CHALLENGE_OPTIONS
from pbm_holomino.sentences import DASHES, listed, quoted

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

LISTS = ("all", "active", "inactive", "next")
OPEN = "open"  # the list of open challenges
BOARD_FORMATS = ("small", "list")  # screens whose board is not the usual picture
PICTURES = ("svg", "png")  # files that come with a screen
FORMATS = ("text", *BOARD_FORMATS, "bbcode", "markdown", "html", "json", *PICTURES)
RECORD_FORMATS = (*FORMATS, "yaml")
REVIEW_FORMATS = ("text", "json", "svg")
SHELLS = ("bash", "zsh", "fish")
SAMPLES = (
    "config",
    *("forward", "procmailrc", "maildrop", "exim", "opensmtpd", "sieve"),
    *("fetchmail", "getmail"),
    *("cron", "service", "smtp.conf", "socket", "run", "sudoers"),
    *("alerts", "dashboard"),
)
ACTS = ("resign", "propose", "undo", "accept", "reject")  # typed in a move's place
NONE = "none"  # typed in place of moves, it empties a queue
SWAP = "swap"  # what players of other games send; it is refused with a sentence

_MOST_WORKERS = 64

_BOARD = r"([0-9]{1,9})(?:#([0-9]{1,6}))?"
_MOVE = r"([!-\"$-~]{1,100})(?:#([0-9]{1,6}))?"

Read = Callable[[str], Any]
Offers = Callable[[Sequence[Any]], Iterable[str]]
Fill = Callable[[Request, Any], Request]
InNotation = Callable[[str], bool]  # whether a word is a move of some game


# Kinds


class Kind(click.ParamType):  # type: ignore[type-arg]  # generic since click 8.4
    """A kind of word. `read` gives the value of a word, or raises BadCommand; `offers`
    the words that a shell completes, from the values that are there before. No error
    quotes what was typed in place of a secret kind."""

    def __init__(
        self, read: Read, offers: Offers = lambda given: (), is_secret: bool = False
    ) -> None:
        self.name = read.__name__
        self.read = read
        self.offers = offers
        self.is_secret = is_secret

    def convert(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> Any:
        """The value of a word, as click asks for it."""
        return self.read(value)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> "list[CompletionItem[str]]":
        """The words that begin like this one."""
        from click.shell_completion import CompletionItem  # only a shell asks

        offered = self.offers(ctx.params.get(param.name or "") or ())
        begun = incomplete.lower()
        return [CompletionItem(word) for word in offered if word.startswith(begun)]


class Password(Kind):
    """A password, which is asked for in the shell where a dash is typed; `question` is
    what the prompt says."""

    def __init__(self, question: str) -> None:
        super().__init__(str, is_secret=True)
        self.question = question

    def convert(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        """The password, typed or asked for."""
        if value not in tuple(DASHES):
            return value
        ask = ctx.obj if ctx else None
        if ask is None:
            raise BadCommand(
                'By mail a password cannot be "-": nobody can be asked for it.'
            )
        return str(ask(self.question))


def userid(word: str) -> str:
    """A player's name, which no error quotes: it may be a password out of place."""
    if word.lower() in LISTS:
        raise BadCommand(
            f"{quoted(word.lower())} is a list of boards: please write a player's "
            "userid there."
        )
    if not is_userid(word.lower()):
        raise BadCommand(
            "That is not a userid: a userid is a letter followed by 1 to 19 letters, "
            "digits or underscores."
        )
    return word.lower()


def board(word: str) -> int:
    """A board's number."""
    if not re.fullmatch("[0-9]{1,9}", word):
        raise BadCommand(f"{quoted(word)} is not a board number (boards look like 12).")
    return int(word)


def tournament(word: str) -> int:
    """A tournament's number."""
    if not re.fullmatch("[1-9][0-9]{0,8}", word):
        raise BadCommand(
            f"{quoted(word)} is not a tournament's number (these look like 3).",
            "tournament",
        )
    return int(word)


def move(word: str) -> tuple[str, int | None]:
    """A move, and the number that it must count as, if one is given: `123:17#8`."""
    found = re.fullmatch(_MOVE, word)
    if not found:
        raise BadCommand(f"{quoted(word)} is not a move in any game.")
    return found[1], None if found[2] is None else int(found[2])


def days(word: str) -> str:
    """A number of days."""
    if not re.fullmatch("[0-9]{1,9}", word):
        raise BadCommand(f"{quoted(word)} is not a number of days, such as 14.")
    return word


def count(word: str) -> str:
    """A small number, from 1 on."""
    if not re.fullmatch("[1-9][0-9]{0,2}", word):
        raise BadCommand(f"{quoted(word)} is not a number from 1 to 999.")
    return word


def set_option(word: str) -> str:
    """An option of the boards of a tournament, and its value: `pool_size=5`."""
    if not re.fullmatch("[a-zA-Z_]+=[!-~]+", word):
        raise BadCommand(
            f"{quoted(word)} is not an option with its value, such as forfeit=10."
        )
    return word


def workers(word: str) -> str:
    """A number of worker processes."""
    if not re.fullmatch("[1-9][0-9]?", word) or int(word) > _MOST_WORKERS:
        raise BadCommand(
            f"--workers takes a number from 1 to {_MOST_WORKERS}, not {quoted(word)}."
        )
    return word


def planned_move(word: str) -> str:
    """A move for later, as it is typed: with its number, if one is given."""
    move(word)
    return word


def previewed_move(word: str) -> str:
    """A move to be shown, which has no number."""
    plain, number = move(word)
    if number is not None:
        raise BadCommand(
            f"{quoted(word)} has a move number, and a preview takes none: please "
            f"write {quoted(plain)}."
        )
    return plain


MOVES = (move, planned_move, previewed_move)


def is_move(word: str, in_notation: InNotation) -> bool:
    """Whether a word, which may end with a move's number, is a move in this notation,
    or is typed in the place of one."""
    plain = word.partition("#")[0]
    return plain.lower() in (*ACTS, NONE, SWAP) or in_notation(plain)


def bare(word: str) -> str:
    """What a flag says that takes no value."""
    if word != "yes":
        raise BadCommand(
            f"That option takes no value: please leave out {quoted(word)}."
        )
    return word


def one_of(choices: Sequence[str], wrong: str) -> Kind:
    """One of a few words. `wrong` is the error about another `{word}`, which may name
    the `{choices}`."""

    def read(word: str) -> str:
        if word.lower() not in choices:
            right = listed(choices, "or")
            raise BadCommand(wrong.format(word=quoted(word), choices=right))
        return word.lower()

    return Kind(read, lambda given: choices)


_WRONG_FORMAT = "-format takes {choices}, not {word}."

GAME = one_of(rules.names(), '{word} is not a game here: "help" lists the games.')
_GAME_OR_OPEN = one_of(
    (*rules.names(), OPEN),
    '{word} is not a game here: "help" lists the games.',
)


def _game_or_page(word: str) -> str:
    """What is listed, or a page of it."""
    found: str = word if is_page(word) else _GAME_OR_OPEN.read(word)
    return found


def is_page(word: str) -> bool:
    """Whether a word is the number of a page."""
    return re.fullmatch("[1-9][0-9]{0,3}", word) is not None


GAME_OR_PAGE = Kind(_game_or_page, _GAME_OR_OPEN.offers)
LIST = one_of(LISTS, "{word} is not a list of boards: please write {choices}.")
FORM = one_of(FORMATS, _WRONG_FORMAT)
RECORD_FORM = one_of(RECORD_FORMATS, _WRONG_FORMAT)
REVIEW_FORM = one_of(REVIEW_FORMATS, _WRONG_FORMAT)
PLAIN_FORM = one_of(("text", "json"), _WRONG_FORMAT)
SYSTEM = one_of(
    ("robin", "swiss"), "{word} is not a kind of tournament: please write {choices}."
)
SHELL = one_of(
    SHELLS, "{word} is not a shell that can complete: please name {choices}."
)
WITH_KEPT = one_of(
    ("list", "show", "drop", "retry"),
    'After "kept" please write {choices}, not {word}.',
)
SAMPLE = one_of(SAMPLES, "There is no sample {word}: please name {choices}.")
PLAYER = Kind(userid, is_secret=True)
ANY = Kind(str)


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
            "Only the list of open challenges has pages: please write "
            f'"list {OPEN} {pages[0]}".'
        )
    if len(pages) > 1:
        raise BadCommand(f"Please name one page, not {listed(pages)}.")
    games = tuple(w for w in dict.fromkeys(value) if w not in (OPEN, *pages))
    page = int(pages[0]) if pages else 1
    which = OPEN if OPEN in value else ""
    return words(request, games)._replace(which=which, page=page)


def about(request: Request, value: int) -> Request:
    """Fill the board that a command is about."""
    return request._replace(boards=((value, None),))


def numbered_move(request: Request, value: tuple[str, int | None]) -> Request:
    """Add a move, and fill its number."""
    return words(request, value[0])._replace(move_no=value[1])


def board_form(request: Request, value: str) -> Request:
    """Fill the format of a board. A player who asks for text wants the large board,
    even on a narrow screen."""
    return request._replace(format=value, is_large=value == "text")


def record_form(request: Request, value: str) -> Request:
    """Fill the format of a record or of a list of results."""
    if value in ("yaml", *BOARD_FORMATS, *PICTURES) and not request.boards:
        raise BadCommand(f"-format={value} shows one board: please name a board.")
    return request._replace(format=value)


def selection(request: Request, value: Sequence[str]) -> Request:
    """Fill boards or players, and the list word after them."""
    typed = [word.lower() for word in value]
    which = typed.pop() if typed and typed[-1] in LISTS else ""
    typed = list(dict.fromkeys(typed))
    numbers = [word for word in typed if word[:1].isdigit()]
    names = [word for word in typed if not word[:1].isdigit()]
    if numbers and (names or which):
        raise BadCommand("Boards and players do not mix in one command.")
    for word in names:
        if word in LISTS:
            raise BadCommand(f"{quoted(word)} comes last, after the players.")
    if not all(map(is_userid, names)):
        raise BadCommand(_neither(names))
    return request._replace(
        boards=tuple(map(_board_then, numbers)), words=tuple(names), which=which
    )


def _board_then(word: str) -> tuple[int, int | None]:
    """A board, and the move after which it is wanted, if one is given: `12#3`."""
    found = re.fullmatch(_BOARD, word)
    if not found:
        raise BadCommand(
            f"{quoted(word)} is not a board number (boards look like 12, or like 12#3 "
            "for board 12 after move 3)."
        )
    return int(found[1]), int(found[2]) if found[2] else None


def _neither(names: Iterable[str]) -> str:
    """The sentence about names of which one is no userid. It may be a password out of
    place, and is quoted only if it was meant as a board."""
    for name in names:
        if re.fullmatch("#[0-9]+", name):
            return f"{quoted(name)} is neither a board number nor a player."
    return "One of these words is neither a board number nor a userid."


def some_boards(request: Request, value: Sequence[str]) -> Request:
    """Fill boards, or the players whose boards they are."""
    found = selection(request, value)
    if not found.boards and not found.words:
        raise BadCommand("Whose boards? Please name boards or players.")
    return found


def own_boards(request: Request, value: Sequence[str]) -> Request:
    """Fill boards of the player who asks."""
    found = selection(request, value)
    if found.words:
        raise BadCommand(
            "After the password come boards, by their numbers (boards look like 12)."
        )
    return found


def players_boards(request: Request, value: Sequence[str]) -> Request:
    """Fill the players whose boards are listed."""
    found = selection(request, value)
    if found.boards:
        raise BadCommand("This lists the boards of players: please name players.")
    return found


SELECTIONS = (some_boards, own_boards, players_boards)


# Parameters


def is_option(word: str) -> bool:
    """Whether a word is an option rather than the dash in place of a password."""
    return len(word) > 1 and word[0] in DASHES


class Argument(click.Argument):
    """A word in its place. `usage` is how it is shown where its name alone would not
    do."""

    def __init__(
        self, name: str, kind: Kind, fill: Fill = words, usage: str = "", **how: Any
    ) -> None:
        super().__init__([name], type=kind, **how)
        self.kind = kind
        self.fill = fill
        self.usage = usage or name


def is_of_moves(place: Argument) -> bool:
    """Whether moves are typed in this place."""
    return place.kind.read in MOVES


def several(
    name: str, kind: Kind, fill: Fill = words, usage: str = "", least: int = 0
) -> Argument:
    """The words that are left, of which some may be required."""
    usage = usage or (f"{name}..." if least else f"[{name}...]")
    return Argument(name, kind, fill, usage, nargs=-1, required=least > 0)


class Option(click.Option):
    """An option, with one dash and underscores or with two dashes and dashes. `usage`
    shows it among a command's words, if it is one of few."""

    def __init__(self, name: str, kind: Kind, fill: Fill, usage: str = "") -> None:
        long = f"--{name.replace('_', '-')}"
        spellings = [long] if usage else [f"-{name}", long]
        super().__init__([*spellings, name], type=kind)
        self.fill = fill
        self.usage = usage


class Flag(Option):
    """An option that needs no value; with one, it is `yes` or `no`."""


Param = Argument | Option


def chosen(name: str) -> Fill:
    """Add to the options of a board that is opened, or of one of the owner's
    commands."""
    return lambda request, value: request._replace(
        options={**request.options, name: value}
    )


def game_options(game: str) -> Iterator[Option]:
    """The options with which a board of this game is opened."""
    loaded = rules.load(game)
    for option in (*loaded.OPTIONS, *CHALLENGE_OPTIONS):
        kind = Option if option.limits or option.choices else Flag
        for name in option.names:
            yield kind(name, _words_of(option.choices), chosen(name))
    if loaded.PRESETS:
        yield Option("rules", _words_of(tuple(loaded.PRESETS)), chosen("rules"))


def _words_of(choices: Sequence[str]) -> Kind:
    return Kind(str, lambda given: choices)


def setting(*choices: str) -> Argument:
    """One of the words that a player can choose."""
    wrong = "{word} is not a setting: please write {choices}."
    return Argument("setting", one_of(choices, wrong), usage="|".join(choices))


USERID = Argument("userid", PLAYER, field("userid"))
PASSWORD = Argument("password", Password("Password"), field("password"))
BOARD = Argument("board", Kind(board), about)
FORMAT = Option("format", FORM, board_form)
TOURNAMENT = Argument("tournament", Kind(tournament), about, "number")
TEXT = Option("m", ANY, field("body"))
