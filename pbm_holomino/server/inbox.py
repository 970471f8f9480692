"""One mail on standard input, as procmail hands it over.

The exit status is 0 for a mail that has been handled (a refused command is handled
too), and 75 for one that must come again.
"""

import sys
from collections.abc import Callable, Sequence
from contextlib import suppress

from pbm_holomino.commands.allowance import Allowance
from pbm_holomino.commands.asker import asker, language
from pbm_holomino.commands.known_names import Known, known_to
from pbm_holomino.commands.refusals import refusal
from pbm_holomino.commands.request import Answer, Answers, Request
from pbm_holomino.errors import (
    DONE,
    TRY_LATER,
    BadCommand,
    CannotSend,
    PbmError,
    TooMany,
)
from pbm_holomino.languages import ENGLISH_CODE
from pbm_holomino.letters.content import in_words, said
from pbm_holomino.letters.letter import Due, Letter
from pbm_holomino.letters.writing import Sources, Writer
from pbm_holomino.mail import incoming
from pbm_holomino.mail.incoming import Mail, Unreadable
from pbm_holomino.mail.intake import read_stdin
from pbm_holomino.match.account import Player
from pbm_holomino.match.tokens import TAG, token_now
from pbm_holomino.server import journal
from pbm_holomino.server.journal import Entry
from pbm_holomino.server.mail_request import what_is_asked
from pbm_holomino.server.open import open_server
from pbm_holomino.server.transaction import Server
from pbm_holomino.store.config import Config
from pbm_holomino.store.contract import QUARANTINE
from pbm_holomino.store.people import People

_MOST_NOTED = 200  # characters of the owner's log that say what a mail asks


def main() -> int:
    """The command `pbm-inbox`, which procmail runs. Returns the exit status."""
    try:
        if sys.stdin is None:
            raise PbmError("There is no mail: standard input is closed.")
        raw = read_stdin()
        server, home = open_server()
        receive(raw, server, home.config)
    except Exception as error:  # a bug of ours must not lose the mail: it comes again
        why = f"{type(error).__name__}: {error}"
        if isinstance(error, PbmError):
            why = error.in_a_line
        print(f"pbm-inbox: {why}", file=sys.stderr)
        return TRY_LATER
    return DONE


def receive(raw: bytes, server: Server, config: Config) -> bool:
    """Carry out a mail, answer it, and have the letters sent that are due then; False
    if nobody can read it, and it is in quarantine now. Raises PbmError with status
    TRY_LATER if it must come again."""
    with journal.entry(config) as entry:
        received = _read(raw, server, config, entry)
        if received is not None:
            entry.id = received.id
            _carry_out(received, server, config, entry)
        return entry.verdict != QUARANTINE


def _read(raw: bytes, server: Server, config: Config, entry: Entry) -> Mail | None:
    """The mail in these bytes, if it is to be carried out. A bounce is counted."""
    end = b"" if raw.endswith(b"\n") else b"\n"  # as LMTP gives every mail one
    try:
        received = incoming.read(raw + end, config.address, config.trust)
    except Unreadable:
        from pbm_holomino.mail import keeping  # most mails can be read

        entry.id = keeping.quarantine(raw, server.store)
        entry.verdict = QUARANTINE
        return None
    if received is None:
        entry.verdict = "ignored"
        _count_bounce(raw, server, config, entry)
    return received


def _count_bounce(raw: bytes, server: Server, config: Config, entry: Entry) -> None:
    """Count what a program has sent if it is a bounce, of which all is done then."""
    from pbm_holomino.mail import (  # people send most mails
        bounces,
        keeping,
        undelivered,
    )

    bounce = bounces.read(raw)
    if bounce is not None:
        entry.id = keeping.id_of(raw)
        entry.verdict = "bounce"
        undelivered.count_bounce(bounce, server.library, config.domain, server.now())


def _carry_out(received: Mail, server: Server, config: Config, entry: Entry) -> None:
    """Carry out what a mail asks, and answer it; the letters about it follow."""
    allowance = Allowance.of(
        received.sender,
        server.store.counters,
        server.now(),
        config,
        is_unwanted=received.is_forged or received.is_spam,
    )
    due: list[Due] = []
    try:
        known = known_to(lambda: server.library, received.sender, allowance)
        asked = what_is_asked(received, server, config.domain, allowance, known)
        entry.asked = _noted(asked)
        given = [
            one
            if isinstance(one, Answers)
            else _done(one, received, server, known, due)
            for one in asked
        ]
        answers = [(those, answer) for those in given for answer in those.answers]
        for number, (those, answer) in enumerate(answers, 1):
            left = _left(answer, allowance)
            if left is not None:
                left = _in_language(left, received, known, server)
                reply = _reply(received, those, number, left, server)
                for why in server.delivery.send([reply]).values():
                    raise CannotSend(why)
    finally:  # what is done is done, even if the mail must come again
        server.deliver(due)
    entry.answered([answer.status for _, answer in answers])
    if allowance.answers.is_unwanted:
        proved = any(answer.posted or answer.to for _, answer in answers)
        entry.verdict = entry.verdict if proved else "unwanted"


def _noted(asked: Sequence[Request | Answers]) -> str:
    """What a mail asks, as the owner's log has it."""
    names = (
        one.name if isinstance(one, Request) else str(one.subject) for one in asked
    )
    return ", ".join(names)[:_MOST_NOTED]


def _done(
    request: Request, mail: Mail, server: Server, known: Known, due: list[Due]
) -> Answers:
    """Do what a mail asks; the answers, one for each reader. The letters that are due
    because of it join those that are."""
    strangers = request.allowance.answers
    if strangers.is_unwanted:
        is_known = asker(request, People(server.library)) is not None
        strangers.is_unwanted = not (is_known or _is_invited(request, server))

    def carry_out(one: Request) -> Answer:
        answer = server.run(one)
        due.extend(answer.due)
        return answer

    if request.command == "multiple":
        answers = _several(request, mail, carry_out, known, server)
    elif request.command == "newcomer":
        answers = _begun(request, carry_out, server)
    else:
        answers = [carry_out(request).after_reading(request)]
    return Answers(request.subject, answers, request.userid)


def _is_invited(request: Request, server: Server) -> bool:
    """Whether a stranger sends a line that was mailed to them."""
    if request.command not in ("newcomer", "never"):
        return False
    from pbm_holomino.commands import newcomers  # few mails do

    return newcomers.is_invited(request, server.library)


def _begun(
    request: Request, carry_out: Callable[[Request], Answer], server: Server
) -> list[Answer]:
    """Make a stranger a player, and have their first game begin."""
    from pbm_holomino.commands import newcomers  # few mails do

    made = carry_out(request)
    if made.status:
        return [made]
    begun = made
    for first in newcomers.first_games(request, server.library):
        begun = carry_out(first)
        if not begun.status:
            break
    return [made, begun]


def _several(
    request: Request,
    mail: Mail,
    carry_out: Callable[[Request], Answer],
    known: Known,
    server: Server,
) -> list[Answer]:
    from pbm_holomino.commands import multiple  # most mails hold one command

    try:
        parts = multiple.run(request, carry_out, known=known)
    except BadCommand as error:
        return [refusal(error)]
    said = [
        part._replace(answer=_in_language(part.answer, mail, known, server))
        for part in parts
    ]
    return multiple.by_reader(said, request.origin.sender)


def _in_language(answer: Answer, mail: Mail, known: Known, server: Server) -> Answer:
    """An answer to whoever has sent a mail that proves nothing, in their language, if
    their address or the mail says which that is."""
    if answer.to or answer.posted or answer.is_to_player:
        return answer
    if answer.language != ENGLISH_CODE:
        return answer
    people, now = People(server.library), server.now()
    return answer.in_language(_language_of_sender(mail, known, people, now))


def _language_of_sender(mail: Mail, who: Known, people: People, now: str) -> str:
    """The code of the language of the only player who has the address that a mail comes
    from, or else that of the mail. All accounts are read for that, but only where there
    are several languages."""
    from pbm_holomino.languages import known  # few Subjects name nobody

    if len(known.codes()) > 1:
        with suppress(PbmError):  # too many have asked
            name = who.sender()
            reader = people.readable(name) if name else None
            if reader is not None:
                return language(reader, now)
        from pbm_holomino.commands import asked_in

        return asked_in.language(mail.languages, mail.body) or ENGLISH_CODE
    return ENGLISH_CODE


def _left(answer: Answer, allowance: Allowance) -> Answer | None:
    """What is still to be sent of an answer, if anything. A player who has given a
    password is always answered; anybody else only as often as `allowance` permits, and
    then one last answer says so."""
    if answer.posted:
        return None
    if answer.to:
        return answer
    try:
        return answer if allowance.answers.may_send(answer.over) else None
    except TooMany as error:
        return _left(refusal(error).in_language(answer.language), allowance)


def _reply(
    received: Mail, given: Answers, number: int, answer: Answer, server: Server
) -> Letter:
    """The letter with an answer. If it shows a player a board, they can reply to it:
    it has the token of the last line of the board's log."""
    key = f"answer.{received.id}"
    letter = Letter(
        key=key if number == 1 else f"{key}.{number}",
        to=answer.to or (received.sender,),
        subject=in_words(given.subject, answer.language),
        content=answer.content or said(answer.text),
        answers=received.message_id,
        attachments=answer.attachments,
        once=True,
        stranger=not answer.to,
        language=answer.language,
    )
    board = answer.board
    name = board.reader if board else given.reader or answer.reader
    reader = server.library.player(name) if answer.to and name else None
    letter = letter._replace(form=_form(reader, answer))
    if reader is None:
        return letter
    more, library = f"{received.id}{number}", server.library
    sources = Sources.of(library, People(library), bool(server.web))
    if answer.waiting:
        tags = [
            token_now(library.key, match, reader.userid)[:TAG]
            for match in answer.waiting
        ]
        return Writer(reader, sources).naming(letter, 0, tags, f"0{more}")
    if board is None or answer.stays:
        return letter
    if reader.userid not in board.match.record.players:
        return letter
    return Writer(board.match, sources).shown(letter, reader, more)


_MOST_HTML = 40_000  # characters of a text: mail programs cut off longer pages


def _form(reader: Player | None, answer: Answer) -> str:
    """How an answer looks to a reader, or to somebody unknown. Images are drawn for
    readers who see one board."""
    if answer.stays or len(answer.text) > _MOST_HTML:
        return "text"
    if reader is None:
        return answer.form or "html"
    is_drawn = reader.format != "picture" or answer.board is not None
    return reader.format if is_drawn else "html"
