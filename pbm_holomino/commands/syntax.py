"""The commands' words, as click commands: each makes a request of its words."""

from collections.abc import Sequence
from typing import Any

import click

from pbm_holomino import rules
from pbm_holomino.commands import kinds
from pbm_holomino.commands.forms import (
    BOARD_NO,
    FORMAT,
    PASSWORD,
    TEXT,
    USERID,
    Command,
    Flag,
    argument,
    entered,
    rest,
    selected,
)
from pbm_holomino.commands.request import Request
from pbm_holomino.commands.texts import Commands
from pbm_holomino.errors import BadCommand, NotAllowed
from pbm_holomino.letters import help as pages
from pbm_holomino.rules.options import MATCH_OPTIONS

# what stands there is never quoted
SECRET_PLACES = ("userid", "password", "current", "new")

TOP_COMMANDS: dict[str, click.Command] = {}
GAME_COMMANDS: dict[str, click.Command] = {}


def command(game: str, name: str) -> click.Command:
    """A command; `challenge` takes the options of its game."""
    found = (GAME_COMMANDS if game else TOP_COMMANDS)[name]
    if name != "challenge":
        return found
    options: list[click.Parameter] = []
    for option in (*rules.load(game).OPTIONS, *MATCH_OPTIONS):
        kind = click.Option if option.limits or option.choices else Flag
        options += [kind([f"--{n.replace('_', '-')}", n]) for n in option.names]
    if rules.load(game).PRESETS:
        options.append(click.Option(["--rules"]))
    return Command(
        name,
        callback=found.callback,
        params=[*found.params, *options],
        help=found.help,
    )


def page_of(name: str) -> str:
    """The help page of a command: that of the first of its words that has one."""
    has_page = (word for word in name.split() if word in pages.subjects())
    return next(has_page, "commands")


def reserved_words() -> frozenset[str]:
    """The words that no userid may be: commands, games, list words, acts."""
    names = " ".join((*TOP_COMMANDS, *GAME_COMMANDS, _KEPT)).split()
    moves = (word for game in rules.names() for word in rules.load(game).WORDS)
    return frozenset((*names, *_ACTS, *moves, *rules.names(), *kinds.LISTS))


def commands() -> Commands:
    """The words by which commands are known."""
    secret = {
        name
        for name, command in GAME_COMMANDS.items()
        if any(param.name == "password" for param in command.params)
    }
    return Commands(
        games=frozenset(rules.names()),
        secret=frozenset((*secret, *_ACTS)),
        others=frozenset(name.split()[0] for name in TOP_COMMANDS),
    )


# What pbmserv's players type where here "move" comes before.
_ACTS = ("pass", "swap", "propose", "undo", "accept", "reject")


# What accounts, which are for ever, must leave to the owner's commands.
_KEPT = "pbm demo check repair flush tick players void serve completion on off"


def _new_userid(word: str) -> str:
    if word.lower() in reserved_words():
        raise NotAllowed(f'"{word}" is a word of the commands: please take another.')
    return kinds.userid(word)


# The commands


@entered(TOP_COMMANDS, "help [subject...]", rest("subject"))
@entered(GAME_COMMANDS, "{game} help")
def help_(subject: tuple[str, ...] = ()) -> Request:
    name = " ".join(subject).lower()
    words = (page_of(name),) if name in TOP_COMMANDS else subject
    return Request("help", words=tuple(word.lower() for word in words))


@entered(
    TOP_COMMANDS,
    "signup userid password [address...]",
    argument("userid", _new_userid),
    PASSWORD,
    rest("address"),
)
def signup(userid: str, password: str, address: tuple[str, ...]) -> Request:
    return Request("signup", userid=userid, password=password, words=address)


@entered(
    TOP_COMMANDS,
    "change password userid current new",
    USERID,
    argument("current", kinds.password),
    argument("new", kinds.new_password),
)
def change_password(userid: str, current: str, new: str) -> Request:
    return Request("change password", userid=userid, password=current, words=(new,))


def _enter_account(name: str, usage: str, *more: click.Parameter) -> None:
    """Enter a command about an account: what stands after the password are words."""

    def build(userid: str, password: str, m: str = "", **rest: Any) -> Request:
        values = (v if isinstance(v, tuple) else (v,) for v in rest.values())
        words = tuple(word for value in values for word in value)
        return Request(name, "", userid, password, words=words, body=m)

    build.__name__ = name
    entered(TOP_COMMANDS, f"{name} userid password{usage}", USERID, PASSWORD, *more)(
        build
    )


_OTHER = argument("player", kinds.userid)

_enter_account("change address", " [address...]", rest("address"))
_enter_account("change digest", " on|off", argument("switch", kinds.switch))
_enter_account("add", " [address...]", rest("address"))
_enter_account("signoff", "")
_enter_account("delete", "")
_enter_account("decline all", "")
_enter_account("message", " userid...", rest("to", 1, kinds.userid), TEXT)
_enter_account("broadcast", "", TEXT)
_enter_account("block", " player", _OTHER)
_enter_account("unblock", " player", _OTHER)


@entered(TOP_COMMANDS, "multiple")
def multiple() -> Request:
    return Request("multiple")


@entered(
    TOP_COMMANDS,
    "all show userid [next|active]",
    USERID,
    argument("list", kinds.list_word, default=""),
    FORMAT,
)
def all_show(userid: str, list: str, format: str) -> Request:
    return Request("show", words=(userid,), which=list, format=format)


@entered(
    GAME_COMMANDS,
    "{game} challenge userid1 userid2 [userid...] [-option=value...]",
    rest("userid", 2, kinds.userid),
)
def challenge(userid: tuple[str, ...], **options: str | None) -> Request:
    given = {name: value for name, value in options.items() if value is not None}
    return Request("challenge", words=userid, options=given)


@entered(
    GAME_COMMANDS,
    "{game} show board[#moveno]... or {game} show userid... [all|active|inactive|next]",
    rest("board", 1),
    FORMAT,
)
def show(board: tuple[str, ...], format: str) -> Request:
    selection = selected(board)
    if not selection["boards"] and not selection["words"]:
        raise BadCommand("Whose boards? Please name boards or players.", "show")
    return Request("show", format=format, **selection)


@entered(
    GAME_COMMANDS,
    "{game} showas userid password [board... or all|active|inactive|next]",
    USERID,
    PASSWORD,
    rest("board"),
    FORMAT,
)
def showas(userid: str, password: str, board: tuple[str, ...], format: str) -> Request:
    selection = selected(board)
    if selection["words"]:
        raise BadCommand("After the password come boards, by their numbers.", "show")
    return Request(
        "showas", userid=userid, password=password, format=format, **selection
    )


@entered(
    GAME_COMMANDS,
    "{game} games [userid...] [all|active|inactive|next]",
    rest("userid"),
)
def games(userid: tuple[str, ...]) -> Request:
    selection = selected(userid)
    if selection["boards"]:
        raise BadCommand(
            "The list is of players' boards: please name players.", "games"
        )
    return Request("games", **selection)


@entered(
    GAME_COMMANDS,
    "{game} history [board]",
    argument("board", kinds.board, required=False),
    FORMAT,
)
def history(board: int | None, format: str) -> Request:
    if board is None and format == "yaml":
        raise BadCommand("Which board's record? Please name a board.", "history")
    boards = () if board is None else ((board, None),)
    return Request("history", boards=boards, format=format)


def _enter_results(
    commands: dict[str, click.Command], usage: str, *params: click.Parameter
) -> None:
    """Enter a command about the players' results."""

    def build(game: tuple[str, ...] = ()) -> Request:
        return Request(build.__name__, words=tuple(dict.fromkeys(game)))

    build.__name__ = usage.removeprefix("{game} ").split()[0]
    entered(commands, usage, *params)(build)


_enter_results(TOP_COMMANDS, "list [game...]", rest("game", 0, kinds.game))
_enter_results(GAME_COMMANDS, "{game} standings")
_enter_results(GAME_COMMANDS, "{game} ratings")


@entered(GAME_COMMANDS, "{game} verify board", BOARD_NO)
def verify(board: int) -> Request:
    return Request("verify", boards=((board, None),))


@entered(
    GAME_COMMANDS,
    "{game} preview board move...",
    BOARD_NO,
    rest("move", 1, kinds.move),
    FORMAT,
)
def preview(board: int, move: Sequence[tuple[str, int | None]], format: str) -> Request:
    moves = tuple(word for word, _ in move)
    return Request("preview", boards=((board, None),), words=moves, format=format)


@entered(
    GAME_COMMANDS,
    "{game} move board userid password move[#moveno]",
    BOARD_NO,
    USERID,
    PASSWORD,
    argument("move", kinds.move),
)
def move(
    board: int, userid: str, password: str, move: tuple[str, int | None]
) -> Request:
    return Request(
        "move",
        boards=((board, None),),
        userid=userid,
        password=password,
        words=(move[0],),
        move_no=move[1],
    )


def _enter_about(name: str, *more: click.Parameter) -> None:
    """Enter a command about a board that needs no further words."""

    def build(board: int, userid: str, password: str, m: str = "") -> Request:
        return _about(board, name, userid, password)._replace(body=m)

    build.__name__ = name
    usage = f"{{game}} {name} board userid password"
    entered(GAME_COMMANDS, usage, BOARD_NO, USERID, PASSWORD, *more)(build)


for _name in ("resign", "accept", "decline", "rematch", "confirm"):
    _enter_about(_name)
_enter_about("chat", TEXT)


def _about(board: int, command: str, userid: str, password: str) -> Request:
    return Request(command, "", userid, password, boards=((board, None),))


@entered(
    GAME_COMMANDS,
    "{game} previewas board userid password move...",
    BOARD_NO,
    USERID,
    PASSWORD,
    rest("move", 1, kinds.move),
    FORMAT,
)
def previewas(
    board: int,
    userid: str,
    password: str,
    move: Sequence[tuple[str, int | None]],
    format: str,
) -> Request:
    request = _about(board, "previewas", userid, password)
    return request._replace(words=tuple(word for word, _ in move), format=format)


@entered(
    GAME_COMMANDS,
    "{game} queue board userid password move[#moveno]...",
    BOARD_NO,
    USERID,
    PASSWORD,
    rest("move", 1, kinds.sent_ahead),
)
def queue(board: int, userid: str, password: str, move: tuple[str, ...]) -> Request:
    return _about(board, "queue", userid, password)._replace(words=move)


@entered(
    GAME_COMMANDS,
    "{game} submit board userid password move[#moveno]",
    BOARD_NO,
    USERID,
    PASSWORD,
    argument("move", kinds.sent_ahead),
)
def submit(board: int, userid: str, password: str, move: str) -> Request:
    return _about(board, "submit", userid, password)._replace(words=(move,))
