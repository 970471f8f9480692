"""Limits on what one mail with all its commands may cost, and on what an address gets
within an hour without a password.

What a mail asks for without a valid password is counted by kind, so that forged mails
use up only one kind. The count is checked before the work is done.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from time import sleep
from typing import NamedTuple

from pbm_holomino.errors import NotAllowed, TooMany, TooManyGuesses
from pbm_holomino.store.contract import Counters, Held

MOST_BOARDS = 20  # in an answer to somebody who has given no password
MOST_OWN_BOARDS = 40  # in an answer by mail to a player who has given one
MOST_LISTS = 10  # questions in a mail about more than one board
MOST_HASHES = 5  # passwords that are hashed for a mail
MOST_LINES = 12_000  # of logs that are replayed for a mail
MOST_CHARACTERS = 200_000  # in the answer to a mail

GUESSES = 20  # wrong passwords an hour from one sender, or a player's addresses
GUESSES_AT_ONE = 200  # an hour for one account from all other senders
SHARES = 2  # senders, or networks, that could use up an hour's sign-ups together
_PAUSE = 0.05  # seconds from one try to the next while others have the last guesses
_TRIES = 20

QUESTIONS = "questions"
REFUSALS = "refusals"
CHALLENGES = "challenges"
SIGNUPS = "signups"
REPEATS = "repeats"
LINKS = "wrong links"

_FOLDER = "strangers"
_SAID = {
    QUESTIONS: "Your address has had as many answers as an address gets in an hour "
    "without a password. Please ask again after {}.",
    REFUSALS: "Too many mails from your address could not be carried out in this hour. "
    "More of them will not be answered before {}. A command with the right password is "
    "always carried out.",
    CHALLENGES: "One of these players has had as many letters about new games as a "
    "player gets in an hour. Please send the challenge again after {}.",
    SIGNUPS: "Too many players have signed up in this hour. Please try again after {}.",
    LINKS: "Too many links that are not valid have been opened from your network in "
    "this hour. Please open the one in your letter as it is, or come back after {}.",
    REPEATS: "That mail has been carried out already, and its answer has been sent too "
    "often in this hour. It will not be answered again before {}.",
}


class Guess(NamedTuple):
    """A password to be checked against the hash of an account; `is_home` if it comes
    from an address of that account. `by_word` if the word that `forgot` mails counts,
    too."""

    password: str
    hashed: str
    userid: str
    is_home: bool
    by_word: bool = False


class Allowance:
    """The allowance of a command in the shell, where nothing is limited. The `sender`
    is the name under which whoever asks is counted, empty in the shell. It
    `takes_players` where whoever asks can sign up."""

    sender = ""
    takes_players = True

    def ask(self) -> None:
        """Called before a question without a password is answered. Raises TooMany."""

    def read_on(self) -> None:
        """Called before boards or accounts are read to understand what a stranger
        means. Raises TooMany."""

    def challenge(self, addresses: Iterable[str]) -> None:
        """Called before a board is opened without a password, with the addresses that
        get letters about it. Raises TooMany."""

    def sign_up(self, addresses: Iterable[str]) -> None:
        """Called before an account with these addresses is made. Raises TooMany."""

    def repeat(self, addresses: Iterable[str]) -> None:
        """Called before a mail that was carried out earlier is answered again, at these
        addresses. Raises TooMany."""

    def open_wrong_link(self) -> None:
        """Called for a link that proves nothing. Raises TooMany."""

    def may_tell(self, userid: str) -> bool:
        """Whether a player may get a letter because of a reply that was not proved to
        be theirs."""
        return True

    def take_passwords(self, given: tuple[str, str] | None, renewed: str = "") -> None:
        """Called before passwords are hashed: the userid and password that are `given`,
        and the new password of the account `renewed`. Raises NotAllowed."""

    def ask_list(self) -> None:
        """Called before a question about more than one board. Raises NotAllowed."""

    def has_board(self, is_own: bool) -> bool:
        """Whether the answer may show one more board, which is counted; `is_own` if the
        player has given a password."""
        return True

    def has_lines(self, lines: int) -> bool:
        """Whether this many more lines of a log may be replayed, or draws repeated;
        they are counted."""
        return True

    def read_lines(self, lines: int) -> None:
        """Called after they have been replayed for one board. Raises NotAllowed."""
        if not self.has_lines(lines):
            raise NotAllowed(
                "This mail has asked for as much as a mail may: please send this "
                "command in another mail."
            )

    def has_room(self, text: str) -> bool:
        """Whether the answer has room for this text, which is counted."""
        return True

    def ask_board(self, is_own: bool) -> None:
        """Called before a question about a board. Raises NotAllowed."""
        if not self.has_board(is_own):
            raise NotAllowed(
                "This mail has asked for as many boards as a mail may: please ask for "
                "this one in another mail."
            )

    def whole(self, text: str) -> str:
        """The same text, which cannot be shortened. Raises NotAllowed without room."""
        if not self.has_room(text):
            raise NotAllowed(
                "The answer to this mail would be too long with that: please ask for "
                "it in another mail."
            )
        return text

    def expect(self, userid: str) -> None:
        """Called before an account is read with which a password will be compared."""

    def settle(self) -> None:
        """Called at the end of a command."""

    def fits(self, guess: Guess, judge: Callable[[str, str], bool]) -> bool:
        """Whether a guess is right; `judge` compares a password with a hash. Raises
        TooManyGuesses."""
        return judge(guess.password, guess.hashed)


UNBOUNDED = Allowance()


class MailAllowance(Allowance):
    """The allowance of a mail with all its commands, and of its sender in this hour;
    and that of a request for a page.

    `sender` is the address that the mail comes from, or the network of the request,
    `counter` has the counts, `time` has the form that logs have, `answers` is how many
    answers of a kind a sender gets in an hour, and `signups` how many players may sign
    up in an hour, if it `takes_players`.
    """

    def __init__(
        self,
        sender: str,
        counter: Counters,
        time: str,
        answers: int,
        signups: int,
        takes_players: bool = True,
    ) -> None:
        self.takes_players = takes_players
        self.sender = counted(sender)
        self._counter = counter
        self._hour = time[:13]
        self._until = f"{(int(time[11:13]) + 1) % 24:02}:00 UTC"
        self._answers = answers
        self._signups = signups
        self._boards = 0
        self._lists = 0
        self._characters = 0
        self._lines = 0
        self._hashes = 0
        self._known: set[tuple[str, str]] = set()  # userids and passwords, hashed
        self._fitted: dict[Guess, bool] = {}
        self._granted: dict[str, bool] = {}  # kinds that count once in a mail

    # By the hour

    def ask(self) -> None:
        if not self._once(QUESTIONS, self._answers):
            raise self._too_many(QUESTIONS)

    def read_on(self) -> None:
        MailAllowance.ask(self)

    def challenge(self, addresses: Iterable[str]) -> None:
        self._claim(CHALLENGES, addresses)

    def sign_up(self, addresses: Iterable[str]) -> None:
        share = -(-self._signups // SHARES)
        by_sender = {f"{SIGNUPS} by {self.sender}": (1, share)}
        self._claim(SIGNUPS, addresses, {SIGNUPS: (1, self._signups), **by_sender})

    def repeat(self, addresses: Iterable[str]) -> None:
        self._claim(REPEATS, addresses)

    def open_wrong_link(self) -> None:
        if not self._once(LINKS, self._answers):
            raise self._too_many(LINKS)

    def may_tell(self, userid: str) -> bool:
        claims = {f"letters about replies to {userid}": (1, 1)}
        return self._counter.claim(_FOLDER, self._hour, claims)

    def may_send(self, over: str) -> bool:
        """Whether the sender gets an answer to a command without a valid password.
        `over` is the kind of mail of which too many have come, if the answer says only
        that: then it is sent once an hour. Raises TooMany for one refusal too many."""
        if over:
            return self._once(f"notice of {over}", 1)
        if self._granted.get(QUESTIONS) or self._once(REFUSALS, self._answers):
            return True
        raise self._too_many(REFUSALS)

    def expect(self, userid: str) -> None:
        if all(guess.userid != userid for guess in self._fitted):
            self._counter.expect(_FOLDER, self._hour, _from_home(userid), GUESSES)

    def settle(self) -> None:
        self._counter.settle()

    def fits(self, guess: Guess, judge: Callable[[str, str], bool]) -> bool:
        if guess not in self._fitted:
            guesses = self._guesses(guess)
            held = self._hold(guesses)
            if held is None:
                raise TooManyGuesses(
                    "Too many wrong passwords have come in this hour, from your "
                    "address or for that account. Passwords are checked again after "
                    f"{self._until}."
                )
            is_wrong = False
            try:
                is_wrong = not judge(guess.password, guess.hashed)
            finally:
                (held.count if is_wrong else held.release)()
            self._fitted[guess] = not is_wrong
        return self._fitted[guess]

    def _hold(self, guesses: Mapping[str, int]) -> Held | None:
        """Hold a guess under these names, each with its limit, before the password is
        looked at, so that guesses that run at once are no more than those that run one
        after the other. While some that may turn out right hold the last ones, wait for
        a moment. None if there were too many."""
        for _ in range(_TRIES):
            held = self._counter.hold(_FOLDER, self._hour, guesses)
            if held is not None:
                return held
            if self._counter.is_used_up(_FOLDER, self._hour, guesses):
                return None
            sleep(_PAUSE)
        return None

    def _guesses(self, guess: Guess) -> dict[str, int]:
        """The names under which a guess is counted, each with its limit."""
        if guess.is_home:
            return {_from_home(guess.userid): GUESSES}
        return {
            f"guesses from {self.sender}": GUESSES,
            f"guesses at {guess.userid}": GUESSES_AT_ONE,
        }

    def _claim(
        self,
        kind: str,
        addresses: Iterable[str],
        other: Mapping[str, tuple[int, int]] = {},
    ) -> None:
        """Count a letter to each of these addresses, some of which may be the same
        mailbox. Raises TooMany."""
        letters = Counter(f"{kind} {counted(each)}" for each in addresses)
        claims = {name: (more, self._answers) for name, more in letters.items()}
        if not self._counter.claim(_FOLDER, self._hour, {**claims, **other}):
            raise self._too_many(kind)

    def _once(self, kind: str, most: int) -> bool:
        """Whether the sender may have one more of this kind; a mail counts once."""
        if kind not in self._granted:
            claims = {f"{kind} {self.sender}": (1, most)}
            self._granted[kind] = self._counter.claim(_FOLDER, self._hour, claims)
        return self._granted[kind]

    def _too_many(self, kind: str) -> TooMany:
        return TooMany(_SAID[kind].format(self._until), kind)

    # In the mail

    def take_passwords(self, given: tuple[str, str] | None, renewed: str = "") -> None:
        is_fresh = given is not None and given not in self._known
        more = is_fresh + bool(renewed)
        if more and self._hashes + more > MOST_HASHES:
            raise NotAllowed(
                f"One mail can use at most {MOST_HASHES} passwords: please send this "
                "command in another mail."
            )
        self._hashes += more
        if given is not None:
            self._known.add(given)
        # the new password must be hashed again
        self._known = {pair for pair in self._known if pair[0] != renewed}

    def ask_list(self) -> None:
        self._lists += 1
        if self._lists > MOST_LISTS:
            raise NotAllowed(
                f"One mail may ask for at most {MOST_LISTS} lists: please ask for this "
                "one in another mail."
            )

    def has_board(self, is_own: bool) -> bool:
        if self._boards >= (MOST_OWN_BOARDS if is_own else MOST_BOARDS):
            return False
        self._boards += 1
        return True

    def has_lines(self, lines: int) -> bool:
        is_first = not self._lines  # a board of any length can be played on
        self._lines += lines
        return is_first or self._lines <= MOST_LINES

    def has_room(self, text: str) -> bool:
        if self._characters + len(text) > MOST_CHARACTERS:
            return False
        self._characters += len(text)
        return True


class UnwantedAllowance(MailAllowance):
    """The allowance of a mail that is taken for spam, or for forged. Without a proof it
    is neither carried out nor answered, as its sender may not have written it. A sender
    who turns out to be a player `is_known`, and gets what anybody gets."""

    is_known = False

    def ask(self) -> None:
        self._check_is_known()
        super().ask()

    def challenge(self, addresses: Iterable[str]) -> None:
        self._check_is_known()
        super().challenge(addresses)

    def sign_up(self, addresses: Iterable[str]) -> None:
        self._check_is_known()
        super().sign_up(addresses)

    def may_send(self, over: str) -> bool:
        return self.is_known and super().may_send(over)

    def _check_is_known(self) -> None:
        if not self.is_known:
            raise NotAllowed(
                "The mail server here takes that mail for forged, or for spam."
            )


def _from_home(userid: str) -> str:
    """The name under which wrong guesses from a player's own addresses are counted."""
    return f"guesses from home {userid}"


def counted(address: str) -> str:
    """The form in which an address is counted: lower case, without its `+tag`."""
    local, _, domain = address.lower().rpartition("@")
    return f"{local.partition('+')[0]}@{domain}"
