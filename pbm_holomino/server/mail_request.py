"""What a mail asks: the command in its Subject, or in its text.

A mail asks one thing, or plays several boards of a letter that shows them.
"""

from typing import TYPE_CHECKING

from pbm_holomino.commands import parse, table
from pbm_holomino.commands.allowance import Allowance
from pbm_holomino.commands.known_names import Known
from pbm_holomino.commands.refusals import YOUR_COMMAND, no_command, refusal
from pbm_holomino.commands.request import Answers, Request
from pbm_holomino.commands.subjects import is_our_subject, subject_words
from pbm_holomino.errors import BadCommand, NoCommand, PbmError
from pbm_holomino.mail.incoming import Mail
from pbm_holomino.match import letter_ids
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.server.transaction import Server
from pbm_holomino.store.people import People

if TYPE_CHECKING:
    from pbm_holomino.server.answered import Answered
    from pbm_holomino.server.replies import Doubt


def what_is_asked(
    received: Mail, server: Server, domain: str, allowance: Allowance, known: Known
) -> list[Request | Answers]:
    """The requests in a mail to the server with this domain, or for each the answers if
    there is none; what is `known` helps to read it."""
    try:
        if received.problem:
            raise BadCommand(received.problem)
        people = People(server.library)
        return _Reading(received, server, people, domain, allowance, known).asked()
    except PbmError as error:
        return [Answers(YOUR_COMMAND, (refusal(error),))]


class _Reading(NamedTuple):
    """One mail, as it is read."""

    mail: Mail
    server: Server
    people: People
    domain: str
    allowance: Allowance
    known: Known

    def asked(self) -> list[Request | Answers]:
        """The requests, or the answers. Raises PbmError."""
        try:
            request = self._in_subject()
        except NoCommand as error:
            return self._in_text(error)
        text, answered = self.mail.body, None
        if self.mail.answered:
            answered = self._answered()
        if answered and not table.find(request).takes_pictures:
            text = answered.own("\n".join(answered.own_lines(text)))
        return [self._ready(request.coming(text=text), answered)]

    def _in_subject(self) -> Request:
        """The command in the Subject. Raises NoCommand if that begins like none."""
        if is_our_subject(self.mail.subject):
            raise no_command()
        return parse.parse(subject_words(self.mail.subject), known=self.known)

    def _ready(self, request: Request, answered: "Answered | None") -> Request:
        mail = self.mail
        reader = answered.reader if answered else None
        return request._replace(allowance=self.allowance).coming(
            mail=mail.id,
            sender=mail.sender,
            is_forged=mail.is_forged,
            message_id=mail.message_id,
            languages=mail.languages,
            reader=reader.userid if reader and mail.is_from(reader) else "",
        )

    def _answered(self) -> "Answered | None":
        """The letter that the mail answers."""
        from pbm_holomino.server import answered  # most mails answer none

        known = letter_ids.find(self.mail.answered, self.domain)
        if known is None:
            return None
        reader = self.people.readable(known.reader or known.name)
        if reader is None or not self.mail.is_from(reader):
            self.allowance.answers.read_on()  # a stranger makes us read a board
        now = self.server.now()
        return answered.letter_of(known, self.server.library, self.people, now)

    def _in_text(self, error: NoCommand) -> list[Request | Answers]:
        """What the text asks of a mail whose Subject holds no command, as the `error`
        says."""
        mail, library = self.mail, self.server.library
        answered = self._answered() if mail.answered else None
        asked: list[tuple[Answered | None, Request | Doubt]]
        known = letter_ids.find(mail.answered, self.domain)
        if known is not None and known.reader == letter_ids.INVITED:
            from pbm_holomino.server import invited

            asked = [(answered, invited.asked(mail, known, library))]
        elif answered is not None and mail.is_from(answered.reader):
            from pbm_holomino.server import naming

            lines = answered.own_lines(mail.body)
            asked = [*naming.asked(answered, lines, self.known, library)]
        else:
            asked = [(answered, self._in_new_mail())]
        return [
            self._ready(said, letter)
            if isinstance(said, Request)
            else self._unread(letter, said, error)
            for letter, said in asked
        ]

    def _in_new_mail(self) -> "Request | Doubt":
        """What a mail asks that answers no letter, as far as it says."""
        from pbm_holomino.server import invited, replies

        asked = invited.quoted(self.mail, self.server.library)
        asked = asked or replies.whole(self.mail.body, self.known)
        return asked or replies.Doubt()

    def _welcomed(self) -> Answers | None:
        """The answer to a mail that asks nothing and answers no letter, from somebody
        who may want to play, or to have more letters."""
        from pbm_holomino.server import strangers

        server, known = self.server, self.known
        return strangers.subscribing(self.mail, known) or strangers.welcomed(
            self.mail, server.library, self.allowance, known, server.now()
        )

    def _unread(
        self, answered: "Answered | None", doubt: "Doubt", error: NoCommand
    ) -> Answers:
        """The answers to a mail that asks nothing. Raises the error if it is no reply,
        as far as one can tell."""
        from pbm_holomino.server.unread import Unread

        server = self.server
        unread = Unread(
            self.mail, server.library, self.people, self.allowance, server.now()
        )
        if answered is None:
            answers = unread.without_token() or self._welcomed()
            answers = answers or unread.from_player(self.known)
        elif self.mail.is_from(answered.reader):
            answers = unread.without_command(answered, doubt)
        else:
            answers = unread.from_elsewhere(answered)
        if answers is None:
            raise error
        return answers
