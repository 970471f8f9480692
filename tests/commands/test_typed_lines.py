"""Lines as people type them: what they are read as, or what is said about them."""

from itertools import combinations
from os.path import commonprefix

import pytest

from pbm_holomino.commands.parse import parse
from pbm_holomino.commands.request import Request
from pbm_holomino.errors import BadCommand
from pbm_holomino.rules import names
from tests.commands.acquaintance import known

MOVES = {"holo": "123:17", "hextol": "24:7,19"}
MOVES |= {"walomino": "RG:7,8"}


def read(line: str, sender: str = "") -> Request:
    return parse(line.split(), known=known(sender))


def wrong(line: str, sender: str = "") -> str:
    with pytest.raises(BadCommand) as caught:
        read(line, sender)
    return str(caught.value)


# What is understood: a line as it was typed, the command that it means, and what the
# answer says. {read} is the whole command without the password.
NAMES = {
    "holomino show 1": ("holo show 1", ""),
    "HOLOMINO move 1 alice secret 123:17": ("holo move 1 alice secret 123:17", ""),
    "Hextol show 7": ("hextol show 7", ""),
    "walo show 3": ("walomino show 3", ""),
    "holom, show 1": ("holo show 1", ""),
    "hextol. show 9": ("hextol show 9", ""),
    "list open, Holomino": ("list open holo", ""),
    "list Holomino hextol": ("list holo hextol", ""),
    "help holomino": ("help holo", ""),
}
ACTS = {
    f"{game} {act} 1 alice secret": (f"{game} move 1 alice secret {act}", "{read}")
    for game in names()
    for act in ("undo", "propose", "reject", "swap")
}
ACTS |= {
    "holo pass 1 alice secret": ("holo move 1 alice secret pass", "{read}"),
    "holo pass:123 1 alice secret": ("holo move 1 alice secret pass:123", "{read}"),
    "walomino take:RRG 3 bob secret": ("walomino move 3 bob secret take:RRG", "{read}"),
    # the player is known, and so the password is
    "holo pass 1 secret alice": ("holo move 1 alice secret pass", "{read}"),
    "pass 1 alice secret": ("holo move 1 alice secret pass", "{read}"),
}
LISTS = {
    "next bob": ("all show bob next", "{read}"),
    "active bob": ("all show bob active", "{read}"),
    "holo next bob": ("holo show bob next", "{read}"),
    "holo next alice bob": ("holo show alice bob next", "{read}"),
    "holo games next bob": ("holo games bob next", "{read}"),
    "holo show next bob": ("holo show bob next", "{read}"),
    "all show next bob": ("all show bob next", "{read}"),
    "rules": ("help rules", "{read}"),
    "Rules holo": ("help holo", "{read}"),
    "walomino rules": ("walomino help", "{read}"),
}
BOARDS = {
    "show 1": ("holo show 1", "{read}"),
    "show 7": ("hextol show 7", "{read}"),
    "show #9": ("hextol show 9", "{read}"),
    "history 3 -format=json": ("walomino history 3 -format=json", "{read}"),
    "show 1#4": ("holo show 1#4", "{read}"),
    "move 1 alice secret 123:17": ("holo move 1 alice secret 123:17", "{read}"),
    "accept 1 alice secret": ("holo accept 1 alice secret", "{read}"),
    # two games have it: carol plays on one of them, and a move is of one game
    "resign 12 carol secret": ("hextol resign 12 carol secret", "{read}"),
    "move 12 alice secret 24:7,19": ("hextol move 12 alice secret 24:7,19", "{read}"),
    "resign 5 alice secret": ("hextol resign 5 alice secret", "{read}"),
    "holo show #1": ("holo show 1", ""),
    "holo show #1#4 12": ("holo show 1#4 12", ""),
    "holo resign #1 alice secret": ("holo resign 1 alice secret", ""),
}
MARKS = {
    '"holo show 1"': ("holo show 1", ""),
    "'holo show 1'": ("holo show 1", ""),
    "`holo show 1`": ("holo show 1", ""),
    "<holo show 1>": ("holo show 1", ""),
    "[holo show 1]": ("holo show 1", ""),
    "(holo show 1).": ("holo show 1", ""),
    "*holo show 1*": ("holo show 1", ""),
    "\u201cholo show 1\u201d": ("holo show 1", ""),
    "\u201eholo show 1.\u201c": ("holo show 1", ""),
    "\xabholo show 1\xbb": ("holo show 1", ""),
    "`help`": ("help", ""),
    "holo, show, 1.": ("holo show 1", ""),
    "holo move 1, alice, secret 123:17": ("holo move 1 alice secret 123:17", ""),
    "holo move <1> <alice> secret 123:17": ("holo move 1 alice secret 123:17", ""),
    "holo move 1 alice secret 123:17!": ("holo move 1 alice secret 123:17", "123:17"),
    "add alice secret a@b.org,": ("add alice secret a@b.org", ""),
    "signup Erin, secret a@b.org.": ("signup erin secret a@b.org", ""),
    "all show alice, next.": ("all show alice next", ""),
    "\uff48\uff4f\uff4c\uff4f\u3000show\u3000\uff11": ("holo show 1", ""),
}
ORDER = {
    "holo move alice secret 1 123:17": ("holo move 1 alice secret 123:17", "{read}"),
    "holo move 123:17 1 alice secret": ("holo move 1 alice secret 123:17", "{read}"),
    "holo move secret alice 1 123:17": ("holo move 1 alice secret 123:17", "{read}"),
    "holo move 1 alice 123:17 secret": ("holo move 1 alice secret 123:17", ""),
    "holo alice secret 1 move 123:17": ("holo move 1 alice secret 123:17", "{read}"),
    "move holo 1 alice secret 123:17": ("holo move 1 alice secret 123:17", "{read}"),
    "move alice secret 1 123:17": ("holo move 1 alice secret 123:17", "{read}"),
    "move Holomino alice 1 secret pass": ("holo move 1 alice secret pass", "{read}"),
    "hextol move alice secret 7 24:7, 19": (
        "hextol move 7 alice secret 24:7,19",
        "24:7,19",
    ),
    "holo resign alice 1 secret": ("holo resign 1 alice secret", "{read}"),
    "holo resign secret 1 alice": ("holo resign 1 alice secret", ""),
    "holo queue alice secret 1 123:17 124:18": (
        "holo queue 1 alice secret 123:17 124:18",
        "{read}",
    ),
    "holo queue alice secret 1 none": ("holo queue 1 alice secret none", "{read}"),
    "challenge holo alice anyone": ("holo challenge alice anyone", "{read}"),
    "holo showas 12 alice secret": ("holo showas alice secret 12", "{read}"),
    "change digest on alice secret": ("change digest alice secret on", "{read}"),
    "show holo 1": ("holo show 1", "{read}"),
    "holo 1 show": ("holo show 1", "{read}"),
    "holo resign alice 1234 1": ("holo resign 1 alice 1234", "{read}"),
}
OPTIONS = {
    f"holo challenge alice bob {typed}": (
        f"holo challenge alice bob {meant}",
        f"holo challenge alice bob {meant}",
    )
    for typed, meant in {
        "board_size=7": "-board_size=7",
        "pool_size 4": "-pool_size=4",
        "Pool-Size = 4": "-pool_size=4",
        "random": "-random",
        "rules brettspielnetz": "-rules=brettspielnetz",
        "limit_scores pool_size=4": "-limit_scores -pool_size=4",
        "nag 3 -forfeit=9": "-nag=3 -forfeit=9",
    }.items()
}
OPTIONS |= {
    "holo show 1 format=json": ("holo show 1 -format=json", "{read}"),
    "holo show 1 format json": ("holo show 1 -format=json", "{read}"),
    "walomino challenge alice bob draft die": (
        "walomino challenge alice bob -draft=die",
        "{read}",
    ),
}
SPELLED = {
    f"{game} {command} 1 alice secret {typed}": (
        f"{game} {command} 1 alice secret {move}",
        move,
    )
    for command in ("move", "queue", "submit", "previewas")
    for game, typed, move in [
        ("holo", "123 17", "123:17"),
        ("holo", "17:123", "123:17"),
        ("hextol", "24:7, 19", "24:7,19"),
        ("hextol", "24@7,19", "24:7,19"),
        ("walomino", "pairs: RG, RR", "pairs:RG,RR"),
    ]
}
UNDERSTOOD = NAMES | ACTS | LISTS | BOARDS | MARKS | ORDER | OPTIONS | SPELLED


def without_password(line: str) -> str:
    return " ".join(word for word in line.split() if word not in ("secret", "1234"))


def test_a_line_that_can_mean_only_one_command() -> None:
    for typed in UNDERSTOOD:
        meant, said = UNDERSTOOD[typed]
        expected = parse(meant.split())  # which is read as it is
        assert expected.read_as == "", typed
        said = said.format(read=without_password(meant))
        assert read(typed) == expected._replace(read_as=said), typed


def test_what_only_the_sender_can_mean() -> None:
    for line in ("next", "Next.", "all show next"):
        assert read(line, "alice") == read("next alice")._replace(
            read_as="all show alice next"
        )
    assert read("holo next", "bob").words == ("bob",)
    assert read("holo show", "bob").words == ("bob",)
    assert read("holo challenge alice", "bob") == read(
        "holo challenge bob alice"
    )._replace(read_as="holo challenge bob alice")
    assert read("holo challenge anyone", "bob").words == ("bob", "anyone")
    for line in ("holo challenge bob", "holo challenge dave"):
        assert read(line, "bob") == read(line)  # nobody, or nobody that is known
    assert read("show 5", "alice").game == "hextol"  # holo 5 is over
    assert read("show 12", "bob").game == "holo"
    assert read("show 12", "carol").game == "hextol"
    assert read("holo games next", "alice").words == ()  # it is right as it is


NOT_UNDERSTOOD = {
    # nobody knows whose, or which
    "next": 'Whose boards? Please name a player, such as "all show alice next".',
    "holo next": 'Whose boards? Please name a player, such as "holo show alice next".',
    "next dave": 'Whose boards? Please name a player, such as "all show alice next".',
    "show 12": 'There is no command "show". It comes after the name of a game: ',
    "show 99": 'There is no command "show". It comes after the name of a game: ',
    # a password that is not there, or is not the only word that it can be
    "holo 1 123:17": "A word is missing: userid. Please write: holo move ",
    "holo 1 pass": "A word is missing: userid. Please write: holo move ",
    "holo move 1 alice 123:17": "A word is missing: password. Please write: holo move ",
    "holo move alice 1 123:17": "A word is missing: password. Please write: holo move ",
    "holo move 1 alice pass": "A word is missing: password. Please write: holo move ",
    "holo queue 1 alice 123:17 124:18": "A word is missing: password. Please write: ",
    "hextol move 7 bob 24:7, 19": "A word is missing: password. Please write: hextol ",
    "holo resign 1 alice": "A word is missing: password. Please write: holo resign ",
    "holo showas alice 12": "A word is missing: password. Please write: holo showas ",
    "change digest alice on": "A word is missing: password. Please write: change ",
    "holo move alice secret other1 1 123:17": "That is not a board number (boards ",
    "holo move alice 1234 5678 123:17": "That is not a board number (boards look like ",
    "holo move alice bobby secret 1 123:17": "That is not a board number (boards ",
    "message bob": "A word is missing: password. Please write: message userid ",
    # players who are not there
    "holo move dave secret 1 123:17": "That is not a board number (boards look like ",
    "holo games next dave": '"next" comes last, after the players.',
    # other moves than were typed
    "holo move alice secret 1 123 17": "That is not a board number (boards look like ",
    "holo move 1 alice secret 1 2 3 17": "There are too many words. Please write: ",
    "holo move 1 alice secret 123 117": "There are too many words. Please write: ",
    "hextol move 7 bob secret 24 12 19": "There are too many words. Please write: ",
    "signup Hans Peter geheim": "A userid is one word, and so is a password; after ",
    'signup "Hans Peter" geheim': "A userid is one word, and so is a password; after ",
    "signup Hans-Peter geheim": "That is not a userid: a userid is a letter ",
    "holo challenge alice bob -foo=3": 'There is no option "-foo=3" here.',
    "123:17": 'There is no command "123:17". To play a move, reply to a letter ',
    "holo list": 'There is no command "list" after "holo". It comes without a game',
    "holo signup": 'There is no command "signup" after "holo". It comes without a',
    "please, holo show": "The first word is not a command. ",
    "holo thanks a lot": 'The word after "holo" is not a command. "help" lists',
    "holo 12: show": 'The word after "holo" is not a command.',
    "holo 12: your turn": 'The word after "holo" is not a command.',
    "your command: holo standings": "The first word is not a command.",
    "a message from bob": "The first word is not a command.",
    "bob: next alice": "The first word is not a command.",
}


def test_a_line_that_is_not_guessed() -> None:
    for typed in NOT_UNDERSTOOD:
        assert wrong(typed).startswith(NOT_UNDERSTOOD[typed]), typed


def test_letters_with_which_two_games_begin_are_not_guessed() -> None:
    starts = {commonprefix(pair) for pair in combinations(names(), 2)} - {""}
    assert starts
    for start in starts:
        assert "command" in wrong(f"{start} show 7")
