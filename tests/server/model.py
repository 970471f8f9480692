"""The small model that a machine of random commands holds the server against: who has
signed up, and what each board's log must say."""

import hashlib
import sys
from collections.abc import Callable
from contextlib import ExitStack
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from hypothesis.stateful import RuleBasedStateMachine

from pbm_holomino.errors import DONE, TRY_LATER
from pbm_holomino.letters.letter import Letter
from pbm_holomino.match.account import DELETED, fits_password, forgotten
from pbm_holomino.match.board import Match
from pbm_holomino.match.record import QUEUED, SHELL, TICKED, Act
from pbm_holomino.store.contract import PLAYERS
from tests import storage
from tests.house import mail_of
from tests.server.world import Told, World

FRIENDS = ("alice", "bob", "carol", "dave")
# With which options boards are opened; other games have only these of all games.
OPTIONS = {
    "holo": ("", "-num_digits=4 -pool_size=1", "-random -nag=1 -forfeit=3"),
    "hextol": ("", "-min_pips=8 -max_pips=9 -pool_size=1", "-forfeit=0"),
    "walomino": ("", "-rounds=1 -draft=random", "-draft=die -nag=0", "-draft=pot"),
}
OTHER_OPTIONS = ("", "-random -nag=1 -forfeit=3", "-forfeit=0")
WORDS = ("pass", "123:0", "16:0,1", "take:X", "none", "!resign")  # never a move
LOOKS = (
    "all show {who}",
    "{game} show {board} -format=json",
    "{game} show {board}#1",
    "{game} show {other} next",
    "{game} showas WHO PASSWORD",
    "{game} showas WHO PASSWORD {board} -format=json",
    "{game} games",
    "{game} games {who} {other} all",
    "{game} history",
    "{game} history {board} -format=json",
    "{game} history {board} -format=yaml",
    "{game} history {board}",
    "{game} standings",
    "{game} ratings",
    "list {game}",
    "{game} verify {board}",
    "{game} preview {board} {move}",
    "{game} previewas {board} WHO PASSWORD {move} {move}",
    "{game} analyse {board} WHO PASSWORD {move} {move} -sample",
    "{game} notes {board} WHO PASSWORD",
    "{game} history {board} WHO PASSWORD",
    "{game} help",
    "help move",
)

Effect = Callable[[str], None]  # of what a mail does


class Member:
    """What the model knows of a player."""

    def __init__(self, password: str, addresses: list[str]) -> None:
        self.password = password
        self.addresses = addresses
        self.status = "on"
        self.digest = "off"
        self.blocked: list[str] = []

    def changes(self, field: str, value: object) -> Effect:
        """What it means that something is changed."""
        return lambda mail: setattr(self, field, value)


STRANGER = Member("pW-none", [])


class Asked(NamedTuple):
    """A command: whose it is if its password is right, where it comes from, whether
    it should be done (None: either), what it then means to the model, and whether
    it only looks."""

    line: str
    who: str = ""
    sender: str = ""
    body: str = ""
    should: bool | None = None
    effect: Effect = lambda mail: None
    looks: bool = False


class Mailed(NamedTuple):
    """A command that came by mail, and once it is done the keys of its answer."""

    asked: Asked
    raw: bytes
    mail: str
    answers: frozenset[str] = frozenset()


class Model(RuleBasedStateMachine):
    """What has been answered, and how commands are given and judged."""

    def __init__(self, place: Path) -> None:
        super().__init__()
        with ExitStack() as opened:
            opened.enter_context(storage.over.clearing())
            folder = opened.enter_context(TemporaryDirectory(dir=place))
            self.world = World(Path(folder))
            opened.callback(self.world.close)
            self.opened = opened.pop_all()
        self.names = dict(enumerate(FRIENDS))
        self.accounts: dict[str, Member] = {}
        self.logs: dict[str, list[tuple[str, str, str]]] = {}  # who, by what mail, what
        self.done: list[Mailed] = []
        self.waiting: list[Mailed] = []  # done, but they must come again
        self.unreachable: set[str] = set()  # for a while at least
        self.count = 0

    def teardown(self) -> None:
        try:
            if sys.exc_info()[0] is None:  # else something is wrong already
                while self.waiting:
                    self.come_again(self.waiting.pop())
                self.flush_all()
        finally:
            self.opened.close()

    # How commands come, and what is judged of each

    def give(self, asked: Asked, by_mail: bool, fault: str = "") -> None:
        """Give a command; in the shell nothing but the post may fail."""
        if not by_mail:
            self.world.fault = fault if fault == "closed" else ""
            told = self.world.shell(asked.line, asked.body, asked.who)
            self.judge(asked, told, "-")
            return
        mailed = self.written(asked)
        self.world.fault = fault
        self.arrived(mailed, self.world.mail(mailed.raw, asked.who))

    def written(self, asked: Asked) -> Mailed:
        """The command in a mail of its own."""
        self.count += 1
        name = f"<{self.count}@example.org>"
        raw = mail_of(asked.line, asked.sender, asked.body, Message_ID=name)
        return Mailed(asked, raw, hashlib.sha256(name.encode()).hexdigest()[:16])

    def give_several(self, given: list[Asked], fault: str) -> None:
        """Give several commands of one player in one mail: those that are done have
        left their lines, and the mail comes until all have been judged."""
        body = "\n".join(asked.line for asked in given)
        mailed = self.written(given[0]._replace(line="multiple", body=body))
        left = {f"{mailed.mail}/{no}": asked for no, asked in enumerate(given, 1)}
        self.world.fault = fault
        told = self.world.mail(mailed.raw, given[0].who)
        while True:
            for mail in [mail for mail in left if self.world.has_line_of(mail)]:
                left.pop(mail).effect(mail)
            self.compare()
            if told.status != TRY_LATER:
                break
            told = self.world.mail(mailed.raw, given[0].who, repeats=True)
        if not left:
            answers = {letter.key for letter in told.letters if letter.replied}
            self.done.append(mailed._replace(answers=frozenset(answers)))

    def arrived(self, mailed: Mailed, told: Told) -> None:
        """A new mail has come."""
        asked = mailed.asked
        if told.status == TRY_LATER and told.changed:
            self.judge(asked, told._replace(status=DONE), mailed.mail)
            self.waiting.append(mailed)
            return
        if told.status == TRY_LATER:
            if self.count % 2:  # else it has got lost for ever
                told = self.world.mail(mailed.raw, asked.who, repeats=True)
                self.arrived(mailed, told)
            return
        self.judge(asked, told, mailed.mail)
        answers = {letter.key: letter for letter in told.letters if letter.replied}
        if told.changed and not answers:
            assert self.world.has_marks(), "nobody will be answered"
            self.waiting.append(mailed)
            return
        assert answers, "nobody is answered"
        if told.status == DONE and not asked.looks:
            self.done.append(mailed._replace(answers=frozenset(answers)))
            return
        ((key, answer),) = answers.items()
        assert asked.who or answer.to == (asked.sender,)
        again = self.world.mail(mailed.raw, asked.who, repeats=True)
        assert (again.status, again.changed) == (told.status, frozenset())
        repeated = (letter for letter in again.letters if letter.key == key)
        assert [*map(as_read, repeated)] == [as_read(answer)]

    def come_again(self, mailed: Mailed) -> None:
        """A mail comes that has been done; it is answered as it was while it can be
        seen whose it is."""
        told = self.world.mail(mailed.raw, mailed.asked.who, repeats=True)
        if told.changed:  # the last letters of a deleted account have gone with it
            assert told.changed == {f"{PLAYERS}/{mailed.asked.who}.yaml"}
            account = self.world.library.account(mailed.asked.who)
            assert account is not None
            assert account.status == DELETED
            assert account == forgotten(account)
        answers = {letter.key for letter in told.letters if letter.replied}
        assert answers
        if self.owns(mailed.asked):
            assert told.status == DONE
            assert not mailed.answers or answers & mailed.answers

    def owns(self, asked: Asked) -> bool:
        """Whether a mail still comes from an address of its player."""
        account = self.accounts.get(asked.who)
        if account is None or account.status == DELETED:
            return False
        return asked.sender in account.addresses

    def judge(self, asked: Asked, told: Told, mail: str) -> None:
        """A command is done, and then it changes something; or it changes nothing."""
        assert told.status in (0, 1, 2), told
        assert asked.should in (None, told.status == DONE), (asked.line, told)
        assert bool(told.changed) == (told.status == DONE and not asked.looks)
        if told.changed:
            asked.effect(mail)
        self.compare()

    def compare(self) -> None:
        """The files hold what the model knows, and nothing more."""
        for name, lines in self.logs.items():
            assert lines == [
                (line.who, SHELL if line.by_shell else line.source, str(line.action))
                for line in self.world.log(name)
                if line.source not in (QUEUED, TICKED)
            ]
        for userid, account in self.accounts.items():
            data = self.world.data(f"players/{userid}")
            assert data["status"] == account.status
            if account.status != DELETED:
                assert data["addresses"] == account.addresses
                assert data["digest"] == account.digest
                assert data.get("blocked", []) == account.blocked
                assert fits_password(account.password, data["password"])

    def flush_all(self) -> None:
        assert self.world.owner("flush").status == DONE
        self.world.check_all_sent(self.unreachable)
        self.compare()

    # What commands are made of

    def new_password(self) -> str:
        password = f"pW{len(self.world.passwords):03}zQ"
        self.world.passwords.add(password)
        return password

    def account(self, friend: int) -> Member:
        """The account of a friend, or what a stranger tries."""
        return self.accounts.get(self.names[friend], STRANGER)

    def knows(self, name: str) -> bool:
        return name in self.accounts and self.accounts[name].status != DELETED

    def of(self, friend: int, line: str, wrong: bool = False) -> Asked:
        """A command of a friend, whose name and password stand in the line."""
        who, account = self.names[friend], self.account(friend)
        password = "pW-wrong" if wrong else account.password
        sender = (account.addresses or [f"{who}@example.org"])[0]
        proved = "PASSWORD" in line and not wrong and self.knows(who)
        line = line.replace("WHO", who).replace("PASSWORD", password)
        return Asked(line, who if proved else "", sender)

    def on(
        self, board: Match, command: str, friend: int, more: str = "", what: str = ""
    ) -> Asked:
        """A command of a friend about a board, which adds this to its log."""
        record, who = board.record, self.names[friend]
        line = f"{record.game} {command} {record.board} WHO PASSWORD {more}"
        asked = self.of(friend, line.rstrip())
        lines = self.logs[f"{record.game}/{record.board}"]
        asked = asked._replace(effect=lambda mail: lines.append((who, mail, what)))
        return asked if asked.who else asked._replace(should=False)

    def joins(self, who: str, password: str, addresses: list[str]) -> Effect:
        """What it means that somebody signs up."""

        def effect(mail: str) -> None:
            self.accounts[who] = Member(password, addresses)
            if not addresses:
                self.unreachable.add(who)

        return effect

    def opens(self, game: str, who: str, what: str = "!challenge") -> Effect:
        """What it means that a new board is opened."""

        def effect(mail: str) -> None:
            board = len(self.world.library.lists.boards(game))
            self.logs[f"{game}/{board}"] = [(who, mail, what)]

        return effect

    def hears(self, name: str, who: str) -> bool:
        """Whether a player has not blocked another one."""
        return who not in self.accounts[name].blocked

    def may_challenge(self, game: str, challenger: str, names: list[str]) -> bool:
        """Whether nothing that has come of other challenges forbids a new one."""
        boards = [(b, waiting_for(b)) for b in self.world.boards()]
        same = [(b, left) for b, left in boards if {*b.record.players} == {*names}]
        if sum(bool(left) for _, left in same) >= 3:
            return False
        for name in {*names} - {challenger}:
            if not self.hears(name, challenger):
                return False
            if sum(name in left for _, left in boards) >= 10:
                return False
        return not any(
            b.record.game == game
            and b.record.challenger == challenger
            and self.world.now() < barred_until(b)
            for b, _ in same
        )

    def board(self, pick: int, running: bool = True) -> Match | None:
        """Some board, if there is one."""
        boards = [b for b in self.world.boards() if not running or b.result is None]
        return boards[pick % len(boards)] if boards else None

    def somebody(self, board: Match, pick: int) -> int:
        """A friend, but rather a player of this board than another."""
        players = [n for n, who in self.names.items() if who in board.record.players]
        return [*players, *players, *players, *self.names][
            pick % (3 * len(players) + 4)
        ]

    def friend(self, who: str) -> int:
        return next(n for n, name in self.names.items() if name == who)

    def plays(self, who: str) -> bool:
        boards = self.world.boards()
        return any(b.result is None and who in b.record.players for b in boards)


def as_read(letter: Letter) -> tuple[Letter, str]:
    """What makes one letter another: not the functions by which its content is made,
    which are new ones each time, but its text."""
    return letter._replace(content=()), letter.text


def waiting_for(board: Match) -> set[str]:
    """Who has not answered the challenge of a board that is being played."""
    if board.result is not None:
        return set()
    return {*board.record.players} - answered(board) - {board.record.challenger}


def answered(board: Match) -> set[str]:
    """Who has moved, accepted or dropped out, even if that was taken back."""
    acts = (Act.ACCEPT, Act.RESIGN, Act.FORFEIT)
    return {n.who for n in board.record.log[1:] if n.no or n.action in acts}


def barred_until(board: Match) -> str:
    """Until when a board that was called off keeps its challenger from another."""
    reason = board.result.reason if board.result else ""
    asked = {*board.record.players} - {board.record.challenger}
    given_up = reason == "resigned" and bool(asked - answered(board))
    if reason != "declined" and not given_up:
        return ""
    last = [line for line in board.record.log if line.action is not Act.CHAT][-1]
    declined = last.action is Act.DECLINE and last.who != board.record.challenger
    end = datetime.fromisoformat(last.time) + timedelta(days=7 if declined else 1)
    return f"{end:%Y-%m-%dT%H:%M:%SZ}"


def canonical(board: Match, who: str, move: str) -> str:
    """The move as it stands in the log."""
    game, seat = board.rules, board.record.players.index(who)
    return game.format_move(game.parse_move(board.state, seat, move))
