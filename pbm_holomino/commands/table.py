"""The table of all commands: a new command is one entry here.

All that is known of a command by its words follows from its entry: how it is parsed
and completed, which function decides, which words no player may be called, and by
which words it is recognised in a text.
"""

from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

from pbm_holomino import rules
from pbm_holomino.commands import params
from pbm_holomino.commands.params import (
    ANY,
    BOARD,
    FORMAT,
    PASSWORD,
    PLAYER,
    TEXT,
    USERID,
    Argument,
    Flag,
    Kind,
    Option,
    Param,
    Password,
    several,
)
from pbm_holomino.commands.request import Request
from pbm_holomino.commands.texts import Commands
from pbm_holomino.match.account import FORMATS, LETTERS
from pbm_holomino.match.open_challenge import SOME_ROBOT
from pbm_holomino.store.contract import QUARANTINE, UNDELIVERABLE, WAITING


class Effect(Enum):
    """What a command does, and so what its deciding function is given."""

    ASKS = "changes nothing: a request and its context"
    ASKS_ROBOTS = "changes nothing, but has robots think: the same"
    CHANGES_BOARD = "changes a board: a request, its context and the match"
    OPENS_BOARD = "opens a board: a request, its context and the board before"
    CHANGES_ACCOUNT = "changes an account: a request, its context and the account"
    CHANGES_TOURNAMENT = "changes a tournament: a request, its context and that"
    MULTIPLE = "carries out several commands: a request and how to do one"
    SERVES_OWNER = "is the owner's, in the shell only: a request"


class Reply(Enum):
    """Whether a reply token serves in the place of a password, and which one."""

    NEVER = "the command needs a password"
    FRESH = "only a token of the present position"
    ANY = "also a token of an earlier letter"


class Command(NamedTuple):
    """A command: its words, in which `{game}` is any game's name; what it does; the
    function that decides, as `room.module.function`; and the words after its own.

    It may also take the options of the game, and a text: what is typed after it, the
    text of the mail, or what follows -m. `reply` says whether a reply to a letter can
    bring it. `help` is what help says of an owner's command, and `pages` are the
    owner's longer texts that say more.
    """

    words: str
    effect: Effect
    decided_by: str
    params: tuple[Param, ...] = ()
    takes_options: bool = False
    takes_text: bool = False
    reply: Reply = Reply.NEVER
    help: str = ""
    pages: tuple[str, ...] = ()

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
    def takes_password(self) -> bool:
        """Whether a password is typed with it."""
        return any(isinstance(param.type, Password) for param in self.params)

    @property
    def help_page(self) -> str:
        """The help page to read about it."""
        if self.is_owners:
            return self.name
        subjects = _help_subjects()
        has_page = (word for word in self.name.split() if word in subjects)
        return next(has_page, "commands")

    @property
    def is_open(self) -> bool:
        """Whether a stranger may send it: somebody without an account."""
        return USERID not in self.params

    def params_in(self, game: str) -> list[Param]:
        """All parameters that it has for a game, or without one."""
        options = params.game_options(game) if self.takes_options else ()
        return [*self.params, *[TEXT] * self.takes_text, *options]

    def usage(self, game: str = "game") -> str:
        """How it is written."""
        shown = [param.usage for param in self.params]
        options = ["[-option=value...]"] * self.takes_options
        words = ["pbm"] * self.is_owners + [self.words.format(game=game)]
        return " ".join(filter(None, [*words, *shown, *options]))

    def decision(self) -> Callable[..., Any]:
        """The function that decides: its module is imported only now."""
        module, _, function = self.decided_by.rpartition(".")
        found: Callable[..., Any]
        found = getattr(import_module(f"pbm_holomino.{module}"), function)
        return found


OWNERS_PAGE = "owner"
# Their longer pages:
OWNERS_TEXTS = (
    *("deliverability", "delivery", "machines", "mailbox", "pages", "postgresql"),
    *(
        "shell",
        "speed",
        "spreading",
        "stable",
        "status",
        "store",
        "upgrading",
        "watching",
    ),
)


def _help_subjects() -> tuple[str, ...]:
    """The names of the help pages."""
    from pbm_holomino.letters import help as pages  # few commands need it

    return pages.subjects()


def has_help(subjects: Iterable[str]) -> bool:
    """Whether there is a help page on each of these subjects."""
    return {*_help_subjects()}.issuperset(subjects)


def find(request: Request) -> Command:
    """The command of a request."""
    return COMMANDS[("{game} " if request.game else "") + request.command]


def at_top(with_owners: bool = False) -> dict[str, Command]:
    """The commands before which no game is named, by name."""
    return {
        command.name: command
        for command in COMMANDS.values()
        if not command.in_game and (with_owners or not command.is_owners)
    }


def owners() -> dict[str, Command]:
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


def in_game() -> dict[str, Command]:
    """The commands that come after a game's name, by name."""
    return {c.name: c for c in COMMANDS.values() if c.in_game}


def page_of(name: str) -> str:
    """The help page of a player's command; empty where there is no such command."""
    command = at_top().get(name) or in_game().get(name)
    return command.help_page if command else ""


def reserved_words() -> frozenset[str]:
    """The words that no userid may be: those of commands, games, lists and moves."""
    names = " ".join(command.name for command in COMMANDS.values()).split()
    moves = [word for game in rules.names() for word in rules.load(game).WORDS]
    words = (*names, *moves, *rules.names(), *params.LISTS, *params.ACTS, *_ACTS)
    return frozenset((*words, *LETTERS, *FORMATS, *_KEPT))


# Accounts are for ever, so what may one day be typed in the place of a userid is kept.
_KEPT = ("pbm", "repair", "on", "off", "anyone", "none", SOME_ROBOT)

RULES = "rules"  # what people type for help

# What players of pbmserv type after the name of a game, without "move".
_ACTS = ("pass", "swap", *params.ACTS)


@cache
def command_words() -> frozenset[str]:
    """The words that players' commands are made of, and those that mean one."""
    names = " ".join([*at_top(), *in_game()]).split()
    return frozenset((*names, *params.LISTS, *_ACTS, RULES))


def in_texts() -> Commands:
    """The words by which a command is recognised in a text."""
    secret = (c.name for c in in_game().values() if c.takes_password)
    return Commands(
        games=frozenset(rules.names()),
        secret=frozenset((*secret, *_ACTS)),
        others=frozenset(name.split()[0] for name in at_top()),
    )


# Parameters of one command


def _subjects(request: Request, value: tuple[str, ...]) -> Request:
    """Fill the help pages: those of a command, which may have two words, or others."""
    name = " ".join(value).lower()
    page = page_of(name)
    return request._replace(words=(page,) if page else tuple(map(str.lower, value)))


def _lists_after_a_name(given: Iterable[str]) -> Iterable[str]:
    return params.LISTS if any(given) else ()


SUBJECT = several("subject", Kind(str, lambda given: _help_subjects()), _subjects)
_BOARDS = Kind(str, _lists_after_a_name)
_ANY_LISTS = Kind(str, lambda given: params.LISTS)
_LISTS = "all|active|inactive|next"
_MOVE = Argument(
    "move",
    Kind(params.move, lambda given: params.ACTS),
    params.numbered_move,
    "move[#moveno]",
)
_ADDRESSES = several("address", ANY)
_BARE = Kind(params.bare)
_KEPT_MAILS = Kind(str, lambda given: (QUARANTINE, WAITING, UNDELIVERABLE))
_OTHER = Argument("player", PLAYER)
_PREVIEWED = several("move", Kind(params.previewed_move), least=1)

_ACCOUNT = (USERID, PASSWORD)
_SEAT = (BOARD, USERID, PASSWORD)

_ENTRIES = [
    Command(
        "help",
        Effect.ASKS,
        "commands.queries.help_page",
        (SUBJECT,),
    ),
    Command(
        "signup",
        Effect.CHANGES_ACCOUNT,
        "commands.accounts.signup",
        (
            Argument(
                "userid", Kind(params.userid, is_secret=True), params.field("userid")
            ),
            PASSWORD,
            _ADDRESSES,
        ),
    ),
    Command(
        "change password",
        Effect.CHANGES_ACCOUNT,
        "commands.accounts.change_password",
        (
            USERID,
            Argument("current", Password("Password"), params.field("password")),
            Argument("new", Password("New password")),
        ),
    ),
    Command(
        "change address",
        Effect.CHANGES_ACCOUNT,
        "commands.accounts.change_address",
        (*_ACCOUNT, _ADDRESSES),
    ),
    Command(
        "change digest",
        Effect.CHANGES_ACCOUNT,
        "commands.accounts.choose",
        (*_ACCOUNT, params.setting("on", "off")),
    ),
    Command(
        "change letters",
        Effect.CHANGES_ACCOUNT,
        "commands.accounts.choose",
        (*_ACCOUNT, params.setting(*LETTERS)),
    ),
    Command(
        "change format",
        Effect.CHANGES_ACCOUNT,
        "commands.accounts.choose",
        (*_ACCOUNT, params.setting(*FORMATS)),
    ),
    Command(
        "change broadcasts",
        Effect.CHANGES_ACCOUNT,
        "commands.accounts.choose",
        (*_ACCOUNT, params.setting("on", "off")),
    ),
    Command(
        "change threads",
        Effect.CHANGES_ACCOUNT,
        "commands.accounts.choose",
        (*_ACCOUNT, params.setting("on", "off")),
    ),
    Command(
        "unsubscribe",
        Effect.CHANGES_ACCOUNT,
        "commands.accounts.unsubscribe",
        _ACCOUNT,
    ),
    Command(
        "change vacation",
        Effect.CHANGES_ACCOUNT,
        "commands.accounts.change_vacation",
        (*_ACCOUNT, Argument("days", Kind(params.days))),
    ),
    Command(
        "add",
        Effect.CHANGES_ACCOUNT,
        "commands.accounts.add",
        (*_ACCOUNT, _ADDRESSES),
    ),
    Command(
        "forgot",
        Effect.ASKS,
        "commands.accounts.forgot",
        (Argument("userid", PLAYER),),
    ),
    Command("signoff", Effect.CHANGES_ACCOUNT, "commands.accounts.signoff", _ACCOUNT),
    Command("delete", Effect.CHANGES_ACCOUNT, "commands.accounts.delete", _ACCOUNT),
    Command(
        "message",
        Effect.CHANGES_ACCOUNT,
        "commands.accounts.message",
        (*_ACCOUNT, several("player", PLAYER, usage="userid...", least=1)),
        takes_text=True,
        reply=Reply.ANY,
    ),
    Command(
        "broadcast",
        Effect.CHANGES_ACCOUNT,
        "commands.accounts.broadcast",
        _ACCOUNT,
        takes_text=True,
    ),
    Command(
        "decline all",
        Effect.CHANGES_ACCOUNT,
        "commands.accounts.decline_all",
        _ACCOUNT,
    ),
    Command(
        "block",
        Effect.CHANGES_ACCOUNT,
        "commands.accounts.block",
        (*_ACCOUNT, _OTHER),
    ),
    Command(
        "unblock",
        Effect.CHANGES_ACCOUNT,
        "commands.accounts.block",
        (*_ACCOUNT, _OTHER),
    ),
    Command("multiple", Effect.MULTIPLE, "server.multiple.run", takes_text=True),
    Command(
        "all show",
        Effect.ASKS,
        "commands.queries.show",
        (
            Argument("userid", PLAYER),
            Argument(
                "list",
                params.LIST,
                params.field("which"),
                "[next|active]",
                required=False,
            ),
            FORMAT,
        ),
    ),
    Command(
        "list",
        Effect.ASKS,
        "commands.results.players",
        (
            several(
                "game",
                params.GAME_OR_PAGE,
                params.listed_games,
                "[open] [game...] [page]",
            ),
        ),
    ),
    Command(
        "tournament",
        Effect.ASKS,
        "commands.tournaments.show",
        (
            Argument(
                "tournament",
                params.TOURNAMENT.kind,
                params.about,
                "[number]",
                required=False,
            ),
            Option("format", params.PLAIN_FORM, params.field("format")),
        ),
    ),
    Command(
        "tournament join",
        Effect.CHANGES_TOURNAMENT,
        "commands.tournaments.join",
        (params.TOURNAMENT, *_ACCOUNT),
    ),
    Command(
        "tournament leave",
        Effect.CHANGES_TOURNAMENT,
        "commands.tournaments.leave",
        (params.TOURNAMENT, *_ACCOUNT),
    ),
    Command("{game} help", Effect.ASKS, "commands.queries.help_page"),
    Command(
        "{game} challenge",
        Effect.OPENS_BOARD,
        "commands.open_challenges.challenge",
        (several("userid", PLAYER, usage="userid1 userid2 [userid...]", least=2),),
        takes_options=True,
    ),
    Command(
        "{game} move",
        Effect.CHANGES_BOARD,
        "commands.boards.move",
        (*_SEAT, _MOVE),
        reply=Reply.FRESH,
    ),
    Command(
        "{game} queue",
        Effect.CHANGES_BOARD,
        "commands.boards.queue",
        (
            *_SEAT,
            several(
                "move",
                Kind(params.planned_move),
                usage="move[#moveno]... or none",
                least=1,
            ),
        ),
        reply=Reply.FRESH,
    ),
    Command(
        "{game} submit",
        Effect.CHANGES_BOARD,
        "commands.boards.submit",
        (*_SEAT, Argument("move", Kind(params.planned_move), usage="move[#moveno]")),
        reply=Reply.FRESH,
    ),
    Command(
        "{game} confirm",
        Effect.CHANGES_BOARD,
        "commands.boards.confirm",
        _SEAT,
        reply=Reply.FRESH,
    ),
    Command(
        "{game} resign",
        Effect.CHANGES_BOARD,
        "commands.boards.resign",
        _SEAT,
        reply=Reply.FRESH,
    ),
    Command(
        "{game} accept",
        Effect.CHANGES_BOARD,
        "commands.boards.accept",
        _SEAT,
        reply=Reply.FRESH,
    ),
    Command(
        "{game} decline",
        Effect.CHANGES_BOARD,
        "commands.boards.decline",
        _SEAT,
        reply=Reply.FRESH,
    ),
    Command(
        "{game} rematch",
        Effect.OPENS_BOARD,
        "commands.boards.rematch",
        _SEAT,
        reply=Reply.ANY,
    ),
    Command(
        "{game} chat",
        Effect.CHANGES_BOARD,
        "commands.boards.chat",
        _SEAT,
        takes_text=True,
        reply=Reply.ANY,
    ),
    Command(
        "{game} preview",
        Effect.ASKS,
        "commands.queries.preview",
        (BOARD, _PREVIEWED, FORMAT),
    ),
    Command(
        "{game} previewas",
        Effect.ASKS,
        "commands.queries.preview",
        (*_SEAT, _PREVIEWED, FORMAT),
        reply=Reply.FRESH,
    ),
    Command(
        "{game} show",
        Effect.ASKS,
        "commands.queries.show",
        (
            several(
                "board",
                _BOARDS,
                params.some_boards,
                f"board[#moveno]... or userid... [{_LISTS}]",
                least=1,
            ),
            FORMAT,
        ),
    ),
    Command(
        "{game} showas",
        Effect.ASKS,
        "commands.queries.show",
        (
            *_ACCOUNT,
            several(
                "board", _ANY_LISTS, params.own_boards, f"[board...] or [{_LISTS}]"
            ),
            FORMAT,
        ),
        reply=Reply.ANY,
    ),
    Command(
        "{game} games",
        Effect.ASKS,
        "commands.queries.games",
        (
            several(
                "userid",
                _ANY_LISTS,
                params.players_boards,
                f"[userid...] [{_LISTS}]",
            ),
        ),
    ),
    Command(
        "{game} history",
        Effect.ASKS,
        "commands.queries.history",
        (
            Argument("board", BOARD.kind, params.about, "[board]", required=False),
            Option("format", params.RECORD_FORM, params.record_form),
        ),
    ),
    Command(
        "{game} hint",
        Effect.ASKS_ROBOTS,
        "commands.lessons.hint",
        _SEAT,
        reply=Reply.FRESH,
    ),
    Command(
        "{game} review",
        Effect.ASKS_ROBOTS,
        "commands.lessons.review",
        (*_SEAT, Option("format", params.REVIEW_FORM, params.field("format"))),
        reply=Reply.ANY,
    ),
    Command("{game} standings", Effect.ASKS, "commands.results.standings"),
    Command("{game} ratings", Effect.ASKS, "commands.results.ratings"),
    Command("{game} verify", Effect.ASKS, "commands.queries.verify", (BOARD,)),
    Command(
        "check",
        Effect.SERVES_OWNER,
        "owner.check.run",
        (Flag("repair", _BARE, params.chosen("repair"), "[--repair]"),),
        help="Reads and replays everything in the store, and says what is wrong. With "
        "--repair, it rewrites what is derived from a log; it never changes a log. It "
        "also says how many letters wait or could not be delivered, and why.",
        pages=("store",),
    ),
    Command(
        "status",
        Effect.SERVES_OWNER,
        "owner.status.run",
        (
            Flag("json", _BARE, params.chosen("json"), "[--json"),
            Flag("metrics", _BARE, params.chosen("metrics"), "| --metrics]"),
        ),
        help="Says what waits and what has failed, and since when; and where the store "
        "is, and its size. It ends with 1 if you should look at something soon, and "
        "with 2 if mail or moves stand still. With --json, it is one object for a "
        "program (pbm help status); with --metrics, a text in the format OpenMetrics "
        "(pbm help watching).",
    ),
    Command(
        "log",
        Effect.SERVES_OWNER,
        "owner.log.run",
        (
            Flag("json", _BARE, params.chosen("json"), "[--json]"),
            Flag("stdin", _BARE, params.chosen("stdin"), "[--stdin]"),
            several("word", ANY, usage="[game board | mail]"),
        ),
        help="Says what happened on a board, or to a mail, from the log of mails, as "
        "in: pbm log holo 12. A mail is named by the 16 digits that the log and the "
        "files of boards have, or by its Message-ID in quotes. The log is the file "
        "that config.yaml names (log) or, with --stdin, what is typed or piped in, "
        "such as lines of the system's log. With --json, each line is an object.",
        pages=("watching",),
    ),
    Command(
        "copy",
        Effect.SERVES_OWNER,
        "owner.copy.run",
        (
            Flag("move", _BARE, params.chosen("move"), "[--move]"),
            Argument("from", ANY, usage="FROM"),
            Argument("to", ANY, usage="TO"),
        ),
        help="Copies a whole store. Each place is a folder or the address of a "
        "database, such as postgresql://pbm@db.example.org/pbm, and TO must be empty. "
        "FROM is closed to writers until everything has been copied and compared: "
        "mails wait meanwhile. With --move it stays closed, so that nothing is written "
        "there that TO lacks. A copy that was interrupted begins anew when you type "
        "the same again.",
        pages=("postgresql",),
    ),
    Command(
        "flush",
        Effect.SERVES_OWNER,
        "owner.flush.run",
        (
            Flag(
                "undeliverable",
                _BARE,
                params.chosen("undeliverable"),
                "[--undeliverable]",
            ),
        ),
        help="Sends every letter that could not leave before. Cron runs it (pbm sample "
        "cron). With --undeliverable, it sends again what was refused for good and is "
        "kept in the store's folder undeliverable; what is refused again stays there.",
        pages=("status",),
    ),
    Command(
        "kept",
        Effect.SERVES_OWNER,
        "owner.kept.run",
        (
            Argument(
                "do",
                params.WITH_KEPT,
                usage="[list|show|drop|retry]",
                required=False,
            ),
            several("mail", _KEPT_MAILS),
        ),
        help="Lists the mails that are kept whole, each with a name: those in "
        "quarantine, which nobody could read or carry out; answers that are waiting to "
        "leave; and undeliverable letters, which were refused for good. With a name, "
        "or with one of the folders quarantine, waiting and undeliverable for all that "
        "is in it, it shows mails, removes them (drop), or carries them out or sends "
        'them once more (retry), as in "pbm kept drop quarantine".',
        pages=("status",),
    ),
    Command(
        "tick",
        Effect.SERVES_OWNER,
        "owner.tick.run",
        help="Reminds players who keep others waiting, ends boards that are out of "
        "time, and sends the daily digests. It may run at any moment. Cron runs it. If "
        "something could not be done, it says so on standard error, and ends with 75, "
        "or with 1 for what is damaged.",
        pages=("delivery",),
    ),
    Command(
        "play",
        Effect.SERVES_OWNER,
        "owner.playing.run",
        (
            Argument("game", params.GAME, usage="[game", required=False),
            several("robot", ANY, usage="robot... option=value...]"),
        ),
        help="Does what robots have to do on all boards, at low priority. You need not "
        "type it: mails and commands start it where neither pbm serve nor pbm run is "
        "there to do it, and pbm tick does what was left. With a game and robots, it "
        "first opens a board for them, as in: pbm play holo robot1 robot3 -- only you "
        "can have robots play among themselves. The options are those of a challenge, "
        "such as pool_size=5.",
    ),
    Command(
        "players",
        Effect.SERVES_OWNER,
        "owner.players.run",
        help="Lists all accounts: whether each is on, signed off, deleted or damaged; "
        "the day of its last change; and the addresses.",
    ),
    Command(
        "void",
        Effect.SERVES_OWNER,
        "owner.void.run",
        (Argument("game", params.GAME), BOARD),
        help="Cancels a game, as in: pbm void holo 12. It counts for nobody, and "
        "the server tells its players.",
    ),
    Command(
        "tournament open",
        Effect.SERVES_OWNER,
        "owner.tournament.open_entries",
        (
            Argument("game", params.GAME),
            Argument("system", params.SYSTEM, usage="robin|swiss"),
            Option("days", Kind(params.count), params.chosen("days"), "[--days N]"),
            Option("rounds", Kind(params.count), params.chosen("rounds")),
            Flag("at_once", _BARE, params.chosen("at_once")),
            several("option=value", Kind(params.set_option)),
        ),
        help='Opens a tournament, which players enter with "tournament join". The '
        "first round begins after 14 days, or after N, at the next tick. A round robin "
        "lets everybody meet everybody, round after round or, with --at-once, in all "
        "games together. A Swiss tournament has as many rounds as a single winner "
        "needs, or as --rounds says. The options are those of a challenge, such as "
        "forfeit=10. Only people can enter, not robots.",
    ),
    Command(
        "tournament cancel",
        Effect.SERVES_OWNER,
        "owner.tournament.cancel",
        (params.TOURNAMENT,),
        help="Cancels a tournament, and tells its players. Games that have begun go "
        "on, unless you cancel them too (pbm void).",
    ),
    Command(
        "completion",
        Effect.SERVES_OWNER,
        "owner.completion.run",
        (Argument("shell", params.SHELL, usage="bash|zsh|fish"),),
        help="Prints a script with which that shell completes the words of pbm and of "
        'the games\' commands. In bash: eval "$(pbm completion bash)"',
        pages=("shell",),
    ),
    Command(
        "sample",
        Effect.SERVES_OWNER,
        "owner.sample.run",
        (Argument("name", params.SAMPLE, usage="[name]", required=False),),
        help="Prints a file for another program, such as .forward, a crontab or a unit "
        "of systemd, with the paths of this server. Without a name, it lists them all.",
        pages=("delivery", "shell"),
    ),
    Command(
        "serve",
        Effect.SERVES_OWNER,
        "owner.serve.run",
        (
            Option(
                "workers",
                Kind(params.workers),
                params.chosen("workers"),
                "[--workers N]",
            ),
            Argument("port", ANY, usage="[[host:]port]", required=False),
        ),
        help="Takes mail in until it is stopped: by LMTP, on the socket lmtp in the "
        "store and on a port if you name one. While it runs, pbm-inbox hands its mail "
        "to it, and players' commands in a shell are handed to it through the socket "
        "shell. After an upgrade, commands do their work themselves until it is "
        "started again; after a change of config.yaml, until SIGHUP (systemctl reload) "
        "has it read again. With --workers N, it is N processes, which share the "
        "connections and use up to N cores; each has room for 50 connections at each "
        "socket, and for 50 at the port.",
        pages=("delivery", "machines", "shell"),
    ),
    Command(
        "setup",
        Effect.SERVES_OWNER,
        "owner.setup.run",
        help="Asks for a mailbox at a provider, tries it, and writes config.yaml, so "
        'that "pbm run" is a server. Needs no mail server of your own.',
        pages=("mailbox",),
    ),
    Command(
        "web",
        Effect.SERVES_OWNER,
        "owner.web.run",
        (Argument("port", ANY, usage="[[host:]port]", required=False),),
        help="Serves pages on which people read, sign in and play, until it is "
        "stopped: on the port, or without one on the socket web in the store. Only "
        "with a certificate (web_certificate in config.yaml) does it listen to other "
        "machines: otherwise put nginx or Caddy in front, and set web and "
        "web_proxies.",
        pages=("pages",),
    ),
    Command(
        "fetch",
        Effect.SERVES_OWNER,
        "owner.fetch.run",
        (Flag("stay", _BARE, params.chosen("stay"), "[--stay]"),),
        help="Fetches all mail from the mailbox that config.yaml names, and carries it "
        "out. With --stay, it waits for more until it is stopped.",
        pages=("mailbox",),
    ),
    Command(
        "run",
        Effect.SERVES_OWNER,
        "owner.whole.run",
        (Argument("port", ANY, usage="[[host:]port]", required=False),),
        help="Is the whole server, until it is stopped: it fetches mail as it comes, "
        "sends the letters that could not leave, and does what pbm tick does. It needs "
        "no cron. With a port it also serves pages there, as pbm web does. SIGHUP has "
        "config.yaml read again.",
        pages=("mailbox", "pages"),
    ),
    Command(
        "demo",
        Effect.SERVES_OWNER,
        "owner.demo.run",
        (
            Flag("source", _BARE, params.chosen("source"), "[--source"),
            Flag("web", _BARE, params.chosen("web"), "| --web"),
            Flag("play", _BARE, params.chosen("play"), "| --play]"),
            Argument("game", params.GAME, usage="[game]", required=False),
        ),
        help="Shows each game, or the one that you name, on a screen of its own: the "
        "Subject that somebody sends, and the letter that somebody else then reads. "
        "Then you choose: play against a robot, see the pages, or stop. With --source "
        "it prints the mails as they are. With --web it opens a board in your browser "
        "at once. With --play you play against a robot in the terminal: Holomino, or "
        "the game that you name. The boards that it has opened are yours: it prints "
        "the lines that you can type on them. A game with --play is kept nowhere.",
    ),
]
COMMANDS = {command.words: command for command in _ENTRIES}
