"""Limits on what one mail with all its commands may cost, and on what an address gets
within an hour without a password.

What a mail asks for without a valid password is counted by kind, so that forged mails
use up only one kind. The count is checked before the work is done.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from time import sleep
from typing import TYPE_CHECKING

from pbm_holomino.errors import NotAllowed, TooMany, TooManyGuesses
from pbm_holomino.languages import Sentence, sentence
from pbm_holomino.match.account import WHY_NO_PLAYERS
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.store.contract import Claim, Counters, Held

if TYPE_CHECKING:
    from pbm_holomino.store.config import Config

MOST_BOARDS = 20  # in an answer to somebody who has given no password
MOST_OWN_BOARDS = 40  # in an answer by mail to a player who has given one
MOST_LISTS = 10  # questions in a mail about more than one board
MOST_HASHES = 5  # passwords that are hashed for a mail
MOST_LINES = 12_000  # of logs that are replayed for a mail
MOST_CHARACTERS = 200_000  # in the answer to a mail

GUESSES = 20  # wrong passwords an hour from one sender, or a player's addresses
GUESSES_AT_ONE = 200  # an hour for one account from all other senders
WELCOMES = 60  # of strangers in an hour
GUEST_MOVES = 600  # against robots in an hour, of a network
SHARES = 2  # senders, or networks, that could use up an hour's sign-ups together
_PAUSE = 0.05  # seconds from one try to the next while others have the last guesses
_TRIES = 20

QUESTIONS = "questions"
REFUSALS = "refusals"
CHALLENGES = "challenges"
SIGNUPS = "signups"
REPEATS = "repeats"
LINKS = "wrong links"
GUESTS = "moves of guests"

_WELCOMES = "welcomes"
_FOLDER = "strangers"
_SAID = {
    QUESTIONS: sentence(
        "Your address has had as many answers as an address gets in an hour without a "
        "password. Please ask again after {hour}:00 UTC."
    ),
    REFUSALS: sentence(
        "Too many mails from your address could not be carried out in this hour. More "
        "of them will not be answered before {hour}:00 UTC. A command with the right "
        "password is always carried out."
    ),
    CHALLENGES: sentence(
        "One of these players has had as many letters about new games as a player gets "
        "in an hour. Please send the challenge again after {hour}:00 UTC."
    ),
    SIGNUPS: sentence(
        "Too many players have signed up in this hour. Please try again after "
        "{hour}:00 UTC."
    ),
    LINKS: sentence(
        "Too many links that are not valid have been opened from your network in this "
        "hour. Please open the one in your letter as it is, or come back after "
        "{hour}:00 UTC."
    ),
    GUESTS: sentence(
        "As many moves against the robot have been made from your network as guests "
        "have in an hour. Your game is still there after {hour}:00 UTC."
    ),
    REPEATS: sentence(
        "That mail has been carried out already, and its answer has been sent too "
        "often in this hour. It will not be answered again before {hour}:00 UTC."
    ),
}


class Guess(NamedTuple):
    """A password to be checked against the hash of an account."""

    password: str
    hashed: str
    userid: str
    is_home: bool  # whether it comes from an address of that account
    by_word: bool = False  # whether the word that `forgot` mails counts, too


def _from_home(userid: str) -> str:
    """The name under which wrong guesses from a player's own addresses are counted."""
    return f"guesses from home {userid}"


def counted(address: str) -> str:
    """The form in which an address is counted: lower case, without its `+tag`."""
    local, _, domain = address.lower().rpartition("@")
    return f"{local.partition('+')[0]}@{domain}"


class Hour(NamedTuple):
    """The counts of one hour."""

    counters: Counters
    time: str  # as logs have it

    @property
    def end(self) -> str:
        """The hour of the day at which it ends."""
        return f"{(int(self.time[11:13]) + 1) % 24:02}"

    def claim(self, claims: Mapping[str, tuple[int, int]]) -> bool:
        """Count each name so many times more, the first number, unless one would be
        counted more often than its limit, the second; whether they were counted."""
        return self.counters.claim(_FOLDER, self.time[:13], claims)

    def count_of(self, name: str) -> int:
        """How often a name has been counted, at least."""
        return self.counters.count_of(_FOLDER, self.time[:13], name)

    def hold(self, limits: Mapping[str, int]) -> Held | None:
        """Hold these names, each up to its limit. While somebody else who may release
        them holds the last ones, wait for a moment. None if there were too many."""
        for _ in range(_TRIES):
            held = self.counters.hold(_FOLDER, self.time[:13], limits)
            if held is not None:
                return held
            if self.counters.is_used_up(_FOLDER, self.time[:13], limits):
                return None
            sleep(_PAUSE)
        return None


class Guesses:
    """The passwords that a sender tries. In the shell, without an hour, they are not
    counted."""

    def __init__(self, sender: str = "", hour: Hour | None = None) -> None:
        self._sender = counted(sender)
        self._hour = hour
        self._fitted: dict[Guess, bool] = {}

    def likely(self, userid: str) -> Claim | None:
        """What will probably be held when a password is compared with an account; None
        if nothing will be."""
        if self._hour is None or any(one.userid == userid for one in self._fitted):
            return None
        return Claim(_FOLDER, self._hour.time[:13], _from_home(userid), GUESSES)

    def fits(self, guess: Guess, judge: Callable[[str, str], bool]) -> bool:
        """Whether a guess is right; `judge` compares a password with a hash. Raises
        TooManyGuesses."""
        if self._hour is None:
            return judge(guess.password, guess.hashed)
        if guess not in self._fitted:
            self._fitted[guess] = self._judged(guess, judge, self._hour)
        return self._fitted[guess]

    def _judged(
        self, guess: Guess, judge: Callable[[str, str], bool], hour: Hour
    ) -> bool:
        """The same, counted. The guess is held before the password is looked at, so
        that guesses that run at once are no more than those that run one after the
        other."""
        held = hour.hold(self._names(guess))
        if held is None:
            raise TooManyGuesses(
                sentence(
                    "Too many wrong passwords have come in this hour, from your "
                    "address or for that account. Passwords are checked again after "
                    "{hour}:00 UTC.",
                    hour=hour.end,
                )
            )
        is_wrong = False
        try:
            is_wrong = not judge(guess.password, guess.hashed)
        finally:
            (held.count if is_wrong else held.release)()
        return not is_wrong

    def _names(self, guess: Guess) -> dict[str, int]:
        """The names under which a guess is counted, each with its limit."""
        if guess.is_home:
            return {_from_home(guess.userid): GUESSES}
        return {
            f"guesses from {self._sender}": GUESSES,
            f"guesses at {guess.userid}": GUESSES_AT_ONE,
        }


class Answers:
    """The answers that a sender gets in an hour without a password, `most` of each
    kind. In the shell, without an hour, they are not counted.

    `sender` is the name under which whoever asks is counted: an address, or the network
    of a request for a page. `signups` players may sign up in the hour, if the server is
    `open_to` strangers, as its owner's settings say. A mail that is taken for spam, or
    for forged, `is_unwanted` until its sender turns out to be a player: it is neither
    carried out nor answered without a proof, as its sender may not have written it.
    """

    def __init__(
        self,
        sender: str = "",
        hour: Hour | None = None,
        most: int = 0,
        signups: int = 0,
        open_to: str = "open",
        is_unwanted: bool = False,
    ) -> None:
        self.sender = counted(sender) if sender else ""
        self._open_to = open_to
        self.is_unwanted = is_unwanted
        self._hour = hour
        self._most = most
        self._signups = signups
        self._granted: dict[str, bool] = {}  # kinds that count once in a mail

    @property
    def no_players(self) -> Sentence | None:
        """Why strangers cannot sign up by themselves; None if they can."""
        return WHY_NO_PLAYERS.get(self._open_to)

    @property
    def takes_invited(self) -> bool:
        """Whether strangers can become players who have been invited."""
        return self._open_to != "closed"

    def ask(self) -> None:
        """Called before a question without a password is answered. Raises TooMany."""
        self._check_wanted()
        self.read_on()

    def read_on(self) -> None:
        """Called before boards or accounts are read to understand what a stranger
        means. Raises TooMany."""
        if not self._once(QUESTIONS, self._most):
            raise self._too_many(QUESTIONS)

    def challenge(self, addresses: Iterable[str]) -> None:
        """Called before a board is opened without a password, with the addresses that
        get letters about it. Raises TooMany."""
        self._check_wanted()
        self._claim(CHALLENGES, addresses)

    def sign_up(self, addresses: Iterable[str]) -> None:
        """Called before an account with these addresses is made. Raises TooMany."""
        self._check_wanted()
        share = -(-self._signups // SHARES)
        by_sender = {f"{SIGNUPS} by {self.sender}": (1, share)}
        self._claim(SIGNUPS, addresses, {SIGNUPS: (1, self._signups), **by_sender})

    def repeat(self, addresses: Iterable[str]) -> None:
        """Called before a mail that was carried out earlier is answered again, at these
        addresses. Raises TooMany."""
        self._claim(REPEATS, addresses)

    def open_wrong_link(self) -> None:
        """Called for a link that proves nothing. Raises TooMany."""
        if not self._once(LINKS, self._most):
            raise self._too_many(LINKS)

    def play_as_guest(self) -> None:
        """Called before a guest's move is played. Raises TooMany."""
        if not self._once(GUESTS, GUEST_MOVES):
            raise self._too_many(GUESTS)

    def may_tell(self, userid: str) -> bool:
        """Whether a player may get a letter because of a reply that was not proved to
        be theirs."""
        return self._is_counted({f"letters about replies to {userid}": (1, 1)})

    def may_welcome(self) -> bool:
        """Whether there is room in the hour for one more welcome of a stranger."""
        if self.is_unwanted or self.no_players:
            return False
        return self._hour is None or self._hour.count_of(_WELCOMES) < WELCOMES

    def welcome(self) -> bool:
        """Count the welcome of a stranger, unless there have been too many."""
        return self._is_counted({_WELCOMES: (1, WELCOMES)})

    def refuse(self) -> bool:
        """Count a refusal, unless there have been too many. Accounts may be read to
        find out whether it is to be a welcome."""
        is_refused = self._once(REFUSALS, self._most)
        if is_refused:
            self._granted[QUESTIONS] = True
        return is_refused

    def may_send(self, over: str) -> bool:
        """Whether the sender gets an answer to a command without a valid password.
        `over` is the kind of mail of which too many have come, if the answer says only
        that: then it is sent once an hour. Raises TooMany for one refusal too many."""
        if self.is_unwanted:
            return False
        if over:
            return self._once(f"notice of {over}", 1)
        if self._granted.get(QUESTIONS) or self._once(REFUSALS, self._most):
            return True
        raise self._too_many(REFUSALS)

    def _check_wanted(self) -> None:
        if self.is_unwanted:
            raise NotAllowed(
                sentence(
                    "The mail server here takes that mail for forged, or for spam."
                )
            )

    def _claim(
        self,
        kind: str,
        addresses: Iterable[str],
        other: Mapping[str, tuple[int, int]] = {},
    ) -> None:
        """Count a letter to each of these addresses, some of which may be the same
        mailbox. Raises TooMany."""
        letters = Counter(f"{kind} {counted(each)}" for each in addresses)
        claims = {name: (more, self._most) for name, more in letters.items()}
        if not self._is_counted({**claims, **other}):
            raise self._too_many(kind)

    def _once(self, kind: str, most: int) -> bool:
        """Whether the sender may have one more of this kind; a mail counts once."""
        if kind not in self._granted:
            claims = {f"{kind} {self.sender}": (1, most)}
            self._granted[kind] = self._is_counted(claims)
        return self._granted[kind]

    def _is_counted(self, claims: Mapping[str, tuple[int, int]]) -> bool:
        """Whether these names may have so many more, which are counted."""
        return self._hour is None or self._hour.claim(claims)

    def _too_many(self, kind: str) -> TooMany:
        end = self._hour.end if self._hour else ""
        return TooMany(_SAID[kind].of(hour=end), kind)


class Work:
    """What one mail has asked for with all its commands. It is not bounded in the
    shell."""

    def __init__(self, is_bounded: bool = True) -> None:
        self._is_bounded = is_bounded
        self._done = Counter[str]()
        self._given: set[tuple[str, str]] = set()  # userids and passwords, hashed

    def take_passwords(self, given: tuple[str, str] | None, renewed: str = "") -> None:
        """Called before passwords are hashed: the userid and password that are `given`,
        and the new password of the account `renewed`. Raises NotAllowed."""
        if not self._is_bounded:
            return  # nor is any password kept
        is_fresh = given is not None and given not in self._given
        if not self._has("hashes", is_fresh + bool(renewed), MOST_HASHES):
            raise NotAllowed(
                sentence(
                    "One mail can use at most {most} passwords: please send this "
                    "command in another mail.",
                    most=MOST_HASHES,
                )
            )
        if given is not None:
            self._given.add(given)
        # the new password must be hashed again
        self._given = {pair for pair in self._given if pair[0] != renewed}

    def ask_list(self) -> None:
        """Called before a question about more than one board. Raises NotAllowed."""
        if not self._has("lists", 1, MOST_LISTS):
            raise NotAllowed(
                sentence(
                    "One mail may ask for at most {most} lists: please ask for this "
                    "one in another mail.",
                    most=MOST_LISTS,
                )
            )

    def has_board(self, is_own: bool) -> bool:
        """Whether the answer may show one more board, which is counted; `is_own` if the
        player has given a password."""
        return self._has("boards", 1, MOST_OWN_BOARDS if is_own else MOST_BOARDS)

    def ask_board(self, is_own: bool) -> None:
        """Called before a question about a board. Raises NotAllowed."""
        if not self.has_board(is_own):
            raise NotAllowed(
                sentence(
                    "This mail has asked for as many boards as a mail may: please ask "
                    "for this one in another mail."
                )
            )

    def has_lines(self, lines: int) -> bool:
        """Whether this many more lines of a log may be replayed, or draws repeated;
        they are counted in any case. A board of any length can be played on."""
        is_first = not self._done["lines"]
        self._done["lines"] += lines
        is_over = self._is_bounded and self._done["lines"] > MOST_LINES
        return is_first or not is_over

    def read_lines(self, lines: int) -> None:
        """Called after they have been replayed for one board. Raises NotAllowed."""
        if not self.has_lines(lines):
            raise NotAllowed(
                sentence(
                    "This mail has asked for as much as a mail may: please send this "
                    "command in another mail."
                )
            )

    def has_room(self, text: str) -> bool:
        """Whether the answer has room for this text, which is counted."""
        return self._has("characters", len(text), MOST_CHARACTERS)

    def whole(self, text: str) -> str:
        """The same text, which cannot be shortened. Raises NotAllowed without room."""
        if not self.has_room(text):
            raise NotAllowed(
                sentence(
                    "The answer to this mail would be too long with that: please ask "
                    "for it in another mail."
                )
            )
        return text

    def _has(self, what: str, more: int, most: int) -> bool:
        """Whether there may be so much more of this, which is counted."""
        if self._is_bounded and self._done[what] + more > most:
            return False
        self._done[what] += more
        return True


class Allowance(NamedTuple):
    """Limits on a command: there are none in the shell."""

    answers: Answers = Answers()  # to whoever has no password, within an hour
    guesses: Guesses = Guesses()  # at passwords, within an hour
    work: Work = Work(is_bounded=False)  # for a mail with all its commands

    @classmethod
    def of(
        cls,
        sender: str,
        counters: Counters,
        time: str,
        config: "Config",
        is_unwanted: bool = False,
    ) -> "Allowance":
        """That of a mail from an address, or of a request for a page from a network, at
        a time (as in logs)."""
        hour = Hour(counters, time)
        answers = Answers(
            sender,
            hour,
            config.answers_per_hour,
            config.signups_per_hour,
            config.signups,
            is_unwanted,
        )
        return cls(answers, Guesses(sender, hour), Work())


UNBOUNDED = Allowance()
