"""Every command and every fault that a command may have: what is said of it, or why
there is no such fault. The sentences follow from what the commands' table promises."""

from typing import NamedTuple

from pbm_holomino import rules
from pbm_holomino.rules.chance import Chance
from pbm_holomino.rules.options import configure
from tests.house import PASSWORDS


class Said(NamedTuple):
    """The words that a refusal must hold, and its exit status; whether it goes to the
    player whose password was right, and whether the board follows."""

    words: str
    status: int = 1
    proved: bool = False
    shows: bool = False


class Never(NamedTuple):
    """Why a command cannot have a fault: with it, it is carried out."""

    why: str


Cell = Said | Never
GREETING = "Greetings!"


class CommandRow(NamedTuple):
    """A command, the words after it when it is right, and a cell for each fault;
    `missing` has one for each number of words, from none on. `who` asks, whoever is
    to move where that is empty, about the board with this number; `body` is the text
    that comes with it."""

    command: str
    words: str
    password: Cell
    user: Cell
    board: Cell
    number: Cell
    player: Cell
    over: Cell
    missing: tuple[Cell, ...]
    more: Cell
    who: str = ""
    right: str = "1"
    body: str = GREETING


# What makes a line faulty: the words that stand in the places of the right ones.
FAULTS: dict[str, dict[str, str]] = {
    "password": {"password": "Wrong-12"},
    "user": {"who": "dave"},
    "board": {"board": "99"},
    "number": {"board": "1x"},
    "player": {"who": "carol", "password": PASSWORDS["carol"]},
    "over": {"board": "2"},
}
MORE = "now then soon ever"


def missing(places: str) -> tuple[Said, ...]:
    """What is said where the first, the second ... of these words is not there."""
    return tuple(Said(f"A word is missing: {place}.", 2) for place in places.split())


PASSWORD = Said("That is not the password of that player.")
USER = Said("There is no player of that name here.")
FIRST = Said("Name 1 of 2 is not a player here.")
SECOND = Said("Name 2 of ")
NUMBER = Said("is not a board number (boards look like 12", 2)
SEEN = Said("There is no board {game} 99.")
BOARD = SEEN._replace(proved=True)
PLAYER = Said("You do not play on {game} {board}: alice and bob do.", 1, True, True)
OVER = Said("{game} 2 is over: alice won, as bob resigned.", 1, True, True)
NOT_OVER = Said("{game} {board} is not over yet: a game can be", 1, True, True)
NO_MOVES = Said("Nobody has moved on {game} 2, so there is nothing", 1, True, True)
TOO_MANY = Said("There are too many words. Please write: ", 2)
ADDRESS = Said("should be a mail address and is not", 2)
ONE_WORD = Said("A userid is one word, and so is a password", 2)
LIST_LAST = Said('"all" comes last, after the players', 2)
SEATS = Said("{title} is a game for ")
HELD = Said("Nobody holds a tile now.")
MIXED = Said("Boards and players do not mix", 2)

NO_WORD = Said("That works only in a mail of its own, from the address ")

OPEN = Never("no password is needed")
NOBODY = Never("it is nobody's in particular")
SAME = Never("everybody gets the same answer")
NEW = Never("it is for those who are none yet")
BOARDLESS = Never("it is about no board")
PUBLIC = Never("everybody may look")
ENDED = Never("it may be asked at any time")
NONE = (Never("it needs no words"),)
SEPARATE = (Never("each line of its text is judged alone"),)
GAMES = Said('"now" is not a game here', 2)
MORE_MOVES = Never("a preview ends where the server acts next")
NO_MOVE = Said('"now" is not a move', 1, True, True)
NO_PLAYER = PLAYER._replace(shows=False)
OVER_FOR_LINES = Said("Move 1 of the line: the game is over before ", 1, True, True)
OVER_TO_KEEP = OVER_FOR_LINES._replace(shows=False)
NO_MOVE_OF_A_LINE = Said('of the line: "now" is not a move', 1, True)
BY_CHANCE = Said("Move 2 of the line: before", 1, True)
NO_NOTES = Said("You have no notes on {game} 2.", 1, True)
UNKNOWN = Said("There is no tournament 99: ")
THIRD = Said("is not a tournament's number (these look like 3", 2)
CLOSED = Said("Tournament 2 was cancelled: nobody can enter it", 1, True)
CANCELLED = Said("Tournament 2 was cancelled.", 1, True)
OUTSIDE = Said("You have not entered tournament 1.", 1, True)

_ABOUT_NONE = (BOARDLESS, BOARDLESS, BOARDLESS, BOARDLESS)
_ACCOUNT = (PASSWORD, USER, *_ABOUT_NONE)
_PLAYED = (PASSWORD, USER, BOARD, NUMBER, PLAYER, OVER)
_LOOK = (OPEN, NOBODY, SEEN, NUMBER, PUBLIC, ENDED)
_LIST = (OPEN, USER, *_ABOUT_NONE)
_PLAIN = (OPEN, NOBODY, *_ABOUT_NONE)

_TWO = "{who} {password}"
_THREE = "{board} {who} {password}"


def _entry(verb: str, player: Cell, over: Cell) -> CommandRow:
    """The row of a command about taking part in a tournament."""
    cells = (PASSWORD, USER, UNKNOWN._replace(proved=True), THIRD, player, over)
    places = missing("tournament userid password")
    return CommandRow(f"tournament {verb}", _THREE, *cells, places, TOO_MANY)


TOP = [
    CommandRow("help", "", *_PLAIN, NONE, Said('There is no help on "now"')),
    CommandRow(
        "signup", _TWO, OPEN, NEW, *_ABOUT_NONE, missing("userid password"), ONE_WORD
    )._replace(who="dave"),
    CommandRow(
        "newcomer",
        _TWO,
        *(NO_WORD, NO_WORD),
        *_ABOUT_NONE,
        missing("userid word"),
        TOO_MANY,
    )._replace(who="dave"),
    CommandRow(
        "change password",
        f"{_TWO} Newer-99",
        *_ACCOUNT,
        missing("userid current new"),
        TOO_MANY,
    ),
    CommandRow(
        "change address",
        f"{_TWO} new@example.org",
        *_ACCOUNT,
        missing("userid password"),
        ADDRESS._replace(proved=True),
    ),
    CommandRow(
        "change digest",
        f"{_TWO} on",
        *_ACCOUNT,
        missing("userid password setting"),
        TOO_MANY,
    ),
    CommandRow(
        "change letters",
        f"{_TWO} turns",
        *_ACCOUNT,
        missing("userid password setting"),
        TOO_MANY,
    ),
    CommandRow(
        "change format",
        f"{_TWO} text",
        *_ACCOUNT,
        missing("userid password setting"),
        TOO_MANY,
    ),
    CommandRow(
        "change broadcasts",
        f"{_TWO} off",
        *_ACCOUNT,
        missing("userid password setting"),
        TOO_MANY,
    ),
    CommandRow("unsubscribe", _TWO, *_ACCOUNT, missing("userid password"), TOO_MANY),
    CommandRow(
        "change profile",
        f"{_TWO} off",
        *_ACCOUNT,
        missing("userid password setting"),
        TOO_MANY,
    ),
    CommandRow(
        "change notices",
        f"{_TWO} off",
        *_ACCOUNT,
        missing("userid password URL"),
        Said("After the address please write", 2),
    ),
    CommandRow(
        "change threads",
        f"{_TWO} on",
        *_ACCOUNT,
        missing("userid password setting"),
        TOO_MANY,
    ),
    CommandRow(
        "change language",
        f"{_TWO} en",
        *_ACCOUNT,
        missing("userid password language"),
        TOO_MANY,
    ),
    CommandRow(
        "change zone",
        f"{_TWO} Europe/Berlin",
        *_ACCOUNT,
        missing("userid password Area/City"),
        TOO_MANY,
    ),
    CommandRow(
        "forgot", "{who}", OPEN, SAME, *_ABOUT_NONE, missing("userid"), TOO_MANY
    ),
    CommandRow(
        "change vacation",
        f"{_TWO} 14",
        *_ACCOUNT,
        missing("userid password days"),
        TOO_MANY,
    ),
    CommandRow(
        "add",
        f"{_TWO} new@example.org",
        *_ACCOUNT,
        missing("userid password"),
        ADDRESS._replace(proved=True),
    ),
    CommandRow(
        "invite",
        f"{_TWO} zoe@example.net",
        *_ACCOUNT,
        missing("userid password address"),
        TOO_MANY,
    ),
    CommandRow(
        "never",
        "~aaaaaaaaaaaaaaaa",
        *(NO_WORD, NO_WORD),
        *_ABOUT_NONE,
        missing("word"),
        TOO_MANY,
    ),
    CommandRow("export", _TWO, *_ACCOUNT, missing("userid password"), TOO_MANY),
    CommandRow("signoff", _TWO, *_ACCOUNT, missing("userid password"), TOO_MANY),
    CommandRow(
        "delete",
        _TWO,
        *_ACCOUNT,
        missing("userid password"),
        Said('After the password you can only write "nameless", not "now"', 2),
    ),
    CommandRow(
        "message",
        f"{_TWO} bob",
        *_ACCOUNT,
        missing("userid password player"),
        SECOND._replace(proved=True),
    ),
    CommandRow("broadcast", _TWO, *_ACCOUNT, missing("userid password"), TOO_MANY),
    CommandRow(
        "decline all",
        _TWO,
        *_ACCOUNT,
        missing("userid password"),
        TOO_MANY,
        who="bob",
    ),
    CommandRow(
        "block", f"{_TWO} bob", *_ACCOUNT, missing("userid password player"), TOO_MANY
    ),
    CommandRow(
        "unblock",
        f"{_TWO} carol",
        *_ACCOUNT,
        missing("userid password player"),
        TOO_MANY,
    ),
    CommandRow(
        "mute",
        f"{_TWO} holo 1",
        *_ACCOUNT,
        missing("userid password game board"),
        TOO_MANY,
    ),
    CommandRow(
        "unmute",
        f"{_TWO} holo 1",
        *_ACCOUNT,
        missing("userid password game board"),
        TOO_MANY,
    ),
    CommandRow("list", "", *_PLAIN, NONE, GAMES),
    CommandRow("multiple", "", *_PLAIN, SEPARATE, TOO_MANY, body="help"),
    CommandRow("all show", "{who} all", *_LIST, missing("userid"), TOO_MANY),
    CommandRow(
        "all showas",
        "{who} {password} all",
        *(PASSWORD, USER, *_ABOUT_NONE),
        missing("userid password"),
        TOO_MANY,
    ),
    CommandRow(
        "tournament",
        "{board}",
        *(OPEN, NOBODY, UNKNOWN, THIRD, PUBLIC, ENDED),
        NONE,
        TOO_MANY,
    ),
    _entry("join", SAME, CLOSED)._replace(who="bob"),
    _entry("leave", OUTSIDE, CANCELLED)._replace(who="alice"),
]


def _played(command: str, more: str = "", places: str = "") -> CommandRow:
    """The row of a command that a player sends about a running board."""
    words = f"{_THREE} {more}".strip()
    places = f"board userid password {places}"
    return CommandRow(command, words, *_PLAYED, missing(places), TOO_MANY)


ACTS = ("resign", "propose", "undo", "accept", "reject")

GAME = [
    CommandRow("help", "", *_PLAIN, NONE, TOO_MANY),
    CommandRow(
        "challenge",
        "{who} carol",
        *(OPEN, FIRST, *_ABOUT_NONE),
        (*missing("userid"), SEATS),
        SEATS,
    ),
    CommandRow("show", "{board}", *_LOOK, missing("board"), MIXED),
    CommandRow("show", "{who}", *_LIST, missing("board"), SECOND),
    CommandRow("games", "{who} all", *_LIST, NONE, LIST_LAST),
    CommandRow("history", "{board}", *_LOOK, NONE, TOO_MANY),
    CommandRow("standings", "", *_PLAIN, NONE, TOO_MANY),
    CommandRow("ratings", "", *_PLAIN, NONE, TOO_MANY),
    CommandRow("look", "{board} 5", *_LOOK, missing("board position"), TOO_MANY),
    CommandRow(
        "fits",
        "{board} {tile}",
        *(OPEN, NOBODY, SEEN, NUMBER, PUBLIC, OVER._replace(proved=False, shows=False)),
        missing("board tile"),
        TOO_MANY,
    ),
    CommandRow("verify", "{board}", *_LOOK, missing("board"), TOO_MANY, right="2"),
    CommandRow(
        "showas",
        "{who} {password} {board}",
        *(PASSWORD, USER, BOARD, NUMBER, PUBLIC, ENDED),
        missing("userid password"),
        MIXED,
    ),
    CommandRow(
        "preview",
        "{board} {move}",
        *(OPEN, NOBODY, SEEN, NUMBER, PUBLIC, OVER._replace(proved=False)),
        missing("board move"),
        MORE_MOVES,
    ),
    _played("previewas", "{move}", "move")._replace(more=MORE_MOVES),
    _played("move", "{move}", "move"),
    *(_played("move", act, "move") for act in ACTS),
    _played("resign"),
    _played("accept"),
    _played("decline"),
    _played("chat")._replace(over=ENDED),
    CommandRow(
        "invite",
        f"{_TWO} zoe@example.net",
        *_ACCOUNT,
        missing("userid password address"),
        TOO_MANY,
    ),
    _played("rematch")._replace(over=ENDED, right="2"),
    _played("queue", "{move}", "move")._replace(more=NO_MOVE),
    _played("submit", "{move}", "move"),
    _played("confirm"),
    CommandRow(
        "analyse",
        f"{_THREE} {{move}}",
        *(PASSWORD, USER, BOARD, NUMBER, PUBLIC, OVER_FOR_LINES),
        missing("userid userid password"),
        NO_MOVE_OF_A_LINE._replace(shows=True),
    ),
    CommandRow(
        "keep",
        f"{_THREE} {{move}}",
        *(
            PASSWORD,
            USER,
            BOARD,
            NUMBER,
            NO_PLAYER,
            OVER_TO_KEEP,
        ),
        missing("board userid password"),
        NO_MOVE_OF_A_LINE,
    ),
    CommandRow(
        "note",
        _THREE,
        *(PASSWORD, USER, BOARD, NUMBER, NO_PLAYER, ENDED),
        missing("board userid password"),
        NO_MOVE_OF_A_LINE,
    ),
    CommandRow(
        "notes",
        _THREE,
        *(PASSWORD, USER, BOARD, NUMBER, NO_PLAYER, NO_NOTES),
        missing("board userid password"),
        TOO_MANY,
    ),
    CommandRow(
        "publish",
        _THREE,
        *(PASSWORD, USER, BOARD, NUMBER, NO_PLAYER, NO_NOTES),
        missing("board userid password"),
        TOO_MANY,
    ),
    _played("hint"),
    _played("review")._replace(player=NOT_OVER, over=NO_MOVES),
]


def goes_on(name: str) -> bool:
    """Whether a preview of a game goes on after a move, as no draw comes first."""
    game = rules.load(name)
    start = game.start(game.SEATS[0], configure(game, {}))
    state, _ = game.settle(start, Chance(bytes(32)))
    seat = game.to_move(state)[0]
    after, _ = game.play(state, seat, game.legal(state, seat)[0])
    return not game.due(after)


def takes_first(name: str) -> bool:
    """Whether players of a game hold no tiles when it begins."""
    game = rules.load(name)
    start = game.start(game.SEATS[0], configure(game, {}))
    state, _ = game.settle(start, Chance(bytes(32)))
    return not any(game.view(state, None).pools)


# Where a game differs: with no draw after a move, the next word of a preview is read;
# and what nobody holds fits nowhere.
OTHERWISE: dict[tuple[str, str, str], Cell] = {
    (name, command, "more"): NO_MOVE._replace(proved=command == "previewas")
    for name in filter(goes_on, rules.names())
    for command in ("preview", "previewas")
}
OTHERWISE |= {
    (name, command, "more"): BY_CHANCE._replace(shows=command == "analyse")
    for name in filter(takes_first, rules.names())
    for command in ("analyse", "keep")
}
OTHERWISE |= {
    (name, "fits", fault): HELD
    for name in filter(takes_first, rules.names())
    for fault in ("password", "user", "player")
}
