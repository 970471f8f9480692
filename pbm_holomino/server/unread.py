"""The answers to replies that ask nothing: no command could be read in them, or they do
not come from the player to whom the letter went. (For the sentences, see
`letters.unread_replies`.)"""

import re

from pbm_holomino import rules
from pbm_holomino.commands import table
from pbm_holomino.commands.allowance import Allowance
from pbm_holomino.commands.asker import language, read_by
from pbm_holomino.commands.known_names import Known
from pbm_holomino.commands.params import ACTS
from pbm_holomino.commands.refusals import YOUR_COMMAND, board_shown, refusal
from pbm_holomino.commands.request import Answer, Answers, Request, Shown
from pbm_holomino.commands.subjects import player_in
from pbm_holomino.commands.texts import first_line
from pbm_holomino.errors import NotAllowed, Refused
from pbm_holomino.languages import Sentence
from pbm_holomino.letters import screen
from pbm_holomino.letters import unread_replies as letters
from pbm_holomino.letters.content import Paragraph, Part, content
from pbm_holomino.mail.incoming import Mail
from pbm_holomino.match.account import Player
from pbm_holomino.match.board import Match
from pbm_holomino.match.tokens import show_command, unsubscribe_command
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.server.answered import Answered
from pbm_holomino.server.replies import Doubt
from pbm_holomino.server.strangers import STOPPING
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
            match = self.people.with_wish(match, reader.userid)
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

    def from_player(self, known: Known) -> Answers | None:
        """The answer to a player's new mail that is no command: what may be meant by
        its first words, or None. They may not be the player's, so what their letters
        can do is sent to their own addresses, and once an hour."""
        asked = self.mail.subject.strip() or first_line(self.mail.body)[0]
        word, words = asked.lower().rstrip(".!"), table.in_game()
        command = words.get(word)
        is_for_a_board = word in ACTS or (command and command.takes_password)
        is_for_a_game = command and not any(p.is_required for p in command.places)
        if not (is_for_a_board or is_for_a_game or re.search(STOPPING, asked)):
            return None
        answers = self.allowance.answers
        userid = known.sender() if answers.refuse() else ""
        reader = self.people.readable(userid) if userid else None
        if reader is None:
            return None
        if is_for_a_game:
            return Answers(YOUR_COMMAND, [Answer.of(letters.in_each_game(word))])
        if not answers.may_tell(reader.userid):
            return None
        if is_for_a_board:
            return self._which(reader)
        stop = unsubscribe_command(self.library.key, reader.userid)
        said = letters.how_to_stop(reader.userid, stop)
        answer = Answer.of(said, Refused.status, reader.addresses)
        return Answers(YOUR_COMMAND, [answer.in_language(language(reader, self.now))])

    def _which(self, reader: Player) -> Answers | None:
        """The answer to a player's word about a board, which does not say which: their
        only one, or those to choose from."""
        found = self.library.lists.boards_of([reader.userid], "active").boards
        if not found:
            return None
        if len(found) > 1:
            return self._choice(reader, letters.BY_REPLY)
        match = self.library.match(found[0].game, found[0].board)
        why = (Paragraph(letters.BY_REPLY_TO_THIS),)
        return _about_board(match, [self._with_board(why, match, reader)])

    def _choice(
        self, reader: Player, why: Sentence = letters.NOT_ABOUT_ONE_BOARD
    ) -> Answers:
        """The answer to a mail that is about no board in particular: the boards where
        it is the player's turn."""
        library, code = self.library, language(reader, self.now)
        waiting = library.lists.boards_of([reader.userid], "next").boards
        if not waiting:
            answer = refusal(NotAllowed(why), reader.addresses)
            return Answers(YOUR_COMMAND, [answer.in_language(code)])
        boards, who = [], reader.userid
        for summary in waiting[:MOST_OFFERED]:
            match = library.match(summary.game, summary.board)
            boards.append((summary, match, show_command(library.key, match, who)))
        shown = [(summary, show) for summary, _, show in boards]
        said = letters.which_board(shown, who, why)
        answer = Answer.of(said, Refused.status, reader.addresses)
        answer = answer._replace(waiting=tuple(match for _, match, _ in boards))
        return Answers(YOUR_COMMAND, [answer.in_language(code)], reader.userid)

    def _with_board(self, why: Part, match: Match, reader: Player) -> Answer:
        """A refusal to a player, with the board as they see it."""
        request = Request("show", match.record.game, reader.userid)
        request = request._replace(allowance=self.allowance).coming(mail=self.mail.id)
        board = board_shown(request, self.people, match, reader.userid)
        whole = content(why, *(board.content if board else ()))
        answer = Answer.of(whole, Refused.status, reader.addresses, board=board)
        return answer.in_language(language(reader, self.now))


def _about_board(match: Match, answers: list[Answer]) -> Answers:
    return Answers(letters.SUBJECT.of(board=match.record.name), answers)
