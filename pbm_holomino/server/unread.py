"""The answers to replies that ask nothing: no command could be read in them, or they do
not come from the player to whom the letter went. (For the sentences, see
`letters.unread_replies`.)"""

import re

from pbm_holomino import rules
from pbm_holomino.commands.allowance import Allowance
from pbm_holomino.commands.refusals import YOUR_COMMAND, board_shown, refusal
from pbm_holomino.commands.request import Answer, Answers, Request, Shown
from pbm_holomino.commands.subjects import player_in
from pbm_holomino.errors import NotAllowed, Refused
from pbm_holomino.languages import sentence
from pbm_holomino.letters import screen
from pbm_holomino.letters import unread_replies as letters
from pbm_holomino.letters.content import Paragraph, Part, content
from pbm_holomino.mail.incoming import Mail
from pbm_holomino.match.account import Player
from pbm_holomino.match.board import Match
from pbm_holomino.match.tokens import show_command
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.server.asker import language, read_by
from pbm_holomino.server.replies import Answered, Doubt
from pbm_holomino.store.library import Library
from pbm_holomino.store.people import People

MOST_OFFERED = 20  # boards to choose from
_ABOUT_BOARD = re.compile(r"\b([a-z]+) ([1-9][0-9]{0,8}):")  # in a Subject of ours


class Unread(NamedTuple):
    """A reply that asks nothing."""

    mail: Mail
    library: Library
    people: People
    allowance: Allowance
    now: str

    def without_command(self, answered: Answered, doubt: Doubt) -> Answers:
        """The answer to a reply of which nothing was done: what it may mean."""
        match, reader = answered.match, answered.reader
        if match is None:
            return self._choice(reader)
        why = letters.no_command(match, reader.userid, *doubt)
        return _about_board(match, [self._with_board(why, match, reader)])

    def from_elsewhere(self, answered: Answered) -> Answers:
        """The answers to a reply from an address that is not the player's: a sentence
        for its sender, which a mail that is forged does not get, and once an hour a
        letter for the player."""
        match, reader, sender = answered.match, answered.reader, self.mail.sender
        answers = [refusal(NotAllowed(letters.from_elsewhere(sender)))]
        if match is None:
            return Answers(YOUR_COMMAND, answers)
        if self.allowance.answers.may_tell(reader.userid):
            is_forged = self.mail.is_forged
            said = letters.about_elsewhere(match, reader, sender, is_forged)
            board = screen.screen(match, reader.userid, by_reply=True)
            answers.append(
                Answer.of(
                    content(said, *board),
                    Refused.status,
                    reader.addresses,
                    board=Shown(match, reader.userid, board),
                ).in_language(language(reader, self.now))
            )
        return _about_board(match, answers)

    def without_token(self) -> Answers | None:
        """The answer to a reply to a Subject of ours that does not say which letter it
        answers. Raises PbmError if there is no such board, or it cannot be read."""
        found = _ABOUT_BOARD.search(self.mail.subject.lower())
        if not found or found[1] not in rules.names():
            return self._about_account()
        self.allowance.answers.read_on()
        game, board = found[1], int(found[2])
        match = self.library.match(game, board)
        players = filter(None, map(self.people.readable, match.record.players))
        theirs = [player for player in players if self.mail.is_from(player)]
        sender = theirs[0] if len(theirs) == 1 else None
        if sender and self.allowance.answers.may_tell(sender.userid):
            why = (Paragraph(letters.REPLY_TO_THIS),)
            return _about_board(match, [self._with_board(why, match, sender)])
        example = letters.move_in_subject(game, board, "alice")
        error = NotAllowed(letters.WHOLE_COMMAND, example)
        answer = read_by(refusal(error), sender, self.now)
        return _about_board(match, [answer])

    def _about_account(self) -> Answers | None:
        """The answer to a mail from a player, with a Subject of ours that names them
        and no board: the boards that wait for them."""
        name = player_in(self.mail.subject)
        reader = self.people.readable(name) if name else None
        if reader is None or not self.mail.is_from(reader):
            return None
        is_first = self.allowance.answers.may_tell(reader.userid)
        return self._choice(reader) if is_first else None

    def _choice(self, reader: Player) -> Answers:
        """The answer to a reply to a letter that is about no board in particular: the
        boards where it is the player's turn."""
        library, code = self.library, language(reader, self.now)
        waiting = library.lists.boards_of([reader.userid], "next").boards
        if not waiting:
            error = NotAllowed(letters.NOT_ABOUT_ONE_BOARD)
            answer = refusal(error, reader.addresses)
            return Answers(YOUR_COMMAND, [answer.in_language(code)])
        boards, who = [], reader.userid
        for summary in waiting[:MOST_OFFERED]:
            match = library.match(summary.game, summary.board)
            boards.append((summary, match, show_command(library.key, match, who)))
        shown = [(summary, show) for summary, _, show in boards]
        said = letters.which_board(shown)
        answer = Answer.of(said, Refused.status, reader.addresses)
        answer = answer._replace(waiting=tuple(match for _, match, _ in boards))
        return Answers(YOUR_COMMAND, [answer.in_language(code)], reader.userid)

    def _with_board(self, why: Part, match: Match, reader: Player) -> Answer:
        """A refusal to a player, with the board as they see it."""
        request = Request("show", match.record.game, reader.userid)
        request = request._replace(allowance=self.allowance).coming(mail=self.mail.id)
        board = board_shown(request, match, reader.userid)
        whole = content(why, *(board.content if board else ()))
        answer = Answer.of(whole, Refused.status, reader.addresses, board=board)
        return answer.in_language(language(reader, self.now))


def _about_board(match: Match, answers: list[Answer]) -> Answers:
    return Answers(_YOUR_REPLY.of(board=match.record.name), answers)


_YOUR_REPLY = sentence("{board}: your reply")
