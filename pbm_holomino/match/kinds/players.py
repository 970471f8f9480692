"""The kind of ledger that an account is. Its lines have numbers of their own, as its
log keeps only the last."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pbm_holomino.errors import NotFound
from pbm_holomino.languages import Sentence, sentence
from pbm_holomino.match import account
from pbm_holomino.match.account import DELETED, AccountLine, Player
from pbm_holomino.match.ledgers import Kind
from pbm_holomino.match.record import NOBODY, Act, Key, Line, LogLine
from pbm_holomino.match.vacations import Vacation


class _Players(Kind[Player]):
    named_after = "a userid"
    has_numbers = False
    is_account = True

    def is_name(self, name: str) -> bool:
        return account.is_userid(name)

    def load(self, key: Key, data: Mapping[str, Any], earlier: Player | None) -> Player:
        player = account.from_data(data)
        if player.key != key:
            raise ValueError(f"it says it is {player.userid}'s")
        return player

    def dump(self, ledger: Player) -> dict[str, Any]:
        return account.to_data(ledger)

    def after(self, ledger: Player, line: AccountLine) -> Player:
        return ledger.after(line)

    def missing(self, key: Key) -> NotFound:
        return NotFound(sentence("That account has just been removed."))

    def numbers(self, ledger: Player) -> Sequence[int]:
        return [line.no for line in ledger.log if line.no is not None]

    def line(self, ledger: Player, number: int) -> AccountLine:
        return ledger.log[self.numbers(ledger).index(number)]

    def lines_for(self, ledger: Player, reader: str) -> int:
        return 0  # its log is always short

    def is_gone(self, ledger: Player) -> bool:
        return ledger.status == DELETED

    def entails(
        self, ledger: Player, line: int, now: str
    ) -> Iterator[tuple[Key, LogLine[Any]]]:
        """The challenges that the player declines by one command are declined one by
        one; a vacation is written down where it stops a clock; and with an account go
        its notes."""
        made = self.line(ledger, line)
        if made.action.kind is account.Kind.VACATION:
            yield from _clocks_stopped(ledger, made)
        if made.action.kind is account.Kind.DELETE:
            yield from _notes_taken_out(made, now)
        # the player gets one letter about all the boards, from the account's log
        source = made.source if made.answered_apart else f"{made.source}/all"
        declined = Line(None, now, made.who, source, Act.DECLINE)
        for board in account.declined_by(made).boards:
            game, name = board.split()
            yield Key(game, name), declined

    def full(self, ledger: Player) -> Mapping[int, Sentence]:
        return dict.fromkeys(
            ledger.pushed,
            sentence(
                "Some of your letters could not be sent yet, and there is no room for "
                "more until they are: please try again later."
            ),
        )

    def as_saved(self, ledger: Player) -> Player:
        return ledger._replace(pushed=())

    def when_sent(self, ledger: Player) -> Player:
        if ledger.status == DELETED:
            return account.forgotten(ledger)
        return account.without_invited(ledger)


KIND = _Players()


def _notes_taken_out(made: AccountLine, now: str) -> Iterator[tuple[Key, LogLine[Any]]]:
    """The lines that empty the notes which that of a deleted account names."""
    from pbm_holomino.match.notebook import ERASED, NOTES  # few accounts are deleted

    for name in made.action.words:
        if name != account.NAMELESS:
            yield Key(NOTES, name), LogLine(None, now, made.who, made.source, ERASED)


def _clocks_stopped(
    player: Player, made: AccountLine
) -> Iterator[tuple[Key, LogLine[Any]]]:
    """The lines about a vacation that begins, lasts longer or ends, for the boards that
    are named by its own."""
    from pbm_holomino.match.clocks import VACATION, excused  # few lines need it

    said, *boards = made.action.words
    until = made.time if said == NOBODY else said
    since = next((v.since for v in player.vacations if v.until == until), until)
    for board in boards:
        stopped = excused(made.who, VACATION, Vacation(since, until), made.time)
        yield Key(*board.split(".")), stopped
