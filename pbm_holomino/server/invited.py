"""Replies to invitations, by people who have no account: `accept anna`, or `never`."""

import re

from pbm_holomino.commands import newcomers, parse
from pbm_holomino.commands.request import Request
from pbm_holomino.commands.subjects import subject_words
from pbm_holomino.commands.texts import first_line
from pbm_holomino.errors import NotAllowed
from pbm_holomino.letters.invitations import TO_ACCEPT, never_command
from pbm_holomino.mail.incoming import Mail
from pbm_holomino.match.account import TOKEN
from pbm_holomino.match.letter_ids import LetterId
from pbm_holomino.server.strangers import STOPPING
from pbm_holomino.store.library import Library

_ACCEPT = re.compile(r"(?ai)accept(?:ed|s)?(?:\s+(?:as\s+)?([a-z]\w*))?[\s.!]*")
_NEVER = re.compile(r"(?i)never(?:\s+again)?[\s.!]*")
# As the letter has it; a program that wraps lines may put a mark between the words
_WORD = rf"\b(?:newcomer\s+(?:>\s*)*\w+|never)\s+(?:>\s*)*(~{TOKEN})\b"


def asked(mail: Mail, answered: LetterId, library: Library) -> Request:
    """The request in a reply to an invitation. Raises NotAllowed if it is none, and
    BadCommand for a name that cannot be a userid."""
    request = _request(mail, f"~{answered.token}", library)
    if request is not None:
        return request
    userid = newcomers.free_userid(mail.sender, library)
    raise NotAllowed(TO_ACCEPT.of(userid=userid), f"accept {userid}")


def quoted(mail: Mail, library: Library) -> Request | None:
    """The request in a mail that quotes the word of an invitation but does not say
    which letter it answers, as some programs do not; None if it is none. Raises
    BadCommand."""
    word = re.search(_WORD, mail.body)
    return _request(mail, word[1], library) if word else None


def _request(mail: Mail, word: str, library: Library) -> Request | None:
    """What a mail asks by the word of an invitation, in its first line or else in its
    Subject."""
    line, _ = first_line(mail.body)
    for text in (line, " ".join(subject_words(mail.subject))):
        accepted = _ACCEPT.fullmatch(text.strip())
        if accepted:
            name = accepted[1] or newcomers.free_userid(mail.sender, library)
            return parse.parse(["newcomer", name, word])
        if _NEVER.fullmatch(text.strip()) or re.search(STOPPING, text):
            return parse.parse(never_command(word).split())
    return None
