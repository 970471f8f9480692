"""What a mail asks: the command in its Subject, or in the first line of its text."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from pbm_holomino import rules
from pbm_holomino.commands import parse
from pbm_holomino.commands.allowance import Allowance
from pbm_holomino.commands.known import Known
from pbm_holomino.commands.refusals import board_shown, refusal
from pbm_holomino.commands.request import Answer, Request, Shown
from pbm_holomino.commands.subjects import is_our_subject
from pbm_holomino.commands.texts import own_lines
from pbm_holomino.errors import (
    BadCommand,
    NoCommand,
    NotAllowed,
    PbmError,
    Refused,
)
from pbm_holomino.letters import screen
from pbm_holomino.letters.content import Command, Linked, Paragraph, Part, content
from pbm_holomino.mail.incoming import Mail
from pbm_holomino.match import letter_ids
from pbm_holomino.match.account import PLACEHOLDER, Player
from pbm_holomino.match.board import Match
from pbm_holomino.match.tokens import show_command
from pbm_holomino.sentences import listed
from pbm_holomino.server.transaction import Server
from pbm_holomino.store.people import People

if TYPE_CHECKING:
    from pbm_holomino.server.replies import Answered

YOUR_COMMAND = "Re: your command"
MOST_OFFERED = 20  # boards to choose from
_ABOUT_BOARD = re.compile(r"\b([a-z]+) ([1-9][0-9]{0,8}):")  # in a Subject of ours


class Asked(NamedTuple):
    """The request that a mail makes, and the answers under their subject, if there are
    any already; `reader` is the player to whom those go that have an address."""

    request: Request | None = None
    subject: str = ""
    answers: Sequence[Answer] = ()
    reader: str = ""


def what_is_asked(
    received: Mail, server: Server, domain: str, allowance: Allowance, known: Known
) -> Asked:
    """The request in a mail to the server with this domain; what is `known` helps to
    read it."""
    try:
        if received.problem:
            raise BadCommand(received.problem)
        return _Reading(received, server, domain, allowance, known).asked()
    except PbmError as error:
        return Asked(subject=YOUR_COMMAND, answers=(refusal(error),))


class _Reading:
    """One mail, as it is read."""

    def __init__(
        self,
        received: Mail,
        server: Server,
        domain: str,
        allowance: Allowance,
        known: Known,
    ) -> None:
        self._mail = received
        self._server = server
        self._library = server.library
        self._people = People(server.library)
        self._domain = domain
        self._allowance = allowance
        self._known = known

    def asked(self) -> Asked:
        """The request, or the answers. Raises PbmError."""
        try:
            request = self._in_subject()
        except NoCommand as error:
            return self._in_text(error)
        text = self._mail.body
        if self._mail.answered and (answered := self._answered()):
            text = answered.own("\n".join(own_lines(text)))
        return self._ready(request.coming(text=text))

    def _in_subject(self) -> Request:
        """The command in the Subject. Raises NoCommand if that begins like none."""
        if is_our_subject(self._mail.subject):
            raise NoCommand(
                "I cannot read a command in this reply: please put a whole one into "
                'its first line or into the Subject line, such as "help tutorial".',
                "reply",
            )
        return parse.parse(self._mail.words(), known=self._known)

    def _ready(self, request: Request) -> Asked:
        mail = self._mail
        return Asked(
            request._replace(allowance=self._allowance).coming(
                mail=mail.id,
                sender=mail.sender,
                is_forged=mail.is_forged,
                message_id=mail.message_id,
            )
        )

    def _comes_from(self, player: Player) -> bool:
        return not self._mail.is_forged and player.owns(self._mail.sender)

    def _answered(self) -> "Answered | None":
        """The letter that the mail answers."""
        from pbm_holomino.server import replies  # most mails answer none

        known = letter_ids.find(self._mail.answered, self._domain)
        if known is None:
            return None
        reader = self._people.readable(known.reader or known.name)
        if reader is None or not self._comes_from(reader):
            self._allowance.answers.read_on()  # a stranger makes us read a board
        now = self._server.now()
        return replies.letter_of(known, self._library, self._people, now)

    def _in_text(self, error: NoCommand) -> Asked:
        """What the text asks of a mail whose Subject holds no command, as the `error`
        says."""
        from pbm_holomino.server import replies

        mail = self._mail
        answered = self._answered() if mail.answered else None
        if answered is not None and self._comes_from(answered.reader):
            request = replies.read(answered, mail.body, self._known)
            return self._ready(request) if request else self._unread(answered)
        request = replies.whole(mail.body, self._known)
        if request is not None:
            return self._ready(request)
        if answered is not None:
            return self._from_elsewhere(answered)
        asked = self._without_token()
        if asked is None:
            raise error
        return asked

    # Replies that ask nothing

    def _unread(self, answered: "Answered") -> Asked:
        """The answer to a reply whose first line is no command."""
        match, reader = answered.match, answered.reader
        if match is None:
            return self._choice(reader)
        how = _what_can_be_written(match, reader.userid)
        error = NotAllowed(
            "I cannot read a command in the first line of your reply, so nothing has "
            f"been done. {how}"
        )
        return self._about_board(match, [refusal(error, *self._shown(match, reader))])

    def _from_elsewhere(self, answered: "Answered") -> Asked:
        """The answers to a reply from an address that is not the player's: a sentence
        for its sender, which a mail that is forged does not get, and once an hour a
        letter for the player."""
        match, reader, sender = answered.match, answered.reader, self._mail.sender
        why = (
            f"That reply came from {sender}, which is not an address of the player to "
            "whom the letter was sent: nothing has been done. Please reply from that "
            "address."
        )
        answers = [refusal(NotAllowed(why))]
        if match is None:
            return Asked(subject=YOUR_COMMAND, answers=tuple(answers))
        if self._allowance.answers.may_tell(reader.userid):
            answers.append(self._told(match, reader, sender))
        return self._about_board(match, answers)

    def _told(self, match: Match, reader: Player, sender: str) -> Answer:
        """The letter to a player about a reply from an address that is not theirs."""
        name = match.record.name
        came: Part = (
            Paragraph(
                f"A reply to your letter about {name} came from {sender}, which is not "
                "one of your addresses here: nothing has been done. If it was you, "
                "reply to this letter from the address that it was sent to, or add the "
                "other address. To add it, send this line with your password:"
            ),
            Command(f"add {reader.userid} {PLACEHOLDER} {sender}"),
        )
        if self._mail.is_forged:
            forged = (
                f"A reply to your letter about {name} said that it came from {sender}, "
                "but the mail server here found that it did not: nothing has been "
                "done. If it was you, reply to this letter from your mailbox there."
            )
            came = (Paragraph(forged),)
        shown = screen.screen(match, reader.userid, by_reply=True)
        said = content(came, *shown)
        board = Shown(match, reader.userid, shown)
        return Answer.of(said, Refused.status, reader.addresses, board=board)

    def _without_token(self) -> Asked | None:
        """The answer to a reply to a Subject of ours that does not say which letter it
        answers. Raises PbmError if there is no such board, or it cannot be read."""
        found = _ABOUT_BOARD.search(self._mail.subject.lower())
        if not found or found[1] not in rules.names():
            return None
        self._allowance.answers.read_on()
        match = self._library.match(found[1], int(found[2]))
        error = NotAllowed(
            "I cannot tell which letter to you this reply answers, so nothing has been "
            "done."
        )
        players = filter(None, map(self._people.readable, match.record.players))
        theirs = [player for player in players if self._comes_from(player)]
        if len(theirs) == 1 and self._allowance.answers.may_tell(theirs[0].userid):
            (reader,) = theirs
            error = NotAllowed(
                f"{error} Please reply to this letter, or use its links."
            )
            answer = refusal(error, *self._shown(match, reader))
            return self._about_board(match, [answer])
        error = NotAllowed(
            f"{error} Please put the whole command into the Subject line.",
            f"{match.record.game} move {match.record.board} alice {PLACEHOLDER} MOVE",
        )
        return self._about_board(match, [refusal(error)])

    def _choice(self, reader: Player) -> Asked:
        """The answer to a reply to a letter that is about no board in particular: the
        boards where it is the player's turn."""
        from pbm_holomino.letters.lines import board_line

        found = self._library.lists.boards_of([reader.userid], "next").boards
        error = NotAllowed(
            "I cannot read a command in the first line of your reply, as the letter "
            "that you answered is not about one board."
        )
        if not found:
            return Asked(
                subject=YOUR_COMMAND, answers=(refusal(error, reader.addresses),)
            )
        which = "It is your turn on these boards. Which one do you mean?"
        links = []
        for summary in found[:MOST_OFFERED]:
            match = self._library.match(summary.game, summary.board)
            sent = show_command(self._library.key, match, reader.userid)
            links.append(Linked(board_line(summary), sent))
        how = (
            "Reply to a letter about one board, or put the whole command into the "
            "Subject line, such as:"
        )
        first = found[0]
        example = Command(
            f"{first.game} move {first.board} {reader.userid} {PLACEHOLDER} MOVE"
        )
        said = content(
            (Paragraph(str(error)),),
            (Paragraph(which),),
            links,
            (Paragraph(how), example),
        )
        answer = Answer.of(said, Refused.status, reader.addresses)
        return Asked(None, YOUR_COMMAND, (answer,), reader.userid)

    def _shown(
        self, match: Match, reader: Player
    ) -> tuple[tuple[str, ...], Shown | None]:
        """The addresses of a player, and the board as they see it."""
        request = Request("show", match.record.game, reader.userid)
        request = request._replace(allowance=self._allowance)
        request = request.coming(mail=self._mail.id)
        return reader.addresses, board_shown(request, match, reader.userid)

    def _about_board(self, match: Match, answers: list[Answer]) -> Asked:
        return Asked(subject=f"{match.record.name}: your reply", answers=tuple(answers))


def _what_can_be_written(match: Match, reader: str) -> str:
    """The sentence that says what the first line of a reply can be."""
    can = ["show", "help"]
    if match.result is not None:
        can += ["rematch"] if match.status == "over" else []
    elif reader in match.record.unanswered:
        can[:0] = ["accept", "decline"]
    elif reader not in match.gone:
        can += ["queue and moves", "propose", "undo", "resign"]
    move = ""
    if reader in match.turn and match.view(reader).proposal.moves:
        move = f"a move such as {match.view(reader).proposal.moves[0]}, or "
    return (
        f"It can be {move}one of these: {listed(can, 'or')}. To write to the other "
        'players, put "chat" into the first line and your words below it.'
    )
