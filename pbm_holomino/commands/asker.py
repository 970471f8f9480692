"""Who asks, as far as that is known without a password. It decides in which language
and form the answer is, and for nothing that needs a proof."""

from pbm_holomino.commands.request import Answer, Request
from pbm_holomino.languages import ENGLISH_CODE
from pbm_holomino.match.account import Player
from pbm_holomino.store.people import People


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
