"""Who asks, as far as that is known without a password. It decides in which language
and form the answer is, and for nothing that needs a proof."""

from contextlib import suppress
from typing import TYPE_CHECKING

from pbm_holomino.commands.known_names import Known
from pbm_holomino.commands.request import Answer, Request
from pbm_holomino.errors import PbmError
from pbm_holomino.languages import ENGLISH_CODE
from pbm_holomino.match.account import Player
from pbm_holomino.store.people import People

if TYPE_CHECKING:
    from pbm_holomino.mail.incoming import Mail


def asker(request: Request, people: People) -> Player | None:
    """The player who is signed in, or whom a mail from one of their addresses names or
    answers; None if there is no such player."""
    origin = request.origin
    if origin.is_signed_in:
        return people.readable(request.userid)
    if not origin.sender:
        return None
    names = filter(None, (origin.reader, request.userid, *request.words))
    return next(filter(origin.is_from, filter(None, map(people.readable, names))), None)


def language(reader: Player | None, now: str) -> str:
    """The code of the language in which somebody is answered."""
    return ENGLISH_CODE if reader is None else reader.language_at(now)


def read_by(answer: Answer, reader: Player | None, now: str) -> Answer:
    """An answer as its reader reads it. Images are only for those who have proved who
    they are."""
    if reader is None:
        return answer
    form = reader.format.replace("picture", "html")
    answer = answer.in_language(language(reader, now))
    return answer._replace(form=answer.form or form, is_to_player=True)


def language_of_sender(mail: "Mail", who: Known, people: People, now: str) -> str:
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
