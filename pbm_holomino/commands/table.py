"""The table of all commands: a new command is one entry here.

All that is known of a command by its words follows from its entry: how it is read and
completed, which function decides, which words no player may be called, and by which
words it is recognised in a text.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from pbm_holomino import rules
from pbm_holomino.commands.params import (
    ACTS,
    ANY,
    BOARD,
    FORMATS,
    GAME,
    GAME_OR_PAGE,
    LANGUAGE,
    LIST,
    LISTS,
    PASSWORD,
    PLAYER,
    SAMPLES,
    TEXT,
    TOURNAMENT,
    USERID,
    ZONE,
    Kind,
    Option,
    Place,
    Wrong,
    about_then,
    bare,
    board,
    board_then,
    chosen,
    field,
    form,
    game_options,
    in_english,
    like,
    line_word,
    listed_games,
    move,
    numbered_move,
    one_of,
    own_boards,
    planned_move,
    players_boards,
    previewed_move,
    record_form,
    some_boards,
    userid,
    workers,
)
from pbm_holomino.commands.request import Request
from pbm_holomino.errors import BadCommand
from pbm_holomino.languages import sentence
from pbm_holomino.match.account import NAMELESS
from pbm_holomino.named_tuples import NamedTuple

if TYPE_CHECKING:
    from pbm_holomino.commands.texts import Commands


class Effect(Enum):
    """What a command does, and so what its deciding function is given."""

    ASKS = "asks"  # changes nothing: a request and its context
    ASKS_ROBOTS = "thinks"  # changes nothing, but has robots think: the same
    CHANGES = "changes"  # a ledger: a request, its context and the ledger before
    OPENS = "opens"  # a new one: the same, with what is there in its place, if anything
    MULTIPLE = "multiple"  # several commands: a request and how to do one
    SERVES_OWNER = "owner"  # is the owner's, in the shell only: a request


class Reply(Enum):
    """Whether a reply token serves in the place of a password, and which one."""

    NEVER = ""  # the command needs a password
    FRESH = "fresh"  # only a token of the present position
    ANY = "any"  # also a token of an earlier letter


# Each command as it is written, and below it what it does (an Effect), and the kind of
# ledger to which it does it; the function that decides; which replies to a letter can
# bring it (a Reply); and its options that the first line does not show, of which -m is
# a text. A line without a text takes what is typed after it, or the text of the mail.
_ENTRIES = """\
help: [subject...]
    asks commands.queries.help_page -html -format
signup: userid password [address...]
    opens players commands.accounts.signup
newcomer: userid word
    opens players commands.newcomers.newcomer
change password: userid current new
    changes players commands.accounts.change_password
change address: userid password [address...]
    changes players commands.accounts.change_address
change digest: userid password on|off
    changes players commands.accounts.choose
change letters: userid password all|turns|digest | moves=best|moves=all
    changes players commands.accounts.choose
change format: userid password text|small|html|picture|words
    changes players commands.accounts.choose
change broadcasts: userid password on|off
    changes players commands.accounts.choose
change profile: userid password on|off
    changes players commands.accounts.choose
change notices: userid password off | URL form [daily]
    changes players commands.accounts.change_notices
change threads: userid password on|off
    changes players commands.accounts.choose
change language: userid password language
    changes players commands.accounts.change_language any
change zone: userid password Area/City
    changes players commands.accounts.change_zone
unsubscribe: userid password
    changes players commands.accounts.unsubscribe
change vacation: userid password days
    changes players commands.accounts.change_vacation
add: userid password [address...]
    changes players commands.accounts.add
forgot: userid
    asks commands.accounts.forgot
export: userid password
    changes players commands.accounts.export
invite: userid password address
    changes players commands.invitations.invite
never: word
    asks commands.invitations.never
signoff: userid password
    changes players commands.accounts.signoff
delete: userid password [nameless]
    changes players commands.accounts.delete
message: userid password userid...
    changes players commands.accounts.message any -m
broadcast: userid password
    changes players commands.accounts.broadcast -m
decline all: userid password
    changes players commands.accounts.decline_all
block: userid password player
    changes players commands.accounts.block
unblock: userid password player
    changes players commands.accounts.block
mute: userid password game board
    changes players commands.accounts.mute
unmute: userid password game board
    changes players commands.accounts.mute
multiple:
    multiple commands.multiple.run -m
all show: userid [next|active]
    asks commands.queries.show -format
all showas: userid password [next|active]
    asks commands.queries.show -format
list: [open] [game...] [page]
    asks commands.results.players
tournament: [number]
    asks commands.tournaments.show -format
tournament join: number userid password
    changes tournaments commands.tournaments.join
tournament leave: number userid password
    changes tournaments commands.tournaments.leave
{game} help:
    asks commands.queries.help_page
{game} challenge: userid1 userid2 [userid...] [-option=value...]
    opens boards commands.boards.challenge
{game} invite: userid password address [-option=value...]
    changes players commands.invitations.invite
{game} move: board userid password move[#moveno]
    changes boards commands.boards.move fresh
{game} queue: board userid password move[#moveno]... | if theirs mine... | none
    changes boards commands.boards.queue fresh
{game} submit: board userid password move[#moveno]
    changes boards commands.boards.submit fresh
{game} confirm: board userid password
    changes boards commands.boards.confirm fresh
{game} resign: board userid password
    changes boards commands.boards.resign fresh
{game} accept: board userid password
    changes boards commands.boards.accept fresh
{game} decline: board userid password
    changes boards commands.boards.decline fresh
{game} rematch: board userid password [-option=value...]
    opens boards commands.boards.rematch any
{game} chat: board userid password
    changes boards commands.boards.chat any -m
{game} preview: board move...
    asks commands.previews.preview -format
{game} previewas: board userid password move...
    asks commands.previews.preview fresh -format
{game} analyse: [board[#moveno]] userid password [move...]
    asks commands.analyses.analyse any -sample -keep -m -format
{game} keep: board[#moveno] userid password [move...]
    opens notes commands.notes.keep -sample -format
{game} note: board[#moveno] userid password [move...]
    opens notes commands.notes.note -m
{game} notes: board userid password
    asks commands.notes.notes -format
{game} publish: board userid password
    opens notes commands.notes.publish
{game} show: board[#moveno]... | userid... [all|active|inactive|next]
    asks commands.queries.show -format
{game} showas: userid password [board...] | [all|active|inactive|next]
    asks commands.queries.show any -format
{game} look: board position
    asks commands.looking.look any
{game} fits: board tile
    asks commands.looking.fits any
{game} games: [userid...] [all|active|inactive|next]
    asks commands.records.games
{game} history: [board] [userid] [password]
    asks commands.records.history -format
{game} hint: board userid password
    thinks commands.hints_and_reviews.hint fresh
{game} review: board userid password
    thinks commands.hints_and_reviews.review any -format
{game} standings:
    asks commands.results.standings
{game} ratings:
    asks commands.results.ratings
{game} verify: board
    asks commands.records.verify
check: [--repair] [--mail FILE]
    owner owner.check.run
status: [--json | --metrics]
    owner owner.status.run
log: [--json] [--stdin] [game board | mail]
    owner owner.log.run
copy: [--move] FROM TO
    owner owner.copy.run
restore-test: COPY
    owner owner.restore_test.run
flush: [--undeliverable]
    owner owner.flush.run
kept: [list|show|drop|retry] [mail...]
    owner owner.kept.run
tick:
    owner owner.tick.run
play: [game robot... option=value...]
    owner owner.playing.run
players:
    owner owner.players.run
account: userid [show|reset|ban|admit|delete]
    owner owner.account.run
void: game board
    owner owner.void.run
tournament open: game robin|swiss [--days N] [option=value...]
    owner owner.tournament.open_entries -rounds -at_once
tournament cancel: number
    owner owner.tournament.cancel
completion: bash|zsh|fish
    owner owner.completion.run
sample: [name]
    owner owner.sample.run
serve: [--clock] [--workers N] [[host:]port]
    owner owner.serve.run
setup:
    owner owner.setup.run
web: [[host:]port]
    owner owner.web.run
fetch: [--stay]
    owner owner.fetch.run
run: [[host:]port]
    owner owner.whole_server.run
demo: [--source | --web | --play] [--keep FOLDER] [--language CODE] [game]
    owner owner.demo.run
"""
ANY_OPTIONS = "[-option=value...]"  # in a usage: those of the game


class Command(NamedTuple):
    """A command, as its entry says."""

    words: str  # its own, in which `{game}` is any game's name
    arguments: str  # the words after its own, as they are written
    effect: Effect
    kind: str  # that of the ledgers which it changes or opens, if it does
    decided_by: str  # the function that decides, as `room.module.function`
    reply: Reply = Reply.NEVER
    others: tuple[str, ...] = ()  # the options that are not among its arguments
    game: str = ""  # the one that was named, if any

    @property
    def name(self) -> str:
        """Its words without the game's name."""
        return self.words.removeprefix("{game} ")

    @property
    def in_game(self) -> bool:
        """Whether it comes after a game's name."""
        return self.words.startswith("{game} ")

    @property
    def is_owners(self) -> bool:
        """Whether it is known only in the shell."""
        return self.effect is Effect.SERVES_OWNER

    @property
    def takes_options(self) -> bool:
        """Whether it takes the options of its game."""
        return self.arguments.endswith(ANY_OPTIONS)

    @property
    def takes_text(self) -> bool:
        """Whether it takes a text."""
        return "-m" in self.others

    @property
    def is_of_words(self) -> bool:
        """Whether all that follows its own words and a seat is a text."""
        return self.takes_text and not self.places[-1].is_of_moves

    @property
    def takes_pictures(self) -> bool:
        """Whether a text can be in the place of a board: it is passed on to nobody, and
        is read as it came, with what it quotes."""
        return self.takes_text and any(not each.is_required for each in self.places[:1])

    def lacks_text(self, request: Request) -> bool:
        """Whether a text is still to be asked for: not if there is a board for it."""
        has_board = self.takes_pictures and bool(request.boards)
        return self.takes_text and not request.body and not has_board

    @property
    def most_text(self) -> int:
        """The most characters of its text."""
        from pbm_holomino.commands import texts  # few commands have one

        return texts.MOST_OWN if self.kind == "notes" else texts.MOST_NOTE

    @property
    def places(self) -> tuple[Place, ...]:
        """The places of its words."""
        return _places(self.name, self.arguments)

    @property
    def options(self) -> tuple[Option, ...]:
        """All options that it has for its game, or without one."""
        own = _options(self.name, self.arguments, self.others)
        return (*own, *(game_options(self.game) if self.takes_options else ()))

    @property
    def takes_password(self) -> bool:
        """Whether a password is typed with it."""
        return any(place.kind.question for place in self.places)

    @property
    def is_open(self) -> bool:
        """Whether a stranger may send it: somebody without an account."""
        return USERID not in self.places

    @property
    def help_page(self) -> str:
        """The help page to read about it."""
        if self.is_owners:
            return self.name
        subjects = help_subjects()
        has_page = (word for word in self.name.split() if word in subjects)
        return next(has_page, "commands")

    def usage(self) -> str:
        """How it is written."""
        words = self.words.format(game=self.game or "game")
        return " ".join(filter(None, ["pbm" * self.is_owners, words, self.arguments]))

    def decision(self) -> Callable[..., Any]:
        """The function that decides: its module is imported only now."""
        module, _, name = self.decided_by.rpartition(".")
        return _function(module, name)

    def answered(self) -> Callable[..., Any] | None:
        """What answers it once it has changed something, if that is not what a letter
        would say: a function of the same module."""
        module, _, _ = self.decided_by.rpartition(".")
        found = getattr(import_module(f"pbm_holomino.{module}"), "answered", None)
        return found if callable(found) else None

    def opening(self) -> Callable[..., Any]:
        """What says where that opens something: a function of the same module."""
        module, _, _ = self.decided_by.rpartition(".")
        return _function(module, "opening")


def _function(module: str, name: str) -> Callable[..., Any]:
    function: Callable[..., Any]
    function = getattr(import_module(f"pbm_holomino.{module}"), name)
    return function


def entry(usage: str, about: str) -> Command:
    """The command with an entry of these two lines."""
    words, _, arguments = usage.partition(":")
    effect, kind, *more = about.split()
    decided_by = kind if "." in kind else more.pop(0)
    others = tuple(word for word in more if word.startswith("-"))
    reply = Reply("".join(word for word in more if word not in others))
    kind = "" if kind == decided_by else kind
    return Command(
        words, arguments.strip(), Effect(effect), kind, decided_by, reply, others
    )


_LINES = _ENTRIES.splitlines()
COMMANDS = {command.words: command for command in map(entry, _LINES[::2], _LINES[1::2])}

OWNERS_PAGE = "owner"
# Their longer pages:
OWNERS_TEXTS = (
    *("backup", "capacity", "containers", "deliverability", "delivery", "machines"),
    *("mailbox", "pages", "postgresql", "shell", "speed", "spreading", "stable"),
    *("status", "store", "upgrading", "watching"),
)


def help_subjects() -> tuple[str, ...]:
    """The names of the help pages."""
    from pbm_holomino.letters import help as pages  # few commands need it

    return pages.subjects()


def has_help(subjects: Iterable[str]) -> bool:
    """Whether there is a help page on each of these subjects."""
    return {*help_subjects()}.issuperset(subjects)


def find(request: Request) -> Command:
    """The command of a request."""
    return COMMANDS[("{game} " if request.game else "") + request.command]


def folder(request: Request) -> str:
    """Where the ledger is that a request changes or opens; empty if it does neither."""
    kind = find(request).kind
    return request.game if kind == "boards" else kind


def game_in(words: Sequence[str]) -> str:
    """The game whose name comes first; empty if none does."""
    first = words[0].lower()
    return first if first in rules.names() else ""


def begun(words: Sequence[str], with_owners: bool) -> Command | None:
    """The command with which these words begin, the longest one; None if there is
    none. The owner's are known only in the shell."""
    game = game_in(words)
    typed = [*["{game}"] * bool(game), *map(str.lower, words[bool(game) :])]
    for own in (typed[:2], typed[:1]):
        command = COMMANDS.get(" ".join(own))
        if command is None or command.words.split() != own:
            continue
        if with_owners or not command.is_owners:
            return command._replace(game=game)
    return None


@cache
def at_top(with_owners: bool = False) -> Mapping[str, Command]:
    """The commands before which no game is named, by name."""
    return {
        command.name: command
        for command in COMMANDS.values()
        if not command.in_game and (with_owners or not command.is_owners)
    }


@cache
def owners() -> Mapping[str, Command]:
    """The owner's commands, by name."""
    return {name: c for name, c in at_top(True).items() if c.is_owners}


def is_owners(words: Sequence[str]) -> bool:
    """Whether these words are one of the owner's commands."""
    typed = [word.lower() for word in words[:2]]
    return any(" ".join(typed[:count]) in owners() for count in (1, 2))


def is_owners_help(subjects: Iterable[str]) -> bool:
    """Whether the pages of the owner are the help on these subjects."""
    named = tuple(subjects)
    pages = {*owners(), OWNERS_PAGE, *OWNERS_TEXTS}
    return " ".join(named) in owners() or (bool(named) and pages >= {*named})


@cache
def in_game() -> Mapping[str, Command]:
    """The commands that come after a game's name, by name."""
    return {c.name: c for c in COMMANDS.values() if c.in_game}


def in_reply() -> dict[str, Command]:
    """The commands about a board that a reply to a letter can make, by the words that
    it has for them: `show` is `showas` there, as its reader is known."""
    found = {n: c for n, c in in_game().items() if c.reply is not Reply.NEVER}
    return {**found, **{n.removesuffix("as"): c for n, c in found.items()}}


def page_of(name: str) -> str:
    """The help page of a player's command; empty where there is no such command."""
    command = at_top().get(name) or in_game().get(name)
    return command.help_page if command else ""


def reserved_words() -> frozenset[str]:
    """The words that no userid may be: those of commands, games, lists and moves, and
    those that mean commands in other languages."""
    from pbm_holomino.languages import aliases  # few commands need it
    from pbm_holomino.match import account, letter_ids, open_challenge

    names = " ".join(command.name for command in COMMANDS.values()).split()
    moves = [word for game in rules.names() for word in rules.load(game).WORDS]
    words = (*names, *moves, *rules.names(), *LISTS, *ACTS, *_ACTS, *_KEPT)
    abroad = " ".join(aliases.meanings()).split()
    settings = (*account.LETTERS, *account.FORMATS)
    others = (open_challenge.SOME_ROBOT, letter_ids.INVITED)
    return frozenset((*words, *abroad, *settings, *others))


# Accounts are for ever, so what may one day be typed in the place of a userid is kept.
_KEPT = ("pbm", "repair", "on", "off", "anyone", "none")

RULES = "rules"  # what people type for help on the games

# What players of pbmserv type after the name of a game, without "move".
_ACTS = ("pass", "swap", *ACTS)


@cache
def command_words() -> frozenset[str]:
    """The words that players' commands are made of, and those that mean one."""
    names = " ".join([*at_top(), *in_game()]).split()
    return frozenset((*names, *LISTS, *_ACTS, RULES))


@cache
def in_texts() -> "Commands":
    """The words by which a command is recognised in a text."""
    from pbm_holomino.commands.texts import Commands  # few questions need it
    from pbm_holomino.languages import aliases

    names = (c.name for c in in_game().values() if c.takes_password)
    secret, others = {*names, *_ACTS}, {name.split()[0] for name in at_top()}
    for alias, meant in aliases.meanings().items():
        words = secret if meant in secret else others
        words.add(alias.split()[0])
    return Commands(
        games=frozenset(rules.names()),
        secret=frozenset(secret),
        others=frozenset(others),
    )


# What the words of a usage mean


def _subjects(request: Request, value: tuple[str, ...]) -> Request:
    """Fill the help pages: those of a command, which may have two words, or others."""
    name = " ".join(value).lower()
    page = page_of(name)
    return request._replace(words=(page,) if page else tuple(map(str.lower, value)))


def _folders_of_mails(given: Sequence[Any]) -> Sequence[str]:
    from pbm_holomino.store import contract  # only a shell asks

    return contract.QUARANTINE, contract.WAITING, contract.UNDELIVERABLE


_WRONG_FORMAT = Wrong(
    sentence("-format takes {choices}, not {word}."),
    sentence("-format takes {choices}, not that."),
)
_NO_DAYS = Wrong(
    sentence("{word} is not a number of days, such as 14."),
    sentence("That is not a number of days, such as 14."),
)
_NO_POSITION = Wrong(
    sentence("{word} is not a position: positions are numbers, such as 17."),
    sentence("That is not a position: positions are numbers, such as 17."),
)
_NO_TILE = Wrong(
    sentence("{word} is not a tile: please write its name, such as 123."),
    sentence("That is not a tile: please write its name, such as 123."),
)
_NO_SETTING = Wrong(
    sentence("{word} is not a setting: please write {choices}."),
    sentence("That is not a setting: please write {choices}."),
)
_ONLY_NAMELESS = Wrong(
    sentence('After the password you can only write "{choices}", not {word}.'),
    sentence('After the password you can only write "{choices}".'),
)
# To the owner
_NO_COUNT = in_english("{word} is not a number from 1 to 999.")
_NO_OPTION = in_english("{word} is not an option with its value, such as forfeit=10.")
_NO_SAMPLE = in_english("There is no sample {word}: please name {choices}.")
_NOT_FOR_KEPT = in_english('After "kept" please write {choices}, not {word}.')
_NOT_FOR_ACCOUNT = in_english("After the userid please write {choices}, not {word}.")
_NO_SYSTEM = in_english("{word} is not a kind of tournament: please write {choices}.")
_NO_SHELL = in_english(
    "{word} is not a shell that can complete: please name {choices}."
)

_COUNT = like("[1-9][0-9]{0,2}", _NO_COUNT)
_PLANNED = Kind(planned_move)


def _notices(given: Sequence[Any]) -> Sequence[str]:
    from pbm_holomino.match.notices import DAILY, FORMS, OFF  # only a shell asks

    typed = [*filter(None, given)]
    return (DAILY,) if set(typed) & set(FORMS) else FORMS if typed else (OFF,)


def _where_told(word: str) -> str:
    """A word about notices, which no error quotes: whoever knows an address can write
    there."""
    from pbm_holomino.match.notices import DAILY, FORMS, NO_PLACE, OFF

    is_plain = word.isalnum() and word.lower() not in (*FORMS, DAILY, OFF)
    if is_plain:
        raise BadCommand(NO_PLACE)
    return word.lower() if word.isalnum() else word


_WHERE_TOLD = Kind(_where_told, _notices, is_secret=True)
_ANY_LISTS = Kind(str, lambda given: LISTS)
_BOARDS = Kind(str, lambda given: LISTS if any(given) else ())
_NAMED_BOARD = Place("board", Kind(lambda word: str(board(word))))
_LINE = Place("move", Kind(line_word))
_MOVE_NOW = Place("move", Kind(move, lambda given: ACTS), numbered_move)

# By the word, without brackets and dots; a command may have its own
_PLACES = {
    "userid": USERID,
    "password": PASSWORD,
    "board": BOARD,
    "number": TOURNAMENT,
    "address": Place("address", ANY),
    "player": Place("player", PLAYER),
    "game": Place("game", GAME),
    "days": Place("days", like("[0-9]{1,9}", _NO_DAYS)),
    "language": Place("language", LANGUAGE),
    "position": Place("position", like("(?a)[0-9]{1,9}", _NO_POSITION)),
    "tile": Place("tile", like("(?a)[0-9a-zA-Z]{1,9}", _NO_TILE)),
    "Area/City": Place("Area/City", ZONE),
    "move": Place("move", Kind(previewed_move)),
    "board[#moveno]": Place("board", Kind(board_then), about_then),
    "analyse move": _LINE,
    "keep move": _LINE,
    "note move": _LINE,
    "move[#moveno]": _MOVE_NOW,
    "submit move[#moveno]": Place("move", _PLANNED),
    "subject": Place("subject", Kind(str, lambda given: help_subjects()), _subjects),
    "signup userid": Place("userid", Kind(userid, is_secret=True), field("userid")),
    "newcomer userid": Place("userid", Kind(userid, is_secret=True), field("userid")),
    "word": Place("word", Kind(str, is_secret=True)),
    "current": PASSWORD._replace(name="current"),
    "new": Place("new", PASSWORD.kind._replace(question="New password")),
    "mute board": _NAMED_BOARD,
    "unmute board": _NAMED_BOARD,
    "account userid": Place("userid", ANY),
    "forgot userid": Place("userid", PLAYER),
    "all show userid": Place("userid", PLAYER),
    "next|active": Place("list", LIST, field("which")),
    "mail": Place("mail", Kind(str, _folders_of_mails)),
    "option=value": Place("option=value", like("[a-zA-Z_]+=[!-~]+", _NO_OPTION)),
    "name": Place("name", one_of(SAMPLES, _NO_SAMPLE)),
    "FROM": Place("FROM", ANY),
    "TO": Place("TO", ANY),
    "COPY": Place("COPY", ANY),
    "[host:]port": Place("port", ANY),
}
# By all that is left of a usage
_LEFT: dict[str, tuple[Place, ...]] = {
    "userid...": (Place("player", PLAYER, is_several=True),),
    "userid1 userid2 [userid...]": (Place("userid", PLAYER, is_several=True),),
    "move[#moveno]... | if theirs mine... | none": (
        Place("move", _PLANNED, is_several=True),
    ),
    "all|turns|digest | moves=best|moves=all": (
        Place(
            "setting",
            one_of(("all", "turns", "digest", "moves=best", "moves=all"), _NO_SETTING),
        ),
    ),
    "off | URL form [daily]": (Place("URL", _WHERE_TOLD, is_several=True),),
    "[open] [game...] [page]": (
        Place("game", GAME_OR_PAGE, listed_games, is_required=False, is_several=True),
    ),
    "board[#moveno]... | userid... [all|active|inactive|next]": (
        Place("board", _BOARDS, some_boards, is_several=True),
    ),
    "[board...] | [all|active|inactive|next]": (
        Place("board", _ANY_LISTS, own_boards, is_required=False, is_several=True),
    ),
    "[userid...] [all|active|inactive|next]": (
        Place("userid", _ANY_LISTS, players_boards, is_required=False, is_several=True),
    ),
    "[game board | mail]": (Place("word", ANY, is_required=False, is_several=True),),
    "[game robot... option=value...]": (
        Place("game", GAME, is_required=False),
        Place("robot", ANY, is_required=False, is_several=True),
    ),
}
# Words of which one is chosen: what they are called, and the error about another
_CHOICES = {
    NAMELESS: ("how", _ONLY_NAMELESS),
    "list|show|drop|retry": ("do", _NOT_FOR_KEPT),
    "show|reset|ban|admit|delete": ("do", _NOT_FOR_ACCOUNT),
    "robin|swiss": ("system", _NO_SYSTEM),
    "bash|zsh|fish": ("shell", _NO_SHELL),
}
_SETTING = ("setting", _NO_SETTING)


@cache
def _places(name: str, usage: str) -> tuple[Place, ...]:
    """The places of a command with this name, from the words after its own."""
    values = ("N]", "FOLDER]", "FILE]", "CODE]")  # of options
    left = [word for word in usage.split() if word not in (*values, ANY_OPTIONS)]
    left = [word for word in left if "--" not in word]
    places: list[Place] = []
    while left:
        if together := _LEFT.get(" ".join(left)):
            return (*places, *together)
        if (word := left.pop(0)) != "|":
            places.append(_place(name, word))
    return tuple(places)


def _place(name: str, word: str) -> Place:
    """The place that a word of a usage is, such as `[address...]`."""
    is_required = not word.startswith("[")
    bare = word if is_required else word[1:-1]
    is_several, bare = bare.endswith("..."), bare.removesuffix("...")
    place = _PLACES.get(f"{name} {bare}") or _PLACES.get(bare)
    if place is None:
        called, wrong = _CHOICES.get(bare, _SETTING)
        place = Place(called, one_of(tuple(bare.split("|")), wrong))
    return place._replace(is_required=is_required, is_several=is_several)


_FORMS = {
    "help": ("text", "words"),
    "history": (*FORMATS, "yaml"),
    "review": ("text", "json", "svg"),
    "notes": ("text", "json"),
    "tournament": ("text", "json"),
}
_VALUES = {
    "days": _COUNT,
    "rounds": _COUNT,
    "workers": Kind(workers),
    "html": ANY,
    "keep": ANY,
    "language": LANGUAGE,
    "mail": ANY,
}


@cache
def _options(name: str, usage: str, others: tuple[str, ...]) -> tuple[Option, ...]:
    """The options of a command, but for those of a game: those in its usage, such as
    `--repair`, and the others."""
    shown = [word.strip("[]")[2:] for word in usage.split() if "--" in word]
    return (
        *(_owners_option(option, is_owners=True) for option in shown),
        *(_other_option(name, option[1:]) for option in others),
    )


def _other_option(name: str, option: str) -> Option:
    if option == "m":
        return TEXT
    if option == "keep":
        return Option(option, Kind(bare), keeping, is_flag=True)
    if option == "format":
        forms = one_of(_FORMS.get(name, FORMATS), _WRONG_FORMAT)
        return Option(option, forms, record_form if name == "history" else form)
    return _owners_option(option, is_owners=False)


def keeping(request: Request, value: str) -> Request:
    """Have what is thought over kept, too: that is another command. Raises
    BadCommand."""
    if not request.boards:
        raise BadCommand(_KEPT_ON_BOARDS)
    return request._replace(command="keep")


_KEPT_ON_BOARDS = sentence(
    '"-keep" keeps a line among your notes on a board of this server: please name the '
    'board before your userid, or leave "-keep" out.'
)


def _owners_option(name: str, is_owners: bool) -> Option:
    is_flag = name not in _VALUES
    kind = Kind(bare) if is_flag else _VALUES[name]
    return Option(name, kind, chosen(name), is_flag, is_owners)
