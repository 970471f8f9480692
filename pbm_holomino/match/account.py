"""Accounts and passwords.

A player's file has a log of the changes to the account, so that the same mail never
changes it twice, and letters about a line can be written again.
"""

import hashlib
import hmac
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from itertools import accumulate
from threading import BoundedSemaphore
from typing import TYPE_CHECKING, Any

from pbm_holomino.errors import BadCommand, NotAllowed, NotFound
from pbm_holomino.languages import (
    CODE,
    ENGLISH_CODE,
    UTC,
    ZONE,
    Listed,
    Sentence,
    of_number,
    sentence,
)
from pbm_holomino.match.bounces import Bounces, after_word, parse_bounces, with_bounce
from pbm_holomino.match.record import Key, LogLine, format_line, parse_log, size
from pbm_holomino.match.session import Sessions, parse_session
from pbm_holomino.match.vacations import Vacation, parse_vacation
from pbm_holomino.named_tuples import NamedTuple

if TYPE_CHECKING:
    from pbm_holomino.match.choices import Choices
    from pbm_holomino.match.notices import Notices
    from pbm_holomino.match.push import Subscriptions

LOG_LENGTH = 100
MOST_LOG = 250_000  # bytes of the log: a line of 1.0 may name all players
MOST_NOTES = 500_000  # bytes of the texts that are kept
MOST_READERS = 50  # of one message
DELETED = "deleted"
NAMELESS = "nameless"  # a player who has left, and is shown without a name
# Which letters a player can choose: all; those that ask something of them, end a game
# or bring words; or one a day, besides answers, ends and words.
LETTERS = ALL, TURNS, DAILY = ("all", "turns", "digest")
# Which moves they propose: the best, or all.
MOVES = BEST, ALL = ("best", "all")
FORMATS = ("text", "small", "html", "picture", "words")
# n, r, p: stored with each hash, so that they can be raised
_SCRYPT = (1 << 14, 8, 1)
# Patterns are compiled when they are first used, as every command imports this.
_HASH = (
    r"scrypt:[1-9][0-9]{0,6}:[1-9][0-9]?:[1-9][0-9]?:(?:[0-9a-f]{2})+:(?:[0-9a-f]{2})+"
)
MOST_HASHING = 4  # threads of a process at once: each takes 16 MiB
_HASHING = BoundedSemaphore(MOST_HASHING)
_NO_HASH = "scrypt:1:1:1:00:00"
_BOARD = r"(?a)[a-z]+\.[1-9][0-9]{0,8}"
_USERID = r"(?a)[a-z][a-z0-9_]{1,19}"
SHORTEST_PASSWORD, _LONGEST_PASSWORD = 4, 64
_PASSWORD = rf"(?a)(?!-)[!#-&(-9;-~]{{{SHORTEST_PASSWORD},{_LONGEST_PASSWORD}}}"
TOKEN = "[a-z2-7]{16}"  # the form of a reply token
NO_PASSWORD = "-"  # in the place of a userid
PLACEHOLDER = "PASSWORD"  # what letters and help pages have in place of a password
NO_NEW_PLAYERS = sentence(
    "This server takes no new players at present. Players who have signed off can come "
    "back."
)
BY_INVITATION = sentence(
    "This server takes new players by invitation alone. Anybody who plays here can "
    "invite you. Players who have signed off can come back."
)
# By what the owner's settings say of sign-ups
WHY_NO_PLAYERS = {"closed": NO_NEW_PLAYERS, "invited": BY_INVITATION}
NOT_YOUR_OWN = sentence(
    "Please put your own password in place of {word}.", word=PLACEHOLDER
)
NO_PLAYER = sentence("There is no player of that name here.")
_ADDRESS = (
    r"(?a)(?!-)[A-Za-z0-9.!#$%&*+/=?^_{|}~-]{1,64}"
    r"@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,250}[A-Za-z0-9])?"
)


class Kind(Enum):
    """What a line of an account's log does."""

    # words: NO_PASSWORD if the player has none yet, and others who can be challenged
    SIGNUP = "!signup"
    PASSWORD = "!password"
    ADDRESSES = "!addresses"  # words: the addresses that the player had before
    DIGEST = "!digest"  # words: on or off
    LETTERS = "!letters"  # words: one of LETTERS, or moves= and one of MOVES
    FORMAT = "!format"  # words: one of FORMATS
    THREADS = "!threads"  # words: on or off
    BROADCASTS = "!broadcasts"  # words: on or off
    PROFILE = "!profile"  # words: on or off
    LANGUAGE = "!language"  # words: its code
    ZONE = "!zone"  # words: its name
    # words: off; or a form and a host, and `daily` if once a day
    NOTICES = "!notices"
    UNSUBSCRIBE = "!unsubscribe"  # words: the LETTERS that took the digest's place
    # words: until when, or NOBODY for a vacation that ends; and the boards with clocks
    # that stop for it, as holo.12
    VACATION = "!vacation"
    EXPORT = "!export"
    # words: the game, and the options of the board; the text that is kept with it is
    # the address, with a userid that is free, until the letter has left
    INVITE = "!invite"
    SIGNOFF = "!signoff"
    DELETE = "!delete"  # words: NAMELESS, if games that are over show no name
    MESSAGE = "!message"  # words: its readers
    BROADCAST = "!broadcast"  # words: in 1.0, its readers
    BLOCK = "!block"  # words: the other player
    UNBLOCK = "!unblock"  # words: the other player
    MUTE = "!mute"  # words: a game and a board's number
    UNMUTE = "!unmute"  # words: the same
    DECLINED = "!declined"  # words: how many challenges remain, and the boards
    # words of both: the board, if it is only one, and what waits (see `letters`)
    WAITING = "!waiting"  # a digest
    REMINDER = "!reminder"
    # words: an open challenge, as holo.12, that waits for players
    UNTAKEN = "!untaken"


# Lists of the boards that wait for a player: the log keeps only the latest.
LISTS = frozenset((Kind.WAITING, Kind.REMINDER))
# A player's words to others.
WORDS = frozenset((Kind.MESSAGE, Kind.BROADCAST))


class Change(NamedTuple):
    """What a line of an account's log does, with its arguments as words."""

    kind: Kind
    words: tuple[str, ...] = ()

    def __str__(self) -> str:
        return " ".join((self.kind.value, *self.words))


AccountLine = LogLine[Change]


class Player(NamedTuple):
    """An account. The log keeps its last hundred lines, but only the latest digest or
    reminder; their numbers, `no`, are never used again."""

    userid: str
    password: str  # its hash
    addresses: tuple[str, ...]
    log: tuple[AccountLine, ...]
    status: str = "on"  # or `off` after signing off, or DELETED
    notes: Mapping[int, str] = {}  # the texts sent with lines, by their numbers
    digest: bool = False  # a daily list of the boards that wait for the player
    blocked: tuple[str, ...] = ()  # nothing that these say or propose reaches them
    # lines that have just been dropped, or whose texts have: their letters must have
    # left before the account is saved
    pushed: tuple[int, ...] = ()
    letters: str = ALL  # which letters about boards they get
    moves: str = BEST  # which moves these propose
    format: str = "html"  # what these look like
    threads: bool = False  # all letters about a board have the same Subject
    follows: tuple[str, ...] = ()  # players whose games their own page lists
    vacations: tuple[Vacation, ...] = ()  # the present one, and past ones that matter
    broadcasts: bool = True  # they get what others write to everybody
    profile: bool = True  # their page shows others their games and results
    bounces: tuple[Bounces, ...] = ()  # about addresses that letters do not reach
    sessions: Sessions = ()  # the browsers in which they are signed in
    # what they have chosen, and since when
    languages: "Choices" = ()
    zones: "Choices" = ()
    # boards, as holo.12, of which only what asks something of them comes, and the end
    muted: tuple[str, ...] = ()
    pushes: "Subscriptions" = ()  # the browsers in which they are told of their turns
    notices: "Notices | None" = None  # where else they are told of these

    @property
    def key(self) -> Key:
        """Where it is kept."""
        return Key("players", self.userid)

    def line_of(self, source: str) -> AccountLine | None:
        """The line that the command with this source brought, if any."""
        return next((line for line in self.log if line.came_by(source)), None)

    def addresses_after(self, line: AccountLine) -> tuple[str, ...]:
        """The addresses after a line of the log: the next change of addresses names
        those that it replaced."""
        later = (made for made in self.log if (made.no or 0) > (line.no or 0))
        changes = (made.action for made in later)
        had = (words for kind, words in changes if kind is Kind.ADDRESSES)
        return next(had, self.addresses)

    def owns(self, address: str) -> bool:
        """Whether this is one of their addresses."""
        return address.lower() in (own.lower() for own in self.addresses)

    @property
    def dead_addresses(self) -> tuple[str, ...]:
        """Their addresses that letters do not reach any more."""
        dead = [each for each in self.bounces if each.is_dead]
        return tuple(a for a in self.addresses if any(d.is_about(a) for d in dead))

    @property
    def is_unreached(self) -> bool:
        """Whether letters reach none of their addresses any more."""
        return bool(self.addresses) and self.dead_addresses == self.addresses

    def bounced(self, address: str, day: str) -> "Player":
        """The account after a letter to an address, written on this day, has not
        reached it. What is not an address of theirs does not count."""
        if not self.owns(address):
            return self
        return self._replace(bounces=with_bounce(self.bounces, address, day))

    def heard_from(self, address: str, today: str) -> "Player":
        """The account after its player has been heard of from an address."""
        return self._replace(bounces=after_word(self.bounces, address, today))

    def at(self, addresses: tuple[str, ...], today: str) -> "Player":
        """The account with other addresses, none of which is dead."""
        moved = self
        for address in addresses:
            moved = moved.heard_from(address, today)
        moved = moved._replace(addresses=addresses)
        bounces = (each for each in moved.bounces if moved.owns(each.address))
        return moved._replace(bounces=tuple(bounces))

    def after(self, line: AccountLine, note: str = "") -> "Player":
        """The account with one more line, which gets the next number, and the text that
        was sent with it."""
        no = (self.log[-1].no or 0) + 1 if self.log else 1
        is_list = line.action.kind in LISTS
        old = [o for o in self.log if not is_list or o.action.kind not in LISTS]
        log = (*old, line._replace(no=no))[-LOG_LENGTH:]
        log = log[-_fitting([size(format_line(line)) for line in log], MOST_LOG) :]
        texts = {**self.notes, no: note} if note else self.notes
        numbers = [line.no for line in log if line.no in texts]
        sizes = [size(texts[number]) for number in numbers if number]
        noted = numbers[-_fitting(sizes, MOST_NOTES) :]
        notes = {number: texts[number] for number in noted if number}
        with_texts = {
            line.no for line in log if line.no in notes or line.no not in texts
        }
        gone = [line.no for line in old if line.no and line.no not in with_texts]
        return self._replace(log=log, notes=notes, pushed=(*self.pushed, *gone))

    def language_at(self, time: str) -> str:
        """The tag of the language that they read at a time, such as that of a line of a
        log, with their zone: what is written about the line is in it, whatever they
        read by now."""
        if not (self.languages or self.zones):
            return ENGLISH_CODE
        from pbm_holomino.match.choices import tag_at  # for those who have chosen

        return tag_at(self.languages, self.zones, time)

    def zone_at(self, time: str) -> str:
        """The name of the zone of the clock that they read at a time."""
        return self.language_at(time).partition("@")[2] or UTC

    @property
    def languages_had(self) -> tuple[str, ...]:
        """The tags of all languages in which they may have got letters, the latest
        first."""
        if not (self.languages or self.zones):
            return (ENGLISH_CODE,)
        from pbm_holomino.match.choices import tags_had  # for those who have chosen

        return tags_had(self.languages, self.zones)

    @property
    def gets_digest(self) -> bool:
        """Whether they get the daily list of the boards that wait for them."""
        return self.digest or self.letters == DAILY

    @property
    def last_list(self) -> str:
        """When they last got a list of waiting boards; empty if never."""
        times = (line.time for line in self.log if line.action.kind in LISTS)
        return max(times, default="")


def _fitting(sizes: Sequence[int], most: int) -> int:
    """How many of the last sizes add up to at most `most`; at least 1."""
    sums = accumulate(reversed(sizes))
    return max(1, sum(total <= most for total in sums))


def forgotten(player: Player) -> Player:
    """What is kept of a deleted account after its last letter has left: its name and
    the last line of its log."""
    return Player(player.userid, "-", (), player.log[-1:], DELETED)


def without_invited(player: Player) -> Player:
    """The account without the addresses to which invitations have gone."""
    kinds = {line.no: line.action.kind for line in player.log}
    notes = player.notes.items()
    kept = {no: note for no, note in notes if kinds.get(no) is not Kind.INVITE}
    return player._replace(notes=kept) if len(kept) < len(notes) else player


def is_nameless(player: Player) -> bool:
    """Whether a deleted account is one whose name is not shown any more."""
    is_gone = player.status == DELETED and bool(player.log)
    return is_gone and NAMELESS in player.log[-1].action.words


def written_to(line: AccountLine) -> tuple[str, ...]:
    """The readers that a message names in its line of the log; a broadcast names none,
    except in logs of 1.0."""
    kind, names = line.action
    return names if kind in WORDS else ()


def is_broadcast(line: AccountLine) -> bool:
    """Whether a line of an account's log is a broadcast."""
    return line.action.kind is Kind.BROADCAST


class Declined(NamedTuple):
    """The boards that `decline all` declines, such as `holo 12`, and how many more
    challenges are left because of its limit."""

    boards: tuple[str, ...] = ()
    left: int = 0


def declining(declined: Declined) -> Change:
    """The change that records these: `!declined 0 holo.12`."""
    boards = (board.replace(" ", ".") for board in declined.boards)
    return Change(Kind.DECLINED, (str(declined.left), *boards))


def declined_by(line: AccountLine) -> Declined:
    """The challenges that a line of an account's log declines, if any."""
    kind, words = line.action
    if kind is not Kind.DECLINED:
        return Declined()
    left, *boards = words
    return Declined(tuple(board.replace(".", " ") for board in boards), int(left))


def parse_line(text: str) -> AccountLine:
    """A line of an account's log. Raises ValueError."""
    line = parse_log(text)
    return line._replace(action=parse_change(line.action))


def parse_change(words: str) -> Change:
    """The change in these words. Raises ValueError for an unknown one."""
    kind, *more = words.split()
    return Change(Kind(kind), tuple(more))


def check_known(names: Sequence[str], knows: Callable[[str], object]) -> None:
    """Raises NotFound for the first name that is not a player's. The error gives its
    number and does not quote it, as it may be a misplaced password."""
    for number, name in enumerate(names, 1):
        if not knows(name):
            said = NO_PLAYER if len(names) == 1 else _NO_PLAYER_OF_SEVERAL
            raise NotFound(said.of(number=number, named=len(names)))


_NO_PLAYER_OF_SEVERAL = sentence("Name {number} of {named} is not a player here.")

# What players do not accept of somebody they have blocked. It counts these players.
NO_CHALLENGES = of_number(
    "{players} accepts no challenges from {other}.",
    "{players} accept no challenges from {other}.",
)
NO_MESSAGES = of_number(
    "{players} accepts no messages from {other}.",
    "{players} accept no messages from {other}.",
)
NO_WORDS = of_number(
    "{players} accepts no words from {other}.",
    "{players} accept no words from {other}.",
)


def check_not_blocked(who: str, by: Sequence[str], said: Sentence) -> None:
    """Raises NotAllowed with what is `said` if players have blocked this one."""
    if by:
        raise NotAllowed(said.of(players=Listed(by), other=who, n=len(by)))


def check_blocks_none(player: Player, names: Iterable[str]) -> None:
    """Raises NotAllowed for a player who writes to somebody they have blocked, and who
    therefore could not answer."""
    for name in names:
        if name in player.blocked:
            raise NotAllowed(
                sentence(
                    "You have blocked {player}, who could not answer. To write to "
                    'them, first send "{command}".',
                    player=name,
                    command=f"unblock {player.userid} {PLACEHOLDER} {name}",
                )
            )


def is_userid(word: str) -> bool:
    """Whether a word has the form of a userid."""
    return bool(re.fullmatch(_USERID, word))


def is_token(word: str) -> bool:
    """Whether a word in the password's place has the form of a reply token: `~` and 16
    characters."""
    return bool(re.fullmatch(f"~{TOKEN}", word))


def may_be_password(word: str) -> bool:
    """Whether a word has the form of a password: it may be somebody's."""
    return bool(re.fullmatch(_PASSWORD, word))


def check_password(word: str, page: str = "signup") -> str:
    """A new password, if its form is right. Raises BadCommand with this help page; the
    error does not quote the word. (Passwords with a tilde at the front, which older
    versions allowed, still work.)"""
    if word == PLACEHOLDER:
        raise BadCommand(NOT_YOUR_OWN, page)
    if not may_be_password(word) or word.startswith("~"):
        raise BadCommand(
            sentence(
                "A password is {least} to {most} printable ASCII characters without "
                'space, quotes or colon, and does not begin with "-" or "~".',
                least=SHORTEST_PASSWORD,
                most=_LONGEST_PASSWORD,
            ),
            page,
        )
    return word


def is_address(word: str) -> bool:
    """Whether a word has the form of a mail address."""
    return bool(re.fullmatch(_ADDRESS, word)) and ".." not in word and len(word) <= 254


def check_address(word: str, page: str = "signup") -> str:
    """The mail address, if its form is right. Raises BadCommand with this help page;
    the error does not quote the word, as it may be a misplaced password."""
    if not is_address(word):
        raise BadCommand(
            sentence(
                "One of these words should be a mail address and is not: an address "
                "looks like alice@example.org."
            ),
            page,
        )
    return word


def hash_password(password: str) -> str:
    """A hash with a fresh salt: `scrypt:n:r:p:salt:hash`."""
    salt = os.urandom(16)
    n, r, p = _SCRYPT
    return f"scrypt:{n}:{r}:{p}:{salt.hex()}:{_scrypt(password, salt, n, r, p).hex()}"


def fits_password(password: str, hashed: str) -> bool:
    """Whether a password matches a hash. Raises ValueError for a malformed hash."""
    kind, n, r, p, salt, digest = hashed.split(":")
    if kind != "scrypt":
        raise ValueError(f"unknown kind of hash: {kind}")
    made = _scrypt(password, bytes.fromhex(salt), int(n), int(r), int(p))
    return hmac.compare_digest(made, bytes.fromhex(digest))


def _scrypt(password: str, salt: bytes, n: int, r: int, p: int) -> bytes:
    with _HASHING:
        return hashlib.scrypt(
            password.encode("utf-8", "surrogatepass"),
            salt=salt,
            n=n,
            r=r,
            p=p,
            maxmem=1 << 28,
            dklen=32,
        )


def to_data(player: Player) -> dict[str, Any]:
    """The data in a player's file."""
    return {
        "userid": player.userid,
        "password": player.password,
        "status": player.status,
        "digest": "on" if player.digest else "off",
        **_chosen(player),
        "addresses": list(player.addresses),
        "log": [format_line(line) for line in player.log],
        "notes": {str(no): note for no, note in player.notes.items()},
    }


def _chosen(player: Player) -> dict[str, Any]:
    """What a player has chosen that is not the default: files of 1.0 have no more."""
    chosen = {
        "blocked": list(player.blocked),
        "follows": list(player.follows),
        "muted": list(player.muted),
        "letters": player.letters,
        "moves": player.moves,
        "format": player.format,
        "threads": "on",
        "vacations": list(map(str, player.vacations)),
        "broadcasts": "off",
        "profile": "off",
        "bounces": list(map(str, player.bounces)),
        "sessions": list(map(str, player.sessions)),
        "languages": list(map(str, player.languages)),
        "zones": list(map(str, player.zones)),
        "pushes": list(map(str, player.pushes)),
        "notices": str(player.notices),
    }
    usual = Player._field_defaults
    return {key: chosen[key] for key in chosen if getattr(player, key) != usual[key]}


def from_data(data: Mapping[str, Any]) -> Player:
    """The player in a file's data. Raises LookupError, TypeError or ValueError."""
    _check(data)
    usual = Player._field_defaults
    return Player(
        userid=data["userid"],
        password=data["password"],
        addresses=tuple(check_address(word) for word in data["addresses"]),
        log=tuple(parse_line(text) for text in data["log"]),
        status=data["status"],
        notes={int(no): note for no, note in data["notes"].items()},
        digest=data["digest"] == "on",
        blocked=tuple(data.get("blocked", [])),
        follows=tuple(data.get("follows", [])),
        letters=data.get("letters", usual["letters"]),
        moves=data.get("moves", usual["moves"]),
        format=data.get("format", usual["format"]),
        threads="threads" in data,
        vacations=tuple(map(parse_vacation, data.get("vacations", []))),
        broadcasts="broadcasts" not in data,
        profile="profile" not in data,
        bounces=tuple(map(parse_bounces, data.get("bounces", []))),
        sessions=tuple(map(parse_session, data.get("sessions", []))),
        languages=_choices(data.get("languages", []), CODE),
        zones=_choices(data.get("zones", []), ZONE),
        muted=_boards(data.get("muted", [])),
        pushes=_pushes(data.get("pushes", [])),
        notices=_notices(data.get("notices", "")),
    )


def _choices(words: Sequence[str], form: str) -> "Choices":
    """The languages or zones in a file's data. Raises ValueError."""
    if not words:
        return ()
    from pbm_holomino.match.choices import parse_choices  # for those who have chosen

    return parse_choices(words, form)


def _boards(words: Sequence[str]) -> tuple[str, ...]:
    """The boards in a file's data. Raises TypeError or ValueError."""
    if not isinstance(words, list) or not all(re.fullmatch(_BOARD, w) for w in words):
        raise ValueError("what it has muted are not boards")
    return tuple(words)


def _pushes(texts: Sequence[str]) -> "Subscriptions":
    """The subscriptions in a file's data. Raises TypeError or ValueError."""
    if not texts:
        return ()
    from pbm_holomino.match.push import parse_subscriptions  # few players have one

    return parse_subscriptions(texts)


def _notices(text: str) -> "Notices | None":
    """Where a player is told, as in a file's data. Raises TypeError or ValueError."""
    if not text:
        return None
    from pbm_holomino.match.notices import parse_notices  # few players have one

    return parse_notices(text)


def _check(data: Mapping[str, Any]) -> None:
    """Raises LookupError, TypeError or ValueError for what is no player's data."""
    hashed = data["password"] if data["status"] != DELETED else _NO_HASH
    if not is_userid(data["userid"]) or not re.fullmatch(_HASH, hashed):
        raise ValueError("its userid or password is malformed")
    if not isinstance(data["addresses"], list):
        raise TypeError("its addresses are not a list")
    if data["status"] not in ("on", "off", DELETED):
        raise ValueError("its status is unknown")
    if data["digest"] not in ("on", "off"):
        raise ValueError("its digest is neither on nor off")
    usual = Player._field_defaults
    known = {"letters": LETTERS, "moves": MOVES, "format": FORMATS}
    if any(data.get(key, usual[key]) not in words for key, words in known.items()):
        raise ValueError("its letters, their moves or their format are unknown")
    for key, word in (("threads", "on"), ("broadcasts", "off"), ("profile", "off")):
        if data.get(key, word) != word:
            raise ValueError(f"its {key} can only be {word}")
    others = [data.get(key, []) for key in ("blocked", "follows")]
    if not all(
        isinstance(names, list) and all(map(is_userid, names)) for names in others
    ):
        raise ValueError("its blocked players, or those it follows, are not names")
    if not all(isinstance(note, str) for note in data["notes"].values()):
        raise TypeError("its notes are not texts")
