"""Four players, one of them a stranger at times, send anything over several boards, by
mail and by shell, while the server fails now and then. Against a small model of what
has been answered (tests/server/model.py), nothing is lost, nothing changes that was
refused, and no secret leaks (tests/server/world.py).

The suite plays the same games each time. To look for more, set PBM_MACHINE to the
number of games to play, each by new chance:

    PBM_MACHINE=2000 python -m pytest tests/server/test_random_commands.py
"""

import os
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    initialize,
    precondition,
    rule,
    run_state_machine_as_test,
)

from pbm_holomino import rules
from pbm_holomino.errors import DONE, TRY_LATER
from pbm_holomino.match.account import DELETED
from pbm_holomino.match.board import Match
from pbm_holomino.match.record import Act
from tests import storage
from tests.boards import notations
from tests.server.model import (
    FRIENDS,
    LOOKS,
    OPTIONS,
    OTHER_OPTIONS,
    WORDS,
    Asked,
    Effect,
    Model,
    canonical,
    waiting_for,
)
from tests.server.world import CANARY, FAULTS
from tests.sizes import sized
from tests.storage import InFiles

FRIEND = st.integers(0, len(FRIENDS) - 1)
PICK = st.integers(0, 999)
FLAG = st.booleans()
SELDOM = st.integers(0, 5).map(lambda n: n == 5)
FAULT = st.sampled_from(("",) * 12 + FAULTS)


class RandomCommands(Model):
    """The commands that are tried."""

    @initialize(
        game=st.sampled_from(rules.names()), option=PICK, friends=st.integers(2, 3)
    )
    def begin(self, game: str, option: int, friends: int) -> None:
        for friend in range(3):
            self.sign_up(friend, friend > 0, True, "")
        most = rules.load(game).SEATS[1]
        self.challenge(game, option, [0, 1, 2][: min(friends, most)], False, "")

    # Accounts

    @rule(friend=FRIEND, by_mail=FLAG, address=FLAG, fault=FAULT)
    def sign_up(self, friend: int, by_mail: bool, address: bool, fault: str) -> None:
        who, old = self.names[friend], self.accounts.get(self.names[friend])
        home = f"{who}@example.org"
        if old:
            password, effect = old.password, old.changes("status", "on")
        else:
            password = self.new_password()
            effect = self.joins(who, password, [home] if address or by_mail else [])
        line = f"signup {who} {password} {home if address else ''}"
        should = old is None or old.status == "off"
        asked = Asked(line, who, home, should=should, effect=effect)
        if not old or not by_mail or home in old.addresses:
            self.give(asked, by_mail, fault)

    @rule(friend=FRIEND, by_mail=FLAG, wrong=SELDOM, fault=FAULT)
    def change_password(
        self, friend: int, by_mail: bool, wrong: bool, fault: str
    ) -> None:
        new = self.new_password()
        effect = self.account(friend).changes("password", new)
        asked = self.of(friend, f"change password WHO PASSWORD {new}", wrong)
        self.give_changing(asked, effect, by_mail, fault)

    def give_changing(
        self,
        asked: Asked,
        effect: Effect,
        by_mail: bool,
        fault: str,
        should: bool = True,
    ) -> None:
        asked = asked._replace(should=should and bool(asked.who), effect=effect)
        self.give(asked, by_mail, fault)

    @rule(friend=FRIEND, by_mail=FLAG, adds=FLAG, back=FLAG, fault=FAULT)
    def change_address(
        self, friend: int, by_mail: bool, adds: bool, back: bool, fault: str
    ) -> None:
        account, who = self.account(friend), self.names[friend]
        new = f"{who}@example.org" if back else f"a{self.count}@example.net"
        wanted = [*dict.fromkeys([*(account.addresses if adds else []), new])]
        effect = account.changes("addresses", wanted)
        word = "add" if adds else "change address"
        asked = self.of(friend, f"{word} WHO PASSWORD {new}")
        self.give_changing(asked, effect, by_mail, fault, len(wanted) <= 5)

    @rule(friend=FRIEND, by_mail=FLAG, switch=st.sampled_from(["on", "off"]))
    def change_digest(self, friend: int, by_mail: bool, switch: str) -> None:
        effect = self.account(friend).changes("digest", switch)
        asked = self.of(friend, f"change digest WHO PASSWORD {switch}")
        self.give_changing(asked, effect, by_mail, "")

    @rule(friend=FRIEND, by_mail=FLAG, really=SELDOM, fault=FAULT)
    def sign_off(self, friend: int, by_mail: bool, really: bool, fault: str) -> None:
        effect = self.account(friend).changes("status", "off")
        asked = self.of(friend, "signoff WHO PASSWORD", wrong=not really)
        self.give_changing(asked, effect, by_mail, fault)

    @rule(friend=FRIEND, by_mail=FLAG, really=SELDOM, fault=FAULT)
    def delete(self, friend: int, by_mail: bool, really: bool, fault: str) -> None:
        account, who = self.account(friend), self.names[friend]

        def effect(mail: str) -> None:
            account.status = DELETED
            self.unreachable.add(who)
            self.names[friend] = f"{FRIENDS[friend]}{len(self.accounts)}"

        asked = self.of(friend, "delete WHO PASSWORD", wrong=not really)
        self.give_changing(asked, effect, by_mail, fault, not self.plays(who))

    @rule(friend=FRIEND, to=st.lists(FRIEND, max_size=2), by_mail=FLAG, fault=FAULT)
    def message(self, friend: int, to: list[int], by_mail: bool, fault: str) -> None:
        names = [self.names[other] for other in to]
        line = "message WHO PASSWORD " + " ".join(names)
        asked = self.of(friend, line if to else "broadcast WHO PASSWORD")
        body = f"Hello!\n> quoted\nMy word is {self.account(friend).password}."
        should = bool(asked.who) and all(map(self.knows, names))
        should = should and all(self.hears(name, asked.who) for name in names)
        should = should and not {*names} & {*self.account(friend).blocked}
        self.give(asked._replace(body=body, should=should), by_mail, fault)

    @rule(friend=FRIEND, other=FRIEND, ends=FLAG, by_mail=FLAG, fault=FAULT)
    def block(
        self, friend: int, other: int, ends: bool, by_mail: bool, fault: str
    ) -> None:
        account, who, whom = self.account(friend), self.names[friend], self.names[other]
        left = [name for name in account.blocked if name != whom]
        changed = account.changes("blocked", left if ends else [*left, whom])

        def effect(mail: str) -> None:
            changed(mail)
            self.world.blocked.add((who, whom))
            self.world.blocks += 1

        word = "unblock" if ends else "block"
        asked = self.of(friend, f"{word} WHO PASSWORD {whom}")
        should = whom in account.blocked if ends else self.knows(whom) and who != whom
        self.give_changing(asked, effect, by_mail, fault, should)

    @rule(friend=FRIEND, by_mail=FLAG, really=SELDOM, closed=FLAG)
    def decline_all(
        self, friend: int, by_mail: bool, really: bool, closed: bool
    ) -> None:
        who = self.names[friend]
        boards = [b.record for b in self.world.boards() if who in waiting_for(b)]

        def effect(mail: str) -> None:
            line = (who, f"{mail}/all" if mail != "-" else mail, "!decline")
            for record in boards[:20]:
                self.logs[f"{record.game}/{record.board}"].append(line)

        asked = self.of(friend, "decline all WHO PASSWORD", wrong=not really)
        fault = "closed" if closed else ""
        self.give_changing(asked, effect, by_mail, fault, bool(boards))

    # Boards

    @rule(
        game=st.sampled_from(rules.names()),
        option=PICK,
        friends=st.lists(FRIEND, min_size=2, max_size=4),
        by_mail=FLAG,
        fault=FAULT,
    )
    def challenge(
        self, game: str, option: int, friends: list[int], by_mail: bool, fault: str
    ) -> None:
        options, (least, most) = (
            OPTIONS.get(game, OTHER_OPTIONS),
            rules.load(game).SEATS,
        )
        if option % 8:  # else it may be refused
            friends = [*dict.fromkeys([*friends, 0, 1])][: max(least, min(most, 3))]
        names = [self.names[friend] for friend in friends]
        line = f"{game} challenge {' '.join(names)} {options[option % len(options)]}"
        asked = self.of(friends[-1], line)._replace(body="Shall we?")
        on = [name for name in names if self.knows(name)]
        on = [name for name in on if self.accounts[name].status == "on"]
        mine = [n for n in on if asked.sender in self.accounts[n].addresses]
        should = on == names and len({*names}) == len(names)
        should = should and least <= len(names) <= most and bool(mine or not by_mail)
        challenger = mine[0] if by_mail and mine else names[0]
        should = should and self.may_challenge(game, challenger, names)
        effect = self.opens(game, mine[0] if by_mail and mine else "-")
        self.give(asked._replace(should=should, effect=effect), by_mail, fault)

    @rule(board=PICK, pick=PICK, by_mail=FLAG, fault=FAULT)
    def rematch(self, board: int, pick: int, by_mail: bool, fault: str) -> None:
        found = self.board(board, running=False)
        if found is not None:
            friend = self.somebody(found, pick)
            effect = self.opens(found.record.game, self.names[friend], "!rematch")
            asked = self.on(found, "rematch", friend)._replace(effect=effect)
            self.give(asked, by_mail, fault)

    @rule(board=PICK, pick=PICK, by_mail=FLAG, numbered=FLAG, fault=FAULT)
    def move(
        self, board: int, pick: int, by_mail: bool, numbered: bool, fault: str
    ) -> None:
        found = self.board(board)
        if found is not None:
            self.play(found, "move", pick, by_mail, numbered, fault)

    @rule(board=PICK, pick=PICK, moves=st.integers(2, 12))
    def play_on(self, board: int, pick: int, moves: int) -> None:
        """Many moves, of one board."""
        found = self.board(board)
        while found is not None and found.result is None and moves:
            self.play(found, "move", pick * moves, False, True, "")
            name, moves = found.record, moves - 1
            found = self.world.library.match(name.game, name.board)

    @rule(board=PICK, pick=PICK, by_mail=FLAG, fault=FAULT)
    def submit(self, board: int, pick: int, by_mail: bool, fault: str) -> None:
        found = self.board(board)
        if found is not None:
            self.play(found, "submit", pick, by_mail, False, fault)

    def play(
        self,
        board: Match,
        command: str,
        pick: int,
        by_mail: bool,
        numbered: bool,
        fault: str,
    ) -> None:
        """A legal move is made, or submitted."""
        who = board.turn[pick % len(board.turn)]
        legal = notations(board, who)
        move = legal[pick % len(legal)]
        word = f"{move}#{board.ply + 1}" if numbered else move
        what = canonical(board, who, move) if command == "move" else "!submit"
        asked = self.on(board, command, self.friend(who), word, what)
        asked = asked._replace(should=True, body="" if numbered else "Your turn.")
        self.give(asked, by_mail, fault)

    @rule(board=PICK, pick=PICK, by_mail=FLAG, fault=FAULT)
    def confirm(self, board: int, pick: int, by_mail: bool, fault: str) -> None:
        found = self.board(board)
        if found is None:
            return
        friend, notes = self.somebody(found, pick), found.record.notes
        who = self.names[friend]
        drafts = [
            notes[index].partition("#")[0]
            for index, line in enumerate(found.record.log)
            if (line.who, line.action) == (who, Act.SUBMIT)
        ]
        what = canonical(found, who, drafts[-1]) if drafts else ""
        asked = self.on(found, "confirm", friend, "", what)
        self.give(asked if drafts else asked._replace(should=False), by_mail, fault)

    @rule(
        board=PICK,
        picks=st.lists(PICK, min_size=1, max_size=3),
        secret=FLAG,
        by_mail=FLAG,
        fault=FAULT,
    )
    def queue(
        self,
        board: int,
        picks: list[int],
        secret: bool,
        by_mail: bool,
        fault: str,
    ) -> None:
        """What is secret is known by its number, with which no move can be played."""
        found = self.board(board)
        if found is None:
            return
        legal = notations(found, found.turn[0])
        numbers = [f"{CANARY}{pick % 100:02}" if secret else "" for pick in picks]
        moves = [legal[pick % len(legal)] for pick in picks]
        words = " ".join(map("".join, zip(moves, numbers, strict=True)))
        friend = self.somebody(found, sum(picks))
        self.give(self.on(found, "queue", friend, words, "!queue"), by_mail, fault)

    @rule(board=PICK, friend=FRIEND, by_mail=FLAG, word=st.sampled_from(WORDS))
    def illegal(self, board: int, friend: int, by_mail: bool, word: str) -> None:
        found = self.board(board, running=False)
        if found is not None:
            asked = self.on(found, "move", friend, f"{word}#999")
            self.give(asked._replace(should=False), by_mail)

    @rule(board=PICK, pick=PICK, takes_back=FLAG, by_mail=FLAG, fault=FAULT)
    def offer(
        self, board: int, pick: int, takes_back: bool, by_mail: bool, fault: str
    ) -> None:
        found = self.board(board)
        if found is not None:
            act, friend = (
                "undo" if takes_back else "propose",
                self.somebody(found, pick),
            )
            asked = self.on(found, "move", friend, act, f"!{act}")
            self.give(asked, by_mail, fault)

    @rule(
        pick=PICK,
        accepts=st.sampled_from([True, True, False]),
        by_mail=FLAG,
        fault=FAULT,
    )
    def answer(self, pick: int, accepts: bool, by_mail: bool, fault: str) -> None:
        """What is on offer is answered, on whatever board that is."""
        boards = [b for b in self.world.boards() if b.offer] or [*self.world.boards()]
        if boards:
            found, act = boards[pick % len(boards)], "accept" if accepts else "reject"
            friend = self.somebody(found, pick)
            asked = self.on(found, "move", friend, act, f"!{act}")
            self.give(asked, by_mail, fault)

    @rule(board=PICK, pick=PICK, ends=SELDOM, by_mail=FLAG, fault=FAULT)
    def say(self, board: int, pick: int, ends: bool, by_mail: bool, fault: str) -> None:
        found = self.board(board, running=False)
        if found is not None:
            friend = self.somebody(found, pick)
            word = "chat" if not ends else ("decline", "resign", "accept")[pick % 3]
            asked = self.on(found, word, friend, "", f"!{word}")
            body = f"Well, {self.account(friend).password}!"
            self.give(asked._replace(body=body), by_mail, fault)

    @rule(friend=FRIEND, picks=st.lists(PICK, min_size=1, max_size=3), fault=FAULT)
    def several(self, friend: int, picks: list[int], fault: str) -> None:
        """Several commands in one mail."""
        who, account = self.names[friend], self.account(friend)
        boards = [b for b in self.world.boards() if who in b.record.players]
        digest = self.of(friend, "change digest WHO PASSWORD on")
        given = [digest._replace(effect=account.changes("digest", "on"))]
        for pick in picks if boards else ():
            board = boards[pick % len(boards)]
            if who in board.turn:
                legal = notations(board, who)
                move = legal[pick % len(legal)]
                what = canonical(board, who, move)
                given.append(self.on(board, "move", friend, move, what))
            given.append(self.on(board, "chat", friend, "-m=Well!", "!chat"))
        if given[0].who:
            self.give_several(given, fault)

    # What only looks

    @rule(
        board=PICK,
        friend=FRIEND,
        other=FRIEND,
        line=st.sampled_from(LOOKS),
        by_mail=FLAG,
        wrong=SELDOM,
    )
    def look(
        self,
        board: int,
        friend: int,
        other: int,
        line: str,
        by_mail: bool,
        wrong: bool,
    ) -> None:
        found = self.board(board, running=False)
        if found is None:
            return
        line = line.format(
            game=found.record.game,
            board=found.record.board,
            who=self.names[friend],
            other=self.names[other],
            move=notations(found, found.turn[0])[0] if found.turn else "pass",
        )
        self.give(self.of(friend, line, wrong)._replace(looks=True), by_mail)

    # What time, the owner and accidents bring

    @rule(hours=st.sampled_from([1, 30, 80, 170, 180]), fault=FAULT)
    def tick(self, hours: int, fault: str) -> None:
        self.world.pass_time(hours)
        self.world.fault = fault
        assert self.world.owner("tick").status in (DONE, TRY_LATER)
        self.compare()

    @rule()
    def flush(self) -> None:
        self.flush_all()

    @rule(board=PICK, really=SELDOM)
    def void(self, board: int, really: bool) -> None:
        found = self.board(board)
        if found is not None and really:
            game, number = found.record.game, found.record.board
            assert self.world.owner(f"void {game} {number}").status == DONE
            self.logs[f"{game}/{number}"].append(("-", "-", "!void"))
            self.compare()

    @precondition(lambda self: self.waiting)
    @rule(pick=PICK)
    def retried(self, pick: int) -> None:
        """A mail comes again that was done, but not answered."""
        self.come_again(self.waiting.pop(pick % len(self.waiting)))

    @precondition(lambda self: self.done)
    @rule(pick=PICK)
    def repeated(self, pick: int) -> None:
        """A mail comes again that was answered."""
        self.come_again(self.done[pick % len(self.done)])


GAMES = int(os.environ.get("PBM_MACHINE", "0"))


def test_nothing_is_lost_and_no_secret_leaks(tmp_path: Path) -> None:
    # over databases each game takes several times as long
    games = sized(4, 100) if isinstance(storage.over, InFiles) else sized(2, 20)

    class Here(RandomCommands):
        def __init__(self) -> None:
            super().__init__(tmp_path)

    run_state_machine_as_test(
        Here,
        settings=settings(
            max_examples=GAMES or games,
            stateful_step_count=60,
            derandomize=not GAMES,
            database=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
